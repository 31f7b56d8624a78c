import { html, nothing, type PropertyValues } from "lit";
import { onWire } from "../models/endpoint-actions.js";
import { checkedOf, valueOf } from "../ui/form-input.js";
import { iconPlay } from "../ui/panel-icons.js";
import type { KeptRun } from "../store/unfinished-runs.js";
import { sendCommand } from "../run/run-command.js";
import { goes } from "../run/run-state.js";
import type { Endpoint, Run } from "../store/state.js";
import { csv, markdown } from "../share/table-export.js";
import type { BenchmarkEvent, BenchmarkRow, BenchmarkScore, File, LlmSpec } from "../core/wire.js";
import { type Method, methodChecks } from "./method-checks.js";
import { toggled } from "../ui/toggle.js";
import { count, sentence } from "../ui/text.js";
import { clip } from "../run/choices.js";
import "../ui/copy-button.js";
import "../run/interrupted.js";
import { runActions, resumeButton, runState } from "../run/run-actions.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { dollars } from "../run/run-spent.js";

const methods: readonly Method[] = [
  { id: "team", label: "Team (PMC)", hint: "a manager, executors with tools and checks, a deliverer" },
  { id: "react", label: "ReAct", hint: "one agent with all tools, which thinks before each call" },
  { id: "act", label: "No thoughts", hint: "the same agent without thoughts" },
  { id: "cot", label: "CoT", hint: "one answer with step-by-step reasoning, without tools; not in the paper" },
  { id: "sole", label: "Sole planning", hint: "one answer from given information" },
];

/** Steps of all members together in the paper: calls of tools and answers. */
const paperSteps = 30;

