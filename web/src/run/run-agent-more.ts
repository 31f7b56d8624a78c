import { html, nothing } from "lit";
import { environmentOf } from "./agent-run.js";
import { numberText, valueOf } from "../ui/form-input.js";
import type { AgentSettings, RunSettings } from "./run-form.js";
import type { RunDefaults } from "../store/state.js";
import type { AgentFacts, File } from "../core/wire.js";
import type { CoreClient } from "../core/core-client.js";
import "./prompt-aliases.js";
import { budgetFields, thinkingFields } from "./settings-fields.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** A numeric limit. */
interface Bound {
  readonly field: "maxSteps" | "maxLoops" | "maxCorrections" | "maxTokens" | "chunk" | "temperature";
  readonly label: string;
  readonly most: number;
  readonly step?: string;
  readonly usual: (d: RunDefaults | null) => string;
  readonly hint: string;
}

const bounds: readonly Bound[] = [
  {
    field: "temperature",
    label: "Temperature",
    most: 2,
    step: "0.1",
    usual: () => "0",
    hint: "0.7 if several runs vote.",
  },
  {
    field: "maxTokens",
    label: "Tokens per call",
    most: 1_000_000,
    usual: (d) => String(d?.monitorTokens ?? ""),
    hint: "If the limit is reached, the model is asked to continue.",
  },
  {
    field: "chunk",
    label: "Tokens per request",
    most: 1_000_000,
    usual: () => "all at once",
    hint: "The text so far is checked, and the model is asked to continue.",
  },
  {
    field: "maxSteps",
    label: "States",
    most: 100_000,
    usual: (d) => String(d?.monitorSteps ?? ""),
    hint: "After this number of states, the monitor takes the shortest path to the end.",
  },
  {
    field: "maxLoops",
    label: "Visits per state",
    most: 1_000,
    usual: () => "no limit",
    hint: "The maximum number of visits of each state.",
  },
  {
    field: "maxCorrections",
    label: "Corrections per position",
    most: 1_000,
    usual: (d) => String(d?.monitorCorrections ?? ""),
    hint: "After these attempts, the monitor writes the full prompt for the model.",
  },
];

/** Advanced settings of an agent's run: corrections, prompt and limits. */
export class StileRunAgentMore extends LightElement {
  @prop settings!: RunSettings;
  /** The defaults; null until the core has returned them. */
  @prop defaults: RunDefaults | null = null;
  @prop facts: AgentFacts | null = null;
  @prop files: readonly File[] = [];
  /** Name of the agent's file. */
  @prop name = "";
  @prop core!: Pick<CoreClient, "call">;
  @state opened = false;

  protected override render(): unknown {
    const s = this.settings;
    return html` <details class="more" @toggle=${this.#toggle}>
      <summary>More settings${this.#changed(s)}</summary>
      ${this.opened ? this.#fields(s) : nothing}
    </details>`;
  }

  #fields(s: RunSettings): unknown {
    const a = s.agent;
    const keeps =
      environmentOf(s, this.files, this.facts?.calls ?? []) === "tools" &&
      this.facts?.ways.includes("summary") === true;
    return html` <div class="fields">
      <label class="field"
        ><span>Corrections</span>
        <select @change=${(e: Event) => this.#change({ forced: valueOf(e) === "forced" })}>
          <option value="prefix" .selected=${!a.forced}>the longest common prefix</option>
          <option value="forced" .selected=${a.forced}>a full prompt, forced</option>
        </select></label
      >
      ${
        s.model === "endpoint"
          ? html` <label class="field"
              ><span>Prompt format</span>
              <select
                @change=${(e: Event) => this.#change({ native: valueOf(e) === "tools", markdown: valueOf(e) === "markdown" })}
              >
                <option value="" .selected=${!a.native && a.markdown !== true}>
                  text with the prompts of the states
                </option>
                <option value="markdown" .selected=${a.markdown === true}>text, also with prompts in Markdown</option>
                <option value="tools" .selected=${a.native}>the endpoint’s own tool calls</option>
              </select></label
            >`
          : nothing
      }
      ${
        keeps
          ? html` <label class="field"
              ><span>With a summary and its results</span>
              <select @change=${(e: Event) => this.#change({ keep: valueOf(e) as AgentSettings["keep"] })}>
                <option value="" .selected=${a.keep === ""}>the more likely one is kept</option>
                <option value="summary" .selected=${a.keep === "summary"}>the summary is kept</option>
                <option value="results" .selected=${a.keep === "results"}>
                  the results are kept, without a summary
                </option>
              </select></label
            >`
          : nothing
      }
      <label class="check field wide"
        ><input
          type="checkbox"
          .checked=${a.eager}
          @change=${(e: Event) => this.#change({ eager: (e.target as HTMLInputElement).checked })}
        />
        <span>Eager enforcement (baseline): one call per state, with the prompt given</span></label
      >
      <fieldset class="field wide group">
        <legend>Limits</legend>
        <div class="bounds">${bounds.map((b) => this.#bound(b, a))}</div>
      </fieldset>
      <stile-prompt-aliases
        class="field wide"
        .states=${this.facts?.states ?? []}
        .files=${this.files}
        .name=${this.name}
        .core=${this.core}
      ></stile-prompt-aliases>
      ${budgetFields(s, (change) => this.emit<Partial<RunSettings>>("settings-changed", change), ["maxCalls", "maxTokens"])}
      ${thinkingFields(s, (change) => this.emit<Partial<RunSettings>>("settings-changed", change))} ${this.#template(a)}
    </div>`;
  }

  #bound({ field, label, most, step, usual, hint }: Bound, a: AgentSettings): unknown {
    return html` <div class="field narrow">
      <label for="agent-${field}">${label}</label>
      <input
        id="agent-${field}"
        type="number"
        min="0"
        max=${most}
        step=${step ?? "1"}
        placeholder=${usual(this.defaults)}
        aria-describedby="agent-${field}-hint"
        .value=${numberText(a[field])}
        @change=${(e: Event) => this.#number(e, field, most, step === undefined)}
      />
      <small class="hint" id="agent-${field}-hint">${hint}</small>
    </div>`;
  }

