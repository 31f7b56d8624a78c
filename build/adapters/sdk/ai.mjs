import { jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { names, parameters, run, step } from "../script.mjs";

export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const next = step(prompt.filter((m) => m.role === "tool").flatMap((m) => m.content.map((part) => String(part.output.value))));
    return {
      content: next.tool ? [{ type: "tool-call", toolCallId: next.id, toolName: next.tool, input: '{"order":"A7"}' }] : [{ type: "text", text: next.text }],
      finishReason: { unified: next.tool ? "tool-calls" : "stop", raw: undefined },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  },
});
export const tools = Object.fromEntries(names.map((name) => [name, tool({ description: name, inputSchema: jsonSchema(parameters), execute: async () => run(name) })]));
