package export

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/json"
)

// A guard is a small program that enforces an agent's specification, and the properties
// of its workspace, in production: state by state with contents before the agent acts, or
// a recorded run at once. It contains both texts and leaves their meaning to the core: in
// Go to the packages, elsewhere to the module, so that there is no second implementation.

// GuardGo returns a guard in Go, a package that imports the core. Properties are in
// .ltl notation over the agent's states; "" for none.
func GuardGo(agent, spec, properties string) string {
	return fillGuard(guardGo, agent, goString(spec), goString(properties))
}

// GuardTypeScript returns a guard in TypeScript, which runs the core's module under
// Node.
func GuardTypeScript(agent, spec, properties string) string {
	return fillGuard(guardTypeScript, agent, quoteJSON(spec), quoteJSON(properties))
}

// GuardPython returns a guard in Python, which runs the core's module with wasmtime.
func GuardPython(agent, spec, properties string) string {
	return fillGuard(guardPython, agent, quoteJSON(spec), quoteJSON(properties))
}

// fillGuard writes a guard. Of the name it keeps only characters that end no comment and
// no string in any of the languages: a symbol may have more.
func fillGuard(template, agent, spec, properties string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -_.:+", r) {
			return r
		}
		return ' '
	}, agent)
	return strings.NewReplacer("{agent}", strings.TrimSpace(plain), "{spec}", spec, "{properties}", properties).Replace(template)
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
	"github.com/stile-playground/stile/core/guard"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/session"
)

// Spec is the specification.
const Spec = {spec}

// Properties are formulas over its states that every run satisfies, too.
const Properties = {properties}

// Violation is a refusal: of a state, a content, the end or a recorded run.
type Violation = guard.Violation

// Saved is a run for encoding/json, see [Guard.Save] and [Resume].
type Saved = guard.Saved

// Guard follows one run. It is not safe for use by several goroutines.
type Guard struct{ run *guard.Run }

// Compile compiles the specification for any number of runs: Begin starts one.
func Compile() (*guard.Spec, error) { return guard.Open(Spec, Properties) }

// New returns a guard for a run that has not begun.
func New() (*Guard, error) {
	spec, err := Compile()
	if err != nil {
		return nil, err
	}
	return &Guard{spec.Begin()}, nil
}

// Resume returns a guard for a run that was saved.
func Resume(saved Saved) (*Guard, error) {
	spec, err := Compile()
	if err != nil {
		return nil, err
	}
	run, err := spec.Resume(saved)
	if err != nil {
		return nil, err
	}
	return &Guard{run}, nil
}

// Enter takes the next state with its content: call it before the agent acts. The
// error is a *Violation; it closes the run until Retract.
func (g *Guard) Enter(state, content string) error { return g.run.Enter(state, content) }

// Retract reports that the agent did not do what was refused: the run continues from
// before it. It is false where nothing was refused.
func (g *Guard) Retract() bool { return g.run.Retract() }

// Next returns the states that may come next; done reports that the run may end here.
func (g *Guard) Next() (allowed []string, done bool) { return g.run.Next() }

// End ends the run. The error is a *Violation if it is not complete, a property does
// not hold or the last state was refused.
func (g *Guard) End() error { return g.run.End() }

// Save returns the run for Resume.
func (g *Guard) Save() Saved { return g.run.Save() }

// Check holds the text of a recorded run against specification and properties. Only
// a run that is valid in all returns nil.
func Check(text string) error { return CheckTrace(text, "text") }

// CheckTrace does so with a recorded conversation: "openai", "anthropic", "jsonl",
// "otlp" or "text"; "auto" finds out. The states of messages are guessed where no
// mapping names them.
func CheckTrace(trace, format string, mapping ...monitor.Mapping) error {
	return session.CheckRun(session.MonitorCheckParams{Source: Spec, Properties: Properties, Text: trace, Format: format, Mapping: mapping})
}
`

const guardTypeScript = `// Keeps the agent {agent} to its specification, under Node 20 and newer.
// Stile wrote it. It runs Stile's module: the file stile.wasm of any Stile site.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

export const spec = {spec};
/** Formulas over its states that every run satisfies, too. */
export const properties = {properties};

export interface Violation { readonly index: number; readonly state: string; readonly reason: string; readonly content?: boolean; readonly property?: string; readonly allowed: readonly string[]; readonly contents?: readonly string[] }
export interface Mapping { readonly part: "system" | "user" | "text" | "call" | "result" | "final"; readonly tool?: string; readonly states: readonly string[] }
interface Reply { readonly run: object; readonly next: readonly string[]; readonly done: boolean; readonly violation: Violation | null }

/** Thrown for a state, a content, an end or a recorded run that is refused. */
export class ViolationError extends Error {
  constructor(readonly violation: Violation) {
    super((violation.state === "" ? "" : "state " + String(violation.index + 1) + ": ") + violation.reason);
  }
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  alloc(n: number): number;
  free(p: number): void;
  handle(p: number, n: number): bigint;
}

/** Stile's module. After a fault of its own it answers nothing more. */
class Core {
  private broken = false;

  constructor(private readonly module: Exports) {}

