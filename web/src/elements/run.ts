import { html, nothing } from "lit";
import type { CoreClient } from "../core-client.js";
import type { SolverProgress } from "../core-protocol.js";
import type { PlanSettings } from "../events.js";
import type { KeptRun } from "../kept-runs.js";
import type { KeyNote } from "../keys.js";
import type { LayoutClient } from "../layout-client.js";
import type { RunSettings } from "../run-form.js";
import { wish } from "../run-wish.js";
import { hasTools } from "../run-settings.js";
import { aside, canGoOn, goes, lookedAt } from "../runs.js";
import { alone } from "../problem-settings.js";
import { problemOf, thing } from "../spec.js";
import type { Check, Endpoint, Run, RunDefaults, RunKind } from "../state.js";
import { type Task, tasksOf } from "../tasks.js";
import { momentsOf, open } from "../timeline.js";
import type { File, MonitorSettings, TeamDefaultsResult } from "../wire.js";
import "./finished-runs.js";
import "./interrupted.js";
import { LightElement } from "./light-element.js";
import "./moments.js";
import { said } from "./moments.js";
import "./monitor-log.js";
import "./monitor-result.js";
import "./plan-log.js";
import "./plan-offer.js";
import "./plan-result.js";
import "./plan-tree.js";
import "./question.js";
import { leftOut, refusal } from "./refusal.js";
import "./run-controls.js";
import "./run-list.js";
import "./run-settings.js";
import "./run-spent.js";
import type { GraphCheck } from "./team-edit.js";

/** Why nothing can be started. */
const BROKEN = "The text has errors; once they are mended it can run.";

/** What the Run tab would run. */
export interface Target {
  readonly name: string;
  readonly kind: RunKind;
}

/** The Run tab: settings, what the run asks, what came of it, and how it came to it. */
export class StileRun extends LightElement {
  static override properties = {
    target: { attribute: false }, files: { attribute: false }, settings: { attribute: false }, endpoints: { attribute: false }, keys: { attribute: false }, defaults: { attribute: false },
    run: { attribute: false }, runs: { attribute: false }, interrupted: { attribute: false }, states: { attribute: false }, checks: { attribute: false }, layouts: { attribute: false }, broken: { attribute: false },
    core: { attribute: false }, solver: { attribute: false }, open: { attribute: false }, usualTeam: { attribute: false }, checkGraph: { attribute: false },
  };
  declare target: Target | null;
  declare files: readonly File[];
  declare settings: RunSettings;
  declare endpoints: readonly Endpoint[];
  declare keys: readonly KeyNote[];
  declare defaults: RunDefaults | null;
  declare run: Run | null;
  declare runs: readonly Run[];
  declare interrupted: readonly KeptRun[];
  declare states: readonly string[];
  /** What the core says of files besides their own problems. */
  declare checks: readonly Check[];
  declare layouts: LayoutClient | undefined;
  /** The spec has errors, so it cannot run. */
  declare broken: boolean;
  declare core: Pick<CoreClient, "call">;
  declare solver: SolverProgress | null;
  /** The file that is open. */
  declare open: string;
  /** What holds for teams where nothing is said. */
  declare usualTeam: () => Promise<TeamDefaultsResult>;
  declare checkGraph: GraphCheck;

  constructor() {
    super();
    this.target = null;
    this.files = [];
    this.defaults = null;
    this.run = null;
    this.runs = [];
    this.interrupted = [];
    this.states = [];
    this.checks = [];
    this.solver = null;
    this.open = "";
    this.broken = false;
  }

