import { html, nothing, type PropertyValues } from "lit";
import { type CoreClient, CoreError } from "../core-client.js";
import type { Price } from "../endpoints.js";
import type { KeptRun } from "../kept-runs.js";
import type { KeyNote } from "../keys.js";
import { cellsOf, forgetResults, isOver, keepResults, type KeptResults, keptResults, measure, type Progress, progressOf, tableOf } from "../lab-results.js";
import { iconPlay, iconStop } from "../late-icons.js";
import { aboutSpec, newExperiment } from "../new-experiment.js";
import { wish } from "../run-wish.js";
import { goes } from "../runs.js";
import { saveText } from "../save-text.js";
import { shownKinds } from "../spec.js";
import type { Endpoint, Place, Run, RunKind } from "../state.js";
import { type Kept, unsaved } from "../storage.js";
import type { Diagnostic, File, LabCheckResult, LabOutcome, LabTable } from "../wire.js";
import { count, sentence } from "../words.js";
import "./copy-button.js";
import "./interrupted.js";
import "./lab-cells.js";
import type { StileLabCells } from "./lab-cells.js";
import "./lab-chart.js";
import "./lab-list.js";
import type { Chosen, Ready } from "./lab-list.js";
import "./lab-settings.js";
import { type LabForm, labSettings, nameOf, usualLab } from "./lab-settings.js";
import "./lab-table.js";
import type { RowWish } from "./lab-table.js";
import { LightElement } from "./light-element.js";
import { leftOut, refusal } from "./refusal.js";
import { dollars } from "./run-spent.js";

/** How results are saved: what the core calls the form, and the file's ending. */
const forms = [["markdown", "md", "Markdown"], ["csv", "csv", "CSV"], ["jsonl", "jsonl", "JSONL"]] as const;

const RESULTS = ".results.json";

/** How long typing in an experiment rests before it is read. */
const READ_DELAY = 250;

/** What passing on a workspace takes. */
export interface Passing {
  readonly link: (files: readonly File[]) => Promise<string>;
  readonly archive: (files: readonly File[]) => Promise<string>;
  /** Null where nobody makes short links. */
  readonly shorten: ((link: string) => Promise<string>) | null;
}

/** The results that are shown. */
interface Shown {
  readonly table: LabTable;
  readonly outcomes: readonly LabOutcome[];
  readonly markdown: string;
}

