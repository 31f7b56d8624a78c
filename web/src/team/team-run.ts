import { html, nothing, type PropertyValues } from "lit";
import type { TeamAdopted, TeamFacts, TeamGraph, TeamSettings, TeamViolation } from "../run/events.js";
import type { CoreClient } from "../core/core-client.js";
import { iconEdit, iconWarning } from "../ui/icons.js";
import type { LayoutClient } from "../draw/layout-client.js";
import { sendCommand } from "../run/run-command.js";
import { goes } from "../run/run-state.js";
import type { Run } from "../store/state.js";
import { type Draft, type GraphEffect, graphEffects } from "./subtask-changes.js";
import { advanceTeam, emptyTeam, type TeamView } from "./team-view.js";
import { apibankFile, apibankTaskFile, tripQueryFile, tripRecordsFile } from "../store/benchmark-files.js";
import type { TravelQuery } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import { thoughtDetails } from "../run/thoughts.js";
import { callsIn } from "../run/calls.js";
import "../ui/copy-button.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "../run/monitor-log.js";
import { ruleReports } from "../run/run-rules.js";
import "../run/question.js";
import "./team-settings-form.js";
import "./team-edit.js";
import type { GraphCheck, StileTeamEdit } from "./team-edit.js";
import "./team-graph.js";
import type { StileTeamGraph } from "./team-graph.js";
import "./team-node.js";
import { turnEntry } from "./team-node.js";
import "../lab/trip-result.js";
import { structured } from "./team-value.js";

/** A run of a team: its graph, the members' work, and the deliverable. */
export class StileTeamRun extends LightElement {
  /** The run at the selected moment. */
  @prop run!: Run;
  @prop facts: TeamFacts | null = null;
  @prop layouts: LayoutClient | undefined;
  @prop core!: Pick<CoreClient, "call">;
  @prop checkGraph!: GraphCheck;
  /** The selected node or edge. */
  @state chosen = "";
  @state editing = false;
  /** The edited graph. */
  @state draft: Draft | null = null;

  /** The last state with a graph. */
  #last: TeamView | undefined;

  #made: { readonly events: readonly unknown[]; readonly calls: ReturnType<typeof callsIn> } | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("run") as Run | undefined;
    const { run } = this;
    const adopted = run.timeline.team?.adopted;
    if (before !== undefined && before.number !== run.number) {
      [this.editing, this.draft] = [false, null];
      // A continued run first adopts the earlier graph; until then, the old picture stays visible.
      if (run.origin === "" || !goes(run)) [this.#last, this.chosen] = [undefined, ""];
    }
    if (adopted === undefined) return;
    this.#last = run.timeline.team;
    if (!parts(adopted).includes(this.chosen)) this.chosen = "";
  }