  #template(a: AgentSettings): unknown {
    const file = this.facts?.prompt ?? "";
    const own = this.files.find((f) => f.name === file)?.text ?? "";
    const usual = file === "" ? (this.defaults?.monitorTemplate ?? "") : own;
    return html` <div class="field wide">
      <label for="agent-template">Prompt</label>
      <textarea
        id="agent-template"
        class="code"
        rows="8"
        spellcheck="false"
        aria-describedby="agent-template-hint"
        .value=${a.template || usual}
        @input=${(e: Event) => this.#change({ template: valueOf(e) === usual ? "" : valueOf(e) })}
      ></textarea>
      <div class="row spread">
        <small class="hint" id="agent-template-hint"
          >${a.template !== "" ? "Your prompt, for runs of this workspace." : file === "" ? "Prompt of the model: the default, because the agent defines none." : `Prompt of the model: the text of ${file}.`}
          The placeholders {states}, {follows}, {tools}, {tool_names}, {examples} and {question} are replaced by their
          values.</small
        >
        <button
          class="button small"
          type="button"
          ?disabled=${a.template === ""}
          @click=${() => this.#change({ template: "" })}
        >
          Default
        </button>
      </div>
    </div>`;
  }

  /** Lists the changed settings next to the summary. */
  #changed({ agent: a, maxCalls, maxTokens, model, effort, thinking }: RunSettings): unknown {
    const said = [
      ...(a.forced ? ["forced"] : []),
      ...(a.eager ? ["one call per state"] : []),
      ...(a.native && model === "endpoint" ? ["the endpoint’s own tool calls"] : []),
      ...(a.markdown === true && model === "endpoint" ? ["prompts in Markdown"] : []),
      ...(model === "endpoint" && (effort || thinking) ? ["thinking"] : []),
      ...(a.keep !== "" ? [`${a.keep} kept`] : []),
      ...bounds.filter((b) => a[b.field] > 0).map((b) => `${b.label.toLowerCase()} ${a[b.field]}`),
      ...(maxCalls + maxTokens > 0 ? ["budget"] : []),
      ...(a.template !== "" ? ["your own prompt"] : []),
    ];
    return said.length === 0 ? nothing : html` <span class="hint">${said.join(", ")}</span>`;
  }

  #toggle = (event: Event): void => {
    if (!(event.target as HTMLDetailsElement).open) return;
    this.opened = true;
    if (this.defaults === null) this.emit("defaults-requested", null);
  };

  #number(event: Event, field: Bound["field"], most: number, integer: boolean): void {
    const typed = Number(valueOf(event));
    const n = Number.isFinite(typed) && typed > 0 ? Math.min(integer ? Math.floor(typed) : typed, most) : 0;
    (event.target as HTMLInputElement).value = numberText(n);
    this.#change({ [field]: n });
  }

  #change(change: Partial<AgentSettings>): void {
    this.emit<Partial<RunSettings>>("settings-changed", { agent: { ...this.settings.agent, ...change } });
  }
}

customElements.define("stile-run-agent-more", StileRunAgentMore);
