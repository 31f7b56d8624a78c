import { html, nothing } from "lit";
import type { BacktestCell, BacktestCounted, BacktestMatrix, BacktestRow, BacktestRun } from "../core/wire.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The outcomes that count as a pass. */
const PASSING = new Set(["held", "untriggered"]);
/** The number of runs that the list shows at once. */
const SHOWN = 20;

/** Reports whether an outcome is a pass. */
export function passes(outcome: string): boolean {
  return PASSING.has(outcome);
}

/** The matrix of rules and runs: counts that select the runs of a list. */
export class StileBacktestMatrix extends LightElement {
  @prop matrix!: BacktestMatrix;
  @prop runs: readonly BacktestRun[] = [];
  /** The selected rule, "" for all rules, and the selected outcome, "" for all outcomes that do not pass. */
  @state rule = "";
  @state outcome = "";
  @state shown = SHOWN;

  protected override render(): unknown {
    const { matrix } = this;
    const outcomes = matrix.runs.map((c) => c.name);
    const row = (name: string, label: unknown, counts: BacktestRow["outcomes"]): unknown =>
      html`<tr>
        <th scope="row">${label}</th>
        ${counts.map((c) => html`<td>${this.#count(name, c.name, c.number)}</td>`)}
      </tr>`;
    return html` <div class="compare-scroll" tabindex="0" role="group" aria-label="Rules and runs">
        <table class="plain compare backtest-matrix">
          <caption class="visually-hidden">
            The number of runs by rule and outcome
          </caption>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              ${outcomes.map((o) => html`<th scope="col">${o}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${matrix.rules.map((r) => row(r.rule.name, html`<code>${r.rule.name}</code>`, r.outcomes))}
            ${row("", "all rules", matrix.runs)}
          </tbody>
        </table>
      </div>
      ${this.#coverage()} ${this.#list()}`;
  }

  #count(rule: string, outcome: string, number: number): unknown {
    if (number === 0 || this.runs.length === 0) return number;
    const pressed = rule === this.rule && outcome === this.outcome;
    return html`<button
      class="text-link"
      type="button"
      aria-pressed=${pressed}
      aria-label="${number} ${outcome}${rule === "" ? "" : ` by ${rule}`}: list these runs"
      @click=${() => this.#select(pressed ? "" : rule, pressed ? "" : outcome)}
    >
      ${number}
    </button>`;
  }

  #select(rule: string, outcome: string): void {
    this.rule = rule;
    this.outcome = outcome;
    this.shown = SHOWN;
  }

  #coverage(): unknown {
    const { rules, tools } = this.matrix;
    const count = (row: BacktestRow, names: readonly string[]): number =>
      row.outcomes.reduce((sum, c) => sum + (names.includes(c.name) ? c.number : 0), 0);
    const idle = rules.filter((r) => count(r, ["held", "violated", "incomplete"]) === 0);
    const unnamed = tools.filter((t) => !t.named);
    const violated = rules.filter((r) => named(r.tools) + named(r.agents) !== "");
    if (idle.length === 0 && unnamed.length === 0 && violated.length === 0) return nothing;
    return html`<ul class="hint backtest-coverage">
      ${violated.map((r) => html`<li>Violations of <code>${r.rule.name}</code>${byName("tool", r.tools)}${byName("agent", r.agents)}</li>`)}
      ${idle.length === 0 ? nothing : html`<li>Rules that no run triggers: ${idle.map((r, i) => html`${i > 0 ? ", " : ""}<code>${r.rule.name}</code>`)}</li>`}
      ${unnamed.length === 0 ? nothing : html`<li>Tools that no rule names, with their calls: ${unnamed.map((t, i) => html`${i > 0 ? ", " : ""}<code>${t.name}</code> ${t.calls}`)}</li>`}
    </ul>`;
  }

  #list(): unknown {
    const index = this.matrix.rules.findIndex((r) => r.rule.name === this.rule);
    const outcomeOf = (r: BacktestRun): string => (index < 0 ? r.outcome : (r.cells[index]?.outcome ?? ""));
    const found = this.runs.filter((r) => (this.outcome === "" ? !passes(r.outcome) : outcomeOf(r) === this.outcome));
    if (found.length === 0) return nothing;
    const title =
      this.outcome === ""
        ? "Runs that do not pass"
        : `Runs: ${this.outcome}${this.rule === "" ? "" : ` by ${this.rule}`}`;
    return html`<h3 id="backtest-runs-title">${title}</h3>
      <ul class="backtest-runs" aria-labelledby="backtest-runs-title">
        ${found.slice(0, this.shown).map((r) => this.#run(r, index))}
      </ul>
      ${
        found.length <= this.shown
          ? nothing
          : html`<button class="button small" type="button" @click=${() => (this.shown += SHOWN)}>
              Show ${Math.min(SHOWN, found.length - this.shown)} more of ${found.length}
            </button>`
      }`;
  }

  #run(r: BacktestRun, index: number): unknown {
    const failing = r.cells.findIndex((c) => !passes(c.outcome));
    const at = index >= 0 ? index : Math.max(failing, 0);
    const cell = r.cells[at];
    const line = cell?.line ?? r.line;
    return html`<li>
      <button class="text-link" type="button" @click=${() => this.emit<BacktestRun>("run-requested", r)}>
        ${r.trace}:${line}
      </button>
      <span class="pill ${passes(r.outcome) ? "good" : "bad"}">${cell?.outcome ?? r.outcome}</span>
      <span>run ${r.number} · <code>${this.matrix.rules[at]?.rule.name}</code></span>
      ${cell?.reason === undefined ? nothing : html`<pre class="backtest-reason">${cell.reason}${evidence(cell)}</pre>`}
    </li>`;
  }
}

/** Lists counts by name, or returns "" without names. */
function named(counts: readonly BacktestCounted[] | undefined): string {
  if (counts?.some((c) => c.name !== "") !== true) return "";
  return counts.map((c) => `${c.name === "" ? "(none)" : c.name} ${c.number}`).join(", ");
}

/** Renders counts of violations; nothing without names, as in matrices of earlier versions, which have no agents. */
function byName(of: string, counts: readonly BacktestCounted[] | undefined): string {
  const text = named(counts);
  return text === "" ? "" : `; by ${of}: ${text}`;
}

/** Describes the part of a rule that is false at a violation, and the lines of the events that it depends on. */
function evidence({ part, near = [] }: BacktestCell): string {
  if (part === undefined) return "";
  const lines =
    near.length === 0
      ? ""
      : `; see line ${near.slice(0, 5).join(", ")}${near.length > 5 ? ` and ${near.length - 5} more` : ""}`;
  return `\n${part} is false${lines}`;
}

customElements.define("stile-backtest-matrix", StileBacktestMatrix);
