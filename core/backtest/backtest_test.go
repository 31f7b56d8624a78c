package backtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

const shop = `(define shop
  (:states
    (User (:text "[User]") (:flags :env-input))
    (Act (:text "[Action]") (:one-of "lookup" "refund"))
    (Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next User (until (next Act Inp Obs) Ans))))
`

const formulas = `acts-once: G (Act -> WX G !Act)

ends: F Ans

after-user: G (User -> X Act)
`

func open(t *testing.T, files ...workspace.File) *backtest.Specs {
	t.Helper()
	s, err := backtest.Open(language.Table(), files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func specs(t *testing.T) *backtest.Specs {
	return open(t, workspace.File{Name: "shop.agent", Text: shop}, workspace.File{Name: "shop.ltl", Text: formulas})
}

// messages writes a conversation: words are tools that are called, the last one is the answer
// unless it is "".
func messages(calls ...string) string {
	list := []string{`{"role":"user","content":"refund A7"}`}
	for i, name := range calls {
		if i == len(calls)-1 {
			if name != "" {
				list = append(list, fmt.Sprintf(`{"role":"assistant","content":%q}`, name))
			}
			break
		}
		list = append(list,
			fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":"{}"}}]}`, i, name),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":"ok"}`, i))
	}
	return `{"messages":[` + strings.Join(list, ",") + `]}`
}

func TestJudge(t *testing.T) {
	s := specs(t)
	for _, c := range []struct {
		about, text string
		want        string // outcomes of the run and its cells
		reason      string
		line        int
		tool        string
	}{
		{about: "a run that passes", text: messages("lookup", "done"), want: "held: held held held held"},
		{about: "no call: a condition that is never true", text: messages("done"), want: "violated: held untriggered held violated"},
		{about: "two calls", text: messages("lookup", "refund", "done"), want: "violated: held violated held held"},
		{about: "an open run", text: messages("lookup", ""), want: "incomplete: incomplete held incomplete held"},
		{about: "a forbidden tool", text: messages("delete_all", "done"), want: "violated: violated held held held", reason: `"Act" may not begin with "delete_all"; it must be "lookup" or "refund"`, line: 1, tool: "delete_all"},
		{about: "an unknown part", text: strings.Replace(messages("lookup", "done"), `"tool_calls"`, `"tool_colls"`, 1), want: "unread: unread unread unread unread", reason: "*", line: 1},
		{about: "no trace", text: "[1, 2]", want: "unread: unread unread unread unread", reason: "*", line: 1},
		{about: "a violation before an unknown part", text: strings.Replace(messages("lookup", "refund", "done"), `"content":"ok"}]`, `"content":"ok","tool_colls":[]}]`, 1), want: "violated: held violated held held"},
		{about: "an empty text", text: "", want: "incomplete: incomplete incomplete incomplete incomplete", reason: "*"},
	} {
		runs := s.Judge("t.json", c.text, backtest.Options{})
		if len(runs) != 1 {
			t.Errorf("%s: %d runs", c.about, len(runs))
			continue
		}
		got := string(runs[0].Outcome) + ":"
		for _, cell := range runs[0].Cells {
			got += " " + string(cell.Outcome)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s (%+v)", c.about, got, c.want, runs[0])
		}
		cell := runs[0].Cells[0]
		if c.reason != "*" && c.reason != "" && cell.Reason != c.reason || c.reason == "*" && cell.Reason == "" || c.reason != "" && (cell.Line != c.line || cell.Tool != c.tool) {
			t.Errorf("%s: %+v", c.about, cell)
		}
	}
}

func TestSpecsWithErrorsAreNotOpened(t *testing.T) {
	good := workspace.File{Name: "shop.agent", Text: shop}
	for _, c := range []struct {
		about string
		files []workspace.File
		code  string
	}{
		{"no agent", []workspace.File{{Name: "shop.ltl", Text: "F a\n"}}, "backtest.spec"},
		{"nothing", nil, "backtest.spec"},
		{"an agent with an error", []workspace.File{{Name: "shop.agent", Text: "(define shop"}}, "*"},
		{"a formula with an error", []workspace.File{good, {Name: "p.ltl", Text: "F (Act\n"}}, "*"},
		{"an unknown state", []workspace.File{good, {Name: "p.ltl", Text: "F Ack\n"}}, "property.unjudged"},
	} {
		_, err := backtest.Open(language.Table(), c.files)
		if err == nil || c.code != "*" && source.ErrorCode(err) != c.code {
			t.Errorf("%s: %v", c.about, err)
		}
	}
}

func TestFormulasOfOneNameAreTwoRules(t *testing.T) {
	s := open(t,
		workspace.File{Name: "a.agent", Text: shop}, workspace.File{Name: "b.agent", Text: strings.Replace(shop, "define shop", "define other", 1)},
		workspace.File{Name: "p.ltl", Text: "ends: F Ans\n\nends: F Act\n"})
	seen := map[string]bool{}
	for _, r := range s.Rules() {
		if seen[r.Name] {
			t.Errorf("two rules have the name %q", r.Name)
		}
		seen[r.Name] = true
	}
	if len(seen) != 6 {
		t.Errorf("%d rules: %v", len(seen), s.Rules())
	}
	if runs := s.Judge("t.json", messages("lookup", "done"), backtest.Options{}); len(runs) != 1 || runs[0].Outcome != backtest.Held {
		t.Errorf("%+v", runs)
	}
}

// A matrix of all traces is that of its parts, merged.
func TestMatrix(t *testing.T) {
	s := specs(t)
	texts := []string{messages("lookup", "done"), messages("done"), messages("delete_all", "done"), messages("lookup", "refund", "done"), "[1]", messages("lookup", "")}
	whole, parts := s.Matrix(), s.Matrix()
	for range 3 {
		for i, text := range texts {
			part := s.Matrix()
			for _, r := range s.Judge(fmt.Sprintf("t%d.json", i), text, backtest.Options{}) {
				s.Add(whole, r)
				s.Add(part, r)
			}
			if !s.Fits(part) {
				t.Error("a matrix does not fit its specs")
			}
			parts.Merge(part)
		}
	}
	if fmt.Sprintf("%+v", whole) != fmt.Sprintf("%+v", parts) {
		t.Errorf("whole: %+v\nparts: %+v", whole, parts)
	}
	if whole.Total() != 18 || whole.Passes() || backtest.Of(whole.Runs, backtest.Held) != 3 || backtest.Of(whole.Runs, backtest.Unread) != 3 {
		t.Errorf("%+v", whole.Runs)
	}
	want := []backtest.Called{{Name: "delete_all", Calls: 3, Runs: 3}, {Name: "lookup", Calls: 9, Runs: 9, Named: true}, {Name: "refund", Calls: 3, Runs: 3, Named: true}}
	if fmt.Sprint(whole.Tools) != fmt.Sprint(want) {
		t.Errorf("tools: %+v", whole.Tools)
	}
	if n := len(whole.Rules[0].Examples); n != backtest.MaxExamples {
		t.Errorf("%d examples", n)
	}
	if got := whole.Rules[0].Tools; len(got) != 1 || got[0] != (backtest.Counted{Name: "delete_all", Number: 3}) {
		t.Errorf("violations by tool: %v", got)
	}
	if s.Matrix().Passes() {
		t.Error("a matrix of no runs passes")
	}
	if open(t, workspace.File{Name: "shop.agent", Text: shop}).Fits(whole) {
		t.Error("a matrix fits other specs")
	}
}

func TestDifference(t *testing.T) {
	before := specs(t)
	after := open(t, workspace.File{Name: "shop.agent", Text: strings.Replace(shop, `"refund"`, `"delete_all"`, 1)}, workspace.File{Name: "shop.ltl", Text: "ends: F Ans\n\ncalls: F Act\n"})
	d := backtest.NewDifference(before, after)
	for _, text := range []string{messages("lookup", "done"), messages("refund", "done"), messages("delete_all", "done"), messages("lookup", "refund", "done"), "[]"} {
		if err := d.Compare(before, after, before.Judge("t.json", text, backtest.Options{}), after.Judge("t.json", text, backtest.Options{})); err != nil {
			t.Fatal(err)
		}
	}
	if d.Runs != 5 || d.Stopped != 1 || d.Released != 1 || fmt.Sprint(d.Added) != "[shop.ltl: calls]" || fmt.Sprint(d.Removed) != "[shop.ltl: acts-once shop.ltl: after-user]" {
		t.Errorf("%+v", d)
	}
	var got []string
	for _, c := range d.Changes {
		line := fmt.Sprintf("%s→%s", c.Before, c.After)
		for _, r := range c.Rules {
			line += fmt.Sprintf(" %s:%s→%s", r.Name, r.Before, r.After)
		}
		got = append(got, line)
	}
	want := []string{
		"held→violated shop.agent:held→violated",
		"violated→held shop.agent:violated→held",
		"violated→violated shop.agent:held→violated shop.ltl: acts-once:violated→",
		"unread→unread shop.ltl: calls:→unread shop.ltl: acts-once:unread→ shop.ltl: after-user:unread→",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("changes:\n%s", strings.Join(got, "\n"))
	}
	if err := d.Compare(before, after, nil, after.Judge("t.json", "[]", backtest.Options{})); source.ErrorCode(err) != "backtest.runs" {
		t.Errorf("different numbers of runs: %v", err)
	}
}

const dataRules = `approved: refund(order: ?o) -> once lookup.result(input.order: ?o, paid: true)

