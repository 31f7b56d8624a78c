import { usualAgent } from "../run/agent-settings.js";
import { withCheck } from "./deferred-checks.js";
import { viewAt } from "./formula-view.js";
import type { Fault, SolverProgress } from "../core/core-protocol.js";
import { keptDrafts } from "./drafts.js";
import type { KeyNote } from "../models/api-keys.js";
import type { KeptRun } from "./unfinished-runs.js";
import type { RunSettings } from "../run/run-form.js";
import type {
  Analysis,
  Banner,
  Check,
  CheckedWord,
  CoreStatus,
  Draft,
  Endpoint,
  Example,
  Panel,
  Probe,
  Run,
  RunDefaults,
  State,
  TestResults,
  Theme,
  Toast,
  Walk,
  Workspace,
} from "./state.js";
import type { File } from "../core/wire.js";

const initialSettings: RunSettings = {
  task: "",
  model: "uniform",
  recorded: true,
  script: "",
  errorRate: 0.5,
  constrained: false,
  endpoint: "",
  seed: 1,
  reading: "integer",
  otherwise: "",
  execute: false,
  properties: true,
  rules: true,
  naive: false,
  consequences: false,
  attempts: 0,
  maxCalls: 0,
  maxTokens: 0,
  maxMoney: 0,
  template: "",
  agreed: [],
  agent: usualAgent,
};

/** The state while the open file is not analysed yet: earlier results belong to another file. */
const unknown = {
  analysis: null,
  picture: null,
  analysisFault: null,
  word: [],
  walk: null,
  walkFault: null,
  checked: [],
  cursor: 0,
  view: "",
};

/**
 * The page's single state. It is read as one object and changed only by the updates below, whose names
 * state the change.
 */
export class Store {
  #state: State;
  #listeners = new Set<(state: State) => void>();
  #numbers = 0;
  /** The last analysis without deferred checks. */
  #analysed: Analysis | null = null;

  constructor(workspace: Workspace) {
    this.#state = {
      ...workspace,
      ...unknown,
      revision: 0,
      generation: 0,
      edited: false,
      reveal: null,
      core: { status: "loading" },
      checks: [],
      tests: null,
      gallery: [],
      settings: initialSettings,
      endpoints: [],
      keys: [],
      probes: {},
      run: null,
      runs: [],
      interrupted: [],
      solver: null,
      defaults: null,
      panel: "automaton",
      narrow: false,
      theme: "system",
      saved: "no",
      toasts: [],
      banner: null,
      drafts: [],
    };
  }

  get state(): State {
    return this.#state;
  }

  /** Calls f after every change until the returned function is called. */
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
    const { revision, generation, settings } = this.#state;
    const { title, current, example } = workspace;
    this.#set({
      settings: { ...settings, agreed: [] },
      title,
      files: plainLines(workspace.files),
      current,
      example,
      ...unknown,
      revision: revision + 1,
      generation: generation + 1,
      edited,
      reveal: null,
      checks: [],
      tests: null,
      run: null,
      runs: this.#state.runs.filter((run) => run.kind !== "compare" && run.kind !== "draft"),
      saved: "no",
    });
  }

  /** Adds the other files of a workspace whose first file is already shown. */
  completedWorkspace(workspace: Workspace): void {
    const { title, files, example } = workspace;
    this.#set({ title, files: plainLines(files), example });
  }

  editedText(name: string, text: string): void {
    const { files, revision } = this.#state;
    if (files.some((f) => f.name === name && f.text === text)) return;
    this.#set({
      files: files.map((f) => (f.name === name ? { name, text } : f)),
      revision: revision + 1,
      edited: true,
      saved: "no",
    });
  }

  openedFile(name: string): void {
    if (name === this.#state.current) return;
    this.#set({ ...unknown, current: name, revision: this.#state.revision + 1 });
  }

  addedFile(file: File): void {
    const { files, revision } = this.#state;
    this.#set({
      ...unknown,
      files: [...files, file],
      current: file.name,
      revision: revision + 1,
      edited: true,
      saved: "no",
    });
  }

  /** Adds or replaces files; the open file stays open. */
  keptFiles(kept: readonly File[]): void {
    const { files, revision } = this.#state;
    const rest = kept.filter((k) => !files.some((f) => f.name === k.name));
    this.#set({
      files: [...files.map((f) => kept.find((k) => k.name === f.name) ?? f), ...rest],
      revision: revision + 1,
      edited: true,
      saved: "no",
    });
  }

  renamedFile(name: string, to: string): void {
    const { files, current, revision } = this.#state;
    this.#set({
      ...(current === name && unknown),
      files: files.map((f) => (f.name === name ? { name: to, text: f.text } : f)),
      current: current === name ? to : current,
      revision: revision + 1,
      edited: true,
      saved: "no",
    });
  }

  removedFile(name: string): void {
    const { files, current, revision } = this.#state;
    const rest = files.filter((f) => f.name !== name);
    const first = rest[0];
    if (first === undefined) return;
    this.#set({
      ...(current === name && unknown),
      files: rest,
      current: current === name ? first.name : current,
      revision: revision + 1,
      edited: true,
      saved: "no",
    });
  }

  movedCursor(cursor: number): void {
    if (cursor !== this.#state.cursor) this.#set({ cursor, view: viewAt({ ...this.#state, cursor }) });
  }

  choseView(view: string): void {
    this.#set({ view });
  }

  requestedPlace(name: string, from: number, to: number): void {
    this.#set({
      reveal: { name, from, to, count: ++this.#numbers },
      ...(this.#state.narrow && { panel: "text" as const }),
    });
  }

  // Core.

  coreChanged(core: CoreStatus): void {
    this.#set({ core });
  }

  analyzed(analysis: Analysis): void {
    this.#analysed = analysis;
    const { drawing, diagnostics } = analysis.result;
    const picture = drawing ?? (diagnostics.some((d) => d.severity === "error") ? this.#state.picture : null);
    const view = viewAt({ ...this.#state, analysis });
    this.#set({
      analysis: withCheck(analysis, this.#state.files, this.#state.checks),
      picture,
      analysisFault: null,
      view,
    });
  }

  /** Replaces the deferred checks with those of these files. */
  checksArrived(checks: readonly Check[]): void {
    const { analysis, files } = this.#state;
    this.#set({
      checks,
      ...(analysis !== null && this.#analysed !== null && { analysis: withCheck(this.#analysed, files, checks) }),
    });
  }

  /** Records that the analysis of the current text failed, so that earlier results are not shown for it. */
  analysisFailed(fault: Fault): void {
    this.#set({ analysisFault: fault, analysis: null, walk: null, walkFault: null, checked: [] });
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

  testsArrived(tests: TestResults | null): void {
    this.#set({ tests });
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

  /** Sets the runs of this session, and the shown one. */
  runsChanged(runs: readonly Run[], shown: number | undefined = this.#state.run?.number): void {
    this.#set({ runs, run: runs.find((run) => run.number === shown) ?? null });
  }

  solverAt(solver: SolverProgress): void {
    const { solver: before } = this.#state;
    // A hundred steps are enough for a progress bar.
    const step = (p: SolverProgress): number => Math.floor((100 * p.loaded) / p.total);
    if (before?.solver !== solver.solver || before.state !== solver.state || step(before) !== step(solver))
      this.#set({ solver });
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

/** Returns the files with line feeds as line breaks, as the editor counts them. */
function plainLines(files: readonly File[]): readonly File[] {
  return files.map((f) => (f.text.includes("\r") ? { name: f.name, text: f.text.replace(/\r\n?/g, "\n") } : f));
}
