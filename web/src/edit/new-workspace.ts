import { html } from "lit";
import type { Workspace } from "../store/state.js";
import { newWorkspace, starterList } from "./new-texts.js";
import "./new-file.js";
import { LightElement } from "../ui/light-element.js";

/** The templates of new workspaces. */
export class StileNew extends LightElement {
  protected override render(): unknown {
    return html` <p>
        A new workspace has its own files and task. The current workspace is kept in Examples → Earlier drafts.
      </p>
      <ul class="cards">
        <li>${this.#card("", "Blank", "One empty file in a notation that you choose.")}</li>
        ${starterList.map(({ ending, label, about }) => html`<li>${this.#card(ending, label.replace(/^an? /, ""), about)}</li>`)}
      </ul>`;
  }

  #card(ending: string, label: string, about: string): unknown {
    return html` <button
      class="card"
      type="button"
      data-new=${ending}
      @click=${() => this.emit<Workspace>("workspace-requested", newWorkspace(ending))}
    >
      <strong>${label.charAt(0).toUpperCase() + label.slice(1)}</strong>
      <span>${about}</span>
      ${ending === "" ? "" : html`<small class="hint">.${ending}</small>`}
    </button>`;
  }
}

customElements.define("stile-new", StileNew);
