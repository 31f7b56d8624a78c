"""Prints the bytes that a session takes after a run and its state, with requests on the standard input, one a line."""

import gc
import json
import os
import sys
import tracemalloc

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.dont_write_bytecode = True
from stile_guard import Guard  # noqa: E402

SESSIONS = 10
sys.stdin.reconfigure(encoding="utf-8")
for line in sys.stdin:
    run = json.loads(line)
    guard = Guard.read(run["guard"])

    def begin():
        session = guard.begin(clock=None)
        for o in run["ops"]:
            session.end() if o["op"] == "end" else getattr(session, o["op"])(dict(o["event"]))
        return session

    begin()  # fills the lists that sessions share
    kept = [None] * SESSIONS
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for i in range(SESSIONS):
        kept[i] = begin()
    gc.collect()
    bytes = (tracemalloc.get_traced_memory()[0] - before) // SESSIONS
    tracemalloc.stop()
    print(json.dumps({"bytes": bytes, "state": kept[0].save()}), flush=True)
