import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core-client.js";
import { checkedOf, numberText, valueOf, whole } from "../inputs.js";
import { alone, beginnings, makesMistakes, notationOf, notations, problemForm, stageName, stages } from "../problem-settings.js";
import type { OwnModel, ProblemForm, RunSettings } from "../run-form.js";
import { problemOf, thing } from "../spec.js";
import type { Endpoint, RunKind } from "../state.js";
import type { File, FormulateDefaultsResult } from "../wire.js";
import { LightElement } from "./light-element.js";

/** What only runs of problems and solvers ask for. */
export class StileRunProblem extends LightElement {
  static override properties = {
    settings: { attribute: false }, kind: { attribute: false }, endpoints: { attribute: false }, files: { attribute: false }, name: { attribute: false }, open: { attribute: false }, core: { attribute: false },
    defaults: { state: true }, opened: { state: true },
  };
  declare settings: RunSettings;
  declare kind: RunKind;
  declare endpoints: readonly Endpoint[];
  declare files: readonly File[];
  /** What would be run. */
  declare name: string;
  /** The file that is open. */
  declare open: string;
  declare core: Pick<CoreClient, "call">;
  declare defaults: FormulateDefaultsResult | null;
  declare opened: boolean;

  #asked = false;

  constructor() {
    super();
    this.kind = "solve";
    this.endpoints = [];
    this.files = [];
    this.name = "";
    this.open = "";
    this.defaults = null;
    this.opened = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("kind") || this.kind !== "formulate" || this.#asked) return;
    this.#asked = true;
    this.core.call("formulate.defaults", {}).then((defaults) => (this.defaults = defaults)).catch(() => (this.#asked = false));
  }

  protected override render(): unknown {
    const form = problemForm(this.settings);
    const given = alone(this.settings, { files: this.files, current: this.open });
    const kind = this.kind === "formulate" ? (given?.kind ?? this.kind) : this.kind;
    return html`
      <div class="fields">
        ${this.kind === "formulate" ? this.#method(form, given) : html`<div class="field wide solver-told"><p>${this.#told()}</p></div>`}
        ${kind === "formulate" && form.method === "" ? this.#way(form) : nothing}
        ${kind === "formulate" ? nothing : this.#limits(form, kind)}
      </div>
      ${kind !== "formulate" ? nothing : html`
        <details class="more" @toggle=${(e: Event) => (this.opened ||= (e.target as HTMLDetailsElement).open)}>
          <summary>More settings${this.#changed(form)}</summary>
          ${this.opened ? this.#more(form) : nothing}
        </details>`}`;
  }

  #told(): unknown {
    const what = thing(this.name);
    return what === "pddl"
      ? html`Z3 is asked for a plan of ever more steps. It is fetched when it is first needed, and works on this device.`
      : html`${what === "lp" ? "HiGHS" : "Z3"} solves <code>${this.name}</code> as it is. It is fetched when it is first needed, and works on this device.`;
  }

  #method(form: ProblemForm, given: ReturnType<typeof alone>): unknown {
    const notation = notationOf(form, this.files, problemOf(this.name));
    const about: Readonly<Record<string, string>> = {
      "": "LLMFP: the model formulates, a solver solves, and each step is judged.", direct: "A baseline: the model answers at once.", cot: "A baseline: the model thinks it through and answers.",
      code: "A baseline: the model writes for the solver at once.", alone: given === null ? `There is no model.${notation} yet, so the problem is formulated.` : `No model is asked: ${notation === "pddl" ? "a plan is looked for in" : "the solver is given"} ${given.name.slice(given.name.lastIndexOf("/") + 1)} as it is.`,
    };
    return html`
      <div class="field"><label for="problem-method">Method</label>
        <select id="problem-method" @change=${(e: Event) => this.#change({ method: valueOf(e) as ProblemForm["method"] })}>
          <option value="" .selected=${form.method === ""}>formulate (LLMFP)</option>
          <option value="direct" .selected=${form.method === "direct"}>answer at once (direct)</option>
          <option value="cot" .selected=${form.method === "cot"}>think, then answer (CoT)</option>
          <option value="code" .selected=${form.method === "code"}>write for the solver at once (code)</option>
          <option value="alone" .selected=${form.method === "alone"}>the model file alone</option>
        </select>
        <small class="hint">${about[form.method]}</small></div>
      ${form.method === "direct" || form.method === "cot" ? nothing : html`
        <div class="field"><label for="problem-notation">Written for</label>
          <select id="problem-notation" @change=${(e: Event) => this.#change({ notation: valueOf(e) as ProblemForm["notation"] })}>
            <option value="" .selected=${form.notation === ""}>as the files say: ${notationName(notationOf({ ...form, notation: "" }, this.files, problemOf(this.name)))}</option>
            ${notations.map(({ id }) => html`<option value=${id} .selected=${form.notation === id}>${notationName(id)}</option>`)}
          </select>
          <small class="hint">${notation === "pddl" ? "Plans have steps; the shortest is looked for." : notation === "lp" ? "Linear problems, in whole or broken numbers." : "Whatever can be said in arithmetic and logic."}</small></div>`}`;
  }

  /** With what it begins, who looks at it, and what goes wrong. */
  #way(form: ProblemForm): unknown {
    const folder = problemOf(this.name);
    const ready = beginnings(form, this.files, folder);
    const chosen = ready.includes(form.from) ? form.from : "";
    const example = this.files.some((f) => f.name === `${folder}/example.md`);
    return html`
      <div class="field"><label for="problem-from">Begin with</label>
        <select id="problem-from" ?disabled=${ready.length === 0} @change=${(e: Event) => this.#change({ from: valueOf(e) })}>
          <option value="" .selected=${chosen === ""}>the beginning</option>
          ${ready.map((id) => html`<option value=${id} .selected=${chosen === id}>the ${stageName(id).toLowerCase()}</option>`)}
        </select>
        <small class="hint">${ready.length === 0 ? "What stages have made can be begun from once it is in the files." : chosen === "" ? "Every stage does its work." : "What the stages before it make is taken from the files."}</small></div>
      <div class="field wide checks">
        <label class="check"><input type="checkbox" .checked=${form.approve} @change=${(e: Event) => this.#change({ approve: checkedOf(e) })} /> <span>Show me what each stage makes</span></label>
        ${example ? html`<label class="check"><input type="checkbox" .checked=${form.example} @change=${(e: Event) => this.#change({ example: checkedOf(e) })} /> <span>Show the example to the model</span></label>` : nothing}
      </div>
      ${makesMistakes(this.settings) ? this.#mistakes(form) : nothing}`;
  }

  /** What a simulated model gets wrong, in the order in which it was chosen: one a round. */
  #mistakes(form: ProblemForm): unknown {
    const known = this.defaults?.mistakes ?? [];
    if (known.length === 0) return nothing;
    const chosen = form.mistakes.filter((name) => known.some((m) => m.name === name));
    return html`
      <fieldset class="field wide group mistakes"><legend>Mistakes that the simulated model makes</legend>
        <div class="choices">${known.map(({ name }) => {
          const at = chosen.indexOf(name);
          return html`<button class="choice" type="button" aria-pressed=${at >= 0} data-mistake=${name} @click=${() => this.#change({ mistakes: at >= 0 ? chosen.filter((m) => m !== name) : [...chosen, name] })}>${at < 0 ? nothing : html`<span class="choice-number">${at + 1}</span>`}<span>${name}</span></button>`;
        })}</div>
        ${chosen.length === 0 ? html`<small class="hint">${this.settings.model === "rambler" ? "None is chosen: it makes some by chance." : "None is chosen: it makes none."}</small>` : html`
          <ol class="mistake-list">${chosen.map((name) => html`<li><strong>${name}</strong> <span class="hint">${known.find((m) => m.name === name)?.text}</span></li>`)}</ol>`}
      </fieldset>`;
  }

  #limits(form: ProblemForm, kind: RunKind): unknown {
    return html`
      ${kind === "steps" ? nothing : html`
        <div class="field"><label for="problem-plan">Plan</label>
          <select id="problem-plan" @change=${(e: Event) => this.#change({ first: valueOf(e) === "first" })}>
            <option value="" .selected=${!form.first}>the best</option>
            <option value="first" .selected=${form.first}>the first feasible one</option>
          </select>
          <small class="hint">${form.first ? "The solver stops at the first solution, however good it is." : "The solver looks for a best solution, and reports whether that is proven."}</small></div>`}
      ${kind === "solve" ? nothing : html`
        <label class="field narrow"><span>Most steps</span><input type="number" min="1" max="1000" step="1" placeholder=${this.defaults?.horizon ?? 30} .value=${numberText(form.most)} @change=${(e: Event) => this.#change({ most: whole(e) })} /></label>`}
      <label class="field narrow"><span>Seconds${kind === "steps" ? " a question" : ""}</span><input type="number" min="1" max="3600" step="1" placeholder="60" .value=${numberText(form.seconds)} @change=${(e: Event) => this.#change({ seconds: Math.min(whole(e), 3600) })} /></label>
      <label class="field narrow"><span>Memory (MiB)</span><input type="number" min="16" max="1900" step="1" placeholder="1500" .value=${numberText(form.memory)} @change=${(e: Event) => this.#change({ memory: Math.min(whole(e), 1900) })} /></label>
      ${kind === "steps" && this.files.some((f) => thing(f.name) === "formulas") ? html`
        <div class="field"><label for="problem-properties">Formulas</label>
          <select id="problem-properties" @change=${(e: Event) => this.#change({ properties: valueOf(e) as ProblemForm["properties"] })}>
            <option value="" .selected=${form.properties === ""}>are kept to</option>
            <option value="check" .selected=${form.properties === "check"}>are checked of the plan</option>
            <option value="ignore" .selected=${form.properties === "ignore"}>are left aside</option>
          </select>
          <small class="hint">${{ "": "Those that speak of the problem are said to the solver, too.", check: "The plan may break them; it is said where.", ignore: "Neither kept to nor looked at." }[form.properties]}</small></div>` : nothing}`;
  }

  #more(form: ProblemForm): unknown {
    const baseline = form.method !== "";
    const templates = Object.entries(labels).filter(([field]) => (baseline ? field === form.method : !["direct", "cot", "code"].includes(field)));
    return html`
      <div class="fields">
        ${baseline ? nothing : html`
          <label class="field narrow"><span>Rounds</span><input type="number" min="0" max="20" step="1" placeholder=${this.defaults?.rounds ?? ""} .value=${form.rounds < 0 ? "" : String(form.rounds)} @change=${(e: Event) => this.#count(e, "rounds")} />
            <small class="hint">Of self-assessment.</small></label>
          <label class="field narrow"><span>Regenerations</span><input type="number" min="0" max="20" step="1" placeholder=${this.defaults?.regenerations ?? ""} .value=${form.regenerations < 0 ? "" : String(form.regenerations)} @change=${(e: Event) => this.#count(e, "regenerations")} />
            <small class="hint">Of a text that the solver cannot take.</small></label>`}
        <label class="field narrow"><span>Tokens an answer</span><input type="number" min="1" step="1" placeholder=${this.defaults?.tokens ?? ""} .value=${numberText(form.maxTokens)} @change=${(e: Event) => this.#change({ maxTokens: whole(e) })} /></label>
        <label class="field narrow"><span>Temperature</span><input type="number" min="0" max="2" step="0.1" placeholder="0" .value=${numberText(form.temperature)} @change=${(e: Event) => this.#change({ temperature: Math.min(2, Math.max(0, Number(valueOf(e)) || 0)) })} /></label>
        ${this.#limits(form, "formulate")}
        <fieldset class="field wide group"><legend>Budget</legend>
          <div class="fields">${(["maxCalls", "maxTokens", "maxMoney"] as const).map((field) => html`
            <label class="field narrow"><span>${{ maxCalls: "Calls", maxTokens: "Tokens", maxMoney: "Dollars" }[field]}</span>
              <input type="number" min="0" step="any" placeholder="no bound" .value=${numberText(this.settings[field])} @change=${(e: Event) => this.#budget(e, field)} /></label>`)}</div></fieldset>
        ${baseline ? nothing : this.#models(form)}
        <fieldset class="field wide group"><legend>Prompts</legend>${templates.map(([field, label]) => this.#template(form, field as keyof ProblemForm["templates"], label))}</fieldset>
      </div>`;
  }

  /** Who is asked in whose place. */
  #models(form: ProblemForm): unknown {
    return html`
      <fieldset class="field wide group"><legend>Models of their own</legend>
        <div class="team-models">${stages.filter((s) => s.id !== "solver").map(({ id, name }) => {
          const own = form.models[id];
          const chosen = own === undefined ? "" : own.model === "endpoint" ? `endpoint:${own.endpoint}` : own.model;
          return html`
            <div class="field"><label for="problem-model-${id}">${name}</label>
              <select id="problem-model-${id}" @change=${(e: Event) => this.#model(id, valueOf(e))}>
                <option value="" .selected=${chosen === ""}>the model above</option>
                ${Object.entries(kinds).map(([kind, label]) => html`<option value=${kind} .selected=${chosen === kind}>${label}</option>`)}
                ${this.endpoints.map((e) => html`<option value="endpoint:${e.name}" .selected=${chosen === `endpoint:${e.name}`}>${e.label}${e.model === "" ? "" : `: ${e.model}`}</option>`)}
              </select></div>`;
        })}</div></fieldset>`;
  }

  #template(form: ProblemForm, field: keyof ProblemForm["templates"], label: string): unknown {
    const usual = this.defaults?.templates[field] ?? "";
    const own = form.templates[field] ?? "";
    const change = (text: string): void => {
      const { [field]: _, ...rest } = form.templates;
      this.#change({ templates: text === "" || text === usual ? rest : { ...rest, [field]: text } });
    };
    return html`
      <details class="fold"><summary>${label}${own === "" ? nothing : html` <span class="hint">your own</span>`}</summary>
        <textarea class="code" rows="8" spellcheck="false" aria-label="Prompt: ${label}" .value=${own || usual} @input=${(e: Event) => change(valueOf(e))}></textarea>
        <button class="button small" type="button" ?disabled=${own === ""} @click=${() => change("")}>Default</button></details>`;
  }

  /** What is not as usual, in a word beside the summary. */
  #changed(form: ProblemForm): unknown {
    const s = this.settings;
    const said = [
      ...(form.rounds >= 0 ? [`${form.rounds} rounds`] : []), ...(form.regenerations >= 0 ? [`${form.regenerations} regenerations`] : []),
      ...(form.first ? ["first feasible plan"] : []), ...(form.seconds + form.memory > 0 ? ["limits"] : []), ...(s.maxCalls + s.maxTokens + s.maxMoney > 0 ? ["budget"] : []),
      ...(Object.keys(form.models).length > 0 ? ["models"] : []), ...(Object.keys(form.templates).length > 0 ? ["your own prompts"] : []),
    ];
    return said.length === 0 ? nothing : html` <span class="hint">${said.join(", ")}</span>`;
  }

  #model(stage: string, value: string): void {
    const { [stage]: _, ...rest } = problemForm(this.settings).models;
    const endpoint = value.startsWith("endpoint:") ? value.slice("endpoint:".length) : "";
    const own: OwnModel = { model: endpoint === "" ? (value as OwnModel["model"]) : "endpoint", endpoint, script: "", errorRate: this.settings.errorRate };
    this.#change({ models: value === "" ? rest : { ...rest, [stage]: own } });
  }

  #count(event: Event, field: "rounds" | "regenerations"): void {
    const text = valueOf(event);
    const n = Math.floor(Number(text));
    this.#change({ [field]: text === "" || !(n >= 0) ? -1 : Math.min(n, 20) });
  }

  #budget(event: Event, field: "maxCalls" | "maxTokens" | "maxMoney"): void {
    const typed = Math.max(0, Number(valueOf(event)) || 0);
    this.emit<Partial<RunSettings>>("settings-changed", { [field]: field === "maxMoney" ? typed : Math.floor(typed) });
  }

  #change(change: Partial<ProblemForm>): void {
    this.emit<Partial<RunSettings>>("settings-changed", { problem: { ...problemForm(this.settings), ...change } });
  }
}

const kinds = { uniform: "simulated: well-behaved", rambler: "simulated: rambler", person: "you" };

const labels: Readonly<Record<keyof Required<ProblemForm["templates"]>, string>> = {
  definer: "Definer", formulator: "Formulator", steps: "Formulator, where plans have steps", generator: "Code generator", formatter: "Result formatter", assessor: "Self-assessment",
  direct: "Direct", cot: "CoT", code: "Code",
};

function notationName(id: string): string {
  const found = notations.find((n) => n.id === id);
  return found === undefined ? id : `${found.solver} (${found.name})`;
}

customElements.define("stile-run-problem", StileRunProblem);
