"""Aggregates of rules: for each assignment of their columns, the events in the window at which their operand held."""

from ._conds import FALSE_COND, TRUE_COND, cond_and, cond_or, union
from ._values import NUMBER, ZERO, Decimal, Value, add_key, split


def key_of(values):
    return "".join([add_key(v.key) for v in values])


_NO_VALUES = {}  # is not changed


class Group:
    """The members with the same values in the columns of an aggregate. It is never changed, except for the dict of its values."""

    __slots__ = ("key", "n", "total", "best", "distinct", "conds")

    def __init__(self, key, n=0, total=ZERO, best=(), distinct=_NO_VALUES, conds=()):
        self.key, self.n, self.total, self.best, self.distinct, self.conds = key, n, total, best, distinct, conds


class Member:
    """An event with a value, or several events with an equal condition if there is no window."""

    __slots__ = ("key", "end", "index", "value", "cond", "n")

    def __init__(self, key="", end=ZERO, index=0, value=None, cond=TRUE_COND, n=0):
        self.key, self.end, self.index, self.value, self.cond, self.n = key, end, index, value, cond, n


def _better(name, x, y):
    c = x.number.compare(y.number)
    return c < 0 if name == "min" else c > 0


def collect(m, u):
    """Adds the members that the event contributes to the groups."""
    _expire(m, u)
    found, known = {}, u.columns + u.locals

    def yields(c):
        values, value = m.values_of(u.columns), None if u.variable < 0 else m.env[u.variable]
        if value is not None and u.function != "distinct" and value.kind != NUMBER:
            return True
        of = key_of(values)
        key = of + (value.key if value is not None else "")
        cond = cond_and(m.resolve(c), m.equalities(0, known))
        if key in found:
            earlier = found[key]
            found[key] = (of, earlier[1], cond_or(earlier[2], cond))
            return True
        found[key] = (of, value, cond)
        return m.err == ""

    m.solve(u.part, yields)
    for key, value, cond in found.values():
        e = Member(key, ZERO if u.window is None else m.end_of(u.window), m.index, value, cond, 1)
        if u.window is not None:
            m.own(u).queued(m.journal, e)
            m.grow(1)
        add_member(m, u, e)


def add_member(m, u, e):
    """Adds a member to its group."""
    known = m.rows(u).get(e.key)
    if known is None:
        m.grow(1)
        known = Group(e.key)
    g = _grown(m, u, known, e)
    m.own(u).set(m.journal, e.key, g)


def _grown(m, u, g, e):
    total, best, distinct = g.total, g.best, g.distinct
    if e.cond is not TRUE_COND:
        for i, other in enumerate(g.conds if u.window is None else ()):
            if other.cond.key == e.cond.key and (u.function != "distinct" or other.value.key == e.value.key):
                return Group(g.key, g.n, total, best, distinct, g.conds[:i] + (_merged(m, u, other, e),) + g.conds[i + 1 :])
        m.grow(1 + e.cond.size)
        return Group(g.key, g.n, total, best, distinct, g.conds + (e,))
    if u.function == "sum":
        total = m.checked(total.add(e.value.number))
    elif u.function == "distinct":
        if e.value.key not in distinct:
            m.grow(1)
        if distinct is _NO_VALUES:
            distinct = {}
        m.journal.put(distinct, e.value.key, e)
    elif u.function != "count":
        size = len(best)
        if u.window is None:
            size = 0 if size and _better(u.function, e.value, best[0].value) else size
        else:
            while size and not _better(u.function, best[size - 1].value, e.value):
                size -= 1
        if u.window is not None or size == 0:
            best = best[:size] + (e,)
    return Group(g.key, g.n + 1, total, best, distinct, g.conds)


def _merged(m, u, into, e):
    """Returns a member that replaces two members with equal conditions."""
    out = Member(into.key, into.end, into.index, into.value, into.cond, into.n + 1)
    if u.function == "sum":
        out.value = Value.of_number(m.checked(into.value.number.add(e.value.number)))
    elif u.function in ("min", "max") and _better(u.function, e.value, into.value):
        out.value = e.value
    return out


def _expire(m, u):
    """Removes the members that have left the window."""
    for e in m.leaving(m.rows(u)):
        m.grow(-1)
        g = _shrunk(m, u, m.rows(u).get(e.key), e)
        empty = g.n == 0 and not g.conds
        m.own(u).set(m.journal, e.key, None if empty else g)
        if empty:
            m.grow(-1)


