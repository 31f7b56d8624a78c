package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
)

func TestCompiledGuardDecides(t *testing.T) {
	s := New()
	c := result[GuardCompileResult](t, s, "guard.compile", GuardCompileParams{Files: []File{
		{Name: "shop.cfg", Text: "S -> login work\nwork -> lookup work | refund work | logout\n"}, {Name: "shop.ltl", Text: "calm: G(refund -> X !refund)\n"}, {Name: "notes.md", Text: "no spec"},
	}})
	if !c.Portable || strings.Join(c.Rules, "; ") != "shop.cfg; shop.ltl: calm" || c.Hash != gate.Sum(c.Text) {
		t.Errorf("%+v", c)
	}
	state := ""
	for _, want := range []struct{ op, event, verdict, next string }{
		{"allow", `{"name":"refund","id":"1"}`, "deny", "login"},
		{"allow", `{"name":"login","id":"1","arguments":{"user":"u"}}`, "allow", "lookup refund logout"},
		{"cancel", `{"id":"1"}`, "allow", "login"},
		{"allow", `{"name":"login","id":"1"}`, "allow", "lookup refund logout"},
		{"record", `{"kind":"result","id":"1"}`, "allow", "lookup refund logout"},
		{"allow", `{"name":"refund"}`, "allow", "lookup logout"},
		{"allow", `{"name":"refund"}`, "deny", "lookup logout"},
		{"end", "", "deny", ""},
	} {
		got := result[GuardDecideResult](t, s, "guard.decide", GuardDecideParams{Guard: c.Text, State: state, Operations: []GuardOperation{{want.op, want.event}}})
		if state = got.State; string(got.Decisions[0].Verdict) != want.verdict || strings.Join(got.Next, " ") != want.next || len(got.Log) > 1 {
			t.Errorf("%s %s: %+v", want.op, want.event, got)
		}
	}
}

func TestCompiledGuardJudgesTexts(t *testing.T) {
	s := New()
	c := result[GuardCompileResult](t, s, "guard.compile", GuardCompileParams{Files: []File{
		{Name: "a.agent", Text: `(define a (:states (Act (:text "[Act]") (:one-of "lookup")) (Ans (:text "[Ans]"))) (:behavior (until Act Ans)))`},
	}})
	got := result[GuardDecideResult](t, s, "guard.decide", GuardDecideParams{Guard: c.Text, Operations: []GuardOperation{
		{"feed", `{"content":"[Act] look"}`}, {"feed", `{"content":"up [Ac"}`}, {"feed", `{"content":"t] x"}`},
	}})
	if d := got.Decisions[2]; got.Decisions[1].Verdict != "allow" || d.Code != "content" || d.At == nil || *d.At != 19 {
		t.Errorf("%+v", got)
	}
}

func TestOtherSpecsDefineSymbolsOnly(t *testing.T) {
	files := []File{{Name: "a.cfg", Text: "S -> a"}, {Name: "b.cfg", Text: "S -> b"}, {Name: "p.ltl", Text: "F b\n\nF a\n"}}
	c := result[GuardCompileResult](t, New(), "guard.compile", GuardCompileParams{Files: files, Options: compile.Options{Only: "a.cfg"}})
	if strings.Join(c.Rules, "; ") != "a.cfg; p.ltl: F a" {
		t.Errorf("%+v", c.Rules)
	}
}

func TestFaultsOfGuardsAreReported(t *testing.T) {
	s := New()
	c := result[GuardCompileResult](t, s, "guard.compile", GuardCompileParams{Files: []File{{Name: "pay.rules", Text: "once_only: refund(id: ?i) -> !previous once refund(id: ?i)\n"}}})
	if !c.Portable {
		t.Error("a guard with rules is not portable")
	}
	for method, list := range map[string]map[string]any{
		"guard.compile": {
			"guard.spec":          GuardCompileParams{Files: []File{{Name: "a.txt", Text: "x"}}},
			"property.unjudged":   GuardCompileParams{Files: []File{{Name: "a.cfg", Text: "S -> a"}, {Name: "p.ltl", Text: "F b"}}},
			"invalid":             GuardCompileParams{Files: []File{{Name: "a.cfg", Text: "S -> "}, {Name: "b.agent", Text: "(define"}}},
			"guard.spec " + "ltl": GuardCompileParams{Files: []File{{Name: "a.cfg", Text: "S -> a"}, {Name: "p.ltl", Text: "a & !a"}}},
		},
		"guard.decide": {
			"guard.file":      GuardDecideParams{Guard: "{}"},
			"guard.state":     GuardDecideParams{Guard: c.Text, State: "{}"},
			"guard.mode":      GuardDecideParams{Guard: c.Text, Modes: map[string]gate.Mode{"x": "off"}},
			"guard.event":     GuardDecideParams{Guard: c.Text, Operations: []GuardOperation{{"allow", "[]"}}},
			"guard.operation": GuardDecideParams{Guard: c.Text, Operations: []GuardOperation{{"permit", "{}"}}},
		},
	} {
		for code, p := range list {
			_, fault := call(t, s, method, p)
			want, _, _ := strings.Cut(code, " ")
			if fault == nil || want != "invalid" && fault.Code != want {
				t.Errorf("%s: %+v, want %s", method, fault, code)
			}
		}
	}
}

// A person who writes several events finds the one that cannot be read.
func TestUnreadableEventIsNumbered(t *testing.T) {
	s := New()
	c := result[GuardCompileResult](t, s, "guard.compile", GuardCompileParams{Files: []File{{Name: "a.cfg", Text: "S -> a b"}}})
	_, fault := call(t, s, "guard.decide", GuardDecideParams{Guard: c.Text, Operations: []GuardOperation{{"allow", `{"name":"a"}`}, {"allow", `{"name":`}}})
	if fault == nil || fault.Code != "guard.event" || fault.Message != "event 2: malformed event: syntax error" {
		t.Errorf("%+v", fault)
	}
}
