"""Judges the calls of an agent by a compiled guard, before they are made.

The verdicts, reason codes and lists of allowed calls are those of package core/gate of Stile.

    guard = Guard.read(open("shop.guard", encoding="utf-8").read())
    session = guard.begin()
    decision = session.allow({"name": "refund", "arguments": {"order": 7}, "id": "c1"})
    if decision.verdict != "allow":
        raise PermissionError(decision.reason)
"""

from __future__ import annotations

import hashlib
import json
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from copy import copy

from ._monitor import Damaged, Monitor, Programs, read_program
from ._schema import Checker
from ._schema import Damaged as DamagedSchema
from ._stack import Grammar
from ._stream import Prompts, SpecText, Text, load_text
from ._tables import Journal
from ._values import Decimal, Value, fields
from ._json import MAX_ARGUMENTS, SECRETS, Fault, canonical, encode, listed, only_value, plain, quote, scan, show, trim, utf8_length, without

__all__ = ["FORMAT", "SECRETS", "Decision", "Guard", "GuardError", "Session", "__version__"]
__version__ = "2.1.0"

FORMAT: int = 1
_MAX_ID, _MAX_PENDING, _MAX_RECENT, _MAX_OPEN, _MAX_LOGGED, _MAX_KNOWN, _MAX_MODES = 128, 64, 32, 1024, 4096, 256, 16
_MAX_TEXT, _MAX_SAVED = 16 * MAX_ARGUMENTS, 64 << 20
_LOST_LOG = "a decision could not be logged: "
_MODES = ("enforce", "ask", "shadow", "off")

_SECRETS = frozenset(SECRETS)


