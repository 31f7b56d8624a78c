"""Judges the rules of a file, and writes and reads the state of the rules as package core/rules does."""

import re
from threading import local

from ._aggregates import Frozen, Group, Member, add_member, key_of
from ._conds import FALSE_COND, TRUE_COND, Term, cond_and, cond_compare, cond_equal, cond_not, cond_or
from ._rules import Machine
from ._tables import EMPTY, Journal, Row, Update, rows_of
from ._values import NUMBER, ZERO, Regex, Value, encode_text, parse, split

_KINDS = ("call", "result", "error", "message", "end")
_OPERATORS = ("atom", "compare", "not", "and", "or", "exists", "table", "since", "historically")
_RELATIONS = ("=", "!=", "<", "<=", ">", ">=")
_UNTIMED = "the rule needs the times of events, which the run does not have"


class Damaged(Exception):
    """Raised for a program or a state of rules that is damaged or of a newer version."""


def _ensure(ok):
    if not ok:
        raise Damaged("a program of rules is damaged, or of a newer version")


def _within(numbers, n):
    _ensure(all(0 <= i < n for i in numbers or ()))


def _literal(text):
    v = parse(text)
    _ensure(v is not None)
    return v


def read_program(p, name):
    """Checks a program, and converts its literals."""
    parts, terms, updates, variables = p["parts"], p["terms"], p["updates"], p["variables"]
    _ensure(variables <= 64)
    _within([p["right"]] + ([] if p["left"] < 0 else [p["left"]]), len(parts))
    _within([v["variable"] for v in p["forAll"]], variables)
    for u in updates:
        _ensure(u["op"] in ("once", "previous", "since", "aggregate"))
        _ensure(u["op"] != "aggregate" or u["function"] == "count" or u["function"] in ("distinct", "sum", "min", "max") and u["variable"] >= 0)
        _within([u["part"]] + ([u["not"]] if u["op"] == "since" else []), len(parts))
        _within(u["columns"] + (u["kills"] or []) + (u["locals"] or []) + ([] if u["variable"] < 0 else [u["variable"]]), variables)
    for i, n in enumerate(parts):
        op = n["op"]
        _ensure(op in _OPERATORS)
        _within(n["kids"], i)
        _within(n["free"] + n["binds"] + n["locals"], variables)
        _within(n["terms"], len(terms))
        _ensure(op != "compare" or len(n["terms"] or ()) == 2 and n["relation"] in _RELATIONS)
        _ensure(op not in ("not", "exists", "historically") or len(n["kids"] or ()) == 1)
        _ensure(op not in ("table", "since", "historically") or 0 <= n["update"] < len(updates) and updates[n["update"]]["op"] != "aggregate")
    for i, t in enumerate(terms):
        _ensure(t["op"] in (0, 1, 2, 3) and (t["op"] != 0 or 0 <= t["variable"] < variables))
        _ensure(t["op"] != 3 or len(t["kids"] or ()) == 2 and t["sign"] in ("+", "-", "*"))
        _ensure(t["op"] != 2 or 0 <= t["update"] < len(updates) and updates[t["update"]]["op"] == "aggregate")
        _within(t["kids"], i)
    shared = []
    for t in terms:
        kids = tuple(shared[i] for i in t["kids"] or ())
        shared.append(Term(t["op"], t["variable"], _literal(t["value"]) if t["op"] == 1 else None, t["sign"], kids, t["update"]))
    return {
        **p, "name": name, "plans": {}, "machines": local(),
        "parts": [{**n, "kids": n["kids"] or [], "patterns": [_read_pattern(q, variables) for q in n["patterns"] or ()]} for n in parts],
        "terms": shared,
        "updates": [{**u, "window": _window(u["window"])} for u in updates],
    }


def _window(text):
    if text == "":
        return None
    v = _literal(text)
    _ensure(v.kind == NUMBER)
    return v.number


def _read_pattern(p, variables):
    _ensure(p["test"] in ("", "~", "in", "has") + _RELATIONS and (p["test"] == "~") == (p["regex"] is not None) and p["variable"] < variables)
    values = [_literal(text) for text in p["values"] or ()]
    _ensure(p["test"] in ("", "~", "in") or len(values) == 1)
    try:
        return {**p, "values": values, "regex": None if p["regex"] is None else Regex(p["regex"])}
    except ValueError as fault:
        raise Damaged(str(fault)) from None


