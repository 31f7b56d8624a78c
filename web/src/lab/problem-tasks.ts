import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { iconCheck, iconClose } from "../ui/icons.js";
import { valueOf } from "../ui/form-input.js";
import type { WorkspaceRequest } from "../run/run-command.js";
import type { ProblemFilesResult, ProblemJudgeResult, ProblemTask, ProblemTasksResult } from "../core/wire.js";
import { sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The domains by the core's names, with their record files. */
const domains: readonly (readonly [name: string, title: string, records: string])[] = [
  ["coffee", "Coffee", "llmfp/coffee.json"],
  ["workforce", "Workforce", "llmfp/workforce.json"],
  ["facility", "Facility", "llmfp/facility.json"],
  ["task_allocation", "Task allocation", "llmfp/task_allocation.json"],
  ["warehouse", "Warehouse", "llmfp/warehouse.json"],
  ["blocksworld", "Blocksworld", "llmfp/blocksworld.jsonl"],
  ["mystery_blocksworld", "Mystery Blocksworld", "llmfp/mystery_blocksworld.jsonl"],
  ["movie", "Movie", "llmfp/movie.jsonl"],
  ["gripper", "Gripper", "llmfp/gripper.jsonl"],
];

const notations: Readonly<Record<string, string>> = { smt2: "SMT-LIB, for Z3", lp: "LP, for HiGHS", pddl: "PDDL" };

/** Input files; the stages make the others. */
const given = /\/(?:task\.md|data\.json|api\.smt2|query\.md|output\.json)$/;

/** Milliseconds without typing before an answer is checked. */
const JUDGE_DELAY = 300;

/** Queries of LLMFP's nine domains with their expected results, which can be opened as problems. */
export class StileProblemTasks extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** Loads a file of the benchmark's records. */
  @prop records!: (name: string) => Promise<string>;
  /** Name of the domain. */
  @prop domain = "coffee";
  @state set: ProblemTasksResult | null = null;
  /** Index of the query in the data set. */
  @state chosen = 0;
  @state notation = "";
  /** Whether the opened problem includes our formulation. */
  @state formulated = true;
  @state made: ProblemFilesResult | null = null;
  @state answer = "";
  @state judged: ProblemJudgeResult | null = null;
  @state fault = "";

  #text = "";
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.set === null) void this.#fetch(this.domain);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("set") || changed.has("chosen") || changed.has("notation")) void this.#make();
    if (!changed.has("answer") && !changed.has("made")) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#judge(), JUDGE_DELAY);
  }

  protected override render(): unknown {
    const { set } = this;
    const task = set?.tasks.find((t) => t.index === this.chosen);
    if (set === null || task === undefined)
      return this.fault === ""
        ? html`<p class="empty" role="status">Loading the queries…</p>`
        : html`<p class="fault" role="alert">${this.fault}</p>`;
    return html` <p class="hint">
        Queries of the nine domains of LLMFP (Hao et al. 2024) with their results: those of OptiGuide, PlanBench,
        AutoPlanBench and of the paper itself.
      </p>
      <div class="trip">
        <div class="trip-asked">
          ${this.#form(set)}
          <p class="api-asked" data-question>${task.question}</p>
          <div class="row wrap">
            <button
              class="button primary"
              type="button"
              ?disabled=${this.made === null}
              @click=${() => this.#open(task)}
            >
              Open as a problem
            </button>
          </div>
          ${this.#held(set)}
        </div>
        <div class="trip-found">
          ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
          ${this.#expected(set, task)}
          ${(this.made?.files ?? [])
            .filter((f) => this.formulated || given.test(f.name))
            .map(
              (f) =>
                html` <details class="fold">
                  <summary>
                    ${shortName(f.name)}${given.test(f.name) ? nothing : html` <span class="hint">ours</span>`}
                  </summary>
                  <pre class="prompt" tabindex="0">${f.text}</pre>
                </details>`,
            )}
        </div>
      </div>`;
  }

  #form(set: ProblemTasksResult): unknown {
    return html` <form class="fields" aria-label="Query selection" @submit=${(e: Event) => e.preventDefault()}>
      <label class="field"
        ><span>Domain</span>
        <select @change=${(e: Event) => void this.#fetch(valueOf(e))}>
          ${domains.map(([name, title]) => html`<option value=${name} .selected=${name === this.domain}>${title}</option>`)}
        </select></label
      >
      <label class="field wide"
        ><span>Query</span>
        <select @change=${(e: Event) => (this.chosen = Number(valueOf(e)))}>
          ${set.tasks.map((t) => html`<option value=${t.index} .selected=${t.index === this.chosen}>${t.index + 1}: ${brief(t.question)}</option>`)}
        </select></label
      >
      ${
        set.notations.length < 2
          ? nothing
          : html` <label class="field"
              ><span>Formulated in</span>
              <select @change=${(e: Event) => (this.notation = valueOf(e))}>
                ${set.notations.map((n, i) => html`<option value=${n} .selected=${n === this.notation || (this.notation === "" && i === 0)}>${notations[n] ?? n}</option>`)}
              </select></label
            >`
      }
      <label class="check field wide"
        ><input
          type="checkbox"
          .checked=${this.formulated}
          @change=${(e: Event) => (this.formulated = (e.target as HTMLInputElement).checked)}
        />
        <span>Include our formulation</span></label
      >
    </form>`;
  }

  #expected(set: ProblemTasksResult, task: ProblemTask): unknown {
    const infeasible = task.status === "infeasible";
    return html` <section class="result" aria-labelledby="expected-title">
      <div class="result-head">
        <h3 id="expected-title">Expected result</h3>
        <span class="pill ${infeasible ? "bad" : "good"}" data-expected
          >${infeasible ? "there is no plan" : `${task.optimum}${set.steps ? " steps" : ""}`}</span
        >
      </div>
      ${infeasible || set.base === "" ? nothing : html`<p class="hint ending" data-base>Without the question it is ${set.base}.</p>`}
    </section>`;
  }

  /** Checks a typed answer. */
  #held(set: ProblemTasksResult): unknown {
    const { judged } = this;
    return html` <label class="field wide"
        ><span>Check an answer</span>
        <textarea
          class="code"
          rows="5"
          spellcheck="false"
          placeholder=${set.steps ? "(an-action of objects), one step per line" : "JSON in the form of output.json"}
          .value=${this.answer}
          @input=${(e: Event) => (this.answer = valueOf(e))}
        ></textarea>
      </label>
      ${
        judged === null
          ? nothing
          : html` <ul class="trip-rules" data-judged=${judged.right ? "right" : "wrong"}>
              <li class=${judged.right ? "pass" : "fail"}>
                ${judged.right ? iconCheck : iconClose}
                <p>
                  ${sentence(judged.reason)}
                  ${judged.faults.slice(1).map((f) => html`<span class="trip-reason">${sentence(f)}</span>`)}
                </p>
              </li>
            </ul>`
      }`;
  }

  async #fetch(domain: string): Promise<void> {
    const asked = ++this.#asked;
    this.domain = domain;
    try {
      const text = await this.records(domains.find(([name]) => name === domain)?.[2] ?? "");
      const set = await this.core.call("problem.tasks", { domain, text });
      if (asked !== this.#asked) return;
      this.#text = text;
      this.fault = "";
      this.answer = "";
      this.made = null;
      this.notation = "";
      this.chosen = set.tasks[0]?.index ?? 0;
      this.set = set;
    } catch (reason) {
      this.#failed(reason);
    }
  }

  async #make(): Promise<void> {
    if (this.set === null) return;
    const asked = ++this.#asked;
    try {
      const made = await this.core.call("problem.files", {
        domain: this.domain,
        text: this.#text,
        index: this.chosen,
        notation: this.notation,
      });
      if (asked === this.#asked) this.made = made;
    } catch (reason) {
      this.#failed(reason);
    }
  }

  async #judge(): Promise<void> {
    const { answer, set, domain, chosen } = this;
    if (answer.trim() === "" || set === null) {
      this.judged = null;
      return;
    }
    const lines = answer.split("\n").filter((line) => line.trim() !== "");
    let plan: readonly string[] = lines;
    let value: unknown = answer;
    try {
      value = JSON.parse(answer);
      plan = [];
    } catch {
      // The text is not JSON: its lines are steps.
    }
    try {
      const judged = await this.core.call("problem.judge", {
        domain,
        text: this.#text,
        index: chosen,
        status: "unchecked",
        ...(plan.length === 0 || !set.steps ? { answer: value } : { plan }),
      });
      if (answer === this.answer && domain === this.domain && chosen === this.chosen) this.judged = judged;
    } catch (reason) {
      this.#failed(reason);
    }
  }

  #open(task: ProblemTask): void {
    const { made, set } = this;
    if (made === null || set === null) return;
    const files = made.files.filter((f) => this.formulated || given.test(f.name));
    this.emit<WorkspaceRequest>("workspace-requested", {
      workspace: { title: `${set.title}: ${brief(task.question)}`.slice(0, 60), files, current: made.name },
      task: "",
    });
  }

  #failed(reason: unknown): void {
    this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
  }
}

/** Returns the last part of a file's name. */
function shortName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Shortens a query to a line. For planning domains this is the goal, because their queries begin alike. */
function brief(query: string): string {
  const question = query.slice(Math.max(query.indexOf("Final state "), 0));
  return question.length > 90 ? `${question.slice(0, 89)}…` : question;
}

customElements.define("stile-problem-tasks", StileProblemTasks);
