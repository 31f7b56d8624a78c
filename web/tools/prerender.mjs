// Reads {drawing, layout} as JSON on standard input, a line each, and writes the
// picture of each as a line of SVG, drawn by the page's own code, so that the first
// response already shows it. Drawings without a layout are laid out first. The build bundles
// this file for Node, since it shares TypeScript with the page.
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
