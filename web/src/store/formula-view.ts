import { notationOf } from "./file-kind.js";
import type { State } from "./state.js";

/** One of the graphs that a file can be drawn as. */
export interface View {
  readonly id: string;
  readonly title: string;
}

/** Returns the formulas of a file with several. The first has the identifier "". */
export function viewsOf({ analysis, current }: Pick<State, "analysis" | "current">): readonly View[] {
  const outline = notationOf(current) === "formulas" ? (analysis?.result.outline ?? []) : [];
  if (outline.length < 2) return [];
  return outline.map(({ name, detail }, i) => ({ id: i === 0 ? "" : String(i), title: name === "" ? detail : name }));
}

/** Returns the formula at the cursor; between formulas, and before the first analysis, the previous choice. */
export function viewAt({
  analysis,
  revision,
  current,
  cursor,
  view,
}: Pick<State, "analysis" | "revision" | "current" | "cursor" | "view">): string {
  if (notationOf(current) !== "formulas") return "";
  const { outline } = analysis?.result ?? { outline: [] };
  if (analysis?.revision !== revision) return view;
  const at = outline.findIndex(({ from, to }) => from <= cursor && cursor <= to);
  return at < 0 ? (Number(view) < outline.length ? view : "") : at === 0 ? "" : String(at);
}
