import { html, nothing, type PropertyValues } from "lit";
import { wish } from "../run-wish.js";
import type { Effect } from "../wire.js";
import { digitOf, takeFocus } from "./digits.js";
import { LightElement } from "./light-element.js";

/** A question that a run puts to the person, with its choices as buttons or a field to write in. */
export class StileQuestion extends LightElement {
  static override properties = { effect: { attribute: false }, run: { attribute: false } };
  declare effect: Effect | null;
  /** The run that asks, where it is not the one that is shown. */
  declare run: number | undefined;

  constructor() {
    super();
    this.effect = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.#digit);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#digit);
  }

  protected override render(): unknown {
    const question = this.effect?.question;
    if (question === undefined || question === null) return nothing;
    const choices = question.choices ?? [];
    return html`
      <form class="question" aria-label="The run asks you" @submit=${this.#submit}>
        <h2>The run asks you</h2>
        <pre class="prompt" tabindex="0">${question.prompt}</pre>
        ${choices.length > 0
          ? html`<ol class="choices">
              ${choices.map((choice, i) => html`<li><button class="choice" type="button" @click=${() => this.#answer(String(i + 1))}><span class="choice-number">${i + 1}</span><span>${choice}</span></button></li>`)}
            </ol>`
          : html`<div class="answer-row">
              ${question.multiline === true
                ? html`<textarea name="answer" rows="4" aria-label="Your answer"></textarea>`
                : html`<input type="text" name="answer" autocomplete="off" aria-label="Your answer" />`}
              <button class="button primary" type="submit">Answer</button>
            </div>`}
      </form>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("effect") && this.effect !== null) takeFocus(this, "button, textarea, input");
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#answer(String(new FormData(event.target as HTMLFormElement).get("answer") ?? ""));
  };

  #answer(value: string): void {
    if (this.effect !== null) wish(this, { wish: "answer", effect: this.effect.id, value, ...(this.run !== undefined && { run: this.run }) });
  }

  #digit = (event: KeyboardEvent): void => {
    const n = digitOf(event, this);
    if (n === 0 || n > (this.effect?.question?.choices?.length ?? 0)) return;
    event.preventDefault();
    this.#answer(String(n));
  };
}

customElements.define("stile-question", StileQuestion);