class GuardError(Exception):
    """Raised for a file, a state or an option that the guard refuses."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code: str = code


def _bad(reason):
    return GuardError("guard.file", "not a compiled guard: " + reason)


def _bad_state():
    return GuardError("guard.state", "the state does not belong to this guard, or is damaged; begin another session")


def _sum(text):
    return hashlib.sha256(text.encode()).hexdigest()


# Checks of the shape of a file. An unknown member, or a member of the wrong type, is a fault.
def _is_text(v):
    return type(v) is str


def _is_flag(v):
    return type(v) is bool


def _is_int(v):
    return type(v) is int


def _list_of(check):
    return lambda v: type(v) is list and all(map(check, v))


def _maybe(check):
    return lambda v: v is None or check(v)


def _object(members, optional=None):
    everything = {**members, **(optional or {})}
    return lambda v: type(v) is dict and all(name in v for name in members) and all(
        name in everything and everything[name](item) for name, item in v.items()
    )


_is_ints, _is_texts = _list_of(_is_int), _list_of(_is_text)
_is_table = _list_of(_is_ints)
_is_named = _list_of(_object({"name": _is_text, "letters": _is_ints}))
_is_pattern = _object({"source": _is_text, "from": _is_ints, "next": _is_table, "accept": _is_ints})
_is_content = _object({}, {"empty": _is_flag, "maxChars": _is_int, "oneOf": _is_texts, "pattern": _is_pattern})
_is_map = _object({
    "calls": _is_named, "plain": _is_named, "other": _maybe(_is_ints), "results": _is_named, "result": _maybe(_is_ints),
    "user": _maybe(_is_ints), "text": _maybe(_is_ints), "final": _maybe(_is_ints), "thoughts": _maybe(_is_ints),
    "free": _maybe(_is_ints), "answers": _maybe(_is_ints), "offers": _maybe(_is_texts),
})
_is_regex = _object({"code": _is_table, "from": _is_ints, "class": _is_ints, "word": _is_ints, "line": _is_int, "sets": _is_table})
_is_field = _object({
    "path": _is_texts, "meta": _is_flag, "variable": _is_int, "test": _is_text, "values": _maybe(_is_texts), "regex": _maybe(_is_regex)})
_is_program = _object({
    "timed": _is_flag, "variables": _is_int, "forAll": _list_of(_object({"name": _is_text, "variable": _is_int})), "left": _is_int, "right": _is_int,
    "parts": _list_of(_object({
        "op": _is_text, "kids": _maybe(_is_ints), "free": _is_ints, "binds": _is_ints, "locals": _is_ints, "kind": _is_text,
        "name": _maybe(_is_text), "relation": _is_text, "terms": _maybe(_is_ints), "update": _is_int, "patterns": _maybe(_list_of(_is_field)),
    })),
    "terms": _list_of(_object({
        "op": _is_int, "variable": _is_int, "value": _is_text, "sign": _is_text, "kids": _maybe(_is_ints), "update": _is_int})),
    "updates": _list_of(_object({
        "op": _is_text, "part": _is_int, "not": _is_int, "columns": _is_ints, "kills": _maybe(_is_ints), "window": _is_text,
        "function": _is_text, "variable": _is_int, "locals": _maybe(_is_ints),
    })),
})
_is_check = _object({"op": _is_text}, {
    "names": _is_texts, "values": _is_texts, "kids": _is_ints, "count": _is_int, "value": _is_text,
    "patterns": _list_of(_object({"text": _is_text, "regex": _is_regex})),
})
_is_schema = _object(
    {"name": _is_text, "tool": _is_text, "root": _is_int, "nodes": _list_of(_list_of(_is_check))}, {"unchecked": _is_texts})
_is_file = _object({
    "format": _is_int, "name": _is_text, "version": _is_text, "tools": _maybe(_is_texts),
    "sources": _list_of(_object({"name": _is_text, "sha256": _is_text}, {"text": _is_text})),
    "specs": _list_of(_object({
        "name": _is_text, "kind": _is_text, "letters": _is_texts, "contents": _list_of(_maybe(_is_content)), "map": _is_map,
        "properties": _list_of(_object({"name": _is_text, "next": _is_table, "accept": _is_ints, "violated": _is_ints})),
    }, {
        "next": _is_table, "accept": _is_ints, "prompts": _is_texts, "environment": _is_ints,
        "implied": _list_of(_object({"state": _is_int, "letter": _is_int, "before": _is_ints})),
        "productions": _list_of(_object({"left": _is_int, "right": _is_ints})),
    })),
    "rules": _list_of(_object({"name": _is_text, "text": _is_text, "rules": _is_texts}, {"programs": _list_of(_is_program)})),
}, {"schemas": _list_of(_is_schema)})
_is_place = _object({"at": _is_int, "word": _is_ints, "properties": _is_ints, "last": _is_int, "lost": _is_int}, {"stack": _is_table})
_is_moment = _object({
    "events": _is_int, "time": _is_text, "rules": _list_of(lambda v: True), "specs": _list_of(_is_place),
    "pending": _list_of(_object({"id": _is_text, "tool": _is_text, "entered": _is_ints, "arguments": _is_text})),
})
_is_run = _object({
    "state": _is_int, "ahead": _is_int, "chars": _is_int, "wait": _is_int, "text": _is_text, "words": _is_int, "done": _is_int})
_is_reading = _object({"letter": _is_int, "code": _is_text, "reason": _is_text, "at": _is_int, "content": _is_run})
_is_stream = _object({
    "bytes": _is_int, "stopped": _maybe(_object({"verdict": _is_text, "rule": _is_text, "code": _is_text, "reason": _is_text, "at": _is_int})),
    "specs": _list_of(_maybe(_object({
        "place": _is_place, "letter": _is_int, "held": _is_text, "begun": _is_int, "content": _is_run, "plain": _list_of(_is_reading)}))),
})
_is_state = _object({
    "format": _is_int, "guard": _is_text, "status": _is_text, "reason": _is_text, "now": _is_moment,
    "undo": _maybe(_object({"id": _is_text, "then": _is_moment})), "recent": _is_texts, "lines": _is_int, "log": _is_text,
}, {"stream": _is_stream})


def _table_fits(table, accept, n, least):
    """Reports whether each row of a table has n successors, which are at least `least` and less than the row count."""
    return len(table) > 0 and len(accept) == len(table) and all(
        len(row) == n and all(least <= to < len(table) for to in row) for row in table
    )


_NO_MODES = {}  # is not changed


class _Place:
    """The state of a spec in a session. Its lists are never changed."""

    __slots__ = ("at", "stack", "properties", "last", "lost")

    def __init__(self, at, stack, properties, last, lost):
        self.at, self.stack, self.properties, self.last, self.lost = at, stack, properties, last, lost

    def copy(self):
        return _Place(self.at, self.stack, self.properties, self.last, self.lost)

    def put(self, other):
        self.at, self.stack, self.properties, self.last, self.lost = other.at, other.stack, other.properties, other.last, other.lost

    def save(self):
        rows = self.stack and ",".join("[" + ",".join(map(str, row)) + "]" for row in self.stack.table())
        return '{"at":%d,"word":[]%s,"properties":[%s],"last":%d,"lost":%d}' % (
            self.at, ',"stack":[' + rows + "]" if rows else "", ",".join(map(str, self.properties)), self.last, self.lost)


class _Call:
    """A call without a result."""

    __slots__ = ("id", "tool", "entered", "arguments")

    def __init__(self, id, tool, entered, arguments=""):
        self.id, self.tool, self.entered, self.arguments = id, tool, entered, arguments

    def save(self):
        return '{"id":%s,"tool":%s,"entered":[%s],"arguments":%s}' % (
            quote(self.id), quote(self.tool), ",".join(map(str, self.entered)), quote(self.arguments))


class _Moment:
    __slots__ = ("places", "pending", "events", "time", "rules")

    def __init__(self, places, pending, events, time, rules):
        self.places, self.pending, self.events, self.time, self.rules = places, pending, events, time, rules

    def save(self):
        return '{"events":%d,"time":%s,"specs":[%s],"pending":[%s],"rules":[%s]}' % (
            self.events, quote(self.time), ",".join(p.save() for p in self.places), ",".join(c.save() for c in self.pending),
            ",".join(r.save() for r in self.rules))


def _matches(pattern, text):
    q, starts, table = 0, pattern["from"], pattern["next"]
    for char in text:
        q = table[q][bisect_right(starts, ord(char)) - 1]
        if q < 0:
            return False
    return pattern["accept"][q] == 1


class _Spec:
    """A spec as an automaton or a grammar over letters, with indexes for look-ups."""

    def __init__(self, data, tools):
        self.name, self.letters, self.contents = data["name"], data["letters"], data["contents"]
        self.next, self.accept = data.get("next", []), data.get("accept", [])
        self.map, self.properties = data["map"], data["properties"]
        n = len(self.letters)

        def damaged(part):
            return _bad("the " + part + " of " + show(self.name) + " is damaged")

        def fit(letters):
            return letters is None or all(0 <= letter < n for letter in letters)

        self.grammar = None
        if data["kind"] == "dfa":
            if not _table_fits(self.next, self.accept, n, -1):
                raise damaged("table")
        elif data["kind"] == "grammar":
            rules = data.get("productions", [])
            if not rules or self.next or not all(p["left"] >= n and all(s >= 0 for s in p["right"]) for p in rules):
                raise damaged("grammar")
            self.grammar = Grammar(n, [(p["left"], p["right"]) for p in rules])
        else:
            raise _bad("unknown kind " + show(data["kind"]) + " of " + show(self.name))
        self.implied = {}
        for i in data.get("implied", []):
            if not 0 <= i["state"] < len(self.next) or not fit([i["letter"]]) or not fit(i["before"]):
                raise damaged("table")
            self.implied[i["state"], i["letter"]] = i["before"]
        prompts, environment = data.get("prompts"), data.get("environment", [])
        if environment if prompts is None else data["kind"] != "dfa" or len(prompts) != n or "" in prompts or not fit(environment):
            raise damaged("prompts")
        self.prompts = None if prompts is None else Prompts(prompts, environment)
        #: The spec has states with prompts, but its file lacks them.
        self.mute = prompts is None and self.map["result"] is not None
        if len(self.contents) != n:
            raise damaged("contents")
        for c in self.contents:
            p = c and c.get("pattern")
            if p and (p["from"][:1] != [0] or p["from"] != sorted(p["from"]) or not _table_fits(p["next"], p["accept"], len(p["from"]), -1)):
                raise damaged("contents")
        for p in self.properties:
            if not _table_fits(p["next"], p["accept"], n, 0) or len(p["violated"]) != len(p["next"]):
                raise damaged("property")
        if not all(fit(self.map[k]) for k in ("other", "result", "user", "text", "final", "thoughts", "free", "answers")):
            raise damaged("map")

        def index(entries):
            out = {}
            for e in entries:
                if e["name"] in out or not fit(e["letters"]):
                    raise damaged("map")
                out[e["name"]] = e["letters"]
            return out

        self.calls, self.plain, self.results = index(self.map["calls"]), index(self.map["plain"]), index(self.map["results"])
        self.tools = None if tools is None else frozenset(tools)

    def resolve(self, tool):
        """Returns the letters of a call of a tool, or None for an unknown tool."""
        letters = self.calls.get(tool)
        if letters is not None:
            return letters
        if self.tools is not None and tool not in self.tools:
            return None
        ascii_only = tool.isascii()
        if ascii_only:
            letters = self.plain.get(plain(tool))
            if letters is not None:
                return letters
        other = self.map["other"]
        if other is None:
            return None
        if not ascii_only:
            c = self.contents[other[0]] if len(other) > 1 else None
            if not c or tool not in c.get("oneOf", ()):
                return None
        return other

    def fault(self, letter, content):
        """Returns the reason why a letter cannot have a content, or ""."""
        c = self.contents[letter]
        if c is None:
            return ""
        content = trim(content)
        name = show(self.letters[letter])
        if c.get("empty") and content != "":
            return name + " has no content"
        if c.get("maxChars", 0) > 0 and len(content) > c["maxChars"]:
            return name + " is longer than %d characters" % c["maxChars"]
        if "oneOf" in c and content not in c["oneOf"]:
            return name + " must be one of: " + listed(c["oneOf"])
        if "pattern" in c and not _matches(c["pattern"], content):
            return name + " must match " + show(c["pattern"]["source"])
        return ""

    def begin(self):
        return _Place(0, self.grammar and self.grammar.first, (0,) * len(self.properties), -1, False)

    def move(self, p, letter):
        """Enters a letter in the automaton or grammar, but not in the properties. Returns False if it is not allowed."""
        if not self.permits(p, letter):
            return False
        if self.grammar is None:
            p.at = self.next[p.at][letter]
        else:
            p.stack = self.grammar.step(p.stack, letter)
        p.last = letter
        return True

    def permits(self, p, letter):
        """Reports whether a letter is the next one in the order."""
        return self.next[p.at][letter] >= 0 if self.grammar is None else not self.full(p) and self.grammar.permits(p.stack, letter)

    def full(self, p):
        """Reports whether a grammar has too many open productions for another letter."""
        return self.grammar is not None and p.stack.size >= _MAX_OPEN

    def enter(self, p, letter):
        """Enters a letter after the letters that it implies, and advances the properties. Returns False if not allowed."""
        if self.grammar is None and self.next[p.at][letter] < 0:
            before = self.implied.get((p.at, letter))
            if before is None:
                return False
            for other in before:
                if not self.move(p, other):
                    return False
                self.advance(p, other)
        if not self.move(p, letter):
            return False
        self.advance(p, letter)
        return True

    def advance(self, p, letter):
        if p.properties:
            p.properties = tuple(prop["next"][q][letter] for prop, q in zip(self.properties, p.properties))

    def possible(self, p, letter):
        return self.permits(p, letter) or self.grammar is None and self.enter(p.copy(), letter)

    def is_last(self, p):
        """Reports whether no letter may follow."""
        if self.grammar is None:
            return max(self.next[p.at], default=-1) < 0
        return not p.stack.opens

    def complete(self, p):
        return self.accept[p.at] == 1 if self.grammar is None else p.stack.ends

    def result_of(self, tool):
        return self.results.get(tool, self.map["result"] or [])

    def awaited(self, i, p, letter, pending):
        """If the letter is not possible yet, enters the results of pending calls, oldest first, until it is."""
        if not pending or self.possible(p, letter):
            return
        tried, changed = p.copy(), []
        for k, call in enumerate(pending):
            if self.possible(tried, letter):
                break
            if call.entered[i]:
                continue
            for result in self.result_of(call.tool):
                if not self.enter(tried, result):
                    return
            changed.append(k)
        if not changed or not self.possible(tried, letter):
            return
        p.put(tried)
        for k in changed:
            call = pending[k]
            pending[k] = _Call(call.id, call.tool, call.entered[:i] + (1,) + call.entered[i + 1 :], call.arguments)

    def text_of(self, p, e):
        """Returns the letters of a text of the model: of an answer or a thought, or none."""
        m = self.map
        if e.name == "system" or p.lost:
            return []
        if e.final and m["final"] is not None:
            return m["final"]
        if m["text"] is not None:
            return m["text"]
        if e.final and m["answers"]:
            for answer in reversed(m["answers"]):
                if self.possible(p, answer):
                    return [answer]
            return [m["answers"][-1]]
        for letters in (m["thoughts"] or [], m["free"] or []):
            for letter in letters:
                if self.permits(p, letter):
                    return [letter]
            if e.final and letters and letters is m["thoughts"]:
                return letters[:1]
        return []


class Guard:
    """A compiled guard. It is immutable and may be shared by any number of sessions."""

    hash: str

    @classmethod
    def read(cls, text: str) -> Guard:
        """Reads a compiled guard. It raises GuardError for an invalid one."""
        if type(text) is not str:
            raise _bad("not a text")
        _, fault = scan(text, None)
        if fault:
            raise _bad("not JSON: " + fault)
        file = json.loads(text)
        if type(file) is not dict or file.get("format") != FORMAT:
            raise _bad("unknown format; expected %d" % FORMAT)
        if not _is_file(file):
            raise _bad("it has unknown or missing members")
        return cls(file, _sum(text))

    def __init__(self, file, digest):
        if not file["specs"] and not file["rules"]:
            raise _bad("no spec")
        self._rules = [_read_rules(f) for f in file["rules"]]
        self._schemas, self._lists = _Schemas(file.get("schemas", [])), {}
        self._spellings = _Spellings(self._rules, {*(file.get("tools") or ()), *self._schemas.by_tool})
        self.file, self.hash = file, digest
        self._specs = [_Spec(data, file["tools"]) for data in file["specs"]]
        self._offers = list(dict.fromkeys(name for s in file["specs"] for name in s["map"]["offers"] or []))

    def rule_names(self) -> list[str]:
        """Returns the names that modes refer to: those of specs, properties, rules and schemas."""
        names = [name for s in self._specs for name in [s.name, *(p["name"] for p in s.properties)]]
        return names + [name for names_of_file, _ in self._rules for name in names_of_file] + self._schemas.names

    def _lists_of(self, modes):
        """Returns the lists of allowed calls by state, which sessions with the same modes share."""
        key = tuple(sorted(modes.items()))
        lists = self._lists.get(key)
        if lists is None:
            if len(self._lists) >= _MAX_MODES:
                self._lists = {}
            lists = self._lists[key] = {}
        return lists

    def _check(self, modes):
        names = self.rule_names()
        for name, mode in modes.items():
            if mode not in _MODES:
                raise GuardError("guard.mode", "unknown mode " + show(str(mode)) + "; expected enforce, ask, shadow or off")
            if name not in names:
                raise GuardError("guard.mode", "unknown rule " + show(name) + "; the rules are " + listed(names))
        return dict(modes) if modes else _NO_MODES

    def begin(self, modes: Mapping[str, str] | None = None, log: Callable[[str], object] | None = None, redact: Iterable[str] = (),
              clock: Callable[[], float] | None = time.time) -> Session:
        """Returns a session without events. clock returns the time in seconds of an event that has none."""
        now = _Moment([s.begin() for s in self._specs], (), 0, "", [Monitor(programs) for _, programs in self._rules])
        return Session(self, self._check(modes or {}), log, redact, clock, now)

    def load(self, state: str, modes: Mapping[str, str] | None = None, log: Callable[[str], object] | None = None, redact: Iterable[str] = (),
             clock: Callable[[], float] | None = time.time) -> Session:
        """Returns a session with a state saved by this or another runtime. It raises GuardError for another guard's state."""
        checked = self._check(modes or {})
        tree, fault = scan(state, _MAX_SAVED) if type(state) is str else (None, "not a text")
        if fault:
            raise _bad_state()
        saved = json.loads(state)
        if not _is_state(saved) or saved["format"] != FORMAT or saved["guard"] != self.hash:
            raise _bad_state()
        if saved["status"] not in ("open", "violated", "ended") or saved["lines"] < 0 or len(saved["recent"]) > _MAX_RECENT:
            raise _bad_state()
        s = Session(self, checked, log, redact, clock, self._moment(saved["now"], _member(tree, "now")))
        s._status, s._reason, s._recent, s._lines, s._log = saved["status"], saved["reason"], tuple(saved["recent"]), saved["lines"], saved["log"]
        if saved["undo"] is not None:
            if not s._now.pending:
                raise _bad_state()
            s._undo, s._undone = self._moment(saved["undo"]["then"], _member(_member(tree, "undo"), "then")), saved["undo"]["id"]
        if "stream" in saved:
            s._stream = load_text(self._specs, saved["stream"], _MAX_TEXT, _load_place)
            if s._stream is None:
                raise _bad_state()
        return s

    def _moment(self, saved, tree):
        n = len(self._specs)
        if saved["events"] < 0 or len(saved["specs"]) != n or len(saved["rules"]) != len(self._rules) or len(saved["pending"]) > _MAX_PENDING:
            raise _bad_state()
        if not all(len(call["entered"]) == n for call in saved["pending"]):
            raise _bad_state()
        places = [_load_place(spec, place) for spec, place in zip(self._specs, saved["specs"])]
        pending = tuple(_Call(c["id"], c["tool"], tuple(c["entered"]), c["arguments"]) for c in saved["pending"])
        try:
            rules = [Monitor.load(programs, node) for (_, programs), node in zip(self._rules, _member(tree, "rules").items)]
        except Exception:
            raise _bad_state() from None
        return _Moment(places, pending, saved["events"], saved["time"], rules)


