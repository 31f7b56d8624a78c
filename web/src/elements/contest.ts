import { html, nothing, type PropertyValues } from "lit";
import { onWire } from "../endpoints.js";
import { valueOf } from "../inputs.js";
import { iconPlay, iconStop } from "../late-icons.js";
import type { KeptRun } from "../kept-runs.js";
import { wish } from "../run-wish.js";
import { canGoOn, goes } from "../runs.js";
import type { Endpoint, Run } from "../state.js";
import { csv, markdown } from "../table-text.js";
import type { BenchmarkEvent, BenchmarkRow, BenchmarkScore, File, LlmSpec } from "../wire.js";
import { count, sentence } from "../words.js";
import { clip } from "./choices.js";
import "./copy-button.js";
import "./interrupted.js";
import { LightElement } from "./light-element.js";
import { dollars } from "./run-spent.js";

const methods: readonly { readonly id: string; readonly label: string; readonly hint: string }[] = [
  { id: "team", label: "Team (PMC)", hint: "a manager, executors with tools and checks, a deliverer" },
  { id: "react", label: "ReAct", hint: "one agent with all tools" },
  { id: "cot", label: "CoT", hint: "one answer, thought through, without tools" },
  { id: "sole", label: "Sole planning", hint: "one answer from what is known beforehand" },
];

/** A benchmark's tasks done by a team and by the baselines, side by side. */
export class StileContest extends LightElement {
  static override properties = {
    name: { attribute: false }, files: { attribute: false }, tasks: { attribute: false }, run: { attribute: false }, endpoints: { attribute: false }, interrupted: { attribute: false },
    chosen: { state: true }, many: { state: true }, model: { state: true }, slips: { state: true }, seed: { state: true }, opened: { state: true },
  };
  /** The benchmark's. */
  declare name: string;
  /** Its records, as the core takes them. */
  declare files: readonly File[];
  /** How many tasks there are. */
  declare tasks: number;
  /** The run of this benchmark, or null. */
  declare run: Run | null;
  declare endpoints: readonly Endpoint[];
  declare interrupted: readonly KeptRun[];
  declare chosen: readonly string[];
  declare many: number;
  /** An endpoint's name; "": simulated. */
  declare model: string;
  declare slips: number;
  declare seed: number;
  declare opened: readonly string[];

