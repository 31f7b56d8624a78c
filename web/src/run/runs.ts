import { recallAgreed, rememberAgreed } from "../core/tool-consent.js";
import type { CoreClient } from "../core/core-client.js";
import type { Pace, RunUpdate } from "../core/core-protocol.js";
import { endpointOf, priceOf } from "../models/endpoint-actions.js";
import type { PlanChange, PlanSettings, TeamGraph } from "./events.js";
import { sameFiles } from "../store/drafts.js";
import { forgetRun, interruptedRuns } from "../store/unfinished-runs.js";
import { endsMove } from "../core/move-end.js";
import { finish, isKept, settled } from "./run-finish.js";
import { history } from "../store/run-history.js";
import { beforeOffer, forked, fromStage, usableAnswers, withGraph } from "./run-branches.js";
import type { RunCommand } from "./run-command.js";
import { RunKeepers } from "./run-keepers.js";
import { comparison, drafting, specRun, type StartParams } from "./run-params.js";
import { askToSpend, type Bounds, estimateFrom, estimateText, over, tried, usesEndpoint } from "./ceiling.js";
import { askToLeave, changeFinished } from "./run-questions.js";
import { bounds, changeFrom, modelSettings } from "./run-settings.js";
import { aside, goes, hasOutcome, joined, joinedEvents, kindOf, outOfMemory, settingsOf } from "./run-state.js";
import { saveText } from "../share/save-file.js";
import type { Run, RunDefaults, RunKind, Workspace } from "../store/state.js";
import * as storage from "../store/storage.js";
import type { Store } from "../store/store.js";
import { advance, emptyTimeline, open } from "./timeline.js";
import type {
  BenchmarkSettings,
  File,
  LlmSpec,
  RunEstimateResult,
  RunStartParams,
  ToolAgenttoolsRemoteCall,
} from "../core/wire.js";
import { messageOf } from "../store/faults.js";
import { count, sentence } from "../ui/text.js";

/** The origin and start of a new run. */
interface Beginning {
  readonly replay?: boolean;
  readonly pace?: Pace;
  readonly origin?: string;
  /** The kept run that it resumes. */
  readonly replaces?: string;
  /** The allowed requests of its tools, if known. */
  readonly agreed?: readonly ToolAgenttoolsRemoteCall[];
  /** The run of this session that it replaces. */
  readonly instead?: Run;
}

/** The maximum number of automatic resumptions without a new answer, because the run itself may crash the core. */
const MAX_RESUMED = 2;
/** Milliseconds after which the page says that it estimates the cost of a run. */
const LONG_ESTIMATE = 500;

/**
 * The runs of this session. Every continuation (resume, another choice, retry) is a new run that
 * begins with a recording: the first answers of the old run, and new settings. So a continuation does
 * not depend on the core's memory, and the old run stays unchanged.
 */
export class Runs {
  #keepers = new RunKeepers(() => void this.recall());
  /** Whether the cost of a comparison is being estimated. */
  #estimating = false;
  /** The runs in progress, shown or not. */
  #going = new Set<number>();
  /** The number of automatic resumptions of each run, and the number of its answers at the last one. */
  #resumed = new Map<number, { readonly times: number; readonly answers: number }>();
  /** Titles of the runs' workspaces. */
  #titles = new Map<number, string>();
  /** The runs of this session that the device keeps. */
  #safe = new Set<number>();
  /** The allowed requests of the runs' workspaces. */
  #agreed = new WeakMap<RunStartParams["workspace"], readonly ToolAgenttoolsRemoteCall[]>();
  /** Runs that the person has abandoned. */
  #left = new Set<number>();

