package explain_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/explain"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

func sentenceOfRule(t *testing.T, text string) string {
	t.Helper()
	file := source.NewFile("a.rules", "r: "+text+"\n")
	if f := rules.Parse(file); source.HasErrors(f.Diagnostics) {
		t.Fatal(text, f.Diagnostics)
	}
	return explain.Rules(file)[0].Text
}

func TestSentencesOfRules(t *testing.T) {
	for _, c := range []struct{ rule, want string }{
		{"refund(order: ?o, amount: ?a) -> once[10m] approve(order: ?o, limit: ?l) & ?a <= ?l", "Every call of refund with order ?o and amount ?a requires that, for some ?l, a call of approve with order ?o and limit ?l occurred in the last 10 minutes, and ?a is at most ?l."},
		{"refund(order: ?o, @agent: ?a) -> once (approve(order: ?o, @agent: ?b) & ?a != ?b)", "Every call of refund with order ?o and agent ?a requires that a call of approve with order ?o and agent ?b, where ?a differs from ?b, occurred so far."},
		{"refund(order: ?o) -> count refund(order: ?o) <= count approve(order: ?o)", "Every call of refund with order ?o requires that the number of calls of refund with order ?o so far is at most the number of calls of approve with order ?o so far."},
		{"pay() -> sum[24h] ?x for pay(amount: ?x) <= 1000", "Every call of pay requires that the sum of ?x over calls of pay with amount ?x in the last 24 hours is at most 1000."},
		{"read() -> count[1h] distinct ?f for read(file: ?f) < 20", "Every call of read requires that the number of different values of ?f over calls of read with file ?f in the last hour is less than 20."},
		{"buy(price: ?p) -> ?p <= min[1h] ?x for quote(price: ?x)", "Every call of buy with price ?p requires that ?p is at most the smallest ?x over calls of quote with price ?x in the last hour."},
		{"pay(amount: ?a) -> !(?a > max ?x for set(limit: ?x) * 2 - 1)", "Every call of pay with amount ?a requires that ?a is not greater than (the largest ?x over calls of set with limit ?x so far) * 2 - 1."},
		{"pay() -> count (pay(a: ?x) & ?x >= 5 | *.error()) = 0", "Every call of pay requires that the number of events so far at which (either it is a call of pay with a ?x, where ?x is at least 5, or it is an error) equals 0."},
		{"transfer(account: ?a) -> (!logout()) since[1h] login.result(input.account: ?a, ok: true)", "Every call of transfer with account ?a requires that a result of login with input.account ?a and ok true occurred in the last hour, and no call of logout occurred after it."},
		{"end() -> !((!close(file: ?f)) since open(file: ?f))", "The end of the run requires that every call of open with file ?f so far was followed by a call of close with file ?f."},
		{"a() -> (once b() | c()) since[2d] (once d() & e())", "Every call of a requires that a call of e, at which a call of d occurred so far, occurred in the last 2 days, and at every later event, (either a call of b occurred so far, or it is a call of c)."},
		{"a() -> !(b() since (once c() | once d()))", "Every call of a requires that it is false that (at some event so far, (either a call of c occurred so far, or a call of d occurred so far), and at every later event, it is a call of b)."},
		{"!delete(env: \"production\")", "No call of delete with env \"production\" may occur."},
		{"!(a() | b.error(x: 1) | message.user())", "No call of a, or error of b with x 1, or message of the user may occur."},
		{"historically[1h] !*.error()", "At every event, no error occurred in the last hour."},
		{"a() -> !historically !b()", "Every call of a requires that a call of b occurred so far."},
		{"a() -> historically[30s] (b() | once c())", "Every call of a requires that at every event in the last 30 seconds, (either it is a call of b, or a call of c occurred so far)."},
		{"a() -> !historically b()", "Every call of a requires that it is false that (at every event so far, it is a call of b)."},
		{"a() -> previous b.result()", "Every call of a requires that the previous event was a result of b."},
		{"a() -> previous[1s] b()", "Every call of a requires that there is a previous event in the last second at which it is a call of b."},
		{"*() -> !previous *()", "Every call requires that the previous event, if there is one, was not a call."},
		{"a() -> !once (b() | previous end())", "Every call of a requires that at no event so far, (either it is a call of b, or the previous event was the end of the run)."},
		{"once a() -> (once b() -> c())", "Every event at which a call of a occurred so far requires that if a call of b occurred so far, then it is a call of c."},
		{"a() -> !(once b() -> c())", "Every call of a requires that a call of b occurred so far, and it is not a call of c."},
		{"a() -> !(once b() & c())", "Every call of a requires that it is not a call of c, at which a call of b occurred so far."},
		{"a() -> !(once b() & once c())", "Every call of a requires that it is false that (a call of b occurred so far, and a call of c occurred so far)."},
		{"a() -> !(once b(x: ?x) & once c(x: ?x))", "Every call of a requires that, for no ?x, a call of b with x ?x occurred so far, and a call of c with x ?x occurred so far."},
		{"message() -> message.user(text: ~ \"(?i)a\\b\") | message.assistant(text: ~ \"(?i)a\\b\")", "Every message requires that it is a message of the user or the assistant with text that matches /(?i)a\\b/."},
		{"a(v: _, w: in (1, \"x\", null), \"y z\".t: has 5, u: != true, s: > 1, @time: ?t) -> ?t >= 5", "Every call of a with any v, w 1, \"x\" or null, “y z”.t that contains 5, u other than true, s greater than 1 and time ?t requires that ?t is at least 5."},
		{"\"a b\"(@id: \"7\") -> 1 != 2 & !(1 = 2)", "Every call of “a b” with id \"7\" requires that 1 differs from 2, and 1 does not equal 2."},
	} {
		if got := sentenceOfRule(t, c.rule); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.rule, got, c.want)
		}
	}
}

