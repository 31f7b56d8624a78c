import type { Call, Decision, Guard, Options, Session } from "../index.js";

export interface AdapterOptions {
  /** Resolves to true to permit a call with the verdict ask. Without this function, such a call is refused. */
  readonly approve?: (call: Call, decision: Decision) => boolean | Promise<boolean>;
}

/** Begins a session with a message of the user. Throws an error if the specs do not permit it. */
export function begin(guard: Guard, prompt: string, options?: Options): Session;

/** Enters the answer of the model, ends the run, and returns the answer. An empty answer is not entered. Throws an error if the specs do not permit the answer or the end. */
export function finish<Answer>(session: Session, answer: Answer): Answer;
