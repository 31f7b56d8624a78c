import { html, nothing, svg } from "lit";
import type { LabRow, LabTable, LabValue } from "../wire.js";
import { LightElement } from "./light-element.js";

/** Heights and widths of the charts, in their own units. */
const bar = { height: 18, label: 220, width: 300 };
const cloud = { width: 420, height: 220, edge: 36 };

/** A column of an experiment's table as bars with intervals, and beside the calls that it took. */
export class StileLabChart extends LightElement {
  static override properties = { table: { attribute: false }, column: { state: true } };
  declare table: LabTable | null;
  declare column: number;

  constructor() {
    super();
    this.table = null;
    this.column = 0;
  }

  protected override render(): unknown {
    const { table } = this;
    if (table === null) return nothing;
    const at = Math.min(this.column, table.columns.length - 1);
    const rows = table.rows.filter((r) => r.values[at]?.known);
    const cost = table.columns.findIndex((c, i) => i !== at && ["calls", "cost", "tokens", "seconds"].includes(c.measure));
    return html`
      <label class="field"><span>Drawn</span>
        <select @change=${(e: Event) => (this.column = Number((e.target as HTMLSelectElement).value))}>${table.columns.map((c, i) => html`<option value=${i} .selected=${i === at}>${c.title}</option>`)}</select></label>
      ${rows.length === 0 ? nothing : this.#bars(rows, at)}
      ${cost < 0 ? nothing : this.#cloud(rows.filter((r) => r.values[cost]?.known), at, cost, table)}`;
  }

  #bars(rows: readonly LabRow[], at: number): unknown {
    const values = rows.map((r) => r.values[at]).filter((v): v is LabValue => v !== undefined);
    const most = Math.max(...values.map((v) => v.high), 0) || 1;
    const x = (n: number): number => bar.label + (bar.width * Math.max(n, 0)) / most;
    return html`
      <svg viewBox="0 0 ${bar.label + bar.width + 10} ${rows.length * bar.height}" width="100%" role="img" aria-label="Bars of ${this.table?.columns[at]?.title ?? ""}; the table has their figures" font-size="11" fill="currentColor" stroke="currentColor">
        ${rows.map((r, i) => {
          const v = r.values[at];
          if (v === undefined) return nothing;
          const y = i * bar.height;
          const published = r.reference !== undefined && r.reference !== "";
          return svg`
            <text x=${bar.label - 6} y=${y + 13} text-anchor="end" stroke="none" font-style=${published ? "italic" : "normal"}>${`${r.method}, ${r.model}`.slice(0, 40)}</text>
            <rect x=${bar.label} y=${y + 4} width=${x(v.value) - bar.label} height=${bar.height - 8} stroke="none" fill-opacity=${published ? 0.25 : 0.6}></rect>
            ${published || v.low === v.high ? nothing : svg`<path d=${`M${x(v.low)} ${y + bar.height / 2}H${x(v.high)}M${x(v.low)} ${y + 5}v8M${x(v.high)} ${y + 5}v8`} fill="none"></path>`}`;
        })}
      </svg>`;
  }

  #cloud(rows: readonly LabRow[], at: number, cost: number, table: LabTable): unknown {
    if (rows.length === 0) return nothing;
    const right = Math.max(...rows.map((r) => r.values[cost]?.value ?? 0)) || 1;
    const top = Math.max(...rows.map((r) => r.values[at]?.value ?? 0)) || 1;
    const { width, height, edge } = cloud;
    return html`
      <svg viewBox="0 0 ${width} ${height}" width="100%" role="img" aria-label="${table.columns[at]?.title ?? ""} against ${table.columns[cost]?.title ?? ""}; the table has the figures" font-size="10" fill="currentColor" stroke="currentColor">
        <path d="M${edge} 8V${height - edge}H${width - 8}" fill="none"></path>
        <text x=${width - 8} y=${height - 12} text-anchor="end" stroke="none">${table.columns[cost]?.title} →</text>
        <text x="4" y="10" stroke="none">↑ ${table.columns[at]?.title}</text>
        ${rows.map((r) => {
          const x = edge + ((width - 2 * edge) * (r.values[cost]?.value ?? 0)) / right;
          const y = height - edge - ((height - 2 * edge) * (r.values[at]?.value ?? 0)) / top;
          return svg`<circle cx=${x} cy=${y} r="4" stroke="none" fill-opacity="0.7"><title>${`${r.method}, ${r.model}`}</title></circle><text x=${Math.min(x + 6, width - 120)} y=${y + 3} stroke="none">${r.method}</text>`;
        })}
      </svg>`;
  }
}

customElements.define("stile-lab-chart", StileLabChart);
