import { html, nothing, type PropertyValues } from "lit";
import type { SolverProgress } from "../core/core-protocol.js";
import type { File, ProveAnswer, ProveAnswerEvent, ProveSettings, ProveTriedEvent } from "../core/wire.js";
import { runActions, runState } from "../run/run-actions.js";
import { sendCommand } from "../run/run-command.js";
import { goes } from "../run/run-state.js";
import { sameFiles } from "../store/drafts.js";
import { messageOf } from "../store/faults.js";
import { hasSteps, notationOf, specKind } from "../store/file-kind.js";
import type { Draft, Run } from "../store/state.js";
import { requestTest } from "../tests/request-test.js";
import "../problem/solver-progress.js";
import "../ui/copy-button.js";
import { valueOf } from "../ui/form-input.js";
import { iconCheck, iconInfo, iconWarning } from "../ui/icons.js";
import { iconPlay } from "../ui/panel-icons.js";
import type { Versions } from "./compare-specs.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { count, sentence } from "../ui/text.js";

const PASTED = "pasted";
/** The core's maximum number of events. */
const MAX_EVENTS = 16;
/** The solver's milliseconds for a question after which sessions of more than 8 events are not searched. */
const SPEND = 5_000;

/** A session to step through in the table of events of its rules. */
export interface ProvedSession {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Asks questions about the rules of the workspace. A solver answers them with sessions as examples. */
export class StileProveRules extends LightElement {
  @prop run: Run | null = null;
  @prop files: readonly File[] = [];
  @prop current = "";
  @prop drafts: readonly Draft[] = [];
  @prop solver: SolverProgress | null = null;
  @state name = "";
  /** "file:NAME", "draft:TIME" or PASTED. */
  @state second = "";
  @state pasted = "";
  @state goal = "";
  /** The name of the spec whose words restrict the calls, "" for none. */
  @state words = "";
  @state max = MAX_EVENTS;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("files") && !changed.has("current")) return;
    const names = this.#rules().map((f) => f.name);
    if (changed.has("current") && names.includes(this.current)) this.name = this.current;
    if (!names.includes(this.name)) this.name = names[0] ?? "";
    if (this.second === `file:${this.name}`) this.second = "";
    if (!this.#specs().some((f) => f.name === this.words)) this.words = "";
  }

  /** Asks for the shortest sessions that one of two versions permits and the other forbids. */
  compare({ name, second, pasted }: Versions): void {
    this.scrollIntoView({ block: "start" });
    if (this.run !== null && goes(this.run)) return;
    this.name = name;
    this.second = second;
    this.pasted = pasted;
    const other = this.#other();
    if (other !== "") this.#ask({ question: "compare", other });
  }

