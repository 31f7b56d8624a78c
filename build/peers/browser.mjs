// Runs a Go command compiled for WASI in Chromium and forwards its output:
//   node browser.mjs FILE.wasm ARGUMENT…
import { createRequire } from "node:module";
import { launch } from "../../web/tools/chromium.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const shim = new URL("./", `file://${require.resolve("@bjorn3/browser_wasi_shim")}`);
const [wasm, ...args] = process.argv.slice(2);

const browser = await launch(chromium);
try {
  const page = await browser.newPage();
  // All files are served from this program: there is no server.
  await page.route("http://bench.test/**", (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === "/") return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>bench</title>" });
    if (path === "/bench.wasm") return route.fulfill({ contentType: "application/wasm", path: wasm });
    return route.fulfill({ contentType: "text/javascript", path: new URL(`.${path.replace("/shim", "")}`, shim).pathname });
  });
  await page.goto("http://bench.test/");
  await page.exposeFunction("print", (line) => process.stdout.write(`${line}\n`));
  const code = await page.evaluate(async (args) => {
    const { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } = await import("/shim/index.js");
    const line = () => ConsoleStdout.lineBuffered((text) => { void window.print(text); });
    const wasi = new WASI(["bench", ...args], [], [new OpenFile(new File([])), line(), line(), new PreopenDirectory("/tmp", new Map())], { debug: false });
    const { instance } = await WebAssembly.instantiateStreaming(fetch("/bench.wasm"), { wasi_snapshot_preview1: wasi.wasiImport });
    return wasi.start(instance);
  }, args);
  if (code !== 0) throw new Error(`the command ended with ${code}`);
} finally {
  await browser.close();
}
