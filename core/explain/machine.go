package explain

import (
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

// Flow explains the questions and the ends of a flowchart.
func Flow(s *flow.Syntax) (out []Sentence) {
	s.Parts(func(part any, at source.Span) {
		switch p := part.(type) {
		case flow.Value:
			out = append(out, Sentence{p.Name, sentence("texts have " + quoted(p.Text) + " instead of {" + p.Name + "}"), at})
		case flow.Begin:
			out = append(out, Sentence{"start", sentence("a run begins with " + p.Name), at})
		case flow.Question:
			out = append(out, Sentence{p.Name, sentence(question(p)), at})
		case flow.Block:
			out = append(out, Sentence{p.Name, sentence("block " + p.Name + " asks " + list(p.Questions, "and") + " in any order, then leads to " + p.To), at})
		case flow.End:
			verb := "rejects"
			if p.Accepts {
				verb = "accepts"
			}
			out = append(out, Sentence{p.Name, sentence("end " + p.Name + " " + verb + " the run: " + quoted(p.Text)), at})
		}
	})
	return out
}

func question(q flow.Question) string {
	var parts []string
	for _, a := range q.Answers {
		var names []string
		for i, name := range a.Names {
			if names = append(names, name); a.Texts[i] != "" {
				names[i] += " (" + quoted(a.Texts[i]) + ")"
			}
		}
		text := list(names, "and")
		if len(names) > 1 {
			text = "one or more of " + text
		}
		if a.To == "next" && q.Block != "" {
			parts = append(parts, text+" leads to the next question of "+q.Block)
		} else {
			parts = append(parts, text+" leads to "+a.To)
		}
	}
	text := "question " + q.Name + " is " + quoted(q.Text)
	if len(parts) > 0 {
		text += "; " + list(parts, "and")
	}
	return text
}

// Pushdown explains the transitions of an automaton and its other lines.
func Pushdown(s *pushdown.Syntax) (out []Sentence) {
	s.Parts(func(part any, at source.Span) {
		switch p := part.(type) {
		case pushdown.Begin:
			stack := "an empty stack"
			if p.Stack != "" {
				stack = p.Stack + " on the stack"
			}
			out = append(out, Sentence{"start", sentence("a run begins in " + p.State + " with " + stack), at})
		case pushdown.End:
			var ways []string
			if len(p.States) > 0 {
				ways = append(ways, "in "+list(p.States, "or"))
			}
			if p.Empty {
				ways = append(ways, "with an empty stack")
			}
			out = append(out, Sentence{"accept", sentence("a word is accepted if it ends " + strings.Join(ways, " or ")), at})
		case pushdown.Move:
			out = append(out, Sentence{"", sentence(move(p)), at})
		case pushdown.Naming:
			out = append(out, Sentence{p.Letter, sentence("the text of letter " + letter(p.Letter) + " is " + quoted(p.Text)), at})
		case pushdown.Limit:
			out = append(out, Sentence{"limit", sentence(limited(int(p.N), p.Each, p.Names, "letter")), at})
		case pushdown.Order:
			out = append(out, Sentence{"backwards", sentence("words are written from the last step to the first"), at})
		case pushdown.Family:
			out = append(out, Sentence{"for", sentence(family(p)), at})
		}
	})
	return out
}

func move(m pushdown.Move) string {
	read := letter(m.Read)
	switch m.Read {
	case "":
		read = "the automaton"
	case "*":
		read = "any letter"
	}
	if m.Text != "" {
		read += " (" + quoted(m.Text) + ")"
	}
	text := "from " + m.From + ", " + read + " leads to " + m.To
	if m.From == m.To {
		text = "in " + m.From + ", " + read + " stays"
	}
	if m.Read == "" {
		text = "from " + m.From + ", a run continues in " + m.To + " without a letter"
	}
	pop, push := m.Pop, strings.Join(m.Push, " ")
	if pop != "" && pop != "*" {
		text += " if " + letter(pop) + " is on top of the stack"
		pop = "it"
	} else if pop == "*" {
		pop = "the top of the stack"
	}
	switch {
	case pop != "" && !m.Keep && push != "":
		text += ", and replaces " + pop + " with " + push
	case pop != "" && !m.Keep:
		text += ", and removes " + pop
	case push != "":
		text += ", and pushes " + push
	}
	return text
}

func family(f pushdown.Family) string {
	var parts []string
	for _, v := range f.Variables {
		values := "of " + list(v.Words, "and")
		if from, to, ok := strings.Cut(v.Range, ".."); ok {
			values = "from " + from + " to " + to
		}
		parts = append(parts, v.Name+" "+values)
	}
	text := "the lines in braces are repeated for each " + list(parts, "and")
	if f.Condition != "" {
		text += " with " + f.Condition
	}
	return text
}

// letter returns the name of a letter or a stack symbol, perhaps with variables in braces.
func letter(name string) string {
	if plain := strings.NewReplacer("{", "", "}", "").Replace(name); word(plain) == plain {
		return name
	}
	return word(name)
}

// quoted quotes a text without its full stop.
func quoted(text string) string { return "“" + strings.TrimSuffix(text, ".") + "”" }
