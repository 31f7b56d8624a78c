// Fields that the settings of several kinds of runs share.
import { html, nothing } from "lit";
import { numberText, valueOf, whole } from "../ui/form-input.js";
import { efforts } from "../models/efforts.js";
import type { OwnModel, RunSettings } from "./run-form.js";
import type { Endpoint } from "../store/state.js";

const budgets = { maxCalls: "Calls", maxTokens: "Tokens", maxMoney: "Dollars" } as const;

type Budget = keyof typeof budgets;

/** The part of a run's settings about thoughts. */
export interface Thoughts {
  readonly model?: RunSettings["model"];
  readonly effort?: string;
  readonly thinking?: number;
}

/** Renders the budget of a run. */
export function budgetFields(
  settings: RunSettings,
  change: (change: Partial<RunSettings>) => void,
  fields: readonly Budget[] = ["maxCalls", "maxTokens", "maxMoney"],
): unknown {
  return html` <fieldset class="field wide group">
    <legend>Budget</legend>
    <div class="fields">
      ${fields.map(
        (field) =>
          html` <label class="field narrow"
            ><span>${budgets[field]}</span
            ><input
              type="number"
              min="0"
              step=${field === "maxMoney" ? "any" : "1"}
              placeholder="default"
              .value=${numberText(settings[field])}
              @change=${(e: Event) => change({ [field]: field === "maxMoney" ? Math.max(0, Number(valueOf(e)) || 0) : whole(e) })}
          /></label>`,
      )}
    </div>
  </fieldset>`;
}

/**
 * Renders the effort and tokens of a run's thoughts, which replace those of its endpoints; nothing for simulated models.
 * endpoints is true if an endpoint answers in the run.
 */
export function thinkingFields(
  settings: Thoughts,
  change: (change: Thoughts) => void,
  endpoints = settings.model === "endpoint",
): unknown {
  if (!endpoints) return nothing;
  const { effort = "", thinking = 0 } = settings;
  return html` <fieldset class="field wide group">
    <legend>Thinking</legend>
    <div class="fields">
      <label class="field"
        ><span>Thinking effort</span>
        <select @change=${(e: Event) => change({ effort: valueOf(e) })}>
          ${[["", "as the endpoint’s settings say"] as const, ...efforts].map(([value, label]) => html`<option value=${value} .selected=${value === effort}>${label}</option>`)}
        </select></label
      >
      <label class="field narrow"
        ><span>Thinking tokens</span
        ><input
          type="number"
          min="0"
          max="1000000"
          step="1"
          placeholder="as the endpoint"
          .value=${numberText(thinking)}
          @change=${(e: Event) => change({ thinking: Math.min(whole(e), 1_000_000) })}
      /></label>
    </div>
    <small class="hint">For this run only; the endpoint keeps its own settings.</small>
  </fieldset>`;
}

/** Renders a prompt that can be replaced; "" is the default. */
export function promptField(label: string, own: string, usual: string, change: (text: string) => void): unknown {
  const set = (text: string): void => change(text === usual ? "" : text);
  return html` <details class="fold">
    <summary>${label}${own === "" ? nothing : html` <span class="hint">your own</span>`}</summary>
    <textarea
      class="code"
      rows="8"
      spellcheck="false"
      aria-label="Prompt: ${label}"
      .value=${own || usual}
      @input=${(e: Event) => set(valueOf(e))}
    ></textarea>
    <button class="button small" type="button" ?disabled=${own === ""} @click=${() => set("")}>Default</button>
  </details>`;
}

/** Returns a record with one entry replaced, or removed if its value is undefined or "". */
export function withEntry<V>(
  record: Readonly<Record<string, V>>,
  key: string,
  value: V | undefined,
): Record<string, V> {
  const { [key]: _, ...others } = record;
  return value === undefined || value === "" ? others : { ...others, [key]: value };
}

const ENDPOINT = "endpoint:";

/** Returns the value of a model's option in {@link modelOptions}; "" without a model. */
function optionOf(own: OwnModel | undefined): string {
  return own === undefined ? "" : own.model === "endpoint" ? ENDPOINT + own.endpoint : own.model;
}

/** Returns the model for the value of an option, or undefined for "". */
export function ownModel(option: string, errorRate: number): OwnModel | undefined {
  if (option === "") return undefined;
  const endpoint = option.startsWith(ENDPOINT) ? option.slice(ENDPOINT.length) : "";
  return { model: endpoint === "" ? (option as OwnModel["model"]) : "endpoint", endpoint, script: "", errorRate };
}

/** Renders the options for a role's model: the default model, simulated models and endpoints. */
export function modelOptions(
  own: OwnModel | undefined,
  usual: string,
  kinds: Readonly<Record<string, string>>,
  endpoints: readonly Endpoint[],
): unknown {
  const chosen = optionOf(own);
  return html` <option value="" .selected=${chosen === ""}>${usual}</option>
    ${Object.entries(kinds).map(([kind, label]) => html`<option value=${kind} .selected=${chosen === kind}>${label}</option>`)}
    ${endpoints.map((e) => html`<option value=${ENDPOINT + e.name} .selected=${chosen === ENDPOINT + e.name}>${e.label}${e.model === "" ? "" : `: ${e.model}`}</option>`)}`;
}

/** Fields for the temperature and the tokens of an answer. */
export function samplingFields(
  s: Pick<RunSettings, "temperature" | "answerTokens">,
  change: (change: Partial<RunSettings>) => void,
): unknown {
  return html`<label class="field narrow"
      ><span>Temperature</span>
      <input
        type="number"
        min="0"
        max="2"
        step="0.1"
        placeholder="0"
        .value=${numberText(s.temperature ?? 0)}
        @change=${(e: Event) => change({ temperature: Math.min(2, Math.max(0, Number(valueOf(e)) || 0)) })}
    /></label>
    <label class="field narrow"
      ><span>Tokens per answer</span>
      <input
        type="number"
        min="0"
        max="1000000"
        step="1"
        placeholder="default"
        .value=${numberText(s.answerTokens ?? 0)}
        @change=${(e: Event) => change({ answerTokens: Math.min(whole(e), 1_000_000) })}
    /></label>`;
}
