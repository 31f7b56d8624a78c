package guard

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

var ruleTools = []string{"pay", "refund", "look"}

// ruleWriter writes random rules.
type ruleWriter struct{ r *rand.Rand }

func (w ruleWriter) one(list ...string) string { return list[w.r.IntN(len(list))] }

func (w ruleWriter) window() string { return w.one("", "", "[3s]", "[10s]", "[1m]") }

func (w ruleWriter) variable() string { return w.one("?x", "?x", "?y", "?z") }

func (w ruleWriter) literal() string {
	return w.one("1", "7", "-2.5", "1e3", `"a"`, `"é😀"`, "true", "null", "7.00")
}

func (w ruleWriter) atom() string {
	name := w.one(ruleTools...) + w.one("", "", "", ".result", ".error")
	switch w.r.IntN(12) {
	case 0:
		name = "*" + w.one("", ".result")
	case 1:
		name = "message" + w.one("", ".user")
	case 2:
		return "end()"
	}
	var patterns []string
	used := map[string]bool{}
	for range w.r.IntN(3) {
		path := w.one("a", "a", "b", "c.d", "text", "value", "input.a", "@time", "@agent", "@id", "__proto__")
		if used[path] {
			continue
		}
		used[path] = true
		test := w.variable()
		switch w.r.IntN(9) {
		case 0:
			test = w.literal()
		case 1:
			test = w.one("<", "<=", ">", ">=", "!=") + " " + w.literal()
		case 2:
			test = `~ "` + w.one(`a`, `^[a-z]+$`, `(?i)É`, `\\bab*\\b`, `^$`, `\\pL{2}`, `x|.😀`, `(?m)^b$`, `[^a]`) + `"`
			test = strings.ReplaceAll(test, `\\`, `\`)
		case 3:
			test = "in (" + w.literal() + ", " + w.literal() + ")"
		case 4:
			test = "has " + w.literal()
		case 5:
			test = "_"
		}
		patterns = append(patterns, path+": "+test)
	}
	return name + "(" + strings.Join(patterns, ", ") + ")"
}

func (w ruleWriter) term(depth int) string {
	switch w.r.IntN(8) {
	case 0, 1:
		return w.literal()
	case 2:
		return "count" + w.window() + " (" + w.formula(depth-1) + ")"
	case 3:
		return "count" + w.window() + " distinct ?v for " + w.one(ruleTools...) + "(a: ?v" + w.one("", ", b: ?x") + ")"
	case 4:
		return w.one("sum", "min", "max") + w.window() + " ?v for (" + w.one(ruleTools...) + "(a: ?v" + w.one("", ", b: ?x", ", b: ?y") + ")" + w.one("", " & ?v < ?x", " & once look(b: ?y)") + ")"
	case 5:
		return w.variable() + " " + w.one("+", "-", "*") + " " + w.one(w.variable(), w.literal())
	}
	return w.variable()
}

func (w ruleWriter) formula(depth int) string {
	if depth <= 0 {
		return w.atom()
	}
	some := func() string { return "(" + w.formula(depth-1) + ")" }
	switch w.r.IntN(13) {
	case 0, 1:
		return w.atom() + " & " + w.term(depth) + " " + w.one("=", "!=", "<", "<=", ">", ">=") + " " + w.term(depth)
	case 2, 3:
		return "once" + w.window() + " " + some()
	case 4:
		return "historically" + w.window() + " " + some()
	case 5:
		return "previous" + w.window() + " " + some()
	case 6, 7:
		return some() + " since" + w.window() + " " + some()
	case 8:
		return "!" + some()
	case 9:
		return some() + " | " + some()
	case 10:
		return some() + " & " + some()
	case 11:
		return "!" + some() + " & " + w.atom()
	}
	return w.atom()
}

// templates are rules as users write them.
var templates = []string{
	"refund(b: ?x, a: ?y) -> once[10s] look(b: ?x, a: ?z) & ?y <= ?z", "refund(b: ?x) -> count refund(b: ?x) <= count look(b: ?x)", `!pay(b: "a")`,
	"refund(b: ?x) -> count[10s] refund(b: ?x) <= 3", "pay() -> sum[10s] ?x for pay(a: ?x) <= 10", "pay(a: ?x) -> (!refund()) since look(a: ?y) & ?x <= ?y",
	"pay(b: ?x) -> (!refund()) since[10s] look.result(input.b: ?x)", "end() -> !((!refund(b: ?x)) since pay(b: ?x))",
	"pay(a: ?x) -> ?x <= 2 * max ?v for pay(a: ?v)", "pay(b: ?x) -> once (look(b: ?x) & count[1m] distinct ?v for refund(b: ?v) < 2)",
	"pay(a: ?x) -> !once (look(a: ?y) & ?y + ?x > 10 & count refund(a: ?x) > 0)", "pay(a: ?x) -> historically (look(a: ?y) -> ?y != ?x)",
	"refund(b: ?x, a: ?y) -> once (look(b: ?x) & sum ?v for (pay(a: ?v) & ?v <= ?y) <= 9)",
}

func (w ruleWriter) file() string {
	var b strings.Builder
	for i := range 1 + w.r.IntN(3) {
		rule := w.formula(2) + w.one(" -> "+w.formula(3), "")
		if w.r.IntN(3) == 0 {
			rule = w.one(templates...)
		}
		fmt.Fprintf(&b, "r%d: %s\n\n", i, rule)
	}
	return b.String()
}

func (w ruleWriter) value() string {
	return w.one("1", "2", "7", "7.0", "-2.5", "1e3", `"a"`, `"ab b"`, `"é😀"`, `"b\nx"`, "true", "null", `[1,"a"]`, `{"d":7}`, `{"d":"é😀","__proto__":1}`, "1e400", `""`)
}

func (w ruleWriter) object() string {
	var out []string
	for _, name := range []string{"a", "b", "c", "__proto__", "text"} {
		if w.r.IntN(5) > 1 {
			out = append(out, `"`+name+`": `+w.value())
		}
	}
	return w.one("{"+strings.Join(out, ",")+"}", "{"+strings.Join(out, ",")+"}", "{"+strings.Join(out, ",")+"}", w.value())
}

func (w ruleWriter) operations(timed bool) []operation {
	var out []operation
	now := 0
	var waiting []event
	for i := range 4 + w.r.IntN(14) {
		now += w.r.IntN(5)
		e := event{ID: w.one("", fmt.Sprintf("c%d", i)), Agent: w.one("", "bob", "é")}
		if e.Time = fmt.Sprint(now) + w.one("", "", ".0"); !timed || w.r.IntN(80) == 0 {
			e.Time = ""
		}
		op := "allow"
		switch k := w.r.IntN(20); {
		case k < 12:
			e.Name, e.Arguments = w.one(ruleTools...), w.object()
			waiting = append(waiting, event{Kind: "result", Name: e.Name, ID: e.ID})
			if w.r.IntN(10) == 0 {
				op, e.Kind, e.Approved = "record", "call", w.r.IntN(2) == 0
			}
		case k < 16 && len(waiting) > 0:
			done := waiting[len(waiting)-1]
			waiting = waiting[:len(waiting)-1]
			op, e.Name, e.ID = "record", done.Name, done.ID
			e.Kind, e.Content = w.one("result", "result", "error"), w.one(w.object(), w.object(), "fine", `{"a":1,"a":7,"c":{"d":"\ud800"}}`, strings.Repeat("[", 101)+strings.Repeat("]", 101), strings.Repeat("[", 101)+"1"+strings.Repeat("]", 101))
		case k < 18:
			op, e = "record", event{Kind: "message", Name: w.one("user", "assistant"), Content: w.one("a", "hello é😀", "b"), Time: e.Time}
		case k < 19:
			op, e = "cancel", event{ID: lastID(out)}
		default:
			op = "end"
			if w.r.IntN(3) > 0 {
				continue
			}
		}
		out = append(out, operation{op, e})
	}
	return append(out, operation{"end", event{}})
}

func lastID(list []operation) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1].Event.ID
}

// The runtimes agree on rules of every operator, also if the state moves between them.
func TestRuntimesAgreeOnRules(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 9))
	w := ruleWriter{r}
	others := drivers(t)
	codes := map[string]int{}
	for runs := 0; runs < sample()/2; {
		text, err := compiled([]workspace.File{{Name: "r.rules", Text: w.file()}}, compile.Options{})
		if err != nil {
			continue // such as an unbound variable
		}
		g, err := gate.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			runs++
			modes := map[string]gate.Mode{}
			for _, name := range g.RuleNames() {
				if r.IntN(3) == 0 {
					modes[name] = []gate.Mode{gate.AskMode, gate.Shadow, gate.Shadow, gate.Off}[r.IntN(4)]
				}
			}
			q := request{Guard: text, Modes: modes, Ops: w.operations(r.IntN(10) > 0)}
			want := judgeInGo(t, q)
			for _, d := range want.Decisions {
				codes[d.Code]++
			}
			for i, d := range others {
				got := d.judge(t, q)
				if got.State != want.State {
					t.Log(g.File.Rules[0].Text)
				}
				compare(t, d.name, q, want, got)
				moved(t, r, d, others[(i+1)%len(others)], q, want)
			}
		}
	}
	for _, code := range []string{"ok", "rule", "rule.fault"} {
		if codes[code] < 20 {
			t.Errorf("the code %s occurs %d times: too few", code, codes[code])
		}
	}
}

// The runtimes agree on the rules of the gallery.
func TestRuntimesAgreeOnGalleryRules(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	w := ruleWriter{rand.New(rand.NewPCG(26, 10))}
	others, files := drivers(t), 0
	for _, e := range examples {
		for _, f := range e.Files {
			if !strings.HasSuffix(f.Name, ".rules") {
				continue
			}
			text, err := compiled([]workspace.File{{Name: f.Name, Text: f.Text}}, compile.Options{})
			if err != nil {
				continue
			}
			files++
			g, err := gate.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			q := request{Guard: text, Modes: map[string]gate.Mode{}}
			for _, name := range g.RuleNames() {
				q.Modes[name] = gate.Shadow
			}
			for _, p := range g.File.Rules[0].Programs {
				for _, part := range p.Parts {
					if part.Op != "atom" || part.Name == nil || part.Kind != "call" {
						continue
					}
					var fields []string
					for _, pattern := range part.Patterns {
						if value := w.value(); !pattern.Meta && len(pattern.Path) == 1 {
							fields = append(fields, fmt.Sprintf("%q: %s", pattern.Path[0], append(pattern.Values, value)[0]))
						}
					}
					q.Ops = append(q.Ops, operation{"allow", event{Name: *part.Name, Arguments: "{" + strings.Join(fields, ",") + "}", Time: fmt.Sprint(len(q.Ops))}})
				}
			}
			want := judgeInGo(t, q)
			for i, d := range others {
				compare(t, d.name+" "+e.ID, q, want, d.judge(t, q))
				moved(t, w.r, d, others[(i+1)%len(others)], q, want)
			}
		}
	}
	if files < 2 {
		t.Errorf("%d files of rules: too few", files)
	}
}

// A window that held many events and became empty takes more events, in every runtime.
func TestWindowsFillAgainAfterTheyAreEmpty(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 12))
	text, err := compiled([]workspace.File{{Name: "r.rules", Text: "a: pay() -> count[10s] look() <= 100\n\nb: pay() -> once[10s] look(a: 1)\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := request{Guard: text}
	for _, start := range []int{0, 100, 130, 200} {
		for i := range 12 - start/40 {
			id := fmt.Sprintf("c%d-%d", start, i)
			q.Ops = append(q.Ops, operation{"allow", event{Name: "look", ID: id, Arguments: `{"a":1}`, Time: fmt.Sprint(start + i/8)}})
		}
		q.Ops = append(q.Ops, operation{"allow", event{Name: "pay", ID: fmt.Sprintf("p%d", start), Arguments: "{}", Time: fmt.Sprint(start + 9)}})
	}
	want := judgeInGo(t, q)
	for _, d := range want.Decisions {
		if d.Code != "ok" {
			t.Errorf("%+v", d)
		}
	}
	agree(t, r, drivers(t), q, want)
}
