import type { Layout } from "./layout-protocol.js";
import type { Drawing } from "../core/wire.js";

/** A drawing with its layout. */
export interface Placed {
  readonly drawing: Drawing;
  readonly layout: Layout;
}

/** A drawing with its layout after an edit. */
export interface Settled extends Placed {
  /** The common shift of the nodes that both drawings have, in points: x to the right, y upwards. */
  readonly dx: number;
  readonly dy: number;
  /** The average shift of a node beyond the common one, as a share of the drawing's diagonal. */
  readonly unrest: number;
}

/** The average shift above which another order is tried; below it, a second layout is not worth its time. */
const CALM = 0.01;
/** Mirroring must reduce the shift to less than this share, because it is a change, too. */
const WORTH = 0.95;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns a layout in which known nodes keep their places. `after` is Graphviz's layout in the core's
 * order. If nodes moved, a second layout is made with the nodes and edges in their drawn order, from which
 * Graphviz's heuristics start. Among both layouts and their mirror images, the one with the smallest
 * movement is returned, together with the common shift of its nodes, which the view follows. Constraints
 * that force the order within ranks did not reduce the movement.
 *
 * `sideways` means that ranks follow each other downwards, and that left and right have no meaning.
 */
export async function settle(
  before: Placed,
  after: Placed,
  matched: ReadonlyMap<string, string>,
  layOut: (ordered: Drawing) => Promise<Layout | null>,
  sideways: boolean,
): Promise<Settled> {
  const { drawing } = after;
  const calm = calmer(before, after, matched, sideways);
  if (calm.unrest <= CALM) return calm;
  const layout = await layOut(inOrder(before, drawing, matched, sideways || before.drawing.down));
  if (layout === null) return calm;
  const other = calmer(before, { drawing, layout }, matched, sideways);
  return other.unrest < calm.unrest * WORTH ? other : calm;
}

/** Returns a drawing as it is or mirrored, whichever moves its nodes less. */
function calmer(before: Placed, after: Placed, matched: ReadonlyMap<string, string>, sideways: boolean): Settled {
  const plain = { ...after, ...unrest(before, after, matched) };
  // In a tree above and below have a meaning; so have left and right in reading order.
  if (after.drawing.down && !sideways) return plain;
  const layout = mirrored(after.layout, sideways);
  const mirror = { ...after, layout, ...unrest(before, { ...after, layout }, matched) };
  return mirror.unrest < plain.unrest * WORTH ? mirror : plain;
}

function unrest(
  before: Placed,
  after: Placed,
  matched: ReadonlyMap<string, string>,
): Pick<Settled, "dx" | "dy" | "unrest"> {
  const [old, now] = [placesOf(before.layout), placesOf(after.layout)];
  const moves: Point[] = [];
  for (const [id, earlier] of matched) {
    const [a, b] = [old.get(earlier), now.get(id)];
    if (a !== undefined && b !== undefined) moves.push({ x: b.x - a.x, y: b.y - a.y });
  }
  if (moves.length === 0) return { dx: 0, dy: 0, unrest: 0 };
  const [dx, dy] = [median(moves.map((m) => m.x)), median(moves.map((m) => m.y))];
  const [left = 0, bottom = 0, right = 0, top = 0] = before.layout.bb.split(",").map(Number);
  const size = Math.hypot(right - left, top - bottom) || 1;
  return { dx, dy, unrest: moves.reduce((sum, m) => sum + Math.hypot(m.x - dx, m.y - dy), 0) / moves.length / size };
}

/** Returns the positions of the nodes of a layout. */
export function placesOf(layout: Layout): Map<string, Point> {
  const places = new Map<string, Point>();
  for (const { id, pos } of layout.objects ?? []) {
    const [x, y] = (pos ?? "").split(",").map(Number);
    if (id !== undefined && x !== undefined && y !== undefined) places.set(id, { x, y });
  }
  return places;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/**
 * Returns a drawing with its nodes in their old order from left to right; a new node follows its
 * predecessor.
 */
function inOrder(before: Placed, after: Drawing, matched: ReadonlyMap<string, string>, down: boolean): Drawing {
  const places = placesOf(before.layout);
  const keys = new Map<string, number>();
  let last = 0;
  for (const { id } of after.nodes) {
    const at = places.get(matched.get(id) ?? "");
    if (at !== undefined) last = Math.round(down ? -at.y : at.x) * 1e5 + (down ? at.x : -at.y);
    keys.set(id, at === undefined ? last + 1e-3 : last);
  }
  const key = (id: string): number => keys.get(id) ?? 0;
  return {
    ...after,
    nodes: [...after.nodes].sort((a, b) => key(a.id) - key(b.id)),
    edges: [...after.edges].sort((a, b) => key(a.source) - key(b.source) || key(a.target) - key(b.target)),
  };
}

/** Mirrors a layout, upside down or left to right. */
export function mirrored(layout: Layout, sideways: boolean): Layout {
  const [left = 0, bottom = 0, right = 0, top = 0] = layout.bb.split(",").map(Number);
  const turn = (pos: string): string =>
    pos
      .split(/[\s\\]+/)
      .filter((field) => field !== "")
      .map((field) => {
        const parts = field.split(",");
        // "x,y", or "e,x,y" for the end of an edge.
        const at = parts.length - (sideways ? 2 : 1);
        parts[at] = String((sideways ? left + right : bottom + top) - Number(parts[at]));
        return parts.join(",");
      })
      .join(" ");
  return {
    ...layout,
    objects: (layout.objects ?? []).map((o) => ({ ...o, ...(o.pos !== undefined && { pos: turn(o.pos) }) })),
    edges: (layout.edges ?? []).map((e) => ({
      ...e,
      ...(e.pos !== undefined && { pos: turn(e.pos) }),
      ...(e.lp !== undefined && { lp: turn(e.lp) }),
    })),
  };
}
