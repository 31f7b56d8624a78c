import { html, nothing, type PropertyValues } from "lit";
import type { CoreClient } from "../core/core-client.js";
import { iconCheck, iconClose, iconMinus, iconWarning } from "../ui/icons.js";
import type { ApibankJudgeResult, ApibankMade, BenchRate } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Milliseconds without typing before calls are compared with the gold calls. */
const CHECK_DELAY = 300;

/** Compares calls with the gold calls of an API-Bank task: measures, and the verdict on each call with its reason. */
export class StileCalls extends LightElement {
  @prop core!: Pick<CoreClient, "call">;
  /** The benchmark's tasks, as stored. */
  @prop tasks!: string;
  @prop sample!: number;
  /** The calls as text. */
  @prop text = "";
  /** The calls of a run, instead of the text. */
  @prop calls: readonly ApibankMade[] = [];
  @prop response!: string;
  @state judged: ApibankJudgeResult | null = null;
  @state fault = "";

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): unknown {
    const { judged } = this;
    if (judged === null) return this.fault === "" ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`;
    const { scores, diagnostics } = judged;
    const wrong = scores.calls.filter((c) => !c.correct).length;
    return html` <section class="result" aria-labelledby="calls-title">
      <div class="result-head">
        <h3 id="calls-title">Measures</h3>
        <span class="pill ${scores.accurate ? "good" : "bad"}" data-accurate=${scores.accurate ? "yes" : "no"}
          >${scores.accurate ? "equal to the gold calls" : scores.calls.length === 0 ? "no call" : wrong > 0 ? `${count(wrong, "call")} wrong` : "differs from the gold calls"}</span
        >
      </div>
      <dl class="measures">
        ${measure("Correctness", scores.correctness, "calls")}
        ${measure("Completeness", scores.completeness, "gold calls")}
        <div data-measure="Repeats">
          <dt>Repeats</dt>
          <dd><strong>${scores.repeats}</strong><small class="hint">repeated</small></dd>
        </div>
        <div data-measure="ROUGE-L">
          <dt>ROUGE-L</dt>
          <dd>
            <strong>${percent(scores.rouge.f)}</strong
            ><meter min="0" max="1" value=${scores.rouge.f} aria-label="ROUGE-L"></meter
            ><small class="hint">of the answer</small>
          </dd>
        </div>
      </dl>
      ${
        diagnostics.length === 0
          ? nothing
          : html`<ul class="team-faults ending">
              ${diagnostics.map((d) => html`<li>${iconWarning} <span>Line ${d.line}: ${sentence(d.message)}</span></li>`)}
            </ul>`
      }
      <ol class="calls">
        ${scores.calls.map(
          (c, i) =>
            html` <li
              class=${c.correct ? (c.repeat ? "repeat" : "right") : "wrong"}
              data-call=${i + 1}
              data-verdict-of=${c.correct ? (c.repeat ? "repeat" : "correct") : "wrong"}
            >
              ${c.correct ? (c.repeat ? iconMinus : iconCheck) : iconClose}
              <div>
                <code>${c.call}</code>
                <p class="call-why">
                  ${c.correct ? `Gold call ${c.gold}${c.repeat ? ", repeated" : c.inPlace ? "" : ", in another order"}.` : sentence(c.why)}
                </p>
                ${
                  c.outcome.exception === null
                    ? html`<details class="fold">
                        <summary>Result<span class="visually-hidden">, call ${i + 1}</span></summary>
                        <pre class="prompt" tabindex="0">${shown(c.outcome.output)}</pre>
                      </details>`
                    : nothing
                }
              </div>
            </li>`,
        )}
      </ol>
      ${
        scores.missing.length === 0
          ? nothing
          : html` <div class="calls-missing">
              <h4>Not made</h4>
              <ul class="calls">
                ${scores.missing.map(
                  (m) =>
                    html`<li class="missing">
                      ${iconMinus}
                      <div><code>${m}</code></div>
                    </li>`,
                )}
              </ul>
            </div>`
      }
    </section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!(["tasks", "sample", "text", "calls", "response"] as const).some((name) => changed.has(name))) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), this.judged === null || changed.has("sample") ? 0 : CHECK_DELAY);
  }

  async #look(): Promise<void> {
    const number = ++this.#asked;
    const { tasks, sample, text, calls, response } = this;
    try {
      const judged = await this.core.call("apibank.judge", { tasks, sample, text, calls, response });
      if (number !== this.#asked) return;
      this.judged = judged;
      this.fault = "";
    } catch (reason) {
      if (number !== this.#asked) return;
      this.judged = null;
      this.fault = sentence(reason instanceof Error ? reason.message : String(reason));
    }
  }
}

function measure(name: string, rate: BenchRate, of: string): unknown {
  return html`<div data-measure=${name}>
    <dt>${name}</dt>
    <dd>
      <strong>${percent(rate.share)}</strong><meter min="0" max="1" value=${rate.share} aria-label=${name}></meter
      ><small class="hint">${rate.count} of ${rate.of} ${of}</small>
    </dd>
  </div>`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

/** Returns the tool calls in the events of a run. */
export function callsIn(events: readonly unknown[]): readonly ApibankMade[] {
  const out: ApibankMade[] = [];
  for (const event of events as readonly { readonly kind: string; readonly tool?: string; readonly input?: string }[]) {
    if (event.kind !== "monitor.tool" || event.tool === undefined) continue;
    let input: unknown;
    try {
      input = JSON.parse(event.input ?? "");
    } catch {
      // The call cannot be parsed; as text it is reported as invalid.
    }
    out.push(
      typeof input === "object" && input !== null
        ? { api_name: event.tool, input }
        : { text: `${event.tool}: ${event.input ?? ""}` },
    );
  }
  return out;
}

customElements.define("stile-calls", StileCalls);
