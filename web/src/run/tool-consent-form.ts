import { html, nothing } from "lit";
import { allAgreed, wanting } from "../core/tool-consent.js";
import { checkedOf } from "../ui/form-input.js";
import type { RunSettings } from "./run-form.js";
import type { Endpoint } from "../store/state.js";
import type { ToolAgenttoolsRemoteCall } from "../core/wire.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The requests of a workspace's tools, which a person has to allow first. */
export class StileToolConsent extends LightElement {
  @prop calls: readonly ToolAgenttoolsRemoteCall[] = [];
  @prop agreed: readonly ToolAgenttoolsRemoteCall[] = [];
  @prop endpoints: readonly Endpoint[] = [];

  protected override render(): unknown {
    const calls = wanting(this.calls);
    if (calls.length === 0) return nothing;
    const given = allAgreed(calls, this.agreed);
    return html` <fieldset class="tool-consent">
      <legend>Requests of the tools</legend>
      <ul>
        ${calls.map((call) => this.#call(call))}
      </ul>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${given}
          @change=${(e: Event) => this.emit<Partial<RunSettings>>("settings-changed", { agreed: checkedOf(e) ? calls : [] })}
        />
        <span>Allow these requests in runs of this workspace</span></label
      >
      <small class="hint">${given ? "Tools are called." : "The tools are simulated until you allow them."}</small>
    </fieldset>`;
  }

  #call({ tool, method, address, path = "", auth = "" }: ToolAgenttoolsRemoteCall): unknown {
    const label = this.endpoints.find((e) => e.name === auth)?.label ?? auth;
    return html`<li>
      <code>${method === "*" ? "GET, POST, DELETE" : method} ${address.replace(/\/$/, "")}${path}</code>
      ${tool === "" ? "any tool that this MCP server offers" : tool}${auth === "" ? nothing : html`; <strong>sends your key of “${label}”</strong>`}
    </li>`;
  }
}

customElements.define("stile-tool-consent", StileToolConsent);
