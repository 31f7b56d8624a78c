import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { valueOf } from "../ui/form-input.js";
import { newWorkspace, starterList } from "./new-texts.js";
import type { Workspace } from "../store/state.js";
import type { LanguageEntry } from "../core/wire.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The documentation page of an ending, if the page is not named after the ending. */
const pages: Readonly<Record<string, string>> = { smt2: "language-smt", lp: "language-smt", lab: "lab" };

/** An example of the manual that a person inserts. */
export interface Insertion {
  readonly ending: string;
  readonly text: string;
  /** Whether the text is a complete file. */
  readonly complete: boolean;
}

/** The manual of a notation: its words, with their forms and examples. */
export class StileManual extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** The ending of the open file's notation; "" for notes. */
  @prop open = "";
  @state private ending = "";
  @state private entries: readonly LanguageEntry[] | null = null;
  @state private sought = "";

  protected override render(): unknown {
    const { ending, entries } = this;
    const label = starterList.find((s) => s.ending === ending)?.label ?? "";
    const found = entries?.filter((e) => [...e.words, e.form, e.text].join(" ").toLowerCase().includes(this.sought));
    return html` <div class="manual-head">
        <label class="field"
          ><span>Notation</span>
          <select @change=${(e: Event) => (this.ending = valueOf(e))}>
            ${starterList.map((s) => html`<option value=${s.ending} .selected=${s.ending === ending}>${s.label.replace(/^an? /, "")} (.${s.ending})</option>`)}
          </select></label
        >
        <label class="field"
          ><span>Search</span
          ><input
            type="search"
            autocomplete="off"
            spellcheck="false"
            @input=${(e: Event) => (this.sought = valueOf(e).trim().toLowerCase())}
        /></label>
      </div>
      <p>
        <a href="docs/${pages[ending] ?? `language-${ending}`}.html" target="_blank" rel="noopener"
          >The complete reference of ${label}</a
        >
      </p>
      ${
        found === undefined
          ? html`<p class="hint" role="status">The manual is loading…</p>`
          : found.length === 0
            ? entries?.length === 0
              ? html`<p>This notation has no keywords; the reference explains its files.</p>
                  <button
                    class="button"
                    type="button"
                    @click=${() => this.emit<Workspace>("workspace-requested", newWorkspace(ending))}
                  >
                    Open an example as a new workspace
                  </button>`
              : html`<p class="empty">No entry contains this text.</p>`
            : html`<ul class="manual">
                ${found.map((e) => this.#entry(e))}
              </ul>`
      }`;
  }

  #entry({ words, form, text, example }: LanguageEntry): unknown {
    const name = words.join(" ");
    return html` <li>
      <h3><code>${name}</code></h3>
      <p>${text}</p>
      ${form === "" ? nothing : this.#text(form, name, false)}
      ${example === "" ? nothing : this.#text(example, name, true)}
    </li>`;
  }

  #text(text: string, name: string, complete: boolean): unknown {
    const label = complete ? "Open as a file" : "Insert";
    return html` <div class="manual-text">
      <pre class="code" tabindex="0" aria-label="${complete ? "Example" : "Form"} of ${name}">${text}</pre>
      <button
        class="button small"
        type="button"
        aria-label="${label}: ${complete ? "the example" : "the form"} of ${name}"
        @click=${() => this.emit<Insertion>("insertion", { ending: this.ending, text, complete })}
      >
        ${label}
      </button>
    </div>`;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("open")) this.ending = starterList.some((s) => s.ending === this.open) ? this.open : "cfg";
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("ending")) void this.#load();
  }

  async #load(): Promise<void> {
    const { ending } = this;
    this.entries = null;
    const entries = await this.core.call("language.reference", { kind: ending }).then(
      (reply) => reply.entries,
      () => [],
    );
    if (ending === this.ending) this.entries = entries;
  }
}

customElements.define("stile-manual", StileManual);
