package flow

import (
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// Kinds of [source.Occurrence].
const (
	KindQuestion = "question" // a block of questions, too
	KindEnd      = "end"
	KindAnswer   = "answer" // of its question
	KindVariable = "variable"
)

// Occurrences returns the occurrences of the names of questions, answers, ends and variables.
func Occurrences(file *source.File) []source.Occurrence {
	s, _ := Parse(file)
	var out []source.Occurrence
	kinds := map[string]string{} // of the declarations
	define := func(kind, of string, t lines.Token) {
		if kind != KindAnswer && kind != KindVariable {
			kinds[t.Text] = kind
		}
		out = append(out, source.Occurrence{Kind: kind, Of: of, Name: t.Text, Span: t.Span, Defines: true})
	}
	var uses []lines.Token
	ask := func(q question) {
		define(KindQuestion, "", q.name)
		for _, a := range q.answers {
			if len(a.some) == 0 {
				define(KindAnswer, q.name.Text, a.name)
			}
			for _, i := range a.some {
				define(KindAnswer, q.name.Text, i.name)
			}
			uses = append(uses, a.to)
		}
	}
	for _, st := range s.statements {
		switch st := st.(type) {
		case letLine:
			define(KindVariable, "", st.name)
		case startLine:
			uses = append(uses, st.name)
		case question:
			ask(st)
		case end:
			define(KindEnd, "", st.name)
		case block:
			define(KindQuestion, "", st.name)
			for _, q := range st.questions {
				ask(q)
			}
			uses = append(uses, st.to)
		}
	}
	for _, t := range uses {
		kind, declared := kinds[t.Text]
		switch {
		case !declared && (t.Text == stopName || t.Text == nextName || t.Span.Len() == 0):
			continue // the built-in targets
		case !declared:
			kind = KindQuestion
		}
		out = append(out, source.Occurrence{Kind: kind, Name: t.Text, Span: t.Span})
	}
	for _, t := range lines.Lex(file.Text) {
		if t.Kind != lines.Text {
			continue
		}
		variables(file.Slice(t.Span), func(name string, at int) {
			start := t.Span.Start + source.Pos(at)
			out = append(out, source.Occurrence{Kind: KindVariable, Name: name, Span: source.Span{Start: start, End: start + source.Pos(len(name))}})
		})
	}
	return out
}

// Keywords returns the reserved words of the notation.
func Keywords() []string {
	return []string{"ask", "accept", "stop", "let", "start", "in", "any", "order", "some", "as", nextName, enoughName}
}
