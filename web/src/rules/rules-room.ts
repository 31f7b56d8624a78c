import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type { File, TracedRule, TraceViolation, TriedEvent } from "../core/wire.js";
import { runEvents } from "../edit/language-service.js";
import { requestPlace } from "../edit/show-place.js";
import { messageOf } from "../store/faults.js";
import type { Playground } from "../store/playground.js";
import type { Run, State } from "../store/state.js";
import { iconOpen, iconWarning } from "../ui/icons.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { requestTest } from "../tests/request-test.js";
import { valueOf } from "../ui/form-input.js";
import { count, sentence } from "../ui/text.js";
import { EventList, eventText, linesOf, shownEvent } from "./event-list.js";
import { isLost, Judgement } from "./judge.js";
import { stateOf } from "./rule-states.js";
import "./rules-table.js";
import "./rules-timeline.js";
import "./server-tools.js";

/** Milliseconds without typing before the rules are applied again. */
const DELAY = 250;
/** The maximum number of events before the chosen one for which the next calls are tried automatically. */
const QUICK = 20_000;
/** The size, in characters, of the pieces in which a file is read. */
const PIECE = 1 << 18;
/** The number of lines that are added before the page may handle its own events. */
const BATCH = 1_000;
/** The maximum number of events of a test. */
const MAX_TEST = 1_000;
/** The number of events before and after the chosen one in which arguments of tools are looked up. */
const NEAR = 1_000;
/** The maximum size in bytes of a trace that is not one event per line, so that the core reads it in one call. */
const MAX_TRACE = 4 << 20;

interface Progress {
  readonly done: number;
  readonly of: number;
  readonly what: string;
}

/** A source of events that can fill the table. */
interface Source {
  readonly label: string;
  readonly fill: () => unknown;
}

/** The room of a .rules file: a table of events, the state of each rule after each, and the next calls. */
export class StileRulesRoom extends LightElement {
  @prop name = "";
  @prop text = "";
  @prop files: readonly File[] = [];
  @prop tests: State["tests"] = null;
  @prop run: Run | null = null;
  @prop core!: Pick<CoreClient, "call">;
  @prop playground!: Playground;
  @state cursor = -1;
  @state revision = 0;
  @state progress: Progress | null = null;
  @state fault = "";
  @state marked: readonly number[] = [];
  @state tried: {
    readonly at: number;
    readonly tools: readonly string[];
    readonly given: readonly string[];
    readonly list: readonly TriedEvent[];
  } | null = null;
  @state trying = { fields: "", time: "" };
  @state over = false;
  /** The label of the run that the table shows unchanged, or "". */
  @state source = "";

