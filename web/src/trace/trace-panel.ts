import { html, nothing, type PropertyValues } from "lit";
import { type CoreClient, CoreError } from "../core/core-client.js";
import { hasSteps, notationOf } from "../store/file-kind.js";
import type { Place, Run } from "../store/state.js";
import { checkParams, type TraceCheck } from "./trace-command.js";
import { formatNames, verdictTones } from "./trace-labels.js";
import type { Diagnostic, File, MonitorCheckResult, MonitorMapping, MonitorRoles, OutlineItem } from "../core/wire.js";
import { requestTest } from "../tests/request-test.js";
import { sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "./trace-field.js";
import { MAX_TRACE, type StileTraceField, tooLarge, type Trace, type Trial } from "./trace-field.js";
import "../backtest/backtest-panel.js";
import "./trace-mapping.js";
import "./trace-production.js";
import "./trace-result.js";
import { type JudgedFormula, readAs, StileTraceResult } from "./trace-result.js";
import type { TracePlace } from "./trace-timeline.js";

/** Milliseconds without typing before a trace is checked. The delay is longer for a long trace. */
const CHECK_DELAY = 250;
const LONG_DELAY = 800;
const LONG_TRACE = 200_000;
/** The maximum number of segments that are removed on trial until an example has a mistake. */
const MAX_MISTAKES = 12;

const starter: File = {
  name: "untitled.agent",
  text: `; Ask, think and act as often as needed, then answer.
(define my-agent
  (:states
    (Question (:text "Question:"))
    (Thought (:text "Thought:"))
    (Action (:text "Action:"))
    (Observation (:text "Observation:") (:flags :env-input))
    (Answer (:text "Answer:")))
  (:behavior (next Question (until (next Thought Action Observation) Answer))))
`,
};

/** The agent that traces are checked against. */
interface Subject {
  readonly file: File;
  readonly states: readonly string[];
  readonly examples: readonly string[];
  readonly outline: readonly OutlineItem[];
  readonly sound: boolean;
  /** The files of formulas, and the names of those with errors. */
  readonly formulas: readonly File[];
  readonly others: readonly File[];
  readonly judged: readonly JudgedFormula[];
  readonly unread: readonly string[];
}

/** A failed action, and the place in the trace that caused it. */
interface Fault {
  readonly message: string;
  readonly place?: Diagnostic;
}

/** The Trace tab: checks a recorded run of an agent against its spec. */
export class StileTrace extends LightElement {
  @prop files: readonly File[] = [];
  @prop current = "";
  @prop runs: readonly Run[] = [];
  @prop core!: Pick<CoreClient, "call">;
  @state trace: Trace = { text: "", name: "" };
  @state format = "auto";
  /** The file of the chosen agent; "" for the open agent, or else the first agent of the workspace. */
  @state chosen = "";
  @state mapping: readonly MonitorMapping[] = [];
  @state roles: MonitorRoles = {};
  @state subject: Subject | null = null;
  @state result: { readonly asked: TraceCheck; readonly subject: Subject; readonly check: MonitorCheckResult } | null =
    null;
  @state fault: Fault | null = null;
  /** The reason why the last trace was refused. */
  @state refusal = "";
  @state working = false;

  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking = 0;

  protected override render(): unknown {
    const agents = this.#agents();
    const file = this.#agent();
    if (file === undefined) return this.#none();
    return html` <section class="verify-part" aria-labelledby="trace-check-title">
        <h2 id="trace-check-title">Check a trace</h2>
        <div class="fields">
          <label class="field"
            ><span>Agent</span>
            <select @change=${(e: Event) => this.#choose((e.target as HTMLSelectElement).value)}>
              ${agents.map(({ name }) => html`<option value=${name} .selected=${name === file.name}>${name}</option>`)}
            </select></label
          >
          <label class="field"
            ><span>Format</span>
            <select @change=${(e: Event) => this.#take({ format: (e.target as HTMLSelectElement).value })}>
              <option value="auto" .selected=${this.format === "auto"}>detect</option>
              ${formatNames.map(([format, label]) => html`<option value=${format} .selected=${format === this.format}>${label}</option>`)}
            </select></label
          >
        </div>
        <stile-trace-field
          .text=${this.trace.text}
          .trials=${this.#trials()}
          @trace-taken=${(e: CustomEvent<Trace>) => this.#take({ trace: e.detail })}
          @trace-refused=${(e: CustomEvent<string>) => (this.refusal = e.detail)}
        ></stile-trace-field>
        ${this.refusal === "" ? nothing : html`<p class="fault" role="alert"><span>${this.refusal}</span></p>`}
        <div class="trace-outcome">
          <div role="status" aria-busy=${this.working}>${this.#verdict()}</div>
          ${this.#faultPlace()} ${this.result === null ? nothing : this.#details(this.result)}
        </div>
      </section>
      ${this.#backtest()}
      <stile-trace-production
        .check=${this.#asked(file)}
        .files=${this.files}
        .read=${this.result?.check.format ?? ""}
        .sound=${this.subject?.sound ?? true}
        .core=${this.core}
      ></stile-trace-production>`;
  }

  #backtest(): unknown {
    return html`<stile-backtest
      .files=${this.files}
      .options=${{ format: "", mapping: this.mapping, roles: this.roles }}
      .core=${this.core}
      @trace-requested=${(e: CustomEvent<Trace>) => this.#try(e.detail)}
      @file-requested=${(e: CustomEvent<File>) => this.emit("file-requested", e.detail)}
    ></stile-backtest>`;
  }

  #none(): unknown {
    return html` <div class="empty trace-none">
        <h2>There is no agent in this workspace</h2>
        <p>
          A trace records an agent’s run. It is checked against an <code>.agent</code> file, which defines the allowed
          sequences of states.
        </p>
        <div class="row wrap">
          <button class="button primary" type="button" @click=${() => this.emit<File>("file-requested", starter)}>
            Create one
          </button>
          <button
            class="button"
            type="button"
            aria-haspopup="dialog"
            @click=${() => this.emit("examples-requested", null)}
          >
            Open an example
          </button>
        </div>
        ${this.trace.text === "" ? nothing : html`<p class="hint">Your trace is kept.</p>`}
      </div>
      ${this.#backtest()}`;
  }

  #verdict(): unknown {
    if (this.trace.text.trim() === "") return nothing;
    if (this.subject?.sound === false)
      return html`<p class="hint">${this.subject.file.name} has errors; fix them to check traces.</p>`;
    if (this.fault !== null) return html`<p class="fault"><span>${sentence(this.fault.message)}</span></p>`;
    if (this.result === null)
      return html`<p class="hint"><span class="spinner" aria-hidden="true"></span> Checking…</p>`;
    const { check, asked } = this.result;
    return html` <div class="check-head">
      <span class="pill ${verdictTones[check.verdict]?.pill ?? ""}" data-trace-verdict=${check.verdict}
        >${check.verdict}</span
      >
      <span>${StileTraceResult.said(check)}</span>
      <span class="hint">${readAs(check, asked.format)}</span>
      ${
        (check.format ?? asked.format) === "text"
          ? html`<button
              class="button small"
              type="button"
              @click=${() => requestTest(this, { spec: this.result?.subject.file.name ?? "", form: "run", text: asked.text })}
            >
              Add as test
            </button>`
          : nothing
      }
      ${this.working ? html`<span class="spinner" aria-hidden="true"></span>` : nothing}
    </div>`;
  }

  #faultPlace(): unknown {
    const place = this.fault?.place;
    if (place === undefined || this.trace.text.trim() === "") return nothing;
    return html`<p>
      <button class="text-link" type="button" @click=${() => this.#reveal(place)}>
        Line ${place.line}, column ${place.column} of the trace
      </button>
    </p>`;
  }

  #details({ asked, subject, check }: NonNullable<StileTrace["result"]>): unknown {
    return html` ${subject.unread.length === 0 ? nothing : html`<p class="hint">${subject.unread.join(", ")}: the formulas have errors and were not judged.</p>`}
      <stile-trace-result
        .check=${check}
        .asked=${asked.format}
        .spec=${subject.file.name}
        .outline=${subject.outline}
        .states=${subject.states}
        .formulas=${subject.judged}
        .mapping=${
          (check.parts ?? []).length === 0
            ? nothing
            : html` <stile-trace-mapping
                .mapped=${check.mapped ?? []}
                .states=${subject.states}
                .mapping=${this.mapping}
                .roles=${this.roles}
                @mapping-changed=${(e: CustomEvent<readonly MonitorMapping[]>) => this.#take({ mapping: e.detail })}
                @roles-changed=${(e: CustomEvent<MonitorRoles>) => this.#take({ roles: e.detail })}
              ></stile-trace-mapping>`
        }
        @trace-place-requested=${(e: CustomEvent<TracePlace>) => this.#reveal(e.detail)}
        @place-requested=${(e: CustomEvent<Omit<Place, "count">>) => this.emit("place-requested", e.detail)}
      ></stile-trace-result>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("files") || changed.has("chosen") || changed.has("current")) void this.#look();
  }

  // Agent.

  #agents(): readonly File[] {
    return this.files.filter((f) => notationOf(f.name) === "agent");
  }

  #agent(): File | undefined {
    const agents = this.#agents();
    return agents.find((f) => f.name === this.chosen) ?? agents.find((f) => f.name === this.current) ?? agents[0];
  }

  #choose(name: string): void {
    // A mapping belongs to one agent.
    this.mapping = [];
    this.roles = {};
    this.chosen = name;
  }

  /** Loads the facts about the agent and the formulas if they changed. */
  async #look(): Promise<void> {
    const file = this.#agent();
    const formulas = this.files.filter((f) => notationOf(f.name) === "formulas");
    const others = this.files.filter((f) => f !== file && (hasSteps(f.name) || notationOf(f.name) === "pddl"));
    const { subject } = this;
    if (
      file === undefined ||
      (subject !== null &&
        sameText([file], [subject.file]) &&
        sameText(others, subject.others) &&
        sameText(formulas, subject.formulas))
    )
      return;
    const number = ++this.#looking;
    try {
      const analyze = (name: string) => this.core.call("document.analyze", { files: [...this.files], name });
      const [agent, analysis, ...judged] = await Promise.all([
        this.core.call("agent.check", { source: file.text }),
        analyze(file.name),
        ...formulas.map((f) => analyze(f.name)),
      ]);
      if (number !== this.#looking) return;
      const errors = (found: readonly Diagnostic[] | undefined): boolean =>
        found?.some((d) => d.severity === "error") === true;
      const sound = formulas
        .map((f, i) => ({ file: f, analysis: judged[i] }))
        .filter((f) => f.analysis !== undefined && !unreadable(f.analysis.diagnostics));
      this.subject = {
        file,
        states: agent.states,
        examples: agent.examples,
        outline: analysis.outline,
        sound: !errors(agent.diagnostics),
        formulas,
        others,
        unread: formulas.filter((f) => !sound.some((s) => s.file === f)).map((f) => f.name),
        judged: sound.flatMap((f) => (f.analysis?.outline ?? []).map((item) => ({ file: f.file.name, item }))),
      };
      this.#soon();
    } catch {
      // Another element reports a lost core.
    }
  }

  // Trace.

  #take(change: Partial<Pick<StileTrace, "trace" | "format" | "mapping" | "roles">>): void {
    Object.assign(this, change);
    this.refusal = "";
    this.#soon();
  }

  #trials(): readonly Trial[] {
    const { subject } = this;
    const run = this.runs.findLast(
      (r) =>
        r.kind === "monitor" && r.timeline.transcript !== undefined && this.#agents().some((f) => f.name === r.name),
    );
    const examples =
      subject === null ? [] : subject.examples.flatMap((name) => this.files.filter((f) => f.name === name)).slice(0, 4);
    const [first] = examples;
    return [
      ...(run === undefined ? [] : [{ label: "the last run", take: () => this.#takeRun(run) }]),
      ...examples.map(({ name, text }) => ({
        label: name.slice(name.lastIndexOf("/") + 1),
        take: () => this.#try({ text, name }),
      })),
      ...(first === undefined ? [] : [{ label: "one with a mistake", take: () => void this.#mistake(first.text) }]),
    ];
  }

  #takeRun(run: Run): void {
    if (run.name !== this.#agent()?.name) this.#choose(run.name);
    this.#try({ text: run.timeline.transcript?.text ?? "", name: "" });
  }

  /** Puts a trace into the field, which gets the focus because the buttons disappear. */
  #try(trace: Trace): void {
    this.#take({ trace });
    this.querySelector<StileTraceField>("stile-trace-field")?.focus();
  }

  /** Makes a mistake in an example: removes the state nearest to its middle without which the agent rejects it,
   * or else repeats the example. */
  async #mistake(text: string): Promise<void> {
    const source = this.#agent()?.text ?? "";
    const ask = (text: string) => this.core.call("monitor.check", { source, text, format: "text", roles: {} });
    try {
      const { segments } = await ask(text);
      const middle = Math.floor(segments.length / 2);
      for (const i of [...segments.keys()]
        .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
        .slice(0, MAX_MISTAKES)) {
        const without = text.slice(0, segments[i]?.from) + text.slice(segments[i + 1]?.from ?? text.length);
        if ((await ask(without)).verdict !== "invalid") continue;
        this.#try({ text: without, name: "" });
        return;
      }
      this.#try({ text: text + text.slice(segments[0]?.from ?? 0), name: "" });
    } catch {
      // The agent's own diagnostics are shown with the agent.
    }
  }

  #reveal({ from, to }: TracePlace): void {
    this.querySelector<StileTraceField>("stile-trace-field")?.reveal(from, to);
  }

  // Check.

  #asked(agent: File): TraceCheck {
    const { trace, format, mapping, roles } = this;
    return {
      agent,
      formulas: this.subject?.formulas ?? [],
      others: this.subject?.others ?? [],
      text: trace.text,
      name: trace.name,
      format,
      mapping,
      roles,
    };
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.#check(),
      this.result === null ? 0 : this.trace.text.length > LONG_TRACE ? LONG_DELAY : CHECK_DELAY,
    );
  }

  async #check(): Promise<void> {
    clearTimeout(this.#timer);
    const { subject } = this;
    if (subject === null) void this.#look(); // it also starts the check
    if (subject === null || !subject.sound || this.trace.text.trim() === "" || this.trace.text.length > MAX_TRACE) {
      this.result = null;
      this.fault =
        this.trace.text.length > MAX_TRACE ? { message: tooLarge("This trace", this.trace.text.length) } : null;
      return;
    }
    if (this.working) return; // checked again at the end
    this.working = true;
    const asked = this.#asked(subject.file);
    try {
      this.result = { asked, subject, check: await this.core.call("monitor.check", checkParams(asked)) };
      this.fault = null;
    } catch (reason) {
      this.result = null;
      const place = reason instanceof CoreError && reason.code === "trace.json" ? reason.diagnostics[0] : undefined;
      this.fault = { message: reason instanceof Error ? reason.message : String(reason), ...(place && { place }) };
    }
    this.working = false;
    if (this.subject === null) return;
    const now = this.#asked(this.subject.file);
    if (
      now.text !== asked.text ||
      now.agent !== asked.agent ||
      now.format !== asked.format ||
      now.mapping !== asked.mapping ||
      now.roles !== asked.roles ||
      now.formulas !== asked.formulas ||
      now.others !== asked.others
    )
      void this.#check();
  }
}

/** Reports whether a file's formulas have errors, other than unknown names. */
function unreadable(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === "error");
}

function sameText(a: readonly File[], b: readonly File[]): boolean {
  return a.length === b.length && a.every((f) => b.some((g) => f.name === g.name && f.text === g.text));
}

customElements.define("stile-trace", StileTrace);
