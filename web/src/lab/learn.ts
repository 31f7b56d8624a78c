import { html, nothing } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { KeptRun } from "../store/unfinished-runs.js";
import { iconPlay } from "../ui/panel-icons.js";
import {
  type Curve,
  curvesOf,
  epochsOf,
  figuresAsCSV,
  figuresAsJSON,
  placesOf,
  resultOf,
  settingsInWords,
} from "./learn-figures.js";
import { sendCommand } from "../run/run-command.js";
import { goes } from "../run/run-state.js";
import { saveText } from "../share/save-file.js";
import type { Run } from "../store/state.js";
import type { File, LearnEpochEvent, LearnResult, LearnSettings } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import "../run/interrupted.js";
import "./learn-curves.js";
import "./learn-result.js";
import { runActions } from "../run/run-actions.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The gallery example whose tasks are used if the workspace has none. */
const EXAMPLE = "openagi-tasks";

/** The file of the paper's tasks; the core defines its format. */
const TASKS = "tasks.json";

/** Label and range of a number field. */
interface Field {
  readonly key: "seeds" | "epochs" | "rate" | "batch" | "prior" | "samples" | "seed";
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly step: string;
  readonly usual: number;
}

const main: readonly Field[] = [
  { key: "seeds", label: "Seeds", least: 1, most: 100, step: "1", usual: 20 },
  { key: "epochs", label: "Epochs", least: 1, most: 1000, step: "1", usual: 30 },
  { key: "rate", label: "Learning rate", least: 0.00001, most: 1, step: "any", usual: 0.001 },
];

const more: readonly Field[] = [
  { key: "batch", label: "Plans per step", least: 1, most: 1000, step: "1", usual: 1 },
  { key: "prior", label: "Prior, in logits", least: 0, most: 20, step: "any", usual: 5 },
  // The maximum is lower than the core's, because of the page's memory.
  { key: "samples", label: "Trajectories of each task", least: 0, most: 8, step: "1", usual: 4 },
  { key: "seed", label: "Seed of the run", least: 0, most: 1_000_000_000, step: "1", usual: 1 },
];

/** The formats of trajectories, by core/learn's names. */
const layouts = [
  ["chat", "Chat, JSONL"],
  ["group", "Group, JSONL"],
] as const;

/** The training and test tasks of Formal-LLM's released program. */
const TRAINED = [7, 20, 30, 40, 50, 60, 0, 105, 110, 116, 117, 175, 182];
const TESTED = [2, 3, 10, 15, 20, 35, 45, 55, 65, 70, 90, 106, 112, 115, 118, 177, 179];

/**
 * Learning from feedback: small models learn to plan from the results of their plans, with and without
 * the automaton, while the curves grow.
 */
