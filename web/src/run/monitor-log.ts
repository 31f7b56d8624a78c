import { html, nothing } from "lit";
import type {
  MonitorKeep,
  MonitorSampleEnd,
  MonitorSegment,
  MonitorSide,
  MonitorTool,
  RuleEvent,
  Transcript,
} from "./events.js";
import { hueOf } from "./state-hue.js";
import { iconWarning } from "../ui/icons.js";
import { iconPerson, iconTool } from "../ui/panel-icons.js";
import type { MonitorEntry, Timeline } from "./timeline.js";
import { count, sentence } from "../ui/text.js";
import { clip } from "./choices.js";
import { thoughtDetails } from "./thoughts.js";
import { folded } from "../ui/collapsible.js";
import { LightElement, prop, state } from "../ui/light-element.js";

const MAX_SHOWN = 300;

/** The model's tasks for the environment, by the kind of source that makes a content. */
const does: Readonly<Record<string, string>> = {
  summary: "The model summarises the results",
  solver: "The model answers from the results",
  evaluator: "The model judges the answer",
};

/** An agent's transcript: its states as written, corrections, and the environment's contents. */
export class StileMonitorLog extends LightElement {
  @prop timeline: Timeline | null = null;
  /** The agent's states in the order of the spec, which sets their hues. */
  @prop states: readonly string[] = [];
  /** Whether the run is in progress. */
  @prop going = false;
  @state whole = false;

  protected override render(): unknown {
    if (this.timeline === null) return nothing;
    const { monitor, samples, writing, transcript } = this.timeline;
    const numbers = [
      ...new Set([...monitor.map((e) => e.sample), ...writing.keys(), ...samples.map((s) => s.sample)]),
    ].sort((a, b) => a - b);
    if (numbers.every((n) => n === 0)) return this.#log(monitor, writing.get(0) ?? "");
    const taken = winner(samples, transcript);
    return html`<ol class="samples">
      ${numbers.map((n) =>
        this.#sample(
          n,
          samples.find((s) => s.sample === n),
          taken,
        ),
      )}
    </ol>`;
  }