cap: refund() -> count refund() <= 2

quick: refund() -> once[10m] lookup()

answered: end() -> once message.assistant(text: ~ "done")
`

// chat writes calls with their arguments and results.
func chat(steps ...[3]string) string {
	list := []string{`{"role":"user","content":"x"}`}
	for i, s := range steps {
		list = append(list,
			fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":%q}}]}`, i, s[0], s[1]),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%q}`, i, s[2]))
	}
	return `{"messages":[` + strings.Join(append(list, `{"role":"assistant","content":"done"}`), ",") + `]}`
}

// Rules about data are judged on the calls and results of a trace, with or without an agent.
func TestRulesAboutData(t *testing.T) {
	alone := open(t, workspace.File{Name: "shop.rules", Text: dataRules})
	both := open(t, workspace.File{Name: "shop.agent", Text: shop}, workspace.File{Name: "shop.rules", Text: dataRules})
	look := func(order, paid string) [3]string {
		return [3]string{"lookup", `{"order":"` + order + `"}`, `{"paid":` + paid + `}`}
	}
	refund := func(order string) [3]string {
		return [3]string{"refund", `{"order":"` + order + `","amount":20}`, "ok"}
	}
	for _, c := range []struct {
		about, text, want, reason string
	}{
		{"a refund of a paid order", chat(look("A7", "true"), refund("A7")), "held held fault held", ""},
		{"an order that is not paid", chat(look("A7", "false"), refund("A7")), "violated held fault held", `violates approved for ?o = "A7"`},
		{"another order", chat(look("A8", "true"), refund("A7")), "violated held fault held", `violates approved for ?o = "A7"`},
		{"three refunds", chat(look("A7", "true"), refund("A7"), refund("A7"), refund("A7")), "held violated fault held", ""},
		{"no refund", chat(look("A7", "true")), "untriggered untriggered fault held", ""},
		{"another spelling", chat(look("A7", "true"), [3]string{"Re-fund", `{"order":"A7"}`, "ok"}), "fault fault fault held", `the run calls "Re-fund", another spelling of the tool "refund" of the rule`},
		{"an unknown part before", strings.Replace(chat(look("A8", "true"), refund("A7")), `"role":"user"`, `"role":"user","tool_colls":[{"name":"lookup"}]`, 1), "unread unread fault unread", ""},
		{"the text of a run", "[User] x\n[Answer] done\n", "fault fault fault fault", errNoEvents},
	} {
		for _, s := range []*backtest.Specs{alone, both} {
			runs := s.Judge("t.json", c.text, backtest.Options{})
			if len(runs) != 1 {
				t.Fatalf("%s: %d runs", c.about, len(runs))
			}
			cells := runs[0].Cells[len(s.Rules())-4:]
			var got []string
			for _, cell := range cells {
				got = append(got, string(cell.Outcome))
			}
			if strings.Join(got, " ") != c.want || c.reason != "" && cells[0].Reason != c.reason {
				t.Errorf("%s: %v, want %s: %+v", c.about, got, c.want, cells)
			}
		}
	}
	if !alone.Names("refund") || alone.Names("delete") {
		t.Error("the tools that rules name")
	}
	if _, err := backtest.Open(language.Table(), []workspace.File{{Name: "a.rules", Text: "r: refund(order ?o)\n"}}); err == nil {
		t.Error("rules with an error are opened")
	}
}

const errNoEvents = "the text of a run has no events; rules about data need a trace with calls"

func TestWorse(t *testing.T) {
	for i, a := range backtest.Outcomes() {
		for j, b := range backtest.Outcomes() {
			w := backtest.Worse(a, b)
			if w != backtest.Worse(b, a) {
				t.Errorf("%s and %s depend on their order", a, b)
			}
			if w.Passes() != (a.Passes() && b.Passes()) {
				t.Errorf("%s and %s: %s", a, b, w)
			}
			if max(i, j) >= 2 && w != backtest.Outcomes()[max(i, j)] {
				t.Errorf("%s and %s: %s", a, b, w)
			}
		}
	}
	if backtest.Worse(backtest.Held, backtest.Untriggered) != backtest.Held {
		t.Error("a run with a rule that was held is untriggered")
	}
}

// A trace without a run has a reason that names the cause.
func TestReasonsOfTracesWithoutARun(t *testing.T) {
	s := open(t, workspace.File{Name: "wipe.rules", Text: "wipe: !delete_all()\n"})
	for text, want := range map[string]string{
		"":          "the trace is empty",
		"\ufeff \n": "the trace is empty",
		"{}":        "no message found",
		`[{"role":"system","content":"You refund orders."}]`:                                       "no message of a user or a model",
		`{"statusCode":200,"body":"eyJtZXNzYWdlcyI6W3sicm9sZSI6InVzZXIiLCJjb250ZW50IjoieCJ9XX0="}`: "content in base64",
		"> Entering new AgentExecutor chain...\nInvoking: `delete_all`\n":                          "LangChain AgentExecutor output",
	} {
		runs := s.JudgePart(backtest.Part{Name: "t", Text: text}, backtest.Options{})
		if len(runs) != 1 || runs[0].Outcome != backtest.Unread || !strings.Contains(runs[0].Cells[0].Reason, want) {
			t.Errorf("%q: %+v", text, runs)
		}
	}
}
