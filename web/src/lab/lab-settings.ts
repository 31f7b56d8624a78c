import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { baseOf } from "../models/address.js";
import { onWire } from "../models/endpoint-actions.js";
import type { KeyNote } from "../models/api-keys.js";
import type { Endpoint } from "../store/state.js";
import type { LabCheckResult, LabOutcome, LabSettings, LlmSpec } from "../core/wire.js";
import { thinking } from "../run/run-settings.js";
import { thinkingFields } from "../run/settings-fields.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The settings of an experiment's runs. 0 and "" select the experiment's own values. */
export interface LabForm {
  /** Names of the endpoints that replace the experiment's models. */
  readonly models: readonly string[];
  readonly tasks: number;
  /** Numbers separated by spaces. */
  readonly seeds: string;
  readonly concurrent: number;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
  /** The effort and tokens of thoughts; "" and 0 for those of each endpoint. */
  readonly effort: string;
  readonly thinking: number;
}

export const usualLab: LabForm = {
  models: [],
  tasks: 0,
  seeds: "",
  concurrent: 0,
  calls: 0,
  tokens: 0,
  money: 0,
  effort: "",
  thinking: 0,
};

/** Converts the form into the core's settings. */
export function labSettings(
  form: LabForm,
  endpoints: readonly Endpoint[],
  check: LabCheckResult | null,
  earlier: readonly LabOutcome[] = [],
): LabSettings {
  const models = endpoints
    .filter((e) => form.models.includes(e.name))
    .map((e) => ({
      name: nameOf(e, endpoints),
      spec: { kind: "endpoint", endpoint: onWire(thinking(form, e)) as LlmSpec["endpoint"] } as LlmSpec,
    }));
  const seeds = seedsOf(form.seeds);
  const usual = check?.budget ?? { calls: 0, tokens: 0, money: 0 };
  const changed = form.calls > 0 || form.tokens > 0 || form.money > 0;
  const budget = {
    calls: form.calls || usual.calls,
    tokens: form.tokens || usual.tokens,
    money: form.money || usual.money,
  };
  return {
    ...(models.length > 0 && { models }),
    ...(form.tasks > 0 && { tasks: form.tasks }),
    ...(seeds.length > 0 && { seeds }),
    ...(form.concurrent > 0 && { concurrent: form.concurrent }),
    ...(changed && { budget }),
    ...(earlier.length > 0 && { earlier }),
  };
}

/** Returns the name of an endpoint's row: the endpoint's name, and its model if another endpoint has the same name. */
export function nameOf(endpoint: Endpoint, endpoints: readonly Endpoint[]): string {
  const alike = endpoints.filter((e) => e.label === endpoint.label).length > 1;
  return alike ? `${endpoint.label}, ${endpoint.model === "" ? endpoint.name : endpoint.model}` : endpoint.label;
}

function seedsOf(text: string): number[] {
  return [
    ...new Set(
      text
        .split(/[\s,]+/)
        .filter((s) => /^\d{1,9}$/.test(s))
        .map(Number),
    ),
  ];
}

/** The form of an experiment's models, size and limits. */
export class StileLabSettings extends LightElement {
  @prop form: LabForm = usualLab;
  @prop check: LabCheckResult | null = null;
  @prop endpoints: readonly Endpoint[] = [];
  @prop keys: readonly KeyNote[] = [];

  protected override render(): unknown {
    const { form, check } = this;
    const simulated = form.models.length === 0;
    return html` <fieldset class="group lab-models">
        <legend>Models</legend>
        <div class="checks">
          <label class="check"
            ><input type="checkbox" .checked=${live(simulated)} @change=${() => this.#change({ models: [] })} />
            <span
              >Simulated models
              <small class="hint"
                >${check === null ? "" : check.models.filter((m) => !check.endpoints.includes(m)).join(", ")}</small
              ></span
            ></label
          >
          ${this.endpoints.map(
            (e) =>
              html` <label class="check"
                ><input
                  type="checkbox"
                  data-endpoint=${e.name}
                  .checked=${form.models.includes(e.name)}
                  @change=${() => this.#toggle(e.name)}
                />
                <span
                  >${e.label}
                  <small class="hint"
                    >${e.model === "" ? "no model name yet" : e.model}${this.keys.some((k) => k.endpoint === e.name && k.base === baseOf(e.url)) ? "" : ", without a key"}</small
                  ></span
                ></label
              >`,
          )}
          <button
            class="button small"
            type="button"
            aria-haspopup="dialog"
            @click=${() => this.emit("endpoints-requested", null)}
          >
            Endpoints…
          </button>
        </div>
      </fieldset>
      <details class="more">
        <summary>Size and limits of the run</summary>
        <div class="fields">
          ${this.#number("Tasks of each kind", form.tasks, "all", (tasks) => ({ tasks }))}
          <label class="field narrow"
            ><span>Seeds</span
            ><input
              type="text"
              inputmode="numeric"
              placeholder=${check?.seeds.join(" ") ?? ""}
              .value=${form.seeds}
              @change=${(e: Event) => {
                const seeds = seedsOf(valueOf(e)).join(" ");
                (e.target as HTMLInputElement).value = seeds;
                this.#change({ seeds });
              }}
          /></label>
          ${this.#number("Parallel cells", form.concurrent, String(check?.concurrent ?? ""), (concurrent) => ({ concurrent }))}
          ${this.#number("Maximum calls", form.calls, bound(check?.budget.calls || check?.ceiling.calls), (calls) => ({ calls }))}
          ${this.#number("Maximum tokens", form.tokens, bound(check?.budget.tokens || check?.ceiling.tokens), (tokens) => ({ tokens }))}
          ${this.#number("Maximum dollars", form.money, bound(check?.budget.money || check?.ceiling.money), (money) => ({ money }), "0.01")}
        </div>
        ${thinkingFields(form, (thoughts) => this.#change(thoughts as Partial<LabForm>), !simulated)}
        ${simulated ? nothing : html`<p class="hint">Requests to an endpoint never exceed its own limits.</p>`}
      </details>`;
  }

  #number(label: string, value: number, usual: string, change: (n: number) => Partial<LabForm>, step = "1"): unknown {
    return html` <label class="field narrow"
      ><span>${label}</span
      ><input
        type="number"
        min="0"
        step=${step}
        placeholder=${usual}
        .value=${value === 0 ? "" : String(value)}
        @change=${(e: Event) => {
          const given = Math.max(Number(valueOf(e)) || 0, 0);
          const n = step === "1" ? Math.floor(given) : given;
          (e.target as HTMLInputElement).value = n === 0 ? "" : String(n);
          this.#change(change(n));
        }}
    /></label>`;
  }

  #toggle(name: string): void {
    const { models } = this.form;
    this.#change({ models: models.includes(name) ? models.filter((m) => m !== name) : [...models, name] });
  }

  #change(change: Partial<LabForm>): void {
    this.emit<LabForm>("form-changed", { ...this.form, ...change });
  }
}

function bound(n: number | undefined): string {
  return n === undefined || n === 0 ? "no limit" : String(n);
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement).value;
}

customElements.define("stile-lab-settings", StileLabSettings);
