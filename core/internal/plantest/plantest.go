// Package plantest provides the specs and processes that the tests of plans share.
package plantest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// Play runs a process to its end; a person's questions are answered with answers.
func Play(t testing.TB, f process.Func, seed uint64, answers ...string) (process.Output, []string) {
	t.Helper()
	p := process.New(f, seed, meter.Budget{}, nil)
	defer p.Stop()
	var events []string
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range out.Events {
			events = append(events, string(e))
		}
		given = nil
		for _, e := range out.Effects {
			if len(answers) == 0 {
				t.Fatalf("unexpected question: %s", e.Question.Prompt)
			}
			value, _ := json.Marshal(answers[0])
			given, answers = append(given, process.Answer{Effect: e.ID, Value: value}), answers[1:]
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return out, events
		}
	}
}

// File returns a file of the gallery.
func File(t testing.TB, name string) *source.File {
	t.Helper()
	// From the folder of the test, as a binary built with -trimpath lacks other paths.
	root := ".."
	for range 4 {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	text, err := os.ReadFile(filepath.Join(root, "grammars", name))
	if err != nil {
		t.Fatal(err)
	}
	return source.NewFile(name, string(text))
}

// Properties parses named formulas.
func Properties(t testing.TB, text string) []space.Property {
	t.Helper()
	list, found := ltl.Parse(source.NewFile("properties.ltl", text))
	if source.HasErrors(found) {
		t.Fatal(found)
	}
	var out []space.Property
	for _, n := range list {
		out = append(out, space.Property{Name: n.Name, Formula: n.Formula})
	}
	return out
}

// Spec is a compiled spec: a grammar with its table, or the words of a pushdown
// automaton or a flowchart with its automaton.
type Spec struct {
	Name      string
	Grammar   *grammar.Grammar
	Table     *space.Table
	Words     *pushdown.Words
	Chart     *flow.Flow
	Automaton *space.Automaton
}

// Gallery returns the specs of the gallery that have plans.
func Gallery(t testing.TB) []Spec {
	t.Helper()
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	var out []Spec
	for _, e := range examples {
		for _, f := range e.Files {
			if s, ok := Parse(t, f.Source()); ok {
				s.Name = e.ID + "/" + f.Name
				out = append(out, s)
			}
		}
	}
	return out
}

// Parse compiles a grammar, pushdown automaton or flowchart. ok is false for other
// files, and for texts that have no meaning.
func Parse(t testing.TB, file *source.File) (s Spec, ok bool) {
	t.Helper()
	var found, more []source.Diagnostic
	var err error
	switch workspace.KindOf(file.Name) {
	case workspace.KindGrammar:
		var syntax *grammar.Syntax
		syntax, found = grammar.Parse(file)
		if s.Grammar, more = grammar.Compile(syntax, ""); s.Grammar != nil {
			s.Table, err = space.NewTable(s.Grammar, s.Grammar.DeclaredLimits(), nil)
		}
	case workspace.KindPushdown:
		var syntax *pushdown.Syntax
		syntax, found = pushdown.Parse(file)
		var p *pushdown.PDA
		if p, more = pushdown.Compile(syntax); p != nil {
			if s.Words, err = p.Words(nil); err == nil {
				s.Automaton, err = space.NewPushdown(s.Words, p.Limits, nil)
			}
		}
	case workspace.KindFlow:
		var syntax *flow.Syntax
		syntax, found = flow.Parse(file)
		if s.Chart, more = flow.Compile(syntax); s.Chart != nil {
			s.Automaton, err = space.NewFlow(s.Chart, grammar.Limits{}, nil)
		}
	default:
		return s, false
	}
	if found = append(found, more...); source.HasErrors(found) || err != nil {
		t.Fatal(file.Name, found, err)
	}
	return s, true
}

// Tools is a grammar of tools on images and texts, each used at most once.
const Tools = `S -> T
I -> A I | C T | i
T -> B I | D T | E I T | F T T
A -> a1 | a2
B -> b1 | b2
C -> c1
D -> d1
E -> e1
F -> f1
I as "image"
T as "text"
i as "the input image"
a1 as "Colorization"
a2 as "Image Denoising"
b1 as "Image Captioning"
b2 as "Object Detection"
c1 as "Text to Image Generation"
d1 as "Machine Translation"
e1 as "Visual Question Answering"
f1 as "Question Answering"
limit 1 each except i
`
