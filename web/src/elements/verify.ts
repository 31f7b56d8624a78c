import { html, nothing } from "lit";
import type { KeptRun } from "../kept-runs.js";
import type { KeyNote } from "../keys.js";
import type { RunSettings } from "../run-form.js";
import type { Endpoint, ExampleWord, Place, Run } from "../state.js";
import type { DocumentAnalyzeResult, File, PlanCheckResult } from "../wire.js";
import "./check-plan.js";
import type { StileCheckPlan } from "./check-plan.js";
import "./compare.js";
import "./interrupted.js";
import { LightElement } from "./light-element.js";
import "./model-picker.js";
import "./properties.js";
import type { Target } from "./run.js";

/** The Verify tab: a plan against the spec, the properties, and ways of planning against each other. */
export class StileVerify extends LightElement {
  static override properties = {
    target: { attribute: false }, files: { attribute: false }, examples: { attribute: false }, settings: { attribute: false }, endpoints: { attribute: false }, keys: { attribute: false },
    comparison: { attribute: false }, interrupted: { attribute: false }, broken: { attribute: false }, check: { attribute: false }, analyse: { attribute: false },
  };
  declare target: Target | null;
  declare files: readonly File[];
  declare examples: readonly ExampleWord[];
  declare settings: RunSettings;
  declare endpoints: readonly Endpoint[];
  declare keys: readonly KeyNote[];
  declare comparison: Run | null;
  declare interrupted: readonly KeptRun[];
  declare broken: boolean;
  declare check: (spec: string, text: string) => Promise<PlanCheckResult>;
  declare analyse: (name: string) => Promise<DocumentAnalyzeResult>;

  constructor() {
    super();
    this.target = null;
    this.files = [];
    this.examples = [];
    this.comparison = null;
    this.interrupted = [];
    this.broken = false;
  }

  protected override render(): unknown {
    const { target } = this;
    const planned = target !== null && target.kind === "plan";
    return html`
      ${planned ? html`
        <stile-check-plan .spec=${target.name} .files=${this.files} .examples=${this.examples} .check=${this.check} .broken=${this.broken}
          @word-wished=${(e: CustomEvent<readonly string[]>) => this.emit("word-wished", e.detail)}></stile-check-plan>` : nothing}
      <stile-properties .files=${this.files} .analyse=${this.analyse} @place-wished=${(e: CustomEvent<Omit<Place, "count">>) => this.emit("place-wished", e.detail)}></stile-properties>
      ${planned ? html`
        <section class="verify-part" aria-labelledby="compare-title">
          <h2 id="compare-title">Compare ways of planning</h2>
          <p class="hint">The same task and model, with and without <code>${target.name}</code>; the spec judges every plan.</p>
          ${this.interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${this.interrupted}></stile-interrupted>`}
          <div class="fields">
            <label class="field wide"><span>Task of the plans</span><textarea rows="2" .value=${this.settings.task} @input=${(e: Event) => this.emit("settings-changed", { task: (e.target as HTMLTextAreaElement).value })}></textarea></label>
            <stile-model-picker .settings=${this.settings} .endpoints=${this.endpoints} .keys=${this.keys} .label=${"Who plans"} .name=${"compare-model"}
              @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.emit("settings-changed", e.detail)} @endpoints-wished=${() => this.emit("endpoints-wished", null)}></stile-model-picker>
          </div>
          <stile-compare .run=${this.comparison} .name=${target.name} .disabled=${this.broken}
            @check-wished=${(e: CustomEvent<string>) => this.querySelector<StileCheckPlan>("stile-check-plan")?.take(e.detail)}></stile-compare>
        </section>` : html`<p class="hint">Plans are checked and compared for a <code>.cfg</code>, a <code>.pda</code> or a <code>.flow</code>.</p>`}`;
  }
}

customElements.define("stile-verify", StileVerify);
