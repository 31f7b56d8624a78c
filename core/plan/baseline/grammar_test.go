package baseline

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// listener records requests and answers them with a text.
type listener struct {
	request llm.Request
	reply   llm.Reply
}

func (l *listener) Generate(_ *process.Env, r llm.Request, _ func(string) bool) (llm.Reply, error) {
	l.request = r
	return l.reply, nil
}

// The grammar of each spec of the gallery is sent in both notations, and each can be read again.
func TestGrammarOfEachSpecIsSent(t *testing.T) {
	for _, p := range plantest.Gallery(t) {
		c := newChecker(t, p)
		l := &listener{}
		plantest.Play(t, func(env *process.Env) (any, error) {
			return RunWith(env, c, l, Settings{Task: "the task", Method: MethodGrammar, Model: llm.Spec{Kind: llm.KindFirst}})
		}, 1)
		sent := l.request.Constraint
		if sent == nil || sent.Regex != "" || sent.Choices != nil {
			t.Fatalf("%s: %+v", p.Name, sent)
		}
		if _, found := export.ReadLark(source.NewFile("x.lark", sent.Lark)); source.HasErrors(found) {
			t.Errorf("%s: %v\n%s", p.Name, found, sent.Lark)
		}
		if _, found := export.ReadGBNF(source.NewFile("x.gbnf", sent.Grammar)); source.HasErrors(found) {
			t.Errorf("%s: %v\n%s", p.Name, found, sent.Grammar)
		}
		text := l.request.Messages[0].Content
		for _, name := range c.Letters() {
			if !strings.Contains(text, "\n"+name) {
				t.Errorf("%s: no symbol %q in %q", p.Name, name, text)
			}
		}
	}
}

// The checker judges the answer whether or not a server has enforced the grammar.
func TestWordsAreJudged(t *testing.T) {
	g := must.Grammar(t, "S -> a S b | ε")
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		reply llm.Reply
		valid bool
	}{
		{llm.Reply{Text: "a a b b", Constrained: true}, true},
		{llm.Reply{Text: "a a b b"}, true},
		{llm.Reply{Text: "a b b"}, false},
		{llm.Reply{Text: "", Constrained: true}, true},
	} {
		l := &listener{reply: x.reply}
		var made *Result
		plantest.Play(t, func(env *process.Env) (_ any, err error) {
			made, err = RunWith(env, c, l, Settings{Method: MethodGrammar, Model: llm.Spec{Kind: llm.KindFirst}})
			return made, err
		}, 1)
		if made == nil || made.Valid != x.valid || made.Enforced != x.reply.Constrained || made.Text != x.reply.Text || made.Calls != 1 {
			t.Errorf("%+v: %+v", x.reply, made)
		}
	}
}
