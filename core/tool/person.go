package tool

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
)

// Person configures a tool that asks a person.
type Person struct {
	Label   string   // the tool's name; "": Ask
	About   string   // its description; "": a default
	Prompt  string   // precedes the model's question; may be empty
	Choices []string // the possible answers; none: any text
}

// NewPerson returns a tool that asks a person and returns the answer.
func NewPerson(p Person) Callable {
	p.Label = p.Name()
	if p.About == "" {
		p.About = "Asks a person and gives the answer."
	}
	return person{p}
}

type person struct{ Person }

// Name returns the tool's name.
func (p Person) Name() string {
	if p.Label == "" {
		return "Ask"
	}
	return p.Label
}

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
		return "", Faultf(CodeArguments, "arguments: %s", err)
	}
	prompt := a.Question
	if p.Prompt != "" {
		prompt = p.Prompt + "\n\n" + prompt
	}
	raw, err := env.Start(process.Request{Question: &process.Question{Prompt: prompt, Choices: p.Choices, Multiline: len(p.Choices) == 0}}).Value()
	if err != nil {
		return "", HostFault("a person", err)
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", Faultf(CodeAnswer, "the answer of a person must be a string")
	}
	// Hosts answer with the number of a choice.
	for i, choice := range p.Choices {
		if text == fmt.Sprint(i+1) {
			return choice, nil
		}
	}
	return text, nil
}
