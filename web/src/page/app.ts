import { html, nothing } from "lit";
import { readAssets } from "../core/assets.js";
import { type EditorKeys, editorKeysOf } from "../edit/editor-keys.js";
import { whenIdle } from "../ui/when-idle.js";
import {
  iconAuto,
  iconDown,
  iconDraft,
  iconFormat,
  iconGraph,
  iconHelp,
  iconManual,
  iconMoon,
  iconOpen,
  iconPlus,
  iconSave,
  iconShare,
  iconSun,
  iconTable,
  mark,
} from "../ui/icons.js";
import { pictureOf } from "../draw/diagram-state.js";
import { isRead, type View, viewOf, viewSwitch } from "../draw/views.js";
import { Playground } from "../store/playground.js";
import { viewsOf } from "../store/formula-view.js";
import { hasSteps, isSolved, shownKinds, notationOf } from "../store/file-kind.js";
import type { Panel, Place, State, Theme } from "../store/state.js";
import * as storage from "../store/storage.js";
import { Store } from "../store/store.js";
import type { DrawingWholeResult, Edit, File } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import { messageOf } from "../store/faults.js";
import "../ui/dialog.js";
import "../draw/drawing.js";
import type { TextPlace } from "../draw/drawing.js";
import "../edit/editor.js";
import type { StileEditor, TextEdited } from "../edit/editor.js";
import "../edit/files.js";
import type { Renaming } from "../edit/files.js";
import type { DeferredPanels } from "./deferred-panels.js";
import { type First, readFirst } from "./first-response.js";
import { closeWelcome, isWelcome, welcome } from "./welcome.js";
import { LightElement, state } from "../ui/light-element.js";
import "../edit/problems.js";
import "../ui/separator.js";
import "../draw/stepper.js";
import type { NewTest } from "../tests/request-test.js";
import type { TestWord } from "../tests/tests-panel.js";
import "../ui/tabs.js";
import type { Tab } from "../ui/tabs.js";

/** Below this width the page has one column. */
const NARROW = "(max-width: 52rem)";

/** The deferred tabs, in order. */
const tabParts = ["run", "trace", "verify", "lab", "export"] as const;

/** The dialogs with their titles, and whether they are narrow. The title of a benchmark's dialog is its name. */
const windows = [
  ["new", "New"],
  ["gallery", "Examples"],
  ["bench"],
  ["share", "Share", true],
  ["endpoints", "Endpoints"],
  ["draft", "Draft from a description"],
  ["manual", "Manual"],
  ["help", "Help", true],
  ["import", "Import a grammar or policies"],
] as const;

/** A deferred tab or dialog. */
export type Part = (typeof tabParts)[number] | (typeof windows)[number][0];

const themes: readonly Theme[] = ["system", "light", "dark"];

/** The page: bars, panes and dialogs. Each part receives its data from the store. */
export class StileApp extends LightElement {
  @state state: State;
  @state dialog: "" | Part = "";
  @state keys: EditorKeys = editorKeysOf(storage.recallPlain("keys"));
  @state asTable = false;
  /** The file to import. */
  @state importing: File | null = null;
  /** The chosen view of the spec. */
  @state view: View | null = null;
  @state treeShown = false;
  /** Whether the introduction is closed, or was not shown. */
  @state welcomed = !isWelcome();
  /** The deferred panels, once loaded. */
  @state deferred: DeferredPanels | null = null;

  readonly #first: First;
  readonly store: Store;
  readonly playground: Playground;
  #opened: Panel | Part = "automaton";
  #under: "" | "draft" = "";
  /** Whether the panel of tests is loaded. */
  #tested = false;
  /** Whether the room of rules is loaded. */
  #roomed = false;

