// Folds the events of a team's run into a view. Each sub-task has its own timeline of an agent.
import type {
  LlmThought,
  RunEvent,
  TeamAdopted,
  TeamMessage,
  TeamOffer,
  TeamReply,
  TeamResult,
  TeamState,
  TeamViolation,
} from "../run/events.js";
import { withThought } from "../run/thoughts.js";
import { advance, emptyTimeline, type Timeline } from "../run/timeline.js";

/** A role's prompt and answer. */
export interface RoleTurn {
  readonly role: string;
  /** Its sub-task; "" for all. */
  readonly subtask: string;
  readonly attempt: number;
  readonly prompt: string;
  readonly thoughts: readonly LlmThought[];
  readonly live: string;
  readonly reply?: TeamReply;
}

/** The state of a sub-task. */
export interface SubtaskView {
  readonly state: TeamState;
  readonly timeline: Timeline;
}

export interface TeamView {
  /** The graph to approve, until it runs. */
  readonly offer?: TeamOffer;
  readonly adopted?: TeamAdopted;
  readonly subtasks: ReadonlyMap<string, SubtaskView>;
  readonly messages: readonly TeamMessage[];
  readonly turns: readonly RoleTurn[];
  readonly violations: readonly TeamViolation[];
  readonly result?: TeamResult;
  /** The sub-task of the last event; "" for all. */
  readonly last: string;
}

export const emptyTeam: TeamView = { subtasks: new Map(), messages: [], turns: [], violations: [], last: "" };

/** The displayed states of a sub-task. A sub-task that only waits for its turn is ready. */
export type Shown = "waiting" | "ready" | "running" | "done" | "failed" | "blocked";

/** Reports whether an event belongs to a team or to one of its sub-tasks. */
export function ofTeam(event: object): event is RunEvent & { readonly subtask?: string } {
  return (event as RunEvent).kind.startsWith("team.") || "subtask" in event;
}

/** Returns the view after an event. */
export function advanceTeam(view: TeamView, event: RunEvent & { readonly subtask?: string }): TeamView {
  const subtask = event.subtask ?? "";
  switch (event.kind) {
    case "team.offer":
      return { ...view, offer: event, last: "" };
    case "team.graph": {
      const { offer: _, ...rest } = view;
      // A repeated sub-task has no messages or violations yet.
      const kept = new Set(event.graph.subtasks.map((s) => s.id).filter((id) => !event.again.includes(id)));
      return {
        ...rest,
        adopted: event,
        subtasks: new Map([...view.subtasks].filter(([id]) => kept.has(id))),
        last: "",
        messages: view.messages.filter((m) => kept.has(m.from) || kept.has(m.to)),
        violations: view.violations.filter((v) => v.subtask === "" || kept.has(v.subtask)),
      };
    }
    case "team.state": {
      const before = view.subtasks.get(event.subtask);
      // A repeated sub-task starts a new timeline.
      const timeline = before === undefined || event.attempt === 0 ? emptyTimeline : before.timeline;
      return {
        ...view,
        subtasks: new Map(view.subtasks).set(event.subtask, { state: event, timeline }),
        last: event.subtask,
      };
    }
    case "team.message":
      return { ...view, messages: [...view.messages, event] };
    case "team.violation":
      return { ...view, violations: [...view.violations, event.violation], last: event.violation.subtask };
    case "team.prompt":
      return {
        ...view,
        turns: [
          ...view.turns,
          { role: event.role, subtask, attempt: event.attempt, prompt: event.prompt, thoughts: [], live: "" },
        ],
        last: subtask,
      };
    case "team.delta":
      return {
        ...view,
        turns: latest(view.turns, event.role, subtask, (turn) => ({ ...turn, live: turn.live + event.text })),
      };
    case "team.reply":
      return {
        ...view,
        turns: latest(view.turns, event.role, subtask, (turn) => ({ ...turn, live: "", reply: event })),
        last: subtask,
      };
    case "team.done":
      return { ...view, result: event.result, last: "" };
    default: {
      const turn = view.turns.findLast((t) => t.subtask === subtask);
      // An executor answers in the timeline of its sub-task.
      if (event.kind === "llm.thought" && turn !== undefined && turn.reply === undefined && turn.role !== "executor")
        return {
          ...view,
          turns: view.turns.with(view.turns.lastIndexOf(turn), {
            ...turn,
            thoughts: withThought(turn.thoughts, event),
          }),
        };
      const before = view.subtasks.get(subtask);
      if (before === undefined) return view;
      return {
        ...view,
        subtasks: new Map(view.subtasks).set(subtask, {
          ...before,
          timeline: advance(before.timeline, [within(event)]),
        }),
        last: subtask,
      };
    }
  }
}

/** Returns a sub-task's event without its sub-task, as in a run of the agent without a team. */
function within({ subtask: _, ...event }: RunEvent & { readonly subtask?: string }): unknown {
  return event;
}

function latest(
  turns: readonly RoleTurn[],
  role: string,
  subtask: string,
  change: (turn: RoleTurn) => RoleTurn,
): readonly RoleTurn[] {
  const at = turns.findLastIndex((turn) => turn.role === role && turn.subtask === subtask);
  const turn = turns[at];
  return turn === undefined ? turns : turns.with(at, change(turn));
}

/** Returns the displayed state of a sub-task, also in a graph that does not run yet. */
export function shownState(view: TeamView, id: string, graph = view.adopted?.graph): Shown {
  const state = view.subtasks.get(id)?.state.state;
  if (state === "running" || state === "done" || state === "failed" || state === "blocked") return state;
  const needs = graph?.subtasks.find((s) => s.id === id)?.needs ?? [];
  return view.adopted !== undefined && needs.every((need) => view.subtasks.get(need)?.state.state === "done")
    ? "ready"
    : "waiting";
}
