// The drawing of a task graph: nodes of one size, from top to bottom; a mark, a word and a border
// show each state.
import { svg, type SVGTemplateResult } from "lit";
import { MOVE_TIME, mayMove } from "../draw/drawing-motion.js";
import { mirrored, placesOf } from "../draw/drawing-stable.js";
import type { TeamGraph, TeamState } from "../run/events.js";
import type { Layout } from "../draw/layout-protocol.js";
import { type GraphEffect, EFFECTS } from "./subtask-changes.js";
import { shownState, type Shown, type TeamView } from "./team-view.js";
import type { Drawing } from "../core/wire.js";

const SVG = "http://www.w3.org/2000/svg";

/** Positions on a node, in pixels. */
const WIDTH = 190;
const HEIGHT = 68;
const ROLE_WIDTH = 104;
const ROLE_HEIGHT = 34;
const NAME = 21;
const DETAIL = 24;

/** The mark of each state, on a grid of 16, in the order of the summary. */
export const STATE_PATHS: Readonly<Record<Shown, string>> = {
  waiting: "M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11M8 5v3.200l2 1.300",
  ready:
    "M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11M8 6.800a1.200 1.200 0 1 0 0 2.400a1.200 1.200 0 1 0 0-2.400",
  running: "M8 2.500a5.500 5.500 0 1 1-5.500 5.500M6.500 5.300l4 2.700-4 2.700z",
  done: "m3 8.500 3.500 3.500L13 4.500",
  failed: "m4 4 8 8M12 4l-8 8",
  blocked: "M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11M4.200 4.200l7.600 7.600",
};

/** Renders a state's mark for text. */
export function stateIcon(state: Shown): SVGTemplateResult {
  return svg`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d=${STATE_PATHS[state]}></path></svg>`;
}

/** Describes a sub-task's state. */
export function aboutState(shown: Shown, state: TeamState | undefined): string {
  const attempt = state?.attempt ?? 0;
  return (shown === "running" && attempt > 1) || (shown === "done" && attempt > 1) ? `${shown}, try ${attempt}` : shown;
}

/** Returns the drawing with texts that fit its nodes, and its DOT source. */
export function dotOf(drawing: Drawing): { readonly dot: string; readonly drawn: Drawing } {
  const nodes = drawing.nodes.map((node) => ({
    ...node,
    start: false,
    accepting: false,
    label: short(node.label, NAME),
    ...(node.detail !== undefined && { detail: short(node.detail, DETAIL) }),
  }));
  const lines = [
    ...nodes.map(
      ({ id }) =>
        `  ${quoted(id)} [id=${quoted(id)}, width=${inches(role(id) ? ROLE_WIDTH : WIDTH)}, height=${inches(role(id) ? ROLE_HEIGHT : HEIGHT)}];`,
    ),
    ...drawing.edges.map(({ id, source, target }) => `  ${quoted(source)} -> ${quoted(target)} [id=${quoted(id)}];`),
  ];
  const dot = `digraph {\n  rankdir=TB; nodesep=0.25; ranksep=0.4;\n  node [shape=box, fixedsize=true, label=""];\n${lines.join("\n")}\n}\n`;
  return { dot, drawn: { ...drawing, nodes } };
}

function role(id: string): boolean {
  return id === "manager" || id === "deliverer";
}

/** Mirrors a layout if that brings the sub-tasks of a rank into the graph's order; the first sub-tasks count most. */
export function inReadingOrder({ nodes }: Drawing, layout: Layout): Layout {
  const places = placesOf(layout);
  let turned = 0;
  for (const [i, { id }] of nodes.entries()) {
    const at = places.get(id);
    for (const other of nodes.slice(i + 1)) {
      const next = places.get(other.id);
      if (at !== undefined && next !== undefined && at.y === next.y) turned += Math.sign(at.x - next.x) / (i + 1);
    }
  }
  return turned > 0 ? mirrored(layout, true) : layout;
}

/** Returns the parts of a drawing in keyboard order: each node with its outgoing edges. */
export function inOrder({ nodes, edges }: Drawing): readonly string[] {
  return nodes.flatMap(({ id }) => [id, ...edges.filter((edge) => edge.source === id).map((edge) => edge.id)]);
}

