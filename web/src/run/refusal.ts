import { html, nothing } from "lit";
import { sendCommand } from "./run-command.js";
import type { Run } from "../store/state.js";
import { sentence } from "../ui/text.js";

/** Renders the reason of a failed run, and offers to run without the properties that cannot be judged. */
export function refusal(element: HTMLElement, run: Run): unknown {
  const { fault } = run;
  if (fault === undefined) return nothing;
  const without = fault.without ?? [];
  return html` <p class="fault" role="alert">
      <span>${sentence(fault.message)} <code>${fault.code}</code></span>
    </p>
    ${
      without.length === 0
        ? nothing
        : html` <div class="row wrap">
            <button
              class="button"
              type="button"
              @click=${() => sendCommand(element, { command: "without", run: run.number, names: without })}
            >
              Run without ${without.length === 1 ? "this property" : `these ${without.length} properties`}
            </button>
            <span class="hint"
              >Properties that cannot be judged: ${without.join(", ")}. The run ignores them; conjuncts that can be
              judged stay in force.</span
            >
          </div>`
    }`;
}

/** Renders the properties that a run was started without. */
export function leftOut(run: Run): unknown {
  const { without } = { ...(run.recorded?.settings as { readonly without?: readonly string[] } | undefined) };
  return without === undefined || without.length === 0
    ? nothing
    : html`<p class="hint">
        Run without ${without.length === 1 ? "the property" : "the properties"} ${without.join(", ")}.
      </p>`;
}
