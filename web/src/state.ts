// What the page's state is made of. Only store.ts changes it.
import type { Fault, RunState, RunUpdate, SolverProgress } from "./core-protocol.js";
import type { KeptRun } from "./kept-runs.js";
import type { KeyNote } from "./keys.js";
import type { RunSettings } from "./run-form.js";
import type { Kept } from "./storage.js";
import type { Timeline } from "./timeline.js";
import type { DocumentAnalyzeResult, Drawing, Effect, File, LanguageCheckResult, LlmCapabilities, LlmPrice, LlmProbeEvent, RunLog, RunStartParams, StepWalkResult } from "./wire.js";

/** What a tab of the page shows. "text" is a tab of its own only where there is one column. */
export type Panel = "text" | "automaton" | "run" | "trace" | "verify" | "lab" | "export";

export type Theme = "system" | "light" | "dark";

/** A workspace with the name a person knows it by. */
export interface Workspace {
  readonly title: string;
  readonly files: readonly File[];
  readonly current: string;
  /** The gallery's example it came from, whose task and words it keeps. */
  readonly example?: string;
}

/** A workspace that was put aside, or is kept for the next visit. */
export interface Draft extends Workspace {
  readonly savedAt: number;
  /** Whether it differs from what was opened, so that losing it would lose work. */
  readonly edited: boolean;
  /** A person gave it its title and wants it kept. */
  readonly named?: boolean;
}

/** An example of the gallery, as gallery/index.json lists it. */
export interface Example {
  readonly id: string;
  readonly title: string;
  readonly paper: string;
  readonly source?: string;
  readonly summary: string;
  readonly task?: string;
  readonly main: string;
  readonly words?: readonly ExampleWord[];
  /** There is a recorded run of it. */
  readonly recorded?: boolean;
}

export interface ExampleWord {
  readonly word: readonly string[];
  readonly pass: boolean;
}

/** An example's word with what the spec says of it now. */
export interface CheckedWord extends ExampleWord {
  readonly verdict?: string;
}

export type CoreStatus =
  | { readonly status: "loading" }
  | { readonly status: "ready" }
  | { readonly status: "failed"; readonly fault: Fault };

export interface Analysis {
  readonly name: string;
  readonly revision: number;
  readonly result: DocumentAnalyzeResult;
  /** What the file is to an agent that names it. */
  readonly about?: string;
}

export interface Walk {
  /** Of the texts that were stepped through. */
  readonly revision: number;
  readonly word: readonly string[];
  readonly result: StepWalkResult;
}

export interface Place {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Tells two wishes to go to the same place apart. */
  readonly count: number;
}

/** Kinds of runs: the first six are what files are made for. */
export type RunKind = "plan" | "monitor" | "team" | "formulate" | "solve" | "steps" | "compare" | "draft" | "benchmark" | "lab" | "cell" | "learn";

export interface Run {
  readonly number: number;
  readonly kind: RunKind;
  readonly name: string;
  /** How it came from another run; "" where it did not. */
  readonly origin: string;
  readonly params: RunStartParams;
  readonly state: RunState;
  /** It is to be held after the move that it is at. */
  readonly pausing: boolean;
  readonly events: readonly unknown[];
  readonly timeline: Timeline;
  /** Which of its moments is looked at, from 0; null: it is shown as it is. */
  readonly moment: number | null;
  readonly questions: readonly Effect[];
  readonly fault?: Fault;
  /** The core was lost under it, so that it can be resumed as if nothing had been. */
  readonly interrupted: boolean;
  /** The recording so far. */
  readonly recorded?: RunLog;
  /** The recording, once the run has ended. */
  readonly log?: RunLog;
  /** What it came to, where its events do not say so. */
  readonly outcome?: unknown;
  /** Where it was played from: nothing is asked of the world then. */
  readonly replay: boolean;
}

