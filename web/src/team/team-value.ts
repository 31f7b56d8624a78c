import { html, nothing } from "lit";
import { folded } from "../ui/collapsible.js";

/** The maximum depth and length of a structured result that is shown as tables. */
const MAX_DEPTH = 4;
const MAX_ROWS = 60;

/** Renders a result: JSON as a table, other text unchanged. */
export function structured(text: string): unknown {
  const value = valueIn(text);
  if (value === undefined) return folded(text);
  return html`<div class="team-value">${shown(value, 0)}</div>
    ${/^[[{]/.test(text.trim()) ? nothing : folded(text)}`;
}

/** Returns the object or list in a text, possibly within fences; undefined if there is none. */
export function valueIn(text: string): unknown {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1];
  for (const candidate of [text, ...(fenced === undefined ? [] : [fenced])]) {
    const plain = candidate.trim();
    if (!plain.startsWith("{") && !plain.startsWith("[")) continue;
    try {
      return JSON.parse(plain) as unknown;
    } catch {
      // Not JSON after all.
    }
  }
  return undefined;
}

function shown(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== "object") return html`<span class="came">${String(value)}</span>`;
  if (depth >= MAX_DEPTH) return html`<code>${JSON.stringify(value)}</code>`;
  if (!Array.isArray(value)) return object(Object.entries(value), depth);
  if (value.length === 0) return html`<span class="hint">nothing</span>`;
  const rows = value.slice(0, MAX_ROWS) as unknown[];
  const more = value.length > rows.length ? html`<p class="hint">${value.length - rows.length} more</p>` : nothing;
  if (
    !rows.every((row): row is Record<string, unknown> => typeof row === "object" && row !== null && !Array.isArray(row))
  )
    return html`<ul class="values-list">
        ${rows.map((row) => html`<li>${shown(row, depth + 1)}</li>`)}
      </ul>
      ${more}`;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return html` <div class="table-scroll" tabindex="0" role="region" aria-label="Result as a table">
      <table class="plain">
        <thead>
          <tr>
            ${columns.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${columns.map((name) => html`<td>${name in row ? shown(row[name], depth + 1) : nothing}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${more}`;
}

function object(entries: readonly (readonly [string, unknown])[], depth: number): unknown {
  if (entries.length === 0) return html`<span class="hint">nothing</span>`;
  return html` <table class="plain pairs">
      <tbody>
        ${entries.slice(0, MAX_ROWS).map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${shown(value, depth + 1)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${entries.length > MAX_ROWS ? html`<p class="hint">${entries.length - MAX_ROWS} more</p>` : nothing}`;
}
