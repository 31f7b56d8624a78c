"""Judges rules about data event by event, by the programs of a guard.

The rules are formulas of past-time first-order temporal logic with windows and aggregates. The state of each operator is a
table of the assignments under which its operand held.
"""

from functools import cmp_to_key

from ._aggregates import collect, eval_aggregate, eval_frozen, freeze_aggregate, key_of
from ._conds import FALSE_COND, TRUE_COND, Term, cond_and, cond_compare, cond_equal, cond_not, cond_or
from ._tables import EMPTY, Row, Rows, accepts, compare_rows, cost_of, first_of, rows_of, value_at
from ._values import NUMBER, ZERO, Value, add_key, compare_by, split

_MAX_STATE, _MAX_STEPS = 1_000_000, 20_000_000
_TOO_LARGE = "the state of the rule has more than 1000000 entries; add windows to its operators"
_TOO_LONG = "the rule needs more than 20000000 steps for one event; bind its variables by atoms"
_TOO_MANY_DIGITS = "a number of more than 10000 digits would be needed"


class Machine:
    """Judges an event by a rule. The state of the rule is in a monitor: a number, and the rows of each operator."""

    __slots__ = (
        "program", "parts", "terms", "plans", "updates", "env", "bound", "steps", "size", "err", "triggered", "violated", "journal", "event", "index", "time",
        "monitor", "slot")

    def __init__(self, program):
        self.program, self.parts, self.terms, self.plans = program, program["parts"], program["terms"], program["plans"]
        self.updates, self.slot = program["updates"], program["slot"]
        self.env = self.bound = self.event = self.index = self.time = self.monitor = self.journal = None

    def open(self, monitor, journal):
        """Begins to change the state of the rule in a monitor."""
        state = monitor.slots[self.slot]
        bits, self.err = (state, "") if type(state) is int else state
        self.monitor, self.journal, self.steps = monitor, journal, 0
        self.size, self.triggered, self.violated = bits >> 2, bits & 1 > 0, bits & 2 > 0

    def close(self):
        """Ends the change, and keeps the size and the flags of the state."""
        bits = self.size << 2 | self.violated << 1 | self.triggered
        if self.err != "":
            self.write(self.slot, (bits, self.err))
        elif bits != self.monitor.slots[self.slot]:
            self.write(self.slot, bits)
        self.env = self.bound = self.event = self.monitor = self.journal = None

    def write(self, slot, value):
        """Changes a slot of the monitor, which shares those of its first state with other monitors."""
        m = self.monitor
        if m.slots[slot] is value:
            return
        if m.slots is m.programs.slots:
            self.journal.set(m, "slots", m.slots[:])
        self.journal.put(m.slots, slot, value)

    def rows(self, t):
        """Returns the rows of a table, which may be shared and are not to be changed."""
        rows = self.monitor.slots[t.slot]
        return EMPTY if rows is None else rows

    def own(self, t):
        """Returns the rows of a table, which may be changed."""
        if self.monitor.slots[t.slot] is None:
            self.write(t.slot, Rows())
        return self.monitor.slots[t.slot]

    def fail(self, message):
        if self.err == "":
            self.err = message

    def step(self, n):
        self.steps += n
        if self.steps > _MAX_STEPS:
            self.fail(_TOO_LONG)

    def grow(self, n):
        self.size += n
        if self.size > _MAX_STATE:
            self.fail(_TOO_LARGE)

    def checked(self, number):
        if number is None:
            self.fail(_TOO_MANY_DIGITS)
            return ZERO
        return number

    def end_of(self, window):
        return self.checked(self.time.add(window))

    def bind(self, v, value):
        self.env[v] = value
        self.bound.append(v)

    def forget(self, mark):
        bound, env = self.bound, self.env
        while len(bound) > mark:
            env[bound.pop()] = None

    def values_of(self, columns):
        env = self.env
        return [env[v] for v in columns]

    def judge(self, event, index, monitor, journal):
        """Adds an event. Returns the assignments of the for-all variables under which the rule does not hold."""
        self.open(monitor, journal)
        self.event, self.index, self.time = event, index, event.time
        self.bound, self.env, out = [], [None] * 64, []
        self.advance()
        left, right = self.program["left"], self.program["right"]
        if left < 0:
            if self.err == "" and self.condition(right) is FALSE_COND and self.err == "":
                out.append([])
        else:
            columns, seen = [v["variable"] for v in self.program["forAll"]], set()

            def yields(c):
                if self.resolve(c) is not TRUE_COND:
                    return True
                self.triggered = True
                values = self.values_of(columns)
                key = key_of(values)
                if key not in seen and self.err == "":
                    seen.add(key)
                    if self.condition(right) is FALSE_COND and self.err == "":
                        out.append(values)
                return self.err == ""

            self.solve(left, yields)
            out.sort(key=cmp_to_key(compare_rows))
        if self.err != "":
            out = []
        if out:
            self.violated = True
        self.close()
        return out

    def solve(self, part, yields):
        """Calls yields for each extension of the assignment under which a part holds, with the condition on other variables."""
        self.step(1)
        if self.err != "":
            return False
        n, mark = self.parts[part], len(self.bound)
        op = n["op"]
        if op == "atom":
            ok = not self.match(n) or yields(TRUE_COND)
            self.forget(mark)
            return ok
        if op == "and":
            return self.all(n, self.plan(part, n), 0, TRUE_COND, yields)
        if op == "or":
            return all(self.solve(k, yields) for k in n["kids"])
        if op == "exists":
            return self.some(n, yields)
        if op == "table":
            return self.query(self.updates[n["update"]].table, lambda row: self.resolve(row.cond), yields)
        if op == "since":
            u = self.updates[n["update"]]

            def cond_of(row):
                c = self.resolve(row.cond)
                return c if c is FALSE_COND or u.kills is None else cond_and(c, cond_not(self.exists(u.kills, row.index)))

            return self.query(u.table, cond_of, yields)
        if op == "historically":
            table = self.updates[n["update"]].table
            if any(self.env[v] is None for v in n["binds"]):
                def never(c):
                    c = cond_and(self.resolve(c), cond_not(self.exists(table, -1)))
                    return c is FALSE_COND or yields(c)

                return self.solve(n["kids"][0], never)
            c = cond_not(self.exists(table, -1))
        elif op == "not":
            c = cond_not(self.condition(n["kids"][0]))
        else:
            c = self.compare(n["relation"], self.terms[n["terms"][0]], self.terms[n["terms"][1]])
        return c is FALSE_COND or yields(c)

    def some(self, n, yields):
        ok, mark, hidden = True, len(self.bound), n["locals"]

        def inner(c):
            nonlocal ok
            c = self.resolve(c)
            saved = self.values_of(hidden)
            for v in hidden:
                self.env[v] = None
            certain = c is TRUE_COND and all(self.env[v] is None for v in self.bound[mark:])
            ok = c is FALSE_COND or yields(c)
            for v, value in zip(hidden, saved):
                self.env[v] = value
            return ok and not certain  # one witness is enough

        self.solve(n["kids"][0], inner)
        return ok

    def condition(self, part):
        """Returns the condition under which a part holds."""
        out, mark = FALSE_COND, len(self.bound)

        def yields(c):
            nonlocal out
            out = cond_or(out, cond_and(self.resolve(c), self.equalities(mark)))
            return out is not TRUE_COND and self.err == ""

        self.solve(part, yields)
        return out

    def equalities(self, mark, without=()):
        """Returns the condition that the variables that were assigned after a mark have their values."""
        out = TRUE_COND
        for v in self.bound[mark:]:
            if self.env[v] is not None and v not in without:
                out = cond_and(out, cond_equal(v, self.env[v]))
        return out

    def all(self, n, plan, start, c, yields):
        mark = len(self.bound)
        ok = self.all_from(n, plan, start, c, yields)
        self.forget(mark)
        return ok

    def all_from(self, n, plan, start, c, yields):
        for i in range(start, len(plan)):
            k = self.parts[plan[i]]
            op = k["op"]
            if op == "atom":
                self.step(1)
                found = TRUE_COND if self.match(k) else FALSE_COND
            elif op == "compare":
                found = self.compare(k["relation"], self.terms[k["terms"][0]], self.terms[k["terms"][1]])
            elif op == "not":
                found = cond_not(self.condition(k["kids"][0]))
            elif len(plan) > 32 and all(self.env[v] is not None for v in k["binds"]):
                found = self.condition(plan[i])
            else:
                known = c
                return self.solve(plan[i], lambda other: self.all(n, plan, i + 1, cond_and(known, other), yields))
            if found is FALSE_COND or self.err != "":
                return self.err == ""
            c = cond_and(c, found)
        c = self.resolve(c)
        return c is FALSE_COND or yields(c)

    def plan(self, part, n):
        """Returns the order of the parts of a conjunction: at each step the cheapest one, given the known variables."""
        key = (part, tuple(v for v in n["free"] if self.env[v] is not None))
        out = self.plans.get(key)
        if out is None:
            known, rest, out = {v for v in range(64) if self.env[v] is not None}, list(n["kids"]), []
            while rest:
                costs = [cost_of(self.parts[k], known) for k in rest]
                chosen = rest.pop(costs.index(min(costs)))
                out.append(chosen)
                known.update(self.parts[chosen]["binds"])
            self.plans[key] = out
        return out

    def match(self, n):
        """Compares the event with an atom, and assigns the values of its variables."""
        e = self.event
        if n["kind"] != e.kind or n["name"] is not None and n["name"] != e.name:
            return False
        for p in n["patterns"]:
            v = value_at(e, p)
            if v is None or p["test"] and not accepts(p, v):
                return False
            i = p["variable"]
            if i >= 0:
                if self.env[i] is None:
                    self.bind(i, v)
                elif self.env[i].key != v.key:
                    return False
        return True

    def eval(self, t):
        """Evaluates a term: a value, False if it is undefined, or None while a variable has no value."""
        self.step(1)
        if t.op == 0:
            return self.env[t.variable]
        if t.op == 1:
            return False if t.value is None else t.value
        if t.op == 2:
            return eval_frozen(self, t.frozen) if t.frozen is not None else eval_aggregate(self, self.updates[t.aggregate])
        a, b = self.eval(t.kids[0]), self.eval(t.kids[1])
        if a is False or b is False or a is not None and a.kind != NUMBER or b is not None and b.kind != NUMBER:
            return False
        if a is None or b is None:
            return None
        out = a.number.multiply(b.number) if t.sign == "*" else a.number.add(b.number if t.sign == "+" else b.number.minus())
        if out is None:
            self.fail(_TOO_MANY_DIGITS)
            return False
        return Value.of_number(out)

    def compare(self, relation, left, right):
        a, b = self.eval(left), self.eval(right)
        if a is False or b is False:
            return FALSE_COND
        if a is None or b is None:
            return cond_compare(relation, self.freeze(left), self.freeze(right))
        return TRUE_COND if compare_by(relation, a, b) else FALSE_COND

    def freeze(self, t):
        """Replaces the variables of a term that have values by these values, and aggregates by copies."""
        v = self.eval(t)
        if v is not None:
            return Term(1, value=v or None).finish()
        if t.op == 2:
            return Term(2, frozen=freeze_aggregate(self, t)).finish()
        if t.op == 0:
            return Term(0, t.variable).finish()
        return Term(3, sign=t.sign, kids=tuple(self.freeze(k) for k in t.kids)).finish()

    def resolve(self, c):
        """Evaluates the parts of a condition whose variables have values."""
        env = self.env
        for v in c.free:
            if env[v] is not None:
                break
        else:
            return c
        self.step(1)
        if c.op == "=":
            return TRUE_COND if env[c.variable].key == c.value.key else FALSE_COND
        if c.op == "!":
            return cond_not(self.resolve(c.kids[0]))
        if c.op == "c":
            return self.compare(c.relation, *c.terms)
        kids, absorbing = [], FALSE_COND if c.op == "&" else TRUE_COND
        for k in c.kids:
            kid = self.resolve(k)
            if kid is absorbing:
                return kid
            kids.append(kid)
        return cond_and(*kids) if c.op == "&" else cond_or(*kids)

    def advance(self):
        """Changes the state of the operators by the event, inner ones first."""
        for u in self.updates:
            if self.err != "":
                return
            if u.op == "aggregate":
                collect(self, u)
            elif u.op == "since":
                self.since(u)
            elif u.op == "once":
                self.prune(u.table)
                self.add(u.table, self.solutions(u.part, u.table))
            else:
                self.previous(u)

    def previous(self, u):
        """Replaces the rows by the solutions of the last event, and keeps those of this event for the next one."""
        last = self.monitor.slots[u.upcoming]
        self.wipe(u.table)
        if last is not None and (u.window is None or self.time.compare(last[1]) <= 0):
            for s in last[0]:
                self.insert(u.table, s.key, s.cond, self.index - 1)
        following = self.solutions(u.part, u.table)
        end = ZERO if u.window is None else self.end_of(u.window)
        self.write(u.upcoming, (following, end) if following or u.window is not None else None)

    def solutions(self, part, table):
        """Returns the assignments of the columns of a table under which a part holds, as rows."""
        out, columns = [], table.columns

        def yields(c):
            c = cond_and(self.resolve(c), self.equalities(0, columns))
            self.step(1 + c.size)
            if c is not FALSE_COND:
                out.append(Row(key_of(self.values_of(columns)), c))
            return self.err == ""

        self.solve(part, yields)
        return out

    def since(self, u):
        table, kills = u.table, u.kills
        self.prune(table)
        if kills is not None:
            self.prune(kills)
            for s in self.solutions(u.negation, kills):
                if s.cond is TRUE_COND and s.key == "":
                    self.wipe(table)
                    self.wipe(kills)
                    break
                if self.rows(table).entries:
                    self.insert(kills, s.key, s.cond, self.index)
        elif self.rows(table).entries:
            self.finish(u)
        self.add(table, self.solutions(u.part, table))
        if kills is not None and not self.rows(table).entries:
            self.wipe(kills)

    def add(self, t, solutions):
        for s in solutions:
            self.insert(t, s.key, s.cond, self.index)

    def finish(self, u):
        """Removes the rows of a since whose left side depends only on its columns and does not hold now."""
        ending = []

        def yields(c):
            for b in self.matching(u.table):
                mark = len(self.bound)
                self.assign(u.table, first_of(b).key)
                if self.resolve(c) is TRUE_COND:
                    ending.extend(rows_of(b))
                self.forget(mark)
                self.step(1)
                if self.err != "":
                    return False
            return True

        self.solve(u.negation, yields)
        for row in ending:
            self.remove(u.table, row)

    def insert(self, t, key, c, index):
        """Adds a row for the event with an index, which replaces a row with the same values and condition."""
        self.step(1)
        before = rows_of(self.rows(t).get(key))
        row = Row(key, c, index, ZERO if t.window is None else self.end_of(t.window))
        if not before:
            self.grow(1)
        if c is TRUE_COND:  # an earlier row holds in fewer cases and leaves the window earlier
            known = False
            for other in before:
                if other.cond is TRUE_COND:
                    known = True
                else:
                    self.grow(-1 - other.cond.size)
            if not known:
                self.grow(1)
            after = (row,)
        else:
            if t.window is None and not t.latest and any(other.cond is TRUE_COND for other in before):
                return
            after = tuple(row if other.cond.key == c.key else other for other in before)
            if row not in after:
                after += (row,)
                self.grow(1 + c.size)
        rows = self.own(t)
        rows.put(self.journal, key, after)
        if t.window is not None:
            rows.queued(self.journal, row)
            self.grow(1)

    def remove(self, t, row):
        """Removes a row of a table, if the table has it."""
        rows = self.own(t)
        before = rows_of(rows.get(row.key))
        after = tuple(other for other in before if other.index != row.index or other.cond.key != row.cond.key)
        if len(after) == len(before):
            return
        self.grow(-1 - row.cond.size)
        if not after:
            self.grow(-1)
        rows.put(self.journal, row.key, after)

    def leaving(self, rows):
        """Returns the first entries of the queue of rows that have left the window, and removes them."""
        queue, head = rows.more.queue, rows.more.head
        n = head
        while n < len(queue) and self.time.compare(queue[n].end) > 0:
            n += 1
        out = queue[head:n]
        if out:
            short = len(queue) < 16 or n > 1000 and n * 2 > len(queue)
            if short:
                self.journal.set(rows.more, "queue", queue[n:])
            self.journal.set(rows.more, "head", 0 if short else n)
        return out

    def prune(self, t):
        if t.window is None:
            return
        for row in self.leaving(self.rows(t)):
            self.grow(-1)
            self.remove(t, row)

    def wipe(self, t):
        rows = self.monitor.slots[t.slot]
        if rows is None:
            return
        size = len(rows.more.queue) - rows.more.head + len(rows) + sum(1 + row.cond.size for b in rows.values() for row in rows_of(b))
        self.grow(-size)
        self.write(t.slot, None)

    def matching(self, t):
        """Returns the rows that agree with the known values, by their values."""
        rows = self.rows(t)
        if rows.entries is None:
            return ()
        positions = tuple([i for i, v in enumerate(t.columns) if self.env[v] is not None])
        if not positions:
            return rows.values()
        keys = [add_key(self.env[t.columns[i]].key) for i in positions]
        if len(positions) == len(t.columns):
            b = rows.get("".join(keys))
            return () if b is None else (b,)
        if type(rows.entries) is dict:
            return rows.indexed(self, positions, "".join(keys)) if rows.entries else ()
        parts = split(first_of(rows.entries).key)
        return rows.values() if all(parts[p] == key for p, key in zip(positions, keys)) else ()

    def assign(self, t, key):
        """Binds the columns of a table that have no values yet to those of a key."""
        parts = None
        for i, v in enumerate(t.columns):
            if self.env[v] is None:
                if parts is None:
                    parts = split(key)
                self.bind(v, Value.of_part(parts[i]))

    def query(self, t, cond_of, yields):
        """Assigns the values of each bucket that agrees with the known values, and yields its condition."""
        for b in self.matching(t):
            self.step(1)
            if self.err != "":
                return False
            mark, c = len(self.bound), FALSE_COND
            self.assign(t, first_of(b).key)
            for row in reversed(rows_of(b)):
                if c is TRUE_COND:
                    break
                c = cond_or(c, cond_of(row))
            ok = c is FALSE_COND or yields(c)
            self.forget(mark)
            if not ok:
                return False
        return True

    def exists(self, t, after):
        """Returns the condition under which a row of an event after the given one holds."""
        out, mark = FALSE_COND, len(self.bound)

        def yields(c):
            nonlocal out
            out = cond_or(out, cond_and(c, self.equalities(mark)))
            return out is not TRUE_COND

        self.query(t, lambda row: FALSE_COND if row.index <= after else self.resolve(row.cond), yields)
        return out
