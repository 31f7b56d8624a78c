import { ConsoleStdout, File, OpenFile, WASI } from "@bjorn3/browser_wasi_shim";

/** The core as a function from request to reply. */
export interface CoreModule {
  /** Answers one request of the protocol. It throws only when the instance is lost. */
  handle(request: string): string;
  /** Collects garbage, so that the collector does not run while a request is answered. */
  collect(): void;
}

interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly alloc: (bytes: number) => number;
  readonly free: (pointer: number) => void;
  readonly handle: (pointer: number, bytes: number) => bigint;
  readonly collect: () => void;
}

/**
 * Downloads the module and compiles it while it arrives. If the host sends the brotli file with its
 * content encoding, the browser unpacks it; otherwise the gzip file is unpacked here.
 */
export async function loadModule(br: string, gz: string): Promise<CoreModule> {
  const module = await compile(br, gz);
  const wasi = new WASI(
    [],
    [],
    [
      new OpenFile(new File([])),
      ConsoleStdout.lineBuffered((line) => console.info(line)),
      ConsoleStdout.lineBuffered((line) => console.warn(line)),
    ],
    { debug: false },
  );
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const exports = instance.exports as Exports;
  wasi.initialize({ exports });
  return { handle: (request) => handle(exports, request), collect: exports.collect };
}

export async function compile(br: string, gz: string, arrived?: (bytes: number) => void): Promise<WebAssembly.Module> {
  const packed = await fetch(br);
  // The header is present only if the browser decoded the response. Without it the bytes are still
  // packed.
  if (packed.ok && packed.headers.get("content-encoding") === "br") {
    return WebAssembly.compileStreaming(asWasm(counted(packed, arrived)));
  }
  await packed.body?.cancel();
  const response = await fetch(gz);
  if (!response.ok || response.body === null) {
    throw new Error(`the server responded ${response.status} for ${new URL(gz).pathname}`);
  }
  if (response.headers.get("content-encoding") === "gzip") {
    return WebAssembly.compileStreaming(asWasm(counted(response, arrived)));
  }
  return WebAssembly.compileStreaming(
    counted(new Response(response.body.pipeThrough(new DecompressionStream("gzip")), wasmHeaders), arrived),
  );
}

const wasmHeaders: ResponseInit = { headers: { "content-type": "application/wasm" } };

/** Returns the response itself if its type is right: the browser then caches the compiled code. */
function asWasm(response: Response): Response {
  return response.headers.get("content-type") === "application/wasm"
    ? response
    : new Response(response.body, wasmHeaders);
}

/** Returns the same response and reports its unpacked bytes as they arrive. */
function counted(response: Response, arrived: ((bytes: number) => void) | undefined): Response {
  if (arrived === undefined || response.body === null) return response;
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      arrived((bytes += chunk.length));
      out.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), wasmHeaders);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function handle(exports: Exports, request: string): string {
  const bytes = encoder.encode(request);
  const pointer = exports.alloc(bytes.length);
  new Uint8Array(exports.memory.buffer, pointer >>> 0, bytes.length).set(bytes);
  const packed = exports.handle(pointer, bytes.length);
  const at = Number((packed >> 32n) & 0xffff_ffffn);
  const size = Number(packed & 0xffff_ffffn);
  const text = decoder.decode(new Uint8Array(exports.memory.buffer, at, size));
  exports.free(at);
  return text;
}
