// Folds a run's events into a timeline. It forms no verdict: the core decides everything that is
// shown.
import type {
  Comparison,
  CompareTry,
  DraftDone,
  DraftRound,
  LlmThought,
  MonitorCorrection,
  MonitorKeep,
  MonitorSampleEnd,
  MonitorSegment,
  MonitorSide,
  MonitorTool,
  MonitorViolation,
  PlanBack,
  PlanBeam,
  PlanDone,
  PlanExec,
  PlanOffer,
  PlanReply,
  PlanTake,
  RuleEvent,
  RunEvent,
  TeamSpent,
  Transcript,
  Tried,
} from "./events.js";
import {
  advanceFormulate,
  advanceTried,
  emptyFormulate,
  type FormulateView,
  ofFormulate,
  thoughtOfStage,
} from "../problem/formulate-view.js";
import { withThought } from "./thoughts.js";
import { advanceTeam, emptyTeam, ofTeam, type TeamView } from "../team/team-view.js";

/** A move of a plan: offer, answer and choice. */
export interface PlanMove {
  readonly type: "move";
  readonly offer?: PlanOffer;
  readonly replies: readonly PlanReply[];
  /** The model's thoughts, which precede its answers. */
  readonly thoughts: readonly LlmThought[];
  /** The streaming answer. */
  readonly live: string;
  readonly take?: PlanTake;
  /** Whether the move was undone. */
  readonly undone: boolean;
}

/** One entry of a plan's history. */
export type PlanEntry =
  PlanMove | { readonly type: "exec"; readonly exec: PlanExec } | { readonly type: "back"; readonly back: PlanBack };

/** An entry of an agent's transcript. `sample` is the number of the run, if several runs vote. */
export type MonitorEntry = { readonly sample: number } & MonitorHappening;

export type MonitorHappening =
  | { readonly type: "call"; readonly number: number }
  | { readonly type: "thought"; readonly thought: LlmThought }
  | { readonly type: "segment"; readonly segment: MonitorSegment }
  | { readonly type: "violation"; readonly violation: MonitorViolation }
  | { readonly type: "correction"; readonly correction: MonitorCorrection }
  | { readonly type: "tool"; readonly tool: MonitorTool }
  | { readonly type: "side"; readonly side: MonitorSide }
  | { readonly type: "keep"; readonly keep: MonitorKeep }
  | { readonly type: "denied"; readonly denied: RuleEvent };

/** A round of a draft: the prompt, the model's text, and its problems. */
export interface DraftEntry {
  readonly round: number;
  readonly prompt: string;
  readonly thoughts: readonly LlmThought[];
  readonly live: string;
  readonly done?: DraftRound;
}

/** The cost of a run. */
export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

export interface Timeline {
  readonly plan: readonly PlanEntry[];
  readonly planDone?: PlanDone;
  /** The rounds of a beam search. */
  readonly beam: readonly PlanBeam[];
  readonly monitor: readonly MonitorEntry[];
  readonly transcript?: Transcript;
  /** The ended runs, if several runs vote. */
  readonly samples: readonly MonitorSampleEnd[];
  /** The agent's text in progress, by run. */
  readonly writing: ReadonlyMap<number, string>;
  readonly tries: readonly CompareTry[];
  readonly comparison?: Comparison;
  readonly rounds: readonly DraftEntry[];
  readonly draft?: DraftDone;
  /** The state of a team; its sub-tasks have their own timelines. */
  readonly team?: TeamView;
  /** The state of a problem. */
  readonly formulate?: FormulateView;
  /** The tried numbers of steps; the last one has no status while it is in progress. */
  readonly tried: readonly Tried[];
  /** Streamed text that is not yet a segment or a plan. */
  readonly live: string;
  readonly calls: number;
  readonly violations: number;
  readonly spent: Spent;
  /** The reason of a retry, until the endpoint answers. */
  readonly retry: string;
}

