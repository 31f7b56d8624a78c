import { html, nothing } from "lit";
import type { Configuration } from "../wire.js";
import { LightElement } from "./light-element.js";

/** How many symbols of a stack are shown from the top. */
const MAX_DEPTH = 12;

/** The stacks that a pushdown automaton may have now, each a column with its top first. */
export class StileStack extends LightElement {
  static override properties = { configurations: { attribute: false }, truncated: { attribute: false } };
  declare configurations: readonly Configuration[];
  declare truncated: boolean;

  constructor() {
    super();
    this.configurations = [];
    this.truncated = false;
  }

  protected override render(): unknown {
    return html`
      <ul class="stack-row" tabindex="0" aria-label="Stacks, each with its top first">
        ${this.configurations.map(({ state, stack }) => html`
          <li class="stack-column">
            <span class="stack-state">${state}</span>
            <ol class="stack-cells">
              ${stack.slice(0, MAX_DEPTH).map((symbol) => html`<li>${symbol}</li>`)}
              ${stack.length > MAX_DEPTH ? html`<li class="folded">${stack.length - MAX_DEPTH} more</li>` : nothing}
            </ol>
          </li>`)}
        ${this.truncated ? html`<li class="hint">and more</li>` : nothing}
      </ul>`;
  }
}

customElements.define("stile-stack", StileStack);
