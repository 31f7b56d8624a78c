// What becomes of sub-tasks where another graph takes the place of the one that is
// carried out.
import type { TeamGraph } from "./events.js";
import type { TeamView } from "./team-view.js";
import type { TeamGraphResult } from "./wire.js";

/** A graph that a person has in mind, with what the core says of it. */
export interface Draft {
  readonly graph: TeamGraph;
  readonly drawing: NonNullable<TeamGraphResult["drawing"]>;
  readonly critical: readonly string[];
  readonly again: readonly string[];
}

/** What becomes of a sub-task, in the order in which it is told. */
export const FATES = {
  again: "Done again",
  anew: "Begun anew",
  retried: "Tried again",
  added: "New",
  first: "To be done",
  kept: "Kept",
  goesOn: "Goes on",
  left: "Left out",
} as const;

export type Fate = keyof typeof FATES;

/** What becomes of each sub-task of either graph of which there is something to say. `before` is null where nothing was begun. */
export function fatesOf(view: TeamView, before: TeamGraph | null, draft: Pick<Draft, "graph" | "again">): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  if (before === null) return fates;
  for (const { id } of draft.graph.subtasks) {
    const state = view.subtasks.get(id)?.state.state;
    if (draft.again.includes(id)) fates.set(id, state === "done" ? "again" : state === "running" ? "anew" : state === "failed" || state === "blocked" ? "retried" : before.subtasks.some((s) => s.id === id) ? "first" : "added");
    else if (state === "done") fates.set(id, "kept");
    else if (state === "running") fates.set(id, "goesOn");
  }
  for (const { id } of before.subtasks) if (!draft.graph.subtasks.some((s) => s.id === id)) fates.set(id, "left");
  return fates;
}
