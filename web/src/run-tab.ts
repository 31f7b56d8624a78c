// What only runs need. It is fetched when the Run tab is first opened.
import "./elements/run.js";

export { recordingOf } from "./run-file.js";
export { Runs } from "./runs.js";
