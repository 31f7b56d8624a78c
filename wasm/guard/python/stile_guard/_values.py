"""Values of rules about data: JSON with exact decimals, and the regular expressions of RE2."""

import itertools
import json
import re
from bisect import bisect_right

from ._json import Fault, Scanner

_MAX_DIGITS, _MAX_LEAD, _MAX_TREE, _MAX_STATES = 10_000, 1 << 60, 101, 2000
_CHUNK = 4000  # digits; int and str refuse longer texts
_LONG = 10**_CHUNK
NULL, FALSE, TRUE, NUMBER, STRING, LIST, OBJECT = range(7)
_PARTS = re.compile(r"(-?)([0-9]*)(?:\.([0-9]*))?(?:[eE]\+?(-?[0-9]+))?")


def size_of(text):
    """Returns the number of bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def add_key(key):
    return "%d:%s" % (size_of(key), key)


def split(text):
    """Returns the parts of a text that add_key wrote."""
    if not text.isascii():
        return [part.decode("utf-8", "surrogatepass") for part in _split(text.encode("utf-8", "surrogatepass"), b":")]
    return _split(text, ":")


def _split(text, colon):
    out, at = [], 0
    while at < len(text):
        start = text.index(colon, at)
        end = start + 1 + int(text[at:start])
        out.append(text[at:end])
        at = end
    return out


def encode_text(text):
    """Quotes a text as JSON without U+2028 and U+2029."""
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def integer_of(digits):
    """Returns the whole number of a text of any length."""
    if len(digits) <= _CHUNK:
        return int(digits)
    negative, digits, n = digits[0] == "-", digits.lstrip("-"), 0
    for i in range(0, len(digits), _CHUNK):
        part = digits[i : i + _CHUNK]
        n = n * 10 ** len(part) + int(part)
    return -n if negative else n


def _text(n):
    """Returns the digits of a whole number of any size."""
    if -_LONG < n < _LONG:
        return str(n)
    sign, n, parts = "-" if n < 0 else "", abs(n), []
    while n:
        n, part = divmod(n, _LONG)
        parts.append(str(part).zfill(_CHUNK) if n else str(part))
    return sign + "".join(reversed(parts))


class Decimal:
    """An exact decimal: 0.DIGITS times ten to the power of lead. DIGITS has no zeros at either end and is "" for 0."""

    __slots__ = ("negative", "digits", "lead")

    def __init__(self, negative, digits, lead):
        self.negative, self.digits, self.lead = negative and digits != "", digits, lead if digits else 0

    @property
    def far(self):
        return not -_MAX_LEAD < self.lead < _MAX_LEAD

    @classmethod
    def parse(cls, text):
        sign, whole, part, power = _PARTS.fullmatch(text).groups()
        everything = whole + (part or "")
        digits = everything.lstrip("0")
        lead = len(whole) - (len(everything) - len(digits)) + (integer_of(power) if power else 0)
        return cls(sign == "-", digits.rstrip("0"), lead)

    @classmethod
    def of(cls, n, low=0):
        """Returns a whole number times ten to the power of low."""
        digits = _text(abs(n))
        return ZERO if n == 0 else cls(n < 0, digits.rstrip("0"), low + len(digits))

    def __str__(self):
        digits, lead, sign = self.digits, self.lead, "-" if self.negative else ""
        if not digits:
            return "0"
        if lead > 21 or lead < -6:
            return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + "e" + _text(lead - 1)
        if lead <= 0:
            return sign + "0." + "0" * -lead + digits
        if lead >= len(digits):
            return sign + digits + "0" * (lead - len(digits))
        return sign + digits[:lead] + "." + digits[lead:]

    def _sign(self):
        return 0 if not self.digits else -1 if self.negative else 1

    def compare(self, other):
        a, b = self._sign(), other._sign()
        if a != b or not self.digits:
            return (a > b) - (a < b)
        a, b = (self.lead, self.digits), (other.lead, other.digits)
        size = (a > b) - (a < b)
        return -size if self.negative else size

    def minus(self):
        return Decimal(not self.negative, self.digits, self.lead)

    def _low(self):
        return self.lead - len(self.digits)

    def _multiple(self, low):
        n = integer_of(self.digits) * 10 ** (self._low() - low)
        return -n if self.negative else n

    def add(self, other):
        """Returns the sum, or None if it has too many digits."""
        if not self.digits:
            return other
        if not other.digits:
            return self
        if self.far or other.far:
            return None
        low = min(self._low(), other._low())
        if max(self.lead, other.lead) - low > _MAX_DIGITS:
            return None
        return Decimal.of(self._multiple(low) + other._multiple(low), low)

    def multiply(self, other):
        """Returns the product, or None if it has too many digits."""
        if not self.digits or not other.digits:
            return ZERO
        if self.far or other.far or len(self.digits) + len(other.digits) > _MAX_DIGITS:
            return None
        out = Decimal.of(self._multiple(self._low()) * other._multiple(other._low()), self._low() + other._low())
        return None if abs(out.lead) > _MAX_LEAD else out


ZERO = Decimal(False, "", 0)


class Value:
    """A JSON value, which is never changed. Two values are equal if their keys are."""

    __slots__ = ("kind", "key", "data")

    def __init__(self, kind, key, data):
        self.kind, self.key = kind, key
        self.data = data  # a text, a Decimal, the items of a list, or a dict of members in the order of their names

    @classmethod
    def of_text(cls, text):
        return cls(STRING, '"' + text, text)

    @classmethod
    def of_number(cls, number):
        return cls(NUMBER, "#" + str(number), number)

    @classmethod
    def of_list(cls, items):
        return cls(LIST, "[" + "".join([add_key(item.key) for item in items]), items)

    @classmethod
    def of_object(cls, members):
        names = sorted(members)
        key = "{" + "".join([add_key('"' + name) + add_key(members[name].key) for name in names])
        return cls(OBJECT, key, {name: members[name] for name in names})

    @classmethod
    def of(cls, n):
        """Converts a value that a Scanner read. Of members with equal names, the last one counts."""
        if n.kind == '"':
            return cls.of_text(n.text)
        if n.kind == "0":
            return cls.of_number(Decimal.parse(n.raw))
        if n.kind == "[":
            return cls.of_list([cls.of(item) for item in n.items])
        if n.kind == "{":
            return cls.of_object({name: cls.of(item) for name, item in zip(n.names, n.items)})
        return _CONSTANTS[n.kind]

    @classmethod
    def of_part(cls, part):
        """Returns the value of a key to which add_key added the length."""
        return cls._of_key(part[part.index(":") + 1 :])

    @classmethod
    def _of_key(cls, key):
        kind, rest = key[0], key[1:]
        if kind == '"':
            return cls.of_text(rest)
        if kind == "#":
            return cls.of_number(Decimal.parse(rest))
        if kind == "[":
            return cls.of_list([cls.of_part(part) for part in split(rest)])
        if kind == "{":
            parts = [cls.of_part(part) for part in split(rest)]
            return cls.of_object({name.data: item for name, item in zip(parts[::2], parts[1::2])})
        return _CONSTANTS[kind]

    @property
    def text(self):
        return self.data if self.kind == STRING else ""

    @property
    def number(self):
        return self.data if self.kind == NUMBER else None

    @property
    def items(self):
        return self.data if self.kind == LIST else list(self.data.values())

    @property
    def names(self):
        return list(self.data)

    @property
    def json(self):
        """The value in JSON, with numbers in their shortest form and names in order."""
        if self.kind == NUMBER:
            return self.key[1:]
        if self.kind == STRING:
            return encode_text(self.data)
        if self.kind == LIST:
            return "[" + ",".join([item.json for item in self.data]) + "]"
        if self.kind == OBJECT:
            return "{" + ",".join([encode_text(name) + ":" + item.json for name, item in self.data.items()]) + "}"
        return self.data

    def field(self, name):
        """Returns the value of a member, or None."""
        return self.data.get(name) if self.kind == OBJECT else None


_CONSTANTS = {"n": Value(NULL, "n", "null"), "f": Value(FALSE, "f", "false"), "t": Value(TRUE, "t", "true")}


def compare_values(a, b):
    """Orders values by their kinds, numbers and texts; lists and objects by their elements."""
    if a.kind != b.kind:
        return a.kind - b.kind
    if a.kind == NUMBER:
        return a.number.compare(b.number)
    if a.kind == STRING:
        return (a.key > b.key) - (a.key < b.key)
    if a.kind <= TRUE:
        return 0
    names = zip(a.data, b.data) if a.kind == OBJECT else itertools.repeat(("", ""))
    for (name, other), x, y in zip(names, a.items, b.items):
        if name != other:
            return 1 if name > other else -1
        c = compare_values(x, y)
        if c:
            return c
    return len(a.data) - len(b.data)


def compare_by(relation, a, b):
    """Evaluates a comparison of two values."""
    if relation == "=":
        return a.key == b.key
    if relation == "!=":
        return a.key != b.key
    if a.kind != b.kind or a.kind not in (NUMBER, STRING):
        return False
    c = compare_values(a, b)
    return c < 0 if relation == "<" else c <= 0 if relation == "<=" else c > 0 if relation == ">" else c >= 0


def parse(text):
    """Reads a text that may be JSON of any names and escapes. Returns None if it is not."""
    s = Scanner(text, _MAX_TREE, False)
    try:
        s.at = 1 if text[:1] == "\ufeff" else 0
        s.space()
        v = s.value(1)
        s.space()
    except Fault:
        return None
    return Value.of(v) if s.at == len(text) else None


def fields(text, given=None):
    """Returns the fields of a text: the members of an object, otherwise "value"; and the arguments of its call as "input"."""
    v = parse(text) if text else None
    members = {}
    if v is not None and v.kind == OBJECT:
        members = dict(v.data)
    elif text:
        members = {"value": v or Value.of_text(text)}
    if given is not None:
        members["input"] = given
    return Value.of_object(members)


class Regex:
    """A regular expression, which is searched in a text. Sets of instructions become states when they are first reached."""

    def __init__(self, data):
        code, starts, classes, sets = data["code"], data["from"], data["class"], data["sets"]
        ok = code and starts[:1] == [0] and all(a < b for a, b in zip(starts, starts[1:])) and len(classes) == len(starts)
        for one in code:
            ok = ok and len(one) == 3 and 0 <= one[0] <= 8 and (one[0] == 8 or 0 <= one[1] < len(code))
            ok = ok and (one[0] != 0 or 0 <= one[2] < len(sets)) and (one[0] != 1 or 0 <= one[2] < len(code))
        if not ok:
            raise ValueError("the program of a regular expression is damaged")
        self.code, self.starts, self.classes, self.word, self.line = code, starts, classes, frozenset(data["word"]), data["line"]
        self.sets, self.states = [frozenset(s) for s in sets], {}

    def test(self, text):
        """Reports whether a part of the text matches."""
        state = self._state((), -1)
        for char in text:
            c = self.classes[bisect_right(self.starts, ord(char)) - 1]
            after = state[2].get(c)
            if after is None:
                after = state[2][c] = self._step(state, c)
            if after is True:
                return True
            state = after
        return self._step(state, -1) is True

    def _state(self, pending, before):
        kind = 0 if before < 0 else 1 if before == self.line else 2 if before in self.word else 3
        found = self.states.get((kind, pending))
        if found is None:
            if len(self.states) >= _MAX_STATES:
                self.states = {}
            found = self.states[kind, pending] = (pending, before, {})
        return found

    def _step(self, state, after):
        """Returns the state after a class of characters, -1 for the end, or True if a part matches before it."""
        pending, before, _ = state
        seen, reached, stack = set(), set(), [*pending, 0]
        while stack:
            i = stack.pop()
            if i in seen:
                continue
            seen.add(i)
            op, x, y = self.code[i]
            if op == 8:
                return True
            if op == 0:
                if after >= 0 and after in self.sets[y]:
                    reached.add(x)
            elif op == 1:
                stack += (x, y)
            elif self._holds(op, before, after):
                stack.append(x)
        return self._state(tuple(sorted(reached)), after)

    def _holds(self, op, before, after):
        if op == 2:
            return before < 0
        if op == 3:
            return after < 0
        if op == 4:
            return before < 0 or before == self.line
        if op == 5:
            return after < 0 or after == self.line
        return ((before in self.word) != (after in self.word)) == (op == 6)
