import { html, nothing } from "lit";
import { readAssets } from "../assets.js";
import { sameFiles } from "../drafts.js";
import { type EditorKeys, editorKeysOf } from "../editor-keys.js";
import { endpointOf, type EndpointWish, type Price } from "../endpoints.js";
import { whenIdle } from "../idle.js";
import { iconAuto, iconDown, iconDraft, iconFormat, iconGraph, iconHelp, iconMoon, iconOpen, iconSave, iconShare, iconSun, iconTable, mark } from "../icons.js";
import { Playground } from "../playground.js";
import type { RunSettings } from "../run-form.js";
import type { BenchmarkWish, RunWish } from "../run-wish.js";
import { isBroken, isSolved, runTarget, shownKinds, thing } from "../spec.js";
import type { Draft, Panel, Place, State, Theme, Workspace } from "../state.js";
import * as storage from "../storage.js";
import { Store } from "../store.js";
import type { Task } from "../tasks.js";
import type { DocumentAnalyzeResult, DrawingWholeResult, Edit, File, PlanCheckResult, TeamDefaultsResult, TeamGraph, TeamGraphResult } from "../wire.js";
import "./dialog.js";
import type { Accepted } from "./draft.js";
import "./drawing.js";
import type { TextPlace } from "./drawing.js";
import "./editor.js";
import type { StileEditor, TextEdited } from "./editor.js";
import "./files.js";
import type { Renaming } from "./files.js";
import type { ExampleChoice } from "./gallery.js";
import { LightElement } from "./light-element.js";
import "./problems.js";
import "./separator.js";
import "./stepper.js";
import "./tabs.js";
import type { Tab } from "./tabs.js";

/** Below this width there is one column. */
const NARROW = "(max-width: 52rem)";

const themes: readonly Theme[] = ["system", "light", "dark"];

/** What the first response shows already, and a person may have changed by now. */
interface First {
  readonly workspace: Workspace;
  readonly edited: boolean;
  readonly drawing: SVGElement | null;
}

/** The page: bars, panes and windows, each part given what it shows of the store. */
export class StileApp extends LightElement {
  static override properties = { state: { state: true }, dialog: { state: true }, keys: { state: true }, asTable: { state: true }, treeShown: { state: true } };
  declare state: State;
  declare dialog: "" | "gallery" | "share" | "help" | "endpoints" | "draft" | "bench";
  declare keys: EditorKeys;
  declare asTable: boolean;
  declare treeShown: boolean;

  readonly #first: First;
  readonly #store: Store;
  readonly #playground: Playground;
  #opened: Panel = "automaton";
  #under: "" | "draft" = "";
  /** The benchmark whose window is open. */
  #bench = "";

