import { html, nothing, type PropertyValues } from "lit";
import { measured } from "./lab-results.js";
import { goes } from "../run/run-state.js";
import type { Run } from "../store/state.js";
import type { LabOutcome } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import type { RowRequest } from "./lab-table.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The number of cells that are listed at once. */
const LISTED = 50;
/** The maximum number of shown characters of an event. */
const SHOWN = 20_000;

/** The cells of an experiment. Each is a run that can be opened. */
export class StileLabCells extends LightElement {
  @prop outcomes: readonly LabOutcome[] = [];
  /** The row whose cells are listed first. */
  @prop row: RowRequest | null = null;
  /** The run of a cell that the Run tab cannot show. */
  @prop trace: Run | null = null;
  /** Key of the cell whose run is shown. */
  @state opened = "";
  @state method = "";
  @state model = "";
  /** The filter of the list: a state, or "short" for cells that missed a target. */
  @state what = "";
  @state listed: number = LISTED;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("row") || this.row === null) return;
    this.method = this.row.method;
    this.model = this.row.model;
    this.what = "";
  }

  protected override render(): unknown {
    const found = this.outcomes.filter(
      (o) =>
        (this.method === "" || o.method === this.method) &&
        (this.model === "" || o.model === this.model) &&
        this.#fits(o),
    );
    const states = [...new Set(this.outcomes.map((o) => o.state))];
    return html` <div class="row wrap lab-filter" role="group" aria-label="Filter of the cells">
        ${this.#select("Method", this.method, unique(this.outcomes.map((o) => o.method)), (v) => (this.method = v))}
        ${this.#select("Model", this.model, unique(this.outcomes.map((o) => o.model)), (v) => (this.model = v))}
        ${this.#select("State", this.what, [...states, "short"], (v) => (this.what = v))}
        <span class="hint" role="status">${count(found.length, "cell")}</span>
      </div>
      <div class="compare-scroll lab-scroll" tabindex="0" role="group" aria-label="The cells">
        <table class="plain lab-cells">
          <caption class="visually-hidden">
            The cells
          </caption>
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Method</th>
              <th scope="col">Model</th>
              <th scope="col">Task</th>
              <th scope="col">Seed</th>
              <th scope="col">Measures</th>
              <th scope="col"><span class="visually-hidden">The run</span></th>
            </tr>
          </thead>
          <tbody>
            ${found.slice(0, this.listed).map((o) => this.#cell(o))}
          </tbody>
        </table>
      </div>
      ${found.length <= this.listed ? nothing : html`<button class="button small" type="button" @click=${() => (this.listed += LISTED)}>Show more of ${found.length}</button>`}`;
  }

  #select(label: string, value: string, all: readonly string[], change: (value: string) => void): unknown {
    return html` <label class="field narrow"
      ><span>${label}</span
      ><select
        @change=${(e: Event) => {
          change((e.target as HTMLSelectElement).value);
          this.listed = LISTED;
        }}
      >
        <option value="" .selected=${value === ""}>All</option>
        ${all.map((v) => html`<option value=${v} .selected=${v === value}>${v === "short" ? "did not meet the target" : v}</option>`)}
      </select></label
    >`;
  }

  #cell(o: LabOutcome): unknown {
    const open = this.opened === o.key;
    return html` <tr data-cell=${o.key}>
        <td><span class="pill ${o.state === "failed" ? "bad" : o.state === "done" ? "good" : ""}">${o.state}</span></td>
        <td>${o.method}</td>
        <td>${o.model}</td>
        <td class="lab-task">
          <span title=${o.task}>${o.task}</span
          >${o.reason === "" ? nothing : html`<small class="hint">${sentence(o.reason)}</small>`}
        </td>
        <td class="number">${o.seed}</td>
        <td class="lab-measures">
          ${o.measures.filter((m) => m.count !== 0 || m.of).map((m) => html`<span>${measured(m)}</span> `)}
        </td>
        <td>
          ${o.state === "queued" || o.state === "running" ? nothing : html`<button class="button small" type="button" @click=${() => this.emit("cell-opened", o)}>Open<span class="visually-hidden"> the run of ${o.key}</span></button>`}
        </td>
      </tr>
      ${
        open && this.trace !== null
          ? html`<tr>
              <td colspan="7">${this.#trace(this.trace)}</td>
            </tr>`
          : nothing
      }`;
  }

  /** Renders a run that the Run tab cannot show. */
  #trace(run: Run): unknown {
    const events = run.events as readonly { readonly kind: string }[];
    const told =
      events.length > 0 || run.outcome === undefined ? events : [{ kind: "result", ...(run.outcome as object) }];
    return html` <section class="lab-trace" aria-label="The run of the cell">
      <div class="row spread">
        <strong>${run.params.kind} <code>${run.name}</code></strong>
        <button class="button small" type="button" @click=${() => (this.opened = "")}>Close</button>
      </div>
      ${goes(run) ? html`<p class="hint"><span class="spinner" aria-hidden="true"></span> Playing</p>` : nothing}
      ${run.fault === undefined ? nothing : html`<p class="fault"><span>${sentence(run.fault.message)}</span></p>`}
      <ol class="log">
        ${told.map(
          ({ kind, ...rest }, i) =>
            html` <li>
              <details ?open=${i === told.length - 1}>
                <summary><code>${kind}</code></summary>
                <dl class="values">
                  ${Object.entries(rest).map(
                    ([name, value]) =>
                      html`<div>
                        <dt>${name}</dt>
                        <dd><pre class="prompt" tabindex="0">${written(value)}</pre></dd>
                      </div>`,
                  )}
                </dl>
              </details>
            </li>`,
        )}
      </ol>
    </section>`;
  }

  #fits(o: LabOutcome): boolean {
    if (this.what === "short")
      return o.state === "failed" || o.measures.some((m) => m.of !== undefined && m.of > 0 && m.count < m.of);
    return this.what === "" || o.state === this.what;
  }
}

function written(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? "");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)];
}

customElements.define("stile-lab-cells", StileLabCells);
