import { html, nothing } from "lit";
import type { Choice } from "../events.js";
import type { PlanEntry } from "../timeline.js";
import { LightElement } from "./light-element.js";

/** How many steps are shown before a person asks for the earlier ones. */
const MAX_SHOWN = 200;
const MAX_CHOICES = 60;

/** What was offered at each step of a plan, what the model said, and what was taken. */
export class StilePlanLog extends LightElement {
  static override properties = { entries: { attribute: false }, whole: { state: true } };
  declare entries: readonly PlanEntry[];
  declare whole: boolean;

  constructor() {
    super();
    this.entries = [];
    this.whole = false;
  }

  protected override render(): unknown {
    const hidden = this.whole ? 0 : Math.max(0, this.entries.length - MAX_SHOWN);
    return html`
      ${hidden > 0 ? html`<button class="button small" type="button" @click=${() => (this.whole = true)}>Show ${hidden} earlier steps</button>` : nothing}
      <ol class="log">${this.entries.slice(hidden).map((entry) => this.#entry(entry))}</ol>`;
  }

  #entry(entry: PlanEntry): unknown {
    const { offer, take } = entry;
    const choices = offer?.choices ?? [];
    const forced = take?.forced === true;
    return html`
      <li class="log-entry ${forced ? "forced" : ""}">
        <div class="log-head">
          <span class="log-number">${entry.step}</span>
          <span class="log-title">${offer === undefined ? html`<code>${take?.symbol}</code>` : html`${forced ? "Needed" : "Choose"} <strong>${offer.item}</strong>${offer.for === "" ? nothing : html` for ${offer.for}`}`}</span>
          ${forced ? html`<span class="pill">forced</span>` : nothing}
        </div>
        ${choices.length === 0 ? nothing : html`
          <ol class="choices">${choices.slice(0, MAX_CHOICES).map((c) => this.#choice(c, take?.n))}
            ${choices.length > MAX_CHOICES ? html`<li class="hint">and ${choices.length - MAX_CHOICES} more</li>` : nothing}</ol>`}
        ${entry.replies.map((reply) => html`
          <p class="reply ${reply.choice > 0 ? "" : "bad"}">
            <span class="hint">${reply.attempt > 1 ? `answer ${reply.attempt}` : "answer"}</span>
            <q>${clip(reply.text)}</q>
            ${reply.fault === undefined || reply.fault === "" ? nothing : html`<span class="fault-text">asked again: ${reply.fault}</span>`}
          </p>`)}
        ${offer === undefined || offer.prompt === "" ? nothing : html`<details class="prompt-details"><summary>Prompt</summary><pre class="prompt" tabindex="0">${offer.prompt}</pre></details>`}
      </li>`;
  }

  #choice(choice: Choice, taken: number | undefined): unknown {
    const chosen = choice.n === taken;
    return html`<li class="choice ${chosen ? "chosen" : ""}" aria-current=${chosen ? "true" : nothing}>
      <span class="choice-number">${choice.n}</span><span>${choice.label}</span>${choice.symbol === choice.label ? nothing : html` <code>${choice.symbol}</code>`}</li>`;
  }
}

/** The beginning of a text that may be long. */
function clip(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

customElements.define("stile-plan-log", StilePlanLog);
