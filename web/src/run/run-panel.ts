import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { SolverProgress } from "../core/core-protocol.js";
import type { PlanSettings } from "./events.js";
import { boundsOf, boundsText, over, usesEndpoint } from "./ceiling.js";
import type { KeptRun } from "../store/unfinished-runs.js";
import type { KeyNote } from "../models/api-keys.js";
import type { LayoutClient } from "../draw/layout-client.js";
import type { RunSettings } from "./run-form.js";
import { sendCommand } from "./run-command.js";
import { hasTools } from "./run-settings.js";
import { aside, canResume, goes, lookedAt, settingsOf } from "./run-state.js";
import { alone } from "../problem/problem-settings.js";
import { problemOf, notationOf } from "../store/file-kind.js";
import type { Check, Endpoint, Run, RunDefaults, RunKind } from "../store/state.js";
import { type Task, tasksOf } from "../store/tasks.js";
import { momentsOf, open } from "./timeline.js";
import type { File, MonitorSettings, TeamDefaultsResult } from "../core/wire.js";
import "./beam-tree.js";
import "./finished-runs.js";
import "./interrupted.js";
import { LightElement, prop } from "../ui/light-element.js";
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
import "./run-settings-form.js";
import "./run-spent.js";
import type { GraphCheck } from "../team/team-edit.js";

/** The reason why no run can be started. */
const BROKEN = "Fix the errors to run it.";

/** The spec of the Run tab. */
export interface Target {
  readonly name: string;
  readonly kind: RunKind;
}

/** The Run tab: settings, questions, the result and the log of a run. */
export class StileRun extends LightElement {
  @prop target: Target | null = null;
  @prop files: readonly File[] = [];
  @prop settings!: RunSettings;
  @prop endpoints!: readonly Endpoint[];
  @prop keys!: readonly KeyNote[];
  @prop defaults: RunDefaults | null = null;
  @prop run: Run | null = null;
  @prop runs: readonly Run[] = [];
  @prop interrupted: readonly KeptRun[] = [];
  @prop states: readonly string[] = [];
  /** The core's diagnostics from the deferred checks. */
  @prop checks: readonly Check[] = [];
  @prop layouts: LayoutClient | undefined;
  /** Whether a person wrote a run for the open example. */
  @prop scripted = false;
  /** Whether the spec has errors, so that it cannot run. */
  @prop broken = false;
  @prop core!: Pick<CoreClient, "call">;
  @prop solver: SolverProgress | null = null;
  /** The open file. */
  @prop open = "";
  /** The defaults of teams. */
  @prop usualTeam!: () => Promise<TeamDefaultsResult>;
  @prop checkGraph!: GraphCheck;

