// JSON Schemas of the arguments of tools as programs, which a compiled guard has.

import { list, show } from "./json.js";
import { LIST, NULL, NUMBER, OBJECT, Regex, STRING, Value, parse } from "./values.js";

const MAX_DEPTH = 128, MAX_WORK = 1 << 18;

/** The types with their articles. */
const TYPES = { null: "null", boolean: "a boolean", number: "a number", integer: "an integer", string: "a string", array: "an array", object: "an object" };
const KINDS = ["null", "boolean", "boolean", "number", "string", "array", "object"];

/** The number of kids of each operator: -1 for any number from one on, -2 for that of names, patterns and one more. */
const SHAPES = {
  never: 0, null: 0, type: 0, enum: 0, minLength: 0, maxLength: 0, minItems: 0, maxItems: 0, minProperties: 0, maxProperties: 0, minimum: 0, maximum: 0, above: 0, below: 0,
  multipleOf: 0, pattern: 0, format: 0, required: 0, dependent: 0, unique: 0, properties: -2, items: -1, propertyNames: 1, dependentSchema: 1, contains: 1, maxContains: 1,
  all: -1, any: -1, one: -1, not: 1, if: 3,
};

/** Checks arguments by a schema. */
export class Checker {
  /** Reads a program. Throws an Error for an unknown operator or a damaged program. */
  constructor({ root, nodes }) {
    const fit = (i) => i >= -1 && i < nodes.length;
    if (!fit(root)) throw new Error("the root is damaged");
    this.root = root;
    this.nodes = nodes.map((node) => node.map((c) => {
      const one = readCheck(c);
      if (!one.kids.every(fit)) throw damaged(c);
      return one;
    }));
  }

  /** Returns the first mismatch of arguments in JSON as a sentence, or "". */
  check(text) {
    const v = parse(text);
    if (v === undefined) return "the value of arguments is not JSON";
    const run = new Checking(this.nodes), found = run.check(this.root, v, 0);
    if (run.broken) return "the value of arguments is too complex to check";
    if (found === null) return "";
    return (found.path === "" ? "the value of arguments " : "arguments" + found.path + " ") + found.message;
  }
}

const damaged = (c) => new Error("the check " + show(c.op) + " is damaged");

/** Checks the members of a check, and converts them. */
function readCheck(c) {
  const { op, names = [], values = [], kids = [], count = 0, value = "", patterns = [] } = c;
  if (!Object.hasOwn(SHAPES, op)) throw damaged(c);
  const shape = SHAPES[op], index = new Map(names.map((name, i) => [name, i]));
  const ok = (shape === -1 ? kids.length > 0 : shape === -2 ? kids.length === names.length + patterns.length + 1 : kids.length === shape) && count >= 0 && index.size === names.length;
  const out = { op, names, kids, count, value, index, regexes: patterns.map((p) => new Regex(p.regex)), values: null, number: null, shown: [] };
  if (!ok) throw damaged(c);
  switch (op) {
    case "minimum": case "maximum": case "above": case "below": case "multipleOf": {
      const v = parse(value);
      if (v?.kind !== NUMBER || (op === "multipleOf" && (v.number.sign <= 0 || v.number.far))) throw damaged(c);
      out.number = v.number;
      break;
    }
    case "pattern": case "format":
      if (patterns.length !== 1 || patterns[0].text !== value) throw damaged(c);
      break;
    case "type":
      if (!names.every((name) => Object.hasOwn(TYPES, name))) throw damaged(c);
      break;
    case "enum": {
      const read = values.map((text) => parse(text) ?? (() => { throw damaged(c); })());
      out.values = new Set(read.map((v) => v.key));
      out.shown = read.slice(0, 8).map((v, i) => (v.kind === STRING ? show(v.text) : show(values[i]).slice(1, -1)));
      if (values.length > 8) out.shown.push((values.length - 8) + " more");
    }
  }
  return out;
}

/** Returns the path of a member. */
const step = (name) => (/^[0-9A-Za-z_-]+$/.test(name) ? "." + name : "[" + show(name) + "]");

const isInteger = (n) => n.digits === "" || n.lead >= n.digits.length;

/** Reports whether n is a whole multiple of a positive number. Exponents of any size are powers modulo its digits. */
function isMultiple(n, of) {
  if (n.digits === "") return true;
  let power = BigInt(n.low) - BigInt(of.low);
  if (power < 0n) return false; // the last digit of n is not 0
  const m = BigInt(of.digits);
  let out = BigInt(n.digits) % m;
  for (let base = 10n % m; power > 0n; power >>= 1n) {
    if (power & 1n) out = out * base % m;
    base = base * base % m;
  }
  return out % m === 0n;
}

const at = (path, found) => (found === null ? null : { path: path + found.path, message: found.message });
const here = (message) => (message === "" ? null : { path: "", message });

/** One check of a value. */
class Checking {
  constructor(nodes) { Object.assign(this, { nodes, work: 0, broken: false }); }

  /** Returns the first mismatch of a value as { path, message }, or null. */
  check(node, v, depth) {
    if (node < 0) return null;
    if (++this.work > MAX_WORK || depth > MAX_DEPTH) this.broken = true;
    if (this.broken) return here("is too complex to check");
    for (const one of this.nodes[node]) {
      if (one.op === "null") {
        if (v.kind === NULL) return null;
        continue;
      }
      const found = here(simple(one, v)) ?? (v.kind === OBJECT ? this.object(one, v, depth) : v.kind === LIST ? this.list(one, v, depth) : null) ?? this.combined(one, v, depth);
      if (found !== null) return found;
    }
    return null;
  }

