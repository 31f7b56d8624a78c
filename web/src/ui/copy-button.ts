import { html } from "lit";
import { iconCheck } from "./icons.js";
import { iconCopy } from "./panel-icons.js";
import { LightElement, prop, state } from "./light-element.js";

/** A button that copies a text and confirms it. */
export class StileCopyButton extends LightElement {
  @prop text = "";
  @prop what = "";
  /** Label of the button; "" for the icon only. */
  @prop label = "";
  @state copied: "" | "yes" | "no" = "";

  protected override render(): unknown {
    return html` <button
        class=${this.label === "" ? "icon-button small" : "button small"}
        type="button"
        title="Copy ${this.what}"
        aria-label="Copy ${this.what}"
        @click=${this.#copy}
      >
        ${this.copied === "yes" ? iconCheck : iconCopy} ${this.label}
      </button>
      <span class="visually-hidden" role="status"
        >${{ yes: `Copied ${this.what}`, no: "Copying is blocked by the browser", "": "" }[this.copied]}</span
      >`;
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
