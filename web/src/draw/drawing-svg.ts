import { rowsOf } from "./drawing-rows.js";
import type { Layout } from "./layout-protocol.js";
import type { Drawing, DrawingEdge, DrawingNode } from "../core/wire.js";

/**
 * An element of a picture, before it becomes text or DOM. It has no style: the page defines colours
 * and fonts.
 */
export interface Markup {
  readonly tag: string;
  readonly attrs: Readonly<Record<string, string>>;
  readonly children: readonly (Markup | string)[];
}

/** A picture and its natural size, in pixels. */
export interface Picture {
  readonly markup: Markup;
  readonly width: number;
  readonly height: number;
}

const PADDING = 14;
const LINE_HEIGHT = 14.4; // Graphviz sets lines of 12 pt type 1.2 times their size apart
const NAME_HEIGHT = 16.8;
const LETTER = 7.3; // width of a letter of 12 px type
const TIP = 9; // length of an arrow's head, within the 10 pt that Graphviz leaves

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Draws a graph with Graphviz's layout. Parts that can be selected carry `data-id`, the core's
 * identifier. Time is linear in the graph.
 */
export function drawingSVG(drawing: Drawing, layout: Layout): Picture {
  const [left = 0, bottom = 0, right = 0, top = 0] = layout.bb.split(",").map(Number);
  const width = round(right - left + 2 * PADDING);
  const height = round(top - bottom + 2 * PADDING);
  const place = (x: number, y: number): Point => ({ x: round(x - left + PADDING), y: round(top - y + PADDING) });
  const points = (text: string): Point => {
    const [x = 0, y = 0] = text.split(",").map(Number);
    return place(x, y);
  };

  const nodeAt = new Map(layout.objects?.map((o) => [o.id ?? "", o]));
  const edgeAt = new Map(layout.edges?.map((e) => [e.id ?? "", e]));
  const names = new Map(drawing.nodes.map((n) => [n.id, n.label]));

  const edges: Markup[] = [];
  const nodes: Markup[] = [];
  for (const edge of drawing.edges) {
    const at = edgeAt.get(edge.id);
    if (at?.pos === undefined) continue;
    edges.push(drawEdge(edge, names, at.pos, at.lp === undefined ? undefined : points(at.lp), points, drawing.down));
  }
  for (const node of drawing.nodes) {
    const at = nodeAt.get(node.id);
    if (at?.pos === undefined) continue;
    if (node.start) {
      const entry = edgeAt.get(`start:${node.id}`);
      if (entry?.pos !== undefined) edges.push(g({ class: "edge entry" }, wire(entry.pos, points, true)));
    }
    nodes.push(drawNode(node, points(at.pos), Number(at.width ?? 0.5) * 72, Number(at.height ?? 0.5) * 72));
  }

  return {
    width,
    height,
    markup: {
      tag: "svg",
      attrs: {
        class: drawing.down ? "drawing tree" : "drawing",
        viewBox: `0 0 ${width} ${height}`,
        width: String(width),
        height: String(height),
        role: "group",
        "aria-label": drawingName(drawing),
      },
      children: [g({ class: "edges" }, edges), g({ class: "nodes" }, nodes)],
    },
  };
}

/** Returns the accessible name of a drawing. */
export function drawingName(drawing: Drawing): string {
  const noun = drawing.down ? "node" : "state";
  const count = `${drawing.nodes.length} ${noun}${drawing.nodes.length === 1 ? "" : "s"}`;
  return `${drawing.title === "" ? "Automaton" : drawing.title}, ${count}`;
}

/** Returns the accessible name of a node. */
export function nodeName(node: DrawingNode): string {
  const parts = [node.label];
  if (node.detail !== undefined && node.detail !== "") parts.push(node.detail);
  if (node.start) parts.push("start");
  if (node.accepting) parts.push("accepting");
  if (node.kind === "environment") parts.push("answered by the environment");
  return parts.join(", ");
}

function drawNode(node: DrawingNode, at: Point, width: number, height: number): Markup {
  const classes = ["node", node.kind];
  if (node.accepting) classes.push("accepting");
  if (node.start) classes.push("start");
  const radius = (node.detail !== undefined && node.detail !== "") || node.kind === "symbol" ? 9 : height / 2;
  const box = (inset: number, name: string): Markup =>
    shape("rect", {
      class: name,
      x: at.x - width / 2 + inset,
      y: at.y - height / 2 + inset,
      width: width - 2 * inset,
      height: height - 2 * inset,
      rx: Math.max(radius - inset, 3),
    });
  const children = [box(0, "box")];
  if (node.accepting) children.push(box(3.5, "inner"));
  const names = rowsOf(node.label);
  const nameRows = (names.length - 1) * NAME_HEIGHT;
  if (node.detail !== undefined && node.detail !== "") {
    const details = rowsOf(node.detail);
    const top = at.y - 5 - (nameRows + (details.length - 1) * LINE_HEIGHT) / 2;
    children.push(
      text("name", at.x, top, names, NAME_HEIGHT),
      text("detail", at.x, top + nameRows + 19, details, LINE_HEIGHT),
    );
  } else {
    children.push(text("name", at.x, at.y + 5 - nameRows / 2, names, NAME_HEIGHT));
  }
  return part(node.id, classes.join(" "), nodeName(node), children);
}