/** What a run goes by where its settings say nothing. */
export interface RunDefaults {
  readonly planTemplate: string;
  readonly planAttempts: number;
  readonly monitorTemplate: string;
  readonly monitorSteps: number;
  readonly monitorCorrections: number;
  readonly monitorTokens: number;
  readonly monitorSamples: number;
}

export interface Toast {
  readonly id: number;
  readonly tone: "plain" | "bad";
  readonly text: string;
  readonly action?: { readonly label: string; readonly command: "retry" };
}

/** A sentence over the page that stays until it is answered. */
export interface Banner {
  readonly tone: "plain" | "bad";
  readonly text: string;
  /** What can be done about it; the sentence goes with that. */
  readonly actions?: readonly { readonly label: string; readonly act: () => void }[];
}

/** A server of models and one of its models, as the core takes it, with what a person calls it. The key is not here. */
export interface Endpoint {
  /** The key is known by it; it never changes. */
  readonly name: string;
  readonly label: string;
  readonly format: string;
  readonly url: string;
  readonly model: string;
  /** Whose extensions are used; "" where none are assumed. */
  readonly server: string;
  /** What a test has found; without it the core goes by format and server. */
  readonly capabilities?: LlmCapabilities;
  /** What the person pays; without it the core goes by its own table. */
  readonly price?: LlmPrice;
  /** Milliseconds without a word after which it counts as hung; without it the core's patience. */
  readonly idle?: number;
}

/** What a test found out. */
export interface ProbeResult {
  /** Whose server it is, as it says or looks. */
  readonly server?: string;
  readonly models?: readonly string[];
  readonly capabilities?: LlmCapabilities;
  readonly milliseconds?: number;
  readonly reply?: string;
}

/** The last test of an endpoint. */
export interface Probe {
  readonly endpoint: string;
  readonly run: number;
  readonly state: RunUpdate["state"];
  readonly steps: readonly LlmProbeEvent[];
  readonly result?: ProbeResult;
  readonly fault?: Fault;
}

/** What was found in a file. */
export interface Check {
  readonly name: string;
  /** The file's text as it was looked at. */
  readonly text: string;
  readonly result: LanguageCheckResult;
}

export interface State extends Workspace {
  /** Counts changes of texts. */
  readonly revision: number;
  /** Counts workspaces that were opened. */
  readonly generation: number;
  readonly edited: boolean;
  readonly cursor: number;
  readonly reveal: Place | null;
  readonly core: CoreStatus;
  readonly analysis: Analysis | null;
  /** The last drawing of the open file: its own, or that of its last text without errors. */
  readonly picture: Drawing | null;
  /** What was found in files beyond their own text; it stands in the analysis, too. */
  readonly checks: readonly Check[];
  readonly analysisFault: Fault | null;
  readonly word: readonly string[];
  readonly walk: Walk | null;
  readonly walkFault: Fault | null;
  readonly checked: readonly CheckedWord[];
  readonly gallery: readonly Example[];
  readonly settings: RunSettings;
  readonly endpoints: readonly Endpoint[];
  /** What may be known of the endpoints' keys. The keys are not here, so that they cannot get into a draft or a link. */
  readonly keys: readonly KeyNote[];
  /** The last test of every endpoint, by its name. */
  readonly probes: Readonly<Record<string, Probe>>;
  /** The run that is shown. */
  readonly run: Run | null;
  /** The runs of this session, the one that is shown among them. */
  readonly runs: readonly Run[];
  /** Runs that were interrupted at an earlier visit. */
  readonly interrupted: readonly KeptRun[];
  /** What the solver is at that was heard of last. */
  readonly solver: SolverProgress | null;
  readonly defaults: RunDefaults | null;
  readonly panel: Panel;
  readonly narrow: boolean;
  readonly theme: Theme;
  readonly saved: "no" | "saving" | Kept;
  readonly toasts: readonly Toast[];
  readonly banner: Banner | null;
  readonly drafts: readonly Draft[];
}
