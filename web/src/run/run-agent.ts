import { html, nothing } from "lit";
import { environmentOf, otherAgents } from "./agent-run.js";
import { allAgreed } from "../core/tool-consent.js";
import { valueOf } from "../ui/form-input.js";
import type { AgentSettings, Environment, RunSettings } from "./run-form.js";
import type { Endpoint } from "../store/state.js";
import type { AgentFacts, File } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import "./tool-consent-form.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The settings of an agent's run: the environment, the judge, and the number of votes. */
export class StileRunAgent extends LightElement {
  @prop settings!: RunSettings;
  @prop files: readonly File[] = [];
  @prop endpoints: readonly Endpoint[] = [];
  /** The agent's file. */
  @prop name = "";
  /** The core's facts about the agent; null until they are loaded. */
  @prop facts: AgentFacts | null = null;

  protected override render(): unknown {
    const { agent } = this.settings;
    const environment = environmentOf(this.settings, this.files, this.facts?.calls ?? []);
    const others = otherAgents(this.files, this.name);
    return html` ${this.facts !== null && this.facts.ways.length === 0 && !this.#standsBy ? nothing : this.#environment(environment)}
      ${environment === "tools" && this.#way("evaluator") ? this.#evaluator(agent) : nothing}
      <div class="field narrow">
        <label for="samples">Runs</label>
        <input
          id="samples"
          type="number"
          min="1"
          max="100"
          step="1"
          aria-describedby="samples-hint"
          .value=${String(Math.max(agent.samples, 1))}
          @change=${this.#samples}
        />
        <small class="hint" id="samples-hint"
          >${agent.samples > 1 ? "The runs vote on the answer." : "Several runs vote on the answer."}</small
        >
      </div>
      ${
        agent.samples > 1 && others.length > 0
          ? html` <div class="field">
              <label for="then">If no two agree</label>
              <select id="then" @change=${(e: Event) => this.#change({ then: valueOf(e) })}>
                <option value="" .selected=${!others.includes(agent.then)}>the first answer is taken</option>
                ${others.map((name) => html`<option value=${name} .selected=${agent.then === name}>${name} answers</option>`)}
              </select>
            </div>`
          : nothing
      }`;
  }

  #environment(environment: Environment): unknown {
    return html` <div class="field">
        <label for="environment">Environment</label>
        <select
          id="environment"
          aria-describedby="environment-hint"
          @change=${(e: Event) => this.#change({ environment: valueOf(e) as Environment })}
        >
          <option value="simulated" .selected=${environment === "simulated"}>simulated</option>
          <option value="person" .selected=${environment === "person"}>you</option>
          ${this.#real || environment === "tools" ? html`<option value="tools" .selected=${environment === "tools"} ?disabled=${!allAgreed(this.facts?.calls ?? [], this.settings.agreed)}>${this.#label}</option>` : nothing}
        </select>
        <small class="hint" id="environment-hint">${this.#about(environment)}</small>
      </div>
      ${this.#declared && this.#calls ? html`<stile-tool-consent class="wide" .calls=${this.facts?.calls ?? []} .agreed=${this.settings.agreed} .endpoints=${this.endpoints} @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.emit<Partial<RunSettings>>("settings-changed", e.detail)}></stile-tool-consent>` : nothing}`;
  }

  #evaluator({ evaluator, reference }: AgentSettings): unknown {
    return html` <div class="field">
        <label for="evaluator">Judge of an answer</label>
        <select
          id="evaluator"
          @change=${(e: Event) => this.#change({ evaluator: valueOf(e) as AgentSettings["evaluator"] })}
        >
          <option value="" .selected=${evaluator === "" || evaluator === "model"}>the model</option>
          <option value="exact" .selected=${evaluator === "exact"}>a comparison with the right answer</option>
          <option value="person" .selected=${evaluator === "person"}>you</option>
        </select>
      </div>
      ${
        evaluator === "exact"
          ? html` <div class="field">
              <label for="reference">The right answer</label>
              <input
                id="reference"
                type="text"
                autocomplete="off"
                .value=${reference}
                @input=${(e: Event) => this.#change({ reference: valueOf(e) })}
              />
              <small class="hint">The model does not see it.</small>
            </div>`
          : nothing
      }`;
  }

  #way(way: string): boolean {
    return this.facts?.ways.includes(way) === true;
  }

  /** Whether another agent may take over, with its own environment. */
  get #standsBy(): boolean {
    const { samples, then } = this.settings.agent;
    return samples > 1 && otherAgents(this.files, this.name).includes(then);
  }

  get #calls(): boolean {
    return this.#way("tools") || this.#way("summary") || this.#way("solver") || this.#standsBy;
  }

  get #declared(): boolean {
    return this.facts !== null && this.facts.tools.length + (this.facts.servers ?? 0) > 0;
  }

  /** Whether the agent's states define sources for their contents. */
  get #real(): boolean {
    return this.facts !== null && ((this.#declared && this.#calls) || this.facts.ways.some((way) => way !== "tools"));
  }

  get #label(): string {
    return this.#calls ? "tools" : "as the agent declares";
  }

  #about(environment: Environment): string {
    switch (environment) {
      case "person":
        return "You are asked for the result of every call.";
      case "tools":
        return sentence(listed(this.#done()));
      default:
        return this.#declared && this.#calls
          ? "Tool results are simulated. The workspace has tools to call."
          : "Tool results are simulated.";
    }
  }

  /** Lists the sources of the environment's contents. */
  #done(): readonly string[] {
    const { tools = [], servers = 0 } = this.facts ?? {};
    const named = [
      ...tools.slice(0, 4),
      ...(tools.length > 4 ? [`${tools.length - 4} more`] : []),
      ...(servers > 0 ? [`those of ${count(servers, "server")}`] : []),
    ];
    const said = [
      ...(this.#calls
        ? [
            named.length === 0
              ? "the workspace declares no tools"
              : `${listed(named)} ${named.length === 1 && servers === 0 ? "is" : "are"} called`,
          ]
        : []),
      ...(this.#way("summary") ? ["the model summarises"] : []),
      ...(this.#way("solver") ? ["the model answers from the results"] : []),
      ...(this.#way("person") ? ["you are asked"] : []),
    ];
    return said;
  }

  #samples = (event: Event): void => {
    const n = Math.floor(Number(valueOf(event)));
    const samples = Number.isFinite(n) && n > 1 ? Math.min(n, 100) : 0;
    (event.target as HTMLInputElement).value = String(Math.max(samples, 1));
    this.#change({ samples });
  };

  #change(change: Partial<AgentSettings>): void {
    this.emit<Partial<RunSettings>>("settings-changed", { agent: { ...this.settings.agent, ...change } });
  }
}

/** Joins a list as in "a, b and c". */
function listed(list: readonly string[]): string {
  return list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list.at(-1) ?? ""}`;
}

customElements.define("stile-run-agent", StileRunAgent);
