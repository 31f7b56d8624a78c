import type { Assets } from "../core/assets.js";
import { base64 } from "../core/base64.js";
import { checkedNames } from "./deferred-checks.js";
import { CoreClient, CoreError } from "../core/core-client.js";
import type { Fault } from "../core/core-protocol.js";
import { claimSlot } from "./draft-slot.js";
import { overLimit, sameFiles, savedAfter } from "./drafts.js";
import { Endpoints } from "../models/endpoint-actions.js";
import { whenIdle } from "../ui/when-idle.js";
import { interruptedRuns } from "./unfinished-runs.js";
import { Keys } from "../models/api-keys.js";
import { lateStyle } from "../ui/deferred-style.js";
import { languageService, type Service } from "../edit/language-service.js";
import { LayoutClient } from "../draw/layout-client.js";
import type { RunCommand } from "../run/run-command.js";
import type { Runs } from "../run/runs.js";
import { saveText } from "../share/save-file.js";
import { hasSteps, needsFullModule, shownKinds, notationOf } from "./file-kind.js";
import { newText } from "../core/notations.js";
import type { CheckedWord, Draft, Example, Place, Workspace } from "./state.js";
import * as storage from "./storage.js";
import type { Store } from "./store.js";
import { sentence } from "../ui/text.js";
import type { DrawingWholeResult, File as WorkFile, RunLog } from "../core/wire.js";

/**
 * Milliseconds without typing before a slow text is analysed. Others are analysed at every edit: the
 * page never has more than one analysis in progress.
 */
const ANALYSIS_DELAY = 120;
/** An analysis longer than this, in milliseconds, is slow. */
const LONG_ANALYSIS = 150;
/** Milliseconds without typing before the draft is saved. */
const SAVE_DELAY = 250;
/** Larger files are not read; the core has the same limit. */
const MAX_FILE = 8 << 20;

/**
 * The actions of a person and their effects: the only place that connects store, core, layout and
 * storage.
 */
export class Playground {
  readonly core: CoreClient;
  /** The instance of the core for runs. */
  readonly runCore: CoreClient;
  readonly layouts: LayoutClient;
  readonly endpoints: Endpoints;
  readonly language: Service;
  #analysisTimer: ReturnType<typeof setTimeout> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #analysing = false;
  #analysisDelay = 0;
  #checking = false;
  #asked = -1; // the last sent revision
  #hung = { revision: -1, times: 0 };
  #walks = 0;
  #hastened = false;
  /** The slot of this tab's draft. */
  #slot = "";
  /** The time of the last save; it always increases, whatever the clock does. */
  #savedAt = 0;
  #runs: Promise<Runs> | undefined;
  #arrived: Runs | undefined;
  /** The workspace came with a link and is unchanged: the link is its address. */
  #linked = false;

