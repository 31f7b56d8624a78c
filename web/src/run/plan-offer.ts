import { html, nothing, type PropertyValues } from "lit";
import type { Choice } from "./events.js";
import { iconCheck } from "../ui/icons.js";
import { iconPerson } from "../ui/panel-icons.js";
import { sendCommand } from "./run-command.js";
import type { PlanMove } from "./timeline.js";
import type { Effect } from "../core/wire.js";
import { choiceButtons, clip, promptDetails, withheldDetails } from "./choices.js";
import { thoughtDetails } from "./thoughts.js";
import { digitOf, takeFocus } from "./digit-keys.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The open choice: the goal, the choices, and the model's answer while it streams. */
export class StilePlanOffer extends LightElement {
  @prop move: PlanMove | null = null;
  /** The question to the person; null if a model is called. */
  @prop question: Effect | null = null;
  /** Whether the run is paused. */
  @prop held = false;
  @state ticked: readonly number[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.#digit);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#digit);
  }

  protected override render(): unknown {
    const offer = this.move?.offer;
    if (this.move === null || offer === undefined) return nothing;
    const mine = this.question !== null;
    return html` <section class="log-entry now ${mine ? "mine" : ""}" aria-labelledby="offer-title">
      <div class="log-head">
        <h2 id="offer-title">
          <span class="now-number">${mine ? "Your choice" : "Choice"} ${offer.offer}</span> ${offer.reason}
        </h2>
        ${mine ? nothing : html`<button class="button small" type="button" @click=${() => sendCommand(this, { command: "ask-me", offer: offer.offer })}>${iconPerson} Ask me instead</button>`}
      </div>
      ${choiceButtons(offer, [], this.#press, this.ticked)}
      ${offer.many ? html`<div><button class="button small ${mine ? "primary" : ""}" type="button" ?disabled=${this.ticked.length === 0} @click=${this.#takeTicked}>${iconCheck} Take ${this.ticked.length === 0 ? "these" : this.ticked.join(", ")}</button></div>` : nothing}
      ${this.move.replies.map(
        (reply) =>
          html` <p class="reply bad">
            <span class="hint">answer ${reply.attempt}</span><q>${clip(reply.text)}</q
            ><span class="fault-text">asked again: ${reply.fault}</span>
          </p>`,
      )}
      ${this.move.thoughts.map(thoughtDetails)} ${mine ? this.#field() : this.#live()}
      <div class="log-more">${withheldDetails(offer.withheld)}${promptDetails(offer.prompt)}</div>
    </section>`;
  }

  #live(): unknown {
    const { live } = this.move ?? { live: "" };
    if (live === "")
      return this.held
        ? html`<p class="hint">
            The run is paused before the next model call. Continue, step, or make the choice yourself.
          </p>`
        : html`<p class="hint">
            <span class="spinner" aria-hidden="true"></span> Calling the model; a choice that you press replaces its
            answer.
          </p>`;
    return html`<p class="reply streaming"><span class="hint">the model writes</span><q>${clip(live)}</q></p>`;
  }

  #field(): unknown {
    const many = this.move?.offer?.choices.length ?? 0;
    return html` <form class="answer-row" @submit=${this.#submit}>
        <input
          type="text"
          name="answer"
          autocomplete="off"
          aria-label="Your answer"
          placeholder="or answer as a model would"
        />
        <button class="button" type="submit">Answer</button>
      </form>
      ${many > 1 && many < 10 ? html`<p class="hint">Press <kbd>1</kbd> to <kbd>${many}</kbd> to choose.</p>` : nothing}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("move") && changed.get("move")?.offer?.offer !== this.move?.offer?.offer) this.ticked = [];
    if (changed.has("question") && this.question !== null) takeFocus(this, ".choices button");
  }

  #press = (choice: Choice): void => {
    const offer = this.move?.offer;
    if (offer === undefined) return;
    if (offer.many)
      this.ticked = this.ticked.includes(choice.n)
        ? this.ticked.filter((n) => n !== choice.n)
        : [...this.ticked, choice.n].sort((a, b) => a - b);
    else this.#take([choice.n]);
  };

  #takeTicked = (): void => this.#take(this.ticked);

  #take(choice: readonly number[]): void {
    const offer = this.move?.offer;
    if (offer !== undefined) sendCommand(this, { command: "take", offer: offer.offer, choice });
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    if (this.question !== null)
      sendCommand(this, {
        command: "answer",
        effect: this.question.id,
        value: String(new FormData(form).get("answer") ?? ""),
      });
    form.reset();
  };

  #digit = (event: KeyboardEvent): void => {
    if (this.question === null) return;
    const choice = this.move?.offer?.choices[digitOf(event, this) - 1];
    if (choice === undefined) return;
    event.preventDefault();
    this.#press(choice);
  };
}

customElements.define("stile-plan-offer", StilePlanOffer);
