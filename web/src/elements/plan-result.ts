import { html, nothing } from "lit";
import type { PlanDone } from "../events.js";
import type { LayoutClient } from "../layout-client.js";
import { count } from "../words.js";
import "./copy-button.js";
import "./drawing.js";
import { LightElement } from "./light-element.js";

/** A finished plan in its four forms: steps, function, word, tree. */
export class StilePlanResult extends LightElement {
  static override properties = { done: { attribute: false }, layouts: { attribute: false } };
  declare done: PlanDone | null;
  declare layouts: LayoutClient | undefined;

  constructor() {
    super();
    this.done = null;
  }

  protected override render(): unknown {
    if (this.done === null) return nothing;
    const { plan, treeDrawing } = this.done;
    const word = plan.word.join(" ");
    const steps = plan.steps.map((s) => `${s.n}. ${s.text}`).join("\n");
    return html`
      <section class="result" aria-labelledby="plan-title">
        <div class="result-head">
          <h2 id="plan-title">The plan</h2>
          <span class="pill good">valid</span>
          <span class="hint">${count(plan.calls, "call")}, ${plan.forced} forced, ${count(plan.deadEnds, "dead end")}</span>
        </div>
        <div class="result-body">
          <div class="form">
            <div class="form-head"><h3>Steps</h3><stile-copy-button .text=${steps} .what=${"the steps"}></stile-copy-button></div>
            ${plan.steps.length === 0 ? html`<p class="hint">The empty plan: there is nothing to do.</p>` : html`<ol class="steps">
              ${plan.steps.map((s) => html`<li value=${s.n}><span>${s.text}</span> <code>${s.symbol}</code></li>`)}
            </ol>`}
          </div>
          <div class="form">
            <div class="form-head"><h3>Function</h3><stile-copy-button .text=${plan.function} .what=${"the function form"}></stile-copy-button></div>
            <pre class="one-line" tabindex="0" data-form="function">${plan.function || "ε"}</pre>
            <div class="form-head"><h3>Word</h3><stile-copy-button .text=${word} .what=${"the word"}></stile-copy-button></div>
            <pre class="one-line" tabindex="0" data-form="word">${word || "ε"}</pre>
          </div>
        </div>
        ${treeDrawing === undefined || treeDrawing === null ? nothing : html`
          <div class="form-head"><h3>Tree</h3></div>
          <stile-drawing class="result-tree" .drawing=${treeDrawing} .layouts=${this.layouts} .slotName=${"plan"}></stile-drawing>`}
      </section>`;
  }
}

customElements.define("stile-plan-result", StilePlanResult);
