import { html, type PropertyValues } from "lit";
import { iconClose } from "../icons.js";
import { LightElement } from "./light-element.js";

/**
 * A window over the page. Escape, the cross and a click beside it close it, and
 * the focus returns to where it was, as the browser sees to.
 */
export class StileDialog extends LightElement {
  static override properties = { label: { attribute: false }, body: { attribute: false }, shown: { attribute: false } };
  declare label: string;
  /** What stands in it, as a template. */
  declare body: unknown;
  declare shown: boolean;

  constructor() {
    super();
    this.label = "";
    this.body = "";
    this.shown = false;
  }

  protected override render(): unknown {
    return html`
      <dialog aria-label=${this.label} @close=${() => this.emit("dialog-closed", null)} @click=${this.#click}>
        <div class="dialog-head">
          <h2>${this.label}</h2>
          <button class="icon-button" type="button" title="Close" aria-label="Close" @click=${() => this.#dialog?.close()}>${iconClose}</button>
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
