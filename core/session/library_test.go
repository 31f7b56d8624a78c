package session

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestLibraryMethods(t *testing.T) {
	const dangling = "S -> if c S | if c S else S | x"
	ab := `(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (next A B)))`
	aab := `(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (until A B)))`
	for _, c := range []struct{ method, params, want string }{
		{"grammar.ambiguity", `{"source":"` + dangling + `","maxLength":8}`, `{"unambiguous":false,"witness":["if","c","if","c","x","else","x"],"trees":2,"upTo":6}`},
		{"grammar.ambiguity", `{"source":"S -> a S b | ε","maxLength":8}`, `{"unambiguous":true,"witness":null,"trees":0,"upTo":8}`},
		{"grammar.ambiguity", `{"source":"S -> a","maxLength":-1}`, "limit.length"},
		{"grammar.complete", `{"source":"S -> a S b | c","prefix":["a","a"]}`, `{"rest":["c","b","b"]}`},
		{"grammar.complete", `{"source":"S -> a S b | c","prefix":["b"]}`, `{"rest":null}`},
		{"grammar.complete", `{"source":"S -> a S b | c","prefix":["a","?"]}`, `{"rest":null}`},
		{"grammar.sample", `{"source":"S -> a S b | ε","length":4,"number":2}`, `{"words":[["a","a","b","b"],["a","a","b","b"]]}`},
		{"grammar.sample", `{"source":"S -> a S b | ε","length":3,"number":2}`, `{"words":[]}`},
		{"grammar.sample", `{"source":"S -> a","length":3,"number":2000}`, "limit.length"},
		{"grammar.parsing", `{"source":"E -> E + n | n"}`, `{"leftRecursion":["E"],"ll":[{"nonterminal":"E","lookahead":"n","productions":["E -> E + n","E -> n"],"shift":false}],"lr":[]}`},
		{"grammar.parsing", `{"source":"E -> E + E | n"}`, `{"leftRecursion":["E"],"ll":[{"nonterminal":"E","lookahead":"n","productions":["E -> E + E","E -> n"],"shift":false}],"lr":[{"lookahead":"+","productions":["E -> E + E"],"shift":true}]}`},
		{"formula.explain", `{"formula":"!!G (a -> F b)","trace":[["a"],[]]}`, `{"holds":false,"reason":"step 1: not (!!G (a -> F b))\n  step 1: !G (a -> F b)\n    step 1: not (G (a -> F b))\n      step 1: not (a -> F b)\n        step 1: a\n        step 1: not (F b)\n          step 1 to 2: not b\n","simpler":"G (a -> F b)"}`},
		{"formula.explain", `{"formula":"a","trace":[]}`, "ltl.trace"},
		{"agent.verify", `{"source":"` + aab + `","formula":"F A"}`, `{"holds":false,"counterexample":["B"]}`},
		{"agent.verify", `{"source":"` + ab + `","formula":"A & X B"}`, `{"holds":true,"counterexample":null}`},
		{"agent.compare", `{"source":"` + ab + `","other":"` + aab + `"}`, `{"equivalent":false,"run":["B"],"of":"other"}`},
		{"agent.compare", `{"source":"` + ab + `","other":"` + ab + `"}`, `{"equivalent":true,"run":null}`},
		{"spec.export", `{"name":"g.cfg","text":"S -> a b","format":"gbnf"}`, `{"text":"root ::= S-first\nS-first ::= \"a\" \" b\"\n"}`},
		{"spec.export", `{"name":"g.cfg","text":"S -> a b","format":"lark","separator":""}`, `{"text":"start: s\ns: \"a\" \"b\"\n"}`},
		{"spec.export", `{"name":"a.agent","text":"` + aab + `","format":"regexp"}`, `{"text":"^(?:(?:B|A(?: A)* B))$"}`},
		{"spec.export", `{"name":"g.cfg","text":"S -> a b","format":"regexp"}`, "export.format"},
		{"spec.export", `{"name":"g.cfg","text":"S -> a b","format":"pdf"}`, "export.format"},
		{"spec.export", `{"name":"g.cfg","text":"S ->  | |  a b -> c","format":"dot"}`, "source.invalid"},
		{"spec.export", `{"name":"README.md","text":"hello","format":"dot"}`, "export.kind"},
		{"spec.import", `{"text":"root ::= \"a\"*","format":"gbnf"}`, `{"text":"%start root\nroot -> root-1\nroot-1 -> a root-1 | ε\n","diagnostics":[],"notes":["1 rule added for groups and repetitions: root-1."]}`},
		{"spec.import", `{"text":"","format":"docx"}`, "export.format"},
	} {
		reply := string(New().Handle([]byte(`{"id":1,"method":"` + c.method + `","params":` + c.params + `}`)))
		if !strings.HasPrefix(c.want, "{") {
			if !strings.Contains(reply, `"code":"`+c.want+`"`) {
				t.Errorf("%s %s:\n%s\nwant the code %s", c.method, c.params, reply, c.want)
			}
			continue
		}
		var got struct{ Result json.RawMessage }
		if err := json.Unmarshal([]byte(reply), &got); err != nil || string(got.Result) != c.want {
			t.Errorf("%s %s:\n%s\nwant\n%s", c.method, c.params, reply, c.want)
		}
	}
	for _, format := range []string{"dot", "mermaid", "hoa", "structural-tag", "ebnf", "w3c"} {
		for name, text := range map[string]string{"g.cfg": "S -> a", "p.pda": counter, "f.flow": asking, "l.ltl": "F a"} {
			params, err := json.Marshal(SpecExportParams{Name: name, Text: text, Format: format})
			if err != nil {
				t.Fatal(err)
			}
			reply := string(New().Handle([]byte(`{"id":1,"method":"spec.export","params":` + string(params) + `}`)))
			if !strings.Contains(reply, `"result"`) && !strings.Contains(reply, `"export.format"`) {
				t.Errorf("%s as %s: %s", name, format, reply)
			}
		}
	}
}
