// Runs a WASI program as `go test -exec` wants it: with its arguments, environment and files.
// V8 is the engine of most browsers, and it starts tests ten times faster than wazero, which
// compiles a module as a whole first. The package wasm/host tests the modules in wazero.
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const env = { PWD: process.cwd(), TMPDIR: tmpdir() };
for (const [name, value] of Object.entries(process.env)) {
  if (name.startsWith("STILE_") && value !== undefined) env[name] = value;
}
const wasi = new WASI({ version: "preview1", args: [program, ...args], env, preopens: { "/": "/" }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
