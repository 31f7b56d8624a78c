import { html, nothing, type PropertyValues } from "lit";
import { hueOf } from "../run/state-hue.js";
import { iconWarning } from "../ui/icons.js";
import { partName } from "./trace-labels.js";
import type { Segment, TracePart } from "../core/wire.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The maximum number of entries that are shown at once. */
const MAX_SHOWN = 100;
/** The number of entries that are shown before the mistake. */
const BEFORE = 20;
/** The maximum number of shown characters of a content. */
const MAX_CONTENT = 700;

/** A place in the trace. */
export interface TracePlace {
  readonly from: number;
  readonly to: number;
}

type Entry =
  { readonly segment: Segment; readonly index: number; readonly part?: TracePart } | { readonly part: TracePart };

/** A trace state by state, with the parts of a conversation for each state. */
export class StileTraceTimeline extends LightElement {
  @prop segments: readonly Segment[] = [];
  @prop parts: readonly TracePart[] = [];
  /** Index of the first segment among those of all conversations, and of the first part. */
  @prop first = 0;
  @prop firstPart = 0;
  /** The agent's states in the order of the spec, which sets their hues. */
  @prop states: readonly string[] = [];
  /** The segment that violates the behaviour, or -1. */
  @prop wrong = -1;
  @state window: { readonly from: number; readonly to: number } | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("segments") || changed.has("wrong")) this.window = null;
  }

  protected override render(): unknown {
    const entries = this.#entries();
    if (entries.length === 0) return nothing;
    const wrong = entries.findIndex((e) => "index" in e && e.index === this.wrong);
    const { from, to } = this.window ?? {
      from: Math.max(0, wrong - BEFORE),
      to: Math.max(0, wrong - BEFORE) + MAX_SHOWN,
    };
    return html` ${from > 0 ? html`<button class="button small" type="button" @click=${() => (this.window = { from: Math.max(0, from - MAX_SHOWN), to })}>Show ${Math.min(from, MAX_SHOWN)} earlier of ${from}</button>` : nothing}
      <ol class="log transcript trace-log" start=${from + 1}>
        ${entries.slice(from, to).map((entry) => this.#entry(entry))}
      </ol>
      ${to < entries.length ? html`<button class="button small" type="button" @click=${() => (this.window = { from, to: to + MAX_SHOWN })}>Show ${Math.min(entries.length - to, MAX_SHOWN)} later of ${entries.length - to}</button>` : nothing}`;
  }

  /** Returns the segments in order, with the unmapped parts between them. */
  #entries(): readonly Entry[] {
    if (this.parts.length === 0) return this.segments.map((segment, i) => ({ segment, index: this.first + i }));
    const entries: Entry[] = [];
    let at = 0;
    for (const [i, part] of this.parts.entries()) {
      const before = at;
      for (
        let segment = this.segments[at];
        segment !== undefined && (segment.part ?? 0) <= this.firstPart + i + 1;
        segment = this.segments[++at]
      )
        entries.push({ segment, index: this.first + at, part });
      if (at === before) entries.push({ part });
    }
    return entries;
  }

  #entry(entry: Entry): unknown {
    if (!("segment" in entry)) {
      const { part } = entry;
      const joined = part.joined === undefined ? undefined : this.segments[part.joined - 1 - this.first];
      return html` <li class="passed">
        <button class="text-link" type="button" title="Show it in the trace" @click=${() => this.#show(part)}>
          ${partName(part.kind, part.tool)}
        </button>
        <span class="hint"
          >${joined === undefined ? "is not mapped to a state" : `is a part of ${joined.state} above`}</span
        >
        <span class="passed-text">${clip(part.text, 160)}</span>
      </li>`;
    }
    const { segment, index, part } = entry;
    const wrong = index === this.wrong;
    const after = this.wrong >= 0 && index > this.wrong;
    return html` <li
      class="segment hue-${hueOf(this.states, segment.state)} ${wrong ? "wrong" : ""} ${after ? "after" : ""}"
      aria-current=${wrong ? "true" : nothing}
    >
      <span class="segment-head">
        <button
          class="segment-state text-link"
          type="button"
          title="Show it in the trace"
          @click=${() => this.#show(segment)}
        >
          ${segment.state}
        </button>
        ${wrong ? html`<span class="pill bad">${iconWarning} the first mistake</span>` : nothing}
        ${segment.implied ? html`<span class="pill" title="Missing in the trace; the behaviour requires it here">implied</span>` : part === undefined ? nothing : html`<span class="hint">${partName(part.kind, part.tool)}</span>`}
      </span>
      ${segment.content === "" ? nothing : html`<span class="segment-text">${clip(segment.content, MAX_CONTENT)}</span>`}
    </li>`;
  }

  #show({ from, to }: TracePlace): void {
    this.emit<TracePlace>("trace-place-requested", { from, to });
  }
}

/** Returns the start of a text, cut between characters. */
function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

customElements.define("stile-trace-timeline", StileTraceTimeline);
