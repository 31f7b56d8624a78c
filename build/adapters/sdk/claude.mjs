import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { fileURLToPath } from "node:url";
import { names, run } from "../script.mjs";
import { z } from "zod";

export const server = createSdkMcpServer({
  name: "shop",
  tools: names.map((name) => tool(name, name, { order: z.string() }, async () => ({ content: [{ type: "text", text: run(name) }] }))),
});
// The package starts the program Claude Code. This stand-in speaks its protocol over the standard streams.
export const options = { pathToClaudeCodeExecutable: fileURLToPath(new URL("claude-code.mjs", import.meta.url)) };
