// Values of rules about data: JSON with exact decimals, and the regular expressions of RE2. Keys are the bytes of
// UTF-8 as characters, so that their length and order are those of other runtimes.

import { Scanner } from "./json.js";

const MAX_DIGITS = 10_000, MAX_LEAD = 1n << 60n, SAFE_LEAD = 2 ** 50, MAX_TREE = 101, MAX_STATES = 2000;
const bytesOf = new TextEncoder();

/** Returns the bytes of a text in UTF-8 as characters. */
function binary(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  let out = "";
  for (const byte of bytesOf.encode(text)) out += String.fromCharCode(byte);
  return out;
}

/** Returns the text of bytes in UTF-8. */
const textual = (key) => (/^[\x00-\x7f]*$/.test(key) ? key : new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(key, (byte) => byte.charCodeAt(0))));

export const addKey = (key) => key.length + ":" + key;

/** Returns the parts of a text that addKey wrote. */
export function split(text) {
  const out = [];
  for (let at = 0; at < text.length;) {
    const colon = text.indexOf(":", at), end = colon + 1 + Number(text.slice(at, colon));
    out.push(text.slice(at, end));
    at = end;
  }
  return out;
}

export const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Quotes a text as JSON without U+2028 and U+2029. */
export const encodeText = (text) => JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"));

/** Adds a number to a lead. */
const plus = (lead, n) => (typeof lead === "number" && typeof n === "number" ? lead + n : BigInt(lead) + BigInt(n));

/** An exact decimal: 0.DIGITS times ten to the power of lead. DIGITS has no zeros at either end and is "" for 0. A large lead is a bigint. */
export class Decimal {
  constructor(negative, digits, lead) {
    const zero = digits === "";
    this.negative = negative && !zero;
    this.digits = digits;
    this.lead = zero ? 0 : lead > -SAFE_LEAD && lead < SAFE_LEAD ? Number(lead) : BigInt(lead);
  }

  get far() { return typeof this.lead === "bigint" && (this.lead >= MAX_LEAD || this.lead <= -MAX_LEAD); }

  static parse(text) {
    const [, sign, whole, part = "", power = "0"] = /^(-?)([0-9]*)(?:\.([0-9]*))?(?:[eE]\+?(-?[0-9]+))?$/.exec(text);
    const all = whole + part, digits = all.replace(/^0+/, "");
    return new Decimal(sign === "-", trimZeros(digits), plus(power.length < 15 ? Number(power) : BigInt(power), whole.length - (all.length - digits.length)));
  }

  /** Returns a whole number times ten to the power of low. */
  static of(n, low = 0) {
    const text = n.toString(), digits = text[0] === "-" ? text.slice(1) : text;
    return digits === "0" ? ZERO : new Decimal(text[0] === "-", trimZeros(digits), plus(low, digits.length));
  }

  toString() {
    const { digits, lead } = this, n = digits.length, sign = this.negative ? "-" : "";
    if (digits === "") return "0";
    if (lead > 21 || lead < -6) return sign + digits[0] + (n > 1 ? "." + digits.slice(1) : "") + "e" + plus(lead, -1);
    if (lead <= 0) return sign + "0." + "0".repeat(-lead) + digits;
    if (lead >= n) return sign + digits + "0".repeat(lead - n);
    return sign + digits.slice(0, lead) + "." + digits.slice(lead);
  }

  get sign() { return this.digits === "" ? 0 : this.negative ? -1 : 1; }

  compare(other) {
    if (this.sign !== other.sign || this.digits === "") return Math.sign(this.sign - other.sign);
    const size = order(this.lead, other.lead) || order(this.digits, other.digits);
    return this.negative ? -size : size;
  }

  get minus() { return new Decimal(!this.negative, this.digits, this.lead); }

  get low() { return plus(this.lead, -this.digits.length); }

  /** The number as a multiple of ten to the power of low. */
  multiple(low) {
    const n = BigInt(this.digits + "0".repeat(Number(plus(this.low, -low))));
    return this.negative ? -n : n;
  }

  /** Returns the sum, or null if it has too many digits. */
  add(other) {
    if (this.digits === "") return other;
    if (other.digits === "") return this;
    if (this.far || other.far) return null;
    const low = this.low < other.low ? this.low : other.low, lead = this.lead > other.lead ? this.lead : other.lead;
    return plus(lead, -low) > MAX_DIGITS ? null : Decimal.of(this.multiple(low) + other.multiple(low), low);
  }

