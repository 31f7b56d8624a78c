package export

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/json"
)

// A guard is a small program of its own that holds what an agent does in production
// against its specification: a whole text or a recorded conversation at once, or
// state by state as they come. It has the specification in it, and leaves what it
// means to the core: in Go to the packages, elsewhere to the module, so that no
// second implementation can say something else.

// GuardGo returns a guard in Go, a package that imports the core.
func GuardGo(agent, spec string) string {
	return fillGuard(guardGo, agent, goString(spec))
}

// GuardTypeScript returns a guard in TypeScript, which runs the core's module under
// Node.
func GuardTypeScript(agent, spec string) string {
	return fillGuard(guardTypeScript, agent, quoteJSON(spec))
}

// GuardPython returns a guard in Python, which runs the core's module with wasmtime.
func GuardPython(agent, spec string) string {
	return fillGuard(guardPython, agent, quoteJSON(spec))
}

// fillGuard writes a guard. Of the name only what ends no comment and no text in any
// of the languages is told: a symbol may have more.
func fillGuard(template, agent, spec string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -_.:+", r) {
			return r
		}
		return ' '
	}, agent)
	before, rest, _ := strings.Cut(template, "{agent}")
	middle, after, _ := strings.Cut(rest, "{spec}")
	return before + strings.TrimSpace(plain) + middle + spec + after
}

// goString writes a text as a Go string, raw where it can be.
func goString(text string) string {
	if strings.ContainsAny(text, "`\r") || !strconv.CanBackquote(strings.ReplaceAll(strings.ReplaceAll(text, "\n", ""), "\t", "")) {
		return strconv.Quote(text)
	}
	return "`" + text + "`"
}

// quoteJSON writes a text as a string that TypeScript and Python read alike.
func quoteJSON(text string) string {
	quoted, _ := json.Marshal(text) // strings marshal
	return string(quoted)
}

const guardGo = `// Package guard keeps the agent {agent} to its specification.
// Stile wrote it; go get github.com/stile-playground/stile has what it imports.
package guard

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

// Spec is the specification.
const Spec = {spec}

// Violation says where a run leaves the specification.
type Violation struct {
	Index   int      // of the state in the run, from 0
	State   string   // what was there
	Reason  string   // what is wrong with it
	Allowed []string // what could have been there
}

// Error returns the reason.
func (v *Violation) Error() string { return fmt.Sprintf("state %d: %s", v.Index+1, v.Reason) }

// Guard follows one run. It is not safe for use by several goroutines.
type Guard struct {
	agent  *agent.Agent
	states []string
}

// New returns a guard for a run that has not begun.
func New() (*Guard, error) {
	spec, found := agent.Parse(source.NewFile("guard.agent", Spec))
	a, more := agent.Compile(spec, nil)
	if found = append(found, more...); a == nil || source.HasErrors(found) {
		return nil, fmt.Errorf("the specification has errors: %v", found)
	}
	return &Guard{agent: a}, a.Contents()
}

// Enter takes the next state, or returns a *Violation and stays where it is.
func (g *Guard) Enter(state string) error {
	_, allowed, _ := g.agent.Verdict(g.states)
	states := append(g.states[:len(g.states):len(g.states)], state)
	if _, _, at := g.agent.Verdict(states); at >= 0 {
		return &Violation{at, state, monitor.StateReason(state, allowed), allowed}
	}
	g.states = states
	return nil
}

// Next returns the states that may come next; done says that the run may end here.
func (g *Guard) Next() (allowed []string, done bool) {
	verdict, allowed, _ := g.agent.Verdict(g.states)
	return allowed, verdict == agent.VerdictValid
}

// Check holds the text of a whole run against the specification. The error is a
// *Violation, or says that the run is not complete.
func (g *Guard) Check(text string) error {
	return g.judge(monitor.Check(g.agent, text))
}

// CheckTrace does so with a recorded conversation: "openai", "anthropic", "jsonl",
// "otlp" or "text"; "" finds out. What the parts of messages are is guessed where no
// mapping says it.
func (g *Guard) CheckTrace(trace, format string, mapping ...monitor.Mapping) error {
	conversations, read, err := monitor.ReadTrace(source.NewFile("trace", trace), format)
	if read == monitor.TraceText {
		return g.Check(trace)
	}
	for _, parts := range conversations {
		_, report, err := monitor.MapTrace(g.agent, parts, mapping, monitor.Roles{})
		if err == nil {
			err = g.judge(report)
		}
		if err != nil {
			return err
		}
	}
	return err
}

func (g *Guard) judge(report monitor.Report) error {
	if v := report.Violation; v != nil {
		return &Violation{v.Index, v.State, v.Reason, v.Allowed}
	}
	if len(report.Unread) > 0 {
		return fmt.Errorf("not understood: %s", report.Unread[0].Reason)
	}
	if report.Verdict != agent.VerdictValid {
		return fmt.Errorf("the run is not complete: %s may come", strings.Join(report.Next, ", "))
	}
	return nil
}
`

