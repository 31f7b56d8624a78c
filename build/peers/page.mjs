// Measures the built page in Chromium as a person uses it, and prints a line of JSON
// for each figure:
//   node page.mjs URL [PART…]    parts: load, typing, large, endurance
import { createRequire } from "node:module";
import { launch } from "../../web/tools/chromium.mjs";
import { agent, grammar } from "./pagetexts.mjs";
import { watchPage } from "./pagewatch.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const [url, ...parts] = process.argv.slice(2);
if (url === undefined) throw new Error("node page.mjs URL [PART…]");

/** The slowdown of a mid-range phone, and its network: 10 Mbit/s, 40 ms. */
const SLOW = 4;
const NETWORK = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };
const SPOKEN = /nonterminal|state/;

const print = (group, name, unit, values) => console.log(JSON.stringify({ group, name, unit, values: [values].flat() }));

/** Opens the page for one part of the measurement, without stored data of another part. */
async function visit(browser, { slow = 1, network } = {}, work) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await page.addInitScript(watchPage);
    await devtools.send("Network.enable");
    if (network !== undefined) await devtools.send("Network.emulateNetworkConditions", network);
    if (slow > 1) await devtools.send("Emulation.setCPUThrottlingRate", { rate: slow });
    return await work(page, devtools);
  } finally {
    await context.close();
  }
}

/** Opens a text instead of the example, with the cursor at the edited position. */
async function openText(page, { name, text, line, left }) {
  await page.goto(url);
  const summary = page.locator("stile-problems .summary", { hasText: SPOKEN });
  await summary.waitFor();
  await page.locator("input.file-input").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator(`stile-files [data-file="${name}"]`).waitFor();
  await summary.waitFor();
  await settled(page);
  await page.locator("stile-editor .cm-line", { hasText: line }).click();
  await page.keyboard.press("End");
  for (let i = 0; i < left; i++) await page.keyboard.press("ArrowLeft");
}

/** Waits until the page no longer changes. */
const settled = (page) => page.evaluate(() => window.bench.settled());

const longest = (found) => Math.max(0, ...found);

async function load(browser) {
  for (const [device, runs, conditions] of [["4x slower, 10 Mbit", 5, { slow: SLOW, network: NETWORK }], ["as it is", 5, {}]]) {
    const all = {};
    for (let run = 0; run < runs; run++) {
      await visit(browser, conditions, async (page) => {
        await page.goto(url, { waitUntil: "commit" });
        const seen = await page.evaluate(() => window.bench.loaded);
        await settled(page);
        const { tasks } = await page.evaluate(() => window.bench.work(0));
        for (const [name, value] of Object.entries({ ...seen, "longest task": longest(tasks) })) (all[name] ??= []).push(value);
      });
    }
    for (const [name, values] of Object.entries(all)) print(`load, ${device}`, name, "ms", values);
  }
}

/** Types eight letters, then deletes them, and so on: after 16 keys the text is unchanged. */
async function* letters(page, { word }, count) {
  for (let i = 0; i < count; i++) {
    const back = i % 16 >= 8;
    word = back ? word.slice(0, -1) : word + "abcdefgh"[i % 8];
    yield word;
    if (back) await page.keyboard.press("Backspace");
    else await page.keyboard.type(word.at(-1));
  }
}

/** Waits after each letter for its effect. */
async function typeAndWait(page, group, spec, count, first = 8) {
  const all = {};
  let i = 0;
  const look = async () => {
    const seen = await page.evaluate(() => window.bench.shown);
    // The first letters load the parts of the page that are loaded when the editor is first used.
    if (i > first) for (const [name, value] of Object.entries(seen ?? {})) (all[name] ??= []).push(value);
    await settled(page);
  };
  for await (const word of letters(page, spec, count)) {
    await look();
    await page.evaluate(([word, spec]) => window.bench.expect(`\\b${word}\\b`, spec), [word, spec]);
    i++;
  }
  await look();
  for (const [name, values] of Object.entries(all)) print(group, `keystroke to ${name}`, "ms", values);
}

/** Types as fast as people do, and waits only for the effect of the last letter. */
async function typeFast(page, spec, count) {
  let last;
  for await (const word of letters(page, spec, count)) {
    await page.waitForTimeout(60);
    last = word;
  }
  await page.evaluate(([word, spec]) => window.bench.comes(`\\b${word}\\b`, spec), [last, spec]);
  await settled(page);
}

async function typing(browser) {
  for (const slow of [1, SLOW]) {
    for (const [what, spec] of [["200-line grammar", grammar(200)], ["200-line agent of 40 states", agent(40, 200)]]) {
      const group = `typing in a ${what}${slow === 1 ? "" : `, ${slow}x slower`}`;
      await visit(browser, { slow }, async (page) => {
        await openText(page, spec);
        await typeAndWait(page, group, spec, 48);
        await report(browser, page, group, () => typeFast(page, spec, 60));
      });
    }
  }
}

