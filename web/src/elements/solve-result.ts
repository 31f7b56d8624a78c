import { html, nothing } from "lit";
import type { SolveOutcome } from "../events.js";
import { placeNow, type PlaceWish } from "../place-wish.js";
import { duration } from "../solved-number.js";
import { solvedWords } from "../solved-words.js";
import type { Run } from "../state.js";
import type { File } from "../wire.js";
import { sentence } from "../words.js";
import "./families.js";
import { LightElement } from "./light-element.js";
import { coreLinks, faults, objectives, statistics, values } from "./solved-parts.js";

/** What a solver said of a text. */
export class StileSolveResult extends LightElement {
  static override properties = { run: { attribute: false }, files: { attribute: false } };
  declare run: Run;
  /** The workspace as it is now. */
  declare files: readonly File[];

  constructor() {
    super();
    this.files = [];
  }

  protected override render(): unknown {
    const outcome = this.run.outcome as SolveOutcome | undefined;
    if (outcome === undefined) return nothing;
    const { answer, core, families, diagnostics } = outcome;
    const { word, tone, about } = solvedWords(outcome);
    const said = answer.proven ? "No solution is better." : answer.message === "" ? about : sentence(answer.message);
    return html`
      <section class="result ${tone}" aria-labelledby="solved-title">
        <div class="result-head">
          <h2 id="solved-title">The solution</h2>
          <span class="pill ${tone}" data-status=${answer.status}>${word}</span>
          <span class="hint">${duration(answer.milliseconds)}</span>
        </div>
        <div class="solved">
          <p>${said}${answer.checks.length > 1 ? html` <span class="hint">It was asked ${answer.checks.length} times: ${answer.checks.join(", ")}. This is the last.</span>` : nothing}</p>
          ${objectives(answer)}
          ${coreLinks(this, core.map(({ name, from, to }) => ({ name, place: this.#place(from, to) })))}
          ${faults(this, diagnostics, (d) => this.#place(d.from, d.to))}
          ${families.length === 0 ? nothing : html`<stile-families .families=${families}></stile-families>`}
          ${values(answer, outcome.values)}
          ${statistics(answer)}
        </div>
      </section>`;
  }

  #place(from: number, to: number): PlaceWish | null {
    const { name, params } = this.run;
    const text = params.workspace.files.find((f) => f.name === name)?.text ?? "";
    return placeNow(this.files, name, text, from, to);
  }
}

customElements.define("stile-solve-result", StileSolveResult);
