import type { Layout } from "./layout-protocol.js";

/** The direction in which a graph is drawn: to the right, or down. */
export type Way = "LR" | "TB";

/** Below this scale letters of 12 px are smaller than 9 px. */
export const READABLE = 0.76;

/** The free space around a fitted drawing, and around the parts of a picture, in pixels. */
export const FIT_MARGIN = 24;
export const PADDING = 14;

/** The second direction is tried if the first one needs a smaller scale than this to fit. */
const LARGE = 1;
/** Another direction is chosen if its scale is larger by this factor. */
const BETTER = 1.1;
/** The same factor after an edit. */
const MUCH_BETTER = 1.4;
/** The change of a pane's aspect ratio, as a logarithm, after which the other direction is tried again. */
const RESHAPED = 0.25;

/** The space for a drawing, in pixels. */
export interface Pane {
  readonly width: number;
  readonly height: number;
}

/** Returns the DOT source for a layout in a direction. Trees always grow down. */
export function toward(dot: string, way: Way): string {
  if (way === "LR" || !dot.includes("rankdir=LR")) return dot;
  return (
    dot
      .replace(/rankdir=LR; .*/, "rankdir=TB; nodesep=0.3; ranksep=0.35;")
      // Labels are next to their edges, so spaces keep them at a distance.
      .replace(/, label="((?:[^"\\]|\\.)*)"\]/g, (_, text: string) => `, label=" ${text.replaceAll("\\n", " \\n ")} "]`)
  );
}

/** Returns the scale at which a layout fits into a pane. */
function scaleIn({ bb }: Layout, pane: Pane): number {
  const [left = 0, bottom = 0, right = 0, top = 0] = bb.split(",").map(Number);
  return Math.min(
    (pane.width - FIT_MARGIN) / (right - left + 2 * PADDING),
    (pane.height - FIT_MARGIN) / (top - bottom + 2 * PADDING),
  );
}

/** The factor that lowers the scale of a layout in which labels cover each other or nodes. */
const CLASHING = 0.5;
/** Width and height of a letter of a label. */
const [LETTER, ROW] = [7.2, 14.4];

/** Reports whether Graphviz has put labels on each other or on nodes, as it does at large loops. */
function clashes({ objects, edges }: Layout): boolean {
  const numbers = (text: string | undefined): readonly number[] => (text ?? "").split(",").map(Number);
  const labels = (edges ?? []).flatMap(({ lp, label }) => {
    const [x, y] = numbers(lp);
    if (x === undefined || y === undefined || label === undefined) return [];
    const rows = label.split("\\n");
    const width = Math.max(...rows.map((row) => row.trim().length)) * LETTER;
    return [{ x, y, width, height: rows.length * ROW }];
  });
  const nodes = (objects ?? []).map(({ pos, width, height }) => {
    const [x = 0, y = 0] = numbers(pos);
    return { x, y, width: Number(width) * 72, height: Number(height) * 72 };
  });
  return labels.some((a, i) =>
    [...labels.slice(i + 1), ...nodes].some(
      (b) => 2 * Math.abs(a.x - b.x) < a.width + b.width - 2 && 2 * Math.abs(a.y - b.y) < a.height + b.height - 2,
    ),
  );
}

/**
 * The direction of a file's drawing, chosen for the larger letters in its pane. An edit changes the direction
 * only if the other one is much larger, so that parts keep their places.
 */
export class Ways {
  way: Way = "LR";
  #of: string | undefined;
  /** The scale at which both directions were tried last. */
  #tried = Infinity;
  #scale = 1;
  #pane: Pane | undefined;

  /** Reports whether the other direction may allow a larger scale, because the pane has a different shape. */
  poorIn(pane: Pane): boolean {
    const last = this.#pane;
    return (
      this.#scale < LARGE &&
      (last === undefined || Math.abs(Math.log((last.width * pane.height) / (last.height * pane.width))) > RESHAPED)
    );
  }

  /** Tries both directions again with the next layout. */
  forget(): void {
    this.#of = undefined;
  }

  async layOut(
    of: string,
    dot: string,
    pane: Pane,
    layOut: (dot: string) => Promise<Layout | null>,
  ): Promise<Layout | null> {
    const known = this.#of === of;
    if (!known) this.way = "LR";
    const first = await layOut(toward(dot, this.way));
    if (first === null || toward(dot, "TB") === dot) return first;
    const scale = scaleIn(first, pane);
    this.#scale = scale;
    this.#pane = pane;
    if (known && scale > Math.min(this.#tried, READABLE) * 0.8) return first;
    const worth = scale * (clashes(first) ? CLASHING : 1);
    if (worth >= LARGE) {
      [this.#of, this.#tried] = [of, scale];
      return first;
    }
    const other = this.way === "LR" ? "TB" : "LR";
    const second = await layOut(toward(dot, other)).catch(() => first);
    if (second === null) return null;
    this.#of = of;
    const better = scaleIn(second, pane);
    this.#tried = Math.max(scale, better);
    if (better * (clashes(second) ? CLASHING : 1) < worth * (known ? MUCH_BETTER : BETTER)) return first;
    this.way = other;
    return second;
  }
}
