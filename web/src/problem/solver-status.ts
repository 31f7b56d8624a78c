// The status of a solver, or of a run that calls one, in words. The core decides it.
import type { FormulateSteps, SolveOutcome } from "../core/wire.js";

/** A status with its label, colour and meaning. */
export interface StatusWords {
  readonly word: string;
  readonly tone: "good" | "bad" | "";
  readonly about: string;
}

const words: Readonly<Record<string, StatusWords>> = {
  sat: { word: "solved", tone: "good", about: "There is a solution." },
  solved: { word: "solved", tone: "good", about: "This is an optimal plan: none is better." },
  feasible: {
    word: "best found, not proved optimal",
    tone: "",
    about: "Solution found; a better one may exist.",
  },
  unsat: { word: "no solution", tone: "bad", about: "The constraints contradict each other." },
  infeasible: { word: "no plan", tone: "bad", about: "No plan satisfies all constraints." },
  unbounded: {
    word: "unbounded",
    tone: "bad",
    about: "Unbounded: every solution can be improved. Add a bound.",
  },
  unknown: { word: "not known", tone: "", about: "The solver gave up without a result." },
  timeout: { word: "out of time", tone: "", about: "The solver ran out of time." },
  memory: { word: "out of memory", tone: "", about: "The solver ran out of memory." },
  cancelled: { word: "stopped", tone: "", about: "The query was cancelled." },
  error: { word: "rejected", tone: "bad", about: "The solver cannot read the text." },
  unanswered: { word: "no answer", tone: "bad", about: "The solver could not be called, or it failed." },
  unchecked: { word: "unchecked", tone: "", about: "This is the model’s answer; no solver has checked it." },
  failed: { word: "no formulation", tone: "bad", about: "No formulation was accepted by the solver." },
};

export function statusWords(status: string): StatusWords {
  return words[status] ?? { word: status, tone: "", about: "" };
}

/**
 * Returns the status of a solver's answer. If an error has no diagnostic for the text, the solver gave no
 * answer.
 */
export function solvedWords({ answer, diagnostics }: SolveOutcome): StatusWords {
  if (answer.objectives.length > 0 && !answer.proven && (answer.status === "sat" || answer.model.length > 0))
    return statusWords("feasible");
  return statusWords(
    answer.status === "error" && !diagnostics.some((d) => d.severity === "error") ? "unanswered" : answer.status,
  );
}

/** The kinds of queries. */
export const asks: Readonly<Record<string, string>> = {
  plan: "a plan",
  "what-if": "what if",
  why: "why",
  "why-not": "why not",
};

/** Returns the comparison that an optimal plan wins. */
export function best({ cheapest, largest }: FormulateSteps): string {
  if (cheapest !== true) return "no plan is shorter.";
  return largest === true ? "no plan has a larger value." : "no plan is cheaper.";
}
