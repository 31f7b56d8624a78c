"""Measures an event after 10 and after 100,000 events: python3 cost.py GUARD, or with TOOL=FIELD… as for cost.mjs. Prints lines as benchmarks of
Go do. With -calls, it counts the calls of functions for an event instead, which do not depend on the machine."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.dont_write_bytecode = True
from stile_guard import Guard  # noqa: E402

arguments = [arg for arg in sys.argv[1:] if arg != "-calls"]
with open(arguments[0], encoding="utf-8", newline="") as file:
    guard = Guard.read(file.read())
tools = [arg.split("=") for arg in arguments[1:]]
SESSIONS, STEPS = 50, 10


def begin(events):
    """Returns a session with a number of events, as a function that makes a call and enters its result."""
    session, n = guard.begin(), 0
    session.record({"kind": "message", "name": "user", "content": "hello", "time": 0})

    def step():
        nonlocal n
        n += 1
        id = "c%08d" % n
        if tools:
            name, field = tools[n % len(tools)]
            call = {"name": name, "id": id, "arguments": '{"order":%d,"%s":7}' % (n // len(tools), field), "time": n}
            if session.allow(call).verdict != "allow":
                raise SystemExit("denied")
            session.record({"kind": "result", "id": id, "content": "x", "time": n})
            return
        if session.allow({"name": "lookup", "id": id, "arguments": '{"q":"7"}'}).verdict != "allow":
            raise SystemExit("denied")
        session.record({"kind": "result", "id": id, "content": "x"})

    for _ in range(events // 2):
        step()
    return step


def timed(run):
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1e9 / (2 * SESSIONS * STEPS)


def counted(step):
    """Returns the number of calls of functions in a step."""
    calls = 0

    def count(_, event, __):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    step()
    sys.setprofile(None)
    return calls


def repeat(steps, n):
    for step in steps:
        for _ in range(n):
            step()


late = begin(100_000)
if "-calls" in sys.argv:
    early = begin(100)  # the list of the last identifiers is full
    print(counted(early), counted(late))
    raise SystemExit
best = {10: float("inf"), 100_000: float("inf")}
for _ in range(7):
    early = [begin(10) for _ in range(SESSIONS)]
    best[10] = min(best[10], timed(lambda: repeat(early, STEPS)))
    best[100_000] = min(best[100_000], timed(lambda: repeat([late], SESSIONS * STEPS)))
for events, ns in best.items():
    print("BenchmarkEvent/Python/%d 1 %.0f ns/op" % (events, ns))