  protected override render(): unknown {
    const { run } = this;
    const view = run.timeline.team ?? emptyTeam;
    const { adopted, result } = view;
    const offer = goes(run) && run.questions.length > 0 ? view.offer : undefined;
    const draft = this.editing || offer !== undefined ? this.draft : null;
    const shown = adopted === undefined && goes(run) ? (this.#last ?? view) : view;
    const drawing = draft?.drawing ?? shown.adopted?.drawing ?? null;
    const critical = draft?.critical ?? result?.critical ?? shown.adopted?.critical ?? [];
    const effects: ReadonlyMap<string, GraphEffect> =
      draft === null ? none : graphEffects(view, adopted?.graph ?? null, draft);
    const role = view.turns.findLast((turn) => turn.subtask === "" && turn.reply === undefined);
    return html` ${offer === undefined ? run.questions.map((effect) => this.#question(effect)) : nothing}
    ${result === undefined ? nothing : this.#result(view, this.#judged(result.answer))}
    ${
      drawing === null
        ? role === undefined || !goes(run) || offer !== undefined
          ? nothing
          : html`<ol class="log">
              ${turnEntry(role)}
            </ol>`
        : html` <section class="team-graph-part">
            <stile-team-graph
              .view=${shown}
              .graph=${draft?.graph ?? shown.adopted?.graph}
              .effects=${effects}
              .drawing=${drawing}
              .critical=${critical}
              .layouts=${this.layouts}
              .chosen=${this.chosen}
              @part-chosen=${(e: CustomEvent<string>) => (this.chosen = e.detail)}
            ></stile-team-graph>
            ${created(draft?.graph ?? shown.adopted?.graph)}
            <div class="row wrap spread team-under">
              <p class="hint">
                ${critical.length === 0 ? nothing : html`<span class="critical-mark"></span> Critical path: ${critical.join(" › ")}`}${draft === null ? this.#longest(view, critical) : nothing}
              </p>
              ${run.replay || run.recorded === undefined || run.moment !== null || this.editing || adopted === undefined ? nothing : html`<button class="button small change-graph" type="button" @click=${this.#edit}>${iconEdit} Change the graph…</button>`}
            </div>
          </section>`
    }
    ${
      offer === undefined
        ? nothing
        : html` <stile-team-edit
            .graph=${offer.graph}
            .executors=${this.facts?.executors ?? []}
            .faults=${offer.faults}
            .check=${this.checkGraph}
            @draft-looked=${this.#look}
            @graph-chosen=${(e: CustomEvent<TeamGraph>) => this.#approve(offer.graph, e.detail)}
          ></stile-team-edit>`
    }
    ${
      this.editing && adopted !== undefined
        ? html` <stile-team-edit
            .graph=${adopted.graph}
            .instead=${adopted.graph}
            .executors=${this.facts?.executors ?? []}
            .view=${view}
            .check=${this.checkGraph}
            @draft-looked=${this.#look}
            @edit-ended=${this.#leave}
            @graph-chosen=${(e: CustomEvent<TeamGraph>) => this.#change(e.detail)}
          ></stile-team-edit>`
        : nothing
    }
    ${
      this.chosen === "" || this.chosen.includes(">") || adopted === undefined
        ? nothing
        : html` <stile-team-node
            .view=${view}
            .of=${this.chosen}
            .states=${states(view, this.chosen)}
            .going=${goes(run)}
          ></stile-team-node>`
    }
    ${result !== undefined ? nothing : this.#violations(view.violations, "Unmet constraints, and retries")}
    ${
      adopted === undefined && (run.timeline.monitor.length > 0 || run.timeline.writing.size > 0)
        ? html`<stile-monitor-log .timeline=${run.timeline} .states=${[]} .going=${goes(run)}></stile-monitor-log>`
        : nothing
    }
    ${this.#turns(view)}`;
  }

  /** Renders a question. The person answers a question about a sub-task by a choice, or by writing a result. */
  #question(effect: Run["questions"][number]): unknown {
    const decides = (effect.question?.choices ?? []).length > 0;
    return html` <stile-question
        .effect=${effect}
        .continues=${!decides && effect.question?.multiline === true && this.#settings.model?.kind === "person"}
      ></stile-question>
      ${
        decides
          ? html` <form class="team-answer" @submit=${(e: SubmitEvent) => this.#write(e, effect.id)}>
              <label class="field"
                ><span>Or write the sub-task’s result yourself</span
                ><textarea name="result" rows="2" required></textarea>
              </label>
              <button class="button" type="submit">Use this as the result</button>
            </form>`
          : nothing
      }`;
  }

  #result(view: TeamView, trip: unknown): unknown {
    const { result } = view;
    if (result === undefined) return nothing;
    const { answer, valid, violations, subtasks, refusal } = result;
    const done = subtasks.filter((s) => s.state === "done").length;
    return html` <section class="result" aria-labelledby="team-result-title">
        <div class="result-head">
          <h2 id="team-result-title">The deliverable</h2>
          <span class="pill ${valid ? "good" : "bad"}" data-verdict=${valid ? "valid" : "invalid"}
            >${valid ? "all met" : violations.length > 0 ? `${count(violations.length, "constraint")} not met` : "not all done"}</span
          >
          <span class="hint"
            >${subtasks.length === 0 ? `by ${result.method}, without a team` : `${done} of ${count(subtasks.length, "sub-task")} done`}
            ·
            ${count(result.spent.calls, "call")}${result.spent.toolCalls > 0 ? `, ${count(result.spent.toolCalls, "tool call")}` : ""}</span
          >
          <stile-copy-button .text=${answer} .what=${"the deliverable"} .label=${"Copy"}></stile-copy-button>
        </div>
        <div class="ending">
          ${refusal === true ? html`<p class="tone-warning">The deliverable or the result of a sub-task reads like a refusal.</p>` : nothing}
          ${
            answer === ""
              ? html`<p class="hint">The run ends without a deliverable.</p>`
              : trip === nothing
                ? structured(answer)
                : html`<details class="fold">
                    <summary>As delivered</summary>
                    ${structured(answer)}
                  </details>`
          }
        </div>
        ${violations.length === 0 ? nothing : html`<div class="ending">${this.#violations(violations, "Not met")}</div>`}
        ${ruleReports(result.rules)}
      </section>
      ${trip}`;
  }

  /** Compares the deliverable with the workspace's benchmark task. */
  #judged(plan: string): unknown {
    const { files } = this.run.params.workspace;
    const text = (name: string): string | undefined => files.find((f) => f.name === name)?.text;
    const tasks = text(apibankFile);
    const sample = (readIn(text(apibankTaskFile)) as { readonly sample_id?: number } | null)?.sample_id;
    if (tasks !== undefined && sample !== undefined)
      return html`<stile-calls
        .core=${this.core}
        .tasks=${tasks}
        .sample=${sample}
        .calls=${this.#calls()}
        .response=${plan}
      ></stile-calls>`;
    const data = text(tripRecordsFile);
    const query = readIn(text(tripQueryFile)) as TravelQuery | null;
    if (data === undefined || query === null) return nothing;
    return html`<stile-trip-result .core=${this.core} .data=${data} .query=${query} .plan=${plan}></stile-trip-result>`;
  }

  /** Returns the tool calls of the run, cached by run. */
  #calls(): ReturnType<typeof callsIn> {
    const { events } = this.run;
    if (this.#made?.events !== events) this.#made = { events, calls: callsIn(events) };
    return this.#made.calls;
  }

  #violations(list: readonly TeamViolation[], title: string): unknown {
    if (list.length === 0) return nothing;
    return html` <section class="team-broken" aria-label=${title}>
      <h3>${title}</h3>
      <ul class="team-violations">
        ${list.map(
          (v) =>
            html` <li>
              ${iconWarning}
              <p>
                <strong>${v.constraint}</strong> <span>${sentence(v.reason)}</span>
                <span class="hint">${v.local ? "local" : "global"}${v.subtask === "" ? "" : `, ${v.subtask}`}</span>
              </p>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  /** Renders the prompts of the manager and the deliverer, collapsed. */
  #turns(view: TeamView): unknown {
    const turns = view.turns.filter(
      (turn) => turn.subtask === "" && (view.adopted === undefined || turn.role !== "executor"),
    );
    if (turns.length === 0) return nothing;
    const asked = turns.findLast((turn) => turn.reply === undefined);
    return html`${asked?.thoughts.map(thoughtDetails) ?? nothing}
      <details class="team-turns">
        <summary>
          Prompts of the manager and the deliverer <span class="hint">${count(turns.length, "call")}</span>
        </summary>
        <ol class="log">
          ${turns.map(turnEntry)}
        </ol>
      </details>`;
  }

  #longest(view: TeamView, critical: readonly string[]): unknown {
    const of = (ids: readonly string[]): number =>
      ids.reduce((sum, id) => {
        const { prompt, completion } = view.subtasks.get(id)?.state.spent.usage ?? { prompt: 0, completion: 0 };
        return sum + prompt + completion;
      }, 0);
    const tokens = of(critical);
    return tokens === 0
      ? nothing
      : html` · ${tokens.toLocaleString("en")} of ${of([...view.subtasks.keys()]).toLocaleString("en")} tokens of the
        sub-tasks`;
  }

  get #settings(): Partial<TeamSettings> {
    return (this.run.recorded?.settings ?? this.run.params.settings ?? {}) as Partial<TeamSettings>;
  }

  #approve(offered: TeamGraph, graph: TeamGraph): void {
    const effect = this.run.questions[0];
    if (effect === undefined) return;
    this.#toGraph(emptyTeam, graph);
    const same = JSON.stringify(offered) === JSON.stringify(graph);
    sendCommand(this, { command: "answer", effect: effect.id, value: same ? "ok" : JSON.stringify(graph) });
  }

  #edit = (): void => {
    [this.editing, this.draft] = [true, null];
    void this.updateComplete.then(() => this.querySelector<StileTeamEdit>("stile-team-edit")?.takeFocus());
  };

  #look = (event: CustomEvent<Draft>): void => {
    this.draft = event.detail;
  };

  #leave = (): void => {
    [this.editing, this.draft] = [false, null];
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(".change-graph")?.focus());
  };

  #change(graph: TeamGraph): void {
    this.#toGraph(this.run.timeline.team ?? emptyTeam, graph);
    sendCommand(this, { command: "change-graph", graph });
  }

  /** Returns to the graph after a change, and keeps it visible until the new graph runs. */
  #toGraph(before: TeamView, graph: TeamGraph): void {
    if (this.draft !== null)
      this.#last = advanceTeam(before, { ...this.draft, kind: "team.graph", at: 0, after: 0, by: "person", graph });
    this.querySelector<StileTeamGraph>("stile-team-graph")?.focusPart();
  }

  #write(event: SubmitEvent, effect: string): void {
    event.preventDefault();
    const value = String(new FormData(event.target as HTMLFormElement).get("result") ?? "").trim();
    if (value !== "") sendCommand(this, { command: "answer", effect, value });
  }
}

const none: ReadonlyMap<string, GraphEffect> = new Map();

/** Returns the selectable parts of a graph. */
function parts({ drawing }: TeamAdopted): readonly string[] {
  return drawing === null ? [] : [...drawing.nodes, ...drawing.edges].map(({ id }) => id);
}

/** Returns the states of an executor's timeline in order of appearance. */
function states(view: TeamView, id: string): readonly string[] {
  const entries = view.subtasks.get(id)?.timeline.monitor ?? [];
  return [...new Set(entries.flatMap((e) => (e.type === "segment" ? [e.segment.state] : [])))];
}

const queries = new Map<string, unknown>();

/** Parses JSON, cached by text; null if it is invalid. */
function readIn(text: string | undefined): unknown {
  if (text === undefined) return null;
  let found = queries.get(text);
  if (found === undefined) {
    try {
      found = JSON.parse(text);
    } catch {
      found = null;
    }
    queries.clear();
    queries.set(text, found);
  }
  return found;
}

/** Lists the executors that a graph creates. */
function created(graph: TeamGraph | undefined): unknown {
  const list = graph?.executors ?? [];
  return list.length === 0
    ? nothing
    : html`<section class="team-created" aria-label="New executors">
        <h3>New executors</h3>
        <dl class="team-facts">
          ${list.map(
            ({ name, does, tools }) =>
              html`<div>
                <dt>${name}</dt>
                <dd>
                  ${does}${tools.length === 0 ? nothing : html` <span class="hint">with ${tools.join(", ")}</span>`}
                </dd>
              </div>`,
          )}
        </dl>
      </section>`;
}

customElements.define("stile-team-run", StileTeamRun);
