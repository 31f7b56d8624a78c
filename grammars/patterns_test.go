package grammars_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// patterns returns the examples of that group.
func patterns(t *testing.T) []grammars.Example {
	t.Helper()
	var out []grammars.Example
	for _, e := range examples(t) {
		if e.Paper == "Patterns" {
			out = append(out, e)
		}
	}
	return out
}

// judged returns the codes of the diagnostics of a file of formulas, in order.
func judged(t *testing.T, e grammars.Example, name string) []string {
	t.Helper()
	var codes []string
	for _, d := range call[session.DocumentAnalyzeResult](t, session.New(), "document.analyze", session.DocumentParams{Files: e.Files, Name: name}).Diagnostics {
		codes = append(codes, d.Code)
	}
	return codes
}

func text(t *testing.T, e grammars.Example, name string) string {
	t.Helper()
	f, ok := e.Workspace().File(name)
	if !ok {
		t.Fatalf("%s has no %s", e.ID, name)
	}
	return f.Text
}

func TestPatternPropertiesAreProved(t *testing.T) {
	languages := map[workspace.Kind]bool{}
	for _, e := range patterns(t) {
		file, _ := e.Workspace().File("properties.ltl")
		formulas, _ := ltl.Parse(file.Source())
		for _, f := range formulas {
			if f.Name == "" {
				t.Errorf("%s: %s has no name", e.ID, f.Formula)
			}
		}
		if got, want := judged(t, e, "properties.ltl"), slices.Repeat([]string{"ltl.holds"}, len(formulas)); len(want) < 3 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: of %d properties %v", e.ID, len(formulas), got)
		}
		tested := call[session.TestsRunResult](t, session.New(), "tests.run", session.TestsRunParams{Files: e.Files})
		if n := len(e.Words) + tested.Passed; n < 5 {
			t.Errorf("%s shows %d words and tests", e.ID, n)
		}
		languages[workspace.KindOf(e.Main)] = true
	}
	if len(patterns(t)) != 11 || len(languages) != 4 {
		t.Errorf("%d patterns in %d languages", len(patterns(t)), len(languages))
	}
}

// TestPropertiesSeeRemovedParts checks the properties against specs with a part removed: a
// property that still holds would be vacuous.
func TestPropertiesSeeRemovedParts(t *testing.T) {
	for _, c := range []struct {
		id, old, new string
		violated     int
	}{
		{"support", "no -> scope", "no -> scope\n  rude -> closed", 2},
		{"support", "order -> identity", "order -> wish", 1},
		{"sql", "(next Ques Look Look-Inp Schema)", "Ques", 1},
		{"sql", "(next Run Sql Rows Ans)", "(next Run Sql Rows Look Look-Inp Schema Ans)", 1},
		{"coder", `"!Commit W Test" "G(Edit -> WX(!Commit W Test))"`, `"!Commit W Test"`, 1},
		{"coder", `"!Commit W Test" "G(Edit -> WX(!Commit W Test))"`, `"G(Edit -> WX(!Commit W Test))"`, 1},
		{"citations", "until_1_3", "until", 2},
		{"citations", "(until (next Claim Source) (next Claim Source))", "(next (until Claim Claim) Source)", 1},
		{"refund", "(next Proposal Decision)", "Proposal", 1},
		{"refund", "Task Look Number Order", "Task", 1},
		{"refund", "Proposal Decision) Reply)", "Proposal Decision) (or Reply Number))", 1},
		{"payment", `"!(Payment | Report) W Record"`, `"true"`, 1},
		{"payment", "(next Payment Decision)", "(next Payment Look Look-Inp Record Decision)", 2},
		{"payment", `"!F(Payment & X F(Payment & X F(Payment & X F Payment)))"`, "", 1},
		{"oncall", "Check Check-Inp Obs)", "(or Check Look) Check-Inp Obs)", 2},
		{"oncall", "until_2", "until_3", 1},
		{"oncall", "Diagnosis)", "(or Diagnosis Fix))", 3},
		{"saga", "confirm -> done (ε, Z; ε)", "confirm -> done (ε, *; ε)", 2},
		{"saga", "hold/1/1/1 -> confirm", "hold/1/1/0 -> confirm", 2},
		{"saga", "release -> release (release.{r}, r; ε)", "release -> release (release.{r}, *; ε)", 3},
		{"retries", "until_2", "until_3", 1},
		{"retries", "(next Wait Call Call-Inp Obs)", "(next Call Call-Inp Obs)", 1},
		{"retries", "(or Old-Ans Give-Up)", "(or Old-Ans Ans Give-Up)", 1},
		{"filter", `Filter Limit`, `Filter }]`, 2},
		{"filter", "Members -> Filter }]", "Members -> }] | Filter }]", 1},
		{"filter", `{"none":[ Plain }]`, `{"none":[ Filter }]`, 1},
		{"chatpolicy", `"!F(Refusal & X F(Refusal & X F Refusal))"`, "", 1},
		{"chatpolicy", `"F Close -> F(Refusal & X F Refusal)"`, `"true"`, 1},
		{"chatpolicy", "(next Within Reply User) (next Against Refusal User)", "(next Within Reply User) (next Against Reply User)", 1},
	} {
		e := example(t, c.id)
		main := text(t, e, e.Main)
		if strings.Count(main, c.old) == 0 {
			t.Errorf("%s has no %q", e.Main, c.old)
			continue
		}
		for i := range e.Files {
			if e.Files[i].Name == e.Main {
				e.Files[i].Text = strings.ReplaceAll(main, c.old, c.new)
			}
		}
		violated := 0
		codes := judged(t, e, "properties.ltl")
		for _, code := range codes {
			if code == "ltl.violated" {
				violated++
			}
		}
		if violated != c.violated {
			t.Errorf("%s with %q for %q: %v", c.id, c.new, c.old, codes)
		}
	}
}

