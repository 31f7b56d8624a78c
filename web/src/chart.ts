import { plot, type PlotOptions } from "@observablehq/plot";

// Charts are Observable Plot's. Whoever draws imports this when there is something to draw:
// the library is no part of the page's first load.

/**
 * A chart as an element to put into the page. The library gives each a style sheet of its
 * own, which the page's policy would refuse: the same rules stand in lab.css.
 */
export function chart(options: PlotOptions & { readonly ariaLabel: string }): Element {
  const drawn = plot({ ...options, className: "plot" });
  for (const style of drawn.querySelectorAll("style")) style.remove();
  // The whole is named; its parts have no role that a name could be of.
  for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  if (drawn instanceof SVGElement) drawn.setAttribute("role", "img");
  return drawn;
}
