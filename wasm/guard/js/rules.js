// Judges rules about data event by event, by the programs of a guard: past-time first-order temporal logic with windows
// and aggregates. The state of each operator is a table of the assignments under which its operand held.

import { collect, evalAggregate, evalFrozen, freezeAggregate, keyOf } from "./aggregates.js";
import { FALSE_COND, TRUE_COND, condAnd, condCompare, condEqual, condNot, condOr, frozenTerm } from "./conds.js";
import { EMPTY, Row, Rows, Upcoming, rowsOf } from "./tables.js";
import { LIST, NUMBER, STRING, Value, ZERO, addKey, compareBy, compareValues, split } from "./values.js";

const MAX_STATE = 1_000_000, MAX_STEPS = 20_000_000;
const TOO_LARGE = "the state of the rule has more than 1000000 entries; add windows to its operators";
const TOO_LONG = "the rule needs more than 20000000 steps for one event; bind its variables by atoms";
const TOO_MANY_DIGITS = "a number of more than 10000 digits would be needed";

const NOTHING = Object.freeze([]);

/** Judges an event by a rule. The state of the rule is in a monitor: a number, and the rows of each operator. */
export class Machine {
  constructor(program) {
    const { updates, parts, terms } = program;
    Object.assign(this, {
      program, updates, parts, terms, env: new Array(64).fill(null), plans: new Map(), monitor: null, journal: null,
      event: null, index: 0, time: ZERO, bound: NOTHING, steps: 0, size: 0, err: "", triggered: false, violated: false,
    });
  }

  /** Begins to change the state of the rule in a monitor. */
  open(monitor, journal) {
    const state = monitor.slots[this.program.slot], bits = typeof state === "number" ? state : state.bits;
    Object.assign(this, { monitor, journal, size: bits >> 2, triggered: (bits & 1) > 0, violated: (bits & 2) > 0, err: typeof state === "number" ? "" : state.err });
  }

  /** Ends the change, and keeps the size and the flags of the state. */
  close() {
    const { slot } = this.program, bits = this.size << 2 | (this.violated ? 2 : 0) | (this.triggered ? 1 : 0);
    this.write(slot, this.err === "" ? bits : { bits, err: this.err });
    this.monitor = this.journal = this.event = null;
    this.bound = NOTHING;
  }

  /** Changes a slot of the monitor, which shares those of its first state with other monitors. */
  write(slot, value) {
    const m = this.monitor;
    if (m.slots[slot] === value) return;
    if (m.slots === m.programs.slots) this.journal.set(m, "slots", m.slots.slice());
    this.journal.set(m.slots, slot, value);
  }

  /** Returns the rows of a table, which may be shared and are not to be changed. */
  rows(t) { return this.monitor.slots[t.slot] ?? EMPTY; }

  /** Returns the rows of a table, which may be changed. */
  own(t) {
    if (this.monitor.slots[t.slot] === null) this.write(t.slot, new Rows());
    return this.monitor.slots[t.slot];
  }

  fail(message) { if (this.err === "") this.err = message; }

  step(n) { if ((this.steps += n) > MAX_STEPS) this.fail(TOO_LONG); }

  grow(n) {
    if ((this.size += n) > MAX_STATE) this.fail(TOO_LARGE);
  }

  checked(number) {
    if (number === null) this.fail(TOO_MANY_DIGITS);
    return number ?? ZERO;
  }

  bind(v, value) {
    this.env[v] = value;
    this.bound.push(v);
  }

  forget(mark) { while (this.bound.length > mark) this.env[this.bound.pop()] = null; }

  valuesOf(columns) { return columns.map((i) => this.env[i]); }

