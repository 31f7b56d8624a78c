import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { SolverProgress } from "../core/core-protocol.js";
import type { FormulateComparison, FormulateResult, FormulateSettings, ProductMade } from "../run/events.js";
import { emptyFormulate, type FormulateView, openQuestion } from "./formulate-view.js";
import { iconCheck, iconWarning } from "../ui/icons.js";
import type { PlaceRequest } from "../edit/show-place.js";
import { goes, settingsOf } from "../run/run-state.js";
import { bytes, duration, shortNumber } from "./solver-number.js";
import { asks, statusWords } from "./solver-status.js";
import { problemOf } from "../store/file-kind.js";
import type { Run } from "../store/state.js";
import type { File } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import "./flow-diagram.js";
import "./formulate-log.js";
import { finding } from "./formulate-log.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "./plan-states.js";
import "./product-offer.js";
import "../run/question.js";
import { dollars } from "../run/run-spent.js";
import { coreLinks, namedPlaces, objectives, statistics, values } from "./solution-parts.js";
import "./solver-progress.js";
import "./stage-products.js";
import "./stage-strip.js";
import { structured } from "../team/team-value.js";

/** A run of a problem: its stages, questions and answer. */
export class StileFormulateRun extends LightElement {
  @prop run!: Run;
  @prop files: readonly File[] = [];
  @prop solver: SolverProgress | null = null;
  @prop core!: Pick<CoreClient, "call">;
  /** The selected stage; "" for all. */
  @state stage = "";
  @state mistakes: ReadonlyMap<string, string> = new Map();
  /** Places of the conflict's parts in the files. */
  @state places: ReadonlyMap<string, PlaceRequest> = new Map();

