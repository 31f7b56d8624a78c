import { html, nothing } from "lit";
import type { FormulateCheck, FormulateSteps } from "../events.js";
import { iconCheck, iconWarning } from "../icons.js";
import { duration } from "../solved-number.js";
import { statusWords } from "../solved-words.js";
import { count, sentence } from "../words.js";
import { LightElement } from "./light-element.js";

/** How many cells a table of states has at most. */
const MAX_CELLS = 4_000;

/** A plan that has steps: the steps, the states on the way, and how many steps were tried. */
export class StilePlanStates extends LightElement {
  static override properties = { steps: { attribute: false }, checks: { attribute: false }, at: { state: true }, all: { state: true } };
  declare steps: FormulateSteps;
  declare checks: readonly FormulateCheck[];
  /** The state that is looked at; 0 is the first. */
  declare at: number;
  /** Facts that never change are shown, too. */
  declare all: boolean;

  constructor() {
    super();
    this.checks = [];
    this.at = -1;
    this.all = false;
  }

  protected override render(): unknown {
    const { plan, states, least, optimal, tried } = this.steps;
    return html`
      ${plan.length === 0 && states.length === 0 ? nothing : html`
        <div class="plan-steps-part">
          <p>${plan.length === 0 ? "There is nothing to do: the goal holds at once." : html`<strong>${count(plan.length, "step")}</strong>${optimal ? ", and no plan is shorter." : "."}`} ${least > 0 ? html`<span class="hint">Known without a solver: no plan has fewer than ${least}.</span>` : nothing}</p>
          ${plan.length === 0 ? nothing : html`<ol class="steps plan-steps">${plan.map((step, i) => html`
            <li><button class="step-link" type="button" aria-pressed=${this.at === i + 1} title="Show what it changes" @click=${() => this.#look(i + 1)}><code>${step}</code></button></li>`)}</ol>`}
        </div>`}
      ${states.length < 2 ? nothing : this.#states()}
      ${checkList(this.checks)}
      ${triedList(tried)}`;
  }

  #states(): unknown {
    const { plan, states } = this.steps;
    const facts = [...new Set(states.flatMap((s) => s.facts))];
    const holds = states.map((s) => new Set(s.facts));
    const changing = facts.filter((fact) => !holds.every((set) => set.has(fact)));
    const shown = (this.all ? facts : changing).slice(0, Math.max(1, Math.floor(MAX_CELLS / states.length)));
    const still = facts.length - changing.length;
    const look = states[this.at];
    return html`
      <section class="states" aria-label="States over time">
        <div class="form-head"><h3>States over time</h3>
          ${still === 0 ? nothing : html`<label class="check"><input type="checkbox" .checked=${this.all} @change=${(e: Event) => (this.all = (e.target as HTMLInputElement).checked)} /> <span>with the ${still} that never change</span></label>`}</div>
        <div class="chart-scroll" tabindex="0" role="region" aria-label="Facts by steps">
          <table class="plain states-table"><caption class="visually-hidden">Which facts hold after which step</caption>
            <thead><tr><td></td>${states.map((_, i) => html`<th scope="col" class=${i === this.at ? "here" : ""} title=${plan[i - 1] ?? "at the beginning"}>${i === 0 ? "start" : i}<span class="visually-hidden"> ${plan[i - 1] ?? ""}</span></th>`)}</tr></thead>
            <tbody>${shown.map((fact) => html`<tr><th scope="row"><code>${fact}</code></th>${states.map((_, i) => {
              const [now, before] = [holds[i]?.has(fact) === true, i === 0 ? holds[0]?.has(fact) === true : holds[i - 1]?.has(fact) === true];
              const kind = now ? (before ? "holds" : "gained") : before ? "lost" : "";
              return html`<td class="${kind} ${i === this.at ? "here" : ""}">${kind === "" ? nothing : html`<span class="fact-mark" aria-hidden="true">${{ holds: "", gained: "+", lost: "−" }[kind]}</span><span class="visually-hidden">${kind}</span>`}</td>`;
            })}</tr>`)}</tbody></table>
        </div>
        ${shown.length < (this.all ? facts : changing).length ? html`<p class="hint">${(this.all ? facts : changing).length - shown.length} more facts are not shown.</p>` : nothing}
        <p class="states-told" role="status">${look === undefined ? html`<span class="hint">Press a step to see what it changes.</span>` : this.at === 0 ? "The beginning." : html`<code>${plan[this.at - 1]}</code> ${change("gains", look.gains)}${change("loses", look.loses)}`}</p>
      </section>`;
  }

  #look(at: number): void {
    this.at = this.at === at ? -1 : at;
    void this.updateComplete.then(() => this.querySelector("th.here")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  }
}

function change(what: "gains" | "loses", facts: readonly string[]): unknown {
  return facts.length === 0 ? nothing : html` <span class="change ${what}">${what} ${facts.map((fact, i) => html`${i > 0 ? " " : nothing}<code>${fact}</code>`)}</span>`;
}

/** What grammars and formulas of the workspace make of a plan. */
export function checkList(checks: readonly FormulateCheck[]): unknown {
  if (checks.length === 0) return nothing;
  return html`
    <section class="solve-checks" aria-label="Held against the workspace’s specs"><h3>Held against the workspace’s specs</h3>
      <ul class="verdicts">${checks.map((c) => html`<li class=${c.holds ? "holds" : "broken"}>${c.holds ? iconCheck : iconWarning}<p><strong>${c.name === "" ? c.file : c.name}</strong> ${c.name === "" ? nothing : html`<span class="hint">${c.file}</span>`} <span>${c.holds ? (c.reason === "" ? "holds" : sentence(c.reason)) : sentence(c.reason === "" ? "it does not hold" : c.reason)}</span></p></li>`)}</ul></section>`;
}

/** The numbers of steps that were tried, with what the solver said and how long that took. */
export function triedList(tried: FormulateSteps["tried"]): unknown {
  if (tried.length === 0) return nothing;
  return html`
    <section class="tried-part" aria-label="Numbers of steps tried"><h3>Is there a plan of so many steps?</h3>
      <ol class="tried">${tried.map((t) => html`<li class=${t.status}><strong>${t.steps}</strong> <span>${t.status === "" ? html`<span class="spinner" aria-hidden="true"></span> asked` : t.status === "sat" ? "yes" : t.status === "unsat" ? "no" : statusWords(t.status).word}</span> ${t.status === "" ? nothing : html`<span class="hint">${duration(t.milliseconds)}</span>`}</li>`)}</ol></section>`;
}

customElements.define("stile-plan-states", StilePlanStates);
