import { html, nothing } from "lit";
import type { SolveOutcome } from "../run/events.js";
import { placeNow, type PlaceRequest } from "../edit/show-place.js";
import { duration } from "./solver-number.js";
import { solvedWords } from "./solver-status.js";
import type { Run } from "../store/state.js";
import type { File } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import "./flow-diagram.js";
import { LightElement, prop } from "../ui/light-element.js";
import { coreLinks, faults, objectives, statistics, values } from "./solution-parts.js";

/** A solver's answer for a text. */
export class StileSolveResult extends LightElement {
  @prop run!: Run;
  /** The current files of the workspace. */
  @prop files: readonly File[] = [];

  protected override render(): unknown {
    const outcome = this.run.outcome as SolveOutcome | undefined;
    if (outcome === undefined) return nothing;
    const { answer, core, families, diagnostics } = outcome;
    const { word, tone, about } = solvedWords(outcome);
    const said = answer.proven ? "No solution is better." : answer.message === "" ? about : sentence(answer.message);
    return html` <section class="result ${tone}" aria-labelledby="solved-title">
      <div class="result-head">
        <h2 id="solved-title">The solution</h2>
        <span class="pill ${tone}" data-status=${answer.status}>${word}</span>
        <span class="hint">${duration(answer.milliseconds)}</span>
      </div>
      <div class="solved">
        <p>
          ${said}${answer.checks.length > 1 ? html` <span class="hint">The text has ${answer.checks.length} check-sat commands: ${answer.checks.join(", ")}. This is the last answer.</span>` : nothing}
        </p>
        ${objectives(answer)}
        ${coreLinks(
          this,
          core.map(({ name, from, to }) => ({ name, place: this.#place(from, to) })),
        )}
        ${faults(this, diagnostics, (d) => this.#place(d.from, d.to))}
        ${families.length === 0 ? nothing : html`<stile-families .families=${families}></stile-families>`}
        ${values(answer, outcome.values)} ${statistics(answer)}
      </div>
    </section>`;
  }

  #place(from: number, to: number): PlaceRequest | null {
    const { name, params } = this.run;
    const text = params.workspace.files.find((f) => f.name === name)?.text ?? "";
    return placeNow(this.files, name, text, from, to);
  }
}

customElements.define("stile-solve-result", StileSolveResult);
