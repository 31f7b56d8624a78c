import { html, nothing } from "lit";
import type { CoreClient } from "../core-client.js";
import type { SolverProgress } from "../core-protocol.js";
import type { StepsOutcome } from "../events.js";
import { goes, settingsOf } from "../runs.js";
import { bytes } from "../solved-number.js";
import { statusWords } from "../solved-words.js";
import type { Run } from "../state.js";
import type { File, StepsSettings } from "../wire.js";
import { sentence } from "../words.js";
import "./formulate-run.js";
import { LightElement } from "./light-element.js";
import "./plan-states.js";
import { triedList } from "./plan-states.js";
import "./run-problem.js";
import "./solve-result.js";
import "./solver-progress.js";

/** A run in which a solver is asked: of a text, for a plan with steps, or of a problem. */
export class StileProblemRun extends LightElement {
  static override properties = { run: { attribute: false }, files: { attribute: false }, solver: { attribute: false }, core: { attribute: false } };
  /** The run as it is looked at. */
  declare run: Run;
  declare files: readonly File[];
  declare solver: SolverProgress | null;
  declare core: Pick<CoreClient, "call">;

  constructor() {
    super();
    this.files = [];
    this.solver = null;
  }

  protected override render(): unknown {
    const { run } = this;
    switch (run.kind) {
      case "solve":
        return html`
          ${goes(run) ? this.#progress(`${bytes(run.params.workspace.files.find((f) => f.name === run.name)?.text.length ?? 0)} of ${run.name}`) : nothing}
          <stile-solve-result .run=${run} .files=${this.files}></stile-solve-result>`;
      case "steps":
        return this.#steps();
      default:
        return html`<stile-formulate-run .run=${run} .files=${this.files} .solver=${this.solver} .core=${this.core}></stile-formulate-run>`;
    }
  }

  #steps(): unknown {
    const { run } = this;
    const { tried } = run.timeline;
    const outcome = run.outcome as StepsOutcome | undefined;
    const asked = tried.at(-1);
    if (outcome === undefined) return html`${goes(run) ? this.#progress(asked?.status === "" ? `for a plan of ${asked.steps} steps` : "") : nothing}${triedList(tried)}`;
    const { word, tone, about } = statusWords(outcome.status);
    return html`
      <section class="result ${tone}" aria-labelledby="steps-title">
        <div class="result-head"><h2 id="steps-title">The plan</h2><span class="pill ${tone}" data-status=${outcome.status}>${word}</span></div>
        <div class="solved">
          ${outcome.status === "solved" ? nothing : html`<p>${outcome.message === "" ? (outcome.status === "infeasible" ? `There is no plan of up to ${(settingsOf(run) as StepsSettings).most ?? tried.at(-1)?.steps ?? "so many"} steps.` : about) : sentence(outcome.message)}</p>`}
          <stile-plan-states .steps=${outcome.steps} .checks=${outcome.checks}></stile-plan-states>
        </div>
      </section>`;
  }

  #progress(asked: string): unknown {
    const { limits } = settingsOf(this.run) as { readonly limits?: { readonly milliseconds?: number } };
    return html`<stile-solver-progress .progress=${this.solver} .asked=${asked} .limit=${limits?.milliseconds ?? 0}></stile-solver-progress>`;
  }
}

customElements.define("stile-problem-run", StileProblemRun);
