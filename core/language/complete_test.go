package language_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
)

func TestCompletionOffersValidCandidates(t *testing.T) {
	const rooms = "-- rooms.pddl --\n(define (domain rooms) (:types room) (:constants attic - room) (:predicates (lit ?r - room) (calm)) (:action light :parameters (?r - room) :effect (lit ?r)))\n-- a.pddl --\n"
	const api = "\n-- a.problem/api.smt2 --\n(define-fun cost ((n Int)) Int n)\n"
	const agentStates = "-- a.agent --\n(define a (:states (Act (:text \"[Act]\")) (End (:text \"[End]\")))\n"
	const toolsOfShop = `-- shop.mcp.json --
{"tools": [{"name": "refund", "inputSchema": {"type": "object", "properties": {"order": {}, "reason": {"enum": ["damaged", "late", null]}, "who": {"$ref": "#/$defs/person"}},
"$defs": {"person": {"type": "object", "properties": {"name": {}, "age": {}}}}}, "outputSchema": {"type": "object", "properties": {"ok": {"type": "boolean"}}}}]}
`
	const seen = `-- day.jsonl --
{"kind":"message","name":"user","fields":{"text":"act"}}
{"kind":"call","name":"refund","fields":{"order":7}}
{"kind":"result","name":"login","fields":{"ok":true,"input":{"user":"mia"}}}
{"role":"assistant","tool_calls":[{"function":{"name":"deploy","arguments":"{\"env\":\"x\"}"}}]}
-- a.tests --
run valid
  pay(amount: 7)
  end()
`
	for _, c := range []struct {
		what, archive string
		some          string // expected candidates
		none          string // candidates that must be absent
		replaces      string
	}{
		{"a line of a grammar", "-- a.cfg --\nS -> T a\nT -> b\n‸\n", "S T a b %start limit", "each ε as", ""},
		{"a right side", "-- a.cfg --\nS -> T ‸\nT -> b\n", "S T b as |", "%start", ""},
		{"an empty right side", "-- a.cfg --\nS -> ‸\nT -> b\n", "S T b ε", "as", ""},
		{"a partial symbol", "-- a.cfg --\nS -> Tail | T‸\nTail -> b\n", "S Tail b", "T", "T"},
		{"a quoted symbol", "-- a.cfg --\nS -> \"olive oil\" | \"ol‸\n", "\"olive oil\"", "", "\"ol"},
		{"the start symbol", "-- a.cfg --\n%start ‸\nS -> a\n", "S", "a", ""},
		{"a limit", "-- a.cfg --\nS -> a\nlimit 1 ‸\n", "a each", "S", ""},
		{"an exception of a limit", "-- a.cfg --\nS -> a\nlimit 1 each ‸\n", "except", "a", ""},
		{"a text", "-- a.cfg --\nS -> a\na as \"Co‸", "", "S a", ""},
		{"a comment", "-- a.cfg --\nS -> a # S ‸\n", "", "S a", ""},
		{"an arrow", "-- a.cfg --\nS ‸\n", "-> as", "S", ""},
		{"a state of an automaton", "-- a.pda --\nstart q0 Z\nq0 -> ‸\n", "q0", "Z start", ""},
		{"the letter of a transition", "-- a.pda --\nstart q0 Z\nq0 -> q1 (a, Z; Z) (‸\n", "a ε *", "q0 Z", ""},
		{"the popped symbol", "-- a.pda --\nstart q0 Z\nq0 -> q1 (a, ‸\n", "Z ε *", "q0 a", ""},
		{"a line of a family", "-- a.pda --\nstart q0 Z\nfor h in 1..2 { ‸\n", "q0 start for", "Z", ""},
		{"the target of an answer", "-- a.flow --\nask one \"One?\" yes -> ‸\nask two \"Two?\" no -> good\naccept good\n", "one two good stop", "next ask yes", ""},
		{"the target of an answer in a block", "-- a.flow --\nin any order all {\n  ask one \"One?\" yes -> ‸ }\n", "one all stop next", "ask", ""},
		{"the first question", "-- a.flow --\nstart ‸\nask one \"One?\" yes -> stop\n", "one", "ask accept stop", ""},
		{"a variable in a text", "-- a.flow --\nlet seller \"A\"\nask one \"Is it {se‸\n", "seller", "one", "se"},
		{"a statement of a flowchart", "-- a.flow --\nask one \"One?\" yes -> one\n‸\n", "ask accept yes let", "one", ""},
		{"a proposition", "-- a.cfg --\nS -> a \"b c\"\n-- b.ltl --\nG ‸\n", "a \"b c\" F X !", "S -> &", ""},
		{"an operator", "-- a.cfg --\nS -> a\n-- b.ltl --\nG (a) ‸\n", "-> & U", "a G", ""},
		{"another formula", "-- a.cfg --\nS -> a\n-- b.ltl --\nG a\n\n‸\n", "a G", "-> &", ""},
		{"a line of tests", "-- a.cfg --\nS -> a b\n-- a.tests --\n‸\n", "accept reject incomplete plan run spec", "a", ""},
		{"a word of tests", "-- a.cfg --\nS -> a \"b c\" | d\n-- a.tests --\naccept ‸\n", "a d \"b c\" ε", "accept as", ""},
		{"the next symbol of tests", "-- a.cfg --\nS -> a \"b c\" | d\n-- a.tests --\naccept a ‸\n", "\"b c\" as", "ε", ""},
		{"the spec of tests", "-- a.cfg --\nS -> a\n-- b.ltl --\nF a\n-- c.md --\nNotes\n-- x.tests --\nspec ‸\n", "a.cfg b.ltl", "c.md accept", ""},
		{"a word of a named spec", "-- a.cfg --\nS -> a\n-- b.cfg --\nS -> b\n-- x.tests --\nspec a.cfg\naccept a\nspec b.cfg\naccept ‸\n", "b", "a", ""},
		{"the verdict of a run", "-- x.tests --\nrun ‸\n", "valid violated incomplete", "invalid accept", ""},
		{"the text of a run", "-- x.tests --\nrun valid\n  [A‸] x\n", "", "accept valid", ""},
		{"an answer as a proposition", "-- a.flow --\nask one \"One?\" yes -> stop\n-- b.ltl --\nF ‸\n", "one.yes", "yes one", ""},
		{"a section", "-- a.agent --\n(define a ‸\n", "(:states (:behavior (:require", ":text next", ""},
		{"a partial section", "-- a.agent --\n(define a (:st‸\n", ":states :behavior", "(:states", ":st"},
		{"a property of a state", "-- a.agent --\n(define a (:states (Act (‸\n", ":text :flags :from", ":states", ""},
		{"a flag", "-- a.agent --\n(define a (:states (Act (:flags ‸\n", ":env-input :empty", ":text", ""},
		{"a source of content", "-- a.agent --\n(define a (:states (Act (:from ‸\n", "tools summary person", ":text", ""},
		{"a behaviour", agentStates + "(:behavior (next ‸\n", "Act End (until (or", ":text until", ""},
		{"an operator of a behaviour", agentStates + "(:behavior (ne‸\n", "next until", "Act (next", "ne"},
		{"a formula in a requirement", agentStates + "(:behavior Act) (:require \"G(A‸\n", "Act End F !", "-> :text", "A"},
		{"a file", "-- a.agent --\n(define a (:examples \"on‸\n-- one.txt --\nx\n-- b.cfg --\nS -> a\n", "one.txt", "b.cfg a.agent", "on"},
		{"a section of a team", "-- a.team --\n(define a ‸\n", "(:executors (:global (:shape", ":does check", ""},
		{"a property of an executor", "-- a.team --\n(define a (:executors (w (‸\n", ":does :tools :constraints", ":executors", ""},
		{"a property without its parenthesis", "-- a.team --\n(define a (:executors (w ‸\n", "(:does (:tools", ":does", ""},
		{"no property of a property", "-- a.team --\n(define a (:executors (w (:does (x (‸\n", "", ":does :tools", ""},
		{"an executor", "-- a.team --\n(define a (:executors (‸\n", "", ":does :tools", ""},
		{"a constraint", "-- a.team --\n(define a (:local (‸\n", "check ltl", ":does", ""},
		{"a constraint of an executor", "-- a.team --\n(define a (:executors (w (:constraints (‸\n", "check ltl", ":does", ""},
		{"a check of a result", "-- a.team --\n(define a (:local (check \"result.price <= 3 and le‸\n", "result text length( sum(", "results ltl", "le"},
		{"a check of all results", "-- a.team --\n(define a (:global (check \"‸\n", "results answer of(", "result given", ""},
		{"the description of a check", "-- a.team --\n(define a (:global (check \"results\" \"le‸\n", "", "results length(", ""},
		{"the description of a closed check", "-- a.team --\n(define a (:global (check \"results\" \"le‸\")))\n", "", "results length(", ""},
		{"a formula over events", "-- a.team --\n(define a (:executors (w-1 (:does \"x\") (:tools \"Search\"))) (:global (ltl \"!st‸\n", "started done called.Search started.w-1 delivered", "check", "st"},
		{"a formula over a sub-task", "-- a.team --\n(define a (:executors (w (:does \"x\") (:tools \"Search\"))) (:local (ltl \"‸\n", "started called.Search", "started.w delivered", ""},
		{"a role", "-- a.team --\n(define a (:deliverer ‸\n", "inference reporting", ":gives", ""},
		{"a limit of a team", "-- a.team --\n(define a (:limits (‸\n", "steps sub-tasks", ":steps", ""},
		{"a tool", "-- a.team --\n(define a (:executors (w (:tools \"Ca‸\n-- agent-tools.json --\n{\"tools\": [{\"calculator\": {}}]}\n", "Calculator", "Search", "Ca"},
		{"the file of an executor's agent", "-- a.team --\n(define a (:executors (w (:agent \"‸\n-- b.agent --\n\n-- c.cfg --\nS -> a\n", "b.agent", "c.cfg a.team", ""},
		{"the file of a shape", "-- a.team --\n(define a (:shape \"‸\n-- b.agent --\n\n-- c.cfg --\nS -> a\n", "c.cfg", "b.agent", ""},
		{"a command", "-- a.smt2 --\n‸\n", "(declare-const (assert (minimize", "x", ""},
		{"a partial command", "-- a.smt2 --\n(decl‸\n", "declare-const assert", "(declare-const", "decl"},
		{"a sort", "-- a.smt2 --\n(declare-sort Place 0)\n(declare-const x ‸\n", "Int Real Bool Place", "x", ""},
		{"a term", "-- a.smt2 --\n(declare-const x Int)\n(declare-const |a b| Int)\n(assert (> ‸\n", "x (+ (ite", "assert", ""},
		{"a function", "-- a.smt2 --\n(declare-fun f (Int) Int)\n(assert (‸\n", "f and ite", "(and", ""},
		{"definitions of the same folder", "-- a.problem/model.smt2 --\n(assert (= 1 (‸" + api, "cost", "n", ""},
		{"definitions of another folder", "-- b.problem/model.smt2 --\n(assert (= 1 (‸" + api, "ite", "cost", ""},
		{"a constraint's name", "-- a.smt2 --\n(assert (! true ‸\n", ":named", "and", ""},
		{"a section of an LP", "-- a.lp --\n‸\n", "minimize bounds", "free", ""},
		{"a variable of an LP", "-- a.lp --\nMinimize\n obj: x + ship.a\nSubject To\n c1: s‸\n", "x ship.a", "minimize c1", "s"},
		{"a define", "-- a.pddl --\n(define ‸\n", "(domain (problem", "define", ""},
		{"a section of a domain", "-- a.pddl --\n(define (domain d) (‸\n", ":predicates :action", ":init (:action", ""},
		{"a section of a problem", rooms + "(define (problem p) ‸\n", "(:objects (:init (:goal", "(:action", ""},
		{"the domain of a problem", rooms + "(define (problem p) (:domain ‸\n", "rooms", "p", ""},
		{"a type", rooms + "(define (problem p) (:domain rooms) (:objects hall - ‸\n", "room object", "hall", ""},
		{"a fact", rooms + "(define (problem p) (:domain rooms) (:objects hall - room) (:init ‸\n", "(lit (calm", "hall", ""},
		{"an object", rooms + "(define (problem p) (:domain rooms) (:objects hall - room) (:init (lit ‸\n", "hall attic", "lit ?r", ""},
		{"a part of an action", "-- a.pddl --\n(define (domain d) (:action go ‸\n", ":parameters :effect", "and", ""},
		{"a condition", "-- a.pddl --\n(define (domain d) (:predicates (p ?x)) (:action go :parameters (?y) :precondition (‸\n", "p and not", "?y (p", ""},
		{"a variable of an axiom", "-- a.pddl --\n(define (domain d) (:predicates (p ?x) (q ?x)) (:derived (q ?y) (p ‸\n", "?y", "?x p", ""},
		{"a parameter", "-- a.pddl --\n(define (domain d) (:predicates (p ?x)) (:action go :parameters (?y) :precondition (p ‸\n", "?y", "?x p", ""},
		{"a proposition about a domain", rooms + "-- b.ltl --\nG ‸\n", "light lit calm", "", ""},
		{"the tools of events", seen + "-- a.rules --\na: ‸\n", "refund login pay deploy once", "act end() user", ""},
		{"the tools of an agent", "-- b.agent --\n(define b (:states (Act (:text \"[Action]\") (:one-of \"ship\" \"wrap\")) (Out (:text \"[Answer]\") (:one-of \"yes\"))))\n-- a.rules --\na: !sh‸\n", "ship wrap", "yes", "sh"},
		{"the arguments of a tool", toolsOfShop + "-- a.rules --\nb: !refund(tip: 1)\na: !refund(‸\n", "order reason who tip @time", "ok input name", ""},
		{"a field of an argument", toolsOfShop + "-- a.rules --\na: !refund(who.‸\n", "name age", "order call result @time", ""},
		{"a part of a field of an argument", toolsOfShop + "-- a.rules --\na: !refund(order: 1, who.na‸\n", "name age", "order call result", "na"},
		{"the fields of a result", toolsOfShop + "-- a.rules --\na: !refund.result(‸\n", "ok input", "order text value", ""},
		{"the input of a result", toolsOfShop + "-- a.rules --\na: !refund.result(ok: true, input.‸\n", "order reason who", "ok call", ""},
		{"a deeper input of an error", toolsOfShop + "-- a.rules --\na: !refund.error(input.who.‸\n", "name", "order result", ""},
		{"the fields of an error", toolsOfShop + "-- a.rules --\na: !refund.error(‸\n", "text input", "order ok", ""},
		{"the fields of a result without a contract", "-- a.rules --\na: !pay.result(‸\n", "value input", "text", ""},
		{"the fields of a message", "-- a.rules --\na: !message.user(‸\n", "text", "input value", ""},
		{"the fields of any message", "-- a.rules --\na: !message(‸\n", "text", "input", ""},
		{"the role of a message", "-- a.rules --\na: message.‸\n", "user system", "call", ""},
		{"the kind of an event", "-- a.rules --\na: refund.‸\n", "call result error", "user", ""},
		{"fields of events", seen + "-- a.rules --\na: !refund(‸\n", "order", "amount ok", ""},
		{"fields in events", seen + "-- a.rules --\na: !login.result(input.‸\n", "user", "ok", ""},
		{"fields of a run of tests", seen + "-- a.rules --\na: !pay(‸\n", "amount", "order", ""},
		{"fields of a call in a message", seen + "-- a.rules --\na: !deploy(‸\n", "env", "order", ""},
		{"values of an enumeration", toolsOfShop + "-- a.rules --\na: !refund(reason: ‸\n", "\"late\" null _ in", "order", ""},
		{"values in a list", toolsOfShop + "-- a.rules --\na: !refund(order: 1, reason: in (\"late\", ‸\n", "\"damaged\"", "order _", ""},
		{"values after a comparison", toolsOfShop + "-- a.rules --\na: !refund(reason: != ‸\n", "\"damaged\"", "order _", ""},
		{"strings of an enumeration", toolsOfShop + "-- a.rules --\na: !refund(reason: \"da‸\n", "\"damaged\" \"late\"", "null", "\"da"},
		{"no value of another field", toolsOfShop + "-- a.rules --\na: !refund(order: ‸\n", "_ in", "\"late\"", ""},
		{"nothing in notes", "-- a.md --\nS -> ‸\n", "", "S", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			w, name, at := files(t, c.archive)
			got := language.Table().Complete(w, name, at)
			var offered []string
			for _, i := range got.Items {
				if i.Insert != "" {
					offered = append(offered, i.Insert)
				} else {
					offered = append(offered, i.Label)
				}
			}
			for _, s := range words(c.some) {
				if !slices.Contains(offered, s) {
					t.Errorf("%q is not offered: %q", s, offered)
				}
			}
			for _, s := range words(c.none) {
				if slices.Contains(offered, s) {
					t.Errorf("%q is offered: %q", s, offered)
				}
			}
			f, _ := w.File(name)
			if s := f.Text[got.Span.Start:got.Span.End]; len(offered) > 0 && s != c.replaces {
				t.Errorf("%q is replaced, not %q", s, c.replaces)
			}
		})
	}
}

// words splits at spaces that are not in quotes.
func words(s string) []string {
	var out []string
	quoted := false
	for _, part := range strings.Fields(s) {
		if quoted {
			out[len(out)-1] += " " + part
		} else {
			out = append(out, part)
		}
		if strings.Count(part, `"`)%2 == 1 {
			quoted = !quoted
		}
	}
	return out
}
