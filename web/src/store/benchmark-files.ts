// Names of files that mark a workspace as a benchmark's task for a team.

/** The records of a trip; the core uses the same file name. */
export const tripRecordsFile = "travelplanner.json";
/** The query of a trip; the deliverable is judged by it. */
export const tripQueryFile = "trip-query.json";
/** Queries with human plans. */
export const tripQueriesFile = "travelplanner-queries.json";
/** The tasks of API-Bank, whose recorded calls are a team's tools; the core uses the same file name. */
export const apibankFile = "apibank-level3.jsonl";
/** The chosen task. */
export const apibankTaskFile = "apibank-task.json";

/** Reports whether a workspace has records for a team's tools. */
export function hasRecords(files: readonly { readonly name: string }[]): boolean {
  return files.some((f) => f.name === tripRecordsFile || f.name === apibankFile);
}
