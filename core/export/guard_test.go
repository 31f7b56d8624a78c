package export_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/guardcase"
)

// guarded returns agents by name and runs of them: the data set, whose agents allow any
// content, and random runs of agents with constraints and properties.
func guarded(t *testing.T) (agents []*guardcase.Agent, cases []guardcase.Case) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "agent_specs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]map[string]string
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		for name, spec := range group {
			agents = append(agents, &guardcase.Agent{Name: name, Spec: spec})
		}
	}
	slices.SortFunc(agents, func(a, b *guardcase.Agent) int { return strings.Compare(a.Name, b.Name) })
	type record struct {
		Spec, Kind string
		Sequence   []string
		Violation  *int `json:"first_violation"`
	}
	for _, r := range conformance.Records[record](t, "agent_spec_traces.jsonl") {
		c := guardcase.Case{Agent: r.Spec, Refused: -1, Done: r.Kind == "accepted"}
		for _, state := range r.Sequence {
			c.Steps = append(c.Steps, guardcase.Step{State: state})
		}
		if r.Violation != nil {
			c.Refused = *r.Violation
		}
		cases = append(cases, c)
	}
	random := rand.New(rand.NewPCG(19, 8))
	for _, a := range guardcase.Agents(t) {
		if slices.Contains(constrained, a.Name) {
			agents = append(agents, a)
			for range 20 {
				cases = append(cases, a.Random(random))
			}
		}
	}
	return agents, cases
}

// constrained are agents with constraints on contents or properties.
var constrained = []string{"desk", "loop", "alone", "oncall/oncall.agent", "react/react.agent", "payment/payment.agent", "citations/citations.agent"}

// native skips the test if no other program can run.
func native(t *testing.T, programs ...string) {
	t.Helper()
	if runtime.GOARCH == "wasm" {
		t.Skip("no program can be run from WebAssembly")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// program builds a Go program from files: paths below core/export with their texts.
func program(t *testing.T, main string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for name, text := range files {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, name)] = file
	}
	overlay, _ := json.Marshal(map[string]any{"Replace": replace})
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, "./"+main)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// line is the input of a program with guards: an agent and calls of its guard. For each
// call the program prints "ok", or the rejection with the allowed states.
type line struct {
	Agent string      `json:"agent"`
	Calls [][]*string `json:"calls"`
}

func call(words ...string) []*string {
	var out []*string
	for _, w := range words {
		out = append(out, &w)
	}
	return out
}

// misuse are calls of the guard of desk with their answers: states, contents, the end,
// saved runs and recorded runs.
var misuse = []struct {
	calls [][]*string
	says  []string
}{
	{[][]*string{call("enter", "Ask", "q"), call("enter", "Think", ""), call("enter", "Act", "delete_user"), call("enter", "Act", "lookup"), call("end"), call("enter", "Act", "lookup")}, []string{
		"ok", "ok",
		"state 3: " + unfitAct + " / Act",
		"state 3: state 3 was refused (" + unfitAct + "); retract it before the run continues / ",
		"state 3 was refused (" + unfitAct + "); retract it before the run continues / ",
		"state 3: the run has ended; begin another run / ",
	}},
	{[][]*string{call("enter", "ask", "q"), call("retract"), call("enter", "Ask", "q"), call("next"), call("retract"), call("enter", "Pause", ""), call("end")}, []string{
		`state 1: unknown state "ask"; did you mean "Ask"? / Ask`, "ok", "ok", "Think,Pause false", "no state to retract: none was refused", "ok",
		"the run is not complete; expected Think / Think",
	}},
	{[][]*string{call("enter", "Ask", "q"), call("enter", "Reply", "done"), call("end")}, []string{
		"ok", `state 2: "Reply" violates the property "F Result", because the run ends with it / Think,Pause`,
		`state 2 was refused ("Reply" violates the property "F Result", because the run ends with it); retract it before the run continues / `,
	}},
	{[][]*string{call("text", lookedUp), call("text", strings.Replace(lookedUp, "lookup", "delete_user", 1)), call("text", "[Ask] a\n[Reply] done"), call("text", "[Ask] a"), call("text", "")}, []string{
		"ok", "state 3: " + unfitAct + " / Act", "?", "?", "?",
	}},
	{[][]*string{call("auto", `[{"role":"user","content":"q"}]`), call("auto", "{"), call("resume", `{"spec":"0","index":0,"state":0,"properties":[]}`)}, []string{
		"?", "?", "the saved run does not belong to this specification and its properties; begin another run",
	}},
}

