package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/infer"
)

// conversationOf writes steps as a conversation in OpenAI's format.
func conversationOf(steps []string) string {
	var b strings.Builder
	for i, step := range steps {
		if i > 0 {
			b.WriteByte(',')
		}
		switch step {
		case infer.User:
			b.WriteString(`{"role":"user","content":"u"}`)
		case infer.Message, infer.Answer:
			b.WriteString(`{"role":"assistant","content":"m"}`)
		default:
			fmt.Fprintf(&b, `{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c%d","content":"ok"}`, i, step, i)
		}
	}
	return b.String()
}

// publishedRuns are conversations with the steps of tau-bench's runs, one on each line.
func publishedRuns(t *testing.T) []backtest.Part {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "infer", "testdata", "tau-bench-airline.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	symbols := strings.Fields(lines[0])
	var parts []backtest.Part
	for i, line := range lines[1:] {
		numbers, steps := strings.Fields(line), []string{}
		for _, n := range numbers[1:] {
			at, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			steps = append(steps, symbols[at])
		}
		reward := map[string]string{"+": "1.0", "-": "0.0"}[numbers[0]]
		parts = append(parts, backtest.Part{Name: "runs.jsonl", Line: i, Runs: i, Alone: true, Text: `{"reward":` + reward + `,"traj":[` + conversationOf(steps) + `]}`})
	}
	return parts
}

// TestLearnedSpecsAcceptTheirRuns judges recorded runs by the files that were learned from them.
func TestLearnedSpecsAcceptTheirRuns(t *testing.T) {
	s, parts := New(), publishedRuns(t)
	read := result[InferRunsResult](t, s, "infer.runs", InferRunsParams{Traces: parts, Outcome: "reward"})
	failing := 0
	for _, r := range read.Runs {
		if r.Failed {
			failing++
		}
	}
	if len(read.Runs) != 200 || failing != 116 || len(read.Unread) > 0 {
		t.Fatalf("%d runs, %d failing, %d unread", len(read.Runs), failing, len(read.Unread))
	}
	spec := result[InferSpecResult](t, s, "infer.spec", InferSpecParams{Runs: read.Runs, Name: "air line"})
	properties := result[InferPropertiesResult](t, s, "infer.properties", InferPropertiesParams{Runs: read.Runs})
	files := []File{{Name: "learned.agent", Text: spec.Text}, {Name: "learned.ltl"}}
	for _, p := range properties.Properties {
		if p.Chosen {
			files[1].Text += p.Text + "\n"
		}
	}
	for _, f := range files {
		for _, d := range result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: files, Name: f.Name}).Diagnostics {
			if !strings.HasPrefix(d.Message, "counterexample in learned.agent") { // the agent is more general
				t.Errorf("%s: %s", f.Name, d.Message)
			}
		}
	}
	judge := func(parts ...backtest.Part) TraceMatrixResult {
		return result[TraceMatrixResult](t, s, "trace.matrix", TraceMatrixParams{Files: files, Traces: parts})
	}
	for i, r := range judge(parts...).Runs {
		if read.Runs[i].Failed {
			continue
		}
		for k, c := range r.Cells {
			if !c.Outcome.Passes() {
				t.Errorf("run %d passes, but cell %d is %s: %s", r.Number, k, c.Outcome, c.Reason)
			}
		}
	}
	// A tool that no run calls has no state, and an order that no run has is violated.
	for _, c := range []struct{ steps, want string }{
		{"User drop_table Answer User", "unread"}, {"User cancel_reservation Answer User", "violated"},
	} {
		got := judge(backtest.Part{Name: "t.json", Text: `[` + conversationOf(strings.Fields(c.steps)) + `]`})
		if len(got.Runs) != 1 || string(got.Runs[0].Outcome) != c.want {
			t.Errorf("%s: %+v", c.steps, got.Runs)
		}
	}
}

func TestQuestionsAboutProposals(t *testing.T) {
	s := New()
	runs := []infer.Run{{Steps: []string{"User", "look", "Answer"}}, {Steps: []string{"User", "look", "look", "Answer"}}, {Steps: []string{"User", "look", "look", "look", "Answer"}}}
	one := result[InferSpecResult](t, s, "infer.spec", InferSpecParams{Runs: runs})
	two := result[InferSpecResult](t, s, "infer.spec", InferSpecParams{Runs: runs, Refuse: [][]string{{"User", "Answer"}, {"User", "look", "look", "look", "look", "Answer"}}})
	got := result[InferAskResult](t, s, "infer.ask", InferAskParams{Left: one.Text, Right: two.Text})
	if len(got.Questions) == 0 || !got.Questions[0].Left {
		t.Errorf("%+v between\n%s\n%s", got, one.Text, two.Text)
	}
	if same := result[InferAskResult](t, s, "infer.ask", InferAskParams{Left: one.Text, Right: one.Text}); len(same.Questions) > 0 {
		t.Errorf("%+v", same)
	}
}

func TestUnreadRunsAreNotLearnedFrom(t *testing.T) {
	s := New()
	good := `{"reward":1,"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"}]}`
	got := result[InferRunsResult](t, s, "infer.runs", InferRunsParams{Outcome: "reward", Traces: []backtest.Part{
		{Name: "a", Text: good}, {Name: "b", Text: `{"reward":1,"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_use":[{"name":"x"}]}]}`},
		{Name: "c", Text: `{"messages":[{"role":"user","content":"u"}]}`}, {Name: "d", Fault: "no file"}, {Name: "e", Text: "[" + good + "," + strings.Replace(good, "1", "0.5", 1) + "]"},
	}})
	var reasons []string
	for _, u := range got.Unread {
		reasons = append(reasons, u.Name+": "+u.Reason)
	}
	if len(got.Runs) != 3 || got.Runs[1].Failed || !got.Runs[2].Failed || len(reasons) != 3 || !strings.Contains(reasons[1], `no member "reward"`) {
		t.Errorf("%+v, unread %q", got.Runs, reasons)
	}
}
