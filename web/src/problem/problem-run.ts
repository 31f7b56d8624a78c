import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { SolverProgress } from "../core/core-protocol.js";
import type { StepsOutcome } from "../run/events.js";
import { goes, settingsOf } from "../run/run-state.js";
import { bytes } from "./solver-number.js";
import { statusWords } from "./solver-status.js";
import type { Run } from "../store/state.js";
import type { File } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import "./formulate-run.js";
import { requestTest } from "../tests/request-test.js";
import { LightElement, prop } from "../ui/light-element.js";
import "./plan-states.js";
import { triedList } from "./plan-states.js";
import "./problem-settings-form.js";
import "./solve-result.js";
import "./solver-progress.js";

/** A run that calls a solver: for a text, for a plan with steps, or for a problem. */
export class StileProblemRun extends LightElement {
  /** The run at the selected moment. */
  @prop run!: Run;
  @prop files: readonly File[] = [];
  @prop solver: SolverProgress | null = null;
  @prop core!: Pick<CoreClient, "call">;

  protected override render(): unknown {
    const { run } = this;
    switch (run.kind) {
      case "solve":
        return html` ${goes(run) ? this.#progress(`${bytes(run.params.workspace.files.find((f) => f.name === run.name)?.text.length ?? 0)} of ${run.name}`) : nothing}
          <stile-solve-result .run=${run} .files=${this.files}></stile-solve-result>`;
      case "steps":
        return this.#steps();
      default:
        return html`<stile-formulate-run
          .run=${run}
          .files=${this.files}
          .solver=${this.solver}
          .core=${this.core}
        ></stile-formulate-run>`;
    }
  }

  #steps(): unknown {
    const { run } = this;
    const { tried } = run.timeline;
    const outcome = run.outcome as StepsOutcome | undefined;
    const asked = tried.at(-1);
    if (outcome === undefined)
      return html`${goes(run) ? this.#progress(asked?.status === "" ? `for a plan of ${asked.steps} steps` : "") : nothing}${triedList(tried)}`;
    const { word, tone, about } = statusWords(outcome.status);
    return html` <section class="result ${tone}" aria-labelledby="steps-title">
      <div class="result-head">
        <h2 id="steps-title">The plan</h2>
        <span class="pill ${tone}" data-status=${outcome.status}>${word}</span>
        ${
          outcome.steps.plan.length === 0
            ? nothing
            : html`<button
                class="button small"
                type="button"
                @click=${() => requestTest(this, { spec: run.name, form: "plan", text: outcome.steps.plan.join("\n") })}
              >
                Add as test
              </button>`
        }
      </div>
      <div class="solved">
        ${outcome.status === "solved" ? nothing : html`<p>${outcome.message === "" ? about : sentence(outcome.message)}</p>`}
        <stile-plan-states .steps=${outcome.steps} .checks=${outcome.checks}></stile-plan-states>
      </div>
    </section>`;
  }

  #progress(asked: string): unknown {
    const { limits } = settingsOf(this.run) as { readonly limits?: { readonly milliseconds?: number } };
    return html`<stile-solver-progress
      .progress=${this.solver}
      .asked=${asked}
      .limit=${limits?.milliseconds ?? 0}
    ></stile-solver-progress>`;
  }
}

customElements.define("stile-problem-run", StileProblemRun);