const (
	lookedUp = "[Ask] a\n[Think] b\n[Act] lookup\n[Input] ab12\n[Result] r\n[Reply] done"
	unfitAct = `"Act" may not begin with "delete_user"; it must be "lookup", "look up" or "refund"`
)

// calls are all lines for the programs: those of the cases, then misuse.
func calls(cases []guardcase.Case) string {
	var b strings.Builder
	add := func(l line) {
		text, _ := json.Marshal(l)
		b.Write(text)
		b.WriteByte('\n')
	}
	for _, c := range cases {
		l := line{Agent: c.Agent}
		for _, s := range c.Steps {
			l.Calls = append(l.Calls, call("enter", s.State, s.Content), call("resume", ""))
		}
		add(line{l.Agent, append(l.Calls, call("end"))})
	}
	for _, m := range misuse {
		add(line{"desk", m.calls})
	}
	return b.String()
}

// same compares the output of a program with guards with the verdicts of the cases.
func same(t *testing.T, cases []guardcase.Case, printed []byte) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(printed), "\n"), "\n")
	read := func(n int) []string {
		if n > len(lines) {
			t.Fatalf("%d lines are too few", len(lines))
		}
		head := lines[:n]
		lines = lines[n:]
		return head
	}
	for _, c := range cases {
		said := read(2*len(c.Steps) + 1)
		at := -1
		for i := range c.Steps {
			if said[2*i] != "ok" {
				at = i
				break
			}
		}
		done := said[len(said)-1] == "ok"
		if at != c.Refused || done != (c.Done && at < 0) {
			t.Errorf("%+v: refuses %d, done %v: %q", c, at, done, said)
		}
	}
	for _, m := range misuse {
		for i, said := range read(len(m.calls)) {
			if said != m.says[i] && (m.says[i] != "?" || said == "ok") { // "?" is any refusal
				t.Errorf("call %d:\n%s\nwant\n%s", i+1, said, m.says[i])
			}
		}
	}
	if len(lines) != 0 {
		t.Errorf("%d lines too many: %q", len(lines), lines)
	}
}

func TestGuardsAreShort(t *testing.T) {
	const spec, properties = "(define a)", "F A"
	for language, guard := range map[string]string{
		"Go": export.GuardGo("a", spec, properties), "TypeScript": export.GuardTypeScript("a", spec, properties), "Python": export.GuardPython("a", spec, properties),
	} {
		if n := strings.Count(guard, "\n"); n >= 100 {
			t.Errorf("%s: %d lines", language, n)
		}
	}
}

// A name may contain the end of a comment or a string of another language.
func TestNamesCannotBreakGuards(t *testing.T) {
	const spec, properties = "the text, {agent}, {properties} and {spec} with it", "F {spec}"
	for _, name := range []string{"{spec}", "{agent}", `a\x`, `a\N{foo}`, `a"""b`, "a\nb", "a\u2028b", "a\u202eb", "*/", "`"} {
		for language, c := range map[string]struct{ guard, begins, ends string }{
			"Go":         {export.GuardGo(name, spec, properties), "// Package guard enforces the specification of the agent ", "."},
			"TypeScript": {export.GuardTypeScript(name, spec, properties), "// Enforces the specification of the agent ", ", under Node 20 and newer."},
			"Python":     {export.GuardPython(name, spec, properties), `"""Enforces the specification of the agent `, "."},
		} {
			first, _, _ := strings.Cut(c.guard, "\n")
			said, ok := strings.CutPrefix(first, c.begins)
			if !ok || strings.ContainsAny(said, "\\\"\u2028\u202e") || !strings.HasSuffix(first, c.ends) {
				t.Errorf("%s: %q", language, first)
			}
			if strings.Count(c.guard, spec) != 1 || strings.Count(c.guard, properties) != 1 {
				t.Errorf("%s of %q has not its texts once", language, name)
			}
		}
	}
}

