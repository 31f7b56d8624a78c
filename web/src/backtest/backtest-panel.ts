import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type {
  BacktestDifference,
  BacktestMatrix,
  BacktestOptions,
  BacktestPart,
  BacktestRun,
  File,
  TraceReadResult,
} from "../core/wire.js";
import { notationOf } from "../store/file-kind.js";
import { messageOf } from "../store/faults.js";
import { saveText } from "../share/save-file.js";
import { iconOpen } from "../ui/icons.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { sentence } from "../ui/text.js";
import "./backtest-matrix.js";
import { passes } from "./backtest-matrix.js";
import { partsOf } from "./part-reader.js";

/** The file of a workspace that keeps a matrix without the traces. */
export const MATRIX_FILE = "backtest.json";
/** The maximum characters and parts of one call, so that a check can be cancelled and does not block the editor. */
const BATCH = 256 << 10;
const BATCH_PARTS = 50;
/** The maximum number of runs that are kept for the list. The counts have no bound. */
const MAX_RUNS = 20_000;
/** The ending of a file of the workspace that describes the format of the traces. */
const DESCRIPTION = ".mapping.json";
/** The number of events that a preview shows. */
const PREVIEW = 20;

/** The result of a check, with the specs that it used. */
interface Judged {
  readonly specs: readonly File[];
  readonly matrix: BacktestMatrix;
  readonly runs: readonly BacktestRun[];
  /** The number of runs that the list omits. */
  readonly more: number;
  readonly done: boolean;
}

interface Progress {
  readonly files: number;
  readonly of: number;
  readonly runs: number;
}

/** Checks many recorded runs: files, folders and archives of any size, against the specs of the workspace. */
export class StileBacktest extends LightElement {
  @prop files: readonly File[] = [];
  @prop options: BacktestOptions = {};
  @prop core!: Pick<CoreClient, "call">;
  @state judged: Judged | null = null;
  @state difference: BacktestDifference | null = null;
  @state progress: Progress | null = null;
  @state fault = "";
  @state over = false;
  /** The first events that the core reads with the description of the format, or the fault of the description. */
  @state preview: TraceReadResult | null = null;
  /** Whether the proposal of a specification is shown. */
  @state proposing = false;

