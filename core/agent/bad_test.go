package agent_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

func said(text string) (*agent.Agent, []source.Diagnostic) {
	spec, found := agent.Parse(source.NewFile("t.agent", text))
	a, more := agent.Compile(spec, meter.New(meter.Budget{}))
	return a, append(found, more...)
}

func TestBadTextsHaveOneDiagnosticEach(t *testing.T) {
	deep := "(define a (:states (A (:text \"[A]\"))) (:behavior " + strings.Repeat("(next ", 100_000) + "A" + strings.Repeat(")", 100_000) + "))"
	for _, c := range []struct{ name, text, code string }{
		{"binary", "(define\x00)", "source.binary"},
		{"not UTF-8", "(define caf\xe9)", "source.utf8"},
		{"a million parentheses", strings.Repeat("(", 1<<20), "sexpr.depth"},
		{"nothing but text", strings.Repeat("a ", 1<<18), "agent.define"},
		{"a formula that is too deep", deep, "sexpr.depth"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := said(c.text)
			if len(found) != 1 || found[0].Code != c.code {
				t.Fatalf("%d diagnostics, the first %+v; want one %s", len(found), found[:min(1, len(found))], c.code)
			}
		})
	}
}

func TestLargeLoopEndsWithLimit(t *testing.T) {
	_, found := said(`(define a (:states (A (:text "[A]")) (B (:text "[B]"))) (:behavior (until_10000 (until_10000 (until_10000 A B) A) B)))`)
	if len(found) != 1 || !strings.HasPrefix(found[0].Code, "limit.") {
		t.Fatalf("%v", found)
	}
}

func FuzzFormattingKeepsTheMeaning(f *testing.F) {
	f.Add(`(define a ; c
 (:states (A (:text "[A]") (:one-of "x" "y")) (B (:text "[B]") (:flags :env-input))) (:behavior (until_1_2 (or A B) (next A B))))`)
	f.Add(`(define`)
	f.Fuzz(func(t *testing.T, text string) {
		spec, found := agent.Parse(source.NewFile("t.agent", text))
		a, more := agent.Compile(spec, meter.New(meter.Budget{}))
		for _, d := range append(found, more...) {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		if source.HasErrors(append(found, more...)) || a == nil {
			return
		}
		formatted := spec.Format()
		again, found := agent.Parse(source.NewFile("t.agent", formatted))
		b, more := agent.Compile(again, meter.New(meter.Budget{}))
		if source.HasErrors(append(found, more...)) || b.DFA.String() != a.DFA.String() {
			t.Fatalf("%q became %q", text, formatted)
		}
		if twice := again.Format(); twice != formatted {
			t.Fatalf("formatted once %q, twice %q", formatted, twice)
		}
	})
}
