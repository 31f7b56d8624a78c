import { plot, type PlotOptions } from "@observablehq/plot";

// Charts use Observable Plot, which is not part of the page's first load: import this file when
// there is something to draw.

/**
 * Returns a chart as an element. The library adds a style sheet to each chart, which the page's policy
 * would refuse; lab.css has the same rules.
 */
export function chart(options: PlotOptions & { readonly ariaLabel: string }): Element {
  const drawn = plot({ ...options, className: "plot" });
  for (const style of drawn.querySelectorAll("style")) style.remove();
  // The chart as a whole has a name; its parts have no role that supports one.
  for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  if (drawn instanceof SVGElement) drawn.setAttribute("role", "img");
  return drawn;
}
