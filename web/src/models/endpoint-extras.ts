import { html, nothing, type PropertyValues } from "lit";
import { baseOf } from "./address.js";
import type { EndpointCommand } from "./endpoint-actions.js";
import { efforts } from "./efforts.js";
import { secretField } from "./endpoint-key.js";
import type { KeyNote } from "./api-keys.js";
import { extraBody, headerFault } from "./extra-fields.js";
import type { Endpoint } from "../store/state.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Settings that are added to each request: the budget for thoughts, an extra body, extra headers. */
export class StileEndpointExtras extends LightElement {
  @prop endpoint!: Endpoint;
  @prop note: KeyNote | undefined = undefined;
  /** The fault of the typed body, which is then not applied; "" if it is valid. */
  @state bodyFault = "";
  @state headerFault = "";
  /** Whether a header is being removed, and with it the focused button. */
  #removes = false;

  override disconnectedCallback(): void {
    this.take();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("endpoint");
    if (before === undefined || before.name === this.endpoint.name) return;
    this.take(before.name);
    this.bodyFault = this.headerFault = "";
  }

  protected override render(): unknown {
    const { effort = "", thinking, body, url, label } = this.endpoint;
    const base = baseOf(url);
    const headers = this.note?.base === base ? this.note.headers : [];
    const set = [effort !== "" && "effort", thinking && "tokens", body && "body", headers.length > 0 && "headers"];
    const parts = set.filter(Boolean).join(", ");
    return html` <details class="more">
      <summary>Thinking, extra body and headers${parts === "" ? "" : `: ${parts}`}</summary>
      <div class="fields">
        <label class="field"
          ><span>Thinking effort</span>
          <select data-field="effort" @change=${(e: Event) => this.#change({ effort: valueOf(e) || undefined })}>
            ${[["", "the model’s default"] as const, ...efforts].map(([value, label]) => html`<option value=${value} .selected=${value === effort}>${label}</option>`)}
          </select></label
        >
        <label class="field"
          ><span>Thinking tokens</span>
          <input
            type="number"
            data-field="thinking"
            min="0"
            max="1000000"
            step="1"
            placeholder="default for the server and effort"
            .value=${String(thinking ?? "")}
            @change=${(e: Event) => this.#thinking(e.target as HTMLInputElement)}
        /></label>
        <div class="field wide">
          <label for="endpoint-body">Extra body</label>
          <textarea
            id="endpoint-body"
            class="code"
            rows="3"
            spellcheck="false"
            placeholder='{"seed": 1}'
            aria-describedby="endpoint-body-fault endpoint-body-hint"
            aria-invalid=${this.bodyFault === "" ? "false" : "true"}
            .value=${body === undefined ? "" : JSON.stringify(body, null, 2)}
            @change=${(e: Event) => this.#body(valueOf(e))}
          ></textarea>
          <small class="fault-text" id="endpoint-body-fault" role="alert">${this.bodyFault}</small>
          <small class="hint" id="endpoint-body-hint"
            >A JSON object that is merged into each request. Saved runs and links contain it: put secrets into
            headers.</small
          >
        </div>
      </div>
      <fieldset class="endpoint-key">
        <legend>Extra headers</legend>
        ${
          headers.length === 0
            ? nothing
            : html`<ul class="extra-headers">
                ${headers.map(
                  (name) =>
                    html`<li class="key-set">
                      <code>${name}</code><span aria-hidden="true">•••</span
                      ><button
                        class="text-link"
                        type="button"
                        aria-label="Remove the header ${name}"
                        @click=${() => this.#remove(name)}
                      >
                        Remove
                      </button>
                    </li>`,
                )}
              </ul>`
        }
        <div class="with-button extra-header">
          <input
            type="text"
            autocomplete="off"
            spellcheck="false"
            placeholder="name"
            aria-label="Name of a header of ${label}"
            ?disabled=${base === ""}
            @keydown=${this.#enter}
          />
          ${secretField(`Value of a header of ${label}`, "header-fault header-hint", "value", base === "", this.#enter)}
          <button class="button" type="button" ?disabled=${base === ""} @click=${() => this.take()}>Add</button>
        </div>
        <p class="fault-text" id="header-fault" role="alert">${this.headerFault}</p>
        <p class="hint" id="header-hint">
          Kept and sent like the key: only to addresses below ${base === "" ? "this one" : html`<code>${base}</code>`}.
          The server must allow them for web pages (CORS).
        </p>
      </fieldset>
    </details>`;
  }

  /** Stores the typed header for its endpoint and clears the fields. */
  take(endpoint = this.endpoint.name): void {
    const [named, valued] = this.querySelectorAll<HTMLInputElement>(".extra-header input");
    const [name, value] = [named?.value.trim().toLowerCase() ?? "", valued?.value.trim() ?? ""];
    if (named === undefined || valued === undefined || value === "") return;
    valued.value = "";
    this.headerFault = headerFault(name, value) ?? "";
    if (this.headerFault !== "") return;
    named.value = "";
    this.#give(endpoint, name, value);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("note") || !this.#removes) return;
    this.#removes = false;
    this.querySelector<HTMLElement>(".extra-headers button, .extra-header input")?.focus();
  }

  #remove(header: string): void {
    this.#removes = true;
    this.#give(this.endpoint.name, header, "");
  }

  #give(name: string, header: string, value: string): void {
    this.#send({ command: "give", name, change: { header, value }, kept: false });
  }

  #thinking(field: HTMLInputElement): void {
    const { value } = field;
    const thinking = Math.floor(Number(value));
    if (value === "" || (thinking > 0 && thinking <= 1_000_000)) this.#change({ thinking: thinking || undefined });
    else field.value = String(this.endpoint.thinking ?? "");
  }

  #body(text: string): void {
    const { body, fault = "" } = extraBody(text);
    this.bodyFault = fault;
    if (fault === "") this.#change({ body });
  }

  #enter = (event: KeyboardEvent): void => {
    if (event.key === "Enter") this.take();
  };

  #change(change: Partial<Endpoint>): void {
    this.#send({ command: "change", name: this.endpoint.name, change });
  }

  #send(command: EndpointCommand): void {
    this.emit<EndpointCommand>("endpoint-command", command);
  }
}

function valueOf(event: Event): string {
  return (event.target as HTMLSelectElement | HTMLTextAreaElement).value;
}

customElements.define("stile-endpoint-extras", StileEndpointExtras);