const guardTypeScript = `// Keeps the agent {agent} to its specification, under Node 20 and newer.
// Stile wrote it. It runs Stile's module: the file stile.wasm of any Stile site.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

export const spec = {spec};

export interface Violation { readonly index: number; readonly state: string; readonly reason: string; readonly allowed: readonly string[] }
export interface Verdict { readonly verdict: "valid" | "incomplete" | "invalid"; readonly next: readonly string[]; readonly violation: Violation | null }
export interface Mapping { readonly part: "system" | "user" | "text" | "call" | "result" | "final"; readonly tool?: string; readonly states: readonly string[] }

/** What is thrown where a run leaves the specification. */
export class ViolationError extends Error {
  constructor(readonly violation: Violation) {
    super("state " + String(violation.index + 1) + ": " + violation.reason);
  }
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  alloc(n: number): number;
  free(p: number): void;
  handle(p: number, n: number): bigint;
}

/** Follows one run; the module is shared by as many guards as are wanted. */
export class Guard {
  readonly states: string[] = [];

  private constructor(private readonly core: Exports) {}

  /** A guard that runs the module in a file. */
  static async load(file: string): Promise<Guard> {
    const wasi = new WASI({ version: "preview1", args: [], env: {} });
    const { instance } = await WebAssembly.instantiate(await readFile(file), { wasi_snapshot_preview1: wasi.wasiImport });
    wasi.initialize(instance);
    return new Guard(instance.exports as unknown as Exports);
  }

  /** Another guard, for another run. */
  fresh(): Guard {
    return new Guard(this.core);
  }

  /** Asks the core. */
  private call<R>(method: string, params: object): R {
    const request = new TextEncoder().encode(JSON.stringify({ id: 1, method, params }));
    const at = this.core.alloc(request.length) >>> 0;
    new Uint8Array(this.core.memory.buffer, at, request.length).set(request);
    const packed = BigInt.asUintN(64, this.core.handle(at, request.length));
    const from = Number(packed >> 32n);
    const text = new TextDecoder().decode(new Uint8Array(this.core.memory.buffer, from, Number(packed & 0xffffffffn)));
    this.core.free(from);
    const reply = JSON.parse(text) as { result?: R; error?: { message: string } };
    if (reply.result === undefined) throw new Error(reply.error?.message ?? "no reply");
    return reply.result;
  }

  /** What a sequence of states is, and what may follow. */
  verdict(sequence: readonly string[]): Verdict {
    const found = this.call<{ verdict: Verdict["verdict"]; next: string[]; violation: number | null }>("agent.verdict", { source: spec, sequence });
    const at = found.violation;
    if (at === null) return { ...found, violation: null };
    const state = sequence[at] ?? "";
    const allowed = this.verdict(sequence.slice(0, at)).next;
    return { ...found, violation: { index: at, state, reason: state + " may not come here; " + (allowed.join(", ") || "nothing") + " may", allowed } };
  }

  /** Takes the next state, or throws a ViolationError and stays where it is. */
  enter(state: string): void {
    const { violation } = this.verdict([...this.states, state]);
    if (violation !== null) throw new ViolationError(violation);
    this.states.push(state);
  }

  /** Holds a whole text ("text") or a recorded conversation against the specification. */
  check(text: string, format: "text" | "openai" | "anthropic" | "jsonl" | "otlp" | "auto" = "text", mapping: readonly Mapping[] = []): Verdict {
    return this.call<Verdict>("monitor.check", { source: spec, text, format, mapping });
  }
}
`

const guardPython = `"""Keeps the agent {agent} to its specification.

Stile wrote it. It needs "pip install wasmtime" and Stile's module: the file
stile.wasm of any Stile site.
"""

import json

from wasmtime import Engine, Linker, Module, Store, WasiConfig

SPEC = {spec}


class Violation(Exception):
    """A run leaves the specification: index, state, reason, allowed."""

    def __init__(self, index, state, reason, allowed):
        super().__init__(f"state {index + 1}: {reason}")
        self.index, self.state, self.reason, self.allowed = index, state, reason, allowed


class Core:
    """Stile's module. One serves as many guards as are wanted, one call at a time."""

    def __init__(self, path):
        engine = Engine()
        self._store = Store(engine)
        self._store.set_wasi(WasiConfig())
        linker = Linker(engine)
        linker.define_wasi()
        instance = linker.instantiate(self._store, Module.from_file(engine, path))
        exports = instance.exports(self._store)
        exports["_initialize"](self._store)
        self._memory = exports["memory"]
        self._alloc, self._free, self._handle = exports["alloc"], exports["free"], exports["handle"]

    def call(self, method, params):
        """Asks the core; raises RuntimeError where it says why it cannot answer."""
        request = json.dumps({"id": 1, "method": method, "params": params}).encode()
        at = self._alloc(self._store, len(request)) & 0xFFFFFFFF
        self._memory.write(self._store, request, at)
        packed = self._handle(self._store, at, len(request)) & 0xFFFFFFFFFFFFFFFF
        start, size = packed >> 32, packed & 0xFFFFFFFF
        reply = json.loads(bytes(self._memory.read(self._store, start, start + size)))
        self._free(self._store, start)
        if "error" in reply:
            raise RuntimeError(reply["error"]["message"])
        return reply["result"]


class Guard:
    """Follows one run."""

    def __init__(self, core):
        self._core = core
        self.states = []

    def verdict(self, sequence):
        """What a sequence of states is: verdict, next, violation (an index or None)."""
        return self._core.call("agent.verdict", {"source": SPEC, "sequence": list(sequence)})

    def enter(self, state):
        """Takes the next state, or raises Violation and stays where it is."""
        if self.verdict(self.states + [state])["violation"] is not None:
            allowed = self.verdict(self.states)["next"]
            reason = f"{state} may not come here; {', '.join(allowed) or 'nothing'} may"
            raise Violation(len(self.states), state, reason, allowed)
        self.states.append(state)

    def check(self, text, format="text", mapping=()):
        """Holds a whole text, or a recorded conversation ("openai", "anthropic",
        "jsonl", "otlp", "auto"), against the specification. Raises Violation, and
        returns what was found otherwise: "verdict" is "valid" or "incomplete"."""
        params = {"source": SPEC, "text": text, "format": format, "mapping": list(mapping)}
        found = self._core.call("monitor.check", params)
        v = found["violation"]
        if v is not None:
            raise Violation(v["index"], v["state"], v["reason"], v["allowed"])
        return found
`
