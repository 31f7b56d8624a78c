// Judges the calls of an agent by a compiled guard, before they are made. The verdicts, reason
// codes and lists of allowed calls are the same as in package core/gate of Stile.

import { Monitor } from "./monitor.js";
import { Journal, laidOut, readProgram } from "./program.js";
import { Decimal, Value, fields } from "./values.js";
import { Checker } from "./schema.js";
import { Grammar } from "./stack.js";
import { Prompts, beginText, feedText, loadText, saveText, stepPattern } from "./stream.js";
import { MAX_ARGUMENTS, SECRETS, canonical, encode, list, onlyValue, plain, quote, scan, sha256, show, trim, utf8Length, without } from "./json.js";

export const FORMAT = 1;
export const VERSION = "2.1.0";
const MAX_ID = 128, MAX_PENDING = 64, MAX_RECENT = 32, MAX_OPEN = 1024, MAX_LOGGED = 4096, MAX_KNOWN = 256, MAX_MODES = 16, MAX_TEXT = 16 * MAX_ARGUMENTS, MAX_SAVED = 64 << 20;
const LOST_LOG = "a decision could not be logged: ";
const MODES = ["enforce", "ask", "shadow", "off"];

const NOTHING = Object.freeze([]), NO_OPTIONS = Object.freeze({});
export { SECRETS };

/** Thrown for a file, a state or an option that the guard refuses. */
export class GuardError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "GuardError";
    this.code = code;
  }
}

const bad = (reason) => new GuardError("guard.file", "not a compiled guard: " + reason);
const badState = () => new GuardError("guard.state", "the state does not belong to this guard, or is damaged; begin another session");

// Checks of the shape of a file. An unknown member, or a member of the wrong type, is a fault.
const isText = (v) => typeof v === "string";
const isFlag = (v) => typeof v === "boolean";
const isInt = (v) => Number.isSafeInteger(v);
const listOf = (check) => (v) => Array.isArray(v) && v.every(check);
const maybe = (check) => (v) => v === null || check(v);
const object = (members, optional = {}) => (v) => {
  if (typeof v !== "object" || v === null || Array.isArray(v)) return false;
  const names = Object.keys(v);
  return Object.keys(members).every((name) => Object.hasOwn(v, name)) &&
    names.every((name) => Object.hasOwn(members, name) ? members[name](v[name]) : Object.hasOwn(optional, name) && optional[name](v[name]));
};
const isInts = listOf(isInt), isTable = listOf(isInts), isTexts = listOf(isText);
const isNamed = listOf(object({ name: isText, letters: isInts }));
const isRegex = object({ code: isTable, from: isInts, class: isInts, word: isInts, line: isInt, sets: isTable });
const isFile = object({
  format: isInt, name: isText, version: isText, tools: maybe(isTexts),
  sources: listOf(object({ name: isText, sha256: isText }, { text: isText })),
  specs: listOf(object({
    name: isText, kind: isText, letters: isTexts,
    contents: listOf(maybe(object({}, {
      empty: isFlag, maxChars: isInt, oneOf: isTexts,
      pattern: object({ source: isText, from: isInts, next: isTable, accept: isInts }),
    }))),
    map: object({
      calls: isNamed, plain: isNamed, other: maybe(isInts), results: isNamed, result: maybe(isInts), user: maybe(isInts), text: maybe(isInts),
      final: maybe(isInts), thoughts: maybe(isInts), free: maybe(isInts), answers: maybe(isInts), offers: maybe(isTexts),
    }),
    properties: listOf(object({ name: isText, next: isTable, accept: isInts, violated: isInts })),
  }, {
    next: isTable, accept: isInts, prompts: isTexts, environment: isInts,
    implied: listOf(object({ state: isInt, letter: isInt, before: isInts })),
    productions: listOf(object({ left: isInt, right: isInts })),
  })),
  rules: listOf(object({ name: isText, text: isText, rules: isTexts }, {
    programs: listOf(object({
      timed: isFlag, variables: isInt, forAll: listOf(object({ name: isText, variable: isInt })), left: isInt, right: isInt,
      parts: listOf(object({
        op: isText, kids: maybe(isInts), free: isInts, binds: isInts, locals: isInts, kind: isText, name: maybe(isText), relation: isText, terms: maybe(isInts), update: isInt,
        patterns: maybe(listOf(object({
          path: isTexts, meta: isFlag, variable: isInt, test: isText, values: maybe(isTexts),
          regex: maybe(isRegex),
        }))),
      })),
      terms: listOf(object({ op: isInt, variable: isInt, value: isText, sign: isText, kids: maybe(isInts), update: isInt })),
      updates: listOf(object({
        op: isText, part: isInt, not: isInt, columns: isInts, kills: maybe(isInts), window: isText, function: isText, variable: isInt, locals: maybe(isInts),
      })),
    })),
  })),
}, {
  schemas: listOf(object({
    name: isText, tool: isText, root: isInt,
    nodes: listOf(listOf(object({ op: isText }, {
      names: isTexts, values: isTexts, kids: isInts, count: isInt, value: isText, patterns: listOf(object({ text: isText, regex: isRegex })),
    }))),
  }, { unchecked: isTexts })),
});

/** Reports whether each row of a table has n successors, which are at least `least` and less than the row count. */
function tableFits(next, accept, n, least) {
  return next.length > 0 && accept.length === next.length && next.every((row) => row.length === n && row.every((to) => to >= least && to < next.length));
}

