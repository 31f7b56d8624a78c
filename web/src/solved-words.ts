// What a solver, or a run that asks one, came to, in words. Who says so is the core.
import type { SolveOutcome } from "./wire.js";

/** A status with the word for it, how it is coloured, and what it means. */
export interface StatusWords {
  readonly word: string;
  readonly tone: "good" | "bad" | "";
  readonly about: string;
}

const words: Readonly<Record<string, StatusWords>> = {
  sat: { word: "solved", tone: "good", about: "There is a solution." },
  solved: { word: "solved", tone: "good", about: "This is a best plan: none is better." },
  feasible: { word: "best found, not proven", tone: "", about: "There is a solution. It is not proven that none is better." },
  unsat: { word: "no solution", tone: "bad", about: "The constraints exclude each other: nothing fulfils them all." },
  infeasible: { word: "no plan", tone: "bad", about: "Nothing fulfils all constraints." },
  unbounded: { word: "unbounded", tone: "bad", about: "However good a solution is, there is a better one: a limit is missing." },
  unknown: { word: "not known", tone: "", about: "The solver gave up before it knew." },
  timeout: { word: "out of time", tone: "", about: "The time was over before the solver knew." },
  memory: { word: "out of memory", tone: "", about: "The memory was full before the solver knew." },
  cancelled: { word: "stopped", tone: "", about: "The question was withdrawn." },
  error: { word: "not understood", tone: "bad", about: "The text is at fault, or the solver is." },
  unanswered: { word: "no answer", tone: "bad", about: "The solver could not be asked, or it broke off." },
  unchecked: { word: "unchecked", tone: "", about: "This is what the model says; no solver has looked at it." },
  failed: { word: "no formulation", tone: "bad", about: "No formulation could be had that a solver takes." },
};

export function statusWords(status: string): StatusWords {
  return words[status] ?? { word: status, tone: "", about: "" };
}

/** What a solver came to. Where it is an error, and nothing of the text is at fault, there was no answer. */
export function solvedWords({ answer, diagnostics }: SolveOutcome): StatusWords {
  if (answer.objectives.length > 0 && !answer.proven && (answer.status === "sat" || answer.model.length > 0)) return statusWords("feasible");
  return statusWords(answer.status === "error" && !diagnostics.some((d) => d.severity === "error") ? "unanswered" : answer.status);
}

/** What a query asks, in words. */
export const asks: Readonly<Record<string, string>> = { plan: "a plan", "what-if": "what if", why: "why", "why-not": "why not" };
