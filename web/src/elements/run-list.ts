import { html, nothing } from "lit";
import { iconClose } from "../icons.js";
import { wish } from "../run-wish.js";
import type { SolveOutcome, StepsOutcome } from "../events.js";
import { solvedWords, statusWords } from "../solved-words.js";
import type { Run } from "../state.js";
import { count } from "../words.js";
import { LightElement } from "./light-element.js";

/** The runs of this session, to go back to. */
export class StileRunList extends LightElement {
  static override properties = { runs: { attribute: false }, shown: { attribute: false } };
  declare runs: readonly Run[];
  declare shown: number;

  constructor() {
    super();
    this.runs = [];
    this.shown = 0;
  }

  protected override render(): unknown {
    return html`
      <nav class="run-list" aria-label="Runs of this session">
        <ol>
          ${this.runs.map((run, i) => html`
            <li class=${run.number === this.shown ? "shown" : ""}>
              <button class="run-link" type="button" aria-current=${run.number === this.shown ? "true" : nothing} aria-label="Show run ${i + 1}: ${outcome(run)}, ${run.origin === "" ? run.name : run.origin}" @click=${() => wish(this, { wish: "show", run: run.number })}>
                <span class="run-name">Run ${i + 1}</span> <span class="run-outcome ${tone(run)}">${outcome(run)}</span>
                <small class="hint">${run.origin === "" ? run.name : run.origin}</small>
              </button>
              <button class="icon-button small" type="button" title="Forget run ${i + 1}" aria-label="Forget run ${i + 1}" @click=${() => wish(this, { wish: "drop", run: run.number })}>${iconClose}</button>
            </li>`)}
        </ol>
      </nav>`;
  }
}

function tone(run: Run): string {
  return run.state === "done" ? "tone-good" : run.state === "failed" ? "tone-error" : "";
}

function outcomeWord({ kind, outcome }: Run): string {
  if (kind === "solve") return outcome === undefined ? "done" : solvedWords(outcome as SolveOutcome).word;
  const found = outcome as StepsOutcome | undefined;
  return found?.status === "solved" ? count(found.steps.plan.length, "step") : statusWords(found?.status ?? "done").word;
}

function outcome(run: Run): string {
  switch (run.state) {
    case "done":
      if (run.kind === "team") return run.timeline.team?.result?.valid === true ? "delivered" : "not all met";
      if (run.kind === "formulate") return statusWords(run.timeline.formulate?.result?.status ?? "done").word;
      if (run.kind === "solve" || run.kind === "steps") return outcomeWord(run);
      return run.kind === "plan" ? `${count(run.timeline.planDone?.plan.steps.length ?? 0, "step")}, ${count(run.timeline.calls, "call")}` : (run.timeline.transcript?.verdict ?? "done");
    case "failed":
      return run.interrupted ? "interrupted" : "failed";
    case "cancelled":
      return "cancelled";
    case "paused":
      return "paused";
    default:
      return "runs";
  }
}

customElements.define("stile-run-list", StileRunList);
