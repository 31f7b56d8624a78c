import type { Markup } from "./drawing-svg.js";

const SVG = "http://www.w3.org/2000/svg";

/** The picture as elements of the page. */
export function markupDOM(markup: Markup): SVGElement {
  const element = document.createElementNS(SVG, markup.tag);
  for (const [name, value] of Object.entries(markup.attrs)) element.setAttribute(name, value);
  for (const child of markup.children) element.append(typeof child === "string" ? child : markupDOM(child));
  return element;
}
