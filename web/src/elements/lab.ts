import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core-client.js";
import { type Endpoint, onWire } from "../endpoints.js";
import { iconPlay, iconStop } from "../late-icons.js";
import type { KeptRun } from "../kept-runs.js";
import { wish } from "../run-wish.js";
import { goes } from "../runs.js";
import { saveText } from "../save-text.js";
import type { Run, RunKind } from "../store.js";
import type { File, LabCellEvent, LabCheckResult, LabOutcome, LabSettings, LabTable, LabTableEvent, LlmSpec } from "../wire.js";
import { count, sentence } from "../words.js";
import "./interrupted.js";
import "./lab-chart.js";
import "./lab-table.js";
import { LightElement } from "./light-element.js";

/** A ready experiment of the site. */
interface Ready {
  readonly name: string;
  readonly title: string;
}

/** How results are saved: what the core calls the form, and the file's ending. */
const forms = [["markdown", "md", "Markdown"], ["csv", "csv", "CSV"], ["jsonl", "jsonl", "JSONL, a line a cell"], ["results", "results.json", "Results, for others to look at"]] as const;

/** How many cells are listed at once. */
const LISTED = 50;

/** The Lab tab: experiments, ready ones and those of the workspace, their tables and their cells. */
export class StileLab extends LightElement {
  static override properties = {
    core: { attribute: false }, files: { attribute: false }, records: { attribute: false }, runs: { attribute: false }, endpoints: { attribute: false }, kept: { attribute: false },
    learns: { state: true }, ready: { state: true }, chosen: { state: true }, opened: { state: true }, check: { state: true }, fault: { state: true }, model: { state: true }, tasks: { state: true }, calls: { state: true }, listed: { state: true },
  };
  declare core: Pick<CoreClient, "call">;
  /** Of the workspace. */
  declare files: readonly File[];
  /** Fetches a text that the site has beside its gallery. */
  declare records: (name: string) => Promise<string>;
  declare runs: readonly Run[];
  declare endpoints: readonly Endpoint[];
  /** Runs of all kinds that an earlier visit left unfinished. */
  declare kept: readonly KeptRun[];
  /** Learning from feedback is shown, and not experiments. */
  declare learns: boolean;
  declare ready: readonly Ready[];
  /** The experiment's file: one of the workspace, or one that is ready. */
  declare chosen: string;
  /** Its workspace. */
  declare opened: readonly File[];
  declare check: LabCheckResult | null;
  declare fault: string;
  /** An endpoint's name; "": as the experiment says. */
  declare model: string;
  declare tasks: number;
  declare calls: number;
  declare listed: number;

  constructor() {
    super();
    this.files = [];
    this.runs = [];
    this.endpoints = [];
    this.kept = [];
    this.learns = false;
    this.ready = [];
    this.chosen = "";
    this.opened = [];
    this.check = null;
    this.fault = "";
    this.model = "";
    this.tasks = 0;
    this.calls = 0;
    this.listed = LISTED;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#list();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("files") && this.#own().some((f) => f.name === this.chosen)) void this.#open(this.chosen);
  }