const guardingGo = `package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/stile-playground/stile/core/guard"
	"github.com/stile-playground/stile/core/monitor"
{imports})

type entering interface {
	Enter(state, content string) error
	Retract() bool
	Next() ([]string, bool)
	End() error
	Save() guard.Saved
}

type module struct {
	begin  func() (entering, error)
	resume func(guard.Saved) (entering, error)
	check  func(string) error
	trace  func(trace, format string, mapping ...monitor.Mapping) error
}

func do(m module, g *entering, call []string) error {
	switch call[0] {
	case "enter":
		return (*g).Enter(call[1], call[2])
	case "retract":
		if !(*g).Retract() {
			return errors.New("no state to retract: none was refused")
		}
		return nil
	case "resume":
		text := []byte(call[1])
		if len(text) == 0 {
			text, _ = json.Marshal((*g).Save())
		}
		var saved guard.Saved
		if err := json.Unmarshal(text, &saved); err != nil {
			return err
		}
		again, err := m.resume(saved)
		if err == nil {
			*g = again
		}
		return err
	case "next":
		next, done := (*g).Next()
		return fmt.Errorf("%s %v", strings.Join(next, ","), done)
	case "end":
		return (*g).End()
	case "text":
		return m.check(call[1])
	}
	return m.trace(call[1], "auto")
}

func main() {
	modules := map[string]module{
{modules}	}
	lines := json.NewDecoder(os.Stdin)
	for lines.More() {
		var l struct {
			Agent string
			Calls [][]string
		}
		if err := lines.Decode(&l); err != nil {
			panic(err)
		}
		m := modules[l.Agent]
		g, err := m.begin()
		if err != nil {
			panic(err)
		}
		for _, call := range l.Calls {
			err := do(m, &g, call)
			var v *guard.Violation
			switch {
			case errors.As(err, &v):
				fmt.Println(v.Error() + " / " + strings.Join(v.Allowed, ","))
			case err != nil:
				fmt.Println(err)
			default:
				fmt.Println("ok")
			}
		}
	}
}
`

func TestGoGuardsAgreeWithCases(t *testing.T) {
	native(t, "go")
	agents, cases := guarded(t)
	files := map[string]string{}
	var imports, modules strings.Builder
	for i, a := range agents {
		spec := a.Spec
		if i == 0 {
			spec += "; `raw`\n" // a text that must be quoted
		}
		files[fmt.Sprintf("guarding/g%d/guard.go", i)] = export.GuardGo(a.Name, spec, a.Properties)
		fmt.Fprintf(&imports, "\tg%d \"github.com/stile-playground/stile/core/export/guarding/g%d\"\n", i, i)
		fmt.Fprintf(&modules, "\t\t%q: {func() (entering, error) { return g%d.New() }, func(s guard.Saved) (entering, error) { return g%d.Resume(s) }, g%d.Check, g%d.CheckTrace},\n", a.Name, i, i, i, i)
	}
	files["guarding/main.go"] = strings.NewReplacer("{imports}", imports.String(), "{modules}", modules.String()).Replace(guardingGo)
	run := exec.Command(program(t, "guarding", files))
	run.Stdin = strings.NewReader(calls(cases))
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failure(err))
	}
	same(t, cases, out)
}

// answering is a program that answers one request of the protocol a line.
const answering = `package main

import (
	"bufio"
	"os"

	"github.com/stile-playground/stile/core/session"
)

func main() {
	s := session.New()
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		os.Stdout.Write(append(s.Handle(line), '\n'))
	}
}
`

