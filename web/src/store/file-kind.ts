import { type Notation, type NotationName, notations } from "../core/notations.js";
import type { RunKind, Workspace } from "./state.js";

/** Returns the row of a file in the table of notations, or undefined for notes. */
export function rowOf(name: string): Notation | undefined {
  return (
    notations.find((n) => n.name !== "problem" && name.endsWith(`.${n.ending}`)) ??
    (problemOf(name) === "" ? undefined : notations.find((n) => n.name === "problem"))
  );
}

/** Returns the notation of a file, by the ending of its name or its folder; null for notes. */
export function notationOf(name: string): NotationName | null {
  return rowOf(name)?.name ?? null;
}

/** Reports whether a file belongs to a solver or to the Lab tab, so that there is nothing to step through. */
export function isSolved(name: string): boolean {
  const row = rowOf(name);
  return row?.name === "experiment" || ["formulate", "solve", "steps"].includes(row?.run ?? "");
}

/** Reports whether a word or a run of a file can be stepped through. */
export function hasSteps(name: string): boolean {
  return rowOf(name)?.steps === true;
}

/** Reports whether a fenced block of Markdown can contain a file in its own language. */
export function isEmbeddable(name: string): boolean {
  return rowOf(name)?.embed === true;
}

/** Reports whether only the full module analyses a file; the first module treats it as notes. */
export function needsFullModule(name: string): boolean {
  const row = rowOf(name);
  return name === "tools.json" || (row !== undefined && row.first !== true);
}

/** Returns the problem folder of a file, or "". */
export function problemOf(name: string): string {
  const folder = name.slice(0, Math.max(name.lastIndexOf("/"), 0));
  return folder.endsWith(".problem") ? folder : "";
}

/** Returns the kind of run of a file, or null if it cannot be run. */
export function specKind(name: string): RunKind | null {
  return problemOf(name) === "" ? (rowOf(name)?.run ?? null) : "formulate";
}

/** Returns the spec of the Run tab. For a problem it is the task's file. */
export function runTarget(
  workspace: Pick<Workspace, "files" | "current">,
): { readonly name: string; readonly kind: RunKind } | null {
  const names = workspace.files.map((f) => f.name);
  for (const name of [workspace.current, ...names]) {
    const kind = specKind(name);
    if (kind === null) continue;
    const task = `${problemOf(name)}/task.md`;
    return { name: kind === "formulate" && names.includes(task) ? task : name, kind };
  }
  return null;
}

/** Reports whether the target has errors, so that a run would fail. */
export function isBroken(
  target: { readonly name: string; readonly kind: RunKind } | null,
  analysis: {
    readonly name: string;
    readonly result: { readonly diagnostics: readonly { readonly severity: string }[] };
  } | null,
): boolean {
  return (
    target !== null &&
    target.kind !== "formulate" &&
    analysis?.name === target.name &&
    analysis.result.diagnostics.some((d) => d.severity === "error")
  );
}

/** The kinds of runs in the Run tab. */
export const shownKinds: readonly RunKind[] = [...new Set(notations.flatMap((n) => n.run ?? []))];
