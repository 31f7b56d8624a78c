import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { checkedOf, valueOf } from "../ui/form-input.js";
import { iconDice } from "../ui/panel-icons.js";
import type { KeyNote } from "../models/api-keys.js";
import { requestFiles } from "../edit/show-place.js";
import type { RunSettings } from "./run-form.js";
import { problemOf } from "../store/file-kind.js";
import { rehearsalOf } from "../store/rehearsal.js";
import type { Endpoint, RunDefaults, RunKind } from "../store/state.js";
import type { Task } from "../store/tasks.js";
import type { AgentFacts, File, TeamDefaultsResult, TeamFacts } from "../core/wire.js";
import { LightElement, prop } from "../ui/light-element.js";
import "../models/model-picker.js";
import { hasRules } from "./run-rules.js";
import "./run-agent-more.js";
import "./run-agent.js";
import "./run-more.js";
import "./task-picker.js";

/** The Run tab's form: task, model and settings. */
export class StileRunSettings extends LightElement {
  @prop settings!: RunSettings;
  @prop endpoints!: readonly Endpoint[];
  @prop keys!: readonly KeyNote[];
  @prop kind!: RunKind;
  /** Whether a person wrote a run for the open example. */
  @prop scripted = false;
  /** Tasks that the workspace proposes. */
  @prop tasks: readonly Task[] = [];
  /** Whether the workspace defines tool results. */
  @prop tools = false;
  /** Whether the workspace has formulas. */
  @prop formulas = false;
  @prop defaults: RunDefaults | null = null;
  @prop grammar = true;
  @prop files: readonly File[] = [];
  /** Name of the file to run. */
  @prop name = "";
  /** The core's facts about the agent; null until they are loaded. */
  @prop facts: AgentFacts | null = null;
  /** The core's facts about the team; null until they are loaded. */
  @prop team: TeamFacts | null = null;
  @prop usualTeam!: () => Promise<TeamDefaultsResult>;
  /** The open file. */
  @prop open = "";
  @prop core!: Pick<CoreClient, "call">;

