// Which drafts are kept.
import type { Draft } from "./state.js";
import type { File } from "./wire.js";

/** How many drafts are kept beside the one being edited, and how many versions with a name. */
const MAX_DRAFTS = 12;
const MAX_VERSIONS = 100;

/** The drafts that stay: the newest, each text once, and all versions that have a name. */
export function keptDrafts(list: readonly Draft[]): readonly Draft[] {
  const all = [...list].sort((a, b) => b.savedAt - a.savedAt);
  const named = all.filter((d, i) => d.named === true && all.findIndex((o) => o.named === true && o.title === d.title && sameFiles(o.files, d.files)) === i).slice(0, MAX_VERSIONS);
  const plain = all.filter((d, i) => d.named !== true && all.findIndex((o) => o.named !== true && sameFiles(o.files, d.files)) === i && !named.some((n) => sameFiles(n.files, d.files))).slice(0, MAX_DRAFTS);
  return [...named, ...plain].sort((a, b) => b.savedAt - a.savedAt);
}

/** The time of a draft that comes after these, also where the clock was set back meanwhile: the newest stays. */
export function savedAfter(drafts: readonly Draft[], now: number): number {
  return Math.max(now, ...drafts.map((d) => d.savedAt + 1));
}

/** Reports whether two workspaces hold the same texts. */
export function sameFiles(a: readonly File[], b: readonly File[]): boolean {
  return a.length === b.length && a.every((f, i) => f.name === b[i]?.name && f.text === b[i]?.text);
}
