import { html, nothing } from "lit";
import type { TextPlace } from "../draw/drawing.js";
import type { SpecExplainResult } from "../core/wire.js";
import { prop } from "../ui/light-element.js";
import { ReadingPart } from "./reading-part.js";

/** The rules, formulas or states of a spec in sentences. The one at the cursor is marked. */
export class StileExplanations extends ReadingPart<SpecExplainResult> {
  @prop cursor = -1;

  protected override load(): Promise<SpecExplainResult> {
    return this.core.call("spec.explain", { files: [{ name: this.name, text: this.text }], name: this.name });
  }

  protected override show({ items }: SpecExplainResult): unknown {
    if (items.length === 0) return html`<p class="hint">There is nothing to explain yet.</p>`;
    let here = -1;
    for (const [i, { from, to }] of items.entries()) {
      const best = items[here];
      if (from <= this.cursor && this.cursor <= to && (best === undefined || to - from <= best.to - best.from))
        here = i;
    }
    return html`<ol class="explanations" aria-label="The spec in sentences">
      ${items.map(
        ({ name, text, from, to }, i) =>
          html`<li>
            <button
              class="explanation"
              type="button"
              aria-current=${i === here ? "true" : nothing}
              title="Show it in the text"
              @click=${() => this.of === this.key && this.emit<TextPlace>("place-requested", { from, to })}
            >
              ${name === undefined ? nothing : html`<code>${name}</code>`}<span>${text}</span>
            </button>
          </li>`,
      )}
    </ol>`;
  }
}

customElements.define("stile-explanations", StileExplanations);
