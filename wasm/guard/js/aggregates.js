// Aggregates of rules: for each assignment of their columns, the events in the window at which their operand held.

import { FALSE_COND, TRUE_COND, condAnd, condOr, union } from "./conds.js";
import { Decimal, NUMBER, Value, ZERO, addKey, split } from "./values.js";

const NOTHING = Object.freeze([]), NO_VALUES = new Map(); // are not changed

export const keyOf = (values) => values.map((v) => addKey(v.key)).join("");
export const sortedKeys = (map) => [...map.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** The members with the same values in the columns of an aggregate. A group is never changed, except for the Map of its values. */
export class Group {
  constructor(key, n = 0, total = ZERO, best = NOTHING, distinct = NO_VALUES, conds = NOTHING) {
    this.key = key;
    this.n = n;
    this.total = total;
    this.best = best;
    this.distinct = distinct;
    this.conds = conds;
  }
}

/** An event that an aggregate counts. */
export class Member {
  constructor(key, end, index, value, cond, n) {
    this.key = key;
    this.end = end;
    this.index = index;
    this.value = value;
    this.cond = cond;
    this.n = n;
  }
}

const better = (name, x, y) => (name === "min" ? x.number.compare(y.number) < 0 : x.number.compare(y.number) > 0);

/** Adds the members that the event contributes to the groups. */
export function collect(m, u) {
  expire(m, u);
  const found = new Map();
  m.solve(u.part, (c) => {
    const values = m.valuesOf(u.columns), value = u.variable < 0 ? null : m.env[u.variable];
    if (value !== null && u.function !== "distinct" && value.kind !== NUMBER) return true;
    const of = keyOf(values), key = of + (value?.key ?? ""), cond = condAnd(m.resolve(c), m.equalities(0, [...u.columns, ...u.locals]));
    const earlier = found.get(key);
    if (earlier !== undefined) {
      earlier.cond = condOr(earlier.cond, cond);
      return true;
    }
    found.set(key, { key: of, value, cond });
    return m.err === "";
  });
  for (const s of found.values()) {
    const e = new Member(s.key, u.window === null ? ZERO : m.endOf(u.window), m.index, s.value, s.cond, 1);
    if (u.window !== null) {
      m.own(u).queued(m.journal, e);
      m.grow(1);
    }
    addMember(m, u, e);
  }
}

/** Adds a member to its group. */
export function addMember(m, u, e) {
  const known = m.rows(u).get(e.key);
  if (known === undefined) m.grow(1);
  const g = grown(m, u, known ?? new Group(e.key), e);
  m.own(u).set(m.journal, e.key, g);
}

function grown(m, u, { key, n, total, best, distinct, conds }, e) {
  if (e.cond !== TRUE_COND) {
    const i = u.window === null ? conds.findIndex((other) => other.cond.key === e.cond.key && (u.function !== "distinct" || other.value.key === e.value.key)) : -1;
    if (i < 0) m.grow(1 + e.cond.size);
    conds = i < 0 ? [...conds, e] : conds.map((other, k) => (k === i ? merged(m, u, other, e) : other));
    return new Group(key, n, total, best, distinct, conds);
  }
  if (u.function === "sum") total = m.checked(total.add(e.value.number));
  else if (u.function === "distinct") {
    if (!distinct.has(e.value.key)) m.grow(1);
    if (distinct === NO_VALUES) distinct = new Map();
    m.journal.put(distinct, e.value.key, e);
  } else if (u.function !== "count") {
    let size = best.length;
    if (u.window === null) size = size > 0 && better(u.function, e.value, best[0].value) ? 0 : size;
    else while (size > 0 && !better(u.function, best[size - 1].value, e.value)) size--;
    if (u.window !== null || size === 0) best = [...best.slice(0, size), e];
  }
  return new Group(key, n + 1, total, best, distinct, conds);
}

/** Returns a member that replaces two members with equal conditions. */
function merged(m, u, into, e) {
  const out = new Member(into.key, into.end, into.index, into.value, into.cond, into.n + 1);
  if (u.function === "sum") out.value = Value.number(m.checked(into.value.number.add(e.value.number)));
  else if ((u.function === "min" || u.function === "max") && better(u.function, e.value, into.value)) out.value = e.value;
  return out;
}

/** Removes the members that have left the window. */
function expire(m, u) {
  for (const e of m.leaving(m.rows(u))) {
    m.grow(-1);
    const g = shrunk(m, u, m.rows(u).get(e.key), e), empty = g.n === 0 && g.conds.length === 0;
    m.own(u).set(m.journal, e.key, empty ? undefined : g);
    if (empty) m.grow(-1);
  }
}

function shrunk(m, u, { key, n, total, best, distinct, conds }, e) {
  if (e.cond !== TRUE_COND) {
    m.grow(-1 - e.cond.size);
    return new Group(key, n, total, best, distinct, conds.slice(1));
  }
  if (u.function === "sum") total = m.checked(total.add(e.value.number.minus));
  else if (u.function === "distinct") {
    if (distinct.get(e.value.key)?.index === e.index) {
      m.journal.put(distinct, e.value.key, undefined);
      m.grow(-1);
    }
  } else if (best[0] === e) best = best.slice(1);
  return new Group(key, n - 1, total, best, distinct, conds);
}

/** Returns the value of an aggregate: undefined if it has none, null while a variable has no value. */
export function evalAggregate(m, u) {
  if (u.columns.some((v) => m.env[v] === null)) return null;
  return evalGroup(m, u.function, m.rows(u).get(keyOf(m.valuesOf(u.columns))));
}

function evalGroup(m, name, g = new Group("")) {
  let { n, total } = g, best = g.best[0]?.value;
  const extra = new Set();
  for (const e of g.conds) {
    const c = m.resolve(e.cond);
    if (c === FALSE_COND) continue;
    if (c !== TRUE_COND) return null;
    n += e.n;
    if (name === "sum") total = m.checked(total.add(e.value.number));
    else if (name === "distinct") {
      if (!g.distinct.has(e.value.key)) extra.add(e.value.key);
    } else if (name !== "count" && (best === undefined || better(name, e.value, best))) best = e.value;
  }
  switch (name) {
    case "count": return Value.number(Decimal.of(n));
    case "distinct": return Value.number(Decimal.of(g.distinct.size + extra.size));
    case "sum": return Value.number(total);
  }
  return best;
}

/** Copies the groups of an aggregate that agree with the known values. A column of the copy is -1 if its value is known. */
export function freezeAggregate(m, t) {
  const { frozen } = t, u = m.updates[t.update], columns = frozen?.columns ?? u.columns, groups = frozen?.groups ?? m.rows(u);
  const out = { function: frozen?.function ?? u.function, columns: columns.map((v) => (v >= 0 && m.env[v] !== null ? -1 : v)), groups: new Map() };
  for (const key of sortedKeys(groups)) {
    const g = groups.get(key);
    if (!agrees(m, columns, key)) continue;
    const conds = g.conds.map((e) => new Member("", ZERO, 0, e.value, m.resolve(e.cond), e.n)).filter((e) => e.cond !== FALSE_COND);
    const bare = (e) => ({ value: e.value });
    out.groups.set(key, new Group(key, g.n, g.total, g.best.slice(0, 1).map(bare), new Map([...g.distinct].map(([k, e]) => [k, bare(e)])), conds));
  }
  finishFrozen(out);
  m.step(out.size);
  return out;
}

/** Computes the key, the variables and the size of a copy. */
export function finishFrozen(s) {
  s.free = union(s.columns.filter((v) => v >= 0), ...[...s.groups.values()].flatMap((g) => g.conds.map((e) => e.cond.free)));
  s.size = 0;
  s.key = s.function + s.columns.map((v) => " " + v).join("");
  for (const name of sortedKeys(s.groups)) {
    const g = s.groups.get(name);
    s.size += 1 + g.distinct.size + g.conds.length + g.conds.reduce((n, e) => n + e.cond.size, 0);
    s.key += addKey(name) + addKey(g.n + " " + g.total + g.best.map((e) => " " + e.value.key).join("") + sortedKeys(g.distinct).map(addKey).join("") +
      g.conds.map((e) => (e.value === null ? "" : addKey(e.value.key)) + e.n + addKey(e.cond.key)).join(""));
  }
  return s;
}

/** Reports whether the values of a key are those that the columns have. */
function agrees(m, columns, key) {
  const parts = split(key);
  return columns.every((v, i) => v < 0 || m.env[v] === null || addKey(m.env[v].key) === parts[i]);
}

/** Evaluates a copy of an aggregate. At most one of its groups agrees with the known values. */
export function evalFrozen(m, s) {
  if (s.columns.some((v) => v >= 0 && m.env[v] === null)) return null;
  for (const name of sortedKeys(s.groups)) {
    m.step(1);
    if (agrees(m, s.columns, name)) return evalGroup(m, s.function, s.groups.get(name));
  }
  return evalGroup(m, s.function);
}