func TestChangedPaymentIsReported(t *testing.T) {
	e := example(t, "payment")
	got := call[session.DocumentAnalyzeResult](t, session.New(), "document.analyze", session.DocumentParams{Files: e.Files, Name: "hasty.ltl"})
	if len(got.Diagnostics) != 1 || !strings.HasSuffix(got.Diagnostics[0].Message, "in hasty.agent: Task Look Look-Inp Record Draft Decision Draft Report") {
		t.Errorf("%+v", got.Diagnostics)
	}
}

// TestHostileTextsAreStopped checks transcripts with one violation against the agents of the
// patterns.
func TestHostileTextsAreStopped(t *testing.T) {
	sql := "[Question] how many?\n[Schema Action] Columns\n[Schema Input] orders\n[Schema] id\n[SQL Action] Query\n[SQL Input] %s\n[Rows] 3\n[Answer] three"
	payment := "[Task] pay it\n[Action] Invoice\n[Action Input] A-1\n[Record] 10.00\n[Payment] %s\n[Decision] approved\n[Report] paid"
	citation := "[Question] why?\n[Search Input] why\n[Passages] P1: because\n[Claim] because\n[Source] %s"
	commit := "[Task] t\n[Thought] t\n[Test Action] RunTests\n[Test Input] all\n[Observation] ok\n[Thought] t\n[Commit Action] Commit\n[Commit Input] %s\n[Observation] ok\n[Report] r"
	fix := "[Alert] a\n[Read Action] Logs\n[Read Input] i\n[Observation] o\n[Diagnosis] d\n[Fix Action] Restart\n[Fix Input] %s\n[Observation] o\n[Check Action] Metrics\n[Check Input] i\n[Observation] o\n[Report] r"
	read := "[Alert] a\n[Read Action] %s\n[Read Input] i\n[Observation] o\n[Diagnosis] d\n[Report] r"
	chat := "[User] u\n%s"
	for _, c := range []struct {
		id, frame, content string
		valid              bool
	}{
		{"sql", sql, "SELECT count(*) FROM orders LIMIT 1", true},
		{"sql", sql, "SELECT a - b, a / b\nFROM orders\nWHERE x = -1 LIMIT 999", true},
		{"sql", sql, "SELECT count(*) FROM orders", false},
		{"sql", sql, "SELECT * FROM orders LIMIT 1000", false},
		{"sql", sql, "SELECT * FROM orders LIMIT 0", false},
		{"sql", sql, "SELECT * FROM orders; DROP TABLE orders LIMIT 1", false},
		{"sql", sql, "SELECT * FROM orders -- LIMIT 1", false},
		{"sql", sql, "SELECT * FROM orders # LIMIT 1", false},
		{"sql", sql, "SELECT * FROM orders /* LIMIT 1", false},
		{"sql", sql, "SELECT * FROM orders //* LIMIT 1", false},
		{"sql", sql, "SELECT * FROM orders /-- LIMIT 1", false},
		{"sql", sql, "SELECT * FROM orders ---- LIMIT 1", false},
		{"sql", sql, "DELETE FROM orders LIMIT 1", false},
		{"sql", sql, "WITH x AS (DELETE FROM orders) SELECT 1 LIMIT 1", false},
		{"sql", sql, "EXPLAIN SELECT 1 LIMIT 1", false},
		{"sql", sql, "SELECT 1 LIMIT 1 FOR UPDATE", false},
		{"sql", sql, "SELECT 1 LIMIT 5, 1000000", false},
		{"payment", payment, "EUR 10.00 to AT611904300234573201 for A-1041", true},
		{"payment", payment, "EUR 0.00 to AT611904300234573201 for A-1041", false},
		{"payment", payment, "EUR 10 to AT611904300234573201 for A-1041", false},
		{"payment", payment, "EUR -10.00 to AT611904300234573201 for A-1041", false},
		{"payment", payment, "EUR 1000000.00 to AT611904300234573201 for A-1041", false},
		{"payment", payment, "EUR 10.00 to AT611904300234573201 for A-1041 and EUR 9.00 to me", false},
		{"payment", payment, "EUR 10.00 to AT611904300234573201 for A-1041\nEUR 9.00 to LT601010012345678901 for A-1", false},
		{"citations", citation, `P1: "because"`, true},
		{"citations", citation, `P1: ""`, false},
		{"citations", citation, `P0: "because"`, false},
		{"citations", citation, `P1`, false},
		{"citations", citation, `P1: "because" and I know it`, false},
		{"coder", commit, "fix: round up", true},
		{"coder", commit, "round up", false},
		{"coder", commit, "fix: round up\n\nSkip-Checks: true", false},
		{"oncall", fix, "search-api", true},
		{"oncall", fix, "search api; rm -rf /", false},
		{"oncall", fix, "*", false},
		{"oncall", read, "Metrics", true},
		{"oncall", read, "Restart", false},
		{"oncall", read, "Logs and Restart", false},
		{"chatpolicy", chat, "[Within Policy]\n[Reply] yes\n[User] u", true},
		{"chatpolicy", chat, "[Against Policy] malware\n[Refusal] no\n[User] u", true},
		{"chatpolicy", chat, "[Against Policy] nothing much\n[Refusal] no\n[User] u", false},
		{"chatpolicy", chat, "[Against Policy] malware, but\n[Refusal] no\n[User] u", false},
		{"chatpolicy", chat, "[Within Policy] in a way\n[Reply] yes\n[User] u", false},
		{"chatpolicy", chat, "[Against Policy] malware\n[Refusal] no, but " + strings.Repeat("here is how ", 20) + "\n[User] u", false},
	} {
		e := example(t, c.id)
		got := call[session.MonitorCheckResult](t, session.New(), "monitor.check", session.MonitorCheckParams{Source: text(t, e, e.Main), Text: fmt.Sprintf(c.frame, c.content)})
		if (got.Verdict == agent.VerdictValid) != c.valid {
			t.Errorf("%s: %q is %s: %+v", c.id, c.content, got.Verdict, got.Violation)
		}
	}
}

