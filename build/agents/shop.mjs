// Serves the tools of ../adapters/script.mjs over the standard streams.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { names } from "../adapters/script.mjs";

const server = new McpServer({ name: "shop", version: "1" });
for (const name of names) server.registerTool(name, { inputSchema: { order: z.string() } }, () => ({ content: [{ type: "text", text: "did " + name }] }));
await server.connect(new StdioServerTransport());
