package tool

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
)

// Person is a person who is asked as a tool is.
type Person struct {
	Label   string   // the tool's name; "" for Ask
	About   string   // its description; "" for a plain one
	Prompt  string   // stands before what the model asks; may be empty
	Choices []string // what may be answered; none: anything
}

// NewPerson returns a person as a tool.
func NewPerson(p Person) Callable {
	if p.Label == "" {
		p.Label = "Ask"
	}
	if p.About == "" {
		p.About = "Asks a person and gives the answer."
	}
	return person{p}
}

type person struct{ Person }

// Name implements [Callable].
func (p person) Name() string { return p.Label }

// Description implements [Callable].
func (p person) Description() string { return p.About }

// Schema implements [Callable].
func (p person) Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"question":{"type":"string","minLength":1,"maxLength":4000}},"required":["question"],"additionalProperties":false}`)
}

// Call implements [Callable].
func (p person) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	var a struct{ Question string }
	if err := json.Unmarshal(arguments, &a); err != nil {
		return "", faultf(CodeArguments, "arguments: %s", err)
	}
	prompt := a.Question
	if p.Prompt != "" {
		prompt = p.Prompt + "\n\n" + prompt
	}
	raw, err := env.Start(process.Request{Question: &process.Question{Prompt: prompt, Choices: p.Choices, Multiline: len(p.Choices) == 0}}).Value()
	if err != nil {
		return "", hostFault("a person", err)
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", faultf(CodeAnswer, "the answer of a person is a text")
	}
	// A host answers with the number of a choice.
	for i, choice := range p.Choices {
		if text == fmt.Sprint(i+1) {
			return choice, nil
		}
	}
	return text, nil
}
