import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { Difference, File, SpecCompareResult } from "../core/wire.js";
import { hasSteps, notationOf } from "../store/file-kind.js";
import type { Fault } from "../core/core-protocol.js";
import { faultOf } from "../store/faults.js";
import type { Draft } from "../store/state.js";
import { sentence } from "../ui/text.js";
import { written } from "../read/written.js";
import "../edit/diff-view.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** A word to step through, and the spec that reads it. */
export interface Stepped {
  readonly name: string;
  readonly word: readonly string[];
}

/** A file of rules, and its other version: "file:NAME", "draft:TIME", or "pasted" with the text. */
export interface Versions {
  readonly name: string;
  readonly second: string;
  readonly pasted: string;
}

interface Compared {
  readonly first: File;
  readonly second: File;
  /** The second spec in words. */
  readonly label: string;
  readonly result?: SpecCompareResult;
  readonly fault?: Fault;
}

const PASTED = "pasted";

/** Compares the words of two specs: two files, or a file and an earlier version or a pasted text. */
export class StileCompareSpecs extends LightElement {
  @prop files: readonly File[] = [];
  @prop current = "";
  @prop drafts: readonly Draft[] = [];
  @prop core!: CoreClient;
  @state first = "";
  /** "file:NAME", "draft:TIME" or PASTED. */
  @state second = "";
  @state pasted = "";
  @state compared: Compared | null = null;
  @state working = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("files") && !changed.has("current")) return;
    const names = this.#files().map((f) => f.name);
    if (changed.has("current") && names.includes(this.current)) this.first = this.current;
    if (!names.includes(this.first)) this.first = names[0] ?? "";
  }

  protected override render(): unknown {
    const files = this.#files();
    if (files.length === 0) return nothing;
    const others = files.filter((f) => f.name !== this.first);
    const versions = this.#versions();
    const { compared } = this;
    return html`<section class="verify-part" aria-labelledby="compare-specs-title">
      <h2 id="compare-specs-title">Compare two specs</h2>
      <p class="hint">Finds the shortest words that one spec accepts and the other rejects.</p>
      <div class="fields">
        <label class="field"
          ><span>First</span
          ><select .value=${this.first} @change=${this.#chosenFirst}>
            ${files.map((f) => html`<option value=${f.name} ?selected=${f.name === this.first}>${f.name}</option>`)}
          </select>
        </label>
        <label class="field"
          ><span>Second</span
          ><select class="second-spec" @change=${this.#chosenSecond}>
            <option value="" ?selected=${this.second === ""}>Choose…</option>
            ${others.map((f) => html`<option value="file:${f.name}" ?selected=${this.second === `file:${f.name}`}>${f.name}</option>`)}
            ${versions.map((d) => html`<option value="draft:${d.savedAt}" ?selected=${this.second === `draft:${d.savedAt}`}>${labelOf(d, this.first)}</option>`)}
            <option value=${PASTED} ?selected=${this.second === PASTED}>Pasted text</option>
          </select>
        </label>
      </div>
      ${
        this.second === PASTED
          ? html`<label class="field wide"
              ><span>Text to compare with <code>${this.first}</code>, in the same notation</span
              ><textarea
                class="compare-pasted"
                rows="5"
                spellcheck="false"
                .value=${this.pasted}
                @input=${(e: Event) => (this.pasted = (e.target as HTMLTextAreaElement).value)}
              ></textarea>
            </label>`
          : nothing
      }
      <div class="row">
        <button
          class="button"
          type="button"
          ?disabled=${this.working || this.#target() === null}
          @click=${() => void this.#compare()}
        >
          ${this.working ? "Comparing…" : "Find differences"}
        </button>
      </div>
      <div role="status" class="${compared !== null && this.#stale(compared) ? "outdated" : ""}">
        ${compared === null ? nothing : this.#shown(compared)}
      </div>
    </section>`;
  }

  #shown({ first, second, label, result, fault }: Compared): unknown {
    if (result === undefined)
      return html`<p class="fault">${sentence(fault?.message ?? "the comparison failed")}</p>
        ${
          fault?.code === "rules.data" && notationOf(second.name) === "rules"
            ? html`<p class="hint">
                  The solver can compare rules about data: it searches the shortest sessions that one version permits
                  and the other forbids.
                </p>
                <button
                  class="button small"
                  type="button"
                  @click=${() => this.emit<Versions>("versions-requested", { name: first.name, second: this.second, pasted: this.pasted })}
                >
                  Compare sessions
                </button>`
            : nothing
        }`;
    const file = this.second.startsWith("file:");
    return html`<p><strong>${verdict(result, first.name, label)}</strong></p>
      <ul class="word-list">
        ${difference(result.onlyFirst, first.name, label, (word) => this.#step(first.name, word))}
        ${difference(result.onlySecond, label, first.name, (word) => this.#step(file ? second.name : first.name, word))}
      </ul>
      ${notationOf(first.name) === notationOf(second.name) ? html`<stile-diff .name=${`${first.name} → ${label}`} .from=${first.text} .to=${second.text}></stile-diff>` : nothing}`;
  }

  #step(name: string, word: readonly string[]): unknown {
    if (!hasSteps(name) || !this.files.some((f) => f.name === name)) return nothing;
    return html`<button
      class="button small"
      type="button"
      aria-label="Step through ${word.join(" ") || "the empty word"} in ${name}"
      @click=${() => this.emit<Stepped>("step-requested", { name, word })}
    >
      Step
    </button>`;
  }

  #files(): readonly File[] {
    return this.files.filter((f) => hasSteps(f.name));
  }

  /** Returns the earlier versions of the first spec. */
  #versions(): readonly Draft[] {
    const text = this.#textOf(this.first);
    return this.drafts.filter((d) => d.files.some((f) => f.name === this.first && f.text !== text));
  }

  #textOf(name: string): string {
    return this.files.find((f) => f.name === name)?.text ?? "";
  }

  #target(): { readonly second: File; readonly label: string } | null {
    if (this.second === PASTED)
      return this.pasted.trim() === ""
        ? null
        : { second: { name: this.first, text: this.pasted }, label: "the pasted text" };
    const [kind, name] = [
      this.second.slice(0, this.second.indexOf(":")),
      this.second.slice(this.second.indexOf(":") + 1),
    ];
    if (kind === "file") {
      const second = this.files.find((f) => f.name === name);
      return second === undefined ? null : { second, label: name };
    }
    const draft = this.drafts.find((d) => String(d.savedAt) === name);
    const second = draft?.files.find((f) => f.name === this.first);
    return draft === undefined || second === undefined ? null : { second, label: labelOf(draft, this.first) };
  }

  #stale({ first, second }: Compared): boolean {
    return this.#textOf(first.name) !== first.text || this.#target()?.second.text !== second.text;
  }

  #chosenFirst = (event: Event): void => {
    this.first = (event.target as HTMLSelectElement).value;
    if (this.second === `file:${this.first}`) this.second = "";
    void this.#compare();
  };

  #chosenSecond = (event: Event): void => {
    this.second = (event.target as HTMLSelectElement).value;
    void this.#compare();
  };

  async #compare(): Promise<void> {
    const target = this.#target();
    const first = this.files.find((f) => f.name === this.first);
    this.compared = null;
    if (target === null || first === undefined) return;
    this.working = true;
    const compared = { first, ...target };
    try {
      this.compared = {
        ...compared,
        result: await this.core.call("spec.compare", { first, second: target.second, files: [...this.files] }),
      };
    } catch (reason) {
      this.compared = { ...compared, fault: faultOf(reason) };
    }
    this.working = false;
  }
}

