// Unpacks a module that Brotli has compressed, from standard input, and has V8 validate all of it.
// Prints its SHA-256.
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync } from "node:zlib";

const module = brotliDecompressSync(await buffer(process.stdin));
new WebAssembly.Module(module); // its error has the reason
process.stdout.write(createHash("sha256").update(module).digest("hex"));
