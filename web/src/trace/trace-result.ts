import { html, nothing, type PropertyValues } from "lit";
import { iconCheck, iconInfo, iconWarning } from "../ui/icons.js";
import type { Place } from "../store/state.js";
import { formatName, verdictTones } from "./trace-labels.js";
import type {
  Lookalike,
  MonitorCheckResult,
  OutlineItem,
  TraceProperty,
  TraceRun,
  TraceUnread,
  Violation,
} from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";
import "./trace-timeline.js";
import type { TracePlace } from "./trace-timeline.js";

/** The maximum number of listed conversations; those with a mistake come first. */
const MAX_LISTED = 100;
/** The maximum number of listed unrecognised parts. */
const MAX_UNREAD = 20;
/** The maximum number of listed allowed states or contents. */
const MAX_ALLOWED = 24;

/** A judged formula of the workspace, and its place. */
export interface JudgedFormula {
  readonly file: string;
  readonly item: OutlineItem;
}

/** The core's check of a trace: verdict, first mistake, properties, and timeline. */
export class StileTraceResult extends LightElement {
  @prop check!: MonitorCheckResult;
  /** The chosen format. */
  @prop asked!: string;
  /** The agent's file, with the places of its states. */
  @prop spec!: string;
  @prop outline: readonly OutlineItem[] = [];
  @prop states: readonly string[] = [];
  @prop formulas: readonly JudgedFormula[] = [];
  /** The mapping, rendered next to the timeline. */
  @prop mapping: unknown = nothing;
  /** Index of the selected conversation. */
  @state shown = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("check")) return;
    const list = this.check.conversations ?? [];
    if (changed.get("check")?.conversations?.length !== list.length)
      this.shown = Math.max(
        0,
        list.findIndex((c) => c.verdict === this.check.verdict),
      );
  }

  protected override render(): unknown {
    const { check } = this;
    const list = check.conversations ?? [];
    const one: TraceRun = list[this.shown] ?? {
      verdict: check.spec,
      next: check.next,
      violation: check.violation,
      segment: 0,
      part: 0,
    };
    const following = list[this.shown + 1];
    const { parts = [], properties = [] } = check;
    const segments = check.segments.slice(one.segment, following?.segment);
    return html` ${list.length > 1 ? this.#conversations(list) : nothing}
      ${this.#unread(check.unread ?? [], check.moreUnread ?? 0)}
      ${one.violation === null ? this.#next(one) : this.#violation(one.violation)}
      ${this.#lookalikes(check.lookalikes ?? [])}
      <div class="trace-body">
        ${
          segments.length === 0 && parts.length === 0
            ? nothing
            : html` <div class="trace-part">
                <h3>State by state${list.length > 1 ? `, conversation ${this.shown + 1}` : ""}</h3>
                <stile-trace-timeline
                  .segments=${segments}
                  .parts=${parts.slice(one.part, following?.part)}
                  .first=${one.segment}
                  .firstPart=${one.part}
                  .states=${this.states}
                  .wrong=${one.violation?.index ?? -1}
                  @trace-place-requested=${(e: CustomEvent<TracePlace>) => this.emit("trace-place-requested", e.detail)}
                ></stile-trace-timeline>
              </div>`
        }
        ${
          properties.length === 0 && this.mapping === nothing
            ? nothing
            : html` <div class="trace-aside">
                ${
                  properties.length === 0
                    ? nothing
                    : html` <div class="trace-part">
                        <h3>Properties</h3>
                        <ul class="judged" aria-label="Properties of the trace">
                          ${properties.map((p, i) => this.#property(p, i))}
                        </ul>
                      </div>`
                }
                ${this.mapping}
              </div>`
        }
      </div>`;
  }

  /** Returns the verdict as a sentence, for display and announcement. */
  static said(check: MonitorCheckResult): string {
    const list = check.conversations ?? [];
    if (list.length > 1) {
      const number = (verdict: string): number => list.filter((c) => c.verdict === verdict).length;
      const others = [
        [number("incomplete"), "is not complete", "are not complete"] as const,
        [number("unread"), "has parts that are not recognised", "have parts that are not recognised"] as const,
        [number("invalid"), "is invalid", "are invalid"] as const,
      ].filter(([n]) => n > 0);
      return `${number("valid")} of ${list.length} conversations ${number("valid") === 1 ? "is a complete run" : "are complete runs"} of ${check.agent}${others.map(([n, one, more]) => `; ${n} ${n === 1 ? one : more}`).join("")}.${check.verdict === check.spec ? "" : ` ${verdictTones[check.verdict]?.said ?? ""}`}`;
    }
    const other = check.verdict === check.spec ? undefined : verdictTones[check.verdict]?.said;
    if (other !== undefined && check.segments.length > 0) return other;
    switch (check.spec) {
      case "valid":
        return `This is a complete run of ${check.agent}.`;
      case "incomplete":
        return check.segments.length === 0
          ? `The trace contains no state of ${check.agent}.`
          : `This is a valid prefix of a run of ${check.agent}; it is not complete.`;
      default:
        return `This is not a run of ${check.agent}.`;
    }
  }

  #conversations(list: readonly TraceRun[]): unknown {
    const order = { invalid: 0, unread: 1, incomplete: 2, valid: 3 } as Readonly<Record<string, number>>;
    const rows = list.map((run, i) => ({ run, i }));
    const shown = (
      list.length > MAX_LISTED
        ? rows.toSorted((a, b) => (order[a.run.verdict] ?? 0) - (order[b.run.verdict] ?? 0))
        : rows
    ).slice(0, MAX_LISTED);
    return html` <nav class="run-list" aria-label="Conversations of the trace">
      <ol>
        ${shown.map(
          ({ run, i }) =>
            html` <li class=${i === this.shown ? "shown" : ""}>
              <button
                class="run-link"
                type="button"
                aria-current=${i === this.shown ? "true" : nothing}
                @click=${() => (this.shown = i)}
              >
                <span class="run-name"
                  >Conversation
                  ${i + 1}${run.name === undefined ? nothing : html` <span class="hint">${run.name}</span>`}</span
                >
                <span class="run-outcome ${verdictTones[run.verdict]?.outcome ?? ""}">${run.verdict}</span>
              </button>
            </li>`,
        )}
        ${list.length > shown.length ? html`<li class="hint">and ${list.length - shown.length} more</li>` : nothing}
      </ol>
    </nav>`;
  }

  #next({ verdict, next }: TraceRun): unknown {
    if (next.length === 0) return nothing;
    return html`<p class="expected">
      <span class="hint"
        >${verdict === "valid" ? "It can continue with" : this.check.segments.length === 0 ? "It begins with" : "Allowed next"}</span
      >
      ${this.#allowed(next, true)}
    </p>`;
  }

  #violation(v: Violation): unknown {
    const state = this.#state(v.state);
    return html` <div class="violation">
      ${iconWarning}
      <div>
        <p>${sentence(v.reason)}</p>
        ${v.allowed.length === 0 ? nothing : html`<p class="expected"><span class="hint">${v.allowed.length === 1 ? "Expected" : "Expected one of"}</span> ${this.#allowed(v.allowed, v.content !== true)}</p>`}
        <p class="row wrap">
          <button
            class="text-link"
            type="button"
            @click=${() => this.emit<TracePlace>("trace-place-requested", { from: v.from, to: v.to })}
          >
            Line ${v.line}, column ${v.column} of the trace
          </button>
          ${state === undefined ? nothing : html`<button class="text-link" type="button" @click=${() => this.#toSpec(this.spec, state)}>${v.state} in ${this.spec}</button>`}
        </p>
      </div>
    </div>`;
  }

  /** Renders states as links to their text, or contents. */
  #allowed(names: readonly string[], states: boolean): unknown {
    const shown = names.slice(0, MAX_ALLOWED);
    return html`${shown.map((name) => {
      const place = states ? this.#state(name) : undefined;
      return place === undefined
        ? html`<span class="chip">${name}</span> `
        : html`<button
            class="chip"
            type="button"
            title="Show it in ${this.spec}"
            @click=${() => this.#toSpec(this.spec, place)}
          >
            ${name}
          </button> `;
    })}${names.length > shown.length ? html`<span class="hint">and ${names.length - shown.length} more</span>` : nothing}`;
  }

  #lookalikes(list: readonly Lookalike[]): unknown {
    if (list.length === 0) return nothing;
    return html` <div class="trace-part">
      <h3>${count(list.length, "line")} only ${list.length === 1 ? "looks" : "look"} like a prompt</h3>
      <ul class="lookalikes">
        ${list.map(
          (l) =>
            html` <li>
              <button class="text-link" type="button" @click=${() => this.emit<TracePlace>("trace-place-requested", l)}>
                Line ${l.line}
              </button>
              <span>${sentence(l.reason)}</span>
            </li>`,
        )}
      </ul>
    </div>`;
  }

  /** Renders unrecognised parts as links to their places. */
  #unread(list: readonly TraceUnread[], more: number): unknown {
    if (list.length === 0) return nothing;
    return html` <div class="trace-part">
      <h3>${count(list.length + more, "part")} not recognised</h3>
      <p class="hint">Each part may be an action, so the trace does not pass.</p>
      <ul class="lookalikes" data-trace-unread>
        ${list.slice(0, MAX_UNREAD).map(
          (u) =>
            html` <li>
              <button class="text-link" type="button" @click=${() => this.emit<TracePlace>("trace-place-requested", u)}>
                Line ${u.line}
              </button>
              <span
                >${sentence(u.reason)} ${u.path === undefined ? nothing : html`<code>${u.path}</code>`}
                ${u.keys === undefined ? nothing : html`<span class="hint">with ${u.keys.join(", ")}</span>`}</span
              >
            </li>`,
        )}
        ${list.length + more > MAX_UNREAD ? html`<li class="hint">and ${list.length + more - MAX_UNREAD} more</li>` : nothing}
      </ul>
    </div>`;
  }

  #property(p: TraceProperty, i: number): unknown {
    const formula = this.formulas.length === this.check.properties?.length ? this.formulas[i] : undefined;
    // A violation that an unfinished run can still repair is not a failure yet.
    const open = !p.holds && p.verdict === "currently-violated" && this.check.spec === "incomplete";
    const [tone, icon, word] =
      p.fault !== undefined || p.other === true
        ? (["info", iconInfo, "not judged"] as const)
        : p.holds
          ? (["good", iconCheck, "holds"] as const)
          : (["warning", iconWarning, open ? "not yet" : "fails"] as const);
    const inside = html` <span class="judged-name">${p.name}</span>
      <span class="pill ${p.holds ? "good" : ""}">${word}</span>
      ${formula === undefined || formula.item.name === "" ? nothing : html`<code>${formula.item.detail}</code>`}
      ${p.fault === undefined ? nothing : html`<span class="hint">${sentence(p.fault)}</span>`}
      ${p.other === true ? html`<span class="hint">It refers to another spec of the workspace.</span>` : nothing}`;
    return html` <li>
      <span class="tone-${tone}">${icon}</span>
      <div class="judged-body">
        ${formula === undefined ? html`<span class="judged-main">${inside}</span>` : html`<button class="judged-main" type="button" title="Show it in its file" @click=${() => this.#toSpec(formula.file, formula.item)}>${inside}</button>`}
        ${
          p.reason === undefined || p.reason === ""
            ? nothing
            : html`<details class="log-more">
                <summary>Why</summary>
                <pre class="prompt" tabindex="0">${p.reason.trimEnd()}</pre>
              </details>`
        }
      </div>
    </li>`;
  }

  #state(name: string): OutlineItem | undefined {
    return this.outline.find((item) => item.name === name);
  }

  #toSpec(name: string, { from, to }: TracePlace): void {
    this.emit<Omit<Place, "count">>("place-requested", { name, from, to });
  }
}

/** Describes the detected format for the verdict. */
export function readAs(check: MonitorCheckResult, asked: string): string {
  return asked === "auto" && check.format !== undefined ? `read as ${formatName(check.format)}` : "";
}

customElements.define("stile-trace-result", StileTraceResult);
