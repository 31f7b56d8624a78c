import type { RunKind, Workspace } from "./store.js";

/** What a file is, by its name's ending; null for notes. */
export type Thing = "grammar" | "automaton" | "flowchart" | "formulas" | "agent" | "team";

const things: Readonly<Record<string, Thing>> = { cfg: "grammar", pda: "automaton", flow: "flowchart", ltl: "formulas", agent: "agent", team: "team" };

export function thing(name: string): Thing | null {
  return things[name.slice(name.lastIndexOf(".") + 1)] ?? null;
}

/** The kind of run that a file's ending gives, or null for one that is not run. */
export function specKind(name: string): RunKind | null {
  switch (thing(name)) {
    case "grammar":
    case "automaton":
    case "flowchart":
      return "plan";
    case "agent":
      return "monitor";
    case "team":
      return "team";
    default:
      return null;
  }
}

/** The spec that the Run tab runs. */
export function runTarget(workspace: Pick<Workspace, "files" | "current">): { readonly name: string; readonly kind: RunKind } | null {
  for (const name of [workspace.current, ...workspace.files.map((f) => f.name)]) {
    const kind = specKind(name);
    if (kind !== null) return { name, kind };
  }
  return null;
}
