"""Rows of temporal operators, groups of aggregates, the changes of an event, and the tests of patterns.

Most sessions have few rows, so that an empty table is None, one entry is not in a dict, and the queue of a window and the
indexes are made when they are needed.
"""

from ._values import LIST, STRING, ZERO, Value, compare_by, compare_values, split

_PUSH = object()


class Journal:
    """The changes of an event, which can be undone and repeated: for each one an object, a name or an index, and another value."""

    __slots__ = ("entries",)

    def __init__(self):
        self.entries = ()

    def _keep(self, *entry):
        if self.entries:
            self.entries += entry
        else:
            self.entries = list(entry)

    def set(self, of, name, value):
        before = getattr(of, name)
        if before is value or type(value) in (int, bool, str) and before == value:
            return
        self._keep(of, name, before)
        setattr(of, name, value)

    def put(self, of, key, value):
        """Sets an index of a list or a key of a dict, or deletes the key if the value is None."""
        self._keep(of, key, of[key] if type(of) is list else of.get(key))
        _set_item(of, key, value)

    def push(self, items, item):
        self._keep(items, _PUSH, item)
        items.append(item)

    def kept(self):
        """Returns the journal of a call that may be undone, or None if there are no changes."""
        self.entries = self.entries[:]  # without room for more
        return self if self.entries else None

    def undo(self):
        for i in range(len(self.entries) - 3, -1, -3):
            self._swap(i, True)

    def redo(self):
        for i in range(0, len(self.entries), 3):
            self._swap(i, False)

    def _swap(self, i, back):
        of, name, value = self.entries[i : i + 3]
        if name is _PUSH:
            if back:
                of.pop()
            else:
                of.append(value)
        elif type(of) in (list, dict):
            self.entries[i + 2] = of[name] if type(of) is list else of.get(name)
            _set_item(of, name, value)
        else:
            self.entries[i + 2] = getattr(of, name)
            setattr(of, name, value)


def _set_item(of, key, value):
    if value is None and type(of) is dict:
        of.pop(key, None)
    else:
        of[key] = value


class Row:
    """The assignment of a table's columns, as the key of its values, the condition under which it holds, and its last event.

    end is that of the window, or zero. A row is never changed.
    """

    __slots__ = ("key", "cond", "index", "end")

    def __init__(self, key, cond, index=0, end=ZERO):
        self.key, self.cond, self.index, self.end = key, cond, index, end


class _More:
    __slots__ = ("queue", "head", "indexes")

    def __init__(self):
        self.queue, self.head, self.indexes = (), 0, None  # what leaves the window, earliest first; the keys by their parts


_NO_MORE = _More()


class Rows:
    """Entries by their keys. An entry is a group, a row, or a tuple of rows with the same key and other conditions."""

    __slots__ = ("entries", "more")

    def __init__(self):
        self.entries, self.more = None, _NO_MORE  # None, the only entry, or a dict

    def __len__(self):
        return 0 if self.entries is None else len(self.entries) if type(self.entries) is dict else 1

    def get(self, key):
        entries = self.entries
        if type(entries) is dict:
            return entries.get(key)
        return entries if entries is not None and first_of(entries).key == key else None

    def values(self):
        return () if self.entries is None else self.entries.values() if type(self.entries) is dict else (self.entries,)

    def keys(self):
        return () if self.entries is None else self.entries.keys() if type(self.entries) is dict else (first_of(self.entries).key,)

    def put(self, journal, key, rows):
        """Sets the rows of a key of a table, or removes the key if there are none."""
        before = self.get(key) is not None
        self.set(journal, key, None if not rows else rows[0] if len(rows) == 1 else rows)
        if self.more.indexes is not None and before != bool(rows):
            for positions, lists in self.more.indexes.items():
                _enter(journal, positions, lists, key, bool(rows))

    def set(self, journal, key, entry):
        entries = self.entries
        if type(entries) is dict:
            journal.put(entries, key, entry)
        elif entries is None or first_of(entries).key == key:
            journal.set(self, "entries", entry)
        else:
            journal.set(self, "entries", {first_of(entries).key: entries, key: entry})

    def _own(self, journal):
        if self.more is _NO_MORE:
            journal.set(self, "more", _More())
        return self.more

    def queued(self, journal, entry):
        """Adds an entry that leaves the window."""
        more = self._own(journal)
        if type(more.queue) is list:
            journal.push(more.queue, entry)
        elif len(more.queue) < 8:
            journal.set(more, "queue", more.queue + (entry,))
        else:
            journal.set(more, "queue", [*more.queue, entry])

    def indexed(self, m, positions, key):
        """Returns the entries whose parts at some positions are a key."""
        more = self._own(m.journal)
        lists = more.indexes and more.indexes.get(positions)
        if lists is None:
            lists = {}
            if more.indexes is None:
                m.journal.set(more, "indexes", {})
            m.journal.put(more.indexes, positions, lists)
            for known in self.entries:
                m.step(1)
                _enter(m.journal, positions, lists, known, True)
        return [self.entries[known] for known in lists.get(key, ())]


def first_of(entry):
    return entry[0] if type(entry) is tuple else entry


def rows_of(entry):
    return () if entry is None else entry if type(entry) is tuple else (entry,)


def _enter(journal, positions, lists, key, added):
    """Adds a key to an index, or removes it."""
    parts = split(key)
    name = "".join([parts[i] for i in positions])
    if added and name not in lists:
        journal.put(lists, name, {})
    journal.put(lists[name], key, True if added else None)
    if not lists[name]:
        journal.put(lists, name, None)


#: The rows of a table that has none.
EMPTY = Rows()


class Table:
    """A temporal operator's rows in a monitor, those of some columns. latest reports whether a later row replaces one without a condition."""

    __slots__ = ("slot", "columns", "window", "latest")

    def __init__(self, slot, columns, window, latest):
        self.slot, self.columns, self.window, self.latest = slot, columns, window, latest


class Update:
    """A temporal operator or an aggregate, with the slots of its state in a monitor."""

    __slots__ = ("op", "part", "negation", "columns", "window", "function", "variable", "locals", "table", "kills", "slot", "upcoming")

    def __init__(self, u, slot):
        self.op, self.part, self.negation, self.columns, self.window = u["op"], u["part"], u["not"], u["columns"], u["window"]
        self.function, self.variable, self.locals = u["function"], u["variable"], u["locals"] or []
        self.table = self.kills = self.upcoming = self.slot = None
        if self.op == "aggregate":
            self.slot = slot()
            return
        self.table = Table(slot(), self.columns, None if self.op == "previous" else self.window, self.op == "since")
        if self.op == "previous":
            self.upcoming = slot()  # None, or the solutions of the last event and the end of the window
        if u["kills"] is not None:
            self.kills = Table(slot(), u["kills"], self.window, True)


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
