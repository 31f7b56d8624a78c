export type Verdict = "allow" | "deny" | "ask" | "fault";
export type Mode = "enforce" | "ask" | "shadow" | "off";

/** A tool call before it is made. */
export interface Call {
  readonly name: string;
  /** JSON text, or a value that becomes JSON. A text is never quoted again. */
  readonly arguments?: unknown;
  /** The identifier of the call. A result names it. */
  readonly id?: string;
  readonly agent?: string;
  /** In seconds. */
  readonly time?: number | string;
}

/** Something that happened in a run. */
export interface Event extends Omit<Call, "name"> {
  readonly kind: "call" | "result" | "error" | "message" | "end";
  /** The tool, or the role of a message: user, assistant or system. */
  readonly name?: string;
  /** Of a result, an error or a message: a text, or a value that becomes JSON. */
  readonly content?: unknown;
  /** Of a message: it is the last one of the model. */
  readonly final?: boolean;
  /** Of a call: a person permitted it after the verdict ask. */
  readonly approved?: boolean;
}

/** A rule that an event does not satisfy. */
export interface Finding {
  readonly rule: string;
  readonly code: string;
  readonly reason: string;
}

/** The verdict of an event with its cause. Only allow permits a call. */
export interface Decision {
  readonly verdict: Verdict;
  /** "ok" without a finding. */
  readonly code: string;
  /** A sentence, "" without a finding. */
  readonly reason: string;
  /** The spec or property that refuses, or "". */
  readonly rule: string;
  /** Calls that may be allowed now; "*" is any tool that the list lacks. */
  readonly next: string[];
  readonly mayEnd: boolean;
  /** Findings of rules in the mode shadow. */
  readonly shadow: Finding[];
}

export interface Options {
  /** By the name of a rule, see Guard.ruleNames. A rule without a mode is enforced. */
  readonly modes?: Readonly<Record<string, Mode>>;
  /** Receives a line of JSON for each decision. Each line has the hash of the line before. */
  readonly log?: (line: string) => void;
  /** Names of fields whose values no log line shows, in addition to SECRETS. */
  readonly redact?: readonly string[];
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
  /** The names that modes refer to: specs and properties. */
  ruleNames(): string[];
  begin(options?: Options): Session;
  /** A session with a saved state, of this or another runtime. */
  load(state: string, options?: Options): Session;
}

/** The state of one run. */
export class Session {
  private constructor();
  /** Judges a call before it is made, and enters it if it is allowed. */
  allow(call: Call): Decision;
  /** Enters an event that happened: a result, an error, a message, the end or a call. */
  record(event: Event): Decision;
  /** Reports that the last allowed call was not made. It returns false if another event followed the call. */
  cancel(id?: string): boolean;
  /** Refuses a part of a text: the guard judges events. */
  feed(text: string): Decision;
  /** Ends the run. The verdict is allow if it is complete and every property holds. */
  end(): Decision;
  /** The calls that may be allowed now, and whether the run may end. */
  next(): { readonly next: readonly string[]; readonly mayEnd: boolean };
  /** The state in JSON, for Guard.load. */
  save(): string;
}