  /** Adds an event. Returns the assignments of the for-all variables under which the rule does not hold. */
  judge(event, index, monitor, journal) {
    this.open(monitor, journal);
    this.event = event;
    this.index = index;
    this.time = event.time;
    this.steps = 0;
    this.bound = [];
    this.env.fill(null);
    let out = [];
    this.advance();
    const { left, right, forAll } = this.program;
    if (left < 0) {
      if (this.err === "" && this.condition(right) === FALSE_COND && this.err === "") out.push([]);
    } else {
      const seen = new Set();
      this.solve(left, (c) => {
        if (this.resolve(c) !== TRUE_COND) return true;
        this.triggered = true;
        const values = this.valuesOf(forAll.map((v) => v.variable)), key = keyOf(values);
        if (!seen.has(key) && this.err === "") {
          seen.add(key);
          if (this.condition(right) === FALSE_COND && this.err === "") out.push(values);
        }
        return this.err === "";
      });
      out.sort((a, b) => {
        for (let i = 0; i < a.length; i++) {
          const c = compareValues(a[i], b[i]);
          if (c !== 0) return c;
        }
        return 0;
      });
    }
    this.forget(0);
    if (this.err !== "") out = [];
    if (out.length > 0) this.violated = true;
    this.close();
    return out;
  }

  /** Calls yields for each extension of the assignment under which a part holds, with the condition on other variables. */
  solve(part, yields) {
    this.step(1);
    if (this.err !== "") return false;
    const n = this.parts[part], mark = this.bound.length, unlessFalse = (c) => c === FALSE_COND || yields(c);
    switch (n.op) {
      case "atom": {
        const ok = !this.match(n) || yields(TRUE_COND);
        this.forget(mark);
        return ok;
      }
      case "compare": return unlessFalse(this.compare(n.relation, this.terms[n.terms[0]], this.terms[n.terms[1]]));
      case "not": return unlessFalse(condNot(this.condition(n.kids[0])));
      case "and": return this.all(part, this.plan(part), 0, TRUE_COND, yields);
      case "or": return n.kids.every((k) => this.solve(k, yields));
      case "exists": return this.some(n, yields);
      case "table": return this.query(this.updates[n.update].table, (row) => this.resolve(row.cond), yields);
      case "since": {
        const { table, kills } = this.updates[n.update];
        return this.query(table, (row) => {
          const c = this.resolve(row.cond);
          return c === FALSE_COND || kills === null ? c : condAnd(c, condNot(this.exists(kills, row.index)));
        }, yields);
      }
    }
    const { table } = this.updates[n.update], never = () => condNot(this.exists(table, -1));
    if (n.binds.every((v) => this.env[v] !== null)) return unlessFalse(never());
    return this.solve(n.kids[0], (c) => unlessFalse(condAnd(this.resolve(c), never())));
  }

  some(n, yields) {
    let ok = true;
    const mark = this.bound.length, hidden = n.locals;
    this.solve(n.kids[0], (c) => {
      c = this.resolve(c);
      const saved = this.valuesOf(hidden);
      for (const v of hidden) this.env[v] = null;
      const certain = c === TRUE_COND && this.bound.slice(mark).every((v) => this.env[v] === null);
      ok = c === FALSE_COND || yields(c);
      hidden.forEach((v, i) => { this.env[v] = saved[i]; });
      return ok && !certain; // one witness is enough
    });
    return ok;
  }

  /** Returns the condition under which a part holds. */
  condition(part) {
    let out = FALSE_COND;
    const mark = this.bound.length;
    this.solve(part, (c) => {
      out = condOr(out, condAnd(this.resolve(c), this.equalities(mark)));
      return out !== TRUE_COND && this.err === "";
    });
    return out;
  }

  /** Returns the condition that the variables that were assigned after a mark have their values, except for some columns. */
  equalities(mark, except = []) {
    let out = TRUE_COND;
    for (let i = mark; i < this.bound.length; i++) {
      const v = this.bound[i];
      if (this.env[v] !== null && !except.includes(v)) out = condAnd(out, condEqual(v, this.env[v]));
    }
    return out;
  }

  all(part, plan, from, c, yields) {
    const mark = this.bound.length, ok = this.allFrom(part, plan, from, c, yields);
    this.forget(mark);
    return ok;
  }

  allFrom(part, plan, from, c, yields) {
    const n = this.parts[part];
    for (let i = from; i < plan.length; i++) {
      const index = plan[i], k = this.parts[index];
      let found;
      if (k.op === "atom") {
        this.step(1);
        found = this.match(k) ? TRUE_COND : FALSE_COND;
      } else if (k.op === "compare") found = this.compare(k.relation, this.terms[k.terms[0]], this.terms[k.terms[1]]);
      else if (k.op === "not") found = condNot(this.condition(k.kids[0]));
      else if (n.kids.length > 32 && k.binds.every((v) => this.env[v] !== null)) found = this.condition(index);
      else {
        const known = c;
        return this.solve(index, (other) => this.all(part, plan, i + 1, condAnd(known, other), yields));
      }
      if (found === FALSE_COND || this.err !== "") return this.err === "";
      c = condAnd(c, found);
    }
    const out = this.resolve(c);
    return out === FALSE_COND || yields(out);
  }

