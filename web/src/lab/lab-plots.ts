// The charts of an experiment: bars with intervals, and quality against cost. Loaded with the chart
// library.
import * as Plot from "@observablehq/plot";
import { chart } from "./chart.js";

/** A figure with its interval. */
export interface Bar {
  /** Identifies the figure. */
  readonly key: string;
  readonly label: string;
  readonly published: boolean;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The formatted figure. */
  readonly text: string;
}

/** A figure with its cost. */
export interface Dot extends Bar {
  readonly cost: number;
  /** The method. Dots of the same method have the same shape. */
  readonly method: string;
}

/** Below this width, in pixels, names are above their bars. */
const NARROW = 560;
/** An upper bound of a letter's width, in pixels. */
const LETTER = 6.6;

const hues = 8;
const symbols = ["circle", "square", "triangle", "diamond", "cross", "star", "wye", "times"] as const;

/** Draws bars; published ones as outlines with italic names. */
export function bars(list: readonly Bar[], axis: string, width: number, full: boolean): Element {
  const narrow = width < NARROW;
  const [row, above] = narrow ? [36, 17] : [24, 0];
  const longest = Math.max(...list.map((b) => b.label.length));
  const left = narrow ? 8 : Math.min(Math.ceil(longest * LETTER) + 14, 280);
  const most = full ? 100 : Math.max(...list.map((b) => Math.max(b.high, b.value)), 0) || 1;
  const [ours, theirs] = [list.filter((b) => !b.published), list.filter((b) => b.published)];
  const bar = { x: "value", y: "key", insetTop: above + 3, insetBottom: 3 } as const;
  const middle = { dy: above / 2 };
  const name = {
    y: "key",
    text: "label",
    fontSize: 12,
    fill: "var(--ink)",
    ...(narrow
      ? ({ frameAnchor: "left", textAnchor: "start", dy: -8 } as const)
      : ({ frameAnchor: "left", textAnchor: "end", dx: -8 } as const)),
  } as const;
  const spread = ours.filter((b) => b.low !== b.high);
  return chart({
    width,
    height: list.length * row + 52,
    marginLeft: left,
    marginRight: 52,
    marginTop: 4,
    marginBottom: 44,
    ariaLabel: `Bar chart of ${axis} by method and model; the table lists the figures`,
    x: {
      domain: [0, most],
      nice: !full,
      label: axis,
      labelAnchor: "center",
      labelArrow: "none",
      grid: true,
      ticks: narrow ? 4 : 6,
    },
    y: { domain: list.map((b) => b.key), axis: null, padding: 0 },
    marks: [
      Plot.barX(ours, { ...bar, fill: "var(--accent)", fillOpacity: 0.75 }),
      Plot.barX(theirs, { ...bar, fill: "none", stroke: "var(--ink-soft)", strokeDasharray: "3 2" }),
      Plot.ruleY(spread, { y: "key", x1: "low", x2: "high", stroke: "var(--ink)", strokeWidth: 1.5, ...middle }),
      Plot.tickX(spread, {
        y: "key",
        x: "low",
        stroke: "var(--ink)",
        strokeWidth: 1.5,
        insetTop: above + 6,
        insetBottom: 6,
      }),
      Plot.tickX(spread, {
        y: "key",
        x: "high",
        stroke: "var(--ink)",
        strokeWidth: 1.5,
        insetTop: above + 6,
        insetBottom: 6,
      }),
      Plot.text(ours, { ...name }),
      Plot.text(theirs, { ...name, fontStyle: "italic", fill: "var(--ink-soft)" }),
      Plot.text(list, {
        y: "key",
        x: (b: Bar) => Math.max(b.high, b.value),
        text: "text",
        textAnchor: "start",
        fontSize: 11,
        fill: "var(--ink-soft)",
        ...middle,
        dx: 6,
      }),
      Plot.ruleX([0], { stroke: "var(--line-strong)" }),
    ],
  });
}

/** The place of a label next to its dot, in pixels. */
interface Place {
  readonly dx: number;
  readonly dy: number;
  readonly anchor: "start" | "end" | "middle";
}

const places: readonly Place[] = [
  { dx: 9, dy: 0, anchor: "start" },
  { dx: -9, dy: 0, anchor: "end" },
  { dx: 0, dy: -13, anchor: "middle" },
  { dx: 0, dy: 13, anchor: "middle" },
  { dx: 9, dy: -11, anchor: "start" },
  { dx: 9, dy: 11, anchor: "start" },
  { dx: -9, dy: -11, anchor: "end" },
  { dx: -9, dy: 11, anchor: "end" },
];

