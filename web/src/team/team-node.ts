import { html, nothing } from "lit";
import { iconWarning } from "../ui/icons.js";
import { aboutState, stateIcon } from "./team-drawing.js";
import { type RoleTurn, shownState, type TeamView } from "./team-view.js";
import { count, sentence } from "../ui/text.js";
import { promptDetails } from "../run/choices.js";
import { thoughtDetails } from "../run/thoughts.js";
import { folded } from "../ui/collapsible.js";
import { LightElement, prop } from "../ui/light-element.js";
import "../run/monitor-log.js";
import { dollars } from "../run/run-spent.js";
import { structured } from "./team-value.js";

/** The details of a team member: a sub-task with its executor's timeline, or a role with its prompts. */
export class StileTeamNode extends LightElement {
  @prop view!: TeamView;
  /** Identifier of a sub-task, or a role. */
  @prop of = "";
  /** The states of the executor's agent, in order. */
  @prop states: readonly string[] = [];
  @prop going = false;

  protected override render(): unknown {
    const { view, of } = this;
    const task = view.adopted?.graph.subtasks.find((s) => s.id === of);
    if (task === undefined) {
      const turns = view.turns.filter((turn) => turn.role === of && turn.subtask === "");
      return html` <section class="team-node" aria-label=${of}>
        <div class="team-node-head">
          <h3>${of}</h3>
          <span class="hint">${turns.length === 0 ? "No prompt yet." : count(turns.length, "call")}</span>
        </div>
        ${
          turns.length === 0
            ? nothing
            : html`<ol class="log">
                ${turns.map(turnEntry)}
              </ol>`
        }
      </section>`;
    }
    const entry = view.subtasks.get(of);
    const state = entry?.state;
    const shown = shownState(view, of);
    const supervised = view.turns.filter((turn) => turn.subtask === of && turn.role === "supervisor");
    const prompts = view.turns.filter((turn) => turn.subtask === of && turn.role === "executor");
    const broken = view.violations.filter((v) => v.subtask === of);
    const { calls = 0, toolCalls = 0, usage = { prompt: 0, completion: 0 }, money = 0 } = state?.spent ?? {};
    return html` <section class="team-node" aria-label="Sub-task ${of}">
      <div class="team-node-head">
        <h3>${of} <span class="team-executor">${state?.executor ?? task.executor}</span></h3>
        <span class="team-state ${shown}">${stateIcon(shown)} ${aboutState(shown, state)}</span>
        <span class="hint"
          >${[count(calls, "call"), ...(toolCalls > 0 ? [count(toolCalls, "tool call")] : []), `${(usage.prompt + usage.completion).toLocaleString("en")} tokens`, ...(money > 0 ? [dollars(money)] : [])].join(" · ")}</span
        >
      </div>
      <dl class="team-facts">
        <div>
          <dt>To do</dt>
          <dd>
            ${state !== undefined && state.task !== "" ? state.task : task.task}${
              state !== undefined && state.task !== "" && state.task !== task.task
                ? html`<details class="fold">
                    <summary>The manager's version</summary>
                    <p>${task.task}</p>
                  </details>`
                : nothing
            }
          </dd>
        </div>
        ${
          task.needs.length === 0
            ? nothing
            : html`<div>
                <dt>Needs</dt>
                <dd>${task.needs.join(", ")}</dd>
              </div>`
        }
        ${
          task.local.length === 0
            ? nothing
            : html`<div>
                <dt>Constraints</dt>
                <dd>
                  <ul>
                    ${task.local.map((text) => html`<li>${text}</li>`)}
                  </ul>
                </dd>
              </div>`
        }
        ${
          state === undefined || state.reason === ""
            ? nothing
            : html`<div>
                <dt>${shown === "done" ? "Before" : "Why"}</dt>
                <dd>${sentence(state.reason)}</dd>
              </div>`
        }
        ${
          state === undefined || state.text === ""
            ? nothing
            : html`<div>
                <dt>Result</dt>
                <dd>${structured(state.text)}</dd>
              </div>`
        }
      </dl>
      ${
        broken.length === 0
          ? nothing
          : html`<ul class="team-violations">
              ${broken.map(
                (v) =>
                  html`<li>
                    ${iconWarning}
                    <p><strong>${v.constraint}</strong> <span>${sentence(v.reason)}</span></p>
                  </li>`,
              )}
            </ul>`
      }
      ${
        supervised.length === 0
          ? nothing
          : html`<details class="fold team-supervised">
              <summary>Prompts of the supervisor</summary>
              <ol class="log">
                ${supervised.map(turnEntry)}
              </ol>
            </details>`
      }
      ${prompts.at(-1) === undefined ? nothing : promptDetails(prompts.at(-1)?.prompt ?? "")}
      ${
        entry === undefined || entry.timeline.monitor.length + entry.timeline.writing.size === 0
          ? nothing
          : html` <h4>Timeline of the executor’s agent</h4>
              <stile-monitor-log
                .timeline=${entry.timeline}
                .states=${this.states}
                .going=${this.going && shown === "running"}
              ></stile-monitor-log>`
      }
    </section>`;
  }
}

/** Renders a prompt and its answer. */
export function turnEntry({ role, attempt, prompt, thoughts, live, reply }: RoleTurn): unknown {
  return html` <li class="log-entry team-turn">
    <p class="log-head">
      <span class="log-title">${role}${attempt > 1 ? `, try ${attempt}` : ""}</span
      >${reply === undefined ? html`<span class="hint">${live === "" ? "waiting for the answer" : "writing"}</span>` : nothing}
    </p>
    ${promptDetails(prompt)} ${thoughts.map(thoughtDetails)}
    ${reply === undefined ? (live === "" ? nothing : html`<p class="reply streaming"><q>${live}</q></p>`) : folded(reply.text)}
    ${
      reply === undefined || reply.faults.length === 0
        ? nothing
        : html`<ul class="team-faults">
            ${reply.faults.map((fault) => html`<li>${iconWarning} <span class="fault-text">${sentence(fault)}</span></li>`)}
          </ul>`
    }
  </li>`;
}

customElements.define("stile-team-node", StileTeamNode);
