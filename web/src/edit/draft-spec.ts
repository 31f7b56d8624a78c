import { html, nothing } from "lit";
import type { DraftFile } from "../run/events.js";
import { iconCheck, iconDraft } from "../ui/icons.js";
import { valueOf } from "../ui/form-input.js";
import type { KeptRun } from "../store/unfinished-runs.js";
import type { KeyNote } from "../models/api-keys.js";
import type { RunSettings } from "../run/run-form.js";
import { type Drafting, sendCommand } from "../run/run-command.js";
import { goes, settingsOf } from "../run/run-state.js";
import { boundsOf, boundsText, usesEndpoint } from "../run/ceiling.js";
import { samplingFields, thinkingFields } from "../run/settings-fields.js";
import { notationOf } from "../store/file-kind.js";
import type { Endpoint, Run, RunDefaults } from "../store/state.js";
import { thoughtDetails } from "../run/thoughts.js";
import type { DraftEntry } from "../run/timeline.js";
import type { File } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import "./diff-view.js";
import "../run/interrupted.js";
import { runActions, resumeButton, runState } from "../run/run-actions.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "../models/model-picker.js";
import "../run/question.js";
import "../run/run-spent.js";

const languages: readonly { readonly id: string; readonly label: string }[] = [
  { id: "cfg", label: "a grammar (.cfg)" },
  { id: "pda", label: "a pushdown automaton (.pda)" },
  { id: "flow", label: "a flowchart (.flow)" },
  { id: "team", label: "a team of agents (.team)" },
  { id: "problem", label: "a problem for a solver (.problem)" },
  { id: "rules", label: "rules from a policy text (.rules)" },
];

/** Reports whether a draft's words are plans; only such drafts have examples and properties. */
const plans = (language: string): boolean => !["team", "problem", "rules"].includes(language);

/** Names the text that a person describes. */
const described = (language: string): string =>
  plans(language) ? "Requirements for plans" : language === "rules" ? "The policy" : "The task";

/** The accepted draft. */
export interface Accepted {
  readonly run: number;
  readonly files: readonly DraftFile[];
  /** Whether the files become a separate workspace. */
  readonly alone: boolean;
}

type Form = {
  readonly description: string;
  readonly language: string;
  readonly formulas: boolean;
  readonly pass: string;
  readonly fail: string;
  readonly rounds: number;
  readonly change: boolean;
};

/** The last input of the form, kept while its dialog is closed. */
let last: Form = { description: "", language: "cfg", formulas: false, pass: "", fail: "", rounds: 5, change: false };

/**
 * Drafts a spec from a description: a model writes it, the core reports its problems, and a person
 * accepts or discards it.
 */
export class StileDraft extends LightElement {
  @prop run: Run | null = null;
  @prop files: readonly File[] = [];
  @prop settings!: RunSettings;
  @prop endpoints!: readonly Endpoint[];
  @prop keys!: readonly KeyNote[];
  @prop interrupted: readonly KeptRun[] = [];
  /** The default ceilings of runs, requested when an endpoint is chosen. */
  @prop defaults: RunDefaults | null = null;
  @state form: Form = last;

  protected override render(): unknown {
    const { run } = this;
    const running = run !== null && goes(run);
    return html` ${this.interrupted.length === 0 ? nothing : html`<stile-interrupted .kept=${this.interrupted}></stile-interrupted>`}
      <form class="run-form" @submit=${this.#start}>
        ${this.#fields(running)}
        ${runActions(
          this,
          run,
          html`<button class="button primary" type="submit" ?disabled=${this.form.description.trim() === ""}>
            ${iconDraft} Write draft
          </button>`,
          run === null ? nothing : this.#state(run),
        )}
        ${this.defaults === null || !usesEndpoint(this.settings) ? nothing : html`<p class="hint">A draft ends at ${boundsText(this.defaults.ceiling)}.</p>`}
      </form>
      ${run === null ? nothing : this.#results(run)}`;
  }

  protected override updated(): void {
    if (this.defaults === null && usesEndpoint(this.run === null ? this.settings : settingsOf(this.run)))
      this.emit("defaults-requested", null);
  }

