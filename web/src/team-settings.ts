// What the form of a team's run asks for, and says to the core.
import { agentToolsFile } from "./agent-settings.js";
import { allAgreed } from "./consent.js";
import { endpointOf } from "./endpoints.js";
import type { TeamFacts, TeamSettings } from "./events.js";
import type { Environment, RunSettings, TeamForm } from "./run-form.js";
import { bounds, modelSettings } from "./run-settings.js";
import type { Endpoint } from "./state.js";
import { hasRecords } from "./trip-files.js";
import type { File, LlmSpec, ToolRemoteCall } from "./wire.js";

export const usualTeam: TeamForm = {
  method: "", known: "", approve: false, supervisor: "", otherwise: "", environment: "", steps: 0, retries: -1, concurrent: 0, maxTokens: 0, temperature: 0,
  models: {}, scripted: true, templates: {},
};

/** The form's settings of teams, as usual where nothing was chosen. */
export function teamForm(s: RunSettings): TeamForm {
  return { ...usualTeam, ...s.team };
}

/** The file of a workspace with answers for a team, by whose they are: a run of it needs no model. */
export const teamScriptFile = "team-script.json";

/** The workspace's script, or null where it has none that can be read. */
export function teamScript(files: readonly File[]): Readonly<Record<string, readonly string[]>> | null {
  const text = files.find((f) => f.name === teamScriptFile)?.text;
  if (text === undefined) return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return null;
    const lists = Object.entries(read).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]) && entry[1].every((line) => typeof line === "string"));
    return lists.length === 0 ? null : Object.fromEntries(lists);
  } catch {
    return null;
  }
}

/** Whether the workspace's script answers. */
export function followsScript(s: RunSettings, files: readonly File[]): boolean {
  return teamForm(s).scripted && s.model !== "endpoint" && s.model !== "person" && teamForm(s).method === "" && teamScript(files) !== null;
}

/** Who fills in what tools come to. */
export function teamEnvironment(s: RunSettings, files: readonly File[], calls: readonly ToolRemoteCall[] | undefined): Exclude<Environment, ""> {
  const { environment } = teamForm(s);
  const declared = hasRecords(files) || files.some((f) => f.name === agentToolsFile);
  const wanted = environment !== "" ? environment : declared && (s.model === "endpoint" || followsScript(s, files)) ? "tools" : "simulated";
  return wanted === "tools" && !allAgreed(calls, s.agreed) ? "simulated" : wanted;
}

/** The settings of a run of a team of the workspace. */
export function teamRunSettings(s: RunSettings, endpoints: readonly Endpoint[], files: readonly File[], facts: TeamFacts | undefined): TeamSettings {
  const form = teamForm(s);
  const script = followsScript(s, files) ? teamScript(files) : null;
  const known = (key: string): boolean => !key.startsWith("executor ") || facts === undefined || facts.executors.some((e) => key === `executor ${e.name}`);
  const own = Object.entries(form.models).filter(([key]) => known(key)).map(([key, model]): [string, LlmSpec] => {
    const settings = { ...s, ...model };
    return [key, modelSettings(settings, endpointOf(settings, endpoints))];
  });
  const models = script === null ? own : Object.entries(script).map(([key, lines]): [string, LlmSpec] => [key, { kind: "scripted", script: lines }]);
  const whole = (["steps", "concurrent", "maxTokens", "temperature"] as const).filter((field) => form[field] > 0);
  return {
    task: s.task, model: modelSettings(s, endpointOf(s, endpoints)), environment: teamEnvironment(s, files, facts?.calls),
    ...(models.length > 0 && { models: Object.fromEntries(models) }),
    ...(form.method !== "" && { method: form.method }), ...(form.method === "sole" && { known: form.known }),
    ...(form.approve && { approve: true }), ...(form.supervisor !== "" && { supervisor: form.supervisor }), ...(form.otherwise !== "" && { otherwise: form.otherwise }),
    ...(form.retries >= 0 && { retries: form.retries }),
    ...Object.fromEntries(whole.map((field) => [field, form[field]])),
    templates: form.templates, budget: bounds(s).budget,
  };
}
