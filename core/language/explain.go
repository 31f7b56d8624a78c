package language

import (
	"github.com/stile-playground/stile/core/agent"
	sentences "github.com/stile-playground/stile/core/explain"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

func grammarSentences(file *source.File) []sentences.Sentence {
	syntax, _ := grammar.Parse(file)
	g, _ := grammar.Compile(syntax, "")
	if g == nil {
		return nil
	}
	return sentences.Grammar(syntax, g)
}

func formulaSentences(file *source.File) (out []sentences.Sentence) {
	list, _ := ltl.Parse(file)
	for _, n := range list {
		out = append(out, sentences.Sentence{Name: n.Name, Text: sentences.Formula(n.Formula), Span: n.Span})
	}
	return out
}

func agentSentences(file *source.File) []sentences.Sentence {
	spec, _ := agent.Parse(file)
	return sentences.Agent(spec)
}

func flowSentences(file *source.File) []sentences.Sentence {
	syntax, _ := flow.Parse(file)
	return sentences.Flow(syntax)
}

func pushdownSentences(file *source.File) []sentences.Sentence {
	syntax, _ := pushdown.Parse(file)
	return sentences.Pushdown(syntax)
}
