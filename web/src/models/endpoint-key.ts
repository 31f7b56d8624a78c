import { html, nothing, type PropertyValues } from "lit";
import { baseOf } from "./address.js";
import type { EndpointCommand } from "./endpoint-actions.js";
import { keyFault, type KeyNote } from "./api-keys.js";
import type { Endpoint } from "../store/state.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/**
 * The key of an endpoint. A typed key is removed from the field on blur; after that only its presence
 * is shown.
 */
export class StileEndpointKey extends LightElement {
  @prop endpoint!: Endpoint;
  @prop note: KeyNote | undefined = undefined;
  @state fault = "";
  /** Whether the next key is kept on this device. */
  @state kept = false;
  /** Whether the row of the key had the focus before the update. */
  #had = false;

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
    const here = note !== undefined && note.base === base;
    const set = here && note.keyed;
    return html` <fieldset class="endpoint-key">
      <legend>Key</legend>
      ${
        set
          ? html` <p class="key-set key-row" tabindex="-1">
              <span class="pill good">a key is set</span>
              <span>It is sent to addresses below <code>${base}</code>, and nowhere else.</span>
              <button class="text-link" type="button" @click=${() => this.#remove()}>Remove the key</button>
            </p>`
          : html` ${note === undefined || here ? nothing : html`<p class="fault-text">${note.base === "" ? "An earlier version kept the key of this endpoint without its address" : html`The key of this endpoint belongs to <code>${note.base}</code>`}, so it is not sent to this address. Enter it again, or <button class="text-link" type="button" @click=${() => this.#remove()}>remove the key</button>.</p>`}
              <div class="with-button key-row">
                ${secretField(`Key of ${this.endpoint.label}`, "key-hint key-fault", "", base === "", this.#enter)}
                <button class="button" type="button" ?disabled=${base === ""} @click=${() => this.take()}>
                  Set the key
                </button>
              </div>`
      }
      <p class="fault-text" id="key-fault" role="alert">${this.fault}</p>
      <label class="check"
        ><input type="checkbox" .checked=${here ? note.kept : this.kept} @change=${this.#keep} /> keep it on this
        device</label
      >
      <p class="hint" id="key-hint">
        ${
          here && note.kept
            ? "It is stored unencrypted in this browser’s storage, where programs with access to your account can read it. Uncheck to remove it."
            : `${set ? "It is kept" : "A key is kept"} in this page’s memory only, until the page is reloaded. It is never part of a link, a log or a file.${set ? "" : " Leave it empty if the server needs none."}`
        }
      </p>
      ${note?.refused === true ? html`<p class="fault-text" role="alert">This browser does not allow the page to keep it.</p>` : nothing}
    </fieldset>`;
  }

  /** Stores the typed key for its endpoint and clears the field. */
  take(name = this.endpoint.name): void {
    const input = this.querySelector<HTMLInputElement>("input[type=password]");
    const key = input?.value.trim() ?? "";
    if (input === null || key === "") return;
    input.value = "";
    this.fault = keyFault(key) ?? "";
    if (this.fault === "") this.#send({ command: "give", name, change: { key }, kept: this.kept });
  }

  protected override updated(changed: PropertyValues<this>): void {
    // The update replaced the focused row: the focus moves to the new one.
    if (changed.has("note") && this.#had) {
      this.#had = false;
      this.querySelector<HTMLElement>(".key-set, input[type=password]")?.focus();
    }
  }

  #remove(): void {
    this.#send({ command: "give", name: this.endpoint.name, change: { key: "" }, kept: false });
  }

  #enter = (event: KeyboardEvent): void => {
    if (event.key === "Enter") this.take();
  };

  #keep = (event: Event): void => {
    this.kept = (event.target as HTMLInputElement).checked;
    this.take();
    if (this.note !== undefined) this.#send({ command: "keep", name: this.endpoint.name, kept: this.kept });
  };

  #send(command: EndpointCommand): void {
    this.emit<EndpointCommand>("endpoint-command", command);
  }
}

/** Renders a field for a secret, which password managers ignore. */
export function secretField(
  label: string,
  describedBy: string,
  placeholder: string,
  disabled: boolean,
  onKey: (event: KeyboardEvent) => void,
): unknown {
  return html`<input
    type="password"
    autocomplete="off"
    spellcheck="false"
    data-1p-ignore
    data-lpignore="true"
    placeholder=${placeholder || nothing}
    aria-label=${label}
    aria-describedby=${describedBy}
    ?disabled=${disabled}
    @keydown=${onKey}
  />`;
}

customElements.define("stile-endpoint-key", StileEndpointKey);
