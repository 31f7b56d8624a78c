// The parts that all forms that start a run share.
import { html, nothing } from "lit";
import { sendCommand } from "./run-command.js";
import { canResume, goes } from "./run-state.js";
import type { Run } from "../store/state.js";
import { iconStop } from "../ui/panel-icons.js";

/** Renders the buttons of a run's form with its state: Cancel during the run, the given buttons otherwise. */
export function runActions(element: HTMLElement, run: Run | null, start: unknown, state: unknown): unknown {
  return html` <div class="run-actions">
    ${
      run !== null && goes(run)
        ? html`<button
            class="button"
            type="button"
            @click=${() => sendCommand(element, { command: "cancel", run: run.number })}
          >
            ${iconStop} Cancel
          </button>`
        : start
    }
    <span class="run-state" role="status">${state}</span>
  </div>`;
}

/** Renders a run's state and its counts; while the run is in progress, its activity or the wait for a retry. */
export function runState(run: Run, activity: string, counts: unknown, done?: unknown): unknown {
  switch (run.state) {
    case "done":
      return html`${done ?? html`<span class="pill good">Done</span>`} ${counts}`;
    case "failed":
      return html`<span class="pill bad">${run.interrupted ? "Interrupted" : "Failed"}</span> ${counts}`;
    case "cancelled":
      return html`<span class="pill">Cancelled</span> ${counts}`;
    default:
      return html`<span class="spinner" aria-hidden="true"></span>
        ${run.timeline.retry === "" ? activity : run.timeline.retry} · ${counts}`;
  }
}

/** Offers to resume an ended run. */
export function resumeButton(element: HTMLElement, run: Run): unknown {
  return canResume(run)
    ? html`<div>
        <button
          class="button"
          type="button"
          @click=${() => sendCommand(element, { command: "resume-run", run: run.number })}
        >
          Resume from here
        </button>
      </div>`
    : nothing;
}
