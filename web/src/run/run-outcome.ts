import type { SolveOutcome, StepsOutcome } from "./events.js";
import { solvedWords, statusWords } from "../problem/solver-status.js";
import type { Run } from "../store/state.js";
import { count } from "../ui/text.js";

/** Returns the CSS class of a run's outcome. */
export function tone(run: Run): string {
  return run.state === "done" ? "tone-good" : run.state === "failed" ? "tone-error" : "";
}

function outcomeWord({ kind, outcome }: Run): string {
  if (kind === "solve") return outcome === undefined ? "done" : solvedWords(outcome as SolveOutcome).word;
  const found = outcome as StepsOutcome | undefined;
  return found?.status === "solved"
    ? `${count(found.steps.plan.length, "step")}${found.steps.cost === undefined ? "" : `, cost ${found.steps.cost}`}`
    : statusWords(found?.status ?? "done").word;
}

/** Describes a run's outcome. */
export function outcome(run: Run): string {
  switch (run.state) {
    case "done":
      if (run.kind === "team") return run.timeline.team?.result?.valid === true ? "delivered" : "not all met";
      if (run.kind === "formulate") return statusWords(run.timeline.formulate?.result?.status ?? "done").word;
      if (run.kind === "compare") return "done";
      if (run.kind === "solve" || run.kind === "steps") return outcomeWord(run);
      return run.kind === "plan"
        ? `${count(run.timeline.planDone?.plan.steps.length ?? 0, "step")}, ${count(run.timeline.calls, "call")}`
        : (run.timeline.transcript?.verdict ?? "done");
    case "failed":
      return run.interrupted ? "interrupted" : "failed";
    case "cancelled":
      return "cancelled";
    case "paused":
      return "paused";
    default:
      return "runs";
  }
}
