package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/stile-playground/stile/wasm/stile/command"
)

var runs = flag.Int("runs", 1000, "number of runs")

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

const agentSpec = `(define shop
  (:states
    (Ques (:text "Question:"))
    (Act (:text "Action:") (:one-of "find" "buy" "refund"))
    (Act-Inp (:text "Input:"))
    (Obs (:text "Observation:") (:flags :env-input))
    (Ans (:text "Answer:")))
  (:behavior (next Ques (until (next Act Act-Inp Obs) Ans))))
`

const dataRules = `small: refund(amount: ?x) -> ?x <= 100

found: buy() -> once find.result()
`

// conversation returns a run as a line of JSON: calls of three tools, some with a fault, and sometimes no answer.
func conversation(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`{"messages":[{"role":"user","content":"q"}`)
	for i := range 1 + r.IntN(6) {
		tool := []string{"find", "buy", "refund", "find", "steal"}[r.IntN(20)%5*r.IntN(2)]
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":"{\"amount\": %d}"}}]},{"role":"tool","tool_call_id":"c%d","content":"ok"}`, i, tool, r.IntN(120), i)
	}
	switch r.IntN(30) {
	case 0:
		b.WriteString(`,{"role":"assistant","tool_colls":[{"name":"x"}]}`) // unread
	case 1:
		return b.String() + `]` // not JSON
	case 2:
	default:
		b.WriteString(`,{"role":"assistant","content":"done"}`)
	}
	return b.String() + `]}`
}

// data writes specs and n runs in three files of lines, one of them below a folder, and files that are one run or unreadable.
func data(t *testing.T, n int) (args []string) {
	t.Helper()
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	r := rand.New(rand.NewPCG(1, 2))
	var files [3]strings.Builder
	for i := range n {
		files[min(i%5, 2)].WriteString(conversation(r) + "\n")
	}
	args = []string{write("shop.agent", agentSpec), write("shop.rules", dataRules), write("b.jsonl", files[0].String())}
	write("traces/a/one.json", conversation(r))
	write("traces/a/two.jsonl", files[1].String())
	write("traces/b.json", "\x00\x01")
	write("traces/z.jsonl", files[2].String())
	return append(args, filepath.Join(folder, "traces"))
}

// TestReportsAreThoseOfOneProcess compares the reports of a pipeline with those of "stile check", byte for byte.
func TestReportsAreThoseOfOneProcess(t *testing.T) {
	args := data(t, *runs)
	for _, of := range []string{"text", "markdown", "json", "sarif"} {
		var want, stderr, got bytes.Buffer
		code := command.Run(context.Background(), append([]string{"check", "-format", of}, args...), command.Streams{In: strings.NewReader(""), Out: &want, Err: &stderr})
		if stderr.Len() > 0 {
			t.Fatal(stderr.String())
		}
		*form = of
		found, err := run(context.Background(), &got, args)
		if err != nil {
			t.Fatal(err)
		}
		if found != code || got.String() != want.String() {
			t.Errorf("%s: exit code %d and %d bytes, %d and %d in one process; the first difference is at %q", of, found, got.Len(), code, want.Len(), difference(got.String(), want.String()))
		}
		if code != command.Fail || !strings.Contains(want.String(), "steal") {
			t.Errorf("%s: exit code %d; expected findings", of, code)
		}
		t.Logf("equal reports: %s, %d bytes for %d runs", of, want.Len(), *runs+2)
	}
}

func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return a[max(0, i-100):min(len(a), i+100)]
}

// TestFailsClosed calls the command with specs, traces and files that cannot be judged.
func TestFailsClosed(t *testing.T) {
	args := data(t, 10)
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty.jsonl")
	broken := filepath.Join(folder, "broken.agent")
	archive := filepath.Join(folder, "runs.zip")
	for name, text := range map[string]string{empty: "", broken: "(define x", archive: "PK"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, list := range map[string][]string{
		"no specs": args[2:], "no traces": args[:2], "a missing trace": {args[0], "missing.jsonl"}, "a broken spec": {broken, args[2]},
		"an archive": {args[0], archive}, "no file of a pattern": {args[0], "memory://none/*.jsonl"}, "standard input": {args[0], "-"},
	} {
		*form = "text"
		var out bytes.Buffer
		if code, err := run(context.Background(), &out, list); code != command.Error || err == nil || out.Len() > 0 {
			t.Errorf("%s: exit code %d, error %v, %q", name, code, err, out.String())
		}
	}
}
