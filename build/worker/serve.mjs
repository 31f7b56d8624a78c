// Serves the built worker under workerd, with miniflare's KV service bound, on a free
// port of this machine. Its one argument is JSON:
//
//   folder    where `go run ./build worker` put the worker
//   main      the module in it to serve
//   vars      variables, as in wrangler.toml's [vars]
//   limits    bound rate limiters: uses per minute, by name
//   upstream  the host and port that receive all requests of the worker
//
// It prints "ready URL" and ends with its standard input. Output of workerd and the
// worker print goes to standard error.
import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";

const options = JSON.parse(process.argv[2]);
const modules = [{ type: "ESModule", path: options.main }];
for (const [type, path] of [["ESModule", "wasm_exec.js"], ["CompiledWasm", "app.wasm"]]) {
  if (options.main === "worker.mjs") modules.push({ type, path });
}
for (const m of modules) {
  const contents = readFileSync(`${options.folder}/${m.path}`);
  m.contents = m.type === "CompiledWasm" ? contents : contents.toString();
}

// The runtime must behave as it does when deployed.
const deployed = readFileSync(new URL("../../wasm/worker/wrangler.toml", import.meta.url), "utf8");
const compatibilityDate = /^compatibility_date = "(.+)"$/m.exec(deployed)[1];
const compatibilityFlags = JSON.parse(/^compatibility_flags = (.+)$/m.exec(deployed)[1]);

const miniflare = new Miniflare({
  host: "127.0.0.1",
  port: 0,
  modules,
  modulesRoot: "/",
  compatibilityDate,
  compatibilityFlags,
  bindings: options.vars,
  kvNamespaces: ["LINKS"],
  ratelimits: Object.fromEntries(Object.entries(options.limits ?? {}).map(([name, limit]) => [name, { simple: { limit, period: 60 } }])),
  outboundService: { external: { address: options.upstream, http: {} } },
  verbose: true,
  handleRuntimeStdio(out, err) {
    out.pipe(process.stderr);
    err.pipe(process.stderr);
  },
});
console.log(`ready ${(await miniflare.ready).origin}`);
process.stdin.resume();
process.stdin.on("end", async () => {
  await miniflare.dispose();
  process.exit(0);
});