  /** Returns the order of the parts of a conjunction: at each step the cheapest one, given the known variables. */
  plan(part) {
    const n = this.parts[part], first = n.free.filter((v) => this.env[v] !== null), key = part + ":" + first.join();
    let out = this.plans.get(key);
    if (out !== undefined) return out;
    out = [];
    const known = new Set([...this.env.keys()].filter((v) => this.env[v] !== null)), rest = [...n.kids];
    while (rest.length > 0) {
      let best = 0;
      const costs = rest.map((k) => costOf(this.parts[k], known));
      costs.forEach((cost, i) => { if (cost < costs[best]) best = i; });
      const [chosen] = rest.splice(best, 1);
      out.push(chosen);
      for (const v of this.parts[chosen].binds) known.add(v);
    }
    this.plans.set(key, out);
    return out;
  }

  /** Compares the event with an atom, and assigns the values of its variables. */
  match(n) {
    const e = this.event;
    if (n.kind !== e.kind || (n.name !== null && n.name !== e.name)) return false;
    for (const p of n.patterns) {
      const v = at(e, p);
      if (v === undefined || !accepts(p, v)) return false;
      if (p.variable < 0) continue;
      if (this.env[p.variable] === null) this.bind(p.variable, v);
      else if (this.env[p.variable].key !== v.key) return false;
    }
    return true;
  }

  /** Evaluates a term: a value, undefined, or null while a variable has no value. */
  eval(t) {
    this.step(1);
    if (t.op === 0) return this.env[t.variable];
    if (t.op === 1) return t.value ?? undefined;
    if (t.op === 2) return t.frozen !== null ? evalFrozen(this, t.frozen) : evalAggregate(this, this.updates[t.update]);
    const a = this.eval(t.kids[0]), b = this.eval(t.kids[1]);
    if (a === undefined || b === undefined || (a !== null && a.kind !== NUMBER) || (b !== null && b.kind !== NUMBER)) return undefined;
    if (a === null || b === null) return null;
    const out = t.sign === "*" ? a.number.multiply(b.number) : a.number.add(t.sign === "+" ? b.number : b.number.minus);
    if (out === null) this.fail(TOO_MANY_DIGITS);
    return out === null ? undefined : Value.number(out);
  }

  compare(relation, left, right) {
    const a = this.eval(left), b = this.eval(right);
    if (a === undefined || b === undefined) return FALSE_COND;
    if (a === null || b === null) return condCompare(relation, this.freeze(left), this.freeze(right));
    return compareBy(relation, a, b) ? TRUE_COND : FALSE_COND;
  }

  /** Replaces the variables of a term that have values by these values, and aggregates by copies. */
  freeze(t) {
    const v = this.eval(t);
    if (v !== null) return frozenTerm({ op: 1, value: v ?? null });
    if (t.op === 2) return frozenTerm({ op: 2, frozen: freezeAggregate(this, t) });
    return frozenTerm(t.op === 0 ? { op: 0, variable: t.variable } : { op: 3, sign: t.sign, kids: t.kids.map((k) => this.freeze(k)) });
  }

  /** Evaluates the parts of a condition whose variables have values. */
  resolve(c) {
    if (!c.free.some((v) => this.env[v] !== null)) return c;
    this.step(1);
    switch (c.op) {
      case "=": return this.env[c.variable].key === c.value.key ? TRUE_COND : FALSE_COND;
      case "!": return condNot(this.resolve(c.kids[0]));
      case "c": return this.compare(c.relation, c.terms[0], c.terms[1]);
    }
    const kids = [], absorbing = c.op === "&" ? FALSE_COND : TRUE_COND;
    for (const k of c.kids) {
      const kid = this.resolve(k);
      if (kid === absorbing) return kid;
      kids.push(kid);
    }
    return c.op === "&" ? condAnd(...kids) : condOr(...kids);
  }