// name are the parts of a rule that its sentence must have: tools, fields, variables, numbers and strings.
var name = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_-]*|[0-9]+`)

// manual is the rule of an entry of the manual.
var manual = regexp.MustCompile(`rule\(("(?:[^"\\]|\\.)*")\)`)

// Every rule of the gallery, the templates, the manual, the documentation and the tests of the parser has a sentence with all
// of its names.
func TestEveryRuleHasASentence(t *testing.T) {
	var texts []string
	for _, root := range []string{"../../grammars", "../../web/docs", "../language", "../rules/testdata"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			switch filepath.Ext(path) {
			case ".rules":
				texts = append(texts, string(text))
			case ".md", ".go", ".txtar":
				for _, found := range manual.FindAllStringSubmatch(string(text), -1) {
					one, err := strconv.Unquote(found[1])
					texts = append(texts, "r: "+one+"\n")
					if err != nil {
						return err
					}
				}
				for _, part := range strings.Split(string(text), ".rules --\n")[1:] {
					texts = append(texts, strings.Split(strings.Split(part, "\n-- ")[0], "\n```")[0])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	words := map[string]bool{}
	for w := range strings.FieldsSeq("once historically previous since and or not implies count sum min max distinct for in has O H S Y call result error message end s m h d 1 n") {
		words[w] = true
	}
	words["_"] = true
	total := 0
	for _, text := range texts {
		file := source.NewFile("a.rules", text)
		sentences := map[string]explain.Sentence{}
		for _, s := range explain.Rules(file) {
			sentences[s.Name] = s
		}
		for _, r := range rules.Parse(file).Rules {
			if r.Fault {
				continue
			}
			s := sentences[r.Name]
			total++
			if !strings.HasSuffix(s.Text, ".") || strings.ContainsAny(s.Text, "\n\t%{") && !strings.ContainsAny(file.Slice(r.Span), "%{") || strings.Contains(s.Text, "  ") || strings.Contains(s.Text, " ,") || strings.Contains(s.Text, "nil") {
				t.Errorf("%s: %s", file.Slice(r.Span), s.Text)
			}
			for _, w := range name.FindAllString(file.Slice(r.Formula.Span), -1) {
				if w = strings.ReplaceAll(strings.Trim(w, `"`), `\"`, `"`); !words[w] && !strings.Contains(s.Text, w) && !strings.Contains(file.Slice(r.Formula.Span), "#") {
					t.Errorf("%s: %q is missing in %s", file.Slice(r.Span), w, s.Text)
				}
			}
		}
	}
	if total < 165 {
		t.Errorf("%d rules", total)
	}
}

func orderRule(rng *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"a()", "b()", "*()", "end()"}[rng.IntN(4)]
	}
	inner := func() string { return "(" + orderRule(rng, rng.IntN(depth)) + ")" }
	switch rng.IntN(8) {
	case 0:
		return inner() + " & " + inner()
	case 1:
		return inner() + " | " + inner()
	case 2:
		return inner() + " since " + inner()
	case 3:
		return inner() + " -> " + inner()
	}
	return []string{"!", "once ", "historically ", "previous "}[rng.IntN(4)] + inner()
}

// Rules with the same sentence permit the same runs.
func TestRulesWithTheSameSentencePermitTheSameRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	type example struct {
		text string
		dfa  *automaton.DFA
	}
	known, shared := map[string]example{}, 0
	for range effort.Sample(200_000, 20_000) {
		text := orderRule(rng, 3)
		file := source.NewFile("a.rules", "r: "+text+"\n")
		said := explain.Rules(file)[0].Text
		if again := explain.Rules(file)[0].Text; again != said {
			t.Fatal(said, again)
		}
		before, ok := known[said]
		if before.text == text {
			continue
		}
		m := meter.New(meter.Budget{Steps: 1 << 20, States: 1 << 20})
		d, err := rules.Parse(file).Rules[0].Automaton([]string{"a", "b", "c"}, m)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			known[said] = example{text, d}
			continue
		}
		shared++
		difference, err := automaton.Product(before.dfa, d, func(x, y bool) bool { return x != y }, m)
		if err != nil {
			t.Fatal(err)
		}
		if word, found := difference.Shortest(); found {
			t.Errorf("%s and %s differ at %v, both are explained as %s", before.text, text, word, said)
		}
	}
	if shared < effort.Of(50) {
		t.Errorf("%d rules share a sentence", shared)
	}
}