  #sources: readonly globalThis.File[] = [];
  #abort: AbortController | null = null;
  #kept = "";

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort?.abort();
  }

  protected override render(): unknown {
    const { progress, judged } = this;
    return html`<section
      class="verify-part backtest ${this.over ? "over" : ""}"
      aria-labelledby="backtest-title"
      @dragover=${this.#drag}
      @dragleave=${() => (this.over = false)}
      @drop=${this.#drop}
    >
      <h2 id="backtest-title">Check many runs</h2>
      <p class="hint">
        Judges every recorded run by the agents and formulas of this workspace. Files of any size: traces, JSON Lines
        with a run on each line, <code>.gz</code> and <code>.zip</code>. They are not uploaded.
      </p>
      <div class="row wrap">
        <button class="button" type="button" ?disabled=${progress !== null} @click=${() => this.#pick(false)}>
          ${iconOpen} Open traces
        </button>
        <button class="button" type="button" ?disabled=${progress !== null} @click=${() => this.#pick(true)}>
          Open a folder
        </button>
        ${
          this.#sources.length === 0
            ? nothing
            : html`<button
                class="button"
                type="button"
                ?disabled=${progress !== null}
                @click=${() => void this.#propose()}
              >
                Propose a specification
              </button>`
        }
        ${
          this.#changed()
            ? html`<button class="button" type="button" @click=${() => void this.#check()}>Check again</button>
                <button class="button" type="button" @click=${() => void this.#compare()}>
                  List the runs that change
                </button>`
            : nothing
        }
      </div>
      <input class="backtest-files" type="file" multiple hidden aria-label="Traces" @change=${this.#chosen} />
      <input
        class="backtest-folder"
        type="file"
        webkitdirectory
        hidden
        aria-label="Folder of traces"
        @change=${this.#chosen}
      />
      ${this.#described()}
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert"><span>${sentence(this.fault)}</span></p>`}
      <div role="status" aria-busy=${progress !== null}>
        ${progress === null ? this.#summary() : this.#progress(progress)}
      </div>
      ${judged === null ? nothing : this.#matrix(judged)} ${this.#differences()} ${this.#proposal()}
    </section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("files")) void this.#open();
  }

  #progress({ files, of, runs }: Progress): unknown {
    return html`<div class="row wrap">
      <progress aria-label="Files" max=${of} .value=${files}></progress>
      <span>${files} of ${of} files, ${runs} runs</span>
      <button class="button small" type="button" @click=${() => this.#abort?.abort()}>Cancel</button>
    </div>`;
  }

  #summary(): unknown {
    const { judged } = this;
    if (judged === null)
      return this.#sources.length === 0 || this.#judges()
        ? nothing
        : html`<p class="hint">This workspace has no agent and no rules to judge the runs by.</p>`;
    const count = (test: (outcome: string) => boolean): number =>
      judged.matrix.runs.reduce((sum, c) => sum + (test(c.name) ? c.number : 0), 0);
    const [all, good] = [count(() => true), count(passes)];
    return html`<p class="check-head">
      <span class="pill ${judged.done && good === all ? "good" : "bad"}" data-backtest
        >${good} of ${all} runs pass all rules</span
      >
      ${judged.done ? nothing : html`<span>The check was cancelled; the remaining runs were not judged.</span>`}
      ${this.#sources.length > 0 ? nothing : html`<span class="hint">This matrix is from the workspace, which does not contain the traces.</span>`}
      ${this.#stale(judged) ? html`<span class="hint">The specs have changed since this check.</span>` : nothing}
    </p>`;
  }

  #matrix(judged: Judged): unknown {
    return html`<stile-backtest-matrix
        .matrix=${judged.matrix}
        .runs=${judged.runs}
        @run-requested=${(e: CustomEvent<BacktestRun>) => void this.#show(e.detail)}
      ></stile-backtest-matrix>
      ${judged.more === 0 ? nothing : html`<p class="hint">Only the first ${judged.runs.length} runs are listed; the counts include ${judged.more} more.</p>`}
      ${
        this.#sources.length === 0 || !judged.done
          ? nothing
          : html`<div class="row wrap">
              <button class="button small" type="button" @click=${() => this.#save(judged)}>
                Save the runs as JSON
              </button>
              <button
                class="button small"
                type="button"
                @click=${() => this.emit<File>("file-requested", { name: MATRIX_FILE, text: this.#text(judged) })}
              >
                Keep the matrix in the workspace
              </button>
              <span class="hint">Links then include the counts and the examples, without the traces.</span>
            </div>`
      }`;
  }

  #differences(): unknown {
    const d = this.difference;
    if (d === null) return nothing;
    return html`<h3 id="backtest-difference-title">Effect of the changed specs</h3>
      <p data-difference>
        ${d.stopped} of ${d.runs} runs would now be stopped, ${d.released} would now pass,
        ${d.changes.length - d.stopped - d.released} change in another way.
      </p>
      ${d.added.length + d.removed.length === 0 ? nothing : html`<p class="hint">${[...d.added.map((n) => `Added: ${n}.`), ...d.removed.map((n) => `Removed: ${n}.`)].join(" ")}</p>`}
      <ul class="backtest-runs" aria-labelledby="backtest-difference-title">
        ${d.changes.slice(0, 200).map(
          (c) =>
            html`<li>
              <span>${c.trace}: run ${c.number}</span> <span>${c.before} → ${c.after}</span>
              ${c.rules.map((r) => html`<pre class="backtest-reason">${r.name}: ${r.before || "no such rule"} → ${r.after || "no such rule"}${r.reason === undefined ? "" : `\n${r.reason}`}</pre>`)}
            </li>`,
        )}
      </ul>
      ${d.changes.length <= 200 ? nothing : html`<p class="hint">${d.changes.length - 200} more changes are not listed.</p>`}`;
  }

  /** Returns the file that describes the format of the traces. */
  #description(): File | undefined {
    return this.files.find((f) => f.name.endsWith(DESCRIPTION));
  }

  #options(): BacktestOptions {
    const file = this.#description();
    return file === undefined ? this.options : { ...this.options, format: file.text };
  }

  #described(): unknown {
    const file = this.#description();
    if (file === undefined) return nothing;
    const { preview } = this;
    return html`<div class="row wrap">
        <span class="hint"><code>${file.name}</code> defines the format of the traces.</span>
        <button
          class="button small"
          type="button"
          ?disabled=${this.#sources.length === 0}
          @click=${() => void this.#previewEvents(file)}
        >
          Preview the events
        </button>
      </div>
      ${
        preview === null
          ? nothing
          : html`<ol class="backtest-runs" aria-label="Events of the first run" data-preview>
                ${eventsOf(preview)
                  .slice(0, PREVIEW)
                  .map(
                    (e) =>
                      html`<li>
                        <span class="pill">${e.kind}</span> <code>${e.name} ${JSON.stringify(e.fields)}</code>
                      </li>`,
                  )}
              </ol>
              ${preview.unread.map((u) => html`<p class="hint">Line ${u.line} was not read: ${u.reason}</p>`)}`
      }`;
  }

  /** Shows the events that a description finds in the first part. */
  async #previewEvents(file: File): Promise<void> {
    this.fault = "";
    this.preview = null;
    try {
      for (const source of this.#sources)
        for await (const part of partsOf(source, this.#linesAreRuns)) {
          this.preview = await this.core.call("trace.read", { text: part.text, map: file.text });
          return;
        }
    } catch (reason) {
      this.fault = messageOf(reason);
    }
  }

  #proposal(): unknown {
    if (!this.proposing) return nothing;
    return html`<stile-propose
      .sources=${this.#sources}
      .files=${this.files}
      .core=${this.core}
      .format=${this.#options().format ?? ""}
      .linesAreRuns=${this.#linesAreRuns}
      @file-requested=${(e: CustomEvent<File>) => this.emit<File>("file-requested", e.detail)}
    ></stile-propose>`;
  }

  async #propose(): Promise<void> {
    try {
      await import("./propose-panel.js");
      this.proposing = true;
    } catch (reason) {
      this.fault = messageOf(reason);
    }
  }

  // Files.

  #pick(folder: boolean): void {
    this.querySelector<HTMLInputElement>(folder ? ".backtest-folder" : ".backtest-files")?.click();
  }

  #chosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = "";
    this.#take(files);
  };

  #drag = (event: DragEvent): void => {
    event.preventDefault();
    this.over = event.dataTransfer?.types.includes("Files") === true;
  };

  #drop = (event: DragEvent): void => {
    this.over = false;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation(); // the page would open them as a workspace
    this.#take(files);
  };

  #take(files: readonly globalThis.File[]): void {
    const visible = files.filter((f) => !/(^|\/)\./.test(f.webkitRelativePath || f.name));
    if (visible.length === 0) {
      if (files.length > 0) this.fault = "the folder has no files, except hidden ones";
      return;
    }
    this.#sources = visible.sort((a, b) =>
      (a.webkitRelativePath || a.name) < (b.webkitRelativePath || b.name) ? -1 : 1,
    );
    this.proposing = false;
    this.preview = null;
    if (this.#judges()) void this.#check();
    else this.requestUpdate();
  }

  /** Reports whether the workspace has a spec that judges runs. */
  #judges(): boolean {
    return this.files.some((f) => /\.(agent|rules)$/.test(f.name));
  }

  // Specs.

  /** Returns the specs that judge runs, and the files that their formulas may name. */
  #specs(): readonly File[] {
    return this.files.filter((f) => notationOf(f.name) !== null && f.name !== MATRIX_FILE);
  }

  #stale(judged: Judged): boolean {
    return !same(judged.specs, this.#specs());
  }

  #changed(): boolean {
    return this.progress === null && this.judged !== null && this.#sources.length > 0 && this.#stale(this.judged);
  }

  // Check.

  async #check(): Promise<void> {
    const specs = this.#specs();
    const runs: BacktestRun[] = [];
    let matrix: BacktestMatrix | null = null;
    let total = 0;
    this.difference = null;
    const done = await this.#batches(async (traces) => {
      const got = await this.core.call("trace.matrix", {
        files: specs,
        traces,
        options: this.#options(),
        ...(matrix !== null && { matrix }),
      });
      matrix = got.matrix;
      total += got.runs.length;
      runs.push(...got.runs.slice(0, MAX_RUNS - runs.length));
      return total;
    });
    if (matrix !== null) this.judged = { specs, matrix, runs, more: total - runs.length, done };
  }

  /** Compares the specs of the last check with the current ones. */
  async #compare(): Promise<void> {
    const before = this.judged?.specs ?? [];
    const after = this.#specs();
    let sum: BacktestDifference | null = null;
    const done = await this.#batches(async (traces) => {
      const got: BacktestDifference = await this.core.call("trace.diff", {
        before,
        after,
        traces,
        options: this.#options(),
      });
      const old: BacktestDifference | null = sum;
      sum =
        old === null
          ? got
          : {
              ...got,
              runs: old.runs + got.runs,
              stopped: old.stopped + got.stopped,
              released: old.released + got.released,
              changes: [...old.changes, ...got.changes],
            };
      return sum.runs;
    });
    if (done) this.difference = sum;
  }

  /** Reads the sources and calls judge for each batch of parts. Returns false if the check was cancelled or failed. */
  async #batches(judge: (traces: readonly BacktestPart[]) => Promise<number>): Promise<boolean> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.fault = "";
    const of = this.#sources.length;
    let runs = 0;
    let batch: BacktestPart[] = [];
    let size = 0;
    const flush = async (files: number): Promise<void> => {
      if (batch.length > 0) runs = await judge(batch);
      batch = [];
      size = 0;
      this.progress = { files, of, runs };
    };
    this.progress = { files: 0, of, runs };
    try {
      for (const [i, source] of this.#sources.entries()) {
        for await (const part of partsOf(source, this.#linesAreRuns)) {
          batch.push(part);
          size += part.text.length;
          if (size >= BATCH || batch.length >= BATCH_PARTS) await flush(i);
          if (abort.signal.aborted) return false;
        }
      }
      await flush(of);
      return !abort.signal.aborted;
    } catch (reason) {
      this.fault = messageOf(reason);
      return false;
    } finally {
      if (this.#abort === abort) this.progress = null;
    }
  }

  #linesAreRuns = async (text: string): Promise<boolean> => (await this.core.call("trace.lines", { text })).runs;

  /** Shows a run in the field of the tab. */
  async #show(run: BacktestRun): Promise<void> {
    for (const source of this.#sources) {
      const name = source.webkitRelativePath || source.name;
      if (run.trace !== name && !run.trace.startsWith(`${name}/`)) continue;
      for await (const part of partsOf(source, this.#linesAreRuns)) {
        if (part.name !== run.trace || (part.alone === true && (part.runs ?? 0) + 1 !== run.number)) continue;
        this.emit("trace-requested", { text: part.text, name: part.alone === true ? "" : part.name });
        return;
      }
    }
    this.fault = `the trace ${run.trace} cannot be read any more`;
  }

  // Results.

  #save({ runs, matrix, more }: Judged): void {
    saveText("runs.json", `${JSON.stringify({ matrix, runs, more }, null, 1)}\n`, "application/json");
  }

  #text({ matrix, specs }: Judged): string {
    return `${JSON.stringify({ version: 1, matrix, specs: specs.map((f) => f.name) }, null, 1)}\n`;
  }

  /** Shows the matrix that the workspace contains, if it belongs to the current specs. */
  async #open(): Promise<void> {
    const text = this.files.find((f) => f.name === MATRIX_FILE)?.text ?? "";
    if (text === this.#kept || this.#sources.length > 0) return;
    this.#kept = text;
    this.judged = null;
    if (text === "") return;
    const specs = this.#specs();
    try {
      const { matrix } = JSON.parse(text) as { matrix: BacktestMatrix };
      const got = await this.core.call("trace.matrix", { files: specs, traces: [], matrix });
      if (got.matrix !== null) this.judged = { specs, matrix: got.matrix, runs: [], more: 0, done: true };
    } catch (reason) {
      this.fault = `${MATRIX_FILE} is not a matrix of these specs: ${messageOf(reason)}`;
    }
  }
}

/** Returns the events of the first run that has events. */
function eventsOf(read: TraceReadResult): readonly { kind: string; name: string; fields: unknown }[] {
  return (read.runs[0]?.events ?? []) as readonly { kind: string; name: string; fields: unknown }[];
}

function same(a: readonly File[], b: readonly File[]): boolean {
  return a.length === b.length && a.every((f, i) => f.name === b[i]?.name && f.text === b[i]?.text);
}

customElements.define("stile-backtest", StileBacktest);
