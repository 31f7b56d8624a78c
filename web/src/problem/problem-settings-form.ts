import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { checkedOf, numberText, valueOf, whole } from "../ui/form-input.js";
import {
  alone,
  beginnings,
  makesMistakes,
  solverNotation,
  notations,
  problemForm,
  stageName,
  stages,
} from "./problem-settings.js";
import {
  budgetFields,
  modelOptions,
  ownModel,
  promptField,
  thinkingFields,
  withEntry,
} from "../run/settings-fields.js";
import type { ProblemForm, RunSettings } from "../run/run-form.js";
import { problemOf, notationOf } from "../store/file-kind.js";
import { asks } from "./solver-status.js";
import type { Endpoint, RunKind } from "../store/state.js";
import type { File, FormulateDefaultsResult } from "../core/wire.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The settings of runs of problems and solvers. */
export class StileRunProblem extends LightElement {
  @prop settings!: RunSettings;
  @prop kind: RunKind = "solve";
  @prop endpoints: readonly Endpoint[] = [];
  @prop files: readonly File[] = [];
  /** The file to run. */
  @prop name = "";
  /** The open file. */
  @prop open = "";
  @prop core!: Pick<CoreClient, "call">;
  @state defaults: FormulateDefaultsResult | null = null;
  @state opened = false;

