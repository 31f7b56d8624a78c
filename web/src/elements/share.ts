import { html, nothing, type PropertyValues } from "lit";
import type { Secret } from "../secrets.js";
import type { File } from "../wire.js";
import { count, sentence } from "../words.js";
import "./copy-button.js";
import { LightElement } from "./light-element.js";

/** Longer links are cut by some programs that pass them on. */
const LONG_LINK = 8_000;
/** Longer addresses are opened by no browser, or not by every one: Firefox takes a mebibyte. */
const MAX_LINK = 1_000_000;

/** The link of the workspace, made when it is asked for. */
export class StileShare extends LightElement {
  static override properties = {
    make: { attribute: false }, save: { attribute: false }, archive: { attribute: false }, shorten: { attribute: false }, runStale: { attribute: false }, hasRun: { attribute: false }, texts: { attribute: false },
    withRun: { state: true }, link: { state: true }, fault: { state: true }, secrets: { state: true }, trusted: { state: true }, short: { state: true }, shortening: { state: true }, shortFault: { state: true },
  };
  /** Makes the link, with or without the recorded run. */
  declare make: (withRun: boolean) => Promise<string>;
  /** Hands the same to the person as a file. */
  declare save: (withRun: boolean) => void;
  /** Makes an archive of files. */
  declare archive: (files: readonly File[]) => Promise<string>;
  /** The texts were changed since the run. */
  declare runStale: boolean;
  /** Makes a short link of it; null where nobody does. */
  declare shorten: ((link: string) => Promise<string>) | null;
  declare short: string;
  declare shortening: boolean;
  declare shortFault: string;
  declare hasRun: boolean;
  /** All that a link would carry, the recorded run among it. */
  declare texts: (withRun: boolean) => readonly File[];
  declare withRun: boolean;
  declare link: string;
  declare fault: string;
  /** What in the texts looks like a key: nothing is shared before a person has said that it may be. */
  declare secrets: readonly Secret[];
  declare trusted: boolean;

  constructor() {
    super();
    this.make = () => Promise.resolve("");
    this.save = () => {};
    this.archive = () => Promise.resolve("");
    this.runStale = false;
    this.hasRun = false;
    this.withRun = false;
    this.link = "";
    this.fault = "";
    this.texts = () => [];
    this.secrets = [];
    this.trusted = false;
    this.shorten = null;
    this.short = "";
    this.shortening = false;
    this.shortFault = "";
  }

  protected override render(): unknown {
    return html`
      <p>The link carries the whole workspace; it is stored nowhere. It never carries a key.</p>
      ${this.hasRun ? html`<label class="check"><input type="checkbox" .checked=${this.withRun} @change=${(e: Event) => (this.withRun = (e.target as HTMLInputElement).checked)} /> with the last run, which then plays again without a key${this.runStale ? ", and the texts as they were then" : ""}</label>` : nothing}
      ${this.secrets.length === 0 ? nothing : this.#warning()}
      ${this.secrets.length > 0 && !this.trusted ? nothing : this.fault !== "" ? html`<p class="fault" role="alert">${sentence(this.fault)}</p>${this.#file()}` : this.link.length > MAX_LINK ? html`
        <p class="fault" role="alert"><span>This is too much for a link: it would have ${this.link.length} characters, and browsers do not open addresses that long. Pass it on as a file, which opens here with Open.</span></p>${this.#file()}` : html`
        <div class="with-button">
          <input type="text" readonly aria-label="Link to the workspace" .value=${this.link} @focus=${(e: Event) => (e.target as HTMLInputElement).select()} />
          <stile-copy-button .text=${this.link} .what=${"the link"}></stile-copy-button>
        </div>
        <p class="hint" role="status">${this.link === "" ? "Making the link…" : `${this.link.length} characters${this.link.length > LONG_LINK ? "; some programs cut links this long, so a file may be the better way" : ""}`}</p>
        ${this.link.length > LONG_LINK ? this.#file() : nothing}
        ${this.link === "" || this.shorten === null ? nothing : this.#short()}
        ${this.link === "" ? nothing : html`<details class="share-more" @toggle=${() => void import("./share-embed.js")}><summary>Embed it in a page, or in Markdown</summary><stile-share-embed .link=${this.link} .files=${this.texts(false)} .archive=${this.archive}></stile-share-embed></details>`}`}`;
  }

  #file(): unknown {
    return html`<div class="row"><button class="button small" type="button" @click=${() => this.save(this.withRun)}>Download as a file</button></div>`;
  }

  #short(): unknown {
    if (this.short !== "") {
      return html`
        <div class="with-button"><input type="text" readonly aria-label="Short link" .value=${this.short} @focus=${(e: Event) => (e.target as HTMLInputElement).select()} /><stile-copy-button .text=${this.short} .what=${"the short link"}></stile-copy-button></div>`;
    }
    return html`
      <div class="row wrap"><button class="button small" type="button" ?disabled=${this.shortening} @click=${() => void this.#makeShort()}>Make a short link</button>
        <span class="hint">The workspace is then kept by this site’s worker, for whoever has the link, and cannot be taken back.</span></div>
      ${this.shortFault === "" ? nothing : html`<p class="fault" role="alert"><span>${this.shortFault}</span></p>`}`;
  }

  async #makeShort(): Promise<void> {
    const { link, shorten } = this;
    if (shorten === null) return;
    this.shortening = true;
    this.shortFault = "";
    try {
      const short = await shorten(link);
      if (link === this.link) this.short = short;
    } catch (reason) {
      this.shortFault = reason instanceof Error ? reason.message : String(reason);
    }
    this.shortening = false;
  }

  #warning(): unknown {
    return html`
      <div class="fault" role="alert">
        <div>
          <p><strong>This looks like ${this.secrets.length === 1 ? "a key" : count(this.secrets.length, "key")}.</strong> Whoever has the link can read it.</p>
          <ul>${this.secrets.map((s) => html`<li><code>${s.hint}</code> in ${s.file}, line ${s.line}: ${s.kind}</li>`)}</ul>
          <label class="check"><input type="checkbox" .checked=${this.trusted} @change=${(e: Event) => (this.trusted = (e.target as HTMLInputElement).checked)} /> Share it nevertheless</label>
        </div>
      </div>`;
  }

  protected override firstUpdated(): void {
    void this.#make();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.get("withRun") !== undefined || changed.get("trusted") !== undefined) void this.#make();
  }

  async #make(): Promise<void> {
    const { withRun } = this;
    try {
      const { findSecrets } = await import("../secrets.js");
      this.secrets = findSecrets(this.texts(withRun));
      if (this.secrets.length > 0 && !this.trusted) {
        this.link = "";
        return;
      }
      const link = await this.make(withRun);
      if (withRun !== this.withRun) return;
      this.link = link;
      this.short = "";
      this.fault = "";
      await this.updateComplete;
      this.querySelector<HTMLInputElement>("input[readonly]")?.select();
    } catch (reason) {
      if (withRun === this.withRun) this.fault = reason instanceof Error ? reason.message : String(reason);
    }
  }
}

customElements.define("stile-share", StileShare);
