import { FunctionTool, Model } from "@strands-agents/sdk";
import { names, parameters, run, step } from "../script.mjs";

class Script extends Model {
  updateConfig() {}
  getConfig() { return { modelId: "script" }; }
  async *stream(messages) {
    const results = messages.flatMap((m) => m.content.filter((c) => c.type === "toolResultBlock").map((c) => c.content.map((part) => part.text).join("")));
    const next = step(results);
    yield { type: "modelMessageStartEvent", role: "assistant" };
    if (next.tool) {
      yield { type: "modelContentBlockStartEvent", start: { type: "toolUseStart", name: next.tool, toolUseId: next.id } };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "toolUseInputDelta", input: '{"order":"A7"}' } };
    } else {
      yield { type: "modelContentBlockStartEvent" };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text: next.text } };
    }
    yield { type: "modelContentBlockStopEvent" };
    yield { type: "modelMessageStopEvent", stopReason: next.tool ? "toolUse" : "endTurn" };
  }
}

export const model = new Script();
export const tools = names.map((name) => new FunctionTool({ name, description: name, inputSchema: parameters, callback: () => run(name) }));
