import { html, nothing } from "lit";
import type { Fault } from "../core-protocol.js";
import { iconCheck, iconReset, iconTree, iconUndo } from "../icons.js";
import type { Thing } from "../spec.js";
import type { CheckedWord, Walk } from "../state.js";
import type { Letter, StepWalkResult, Use } from "../wire.js";
import { sentence } from "../words.js";
import { LightElement } from "./light-element.js";
import "./stack.js";

/** How many of the letters that may come next get a button; the rest can be typed. */
const MAX_BUTTONS = 60;
/** How many letters of a long word are shown as chips; the earliest are folded. */
const MAX_CHIPS = 80;
const MAX_USES = 40;

/** The word that a person reads to the automaton, letter by letter, and where it leads. */
export class StileStepper extends LightElement {
  static override properties = {
    word: { attribute: false },
    walk: { attribute: false },
    fault: { attribute: false },
    thing: { attribute: false },
    broken: { attribute: false },
    labels: { attribute: false },
    checked: { attribute: false },
    treeShown: { attribute: false },
  };
  declare word: readonly string[];
  declare walk: Walk | null;
  declare fault: Fault | null;
  /** What a word is one of. */
  declare thing: Thing;
  /** The text has errors, so there is nothing to step through. */
  declare broken: boolean;
  declare labels: readonly Letter[];
  declare checked: readonly CheckedWord[];
  declare treeShown: boolean;

  constructor() {
    super();
    this.word = [];
    this.walk = null;
    this.fault = null;
    this.thing = "grammar";
    this.broken = false;
    this.labels = [];
    this.checked = [];
    this.treeShown = false;
  }

  protected override render(): unknown {
    const result = this.walk?.result ?? null;
    const stack = result !== null && result.configurations.some((c) => c.stack.length > 0);
    return html`
      <div class="stepper-head">
        <h2>${this.thing === "agent" ? "Step through a run" : "Step through a word"}</h2>
        <div class="row">
          ${result?.treeDrawing === undefined || result.treeDrawing === null ? nothing : html`
            <button class="button small" type="button" aria-pressed=${this.treeShown} @click=${() => this.emit("tree-wished", !this.treeShown)}>${iconTree} Derivation tree</button>`}
          <button class="icon-button" type="button" title="Take the last one back" aria-label="Take the last one back" ?disabled=${this.word.length === 0} @click=${() => this.#set(this.word.slice(0, -1))}>${iconUndo}</button>
          <button class="icon-button" type="button" title="Start over" aria-label="Start over" ?disabled=${this.word.length === 0} @click=${() => this.#set([])}>${iconReset}</button>
        </div>
      </div>
      ${this.#wordLine(result)}
      <p class="verdict ${this.broken ? "" : result?.verdict ?? ""}" role="status">${this.#verdict(result)}</p>
      ${this.broken || result === null ? nothing : html`
        <div class="stepper-body">
          <div class="next">
            <h3 id="next-title">What may come next</h3>
            ${this.#next(result)}
            ${this.#uses(result.uses)}
          </div>
          ${stack ? html`<div class="stacks"><h3>${result.configurations.length > 1 ? "Stacks" : "Stack"}</h3>
            <stile-stack .configurations=${result.configurations} .truncated=${result.truncated}></stile-stack></div>` : nothing}
        </div>`}
      ${this.#examples()}`;
  }

  #wordLine(result: StepWalkResult | null): unknown {
    const hidden = Math.max(0, this.word.length - MAX_CHIPS);
    const wrong = result?.violation ?? null;
    const fresh = this.walk !== null && this.walk.word === this.word;
    return html`
      <div class="word-line" @click=${(e: Event) => e.target === e.currentTarget && this.querySelector("input")?.focus()}>
        ${hidden > 0 ? html`<span class="hint">${hidden} before …</span>` : nothing}
        ${this.word.length === 0 ? nothing : html`<ol class="chips" aria-label="The word so far">
          ${this.word.slice(hidden).map((letter, i) => html`
            <li class="chip ${fresh && wrong !== null && i + hidden >= wrong ? (i + hidden === wrong ? "wrong" : "after") : ""}" title=${this.#label(letter)}>${letter}</li>`)}
        </ol>`}
        <input class="word-input" type="text" list="next-letters" autocomplete="off" autocapitalize="off" spellcheck="false"
          aria-label="Next symbols, separated by spaces; press Enter to read them"
          placeholder=${this.word.length === 0 ? "type symbols, or choose below" : ""} ?disabled=${this.broken}
          @keydown=${this.#key} @change=${this.#take} />
        <datalist id="next-letters">${result?.next.slice(0, 200).map((l) => html`<option value=${l.name}>${l.label === l.name ? "" : l.label}</option>`)}</datalist>
      </div>`;
  }

  #verdict(result: StepWalkResult | null): unknown {
    if (this.fault !== null) return sentence(this.fault.message);
    if (this.broken) return "The text has errors; once they are mended you can step through it.";
    if (result === null) return "";
    const whole = this.thing === "agent" ? "a complete run" : this.thing === "flowchart" ? "a way to a good end" : `a word of the ${this.thing}`;
    switch (result.verdict) {
      case "valid":
        return html`<strong>Valid:</strong> this is ${whole}${result.next.length > 0 ? ", and it may go on" : ""}.`;
      case "invalid": {
        const at = result.violation;
        const letter = at === null || at === undefined ? undefined : this.walk?.word[at];
        return letter === undefined
          ? html`<strong>Dead end:</strong> ${this.word.length === 0 ? "no word keeps to the rules and limits" : "no valid continuation"}.`
          : html`<strong>Invalid:</strong> <code>${letter}</code> does not fit at place ${(at ?? 0) + 1}.`;
      }
      default:
        return this.word.length === 0 ? html`<strong>Incomplete:</strong> nothing has been read yet.` : html`<strong>Incomplete:</strong> right so far, but not yet ${whole}.`;
    }
  }

