// Judges the rules of a file, and writes and reads the state of the rules as package core/rules does.

import { FALSE_COND, TRUE_COND, condAnd, condCompare, condEqual, condNot, condOr, frozenTerm } from "./conds.js";
import { Group, Member, addMember, finishFrozen, keyOf, sortedKeys } from "./aggregates.js";
import { Journal } from "./program.js";
import { Row, Rows, Upcoming, rowsOf } from "./tables.js";
import { NUMBER, Value, ZERO, encodeText, split } from "./values.js";

const KINDS = ["call", "result", "error", "message", "end"];
const UNTIMED = "the rule needs the times of events, which the run does not have";

/** The state of the rules of a file: for each rule a number, and the rows of its operators. */
export class Monitor {
  constructor(programs) {
    this.programs = programs;
    this.slots = programs.slots; // those of the first state are shared until they change
    this.events = 0;
    this.last = ZERO;
    this.ended = false;
    this.err = "";
  }

  #fault(i) { return this.slots[this.programs.list[i].slot].err ?? ""; }

  /** Adds an event, and its changes to a journal. Returns the violations, as pairs of a rule and a reason. */
  step(event, times, j) {
    const out = [], { list } = this.programs;
    if (!times) {
      for (const { timed, machine } of list) {
        if (!timed) continue;
        machine.open(this, j);
        machine.err = UNTIMED;
        machine.close();
      }
    }
    const refusal = this.err === "" ? this.refuses(event) : this.err;
    if (refusal !== "") {
      j.set(this, "err", refusal);
      return out;
    }
    list.forEach(({ forAll, name, machine }, i) => {
      if (this.#fault(i) !== "") return;
      for (const values of machine.judge(event, this.events, this, j)) {
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

  /** The reason why a rule cannot be judged, or "". */
  fault(rule) { return this.err || this.#fault(rule); }

  save() {
    const rules = this.programs.list.map((p) => saveRule(p, this.slots));
    return record({ events: String(this.events), last: saveNumber(this.last), ended: flag(this.ended), fault: text(this.err) }, '"rules":' + (rules.length === 0 ? "null" : "[" + rules.join(",") + "]"));
  }

  /** Returns a monitor with a state that a Scanner read. Throws an Error for a state of other rules. */
  static load(programs, node) {
    const s = members(node, "events", "last", "ended", "fault", "rules"), m = new Monitor(programs), saved = items(s.rules);
    if (saved.length !== programs.list.length) throw new Error("other rules");
    Object.assign(m, { events: int(s.events), last: number(s.last), ended: s.ended?.kind === "t", err: string(s.fault) });
    saved.forEach((rule, i) => {
      const { machine } = programs.list[i], state = members(rule, "triggered", "violated", "fault", "updates"), updates = items(state.updates);
      if (updates.length !== machine.updates.length) throw new Error("other rules");
      machine.open(m, new Journal());
      Object.assign(machine, { triggered: state.triggered?.kind === "t", violated: state.violated?.kind === "t" });
      machine.updates.forEach((u, k) => loadUpdate(machine, u, updates[k]));
      machine.err = string(state.fault) || machine.err;
      machine.close();
    });
    return m;
  }
}

function saveRule({ slot, updates }, slots) {
  const state = slots[slot], bits = typeof state === "number" ? state : state.bits;
  return record({ triggered: flag(bits & 1), violated: flag(bits & 2), fault: text(state.err ?? "") },
    '"updates":' + (updates.length === 0 ? "null" : "[" + updates.map((u) => saveUpdate(u, slots)).join(",") + "]"));
}

// Writers. A member whose text is "" is omitted.
const record = (list, last = "") => "{" + [...Object.entries(list).filter(([, v]) => v !== "").map(([name, v]) => '"' + name + '":' + v), ...(last === "" ? [] : [last])].join(",") + "}";
const flag = (v) => (v ? "true" : "");
const text = (v) => (v === "" ? "" : encodeText(v));
const count = (n) => (n === 0 ? "" : String(n));
const listed = (list, write) => (list.length === 0 ? "" : "[" + list.map(write).join(",") + "]");
const saveValues = (key) => listed(split(key), (part) => "[" + Value.ofPart(part).json + "]");
const saveValue = (v) => (v === null ? "" : "[" + v.json + "]");
const saveNumber = (d) => (d.digits === "" ? "" : "[" + d + "]");

const NONE = new Rows();

function saveUpdate(u, slots) {
  const rows = slots[u.slot] ?? NONE;
  if (u.op === "aggregate") {
    return u.window === null ? record({ groups: saveGroups(rows) })
      : record({ members: listed(rows.more.queue.slice(rows.more.head), (e) => saveMember(e, e.key)) });
  }
  const { next, end } = slots[u.upcoming] ?? new Upcoming([], ZERO);
  return record({
    rows: saveTable(slots[u.table.slot]), kills: u.kills === null ? "" : saveTable(slots[u.kills.slot]),
    next: listed(next, (s) => record({ values: saveValues(s.key), cond: saveCond(s.cond) })), end: saveNumber(end),
  });
}

function saveTable(t) {
  const rows = t === null ? [] : sortedKeys(t).flatMap((key) => rowsOf(t.get(key)));
  rows.sort((a, b) => a.index - b.index);
  return listed(rows, (row) => record({ values: saveValues(row.key), cond: saveCond(row.cond), index: count(row.index), end: saveNumber(row.end) }));
}

const saveMember = (e, key = "") => record({ values: saveValues(key), value: saveValue(e.value), cond: saveCond(e.cond), index: count(e.index), end: saveNumber(e.end), n: count(e.n) });

const saveGroups = (groups) => listed(sortedKeys(groups).map((key) => groups.get(key)), (g) => record({
  values: saveValues(g.key), n: count(g.n), total: saveNumber(g.total), best: g.best.length === 0 ? "" : saveValue(g.best[0].value),
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

/** Returns the key of values in columns. */
function keyOfValues(node, columns) {
  const out = items(node).map(present);
  return out.length === columns.length ? keyOf(out) : fail();
}

function loadUpdate(m, u, node) {
  const s = members(node, "rows", "kills", "next", "end", "groups", "members");
  if (u.op === "aggregate") {
    for (const one of items(s.members)) {
      const e = loadMember(one, u.columns);
      m.own(u).queued(m.journal, e);
      m.grow(1);
      addMember(m, u, e);
    }
    for (const one of items(s.groups)) {
      const g = loadGroup(one, u.columns);
      m.own(u).set(m.journal, g.key, g);
      m.grow(1 + g.distinct.size + g.conds.reduce((n, e) => n + 1 + e.cond.size, 0));
    }
    return;
  }
  const next = items(s.next).map((one) => loadRow(one, u.columns)), end = number(s.end);
  if (u.upcoming >= 0 && (next.length > 0 || end !== ZERO)) m.write(u.upcoming, new Upcoming(next, end));
  for (const one of items(s.rows)) loadInto(m, u.table, one);
  if (u.kills !== null) for (const one of items(s.kills)) loadInto(m, u.kills, one);
}

function loadRow(node, columns) {
  const s = members(node, "values", "cond", "index", "end");
  return new Row(keyOfValues(s.values, columns), loadCond(s.cond), int(s.index), number(s.end));
}

function loadInto(m, t, node) {
  const row = loadRow(node, t.columns), rows = m.own(t), list = rowsOf(rows.get(row.key));
  if (list.length === 0) m.grow(1);
  rows.put(m.journal, row.key, [...list, row]);
  m.grow(1 + row.cond.size);
  if (t.window !== null) {
    rows.queued(m.journal, row);
    m.grow(1);
  }
}

function loadMember(node, columns) {
  const s = members(node, "values", "value", "cond", "index", "end", "n");
  return new Member(keyOfValues(s.values, columns), number(s.end), int(s.index), value(s.value), loadCond(s.cond), int(s.n));
}

/** Returns a group. Those of frozen aggregates have the values of any number of columns. */
function loadGroup(node, columns) {
  const s = members(node, "values", "n", "total", "best", "distinct", "conds"), best = value(s.best), distinct = items(s.distinct).map(present);
  return new Group(keyOfValues(s.values, columns ?? items(s.values)), int(s.n), number(s.total), best === null ? [] : [{ value: best }],
    distinct.length === 0 ? undefined : new Map(distinct.map((v) => [v.key, { value: v, index: 0 }])), items(s.conds).map((one) => loadMember(one, [])));
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
    const groups = items(f.groups).map((one) => loadGroup(one));
    frozen = finishFrozen({ function: string(f.function), columns: items(f.columns).map(int), groups: new Map(groups.map((g) => [g.key, g])) });
  }
  return frozenTerm({ op, variable: int(s.variable), value: value(s.value), sign: string(s.sign), kids, frozen });
}