// wasmtime is a fake of the package with that name, reduced to the calls of the guard. It
// runs the program instead of the module.
const wasmtime = `import subprocess, sys

class Engine: pass
class WasiConfig: pass
class Store:
    def __init__(self, engine): pass
    def set_wasi(self, config): assert isinstance(config, WasiConfig)
class Module:
    @staticmethod
    def from_file(engine, path):
        m = Module()
        m.path = path
        return m
class Memory:
    def __init__(self): self.data = bytearray(1 << 22)
    def write(self, store, value, start): self.data[start:start + len(value)] = value
    def read(self, store, start, stop): return bytearray(self.data[start:stop])
class Instance:
    def __init__(self, path):
        self.program = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.memory, self.live, self.ready = Memory(), {}, False
    def exports(self, store):
        return {"memory": self.memory, "_initialize": self.initialize, "alloc": self.alloc, "free": self.free, "handle": self.handle}
    def initialize(self, store): self.ready = True
    def alloc(self, store, n):
        assert self.ready
        self.live[64] = n
        return 64
    def free(self, store, at): del self.live[at]
    def handle(self, store, at, n):
        assert self.live.pop(at) == n and not self.live
        self.program.stdin.write(bytes(self.memory.data[at:at + n]) + b"\n")
        self.program.stdin.flush()
        reply = self.program.stdout.readline().rstrip(b"\n")
        at = 1 << 21
        self.memory.data[at:at + len(reply)] = reply
        self.live[at] = len(reply)
        packed = at << 32 | len(reply)
        return packed - (1 << 64) if packed >> 63 else packed
class Linker:
    def __init__(self, engine): self.wasi = False
    def define_wasi(self): self.wasi = True
    def instantiate(self, store, module):
        assert self.wasi
        return Instance(module.path)
`

const guardingPython = `import importlib, json, sys
names = {names}
modules = {name: importlib.import_module(f"g{i}") for i, name in enumerate(names)}
cores = {name: m.Core(sys.argv[1]) for name, m in modules.items()}

def do(m, core, guard, call):
    match call:
        case ["enter", state, content]: guard.enter(state, content)
        case ["retract"]: guard.retract()
        case ["resume", text]: guard = m.Guard(core, json.loads(text) if text else json.loads(json.dumps(guard.saved)))
        case ["next"]: raise RuntimeError(",".join(guard.next) + " " + str(guard.done).lower())
        case ["end"]: guard.end()
        case ["text", text]: guard.check(text)
        case ["auto", text]: guard.check(text, "auto")
    return guard

silent = modules["desk"].Guard(cores["desk"])
for content in (None, 5):
    try:
        silent.enter("Ask", content)
        raise AssertionError("a state without content is taken")
    except modules["desk"].Violation as v:
        assert v.reason.startswith('missing content of "Ask"'), v.reason
    silent.retract()

for line in sys.stdin:
    l = json.loads(line)
    m, core = modules[l["agent"]], cores[l["agent"]]
    guard = m.Guard(core)
    for call in l["calls"]:
        try:
            guard = do(m, core, guard, call)
            print("ok")
        except m.Violation as v:
            print(f"{v} / {','.join(v.allowed)}")
        except RuntimeError as fault:
            print(fault)
`

func TestPythonGuardsAgreeWithCases(t *testing.T) {
	native(t, "go", "python3")
	agents, cases := guarded(t)
	core := program(t, "answering", map[string]string{"answering/main.go": answering})
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("wasmtime.py", wasmtime)
	var names, files []string
	for i, a := range agents {
		file := fmt.Sprintf("g%d.py", i)
		names = append(names, a.Name)
		files = append(files, file)
		write(file, export.GuardPython(a.Name, a.Spec, a.Properties))
	}
	check := exec.Command("python3", append([]string{"-m", "py_compile"}, files...)...)
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out) // it names the file
	}
	write("main.py", strings.Replace(guardingPython, "{names}", quoted(names), 1))
	run := exec.Command("python3", "main.py", core)
	run.Dir = dir
	run.Stdin = strings.NewReader(calls(cases))
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failure(err))
	}
	same(t, cases, out)
}

