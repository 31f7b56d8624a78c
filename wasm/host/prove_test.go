package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	corejson "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/cedar"
	"github.com/stile-playground/stile/core/rules/prove"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// starterRules returns the rules of a new file.
func starterRules(t testing.TB) string {
	t.Helper()
	for _, f := range txtar.Parse([]byte(language.Table().Kind(workspace.KindRules).Facts.Starter)).Files {
		if f.Name == "policy.rules" {
			return string(f.Data)
		}
	}
	t.Fatal("the starter has no rules")
	return ""
}

// proved returns the answers to a question.
func proved(t testing.TB, s *host.Solvers, settings session.ProveSettings) []session.ProveAnswer {
	t.Helper()
	return provedWith(t, s, settings, "")
}

// provedWith returns the answers to a question in a workspace with contracts, "" for none.
func provedWith(t testing.TB, s *host.Solvers, settings session.ProveSettings, contracts string) []session.ProveAnswer {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	params := session.RunStartParams{Kind: session.RunProve, Settings: raw}
	if contracts != "" {
		params.Workspace.Files = []session.File{{Name: "tools.mcp.json", Text: contracts}}
	}
	runner := host.Runner{Handler: host.Native(session.New()), Solve: s.Solve}
	done, err := runner.Run(context.Background(), params)
	if err != nil {
		t.Fatalf("%+v: %v", settings, err)
	}
	var out session.ProveOutcome
	if err := json.Unmarshal(done.Result, &out); err != nil {
		t.Fatal(err)
	}
	return out.Answers
}

// TestStarterRulesAreViolableAndApply asks every question about the rules of a new file.
func TestStarterRulesAreViolableAndApply(t *testing.T) {
	answers := proved(t, solvers(t), session.ProveSettings{Source: starterRules(t), Question: "check"})
	for _, a := range answers {
		if !a.Good || a.Answer.Status != prove.Found {
			t.Errorf("%s of %s%s: %s %v", a.Question, a.Rule, a.Tool, a.Text, a.Lines)
		}
	}
	if len(answers) != 10*3+12 {
		t.Errorf("%d answers", len(answers))
	}
}

// TestContractsMakeRulesVacuous asks about a rule that only other types of arguments violate.
func TestContractsMakeRulesVacuous(t *testing.T) {
	s := solvers(t)
	settings, err := json.Marshal(session.ProveSettings{Source: "a: pay(amount: ?a, env: ?e) -> ?a < 10 | ?e = \"test\"\n", Question: "violable", Rule: "a", Max: 2})
	if err != nil {
		t.Fatal(err)
	}
	for maximum, expected := range map[string]string{"9": "no session of up to 2 events violates the rule", "10": "a session of 1 event violates the rule"} {
		files := []session.File{{Name: "pay.mcp.json", Text: `{"tools": [{"name": "pay", "inputSchema": {"type": "object", "properties": {"amount": {"type": "number", "maximum": ` + maximum + `}, "env": {"enum": ["test", "live"]}}}}]}`}}
		runner := host.Runner{Handler: host.Native(session.New()), Solve: s.Solve}
		done, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunProve, Workspace: session.RunWorkspace{Files: files}, Settings: settings})
		if err != nil {
			t.Fatal(err)
		}
		var out session.ProveOutcome
		if err := json.Unmarshal(done.Result, &out); err != nil {
			t.Fatal(err)
		}
		a := out.Answers[0]
		if a.Text != expected || len(out.Contracts) != 16 || maximum == "10" && a.Lines[0] != `pay(amount: 10, env: "live")` {
			t.Errorf("maximum %s: %s %v", maximum, a.Text, a.Lines)
		}
	}
}

