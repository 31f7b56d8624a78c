import { html, nothing, svg } from "lit";
import type { Family } from "../run/events.js";
import { type FlowGroup, flowGroups, type FlowNode, layFlow, NODE_WIDTH } from "./flow-layout.js";
import { numberOf, shortNumber } from "./solver-number.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The maximum number of shown rows of a table. */
const MAX_ROWS = 200;

/** A solution's values as charts. Each is a table or has one next to it. */
export class StileFamilies extends LightElement {
  @prop families: readonly Family[] = [];
  @state width = 0;

  #observer = new ResizeObserver(([entry]) => (this.width = Math.floor(entry?.contentRect.width ?? 0)));

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  protected override render(): unknown {
    const groups = flowGroups(this.families);
    const drawn = new Set(groups.flatMap((g) => g.families));
    return html` ${groups.map((group) => this.#flow(group))} ${this.families.filter((f) => !drawn.has(f)).map(table)}`;
  }

  #flow(group: FlowGroup): unknown {
    const { families, columns } = group;
    const title = families
      .map((f) => f.name)
      .filter((name) => name !== "")
      .join(", ");
    const longest = Math.max(...[...(columns[0] ?? []), ...(columns.at(-1) ?? [])].map((name) => name.length));
    const margin = Math.min(Math.max(longest, 5) * 7.2 + 14, this.width * 0.3);
    const { nodes, bands, height } = layFlow(group, this.width, margin);
    return html` <figure class="chart flow">
      <figcaption>
        <h3>${title === "" || families.length > 1 ? "Flows" : title}</h3>
        ${
          families.length < 2
            ? nothing
            : html`<ul class="flow-legend">
                ${families.map((f, i) => html`<li class="hue-${i % 8}"><span class="swatch"></span>${f.name}</li>`)}
              </ul>`
        }
      </figcaption>
      ${
        this.width === 0
          ? nothing
          : html` <svg
              class="flow-picture"
              role="img"
              aria-label=${`Flows: ${bands.map((b) => b.text).join("; ")}`}
              width=${this.width}
              height=${height}
              viewBox="0 0 ${this.width} ${height}"
            >
              ${bands.map(({ family, from, to, y, end, width, text }) => {
                const [a, b] = [from.x + NODE_WIDTH, to.x];
                const bend = (b - a) / 2;
                return svg`<path class="band hue-${family % 8}" d="M${a} ${y}C${a + bend} ${y} ${b - bend} ${end} ${b} ${end}" stroke-width=${width}><title>${text}</title></path>`;
              })}
              ${nodes.map((node) => nodeOf(node, columns.length, margin))}
            </svg>`
      }
      <details class="fold">
        <summary>As ${families.length === 1 ? "a table" : "tables"}</summary>
        <div class="tables">${families.map(matrix)}</div>
      </details>
    </figure>`;
  }
}

function nodeOf({ name, column, x, y, height, total }: FlowNode, columns: number, margin: number): unknown {
  const middle = y + height / 2;
  const room = Math.floor((margin - 14) / 7.2);
  const label = name.length > room ? `${name.slice(0, Math.max(room - 1, 1))}…` : name;
  const place =
    column === 0
      ? { x: x - 6, y: middle, anchor: "end" }
      : column === columns - 1
        ? { x: x + NODE_WIDTH + 6, y: middle, anchor: "start" }
        : { x: x + NODE_WIDTH / 2, y: y - 6, anchor: "middle" };
  const between = column > 0 && column < columns - 1;
  return svg`
    <g class="flow-node ${total === 0 ? "unused" : ""}"><title>${name}: ${shortNumber(total)}</title>
      <rect x=${x} y=${y} width=${NODE_WIDTH} height=${height} rx="2"></rect>
      ${
        between
          ? svg`<text x=${place.x} y=${place.y} text-anchor="middle">${name} <tspan class="flow-total">${shortNumber(total)}</tspan></text>`
          : svg`<text x=${place.x} y=${place.y - 1} text-anchor=${place.anchor}>${label}</text><text class="flow-total" x=${place.x} y=${place.y + 13} text-anchor=${place.anchor}>${shortNumber(total)}</text>`
      }
    </g>`;
}

function table(family: Family): unknown {
  switch (family.chart) {
    case "grid":
      return grid(family);
    case "flow":
      return matrix(family);
    case "bars":
      return bars(family);
    default:
      return list(family);
  }
}

function scrolled(family: Family, rows: unknown): unknown {
  return html`<div class="chart-scroll" tabindex="0" role="region" aria-label="Table of ${titleOf(family)}">
    <table class="plain chart-table ${family.chart}">
      <caption>
        ${titleOf(family)}
      </caption>
      ${rows}
    </table>
  </div>`;
}

