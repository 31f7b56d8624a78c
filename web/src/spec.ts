import type { Run, Workspace } from "./store.js";

/** The kind of run that a file's ending gives, or null for notes. */
export function specKind(name: string): Run["kind"] | null {
  if (name.endsWith(".cfg")) return "plan";
  if (name.endsWith(".agent")) return "monitor";
  return null;
}

/** The spec that the Run tab runs. */
export function runTarget(workspace: Pick<Workspace, "files" | "current">): { readonly name: string; readonly kind: Run["kind"] } | null {
  for (const name of [workspace.current, ...workspace.files.map((f) => f.name)]) {
    const kind = specKind(name);
    if (kind !== null) return { name, kind };
  }
  return null;
}