// TestSpecsRestrictSessions asks with and without a spec for the order of calls.
func TestSpecsRestrictSessions(t *testing.T) {
	s := solvers(t)
	const policy = "approved: refund(order: ?o) -> once[10m] approve(order: ?o)\nlogged: refund(order: ?o) -> once log(order: ?o)\n"
	agent := session.File{Name: "shop.agent", Text: `(define shop (:states (approve (:text "Approve:")) (refund (:text "Refund:")) (log (:text "Log:"))) (:behavior (next approve refund log)))`}
	nested := session.File{Name: "shop.cfg", Text: "S -> approve S log | refund\n"}
	for _, c := range []struct {
		words    *session.File
		settings session.ProveSettings
		text     string
		lines    string
	}{
		{nil, session.ProveSettings{Question: "violable", Rule: "approved"}, "a session of 1 event violates the rule", `refund(order: "a")`},
		{&agent, session.ProveSettings{Question: "violable", Rule: "approved"}, "a session of 2 events within shop.agent violates the rule", `approve() refund(order: "a")`},
		{&agent, session.ProveSettings{Question: "applies", Rule: "logged"}, "the rule applies in no permitted session of up to 4 events within shop.agent", ""},
		{&agent, session.ProveSettings{Question: "callable", Tool: "log"}, "a permitted session of 3 events within shop.agent ends with a call of log", `approve() refund() log()`},
		{&agent, session.ProveSettings{Question: "callable", Tool: "pay"}, "no permitted session of any length within shop.agent ends with a call of pay", ""},
		{&nested, session.ProveSettings{Question: "superfluous", Rule: "logged"}, "needed: a session of 2 events within shop.cfg violates no other rule", `approve(order: "a") refund(order: "a")`},
		{&nested, session.ProveSettings{Question: "reachable", Goal: "end() & once refund()"}, "a permitted session of 2 events within shop.cfg reaches the goal", `refund() end()`},
		{&nested, session.ProveSettings{Question: "reachable", Goal: "end() & once approve()"}, "a permitted session of 4 events within shop.cfg reaches the goal", `approve() refund() log() end()`},
		{&nested, session.ProveSettings{Question: "stricter", Other: "approved: log() -> once[10m] refund()\n"}, "a session of 3 events within shop.cfg that this one permits", ""},
	} {
		c.settings.Source, c.settings.Words, c.settings.Max = policy, c.words, 4
		a := proved(t, s, c.settings)[0]
		if !strings.Contains(a.Text, c.text) || c.lines != "" && strings.Join(a.Lines, " ") != c.lines {
			t.Errorf("%s: %s %v, expected %s %s", c.settings.Question, a.Text, a.Lines, c.text, c.lines)
		}
	}
}

// TestLimitsNeedAnAutomaton refuses words for which the search would be inexact.
func TestLimitsNeedAnAutomaton(t *testing.T) {
	settings, err := json.Marshal(session.ProveSettings{
		Source: "a: !pay(x: 1)\n", Question: "check", Words: &session.File{Name: "shop.cfg", Text: "S -> pay S log | log S pay | ε | out\nlimit 1 out\n"},
	})
	if err != nil {
		t.Fatal(err)
	}
	runner := host.Runner{Handler: host.Native(session.New())}
	if _, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunProve, Settings: settings}); err == nil || !strings.Contains(err.Error(), "shop.cfg has limits") {
		t.Error(err)
	}
}

