import { OpenAIChatCompletionsModel, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";
import { names, parameters, run, serve } from "../script.mjs";

setTracingDisabled(true);
export const model = new OpenAIChatCompletionsModel(new OpenAI({ baseURL: await serve(), apiKey: "test" }), "script");
export const declarations = names.map((name) => ({
  name, description: name, strict: false, parameters: { ...parameters, required: [], additionalProperties: true }, execute: async () => run(name),
}));
