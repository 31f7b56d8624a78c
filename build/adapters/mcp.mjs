// Runs clients and servers of the official libraries with stile mcp-proxy between them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { names } from "./script.mjs";

const stile = process.env.STILE;
const program = fileURLToPath(new URL("mcp-server.mjs", import.meta.url));

/** Starts a program, and returns it with the address that it prints. */
export async function start(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) return { child, address: line.replace("listening on ", "") };
  throw new Error(`${command} ${args.join(" ")} has no address`);
}

/** Connects a client of version 1 of the library, or of version 2 with revision 2026-07-28 of the protocol only. */
async function connect(version, transport, options) {
  const at = version === "1" ? "@modelcontextprotocol/sdk/client/" : "@modelcontextprotocol/client";
  const { Client } = await import(version === "1" ? at + "index.js" : at);
  const client = new Client({ name: "test", version: "1" }, version === "1" ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  if (transport === "stdio") {
    const { StdioClientTransport } = await import(at + (version === "1" ? "stdio.js" : "/stdio"));
    await client.connect(new StdioClientTransport(options));
  } else {
    const { StreamableHTTPClientTransport } = await import(version === "1" ? at + "streamableHttp.js" : at);
    await client.connect(new StreamableHTTPClientTransport(new URL(options)));
  }
  return client;
}

/** Makes calls that the guard refuses and others that it allows. */
async function converse(client) {
  assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), names);
  for (const [name, refused] of [
    ["refund", '"refund" is not allowed here; allowed: "login"'],
    ["login"], ["refund"],
    ["refund", '"refund" violates the property "shop.ltl: careful"; allowed: "lookup", "logout"'],
    ["lookup"], ["logout"],
    ["lookup", '"lookup" is not allowed here; no call may follow'],
  ]) {
    const { isError = false, content } = await client.callTool({ name, arguments: { order: "A7" } });
    assert.deepEqual([isError, content[0].text], [refused !== undefined, refused ?? "did " + name]);
  }
  await client.close();
}

const checks = {};
for (const version of ["1", "2"]) {
  checks[`MCP library ${version} over stdio`] = async () => {
    const args = ["mcp-proxy", "shop.guard", "--", process.execPath, program, version, "stdio"];
    await converse(await connect(version, "stdio", { command: stile, args }));
  };
  checks[`MCP library ${version} over streamable HTTP`] = async () => {
    const server = await start(process.execPath, [program, version, "http"]);
    const proxy = await start(stile, ["mcp-proxy", "-url", server.address, "shop.guard"]);
    try {
      await converse(await connect(version, "http", proxy.address));
    } finally {
      server.child.kill();
      proxy.child.kill();
    }
  };
}
export default checks;
