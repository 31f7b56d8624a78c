import { html, type PropertyValues } from "lit";
import { isFree } from "./address.js";
import type { EndpointCommand, Price } from "./endpoint-actions.js";
import type { Endpoint } from "../store/state.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Returns the core's price of a model. */
export type PriceOf = (model: string) => Promise<Price | undefined>;

/** The price of an endpoint's tokens, if it differs from the core's table. */
export class StileEndpointPrice extends LightElement {
  @prop endpoint!: Endpoint;
  @prop priceOf!: PriceOf;
  /** The core's price, if it knows one. */
  @state usual: Price | undefined;

  protected override render(): unknown {
    const { price } = this.endpoint;
    const shown = price ?? this.usual;
    const field = (name: keyof Price, label: string): unknown =>
      html` <label class="field narrow"
        ><span>${label}</span>
        <input
          type="number"
          data-price=${name}
          min="0"
          step="any"
          inputmode="decimal"
          placeholder=${this.usual === undefined ? "unknown" : String(this.usual[name])}
          .value=${price === undefined ? "" : String(price[name])}
          @change=${this.#change}
      /></label>`;
    return html` <details class="more">
      <summary>Price${shown === undefined ? "" : `: $${shown.prompt} read, $${shown.completion} written`}</summary>
      <div class="fields">
        ${field("prompt", "Dollars per million input tokens")}${field("completion", "Dollars per million output tokens")}
      </div>
      <p class="hint">
        ${this.usual === undefined ? "No price is known for this model; runs count tokens only." : "Grey values are defaults. Prices change: check the provider’s own page."}
      </p>
    </details>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("endpoint");
    if (changed.has("endpoint") && (before?.model !== this.endpoint.model || before.url !== this.endpoint.url))
      void this.#look();
  }

  async #look(): Promise<void> {
    const { model, url } = this.endpoint;
    const usual = isFree(url) ? { prompt: 0, completion: 0 } : model === "" ? undefined : await this.priceOf(model);
    if (this.endpoint.model === model && this.endpoint.url === url) this.usual = usual;
  }

  #change = (): void => {
    const read = (name: keyof Price): number | undefined => {
      const value = this.querySelector<HTMLInputElement>(`[data-price=${name}]`)?.valueAsNumber ?? NaN;
      return value >= 0 ? value : undefined;
    };
    const [prompt, completion] = [read("prompt"), read("completion")];
    const price =
      prompt === undefined && completion === undefined
        ? undefined
        : { prompt: prompt ?? this.usual?.prompt ?? 0, completion: completion ?? this.usual?.completion ?? 0 };
    this.emit<EndpointCommand>("endpoint-command", { command: "change", name: this.endpoint.name, change: { price } });
  };
}

customElements.define("stile-endpoint-price", StileEndpointPrice);
