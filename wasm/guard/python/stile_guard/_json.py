"""Strict JSON, and the texts that all runtimes of compiled guards share."""

import json
import re
from json.encoder import encode_basestring

MAX_ARGUMENTS = 1 << 18
MAX_DEPTH = 64
SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
JSON_SPACE = " \t\r\n"


def utf8_length(text):
    """Returns the number of bytes of a text in UTF-8, or -1 if it contains a lone surrogate."""
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return -1


def show(name):
    """Quotes a name in ASCII, so that names that look alike differ, and shortens a long one."""
    out = []
    for n, char in enumerate(name):
        if n == 60:
            out.append("...")
            break
        out.append(char if " " <= char <= "~" and char not in '"\\' else "\\u{%x}" % ord(char))
    return '"' + "".join(out) + '"'


def listed(names):
    """Lists at most the first eight names."""
    out = [show(name) for name in names[:8]]
    if len(names) > 8:
        out.append("%d more" % (len(names) - 8))
    return ", ".join(out)


def quote(text):
    """Writes a text as JSON.stringify does."""
    return encode_basestring(text)


def trim(text):
    """Removes Unicode white space at both ends of a text."""
    return text.strip(SPACE)


def plain(name):
    """Returns the ASCII letters and digits of a name, in lower case."""
    return re.sub("[^a-zA-Z0-9]+", "", name).lower()


class Value:
    """A JSON value with its source text."""

    __slots__ = ("kind", "raw", "text", "names", "items")

    def __init__(self, kind):
        self.kind, self.raw, self.text, self.names, self.items = kind, "", "", [], []

    def only_value(self):
        """The value of an object with one member: the text of a string, the source of another value."""
        if self.kind != "{" or len(self.items) != 1:
            return self.raw
        item = self.items[0]
        return item.text if item.kind == '"' else item.raw


class Fault(Exception):
    """The first fault of a text."""


_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_HEX = re.compile("[0-9a-fA-F]{4}")
_ESCAPES = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t'))


class Scanner:
    """Reads JSON. If strict is true, duplicate names and lone surrogates are faults."""

    def __init__(self, text, depth=MAX_DEPTH, strict=True):
        self.text, self.at, self.most, self.strict = text, 0, depth, strict

    def peek(self):
        return self.text[self.at : self.at + 1]

    def space(self):
        while self.peek() and self.peek() in JSON_SPACE:
            self.at += 1

    def value(self, depth):
        start, c = self.at, self.peek()
        v = Value(c)
        if not self.strict and depth > self.most:
            raise Fault("nesting deeper than %d" % self.most)
        if c and c in "{[":
            if depth > self.most:
                raise Fault("nesting deeper than %d" % self.most)
            self.members(v, depth)
        elif c == '"':
            v.text = self.string()
        elif c and c in "-0123456789":
            v.kind = "0"
            found = _NUMBER.match(self.text, self.at)
            if not found or self._torn(found.end()):
                raise Fault("syntax error")
            self.at = found.end()
        else:
            for word in ("true", "false", "null"):
                if self.text.startswith(word, self.at):
                    self.at += len(word)
                    break
            else:
                raise Fault("syntax error")
        v.raw = self.text[start : self.at]
        return v

    def _torn(self, end):
        """Reports whether a fraction or an exponent without digits follows a number."""
        return self.text[end : end + 1] in (".", "e", "E") and self.text[end : end + 1] != ""

    def members(self, v, depth):
        shut = "}" if v.kind == "{" else "]"
        self.at += 1
        self.space()
        if self.peek() == shut:
            self.at += 1
            return
        seen = set()
        while True:
            if v.kind == "{":
                self.space()
                if self.peek() != '"':
                    raise Fault("syntax error")
                name = self.string()
                self.space()
                if self.peek() != ":":
                    raise Fault("syntax error")
                self.at += 1
                if self.strict and name in seen:
                    raise Fault("duplicate name " + show(name))
                seen.add(name)
                v.names.append(name)
            self.space()
            v.items.append(self.value(depth + 1))
            self.space()
            after = self.peek()
            self.at += 1
            if after == shut:
                return
            if after != ",":
                raise Fault("syntax error")

    def string(self):
        self.at += 1
        out = []
        while True:
            found = _PLAIN.match(self.text, self.at)
            out.append(found.group())
            self.at = found.end()
            c = self.peek()
            self.at += 1
            if c == '"':
                return "".join(out)
            if c != "\\":
                raise Fault("syntax error")
            out.append(self.escape())

    def escape(self):
        c = self.peek()
        self.at += 1
        if c in _ESCAPES:
            return _ESCAPES[c]
        if c != "u":
            raise Fault("syntax error")
        high = self.hex()
        if not 0xD800 <= high <= 0xDFFF:
            return chr(high)
        if high < 0xDC00 and self.text.startswith("\\u", self.at):
            self.at += 2
            low = self.hex()
            if 0xDC00 <= low <= 0xDFFF:
                return chr(0x10000 + (high - 0xD800 << 10) + low - 0xDC00)
            self.at -= 6
        if not self.strict:
            return "\ufffd"
        raise Fault("invalid Unicode")

    def hex(self):
        found = _HEX.match(self.text, self.at)
        if not found:
            raise Fault("syntax error")
        self.at += 4
        return int(found.group(), 16)


