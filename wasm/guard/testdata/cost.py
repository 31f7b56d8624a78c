"""Measures a call and its result after some events: python3 cost.py GUARD, or with TOOL=FIELD… as for cost.mjs."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.dont_write_bytecode = True
from stile_guard import Guard  # noqa: E402

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    session = Guard.read(file.read()).begin()
session.record({"kind": "message", "name": "user", "content": "hello", "time": 0})
n = 0
tools = [arg.split("=") for arg in sys.argv[2:]]


def step():
    global n
    n += 1
    if tools:
        (name, field), id = tools[n % len(tools)], "c%d" % n
        call = {"name": name, "id": id, "arguments": '{"order":%d,"%s":7}' % (n // len(tools), field), "time": n}
        if session.allow(call).verdict != "allow":
            raise SystemExit("denied")
        session.record({"kind": "result", "id": id, "content": "x", "time": n})
        return
    id = "c%d" % n
    if session.allow({"name": "lookup", "id": id, "arguments": '{"q":"7"}'}).verdict != "allow":
        raise SystemExit("denied")
    session.record({"kind": "result", "id": id, "content": "x"})


def measure():
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(500):
            step()
        best = min(best, (time.perf_counter() - start) / 1000 * 1e6)
    print("after %d events: %.1f µs per event" % (2 * n, best))


for _ in range(5):
    step()
measure()
for _ in range(47_500):
    step()
measure()
