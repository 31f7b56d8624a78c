import { html, nothing } from "lit";
import type { FormulateCheck, FormulateSteps } from "../run/events.js";
import { iconCheck, iconWarning } from "../ui/icons.js";
import { duration } from "./solver-number.js";
import { best, statusWords } from "./solver-status.js";
import { count, sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Maximum number of cells in a table of states. */
const MAX_CELLS = 4_000;

/** Shows a plan: its steps, the states between them, and the lengths that were tried. */
export class StilePlanStates extends LightElement {
  @prop steps!: FormulateSteps;
  @prop checks: readonly FormulateCheck[] = [];
  /** The selected state; 0 is the first. */
  @state at = -1;
  /** Whether facts that never change are included. */
  @state all = false;

  protected override render(): unknown {
    const { plan, states, least, optimal, tried, cost, searched, largest } = this.steps;
    return html` ${
      plan.length === 0 && states.length === 0
        ? nothing
        : html` <div class="plan-steps-part">
            <p>
              ${plan.length === 0 ? "Nothing to do: the goal already holds." : html`<strong>${count(plan.length, "step")}</strong>${cost === undefined ? nothing : html`, <strong>${largest === true ? "value" : "cost"} ${cost}</strong>`}${optimal ? `, and ${best(this.steps)}` : "."}`}
              ${searched === undefined ? nothing : html`<span class="hint">Searched ${count(searched, "state")}.</span>`}
              ${least > 0 && searched === undefined ? html`<span class="hint">Proved without a solver: no plan has fewer than ${least}.</span>` : nothing}
            </p>
            ${
              plan.length === 0
                ? nothing
                : html`<ol class="steps plan-steps">
                    ${plan.map(
                      (step, i) =>
                        html` <li>
                          <button
                            class="step-link"
                            type="button"
                            aria-pressed=${this.at === i + 1}
                            title="Show its effects"
                            @click=${() => this.#look(i + 1)}
                          >
                            <code>${step}</code>
                          </button>
                        </li>`,
                    )}
                  </ol>`
            }
          </div>`
    }
    ${states.length < 2 ? nothing : this.#states()} ${checkList(this.checks)} ${triedList(tried)}`;
  }

  #states(): unknown {
    const { plan, states } = this.steps;
    const facts = [...new Set(states.flatMap((s) => s.facts))];
    const holds = states.map((s) => new Set(s.facts));
    const changing = facts.filter((fact) => !holds.every((set) => set.has(fact)));
    const shown = (this.all ? facts : changing).slice(0, Math.max(1, Math.floor(MAX_CELLS / states.length)));
    const still = facts.length - changing.length;
    const look = states[this.at];
    return html` <section class="states" aria-label="States over time">
      <div class="form-head">
        <h3>States over time</h3>
        ${still === 0 ? nothing : html`<label class="check"><input type="checkbox" .checked=${this.all} @change=${(e: Event) => (this.all = (e.target as HTMLInputElement).checked)} /> <span>Show ${still} facts that never change</span></label>`}
      </div>
      <div class="chart-scroll" tabindex="0" role="region" aria-label="Facts by steps">
        <table class="plain states-table">
          <caption class="visually-hidden">
            Facts that hold after each step
          </caption>
          <thead>
            <tr>
              <td></td>
              ${states.map((_, i) => html`<th scope="col" class=${i === this.at ? "here" : ""} title=${plan[i - 1] ?? "at the beginning"}>${i === 0 ? "start" : i}<span class="visually-hidden"> ${plan[i - 1] ?? ""}</span></th>`)}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (fact) =>
                html`<tr>
                  <th scope="row"><code>${fact}</code></th>
                  ${states.map((_, i) => {
                    const [now, before] = [
                      holds[i]?.has(fact) === true,
                      i === 0 ? holds[0]?.has(fact) === true : holds[i - 1]?.has(fact) === true,
                    ];
                    const kind = now ? (before ? "holds" : "gained") : before ? "lost" : "";
                    return html`<td class="${kind} ${i === this.at ? "here" : ""}">
                      ${kind === "" ? nothing : html`<span class="fact-mark" aria-hidden="true">${{ holds: "", gained: "+", lost: "−" }[kind]}</span><span class="visually-hidden">${kind}</span>`}
                    </td>`;
                  })}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${shown.length < (this.all ? facts : changing).length ? html`<p class="hint">${(this.all ? facts : changing).length - shown.length} more facts are not shown.</p>` : nothing}
      <p class="states-told" role="status">
        ${look === undefined ? html`<span class="hint">Press a step to see its effects.</span>` : this.at === 0 ? "The initial state." : html`<code>${plan[this.at - 1]}</code> ${change("gains", look.gains)}${change("loses", look.loses)}`}
      </p>
    </section>`;
  }

  #look(at: number): void {
    this.at = this.at === at ? -1 : at;
    void this.updateComplete.then(() =>
      this.querySelector("th.here")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    );
  }
}

function change(what: "gains" | "loses", facts: readonly string[]): unknown {
  return facts.length === 0
    ? nothing
    : html` <span class="change ${what}"
        >${what} ${facts.map((fact, i) => html`${i > 0 ? " " : nothing}<code>${fact}</code>`)}</span
      >`;
}

/** Renders the checks of a plan by the workspace's specs. */
export function checkList(checks: readonly FormulateCheck[]): unknown {
  if (checks.length === 0) return nothing;
  return html` <section class="solve-checks" aria-label="Checks against the workspace’s specs">
    <h3>Checks against the workspace’s specs</h3>
    <ul class="verdicts">
      ${checks.map(
        (c) =>
          html`<li class=${c.holds ? "holds" : "broken"}>
            ${c.holds ? iconCheck : iconWarning}
            <p>
              <strong>${c.name === "" ? c.file : c.name}</strong>
              ${c.name === "" ? nothing : html`<span class="hint">${c.file}</span>`}
              <span
                >${c.holds ? (c.reason === "" ? "holds" : sentence(c.reason)) : sentence(c.reason === "" ? "it does not hold" : c.reason)}</span
              >
            </p>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Renders the tried numbers of steps with the solver's answers and times. */
export function triedList(tried: FormulateSteps["tried"]): unknown {
  if (tried.length === 0) return nothing;
  return html` <section class="tried-part" aria-label="Numbers of steps tried">
    <h3>Does a plan with this number of steps exist?</h3>
    <ol class="tried">
      ${tried.map((t) => html`<li class=${t.status}><strong>${t.steps}</strong> <span>${t.status === "" ? html`<span class="spinner" aria-hidden="true"></span> asked` : t.status === "sat" ? "yes" : t.status === "unsat" ? "no" : statusWords(t.status).word}</span> ${t.status === "" ? nothing : html`<span class="hint">${duration(t.milliseconds)}</span>`}</li>`)}
    </ol>
  </section>`;
}

customElements.define("stile-plan-states", StilePlanStates);
