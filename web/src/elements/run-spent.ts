import { html, nothing } from "lit";
import type { PlanSettings } from "../events.js";
import type { Spent } from "../timeline.js";
import { LightElement } from "./light-element.js";

/** What a run has spent on its model, beside what it may spend. */
export class StileRunSpent extends LightElement {
  static override properties = { spent: { attribute: false }, budget: { attribute: false } };
  declare spent: Spent;
  declare budget: Partial<PlanSettings["budget"]>;

  constructor() {
    super();
    this.spent = { calls: 0, tokens: 0, money: 0 };
    this.budget = {};
  }

  protected override render(): unknown {
    const { calls, tokens, money } = this.spent;
    const { budget } = this;
    return html`
      <dl class="spent">
        ${row("Calls", calls, budget.calls ?? 0, String)}
        ${row("Tokens", tokens, budget.tokens ?? 0, (n) => n.toLocaleString("en"))}
        ${money > 0 || (budget.money ?? 0) > 0 ? row("Money", money, budget.money ?? 0, dollars) : nothing}
      </dl>`;
  }
}

function row(what: string, spent: number, most: number, text: (n: number) => string): unknown {
  return html`
    <div>
      <dt>${what}</dt>
      <dd>${text(spent)}${most > 0 ? html` <span class="hint">of ${text(most)}</span><progress aria-label="${what} spent" max=${most} value=${Math.min(spent, most)}></progress>` : nothing}</dd>
    </div>`;
}

/** Dollars, with as many places as there is something to see. */
export function dollars(n: number): string {
  return `$${n.toFixed(n > 0 && n < 0.01 ? 5 : 2)}`;
}

customElements.define("stile-run-spent", StileRunSpent);
