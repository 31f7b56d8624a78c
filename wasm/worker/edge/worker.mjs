// The worker's entry point. One instance of the Go program answers many requests
// (see main.go); it is replaced when it has answered many, when it has grown, and
// when it has ended. Requests that it still answers keep the old one until then.
import "./wasm_exec.js";
import program from "./app.wasm";

const mostRequests = 5_000;
const mostMemory = 64 << 20; // of the 128 MB that an isolate has

let current;

function start(env) {
  const binding = {};
  // Where github.com/syumai/workers looks for what it is bound to. It looks once,
  // as the program starts, which it does before the next line but one.
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
    // What is caught here is neither told nor logged: it may quote what was sent.
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
      // Before any handler of ours runs, the address is read.
      return go.exited ? refuse(500, "worker.failed", "the worker failed at this request") : refuse(400, "route.address", "this is no address that can be read");
    }
  },
};
