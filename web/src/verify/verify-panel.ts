import { html, nothing } from "lit";
import type { KeptRun } from "../store/unfinished-runs.js";
import type { KeyNote } from "../models/api-keys.js";
import type { RunSettings } from "../run/run-form.js";
import type { CoreClient } from "../core/core-client.js";
import type { SolverProgress } from "../core/core-protocol.js";
import type { Draft, Endpoint, ExampleWord, Place, Run } from "../store/state.js";
import type { DocumentAnalyzeResult, File, PlanCheckResult } from "../core/wire.js";
import "./check-plan.js";
import "./compare-specs.js";
import type { Stepped, Versions } from "./compare-specs.js";
import type { StileCheckPlan } from "./check-plan.js";
import "../lab/compare.js";
import "../run/interrupted.js";
import { LightElement, prop } from "../ui/light-element.js";
import "../models/model-picker.js";
import "./properties.js";
import "./prove-rules.js";
import type { ProvedSession, StileProveRules } from "./prove-rules.js";
import type { Target } from "../run/run-panel.js";

/** The Verify tab: checks a plan, judges the properties, and compares planning methods. */
export class StileVerify extends LightElement {
  @prop target: Target | null = null;
  @prop files: readonly File[] = [];
  @prop examples: readonly ExampleWord[] = [];
  @prop settings!: RunSettings;
  @prop endpoints!: readonly Endpoint[];
  @prop keys!: readonly KeyNote[];
  @prop comparison: Run | null = null;
  @prop proof: Run | null = null;
  @prop solver: SolverProgress | null = null;
  @prop interrupted: readonly KeptRun[] = [];
  @prop broken = false;
  @prop current = "";
  @prop drafts: readonly Draft[] = [];
  @prop core!: CoreClient;
  @prop check!: (spec: string, text: string) => Promise<PlanCheckResult>;
  @prop analyse!: (name: string) => Promise<DocumentAnalyzeResult>;

  protected override render(): unknown {
    const { target } = this;
    const planned = target !== null && target.kind === "plan";
    return html` ${
        planned
          ? html` <stile-check-plan
              .spec=${target.name}
              .files=${this.files}
              .examples=${this.examples}
              .check=${this.check}
              .broken=${this.broken}
              @word-requested=${(e: CustomEvent<readonly string[]>) => this.emit("word-requested", e.detail)}
            ></stile-check-plan>`
          : nothing
      }
      <stile-properties
        .files=${this.files}
        .analyse=${this.analyse}
        .core=${this.core}
        @step-requested=${(e: CustomEvent<Stepped>) => this.emit("step-requested", e.detail)}
        @place-requested=${(e: CustomEvent<Omit<Place, "count">>) => this.emit("place-requested", e.detail)}
      ></stile-properties>
      <stile-prove-rules
        .run=${this.proof}
        .files=${this.files}
        .current=${this.current}
        .drafts=${this.drafts}
        .solver=${this.solver}
        @session-requested=${(e: CustomEvent<ProvedSession>) => this.emit("session-requested", e.detail)}
      ></stile-prove-rules>
      <stile-compare-specs
        .files=${this.files}
        .current=${this.current}
        .drafts=${this.drafts}
        .core=${this.core}
        @step-requested=${(e: CustomEvent<Stepped>) => this.emit("step-requested", e.detail)}
        @versions-requested=${(e: CustomEvent<Versions>) => this.querySelector<StileProveRules>("stile-prove-rules")?.compare(e.detail)}
      ></stile-compare-specs>
      ${
        planned
          ? html` <section class="verify-part" aria-labelledby="compare-title">
              <h2 id="compare-title">Compare ways of planning</h2>
              <p class="hint">
                The same task and model, with and without <code>${target.name}</code>; the spec judges every plan.
              </p>
              ${this.interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${this.interrupted}></stile-interrupted>`}
              <div class="fields">
                <label class="field wide"
                  ><span>Task of the plans</span
                  ><textarea
                    rows="2"
                    .value=${this.settings.task}
                    @input=${(e: Event) => this.emit("settings-changed", { task: (e.target as HTMLTextAreaElement).value })}
                  ></textarea>
                </label>
                <stile-model-picker
                  .settings=${this.settings}
                  .endpoints=${this.endpoints}
                  .keys=${this.keys}
                  .label=${"Planner"}
                  .name=${"compare-model"}
                  @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.emit("settings-changed", e.detail)}
                  @endpoints-requested=${() => this.emit("endpoints-requested", null)}
                ></stile-model-picker>
              </div>
              <stile-compare
                .run=${this.comparison}
                .name=${target.name}
                .disabled=${this.broken}
                @check-requested=${(e: CustomEvent<string>) => this.querySelector<StileCheckPlan>("stile-check-plan")?.take(e.detail)}
              ></stile-compare>
            </section>`
          : html`<p class="hint">
              Plans are checked and compared for a <code>.cfg</code>, a <code>.pda</code> or a <code>.flow</code>.
            </p>`
      }`;
  }
}

customElements.define("stile-verify", StileVerify);