  constructor() {
    super();
    this.#first = readFirst(this);
    this.#store = new Store(this.#first.workspace);
    this.#playground = new Playground(this.#store, readAssets());
    this.state = this.#store.state;
    this.dialog = "";
    this.keys = editorKeysOf(storage.recallPlain("keys"));
    this.asTable = false;
    this.treeShown = false;
    this.#store.subscribe((state) => (this.state = state));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const narrow = matchMedia(NARROW);
    this.#store.narrowed(narrow.matches);
    narrow.addEventListener("change", () => this.#store.narrowed(narrow.matches));
    this.#chooseTheme(storage.recallTheme());
    document.addEventListener("keydown", this.#key);
    this.addEventListener("dragover", (event) => event.preventDefault());
    this.addEventListener("drop", this.#drop);
    const { workspace, edited } = this.#first;
    if (edited) this.#store.editedText(workspace.current, workspace.files[0]?.text ?? "");
    void this.#playground.start();
    whenIdle(() => void import("../focus-guard.js").then(({ guardFocus }) => guardFocus(this), () => {}));
  }

  protected override updated(): void {
    // What a window or a tab needs comes when that is first opened.
    if (this.dialog === "share") this.#playground.part(() => import("./share.js")).catch(() => {});
    if (this.dialog === "help") this.#playground.part(() => import("./help.js")).catch(() => {});
    if (this.dialog === "gallery") this.#playground.part(() => import("./gallery.js")).catch(() => {});
    if (this.state.panel === this.#opened) return;
    this.#opened = this.state.panel;
    if (this.#opened === "run") this.#playground.runs().catch(() => {});
    if (this.#opened === "export") this.#playground.part(async () => void (await import("./export.js"))).catch(() => {});
    if (this.#opened === "trace") this.#playground.part(async () => void (await import("./trace.js"))).catch(() => {});
    if (this.#opened === "verify") this.#playground.part(async () => void (await Promise.all([this.#playground.runs(), import("./verify.js")]))).catch(() => {});
  }

  protected override render(): unknown {
    const { state } = this;
    return html`
      ${this.#header(state)}
      ${this.#banner(state)}
      <main class="panes ${state.narrow ? "narrow" : ""}" data-panel=${state.panel}>
        ${state.narrow ? this.#tabs(state) : nothing}
        <section class="pane text-pane" id="panel-text" aria-label="Text" ?hidden=${state.narrow && state.panel !== "text"}>${this.#text(state)}</section>
        ${state.narrow ? nothing : html`<stile-separator name="split" label="Width of the text" orientation="vertical" .value=${42}></stile-separator>`}
        <section class="pane work-pane" aria-label="Work" ?hidden=${state.narrow && state.panel === "text"}>
          ${state.narrow ? nothing : this.#tabs(state)}
          <div class="panel" id="panel-automaton" role="tabpanel" aria-labelledby="tab-panel-automaton-automaton" ?hidden=${state.panel !== "automaton"}>${this.#automaton(state)}</div>
          <div class="panel scroll" id="panel-run" role="tabpanel" aria-labelledby="tab-panel-run-run" tabindex="-1" ?hidden=${state.panel !== "run"}>${this.#run(state)}</div>
          <div class="panel scroll" id="panel-trace" role="tabpanel" aria-labelledby="tab-panel-trace-trace" tabindex="-1" ?hidden=${state.panel !== "trace"}>${this.#trace(state)}</div>
          <div class="panel scroll" id="panel-verify" role="tabpanel" aria-labelledby="tab-panel-verify-verify" tabindex="-1" ?hidden=${state.panel !== "verify"}>${this.#verify(state)}</div>
          <div class="panel scroll" id="panel-export" role="tabpanel" aria-labelledby="tab-panel-export-export" tabindex="-1" ?hidden=${state.panel !== "export"}>${this.#export(state)}</div>
        </section>
      </main>
      <div class="toasts" role="status">${state.toasts.map((t) => html`<p class="toast ${t.tone}">${t.text}</p>`)}</div>
      ${this.#dialogs(state)}
      <input class="file-input" type="file" multiple hidden @change=${this.#filesChosen} />`;
  }

  // Bars.

  #header(state: State): unknown {
    const theme = { system: ["follows the system", iconAuto], light: ["light", iconSun], dark: ["dark", iconMoon] }[state.theme];
    return html`
      <header class="bar">
        <a class="brand" href="./" aria-label="Stile">${mark}<h1>Stile</h1></a>
        <button class="button examples" type="button" aria-haspopup="dialog" @click=${() => (this.dialog = "gallery")}><span class="title">${state.title}</span>${iconDown}<span class="visually-hidden">, choose an example</span></button>
        <div class="row bar-tools">
          <button class="button" type="button" title="Open files" @click=${this.#openFiles}>${iconOpen}<span>Open</span></button>
          <button class="button" type="button" title="Save the workspace as a file" @click=${() => void this.#playground.saveArchive()}>${iconSave}<span>Save</span></button>
          <button class="button primary" type="button" aria-haspopup="dialog" @click=${() => (this.dialog = "share")}>${iconShare}<span>Share</span></button>
          <button class="icon-button" type="button" title="Colours: ${theme?.[0]}" aria-label="Colours: ${theme?.[0]}; change" @click=${this.#nextTheme}>${theme?.[1]}</button>
          <button class="icon-button" type="button" title="Help" aria-label="Help" aria-haspopup="dialog" @click=${() => (this.dialog = "help")}>${iconHelp}</button>
        </div>
      </header>`;
  }

  #banner({ banner }: State): unknown {
    if (banner === null) return nothing;
    const { draft } = banner;
    return html`
      <div class="banner ${banner.tone}" role=${banner.tone === "bad" ? "alert" : "status"}>
        <p>${banner.text}</p>
        ${draft === undefined ? nothing : html`<button class="button small" type="button" @click=${() => this.#playground.reopen(draft)}>Back to my draft</button>`}
        <button class="button small" type="button" @click=${() => this.#store.showedBanner(null)}>Close</button>
      </div>`;
  }

  #tabs(state: State): unknown {
    const errors = state.analysis?.result.diagnostics.filter((d) => d.severity === "error").length ?? 0;
    const tabs: Tab[] = [
      ...(state.narrow ? [{ id: "text", label: "Text", panel: "panel-text", ...(errors > 0 && { badge: String(errors), tone: "error" as const }) }] : []),
      { id: "automaton", label: "Automaton", panel: "panel-automaton" },
      { id: "run", label: "Run", panel: "panel-run", ...(interruptedOf(state, ...shownKinds).length > 0 && { badge: "!", tone: "warning" as const }) },
      { id: "trace", label: "Trace", panel: "panel-trace" },
      { id: "verify", label: "Verify", panel: "panel-verify" },
      { id: "export", label: "Export", panel: "panel-export" },
    ];
    return html`<stile-tabs class="panel-tabs" .tabs=${tabs} .chosen=${state.panel} .label=${"What is shown"} @tab-chosen=${(e: CustomEvent<Panel>) => this.#store.chosePanel(e.detail)}></stile-tabs>`;
  }

  // Panes.

  #text(state: State): unknown {
    const text = state.files.find((f) => f.name === state.current)?.text ?? "";
    return html`
      <div class="pane-bar">
        <stile-files .files=${state.files} .current=${state.current} .panel=${"editor"}
          @file-chosen=${(e: CustomEvent<string>) => this.#store.openedFile(e.detail)}
          @file-renamed=${this.#renamed}
          @file-removed=${(e: CustomEvent<string>) => this.#playground.removeFile(e.detail)}
          @file-wished=${this.#addFile}></stile-files>
        <button class="icon-button small" type="button" title="Draft from a description" aria-label="Draft from a description" aria-haspopup="dialog" @click=${this.#openDraft}>${iconDraft}</button>
        <button class="icon-button small" type="button" title="Format (Shift Alt F)" aria-label="Format the text" ?disabled=${thing(state.current) === null} @click=${() => void this.#playground.format()}>${iconFormat}</button>
      </div>
      ${/^untitled[\w-]*\.cfg$/.test(state.current) && this.#playground.isNew(state.current) ? html`<stile-new-file .name=${state.current} @file-renamed=${this.#renamed}></stile-new-file>` : nothing}
      <stile-editor id="editor" role="tabpanel" aria-label="Text of ${state.current}" .name=${state.current} .text=${text} .generation=${state.generation} .revision=${state.revision}
        .analysis=${state.analysis} .keys=${this.keys} .reveal=${state.reveal} .service=${thing(state.current) === null || thing(state.current) === "problem" ? null : this.#playground.language} .wrap=${thing(state.current) === null || thing(state.current) === "problem" || state.narrow}
        @text-edited=${(e: CustomEvent<TextEdited>) => this.#store.editedText(e.detail.name, e.detail.text)}
        @cursor-moved=${(e: CustomEvent<number>) => this.#store.movedCursor(e.detail)}
        @keys-missing=${() => this.#playground.toast("The other keys did not arrive; the editor has its usual ones.", "bad")}
        @format-wish=${() => void this.#playground.format()}></stile-editor>
      <stile-problems .analysis=${state.analysis} .fault=${state.analysisFault} .core=${state.core} .saved=${state.saved} .reading=${state.analysisFault === null && state.analysis?.revision !== state.revision}
        @place-wished=${this.#placeWished} @fix-wished=${this.#fixWished} @retry-wished=${() => this.#playground.retryCore()}></stile-problems>`;
  }

  #automaton(state: State): unknown {
    const what = thing(state.current);
    if (what === null) return html`<p class="empty">Notes have no automaton. Choose a file that ends in <code>.cfg</code>, <code>.pda</code>, <code>.flow</code>, <code>.ltl</code>, <code>.agent</code> or <code>.team</code>.</p>`;
    const result = state.analysis?.result;
    const drawing = result?.drawing ?? null;
    const broken = result !== undefined && result.diagnostics.some((d) => d.severity === "error");
    const solved = isSolved(what);
    const unstepped = what === "formulas" || what === "team" || solved;
    const tree = this.treeShown ? state.walk?.result.treeDrawing : undefined;
    return html`
      <div class="automaton ${unstepped ? "alone" : ""}">
        <div class="drawing-pane">
          ${drawing === null && result !== undefined ? html`<p class="empty">${broken ? "The text has errors; the drawing returns once they are mended." : solved ? "There is nothing to draw of this; the Run tab has it solved." : "There is nothing to draw yet."}</p>` : nothing}
          <stile-drawing class="main-drawing" ?hidden=${drawing === null && result !== undefined} .drawing=${tree ?? drawing} .layouts=${this.#playground.layouts} .slotName=${"automaton"}
            .active=${tree !== undefined ? [] : solved ? working(state) : (state.walk?.result.active ?? [])} .cursor=${state.cursor} .first=${this.#first.drawing} .asTable=${this.asTable}
            .of=${state.generation + state.current} .explore=${this.#explore}
            @place-wished=${this.#placeWished}></stile-drawing>
          <button class="icon-button table-toggle" type="button" aria-pressed=${this.asTable} title=${this.asTable ? "Show as a drawing" : "Show as a table"} aria-label="Show as a table" @click=${() => (this.asTable = !this.asTable)}>${this.asTable ? iconGraph : iconTable}</button>
        </div>
        ${unstepped ? nothing : html`
          <stile-separator name="drawing" label="Height of the drawing" orientation="horizontal" .value=${58}></stile-separator>
          <div class="scroll stepper-pane">
            <stile-stepper .word=${state.word} .walk=${state.walk} .fault=${state.walkFault} .thing=${what} .broken=${broken}
              .labels=${result?.symbols ?? []} .checked=${state.checked} .treeShown=${this.treeShown}
              @word-changed=${(e: CustomEvent<readonly string[]>) => this.#playground.step(e.detail)}
              @tree-wished=${(e: CustomEvent<boolean>) => (this.treeShown = e.detail)}></stile-stepper>
          </div>`}
      </div>`;
  }

  #run(state: State): unknown {
    const target = runTarget(state);
    return html`
      <stile-run .target=${target} .files=${state.files} .settings=${state.settings} .endpoints=${state.endpoints} .keys=${state.keys} .defaults=${state.defaults}
        .run=${state.run} .runs=${state.runs} .interrupted=${interruptedOf(state, ...shownKinds)} .states=${state.analysis?.result.symbols.map((s) => s.name) ?? []}
        .checks=${state.checks} .layouts=${this.#playground.layouts} .broken=${isBroken(target, state.analysis)} .solver=${state.solver} .open=${state.current} .core=${this.#playground.core} .usualTeam=${this.#usualTeam} .checkGraph=${this.#checkGraph}
        @part-wished=${(e: CustomEvent<() => Promise<unknown>>) => this.#playground.part(e.detail).catch(() => {})}
        @place-wish=${(e: CustomEvent<Omit<Place, "count">>) => this.#playground.show(e.detail)}
        @files-wish=${(e: CustomEvent<readonly File[]>) => this.#store.keptFiles(e.detail)}
        @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#store.settingsChanged(e.detail)}
        @endpoints-wished=${this.#openEndpoints}
        @defaults-wished=${() => void this.#playground.runs().then((runs) => runs.defaults()).catch(() => {})}
        @task-chosen=${(e: CustomEvent<Task>) => this.#playground.chooseTask(e.detail)}
        @run-wish=${(e: CustomEvent<RunWish>) => this.#playground.doRun(e.detail)}></stile-run>`;
  }

  #trace(state: State): unknown {
    return html`
      <stile-trace .files=${state.files} .current=${state.current} .runs=${state.runs} .core=${this.#playground.core}
        @place-wished=${(e: CustomEvent<Omit<Place, "count">>) => this.#playground.show(e.detail)}
        @file-wished=${(e: CustomEvent<File>) => this.#store.addedFile(e.detail)}
        @examples-wished=${() => (this.dialog = "gallery")}></stile-trace>`;
  }

  #verify(state: State): unknown {
    const target = runTarget(state);
    const broken = state.analysis?.name === target?.name && state.analysis?.result.diagnostics.some((d) => d.severity === "error") === true;
    const example = state.gallery.find((e) => e.id === state.example);
    return html`
      <stile-verify .target=${target} .files=${state.files} .examples=${example?.main === target?.name ? (example?.words ?? []) : []} .settings=${state.settings} .endpoints=${state.endpoints} .keys=${state.keys}
        .comparison=${state.runs.find((run) => run.kind === "compare") ?? null} .interrupted=${interruptedOf(state, "compare")} .broken=${broken} .check=${this.#check} .analyse=${this.#analyse}
        @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#store.settingsChanged(e.detail)}
        @endpoints-wished=${this.#openEndpoints}
        @place-wished=${(e: CustomEvent<Omit<Place, "count">>) => this.#playground.show(e.detail)}
        @word-wished=${(e: CustomEvent<readonly string[]>) => this.#playground.stepThrough(target?.name ?? state.current, e.detail)}
        @run-wish=${(e: CustomEvent<RunWish>) => this.#playground.doRun(e.detail)}></stile-verify>`;
  }

  #export(state: State): unknown {
    const spec = thing(state.current) === null || thing(state.current) === "problem" ? null : (state.files.find((f) => f.name === state.current) ?? null);
    const broken = state.analysis?.result.diagnostics.some((d) => d.severity === "error") === true;
    return html`<stile-export .spec=${spec} .files=${state.files} .core=${this.#playground.core} .broken=${broken} .share=${this.#link}></stile-export>`;
  }

  #dialogs(state: State): unknown {
    const close = (dialog: StileApp["dialog"]) => (): void => {
      if (this.dialog !== dialog) return; // another has taken its place
      // What the window of endpoints was opened from comes back.
      this.dialog = dialog === "endpoints" ? this.#under : "";
      this.#under = "";
    };
    return html`
      <stile-dialog class="wide" .label=${"Examples"} .shown=${this.dialog === "gallery"} @dialog-closed=${close("gallery")} .body=${html`
        <stile-gallery .examples=${state.gallery} .drafts=${state.drafts} .current=${state.example}
          @example-chosen=${(e: CustomEvent<ExampleChoice>) => { close("gallery")(); void this.#playground.openExample(e.detail.example, e.detail.play); }}
          @benchmark-wished=${this.#openBench}
          @version-wished=${(e: CustomEvent<string>) => this.#playground.keepVersion(e.detail)}
          @draft-chosen=${(e: CustomEvent<Draft>) => { close("gallery")(); this.#playground.reopen(e.detail); }}></stile-gallery>`}></stile-dialog>
      <stile-dialog class="wide" .label=${this.#bench} .shown=${this.dialog === "bench"} @dialog-closed=${close("bench")} .body=${this.dialog === "bench" ? html`
        <stile-benchmarks .core=${this.#playground.core} .records=${this.#records} .name=${this.#bench} .run=${state.runs.find((run) => run.kind === "benchmark") ?? null} .endpoints=${state.endpoints} .interrupted=${interruptedOf(state, "benchmark")}
          @run-wish=${(e: CustomEvent<RunWish>) => this.#playground.doRun(e.detail)}
          @workspace-wished=${(e: CustomEvent<BenchmarkWish>) => { close("bench")(); this.#playground.open(e.detail.workspace, "person"); this.#store.settingsChanged({ task: e.detail.task }); this.#store.chosePanel("run"); }}></stile-benchmarks>` : nothing}></stile-dialog>
      <stile-dialog .label=${"Share"} .shown=${this.dialog === "share"} @dialog-closed=${close("share")} .body=${html`
        <stile-share .make=${this.#share} .save=${this.#saveShared} .archive=${this.#archive} .runStale=${state.run !== null && !sameFiles(state.run.params.workspace.files, state.files)} .shorten=${this.#playground.shortens ? this.#shorten : null} .texts=${this.#texts} .hasRun=${state.run?.log !== undefined}></stile-share>`}></stile-dialog>
      <stile-dialog class="wide" .label=${"Endpoints"} .shown=${this.dialog === "endpoints"} @dialog-closed=${close("endpoints")} .body=${html`
        <stile-endpoints .endpoints=${state.endpoints} .keys=${state.keys} .probes=${state.probes} .used=${endpointOf(state.settings, state.endpoints)?.name ?? ""}
          .priceOf=${this.#priceOf} @endpoint-wish=${(e: CustomEvent<EndpointWish>) => this.#playground.endpoints.do(e.detail)}></stile-endpoints>`}></stile-dialog>
      <stile-dialog class="wide" .label=${"Draft from a description"} .shown=${this.dialog === "draft"} @dialog-closed=${close("draft")} .body=${html`
        <stile-draft .run=${state.runs.find((run) => run.kind === "draft") ?? null} .files=${state.files} .settings=${state.settings} .endpoints=${state.endpoints} .keys=${state.keys} .interrupted=${interruptedOf(state, "draft")}
          @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#store.settingsChanged(e.detail)}
          @endpoints-wished=${this.#openEndpoints}
          @draft-accepted=${(e: CustomEvent<Accepted>) => { close("draft")(); this.#playground.doRun({ wish: "drop", run: e.detail.run }); this.#playground.accept(e.detail.files, e.detail.alone); }}
          @run-wish=${(e: CustomEvent<RunWish>) => this.#playground.doRun(e.detail)}></stile-draft>`}></stile-dialog>
      <stile-dialog .label=${"Help"} .shown=${this.dialog === "help"} @dialog-closed=${close("help")} .body=${html`
        <stile-help .keys=${this.keys} @keys-chosen=${this.#chooseKeys}></stile-help>`}></stile-dialog>`;
  }

  // What the person did.

  /** All that a link carries. */
  #texts = (withRun: boolean): readonly File[] => {
    const { files, run } = this.#playground.shared(withRun);
    return run?.log !== undefined ? [...files, { name: "the recorded run", text: JSON.stringify(run.log) }] : files;
  };

  #link = (): Promise<string> => this.#playground.share(false);

  #shorten = (link: string): Promise<string> => this.#playground.shorten(link);

  #saveShared = (withRun: boolean): void => void this.#playground.saveShared(withRun);

  #archive = (files: readonly File[]): Promise<string> => this.#playground.archive(files);

  #share = (withRun: boolean): Promise<string> => this.#playground.share(withRun);

  #priceOf = (model: string): Promise<Price | undefined> => this.#playground.endpoints.price(model);

  #check = (name: string, text: string): Promise<PlanCheckResult> => this.#playground.core.call("plan.check", { files: [...this.state.files], name, text });

  #usualTeam = (): Promise<TeamDefaultsResult> => this.#playground.core.call("team.defaults", {});

  #checkGraph = (graph: TeamGraph, before: TeamGraph | null): Promise<TeamGraphResult> => this.#playground.core.call("team.graph", { files: [...this.state.files], name: runTarget(this.state)?.name ?? "", graph, ...(before && { before }) });

  #analyse = (name: string): Promise<DocumentAnalyzeResult> => this.#playground.core.call("document.analyze", { files: [...this.state.files], name });

  #explore = (view: string): Promise<DrawingWholeResult> => this.#playground.whole(view);

  #openDraft = async (): Promise<void> => {
    try {
      await this.#playground.part(async () => void (await Promise.all([this.#playground.runs(), import("./draft.js")])));
      this.dialog = "draft";
    } catch {
      // It was said that it did not arrive.
    }
  };

  #openBench = async (event: CustomEvent<string>): Promise<void> => {
    try {
      await this.#playground.part(() => import("./benchmarks.js"));
      this.#bench = event.detail;
      this.dialog = "bench";
    } catch {
      // It was said that it did not arrive.
    }
  };

  #records = (name: string): Promise<string> => this.#playground.records(name);

  /** The window of endpoints comes when it is first asked for. */
  #openEndpoints = async (): Promise<void> => {
    try {
      await this.#playground.part(() => import("./endpoints.js"));
      this.#under = this.dialog === "draft" ? "draft" : "";
      this.dialog = "endpoints";
    } catch {
      // It was said that it did not arrive.
    }
  };

  #placeWished = (event: CustomEvent<TextPlace>): void => {
    this.#store.wishedPlace(this.state.current, event.detail.from, event.detail.to);
  };

  #fixWished = (event: CustomEvent<readonly Edit[]>): void => {
    this.querySelector<StileEditor>("stile-editor")?.fix(event.detail);
  };

  #renamed = (event: CustomEvent<Renaming>): void => {
    const why = this.#playground.renameFile(event.detail.name, event.detail.to);
    if (why !== null) this.#playground.toast(why, "bad");
  };

  #addFile = (): void => {
    this.#playground.addFile();
    void this.#playground.part(() => import("./new-file.js")).catch(() => {});
  };

  #openFiles = (): void => this.querySelector<HTMLInputElement>(".file-input")?.click();

  #filesChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    void this.#playground.openFiles([...(input.files ?? [])]).then(() => (input.value = ""));
  };

  #drop = (event: DragEvent): void => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#playground.openFiles(files);
  };

  #key = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.#store.chosePanel("run");
      this.#playground.doRun({ wish: "start", pace: "run" });
    } else if (event.key === "s") {
      event.preventDefault();
      this.#playground.toast("Every change is saved on this device by itself.");
    }
  };

  #chooseKeys = (event: CustomEvent<string>): void => {
    this.keys = editorKeysOf(event.detail);
    storage.rememberPlain("keys", this.keys);
  };

  #nextTheme = (): void => {
    this.#chooseTheme(themes[(themes.indexOf(this.state.theme) + 1) % themes.length] ?? "system");
  };

  #chooseTheme(theme: Theme): void {
    this.#store.choseTheme(theme);
    storage.rememberPlain("theme", theme);
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }
}

/** The stages of a problem that are at work. */
function working({ run }: State): readonly string[] {
  return [...(run?.timeline.formulate?.stages ?? [])].flatMap(([stage, { state }]) => (state === "running" ? [stage] : []));
}

/** The interrupted runs of some kinds. */
function interruptedOf(state: State, ...kinds: readonly string[]): State["interrupted"] {
  return state.interrupted.filter((run) => kinds.includes(run.kind));
}

/** Reads what the first response shows, before the element takes its place. */
function readFirst(element: HTMLElement): First {
  const { example, title, name } = element.dataset;
  const field = element.querySelector("textarea");
  const current = name ?? "untitled.cfg";
  return {
    workspace: { title: title ?? "Untitled", files: [{ name: current, text: field?.value ?? "" }], current, ...(example !== undefined && { example }) },
    edited: field !== null && field.value !== field.defaultValue,
    drawing: element.querySelector<SVGElement>("svg.drawing"),
  };
}

customElements.define("stile-app", StileApp);