  /** Renders one of several runs. */
  #sample(number: number, end: MonitorSampleEnd | undefined, taken: number): unknown {
    const { monitor, writing, transcript } = this.timeline ?? { monitor: [], writing: new Map<number, string>() };
    const entries = monitor.filter((e) => e.sample === number);
    const stopped = entries.filter((e) => e.type === "violation" || e.type === "denied").length;
    const stands = transcript?.fellBack === true && number === taken;
    return html` <li>
      <details class="sample ${number === taken ? "taken" : ""}" ?open=${number === (taken === 0 ? 1 : taken)}>
        <summary>
          <span class="sample-name">${stands ? `Then ${end?.agent ?? ""}` : `Run ${number}`}</span>
          ${
            end === undefined
              ? html`<span class="hint">${this.going ? "in progress" : "not finished"}</span>`
              : end.fault !== undefined && end.fault !== ""
                ? html`<span class="pill bad">failed</span> <span class="fault-text">${end.fault}</span>`
                : html`<span class="sample-answer">${end.answer === "" ? "no answer" : clip(end.answer)}</span>`
          }
          ${number === taken ? html`<span class="pill good">taken</span>` : nothing}
          ${stopped === 0 ? nothing : html`<span class="hint">${count(stopped, "violation")}</span>`}
        </summary>
        ${this.#log(entries, writing.get(number) ?? "")}
      </details>
    </li>`;
  }

  #log(monitor: readonly MonitorEntry[], live: string): unknown {
    const hidden = this.whole ? 0 : Math.max(0, monitor.length - MAX_SHOWN);
    const shown = monitor.slice(hidden);
    return html` ${hidden > 0 ? html`<button class="button small" type="button" @click=${() => (this.whole = true)}>Show ${hidden} earlier entries</button>` : nothing}
      <ol class="log transcript">
        ${shown.map((entry, i) => this.#entry(entry, shown, i))}
        ${live === "" ? nothing : html`<li class="segment live-text"><span class="segment-text">${live}</span></li>`}
      </ol>`;
  }

  #entry(entry: MonitorEntry, all: readonly MonitorEntry[], at: number): unknown {
    switch (entry.type) {
      case "call":
        return html`<li class="call"><span>model, call ${entry.number}</span></li>`;
      case "thought":
        return html`<li class="thought">${thoughtDetails(entry.thought)}</li>`;
      case "segment":
        return this.#segment(entry.segment, all, at);
      case "violation": {
        const { state, reason, allowed, discarded } = entry.violation;
        return html` <li class="violation">
          ${iconWarning}
          <div>
            <p>
              <strong>Stopped.</strong>
              ${reason === "" ? html`<code>${state}</code> is not allowed here.` : sentence(reason)}${(allowed ?? []).length === 0 ? nothing : html` <span class="hint">Allowed: ${(allowed ?? []).map((s, i) => html`${i > 0 ? ", " : ""}<code>${s}</code>`)}</span>`}
            </p>
            ${discarded === "" ? nothing : html`<p class="discarded"><span class="visually-hidden">Discarded: </span><del>${discarded}</del></p>`}
          </div>
        </li>`;
      }
      case "correction": {
        const { text, allowed, forced } = entry.correction;
        return html` <li class="correction">
          <p>
            ${forced ? "Corrected with the full prompt" : "Continues from"}
            <code class="given">${text}</code
            >${(allowed ?? []).length > 1 ? html` <span class="hint">which begins ${(allowed ?? []).map((s, i) => html`${i > 0 ? ", " : ""}<code>${s}</code>`)}</span>` : nothing}
          </p>
        </li>`;
      }
      case "denied":
        return denial(entry.denied);
      case "tool":
        return this.#tools(entry.tool, all, at);
      case "side":
        return this.#side(entry.side, following(all, at));
      case "keep":
        return keeping(entry.keep);
    }
  }

  #segment({ state, text, source }: MonitorSegment, all: readonly MonitorEntry[], at: number): unknown {
    const call = onlyCall(all, at);
    return html` <li class="segment hue-${hueOf(this.states, state)}">
      <span class="segment-head"
        ><span class="segment-state">${state}</span>${
          call !== undefined
            ? html`<span class="called ${failed(call) ? "failed" : ""}" data-tool=${call.tool}
                  >${iconTool} <strong>${call.tool}</strong> <span class="tool-input">${call.input}</span></span
                >${failed(call) ? html`<span class="pill bad">${call.fault}</span>` : nothing}`
            : source === "model"
              ? nothing
              : html`<span class="pill">${source}</span>`
        }</span
      >
      <div class="segment-text">${source === "environment" ? folded(text) : text.trim()}</div>
    </li>`;
  }

  /** Groups the calls that fill the same content. */
  #tools(first: MonitorTool, all: readonly MonitorEntry[], at: number): unknown {
    const before = all[at - 1];
    if (first.tool === "")
      return html`<li class="violation">
        ${iconWarning}
        <div>
          <p>
            <strong>The tools of a server are missing.</strong> ${sentence(first.output)}
            <code>${first.fault ?? ""}</code>
          </p>
        </div>
      </li>`;
    if (before?.type === "tool" && before.tool.state === first.state) return nothing;
    const calls: MonitorTool[] = [];
    for (const entry of all.slice(at)) {
      if (entry.type !== "tool" || entry.tool.state !== first.state) break;
      calls.push(entry.tool);
    }
    if (onlyCall(all, at + 1) === first) return nothing;
    return html` <li class="tools hue-${hueOf(this.states, first.state)}">
      ${calls.length === 1 ? nothing : html`<p class="tools-head">${iconTool} ${calls.length} calls for <span class="segment-state">${first.state}</span></p>`}
      <ol>
        ${calls.sort((a, b) => (a.call ?? 0) - (b.call ?? 0)).map(toolCall)}
      </ol>
    </li>`;
  }

  #side({ state, way, prompt, text }: MonitorSide, next: MonitorSegment | undefined): unknown {
    return html` <li class="side hue-${hueOf(this.states, state)}">
      <p class="tools-head">
        ${iconPerson} ${does[way] ?? "The model writes"} <span class="hint">for</span>
        <span class="segment-state">${state}</span>
      </p>
      ${next?.text.trim() === text.trim() ? nothing : html`<div class="segment-text">${folded(text)}</div>`}
      <details>
        <summary>Prompt</summary>
        <pre class="prompt" tabindex="0">${prompt}</pre>
      </details>
    </li>`;
  }
}

