import { html, nothing } from "lit";
import { allAgreed, wanting } from "../consent.js";
import { checkedOf } from "../inputs.js";
import type { RunSettings } from "../run-form.js";
import type { Endpoint } from "../state.js";
import type { ToolRemoteCall } from "../wire.js";
import { LightElement } from "./light-element.js";

/** The requests that a workspace's tools make, for a person to agree to before they are made. */
export class StileToolConsent extends LightElement {
  static override properties = { calls: { attribute: false }, agreed: { attribute: false }, endpoints: { attribute: false } };
  declare calls: readonly ToolRemoteCall[];
  declare agreed: readonly ToolRemoteCall[];
  declare endpoints: readonly Endpoint[];

  constructor() {
    super();
    this.calls = [];
    this.agreed = [];
    this.endpoints = [];
  }

  protected override render(): unknown {
    const calls = wanting(this.calls);
    if (calls.length === 0) return nothing;
    const given = allAgreed(calls, this.agreed);
    return html`
      <fieldset class="tool-consent">
        <legend>Requests of the tools</legend>
        <ul>${calls.map((call) => this.#call(call))}</ul>
        <label class="check"><input type="checkbox" .checked=${given} @change=${(e: Event) => this.emit<Partial<RunSettings>>("settings-changed", { agreed: checkedOf(e) ? calls : [] })} /> <span>Allow these requests in runs of this workspace</span></label>
        <small class="hint">${given ? "The tools are called." : "The tools are simulated until you allow them."}</small>
      </fieldset>`;
  }

  #call({ tool, method, address, path = "", auth = "" }: ToolRemoteCall): unknown {
    const label = this.endpoints.find((e) => e.name === auth)?.label ?? auth;
    return html`<li><code>${method === "*" ? "GET, POST, DELETE" : method} ${address.replace(/\/$/, "")}${path}</code> ${tool === "" ? "any tool that this MCP server offers" : tool}${auth === "" ? nothing : html`; <strong>sends your key of “${label}”</strong>`}</li>`;
  }
}

customElements.define("stile-tool-consent", StileToolConsent);
