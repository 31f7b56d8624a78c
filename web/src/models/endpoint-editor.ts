import { html, nothing } from "lit";
import { addressFault, browserModel, isLoopback, secretParameter, tunnel } from "./address.js";
import "./browser-model-panel.js";
import { formats, presetOf, presets, startOf } from "./endpoint-presets.js";
import type { EndpointCommand } from "./endpoint-actions.js";
import { iconCheck } from "../ui/icons.js";
import type { KeyNote } from "./api-keys.js";
import type { Endpoint, Probe } from "../store/state.js";
import { sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import "./endpoint-extras.js";
import type { StileEndpointExtras } from "./endpoint-extras.js";
import "./endpoint-key.js";
import type { StileEndpointKey } from "./endpoint-key.js";
import type { PriceOf } from "./endpoint-price.js";
import "./endpoint-price.js";
import "./endpoint-test.js";
import { LightElement, prop } from "../ui/light-element.js";

/** Milliseconds of silence before a timeout; 0 for the core's default. */
const patience: readonly (readonly [number, string])[] = [
  [30_000, "half a minute"],
  [0, "two minutes"],
  [600_000, "ten minutes"],
  [3_600_000, "an hour"],
];

/** The form of an endpoint: its settings, key and test. Changes apply at once. */
export class StileEndpointEditor extends LightElement {
  @prop endpoint!: Endpoint;
  @prop used!: boolean;
  @prop note: KeyNote | undefined;
  @prop probe: Probe | undefined;
  @prop priceOf!: PriceOf;

  protected override render(): unknown {
    const { endpoint, probe } = this;
    const fault = endpoint.url === "" ? "The endpoint has no address yet." : urlFault(endpoint.url);
    const builtIn = endpoint.url === browserModel;
    const start = startOf(endpoint);
    const keys = presetOf(endpoint)?.keys;
    const models = probe?.result?.models ?? [];
    return html` <div class="endpoint-head">
        <h3 class="endpoint-title" tabindex="-1">${endpoint.label}</h3>
        <button
          class="button small"
          type="button"
          aria-pressed=${this.used}
          @click=${() => this.#send({ command: "use", name: endpoint.name })}
        >
          ${this.used ? html`${iconCheck} In use by the Run tab` : "Use in the Run tab"}
        </button>
      </div>
      <div class="fields">
        <label class="field"
          ><span>Name</span>
          <input
            type="text"
            data-field="label"
            autocomplete="off"
            maxlength="60"
            .value=${endpoint.label}
            @change=${this.#field}
        /></label>
        ${builtIn ? nothing : this.#server(fault, models)}
      </div>
      ${
        builtIn
          ? html`<stile-browser-model></stile-browser-model>`
          : html`<stile-endpoint-key
                .endpoint=${endpoint}
                .note=${this.note}
                @endpoint-command=${this.#pass}
              ></stile-endpoint-key>
              ${keys === undefined ? nothing : html`<p class="hint">Create keys at <a href=${keys} target="_blank" rel="noopener noreferrer">${new URL(keys).host}</a>.</p>`}`
      }
      ${
        start === undefined
          ? nothing
          : html` <div class="start">
              <p class="hint">${start.why}</p>
              <div class="command">
                <code>${start.command}</code
                ><stile-copy-button .text=${start.command} .what=${"the command"}></stile-copy-button>
              </div>
            </div>`
      }
      ${
        endpoint.format === "bedrock"
          ? html`<p class="hint">
              Enter a Bedrock API key, or the address and key of a gateway; requests are not signed.
            </p>`
          : nothing
      }
      ${
        endpoint.server === "azure"
          ? html`<p class="hint">
              The address is <code>https://NAME.openai.azure.com/openai/v1</code>, or that of a deployment with its
              <code>?api-version=…</code>. The model is the name of the deployment.
            </p>`
          : nothing
      }
      <stile-endpoint-test
        .endpoint=${endpoint}
        .probe=${probe}
        .able=${fault === null}
        @endpoint-command=${this.#pass}
      ></stile-endpoint-test>
      ${builtIn ? nothing : this.#settings()}
      <div class="endpoint-tools">
        <button class="button small" type="button" @click=${() => this.emit("duplicate-requested", null)}>
          Duplicate
        </button>
        <button
          class="button small"
          type="button"
          @click=${() => this.#send({ command: "remove", name: endpoint.name })}
        >
          Remove
        </button>
      </div>`;
  }

  /** The fields of a server, which the model of the browser does not need. */
  #server(fault: string | null, models: readonly string[]): unknown {
    const { endpoint } = this;
    const hint = fault === null ? urlHint(endpoint.url) : null;
    return html`<div class="field">
        <label for="endpoint-url">Address</label>
        <input
          id="endpoint-url"
          type="url"
          data-field="url"
          inputmode="url"
          placeholder="https://…/v1"
          spellcheck="false"
          autocomplete="off"
          aria-describedby=${hint === null ? "endpoint-url-fault" : "endpoint-url-fault endpoint-url-hint"}
          aria-invalid=${fault === null ? "false" : "true"}
          .value=${endpoint.url}
          @change=${this.#field}
        />
        <small class="fault-text" id="endpoint-url-fault">${fault ?? nothing}</small>
        ${hint === null ? nothing : html`<small class="hint" id="endpoint-url-hint">${hint}</small>`}
      </div>
      <div class="field wide">
        <label for="endpoint-model">Model</label>
        <input
          id="endpoint-model"
          type="text"
          data-field="model"
          list="endpoint-models"
          spellcheck="false"
          autocomplete="off"
          aria-describedby="endpoint-model-hint"
          .value=${endpoint.model}
          @change=${this.#field}
        />
        <datalist id="endpoint-models">${models.map((m) => html`<option value=${m}></option>`)}</datalist>
        <small class="hint" id="endpoint-model-hint"
          >${models.length > 0 ? `${models.length} models were found; the field lists them.` : endpoint.format === "bedrock" ? "Enter the name of a model or of an inference profile." : "Test the connection to list the models."}</small
        >
      </div>`;
  }

  #settings(): unknown {
    const { endpoint } = this;
    return html`<stile-endpoint-price
        .endpoint=${endpoint}
        .priceOf=${this.priceOf}
        @endpoint-command=${this.#pass}
      ></stile-endpoint-price>
      <stile-endpoint-extras
        .endpoint=${endpoint}
        .note=${this.note}
        @endpoint-command=${this.#pass}
      ></stile-endpoint-extras>
      <details class="more">
        <summary>Wire format and extensions</summary>
        <div class="fields">
          <label class="field"
            ><span>Wire format</span>
            <select data-field="format" @change=${this.#field}>
              ${formats.map(([format, label]) => html`<option value=${format} .selected=${format === endpoint.format}>${label}</option>`)}
            </select></label
          >
          <label class="field"
            ><span>Extensions of</span>
            <select data-field="server" @change=${this.#field}>
              <option value="" .selected=${endpoint.server === ""}>none assumed</option>
              ${presets.filter((p, i) => p.server !== "" && presets.findIndex((q) => q.server === p.server) === i).map((p) => html`<option value=${p.server} .selected=${p.server === endpoint.server}>${p.label}</option>`)}
            </select></label
          >
          <label class="field"
            ><span>Timeout without data</span>
            <select data-field="idle" @change=${this.#idle}>
              ${patience.map(([ms, label]) => html`<option value=${ms} .selected=${ms === (endpoint.idle ?? 0)}>${label}</option>`)}
            </select></label
          >
        </div>
        <p class="hint">
          Only features that the server is known to support are used. The connection test detects them.
        </p>
      </details>`;
  }

  #field = (event: Event): void => {
    const field = event.target as HTMLInputElement | HTMLSelectElement;
    const name = field.dataset["field"] as "label" | "url" | "model" | "format" | "server";
    const value = field.value.trim();
    if (name === "label" && value === "") field.value = this.endpoint.label;
    else this.#send({ command: "change", name: this.endpoint.name, change: { [name]: value } });
  };

  #idle = (event: Event): void => {
    const ms = Number((event.target as HTMLSelectElement).value);
    this.#send({ command: "change", name: this.endpoint.name, change: { idle: ms === 0 ? undefined : ms } });
  };

  #pass = (event: CustomEvent<EndpointCommand>): void => {
    // A typed key or header is stored before the test.
    if (event.detail.command === "test") {
      this.querySelector<StileEndpointKey>("stile-endpoint-key")?.take();
      this.querySelector<StileEndpointExtras>("stile-endpoint-extras")?.take();
    }
    this.#send(event.detail);
  };

  #send(command: EndpointCommand): void {
    this.emit<EndpointCommand>("endpoint-command", command);
  }
}

/** Returns the problem of an address, or null. */
function urlFault(url: string): string | null {
  const fault = addressFault(url);
  if (fault !== null) return sentence(fault);
  const secret = secretParameter(url);
  if (secret !== null)
    return `The parameter “${secret}” gives access. Addresses appear in links: remove it, and enter it as the key or as a header.`;
  if (new URL(url).hash !== "") return "An address ends before “#”.";
  return null;
}

/** Returns the reason why this page cannot reach an address, with the way out, or null. */
function urlHint(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "http:" || isLoopback(hostname) || location.protocol !== "https:") return null;
  const serve = isLoopback(location.hostname) ? "" : "serve Stile on this device (“go run ./build serve”), ";
  return `This page was loaded over https, so it may call plain http on this device only. To use the server, ${serve}use an address that begins with https://, or ${tunnel(url)}.`;
}

customElements.define("stile-endpoint-editor", StileEndpointEditor);
