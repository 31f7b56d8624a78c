// The results of an experiment for the Lab tab: formatted figures, progress, and costs of the
// cells.
import { createStore, entries, set, delMany, type UseStore } from "idb-keyval";
import type { Run } from "../store/state.js";
import { kept, type Kept } from "../store/storage.js";
import type { LabCellEvent, LabColumn, LabOutcome, LabRow, LabTable, LabTableEvent, LabValue } from "../core/wire.js";

/** Progress and cost of an experiment's run, without imported cells. */
export interface Progress {
  readonly of: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
  /** The reason why no more cells start, or "". */
  readonly stopped: string;
}

/** Returns the started cells of a run. */
export function cellsOf(run: Run): readonly LabOutcome[] {
  const cells = new Map<number, LabOutcome>();
  for (const e of run.events as readonly LabCellEvent[]) if (e.kind === "lab.cell") cells.set(e.cell, e.outcome);
  return [...cells].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
}

export function progressOf(run: Run): Progress {
  const last = new Map<number, LabCellEvent>();
  let stopped = "";
  for (const e of run.events as readonly (LabCellEvent | LabTableEvent)[]) {
    if (e.kind === "lab.cell") last.set((e as LabCellEvent).cell, e as LabCellEvent);
    else if (e.kind === "lab.table") ({ stopped } = e as LabTableEvent);
  }
  const all = [...last.values()];
  const number = (state: string): number => all.filter((e) => e.outcome.state === state).length;
  const spent = (name: string): number => all.reduce((sum, e) => sum + (e.known ? 0 : measure(e.outcome, name)), 0);
  return {
    of: all[0]?.of ?? 0,
    done: number("done"),
    failed: number("failed"),
    running: number("running"),
    calls: spent("calls"),
    tokens: spent("tokens"),
    money: spent("cost"),
    stopped,
  };
}

/** Returns the last table of a run. */
export function tableOf(run: Run): LabTable | undefined {
  return (run.events as readonly LabTableEvent[]).findLast((e) => e.kind === "lab.table")?.table;
}

/** Returns a measure of a cell, or 0. */
export function measure(outcome: LabOutcome, name: string): number {
  return outcome.measures.find((m) => m.name === name)?.count ?? 0;
}

/** Reports whether a cell is finished, with or without figures. */
export function isOver(outcome: LabOutcome): boolean {
  return outcome.state === "done" || outcome.state === "failed";
}

/** Reports whether a row is published. */
export function isPublished(row: LabRow): boolean {
  return row.reference !== undefined && row.reference !== "";
}

/** Formats a figure; shares are percentages. */
export function figure(value: Pick<LabValue, "share">, n: number): string {
  if (value.share) return String(Math.round(1000 * n) / 10);
  if (Number.isInteger(n)) return n.toLocaleString("en");
  const places = [100, 10, 1, 0.01].findIndex((least) => Math.abs(n) >= least);
  return n.toLocaleString("en", {
    minimumFractionDigits: places < 0 ? 0 : places,
    maximumFractionDigits: places < 0 ? 5 : places,
  });
}

/** Formats a figure with its sign. */
export function signed(value: Pick<LabValue, "share">, n: number): string {
  return figure(value, n) + (value.share ? " %" : "");
}

/** Formats a measure of a cell. */
export function measured({ name, count, of }: LabOutcome["measures"][number]): string {
  return of ? `${name} ${count}/${of}` : `${name} ${figure({ share: false }, count)}`;
}

const units: Readonly<Record<string, string>> = {
  calls: "calls per cell",
  tokens: "tokens per cell",
  seconds: "seconds per cell",
  cost: "dollars per cell",
  violations: "per cell",
  corrections: "a cell",
};

/** Returns the axis label of a column. */
export function axisOf(column: LabColumn, rows: readonly LabRow[], at: number): string {
  if (rows.some((r) => r.values[at]?.known === true && r.values[at].share)) return `${column.title}, %`;
  const unit = units[column.measure];
  if (column.sum === true || unit === undefined) return column.title;
  return column.title === column.measure ? unit : `${column.title}, ${unit}`;
}

/** The costs of a cell with their axis labels. */
export const costs = [
  ["tokens", "tokens per cell"],
  ["calls", "calls per cell"],
  ["cost", "dollars per cell"],
  ["seconds", "seconds per cell"],
] as const;

/** Returns the mean cost of a row's cells; undefined if there are none. */
export function meanCost(outcomes: readonly LabOutcome[], row: LabRow, name: string): number | undefined {
  const cells = outcomes.filter((o) => o.state === "done" && o.method === row.method && o.model === row.model);
  return cells.length === 0 ? undefined : cells.reduce((sum, o) => sum + measure(o, name), 0) / cells.length;
}

// Results that this device keeps, so that they survive a reload. No key is among them.

/** The kept results of an experiment. */
export interface KeptResults {
  readonly at: number;
  readonly outcomes: readonly LabOutcome[];
}

/** The length, in characters, above which results are kept without the models' answers. */
const MAX_LENGTH = 4_000_000;

let opened: UseStore | undefined;
const store = (): UseStore => (opened ??= createStore("stile-lab", "results"));

/** Keeps the results of an experiment so far, and reports how the write ended. */
export function keepResults(name: string, outcomes: readonly LabOutcome[]): Promise<Kept> {
  const plain = JSON.stringify(outcomes).length > MAX_LENGTH ? outcomes.map(({ answers: _, ...o }) => o) : outcomes;
  return kept(() => set(name, { at: Date.now(), outcomes: plain } satisfies KeptResults, store()));
}

/** Returns all kept results by the experiments' names. */
export async function keptResults(): Promise<ReadonlyMap<string, KeptResults>> {
  try {
    return new Map((await entries<string, KeptResults>(store())).sort(([, a], [, b]) => b.at - a.at));
  } catch {
    return new Map();
  }
}

/** Deletes the kept results of an experiment. */
export async function forgetResults(name: string): Promise<void> {
  try {
    await delMany([name], store());
  } catch {
    // There are none.
  }
}
