import type { Fault, RunState } from "./core-protocol.js";
import { advance, emptyTimeline, type Timeline } from "./timeline.js";
import type { DocumentAnalyzeResult, Effect, File, RunLog, StepWalkResult } from "./wire.js";

/** What a tab of the page shows. "text" is a tab of its own only where there is one column. */
export type Panel = "text" | "automaton" | "run";

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

export interface Run {
  readonly number: number;
  readonly kind: "plan" | "monitor";
  readonly name: string;
  readonly state: RunState;
  readonly timeline: Timeline;
  readonly questions: readonly Effect[];
  readonly fault?: Fault;
  readonly log?: RunLog;
  readonly replay: boolean;
}

export type ModelKind = "uniform" | "first" | "scripted" | "rambler" | "person" | "endpoint";

/** What the Run tab asks for. The endpoint's key is not here, so that it cannot get into a draft or a link. */
export interface RunSettings {
  readonly task: string;
  readonly model: ModelKind;
  readonly script: string;
  readonly errorRate: number;
  readonly url: string;
  readonly modelName: string;
  readonly seed: number;
  readonly forced: boolean;
  readonly environment: "simulated" | "person";
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
  readonly analysisFault: Fault | null;
  readonly word: readonly string[];
  readonly walk: Walk | null;
  readonly walkFault: Fault | null;
  readonly checked: readonly CheckedWord[];
  readonly gallery: readonly Example[];
  readonly settings: RunSettings;
  readonly run: Run | null;
  readonly panel: Panel;
  readonly narrow: boolean;
  readonly theme: Theme;
  readonly saved: "no" | "saving" | "yes" | "failed";
  readonly toasts: readonly Toast[];
  readonly banner: Banner | null;
  readonly drafts: readonly Draft[];
}

/** How many drafts are kept beside the one being edited. */
const MAX_DRAFTS = 12;

const initialSettings: RunSettings = {
  task: "", model: "uniform", script: "", errorRate: 0.5, url: "http://localhost:11434/v1", modelName: "", seed: 1, forced: false, environment: "simulated",
};

/**
 * The page's one state. It is read as a whole and changed only by the named
 * updates below, each of which says what happened rather than what to set.
 */
export class Store {
  #state: State;
  #listeners = new Set<(state: State) => void>();
  #numbers = 0;

  constructor(workspace: Workspace) {
    this.#state = {
      ...workspace,
      revision: 0, generation: 0, edited: false, cursor: 0, reveal: null,
      core: { status: "loading" }, analysis: null, analysisFault: null,
      word: [], walk: null, walkFault: null, checked: [], gallery: [],
      settings: initialSettings, run: null, panel: "automaton", narrow: false, theme: "system",
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
      analysis: null, analysisFault: null, word: [], walk: null, walkFault: null, checked: [], run: null, saved: "no",
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
    this.#set({ analysis, analysisFault: null });
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

  runStarted(number: number, kind: Run["kind"], name: string, replay: boolean): void {
    this.#set({ run: { number, kind, name, state: "working", timeline: emptyTimeline, questions: [], replay } });
  }

  runAdvanced(number: number, update: { state: RunState; events: readonly unknown[]; questions: readonly Effect[]; dropped: readonly string[]; fault?: Fault; log?: RunLog }): void {
    const { run } = this.#state;
    if (run?.number !== number) return;
    const over = update.state === "done" || update.state === "failed" || update.state === "cancelled";
    const open = over ? [] : [...run.questions.filter((q) => !update.dropped.includes(q.id)), ...update.questions];
    this.#set({
      run: {
        ...run, state: update.state, timeline: advance(run.timeline, update.events), questions: open,
        ...(update.fault && { fault: update.fault }), ...(update.log && { log: update.log }),
      },
    });
  }

  answeredQuestion(effect: string): void {
    const { run } = this.#state;
    if (run !== null) this.#set({ run: { ...run, questions: run.questions.filter((q) => q.id !== effect) } });
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
    const others = this.#state.drafts.filter((d) => !sameFiles(d.files, draft.files));
    this.#set({ drafts: [draft, ...others].slice(0, MAX_DRAFTS) });
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

/** Reports whether two workspaces hold the same texts. */
export function sameFiles(a: readonly File[], b: readonly File[]): boolean {
  return a.length === b.length && a.every((f, i) => f.name === b[i]?.name && f.text === b[i]?.text);
}
