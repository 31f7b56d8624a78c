// The parameters of runs, from the workspace and the form's settings.
import { agentRunSettings } from "./agent-run.js";
import { endpointOf } from "../models/endpoint-actions.js";
import { alone, problemSettings } from "../problem/problem-settings.js";
import type { Drafting } from "./run-command.js";
import { enforced } from "./run-rules.js";
import { modelSettings, planSettings, sampling } from "./run-settings.js";
import { isBroken, notationOf, runTarget, specKind } from "../store/file-kind.js";
import type { RunKind, State } from "../store/state.js";
import { teamRunSettings } from "../team/team-settings.js";
import type { RunStartParams } from "../core/wire.js";

/** The parameters of a run of a kind that the page knows. */
export type StartParams = RunStartParams & { readonly kind: RunKind };

/** Returns the run of the open spec, or of the workspace's first; null if there is none or it has errors. */
export function specRun(state: State): StartParams | null {
  const { files, settings, endpoints, analysis } = state;
  const target = runTarget(state);
  if (target === null || isBroken(target, analysis)) return null;
  const check = state.checks.find((c) => c.name === target.name)?.result;
  const settingsFor = (kind: RunKind): unknown => {
    if (kind === "formulate" || kind === "solve" || kind === "steps")
      return problemSettings(kind, settings, endpoints, files, target.name);
    const endpoint = endpointOf(settings, endpoints);
    const rules = enforced(files, settings.rules);
    if (kind === "plan") {
      const plan = planSettings(settings, endpoint, files, target.name);
      return { ...plan, ...(plan.execute === true && rules) };
    }
    if (kind === "team") return { ...teamRunSettings(settings, endpoints, files, check?.team), ...rules };
    return {
      ...agentRunSettings(settings, modelSettings(settings, endpoint), files, target.name, check?.agent?.calls),
      ...rules,
    };
  };
  const { kind, name } = alone(settings, state) ?? target;
  return { kind, workspace: { files, name }, settings: settingsFor(kind), seed: settings.seed };
}

/** Returns the comparison of planning methods on the open spec; null if it has no plans. */
export function comparison(state: State, methods: readonly string[], tries: number): StartParams | null {
  const { files, settings, endpoints } = state;
  const target = runTarget(state);
  if (target?.kind !== "plan") return null;
  return {
    kind: "compare",
    workspace: { files, name: target.name },
    seed: settings.seed,
    ceiling: { calls: settings.maxCalls, tokens: settings.maxTokens, money: settings.maxMoney },
    settings: {
      task: settings.task,
      model: modelSettings(settings, endpointOf(settings, endpoints)),
      methods,
      tries,
      wording: "paper",
      ...(methods.includes("few-shot") && { solved: true }),
      ...(settings.attempts > 0 && { attempts: settings.attempts }),
      ...sampling(settings),
    },
  };
}

/** Returns the run that drafts a spec. */
export function drafting(
  { files, settings, endpoints }: State,
  { description, languages, pass, fail, rounds, change }: Drafting,
): StartParams {
  const begun = change ? files.filter((f) => specKind(f.name) === "plan" || notationOf(f.name) === "formulas") : [];
  return {
    kind: "draft",
    // Rules are drafted for the tools that the workspace declares.
    workspace: { files: languages.includes("rules") ? files.filter((f) => f.name.endsWith(".json")) : [] },
    seed: settings.seed,
    settings: {
      description,
      languages,
      examples: { pass, fail },
      rounds,
      model: modelSettings(settings, endpointOf(settings, endpoints)),
      ...sampling(settings),
      ...(begun.length > 0 && { files: begun }),
    },
  };
}
