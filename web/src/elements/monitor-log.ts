import { html, nothing } from "lit";
import { hueOf } from "../hue.js";
import { iconWarning } from "../icons.js";
import type { MonitorEntry, Timeline } from "../timeline.js";
import "./copy-button.js";
import { LightElement } from "./light-element.js";

const MAX_SHOWN = 300;

/** An agent's transcript: its states as they were written, where it was stopped, and how it was put right. */
export class StileMonitorLog extends LightElement {
  static override properties = { timeline: { attribute: false }, states: { attribute: false }, whole: { state: true } };
  declare timeline: Timeline | null;
  /** The agent's states in the order of the spec, which gives them their hues. */
  declare states: readonly string[];
  declare whole: boolean;

  constructor() {
    super();
    this.timeline = null;
    this.states = [];
    this.whole = false;
  }

  protected override render(): unknown {
    if (this.timeline === null) return nothing;
    const { monitor, live } = this.timeline;
    const hidden = this.whole ? 0 : Math.max(0, monitor.length - MAX_SHOWN);
    return html`
      ${hidden > 0 ? html`<button class="button small" type="button" @click=${() => (this.whole = true)}>Show ${hidden} earlier entries</button>` : nothing}
      <ol class="log transcript">
        ${monitor.slice(hidden).map((entry) => this.#entry(entry))}
        ${live === "" ? nothing : html`<li class="segment live-text"><span class="segment-text">${live}</span></li>`}
      </ol>`;
  }

  #entry(entry: MonitorEntry): unknown {
    switch (entry.type) {
      case "call":
        return html`<li class="call"><span>model, call ${entry.number}</span></li>`;
      case "segment": {
        const { state, text, source } = entry.segment;
        return html`
          <li class="segment hue-${hueOf(this.states, state)}">
            <span class="segment-head"><span class="segment-state">${state}</span>${source === "model" ? nothing : html`<span class="pill">${source}</span>`}</span>
            <span class="segment-text">${text.trim()}</span>
          </li>`;
      }
      case "violation": {
        const { state, reason, allowed, discarded } = entry.violation;
        return html`
          <li class="violation">
            ${iconWarning}
            <div>
              <p><strong>Stopped.</strong> ${reason === "" ? html`<code>${state}</code> may not come here.` : reason}${(allowed ?? []).length === 0 ? nothing : html` <span class="hint">Allowed: ${(allowed ?? []).map((s, i) => html`${i > 0 ? ", " : ""}<code>${s}</code>`)}</span>`}</p>
              ${discarded === "" ? nothing : html`<p class="discarded"><span class="visually-hidden">Discarded: </span><del>${discarded}</del></p>`}
            </div>
          </li>`;
      }
      case "correction": {
        const { text, allowed, forced } = entry.correction;
        return html`
          <li class="correction">
            <p>${forced ? "Put right with the whole prompt" : "Goes on from"} <code class="given">${text}</code>${(allowed ?? []).length > 1 ? html` <span class="hint">which begins ${(allowed ?? []).map((s, i) => html`${i > 0 ? ", " : ""}<code>${s}</code>`)}</span>` : nothing}</p>
          </li>`;
      }
    }
  }
}

customElements.define("stile-monitor-log", StileMonitorLog);
