import { type AgentSettings, usualAgent } from "./agent-settings.js";
import { type Check, withCheck } from "./checks.js";
import type { Fault, RunState, SolverProgress } from "./core-protocol.js";
import type { Endpoint, Probe } from "./endpoints.js";
import type { KeyNote } from "./keys.js";
import type { KeptRun } from "./kept-runs.js";
import type { ProblemForm } from "./problem-settings.js";
import type { TeamForm } from "./team-settings.js";
import type { Timeline } from "./timeline.js";
import type { DocumentAnalyzeResult, Effect, File, RunLog, RunStartParams, StepWalkResult } from "./wire.js";

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

export type ModelKind = "uniform" | "first" | "scripted" | "rambler" | "person" | "endpoint";

/** What the Run tab asks for. */
export interface RunSettings {
  readonly task: string;
  readonly model: ModelKind;
  readonly script: string;
  readonly errorRate: number;
  /** A simulated model answers as if its server allowed nothing but the choices. */
  readonly constrained: boolean;
  /** The name of the endpoint that is asked where model is "endpoint". */
  readonly endpoint: string;
  readonly seed: number;
  readonly reading: "integer" | "label" | "logprobs";
  /** Who chooses where no answer could be read. */
  readonly otherwise: "" | "person" | "first";
  /** The tools are used once the plan is made. */
  readonly execute: boolean;
  /** The workspace's formulas are kept to. */
  readonly properties: boolean;
  /** No look-ahead: the planner backtracks from dead ends. */
  readonly naive: boolean;
  /** To get an answer that can be read; 0: as many as usual. */
  readonly attempts: number;
  /** What may be spent; 0: no bound. */
  readonly maxCalls: number;
  readonly maxTokens: number;
  readonly maxMoney: number;
  /** The prompt of a choice; "": the usual one. */
  readonly template: string;
  /** What only runs of agents take. */
  readonly agent: AgentSettings;
  /** What only runs of teams take; without it all is as usual. */
  readonly team?: TeamForm;
  /** What only runs of problems and solvers take; without it all is as usual. */
  readonly problem?: ProblemForm;
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
  readonly draft?: Draft;
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
  readonly saved: "no" | "saving" | "yes" | "failed";
  readonly toasts: readonly Toast[];
  readonly banner: Banner | null;
  readonly drafts: readonly Draft[];
}

/** How many drafts are kept beside the one being edited, and how many versions with a name. */
const MAX_DRAFTS = 12;
const MAX_VERSIONS = 100;

const initialSettings: RunSettings = {
  task: "", model: "uniform", script: "", errorRate: 0.5, constrained: false, endpoint: "", seed: 1,
  reading: "integer", otherwise: "", execute: false, properties: true, naive: false, attempts: 0, maxCalls: 0, maxTokens: 0, maxMoney: 0, template: "", agent: usualAgent,
};

/**
 * The page's one state. It is read as a whole and changed only by the named
 * updates below, each of which says what happened rather than what to set.
 */
export class Store {
  #state: State;
  #listeners = new Set<(state: State) => void>();
  #numbers = 0;
  /** The last analysis by itself. */
  #analysed: Analysis | null = null;

