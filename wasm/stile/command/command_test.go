package command

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/stile-playground/stile/core/backtest"
)

const shopAgent = `(define shop
  (:states
    (User (:text "[User]") (:flags :env-input))
    (Act (:text "[Action]") (:one-of "lookup" "refund"))
    (Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next User (until (next Act Inp Obs) Ans))))
`

// conversation is a chat of tool calls and an answer, on one line.
func conversation(tools ...string) string {
	list := []string{`{"role":"user","content":"refund A7"}`}
	for i, name := range tools {
		list = append(list,
			fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":%s,"arguments":"{}"}}]}`, i, quoted(name)),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":"ok"}`, i))
	}
	list = append(list, `{"role":"assistant","content":"done"}`)
	return `{"messages":[` + strings.Join(list, ",") + `]}`
}

func quoted(text string) []byte {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return out
}

// folder writes files to a new folder, which becomes the working directory.
func folder(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// stile runs a command line and returns its output and exit code.
func stile(stdin string, args ...string) (out, errs string, code int) {
	var o, e strings.Builder
	code = Run(context.Background(), args, Streams{In: strings.NewReader(stdin), Out: &o, Err: &e})
	return o.String(), e.String(), code
}

func zipOf(t *testing.T, files map[string]string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipOf(t *testing.T, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Only runs that were read and pass all rules exit with 0.
func TestExitCodes(t *testing.T) {
	good, bad := conversation("lookup"), conversation("delete_all")
	folder(t, map[string]string{
		"shop.agent": shopAgent, "bad.agent": "(define shop", "shop.ltl": "ends: F Ans\n", "unknown.ltl": "F Ack\n", "unsafe.ltl": "safe: G !Act\n",
		"other.agent": `(define other (:states (Talk (:text "[Talk]"))) (:behavior Talk))`, "others.ltl": "F Talk\n",
		"shop.rules": "no-deletion: !delete_all()\n", "bad.rules": "r: a(\n",
		"good.json": good, "bad.json": bad, "unread.json": strings.Replace(good, "tool_calls", "tool_colls", 1),
		"empty/.hidden": good, "traces/a.json": good, "traces/.b.json": bad, "mixed/a.json": good, "mixed/b.json": bad, "mixed/c.bin": "\x00\x01",
		"good.jsonl": good + "\n" + good + "\n\n" + good + "\n", "mixed.jsonl": good + "\n" + bad + "\n", "broken.jsonl": good + "\n{\"messages\":\n",
		"good.zip": zipOf(t, map[string]string{"x/a.json": good, "__MACOSX/a.json": bad}), "broken.zip": "PK", "good.jsonl.gz": gzipOf(t, good+"\n"+good+"\n"), "broken.gz": "x",
		"spec/shop.agent": shopAgent, "spec/README.md": "# Specs", "spec/shop.ltl": "ends: F Ans\n",
	})
	for _, c := range []struct {
		args string
		code int
		want string // in the output or the errors
	}{
		{"check shop.agent good.json", Pass, "1 of 1 runs pass all rules"},
		{"check shop.agent shop.ltl good.json", Pass, "shop.ltl: ends"},
		{"check good.json shop.agent", Pass, "1 of 1 runs"},
		{"check spec traces", Pass, "1 of 1 runs"},
		{"check spec -- traces", Pass, "1 of 1 runs"},
		{"check shop.agent bad.json", Fail, `bad.json:1: run 1: shop.agent: violated: "Act" may not begin with "delete_all"; it must be "lookup" or "refund"`},
		{"check shop.agent unsafe.ltl good.json", Fail, "unsafe.ltl: safe: violated: step 1: not (G !Act)"},
		{"check shop.agent unread.json", Fail, "unknown key"},
		{"check shop.agent mixed", Fail, "mixed/c.bin: run 1: shop.agent: unread: not a text in UTF-8"},
		{"check shop.agent mixed -include a.*", Pass, "1 of 1 runs"},
		{"check shop.agent mixed -include z.*", Error, "no runs were found"},
		{"check shop.agent empty", Error, "no runs were found"},
		{"check shop.agent good.jsonl", Pass, "3 of 3 runs"},
		{"check shop.agent mixed.jsonl", Fail, "mixed.jsonl:2: run 2:"},
		{"check shop.agent broken.jsonl", Fail, "broken.jsonl:2: run 2:"},
		{"check shop.agent good.zip", Pass, "1 of 1 runs"},
		{"check shop.agent broken.zip", Fail, "broken.zip"},
		{"check shop.agent good.jsonl.gz", Pass, "2 of 2 runs"},
		{"check shop.agent broken.gz", Fail, "broken.gz"},
		{"check shop.agent -", Pass, "1 of 1 runs"},
		{"check bad.agent good.json", Error, "bad.agent:1:"},
		{"check shop.agent unknown.ltl good.json", Error, `unknown.ltl:1:3: unknown symbol "Ack"`},
		{"check shop.ltl good.json", Error, "expected an .agent file"},
		{"check shop.rules good.json bad.json", Fail, "bad.json:1: run 1: shop.rules: no-deletion: violated: violates no-deletion"},
		{"check shop.rules good.json", Pass, "1 of 1 runs"},
		{"check bad.rules good.json", Error, "bad.rules:1:"},
		{"check shop.agent", Error, "check needs specs and traces"},
		{"check good.json", Error, "check needs specs and traces"},
		{"check shop.agent none.json", Error, "none.json"},
		{"check shop.agent good.json -format yaml", Error, `unknown format "yaml"; expected one of json, junit, markdown, sarif, text`},
		{"check shop.agent good.json -report xml=x", Error, "unknown format"},
		{"check shop.agent good.json -report json=none/x.json", Error, "none/x.json"},
		{"check shop.agent good.json -baseline none.json", Error, "write it with -update-baseline"},
		{"check shop.agent good.json -baseline shop.agent", Error, "not a baseline"},
		{"check shop.agent good.json -update-baseline", Error, "-update-baseline needs -baseline"},
		{"check shop.agent good.json -trace-format morse", Fail, "morse"},
		{"check shop.agent good.json -symbols other.agent -symbols others.ltl", Pass, "1 of 1 runs"},
		{"check shop.agent others.ltl good.json", Error, `unknown symbol "Talk"`},
		{"check shop.agent others.ltl good.json -symbols other.agent", Pass, "1 of 1 runs"},
		{"check shop.agent other.agent others.ltl good.json", Fail, "no state for a call of"},
		{"check shop.agent good.json -trace-format auto", Pass, "1 of 1 runs"},
		{`check shop.agent good.json -options {"mapping":[{"part":"call","states":["Ans"]}]}`, Fail, "shop.agent: violated"},
		{`check shop.agent good.json -options {"mapping":[{"part":"call","states":["Nought"]}]}`, Fail, `unknown state "Nought"`},
		{`check shop.agent good.json -options {"maping":[]}`, Error, `unknown field "maping"`},
		{"check -nonsense", Error, "nonsense"},
		{"diff shop.agent shop.agent good.json", Pass, "0 of 1 runs would now be stopped"},
		{"diff shop.agent shop.agent unread.json", Fail, "1 runs were not understood"},
		{"diff shop.agent shop.agent -with unsafe.ltl good.json", Pass, "0 of 1 runs"},
		{"diff shop.agent spec good.json", Pass, "added rule: shop.ltl: ends"},
		{"diff shop.agent bad.agent good.json", Error, "bad.agent:1:"},
		{"diff shop.agent shop.agent", Error, "diff needs a spec"},
		{"diff shop.agent shop.agent empty", Error, "no runs were found"},
		{"test", Error, "usage: stile test"},
		{"test none", Error, "none"},
		{"test spec", Error, "spec: no tests"},
		{"version", Pass, "stile "},
		{"version x", Error, "usage"},
		{"help", Pass, "Exit code 0"},
		{"check -h", Pass, "-update-baseline"},
		{"chekc", Error, `unknown command "chekc"`},
		{"", Error, "usage: stile COMMAND"},
	} {
		out, errs, code := stile(good, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(filepath.ToSlash(out+errs), c.want) {
			t.Errorf("stile %s: exit %d, want %d and %q\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
}

// A rule that the later version adds and that no run breaks changes no run, but it is a
// difference that the report names.
func TestDiffNamesRuns(t *testing.T) {
	folder(t, map[string]string{"old.agent": shopAgent, "new/old.agent": strings.Replace(shopAgent, ` "refund"`, "", 1), "runs.jsonl": conversation("lookup") + "\n" + conversation("refund") + "\n"})
	out, errs, code := stile("", "diff", "old.agent", "new", "runs.jsonl")
	want := "runs.jsonl: run 2: held → violated\n    old.agent: held → violated: \"Act\" may not begin with \"refund\"; it must be \"lookup\" (line 2)\n1 of 2 runs would now be stopped, 0 would now pass, 0 change in another way\n"
	if code != Fail || out != want {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	out, _, _ = stile("", "diff", "old.agent", "new", "runs.jsonl", "-format", "json")
	var d struct{ Runs, Stopped, Unread int }
	if err := json.Unmarshal([]byte(out), &d); err != nil || d.Runs != 2 || d.Stopped != 1 || d.Unread != 0 {
		t.Errorf("%v: %s", err, out)
	}
	if out, _, _ = stile("", "diff", "old.agent", "new", "runs.jsonl", "-format", "markdown"); !strings.Contains(out, "| runs.jsonl | 2 | held | violated |") {
		t.Error(out)
	}
}

// The baseline accepts the findings that it lists, and no others.
func TestBaseline(t *testing.T) {
	folder(t, map[string]string{"shop.agent": shopAgent, "shop.ltl": "ends: F Ans\n", "a.json": conversation("delete_all"), "b.json": conversation("refund_all")})
	check := func(want int, about string, args ...string) {
		t.Helper()
		if out, errs, code := stile("", append([]string{"check", "shop.agent", "-baseline", "accepted.json"}, args...)...); code != want {
			t.Errorf("%s: exit %d, want %d\n%s%s", about, code, want, out, errs)
		}
	}
	check(Pass, "writing", "-update-baseline", "a.json")
	check(Pass, "the same finding", "a.json")
	check(Fail, "another run", "a.json", "b.json")
	first, err := os.ReadFile("accepted.json")
	if err != nil {
		t.Fatal(err)
	}
	check(Pass, "writing again", "-update-baseline", "a.json")
	if again, err := os.ReadFile("accepted.json"); err != nil || !bytes.Equal(first, again) {
		t.Errorf("the file changes: %v\n%s", err, again)
	}
	if err := os.WriteFile("a.json", []byte(conversation("lookup", "delete_all")), 0o644); err != nil {
		t.Fatal(err)
	}
	check(Pass, "the same finding at another step", "a.json")
	if err := os.WriteFile("a.json", []byte(conversation("drop")), 0o644); err != nil {
		t.Fatal(err)
	}
	check(Fail, "another finding in the same run", "a.json")
}

// Reports in every form are complete and well-formed, whatever the names contain.
func TestReports(t *testing.T) {
	odd := `del"<&>|` + "\x01ete"
	folder(t, map[string]string{"shop.agent": shopAgent, "shop.ltl": "ends: F Ans\n\nno-acts: G !Act\n", "a b|c.json": conversation("lookup", odd), "good.json": conversation("lookup")})
	out, errs, code := stile("", "check", "shop.agent", "shop.ltl", "a b|c.json", "good.json", "-format", "json",
		"-report", "sarif=r.sarif", "-report", "junit=r.xml", "-report", "markdown=r.md", "-report", "text=r.txt")
	if code != Fail {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	var report struct {
		Runs, Failing int
		Findings      []struct{ Trace, Rule, Outcome, Reason string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Runs != 2 || report.Failing != 2 || len(report.Findings) != 3 {
		t.Errorf("json: %v: %+v", err, report)
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var log any
	if err := json.Unmarshal(read("r.sarif"), &log); err != nil {
		t.Fatal(err)
	}
	if err := sarifSchema(t).Validate(log); err != nil {
		t.Errorf("sarif: %v", err)
	}
	results := log.(map[string]any)["runs"].([]any)[0].(map[string]any)["results"].([]any)
	if len(results) != 3 || !strings.Contains(fmt.Sprint(results[0]), "uri:a%20b%7Cc.json") {
		t.Errorf("sarif: %v", results)
	}
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name string `xml:"name,attr"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(read("r.xml"), &suites); err != nil || suites.Tests != 3 || suites.Failures != 3 || len(suites.Suites) != 2 {
		t.Errorf("junit: %v: %+v", err, suites)
	}
	for _, line := range strings.Split(string(read("r.md")), "\n") {
		if strings.HasPrefix(line, "| a b") && (strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 6 || strings.ContainsAny(line, "<>")) {
			t.Errorf("markdown: %s", line)
		}
	}
	if text := string(read("r.txt")); !strings.Contains(text, "no rule names the tool") || !strings.Contains(text, "0 of 2 runs pass all rules") {
		t.Errorf("text:\n%s", text)
	}
}

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(origin, "testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// origin is the folder of the package, from which tests leave.
var origin, _ = os.Getwd()

// Results arrive in the order of the parts, and an error ends all goroutines.
//
//stile:race
func TestInOrder(t *testing.T) {
	const n = 1000
	var got []int
	emitAll := func(ctx context.Context, emit func(backtest.Part) error) error {
		for i := range n {
			if err := emit(backtest.Part{Line: i}); err != nil {
				return err
			}
		}
		return nil
	}
	err := inOrder(context.Background(), emitAll, func(u backtest.Part) int { return u.Line }, func(i int) error {
		got = append(got, i)
		return nil
	})
	for i, g := range got {
		if g != i {
			t.Fatalf("result %d is that of part %d", i, g)
		}
	}
	if err != nil || len(got) != n {
		t.Errorf("%d results, %v", len(got), err)
	}
	seen := 0
	err = inOrder(context.Background(), emitAll, func(u backtest.Part) int { return u.Line }, func(int) error {
		if seen++; seen == 10 {
			return os.ErrClosed
		}
		return nil
	})
	if err != os.ErrClosed || seen != 10 {
		t.Errorf("%v after %d results", err, seen)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = inOrder(ctx, emitAll, func(u backtest.Part) int { return u.Line }, func(i int) error {
		if i == 5 {
			cancel()
		}
		return nil
	})
	if err == nil {
		t.Error("a cancelled check has no error")
	}
}

func BenchmarkCheck(b *testing.B) {
	var text strings.Builder
	for range 2000 {
		text.WriteString(conversation("lookup", "refund", "lookup", "refund", "lookup") + "\n")
	}
	dir := b.TempDir()
	spec, runs := filepath.Join(dir, "shop.agent"), filepath.Join(dir, "runs.jsonl")
	if os.WriteFile(spec, []byte(shopAgent), 0o644) != nil || os.WriteFile(runs, []byte(text.String()), 0o644) != nil {
		b.Fatal("not written")
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, errs, code := stile("", "check", spec, runs); code != Pass {
			b.Fatal(errs)
		}
	}
}