  protected override render(): unknown {
    const { target, run } = this;
    const runs = this.runs.filter((r) => !aside(r.kind));
    return html` ${this.interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${this.interrupted}></stile-interrupted>`}
      ${target === null ? html`<p class="empty">This workspace has no spec to run. Add a <code>.cfg</code>, a <code>.pda</code>, a <code>.flow</code>, an <code>.agent</code>, a <code>.team</code>, a <code>.smt2</code>, an <code>.lp</code> or a <code>.pddl</code> file, or open an example.</p>` : this.#form(target)}
      ${runs.length > 1 || (runs.length === 1 && run === null) ? html`<stile-run-list .runs=${runs} .shown=${run?.number ?? 0}></stile-run-list>` : nothing}
      ${run === null ? (target === null ? nothing : this.#invitation(target)) : this.#run(run)}
      <stile-finished-runs></stile-finished-runs>`;
  }

  protected override updated(): void {
    const asked = this.run === null ? this.settings : settingsOf(this.run);
    if (this.defaults === null && usesEndpoint(asked)) this.emit("defaults-requested", null);
    if (this.target?.kind === "team" || this.run?.kind === "team")
      this.emit("part-requested", () => import("../team/team-run.js"));
    if ((this.target !== null && isProblem(this.target.kind)) || (this.run !== null && isProblem(this.run.kind)))
      this.emit("part-requested", () => import("../problem/problem-run.js"));
  }

  #form(target: Target): unknown {
    return html` <form class="run-form" @submit=${this.#start}>
      <stile-run-settings
        .settings=${this.settings}
        .endpoints=${this.endpoints}
        .keys=${this.keys}
        .kind=${target.kind}
        .scripted=${this.scripted}
        .defaults=${this.defaults}
        .tasks=${target.kind === "plan" ? tasksOf(this.files) : []}
        .tools=${hasTools(this.files)}
        .formulas=${this.files.some((f) => notationOf(f.name) === "formulas")}
        .grammar=${notationOf(target.name) === "grammar"}
        .files=${this.files}
        .name=${target.name}
        .facts=${this.checks.find((c) => c.name === target.name)?.result.agent ?? null}
        .team=${this.checks.find((c) => c.name === target.name)?.result.team ?? null}
        .usualTeam=${this.usualTeam}
        .open=${this.open}
        .core=${this.core}
        @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.emit("settings-changed", e.detail)}
        @endpoints-requested=${() => this.emit("endpoints-requested", null)}
        @task-chosen=${(e: CustomEvent<Task>) => this.emit("task-chosen", e.detail)}
        @defaults-requested=${() => this.emit("defaults-requested", null)}
      ></stile-run-settings>
      <stile-run-controls
        .run=${this.run}
        .name=${shortName(this.#alone(target) ?? target)}
        .disabled=${this.broken}
        .whole=${["solve", "steps"].includes((this.#alone(target) ?? target).kind)}
      ></stile-run-controls>
      ${this.broken && this.run !== null ? html`<p class="hint">${BROKEN}</p>` : nothing}
      ${target.kind === "solve" || target.kind === "steps" ? nothing : this.#ceiling()}
    </form>`;
  }

  /** The bounds of a run with an endpoint. */
  #ceiling(): unknown {
    const { settings, defaults } = this;
    if (defaults === null || !usesEndpoint(settings)) return nothing;
    const { maxCalls: calls, maxTokens: tokens, maxMoney: money } = settings;
    return html`<p class="hint">A run ends at ${boundsText(over({ calls, tokens, money }, defaults.ceiling))}.</p>`;
  }

  #alone(target: Target): Target | null {
    return target.kind === "formulate" ? alone(this.settings, { files: this.files, current: this.open }) : null;
  }

  #invitation(target: Target): unknown {
    if (this.broken) return html`<p class="empty">${BROKEN}</p>`;
    if (target.kind === "team")
      return html`<p class="empty">
        A manager divides the task into sub-tasks; executors with their own tools work on them, in parallel where
        possible; a deliverer writes the final answer.
      </p>`;
    const { kind } = this.#alone(target) ?? target;
    if (kind === "formulate")
      return html`<p class="empty">
        The model states the goal and the choices, and writes the solver’s input; the solver finds the best plan. Each
        stage is judged, and faults are reported and fixed.
      </p>`;
    if (kind === "solve")
      return html`<p class="empty">
        The solver searches for a best solution, or reports conflicting constraints. It is downloaded on first use and
        runs in this page.
      </p>`;
    if (kind === "steps")
      return html`<p class="empty">
        Z3 searches for a plan of one step, then of two, then of three … The first that it finds is a shortest plan.
      </p>`;
    return kind === "plan"
      ? html`<p class="empty">
          The model is asked only if more than one move is possible, and only for the number of a move. Every offered
          move can still be completed, so every run ends with a valid plan.
        </p>`
      : html`<p class="empty">
          The model writes freely. At the first invalid state the monitor stops it, keeps the valid text, and lets it
          continue from an allowed state.
        </p>`;
  }

  #run(run: Run): unknown {
    const looked = lookedAt(run);
    const { timeline, questions } = looked;
    const over = !goes(run);
    const move = over ? undefined : open(timeline.plan);
    const question = questions[0];
    const done = timeline.planDone;
    const history = move === undefined ? timeline.plan : timeline.plan.slice(0, -1);
    const budget = boundsOf(run.kind, settingsOf(run), this.defaults);
    return html` <div class="run-facts">
        ${run.kind === "solve" || run.kind === "steps" ? html`<span></span>` : html`<stile-run-spent .spent=${timeline.spent} .budget=${budget}></stile-run-spent>`}
        ${
          run.recorded === undefined
            ? nothing
            : html` <div class="row" role="group" aria-label="Save the run">
                <button
                  class="button small"
                  type="button"
                  title="The recording, which replays here without a model"
                  @click=${() => sendCommand(this, { command: "export", format: "json" })}
                >
                  Save as JSON
                </button>
                <button
                  class="button small"
                  type="button"
                  title="A report for people"
                  @click=${() => sendCommand(this, { command: "export", format: "markdown" })}
                >
                  Save as Markdown
                </button>
              </div>`
        }
      </div>
      ${leftOut(run)}
      ${over && momentsOf(run.events).length > 1 ? html`<stile-moments .run=${run}></stile-moments>` : nothing}
      <p class="visually-hidden" role="status">${said(timeline)}</p>
      ${this.#ended(run)}
      ${
        isProblem(run.kind)
          ? html`<stile-problem-run
              .run=${looked}
              .files=${this.files}
              .solver=${this.solver}
              .core=${this.core}
            ></stile-problem-run>`
          : run.kind === "team"
            ? html`<stile-team-run
                .run=${looked}
                .facts=${this.checks.find((c) => c.name === run.name)?.result.team ?? null}
                .layouts=${this.layouts}
                .core=${this.core}
                .checkGraph=${this.checkGraph}
              ></stile-team-run>`
            : html` ${
                move !== undefined
                  ? html`<stile-plan-offer
                      .move=${move}
                      .question=${question ?? null}
                      .held=${run.state === "paused"}
                    ></stile-plan-offer>`
                  : questions.map(
                      (effect) =>
                        html`<stile-question
                          .effect=${effect}
                          .continues=${run.kind === "monitor" && !this.#personal(run)}
                          .ends=${this.#conversation(run)}
                        ></stile-question>`,
                    )
              }
              ${done === undefined ? nothing : html`<stile-plan-result .done=${done} .spec=${run.name} .layouts=${this.layouts}></stile-plan-result>`}
              ${timeline.transcript === undefined ? nothing : html`<stile-monitor-result .transcript=${timeline.transcript} .spec=${run.name} .eager=${(run.recorded?.settings as Partial<MonitorSettings> | undefined)?.eager === true}></stile-monitor-result>`}
              ${
                run.kind === "monitor"
                  ? html`<stile-monitor-log
                      .timeline=${timeline}
                      .states=${this.states}
                      .going=${!over}
                    ></stile-monitor-log>`
                  : timeline.plan.length === 0 && timeline.beam.length === 0
                    ? nothing
                    : html` <stile-beam-tree
                          .rounds=${timeline.beam}
                          .ended=${timeline.plan.length > 0}
                        ></stile-beam-tree>
                        <div class="run-history ${done === undefined ? "with-tree" : ""}">
                          ${done === undefined ? html`<stile-plan-tree .entries=${timeline.plan} .derivation=${notationOf(run.name) === "grammar"}></stile-plan-tree>` : nothing}
                          ${
                            history.length === 0
                              ? nothing
                              : html` <section class="history">
                                  <div class="history-head">
                                    <h2>Log</h2>
                                    <span class="hint">Press a choice to take it instead.</span>
                                  </div>
                                  <stile-plan-log .entries=${history} .person=${this.#personal(run)}></stile-plan-log>
                                </section>`
                          }
                        </div>`
              }`
      }`;
  }

  /** Renders the reason why a run ended early, and the ways to resume it. */
  #ended(run: Run): unknown {
    const { fault } = run;
    if (fault === undefined && run.state !== "cancelled") return nothing;
    const goOn = canResume(run);
    const label = run.interrupted ? "Resume" : run.state === "cancelled" ? "Resume from here" : "Try again from here";
    return html` ${refusal(this, run)}
    ${
      goOn
        ? html`<div class="row wrap">
            <button
              class="button ${run.interrupted ? "primary" : ""}"
              type="button"
              @click=${() => sendCommand(this, { command: "resume-run" })}
            >
              ${label}
            </button>
            <span class="hint"
              >${run.state === "failed" && !run.interrupted ? "Earlier answers are kept and not requested again; the settings above apply from here on." : "Earlier answers are kept and not requested again."}</span
            >
          </div>`
        : nothing
    }`;
  }

  /** Reports whether a person is the model of the run. */
  #personal(run: Run): boolean {
    const settings = run.recorded?.settings as Partial<PlanSettings> | undefined;
    return settings?.model?.kind === "person";
  }

  /** Reports whether the run is an agent's conversation with a person, who may end it. */
  #conversation(run: Run): boolean {
    const settings = run.recorded?.settings as Partial<MonitorSettings> | undefined;
    return (
      settings?.environment === "tools" &&
      this.checks.find((c) => c.name === run.name)?.result.agent?.ways.join() === "person"
    );
  }

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    if (this.run === null || !goes(this.run)) sendCommand(this, { command: "start", pace: "run" });
  };
}

function isProblem(kind: RunKind): boolean {
  return kind === "formulate" || kind === "solve" || kind === "steps";
}

/** Returns the short name of a file to run; for a problem, the name of its folder. */
function shortName({ name, kind }: Target): string {
  return kind === "formulate" ? problemOf(name) : name;
}

customElements.define("stile-run", StileRun);
