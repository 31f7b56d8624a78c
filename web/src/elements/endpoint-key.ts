import { html, nothing, type PropertyValues } from "lit";
import { baseOf } from "../address.js";
import type { EndpointWish } from "../endpoints.js";
import { keyFault, type KeyNote } from "../keys.js";
import type { Endpoint } from "../state.js";
import { LightElement } from "./light-element.js";

/**
 * The key of an endpoint. What is typed is taken out of the field as soon as the
 * person turns to something else, and from then on only said to be there.
 */
export class StileEndpointKey extends LightElement {
  static override properties = { endpoint: { attribute: false }, note: { attribute: false }, fault: { state: true }, kept: { state: true } };
  declare endpoint: Endpoint;
  declare note: KeyNote | undefined;
  declare fault: string;
  /** What the person wants of a key that is not set yet. */
  declare kept: boolean;
  /** What is about to be replaced has the focus. */
  #had = false;

  constructor() {
    super();
    this.note = undefined;
    this.fault = "";
    this.kept = false;
  }

  override disconnectedCallback(): void {
    this.take();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#had = this.querySelector(".key-row")?.contains(document.activeElement) === true;
    const before = changed.get("endpoint");
    if (before !== undefined && before.name !== this.endpoint.name) {
      this.take(before.name);
      this.kept = false;
      this.fault = "";
    }
  }

  protected override render(): unknown {
    const base = baseOf(this.endpoint.url);
    const { note } = this;
    const set = note !== undefined && note.base === base;
    return html`
      <fieldset class="endpoint-key">
        <legend>Key</legend>
        ${set ? html`
          <p class="key-set key-row" tabindex="-1"><span class="pill good">a key is set</span> <span>It is sent to addresses below <code>${base}</code>, and nowhere else.</span>
            <button class="text-link" type="button" @click=${() => this.#wish({ wish: "forget", name: this.endpoint.name })}>Remove the key</button></p>` : html`
          ${note === undefined ? nothing : html`<p class="fault-text">${note.base === "" ? "The key of this endpoint was kept by an earlier version without its address" : html`The key of this endpoint belongs to <code>${note.base}</code>`}, so it is not sent to this address. Enter it again, or <button class="text-link" type="button" @click=${() => this.#wish({ wish: "forget", name: this.endpoint.name })}>remove the key</button>.</p>`}
          <div class="with-button key-row">
            <input type="password" autocomplete="off" spellcheck="false" data-1p-ignore data-lpignore="true" aria-label="Key of ${this.endpoint.label}" aria-describedby="key-hint key-fault" ?disabled=${base === ""} @keydown=${this.#enter} />
            <button class="button" type="button" ?disabled=${base === ""} @click=${() => this.take()}>Set the key</button>
          </div>`}
        <p class="fault-text" id="key-fault" role="alert">${this.fault}</p>
        <label class="check"><input type="checkbox" .checked=${set ? note.kept : this.kept} @change=${this.#keep} /> keep it on this device</label>
        <p class="hint" id="key-hint">${set && note.kept
          ? "It lies unencrypted in this browser’s storage, where programs with access to your account can read it. Uncheck to take it out again."
          : `${set ? "It is" : "A key is kept"} in this page’s memory only, and gone with a reload. It gets into no link, no log and no file.${set ? "" : " Leave it empty for a server that wants none."}`}</p>
        ${note?.refused === true ? html`<p class="fault-text" role="alert">This browser does not let the page keep it.</p>` : nothing}
      </fieldset>`;
  }

  /** Takes what was typed out of the field, for the endpoint that it was typed for. */
  take(name = this.endpoint.name): void {
    const input = this.querySelector<HTMLInputElement>("input[type=password]");
    const key = input?.value.trim() ?? "";
    if (input === null || key === "") return;
    input.value = "";
    this.fault = keyFault(key) ?? "";
    if (this.fault === "") this.#wish({ wish: "give", name, key, kept: this.kept });
  }

  protected override updated(changed: PropertyValues<this>): void {
    // What had the focus is gone with the change from one state to the other.
    if (changed.has("note") && this.#had) {
      this.#had = false;
      this.querySelector<HTMLElement>(".key-set, input[type=password]")?.focus();
    }
  }

  #enter = (event: KeyboardEvent): void => {
    if (event.key === "Enter") this.take();
  };

  #keep = (event: Event): void => {
    this.kept = (event.target as HTMLInputElement).checked;
    this.take();
    if (this.note !== undefined) this.#wish({ wish: "keep", name: this.endpoint.name, kept: this.kept });
  };

  #wish(wish: EndpointWish): void {
    this.emit<EndpointWish>("endpoint-wish", wish);
  }
}

customElements.define("stile-endpoint-key", StileEndpointKey);
