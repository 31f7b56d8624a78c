import type { RunKind, Workspace } from "./state.js";

/** What a file is, by its name's ending or its folder's; null for notes. */
export type Thing = "grammar" | "automaton" | "flowchart" | "formulas" | "agent" | "team" | "problem" | "smt2" | "lp" | "pddl";

const things: Readonly<Record<string, Thing>> = { cfg: "grammar", pda: "automaton", flow: "flowchart", ltl: "formulas", agent: "agent", team: "team", smt2: "smt2", lp: "lp", pddl: "pddl" };

export function thing(name: string): Thing | null {
  return things[name.slice(name.lastIndexOf(".") + 1)] ?? (problemOf(name) === "" ? null : "problem");
}

/** What the core's first module takes for notes: problems, and what solvers are given. */
export function isSolved(what: Thing | null): boolean {
  return what === "problem" || what === "smt2" || what === "lp" || what === "pddl";
}

/** The folder of a problem that a file lies in, or "". */
export function problemOf(name: string): string {
  const folder = name.slice(0, Math.max(name.lastIndexOf("/"), 0));
  return folder.endsWith(".problem") ? folder : "";
}

/** The kind of run that a file's ending gives, or null for one that is not run. */
export function specKind(name: string): RunKind | null {
  if (problemOf(name) !== "") return "formulate";
  switch (thing(name)) {
    case "grammar":
    case "automaton":
    case "flowchart":
      return "plan";
    case "agent":
      return "monitor";
    case "team":
      return "team";
    case "smt2":
    case "lp":
      return "solve";
    case "pddl":
      return "steps";
    default:
      return null;
  }
}

/** The spec that the Run tab runs. Of a problem it is the file that says what the task is. */
export function runTarget(workspace: Pick<Workspace, "files" | "current">): { readonly name: string; readonly kind: RunKind } | null {
  const names = workspace.files.map((f) => f.name);
  for (const name of [workspace.current, ...names]) {
    const kind = specKind(name);
    if (kind === null) continue;
    const task = `${problemOf(name)}/task.md`;
    return { name: kind === "formulate" && names.includes(task) ? task : name, kind };
  }
  return null;
}

/** Whether a run of the target would fail of the errors in its text. */
export function isBroken(target: { readonly name: string; readonly kind: RunKind } | null, analysis: { readonly name: string; readonly result: { readonly diagnostics: readonly { readonly severity: string }[] } } | null): boolean {
  return target !== null && target.kind !== "formulate" && analysis?.name === target.name && analysis.result.diagnostics.some((d) => d.severity === "error");
}

/** The kinds of runs that the Run tab shows. */
export const shownKinds: readonly RunKind[] = ["plan", "monitor", "team", "formulate", "solve", "steps"];