class _Forms(dict):
    """The names of rules and the tools that they name, by the form that the spellings of a tool's name share."""

    def put(self, tool, name):
        self.setdefault(plain(tool), {})[tool, name] = True

    def of(self, tool):
        """Returns the entries of a name and its other spellings. One outside ASCII has no other spelling."""
        return self.get(plain(tool) or None, ()) if self and tool.isascii() else ()


class _Schemas:
    """The schemas of the arguments of tools."""

    def __init__(self, schemas):
        self.names, self.by_tool, self.forms = [], {}, _Forms()
        for data in schemas:
            name, tool = data["name"], data["tool"]
            try:
                checker = Checker(data)
            except DamagedSchema:
                checker = None
            if checker is None or name in self.names:
                raise _bad("the schema " + show(name) + " is damaged")
            self.names.append(name)
            self.by_tool.setdefault(tool, []).append((name, checker))
            self.forms.put(tool, name)

    def judge(self, f, tool, text):
        """Adds a finding for each schema that the arguments of a call do not match."""
        if not self.names:
            return
        checkers = self.by_tool.get(tool)
        if checkers is None:
            spelled = self.forms.of(tool)
            if len({other for other, _ in spelled}) > 1:
                for _, name in spelled:
                    f.add(name, "schema", "ambiguous tool name " + show(tool))
                return
            checkers = self.by_tool[next(iter(spelled))[0]] if spelled else ()
        for name, checker in checkers:
            fault = "" if f.mode(name) == "off" else checker.check(text if trim(text) else "{}")
            if fault:
                f.add(name, "schema", show(tool) + ": " + fault)