// plantedFaults are the faults that a test plants in the rules of a new file: a wrong field, a wrong window,
// and swapped sides. Each has a rule, a part of it and the part with the fault.
func plantedFaults(t *testing.T) (list [][3]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/planted-faults.json")
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPlantedFaultsAreFound compares the rules with a version that has one fault.
func TestPlantedFaultsAreFound(t *testing.T) {
	s := solvers(t)
	text := starterRules(t)
	seen := map[string]bool{}
	step := 1
	if os.Getenv("STILE_LONG") == "" {
		step = 5
	}
	for i, fault := range plantedFaults(t) {
		rule, from, to := fault[0], fault[1], fault[2]
		seen[rule] = true
		if i%step > 0 {
			continue
		}
		at := strings.Index(text, "\n"+rule+":")
		end := at + 1 + strings.IndexByte(text[at+1:], '\n')
		line := strings.Replace(text[at:end], from, to, 1)
		if at < 0 || line == text[at:end] {
			t.Fatalf("the rule %s has no %q", rule, from)
		}
		// The directions take turns, so the first session needs the requests of both up to its length.
		found, first := 0, prove.MaxEvents+1
		var tried []prove.Tried
		for _, a := range proved(t, s, session.ProveSettings{
			Source: text, Question: "compare", Other: text[:at] + line + text[end:], Limits: solve.Limits{Milliseconds: 5000},
		}) {
			tried = append(tried, a.Answer.Tried...)
			switch a.Answer.Status {
			case prove.Found:
				found++
				first = min(first, len(a.Answer.Events))
				t.Logf("%s → %s: %s: %s", from, to, a.Text, strings.Join(a.Lines, " "))
			case prove.None:
			default:
				t.Errorf("%s → %s: %s", from, to, a.Text)
			}
		}
		early, all := 0, 0
		for _, request := range tried {
			if all += request.Milliseconds; request.Events <= first {
				early += request.Milliseconds
			}
		}
		t.Logf("%s: %d ms of Z3 until a session of %d events, %d ms in all", rule, early, first, all)
		if found == 0 {
			t.Errorf("%s → %s: no difference", from, to)
		}
	}
	if len(seen) != 10 {
		t.Errorf("faults of %d rules", len(seen))
	}
}

// generator writes random rules about the tools a and b, the field x and few values.
type generator struct{ *rand.Rand }

func (g generator) of(list ...string) string { return list[g.IntN(len(list))] }

func (g generator) atom() string {
	name := g.of("a", "a", "b", "b", "*", "a.result", "*.result")
	switch g.IntN(12) {
	case 0:
		return "end()"
	case 1:
		return name + "()"
	case 2:
		return name + "(x: " + g.of("1", "2", `"s"`, "_", ">= 2", "!= 1", "in (1, \"s\")", `~ "^s"`) + ")"
	}
	return name + "(x: ?" + g.of("v", "v", "w") + ")"
}

func (g generator) window() string { return g.of("", "", "[5s]") }

func (g generator) term(depth int) string {
	switch g.IntN(7) {
	case 0:
		return g.of("1", "2", `"s"`)
	case 1:
		return "count" + g.window() + " (" + g.formula(depth-1) + ")"
	case 2:
		return g.of("sum", "min", "max", "count") + g.window() + " ?u for " + g.of("a", "b", "*") + "(x: ?u)"
	case 3:
		return "?v + 1"
	}
	return "?" + g.of("v", "w")
}

func (g generator) formula(depth int) string {
	if depth <= 0 {
		return g.atom()
	}
	inner := func() string { return "(" + g.formula(depth-1) + ")" }
	switch g.IntN(11) {
	case 0:
		return inner() + " | " + inner()
	case 1, 2:
		return inner() + " & " + inner()
	case 3:
		return "!" + inner()
	case 4, 5:
		return "once" + g.window() + " " + inner()
	case 6:
		return "historically" + g.window() + " " + inner()
	case 7:
		return "previous" + g.window() + " " + inner()
	case 8:
		return inner() + " since" + g.window() + " " + inner()
	case 9:
		return g.term(depth) + " " + g.of("=", "!=", "<", "<=", ">", ">=") + " " + g.term(depth)
	}
	return g.atom()
}

// rule returns a rule without errors.
func (g generator) rule(name string) string {
	for {
		text := name + ": " + g.formula(2)
		if g.IntN(3) > 0 {
			text = name + ": " + g.formula(g.IntN(2)) + " -> " + g.formula(2)
		}
		text = strings.ReplaceAll(text, "count ?u for", "count distinct ?u for")
		text = strings.ReplaceAll(text, "count[5s] ?u for", "count[5s] distinct ?u for")
		if f := rules.Parse(source.NewFile("r.rules", text)); !source.HasErrors(f.Diagnostics) {
			return text + "\n"
		}
	}
}

// tiny lists the events of a small domain, without times.
func tiny() (out []rules.RawEvent) {
	result, end := "result", "end"
	for _, e := range []rules.RawEvent{{Name: "a"}, {Name: "b"}, {Name: "a", Kind: &result}, {Name: "o"}} {
		for _, x := range []string{"", "-1", "0", "1", "2", `"s"`, `"t"`} {
			if e.Fields = nil; x != "" {
				e.Fields = corejson.RawMessage(`{"x":` + x + `}`)
			}
			out = append(out, e)
		}
	}
	return append(out, rules.RawEvent{Kind: &end})
}

// brute returns the shortest session of the small domain.
func brute(q prove.Query, most int) []rules.RawEvent {
	domain := tiny()
	for k := 1; k <= most; k++ {
		var found []rules.RawEvent
		var extend func(run []rules.RawEvent, time int) bool
		extend = func(run []rules.RawEvent, time int) bool {
			if len(run) == k {
				if _, ok := q.Confirm(run); ok {
					found = append(found, run...)
				}
				return found != nil
			}
			if len(run) > 0 && run[len(run)-1].Kind != nil && *run[len(run)-1].Kind == "end" {
				return false
			}
			for _, step := range []int{0, 6} {
				if len(run) == 0 && step > 0 {
					continue
				}
				for _, e := range domain {
					e.Time = corejson.RawMessage(fmt.Sprint(time + step))
					if extend(append(run, e), time+step) {
						return true
					}
				}
			}
			return false
		}
		if extend(make([]rules.RawEvent, 0, k), 0) {
			return found
		}
	}
	return nil
}

// wordsOf returns a spec that restricts the sessions of a case, or nil. Its words are read by another
// algorithm than the one that restricts them.
func wordsOf(t testing.TB, n int) (*session.File, *prove.Words) {
	specs := []*session.File{
		nil,
		{Name: "nested.cfg", Text: "S -> a S b | o S | ε\n"},
		{Name: "left.cfg", Text: "S -> S a b | S o | b\n"},
		{Name: "few.cfg", Text: "S -> a S | b S | o\nlimit 1 a\n"},
		{Name: "stack.pda", Text: "start in Z\naccept done\nin -> in (a, Z; A Z)\nin -> in (a, A; A A)\nin -> in (b, A; ε)\nin -> in (o, *; *)\nin -> done (ε, Z; Z)\n"},
	}
	f := specs[n%len(specs)]
	if f == nil {
		return nil, nil
	}
	file := source.NewFile(f.Name, f.Text)
	spec, found := language.Table().Of(f.Name).Spec(file)
	generator, ok := spec.(notation.Generator)
	if source.HasErrors(found) || !ok {
		t.Fatal(f.Name, found)
	}
	set, err := generator.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	return f, &prove.Words{Name: f.Name, Letters: set.Language.Letters(), Read: func(calls []string) (begins, complete bool) {
		r, err := set.Read(calls, nil)
		return err == nil && r.Fit == len(calls), err == nil && r.Complete
	}}
}

// TestSessionsAreThoseOfTryingAll compares the length of Z3's session with that of the shortest session
// of a small domain. The monitor confirms each session of Z3.
func TestSessionsAreThoseOfTryingAll(t *testing.T) {
	s := solvers(t)
	g := generator{rand.New(rand.NewPCG(7, 11))}
	parsed := func(text string) *rules.File { return rules.Parse(source.NewFile("r.rules", text)) }
	found, outside := 0, 0
	cases := 12
	if os.Getenv("STILE_LONG") != "" {
		cases = 400
	}
	for n := range cases {
		first, second, goal := g.rule("r")+g.rule("s"), g.rule("r")+g.rule("s"), g.rule("goal")
		f, other := parsed(first), parsed(second)
		spec, words := wordsOf(t, n)
		for _, q := range []prove.Query{
			{Question: prove.Violable, File: f}, {Question: prove.Applies, File: f}, {Question: prove.Superfluous, File: f},
			{Question: prove.Stricter, File: f, Other: other}, {Question: prove.Looser, File: f, Other: other},
			{Question: prove.Callable, File: f, Tool: "a"}, {Question: prove.Reachable, File: f, Goal: parsed(goal)},
		} {
			if q.Words = words; words != nil {
				q.Tools = words.Letters
			}
			expected := brute(q, 2)
			a := proved(t, s, session.ProveSettings{
				Words: spec, Source: first, Other: second, Question: string(q.Question), Rule: "r", Tool: "a", Goal: strings.TrimPrefix(goal, "goal: "), Max: 2,
			})[0]
			switch got := a.Answer.Events; {
			case a.Answer.Status != prove.Found && a.Answer.Status != prove.None:
				t.Fatalf("case %d: %s of\n%swith\n%s%s: %s", n, q.Question, first, second, goal, a.Text)
			case len(got) > 2 && a.Answer.Exact && expected == nil: // beyond the bound
			case len(got) > 0 && (expected == nil || len(got) < len(expected)):
				outside++ // the small domain lacks its values
			case len(got) != len(expected):
				t.Fatalf("case %d: %s of\n%swith\n%s%s: got %v, expected %v", n, q.Question, first, second, goal, a.Lines, prove.Lines(expected))
			case len(got) > 0:
				found++
			}
		}
	}
	t.Logf("%d sessions agree, %d are outside the small domain", found, outside)
	if found == 0 || outside > found/20 {
		t.Errorf("%d sessions agree, %d are outside the small domain", found, outside)
	}
}

// The permits of dogwood-policy/dogwood issue 15: each requires the response of a tool that no
// permit applies to.
func TestVacuousPermitsAreFound(t *testing.T) {
	const policies = `
permit (principal, action == Action::"load_portfolio", resource)
when temporal { formerly within 5m Action::"get_client_profile"::response{} };
`
	const missing = `permit (principal, action == Action::"get_client_profile", resource);`
	for text, want := range map[string]string{policies: "", policies + missing: "get_client_profile()"} {
		imported, found, _ := cedar.Import(source.NewFile("in.dw", text), cedar.Options{})
		if len(found) > 0 {
			t.Fatal(found)
		}
		a := proved(t, solvers(t), session.ProveSettings{Source: imported, Question: "callable", Tool: "load_portfolio", Max: 4})[0]
		if want == "" && (a.Good || len(a.Lines) > 0) || want != "" && (!a.Good || len(a.Lines) != 3 || !strings.HasPrefix(a.Lines[0], want)) {
			t.Errorf("%s: %s %v", text, a.Text, a.Lines)
		}
	}
}
