// XGrammar's package declares itself a module, but uses variables that only CommonJS
// has; they are defined here.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const require = createRequire(import.meta.url);
const file = require.resolve("@mlc-ai/web-xgrammar");
const module = { exports: {} };
new Function("module", "exports", "require", "__filename", "__dirname", readFileSync(file, "utf8"))(module, module.exports, require, file, dirname(file));

export const { Grammar, GrammarCompiler, GrammarMatcher, Testings, TokenizerInfo } = module.exports;
