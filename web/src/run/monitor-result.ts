import { html, nothing, svg } from "lit";
import type { MonitorStats, Transcript } from "./events.js";
import { requestTest } from "../tests/request-test.js";
import { count } from "../ui/text.js";
import "../ui/copy-button.js";
import { clip } from "./choices.js";
import { ruleReports } from "./run-rules.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The result of an agent's run: its answer, the votes, and the cost of the corrections. */
export class StileMonitorResult extends LightElement {
  @prop transcript: Transcript | null = null;
  /** The agent's file. */
  @prop spec = "";
  /** Whether the run itself is the baseline, with one call per state. */
  @prop eager = false;

  protected override render(): unknown {
    const { transcript } = this;
    if (transcript === null) return nothing;
    const { answer, verdict, stats, text } = transcript;
    return html` <section class="result" aria-labelledby="trace-title">
      <div class="result-head">
        <h2 id="trace-title">The answer</h2>
        <span
          class="pill ${verdict === "valid" ? "good" : verdict === "incomplete" ? "" : "bad"}"
          data-verdict=${verdict}
          >${verdict}</span
        >
        <span class="hint">${said(stats, transcript.rules ?? [])}</span>
        <stile-copy-button .text=${text} .what=${"the transcript"} .label=${"Transcript"}></stile-copy-button>
        <button
          class="button small"
          type="button"
          @click=${() => requestTest(this, { spec: this.spec, form: "run", text })}
        >
          Add as test
        </button>
      </div>
      <p class="answer ${answer === "" ? "hint" : ""}">${answer === "" ? "The run ends without an answer." : answer}</p>
      ${transcript.refusal === true ? html`<p class="tone-warning">The answer reads like a refusal.</p>` : nothing}
      ${(transcript.properties ?? []).filter((p) => !p.holds).map(({ name, reason, fault }) => html`<p class="tone-error">The property <strong>${name}</strong> ${fault === undefined ? "does not hold" : `cannot be judged: ${fault}`}.${reason === undefined ? nothing : ` ${reason}`}</p>`)}
      ${ruleReports(transcript.rules)} ${this.#votes(transcript)}
      <div class="result-body">${this.#cost(stats)} ${tokens(stats)}</div>
    </section>`;
  }

  #votes({ votes, samples, tied, fellBack, agent }: Transcript): unknown {
    if (samples === undefined || samples.length === 0) return nothing;
    return html` <div class="votes">
      <p>
        ${fellBack === true ? html`No answer occurred twice, so <strong>${agent ?? "another agent"}</strong> gave this one.` : (votes?.[0]?.count ?? 0) > 1 && tied !== undefined ? html`A tie: ${count(tied, "answer")} have ${votes?.[0]?.count} votes each; this is the first.` : (votes?.[0]?.count ?? 0) > 1 ? html`The most frequent answer of ${count(samples.length, "run")}.` : html`No two of ${count(samples.length, "run")} agree; this is the first answer.`}
      </p>
      <table class="plain ${fellBack === true ? "" : "won"}">
        <caption class="visually-hidden">
          Answers with the number of runs
        </caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Answer</th>
            <th scope="col">Runs</th>
          </tr>
        </thead>
        <tbody>
          ${(votes ?? []).map(
            (vote) =>
              html` <tr>
                <th scope="row"><span>${vote.answer === "" ? "no answer" : clip(vote.answer)}</span></th>
                <td>
                  <meter
                    min="0"
                    max=${samples.length}
                    value=${vote.count}
                    aria-label="${vote.count} of ${samples.length} runs"
                  ></meter>
                  ${vote.count}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** Compares the run with one call per state. */
  #cost({ calls, cost }: MonitorStats): unknown {
    const run = cost.prompt + cost.completion;
    const eager = cost.eagerPrompt + cost.eagerCompletion;
    if (cost.eagerCalls === 0 || this.eager) {
      return html`<div class="form costs">
        <div class="form-head"><h3>Cost</h3></div>
        ${costTable([{ name: "This run", calls, prompt: cost.prompt, completion: cost.completion }], run)}
      </div>`;
    }
    return html` <div class="form costs">
      <div class="form-head"><h3>Cost</h3></div>
      ${costTable(
        [
          { name: "This run", calls, prompt: cost.prompt, completion: cost.completion },
          {
            name: "One call per state",
            calls: cost.eagerCalls,
            prompt: cost.eagerPrompt,
            completion: cost.eagerCompletion,
          },
        ],
        Math.max(run, eager),
      )}
      <p class="hint">${compared(run, eager)} Both numbers of tokens are estimated in the same way.</p>
    </div>`;
  }
}

