import { html, nothing } from "lit";
import { drawingDOT } from "../draw/drawing-dot.js";
import type { TextPlace } from "../draw/drawing.js";
import type { LayoutClient } from "../draw/layout-client.js";
import type { Drawing, DrawingWholeResult } from "../core/wire.js";
import { prop } from "../ui/light-element.js";
import { ReadingPart } from "./reading-part.js";
import "../draw/drawing.js";

/** The graph of a grammar's nonterminals: an edge leads from each to the nonterminals on its right sides. */
export class StileNonterminals extends ReadingPart<Drawing | null> {
  @prop cursor = -1;
  @prop layouts: LayoutClient | undefined;
  /** Distinguishes files, so that the drawing is fitted for each. */
  @prop file = "";

  protected override async load(): Promise<Drawing | null> {
    const { drawing } = await this.#whole();
    return drawing === undefined || drawing === null ? null : { ...drawing, dot: drawingDOT(drawing) };
  }

  /** Returns the complete drawing, which has no other views. */
  readonly #whole = async (): Promise<DrawingWholeResult> => ({
    ...(await this.core.call("drawing.whole", {
      files: [{ name: this.name, text: this.text }],
      name: this.name,
      view: "symbols",
    })),
    views: [],
  });

  protected override show(drawing: Drawing | null): unknown {
    if (drawing === null) return nothing;
    return html`<stile-drawing
      class="main-drawing"
      .drawing=${drawing}
      .layouts=${this.layouts}
      .slotName=${"nonterminals"}
      .cursor=${this.of === this.key ? this.cursor : -1}
      .old=${this.broken || this.of !== this.key}
      .of=${`${this.file} nonterminals`}
      .explore=${this.#whole}
      @place-requested=${(e: CustomEvent<TextPlace>) => this.emit("place-requested", e.detail)}
    ></stile-drawing>`;
  }
}

customElements.define("stile-nonterminals", StileNonterminals);
