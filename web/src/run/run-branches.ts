// Continuations of runs: the recording and the settings with which a new run begins.
import { endsMove } from "../core/move-end.js";
import type { PlanChange, PlanSettings, TakeSetting, TeamGraph, TeamSettings, TeamState } from "./events.js";
import { isOffer, settingsOf } from "./run-state.js";
import type { Run } from "../store/state.js";
import type { File, RunStartParams } from "../core/wire.js";

/** The part of a run before an offer. */
interface Branch {
  /** The number of answers that the run recorded before the offer. */
  readonly answers: number;
  /** The settings without the choices and changes at this offer and later. */
  readonly settings: PlanSettings;
  /** The number of moves up to and including the offer. */
  readonly moves: number;
}

/** Returns the part of a run before an offer, or undefined if the run has no such offer. */
export function beforeOffer(run: Run, number: number): Branch | undefined {
  const at = run.events.findLastIndex((e) => isOffer(e) && e.offer === number);
  const offer = run.events[at];
  if (!isOffer(offer)) return undefined;
  const settings = settingsOf(run) as PlanSettings;
  return {
    answers: offer.at,
    settings: {
      ...settings,
      take: (settings.take ?? []).filter((take: TakeSetting) => take.offer < number),
      changes: (settings.changes ?? []).filter((c: PlanChange) => c.from < number),
    },
    moves: run.events.slice(0, at).filter(endsMove).length + 1,
  };
}

/** Returns a run that begins with the first answers of another. */
export function forked(run: Run, answers: number, settings: unknown): RunStartParams {
  const { log: _, ...params } = run.params;
  if (run.recorded === undefined) return { ...params, settings };
  return { ...params, settings, log: { ...run.recorded, settings, answers: run.recorded.answers.slice(0, answers) } };
}

/** Returns the settings of a team's run that continues with another graph. */
export function withGraph(run: Run, graph: TeamGraph): TeamSettings {
  const settings = settingsOf(run) as TeamSettings;
  const answers = run.recorded?.answers ?? [];
  const after = answers.filter((answer) => answer.chunk === undefined && answer.error?.code !== "cancelled").length;
  const told = (run.events.findLast((e) => "told" in (e as object)) as TeamState | undefined)?.told ?? 0;
  return { ...settings, changes: [...(settings.changes ?? []), { after, told, graph }] };
}

/** Returns a problem's run from a stage on, with the products of the earlier stages. */
export function fromStage(run: Run, made: readonly File[], from: string): RunStartParams {
  const { workspace, log: _, ...params } = run.params;
  const files = [
    ...workspace.files.map((f) => made.find((m) => m.name === f.name) ?? f),
    ...made.filter((m) => !workspace.files.some((f) => f.name === m.name)),
  ];
  return { ...params, workspace: { ...workspace, files }, settings: { ...(settingsOf(run) as object), from } };
}

/** Returns the number of answers with which an ended run resumes: all but a failed last one. */
export function usableAnswers(run: Run): number {
  const answers = run.recorded?.answers ?? [];
  let at = answers.length;
  if (run.state === "failed" && !run.interrupted) {
    const last = answers.at(-1)?.effect;
    while (at > 0 && answers[at - 1]?.effect === last) at--;
  }
  return at;
}