  protected override render(): unknown {
    const s = this.settings;
    if (this.kind === "solve" || this.kind === "steps") return this.#problem(s);
    return html` <fieldset class="fields">
        <legend class="visually-hidden">Settings of the run</legend>
        ${
          this.kind === "formulate"
            ? this.#query()
            : html` <div class="field wide">
                <label for="task">${this.kind === "monitor" ? "Question" : "Task"}</label>
                ${this.tasks.length === 0 ? nothing : html`<stile-task-picker .tasks=${this.tasks} @task-chosen=${(e: CustomEvent<Task>) => this.emit("task-chosen", e.detail)}></stile-task-picker>`}
                <textarea
                  id="task"
                  rows="2"
                  .value=${s.task}
                  @input=${(e: Event) => this.#change({ task: valueOf(e) })}
                ></textarea>
                ${this.#rehearsed(s) ? html`<small class="hint">Simulated models follow rehearsal.json, a script that a person wrote for this question.</small>` : nothing}
              </div>`
        }
        <stile-model-picker
          .settings=${s}
          .endpoints=${this.endpoints}
          .keys=${this.keys}
          .scripted=${this.scripted}
          @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)}
          @endpoints-requested=${() => this.emit("endpoints-requested", null)}
        ></stile-model-picker>
        <div class="field narrow">
          <label for="seed">Seed</label>
          <span class="with-button">
            <input
              id="seed"
              type="number"
              min="0"
              max="9007199254740991"
              step="1"
              .value=${String(s.seed)}
              @change=${this.#seed}
            />
            <button
              class="icon-button"
              type="button"
              title="Another seed"
              aria-label="Another seed"
              @click=${this.#roll}
            >
              ${iconDice}
            </button>
          </span>
          <small class="hint">Same seed, same run.</small>
        </div>
        ${
          this.kind === "monitor"
            ? html` <stile-run-agent
                .settings=${s}
                .endpoints=${this.endpoints}
                .files=${this.files}
                .name=${this.name}
                .facts=${this.facts}
                @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)}
              ></stile-run-agent>`
            : this.kind === "plan"
              ? this.#plan(s)
              : nothing
        }
        ${this.#rules(s)}
      </fieldset>
      ${
        this.kind === "formulate"
          ? this.#problem(s)
          : this.kind === "team"
            ? html` <stile-run-team
                .settings=${s}
                .endpoints=${this.endpoints}
                .files=${this.files}
                .facts=${this.team}
                .usual=${this.usualTeam}
                @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)}
              ></stile-run-team>`
            : this.kind === "plan"
              ? html` <stile-run-more
                  .settings=${s}
                  .defaults=${this.defaults}
                  .grammar=${this.grammar}
                  @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)}
                  @defaults-requested=${() => this.emit("defaults-requested", null)}
                ></stile-run-more>`
              : html` <stile-run-agent-more
                  .settings=${s}
                  .defaults=${this.defaults}
                  .facts=${this.facts}
                  .files=${this.files}
                  .name=${this.name}
                  .core=${this.core}
                  @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)}
                  @defaults-requested=${() => this.emit("defaults-requested", null)}
                ></stile-run-agent-more>`
      }`;
  }

  #rehearsed(s: RunSettings): boolean {
    const played = this.scripted && s.recorded && s.model === "uniform";
    const simulated = s.model === "uniform" || s.model === "first" || s.model === "rambler";
    return this.kind === "monitor" && simulated && !played && rehearsalOf(this.files)?.question === s.task.trim();
  }

  #problem(s: RunSettings): unknown {
    return html` <stile-run-problem
      .settings=${s}
      .kind=${this.kind}
      .endpoints=${this.endpoints}
      .files=${this.files}
      .name=${this.name}
      .open=${this.open}
      .core=${this.core}
      @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.#change(e.detail)}
    ></stile-run-problem>`;
  }

  /** Renders the query of a problem, which is a separate file. */
  #query(): unknown {
    const name = `${problemOf(this.name)}/query.md`;
    const text = this.files.find((f) => f.name === name)?.text ?? "";
    return html` <div class="field wide">
      <label for="query">Query</label>
      <textarea
        id="query"
        rows="2"
        aria-describedby="query-hint"
        .value=${text}
        @input=${(e: Event) => requestFiles(this, [{ name, text: valueOf(e) }])}
      ></textarea>
      <small class="hint" id="query-hint"
        >The file <code>query.md</code>: asks for a plan, “what if”, “why” or “why not”.</small
      >
    </div>`;
  }

  #plan(s: RunSettings): unknown {
    if (!this.tools && !this.formulas) return nothing;
    return html` <div class="field wide checks">
      ${this.formulas ? html`<label class="check"><input type="checkbox" .checked=${s.properties} @change=${(e: Event) => this.#change({ properties: checkedOf(e) })} /> <span>Enforce the properties</span></label>` : nothing}
      ${this.tools ? html`<label class="check"><input type="checkbox" .checked=${s.execute} @change=${(e: Event) => this.#change({ execute: checkedOf(e) })} /> <span>Use the tools</span></label>` : nothing}
    </div>`;
  }

  /** Renders the setting for rules. Plans have it only if their tools are called. */
  #rules(s: RunSettings): unknown {
    const calls = this.kind === "monitor" || this.kind === "team" || (this.kind === "plan" && this.tools && s.execute);
    if (!calls || !hasRules(this.files)) return nothing;
    return html` <div class="field wide checks">
      <label class="check"
        ><input type="checkbox" .checked=${s.rules} @change=${(e: Event) => this.#change({ rules: checkedOf(e) })} />
        <span>Enforce the rules about data</span></label
      >
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

customElements.define("stile-run-settings", StileRunSettings);