  readonly #events = new EventList();
  #judged: Judgement | null = null;
  #cursorTable: Judgement | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort: AbortController | null = null;
  #filled = "";
  #fresh = true;
  #drawn = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#judged?.stop();
    this.#cursorTable?.stop();
  }

  /** Fills the table with a session, an event on each line, to step through it. */
  show(lines: readonly string[]): void {
    this.#filled = this.name; // instead of the first test
    this.source = "";
    void this.#echo(lines);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("text") || changed.has("name")) this.#judgeSoon(changed.has("name") ? 0 : DELAY);
    if ((changed.has("tests") || changed.has("name")) && this.#events.length === 0 && this.#filled !== this.name) {
      const first = this.#testRuns()[0];
      if (first !== undefined) {
        this.#filled = this.name;
        this.#fillWith(first);
      }
    }
  }

  protected override render(): unknown {
    const judged = this.#judged;
    const rules = judged?.rules ?? [];
    return html`<section
      class="rules-room ${this.over ? "over" : ""}"
      aria-labelledby="rules-room-title"
      @dragover=${this.#drag}
      @dragleave=${() => (this.over = false)}
      @drop=${this.#drop}
    >
      <h2 id="rules-room-title">Events</h2>
      ${this.#sources()}
      <stile-server-tools .name=${this.name} .files=${this.files} .playground=${this.playground}></stile-server-tools>
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert">${iconWarning} <span>${sentence(this.fault)}</span></p>`}
      <div class="rules-status" role="status">${this.#status(rules)}</div>
      ${
        this.#events.length === 0
          ? html`<p class="empty">
              Add events to see the state of each rule after each event: open a trace, fill the table from a run, or
              type a call.
            </p>`
          : html`<stile-rules-timeline
                .events=${this.#events}
                .rules=${rules}
                .states=${judged?.states ?? []}
                .cursor=${this.cursor}
                .marked=${this.marked}
                .revision=${this.revision}
                @event-chosen=${this.#chosen}
              ></stile-rules-timeline>
              <stile-rules-table
                .events=${this.#events}
                .rules=${rules}
                .states=${judged?.states ?? []}
                .cursor=${this.cursor}
                .marked=${this.marked}
                .revision=${this.revision}
                @event-chosen=${this.#chosen}
              ></stile-rules-table>
              ${this.#legend()} ${this.#steps()} ${this.#details(rules)}`
      }
      ${this.#form()}
    </section>`;
  }

  // Sources of events.

  #sources(): unknown {
    const sources = this.#all();
    return html`<div class="row wrap">
      ${
        sources.length === 0
          ? nothing
          : html`<label class="field inline"
              ><span>Fill from</span>
              <select @change=${(e: Event) => this.#fillWith(sources[Number(valueOf(e))])}>
                <option value="-1" .selected=${this.source === ""}>choose a run</option>
                ${sources.map(({ label }, i) => html`<option value=${i} .selected=${label === this.source}>${label}</option>`)}
              </select></label
            >`
      }
      <button
        class="button small"
        type="button"
        @click=${() => this.querySelector<HTMLInputElement>(".rules-file")?.click()}
      >
        ${iconOpen} Open a trace
      </button>
      <input class="rules-file" type="file" hidden aria-label="Trace" @change=${this.#picked} />
      <button
        class="button small"
        type="button"
        ?disabled=${this.#events.length === 0}
        @click=${() => {
          this.source = "";
          this.#fill([]);
        }}
      >
        Clear
      </button>
      <button
        class="button small"
        type="button"
        title=${this.#events.length > MAX_TEST ? `A test has at most ${MAX_TEST.toLocaleString("en")} events.` : `The run with these events becomes a test of ${this.name}, with its current verdict.`}
        ?disabled=${this.#events.length === 0 || this.#events.length > MAX_TEST}
        @click=${() => void this.#addTest()}
      >
        Add as test
      </button>
    </div>`;
  }

  #fillWith(source: Source | undefined): void {
    this.source = source?.label ?? "";
    void source?.fill();
  }

  #all(): readonly Source[] {
    const out = [...this.#testRuns()];
    const events = runEvents(this.run);
    if (events.length > 0)
      out.push({ label: `the last run (${count(events.length, "event")})`, fill: () => this.#fill(events) });
    for (const { name, text } of this.files)
      if (name.endsWith(".jsonl")) out.push({ label: name, fill: () => this.#fillFrom(text) });
    const pasted =
      document.querySelector<HTMLElement & { readonly trace?: { readonly text: string } }>("stile-trace")?.trace
        ?.text ?? "";
    if (pasted !== "") out.push({ label: "the trace of the Trace tab", fill: () => this.#readTrace(pasted) });
    return out;
  }

  /** The runs in the tests of this file. */
  #testRuns(): readonly Source[] {
    return (this.tests?.cases ?? [])
      .filter((c) => c.form === "run" && c.spec === this.name)
      .map((c) => ({
        label: `test: ${c.label === "" ? `line ${c.line}` : c.label} (${c.expected})`,
        fill: () => {
          const lines = (this.files.find((f) => f.name === c.file)?.text ?? "").split("\n").slice(c.line);
          const end = lines.findIndex((line) => /^\S/.test(line));
          return this.#echo(linesOf((end < 0 ? lines : lines.slice(0, end)).join("\n")));
        },
      }));
  }

  /** Fills the table with events that are written as atoms or as JSON. */
  async #echo(lines: readonly string[], add = false): Promise<boolean> {
    try {
      const got = await this.core.call("rules.trace", { source: "", events: lines.join("\n"), echo: true });
      if (got.reason !== undefined) {
        this.fault = got.bad >= 0 ? `line ${got.bad + 1}: ${got.reason}` : got.reason;
        return false;
      }
      const read = (got.echo ?? []).map((event) => JSON.stringify(event));
      if (add) {
        this.source = "";
        this.#add(read);
      } else this.#fill(read);
      return true;
    } catch (fault) {
      this.fault = messageOf(fault);
      return false;
    }
  }

  #fill(lines: readonly string[]): void {
    this.#events.clear();
    this.cursor = -1;
    this.tried = null;
    this.fault = "";
    this.marked = [];
    this.#restart();
    this.#add(lines);
  }

  #add(lines: readonly string[]): void {
    this.#events.add(lines);
    this.revision++;
    if (this.cursor < 0 && this.#events.length > 0) this.cursor = Math.min(this.#events.length, 12) - 1;
    this.#judgeSoon(0);
  }

  #drag = (event: DragEvent): void => {
    event.preventDefault();
    this.over = event.dataTransfer?.types.includes("Files") === true;
  };

  #drop = (event: DragEvent): void => {
    this.over = false;
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the page would open it as a workspace
    void this.#open(file);
  };

  #picked = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (file !== undefined) void this.#open(file);
  };

  /** Reads a file: in pieces if each line is an event, otherwise by the core. */
  async #open(file: globalThis.File): Promise<void> {
    this.source = "";
    const head = await file.slice(0, 64 << 10).text();
    const line = linesOf(head)[0] ?? "";
    if (!isEventLine(line)) {
      if (file.size > MAX_TRACE)
        this.fault = "the trace has more than 4 MiB; only lines with an event each may be longer";
      else await this.#readTrace(await file.text());
      return;
    }
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.#fill([]);
    const decoder = new TextDecoder();
    let rest = "";
    for (let at = 0; at < file.size && !abort.signal.aborted; at += PIECE) {
      const bytes = await file.slice(at, at + PIECE).arrayBuffer();
      const text = rest + decoder.decode(bytes, { stream: at + PIECE < file.size });
      const cut = at + PIECE < file.size ? text.lastIndexOf("\n") + 1 : text.length;
      rest = text.slice(cut);
      const lines = linesOf(text.slice(0, cut));
      for (let i = 0; i < lines.length && !abort.signal.aborted; i += BATCH) {
        this.#events.add(lines.slice(i, i + BATCH));
        await turn();
      }
      this.progress = { done: Math.min(at + PIECE, file.size), of: file.size, what: "Reading" };
    }
    if (this.#abort === abort) this.#abort = null;
    this.progress = null;
    this.#add([]);
  }

  #fillFrom(text: string): unknown {
    const lines = linesOf(text);
    return isEventLine(lines[0] ?? "") ? this.#fill(lines) : this.#readTrace(text);
  }

  /** Reads a trace in a format that the core knows. */
  async #readTrace(text: string): Promise<void> {
    try {
      const got = await this.core.call("trace.read", { text });
      const runs = got.runs as readonly { readonly events: readonly unknown[] }[];
      this.#fill((runs[0]?.events ?? []).map((event) => JSON.stringify(event)));
      if (runs.length > 1) this.fault = `the trace has ${runs.length} runs; the table shows only the first`;
      else if (got.unread.length > 0) this.fault = `${count(got.unread.length, "part")} of the trace could not be read`;
    } catch (fault) {
      this.fault = messageOf(fault);
    }
  }

  /** Requests that the run of the table becomes a test of the rules. */
  async #addTest(): Promise<void> {
    try {
      const { text, reason } = await this.core.call("rules.trace", {
        source: "",
        events: this.#events.lines.join("\n"),
        write: true,
      });
      if (reason !== undefined) this.fault = reason;
      else requestTest(this, { spec: this.name, form: "run", text: text ?? "" });
    } catch (fault) {
      this.fault = messageOf(fault);
    }
  }

  // Judging.

  #restart(): void {
    this.#judged?.stop();
    this.#cursorTable?.stop();
    this.#judged = this.#cursorTable = null;
    this.#fresh = true;
  }

  #judgeSoon(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#judged !== null && this.#judged.source !== this.text) this.#restart();
    this.#timer = setTimeout(() => void this.#judge(), delay);
  }

  /** Judges the events that were not judged yet. */
  async #judge(again = true): Promise<void> {
    const fresh = this.#judged === null || this.#fresh;
    if (fresh) this.#judged?.stop();
    const judged = fresh ? new Judgement(this.text, this.core) : (this.#judged as Judgement);
    this.#judged = judged;
    this.#fresh = false;
    const of = this.#events.length;
    try {
      const done = await judged.upTo(this.#events.lines, of, [], () => {
        if (judged.states.length >= of || performance.now() - this.#drawn > 150) {
          this.#drawn = performance.now();
          this.progress =
            judged.states.length < of && judged.reason === ""
              ? { done: judged.states.length, of, what: "Judging" }
              : null;
          this.revision++;
        }
      });
      if (!done) return;
      this.progress = null;
      if (judged.reason !== "") this.fault = judged.reason;
      this.#mark();
      this.#trySoon();
      this.requestUpdate();
    } catch (fault) {
      if (judged.stopped) return;
      this.progress = null;
      if (isLost(fault) && again) {
        this.#restart();
        await this.#judge(false);
      } else this.fault = messageOf(fault);
    }
  }

  #cancel = (): void => {
    this.#abort?.abort();
    this.#judged?.stop();
    this.#fresh = true;
    this.progress = null;
  };

  #status(rules: readonly TracedRule[]): unknown {
    const { progress } = this;
    if (progress !== null)
      return html`<div class="row wrap">
        <progress aria-label=${progress.what} max=${progress.of} .value=${progress.done}></progress>
        <span>${progress.what}: ${Math.floor((100 * progress.done) / Math.max(1, progress.of))} %</span>
        <button class="button small" type="button" @click=${this.#cancel}>Cancel</button>
      </div>`;
    const judged = this.#judged;
    if (judged === null || rules.length === 0 || this.#events.length === 0) return nothing;
    const of = (verdict: string): number => rules.filter((r) => r.verdict === verdict).length;
    const parts = ["violated", "fault", "holds", "untriggered"].filter((v) => of(v) > 0).map((v) => `${of(v)} ${v}`);
    const all = judged.violations.length + judged.more;
    return html`<p>
      ${count(this.#events.length, "event")}; rules: ${parts.join(", ")}.
      ${
        all === 0
          ? nothing
          : html`<button class="button small" type="button" @click=${() => this.#toViolation(-1)}>‹ Violation</button>
              <button class="button small" type="button" @click=${() => this.#toViolation(1)}>Violation ›</button>
              <span class="hint"
                >${count(all, "violation")}${judged.more > 0 ? `, the first ${judged.violations.length} are explained` : ""}</span
              >`
      }
      ${judged.states.length < this.#events.length && judged.reason === "" ? html`<button class="button small" type="button" @click=${() => this.#judgeSoon(0)}>Judge all</button>` : nothing}
    </p>`;
  }

  #toViolation(step: 1 | -1): void {
    const events = [...new Set(this.#judged?.violations.map((v) => v.event))];
    const next = step > 0 ? events.find((e) => e > this.cursor) : events.findLast((e) => e < this.cursor);
    if (next !== undefined) this.#choose(next);
  }

  // The chosen event.

  #chosen = (event: CustomEvent<number>): void => this.#choose(event.detail);

  #choose(at: number): void {
    this.cursor = Math.max(0, Math.min(this.#events.length - 1, at));
    this.tried = null;
    this.#mark();
    this.#trySoon();
  }

  #violations(): readonly TraceViolation[] {
    return this.#judged?.violations.filter((v) => v.event === this.cursor) ?? [];
  }

  #mark(): void {
    this.marked = this.#violations().flatMap((v) => v.witnesses);
  }

  #steps(): unknown {
    const last = this.#events.length - 1;
    const button = (label: string, sign: string, to: number, off: boolean): unknown =>
      html`<button
        class="icon-button small"
        type="button"
        title=${label}
        aria-label=${label}
        ?disabled=${off}
        @click=${() => this.#choose(to)}
      >
        ${sign}
      </button>`;
    return html`<div class="row wrap rules-steps" role="group" aria-label="Chosen event">
      ${button("First event", "«", 0, this.cursor <= 0)}
      ${button("One event back", "‹", this.cursor - 1, this.cursor <= 0)}
      <output class="hint">event ${this.cursor} of ${last}</output>
      ${button("One event forward", "›", this.cursor + 1, this.cursor >= last)}
      ${button("Last event", "»", last, this.cursor >= last)}
      <button class="button small" type="button" @click=${this.#removeChosen}>Remove event ${this.cursor}</button>
    </div>`;
  }

  #removeChosen = (): void => {
    this.#events.remove(this.cursor);
    this.source = "";
    this.cursor = Math.min(this.cursor, this.#events.length - 1);
    this.fault = "";
    this.revision++;
    this.#restart();
    this.#judgeSoon(0);
  };

  #legend(): unknown {
    return html`<p class="hint rules-legend">
      ${["H", "h", "u", "p", "V", "v", "f"].map((letter) => {
        const { sign, text, tone } = stateOf(letter);
        return html`<span><span class="rules-cell tone-${tone}" aria-hidden="true">${sign}</span> ${text}</span> `;
      })}
    </p>`;
  }

  #details(rules: readonly TracedRule[]): unknown {
    if (this.cursor < 0) return nothing;
    const event = this.#events.at(this.cursor);
    const violations = this.#violations();
    return html`<section class="rules-details" aria-labelledby="rules-event-title">
      <h3 id="rules-event-title">Event ${this.cursor}</h3>
      <pre tabindex="0" class="rules-json">${this.#events.lines[this.cursor]}</pre>
      ${event === null ? nothing : violations.map((v) => this.#violation(rules, v))} ${this.#next(rules)}
    </section>`;
  }

  #violation(rules: readonly TracedRule[], v: TraceViolation): unknown {
    const rule = rules[v.rule];
    const bindings = Object.entries(v.bindings);
    return html`<div class="violation" data-rule=${rule?.name ?? ""}>
      ${iconWarning}
      <div>
        <p>
          <strong>Violates</strong>
          <button class="link" type="button" @click=${() => this.#show(rule?.from ?? 0, rule?.to ?? 0)}>
            ${rule?.name}</button
          >, which requires <code>${v.requirement}</code>
        </p>
        <p>
          False here:
          <button class="link" type="button" @click=${() => this.#show(v.from, v.to)}>
            <code>${this.#judged?.source.slice(v.from, v.to)}</code>
          </button>
        </p>
        ${
          bindings.length === 0
            ? nothing
            : html`<dl class="rules-bindings">
                ${bindings.map(
                  ([name, value]) =>
                    html`<div>
                      <dt><code>${name}</code></dt>
                      <dd><code>${JSON.stringify(value)}</code></dd>
                    </div>`,
                )}
              </dl>`
        }
        ${
          v.witnesses.length === 0
            ? html`<p class="hint">No earlier event satisfies any part of the rule.</p>`
            : html`<p>
                Earlier events:
                ${v.witnesses.slice(0, 10).map((at) => html`<button class="link" type="button" @click=${() => this.#choose(at)}>${at}: ${short(eventText(this.#events.at(at) ?? shownEvent("{}", at) ?? emptyEvent))}</button> `)}
              </p>`
        }
      </div>
    </div>`;
  }

  #show(from: number, to: number): void {
    if (this.#judged?.source === this.text) requestPlace(this, { name: this.name, from, to });
  }

  // The next calls.

  /** The tools that the rules or the events name. */
  #tools(): readonly string[] {
    const out = new Set<string>();
    for (const rule of this.#judged?.rules ?? []) for (const tool of rule.tools) out.add(tool);
    for (let i = 0; i < Math.min(this.#events.length, 500); i++) {
      const event = this.#events.at(i);
      if (event?.kind === "call" && event.name !== "") out.add(event.name);
    }
    return [...out].slice(0, 60);
  }

  #trySoon(): void {
    if (this.cursor >= 0 && this.cursor < QUICK) void this.#try();
  }

  /** Tries a call of each tool after the chosen event. */
  async #try(again = true): Promise<void> {
    const at = this.cursor;
    const tools = this.#tools();
    const { fields, time } = this.trying;
    if (tools.length === 0 || at >= (this.#judged?.states.length ?? 0)) return;
    try {
      if (fields !== "") JSON.parse(fields);
    } catch {
      this.tried = null;
      return;
    }
    const seconds = time !== "" && Number.isFinite(Number(time)) ? time : String(this.#events.times[at] ?? 0);
    const used = fields === "" ? this.#arguments(at) : new Map<string, string>();
    const given = (tool: string): string => (fields === "" ? (used.get(tool) ?? "{}") : fields.replaceAll("\n", " "));
    const calls = tools.map(
      (tool) => `{"kind":"call","name":${JSON.stringify(tool)},"fields":${given(tool)},"time":${seconds}}`,
    );
    if (
      this.#cursorTable === null ||
      this.#cursorTable.states.length > at + 1 ||
      this.#cursorTable.source !== this.text
    ) {
      this.#cursorTable?.stop();
      this.#cursorTable = new Judgement(this.text, this.core);
    }
    const table = this.#cursorTable;
    try {
      const done = await table.upTo(this.#events.lines, at + 1, calls);
      if (!done || this.cursor !== at || table !== this.#cursorTable) return;
      this.tried = { at, tools, given: tools.map(given), list: table.tried };
    } catch (fault) {
      if (table.stopped) return;
      this.#cursorTable = null;
      if (isLost(fault) && again) await this.#try(false);
      else this.fault = messageOf(fault);
    }
  }

  /** Maps each tool to the arguments of its last call up to an event, or else of its next call. */
  #arguments(at: number): ReadonlyMap<string, string> {
    const out = new Map<string, string>();
    const add = (i: number): void => {
      const event = this.#events.at(i);
      if (event?.kind === "call" && !out.has(event.name))
        out.set(event.name, event.fields === "" ? "{}" : event.fields);
    };
    for (let i = at; i >= Math.max(0, at - NEAR); i--) add(i);
    for (let i = at + 1; i < Math.min(this.#events.length, at + NEAR); i++) add(i);
    return out;
  }

  #next(rules: readonly TracedRule[]): unknown {
    const { tried } = this;
    const now = this.#events.times[this.cursor] ?? 0;
    return html`<h4>Next call</h4>
      <div class="row wrap rules-try">
        <label class="field inline"
          ><span>with arguments</span
          ><input
            type="text"
            class="rules-arguments"
            placeholder="arguments of the tool’s last call"
            spellcheck="false"
            autocomplete="off"
            .value=${this.trying.fields}
            @input=${(e: Event) => this.#attempt({ fields: valueOf(e) })}
        /></label>
        <label class="field inline narrow"
          ><span>at second</span
          ><input
            type="text"
            inputmode="decimal"
            autocomplete="off"
            placeholder=${now}
            .value=${this.trying.time}
            @input=${(e: Event) => this.#attempt({ time: valueOf(e) })}
        /></label>
        <button
          class="button small"
          type="button"
          title="The arguments of event ${this.cursor}"
          @click=${() => this.#attempt({ fields: this.#events.at(this.cursor)?.fields ?? "{}" })}
        >
          Use the event’s arguments
        </button>
      </div>
      ${
        tried === null || tried.at !== this.cursor
          ? this.cursor >= QUICK
            ? html`<button class="button small" type="button" @click=${() => void this.#try()}>
                Try the tools here
              </button>`
            : html`<p class="hint">Write the arguments as a JSON object.</p>`
          : html`<table class="plain rules-tried">
              <caption class="visually-hidden">
                Calls after event ${tried.at}
              </caption>
              <thead>
                <tr>
                  <th scope="col">Call</th>
                  <th scope="col">Verdict</th>
                  <th scope="col">Reason</th>
                </tr>
              </thead>
              <tbody>
                ${tried.tools.map((tool, i) => {
                  const t = tried.list[i];
                  if (t === undefined) return nothing;
                  return html`<tr>
                    <th scope="row"><code>${tool} ${short(tried.given[i] ?? "")}</code></th>
                    <td><span class="pill ${t.allowed ? "good" : "bad"}">${t.allowed ? "allowed" : "denied"}</span></td>
                    <td>
                      ${t.violations.slice(0, 5).map((v) => html`<div><button class="link" type="button" @click=${() => this.#show(v.from, v.to)}>${rules[v.rule]?.name}</button> requires <code>${v.requirement}</code></div>`)}
                      ${t.faults.map((name) => html`<div>${name} cannot be judged</div>`)}${t.reason === undefined ? nothing : sentence(t.reason)}
                    </td>
                  </tr>`;
                })}
              </tbody>
            </table>`
      }`;
  }

  #attempt(change: Partial<StileRulesRoom["trying"]>): void {
    this.trying = { ...this.trying, ...change };
    this.tried = null;
    this.#trySoon();
  }

  // New events.

  #form(): unknown {
    return html`<form class="rules-form" @submit=${this.#submit} aria-label="Add an event">
        <label class="field"
          ><span>Kind</span>
          <select name="kind">
            ${["call", "result", "error", "message", "end"].map((kind) => html`<option>${kind}</option>`)}
          </select></label
        >
        <label class="field"
          ><span>Name</span><input name="name" type="text" autocomplete="off" spellcheck="false" placeholder="refund"
        /></label>
        <label class="field wide"
          ><span>Fields</span
          ><input name="fields" type="text" autocomplete="off" spellcheck="false" placeholder='{"order": 7}'
        /></label>
        <label class="field"
          ><span>Time</span><input name="time" type="text" inputmode="decimal" autocomplete="off" placeholder="seconds"
        /></label>
        <button class="button" type="submit">Add event</button>
      </form>
      <details class="rules-paste">
        <summary>Paste events</summary>
        <form @submit=${this.#paste}>
          <label class="field"
            ><span>One event per line, in the notation of tests or in JSON</span
            ><textarea
              name="events"
              rows="4"
              spellcheck="false"
              placeholder=${"approve(order: 7, limit: 50)\nrefund(order: 7, amount: 60, @time: 20)"}
            ></textarea>
          </label>
          <button class="button small" type="submit">Add these events</button>
        </form>
      </details>`;
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const of = (name: string): string => new FormData(form).get(name)?.toString().trim() ?? "";
    const [fields, time] = [of("fields") || "{}", of("time") || String(this.#events.times.at(-1) ?? 0)];
    this.fault = "";
    const line = `{"kind":${JSON.stringify(of("kind"))},"name":${JSON.stringify(of("name"))},"fields":${fields},"time":${time}}`;
    if (!(await this.#echo([line], true))) return;
    this.#choose(this.#events.length - 1);
    form.querySelector<HTMLInputElement>("[name=fields]")?.focus();
  };

  #paste = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).querySelector("textarea");
    this.fault = "";
    if (field !== null && (await this.#echo(linesOf(field.value), true))) field.value = "";
  };
}

const emptyEvent = { kind: "call", name: "", fields: "", agent: "", time: 0 };

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Reports whether a line is an event in JSON. */
function isEventLine(line: string): boolean {
  try {
    const value = JSON.parse(line) as Readonly<Record<string, unknown>> | null;
    const kinds: readonly unknown[] = [undefined, "call", "result", "error", "message", "end"];
    return value !== null && typeof value["name"] === "string" && kinds.includes(value["kind"]) && !("role" in value);
  } catch {
    return false;
  }
}

/** Lets the page draw and handle its events. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

customElements.define("stile-rules-room", StileRulesRoom);