  constructor(
    private readonly store: Store,
    private readonly core: CoreClient,
    private readonly runCore: CoreClient,
    private readonly toast: (text: string, tone?: "plain" | "bad") => void,
    /** Opens a workspace, or returns false if the person declines. */
    private readonly open: (workspace: Workspace) => Promise<boolean>,
  ) {
    void this.recall();
    void this.#recallAgreed();
    let { generation } = store.state;
    store.subscribe((state) => {
      if (state.generation === generation) return;
      ({ generation } = state);
      for (const number of this.#going) runCore.cancel(number);
      void this.#recallAgreed();
    });
  }

  /** Loads the consent for exactly these files. */
  async #recallAgreed(): Promise<void> {
    const { files, generation } = this.store.state;
    const agreed = await recallAgreed(files);
    if (agreed.length > 0 && this.store.state.generation === generation) this.store.settingsChanged({ agreed });
  }

  do(command: RunCommand): void {
    const { run } = this.store.state;
    switch (command.command) {
      case "start":
        this.#start(command.pace);
        break;
      case "pace":
        if (run === null || !goes(run)) break;
        this.runCore.pace(run.number, command.pace);
        this.#change({
          ...run,
          pausing: command.pace === "pause",
          ...(run.state === "paused" && { state: "working" as const }),
        });
        break;
      case "cancel":
        this.cancel(command.run);
        break;
      case "answer": {
        const asking = this.#find(command.run) ?? run;
        if (asking !== null) this.#answer(asking, command.effect, command.value);
        break;
      }
      case "compare":
        void this.#compare(comparison(this.store.state, command.methods, command.tries), command.tries);
        break;
      case "benchmark": {
        const { name, files, seed, settings } = command;
        void this.#benchmark({ kind: "benchmark", workspace: { files, name }, seed, settings });
        break;
      }
      case "learn":
      case "lab":
      case "prove": {
        const { command: kind, files, name, settings } = command;
        const seed = command.command === "learn" ? { seed: command.seed } : {};
        this.#begin({ kind, workspace: { files, name }, ...seed, settings }, kind, {});
        break;
      }
      case "cell":
        this.play(command.params, "cell");
        break;
      case "draft":
        this.#startOf(drafting(this.store.state, command.draft));
        break;
      case "take":
        if (run !== null) this.#takeChoice(run, command.offer, command.choice);
        break;
      case "ask-me":
        if (run !== null)
          this.#from(
            run,
            command.offer,
            (settings) => ({
              ...settings,
              changes: [...(settings.changes ?? []), { from: command.offer, model: { kind: "person" } }],
            }),
            `your choices from choice ${command.offer}`,
            "run",
          );
        break;
      case "choose-again":
        if (run !== null) void this.#chooseAgain(run, command.offer);
        break;
      case "resume-run": {
        const ended = this.#find(command.run) ?? run;
        if (ended !== null) this.#resumeEnded(ended);
        break;
      }
      case "without": {
        const refused = this.#find(command.run);
        if (refused === undefined) break;
        this.#drop(refused.number);
        this.#begin(
          {
            ...refused.params,
            settings: { ...(refused.params.settings as object | undefined), without: command.names },
          },
          refused.kind,
          { origin: refused.origin },
        );
        break;
      }
      case "restart-stage":
        if (run !== null) this.#again(run, command.files, command.from);
        break;
      case "change-graph":
        if (run !== null) this.#changeGraph(run, command.graph);
        break;
      case "moment":
        if (run !== null) this.#change({ ...run, moment: command.moment });
        break;
      case "show":
        this.store.runsChanged(this.store.state.runs, command.run);
        break;
      case "drop":
        this.#drop(command.run);
        break;
      case "resume":
      case "replay":
      case "discard":
        void this.#interrupted(command.command, command.id);
        break;
      case "open-finished":
        void this.#openFinished(command.id);
        break;
      case "pin-finished":
      case "delete-finished":
      case "clear-finished":
        void changeFinished(command, this.toast);
        break;
      case "export":
        if (run !== null) void this.#export(run, command.format);
        break;
    }
  }

  /** Loads unfinished runs of earlier visits. */
  async recall(): Promise<void> {
    const found = await interruptedRuns(() => void this.recall());
    const over = found.length === 0 ? new Set() : await settled(found.map((kept) => kept.id));
    this.store.interruptedFound(found.filter((kept) => !over.has(kept.id)));
  }

  /** Returns the runs in progress that call a model or a tool, or wait for the person. */
  live(): readonly Run[] {
    return this.store.state.runs.filter(
      (run) => this.#going.has(run.number) && !this.#left.has(run.number) && goes(run) && !run.replay,
    );
  }

  /** Asks whether runs may be cancelled to open something else, and cancels them. */
  async mayLeave(what: string, runs = this.live()): Promise<boolean> {
    if (runs.length === 0) return true;
    if (!(await askToLeave(what, runs))) return false;
    for (const { number } of runs) {
      this.#left.add(number);
      this.runCore.cancel(number);
    }
    return true;
  }

  async #openFinished(id: string): Promise<void> {
    const run = history.list?.find((r) => r.id === id);
    const recorded = await history.recorded(id);
    if (run === undefined || recorded === undefined) {
      this.toast("This run is no longer on the device.", "bad");
      return void history.read();
    }
    const { files } = recorded.params.workspace;
    if (!sameFiles(this.store.state.files, files) && !(await this.open({ title: run.title, files, current: run.name })))
      return;
    if (!(await this.mayLeave(run.title, this.#shownLive()))) return;
    if (run.kind === "compare") this.store.chosePanel("verify");
    this.play({ ...recorded.params, log: recorded.log }, run.kind, `kept, ${new Date(run.at).toLocaleString()}`);
  }

  /** Returns the shown run if it is live, because opening another run would end it. */
  #shownLive(): readonly Run[] {
    return this.live().filter((run) => run === this.store.state.run);
  }

  /** Runs the open spec, or the workspace's first, with the form's settings. */
  #start(pace: Pace): void {
    const { state } = this.store;
    if (state.run !== null && goes(state.run)) return;
    const params = specRun(state);
    if (params === null) return;
    void storage.rememberSettings(state.settings);
    void rememberAgreed(state.files, state.settings.agreed);
    this.#begin(params, params.kind, { pace });
  }

  /** Starts a run that is described by its parameters, if there are any. */
  #startOf(params: StartParams | null): void {
    if (params === null) return;
    void storage.rememberSettings(this.store.state.settings);
    this.#begin(params, params.kind, {});
  }

  /** Starts a comparison, after the person's consent if an endpoint makes its plans. */
  async #compare(params: StartParams | null, tries: number): Promise<void> {
    if (params === null) return;
    const { methods, model } = params.settings as { readonly methods: readonly string[]; readonly model: LlmSpec };
    const same = (run: Run): boolean =>
      run.kind === "compare" &&
      run.name === params.workspace.name &&
      JSON.stringify((settingsOf(run) as { readonly model?: LlmSpec }).model) === JSON.stringify(model);
    const before = estimateFrom(methods, tries, this.store.state.runs.find(same));
    const bounds = over(params.ceiling ?? {}, (await this.defaults()).manyCeiling);
    const plans = `The comparison makes ${count(methods.length * tries, "plan")}.`;
    if (await this.#consents(params, plans, bounds, before)) this.#startOf(params);
  }

  /** Starts a comparison on a benchmark, after the person's consent if an endpoint plays its tasks. */
  async #benchmark(params: StartParams): Promise<void> {
    const { methods = [], tasks = [] } = params.settings as BenchmarkSettings;
    const played = `The comparison plays ${count(tasks.length, "task")} by ${count(methods.length, "method")}.`;
    if (await this.#consents(params, played, (await this.defaults()).manyCeiling)) this.#begin(params, params.kind, {});
  }

  /** Asks before many runs with an endpoint; returns false if the person declines or the workspace changed meanwhile. */
  async #consents(params: StartParams, runs: string, bounds: Bounds, before?: RunEstimateResult): Promise<boolean> {
    if (!usesEndpoint(params.settings)) return true;
    if (this.#estimating) return false;
    this.#estimating = true;
    const { generation } = this.store.state;
    const slow = setTimeout(() => this.toast("Estimating the cost with a simulated model …"), LONG_ESTIMATE);
    try {
      const estimate = await this.#estimate(params, before);
      clearTimeout(slow);
      if (this.store.state.generation !== generation) return false;
      return await askToSpend("Comparison", `${runs} ${estimate}`, bounds);
    } finally {
      this.#estimating = false;
    }
  }

  /** Estimates the cost of many runs, from an earlier comparison or a trial with a simulated model. */
  async #estimate(params: StartParams, before: RunEstimateResult | undefined): Promise<string> {
    const { endpoint } = (params.settings as { readonly model: LlmSpec }).model;
    try {
      const price = endpoint === undefined ? null : await priceOf(this.core, endpoint);
      if (before !== undefined) return estimateText(before, "the last comparison", price);
      const { kind, workspace, settings, seed } = params;
      return await tried(this.core, { kind, workspace, settings, ...(seed !== undefined && { seed }) }, price);
    } catch (reason) {
      return `Each has one or several calls; there is no estimate (${messageOf(reason)}).`;
    }
  }

  /** Replays a recording; no effect beyond it is performed. */
  play(params: RunStartParams, kind: RunKind, origin = "", pace: Pace = "run"): void {
    this.#begin(params, kind, { replay: true, origin, pace });
  }

  /** Handles an update of a run; returns false if the run is unknown. */
  update(number: number, update: RunUpdate): boolean {
    if (!this.#going.has(number)) return false;
    const run = this.#find(number);
    const over = update.state === "done" || update.state === "failed" || update.state === "cancelled";
    if (over) this.#going.delete(number);
    if (run === undefined) {
      if (over) this.#keepers.forget(number);
      return true;
    }
    const interrupted = update.fault?.code === "module.silent" || update.fault?.code === "module.crash";
    const recorded = joined(run.recorded, update.log);
    const open = over ? [] : [...run.questions.filter((q) => !update.dropped.includes(q.id)), ...update.questions];
    const keeper = this.#keepers.keep(run, update, over && !interrupted);
    this.#change({
      ...run,
      state: update.state,
      events: joinedEvents(run.events, update.events),
      timeline: advance(run.timeline, update.events),
      questions: open,
      interrupted,
      pausing: run.pausing && !over && update.state !== "paused",
      ...(recorded && { recorded }),
      ...(update.fault && { fault: update.fault }),
      ...(hasOutcome(run.kind) && update.result !== undefined && { outcome: update.result }),
      ...(over && recorded && { log: recorded }),
    });
    const ended = this.#find(number);
    if (over && !interrupted && ended !== undefined && isKept(ended)) {
      void finish(ended, this.#titles.get(number) ?? ended.name, keeper, this.toast).then(
        (kept) => kept && this.#safe.add(number),
      );
    }
    // Resume only after the core has restarted.
    if (interrupted) queueMicrotask(() => this.#resume(run, number));
    return true;
  }

  /** Resumes a run at its pace after the core was lost, unless that has already failed. */
  #resume({ state, pausing }: Run, number: number): void {
    const run = this.#find(number);
    if (run === undefined) return;
    const answers = run.recorded?.answers.length ?? 0;
    const last = this.#resumed.get(number);
    const times = last?.answers === answers ? last.times + 1 : 1;
    this.#resumed.delete(number);
    if (times > MAX_RESUMED) return;
    const moves = run.events.filter(endsMove).length + (pausing ? 1 : 0);
    const pace = state !== "paused" && !pausing ? "run" : moves === 0 ? "pause" : moves;
    const begun = run.replay
      ? this.#begin(run.params, run.kind, { replay: true, pace, origin: run.origin, instead: run })
      : this.#resumeEnded(run, { pace, instead: run });
    if (begun !== undefined) this.#resumed.set(begun, { times, answers });
  }

  /** Cancels a run; by default the shown one. */
  cancel(number?: number): void {
    const run = number === undefined ? this.store.state.run : this.#find(number);
    if (run && goes(run)) this.runCore.cancel(run.number);
  }

  #find(number: number | undefined): Run | undefined {
    return this.store.state.runs.find((r) => r.number === number);
  }

  #begin(
    params: RunStartParams,
    kind: RunKind,
    { replay = false, pace = "run", origin = "", replaces, instead, agreed = this.#agreedFor(params) }: Beginning,
  ): number {
    const { state } = this.store;
    const own = aside(kind); // the Lab tab shows the run in a separate panel
    const before = instead ?? (own ? state.runs.find((r) => r.kind === kind) : state.run);
    if (before && goes(before)) this.runCore.cancel(before.number);
    const number = this.runCore.run(params, replay, pace, agreed);
    this.#going.add(number);
    this.#titles.set(number, (instead && this.#titles.get(instead.number)) ?? state.title);
    if (replaces !== undefined) this.#keepers.replace(number, replaces);
    const run: Run = {
      number,
      kind,
      name: params.workspace.name ?? "",
      origin,
      params,
      replay,
      state: "working",
      pausing: false,
      interrupted: false,
      events: [],
      timeline: emptyTimeline,
      moment: null,
      questions: [],
    };
    if (instead !== undefined) {
      this.store.runsChanged(
        state.runs.map((r) => (r === instead ? run : r)),
        state.run === instead ? number : undefined,
      );
      return number;
    }
    const oldest = own ? [] : outOfMemory(state.runs.filter((r) => !aside(r.kind)));
    const lost = oldest.filter((r) => !r.replay && !this.#safe.has(r.number));
    if (lost.length > 0)
      this.toast(
        `${count(lost.length, "run")} could not be saved and ${lost.length === 1 ? "was" : "were"} removed from the list: ${lost.map((r) => r.name).join(", ")}.`,
        "bad",
      );
    const runs = state.runs.filter((r) => (own ? r !== before : !oldest.includes(r)));
    this.store.runsChanged([...runs, run], own ? undefined : number);
    return number;
  }

  /**
   * Returns the allowed requests of a run's tools: those of the open workspace, or of the run that it
   * continues.
   */
  #agreedFor({ workspace }: RunStartParams): readonly ToolAgenttoolsRemoteCall[] {
    const { files, settings } = this.store.state;
    const agreed = sameFiles(workspace.files, files) ? settings.agreed : (this.#agreed.get(workspace) ?? []);
    this.#agreed.set(workspace, agreed);
    return agreed;
  }

  #change(run: Run): void {
    this.store.runsChanged(this.store.state.runs.map((r) => (r.number === run.number ? run : r)));
  }

  #drop(number: number): void {
    const { runs } = this.store.state;
    const dropped = runs.find((r) => r.number === number);
    if (dropped !== undefined && goes(dropped)) this.runCore.cancel(number);
    this.store.runsChanged(runs.filter((r) => r.number !== number));
  }

  #answer(run: Run, effect: string, value: string): void {
    this.#change({ ...run, questions: run.questions.filter((q) => q.id !== effect) });
    this.runCore.answer(run.number, { effect, value });
  }

  // Alternatives.

  #takeChoice(run: Run, number: number, choice: readonly number[]): void {
    const asked = run.questions[0];
    // An open question is simply answered.
    if (asked !== undefined && run.moment === null && open(run.timeline.plan)?.offer?.offer === number) {
      this.#answer(run, asked.id, choice.join(", "));
      return;
    }
    const mine = run.replay ? [this.#formModel(number + 1)] : [];
    this.#from(
      run,
      number,
      (settings) => ({
        ...settings,
        take: [...(settings.take ?? []), { offer: number, choice }],
        changes: [...(settings.changes ?? []), ...mine],
      }),
      `another choice at ${number}`,
    );
  }

  /** Returns the form's model: a recording from another person names that person's model, which is replaced. */
  #formModel(from: number): PlanChange {
    const { settings, endpoints } = this.store.state;
    return { from, model: modelSettings(settings, endpointOf(settings, endpoints)) };
  }

  async #chooseAgain(run: Run, number: number): Promise<void> {
    try {
      const usual = await this.defaults();
      const { settings, endpoints } = this.store.state;
      const change = changeFrom(number, settings, endpointOf(settings, endpoints), {
        template: usual.planTemplate,
        attempts: usual.planAttempts,
      });
      this.#from(
        run,
        number,
        (old) => ({ ...old, ...bounds(settings), changes: [...(old.changes ?? []), change] }),
        `repeated from choice ${number}`,
      );
    } catch (reason) {
      this.toast(sentence(reason instanceof Error ? reason.message : String(reason)), "bad");
    }
  }

  /** Forks a run at an offer, with other settings from there on; earlier choices and changes stay. */
  #from(run: Run, number: number, change: (settings: PlanSettings) => PlanSettings, origin: string, pace?: Pace): void {
    const branch = beforeOffer(run, number);
    if (branch === undefined) return;
    // A paused run stays paused.
    const held = run.state === "paused" || run.pausing;
    this.#fork(run, branch.answers, change(branch.settings), {
      origin: `${this.#nameOf(run)}, ${origin}`,
      pace: pace ?? (held ? branch.moves : "run"),
    });
  }

  #fork(run: Run, at: number, settings: unknown, beginning: Beginning): number {
    return this.#begin(forked(run, at, settings), run.kind, beginning);
  }

  /** Forks a team's run at its current state, with another graph. */
  #changeGraph(run: Run, graph: TeamGraph): void {
    this.#fork(run, run.recorded?.answers.length ?? 0, withGraph(run, graph), {
      origin: `${this.#nameOf(run)}, another graph`,
      pace: run.state === "paused" || run.pausing ? run.events.filter(endsMove).length + 1 : "run",
    });
  }

  /** Restarts a problem's run from a stage, with the earlier stages' products. */
  #again(run: Run, made: readonly File[], from: string): void {
    this.#begin(fromStage(run, made, from), run.kind, { origin: `${this.#nameOf(run)}, restarted from the ${from}` });
  }

  #resumeEnded(run: Run, more: Beginning = {}): number | undefined {
    const waiting = open(run.timeline.plan)?.offer;
    if (run.state === "failed" && !run.interrupted && waiting !== undefined) {
      void this.#chooseAgain(run, waiting.offer);
      return undefined;
    }
    const kept = this.#keepers.take(run.number);
    return this.#fork(run, usableAnswers(run), settingsOf(run), {
      origin: run.interrupted ? run.origin : `${this.#nameOf(run)}, continued`,
      ...(kept !== undefined && { replaces: kept }),
      ...more,
    });
  }

  #nameOf(run: Run): string {
    return `run ${this.store.state.runs.filter((r) => !aside(r.kind)).findIndex((r) => r.number === run.number) + 1}`;
  }

  async #interrupted(what: "resume" | "replay" | "discard", id: string): Promise<void> {
    const kept = this.store.state.interrupted.find((k) => k.id === id);
    if (kept === undefined || (what !== "discard" && !(await this.mayLeave(kept.title, this.#shownLive())))) return;
    if (what === "discard") await forgetRun(id); // the run is shown until it is deleted
    if (what !== "replay") this.store.interruptedFound(this.store.state.interrupted.filter((k) => k.id !== id));
    const params = { ...kept.params, log: kept.log };
    if (what === "discard") return;
    if (what === "replay") this.#begin(params, kindOf(kept), { replay: true, origin: "up to the interruption" });
    else
      this.#begin(params, kindOf(kept), {
        origin: "resumed",
        replaces: id,
        agreed: await recallAgreed(params.workspace.files),
      });
  }

  async defaults(): Promise<RunDefaults> {
    const known = this.store.state.defaults;
    if (known !== null) return known;
    const defaults = await this.core.call("run.defaults", {});
    this.store.defaultsArrived(defaults);
    return defaults;
  }

  async #export(run: Run, format: "json" | "markdown"): Promise<void> {
    const { recordingFile, reportFile } = await import("./run-file.js");
    const file = format === "json" ? recordingFile(run) : reportFile(run);
    if (file !== null) saveText(file.name, file.text, file.type);
  }
}