interface Row {
  readonly name: string;
  readonly calls: number;
  readonly prompt: number;
  readonly completion: number;
}

function costTable(rows: readonly Row[], most: number): unknown {
  return html` <table class="plain cost">
    <caption class="visually-hidden">
      Calls and tokens of the model
    </caption>
    <thead>
      <tr>
        <td></td>
        <th scope="col">Calls</th>
        <th scope="col">Sent</th>
        <th scope="col">Written</th>
        <th scope="col">Total tokens</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ name, calls, prompt, completion }) =>
          html` <tr>
            <th scope="row">${name}</th>
            <td>${number(calls)}</td>
            <td>${number(prompt)}</td>
            <td>${number(completion)}</td>
            <td class="share">
              <meter
                min="0"
                max=${Math.max(most, 1)}
                value=${prompt + completion}
                aria-label="${number(prompt + completion)} tokens"
              ></meter>
              ${number(prompt + completion)}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function compared(run: number, eager: number): string {
  if (run === 0 || eager === 0) return "";
  const times = eager / run;
  if (times >= 1.05)
    return `Eager enforcement (one call per state) would have used ${times.toFixed(1)} times as many tokens.`;
  return times <= 0.95
    ? `The corrections used ${(1 / times).toFixed(1)} times as many tokens as eager enforcement (one call per state).`
    : "Eager enforcement (one call per state) would have used about as many tokens.";
}

/** Lists the origins of the text. */
function tokens(s: MonitorStats): unknown {
  const parts = [
    { name: "kept unchanged", n: Math.max(s.tokensKept - s.tokensRegenerated, 0), kind: "kept" },
    { name: "rewritten after a correction", n: s.tokensRegenerated, kind: "rewritten" },
    { name: "given by the monitor", n: s.tokensGiven, kind: "given" },
    { name: "discarded", n: s.tokensDiscarded, kind: "discarded" },
  ];
  const there = parts.filter((part) => part.n > 0);
  const all = parts.reduce((sum, part) => sum + part.n, 0);
  if (all === 0) return nothing;
  let x = 0;
  return html` <div class="form">
    <div class="form-head"><h3>Origin of the text</h3></div>
    <svg class="words" viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true">
      ${there.map(({ n, kind }) => {
        const width = (1000 * n) / all;
        const rect = svg`<rect class=${kind} x=${x} y="0" width=${Math.max(width - 3, 1)} height="16"></rect>`;
        x += width;
        return rect;
      })}
    </svg>
    <dl class="words-list">
      ${there.map(
        ({ name, n, kind }) =>
          html`<div>
            <dt><span class="swatch ${kind}"></span>${name}</dt>
            <dd>${number(n)}</dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

/** Summarises the corrections. */
function said(s: MonitorStats, rules: NonNullable<Transcript["rules"]>): string {
  const denied = rules.filter((rule) => rule.denied > 0).length;
  return [
    s.violations === 0 ? "never stopped" : `stopped ${s.violations === 1 ? "once" : `${s.violations} times`}`,
    ...(s.corrections > 0
      ? [
          `corrected ${s.corrections === 1 ? "once" : `${s.corrections} times`}${s.forced > 0 ? `, ${s.forced} of them with a full prompt` : ""}`,
        ]
      : []),
    ...(denied > 0 ? [`calls denied by ${count(denied, "rule")}`] : []),
    ...(s.toolCalls > 0 ? [count(s.toolCalls, "tool call")] : []),
    ...(s.sideCalls > 0 ? [`${count(s.sideCalls, "call")} for the environment (${number(s.sideTokens)} tokens)`] : []),
  ].join(" · ");
}

function number(n: number): string {
  return n.toLocaleString("en");
}

customElements.define("stile-monitor-result", StileMonitorResult);
