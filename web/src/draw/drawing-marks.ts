import { svg } from "lit";

export const iconAround = svg`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><circle class="solid" cx="8" cy="8" r="1.700"/><circle cx="8" cy="8" r="4.200"/><path d="M8 1.200v1.600M8 13.200v1.600M1.200 8h1.600M13.200 8h1.600"/></svg>`;

const SVG = "http://www.w3.org/2000/svg";

/** Marks a node that is folded or has hidden neighbours. */
export function mark(part: SVGElement, folds: number | undefined, hidden: number | undefined): void {
  const box = part.querySelector(":scope > .box");
  if (box === null || part.querySelector(".more-mark, .shadow") !== null) return;
  const number = (name: string): number => Number(box.getAttribute(name) ?? 0);
  const said: string[] = [];
  if (folds !== undefined) {
    const shadow = box.cloneNode() as SVGElement;
    shadow.setAttribute("class", "box shadow");
    shadow.setAttribute("x", String(number("x") + 4));
    shadow.setAttribute("y", String(number("y") + 4));
    part.prepend(shadow);
    part.classList.add("folded-node");
    part.setAttribute("role", "button");
    part.setAttribute("aria-expanded", "false");
    said.push(`${folds} folded`);
  }
  if (hidden !== undefined) {
    const text = `+${hidden}`;
    const width = text.length * 7.5 + 8;
    const [x, y] = [number("x") + number("width") - width / 2 - 2, number("y") - 7];
    const badge = document.createElementNS(SVG, "g");
    badge.setAttribute("class", "more-mark");
    const ground = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ x, y, width, height: 16, rx: 8 }))
      ground.setAttribute(name, String(value));
    const label = document.createElementNS(SVG, "text");
    label.setAttribute("x", String(x + width / 2));
    label.setAttribute("y", String(y + 12));
    label.setAttribute("text-anchor", "middle");
    label.textContent = text;
    badge.append(ground, label);
    part.append(badge);
    said.push(`${hidden} ${hidden === 1 ? "neighbour" : "neighbours"} not shown`);
  }
  const name = part.getAttribute("aria-label");
  part.setAttribute("aria-label", [name, ...said].join(", "));
}