def scan(text, most):
    """Reads a text of limited size that is one JSON value. Returns (value, fault)."""
    size = utf8_length(text)
    if size < 0:
        return None, "invalid Unicode"
    if most is not None and size > most:
        return None, "larger than %d bytes" % most
    s = Scanner(text)
    try:
        s.space()
        v = s.value(1)
        s.space()
        if s.at < len(text):
            raise Fault("syntax error")
    except Fault as fault:
        return None, str(fault)
    return v, ""


class _Pairs(list):
    pass


def _pairs(members):
    if len(members) > 1 and len({name for name, _ in members}) < len(members):
        raise ValueError
    return _Pairs(members)


def _refuse(_):
    raise ValueError


def _zero(_):
    return 0


_decoder = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_refuse, parse_int=_zero, parse_float=_zero)
_FIRST = re.compile(r'\{[ \t\r\n]*"(?:[^"\\]|\\.)*"[ \t\r\n]*:[ \t\r\n]*')


def only_value(text):
    """The text of arguments that contents restrict, and the fault.

    The decoder in C reads usual arguments; others are left to the scanner.
    """
    if "\\u" not in text and text.count("{") + text.count("[") <= MAX_DEPTH and len(text) < 1 << 16 and text.isascii():
        stripped = text.strip(JSON_SPACE)
        try:
            v, end = _decoder.raw_decode(stripped)
        except (ValueError, RecursionError):
            end = -1
        if end == len(stripped):
            if type(v) is not _Pairs or len(v) != 1:
                return stripped, ""
            if type(v[0][1]) is str:
                return v[0][1], ""
            return stripped[_FIRST.match(stripped).end() : -1].rstrip(JSON_SPACE), ""
    v, fault = scan(text, MAX_ARGUMENTS)
    return (v.only_value(), "") if fault == "" else ("", fault)


#: Words, in lower-case letters and digits. No log line shows the values of fields that have one of them as a part of their name, or
#: one of at least five letters anywhere in it.
SECRETS = (
    "apikey", "auth", "authorization", "cookie", "credential", "credentials", "jwt", "key", "passphrase", "passwd", "password",
    "privatekey", "pwd", "secret", "token",
)
_VALUES = ("value", "values", "val", "v", "content", "text", "data")
_REDACTED = '"[redacted]"'
_SECRET = re.compile(r"(?:^|[^a-zA-Z0-9])(?:bearer |sk-|ghp_|xoxb-|eyj)[\s\S]", re.I | re.A)
_NAME = re.compile(r"[\w.-]+", re.A)


