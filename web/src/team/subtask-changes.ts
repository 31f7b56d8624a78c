// The effects of a new graph on the sub-tasks of the current one.
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
export const FATES = {
  again: "Runs again",
  anew: "Restarted",
  retried: "Retried",
  added: "New",
  first: "To be done",
  kept: "Kept",
  goesOn: "Continues",
  left: "Left out",
} as const;

export type Fate = keyof typeof FATES;

/** Returns the effect on each changed sub-task of either graph. `before` is null if no graph is running. */
export function fatesOf(
  view: TeamView,
  before: TeamGraph | null,
  draft: Pick<Draft, "graph" | "again">,
): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  if (before === null) return fates;
  for (const { id } of draft.graph.subtasks) {
    const state = view.subtasks.get(id)?.state.state;
    if (draft.again.includes(id))
      fates.set(
        id,
        state === "done"
          ? "again"
          : state === "running"
            ? "anew"
            : state === "failed" || state === "blocked"
              ? "retried"
              : before.subtasks.some((s) => s.id === id)
                ? "first"
                : "added",
      );
    else if (state === "done") fates.set(id, "kept");
    else if (state === "running") fates.set(id, "goesOn");
  }
  for (const { id } of before.subtasks) if (!draft.graph.subtasks.some((s) => s.id === id)) fates.set(id, "left");
  return fates;
}
