/** A line of two texts side by side. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** The maximum number of compared lines. In longer texts, all lines are shown as replaced. */
const MAX_LINES = 4_000;

/**
 * Returns the shortest list of removed and added lines: a longest common subsequence between the
 * common start and end.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [lines(before), lines(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [
    ...a.slice(0, start).map((text): DiffLine => ({ kind: "same", text })),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map((text): DiffLine => ({ kind: "same", text })),
  ];
}

function lines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function between(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const out: DiffLine[] = [];
  if (a.length * b.length > (MAX_LINES * MAX_LINES) / 4) {
    return [
      ...a.map((text): DiffLine => ({ kind: "removed", text })),
      ...b.map((text): DiffLine => ({ kind: "added", text })),
    ];
  }
  // common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = common[i];
    for (let j = b.length - 1; j >= 0 && row !== undefined; j--)
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ kind: "same", text: a[i++] ?? "" });
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      out.push({ kind: "removed", text: a[i++] ?? "" });
    else out.push({ kind: "added", text: b[j++] ?? "" });
  }
  return out;
}
