import { html } from "lit";
import type { KeptRun } from "../kept-runs.js";
import { wish } from "../run-wish.js";
import { count } from "../words.js";
import { LightElement } from "./light-element.js";

/** Runs that an earlier visit left unfinished. */
export class StileInterrupted extends LightElement {
  static override properties = { kept: { attribute: false } };
  declare kept: readonly KeptRun[];

  constructor() {
    super();
    this.kept = [];
  }

  protected override render(): unknown {
    return this.kept.map((run) => {
      const answers = run.log.answers.filter((answer) => answer.chunk === undefined).length;
      return html`
        <section class="interrupted" aria-label="A run was interrupted">
          <p><strong>A run was interrupted.</strong> <code>${run.title}</code> <span class="hint">${count(answers, "answer")} kept · begun ${new Date(run.startedAt).toLocaleString()}</span></p>
          <div class="row wrap">
            <button class="button small primary" type="button" @click=${() => wish(this, { wish: "resume", id: run.id })}>Resume</button>
            <button class="button small" type="button" title="Play what there is of it, without asking anything" @click=${() => wish(this, { wish: "replay", id: run.id })}>Replay</button>
            <button class="button small" type="button" @click=${() => wish(this, { wish: "discard", id: run.id })}>Discard</button>
          </div>
        </section>`;
    });
  }
}

customElements.define("stile-interrupted", StileInterrupted);