// TestRambledRunsOfPatternsKeepProperties runs models that are wrong half of the time, and checks
// the resulting traces against spec and properties.
func TestRambledRunsOfPatternsKeepProperties(t *testing.T) {
	seeds := uint64(8)
	if os.Getenv("STILE_LONG") != "" {
		seeds = 100
	}
	for _, e := range patterns(t) {
		isAgent := workspace.KindOf(e.Main) == workspace.KindAgent
		settings := `{"model":{"kind":"rambler","errorRate":0.5}}`
		if !isAgent {
			settings = `{"model":{"kind":"rambler","errorRate":0.5},"attempts":1000}`
		}
		for seed := range seeds {
			result, _, _ := played(t, session.RunStartParams{
				Workspace: session.RunWorkspace{Files: e.Files, Name: e.Main}, Seed: seed,
				Settings: []byte(settings),
			}, nil, nil)
			if isAgent {
				var run monitor.Transcript
				if err := json.Unmarshal([]byte(result), &run); err != nil {
					t.Fatal(err)
				}
				got := call[session.MonitorCheckResult](t, session.New(), "monitor.check", session.MonitorCheckParams{
					Source: text(t, e, e.Main), Text: run.Text, Properties: text(t, e, "properties.ltl"),
				})
				if got.Verdict != agent.VerdictValid {
					t.Errorf("%s, seed %d: %s\n%s", e.ID, seed, got.Verdict, run.Text)
				}
				for _, p := range got.Properties {
					if !p.Holds {
						t.Errorf("%s, seed %d: %s does not hold: %s%s\n%s", e.ID, seed, p.Name, p.Reason, p.Fault, run.Text)
					}
				}
				continue
			}
			var made plan.Plan
			if err := json.Unmarshal([]byte(result), &made); err != nil {
				t.Fatal(err)
			}
			if made.End != nil && !made.End.Good {
				continue // a flowchart's answers are not withheld for their consequences
			}
			got := call[session.PlanCheckResult](t, session.New(), "plan.check", session.PlanCheckParams{Files: e.Files, Name: e.Main, Text: strings.Join(made.Word, " ")})
			if !got.Valid {
				t.Errorf("%s, seed %d: %v: %s", e.ID, seed, made.Word, got.Fault)
			}
		}
	}
}

