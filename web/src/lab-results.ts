// What an experiment came to, as the Lab tab shows it: figures in words, how far a run
// is, and what its cells took.
import { createStore, entries, set, delMany, type UseStore } from "idb-keyval";
import type { Run } from "./state.js";
import { kept, type Kept } from "./storage.js";
import type { LabCellEvent, LabColumn, LabOutcome, LabRow, LabTable, LabTableEvent, LabValue } from "./wire.js";

/** How far an experiment's run is, and what it took so far; what was handed in is not counted. */
export interface Progress {
  readonly of: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
  /** Why no more cells were begun, "" where that is not so. */
  readonly stopped: string;
}

/** The cells of a run as they are now, those that have not begun left out. */
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
  return { of: all[0]?.of ?? 0, done: number("done"), failed: number("failed"), running: number("running"), calls: spent("calls"), tokens: spent("tokens"), money: spent("cost"), stopped };
}

/** The last table that a run told. */
export function tableOf(run: Run): LabTable | undefined {
  return (run.events as readonly LabTableEvent[]).findLast((e) => e.kind === "lab.table")?.table;
}

/** A number of a cell, 0 where it was not measured. */
export function measure(outcome: LabOutcome, name: string): number {
  return outcome.measures.find((m) => m.name === name)?.count ?? 0;
}

/** Whether a cell is over, with figures or without. */
export function isOver(outcome: LabOutcome): boolean {
  return outcome.state === "done" || outcome.state === "failed";
}

/** Whether a row was published. */
export function isPublished(row: LabRow): boolean {
  return row.reference !== undefined && row.reference !== "";
}

/** A figure as people read it: shares in per cent. */
export function figure(value: Pick<LabValue, "share">, n: number): string {
  if (value.share) return String(Math.round(1000 * n) / 10);
  if (Number.isInteger(n)) return n.toLocaleString("en");
  const places = [100, 10, 1, 0.01].findIndex((least) => Math.abs(n) >= least);
  return n.toLocaleString("en", { minimumFractionDigits: places < 0 ? 0 : places, maximumFractionDigits: places < 0 ? 5 : places });
}

/** A figure with its sign. */
export function signed(value: Pick<LabValue, "share">, n: number): string {
  return figure(value, n) + (value.share ? " %" : "");
}

/** A measure of a cell in words. */
export function measured({ name, count, of }: LabOutcome["measures"][number]): string {
  return of ? `${name} ${count}/${of}` : `${name} ${figure({ share: false }, count)}`;
}

const units: Readonly<Record<string, string>> = { calls: "calls a cell", tokens: "tokens a cell", seconds: "seconds a cell", cost: "dollars a cell", violations: "a cell", corrections: "a cell" };

/** What an axis of a column says. */
export function axisOf(column: LabColumn, rows: readonly LabRow[], at: number): string {
  if (rows.some((r) => r.values[at]?.known === true && r.values[at].share)) return `${column.title}, %`;
  const unit = units[column.measure];
  if (column.sum === true || unit === undefined) return column.title;
  return column.title === column.measure ? unit : `${column.title}, ${unit}`;
}

/** What a cell costs, each with its axis. */
export const costs = [["tokens", "tokens a cell"], ["calls", "calls a cell"], ["cost", "dollars a cell"], ["seconds", "seconds a cell"]] as const;

/** The mean of a cost over the cells of a method with a model; undefined where there are none. */
export function meanCost(outcomes: readonly LabOutcome[], row: LabRow, name: string): number | undefined {
  const cells = outcomes.filter((o) => o.state === "done" && o.method === row.method && o.model === row.model);
  return cells.length === 0 ? undefined : cells.reduce((sum, o) => sum + measure(o, name), 0) / cells.length;
}

// What this device keeps of results, so that they are there after a reload, whatever
// became of the run. No key is among them.

/** What was kept of an experiment. */
export interface KeptResults {
  readonly at: number;
  readonly outcomes: readonly LabOutcome[];
}

/** Results that are longer, in characters, are kept without what models answered. */
const MAX_LENGTH = 4_000_000;

let opened: UseStore | undefined;
const store = (): UseStore => (opened ??= createStore("stile-lab", "results"));

/** Keeps the results of an experiment so far, and reports how that ended. */
export function keepResults(name: string, outcomes: readonly LabOutcome[]): Promise<Kept> {
  const plain = JSON.stringify(outcomes).length > MAX_LENGTH ? outcomes.map(({ answers: _, ...o }) => o) : outcomes;
  return kept(() => set(name, { at: Date.now(), outcomes: plain } satisfies KeptResults, store()));
}

/** All that is kept, by the names of experiments. */
export async function keptResults(): Promise<ReadonlyMap<string, KeptResults>> {
  try {
    return new Map((await entries<string, KeptResults>(store())).sort(([, a], [, b]) => b.at - a.at));
  } catch {
    return new Map();
  }
}

/** Forgets what is kept of an experiment. */
export async function forgetResults(name: string): Promise<void> {
  try {
    await delMany([name], store());
  } catch {
    // It is not there, then.
  }
}
