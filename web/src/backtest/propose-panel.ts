import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import type {
  BacktestPart,
  File,
  InferProperty,
  InferQuestion,
  InferRun,
  InferSpecResult,
  InferUnread,
} from "../core/wire.js";
import { messageOf } from "../store/faults.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import { sentence } from "../ui/text.js";
import { type LinesAreRuns, partsOf } from "./part-reader.js";

/** The maximum number of characters of one call. */
const BATCH = 256 << 10;
/** The maximum number of questions that are shown at once. */
const QUESTIONS = 5;
/** The maximum number of runs that are read: more need too much memory for one call, and add little. */
const MAX_RUNS = 5_000;

/** A specification that recorded runs satisfy: a person decides on its questions and formulas. */
export class StilePropose extends LightElement {
  @prop sources: readonly globalThis.File[] = [];
  @prop files: readonly File[] = [];
  @prop core!: Pick<CoreClient, "call">;
  @prop linesAreRuns!: LinesAreRuns;
  /** The format of the traces, or the description of the format; "" if the core detects the format. */
  @prop format = "";
  @state runs: readonly InferRun[] = [];
  @state unread: readonly InferUnread[] = [];
  @state spec: InferSpecResult | null = null;
  @state questions: readonly InferQuestion[] = [];
  @state properties: readonly InferProperty[] = [];
  @state chosen: ReadonlySet<string> = new Set();
  @state working = false;
  @state fault = "";
  @state added: readonly string[] = [];

