package flow

import "github.com/stile-playground/stile/core/source"

// The parts of a flowchart's text, with names as they are written.
type (
	// Begin names the first question or block.
	Begin struct{ Name string }
	// Value is the text of a variable.
	Value struct{ Name, Text string }
	// Question is asked in its state; Block is the name of its block, "" outside.
	Question struct {
		Name, Text, Block string
		Answers           []Answer
	}
	// Answer leads to a question or an end, or with the name "next" to the next question of its
	// block. With several names, any selection of them, in their order, is an answer.
	Answer struct {
		Names, Texts []string
		To           string
	}
	// Block asks its questions in any order.
	Block struct {
		Name, To  string
		Questions []string
	}
	// End accepts or rejects.
	End struct {
		Name, Text string
		Accepts    bool
	}
)

// Parts calls visit with each part of the text and its place, in the order of the text.
func (s *Syntax) Parts(visit func(part any, at source.Span)) {
	for _, st := range s.statements {
		switch st := st.(type) {
		case letLine:
			visit(Value{st.name.Text, st.text.Text}, st.name.Span)
		case startLine:
			visit(Begin{st.name.Text}, st.name.Span)
		case question:
			visit(questionOf(st, ""), st.name.Span)
		case block:
			b := Block{Name: st.name.Text, To: st.to.Text}
			for _, q := range st.questions {
				b.Questions = append(b.Questions, q.name.Text)
			}
			visit(b, st.name.Span)
			for _, q := range st.questions {
				visit(questionOf(q, b.Name), q.name.Span)
			}
		case end:
			visit(End{st.name.Text, st.text, st.accepts}, st.name.Span)
		}
	}
}

func questionOf(q question, block string) Question {
	out := Question{Name: q.name.Text, Text: q.text.Text, Block: block}
	for _, a := range q.answers {
		answer := Answer{Names: []string{a.name.Text}, Texts: []string{a.text}, To: a.to.Text}
		if len(a.some) > 0 {
			answer.Names, answer.Texts = nil, nil
			for _, i := range a.some {
				answer.Names, answer.Texts = append(answer.Names, i.name.Text), append(answer.Texts, i.text)
			}
		}
		out.Answers = append(out.Answers, answer)
	}
	return out
}
