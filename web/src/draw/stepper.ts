import { html, nothing } from "lit";
import type { Fault } from "../core/core-protocol.js";
import { iconCheck, iconReset, iconTree, iconUndo } from "../ui/icons.js";
import type { NotationName } from "../core/notations.js";
import type { CheckedWord, Walk } from "../store/state.js";
import type { Letter, StepWalkResult, Use } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import { LightElement, prop } from "../ui/light-element.js";
import "./stack.js";

/** The maximum number of buttons for valid next symbols; the others can be typed. */
const MAX_BUTTONS = 60;
/** The maximum number of symbols of a word that are shown as chips; earlier ones are folded. */
const MAX_CHIPS = 80;
const MAX_USES = 40;

const headings: Readonly<Partial<Record<NotationName, string>>> = {
  agent: "Step through a run",
  formulas: "Step through a trace of the formula",
  rules: "Step through the calls of a run of the rule",
};

const complete: Readonly<Partial<Record<NotationName, string>>> = {
  agent: "a complete run",
  flowchart: "an accepted prefix",
  formulas: "a trace that satisfies the formula",
  rules: "a run that the rule permits",
};

/** Steps an automaton through a word, symbol by symbol. */
export class StileStepper extends LightElement {
  @prop word: readonly string[] = [];
  @prop walk: Walk | null = null;
  @prop fault: Fault | null = null;
  /** The kind of the file. */
  @prop notation: NotationName = "grammar";
  /** Whether the text has errors, so that stepping is off. */
  @prop broken = false;
  @prop labels: readonly Letter[] = [];
  @prop checked: readonly CheckedWord[] = [];
  /** Whether the word can be added to the tests of the spec. */
  @prop keeps = false;
  @prop treeShown = false;

  protected override render(): unknown {
    const result = this.walk?.result ?? null;
    const stack = result !== null && result.configurations.some((c) => c.stack.length > 0);
    return html` <div class="stepper-head">
        <h2>${headings[this.notation] ?? "Step through a word"}</h2>
        <div class="row">
          ${
            result?.treeDrawing === undefined || result.treeDrawing === null
              ? nothing
              : html` <button
                  class="button small"
                  type="button"
                  aria-pressed=${this.treeShown}
                  @click=${() => this.emit("tree-requested", !this.treeShown)}
                >
                  ${iconTree} Derivation tree
                </button>`
          }
          ${
            this.keeps
              ? html`<button
                  class="button small"
                  type="button"
                  title="Add the word, with its current verdict, to the tests of the spec"
                  ?disabled=${this.broken || result === null}
                  @click=${() => this.emit("word-kept", null)}
                >
                  Add as test
                </button>`
              : nothing
          }
          <button
            class="icon-button"
            type="button"
            title="Undo the last symbol"
            aria-label="Undo the last symbol"
            ?disabled=${this.word.length === 0}
            @click=${() => this.#set(this.word.slice(0, -1))}
          >
            ${iconUndo}
          </button>
          <button
            class="icon-button"
            type="button"
            title="Start over"
            aria-label="Start over"
            ?disabled=${this.word.length === 0}
            @click=${() => this.#set([])}
          >
            ${iconReset}
          </button>
        </div>
      </div>
      ${this.#wordLine(result)}
      <p class="verdict ${this.broken ? "" : (result?.verdict ?? "")}" role="status">${this.#verdict(result)}</p>
      ${
        this.broken || result === null
          ? nothing
          : html` <div class="stepper-body">
              <div class="next">
                <h3 id="next-title">Valid next symbols</h3>
                ${this.#next(result)} ${this.#uses(result.uses)}
              </div>
              ${
                stack
                  ? html`<div class="stacks">
                      <h3>${result.configurations.length > 1 ? "Stacks" : "Stack"}</h3>
                      <stile-stack
                        .configurations=${result.configurations}
                        .truncated=${result.truncated}
                      ></stile-stack>
                    </div>`
                  : nothing
              }
            </div>`
      }
      ${this.#examples()}`;
  }

  #wordLine(result: StepWalkResult | null): unknown {
    const hidden = Math.max(0, this.word.length - MAX_CHIPS);
    const wrong = result?.violation ?? null;
    const fresh = this.walk !== null && this.walk.word === this.word;
    return html` <div
      class="word-line"
      @click=${(e: Event) => e.target === e.currentTarget && this.querySelector("input")?.focus()}
    >
      ${hidden > 0 ? html`<span class="hint">${hidden} before …</span>` : nothing}
      ${
        this.word.length === 0
          ? nothing
          : html`<ol class="chips" aria-label="The word so far">
              ${this.word
                .slice(hidden)
                .map(
                  (letter, i) =>
                    html` <li
                      class="chip ${fresh && wrong !== null && i + hidden >= wrong ? (i + hidden === wrong ? "wrong" : "after") : ""}"
                      title=${this.#label(letter)}
                    >
                      ${letter}
                    </li>`,
                )}
            </ol>`
      }
      <input
        class="word-input"
        type="text"
        list="next-letters"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-label="Next symbols, separated by spaces; press Enter to read them"
        placeholder=${this.word.length === 0 ? "type symbols, or choose below" : ""}
        ?disabled=${this.broken}
        @keydown=${this.#key}
        @change=${this.#take}
      />
      <datalist id="next-letters">
        ${result?.next.slice(0, 200).map((l) => html`<option value=${l.name}>${l.label === l.name ? "" : l.label}</option>`)}
      </datalist>
    </div>`;
  }