class _Spellings:
    """The tools that rules about data name."""

    def __init__(self, files, declared):
        self.declared, self.forms = declared, _Forms()
        for names, programs in files:
            for rule, program in zip(names, programs.list):
                for n in program["parts"]:
                    if n["op"] == "atom" and n["name"] is not None and n["kind"] in ("call", "result", "error"):
                        self.forms.put(n["name"], rule)

    def judge(self, f, tool):
        """Adds a finding for each rule that names the tool of a call in another spelling, and would not apply to the call."""
        found = self.forms.of(tool)
        if tool in self.declared or any(name == tool for name, _ in found):
            return
        for name, rule in found:
            f.add(rule, "rule.tool", "the rule names the tool " + show(name) + "; " + show(tool) + " is another spelling of it")


def _load_place(spec, place):
    """Restores the state of a spec. Earlier versions saved the run of a grammar, which is read again."""
    p, word = spec.begin(), place["word"]
    ok = -1 <= place["last"] < len(spec.letters) and len(place["properties"]) == len(spec.properties) and all(
        0 <= q < len(prop["next"]) for q, prop in zip(place["properties"], spec.properties))
    if spec.grammar is None:
        ok = ok and not word and "stack" not in place and 0 <= place["at"] < len(spec.next)
    else:
        if "stack" in place:
            p.stack = spec.grammar.load(place["stack"])
        ok = ok and place["at"] == 0 and p.stack is not None and len(word) <= _MAX_OPEN and all(0 <= letter < len(spec.letters) and spec.move(p, letter) for letter in word)
    if not ok:
        raise _bad_state()
    p.at, p.properties, p.last, p.lost = place["at"], tuple(place["properties"]), place["last"], place["lost"] == 1
    return p


def _member(node, name):
    return node.items[node.names.index(name)]


