"""Judges the runs on its standard input, one a line, for the differential test."""

import json
import os
import sys
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.dont_write_bytecode = True
from stile_guard import Guard, GuardError  # noqa: E402

guards = {}


def judge(session, op, event):
    if op == "allow":
        return session.allow(event).to_dict()
    if op == "record":
        return session.record(event).to_dict()
    if op == "end":
        return session.end().to_dict()
    if op == "feed":
        return session.feed(event["content"]).to_dict()
    if op == "discard":
        session.discard()
    done = session.cancel(event["id"])
    allowed, may_end = session.next()
    return {"verdict": str(done).lower(), "code": "", "reason": "", "rule": "", "next": allowed, "mayEnd": may_end, "shadow": []}


sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8")
for line in sys.stdin:
    run = json.loads(line)
    try:
        if run["guard"] not in guards:
            guards = {run["guard"]: Guard.read(run["guard"])}
        guard, log = guards[run["guard"]], []
        options = {"modes": run["modes"] or {}, "log": log.append, "redact": run.get("redact", ()), "clock": (lambda: run["clock"].pop(0)) if "clock" in run else None}
        session = guard.load(run["state"], **options) if run["state"] else guard.begin(**options)
        decisions = [judge(session, o["op"], o["event"]) for o in run["ops"]]
        reply = {"decisions": decisions, "state": session.save(), "log": log, "error": ""}
    except GuardError as error:
        reply = {"decisions": [], "state": "", "log": [], "error": error.code}
    except Exception:
        reply = {"decisions": [], "state": "", "log": [], "error": traceback.format_exc()}
    sys.stdout.write(json.dumps(reply, ensure_ascii=False) + "\n")
    sys.stdout.flush()
