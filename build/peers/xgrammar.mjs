// XGrammar's package says that it is a module, but is a script that asks for what
// only CommonJS has, so it is given that here.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const require = createRequire(import.meta.url);
const file = require.resolve("@mlc-ai/web-xgrammar");
const module = { exports: {} };
new Function("module", "exports", "require", "__filename", "__dirname", readFileSync(file, "utf8"))(module, module.exports, require, file, dirname(file));

export const { Grammar, GrammarCompiler, GrammarMatcher, Testings, TokenizerInfo } = module.exports;
