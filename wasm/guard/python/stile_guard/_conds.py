"""Conditions on variables whose values are not known yet, because a formula outside a temporal operator binds them."""

from ._values import add_key


class Cond:
    """A condition, which is never changed."""

    __slots__ = ("op", "key", "kids", "variable", "value", "relation", "terms", "free", "size")

    def __init__(self, op, key, kids=(), variable=0, value=None, relation="", terms=(), free=(), size=0):
        self.op, self.key, self.kids, self.variable, self.value = op, key, kids, variable, value
        self.relation, self.terms, self.free, self.size = relation, terms, free, size


TRUE_COND, FALSE_COND = Cond("t", "t"), Cond("f", "f")


def union(lists):
    return tuple(dict.fromkeys(v for one in lists for v in one))


def cond_equal(variable, value):
    return Cond("=", "=%d %s" % (variable, add_key(value.key)), variable=variable, value=value, free=(variable,), size=1)


def cond_not(c):
    if c is TRUE_COND:
        return FALSE_COND
    if c is FALSE_COND:
        return TRUE_COND
    return c.kids[0] if c.op == "!" else Cond("!", "!" + c.key, kids=(c,), free=c.free, size=c.size)


def cond_and(*conds):
    return _join("&", TRUE_COND, FALSE_COND, conds)


def cond_or(*conds):
    return _join("|", FALSE_COND, TRUE_COND, conds)


def _join(op, neutral, absorbing, conds):
    """Joins conditions: neutral ones are dropped, an absorbing one is the result, and equal ones count once."""
    if absorbing in conds:
        return absorbing
    if len(conds) == 2 and neutral in conds:
        return conds[1] if conds[0] is neutral else conds[0]
    parts = {}
    for c in conds:
        if c.op == op:
            parts.update((k.key, k) for k in c.kids)
        elif c is not neutral:
            parts[c.key] = c
    if not parts:
        return neutral
    kids = tuple(parts[key] for key in sorted(parts))
    if len(kids) == 1:
        return kids[0]
    key = op + "".join(add_key(c.key) for c in kids)
    return Cond(op, key, kids=kids, free=union(c.free for c in kids), size=sum(c.size for c in kids))


def cond_compare(relation, a, b):
    """Returns a comparison of frozen terms."""
    key = "c" + relation + " " + add_key(a.key) + add_key(b.key)
    return Cond("c", key, relation=relation, terms=(a, b), free=union((a.free, b.free)), size=a.size + b.size)


class Term:
    """A term. In a condition it is frozen: its aggregates are copies."""

    __slots__ = ("op", "variable", "value", "sign", "kids", "aggregate", "frozen", "free", "size", "key")

    def __init__(self, op, variable=0, value=None, sign="", kids=(), aggregate=None, frozen=None):
        self.op, self.variable, self.value, self.sign, self.kids = op, variable, value, sign, kids
        self.aggregate, self.frozen, self.free, self.size, self.key = aggregate, frozen, (), 1, ""

    def finish(self):
        """Computes the key, the variables and the size of a frozen term."""
        if self.op == 0:
            self.free, self.key = (self.variable,), "?%d" % self.variable
        elif self.op == 1:
            self.key = "u" if self.value is None else "=" + self.value.key
        elif self.op == 2:
            self.free, self.size, self.key = self.frozen.free, self.frozen.size, "a" + self.frozen.key
        else:
            a, b = self.kids
            self.free, self.size = union((a.free, b.free)), 1 + a.size + b.size
            self.key = self.sign + add_key(a.key) + add_key(b.key)
        return self
