import { html, nothing } from "lit";
import { iconPause, iconPlay, iconStep, iconStop } from "../ui/panel-icons.js";
import { openQuestion, wrongs } from "../problem/formulate-view.js";
import { sendCommand } from "./run-command.js";
import { goes } from "./run-state.js";
import type { Run } from "../store/state.js";
import { count } from "../ui/text.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The buttons that start, pause and end a run, and its state. */
export class StileRunControls extends LightElement {
  @prop run: Run | null = null;
  /** Name of the file to run. */
  @prop name = "";
  @prop disabled = false;
  /** Whether the file's runs have no moves, after which they could be paused. */
  @prop whole = false;

  protected override render(): unknown {
    const { run } = this;
    return html` <div class="run-actions">
      <div class="row" role="group" aria-label="The run">
        ${run !== null && goes(run) ? this.#going(run) : this.#idle()}
      </div>
      <span class="run-state" role="status">${run === null ? nothing : this.#state(run)}</span>
    </div>`;
  }

  #idle(): unknown {
    return html` <button class="button primary" type="submit" ?disabled=${this.disabled}>
        ${iconPlay} Run ${this.name}
      </button>
      ${this.whole ? nothing : html`<button class="button" type="button" title="Start, and pause after the first move" ?disabled=${this.disabled} @click=${() => sendCommand(this, { command: "start", pace: 1 })}>${iconStep} Step</button>`}`;
  }

  #going(run: Run): unknown {
    const cancel = html`<button class="button" type="button" @click=${() => sendCommand(this, { command: "cancel" })}>
      ${iconStop} Cancel
    </button>`;
    if (run.kind === "solve" || run.kind === "steps") return cancel;
    return html` ${
        run.state === "paused"
          ? html`<button
              class="button"
              type="button"
              @click=${() => sendCommand(this, { command: "pace", pace: "run" })}
            >
              ${iconPlay} Continue
            </button>`
          : html`<button
              class="button"
              type="button"
              title="Pause after the current move"
              ?disabled=${run.pausing}
              @click=${() => sendCommand(this, { command: "pace", pace: "pause" })}
            >
              ${iconPause} Pause
            </button>`
      }
      <button
        class="button"
        type="button"
        title="One move, then pause"
        ?disabled=${run.state !== "paused"}
        @click=${() => sendCommand(this, { command: "pace", pace: 1 })}
      >
        ${iconStep} Step
      </button>
      ${cancel}`;
  }

  #state(run: Run): unknown {
    const { calls, violations, retry } = run.timeline;
    const { formulate, tried } = run.timeline;
    const solved = run.kind === "solve" || run.kind === "steps";
    const counts =
      run.kind === "plan"
        ? count(calls, "answer")
        : run.kind === "formulate"
          ? `${count(calls, "call")}, ${formulate === undefined ? 0 : wrongs(formulate)} faults found`
          : run.kind === "solve"
            ? ""
            : run.kind === "steps"
              ? tried.length === 0
                ? ""
                : `${count(tried.length, "number")} of steps tried`
              : `${count(calls, "call")}, ${count(violations, "violation")}`;
    if (run.pausing) return html`<span class="spinner" aria-hidden="true"></span> Pauses after this move · ${counts}`;
    switch (run.state) {
      case "working":
        return html`<span class="spinner" aria-hidden="true"></span> Running · ${counts}`;
      case "waiting":
        if (run.questions.length > 0) return html`<span class="pill live">Waits for you</span> ${counts}`;
        return html`<span class="spinner" aria-hidden="true"></span>
          ${retry !== "" ? retry : solved || (formulate !== undefined && openQuestion(formulate) !== undefined) ? "The solver is running" : "Calling the model"}${counts === "" ? "" : ` · ${counts}`}`;
      case "paused":
        return html`<span class="pill">Paused</span> ${counts}`;
      case "done":
        return html`<span class="pill good">Done</span> ${counts}${run.replay ? " · replayed" : ""}`;
      case "cancelled":
        return html`<span class="pill">Cancelled</span> ${counts}`;
      case "failed":
        return html`<span class="pill bad">${run.interrupted ? "Interrupted" : "Failed"}</span> ${counts}`;
    }
  }
}

customElements.define("stile-run-controls", StileRunControls);