export const emptyTimeline: Timeline = {
  plan: [],
  beam: [],
  monitor: [],
  samples: [],
  writing: new Map(),
  tries: [],
  tried: [],
  rounds: [],
  live: "",
  calls: 0,
  violations: 0,
  spent: { calls: 0, tokens: 0, money: 0 },
  retry: "",
};

/** Returns the timeline after more events. Unchanged entries stay the same objects. */
export function advance(timeline: Timeline, events: readonly unknown[]): Timeline {
  if (events.length === 0) return timeline;
  const plan = [...timeline.plan];
  const monitor = [...timeline.monitor];
  const samples = [...timeline.samples];
  const writing = new Map(timeline.writing);
  const tries = [...timeline.tries];
  const happen = ({ sample = 0 }: { readonly sample?: number }, what: MonitorHappening): void => {
    writing.delete(sample);
    monitor.push({ sample, ...what });
  };
  let {
    team,
    formulate,
    tried,
    rounds,
    comparison,
    draft,
    planDone,
    beam,
    transcript,
    live,
    calls,
    violations,
    spent,
    retry,
  } = timeline;
  for (const raw of events) {
    const event = raw as RunEvent;
    if (event.kind !== "llm.retry") retry = "";
    if (ofTeam(event)) {
      team = advanceTeam(team ?? emptyTeam, event);
      if (event.kind === "monitor.call") spent = { ...spent, calls: ++calls };
      if (event.kind === "team.violation" || event.kind === "monitor.violation" || isDenied(event)) violations++;
      if (event.kind === "team.reply" || event.kind === "team.done")
        spent = spentOf(event.kind === "team.reply" ? event.spent : event.result.spent);
      ({ calls } = spent);
      continue;
    }
    if (ofFormulate(event)) {
      formulate = advanceFormulate(formulate ?? emptyFormulate, event);
      spent = spentOf(formulate.spent);
      ({ calls } = spent);
      continue;
    }
    switch (event.kind) {
      case "steps.tried":
        tried = advanceTried(tried, event.tried);
        break;
      case "llm.retry":
        retry = `${event.why}; retrying in ${Math.max(1, Math.round(event.milliseconds / 1000))} s`;
        break;
      case "llm.spent":
        spent = atLeast(spent, event);
        break;
      case "llm.thought":
        if (team !== undefined) team = advanceTeam(team, event);
        if (formulate !== undefined) formulate = thoughtOfStage(formulate, event);
        else if (rounds.at(-1)?.done === undefined && rounds.length > 0) rounds = thoughtOfRound(rounds, event);
        else if (open(plan) !== undefined)
          change(plan, (move) => ({ ...move, thoughts: withThought(move.thoughts, event) }));
        else if (monitor.length > 0) think(monitor, event);
        break;
      case "plan.offer":
        plan.push({ type: "move", offer: event, replies: [], thoughts: [], live: "", undone: false });
        break;
      case "plan.delta":
        change(plan, (move) => ({ ...move, live: move.live + event.text }));
        break;
      case "plan.reply":
        calls++;
        spent = { calls: event.calls, tokens: event.tokens, money: event.money };
        change(plan, (move) => ({ ...move, live: "", replies: [...move.replies, event] }));
        break;
      case "plan.score":
        calls++;
        spent = { calls: event.calls, tokens: event.tokens, money: event.money };
        break;
      case "plan.beam":
        beam = [...beam, event];
        break;
      case "plan.take":
        if (open(plan) !== undefined) change(plan, (move) => ({ ...move, live: "", take: event }));
        else plan.push({ type: "move", replies: [], thoughts: [], live: "", take: event, undone: false });
        break;
      case "plan.back":
        takeBack(plan, event);
        plan.push({ type: "back", back: event });
        break;
      case "plan.exec":
        plan.push({ type: "exec", exec: event });
        break;
      case "plan.done":
        planDone = event;
        break;
      case "baseline.prompt":
        live = "";
        break;
      case "baseline.delta":
        live += event.text;
        break;
      case "compare.row":
        live = "";
        tries.push(event);
        break;
      case "compare.done":
        comparison = event;
        break;
      case "draft.prompt":
        calls++;
        spent = { ...spent, calls: Math.max(spent.calls, calls) };
        rounds = [...rounds, { round: event.round, prompt: event.prompt, thoughts: [], live: "" }];
        break;
      case "draft.delta":
        rounds = rounds.with(-1, {
          ...(rounds.at(-1) ?? { round: event.round, prompt: "", thoughts: [] }),
          live: (rounds.at(-1)?.live ?? "") + event.text,
        });
        break;
      case "draft.round":
        rounds = rounds.map((entry) => (entry.round === event.round ? { ...entry, done: event } : entry));
        break;
      case "draft.done":
        draft = event;
        spent = { calls: event.calls, tokens: event.usage.prompt + event.usage.completion, money: event.money };
        break;
      case "monitor.call":
        calls++;
        spent = { ...spent, calls };
        happen(event, { type: "call", number: event.call });
        break;
      case "monitor.delta":
        writing.set(event.sample ?? 0, (writing.get(event.sample ?? 0) ?? "") + event.text);
        break;
      case "monitor.segment":
        happen(event, { type: "segment", segment: event });
        break;
      case "monitor.violation":
        violations++;
        happen(event, { type: "violation", violation: event });
        break;
      case "monitor.correction":
        happen(event, { type: "correction", correction: event });
        break;
      case "monitor.tool":
        happen(event, { type: "tool", tool: event });
        break;
      case "monitor.side":
        calls++;
        spent = { ...spent, calls };
        happen(event, { type: "side", side: event });
        break;
      case "monitor.keep":
        happen(event, { type: "keep", keep: event });
        break;
      case "rules.event":
        if (event.denied !== true) break;
        violations++;
        happen(event, { type: "denied", denied: event });
        break;
      case "monitor.sample":
        writing.delete(event.sample);
        samples.push(event);
        break;
      case "monitor.done": {
        writing.clear();
        transcript = event.transcript;
        const { stats } = event.transcript;
        spent = {
          ...spent,
          calls: stats.calls + stats.sideCalls,
          tokens: stats.promptTokens + stats.completionTokens + stats.sideTokens,
        };
        break;
      }
    }
  }
  return {
    plan,
    beam,
    monitor,
    samples,
    writing,
    tries,
    tried,
    rounds,
    live,
    calls,
    violations,
    spent,
    retry,
    ...(team && { team }),
    ...(formulate && { formulate }),
    ...(planDone && { planDone }),
    ...(transcript && { transcript }),
    ...(comparison && { comparison }),
    ...(draft && { draft }),
  };
}

