import { svg } from "lit";
import { icon } from "./icons.js";

// Icons of the deferred panels.

export const iconPlay = icon(svg`<path class="solid" d="M4.5 2.8v10.4L13 8z"/>`);
export const iconStop = icon(svg`<rect class="solid" x="3.5" y="3.5" width="9" height="9" rx="1.5"/>`);
export const iconPause = icon(
  svg`<rect class="solid" x="4" y="3" width="3" height="10" rx="1"/><rect class="solid" x="9" y="3" width="3" height="10" rx="1"/>`,
);
export const iconStep = icon(
  svg`<path class="solid" d="M3 2.8v10.4L10 8z"/><rect class="solid" x="11" y="2.8" width="2" height="10.4" rx="1"/>`,
);
export const iconBack = icon(svg`<path d="M5.5 3.5 2.5 6.5l3 3M2.5 6.5H11a2.5 2.5 0 0 1 0 6H8"/>`);
export const iconTool = icon(
  svg`<path d="M9.6 2.6a3.4 3.4 0 0 0-2.3 4.6L2.8 11.700a1.1 1.1 0 0 0 1.500 1.500L8.800 8.700a3.4 3.4 0 0 0 4.600-4.300L11.300 6.400 9.600 4.700z"/>`,
);
export const iconPerson = icon(
  svg`<circle cx="8" cy="5" r="2.6"/><path d="M2.800 13.500a5.300 5.300 0 0 1 10.400 0"/>`,
);
export const iconSearch = icon(svg`<circle cx="7" cy="7" r="4.300"/><path d="m10.300 10.300 3.400 3.400"/>`);
export const iconCopy = icon(
  svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2"/>`,
);
export const iconDice = icon(
  svg`<rect x="2.5" y="2.5" width="11" height="11" rx="2.5"/><circle class="solid" cx="5.8" cy="5.8" r=".8"/><circle class="solid" cx="10.2" cy="10.2" r=".8"/><circle class="solid" cx="8" cy="8" r=".8"/>`,
);
