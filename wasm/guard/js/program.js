// Programs of rules about data, as a guard has them, and the changes of an event.

import { Regex, parse } from "./values.js";

const OPERATORS = ["atom", "compare", "not", "and", "or", "exists", "table", "since", "historically"];

/** The changes of an event, which can be undone and repeated. */
export class Journal {
  entries = [];

  set(of, name, value) {
    if (of[name] === value) return;
    this.entries.push([of, name, of[name]]);
    of[name] = value;
  }

  put(map, key, value) {
    this.entries.push([map, key, map.get(key)]);
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  push(list, item) {
    this.entries.push([list, null, item]);
    list.push(item);
  }

  /** Undoes and forgets the changes after the first ones. */
  revert(first) {
    for (let i = this.entries.length - 1; i >= first; i--) this.#swap(this.entries[i], true);
    this.entries.length = first;
  }

  undo() { for (let i = this.entries.length - 1; i >= 0; i--) this.#swap(this.entries[i], true); }

  redo() { for (const entry of this.entries) this.#swap(entry, false); }

  #swap(entry, back) {
    const [of, name, value] = entry;
    if (name === null) {
      if (back) of.pop();
      else of.push(value);
    } else if (of instanceof Map) {
      entry[2] = of.get(name);
      if (value === undefined) of.delete(name);
      else of.set(name, value);
    } else {
      entry[2] = of[name];
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
    ...p, env: new Array(64).fill(null), plans: new Map(), idle: null, terms: shared,
    parts: parts.map((n) => ({
      ...n, kids: n.kids ?? [],
      patterns: (n.patterns ?? []).map((q) => {
        if (!["", "~", "in", "has", "=", "!=", "<", "<=", ">", ">="].includes(q.test) || (q.test === "~") !== (q.regex !== null) || q.variable >= p.variables) damaged();
        const values = (q.values ?? []).map(literal);
        if (!["", "~", "in"].includes(q.test) && values.length !== 1) damaged();
        return { ...q, values, regex: q.regex === null ? null : new Regex(q.regex) };
      }),
    })),
    updates: updates.map((u) => ({ ...u, window: u.window === "" ? null : literal(u.window).number ?? damaged() })),
  };
}
