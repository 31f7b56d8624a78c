// Reads one {drawing, layout} as JSON per line of standard input, and writes one line of SVG for each, drawn
// by the page's own code, so that the first response already shows the picture. A drawing
// without a layout is laid out first. The build bundles this file for Node, because it shares
// TypeScript with the page.
import { text } from "node:stream/consumers";
import { instance } from "@viz-js/viz";
import { drawingSVG, markupText } from "../src/draw/drawing-svg.ts";

const engine = await instance();
for (const line of (await text(process.stdin)).trim().split("\n")) {
  const { drawing, layout } = JSON.parse(line);
  process.stdout.write(`${markupText(drawingSVG(drawing, layout ?? layOut(drawing)).markup)}\n`);
}

function layOut(drawing) {
  const { output, errors } = engine.render(drawing.dot, { format: "json0" });
  if (output === undefined)
    throw new Error(`the drawing cannot be laid out: ${errors.map((e) => e.message).join("; ")}`);
  return JSON.parse(output);
}
