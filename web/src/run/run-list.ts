import { html, nothing } from "lit";
import { iconClose } from "../ui/icons.js";
import { outcome, tone } from "./run-outcome.js";
import { sendCommand } from "./run-command.js";
import type { Run } from "../store/state.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The runs of this session. */
export class StileRunList extends LightElement {
  @prop runs: readonly Run[] = [];
  @prop shown = 0;

  protected override render(): unknown {
    return html` <nav class="run-list" aria-label="Runs of this session">
      <ol>
        ${this.runs.map(
          (run, i) =>
            html` <li class=${run.number === this.shown ? "shown" : ""}>
              <button
                class="run-link"
                type="button"
                aria-current=${run.number === this.shown ? "true" : nothing}
                aria-label="Show run ${i + 1}: ${outcome(run)}, ${run.origin === "" ? run.name : run.origin}"
                @click=${() => sendCommand(this, { command: "show", run: run.number })}
              >
                <span class="run-name">Run ${i + 1}</span> <span class="run-outcome ${tone(run)}">${outcome(run)}</span>
                <small class="hint">${run.origin === "" ? run.name : run.origin}</small>
              </button>
              <button
                class="icon-button small"
                type="button"
                title="Forget run ${i + 1}"
                aria-label="Forget run ${i + 1}"
                @click=${() => sendCommand(this, { command: "drop", run: run.number })}
              >
                ${iconClose}
              </button>
            </li>`,
        )}
      </ol>
    </nav>`;
  }
}

customElements.define("stile-run-list", StileRunList);