  /** Changes the state of the operators by the event, inner ones first. */
  advance() {
    for (const u of this.updates) {
      if (this.err !== "") return;
      if (u.op === "aggregate") collect(this, u);
      else if (u.op === "since") this.since(u);
      else if (u.op === "once") {
        this.prune(u.table);
        this.add(u.table, this.solutions(u.part, u.table));
      } else this.previous(u);
    }
  }

  /** Replaces the rows by the solutions of the last event, and keeps those of this event for the next one. */
  previous(u) {
    const last = this.monitor.slots[u.upcoming];
    this.wipe(u.table);
    if (last !== null && (u.window === null || this.time.compare(last.end) <= 0)) {
      for (const s of last.next) this.insert(u.table, s.key, s.cond, this.index - 1);
    }
    const next = this.solutions(u.part, u.table);
    this.write(u.upcoming, next.length > 0 || u.window !== null ? new Upcoming(next, u.window === null ? ZERO : this.endOf(u.window)) : null);
  }

  endOf(window) { return this.checked(this.time.add(window)); }

  /** Returns the assignments of the columns of a table under which a part holds, as rows. */
  solutions(part, table) {
    const out = [];
    this.solve(part, (c) => {
      c = condAnd(this.resolve(c), this.equalities(0, table.columns));
      this.step(1 + c.size);
      if (c !== FALSE_COND) out.push(new Row(keyOf(this.valuesOf(table.columns)), c, 0, ZERO));
      return this.err === "";
    });
    return out;
  }

  since(u) {
    const { table, kills } = u;
    this.prune(table);
    if (kills !== null) {
      this.prune(kills);
      for (const s of this.solutions(u.not, kills)) {
        if (s.cond === TRUE_COND && s.key === "") {
          this.wipe(table);
          this.wipe(kills);
          break;
        }
        if (this.rows(table).size > 0) this.insert(kills, s.key, s.cond, this.index);
      }
    } else if (this.rows(table).size > 0) this.finish(u);
    this.add(table, this.solutions(u.part, table));
    if (kills !== null && this.rows(table).size === 0) this.wipe(kills);
  }

  /** Removes the rows of a since whose left side depends only on its columns and does not hold now. */
  finish(u) {
    const ending = [];
    this.solve(u.not, (c) => {
      for (const b of this.matching(u.table)) {
        const mark = this.bound.length, list = rowsOf(b);
        this.assign(u.table, list[0].key);
        if (this.resolve(c) === TRUE_COND) ending.push(...list);
        this.forget(mark);
        this.step(1);
        if (this.err !== "") return false;
      }
      return true;
    });
    for (const row of ending) this.remove(u.table, row);
  }

  add(t, solutions) { for (const s of solutions) this.insert(t, s.key, s.cond, this.index); }

  /** Adds a row for the event with an index, which replaces a row with the same values and condition. */
  insert(t, key, c, index) {
    this.step(1);
    let list = rowsOf(this.rows(t).get(key));
    const row = new Row(key, c, index, t.window === null ? ZERO : this.endOf(t.window));
    if (list.length === 0) this.grow(1);
    if (c === TRUE_COND) { // an earlier row holds in fewer cases and leaves the window earlier
      let known = false;
      for (const other of list) {
        if (other.cond === TRUE_COND) known = true;
        else this.grow(-1 - other.cond.size);
      }
      if (!known) this.grow(1);
      list = [row];
    } else {
      if (t.window === null && !t.latest && list.some((other) => other.cond === TRUE_COND)) return;
      const at = list.findIndex((other) => other.cond.key === c.key);
      if (at < 0) this.grow(1 + c.size);
      list = at < 0 ? [...list, row] : list.map((other, i) => (i === at ? row : other));
    }
    const rows = this.own(t);
    rows.put(this.journal, key, list);
    if (t.window !== null) {
      rows.queued(this.journal, row);
      this.grow(1);
    }
  }

  /** Removes a row of a table, if the table has it. */
  remove(t, row) {
    const rows = this.own(t), list = rowsOf(rows.get(row.key)), rest = list.filter((other) => other.index !== row.index || other.cond.key !== row.cond.key);
    if (rest.length === list.length) return;
    this.grow(-1 - row.cond.size);
    if (rest.length === 0) this.grow(-1);
    rows.put(this.journal, row.key, rest);
  }

