// Aggregates of rules: for each assignment of their columns, the events in the window at which their operand held.

import { FALSE_COND, TRUE_COND, condAnd, condOr, union } from "./conds.js";
import { Decimal, NUMBER, Value, ZERO, addKey } from "./values.js";

export const keyOf = (values) => values.map((v) => addKey(v.key)).join("");
export const sortedKeys = (map) => [...map.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
export const newGroup = (values) => ({ values, n: 0, total: ZERO, best: [], distinct: new Map(), conds: [] });

const better = (name, x, y) => (name === "min" ? x.number.compare(y.number) < 0 : x.number.compare(y.number) > 0);

/** Adds the members that the event contributes to the groups. */
export function collect(m, u) {
  expire(m, u);
  const found = new Map();
  m.solve(u.part, (c) => {
    const values = m.valuesOf(u.columns), value = u.variable < 0 ? null : m.env[u.variable];
    if (value !== null && u.function !== "distinct" && value.kind !== NUMBER) return true;
    const key = keyOf(values) + (value?.key ?? ""), cond = condAnd(m.resolve(c), m.equalities(0, [...u.columns, ...u.locals]));
    const earlier = found.get(key);
    if (earlier !== undefined) {
      earlier.cond = condOr(earlier.cond, cond);
      return true;
    }
    found.set(key, { values, value, cond });
    return m.err === "";
  });
  for (const s of found.values()) {
    const e = { group: groupOf(m, u, s.values), end: ZERO, index: m.index, value: s.value, cond: s.cond, n: 1 };
    if (u.window !== null) {
      e.end = m.endOf(u.window);
      m.journal.push(u.queue, e);
      m.grow(1);
    }
    addMember(m, u, e);
  }
}

export function groupOf(m, u, values) {
  const key = keyOf(values);
  let g = u.groups.get(key);
  if (g === undefined) {
    g = newGroup(values);
    m.journal.put(u.groups, key, g);
    m.grow(1);
  }
  return g;
}

export function addMember(m, u, e) {
  const g = e.group, j = m.journal;
  if (e.cond !== TRUE_COND) {
    const i = u.window === null ? g.conds.findIndex((other) => other.cond.key === e.cond.key && (u.function !== "distinct" || other.value.key === e.value.key)) : -1;
    if (i >= 0) {
      j.set(g, "conds", g.conds.map((other, k) => (k === i ? merged(m, u, other, e) : other)));
      return;
    }
    j.set(g, "conds", [...g.conds, e]);
    m.grow(1 + e.cond.size);
    return;
  }
  j.set(g, "n", g.n + 1);
  if (u.function === "sum") j.set(g, "total", m.checked(g.total.add(e.value.number)));
  else if (u.function === "distinct") {
    if (!g.distinct.has(e.value.key)) m.grow(1);
    j.put(g.distinct, e.value.key, e);
  } else if (u.function !== "count") {
    let size = g.best.length;
    if (u.window === null) size = size > 0 && better(u.function, e.value, g.best[0].value) ? 0 : size;
    else while (size > 0 && !better(u.function, g.best[size - 1].value, e.value)) size--;
    if (u.window !== null || size === 0) j.set(g, "best", [...g.best.slice(0, size), e]);
  }
}

/** Returns a member that replaces two members with equal conditions. */
function merged(m, u, into, e) {
  const out = { ...into, n: into.n + 1 };
  if (u.function === "sum") out.value = Value.number(m.checked(into.value.number.add(e.value.number)));
  else if ((u.function === "min" || u.function === "max") && better(u.function, e.value, into.value)) out.value = e.value;
  return out;
}

/** Removes the members that have left the window. */
function expire(m, u) {
  const j = m.journal;
  for (const e of m.leaving(u, (e) => e.end)) {
    const g = e.group;
    m.grow(-1);
    if (e.cond !== TRUE_COND) {
      m.grow(-1 - e.cond.size);
      j.set(g, "conds", g.conds.slice(1));
    } else {
      j.set(g, "n", g.n - 1);
      if (u.function === "sum") j.set(g, "total", m.checked(g.total.add(e.value.number.minus)));
      else if (u.function === "distinct") {
        if (g.distinct.get(e.value.key)?.index === e.index) {
          j.put(g.distinct, e.value.key, undefined);
          m.grow(-1);
        }
      } else if (g.best[0] === e) j.set(g, "best", g.best.slice(1));
    }
    if (g.n === 0 && g.conds.length === 0) {
      j.put(u.groups, keyOf(g.values), undefined);
      m.grow(-1);
    }
  }
}

/** Returns the value of an aggregate: undefined if it has none, null while a variable has no value. */
export function evalAggregate(m, u) {
  if (u.columns.some((v) => m.env[v] === null)) return null;
  return evalGroup(m, u.function, u.groups.get(keyOf(m.valuesOf(u.columns))));
}

function evalGroup(m, name, g = newGroup([])) {
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
  const from = t.frozen ?? m.updates[t.update];
  const out = { function: from.function, columns: from.columns.map((v) => (v >= 0 && m.env[v] !== null ? -1 : v)), groups: new Map() };
  for (const key of sortedKeys(from.groups)) {
    const g = from.groups.get(key);
    if (!agrees(m, from.columns, g.values)) continue;
    const conds = g.conds.map((e) => ({ ...e, index: 0, end: ZERO, cond: m.resolve(e.cond) })).filter((e) => e.cond !== FALSE_COND);
    const bare = (e) => ({ value: e.value });
    out.groups.set(key, { ...g, best: g.best.slice(0, 1).map(bare), distinct: new Map([...g.distinct].map(([k, e]) => [k, bare(e)])), conds });
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

const agrees = (m, columns, values) => columns.every((v, i) => v < 0 || m.env[v] === null || m.env[v].key === values[i].key);

/** Evaluates a copy of an aggregate. At most one of its groups agrees with the known values. */
export function evalFrozen(m, s) {
  if (s.columns.some((v) => v >= 0 && m.env[v] === null)) return null;
  for (const name of sortedKeys(s.groups)) {
    m.step(1);
    const g = s.groups.get(name);
    if (agrees(m, s.columns, g.values)) return evalGroup(m, s.function, g);
  }
  return evalGroup(m, s.function);
}
