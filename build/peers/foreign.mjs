// Reads Stile's exports with the tools that they target: the expected files of the
// cases of core/export. Prints a line for each file and exits with 1 if one is
// rejected.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { instance } from "@viz-js/viz";
import { Grammars } from "ebnf";
import { launch } from "../../web/tools/chromium.mjs";
import { Grammar, Testings } from "./xgrammar.mjs";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const folder = new URL("../../core/export/testdata/cases/", import.meta.url).pathname;

/** The files of a txtar archive, by name. */
function unpack(text) {
  const files = {};
  let name;
  for (const line of text.split("\n")) {
    const header = /^-- (.+) --$/.exec(line);
    if (header !== null) files[(name = header[1])] = "";
    else if (name !== undefined) files[name] += `${line}\n`;
  }
  return files;
}

const viz = await instance();
const browser = await launch(chromium);
const page = await browser.newPage();
await page.route("http://foreign.test/**", (route) => {
  const path = new URL(route.request().url()).pathname;
  return path === "/" ? route.fulfill({ contentType: "text/html", body: "<!doctype html><title>foreign</title>" })
    : route.fulfill({ contentType: "text/javascript", path: join(import.meta.dirname, "node_modules/mermaid/dist", path) });
});
await page.goto("http://foreign.test/");

async function texts(grammar, samples) {
  if (samples === undefined) return "";
  const { accepted, rejected } = JSON.parse(samples);
  for (const [list, want] of [[accepted ?? [], true], [rejected ?? [], false]]) {
    for (const text of list) {
      if (await Testings.isGrammarAcceptString(grammar, text) !== want) throw new Error(`${JSON.stringify(text)} is ${want ? "refused" : "accepted"}`);
    }
  }
  return ` ${accepted?.length ?? 0} texts accepted, ${rejected?.length ?? 0} refused`;
}

/** The reader of each kind of file; it throws if the file is rejected. */
const readers = {
  "out.gbnf": ["XGrammar", async (text, files) => texts(await Grammar.fromEBNF(text), files["texts.json"])],
  "out.tag.json": ["XGrammar", async (text, files) => texts(await Grammar.fromEBNF(JSON.parse(text).format.grammar), files["texts.json"])],
  "out.w3c": ["ebnf", async (text) => ` ${Grammars.W3C.getRules(text).length} rules`],
  "out.dot": ["Graphviz", async (text) => ` ${viz.renderString(text, { format: "svg" }).length} bytes of SVG`],
  "out.mmd": ["Mermaid", async (text) => page.evaluate(async (text) => {
    const { default: mermaid } = await import("/mermaid.esm.min.mjs");
    const { diagramType } = await mermaid.parse(text);
    return ` ${diagramType}`;
  }, text)],
  "out.regexp": ["JavaScript", async (text) => {
    new RegExp(text.trim(), "u");
    return "";
  }],
};

let passed = 0;
let failed = 0;
for (const name of readdirSync(folder)) {
  const files = unpack(readFileSync(join(folder, name), "utf8"));
  for (const [file, [tool, read]] of Object.entries(readers)) {
    if (files[file] === undefined) continue;
    try {
      console.log(`ok ${name} ${file}: ${tool}${await read(files[file], files)}`);
      passed++;
    } catch (reason) {
      console.log(`FAIL ${name} ${file}: ${tool}: ${reason.message ?? reason}`);
      failed++;
    }
  }
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
