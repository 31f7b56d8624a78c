import { html } from "lit";

/** Longer texts, or those of more lines, are folded. */
const MAX_CHARACTERS = 360;
const MAX_LINES = 6;
const SHOWN = 140;

/** A text as it came; of a long one its beginning, the rest to be unfolded. */
export function folded(text: string): unknown {
  const plain = text.trim();
  if (plain.length <= MAX_CHARACTERS && plain.split("\n").length <= MAX_LINES) return html`<span class="came">${plain}</span>`;
  const line = plain.slice(0, SHOWN).replace(/\s+/g, " ");
  return html`
    <details class="fold">
      <summary><span class="fold-begin">${line}…</span> <span class="fold-all">all ${plain.length.toLocaleString("en")} characters</span></summary>
      <pre class="prompt" tabindex="0">${plain}</pre>
    </details>`;
}
