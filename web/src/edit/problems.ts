import { html, nothing } from "lit";
import { iconCheck, iconError, iconInfo, iconWarning } from "../ui/icons.js";
import type { Fault } from "../core/core-protocol.js";
import type { Analysis, CoreStatus, State } from "../store/state.js";
import { unsaved } from "../store/storage.js";
import type { Diagnostic, Edit } from "../core/wire.js";
import { caseCounts } from "../tests/test-counts.js";
import { count, sentence } from "../ui/text.js";
import { LightElement, prop, property } from "../ui/light-element.js";

/** The maximum number of listed problems. */
const MAX_LISTED = 50;

/** The core's summary of the text, and its problems. */
export class StileProblems extends LightElement {
  @prop analysis: Analysis | null = null;
  @prop fault: Fault | null = null;
  @prop core: CoreStatus = { status: "loading" };
  @prop saved: State["saved"] = "no";
  @prop tests: State["tests"] = null;
  /** Whether the core has not analysed the current text yet. */
  @property({ type: Boolean }) reading = false;

  protected override render(): unknown {
    const diagnostics = this.analysis?.result.diagnostics ?? [];
    return html` ${this.#core()}
      ${this.fault === null ? nothing : html`<p class="fault">${iconError}<span>${sentence(this.fault.message)}</span></p>`}
      ${
        diagnostics.length === 0
          ? nothing
          : html` <ul class="problem-list" aria-label="Problems">
              ${diagnostics.slice(0, MAX_LISTED).map((d) => this.#problem(d))}
              ${diagnostics.length > MAX_LISTED ? html`<li class="hint">… and ${diagnostics.length - MAX_LISTED} more</li>` : nothing}
            </ul>`
      }
      <p class="status-line">
        <span class="summary" role="status"
          >${this.reading && this.core.status === "ready" ? html`<span class="spinner delayed" aria-hidden="true"></span>` : nothing}${this.#summary(diagnostics)}</span
        >
        ${this.#tests()}
        <span class="saved">${this.#saved()}</span>
      </p>`;
  }

  #saved(): unknown {
    const { saved } = this;
    if (saved === "no") return "";
    if (saved === "yes" || saved === "saving") return saved === "yes" ? "Saved on this device" : "Saving…";
    return html`Not saved: ${unsaved[saved]}
      <button class="text-link" type="button" @click=${() => this.emit("save-requested", null)}>
        Save as a file
      </button>`;
  }

  #tests(): unknown {
    if (this.tests === null || this.tests.cases.length + this.tests.faults.length === 0) return nothing;
    const { cases, faults } = this.tests;
    const { said, tone } = caseCounts(cases, faults.length);
    return html`<button
      class="text-link test-summary tone-${tone === "good" ? "good" : "error"}"
      type="button"
      @click=${() => this.emit("tests-requested", null)}
    >
      ${said}
    </button>`;
  }

  #core(): unknown {
    if (this.core.status !== "failed") return nothing;
    return html` <div class="fault" role="alert">
      ${iconError}
      <span><strong>The core did not load.</strong> ${this.core.fault.message}</span>
      <button class="button" type="button" @click=${() => this.emit("retry-requested", null)}>Try again</button>
    </div>`;
  }

  #summary(diagnostics: readonly Diagnostic[]): unknown {
    if (this.analysis === null) {
      if (this.core.status === "loading")
        return html`<span class="spinner" aria-hidden="true"></span> The core is loading; you can already edit`;
      return this.reading && this.core.status === "ready" ? html`<span class="delayed">Analysing…</span>` : "";
    }
    const number = (severity: string): number => diagnostics.filter((d) => d.severity === severity).length;
    const [errors, warnings] = [number("error"), number("warning")];
    const said = [errors > 0 ? count(errors, "error") : "", warnings > 0 ? count(warnings, "warning") : ""]
      .filter((s) => s !== "")
      .join(", ");
    const { summary } = this.analysis.result;
    if (errors > 0)
      return html`<span class="tone-error">${iconError}</span
        >${said}${this.analysis.about === undefined ? nothing : ` · ${this.analysis.about}`}`;
    if (warnings > 0) return html`<span class="tone-warning">${iconWarning}</span>${said} · ${summary}`;
    return html`<span class="tone-good">${iconCheck}</span>${summary}`;
  }

  /** The name of the rule, formula or state that a problem belongs to, unless the message contains it. */
  #owner({ from, to, message }: Diagnostic): unknown {
    const around = (this.analysis?.result.outline ?? []).filter((item) => item.from <= from && to <= item.to);
    const name = around.reduce(
      (best, item) => (item.to - item.from < best.size ? { name: item.name, size: item.to - item.from } : best),
      { name: "", size: Infinity },
    ).name;
    return name === "" || message.includes(name) ? nothing : html`<code class="problem-owner">${name}</code> `;
  }

  #problem(d: Diagnostic): unknown {
    const icon = d.severity === "error" ? iconError : d.severity === "warning" ? iconWarning : iconInfo;
    return html` <li class="problem">
      <button
        class="problem-main"
        type="button"
        @click=${() => this.emit("place-requested", { from: d.from, to: d.to })}
      >
        <span class="tone-${d.severity}">${icon}</span>
        <span class="visually-hidden">${d.severity}:</span>
        <span class="problem-text">${this.#owner(d)}${d.message}</span>
        <span class="problem-place">${d.line}:${d.column}</span>
        <span class="problem-code">${d.code}</span>
      </button>
      ${(d.notes ?? []).map(
        (note) =>
          html` <button
            class="problem-note text-link"
            type="button"
            @click=${() => this.emit("place-requested", { from: note.from, to: note.to })}
          >
            line ${note.line}: ${note.message}
          </button>`,
      )}
      ${(d.fixes ?? []).map(
        (fix) =>
          html` <button
            class="problem-fix button small"
            type="button"
            @click=${() => this.emit<readonly Edit[]>("fix-requested", fix.edits)}
          >
            ${fix.title}
          </button>`,
      )}
    </li>`;
  }
}

customElements.define("stile-problems", StileProblems);
