import { html, nothing } from "lit";
import { type Availability, availability, download, lacks } from "./browser-model.js";
import { iconStop } from "../ui/panel-icons.js";
import { LightElement, state } from "../ui/light-element.js";

/** The model of the browser: whether it is on this device, and its download. */
export class StileBrowserModel extends LightElement {
  @state found: Availability | undefined;
  @state fault = "";
  /** The downloaded share of the model, from 0 to 1; undefined unless this page downloads the model. */
  @state loaded: number | undefined;
  #abort: AbortController | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#look();
  }

  override disconnectedCallback(): void {
    this.#abort?.abort();
    super.disconnectedCallback();
  }

  protected override render(): unknown {
    const { found, loaded } = this;
    const percent = Math.floor((loaded ?? 0) * 100);
    return html`<section class="endpoint-test" aria-label="The browser’s model">
      <p role="status">
        ${
          found === undefined
            ? nothing
            : found === "available"
              ? html`<span class="pill good">The model is on this device</span>`
              : loaded === undefined
                ? lacks[found]
                : `Downloading the model: ${percent} %`
        }
      </p>
      ${
        loaded === undefined
          ? found === "downloadable" || found === "downloading"
            ? html`<div class="run-actions">
                <button class="button" type="button" @click=${this.#download}>Download the model</button>
                <span class="hint">The download has several gigabytes, and all pages of this browser share it.</span>
              </div>`
            : nothing
          : html`<div class="run-actions">
              <progress max="100" value=${percent} aria-label="Download of the model"></progress>
              <button class="button small" type="button" @click=${() => this.#abort?.abort()}>
                ${iconStop} Cancel
              </button>
            </div>`
      }
      <p class="fault-text" role="alert">${this.fault}</p>
      <p class="hint">
        Prompts stay on this device, and no key is needed. The model is small: it enforces choices and JSON schemas, and
        calls no tools. Its temperature has five steps.
      </p>
    </section>`;
  }

  async #look(): Promise<void> {
    this.found = await availability();
  }

  #download = async (): Promise<void> => {
    const abort = new AbortController();
    this.#abort = abort;
    this.fault = "";
    this.loaded = 0;
    try {
      await download(abort.signal, (loaded) => (this.loaded = loaded));
    } catch (reason) {
      if (!abort.signal.aborted)
        this.fault = `The download failed: ${reason instanceof Error ? reason.message : String(reason)}`;
    }
    this.loaded = undefined;
    await this.#look();
  };
}

customElements.define("stile-browser-model", StileBrowserModel);