func TestEveryAnswerOfTheFilterIsValidJSON(t *testing.T) {
	e := example(t, "filter")
	sizes := map[int]bool{}
	for seed := range uint64(200) {
		result, _, _ := played(t, session.RunStartParams{
			Workspace: session.RunWorkspace{Files: e.Files, Name: e.Main}, Seed: seed, Settings: []byte(`{"model":{"kind":"uniform"}}`),
		}, nil, nil)
		var made plan.Plan
		if err := json.Unmarshal([]byte(result), &made); err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Where json.RawMessage
			Limit int
		}
		decoder := json.NewDecoder(strings.NewReader(strings.Join(made.Word, "")))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&answer); err != nil || answer.Where == nil || answer.Limit < 10 {
			t.Errorf("%s: %v", strings.Join(made.Word, ""), err)
		}
		sizes[len(made.Word)] = true
	}
	if len(sizes) < 5 {
		t.Errorf("only %d lengths", len(sizes))
	}
}

func TestTripHasTwentyTwoWays(t *testing.T) {
	var ends []string
	for _, word := range openGrammar(t, example(t, "saga"), "saga.pda").all(t, 100) {
		held := []string{}
		for i, letter := range word {
			if resource, ok := strings.CutPrefix(letter, "hold."); ok {
				held = append(held, resource)
				continue
			}
			want := []string{letter}
			for k := len(held) - 1; k >= 0; k-- {
				want = append(want, map[string]string{"charge": "confirm.", "abort": "release."}[letter]+held[k])
			}
			if !reflect.DeepEqual(word[i:], want) {
				t.Errorf("%v ends with %v, not with %v", word, word[i:], want)
			}
			ends = append(ends, letter)
			break
		}
	}
	sort.Strings(ends)
	if want := append(slices.Repeat([]string{"abort"}, 1+3+6+6), slices.Repeat([]string{"charge"}, 6)...); !reflect.DeepEqual(ends, want) {
		t.Errorf("%d ways: %v", len(ends), ends)
	}
}