def _read_rules(file):
    """Checks the programs of a file of rules. Returns the names of the rules and the programs."""
    name, programs = file["name"], file.get("programs")
    if programs is None:
        raise GuardError("guard.rules", "the rules of " + show(name) + " are not compiled; compile the guard again")
    if len(programs) != len(file["rules"]):
        raise _bad("the programs of " + show(name) + " do not match its rules")
    try:
        return [name + ": " + rule for rule in file["rules"]], Programs([read_program(p, rule) for p, rule in zip(programs, file["rules"])])
    except Damaged as fault:
        raise _bad(show(name) + ": " + str(fault)) from None


class Decision:
    """The verdict on an event, with its cause.

    verdict is allow, deny, ask or fault; only allow permits a call. code is "ok" without a finding, reason a
    sentence, rule the spec, property or rule that refuses. next lists the calls that may be allowed now; "*" is any tool that
    the list lacks. shadow has the findings of rules in the mode shadow. at is a byte of the text that was fed: the first one that
    is refused, or else the one after the text; it is None for other methods than feed.
    """

    __slots__ = ("verdict", "code", "reason", "rule", "next", "may_end", "shadow", "at")
    verdict: str
    code: str
    reason: str
    rule: str
    next: list[str]
    may_end: bool
    shadow: list[dict[str, str]]
    at: int | None

    def __init__(self, verdict: str, code: str = "ok", reason: str = "", rule: str = "", next: Iterable[str] = (), may_end: bool = False) -> None:
        self.verdict, self.code, self.reason, self.rule = verdict, code, reason, rule
        self.next, self.may_end, self.shadow, self.at = list(next), may_end, [], None

    def to_dict(self) -> dict[str, object]:
        """The members as JSON has them."""
        out = {"verdict": self.verdict, "code": self.code, "reason": self.reason, "rule": self.rule, "next": self.next,
               "mayEnd": self.may_end, "shadow": self.shadow}
        return out if self.at is None else {**out, "at": self.at}

    def __repr__(self):
        return "Decision(%r, %r, %r)" % (self.verdict, self.code, self.reason)


class _Findings:
    """The rules that an event does not satisfy."""

    def __init__(self, modes, approved=False):
        self.modes, self.approved, self.list = modes, approved, []
        self.places, self.at = [], 0  # bytes of a text: those of the findings, and that of the next one

    def mode(self, rule):
        return self.modes.get(rule, "enforce")

    def add(self, rule, code, reason):
        if self.mode(rule) != "off":
            self.list.append({"rule": rule, "code": code, "reason": reason})
            self.places.append(self.at)
        return True

    def properties(self, spec, before, after, step):
        """Adds a finding for each property that a step violates."""
        if not spec.properties:
            return
        last = spec.is_last(after)
        for p, start, to in zip(spec.properties, before, after.properties):
            if self.mode(p["name"]) == "off" or p["violated"][start] == 1:
                continue
            if p["violated"][to] == 1:
                self.add(p["name"], "property", step + " violates the property " + show(p["name"]))
            elif last and p["accept"][to] == 0:
                self.add(p["name"], "property", step + " ends the run, in which the property " + show(p["name"]) + " does not hold")

    def end_of(self, spec, p):
        """Adds a finding for each reason why a spec does not permit the end of the run."""
        if self.mode(spec.name) != "off" and (p.lost or not spec.complete(p)):
            self.add(spec.name, "end.incomplete", "the run is not complete")
        for prop, q in zip(spec.properties, p.properties):
            if self.mode(prop["name"]) != "off" and prop["accept"][q] == 0:
                self.add(prop["name"], "end.property", "the property " + show(prop["name"]) + " does not hold at the end")


class _Event:
    """The members of an event. fault is None or a code and a reason."""

    __slots__ = ("kind", "name", "id", "arguments", "content", "agent", "time", "final", "approved", "optional", "fault")

    def __init__(self, event, kind=""):
        self.arguments = self.content = self.time = self.name = self.id = self.agent = ""
        self.kind, self.fault = kind, None
        for member in ("kind", "name", "id", "agent"):
            v = event.get(member)
            if v is None or member == "kind" and kind:
                continue
            if isinstance(v, str):
                setattr(self, member, v)
            elif self.fault is None:
                self.fault = ("call.tool", _NAME_FAULT) if member == "name" else ("event.kind", "the member " + member + " of an event is not a text")
        if event.get("time") is not None:
            self.time = str(event["time"])
        self.final, self.approved = event.get("final") is True, event.get("approved") is True
        self.optional = event.get("optional") is True
        for member in ("arguments", "content"):
            v = event.get(member)
            if v is None:
                continue
            try:
                setattr(self, member, v if isinstance(v, str) else encode(v))
            except Fault as fault:
                if self.fault is None:
                    self.fault = ("call.arguments", "malformed arguments: " + str(fault)) if member == "arguments" else ("event.content", _CONTENT_FAULT)


class _RuleEvent:
    """An event as rules see it. time is None if it cannot be read as a number."""

    __slots__ = ("kind", "name", "fields", "time", "agent", "id")

    def __init__(self, e, given, index):
        self.kind, self.name, self.time = e.kind, e.name, Decimal.of(index)
        if e.time != "":
            v, fault = scan(e.time, _MAX_ID)
            self.time = None if fault or v.kind != "0" else Decimal.parse(v.raw)
        arguments = fields(given) if given else None
        if e.kind in ("message", "error"):
            members = {"text": Value.of_text(e.content)}
            self.fields = Value.of_object(members if arguments is None else {**members, "input": arguments})
        else:
            self.fields = fields(e.arguments if e.kind == "call" else e.content, arguments)
        self.agent = Value.of_text(e.agent) if e.agent else None
        self.id = Value.of_text(e.id) if e.id else None


_NAME_FAULT = "the name of the tool is empty, invalid or longer than %d bytes" % _MAX_ID
_CONTENT_FAULT = "the content is invalid Unicode or larger than %d bytes" % _MAX_TEXT


def _timed(clock, last):
    """Returns the time of an event that has none. A clock that was set back does not make it earlier than the last event."""
    if clock is None:
        return ""
    now = "%.3f" % clock()
    return last if last != "" and float(now) <= float(last) else now


