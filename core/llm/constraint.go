package llm

import (
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
)

// Constraint is a requirement for an answer. Exactly one field is set, or Grammar and Lark with
// grammars of the same texts.
type Constraint struct {
	Choices []string        `json:"choices,omitempty"` // one of these texts
	Schema  json.RawMessage `json:"schema,omitempty"`  // JSON that matches a schema
	Regex   string          `json:"regex,omitempty"`   // a text that an expression matches completely
	Grammar string          `json:"grammar,omitempty"` // a text of a GBNF grammar
	Lark    string          `json:"lark,omitempty"`    // a text of a Lark grammar
}

// Levels of enforcement.
const (
	RungNone   = ""       // no constraint
	RungServer = "server" // the server prevents other answers
	RungPrefix = "prefix" // the beginning of the answer is forced
	RungAsk    = "ask"    // the caller checks the answer, and asks again
)

// Enforcement is the level and the means of enforcing a constraint.
type Enforcement struct {
	Rung    string
	Choices []string        // the choices as vLLM's structured_outputs
	Regex   string          // as vLLM's structured_outputs
	Grammar string          // as llama.cpp's grammar, or vLLM's structured_outputs
	Schema  json.RawMessage // as the format's JSON schema
	Wrapped bool            // the schema wraps the choice in its only field, choiceField
	Prefix  string          // the forced beginning of the answer

	// The grammar of the input of a custom tool, which is the answer.
	Syntax     string // "lark" or "regex"; "": none
	Definition string
}

// choiceField is the field that wraps a choice in a schema, because providers require an
// object at the root.
const choiceField = "choice"

// Enforce returns the highest level of enforcement that an endpoint supports.
//
//  1. The server enforces. Choices: vLLM's choice, a GBNF grammar for llama.cpp,
//     or a JSON schema with an enum, from which the reply is unwrapped. A schema:
//     the format's own field. A regular expression: vLLM, and the format
//     "responses". A grammar: vLLM and llama.cpp; in Lark, the format "responses".
//  2. The beginning that all choices share is forced on a server that continues
//     a turn of the assistant: fewer tokens, and fewer possible mistakes.
//  3. The prompt describes the requirement; the caller checks the answer and
//     asks again with the fault. Enforce adds nothing to the prompt, because a
//     person can read and edit it.
//
// A server may accept the constraint and ignore it. So [Reply.Constrained] is true only
// if the server received it and the reply is one of the choices.
func (c *Constraint) Enforce(caps Capabilities) Enforcement {
	if c == nil {
		return Enforcement{}
	}
	structured, gbnf := caps.Choice == ChoiceStructured, caps.Choice == ChoiceGrammar
	server := Enforcement{Rung: RungServer}
	switch {
	case len(c.Choices) > 0 && structured:
		server.Choices = c.Choices
		return server
	case len(c.Choices) > 0 && gbnf:
		server.Grammar = choiceGrammar(c.Choices)
		return server
	case len(c.Choices) > 0 && caps.Choice == ChoiceSchema:
		server.Schema, server.Wrapped = choiceSchema(c.Choices), true
		return server
	case len(c.Schema) > 0 && caps.Schema:
		server.Schema = c.Schema
		return server
	case c.Regex != "" && structured:
		server.Regex = c.Regex
		return server
	case c.Grammar != "" && (structured || gbnf):
		server.Grammar = c.Grammar
		return server
	case c.Regex != "" && caps.Custom:
		server.Syntax, server.Definition = "regex", c.Regex
		return server
	case c.Lark != "" && caps.Custom:
		server.Syntax, server.Definition = "lark", c.Lark
		return server
	}
	if prefix := sharedPrefix(c.Choices); prefix != "" && caps.Prefix != PrefixNone {
		return Enforcement{Rung: RungPrefix, Prefix: prefix}
	}
	return Enforcement{Rung: RungAsk}
}

// enforce returns how the constraint of a request is enforced. A request with tools cannot
// have the custom tool that carries a grammar.
func (r Request) enforce(caps Capabilities) Enforcement {
	caps.Custom = caps.Custom && len(r.Tools) == 0
	return r.Constraint.Enforce(caps)
}

// holds reports whether a reply satisfies the constraint, as far as that is decidable
// without a parser.
func (c *Constraint) holds(reply Reply) bool {
	switch {
	case len(c.Choices) > 0:
		return contains(c.Choices, reply.Text)
	case len(c.Schema) > 0:
		var any json.RawMessage
		return json.Unmarshal([]byte(reply.Text), &any) == nil
	}
	return reply.Reason != StopLength
}

// choiceSchema returns the schema of an object whose only field is one of the choices.
func choiceSchema(choices []string) json.RawMessage {
	list, _ := json.Marshal(choices) // strings always marshal
	return json.RawMessage(`{"type":"object","properties":{"` + choiceField + `":{"type":"string","enum":` + string(list) +
		`}},"required":["` + choiceField + `"],"additionalProperties":false}`)
}

// unwrapChoice returns the choice in a text that choiceSchema describes.
func unwrapChoice(text string) (string, bool) {
	var object struct {
		Choice *string `json:"choice"`
	}
	if json.Unmarshal([]byte(text), &object) != nil || object.Choice == nil {
		return "", false
	}
	return *object.Choice, true
}

func choiceGrammar(choices []string) string {
	var b strings.Builder
	b.WriteString("root ::= ")
	for i, c := range choices {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteByte('"')
		for _, r := range c {
			switch r {
			case '"', '\\':
				b.WriteByte('\\')
				b.WriteRune(r)
			case '\n':
				b.WriteString(`\n`)
			case '\r':
				b.WriteString(`\r`)
			case '\t':
				b.WriteString(`\t`)
			default:
				b.WriteRune(r)
			}
		}
		b.WriteByte('"')
	}
	return b.String()
}

// sharedPrefix returns the longest common prefix that ends between characters.
func sharedPrefix(list []string) string {
	if len(list) == 0 {
		return ""
	}
	n := len(list[0])
	for _, s := range list[1:] {
		i := 0
		for i < min(n, len(s)) && s[i] == list[0][i] {
			i++
		}
		n = i
	}
	for n < len(list[0]) && !utf8.RuneStart(list[0][n]) {
		n--
	}
	return list[0][:n]
}
