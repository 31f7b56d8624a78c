import type { Drawing, DrawingEdge, DrawingNode } from "../core/wire.js";

// Sizes that the core's own DOT source reserves; a test compares both.
const NODE_FONT = 14;
const LABEL_FONT = 12;
const CHAR_WIDTH = 0.62;

/**
 * Returns the DOT source of a drawing that the page derived from one of the core's: folded, cut, or
 * reordered. Nodes and edges keep the order of their lists. For an unchanged drawing it equals the
 * core's source.
 */
export function drawingDOT(drawing: Drawing): string {
  const out = [
    "digraph {\n",
    drawing.down ? "  rankdir=TB; nodesep=0.25; ranksep=0.35;\n" : "  rankdir=LR; nodesep=0.45; ranksep=0.6;\n",
  ];
  out.push(`  node [shape=box, fixedsize=true, label=""];\n  edge [fontname="monospace", fontsize=${LABEL_FONT}];\n`);
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
  const lines = edge.lines.map((l) => l.label);
  if (edge.folded > 0) lines.push(`… ${edge.folded} more`);
  return lines.join("\n");
}

function nodeSize(node: DrawingNode): { readonly width: number; readonly height: number } {
  const detailed = node.detail !== undefined && node.detail !== "";
  const height = detailed ? 48 : 36;
  const width =
    Math.max(textWidth(node.label, NODE_FONT), detailed ? textWidth(node.detail ?? "", LABEL_FONT) : 0) + 24;
  return { width: Math.max(width, height), height };
}

function textWidth(text: string, font: number): number {
  return [...text].length * font * CHAR_WIDTH;
}

function inches(points: number): string {
  return (points / 72).toFixed(3);
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