export class StileLearn extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** Files of the workspace. */
  @prop files: readonly File[] = [];
  /** Loads a file next to the gallery. */
  @prop records!: (name: string) => Promise<string>;
  /** The last run of kind "learn", or null. */
  @prop run: Run | null = null;
  @prop interrupted: readonly KeptRun[] = [];
  @state numbers: Readonly<Record<Field["key"], number>> = Object.fromEntries(
    [...main, ...more].map((f) => [f.key, f.usual]),
  ) as Record<Field["key"], number>;
  @state arms: "both" | "with" | "without" = "both";
  /** Whether the workspace's tasks are used instead of the gallery's. */
  @state own = true;
  /** Positions of the chosen tasks; "" for all. */
  @state places = "";
  /**
   * The tasks that are planned after the training: none, the training tasks, or the paper's test tasks. The paper's
   * claim needs tasks that were not trained.
   */
  @state controls: "none" | "same" | "split" = "split";
  /** Whether the tasks are being loaded. */
  @state opening = false;
  /** Whether trajectories are being written. */
  @state saving = false;
  @state fault = "";

  #epochs: readonly LearnEpochEvent[] = [];
  #curves: readonly Curve[] = [];
  #of: Run | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    // Preloads the charts and the tasks. A failed load is repeated on use.
    void import("./chart.js").catch(() => {});
    void this.#example().catch(() => {});
  }

  protected override render(): unknown {
    const { run } = this;
    const running = run !== null && goes(run);
    const own = this.#hasTasks();
    const controls = this.#controls();
    return html` <p class="hint">
        A small model plans tasks, each plan is executed, and its score is the reward: reinforcement learning from task
        feedback, by REINFORCE with Adam. With the automaton every plan can be executed, so every plan gives feedback.
        <a class="text-link" href="docs/learning.html" target="_blank" rel="noopener">Differences from the paper</a>
      </p>
      ${
        this.interrupted.length === 0
          ? nothing
          : html` <stile-interrupted .kept=${this.interrupted}></stile-interrupted>
              <p class="hint">
                Learning runs are not saved on this device. A resumed one restarts and reaches the same figures:
                ${this.interrupted.map((k) => settingsInWords(k.params.seed, (k.params.settings ?? {}) as LearnSettings)).join("; ")}.
              </p>`
      }
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
      <form class="run-form" @submit=${this.#start}>
        <fieldset class="fields" ?disabled=${running || this.opening}>
          <legend class="visually-hidden">Learning settings</legend>
          <label class="field"
            ><span>Tasks</span>
            <select id="learn-tasks" @change=${(e: Event) => (this.own = valueOf(e) === "own")}>
              <option value="openagi" .selected=${!own || !this.own}>OpenAGI's 185</option>
              ${own ? html`<option value="own" .selected=${this.own}>This workspace’s tasks</option>` : nothing}
            </select></label
          >
          <label class="field"
            ><span>Learners</span>
            <select id="learn-arms" @change=${(e: Event) => (this.arms = valueOf(e) as typeof this.arms)}>
              <option value="both" .selected=${this.arms === "both"}>Both</option>
              <option value="with" .selected=${this.arms === "with"}>Only with the automaton</option>
              <option value="without" .selected=${this.arms === "without"}>Only without it</option>
            </select></label
          >
          ${main.map((f) => this.#number(f))}
        </fieldset>
        <details class="more">
          <summary>More settings</summary>
          <fieldset class="fields" ?disabled=${running || this.opening}>
            <legend class="visually-hidden">Details</legend>
            ${more.map((f) => this.#number(f))}
            <label class="field"
              ><span>Controls</span>
              <select id="learn-controls" @change=${(e: Event) => (this.controls = valueOf(e) as typeof this.controls)}>
                <option value="none" .selected=${controls === "none"}>None</option>
                <option value="same" .selected=${controls === "same"}>On the trained tasks</option>
                <option value="split" .selected=${controls === "split"} ?disabled=${!this.#splits()}>
                  Train 13 tasks, test 17, as in the paper
                </option>
              </select></label
            >
            <label class="field"
              ><span>Tasks, by number</span
              ><input
                id="learn-places"
                type="text"
                inputmode="numeric"
                placeholder="all; or 0-19, 105"
                autocomplete="off"
                .value=${this.places}
                @input=${this.#place}
            /></label>
          </fieldset>
          <p class="hint">
            The prior is added to the initial log-odds of valid symbols. It represents knowledge of a language model,
            such as that a picture is not text. With the automaton it has no effect. Trajectories are plans of the first
            trained learner with the automaton.
          </p>
        </details>
        ${runActions(this, run, html`<button class="button primary" type="submit" ?disabled=${this.opening}>${iconPlay} Learn</button>`, this.opening ? html`<span class="spinner delayed" aria-hidden="true"></span> Downloading the tasks` : run === null ? nothing : this.#state(run))}
      </form>
      ${run === null ? nothing : this.#shown(run, running)}`;
  }

  #number(f: Field): unknown {
    return html` <label class="field narrow"
      ><span>${f.label}</span
      ><input
        id="learn-${f.key}"
        type="number"
        min=${f.least}
        max=${f.most}
        step=${f.step}
        .value=${String(this.numbers[f.key])}
        @change=${(e: Event) => {
          const typed = Number(valueOf(e));
          const whole = f.step === "1" ? Math.floor(typed) : typed;
          const n =
            valueOf(e).trim() === "" || !Number.isFinite(whole) ? f.usual : Math.min(Math.max(whole, f.least), f.most);
          (e.target as HTMLInputElement).value = String(n);
          this.numbers = { ...this.numbers, [f.key]: n };
        }}
    /></label>`;
  }

  /** Announces the state once per learner, not per epoch. */
  #state(run: Run): unknown {
    const last = this.#read(run).at(-1);
    const seed =
      last === undefined ? "" : `seed ${last.seed} of ${((run.params.settings ?? {}) as LearnSettings).seeds ?? 20}`;
    switch (run.state) {
      case "done":
        return html`<span class="pill good">Done</span>`;
      case "failed":
        return html`<span class="pill bad">${run.interrupted ? "Interrupted" : "Failed"}</span> ${seed}`;
      case "cancelled":
        return html`<span class="pill">Cancelled</span> ${seed}`;
      default:
        if (last === undefined) return html`<span class="spinner delayed" aria-hidden="true"></span> Starting`;
        return html`<span class="spinner" aria-hidden="true"></span>
          ${last.done === last.of ? "Collecting the results" : `Learning: ${seed}, ${last.with ? "with" : "without"} the automaton`}`;
    }
  }

  #shown(run: Run, running: boolean): unknown {
    const last = this.#read(run).at(-1);
    const result = resultOf(run);
    const settings = (run.params.settings ?? {}) as LearnSettings;
    const curves = this.#curves;
    return html` ${
      last === undefined && !running
        ? nothing
        : html` <div class="learn-progress">
            <progress aria-label="Progress of all learners" max=${last?.of ?? 1} .value=${last?.done ?? 0}></progress>
            <span class="hint" aria-hidden="true"
              >${last === undefined ? "" : `epoch ${last.epoch} · ${last.done.toLocaleString("en")} of ${last.of.toLocaleString("en")} in total`}</span
            >
          </div>`
    }
    ${
      run.fault === undefined
        ? nothing
        : html`<p class="fault" role="alert">
            <span>${sentence(run.fault.message)} <code>${run.fault.code}</code></span>
          </p>`
    }
    ${
      curves.length === 0
        ? nothing
        : html` <div class="learn-charts">
              ${(["valid", "reward"] as const).map((measure) => html`<stile-learn-curves .measure=${measure} .curves=${curves} .epochs=${settings.epochs ?? 30}></stile-learn-curves>`)}
            </div>
            <p class="hint">
              ${curves.length < 2 ? "A" : "Solid: with the automaton. Dashed: without it. A"} line is the mean of the
              seeds${(last?.seed ?? 1) < 2 ? "" : "; its band is the 95 % interval of the mean"}. Settings:
              ${settingsInWords(run.params.seed, settings)}.
            </p>
            <stile-learn-result .result=${result} .curves=${curves} .live=${running}></stile-learn-result>
            ${
              running
                ? nothing
                : html` <div class="row wrap">
                    <span class="hint">Save the figures:</span>
                    <button
                      class="button small"
                      type="button"
                      @click=${() => saveText("learning.csv", figuresAsCSV(curves), "text/csv")}
                    >
                      CSV<span class="visually-hidden">, the curves</span>
                    </button>
                    <button
                      class="button small"
                      type="button"
                      @click=${() => saveText("learning.json", figuresAsJSON(run), "application/json")}
                    >
                      JSON<span class="visually-hidden">, with settings and each learner's epochs</span>
                    </button>
                  </div>`
            }`
    }
    ${result === undefined ? nothing : this.#trajectories(result)}`;
  }

  #trajectories(result: LearnResult): unknown {
    const { length } = result.trajectories;
    return html` <section class="learn-trajectories" aria-labelledby="learn-trajectories-title">
      <h2 id="learn-trajectories-title">Trajectories for fine-tuning</h2>
      ${
        length === 0
          ? html`<p class="hint">
              No trajectories were requested. Set their number per task under “More settings”; they are recorded for
              learners with the automaton.
            </p>`
          : html` <p>${count(length, "plan")}, one line of JSON per decision, with the planner’s prompt.</p>
              <div class="row wrap">
                ${layouts.map(([layout, label]) => html`<button class="button small" type="button" ?disabled=${this.saving} @click=${() => void this.#save(result, layout)}>${label}</button>`)}<span
                  role="status"
                  >${this.saving ? html`<span class="spinner delayed" aria-hidden="true"></span> Writing` : nothing}</span
                >
              </div>
              <dl class="learn-layouts">
                <div>
                  <dt>Chat</dt>
                  <dd>
                    For supervised fine-tuning: <code>messages</code> with the user’s prompt and the assistant’s answer,
                    and the <code>reward</code> and <code>valid</code> of the plan. Keep the lines of good plans.
                  </dd>
                </div>
                <div>
                  <dt>Group</dt>
                  <dd>
                    For REINFORCE and GRPO: <code>prompt</code>, <code>choices</code>, <code>chosen</code>,
                    <code>completion</code>, <code>logprob</code>, <code>reward</code>, and the
                    <code>advantage</code> over the other plans of the task, which have the same <code>group</code>.
                  </dd>
                </div>
              </dl>`
      }
    </section>`;
  }

  /** Returns the epochs of a run, merged when new ones arrive. */
  #read(run: Run): readonly LearnEpochEvent[] {
    if (this.#of?.events !== run.events) {
      this.#of = run;
      this.#epochs = epochsOf(run);
      this.#curves = curvesOf(this.#epochs);
    }
    return this.#epochs;
  }

  #hasTasks(): boolean {
    return this.files.some((f) => f.name === TASKS) && this.files.some((f) => f.name === "tools.json");
  }

  /** Reports whether the tasks are those of the paper, all of them, so that its split applies. */
  #splits(): boolean {
    return !(this.own && this.#hasTasks()) && this.places.trim() === "";
  }

  /** Returns the controls that apply to the chosen tasks. */
  #controls(): "none" | "same" | "split" {
    return this.controls === "split" && !this.#splits() ? "same" : this.controls;
  }

  #place = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    this.places = input.value;
    input.setCustomValidity(placesOf(input.value) === undefined ? "Numbers and ranges, such as 0-19, 105" : "");
  };

  #start = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { seed, samples, ...numbers } = this.numbers;
    const tasks = placesOf(this.places) ?? [];
    const settings: LearnSettings = {
      ...numbers,
      automaton: this.arms,
      ...(tasks.length > 0 && { tasks }),
      ...(this.#controls() !== "none" && { controls: true }),
      ...(this.#controls() === "split" && { tasks: TRAINED, test: TESTED }),
      ...(this.arms !== "without" && samples > 0 && { samples }),
    };
    this.fault = "";
    this.opening = true;
    try {
      const files = this.own && this.#hasTasks() ? this.files : await this.#example();
      sendCommand(this, { command: "learn", name: TASKS, files, seed, settings });
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    } finally {
      this.opening = false;
    }
  };

  #fetched: Promise<readonly File[]> | undefined;

  #example(): Promise<readonly File[]> {
    return (this.#fetched ??= this.#fetch().catch((reason: unknown) => {
      this.#fetched = undefined;
      throw reason;
    }));
  }

  async #fetch(): Promise<readonly File[]> {
    const bytes = new TextEncoder().encode(await this.records(`${EXAMPLE}.txtar`));
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return (await this.core.call("workspace.import", { name: `${EXAMPLE}.txtar`, base64: btoa(binary) })).files;
  }

  async #save(result: LearnResult, layout: string): Promise<void> {
    this.saving = true;
    try {
      const { text } = await this.core.call("learn.trajectories", { layout, trajectories: result.trajectories });
      saveText(`trajectories-${layout}.jsonl`, text, "application/jsonl");
    } catch (reason) {
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    } finally {
      this.saving = false;
    }
  }
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement).value;
}

customElements.define("stile-learn", StileLearn);
