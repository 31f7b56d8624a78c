import { notationOf } from "./file-kind.js";
import type { State } from "./state.js";

/** One of the graphs that a file can be drawn as. */
export interface View {
  readonly id: string;
  readonly title: string;
}

/** Reports whether each item of a file is drawn and stepped through alone. */
function isListed(name: string): boolean {
  return ["formulas", "rules"].includes(notationOf(name) ?? "");
}

/** Returns the formulas or rules of a file with several. The first has the identifier "". */
export function viewsOf({ analysis, current }: Pick<State, "analysis" | "current">): readonly View[] {
  const outline = isListed(current) ? (analysis?.result.outline ?? []) : [];
  if (outline.length < 2) return [];
  return outline.map(({ name, detail }, i) => ({ id: i === 0 ? "" : String(i), title: name === "" ? detail : name }));
}

/** Returns the formula or the rule at the cursor; between them, and before the first analysis, the previous choice. */
export function viewAt({
  analysis,
  revision,
  current,
  cursor,
  view,
}: Pick<State, "analysis" | "revision" | "current" | "cursor" | "view">): string {
  if (!isListed(current)) return "";
  const { outline } = analysis?.result ?? { outline: [] };
  if (analysis?.revision !== revision) return view;
  const at =
    notationOf(current) === "rules" // the outline has the places of their names
      ? outline.findLastIndex(({ from }) => from <= cursor)
      : outline.findIndex(({ from, to }) => from <= cursor && cursor <= to);
  return at < 0 ? (Number(view) < outline.length ? view : "") : at === 0 ? "" : String(at);
}
