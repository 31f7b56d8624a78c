// Conditions on variables whose values are not known yet, because a formula outside a temporal operator binds them.

import { addKey, order } from "./values.js";

const cond = (op, key, members) => ({ op, kids: [], variable: 0, value: null, relation: "", terms: [], free: [], size: 0, ...members, key });

export const TRUE_COND = cond("t", "t");
export const FALSE_COND = cond("f", "f");

export const union = (...lists) => [...new Set(lists.flat())];

export const condEqual = (variable, value) => cond("=", "=" + variable + " " + addKey(value.key), { variable, value, free: [variable], size: 1 });

export function condNot(c) {
  if (c === TRUE_COND) return FALSE_COND;
  if (c === FALSE_COND) return TRUE_COND;
  return c.op === "!" ? c.kids[0] : cond("!", "!" + c.key, { kids: [c], free: c.free, size: c.size });
}

export const condAnd = (...list) => join("&", TRUE_COND, FALSE_COND, list);
export const condOr = (...list) => join("|", FALSE_COND, TRUE_COND, list);

/** Joins conditions: neutral ones are dropped, an absorbing one is the result, and equal ones count once. */
function join(op, neutral, absorbing, list) {
  const parts = new Map();
  const add = (c) => {
    if (c === absorbing) return false;
    if (c === neutral || parts.has(c.key)) return true;
    if (c.op === op) return c.kids.every(add);
    parts.set(c.key, c);
    return true;
  };
  if (!list.every(add)) return absorbing;
  if (parts.size === 0) return neutral;
  const kids = [...parts.values()].sort((a, b) => order(a.key, b.key));
  if (kids.length === 1) return kids[0];
  return cond(op, op + kids.map((c) => addKey(c.key)).join(""), { kids, free: union(...kids.map((c) => c.free)), size: kids.reduce((n, c) => n + c.size, 0) });
}

/** Returns a comparison of frozen terms. */
export function condCompare(relation, a, b) {
  return cond("c", "c" + relation + " " + addKey(a.key) + addKey(b.key), { relation, terms: [a, b], free: union(a.free, b.free), size: a.size + b.size });
}

/** Completes a term whose aggregates are copies. */
export function frozenTerm(t) {
  const out = { op: t.op, variable: t.variable ?? 0, value: t.value ?? null, sign: t.sign ?? "", kids: t.kids ?? [], frozen: t.frozen ?? null, free: [], size: 1, key: "" };
  switch (t.op) {
    case 0: return Object.assign(out, { free: [t.variable], key: "?" + t.variable });
    case 1: return Object.assign(out, { key: out.value === null ? "u" : "=" + out.value.key });
    case 2: return Object.assign(out, { free: t.frozen.free, size: t.frozen.size, key: "a" + t.frozen.key });
  }
  const [a, b] = t.kids;
  return Object.assign(out, { free: union(a.free, b.free), size: 1 + a.size + b.size, key: t.sign + addKey(a.key) + addKey(b.key) });
}
