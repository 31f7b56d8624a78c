import type { Pace } from "./core-protocol.js";
import type { TeamGraph } from "./events.js";
import type { Workspace } from "./state.js";
import type { BenchmarkSettings, File, LabSettings, LearnSettings, RunStartParams } from "./wire.js";

/** What a person wishes of the runs. */
export type RunWish =
  | { readonly wish: "start"; readonly pace: Pace }
  | { readonly wish: "pace"; readonly pace: Pace }
  /** Ends the run that is shown, or another. */
  | { readonly wish: "cancel"; readonly run?: number }
  | { readonly wish: "answer"; readonly effect: string; readonly value: string; readonly run?: number }
  /** Take these choices at an offer, whatever was taken there. */
  | { readonly wish: "take"; readonly offer: number; readonly choice: readonly number[] }
  /** From an offer on, the person chooses. */
  | { readonly wish: "ask-me"; readonly offer: number }
  /** From an offer on, choose anew with the settings of the form. */
  | { readonly wish: "anew"; readonly offer: number }
  /** Go on where the run ended before its end: before the answer that it failed of, or where it was stopped. */
  | { readonly wish: "go-on"; readonly run?: number }
  /** Start a run again that was refused, without these properties. */
  | { readonly wish: "without"; readonly run: number; readonly names: readonly string[] }
  /** Go on with another graph: what it leaves as it was is kept, the rest is done again. */
  | { readonly wish: "change-graph"; readonly graph: TeamGraph }
  /** Begin a problem's run anew from a stage on; what the stages before it make is in these files. */
  | { readonly wish: "begin-again"; readonly files: readonly File[]; readonly from: string }
  /** Show the run as it was after a moment; null: as it is. */
  | { readonly wish: "moment"; readonly moment: number | null }
  | { readonly wish: "show"; readonly run: number }
  | { readonly wish: "drop"; readonly run: number }
  /** Make plans with the spec by several methods, so many of each, and count. */
  | { readonly wish: "compare"; readonly methods: readonly string[]; readonly tries: number }
  /** Have a benchmark's tasks done by several methods. */
  | { readonly wish: "benchmark"; readonly name: string; readonly files: readonly File[]; readonly seed: number; readonly settings: BenchmarkSettings }
  /** Run an experiment. */
  | { readonly wish: "lab"; readonly name: string; readonly files: readonly File[]; readonly settings: LabSettings }
  /** Play the run of a cell that has no view of its own. */
  | { readonly wish: "cell"; readonly params: RunStartParams }
  /** Have small models learn to plan from how their plans are judged. */
  | { readonly wish: "learn"; readonly name: string; readonly files: readonly File[]; readonly seed: number; readonly settings: LearnSettings }
  /** Have a model write a spec. */
  | { readonly wish: "draft"; readonly draft: Drafting }
  /** Of a run that an earlier visit left unfinished. */
  | { readonly wish: "resume" | "replay" | "discard"; readonly id: string }
  /** Of a finished run that this device keeps. */
  | { readonly wish: "open-finished"; readonly id: string }
  | { readonly wish: "delete-finished"; readonly id: string }
  | { readonly wish: "pin-finished"; readonly id: string; readonly pinned: boolean }
  | { readonly wish: "clear-finished" }
  | { readonly wish: "export"; readonly format: "json" | "markdown" };

/** What a draft is to be like. */
export interface Drafting {
  readonly description: string;
  readonly languages: readonly string[];
  readonly pass: readonly string[];
  readonly fail: readonly string[];
  readonly rounds: number;
  /** It begins with the workspace's specs, to change them; otherwise with nothing. */
  readonly change: boolean;
}

/** Tells whoever listens above an element what the person wishes. */
export function wish(element: HTMLElement, detail: RunWish): void {
  element.dispatchEvent(new CustomEvent<RunWish>("run-wish", { detail, bubbles: true }));
}

/** A workspace that a person wants opened, and what is to be done in it. */
export interface BenchmarkWish {
  readonly workspace: Workspace;
  readonly task: string;
}
