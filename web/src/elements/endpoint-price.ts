import { html, type PropertyValues } from "lit";
import { isLoopback } from "../address.js";
import type { EndpointWish, Price } from "../endpoints.js";
import type { Endpoint } from "../state.js";
import { LightElement } from "./light-element.js";

/** Asks what the core reckons a model to cost. */
export type PriceOf = (model: string) => Promise<Price | undefined>;

/** What an endpoint's tokens cost, where the person knows better than the core. */
export class StileEndpointPrice extends LightElement {
  static override properties = { endpoint: { attribute: false }, priceOf: { attribute: false }, usual: { state: true } };
  declare endpoint: Endpoint;
  declare priceOf: PriceOf;
  /** What the core reckons with. */
  declare usual: Price | undefined;

  protected override render(): unknown {
    const { price } = this.endpoint;
    const shown = price ?? this.usual;
    const field = (name: keyof Price, label: string): unknown => html`
      <label class="field narrow"><span>${label}</span>
        <input type="number" data-price=${name} min="0" step="any" inputmode="decimal" placeholder=${this.usual === undefined ? "unknown" : String(this.usual[name])} .value=${price === undefined ? "" : String(price[name])} @change=${this.#change} /></label>`;
    return html`
      <details class="more">
        <summary>Price${shown === undefined ? "" : `: $${shown.prompt} read, $${shown.completion} written`}</summary>
        <div class="fields">${field("prompt", "Dollars per million read")}${field("completion", "Dollars per million written")}</div>
        <p class="hint">${this.usual === undefined ? "No price is known for this model; without one a run counts tokens only." : "What is grey is what runs reckon with until you say otherwise. Prices change: the provider’s own page is what holds."}</p>
      </details>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("endpoint");
    if (changed.has("endpoint") && (before?.model !== this.endpoint.model || before.url !== this.endpoint.url)) void this.#look();
  }

  async #look(): Promise<void> {
    const { model, url } = this.endpoint;
    const own = URL.canParse(url) && isLoopback(new URL(url).hostname);
    const usual = own ? { prompt: 0, completion: 0 } : model === "" ? undefined : await this.priceOf(model);
    if (this.endpoint.model === model && this.endpoint.url === url) this.usual = usual;
  }

  #change = (): void => {
    const read = (name: keyof Price): number | undefined => {
      const value = this.querySelector<HTMLInputElement>(`[data-price=${name}]`)?.valueAsNumber ?? NaN;
      return value >= 0 ? value : undefined;
    };
    const [prompt, completion] = [read("prompt"), read("completion")];
    const price = prompt === undefined && completion === undefined ? undefined
      : { prompt: prompt ?? this.usual?.prompt ?? 0, completion: completion ?? this.usual?.completion ?? 0 };
    this.emit<EndpointWish>("endpoint-wish", { wish: "change", name: this.endpoint.name, change: { price } });
  };
}

customElements.define("stile-endpoint-price", StileEndpointPrice);
