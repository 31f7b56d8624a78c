// Judges a list of events by rules. The list is divided into several calls, so that the editor does not wait long
// for the core and a person can cancel.
import { type CoreClient, CoreError } from "../core/core-client.js";
import type { RulesTraceResult, TracedRule, TraceViolation, TriedEvent } from "../core/wire.js";

/** The intended duration of a call in milliseconds. */
const SLICE = 50;
const FIRST = 200;
const MOST = 2_000;
/** The maximum number of explained violations. For the others only the states are known. */
const MAX_VIOLATIONS = 2_000;

/** The judgement of the first events of a list. */
export class Judgement {
  rules: readonly TracedRule[] = [];
  /** For each event, a text with one letter per rule: the rule's state after the event. */
  readonly states: string[] = [];
  readonly violations: TraceViolation[] = [];
  /** The number of violations that are not explained. */
  more = 0;
  reason = "";
  tried: readonly TriedEvent[] = [];

  #table = 0;
  #size = FIRST;
  #stopped = false;

  constructor(
    readonly source: string,
    private readonly core: Pick<CoreClient, "call">,
  ) {}

  /** Ends the judging after the current call. */
  stop(): void {
    this.#stopped = true;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Judges the next lines up to an index, and tries events after them. Returns false if it was stopped. */
  async upTo(
    lines: readonly string[],
    to: number,
    attempts: readonly string[] = [],
    progress: () => void = () => {},
  ): Promise<boolean> {
    for (let first = true; first || (this.states.length < to && this.reason === ""); first = false) {
      const from = this.states.length;
      const part = lines.slice(from, Math.min(to, from + this.#size));
      const last = from + part.length >= to;
      const began = performance.now();
      const got = await this.#call(part, last ? attempts : []);
      if (this.#stopped) return false;
      this.#take(got, part.length);
      const took = performance.now() - began;
      if (part.length === this.#size)
        this.#size = Math.max(20, Math.min(MOST, Math.round((this.#size * SLICE) / Math.max(took, 1)), this.#size * 4));
      progress();
    }
    return true;
  }

  async #call(part: readonly string[], attempts: readonly string[]): Promise<RulesTraceResult> {
    const got = await this.core.call("rules.trace", {
      source: this.source,
      ...(this.#table > 0 && { table: this.#table, from: this.states.length }),
      events: part.join("\n"),
      ...(attempts.length > 0 && { try: attempts.join("\n") }),
    });
    this.#table = got.table;
    return got;
  }

  #take(got: RulesTraceResult, sent: number): void {
    this.rules = got.rules;
    this.states.push(...got.states);
    const room = Math.max(0, MAX_VIOLATIONS - this.violations.length);
    this.violations.push(...got.violations.slice(0, room));
    this.more += got.moreViolations ?? 0;
    this.more += Math.max(0, got.violations.length - room);
    this.tried = got.tried;
    if (got.reason !== undefined && got.states.length < sent)
      this.reason = `event ${this.states.length}: ${got.reason}`.replace(/^event \d+: event/, "event");
  }
}

/** Reports whether the core lost a table, because it was restarted or has newer ones. */
export function isLost(fault: unknown): boolean {
  return fault instanceof CoreError && fault.code === "rules.table";
}
