package space

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

func (w *walk) Refusal(c Config, m Move) (why, reason string, err error) {
	now, r := c.(walkConfig), w.rules
	t, err := w.letterOf(now, m)
	if err != nil {
		return "", "", err
	}
	if now.left[t] == 0 {
		if r.Caps[t] == 0 {
			return WithheldLimit, "it may not be used", nil
		}
		return WithheldLimit, "it is used already", nil
	}
	if r.Hopeless(r.next(now.state, t)) {
		return WithheldProperty, "it would break " + r.broken(now.word.all(), t), nil
	}
	if r.Automaton != nil {
		if err := w.plain.to(now.word.all()); err != nil {
			return "", "", err
		}
		_, _, next, err := w.plain.run.NextWithin(r.plain, now.left)
		if err != nil {
			return "", "", err
		}
		if slices.Contains(next, t) {
			return WithheldProperty, "no continuation satisfies " + r.names(), nil
		}
	}
	return WithheldLookahead, "the remaining letters cannot complete the plan", nil
}

// letterOf returns the letter of a move that is a letter or one item.
func (w *walk) letterOf(now walkConfig, m Move) (grammar.Symbol, error) {
	switch m := m.(type) {
	case letterMove:
		return grammar.Symbol(m), nil
	case Items:
		if t, ok := w.g.Lookup(w.chart.Letter(now.at, w.chart.States[now.at].Edges[m[0]])); ok {
			return t, nil
		}
	}
	return 0, source.NewError("internal", fmt.Sprintf("%v is not a letter", m))
}

func (w *walk) Item(c Config) (item, purpose string) {
	now := c.(walkConfig)
	switch {
	case w.chart == nil:
		return "the next step", ""
	case w.chart.States[now.at].Kind == flow.Choose:
		return "the question that matters most now", ""
	default:
		return w.chart.Text(w.chart.States[now.at].Question, nil), ""
	}
}

func (w *walk) Choice(c Config, m Move) Choice {
	now := c.(walkConfig)
	out := Choice{Pushes: []string{}}
	switch m := m.(type) {
	case Items:
		for i, item := range m {
			e := w.chart.States[now.at].Edges[item]
			if i > 0 {
				out.Symbol, out.Label = out.Symbol+" ", out.Label+", "
			}
			out.Symbol, out.Label = out.Symbol+w.chart.Letter(now.at, e), out.Label+e.Answer
		}
	case stopMove:
		out.Label = "nothing more: the plan is complete"
	case letterMove:
		t := grammar.Symbol(m)
		out.Symbol = w.g.Names[t]
		switch {
		case w.chart == nil:
			out.Label = w.reads(Names(w.g, now.word.all()), out.Symbol)
		case w.chart.States[now.at].Kind == flow.Choose:
			out.Label = w.chart.Text(w.chart.States[w.edge(now, t).To].Question, nil)
		default:
			e := w.edge(now, t)
			out.Label = e.Answer
			if e.Text != "" {
				out.Label += ": " + w.chart.Text(e.Text, nil)
			}
		}
	}
	return out
}

// Report lists the labels of the letters. Of a flowchart it lists the answers only, not the
// choices of the next question.
func (w *walk) Report(c Config) []string {
	word := Names(w.g, c.Word())
	var out []string
	if w.chart == nil {
		for i, letter := range word {
			out = append(out, w.reads(word[:i], letter))
		}
		return out
	}
	for _, text := range w.answers(word) {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// reads returns the label of a letter after a word: that of the transitions that read it
// there if they agree, or else the letter's own.
func (w *walk) reads(word []string, letter string) string {
	const enough = 16
	label, known := "", w.labels[letter]
	list, _, err := w.words.Situations(word, enough, w.meter)
	if err != nil {
		list = nil // fall back to the letter's own label
	}
	for _, s := range list {
		for _, t := range w.words.PDA.Transitions {
			if t.From != s.State || t.Read != letter || t.Label == "" {
				continue
			}
			if label != "" && label != t.Label {
				label = ""
				break
			}
			label = t.Label
		}
	}
	switch {
	case label != "":
		return label
	case known != "":
		return known
	default:
		return letter
	}
}

func (w *walk) StackNames(c Config) []string {
	if w.chart != nil {
		return []string{}
	}
	list, _, err := w.words.Situations(Names(w.g, c.Word()), 1, w.meter)
	if err != nil || len(list) == 0 {
		return []string{}
	}
	return append([]string{w.words.PDA.States[list[0].State]}, list[0].Stack...)
}
