// Folds the events of a team's run into what is shown of it. What happens within a
// sub-task is an agent's timeline of its own.
import type { RunEvent, TeamAdopted, TeamMessage, TeamOffer, TeamReply, TeamResult, TeamState, TeamViolation } from "./events.js";
import { advance, emptyTimeline, type Timeline } from "./timeline.js";

/** What one of the roles was asked, and what it answered. */
export interface RoleTurn {
  readonly role: string;
  /** The sub-task that it was about; "" for all. */
  readonly subtask: string;
  readonly attempt: number;
  readonly prompt: string;
  readonly live: string;
  readonly reply?: TeamReply;
}

/** A sub-task as it stands. */
export interface SubtaskView {
  readonly state: TeamState;
  readonly timeline: Timeline;
}

export interface TeamView {
  /** The graph that a person is asked about, until it is carried out. */
  readonly offer?: TeamOffer;
  readonly adopted?: TeamAdopted;
  readonly subtasks: ReadonlyMap<string, SubtaskView>;
  readonly messages: readonly TeamMessage[];
  readonly turns: readonly RoleTurn[];
  readonly violations: readonly TeamViolation[];
  readonly result?: TeamResult;
  /** The sub-task in which something happened last; "" where it was for all. */
  readonly last: string;
}

export const emptyTeam: TeamView = { subtasks: new Map(), messages: [], turns: [], violations: [], last: "" };

/** The states of a sub-task as they are shown. One that waits for nothing but its turn is ready. */
export type Shown = "waiting" | "ready" | "running" | "done" | "failed" | "blocked";

/** Whether an event is a team's: it says so, or it happened within a sub-task. */
export function ofTeam(event: object): event is RunEvent & { readonly subtask?: string } {
  return (event as RunEvent).kind.startsWith("team.") || "subtask" in event;
}

/** The view after one more event. */
export function advanceTeam(view: TeamView, event: RunEvent & { readonly subtask?: string }): TeamView {
  const subtask = event.subtask ?? "";
  switch (event.kind) {
    case "team.offer":
      return { ...view, offer: event, last: "" };
    case "team.graph": {
      const { offer: _, ...rest } = view;
      // What is done again has neither said nor broken anything yet.
      const kept = new Set(event.graph.subtasks.map((s) => s.id).filter((id) => !event.again.includes(id)));
      return {
        ...rest, adopted: event, subtasks: new Map([...view.subtasks].filter(([id]) => kept.has(id))), last: "",
        messages: view.messages.filter((m) => kept.has(m.from) || kept.has(m.to)), violations: view.violations.filter((v) => v.subtask === "" || kept.has(v.subtask)),
      };
    }
    case "team.state": {
      const before = view.subtasks.get(event.subtask);
      // A sub-task that is done anew begins a timeline.
      const timeline = before === undefined || event.attempt === 0 ? emptyTimeline : before.timeline;
      return { ...view, subtasks: new Map(view.subtasks).set(event.subtask, { state: event, timeline }), last: event.subtask };
    }
    case "team.message":
      return { ...view, messages: [...view.messages, event] };
    case "team.violation":
      return { ...view, violations: [...view.violations, event.violation], last: event.violation.subtask };
    case "team.prompt":
      return { ...view, turns: [...view.turns, { role: event.role, subtask, attempt: event.attempt, prompt: event.prompt, live: "" }], last: subtask };
    case "team.delta":
      return { ...view, turns: latest(view.turns, event.role, subtask, (turn) => ({ ...turn, live: turn.live + event.text })) };
    case "team.reply":
      return { ...view, turns: latest(view.turns, event.role, subtask, (turn) => ({ ...turn, live: "", reply: event })), last: subtask };
    case "team.done":
      return { ...view, result: event.result, last: "" };
    default: {
      const before = view.subtasks.get(subtask);
      if (before === undefined) return view;
      return { ...view, subtasks: new Map(view.subtasks).set(subtask, { ...before, timeline: advance(before.timeline, [within(event)]) }), last: subtask };
    }
  }
}

/** An event as it would be in a run of the agent alone. */
function within({ subtask: _, ...event }: RunEvent & { readonly subtask?: string }): unknown {
  return event;
}

function latest(turns: readonly RoleTurn[], role: string, subtask: string, change: (turn: RoleTurn) => RoleTurn): readonly RoleTurn[] {
  const at = turns.findLastIndex((turn) => turn.role === role && turn.subtask === subtask);
  const turn = turns[at];
  return turn === undefined ? turns : turns.with(at, change(turn));
}

/** How a sub-task is shown, of a graph that may not be carried out yet. */
export function shownState(view: TeamView, id: string, graph = view.adopted?.graph): Shown {
  const state = view.subtasks.get(id)?.state.state;
  if (state === "running" || state === "done" || state === "failed" || state === "blocked") return state;
  const needs = graph?.subtasks.find((s) => s.id === id)?.needs ?? [];
  return view.adopted !== undefined && needs.every((need) => view.subtasks.get(need)?.state.state === "done") ? "ready" : "waiting";
}