/** Compares a team with the baselines on a benchmark's tasks. */
export class StileContest extends LightElement {
  /** Name of the benchmark. */
  @prop name!: string;
  /** The benchmark's records, in the core's form. */
  @prop files!: readonly File[];
  /** Number of tasks. */
  @prop tasks = 0;
  /** The run of this benchmark, or null. */
  @prop run: Run | null = null;
  @prop endpoints: readonly Endpoint[] = [];
  @prop interrupted: readonly KeptRun[] = [];
  @state chosen: readonly string[] = methods.map((m) => m.id).filter((id) => id !== "act");
  /** Leaves out our constraints on trips. */
  @state bare = false;
  /** Lets the supervisor pass results on. */
  @state passed = false;
  /** Limits the steps of all members together. */
  @state limited = false;
  @state many = 0;
  /** Name of an endpoint; "" for simulated models. */
  @state model = "";
  @state slips: number = 0.2;
  @state seed = 1;
  @state opened: readonly string[] = [];

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("tasks") && this.many === 0) this.many = Math.min(this.tasks, 12);
  }

  protected override render(): unknown {
    const { run } = this;
    const running = run !== null && goes(run);
    return html` <p class="hint">
        The same tasks, tools and records for a team and for other methods: the baselines of Zhang et al. (2024), and
        CoT, which is not in the paper.
      </p>
      ${this.interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${this.interrupted}></stile-interrupted>`}
      <form class="run-form" @submit=${this.#start}>
        <fieldset class="fields" ?disabled=${running}>
          <legend class="visually-hidden">Comparison settings</legend>
          <div class="field wide checks" role="group" aria-label="Methods">
            ${methodChecks(this.#offered(), this.chosen, (chosen) => (this.chosen = chosen))}
          </div>
          <label class="field"
            ><span>Model</span>
            <select @change=${(e: Event) => (this.model = valueOf(e))}>
              <option value="" .selected=${this.model === ""}>Simulated, with faults</option>
              ${this.endpoints.map((e) => html`<option value=${e.name} .selected=${e.name === this.model}>${e.label}${e.model === "" ? "" : `: ${e.model}`}</option>`)}
            </select></label
          >
          ${
            this.model !== ""
              ? nothing
              : html` <label class="field"
                  ><span>Fault rate <output>${Math.round(this.slips * 100)} %</output></span>
                  <input
                    type="range"
                    min="0"
                    max="1"
                    step="0.05"
                    .value=${String(this.slips)}
                    @input=${(e: Event) => (this.slips = Number(valueOf(e)))}
                /></label>`
          }
          ${this.#number("Number of tasks", this.many, this.tasks, (n) => (this.many = n))}
          ${this.#number("Seed", this.seed, 1_000_000_000, (n) => (this.seed = n))}
          <div class="field wide checks" role="group" aria-label="As in the paper">
            ${
              this.name === "API-Bank"
                ? check("The supervisor passes results on unchanged", this.passed, (on) => (this.passed = on))
                : check("Only the query, without our constraints on trips", this.bare, (on) => (this.bare = on))
            }
            ${check(`At most ${String(paperSteps)} steps of all members together`, this.limited, (on) => (this.limited = on))}
          </div>
        </fieldset>
        ${
          this.model !== ""
            ? nothing
            : html`<p class="hint">
                Every part and the answer is wrong at the fault rate, for every method, and so is the team’s graph. A
                broken graph is always noticed.
                ${
                  this.name === "API-Bank"
                    ? "Nothing notices other faults. CoT and sole planning have no simulated rows: the model knows the solution and says nothing about answers without the records."
                    : "The team’s constraints notice other faults; the other methods do not. CoT has no simulated row: the model knows the solution and says nothing about answers without the records."
                }
              </p>`
        }
        ${runActions(
          this,
          run,
          html`<button class="button primary" type="submit" ?disabled=${this.#compared().length === 0}>
            ${iconPlay} Compare
          </button>`,
          run === null ? nothing : this.#state(run),
        )}
      </form>
      ${run === null ? nothing : this.#results(run)}`;
  }

  /** Returns the methods with rows: a simulated model says nothing about answers without the records. */
  #offered(): readonly Method[] {
    const silent = this.model !== "" ? [] : this.name === "API-Bank" ? ["cot", "sole"] : ["cot"];
    return methods.filter((m) => !silent.includes(m.id));
  }

  #compared(): readonly string[] {
    return this.chosen.filter((id) => this.#offered().some((m) => m.id === id));
  }

  #number(label: string, value: number, most: number, change: (n: number) => void): unknown {
    return html` <label class="field narrow"
      ><span>${label}</span
      ><input
        type="number"
        min="1"
        max=${most}
        step="1"
        .value=${String(value)}
        @change=${(e: Event) => {
          const n = Math.min(Math.max(Math.floor(Number(valueOf(e)) || 1), 1), most);
          (e.target as HTMLInputElement).value = String(n);
          change(n);
        }}
    /></label>`;
  }

  #state(run: Run): unknown {
    const done = count(doneIn(run).length, "task");
    return runState(run, "Comparing", done);
  }

  #results(run: Run): unknown {
    const done = doneIn(run);
    const rows = new Map(done.map((e) => [e.row.method, e.row]));
    const scores = done[0]?.row.scores.map((s) => s.name) ?? [];
    const list = [...rows.values()];
    const extra = { time: list.some((r) => r.milliseconds > 0), money: list.some((r) => r.money > 0) };
    const head = ["method", "tasks", ...scores, "calls", "tool calls", "tokens", "seconds", "dollars"];
    const cells = list.map((r) => [
      r.simulated === true ? `${labelOf(r.method)} (simulated)` : labelOf(r.method),
      r.tasks,
      ...r.scores.map((s) => (s.share ? `${(100 * s.value).toFixed(1)} %` : s.value)),
      r.calls,
      r.toolCalls,
      tokens(r),
      r.milliseconds / 1000,
      r.money,
    ]);
    return html` ${
      run.fault === undefined
        ? nothing
        : html`<p class="fault" role="alert">
            <span>${sentence(run.fault.message)} <code>${run.fault.code}</code></span>
          </p>`
    }
    ${resumeButton(this, run)}
    ${
      list.length === 0
        ? nothing
        : html` <div class="compare-scroll" tabindex="0" role="group" aria-label="The comparison">
              <table class="plain compare contest">
                <caption class="visually-hidden">
                  ${this.name} by method
                </caption>
                <thead>
                  <tr>
                    <th scope="col">Method</th>
                    ${scores.map((s) => html`<th scope="col">${s}</th>`)}
                    <th scope="col">Calls</th>
                    <th scope="col">Tool calls</th>
                    <th scope="col">Tokens</th>
                    ${extra.time ? html`<th scope="col">Seconds</th>` : nothing}${extra.money ? html`<th scope="col">Money</th>` : nothing}
                  </tr>
                </thead>
                <tbody>
                  ${list.map((row) => this.#row(row, done, extra))}
                </tbody>
              </table>
            </div>
            <div class="row wrap">
              <span class="hint">Copy the table:</span>
              <stile-copy-button
                .text=${markdown(head, cells)}
                .what=${"the table as Markdown"}
                .label=${"Markdown"}
              ></stile-copy-button>
              <stile-copy-button
                .text=${csv(head, cells)}
                .what=${"the table as CSV"}
                .label=${"CSV"}
              ></stile-copy-button>
            </div>`
    }`;
  }

  #row(
    row: BenchmarkRow,
    done: readonly BenchmarkEvent[],
    extra: { readonly time: boolean; readonly money: boolean },
  ): unknown {
    const open = this.opened.includes(row.method);
    const wide = 4 + row.scores.length + Number(extra.time) + Number(extra.money);
    return html` <tr data-method=${row.method}>
        <th scope="row">
          <button
            class="text-link"
            type="button"
            aria-expanded=${open}
            aria-controls="contest-${row.method}"
            @click=${() => (this.opened = toggled(this.opened, row.method))}
          >
            ${labelOf(row.method)}
          </button>
          ${row.simulated === true ? html`<span class="hint">simulated</span>` : nothing}
        </th>
        ${row.scores.map((s) => html`<td data-score=${s.name}>${shown(s)}</td>`)}
        <td>${row.calls}</td>
        <td>${row.toolCalls}</td>
        <td>${tokens(row).toLocaleString("en")}</td>
        ${extra.time ? html`<td>${(row.milliseconds / 1000).toFixed(1)}</td>` : nothing}${extra.money ? html`<td>${dollars(row.money)}</td>` : nothing}
      </tr>
      <tr id="contest-${row.method}" ?hidden=${!open}>
        <td colspan=${wide}>
          <ol class="tries">
            ${
              open
                ? done
                    .filter((e) => e.row.method === row.method)
                    .map(
                      (e) =>
                        html` <li>
                          <div class="row wrap">
                            <span class="pill ${e.pass ? "good" : "bad"}">${e.pass ? "passes" : "fails"}</span>
                            <strong>${e.title}</strong> <span class="hint">${sentence(e.said)}</span>
                          </div>
                          ${
                            e.answer === ""
                              ? nothing
                              : html`<details class="fold">
                                  <summary>
                                    Delivered result<span class="visually-hidden"> for ${e.title}</span>
                                  </summary>
                                  <pre class="prompt" tabindex="0">${clip(e.answer)}</pre>
                                </details>`
                          }
                        </li>`,
                    )
                : nothing
            }
          </ol>
        </td>
      </tr>`;
  }

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    const endpoint = this.endpoints.find((e) => e.name === this.model);
    sendCommand(this, {
      command: "benchmark",
      name: this.name,
      files: this.files,
      seed: this.seed,
      settings: {
        methods: this.#compared(),
        tasks: Array.from({ length: this.many }, (_, i) => i),
        budget: {},
        ...(this.bare && { bare: true }),
        ...(this.passed && { passed: true }),
        ...(this.limited && { steps: paperSteps }),
        ...(endpoint === undefined
          ? { slips: this.slips }
          : { model: { kind: "endpoint", endpoint: onWire(endpoint) as LlmSpec["endpoint"] } }),
      },
    });
  };
}

function check(label: string, on: boolean, change: (on: boolean) => void): unknown {
  return html`<label class="check"
    ><input type="checkbox" .checked=${on} @change=${(e: Event) => change(checkedOf(e))} /> <span>${label}</span></label
  >`;
}

/** Returns the finished tasks of a run in order. */
function doneIn(run: Run): readonly BenchmarkEvent[] {
  return (run.events as readonly BenchmarkEvent[]).filter((e) => e.kind === "benchmark.row");
}

function labelOf(method: string): string {
  return methods.find((m) => m.id === method)?.label ?? method;
}

function shown(s: BenchmarkScore): unknown {
  return s.share
    ? html`<strong>${(100 * s.value).toFixed(1)} %</strong
        >${s.of === undefined ? nothing : html` <small class="hint">${s.of}</small>`}`
    : s.value;
}

function tokens(row: BenchmarkRow): number {
  return row.promptTokens + row.completionTokens;
}

customElements.define("stile-contest", StileContest);
