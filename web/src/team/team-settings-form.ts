import { html, nothing } from "lit";
import type { TeamFacts } from "../run/events.js";
import { allAgreed } from "../core/tool-consent.js";
import { checkedOf, numberText, valueOf, whole } from "../ui/form-input.js";
import {
  budgetFields,
  modelOptions,
  ownModel,
  promptField,
  thinkingFields,
  withEntry,
} from "../run/settings-fields.js";
import type { OwnModel, RunSettings, TeamForm } from "../run/run-form.js";
import type { Endpoint } from "../store/state.js";
import { followsScript, teamEnvironment, teamForm, teamScript } from "./team-settings.js";
import type { File, TeamDefaultsResult } from "../core/wire.js";
import { count } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "../run/tool-consent-form.js";

/** A numeric limit. */
interface Bound {
  readonly field: "steps" | "retries" | "concurrent" | "maxTokens" | "temperature";
  readonly label: string;
  readonly most: number;
  readonly usual: (facts: TeamFacts | null, defaults: TeamDefaultsResult | null) => string;
  readonly hint: string;
}

const bounds: readonly Bound[] = [
  {
    field: "steps",
    label: "Steps",
    most: 1_000,
    usual: (f) => String(f?.steps ?? ""),
    hint: "Maximum tool calls of an executor per sub-task.",
  },
  {
    field: "retries",
    label: "Retries",
    most: 20,
    usual: (f) => String(f?.retries ?? ""),
    hint: "Maximum retries of a sub-task, the graph or the delivery.",
  },
  {
    field: "concurrent",
    label: "In parallel",
    most: 60,
    usual: (f) => String(f?.concurrent ?? ""),
    hint: "Sub-tasks that run at the same time.",
  },
  { field: "maxTokens", label: "Tokens per call", most: 1_000_000, usual: (_, d) => String(d?.tokens ?? ""), hint: "" },
  { field: "temperature", label: "Temperature", most: 2, usual: () => "0", hint: "" },
];

const templates: readonly { readonly field: keyof TeamForm["templates"]; readonly label: string }[] = [
  { field: "manager", label: "Manager" },
  { field: "supervisor", label: "Supervisor" },
  { field: "executor", label: "Executor" },
  { field: "inference", label: "Deliverer, inference" },
  { field: "reporting", label: "Deliverer, reporting" },
  { field: "alone", label: "Without a team" },
];

/** The settings of a team's run. */
export class StileRunTeam extends LightElement {
  @prop settings!: RunSettings;
  @prop endpoints: readonly Endpoint[] = [];
  @prop files: readonly File[] = [];
  /** The core's facts about the team; null until they are loaded. */
  @prop facts: TeamFacts | null = null;
  /** Loads the defaults. */
  @prop usual!: () => Promise<TeamDefaultsResult>;
  @state defaults: TeamDefaultsResult | null = null;
  @state opened = false;