  protected override render(): unknown {
    const { target, run } = this;
    const runs = this.runs.filter((r) => !aside(r.kind));
    return html`
      ${this.interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${this.interrupted}></stile-interrupted>`}
      ${target === null ? html`<p class="empty">There is no spec in this workspace to run. Add a <code>.cfg</code>, a <code>.pda</code>, a <code>.flow</code>, an <code>.agent</code>, a <code>.team</code>, a <code>.smt2</code>, an <code>.lp</code> or a <code>.pddl</code> file, or open an example.</p>` : this.#form(target)}
      ${runs.length > 1 || (runs.length === 1 && run === null) ? html`<stile-run-list .runs=${runs} .shown=${run?.number ?? 0}></stile-run-list>` : nothing}
      ${run === null ? (target === null ? nothing : this.#invitation(target)) : this.#run(run)}
      <stile-finished-runs></stile-finished-runs>`;
  }

  protected override updated(): void {
    if (this.target?.kind === "team" || this.run?.kind === "team") this.emit("part-wished", () => import("./team-run.js"));
    if (this.target !== null && isProblem(this.target.kind) || this.run !== null && isProblem(this.run.kind)) this.emit("part-wished", () => import("./problem-run.js"));
  }

  #form(target: Target): unknown {
    return html`
      <form class="run-form" @submit=${this.#start}>
        <stile-run-settings .settings=${this.settings} .endpoints=${this.endpoints} .keys=${this.keys} .kind=${target.kind} .defaults=${this.defaults}
          .tasks=${target.kind === "plan" ? tasksOf(this.files) : []} .tools=${hasTools(this.files)} .formulas=${this.files.some((f) => thing(f.name) === "formulas")} .grammar=${thing(target.name) === "grammar"}
          .files=${this.files} .name=${target.name} .facts=${this.checks.find((c) => c.name === target.name)?.result.agent ?? null} .team=${this.checks.find((c) => c.name === target.name)?.result.team ?? null} .usualTeam=${this.usualTeam} .open=${this.open} .core=${this.core}
          @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.emit("settings-changed", e.detail)} @endpoints-wished=${() => this.emit("endpoints-wished", null)}
          @task-chosen=${(e: CustomEvent<Task>) => this.emit("task-chosen", e.detail)} @defaults-wished=${() => this.emit("defaults-wished", null)}></stile-run-settings>
        <stile-run-controls .run=${this.run} .name=${shortName(this.#alone(target) ?? target)} .disabled=${this.broken} .whole=${["solve", "steps"].includes((this.#alone(target) ?? target).kind)}></stile-run-controls>
        ${this.broken && this.run !== null ? html`<p class="hint">${BROKEN}</p>` : nothing}
      </form>`;
  }

  #alone(target: Target): Target | null {
    return target.kind === "formulate" ? alone(this.settings, { files: this.files, current: this.open }) : null;
  }

  #invitation(target: Target): unknown {
    if (this.broken) return html`<p class="empty">${BROKEN}</p>`;
    if (target.kind === "team") return html`<p class="empty">A manager divides the task into sub-tasks; executors with tools of their own work on them, at the same time where they can; a deliverer answers for the whole.</p>`;
    const { kind } = this.#alone(target) ?? target;
    if (kind === "formulate") return html`<p class="empty">The model says what is wanted and what there is to choose, and writes it down for a solver; the solver finds the best plan there is. What is found wrong on the way is named, and mended.</p>`;
    if (kind === "solve") return html`<p class="empty">The solver looks for a best solution, or says which constraints exclude each other. It is fetched when it is first needed, and works in this page.</p>`;
    if (kind === "steps") return html`<p class="empty">Is there a plan of one step, of two, of three …? The first number for which the solver finds one is the shortest plan.</p>`;
    return kind === "plan"
      ? html`<p class="empty">The model is asked only where more than one move is left, and only for the number of one. Every move that is offered can still be finished, so every run ends with a valid plan.</p>`
      : html`<p class="empty">The model writes freely. At the first state that does not fit it is stopped, what was right is kept, and it goes on from what may come next.</p>`;
  }

  #run(run: Run): unknown {
    const looked = lookedAt(run);
    const { timeline, questions } = looked;
    const over = !goes(run);
    const move = over ? undefined : open(timeline.plan);
    const question = questions[0];
    const done = timeline.planDone;
    const history = move === undefined ? timeline.plan : timeline.plan.slice(0, -1);
    const budget = (run.recorded?.settings as Partial<PlanSettings> | undefined)?.budget ?? {};
    return html`
      <div class="run-facts">
        ${run.kind === "solve" || run.kind === "steps" ? html`<span></span>` : html`<stile-run-spent .spent=${timeline.spent} .budget=${budget}></stile-run-spent>`}
        ${run.recorded === undefined ? nothing : html`
          <div class="row" role="group" aria-label="Save the run">
            <button class="button small" type="button" title="The recording, which plays again here without a model" @click=${() => wish(this, { wish: "export", format: "json" })}>Save as JSON</button>
            <button class="button small" type="button" title="A report for people" @click=${() => wish(this, { wish: "export", format: "markdown" })}>Save as Markdown</button>
          </div>`}
      </div>
      ${leftOut(run)}
      ${over && momentsOf(run.events).length > 1 ? html`<stile-moments .run=${run}></stile-moments>` : nothing}
      <p class="visually-hidden" role="status">${said(timeline)}</p>
      ${this.#ended(run)}
      ${isProblem(run.kind) ? html`<stile-problem-run .run=${looked} .files=${this.files} .solver=${this.solver} .core=${this.core}></stile-problem-run>` : run.kind === "team" ? html`<stile-team-run .run=${looked} .facts=${this.checks.find((c) => c.name === run.name)?.result.team ?? null} .layouts=${this.layouts} .core=${this.core} .checkGraph=${this.checkGraph}></stile-team-run>` : html`
      ${move !== undefined
        ? html`<stile-plan-offer .move=${move} .question=${question ?? null} .held=${run.state === "paused"}></stile-plan-offer>`
        : questions.map((effect) => html`<stile-question .effect=${effect} .continues=${run.kind === "monitor" && !this.#personal(run)} .ends=${this.#conversation(run)}></stile-question>`)}
      ${done === undefined ? nothing : html`<stile-plan-result .done=${done} .layouts=${this.layouts}></stile-plan-result>`}
      ${timeline.transcript === undefined ? nothing : html`<stile-monitor-result .transcript=${timeline.transcript} .eager=${(run.recorded?.settings as Partial<MonitorSettings> | undefined)?.eager === true}></stile-monitor-result>`}
      ${run.kind === "monitor" ? html`<stile-monitor-log .timeline=${timeline} .states=${this.states} .going=${!over}></stile-monitor-log>` : timeline.plan.length === 0 ? nothing : html`
        <div class="run-history ${done === undefined ? "with-tree" : ""}">
          ${done === undefined ? html`<stile-plan-tree .entries=${timeline.plan} .derivation=${thing(run.name) === "grammar"}></stile-plan-tree>` : nothing}
          ${history.length === 0 ? nothing : html`
            <section class="history">
              <div class="history-head"><h2>How it came about</h2><span class="hint">Press a choice to take it instead.</span></div>
              <stile-plan-log .entries=${history} .person=${this.#personal(run)}></stile-plan-log>
            </section>`}
        </div>`}`}`;
  }

  /** Why a run ended before its end, and how it may go on. */
  #ended(run: Run): unknown {
    const { fault } = run;
    if (fault === undefined && run.state !== "cancelled") return nothing;
    const goOn = canGoOn(run);
    const label = run.interrupted ? "Resume" : run.state === "cancelled" ? "Go on from here" : "Try again from here";
    return html`
      ${refusal(this, run)}
      ${goOn ? html`<div class="row wrap"><button class="button ${run.interrupted ? "primary" : ""}" type="button" @click=${() => wish(this, { wish: "go-on" })}>${label}</button>
        <span class="hint">${run.state === "failed" && !run.interrupted ? "What was answered before is kept and not asked for again; the settings above hold from here on." : "What was answered is kept and not asked for again."}</span></div>` : nothing}`;
  }

  /** A person is the model of the whole run. */
  #personal(run: Run): boolean {
    const settings = run.recorded?.settings as Partial<PlanSettings> | undefined;
    return settings?.model?.kind === "person";
  }

  /** An agent talks with a person, who may fall silent. */
  #conversation(run: Run): boolean {
    const settings = run.recorded?.settings as Partial<MonitorSettings> | undefined;
    return settings?.environment === "tools" && this.checks.find((c) => c.name === run.name)?.result.agent?.ways.join() === "person";
  }

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    if (this.run === null || !goes(this.run)) wish(this, { wish: "start", pace: "run" });
  };
}

function isProblem(kind: RunKind): boolean {
  return kind === "formulate" || kind === "solve" || kind === "steps";
}

/** A problem goes by its folder. */
function shortName({ name, kind }: Target): string {
  return kind === "formulate" ? problemOf(name) : name;
}

customElements.define("stile-run", StileRun);
