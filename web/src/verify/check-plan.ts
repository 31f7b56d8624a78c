import { html, nothing, type PropertyValues } from "lit";
import type { ExampleWord } from "../store/state.js";
import type { File, PlanCheckResult, PlanFound, PlanStep } from "../core/wire.js";
import { requestTest } from "../tests/request-test.js";
import { count, sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Milliseconds without typing before a plan is checked. */
const CHECK_DELAY = 250;
/** The maximum number of listed expected symbols. */
const MAX_EXPECTED = 24;

const forms: Readonly<Record<string, string>> = { word: "a word", function: "a function", steps: "steps" };

/** Names an example to try, with a number if it is not the first valid or invalid one. */
function tryLabel(examples: readonly ExampleWord[], at: number): string {
  const pass = examples[at]?.pass === true;
  const before = examples.slice(0, at).filter((e) => e.pass === pass).length;
  if (before > 0) return `${pass ? "valid plan" : "mistake"} ${before + 1}`;
  return pass ? "a valid plan" : "one with a mistake";
}

/**
 * Checks any plan, in any form, against the spec: the symbols read, the first mistake, and the nearest
 * valid plan.
 */
export class StileCheckPlan extends LightElement {
  /** The spec of the plan. */
  @prop spec = "";
  @prop files: readonly File[] = [];
  @prop examples: readonly ExampleWord[] = [];
  @prop check: (spec: string, text: string) => Promise<PlanCheckResult> = () =>
    Promise.reject(new Error("the core is not available"));
  @prop broken = false;
  @state text = "";
  @state result: {
    readonly text: string;
    readonly spec: string;
    readonly files: readonly File[];
    readonly check: PlanCheckResult;
  } | null = null;
  @state fault = "";
  @state working = false;

  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Sets a plan and checks it. */
  take(text: string): void {
    this.text = text;
    void this.#check();
    this.querySelector("textarea")?.focus();
  }

  protected override render(): unknown {
    return html` <section class="verify-part" aria-labelledby="check-title">
      <h2 id="check-title">Check a plan</h2>
      <div class="field wide">
        <label for="plan-text"
          >A plan for <code>${this.spec}</code>: a word, a function, or numbered steps in your own words</label
        >
        <textarea
          id="plan-text"
          rows="4"
          spellcheck="false"
          placeholder=${this.examples.find((e) => e.pass)?.word.join(" ") ?? "1. …"}
          .value=${this.text}
          @input=${this.#input}
        ></textarea>
      </div>
      ${this.#tryOut()}
      <div class="check-result ${this.#outdated ? "outdated" : ""}" role="status" aria-busy=${this.working}>
        ${this.broken ? html`<p class="hint">Fix the spec’s errors to check plans.</p>` : this.#result()}
      </div>
    </section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if ((changed.has("files") || changed.has("spec")) && changed.get("files") !== undefined && this.text !== "")
      this.#soon();
  }

  /** Whether the result belongs to another plan or spec. */
  get #outdated(): boolean {
    const { result } = this;
    return result !== null && !(result.text === this.text && result.spec === this.spec && result.files === this.files);
  }

  #tryOut(): unknown {
    if (this.examples.length === 0 || this.text !== "") return nothing;
    return html`<div class="row wrap">
      <span class="hint">Try</span> ${this.examples
        .slice(0, 4)
        .map(
          ({ word }, i) =>
            html` <button class="button small" type="button" @click=${() => this.take(word.join(" "))}>
              ${tryLabel(this.examples, i)}
            </button>`,
        )}
    </div>`;
  }

  #result(): unknown {
    if (this.fault !== "") return html`<p class="fault"><span>${sentence(this.fault)}</span></p>`;
    if (this.result === null || this.text.trim() === "")
      return this.working
        ? html`<p class="hint"><span class="spinner" aria-hidden="true"></span> Checking…</p>`
        : nothing;
    const { text, spec, check } = this.result;
    return html` <div class="check-head">
        <span class="pill ${check.valid ? "good" : "bad"}">${check.valid ? "valid" : "not valid"}</span>
        <span>${check.valid ? html`This is a plan of <code>${spec}</code>.` : sentence(check.fault ?? "")}</span>
        <span class="hint">read as ${forms[check.form] ?? check.form}</span>
        <button class="button small" type="button" @click=${() => requestTest(this, { spec, form: "plan", text })}>
          Add as test
        </button>
      </div>
      ${check.reason === undefined || check.reason === "" ? nothing : html`<pre class="prompt" tabindex="0">${check.reason}</pre>`}
      <p class="read-text">${marked(text, check)}</p>
      ${check.notes.map((note) => html`<p class="hint">${sentence(note)}</p>`)}
      ${
        check.valid
          ? this.#plan(check.word, check.function, check.steps)
          : html` ${check.expected.length === 0 ? nothing : html`<p class="expected"><span class="hint">${check.expected.length === 1 ? "Expected" : "Expected one of"}</span> ${check.expected.slice(0, MAX_EXPECTED).map((e) => html`<span class="chip" title=${e.label}>${e.symbol === "" ? e.label : e.symbol}</span> `)}${check.expected.length > MAX_EXPECTED ? html`<span class="hint">and ${check.expected.length - MAX_EXPECTED} more</span>` : nothing}</p>`}
            ${this.#nearest(check)}`
      }`;
  }

  #nearest({ nearest }: PlanCheckResult): unknown {
    if (nearest === undefined || nearest === null)
      return html`<p class="hint">No valid plan is similar to this one.</p>`;
    return html` <div class="nearest">
      <div class="form-head">
        <h3>The nearest valid plan</h3>
        <span class="hint">${count(nearest.distance, "edit")}</span>
      </div>
      <ul class="edits">
        ${nearest.edits.map((edit) => html`<li class=${edit.op}>${edit.text}</li>`)}
      </ul>
      ${this.#plan(nearest.word, nearest.function, nearest.steps)}
    </div>`;
  }

  #plan(word: readonly string[], form: string, steps: readonly PlanStep[]): unknown {
    const symbols = word.join(" ");
    return html` ${
        steps.length === 0
          ? nothing
          : html`<ol class="steps">
              ${steps.map((s) => html`<li value=${s.n}><span>${s.text}</span>${s.text === s.symbol ? nothing : html` <code>${s.symbol}</code>`}</li>`)}
            </ol>`
      }
      <div class="with-button">
        <pre class="one-line" tabindex="0">${form === "" ? symbols || "ε" : form}</pre>
        <stile-copy-button .text=${form || symbols} .what=${"the plan"}></stile-copy-button>
      </div>
      <div>
        <button class="button small" type="button" @click=${() => this.emit("word-requested", word)}>
          Step through it
        </button>
      </div>`;
  }

  #input = (event: Event): void => {
    this.text = (event.target as HTMLTextAreaElement).value;
    this.#soon();
  };

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_DELAY);
  }

  async #check(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.text.trim() === "" || this.broken) {
      this.result = null;
      this.fault = "";
      return;
    }
    if (this.working) return; // checked again at the end
    this.working = true;
    const { text, spec, files } = this;
    try {
      this.result = { text, spec, files, check: await this.check(spec, text) };
      this.fault = "";
    } catch (reason) {
      this.result = null;
      this.fault = reason instanceof Error ? reason.message : String(reason);
    }
    this.working = false;
    if (text !== this.text || spec !== this.spec || files !== this.files) void this.#check();
  }
}

/** Renders the text with recognised parts underlined and mistakes marked. */
function marked(text: string, check: PlanCheckResult): unknown[] {
  const wrong = (i: number, f: PlanFound): boolean =>
    !check.valid && (i === check.at || (f.from >= check.from && f.to <= check.to && check.to > check.from));
  const spans = [
    ...check.found.map((f, i) => ({
      from: f.from,
      to: f.to,
      class: f.symbol === "" ? "unknown" : wrong(i, f) ? "wrong" : "found",
      title: [f.symbol === f.label ? f.symbol : `${f.label} ${f.symbol}`, f.note ?? ""]
        .filter((s) => s.trim() !== "")
        .join("; "),
    })),
    ...check.unread.map((u) => ({
      from: u.from,
      to: u.to,
      class: "unread",
      title: u.step ? "a step that names no symbol of the spec" : "not part of the plan",
    })),
  ]
    .filter((s) => s.to > s.from)
    .sort((a, b) => a.from - b.from);
  const out: unknown[] = [];
  let at = 0;
  for (const span of spans) {
    if (span.from < at) continue; // within a marked part
    out.push(
      text.slice(at, span.from),
      html`<mark class=${span.class} title=${span.title}>${text.slice(span.from, span.to)}</mark>`,
    );
    at = span.to;
  }
  out.push(text.slice(at));
  if (!check.valid && check.at === check.found.length && check.found.length > 0)
    out.push(html` <mark class="missing" title=${check.fault ?? ""}>…</mark>`);
  return out;
}

customElements.define("stile-check-plan", StileCheckPlan);
