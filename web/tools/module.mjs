// Unpacks a Brotli-compressed module from standard input, validates it with V8, and prints the SHA-256 of
// the unpacked module.
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync } from "node:zlib";

const module = brotliDecompressSync(await buffer(process.stdin));
new WebAssembly.Module(module); // its error has the reason
process.stdout.write(createHash("sha256").update(module).digest("hex"));
