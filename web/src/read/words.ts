import { html, nothing } from "lit";
import type {
  Drawing,
  File,
  GrammarAmbiguityResult,
  NearMiss,
  SpecCostResult,
  SpecWordsResult,
  WordSample,
} from "../core/wire.js";
import { notationOf } from "../store/file-kind.js";
import type { LayoutClient } from "../draw/layout-client.js";
import { messageOf } from "../store/faults.js";
import { sentence } from "../ui/text.js";
import { prop, state } from "../ui/light-element.js";
import { ReadingPart } from "./reading-part.js";
import { written } from "./written.js";
import "../draw/drawing.js";

/** The number of random words that are drawn at once. */
const NUMBER = 8;
/** The maximum length of the words among which an ambiguous one is searched. */
const AMBIGUITY_LENGTH = 12;

interface Ambiguity {
  readonly of: string;
  readonly result?: GrammarAmbiguityResult;
  readonly trees?: readonly Drawing[];
  readonly fault?: string;
}

/** Words of a spec: a shortest one, random ones, counts, near misses, and an ambiguous word with
 * its trees. */
export class StileWords extends ReadingPart<SpecWordsResult> {
  @prop layouts: LayoutClient | undefined;
  @prop files: readonly File[] = [];
  /** The formula whose traces are the words, by its index. */
  @prop formula = "";
  /** Whether the words are runs of an agent. */
  @prop runs = false;
  /** Whether the spec is a grammar, which can be ambiguous. */
  @prop trees = false;
  @state length: number | null = null;
  @state ambiguity: Ambiguity | null = null;
  @state searching = false;
  /** The cost of the rules, or the reason why it could not be counted; null until it is requested. */
  @state cost: { readonly of: string; readonly result?: SpecCostResult; readonly fault?: string } | null = null;

  #seed = 1;

  protected override load(): Promise<SpecWordsResult> {
    const { name, length } = this;
    return this.core.call("spec.words", {
      files: [...this.files],
      name,
      view: this.formula,
      number: NUMBER,
      seed: this.#seed,
      ...(length !== null && { length }),
    });
  }

