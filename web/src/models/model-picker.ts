import { html, nothing } from "lit";
import { baseOf } from "./address.js";
import { endpointOf } from "./endpoint-actions.js";
import { valueOf } from "../ui/form-input.js";
import type { KeyNote } from "./api-keys.js";
import type { ModelKind, RunSettings } from "../run/run-form.js";
import type { Endpoint } from "../store/state.js";
import { LightElement, prop } from "../ui/light-element.js";

const models: readonly { readonly kind: ModelKind; readonly label: string; readonly hint: string }[] = [
  { kind: "uniform", label: "Simulated: well-behaved", hint: "Chooses a valid choice uniformly at random." },
  {
    kind: "first",
    label: "Simulated: always the first",
    hint: "Always takes the first choice, so all runs are identical.",
  },
  { kind: "rambler", label: "Simulated: rambler", hint: "Breaks the rules at the rate you set." },
  { kind: "scripted", label: "Scripted answers", hint: "One answer per line; \\n stands for a line break." },
  { kind: "person", label: "You are the model", hint: "You answer every question." },
];

/** The choice of a model, with its settings. */
export class StileModelPicker extends LightElement {
  @prop settings!: RunSettings;
  @prop endpoints!: readonly Endpoint[];
  @prop keys!: readonly KeyNote[];
  /** Whether a person wrote a run for the open example. */
  @prop scripted = false;
  @prop label = "Model";
  /** Distinguishes the ids of several pickers. */
  @prop name = "model";

  protected override render(): unknown {
    const s = this.settings;
    const { name } = this;
    const endpoint = endpointOf(s, this.endpoints);
    const played = this.scripted && s.recorded && s.model === "uniform";
    return html` <div class="field">
        <label for=${name}>${this.label}</label>
        <span class="with-button">
          <select id=${name} aria-describedby="${name}-hint" @change=${this.#model}>
            <optgroup label="Without a server">
              ${this.scripted ? html`<option value="recorded" .selected=${played}>Script written by a person</option>` : nothing}
              ${models.map((m) => html`<option value=${m.kind} .selected=${m.kind === s.model && !played}>${m.label}</option>`)}
            </optgroup>
            ${this.endpoints.length === 0 ? nothing : html`<optgroup label="Endpoints">${this.endpoints.map((e) => html`<option value="endpoint:${e.name}" .selected=${e === endpoint}>${e.label}${e.model === "" ? "" : `: ${e.model}`}</option>`)}</optgroup>`}
          </select>
          <button
            class="button"
            type="button"
            aria-haspopup="dialog"
            @click=${() => this.emit("endpoints-requested", null)}
          >
            Endpoints…
          </button>
        </span>
        <small class="hint" id="${name}-hint"
          >${played ? "Replays answers that a person wrote. Choose another model to start a different run." : endpoint === undefined ? models.find((m) => m.kind === s.model)?.hint : this.#about(endpoint)}</small
        >
      </div>
      ${this.#modelFields(s)}`;
  }

  #modelFields(s: RunSettings): unknown {
    switch (s.model) {
      case "rambler":
        return html` <label class="field"
          ><span>Error rate <output>${Math.round(s.errorRate * 100)} %</output></span>
          <input
            type="range"
            min="0"
            max="1"
            step="0.05"
            .value=${String(s.errorRate)}
            @input=${(e: Event) => this.#change({ errorRate: Number(valueOf(e)) })}
        /></label>`;
      case "scripted":
        return html` <label class="field wide"
          ><span>Answers</span>
          <textarea
            class="code"
            rows="4"
            spellcheck="false"
            .value=${s.script}
            @input=${(e: Event) => this.#change({ script: valueOf(e) })}
          ></textarea>
        </label>`;
      default:
        return nothing;
    }
  }

  /** Describes the endpoint and its missing settings. */
  #about({ name, url, model }: Endpoint): string {
    const base = baseOf(url);
    const note = this.keys.find((k) => k.endpoint === name && k.base === base);
    const key = note === undefined ? "without a key" : note.keyed ? "with its key" : "with its headers";
    if (base === "") return "The endpoint has no address yet.";
    return model === ""
      ? "The endpoint has no model name yet."
      : `Called at ${new URL(url).host} from this page, ${key}; no server of ours is in between.`;
  }

  #model = (event: Event): void => {
    const value = valueOf(event);
    if (value.startsWith("endpoint:")) this.#change({ model: "endpoint", endpoint: value.slice("endpoint:".length) });
    else if (value === "recorded") this.#change({ model: "uniform", recorded: true });
    else this.#change({ model: value as ModelKind, recorded: false });
  };

  #change(change: Partial<RunSettings>): void {
    this.emit<Partial<RunSettings>>("settings-changed", change);
  }
}

customElements.define("stile-model-picker", StileModelPicker);
