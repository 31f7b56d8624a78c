"""JSON Schemas of the arguments of tools as programs, which a compiled guard has."""

import re

from ._json import listed, show
from ._values import LIST, NULL, NUMBER, OBJECT, STRING, Regex, Value, integer_of, parse

_MAX_DEPTH, _MAX_WORK = 128, 1 << 18

#: The types with their articles.
_TYPES = {
    "null": "null", "boolean": "a boolean", "number": "a number", "integer": "an integer", "string": "a string", "array": "an array", "object": "an object",
}
_KINDS = ("null", "boolean", "boolean", "number", "string", "array", "object")

#: The number of kids of each operator: -1 for any number from one on, -2 for that of names, patterns and one more.
_SHAPES = dict.fromkeys((
    "never", "null", "type", "enum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minimum", "maximum",
    "above", "below", "multipleOf", "pattern", "format", "required", "dependent", "unique"), 0)
_SHAPES.update(properties=-2, items=-1, propertyNames=1, dependentSchema=1, contains=1, maxContains=1, all=-1, any=-1, one=-1)
_SHAPES.update({"not": 1, "if": 3})
_BOUNDS = ("minimum", "maximum", "above", "below", "multipleOf")
_PLAIN = re.compile("[0-9A-Za-z_-]+")


class Damaged(Exception):
    """The program is damaged, or of a newer version."""


class _Check:
    __slots__ = ("op", "names", "kids", "count", "value", "known", "regexes", "values", "number", "shown")

    def __init__(self, c):
        self.op, self.names, self.kids, self.count = c["op"], c.get("names", []), c.get("kids", []), c.get("count", 0)
        self.value, values, patterns = c.get("value", ""), c.get("values", []), c.get("patterns", [])
        self.known = {name: i for i, name in enumerate(self.names)}
        shape = _SHAPES.get(self.op)
        n = len(self.kids)
        fits = n > 0 if shape == -1 else n == len(self.names) + len(patterns) + 1 if shape == -2 else n == shape
        if shape is None or not fits or self.count < 0 or len(self.known) != len(self.names):
            raise Damaged(self.op)
        try:
            self.regexes = [Regex(p["regex"]) for p in patterns]
        except ValueError:
            raise Damaged(self.op) from None
        self.values, self.number, self.shown = None, None, []
        if self.op in _BOUNDS:
            v = parse(self.value)
            if v is None or v.kind != NUMBER or self.op == "multipleOf" and (v.number.negative or not v.number.digits or v.number.far):
                raise Damaged(self.op)
            self.number = v.number
        elif self.op in ("pattern", "format") and (len(patterns) != 1 or patterns[0]["text"] != self.value):
            raise Damaged(self.op)
        elif self.op == "type" and not all(name in _TYPES for name in self.names):
            raise Damaged(self.op)
        elif self.op == "enum":
            read = [parse(text) for text in values]
            if None in read:
                raise Damaged(self.op)
            self.values = {(v.kind, v.key) for v in read}
            self.shown = [show(v.text) if v.kind == STRING else show(text)[1:-1] for v, text in zip(read[:8], values)]
            if len(values) > 8:
                self.shown.append("%d more" % (len(values) - 8))


class Checker:
    """Checks arguments by a schema."""

    def __init__(self, data):
        self.root, self.nodes = data["root"], [[_Check(c) for c in node] for node in data["nodes"]]
        n = len(self.nodes)
        if not -1 <= self.root < n or not all(-1 <= kid < n for node in self.nodes for one in node for kid in one.kids):
            raise Damaged("root")

    def check(self, text):
        """Returns the first mismatch of arguments in JSON as a sentence, or ""."""
        v = parse(text)
        if v is None:
            return "the value of arguments is not JSON"
        run = _Checking(self.nodes)
        found = run.check(self.root, v, 0)
        if run.broken:
            return "the value of arguments is too complex to check"
        if found is None:
            return ""
        path, message = found
        return ("arguments" + path + " " if path else "the value of arguments ") + message


def _step(name):
    """Returns the path of a member."""
    return "." + name if _PLAIN.fullmatch(name) else "[" + show(name) + "]"


def _is_integer(n):
    return n.lead >= len(n.digits)


def _is_multiple(n, of):
    """Reports whether n is a whole multiple of a positive number. Exponents of any size are powers modulo its digits."""
    if not n.digits:
        return True
    power = n.lead - len(n.digits) - of.lead + len(of.digits)
    if power < 0:
        return False  # the last digit of n is not 0
    m = int(of.digits)
    return integer_of(n.digits) % m * pow(10, power, m) % m == 0


