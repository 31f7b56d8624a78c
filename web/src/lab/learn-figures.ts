import type { Run } from "../store/state.js";
import { csv } from "../share/table-export.js";
import type {
  LearnEpochEvent,
  LearnInterval,
  LearnPoint,
  LearnResult,
  LearnSettings,
  LearnTraining,
} from "../core/wire.js";
import { count } from "../ui/text.js";

// The results of a learning run as curves, text and files. The core computes all figures; this file
// only formats them.

/** The figures of one arm by epoch, averaged over the seeds so far. */
export interface Curve {
  /** Whether the arm uses the automaton. */
  readonly with: boolean;
  readonly points: readonly LearnPoint[];
}

/** The value of a curve. */
export type Measure = "valid" | "reward";

/** Returns an arm's name as written next to its curve. */
export function armName(withAutomaton: boolean): string {
  return withAutomaton ? "with" : "without";
}

/** Returns the result of a run; undefined before its end. */
export function resultOf(run: Run): LearnResult | undefined {
  return (run.events as readonly { readonly kind: string }[]).findLast(
    (e): e is LearnResult => e.kind === "learn.done",
  );
}

export function epochsOf(run: Run): readonly LearnEpochEvent[] {
  return (run.events as readonly { readonly kind: string }[]).filter(
    (e): e is LearnEpochEvent => e.kind === "learn.epoch",
  );
}

/** Returns the curves so far, the automaton's first, with the latest figures of each epoch. */
export function curvesOf(epochs: readonly LearnEpochEvent[]): readonly Curve[] {
  return [true, false].flatMap((arm) => {
    const points: LearnPoint[] = [];
    for (const e of epochs) if (e.with === arm) points[e.epoch - 1] = e.soFar;
    return points.length === 0 ? [] : [{ with: arm, points }];
  });
}

/** Describes the settings, so that a result can be reproduced. */
export function settingsInWords(seed: number | undefined, s: LearnSettings): string {
  const arms =
    {
      both: "with the automaton and without it",
      with: "with the automaton only",
      without: "without the automaton only",
    }[s.automaton ?? "both"] ?? "";
  return [
    `seed ${seed ?? 0}`,
    count(s.seeds ?? 20, "learner") + (arms.startsWith("with the automaton and") ? " of each kind" : ""),
    arms,
    count(s.epochs ?? 30, "epoch"),
    `rate ${s.rate ?? 0.001}`,
    ...((s.batch ?? 1) === 1 ? [] : [`a step after ${count(s.batch ?? 1, "plan")}`]),
    `prior ${s.prior ?? 5}`,
    ...(s.tasks === undefined ? [] : [`only tasks ${ranges(s.tasks)}`]),
    ...(s.test === undefined ? [] : [`tested on tasks ${ranges(s.test)}`]),
  ].join(", ");
}

/** The verdict on the paper's claim. */
export type Verdict = "confirmed" | "not shown" | "not confirmed" | "inconclusive";

/**
 * Compares the paper's claim with a run. The training decides it: the learners that were trained with the
 * automaton and those that were trained without it both plan with it, tasks that were not trained.
 */
export function claimInWords(r: LearnResult): { readonly verdict: Verdict; readonly said: readonly string[] } {
  const [first, second] = r.arms;
  if (r.claim === undefined || first === undefined || second === undefined) {
    return {
      verdict: "inconclusive",
      said: ["Only one kind of learner was trained. The claim compares two: choose both to test it."],
    };
  }
  const a = first.points.at(-1)?.reward;
  const b = second.points.at(-1)?.reward;
  const [begun, ended] = [second.points[0]?.valid, second.points.at(-1)?.valid];
  const { difference: d, training } = r.claim;
  const said = [
    r.claim.allValid
      ? `With the automaton all ${whole(first.plans)} plans are valid from the first epoch.`
      : `With the automaton ${whole(first.valid)} of ${whole(first.plans)} plans are valid.`,
    `Without it ${percent(begun?.mean)} of the plans are valid in the first epoch and ${percent(ended?.mean)} in the last.`,
    `After ${count(r.epochs, "epoch")} the reward on the trained tasks is ${figure(a?.mean)} with the automaton and ${figure(b?.mean)} without it: ${compared(d, r.seeds)}. The first learner also plans with the automaton, so this is not the effect of the training alone.`,
  ];
  if (training === undefined) {
    return { verdict: "inconclusive", said: [...said, "Choose controls to separate the training from the planning."] };
  }
  said.push(
    `If both plan with it, the reward on ${count(training.tasks, "task")} that ${training.split ? "were not" : "were"} trained is ${compared(training.difference, r.seeds)}.`,
  );
  const { verdict, why } = decided(r, r.claim.allValid, training);
  return { verdict, said: [...said, why] };
}