/** The Lab tab: experiments, ready ones and those of the workspace, their tables, charts and cells. */
export class StileLab extends LightElement {
  static override properties = {
    core: { attribute: false }, files: { attribute: false }, current: { attribute: false }, task: { attribute: false }, records: { attribute: false }, runs: { attribute: false }, endpoints: { attribute: false }, keys: { attribute: false }, kept: { attribute: false }, passing: { attribute: false }, priceOf: { attribute: false },
    learns: { state: true }, ready: { state: true }, chosen: { state: true }, opened: { state: true }, check: { state: true }, fault: { state: true }, found: { state: true }, form: { state: true },
    earlier: { state: true }, shown: { state: true }, row: { state: true }, linked: { state: true }, said: { state: true }, price: { state: true }, known: { state: true }, saved: { state: true }, seconds: { state: true },
  };
  declare core: Pick<CoreClient, "call">;
  /** Of the workspace. */
  declare files: readonly File[];
  /** The name of the file that is open. */
  declare current: string;
  /** What the Run tab asks for. */
  declare task: string;
  /** Fetches a text that the site has beside its gallery. */
  declare records: (name: string) => Promise<string>;
  declare runs: readonly Run[];
  declare endpoints: readonly Endpoint[];
  declare keys: readonly KeyNote[];
  /** Runs of all kinds that an earlier visit left unfinished. */
  declare kept: readonly KeptRun[];
  declare passing: Passing;
  declare priceOf: (model: string) => Promise<Price | undefined>;
  /** Learning from feedback is shown, and not experiments. */
  declare learns: boolean;
  declare ready: readonly Ready[];
  /** The experiment's file: one of the workspace, or one that is ready; "" where all are listed. */
  declare chosen: string;
  /** Its workspace. */
  declare opened: readonly File[];
  declare check: LabCheckResult | null;
  declare fault: string;
  /** What is wrong with its text. */
  declare found: readonly Diagnostic[];
  declare form: LabForm;
  /** What there was of it before it was run here. */
  declare earlier: KeptResults | null;
  declare shown: Shown | null;
  /** The row whose cells are listed. */
  declare row: RowWish | null;
  /** The workspace that a link is made of, or null. */
  declare linked: readonly File[] | null;
  /** What was done with the results. */
  declare said: string;
  declare price: Price | null;
  /** What this device keeps. */
  declare known: ReadonlyMap<string, KeptResults>;
  /** How the last results were kept on this device. */
  declare saved: Kept;
  /** How long the run has been going. */
  declare seconds: number;
  #names = ""; // the workspace's experiments when one was chosen last
  #number = -1; // the run that is followed
  #began = 0;
  #told = ""; // what of the run is shown
  #clock: ReturnType<typeof setInterval> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor() {
    super();
    this.files = [];
    this.current = "";
    this.task = "";
    this.runs = [];
    this.endpoints = [];
    this.keys = [];
    this.kept = [];
    this.learns = false;
    this.ready = [];
    this.chosen = "";
    this.opened = [];
    this.check = null;
    this.fault = "";
    this.found = [];
    this.form = usualLab;
    this.earlier = null;
    this.shown = null;
    this.row = null;
    this.linked = null;
    this.said = "";
    this.price = null;
    this.known = new Map();
    this.saved = "yes";
    this.seconds = 0;
  }

  protected override firstUpdated(): void {
    void this.#list();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#clock);
    clearTimeout(this.#timer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("files") && this.hasUpdated) {
      const names = this.#own().join("\n");
      if (names !== this.#names && (this.chosen === "" || !this.#own().includes(this.chosen))) this.#choose();
      else if (this.#own().includes(this.chosen)) this.#readSoon();
      this.#names = names;
    }
    if (changed.has("runs")) this.#follow();
    // What is offered is what there is.
    if (changed.has("endpoints") && this.form.models.some((m) => !this.endpoints.some((e) => e.name === m))) this.#formChanged({ ...this.form, models: this.form.models.filter((m) => this.endpoints.some((e) => e.name === m)) });
  }

  protected override render(): unknown {
    const part = (learns: boolean, label: string): unknown => html`<button class="button small" type="button" aria-pressed=${this.learns === learns} @click=${() => this.#part(learns)}>${label}</button>`;
    return html`
      <div class="row wrap bench-parts" role="group" aria-label="What is shown of the lab">${part(false, "Experiments")}${part(true, "Learning from feedback")}</div>
      ${this.learns
        ? html`<stile-learn .core=${this.core} .files=${this.files} .records=${this.records} .run=${this.#last("learn")} .interrupted=${this.#interrupted("learn")}></stile-learn>`
        : this.#experiments()}`;
  }

  #experiments(): unknown {
    const interrupted = this.#interrupted("lab");
    return html`
      ${interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${interrupted}></stile-interrupted>`}
      ${this.fault === "" ? nothing : html`<div class="fault" role="alert"><span>${sentence(this.fault)}</span></div>`}
      ${this.chosen === "" ? html`
        <p class="hint">The same tasks by several methods and models: each cell is a run of its own, and what the papers published stands beside it. Simulated models ask nobody and come to the same table each time.</p>
        <stile-lab-list .own=${this.#own()} .ready=${this.ready} .done=${[...this.known.keys()]} .template=${aboutSpec(this.files, this.current)}
          @experiment-chosen=${(e: CustomEvent<Chosen>) => void this.#open(e.detail.name, e.detail.run)}
          @template-wished=${this.#template}></stile-lab-list>` : this.#experiment()}`;
  }

  #experiment(): unknown {
    const { check } = this;
    const run = this.#mine();
    return html`
      <div class="lab-head">
        <button class="button small" type="button" @click=${() => void this.#open("")}>‹ All experiments</button>
        <h2>${check?.title || this.chosen}</h2>
        ${check === null || check.note === "" ? nothing : html`<p class="hint">${check.note}</p>`}
      </div>
      ${this.#faults()}
      ${check === null ? (this.found.length > 0 || this.fault !== "" ? nothing : html`<p class="hint"><span class="spinner" aria-hidden="true"></span> Reading the experiment</p>`) : this.#form(check, run)}
      ${check === null || this.shown === null ? nothing : this.#results(check, this.shown, run)}`;
  }

  /** What is wrong with the text, each with its place. */
  #faults(): unknown {
    if (this.found.length === 0) return nothing;
    return html`
      <ul class="problem-list" aria-label="Problems of the experiment">${this.found.slice(0, 20).map((d) => html`
        <li class="problem"><button class="problem-main" type="button" @click=${() => this.emit<Omit<Place, "count">>("place-wished", { name: this.chosen, from: d.from, to: d.to })}>
          <span class="pill ${d.severity === "error" ? "bad" : ""}">${d.severity}</span> <span class="problem-text">${d.message}</span> <span class="problem-place">${d.line}:${d.column}</span></button></li>`)}</ul>`;
  }

  #form(check: LabCheckResult, run: Run | null): unknown {
    const running = run !== null && goes(run);
    const usable = check.fault === "";
    const missing = this.#missing(check);
    const partly = missing > 0 && missing < check.cells.length;
    return html`
      <form class="run-form" @submit=${this.#start}>
        <fieldset class="fields lab-fields" ?disabled=${running}>
          <legend class="visually-hidden">How the experiment is run</legend>
          <stile-lab-settings .form=${this.form} .check=${check} .endpoints=${this.endpoints} .keys=${this.keys}
            @form-changed=${(e: CustomEvent<LabForm>) => this.#formChanged(e.detail)} @endpoints-wished=${() => this.emit("endpoints-wished", null)}></stile-lab-settings>
        </fieldset>
        ${usable ? nothing : html`<p class="fault" role="alert"><span>${sentence(check.fault)}</span></p>`}
        <div class="run-actions">
          ${running
            ? html`<button class="button" type="button" @click=${() => wish(this, { wish: "cancel", run: run.number })}>${iconStop} Cancel</button>`
            : html`<button class="button primary" type="submit" ?disabled=${!usable}>${iconPlay} Run</button>
              ${partly ? html`<button class="button" type="button" ?disabled=${!usable} @click=${() => this.#begin(this.#there())}>Run what is missing</button>` : nothing}`}
          <span class="run-state" role="status">${run === null ? nothing : this.#state(run, progressOf(run))}</span>
        </div>
        ${run === null || !running ? nothing : this.#progress(progressOf(run))}
        ${running ? nothing : html`<p class="hint">${this.#estimate(check, missing)}</p>`}
      </form>
      ${run ? [refusal(this, run), leftOut(run)] : nothing}
      ${this.saved === "yes" ? nothing : html`<p class="fault" role="alert"><span>The results are not saved on this device: ${unsaved[this.saved]}. Save them as a file before you leave the page.</span></p>`}
      ${check.notes.filter((note) => !check.endpoints.some((name) => note.includes(`"${name}"`))).map((note) => html`<p class="hint">${note}</p>`)}`;
  }

  #state(run: Run, p: Progress): unknown {
    const told = html`${p.done + p.failed} of ${count(p.of, "cell")}${p.failed > 0 ? html`, <strong>${p.failed} failed</strong>` : nothing}`;
    const took = html`<span class="hint">${spent(p)}</span>`;
    switch (run.state) {
      case "done":
        return html`<span class="pill good">Done</span> ${told} ${took}${p.stopped === "" ? nothing : html` <strong>${sentence(p.stopped)}</strong>`}`;
      case "failed":
        return html`<span class="pill bad">${run.interrupted ? "Interrupted" : "Failed"}</span> ${told} ${took}`;
      case "cancelled":
        return html`<span class="pill">Cancelled</span> ${told} ${took}`;
      default:
        return html`<span class="spinner" aria-hidden="true"></span> ${p.of === 0 ? "Starting" : told}${run.timeline.retry === "" ? nothing : html` · ${run.timeline.retry}`}`;
    }
  }

  #progress(p: Progress): unknown {
    const over = p.done + p.failed;
    const left = over > 0 && this.seconds > 2 ? (this.seconds / over) * (p.of - over) : 0;
    return html`
      <div class="lab-progress"><progress aria-label="Cells that are over" max=${Math.max(p.of, 1)} value=${over}></progress>
        <span class="hint">${p.running} at work · ${clock(this.seconds)}${left > 0 ? `, about ${clock(left)} to go` : ""} · ${spent(p)}</span></div>`;
  }

  /** What a run would take, before it is begun. */
  #estimate(check: LabCheckResult, missing: number): unknown {
    const cells = check.cells.length;
    const all = `${count(cells, "cell")}${missing === cells ? "" : missing === 0 ? ", all of them there" : `, ${missing} of them missing`}.`;
    if (this.form.models.length === 0) return `${all} Simulated models cost nothing.`;
    const like = (this.shown?.outcomes ?? []).filter((o) => o.state === "done");
    const mean = (method: string, name: string): number | undefined => {
      const list = like.filter((o) => o.method === method);
      return list.length === 0 ? undefined : list.reduce((sum, o) => sum + measure(o, name), 0) / list.length;
    };
    const total = (name: string): number => check.cells.reduce((sum, c) => sum + (mean(c.method, name) ?? 0), 0);
    const calls = total("calls");
    if (calls === 0) return `${all} Run it with simulated models first: then it is known about how many calls it takes.`;
    const tokens = total("tokens");
    const most = this.price === null ? "" : `, or at most ${dollars((tokens * Math.max(this.price.prompt, this.price.completion)) / 1e6)}`;
    return `${all} About ${short(calls)} calls and ${short(tokens)} tokens${most}, by what the cells took that are there.`;
  }

  #results(check: LabCheckResult, { table, outcomes, markdown }: Shown, run: Run | null): unknown {
    const over = outcomes.filter(isOver);
    const others = this.earlier === null ? [] : this.#others(run);
    const stale = run === null || goes(run) ? "" : this.#stale(check, over, "these results");
    return html`
      ${run === null && this.earlier !== null ? html`<p class="hint">${this.earlier.at === 0 ? "These results came with the workspace." : `Results that this device keeps, of ${new Date(this.earlier.at).toLocaleString()}.`}${this.#stale(check, over, "them")} ${this.earlier.at === 0 ? nothing : html`<button class="text-link" type="button" @click=${() => void this.#forget()}>Forget them</button>`}</p>`
        : others.length > 0 ? html`<p class="hint">Of an earlier run: ${[...new Set(others.map((o) => o.model))].join(", ")}. <button class="text-link" type="button" @click=${() => void this.#forget()}>Leave out</button></p>` : nothing}
      ${stale === "" ? nothing : html`<p class="hint">${stale}</p>`}
      <stile-lab-table .table=${table} @row-wished=${this.#rowWished}></stile-lab-table>
      ${(run === null ? [] : (tableOf(run)?.notes ?? [])).filter((note) => note !== check.note && !check.notes.includes(note)).map((note) => html`<p class="hint">${note}</p>`)}
      <stile-lab-chart .table=${table} .outcomes=${over}></stile-lab-chart>
      ${over.length === 0 ? nothing : html`
        <section class="lab-group" aria-labelledby="lab-take">
          <h3 id="lab-take">Take the results along</h3>
          <div class="row wrap">
            ${forms.map(([form, ending, label]) => html`<button class="button small" type="button" data-form=${form} @click=${() => void this.#save(form, ending, over)}>${label}</button>`)}
            <stile-copy-button .text=${markdown} .what=${"the table as Markdown"} .label=${"Copy the table"}></stile-copy-button>
            <button class="button small" type="button" @click=${() => void this.#keepInWorkspace(over)}>Keep in the workspace</button>
            <button class="button small" type="button" aria-expanded=${this.linked !== null} @click=${() => void this.#link(over)}>Link with the results</button>
            <span class="hint" role="status">${this.said}</span>
          </div>
          ${this.linked === null ? nothing : html`
            <div class="lab-link">
              <p class="hint">Whoever opens it sees this table, these charts and cells at once, without a key and without any run. Figures are in it; what models answered is left out.</p>
              <stile-share .make=${() => this.passing.link(this.linked ?? [])} .save=${() => void this.#saveArchive()} .archive=${this.passing.archive} .shorten=${this.passing.shorten} .texts=${() => this.linked ?? []}></stile-share>
            </div>`}
        </section>
        <details class="fold lab-fold" ?open=${this.row !== null}><summary><h3>The cells</h3></summary>
          <stile-lab-cells .outcomes=${outcomes} .row=${this.row} .trace=${this.#last("cell")} @cell-opened=${(e: CustomEvent<LabOutcome>) => void this.#play(e.detail)}></stile-lab-cells></details>`}`;
  }

  /** Says of results that do not fit the experiment as it is now that they do not. */
  #stale(check: LabCheckResult, over: readonly LabOutcome[], results: string): string {
    const now = new Map(check.cells.map((c) => [c.key, c.stamp]));
    const stale = over.filter((o) => now.has(o.key) && now.get(o.key) !== o.stamp).length;
    return stale === 0 ? "" : ` ${stale} of ${results} are of an earlier state of the experiment.`;
  }

  // The experiments.

  /** The experiments of the workspace; of results whose experiment is not beside them, the one that they have in them. */
  #own(): readonly string[] {
    const names = this.files.map((f) => f.name);
    const bare = names.filter((n) => n.endsWith(RESULTS)).map((n) => n.replace(RESULTS, ".lab")).filter((n) => !names.includes(n));
    return [...names.filter((n) => n.endsWith(".lab")), ...bare];
  }

  /** Chooses the experiment that a person will want to see: the one that is open, or that has results. */
  #choose(): void {
    const own = this.#own();
    const results = own.find((name) => this.#resultsFile(name) !== undefined);
    void this.#open(own.includes(this.current) ? this.current : (results ?? ""));
  }

  #resultsFile(name: string): File | undefined {
    return this.files.find((f) => f.name === name.replace(/\.lab$/, RESULTS));
  }

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

  #part(learns: boolean): void {
    this.learns = learns;
    if (learns) this.emit("part-wished", () => import("./learn.js"));
  }

  async #list(): Promise<void> {
    this.#names = this.#own().join("\n");
    const known = keptResults().then((known) => (this.known = known));
    try {
      this.ready = JSON.parse(await this.records("experiments/index.json")) as readonly Ready[];
    } catch (reason) {
      this.fault = messageOf(reason);
    }
    await known;
    if (this.chosen === "") this.#choose();
  }

  async #open(name: string, run = false): Promise<void> {
    const asked = ++this.#asked;
    const another = name !== this.chosen;
    this.chosen = name;
    this.fault = "";
    if (another) {
      this.check = null;
      this.found = [];
      this.shown = null;
      this.earlier = null;
      this.row = null;
      this.linked = null;
      this.said = "";
      this.#told = "";
      this.form = { ...usualLab, models: this.form.models };
    }
    if (name === "") {
      this.known = await keptResults();
      return;
    }
    try {
      const opened = await this.#workspace(name);
      if (asked !== this.#asked) return;
      this.opened = opened;
      await this.#read(asked);
      if (another) await this.#recall(asked);
      if (asked !== this.#asked) return;
      if (run) this.#begin([]);
      void this.#show();
    } catch (reason) {
      if (asked !== this.#asked) return;
      this.check = null;
      if (reason instanceof CoreError && reason.diagnostics.length > 0) this.found = reason.diagnostics;
      else this.fault = messageOf(reason);
    }
  }

  #readSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#open(this.chosen), READ_DELAY);
  }

  /** Asks the core what the experiment is with the settings of the form. */
  async #read(asked: number): Promise<void> {
    const check = await this.core.call("lab.check", { files: [...this.opened], name: this.chosen, settings: labSettings(this.form, this.endpoints, null) });
    if (asked !== this.#asked) return;
    this.check = check;
    this.found = [];
  }

  /** All files of an experiment, what it needs of the gallery among them. */
  async #workspace(name: string): Promise<readonly File[]> {
    const alone = this.ready.find((r) => `${r.name}.lab` === name);
    const archive = alone === undefined ? [] : await this.#archive(`experiments/${alone.name}.txtar`);
    if (!this.#own().includes(name)) return archive;
    const opened = [...this.files];
    const text = this.#resultsFile(name)?.text;
    if (!opened.some((f) => f.name === name) && text !== undefined) opened.push({ name, text: (JSON.parse(text) as { readonly experiment: string }).experiment });
    const { needs } = await this.core.call("lab.check", { files: opened, name, settings: {} });
    for (const folder of needs) {
      const within = (files: readonly File[]): readonly File[] => files.filter((f) => f.name.startsWith(`${folder}/`));
      const other = this.ready.find((r) => r.folders.includes(folder) || r.files.some((f) => f.startsWith(`${folder}/`)));
      if (within(archive).length > 0) opened.push(...within(archive));
      else if (other !== undefined) opened.push(...within(await this.#archive(`experiments/${other.name}.txtar`)));
      else opened.push(...(await this.#archive(`${folder}.txtar`)).map((f) => ({ name: `${folder}/${f.name}`, text: f.text })));
    }
    return opened;
  }

  async #archive(name: string): Promise<readonly File[]> {
    const bytes = new TextEncoder().encode(await this.records(name));
    let binary = "";
    for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return (await this.core.call("workspace.import", { name, base64: btoa(binary) })).files;
  }

  #template = (): void => {
    const spec = aboutSpec(this.files, this.current);
    const [experiment, ...more] = newExperiment(this.files, spec, this.task);
    if (experiment === undefined) return;
    this.emit("files-wish", more);
    this.emit("file-wished", experiment);
    void this.updateComplete.then(() => this.#open(experiment.name));
  };

  // Results.

  /** Brings back what there was of the experiment. */
  async #recall(asked: number): Promise<void> {
    const file = this.#own().includes(this.chosen) ? this.#resultsFile(this.chosen) : undefined;
    this.known = await keptResults();
    let before = this.known.get(this.chosen) ?? null;
    if (file !== undefined) {
      const { outcomes } = await this.core.call("lab.tables", { results: file.text });
      before = { at: 0, outcomes };
    }
    if (asked === this.#asked) this.earlier = before;
  }

  /** Results of earlier runs, with models that the last was not with. */
  #others(run: Run | null): readonly LabOutcome[] {
    const before = this.earlier?.outcomes ?? [];
    if (run === null) return before;
    const models = new Set(cellsOf(run).map((o) => o.model));
    const going = new Set((this.check?.cells ?? []).map((c) => c.model));
    return before.filter((o) => !models.has(o.model) && (models.size > 0 || !going.has(o.model)));
  }

  /** All results that are there. */
  #there(): readonly LabOutcome[] {
    const run = this.#mine();
    return [...(run === null ? [] : cellsOf(run)), ...this.#others(run)];
  }

  /** How many of the cells have no result yet. */
  #missing(check: LabCheckResult): number {
    const there = new Set(this.#there().filter((o) => o.state === "done").map((o) => `${o.key} ${o.stamp}`));
    return check.cells.filter((c) => !there.has(`${c.key} ${c.stamp}`)).length;
  }

  /** Has the core make the table of what is there. */
  async #show(): Promise<void> {
    const { chosen, opened, check } = this;
    if (check === null) return;
    const outcomes = this.#there();
    try {
      const over = plain(outcomes.filter(isOver));
      const { table, markdown } = await this.core.call("lab.tables", { files: opened.filter((f) => f.name === chosen), name: chosen, outcomes: over });
      if (this.chosen === chosen) this.shown = { table: { ...table, cells: Math.max(table.cells, check.cells.length) }, outcomes, markdown };
    } catch (reason) {
      if (this.chosen === chosen) this.fault = messageOf(reason);
    }
  }

  /** Keeps up with the last run: shows it, and keeps what it comes to. */
  #follow(): void {
    const run = this.#last("lab");
    if (run === null) return;
    if (run.number !== this.#number) {
      this.#number = run.number;
      this.#began = performance.now();
      this.#told = "";
      this.seconds = 0;
      // A run that is gone on with from an earlier visit is shown.
      if (run.name !== this.chosen) void this.#open(run.name);
      clearInterval(this.#clock);
      this.#clock = setInterval(() => (this.seconds = (performance.now() - this.#began) / 1000), 1000);
    }
    if (!goes(run)) clearInterval(this.#clock);
    if (run.name !== this.chosen || this.check === null) return;
    const tables = (run.events as readonly { readonly kind: string }[]).filter((e) => e.kind === "lab.table").length;
    const told = `${run.number} ${tables} ${run.state}`;
    if (told === this.#told) return;
    this.#told = told;
    void this.#show();
    if (!run.replay) void keepResults(run.name, this.#there().filter(isOver)).then((kept) => (this.saved = kept));
  }

  async #forget(): Promise<void> {
    this.earlier = null;
    await forgetResults(this.chosen);
    const run = this.#mine();
    if (run !== null) await keepResults(this.chosen, cellsOf(run).filter(isOver));
    await this.#show();
  }

  // Runs.

  #formChanged(form: LabForm): void {
    this.form = form;
    const [first] = form.models;
    const endpoint = this.endpoints.find((e) => e.name === first);
    this.price = endpoint?.price ?? null;
    if (endpoint !== undefined && endpoint.price === undefined && endpoint.model !== "") void this.priceOf(endpoint.model).then((price) => (this.price = price ?? null));
    const asked = ++this.#asked;
    this.#read(asked).catch((reason: unknown) => (this.fault = messageOf(reason)));
  }

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#begin([]);
  };

  #begin(earlier: readonly LabOutcome[]): void {
    if (this.check === null || this.check.fault !== "") return;
    // What was run last stays, for the models that are not run now.
    this.earlier = { at: Date.now(), outcomes: this.#there().filter(isOver) };
    wish(this, { wish: "lab", name: this.chosen, files: this.opened, settings: labSettings(this.form, this.endpoints, this.check, earlier.filter((o) => o.state === "done")) });
  }

  #rowWished = (event: CustomEvent<RowWish>): void => {
    this.row = { ...event.detail };
    void this.updateComplete.then(() => {
      const cells = this.querySelector(".lab-fold");
      cells?.scrollIntoView({ block: "nearest" });
      cells?.querySelector("summary")?.focus();
    });
  };

  /** Plays a cell's run in the Run tab, where that shows runs of its kind, and beneath the cell where it does not. */
  async #play(outcome: LabOutcome): Promise<void> {
    const endpoint = this.endpoints.find((e) => nameOf(e, this.endpoints) === outcome.model);
    const { models } = labSettings({ ...usualLab, models: endpoint === undefined ? [] : [endpoint.name] }, this.endpoints, null);
    this.fault = "";
    try {
      if (endpoint !== undefined && outcome.answers === undefined) throw new Error("what the model answered was not kept with this result, so that its run cannot be played");
      const { workspace, log } = await this.core.call("lab.open", { files: [...this.opened], name: this.chosen, settings: { seeds: [outcome.seed], ...(models && { models }) }, key: outcome.key, ...(outcome.answers && { answers: outcome.answers }) });
      if (shownKinds.some((kind) => kind === log.kind)) {
        this.emit("cell-wished", { workspace, log });
        return;
      }
      wish(this, { wish: "cell", params: { kind: log.kind, workspace, log } });
      const cells = this.querySelector<StileLabCells>("stile-lab-cells");
      if (cells !== null) cells.opened = outcome.key;
    } catch (reason) {
      this.fault = reason instanceof CoreError && reason.code === "lab.cell" ? `the run of this cell was with a model that is not known here, “${outcome.model}”` : messageOf(reason);
    }
  }

  // What is taken along.

  async #save(form: string, ending: string, outcomes: readonly LabOutcome[]): Promise<void> {
    saveText(this.chosen.replace(/^.*\//, "").replace(/lab$/, ending), await this.#export(form, outcomes));
  }

  async #export(form: string, outcomes: readonly LabOutcome[]): Promise<string> {
    return (await this.core.call("lab.export", { files: this.opened.filter((f) => f.name === this.chosen), name: this.chosen, outcomes: plain(outcomes), form })).text;
  }

  /** The experiment, with all of the workspace where it is the workspace's, and its results. */
  async #carried(outcomes: readonly LabOutcome[]): Promise<readonly File[]> {
    const results = { name: this.chosen.replace(/\.lab$/, RESULTS), text: await this.#export("results", outcomes) };
    const own = this.#own().includes(this.chosen);
    const files = own ? this.files : this.opened.filter((f) => f.name === this.chosen);
    return [...files.filter((f) => f.name !== results.name), results];
  }

  async #keepInWorkspace(outcomes: readonly LabOutcome[]): Promise<void> {
    this.emit("files-wish", await this.#carried(outcomes));
    this.said = `Kept as ${this.chosen.replace(/\.lab$/, RESULTS)}.`;
  }

  async #link(outcomes: readonly LabOutcome[]): Promise<void> {
    if (this.linked !== null) {
      this.linked = null;
      return;
    }
    const linked = await this.#carried(outcomes);
    this.emit("part-wished", async () => {
      await import("./share.js");
      this.linked = linked;
    });
  }

  async #saveArchive(): Promise<void> {
    saveText(this.chosen.replace(/^.*\//, "").replace(/\.lab$/, ".txtar"), await this.passing.archive(this.linked ?? []));
  }
}

/** Outcomes without what models answered, which makes no difference to a table. */
function plain(outcomes: readonly LabOutcome[]): LabOutcome[] {
  return outcomes.map(({ answers: _, ...o }) => o);
}

function short(n: number): string {
  return Number(n.toPrecision(2)).toLocaleString("en");
}

function spent({ calls, tokens, money }: Progress): string {
  return [count(calls, "call"), `${tokens.toLocaleString("en")} tokens`, ...(money > 0 ? [dollars(money)] : [])].join(" · ");
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

customElements.define("stile-lab", StileLab);