/** A spec as an automaton or a grammar over letters, with indexes for look-ups. */
class Spec {
  constructor(data, tools) {
    Object.assign(this, { name: data.name, letters: data.letters, next: data.next ?? [], accept: data.accept ?? [], contents: data.contents, map: data.map, properties: data.properties });
    const n = data.letters.length;
    const fit = (letters) => letters === null || letters.every((letter) => letter >= 0 && letter < n);
    const damaged = (part) => bad("the " + part + " of " + show(data.name) + " is damaged");
    this.grammar = null;
    if (data.kind === "dfa") {
      if (!tableFits(this.next, this.accept, n, -1)) throw damaged("table");
    } else if (data.kind === "grammar") {
      const rules = data.productions ?? [];
      if (rules.length === 0 || this.next.length > 0 || !rules.every((p) => p.left >= n && p.right.every((s) => s >= 0))) throw damaged("grammar");
      this.grammar = new Grammar(n, rules);
    } else throw bad("unknown kind " + show(data.kind) + " of " + show(data.name));
    this.implied = new Map();
    for (const { state, letter, before } of data.implied ?? []) {
      if (state < 0 || state >= this.next.length || !fit([letter]) || !fit(before)) throw damaged("table");
      this.implied.set(state * n + letter, before);
    }
    const { prompts, environment = [] } = data;
    if (prompts === undefined ? environment.length > 0 : data.kind !== "dfa" || prompts.length !== n || prompts.includes("") || !fit(environment)) throw damaged("prompts");
    this.prompts = prompts === undefined ? null : new Prompts(prompts, environment);
    if (data.contents.length !== n) throw damaged("contents");
    for (const c of data.contents) {
      const p = c?.pattern;
      if (p && !(p.from[0] === 0 && p.from.every((x, i) => i === 0 || x >= p.from[i - 1]) && tableFits(p.next, p.accept, p.from.length, -1))) throw damaged("contents");
    }
    for (const p of data.properties) if (!tableFits(p.next, p.accept, n, 0) || p.violated.length !== p.next.length) throw damaged("property");
    const m = data.map;
    const index = (entries) => {
      const out = new Map();
      for (const { name, letters } of entries) {
        if (out.has(name) || !fit(letters)) throw damaged("map");
        out.set(name, letters);
      }
      return out;
    };
    if (![m.other, m.result, m.user, m.text, m.final, m.thoughts, m.free, m.answers].every(fit)) throw damaged("map");
    this.calls = index(m.calls);
    this.plain = index(m.plain);
    this.results = index(m.results);
    this.tools = tools === null ? null : new Set(tools);
  }

  /** Reports whether the spec has states with prompts, but its file lacks them. */
  get mute() { return this.prompts === null && this.map.result !== null; }

  /** Returns the letters of a call of a tool, or null for an unknown tool. */
  resolve(tool) {
    const exact = this.calls.get(tool);
    if (exact !== undefined) return exact;
    if (this.tools !== null && !this.tools.has(tool)) return null;
    const ascii = /^[\x00-\x7f]*$/.test(tool);
    if (ascii) {
      const letters = this.plain.get(plain(tool));
      if (letters !== undefined) return letters;
    }
    const other = this.map.other;
    if (other === null) return null;
    if (!ascii && !(other.length > 1 && this.contents[other[0]]?.oneOf?.includes(tool))) return null;
    return other;
  }

  /** Returns the reason why a letter cannot have a content, or "". */
  fault(letter, content) {
    const c = this.contents[letter];
    if (c === null) return "";
    content = trim(content);
    const name = show(this.letters[letter]);
    if (c.empty && content !== "") return name + " has no content";
    if (c.maxChars > 0 && [...content].length > c.maxChars) return name + " is longer than " + c.maxChars + " characters";
    if (c.oneOf && !c.oneOf.includes(content)) return name + " must be one of: " + list(c.oneOf);
    if (c.pattern && !matches(c.pattern, content)) return name + " must match " + show(c.pattern.source);
    return "";
  }

  begin() {
    return { at: 0, stack: this.grammar?.first ?? null, properties: this.properties.map(() => 0), last: -1, lost: false };
  }

  /** Enters a letter in the automaton or grammar, but not in the properties. Returns false if it is not allowed. */
  move(p, letter) {
    if (!this.permits(p, letter)) return false;
    if (this.grammar === null) p.at = this.next[p.at][letter];
    else p.stack = this.grammar.step(p.stack, letter);
    p.last = letter;
    return true;
  }

  /** Reports whether a letter is the next one in the order. */
  permits(p, letter) { return this.grammar === null ? this.next[p.at][letter] >= 0 : !this.full(p) && this.grammar.permits(p.stack, letter); }

  /** Reports whether a grammar has too many open productions for another letter. */
  full(p) { return this.grammar !== null && p.stack.size >= MAX_OPEN; }

  /** Enters a letter after the letters that it implies, and advances the properties. Returns false if not allowed. */
  enter(p, letter) {
    if (this.grammar === null && this.next[p.at][letter] < 0) {
      const before = this.implied.get(p.at * this.letters.length + letter);
      if (before === undefined) return false;
      for (const other of before) {
        if (!this.move(p, other)) return false;
        this.advance(p, other);
      }
    }
    if (!this.move(p, letter)) return false;
    this.advance(p, letter);
    return true;
  }

  advance(p, letter) {
    if (p.properties.length > 0) p.properties = p.properties.map((q, i) => this.properties[i].next[q][letter]);
  }

  possible(p, letter) { return this.permits(p, letter) || (this.grammar === null && this.enter({ ...p }, letter)); }

  /** Reports whether no letter may follow. */
  isLast(p) {
    if (this.grammar === null) return this.next[p.at].every((to) => to < 0);
    return p.stack.opens.length === 0;
  }

  complete(p) { return this.grammar === null ? this.accept[p.at] === 1 : p.stack.ends; }

  resultOf(tool) { return this.results.get(tool) ?? this.map.result ?? []; }

  /** If the letter is not possible yet, enters the results of pending calls, oldest first, until it is. */
  awaited(i, p, letter, pending) {
    if (pending.length === 0 || this.possible(p, letter)) return;
    const tried = { ...p }, changed = [];
    for (let k = 0; k < pending.length; k++) {
      if (this.possible(tried, letter)) break;
      if (pending[k].entered[i]) continue;
      for (const result of this.resultOf(pending[k].tool)) if (!this.enter(tried, result)) return;
      changed.push(k);
    }
    if (changed.length === 0 || !this.possible(tried, letter)) return;
    Object.assign(p, tried);
    for (const k of changed) pending[k] = { ...pending[k], entered: pending[k].entered.map((b, m) => m === i ? 1 : b) };
  }

  /** Returns the letters of a text of the model: of an answer or a thought, or none. */
  textOf(p, e) {
    const m = this.map;
    if (e.name === "system" || p.lost) return [];
    if (e.final && m.final !== null) return m.final;
    if (m.text !== null) return m.text;
    if (e.final && m.answers?.length > 0) {
      for (let i = m.answers.length - 1; i >= 0; i--) if (this.possible(p, m.answers[i])) return [m.answers[i]];
      return [m.answers.at(-1)];
    }
    const allowed = (letters) => letters?.find((letter) => this.permits(p, letter));
    const letter = allowed(m.thoughts) ?? (e.final ? m.thoughts?.[0] : undefined) ?? allowed(m.free);
    return letter === undefined ? [] : [letter];
  }
}