  /** Returns the first entries of the queue of rows that have left the window, and removes them. */
  leaving(rows) {
    const { queue, head } = rows.more;
    let n = head;
    while (n < queue.length && this.time.compare(queue[n].end) > 0) n++;
    const out = queue.slice(head, n);
    if (n > head) {
      const short = queue.length < 16 || (n > 1000 && n * 2 > queue.length);
      if (short) this.journal.set(rows.more, "queue", queue.slice(n));
      this.journal.set(rows.more, "head", short ? 0 : n);
    }
    return out;
  }

  prune(t) {
    for (const row of this.leaving(this.rows(t))) {
      this.grow(-1);
      this.remove(t, row);
    }
  }

  wipe(t) {
    const rows = this.rows(t);
    if (rows === EMPTY) return;
    let size = rows.more.queue.length - rows.more.head + rows.size;
    for (const b of rows.values()) for (const row of rowsOf(b)) size += 1 + row.cond.size;
    this.grow(-size);
    this.write(t.slot, null);
  }

  /** Returns the rows that agree with the known values, by their values. */
  matching(t) {
    const rows = this.rows(t);
    if (rows.size === 0) return NOTHING;
    const positions = [], keys = [];
    t.columns.forEach((v, i) => {
      if (this.env[v] === null) return;
      positions.push(i);
      keys.push(addKey(this.env[v].key));
    });
    if (positions.length === 0) return rows.values();
    const key = keys.join("");
    if (positions.length < t.columns.length) {
      if (rows.size > 1) return rows.indexed(this, positions, key);
      const parts = split(rows.only.key);
      return positions.every((p, i) => parts[p] === keys[i]) ? rows.values() : NOTHING;
    }
    const b = rows.get(key);
    return b === undefined ? NOTHING : [b];
  }

  /** Binds the columns of a table that have no values yet to those of a key. */
  assign(t, key) {
    if (t.columns.every((v) => this.env[v] !== null)) return;
    const parts = split(key);
    t.columns.forEach((v, i) => { if (this.env[v] === null) this.bind(v, Value.ofPart(parts[i])); });
  }

  /** Assigns the values of each bucket that agrees with the known values, and yields its condition. */
  query(t, condOf, yields) {
    for (const b of this.matching(t)) {
      this.step(1);
      if (this.err !== "") return false;
      const mark = this.bound.length, list = rowsOf(b);
      this.assign(t, list[0].key);
      let c = FALSE_COND;
      for (let i = list.length - 1; i >= 0 && c !== TRUE_COND; i--) c = condOr(c, condOf(list[i]));
      const ok = c === FALSE_COND || yields(c);
      this.forget(mark);
      if (!ok) return false;
    }
    return true;
  }

  /** Returns the condition under which a row of an event after the given one holds. */
  exists(t, after) {
    let out = FALSE_COND;
    const mark = this.bound.length;
    this.query(t, (row) => (row.index <= after ? FALSE_COND : this.resolve(row.cond)), (c) => {
      out = condOr(out, condAnd(c, this.equalities(mark)));
      return out !== TRUE_COND;
    });
    return out;
  }
}

function costOf(n, known) {
  const unknown = n.free.filter((v) => !known.has(v)), bound = unknown.every((v) => n.binds.includes(v));
  if (n.op === "atom") return 0;
  if (unknown.length === 0) return n.op === "compare" ? 1 : 2;
  if (bound) return n.op === "historically" ? 3 : n.binds.some((v) => known.has(v)) ? 4 : 5;
  return n.binds.some((v) => !known.has(v)) ? 6 : 7;
}

function at(e, p) {
  if (p.meta) return p.path[0] === "@time" ? Value.number(e.time) : p.path[0] === "@agent" ? e.agent : e.id;
  let v = e.fields;
  for (const segment of p.path) v = v?.field(segment);
  return v;
}

function accepts(p, v) {
  switch (p.test) {
    case "": return true;
    case "~": return v.kind === STRING && p.regex.test(v.text);
    case "in": return p.values.some((literal) => literal.key === v.key);
    case "has": return v.kind === LIST && v.items.some((item) => item.key === p.values[0].key);
  }
  return compareBy(p.test, v, p.values[0]);
}