function labelOf(draft: Draft, name: string): string {
  return `${name} of ${draft.title}, ${new Date(draft.savedAt).toLocaleString()}`;
}

function verdict({ relation, onlyFirst, onlySecond }: SpecCompareResult, first: string, second: string): string {
  const bounds = [onlyFirst, onlySecond].filter((d) => d.word === null && !d.exact).map((d) => d.upTo);
  const bound = bounds.length === 0 ? "" : ` among words of up to ${Math.max(Math.min(...bounds), 0)} symbols`;
  switch (relation) {
    case "equal":
      return bound === "" ? "Equal: both accept the same words." : `Equal${bound}; longer words were not compared.`;
    case "contained":
      return `${second} accepts more${bound === "" ? ": it contains every word of " : `; it contains every word${bound} of `}${first}.`;
    case "contains":
      return `${first} accepts more${bound === "" ? ": it contains every word of " : `; it contains every word${bound} of `}${second}.`;
    default:
      return "Different: each accepts a word that the other rejects.";
  }
}

function difference(
  { word, exact, upTo }: Difference,
  has: string,
  lacks: string,
  step: (word: readonly string[]) => unknown,
): unknown {
  if (word === null)
    return html`<li>
      <span class="hint"
        >${exact ? `Proved: no word of ${has} is missing from ${lacks}.` : upTo < 0 ? `No word of ${has} could be compared within the limits.` : `No word of ${has} of up to ${upTo} symbols is missing from ${lacks}.`}</span
      >
    </li>`;
  return html`<li>
    <span class="hint">Only in ${has}:</span> <code class="word">${written(word.word)}</code>
    ${word.text === undefined ? nothing : html`<span class="hint">for example <code>${JSON.stringify(word.text).slice(1, -1)}</code></span>`}
    ${step(word.word)}
  </li>`;
}

customElements.define("stile-compare-specs", StileCompareSpecs);
