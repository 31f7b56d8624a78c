// The form of an agent's run.
import type { AgentSettings } from "./run-form.js";

/** The form's defaults. */
export const usualAgent: AgentSettings = {
  environment: "",
  samples: 0,
  then: "",
  evaluator: "",
  reference: "",
  keep: "",
  forced: false,
  eager: false,
  native: false,
  markdown: false,
  maxSteps: 0,
  maxLoops: 0,
  maxCorrections: 0,
  maxTokens: 0,
  chunk: 0,
  temperature: 0,
  template: "",
};

/** The file that declares the tools of a workspace's agents. */
export const agentToolsFile = "agent-tools.json";
