import { rowsOf } from "./drawing-rows.js";
import type { Drawing, DrawingEdge, DrawingNode } from "../core/wire.js";

// Sizes that the core's own DOT source reserves; a test compares both.
const NODE_FONT = 14;
const LABEL_FONT = 12;
const CHAR_WIDTH = 0.62;
const ROW_HEIGHT = 1.2;

/**
 * Returns the DOT source of a drawing that the page derived from one of the core's: folded, cut, or
 * reordered. Nodes and edges keep the order of their lists. For an unchanged drawing it equals the
 * core's source.
 */
export function drawingDOT(drawing: Drawing): string {
  const out = [
    "digraph {\n",
    drawing.down ? "  rankdir=TB; nodesep=0.25; ranksep=0.35;\n" : "  rankdir=LR; nodesep=0.4; ranksep=0.5;\n",
  ];
  out.push(`  node [shape=box, fixedsize=true, label=""];\n  edge [fontname="Courier", fontsize=${LABEL_FONT}];\n`);
  for (const node of drawing.nodes) {
    const { width, height } = nodeSize(node);
    const id = quote(node.id);
    out.push(`  ${id} [id=${id}, width=${inches(width)}, height=${inches(height)}];\n`);
    if (node.start) {
      const entry = quote(`start:${node.id}`);
      out.push(`  ${entry} [id=${entry}, width=0.05, height=0.05];\n  ${entry} -> ${id} [id=${entry}];\n`);
    }
  }
  for (const edge of drawing.edges) {
    const label = edge.lines.length > 0 ? `, label=${quote(edgeLabel(edge))}` : "";
    out.push(`  ${quote(edge.source)} -> ${quote(edge.target)} [id=${quote(edge.id)}${label}];\n`);
  }
  out.push("}\n");
  return out.join("");
}

function edgeLabel(edge: DrawingEdge): string {
  const lines = edge.lines.flatMap((l) => rowsOf(l.label));
  if (edge.folded > 0) lines.push(`… ${edge.folded} more`);
  return lines.join("\n");
}

function nodeSize(node: DrawingNode): { readonly width: number; readonly height: number } {
  let { width, height } = textSize(node.label, NODE_FONT);
  height += 36;
  if (node.detail !== undefined && node.detail !== "") {
    const detail = textSize(node.detail, LABEL_FONT);
    [width, height] = [Math.max(width, detail.width), height + detail.height + 12];
  }
  return { width: Math.max(width + 24, height), height };
}

/** Returns the width of a text in rows, and the height of its further rows. */
function textSize(text: string, font: number): { readonly width: number; readonly height: number } {
  const rows = rowsOf(text);
  const longest = Math.max(...rows.map((row) => [...row].length));
  return { width: longest * font * CHAR_WIDTH, height: (rows.length - 1) * font * ROW_HEIGHT };
}

function inches(points: number): string {
  return (points / 72).toFixed(3);
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