  #accept: readonly (readonly string[])[] = [];
  #refuse: readonly (readonly string[])[] = [];
  #outcome = "";
  #call = 0;

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("sources")) void this.#read();
  }

  protected override render(): unknown {
    return html`<section class="verify-part propose" aria-labelledby="propose-title">
      <h3 id="propose-title">A specification from these runs</h3>
      <form class="row wrap" @submit=${this.#submit}>
        <label class="field"
          ><span>Member with the outcome</span>
          <input name="outcome" placeholder="such as reward; empty: all runs pass" .value=${this.#outcome} />
        </label>
        <button class="button small" type="submit">Propose again</button>
      </form>
      ${this.fault === "" ? nothing : html`<p class="fault" role="alert"><span>${sentence(this.fault)}</span></p>`}
      <div role="status" aria-busy=${this.working}>${this.#summary()}</div>
      ${this.spec === null ? nothing : html`${this.#agent(this.spec)} ${this.#asked()} ${this.#formulas()} ${this.#end()}`}
    </section>`;
  }

  #summary(): unknown {
    if (this.working)
      return html`<p class="hint">
        <span class="spinner" aria-hidden="true"></span> Learning from ${this.runs.length} runs…
      </p>`;
    if (this.spec === null) return nothing;
    const failing = this.runs.filter((r) => r.failed === true).length;
    return html`<p data-proposal>
      ${this.spec.states} states from ${this.runs.length - failing} passing and ${failing}
      failing${" "}runs.${this.unread.length === 0 ? "" : ` ${this.unread.length} runs could not be read: ${this.unread[0]?.reason}.`}
    </p>`;
  }

  #agent(spec: InferSpecResult): unknown {
    return html`<ul class="hint backtest-coverage">
        ${spec.remarks.map((r) => html`<li>${r}</li>`)}
      </ul>
      <details>
        <summary>The agent</summary>
        <pre class="export-text" tabindex="0" aria-label="The proposed agent">${spec.text}</pre>
      </details>`;
  }

  #asked(): unknown {
    const decided = this.#accept.length + this.#refuse.length;
    if (this.questions.length === 0 && decided === 0) return nothing;
    return html`<h4 id="propose-questions">Runs to classify</h4>
      <p class="hint">
        The shortest runs that this agent allows and a stricter agent rejects.
        ${decided === 0 ? nothing : html`<span data-decided>${decided} decided.</span>`}
      </p>
      <ul class="backtest-runs" aria-labelledby="propose-questions">
        ${this.questions.map(
          (q) =>
            html`<li>
              <code>${q.steps.join(" ")}</code>
              <span class="hint">${q.left ? "accepted" : "rejected"} by this agent</span>
              <button
                class="button small"
                type="button"
                ?disabled=${this.working}
                @click=${() => this.#decide(q, true)}
              >
                Accept
              </button>
              <button
                class="button small"
                type="button"
                ?disabled=${this.working}
                @click=${() => this.#decide(q, false)}
              >
                Reject
              </button>
            </li>`,
        )}
      </ul>`;
  }

  #formulas(): unknown {
    if (this.properties.length === 0)
      return html`<p class="hint">No formula that holds on all passing runs rejects another run.</p>`;
    return html`<h4 id="propose-formulas">Formulas</h4>
      <ul class="backtest-runs propose-formulas" aria-labelledby="propose-formulas">
        ${this.properties.map(
          (p) =>
            html`<li>
              <label class="check"
                ><input type="checkbox" .checked=${this.chosen.has(p.name)} @change=${() => this.#choose(p.name)} />
                <span>${p.sentence === "" ? p.name : p.sentence}</span></label
              >
              <span class="hint"
                >${p.for.number} for · ${p.against.number}
                against${p.rejects.number === 0 ? "" : ` · rejects ${p.rejects.number} failing`}</span
              >
              <code class="backtest-reason">${p.formula}</code>
            </li>`,
        )}
      </ul>`;
  }

  #end(): unknown {
    return html`<div class="row wrap">
      <button class="button primary" type="button" ?disabled=${this.working} @click=${this.#add}>
        Add to the workspace
      </button>
      ${this.added.length === 0 ? nothing : html`<span role="status">Added ${this.added.join(" and ")}.</span>`}
    </div>`;
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#outcome = String(new FormData(event.target as HTMLFormElement).get("outcome")).trim();
    void this.#read();
  };

  #choose(name: string): void {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(name)) chosen.add(name);
    this.chosen = chosen;
  }

  #decide({ steps }: InferQuestion, accept: boolean): void {
    if (accept) this.#accept = [...this.#accept, steps];
    else this.#refuse = [...this.#refuse, steps];
    void this.#work(() => this.#propose());
  }

  /** Reads the sources and proposes a specification. */
  async #read(): Promise<void> {
    this.#accept = [];
    this.#refuse = [];
    this.spec = null;
    await this.#work(async (current) => {
      const runs: InferRun[] = [];
      const unread: InferUnread[] = [];
      let traces: BacktestPart[] = [];
      let size = 0;
      const flush = async (): Promise<void> => {
        const got = await this.core.call("infer.runs", {
          traces,
          format: this.format,
          ...(this.#outcome !== "" && { outcome: this.#outcome }),
        });
        runs.push(...got.runs.slice(0, MAX_RUNS - runs.length));
        unread.push(...got.unread);
        traces = [];
        size = 0;
        if (current()) this.runs = runs;
      };
      for (const source of this.sources)
        for await (const part of partsOf(source, this.linesAreRuns)) {
          traces.push(part);
          size += part.text.length;
          if (size >= BATCH) await flush();
          if (!current() || runs.length >= MAX_RUNS) break;
        }
      if (traces.length > 0) await flush();
      if (!current()) return;
      this.runs = [...runs];
      this.unread = unread;
      const found = await this.core.call("infer.properties", { runs: this.runs });
      if (!current()) return;
      this.properties = found.properties;
      this.chosen = new Set(found.properties.filter((p) => p.chosen).map((p) => p.name));
      await this.#propose();
    });
  }

  /** Proposes an agent from the runs and the decisions, and asks about a stricter one. */
  async #propose(): Promise<void> {
    const call = this.#call;
    const params = {
      runs: this.runs,
      accept: this.#accept,
      refuse: this.#refuse,
      name: this.#names()[0].replace(/\.agent$/, ""),
    };
    const spec = await this.core.call("infer.spec", params);
    const strict = await this.core.call("infer.spec", { ...params, strict: true });
    const { questions } = await this.core.call("infer.ask", { left: spec.text, right: strict.text });
    if (call !== this.#call) return;
    const decided = new Set([...this.#accept, ...this.#refuse].map((steps) => steps.join(" ")));
    this.spec = spec;
    this.questions = questions.filter((q) => !decided.has(q.steps.join(" "))).slice(0, QUESTIONS);
  }

  /** Performs work whose result is dropped if a later call replaces it. */
  async #work(act: (current: () => boolean) => Promise<void>): Promise<void> {
    const call = ++this.#call;
    this.working = true;
    this.fault = "";
    this.added = [];
    try {
      await act(() => call === this.#call && this.isConnected);
    } catch (reason) {
      if (call === this.#call) this.fault = messageOf(reason);
    } finally {
      if (call === this.#call) this.working = false;
    }
  }

  /** Returns two names for new files that no file of the workspace has. */
  #names(): readonly [string, string] {
    for (let n = 1; ; n++) {
      const base = n === 1 ? "learned" : `learned-${n}`;
      if (!this.files.some((f) => f.name === `${base}.agent` || f.name === `${base}.ltl`))
        return [`${base}.agent`, `${base}.ltl`];
    }
  }

  #add = (): void => {
    if (this.spec === null) return;
    const [agent, formulas] = this.#names();
    const text = this.properties
      .filter((p) => this.chosen.has(p.name))
      .map((p) => p.text)
      .join("\n");
    if (text !== "") this.emit<File>("file-requested", { name: formulas, text });
    this.emit<File>("file-requested", { name: agent, text: this.spec.text });
    this.added = text === "" ? [agent] : [agent, formulas];
  };
}

customElements.define("stile-propose", StilePropose);