class Session:
    """The state of one run. It is not safe for use by several threads."""

    __slots__ = ("_guard", "_specs", "_modes", "_write_line", "_hidden", "_clock", "_now", "_undo", "_undone", "_recent", "_journal", "_status", "_reason",
                 "_lines", "_log", "_known", "_stream", "__weakref__")

    def __init__(self, guard, modes, log, redact, clock, now):
        self._guard, self._specs, self._modes, self._write_line = guard, guard._specs, modes, log
        self._hidden = _SECRETS.union(map(plain, redact)) if redact else _SECRETS
        self._clock = clock
        self._now, self._undo, self._undone, self._recent, self._journal = now, None, "", (), None
        self._status, self._reason, self._lines, self._log, self._known = "open", "", 0, guard.hash, guard._lists_of(modes)
        self._stream = None

    def allow(self, call: Mapping[str, object]) -> Decision:
        """Judges a call before it is made, and enters it if it is allowed."""
        self.discard()
        return self._guarded("allow", call, "call", lambda e: self._call(e, False))

    def record(self, event: Mapping[str, object]) -> Decision:
        """Enters an event that happened: a result, an error, a message, the end or a call."""
        if event.get("kind") == "end":
            return self.end()
        self.discard()
        return self._guarded("record", event, "", self._record)

    def cancel(self, id: str = "") -> bool:
        """Undoes the last allowed call, which was not made. Returns False if another event followed the call."""
        if self._undo is None or self._undone != id or self._status != "open":
            return False
        if self._journal is not None:
            self._journal.undo()
        e = _Event({"name": self._now.pending[-1].tool, "id": id}, "call")
        self._now = self._undo
        self._commit()
        self.discard()
        self._write("cancel", e, Decision("allow"))
        return True

    def _commit(self):
        """Makes the last call final."""
        self._undo = self._journal = None

    def _rules_step(self, f, e, given=""):
        """Adds the event to the rules about data. Returns the journal that undoes it, and the reason why an enforced rule cannot judge it."""
        j = Journal()
        try:
            fault = self._judge_rules(f, e, given, j)
        except BaseException:
            j.undo()
            raise
        if fault:
            j.undo()
        return j, fault

    def _judge_rules(self, f, e, given, j):
        broken = ""
        for (names, _), monitor in zip(self._guard._rules, self._now.rules):
            event = _RuleEvent(e, given, self._now.events)
            if event.time is None:
                e.time, broken = "", "the time of an event is a number of seconds"  # nor is it the time of the session
                event = _RuleEvent(e, given, self._now.events)
            for rule, reason in monitor.step(event, e.time != "", j):
                f.add(names[rule], "rule", reason)
            for rule, name in enumerate(names):
                fault = monitor.fault(rule)
                reason = broken or ("the rule " + show(name) + " cannot be judged: " + fault if fault else "")
                if reason and f.mode(name) == "enforce":
                    return reason
                if reason:
                    f.add(name, "rule.fault", reason)
        return ""

    def feed(self, text: str) -> Decision:
        """Judges a part of a text that the model is writing. It enters nothing."""
        e = _Event({}, "text")
        try:
            e.content = text if isinstance(text, str) else ""
            d = self._closed()
            if d is None and self._stream is not None and self._stream.stopped is not None:
                verdict, rule, code, reason, at = self._stream.stopped
                d = self._decide(verdict, code, reason)
                d.rule, d.at = rule, at
                return d
            if d is None:
                d = self._feed(text)
        except Exception as error:  # fail closed: a fault of the guard permits nothing
            d = Decision("fault", "fault", "the guard failed: " + repr(error))
        if d.verdict != "allow" or d.shadow:
            self._write("feed", e, d)
        return d

    def discard(self) -> None:
        """Forgets the text that was fed. The next call of feed begins another text."""
        self._stream = None

    def _feed(self, text):
        f = _Findings(self._modes)
        for spec in self._specs:
            if spec.mute and f.mode(spec.name) != "off":
                return self._decide("fault", "feed", "the guard was compiled without the prompts of " + show(spec.name) + "; compile it again")
        t = self._stream
        if t is None:
            t = Text(0, None, [None if s.prompts is None else SpecText.begin(s, p) for s, p in zip(self._specs, self._now.places)])
        size = utf8_length(text) if isinstance(text, str) else -1
        if not 0 <= size <= _MAX_TEXT - t.bytes:
            return self._decide("deny", "event.content", _CONTENT_FAULT)
        self._stream = t
        for i, spec in enumerate(self._specs):
            if spec.prompts is not None and (f.mode(spec.name) != "off" or spec.properties):
                t.specs[i].feed(f, spec, i, text, t.bytes, self._now.pending)
        t.bytes += size
        d = self._earliest(f)
        if d.verdict != "allow":
            t.stopped = d.verdict, d.rule, d.code, d.reason, d.at
        elif d.at is None:
            d.at = t.bytes
        return d

    def _earliest(self, f):
        """Returns the decision about a part of a text: of the first finding by its byte whose rule is enforced or asks."""
        d = self._decide("allow", "ok", "")
        for found, at in sorted(zip(f.list, f.places), key=lambda one: 2 * one[1] + (f.mode(one[0]["rule"]) == "ask")):
            mode = f.mode(found["rule"])
            if mode == "shadow":
                d.shadow.append(found)
            else:
                d.verdict = "ask" if mode == "ask" else "deny"
                d.code, d.reason, d.rule, d.at = found["code"], found["reason"], found["rule"], at
                return d
        return d

    def end(self) -> Decision:
        """Ends the run. The verdict is allow if the run is complete and every property holds."""
        self.discard()
        return self._guarded("end", {}, "end", lambda e: self._end())

    def save(self) -> str:
        """Returns the state in JSON, for Guard.load. Equal states have equal texts in all runtimes."""
        now, undo = self._now.save(), "null"
        if self._undo is not None:
            if self._journal is not None:
                self._journal.undo()
            undo = '{"id":%s,"then":%s}' % (quote(self._undone), self._undo.save())
            if self._journal is not None:
                self._journal.redo()
        return '{"format":%d,"guard":%s,"status":%s,"reason":%s,"now":%s,"undo":%s,"recent":[%s],"lines":%d,"log":%s%s}' % (
            FORMAT, quote(self._guard.hash), quote(self._status), quote(self._reason), now, undo,
            ",".join(map(quote, self._recent)), self._lines, quote(self._log), "" if self._stream is None else self._stream.save())

    def copy(self) -> Session:
        """Returns an independent session in the same state, without a log."""
        return self._guard.load(self.save(), self._modes, None, (), self._clock)

    def next(self) -> tuple[list[str], bool]:
        """Returns the tools whose calls may be allowed now, and whether the run may end."""
        out, may_end = self._next()
        return list(out), may_end

    def _next(self):
        if self._status != "open":
            return [], False
        key = self._key()
        known = self._known.get(key)
        if known is not None:
            return known
        out = [tool for tool in self._guard._offers if self._offered(tool)]
        f = _Findings(self._modes)
        for spec, p in zip(self._specs, self._now.places):
            f.end_of(spec, p)
        if key is not None:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[key] = out, not f.list
        return out, not f.list

    def _key(self):
        key = []
        for i, p in enumerate(self._now.places):
            if self._specs[i].grammar is not None:
                return None
            key.append((p.at, p.properties, p.lost, tuple(c.tool for c in self._now.pending if not c.entered[i])))
        return tuple(key)

    def _guarded(self, op, event, kind, judge):
        e = _Event({}, kind)
        try:
            e = _Event(event, kind)
            if op == "allow":
                e.approved = False
            if e.time == "" and op != "end" and self._now.rules:
                e.time = _timed(self._clock, self._now.time)
            d = judge(e) if e.fault is None else self._refuse(op, e)
        except Exception as error:  # fail closed: a fault of the guard permits nothing
            d = Decision("fault", "fault", "the guard failed: " + repr(error))
        self._write(op, e, d)
        return d

    def _refuse(self, op, e):
        """Refuses an event whose members have the wrong types."""
        closed = self._closed()
        if closed is not None:
            return closed
        code, reason = e.fault
        if op == "record" and e.kind == "call":
            self._violate(reason)
        return self._decide("deny", code, reason)

    def _decide(self, verdict, code, reason):
        out, may_end = self._next()
        return Decision(verdict, code, reason, "", out, may_end)

    def _decision(self, f):
        """Returns the decision: of the first enforced finding, or else of the first finding in the mode ask."""
        d = Decision("allow")
        for found in f.list:
            mode = f.mode(found["rule"])
            if mode == "shadow" or mode == "ask" and f.approved:
                d.shadow.append(found)
            elif d.verdict != "deny" and (mode == "enforce" or d.verdict == "allow"):
                d.verdict = "ask" if mode == "ask" else "deny"
                d.code, d.reason, d.rule = found["code"], found["reason"], found["rule"]
        return d

    def _listed(self, d):
        out, d.may_end = self._next()
        d.next = list(out)
        return d

    def _violated(self):
        closed = self._reason.startswith(_LOST_LOG)
        return self._decide("deny", "session.violated", "the session is closed: " + self._reason + "; begin another session" if closed else "the session violated its spec: " + self._reason)

    def _closed(self):
        if self._status == "ended":
            return self._decide("deny", "session.ended", "the session has ended")
        if self._status == "violated":
            return self._violated()
        return None

    def _violate(self, reason):
        self._status, self._reason = "violated", reason

    def _end(self):
        if self._status == "ended":
            return self._decide("deny", "session.ended", "the session has ended")
        violated = self._status == "violated"
        self._status = "ended"
        self._commit()
        if violated:
            return self._violated()
        f = _Findings(self._modes)
        for spec, p in zip(self._specs, self._now.places):
            f.end_of(spec, p)
        _, fault = self._rules_step(f, _Event({"time": self._now.time}, "end"))
        return self._decide("fault", "rule.fault", fault) if fault else self._decision(f)

    def _record(self, e):
        if e.kind == "call":
            return self._record_call(e)
        if e.kind in ("result", "error"):
            return self._result(e)
        if e.kind == "message":
            return self._message(e)
        return self._decide("deny", "event.kind", "unknown kind of event " + show(e.kind))

    def _record_call(self, e):
        allowed = next((c for c in self._now.pending if c.id == e.id and c.tool == e.name), None)
        if e.id and self._status == "open" and allowed is not None:
            self._commit()
            if not self._made(allowed, e):
                self._violate("the call " + show(e.id) + " was made with other arguments than the allowed ones")
                return self._decide("deny", "call.arguments", self._reason)
            return self._decide("allow", "ok", "")  # allowed before
        d = self._call(e, True)
        if d.verdict != "allow" and self._status == "open":
            self._violate(d.reason)
            self._listed(d)
        self._commit()
        return d

    def _made(self, allowed, e):
        """Reports whether a call has the arguments of the allowed one. A state of version 1.4.0 lacks them if the guard has no rules."""
        if self._now.rules and allowed.arguments == e.arguments:
            return True  # well-formed, as they were allowed
        if _arguments_of(e)[1]:
            return False
        made, given = _sum(canonical(e.arguments)), allowed.arguments
        return _sum(canonical(given)) == made if self._now.rules else given in ("", made)

    def _identity(self, e):
        """Returns the fault of a call's name or identifier, or None."""
        pending = self._now.pending
        if not 0 < utf8_length(e.name) <= _MAX_ID:
            return "call.tool", _NAME_FAULT
        if not 0 <= utf8_length(e.id) <= _MAX_ID:
            return "call.id", "the call id is invalid or longer than %d bytes" % _MAX_ID
        if e.id and (e.id in self._recent or any(c.id == e.id for c in pending)):
            return "call.id", "repeated call id " + show(e.id)
        if len(pending) >= _MAX_PENDING:
            return "limit", "more than %d calls wait for results" % _MAX_PENDING
        return None

    def _call(self, e, happened):
        closed = self._closed()
        if closed is not None:
            return closed
        fault = self._identity(e)
        if fault is not None:
            return self._decide("deny", *fault)
        text, fault = _arguments_of(e)
        if fault:
            return self._decide("deny", "call.arguments", "malformed arguments: " + fault)
        f, now = _Findings(self._modes, happened and e.approved), self._now
        places, pending = [p.copy() for p in now.places], list(now.pending)
        for i, place in enumerate(places):
            self._enter_call(f, i, place, e.name, text, pending)
        self._guard._schemas.judge(f, e.name, e.arguments)
        self._guard._spellings.judge(f, e.name)
        journal, fault = self._rules_step(f, e)
        if fault:
            return self._decide("fault", "rule.fault", fault)
        d = self._decision(f)
        if d.verdict == "allow":
            self._undo, self._undone, self._journal = now, e.id, journal.kept()
            call = _Call(e.id, e.name, (0,) * len(self._specs), e.arguments if now.rules else _sum(canonical(e.arguments)))
            self._now = _Moment(places, (*pending, call), now.events + 1, e.time, now.rules)
        else:
            journal.undo()
        return self._listed(d)

    def _enter_call(self, f, i, p, tool, text, pending):
        spec = self._specs[i]
        if p.lost:
            f.add(spec.name, "order.lost", "an earlier step is not permitted by " + show(spec.name))
            return
        letters = spec.resolve(tool)
        if letters is None:
            p.lost = f.add(spec.name, "call.tool", "unknown tool " + show(tool))
            return
        for k, letter in enumerate(letters):
            if k == 0:
                spec.awaited(i, p, letter, pending)
            before = p.copy()
            if not spec.enter(p, letter):
                p.put(before)
                out, _ = self._next()
                p.lost = f.add(spec.name, "limit" if spec.full(p) else "order.call",
                               show(tool) + " is not allowed here; " + ("allowed: " + listed(out) if out else "no call may follow"))
                return
            fault = spec.fault(letter, tool if k == 0 and len(letters) > 1 else text)
            if fault:
                f.add(spec.name, "content", fault)
            f.properties(spec, before.properties, p, show(tool))

    def _result(self, e):
        closed = self._closed()
        if closed is not None:
            return closed
        pending = self._now.pending
        i = next((k for k, c in enumerate(pending) if c.id == e.id and (e.id or not e.name or c.tool == e.name)), -1)
        if i < 0 or e.name and pending[i].tool != e.name:
            return self._decide("deny", "event.result", "no call with this name and id waits for a result")
        if not 0 <= utf8_length(e.content) <= _MAX_TEXT:
            return self._decide("deny", "event.content", _CONTENT_FAULT)
        call, f, places = pending[i], _Findings(self._modes), [p.copy() for p in self._now.places]
        named = copy(e)  # the log has the name that the event has
        named.name = call.tool
        for k, spec in enumerate(self._specs):
            if not call.entered[k]:
                self._enter_text(f, spec, places[k], spec.result_of(call.tool), e.content, "the result of " + show(call.tool), True)
        d = self._finish(f, places, named, call.arguments, pending[:i] + pending[i + 1 :])
        if self._status == "open" and e.id:
            self._recent = (*self._recent, e.id)[-_MAX_RECENT:]
        return d

    def _finish(self, f, places, e, given, pending):
        """Enters an event that happened, unless the verdict is deny; then the session is violated."""
        journal, fault = self._rules_step(f, e, given)
        if fault:
            self._violate(fault)
            return self._decide("fault", "rule.fault", fault)
        d = self._decision(f)
        self._commit()
        if d.verdict == "deny":
            journal.undo()
            self._violate(d.reason)
        else:
            self._now = _Moment(places, pending, self._now.events + 1, e.time, self._now.rules)
        return self._listed(d)

    def _enter_text(self, f, spec, p, letters, content, step, joined):
        """Enters the letters of an event other than a call. If joined is true, a repeated last letter needs no step."""
        if p.lost:
            return
        for k, letter in enumerate(letters):
            before = p.copy()
            if not spec.enter(p, letter):
                p.put(before)
                if joined and len(letters) == 1 and p.last == letter:
                    return
                p.lost = f.add(spec.name, "order.event", step + " is not allowed here")
                return
            fault = spec.fault(letter, content if k == len(letters) - 1 else "")
            if fault:
                f.add(spec.name, "content", fault)
            f.properties(spec, before.properties, p, step)

    def _message(self, e):
        closed = self._closed()
        if closed is not None:
            return closed
        if not 0 <= utf8_length(e.content) <= _MAX_TEXT:
            return self._decide("deny", "event.content", _CONTENT_FAULT)
        if e.name not in ("user", "assistant", "system"):
            return self._decide("deny", "event.kind", "unknown role " + show(e.name) + "; expected user, assistant or system")
        f, places = _Findings(self._modes), [p.copy() for p in self._now.places]
        for spec, p in zip(self._specs, places):
            letters = spec.map["user"] or [] if e.name == "user" else spec.text_of(p, e)
            if e.optional:
                trial = p.copy()
                if not all(spec.enter(trial, letter) for letter in letters):
                    continue
            self._enter_text(f, spec, p, letters, e.content, "the message of the role " + e.name, False)
        return self._finish(f, places, e, "", self._now.pending)

    def _offered(self, tool):
        """Reports whether the specs may allow a call of a tool; "*" means any other tool."""
        f = _Findings(self._modes)
        for i, spec in enumerate(self._specs):
            p = self._now.places[i].copy()
            if p.lost:
                continue
            letters, pending = spec.map["other"] if tool == "*" else spec.resolve(tool), list(self._now.pending)
            ok = letters is not None
            for k, letter in enumerate(letters or ()):
                if k == 0:
                    spec.awaited(i, p, letter, pending)
                before = p.properties
                last = k == len(letters) - 1 and not spec.properties  # no state after it is needed
                ok = spec.possible(p, letter) if last else spec.enter(p, letter)
                if ok:
                    f.properties(spec, before, p, "")
                    ok = k > 0 or len(letters) < 2 or tool == "*" or spec.fault(letter, tool) == ""
                if not ok:
                    break
            if not ok:
                f.add(spec.name, "", "")
        return not any(f.mode(found["rule"]) == "enforce" for found in f.list)

    def _write(self, op, e, d):
        if self._write_line is None:
            return
        self._lines += 1
        if e.kind == "call":
            data = ',"arguments":' + self._redacted(e.arguments)
        else:
            data = ',"content":' + _digest(e.content) if e.content else ""
        line = '{"n":%d,"prev":%s,"op":%s,"kind":%s,"name":%s,"id":%s%s,"verdict":%s,"code":%s,"rule":%s,"shadow":[%s]}' % (
            self._lines, quote(self._log), quote(op), quote(show(e.kind)[1:-1]), quote(show(e.name)[1:-1]), quote(show(e.id)[1:-1]), data,
            quote(d.verdict), quote(d.code), quote(d.rule), ",".join(quote(found["rule"]) for found in d.shadow))
        self._log = _sum(line)
        self._write_line(line)

    def _redacted(self, text):
        if trim(text) == "":
            return "null"
        v, fault = scan(text, MAX_ARGUMENTS)
        if fault:
            return '"malformed"'
        return _digest(text) if utf8_length(text) > _MAX_LOGGED else without(v, self._hidden)


def _arguments_of(e):
    """Returns the text of the arguments of a call that contents restrict, and the fault."""
    return ("", "") if len(e.arguments) <= MAX_ARGUMENTS and trim(e.arguments) == "" else only_value(e.arguments)


def _digest(text):
    size = utf8_length(text)
    return '"invalid"' if size < 0 else '{"sha256":%s,"bytes":%d}' % (quote(_sum(text)), size)
