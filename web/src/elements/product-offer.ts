import { html, nothing } from "lit";
import type { ProductOffer } from "../events.js";
import { stageName } from "../problem-settings.js";
import { wish } from "../run-wish.js";
import type { Effect } from "../wire.js";
import { sentence } from "../words.js";
import { takeFocus } from "./digits.js";
import { LightElement } from "./light-element.js";

/** A product that a person is asked about: to be taken as it is, or changed. */
export class StileProductOffer extends LightElement {
  static override properties = { offer: { attribute: false }, effect: { attribute: false }, text: { state: true } };
  declare offer: ProductOffer;
  declare effect: Effect;
  declare text: string;

  #of = "";

  constructor() {
    super();
    this.text = "";
  }

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
    return html`
      <form class="question product-offer" aria-label="The run asks you" @submit=${this.#submit}>
        <h2>${stageName(stage)}: is this right?</h2>
        <p class="hint"><code>${name}</code> as it was made. What you change is taken in its place, and the stages behind it go by that.</p>
        ${faults.length === 0 ? nothing : html`<ul class="team-faults">${faults.map((fault) => html`<li class="fault-text">${sentence(fault)}</li>`)}</ul>`}
        <textarea class="code product-text" rows=${Math.min(18, text.split("\n").length + 2)} spellcheck="false" aria-label="Text of ${name}" .value=${this.text} @input=${(e: Event) => (this.text = (e.target as HTMLTextAreaElement).value)}></textarea>
        <div class="row wrap">
          <button class="button primary" type="submit">${same ? "Take it" : "Take it as I changed it"}</button>
          ${same ? nothing : html`<button class="button" type="button" @click=${() => (this.text = text)}>As it was made</button>`}
        </div>
      </form>`;
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    wish(this, { wish: "answer", effect: this.effect.id, value: this.text === this.offer.text ? "" : this.text });
  };
}

customElements.define("stile-product-offer", StileProductOffer);
