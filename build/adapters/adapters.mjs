// Runs the examples of web/docs/guard-adapters.md against the real packages, with a model that first makes a
// call that the guard refuses. Prints a line for each check, "ok NAME" or "FAIL NAME". STILE names
// the program stile; the working directory has shop.guard, and stile-guard is installed here.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { complete, executed, seen } from "./script.mjs";

const here = new URL(".", import.meta.url);
const page = await readFile(new URL("../../web/docs/guard-adapters.md", here), "utf8");
let failed = 0;

async function check(name, run) {
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${String(error.stack).split("\n").slice(0, 4).join(" | ")}`);
  }
}

/** The example of a section of the page: its first block of JavaScript. */
function example(title) {
  const section = page.split(/^(?=##+ )/m).find((part) => part.startsWith(`### ${title}\n`));
  assert.ok(section, `the page has no section ${title}`);
  const block = /```js\n(.*?)```/s.exec(section)?.[1];
  assert.ok(block && block.trim().split("\n").length <= 12, `the example of ${title} has more than 12 lines`);
  return block;
}

await mkdir(new URL(".run/", here), { recursive: true });

/** Runs an example with the model and the tools of a file in the folder sdk. */
async function runExample(title, prelude) {
  const file = new URL(`.run/${title.replaceAll(/\W+/g, "-").toLowerCase()}.mjs`, here);
  await writeFile(file, `${prelude}\n${example(title)}`);
  executed.length = seen.length = 0;
  await import(pathToFileURL(file.pathname).href);
}

for (const [title, prelude] of [
  ["OpenAI Agents SDK", `import { declarations, model } from "../sdk/openai-agents.mjs";`],
  ["LangChain", `import { model, tools } from "../sdk/langchain.mjs";`],
  ["AI SDK", `import { model, tools } from "../sdk/ai.mjs";`],
  ["Strands Agents SDK", `import { model, tools } from "../sdk/strands.mjs";`],
]) {
  await check(title, async () => {
    await runExample(title, prelude);
    complete();
  });
}

await check("Claude Agent SDK", async () => {
  await runExample("Claude Agent SDK", `import { pathToClaudeCodeExecutable, shop } from "../sdk/claude.mjs";`);
  assert.deepEqual(executed.splice(0), ["login", "logout"]); // the program asserts that the model reads the reason
});

for (const part of ["mcp", "proxy"]) {
  const { default: checks } = await import(`./${part}.mjs`);
  for (const [name, run] of Object.entries(checks)) await check(name, run);
}
process.exit(failed > 0 ? 1 : 0);
