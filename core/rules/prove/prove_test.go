package prove

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

func parsed(t testing.TB, text string) *rules.File {
	t.Helper()
	f := rules.Parse(source.NewFile("policy.rules", text))
	if source.HasErrors(f.Diagnostics) {
		t.Fatalf("%s\n%+v", text, f.Diagnostics)
	}
	return f
}

func events(t testing.TB, lines ...string) (out []rules.RawEvent) {
	t.Helper()
	for _, line := range lines {
		var e rules.RawEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

const policy = `
approved: refund(order: ?o, amount: ?a) -> once[10m] approve(order: ?o, limit: ?l) & ?a <= ?l
four-eyes: refund(order: ?o, @agent: ?a) -> once (approve(order: ?o, @agent: ?b) & ?a != ?b)
budget: refund() -> sum[24h] ?x for refund(amount: ?x) <= 1000
distinct: read() -> count[1h] distinct ?f for read(file: ?f) <= 20 & min ?p for read(page: ?p) >= 0
fresh: transfer(account: ?a) -> (!logout()) since[1h] login.result(input.account: ?a, input: ?i, ok: true) & ?i != null
tagged: close(tags: has "urgent") -> previous message.user(text: ~ "(?i)\byes\b")
calm: deploy(@time: ?t) -> historically[1h] !*.error() & once (plan(at: ?p) & ?t - ?p <= 60)
crossed: a(x: ?x) -> ((!b(y: ?y)) since c(z: ?z)) & ((!d(z: ?z)) since e(y: ?y)) | ?x * 2 < 1e-3
closed: end() -> !((!close(file: ?f)) since open(file: ?f))
names: pay(env: in ("test", "staging"), note: > "m") -> end() | !once pay(env: "production")
`

// Each text has no faults and is the same each time.
func TestTextsAreValid(t *testing.T) {
	f := parsed(t, policy)
	other := parsed(t, "approved: refund(order: ?o) -> once[1h] approve(order: ?o)\n")
	var queries []Query
	for i := range f.Rules {
		queries = append(queries, Query{Question: Violable, File: f, Rule: i}, Query{Question: Applies, File: f, Rule: i}, Query{Question: Applies, File: f, Rule: i, Alone: true}, Query{Question: Superfluous, File: f, Rule: i})
	}
	queries = append(queries,
		Query{Question: Callable, File: f, Tool: "refund"}, Query{Question: Callable, File: f, Tool: "unknown", Tools: []string{"unknown", "refund"}},
		Query{Question: Reachable, File: f, Goal: parsed(t, "goal: once refund(amount: > 7)\n")},
		Query{Question: Stricter, File: f, Other: other}, Query{Question: Looser, File: f, Other: other})
	for _, q := range queries {
		for k := 1; k <= 3; k++ {
			for _, plain := range []bool{false, true} {
				c, err := q.Encode(k, plain, nil)
				if err != nil {
					t.Fatalf("%s: %v", q.Question, err)
				}
				again, err := q.Encode(k, plain, nil)
				if err != nil || again.Text != c.Text {
					t.Fatalf("%s: another text, %v", q.Question, err)
				}
				if _, found := solve.Check(solve.Z3, source.NewFile("z3", c.Text)); len(found) > 0 {
					t.Fatalf("%s of %d events: %+v\n%s", q.Question, k, found[0], c.Text)
				}
			}
		}
	}
}

func TestRulesWithErrorsAreRefused(t *testing.T) {
	f := rules.Parse(source.NewFile("r.rules", "a: refund(\nb: pay()\n"))
	if err := (Query{Question: Violable, File: f, Rule: 1}).Check(); err == nil || source.ErrorCode(err) != "rules.fault" {
		t.Error(err)
	}
}

func TestLargeNumbersAreRefused(t *testing.T) {
	f := parsed(t, "a: !pay(amount: > 1e500)\n")
	if _, err := (Query{Question: Violable, File: f}).Encode(1, false, nil); err == nil || source.ErrorCode(err) != "limit.prove" {
		t.Error(err)
	}
}

// A model of Z3 becomes events: strings get the order of their ranks, and regular expressions match
// them as the model says.
func TestModelsAreDecoded(t *testing.T) {
	f := parsed(t, `a: pay(to: ?t, note: ~ "^x", tags: has 1, deep.er: ?d, deep: ?e, @agent: ?g) -> !pay(to: "m") | ?e = ?t | ?d < ?t | ?g = ?t`+"\n")
	q := Query{Question: Violable, File: f}
	c, err := q.Encode(1, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	model := map[string]string{}
	for n, s := range c.e.shapes {
		model[name("e", 0, n)] = boolean(s.kind == "call" && s.name == "pay")
	}
	set := func(path, kind, x string) int {
		at, ok := c.e.pathOf[path]
		if !ok {
			t.Fatalf("no path %q", path)
		}
		model[name("k", 0, at)], model[name("x", 0, at)] = kind, x
		return at
	}
	set("to", kindString, "1/2")
	set("@agent", kindString, "-1")
	set("deep\x00er", kindNumber, "-5/4")
	set("deep", kindObject, "3")
	model[name("m", 0, set("note", kindString, "7"), 0)] = yes
	model[name("h", 0, set("tags", kindList, "0"), 0)] = yes
	model["t0"] = "1/4"
	decode := func() (session, string) {
		var list []solve.Value
		for k, v := range model {
			list = append(list, solve.Value{Name: k, Value: v})
		}
		return c.decode(list)
	}
	s, fault := decode()
	if fault != "" {
		t.Fatal(fault)
	}
	raw, _ := json.Marshal(s.run())
	expected := `[{"name":"pay","fields":{"deep":{"_":{"_":"3"},"er":-1.25},"note":"x","tags":[1,"list 0"],"to":"n"},"time":0.25,"agent":"a"}]`
	if string(raw) != expected {
		t.Errorf("%s, expected %s", raw, expected)
	}
	set("to", kindNumber, "1/3")
	if _, fault := decode(); !strings.Contains(fault, "which no decimal writes") {
		t.Error(fault)
	}
	set("to", kindNumber, "(root-obj (+ (^ x 2) (- 2)) 2)")
	if _, fault := decode(); !strings.Contains(fault, "irrational") {
		t.Error(fault)
	}
}

func TestSessionsAreConfirmedAndSimplified(t *testing.T) {
	f := parsed(t, policy)
	start := session{
		events: events(t, `{"name":"approve","time":0.5,"agent":"z","id":1}`, `{"name":"refund","time":601.75}`),
		fields: []map[string]json.RawMessage{
			{"order": json.RawMessage(`"m"`), "limit": json.RawMessage("17.25"), "note": json.RawMessage("true")},
			{"order": json.RawMessage(`"m"`), "amount": json.RawMessage("17.25")},
		},
	}
	q := Query{Question: Violable, File: f}
	why, ok := q.Confirm(start.run())
	if !ok || why != `violates approved for ?o = "m", ?a = 17.25` {
		t.Fatal(why, ok)
	}
	if got := Lines(q.simplify(start).run()); !slices.Equal(got, []string{"approve()", `refund(amount: 1, order: "a")`}) {
		t.Error(got)
	}
	q = Query{Question: Stricter, File: parsed(t, "a: refund() -> once[1h] approve()\n"), Other: parsed(t, "a: refund() -> once[10m] approve()\n")}
	if got := Lines(q.simplify(start).run()); !slices.Equal(got, []string{"approve()", "refund(@time: 601)"}) {
		t.Error(got)
	}
	for _, c := range []struct {
		q  Query
		ok bool
	}{
		{Query{Question: Violable, File: f, Rule: 2}, false},
		{Query{Question: Callable, File: f, Tool: "refund"}, false}, // not permitted
		{Query{Question: Callable, File: parsed(t, "a: !pay()\n"), Tool: "refund"}, true},
		{Query{Question: Callable, File: parsed(t, "a: !pay()\n"), Tool: "approve"}, false},
		{Query{Question: Callable, File: parsed(t, "a: !pay()\n"), Tool: "refund", Tools: []string{"refund"}}, false},
		{Query{Question: Applies, File: f, Rule: 4, Alone: true}, false},
		{Query{Question: Applies, File: parsed(t, "a: refund() -> once approve()\n")}, true},
		{Query{Question: Superfluous, File: parsed(t, "a: !refund()\nb: !pay()\n")}, true},
		{Query{Question: Superfluous, File: parsed(t, "a: !refund()\nb: refund() -> once pay()\n")}, false},
		{Query{Question: Reachable, File: parsed(t, "a: !pay()\n"), Goal: parsed(t, "goal: once approve()\n")}, true},
		{Query{Question: Reachable, File: parsed(t, "a: !pay()\n"), Goal: parsed(t, "goal: approve()\n")}, false},
	} {
		if _, ok := c.q.Confirm(start.run()); ok != c.ok {
			t.Errorf("%s of %v: %v", c.q.Question, c.q.File.Rules[0].Name, ok)
		}
	}
	if _, ok := q.Confirm(nil); ok {
		t.Error("a session without events")
	}
}

// The lines of a run are read as the same run.
func TestLinesAreRead(t *testing.T) {
	run := events(t,
		`{"name":"refund","fields":{"order":"a\"b","deep":{"er":-1.5,"é":null}},"agent":"x","time":3}`,
		`{"name":"a.b","kind":"result","fields":{"list":[1]},"time":3}`,
		`{"name":"once","kind":"error","id":7,"time":4}`,
		`{"kind":"message","name":"user","fields":{"text":"hi"},"time":4}`,
		`{"kind":"end","time":4}`)
	lines := Lines(run)
	read, found := rules.ReadRun(strings.Join(lines, "\n"))
	if len(found) > 0 || len(read.Events) != len(run) {
		t.Fatalf("%q: %+v", lines, found)
	}
	for i, raw := range run {
		e, err := rules.ReadEvent(raw, i)
		if err != nil {
			t.Fatal(err)
		}
		got := read.Events[i]
		if got.Describe() != e.Describe() || got.Time.String() != e.Time.String() || got.Name != e.Name && e.Kind != "end" {
			t.Errorf("%s: %s, expected %s", lines[i], got.Describe(), e.Describe())
		}
	}
}

func TestSentencesHaveTheBound(t *testing.T) {
	q := Query{Question: Callable, Tool: "pay"}
	for _, c := range []struct {
		a        Answer
		expected string
	}{
		{Answer{Status: None, UpTo: 8}, "no permitted session of up to 8 events ends with a call of pay"},
		{Answer{Status: Unknown, UpTo: 2, Message: "out of time"}, "not decided for 3 events: out of time"},
		{Answer{Status: Unconfirmed, Message: "why"}, "not confirmed for 1 event: why"},
		{Answer{Status: Found, Events: make([]rules.RawEvent, 1)}, "a permitted session of 1 event ends with a call of pay"},
	} {
		if got := q.Sentence(c.a); got != c.expected {
			t.Errorf("%q, expected %q", got, c.expected)
		}
	}
	seen := map[string]bool{}
	for _, question := range Questions {
		for _, status := range []Status{Found, None} {
			text := Query{Question: question}.Sentence(Answer{Status: status, UpTo: 3, Events: make([]rules.RawEvent, 2)})
			if seen[text] {
				t.Errorf("%q twice", text)
			}
			seen[text] = true
		}
	}
}

// The contracts of tools restrict the fields of sessions.
func TestContractsRestrictSessions(t *testing.T) {
	contracts := &rules.Contracts{}
	contracts.ReadContracts("tools.json", `[{"name": "pay", "inputSchema": {"type": "object", "properties": {
		"amount": {"type": "integer", "minimum": 1, "exclusiveMaximum": 10}, "env": {"enum": ["test", "staging", 3]}}}}]`)
	q := Query{Question: Violable, File: parsed(t, `a: pay(amount: ?a, env: ?e) -> ?a < 5 & once pay(env: != "test")`+"\n"), Contracts: contracts}
	c, err := q.Encode(2, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, found := solve.Check(solve.Z3, source.NewFile("z3", c.Text)); len(found) > 0 {
		t.Fatalf("%+v\n%s", found[0], c.Text)
	}
	for _, part := range []string{"(< x0_0 10.0)", "(>= x0_0 1.0)", "(= 0.0 x0_1)", "(= 1.0 x0_1)", "(= 3.0 x0_1)"} {
		if !strings.Contains(c.Text, part) {
			t.Errorf("no %s in\n%s", part, c.Text)
		}
	}
	for line, ok := range map[string]bool{
		`{"name":"pay","fields":{"amount":9,"env":"test"}}`: true, `{"name":"pay","fields":{"amount":10,"env":"test"}}`: false,
		`{"name":"pay","fields":{"amount":9,"env":"prod"}}`: false, `{"name":"pay","fields":{"amount":"9","env":3}}`: false,
	} {
		if _, got := q.Confirm(events(t, line)); got != ok {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// Rules that both versions have are not asked for: where the other rules of a version hold, only a
// changed rule can be violated.
func TestComparisonsAskForChangedRules(t *testing.T) {
	const kept = "kept: pay(to: ?t) -> once  approve(to: ?t) # a comment\n"
	f, other := parsed(t, kept+"cap: pay(amount: ?a) -> ?a <= 5\n"), parsed(t, "cap: pay(amount: ?a) -> ?a <= 6\nrenamed: pay(to: ?t)\n  -> once approve(to: ?t)\n")
	for _, question := range []Question{Stricter, Looser} {
		hold, violated := Query{Question: question, File: f, Other: other}.parts()
		if len(hold) != 2 || len(violated) != 1 || violated[0].rule.Name != "cap" {
			t.Errorf("%s: %d rules hold, %v", question, len(hold), violated)
		}
		same := Query{Question: question, File: f, Other: parsed(t, kept+"other: pay(amount: ?a) -> ?a <= 5")}
		if a, ok := same.direct(nil); !ok || a.Status != None || !a.Exact || !strings.Contains(same.Sentence(a), "every session of any length") {
			t.Errorf("%s of the same rules: %+v", question, a)
		}
	}
}