  object(one, v, depth) {
    switch (one.op) {
      case "required": case "dependent": {
        if (one.op === "dependent" && !v.members.has(one.value)) return null;
        const missing = one.names.find((name) => !v.members.has(name));
        return missing === undefined ? null : { path: step(missing), message: "is missing" };
      }
      case "dependentSchema": return v.members.has(one.value) ? this.check(one.kids[0], v, depth + 1) : null;
      case "propertyNames":
        for (const name of v.names) {
          const found = this.check(one.kids[0], Value.text(name), depth + 1);
          if (found !== null) return { path: step(name), message: "has a name that " + found.message };
        }
        return null;
      case "properties":
        for (const name of v.names) {
          const found = this.member(one, name, v.members.get(name), depth);
          if (found !== null) return at(step(name), found);
        }
    }
    return null;
  }

  /** Checks a member by the schemas of its name and of the patterns that match the name, or else by that of the other members. */
  member(one, name, item, depth) {
    const k = one.index.get(name);
    let known = k !== undefined, found = known ? this.check(one.kids[k], item, depth + 1) : null;
    for (let i = 0; found === null && i < one.regexes.length; i++) {
      if (one.regexes[i].test(name)) {
        known = true;
        found = this.check(one.kids[one.names.length + i], item, depth + 1);
      }
    }
    if (known) return found;
    const other = one.kids.at(-1);
    found = this.check(other, item, depth + 1);
    if (found !== null && one.names.length > 0 && this.nodes[other][0]?.op === "never") return here("is unknown; expected: " + list(one.names));
    return found;
  }

  list(one, v, depth) {
    switch (one.op) {
      case "items":
        for (let i = 0; i < v.items.length; i++) {
          const found = this.check(one.kids[Math.min(i, one.kids.length - 1)], v.items[i], depth + 1);
          if (found !== null) return at("[" + i + "]", found);
        }
        return null;
      case "contains": case "maxContains": {
        const fits = v.items.filter((item) => this.check(one.kids[0], item, depth + 1) === null).length;
        if (one.op === "contains") return fits < one.count ? here("has fewer than " + one.count + " suitable items") : null;
        return fits > one.count ? here("has more than " + one.count + " suitable items") : null;
      }
      case "unique": {
        const seen = new Set();
        for (let i = 0; i < v.items.length; i++) {
          if (seen.has(v.items[i].key)) return { path: "[" + i + "]", message: "is a duplicate" };
          seen.add(v.items[i].key);
        }
      }
    }
    return null;
  }

  combined(one, v, depth) {
    switch (one.op) {
      case "all":
        for (const kid of one.kids) {
          const found = this.check(kid, v, depth + 1);
          if (found !== null) return found;
        }
        return null;
      case "any": case "one": return this.alternatives(one, v, depth);
      case "not": return this.check(one.kids[0], v, depth + 1) === null ? here("matches an excluded schema") : null;
      case "if": return this.check(this.check(one.kids[0], v, depth + 1) === null ? one.kids[1] : one.kids[2], v, depth + 1);
    }
    return null;
  }

  alternatives(one, v, depth) {
    let fits = 0, first = null;
    for (const kid of one.kids) {
      const found = this.check(kid, v, depth + 1);
      if (found !== null) first ??= found;
      else if (++fits > 0 && one.op === "any") return null;
    }
    if (fits === 0 && one.kids.length === 1) return first;
    if (fits === 0) return here("matches none of " + one.kids.length + " alternatives; in the first one, value" + first.path + " " + first.message);
    return fits > 1 ? here("matches " + fits + " alternatives; expected one") : null;
  }
}

/** Returns the mismatch of a check without parts, or "". */
function simple(one, v) {
  const { op } = one;
  switch (op) {
    case "never": return "is not allowed";
    case "type": {
      const got = KINDS[v.kind];
      if (one.names.some((name) => name === got || (name === "integer" && got === "number" && isInteger(v.number)))) return "";
      return "is " + TYPES[got] + "; expected " + one.names.map((name) => TYPES[name]).join(" or ");
    }
    case "enum": return one.values.has(v.key) ? "" : "must be one of: " + one.shown.join(", ");
    case "minLength": case "maxLength": return v.kind === STRING ? counted(one, [...v.text].length, "characters") : "";
    case "minItems": case "maxItems": return v.kind === LIST ? counted(one, v.items.length, "items") : "";
    case "minProperties": case "maxProperties": return v.kind === OBJECT ? counted(one, v.items.length, "properties") : "";
    case "minimum": case "maximum": case "above": case "below": case "multipleOf": return v.kind === NUMBER ? bounded(one, v.number) : "";
    case "pattern": case "format":
      if (v.kind !== STRING || one.regexes[0].test(v.text)) return "";
      return (op === "format" ? "must have the format " : "must match ") + show(one.value);
  }
  return "";
}

function counted(one, n, unit) {
  if (one.op.startsWith("min")) return n < one.count ? "has fewer than " + one.count + " " + unit : "";
  return n > one.count ? "has more than " + one.count + " " + unit : "";
}

function bounded(one, n) {
  const order = n.compare(one.number);
  switch (one.op) {
    case "minimum": return order < 0 ? "must be at least " + one.value : "";
    case "maximum": return order > 0 ? "must be at most " + one.value : "";
    case "above": return order <= 0 ? "must be more than " + one.value : "";
    case "below": return order >= 0 ? "must be less than " + one.value : "";
  }
  return isMultiple(n, one.number) ? "" : "must be a multiple of " + one.value;
}
