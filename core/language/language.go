// Package language is what an editor asks of the notations: what stands at a place,
// where else, what could stand there, what it would be to call it otherwise, and what
// may be folded. One service for all of them, over a whole workspace, for a letter of
// a grammar is a proposition of the formulas beside it.
package language

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// Place is a place in a file of a workspace.
type Place struct {
	File    string
	Span    source.Span
	Defines bool
}

// Symbol is what is named at a place, and all places at which it is.
type Symbol struct {
	Kind   string // "nonterminal", "letter", …
	Name   string
	Span   source.Span // where it was asked for
	Places []Place     // in the order of the files, and in each from the beginning

	key string
}

// Find returns what is named at a place of a file, or nil.
func Find(w workspace.Workspace, name string, at source.Pos) *Symbol {
	x := newIndex(w)
	o, ok := innermost(x.of[name], at)
	if !ok {
		return nil
	}
	s := &Symbol{Kind: o.Kind, Name: o.Name, Span: o.Span, key: x.key(name, o)}
	for _, f := range w.Files {
		for _, other := range x.of[f.Name] {
			if x.key(f.Name, other) == s.key {
				s.Places = append(s.Places, Place{f.Name, other.Span, other.Defines})
				if other.Defines && s.Kind == ltl.KindProposition {
					s.Kind = other.Kind // what the proposition speaks of
				}
			}
		}
	}
	return s
}

// innermost returns the shortest occurrence around a place, its end counted in.
func innermost(list []source.Occurrence, at source.Pos) (best source.Occurrence, found bool) {
	for _, o := range list {
		if o.Span.Start <= at && at <= o.Span.End && (!found || o.Span.Len() < best.Span.Len()) {
			best, found = o, true
		}
	}
	return best, found
}

// index has the occurrences of a workspace.
type index struct {
	of      map[string][]source.Occurrence // by file
	answers map[string]source.Occurrence   // of flowcharts, by question.answer
	choices map[string]bool                // names of flowcharts' questions
	steps   map[string]source.Occurrence   // predicates and actions of domains, by name
	letters map[string]string              // kinds of the letters of other specs
}

func newIndex(w workspace.Workspace) *index {
	x := &index{of: map[string][]source.Occurrence{}, answers: map[string]source.Occurrence{}, choices: map[string]bool{}, steps: map[string]source.Occurrence{}, letters: map[string]string{}}
	for _, f := range w.Files {
		list := occurrences(f)
		x.of[f.Name] = list
		for _, o := range list {
			switch {
			case o.Kind == flow.KindAnswer:
				x.answers[o.Of+"."+o.Name] = o
			case o.Kind == flow.KindQuestion && o.Defines:
				x.choices[o.Name] = true
			case isLetter(workspace.KindOf(f.Name), o.Kind):
				x.letters[o.Name] = o.Kind
			case o.Defines && (o.Kind == strips.KindPredicate || o.Kind == strips.KindAction):
				if _, known := x.steps[o.Name]; !known {
					x.steps[o.Name] = o
				}
			}
		}
	}
	for _, f := range w.Files {
		switch workspace.KindOf(f.Name) {
		case workspace.KindFormulas, workspace.KindAgent:
			x.of[f.Name] = x.resolve(f, x.of[f.Name])
		case workspace.KindSMT:
			x.of[f.Name] = x.given(w, f, x.of[f.Name])
		}
	}
	return x
}

// occurrences reads a file; they stand in order.
func occurrences(f workspace.File) (list []source.Occurrence) {
	file := f.Source()
	if len(file.Check()) > 0 {
		return nil
	}
	switch workspace.KindOf(f.Name) {
	case workspace.KindGrammar:
		list = grammar.Occurrences(file)
	case workspace.KindPushdown:
		list = pushdown.Occurrences(file)
	case workspace.KindFlow:
		list = flow.Occurrences(file)
	case workspace.KindAgent:
		list = agent.Occurrences(file)
	case workspace.KindFormulas:
		list = ltl.Occurrences(file)
	case workspace.KindTeam:
		list = team.Occurrences(file)
	case workspace.KindSMT, workspace.KindLP:
		list = solve.Occurrences(solverOf(workspace.KindOf(f.Name)), file)
	case workspace.KindPDDL:
		list = strips.Occurrences(file)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Span.Start < list[j].Span.Start })
	return list
}

// isLetter reports whether words of a spec are made of such symbols.
func isLetter(kind workspace.Kind, of string) bool {
	switch kind {
	case workspace.KindGrammar:
		return of == grammar.KindTerminal
	case workspace.KindPushdown:
		return of == pushdown.KindLetter
	case workspace.KindAgent:
		return of == agent.KindState
	}
	return false
}

// resolve makes two occurrences of a proposition that names an answer of a question,
// "entitled.yes", and a question of one that names a question.
func (x *index) resolve(f workspace.File, list []source.Occurrence) []source.Occurrence {
	var out []source.Occurrence
	for _, o := range list {
		answer, ok := x.answers[o.Name]
		_, letter := x.letters[o.Name]
		quoted := f.Text[o.Span.Start] == '"'
		switch {
		case o.Kind != ltl.KindProposition:
		case ok && o.Span.Len() == len(o.Name) || ok && quoted && o.Span.Len() == len(o.Name)+2:
			start := o.Span.Start
			if quoted {
				start++
			}
			dot := start + source.Pos(len(answer.Of))
			out = append(out, source.Occurrence{Kind: flow.KindQuestion, Name: answer.Of, Span: source.Span{Start: start, End: dot}})
			o = source.Occurrence{Kind: flow.KindAnswer, Of: answer.Of, Name: answer.Name, Span: source.Span{Start: dot + 1, End: dot + 1 + source.Pos(len(answer.Name))}}
		case x.choices[o.Name] && !letter:
			o.Kind = flow.KindQuestion
		case !letter && workspace.KindOf(f.Name) == workspace.KindFormulas:
			o = x.step(f, o)
		}
		out = append(out, o)
	}
	return out
}

// key is the same for occurrences of the same thing. Letters are the workspace's,
// all else is the file's.
func (x *index) key(file string, o source.Occurrence) string {
	kind := workspace.KindOf(file)
	switch {
	case kind == workspace.KindFormulas && o.Kind == ltl.KindProposition, isLetter(kind, o.Kind):
		return "letter " + o.Name
	case o.Kind == flow.KindAnswer || o.Kind == flow.KindQuestion:
		return strings.Join([]string{o.Kind, o.Of, o.Name}, "\x00")
	case (kind == workspace.KindPDDL || kind == workspace.KindFormulas) && ofDomain(o):
		return strings.Join([]string{"domain", o.Kind, o.Of, o.Name}, "\x00")
	case kind == workspace.KindSMT && o.Of != "" && o.Of == givenOf(file):
		return strings.Join([]string{o.Of, o.Kind, "", o.Name}, "\x00")
	}
	return strings.Join([]string{file, o.Kind, o.Of, o.Name}, "\x00")
}
