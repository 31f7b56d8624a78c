import { AIMessage, tool } from "langchain";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { names, parameters, run, step } from "../script.mjs";

class Script extends BaseChatModel {
  _llmType() { return "script"; }
  bindTools() { return this; }
  async _generate(messages) {
    const next = step(messages.filter((m) => m.getType() === "tool").map((m) => m.text));
    const message = new AIMessage({ content: next.text ?? "", tool_calls: next.tool ? [{ name: next.tool, id: next.id, args: { order: "A7" } }] : [] });
    return { generations: [{ text: next.text ?? "", message }] };
  }
}

export const model = new Script({});
export const tools = names.map((name) => tool(async () => run(name), { name, description: name, schema: parameters }));
