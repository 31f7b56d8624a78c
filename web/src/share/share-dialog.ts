import { html, nothing, type PropertyValues } from "lit";
import type { Secret } from "./secrets.js";
import type { File } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "./share-readme.js";

/** The length above which some programs truncate links. */
const LONG_LINK = 8_000;
/** The maximum length of a link, because some browsers do not open longer addresses: Firefox accepts a mebibyte. */
const MAX_LINK = 1_000_000;

/** The link to the workspace, made on request. */
export class StileShare extends LightElement {
  /** Makes the link, with or without the recorded run. */
  @prop make: (withRun: boolean) => Promise<string> = () => Promise.resolve("");
  /** Downloads the content of the link as a file. */
  @prop save: (withRun: boolean) => void = () => {};
  /** Makes an archive of files. */
  @prop archive: (files: readonly File[]) => Promise<string> = () => Promise.resolve("");
  /** Whether the texts changed after the run. */
  @prop runStale = false;
  /** Makes a short link; null if the site has no worker for it. */
  @prop shorten: ((link: string) => Promise<string>) | null = null;
  @state short = "";
  @state shortening = false;
  @state shortFault = "";
  @prop hasRun = false;
  /** The title of the workspace. */
  @prop name = "";
  /** Whether the address of the page is updated after each edit. */
  @prop followed = false;
  /** Returns all texts of a link, including the recorded run. */
  @prop texts: (withRun: boolean) => readonly File[] = () => [];
  @state withRun = false;
  @state link = "";
  @state fault = "";
  /** Keys in the texts: nothing is shared before the person confirms. */
  @state secrets: readonly Secret[] = [];
  @state trusted = false;

  protected override render(): unknown {
    return html` <p>The link contains the whole workspace; no server stores it. It never contains a key.</p>
      ${this.hasRun ? html`<label class="check"><input type="checkbox" .checked=${this.withRun} @change=${(e: Event) => (this.withRun = (e.target as HTMLInputElement).checked)} /> with the last run, which replays without a key${this.runStale ? ", and the texts at that time" : ""}</label>` : nothing}
      <label class="check"
        ><input
          type="checkbox"
          .checked=${this.followed}
          @change=${(e: Event) => this.emit("follow-changed", (e.target as HTMLInputElement).checked)}
        />
        Keep the page’s address up to date, so that it is always a link to the current text</label
      >
      ${this.secrets.length === 0 ? nothing : this.#warning()}
      ${
        this.secrets.length > 0 && !this.trusted
          ? nothing
          : this.fault !== ""
            ? html`<p class="fault" role="alert">${sentence(this.fault)}</p>
                ${this.#file()}`
            : this.link.length > MAX_LINK
              ? html` <p class="fault" role="alert">
                    <span
                      >This workspace is too large for a link: ${this.link.length} characters, and browsers do not open
                      addresses that long. Share a file instead; Open reads it.</span
                    >
                  </p>
                  ${this.#file()}`
              : html` <div class="with-button">
                    <input
                      type="text"
                      readonly
                      aria-label="Link to the workspace"
                      .value=${this.link}
                      @focus=${(e: Event) => (e.target as HTMLInputElement).select()}
                    />
                    <stile-copy-button .text=${this.link} .what=${"the link"}></stile-copy-button>
                  </div>
                  <p class="hint" role="status">
                    ${this.link === "" ? "Making the link…" : `${this.link.length} characters${this.link.length > LONG_LINK ? "; some programs truncate links of this length; a file is safer" : ""}`}
                  </p>
                  ${this.link.length > LONG_LINK ? this.#file() : nothing}
                  ${this.link === "" || this.shorten === null ? nothing : this.#short()}
                  ${
                    this.link === ""
                      ? nothing
                      : html`<stile-share-readme
                            .link=${this.short === "" ? this.link : this.short}
                            .name=${this.name}
                          ></stile-share-readme>
                          <details class="share-more" @toggle=${() => void import("./share-embed.js")}>
                            <summary>Embed it in a page, or in Markdown</summary>
                            <stile-share-embed
                              .link=${this.link}
                              .files=${this.texts(false)}
                              .archive=${this.archive}
                            ></stile-share-embed>
                          </details>`
                  }`
      }`;
  }

  #file(): unknown {
    return html`<div class="row">
      <button class="button small" type="button" @click=${() => this.save(this.withRun)}>Download as a file</button>
    </div>`;
  }

  #short(): unknown {
    if (this.short !== "") {
      return html` <div class="with-button">
        <input
          type="text"
          readonly
          aria-label="Short link"
          .value=${this.short}
          @focus=${(e: Event) => (e.target as HTMLInputElement).select()}
        /><stile-copy-button .text=${this.short} .what=${"the short link"}></stile-copy-button>
      </div>`;
    }
    return html` <div class="row wrap">
        <button class="button small" type="button" ?disabled=${this.shortening} @click=${() => void this.#makeShort()}>
          Make a short link
        </button>
        <span class="hint"
          >This site’s worker then stores the workspace for everybody who has the link. It cannot be deleted.</span
        >
      </div>
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
    return html` <div class="fault" role="alert">
      <div>
        <p>
          <strong>This looks like ${this.secrets.length === 1 ? "a key" : count(this.secrets.length, "key")}.</strong>
          Everybody who has the link can read it.
        </p>
        <ul>
          ${this.secrets.map((s) => html`<li><code>${s.hint}</code> in ${s.file}, line ${s.line}: ${s.kind}</li>`)}
        </ul>
        <label class="check"
          ><input
            type="checkbox"
            .checked=${this.trusted}
            @change=${(e: Event) => (this.trusted = (e.target as HTMLInputElement).checked)}
          />
          Share it anyway</label
        >
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
      const { findSecrets } = await import("./secrets.js");
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
