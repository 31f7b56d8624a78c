// Compresses standard input by brotli: node brotli.mjs QUALITY, 0 to 11.
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, constants } from "node:zlib";

const input = await buffer(process.stdin);
const isModule = input.subarray(0, 4).equals(Buffer.from("\0asm", "latin1"));
const params = {
  [constants.BROTLI_PARAM_QUALITY]: Number(process.argv[2]),
  [constants.BROTLI_PARAM_LGWIN]: 24,
  [constants.BROTLI_PARAM_SIZE_HINT]: input.length,
  // Two postfix bits make Go's modules up to a hundredth smaller: tables of words of four bytes fill a third of them.
  [constants.BROTLI_PARAM_NPOSTFIX]: isModule ? 2 : 0,
};
process.stdout.write(brotliCompressSync(input, { params }));
