import { html } from "lit";
import { iconReset } from "../ui/icons.js";
import { saidOfFormulate } from "../problem/formulate-view.js";
import { sendCommand } from "./run-command.js";
import { lookedAt } from "./run-state.js";
import type { Run } from "../store/state.js";
import { momentsOf, type Timeline } from "./timeline.js";
import type { TeamView } from "../team/team-view.js";
import { LightElement, prop } from "../ui/light-element.js";

/** Moves through the moments of a finished run, by arrow keys, buttons or slider. */
export class StileMoments extends LightElement {
  @prop run: Run | null = null;

  protected override render(): unknown {
    const { run } = this;
    if (run === null) return html``;
    const last = momentsOf(run.events).length;
    const at = run.moment === null ? last : run.moment + 1;
    const what = run.moment === null ? "the end" : said(lookedAt(run).timeline);
    return html` <div class="moments" role="group" aria-label="Moments of the run">
      <button
        class="icon-button small"
        type="button"
        title="One moment back"
        aria-label="One moment back"
        ?disabled=${at <= 1}
        @click=${() => this.#to(at - 1)}
      >
        ‹
      </button>
      <input
        type="range"
        min="1"
        max=${last}
        step="1"
        .value=${String(at)}
        aria-label="Moment"
        aria-valuetext="${at} of ${last}: ${what}"
        @input=${(e: Event) => this.#to(Number((e.target as HTMLInputElement).value))}
      />
      <button
        class="icon-button small"
        type="button"
        title="One moment forward"
        aria-label="One moment forward"
        ?disabled=${at >= last}
        @click=${() => this.#to(at + 1)}
      >
        ›
      </button>
      <output class="hint moment-text">${at} of ${last}: ${what}</output>
      <button
        class="icon-button small"
        type="button"
        title="To the end"
        aria-label="To the end"
        ?disabled=${run.moment === null}
        @click=${() => this.#to(last)}
      >
        ${iconReset}
      </button>
    </div>`;
  }

  #to(at: number): void {
    if (this.run === null) return;
    const last = momentsOf(this.run.events).length;
    sendCommand(this, { command: "moment", moment: at >= last ? null : Math.max(at, 1) - 1 });
  }
}

/** Summarises the last event. */
export function said({ plan, monitor, team, formulate }: Timeline): string {
  if (formulate !== undefined) return saidOfFormulate(formulate);
  if (team !== undefined) return saidOfTeam(team);
  const entry = plan.at(-1);
  switch (entry?.type) {
    case "move":
      return entry.take === undefined
        ? `choice ${entry.offer?.offer ?? ""}: ${entry.offer?.reason ?? ""}`
        : entry.take.label;
    case "exec":
      return `${entry.exec.text} ${entry.exec.state === "failed" ? "failed" : "was used"}`;
    case "back":
      return "backtracked";
  }
  const last = monitor.at(-1);
  switch (last?.type) {
    case "segment":
      return last.segment.state;
    case "violation":
      return "stopped";
    case "denied":
      return `${last.denied.event.name ?? "a call"} was denied`;
    case "correction":
      return "corrected";
    case "tool":
      return last.tool.tool === "" ? "an MCP server could not be reached" : `${last.tool.tool} was called`;
    case "side":
      return `the model wrote for ${last.side.state}`;
    case "keep":
      return `the ${last.keep.kept} was kept`;
  }
  return "";
}

function saidOfTeam({ last, subtasks, turns, result }: TeamView): string {
  const state = subtasks.get(last)?.state;
  if (state !== undefined) return `${last} ${state.executor} ${state.state}`;
  const turn = turns.at(-1);
  if (result !== undefined || turn === undefined) return result === undefined ? "" : "delivered";
  return `${turn.role} ${turn.reply === undefined ? "is asked" : "answered"}`;
}

customElements.define("stile-moments", StileMoments);
