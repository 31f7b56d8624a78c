import type { CoreClient } from "../core/core-client.js";
import { checkedNames } from "./deferred-checks.js";
import { faultOf, isLost, isUnloaded } from "./faults.js";
import { hasSteps, needsFullModule, notationOf } from "./file-kind.js";
import type { CheckedWord } from "./state.js";
import type { Store } from "./store.js";
import { whenIdle } from "../ui/when-idle.js";

/**
 * Milliseconds without typing before a text with slow analyses is analysed again. Other texts are analysed at
 * every edit. The page never has more than one analysis in progress.
 */
const ANALYSIS_DELAY = 120;
/** An analysis longer than this, in milliseconds, is slow. */
const LONG_ANALYSIS = 150;

/** Keeps the analysis of the open file, its deferred checks and the stepper's word up to date. */
export class Analyser {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #analysing = false;
  #delay = 0;
  #checking = false;
  #testing = false;
  #asked = -1; // the last sent revision
  #hung = { revision: -1, times: 0 };
  #walks = 0;
  #hastened = false;

  /** Whether the workspace's tests run; their results need the full core. */
  tests: boolean;

  constructor(
    private readonly store: Store,
    private readonly core: CoreClient,
    private readonly embedded: boolean,
  ) {
    this.tests = !embedded;
  }

  /** Analyses the text after an edit: at once, or after a pause in typing if its analyses are slow. */
  edited(): void {
    this.soon(this.#delay);
    this.#hasten();
  }

  /** Analyses another workspace. */
  opened(): void {
    this.soon();
    this.#hasten();
  }

  /** Analyses after a delay in milliseconds. */
  soon(delay = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#analyse(), delay);
  }

  /** Analyses the open file again with the full module, after the first module analysed it. */
  again(): void {
    this.#asked = -1;
    if (!this.#analysing) this.soon();
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
    this.started();
  }

  /** Loads the full core into a worker that has just started, if the full core was requested before. */
  started(): void {
    if (this.#hastened) whenIdle(() => this.core.hasten());
  }

  async #analyse(): Promise<void> {
    const { files, current, revision } = this.store.state;
    if (this.#analysing || files.length === 0) return; // continued at the end
    this.#analysing = true;
    this.#asked = revision;
    const began = performance.now();
    try {
      const params = { files: [...files], name: current };
      const result = await this.core.call("document.analyze", params, needsFullModule(current));
      this.#delay = performance.now() - began > LONG_ANALYSIS ? ANALYSIS_DELAY : 0;
      if (this.store.state.revision === revision) {
        this.store.analyzed({ name: current, revision, result });
        void this.walk();
        void this.checkWords();
        void this.#check();
        void this.#test();
      }
    } catch (reason) {
      if (isUnloaded(reason)) {
        this.#asked = -1; // the core was not available
      } else if (isLost(reason)) {
        const times = this.#hung.revision === revision ? this.#hung.times + 1 : 1;
        this.#hung = { revision, times };
        // A text that crashes the core twice would always do so, and the client sends a call to a silent core twice.
        if (times < 2 && faultOf(reason).code !== "module.silent") this.#asked = -1;
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
    if (this.store.state.revision !== this.#asked && this.store.state.core.status !== "failed") this.soon();
  }

  /** Checks the stepper's word. */
  async walk(): Promise<void> {
    const { state } = this.store;
    if (!hasSteps(state.current) || state.analysis === null) return;
    const number = ++this.#walks;
    const { word, revision, view } = state;
    try {
      const result = await this.core.call("step.walk", {
        files: [...state.files],
        name: state.current,
        word: [...word],
        ...(view !== "" && { view }),
      });
      if (number === this.#walks) this.store.walked({ word, result, revision });
    } catch (reason) {
      if (number === this.#walks) this.store.walkFailed(faultOf(reason));
    }
  }

  /** Requests the deferred checks. They need the full core; nothing waits for them. */
  async #check(): Promise<void> {
    if (this.#checking) return; // checked again at the end
    const { files, current, revision, generation, edited, panel } = this.store.state;
    // The page's first example has no problems: it is checked once a person needs more than its drawing.
    if (generation === 0 && !edited && !this.embedded && (panel === "automaton" || panel === "text")) return;
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

  /** Runs the workspace's tests. Nothing waits for their results. */
  async #test(): Promise<void> {
    if (this.#testing) return; // tested again at the end
    const { files, current, revision, generation, edited, tests } = this.store.state;
    // A first visit loads the full core once a person needs it.
    const first = generation === 0 && !edited && !this.embedded && notationOf(current) !== "tests";
    if (!this.tests || first || !files.some((f) => notationOf(f.name) === "tests")) {
      if (tests !== null) this.store.testsArrived(null);
      return;
    }
    this.#testing = true;
    const stale = (): boolean => this.store.state.revision !== revision;
    const results = await import("../tests/run-tests.js")
      .then(({ runTests }) => runTests(this.core, files, stale))
      .catch(() => null); // another element reports a lost core
    this.#testing = false;
    const { state } = this.store;
    if (stale()) {
      if (state.analysis?.revision === state.revision) void this.#test();
    } else if (results !== null) this.store.testsArrived({ revision, ...results });
  }

  /** Called when another panel opens, which may need the deferred checks. */
  panelChosen(): void {
    if (this.store.state.checks.length === 0 && this.store.state.analysis !== null) void this.#check();
  }

  /** Checks the example's words again. */
  async checkWords(): Promise<void> {
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
}
