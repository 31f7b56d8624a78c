// Judges the rules of a file, and writes and reads the state of the rules as package core/rules does.

import { FALSE_COND, TRUE_COND, condAnd, condCompare, condEqual, condNot, condOr, frozenTerm } from "./conds.js";
import { addMember, finishFrozen, groupOf, keyOf, newGroup, sortedKeys } from "./aggregates.js";
import { Machine } from "./rules.js";
import { NUMBER, Value, ZERO, encodeText } from "./values.js";

const KINDS = ["call", "result", "error", "message", "end"];
const UNTIMED = "the rule needs the times of events, which the run does not have";

/** The state of the rules of a file. */
export class Monitor {
  #machines; // null for a rule in its first state

  constructor(programs) {
    this.#machines = programs.map(() => null);
    Object.assign(this, { programs, events: 0, last: ZERO, ended: false, err: "" });
  }

  /** Returns a rule. Those in their first state are one machine, which is not changed. */
  #rule(i) { return this.#machines[i] ?? (this.programs[i].idle ??= new Machine(this.programs[i])); }

  #own(i) { return this.#machines[i] ??= new Machine(this.programs[i]); }

  /** Adds an event to a rule. A change of the shared machine is undone, and repeated by a machine of this monitor. */
  #judge(i, event, j) {
    const first = j.entries.length, found = this.#rule(i).judge(event, this.events, j);
    if (this.#machines[i] !== null || j.entries.length === first) return found;
    j.revert(first);
    return this.#own(i).judge(event, this.events, j);
  }