  protected override render(): unknown {
    const part = (learns: boolean, label: string): unknown => html`<button class="button small" type="button" aria-pressed=${this.learns === learns} @click=${() => this.#show(learns)}>${label}</button>`;
    return html`
      <div class="row wrap bench-parts" role="group" aria-label="What is shown of the lab">${part(false, "Experiments")}${part(true, "Learning from feedback")}</div>
      ${this.learns
        ? html`<stile-learn .core=${this.core} .files=${this.files} .records=${this.records} .run=${this.#last("learn")} .interrupted=${this.#interrupted("learn")}></stile-learn>`
        : this.#experiments()}`;
  }

  #experiments(): unknown {
    const interrupted = this.#interrupted("lab");
    const run = this.#mine();
    const running = run !== null && goes(run);
    const own = this.#own();
    return html`
      <p class="hint">The same tasks by several methods and models: each cell is a run of its own. What the papers published stands beside it.</p>
      ${interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${interrupted}></stile-interrupted>`}
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
      <form class="run-form" @submit=${this.#start}>
        <fieldset class="fields" ?disabled=${running}>
          <legend class="visually-hidden">The experiment</legend>
          <label class="field wide"><span>Experiment</span>
            <select id="lab-experiment" @change=${(e: Event) => void this.#open(valueOf(e))}>
              <option value="" .selected=${this.chosen === ""}>Choose one</option>
              ${own.length === 0 ? nothing : html`<optgroup label="In this workspace">${own.map((f) => html`<option value=${f.name} .selected=${f.name === this.chosen}>${f.name}</option>`)}</optgroup>`}
              <optgroup label="Tables of the papers">${this.ready.map((r) => html`<option value=${`${r.name}.lab`} .selected=${`${r.name}.lab` === this.chosen}>${r.title}</option>`)}</optgroup>
            </select></label>
          <label class="field"><span>Who answers</span>
            <select id="lab-model" @change=${(e: Event) => (this.model = valueOf(e))}>
              <option value="" .selected=${this.model === ""}>As the experiment says</option>
              ${this.endpoints.map((e) => html`<option value=${e.name} .selected=${e.name === this.model}>${e.label}${e.model === "" ? "" : `: ${e.model}`}</option>`)}
            </select></label>
          ${this.#number("Tasks of each kind, 0 for all", this.tasks, (n) => (this.tasks = n))}
          ${this.#number("Calls at most, 0 for no bound", this.calls, (n) => (this.calls = n))}
        </fieldset>
        <div class="run-actions">
          ${running
            ? html`<button class="button" type="button" @click=${() => wish(this, { wish: "cancel", run: run.number })}>${iconStop} Cancel</button>`
            : html`<button class="button primary" type="submit" ?disabled=${this.check === null || this.check.fault !== ""}>${iconPlay} Run</button>
              ${run === null || !leaves(run) ? nothing : html`<button class="button" type="button" @click=${() => this.#begin(doneIn(run))}>Run what is missing</button>`}`}
          <span class="run-state" role="status">${run === null ? nothing : this.#state(run)}</span>
        </div>
      </form>
      ${this.check === null ? nothing : this.#results(this.check, run)}`;
  }

  #number(label: string, value: number, change: (n: number) => void): unknown {
    return html`
      <label class="field narrow"><span>${label}</span><input type="number" min="0" step="1" .value=${String(value)} @change=${(e: Event) => {
        const n = Math.max(Math.floor(Number(valueOf(e)) || 0), 0);
        (e.target as HTMLInputElement).value = String(n);
        change(n);
      }} /></label>`;
  }

  #state(run: Run): unknown {
    const done = doneIn(run).length;
    const of = cellsOf(run)[0]?.of ?? 0;
    const told = of === 0 ? "" : `${done} of ${count(of, "cell")}`;
    switch (run.state) {
      case "done":
        return html`<span class="pill good">Done</span> ${told}`;
      case "failed":
        return html`<span class="pill bad">${run.interrupted ? "Interrupted" : "Failed"}</span> ${told}`;
      case "cancelled":
        return html`<span class="pill">Cancelled</span> ${told}`;
      default:
        return html`<span class="spinner" aria-hidden="true"></span> ${told === "" ? "Running" : told}`;
    }
  }

  #results(check: LabCheckResult, run: Run | null): unknown {
    const table = run === null ? check.table : (tableOf(run) ?? check.table);
    const outcomes = run === null ? [] : doneIn(run);
    return html`
      <h2>${check.title}</h2>
      ${check.fault === "" ? nothing : html`<p class="fault" role="alert">${sentence(check.fault)}</p>`}
      ${run?.fault === undefined ? nothing : html`<p class="fault" role="alert"><span>${sentence(run.fault.message)} <code>${run.fault.code}</code></span></p>`}
      <stile-lab-table .table=${table}></stile-lab-table>
      ${table.notes.map((note) => html`<p class="hint">${note}</p>`)}
      ${outcomes.length === 0 ? nothing : html`
        <stile-lab-chart .table=${table}></stile-lab-chart>
        <div class="row wrap"><span class="hint">Save:</span>${forms.map(([form, ending, label]) => html`<button class="button small" type="button" @click=${() => void this.#save(form, ending, outcomes)}>${label}</button>`)}</div>
        <details class="fold"><summary>The cells</summary>${this.#cells(outcomes)}</details>`}`;
  }

  #cells(outcomes: readonly LabOutcome[]): unknown {
    return html`
      <ol class="tries">${outcomes.slice(0, this.listed).map((o) => html`
        <li><div class="row wrap"><span class="pill ${o.state === "done" ? "" : "bad"}">${o.state}</span> <strong>${o.method}, ${o.model}</strong> <span class="hint">${o.task}</span>
          <button class="text-link" type="button" @click=${() => void this.#play(o)}>Open<span class="visually-hidden"> the run of ${o.key}</span></button></div>
          ${o.reason === "" ? nothing : html`<p class="hint">${sentence(o.reason)}</p>`}
          <p class="hint">${o.measures.map((m) => `${m.name} ${m.of ? `${m.count}/${m.of}` : Math.round(1000 * m.count) / 1000}`).join(" · ")}</p></li>`)}</ol>
      ${outcomes.length <= this.listed ? nothing : html`<button class="button small" type="button" @click=${() => (this.listed += LISTED)}>Show more of ${outcomes.length}</button>`}`;
  }

  /** The experiments of the workspace. */
  #own(): readonly File[] {
    return this.files.filter((f) => f.name.endsWith(".lab"));
  }

  /** The run of the experiment that is chosen. */
  #mine(): Run | null {
    const run = this.#last("lab");
    return run?.name === this.chosen ? run : null;
  }

  #last(kind: RunKind): Run | null {
    return this.runs.find((run) => run.kind === kind) ?? null;
  }

  #interrupted(kind: RunKind): readonly KeptRun[] {
    return this.kept.filter((run) => run.kind === kind);
  }

  #show(learns: boolean): void {
    this.learns = learns;
    if (learns) this.emit("part-wished", () => import("./learn.js"));
  }

