// The layout of a flow diagram: columns of nodes, and bands between them as wide as their
// quantities.
import type { Family } from "../run/events.js";
import { numberOf } from "./solver-number.js";

/** Connected families of flows, with their columns. */
export interface FlowGroup {
  readonly families: readonly Family[];
  readonly columns: readonly (readonly string[])[];
}

export interface FlowNode {
  readonly name: string;
  readonly column: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly total: number;
}

export interface FlowBand {
  /** Index of the family in its group. */
  readonly family: number;
  readonly from: FlowNode;
  readonly to: FlowNode;
  readonly text: string;
  readonly y: number;
  readonly end: number;
  readonly width: number;
}

export interface FlowLayout {
  readonly nodes: readonly FlowNode[];
  readonly bands: readonly FlowBand[];
  readonly height: number;
}

export const NODE_WIDTH = 10;
const GAP = 26;
const TOP = 22;
const BOTTOM = 8;

/**
 * Returns the groups of connected families that a flow diagram can show. Families that share an axis are
 * connected. Families with cyclic or negative flows are in no group.
 */
export function flowGroups(families: readonly Family[]): readonly FlowGroup[] {
  const groups: Family[][] = [];
  for (const family of families) {
    if (family.chart !== "flow" || family.axes.length !== 2 || family.cells.some((c) => numberOf(c.value) < 0))
      continue;
    const near = groups.filter((group) =>
      group.some((other) => other.axes.some((a) => family.axes.some((b) => meets(a, b)))),
    );
    const joined = [...near.flat(), family];
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups.flatMap((group) => {
    const columns = columnsOf(group);
    return columns === null ? [] : [{ families: group, columns }];
  });
}

function meets(a: readonly string[], b: readonly string[]): boolean {
  return a.some((name) => b.includes(name));
}

/** Returns the columns from left to right; null if the families form a cycle. */
function columnsOf(families: readonly Family[]): readonly (readonly string[])[] | null {
  const sets: string[][] = [];
  for (const axis of families.flatMap((f) => f.axes)) {
    const near = sets.filter((set) => meets(set, axis));
    const joined = [...new Set([...near.flat(), ...axis])];
    for (const set of near) sets.splice(sets.indexOf(set), 1);
    sets.push(joined);
  }
  const setOf = (axis: readonly string[] | undefined): number => sets.findIndex((set) => meets(set, axis ?? []));
  const steps = families.map((f) => [setOf(f.axes[0]), setOf(f.axes[1])] as const);
  const depth = sets.map(() => 0);
  for (let round = 0; round <= sets.length; round++) {
    let moved = false;
    for (const [from, to] of steps) {
      if (from === to) return null;
      const least = (depth[from] ?? 0) + 1;
      if ((depth[to] ?? 0) < least) [depth[to], moved] = [least, true];
    }
    if (!moved) {
      const columns: string[][] = [];
      for (const [i, set] of sets.entries()) (columns[depth[i] ?? 0] ??= []).push(...set);
      return columns;
    }
  }
  return null;
}

/** Lays out a group in a width. The margin on each side is for names. */
export function layFlow({ families, columns }: FlowGroup, width: number, margin: number): FlowLayout {
  const flows = families.flatMap((f, family) =>
    f.cells.flatMap((c) => {
      const value = numberOf(c.value);
      const [from, to] = [f.axes[0]?.[c.at[0] ?? 0] ?? "", f.axes[1]?.[c.at[1] ?? 0] ?? ""];
      return value > 0
        ? [{ family, from, to, value, text: `${f.name === "" ? "" : `${f.name}: `}${c.value} from ${from} to ${to}` }]
        : [];
    }),
  );
  const sum = (pick: (f: (typeof flows)[number]) => boolean): number =>
    flows.reduce((all, f) => (pick(f) ? all + f.value : all), 0);
  const total = (name: string): number =>
    Math.max(
      sum((f) => f.from === name),
      sum((f) => f.to === name),
    );
  const most = Math.max(1e-9, ...columns.map((names) => names.reduce((all, name) => all + total(name), 0)));
  const rows = Math.max(...columns.map((names) => names.length));
  const room = Math.max(140, rows * 34);
  const scale = room / most;
  const height = TOP + room + (rows - 1) * GAP + BOTTOM;
  const step = columns.length < 2 ? 0 : (width - 2 * margin - NODE_WIDTH) / (columns.length - 1);
  const nodes = columns.flatMap((names, column) => {
    const used = names.reduce((all, name) => all + Math.max(3, total(name) * scale), 0) + (names.length - 1) * GAP;
    let y = TOP + (height - TOP - BOTTOM - used) / 2;
    return names.map((name): FlowNode => {
      const node = {
        name,
        column,
        x: margin + column * step,
        y,
        height: Math.max(3, total(name) * scale),
        total: total(name),
      };
      y += node.height + GAP;
      return node;
    });
  });
  const at = new Map(nodes.map((n) => [n.name, n]));
  const [left, entered] = [new Map<string, number>(), new Map<string, number>()];
  const order = (name: string): number => nodes.findIndex((n) => n.name === name);
  const bands = flows
    .sort((a, b) => order(a.from) - order(b.from) || order(a.to) - order(b.to) || a.family - b.family)
    .flatMap(({ family, from, to, value, text }): FlowBand[] => {
      const [a, b] = [at.get(from), at.get(to)];
      if (a === undefined || b === undefined) return [];
      const wide = value * scale;
      const [y, end] = [a.y + (left.get(from) ?? 0) + wide / 2, b.y + (entered.get(to) ?? 0) + wide / 2];
      left.set(from, (left.get(from) ?? 0) + wide);
      entered.set(to, (entered.get(to) ?? 0) + wide);
      return [{ family, from: a, to: b, text, y, end, width: Math.max(wide, 1) }];
    });
  return { nodes, bands, height };
}
