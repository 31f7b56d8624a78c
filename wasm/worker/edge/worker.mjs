// The Worker's entry point. One instance of the Go program serves many requests (see main.go). It
// is replaced after a number of requests, when its memory has grown, and when it has ended.
// Pending requests keep the old instance.
import "./wasm_exec.js";
import program from "./app.wasm";

const mostRequests = 5_000;
const mostMemory = 64 << 20; // of the 128 MB that an isolate has

let current;

function start(env) {
  const binding = {};
  // github.com/syumai/workers reads its bindings from here, once, when the program starts in go.run
  // below.
  globalThis.context = { env, binding };
  const go = new globalThis.Go();
  let ready = false;
  const instance = new WebAssembly.Instance(program, { ...go.importObject, workers: { ready: () => (ready = true) } });
  go.run(instance).catch(() => undefined);
  if (!ready) throw new Error("the program did not start");
  return { go, instance, binding, requests: 0 };
}

function refuse(status, code, message) {
  return Response.json({ code, message }, { status, headers: { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } });
}

export default {
  async fetch(request, env) {
    // Caught errors are neither reported nor logged: they may quote the request.
    try {
      if (current === undefined || current.go.exited || current.requests >= mostRequests || current.instance.exports.mem.buffer.byteLength > mostMemory) {
        current = start(env);
      }
    } catch {
      return refuse(500, "worker.failed", "the worker could not start");
    }
    const { go, binding } = current;
    current.requests++;
    try {
      return await binding.handleRequest(request);
    } catch {
      // The address is parsed before a handler runs.
      return go.exited ? refuse(500, "worker.failed", "the worker failed at this request") : refuse(400, "route.address", "the address cannot be parsed");
    }
  },
};
