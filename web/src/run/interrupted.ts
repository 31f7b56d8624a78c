import { html } from "lit";
import type { KeptRun } from "../store/unfinished-runs.js";
import { sendCommand } from "./run-command.js";
import { count } from "../ui/text.js";
import { LightElement, prop } from "../ui/light-element.js";

/** Unfinished runs of an earlier visit. */
export class StileInterrupted extends LightElement {
  @prop kept: readonly KeptRun[] = [];

  protected override render(): unknown {
    return this.kept.map((run) => {
      const answers = run.log.answers.filter((answer) => answer.chunk === undefined).length;
      return html` <section class="interrupted" aria-label="A run was interrupted">
        <p>
          <strong>A run was interrupted.</strong> <code>${run.title}</code>
          <span class="hint">${count(answers, "answer")} kept · begun ${new Date(run.startedAt).toLocaleString()}</span>
        </p>
        <div class="row wrap">
          <button
            class="button small primary"
            type="button"
            @click=${() => sendCommand(this, { command: "resume", id: run.id })}
          >
            Resume
          </button>
          <button
            class="button small"
            type="button"
            title="Replay the recorded part without calling a model"
            @click=${() => sendCommand(this, { command: "replay", id: run.id })}
          >
            Replay
          </button>
          <button
            class="button small"
            type="button"
            @click=${() => sendCommand(this, { command: "discard", id: run.id })}
          >
            Discard
          </button>
        </div>
      </section>`;
    });
  }
}

customElements.define("stile-interrupted", StileInterrupted);