function matches(pattern, text) {
  let q = 0;
  for (const char of text) {
    q = stepPattern(pattern, q, char);
    if (q < 0) return false;
  }
  return pattern.accept[q] === 1;
}

/** A compiled guard. It is immutable and may be shared by any number of sessions. */
export class Guard {
  #specs;
  #offers;
  #rules;
  #schemas;
  #spellings;
  #cores = new Map();

  /** Reads a compiled guard. Throws a GuardError for an invalid one. */
  static read(text) {
    if (typeof text !== "string") throw bad("not a text");
    const [, fault] = scan(text, Infinity);
    if (fault !== "") throw bad("not JSON: " + fault);
    const file = JSON.parse(text);
    if (file?.format !== FORMAT) throw bad("unknown format " + String(file?.format) + "; expected " + FORMAT);
    if (!isFile(file)) throw bad("it has unknown or missing members");
    return new Guard(file, sha256(text));
  }

  constructor(file, hash) {
    if (file.specs.length + file.rules.length === 0) throw bad("no spec");
    this.#rules = file.rules.map(readRules);
    this.#schemas = new Schemas(file.schemas ?? []);
    this.#spellings = new Spellings(this.#rules, [...file.tools ?? [], ...this.#schemas.byTool.keys()]);
    this.file = file;
    this.hash = hash;
    this.#specs = file.specs.map((data) => new Spec(data, file.tools));
    this.#offers = [...new Set(file.specs.flatMap((s) => s.map.offers ?? []))];
  }

  /** Returns the names that modes refer to: those of specs, properties, rules and schemas. */
  ruleNames() { return [...this.file.specs.flatMap((s) => [s.name, ...s.properties.map((p) => p.name)]), ...this.#rules.flatMap((f) => f.names), ...this.#schemas.names]; }

  /** Returns what sessions with the same modes share, with the lists of allowed calls by state. */
  #shared(modes) {
    const key = JSON.stringify([...modes].sort());
    let core = this.#cores.get(key);
    if (core === undefined) {
      if (this.#cores.size >= MAX_MODES) this.#cores.clear();
      core = { hash: this.hash, specs: this.#specs, offers: this.#offers, rules: this.#rules, schemas: this.#schemas, spellings: this.#spellings, modes, known: new Map(), load: (state, options) => this.load(state, options) };
      this.#cores.set(key, core);
    }
    return core;
  }

  #modes(options) {
    const names = this.ruleNames(), modes = new Map(Object.entries(options.modes ?? {}));
    for (const [name, mode] of modes) {
      if (!MODES.includes(mode)) throw new GuardError("guard.mode", "unknown mode " + show(String(mode)) + "; expected enforce, ask, shadow or off");
      if (!names.includes(name)) throw new GuardError("guard.mode", "unknown rule " + show(name) + "; the rules are " + list(names));
    }
    return modes;
  }

  /** Returns a session without events. */
  begin(options = NO_OPTIONS) {
    return new Session(this.#shared(this.#modes(options)), options, {
      status: "open", reason: "", undo: null, undone: "", journal: null, recent: NOTHING, lines: 0, log: this.hash, stream: null,
      now: { places: this.#specs.length === 0 ? NOTHING : this.#specs.map((s) => s.begin()), pending: NOTHING, events: 0, time: "", rules: this.#rules.map((f) => new Monitor(f.programs)) },
    });
  }

  /** Returns a session with a state saved by this or another runtime. Throws a GuardError for another guard's state. */
  load(state, options = NO_OPTIONS) {
    const modes = this.#modes(options);
    const [tree, fault] = typeof state === "string" ? scan(state, MAX_SAVED) : [null, "not a text"];
    if (fault !== "") throw badState();
    const saved = JSON.parse(state);
    if (!isState(saved) || saved.format !== FORMAT || saved.guard !== this.hash || !["open", "violated", "ended"].includes(saved.status) || saved.lines < 0 || saved.recent.length > MAX_RECENT || (saved.undo !== null && saved.now.pending.length === 0)) throw badState();
    return new Session(this.#shared(modes), options, {
      status: saved.status, reason: saved.reason, recent: saved.recent, lines: saved.lines, log: saved.log,
      now: this.#moment(saved.now, member(tree, "now")), undo: saved.undo === null ? null : this.#moment(saved.undo.then, member(member(tree, "undo"), "then")),
      undone: saved.undo?.id ?? "", journal: null, stream: this.#stream(saved.stream),
    });
  }

  #stream(saved) {
    if (saved === undefined) return null;
    const text = loadText(this.#specs, saved, MAX_TEXT, (place, i) => this.#place(place, i));
    if (text === null) throw badState();
    return text;
  }

  /** Restores the state of a spec. Earlier versions saved the run of a grammar, which is read again. */
  #place(place, i) {
    const spec = this.#specs[i], p = spec.begin();
    if (place.stack !== undefined && spec.grammar !== null) p.stack = spec.grammar.load(place.stack);
    const ok = place.last >= -1 && place.last < spec.letters.length && place.properties.length === spec.properties.length &&
      place.properties.every((q, k) => q >= 0 && q < spec.properties[k].next.length) &&
      (spec.grammar === null ? place.word.length === 0 && place.stack === undefined && place.at >= 0 && place.at < spec.next.length : place.at === 0 && p.stack !== null && place.word.length <= MAX_OPEN && place.word.every((letter) => letter >= 0 && letter < spec.letters.length && spec.move(p, letter)));
    if (!ok) throw badState();
    return { ...p, at: place.at, properties: place.properties, last: place.last, lost: place.lost === 1 };
  }

