// Folds the events of a problem's run, and of a search for a plan with steps, into a view.
import type {
  Asked,
  Assessed,
  Found,
  FormulateResult,
  FormulateSpent,
  LlmThought,
  ProductMade,
  ProductOffer,
  RunEvent,
  StageReply,
  StageState,
  Tried,
} from "../run/events.js";
import { withThought } from "../run/thoughts.js";

/** A stage's prompt and answer. */
export interface StageTurn {
  readonly type: "turn";
  readonly stage: string;
  readonly round: number;
  readonly attempt: number;
  readonly prompt: string;
  readonly thoughts: readonly LlmThought[];
  readonly live: string;
  readonly reply?: StageReply;
}

/** An entry of the run's history, in order. */
export type FormulateEntry =
  | StageTurn
  | { readonly type: "product"; readonly round: number; readonly product: ProductMade }
  | { readonly type: "solve"; readonly round: number; readonly asked: Asked }
  | { readonly type: "finding"; readonly round: number; readonly found: Found }
  | { readonly type: "assess"; readonly round: number; readonly assessed: Assessed };

export interface FormulateView {
  /** The stages by name. */
  readonly stages: ReadonlyMap<string, StageState>;
  readonly entries: readonly FormulateEntry[];
  /** The latest products of the stages, by file name. */
  readonly products: ReadonlyMap<string, ProductMade>;
  /** The product to approve. */
  readonly offer?: ProductOffer;
  readonly round: number;
  readonly spent: FormulateSpent;
  readonly result?: FormulateResult;
}

export const emptyFormulate: FormulateView = {
  stages: new Map(),
  entries: [],
  products: new Map(),
  round: 1,
  spent: { calls: 0, usage: { prompt: 0, completion: 0 }, money: 0, milliseconds: 0, solving: 0, solves: 0 },
};

type FormulateEvent = Extract<RunEvent, { readonly kind: `formulate.${string}` }>;

export function ofFormulate(event: RunEvent): event is FormulateEvent {
  return event.kind.startsWith("formulate.");
}

/** Returns the view after an event. */
export function advanceFormulate(before: FormulateView, event: FormulateEvent): FormulateView {
  const { offer: _, ...view } = before;
  const round = "round" in event ? Math.max(event.round, view.round) : view.round;
  const { entries } = view;
  switch (event.kind) {
    case "formulate.stage":
      return { ...view, round, stages: new Map(view.stages).set(event.stage, event) };
    case "formulate.prompt":
      return {
        ...view,
        round,
        entries: [
          ...entries,
          {
            type: "turn",
            stage: event.stage,
            round: event.round,
            attempt: event.attempt,
            prompt: event.prompt,
            thoughts: [],
            live: "",
          },
        ],
      };
    case "formulate.delta":
      return {
        ...before,
        entries: latest(entries, event.stage, (turn) => ({ ...turn, live: turn.live + event.text })),
      };
    case "formulate.reply":
      return {
        ...view,
        round,
        spent: event.spent,
        entries: latest(entries, event.stage, (turn) => ({ ...turn, live: "", reply: event })),
      };
    case "formulate.product":
      return {
        ...view,
        round,
        products: new Map(view.products).set(event.name, event),
        entries: [...entries, { type: "product", round: event.round, product: event }],
      };
    case "formulate.offer":
      return { ...view, offer: event };
    case "formulate.solve":
      return { ...view, round, entries: asked(entries, event) };
    case "formulate.finding":
      return { ...view, round, entries: [...entries, { type: "finding", round: event.round, found: event }] };
    case "formulate.assess":
      return { ...view, round, entries: [...entries, { type: "assess", round: event.round, assessed: event }] };
    case "formulate.done":
      return { ...view, result: event.result, spent: event.result.spent };
  }
}

/** Returns the view after a thought of the stage that is asked. */
export function thoughtOfStage(view: FormulateView, event: LlmThought): FormulateView {
  const at = view.entries.findLastIndex((e) => e.type === "turn");
  const turn = view.entries[at];
  if (turn?.type !== "turn" || turn.reply !== undefined) return view;
  return { ...view, entries: view.entries.with(at, { ...turn, thoughts: withThought(turn.thoughts, event) }) };
}

/** Replaces a solver's question with its answer. */
function asked(entries: readonly FormulateEntry[], event: Asked): readonly FormulateEntry[] {
  const at =
    event.result === undefined ? -1 : entries.findLastIndex((e) => e.type === "solve" && e.asked.result === undefined);
  const entry: FormulateEntry = { type: "solve", round: event.round, asked: event };
  return at < 0 ? [...entries, entry] : entries.with(at, entry);
}

function latest(
  entries: readonly FormulateEntry[],
  stage: string,
  change: (turn: StageTurn) => StageTurn,
): readonly FormulateEntry[] {
  const at = entries.findLastIndex((e) => e.type === "turn" && e.stage === stage);
  const turn = entries[at];
  return turn?.type === "turn" ? entries.with(at, change(turn)) : entries;
}

/** Returns the solver's open question, if any. */
export function openQuestion({ entries }: FormulateView): Asked | undefined {
  const last = entries.findLast((e) => e.type === "solve");
  return last?.type === "solve" && last.asked.result === undefined ? last.asked : undefined;
}

/** Counts the faults found so far. */
export function wrongs({ entries }: FormulateView): number {
  return entries.filter((e) => e.type === "finding" || (e.type === "turn" && (e.reply?.faults.length ?? 0) > 0)).length;
}

/** Returns the tried numbers of steps after a further event. The last number may be in progress. */
export function advanceTried(tried: readonly Tried[], now: Tried): readonly Tried[] {
  const last = tried.at(-1);
  return last !== undefined && last.steps === now.steps && last.status === "" ? tried.with(-1, now) : [...tried, now];
}

/** Summarises the last event. */
export function saidOfFormulate({ entries, result, stages }: FormulateView): string {
  if (result !== undefined) return result.status;
  const last = entries.at(-1);
  switch (last?.type) {
    case "turn":
      return `the ${last.stage} ${last.reply === undefined ? "is asked" : "answered"}`;
    case "product":
      return `${last.product.name} was made`;
    case "solve":
      return last.asked.result === undefined
        ? "the solver is working"
        : `the solver reports ${last.asked.result.status}`;
    case "finding":
      return `faults found: ${last.found.finding.mistake}`;
    case "assess":
      return last.assessed.wrong === "" ? "all judged correct" : `the ${last.assessed.wrong} judged incorrect`;
  }
  return [...stages.values()].at(-1)?.stage ?? "";
}
