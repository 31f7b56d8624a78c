// The page's state. Only store.ts changes it.
import type { Fault, RunState, RunUpdate, SolverProgress } from "../core/core-protocol.js";
import type { KeptRun } from "./unfinished-runs.js";
import type { KeyNote } from "../models/api-keys.js";
import type { RunSettings } from "../run/run-form.js";
import type { Kept } from "./storage.js";
import type { Timeline } from "../run/timeline.js";
import type { Results } from "../tests/run-tests.js";
import type {
  DocumentAnalyzeResult,
  Drawing,
  Effect,
  File,
  LanguageCheckResult,
  LlmCapabilities,
  LlmPrice,
  LlmProbeEvent,
  RunDefaultsResult,
  RunLog,
  RunStartParams,
  StepWalkResult,
} from "../core/wire.js";

/** A tab of the page. "text" is a tab only in a single column. */
export type Panel = "text" | "automaton" | "run" | "trace" | "verify" | "lab" | "export";

export type Theme = "system" | "light" | "dark";

/** A workspace with its title. */
export interface Workspace {
  readonly title: string;
  readonly files: readonly File[];
  readonly current: string;
  /** The gallery example from which it came, with the example's task and words. */
  readonly example?: string;
  /** The task of its runs; if undefined, the task of the example, of the rehearsal, or of the previous workspace. */
  readonly task?: string;
}

/** A workspace that was put aside, or is kept for the next visit. */
export interface Draft extends Workspace {
  readonly savedAt: number;
  /** Whether it differs from the workspace that was opened, so that deleting it would lose work. */
  readonly edited: boolean;
  /** Whether the person named it to keep it. */
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
  /** The purpose by which the gallery groups the examples. */
  readonly goal: string;
  /** Further words of searches. */
  readonly terms: string;
  /** Whether it has a recorded run. */
  readonly recorded?: boolean;
  /** Whether a person wrote the model's answers of the recorded run. */
  readonly scripted?: boolean;
}

export interface ExampleWord {
  readonly word: readonly string[];
  readonly pass: boolean;
}

/** An example's word with its current verdict. */
export interface CheckedWord extends ExampleWord {
  readonly verdict?: string;
}

export type CoreStatus =
  { readonly status: "loading" } | { readonly status: "ready" } | { readonly status: "failed"; readonly fault: Fault };

export interface Analysis {
  readonly name: string;
  readonly revision: number;
  readonly result: DocumentAnalyzeResult;
  /** The role of the file for an agent that names it. */
  readonly about?: string;
}

export interface Walk {
  /** Revision of the stepped texts. */
  readonly revision: number;
  readonly word: readonly string[];
  readonly result: StepWalkResult;
}

export interface Place {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Distinguishes requests for the same place. */
  readonly count: number;
}

/** The kinds of runs. Runs of the first six kinds belong to a file. */
export type RunKind =
  | "plan"
  | "monitor"
  | "team"
  | "formulate"
  | "solve"
  | "steps"
  | "compare"
  | "draft"
  | "benchmark"
  | "lab"
  | "cell"
  | "learn"
  | "prove";

export interface Run {
  readonly number: number;
  readonly kind: RunKind;
  readonly name: string;
  /** The run that it continues, in words; "" if none. */
  readonly origin: string;
  readonly params: RunStartParams;
  readonly state: RunState;
  /** Whether it will pause after the current move. */
  readonly pausing: boolean;
  readonly events: readonly unknown[];
  readonly timeline: Timeline;
  /** The selected moment, from 0; null for the end. */
  readonly moment: number | null;
  readonly questions: readonly Effect[];
  readonly fault?: Fault;
  /** Whether the core was lost during the run, which can then be resumed. */
  readonly interrupted: boolean;
  /** The recording so far. */
  readonly recorded?: RunLog;
  /** The recording, once the run has ended. */
  readonly log?: RunLog;
  /** The result, if the events do not contain it. */
  readonly outcome?: unknown;
  /** Whether it replays a recording, so that no effect is performed. */
  readonly replay: boolean;
}

/** The defaults of a run. */
export type RunDefaults = RunDefaultsResult;

export interface Toast {
  readonly id: number;
  readonly tone: "plain" | "bad";
  readonly text: string;
  readonly action?: { readonly label: string; readonly command: "retry" };
}

/** A message above the page that stays until it is answered. */
export interface Banner {
  readonly tone: "plain" | "bad";
  readonly text: string;
  /** Actions that also close the message. */
  readonly actions?: readonly { readonly label: string; readonly act: () => void }[];
}

/** A model server and one of its models, with the person's name for it. It does not contain the key. */
export interface Endpoint {
  /** The name under which the key is stored. It never changes. */
  readonly name: string;
  readonly label: string;
  readonly format: string;
  readonly url: string;
  readonly model: string;
  /** The server whose extensions are used; "" for none. */
  readonly server: string;
  /** The tested capabilities; if undefined, the core assumes those of the format and server. */
  readonly capabilities?: LlmCapabilities;
  /** The person's price; if undefined, the core uses its own table. */
  readonly price?: LlmPrice;
  /** Milliseconds of silence before a timeout; if undefined, the core's default. */
  readonly idle?: number | undefined;
  /** How much the model thinks; if undefined, the model's default. */
  readonly effort?: string | undefined;
  /** The token budget for thoughts; if undefined, the default for the server and the effort. */
  readonly thinking?: number | undefined;
  /** An object that is merged into each request. */
  readonly body?: object | undefined;
}

/** The result of a test. */
export interface ProbeResult {
  /** The detected server. */
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

/** The deferred diagnostics of a file. */
export interface Check {
  readonly name: string;
  /** The checked text of the file. */
  readonly text: string;
  readonly result: LanguageCheckResult;
}

/** The results of the workspace's tests. */
export interface TestResults extends Results {
  /** Revision of the tested texts. */
  readonly revision: number;
}

export interface State extends Workspace {
  /** Number of text changes. */
  readonly revision: number;
  /** Number of opened workspaces. */
  readonly generation: number;
  readonly edited: boolean;
  readonly cursor: number;
  /** The drawn formula in a file with several formulas, by its index; "" for the first. */
  readonly view: string;
  readonly reveal: Place | null;
  readonly core: CoreStatus;
  readonly analysis: Analysis | null;
  /** The last drawing of the open file: of the current text, or of the last text without errors. */
  readonly picture: Drawing | null;
  /** The deferred checks; the analysis contains them, too. */
  readonly checks: readonly Check[];
  readonly analysisFault: Fault | null;
  readonly word: readonly string[];
  readonly walk: Walk | null;
  readonly walkFault: Fault | null;
  readonly checked: readonly CheckedWord[];
  /** The results of the tests; null for a workspace without tests. */
  readonly tests: TestResults | null;
  readonly gallery: readonly Example[];
  readonly settings: RunSettings;
  readonly endpoints: readonly Endpoint[];
  /**
   * The public parts of the endpoints' keys. The keys are not here, so that they cannot get into a
   * draft or a link.
   */
  readonly keys: readonly KeyNote[];
  /** The last test of every endpoint, by name. */
  readonly probes: Readonly<Record<string, Probe>>;
  /** The shown run. */
  readonly run: Run | null;
  /** The runs of this session, including the shown one. */
  readonly runs: readonly Run[];
  /** Interrupted runs of an earlier visit. */
  readonly interrupted: readonly KeptRun[];
  /** The progress of the active solver. */
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