  constructor(workspace: Workspace) {
    this.#state = {
      ...workspace,
      revision: 0, generation: 0, edited: false, cursor: 0, reveal: null,
      core: { status: "loading" }, analysis: null, checks: [], analysisFault: null,
      word: [], walk: null, walkFault: null, checked: [], gallery: [],
      settings: initialSettings, endpoints: [], keys: [], probes: {}, run: null, runs: [], interrupted: [], solver: null, defaults: null, panel: "automaton", narrow: false, theme: "system",
      saved: "no", toasts: [], banner: null, drafts: [],
    };
  }

  get state(): State {
    return this.#state;
  }

  /** Calls f after every change, until the returned function is called. */
  subscribe(f: (state: State) => void): () => void {
    this.#listeners.add(f);
    return () => this.#listeners.delete(f);
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const f of this.#listeners) f(this.#state);
  }

  // Texts.

  openedWorkspace(workspace: Workspace, edited = false): void {
    const { revision, generation } = this.#state;
    const { title, current, example } = workspace;
    this.#set({
      title, files: plainLines(workspace.files), current, example,
      revision: revision + 1, generation: generation + 1, edited, cursor: 0, reveal: null,
      analysis: null, checks: [], analysisFault: null, word: [], walk: null, walkFault: null, checked: [], run: null, runs: this.#state.runs.filter((run) => run.kind !== "compare" && run.kind !== "draft"), saved: "no",
    });
  }

  /** The rest of a workspace whose first file is shown already. */
  completedWorkspace(workspace: Workspace): void {
    const { title, files, example } = workspace;
    this.#set({ title, files: plainLines(files), example });
  }

  editedText(name: string, text: string): void {
    const { files, revision } = this.#state;
    if (files.some((f) => f.name === name && f.text === text)) return;
    this.#set({ files: files.map((f) => (f.name === name ? { name, text } : f)), revision: revision + 1, edited: true, saved: "no" });
  }

  openedFile(name: string): void {
    if (name === this.#state.current) return;
    this.#set({ current: name, revision: this.#state.revision + 1, analysis: null, analysisFault: null, word: [], walk: null, walkFault: null, cursor: 0 });
  }

  addedFile(file: File): void {
    const { files, revision } = this.#state;
    this.#set({ files: [...files, file], current: file.name, revision: revision + 1, edited: true, saved: "no", analysis: null, word: [], walk: null, walkFault: null });
  }

  /** Files as they are from now on, new ones among them; the one that is open stays open. */
  keptFiles(kept: readonly File[]): void {
    const { files, revision } = this.#state;
    const rest = kept.filter((k) => !files.some((f) => f.name === k.name));
    this.#set({ files: [...files.map((f) => kept.find((k) => k.name === f.name) ?? f), ...rest], revision: revision + 1, edited: true, saved: "no" });
  }

  renamedFile(name: string, to: string): void {
    const { files, current, revision } = this.#state;
    this.#set({ files: files.map((f) => (f.name === name ? { name: to, text: f.text } : f)), current: current === name ? to : current, revision: revision + 1, edited: true, saved: "no" });
  }

  removedFile(name: string): void {
    const { files, current, revision } = this.#state;
    const rest = files.filter((f) => f.name !== name);
    const first = rest[0];
    if (first === undefined) return;
    this.#set({
      files: rest, current: current === name ? first.name : current, revision: revision + 1, edited: true, saved: "no",
      ...(current === name && { analysis: null, word: [], walk: null, walkFault: null }),
    });
  }

  movedCursor(cursor: number): void {
    if (cursor !== this.#state.cursor) this.#set({ cursor });
  }

  wishedPlace(name: string, from: number, to: number): void {
    this.#set({ reveal: { name, from, to, count: ++this.#numbers }, ...(this.#state.narrow && { panel: "text" as const }) });
  }

  // What the core said.

  coreChanged(core: CoreStatus): void {
    this.#set({ core });
  }

  analyzed(analysis: Analysis): void {
    this.#analysed = analysis;
    this.#set({ analysis: withCheck(analysis, this.#state.files, this.#state.checks), analysisFault: null });
  }

  /** What was found in these files beyond their own text, and in no others. */
  checksArrived(checks: readonly Check[]): void {
    const { analysis, files } = this.#state;
    this.#set({ checks, ...(analysis !== null && this.#analysed !== null && { analysis: withCheck(this.#analysed, files, checks) }) });
  }

  analysisFailed(fault: Fault): void {
    this.#set({ analysisFault: fault });
  }

  steppedTo(word: readonly string[]): void {
    this.#set({ word });
  }

  walked(walk: Walk): void {
    this.#set({ walk, walkFault: null });
  }

  walkFailed(fault: Fault): void {
    this.#set({ walk: null, walkFault: fault });
  }

  checkedWords(checked: readonly CheckedWord[]): void {
    this.#set({ checked });
  }

  galleryArrived(gallery: readonly Example[]): void {
    this.#set({ gallery });
  }

  // Runs.

  settingsChanged(settings: Partial<RunSettings>): void {
    this.#set({ settings: { ...this.#state.settings, ...settings } });
  }

  defaultsArrived(defaults: RunDefaults): void {
    this.#set({ defaults });
  }

  /** The runs of this session are these now, and one of them is shown. */
  runsChanged(runs: readonly Run[], shown: number | undefined = this.#state.run?.number): void {
    this.#set({ runs, run: runs.find((run) => run.number === shown) ?? null });
  }

  solverAt(solver: SolverProgress): void {
    const { solver: before } = this.#state;
    // A hundred steps are enough to see it grow.
    const step = (p: SolverProgress): number => Math.floor((100 * p.loaded) / p.total);
    if (before?.solver !== solver.solver || before.state !== solver.state || step(before) !== step(solver)) this.#set({ solver });
  }

  interruptedFound(interrupted: readonly KeptRun[]): void {
    this.#set({ interrupted });
  }

  // Endpoints.

  endpointsChanged(endpoints: readonly Endpoint[]): void {
    const { settings } = this.#state;
    const gone = settings.model === "endpoint" && !endpoints.some((e) => e.name === settings.endpoint);
    this.#set({ endpoints, ...(gone && { settings: { ...settings, model: "uniform" as const } }) });
  }

  keysChanged(keys: readonly KeyNote[]): void {
    this.#set({ keys });
  }

  probeChanged(probe: Probe): void {
    this.#set({ probes: { ...this.#state.probes, [probe.endpoint]: probe } });
  }

  // The page itself.

  chosePanel(panel: Panel): void {
    this.#set({ panel });
  }

  narrowed(narrow: boolean): void {
    const { panel } = this.#state;
    this.#set({ narrow, panel: !narrow && panel === "text" ? "automaton" : panel });
  }

  choseTheme(theme: Theme): void {
    this.#set({ theme });
  }

  savingChanged(saved: State["saved"]): void {
    if (saved !== this.#state.saved) this.#set({ saved });
  }

  draftsArrived(drafts: readonly Draft[]): void {
    this.#set({ drafts });
  }

  keptDraft(draft: Draft): void {
    this.#set({ drafts: keptDrafts([draft, ...this.#state.drafts]) });
  }

  showedBanner(banner: Banner | null): void {
    this.#set({ banner });
  }

  showedToast(toast: Omit<Toast, "id">): number {
    const id = ++this.#numbers;
    this.#set({ toasts: [...this.#state.toasts.filter((t) => t.text !== toast.text), { ...toast, id }].slice(-3) });
    return id;
  }

  closedToast(id: number): void {
    this.#set({ toasts: this.#state.toasts.filter((t) => t.id !== id) });
  }
}

/** The files with every line break a line feed, which is how the editor counts them. */
function plainLines(files: readonly File[]): readonly File[] {
  return files.map((f) => (f.text.includes("\r") ? { name: f.name, text: f.text.replace(/\r\n?/g, "\n") } : f));
}

/** The drafts that stay: the newest, each text once, and all versions that have a name. */
export function keptDrafts(list: readonly Draft[]): readonly Draft[] {
  const all = [...list].sort((a, b) => b.savedAt - a.savedAt);
  const named = all.filter((d, i) => d.named === true && all.findIndex((o) => o.named === true && o.title === d.title && sameFiles(o.files, d.files)) === i).slice(0, MAX_VERSIONS);
  const plain = all.filter((d, i) => d.named !== true && all.findIndex((o) => o.named !== true && sameFiles(o.files, d.files)) === i && !named.some((n) => sameFiles(n.files, d.files))).slice(0, MAX_DRAFTS);
  return [...named, ...plain].sort((a, b) => b.savedAt - a.savedAt);
}

/** The time of a draft that comes after these, also where the clock was set back meanwhile: the newest stays. */
export function savedAfter(drafts: readonly Draft[], now: number): number {
  return Math.max(now, ...drafts.map((d) => d.savedAt + 1));
}

/** Reports whether two workspaces hold the same texts. */
export function sameFiles(a: readonly File[], b: readonly File[]): boolean {
  return a.length === b.length && a.every((f, i) => f.name === b[i]?.name && f.text === b[i]?.text);
}