  protected override render(): unknown {
    const form = teamForm(this.settings);
    return html` <div class="fields">
        <div class="field">
          <label for="team-method">Method</label>
          <select id="team-method" @change=${(e: Event) => this.#change({ method: valueOf(e) as TeamForm["method"] })}>
            <option value="" .selected=${form.method === ""}>the team</option>
            <option value="react" .selected=${form.method === "react"}>one agent with all tools (ReAct)</option>
            <option value="cot" .selected=${form.method === "cot"}>one answer with step-by-step reasoning (CoT)</option>
            <option value="sole" .selected=${form.method === "sole"}>
              one answer from given information (sole planning)
            </option>
          </select>
          <small class="hint"
            >${form.method === "" ? this.#about() : "A baseline: the same task, without a team."}</small
          >
        </div>
        ${
          form.method === "sole"
            ? html` <label class="field wide"
                ><span>Known facts</span
                ><textarea
                  rows="4"
                  .value=${form.known}
                  @input=${(e: Event) => this.#change({ known: valueOf(e) })}
                ></textarea>
              </label>`
            : nothing
        }
        ${form.method === "cot" || form.method === "sole" ? nothing : this.#environment()}
        ${
          form.method === ""
            ? html`<label class="field narrow"
                ><span>New executors</span>
                <input
                  type="number"
                  min="0"
                  max="12"
                  step="1"
                  placeholder="none"
                  .value=${numberText(form.create ?? 0)}
                  @change=${(e: Event) => this.#change({ create: Math.min(whole(e), 12) })}
                />
                <small class="hint"
                  >The manager may create this number of executors, with the team’s tools.</small
                ></label
              >`
            : nothing
        }
        <div class="field wide checks">
          ${form.method === "" ? html`<label class="check"><input type="checkbox" .checked=${form.approve} @change=${(e: Event) => this.#change({ approve: checkedOf(e) })} /> <span>Show me the task graph before the sub-tasks run</span></label>` : nothing}
          ${
            form.method === "" &&
            teamScript(this.files) !== null &&
            this.settings.model !== "endpoint" &&
            this.settings.model !== "person"
              ? html`<label class="check"
                  ><input
                    type="checkbox"
                    .checked=${form.scripted}
                    @change=${(e: Event) => this.#change({ scripted: checkedOf(e) })}
                  />
                  <span>The workspace’s script answers; no model is called</span></label
                >`
              : nothing
          }
        </div>
      </div>
      <details class="more" @toggle=${this.#toggle}>
        <summary>More settings</summary>
        ${this.opened ? this.#more(form) : nothing}
      </details>`;
  }

  #about(): string {
    const f = this.facts;
    if (f === null) return "";
    return `${count(f.executors.length, "executor")}; ${count(f.checked, "constraint")} checked, ${f.told} in prompts; the deliverer ${f.role === "reporting" ? "reports" : "decides"}.`;
  }

  #environment(): unknown {
    const environment = teamEnvironment(this.settings, this.files, this.facts?.calls ?? []);
    return html` <label class="field"
        ><span>Tools</span>
        <select @change=${(e: Event) => this.#change({ environment: valueOf(e) as TeamForm["environment"] })}>
          <option value="simulated" .selected=${environment === "simulated"}>their results are simulated</option>
          <option value="person" .selected=${environment === "person"}>you enter their results</option>
          ${(this.facts?.tools.length ?? 0) + (this.facts?.servers ?? 0) > 0 || environment === "tools" ? html`<option value="tools" .selected=${environment === "tools"} ?disabled=${!allAgreed(this.facts?.calls ?? [], this.settings.agreed)}>they are called</option>` : nothing}
        </select></label
      >
      <stile-tool-consent
        class="wide"
        .calls=${this.facts?.calls ?? []}
        .agreed=${this.settings.agreed}
        .endpoints=${this.endpoints}
        @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.emit<Partial<RunSettings>>("settings-changed", e.detail)}
      ></stile-tool-consent>`;
  }

  #more(form: TeamForm): unknown {
    const alone = form.method !== "";
    return html` <div class="fields">
      ${
        alone
          ? nothing
          : html` <label class="field"
                ><span>Supervisor</span>
                <select @change=${(e: Event) => this.#change({ supervisor: valueOf(e) as TeamForm["supervisor"] })}>
                  <option value="" .selected=${form.supervisor === ""}>
                    rewrites a sub-task with the results that it needs
                  </option>
                  <option value="pass" .selected=${form.supervisor === "pass"}>passes the results on unchanged</option>
                </select></label
              >
              <label class="field"
                ><span>When a sub-task has failed</span>
                <select @change=${(e: Event) => this.#change({ otherwise: valueOf(e) as TeamForm["otherwise"] })}>
                  <option value="" .selected=${form.otherwise === ""}>
                    another executor does it, or the run continues without it
                  </option>
                  <option value="person" .selected=${form.otherwise === "person"}>you are asked</option>
                  <option value="stop" .selected=${form.otherwise === "stop"}>the run fails</option>
                </select></label
              >`
      }
      <fieldset class="field wide group">
        <legend>Limits</legend>
        <div class="bounds">${bounds.map((b) => this.#bound(b, form))}</div>
      </fieldset>
      ${budgetFields(this.settings, (change) => this.emit<Partial<RunSettings>>("settings-changed", change))}
      ${thinkingFields(
        this.settings,
        (change) => this.emit<Partial<RunSettings>>("settings-changed", change),
        [this.settings, ...Object.values(form.models)].some((m) => m.model === "endpoint"),
      )}
      ${alone || followsScript(this.settings, this.files) ? nothing : this.#models(form)}
      <fieldset class="field wide group">
        <legend>Prompts</legend>
        ${templates.filter(({ field }) => (field === "alone") === alone).map(({ field, label }) => this.#template(form, field, label))}
      </fieldset>
    </div>`;
  }

  #bound({ field, label, most, usual, hint }: Bound, form: TeamForm): unknown {
    const none = field === "retries" ? -1 : 0;
    return html` <div class="field narrow">
      <label for="team-${field}">${label}</label>
      <input
        id="team-${field}"
        type="number"
        min="0"
        max=${most}
        step=${field === "temperature" ? "0.1" : "1"}
        placeholder=${usual(this.facts, this.defaults)}
        .value=${form[field] === none ? "" : String(form[field])}
        @change=${(e: Event) => this.#number(e, field, most, none)}
      />
      ${hint === "" ? nothing : html`<small class="hint">${hint}</small>`}
    </div>`;
  }

  /** Renders the models per role. */
  #models(form: TeamForm): unknown {
    const keys = [
      "manager",
      "supervisor",
      "deliverer",
      "executors",
      ...(this.facts?.executors ?? []).map((e) => `executor ${e.name}`),
    ];
    return html` <fieldset class="field wide group">
      <legend>Models per role</legend>
      <div class="team-models">
        ${keys.map((key) => {
          const own = form.models[key];
          const label = key.startsWith("executor ")
            ? key.slice("executor ".length)
            : key === "executors"
              ? "all executors"
              : key;
          return html` <div class="field">
            <label for="team-model-${key.replace(/\W/g, "-")}">${label}</label>
            <select id="team-model-${key.replace(/\W/g, "-")}" @change=${(e: Event) => this.#model(key, valueOf(e))}>
              ${modelOptions(own, key.startsWith("executor ") ? "as all executors" : "the model above", kinds, this.endpoints)}
            </select>
            ${own?.model === "scripted" ? html`<textarea class="code" rows="2" spellcheck="false" aria-label="Answers of ${label}, one per line" .value=${own.script} @input=${(e: Event) => this.#own(key, { ...own, script: valueOf(e) })}></textarea>` : nothing}
          </div>`;
        })}
      </div>
    </fieldset>`;
  }

  #template(form: TeamForm, field: keyof TeamForm["templates"], label: string): unknown {
    return promptField(label, form.templates[field] ?? "", this.defaults?.templates[field] ?? "", (text) =>
      this.#change({ templates: withEntry(form.templates as Readonly<Record<string, string>>, field, text) }),
    );
  }

  #toggle = (event: Event): void => {
    if (!(event.target as HTMLDetailsElement).open) return;
    this.opened = true;
    if (this.defaults === null)
      this.usual()
        .then((defaults) => (this.defaults = defaults))
        .catch(() => {});
  };

  #model(key: string, option: string): void {
    this.#own(key, ownModel(option, this.settings.errorRate));
  }

  #own(key: string, own: OwnModel | undefined): void {
    this.#change({ models: withEntry(teamForm(this.settings).models, key, own) });
  }

  #number(event: Event, field: Bound["field"], most: number, none: number): void {
    const text = valueOf(event);
    const typed = Number(text);
    const n =
      text === "" || !Number.isFinite(typed) || typed < 0
        ? none
        : Math.min(field === "temperature" ? typed : Math.floor(typed), most);
    (event.target as HTMLInputElement).value = n === none ? "" : String(n);
    this.#change({ [field]: n });
  }

  #change(change: Partial<TeamForm>): void {
    this.emit<Partial<RunSettings>>("settings-changed", { team: { ...teamForm(this.settings), ...change } });
  }
}

const kinds = {
  uniform: "simulated: well-behaved",
  first: "simulated: always the first",
  rambler: "simulated: rambler",
  scripted: "scripted answers",
  person: "you",
};

customElements.define("stile-run-team", StileRunTeam);