interface Box {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}

const meet = (a: Box, b: Box): boolean => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;

/** Draws quality against cost. Labels that would overlap are omitted and returned. */
export function cloud(
  list: readonly Dot[],
  axis: string,
  costAxis: string,
  width: number,
  full: boolean,
): { readonly drawn: Element; readonly unnamed: readonly Dot[] } {
  const narrow = width < NARROW;
  const height = narrow ? 300 : 340;
  const [left, right, top, bottom] = [48, 20, 26, 44];
  const [least, dearest] = [Math.min(...list.map((d) => d.cost)), Math.max(...list.map((d) => d.cost))];
  const log = least > 0 && dearest / least > 20;
  const across: readonly [number, number] = log ? [least / 1.5, dearest * 1.5] : [0, dearest * 1.1 || 1];
  const best = Math.max(...list.map((d) => Math.max(d.high, d.value)), 0) || 1;
  const up: readonly [number, number] = [0, full ? 105 : best * 1.08];
  const part = (n: number): number =>
    log ? Math.log(n / across[0]) / Math.log(across[1] / across[0]) : (n - across[0]) / (across[1] - across[0]);
  const x = (d: Dot): number => left + part(d.cost) * (width - left - right);
  const y = (d: Dot): number => height - bottom - (d.value / up[1]) * (height - top - bottom);
  const taken: Box[] = [
    { x1: 0, x2: left + axis.length * LETTER, y1: 0, y2: 16 }, // the axis's own label
    ...list.map((d) => ({ x1: x(d) - 6, x2: x(d) + 6, y1: y(d) - 6, y2: y(d) + 6 })),
  ];
  const unnamed: Dot[] = [];
  const names = list.flatMap((d) => {
    const long = d.label.length * LETTER;
    for (const place of places) {
      const from = x(d) + place.dx - { start: 0, middle: long / 2, end: long }[place.anchor];
      const box = { x1: from, x2: from + long, y1: y(d) + place.dy - 7, y2: y(d) + place.dy + 7 };
      if (
        box.x1 < left ||
        box.x2 > width - 2 ||
        box.y1 < 2 ||
        box.y2 > height - bottom ||
        taken.some((other) => meet(box, other))
      )
        continue;
      taken.push(box);
      return [
        Plot.text([d], {
          x: "cost",
          y: "value",
          text: "label",
          dx: place.dx,
          dy: place.dy,
          textAnchor: place.anchor,
          fontSize: 12,
          fill: "var(--ink)",
          ...(d.published && { fontStyle: "italic" }),
        }),
      ];
    }
    unnamed.push(d);
    return [];
  });
  const methods = [...new Set(list.map((d) => d.method))];
  const spread = list.filter((d) => d.low !== d.high);
  const drawn = chart({
    width,
    height,
    marginLeft: left,
    marginRight: right,
    marginTop: top,
    marginBottom: bottom,
    ariaLabel: `${axis} against ${costAxis} by method and model; the table lists the figures`,
    x: {
      domain: across,
      ...(log && { type: "log" }),
      label: costAxis,
      labelAnchor: "center",
      labelArrow: "none",
      grid: true,
      ticks: narrow ? 4 : 7,
      ...(log && { tickFormat: "~s" }),
    },
    y: { domain: up, label: axis, labelArrow: "none", grid: true, ticks: 5 },
    marks: [
      Plot.ruleX(spread, { x: "cost", y1: "low", y2: "high", stroke: "var(--ink-faint)", strokeOpacity: 0.6 }),
      ...methods.map((method, i) => {
        const [ours, theirs] = [
          list.filter((d) => d.method === method && !d.published),
          list.filter((d) => d.method === method && d.published),
        ];
        const hue = `var(--hue-${i % hues})`;
        const mark = { x: "cost", y: "value", r: 5, symbol: symbols[i % symbols.length] ?? "circle" } as const;
        return [
          Plot.dot(ours, { ...mark, fill: hue }),
          Plot.dot(theirs, { ...mark, stroke: hue, strokeWidth: 1.5, fill: "var(--panel)" }),
        ];
      }),
      ...names,
    ],
  });
  return { drawn, unnamed };
}