  async #list(): Promise<void> {
    try {
      this.ready = JSON.parse(await this.records("experiments/index.json")) as readonly Ready[];
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
    const first = this.#own()[0];
    if (first !== undefined && this.chosen === "") await this.#open(first.name);
  }

  async #open(name: string): Promise<void> {
    this.chosen = name;
    this.check = null;
    this.fault = "";
    this.listed = LISTED;
    if (name === "") return;
    try {
      const own = this.#own().some((f) => f.name === name);
      const opened = own ? [...this.files] : [...(await this.#archive(`experiments/${name.replace(/\.lab$/, "")}.txtar`))];
      let check = await this.core.call("lab.check", { files: opened, name, settings: {} });
      for (const folder of check.needs) opened.push(...(await this.#folder(folder)));
      if (check.needs.length > 0) check = await this.core.call("lab.check", { files: opened, name, settings: {} });
      if (this.chosen !== name) return;
      this.opened = opened;
      this.check = check;
    } catch (reason) {
      if (this.chosen === name) this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }

  async #archive(name: string): Promise<readonly File[]> {
    const bytes = new TextEncoder().encode(await this.records(name));
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return (await this.core.call("workspace.import", { name, base64: btoa(binary) })).files;
  }

  /** An example of the gallery as a folder. */
  async #folder(id: string): Promise<readonly File[]> {
    return (await this.#archive(`${id}.txtar`)).map((f) => ({ name: `${id}/${f.name}`, text: f.text }));
  }

  #settings(earlier: readonly LabOutcome[]): LabSettings {
    const endpoint = this.endpoints.find((e) => e.name === this.model);
    return {
      ...(endpoint !== undefined && { models: [{ name: endpoint.label, spec: { kind: "endpoint", endpoint: onWire(endpoint) as LlmSpec["endpoint"] } as LlmSpec }] }),
      ...(this.tasks > 0 && { tasks: this.tasks }), ...(this.calls > 0 && { budget: { calls: this.calls } }), ...(earlier.length > 0 && { earlier }),
    };
  }

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#begin([]);
  };

  #begin(earlier: readonly LabOutcome[]): void {
    wish(this, { wish: "lab", name: this.chosen, files: this.opened, settings: this.#settings(earlier) });
  }

  async #save(form: string, ending: string, outcomes: readonly LabOutcome[]): Promise<void> {
    const { text } = await this.core.call("lab.export", { files: [...this.opened], name: this.chosen, outcomes: [...outcomes], form });
    saveText(this.chosen.replace(/lab$/, ending), text);
  }

  /** Plays a cell's run in the place of runs, where that shows runs of its kind. */
  async #play(outcome: LabOutcome): Promise<void> {
    const { earlier: _, ...settings } = (this.#mine()?.params.settings ?? {}) as LabSettings;
    const opened = await this.core.call("lab.open", { files: [...this.opened], name: this.chosen, settings, key: outcome.key, ...(outcome.answers && { answers: outcome.answers }) });
    this.emit("cell-wished", opened);
  }
}

function cellsOf(run: Run): readonly LabCellEvent[] {
  return (run.events as readonly LabCellEvent[]).filter((e) => e.kind === "lab.cell");
}

/** What became of the cells that are over. */
function doneIn(run: Run): readonly LabOutcome[] {
  return cellsOf(run).filter((e) => e.outcome.state === "done" || e.outcome.state === "failed").map((e) => e.outcome);
}

/** Whether cells were left out or failed. */
function leaves(run: Run): boolean {
  const done = doneIn(run).filter((o) => o.state === "done").length;
  return done > 0 && done < (cellsOf(run)[0]?.of ?? 0);
}

function tableOf(run: Run): LabTable | undefined {
  return (run.events as readonly LabTableEvent[]).findLast((e) => e.kind === "lab.table")?.table;
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement).value;
}

customElements.define("stile-lab", StileLab);
