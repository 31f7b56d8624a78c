// Compresses standard input with Brotli: node brotli.mjs QUALITY, 0 to 11.
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, constants } from "node:zlib";

const input = await buffer(process.stdin);
const params = {
  [constants.BROTLI_PARAM_QUALITY]: Number(process.argv[2]),
  [constants.BROTLI_PARAM_LGWIN]: 24,
  [constants.BROTLI_PARAM_SIZE_HINT]: input.length,
  [constants.BROTLI_PARAM_NPOSTFIX]: 2, // distances in a module are mostly multiples of 4
};
process.stdout.write(brotliCompressSync(input, { params }));
