// Runs Claude Code and Codex with the hooks of web/docs/guard-adapters.md: the model asks for a refund, which the hook refuses, reads
// the reason, and completes the run. Prints a line for each check, "ok NAME" or "FAIL NAME". STILE names the program
// stile; the working directory has shop.guard.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { seen } from "../adapters/script.mjs";
import { serve } from "./model.mjs";

const page = await readFile(new URL("../../web/docs/guard-adapters.md", import.meta.url), "utf8");
const here = fileURLToPath(new URL(".", import.meta.url));
const server = [process.execPath, resolve(here, "shop.mjs")];
let failed = 0;

/** The first block of a section of the page in a language. */
function example(title, language) {
  const section = page.split(/^(?=##+ )/m).find((part) => part.startsWith(`## ${title}\n`));
  const block = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(section ?? "")?.[1];
  assert.ok(block, `the page has no example of ${title} in ${language}`);
  return block.replaceAll("stile hook", `${process.env.STILE} hook`).replaceAll("shop.guard", resolve("shop.guard"));
}

/** Runs a program without access to other machines, and returns the text that it printed. */
function run(command, args, { cwd, env }) {
  return new Promise((done, fail) => {
    // A proxy that does not exist refuses every connection except those to this machine.
    const closed = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1,localhost" };
    const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...closed, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    const late = setTimeout(() => child.kill("SIGKILL"), 120_000);
    let printed = "", faults = "";
    child.stdout.on("data", (data) => (printed += data));
    child.stderr.on("data", (data) => (faults += data));
    child.on("error", fail);
    child.on("close", (code) => {
      clearTimeout(late);
      if (code === 0) done(printed);
      else fail(new Error(`${command} ended with ${code}: ${printed.slice(-2000)} ${faults.slice(-2000)}`));
    });
  });
}

/** Checks that the model read the refusal, and the results of the calls that were allowed. */
function complete(paths) {
  assert.match(seen[0] ?? "", /"refund" is not allowed here; allowed: "login"/, `the model requested ${paths.join(", ")}`);
  assert.deepEqual(seen.splice(0).slice(1).map((text) => /did (\w+)/.exec(text)?.[1]), ["login", "logout"]);
}

/** A check in a folder of its own, with a simulated server of the model. */
async function check(name, body) {
  const folder = await mkdtemp(join(tmpdir(), "stile-agents-"));
  try {
    const { address, paths } = await serve();
    await body(folder, address);
    complete(paths);
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${String(error.stack).replaceAll("\n", " | ").slice(0, 3000)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const packages = join(here, "node_modules");

await check("Claude Code", async (folder, address) => {
  await mkdir(join(folder, ".claude"));
  await writeFile(join(folder, ".claude", "settings.json"), example("Claude Code", "json"));
  await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { shop: { command: server[0], args: server.slice(1), alwaysLoad: true } } }));
  const printed = await run(process.execPath, [join(packages, "@anthropic-ai/claude-code/cli-wrapper.cjs"), "-p", "Refund order A7.", "--mcp-config", "mcp.json", "--strict-mcp-config", "--allowedTools", "mcp__shop", "--output-format", "json"], {
    cwd: folder,
    env: {
      HOME: folder, CLAUDE_CONFIG_DIR: join(folder, "config"), ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: "test",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_TELEMETRY: "1", DISABLE_ERROR_REPORTING: "1", DISABLE_AUTOUPDATER: "1",
      ENABLE_TOOL_SEARCH: "false", MCP_CONNECTION_NONBLOCKING: "false",
    },
  });
  assert.match(printed, /Done\./);
});

await check("Codex", async (folder, address) => {
  const home = join(folder, ".codex");
  await mkdir(home);
  await writeFile(join(home, "config.toml"), `model = "script"
model_provider = "simulated"
approval_policy = "never"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.simulated]
name = "simulated"
base_url = "${address}/v1"
wire_api = "responses"
env_key = "SIMULATED_KEY"
supports_websockets = false
[mcp_servers.shop]
command = ${JSON.stringify(server[0])}
args = ${JSON.stringify(server.slice(1))}
default_tools_approval_mode = "approve"
required = true
${example("Codex", "toml")}`);
  const printed = await run(process.execPath, [join(packages, "@openai/codex/bin/codex.js"), "exec", "--skip-git-repo-check", "--sandbox", "read-only", "--dangerously-bypass-hook-trust", "--json", "Refund order A7."], {
    cwd: folder, env: { HOME: folder, CODEX_HOME: home, SIMULATED_KEY: "test", XDG_CONFIG_HOME: join(folder, "config") },
  });
  assert.match(printed, /Done\./);
});

process.exit(failed > 0 ? 1 : 0);
