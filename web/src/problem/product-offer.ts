import { html, nothing } from "lit";
import type { ProductOffer } from "../run/events.js";
import { stageName } from "./problem-settings.js";
import { sendCommand } from "../run/run-command.js";
import type { Effect } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import { takeFocus } from "../run/digit-keys.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** A product to approve or change. */
export class StileProductOffer extends LightElement {
  @prop offer!: ProductOffer;
  @prop effect!: Effect;
  @state text = "";

  #of = "";

  protected override willUpdate(): void {
    if (this.#of === this.effect.id) return;
    this.#of = this.effect.id;
    this.text = this.offer.text;
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has("effect")) takeFocus(this, ".button.primary");
  }

  protected override render(): unknown {
    const { name, stage, text, faults } = this.offer;
    const same = this.text === text;
    return html` <form class="question product-offer" aria-label="Question from the run" @submit=${this.#submit}>
      <h2>${stageName(stage)}: is this correct?</h2>
      <p class="hint">
        <code>${name}</code> as the stage wrote it. Your version replaces it, and the following stages use it.
      </p>
      ${
        faults.length === 0
          ? nothing
          : html`<ul class="team-faults">
              ${faults.map((fault) => html`<li class="fault-text">${sentence(fault)}</li>`)}
            </ul>`
      }
      <textarea
        class="code product-text"
        rows=${Math.min(18, text.split("\n").length + 2)}
        spellcheck="false"
        aria-label="Text of ${name}"
        .value=${this.text}
        @input=${(e: Event) => (this.text = (e.target as HTMLTextAreaElement).value)}
      ></textarea>
      <div class="row wrap">
        <button class="button primary" type="submit">${same ? "Accept" : "Accept my version"}</button>
        ${same ? nothing : html`<button class="button" type="button" @click=${() => (this.text = text)}>Restore</button>`}
      </div>
    </form>`;
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    sendCommand(this, {
      command: "answer",
      effect: this.effect.id,
      value: this.text === this.offer.text ? "" : this.text,
    });
  };
}

customElements.define("stile-product-offer", StileProductOffer);