  protected override render(): unknown {
    const files = this.#rules();
    const { run } = this;
    if (files.length === 0) return nothing;
    const running = run !== null && goes(run);
    return html`<section class="verify-part" aria-labelledby="prove-rules-title">
      <h2 id="prove-rules-title">Prove rules</h2>
      <p class="hint">
        Z3 searches for a shortest session, with any tools, fields and times. It tries up to 8 events, and continues to
        the maximum while each question takes less than ${SPEND / 1000} seconds. The monitor confirms each session that
        it finds. Another spec can restrict the order of the calls.
      </p>
      <fieldset class="fields" ?disabled=${running}>
        <legend class="visually-hidden">Settings of the proofs</legend>
        <label class="field"
          ><span>Rules</span
          ><select class="prove-file" @change=${(e: Event) => (this.name = valueOf(e))}>
            ${files.map((f) => html`<option value=${f.name} .selected=${f.name === this.name}>${f.name}</option>`)}
          </select></label
        >
        <label class="field narrow"
          ><span>Maximum events</span
          ><input
            type="number"
            min="1"
            max=${MAX_EVENTS}
            step="1"
            .value=${String(this.max)}
            @change=${(e: Event) => (this.max = Math.min(Math.max(Number(valueOf(e)) || MAX_EVENTS, 1), MAX_EVENTS))}
        /></label>
        <label class="field"
          ><span>Compare with</span
          ><select class="prove-second" @change=${(e: Event) => (this.second = valueOf(e))}>
            <option value="" .selected=${this.second === ""}>No other version</option>
            ${files
              .filter((f) => f.name !== this.name)
              .map(
                (f) =>
                  html`<option value="file:${f.name}" .selected=${this.second === `file:${f.name}`}>${f.name}</option>`,
              )}
            ${this.#versions().map((d) => html`<option value="draft:${d.savedAt}" .selected=${this.second === `draft:${d.savedAt}`}>${d.title}, ${new Date(d.savedAt).toLocaleString()}</option>`)}
            <option value=${PASTED} .selected=${this.second === PASTED}>Pasted text</option>
          </select></label
        >
        ${
          this.#specs().length === 0
            ? nothing
            : html`<label class="field"
                ><span>Order of calls</span
                ><select class="prove-words" @change=${(e: Event) => (this.words = valueOf(e))}>
                  <option value="" .selected=${this.words === ""}>Any</option>
                  ${this.#specs().map((f) => html`<option value=${f.name} .selected=${f.name === this.words}>Words of ${f.name}</option>`)}
                </select></label
              >`
        }
        <label class="field"
          ><span>Goal <small class="hint">a formula</small></span
          ><input
            class="code"
            type="text"
            spellcheck="false"
            placeholder="once refund(amount: > 1000)"
            .value=${this.goal}
            @input=${(e: Event) => (this.goal = valueOf(e))}
        /></label>
        ${
          this.second === PASTED
            ? html`<label class="field wide"
                ><span>Rules to compare with <code>${this.name}</code></span
                ><textarea
                  class="prove-pasted"
                  rows="4"
                  spellcheck="false"
                  .value=${this.pasted}
                  @input=${(e: Event) => (this.pasted = valueOf(e))}
                ></textarea>
              </label>`
            : nothing
        }
      </fieldset>
      ${runActions(
        this,
        run,
        html`<button class="button primary" type="button" @click=${() => this.#ask({ question: "check" })}>
            ${iconPlay} Check all rules
          </button>
          <button
            class="button"
            type="button"
            ?disabled=${this.#other() === ""}
            @click=${() => this.#ask({ question: "compare", other: this.#other() })}
          >
            Compare versions
          </button>
          <button
            class="button"
            type="button"
            ?disabled=${this.goal.trim() === ""}
            @click=${() => this.#ask({ question: "reachable", goal: this.goal.trim() })}
          >
            Reach the goal
          </button>`,
        run === null ? nothing : this.#state(run),
      )}
      ${this.solver === null || !running ? nothing : html`<stile-solver-progress .progress=${this.solver}></stile-solver-progress>`}
      ${run === null ? nothing : this.#results(run)}
    </section>`;
  }

  #state(run: Run): unknown {
    const tried = run.events.findLast(isTried);
    const activity =
      tried === undefined
        ? "Starting the solver"
        : `${titles[tried.question] ?? tried.question} ${tried.rule ?? tried.tool ?? ""}: sessions of ${count(tried.tried.events, "event")}`;
    return runState(run, activity, count(run.events.filter(isAnswer).length, "answer"));
  }

  #results(run: Run): unknown {
    const answers = run.events.filter(isAnswer).map((e) => e.answer);
    const settings = run.params.settings as ProveSettings;
    const stale =
      this.files.find((f) => f.name === run.name)?.text !== settings.source ||
      (settings.words !== undefined &&
        !this.files.some((f) => f.name === settings.words?.name && f.text === settings.words.text)) ||
      !sameFiles(this.#contracts(), run.params.workspace.files.slice(1));
    const contracts = (run.outcome as { readonly contracts?: string } | undefined)?.contracts ?? "";
    return html`${run.fault === undefined ? nothing : html`<p class="fault" role="alert"><span>${sentence(messageOf(run.fault))}</span></p>`}
      <ul class="proofs ${stale ? "outdated" : ""}" aria-label="Answers about ${run.name}">
        ${answers.map((a) => this.#answer(run.name, a))}
      </ul>
      ${stale && answers.length > 0 ? html`<p class="hint">The rules, the order of calls or the contracts of the tools have changed since these answers.</p>` : nothing}
      ${contracts === "" ? nothing : html`<p class="hint">Write <code># contracts: ${contracts}</code> in the rules for a warning when the contracts of the tools change.</p>`}`;
  }

  #answer(spec: string, a: ProveAnswer): unknown {
    const open = a.answer.status === "unknown" || a.answer.status === "unconfirmed";
    const [tone, icon, word] = open
      ? (["error", iconWarning, "not decided"] as const)
      : a.good
        ? (["good", iconCheck, "yes"] as const)
        : neutral.includes(a.question)
          ? (["info", iconInfo, a.lines.length > 0 ? foundWord(a) : noneWord(a)] as const)
          : (["warning", iconWarning, noneWord(a)] as const);
    return html`<li class="proof">
      <span class="tone-${tone}">${icon}</span>
      <div>
        <p>
          <strong>${titles[a.question] ?? a.question}</strong>
          ${subjectOf(a) === "" ? nothing : html`<code>${subjectOf(a)}</code>`}
          <span class="pill ${tone === "good" ? "good" : ""}">${word}</span>
        </p>
        <p class="hint">
          ${sentence(a.text)}${a.answer.message === "" || open ? nothing : ` The last event ${a.answer.message}.`}
        </p>
        ${
          a.lines.length === 0
            ? nothing
            : html`<details ?open=${!a.good || neutral.includes(a.question)}>
                <summary>${count(a.lines.length, "event")}</summary>
                <ol class="proof-session" start="0">
                  ${a.lines.map((line) => html`<li><code>${line}</code></li>`)}
                </ol>
                <div class="row wrap">
                  <button
                    class="button small"
                    type="button"
                    @click=${() => this.emit<ProvedSession>("session-requested", { name: spec, lines: a.lines })}
                  >
                    Step
                  </button>
                  <button
                    class="button small"
                    type="button"
                    @click=${() => requestTest(this, { spec, form: "run", text: a.lines.join("\n"), title: a.text })}
                  >
                    Add as test
                  </button>
                  <stile-copy-button
                    .label=${"Copy events"}
                    .what=${"the events as JSON"}
                    .text=${JSON.stringify(a.answer.events)}
                  ></stile-copy-button>
                </div>
              </details>`
        }
      </div>
    </li>`;
  }

  #ask(question: Pick<ProveSettings, "question" | "goal" | "other">): void {
    const file = this.files.find((f) => f.name === this.name);
    if (file === undefined) return;
    const words = this.files.find((f) => f.name === this.words);
    sendCommand(this, {
      command: "prove",
      name: file.name,
      files: [file, ...this.#contracts()],
      settings: { source: file.text, max: this.max, spend: SPEND, ...(words !== undefined && { words }), ...question },
    });
  }

  #rules(): readonly File[] {
    return this.files.filter((f) => notationOf(f.name) === "rules");
  }

  /** Returns the specs whose words can restrict the calls. */
  #specs(): readonly File[] {
    return this.files.filter((f) => hasSteps(f.name) && specKind(f.name) !== null);
  }

  /** Returns the files that may declare contracts of tools. */
  #contracts(): readonly File[] {
    return this.files.filter((f) => f.name.endsWith(".json"));
  }

