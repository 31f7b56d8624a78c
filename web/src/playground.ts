import type { Assets } from "./assets.js";
import { base64 } from "./base64.js";
import { checkedNames } from "./checks.js";
import { CoreClient, CoreError } from "./core-client.js";
import type { Fault } from "./core-protocol.js";
import { claimSlot } from "./draft-slot.js";
import { overLimit, sameFiles, savedAfter } from "./drafts.js";
import { Endpoints } from "./endpoints.js";
import { whenIdle } from "./idle.js";
import { interruptedRuns } from "./kept-runs.js";
import { Keys } from "./keys.js";
import { lateStyle } from "./late-style.js";
import { languageService, type Service } from "./language-service.js";
import { LayoutClient } from "./layout-client.js";
import type { RunWish } from "./run-wish.js";
import type { Runs } from "./runs.js";
import { saveText } from "./save-text.js";
import { isSolved, shownKinds, thing } from "./spec.js";
import type { CheckedWord, Draft, Example, Place, Workspace } from "./state.js";
import * as storage from "./storage.js";
import type { Store } from "./store.js";
import { sentence } from "./words.js";
import type { DrawingWholeResult, File as WorkFile, RunLog } from "./wire.js";

/**
 * How long typing rests before a text is analysed that takes long. Others are analysed
 * at every letter: the page is never asked for more than one analysis at a time.
 */
const ANALYSIS_DELAY = 120;
/** What takes longer than this, in milliseconds, takes long. */
const LONG_ANALYSIS = 150;
/** How long typing rests before the draft is saved. */
const SAVE_DELAY = 250;
/** What stands in a new file. */
const NEW_TEXT = "S -> a S b | ε\n";
/** Larger files are not even read; the core's own limit is the same. */
const MAX_FILE = 8 << 20;

/**
 * What a person can do, and what follows from it: the only place where store,
 * core, layout and storage meet.
 */
export class Playground {
  readonly core: CoreClient;
  /** The instance of the core that runs have to themselves. */
  readonly runCore: CoreClient;
  readonly layouts: LayoutClient;
  readonly endpoints: Endpoints;
  readonly language: Service;
  #analysisTimer: ReturnType<typeof setTimeout> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #analysing = false;
  #analysisDelay = 0;
  #checking = false;
  #asked = -1; // the revision that was sent last
  #hung = { revision: -1, times: 0 };
  #walks = 0;
  #hastened = false;
  /** Where this tab's draft is kept. */
  #slot = "";
  /** When it was saved last: later by each time, whatever the clock does. */
  #savedAt = 0;
  #runs: Promise<Runs> | undefined;
  #arrived: Runs | undefined;
  /** The workspace came with a link and was not changed since: the link is its address. */
  #linked = false;