  #next(result: StepWalkResult): unknown {
    if (result.next.length === 0) return html`<p class="hint">${result.viable ? "Nothing: it ends here." : this.word.length === 0 ? "Nothing: there is no word." : "Nothing, until the symbol that does not fit is taken back."}</p>`;
    return html`
      <div class="next-buttons" role="group" aria-labelledby="next-title">
        ${result.next.slice(0, MAX_BUTTONS).map((l) => html`
          <button class="letter" type="button" data-letter=${l.name} @click=${() => this.#add([l.name])}><code>${l.name}</code>${l.label === l.name ? nothing : html`<span>${l.label}</span>`}</button>`)}
        ${result.next.length > MAX_BUTTONS ? html`<span class="hint">and ${result.next.length - MAX_BUTTONS} more: type one</span>` : nothing}
      </div>`;
  }

  #uses(uses: readonly Use[]): unknown {
    const shown = uses.length <= MAX_USES ? uses : uses.filter((u) => u.used > 0);
    if (shown.length === 0) return nothing;
    return html`
      <h3>Uses left</h3>
      <ul class="uses">
        ${shown.map((u) => html`<li class="use ${u.used >= u.limit ? "spent" : ""}" title=${u.label}><code>${u.name}</code> ${u.limit - u.used}<span class="visually-hidden"> of ${u.limit} left</span></li>`)}
      </ul>`;
  }

  #examples(): unknown {
    if (this.checked.length === 0) return nothing;
    return html`
      <h3 id="examples-title">Examples</h3>
      <ul class="example-words" aria-labelledby="examples-title">
        ${this.checked.map(({ word, pass, verdict }) => {
          const known = verdict !== undefined && !this.broken;
          const right = known && (verdict === "valid") === pass;
          return html`<li>
            <button class="example-word" type="button" title="Step through it" @click=${() => this.#set(word)}>
              <span class=${!known ? "" : right ? "tone-good" : "tone-error"}>${!known ? "?" : right ? iconCheck : "✗"}</span>
              <code>${word.join(" ") || "ε"}</code>
              <span class="hint">${pass ? "should be valid" : "should not be valid"}${known && !right ? ", but is not so" : ""}</span>
            </button></li>`;
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

  /** A letter that was picked from the list is read at once. */
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
