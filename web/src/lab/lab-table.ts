import { html, nothing } from "lit";
import { figure, isPublished, signed } from "./lab-results.js";
import type { LabRow, LabTable, LabValue } from "../core/wire.js";
import { LightElement, prop } from "../ui/light-element.js";

/** A method and a model whose cells are to be listed. */
export interface RowRequest {
  readonly method: string;
  readonly model: string;
}

/** An experiment's table: figures with intervals, published ones in italics. */
export class StileLabTable extends LightElement {
  @prop table: LabTable | null = null;

  protected override render(): unknown {
    const { table } = this;
    if (table === null) return nothing;
    return html` <div class="compare-scroll lab-scroll" tabindex="0" role="group" aria-label="The table">
        <table class="plain lab-table">
          <caption class="visually-hidden">
            ${table.title}
          </caption>
          ${table.across === "methods" ? this.#turned(table) : table.across === "groups" ? this.#levels(table) : this.#plain(table)}
        </table>
      </div>
      <p class="hint">${this.#legend(table)}</p>`;
  }

  #legend(table: LabTable): unknown {
    const measured = table.rows.some(
      (r) => !isPublished(r) && r.values.some((v) => v.known && v.n > 1 && v.low !== v.high),
    );
    return html`${measured ? "Small: the interval at 95 %. " : nothing}${table.references.map((r) => html`In italics: <em>${r.title}</em>${r.source === "" ? "" : `, as published (${r.source})`}. `)}`;
  }

  #plain(table: LabTable): unknown {
    return html` <thead>
        <tr>
          <th scope="col">Method</th>
          <th scope="col">Model</th>
          ${table.columns.map((c) => html`<th scope="col">${c.title}</th>`)}
          <th scope="col">Cells</th>
        </tr>
      </thead>
      <tbody>
        ${table.rows.map(
          (r, i) =>
            html` <tr class=${isPublished(r) ? "published" : ""}>
              <th scope="row">
                ${r.method === table.rows[i - 1]?.method ? html`<span class="again">${r.method}</span>` : r.method}
              </th>
              <td>${this.#model(r)}</td>
              ${table.columns.map((c, k) => cell(r, c.title, shown(r, r.values[k]), ""))}${cell(r, "Cells", this.#cells(r), "")}
            </tr>`,
        )}
      </tbody>`;
  }

  /** Renders one column per method and model. */
  #turned(table: LabTable): unknown {
    return html` <thead>
        <tr>
          <th scope="col">Measure</th>
          ${table.rows.map((r) => html`<th scope="col" class=${isPublished(r) ? "published" : ""}>${r.method}, ${this.#model(r)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${table.columns.map(
          (c, i) =>
            html`<tr>
              <th scope="row">${c.title}</th>
              ${table.rows.map((r) => cell(r, c.title, shown(r, r.values[i]), isPublished(r) ? "published" : ""))}
            </tr>`,
        )}
        <tr>
          <th scope="row">Cells</th>
          ${table.rows.map((r) => cell(r, "Cells", this.#cells(r), isPublished(r) ? "published" : ""))}
        </tr>
      </tbody>`;
  }

  /** Renders one column per method, model and group, and one row per measure. */
  #levels(table: LabTable): unknown {
    const { groups = [], levels = [] } = table;
    const kind = (r: LabRow): string => (isPublished(r) ? "published" : "");
    return html` <thead>
        <tr>
          <th scope="col" rowspan="2">Measure</th>
          ${table.rows.map((r) => html`<th scope="colgroup" colspan=${groups.length} class="lab-side ${kind(r)}">${r.method}, ${this.#model(r)}</th>`)}
        </tr>
        <tr>
          ${table.rows.map((r) => groups.map((group, i) => html`<th scope="col" class="number ${i === 0 ? "lab-side" : ""} ${kind(r)}">${group === "" ? "all" : group}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${levels.map(
          ({ title, columns }) =>
            html`<tr>
              <th scope="row">${title}</th>
              ${table.rows.map((r) =>
                columns.map((at, i) => {
                  const side = `${i === 0 ? "lab-side" : ""} ${kind(r)}`;
                  return at < 0
                    ? html`<td class="number ${side}"></td>`
                    : cell(r, table.columns[at]?.title ?? "", shown(r, r.values[at]), side);
                }),
              )}
            </tr>`,
        )}
        <tr>
          <th scope="row">Cells</th>
          ${table.rows.map((r) => html`<td class="number lab-side ${kind(r)}" colspan=${groups.length} data-method=${r.method} data-model=${r.model} data-column="Cells">${this.#cells(r)}</td>`)}
        </tr>
      </tbody>`;
  }

  #model(row: LabRow): unknown {
    return isPublished(row)
      ? html`<em title=${row.reference ?? ""}>${row.model}</em>`
      : html`${row.model}${row.simulated === true ? html` <span class="hint">simulated</span>` : nothing}`;
  }

  #cells(row: LabRow): unknown {
    if (isPublished(row)) return html`<span class="hint">published</span>`;
    return html`<button
        class="text-link"
        type="button"
        @click=${() => this.emit<RowRequest>("row-requested", { method: row.method, model: row.model })}
      >
        ${row.cells}<span class="visually-hidden"> cells of ${row.method}, ${row.model}</span></button
      >${row.failed > 0 ? html` <span class="pill bad">${row.failed} failed</span>` : nothing}`;
  }
}

function cell(row: LabRow, column: string, what: unknown, kind: string): unknown {
  return html`<td class="number ${kind}" data-method=${row.method} data-model=${row.model} data-column=${column}>
    ${what}
  </td>`;
}

function shown(row: LabRow, value: LabValue | undefined): unknown {
  if (value?.unpriced === true) return html`<span class="hint">unknown</span>`;
  if (value === undefined || !value.known) return html`<span class="hint">–</span>`;
  const text = signed(value, value.value);
  if (isPublished(row)) return html`<em>${text}</em>`;
  if (value.n < 2 || value.low === value.high) return text;
  return html`<strong>${text}</strong>
    <small class="hint">${figure(value, value.low)}–${figure(value, value.high)}</small>`;
}

customElements.define("stile-lab-table", StileLabTable);
