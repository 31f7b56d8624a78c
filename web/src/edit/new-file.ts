import { html } from "lit";
import { endingOf, starterList } from "./new-texts.js";
import type { Renaming } from "./files.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The notations that a new file can have; each has a template. */
export class StileNewFile extends LightElement {
  @prop name = "";

  protected override render(): unknown {
    const chosen = endingOf(this.name);
    return html` <div class="new-kinds" role="group" aria-label="Kind of the new file">
      <span class="hint">New file:</span>
      ${starterList.map(({ ending, label }) => html`<button class="button small" type="button" data-kind=${ending} aria-pressed=${ending === chosen} @click=${() => this.#choose(ending)}>${label}</button>`)}
    </div>`;
  }

  #choose(ending: string): void {
    const to = this.name.replace(/(?:\.problem\/[^/]*|\.\w+)$/, `.${ending}`);
    this.emit<Renaming>("file-renamed", { name: this.name, to });
  }
}

customElements.define("stile-new-file", StileNewFile);