function drawEdge(
  edge: DrawingEdge,
  names: ReadonlyMap<string, string>,
  pos: string,
  label: Point | undefined,
  points: (text: string) => Point,
  plain: boolean,
): Markup {
  const ends = `${names.get(edge.source) ?? ""} to ${names.get(edge.target) ?? ""}`;
  const drawn = wire(pos, points, !plain);
  if (plain) return g({ class: "edge", "data-id": edge.id }, drawn);
  if (edge.lines.length === 0 || label === undefined) {
    return part(edge.id, "edge", `from ${ends}`, drawn);
  }
  const texts = edge.lines.map((line) => rowsOf(line.label));
  const count = texts.reduce((sum, rows) => sum + rows.length, edge.folded > 0 ? 1 : 0);
  const middle = (row: number): number => round(label.y + (row - (count - 1) / 2) * LINE_HEIGHT);
  let row = 0;
  const lines = edge.lines.map((line, i) => {
    const rows = texts[i] ?? [];
    const width = round(Math.max(...rows.map((r) => [...r].length)) * LETTER + 10);
    const y = middle(row);
    row += rows.length;
    return part(line.id, "line", `from ${ends}: ${line.label}`, [
      shape("rect", {
        class: "ground",
        x: label.x - width / 2,
        y: y - LINE_HEIGHT / 2,
        width,
        height: rows.length * LINE_HEIGHT,
        rx: 4,
      }),
      text("label", label.x, y + 4, rows, LINE_HEIGHT),
    ]);
  });
  if (edge.folded > 0)
    lines.push(text("label folded", label.x, middle(count - 1) + 4, [`… ${edge.folded} more`], LINE_HEIGHT));
  return g({ class: "edge", "data-id": edge.id }, [...drawn, ...lines]);
}

/** Returns the curve of an edge, a broad invisible copy as pointer target, and its head. */
function wire(pos: string, points: (text: string) => Point, head: boolean): Markup[] {
  const fields = pos.split(/[\s\\]+/).filter((field) => field !== "");
  const end = fields.find((field) => field.startsWith("e,"))?.slice(2);
  const [first, ...rest] = fields.filter((field) => !/^[es],/.test(field)).map(points);
  if (first === undefined) return [];
  let d = `M${first.x} ${first.y}`;
  for (let i = 0; i + 2 < rest.length; i += 3) {
    d += ` C${rest
      .slice(i, i + 3)
      .map((p) => `${p.x} ${p.y}`)
      .join(" ")}`;
  }
  const last = rest.at(-1) ?? first;
  const tip = end === undefined ? last : points(end);
  const parts = [
    shape("path", { class: "reach", d }),
    shape("path", { class: "wire", d: head ? d : `${d} L${tip.x} ${tip.y}` }),
  ];
  if (head) parts.push(shape("path", { class: "tip", d: arrow(last, tip) }));
  return parts;
}

function arrow(from: Point, to: Point): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const back = { x: to.x - ux * TIP, y: to.y - uy * TIP };
  const side = (s: number): string => `${round(back.x - uy * s)} ${round(back.y + ux * s)}`;
  return `M${from.x} ${from.y} L${round(back.x)} ${round(back.y)} M${to.x} ${to.y} L${side(3.6)} L${side(-3.6)} Z`;
}

function part(id: string, name: string, label: string, children: readonly Markup[]): Markup {
  return g({ class: name, "data-id": id, role: "img", "aria-label": label }, children);
}

function g(attrs: Readonly<Record<string, string>>, children: readonly Markup[]): Markup {
  return { tag: "g", attrs, children };
}

function shape(tag: string, attrs: Readonly<Record<string, string | number>>): Markup {
  return {
    tag,
    attrs: Object.fromEntries(Object.entries(attrs).map(([k, v]) => [k, typeof v === "number" ? String(round(v)) : v])),
    children: [],
  };
}

function text(name: string, x: number, y: number, rows: readonly string[], apart: number): Markup {
  const at = (row: number): { x: string; y: string } => ({ x: String(round(x)), y: String(round(y + row * apart)) });
  return {
    tag: "text",
    attrs: { class: name, ...at(0), "text-anchor": "middle" },
    children: rows.length === 1 ? rows : rows.map((row, i) => ({ tag: "tspan", attrs: at(i), children: [row] })),
  };
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}

/** The picture as SVG text. */
export function markupText(markup: Markup): string {
  const attrs = Object.entries(markup.attrs)
    .map(([name, value]) => ` ${name}="${escape(value)}"`)
    .join("");
  const children = markup.children
    .map((child) => (typeof child === "string" ? escape(child) : markupText(child)))
    .join("");
  return `<${markup.tag}${attrs}>${children}</${markup.tag}>`;
}

function escape(content: string): string {
  return content.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
