import type { Assets } from "../core/assets.js";
import { AddressFollower } from "./address-follower.js";
import { Analyser } from "./analyser.js";
import { SharedWorkspace } from "./shared-workspace.js";
import { CoreClient } from "../core/core-client.js";
import { claimSlot } from "./draft-slot.js";
import { DraftKeeper } from "./draft-keeper.js";
import { sameFiles } from "./drafts.js";
import { playsScript } from "./example-script.js";
import { explainLoad, messageOf } from "./faults.js";
import { Gallery } from "./gallery-files.js";
import { Endpoints } from "../models/endpoint-actions.js";
import { whenIdle } from "../ui/when-idle.js";
import { importFiles, MAX_FILE } from "./import-files.js";
import { interruptedRuns } from "./unfinished-runs.js";
import { Keys } from "../models/api-keys.js";
import { lateStyle } from "../ui/deferred-style.js";
import { languageService, type Service } from "../edit/language-service.js";
import { LayoutClient } from "../draw/layout-client.js";
import type { Pace, RunUpdate } from "../core/core-protocol.js";
import type { RunCommand } from "../run/run-command.js";
import type { Runs } from "../run/runs.js";
import { fileName, saveText } from "../share/save-file.js";
import { notationOf, problemOf, shownKinds } from "./file-kind.js";
import { newText } from "../core/notations.js";
import { rehearsalOf } from "./rehearsal.js";
import type { Draft, Example, Place, Workspace } from "./state.js";
import * as storage from "./storage.js";
import type { Store } from "./store.js";
import type { NewTest } from "../tests/request-test.js";
import { WorkspaceHistory } from "./workspace-history.js";
import { sentence } from "../ui/text.js";
import type { DrawingWholeResult, File as WorkFile, RunLog } from "../core/wire.js";

/** The templates of new files, once loaded. */
type NewTexts = typeof import("../edit/new-texts.js");

/**
 * The actions of a person and their effects: the only place that connects store, core, layout and
 * storage.
 */
