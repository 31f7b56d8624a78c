import { plot, type PlotOptions } from "@observablehq/plot";

// Charts use Observable Plot, which is not part of the page's first load: import this file when
// there is something to draw.

/**
 * Returns a chart as an element, without the style sheet that the library adds to each chart: the page's policy
 * would refuse it, and lab.css has the same rules.
 */
export function chart(options: PlotOptions & { readonly ariaLabel: string }): Element {
  const drawn = plot({ ...options, className: "plot" });
  for (const style of drawn.querySelectorAll("style")) style.remove();
  // The chart has an accessible name. Its parts have no role that supports a name.
  for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  if (drawn instanceof SVGElement) drawn.setAttribute("role", "img");
  return drawn;
}
