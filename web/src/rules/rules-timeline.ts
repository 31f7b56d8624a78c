import { html, nothing, type PropertyValues, svg } from "lit";
import type { TracedRule } from "../core/wire.js";
import { LightElement, prop } from "../ui/light-element.js";
import type { EventList } from "./event-list.js";
import { eventText } from "./event-list.js";
import { stateOf } from "./rule-states.js";

const WIDTH = 720;
const NAMES = 120;
const LANE = 22;
const HEAD = 20;
/** The maximum number of drawn events, around the chosen one. */
const MOST = 160;
const MAX_LANES = 24;
/** The minimum number of pixels between the chosen event and the edge of the pane. */
const MARGIN = 16;

/** A timeline of the events around the chosen one, with the windows of the rules that end there. */
export class StileRulesTimeline extends LightElement {
  @prop events!: EventList;
  @prop rules: readonly TracedRule[] = [];
  @prop states: readonly string[] = [];
  @prop cursor = -1;
  @prop marked: readonly number[] = [];
  @prop revision = 0;

  /** The drawn events, and the number of those that were judged. */
  #drawn = "";

  /** While a long list is judged, the verdicts change after each part, but seldom a state of a drawn event. */
  protected override shouldUpdate(changed: PropertyValues<this>): boolean {
    const verdicts = [...changed.keys()].every((name) => name === "revision" || name === "rules");
    const before = changed.get("rules")?.length ?? this.rules.length;
    return !verdicts || before !== this.rules.length || this.#window().key !== this.#drawn;
  }

  /** Returns the range of drawn events. */
  #window(): { readonly from: number; readonly to: number; readonly key: string } {
    const { cursor, events, states } = this;
    const from = Math.max(0, Math.min(cursor - MOST / 2, events.length - MOST));
    const to = Math.min(events.length, from + MOST);
    return { from, to, key: `${from} ${to} ${Math.min(states.length, to)}` };
  }

  protected override render(): unknown {
    const { events, cursor } = this;
    const { from, to, key } = this.#window();
    this.#drawn = key;
    if (cursor < 0 || events.length === 0) return nothing;
    const rules = this.rules.slice(0, MAX_LANES);
    const more = this.rules.length - rules.length;
    const now = events.times[cursor] ?? 0;
    const last = events.times[to - 1] ?? now;
    const first = events.times[from] ?? now;
    const span = Math.max(last - first, 1e-9);
    const x = (time: number): number =>
      NAMES + 10 + Math.max(0, Math.min(1, (time - first) / span)) * (WIDTH - NAMES - 24);
    const height = HEAD + LANE * (rules.length + 1) + 6;
    const drawn = Array.from({ length: to - from }, (_, i) => from + i);
    return html`<div class="rules-timeline" role="group" aria-label="Timeline" tabindex="0">
        <svg
          viewBox="0 0 ${WIDTH} ${height}"
          width=${WIDTH}
          height=${height}
          role="img"
          aria-label="Timeline of ${to - from} events from ${first} to ${last} seconds; the chosen event is at ${now}"
        >
          ${rules.map((rule, r) => this.#lane(rule, r, now, x, first))}
          <text class="axis" x="0" y=${HEAD - 6}>events</text>
          <text class="axis" x=${x(first)} y="11">${first} s</text>
          <text class="axis end" x=${WIDTH - 14} y="11">${last} s</text>
          <line class="now" x1=${x(now)} x2=${x(now)} y1=${HEAD - 4} y2=${height - 4}></line>
          ${drawn.map((i) => this.#event(i, x(events.times[i] ?? 0), rules))}
        </svg>
      </div>
      ${more > 0 ? html`<p class="hint">${more === 1 ? "1 more rule is" : `${more} more rules are`} in the table only.</p>` : nothing}`;
  }

  /** Keeps the chosen event in sight where the timeline is wider than the pane. */
  protected override updated(changed: PropertyValues<this>): void {
    const box = this.querySelector<HTMLElement>(".rules-timeline");
    const line = box?.querySelector(".now");
    if (!changed.has("cursor") || box === null || line === null || line === undefined) return;
    const [frame, now] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
    if (now.left < frame.left + MARGIN || now.right > frame.right - MARGIN)
      box.scrollLeft += (now.left + now.right - frame.left - frame.right) / 2;
  }

  #lane(rule: TracedRule, r: number, now: number, x: (time: number) => number, first: number): unknown {
    const y = HEAD + LANE * (r + 1);
    const mid = y + LANE / 2;
    return svg`<text class="lane-name" x="0" y=${mid + 4}>${rule.name.length > 17 ? `${rule.name.slice(0, 16)}…` : rule.name}</text>
      <line class="lane" x1=${NAMES} x2=${WIDTH - 6} y1=${mid} y2=${mid}></line>
      ${rule.windows.map((w) => {
        const start = x(Math.max(first, now - w.seconds));
        return svg`<rect class="window" x=${start} y=${y + 3} width=${Math.max(2, x(now) - start)} height=${LANE - 6} rx="3">
          <title>${rule.name}: ${w.operator}, from ${now - w.seconds} to ${now} s</title></rect>`;
      })}`;
  }

  #event(i: number, x: number, rules: readonly TracedRule[]): unknown {
    const letters = this.states[i] ?? "";
    const event = this.events.at(i);
    const name = event === null ? "" : eventText(event);
    const classes = `${i === this.cursor ? "chosen" : ""} ${this.marked.includes(i) ? "witness" : ""}`;
    return svg`<g class="tick ${classes}" @click=${() => this.emit<number>("event-chosen", i)}>
      <title>${i}: ${name}</title>
      <circle cx=${x} cy=${HEAD + LANE / 2} r=${i === this.cursor ? 6 : 4}></circle>
      ${rules.map((_, r) => {
        const letter = letters[r] ?? "";
        if (letter !== "V" && letter !== "H" && letter !== "p") return nothing;
        return svg`<circle class="tone-${stateOf(letter).tone}" cx=${x} cy=${HEAD + LANE * (r + 1) + LANE / 2} r=${letter === "V" ? 5 : 3.5}></circle>`;
      })}
    </g>`;
  }
}

customElements.define("stile-rules-timeline", StileRulesTimeline);