export class Playground {
  readonly core: CoreClient;
  /** The instance of the core for runs. */
  readonly runCore: CoreClient;
  /** Runs that are not among those of the session, with the functions that receive their updates. */
  readonly watched = new Map<number, (update: RunUpdate) => void>();
  readonly layouts: LayoutClient;
  readonly endpoints: Endpoints;
  readonly language: Service;
  readonly #analyser: Analyser;
  readonly #drafts: DraftKeeper;
  readonly #gallery: Gallery;
  readonly #shared: SharedWorkspace;
  readonly #address: AddressFollower;
  /** The entries of the browser's history. An embed adds none to the history of the embedding page. */
  readonly #history: WorkspaceHistory | undefined;
  #runs: Promise<Runs> | undefined;
  #arrived: Runs | undefined;
  #newTexts: NewTexts | undefined;
  constructor(
    readonly store: Store,
    readonly assets: Assets,
    /** Whether the playground is within another page, so that it stores nothing on the device. */
    private readonly embedded = false,
  ) {
    const whole = { br: assets.whole_br, gz: assets.whole_gz };
    const core = {
      worker: assets.core_worker,
      first: { br: assets.module_br, gz: assets.module_gz },
      whole,
      solvers: assets.solvers,
    };
    this.core = new CoreClient(core, {
      ready: () => {
        store.coreChanged({ status: "ready" });
        this.layouts.warm();
      },
      unloadable: (fault) => store.coreChanged({ status: "failed", fault: explainLoad(fault) }),
      started: () => this.#analyser.started(),
      replaced: (fault) => {
        if (fault !== undefined) {
          this.toast(`${fault.message}. Limits and ambiguity are not checked.`, "bad");
          return;
        }
        this.#analyser.again();
      },
      restarted: (fault) => {
        store.coreChanged({ status: "loading" });
        this.toast(
          fault.code === "module.silent"
            ? `${fault.message} Your text is unchanged.`
            : `The core failed (${fault.message}) and was restarted; your text is unchanged.`,
          "bad",
        );
      },
    });
    this.#analyser = new Analyser(store, this.core, embedded);
    this.#gallery = new Gallery(store, this.core, assets.gallery);
    this.#shared = new SharedWorkspace(this);
    this.#address = new AddressFollower(store, this.core);
    if (!embedded)
      this.#history = new WorkspaceHistory(
        () => this.draft(),
        () => store.state.drafts,
        (draft) => this.reopen(draft, "history"),
        () => this.#shared.openAddress(),
      );
    this.#drafts = new DraftKeeper(
      store,
      () => void import("./draft-limit.js").then(({ askForRoom }) => askForRoom(this)).catch(() => {}),
      (text, tone) => this.toast(text, tone),
      embedded,
    );
    this.runCore = new CoreClient(
      { ...core, first: whole },
      {
        started: () => keys.handAll(),
        restarted: ({ code, message }) =>
          this.toast(
            `The core ${code === "module.silent" ? "did not respond" : `failed (${message})`} and was restarted; your runs resume from their recorded answers.`,
            "bad",
          ),
        solver: (progress) => store.solverAt(progress),
        update: (run, update) => {
          const watch = this.watched.get(run);
          if (watch !== undefined) watch(update);
          else if (!this.endpoints.update(run, update)) this.#arrived?.update(run, update);
        },
      },
      "runs",
    );
    const keys = new Keys(
      (message) => this.runCore.key(message),
      (notes) => store.keysChanged(notes),
    );
    this.endpoints = new Endpoints(store, this.core, this.runCore, keys, (text) => this.toast(text, "bad"));
    this.language = languageService(store, this.core, (place) => this.show(place));
    this.layouts = new LayoutClient(assets.layout_worker, assets.viz);
  }

  /** Starts the core and restores the last visit. */
  async start(): Promise<void> {
    const { store } = this;
    const shown = { files: store.state.files, generation: store.state.generation, edited: () => store.state.edited };
    this.core.start();
    this.#follow();
    const silent = (await storage.answers()) === "silent";
    const [{ drafts, settings }, { key, draft, left }] = await Promise.all([
      silent ? ({ drafts: [] } as storage.Remembered) : storage.recall(),
      claimSlot(silent),
    ]);
    if (silent)
      store.showedBanner({
        tone: "bad",
        text: "This browser's storage does not respond, so your earlier drafts cannot be read. Reload to try again.",
      });
    this.#drafts.claimed(key, draft?.savedAt ?? 0);
    store.draftsArrived(drafts);
    for (const draft of left) this.#drafts.keep(draft);
    if (settings !== undefined) store.settingsChanged(settings);
    void this.endpoints.recall();
    void this.#findInterrupted();
    // Edits made before the draft was read are kept.
    if (draft?.task !== undefined) store.settingsChanged({ task: draft.task });
    if (draft !== undefined && !shown.edited() && store.state.generation === shown.generation) {
      if (!sameFiles(draft.files, shown.files)) store.openedWorkspace(draft, draft.edited);
      void this.#drafts.save();
    } else if (store.state.edited) {
      void this.#drafts.save();
    }
    await this.#shared.openAddress();
    await this.#gallery.load(draft === undefined);
    void this.#analyser.checkWords();
    whenIdle(() => void lateStyle(this.assets.late_style).catch(() => {}));
  }

  async #findInterrupted(): Promise<void> {
    this.store.interruptedFound(await interruptedRuns(() => void this.#findInterrupted()));
  }

  /** Starts within another page, with the address's workspace or an example. */
  async startEmbedded(example: string, tests: boolean): Promise<void> {
    this.#analyser.tests = tests;
    this.core.start();
    this.#follow();
    if (location.hash.length > 1) await this.#shared.openLink(location.hash);
    else if (example !== "") await this.#openExample(example);
    if (this.store.state.files.length === 0 && this.store.state.banner === null)
      this.store.showedBanner({ tone: "bad", text: "The address of this embed contains no specification." });
  }

  async #openExample(id: string): Promise<void> {
    try {
      await this.open(await this.exampleNamed(id), "person");
    } catch (reason) {
      this.store.showedBanner({ tone: "bad", text: sentence(messageOf(reason)) });
    }
  }

  /** Loads an example by its id. The error is a sentence. */
  async exampleNamed(id: string): Promise<Workspace> {
    return this.#gallery.workspace(id);
  }

  /** Loads a file of the records next to the gallery. */
  async records(name: string): Promise<string> {
    return (await this.#gallery.fetch(name, "the records did not load: ")).text();
  }

  retryCore(): void {
    this.store.coreChanged({ status: "loading" });
    this.core.start();
    this.#shared.retry();
    this.#analyser.soon();
  }

  // Workspaces.

  /** Returns the open workspace as a draft. */
  draft(): Draft {
    return this.#drafts.draft();
  }

  /**
   * Opens another workspace, unless the person decides to keep a live run. An edited workspace is kept among the
   * earlier drafts.
   */
  async open(workspace: Workspace, from: "person" | "link" | "history"): Promise<boolean> {
    if (
      this.#arrived !== undefined &&
      this.#arrived.live().length > 0 &&
      !(await this.#arrived.mayLeave(workspace.title))
    )
      return false;
    const { state } = this.store;
    if (state.edited && !sameFiles(state.files, workspace.files)) this.#drafts.keep(this.draft());
    if (from === "person") this.#history?.push(workspace);
    this.#shared.opened(from === "link" || (workspace.example !== undefined && !isEdited(workspace) && !this.embedded));
    this.store.openedWorkspace(workspace);
    this.store.showedBanner(null);
    const example = state.gallery.find((e) => e.id === workspace.example);
    const task = workspace.task ?? example?.task ?? rehearsalOf(workspace.files)?.question;
    this.store.settingsChanged({
      recorded: true,
      ...(task !== undefined && { task }),
      agent: { ...state.settings.agent, reference: "", then: "", template: "" },
    });
    if (from !== "link") void this.#drafts.save();
    return true;
  }

  async reopen(draft: Draft, from: "person" | "history" = "person"): Promise<boolean> {
    if (!(await this.open(draft, from))) return false;
    this.store.openedWorkspace(draft, draft.edited);
    void this.#drafts.save();
    return true;
  }

  /** Keeps the current workspace under a name. */
  keepVersion(title: string): void {
    this.#drafts.keep({ ...this.draft(), title, edited: true, named: true });
    this.toast(`“${title}” is kept on this device, under Examples.`);
  }

  /** Opens an example and, on request, replays its recorded run, which calls no model. */
  async openExample(example: Example, play = false): Promise<void> {
    try {
      const workspace = await this.exampleNamed(example.id);
      if (!(await this.open(workspace, "person"))) return;
      if (play)
        await this.play(
          workspace.files,
          (await (await this.#gallery.fetch(`${example.id}.run.json`)).json()) as RunLog,
        );
    } catch (reason) {
      this.toast(`The example did not load: ${messageOf(reason)}.`, "bad");
    }
  }

  /** Opens files from this device: specs, texts, or an archive of them. */
  async openFiles(list: readonly globalThis.File[]): Promise<void> {
    const [only] = list;
    if (only !== undefined && list.length === 1 && only.size <= MAX_FILE && (await this.#openRecording(only))) return;
    let files: readonly WorkFile[];
    try {
      files = await importFiles(this.core, list);
    } catch (reason) {
      this.store.showedBanner({ tone: "bad", text: `${sentence(messageOf(reason))} Your text is unchanged.` });
      return;
    }
    const main =
      files.find((f) => ![null, "formulas", "rules", "tests"].includes(notationOf(f.name))) ??
      files.find((f) => notationOf(f.name) !== null) ??
      files[0];
    if (main !== undefined)
      await this.open(
        { title: list.length === 1 ? (list[0]?.name ?? "Opened files") : "Opened files", files, current: main.name },
        "person",
      );
  }

  /** Downloads the workspace as one archive. */
  async saveArchive(): Promise<void> {
    const { files, title } = this.store.state;
    try {
      saveText(`${fileName(title)}.txtar`, await this.archive(files));
    } catch (reason) {
      this.toast(sentence(messageOf(reason)), "bad");
    }
  }

  async format(): Promise<void> {
    const { current, files, revision } = this.store.state;
    const text = files.find((f) => f.name === current)?.text;
    if (text === undefined) return;
    try {
      const result = await this.core.call("document.format", { name: current, text });
      if (this.store.state.revision !== revision) return;
      if (result.changed) this.store.editedText(current, result.text);
      this.toast(result.changed ? "Formatted." : "Already formatted.");
    } catch (reason) {
      this.toast(`Not formatted: ${messageOf(reason)}.`, "bad");
    }
  }

  /** Opens a new workspace, and shows the panes for editing. */
  async openNew(workspace: Workspace): Promise<void> {
    if (!(await this.open(workspace, "person"))) return;
    this.store.chosePanel(this.store.state.narrow ? "text" : "automaton");
  }

  addFile(): void {
    this.store.addedFile({ name: freeName("untitled.cfg", this.store.state.files), text: newText });
  }

  /** Opens an example of the manual: in the open file if that is untouched, otherwise in a new one. */
  addExample(name: string, text: string): void {
    const { current, files } = this.store.state;
    if (notationOf(current) === notationOf(name) && this.isNew(current)) this.store.editedText(current, text);
    else this.store.addedFile({ name: freeName(name, files), text });
  }

  /** Renames a file; the ending sets its language. Returns the reason of a failure, or null. */
  renameFile(name: string, to: string): string | null {
    if (to.endsWith(".problem")) to += "/task.md"; // a problem is a folder
    if (to === name) return null;
    if (to === "" || to.trim() !== to || to.includes("..")) return "This is not a valid file name.";
    if (this.store.state.files.some((f) => f.name === to)) return `A file “${to}” already exists.`;
    const text = this.#textOf(name) ?? "";
    this.store.renamedFile(name, to);
    // An untouched file gets the template of its new notation.
    if (notationOf(to) !== null)
      void this.newTexts().then(
        (texts) => this.#retemplate(texts, { name, text }, to),
        () => {}, // the file keeps its text
      );
    return null;
  }

  /** Replaces an untouched file, and its untouched folder, with the template of its new name. */
  #retemplate({ endingOf, isUntouched, newTexts }: NewTexts, before: WorkFile, to: string): void {
    if (endingOf(before.name) === endingOf(to) || !isUntouched(before) || this.#textOf(to) !== before.text) return;
    const folder = problemOf(before.name);
    for (const file of folder === "" ? [] : this.store.state.files)
      if (problemOf(file.name) === folder && isUntouched(file)) this.store.removedFile(file.name);
    this.store.keptFiles(newTexts(to).filter((f) => f.name === to || this.#textOf(f.name) === undefined));
  }

  /** Loads the templates. */
  async newTexts(): Promise<NewTexts> {
    return (this.#newTexts ??= await import("../edit/new-texts.js"));
  }

  /** Reports whether a file still has the text of a new file. */
  isNew(name: string): boolean {
    const text = this.#textOf(name);
    return text === newText || (text !== undefined && this.#newTexts?.isUntouched({ name, text }) === true);
  }

  #textOf(name: string): string | undefined {
    return this.store.state.files.find((f) => f.name === name)?.text;
  }

  removeFile(name: string): void {
    this.#drafts.keep({ ...this.draft(), edited: true });
    this.store.removedFile(name);
    this.toast(`“${name}” was removed. The previous workspace is in Examples → Earlier drafts.`);
  }

  // Links.

  /** Whether the address of the page is updated after each edit. */
  followed = storage.recallPlain("follow") === "1";

  /** Starts or stops updating the address after each edit. */
  follow(on: boolean): void {
    this.followed = on;
    storage.rememberPlain("follow", on ? "1" : "");
    if (on) this.#address.soon(0);
    else this.#address.stop();
  }

  async archive(files: readonly WorkFile[]): Promise<string> {
    return (await this.core.call("workspace.export", { files: [...files] })).archive;
  }

  // Stepping.

  moveCursor(at: number): void {
    const { view } = this.store.state;
    this.store.movedCursor(at);
    if (this.store.state.view !== view) void this.#analyser.walk();
  }

  /** Draws and steps through another formula of the file. */
  chooseView(view: string): void {
    this.store.choseView(view);
    void this.#analyser.walk();
  }

  step(word: readonly string[]): void {
    this.store.steppedTo(word);
    void this.#analyser.walk();
  }

  /** Returns a graph of the open file, with the parts that its drawing omits. */
  whole(view: string): Promise<DrawingWholeResult> {
    const { files, current } = this.store.state;
    return this.core.call("drawing.whole", { files: [...files], name: current, view });
  }

  // Runs.

  /** Returns the runs; their modules are loaded on first use. */
  runs(): Promise<Runs> {
    this.#runs ??= this.part(async () => {
      const { Runs } = await import("../run/run-bundle.js");
      return (this.#arrived = new Runs(
        this.store,
        this.core,
        this.runCore,
        (text, tone) => this.toast(text, tone),
        (workspace) => this.open(workspace, "person"),
      ));
    }).catch((reason: unknown) => {
      this.#runs = undefined; // the next call tries again
      throw reason;
    });
    return this.#runs;
  }

  /** Loads a part of the page with its styles, and reports a failure. */
  async part<T>(fetched: () => Promise<T>): Promise<T> {
    try {
      const [part] = await Promise.all([fetched(), lateStyle(this.assets.late_style)]);
      return part;
    } catch (reason) {
      void this.#missing();
      throw reason;
    }
  }

  /** Reports a part of the page that is missing, because its version was replaced or the device is offline. */
  async #missing(): Promise<void> {
    const script = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src") ?? "";
    const page = await fetch(location.pathname, { cache: "no-store" }).then(
      (response) => (response.ok ? response.text() : ""),
      () => "",
    );
    if (page === "" || page.includes(script)) this.toast("A part of the page did not load. Are you offline?", "bad");
    else
      this.store.showedBanner({
        tone: "bad",
        text: "A newer version of Stile is available, and this version’s files are gone. Reload to update; your text is kept.",
        actions: [{ label: "Reload", act: () => location.reload() }],
      });
  }

  /** Shows a place of a file. */
  show({ name, from, to }: Omit<Place, "count">): void {
    this.store.openedFile(name);
    this.store.requestedPlace(name, from, to);
  }

  /** Shows a word in the stepper. */
  stepThrough(name: string, word: readonly string[]): void {
    this.store.openedFile(name);
    this.store.chosePanel("automaton");
    this.step(word);
  }

  /** Accepts a drafted spec, into the workspace or as a new one. */
  accept(files: readonly WorkFile[], alone: boolean): void {
    const [first] = files;
    if (first === undefined) return;
    this.#drafts.keep({ ...this.draft(), edited: true });
    if (alone) {
      void this.open({ title: "A draft", files, current: first.name }, "person");
      return;
    }
    for (const file of files) {
      if (this.store.state.files.some((f) => f.name === file.name)) this.store.editedText(file.name, file.text);
      else this.store.addedFile(file);
    }
    this.store.openedFile(first.name);
    this.toast("The draft was accepted. The previous workspace is in Examples → Earlier drafts.");
  }

  /** Adds a case to the tests of a spec. */
  addTest(test: NewTest): void {
    this.part(() => import("../tests/add-test.js")).then(
      ({ addTest }) => addTest(this, test),
      () => {},
    );
  }

  /** Plays the run that a person wrote for the open example. */
  async #playScript(pace: Pace): Promise<void> {
    const { example, files } = this.store.state;
    try {
      const [runs, log] = await Promise.all([
        this.runs(),
        this.#gallery.fetch(`${example ?? ""}.run.json`).then((reply) => reply.json() as Promise<RunLog>),
      ]);
      if (this.store.state.files !== files || this.store.state.run?.state === "working") return;
      const kind = shownKinds.find((k) => k === log.kind) ?? "plan";
      runs.play({ workspace: { files, name: log.name }, log }, kind, "a script written by a person", pace);
    } catch (reason) {
      this.toast(`The script of the example did not load: ${messageOf(reason)}.`, "bad");
    }
  }

  doRun(command: RunCommand): void {
    if (command.command === "start") {
      if (!this.#shared.shown) void this.#drafts.save();
      if (playsScript(this.store.state)) {
        void this.#playScript(command.pace);
        return;
      }
    }
    this.runs().then(
      (runs) => runs.do(command),
      () => {},
    );
  }

  /** Replays a recording in the Run tab. */
  async play(files: readonly WorkFile[], log: RunLog): Promise<void> {
    const runs = await this.runs();
    if (
      !(await runs.mayLeave(
        log.name,
        runs.live().filter((run) => run === this.store.state.run),
      ))
    )
      return;
    this.store.chosePanel("run");
    runs.play({ workspace: { files, name: log.name }, log }, shownKinds.find((kind) => kind === log.kind) ?? "plan");
  }

  /** Replays a file if it is a recording; returns false otherwise. */
  async #openRecording(file: globalThis.File): Promise<boolean> {
    if (!file.name.endsWith(".json")) return false;
    const recording = await import("../run/run-bundle.js").then(
      async ({ recordingOf }) => recordingOf(await file.text()),
      () => null,
    );
    if (recording === null) return false;
    const { files = this.store.state.files, log } = recording;
    if (
      !sameFiles(this.store.state.files, files) &&
      !(await this.open({ title: `The run of ${log.name}`, files, current: log.name }, "person"))
    )
      return true;
    await this.play(files, log);
    return true;
  }

  // The page.

  toast(text: string, tone: "plain" | "bad" = "plain"): void {
    const id = this.store.showedToast({ text, tone });
    setTimeout(() => this.store.closedToast(id), tone === "bad" ? 12_000 : 4_000);
  }

  // Effects of changes.

  #follow(): void {
    let { revision, generation, edited, panel } = this.store.state;
    this.#analyser.soon();
    this.store.subscribe((state) => {
      if (state.panel !== panel) {
        ({ panel } = state);
        this.#analyser.panelChosen();
      }
      if (state.revision === revision) return;
      const opened = state.generation !== generation;
      ({ revision, generation, edited } = state);
      if (opened) this.#analyser.opened();
      else this.#analyser.edited();
      if (edited && !opened) {
        this.#shared.edited();
        this.#drafts.saveSoon();
        this.#history?.edited();
        if (this.followed && !this.embedded) this.#address.soon();
      }
    });
    window.addEventListener("hashchange", () => {
      if (location.hash.length > 1) void this.#shared.openLink(location.hash);
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.#drafts.hurry();
    });
  }
}

/** Reports whether a workspace is a draft that was edited. */
function isEdited(workspace: Workspace): boolean {
  return (workspace as Partial<Draft>).edited === true;
}

/** Returns a name, with a number added if a file already has the name. */
function freeName(name: string, files: readonly WorkFile[]): string {
  let free = name;
  for (let i = 2; files.some((f) => f.name === free); i++) free = name.replace(/(?=\.\w+$)/, `-${i}`);
  return free;
}