// module returns the file of the full module: that of the build tool, or one that is built in a folder.
func module(t *testing.T, dir string) string {
	t.Helper()
	if made := os.Getenv("STILE_MODULES"); made != "" {
		return filepath.Join(made, "stile-full.wasm")
	}
	file := filepath.Join(dir, "stile.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", file, "../../wasm/full")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

func quoted(list []string) string {
	text, _ := json.Marshal(list)
	return string(text)
}

func failure(err error) string {
	if e, ok := err.(*exec.ExitError); ok {
		return string(e.Stderr)
	}
	return ""
}

// bounded are flags for Node if memory is limited, as for mutants: without them Node
// reserves eight gigabytes for each module. Older versions do not have the flags.
func bounded() []string {
	const flag = "--disable-wasm-trap-handler"
	if exec.Command("node", flag, "--eval", "0").Run() != nil {
		return nil
	}
	return []string{flag}
}

const guardingTypeScript = `import { readFileSync, writeFileSync } from "node:fs";
interface Live { readonly next: readonly string[]; readonly done: boolean; readonly saved: object; fresh(saved?: object): Live; enter(state: string, content: string): void; retract(): void; end(): void; check(text: string, format?: string): void }
interface Guards { readonly Guard: { load(file: string): Promise<Live> }; readonly ViolationError: new (v: never) => Error & { readonly violation: { readonly allowed: readonly string[] } } }
const modules = new Map<string, Guards>();
{imports}
function act(guard: Live, [name, a = "", b]: string[]): Live {
  switch (name) {
    case "enter": guard.enter(a, b as string); break;
    case "retract": guard.retract(); break;
    case "resume": return guard.fresh(JSON.parse(a === "" ? JSON.stringify(guard.saved) : a) as object);
    case "next": throw new Error(guard.next.join() + " " + String(guard.done));
    case "end": guard.end(); break;
    case "text": guard.check(a); break;
    default: guard.check(a, "auto");
  }
  return guard;
}
const file = process.argv[2] ?? "";
writeFileSync("broken.wasm", readFileSync(file).subarray(0, 1000));
const shared = new Map<string, Live>();
for (const [name, m] of modules) {
  shared.set(name, await m.Guard.load(file));
  for (const bad of ["missing.wasm", "broken.wasm"]) {
    let loaded = true;
    await m.Guard.load(bad).catch(() => { loaded = false; });
    if (loaded) throw new Error(bad + " is loaded");
  }
}
for (const content of [undefined, null, 5] as unknown as string[]) {
  let said = "it is taken";
  try { shared.get("desk")?.fresh().enter("Ask", content); } catch (fault) { said = String(fault); }
  if (!said.includes('missing content of "Ask"')) throw new Error("a state without content: " + said);
}
for (const line of readFileSync("calls.jsonl", "utf8").trim().split("\n")) {
  const l = JSON.parse(line) as { agent: string; calls: string[][] };
  const m = modules.get(l.agent);
  let guard = shared.get(l.agent)?.fresh();
  if (m === undefined || guard === undefined) throw new Error(l.agent);
  for (const call of l.calls) {
    try {
      guard = act(guard, call);
      console.log("ok");
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      console.log(fault instanceof m.ViolationError ? fault.message + " / " + fault.violation.allowed.join() : fault.message);
    }
  }
}
`

func TestTypeScriptGuardsAgreeWithCases(t *testing.T) {
	native(t, "go", "node")
	modules, err := filepath.Abs(filepath.Join("..", "..", "web", "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	compiler := filepath.Join(modules, "typescript", "bin", "tsc")
	if _, err := os.Stat(compiler); err != nil {
		t.Skip("the TypeScript compiler is not installed")
	}
	agents, cases := guarded(t)
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	write("package.json", `{"type": "module"}`)
	write("tsconfig.json", `{"compilerOptions": {"strict": true, "noUncheckedIndexedAccess": true, "target": "es2022", "module": "nodenext", "types": ["node"], "outDir": "out", "skipLibCheck": true, "erasableSyntaxOnly": false}, "include": ["*.ts"]}`)
	var imports strings.Builder
	for i, a := range agents {
		write(fmt.Sprintf("g%d.ts", i), export.GuardTypeScript(a.Name, a.Spec, a.Properties))
		fmt.Fprintf(&imports, "import * as g%d from \"./g%d.js\";\nmodules.set(%q, g%d as unknown as Guards);\n", i, i, a.Name, i)
	}
	write("calls.jsonl", calls(cases))
	write("main.ts", strings.Replace(guardingTypeScript, "{imports}", imports.String(), 1))
	in := func(program string, args ...string) *exec.Cmd {
		c := exec.Command(program, args...)
		c.Dir = dir
		return c
	}
	if out, err := in("node", compiler, "-p", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := in("node", append(bounded(), "--no-warnings", "out/main.js", module(t, dir))...)
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failure(err))
	}
	same(t, cases, out)
}