/** Types in a long file, and scrolls through it. */
async function large(browser) {
  const lines = 10_000;
  const group = "a file of 10,000 lines";
  await visit(browser, {}, async (page) => {
    const spec = { ...grammar(lines), drawing: false };
    await openText(page, spec);
    await typeAndWait(page, `${group}, typing`, spec, 16, 2);
    await report(browser, page, `${group}, typing`, () => typeFast(page, spec, 40));
    await report(browser, page, `${group}, scrolling`, async () => {
      await page.locator("stile-editor").hover();
      await page.evaluate(() => (window.bench.stop = window.bench.frames()));
      for (let i = 0; i < 100; i++) await page.mouse.wheel(0, i < 50 ? 1500 : -1500);
      const frames = await page.evaluate(() => window.bench.stop());
      print(`${group}, scrolling`, "frame", "ms", frames);
    });
  });
}

/** Edits a spec a thousand times and measures the memory after some of the edits. */
async function endurance(browser) {
  const group = "1,000 edits of a 200-line grammar";
  await visit(browser, {}, async (page, devtools) => {
    const workers = await watchWorkers(devtools);
    const spec = grammar(200);
    await openText(page, spec);
    let edit = -1;
    for await (const word of letters(page, spec, 1001)) {
      await page.evaluate(() => window.bench.shown);
      edit++;
      await page.evaluate(([word, spec]) => window.bench.expect(`\\b${word}\\b`, spec), [word, spec]);
      if (![100, 500, 1000].includes(edit)) continue;
      await settled(page);
      await page.evaluate(() => window.bench.forget());
      for (let i = 0; i < 3; i++) await devtools.send("HeapProfiler.collectGarbage");
      const { usedSize } = await devtools.send("Runtime.getHeapUsage");
      const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
      const memories = await workers();
      print(group, `heap of the page after ${edit}`, "MB", usedSize / 1e6);
      print(group, `nodes after ${edit}`, "", nodes);
      print(group, `listeners after ${edit}`, "", jsEventListeners);
      for (const { name, bytes } of memories) print(group, `memory of the ${name} module after ${edit}`, "MB", bytes / 1e6);
      print(group, `workers after ${edit}`, "", memories.length);
    }
  });
}

/** Follows the page's workers; returns a function that measures the memories of their modules. */
async function watchWorkers(devtools) {
  const sessions = new Map();
  const waiting = new Map();
  let count = 0;
  devtools.on("Target.attachedToTarget", ({ sessionId, targetInfo: { type, url } }) => type === "worker" && sessions.set(sessionId, url.split("/").pop().split(".")[0]));
  devtools.on("Target.detachedFromTarget", ({ sessionId }) => sessions.delete(sessionId));
  devtools.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result } = JSON.parse(message);
    waiting.get(id)?.(result);
  });
  await devtools.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const ask = (sessionId, method, params) => new Promise((resolve) => {
    waiting.set(++count, resolve);
    void devtools.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id: count, method, params }) });
  });
  return () => Promise.all([...sessions].map(async ([session, name]) => {
    const { result } = await ask(session, "Runtime.evaluate", { expression: "WebAssembly.Memory.prototype" });
    const { objects } = await ask(session, "Runtime.queryObjects", { prototypeObjectId: result.objectId });
    const sizes = await ask(session, "Runtime.callFunctionOn", { objectId: objects.objectId, returnByValue: true, functionDeclaration: "function () { return this.reduce((sum, memory) => sum + memory.buffer.byteLength, 0); }" });
    return { name, bytes: sizes.result.value };
  }));
}

/** Prints the longest task of the main thread, by processor time, and the slowest response to an
 * input. */
async function report(browser, page, group, work) {
  const since = await page.evaluate(() => performance.now());
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  await work();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  const main = new Set(traceEvents.filter((e) => e.name === "thread_name" && e.args.name === "CrRendererMain").map((e) => `${e.pid} ${e.tid}`));
  print(group, "longest task", "ms", longest(traceEvents.filter((e) => e.name.endsWith("RunTask") && main.has(`${e.pid} ${e.tid}`)).map((e) => (e.tdur ?? 0) / 1000)));
  const { scripts, events } = await page.evaluate((since) => window.bench.work(since), since);
  if (events.length > 0) print(group, "slowest answer to an input", "ms", longest(events.map((e) => e.ms)));
  for (const { ms, what } of scripts.slice(0, 4)) console.error(`  ${group}: ${Math.round(ms)} ms in ${what}`);
}

const all = { load, typing, large, endurance };
const browser = await launch(chromium);
try {
  for (const [name, part] of Object.entries(all)) if (parts.length === 0 || parts.includes(name)) await part(browser);
} finally {
  await browser.close();
}
