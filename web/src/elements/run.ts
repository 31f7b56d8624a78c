import { html, nothing } from "lit";
import { iconPlay, iconStop } from "../icons.js";
import type { LayoutClient } from "../layout-client.js";
import type { Run, RunSettings } from "../store.js";
import { count, sentence } from "../words.js";
import "./copy-button.js";
import { LightElement } from "./light-element.js";
import "./monitor-log.js";
import "./plan-log.js";
import "./plan-result.js";
import "./question.js";
import type { Answered } from "./question.js";
import "./run-settings.js";
import type { StileRunSettings } from "./run-settings.js";

/** What the Run tab would run. */
export interface Target {
  readonly name: string;
  readonly kind: Run["kind"];
}

/** The Run tab: settings, what the run asks, what came of it, and how it came to it. */
export class StileRun extends LightElement {
  static override properties = {
    target: { attribute: false }, settings: { attribute: false }, run: { attribute: false },
    states: { attribute: false }, layouts: { attribute: false }, broken: { attribute: false },
  };
  declare target: Target | null;
  declare settings: RunSettings;
  declare run: Run | null;
  declare states: readonly string[];
  declare layouts: LayoutClient | undefined;
  /** The spec has errors, so it cannot run. */
  declare broken: boolean;

  constructor() {
    super();
    this.target = null;
    this.run = null;
    this.states = [];
    this.broken = false;
  }

  protected override render(): unknown {
    const { target, run } = this;
    if (target === null) return html`<p class="empty">There is no spec in this workspace to run. Add a <code>.cfg</code> or an <code>.agent</code> file, or open an example.</p>`;
    const running = run !== null && (run.state === "working" || run.state === "waiting");
    return html`
      <form class="run-form" @submit=${this.#start}>
        <stile-run-settings .settings=${this.settings} .kind=${target.kind} .locked=${running} @settings-changed=${(e: CustomEvent<Partial<RunSettings>>) => this.emit("settings-changed", e.detail)}></stile-run-settings>
        <div class="run-actions">
          ${running
            ? html`<button class="button" type="button" @click=${() => this.emit("cancel-wished", null)}>${iconStop} Cancel</button>`
            : html`<button class="button primary" type="submit" ?disabled=${this.broken}>${iconPlay} Run ${target.name}</button>`}
          <span class="run-state" role="status">${this.#state(run)}</span>
        </div>
      </form>
      ${run === null ? this.#invitation(target) : this.#run(run)}`;
  }

  #invitation(target: Target): unknown {
    if (this.broken) return html`<p class="empty">The text has errors; once they are mended it can run.</p>`;
    return target.kind === "plan"
      ? html`<p class="empty">The model is asked only where more than one move is left, and only for the number of one. Every move that is offered can still be finished, so every run ends with a valid plan.</p>`
      : html`<p class="empty">The model writes freely. At the first state that does not fit it is stopped, what was right is kept, and it goes on from what may come next.</p>`;
  }

  #state(run: Run | null): unknown {
    if (run === null) return nothing;
    const { calls, violations } = run.timeline;
    const counts = run.kind === "plan" ? count(calls, "answer") : `${count(calls, "call")}, ${count(violations, "violation")}`;
    switch (run.state) {
      case "working":
        return html`<span class="spinner" aria-hidden="true"></span> Running · ${counts}`;
      case "waiting":
        return run.questions.length > 0 ? html`<span class="tone-warning">●</span> Waits for you · ${counts}` : html`<span class="spinner" aria-hidden="true"></span> Waits for the model · ${counts}`;
      case "done":
        return html`<span class="pill good">Done</span> ${counts}${run.replay ? " · replayed" : ""}`;
      case "cancelled":
        return html`<span class="pill">Cancelled</span> ${counts}`;
      case "failed":
        return html`<span class="pill bad">Failed</span> ${counts}`;
    }
  }

  #run(run: Run): unknown {
    const { timeline, questions, fault } = run;
    return html`
      ${fault === undefined ? nothing : html`<p class="fault" role="alert">${sentence(fault.message)} <code>${fault.code}</code></p>`}
      ${questions.map((effect) => html`<stile-question .effect=${effect} @answered=${(e: CustomEvent<Answered>) => this.emit("answered", e.detail)}></stile-question>`)}
      ${timeline.planDone === undefined ? nothing : html`<stile-plan-result .done=${timeline.planDone} .layouts=${this.layouts}></stile-plan-result>`}
      ${timeline.transcript === undefined ? nothing : html`
        <section class="result" aria-labelledby="trace-title">
          <div class="result-head">
            <h2 id="trace-title">The trace</h2>
            <span class="pill ${timeline.transcript.verdict === "valid" ? "good" : ""}" data-verdict=${timeline.transcript.verdict}>${timeline.transcript.verdict}</span>
            <span class="hint">${statistics(timeline.transcript.stats)}</span>
            <stile-copy-button .text=${timeline.transcript.text} .what=${"the transcript"}></stile-copy-button>
          </div>
        </section>`}
      ${run.kind === "plan"
        ? timeline.plan.length === 0 ? nothing : html`<h2 class="log-heading">How it came about</h2><stile-plan-log .entries=${timeline.plan}></stile-plan-log>`
        : html`<stile-monitor-log .timeline=${timeline} .states=${this.states}></stile-monitor-log>`}`;
  }

  #start = (event: SubmitEvent): void => {
    event.preventDefault();
    this.emit("run-wished", this.querySelector<StileRunSettings>("stile-run-settings")?.key ?? "");
  };
}

/** "calls 4 · corrections 2" of whatever the core counted. */
function statistics(stats: object | undefined): string {
  return Object.entries(stats ?? {}).map(([name, n]) => `${name.replace(/([A-Z])/g, " $1").toLowerCase()} ${n}`).join(" · ");
}

customElements.define("stile-run", StileRun);
