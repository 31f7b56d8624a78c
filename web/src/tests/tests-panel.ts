import { html, nothing, type PropertyValues } from "lit";
import { iconCheck, iconError } from "../ui/icons.js";
import type { Place } from "../store/state.js";
import type { Diagnostic, TestsCase } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import type { Results } from "./run-tests.js";
import { caseCounts } from "./test-counts.js";

/** The number of cases that are listed at first. */
const MAX_LISTED = 60;

/** A word to step through. */
export interface TestWord {
  readonly spec: string;
  readonly word: readonly string[];
}

/** The cases of a spec, or of a file of tests, with their results. */
export class StileTests extends LightElement {
  @prop result: Results | null = null;
  /** The open file: a spec, or a file of tests. */
  @prop current = "";
  /** The place of the cursor in the open file. */
  @prop cursor = 0;
  /** Whether the results belong to an earlier text. */
  @prop old = false;
  @state all = false;

  protected override render(): unknown {
    const cases = this.#cases();
    const faults =
      this.result?.faults.filter((f) => f.file === this.current || cases.some((c) => c.file === f.file)) ?? [];
    const alone = this.#alone;
    if (cases.length + faults.length === 0)
      return alone ? html`<p class="empty">No cases yet. Write one, such as <code>accept a b</code>.</p>` : nothing;
    const { said, tone } = caseCounts(cases, faults.length);
    const listed = this.all ? cases : cases.slice(0, MAX_LISTED);
    return html` <section class="tests ${this.old ? "old" : ""}" aria-labelledby="tests-title">
      <div class="tests-head">
        <h2 id="tests-title">Tests</h2>
        <span class="pill ${tone}" role="status">${said}</span>
      </div>
      <ul class="test-list" aria-labelledby="tests-title">
        ${faults.filter((f) => !cases.some((c) => c.file === f.file && c.line === f.line)).map((f) => this.#fault(f))}
        ${listed.map((c) => this.#case(c, alone))}
      </ul>
      ${
        listed.length === cases.length
          ? nothing
          : html`<button class="button small" type="button" @click=${() => (this.all = true)}>
              Show all ${cases.length}
            </button>`
      }
    </section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("cursor")) this.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }

  get #alone(): boolean {
    return this.current.endsWith(".tests");
  }

  #cases(): readonly TestsCase[] {
    return this.result?.cases.filter((c) => (this.#alone ? c.file : c.spec) === this.current) ?? [];
  }

  #fault(f: Diagnostic): unknown {
    const file = f.file ?? "";
    return html`<li class="test">
      <button
        class="test-main"
        type="button"
        @click=${() => this.emit<Omit<Place, "count">>("place-requested", { name: file, from: f.from, to: f.to })}
      >
        <span class="tone-error">${iconError}</span>
        <span class="hint">${file}:${f.line}</span>
        <span class="test-case">${sentence(f.message)}</span>
      </button>
    </li>`;
  }

  #case(c: TestsCase, alone: boolean): unknown {
    const pass = c.status === "pass";
    const current = alone && this.cursor >= c.from && this.cursor <= c.to;
    const word = (c.word ?? []).join(" ");
    const text = c.form === "word" ? word || "ε" : c.form;
    const place = { name: c.file, from: c.atFrom, to: c.atTo };
    return html`<li class="test" data-test=${c.status} aria-current=${current ? "true" : nothing}>
      <button
        class="test-main"
        type="button"
        title=${alone || c.form !== "word" ? "Show it in the text" : "Step through it"}
        @click=${() => (alone || c.form !== "word" ? this.emit("place-requested", place) : this.emit<TestWord>("word-requested", { spec: c.spec, word: c.word ?? [] }))}
      >
        <span class=${pass ? "tone-good" : "tone-error"}
          >${pass ? iconCheck : c.status === "fail" ? "✗" : iconError}</span
        >
        <span class="visually-hidden">${pass ? "passes" : c.status === "fail" ? "fails" : "error"}:</span>
        <span class="hint">${c.expected}</span>
        <span class="test-case"
          ><code>${text}</code>${c.label === text || c.label === word ? nothing : html` <span>${c.label}</span>`}</span
        >
      </button>
      ${
        alone
          ? nothing
          : html`<button
              class="text-link test-place"
              type="button"
              title="Show it in the text"
              @click=${() => this.emit("place-requested", place)}
            >
              ${c.file}:${c.line}
            </button>`
      }
      ${pass ? nothing : html`<p class="test-reason">${reasonOf(c)}</p>`}
    </li>`;
  }
}

/** Returns the verdict and the reason of a case that does not pass. */
function reasonOf({ actual, reason = "" }: TestsCase): string {
  if (reason === "") return `Got ${actual}.`;
  return actual === "" || reason.startsWith(actual) ? sentence(reason) : `Got ${actual}: ${sentence(reason)}`;
}

customElements.define("stile-tests", StileTests);