  constructor(
    readonly store: Store,
    readonly assets: Assets,
    /** Within another page: nothing is kept on the device. */
    private readonly embedded = false,
  ) {
    const whole = { br: assets.whole_br, gz: assets.whole_gz };
    const core = { worker: assets.core_worker, first: { br: assets.module_br, gz: assets.module_gz }, whole, solvers: assets.solvers };
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
        this.#asked = -1; // the first module was asked
        if (!this.#analysing) this.#analyseSoon(0);
      },
      restarted: (fault) => {
        store.coreChanged({ status: "loading" });
        this.toast(fault.code === "module.silent" ? fault.message : `The core broke off (${fault.message}) and was started anew; your text is as it was.`, "bad");
      },
    });
    this.runCore = new CoreClient({ ...core, first: whole }, {
      started: () => keys.handAll(),
      restarted: ({ code, message }) => this.toast(`The core of your runs ${code === "module.silent" ? "did not answer" : `broke off (${message})`} and was restarted; the runs resume with the answers they had.`, "bad"),
      solver: (progress) => store.solverAt(progress),
      update: (run, update) => {
        if (!this.endpoints.update(run, update)) this.#arrived?.update(run, update);
      },
    }, "runs");
    const keys = new Keys((message) => this.runCore.key(message), (notes) => store.keysChanged(notes));
    this.endpoints = new Endpoints(store, this.core, this.runCore, keys, (text) => this.toast(text, "bad"));
    this.language = languageService(store, this.core, (place) => this.show(place));
    this.layouts = new LayoutClient(assets.layout_worker, assets.viz);
  }

  /** Starts the core and brings back what was there at the last visit. */
  async start(): Promise<void> {
    const { store } = this;
    const shown = { files: store.state.files, generation: store.state.generation, edited: () => store.state.edited };
    this.core.start();
    this.#follow();
    const silent = (await storage.answers()) === "silent";
    const [{ drafts, settings }, { key, draft, left }] = await Promise.all([silent ? ({ drafts: [] } as storage.Remembered) : storage.recall(), claimSlot(silent)]);
    if (silent) store.showedBanner({ tone: "bad", text: "This browser's storage does not answer, so your earlier drafts cannot be read. Reload to try again." });
    this.#slot = key;
    this.#savedAt = draft?.savedAt ?? 0;
    store.draftsArrived(drafts);
    for (const draft of left) this.#keep(draft);
    if (settings !== undefined) store.settingsChanged(settings);
    void this.endpoints.recall();
    void this.#findInterrupted();
    // Whoever typed before the draft was read keeps what was typed.
    if (draft !== undefined && !shown.edited() && store.state.generation === shown.generation) {
      if (!sameFiles(draft.files, shown.files)) store.openedWorkspace(draft, draft.edited);
      void this.#save();
    } else if (store.state.edited) {
      this.#save();
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

  /** Starts within another page, with what the address carries or an example of the gallery. */
  async startEmbedded(example: string): Promise<void> {
    this.core.start();
    this.#follow();
    if (location.hash.length > 1) await this.openLink(location.hash);
    else if (/^[\w-]+$/.test(example)) await this.#openGallery(example);
    if (this.store.state.files.length === 0 && this.store.state.banner === null) this.store.showedBanner({ tone: "bad", text: "There is no specification in the address of this embed." });
  }

  async #openGallery(id: string): Promise<void> {
    try {
      const gallery = (await (await fetch(new URL("index.json", folder(this.assets.gallery)))).json()) as Example[];
      const found = gallery.find((e) => e.id === id);
      if (found !== undefined) await this.openExample(found);
      else this.store.showedBanner({ tone: "bad", text: `There is no example “${id}”.` });
    } catch {
      this.store.showedBanner({ tone: "bad", text: "The example did not arrive. Is this device offline?" });
    }
  }

  /** A file of the records that the site has beside its gallery. */
  async records(name: string): Promise<string> {
    const response = await fetch(new URL(name, folder(this.assets.gallery)));
    if (!response.ok) throw new Error(`the records did not arrive: the server answered ${response.status}`);
    return response.text();
  }

  retryCore(): void {
    this.store.coreChanged({ status: "loading" });
    this.core.start();
    this.#analyseSoon(0);
  }

  // Workspaces.

  /** Opens another workspace, unless the person keeps a live run instead; what was edited is put aside, never lost. */
  async open(workspace: Workspace, from: "person" | "link"): Promise<boolean> {
    if (this.#arrived !== undefined && this.#arrived.live().length > 0 && !(await this.#arrived.mayLeave(workspace.title))) return false;
    const { state } = this.store;
    if (state.edited && !sameFiles(state.files, workspace.files)) this.#keep(this.#draft());
    this.#linked = from === "link";
    if (from === "person") clearAddress();
    this.store.openedWorkspace(workspace);
    this.store.showedBanner(null);
    const task = state.gallery.find((e) => e.id === workspace.example)?.task;
    this.store.settingsChanged({ ...(task !== undefined && { task }), agent: { ...state.settings.agent, reference: "", then: "", template: "" } });
    if (from === "person") void this.#save();
    return true;
  }

  async reopen(draft: Draft): Promise<void> {
    if (!(await this.open(draft, "person"))) return;
    this.store.openedWorkspace(draft, draft.edited);
    this.#save();
  }

  /** Opens an example and, where that is wanted, plays its recorded run, which asks no model. */
  /** Keeps the workspace as it is now, under a name. */
  keepVersion(title: string): void {
    this.#keep({ ...this.#draft(), title, edited: true, named: true });
    this.toast(`“${title}” is kept on this device, under Examples.`);
  }

  async openExample(example: Example, play = false): Promise<void> {
    const arrived = async (ending: string): Promise<Response> => {
      const response = await fetch(new URL(example.id + ending, folder(this.assets.gallery)));
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      return response;
    };
    try {
      const { files } = await this.core.call("workspace.import", { name: `${example.id}.txtar`, base64: base64(await (await arrived(".txtar")).arrayBuffer()) });
      if (!(await this.open({ title: example.title, files, current: example.main, example: example.id }, "person"))) return;
      if (play) await this.play(files, (await (await arrived(".run.json")).json()) as RunLog);
    } catch (reason) {
      this.toast(`The example did not arrive: ${messageOf(reason)}.`, "bad");
    }
  }

  /** Opens files from this device: specs, texts, or an archive of them. */
  async openFiles(list: readonly globalThis.File[]): Promise<void> {
    const files: WorkFile[] = [];
    const [only] = list;
    if (only !== undefined && list.length === 1 && only.size <= MAX_FILE && (await this.#openRecording(only))) return;
    for (const file of list) {
      if (file.size > MAX_FILE) {
        this.store.showedBanner({ tone: "bad", text: `“${file.name}” is larger than 8 MiB and was not opened; your text is as it was.` });
        return;
      }
      try {
        const opened = await this.core.call("workspace.import", { name: file.name, base64: base64(await file.arrayBuffer()) });
        files.push(...opened.files.filter((f) => !files.some((g) => g.name === f.name)));
      } catch (reason) {
        this.store.showedBanner({ tone: "bad", text: `${sentence(messageOf(reason))} Your text is as it was.` });
        return;
      }
    }
    const main = files.find((f) => thing(f.name) !== null && thing(f.name) !== "formulas") ?? files.find((f) => thing(f.name) !== null) ?? files[0];
    if (main !== undefined) await this.open({ title: list.length === 1 ? (list[0]?.name ?? "Opened files") : "Opened files", files, current: main.name }, "person");
  }

  /** Hands the workspace to the person as one archive. */
  async saveArchive(): Promise<void> {
    const { files, title } = this.store.state;
    try {
      const archive = await this.archive(files);
      saveText(`${title.replace(/\.[a-z]+$/, "").replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase()}.txtar`, archive);
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
      this.toast(result.changed ? "Formatted." : "Already in good form.");
    } catch (reason) {
      this.toast(`Not formatted: ${messageOf(reason)}.`, "bad");
    }
  }

  addFile(): void {
    const { files } = this.store.state;
    const taken = (name: string): boolean => files.some((f) => f.name === name);
    let name = "untitled.cfg";
    for (let i = 2; taken(name); i++) name = `untitled-${i}.cfg`;
    this.store.addedFile({ name, text: NEW_TEXT });
  }

  /** Renames a file; its ending says what language it is in. Returns why not, or null. */
  renameFile(name: string, to: string): string | null {
    if (to.endsWith(".problem")) to += "/task.md"; // a problem is a folder
    if (to === name) return null;
    if (to === "" || to.trim() !== to || to.includes("..")) return "That is not a file name.";
    if (this.store.state.files.some((f) => f.name === to)) return `There is a file “${to}” already.`;
    this.store.renamedFile(name, to);
    // A new file that is to be a team, or a problem, begins as one.
    if (!this.isNew(to)) return null;
    if (thing(to) === "team") void import("./new-team.js").then(({ newTeam }) => this.isNew(to) && this.store.editedText(to, newTeam));
    if (isSolved(thing(to))) {
      void import("./new-problem.js").then(({ newProblem }) => this.isNew(to) && this.store.keptFiles(newProblem(to).filter((f) => f.name === to || this.#textOf(f.name) === undefined)));
    }
    return null;
  }

  /** Whether a file has nothing in it yet but what every new file has. */
  isNew(name: string): boolean {
    return this.#textOf(name) === NEW_TEXT;
  }

  #textOf(name: string): string | undefined {
    return this.store.state.files.find((f) => f.name === name)?.text;
  }

  removeFile(name: string): void {
    this.#keep({ ...this.#draft(), edited: true });
    this.store.removedFile(name);
    this.toast(`“${name}” was removed; the workspace as it was is under Examples, earlier drafts.`);
  }

  // Links.

  async archive(files: readonly WorkFile[]): Promise<string> {
    return (await this.core.call("workspace.export", { files: [...files] })).archive;
  }

  async openLink(fragment: string): Promise<void> {
    const { files: before } = this.store.state;
    try {
      const { files, main, log } = await this.core.call("share.decode", { fragment });
      const opened = await this.#openShared({ title: `${main}, from a link`, files, current: files.some((f) => f.name === log?.name) ? (log?.name ?? main) : main }, before);
      if (opened && log !== undefined && log !== null) {
        await this.play(files, log);
      }
    } catch (reason) {
      if (reason instanceof CoreError && reason.code.startsWith("module.")) return;
      clearAddress();
      this.store.showedBanner({ tone: "bad", text: `${sentence(messageOf(reason))} Your own text is as it was.` });
    }
  }

  /** Opens what the page's address names elsewhere. */
  async #openSource(): Promise<void> {
    const { files: before } = this.store.state;
    try {
      const { fetchWorkspace, sourceOf } = await import("./sources.js");
      const source = sourceOf(location.search, folder(this.assets.gallery));
      if (source !== null) await this.#openShared(await fetchWorkspace(source, this.core), before);
    } catch (reason) {
      if (reason instanceof CoreError && reason.code.startsWith("module.")) return;
      clearAddress();
      this.store.showedBanner({ tone: "bad", text: `${sentence(messageOf(reason))} Your own text is as it was.` });
    }
  }

  /** Opens a workspace that came from elsewhere, unless it was there before; a draft is never lost to it. */
  async #openShared(workspace: Workspace, before: readonly WorkFile[]): Promise<boolean> {
    const mine = this.#draft();
    if (sameFiles(before, workspace.files)) {
      // The address is left with the first edit, which may have been made while the link was read.
      this.#linked = this.store.state.files === before;
      if (!this.#linked) clearAddress();
      return true;
    }
    if (!(await this.open(workspace, "link"))) {
      clearAddress();
      return false;
    }
    if (mine.edited) this.store.showedBanner({ tone: "plain", text: `This is the shared workspace. Your draft “${mine.title}” is kept.`, actions: [{ label: "Back to my draft", act: () => void this.reopen(mine) }] });
    return true;
  }

  // Stepping.

  step(word: readonly string[]): void {
    this.store.steppedTo(word);
    void this.#walk();
  }

  async #walk(): Promise<void> {
    const { state } = this.store;
    const what = thing(state.current);
    if (what === null || what === "formulas" || what === "team" || isSolved(what) || state.analysis === null) return;
    const number = ++this.#walks;
    const { word, revision } = state;
    try {
      const result = await this.core.call("step.walk", { files: [...state.files], name: state.current, word: [...word] });
      if (number === this.#walks) this.store.walked({ word, result, revision });
    } catch (reason) {
      if (number === this.#walks) this.store.walkFailed(faultOf(reason));
    }
  }

  /** Asks what is to be found beyond the file's own text. That takes the whole core, which nothing here waits for. */
  async #check(): Promise<void> {
    if (this.#checking) return; // its end looks again
    const { files, current, revision } = this.store.state;
    const names = checkedNames(files, current);
    if (names.length === 0) return;
    this.#checking = true;
    const checks = await Promise.all(names.map(async (name) => ({
      name, text: files.find((f) => f.name === name)?.text ?? "", result: await this.core.call("language.check", { files: [...files], name }),
    }))).catch(() => []); // the file's own problems are shown all the same
    this.#checking = false;
    if (this.store.state.revision === revision) this.store.checksArrived(checks);
    else if (this.store.state.analysis?.revision === this.store.state.revision) void this.#check();
  }

  /** One of the graphs of the file that is open, with all that its drawing leaves out. */
  whole(view: string): Promise<DrawingWholeResult> {
    const { files, current } = this.store.state;
    return this.core.call("drawing.whole", { files: [...files], name: current, view });
  }

  /** Asks anew what the spec says of the example's words. */
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

  /** The runs, and what shows them; they come when they are first asked for. */
  runs(): Promise<Runs> {
    this.#runs ??= this.part(async () => {
      const { Runs } = await import("./run-tab.js");
      return (this.#arrived = new Runs(this.store, this.core, this.runCore, (text, tone) => this.toast(text, tone), (workspace) => this.open(workspace, "person")));
    }).catch((reason: unknown) => {
      this.#runs = undefined; // the next one who asks tries again
      throw reason;
    });
    return this.#runs;
  }

  /** Fetches a part of the page with its looks, and says so where it does not arrive. */
  async part<T>(fetched: () => Promise<T>): Promise<T> {
    try {
      const [part] = await Promise.all([fetched(), lateStyle(this.assets.late_style)]);
      return part;
    } catch (reason) {
      void this.#missing();
      throw reason;
    }
  }

  /** A part of the page is not where it was: that of a version that is gone, or there is no network. */
  async #missing(): Promise<void> {
    const script = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src") ?? "";
    const page = await fetch(location.pathname, { cache: "no-store" }).then((response) => (response.ok ? response.text() : ""), () => "");
    if (page === "" || page.includes(script)) this.toast("A part of the page did not arrive. Are you offline?", "bad");
    else this.store.showedBanner({ tone: "bad", text: "A newer version of Stile is out, and this one's parts are gone. Reload to get it; your text is kept.", actions: [{ label: "Reload", act: () => location.reload() }] });
  }

  /** Shows a place of a file. */
  show({ name, from, to }: Omit<Place, "count">): void {
    this.store.openedFile(name);
    this.store.wishedPlace(name, from, to);
  }

  /** Shows in the stepper where a word leads. */
  stepThrough(name: string, word: readonly string[]): void {
    this.store.openedFile(name);
    this.store.chosePanel("automaton");
    this.step(word);
  }

  /** Takes a drafted spec over: into the workspace, or as one of its own. */
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
    this.toast("The draft is in; the workspace as it was is under Examples, earlier drafts.");
  }

  doRun(wish: RunWish): void {
    this.runs().then((runs) => runs.do(wish), () => {});
  }

  /** Plays a recording in the Run tab. */
  async play(files: readonly WorkFile[], log: RunLog): Promise<void> {
    const runs = await this.runs();
    if (!(await runs.mayLeave(log.name, runs.live().filter((run) => run === this.store.state.run)))) return;
    this.store.chosePanel("run");
    runs.play({ workspace: { files, name: log.name }, log }, shownKinds.find((kind) => kind === log.kind) ?? "plan");
  }

  /** Plays a file that is a recording; false where it is none. */
  async #openRecording(file: globalThis.File): Promise<boolean> {
    if (!file.name.endsWith(".json")) return false;
    const recording = await import("./run-tab.js").then(async ({ recordingOf }) => recordingOf(await file.text()), () => null);
    if (recording === null) return false;
    const { files = this.store.state.files, log } = recording;
    if (!sameFiles(this.store.state.files, files) && !(await this.open({ title: `The run of ${log.name}`, files, current: log.name }, "person"))) return true;
    await this.play(files, log);
    return true;
  }

  // The page.

  toast(text: string, tone: "plain" | "bad" = "plain"): void {
    const id = this.store.showedToast({ text, tone });
    setTimeout(() => this.store.closedToast(id), tone === "bad" ? 12_000 : 4_000);
  }

  // What follows from a change.

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
          // From now on the link in the address no longer says what is shown.
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
    // A page that is left in the middle of a word has its last letters saved, too.
    document.addEventListener("visibilitychange", () => {
      const { saved, edited } = this.store.state;
      if (document.visibilityState !== "hidden" || saved === "yes" || !edited || this.embedded || this.#slot === "") return;
      storage.hurryDraft(this.#slot, this.#draft());
      void this.#save();
    });
  }

  /** Whoever opens or writes something gets the core that is faster and finds more, if it may cost what it costs. */
  #hasten(): void {
    if (this.#hastened || this.embedded || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true) return;
    this.#hastened = true;
    whenIdle(() => this.core.hasten());
  }

  #analyseSoon(delay: number): void {
    clearTimeout(this.#analysisTimer);
    this.#analysisTimer = setTimeout(() => void this.#analyse(), delay);
  }

  async #analyse(): Promise<void> {
    if (this.#analysing) return; // its end looks again
    const { files, current, revision } = this.store.state;
    this.#analysing = true;
    this.#asked = revision;
    const began = performance.now();
    try {
      // The first module takes teams, problems and what tools do for notes.
      if (thing(current) === "team" || isSolved(thing(current)) || current === "tools.json") await this.core.call("team.defaults", {});
      const result = await this.core.call("document.analyze", { files: [...files], name: current });
      this.#analysisDelay = performance.now() - began > LONG_ANALYSIS ? ANALYSIS_DELAY : 0;
      if (this.store.state.revision === revision) {
        this.store.analyzed({ name: current, revision, result });
        void this.#walk();
        void this.#checkWords();
        void this.#check();
      }
    } catch (reason) {
      if (faultOf(reason).code === "module.load") {
        this.#asked = -1; // there was no core to read it
      } else if (isLost(reason)) {
        const times = this.#hung.revision === revision ? this.#hung.times + 1 : 1;
        this.#hung = { revision, times };
        // A text that takes the core down twice would do so for ever.
        if (times < 2) this.#asked = -1;
        else this.store.analysisFailed({ code: "module.silent", message: `The core cannot cope with this text (${current}). It is kept as it is; change it to try again.` });
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
      // The first response carries the example's spec only; its notes follow.
      if (fresh && files.length === 1) {
        const archive = await fetch(new URL(`${found.id}.txtar`, folder(this.assets.gallery)));
        const opened = await this.core.call("workspace.import", { name: `${found.id}.txtar`, base64: base64(await archive.arrayBuffer()) });
        const now = this.store.state;
        const mine = now.files[0];
        // Whatever was typed meanwhile stays.
        if (now.example === found.id && now.files.length === 1 && mine?.name === found.main) {
          this.store.completedWorkspace({ title: found.title, files: opened.files.map((f) => (f.name === mine.name ? mine : f)), current: found.main, example: found.id });
        }
      }
      void this.#checkWords();
    } catch {
      // The page is whole without its gallery; opening it says what is missing.
    }
  }

  #draft(): Draft {
    const { title, files, current, example, edited, drafts } = this.store.state;
    return { title, files, current, edited, savedAt: (this.#savedAt = Math.max(this.#savedAt + 1, savedAfter(drafts, Date.now()))), ...(example !== undefined && { example }) };
  }

  #keep(draft: Draft): void {
    if (!draft.edited || this.embedded) return;
    this.store.keptDraft(draft);
    void storage.addDrafts([draft]).then((kept) => kept === "yes" || this.toast(`“${draft.title}” could not be saved: ${storage.unsaved[kept]}. It is under Examples until this page is left.`, "bad"));
    if (overLimit(this.store.state.drafts).length > 0) void import("./draft-limit.js").then(({ askForRoom }) => askForRoom(this)).catch(() => {});
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
    ? `It did not load (${fault.message}). A content blocker or an interrupted connection may be the cause.`
    : "It did not load, for this device is offline.";
  return { code: fault.code, message: `${why} You can go on editing; your text is saved.` };
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

/** Takes what was opened out of the page's address. */
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
