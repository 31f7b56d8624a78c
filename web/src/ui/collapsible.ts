import { html } from "lit";

/** The length of a text, in characters, above which it is collapsed. */
const MAX_CHARACTERS = 360;
const MAX_LINES = 6;
const SHOWN = 140;

/** Renders a text. A long text is shortened to its start, with a control to expand it. */
export function folded(text: string): unknown {
  const plain = text.trim();
  if (plain.length <= MAX_CHARACTERS && plain.split("\n").length <= MAX_LINES)
    return html`<span class="came">${plain}</span>`;
  const line = plain.slice(0, SHOWN).replace(/\s+/g, " ");
  return html` <details class="fold">
    <summary>
      <span class="fold-begin">${line}…</span>
      <span class="fold-all">all ${plain.length.toLocaleString("en")} characters</span>
    </summary>
    <pre class="prompt" tabindex="0">${plain}</pre>
  </details>`;
}
