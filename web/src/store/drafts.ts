// The limits of kept drafts.
import type { Draft } from "./state.js";
import type { File } from "../core/wire.js";

/**
 * The maximum number of characters of earlier drafts that are kept without a question. Named versions do not count.
 * Browsers give each site hundreds of MB.
 */
export const MAX_DRAFTS = 50_000_000;

/** Returns the oldest drafts beyond the limit. The newest always fits. */
export function overLimit(list: readonly Draft[], limit = MAX_DRAFTS): readonly Draft[] {
  let size = 0;
  const plain = list.filter((d) => d.named !== true).sort((a, b) => b.savedAt - a.savedAt);
  return plain
    .filter((d, i) => (size += d.files.reduce((sum, f) => sum + f.text.length, 0)) > limit && i > 0)
    .reverse();
}

/** Returns the drafts, the newest first, without duplicates. */
export function keptDrafts(list: readonly Draft[]): readonly Draft[] {
  const all = [...list].sort((a, b) => b.savedAt - a.savedAt);
  const named = all.filter(
    (d, i) =>
      d.named === true &&
      all.findIndex((o) => o.named === true && o.title === d.title && sameFiles(o.files, d.files)) === i,
  );
  const plain = all.filter(
    (d, i) =>
      d.named !== true &&
      all.findIndex((o) => o.named !== true && sameFiles(o.files, d.files)) === i &&
      !named.some((n) => sameFiles(n.files, d.files)),
  );
  return [...named, ...plain].sort((a, b) => b.savedAt - a.savedAt);
}

/**
 * Returns a time later than the times of all drafts, even if the clock was set back, so that the newest draft
 * stays first.
 */
export function savedAfter(drafts: readonly Draft[], now: number): number {
  return Math.max(now, ...drafts.map((d) => d.savedAt + 1));
}

/** Reports whether two workspaces have the same texts. */
export function sameFiles(a: readonly File[], b: readonly File[]): boolean {
  return a.length === b.length && a.every((f, i) => f.name === b[i]?.name && f.text === b[i]?.text);
}