  #moment(saved, tree) {
    if (saved.events < 0 || saved.specs.length !== this.#specs.length || saved.rules.length !== this.#rules.length || saved.pending.length > MAX_PENDING) throw badState();
    if (!saved.pending.every((call) => call.entered.length === this.#specs.length)) throw badState();
    const places = saved.specs.map((place, i) => this.#place(place, i));
    let rules;
    try {
      rules = member(tree, "rules").items.map((node, i) => Monitor.load(this.#rules[i].programs, node));
    } catch {
      throw badState();
    }
    return { places, pending: saved.pending.map((call) => ({ ...call })), events: saved.events, time: saved.time, rules };
  }
}

/** Names of rules and the tools that they name, by the form that the spellings of a tool's name share. */
class Forms {
  #map = new Map();

  add(tool, name) {
    const list = this.of(tool, plain(tool));
    if (!list.some((s) => s.tool === tool && s.name === name)) this.#map.set(plain(tool), [...list, { tool, name }]);
  }

  /** Returns the entries of a name and its other spellings. One outside ASCII has no other spelling. */
  of(tool, form = /[^\x00-\x7f]/.test(tool) ? "" : plain(tool)) { return form === "" ? NOTHING : this.#map.get(form) ?? NOTHING; }
}

/** The schemas of the arguments of tools. */
class Schemas {
  constructor(list) {
    Object.assign(this, { names: list.map((s) => s.name), byTool: new Map(), forms: new Forms() });
    list.forEach(({ name, tool, ...program }, i) => {
      try {
        if (this.names.indexOf(name) !== i) throw new Error("duplicate");
        this.byTool.set(tool, [...this.byTool.get(tool) ?? [], { name, checker: new Checker(program) }]);
      } catch {
        throw bad("the schema " + show(name) + " is damaged");
      }
      this.forms.add(tool, name);
    });
  }

  /** Adds a finding for each schema that the arguments of a call do not match. */
  judge(f, { name: tool, arguments: text }) {
    if (this.names.length === 0) return;
    let list = this.byTool.get(tool);
    if (list === undefined) {
      const spelled = this.forms.of(tool);
      if (spelled.some((s) => s.tool !== spelled[0].tool)) {
        for (const { name } of spelled) f.add(name, "schema", "ambiguous tool name " + show(tool));
        return;
      }
      list = spelled.length > 0 ? this.byTool.get(spelled[0].tool) : [];
    }
    for (const { name, checker } of list) {
      const fault = f.mode(name) === "off" ? "" : checker.check(trim(text) === "" ? "{}" : text);
      if (fault !== "") f.add(name, "schema", show(tool) + ": " + fault);
    }
  }
}

/** The tools that rules about data name. */
class Spellings {
  constructor(files, declared) {
    Object.assign(this, { declared, forms: new Forms() });
    for (const { names, programs } of files) programs.list.forEach(({ parts }, k) => {
      for (const { op, kind, name } of parts) if (op === "atom" && name !== null && /^(call|result|error)$/.test(kind)) this.forms.add(name, names[k]);
    });
  }

  /** Adds a finding for each rule that names the tool of a call in another spelling, and would not apply to the call. */
  judge(f, tool) {
    const list = this.forms.of(tool);
    if (list.length === 0 || this.declared.includes(tool) || list.some((s) => s.tool === tool)) return;
    for (const s of list) f.add(s.name, "rule.tool", "the rule names the tool " + show(s.tool) + "; " + show(tool) + " is another spelling of it");
  }
}

const member = (node, name) => node.items[node.names.indexOf(name)];

/** Checks the programs of a file of rules. */
function readRules({ name, rules, programs }) {
  if (programs === undefined) throw new GuardError("guard.rules", "the rules of " + show(name) + " are not compiled; compile the guard again");
  if (programs.length !== rules.length) throw bad("the programs of " + show(name) + " do not match its rules");
  try {
    return { names: rules.map((rule) => name + ": " + rule), programs: laidOut(programs.map((p, i) => ({ ...readProgram(p), name: rules[i] }))) };
  } catch (error) {
    throw bad(show(name) + ": " + error.message);
  }
}

const isPlace = object({ at: isInt, word: isInts, properties: isInts, last: isInt, lost: isInt }, { stack: isTable });
const isMoment = object({
  events: isInt, time: isText, rules: Array.isArray,
  specs: listOf(isPlace),
  pending: listOf(object({ id: isText, tool: isText, entered: isInts, arguments: isText })),
});
const isRun = object({ state: isInt, ahead: isInt, chars: isInt, wait: isInt, text: isText, words: isInt, done: isInt });
const isState = object({
  format: isInt, guard: isText, status: isText, reason: isText, now: isMoment, undo: maybe(object({ id: isText, then: isMoment })),
  recent: isTexts, lines: isInt, log: isText,
}, {
  stream: object({
    bytes: isInt, stopped: maybe(object({ verdict: isText, rule: isText, code: isText, reason: isText, at: isInt })),
    specs: listOf(maybe(object({
      place: isPlace, letter: isInt, held: isText, begun: isInt, content: isRun, plain: listOf(object({ letter: isInt, code: isText, reason: isText, at: isInt, content: isRun })),
    }))),
  }),
});

const savePlace = (p) => '{"at":' + p.at + ',"word":[]' + (p.stack === null ? "" : ',"stack":[' + p.stack.table().map((row) => "[" + row.join(",") + "]").join(",") + "]") + ',"properties":[' + p.properties.join(",") + '],"last":' + p.last + ',"lost":' + (p.lost ? 1 : 0) + "}";
const saveMoment = (m) => '{"events":' + m.events + ',"time":' + quote(m.time) + ',"specs":[' +
  m.places.map(savePlace).join(",") +
  '],"pending":[' + m.pending.map((c) => '{"id":' + quote(c.id) + ',"tool":' + quote(c.tool) + ',"entered":[' + c.entered.join(",") + '],"arguments":' + quote(c.arguments) + "}").join(",") + '],"rules":[' + m.rules.map((r) => r.save()).join(",") + "]}";

/** The rules that an event does not satisfy. */
class Findings {
  constructor(modes, approved = false) { Object.assign(this, { modes, approved, list: [], places: [], at: 0 }); }

  mode(rule) { return this.modes.get(rule) ?? "enforce"; }

  add(rule, code, reason) {
    if (this.mode(rule) !== "off") {
      this.list.push({ rule, code, reason });
      this.places.push(this.at); // the byte of a text that it is about
    }
    return true;
  }

  /** Adds a finding for each property that a step violates. */
  properties(spec, before, after, step) {
    if (spec.properties.length === 0) return;
    const last = spec.isLast(after);
    spec.properties.forEach((p, k) => {
      const from = before.properties[k], to = after.properties[k];
      if (this.mode(p.name) === "off" || p.violated[from] === 1) return;
      if (p.violated[to] === 1) this.add(p.name, "property", step + " violates the property " + show(p.name));
      else if (last && p.accept[to] === 0) this.add(p.name, "property", step + " ends the run, in which the property " + show(p.name) + " does not hold");
    });
  }

  /** Adds a finding for each reason why a spec does not permit the end of the run. */
  endOf(spec, p) {
    if (this.mode(spec.name) !== "off" && (p.lost || !spec.complete(p))) this.add(spec.name, "end.incomplete", "the run is not complete");
    spec.properties.forEach((prop, k) => {
      if (this.mode(prop.name) !== "off" && prop.accept[p.properties[k]] === 0) this.add(prop.name, "end.property", "the property " + show(prop.name) + " does not hold at the end");
    });
  }
}

/** The state of one run. */
export class Session {
  #core; #options; #state;

  constructor(core, options, state) {
    this.#core = core;
    this.#options = options;
    this.#state = state;
  }

  /** Judges a call before it is made, and enters it if it is allowed. */
  allow(call) {
    this.discard();
    return this.#guarded("allow", { ...call, kind: "call", approved: false }, (e) => this.#call(e, false));
  }

  /** Enters an event that happened: a result, an error, a message, the end or a call. */
  record(event) {
    if (event?.kind === "end") return this.end();
    this.discard();
    return this.#guarded("record", { ...event }, (e) => {
      switch (e.kind) {
        case "call": return this.#recordCall(e);
        case "result": case "error": return this.#result(e);
        case "message": return this.#message(e);
      }
      return this.#decide("deny", "event.kind", "unknown kind of event " + show(e.kind));
    });
  }

  /** Undoes the last allowed call, which was not made. Returns false if another event followed the call. */
  cancel(id = "") {
    const s = this.#state;
    if (s.undo === null || s.undone !== id || s.status !== "open") return false;
    const name = s.now.pending.at(-1).tool;
    s.journal?.undo();
    s.now = s.undo;
    this.#commit();
    this.discard();
    this.#write("cancel", { ...NO_EVENT, kind: "call", name, id }, { verdict: "allow", code: "ok", rule: "", shadow: NOTHING });
    return true;
  }

  /** Makes the last call final. */
  #commit() { Object.assign(this.#state, { undo: null, journal: null }); }

  /** Adds the event to the rules about data. Returns the journal that undoes it, and the reason why an enforced rule cannot judge it. */
  #rulesStep(f, e, input) {
    const journal = new Journal();
    let fault = "";
    try {
      fault = this.#judgeRules(f, e, input, journal);
    } catch (error) {
      journal.undo();
      throw error;
    }
    if (fault !== "") journal.undo();
    return [journal, fault];
  }

  #judgeRules(f, e, input, journal) {
    let broken = "";
    for (const [i, monitor] of this.#state.now.rules.entries()) {
      const { names } = this.#core.rules[i];
      let event = ruleEvent(e, input, this.#state.now.events);
      if (event === null) {
        broken = "the time of an event is a number of seconds";
        e.time = ""; // nor is it the time of the session
        event = ruleEvent(e, input, this.#state.now.events);
      }
      for (const [rule, reason] of monitor.step(event, e.time !== "", journal)) f.add(names[rule], "rule", reason);
      for (const [k, name] of names.entries()) {
        const fault = monitor.fault(k), reason = broken === "" && fault !== "" ? "the rule " + show(name) + " cannot be judged: " + fault : broken;
        if (reason !== "" && f.mode(name) === "enforce") return reason;
        if (reason !== "") f.add(name, "rule.fault", reason);
      }
    }
    return "";
  }

  /** Judges a part of a text that the model is writing. It enters nothing. */
  feed(text) {
    const e = { ...NO_EVENT, kind: "text" }, s = this.#state, stopped = s.stream?.stopped ?? null;
    let d;
    try {
      if (typeof text === "string") e.content = text;
      d = this.#closed();
      if (d === null && stopped !== null) return { ...this.#decide(stopped.verdict, stopped.code, stopped.reason, stopped.rule), at: stopped.at };
      d ??= this.#feed(text);
    } catch (error) {
      d = { verdict: "fault", code: "fault", reason: "the guard failed: " + String(error), rule: "", next: [], mayEnd: false, shadow: [] };
    }
    if (d.verdict !== "allow" || d.shadow.length > 0) this.#write("feed", e, d);
    return d;
  }

  /** Forgets the text that was fed. The next call of feed begins another text. */
  discard() { this.#state.stream = null; }

  #feed(text) {
    const s = this.#state, f = new Findings(this.#core.modes), mute = this.#core.specs.find((spec) => spec.mute && f.mode(spec.name) !== "off");
    if (mute !== undefined) return this.#decide("fault", "feed", "the guard was compiled without the prompts of " + show(mute.name) + "; compile it again");
    const t = s.stream ?? { bytes: 0, stopped: null, specs: this.#core.specs.map((spec, i) => (spec.prompts === null ? null : beginText(spec, s.now.places[i]))) };
    const size = typeof text === "string" ? utf8Length(text) : -1;
    if (size < 0 || size > MAX_TEXT - t.bytes) return this.#decide("deny", "event.content", "the content is invalid Unicode or larger than " + MAX_TEXT + " bytes");
    s.stream = t;
    this.#core.specs.forEach((spec, i) => {
      if (spec.prompts !== null && (f.mode(spec.name) !== "off" || spec.properties.length > 0)) feedText(f, spec, i, t.specs[i], text, t.bytes, s.now.pending);
    });
    t.bytes += size;
    const d = this.#earliest(f);
    if (d.verdict !== "allow") t.stopped = { verdict: d.verdict, rule: d.rule, code: d.code, reason: d.reason, at: d.at };
    d.at ??= t.bytes;
    return d;
  }

  /** Returns the decision about a part of a text: of the first finding by its byte whose rule is enforced or asks. */
  #earliest(f) {
    const found = f.list.map((one, i) => ({ ...one, at: f.places[i] })), weight = (one) => 2 * one.at + (f.mode(one.rule) === "ask" ? 1 : 0);
    const d = this.#decide("allow", "ok", "");
    for (const { rule, code, reason, at } of found.sort((a, b) => weight(a) - weight(b))) {
      if (f.mode(rule) === "shadow") d.shadow.push({ rule, code, reason });
      else return Object.assign(d, { verdict: f.mode(rule) === "ask" ? "ask" : "deny", code, reason, rule, at });
    }
    return d;
  }

  /** Ends the run. The verdict is allow if the run is complete and every property holds. */
  end() {
    this.discard();
    return this.#guarded("end", { kind: "end" }, () => this.#end());
  }

  /** Returns the state in JSON, for load. Equal states have equal texts in all runtimes. */
  save() {
    const s = this.#state;
    const now = saveMoment(s.now);
    s.journal?.undo();
    const undo = s.undo === null ? "null" : '{"id":' + quote(s.undone) + ',"then":' + saveMoment(s.undo) + "}";
    s.journal?.redo();
    return '{"format":' + FORMAT + ',"guard":' + quote(this.#core.hash) + ',"status":' + quote(s.status) + ',"reason":' + quote(s.reason) + ',"now":' + now +
      ',"undo":' + undo + ',"recent":[' + s.recent.map(quote).join(",") + '],"lines":' + s.lines + ',"log":' + quote(s.log) + saveText(s.stream, savePlace) + "}";
  }

  /** Returns an independent session in the same state, without a log. */
  copy() { return this.#core.load(this.save(), { modes: Object.fromEntries(this.#core.modes), clock: this.#options.clock }); }

  /** Returns the tools whose calls may be allowed now, and whether the run may end. */
  next() {
    const { next, mayEnd } = this.#next();
    return { next: [...next], mayEnd };
  }

  #next() {
    if (this.#state.status !== "open") return { next: [], mayEnd: false };
    const key = this.#key();
    const known = key === null ? undefined : this.#core.known.get(key);
    if (known !== undefined) return known;
    const next = this.#core.offers.filter((tool) => this.#offered(tool));
    const f = new Findings(this.#core.modes);
    this.#core.specs.forEach((spec, i) => f.endOf(spec, this.#state.now.places[i]));
    const out = { next, mayEnd: f.list.length === 0 };
    if (key !== null) {
      if (this.#core.known.size >= MAX_KNOWN) this.#core.known.clear();
      this.#core.known.set(key, out);
    }
    return out;
  }

  #key() {
    let key = "";
    const { places, pending } = this.#state.now;
    for (let i = 0; i < places.length; i++) {
      if (this.#core.specs[i].grammar !== null) return null;
      const p = places[i];
      key += p.at + "," + p.properties.join(",") + (p.lost ? "!" : ":");
      for (const call of pending) if (!call.entered[i]) key += call.tool + "\0";
      key += ";";
    }
    return key;
  }

  #guarded(op, event, judge) {
    let d;
    const e = { ...NO_EVENT };
    let fault = "";
    try {
      fault = readEvent(e, event);
      if (e.time === "" && op !== "end" && this.#core.rules.length > 0) e.time = timed(this.#options.clock, this.#state.now.time);
      d = fault === "" ? judge(e) : this.#refuse(op, e, fault);
    } catch (error) {
      d = { verdict: "fault", code: "fault", reason: "the guard failed: " + String(error), rule: "", next: [], mayEnd: false, shadow: [] };
    }
    this.#write(op, e, d);
    return d;
  }

  /** Refuses an event whose members have the wrong types. */
  #refuse(op, e, fault) {
    const closed = this.#closed();
    if (closed !== null) return closed;
    const [code, reason] = fault;
    if (op === "record" && e.kind === "call") this.#violate(reason);
    return this.#decide("deny", code, reason);
  }

  #decide(verdict, code, reason, rule = "") {
    const { next, mayEnd } = this.#next();
    return { verdict, code, reason, rule, next: [...next], mayEnd, shadow: [] };
  }

  /** Returns the decision: of the first enforced finding, or else of the first finding in the mode ask. */
  #decision(f) {
    const d = { verdict: "allow", code: "ok", reason: "", rule: "", next: [], mayEnd: false, shadow: [] };
    for (const found of f.list) {
      const mode = f.mode(found.rule);
      if (mode === "shadow" || (mode === "ask" && f.approved)) d.shadow.push(found);
      else if (d.verdict !== "deny" && (mode === "enforce" || d.verdict === "allow")) {
        Object.assign(d, { verdict: mode === "ask" ? "ask" : "deny", code: found.code, reason: found.reason, rule: found.rule });
      }
    }
    return d;
  }

  #listed(d) {
    const { next, mayEnd } = this.#next();
    return Object.assign(d, { next: [...next], mayEnd });
  }

  #violated() {
    const { reason } = this.#state;
    return this.#decide("deny", "session.violated", reason.startsWith(LOST_LOG) ? "the session is closed: " + reason + "; begin another session" : "the session violated its spec: " + reason);
  }

  #closed() {
    if (this.#state.status === "ended") return this.#decide("deny", "session.ended", "the session has ended");
    if (this.#state.status === "violated") return this.#violated();
    return null;
  }

  #violate(reason) { Object.assign(this.#state, { status: "violated", reason }); }

  #end() {
    const s = this.#state;
    if (s.status === "ended") return this.#decide("deny", "session.ended", "the session has ended");
    const violated = s.status === "violated";
    Object.assign(s, { status: "ended", undo: null, journal: null });
    if (violated) return this.#violated();
    const f = new Findings(this.#core.modes);
    this.#core.specs.forEach((spec, i) => f.endOf(spec, s.now.places[i]));
    const [, broken] = this.#rulesStep(f, { ...NO_EVENT, kind: "end", time: s.now.time }, "");
    return broken === "" ? this.#decision(f) : this.#decide("fault", "rule.fault", broken);
  }

  #recordCall(e) {
    const s = this.#state;
    const allowed = e.id === "" || s.status !== "open" ? undefined : s.now.pending.find((c) => c.id === e.id && c.tool === e.name);
    if (allowed !== undefined) {
      this.#commit();
      if (!this.#made(allowed, e)) {
        this.#violate("the call " + show(e.id) + " was made with other arguments than the allowed ones");
        return this.#decide("deny", "call.arguments", s.reason);
      }
      return this.#decide("allow", "ok", ""); // allowed before
    }
    const d = this.#call(e, true);
    if (d.verdict !== "allow" && s.status === "open") {
      this.#violate(d.reason);
      this.#listed(d);
    }
    this.#commit();
    return d;
  }

  /** Reports whether a call that was made has the arguments of the allowed one. A state of version 1.4.0 lacks them if the guard has no rules. */
  #made(allowed, e) {
    const judged = this.#core.rules.length > 0;
    if (judged && allowed.arguments === e.arguments) return true; // well-formed, as they were allowed
    const [, fault, v] = argumentsOf(e);
    if (fault !== "") return false;
    const made = kept(v);
    return judged ? kept(argumentsOf(allowed)[2]) === made : allowed.arguments === "" || allowed.arguments === made;
  }

  /** Returns the fault of a call's name or identifier, or null. */
  #identity(e) {
    const { pending } = this.#state.now, name = utf8Length(e.name), id = utf8Length(e.id);
    if (name < 1 || name > MAX_ID) return ["call.tool", "the name of the tool is empty, invalid or longer than " + MAX_ID + " bytes"];
    if (id < 0 || id > MAX_ID) return ["call.id", "the call id is invalid or longer than " + MAX_ID + " bytes"];
    if (e.id !== "" && (pending.some((c) => c.id === e.id) || this.#state.recent.includes(e.id))) return ["call.id", "repeated call id " + show(e.id)];
    if (pending.length >= MAX_PENDING) return ["limit", "more than " + MAX_PENDING + " calls wait for results"];
    return null;
  }

  #call(e, happened) {
    const closed = this.#closed();
    if (closed !== null) return closed;
    const identity = this.#identity(e);
    if (identity !== null) return this.#decide("deny", ...identity);
    const [text, fault, v] = argumentsOf(e);
    if (fault !== "") return this.#decide("deny", "call.arguments", "malformed arguments: " + fault);
    const f = new Findings(this.#core.modes, happened && e.approved), s = this.#state;
    const places = copies(s.now.places), pending = [...s.now.pending];
    for (const i of places.keys()) this.#enterCall(f, i, places[i], e.name, text, pending);
    this.#core.schemas.judge(f, e);
    this.#core.spellings.judge(f, e.name);
    const [journal, broken] = this.#rulesStep(f, e, "");
    if (broken !== "") return this.#decide("fault", "rule.fault", broken);
    const d = this.#decision(f);
    if (d.verdict === "allow") {
      Object.assign(s, { undo: s.now, undone: e.id, journal: journal.kept() });
      const call = { id: e.id, tool: e.name, entered: this.#core.specs.length === 0 ? NOTHING : this.#core.specs.map(() => 0), arguments: this.#core.rules.length > 0 ? e.arguments : kept(v) };
      s.now = { places, pending: [...pending, call], events: s.now.events + 1, time: e.time, rules: s.now.rules };
    } else journal.undo();
    return this.#listed(d);
  }

  #enterCall(f, i, p, tool, text, pending) {
    const spec = this.#core.specs[i];
    if (p.lost) { f.add(spec.name, "order.lost", "an earlier step is not permitted by " + show(spec.name)); return; }
    const letters = spec.resolve(tool);
    if (letters === null) { p.lost = f.add(spec.name, "call.tool", "unknown tool " + show(tool)); return; }
    for (let k = 0; k < letters.length; k++) {
      const letter = letters[k];
      if (k === 0) spec.awaited(i, p, letter, pending);
      const before = { ...p };
      if (!spec.enter(p, letter)) {
        Object.assign(p, before);
        const { next } = this.#next();
        p.lost = f.add(spec.name, spec.full(p) ? "limit" : "order.call", show(tool) + " is not allowed here; " + (next.length > 0 ? "allowed: " + list(next) : "no call may follow"));
        return;
      }
      const fault = spec.fault(letter, k === 0 && letters.length > 1 ? tool : text);
      if (fault !== "") f.add(spec.name, "content", fault);
      f.properties(spec, before, p, show(tool));
    }
  }

  #result(e) {
    const closed = this.#closed();
    if (closed !== null) return closed;
    const { pending } = this.#state.now;
    const i = pending.findIndex((c) => c.id === e.id && (e.id !== "" || e.name === "" || c.tool === e.name));
    if (i < 0 || (e.name !== "" && pending[i].tool !== e.name)) return this.#decide("deny", "event.result", "no call with this name and id waits for a result");
    const refused = this.#content(e);
    if (refused !== null) return refused;
    const call = pending[i], f = new Findings(this.#core.modes), places = copies(this.#state.now.places);
    this.#core.specs.forEach((spec, k) => {
      if (!call.entered[k]) this.#enterText(f, spec, places[k], spec.resultOf(call.tool), e.content, "the result of " + show(call.tool), true);
    });
    return this.#finish(f, places, { ...e, name: call.tool }, call.arguments, () => {
      this.#state.now.pending = pending.filter((_, k) => k !== i);
      if (e.id !== "") this.#state.recent = [...this.#state.recent, e.id].slice(-MAX_RECENT);
    });
  }

  #content(e) {
    const size = utf8Length(e.content);
    return size < 0 || size > MAX_TEXT ? this.#decide("deny", "event.content", "the content is invalid Unicode or larger than " + MAX_TEXT + " bytes") : null;
  }

  /** Enters an event that happened, unless the verdict is deny; then the session is violated. */
  #finish(f, places, e, input, entered) {
    const [journal, broken] = this.#rulesStep(f, e, input);
    if (broken !== "") {
      this.#violate(broken);
      return this.#decide("fault", "rule.fault", broken);
    }
    const d = this.#decision(f), s = this.#state;
    this.#commit();
    if (d.verdict === "deny") {
      journal.undo();
      this.#violate(d.reason);
    } else {
      s.now = { ...s.now, places, events: s.now.events + 1, time: e.time };
      entered();
    }
    return this.#listed(d);
  }

  /** Enters the letters of an event other than a call. If joined is true, a repeated last letter needs no step. */
  #enterText(f, spec, p, letters, content, step, joined) {
    if (p.lost) return;
    for (let k = 0; k < letters.length; k++) {
      const before = { ...p };
      if (!spec.enter(p, letters[k])) {
        Object.assign(p, before);
        if (joined && letters.length === 1 && p.last === letters[k]) return;
        p.lost = f.add(spec.name, "order.event", step + " is not allowed here");
        return;
      }
      const fault = spec.fault(letters[k], k < letters.length - 1 ? "" : content);
      if (fault !== "") f.add(spec.name, "content", fault);
      f.properties(spec, before, p, step);
    }
  }

  #message(e) {
    const closed = this.#closed() ?? this.#content(e);
    if (closed !== null) return closed;
    if (!["user", "assistant", "system"].includes(e.name)) return this.#decide("deny", "event.kind", "unknown role " + show(e.name) + "; expected user, assistant or system");
    const f = new Findings(this.#core.modes), places = copies(this.#state.now.places);
    this.#core.specs.forEach((spec, i) => {
      const letters = e.name === "user" ? spec.map.user ?? [] : spec.textOf(places[i], e), p = { ...places[i] };
      if (!e.optional || letters.every((letter) => spec.enter(p, letter))) this.#enterText(f, spec, places[i], letters, e.content, "the message of the role " + e.name, false);
    });
    return this.#finish(f, places, e, "", () => {});
  }

  /** Reports whether the specs may allow a call of a tool; "*" means any other tool. */
  #offered(tool) {
    const f = new Findings(this.#core.modes);
    this.#core.specs.forEach((spec, i) => {
      const p = { ...this.#state.now.places[i] };
      if (p.lost) return;
      const letters = tool === "*" ? spec.map.other : spec.resolve(tool), pending = [...this.#state.now.pending];
      let ok = letters !== null;
      for (let k = 0; ok && k < letters.length; k++) {
        if (k === 0) spec.awaited(i, p, letters[k], pending);
        const before = { ...p }, last = k === letters.length - 1 && spec.properties.length === 0; // no state after it is needed
        ok = last ? spec.possible(p, letters[k]) : spec.enter(p, letters[k]);
        if (ok) {
          f.properties(spec, before, p, "");
          ok = k > 0 || letters.length < 2 || tool === "*" || spec.fault(letters[k], tool) === "";
        }
      }
      if (!ok) f.add(spec.name, "", "");
    });
    return !f.list.some((found) => f.mode(found.rule) === "enforce");
  }

  #write(op, e, d) {
    const { log } = this.#options;
    if (typeof log !== "function") return;
    const s = this.#state, clean = (name) => show(name).slice(1, -1);
    let line = '{"n":' + ++s.lines + ',"prev":' + quote(s.log) + ',"op":' + quote(op) + ',"kind":' + quote(clean(e.kind)) + ',"name":' + quote(clean(e.name)) + ',"id":' + quote(clean(e.id));
    if (e.kind === "call") line += ',"arguments":' + this.#redacted(e.arguments);
    else if (e.content !== "") line += ',"content":' + digest(e.content);
    line += ',"verdict":' + quote(d.verdict) + ',"code":' + quote(d.code) + ',"rule":' + quote(d.rule) + ',"shadow":[' + d.shadow.map((f) => quote(f.rule)).join(",") + "]}";
    s.log = sha256(line);
    log(line);
  }

  #redacted(text) {
    if (trim(text) === "") return "null";
    const [v, fault] = scan(text, MAX_ARGUMENTS);
    if (fault !== "") return '"malformed"';
    if (utf8Length(text) > MAX_LOGGED) return digest(text);
    const { redact = NOTHING } = this.#options;
    return without(v, redact.length === 0 ? HIDDEN : new Set([...HIDDEN, ...redact.map(plain)]));
  }
}

