"""Aggregates of rules: for each assignment of their columns, the events in the window at which their operand held."""

from ._conds import FALSE_COND, TRUE_COND, cond_and, cond_or, union
from ._values import NUMBER, ZERO, Decimal, Value, add_key


def key_of(values):
    return "".join([add_key(v.key) for v in values])


class Group:
    """The members of one assignment."""

    __slots__ = ("values", "n", "total", "best", "distinct", "conds")

    def __init__(self, values, n=0, total=ZERO, best=(), distinct=None, conds=()):
        self.values, self.n, self.total, self.best, self.conds = values, n, total, best, conds
        self.distinct = {} if distinct is None else distinct


class Member:
    """An event with a value, or several events with an equal condition if there is no window."""

    __slots__ = ("group", "end", "index", "value", "cond", "n")

    def __init__(self, group=None, end=ZERO, index=0, value=None, cond=TRUE_COND, n=0):
        self.group, self.end, self.index, self.value, self.cond, self.n = group, end, index, value, cond, n


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
        key = key_of(values) + (value.key if value is not None else "")
        cond = cond_and(m.resolve(c), m.equalities(0, known))
        if key in found:
            earlier = found[key]
            found[key] = (earlier[0], earlier[1], cond_or(earlier[2], cond))
            return True
        found[key] = (values, value, cond)
        return m.err == ""

    m.solve(u.part, yields)
    for values, value, cond in found.values():
        e = Member(group_of(m, u, values), ZERO, m.index, value, cond, 1)
        if u.window is not None:
            e.end = m.end_of(u.window)
            m.journal.push(u.queue, e)
            m.grow(1)
        add_member(m, u, e)


def group_of(m, u, values):
    key = key_of(values)
    g = u.groups.get(key)
    if g is None:
        g = Group(values)
        m.journal.put(u.groups, key, g)
        m.grow(1)
    return g


def add_member(m, u, e):
    g, j = e.group, m.journal
    if e.cond is not TRUE_COND:
        if u.window is None:
            for i, other in enumerate(g.conds):
                if other.cond.key == e.cond.key and (u.function != "distinct" or other.value.key == e.value.key):
                    j.set(g, "conds", g.conds[:i] + (_merged(m, u, other, e),) + g.conds[i + 1 :])
                    return
        j.set(g, "conds", g.conds + (e,))
        m.grow(1 + e.cond.size)
        return
    j.set(g, "n", g.n + 1)
    if u.function == "sum":
        j.set(g, "total", m.checked(g.total.add(e.value.number)))
    elif u.function == "distinct":
        if e.value.key not in g.distinct:
            m.grow(1)
        j.put(g.distinct, e.value.key, e)
    elif u.function != "count":
        size = len(g.best)
        if u.window is None:
            size = 0 if size and _better(u.function, e.value, g.best[0].value) else size
        else:
            while size and not _better(u.function, g.best[size - 1].value, e.value):
                size -= 1
        if u.window is not None or size == 0:
            j.set(g, "best", g.best[:size] + (e,))


def _merged(m, u, into, e):
    """Returns a member that replaces two members with equal conditions."""
    out = Member(into.group, into.end, into.index, into.value, into.cond, into.n + 1)
    if u.function == "sum":
        out.value = Value.of_number(m.checked(into.value.number.add(e.value.number)))
    elif u.function in ("min", "max") and _better(u.function, e.value, into.value):
        out.value = e.value
    return out


def _expire(m, u):
    """Removes the members that have left the window."""
    j = m.journal
    for e in m.leaving(u):
        g = e.group
        m.grow(-1)
        if e.cond is not TRUE_COND:
            m.grow(-1 - e.cond.size)
            j.set(g, "conds", g.conds[1:])
        else:
            j.set(g, "n", g.n - 1)
            if u.function == "sum":
                j.set(g, "total", m.checked(g.total.add(e.value.number.minus())))
            elif u.function == "distinct":
                if e.value.key in g.distinct and g.distinct[e.value.key].index == e.index:
                    j.put(g.distinct, e.value.key, None)
                    m.grow(-1)
            elif g.best and g.best[0] is e:
                j.set(g, "best", g.best[1:])
        if g.n == 0 and not g.conds:
            j.put(u.groups, key_of(g.values), None)
            m.grow(-1)


def eval_aggregate(m, u):
    """Returns the value of an aggregate: UNDEFINED (False) if it has none, None while a variable has no value."""
    if any(m.env[v] is None for v in u.columns):
        return None
    return _eval_group(m, u.function, u.groups.get(key_of(m.values_of(u.columns))))


def _eval_group(m, name, g):
    if g is None:
        g = Group(())
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
    source, groups = t.frozen or m.updates[t.aggregate], {}
    for key, g in source.groups.items():
        if not _agrees(m, source.columns, g.values):
            continue
        conds = [Member(value=e.value, cond=m.resolve(e.cond), n=e.n) for e in g.conds]
        best = tuple(Member(value=e.value) for e in g.best[:1])
        distinct = {k: Member(value=e.value) for k, e in g.distinct.items()}
        groups[key] = Group(g.values, g.n, g.total, best, distinct, tuple(e for e in conds if e.cond is not FALSE_COND))
    out = Frozen(source.function, [-1 if v >= 0 and m.env[v] is not None else v for v in source.columns], groups)
    m.step(out.size)
    return out


def _agrees(m, columns, values):
    return all(v < 0 or m.env[v] is None or m.env[v].key == value.key for v, value in zip(columns, values))


def eval_frozen(m, s):
    """Evaluates a copy of an aggregate. At most one of its groups agrees with the known values."""
    if any(v >= 0 and m.env[v] is None for v in s.columns):
        return None
    for name in sorted(s.groups):
        m.step(1)
        if _agrees(m, s.columns, s.groups[name].values):
            return _eval_group(m, s.function, s.groups[name])
    return _eval_group(m, s.function, None)
