import { svg, type SVGTemplateResult } from "lit";

// Icons: strokes on a grid of 16, in the colour of the text.

/** Makes an icon from strokes. */
export const icon = (paths: SVGTemplateResult): SVGTemplateResult =>
  svg`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">${paths}</svg>`;

export const iconDown = icon(svg`<path d="m4 6 4 4 4-4"/>`);
export const iconOpen = icon(svg`<path d="M2 12.5v-9h4l1.5 2H14v7z"/>`);
export const iconSave = icon(svg`<path d="M8 2v8m0 0L5 7m3 3 3-3M2.5 13.5h11"/>`);
export const iconShare = icon(
  svg`<path d="M6.5 9.5 9.5 6.5M7.5 4.5 9 3a2.83 2.83 0 0 1 4 4l-1.5 1.5M8.5 11.5 7 13a2.83 2.83 0 0 1-4-4l1.5-1.5"/>`,
);
export const iconSun = icon(
  svg`<circle cx="8" cy="8" r="3"/><path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7"/>`,
);
export const iconMoon = icon(svg`<path d="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z"/>`);
export const iconAuto = icon(svg`<circle cx="8" cy="8" r="5.5"/><path class="solid" d="M8 2.5a5.5 5.5 0 0 1 0 11z"/>`);
export const iconHelp = icon(
  svg`<path d="M6 6a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4v.3"/><circle class="solid" cx="8" cy="11.8" r=".55"/><circle cx="8" cy="8" r="6.25"/>`,
);
export const iconManual = icon(
  svg`<path d="M8 4.500C6.500 3 4.500 2.800 2.500 3v9.500c2-.2 4 0 5.500 1.500 1.500-1.500 3.500-1.700 5.500-1.500V3c-2-.2-4 0-5.500 1.500zV14"/>`,
);
export const iconClose = icon(svg`<path d="m4 4 8 8M12 4l-8 8"/>`);
export const iconPlus = icon(svg`<path d="M8 3v10M3 8h10"/>`);
export const iconMinus = icon(svg`<path d="M3 8h10"/>`);
export const iconFit = icon(svg`<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"/>`);
export const iconUndo = icon(svg`<path d="M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6"/>`);
export const iconReset = icon(svg`<path d="M3 8a5 5 0 1 0 1.5-3.6L3 6M3 2.5V6h3.5"/>`);
export const iconDraft = icon(
  svg`<path d="M3 13 10.500 5.500M9 4l1.500 1.500M12.500 1.800v2.400M11.300 3h2.400M5 2.800v1.800M4.100 3.700h1.800M13 9.300v1.800M12.100 10.200h1.800"/>`,
);
export const iconCheck = icon(svg`<path d="m3 8.5 3.5 3.5L13 4.5"/>`);
export const iconError = icon(
  svg`<circle cx="8" cy="8" r="6"/><path d="M8 4.8v4"/><circle class="solid" cx="8" cy="11.2" r=".55"/>`,
);
export const iconWarning = icon(
  svg`<path d="M8 2.2 14.3 13H1.7z"/><path d="M8 6.5v3"/><circle class="solid" cx="8" cy="11.2" r=".5"/>`,
);
export const iconInfo = icon(
  svg`<circle cx="8" cy="8" r="6"/><path d="M8 7.3v4"/><circle class="solid" cx="8" cy="4.9" r=".55"/>`,
);
export const iconFormat = icon(svg`<path d="M2.5 3.5h11M5.5 6.5h8M5.5 9.5h8M2.5 12.5h11"/>`);
export const iconGraph = icon(
  svg`<circle cx="3.8" cy="8" r="2.3"/><circle cx="12.2" cy="8" r="2.3"/><path d="M6.1 8h3.8"/>`,
);
export const iconTable = icon(
  svg`<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="M2 6.5h12M2 9.8h12M6.5 6.5V13"/>`,
);
export const iconTree = icon(
  svg`<circle cx="8" cy="3.5" r="1.8"/><circle cx="3.8" cy="12.5" r="1.8"/><circle cx="12.2" cy="12.5" r="1.8"/><path d="m7.2 5.2-2.6 5.6M8.8 5.2l2.6 5.6"/>`,
);
export const iconEdit = icon(svg`<path d="m10.5 2.8 2.7 2.7-7.7 7.7-3.2.5.5-3.2z"/>`);

/** The logo: a double turnstile, which is also a stile. */
export const mark = svg`<svg class="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true" focusable="false"><rect class="ground" width="24" height="24" rx="6"/><path d="M7.5 5v14M7.5 9.5h10M7.5 14.5h10"/></svg>`;
