// Converts the form of a team's run into the core's settings.
import { agentToolsFile } from "../run/agent-settings.js";
import { allAgreed } from "../core/tool-consent.js";
import { endpointOf } from "../models/endpoint-actions.js";
import type { TeamFacts, TeamSettings } from "../run/events.js";
import type { Environment, RunSettings, TeamForm } from "../run/run-form.js";
import { bounds, modelSettings } from "../run/run-settings.js";
import type { Endpoint } from "../store/state.js";
import { hasRecords } from "../store/benchmark-files.js";
import type { File, LlmSpec, ToolAgenttoolsRemoteCall } from "../core/wire.js";

export const usualTeam: TeamForm = {
  method: "",
  known: "",
  approve: false,
  supervisor: "",
  otherwise: "",
  environment: "",
  steps: 0,
  retries: -1,
  concurrent: 0,
  maxTokens: 0,
  temperature: 0,
  models: {},
  scripted: true,
  templates: {},
};

/** Returns the form's settings of teams, with defaults. */
export function teamForm(s: RunSettings): TeamForm {
  return { ...usualTeam, ...s.team };
}

/** The file with a team's answers by role: its runs need no model. */
export const teamScriptFile = "team-script.json";

/** Returns the workspace's script, or null if it has no valid one. */
export function teamScript(files: readonly File[]): Readonly<Record<string, readonly string[]>> | null {
  const text = files.find((f) => f.name === teamScriptFile)?.text;
  if (text === undefined) return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return null;
    const lists = Object.entries(read).filter(
      (entry): entry is [string, string[]] =>
        Array.isArray(entry[1]) && entry[1].every((line) => typeof line === "string"),
    );
    return lists.length === 0 ? null : Object.fromEntries(lists);
  } catch {
    return null;
  }
}

/** Reports whether the workspace's script answers. */
export function followsScript(s: RunSettings, files: readonly File[]): boolean {
  return (
    teamForm(s).scripted &&
    s.model !== "endpoint" &&
    s.model !== "person" &&
    teamForm(s).method === "" &&
    teamScript(files) !== null
  );
}

/** Returns the source of tool results. */
export function teamEnvironment(
  s: RunSettings,
  files: readonly File[],
  calls: readonly ToolAgenttoolsRemoteCall[] | undefined,
): Exclude<Environment, ""> {
  const { environment } = teamForm(s);
  const declared = hasRecords(files) || files.some((f) => f.name === agentToolsFile);
  const wanted =
    environment !== ""
      ? environment
      : declared && (s.model === "endpoint" || followsScript(s, files))
        ? "tools"
        : "simulated";
  return wanted === "tools" && !allAgreed(calls, s.agreed) ? "simulated" : wanted;
}

/** Returns the settings of a run of a team. */
export function teamRunSettings(
  s: RunSettings,
  endpoints: readonly Endpoint[],
  files: readonly File[],
  facts: TeamFacts | undefined,
): TeamSettings {
  const form = teamForm(s);
  const script = followsScript(s, files) ? teamScript(files) : null;
  const known = (key: string): boolean =>
    !key.startsWith("executor ") || facts === undefined || facts.executors.some((e) => key === `executor ${e.name}`);
  const own = Object.entries(form.models)
    .filter(([key]) => known(key))
    .map(([key, model]): [string, LlmSpec] => {
      const settings = { ...s, ...model };
      return [key, modelSettings(settings, endpointOf(settings, endpoints))];
    });
  const models =
    script === null
      ? own
      : Object.entries(script).map(([key, lines]): [string, LlmSpec] => [key, { kind: "scripted", script: lines }]);
  const whole = (["steps", "concurrent", "maxTokens", "temperature"] as const).filter((field) => form[field] > 0);
  return {
    task: s.task,
    model: modelSettings(s, endpointOf(s, endpoints)),
    environment: teamEnvironment(s, files, facts?.calls),
    ...(models.length > 0 && { models: Object.fromEntries(models) }),
    ...(form.method !== "" && { method: form.method }),
    ...(form.method === "sole" && { known: form.known }),
    ...(form.create && form.method === "" && { create: form.create }),
    ...(form.approve && { approve: true }),
    ...(form.supervisor !== "" && { supervisor: form.supervisor }),
    ...(form.otherwise !== "" && { otherwise: form.otherwise }),
    ...(form.retries >= 0 && { retries: form.retries }),
    ...Object.fromEntries(whole.map((field) => [field, form[field]])),
    templates: form.templates,
    budget: bounds(s).budget,
  };
}
