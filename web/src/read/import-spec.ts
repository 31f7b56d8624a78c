import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { Diagnostic, File, SpecImportResult } from "../core/wire.js";
import { messageOf } from "../store/faults.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { sentence } from "../ui/text.js";

/** Milliseconds without typing before a text is read. */
const REST = 250;

const formats = [
  ["gbnf", "GBNF (llama.cpp)"],
  ["lark", "Lark"],
  ["ebnf", "EBNF (XGrammar)"],
  ["hoa", "HOA (automata)"],
  ["cedar", "Cedar, Dogwood (policies)"],
] as const;

/** Files with these endings are imported. */
export const importable = /\.(gbnf|lark|ebnf|hoa|cedar|dw)$/i;

/** Reads a grammar, an automaton or policies of another tool, and shows the result before it is added. */
export class StileImport extends LightElement {
  @prop core!: CoreClient;
  /** The names of the workspace's files. */
  @prop names: readonly string[] = [];
  /** The file that a person opened or dropped. */
  @prop given: File | null = null;
  @state text = "";
  @state format = "";
  @state name = "";
  @state read: { readonly text: string; readonly result?: SpecImportResult; readonly fault?: string } | null = null;

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("given") || this.given === null) return;
    const { name, text } = this.given;
    const ending = importable.exec(name)?.[1]?.toLowerCase();
    [this.text, this.format, this.name] = [text, ending === "dw" ? "cedar" : (ending ?? ""), ""];
    void this.#read();
  }

  protected override render(): unknown {
    const { read } = this;
    const errors = read?.result?.diagnostics ?? [];
    const result = read?.result?.text ?? "";
    return html`<div class="import">
      <p class="hint">
        Paste a grammar of llama.cpp, llguidance or XGrammar, an automaton in HOA format, or policies of Cedar or
        Dogwood, which become rules. Files that end in .gbnf, .ebnf, .lark, .hoa, .cedar or .dw can also be opened or
        dropped on the page.
      </p>
      <div class="fields">
        <label class="field"
          ><span>Notation</span
          ><select @change=${this.#chosen}>
            <option value="" ?selected=${this.format === ""}>Detect</option>
            ${formats.map(([id, label]) => html`<option value=${id} ?selected=${this.format === id}>${label}</option>`)}
          </select>
        </label>
        <label class="field"
          ><span>Open a file</span
          ><input type="file" accept=".gbnf,.lark,.ebnf,.hoa,.cedar,.dw,.txt" @change=${this.#opened}
        /></label>
      </div>
      <label class="field wide"
        ><span>Text</span
        ><textarea class="import-text" rows="9" spellcheck="false" .value=${this.text} @input=${this.#typed}></textarea>
      </label>
      <div role="status">
        ${read?.fault === undefined ? nothing : html`<p class="fault">${sentence(read.fault)}</p>`}
        ${
          errors.length === 0
            ? nothing
            : html`<ul class="import-problems">
                ${errors.map((d) => this.#problem(d))}
              </ul>`
        }
        ${
          read !== null && result !== ""
            ? html`<ul class="import-notes">
                ${read.result?.notes?.map((note) => html`<li class="hint">${note}</li>`)}
              </ul>`
            : nothing
        }
      </div>
      ${
        result === ""
          ? nothing
          : html`<pre class="code import-result" tabindex="0" aria-label="The imported spec">${result}</pre>
              <div class="fields">
                <label class="field"
                  ><span>Name of the new file</span
                  ><input
                    type="text"
                    .value=${this.#name()}
                    @input=${(e: Event) => (this.name = (e.target as HTMLInputElement).value)}
                /></label>
              </div>`
      }
      <div class="row">
        <button
          class="button primary"
          type="button"
          ?disabled=${result === "" || read?.text !== this.text || this.names.includes(this.#name())}
          @click=${() => this.emit<File>("spec-imported", { name: this.#name(), text: result })}
        >
          Add to the workspace
        </button>
      </div>
    </div>`;
  }

  #problem({ line, column, message, severity, from, to }: Diagnostic): unknown {
    return html`<li>
      <button class="link tone-${severity}" type="button" @click=${() => this.#show(from, to)}>
        Line ${line}:${column}
      </button>
      ${sentence(message)}
    </li>`;
  }

  #show(from: number, to: number): void {
    const field = this.querySelector<HTMLTextAreaElement>(".import-text");
    field?.focus();
    field?.setSelectionRange(from, to);
  }

  /** Returns a name for the new file that no other file has. */
  #name(): string {
    const ending = this.#format() === "cedar" ? ".rules" : ".cfg";
    if (this.name !== "") return this.name.endsWith(ending) ? this.name : `${this.name}${ending}`;
    const base = (this.given?.name ?? "imported").replace(/^.*\//, "").replace(/\.\w+$/, "") || "imported";
    let name = `${base}${ending}`;
    for (let i = 2; this.names.includes(name); i++) name = `${base}-${i}${ending}`;
    return name;
  }

  #format(): string {
    return this.format || detected(this.text);
  }

  #typed = (event: Event): void => {
    this.text = (event.target as HTMLTextAreaElement).value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), REST);
  };

  #chosen = (event: Event): void => {
    this.format = (event.target as HTMLSelectElement).value;
    void this.#read();
  };

  #opened = async (event: Event): Promise<void> => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file !== undefined) this.given = { name: file.name, text: await file.text() };
  };

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    const number = ++this.#asked;
    const { text } = this;
    if (text.trim() === "") {
      this.read = null;
      return;
    }
    try {
      const result = await this.core.call("spec.import", { text, format: this.#format() });
      if (number === this.#asked) this.read = { text, result };
    } catch (reason) {
      if (number === this.#asked) this.read = { text, fault: messageOf(reason) };
    }
  }
}

/** Returns the probable notation of a text. */
function detected(text: string): string {
  if (/^\s*HOA:/.test(text)) return "hoa";
  if (/^\s*(?:@\w+|permit|forbid)\s*\(/m.test(text)) return "cedar";
  return text.includes("::=") ? "gbnf" : "lark";
}

customElements.define("stile-import", StileImport);
