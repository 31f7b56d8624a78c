import { html, nothing, type PropertyValues } from "lit";
import { type CoreClient, CoreError } from "../core/core-client.js";
import { type Price, priceOf } from "../models/endpoint-actions.js";
import type { KeptRun } from "../store/unfinished-runs.js";
import type { KeyNote } from "../models/api-keys.js";
import {
  cellsOf,
  forgetResults,
  isOver,
  keepResults,
  type KeptResults,
  keptResults,
  measure,
  type Progress,
  progressOf,
  tableOf,
} from "./lab-results.js";
import { iconPlay } from "../ui/panel-icons.js";
import { aboutSpec, newExperiment } from "../edit/experiment-template.js";
import { sendCommand } from "../run/run-command.js";
import { goes } from "../run/run-state.js";
import { saveText } from "../share/save-file.js";
import { shownKinds } from "../store/file-kind.js";
import type { Endpoint, Place, Run, RunKind } from "../store/state.js";
import { type Kept, unsaved } from "../store/storage.js";
import type { Diagnostic, File, LabCheckResult, LabOutcome, LabSettings, LabTable } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import "../run/interrupted.js";
import "./lab-cells.js";
import type { StileLabCells } from "./lab-cells.js";
import "./lab-chart.js";
import "./lab-list.js";
import type { Chosen, Ready } from "./lab-list.js";
import "./lab-settings.js";
import { type LabForm, labSettings, nameOf, usualLab } from "./lab-settings.js";
import "./lab-table.js";
import type { RowRequest } from "./lab-table.js";
import { runActions } from "../run/run-actions.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { leftOut, refusal } from "../run/refusal.js";
import { askToSpend, over, tried, usesEndpoint } from "../run/ceiling.js";
import { dollars } from "../run/run-spent.js";

/** Formats of saved results: the core's name and the file's ending. */
const forms = [
  ["markdown", "md", "Markdown"],
  ["csv", "csv", "CSV"],
  ["jsonl", "jsonl", "JSONL"],
] as const;

const RESULTS = ".results.json";

/** Milliseconds without typing before an experiment is analysed. */
const READ_DELAY = 250;

/** Functions for sharing a workspace. */
export interface Passing {
  readonly link: (files: readonly File[]) => Promise<string>;
  readonly archive: (files: readonly File[]) => Promise<string>;
  /** Null if the site has no worker for short links. */
  readonly shorten: ((link: string) => Promise<string>) | null;
}

/** The visible results. */
interface Shown {
  readonly table: LabTable;
  readonly outcomes: readonly LabOutcome[];
  readonly markdown: string;
}

