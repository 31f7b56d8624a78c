package export_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/internal/conformance"
)

// judged is a sequence of a spec with the place of its first violation, -1 where it
// has none.
type judged struct {
	Spec      string   `json:"spec"`
	Sequence  []string `json:"sequence"`
	Violation int      `json:"violation"`
	Complete  bool     `json:"complete"`
}

// guarded returns the released specs, sorted by name, and the sequences of the data.
func guarded(t *testing.T) (names []string, specs map[string]string, sequences []judged) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "agent_specs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]map[string]string
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	specs = map[string]string{}
	for _, group := range groups {
		for name, spec := range group {
			specs[name] = spec
			names = append(names, name)
		}
	}
	slices.Sort(names)
	type record struct {
		Spec, Kind string
		Sequence   []string
		Violation  *int `json:"first_violation"`
	}
	for _, r := range conformance.Records[record](t, "agent_spec_traces.jsonl") {
		j := judged{r.Spec, r.Sequence, -1, r.Kind == "accepted"}
		if r.Violation != nil {
			j.Violation = *r.Violation
		}
		sequences = append(sequences, j)
	}
	return names, specs, sequences
}

// native skips the test where no other program can be run.
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

// program builds a Go program of the repository that stands nowhere but in files:
// paths below core/export with their texts.
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

// same compares what a guard prints, a line a sequence, with the data.
func same(t *testing.T, sequences []judged, printed []byte) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(printed)), "\n")
	if len(lines) != len(sequences) {
		t.Fatalf("%d lines for %d sequences:\n%s", len(lines), len(sequences), printed)
	}
	for i, j := range sequences {
		if want := fmt.Sprintf("%d %v", j.Violation, j.Complete); lines[i] != want {
			t.Errorf("%s: %v: %s, want %s", j.Spec, j.Sequence, lines[i], want)
		}
	}
}