const copies = (places) => (places.length === 0 ? places : places.map((p) => ({ ...p })));

/** The words of names whose values no log line shows. */
const HIDDEN = new Set(SECRETS);

const NO_EVENT = { kind: "", name: "", id: "", arguments: "", content: "", agent: "", time: "", final: false, approved: false, optional: false };

const systemClock = () => Date.now() / 1000;

/** Returns the time of an event that has none. A clock that was set back does not make it earlier than the last event. */
function timed(clock = systemClock, last) {
  if (clock === null) return "";
  const time = clock().toFixed(3);
  return last !== "" && Number(time) <= Number(last) ? last : time;
}

/** Converts an event for rules. Returns null for a time that JSON cannot represent as a number. */
function ruleEvent(e, input, index) {
  let time = Decimal.of(index);
  if (e.time !== "") {
    const [v, fault] = scan(e.time, MAX_ID);
    if (fault !== "" || v.kind !== "0") return null;
    time = Decimal.parse(v.raw);
  }
  const from = input === "" ? undefined : fields(input), textual = e.kind === "message" || e.kind === "error";
  const content = textual ? Value.object(new Map([["text", Value.text(e.content)], ...(from === undefined ? [] : [["input", from]])])) : fields(e.kind === "call" ? e.arguments : e.content, from);
  const named = (text) => (text === "" ? undefined : Value.text(text));
  return { kind: e.kind, name: e.name, fields: content, time, agent: named(e.agent), id: named(e.id) };
}