/** The Lab tab: experiments of the papers and of the workspace, with their tables, charts and cells. */
export class StileLab extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** Files of the workspace. */
  @prop files: readonly File[] = [];
  /** Name of the open file. */
  @prop current = "";
  /** The task of the Run tab. */
  @prop task = "";
  /** Loads a file next to the gallery. */
  @prop records!: (name: string) => Promise<string>;
  @prop runs: readonly Run[] = [];
  @prop endpoints: readonly Endpoint[] = [];
  @prop keys: readonly KeyNote[] = [];
  /** Unfinished runs of all kinds from earlier visits. */
  @prop kept: readonly KeptRun[] = [];
  @prop passing!: Passing;
  /** Whether learning from feedback is shown instead of experiments. */
  @state learns = false;
  @state ready: readonly Ready[] = [];
  /** File of the chosen experiment, from the workspace or the site; "" for the list. */
  @state chosen = "";
  /** The workspace of the chosen experiment. */
  @state opened: readonly File[] = [];
  @state check: LabCheckResult | null = null;
  @state fault = "";
  /** The diagnostics of the chosen experiment. */
  @state found: readonly Diagnostic[] = [];
  @state form: LabForm = usualLab;
  /** Results from before the last run. */
  @state earlier: KeptResults | null = null;
  @state shown: Shown | null = null;
  /** The row whose cells are listed. */
  @state row: RowRequest | null = null;
  /** The workspace to share, or null. */
  @state linked: readonly File[] | null = null;
  /** Confirmation after an action on the results. */
  @state said = "";
  @state price: Price | null = null;
  /** Whether a trial of a run is in progress, to estimate its cost. */
  @state estimating = false;
  /** Results kept on this device. */
  @state known: ReadonlyMap<string, KeptResults> = new Map();
  /** The result of saving the last results. */
  @state saved: Kept = "yes";
  /** Duration of the run. */
  @state seconds = 0;
  #names = ""; // the workspace's experiments at the last choice
  #number = -1; // number of the followed run
  #began = 0;
  #shownState = ""; // shown part of the run
  #clock: ReturnType<typeof setInterval> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #priced = 0;
  /** Settles when the gallery's experiments are read. */
  #listed: Promise<void> = Promise.resolve();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#clock);
    clearTimeout(this.#timer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.hasUpdated) this.#listed = this.#list();
    if (changed.has("files") && this.hasUpdated) {
      const names = this.#own().join("\n");
      if (names !== this.#names && (this.chosen === "" || !this.#own().includes(this.chosen))) this.#choose();
      else if (this.#own().includes(this.chosen)) this.#readSoon();
      this.#names = names;
    }
    if (changed.has("runs")) this.#follow();
    // A removed endpoint is no longer chosen.
    if (changed.has("endpoints") && this.form.models.some((m) => !this.endpoints.some((e) => e.name === m)))
      this.#formChanged({
        ...this.form,
        models: this.form.models.filter((m) => this.endpoints.some((e) => e.name === m)),
      });
  }

  protected override render(): unknown {
    const part = (learns: boolean, label: string): unknown =>
      html`<button
        class="button small"
        type="button"
        aria-pressed=${this.learns === learns}
        @click=${() => this.#part(learns)}
      >
        ${label}
      </button>`;
    return html` <div class="row wrap bench-parts" role="group" aria-label="View of the lab">
        ${part(false, "Experiments")}${part(true, "Learning from feedback")}
      </div>
      ${
        this.learns
          ? html`<stile-learn
              .core=${this.core}
              .files=${this.files}
              .records=${this.records}
              .run=${this.#last("learn")}
              .interrupted=${this.#interrupted("learn")}
            ></stile-learn>`
          : this.#experiments()
      }`;
  }

  #experiments(): unknown {
    const interrupted = this.#interrupted("lab");
    return html` ${interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${interrupted}></stile-interrupted>`}
    ${this.fault === "" ? nothing : html`<div class="fault" role="alert"><span>${sentence(this.fault)}</span></div>`}
    ${
      this.chosen === ""
        ? html` <p class="hint">
              Run the same tasks with several methods and models. Each cell is a separate run, and published figures
              appear next to it. Simulated models call no server and always produce the same table.
            </p>
            <stile-lab-list
              .own=${this.#own()}
              .ready=${this.ready}
              .done=${[...this.known.keys()]}
              .template=${aboutSpec(this.files, this.current)}
              @experiment-chosen=${(e: CustomEvent<Chosen>) => void this.#open(e.detail.name, e.detail.run)}
              @template-requested=${this.#template}
            ></stile-lab-list>`
        : this.#experiment()
    }`;
  }

  #experiment(): unknown {
    const { check } = this;
    const run = this.#mine();
    return html` <div class="lab-head">
        <button class="button small" type="button" @click=${() => void this.#open("")}>‹ All experiments</button>
        <h2>${check?.title || this.chosen}</h2>
        ${check === null || check.note === "" ? nothing : html`<p class="hint">${check.note}</p>`}
      </div>
      ${this.#faults()}
      ${check === null ? (this.found.length > 0 || this.fault !== "" ? nothing : html`<p class="hint"><span class="spinner" aria-hidden="true"></span> Reading the experiment</p>`) : this.#form(check, run)}
      ${check === null || this.shown === null ? nothing : this.#results(check, this.shown, run)}`;
  }

  /** Renders the diagnostics with their places. */
  #faults(): unknown {
    if (this.found.length === 0) return nothing;
    return html` <ul class="problem-list" aria-label="Problems of the experiment">
      ${this.found.slice(0, 20).map(
        (d) =>
          html` <li class="problem">
            <button
              class="problem-main"
              type="button"
              @click=${() => this.emit<Omit<Place, "count">>("place-requested", { name: this.chosen, from: d.from, to: d.to })}
            >
              <span class="pill ${d.severity === "error" ? "bad" : ""}">${d.severity}</span>
              <span class="problem-text">${d.message}</span> <span class="problem-place">${d.line}:${d.column}</span>
            </button>
          </li>`,
      )}
    </ul>`;
  }

  #form(check: LabCheckResult, run: Run | null): unknown {
    const running = run !== null && goes(run);
    const usable = check.fault === "" && !this.estimating;
    const missing = this.#missing(check);
    const partly = missing > 0 && missing < check.cells.length;
    return html` <form class="run-form" @submit=${this.#start}>
        <fieldset class="fields lab-fields" ?disabled=${running || this.estimating}>
          <legend class="visually-hidden">Experiment settings</legend>
          <stile-lab-settings
            .form=${this.form}
            .check=${check}
            .endpoints=${this.endpoints}
            .keys=${this.keys}
            @form-changed=${(e: CustomEvent<LabForm>) => this.#formChanged(e.detail)}
            @endpoints-requested=${() => this.emit("endpoints-requested", null)}
          ></stile-lab-settings>
        </fieldset>
        ${check.fault === "" ? nothing : html`<p class="fault" role="alert"><span>${sentence(check.fault)}</span></p>`}
        ${runActions(
          this,
          run,
          html`<button class="button primary" type="submit" ?disabled=${!usable}>${iconPlay} Run</button>
            ${partly ? html`<button class="button" type="button" ?disabled=${!usable} @click=${() => void this.#begin(this.#there())}>Run the missing cells</button>` : nothing}`,
          run === null ? nothing : this.#state(run, progressOf(run)),
        )}
        ${run === null || !running ? nothing : this.#progress(progressOf(run))}
        ${running ? nothing : html`<p class="hint" role="status">${this.estimating ? "Estimating the cost with a simulated model …" : this.#estimate(check, missing)}</p>`}
      </form>
      ${run ? [refusal(this, run), leftOut(run)] : nothing}
      ${this.saved === "yes" ? nothing : html`<p class="fault" role="alert"><span>The results are not saved on this device: ${unsaved[this.saved]}. Save them as a file before you leave the page.</span></p>`}
      ${check.notes.filter((note) => !check.endpoints.some((name) => note.includes(`"${name}"`))).map((note) => html`<p class="hint">${note}</p>`)}`;
  }

  #state(run: Run, p: Progress): unknown {
    const progress = html`${p.done + p.failed} of
    ${count(p.of, "cell")}${p.failed > 0 ? html`, <strong>${p.failed} failed</strong>` : nothing}`;
    const took = html`<span class="hint">${spent(p)}</span>`;
    switch (run.state) {
      case "done":
        return html`<span class="pill good">Done</span> ${progress}
          ${took}${p.stopped === "" ? nothing : html` <strong>${sentence(p.stopped)}</strong>`}`;
      case "failed":
        return html`<span class="pill bad">${run.interrupted ? "Interrupted" : "Failed"}</span> ${progress} ${took}`;
      case "cancelled":
        return html`<span class="pill">Cancelled</span> ${progress} ${took}`;
      default:
        return html`<span class="spinner" aria-hidden="true"></span>
          ${p.of === 0 ? "Starting" : progress}${run.timeline.retry === "" ? nothing : html` · ${run.timeline.retry}`}`;
    }
  }

  #progress(p: Progress): unknown {
    const over = p.done + p.failed;
    const left = over > 0 && this.seconds > 2 ? (this.seconds / over) * (p.of - over) : 0;
    return html` <div class="lab-progress">
      <progress aria-label="Finished cells" max=${Math.max(p.of, 1)} value=${over}></progress>
      <span class="hint"
        >${p.running} running · ${clock(this.seconds)}${left > 0 ? `, about ${clock(left)} to go` : ""} ·
        ${spent(p)}</span
      >
    </div>`;
  }

  /** Estimates the cost of a run. */
  #estimate(check: LabCheckResult, missing: number): string {
    const cells = check.cells.length;
    const all = `${count(cells, "cell")}${missing === cells ? "" : missing === 0 ? ", all finished" : `, ${missing} of them missing`}.`;
    if (this.form.models.length === 0) return `${all} Simulated models cost nothing.`;
    const like = (this.shown?.outcomes ?? []).filter((o) => o.state === "done");
    const mean = (method: string, name: string): number | undefined => {
      const list = like.filter((o) => o.method === method);
      return list.length === 0 ? undefined : list.reduce((sum, o) => sum + measure(o, name), 0) / list.length;
    };
    const total = (name: string): number => check.cells.reduce((sum, c) => sum + (mean(c.method, name) ?? 0), 0);
    const calls = total("calls");
    if (calls === 0) return `${all} ${this.#bound(check)} An estimate is shown before it starts.`;
    const tokens = total("tokens");
    const most =
      this.price === null
        ? ""
        : `, or at most ${dollars((tokens * Math.max(this.price.prompt, this.price.completion)) / 1e6)}`;
    return `${all} About ${short(calls)} calls and ${short(tokens)} tokens${most}, estimated from the finished cells.`;
  }

  /** Reports whether finished cells have the methods of an experiment, so that its cost can be estimated from them. */
  #hasFigures(check: LabCheckResult): boolean {
    const methods = new Set((this.shown?.outcomes ?? []).filter((o) => o.state === "done").map((o) => o.method));
    return check.cells.every((c) => methods.has(c.method));
  }

  /** Estimates the cost of a run from a trial with a simulated model. */
  async #trial(check: LabCheckResult, missing: number, settings: LabSettings): Promise<string> {
    this.estimating = true;
    try {
      const workspace = { files: [...this.opened], name: this.chosen };
      return `${count(missing, "cell")}. ${await tried(this.core, { kind: "lab", workspace, settings }, this.price)}`;
    } catch (reason) {
      return `${count(missing, "cell")}. ${this.#bound(check)} There is no estimate (${messageOf(reason)}).`;
    } finally {
      this.estimating = false;
    }
  }

  /** Returns the limits of a run without finished cells to estimate from. */
  #bound({ budget, ceiling }: LabCheckResult): string {
    const { form, price } = this;
    const calls = form.calls || budget.calls || ceiling.calls;
    const tokens = form.tokens || budget.tokens || ceiling.tokens;
    const money = form.money || budget.money || ceiling.money;
    const dearest = price === null ? 0 : (tokens * Math.max(price.prompt, price.completion)) / 1e6;
    const most = price === null ? "" : `, or ${dollars(money > 0 ? Math.min(money, dearest) : dearest)}`;
    return `At most ${short(calls)} calls and ${short(tokens)} tokens${most}, where the run ends.`;
  }

  #results(check: LabCheckResult, { table, outcomes, markdown }: Shown, run: Run | null): unknown {
    const over = outcomes.filter(isOver);
    const others = this.earlier === null ? [] : this.#others(run);
    const stale = run === null || goes(run) ? "" : this.#stale(check, over, "these results");
    return html` ${
        run === null && this.earlier !== null
          ? html`<p class="hint">
              ${this.earlier.at === 0 ? "These results came with the workspace." : `Results kept on this device, from ${new Date(this.earlier.at).toLocaleString()}.`}${this.#stale(check, over, "them")}
              ${this.earlier.at === 0 ? nothing : html`<button class="text-link" type="button" @click=${() => void this.#forget()}>Forget them</button>`}
            </p>`
          : others.length > 0
            ? html`<p class="hint">
                From an earlier run: ${[...new Set(others.map((o) => o.model))].join(", ")}.
                <button class="text-link" type="button" @click=${() => void this.#forget()}>Leave out</button>
              </p>`
            : nothing
      }
      ${stale === "" ? nothing : html`<p class="hint">${stale}</p>`}
      <stile-lab-table .table=${table} @row-requested=${this.#rowRequested}></stile-lab-table>
      ${(run === null ? [] : (tableOf(run)?.notes ?? [])).filter((note) => note !== check.note && !check.notes.includes(note)).map((note) => html`<p class="hint">${note}</p>`)}
      <stile-lab-chart .table=${table} .outcomes=${over}></stile-lab-chart>
      ${
        over.length === 0
          ? nothing
          : html` <section class="lab-group" aria-labelledby="lab-take">
                <h3 id="lab-take">Export the results</h3>
                <div class="row wrap">
                  ${forms.map(([form, ending, label]) => html`<button class="button small" type="button" data-form=${form} @click=${() => void this.#save(form, ending, over)}>${label}</button>`)}
                  <stile-copy-button
                    .text=${markdown}
                    .what=${"the table as Markdown"}
                    .label=${"Copy the table"}
                  ></stile-copy-button>
                  <button class="button small" type="button" @click=${() => void this.#keepInWorkspace(over)}>
                    Keep in the workspace
                  </button>
                  <button
                    class="button small"
                    type="button"
                    aria-expanded=${this.linked !== null}
                    @click=${() => void this.#link(over)}
                  >
                    Link with the results
                  </button>
                  <span class="hint" role="status">${this.said}</span>
                </div>
                ${
                  this.linked === null
                    ? nothing
                    : html` <div class="lab-link">
                        <p class="hint">
                          The link shows this table, its charts and its cells without running anything. It contains the
                          figures, but no key and none of the models’ answers.
                        </p>
                        <stile-share
                          .make=${() => this.passing.link(this.linked ?? [])}
                          .save=${() => void this.#saveArchive()}
                          .archive=${this.passing.archive}
                          .shorten=${this.passing.shorten}
                          .texts=${() => this.linked ?? []}
                        ></stile-share>
                      </div>`
                }
              </section>
              <details class="fold lab-fold" ?open=${this.row !== null}>
                <summary><h3>The cells</h3></summary>
                <stile-lab-cells
                  .outcomes=${outcomes}
                  .row=${this.row}
                  .trace=${this.#last("cell")}
                  @cell-opened=${(e: CustomEvent<LabOutcome>) => void this.#play(e.detail)}
                ></stile-lab-cells>
              </details>`
      }`;
  }

  /** States how many results belong to an earlier version of the experiment. */
  #stale(check: LabCheckResult, over: readonly LabOutcome[], results: string): string {
    const now = new Map(check.cells.map((c) => [c.key, c.stamp]));
    const stale = over.filter((o) => now.has(o.key) && now.get(o.key) !== o.stamp).length;
    return stale === 0 ? "" : ` ${stale} of ${results} belong to an earlier version of the experiment.`;
  }

  // Experiments.

  /** Returns the experiments of the workspace. Files of results without their experiment contain a copy of it. */
  #own(): readonly string[] {
    const names = this.files.map((f) => f.name);
    const bare = names
      .filter((n) => n.endsWith(RESULTS))
      .map((n) => n.replace(RESULTS, ".lab"))
      .filter((n) => !names.includes(n));
    return [...names.filter((n) => n.endsWith(".lab")), ...bare];
  }

  /** Chooses the open experiment, or one with results. */
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
    if (learns) this.emit("part-requested", () => import("./learn.js"));
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
      this.#shownState = "";
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
      if (run) void this.#begin([]);
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

  /** Analyses the experiment with the form's settings. */
  async #read(asked: number): Promise<void> {
    const check = await this.#checked();
    if (asked !== this.#asked) return;
    this.check = check;
    this.found = [];
  }

  #checked(): Promise<LabCheckResult> {
    return this.core.call("lab.check", {
      files: [...this.opened],
      name: this.chosen,
      settings: labSettings(this.form, this.endpoints, null),
    });
  }

  /** Returns all files of an experiment, including those from the gallery. */
  async #workspace(name: string): Promise<readonly File[]> {
    await this.#listed; // a run may be resumed before the gallery's experiments are read
    const alone = this.ready.find((r) => `${r.name}.lab` === name);
    const archive = alone === undefined ? [] : await this.#archive(`experiments/${alone.name}.txtar`);
    if (!this.#own().includes(name)) return archive;
    const opened = [...this.files];
    const text = this.#resultsFile(name)?.text;
    if (!opened.some((f) => f.name === name) && text !== undefined)
      opened.push({ name, text: (JSON.parse(text) as { readonly experiment: string }).experiment });
    const { needs } = await this.core.call("lab.check", { files: opened, name, settings: {} });
    for (const folder of needs) {
      const within = (files: readonly File[]): readonly File[] => files.filter((f) => f.name.startsWith(`${folder}/`));
      const other = this.ready.find(
        (r) => r.folders.includes(folder) || r.files.some((f) => f.startsWith(`${folder}/`)),
      );
      if (within(archive).length > 0) opened.push(...within(archive));
      else if (other !== undefined) opened.push(...within(await this.#archive(`experiments/${other.name}.txtar`)));
      else
        opened.push(
          ...(await this.#archive(`${folder}.txtar`)).map((f) => ({ name: `${folder}/${f.name}`, text: f.text })),
        );
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
    this.emit("files-request", more);
    this.emit("file-requested", experiment);
    void this.updateComplete.then(() => this.#open(experiment.name));
  };

  // Results.

  /** Restores earlier results of the experiment. */
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

  /** Returns results of earlier runs with other models. */
  #others(run: Run | null): readonly LabOutcome[] {
    const before = this.earlier?.outcomes ?? [];
    if (run === null) return before;
    const models = new Set(cellsOf(run).map((o) => o.model));
    const going = new Set((this.check?.cells ?? []).map((c) => c.model));
    return before.filter((o) => !models.has(o.model) && (models.size > 0 || !going.has(o.model)));
  }

  /** Returns all existing results. */
  #there(): readonly LabOutcome[] {
    const run = this.#mine();
    return [...(run === null ? [] : cellsOf(run)), ...this.#others(run)];
  }

  /** Counts the cells without a result. */
  #missing(check: LabCheckResult): number {
    const there = new Set(
      this.#there()
        .filter((o) => o.state === "done")
        .map((o) => `${o.key} ${o.stamp}`),
    );
    return check.cells.filter((c) => !there.has(`${c.key} ${c.stamp}`)).length;
  }

  /** Requests the table of the existing results. */
  async #show(): Promise<void> {
    const { chosen, opened, check } = this;
    if (check === null) return;
    const outcomes = this.#there();
    try {
      const over = plain(outcomes.filter(isOver));
      const { table, markdown } = await this.core.call("lab.tables", {
        files: opened.filter((f) => f.name === chosen),
        name: chosen,
        outcomes: over,
      });
      if (this.chosen === chosen)
        this.shown = { table: { ...table, cells: Math.max(table.cells, check.cells.length) }, outcomes, markdown };
    } catch (reason) {
      if (this.chosen === chosen) this.fault = messageOf(reason);
    }
  }

  /** Follows the last run: shows and saves its results. */
  #follow(): void {
    const run = this.#last("lab");
    if (run === null) return;
    if (run.number !== this.#number) {
      this.#number = run.number;
      this.#began = performance.now();
      this.#shownState = "";
      this.seconds = 0;
      // A resumed run of an earlier visit is shown.
      if (run.name !== this.chosen) void this.#open(run.name);
      clearInterval(this.#clock);
      this.#clock = setInterval(() => (this.seconds = (performance.now() - this.#began) / 1000), 1000);
    }
    if (!goes(run)) clearInterval(this.#clock);
    if (run.name !== this.chosen || this.check === null) return;
    const tables = (run.events as readonly { readonly kind: string }[]).filter((e) => e.kind === "lab.table").length;
    const key = `${run.number} ${tables} ${run.state}`;
    if (key === this.#shownState) return;
    this.#shownState = key;
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
    const endpoint = form.models.length === 1 ? this.endpoints.find((e) => e.name === first) : undefined;
    this.price = null; // that of several models is not one
    const here = ++this.#priced;
    if (endpoint !== undefined)
      void priceOf(this.core, endpoint)
        .catch(() => null)
        .then((price) => {
          if (here === this.#priced) this.price = price;
        });
    const asked = ++this.#asked;
    this.#read(asked).catch((reason: unknown) => (this.fault = messageOf(reason)));
  }

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.#begin([]);
  };

  async #begin(earlier: readonly LabOutcome[]): Promise<void> {
    const { check } = this;
    if (check === null || check.fault !== "" || this.estimating) return;
    const settings = labSettings(
      this.form,
      this.endpoints,
      check,
      earlier.filter((o) => o.state === "done"),
    );
    if (usesEndpoint(settings)) {
      const asked = this.#asked;
      const now = await this.#checked(); // the form may have changed since the last check
      const missing = earlier.length === 0 ? now.cells.length : this.#missing(now);
      const estimate = this.#hasFigures(now) ? this.#estimate(now, missing) : await this.#trial(now, missing, settings);
      if (asked !== this.#asked) return;
      const { budget, ceiling } = now;
      const agreed = await askToSpend("Experiment", estimate, over(settings.budget ?? budget, ceiling));
      if (!agreed || asked !== this.#asked) return;
    }
    // Results of models that this run does not use stay.
    this.earlier = { at: Date.now(), outcomes: this.#there().filter(isOver) };
    sendCommand(this, {
      command: "lab",
      name: this.chosen,
      files: this.opened,
      settings,
    });
  }

  #rowRequested = (event: CustomEvent<RowRequest>): void => {
    this.row = { ...event.detail };
    void this.updateComplete.then(() => {
      const cells = this.querySelector(".lab-fold");
      cells?.scrollIntoView({ block: "nearest" });
      cells?.querySelector("summary")?.focus();
    });
  };

  /** Replays a cell's run in the Run tab, or below the list of cells if that tab cannot show the run. */
  async #play(outcome: LabOutcome): Promise<void> {
    const endpoint = this.endpoints.find((e) => nameOf(e, this.endpoints) === outcome.model);
    const { models } = labSettings(
      { ...usualLab, models: endpoint === undefined ? [] : [endpoint.name] },
      this.endpoints,
      null,
    );
    this.fault = "";
    try {
      if (endpoint !== undefined && outcome.answers === undefined)
        throw new Error("the model's answers were not kept with this result, so its run cannot be replayed");
      const { workspace, log } = await this.core.call("lab.open", {
        files: [...this.opened],
        name: this.chosen,
        settings: { seeds: [outcome.seed], ...(models && { models }) },
        key: outcome.key,
        stamp: outcome.stamp,
        ...(outcome.answers && { answers: outcome.answers }),
      });
      if (shownKinds.some((kind) => kind === log.kind)) {
        this.emit("cell-requested", { workspace, log });
        return;
      }
      sendCommand(this, { command: "cell", params: { kind: log.kind, workspace, log } });
      const cells = this.querySelector<StileLabCells>("stile-lab-cells");
      if (cells !== null) cells.opened = outcome.key;
    } catch (reason) {
      this.fault =
        reason instanceof CoreError && reason.code === "lab.cell"
          ? `this cell was run with a model that is not configured here, “${outcome.model}”`
          : messageOf(reason);
    }
  }

  // Export.

  async #save(form: string, ending: string, outcomes: readonly LabOutcome[]): Promise<void> {
    saveText(this.chosen.replace(/^.*\//, "").replace(/lab$/, ending), await this.#export(form, outcomes));
  }

  async #export(form: string, outcomes: readonly LabOutcome[]): Promise<string> {
    return (
      await this.core.call("lab.export", {
        files: this.opened.filter((f) => f.name === this.chosen),
        name: this.chosen,
        outcomes: plain(outcomes),
        form,
      })
    ).text;
  }

  /**
   * Returns the experiment with its results, and the workspace's other files if it belongs to the
   * workspace.
   */
  async #carried(outcomes: readonly LabOutcome[]): Promise<readonly File[]> {
    const results = { name: this.chosen.replace(/\.lab$/, RESULTS), text: await this.#export("results", outcomes) };
    const own = this.#own().includes(this.chosen);
    const files = own ? this.files : this.opened.filter((f) => f.name === this.chosen);
    return [...files.filter((f) => f.name !== results.name), results];
  }

  async #keepInWorkspace(outcomes: readonly LabOutcome[]): Promise<void> {
    this.emit("files-request", await this.#carried(outcomes));
    this.said = `Kept as ${this.chosen.replace(/\.lab$/, RESULTS)}.`;
  }

  async #link(outcomes: readonly LabOutcome[]): Promise<void> {
    if (this.linked !== null) {
      this.linked = null;
      return;
    }
    const linked = await this.#carried(outcomes);
    this.emit("part-requested", async () => {
      await import("../share/share-dialog.js");
      this.linked = linked;
    });
  }

  async #saveArchive(): Promise<void> {
    saveText(
      this.chosen.replace(/^.*\//, "").replace(/\.lab$/, ".txtar"),
      await this.passing.archive(this.linked ?? []),
    );
  }
}

/** Returns outcomes without the models' answers, which tables do not need. */
function plain(outcomes: readonly LabOutcome[]): LabOutcome[] {
  return outcomes.map(({ answers: _, ...o }) => o);
}

function short(n: number): string {
  return Number(n.toPrecision(2)).toLocaleString("en");
}

function spent({ calls, tokens, money }: Progress): string {
  return [count(calls, "call"), `${tokens.toLocaleString("en")} tokens`, ...(money > 0 ? [dollars(money)] : [])].join(
    " · ",
  );
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

customElements.define("stile-lab", StileLab);
