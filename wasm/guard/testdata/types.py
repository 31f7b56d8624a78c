"""Compares the annotations of the public classes with the values that they have: python3 types.py, with a compiled guard on the standard input."""

import inspect
import os
import sys
import types
import typing

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.dont_write_bytecode = True
import stile_guard  # noqa: E402

faults = []


def fits(value, hint):
    """Reports whether a value has a type."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if hint is type(None):
        return value is None
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if origin is list:
        return type(value) is list and all(fits(item, parts[0]) for item in value)
    if origin is dict:
        return type(value) is dict and all(fits(k, parts[0]) and fits(v, parts[1]) for k, v in value.items())
    if origin is tuple:
        return type(value) is tuple and len(value) == len(parts) and all(map(fits, value, parts))
    return isinstance(value, origin or hint)  # for Callable, Iterable and Mapping, the values are not read


def expect(ok, fault):
    if not ok:
        faults.append(fault)


def public(owner):
    return [(name, f) for name, f in vars(owner).items() if name == "__init__" or not name.startswith("_")]


# Each parameter and each result of a public method has a type that can be resolved.
signatures = 0
for name in stile_guard.__all__:
    owner = getattr(stile_guard, name)
    if not inspect.isclass(owner):
        continue
    for method, f in public(owner):
        f = getattr(f, "__func__", f)
        if not inspect.isfunction(f) or (method == "__init__" and name in ("Guard", "Session")):  # are made by read, begin and load
            continue
        hints, where = typing.get_type_hints(f), "%s.%s" % (name, method)
        signatures += 1
        expect("return" in hints, where + " has no type of its result")
        for p in list(inspect.signature(f).parameters.values())[1:]:
            expect(p.name in hints, "%s: %s has no type" % (where, p.name))
            if p.default is not p.empty and p.name in hints:
                expect(fits(p.default, hints[p.name]), "%s: the default of %s is of another type" % (where, p.name))

# Each attribute and each result has the type that its annotation names.
decision = typing.get_type_hints(stile_guard.Decision)
expect(sorted(decision) == sorted(stile_guard.Decision.__slots__), "the attributes of Decision are not those with types")
guard = stile_guard.Guard.read(sys.stdin.read())
expect(type(guard.hash) is typing.get_type_hints(stile_guard.Guard)["hash"], "Guard.hash is of another type")
expect(fits(guard.rule_names(), list[str]), "the names of rules are not texts")


def called(session, method, *arguments):
    value = getattr(session, method)(*arguments)
    expect(fits(value, typing.get_type_hints(getattr(stile_guard.Session, method))["return"]), "the result of %s is of another type: %r" % (method, value))
    if isinstance(value, stile_guard.Decision):
        for name, hint in decision.items():
            expect(fits(getattr(value, name), hint), "%s: %s is of another type: %r" % (method, name, getattr(value, name)))
        expect(fits(value.to_dict(), typing.get_type_hints(stile_guard.Decision.to_dict)["return"]), "to_dict is of another type")
    return value


for modes in (None, {name: "shadow" for name in guard.rule_names()}):
    session = guard.begin(modes=modes, log=len, redact=["order"])
    called(session, "record", {"kind": "message", "name": "user", "content": "hello"})
    called(session, "feed", "[Action] look")
    called(session, "feed", "[Nothing]")
    called(session, "discard")
    called(session, "allow", {"name": "unknown", "id": "1"})
    called(session, "allow", {"name": "lookup", "arguments": {"q": 7}, "id": "2"})
    called(session, "next")
    called(session.copy(), "end")
    called(session, "cancel", "2")
    called(session, "copy")
    called(guard.load(called(session, "save")), "end")
try:
    stile_guard.Guard.read("{")
except stile_guard.GuardError as error:
    expect(type(error.code) is str, "GuardError.code is of another type")
expect(signatures >= 16, "only %d methods have signatures" % signatures)
print("\n".join(faults) or "ok %d" % signatures)