  constructor() {
    super();
    this.run = null;
    this.tasks = 0;
    this.endpoints = [];
    this.interrupted = [];
    this.chosen = methods.map((m) => m.id);
    this.many = 0;
    this.model = "";
    this.slips = 0.2;
    this.seed = 1;
    this.opened = [];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("tasks") && this.many === 0) this.many = Math.min(this.tasks, 12);
  }

  protected override render(): unknown {
    const { run } = this;
    const running = run !== null && goes(run);
    return html`
      <p class="hint">The same tasks, tools and records, by a team and by the baselines that Zhang et al. (2024) hold it against.</p>
      ${this.interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${this.interrupted}></stile-interrupted>`}
      <form class="run-form" @submit=${this.#start}>
        <fieldset class="fields" ?disabled=${running}>
          <legend class="visually-hidden">What is compared</legend>
          <div class="field wide checks" role="group" aria-label="Methods">
            ${methods.map((m) => html`<label class="check"><input type="checkbox" .checked=${this.chosen.includes(m.id)} @change=${() => this.#toggle(m.id)} /> <span>${m.label} <small class="hint">${m.hint}</small></span></label>`)}
          </div>
          <label class="field"><span>Who answers</span>
            <select @change=${(e: Event) => (this.model = valueOf(e))}>
              <option value="" .selected=${this.model === ""}>Simulated, with slips</option>
              ${this.endpoints.map((e) => html`<option value=${e.name} .selected=${e.name === this.model}>${e.label}${e.model === "" ? "" : `: ${e.model}`}</option>`)}
            </select></label>
          ${this.model !== "" ? nothing : html`
            <label class="field"><span>Slips <output>${Math.round(this.slips * 100)} %</output></span>
              <input type="range" min="0" max="1" step="0.05" .value=${String(this.slips)} @input=${(e: Event) => (this.slips = Number(valueOf(e)))} /></label>`}
          ${this.#number("Tasks, from the first on", this.many, this.tasks, (n) => (this.many = n))}
          ${this.#number("Seed", this.seed, 1_000_000_000, (n) => (this.seed = n))}
        </fieldset>
        ${this.model !== "" ? nothing : html`<p class="hint">A slip is a broken graph, a part that comes out wrong, or an answer with something missing, as often for every method. What differs is who notices.</p>`}
        <div class="run-actions">
          ${running
            ? html`<button class="button" type="button" @click=${() => wish(this, { wish: "cancel", run: run.number })}>${iconStop} Cancel</button>`
            : html`<button class="button primary" type="submit" ?disabled=${this.chosen.length === 0}>${iconPlay} Compare</button>`}
          <span class="run-state" role="status">${run === null ? nothing : this.#state(run)}</span>
        </div>
      </form>
      ${run === null ? nothing : this.#results(run)}`;
  }

  #number(label: string, value: number, most: number, change: (n: number) => void): unknown {
    return html`
      <label class="field narrow"><span>${label}</span><input type="number" min="1" max=${most} step="1" .value=${String(value)} @change=${(e: Event) => {
        const n = Math.min(Math.max(Math.floor(Number(valueOf(e)) || 1), 1), most);
        (e.target as HTMLInputElement).value = String(n);
        change(n);
      }} /></label>`;
  }

  #state(run: Run): unknown {
    const done = count(doneIn(run).length, "task");
    switch (run.state) {
      case "done":
        return html`<span class="pill good">Done</span> ${done}`;
      case "failed":
        return html`<span class="pill bad">${run.interrupted ? "Interrupted" : "Failed"}</span> ${done}`;
      case "cancelled":
        return html`<span class="pill">Cancelled</span> ${done}`;
      default:
        return html`<span class="spinner" aria-hidden="true"></span> ${run.timeline.retry === "" ? "Comparing" : run.timeline.retry} · ${done}`;
    }
  }

  #results(run: Run): unknown {
    const done = doneIn(run);
    const rows = new Map(done.map((e) => [e.row.method, e.row]));
    const scores = done[0]?.row.scores.map((s) => s.name) ?? [];
    const list = [...rows.values()];
    const extra = { time: list.some((r) => r.milliseconds > 0), money: list.some((r) => r.money > 0) };
    const head = ["method", "tasks", ...scores, "calls", "tool calls", "tokens", "seconds", "dollars"];
    const cells = list.map((r) => [labelOf(r.method), r.tasks, ...r.scores.map((s) => (s.share ? `${(100 * s.value).toFixed(1)} %` : s.value)), r.calls, r.toolCalls, tokens(r), r.milliseconds / 1000, r.money]);
    return html`
      ${run.fault === undefined ? nothing : html`<p class="fault" role="alert"><span>${sentence(run.fault.message)} <code>${run.fault.code}</code></span></p>`}
      ${canGoOn(run) ? html`<div><button class="button" type="button" @click=${() => wish(this, { wish: "go-on", run: run.number })}>Go on from here</button></div>` : nothing}
      ${list.length === 0 ? nothing : html`
        <div class="compare-scroll" tabindex="0" role="group" aria-label="The comparison">
          <table class="plain compare contest">
            <caption class="visually-hidden">${this.name} by method</caption>
            <thead><tr><th scope="col">Method</th>${scores.map((s) => html`<th scope="col">${s}</th>`)}<th scope="col">Calls</th><th scope="col">Tool calls</th><th scope="col">Tokens</th>${extra.time ? html`<th scope="col">Seconds</th>` : nothing}${extra.money ? html`<th scope="col">Money</th>` : nothing}</tr></thead>
            <tbody>${list.map((row) => this.#row(row, done, extra))}</tbody>
          </table>
        </div>
        <div class="row wrap">
          <span class="hint">Copy the table:</span>
          <stile-copy-button .text=${markdown(head, cells)} .what=${"the table as Markdown"} .label=${"Markdown"}></stile-copy-button>
          <stile-copy-button .text=${csv(head, cells)} .what=${"the table as CSV"} .label=${"CSV"}></stile-copy-button>
        </div>`}`;
  }

  #row(row: BenchmarkRow, done: readonly BenchmarkEvent[], extra: { readonly time: boolean; readonly money: boolean }): unknown {
    const open = this.opened.includes(row.method);
    const wide = 4 + row.scores.length + Number(extra.time) + Number(extra.money);
    return html`
      <tr data-method=${row.method}>
        <th scope="row"><button class="text-link" type="button" aria-expanded=${open} aria-controls="contest-${row.method}" @click=${() => this.#open(row.method)}>${labelOf(row.method)}</button></th>
        ${row.scores.map((s) => html`<td data-score=${s.name}>${shown(s)}</td>`)}
        <td>${row.calls}</td><td>${row.toolCalls}</td><td>${tokens(row).toLocaleString("en")}</td>
        ${extra.time ? html`<td>${(row.milliseconds / 1000).toFixed(1)}</td>` : nothing}${extra.money ? html`<td>${dollars(row.money)}</td>` : nothing}
      </tr>
      <tr id="contest-${row.method}" ?hidden=${!open}><td colspan=${wide}>
        <ol class="tries">${open ? done.filter((e) => e.row.method === row.method).map((e) => html`
          <li><div class="row wrap"><span class="pill ${e.pass ? "good" : "bad"}">${e.pass ? "passes" : "fails"}</span> <strong>${e.title}</strong> <span class="hint">${sentence(e.said)}</span></div>
            ${e.answer === "" ? nothing : html`<details class="fold"><summary>What was delivered<span class="visually-hidden"> for ${e.title}</span></summary><pre class="prompt" tabindex="0">${clip(e.answer)}</pre></details>`}</li>`) : nothing}</ol>
      </td></tr>`;
  }

  #toggle(id: string): void {
    this.chosen = methods.map((m) => m.id).filter((m) => (m === id ? !this.chosen.includes(m) : this.chosen.includes(m)));
  }

  #open(method: string): void {
    this.opened = this.opened.includes(method) ? this.opened.filter((m) => m !== method) : [...this.opened, method];
  }

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    const endpoint = this.endpoints.find((e) => e.name === this.model);
    wish(this, {
      wish: "benchmark", name: this.name, files: this.files, seed: this.seed,
      settings: {
        methods: this.chosen, tasks: Array.from({ length: this.many }, (_, i) => i), budget: {},
        ...(endpoint === undefined ? { slips: this.slips } : { model: { kind: "endpoint", endpoint: onWire(endpoint) as LlmSpec["endpoint"] } }),
      },
    });
  };
}

/** The tasks that were done in a run, in their order. */
function doneIn(run: Run): readonly BenchmarkEvent[] {
  return (run.events as readonly BenchmarkEvent[]).filter((e) => e.kind === "benchmark.row");
}

function labelOf(method: string): string {
  return methods.find((m) => m.id === method)?.label ?? method;
}

function shown(s: BenchmarkScore): unknown {
  return s.share ? html`<strong>${(100 * s.value).toFixed(1)} %</strong>${s.of === undefined ? nothing : html` <small class="hint">${s.of}</small>`}` : s.value;
}

function tokens(row: BenchmarkRow): number {
  return row.promptTokens + row.completionTokens;
}

customElements.define("stile-contest", StileContest);