/** Describes a graph for people who do not see it. */
export function aboutGraph(graph: TeamGraph): string {
  return graph.subtasks
    .map(({ id, needs }) => `${id} ${needs.length === 0 ? "needs nothing" : `needs ${needs.join(" and ")}`}`)
    .join("; ");
}

/** The sources of a node's marks: its graph, the critical path, and the effect of an edit. */
export interface Marks {
  readonly graph: TeamGraph | undefined;
  readonly critical: boolean;
  readonly effect: GraphEffect | undefined;
}

/** Shows a sub-task's state on its node, and reports whether it changed. */
export function markNode(node: SVGElement, view: TeamView, id: string, { graph, critical, effect }: Marks): boolean {
  const box = node.querySelector(".box");
  const [x, y, width] = ["x", "y", "width"].map((name) => Number(box?.getAttribute(name) ?? 0));
  if (x === undefined || y === undefined || width === undefined) return false;
  const task = graph?.subtasks.find((s) => s.id === id);
  if (task === undefined) {
    const turns = view.turns.filter((turn) => turn.role === id);
    const going = turns.at(-1)?.reply === undefined && turns.length > 0;
    node.classList.toggle("running", going);
    node.setAttribute(
      "aria-label",
      `${id}, ${turns.length === 0 ? "was not asked" : going ? "is asked" : "has answered"}`,
    );
    return false;
  }
  const state = view.subtasks.get(id)?.state;
  const shown =
    effect === undefined || effect === "kept" || effect === "continues" ? shownState(view, id, graph) : "waiting";
  const executor = effect === undefined ? (state?.executor ?? task.executor) : task.executor;
  const other = node.classList.contains("task") && !node.classList.contains(shown);
  for (const name of Object.keys(STATE_PATHS)) node.classList.toggle(name, name === shown);
  node.classList.toggle("redone", effect !== undefined && effect !== "kept" && effect !== "continues");
  node.classList.toggle("task", true);
  node.classList.toggle("critical", critical);
  const words = effect === undefined ? aboutState(shown, state) : EFFECTS[effect].toLowerCase();
  node.setAttribute(
    "aria-label",
    `${id}, ${executor}, ${words}: ${task.task}${task.needs.length > 0 ? `, needs ${task.needs.join(" and ")}` : ""}${critical ? ", on the critical path" : ""}`,
  );
  place(node.querySelector(".name"), x + width / 2, y + 20, short(`${id} ${executor}`, NAME));
  place(node.querySelector(".detail"), x + width / 2, y + 38);
  let mark = node.querySelector<SVGElement>(".mark-state");
  if (mark === null) {
    mark = document.createElementNS(SVG, "g");
    mark.setAttribute("class", "mark-state");
    mark.append(document.createElementNS(SVG, "path"), document.createElementNS(SVG, "text"));
    node.append(mark);
  }
  const path = mark.querySelector("path");
  path?.setAttribute("d", STATE_PATHS[shown]);
  const left = x + width / 2 - (words.length * 6.7 + 18) / 2;
  path?.setAttribute("transform", `translate(${left.toFixed(1)} ${(y + 47.5).toFixed(1)}) scale(0.85)`);
  const text = mark.querySelector("text");
  text?.setAttribute("x", (left + 18).toFixed(1));
  text?.setAttribute("y", String(y + 58));
  if (text !== null && text.textContent !== words) text.textContent = words;
  return other;
}

/** Highlights changed sub-tasks. */
export function pulse(nodes: readonly SVGElement[]): void {
  if (!mayMove()) return;
  for (const node of nodes) {
    node
      .querySelector(".mark-state")
      ?.animate(
        { opacity: [0, 1], transform: ["scale(0.7)", "scale(1)"] },
        { duration: MOVE_TIME, easing: "ease-out" },
      );
    node
      .querySelector(".box")
      ?.animate([{ strokeWidth: "6px", offset: 0 }], { duration: 2 * MOVE_TIME, easing: "ease-out" });
  }
}

function place(element: Element | null, x: number, y: number, content?: string): void {
  element?.setAttribute("x", String(x));
  element?.setAttribute("y", String(y));
  if (element !== null && content !== undefined && element.textContent !== content) element.textContent = content;
}

function short(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

function inches(pixels: number): string {
  return (pixels / 72).toFixed(3);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
