import { html, nothing, type PropertyValues } from "lit";
import { iconCheck, iconError, iconInfo, iconWarning } from "../ui/icons.js";
import type { CoreClient } from "../core/core-client.js";
import { messageOf } from "../store/faults.js";
import type { Place } from "../store/state.js";
import type { Diagnostic, DocumentAnalyzeResult, File, OutlineItem } from "../core/wire.js";
import { requestTest } from "../tests/request-test.js";
import type { Stepped } from "./compare-specs.js";
import { count, sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Milliseconds without typing before the formulas are judged. */
const JUDGE_DELAY = 400;

/** The workspace's formulas and their verdicts. */
export class StileProperties extends LightElement {
  @prop files: readonly File[] = [];
  @prop core!: Pick<CoreClient, "call">;
  @prop analyse: (name: string) => Promise<DocumentAnalyzeResult> = () =>
    Promise.reject(new Error("the core is not available"));
  @state judged: readonly { readonly name: string; readonly result?: DocumentAnalyzeResult; readonly fault: string }[] =
    [];
  /** The judged files. */
  @state judgedOf: readonly File[] = [];
  @state fault = "";

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  protected override render(): unknown {
    const names = this.#names();
    return html` <section class="verify-part" aria-labelledby="properties-title">
      <h2 id="properties-title">Properties</h2>
      ${names.every(isRules) ? html`<p class="hint">The workspace has no formulas. Add a file that ends in <code>.ltl</code> to define properties of every plan.</p>` : nothing}
      ${this.judged.map(({ name, result, fault }) =>
        result === undefined
          ? html`<p class="fault">
              <span><code>${name}</code> was not judged: ${fault}</span>
            </p>`
          : html` <ul class="judged ${this.judgedOf === this.files ? "" : "outdated"}" aria-label="Formulas of ${name}">
                ${result.outline.map((item) => {
                  const verdict = verdictOf(item, result.diagnostics);
                  return isRules(name) && verdict === undefined ? nothing : this.#formula(name, item, verdict);
                })}
              </ul>
              ${result.outline.length === 0 && !isRules(name) ? html`<p class="hint"><code>${name}</code>: ${result.diagnostics.some((d) => d.severity === "error") ? count(result.diagnostics.filter((d) => d.severity === "error").length, "error") : "no formula yet"}</p>` : nothing}`,
      )}
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert"><span>${sentence(this.fault)}</span></p>`}
    </section>`;
  }

  #formula(file: string, item: OutlineItem, verdict: Diagnostic | undefined): unknown {
    const [tone, icon, word] =
      verdict?.severity === "error"
        ? (["error", iconError, "not judged"] as const)
        : verdict?.code.endsWith(".holds") === true
          ? (["good", iconCheck, "holds"] as const)
          : verdict?.code.endsWith(".violated") === true
            ? (["warning", iconWarning, "violated"] as const)
            : (["info", iconInfo, "not judged"] as const);
    return html` <li>
      <span class="tone-${tone}">${icon}</span>
      <button
        class="judged-main"
        type="button"
        title="Show it in its file"
        @click=${() => this.emit<Omit<Place, "count">>("place-requested", { name: file, from: item.from, to: item.to })}
      >
        <span class="judged-name">${item.name === "" ? item.detail : item.name}</span>
        <span class="pill ${tone === "good" ? "good" : ""}">${word}</span>
        ${item.name === "" ? nothing : html`<code>${item.detail}</code>`}
        <span class="hint"
          >${verdict === undefined ? "No spec in this workspace defines its symbols." : sentence(verdict.message)}</span
        >
      </button>
      ${
        verdict?.code === "ltl.violated"
          ? html`<button
                class="button small"
                type="button"
                aria-label="Step through the counterexample of ${item.name === "" ? item.detail : item.name}"
                @click=${() => void this.#step(file, item.from)}
              >
                Step
              </button>
              <button
                class="button small"
                type="button"
                @click=${() => requestTest(this, { spec: "", form: "", property: { file, at: item.from } })}
              >
                Add as test
              </button>`
          : nothing
      }
    </li>`;
  }

  /** Steps through a counterexample: the word of the test case that could be made from it. */
  async #step(file: string, at: number): Promise<void> {
    this.fault = "";
    try {
      const property = { file, at };
      const { spec, word } = await this.core.call("tests.add", {
        files: [...this.files],
        spec: "",
        form: "",
        property,
      });
      this.emit<Stepped>("step-requested", { name: spec, word: word ?? [] });
    } catch (reason) {
      this.fault = messageOf(reason);
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("files")) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#judge(), this.judged.length === 0 ? 0 : JUDGE_DELAY);
  }

  #names(): readonly string[] {
    return this.files.map((f) => f.name).filter((name) => name.endsWith(".ltl") || isRules(name));
  }

  async #judge(): Promise<void> {
    const number = ++this.#asked;
    const { files } = this;
    const judged: { name: string; result?: DocumentAnalyzeResult; fault: string }[] = [];
    for (const name of this.#names()) {
      try {
        judged.push({ name, result: await this.analyse(name), fault: "" });
      } catch (reason) {
        judged.push({ name, fault: reason instanceof Error ? reason.message : String(reason) });
      }
    }
    if (number === this.#asked) [this.judged, this.judgedOf] = [judged, files];
  }
}

/** Reports whether a file contains rules. Only rules about the order of calls can have a proof. */
function isRules(name: string): boolean {
  return name.endsWith(".rules");
}

/** Returns the core's verdict on a formula, or its first error. */
function verdictOf(item: OutlineItem, diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  const within = diagnostics.filter((d) => d.from >= item.from && d.to <= item.to);
  return within.find((d) => d.severity === "error") ?? within.find((d) => judged.includes(d.code)) ?? within[0];
}

const judged = ["ltl.holds", "ltl.violated", "ltl.apart", "ltl.waiting", "rules.holds", "rules.violated"];

customElements.define("stile-properties", StileProperties);