def _hides(hidden, name):
    whole, parts = plain(name), re.sub("([a-z0-9])([A-Z])", r"\1 \2", re.sub("[^a-zA-Z0-9]+", " ", name)).lower().split()
    return whole in hidden or any(part in hidden for part in parts) or any(len(word) >= 5 and word in whole for word in SECRETS)


def _names(hidden, v):
    """Reports whether a value is the name of a field whose value is not shown."""
    return v.kind == '"' and len(v.text) <= 64 and _NAME.fullmatch(v.text) is not None and _hides(hidden, v.text)


def _leaks(hidden, text):
    """Reports whether a text contains a secret, or a name with a value that is not shown."""
    if _SECRET.search(text):
        return True
    parts = re.split("[:=]", text.rstrip("\\\"' :="))[:-1]
    return any(part and _hides(hidden, re.split(r"[^\w.-]", part.rstrip("\\\"' "), flags=re.A)[-1]) for part in parts)


def without(v, hidden):
    """Writes a value as JSON without secrets."""
    if v.kind == '"':
        if trim(v.text)[:1] in ("{", "[", '"'):
            inner, fault = scan(v.text, MAX_ARGUMENTS)
            if not fault:
                return quote(without(inner, hidden))
        return _REDACTED if _leaks(hidden, v.text) else quote(v.text)
    if v.kind == "[":
        return "[" + ",".join(
            _REDACTED if i > 0 and _names(hidden, v.items[i - 1]) else without(item, hidden) for i, item in enumerate(v.items)) + "]"
    if v.kind != "{":
        return v.raw
    named = any(_names(hidden, item) for item in v.items)
    return "{" + ",".join(
        quote(name) + ":" + (_REDACTED if _hides(hidden, name) or named and plain(name) in _VALUES else without(item, hidden))
        for name, item in zip(v.names, v.items)) + "}"


class _Exact(str):
    """The canonical text of a number or an object."""


def _exact(raw):
    """Writes a number as an integer without zeros at its end and a power of ten. An exponent of more than 8 characters stays."""
    mantissa, _, power = raw.lower().partition("e")
    if len(power) > 8:
        return _Exact(raw)
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return _Exact("0")
    short = digits.rstrip("0")
    return _Exact("%s%se%d" % ("-" if raw[0] == "-" else "", short, int(power or "0") - len(fraction) + len(digits) - len(short)))


def _sorted(members):
    return _Exact("{" + ",".join(sorted(quote(name) + ":" + _canonical(item) for name, item in members)) + "}")


def _canonical(v):
    if type(v) is _Exact:
        return v
    return "[" + ",".join(map(_canonical, v)) + "]" if type(v) is list else quote(v) if type(v) is str else json.dumps(v)


_reader = json.JSONDecoder(object_pairs_hook=_sorted, parse_int=_exact, parse_float=_exact)


def canonical(text):
    """Writes well-formed arguments so that equal values have equal texts: without space, with sorted members, and with numbers by
    their exact decimals. No arguments are {}."""
    return "{}" if trim(text) == "" else _canonical(_reader.decode(text.strip(JSON_SPACE)))


def encode(value, depth=1):
    """Writes a value as JSON. It raises Fault for a value that JSON cannot represent."""
    if depth > MAX_DEPTH + 1:
        raise Fault("nesting deeper than %d" % MAX_DEPTH)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        if utf8_length(value) < 0:
            raise Fault("invalid Unicode")
        return quote(value)
    if isinstance(value, int):
        try:
            return int.__repr__(value)
        except ValueError:
            raise Fault("syntax error") from None
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise Fault("syntax error")
        return float.__repr__(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(encode(item, depth + 1) for item in value) + "]"
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            raise Fault("syntax error")
        return "{" + ",".join(encode(name, depth) + ":" + encode(item, depth + 1) for name, item in value.items()) + "}"
    raise Fault("syntax error")