  protected override show(result: SpecWordsResult): unknown {
    const [noun, nouns] = this.runs ? ["run", "runs"] : ["word", "words"];
    if (result.empty) return html`<p>No ${noun} is valid.</p>`;
    const counted = result.counts.filter((c) => c.words !== "0");
    return html`
      <section aria-labelledby="shortest-title">
        <h2 id="shortest-title">Shortest ${noun}</h2>
        ${
          result.shortest === null
            ? html`<p class="hint">The search exceeded its limit.</p>`
            : html`<ul class="word-list">
                ${this.#word(result.shortest)}
              </ul>`
        }
      </section>
      <section aria-labelledby="samples-title">
        <h2 id="samples-title">Random ${nouns}</h2>
        <div class="row">
          <label class="length-choice"
            >Length
            <select @change=${this.#lengthChosen}>
              <option value="" ?selected=${this.length === null}>any</option>
              ${counted.map((c) => html`<option value=${c.length} ?selected=${this.length === c.length}>${c.length}</option>`)}
            </select>
          </label>
          <button class="button small" type="button" @click=${this.#another}>Draw others</button>
        </div>
        ${
          result.words.length === 0
            ? html`<p class="hint">
                ${result.shortest === null || counted.length === 0 ? `Too many ${nouns} to draw one at random.` : `No ${noun} has this length.`}
              </p>`
            : html`${
                  result.walks
                    ? html`<p class="hint">
                        Too many ${nouns} to count: each next symbol is drawn at random, so some ${nouns} are likelier
                        than others.
                      </p>`
                    : nothing
                }
                <ul class="word-list" aria-live="polite">
                  ${different(result.words).map((w) => this.#word(w))}
                </ul>`
        }
      </section>
      ${
        counted.length === 0
          ? nothing
          : html`<section aria-labelledby="counts-title">
              <h2 id="counts-title">Number of ${nouns}</h2>
              <div class="counts-scroll" tabindex="0" role="group" aria-label="Counts by length">
                <table class="plain counts">
                  <tbody>
                    <tr>
                      <th scope="row">Length</th>
                      ${result.counts.map((c) => html`<td>${c.length}</td>`)}
                    </tr>
                    <tr>
                      <th scope="row">${this.runs ? "Runs" : "Words"}</th>
                      ${result.counts.map((c) => html`<td>${grouped(c.words)}</td>`)}
                    </tr>
                  </tbody>
                </table>
              </div>
            </section>`
      }
      ${
        result.nearMisses.length === 0
          ? nothing
          : html`<section aria-labelledby="misses-title">
              <h2 id="misses-title">Near misses</h2>
              <p class="hint">Each is invalid and differs from a valid ${noun} by one symbol.</p>
              <ul class="word-list">
                ${result.nearMisses.map((miss) => this.#miss(miss))}
              </ul>
            </section>`
      }
      ${this.formula === "" && this.files.length > 1 && notationOf(this.name) !== "formulas" ? this.#costs(nouns) : nothing}
      ${this.trees ? this.#ambiguous() : nothing}
    `;
  }

  // The cost of the rules.

  #costs(nouns: string): unknown {
    const found = this.cost?.of === this.#workspace() ? this.cost : null;
    return html`<section aria-labelledby="cost-title">
      <h2 id="cost-title">Cost of the rules</h2>
      <div role="status">
        ${found?.fault === undefined ? nothing : html`<p class="fault">${sentence(found.fault)}</p>`}
        ${found?.result === undefined ? nothing : costs(found.result, this.name, nouns)}
      </div>
      ${
        found === null
          ? html`<button class="button small" type="button" @click=${() => void this.#count()}>
              Count the ${nouns} that each formula excludes
            </button>`
          : nothing
      }
    </section>`;
  }

  #workspace(): string {
    return [this.name, ...this.files.flatMap((f) => [f.name, f.text])].join("\n");
  }

  async #count(): Promise<void> {
    const of = this.#workspace();
    try {
      this.cost = { of, result: await this.core.call("spec.cost", { files: [...this.files], name: this.name }) };
    } catch (reason) {
      this.cost = { of, fault: messageOf(reason) };
    }
  }

  #word({ word, text }: WordSample): unknown {
    return html`<li>
      <code class="word">${written(word)}</code>
      ${text === undefined ? nothing : html`<span class="hint">for example <code>${JSON.stringify(text).slice(1, -1)}</code></span>`}
      ${this.#step(word)}
    </li>`;
  }

  #step(word: readonly string[]): unknown {
    return html`<button
      class="button small"
      type="button"
      aria-label="Step through ${word.join(" ") || "the empty word"}"
      @click=${() => this.emit("word-requested", word)}
    >
      Step
    </button>`;
  }

  #miss({ word, at, expected, more, edit }: NearMiss): unknown {
    const wrong = word[at];
    return html`<li>
      <code class="word"
        >${at > 0 ? written(word.slice(0, at)) : nothing}
        <mark class=${wrong === undefined ? "missing" : "wrong"}>${wrong === undefined ? "…" : written([wrong])}</mark>
        ${at + 1 < word.length ? written(word.slice(at + 1)) : nothing}</code
      >
      <span class="hint"
        >one symbol
        ${edit}${expected.length === 0 ? "; no symbol can follow here" : html`; expected here: ${expected.map((e, i) => html`${i > 0 ? ", " : ""}<code>${e}</code>`)}${more > 0 ? ` and ${more} more` : ""}`}</span
      >
      ${this.#step(word)}
    </li>`;
  }

  // Ambiguity.