class Programs:
    """The rules of a file. Each of them, and the rows of each operator, have a slot of a monitor; slots has the first state."""

    def __init__(self, programs):
        self.list, self.slots = programs, []
        for p in programs:
            p["slot"] = self._slot(0)
            p["updates"] = [Update(u, self._slot) for u in p["updates"]]

    def _slot(self, first=None):
        self.slots.append(first)
        return len(self.slots) - 1


def _machine(program):
    """Returns the machine of a rule, which each thread has."""
    out = getattr(program["machines"], "it", None)
    if out is None:
        out = program["machines"].it = Machine(program)
    return out


class Monitor:
    """The state of the rules of a file: for each rule a number, and the rows of its operators."""

    __slots__ = ("programs", "slots", "events", "last", "ended", "err")

    def __init__(self, programs):
        self.programs, self.slots = programs, programs.slots  # those of the first state are shared until they change
        self.events, self.last, self.ended, self.err = 0, ZERO, False, ""

    def _fault(self, program):
        state = self.slots[program["slot"]]
        return "" if type(state) is int else state[1]

    def step(self, event, times, j):
        """Adds an event, and its changes to a journal. Returns the violations, as pairs of a rule and a reason."""
        out = []
        if not times:
            for program in self.programs.list:
                if program["timed"]:
                    m = _machine(program)
                    m.open(self, j)
                    m.err = _UNTIMED
                    m.close()
        refusal = self.err or self._refuses(event)
        if refusal:
            j.set(self, "err", refusal)
            return out
        for i, program in enumerate(self.programs.list):
            if self._fault(program):
                continue
            for values in _machine(program).judge(event, self.events, self, j):
                reason = "violates " + program["name"]
                for k, v in enumerate(values):
                    reason += (", ?" if k else " for ?") + program["forAll"][k]["name"] + " = " + v.json
                out.append((i, reason))
        j.set(self, "events", self.events + 1)
        j.set(self, "last", event.time)
        j.set(self, "ended", event.kind == "end")
        return out

    def _refuses(self, e):
        at = "event %d" % self.events
        if self.ended:
            return at + " follows the end of the run"
        if e.kind not in _KINDS:
            return at + ' has the unknown kind "' + e.kind + '"; expected call, result, error, message or end'
        if self.events > 0 and e.time.compare(self.last) < 0:
            return at + " is earlier than the event before: %s < %s" % (e.time, self.last)
        return ""

    def fault(self, rule):
        """The reason why a rule cannot be judged, or ""."""
        return self.err or self._fault(self.programs.list[rule])

    def save(self):
        rules = [_save_rule(p, self.slots) for p in self.programs.list]
        members = (("events", str(self.events)), ("last", _number(self.last)), ("ended", _flag(self.ended)), ("fault", _text(self.err)))
        return _record(members, '"rules":' + ("[" + ",".join(rules) + "]" if rules else "null"))

    @classmethod
    def load(cls, programs, node):
        """Returns a monitor with a state that a Scanner read. It raises Damaged for a state of other rules."""
        s, m = _members(node, "events", "last", "ended", "fault", "rules"), cls(programs)
        saved = _items(s.get("rules"))
        _ensure(len(saved) == len(programs.list))
        m.events, m.last, m.ended, m.err = _int(s.get("events")), _decimal(s.get("last")), _is_true(s.get("ended")), _string(s.get("fault"))
        for program, rule in zip(programs.list, saved):
            r = _machine(program)
            state = _members(rule, "triggered", "violated", "fault", "updates")
            updates = _items(state.get("updates"))
            _ensure(len(updates) == len(r.updates))
            r.open(m, Journal())
            r.triggered, r.violated = _is_true(state.get("triggered")), _is_true(state.get("violated"))
            for u, one in zip(r.updates, updates):
                _load_update(r, u, one)
            r.err = _string(state.get("fault")) or r.err
            r.close()
        return m


def _save_rule(program, slots):
    state, updates = slots[program["slot"]], program["updates"]
    bits, err = (state, "") if type(state) is int else state
    text = '"updates":' + ("[" + ",".join([_save_update(u, slots) for u in updates]) + "]" if updates else "null")
    return _record((("triggered", _flag(bits & 1)), ("violated", _flag(bits & 2)), ("fault", _text(err))), text)


