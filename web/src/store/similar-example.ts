import type { Example } from "./state.js";

/** The maximum number of ids in the message. */
const MAX_SIMILAR = 3;

/** Returns the message for an unknown example, with the ids of similar ones. */
export function unknownExample(id: string, gallery: readonly Example[]): string {
  const wanted = id.toLowerCase();
  const similar = gallery
    .map((e) => {
      const words = [e.title, e.terms].join(" ").toLowerCase();
      const contains = e.id.includes(wanted) || wanted.includes(e.id) || (wanted.length > 2 && words.includes(wanted));
      return { id: e.id, far: contains ? 0 : distance(wanted, e.id) };
    })
    .filter(({ id, far }) => far <= Math.max(1, Math.min(wanted.length, id.length) / 2))
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_SIMILAR);
  const list = similar.length === 0 ? "" : ` Similar: ${similar.map((s) => s.id).join(", ")}.`;
  return `Unknown example “${id.slice(0, 60)}”.${list}`;
}

/** Returns the number of inserted, removed and replaced letters between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