function digest(text) {
  const bytes = utf8Length(text);
  return bytes < 0 ? '"invalid"' : '{"sha256":' + quote(sha256(text)) + ',"bytes":' + bytes + "}";
}

/** Copies the members of an event to e. Returns the fault: "" or [code, reason]. */
function readEvent(e, event) {
  let fault = "";
  for (const name of ["kind", "name", "id", "agent"]) {
    const v = event[name];
    if (v === undefined || v === null) continue;
    if (typeof v === "string") e[name] = v;
    else if (fault === "") fault = name === "name" ? ["call.tool", "the name of the tool is empty, invalid or longer than " + MAX_ID + " bytes"] : ["event.kind", "the member " + name + " of an event is not a text"];
  }
  if (event.time !== undefined && event.time !== null) e.time = String(event.time);
  e.final = event.final === true;
  e.approved = event.approved === true;
  e.optional = event.optional === true;
  for (const name of ["arguments", "content"]) {
    const v = event[name];
    if (v === undefined || v === null) continue;
    try {
      e[name] = typeof v === "string" ? v : encode(v);
    } catch (error) {
      if (fault === "") fault = name === "arguments" ? ["call.arguments", "malformed arguments: " + error.message] : ["event.content", "the content is invalid Unicode or larger than " + MAX_TEXT + " bytes"];
    }
  }
  return fault;
}

/** Reads the arguments of a call. Returns the text that content restrictions apply to, the fault or "", and the value or null. */
function argumentsOf(e) {
  if (e.arguments.length <= MAX_ARGUMENTS && trim(e.arguments) === "") return ["", "", null];
  const [v, fault] = scan(e.arguments, MAX_ARGUMENTS);
  return fault === "" ? [onlyValue(v), "", v] : ["", fault, null];
}

/** Returns the hash of arguments, which are {} if there are none. */
const kept = (v) => sha256(v === null ? "{}" : canonical(v));