function titleOf({ name }: Family): string {
  return name === "" ? "values" : name;
}

/** Returns the values of a family with two axes, row by row; undefined if there is none. */
function rowsOf({ axes, cells }: Family): readonly (readonly (string | undefined)[])[] {
  const rows = (axes[0] ?? []).map(() => (axes[1] ?? []).map((): string | undefined => undefined));
  for (const { at, value } of cells) {
    const row = rows[at[0] ?? 0];
    if (row !== undefined) row[at[1] ?? 0] = value;
  }
  return rows;
}

/** A row of a family with two axes; a pair without a cell is undefined. */
type Row = readonly (string | undefined)[];

/** Renders pairs as a table with two axes and a last column about each row. */
function crossTable(family: Family, cell: (value: string | undefined) => unknown, sum: (row: Row) => unknown): unknown {
  const [down = [], across = []] = family.axes;
  return scrolled(
    family,
    html` <thead>
        <tr>
          <td></td>
          ${across.map((name) => html`<th scope="col">${name}</th>`)}
          <th scope="col" class="sum">all</th>
        </tr>
      </thead>
      <tbody>
        ${rowsOf(family)
          .slice(0, MAX_ROWS)
          .map(
            (row, i) =>
              html` <tr>
                <th scope="row">${down[i]}</th>
                ${row.map(cell)}
                <td class="sum">${sum(row)}</td>
              </tr>`,
          )}
      </tbody>`,
  );
}

/** Renders selected pairs, such as a schedule or an assignment, with marks. */
function grid(family: Family): unknown {
  const mark = (value: string): unknown =>
    numberOf(value) > 0
      ? html`<span class="chosen-mark"></span><span class="visually-hidden">yes</span>`
      : html`<span class="open-mark"></span><span class="visually-hidden">no</span>`;
  return crossTable(
    family,
    (value) => html`<td>${value === undefined ? nothing : mark(value)}</td>`,
    (row) => row.filter((v) => v !== undefined && numberOf(v) > 0).length,
  );
}

/** Renders quantities of pairs with bars. */
function matrix(family: Family): unknown {
  const most = Math.max(1e-9, ...family.cells.map((c) => Math.abs(numberOf(c.value))));
  return crossTable(
    family,
    (value) =>
      html`<td class=${value === undefined || numberOf(value) === 0 ? "naught" : ""}>
        ${value ?? ""}${value === undefined ? nothing : bar(Math.abs(numberOf(value)) / most)}
      </td>`,
    (row) => shortNumber(row.reduce((all, value) => all + numberOf(value ?? "0"), 0)),
  );
}

/** Renders a quantity of each item. */
function bars(family: Family): unknown {
  const [names = []] = family.axes;
  const truth = family.cells.every((c) => c.value === "true" || c.value === "false");
  const most = Math.max(1e-9, ...family.cells.map((c) => Math.abs(numberOf(c.value))));
  return scrolled(
    family,
    html` <tbody>
        ${family.cells.slice(0, MAX_ROWS).map(
          ({ at, value }) =>
            html` <tr>
              <th scope="row">${names[at[0] ?? 0]}</th>
              <td class="amount">${truth ? (value === "true" ? "yes" : "no") : value}</td>
              <td class="of">${bar(Math.abs(numberOf(value)) / most)}</td>
            </tr>`,
        )}
      </tbody>
      ${
        family.cells.length > MAX_ROWS
          ? html`<tfoot>
              <tr>
                <td colspan="3" class="hint">and ${family.cells.length - MAX_ROWS} more</td>
              </tr>
            </tfoot>`
          : nothing
      }`,
  );
}

function bar(share: number): unknown {
  return html`<svg class="bar-picture" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="bar-ground" width="100" height="6"></rect>
    <rect width=${Math.max(share * 100, share > 0 ? 1 : 0)} height="6"></rect>
  </svg>`;
}

/** Renders values with more axes, without zeros. */
function list(family: Family): unknown {
  const some = family.cells.filter((c) => c.value !== "0" && c.value !== "false");
  return scrolled(
    family,
    html` <tbody>
        ${some.slice(0, MAX_ROWS).map(
          ({ at, value }) =>
            html`<tr>
              <th scope="row">${at.map((i, axis) => family.axes[axis]?.[i] ?? "").join(" · ")}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <td colspan="2" class="hint">
            ${some.length > MAX_ROWS ? `and ${some.length - MAX_ROWS} more; ` : ""}${family.cells.length - some.length}
            that are 0 or false are not listed
          </td>
        </tr>
      </tfoot>`,
  );
}

customElements.define("stile-families", StileFamilies);
