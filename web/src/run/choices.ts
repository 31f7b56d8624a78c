import { html, nothing } from "lit";
import type { Choice, PlanOffer, Withheld } from "./events.js";

/** The maximum number of shown choices of an offer; the others can be typed. */
const MAX_CHOICES = 60;

/** Renders the choices of an offer as buttons, and marks the ones that were taken. */
export function choiceButtons(
  offer: PlanOffer,
  taken: readonly number[],
  press: ((choice: Choice) => void) | null,
  ticked: readonly number[] = [],
): unknown {
  const over = taken.length > 0;
  const shown = offer.choices.slice(0, MAX_CHOICES);
  return html` <ol class="choices">
    ${shown.map((choice) => {
      const chosen = taken.includes(choice.n);
      return html`<li>
        ${
          press === null || chosen
            ? html`<span class="choice ${chosen ? "chosen" : ""}" aria-current=${chosen ? "true" : nothing}
                >${inside(choice, over)}</span
              >`
            : html`<button
                class="choice"
                type="button"
                aria-pressed=${offer.many ? ticked.includes(choice.n) : nothing}
                title=${over ? "Take this instead" : nothing}
                @click=${() => press(choice)}
              >
                ${inside(choice, over)}${over ? html`<span class="visually-hidden">, take this instead</span>` : nothing}
              </button>`
        }
      </li>`;
    })}
    ${offer.choices.length > shown.length ? html`<li class="hint">and ${offer.choices.length - shown.length} more</li>` : nothing}
  </ol>`;
}

function inside(choice: Choice, over: boolean): unknown {
  return html`<span class="choice-number">${choice.n}</span
    ><span>${choice.label}</span
    >${choice.symbol === "" || choice.symbol === choice.label ? nothing : html`<code>${choice.symbol}</code>`}${!over && choice.pushes.length > 0 && choice.symbol !== "" ? html`<span class="choice-needs">needs ${choice.pushes.join(", ")}</span>` : nothing}`;
}

const whys: Readonly<Record<string, string>> = {
  limit: "used up",
  lookahead: "look-ahead",
  property: "property",
  failed: "tried",
};

/** Renders the choices that the spec has but the offer omits, with reasons. */
export function withheldDetails(list: readonly Withheld[]): unknown {
  if (list.length === 0) return nothing;
  return html` <details class="withheld">
    <summary>${list.length} not offered</summary>
    <ul>
      ${list.map(
        (w) =>
          html` <li>
            <span class="withheld-label"
              >${w.label}${w.symbol === "" || w.symbol === w.label ? nothing : html` <code>${w.symbol}</code>`}</span
            >
            <span class="pill">${whys[w.why] ?? w.why}</span> <span class="hint">${w.reason}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}

export function promptDetails(prompt: string): unknown {
  if (prompt === "") return nothing;
  return html`<details class="prompt-details">
    <summary>Prompt</summary>
    <pre class="prompt" tabindex="0">${prompt}</pre>
  </details>`;
}

/** Returns the trimmed start of a text. */
export function clip(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > 400 ? `${trimmed.slice(0, 400)}…` : trimmed;
}
