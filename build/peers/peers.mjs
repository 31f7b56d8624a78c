// Measures other tools on the inputs of Stile's benchmarks; the arguments are their
// names. Prints a line of JSON for each.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { CstParser, Lexer, createToken } from "chevrotain";
import lz from "lz-string";
import nearley from "nearley";
import * as ohm from "ohm-js";
import peggy from "peggy";
import { Grammar, GrammarCompiler, GrammarMatcher, TokenizerInfo } from "./xgrammar.mjs";

const print = (name, tool, ms, note) => console.log(JSON.stringify({ name, tool, ms, note }));

/** The median time of the given number of runs, after two that are not counted. */
async function median(runs, work) {
  const times = [];
  for (let i = -2; i < runs; i++) {
    const start = performance.now();
    await work();
    if (i >= 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)];
}

function once(work) {
  const start = performance.now();
  try {
    work();
  } catch (reason) {
    return { note: String(reason.message ?? reason).split("\n")[0].slice(0, 60) };
  }
  return { ms: performance.now() - start };
}

// XGrammar: compiling, and the mask of the valid next tokens, over bytes.
const list = (names) => names.map((n) => `"${n}"`).join(" | ");
const openagi = `root ::= t
t ::= b " " i | d " " t | e " " t " " i | f " " t " " t | "t"
i ::= a " " i | "c1 " t | "i"
a ::= ${list(["a1", "a2", "a3", "a4"])}
b ::= ${list(["b1", "b2", "b3"])}
d ::= ${list(["d1", "d2", "d3", "d4"])}
e ::= "e1"
f ::= ${list(["f1", "f2"])}
`;
const thousand = `root ::= step ("\\n" step)*\nstep ::= ${list(Array.from({ length: 1000 }, (_, i) => `tool${i}`))}\n`;
const bytes = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i));
const tokenizer = await TokenizerInfo.createTokenizerInfo([...bytes, "<eos>"], "raw", false, 257, [256]);
for (const [name, text, prefix] of [["openagi", openagi, "b1 a1 a2 "], ["json", null, '{"ab":[1,'], ["thousand", thousand, "tool1\ntool2\n"]]) {
  const make = async () => {
    const compiler = await GrammarCompiler.createGrammarCompiler(tokenizer, false);
    return text === null ? compiler.compileBuiltinJSONGrammar() : compiler.compileGrammar(await Grammar.fromEBNF(text));
  };
  print(`Compile/${name}`, "XGrammar", await median(9, make));
  const matcher = await GrammarMatcher.createGrammarMatcher(await make());
  for (const c of prefix) if (!matcher.acceptToken(c.charCodeAt(0))) throw new Error(`${name}: ${c} is refused`);
  print(`Next/${name}`, "XGrammar", await median(99, () => matcher.getNextTokenBitmask()), "one mask over bytes");
}

// Parsers: whole words.
const expression = (n) => ["n", ...Array.from({ length: (n - 1) / 2 }, () => ["+", "n"]).flat()];
const literals = (...texts) => Object.fromEntries(texts.map((t) => [t, { literal: t }]));
const rules = (text) => text.split("\n").flatMap((line) => {
  const [left, right] = line.split("->");
  return right.split("|").map((r) => ({ name: left.trim(), symbols: r.trim().split(" ").filter(Boolean).map((s) => tokens[s] ?? s) }));
});
const tokens = literals("+", "*", "(", ")", "n", "a");

function nearleyParse(text, start, word) {
  const parser = new nearley.Parser(new nearley.Grammar(rules(text), start));
  return once(() => {
    for (const t of word) parser.feed(t);
    if (parser.results.length === 0) throw new Error("no parse");
  });
}
const leftrec = "E -> E + T | T\nT -> T * F | F\nF -> ( E ) | n";
for (const n of [1001, 10_001]) {
  const r = nearleyParse(leftrec, "E", expression(n));
  print(`Recognize/leftrec/${n - 1}`, "nearley", r.ms, r.note);
}
for (const n of [21, 23]) {
  const r = nearleyParse("E -> E + E | E * E | n", "E", expression(n));
  print(`Recognize/ambiguous/${n}`, "nearley", r.ms, r.note ?? "builds every tree");
}
for (const n of [1000, 10_000]) {
  const r = nearleyParse("S -> ( S ) S |", "S", Array.from({ length: n }, (_, i) => (i % 2 === 0 ? "(" : ")")));
  print(`Recognize/dyck/${n}`, "nearley", r.ms, r.note);
}

const ohmLeft = ohm.grammar('G { E = E "+" T -- sum\n | T\n T = T "*" F -- product\n | F\n F = "(" E ")" -- group\n | "n" }');
const ohmAmbiguous = ohm.grammar('G { E = E "+" E -- sum\n | E "*" E -- product\n | "n" }');
const peg = peggy.generate('E = T ("+" T)*\nT = F ("*" F)*\nF = "(" E ")" / "n"');
for (const n of [1001, 10_001]) {
  const text = expression(n).join("");
  let r = once(() => { if (ohmLeft.match(text).failed()) throw new Error("no parse"); });
  print(`Recognize/leftrec/${n - 1}`, "ohm", r.ms, r.note);
  r = once(() => peg.parse(text));
  print(`Recognize/leftrec/${n - 1}`, "peggy", r.ms, r.note ?? "no left recursion: rewritten");
}
{
  const r = once(() => { if (ohmAmbiguous.match(expression(1001).join("")).failed()) throw new Error("no parse"); });
  print("Recognize/ambiguous/1000", "ohm", r.ms, r.note ?? "one parse of many");
}

const [plus, star, open, close, n] = [["Plus", /\+/], ["Star", /\*/], ["Open", /\(/], ["Close", /\)/], ["N", /n/]].map(([name, pattern]) => createToken({ name, pattern }));
const lexer = new Lexer([plus, star, open, close, n]);
class Expressions extends CstParser {
  constructor() {
    super([plus, star, open, close, n]);
    this.RULE("e", () => { this.SUBRULE(this.t); this.MANY(() => { this.CONSUME(plus); this.SUBRULE2(this.t); }); });
    this.RULE("t", () => { this.SUBRULE(this.f); this.MANY(() => { this.CONSUME(star); this.SUBRULE2(this.f); }); });
    this.RULE("f", () => { this.OR([{ ALT: () => { this.CONSUME(open); this.SUBRULE(this.e); this.CONSUME(close); } }, { ALT: () => this.CONSUME(n) }]); });
    this.performSelfAnalysis();
  }
}
const expressions = new Expressions();
for (const size of [1001, 10_001]) {
  const text = expression(size).join("");
  const r = once(() => {
    expressions.input = lexer.tokenize(text).tokens;
    expressions.e();
    if (expressions.errors.length > 0) throw expressions.errors[0];
  });
  print(`Recognize/leftrec/${size - 1}`, "chevrotain", r.ms, r.note ?? "no left recursion: rewritten");
}

// Links: the compression of the TypeScript playground.
for (const [name, file] of [["grammar", "openagi/openagi.cfg"], ["records", "travelplanner/queries.json"]]) {
  const text = readFileSync(new URL(`../../grammars/${file}`, import.meta.url), "utf8");
  const link = lz.compressToEncodedURIComponent(text);
  const letters = { name: `Link/${name}/encode`, tool: "lz-string", ms: await median(9, () => lz.compressToEncodedURIComponent(text)), letters: link.length };
  console.log(JSON.stringify(letters));
  print(`Link/${name}/decode`, "lz-string", await median(9, () => lz.decompressFromEncodedURIComponent(link)));
}
