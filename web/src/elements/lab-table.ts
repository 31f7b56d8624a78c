import { html, nothing } from "lit";
import type { LabRow, LabTable, LabValue } from "../wire.js";
import { LightElement } from "./light-element.js";

/** An experiment's table: figures with their intervals, and what was published in italics. */
export class StileLabTable extends LightElement {
  static override properties = { table: { attribute: false } };
  declare table: LabTable | null;

  constructor() {
    super();
    this.table = null;
  }

  protected override render(): unknown {
    const { table } = this;
    if (table === null) return nothing;
    const turned = table.across === "methods";
    return html`
      <div class="compare-scroll" tabindex="0" role="group" aria-label="The table">
        <table class="plain compare contest">
          <caption class="visually-hidden">${table.title}</caption>
          ${turned ? html`
            <thead><tr><th scope="col">Measure</th>${table.rows.map((r) => html`<th scope="col">${r.method}, ${named(r)}</th>`)}</tr></thead>
            <tbody>${table.columns.map((c, i) => html`<tr><th scope="row">${c.title}</th>${table.rows.map((r) => html`<td>${shown(r, r.values[i])}</td>`)}</tr>`)}</tbody>` : html`
            <thead><tr><th scope="col">Method</th><th scope="col">Model</th>${table.columns.map((c) => html`<th scope="col">${c.title}</th>`)}<th scope="col">Cells</th></tr></thead>
            <tbody>${table.rows.map((r) => html`<tr data-method=${r.method} data-model=${r.model}><th scope="row">${r.method}</th><td>${named(r)}</td>${r.values.map((v) => html`<td>${shown(r, v)}</td>`)}<td>${published(r) ? "" : r.cells}${r.failed > 0 ? ` (${r.failed} failed)` : ""}</td></tr>`)}</tbody>`}
        </table>
      </div>
      ${table.references.map((r) => html`<p class="hint">In italics: ${r.title}. ${r.source}.</p>`)}`;
  }
}

function published(row: LabRow): boolean {
  return row.reference !== undefined && row.reference !== "";
}

function named(row: LabRow): unknown {
  return published(row) ? html`<em title=${row.reference ?? ""}>${row.model}</em>` : row.model;
}

function shown(row: LabRow, value: LabValue | undefined): unknown {
  if (value === undefined || !value.known) return "–";
  const text = figure(value, value.value) + (value.share ? " %" : "");
  if (published(row)) return html`<em>${text}</em>`;
  if (value.n < 2 || value.low === value.high) return text;
  return html`<strong>${text}</strong> <small class="hint">${figure(value, value.low)}–${figure(value, value.high)}</small>`;
}

/** A figure as people read it: shares in per cent. */
function figure(value: LabValue, n: number): string {
  if (value.share) return String(Math.round(1000 * n) / 10);
  return String(Number(n.toPrecision(Math.abs(n) >= 1000 ? 4 : 3)));
}

customElements.define("stile-lab-table", StileLabTable);
