import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { SolveResult } from "../run/events.js";
import { iconError, iconInfo, iconWarning } from "../ui/icons.js";
import { type PlaceRequest, requestPlace } from "../edit/show-place.js";
import { duration } from "./solver-number.js";
import type { Diagnostic } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";

// Parts of a solver's answer that several elements show.

/** The maximum number of listed values. */
const MAX_VALUES = 300;

/** Renders the objectives with their values. */
export function objectives(result: SolveResult): unknown {
  const { objectives: list, bound, gap } = result;
  if (list.length === 0) return nothing;
  return html` <dl class="objectives">
    ${list.map(
      (o) =>
        html` <div>
          <dt>
            ${o.sense === "soft" ? "penalty" : !result.proven && o.value !== "" ? `best found (${o.sense})` : ({ minimize: "minimum", maximize: "maximum" }[o.sense] ?? o.sense)}
          </dt>
          <dd>
            <strong>${o.value || "?"}</strong
            >${o.strict ? html` <span class="hint">limit, not attained</span>` : nothing}${(o.shown ?? "") !== "" && o.shown !== o.value ? html` <span class="hint">${o.shown} in this solution</span>` : nothing}${o.low !== o.high && (o.low !== "" || o.high !== "") && o.value === "" ? html` <span class="hint">between ${o.low || "−∞"} and ${o.high || "∞"}</span>` : nothing}
            <code class="objective-text"
              >${o.expression.length > 160 ? `${o.expression.slice(0, 160)}…` : o.expression}</code
            >
          </dd>
        </div>`,
    )}
    ${
      bound === ""
        ? nothing
        : html`<div>
            <dt>bound</dt>
            <dd>${bound}${gap === "" ? nothing : html` <span class="hint">gap ${percent(gap)}</span>`}</dd>
          </div>`
    }
  </dl>`;
}

/** Formats a share as a percentage. */
function percent(part: string): string {
  const n = 100 * Number.parseFloat(part);
  return n > 0 && n < 0.001 ? "below 0.001 %" : `${n.toLocaleString("en", { maximumSignificantDigits: 2 })} %`;
}

/** Renders all values of a solution, collapsed. */
export function values(result: SolveResult, all = result.model.length): unknown {
  const { model } = result;
  if (model.length === 0) return nothing;
  return html` <details class="fold">
    <summary>All values <span class="hint">${all.toLocaleString("en")}</span></summary>
    <div class="chart-scroll" tabindex="0" role="region" aria-label="All values">
      <table class="plain values">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col">Sort</th>
          </tr>
        </thead>
        <tbody>
          ${model.slice(0, MAX_VALUES).map(
            (v) =>
              html`<tr>
                <th scope="row"><code>${v.name}${v.params.length > 0 ? ` (${v.params.join(" ")})` : ""}</code></th>
                <td><code>${v.value}</code></td>
                <td class="hint">${v.sort}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${all > MAX_VALUES ? html`<p class="hint">${(all - MAX_VALUES).toLocaleString("en")} more are not listed.</p>` : nothing}
  </details>`;
}

/** Renders the solver's statistics, collapsed. */
export function statistics({ statistics: list, milliseconds, version }: SolveResult): unknown {
  return html` <details class="fold">
    <summary>
      Statistics <span class="hint">${duration(milliseconds)}${version === "" ? "" : `, ${version}`}</span>
    </summary>
    ${
      list.length === 0
        ? html`<p class="hint">The solver reported none.</p>`
        : html`<dl class="figures">
            ${list.map(
              (s) =>
                html`<div>
                  <dt>${s.name}</dt>
                  <dd>${s.value}</dd>
                </div>`,
            )}
          </dl>`
    }
  </details>`;
}

/** Renders conflicting parts of a text as links to their places. */
export function coreLinks(
  host: HTMLElement,
  parts: readonly { readonly name: string; readonly place: PlaceRequest | null }[],
): unknown {
  if (parts.length === 0) return nothing;
  return html` <section class="core" aria-label="Conflict">
    <h3>${parts.length === 1 ? "This cannot hold" : `These ${parts.length} cannot all hold`}</h3>
    <ul class="core-list">
      ${parts.map(
        ({ name, place }) =>
          html` <li>
            ${place === null ? html`<code>${name}</code>` : html`<button class="text-link" type="button" title="Show in the text" @click=${() => requestPlace(host, place)}><code>${name}</code></button>`}
          </li>`,
      )}
    </ul>
    <p class="hint">Remove or relax one of them; the others may then hold.</p>
  </section>`;
}

/** Renders diagnostics with their places. */
export function faults(
  host: HTMLElement,
  list: readonly Diagnostic[],
  placed: (d: Diagnostic) => PlaceRequest | null,
): unknown {
  if (list.length === 0) return nothing;
  return html` <ul class="solve-faults" aria-label="Errors in the text">
    ${list.slice(0, 50).map((d) => {
      const place = placed(d);
      return html`<li class=${d.severity}>
        ${{ error: iconError, warning: iconWarning }[d.severity as string] ?? iconInfo}
        <p>
          <span>${sentence(d.message)}</span>
          <code class="hint">${d.code}</code>
          ${place === null ? nothing : html`<button class="text-link" type="button" @click=${() => requestPlace(host, place)}>line ${d.line}</button>`}
        </p>
      </li>`;
    })}
    ${list.length > 50 ? html`<li class="hint">and ${count(list.length - 50, "more")}</li>` : nothing}
  </ul>`;
}

/** Returns the places of a text's named parts; none if the core finds none. */
export async function namedPlaces(
  core: Pick<CoreClient, "call">,
  name: string,
  text: string,
): Promise<ReadonlyMap<string, PlaceRequest>> {
  try {
    const { named } = await core.call("solve.check", { solver: name.endsWith(".lp") ? "highs" : "z3", text });
    return new Map(named.map((n) => [n.name, { name, from: n.from, to: n.to }]));
  } catch {
    return new Map();
  }
}
