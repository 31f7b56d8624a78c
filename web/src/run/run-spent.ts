import { html, nothing } from "lit";
import type { PlanSettings } from "./events.js";
import type { Spent } from "./timeline.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The cost of a run so far, next to its limits. */
export class StileRunSpent extends LightElement {
  @prop spent: Spent = { calls: 0, tokens: 0, money: 0 };
  @prop budget: NonNullable<PlanSettings["budget"]> = {};

  protected override render(): unknown {
    const { calls, tokens, money } = this.spent;
    const { budget } = this;
    return html` <dl class="spent">
      ${row("Calls", calls, budget.calls ?? 0, String)}
      ${row("Tokens", tokens, budget.tokens ?? 0, (n) => n.toLocaleString("en"))}
      ${money > 0 || (budget.money ?? 0) > 0 ? row("Money", money, budget.money ?? 0, dollars) : nothing}
    </dl>`;
  }
}

function row(what: string, spent: number, most: number, text: (n: number) => string): unknown {
  return html` <div>
    <dt>${what}</dt>
    <dd>
      ${text(spent)}${most > 0 ? html` <span class="hint">of ${text(most)}</span><progress aria-label="${what} spent" max=${most} value=${Math.min(spent, most)}></progress>` : nothing}
    </dd>
  </div>`;
}

/** Formats dollars with the significant places. */
export function dollars(n: number): string {
  return `$${n.toFixed(n > 0 && n < 0.01 ? 5 : 2)}`;
}

customElements.define("stile-run-spent", StileRunSpent);
