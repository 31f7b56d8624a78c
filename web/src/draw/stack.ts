import { html, nothing } from "lit";
import type { Configuration } from "../core/wire.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The maximum number of shown symbols, from the top of a stack. */
const MAX_DEPTH = 12;

/** The current stacks of a pushdown automaton, each a column with its top first. */
export class StileStack extends LightElement {
  @prop configurations: readonly Configuration[] = [];
  @prop truncated = false;

  protected override render(): unknown {
    return html` <ul class="stack-row" tabindex="0" aria-label="Stacks, each with its top first">
      ${this.configurations.map(
        ({ state, stack }) =>
          html` <li class="stack-column">
            <span class="stack-state">${state}</span>
            <ol class="stack-cells">
              ${stack.slice(0, MAX_DEPTH).map((symbol) => html`<li>${symbol}</li>`)}
              ${stack.length > MAX_DEPTH ? html`<li class="folded">${stack.length - MAX_DEPTH} more</li>` : nothing}
            </ol>
          </li>`,
      )}
      ${this.truncated ? html`<li class="hint">and more</li>` : nothing}
    </ul>`;
  }
}

customElements.define("stile-stack", StileStack);
