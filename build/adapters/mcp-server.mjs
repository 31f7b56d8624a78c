// Serves the tools of script.mjs by a library of the Model Context Protocol: version 1 or 2, over stdio or
// HTTP. Over HTTP, it prints its address.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { names } from "./script.mjs";

const [version, transport] = process.argv.slice(2);
const text = (name) => ({ content: [{ type: "text", text: "did " + name }] });
let handle;

if (version === "1") {
  const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
  const { z } = await import("zod");
  const server = new McpServer({ name: "shop", version: "1" });
  for (const name of names) server.registerTool(name, { inputSchema: { order: z.string() } }, () => text(name));
  if (transport === "stdio") {
    const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
    await server.connect(new StdioServerTransport());
  } else {
    const { StreamableHTTPServerTransport } = await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
    const own = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
    await server.connect(own);
    handle = (request, response) => own.handleRequest(request, response);
  }
} else {
  const { createMcpHandler, fromJsonSchema, McpServer } = await import("@modelcontextprotocol/server");
  const made = () => {
    const server = new McpServer({ name: "shop", version: "1" });
    const inputSchema = fromJsonSchema({ type: "object", properties: { order: { type: "string" } } });
    for (const name of names) server.registerTool(name, { inputSchema }, () => text(name));
    return server;
  };
  if (transport === "stdio") (await import("@modelcontextprotocol/server/stdio")).serveStdio(made);
  else {
    const handler = createMcpHandler(made, { legacy: "reject", responseMode: "sse" });
    handle = async (request, response) => {
      const pieces = [];
      for await (const piece of request) pieces.push(piece);
      const body = pieces.length > 0 ? { body: Buffer.concat(pieces) } : {};
      const answer = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers: request.headers, ...body }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body !== null) for await (const piece of answer.body) response.write(piece);
      response.end();
    };
  }
}
if (handle) {
  const server = createServer((request, response) => handle(request, response).catch((error) => response.destroy(error)));
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
