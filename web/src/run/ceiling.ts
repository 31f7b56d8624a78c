// The default ceilings of requests to endpoints, which the core enforces.
import type { CoreClient } from "../core/core-client.js";
import type { LlmPrice, RunDefaultsResult, RunEstimateParams, RunEstimateResult } from "../core/wire.js";
import { ask } from "../ui/confirm.js";
import type { Run } from "../store/state.js";
import { dollars } from "./run-spent.js";

/** The maximum calls, tokens and dollars of a run; 0 or undefined means unbounded. */
export interface Bounds {
  readonly calls?: number;
  readonly tokens?: number;
  readonly money?: number;
}

/** Reports whether any model in the settings is an endpoint. */
export function usesEndpoint(settings: unknown): boolean {
  if (typeof settings !== "object" || settings === null) return false;
  const { kind, model } = settings as { readonly kind?: unknown; readonly model?: unknown };
  if (kind === "endpoint" || model === "endpoint") return true; // on the wire, and in the form
  return Object.values(settings).some(usesEndpoint);
}

/** Returns the bounds of a run: those of its budget, and the default ceiling for each bound that the budget lacks. */
export function boundsOf(kind: string, settings: unknown, defaults: RunDefaultsResult | null): Bounds {
  const budget = (settings as { readonly budget?: Bounds } | undefined)?.budget ?? {};
  if (defaults === null || !usesEndpoint(settings)) return budget;
  return over(budget, kind === "compare" || kind === "benchmark" ? defaults.manyCeiling : defaults.ceiling);
}

/** Returns bounds, in which those of a ceiling replace the missing ones. */
export function over(bounds: Bounds, ceiling: Bounds): Bounds {
  return {
    calls: bounds.calls || (ceiling.calls ?? 0),
    tokens: bounds.tokens || (ceiling.tokens ?? 0),
    money: bounds.money || (ceiling.money ?? 0),
  };
}

/** Renders bounds, for example "200 calls, 1,000,000 tokens or $2.00". */
export function boundsText({ calls = 0, tokens = 0, money = 0 }: Bounds): string {
  const parts = [
    ...(calls > 0 ? [`${calls.toLocaleString("en")} calls`] : []),
    ...(tokens > 0 ? [`${tokens.toLocaleString("en")} tokens`] : []),
    ...(money > 0 ? [dollars(money)] : []),
  ];
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} or ${parts.at(-1) ?? ""}`;
}

/** Estimates a comparison from an earlier one with the same spec and model; undefined if it lacks a method. */
export function estimateFrom(
  methods: readonly string[],
  tries: number,
  before: Run | undefined,
): RunEstimateResult | undefined {
  const rows = new Map((before?.timeline.tries ?? []).map(({ row }) => [row.method, row]));
  const known = methods.flatMap((method) => rows.get(method) ?? []);
  if (known.length < methods.length) return undefined;
  const sum = (cost: (row: (typeof known)[number]) => number): number =>
    Math.ceil(known.reduce((total, row) => total + (cost(row) / Math.max(row.plans, 1)) * tries, 0));
  return {
    calls: sum((row) => row.calls),
    tokens: sum((row) => row.promptTokens + row.completionTokens),
    runs: methods.length * tries,
    tried: known.reduce((total, row) => total + row.plans, 0),
    without: [],
  };
}

/** Renders an estimate, with the dollars of the dearer price for all tokens if the price is known. */
export function estimateText(
  { calls, tokens, without }: RunEstimateResult,
  from: string,
  price: LlmPrice | null,
): string {
  const most = price === null ? "" : `, about ${dollars((tokens * Math.max(price.prompt, price.completion)) / 1e6)}`;
  const about = (n: number): string => Number(n.toPrecision(2)).toLocaleString("en");
  const missing = without.length === 0 ? "" : ` Not estimated: ${without.join(", ")}.`;
  return `About ${about(calls)} ${calls === 1 ? "call" : "calls"} and ${about(tokens)} tokens${most}, estimated from ${from}.${missing}`;
}

/** Estimates the cost of many runs by a trial with a simulated model, as text. */
export async function tried(
  core: Pick<CoreClient, "call">,
  params: RunEstimateParams,
  price: LlmPrice | null,
): Promise<string> {
  const made = await core.call("run.estimate", params);
  return `${estimateText(made, "a trial with a simulated model", price)} Thoughts and repeated requests add to it.`;
}

/** Asks the person before many runs with an endpoint start. */
export function askToSpend(what: string, estimate: string, bounds: Bounds): Promise<boolean> {
  return ask({
    title: `${what} with an endpoint`,
    text: `${estimate} It stops at ${boundsText(bounds)}; dollars are counted for endpoints whose price is known.`,
    stay: "Cancel",
    go: "Start",
  });
}
