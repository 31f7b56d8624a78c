// The rules about data that a run enforces.
import { html, nothing } from "lit";
import { notationOf } from "../store/file-kind.js";
import type { EnforceReport, File } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";

/** Reports whether a workspace has rules about data. */
export function hasRules(files: readonly File[]): boolean {
  return files.some((f) => notationOf(f.name) === "rules");
}

/** Returns the setting that enforces the rules of a workspace; nothing if there are none. */
export function enforced(files: readonly File[], wanted: boolean): { readonly rules?: string } {
  const texts = files.filter((f) => notationOf(f.name) === "rules").map((f) => f.text);
  return wanted && texts.length > 0 ? { rules: texts.join("\n") } : {};
}

const tones: Readonly<Record<string, string>> = { holds: "good", violated: "bad", fault: "bad" };

/** Renders the verdicts of the rules and the calls that they denied. */
export function ruleReports(reports: readonly EnforceReport[] | undefined): unknown {
  if (reports === undefined || reports.length === 0) return nothing;
  return html`<div class="ending">
    <table class="plain">
      <caption>
        Rules about data
      </caption>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Verdict</th>
          <th scope="col">Denied</th>
        </tr>
      </thead>
      <tbody>
        ${reports.map(
          ({ name, verdict, reason, denied }) =>
            html`<tr>
              <th scope="row"><code>${name}</code></th>
              <td>
                <span class="pill ${tones[verdict] ?? ""}">${verdict}</span>${
                  reason === undefined ? nothing : html` <span class="fault-text">${sentence(reason)}</span>`
                }
              </td>
              <td>${denied === 0 ? "–" : count(denied, "call")}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