  #verdict(result: StepWalkResult | null): unknown {
    if (this.fault !== null) return sentence(this.fault.message);
    if (this.broken) return "Fix the errors to step through it.";
    if (result === null) return "";
    const whole = complete[this.notation] ?? `a word of the ${this.notation}`;
    switch (result.verdict) {
      case "valid":
        return html`<strong>Valid:</strong> this is ${whole}${result.next.length > 0 ? ", and it may continue" : ""}.`;
      case "invalid": {
        const at = result.violation;
        const letter = at === null || at === undefined ? undefined : this.walk?.word[at];
        return letter === undefined
          ? html`<strong>Dead end:</strong>
              ${this.word.length === 0 ? "no word satisfies the rules and limits" : "no valid continuation"}.`
          : html`<strong>Invalid:</strong> <code>${letter}</code> is not valid at position ${(at ?? 0) + 1}.`;
      }
      default:
        return this.word.length === 0
          ? html`<strong>Incomplete:</strong> no symbol read yet.`
          : html`<strong>Incomplete:</strong> valid so far, but not yet ${whole}.`;
    }
  }

  #next(result: StepWalkResult): unknown {
    if (result.next.length === 0)
      return html`<p class="hint">
        ${result.viable ? "None: the word ends here." : this.word.length === 0 ? "None: the language is empty." : "None until you undo the invalid symbol."}
      </p>`;
    return html` <div class="next-buttons" role="group" aria-labelledby="next-title">
      ${result.next
        .slice(0, MAX_BUTTONS)
        .map(
          (l) =>
            html` <button class="letter" type="button" data-letter=${l.name} @click=${() => this.#add([l.name])}>
              <code>${l.name}</code>${l.label === l.name ? nothing : html`<span>${l.label}</span>`}
            </button>`,
        )}
      ${result.next.length > MAX_BUTTONS ? html`<span class="hint">and ${result.next.length - MAX_BUTTONS} more: type one</span>` : nothing}
    </div>`;
  }

  #uses(uses: readonly Use[]): unknown {
    const shown = uses.length <= MAX_USES ? uses : uses.filter((u) => u.used > 0);
    if (shown.length === 0) return nothing;
    return html` <h3>Uses left</h3>
      <ul class="uses">
        ${shown.map((u) => html`<li class="use ${u.used >= u.limit ? "spent" : ""}" title=${u.label}><code>${u.name}</code> ${u.limit - u.used}<span class="visually-hidden"> of ${u.limit} left</span></li>`)}
      </ul>`;
  }

  #examples(): unknown {
    if (this.checked.length === 0) return nothing;
    return html` <h3 id="examples-title">Examples</h3>
      <ul class="example-words" aria-labelledby="examples-title">
        ${this.checked.map(({ word, pass, verdict }) => {
          const known = verdict !== undefined && !this.broken;
          const right = known && (verdict === "valid") === pass;
          return html`<li>
            <button class="example-word" type="button" title="Step through it" @click=${() => this.#set(word)}>
              <span class=${!known ? "" : right ? "tone-good" : "tone-error"}
                >${!known ? "?" : right ? iconCheck : "✗"}</span
              >
              <code>${word.join(" ") || "ε"}</code>
              <span class="hint"
                >${pass ? "expected to be valid" : "expected to be invalid"}${known && !right ? ", but is not" : ""}</span
              >
            </button>
          </li>`;
        })}
      </ul>`;
  }

  #label(letter: string): string {
    return this.labels.find((l) => l.name === letter)?.label ?? letter;
  }

  #set(word: readonly string[]): void {
    this.emit("word-changed", word);
  }

  #add(letters: readonly string[]): void {
    if (letters.length > 0) this.#set([...this.word, ...letters]);
  }

  #key = (event: KeyboardEvent): void => {
    const input = event.target as HTMLInputElement;
    if (event.key === "Enter") {
      event.preventDefault();
      this.#read(input);
    } else if (event.key === "Backspace" && input.value === "" && this.word.length > 0) {
      event.preventDefault();
      this.#set(this.word.slice(0, -1));
    }
  };

  /** A symbol picked from the list is read at once. */
  #take = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    if (this.walk?.result.next.some((l) => l.name === input.value.trim()) === true) this.#read(input);
  };

  #read(input: HTMLInputElement): void {
    const letters = input.value.split(/\s+/).filter((s) => s !== "");
    input.value = "";
    this.#add(letters);
  }
}

customElements.define("stile-stepper", StileStepper);