  #settingsChanged = (change: Partial<RunSettings>): void => {
    this.emit<Partial<RunSettings>>("settings-changed", change);
  };

  #fields(running: boolean): unknown {
    const f = this.form;
    return html` <fieldset class="fields" ?disabled=${running}>
      <legend class="visually-hidden">Draft settings</legend>
      <label class="field wide"
        ><span>${described(f.language)}</span>
        <textarea
          rows="4"
          placeholder=${f.language === "rules" ? "A refund needs an approval of the same order. Refund at most three orders of a customer in a day." : "Tea is made of water that was boiled. Milk may come last, and sugar at most twice."}
          .value=${f.description}
          @input=${(e: Event) => this.#set({ description: valueOf(e) })}
        ></textarea>
      </label>
      ${plans(f.language) ? this.#examples(f) : nothing}
      <label class="field"
        ><span>Write</span>
        <select @change=${(e: Event) => this.#set({ language: valueOf(e) })}>
          ${languages.map((l) => html`<option value=${l.id} .selected=${l.id === f.language}>${l.label}</option>`)}
        </select></label
      >
      <label class="field narrow"
        ><span>Maximum rounds</span
        ><input type="number" min="1" max="20" step="1" .value=${String(f.rounds)} @change=${this.#rounds}
      /></label>
      ${plans(f.language) ? this.#more(f) : nothing}
      <stile-model-picker
        .settings=${this.settings}
        .endpoints=${this.endpoints}
        .keys=${this.keys}
        .label=${"Drafting model"}
        .name=${"draft-model"}
        @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.emit("settings-changed", e.detail)}
        @endpoints-requested=${() => this.emit("endpoints-requested", null)}
      ></stile-model-picker>
      ${usesEndpoint(this.settings) ? [samplingFields(this.settings, this.#settingsChanged), thinkingFields(this.settings, this.#settingsChanged)] : nothing}
    </fieldset>`;
  }

  /** Renders the fields for examples of plans. */
  #examples(f: Form): unknown {
    return html`<label class="field half"
        ><span>Valid plans <small class="hint">one per line</small></span>
        <textarea
          class="code"
          rows="3"
          spellcheck="false"
          placeholder="boil pour milk"
          .value=${f.pass}
          @input=${(e: Event) => this.#set({ pass: valueOf(e) })}
        ></textarea>
      </label>
      <label class="field half"
        ><span>Invalid plans <small class="hint">one per line</small></span>
        <textarea
          class="code"
          rows="3"
          spellcheck="false"
          placeholder="pour boil"
          .value=${f.fail}
          @input=${(e: Event) => this.#set({ fail: valueOf(e) })}
        ></textarea>
      </label>`;
  }

  #more(f: Form): unknown {
    return html`<div class="field wide checks">
      <label class="check"
        ><input
          type="checkbox"
          .checked=${f.formulas}
          @change=${(e: Event) => this.#set({ formulas: (e.target as HTMLInputElement).checked })}
        />
        <span>and properties (.ltl)</span></label
      >
      <label class="check"
        ><input
          type="checkbox"
          .checked=${f.change}
          @change=${(e: Event) => this.#set({ change: (e.target as HTMLInputElement).checked })}
        />
        <span>start from this workspace’s specs</span></label
      >
    </div>`;
  }

  #state(run: Run): unknown {
    const rounds = count(run.timeline.rounds.length, "round");
    const clean = run.timeline.draft?.clean === true;
    const done = html`<span class="pill ${clean ? "good" : "bad"}"
      >${clean ? (run.timeline.draft?.files.some((f) => f.name === "coverage.md") === true ? "Every sentence has rules or a reason" : "Compiles, and the examples pass") : "Has problems"}</span
    >`;
    return runState(run, "Drafting", rounds, done);
  }

  #results(run: Run): unknown {
    const { rounds, draft, spent } = run.timeline;
    return html` ${
        run.fault === undefined
          ? nothing
          : html`<p class="fault" role="alert">
              <span>${sentence(run.fault.message)} <code>${run.fault.code}</code></span>
            </p>`
      }
      <stile-run-spent .spent=${spent} .budget=${boundsOf(run.kind, settingsOf(run), this.defaults)}></stile-run-spent>
      ${resumeButton(this, run)}
      ${run.questions.map((effect) => html`<stile-question .effect=${effect} .run=${run.number}></stile-question>`)}
      <ol class="log plan-log draft-rounds">
        ${rounds.map((entry) => this.#round(entry, run))}
      </ol>
      ${
        draft === undefined
          ? nothing
          : html` <section class="draft-done" aria-labelledby="draft-title">
              <h3 id="draft-title">Proposed changes</h3>
              ${draft.files.map((f) => html`<stile-diff .name=${f.name} .from=${this.#before(run, f.name)} .to=${f.text}></stile-diff>`)}
              <div class="row wrap">
                <button
                  class="button primary"
                  type="button"
                  ?disabled=${draft.files.length === 0}
                  @click=${() => this.emit<Accepted>("draft-accepted", { run: run.number, files: draft.files, alone: !this.#changes(run) })}
                >
                  ${iconCheck} Accept
                </button>
                <button
                  class="button"
                  type="button"
                  @click=${() => sendCommand(this, { command: "drop", run: run.number })}
                >
                  Discard
                </button>
                <span class="hint"
                  >${this.#changes(run) ? "The current workspace stays in Examples → Earlier drafts." : "It becomes a separate workspace; the current one stays in Examples → Earlier drafts."}</span
                >
              </div>
            </section>`
      }`;
  }

  #round({ round, prompt, thoughts, live, done }: DraftEntry, run: Run): unknown {
    const problems = done?.problems ?? [];
    return html` <li class="log-entry">
      <span class="log-number">${round}</span>
      <div class="log-head">
        <span class="log-title"
          >${done === undefined ? (goes(run) ? "Writing" : "Stopped while writing") : problems.length === 0 ? "No problems" : count(problems.length, "problem")}</span
        >
      </div>
      ${
        problems.length === 0
          ? nothing
          : html`<ul class="problems">
              ${problems.map((p) => html`<li>${sentence(p)}</li>`)}
            </ul>`
      }
      ${thoughts.map(thoughtDetails)}
      ${done === undefined && live !== "" ? html`<pre class="prompt draft-live" tabindex="0">${live}</pre>` : nothing}
      <div class="log-more">
        ${
          done === undefined || live === ""
            ? nothing
            : html`<details>
                <summary>Answer</summary>
                <pre class="prompt" tabindex="0">${live}</pre>
              </details>`
        }
        <details>
          <summary>Prompt</summary>
          <pre class="prompt" tabindex="0">${prompt}</pre>
        </details>
      </div>
    </li>`;
  }

  /** Reports whether a run's draft changes the workspace. */
  #changes(run: Run): boolean {
    return ((run.recorded?.settings as { readonly files?: readonly unknown[] } | undefined)?.files ?? []).length > 0;
  }

  #before(run: Run, name: string): string | undefined {
    return this.#changes(run) ? this.files.find((f) => f.name === name)?.text : undefined;
  }

  #set(change: Partial<Form>): void {
    this.form = last = { ...this.form, ...change };
  }

  #rounds = (event: Event): void => {
    const n = Math.floor(Number(valueOf(event)));
    this.#set({ rounds: Number.isSafeInteger(n) && n > 0 ? Math.min(n, 20) : 5 });
  };

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    const f = this.form;
    const examples = (text: string): readonly string[] =>
      text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    const draft: Drafting = {
      description: f.description,
      languages: [f.language, ...(f.formulas && plans(f.language) ? ["ltl"] : [])],
      pass: plans(f.language) ? examples(f.pass) : [],
      fail: plans(f.language) ? examples(f.fail) : [],
      rounds: f.rounds,
      change: plans(f.language) && f.change && this.files.some((file) => notationOf(file.name) !== null),
    };
    sendCommand(this, { command: "draft", draft });
  };
}

customElements.define("stile-draft", StileDraft);
