package team_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
)

// meaning prints the parts of a team, one on each line.
func meaning(s *team.Spec) string {
	var b strings.Builder
	constraints := func(what string, list []team.Constraint) {
		for _, c := range list {
			fmt.Fprintf(&b, "  %s", what)
			if c.Check != nil {
				fmt.Fprintf(&b, " check %s", c.Check)
			}
			if c.Formula != nil {
				fmt.Fprintf(&b, " ltl %s", c.Formula)
			}
			fmt.Fprintf(&b, " %q\n", c.Text)
		}
	}
	fmt.Fprintf(&b, "%s\n", s.Name)
	for _, e := range s.Executors {
		fmt.Fprintf(&b, "%s: %q agent %q gives %q steps %d tools", e.Name, e.Does, e.Agent.Name, e.Gives, e.Steps)
		for _, t := range e.Tools {
			fmt.Fprintf(&b, " %s", t.Name)
		}
		b.WriteByte('\n')
		constraints("own", e.Constraints)
	}
	fmt.Fprintf(&b, "hints %q\n", s.Hints)
	constraints("local", s.Local)
	constraints("global", s.Global)
	fmt.Fprintf(&b, "%s %q %+v %q\n", s.Role, s.Gives, s.Limits, s.Shape.Name)
	return b.String()
}

func TestParse(t *testing.T) {
	golden.Run(t, func(_ *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("in.team", in["in.team"])
		spec, found := team.Parse(file)
		out := []golden.File{{Name: "diagnostics", Text: golden.Diagnostics(file, found)}, {Name: "meaning", Text: meaning(spec)}}
		if !source.HasErrors(found) {
			out = append(out, golden.File{Name: "formatted", Text: spec.Format()})
		}
		return out
	})
}

func TestInvalidTextsHaveOneDiagnostic(t *testing.T) {
	many := func(n int, one string) string { return strings.Repeat(one, n) }
	executors := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `(e%d (:does "x"))`, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text, code string }{
		{"binary", "(define\x00)", "source.binary"},
		{"a million parentheses", many(1<<20, "("), "sexpr.depth"},
		{"nothing but text", many(1<<18, "a "), "team.define"},
		{"too many executors", "(define a (:executors " + executors(101) + "))", "limit.executors"},
		{"too many constraints", `(define a (:executors (w (:does "x"))) (:local ` + many(201, `"x" `) + "))", "limit.constraints"},
		{"a long expression", `(define a (:executors (w (:does "x"))) (:local (check "` + many(5000, "1") + `")))`, "limit.expression"},
		{"a deep expression", `(define a (:executors (w (:does "x"))) (:local (check "` + many(200, "(") + `")))`, "limit.expression"},
		{"many nots", `(define a (:executors (w (:does "x"))) (:local (check "` + many(200, "not ") + `true")))`, "limit.expression"},
		{"an expression of many parts", `(define a (:executors (w (:does "x"))) (:local (check "1` + many(900, "+1") + ` > 2")))`, "limit.expression"},
		{"a long number", `(define a (:executors (w (:does "x"))) (:local (check "` + many(900, "1") + ` > 2")))`, "limit.number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := team.Parse(source.NewFile("t.team", c.text))
			if len(found) != 1 || found[0].Code != c.code {
				t.Fatalf("%d diagnostics, the first %+v; want one %s", len(found), found[:min(1, len(found))], c.code)
			}
		})
	}
}

func TestOccurrencesAreAtNames(t *testing.T) {
	text := `(define a
  (:executors
    (flights (:does "x") (:agent "r.agent") (:tools "Search") (:constraints (ltl "F called.Search")))
    (fact-checker (:does "y")))
  (:global (check "length(of('flights')) == 1") (ltl "!started.flights U \"done.fact-checker\""))
  (:shape "order.cfg"))
`
	var got []string
	for _, o := range team.Occurrences(source.NewFile("a.team", text)) {
		written := text[o.Span.Start:o.Span.End]
		if strings.Trim(written, `"`) != o.Name {
			t.Errorf("%s %q stands at %q", o.Kind, o.Name, written)
		}
		got = append(got, fmt.Sprintf("%s %s %v", o.Kind, o.Name, o.Defines))
	}
	want := "team a true, executor flights true, file r.agent false, tool Search false, tool Search false, executor fact-checker true, " +
		"executor flights false, executor flights false, executor fact-checker false, file order.cfg false"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
}

func FuzzFormatKeepsMeaning(f *testing.F) {
	f.Add(`(define a (:executors (w (:does "x") (:tools "A") (:constraints "p" (check "result.a <= 1") (ltl "F called.A")))) (:limits (steps 3)))`)
	f.Add(`(define`)
	f.Add(`(define a ; c
 (:executors (w (:does "x"))) (:global (check "all(results, r: has(r.result['a b']))")))`)
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("t.team", text)
		spec, found := team.Parse(file)
		for _, d := range found {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		for _, o := range team.Occurrences(file) {
			if o.Span.Start < 0 || o.Span.Start > o.Span.End || int(o.Span.End) > len(text) {
				t.Fatalf("%+v in a text of %d bytes", o, len(text))
			}
		}
		if source.HasErrors(found) {
			return
		}
		formatted := spec.Format()
		again, found := team.Parse(source.NewFile("t.team", formatted))
		if source.HasErrors(found) || meaning(again) != meaning(spec) {
			t.Fatalf("%q became %q", text, formatted)
		}
		if twice := again.Format(); twice != formatted {
			t.Fatalf("formatted once %q, twice %q", formatted, twice)
		}
	})
}

func TestDiagnosticsHaveCases(t *testing.T) {
	golden.EveryCode(t, "team", "team.settings", "team.template", "team.graph", "team.failed", "team.steps", "team.total", "team.property", "team.agent", "team.shape-word",
		"team.prompt", "team.delta", "team.reply", "team.offer", "team.state", "team.message", "team.violation", "team.done")
}
