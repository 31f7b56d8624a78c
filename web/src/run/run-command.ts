import type { Pace } from "../core/core-protocol.js";
import type { TeamGraph } from "./events.js";
import type { Workspace } from "../store/state.js";
import type {
  BenchmarkSettings,
  File,
  LabSettings,
  LearnSettings,
  ProveSettings,
  RunStartParams,
} from "../core/wire.js";

/** A command about runs. */
export type RunCommand =
  | { readonly command: "start"; readonly pace: Pace }
  | { readonly command: "pace"; readonly pace: Pace }
  /** Cancels a run; by default the shown one. */
  | { readonly command: "cancel"; readonly run?: number }
  | { readonly command: "answer"; readonly effect: string; readonly value: string; readonly run?: number }
  /** Takes other choices at an offer. */
  | { readonly command: "take"; readonly offer: number; readonly choice: readonly number[] }
  /** Lets the person make the choices from an offer on. */
  | { readonly command: "ask-me"; readonly offer: number }
  /** Discards the choices from an offer on and continues with the form's settings. */
  | { readonly command: "choose-again"; readonly offer: number }
  /** Resumes an ended run: before the failed answer, or where it was stopped. */
  | { readonly command: "resume-run"; readonly run?: number }
  /** Restarts a refused run without these properties. */
  | { readonly command: "without"; readonly run: number; readonly names: readonly string[] }
  /** Continues with another graph: unchanged parts are kept, the others run again. */
  | { readonly command: "change-graph"; readonly graph: TeamGraph }
  /** Restarts a problem's run from a stage; the files contain the earlier stages' products. */
  | { readonly command: "restart-stage"; readonly files: readonly File[]; readonly from: string }
  /** Shows the run at a moment; null means at its end. */
  | { readonly command: "moment"; readonly moment: number | null }
  | { readonly command: "show"; readonly run: number }
  | { readonly command: "drop"; readonly run: number }
  /** Makes a number of plans with each method, and counts the valid ones. */
  | { readonly command: "compare"; readonly methods: readonly string[]; readonly tries: number }
  /** Runs a benchmark's tasks by several methods. */
  | {
      readonly command: "benchmark";
      readonly name: string;
      readonly files: readonly File[];
      readonly seed: number;
      readonly settings: BenchmarkSettings;
    }
  /** Runs an experiment. */
  | { readonly command: "lab"; readonly name: string; readonly files: readonly File[]; readonly settings: LabSettings }
  /** Replays the run of a cell that the Run tab cannot show. */
  | { readonly command: "cell"; readonly params: RunStartParams }
  /** Trains small models on the judgements of their plans. */
  | {
      readonly command: "learn";
      readonly name: string;
      readonly files: readonly File[];
      readonly seed: number;
      readonly settings: LearnSettings;
    }
  /** Asks a question about rules. */
  | {
      readonly command: "prove";
      readonly name: string;
      readonly files: readonly File[];
      readonly settings: ProveSettings;
    }
  /** Drafts a spec with a model. */
  | { readonly command: "draft"; readonly draft: Drafting }
  /** Resumes, replays or discards an unfinished run of an earlier visit. */
  | { readonly command: "resume" | "replay" | "discard"; readonly id: string }
  /** Opens a finished run on this device. */
  | { readonly command: "open-finished"; readonly id: string }
  | { readonly command: "delete-finished"; readonly id: string }
  | { readonly command: "pin-finished"; readonly id: string; readonly pinned: boolean }
  | { readonly command: "clear-finished" }
  | { readonly command: "export"; readonly format: "json" | "markdown" };

/** The description of a draft. */
export interface Drafting {
  readonly description: string;
  readonly languages: readonly string[];
  readonly pass: readonly string[];
  readonly fail: readonly string[];
  readonly rounds: number;
  /** Whether the draft changes the workspace's specs; otherwise it starts from an empty text. */
  readonly change: boolean;
}

/** Sends a command to an ancestor. */
export function sendCommand(element: HTMLElement, detail: RunCommand): void {
  element.dispatchEvent(new CustomEvent<RunCommand>("run-command", { detail, bubbles: true }));
}

/** A workspace to open, with an action in it. */
export interface WorkspaceRequest {
  readonly workspace: Workspace;
  readonly task: string;
}