  /** Returns the product, or null if it has too many digits. */
  multiply(other) {
    if (this.digits === "" || other.digits === "") return ZERO;
    if (this.far || other.far || this.digits.length + other.digits.length > MAX_DIGITS) return null;
    const out = Decimal.of(this.multiple(this.low) * other.multiple(other.low), plus(this.low, other.low));
    return out.lead > MAX_LEAD || out.lead < -MAX_LEAD ? null : out;
  }
}

function trimZeros(digits) {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

export const ZERO = new Decimal(false, "", 0);

export const [NULL, FALSE, TRUE, NUMBER, STRING, LIST, OBJECT] = [0, 1, 2, 3, 4, 5, 6];

/** A JSON value, which is never changed. Two values are equal if their keys are. */
export class Value {
  constructor(kind, key, data) {
    this.kind = kind;
    this.key = key;
    this.data = data; // a text, a Decimal, the items of a list, or a Map of members in the order of their names
  }

  static text(text) { return new Value(STRING, '"' + binary(text), text); }

  static number(decimal) { return new Value(NUMBER, "#" + decimal.toString(), decimal); }

  static list(items) { return new Value(LIST, "[" + items.map((item) => addKey(item.key)).join(""), items); }

  /** Returns the object with the members of a Map. */
  static object(members) {
    const names = [...members.keys()].map((name) => [binary(name), name]).sort((a, b) => order(a[0], b[0]));
    const key = "{" + names.map(([key, name]) => addKey('"' + key) + addKey(members.get(name).key)).join("");
    return new Value(OBJECT, key, new Map(names.map(([, name]) => [name, members.get(name)])));
  }

  get text() { return this.kind === STRING ? this.data : ""; }

  get number() { return this.kind === NUMBER ? this.data : null; }

  get members() { return this.data; }

  get items() { return this.kind === LIST ? this.data : [...this.data.values()]; }

  get names() { return [...this.data.keys()]; }

  /** Converts a value that a Scanner read. Of members with equal names, the last one counts. */
  static of(n) {
    switch (n.kind) {
      case '"': return Value.text(n.text);
      case "0": return Value.number(Decimal.parse(n.raw));
      case "[": return Value.list(n.items.map(Value.of));
      case "{": return Value.object(new Map(n.names.map((name, i) => [name, Value.of(n.items[i])])));
    }
    return Value.ofKey(n.kind);
  }

  /** Returns the value of a key to which addKey added the length. */
  static ofPart(part) { return Value.ofKey(part.slice(part.indexOf(":") + 1)); }

  static ofKey(key) {
    switch (key[0]) {
      case '"': return Value.text(textual(key.slice(1)));
      case "#": return Value.number(Decimal.parse(key.slice(1)));
      case "[": return Value.list(split(key.slice(1)).map(Value.ofPart));
      case "{": {
        const parts = split(key.slice(1)).map(Value.ofPart), members = new Map();
        for (let i = 0; i < parts.length; i += 2) members.set(parts[i].text, parts[i + 1]);
        return Value.object(members);
      }
    }
    return CONSTANTS[key];
  }

  /** The value in JSON, with numbers in their shortest form and names in order. */
  get json() {
    switch (this.kind) {
      case NUMBER: return this.key.slice(1);
      case STRING: return encodeText(this.data);
      case LIST: return "[" + this.data.map((item) => item.json).join(",") + "]";
      case OBJECT: return "{" + Array.from(this.data, ([name, item]) => encodeText(name) + ":" + item.json).join(",") + "}";
    }
    return this.data;
  }

  /** Returns the value of a member, or undefined. */
  field(name) { return this.kind === OBJECT ? this.members.get(name) : undefined; }
}

const CONSTANTS = { n: new Value(NULL, "n", "null"), f: new Value(FALSE, "f", "false"), t: new Value(TRUE, "t", "true") };

/** Orders values by their kinds, numbers and texts; lists and objects by their elements. */
export function compareValues(a, b) {
  if (a.kind !== b.kind) return a.kind - b.kind;
  if (a.kind === NUMBER) return a.number.compare(b.number);
  if (a.kind === STRING) return order(a.key, b.key);
  if (a.kind <= TRUE) return 0;
  const x = a.items, y = b.items, named = a.kind === OBJECT, p = named ? a.names : [], q = named ? b.names : [];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (p[i] !== q[i]) return order(binary(p[i]), binary(q[i]));
    const c = compareValues(x[i], y[i]);
    if (c !== 0) return c;
  }
  return x.length - y.length;
}

