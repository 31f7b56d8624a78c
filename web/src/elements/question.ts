import { html, nothing, type PropertyValues } from "lit";
import type { Effect } from "../wire.js";
import { LightElement } from "./light-element.js";

/** What the person answered. */
export interface Answered {
  readonly effect: string;
  readonly value: string;
}

/** A question that a run puts to the person, with its choices as buttons or a field to write in. */
export class StileQuestion extends LightElement {
  static override properties = { effect: { attribute: false } };
  declare effect: Effect | null;

  constructor() {
    super();
    this.effect = null;
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
          ? html`<ol class="question-choices">
              ${choices.map((choice, i) => html`<li><button class="letter" type="button" @click=${() => this.#answer(String(i + 1))}><code>${i + 1}</code><span>${choice}</span></button></li>`)}
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
    if (changed.has("effect") && this.effect !== null) this.querySelector<HTMLElement>("button, textarea, input")?.focus();
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#answer(String(new FormData(event.target as HTMLFormElement).get("answer") ?? ""));
  };

  #answer(value: string): void {
    if (this.effect !== null) this.emit<Answered>("answered", { effect: this.effect.id, value });
  }
}

customElements.define("stile-question", StileQuestion);
