// The part that the adapters share: they judge a call before it is made and enter its result.

/** Returns the sentence for the model about a call that is not allowed. */
export function sentence(decision) {
  const { reason, next } = decision;
  return next.length === 0 || reason.includes("allowed: ") ? reason : reason + "; allowed: " + next.map((name) => JSON.stringify(name)).join(", ");
}

/**
 * Judges a call, and enters it if it is allowed. Resolves to "", or to the reason of a refusal. For the
 * verdict ask, options.approve(call, decision) decides; if that is missing or fails, the call is refused.
 */
export async function judge(session, call, options = {}) {
  let decision = session.allow(call);
  if (decision.verdict === "ask" && typeof options.approve === "function") {
    let approved = false;
    try {
      approved = (await options.approve(call, decision)) === true;
    } catch { /* refused */ }
    decision = session.allow(call); // other calls may have been judged since
    if (approved && decision.verdict === "ask") decision = session.record({ ...call, kind: "call", approved: true });
  }
  return decision.verdict === "allow" ? "" : sentence(decision);
}

/** Returns the text of a result. */
export function text(value) {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return String(value);
  }
}

/** Reports whether a result is that of a tool of an MCP server that failed. */
const isFailure = (value) => value?.isError === true && Array.isArray(value.content);

/** Enters the result of a call, or its error. */
export function settle(session, call, value, failed = false) {
  return session.record({ kind: failed || isFailure(value) ? "error" : "result", name: call.name, id: call.id, content: text(value) });
}

/** Throws an error with the reason of a decision other than allow. */
function permitted(decision) {
  if (decision.verdict !== "allow") throw new Error(decision.reason);
}

/** Begins a session with a message of the user. Throws an error if the specs do not permit it. The options are those of Guard.begin. */
export function begin(guard, prompt, options = {}) {
  const session = guard.begin(options);
  permitted(session.record({ kind: "message", name: "user", content: prompt }));
  return session;
}

/**
 * Enters the answer of the model, ends the run, and returns the answer. An empty answer is not entered. Throws an error if the
 * specs do not permit the answer or the end.
 */
export function finish(session, answer) {
  if (text(answer) !== "") permitted(session.record({ kind: "message", name: "assistant", content: answer, final: true }));
  permitted(session.end());
  return answer;
}
