import { html, type PropertyValues } from "lit";
import { iconClose } from "./icons.js";
import { LightElement, prop } from "./light-element.js";

/** A dialog. Escape, the close button and a click outside close it; the browser returns the focus. */
export class StileDialog extends LightElement {
  @prop label = "";
  /** Its content, as a template. */
  @prop body: unknown = "";
  @prop shown = false;

  protected override render(): unknown {
    return html` <dialog
      aria-label=${this.label}
      @close=${() => this.emit("dialog-closed", null)}
      @click=${this.#click}
    >
      <div class="dialog-head">
        <h2>${this.label}</h2>
        <button
          class="icon-button"
          type="button"
          title="Close"
          aria-label="Close"
          @click=${() => this.#dialog?.close()}
        >
          ${iconClose}
        </button>
      </div>
      <div class="dialog-body" tabindex="0">${this.shown ? this.body : ""}</div>
    </dialog>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("shown")) return;
    const dialog = this.#dialog;
    if (this.shown && dialog?.open === false) dialog.showModal();
    else if (!this.shown && dialog?.open === true) dialog.close();
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector("dialog");
  }

  #click = (event: MouseEvent): void => {
    if (event.target === this.#dialog) this.#dialog?.close();
  };
}

customElements.define("stile-dialog", StileDialog);