  constructor() {
    super();
    this.#first = readFirst(this);
    this.store = new Store(this.#first.workspace);
    this.playground = new Playground(this.store, readAssets());
    this.state = this.store.state;
    this.store.subscribe((state) => (this.state = state));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const narrow = matchMedia(NARROW);
    this.store.narrowed(narrow.matches);
    narrow.addEventListener("change", () => this.store.narrowed(narrow.matches));
    this.#chooseTheme(storage.recallTheme());
    document.addEventListener("keydown", this.#key);
    this.addEventListener("dragover", (event) => event.preventDefault());
    this.addEventListener("drop", this.#drop);
    this.addEventListener("test-requested", (event) => this.playground.addTest((event as CustomEvent<NewTest>).detail));
    const { workspace, edited } = this.#first;
    if (edited) this.store.editedText(workspace.current, workspace.files[0]?.text ?? "");
    void this.playground.start();
    whenIdle(
      () =>
        void import("../ui/focus-guard.js").then(
          ({ guardFocus }) => guardFocus(this),
          () => {},
        ),
    );
  }

  protected override updated(): void {
    if (this.state.tests !== null && !this.#tested) {
      this.#tested = true;
      this.playground.part(() => import("../tests/tests-panel.js")).catch(() => (this.#tested = false));
    }
    if (!this.#roomed && notationOf(this.state.current) === "rules") {
      this.#roomed = true;
      this.playground.part(() => import("../rules/rules-room.js")).catch(() => (this.#roomed = false));
    }
    // A deferred panel is loaded when it is first opened.
    const wanted = this.dialog === "" ? this.state.panel : this.dialog;
    if (wanted === this.#opened) return;
    this.#opened = wanted;
    if (wanted !== "automaton" && wanted !== "text") this.#fetch(wanted).catch(() => {});
  }

  protected override render(): unknown {
    const { state } = this;
    return html` ${this.#header(state)} ${this.#banner(state)}
      ${this.welcomed || state.generation > 0 ? nothing : welcome(state.narrow, this.#welcomed)}
      <main class="panes ${state.narrow ? "narrow" : ""}" data-panel=${state.panel}>
        ${state.narrow ? this.#tabs(state) : nothing}
        <section
          class="pane text-pane"
          id="panel-text"
          aria-label="Text"
          ?hidden=${state.narrow && state.panel !== "text"}
        >
          ${this.#text(state)}
        </section>
        ${state.narrow ? nothing : html`<stile-separator name="split" label="Width of the text" orientation="vertical" .value=${42}></stile-separator>`}
        <section class="pane work-pane" aria-label="Workspace" ?hidden=${state.narrow && state.panel === "text"}>
          ${state.narrow ? nothing : this.#tabs(state)}
          <div
            class="panel"
            id="panel-automaton"
            role="tabpanel"
            aria-labelledby="tab-panel-automaton-automaton"
            ?hidden=${state.panel !== "automaton"}
          >
            ${this.#automaton(state)}
          </div>
          ${tabParts.map((part) => html`<div class="panel scroll" id="panel-${part}" role="tabpanel" aria-labelledby="tab-panel-${part}-${part}" tabindex="-1" ?hidden=${state.panel !== part}>${this.deferred?.render(part, state)}</div>`)}
        </section>
      </main>
      <div class="toasts" role="status">${state.toasts.map((t) => html`<p class="toast ${t.tone}">${t.text}</p>`)}</div>
      ${windows.map(([part, label, plain]) => html`<stile-dialog class=${plain === true ? "" : "wide"} .label=${label ?? this.deferred?.bench} .shown=${this.dialog === part} @dialog-closed=${() => this.close(part)} .body=${this.deferred?.render(part, state)}></stile-dialog>`)}
      <input class="file-input" type="file" multiple hidden @change=${this.#filesChosen} />`;
  }

  // Bars.

  #header(state: State): unknown {
    const theme = { system: ["follows the system", iconAuto], light: ["light", iconSun], dark: ["dark", iconMoon] }[
      state.theme
    ];
    return html` <header class="bar">
      <a class="brand" href="./" aria-label="Stile"
        >${mark}
        <h1>Stile</h1></a
      >
      <button class="button examples" type="button" aria-haspopup="dialog" @click=${() => (this.dialog = "gallery")}>
        <span class="title">${state.title}</span>${iconDown}<span class="visually-hidden">, choose an example</span>
      </button>
      <div class="row bar-tools">
        <button
          class="button"
          type="button"
          title="New workspace"
          aria-haspopup="dialog"
          @click=${() => (this.dialog = "new")}
        >
          ${iconPlus}<span>New</span>
        </button>
        <button class="button" type="button" title="Open files" @click=${this.#openFiles}>
          ${iconOpen}<span>Open</span>
        </button>
        <button
          class="button"
          type="button"
          title="Save the workspace as a file"
          @click=${() => void this.playground.saveArchive()}
        >
          ${iconSave}<span>Save</span>
        </button>
        <button class="button primary" type="button" aria-haspopup="dialog" @click=${() => (this.dialog = "share")}>
          ${iconShare}<span>Share</span>
        </button>
        <button
          class="icon-button"
          type="button"
          title="Colours: ${theme?.[0]}"
          aria-label="Colours: ${theme?.[0]}; change"
          @click=${this.#nextTheme}
        >
          ${theme?.[1]}
        </button>
        <button
          class="icon-button"
          type="button"
          title="Help"
          aria-label="Help"
          aria-haspopup="dialog"
          @click=${() => (this.dialog = "help")}
        >
          ${iconHelp}
        </button>
      </div>
    </header>`;
  }

  #banner({ banner }: State): unknown {
    if (banner === null) return nothing;
    return html` <div class="banner ${banner.tone}" role=${banner.tone === "bad" ? "alert" : "status"}>
      <p>${banner.text}</p>
      ${banner.actions?.map(({ label, act }) => html`<button class="button small" type="button" @click=${act}>${label}</button>`)}
      <button class="button small" type="button" @click=${() => this.store.showedBanner(null)}>Close</button>
    </div>`;
  }

  #tabs(state: State): unknown {
    const errors = state.analysis?.result.diagnostics.filter((d) => d.severity === "error").length ?? 0;
    const tabs: Tab[] = [
      ...(state.narrow
        ? [
            {
              id: "text",
              label: "Text",
              panel: "panel-text",
              ...(errors > 0 && { badge: String(errors), tone: "error" as const }),
            },
          ]
        : []),
      { id: "automaton", label: "Automaton", panel: "panel-automaton" },
      {
        id: "run",
        label: "Run",
        panel: "panel-run",
        ...(state.interrupted.some((run) => shownKinds.some((kind) => kind === run.kind)) && {
          badge: "!",
          tone: "warning" as const,
        }),
      },
      { id: "trace", label: "Trace", panel: "panel-trace" },
      { id: "verify", label: "Verify", panel: "panel-verify" },
      { id: "lab", label: "Lab", panel: "panel-lab" },
      { id: "export", label: "Export", panel: "panel-export" },
    ];
    return html`<stile-tabs
      class="panel-tabs"
      .tabs=${tabs}
      .chosen=${state.panel}
      .label=${"Main view"}
      @tab-chosen=${(e: CustomEvent<Panel>) => this.store.chosePanel(e.detail)}
    ></stile-tabs>`;
  }

  // Panes.

  #text(state: State): unknown {
    const text = state.files.find((f) => f.name === state.current)?.text ?? "";
    const reading = state.analysisFault === null && state.analysis?.revision !== state.revision;
    return html` <div class="pane-bar">
        <stile-files
          .files=${state.files}
          .current=${state.current}
          .panel=${"editor"}
          @file-chosen=${(e: CustomEvent<string>) => this.store.openedFile(e.detail)}
          @file-renamed=${this.#renamed}
          @file-removed=${(e: CustomEvent<string>) => this.playground.removeFile(e.detail)}
          @file-requested=${this.#addFile}
        ></stile-files>
        <button
          class="icon-button small"
          type="button"
          title="Draft from a description"
          aria-label="Draft from a description"
          aria-haspopup="dialog"
          @click=${() => void this.openDeferred("draft")}
        >
          ${iconDraft}
        </button>
        <button
          class="icon-button small"
          type="button"
          title="Import GBNF, Lark, EBNF or HOA"
          aria-label="Import a grammar or policies of another tool"
          aria-haspopup="dialog"
          @click=${() => void this.openDeferred("import")}
        >
          ${iconOpen}
        </button>
        <button
          class="icon-button small"
          type="button"
          title="Manual of the notation (F1)"
          aria-label="Manual of the notation"
          aria-haspopup="dialog"
          @click=${() => void this.openDeferred("manual")}
        >
          ${iconManual}
        </button>
        <button
          class="icon-button small"
          type="button"
          title="Format (Shift Alt F)"
          aria-label="Format the text"
          ?disabled=${notationOf(state.current) === null}
          @click=${() => void this.playground.format()}
        >
          ${iconFormat}
        </button>
      </div>
      ${/^untitled[\w-]*\./.test(state.current) && this.playground.isNew(state.current) ? html`<stile-new-file .name=${state.current} @file-renamed=${this.#renamed}></stile-new-file>` : nothing}
      <stile-editor
        id="editor"
        role="tabpanel"
        aria-label="Text of ${state.current}"
        .name=${state.current}
        .text=${text}
        .generation=${state.generation}
        .revision=${state.revision}
        .analysis=${state.analysis}
        .keys=${this.keys}
        .reveal=${state.reveal}
        .service=${notationOf(state.current) === null || notationOf(state.current) === "problem" ? null : this.playground.language}
        .wrap=${notationOf(state.current) === null || notationOf(state.current) === "problem" || state.narrow}
        @text-edited=${(e: CustomEvent<TextEdited>) => this.store.editedText(e.detail.name, e.detail.text)}
        @cursor-moved=${(e: CustomEvent<number>) => this.playground.moveCursor(e.detail)}
        @keys-missing=${() => this.playground.toast("The chosen key bindings did not load; the editor keeps the default ones.", "bad")}
        @format-request=${() => void this.playground.format()}
      ></stile-editor>
      <stile-problems
        class=${reading ? "old" : ""}
        .analysis=${state.analysis}
        .fault=${state.analysisFault}
        .core=${state.core}
        .saved=${state.saved}
        .tests=${state.tests}
        .reading=${reading}
        @tests-requested=${this.#showTests}
        @place-requested=${this.#placeRequested}
        @fix-requested=${this.#fixRequested}
        @retry-requested=${() => this.playground.retryCore()}
        @save-requested=${() => void this.playground.saveArchive()}
      ></stile-problems>`;
  }

  #automaton(state: State): unknown {
    const notation = notationOf(state.current);
    if (notation === null)
      return html`<p class="empty">
        Notes have no automaton. Choose a file that ends in <code>.cfg</code>, <code>.pda</code>, <code>.flow</code>,
        <code>.ltl</code>, <code>.agent</code> or <code>.team</code>.
      </p>`;
    if (notation === "tests") return html`<div class="scroll tests-pane">${this.#tests(state)}</div>`;
    const result = state.analysis?.result;
    const { drawing, old, note, broken, stale, fault } = pictureOf(state);
    const shapeless = fault?.code === "rules.data"; // the drawing is that of another rule
    const none = shapeless || (drawing === null && (result !== undefined || fault !== null));
    const solved = isSolved(state.current);
    const tree = this.treeShown && !old ? state.walk?.result.treeDrawing : undefined;
    const view = viewOf(notation, this.view);
    const unstepped = !hasSteps(state.current) || view === "events";
    const rules = notation === "rules";
    return html` <div class="automaton ${unstepped ? "alone" : ""}">
      ${viewSwitch(notation, view, this.chooseView)}
      ${rules ? html`<div class="scroll tests-pane" ?hidden=${view !== "events"}>${this.#room(state)}${this.#tests(state)}</div>` : nothing}
      ${isRead(view) ? html`<div class="drawing-pane">${this.#reading(state, view, broken)}</div>` : nothing}
      <div class="drawing-pane" ?hidden=${view !== "automaton"}>
        ${none ? html`<p class="empty">${fault !== null ? sentence(fault.message) : broken ? "Fix the errors to see the diagram." : solved ? `This file has no drawing; the ${notation === "experiment" ? "Lab tab runs it" : "Run tab solves it"}.` : "No drawing yet."}</p>` : nothing}
        ${shapeless ? this.#rulesList(state) : nothing}
        <stile-drawing
          class="main-drawing"
          ?hidden=${none}
          .drawing=${tree ?? drawing}
          .old=${old}
          .note=${note}
          .layouts=${this.playground.layouts}
          .slotName=${"automaton"}
          .active=${tree !== undefined ? [] : solved ? working(state) : (state.walk?.result.active ?? [])}
          .cursor=${state.cursor}
          .first=${this.#first.drawing}
          .asTable=${this.asTable}
          .of=${state.generation + state.current}
          .explore=${this.#explore}
          .view=${state.view}
          .views=${tree === undefined ? viewsOf(state) : []}
          @view-chosen=${(e: CustomEvent<string>) => this.playground.chooseView(e.detail)}
          @place-requested=${this.#placeRequested}
        ></stile-drawing>
        <button
          class="icon-button table-toggle"
          type="button"
          aria-pressed=${this.asTable}
          title=${this.asTable ? "Show as a drawing" : "Show as a table"}
          aria-label="Show as a table"
          @click=${() => (this.asTable = !this.asTable)}
        >
          ${this.asTable ? iconGraph : iconTable}
        </button>
      </div>
      ${
        unstepped
          ? nothing
          : html` <stile-separator
                name="drawing"
                label="Height of the drawing"
                orientation="horizontal"
                .value=${58}
              ></stile-separator>
              <div class="scroll stepper-pane">
                <stile-stepper
                  class=${stale && !broken ? "old" : ""}
                  .word=${state.word}
                  .walk=${state.walk}
                  .fault=${fault}
                  .notation=${notation}
                  .broken=${broken}
                  .labels=${result?.symbols ?? []}
                  .checked=${state.checked}
                  .keeps=${!rules}
                  .treeShown=${this.treeShown}
                  @word-kept=${() => this.playground.addTest({ spec: state.current, form: "word", word: state.word })}
                  @word-changed=${(e: CustomEvent<readonly string[]>) => this.playground.step(e.detail)}
                  @tree-requested=${(e: CustomEvent<boolean>) => (this.treeShown = e.detail)}
                ></stile-stepper>
                ${rules ? nothing : this.#tests(state)}
              </div>`
      }
    </div>`;
  }

  /** The rules of a file, where the chosen one has no drawing that could list them. */
  #rulesList(state: State): unknown {
    return html`<label class="field inline rules-list"
      ><span>Rule</span
      ><select @change=${(e: Event) => this.playground.chooseView((e.target as HTMLSelectElement).value)}>
        ${viewsOf(state).map(({ id, title }) => html`<option value=${id} ?selected=${id === state.view}>${title}</option>`)}
      </select></label
    >`;
  }

  #room({ current, files, tests, run }: State): unknown {
    return html`<stile-rules-room
      .name=${current}
      .text=${files.find((f) => f.name === current)?.text ?? ""}
      .files=${files}
      .tests=${tests}
      .run=${run}
      .core=${this.playground.core}
      .playground=${this.playground}
      @place-request=${(e: CustomEvent<Omit<Place, "count">>) => this.playground.show(e.detail)}
    ></stile-rules-room>`;
  }

  #tests({ tests, current, cursor, revision }: State): unknown {
    if (tests === null) return nothing;
    return html`<stile-tests
      .result=${tests}
      .current=${current}
      .cursor=${cursor}
      .old=${tests.revision !== revision}
      @word-requested=${(e: CustomEvent<TestWord>) => this.playground.stepThrough(e.detail.spec, e.detail.word)}
      @place-requested=${(e: CustomEvent<Omit<Place, "count">>) => this.playground.show(e.detail)}
    ></stile-tests>`;
  }

  #reading({ files, current, cursor, generation, view: formula }: State, view: View, broken: boolean): unknown {
    const { core, layouts } = this.playground;
    return html`<stile-reading
      .view=${view}
      .name=${current}
      .text=${files.find((f) => f.name === current)?.text ?? ""}
      .files=${files}
      .formula=${formula}
      .cursor=${cursor}
      .broken=${broken}
      .generation=${generation}
      .core=${core}
      .layouts=${layouts}
      @place-requested=${this.#placeRequested}
      @word-requested=${(e: CustomEvent<readonly string[]>) => this.playground.step(e.detail)}
    ></stile-reading>`;
  }

  // Handlers.

  chooseView = (view: View): void => {
    this.view = view;
    if (isRead(view)) void this.playground.part(() => import("../read/reading.js")).catch(() => {});
  };

  /** Loads the code of a tab or a dialog. */
  async #fetch(part: Part): Promise<void> {
    await this.playground.part(async () => {
      const { DeferredPanels } = await import("./deferred-panels.js");
      const panels = this.deferred ?? new DeferredPanels(this);
      await Promise.all([panels.arrive(part), (this.deferred = panels)]);
    });
  }

  /** Opens a dialog after its code is loaded. */
  async openDeferred(part: Part): Promise<void> {
    try {
      await this.#fetch(part);
      // Closing the endpoints dialog reopens the dialog below it.
      this.#under = part === "endpoints" && this.dialog === "draft" ? "draft" : "";
      this.dialog = part;
    } catch {
      // The failure is already reported.
    }
  }

  /** Closes a dialog, unless another has replaced it. */
  close(part: Part): void {
    if (this.dialog !== part) return;
    this.dialog = this.#under;
    this.#under = "";
  }

  /** Shows the first test case that does not pass, or all cases if all pass. */
  #showTests = (): void => {
    const wrong = this.state.tests?.cases.find((c) => c.status !== "pass");
    if (wrong === undefined) this.store.chosePanel("automaton");
    else this.playground.show({ name: wrong.file, from: wrong.atFrom, to: wrong.atTo });
  };

  #explore = (view: string): Promise<DrawingWholeResult> => this.playground.whole(view);

  #placeRequested = (event: CustomEvent<TextPlace>): void => {
    this.store.requestedPlace(this.state.current, event.detail.from, event.detail.to);
  };

  #fixRequested = (event: CustomEvent<readonly Edit[]>): void => {
    this.querySelector<StileEditor>("stile-editor")?.fix(event.detail);
  };

  /** Inserts a text at the cursor, or opens it as a file. */
  insert(text: string, name: string): void {
    if (name === "") {
      const { cursor } = this.state;
      this.querySelector<StileEditor>("stile-editor")?.fix([{ from: cursor, to: cursor, text }]);
    } else this.playground.addExample(name, text);
  }

  #renamed = (event: CustomEvent<Renaming>): void => {
    const why = this.playground.renameFile(event.detail.name, event.detail.to);
    if (why !== null) this.playground.toast(why, "bad");
  };

  #welcomed = (action: "run" | "step" | "new" | "close"): void => {
    this.welcomed = true;
    closeWelcome();
    if (action === "new") this.dialog = "new";
    if (action === "step") {
      this.store.chosePanel("automaton");
      void this.updateComplete.then(() => this.querySelector<HTMLElement>("stile-stepper button")?.focus());
    }
    if (action !== "run") return;
    this.store.chosePanel("run");
    this.playground.doRun({ command: "start", pace: "run" });
  };

  #addFile = (): void => {
    this.welcomed = true;
    this.playground.addFile();
    void this.playground.newTexts().catch(() => {});
    void this.playground.part(() => import("../edit/new-file.js")).catch(() => {});
  };

  #openFiles = (): void => this.querySelector<HTMLInputElement>(".file-input")?.click();

  #filesChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    void this.#open([...(input.files ?? [])]).then(() => (input.value = ""));
  };

  /** Opens files. A file in the notation of another tool is imported. */
  async #open(files: readonly globalThis.File[]): Promise<void> {
    const [only] = files;
    if (files.length > 1 || only === undefined || !/\.(gbnf|lark|ebnf|hoa|cedar|dw)$/i.test(only.name))
      return this.playground.openFiles(files);
    this.importing = { name: only.name, text: await only.text() };
    await this.openDeferred("import");
  }

  #drop = (event: DragEvent): void => {
    const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
    if (entries.some((entry) => entry?.isDirectory === true)) {
      event.preventDefault();
      void this.playground
        .part(() => import("../store/folder-files.js"))
        .then(({ folderFiles }) => folderFiles(entries))
        .then((files) => this.#open(files))
        .catch((reason: unknown) => this.playground.toast(messageOf(reason), "bad"));
      return;
    }
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#open(files);
  };

  #key = (event: KeyboardEvent): void => {
    if (event.key === "F1") {
      event.preventDefault();
      void this.openDeferred("manual");
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.store.chosePanel("run");
      this.playground.doRun({ command: "start", pace: "run" });
    } else if (event.key === "s") {
      event.preventDefault();
      this.playground.toast("Every change is saved on this device automatically.");
    }
  };

  chooseKeys = (event: CustomEvent<string>): void => {
    this.keys = editorKeysOf(event.detail);
    storage.rememberPlain("keys", this.keys);
  };

  #nextTheme = (): void => {
    this.#chooseTheme(themes[(themes.indexOf(this.state.theme) + 1) % themes.length] ?? "system");
  };

  #chooseTheme(theme: Theme): void {
    this.store.choseTheme(theme);
    storage.rememberPlain("theme", theme);
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }
}

/** Returns the active stages of a problem. */
function working({ run }: State): readonly string[] {
  return [...(run?.timeline.formulate?.stages ?? [])].flatMap(([stage, { state }]) =>
    state === "running" ? [stage] : [],
  );
}

customElements.define("stile-app", StileApp);
