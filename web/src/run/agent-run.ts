// Converts the form of an agent's run into the core's settings.
import { agentToolsFile } from "./agent-settings.js";
import { allAgreed } from "../core/tool-consent.js";
import type { Environment, RunSettings } from "./run-form.js";
import { rehearsalOf } from "../store/rehearsal.js";
import type { File, LlmSpec, MonitorSettings, ToolAgenttoolsRemoteCall } from "../core/wire.js";

/**
 * Returns the source of the environment's contents. Tools are called only if the workspace declares them, the
 * person agreed to their requests, and the model uses results. `calls` are the requests, or undefined
 * before the core has listed them; the worker checks each request again.
 */
export function environmentOf(
  { agent, model, agreed }: RunSettings,
  files: readonly File[],
  calls: readonly ToolAgenttoolsRemoteCall[] | undefined,
): Exclude<Environment, ""> {
  const wanted =
    agent.environment !== ""
      ? agent.environment
      : model === "endpoint" && files.some((f) => f.name === agentToolsFile)
        ? "tools"
        : "simulated";
  return wanted === "tools" && !allAgreed(calls, agreed) ? "simulated" : wanted;
}

/** Returns the names of the workspace's other agents, each of which may take over. */
export function otherAgents(files: readonly File[], name: string): readonly string[] {
  return files.map((f) => f.name).filter((other) => other.endsWith(".agent") && other !== name);
}

function isSimulated({ kind }: LlmSpec): boolean {
  return kind === "uniform" || kind === "first" || kind === "rambler";
}

/** Returns the settings of a run of an agent of the workspace. */
export function agentRunSettings(
  s: RunSettings,
  model: LlmSpec,
  files: readonly File[],
  name: string,
  calls: readonly ToolAgenttoolsRemoteCall[] | undefined,
): Partial<MonitorSettings> {
  const a = s.agent;
  const environment = environmentOf(s, files, calls);
  const rehearsal = environment === "simulated" && isSimulated(model) ? rehearsalOf(files) : null;
  const whole = (["maxSteps", "maxLoops", "maxCorrections", "maxTokens", "chunk", "temperature"] as const).filter(
    (field) => a[field] > 0,
  );
  return {
    question: s.task,
    model,
    environment,
    ...(rehearsal?.question === s.task.trim() && {
      rehearsal: { steps: rehearsal.steps, final: rehearsal.final, answer: rehearsal.answer },
    }),
    ...(a.forced && { forced: true }),
    ...(a.eager && { eager: true }),
    ...(a.native && model.kind === "endpoint" && { surface: "tools" }),
    ...(a.markdown === true && model.kind === "endpoint" && { markdown: true }),
    ...(a.template !== "" && { template: a.template }),
    ...(a.samples > 1 && { samples: a.samples, ...(otherAgents(files, name).includes(a.then) && { then: a.then }) }),
    ...(environment === "tools" && {
      ...(a.evaluator !== "" && { evaluator: a.evaluator }),
      ...(a.evaluator === "exact" && { reference: a.reference }),
      ...(a.keep !== "" && { keep: a.keep }),
    }),
    ...Object.fromEntries(whole.map((field) => [field, a[field]])),
    budget: { ...(s.maxCalls > 0 && { calls: s.maxCalls }), ...(s.maxTokens > 0 && { tokens: s.maxTokens }) },
  };
}
