import { html, nothing } from "lit";
import { baseOf } from "../address.js";
import { endpointOf } from "../endpoints.js";
import { valueOf } from "../inputs.js";
import type { KeyNote } from "../keys.js";
import type { ModelKind, RunSettings } from "../run-form.js";
import type { Endpoint } from "../state.js";
import { LightElement } from "./light-element.js";

const models: readonly { readonly kind: ModelKind; readonly label: string; readonly hint: string }[] = [
  { kind: "uniform", label: "Simulated: well-behaved", hint: "Chooses evenly among what is right." },
  { kind: "first", label: "Simulated: always the first", hint: "Takes the first choice, so every run is alike." },
  { kind: "rambler", label: "Simulated: rambler", hint: "Breaks the rules as often as you like." },
  { kind: "scripted", label: "Scripted answers", hint: "One answer a line; \\n stands for a line break." },
  { kind: "person", label: "You are the model", hint: "Every question comes to you." },
];

/** Which model is asked, and what it needs. */
export class StileModelPicker extends LightElement {
  static override properties = {
    settings: { attribute: false }, endpoints: { attribute: false }, keys: { attribute: false }, label: { attribute: false }, name: { attribute: false },
  };
  declare settings: RunSettings;
  declare endpoints: readonly Endpoint[];
  declare keys: readonly KeyNote[];
  declare label: string;
  /** Tells this picker's parts from those of another. */
  declare name: string;

  constructor() {
    super();
    this.label = "Model";
    this.name = "model";
  }

  protected override render(): unknown {
    const s = this.settings;
    const { name } = this;
    const endpoint = endpointOf(s, this.endpoints);
    return html`
      <div class="field"><label for=${name}>${this.label}</label>
        <span class="with-button">
          <select id=${name} aria-describedby="${name}-hint" @change=${this.#model}>
            <optgroup label="Without a server">${models.map((m) => html`<option value=${m.kind} .selected=${m.kind === s.model}>${m.label}</option>`)}</optgroup>
            ${this.endpoints.length === 0 ? nothing : html`<optgroup label="Endpoints">${this.endpoints.map((e) => html`<option value="endpoint:${e.name}" .selected=${e === endpoint}>${e.label}${e.model === "" ? "" : `: ${e.model}`}</option>`)}</optgroup>`}
          </select>
          <button class="button" type="button" aria-haspopup="dialog" @click=${() => this.emit("endpoints-wished", null)}>Endpoints…</button>
        </span>
        <small class="hint" id="${name}-hint">${endpoint === undefined ? models.find((m) => m.kind === s.model)?.hint : this.#about(endpoint)}</small></div>
      ${this.#modelFields(s)}`;
  }

  #modelFields(s: RunSettings): unknown {
    switch (s.model) {
      case "rambler":
        return html`
          <label class="field"><span>Error rate <output>${Math.round(s.errorRate * 100)} %</output></span>
            <input type="range" min="0" max="1" step="0.05" .value=${String(s.errorRate)} @input=${(e: Event) => this.#change({ errorRate: Number(valueOf(e)) })} /></label>`;
      case "scripted":
        return html`
          <label class="field wide"><span>Answers</span>
            <textarea class="code" rows="4" spellcheck="false" .value=${s.script} @input=${(e: Event) => this.#change({ script: valueOf(e) })}></textarea></label>`;
      default:
        return nothing;
    }
  }

  /** What runs will ask, and what they still lack. */
  #about({ name, url, model }: Endpoint): string {
    const base = baseOf(url);
    const key = this.keys.some((k) => k.endpoint === name && k.base === base) ? "with its key" : "without a key";
    if (base === "") return "It has no address yet.";
    return model === "" ? "It has no model’s name yet." : `Called at ${new URL(url).host} from this page, ${key}; no server of ours is in between.`;
  }

  #model = (event: Event): void => {
    const value = valueOf(event);
    if (value.startsWith("endpoint:")) this.#change({ model: "endpoint", endpoint: value.slice("endpoint:".length) });
    else this.#change({ model: value as ModelKind });
  };

  #change(change: Partial<RunSettings>): void {
    this.emit<Partial<RunSettings>>("settings-changed", change);
  }
}

customElements.define("stile-model-picker", StileModelPicker);
