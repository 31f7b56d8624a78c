// Programs of rules about data, as a guard has them, and the changes of an event.

import { Machine } from "./rules.js";
import { Regex, parse } from "./values.js";

const NOTHING = Object.freeze([]);
const OPERATORS = ["atom", "compare", "not", "and", "or", "exists", "table", "since", "historically"];

/** The changes of an event, which can be undone and repeated: for each one an object or a Map, a name and another value; or a list and null. */
export class Journal {
  entries = NOTHING;

  set(of, name, value) {
    if (of[name] !== value) this.#keep(of, name, of[name]);
    of[name] = value;
  }

  put(map, key, value) {
    this.#keep(map, key, map.get(key));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  push(list, item) {
    this.#keep(list, null, item);
    list.push(item);
  }

  #keep(of, name, value) {
    if (this.entries === NOTHING) this.entries = [of, name, value];
    else this.entries.push(of, name, value);
  }

  /** Returns the journal of a call that may be undone, or null if there are no changes. */
  kept() {
    if (this.entries === NOTHING) return null;
    this.entries = this.entries.slice(); // without room for more
    return this;
  }

  undo() { for (let i = this.entries.length - 3; i >= 0; i -= 3) this.#swap(i, true); }

  redo() { for (let i = 0; i < this.entries.length; i += 3) this.#swap(i, false); }

  #swap(i, back) {
    const of = this.entries[i], name = this.entries[i + 1], value = this.entries[i + 2];
    if (name === null) {
      if (back) of.pop();
      else of.push(value);
    } else if (of instanceof Map) {
      this.entries[i + 2] = of.get(name);
      if (value === undefined) of.delete(name);
      else of.set(name, value);
    } else {
      this.entries[i + 2] = of[name];
      of[name] = value;
    }
  }
}

/** Checks a program, and converts its literals. Throws an Error for an unknown operator or a damaged program. */
export function readProgram(p) {
  const damaged = () => { throw new Error("a program of rules is damaged, or of a newer version"); };
  const fit = (list, n) => { if (!list.every((i) => i >= 0 && i < n)) damaged(); };
  const literal = (text) => parse(text) ?? damaged();
  const { parts, terms, updates } = p;
  if (p.variables > 64) damaged();
  fit([p.right, ...(p.left < 0 ? [] : [p.left]), ...updates.flatMap((u) => (u.op === "since" ? [u.part, u.not] : [u.part]))], parts.length);
  for (const u of updates) {
    if (!["once", "previous", "since", "aggregate"].includes(u.op) || (u.op === "aggregate" && !["count", "distinct", "sum", "min", "max"].includes(u.function))) damaged();
    fit([...u.columns, ...(u.kills ?? []), ...(u.locals ?? []), ...(u.variable < 0 ? [] : [u.variable]), ...p.forAll.map((v) => v.variable)], p.variables);
    if (u.op === "aggregate" && u.function !== "count" && u.variable < 0) damaged();
  }
  parts.forEach((n, i) => {
    if (!OPERATORS.includes(n.op)) damaged();
    fit(n.kids ?? [], i);
    fit([...n.free, ...n.binds, ...n.locals], p.variables);
    fit(n.terms ?? [], terms.length);
    if (n.op === "compare" && (n.terms?.length !== 2 || !["=", "!=", "<", "<=", ">", ">="].includes(n.relation))) damaged();
    if (["not", "exists", "historically"].includes(n.op) && n.kids?.length !== 1) damaged();
    if (["table", "since", "historically"].includes(n.op) && (!(n.update >= 0 && n.update < updates.length) || updates[n.update].op === "aggregate")) damaged();
  });
  terms.forEach((t, i) => {
    if (![0, 1, 2, 3].includes(t.op) || (t.op === 3 && (t.kids?.length !== 2 || !["+", "-", "*"].includes(t.sign)))) damaged();
    if ((t.op === 0 && !(t.variable >= 0 && t.variable < p.variables)) || (t.op === 2 && updates[t.update]?.op !== "aggregate")) damaged();
    fit(t.kids ?? [], i);
  });
  const shared = terms.map((t) => ({ ...t, value: t.op === 1 ? literal(t.value) : null, frozen: null }));
  for (const t of shared) t.kids = (t.kids ?? []).map((i) => shared[i]);
  return {
    ...p, terms: shared,
    parts: parts.map((n) => ({
      ...n, kids: n.kids ?? [],
      patterns: (n.patterns ?? []).map((q) => {
        if (!["", "~", "in", "has", "=", "!=", "<", "<=", ">", ">="].includes(q.test) || (q.test === "~") !== (q.regex !== null) || q.variable >= p.variables) damaged();
        const values = (q.values ?? []).map(literal);
        if (!["", "~", "in"].includes(q.test) && values.length !== 1) damaged();
        return { ...q, values, regex: q.regex === null ? null : new Regex(q.regex) };
      }),
    })),
    updates: updates.map((u) => ({ ...u, locals: u.locals ?? [], window: u.window === "" ? null : literal(u.window).number ?? damaged() })),
  };
}

/** Gives each rule of a file, and the rows of each operator, a slot of a monitor. Returns the programs, and the slots in the first state. */
export function laidOut(programs) {
  const slots = [], slot = (first) => slots.push(first) - 1;
  for (const p of programs) {
    p.slot = slot(0);
    p.updates = p.updates.map((u) => (u.op === "aggregate" ? { ...u, slot: slot(null) } : {
      ...u, upcoming: u.op === "previous" ? slot(null) : -1, kills: u.kills ? { slot: slot(null), columns: u.kills, window: u.window, latest: true } : null,
      table: { slot: slot(null), columns: u.columns, window: u.op === "previous" ? null : u.window, latest: u.op === "since" },
    }));
    p.machine = new Machine(p);
  }
  return { list: programs, slots };
}