class _Checking:
    """One check of a value. A mismatch is a pair of a path and a message."""

    __slots__ = ("nodes", "work", "broken")

    def __init__(self, nodes):
        self.nodes, self.work, self.broken = nodes, 0, False

    def check(self, node, v, depth):
        """Returns the first mismatch of a value, or None."""
        if node < 0:
            return None
        self.work += 1
        if self.work > _MAX_WORK or depth > _MAX_DEPTH:
            self.broken = True
        if self.broken:
            return "", "is too complex to check"
        for one in self.nodes[node]:
            op = one.op
            if op == "null":
                if v.kind == NULL:
                    return None
                continue
            message = _simple(one, v)
            if message:
                return "", message
            found = None
            if v.kind == OBJECT and op in _OBJECTS:
                found = self.object(one, v, depth)
            elif v.kind == LIST and op in _LISTS:
                found = self.list(one, v, depth)
            elif op in _COMBINED:
                found = self.combined(one, v, depth)
            if found is not None:
                return found
        return None

    def object(self, one, v, depth):
        op, members = one.op, v.data
        if op in ("required", "dependent"):
            if op == "dependent" and one.value not in members:
                return None
            for name in one.names:
                if name not in members:
                    return _step(name), "is missing"
        elif op == "dependentSchema":
            if one.value in members:
                return self.check(one.kids[0], v, depth + 1)
        elif op == "propertyNames":
            for name in v.names:
                found = self.check(one.kids[0], Value.of_text(name), depth + 1)
                if found is not None:
                    return _step(name), "has a name that " + found[1]
        else:
            for name in v.names:
                found = self.member(one, name, members[name], depth)
                if found is not None:
                    return _step(name) + found[0], found[1]
        return None

    def member(self, one, name, item, depth):
        """Checks a member by the schemas of its name and of the patterns that match the name, or else by that of the other members."""
        k = one.known.get(name)
        if k is not None:
            found = self.check(one.kids[k], item, depth + 1)
            if found is not None:
                return found
        known = k is not None
        for i, regex in enumerate(one.regexes):
            if regex.test(name):
                known = True
                found = self.check(one.kids[len(one.names) + i], item, depth + 1)
                if found is not None:
                    return found
        if known:
            return None
        other = one.kids[-1]
        found = self.check(other, item, depth + 1)
        if found is not None and one.names and self.nodes[other] and self.nodes[other][0].op == "never":
            return "", "is unknown; expected: " + listed(one.names)
        return found

    def list(self, one, v, depth):
        if one.op == "items":
            last = len(one.kids) - 1
            for i, item in enumerate(v.items):
                found = self.check(one.kids[min(i, last)], item, depth + 1)
                if found is not None:
                    return "[%d]" % i + found[0], found[1]
        elif one.op == "unique":
            seen = set()
            for i, item in enumerate(v.items):
                key = item.kind, item.key
                if key in seen:
                    return "[%d]" % i, "is a duplicate"
                seen.add(key)
        else:
            fits = 0
            for item in v.items:
                fits += self.check(one.kids[0], item, depth + 1) is None
            if one.op == "contains" and fits < one.count:
                return "", "has fewer than %d suitable items" % one.count
            if one.op == "maxContains" and fits > one.count:
                return "", "has more than %d suitable items" % one.count
        return None

    def combined(self, one, v, depth):
        op, kids = one.op, one.kids
        if op == "all":
            for kid in kids:
                found = self.check(kid, v, depth + 1)
                if found is not None:
                    return found
            return None
        if op == "not":
            return ("", "matches an excluded schema") if self.check(kids[0], v, depth + 1) is None else None
        if op == "if":
            branch = kids[1] if self.check(kids[0], v, depth + 1) is None else kids[2]
            return self.check(branch, v, depth + 1)
        fits, first = 0, None
        for kid in kids:
            found = self.check(kid, v, depth + 1)
            if found is None:
                fits += 1
                if op == "any":
                    return None
            elif first is None:
                first = found
        if fits == 0 and len(kids) == 1:
            return first
        if fits == 0:
            return "", "matches none of %d alternatives; in the first one, value%s %s" % (len(kids), *first)
        return ("", "matches %d alternatives; expected one" % fits) if fits > 1 else None


_OBJECTS = frozenset(("required", "dependent", "dependentSchema", "propertyNames", "properties"))
_LISTS = frozenset(("items", "contains", "maxContains", "unique"))
_COMBINED = frozenset(("all", "any", "one", "not", "if"))


def _simple(one, v):
    """Returns the mismatch of a check without parts, or ""."""
    op = one.op
    if op == "type":
        got = _KINDS[v.kind]
        if got in one.known or got == "number" and "integer" in one.known and _is_integer(v.number):
            return ""
        return "is " + _TYPES[got] + "; expected " + " or ".join(_TYPES[name] for name in one.names)
    if op == "never":
        return "is not allowed"
    if op == "enum":
        return "" if (v.kind, v.key) in one.values else "must be one of: " + ", ".join(one.shown)
    if op in ("minLength", "maxLength"):
        return _counted(one, len(v.text), "characters") if v.kind == STRING else ""
    if op in ("minItems", "maxItems"):
        return _counted(one, len(v.items), "items") if v.kind == LIST else ""
    if op in ("minProperties", "maxProperties"):
        return _counted(one, len(v.items), "properties") if v.kind == OBJECT else ""
    if op in ("pattern", "format"):
        if v.kind != STRING or one.regexes[0].test(v.text):
            return ""
        return ("must have the format " if op == "format" else "must match ") + show(one.value)
    if op in _BOUNDS and v.kind == NUMBER:
        return _bounded(one, v.number)
    return ""


def _counted(one, n, unit):
    if one.op.startswith("min"):
        return "has fewer than %d %s" % (one.count, unit) if n < one.count else ""
    return "has more than %d %s" % (one.count, unit) if n > one.count else ""


def _bounded(one, n):
    if one.op == "multipleOf":
        return "" if _is_multiple(n, one.number) else "must be a multiple of " + one.value
    order = n.compare(one.number)
    if one.op == "minimum":
        return "must be at least " + one.value if order < 0 else ""
    if one.op == "maximum":
        return "must be at most " + one.value if order > 0 else ""
    if one.op == "above":
        return "must be more than " + one.value if order <= 0 else ""
    return "must be less than " + one.value if order >= 0 else ""
