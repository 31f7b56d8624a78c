package session

import (
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

func readingMethods() []Method {
	return []Method{
		pure("grammar.railroad", grammarRailroad),
		method("spec.explain", (*Session).specExplain),
	}
}

// GrammarRailroadParams are the text of a grammar.
type GrammarRailroadParams struct {
	Source string `json:"source"`
}

// Rail is a [view.Rail]; From and To are the place of a symbol, -1 without one.
type Rail struct {
	Kind  view.RailKind `json:"kind"`
	Text  string        `json:"text,omitempty"`
	Label string        `json:"label,omitempty"`
	Of    []*Rail       `json:"of,omitempty"`
	From  int           `json:"from"`
	To    int           `json:"to"`
}

// Railroad is a [view.Railroad].
type Railroad struct {
	Name  string `json:"name"`
	Start bool   `json:"start"`
	Note  string `json:"note,omitempty"`
	Rail  *Rail  `json:"rail"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// GrammarRailroadResult has a railroad diagram for each nonterminal, in the order of the rules.
type GrammarRailroadResult struct {
	Diagrams []Railroad `json:"diagrams"`
}

func grammarRailroad(p GrammarRailroadParams) (GrammarRailroadResult, error) {
	file := source.NewFile("grammar.cfg", p.Source)
	g, found := language.CompileGrammar(file, "")
	if source.HasErrors(found) || g == nil {
		return GrammarRailroadResult{}, notation.Invalid(file, found)
	}
	syntax, _ := grammar.Parse(file)
	list := view.Railroads(syntax, g)
	out := GrammarRailroadResult{Diagrams: make([]Railroad, len(list))}
	at := &places{file: file}
	for i, r := range list {
		d := &out.Diagrams[i]
		*d = Railroad{Name: r.Name, Start: r.Start, Note: r.Note, Rail: wireRail(r.Rail, at)}
		at.span(&d.From, &d.To, r.Span)
	}
	at.settle()
	return out, nil
}

func wireRail(r *view.Rail, at *places) *Rail {
	out := &Rail{Kind: r.Kind, Text: r.Text, Label: r.Label, From: -1, To: -1}
	if r.Span.Len() > 0 {
		at.span(&out.From, &out.To, r.Span)
	}
	for _, part := range r.Of {
		out.Of = append(out.Of, wireRail(part, at))
	}
	return out
}

// SpecExplainParams name a file of a workspace.
type SpecExplainParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
}

// Explanation is a sentence on a part of a file: a rule, a formula, a behaviour, a transition, a question or a state.
type Explanation struct {
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// SpecExplainResult has the explanations in the order of the text.
type SpecExplainResult struct {
	Items []Explanation `json:"items"`
}

// specExplain explains a file in sentences. A text with errors is explained as far as it can be
// read.
func (s *Session) specExplain(p SpecExplainParams) (SpecExplainResult, error) {
	scope, err := s.open(DocumentParams(p))
	if err != nil {
		return SpecExplainResult{}, err
	}
	row := s.table.Notations.Of(p.Name)
	if row.Explain == nil {
		return SpecExplainResult{}, source.NewError("explain.kind", p.Name+" has no explanations; open a grammar, an automaton, a flowchart, formulas, rules or an agent")
	}
	list := row.Explain(scope.File)
	out := SpecExplainResult{Items: make([]Explanation, len(list))}
	at := &places{file: scope.File}
	for i, e := range list {
		out.Items[i] = Explanation{Name: e.Name, Text: e.Text}
		at.span(&out.Items[i].From, &out.Items[i].To, e.Span)
	}
	at.settle()
	return out, nil
}
