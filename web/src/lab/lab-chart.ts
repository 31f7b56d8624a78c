import { html, nothing, type PropertyValues } from "lit";
import { axisOf, costs, figure, isPublished, meanCost, signed } from "./lab-results.js";
import type { Bar, Dot } from "./lab-plots.js";
import type { LabOutcome, LabRow, LabTable } from "../core/wire.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The figures in a column of an experiment's table: as bars with intervals, and as a scatter plot against cost. */
export class StileLabChart extends LightElement {
  @prop table: LabTable | null = null;
  /** The outcomes of the cells. */
  @prop outcomes: readonly LabOutcome[] = [];
  @state column = 0;
  @state cost = "";
  /** Whether published figures are included. */
  @state published = true;
  /** Whether the chart library failed to load. */
  @state missing = false;
  /** The labels that did not fit. */
  @state unnamed: readonly string[] = [];
  #width = 0;
  #seen = new ResizeObserver(() => {
    const width = Math.floor(this.clientWidth);
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    void this.#draw();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#seen.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#seen.disconnect();
  }

  protected override render(): unknown {
    const { table } = this;
    if (table === null) return nothing;
    const at = this.#at(table);
    const known = this.#costs(table);
    const hasPublished = table.rows.some((r) => isPublished(r) && r.values[at]?.known === true);
    return html` <div class="row wrap lab-drawn">
        <label class="field narrow"
          ><span>Column</span>
          <select data-drawn @change=${(e: Event) => (this.column = Number(valueOf(e)))}>
            ${table.columns.map((c, i) => html`<option value=${i} .selected=${i === at}>${c.title}</option>`)}
          </select></label
        >
        ${
          known.length < 2
            ? nothing
            : html` <label class="field narrow"
                ><span>Compare with</span>
                <select @change=${(e: Event) => (this.cost = valueOf(e))}>
                  ${known.map(([name, label]) => html`<option value=${name} .selected=${name === this.#cost(table)}>${label}</option>`)}
                </select></label
              >`
        }
        ${hasPublished ? html`<label class="check"><input type="checkbox" .checked=${this.published} @change=${(e: Event) => (this.published = (e.target as HTMLInputElement).checked)} /> include published figures</label>` : nothing}
      </div>
      ${this.missing ? html`<p class="fault" role="alert">The charts did not load. Are you offline? <button class="button small" type="button" @click=${() => void this.#draw()}>Try again</button></p>` : nothing}
      <figure class="lab-figure">
        <figcaption>
          By method and model${this.#rows(table).some(isPublished) ? html`; dashed, in italics: published` : nothing}
        </figcaption>
        <div class="lab-plot" data-plot="bars"></div>
      </figure>
      ${
        known.length === 0
          ? nothing
          : html` <figure class="lab-figure">
              <figcaption>Cost and quality; up and left is better</figcaption>
              <div class="lab-plot" data-plot="cloud"></div>
              ${
                this.unnamed.length === 0
                  ? nothing
                  : html`<ul class="hint lab-unnamed" aria-label="Marks without a label in the chart">
                      ${this.unnamed.map((text) => html`<li>${text}</li>`)}
                    </ul>`
              }
            </figure>`
      }`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (
      changed.has("table") ||
      changed.has("outcomes") ||
      changed.has("column") ||
      changed.has("cost") ||
      changed.has("published")
    )
      void this.#draw();
  }

  #at(table: LabTable): number {
    return Math.min(this.column, table.columns.length - 1);
  }

  /** Returns the drawn rows. */
  #rows(table: LabTable): readonly LabRow[] {
    return table.rows.filter((r) => r.values[this.#at(table)]?.known === true && (this.published || !isPublished(r)));
  }

  /** Returns the kinds of cost for which there are data, each with its label. */
  #costs(table: LabTable): readonly (readonly [string, string])[] {
    const rows = table.rows.filter((r) => !isPublished(r) && r.values[this.#at(table)]?.known === true);
    return costs.filter(([name]) => rows.some((r) => (meanCost(this.outcomes, r, name) ?? 0) > 0));
  }

  #cost(table: LabTable): string {
    const known = this.#costs(table);
    return known.some(([name]) => name === this.cost) ? this.cost : (known[0]?.[0] ?? "");
  }

  async #draw(): Promise<void> {
    const { table } = this;
    if (table === null || this.#width === 0) return;
    let plots: typeof import("./lab-plots.js");
    try {
      plots = await import("./lab-plots.js");
      this.missing = false;
    } catch {
      this.missing = true;
      return;
    }
    await this.updateComplete;
    if (this.table !== table) return;
    const at = this.#at(table);
    const column = table.columns[at];
    const rows = this.#rows(table);
    const places = { bars: this.querySelector("[data-plot=bars]"), cloud: this.querySelector("[data-plot=cloud]") };
    if (column === undefined || rows.length === 0) {
      places.bars?.replaceChildren();
      places.cloud?.replaceChildren();
      return;
    }
    const axis = axisOf(column, table.rows, at);
    const share = rows.some((r) => r.values[at]?.share === true);
    const list = rows.map((r, i) => barOf(r, at, i, share));
    places.bars?.replaceChildren(plots.bars(list, axis, this.#width, share));
    const cost = this.#cost(table);
    const models = new Set(rows.filter((r) => !isPublished(r)).map((r) => r.model));
    const dots = rows.flatMap((r, i): readonly Dot[] => {
      const bar = list[i];
      const mean = isPublished(r) ? published(table, r, cost) : meanCost(this.outcomes, r, cost);
      return bar === undefined || mean === undefined
        ? []
        : [
            {
              ...bar,
              ...(models.size === 1 && !isPublished(r) && { label: marked(r.method, r) }),
              cost: mean,
              method: r.method,
            },
          ];
    });
    if (places.cloud === null || dots.length === 0) {
      places.cloud?.replaceChildren();
      this.unnamed = [];
      return;
    }
    const costAxis = costs.find(([name]) => name === cost)?.[1] ?? cost;
    const { drawn, unnamed } = plots.cloud(dots, axis, costAxis, this.#width, share);
    places.cloud.replaceChildren(drawn);
    const labels = unnamed.map((d) => `${d.label}: ${d.text} at ${figure({ share: false }, d.cost)} ${costAxis}`);
    if (labels.join() !== this.unnamed.join()) this.unnamed = labels;
  }
}

/** Returns the cost of a published row, if its table has that column. */
function published(table: LabTable, row: LabRow, cost: string): number | undefined {
  const value = row.values[table.columns.findIndex((c) => c.measure === cost && c.of === undefined && c.sum !== true)];
  return value?.known === true ? value.value : undefined;
}

/** Returns a label of a row, with a mark if no language model has answered. */
function marked(label: string, row: LabRow): string {
  return row.simulated === true ? `${label} (simulated)` : label;
}

function barOf(row: LabRow, at: number, number: number, share: boolean): Bar {
  const v = row.values[at];
  const scale = share ? (v?.share === true ? 100 : 1) : 1;
  const [value, low, high] = [v?.value ?? 0, v?.low ?? 0, v?.high ?? 0].map((n) => n * scale) as [
    number,
    number,
    number,
  ];
  return {
    key: String(number),
    label: marked(`${row.method}, ${row.model}`, row),
    published: isPublished(row),
    value,
    low,
    high,
    text: v === undefined ? "" : signed(v, v.value),
  };
}

function valueOf(event: Event): string {
  return (event.target as HTMLSelectElement).value;
}

customElements.define("stile-lab-chart", StileLabChart);
