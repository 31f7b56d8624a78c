// Serves the protocol's official TypeScript library (npm @modelcontextprotocol/server) over HTTP on
// this machine and prints the address of each server: "both ADDRESS" serves stateless requests and
// sessions, "modern ADDRESS" only stateless requests, with streams as replies.
import { createServer } from "node:http";
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";

const string = { type: "string" };
const object = (properties, required = Object.keys(properties)) =>
  fromJsonSchema({ type: "object", properties, required });
const text = (value) => ({ content: [{ type: "text", text: value }] });

/** A server with the tools of the tests. */
function made() {
  const server = new McpServer({ name: "stile-peer", version: "1" });
  server.registerTool("echo", { description: "Says it again.", inputSchema: object({ message: string }) }, ({ message }) =>
    text(`Echo: ${message}`),
  );
  server.registerTool(
    "route",
    {
      inputSchema: object({
        region: { ...string, "x-mcp-header": "Region" },
        where: { type: "object", properties: { zone: { type: "integer", "x-mcp-header": "Zone" } } },
        dry: { type: ["boolean", "null"] },
      }, ["region"]),
    },
    (given) => text(JSON.stringify(given)),
  );
  server.registerTool("fail", { inputSchema: object({}) }, () => ({ ...text("the disk is full"), isError: true }));
  server.registerTool("structured", { inputSchema: object({}) }, () => ({ content: [], structuredContent: { answer: [1, 2] } }));
  server.registerTool("ask", { inputSchema: object({}) }, () =>
    inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: "Who?", requestedSchema: { type: "object", properties: { name: string } } }) },
    }),
  );
  return server;
}

for (const [name, options] of [
  ["both", { legacy: "stateless" }],
  ["modern", { legacy: "reject", responseMode: "sse" }],
]) {
  const handler = createMcpHandler(made, options);
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method,
        headers: request.headers,
        ...(pieces.length > 0 ? { body: Buffer.concat(pieces) } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const piece of answer.body) response.write(piece);
    response.end();
  });
  server.listen(0, "127.0.0.1", () => console.log(`${name} http://127.0.0.1:${server.address().port}/mcp`));
}
