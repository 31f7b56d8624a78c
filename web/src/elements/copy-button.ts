import { html } from "lit";
import { iconCheck } from "../icons.js";
import { iconCopy } from "../late-icons.js";
import { LightElement } from "./light-element.js";

/** A button that copies a text and says that it did. */
export class StileCopyButton extends LightElement {
  static override properties = { text: { attribute: false }, what: { attribute: false }, label: { attribute: false }, copied: { state: true } };
  declare text: string;
  declare what: string;
  /** What stands on the button; "" for the picture alone. */
  declare label: string;
  declare copied: "" | "yes" | "no";

  constructor() {
    super();
    this.text = "";
    this.what = "";
    this.label = "";
    this.copied = "";
  }

  protected override render(): unknown {
    return html`
      <button class=${this.label === "" ? "icon-button small" : "button small"} type="button" title="Copy ${this.what}" aria-label="Copy ${this.what}" @click=${this.#copy}>${this.copied === "yes" ? iconCheck : iconCopy} ${this.label}</button>
      <span class="visually-hidden" role="status">${{ yes: `Copied ${this.what}`, no: "Copying is blocked by the browser", "": "" }[this.copied]}</span>`;
  }

  #copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(this.text);
      this.copied = "yes";
    } catch {
      this.copied = "no";
    }
    setTimeout(() => (this.copied = ""), 2_000);
  };
}

customElements.define("stile-copy-button", StileCopyButton);