# Writers. A member whose text is "" is omitted.
def _record(members, last=""):
    out = ['"%s":%s' % (name, text) for name, text in members if text]
    return "{" + ",".join(out + [last] if last else out) + "}"


def _flag(v):
    return "true" if v else ""


def _text(v):
    return encode_text(v) if v else ""


def _count(n):
    return str(n) if n else ""


def _list(items, write):
    return "[" + ",".join(map(write, items)) + "]" if items else ""


def _key(key):
    return _list(split(key), lambda part: "[" + Value.of_part(part).json + "]")


def _value(v):
    return "" if v is None else "[" + v.json + "]"


def _number(d):
    return "[%s]" % d if d.digits else ""


def _save_update(u, slots):
    if u.op == "aggregate":
        rows = EMPTY if slots[u.slot] is None else slots[u.slot]
        if u.window is None:
            return _record((("groups", _save_groups(rows)),))
        return _record((("members", _list(rows.more.queue[rows.more.head :], lambda e: _save_member(e, e.key))),))
    solutions, end = ((), ZERO) if u.upcoming is None else slots[u.upcoming] or ((), ZERO)
    following = _list(solutions, lambda s: _record((("values", _key(s.key)), ("cond", _save_cond(s.cond)))))
    kills = "" if u.kills is None else _save_table(slots[u.kills.slot])
    return _record((("rows", _save_table(slots[u.table.slot])), ("kills", kills), ("next", following), ("end", _number(end))))


def _save_table(t):
    rows = [] if t is None else [row for key in sorted(t.keys()) for row in rows_of(t.get(key))]
    rows.sort(key=lambda row: row.index)
    return _list(rows, lambda row: _record((
        ("values", _key(row.key)), ("cond", _save_cond(row.cond)), ("index", _count(row.index)), ("end", _number(row.end)))))


def _save_member(e, key=""):
    return _record((("values", _key(key)), ("value", _value(e.value)), ("cond", _save_cond(e.cond)),
                    ("index", _count(e.index)), ("end", _number(e.end)), ("n", _count(e.n))))


def _save_groups(groups):
    return _list([groups.get(key) for key in sorted(groups.keys())], lambda g: _record((
        ("values", _key(g.key)), ("n", _count(g.n)), ("total", _number(g.total)), ("best", _value(g.best[0].value) if g.best else ""),
        ("distinct", _list(sorted(g.distinct), lambda key: _value(g.distinct[key].value))), ("conds", _list(g.conds, _save_member)))))


def _save_cond(c):
    if c is TRUE_COND:
        return ""
    return _record((("op", encode_text(c.op)), ("kids", _list(c.kids, _save_cond)), ("variable", _count(c.variable)),
                    ("value", _value(c.value)), ("relation", _text(c.relation)), ("terms", _list(c.terms, _save_term))))


def _save_term(t):
    frozen = "" if t.frozen is None else _record((
        ("function", encode_text(t.frozen.function)), ("columns", _list(t.frozen.columns, str)), ("groups", _save_groups(t.frozen.groups))))
    return _record((("op", str(t.op)), ("variable", _count(t.variable)), ("value", _value(t.value)), ("sign", _text(t.sign)),
                    ("kids", _list(t.kids, _save_term)), ("frozen", frozen)))


# Readers of values of a Scanner. An unknown member is a fault.
def _members(node, *names):
    _ensure(node is not None and node.kind == "{" and all(name in names for name in node.names))
    return dict(zip(node.names, node.items))


def _present(node, kind):
    if node is None or node.kind == "n":
        return False
    _ensure(node.kind == kind)
    return True


def _items(node):
    return node.items if _present(node, "[") else []


def _string(node):
    return node.text if _present(node, '"') else ""


def _is_true(node):
    return node is not None and node.kind == "t"


def _int(node):
    if not _present(node, "0"):
        return 0
    _ensure(re.fullmatch("-?[0-9]{1,15}", node.raw))
    return int(node.raw)


def _maybe(node):
    if not _present(node, "["):
        return None
    _ensure(len(node.items) == 1)
    return Value.of(node.items[0])


def _one(node):
    v = _maybe(node)
    _ensure(v is not None)
    return v