function thoughtOfRound(rounds: readonly DraftEntry[], event: LlmThought): readonly DraftEntry[] {
  const last = rounds.at(-1);
  return last === undefined ? rounds : rounds.with(-1, { ...last, thoughts: withThought(last.thoughts, event) });
}

/** Adds a thought to the transcript of its run. */
function think(monitor: MonitorEntry[], event: LlmThought): void {
  const sample = event.sample ?? 0;
  const at = monitor.findLastIndex((entry) => entry.sample === sample);
  const last = monitor[at];
  const before = last?.type === "thought" ? [last.thought] : [];
  const after = withThought(before, event);
  const thought = after.at(-1);
  if (after.length > before.length && thought !== undefined) monitor.push({ sample, type: "thought", thought });
  else if (after.length < before.length) monitor.splice(at, 1);
  else if (last?.type === "thought" && thought !== undefined) monitor[at] = { ...last, thought };
}

function isDenied(event: RunEvent): boolean {
  return event.kind === "rules.event" && event.denied === true;
}

/** Returns the larger costs: simulated models cost calls, too, and a run's totals arrive later. */
function atLeast(a: Spent, b: Spent): Spent {
  return { calls: Math.max(a.calls, b.calls), tokens: Math.max(a.tokens, b.tokens), money: Math.max(a.money, b.money) };
}

