import { html, nothing } from "lit";
import type { Endpoint } from "../endpoints.js";
import { iconDice } from "../icons.js";
import type { KeyNote } from "../keys.js";
import type { RunDefaults, RunKind, RunSettings } from "../store.js";
import type { Task } from "../tasks.js";
import type { AgentFacts, File, TeamDefaultsResult, TeamFacts } from "../wire.js";
import { LightElement } from "./light-element.js";
import "./model-picker.js";
import "./run-agent-more.js";
import "./run-agent.js";
import "./run-more.js";
import "./task-picker.js";

/** The Run tab's form: the task, which model, and what it needs. */
export class StileRunSettings extends LightElement {
  static override properties = {
    settings: { attribute: false }, endpoints: { attribute: false }, keys: { attribute: false }, kind: { attribute: false },
    tasks: { attribute: false }, tools: { attribute: false }, formulas: { attribute: false }, defaults: { attribute: false }, grammar: { attribute: false },
    files: { attribute: false }, name: { attribute: false }, facts: { attribute: false },
    team: { attribute: false }, usualTeam: { attribute: false },
  };
  declare settings: RunSettings;
  declare endpoints: readonly Endpoint[];
  declare keys: readonly KeyNote[];
  declare kind: RunKind;
  /** Tasks that the workspace proposes. */
  declare tasks: readonly Task[];
  /** The workspace says what its tools do. */
  declare tools: boolean;
  /** The workspace has formulas. */
  declare formulas: boolean;
  declare defaults: RunDefaults | null;
  declare grammar: boolean;
  declare files: readonly File[];
  /** The file of what would be run. */
  declare name: string;
  /** What the core says of the agent that would be run; null until it was asked. */
  declare facts: AgentFacts | null;
  /** The same of a team. */
  declare team: TeamFacts | null;
  declare usualTeam: () => Promise<TeamDefaultsResult>;

  constructor() {
    super();
    this.tasks = [];
    this.tools = false;
    this.formulas = false;
    this.defaults = null;
    this.grammar = true;
    this.files = [];
    this.name = "";
    this.facts = null;
    this.team = null;
  }

  protected override render(): unknown {
    const s = this.settings;
    return html`
      <fieldset class="fields">
        <legend class="visually-hidden">Settings of the run</legend>
        <div class="field wide"><label for="task">${this.kind === "monitor" ? "Question" : "Task"}</label>
          ${this.tasks.length === 0 ? nothing : html`<stile-task-picker .tasks=${this.tasks} @task-chosen=${(e: CustomEvent<Task>) => this.emit("task-chosen", e.detail)}></stile-task-picker>`}
          <textarea id="task" rows="2" .value=${s.task} @input=${(e: Event) => this.#change({ task: valueOf(e) })}></textarea></div>
        <stile-model-picker .settings=${s} .endpoints=${this.endpoints} .keys=${this.keys}
          @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)} @endpoints-wished=${() => this.emit("endpoints-wished", null)}></stile-model-picker>
        <div class="field narrow"><label for="seed">Seed</label>
          <span class="with-button">
            <input id="seed" type="number" min="0" max="9007199254740991" step="1" .value=${String(s.seed)} @change=${this.#seed} />
            <button class="icon-button" type="button" title="Another seed" aria-label="Another seed" @click=${this.#roll}>${iconDice}</button>
          </span>
          <small class="hint">Same seed, same run.</small></div>
        ${this.kind === "monitor" ? html`
          <stile-run-agent .settings=${s} .files=${this.files} .name=${this.name} .facts=${this.facts}
            @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)}></stile-run-agent>` : this.kind === "plan" ? this.#plan(s) : nothing}
      </fieldset>
      ${this.kind === "team" ? html`
        <stile-run-team .settings=${s} .endpoints=${this.endpoints} .files=${this.files} .facts=${this.team} .usual=${this.usualTeam}
          @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)}></stile-run-team>` : this.kind === "plan" ? html`
        <stile-run-more .settings=${s} .defaults=${this.defaults} .grammar=${this.grammar}
          @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)} @defaults-wished=${() => this.emit("defaults-wished", null)}></stile-run-more>` : html`
        <stile-run-agent-more .settings=${s} .defaults=${this.defaults} .facts=${this.facts} .files=${this.files}
          @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)} @defaults-wished=${() => this.emit("defaults-wished", null)}></stile-run-agent-more>`}`;
  }

  #plan(s: RunSettings): unknown {
    if (!this.tools && !this.formulas) return nothing;
    return html`
      <div class="field wide checks">
        ${this.formulas ? html`<label class="check"><input type="checkbox" .checked=${s.properties} @change=${(e: Event) => this.#change({ properties: checkedOf(e) })} /> <span>Keep to the properties</span></label>` : nothing}
        ${this.tools ? html`<label class="check"><input type="checkbox" .checked=${s.execute} @change=${(e: Event) => this.#change({ execute: checkedOf(e) })} /> <span>Use the tools</span></label>` : nothing}
      </div>`;
  }

  #change(change: Partial<RunSettings>): void {
    this.emit<Partial<RunSettings>>("settings-changed", change);
  }

  #seed = (event: Event): void => {
    const seed = Math.floor(Number(valueOf(event)));
    this.#change({ seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : 1 });
  };

  #roll = (): void => {
    this.#change({ seed: crypto.getRandomValues(new Uint32Array(1))[0] ?? 1 });
  };
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
}

function checkedOf(event: Event): boolean {
  return (event.target as HTMLInputElement).checked;
}

customElements.define("stile-run-settings", StileRunSettings);
