import { html, nothing } from "lit";
import type { Draft, Example } from "../store.js";
import { LightElement } from "./light-element.js";

/** The examples by paper, and the drafts that were put aside for them. */
export class StileGallery extends LightElement {
  static override properties = { examples: { attribute: false }, drafts: { attribute: false }, current: { attribute: false } };
  declare examples: readonly Example[];
  declare drafts: readonly Draft[];
  declare current: string | undefined;

  constructor() {
    super();
    this.examples = [];
    this.drafts = [];
    this.current = undefined;
  }

  protected override render(): unknown {
    const papers = [...new Set(this.examples.map((e) => e.paper))];
    return html`
      ${this.examples.length === 0 ? html`<p class="empty">The gallery did not arrive. Reload the page to try again.</p>` : nothing}
      ${papers.map((paper) => html`
        <section class="gallery-group">
          <h3>${paper}</h3>
          <ul class="cards">
            ${this.examples.filter((e) => e.paper === paper).map((e) => html`
              <li><button class="card" type="button" data-example=${e.id} aria-current=${e.id === this.current ? "true" : nothing} @click=${() => this.emit("example-chosen", e)}>
                <strong>${e.title}</strong>
                <span>${e.summary}</span>
                ${e.source === undefined || e.source === "" ? nothing : html`<small class="hint">${e.source}</small>`}
              </button></li>`)}
          </ul>
        </section>`)}
      ${this.drafts.length === 0 ? nothing : html`
        <section class="gallery-group">
          <h3>Earlier drafts on this device</h3>
          <ul class="cards">
            ${this.drafts.map((d) => html`
              <li><button class="card" type="button" data-draft @click=${() => this.emit("draft-chosen", d)}>
                <strong>${d.title}</strong>
                <span>${d.files.map((f) => f.name).join(", ")}</span>
                <small class="hint">${new Date(d.savedAt).toLocaleString()}</small>
              </button></li>`)}
          </ul>
        </section>`}`;
  }
}

customElements.define("stile-gallery", StileGallery);