  #asked = false;

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("kind") || this.kind !== "formulate" || this.#asked) return;
    this.#asked = true;
    this.core
      .call("formulate.defaults", {})
      .then((defaults) => (this.defaults = defaults))
      .catch(() => (this.#asked = false));
  }

  protected override render(): unknown {
    const form = problemForm(this.settings);
    const given = alone(this.settings, { files: this.files, current: this.open });
    const kind = this.kind === "formulate" ? (given?.kind ?? this.kind) : this.kind;
    return html` <div class="fields">
        ${this.kind === "formulate" ? this.#method(form, given) : html`<div class="field wide solver-told"><p>${this.#told()}</p></div>`}
        ${kind === "formulate" && form.method === "" ? this.#way(form) : nothing}
        ${kind === "formulate" ? nothing : this.#limits(form, kind)}
      </div>
      ${
        kind !== "formulate"
          ? nothing
          : html` <details
              class="more"
              @toggle=${(e: Event) => (this.opened ||= (e.target as HTMLDetailsElement).open)}
            >
              <summary>More settings${this.#changed(form)}</summary>
              ${this.opened ? this.#more(form) : nothing}
            </details>`
      }`;
  }

  #told(): unknown {
    const notation = notationOf(this.name);
    return notation === "pddl"
      ? html`Z3 searches for a plan with an increasing number of steps. It is downloaded on first use and runs on this
        device. A problem with costs, numbers or conditional effects needs no solver.`
      : html`${notation === "lp" ? "HiGHS" : "Z3"} solves <code>${this.name}</code> as it is. It is downloaded on first
          use and runs on this device.`;
  }

  #method(form: ProblemForm, given: ReturnType<typeof alone>): unknown {
    const notation = solverNotation(form, this.files, problemOf(this.name));
    const about: Readonly<Record<string, string>> = {
      "": "LLMFP: the model formulates, a solver solves, and each stage is judged.",
      direct: "A baseline: the model answers directly.",
      cot: "A baseline: the model reasons step by step, then answers.",
      code: "A baseline: the model writes the solver’s input directly.",
      alone:
        given === null
          ? `The problem is formulated, because it has no model.${notation} yet.`
          : `No model is called: ${notation === "pddl" ? "a planner solves" : "the solver receives"} ${given.name.slice(given.name.lastIndexOf("/") + 1)} unchanged.`,
    };
    return html` <div class="field">
        <label for="problem-method">Method</label>
        <select
          id="problem-method"
          @change=${(e: Event) => this.#change({ method: valueOf(e) as ProblemForm["method"] })}
        >
          <option value="" .selected=${form.method === ""}>formulate (LLMFP)</option>
          <option value="direct" .selected=${form.method === "direct"}>answer directly (direct)</option>
          <option value="cot" .selected=${form.method === "cot"}>think, then answer (CoT)</option>
          <option value="code" .selected=${form.method === "code"}>write the solver’s input directly (code)</option>
          <option value="alone" .selected=${form.method === "alone"}>the model file alone</option>
        </select>
        <small class="hint">${about[form.method]}</small>
      </div>
      ${
        form.method === "direct" || form.method === "cot"
          ? nothing
          : html` <div class="field">
              <label for="problem-notation">Notation</label>
              <select
                id="problem-notation"
                @change=${(e: Event) => this.#change({ notation: valueOf(e) as ProblemForm["notation"] })}
              >
                <option value="" .selected=${form.notation === ""}>
                  chosen by the files:
                  ${notationName(solverNotation({ ...form, notation: "" }, this.files, problemOf(this.name)))}
                </option>
                ${notations.map(({ id }) => html`<option value=${id} .selected=${form.notation === id}>${notationName(id)}</option>`)}
              </select>
              <small class="hint"
                >${notation === "pddl" ? "Plans with steps; finds a shortest plan." : notation === "lp" ? "Linear problems, in whole or fractional numbers." : "Any problem in arithmetic and logic."}</small
              >
            </div>`
      }`;
  }

  /** Renders the settings of the first stage, the approval and the faults. */
  #way(form: ProblemForm): unknown {
    const folder = problemOf(this.name);
    const ready = beginnings(form, this.files, folder);
    const chosen = ready.includes(form.from) ? form.from : "";
    const example = this.files.some((f) => f.name === `${folder}/example.md`);
    return html` <div class="field">
        <label for="problem-from">Start with</label>
        <select
          id="problem-from"
          ?disabled=${ready.length === 0}
          @change=${(e: Event) => this.#change({ from: valueOf(e) })}
        >
          <option value="" .selected=${chosen === ""}>the first stage</option>
          ${ready.map((id) => html`<option value=${id} .selected=${chosen === id}>the ${stageName(id).toLowerCase()}</option>`)}
        </select>
        <small class="hint"
          >${ready.length === 0 ? "To start at a later stage, keep the earlier stages’ products in the files." : chosen === "" ? "All stages run." : "The files replace the products of the earlier stages."}</small
        >
      </div>
      <div class="field">
        <label for="problem-ask">The question asks</label>
        <select id="problem-ask" @change=${(e: Event) => this.#change({ ask: valueOf(e) as ProblemForm["ask"] })}>
          <option value="" .selected=${form.ask === ""}>chosen by the definer</option>
          ${Object.entries(asks).map(([id, name]) => html`<option value=${id} .selected=${form.ask === id}>${name}</option>`)}
        </select>
        <small class="hint"
          >${form.ask === "" ? "If the definer names no kind, English phrases decide." : "Your choice overrides the definer."}</small
        >
      </div>
      <div class="field wide checks">
        <label class="check"
          ><input
            type="checkbox"
            .checked=${form.askBack}
            @change=${(e: Event) => this.#change({ askBack: checkedOf(e) })}
          />
          <span>Ask me when the question is ambiguous</span></label
        >
        <label class="check"
          ><input
            type="checkbox"
            .checked=${form.approve}
            @change=${(e: Event) => this.#change({ approve: checkedOf(e) })}
          />
          <span>Ask me to approve each product</span></label
        >
        ${example ? html`<label class="check"><input type="checkbox" .checked=${form.example} @change=${(e: Event) => this.#change({ example: checkedOf(e) })} /> <span>Show the example to the model</span></label>` : nothing}
      </div>
      ${makesMistakes(this.settings) ? this.#mistakes(form) : nothing}`;
  }

  /** Renders the faults of a simulated model in the chosen order, one per round. */
  #mistakes(form: ProblemForm): unknown {
    const known = this.defaults?.mistakes ?? [];
    if (known.length === 0) return nothing;
    const chosen = form.mistakes.filter((name) => known.some((m) => m.name === name));
    return html` <fieldset class="field wide group mistakes">
      <legend>Faults of the simulated model</legend>
      <div class="choices">
        ${known.map(({ name }) => {
          const at = chosen.indexOf(name);
          return html`<button
            class="choice"
            type="button"
            aria-pressed=${at >= 0}
            data-mistake=${name}
            @click=${() => this.#change({ mistakes: at >= 0 ? chosen.filter((m) => m !== name) : [...chosen, name] })}
          >
            ${at < 0 ? nothing : html`<span class="choice-number">${at + 1}</span>`}<span>${name}</span>
          </button>`;
        })}
      </div>
      ${
        chosen.length === 0
          ? html`<small class="hint"
              >${this.settings.model === "rambler" ? "None chosen: faults occur at random." : "None chosen: no faults."}</small
            >`
          : html` <ol class="mistake-list">
              ${chosen.map((name) => html`<li><strong>${name}</strong> <span class="hint">${known.find((m) => m.name === name)?.text}</span></li>`)}
            </ol>`
      }
    </fieldset>`;
  }

  #limits(form: ProblemForm, kind: RunKind): unknown {
    return html` ${
        kind === "steps"
          ? nothing
          : html` <div class="field">
              <label for="problem-plan">Plan</label>
              <select id="problem-plan" @change=${(e: Event) => this.#change({ first: valueOf(e) === "first" })}>
                <option value="" .selected=${!form.first}>the best</option>
                <option value="first" .selected=${form.first}>the first feasible one</option>
              </select>
              <small class="hint"
                >${form.first ? "The solver stops at the first solution." : "The solver searches for a best solution, and reports whether that is proved."}</small
              >
            </div>`
      }
      ${
        kind === "solve"
          ? nothing
          : html` <label class="field narrow"
              ><span>Maximum steps</span
              ><input
                type="number"
                min="1"
                max="1000"
                step="1"
                placeholder=${this.defaults?.horizon ?? 30}
                .value=${numberText(form.most)}
                @change=${(e: Event) => this.#change({ most: whole(e) })}
            /></label>`
      }
      ${
        kind === "steps"
          ? html`<label class="check field"
              ><input
                type="checkbox"
                .checked=${form.states === true}
                @change=${(e: Event) => this.#change({ states: checkedOf(e) })}
              />
              <span>Search the states, without a solver: faster for transport</span></label
            >`
          : nothing
      }
      <label class="field narrow"
        ><span>Seconds${kind === "steps" ? " a question" : ""}</span
        ><input
          type="number"
          min="1"
          max="3600"
          step="1"
          placeholder="60"
          .value=${numberText(form.seconds)}
          @change=${(e: Event) => this.#change({ seconds: Math.min(whole(e), 3600) })}
      /></label>
      <label class="field narrow"
        ><span>Memory (MiB)</span
        ><input
          type="number"
          min="16"
          max="1900"
          step="1"
          placeholder="1500"
          .value=${numberText(form.memory)}
          @change=${(e: Event) => this.#change({ memory: Math.min(whole(e), 1900) })}
      /></label>
      ${
        kind === "steps" && this.files.some((f) => notationOf(f.name) === "formulas")
          ? html` <div class="field">
              <label for="problem-properties">Formulas</label>
              <select
                id="problem-properties"
                @change=${(e: Event) => this.#change({ properties: valueOf(e) as ProblemForm["properties"] })}
              >
                <option value="" .selected=${form.properties === ""}>are enforced</option>
                <option value="check" .selected=${form.properties === "check"}>are checked on the plan</option>
                <option value="ignore" .selected=${form.properties === "ignore"}>are ignored</option>
              </select>
              <small class="hint"
                >${{ "": "Formulas about the problem are constraints for the solver, too.", check: "The plan may violate them; violations are reported.", ignore: "Neither enforced nor checked." }[form.properties]}</small
              >
            </div>`
          : nothing
      }`;
  }

  #more(form: ProblemForm): unknown {
    const baseline = form.method !== "";
    const templates = Object.entries(labels).filter(([field]) =>
      baseline ? field === form.method : !["direct", "cot", "code"].includes(field),
    );
    return html` <div class="fields">
      ${
        baseline
          ? nothing
          : html` <label class="field narrow"
                ><span>Rounds</span
                ><input
                  type="number"
                  min="0"
                  max="20"
                  step="1"
                  placeholder=${this.defaults?.rounds ?? ""}
                  .value=${form.rounds < 0 ? "" : String(form.rounds)}
                  @change=${(e: Event) => this.#count(e, "rounds")}
                />
                <small class="hint">Maximum rounds of self-assessment.</small></label
              >
              <label class="field narrow"
                ><span>Regenerations</span
                ><input
                  type="number"
                  min="0"
                  max="20"
                  step="1"
                  placeholder=${this.defaults?.regenerations ?? ""}
                  .value=${form.regenerations < 0 ? "" : String(form.regenerations)}
                  @change=${(e: Event) => this.#count(e, "regenerations")}
                />
                <small class="hint">Maximum regenerations of a rejected text.</small></label
              >`
      }
      <label class="field narrow"
        ><span>Tokens per answer</span
        ><input
          type="number"
          min="1"
          step="1"
          placeholder=${this.defaults?.tokens ?? ""}
          .value=${numberText(form.maxTokens)}
          @change=${(e: Event) => this.#change({ maxTokens: whole(e) })}
      /></label>
      <label class="field narrow"
        ><span>Temperature</span
        ><input
          type="number"
          min="0"
          max="2"
          step="0.1"
          placeholder="0"
          .value=${numberText(form.temperature)}
          @change=${(e: Event) => this.#change({ temperature: Math.min(2, Math.max(0, Number(valueOf(e)) || 0)) })}
      /></label>
      ${this.#limits(form, "formulate")}
      ${budgetFields(this.settings, (change) => this.emit<Partial<RunSettings>>("settings-changed", change))}
      ${thinkingFields(
        this.settings,
        (change) => this.emit<Partial<RunSettings>>("settings-changed", change),
        [this.settings, ...Object.values(form.models)].some((m) => m.model === "endpoint"),
      )}
      ${baseline ? nothing : this.#models(form)}
      <fieldset class="field wide group">
        <legend>Prompts</legend>
        ${templates.map(([field, label]) => this.#template(form, field as keyof ProblemForm["templates"], label))}
      </fieldset>
    </div>`;
  }

  /** Renders the model of each stage. */
  #models(form: ProblemForm): unknown {
    return html` <fieldset class="field wide group">
      <legend>Models per stage</legend>
      <div class="team-models">
        ${stages
          .filter((s) => s.id !== "solver")
          .map(({ id, name }) => {
            return html` <div class="field">
              <label for="problem-model-${id}">${name}</label>
              <select id="problem-model-${id}" @change=${(e: Event) => this.#model(id, valueOf(e))}>
                ${modelOptions(form.models[id], "the model above", kinds, this.endpoints)}
              </select>
            </div>`;
          })}
      </div>
    </fieldset>`;
  }

  #template(form: ProblemForm, field: keyof ProblemForm["templates"], label: string): unknown {
    return promptField(label, form.templates[field] ?? "", this.defaults?.templates[field] ?? "", (text) =>
      this.#change({ templates: withEntry(form.templates as Readonly<Record<string, string>>, field, text) }),
    );
  }

  /** Lists the changed settings next to the summary. */
  #changed(form: ProblemForm): unknown {
    const s = this.settings;
    const said = [
      ...(form.rounds >= 0 ? [`${form.rounds} rounds`] : []),
      ...(form.regenerations >= 0 ? [`${form.regenerations} regenerations`] : []),
      ...(form.first ? ["first feasible plan"] : []),
      ...(form.seconds + form.memory > 0 ? ["limits"] : []),
      ...(s.maxCalls + s.maxTokens + s.maxMoney > 0 ? ["budget"] : []),
      ...(Object.keys(form.models).length > 0 ? ["models"] : []),
      ...(Object.keys(form.templates).length > 0 ? ["your own prompts"] : []),
    ];
    return said.length === 0 ? nothing : html` <span class="hint">${said.join(", ")}</span>`;
  }

  #model(stage: string, option: string): void {
    const model = ownModel(option, this.settings.errorRate);
    this.#change({ models: withEntry(problemForm(this.settings).models, stage, model) });
  }

  #count(event: Event, field: "rounds" | "regenerations"): void {
    const text = valueOf(event);
    const n = Math.floor(Number(text));
    this.#change({ [field]: text === "" || !(n >= 0) ? -1 : Math.min(n, 20) });
  }

  #change(change: Partial<ProblemForm>): void {
    this.emit<Partial<RunSettings>>("settings-changed", { problem: { ...problemForm(this.settings), ...change } });
  }
}

const kinds = { uniform: "simulated: well-behaved", rambler: "simulated: rambler", person: "you" };

const labels: Readonly<Record<keyof Required<ProblemForm["templates"]>, string>> = {
  definer: "Definer",
  formulator: "Formulator",
  steps: "Formulator, where plans have steps",
  generator: "Code generator",
  formatter: "Result formatter",
  assessor: "Self-assessment",
  direct: "Direct",
  cot: "CoT",
  code: "Code",
};

function notationName(id: string): string {
  const found = notations.find((n) => n.id === id);
  return found === undefined ? id : `${found.solver} (${found.name})`;
}

customElements.define("stile-run-problem", StileRunProblem);
