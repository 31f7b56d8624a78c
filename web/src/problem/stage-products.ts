import { html, nothing } from "lit";
import type { ProductMade } from "../run/events.js";
import { iconCheck, iconEdit, iconSave } from "../ui/icons.js";
import { requestFiles } from "../edit/show-place.js";
import { stageAfter, stageName } from "./problem-settings.js";
import { sendCommand } from "../run/run-command.js";
import type { File } from "../core/wire.js";
import "../ui/copy-button.js";
import "../edit/diff-view.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Lists the products of the stages. A person can read them, compare them with the files, keep them, or edit one and restart the run from it. */
export class StileStageProducts extends LightElement {
  @prop products: readonly ProductMade[] = [];
  @prop folder = "";
  /** The current files of the workspace. */
  @prop files: readonly File[] = [];
  /** Whether the run has ended, so that another may start. */
  @prop over = false;
  /** Edited products, by name. */
  @state edits: ReadonlyMap<string, string> = new Map();

  protected override render(): unknown {
    if (this.products.length === 0) return nothing;
    const unkept = this.products.filter((p) => this.#there(p) !== this.#text(p));
    return html` <section class="products" aria-labelledby="products-title">
      <div class="form-head">
        <h2 id="products-title">Products of the stages</h2>
        ${unkept.length === 0 ? html`<span class="hint">all in the files</span>` : html`<button class="button small" type="button" @click=${() => this.#keep(unkept)}>${iconSave} Keep ${unkept.length === 1 ? "it" : `all ${unkept.length}`} in the files</button>`}
      </div>
      <ul class="product-list">
        ${this.products.map((p) => this.#product(p))}
      </ul>
    </section>`;
  }

  #product(p: ProductMade): unknown {
    const text = this.#text(p);
    const there = this.#there(p);
    const edited = this.edits.get(p.name);
    const next = stageAfter(p.name);
    return html` <li>
      <details class="product" data-product=${p.name}>
        <summary>
          <code>${p.name}</code> <span class="hint">${stageName(p.stage)}</span>
          <span class="product-state"
            >${there === undefined ? html`<span class="pill">new</span>` : there === text ? html`<span class="pill good">${iconCheck} in the files</span>` : html`<span class="pill">differs from the file</span>`}</span
          >
        </summary>
        ${
          edited === undefined
            ? there === undefined || there === text
              ? html`<pre class="prompt" tabindex="0" aria-label="Text of ${p.name}">${text}</pre>`
              : html`<stile-diff .name=${`${this.folder}/${p.name}`} .from=${there} .to=${text}></stile-diff>`
            : html`<textarea
                class="code product-text"
                rows=${Math.min(18, text.split("\n").length + 2)}
                spellcheck="false"
                aria-label="Text of ${p.name}"
                .value=${edited}
                @input=${(e: Event) => this.#edit(p.name, (e.target as HTMLTextAreaElement).value)}
              ></textarea>`
        }
        <div class="row wrap">
          ${there === text ? nothing : html`<button class="button small" type="button" @click=${() => this.#keep([p])}>${iconSave} Keep in the files</button>`}
          ${
            edited === undefined
              ? html`<button class="button small" type="button" @click=${() => this.#begin(p)}>
                  ${iconEdit} Change
                </button>`
              : html`<button class="button small" type="button" @click=${() => this.#drop(p.name)}>Restore</button>`
          }
          ${next === "" || !this.over ? nothing : html`<button class="button small" type="button" title="Starts a new run at the ${stageName(next).toLowerCase()}, with this text" @click=${() => this.#again(p, next)}>Restart from here</button>`}
          <stile-copy-button .text=${text} .what=${p.name}></stile-copy-button>
        </div>
      </details>
    </li>`;
  }

  #text(p: ProductMade): string {
    return this.edits.get(p.name) ?? p.text;
  }

  #there({ name }: ProductMade): string | undefined {
    return this.files.find((f) => f.name === `${this.folder}/${name}`)?.text;
  }

  #edit(name: string, text: string): void {
    this.edits = new Map(this.edits).set(name, text);
  }

  #begin(p: ProductMade): void {
    this.#edit(p.name, p.text);
    void this.updateComplete.then(() =>
      [...this.querySelectorAll<HTMLElement>("[data-product]")]
        .find((d) => d.dataset["product"] === p.name)
        ?.querySelector("textarea")
        ?.focus(),
    );
  }

  #drop(name: string): void {
    const edits = new Map(this.edits);
    edits.delete(name);
    this.edits = edits;
  }

  #keep(list: readonly ProductMade[]): void {
    requestFiles(
      this,
      list.map((p) => ({ name: `${this.folder}/${p.name}`, text: this.#text(p) })),
    );
  }

  /** Restarts at the stage after a product, with this product and the earlier ones as edited here. */
  #again(p: ProductMade, from: string): void {
    const at = this.products.indexOf(p);
    sendCommand(this, {
      command: "restart-stage",
      from,
      files: this.products
        .slice(0, at + 1)
        .map((made) => ({ name: `${this.folder}/${made.name}`, text: this.#text(made) })),
    });
  }
}

customElements.define("stile-stage-products", StileStageProducts);
