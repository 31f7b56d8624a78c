package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/rules"
)

// Deep and long texts of every notation end with a result or an error. The test matters as
// WebAssembly: the stack of a browser ends after some thousand calls, and with it the core.
func TestDeepTextsDoNotOverflowTheStack(t *testing.T) {
	deep := effort.Sample(30_000, 15_000)
	if effort.Few() {
		deep = 10_000
	}
	rep := strings.Repeat
	nested := func(open, inner, shut string) string { return rep(open, deep) + inner + rep(shut, deep) }
	files := map[string][]string{
		"x.cfg": {
			"S -> " + nested("(", "a", ")"), "S -> " + nested("[ ", "a", " ]"), "S -> " + nested("{", "a", "}"), "S -> a" + rep("*", deep), "S -> " + rep("a | ", deep) + "a",
			"S -> " + rep("a ", 3_000), "S -> " + nested("\"", "a", "\""), chain(deep, "N%d -> N%d\n", "N%d -> a\n"), chain(2_000, "N%d -> a N%d\n", "N%d -> a\n"), chain(2_000, "N%d -> N%d a\n", "N%d -> a\n"),
			chain(1_000, "N%d -> N%d N%[2]d\n", "N%d -> a\n"), chain(1_000, "N%d -> b N%d | ε\n", "N%d -> a\n"),
		},
		"x.ltl": {
			nested("(", "a", ")"), rep("!", deep) + "a", rep("X ", deep) + "a", rep("G F ", deep) + "a", rep("a & ", deep) + "a", rep("a | ", deep) + "a", rep("a -> ", deep) + "a",
			rep("a U ", deep) + "a", rep("a <-> ", 200) + "a", rep("(a U ", 900) + "a" + rep(")", 900), rep("X ", 900) + "a", "F(" + rep("X(a & ", 400) + "a" + rep(")", 401), rep("last & ", deep) + "a", "def a = " + nested("(", "b", ")"),
			chain(2_000, "p%d = F p%d\n", "p%d = F q\n"),
		},
		"x.agent": {
			nested("(", "a", ")"), "(define a (:states (A (:text \"[A]\"))) (:behavior " + nested("(next A ", "A", ")") + "))", "(define a (:states (A (:text \"[A]\"))) (:behavior " + nested("(or A ", "A", ")") + "))",
			"(define a (:states (A (:text \"[A]\"))) (:behavior (next " + rep("A ", deep) + ")))", "(define a (:states (A (:text \"[A]\") (:matches \"" + nested("(", "a", ")") + "\"))) (:behavior (next A)))",
			"(define a (:states (A (:text \"[A]\") (:matches \"" + nested("(a|", "b", ")") + "\"))) (:behavior (next A)))", "(define a (:states (A (:text \"[A]\") (:matches \"a" + rep("?", deep) + "\"))) (:behavior (next A)))",
			"(define a (:states (A (:text \"[A]\"))) (:behavior " + nested("(until_2 ", "A", " A)") + "))", nested("'", "a", ""), nested("[", "a", "]"),
		},
		"x.flow": {
			chain(deep, "q%d -> q%d\n", "q%d -> end\n"), nested("(", "a", ")"), nested("{", "a", "}"), "start: a? " + nested("{", "x", "}"), rep("a?\n  yes -> ", deep), chain(3_000, "s%d: \"q?\"\n  yes -> s%d\n", "s%d: end\n"),
		},
		"x.pda": {
			chain(deep, "q%d: a, Z -> q%d, Z\n", "q%d: a, Z -> q, Z\n"), rep("for i in 1..2 { ", deep), nested("(", "a", ")"), "q: a, Z -> q, " + rep("Z ", deep),
		},
		"x.pddl": {
			nested("(", "define", ")"), "(define (domain d) (:predicates (p)) (:action a :parameters () :precondition " + nested("(and ", "(p)", ")") + " :effect (p)))", "(define (domain d) (:predicates (p)) (:action a :parameters () :precondition " + nested("(not ", "(p)", ")") + " :effect (p)))",
			"(define (domain d) (:requirements :typing) (:types " + rep("a - b ", deep) + "))", "(define (domain d) (:types " + chain(3_000, "t%d - t%d ", "t%d") + "))", "(define (domain d) (:predicates (p)) (:action a :effect " + nested("(when (p) ", "(p)", ")") + "))",
		},
		"x.smt2":  {nested("(", "a", ")"), "(assert " + nested("(not ", "true", ")") + ")", "(assert " + nested("(and true ", "true", ")") + ")", "(assert (let (" + nested("((x ", "1", "))") + ") true))"},
		"x.lp":    {"min: " + nested("(", "x", ")") + ";", "minimize\n " + rep("x + ", deep) + "x\nsubject to\n", rep("- ", deep) + "x"},
		"x.team":  {nested("(", "a", ")"), nested("{", "a", "}"), "task " + nested("[", "a", "]"), "check: " + nested("(", "1", ")"), "check: " + rep("1 + ", deep) + "1", "check: " + rep("not ", deep) + "1", rep("- ", deep)},
		"x.tests": {nested("(", "a", ")"), "accept " + rep("a ", deep), "run " + nested("[", "1", "]")},
		"x.rules": {
			"r: " + nested("(", "a()", ")"), "r: " + rep("!", deep) + "a()", "r: " + rep("once ", deep) + "a()", "r: " + rep("a() & ", deep) + "a()", "r: " + rep("a() | ", deep) + "a()", "r: " + rep("a() | ", 90) + "a()",
			"r: " + rep("a() -> ", deep) + "a()", "r: " + rep("a() since ", deep) + "a()", "r: " + rep("count (", deep) + "a()", "r: 1" + rep(" + 1", deep) + " = 1", "r: 1" + rep(" * 1", 400) + " = 1", "r: a(x" + rep(".x", deep) + ": 1)",
			"r: a(x: in (" + rep("1, ", deep) + "1))", "r: a(x: ~ \"" + nested("(", "a", ")") + "\")", "r: " + rep("a() & ", 800) + "a()", "r: " + rep("once a() & ", 300) + "a()", "r: " + rep("a() | ", 90) + "b()", "r: a(" + rep("x: ?x, ", deep) + "x: 1)", "r: once[" + rep("9", deep) + "d] a()", "r: a(x: " + rep("9", deep) + ")", chain(100, "r%d: a()\n", "r%d: a()"),
		},
		"x.lab":  {nested("{", "a", "}"), rep("a = [", deep), nested("(", "a", ")")},
		"x.json": {nested("[", "1", "]"), nested(`{"a":`, "1", "}")},
		"x.md":   {rep("> ", deep) + "a", nested("[", "a", "]"), nested("**", "a", "**"), rep("- ", deep) + "a", rep("`", deep), nested("<b>", "a", "</b>"), nested("![", "a", "](x)")},
	}
	for name, texts := range files {
		for i, text := range texts {
			if i%effort.SampleStep(1, 2) != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s-%d", strings.TrimPrefix(name, "x."), i), func(t *testing.T) {
				s := New()
				params := DocumentParams{Files: []File{{Name: name, Text: text}}, Name: name}
				for _, method := range []string{"document.analyze", "spec.explain"} {
					_, _ = call(t, s, method, params)
				}
				if name == "x.rules" {
					_, _ = call(t, s, "rules.check", RulesCheckParams{Source: text, Events: []rules.RawEvent{{Name: "a"}, {Name: "a"}}})
				}
				_, _ = call(t, s, "document.format", DocumentFormatParams{Name: name, Text: text})
			})
		}
	}
	imports := map[string][]string{
		"gbnf": {"root ::= " + nested("(", "\"a\"", ")"), "root ::= \"a\"" + rep("*", deep), "root ::= " + rep("\"a\" | ", deep) + "\"a\"", chain(deep, "n%d ::= n%d\n", "n%d ::= \"a\"\n")},
		"lark": {"start: " + nested("(", "\"a\"", ")"), "start: " + nested("[", "\"a\"", "]"), "start: \"a\"" + rep("?", deep), chain(deep, "n%d: n%d\n", "n%d: \"a\"\n"), "A: /" + nested("(", "a", ")") + "/\nstart: A"},
		"ebnf": {"S = " + nested("(", "'a'", ")") + ";", "S = " + nested("{", "'a'", "}") + ";", "S = " + nested("[", "'a'", "]") + ";"},
		"w3c":  {"S ::= " + nested("(", "'a'", ")")},
		"cedar": {
			"permit(principal, action, resource) when { " + nested("(", "true", ")") + " };", "permit(principal, action, resource) when { " + rep("!", deep) + "true };",
			"permit(principal, action, resource) when { true" + rep(" && context.a", deep) + " };", "permit(principal, action, resource) when { context" + rep(".a", deep) + " };",
			"permit(principal, action, resource) when { 1" + rep(" + context.a", deep) + " > 1 };",
			"forbid(principal, action, resource) when temporal { " + nested("(", "A::\"a\"::request{}", ")") + " };",
			"forbid(principal, action, resource) when temporal { A::\"a\"::request{}" + rep(" && A::\"a\"::request{}", deep) + " };",
		},
		"hoa": {"HOA: v1\nacceptance: 1 " + nested("(", "Inf(0)", ")"), "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nacceptance: 1 Inf(0)\n--BODY--\nState: 0\n[" + nested("(", "0", ")") + "] 0\n--END--", "HOA: v1\nStates: 1\nAP: 1 \"a\"\n--BODY--\nState: 0\n[" + rep("!", deep) + "0] 0\n--END--"},
	}
	for format, texts := range imports {
		for i, text := range texts {
			t.Run(fmt.Sprintf("import-%s-%d", format, i), func(t *testing.T) {
				_, _ = call(t, New(), "spec.import", SpecImportParams{Text: text, Format: format})
			})
		}
	}
}

// chain returns definitions of which each refers to the next one.
func chain(n int, link, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, link, i, i+1)
	}
	fmt.Fprintf(&b, last, n)
	return b.String()
}
