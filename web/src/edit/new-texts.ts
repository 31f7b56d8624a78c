import { templates } from "./templates.js";
import type { File } from "../core/wire.js";

/** Returns the files of a template by the new file's name; none if its notation has no template. */
export function newTexts(name: string): readonly File[] {
  const folder = name.slice(0, Math.max(name.lastIndexOf("/"), 0));
  const ending = folder.endsWith(".problem") ? "problem" : name.slice(name.lastIndexOf(".") + 1);
  return Object.entries(templates[ending] ?? {}).map(([base, text]) => ({
    name: base === "" ? name : `${folder}/${base}`,
    text,
  }));
}