function spentOf({ calls, usage, money }: Pick<TeamSpent, "calls" | "usage" | "money">): Spent {
  return { calls, tokens: usage.prompt + usage.completion, money };
}

/** Returns the open move, if any. */
export function open(plan: readonly PlanEntry[]): PlanMove | undefined {
  const last = plan.at(-1);
  return last?.type === "move" && last.take === undefined ? last : undefined;
}

/** Returns the moves that were not undone. */
export function standing(plan: readonly PlanEntry[]): readonly PlanMove[] {
  return plan.filter((entry): entry is PlanMove => entry.type === "move" && !entry.undone);
}

function change(plan: PlanEntry[], f: (move: PlanMove) => PlanMove): void {
  const move = open(plan);
  if (move !== undefined) plan[plan.length - 1] = f(move);
}

/**
 * Marks the moves after the point to which the planner backtracked as undone. The remaining moves are a prefix
 * of all moves, and the event states the number of nodes in their tree. Moves that add no node have the same
 * number as the move before them, so the longest such prefix remains.
 */
function takeBack(plan: PlanEntry[], back: PlanBack): void {
  const stands = plan
    .map((entry, at) => ({ entry, at }))
    .filter(({ entry }) => entry.type === "move" && !entry.undone && entry.take !== undefined);
  let nodes = 1;
  let kept = 0;
  for (const [i, { entry }] of stands.entries()) {
    if (nodes === back.nodes && entry.type === "move" && entry.offer !== undefined) kept = i;
    nodes += entry.type === "move" ? grown(entry) : 0;
  }
  for (const { entry, at } of stands.slice(kept)) if (entry.type === "move") plan[at] = { ...entry, undone: true };
}

function grown(move: PlanMove): number {
  return (move.take?.grows ?? []).reduce((sum, growth) => sum + growth.children.length, 0);
}

/** Returns the positions in a run's events after which the view changes. */
export function momentsOf(events: readonly unknown[]): readonly number[] {
  const ends: ReadonlySet<string> = new Set([
    "plan.take",
    "plan.beam",
    "plan.back",
    "plan.exec",
    "monitor.segment",
    "monitor.violation",
    "monitor.correction",
    "monitor.tool",
    "monitor.side",
    "team.graph",
    "team.state",
    "team.reply",
    "team.violation",
    "formulate.reply",
    "formulate.product",
    "formulate.finding",
    "formulate.assess",
    "formulate.done",
  ]);
  return events.flatMap((event, i) => (ends.has((event as { kind: string }).kind) ? [i + 1] : []));
}

/** A node of a growing tree. A nonterminal without children waits to be expanded. */
export interface GrowingNode {
  readonly id: number;
  readonly symbol: string;
  readonly label: string;
  readonly terminal: boolean;
  readonly children?: readonly GrowingNode[];
}

/** Returns the tree of the remaining moves. */
export function growingTree(plan: readonly PlanEntry[]): GrowingNode | null {
  const moves = standing(plan);
  const expanded = new Map<number, readonly GrowingNode[]>();
  for (const move of moves)
    for (const { node, children } of move.take?.grows ?? [])
      expanded.set(node, [...(expanded.get(node) ?? []), ...children]);
  const first = moves[0];
  if (first === undefined) return null;
  const symbol = first.offer?.stack[0] ?? "";
  const grow = (leaf: GrowingNode): GrowingNode => {
    const children = expanded.get(leaf.id);
    return children === undefined ? leaf : { ...leaf, children: children.map(grow) };
  };
  return grow({ id: 0, symbol, label: first.offer?.item ?? "the plan", terminal: false });
}
