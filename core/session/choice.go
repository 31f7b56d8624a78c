package session

import "github.com/stile-playground/stile/core/plan/choice"

// ChoiceReadParams are the labels of a prompt's options, which are numbered from 1 in their
// order, and a model's reply to that prompt.
type ChoiceReadParams struct {
	Options []string `json:"options"`
	Reply   string   `json:"reply"`
}

// ChoiceReadResult is the choice that a plan's run reads in the reply: the number of an option,
// from 1, or null. Reason is the evidence for a number: "form", "statement", "mention", "label"
// or "number"; for null it is a sentence with the reason why the reply is refused.
type ChoiceReadResult struct {
	Choice *int   `json:"choice"`
	Reason string `json:"reason"`
}

func choiceRead(p ChoiceReadParams) (ChoiceReadResult, error) {
	read := choice.Read(p.Options, p.Reply)
	if read.Choice == 0 {
		return ChoiceReadResult{Reason: read.Reason}, nil
	}
	return ChoiceReadResult{Choice: &read.Choice, Reason: read.How}, nil
}