  /** Returns the earlier versions of the rules. */
  #versions(): readonly Draft[] {
    const text = this.files.find((f) => f.name === this.name)?.text;
    return this.drafts.filter((d) => d.files.some((f) => f.name === this.name && f.text !== text));
  }

  /** Returns the text of the other version, or "". */
  #other(): string {
    if (this.second === PASTED) return this.pasted.trim() === "" ? "" : this.pasted;
    const name = this.second.slice(this.second.indexOf(":") + 1);
    const files = this.second.startsWith("file:")
      ? this.files.filter((f) => f.name === name)
      : (this.drafts.find((d) => String(d.savedAt) === name)?.files.filter((f) => f.name === this.name) ?? []);
    return files[0]?.text ?? "";
  }
}

const titles: Readonly<Record<string, string>> = {
  violable: "Can be violated:",
  applies: "Applies:",
  superfluous: "Needed:",
  callable: "Can be called:",
  reachable: "Goal",
  stricter: "Permitted here, forbidden there",
  looser: "Forbidden here, permitted there",
};

/** The questions whose answer is neither good nor bad. */
const neutral: readonly string[] = ["stricter", "looser", "reachable"];

function foundWord(a: ProveAnswer): string {
  return a.question === "reachable" ? "reached" : "different";
}

/** Names the bound: longer sessions were not searched. */
function noneWord({ answer }: ProveAnswer): string {
  return answer.exact ? "none of any length" : `none up to ${count(answer.upTo, "event")}`;
}

function subjectOf(a: ProveAnswer): string {
  return a.rule ?? a.tool ?? "";
}

function isAnswer(event: unknown): event is ProveAnswerEvent {
  return (event as { readonly kind: string }).kind === "prove.answer";
}

function isTried(event: unknown): event is ProveTriedEvent {
  return (event as { readonly kind: string }).kind === "prove.tried";
}

customElements.define("stile-prove-rules", StileProveRules);
