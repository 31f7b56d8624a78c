// Files by whose names a workspace is one of a benchmark's task that a team does.

/** Records that a trip's team looks things up in; the core knows it by its name. */
export const tripRecordsFile = "travelplanner.json";
/** What is asked, against which the delivery is judged. */
export const tripQueryFile = "trip-query.json";
/** Queries with the plans that people wrote for them. */
export const tripQueriesFile = "travelplanner-queries.json";
/** Tasks of API-Bank, whose recorded calls are a team's tools; the core knows it by its name. */
export const apibankFile = "apibank-level3.jsonl";
/** Which of the tasks is to be done. */
export const apibankTaskFile = "apibank-task.json";

/** Whether a workspace has records that a team's tools look things up in. */
export function hasRecords(files: readonly { readonly name: string }[]): boolean {
  return files.some((f) => f.name === tripRecordsFile || f.name === apibankFile);
}