/** Evaluates a comparison of two values. */
export function compareBy(relation, a, b) {
  if (relation === "=") return a.key === b.key;
  if (relation === "!=") return a.key !== b.key;
  if (a.kind !== b.kind || (a.kind !== NUMBER && a.kind !== STRING)) return false;
  const c = compareValues(a, b);
  return relation === "<" ? c < 0 : relation === "<=" ? c <= 0 : relation === ">" ? c > 0 : c >= 0;
}

/** Reads a text that may be JSON of any names and escapes. Returns undefined if it is not. */
export function parse(text) {
  const s = new Scanner(text, MAX_TREE, false);
  if (text[0] === "\ufeff") s.at = 1;
  s.space();
  const v = s.value(1);
  s.space();
  return s.fault !== "" || s.at < text.length ? undefined : Value.of(v);
}

/** Returns the fields of a text: the members of an object, otherwise the field "value"; and the arguments of its call as "input". */
export function fields(text, input) {
  const v = text === "" ? undefined : parse(text);
  const members = new Map(v?.kind === OBJECT ? v.members : v !== undefined ? [["value", v]] : text !== "" ? [["value", Value.text(text)]] : []);
  if (input !== undefined) members.set("input", input);
  return Value.object(members);
}

/** A regular expression, which is searched in a text. Sets of instructions become states when they are first reached. */
export class Regex {
  constructor({ code, from, class: classes, word, line, sets }) {
    const fit = (i, n) => i >= 0 && i < n;
    if (!(from[0] === 0 && from.every((x, i) => i === 0 || x > from[i - 1]) && classes.length === from.length && code.length > 0 &&
      code.every(([op, x, y]) => fit(op, 9) && (op === 8 || fit(x, code.length)) && (op !== 0 || fit(y, sets.length)) && (op !== 1 || fit(y, code.length))))) throw new Error("the program of a regular expression is damaged");
    Object.assign(this, { code, from, classes, word: new Set(word), line, sets: sets.map((s) => new Set(s)), states: new Map() });
  }

  classOf(c) {
    let low = 0, high = this.from.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.from[middle] <= c) low = middle;
      else high = middle;
    }
    return this.classes[low];
  }

  /** Reports whether a part of the text matches. */
  test(text) {
    let state = this.state([], -1);
    for (const char of text) {
      const c = this.classOf(char.codePointAt(0));
      let next = state.next.get(c);
      if (next === undefined) state.next.set(c, next = this.step(state, c));
      if (next === true) return true;
      state = next;
    }
    return this.step(state, -1) === true;
  }

  state(list, before) {
    const kind = before < 0 ? 0 : before === this.line ? 1 : this.word.has(before) ? 2 : 3, key = kind + ":" + list.join();
    let found = this.states.get(key);
    if (found === undefined) {
      if (this.states.size >= MAX_STATES) this.states = new Map();
      this.states.set(key, found = { list, before, next: new Map() });
    }
    return found;
  }

  /** Returns the state after a class of characters, -1 for the end of the text, or true if a part matches before it. */
  step({ list, before }, after) {
    const seen = new Set(), next = new Set(), stack = [...list, 0];
    while (stack.length > 0) {
      const i = stack.pop();
      if (seen.has(i)) continue;
      seen.add(i);
      const [op, x, y] = this.code[i];
      if (op === 8) return true;
      if (op === 0) {
        if (after >= 0 && this.sets[y].has(after)) next.add(x);
      } else if (op === 1) stack.push(x, y);
      else if (this.holds(op, before, after)) stack.push(x);
    }
    return this.state([...next].sort((a, b) => a - b), after);
  }

  holds(op, before, after) {
    switch (op) {
      case 2: return before < 0;
      case 3: return after < 0;
      case 4: return before < 0 || before === this.line;
      case 5: return after < 0 || after === this.line;
    }
    return (this.word.has(before) !== this.word.has(after)) === (op === 6);
  }
}