/** Decides the claim by the effect of the training. */
function decided(
  r: LearnResult,
  allValid: boolean,
  training: LearnTraining,
): { readonly verdict: Verdict; readonly why: string } {
  if (!training.split)
    return {
      verdict: "inconclusive",
      why: "Test tasks that are not trained to see whether more is learnt than these.",
    };
  if (r.seeds < 2)
    return { verdict: "inconclusive", why: "One seed cannot separate learning from chance: use several." };
  if (training.lower)
    return {
      verdict: "not confirmed",
      why: "The claim is not confirmed here: training with the automaton teaches less.",
    };
  if (!training.higher) return { verdict: "not shown", why: "The interval contains 0, so an effect is not shown." };
  if (!allValid)
    return {
      verdict: "not confirmed",
      why: "The claim is not confirmed here: training with the automaton teaches more, but not all samples are valid.",
    };
  return {
    verdict: "confirmed",
    why: "The claim is confirmed here: all samples are valid, and training with the automaton teaches more.",
  };
}

/** Describes a difference of rewards. */
function compared(d: LearnInterval, seeds: number): string {
  return `${d.mean < 0 ? "lower" : "higher"} by ${figure(Math.abs(d.mean))}, compared for each seed${seeds > 1 ? ` (95 % interval of the difference ${span(d)})` : ""}`;
}

/** Describes a curve for people who do not see it. */
export function curveInWords(curve: Curve, measure: Measure): string {
  const known = curve.points.filter((p) => p !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return "";
  const shown = (i: LearnInterval): string => (measure === "valid" ? percent(i.mean) : figure(i.mean));
  return `${armName(curve.with)} the automaton from ${shown(first[measure])} in epoch ${first.epoch} to ${shown(last[measure])} in epoch ${last.epoch}`;
}

/** Returns all epochs' figures, one line per arm and epoch. All rewards are simulated, as the last column says. */
export function figuresAsCSV(curves: readonly Curve[]): string {
  return csv(
    ["automaton", "epoch", "valid", "valid low", "valid high", "reward", "reward low", "reward high", "simulated"],
    curves.flatMap((c) =>
      c.points.map((p) => [
        armName(c.with),
        p.epoch,
        p.valid.mean,
        p.valid.low,
        p.valid.high,
        p.reward.mean,
        p.reward.low,
        p.reward.high,
        "true",
      ]),
    ),
  );
}

/** Returns all figures of a run with the settings to reproduce it, without trajectories. */
export function figuresAsJSON(run: Run): string {
  const result = resultOf(run);
  const { trajectories: _, ...figures } = result ?? { trajectories: [] };
  const learners = epochsOf(run).map(({ seed, with: automaton, epoch, plans, valid, reward }) => ({
    seed,
    automaton,
    epoch,
    plans,
    valid,
    reward,
  }));
  return JSON.stringify(
    {
      seed: run.params.seed ?? 0,
      settings: run.params.settings ?? {},
      ...(result === undefined ? { curves: curvesOf(epochsOf(run)) } : figures),
      learners,
    },
    null,
    1,
  );
}

/** Parses a list of positions in a task file, "0-19, 105". Returns undefined if it is invalid. */
export function placesOf(text: string): readonly number[] | undefined {
  const out = new Set<number>();
  for (const part of text
    .split(",")
    .map((p) => p.trim())
    .filter((p) => p !== "")) {
    const [, from, to] = /^(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?$/.exec(part) ?? [];
    if (from === undefined || Number(to ?? from) < Number(from)) return undefined;
    for (let n = Number(from); n <= Number(to ?? from); n++) out.add(n);
  }
  return [...out];
}

function ranges(places: readonly number[]): string {
  const out: string[] = [];
  for (let i = 0; i < places.length; i++) {
    const from = i;
    while (places[i + 1] === (places[i] ?? 0) + 1) i++;
    out.push(from === i ? String(places[i]) : `${places[from]}–${places[i]}`);
  }
  return out.join(", ");
}

/** Formats a share in per cent. Only the exact shares 0 and 1 become 0 and 100. */
export function percent(share: number | undefined): string {
  if (share === undefined) return "–";
  const text = (100 * share).toFixed(1).replace(/\.0$/, "");
  if (share < 1 && text === "100") return "99.9\u00a0%";
  return share > 0 && text === "0" ? "0.1\u00a0%" : `${text}\u00a0%`;
}

/** Formats a reward with three digits. */
export function figure(n: number | undefined): string {
  return n === undefined ? "–" : n.toFixed(3);
}

/** Formats an interval. */
export function span(i: LearnInterval, write: (n: number) => string = figure): string {
  return `${write(i.low)} to ${write(i.high)}`;
}

function whole(n: number): string {
  return n.toLocaleString("en");
}
