import { html, nothing } from "lit";
import type { Assessed, Finding } from "../run/events.js";
import type { FormulateEntry, FormulateView, StageTurn } from "./formulate-view.js";
import { iconCheck, iconEdit, iconWarning } from "../ui/icons.js";
import { iconPerson } from "../ui/panel-icons.js";
import { stageName } from "./problem-settings.js";
import { bytes, duration } from "./solver-number.js";
import { statusWords } from "./solver-status.js";
import { sentence } from "../ui/text.js";
import { promptDetails } from "../run/choices.js";
import { thoughtDetails } from "../run/thoughts.js";
import { folded } from "../ui/collapsible.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The stages' prompts and products, the faults found, and the judgements, round by round. */
export class StileFormulateLog extends LightElement {
  @prop view!: FormulateView;
  /** Limits the log to a stage; "" for all. */
  @prop stage = "";
  /** Descriptions of faults, by name. */
  @prop mistakes: ReadonlyMap<string, string> = new Map();

  protected override render(): unknown {
    const entries = this.view.entries.filter(
      (e) =>
        this.stage === "" ||
        stageOf(e) === this.stage ||
        (e.type === "assess" && e.assessed.ratings.some((r) => r.stage === this.stage)),
    );
    const rounds = [...new Set(entries.map((e) => e.round))];
    return html` <section class="history formulate-log">
      <div class="history-head">
        <h2>Log</h2>
        ${this.stage === "" ? nothing : html`<span class="hint">only the ${stageName(this.stage).toLowerCase()}</span>`}
      </div>
      ${entries.length === 0 ? html`<p class="hint">The solver received nothing.</p>` : nothing}
      ${rounds.map(
        (round) =>
          html` ${rounds.length > 1 || round > 1 ? html`<h3 class="round">Round ${round}</h3>` : nothing}
            <ol class="log">
              ${entries.filter((e) => e.round === round).map((e) => this.#entry(e))}
            </ol>`,
      )}
    </section>`;
  }

  #entry(entry: FormulateEntry): unknown {
    switch (entry.type) {
      case "turn":
        return turn(entry);
      case "product": {
        const { name, by, stage, text, before } = entry.product;
        return html` <li class="log-entry stage-product">
          <p class="log-head">
            ${by === "person" ? iconPerson : by === "assessor" ? iconEdit : iconCheck}<span class="log-title"
              >${stageName(stage)} <code>${name}</code></span
            >
            <span class="hint"
              >${{ model: "written by the model", person: "written by you", file: "taken from the files", assessor: "written by the self-assessment" }[by] ?? by}</span
            >
          </p>
          ${
            before === "" || before === text
              ? nothing
              : html`<details class="fold">
                  <summary>What changed</summary>
                  <stile-diff .name=${name} .from=${before} .to=${text}></stile-diff>
                </details>`
          }
        </li>`;
      }
      case "solve": {
        const { purpose, horizon, solver, bytes: size, result, attempt } = entry.asked;
        const words = result === undefined ? null : statusWords(result.status);
        return html` <li class="log-entry stage-solve">
          <p class="log-head">
            <span class="log-title"
              >${{ z3: "Z3", highs: "HiGHS" }[solver] ?? solver}
              ${{ query: "", base: "the plan without the query", direction: "the plan with the query negated", core: "the conflict" }[purpose] ?? purpose}
              ${horizon > 0 ? `for ${horizon} steps` : ""}${attempt > 1 ? `, try ${attempt}` : ""}</span
            >
            ${words === null || result === undefined ? html`<span class="spinner" aria-hidden="true"></span>` : html`<span class="pill ${words.tone}">${words.word}</span>`}
            <span class="hint"
              >${bytes(size)}${result === undefined ? "" : `, ${duration(result.milliseconds)}`}${result?.objectives[0] === undefined ? "" : `, ${result.objectives[0].value}`}</span
            >
          </p>
          ${result === undefined || result.message === "" ? nothing : html`<p class="fault-text">${sentence(result.message)}</p>`}
        </li>`;
      }
      case "finding":
        return html`<li class="log-entry">${finding(entry.found.finding, this.mistakes)}</li>`;
      case "assess":
        return html`<li class="log-entry">${assessment(entry.assessed)}</li>`;
    }
  }
}

function stageOf(entry: FormulateEntry): string {
  switch (entry.type) {
    case "turn":
      return entry.stage;
    case "product":
      return entry.product.stage;
    case "solve":
      return "solver";
    case "finding":
      return entry.found.finding.stage;
    case "assess":
      return "assessor";
  }
}

function turn({ stage, attempt, prompt, thoughts, live, reply }: StageTurn): unknown {
  return html` <li class="log-entry team-turn">
    <p class="log-head">
      <span class="log-title">${stageName(stage)}${attempt > 1 ? `, try ${attempt}` : ""}</span
      >${reply === undefined ? html`<span class="hint">${live === "" ? "waiting for the answer" : "writing"}</span>` : nothing}
    </p>
    ${promptDetails(prompt)} ${thoughts.map(thoughtDetails)}
    ${reply === undefined ? (live === "" ? nothing : html`<pre class="prompt draft-live" tabindex="0" aria-label="Output">${live}</pre>`) : folded(reply.text)}
    ${
      reply === undefined || reply.faults.length === 0
        ? nothing
        : html`<ul class="team-faults">
            ${reply.faults.map((fault) => html`<li>${iconWarning} <span class="fault-text">${sentence(fault)}</span></li>`)}
          </ul>`
    }
  </li>`;
}

/** Renders a fault with its kind and place. */
export function finding(
  { mistake, stage, certain, message, file, line }: Finding,
  mistakes: ReadonlyMap<string, string>,
  fixed = false,
): unknown {
  const about = mistakes.get(mistake);
  return html` <div
    class="violation finding ${fixed ? "fixed" : ""} ${certain ? "" : "perhaps"}"
    data-finding=${mistake}
  >
    ${fixed ? iconCheck : iconWarning}
    <div>
      <p>
        <strong>${mistake}</strong>
        <span class="hint"
          >${stageName(stage)}${file === undefined || file === "" ? "" : `, ${file}${line === undefined || line === 0 ? "" : `:${line}`}`}${certain ? "" : ", possibly intended"}${fixed ? ", fixed" : ""}</span
        >
      </p>
      <p>${sentence(message)}</p>
      ${about === undefined ? nothing : html`<p class="hint">${sentence(about)}</p>`}
    </div>
  </div>`;
}

function assessment({ ratings, wrong }: Assessed): unknown {
  return html` <div class="assessment">
    <p class="log-head">
      <span class="log-title">Self-assessment</span
      ><span class="pill ${wrong === "" ? "good" : "bad"}"
        >${wrong === "" ? "all correct" : `${stageName(wrong)} runs again`}</span
      >
    </p>
    <ul class="verdicts">
      ${ratings.map(
        (r) =>
          html` <li class=${r.right ? "holds" : "broken"}>
            ${r.right ? iconCheck : iconWarning}
            <p>
              <strong>${stageName(r.stage)}</strong>
              ${r.by === "check" ? html`<span class="pill">by checking</span>` : nothing}
              ${r.reason === "" ? nothing : html`<span>${sentence(r.reason)}</span>`}
              ${r.how === "" ? nothing : html`<span class="hint">${sentence(r.how)}</span>`}
            </p>
          </li>`,
      )}
    </ul>
  </div>`;
}

customElements.define("stile-formulate-log", StileFormulateLog);
