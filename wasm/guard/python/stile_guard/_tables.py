"""Tables of temporal operators, the changes of an event, and the tests of patterns."""

from ._values import LIST, STRING, ZERO, Value, compare_by, compare_values

_PUSH = object()


class Journal:
    """The changes of an event, which can be undone and repeated."""

    __slots__ = ("entries",)

    def __init__(self):
        self.entries = []

    def set(self, of, name, value):
        before = getattr(of, name)
        if before is value or type(value) in (int, bool, str) and before == value:
            return
        self.entries.append((of, name, before))
        setattr(of, name, value)

    def put(self, of, key, value):
        """Sets a key of a dict, or deletes it if the value is None."""
        self.entries.append((of, key, of.get(key)))
        if value is None:
            of.pop(key, None)
        else:
            of[key] = value

    def push(self, items, item):
        self.entries.append((items, _PUSH, item))
        items.append(item)

    def revert(self, first):
        """Undoes and forgets the changes after the first ones."""
        for i in range(len(self.entries) - 1, first - 1, -1):
            self._swap(i, True)
        del self.entries[first:]

    def undo(self):
        for i in range(len(self.entries) - 1, -1, -1):
            self._swap(i, True)

    def redo(self):
        for i in range(len(self.entries)):
            self._swap(i, False)

    def _swap(self, i, back):
        of, name, value = self.entries[i]
        if name is _PUSH:
            if back:
                of.pop()
            else:
                of.append(value)
        elif type(of) is dict:
            self.entries[i] = (of, name, of.get(name))
            if value is None:
                of.pop(name, None)
            else:
                of[name] = value
        else:
            self.entries[i] = (of, name, getattr(of, name))
            setattr(of, name, value)


class Row:
    __slots__ = ("cond", "index", "end")

    def __init__(self, cond, index=0, end=ZERO):
        self.cond, self.index, self.end = cond, index, end


class Bucket:
    __slots__ = ("key", "values", "rows")

    def __init__(self, key, values):
        self.key, self.values, self.rows = key, values, ()


class Expiry:
    __slots__ = ("end", "bucket", "row", "index")

    def __init__(self, bucket, row):
        self.end, self.bucket, self.row, self.index = row.end, bucket, row, row.index


class Table:
    """The state of a temporal operator: for each assignment of its columns and each condition, the last event."""

    __slots__ = ("columns", "window", "latest", "buckets", "queue", "head", "indexes")

    def __init__(self, columns, window, latest):
        self.columns, self.window, self.latest = columns, window, latest
        self.buckets, self.queue, self.head, self.indexes = {}, [], 0, {}

    def restore(self, m, values, cond, index, end):
        """Adds a row of a saved state."""
        b, row = m.bucket(self, values), Row(cond, index, end)
        b.rows += (row,)
        m.grow(1 + cond.size)
        if self.window is not None:
            self.queue.append(Expiry(b, row))
            m.grow(1)


class Update:
    """A temporal operator or an aggregate with its state."""

    __slots__ = ("op", "part", "negation", "columns", "window", "function", "variable", "locals", "table", "kills", "end", "next", "groups", "queue", "head")

    def __init__(self, u):
        self.op, self.part, self.negation, self.columns, self.window = u["op"], u["part"], u["not"], u["columns"], u["window"]
        self.function, self.variable, self.locals = u["function"], u["variable"], u["locals"] or []
        self.table = None if self.op == "aggregate" else Table(self.columns, None if self.op == "previous" else self.window, self.op == "since")
        self.kills = None if u["kills"] is None else Table(u["kills"], self.window, True)
        self.end, self.next, self.groups, self.queue, self.head = ZERO, [], {}, [], 0


def compare_rows(a, b):
    for x, y in zip(a, b):
        c = compare_values(x, y)
        if c:
            return c
    return 0


def cost_of(n, known):
    unknown = [v for v in n["free"] if v not in known]
    if n["op"] == "atom":
        return 0
    if not unknown:
        return 1 if n["op"] == "compare" else 2
    if all(v in n["binds"] for v in unknown):
        return 3 if n["op"] == "historically" else 4 if any(v in known for v in n["binds"]) else 5
    return 6 if any(v not in known for v in n["binds"]) else 7


def value_at(e, p):
    path = p["path"]
    if p["meta"]:
        return Value.of_number(e.time) if path[0] == "@time" else e.agent if path[0] == "@agent" else e.id
    v = e.fields
    for segment in path:
        if v is None:
            return None
        v = v.field(segment)
    return v


def accepts(p, v):
    test, values = p["test"], p["values"]
    if test == "~":
        return v.kind == STRING and p["regex"].test(v.text)
    if test == "in":
        return any(literal.key == v.key for literal in values)
    if test == "has":
        return v.kind == LIST and any(item.key == values[0].key for item in v.items)
    return compare_by(test, v, values[0])
