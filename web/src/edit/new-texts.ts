import { notations } from "../core/notations.js";
import { problemOf } from "../store/file-kind.js";
import { rehearsalOf } from "../store/rehearsal.js";
import type { Workspace } from "../store/state.js";
import { starters, templates } from "./templates.js";
import type { File } from "../core/wire.js";

/** A template in the list of new workspaces. */
export interface Starter {
  readonly ending: string;
  /** The label, including its article. */
  readonly label: string;
  readonly about: string;
}

/** The templates of new workspaces, in the order of the notations. */
export const starterList: readonly Starter[] = notations.flatMap(({ ending, offer }) =>
  offer === undefined ? [] : [{ ending, label: offer, about: starters[ending]?.about ?? "" }],
);

/** Returns the ending of a file's notation, that of its folder for a problem. */
export function endingOf(name: string): string {
  return problemOf(name) === "" ? name.slice(name.lastIndexOf(".") + 1) : "problem";
}

/** Returns the files of a template by the new file's name; none if its notation has no template. */
export function newTexts(name: string): readonly File[] {
  const folder = problemOf(name);
  return Object.entries(templates[endingOf(name)] ?? {}).map(([base, text]) => ({
    name: base === "" ? name : `${folder}/${base}`,
    text,
  }));
}

/** Reports whether a file is unchanged since it was made: its text is a template, or empty in a blank workspace. */
export function isUntouched({ name, text }: File): boolean {
  if (text === "") return /^untitled[\w-]*\./.test(name);
  return Object.entries(templates[endingOf(name)] ?? {}).some(
    ([base, own]) => own === text && (base === "" || name.endsWith(`/${base}`)),
  );
}

/** Returns a new workspace: blank, or from the template of an ending. */
export function newWorkspace(ending: string): Workspace {
  const label = starterList.find((s) => s.ending === ending)?.label;
  if (label === undefined)
    return { title: "Untitled", files: [{ name: "untitled.cfg", text: "" }], current: "untitled.cfg", task: "" };
  const files =
    starters[ending]?.files?.map(([name, text]) => ({ name, text })) ??
    newTexts(ending === "problem" ? "untitled.problem/task.md" : `untitled.${ending}`);
  return {
    title: `New: ${label.replace(/^an? /, "")}`,
    files,
    current: files[0]?.name ?? "",
    task: rehearsalOf(files)?.question ?? "",
  };
}
