import { html, nothing, type PropertyValues } from "lit";
import { sentence } from "../words.js";
import "./copy-button.js";
import { LightElement } from "./light-element.js";

/** Longer links are cut by some programs that pass them on. */
const LONG_LINK = 8_000;

/** The link of the workspace, made when it is asked for. */
export class StileShare extends LightElement {
  static override properties = { make: { attribute: false }, hasRun: { attribute: false }, withRun: { state: true }, link: { state: true }, fault: { state: true } };
  /** Makes the link, with or without the recorded run. */
  declare make: (withRun: boolean) => Promise<string>;
  declare hasRun: boolean;
  declare withRun: boolean;
  declare link: string;
  declare fault: string;

  constructor() {
    super();
    this.make = () => Promise.resolve("");
    this.hasRun = false;
    this.withRun = false;
    this.link = "";
    this.fault = "";
  }

  protected override render(): unknown {
    return html`
      <p>The link carries the whole workspace; it is stored nowhere. It never carries a key.</p>
      ${this.hasRun ? html`<label class="check"><input type="checkbox" .checked=${this.withRun} @change=${(e: Event) => (this.withRun = (e.target as HTMLInputElement).checked)} /> with the last run, which then plays again without a key</label>` : nothing}
      ${this.fault !== "" ? html`<p class="fault" role="alert">${sentence(this.fault)}</p>` : html`
        <div class="with-button">
          <input type="text" readonly aria-label="Link to the workspace" .value=${this.link} @focus=${(e: Event) => (e.target as HTMLInputElement).select()} />
          <stile-copy-button .text=${this.link} .what=${"the link"}></stile-copy-button>
        </div>
        <p class="hint" role="status">${this.link === "" ? "Making the link…" : `${this.link.length} characters${this.link.length > LONG_LINK ? "; some programs cut links this long, so a file may be the better way" : ""}`}</p>`}`;
  }

  protected override firstUpdated(): void {
    void this.#make();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.get("withRun") !== undefined) void this.#make();
  }

  async #make(): Promise<void> {
    const { withRun } = this;
    try {
      const link = await this.make(withRun);
      if (withRun !== this.withRun) return;
      this.link = link;
      this.fault = "";
      await this.updateComplete;
      this.querySelector<HTMLInputElement>("input[readonly]")?.select();
    } catch (reason) {
      this.fault = reason instanceof Error ? reason.message : String(reason);
    }
  }
}

customElements.define("stile-share", StileShare);