  /** Adds an event, and its changes to a journal. Returns the violations, as pairs of a rule and a reason. */
  step(event, times, j) {
    const out = [];
    this.programs.forEach((p, i) => { if (!times && p.timed) j.set(this.#own(i), "err", UNTIMED); });
    const refusal = this.err === "" ? this.refuses(event) : this.err;
    if (refusal !== "") {
      j.set(this, "err", refusal);
      return out;
    }
    this.programs.forEach(({ forAll, name }, i) => {
      if (this.#rule(i).err !== "") return;
      for (const values of this.#judge(i, event, j)) {
        out.push([i, "violates " + name + values.map((v, k) => (k === 0 ? " for ?" : ", ?") + forAll[k].name + " = " + v.json).join("")]);
      }
    });
    j.set(this, "events", this.events + 1);
    j.set(this, "last", event.time);
    j.set(this, "ended", event.kind === "end");
    return out;
  }

  refuses(e) {
    const at = "event " + this.events;
    if (this.ended) return at + " follows the end of the run";
    if (!KINDS.includes(e.kind)) return at + ' has the unknown kind "' + e.kind + '"; expected call, result, error, message or end';
    if (this.events > 0 && e.time.compare(this.last) < 0) return at + " is earlier than the event before: " + e.time + " < " + this.last;
    return "";
  }

  faulty(rule) { return this.err !== "" || this.#rule(rule).err !== ""; }

  save() {
    const rules = this.programs.map((_, i) => saveRule(this.#rule(i)));
    return record({ events: String(this.events), last: saveNumber(this.last), ended: flag(this.ended), fault: text(this.err) }, '"rules":' + (rules.length === 0 ? "null" : "[" + rules.join(",") + "]"));
  }

  /** Returns a monitor with a state that a Scanner read. Throws an Error for a state of other rules. */
  static load(programs, node) {
    const s = members(node, "events", "last", "ended", "fault", "rules"), m = new Monitor(programs), saved = items(s.rules);
    if (saved.length !== programs.length) throw new Error("other rules");
    Object.assign(m, { events: int(s.events), last: number(s.last), ended: s.ended?.kind === "t", err: string(s.fault) });
    saved.forEach((rule, i) => {
      const r = m.#own(i), state = members(rule, "triggered", "violated", "fault", "updates"), updates = items(state.updates);
      if (updates.length !== r.updates.length) throw new Error("other rules");
      Object.assign(r, { triggered: state.triggered?.kind === "t", violated: state.violated?.kind === "t" });
      r.updates.forEach((u, k) => loadUpdate(r, u, updates[k]));
      r.err = string(state.fault) || r.err;
      m.#machines[i] = null;
      if (saveRule(r) !== saveRule(m.#rule(i))) m.#machines[i] = r;
    });
    return m;
  }
}

const saveRule = (r) => record({ triggered: flag(r.triggered), violated: flag(r.violated), fault: text(r.err) },
  '"updates":' + (r.updates.length === 0 ? "null" : "[" + r.updates.map(saveUpdate).join(",") + "]"));

// Writers. A member whose text is "" is omitted.
const record = (list, last = "") => "{" + [...Object.entries(list).filter(([, v]) => v !== "").map(([name, v]) => '"' + name + '":' + v), ...(last === "" ? [] : [last])].join(",") + "}";
const flag = (v) => (v ? "true" : "");
const text = (v) => (v === "" ? "" : encodeText(v));
const count = (n) => (n === 0 ? "" : String(n));
const listed = (list, write) => (list.length === 0 ? "" : "[" + list.map(write).join(",") + "]");
const saveValue = (v) => (v === null ? "" : "[" + v.json + "]");
const saveNumber = (d) => (d.digits === "" ? "" : "[" + d + "]");

function saveUpdate(u) {
  if (u.op === "aggregate") {
    return u.window === null ? record({ groups: saveGroups(u.groups) })
      : record({ members: listed(u.queue.slice(u.head), (e) => saveMember(e, e.group.values)) });
  }
  return record({
    rows: saveTable(u.table), kills: u.kills === null ? "" : saveTable(u.kills),
    next: listed(u.next, (s) => record({ values: listed(s.values, saveValue), cond: saveCond(s.cond) })), end: saveNumber(u.end),
  });
}

function saveTable(t) {
  const rows = sortedKeys(t.buckets).flatMap((key) => t.buckets.get(key).rows.map((row) => [t.buckets.get(key).values, row]));
  rows.sort((a, b) => a[1].index - b[1].index);
  return listed(rows, ([values, row]) => record({ values: listed(values, saveValue), cond: saveCond(row.cond), index: count(row.index), end: saveNumber(row.end) }));
}

const saveMember = (e, values = []) => record({ values: listed(values, saveValue), value: saveValue(e.value), cond: saveCond(e.cond), index: count(e.index), end: saveNumber(e.end), n: count(e.n) });

const saveGroups = (groups) => listed(sortedKeys(groups).map((key) => groups.get(key)), (g) => record({
  values: listed(g.values, saveValue), n: count(g.n), total: saveNumber(g.total), best: g.best.length === 0 ? "" : saveValue(g.best[0].value),
  distinct: listed(sortedKeys(g.distinct), (key) => saveValue(g.distinct.get(key).value)), conds: listed(g.conds, (e) => saveMember(e)),
}));

function saveCond(c) {
  if (c === TRUE_COND) return "";
  return record({ op: encodeText(c.op), kids: listed(c.kids, saveCond), variable: count(c.variable), value: saveValue(c.value), relation: text(c.relation), terms: listed(c.terms, saveTerm) });
}

const saveTerm = (t) => record({
  op: String(t.op), variable: count(t.variable), value: saveValue(t.value), sign: text(t.sign), kids: listed(t.kids, saveTerm),
  frozen: t.frozen === null ? "" : record({ function: encodeText(t.frozen.function), columns: listed(t.frozen.columns, String), groups: saveGroups(t.frozen.groups) }),
});

// Readers of values of a Scanner. An unknown member is an error.
function members(node, ...names) {
  if (node?.kind !== "{") throw new Error("expected an object");
  const out = Object.create(null);
  node.names.forEach((name, i) => {
    if (!names.includes(name)) throw new Error("unknown member");
    out[name] = node.items[i];
  });
  return out;
}

function expect(node, kind) {
  if (node === undefined || node.kind === "n") return false;
  if (node.kind !== kind) throw new Error("a member of the wrong type");
  return true;
}

const items = (node) => (expect(node, "[") ? node.items : []);
const string = (node) => (expect(node, '"') ? node.text : "");
const int = (node) => {
  if (!expect(node, "0")) return 0;
  const n = Number(node.raw);
  if (!Number.isSafeInteger(n) || !/^-?[0-9]+$/.test(node.raw)) throw new Error("expected a whole number");
  return n;
};
const value = (node) => {
  if (!expect(node, "[")) return null;
  if (node.items.length !== 1) throw new Error("expected a value");
  return Value.of(node.items[0]);
};
const present = (node) => value(node) ?? fail();
const number = (node) => {
  const v = value(node);
  if (v !== null && v.kind !== NUMBER) fail();
  return v?.number ?? ZERO;
};
function fail() { throw new Error("a value of the wrong type"); }

function valuesOf(node, size) {
  const out = items(node).map(present);
  return out.length === size ? out : fail();
}

function loadUpdate(m, u, node) {
  const s = members(node, "rows", "kills", "next", "end", "groups", "members");
  if (u.op === "aggregate") {
    for (const one of items(s.members)) {
      const [e, values] = loadMember(one);
      if (values.length !== u.columns.length) fail();
      e.group = groupOf(m, u, values);
      u.queue.push(e);
      m.grow(1);
      addMember(m, u, e);
    }
    for (const one of items(s.groups)) {
      const g = loadGroup(one);
      if (g.values.length !== u.columns.length) fail();
      u.groups.set(keyOf(g.values), g);
      m.grow(1 + g.distinct.size + g.conds.reduce((n, e) => n + 1 + e.cond.size, 0));
    }
    return;
  }
  u.end = number(s.end);
  u.next = items(s.next).map((one) => {
    const row = members(one, "values", "cond", "index", "end");
    return { values: valuesOf(row.values, u.columns.length), cond: loadCond(row.cond) };
  });
  loadTable(m, u.table, s.rows);
  if (u.kills !== null) loadTable(m, u.kills, s.kills);
}

function loadTable(m, t, rows) {
  for (const one of items(rows)) {
    const s = members(one, "values", "cond", "index", "end"), b = m.bucket(t, valuesOf(s.values, t.columns.length));
    const row = { cond: loadCond(s.cond), index: int(s.index), end: number(s.end) };
    b.rows = [...b.rows, row];
    m.grow(1 + row.cond.size);
    if (t.window !== null) {
      t.queue.push({ at: row.end, bucket: b, row, index: row.index });
      m.grow(1);
    }
  }
}

function loadMember(node) {
  const s = members(node, "values", "value", "cond", "index", "end", "n");
  return [{ group: null, value: value(s.value), cond: loadCond(s.cond), index: int(s.index), end: number(s.end), n: int(s.n) }, items(s.values).map(present)];
}

function loadGroup(node) {
  const s = members(node, "values", "n", "total", "best", "distinct", "conds"), g = newGroup(items(s.values).map(present)), best = value(s.best);
  return Object.assign(g, {
    n: int(s.n), total: number(s.total), best: best === null ? [] : [{ value: best }], conds: items(s.conds).map((one) => loadMember(one)[0]),
    distinct: new Map(items(s.distinct).map(present).map((v) => [v.key, { value: v, index: 0 }])),
  });
}

function loadCond(node) {
  if (node === undefined || node.kind === "n") return TRUE_COND;
  const s = members(node, "op", "kids", "variable", "value", "relation", "terms"), kids = items(s.kids).map(loadCond), op = string(s.op), variable = int(s.variable);
  switch (op) {
    case "f": return FALSE_COND;
    case "&": return condAnd(...kids);
    case "|": return condOr(...kids);
    case "!": if (kids.length === 1) return condNot(kids[0]); break;
    case "=": if (variable >= 0 && variable < 64) return condEqual(variable, present(s.value)); break;
    case "c": {
      const terms = items(s.terms).map(loadTerm);
      if (terms.length === 2) return condCompare(string(s.relation), ...terms);
    }
  }
  return fail();
}

function loadTerm(node) {
  const s = members(node, "op", "variable", "value", "sign", "kids", "frozen"), op = int(s.op), kids = items(s.kids).map(loadTerm);
  if (![0, 1, 2, 3].includes(op) || (op === 3) !== (kids.length === 2) || (op === 2) !== (s.frozen !== undefined)) fail();
  let frozen = null;
  if (op === 2) {
    const f = members(s.frozen, "function", "columns", "groups");
    const groups = items(f.groups).map(loadGroup);
    frozen = finishFrozen({ function: string(f.function), columns: items(f.columns).map(int), groups: new Map(groups.map((g) => [keyOf(g.values), g])) });
  }
  return frozenTerm({ op, variable: int(s.variable), value: value(s.value), sign: string(s.sign), kids, frozen });
}
