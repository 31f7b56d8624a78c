// What the form of an agent's run asks for.
import type { AgentSettings } from "./run-form.js";

/** The form as it is before anything was chosen. */
export const usualAgent: AgentSettings = {
  environment: "", samples: 0, then: "", evaluator: "", reference: "", keep: "", forced: false, eager: false, native: false,
  maxSteps: 0, maxLoops: 0, maxCorrections: 0, maxTokens: 0, chunk: 0, temperature: 0, template: "",
};

/** The file of a workspace that declares the tools of its agents. */
export const agentToolsFile = "agent-tools.json";
