import { html, nothing } from "lit";
import { checkedOf, numberText, valueOf, whole } from "../ui/form-input.js";
import type { RunSettings } from "./run-form.js";
import type { RunDefaults } from "../store/state.js";
import { budgetFields, samplingFields, thinkingFields } from "./settings-fields.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Advanced settings of a plan's run: the form of answers, and limits. */
export class StileRunMore extends LightElement {
  @prop settings!: RunSettings;
  /** The defaults; null until the core has returned them. */
  @prop defaults: RunDefaults | null = null;
  /** Whether the spec is a grammar, whose prompts are written from the last step backwards. */
  @prop grammar = true;
  @state opened = false;

  protected override render(): unknown {
    const s = this.settings;
    return html` <details class="more" @toggle=${this.#toggle}>
      <summary>More settings${this.#changed(s)}</summary>
      ${
        this.opened
          ? html`<div class="fields">
              <label class="field"
                ><span>Answers are read as</span>
                <select @change=${(e: Event) => this.#change({ reading: valueOf(e) as RunSettings["reading"] })}>
                  <option value="integer" .selected=${s.reading === "integer"}>the number of a choice</option>
                  <option value="label" .selected=${s.reading === "label"}>a choice’s own words</option>
                  <option value="logprobs" .selected=${s.reading === "logprobs"}>
                    the most likely number (log-probabilities)
                  </option>
                </select>
                ${s.reading === "logprobs" ? html`<small class="hint">If the endpoint reports no log-probabilities, the number is read.</small>` : nothing}</label
              >
              <label class="field narrow"
                ><span>Attempts per choice</span>
                <input
                  type="number"
                  min="1"
                  max="50"
                  step="1"
                  placeholder=${this.defaults?.planAttempts ?? ""}
                  .value=${numberText(s.attempts)}
                  @change=${(e: Event) => this.#change({ attempts: whole(e) })}
              /></label>
              <label class="field"
                ><span>If no answer can be read</span>
                <select @change=${(e: Event) => this.#change({ otherwise: valueOf(e) as RunSettings["otherwise"] })}>
                  <option value="" .selected=${s.otherwise === ""}>the run ends</option>
                  <option value="person" .selected=${s.otherwise === "person"}>you are asked</option>
                  <option value="first" .selected=${s.otherwise === "first"}>the first choice is taken</option>
                </select></label
              >
              <label class="field narrow"
                ><span>Beam width</span>
                <input
                  type="number"
                  min="0"
                  max="16"
                  step="1"
                  placeholder="none"
                  .value=${numberText(s.beam ?? 0)}
                  @change=${(e: Event) => this.#change({ beam: Math.min(whole(e), 16) })}
              /></label>
              ${
                (s.beam ?? 0) === 0
                  ? nothing
                  : html`<label class="field"
                      ><span>Probabilities of choices</span>
                      <select
                        @change=${(e: Event) => this.#change({ score: valueOf(e) as "" | "logprobs" | "grades" })}
                      >
                        <option value="" .selected=${(s.score ?? "") === ""}>
                          the model’s log-probabilities, or else its grades
                        </option>
                        <option value="logprobs" .selected=${s.score === "logprobs"}>log-probabilities</option>
                        <option value="grades" .selected=${s.score === "grades"}>grades from 0 to 10</option>
                      </select>
                      <small class="hint">The planner keeps the most probable beginnings of plans.</small></label
                    >`
              }
              ${samplingFields(s, (change) => this.#change(change))}
              ${budgetFields(s, (change) => this.#change(change))}
              ${thinkingFields(s, (change) => this.#change(change))}
              <label class="check field wide"
                ><input
                  type="checkbox"
                  .checked=${s.naive}
                  @change=${(e: Event) => this.#change({ naive: checkedOf(e) })}
                />
                <span
                  >Without look-ahead: offer every symbol that the spec allows and backtrack from dead ends, as the
                  paper’s planner does</span
                ></label
              >
              <label class="check field wide"
                ><input
                  type="checkbox"
                  .checked=${s.consequences}
                  @change=${(e: Event) => this.#change({ consequences: checkedOf(e) })}
                />
                <span>Show the model the consequences of a flowchart’s answers</span></label
              >
              ${
                s.model === "uniform" || s.model === "first" || s.model === "rambler"
                  ? html` <label class="check field wide"
                      ><input
                        type="checkbox"
                        .checked=${s.constrained}
                        @change=${(e: Event) => this.#change({ constrained: checkedOf(e) })}
                      />
                      <span>Simulate a server that enforces the choices</span></label
                    >`
                  : nothing
              }
              <div class="field wide">
                <label for="template">Prompt of a choice</label>
                <textarea
                  id="template"
                  class="code"
                  rows="8"
                  spellcheck="false"
                  aria-describedby="template-hint"
                  .value=${s.template || (this.defaults?.planTemplate ?? "")}
                  @input=${this.#template}
                ></textarea>
                <div class="row spread">
                  <small class="hint" id="template-hint"
                    >The placeholders {task}, {decided}, {needed}, {options}, {trouble} and {answer} are replaced by
                    their values; {options} or {choices} is required.</small
                  >
                  <button
                    class="button small"
                    type="button"
                    ?disabled=${s.template === ""}
                    @click=${() => this.#change({ template: "" })}
                  >
                    Default
                  </button>
                </div>
              </div>
            </div>`
          : nothing
      }
    </details>`;
  }

  /** Lists the changed settings next to the summary. */
  #changed(s: RunSettings): unknown {
    const said = [
      ...(s.reading !== "integer" ? [s.reading === "label" ? "read as words" : "log-probabilities"] : []),
      ...(s.maxCalls + s.maxTokens + s.maxMoney > 0 ? ["budget"] : []),
      ...(s.model === "endpoint" && (s.effort || s.thinking) ? ["thinking"] : []),
      ...(s.temperature ? [`temperature ${s.temperature}`] : []),
      ...(s.answerTokens ? ["tokens per answer"] : []),
      ...(s.beam ? [`beam of ${s.beam}`] : []),
      ...(s.naive ? ["without look-ahead"] : []),
      ...(s.consequences ? ["with consequences"] : []),
      ...(s.template !== "" ? ["your own prompt"] : []),
      ...(s.attempts > 0 ? ["tries"] : []),
      ...(s.otherwise !== "" ? [s.otherwise === "person" ? "otherwise ask you" : "otherwise the first choice"] : []),
    ];
    return said.length === 0 ? nothing : html` <span class="hint">${said.join(", ")}</span>`;
  }

  #toggle = (event: Event): void => {
    if (!(event.target as HTMLDetailsElement).open) return;
    this.opened = true;
    if (this.defaults === null) this.emit("defaults-requested", null);
  };

  #template = (event: Event): void => {
    const text = valueOf(event);
    this.#change({ template: text === this.defaults?.planTemplate ? "" : text });
  };

  #change(change: Partial<RunSettings>): void {
    this.emit<Partial<RunSettings>>("settings-changed", change);
  }
}

customElements.define("stile-run-more", StileRunMore);
