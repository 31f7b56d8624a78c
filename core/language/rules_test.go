package language_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
)

func TestRulesAreCompleted(t *testing.T) {
	const declared = `-- agent-tools.json --
{"tools":[{"http":{"servers":[{"url":"https://a.example"}],"paths":{"/refunds":{"post":{"operationId":"refund","parameters":[{"name":"order","in":"query","schema":{"type":"string"}}]}}}}}]}
`
	for text, want := range map[string]string{
		"a: ‸":                              "refund once count message end",
		"a: ref‸":                           "refund",
		"a: refund(‸":                       "order @time",
		"a: refund(o‸":                      "order",
		"a: refund(order: ?o, ‸":            "order @agent",
		"a: refund(order: ‸":                "_ in has true",
		"a: refund(order: ?o) -> pay(x: ?‸": "?o",
		"a: refund(order: ?o) ‸":            "-> & since",
		"a: refund.‸":                       "call result error",
		"a: message.‸":                      "user assistant system",
		"a: pay(amount: 1)\nb: pay(‸":       "amount",
		"a: !(refund() & pay(x: ?y)) & ‸":   "refund pay once ?y",
		"a: pay() -> sum ?x for ‸":          "?x",
		"a: \"x y\"(z: 1)\nb: ‸":            "\"x y\"",
	} {
		w, name, at := files(t, declared+"-- a.rules --\n"+text+"\n")
		var got []string
		for _, i := range language.Table().Complete(w, name, at).Items {
			if i.Insert != "" {
				got = append(got, i.Insert)
			} else {
				got = append(got, i.Label)
			}
		}
		all := " " + strings.Join(got, " ") + " "
		for _, one := range strings.Split(want, " ") {
			if strings.HasPrefix(want, `"`) {
				one = want
			}
			if !strings.Contains(all, " "+one+" ") {
				t.Errorf("%q: %s is missing in%s", text, one, all)
			}
		}
	}
}

func TestVariablesOfRulesAreRenamed(t *testing.T) {
	for _, c := range []struct{ before, to, after string }{
		{"-- a.rules --\nr: a(x: ?x‸) -> once b(x: ?x) & sum ?y for c(y: ?y) <= 3\ns: a(x: ?x)\n", "z", "-- a.rules --\nr: a(x: ?z) -> once b(x: ?z) & sum ?y for c(y: ?y) <= 3\ns: a(x: ?x)\n"},
		{"-- a.rules --\nr‸: a()\n", "q-1", "-- a.rules --\nq-1: a()\n"},
	} {
		w, name, at := files(t, c.before)
		changes, err := language.Table().Rename(w, name, at, c.to)
		if err != nil {
			t.Fatal(err)
		}
		if got := apply(w, changes); got != c.after {
			t.Errorf("got\n%s\nwant\n%s", got, c.after)
		}
	}
	for _, c := range []struct{ before, to string }{
		{"-- a.rules --\nr: a(x: ?x‸) -> b(y: ?y)\n", "y"}, {"-- a.rules --\nr: a‸(x: ?x)\n", "b"}, {"-- a.rules --\nr: a(x‸: 1)\n", "y"}, {"-- a.rules --\nr‸: a()\ns: a()\n", "s"}, {"-- a.rules --\nr: a(x: ?x‸)\n", "a b"},
	} {
		w, name, at := files(t, c.before)
		if changes, err := language.Table().Rename(w, name, at, c.to); err == nil {
			t.Errorf("made %v", apply(w, changes))
		}
	}
}
