package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
)

const named = `(define both ; an agent
  (:states (Ask (:text "[Ask]"))
           (Act (:text "[Act]") (:one-of "Ask" "Look") (:flags :empty))
           (Obs (:text "[Obs]") (:flags :env-input) (:from summary "sum.txt") ())
           () "x" ())
  (:behavior (next Ask (until_2 (or Act Nowhere) (always Obs)) "Act" ()))
  (:require "G (Act -> X Obs)" "F \"Act\"" Act "F Ask")
  (:prompt "prompt.txt") () (:examples "one.txt" two "three.txt"))
`

func TestOccurrencesHaveSpansOfNames(t *testing.T) {
	file := source.NewFile("both.agent", named)
	const want = `1:9 agent both defined
2:13 state Ask defined
3:13 state Act defined
4:13 state Obs defined
4:68 file sum.txt as "sum.txt"
6:20 state Ask
6:37 state Act
6:41 state Nowhere
6:58 state Obs
7:17 state Act
7:26 state Obs
7:35 state Act as \"Act\"
7:51 state Ask
8:12 file prompt.txt as "prompt.txt"
8:40 file one.txt as "one.txt"
8:54 file three.txt as "three.txt"
`
	if got := golden.Occurrences(file, agent.Occurrences(file)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	// In an unfinished formula, the partial word at its end is not yet a name.
	file = source.NewFile("t.agent", "(define a (:require \"F (Act & Ask")
	if got := golden.Occurrences(file, agent.Occurrences(file)); got != "1:9 agent a defined\n1:25 state Act\n" {
		t.Error(got)
	}
	for _, text := range []string{"", "()", "(define)", "x", "(define (:states))"} {
		if got := agent.Occurrences(source.NewFile("t.agent", text)); len(got) > 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestTokenClasses(t *testing.T) {
	file := source.NewFile("t.agent", "(define a ; c\n (:states (until_3 (:text \"[A]\"))) until_x (always -> B) \"open")
	var got []string
	for _, token := range agent.Tokens(file) {
		got = append(got, token.Class+" "+file.Slice(token.Span))
	}
	const want = `keyword define, state a, comment ; c, keyword :states, operator until_3, keyword :text, string "[A]", ` +
		`state until_x, operator always, operator ->, state B, invalid "open`
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
	if got := agent.Tokens(source.NewFile("t.agent", "(\x00")); got != nil {
		t.Error(got)
	}
}

func TestLimitsHoldAndAreReached(t *testing.T) {
	states := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " (s%d (:text \"[%d]\"))", i, i)
		}
		return "(define a (:states" + b.String() + ") (:behavior s0))"
	}
	one := func(properties, behavior, sections string) string {
		return fmt.Sprintf(`(define a (:states (A (:text "[A]") %s) (B (:text "[B]"))) (:behavior %s) %s)`, properties, behavior, sections)
	}
	files := func(n int) string { return "(:examples" + strings.Repeat(` "x"`, n) + ")" }
	for _, c := range []struct{ what, text, code string }{
		{"states", states(agent.MaxStates), ""},
		{"too many states", states(agent.MaxStates + 1), "limit.agent-states"},
		{"examples", one("", "(next A B)", files(agent.MaxExamples)), ""},
		{"too many examples", one("", "(next A B)", files(agent.MaxExamples+1)), "agent.file"},
		{"two prompts", one("", "(next A B)", `(:prompt "x" "y")`), "agent.file"},
		{"a long content", one(fmt.Sprintf("(:max-tokens %d)", agent.MaxContent), "(next A B)", ""), ""},
		{"too long a content", one(fmt.Sprintf("(:max-tokens %d)", agent.MaxContent+1), "(next A B)", ""), "agent.max-tokens"},
		{"the shortest content", one("(:max-tokens 1)", "(next A B)", ""), ""},
		{"no content", one("(:max-tokens 0)", "(next A B)", ""), "agent.max-tokens"},
		{"two lengths", one("(:max-tokens 1 2)", "(next A B)", ""), "agent.max-tokens"},
		{"contents that fit", one(`(:matches "a{8}") (:max-tokens 2)`, "(next A B)", ""), ""},
		{"contents that do not", one(`(:matches "a{9}") (:max-tokens 2)`, "(next A B)", ""), "agent.max-tokens"},
		{"a high bound", one("", fmt.Sprintf("(until_%d A B)", agent.MaxBound), ""), ""},
		{"too high a bound", one("", fmt.Sprintf("(until_%d A B)", agent.MaxBound+1), ""), "agent.bound"},
		{"bounds that are the same", one("", "(until_2_2 A B)", ""), ""},
		{"bounds the wrong way round", one("", "(until_3_2 A B)", ""), "agent.bound"},
		{"three bounds", one("", "(until_1_2_3 A B)", ""), "agent.bound"},
		{"two bounds of always", one("", "(next B (always_1_2 A))", ""), "agent.bound"},
		{"a bound of nought", one("", "(until_0 A B)", ""), "agent.bound"},
	} {
		spec, found := agent.Parse(source.NewFile("t.agent", c.text))
		found = append(found, agent.CheckContents(spec)...)
		if c.code == "" && len(found) > 0 || c.code != "" && (len(found) != 1 || found[0].Code != c.code) {
			t.Errorf("%s: %v", c.what, found[:min(2, len(found))])
		}
	}
}

func TestOperatorsReportTheirArity(t *testing.T) {
	for behavior, want := range map[string]string{
		"(not A B)": `"not" expects one formula, not 2`, "(until A)": `"until" expects 2 formulas, not 1`, "(next)": `"next" expects at least one formula, not 0`,
		"(always_2 A A)": `"always" expects one formula, not 2`, "(->)": `"->" expects 2 formulas, not 0`,
	} {
		_, found := agent.Parse(source.NewFile("t.agent", specText([]string{"A", "B"}, nil, behavior)))
		if len(found) != 1 || found[0].Message != want {
			t.Errorf("%s: %v", behavior, found)
		}
	}
}

func TestFollowedAlwaysIsReportedAtItsPosition(t *testing.T) {
	for behavior, want := range map[string]string{
		"(always A)":                     "",
		"(next A (always B))":            "",
		"(next (always A) B)":            "agent.always-tail",
		"(until (always A) B)":           "agent.always-tail",
		"(until A (always B))":           "",
		"(until (always_2 A) B)":         "",
		"(or (always A) (always B))":     "",
		"(next (or A (always A)) B)":     "agent.always-tail",
		"(next A (or B (always A)))":     "",
		"(always (always A))":            "agent.always-tail",
		"(always (next B (always A)))":   "agent.always-tail",
		"(always (until B (always A)))":  "agent.always-tail",
		"(next B (next A (always A)))":   "",
		"(next (next A (always A)) B)":   "agent.always-tail",
		"(and (always A) (always A))":    "",
		"(next (not (always A)) B)":      "agent.always-tail",
		"(eventually (always A))":        "",
		"(next B A (-> (always A) A) B)": "agent.always-tail",
	} {
		_, found := agent.Parse(source.NewFile("t.agent", specText([]string{"A", "B"}, nil, behavior)))
		codes := []string{}
		for _, d := range found {
			codes = append(codes, d.Code)
		}
		if got := strings.Join(codes, " "); got != want {
			t.Errorf("%s: %q, want %q", behavior, got, want)
		}
	}
}
