import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { TextPlace } from "../draw/drawing.js";
import type { LayoutClient } from "../draw/layout-client.js";
import type { File } from "../core/wire.js";
import type { View } from "../draw/views.js";
import { LightElement, prop } from "../ui/light-element.js";
import "./explanations.js";
import "./nonterminals.js";
import "./railroad.js";
import "./words.js";

/** The views of a spec other than its automaton. */
export class StileReading extends LightElement {
  @prop view: View = "words";
  @prop name = "";
  @prop text = "";
  /** The workspace: its specs define the symbols of formulas. */
  @prop files: readonly File[] = [];
  /** The formula at the cursor, by its index. */
  @prop formula = "";
  @prop cursor = -1;
  @prop broken = false;
  /** Distinguishes workspaces. */
  @prop generation = 0;
  @prop core!: CoreClient;
  @prop layouts!: LayoutClient;

  protected override render(): unknown {
    const { name, text, core, broken, cursor, layouts } = this;
    switch (this.view) {
      case "railroad":
        return html`<stile-railroad
          .name=${name}
          .text=${text}
          .core=${core}
          .broken=${broken}
          .cursor=${cursor}
          @place-requested=${this.#place}
        ></stile-railroad>`;
      case "nonterminals":
        return html`<stile-nonterminals
          .name=${name}
          .text=${text}
          .core=${core}
          .broken=${broken}
          .cursor=${cursor}
          .layouts=${layouts}
          .file=${`${this.generation} ${name}`}
          @place-requested=${this.#place}
        ></stile-nonterminals>`;
      case "explain":
        return html`<stile-explanations
          .name=${name}
          .text=${text}
          .core=${core}
          .broken=${broken}
          .cursor=${cursor}
          @place-requested=${this.#place}
        ></stile-explanations>`;
      case "words":
        return html`<stile-words
          .name=${name}
          .text=${text}
          .core=${core}
          .broken=${broken}
          .layouts=${layouts}
          .files=${this.files}
          .formula=${this.formula}
          .runs=${name.endsWith(".agent")}
          .trees=${name.endsWith(".cfg")}
          @word-requested=${(e: CustomEvent<readonly string[]>) => this.emit("word-requested", e.detail)}
        ></stile-words>`;
      default:
        return nothing;
    }
  }

  #place = (event: CustomEvent<TextPlace>): void => this.emit("place-requested", event.detail);
}

customElements.define("stile-reading", StileReading);