func linesOf(sequences []judged) string {
	var b strings.Builder
	for _, j := range sequences {
		line, _ := json.Marshal(j)
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAGuardHasFewerThanAHundredLines(t *testing.T) {
	_, specs, _ := guarded(t)
	for language, guard := range map[string]string{
		"Go": export.GuardGo("a", specs["react"]), "TypeScript": export.GuardTypeScript("a", specs["react"]), "Python": export.GuardPython("a", specs["react"]),
	} {
		if n := strings.Count(guard, "\n"); n >= 100 {
			t.Errorf("%s: %d lines", language, n)
		}
	}
}

// A name may have whatever a symbol may: what ends a comment or a text elsewhere, too.
func TestANameCannotBreakAGuard(t *testing.T) {
	const spec = "the text, {agent} and {spec} with it"
	for _, name := range []string{"{spec}", "{agent}", `a\x`, `a\N{foo}`, `a"""b`, "a\nb", "a\u2028b", "a\u202eb", "*/", "`"} {
		for language, c := range map[string]struct{ guard, begins string }{
			"Go":         {export.GuardGo(name, spec), "// Package guard keeps the agent "},
			"TypeScript": {export.GuardTypeScript(name, spec), "// Keeps the agent "},
			"Python":     {export.GuardPython(name, spec), `"""Keeps the agent `},
		} {
			first, _, _ := strings.Cut(c.guard, "\n")
			said, ok := strings.CutPrefix(first, c.begins)
			if !ok || strings.ContainsAny(said, "\\\"\u2028\u202e") || !strings.Contains(first, " to its specification") {
				t.Errorf("%s: %q", language, first)
			}
			if strings.Count(c.guard, spec) != 1 {
				t.Errorf("%s of %q has not its specification once", language, name)
			}
		}
	}
}

func TestGuardsInGoGiveTheVerdictsOfTheData(t *testing.T) {
	native(t, "go")
	names, specs, sequences := guarded(t)
	files := map[string]string{}
	var imports, cases strings.Builder
	for i, name := range names {
		spec := specs[name]
		if i == 0 {
			spec += "; `raw`\n" // a text that has to be quoted
		}
		files[fmt.Sprintf("guarding/g%d/guard.go", i)] = export.GuardGo(name, spec)
		fmt.Fprintf(&imports, "\tg%d \"github.com/stile-playground/stile/core/export/guarding/g%d\"\n", i, i)
		fmt.Fprintf(&cases, "\t\tcase %q:\n\t\t\tg, err := g%d.New()\n\t\t\tif err != nil {\n\t\t\t\tpanic(err)\n\t\t\t}\n\t\t\tguard = g\n", name, i)
	}
	files["guarding/main.go"] = `package main

import (
	"encoding/json"
	"fmt"
	"os"

` + imports.String() + `)

type entering interface {
	Enter(state string) error
	Next() ([]string, bool)
	Check(text string) error
	CheckTrace(trace, format string, mapping ...monitor.Mapping) error
}

func main() {
	lines := json.NewDecoder(os.Stdin)
	for lines.More() {
		var j struct {
			Spec     string
			Sequence []string
		}
		if err := lines.Decode(&j); err != nil {
			panic(err)
		}
		var guard entering
		switch j.Spec {
` + cases.String() + `		}
		at := -1
		for i, state := range j.Sequence {
			if guard.Enter(state) != nil {
				at = i
				break
			}
		}
		_, done := guard.Next()
		fmt.Println(at, done && at < 0)
	}
	g, err := g` + fmt.Sprint(slices.Index(names, "cot")) + `.New()
	fmt.Fprintln(os.Stderr, g.Check("[Question] q\n[Thought] t\n[Answer] a"))
	fmt.Fprintln(os.Stderr, g.Check("[Question] q\n[Answer] a"))
	fmt.Fprintln(os.Stderr, g.CheckTrace("[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a\"}]", ""))
	fmt.Fprintln(os.Stderr, g.CheckTrace("[{\"role\":\"user\",\"content\":\"q\"}]", "openai"))
	fmt.Fprintln(os.Stderr, g.CheckTrace("[Question] q\n[Answer] a", ""))
	fmt.Fprintln(os.Stderr, g.CheckTrace("[Question] q\n[Thought] t\n[Answer] a", "text"))
	fmt.Fprintln(os.Stderr, g.Check("[Question] q\n[Thought] t\n[Answer] a [Answer] b"))
	for _, state := range []string{"question", "thought", "answer", "answer"} {
		err = g.Enter(state)
	}
	fmt.Fprintln(os.Stderr, err)
}
`
	files["guarding/main.go"] = strings.Replace(files["guarding/main.go"], "\t\"os\"\n\n", "\t\"os\"\n\n\t\"github.com/stile-playground/stile/core/monitor\"\n", 1)
	run := exec.Command(program(t, "guarding", files))
	run.Stdin = strings.NewReader(linesOf(sequences))
	var said strings.Builder
	run.Stderr = &said
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	same(t, sequences, out)
	want := "<nil>\nstate 2: \"answer\" may not come here; \"thought\" may\n<nil>\nthe run is not complete: thought may come\n" +
		"state 2: \"answer\" may not come here; \"thought\" may\n<nil>\n" + strings.Repeat("state 4: \"answer\" comes after the end: nothing may follow\n", 2)
	if said.String() != want {
		t.Errorf("the guard of cot says\n%s", said.String())
	}
}

// answering is a program that answers a request of the protocol a line.
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

// wasmtime stands in for the package of that name, with the program for the module:
// what the guard calls of it, and no more.
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

func TestGuardsInPythonGiveTheVerdictsOfTheData(t *testing.T) {
	native(t, "go", "python3")
	names, specs, sequences := guarded(t)
	core := program(t, "answering", map[string]string{"answering/main.go": answering})
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("wasmtime.py", wasmtime)
	for i, name := range names {
		file := fmt.Sprintf("g%d.py", i)
		write(file, export.GuardPython(name, specs[name]))
		check := exec.Command("python3", "-m", "py_compile", file)
		check.Dir = dir
		if out, err := check.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	write("main.py", `import importlib, json, sys
names = `+quoted(names)+`
modules = {name: importlib.import_module(f"g{i}") for i, name in enumerate(names)}
core = next(iter(modules.values())).Core(sys.argv[1])
for line in sys.stdin:
    j = json.loads(line)
    m = modules[j["spec"]]
    guard, at = m.Guard(core), -1
    for i, state in enumerate(j["sequence"]):
        try:
            guard.enter(state)
        except m.Violation as v:
            assert v.index == i and v.state == state and v.reason
            at = i
            break
    found = guard.verdict(j["sequence"])
    assert (found["violation"] is None) == (at < 0)
    print(at, str(found["verdict"] == "valid").lower())
m = modules["cot"]
assert m.Guard(core).check("[Question] q\n[Thought] t\n[Answer] a")["verdict"] == "valid"
try:
    m.Guard(core).check("[Question] q\n[Answer] ä")
    assert False
except m.Violation as v:
    assert v.index == 1 and v.allowed == ["thought"], v.allowed
try:
    core.call("agent.verdict", {"source": "(", "sequence": []})
    assert False
except RuntimeError:
    pass
`)
	run := exec.Command("python3", "main.py", core)
	run.Dir = dir
	run.Stdin = strings.NewReader(linesOf(sequences))
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failure(err))
	}
	same(t, sequences, out)
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

// bounded are flags with which Node runs a module where memory is bounded, as it is for
// mutants: without them it reserves eight gigabytes for each. Older ones do not know them.
func bounded() []string {
	const flag = "--disable-wasm-trap-handler"
	if exec.Command("node", flag, "--eval", "0").Run() != nil {
		return nil
	}
	return []string{flag}
}

func TestGuardsInTypeScriptGiveTheVerdictsOfTheData(t *testing.T) {
	native(t, "go", "node")
	modules, err := filepath.Abs(filepath.Join("..", "..", "web", "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	compiler := filepath.Join(modules, "typescript", "bin", "tsc")
	if _, err := os.Stat(compiler); err != nil {
		t.Skip("the TypeScript compiler is not installed")
	}
	names, specs, sequences := guarded(t)
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
	for i, name := range names {
		write(fmt.Sprintf("g%d.ts", i), export.GuardTypeScript(name, specs[name]))
		fmt.Fprintf(&imports, "import * as g%d from \"./g%d.js\";\nmodules.set(%q, g%d as unknown as Guards);\n", i, i, name, i)
	}
	write("main.ts", `import { readFileSync } from "node:fs";
interface Found { readonly verdict: string; readonly violation: { readonly index: number; readonly state: string; readonly allowed: readonly string[] } | null }
interface Live { fresh(): Live; enter(state: string): void; verdict(sequence: readonly string[]): Found; check(text: string, format?: string): Found }
interface Guards { readonly Guard: { load(file: string): Promise<Live> }; readonly ViolationError: new (v: never) => Error & { readonly violation: { readonly index: number; readonly state: string } } }
const modules = new Map<string, Guards>();
`+imports.String()+`
const file = process.argv[2] ?? "";
const guards = new Map<string, Live>();
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const j = JSON.parse(line) as { spec: string; sequence: string[] };
  const m = modules.get(j.spec);
  if (m === undefined) throw new Error(j.spec);
  const shared = guards.get(j.spec) ?? (await m.Guard.load(file));
  guards.set(j.spec, shared);
  const guard = shared.fresh();
  let at = -1;
  for (const [i, state] of j.sequence.entries()) {
    try {
      guard.enter(state);
    } catch (fault) {
      if (!(fault instanceof m.ViolationError) || fault.violation.index !== i || fault.violation.state !== state) throw fault;
      at = i;
      break;
    }
  }
  const { verdict, violation } = guard.verdict(j.sequence);
  if ((violation?.index ?? -1) !== at) throw new Error("enter and verdict differ");
  console.log(at, verdict === "valid");
}
const cot = guards.get("cot");
const wrong = cot?.check("[Question] q\n[Answer] ä");
if (wrong?.verdict !== "invalid" || wrong.violation?.index !== 1 || wrong.violation.allowed.join() !== "thought") throw new Error(JSON.stringify(wrong));
if (cot?.check('[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]', "auto").verdict !== "valid") throw new Error("a trace is refused");
`)
	in := func(program string, args ...string) *exec.Cmd {
		c := exec.Command(program, args...)
		c.Dir = dir
		return c
	}
	if out, err := in("node", compiler, "-p", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", filepath.Join(dir, "stile.wasm"), "../../wasm/module")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := in("node", append(bounded(), "--no-warnings", "out/main.js", "stile.wasm")...)
	run.Stdin = strings.NewReader(linesOf(sequences))
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failure(err))
	}
	same(t, sequences, out)
}
