// The modules of runs, loaded when the Run tab is first opened.
import "./run-panel.js";

export { recordingOf } from "./run-file.js";
export { Runs } from "./runs.js";
