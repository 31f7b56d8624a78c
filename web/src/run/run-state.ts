// Questions about a run, answered from its recording and state.
import type { Fault } from "../core/core-protocol.js";
import type { PlanOffer } from "./events.js";
import { shownKinds } from "../store/file-kind.js";
import type { Run, RunKind } from "../store/state.js";
import type { KeptRun } from "../store/unfinished-runs.js";
import { advance, emptyTimeline, momentsOf, open } from "./timeline.js";
import type { RunLog } from "../core/wire.js";

/**
 * The maximum number of a session's runs that are kept in memory, and the maximum bytes of their recordings, so that
 * the page's memory does not grow.
 */
const MAX_RUNS = 8;
const MAX_BYTES = 10 << 20;

/** Returns the oldest runs, which the limits of memory exclude once a new run starts. */
export function outOfMemory(runs: readonly Run[]): readonly Run[] {
  let bytes = 0;
  return [...runs].reverse().filter((run, i) => {
    bytes += run.recorded === undefined ? 0 : JSON.stringify(run.recorded).length;
    return !goes(run) && (i >= MAX_RUNS - 1 || (i > 0 && bytes > MAX_BYTES));
  });
}

/** Reports whether a run is in progress. */
export function goes(run: Run): boolean {
  return run.state === "working" || run.state === "waiting" || run.state === "paused";
}

/** Reports whether a run's result is not in its events. */
export function hasOutcome(kind: RunKind): boolean {
  return kind === "solve" || kind === "steps" || kind === "cell" || kind === "prove";
}

/** Reports whether an ended run can be resumed. */
export function canResume(run: Run): boolean {
  if (run.recorded === undefined || run.replay || run.kind === "solve") return false;
  if (run.state === "cancelled" || run.interrupted) return true;
  return (
    run.state === "failed" &&
    (open(run.timeline.plan)?.offer !== undefined || run.recorded.answers.length > 0) &&
    !hopeless(run.fault)
  );
}

/** Reports whether a resumed run would end with the same fault again. */
function hopeless(fault: Fault | undefined): boolean {
  return [
    "plan.none",
    "plan.tools",
    "plan.settings",
    "plan.template",
    "monitor.settings",
    "monitor.template",
    "monitor.file",
    "benchmark.settings",
    "benchmark.records",
    "team.settings",
    "team.template",
    "team.file",
    "formulate.settings",
    "formulate.template",
    "formulate.folder",
    "formulate.missing",
    "run.log",
    "internal",
  ].includes(fault?.code ?? "");
}

/** Returns the settings of a run. */
export function settingsOf(run: Run): unknown {
  return run.recorded?.settings ?? run.params.settings ?? {};
}

/** Returns the kind of an unfinished run; a plan if this version does not know the kind. */
export function kindOf(kept: KeptRun): RunKind {
  return kinds.find((kind) => kind === kept.kind) ?? "plan";
}

const kinds: readonly RunKind[] = [...shownKinds, "compare", "draft", "benchmark", "lab", "learn", "prove"];

/** Reports whether the Run tab does not show runs of a kind. */
export function aside(kind: string): boolean {
  return (
    kind === "compare" ||
    kind === "draft" ||
    kind === "benchmark" ||
    kind === "lab" ||
    kind === "cell" ||
    kind === "learn" ||
    kind === "prove"
  );
}

/** Joins events. It drops the pieces of streamed answers, because the full answers follow. */
export function joinedEvents(old: readonly unknown[], events: readonly unknown[]): readonly unknown[] {
  const more = events.filter((event) => !(event as { readonly kind: string }).kind.endsWith(".delta"));
  return more.length === 0 ? old : [...old, ...more];
}

/** Joins a recording with its new answers. */
export function joined(recorded: RunLog | undefined, log: RunLog | undefined): RunLog | undefined {
  if (log === undefined || recorded === undefined) return log ?? recorded;
  return { ...recorded, answers: [...recorded.answers, ...log.answers] };
}

/** Reports whether an event is the offer of a choice. */
export function isOffer(event: unknown): event is PlanOffer {
  return (event as { readonly kind?: string } | undefined)?.kind === "plan.offer";
}

/** Returns a run at the selected moment. */
export function lookedAt(run: Run): Run {
  if (run.moment === null) return run;
  const end = momentsOf(run.events)[run.moment];
  return end === undefined
    ? run
    : { ...run, timeline: advance(emptyTimeline, run.events.slice(0, end)), questions: [] };
}
