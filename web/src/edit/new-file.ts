import { html } from "lit";
import { notations } from "../core/notations.js";
import type { Renaming } from "./files.js";
import { LightElement, prop } from "../ui/light-element.js";

const kinds = notations.flatMap(({ ending, offer }) => (offer === undefined ? [] : [{ ending, label: offer }]));

/** The other kinds that a new file can have; each has a template. */
export class StileNewFile extends LightElement {
  @prop name = "";

  protected override render(): unknown {
    return html` <div class="new-kinds" role="group" aria-label="Kind of the new file">
      <span class="hint">A grammar. Or make it</span>
      ${kinds.map(({ ending, label }) => html`<button class="button small" type="button" data-kind=${ending} @click=${() => this.emit<Renaming>("file-renamed", { name: this.name, to: this.name.replace(/\.cfg$/, `.${ending}`) })}>${label}</button>`)}
    </div>`;
  }
}

customElements.define("stile-new-file", StileNewFile);
