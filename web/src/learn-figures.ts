import type { Run } from "./state.js";
import { csv } from "./table-text.js";
import type { LearnEpochEvent, LearnInterval, LearnPoint, LearnResult, LearnSettings } from "./wire.js";
import { count } from "./words.js";

// What a run of learners has come to, as curves, as words and as files. All figures are
// the core's: nothing is worked out here but how they are written.

/** What there is of an arm: its epochs, over the seeds so far or over all of them. */
export interface Curve {
  /** The automaton. */
  readonly with: boolean;
  readonly points: readonly LearnPoint[];
}

/** What a curve shows. */
export type Measure = "valid" | "reward";

/** An arm's name as it is written beside its curve. */
export function armName(withAutomaton: boolean): string {
  return withAutomaton ? "with" : "without";
}

/** What a run came to; undefined before its end. */
export function resultOf(run: Run): LearnResult | undefined {
  return (run.events as readonly { readonly kind: string }[]).findLast((e): e is LearnResult => e.kind === "learn.done");
}

export function epochsOf(run: Run): readonly LearnEpochEvent[] {
  return (run.events as readonly { readonly kind: string }[]).filter((e): e is LearnEpochEvent => e.kind === "learn.epoch");
}

/** The curves so far, with the automaton first: of each epoch what was said last. */
export function curvesOf(epochs: readonly LearnEpochEvent[]): readonly Curve[] {
  return [true, false].flatMap((arm) => {
    const points: LearnPoint[] = [];
    for (const e of epochs) if (e.with === arm) points[e.epoch - 1] = e.soFar;
    return points.length === 0 ? [] : [{ with: arm, points }];
  });
}

/** Settings in words, so that whoever reads a result can have it again. */
export function settingsInWords(seed: number | undefined, s: LearnSettings): string {
  const arms = { both: "with the automaton and without it", with: "with the automaton only", without: "without the automaton only" }[s.automaton ?? "both"] ?? "";
  return [
    `seed ${seed ?? 0}`, count(s.seeds ?? 20, "learner") + (arms.startsWith("with the automaton and") ? " of each kind" : ""), arms, count(s.epochs ?? 30, "epoch"), `rate ${s.rate ?? 0.001}`,
    ...((s.batch ?? 1) === 1 ? [] : [`a step after ${count(s.batch ?? 1, "plan")}`]), `prior ${s.prior ?? 5}`, ...(s.tasks === undefined ? [] : [`of the tasks only ${ranges(s.tasks)}`]),
  ].join(", ");
}

/** The claim of the paper held against a run, a sentence each, and whether it holds; null where it cannot be told. */
export function claimInWords(r: LearnResult): { readonly holds: boolean | null; readonly said: readonly string[] } {
  const [first, second] = r.arms;
  if (r.claim === undefined || first === undefined || second === undefined) {
    return { holds: null, said: ["Only one kind of learners has learnt. The claim compares two: choose both to hold it against this run."] };
  }
  const a = first.points.at(-1)?.reward;
  const b = second.points.at(-1)?.reward;
  const [begun, ended] = [second.points[0]?.valid, second.points.at(-1)?.valid];
  const { difference: d } = r.claim;
  const said = [
    r.claim.allValid
      ? `With the automaton all ${whole(first.plans)} plans are valid, from the first epoch on.`
      : `With the automaton ${whole(first.valid)} of ${whole(first.plans)} plans are valid.`,
    `Without it ${percent(begun?.mean)} of the plans are valid in the first epoch and ${percent(ended?.mean)} in the last.`,
    `After ${count(r.epochs, "epoch")} the reward is ${figure(a?.mean)} with the automaton and ${figure(b?.mean)} without it: ${d.mean < 0 ? "lower" : "higher"} by ${figure(Math.abs(d.mean))}, seed by seed${r.seeds > 1 ? ` (95 % interval of the difference ${span(d)})` : ""}.`,
  ];
  if (r.claim.holds) return { holds: true, said: [...said, "So what the paper says is seen here: all samples are valid, and more is learnt from them."] };
  if (r.seeds < 2) return { holds: null, said: [...said, "One seed does not tell learning from chance: take several."] };
  if (!r.claim.higher) {
    return { holds: d.high < 0 ? false : null, said: [...said, d.high < 0 ? "So what the paper says is not seen here: less was learnt with the automaton." : "The interval holds 0, so that this is not to be told from chance: take more seeds or more epochs."] };
  }
  return { holds: false, said: [...said, "More is learnt, but not all samples are valid: what the paper says is not seen here."] };
}

/** A curve in words, for those who do not see it. */
export function curveInWords(curve: Curve, measure: Measure): string {
  const known = curve.points.filter((p) => p !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return "";
  const shown = (i: LearnInterval): string => (measure === "valid" ? percent(i.mean) : figure(i.mean));
  return `${armName(curve.with)} the automaton from ${shown(first[measure])} in epoch ${first.epoch} to ${shown(last[measure])} in epoch ${last.epoch}`;
}

/** All epochs' figures, a line for each arm and epoch. */
export function figuresAsCSV(curves: readonly Curve[]): string {
  return csv(
    ["automaton", "epoch", "valid", "valid low", "valid high", "reward", "reward low", "reward high"],
    curves.flatMap((c) => c.points.map((p) => [armName(c.with), p.epoch, p.valid.mean, p.valid.low, p.valid.high, p.reward.mean, p.reward.low, p.reward.high])),
  );
}

/** All figures of a run with what it takes to have them again, without its trajectories. */
export function figuresAsJSON(run: Run): string {
  const result = resultOf(run);
  const { trajectories: _, ...figures } = result ?? { trajectories: [] };
  const learners = epochsOf(run).map(({ seed, with: automaton, epoch, plans, valid, reward }) => ({ seed, automaton, epoch, plans, valid, reward }));
  return JSON.stringify({ seed: run.params.seed ?? 0, settings: run.params.settings ?? {}, ...(result === undefined ? { curves: curvesOf(epochsOf(run)) } : figures), learners }, null, 1);
}

/** A list of places in a file of tasks: "0-19, 105". Undefined where it is none. */
export function placesOf(text: string): readonly number[] | undefined {
  const out = new Set<number>();
  for (const part of text.split(",").map((p) => p.trim()).filter((p) => p !== "")) {
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

/** A share in per cent; what is not quite all or nothing is not written so. */
export function percent(share: number | undefined): string {
  if (share === undefined) return "–";
  const text = (100 * share).toFixed(1).replace(/\.0$/, "");
  if (share < 1 && text === "100") return "99.9\u00a0%";
  return share > 0 && text === "0" ? "0.1\u00a0%" : `${text}\u00a0%`;
}

/** A reward with three digits. */
export function figure(n: number | undefined): string {
  return n === undefined ? "–" : n.toFixed(3);
}

/** An interval's ends. */
export function span(i: LearnInterval, write: (n: number) => string = figure): string {
  return `${write(i.low)} to ${write(i.high)}`;
}

function whole(n: number): string {
  return n.toLocaleString("en");
}
