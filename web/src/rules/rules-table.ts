import { html, nothing, type PropertyValues } from "lit";
import type { TracedRule } from "../core/wire.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import type { EventList } from "./event-list.js";
import { eventText } from "./event-list.js";
import { stateOf } from "./rule-states.js";

/** Height of a row in pixels, as in the style sheet. */
const ROW = 28;
/** The maximum height in pixels. Browsers draw nothing below it, so the scroll bar of a longer list moves faster. */
const MAX_HEIGHT = 6_000_000;
const EXTRA = 4;

/** A table of events with the state of each rule after each event. Only visible rows exist. */
export class StileRulesTable extends LightElement {
  @prop events!: EventList;
  @prop rules: readonly TracedRule[] = [];
  /** For each event, a text with one letter per rule: the rule's state after the event. */
  @prop states: readonly string[] = [];
  /** Index of the chosen event; -1 if there is none. */
  @prop cursor = -1;
  /** Earlier events that the chosen one depends on. */
  @prop marked: readonly number[] = [];
  /** A number that changes whenever the list, which is changed in place, changes. */
  @prop revision = 0;
  @state first = 0;
  @state shown = 12;

  /** Whether to scroll to the chosen event as soon as the table has a height: a hidden one has none. */
  #pending = false;
  readonly #resized = new ResizeObserver(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  protected override render(): unknown {
    const { events, rules } = this;
    const last = Math.min(events.length, this.first + this.shown + EXTRA);
    const rows: unknown[] = [];
    for (let i = this.first; i < last; i++) rows.push(this.#row(i));
    return html`<div
      class="rules-scroll"
      role="grid"
      tabindex="0"
      aria-label="Events and rules"
      aria-rowcount=${events.length + 1}
      aria-colcount=${rules.length + 3}
      aria-activedescendant=${this.cursor >= this.first && this.cursor < last ? `rules-row-${this.cursor}` : nothing}
      @keydown=${this.#key}
      @scroll=${this.#scrolled}
    >
      <div class="rules-row rules-head" role="row" aria-rowindex="1">
        <span class="rules-number" role="columnheader">#</span>
        <span class="rules-time" role="columnheader">Time</span>
        <span class="rules-event" role="columnheader">Event</span>
        ${rules.map((rule) => html`<span class="rules-cell" role="columnheader" title=${rule.name}><span>${rule.name}</span></span>`)}
      </div>
      <div class="rules-rows" role="rowgroup">${rows}</div>
    </div>`;
  }

  #row(i: number): unknown {
    const event = this.events.at(i);
    const letters = this.states[i] ?? "";
    const chosen = i === this.cursor;
    return html`<div
      class="rules-row ${chosen ? "chosen" : ""} ${this.marked.includes(i) ? "witness" : ""} ${letters.includes("V") ? "broken" : ""}"
      id="rules-row-${i}"
      role="row"
      aria-rowindex=${i + 2}
      aria-selected=${chosen}
      @click=${() => this.#choose(i)}
    >
      <span class="rules-number" role="gridcell">${i}</span>
      <span class="rules-time" role="gridcell">${event?.time ?? "?"}</span>
      <span class="rules-event" role="gridcell" title=${this.events.lines[i] ?? ""}
        >${event === null ? "not an event" : eventText(event)}${event?.agent ? html` <span class="hint">by ${event.agent}</span>` : nothing}</span
      >
      ${this.rules.map((rule, r) => {
        const { sign, text, tone } = stateOf(letters[r]);
        return html`<span
          class="rules-cell tone-${tone}"
          role="gridcell"
          aria-label="${rule.name}: ${text}"
          title="${rule.name}: ${text}"
          >${sign}</span
        >`;
      })}
    </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const scroll = this.#scroll();
    const rows = this.querySelector<HTMLElement>(".rules-rows");
    if (scroll === null || rows === null) return;
    scroll.style.setProperty("--rules", String(this.rules.length)); // the page's policy forbids style attributes
    const height = Math.min(MAX_HEIGHT, this.events.length * ROW);
    // The rows before the visible ones are padding, so that the bar has its length.
    const before =
      this.events.length * ROW <= MAX_HEIGHT ? this.first * ROW : Math.min(scroll.scrollTop, height - this.shown * ROW);
    const drawn = Math.min(this.events.length - this.first, this.shown + EXTRA) * ROW;
    rows.style.paddingTop = `${Math.max(0, before)}px`;
    rows.style.paddingBottom = `${Math.max(0, height - before - drawn)}px`;
    const shown = Math.max(4, Math.ceil((scroll.clientHeight - ROW) / ROW));
    if (shown !== this.shown) this.shown = shown;
    if (changed.has("cursor") || changed.has("revision")) this.#pending = true;
    if (!this.#pending || scroll.clientHeight === 0) return;
    this.#pending = false;
    this.#reveal(scroll);
  }

  /** Scrolls to the chosen event. */
  #reveal(scroll: HTMLElement): void {
    if (this.cursor < 0) return;
    const visible = Math.max(1, Math.floor((scroll.clientHeight - ROW) / ROW));
    const top = this.events.length * ROW <= MAX_HEIGHT ? Math.ceil(scroll.scrollTop / ROW) : this.first;
    if (this.cursor >= top && this.cursor < top + visible) return;
    const first = Math.max(0, Math.min(this.cursor - Math.floor(visible / 2), this.events.length - visible));
    this.first = first;
    scroll.scrollTop = this.#topOf(first, scroll);
  }

  #topOf(first: number, scroll: HTMLElement): number {
    const all = this.events.length * ROW;
    if (all <= MAX_HEIGHT) return first * ROW;
    return Math.round(
      (first / Math.max(1, this.events.length - this.shown)) * (MAX_HEIGHT - scroll.clientHeight + ROW),
    );
  }

  #scrolled = (): void => {
    const scroll = this.#scroll();
    if (scroll === null) return;
    const all = this.events.length * ROW;
    const most = Math.max(0, this.events.length - 1);
    if (all > MAX_HEIGHT && Math.abs(scroll.scrollTop - this.#topOf(this.first, scroll)) < 2) return; // by reveal
    this.first =
      all <= MAX_HEIGHT
        ? Math.min(most, Math.max(0, Math.floor(scroll.scrollTop / ROW) - 1))
        : Math.min(
            most,
            Math.round(
              (scroll.scrollTop / (MAX_HEIGHT - scroll.clientHeight + ROW)) * (this.events.length - this.shown),
            ),
          );
  };

  #scroll(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".rules-scroll");
  }

  #key = (event: KeyboardEvent): void => {
    const last = this.events.length - 1;
    const to: Readonly<Record<string, number>> = {
      ArrowDown: this.cursor + 1,
      ArrowUp: this.cursor - 1,
      PageDown: this.cursor + this.shown - 2,
      PageUp: this.cursor - this.shown + 2,
      Home: 0,
      End: last,
    };
    const target = to[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey || last < 0) return;
    event.preventDefault();
    this.#choose(Math.max(0, Math.min(last, target)));
  };

  #choose(at: number): void {
    this.emit<number>("event-chosen", at);
  }
}

customElements.define("stile-rules-table", StileRulesTable);
