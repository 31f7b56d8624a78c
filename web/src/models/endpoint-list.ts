import { html, nothing, type PropertyValues } from "lit";
import { made, named, type Preset, presets } from "./endpoint-presets.js";
import type { EndpointCommand } from "./endpoint-actions.js";
import { iconPlus, iconUndo } from "../ui/icons.js";
import type { KeyNote } from "./api-keys.js";
import type { Endpoint, Probe } from "../store/state.js";
import "./endpoint-editor.js";
import type { PriceOf } from "./endpoint-price.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The person's endpoints: a list, with the chosen endpoint or the presets next to it. */
export class StileEndpoints extends LightElement {
  @prop endpoints: readonly Endpoint[] = [];
  @prop keys: readonly KeyNote[] = [];
  @prop probes: Readonly<Record<string, Probe>> = {};
  /** Name of the endpoint of runs. */
  @prop used = "";
  @prop priceOf: PriceOf = () => Promise.resolve(undefined);
  /** Name of the shown endpoint; "" while one is added. */
  @state chosen = "";
  /** Whether a single column shows the chosen endpoint instead of the list. */
  @state entered = false;
  @state removed: Endpoint | null = null;
  /** Selector of the next focus. */
  #wanted = "";

  protected override firstUpdated(): void {
    this.chosen = this.used || (this.endpoints[0]?.name ?? "");
  }

  protected override render(): unknown {
    const endpoint = this.endpoints.find((e) => e.name === this.chosen);
    const entered = this.entered || this.endpoints.length === 0;
    return html` <div class="endpoints ${entered ? "entered" : ""}">
      <nav class="endpoint-nav" aria-label="Your endpoints" ?hidden=${this.endpoints.length === 0}>
        <ul class="endpoint-list">
          ${this.endpoints.map(
            (e) =>
              html` <li>
                <button
                  class="endpoint-item"
                  type="button"
                  data-endpoint=${e.name}
                  aria-current=${e === endpoint ? "true" : nothing}
                  @click=${() => this.#choose(e.name)}
                >
                  <strong>${e.label}</strong>
                  ${e.name === this.used ? html`<span class="pill good">in use</span>` : nothing}
                  <small class="hint">${e.model || "no model yet"}</small>
                </button>
              </li>`,
          )}
        </ul>
        <button
          class="button add-endpoint"
          type="button"
          aria-current=${endpoint === undefined ? "true" : nothing}
          @click=${() => this.#choose("")}
        >
          ${iconPlus} Add an endpoint
        </button>
      </nav>
      <div class="endpoint-detail">
        ${this.endpoints.length === 0 ? nothing : html`<button class="button small back-to-list" type="button" @click=${this.#leave}>${iconUndo} All endpoints</button>`}
        <p role="status" class="removal">
          ${this.removed === null ? nothing : html`“${this.removed.label}” and its key were removed. <button class="text-link" type="button" @click=${this.#putBack}>Undo</button>`}
        </p>
        ${
          endpoint === undefined
            ? this.#presets()
            : html` <stile-endpoint-editor
                .endpoint=${endpoint}
                .used=${endpoint.name === this.used}
                .note=${this.keys.find((k) => k.endpoint === endpoint.name)}
                .probe=${this.probes[endpoint.name]}
                .priceOf=${this.priceOf}
                @endpoint-command=${(e: CustomEvent<EndpointCommand>) => this.#do(e.detail)}
                @duplicate-requested=${() => this.#add(named(endpoint, this.endpoints))}
              ></stile-endpoint-editor>`
        }
      </div>
    </div>`;
  }

  #presets(): unknown {
    const cards = (where: Preset["where"]): unknown =>
      html` <ul class="cards presets">
        ${presets
          .filter((p) => p.where === where && (p.id !== "browser" || "LanguageModel" in self))
          .map(
            (p) =>
              html` <li>
                <button
                  class="card"
                  type="button"
                  data-preset=${p.id}
                  @click=${() => this.#add(made(p, this.endpoints))}
                >
                  <strong>${p.label}</strong>
                  <span class="hint">${p.about}</span>
                </button>
              </li>`,
          )}
      </ul>`;
    return html` <div class="preset-list">
      <h3 tabindex="-1">Where do the models run?</h3>
      <p class="hint">
        This page calls them directly. No server of ours is in between, and a key is only sent to its own endpoint.
      </p>
      <h4>On this device</h4>
      ${cards("device")}
      <h4>Elsewhere</h4>
      ${cards("network")}
    </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.#wanted === "" || !(changed.has("endpoints") || changed.has("chosen") || changed.has("entered"))) return;
    if (this.endpoints.some((e) => e.name === this.removed?.name)) return; // it is about to be removed
    const wanted = this.#wanted;
    // Child elements render after this one.
    void this.querySelector<LightElement>("stile-endpoint-editor")?.updateComplete.then(() => this.#focus(wanted));
    this.#focus(wanted);
  }

  #focus(wanted: string): void {
    const found = [...this.querySelectorAll<HTMLElement>(wanted)].find((e) => e.checkVisibility());
    if (found === undefined) return;
    this.#wanted = "";
    found.focus();
  }

  #do(command: EndpointCommand): void {
    if (command.command !== "remove") {
      this.emit<EndpointCommand>("endpoint-command", command);
      return;
    }
    const at = this.endpoints.findIndex((e) => e.name === command.name);
    const rest = this.endpoints.filter((e) => e.name !== command.name);
    this.removed = this.endpoints[at] ?? null;
    this.chosen = (rest[at] ?? rest[at - 1])?.name ?? "";
    this.#wanted = `.endpoint-item[aria-current], .endpoint-title, .preset-list h3`;
    this.emit<EndpointCommand>("endpoint-command", command);
  }

  #choose(name: string): void {
    this.chosen = name;
    this.removed = null;
    this.#wanted = name === "" ? ".preset-list h3" : this.entered ? "" : ".back-to-list";
    this.entered = true;
  }

  #leave = (): void => {
    this.entered = false;
    this.#wanted = this.chosen === "" ? ".add-endpoint" : `[data-endpoint="${this.chosen}"]`;
  };

  #add(endpoint: Endpoint): void {
    this.removed = null;
    this.chosen = endpoint.name;
    this.entered = true;
    this.#wanted = ".endpoint-title";
    this.emit<EndpointCommand>("endpoint-command", { command: "add", endpoint });
    this.emit<EndpointCommand>("endpoint-command", { command: "use", name: endpoint.name });
  }

  #putBack = (): void => {
    if (this.removed !== null) this.#add(this.removed);
  };
}

customElements.define("stile-endpoints", StileEndpoints);