def _shrunk(m, u, g, e):
    total, best = g.total, g.best
    if e.cond is not TRUE_COND:
        m.grow(-1 - e.cond.size)
        return Group(g.key, g.n, total, best, g.distinct, g.conds[1:])
    if u.function == "sum":
        total = m.checked(total.add(e.value.number.minus()))
    elif u.function == "distinct":
        if e.value.key in g.distinct and g.distinct[e.value.key].index == e.index:
            m.journal.put(g.distinct, e.value.key, None)
            m.grow(-1)
    elif best and best[0] is e:
        best = best[1:]
    return Group(g.key, g.n - 1, total, best, g.distinct, g.conds)


def eval_aggregate(m, u):
    """Returns the value of an aggregate: UNDEFINED (False) if it has none, None while a variable has no value."""
    if any(m.env[v] is None for v in u.columns):
        return None
    return _eval_group(m, u.function, m.rows(u).get(key_of(m.values_of(u.columns))))


def _eval_group(m, name, g):
    if g is None:
        g = Group("")
    n, total, best, extra = g.n, g.total, g.best[0].value if g.best else None, set()
    for e in g.conds:
        c = m.resolve(e.cond)
        if c is FALSE_COND:
            continue
        if c is not TRUE_COND:
            return None
        n += e.n
        if name == "sum":
            total = m.checked(total.add(e.value.number))
        elif name == "distinct":
            if e.value.key not in g.distinct:
                extra.add(e.value.key)
        elif name != "count" and (best is None or _better(name, e.value, best)):
            best = e.value
    if name == "count":
        return Value.of_number(Decimal.of(n))
    if name == "distinct":
        return Value.of_number(Decimal.of(len(g.distinct) + len(extra)))
    if name == "sum":
        return Value.of_number(total)
    return False if best is None else best


class Frozen:
    """A copy of the groups of an aggregate. A column is -1 if its value is known."""

    __slots__ = ("function", "columns", "groups", "free", "size", "key")

    def __init__(self, function, columns, groups):
        self.function, self.columns, self.groups = function, columns, groups
        self.free = union([[v for v in columns if v >= 0]] + [e.cond.free for g in groups.values() for e in g.conds])
        self.size, key = 0, [function] + [" %d" % v for v in columns]
        for name in sorted(groups):
            g = groups[name]
            self.size += 1 + len(g.distinct) + len(g.conds) + sum(e.cond.size for e in g.conds)
            text = "%d %s" % (g.n, g.total) + "".join(" " + e.value.key for e in g.best) + "".join(map(add_key, sorted(g.distinct)))
            text += "".join(("" if e.value is None else add_key(e.value.key)) + "%d" % e.n + add_key(e.cond.key) for e in g.conds)
            key.append(add_key(name) + add_key(text))
        self.key = "".join(key)


def freeze_aggregate(m, t):
    """Copies the groups of an aggregate that agree with the known values."""
    u = m.updates[t.aggregate] if t.frozen is None else t.frozen
    source, groups = m.rows(u) if t.frozen is None else u.groups, {}
    for key in source.keys():
        if not _agrees(m, u.columns, key):
            continue
        g = source.get(key)
        conds = [Member(value=e.value, cond=m.resolve(e.cond), n=e.n) for e in g.conds]
        best = tuple(Member(value=e.value) for e in g.best[:1])
        distinct = {k: Member(value=e.value) for k, e in g.distinct.items()}
        groups[key] = Group(key, g.n, g.total, best, distinct, tuple(e for e in conds if e.cond is not FALSE_COND))
    out = Frozen(u.function, [-1 if v >= 0 and m.env[v] is not None else v for v in u.columns], groups)
    m.step(out.size)
    return out


def _agrees(m, columns, key):
    """Reports whether the values of a key are those that the columns have."""
    return all(v < 0 or m.env[v] is None or add_key(m.env[v].key) == part for v, part in zip(columns, split(key)))


def eval_frozen(m, s):
    """Evaluates a copy of an aggregate. At most one of its groups agrees with the known values."""
    if any(v >= 0 and m.env[v] is None for v in s.columns):
        return None
    for name in sorted(s.groups):
        m.step(1)
        if _agrees(m, s.columns, name):
            return _eval_group(m, s.function, s.groups[name])
    return _eval_group(m, s.function, None)
