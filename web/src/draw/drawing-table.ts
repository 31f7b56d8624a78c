import { html, nothing } from "lit";
import { describe } from "./graph.js";
import type { Drawing } from "../core/wire.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The maximum number of rows; a longer table does not help. */
const MAX_ROWS = 400;

/** A graph as a table: the content of the drawing, as text in reading order. */
export class StileDrawingTable extends LightElement {
  @prop drawing: Drawing | null = null;
  @prop active: readonly string[] = [];
  /** Remarks on nodes, by node. */
  @prop notes: ReadonlyMap<string, string> | undefined;

  protected override render(): unknown {
    const { drawing } = this;
    if (drawing === null) return nothing;
    const names = new Map(drawing.nodes.map((n) => [n.id, n.label]));
    const live = new Set(this.active);
    const rows = drawing.edges.flatMap((edge) =>
      edge.lines.length > 0
        ? edge.lines.map((line) => ({ id: line.id, edge, label: line.label, from: line.from, to: line.to }))
        : [{ id: edge.id, edge, label: "", from: -1, to: -1 }],
    );
    const labelled = rows.some((row) => row.label !== "");
    return html` <div
      class="table-scroll"
      tabindex="0"
      role="region"
      aria-label="${drawing.title || "Automaton"} as a table"
    >
      <p>${describe(drawing)}</p>
      <table class="plain">
        <caption>
          ${drawing.down ? "Nodes" : "States"}
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Detail</th>
            <th scope="col">Role</th>
          </tr>
        </thead>
        <tbody>
          ${drawing.nodes.slice(0, MAX_ROWS).map(
            (node) =>
              html` <tr class=${live.has(node.id) ? "live" : ""} data-row=${node.id}>
                <th scope="row">${this.#link(node.label, node.from, node.to)}</th>
                <td>${node.detail ?? ""}</td>
                <td>
                  ${[node.start ? "start" : "", node.accepting ? "accepting" : "", node.kind === "environment" ? "environment" : "", live.has(node.id) ? "current" : "", this.notes?.get(node.id) ?? ""].filter((s) => s !== "").join(", ")}
                  ${node.kind.endsWith(" fold") || this.notes?.get(node.id)?.includes("folded") === true ? html` <button class="text-link" type="button" data-unfold=${node.id}>Unfold</button>` : nothing}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
      <table class="plain">
        <caption>
          ${drawing.down ? "Edges" : "Transitions"}
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            ${labelled ? html`<th scope="col">Label</th>` : nothing}
            <th scope="col">To</th>
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, MAX_ROWS).map(
            (row) =>
              html` <tr class=${live.has(row.id) ? "live" : ""} data-row=${row.id}>
                <td>${names.get(row.edge.source)}</td>
                ${labelled ? html`<td>${this.#link(row.label, row.from, row.to)}</td>` : nothing}
                <td>${names.get(row.edge.target)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${rows.length > MAX_ROWS ? html`<p class="hint">${rows.length - MAX_ROWS} more transitions are not listed.</p>` : nothing}
    </div>`;
  }

  #link(label: string, from: number, to: number): unknown {
    if (from < 0) return html`<code>${label}</code>`;
    return html`<button
      class="text-link"
      type="button"
      title="Show in the text"
      @click=${() => this.emit("place-requested", { from, to })}
    >
      <code>${label}</code>
    </button>`;
  }
}

customElements.define("stile-drawing-table", StileDrawingTable);
