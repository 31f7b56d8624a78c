// Reads a Drawing as JSON on standard input and writes its picture as SVG, drawn
// by the page's own code, so that the first response already shows it. The build
// bundles this file for Node first, since it shares TypeScript with the page.
import { text } from "node:stream/consumers";
import { instance } from "@viz-js/viz";
import { drawingSVG, markupText } from "../src/drawing-svg.ts";

const drawing = JSON.parse(await text(process.stdin));
const { output, errors } = (await instance()).render(drawing.dot, { format: "json0" });
if (output === undefined) {
  throw new Error(`the drawing cannot be laid out: ${errors.map((e) => e.message).join("; ")}`);
}
process.stdout.write(markupText(drawingSVG(drawing, JSON.parse(output)).markup));
