import { html, nothing } from "lit";
import type { PlanDone } from "./events.js";
import type { LayoutClient } from "../draw/layout-client.js";
import { requestTest } from "../tests/request-test.js";
import { count } from "../ui/text.js";
import "../ui/copy-button.js";
import "../draw/drawing.js";
import { ruleReports } from "./run-rules.js";
import { LightElement, prop } from "../ui/light-element.js";
import { dollars } from "./run-spent.js";

/** A finished plan in its four forms: steps, function, word, tree. */
export class StilePlanResult extends LightElement {
  @prop done: PlanDone | null = null;
  @prop layouts: LayoutClient | undefined;
  /** The spec of the plan. */
  @prop spec = "";

  protected override render(): unknown {
    if (this.done === null) return nothing;
    const { plan, treeDrawing } = this.done;
    const word = plan.word.join(" ");
    const steps = plan.steps.map((s) => `${s.n}. ${s.text}`).join("\n");
    const derived = plan.tree !== undefined && plan.tree !== null;
    return html` <section class="result" aria-labelledby="plan-title">
      <div class="result-head">
        <h2 id="plan-title">The plan</h2>
        <span class="pill good">valid</span>
        <span class="hint">${this.#counts()}</span>
        <button
          class="button small"
          type="button"
          @click=${() => requestTest(this, { spec: this.spec, form: "word", word: plan.word })}
        >
          Add as test
        </button>
      </div>
      ${ruleReports(plan.rules)}
      ${plan.end === undefined || plan.end === null ? nothing : html`<p class="ending ${plan.end.good ? "good" : ""}"><strong>${plan.end.good ? "The plan succeeds." : "The plan ends here."}</strong> ${plan.end.text}</p>`}
      ${
        plan.result === undefined || plan.result === null
          ? nothing
          : html` <p class="ending good">
              <strong>The result</strong> <span class="hint">${plan.result.type}</span> ${plan.result.text}
              ${(plan.result.marks ?? []).map((mark) => html` <span class="pill">${mark}</span>`)}
              ${(plan.result.sums ?? []).map((sum) => html` <span class="pill">${sum.name} ${sum.amount}</span>`)}
              ${plan.met === undefined || plan.met === null ? nothing : html`<br /><span class="pill ${plan.met ? "good" : "bad"}">${plan.met ? "meets the goal" : "does not meet the goal"}</span> ${plan.lacks ?? ""}`}
            </p>`
      }
      <div class="result-body">
        <div class="form">
          <div class="form-head">
            <h3>Steps</h3>
            <stile-copy-button .text=${steps} .what=${"the steps"}></stile-copy-button>
          </div>
          ${
            plan.steps.length === 0
              ? html`<p class="hint">The empty plan: nothing to do.</p>`
              : html`<ol class="steps">
                  ${plan.steps.map((s) => html`<li value=${s.n}><span>${s.text}</span>${s.text === s.symbol ? nothing : html` <code>${s.symbol}</code>`}</li>`)}
                </ol>`
          }
        </div>
        <div class="form">
          ${
            derived
              ? html` <div class="form-head">
                    <h3>Function</h3>
                    <stile-copy-button .text=${plan.function} .what=${"the function form"}></stile-copy-button>
                  </div>
                  <pre class="one-line" tabindex="0" data-form="function">${plan.function || "ε"}</pre>`
              : nothing
          }
          <div class="form-head">
            <h3>Word</h3>
            <stile-copy-button .text=${word} .what=${"the word"}></stile-copy-button>
          </div>
          <pre class="one-line" tabindex="0" data-form="word">${word || "ε"}</pre>
        </div>
      </div>
      ${
        treeDrawing === undefined || treeDrawing === null
          ? nothing
          : html` <div class="form-head"><h3>Tree</h3></div>
              <stile-drawing
                class="result-tree"
                .drawing=${treeDrawing}
                .layouts=${this.layouts}
                .slotName=${"plan"}
              ></stile-drawing>`
      }
    </section>`;
  }

  #counts(): string {
    const plan = this.done?.plan;
    if (plan === undefined) return "";
    return [
      count(plan.choices, "choice"),
      count(plan.calls, "call"),
      `${plan.forced} forced`,
      count(plan.deadEnds, "dead end"),
      ...(plan.backtracks > 0 ? [`${count(plan.backtracks, "choice")} undone`] : []),
      ...((plan.executed ?? 0) > 0 ? [`${plan.executed} tools used`] : []),
      ...((plan.failed ?? 0) > 0 ? [`${plan.failed} failed`] : []),
      `${(plan.usage.prompt + plan.usage.completion).toLocaleString("en")} tokens`,
      ...((plan.seconds ?? 0) > 0 ? [`${(plan.seconds ?? 0).toFixed(1)} s`] : []),
      ...((plan.money ?? 0) > 0 ? [dollars(plan.money ?? 0)] : []),
    ].join(", ");
  }
}

customElements.define("stile-plan-result", StilePlanResult);