def _decimal(node):
    v = _maybe(node)
    _ensure(v is None or v.kind == NUMBER)
    return ZERO if v is None else v.number


def _key_of(node, columns):
    """Returns the key of values in columns."""
    out = [_one(item) for item in _items(node)]
    _ensure(columns is None or len(out) == len(columns))
    return key_of(out)


def _load_update(m, u, node):
    s = _members(node, "rows", "kills", "next", "end", "groups", "members")
    if u.op == "aggregate":
        for one in _items(s.get("members")):
            e = _load_member(one, u.columns)
            m.own(u).queued(m.journal, e)
            m.grow(1)
            add_member(m, u, e)
        for one in _items(s.get("groups")):
            g = _load_group(one, u.columns)
            m.own(u).set(m.journal, g.key, g)
            m.grow(1 + len(g.distinct) + sum(1 + e.cond.size for e in g.conds))
        return
    following, end = [_load_row(one, u.columns) for one in _items(s.get("next"))], _decimal(s.get("end"))
    if u.upcoming is not None and (following or end is not ZERO):
        m.write(u.upcoming, (following, end))
    for t, rows in ((u.table, "rows"), (u.kills, "kills")):
        for one in _items(s.get(rows)) if t is not None else ():
            row, known = _load_row(one, t.columns), m.own(t)
            before = rows_of(known.get(row.key))
            if not before:
                m.grow(1)
            known.put(m.journal, row.key, (*before, row))
            m.grow(1 + row.cond.size)
            if t.window is not None:
                known.queued(m.journal, row)
                m.grow(1)


def _load_row(node, columns):
    s = _members(node, "values", "cond", "index", "end")
    return Row(_key_of(s.get("values"), columns), _load_cond(s.get("cond")), _int(s.get("index")), _decimal(s.get("end")))


def _load_member(node, columns=()):
    s = _members(node, "values", "value", "cond", "index", "end", "n")
    return Member(_key_of(s.get("values"), columns), _decimal(s.get("end")), _int(s.get("index")), _maybe(s.get("value")), _load_cond(s.get("cond")), _int(s.get("n")))


def _load_group(node, columns=None):
    s = _members(node, "values", "n", "total", "best", "distinct", "conds")
    best, distinct = _maybe(s.get("best")), [_one(item) for item in _items(s.get("distinct"))]
    return Group(_key_of(s.get("values"), columns), _int(s.get("n")), _decimal(s.get("total")),
                 () if best is None else (Member(value=best),), {v.key: Member(value=v) for v in distinct},
                 tuple(_load_member(one) for one in _items(s.get("conds"))))


def _load_cond(node):
    if node is None or node.kind == "n":
        return TRUE_COND
    s = _members(node, "op", "kids", "variable", "value", "relation", "terms")
    op, kids, variable = _string(s.get("op")), [_load_cond(k) for k in _items(s.get("kids"))], _int(s.get("variable"))
    if op == "f":
        return FALSE_COND
    if op in ("&", "|"):
        return cond_and(*kids) if op == "&" else cond_or(*kids)
    if op == "!":
        _ensure(len(kids) == 1)
        return cond_not(kids[0])
    if op == "=":
        _ensure(0 <= variable < 64)
        return cond_equal(variable, _one(s.get("value")))
    terms = [_load_term(t) for t in _items(s.get("terms"))]
    _ensure(op == "c" and len(terms) == 2)
    return cond_compare(_string(s.get("relation")), *terms)


def _load_term(node):
    s = _members(node, "op", "variable", "value", "sign", "kids", "frozen")
    op, kids, frozen = _int(s.get("op")), tuple(_load_term(k) for k in _items(s.get("kids"))), None
    _ensure(op in (0, 1, 2, 3) and (op == 3) == (len(kids) == 2) and (op == 2) == ("frozen" in s))
    if op == 2:
        f = _members(s["frozen"], "function", "columns", "groups")
        groups = [_load_group(g) for g in _items(f.get("groups"))]
        frozen = Frozen(_string(f.get("function")), [_int(v) for v in _items(f.get("columns"))], {g.key: g for g in groups})
    return Term(op, _int(s.get("variable")), _maybe(s.get("value")), _string(s.get("sign")), kids, None, frozen).finish()
