// The effects of a new graph on the sub-tasks of the current graph.
import type { TeamGraph } from "../run/events.js";
import type { TeamView } from "./team-view.js";
import type { TeamGraphResult } from "../core/wire.js";

/** An edited graph, with the core's check. */
export interface Draft {
  readonly graph: TeamGraph;
  readonly drawing: NonNullable<TeamGraphResult["drawing"]>;
  readonly critical: readonly string[];
  readonly again: readonly string[];
}

/** The effects on a sub-task, in the order of the list. */
export const EFFECTS = {
  again: "Runs again",
  restarted: "Restarted",
  retried: "Retried",
  added: "New",
  first: "To be done",
  kept: "Kept",
  continues: "Continues",
  left: "Left out",
} as const;

export type GraphEffect = keyof typeof EFFECTS;

/** Returns the effect on each changed sub-task of either graph. `before` is null if no graph is running. */
export function graphEffects(
  view: TeamView,
  before: TeamGraph | null,
  draft: Pick<Draft, "graph" | "again">,
): ReadonlyMap<string, GraphEffect> {
  const effects = new Map<string, GraphEffect>();
  if (before === null) return effects;
  for (const { id } of draft.graph.subtasks) {
    const state = view.subtasks.get(id)?.state.state;
    if (draft.again.includes(id))
      effects.set(
        id,
        state === "done"
          ? "again"
          : state === "running"
            ? "restarted"
            : state === "failed" || state === "blocked"
              ? "retried"
              : before.subtasks.some((s) => s.id === id)
                ? "first"
                : "added",
      );
    else if (state === "done") effects.set(id, "kept");
    else if (state === "running") effects.set(id, "continues");
  }
  for (const { id } of before.subtasks) if (!draft.graph.subtasks.some((s) => s.id === id)) effects.set(id, "left");
  return effects;
}