  #ambiguous(): unknown {
    const found = this.ambiguity?.of === this.text ? this.ambiguity : null;
    return html`<section aria-labelledby="ambiguity-title">
      <h2 id="ambiguity-title">Ambiguity</h2>
      <p role="status">${found === null ? nothing : verdict(found)}</p>
      ${
        found?.result?.witness == null
          ? nothing
          : html`<ul class="word-list">
                ${this.#word({ word: found.result.witness })}
              </ul>
              <div class="two-trees">
                ${found.trees?.map(
                  (drawing, i) =>
                    html`<stile-drawing
                      .drawing=${drawing}
                      .layouts=${this.layouts}
                      .slotName=${`tree-${i}`}
                      .of=${`${this.key} ${i}`}
                    ></stile-drawing>`,
                )}
              </div>`
      }
      ${
        found === null
          ? html`<button
              class="button small"
              type="button"
              ?disabled=${this.searching}
              @click=${() => void this.#search()}
            >
              ${this.searching ? "Searching…" : "Find an ambiguous word"}
            </button>`
          : nothing
      }
    </section>`;
  }

  async #search(): Promise<void> {
    const { text } = this;
    this.searching = true;
    try {
      const result = await this.core.call("grammar.ambiguity", { source: text, maxLength: AMBIGUITY_LENGTH });
      const trees =
        result.witness === null
          ? []
          : (await this.core.call("grammar.trees", { source: text, word: result.witness, number: 2 })).drawings;
      this.ambiguity = { of: text, result, trees: trees.flatMap((d) => (d === null ? [] : [d])) };
    } catch (reason) {
      this.ambiguity = { of: text, fault: messageOf(reason) };
    }
    this.searching = false;
  }

  override get key(): string {
    return `${super.key}\n${this.formula}`;
  }

  #lengthChosen = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.length = value === "" ? null : Number(value);
    void this.reload();
  };

  #another = (): void => {
    this.#seed++;
    void this.reload();
  };
}

function different(words: readonly WordSample[]): readonly WordSample[] {
  return [...new Map(words.map((w) => [w.word.join("\0"), w])).values()];
}

function verdict({ result, fault }: Ambiguity): string {
  if (result === undefined) return sentence(fault ?? "the search failed");
  if (result.unambiguous) return "Unambiguous: proved for every word.";
  if (result.witness === null) return `No word of up to ${result.upTo} symbols is ambiguous.`;
  const trees = result.trees === -1 ? "infinitely many" : String(result.trees);
  return `Ambiguous: this word has ${trees} derivation trees${result.trees === 2 ? "" : "; two are drawn"}.`;
}

/** Groups the digits of a number; a long one is shortened to its size. */
function grouped(digits: string): string {
  return digits.length > 15
    ? `≈ ${digits[0] ?? ""}.${digits[1] ?? ""} · 10^${digits.length - 1}`
    : digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Renders how many words the rules still allow. */
function costs({ words, left, rules, specs, upTo, last }: SpecCostResult, name: string, nouns: string): unknown {
  if (upTo < 0) return html`<p class="hint">There are too many ${nouns} to count.</p>`;
  return html`<div class="counts-scroll" tabindex="0" role="group" aria-label="Numbers by rule">
      <table class="plain counts">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">alone</th>
            <th scope="col">without it</th>
            <th scope="col">with the rules above</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">${name}</th>
            <td>${grouped(words)}</td>
            <td></td>
            <td>${grouped(words)}</td>
          </tr>
          ${rules.map(
            (r) =>
              html`<tr>
                <th scope="row">${r.name}</th>
                <td>${grouped(r.alone)}</td>
                <td>${grouped(r.others)}</td>
                <td>${grouped(r.then)}</td>
              </tr>`,
          )}
          ${specs.map(
            (s) =>
              html`<tr>
                <th scope="row">${s.name}</th>
                <td>${grouped(s.words)}</td>
                <td></td>
                <td></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="hint">
      ${grouped(left)} of ${grouped(words)} ${nouns} satisfy all
      formulas${last < upTo - 1 ? "" : `, of up to ${upTo} symbols`}.
    </p>`;
}

customElements.define("stile-words", StileWords);
