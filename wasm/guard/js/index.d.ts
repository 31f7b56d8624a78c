export type Verdict = "allow" | "deny" | "ask" | "fault";
export type Mode = "enforce" | "ask" | "shadow" | "off";

/** A tool call before it is made. */
export interface Call {
  readonly name: string;
  /** JSON text, or a value that is converted to JSON. A text is used unchanged. */
  readonly arguments?: unknown;
  /** The identifier of the call. The call's result has the same identifier. */
  readonly id?: string;
  readonly agent?: string;
  /** The time of the call in seconds. */
  readonly time?: number | string;
}

/** An event of a run. */
export interface Event extends Omit<Call, "name"> {
  readonly kind: "call" | "result" | "error" | "message" | "end";
  /** The tool, or the role of a message: user, assistant or system. */
  readonly name?: string;
  /** The content of a result, an error or a message: a text, or a value that is converted to JSON. */
  readonly content?: unknown;
  /** Whether a message is the model's last one. */
  readonly final?: boolean;
  /** Whether a person permitted a call after the verdict ask. */
  readonly approved?: boolean;
  /** Whether a spec that has no step for a message here ignores it. */
  readonly optional?: boolean;
}

/** A rule that an event does not satisfy. */
export interface Finding {
  readonly rule: string;
  readonly code: string;
  readonly reason: string;
}

/** The verdict on an event, with its cause. Only the verdict allow permits a call. */
export interface Decision {
  readonly verdict: Verdict;
  /** The code of the cause; "ok" without a finding. */
  readonly code: string;
  /** The reason as a sentence; "" without a finding. */
  readonly reason: string;
  /** The spec, property or rule that refuses the event, or "". */
  readonly rule: string;
  /** The tools whose calls may be allowed now; "*" means any tool that is not listed. */
  readonly next: string[];
  readonly mayEnd: boolean;
  /** Findings of rules in the mode shadow. */
  readonly shadow: Finding[];
  /** A byte of the text that was fed: the first one that is refused, or else the one after the text. Only decisions of feed have it. */
  readonly at?: number;
}

export interface Options {
  /** The mode of each rule by its name, see Guard.ruleNames. A rule without a mode is enforced. */
  readonly modes?: Readonly<Record<string, Mode>>;
  /** Receives a line of JSON for each decision. Each line contains the hash of the previous line. */
  readonly log?: (line: string) => void;
  /** Names of fields whose values no log line shows, in addition to SECRETS. */
  readonly redact?: readonly string[];
  /** Returns the time in seconds of an event that has none; by default the system's clock. Only rules use it. null: such events have no time. */
  readonly clock?: (() => number) | null;
}

export const FORMAT: 1;
export const VERSION: string;
export const SECRETS: readonly string[];

/** Thrown for a file, a state or an option that the guard refuses. */
export class GuardError extends Error {
  readonly code: "guard.file" | "guard.rules" | "guard.state" | "guard.mode";
}

/** A compiled guard. It is immutable and may be shared by any number of sessions. */
export class Guard {
  private constructor();
  /** Reads a compiled guard. */
  static read(text: string): Guard;
  /** SHA-256 of the file. */
  readonly hash: string;
  /** Returns the names that modes refer to, those of specs, properties, rules and schemas. */
  ruleNames(): string[];
  begin(options?: Options): Session;
  /** Returns a session with a state that was saved by this runtime or by another. */
  load(state: string, options?: Options): Session;
}

/** The state of one run. */
export class Session {
  private constructor();
  /** Judges a call before it is made, and enters it if it is allowed. */
  allow(call: Call): Decision;
  /** Enters an event that happened: a result, an error, a message, the end or a call. */
  record(event: Event): Decision;
  /** Undoes the last allowed call, which was not made. Returns false if another event followed the call. */
  cancel(id?: string): boolean;
  /** Judges a part of a text that the model is writing. After a refusal, the text is refused until another method begins the next one. */
  feed(text: string): Decision;
  /** Forgets the text that was fed. The next call of feed begins another text. */
  discard(): void;
  /** Ends the run. The verdict is allow if the run is complete and every property holds. */
  end(): Decision;
  /** Returns the tools whose calls may be allowed now, and whether the run may end. */
  next(): { readonly next: readonly string[]; readonly mayEnd: boolean };
  /** Returns an independent session in the same state, without a log. */
  copy(): Session;
  /** Returns the state in JSON, for Guard.load. */
  save(): string;
}
