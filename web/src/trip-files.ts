// Files by whose names a workspace is one of a trip that a team plans.

/** Records that the team's tools look things up in; the core knows it by its name. */
export const tripRecordsFile = "travelplanner.json";
/** What is asked, against which the delivery is judged. */
export const tripQueryFile = "trip-query.json";