/** Returns the state that the environment's entries fill, once it is filled. */
function following(all: readonly MonitorEntry[], at: number): MonitorSegment | undefined {
  for (const entry of all.slice(at + 1)) {
    if (entry.type === "segment") return entry.segment;
    if (entry.type === "call" || entry.type === "violation") return undefined;
  }
  return undefined;
}

/** Returns the call whose result is the entire content. */
function onlyCall(all: readonly MonitorEntry[], at: number): MonitorTool | undefined {
  const [entry, last, other] = [all[at], all[at - 1], all[at - 2]];
  if (
    entry?.type !== "segment" ||
    last?.type !== "tool" ||
    last.tool.state !== entry.segment.state ||
    last.tool.output.trim() !== entry.segment.text.trim()
  )
    return undefined;
  return other?.type === "tool" && other.tool.state === entry.segment.state ? undefined : last.tool;
}

function failed({ fault }: MonitorTool): boolean {
  return fault !== undefined && fault !== "";
}

/** Renders a call with its result. */
function toolCall(call: MonitorTool): unknown {
  const { label, tool, input, output, fault } = call;
  return html` <li class="tool-call ${failed(call) ? "failed" : ""}" data-tool=${tool}>
    <div class="tool-head">
      ${iconTool}${label === undefined || label === "" ? nothing : html` <code>${label}</code>`}
      <strong>${tool}</strong>
      <span class="tool-input">${folded(input)}</span
      >${failed(call) ? html` <span class="pill bad">${fault}</span>` : nothing}
    </div>
    <div class="tool-output">${folded(output === "" ? "nothing" : output)}</div>
  </li>`;
}

/** Renders a call that was not made. */
function denial({ rules = [], reason = "", allowed = [] }: RuleEvent): unknown {
  return html` <li class="violation denied">
    ${iconWarning}
    <div>
      <p>
        <strong>Not called.</strong> ${reason}.
        ${rules.map((rule) => html`<span class="pill bad">${rule}</span> `)}${
          allowed.length === 0
            ? nothing
            : html`<span class="hint"
                >Allowed tools: ${allowed.map((s, i) => html`${i > 0 ? ", " : ""}<code>${s}</code>`)}</span
              >`
        }
      </p>
    </div>
  </li>`;
}

function keeping({ kept, how, reason, summary, results }: MonitorKeep): unknown {
  return html` <li class="keep">
    <p>
      <strong
        >${kept === "summary" ? "The summary" : "The original results"} ${kept === "summary" ? "is" : "are"}
        kept.</strong
      >
      <span class="hint">${sentence(how === "setting" ? `set by the settings: ${reason}` : reason)}</span>
    </p>
    ${
      how === "logprobs"
        ? html` <dl class="scores">
            <div class=${kept === "summary" ? "best" : ""}>
              <dt>summary</dt>
              <dd>${summary.toFixed(2)}</dd>
            </div>
            <div class=${kept === "results" ? "best" : ""}>
              <dt>results</dt>
              <dd>${results.toFixed(2)}</dd>
            </div>
          </dl>`
        : nothing
    }
  </li>`;
}

/** Returns the number of the winning run; 0 while it is undecided. */
export function winner(samples: readonly MonitorSampleEnd[], transcript: Transcript | undefined): number {
  if (transcript === undefined) return 0;
  const list = transcript.fellBack === true ? samples.slice(-1) : samples;
  return (
    [...list].sort((a, b) => a.sample - b.sample).find((s) => (s.fault ?? "") === "" && s.answer === transcript.answer)
      ?.sample ?? 0
  );
}

customElements.define("stile-monitor-log", StileMonitorLog);