  #placed: { readonly result: FormulateResult; readonly text: string } | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.core
      .call("formulate.defaults", {})
      .then(({ mistakes }) => (this.mistakes = new Map(mistakes.map((m) => [m.name, m.text]))))
      .catch(() => {});
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("run") as Run | undefined;
    if (before !== undefined && before.number !== this.run.number) this.stage = "";
    this.#findCore(this.run.timeline.formulate?.result);
  }

  protected override render(): unknown {
    const { run } = this;
    const view = run.timeline.formulate ?? emptyFormulate;
    const going = goes(run);
    const { offer, result } = view;
    const question = going ? openQuestion(view) : undefined;
    const settings = settingsOf(run) as Partial<FormulateSettings>;
    return html` <stile-stage-strip
        .view=${view}
        .going=${going}
        .chosen=${this.stage}
        @stage-chosen=${(e: CustomEvent<string>) => (this.stage = e.detail)}
      ></stile-stage-strip>
      ${run.questions.map((effect, i) => (i === 0 && offer !== undefined ? html`<stile-product-offer .offer=${offer} .effect=${effect}></stile-product-offer>` : html`<stile-question .effect=${effect}></stile-question>`))}
      ${
        question === undefined
          ? nothing
          : html`<stile-solver-progress
              .progress=${this.solver}
              .limit=${settings.limits?.milliseconds ?? 0}
              .asked=${[{ query: "for the best plan", base: "for the plan without the query", direction: "for the plan with the query negated", core: "for the conflict" }[question.purpose] ?? "", ...(question.horizon > 0 ? [`of ${question.horizon} steps`] : []), bytes(question.bytes)].filter((s) => s !== "").join(", ")}
            ></stile-solver-progress>`
      }
      ${result === undefined ? nothing : this.#result(result)}
      ${result === undefined ? nothing : this.#findings(result)}
      <stile-stage-products
        .products=${this.#products(view)}
        .folder=${problemOf(run.name)}
        .files=${this.files}
        .over=${!going}
      ></stile-stage-products>
      ${view.entries.length === 0 ? nothing : html`<stile-formulate-log .view=${view} .stage=${this.stage} .mistakes=${this.mistakes}></stile-formulate-log>`}`;
  }

  #made: { readonly of: FormulateView["products"]; readonly list: readonly ProductMade[] } | undefined;

  /** Returns the products in the order of their stages, cached by view. */
  #products({ products }: FormulateView): readonly ProductMade[] {
    if (this.#made?.of !== products) this.#made = { of: products, list: [...products.values()] };
    return this.#made.list;
  }

  #result(result: FormulateResult): unknown {
    const {
      status,
      message,
      ask,
      askBy,
      answer,
      objective,
      solution,
      families,
      steps,
      verdicts,
      base,
      rounds,
      assessed,
      checks,
      spent,
    } = result;
    const { word, tone, about } = statusWords(status);
    const tokens = spent.usage.prompt + spent.usage.completion;
    return html` <section class="result ${tone}" aria-labelledby="formulate-title">
      <div class="result-head">
        <h2 id="formulate-title">The answer</h2>
        <span class="pill ${tone}" data-status=${status}>${word}</span>
        ${ask === "" || ask === "plan" ? nothing : html`<span class="pill">${asks[ask] ?? ask}</span>`}
        <span class="hint"
          >${[
            ...(ask === "" || ask === "plan" ? [] : [deciders[askBy] ?? ""]),
            ...(rounds > 0 ? [count(rounds, "round")] : []),
            ...(rounds > 0 ? [assessed ? "judged correct" : "judged incorrect"] : []),
            count(spent.calls, "call"),
            `${tokens.toLocaleString("en")} tokens`,
            ...(spent.solves > 0
              ? [`${count(spent.solves, "question")} to the solver in ${duration(spent.solving)}`]
              : []),
            ...(spent.money > 0 ? [dollars(spent.money)] : []),
          ].join(", ")}</span
        >
      </div>
      <div class="solved">
        ${message === "" ? (status === "solved" && objective !== "" ? nothing : html`<p>${about}</p>`) : html`<p>${sentence(message)}</p>`}
        ${
          solution === undefined || solution.objectives.length === 0
            ? objective === ""
              ? nothing
              : html`<dl class="objectives">
                  <div>
                    <dt>objective</dt>
                    <dd><strong>${objective}</strong></dd>
                  </div>
                </dl>`
            : objectives(solution)
        }
        ${base === undefined ? nothing : this.#base(base, result)}
        ${
          answer === null || answer === undefined
            ? nothing
            : html`<div class="solved-answer">
                <h3>Answer in the requested form</h3>
                ${structured(JSON.stringify(answer))}
              </div>`
        }
        ${
          solution === undefined
            ? nothing
            : coreLinks(
                this,
                solution.core.map(({ name }) => ({ name, place: this.places.get(name) ?? null })),
              )
        }
        ${families.length === 0 ? nothing : html`<stile-families .families=${families}></stile-families>`}
        ${steps === undefined ? nothing : html`<stile-plan-states .steps=${steps} .checks=${checks}></stile-plan-states>`}
        ${
          verdicts.length === 0
            ? nothing
            : html` <section aria-label="Constraint by constraint">
                <h3>Constraint by constraint</h3>
                <ul class="verdicts">
                  ${verdicts.map(
                    (v) =>
                      html`<li class=${v.holds ? "holds" : "broken"}>
                        ${v.holds ? iconCheck : iconWarning}
                        <p>
                          <strong>${v.constraint}</strong>
                          ${v.reason === "" ? nothing : html`<span>${sentence(v.reason)}</span>`}
                          <span class="hint">${v.by === "check" ? "checked" : "judged by the model"}</span>
                        </p>
                      </li>`,
                  )}
                </ul>
              </section>`
        }
        ${solution === undefined ? nothing : html`${values(solution)}${statistics(solution)}`}
      </div>
    </section>`;
  }

  /** Renders the faults that may remain, and the faults that were fixed. */
  #findings({ findings, mended, assessed }: FormulateResult): unknown {
    const still = findings.filter((f) => !assessed || !f.certain);
    const right = [...mended, ...findings.filter((f) => assessed && f.certain)];
    return [["Possible remaining faults", still, false] as const, ["Faults that were fixed", right, true] as const].map(
      ([title, list, over]) =>
        list.length === 0
          ? nothing
          : html` <section class="findings" aria-label=${title}>
              <h3>${title}</h3>
              ${list.map((f) => finding(f, this.mistakes, over))}
            </section>`,
    );
  }

  /** Compares the plan for the original problem with the plan under the query's changes. */
  #base({ status, objective, changed }: FormulateComparison, { ask, objective: now, steps }: FormulateResult): unknown {
    const words: Readonly<Record<string, string>> = {
      why: "Cost of the alternative",
      "why-not": "Cost of the change",
      "what-if": "What changes",
    };
    return html` <section class="base" aria-labelledby="base-title">
      <h3 id="base-title">${words[ask] ?? "Compared with the plan without the query"}</h3>
      <p class="base-sums">
        <span
          ><span class="hint">without the query</span>
          <strong
            >${status === "solved" || status === "feasible" || status === "sat" ? objective || "solved" : statusWords(status).word}</strong
          ></span
        >
        <span aria-hidden="true">→</span> <span><span class="hint">with it</span> <strong>${now || "–"}</strong></span
        >${difference(objective, now)}
      </p>
      ${
        changed.length === 0
          ? html`<p class="hint">The plan does not change.</p>`
          : html` <div class="chart-scroll" tabindex="0" role="region" aria-label="What changes">
              <table class="plain changes">
                <caption class="visually-hidden">
                  What changes
                </caption>
                <thead>
                  <tr>
                    <th scope="col">${steps === undefined ? "Value" : "Step"}</th>
                    <th scope="col">without</th>
                    <th scope="col">with</th>
                  </tr>
                </thead>
                <tbody>
                  ${changed.slice(0, 200).map(
                    (c) =>
                      html`<tr>
                        <th scope="row"><code>${c.name}</code></th>
                        <td><del>${c.base || "–"}</del></td>
                        <td><ins>${c.now || "–"}</ins></td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
    </section>`;
  }

  /** Finds the places of a conflict's parts, once per result and text. */
  #findCore(result: FormulateResult | undefined): void {
    if (result?.solution === undefined || result.solution.core.length === 0) return;
    const name = `${problemOf(this.run.name)}/model.${result.notation === "lp" ? "lp" : "smt2"}`;
    const text = this.files.find((f) => f.name === name)?.text ?? "";
    if (this.#placed?.result === result && this.#placed.text === text) return;
    this.#placed = { result, text };
    if (text === "") this.places = new Map();
    else void namedPlaces(this.core, name, text).then((places) => (this.places = places));
  }
}

/** Returns the query's effect on the objective. */
function difference(base: string, now: string): unknown {
  if (base === "" || now === "" || !Number.isFinite(Number(base)) || !Number.isFinite(Number(now)) || base === now)
    return nothing;
  const by = Number(now) - Number(base);
  return html` <span class="hint"
    >${by > 0 ? "+" : "−"}${shortNumber(Math.abs(by))}${Number(base) === 0 ? "" : `, ${shortNumber(Math.round((1000 * Math.abs(by)) / Math.abs(Number(base))) / 10)} %`}</span
  >`;
}

const deciders: Readonly<Record<string, string>> = {
  person: "chosen by you",
  definer: "chosen by the definer",
  phrases: "recognised by its phrases",
};

customElements.define("stile-formulate-run", StileFormulateRun);
