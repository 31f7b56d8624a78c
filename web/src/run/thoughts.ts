// Thoughts of models, which arrive in pieces before the text of an answer.
import { html } from "lit";
import type { LlmThought } from "./events.js";
import { count } from "../ui/text.js";

/** Returns thoughts after a further event, which may continue or withdraw the last one. */
export function withThought(thoughts: readonly LlmThought[], event: LlmThought): readonly LlmThought[] {
  const last = thoughts.at(-1);
  if (event.withdrawn === true) return thoughts.slice(0, -1);
  if (event.more !== true || last === undefined) return [...thoughts, event];
  return thoughts.with(-1, { ...event, text: last.text + event.text });
}

/** Renders thoughts, folded. */
export function thoughtDetails({ text, tokens }: LlmThought): unknown {
  return html`<details class="prompt-details thought-details">
    <summary>Thoughts <span class="hint">about ${count(tokens, "token")}</span></summary>
    <pre class="prompt" tabindex="0">${text.trim()}</pre>
  </details>`;
}