  constructor(
    readonly store: Store,
    readonly assets: Assets,
    /** Within another page: nothing is stored on the device. */
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
      started: () => {
        if (this.#hastened) whenIdle(() => this.core.hasten());
      },
      replaced: (fault) => {
        if (fault !== undefined) {
          this.toast(`${fault.message}. Words within the limits and ambiguity are not checked.`, "bad");
          return;
        }
        this.#asked = -1; // the first module has read it
        if (!this.#analysing) this.#analyseSoon(0);
      },
      restarted: (fault) => {
        store.coreChanged({ status: "loading" });
        this.toast(
          fault.code === "module.silent"
            ? fault.message
            : `The core failed (${fault.message}) and was restarted; your text is unchanged.`,
          "bad",
        );
      },
    });
    this.runCore = new CoreClient(
      { ...core, first: whole },
      {
        started: () => keys.handAll(),
        restarted: ({ code, message }) =>
          this.toast(
            `The core of your runs ${code === "module.silent" ? "did not respond" : `failed (${message})`} and was restarted; the runs resume with the answers they had.`,
            "bad",
          ),
        solver: (progress) => store.solverAt(progress),
        update: (run, update) => {
          if (!this.endpoints.update(run, update)) this.#arrived?.update(run, update);
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
    this.#slot = key;
    this.#savedAt = draft?.savedAt ?? 0;
    store.draftsArrived(drafts);
    for (const draft of left) this.#keep(draft);
    if (settings !== undefined) store.settingsChanged(settings);
    void this.endpoints.recall();
    void this.#findInterrupted();
    // Edits made before the draft was read are kept.
    if (draft !== undefined && !shown.edited() && store.state.generation === shown.generation) {
      if (!sameFiles(draft.files, shown.files)) store.openedWorkspace(draft, draft.edited);
      void this.#save();
    } else if (store.state.edited) {
      void this.#save();
    }
    await this.#openAddress();
    await this.#loadGallery(draft === undefined);
    whenIdle(() => void lateStyle(this.assets.late_style).catch(() => {}));
  }

  async #openAddress(): Promise<void> {
    if (location.hash.length > 1) await this.openLink(location.hash);
    else if (/[?&](?:url|gist|example)=/.test(location.search)) await this.#openSource();
  }

  async #findInterrupted(): Promise<void> {
    this.store.interruptedFound(await interruptedRuns(() => void this.#findInterrupted()));
  }

  /** Starts within another page, with the address's workspace or an example. */
  async startEmbedded(example: string): Promise<void> {
    this.core.start();
    this.#follow();
    if (location.hash.length > 1) await this.openLink(location.hash);
    else if (/^[\w-]+$/.test(example)) await this.#openGallery(example);
    if (this.store.state.files.length === 0 && this.store.state.banner === null)
      this.store.showedBanner({ tone: "bad", text: "The address of this embed contains no specification." });
  }

  async #openGallery(id: string): Promise<void> {
    try {
      const gallery = (await (await fetch(new URL("index.json", folder(this.assets.gallery)))).json()) as Example[];
      const found = gallery.find((e) => e.id === id);
      if (found !== undefined) await this.openExample(found);
      else this.store.showedBanner({ tone: "bad", text: `There is no example “${id}”.` });
    } catch {
      this.store.showedBanner({ tone: "bad", text: "The example did not load. Is this device offline?" });
    }
  }

  /** Loads a file of the records next to the gallery. */
  async records(name: string): Promise<string> {
    const response = await fetch(new URL(name, folder(this.assets.gallery)));
    if (!response.ok) throw new Error(`the records did not load: the server responded ${response.status}`);
    return response.text();
  }

  retryCore(): void {
    this.store.coreChanged({ status: "loading" });
    this.core.start();
    this.#analyseSoon(0);
  }

  // Workspaces.

  /**
   * Opens another workspace, unless the person keeps a live run; an edited workspace is put aside,
   * never lost.
   */
  async open(workspace: Workspace, from: "person" | "link"): Promise<boolean> {
    if (
      this.#arrived !== undefined &&
      this.#arrived.live().length > 0 &&
      !(await this.#arrived.mayLeave(workspace.title))
    )
      return false;
    const { state } = this.store;
    if (state.edited && !sameFiles(state.files, workspace.files)) this.#keep(this.#draft());
    this.#linked = from === "link";
    if (from === "person") clearAddress();
    this.store.openedWorkspace(workspace);
    this.store.showedBanner(null);
    const task = state.gallery.find((e) => e.id === workspace.example)?.task;
    this.store.settingsChanged({
      ...(task !== undefined && { task }),
      agent: { ...state.settings.agent, reference: "", then: "", template: "" },
    });
    if (from === "person") void this.#save();
    return true;
  }

  async reopen(draft: Draft): Promise<void> {
    if (!(await this.open(draft, "person"))) return;
    this.store.openedWorkspace(draft, draft.edited);
    void this.#save();
  }

  /** Opens an example and, on request, replays its recorded run, which calls no model. */
  /** Keeps the current workspace under a name. */
  keepVersion(title: string): void {
    this.#keep({ ...this.#draft(), title, edited: true, named: true });
    this.toast(`“${title}” is kept on this device, under Examples.`);
  }

  async openExample(example: Example, play = false): Promise<void> {
    const arrived = async (ending: string): Promise<Response> => {
      const response = await fetch(new URL(example.id + ending, folder(this.assets.gallery)));
      if (!response.ok) throw new Error(`the server responded ${response.status}`);
      return response;
    };
    try {
      const { files } = await this.core.call("workspace.import", {
        name: `${example.id}.txtar`,
        base64: base64(await (await arrived(".txtar")).arrayBuffer()),
      });
      if (!(await this.open({ title: example.title, files, current: example.main, example: example.id }, "person")))
        return;
      if (play) await this.play(files, (await (await arrived(".run.json")).json()) as RunLog);
    } catch (reason) {
      this.toast(`The example did not load: ${messageOf(reason)}.`, "bad");
    }
  }

  /** Opens files from this device: specs, texts, or an archive of them. */
  async openFiles(list: readonly globalThis.File[]): Promise<void> {
    const files: WorkFile[] = [];
    const [only] = list;
    if (only !== undefined && list.length === 1 && only.size <= MAX_FILE && (await this.#openRecording(only))) return;
    for (const file of list) {
      if (file.size > MAX_FILE) {
        this.store.showedBanner({
          tone: "bad",
          text: `“${file.name}” is larger than 8 MiB and was not opened; your text is unchanged.`,
        });
        return;
      }
      try {
        const opened = await this.core.call("workspace.import", {
          name: file.name,
          base64: base64(await file.arrayBuffer()),
        });
        files.push(...opened.files.filter((f) => !files.some((g) => g.name === f.name)));
      } catch (reason) {
        this.store.showedBanner({ tone: "bad", text: `${sentence(messageOf(reason))} Your text is unchanged.` });
        return;
      }
    }
    const main =
      files.find((f) => notationOf(f.name) !== null && notationOf(f.name) !== "formulas") ??
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
      const archive = await this.archive(files);
      saveText(
        `${title
          .replace(/\.[a-z]+$/, "")
          .replace(/[^\p{L}\p{N}]+/gu, "-")
          .toLowerCase()}.txtar`,
        archive,
      );
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

  addFile(): void {
    const { files } = this.store.state;
    const taken = (name: string): boolean => files.some((f) => f.name === name);
    let name = "untitled.cfg";
    for (let i = 2; taken(name); i++) name = `untitled-${i}.cfg`;
    this.store.addedFile({ name, text: newText });
  }

  /** Renames a file; the ending sets its language. Returns the reason of a failure, or null. */
  renameFile(name: string, to: string): string | null {
    if (to.endsWith(".problem")) to += "/task.md"; // a problem is a folder
    if (to === name) return null;
    if (to === "" || to.trim() !== to || to.includes("..")) return "This is not a valid file name.";
    if (this.store.state.files.some((f) => f.name === to)) return `There is a file “${to}” already.`;
    this.store.renamedFile(name, to);
    // A new file gets the template of its notation.
    if (this.isNew(to) && notationOf(to) !== null && notationOf(to) !== "grammar")
      void import("../edit/new-texts.js").then(
        ({ newTexts }) =>
          this.isNew(to) &&
          this.store.keptFiles(newTexts(to).filter((f) => f.name === to || this.#textOf(f.name) === undefined)),
      );
    return null;
  }

  /** Reports whether a file still has the text of a new file. */
  isNew(name: string): boolean {
    return this.#textOf(name) === newText;
  }

  #textOf(name: string): string | undefined {
    return this.store.state.files.find((f) => f.name === name)?.text;
  }

  removeFile(name: string): void {
    this.#keep({ ...this.#draft(), edited: true });
    this.store.removedFile(name);
    this.toast(`“${name}” was removed; the previous workspace is under Examples, earlier drafts.`);
  }

  // Links.

  async archive(files: readonly WorkFile[]): Promise<string> {
    return (await this.core.call("workspace.export", { files: [...files] })).archive;
  }

  async openLink(fragment: string): Promise<void> {
    const { files: before } = this.store.state;
    try {
      const { files, main, log } = await this.core.call("share.decode", { fragment });
      const opened = await this.#openShared(
        {
          title: `${main}, from a link`,
          files,
          current: files.some((f) => f.name === log?.name) ? (log?.name ?? main) : main,
        },
        before,
      );
      if (opened && log !== undefined && log !== null) {
        await this.play(files, log);
      }
    } catch (reason) {
      if (reason instanceof CoreError && reason.code.startsWith("module.")) return;
      clearAddress();
      this.store.showedBanner({ tone: "bad", text: `${sentence(messageOf(reason))} Your own text is unchanged.` });
    }
  }

  /** Opens the workspace that the page's address refers to. */
  async #openSource(): Promise<void> {
    const { files: before } = this.store.state;
    try {
      const { fetchWorkspace, sourceOf } = await import("./workspace-source.js");
      const source = sourceOf(location.search, folder(this.assets.gallery));
      if (source !== null) await this.#openShared(await fetchWorkspace(source, this.core), before);
    } catch (reason) {
      if (reason instanceof CoreError && reason.code.startsWith("module.")) return;
      clearAddress();
      this.store.showedBanner({ tone: "bad", text: `${sentence(messageOf(reason))} Your own text is unchanged.` });
    }
  }

  /** Opens a shared workspace, unless it is already known; it never replaces a draft. */
  async #openShared(workspace: Workspace, before: readonly WorkFile[]): Promise<boolean> {
    const mine = this.#draft();
    if (sameFiles(before, workspace.files)) {
      // The first edit clears the address; it may have happened while the link was read.
      this.#linked = this.store.state.files === before;
      if (!this.#linked) clearAddress();
      return true;
    }
    if (!(await this.open(workspace, "link"))) {
      clearAddress();
      return false;
    }
    if (mine.edited)
      this.store.showedBanner({
        tone: "plain",
        text: `This is the shared workspace. Your draft “${mine.title}” is kept.`,
        actions: [{ label: "Back to my draft", act: () => void this.reopen(mine) }],
      });
    return true;
  }

  // Stepping.

  step(word: readonly string[]): void {
    this.store.steppedTo(word);
    void this.#walk();
  }

  async #walk(): Promise<void> {
    const { state } = this.store;
    if (!hasSteps(state.current) || state.analysis === null) return;
    const number = ++this.#walks;
    const { word, revision } = state;
    try {
      const result = await this.core.call("step.walk", {
        files: [...state.files],
        name: state.current,
        word: [...word],
      });
      if (number === this.#walks) this.store.walked({ word, result, revision });
    } catch (reason) {
      if (number === this.#walks) this.store.walkFailed(faultOf(reason));
    }
  }

  /** Requests the deferred checks. They need the full core; nothing waits for them. */
  async #check(): Promise<void> {
    if (this.#checking) return; // checked again at the end
    const { files, current, revision } = this.store.state;
    const names = checkedNames(files, current);
    if (names.length === 0) return;
    this.#checking = true;
    const checks = await Promise.all(
      names.map(async (name) => ({
        name,
        text: files.find((f) => f.name === name)?.text ?? "",
        result: await this.core.call("language.check", { files: [...files], name }),
      })),
    ).catch(() => []); // the analysis is shown anyway
    this.#checking = false;
    if (this.store.state.revision === revision) this.store.checksArrived(checks);
    else if (this.store.state.analysis?.revision === this.store.state.revision) void this.#check();
  }

  /** Returns a graph of the open file, with the parts that its drawing omits. */
  whole(view: string): Promise<DrawingWholeResult> {
    const { files, current } = this.store.state;
    return this.core.call("drawing.whole", { files: [...files], name: current, view });
  }

  /** Checks the example's words again. */
  async #checkWords(): Promise<void> {
    const { gallery, example, files, current, revision } = this.store.state;
    const found = gallery.find((e) => e.id === example);
    if (!found?.words || found.main !== current) return;
    const checked: CheckedWord[] = [];
    for (const { word, pass } of found.words) {
      try {
        const { verdict } = await this.core.call("step.walk", { files: [...files], name: current, word: [...word] });
        checked.push({ word, pass, verdict });
      } catch {
        checked.push({ word, pass });
      }
      if (this.store.state.revision !== revision) return;
    }
    this.store.checkedWords(checked);
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

  /** A part of the page is missing: its version was replaced, or the device is offline. */
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
    this.#keep({ ...this.#draft(), edited: true });
    if (alone) {
      void this.open({ title: "A draft", files, current: first.name }, "person");
      return;
    }
    for (const file of files) {
      if (this.store.state.files.some((f) => f.name === file.name)) this.store.editedText(file.name, file.text);
      else this.store.addedFile(file);
    }
    this.store.openedFile(first.name);
    this.toast("The draft was accepted; the previous workspace is under Examples, earlier drafts.");
  }

  doRun(command: RunCommand): void {
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
    let { revision, generation, edited } = this.store.state;
    this.#analyseSoon(0);
    this.store.subscribe((state) => {
      if (state.revision === revision) return;
      const opened = state.generation !== generation;
      ({ revision, generation, edited } = state);
      this.#analyseSoon(opened ? 0 : this.#analysisDelay);
      this.#hasten();
      if (edited && !opened) {
        if (this.#linked) {
          // The link in the address no longer matches the workspace.
          this.#linked = false;
          clearAddress();
        }
        clearTimeout(this.#saveTimer);
        this.#saveTimer = setTimeout(() => this.#save(), SAVE_DELAY);
      }
    });
    window.addEventListener("hashchange", () => {
      if (location.hash.length > 1) void this.openLink(location.hash);
    });
    // Saves the last edits of a page that is left.
    document.addEventListener("visibilitychange", () => {
      const { saved, edited } = this.store.state;
      if (document.visibilityState !== "hidden" || saved === "yes" || !edited || this.embedded || this.#slot === "")
        return;
      storage.hurryDraft(this.#slot, this.#draft());
      void this.#save();
    });
  }

  /**
   * Loads the full core, which is faster and finds more, once a person opens or writes something and
   * the connection allows it.
   */
  #hasten(): void {
    if (
      this.#hastened ||
      this.embedded ||
      (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
    )
      return;
    this.#hastened = true;
    whenIdle(() => this.core.hasten());
  }

  #analyseSoon(delay: number): void {
    clearTimeout(this.#analysisTimer);
    this.#analysisTimer = setTimeout(() => void this.#analyse(), delay);
  }

  async #analyse(): Promise<void> {
    if (this.#analysing) return; // continued at the end
    const { files, current, revision } = this.store.state;
    this.#analysing = true;
    this.#asked = revision;
    const began = performance.now();
    try {
      const params = { files: [...files], name: current };
      const result = await this.core.call("document.analyze", params, needsFullModule(current));
      this.#analysisDelay = performance.now() - began > LONG_ANALYSIS ? ANALYSIS_DELAY : 0;
      if (this.store.state.revision === revision) {
        this.store.analyzed({ name: current, revision, result });
        void this.#walk();
        void this.#checkWords();
        void this.#check();
      }
    } catch (reason) {
      if (faultOf(reason).code === "module.load") {
        this.#asked = -1; // the core was not available
      } else if (isLost(reason)) {
        const times = this.#hung.revision === revision ? this.#hung.times + 1 : 1;
        this.#hung = { revision, times };
        // A text that crashes the core twice would always do so.
        if (times < 2) this.#asked = -1;
        else
          this.store.analysisFailed({
            code: "module.silent",
            message: `The core cannot process this text (${current}). The text is kept; change it to try again.`,
          });
      } else if (this.store.state.revision === revision) {
        this.store.analysisFailed(faultOf(reason));
      }
    } finally {
      this.#analysing = false;
    }
    if (this.store.state.revision !== this.#asked && this.store.state.core.status !== "failed") this.#analyseSoon(0);
  }

  async #loadGallery(fresh: boolean): Promise<void> {
    try {
      const response = await fetch(new URL("index.json", folder(this.assets.gallery)));
      if (!response.ok) return;
      const gallery = (await response.json()) as Example[];
      this.store.galleryArrived(gallery);
      const { example, files, settings } = this.store.state;
      const found = gallery.find((e) => e.id === example);
      if (found === undefined) return;
      if (settings.task === "") this.store.settingsChanged({ task: found.task ?? "" });
      // The first response contains only the example's spec; its notes follow.
      if (fresh && files.length === 1) {
        const archive = await fetch(new URL(`${found.id}.txtar`, folder(this.assets.gallery)));
        const opened = await this.core.call("workspace.import", {
          name: `${found.id}.txtar`,
          base64: base64(await archive.arrayBuffer()),
        });
        const now = this.store.state;
        const mine = now.files[0];
        // Edits made meanwhile are kept.
        if (now.example === found.id && now.files.length === 1 && mine?.name === found.main) {
          this.store.completedWorkspace({
            title: found.title,
            files: opened.files.map((f) => (f.name === mine.name ? mine : f)),
            current: found.main,
            example: found.id,
          });
        }
      }
      void this.#checkWords();
    } catch {
      // The page works without its gallery; opening it reports the failure.
    }
  }

  #draft(): Draft {
    const { title, files, current, example, edited, drafts } = this.store.state;
    return {
      title,
      files,
      current,
      edited,
      savedAt: (this.#savedAt = Math.max(this.#savedAt + 1, savedAfter(drafts, Date.now()))),
      ...(example !== undefined && { example }),
    };
  }

  #keep(draft: Draft): void {
    if (!draft.edited || this.embedded) return;
    this.store.keptDraft(draft);
    void storage
      .addDrafts([draft])
      .then(
        (kept) =>
          kept === "yes" ||
          this.toast(
            `“${draft.title}” could not be saved: ${storage.unsaved[kept]}. It stays under Examples until you leave this page.`,
            "bad",
          ),
      );
    if (overLimit(this.store.state.drafts).length > 0)
      void import("./draft-limit.js").then(({ askForRoom }) => askForRoom(this)).catch(() => {});
  }

  async #save(): Promise<void> {
    if (this.embedded || this.#slot === "") return;
    const { revision } = this.store.state;
    this.store.savingChanged("saving");
    const draft = this.#draft();
    const ended = (kept: storage.Kept): void => {
      if (this.store.state.revision !== revision) return;
      if (kept === "yes") storage.forgetHurried(this.#slot);
      else storage.hurryDraft(this.#slot, draft);
      this.store.savingChanged(kept);
    };
    ended(await storage.rememberDraft(this.#slot, draft, ended));
  }
}

function explainLoad(fault: Fault): Fault {
  const why = navigator.onLine
    ? `The reason is: ${fault.message}. A content blocker or an interrupted connection may be the cause.`
    : "This device is offline.";
  return { code: fault.code, message: `${why} You can continue to edit; your text is saved.` };
}

function isLost(reason: unknown): boolean {
  return reason instanceof CoreError && reason.code.startsWith("module.");
}

function faultOf(reason: unknown): Fault {
  return { code: reason instanceof CoreError ? reason.code : "internal", message: messageOf(reason) };
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** Removes the opened workspace from the page's address. */
function clearAddress(): void {
  const search = new URLSearchParams(location.search);
  search.delete("url");
  search.delete("gist");
  search.delete("example");
  const rest = search.size === 0 ? "" : `?${search.toString()}`;
  if (location.hash !== "" || rest !== location.search) history.replaceState(null, "", location.pathname + rest);
}

function folder(address: string): string {
  return address.endsWith("/") ? address : address.replace(/[^/]*$/, "");
}