  call(method: string, params: object): Reply {
    if (this.broken) throw new Error("Stile's module has failed; load the guard again");
    const { memory, alloc, free, handle } = this.module;
    const request = new TextEncoder().encode(JSON.stringify({ id: 1, method, params: { source: spec, properties, ...params } }));
    this.broken = true;
    const at = alloc(request.length) >>> 0;
    new Uint8Array(memory.buffer, at, request.length).set(request);
    const packed = BigInt.asUintN(64, handle(at, request.length));
    const from = Number(packed >> 32n);
    const reply = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, from, Number(packed & 0xffffffffn)))) as { result?: Reply; error?: { message: string } };
    free(from);
    this.broken = false;
    if (reply.result?.violation === undefined) throw new Error(reply.error?.message ?? "no reply");
    return reply.result;
  }
}

/** Follows one run; the module is shared by as many guards as are wanted. */
export class Guard {
  private constructor(private readonly core: Core, private at: Reply) {}

  /** A guard that runs the module in a file, for a new run or for one that was saved. */
  static async load(file: string, saved?: object): Promise<Guard> {
    const wasi = new WASI({ version: "preview1", args: [], env: {} });
    const { instance } = await WebAssembly.instantiate(await readFile(file), { wasi_snapshot_preview1: wasi.wasiImport });
    wasi.initialize(instance);
    const core = new Core(instance.exports as unknown as Exports);
    return new Guard(core, core.call("guard.open", { run: saved }));
  }

  /** Another guard, for another run. */
  fresh(saved?: object): Guard { return new Guard(this.core, this.core.call("guard.open", { run: saved })); }

  /** The states that may come next. */
  get next(): readonly string[] { return this.at.next; }
  /** The run may end here. */
  get done(): boolean { return this.at.done; }
  /** The run as JSON, for load and fresh. */
  get saved(): object { return this.at.run; }

  private step(method: string, params: object): void {
    this.at = this.core.call(method, { run: this.at.run, ...params });
    if (this.at.violation !== null) throw new ViolationError(this.at.violation);
  }

  /** Takes the next state with its content: call it before the agent acts. It throws a ViolationError, which closes the run until retract(). */
  enter(state: string, content: string): void { this.step("guard.enter", { state, content: typeof content === "string" ? content : null }); }
  /** The agent did not do what was refused: the run continues from before it. */
  retract(): void { this.step("guard.retract", {}); }
  /** Ends the run. It throws a ViolationError if the run is not complete or a property does not hold. */
  end(): void { this.step("guard.end", {}); }

  /** Holds a recorded run, a text or a conversation, against specification and properties. It throws a ViolationError unless the run is valid in all. */
  check(text: string, format: "text" | "openai" | "anthropic" | "jsonl" | "otlp" | "auto" = "text", mapping: readonly Mapping[] = []): void {
    const { violation } = this.core.call("guard.check", { text, format, mapping });
    if (violation !== null) throw new ViolationError(violation);
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
# Formulas over its states that every run satisfies, too.
PROPERTIES = {properties}


class Violation(Exception):
    """A refusal. details: index, state, reason, allowed; content, property, contents."""

    def __init__(self, details):
        place = f"state {details['index'] + 1}: " if details["state"] else ""
        super().__init__(place + details["reason"])
        self.details = details
        self.index, self.state = details["index"], details["state"]
        self.reason, self.allowed = details["reason"], details["allowed"]


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
        self._memory, self._broken = exports["memory"], False
        self._alloc, self._free, self._handle = exports["alloc"], exports["free"], exports["handle"]

    def call(self, method, **params):
        """Asks the core; raises RuntimeError with its reason where it cannot answer."""
        if self._broken:
            raise RuntimeError("Stile's module has failed; load it again")
        params = {"source": SPEC, "properties": PROPERTIES, **params}
        request = json.dumps({"id": 1, "method": method, "params": params}).encode()
        self._broken = True
        at = self._alloc(self._store, len(request)) & 0xFFFFFFFF
        self._memory.write(self._store, request, at)
        packed = self._handle(self._store, at, len(request)) & 0xFFFFFFFFFFFFFFFF
        start, size = packed >> 32, packed & 0xFFFFFFFF
        reply = json.loads(bytes(self._memory.read(self._store, start, start + size)))
        self._free(self._store, start)
        self._broken = False
        if "violation" not in reply.get("result", {}):
            raise RuntimeError(reply.get("error", {"message": "no reply"})["message"])
        return reply["result"]


class Guard:
    """Follows one run. saved is what another guard's saved was, as JSON keeps it."""

    def __init__(self, core, saved=None):
        self._core = core
        self._take(core.call("guard.open", run=saved))

    def _take(self, reply):
        self.saved, self.next, self.done = reply["run"], reply["next"], reply["done"]
        if reply["violation"] is not None:
            raise Violation(reply["violation"])

    def enter(self, state, content):
        """Takes the next state with its content: call it before the agent acts.
        Raises Violation, which closes the run until retract()."""
        content = content if isinstance(content, str) else None
        self._take(self._core.call("guard.enter", run=self.saved, state=state, content=content))

    def retract(self):
        """The agent did not do what was refused: the run continues from before it."""
        self._take(self._core.call("guard.retract", run=self.saved))

    def end(self):
        """Ends the run. Raises Violation if it is not complete or a property fails."""
        self._take(self._core.call("guard.end", run=self.saved))

    def check(self, text, format="text", mapping=()):
        """Holds a recorded run, a text or a conversation ("openai", "anthropic",
        "jsonl", "otlp", "auto"), against it. Raises Violation unless it is valid."""
        found = self._core.call("guard.check", text=text, format=format, mapping=list(mapping))
        if found["violation"] is not None:
            raise Violation(found["violation"])
`
