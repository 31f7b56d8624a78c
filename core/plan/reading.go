package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/choice"
	"github.com/stile-playground/stile/core/plan/space"
)

// answer is the reading of a model's answer.
type answer struct {
	chosen []int
	how    string // one of the Read constants
	fault  string // the reason why no choice was read; "" otherwise
	report string // the fault that the model is shown; "": fault
}

// readAnswer returns the choices that an answer names, as package choice reads it. If the run
// replays a log with another reading, or a log of an earlier version, the log's reading takes
// precedence. If earlier versions found a fault, too, the model is shown their fault, so that the
// estimated tokens of recorded runs stay the same.
func (p *planner) readAnswer(reply llm.Reply, offer OfferEvent) answer {
	before, now := p.readEarlier(reply, offer), p.readNow(reply, offer)
	differs := (before.fault == "") != (now.fault == "") || now.fault == "" && !slices.Equal(before.chosen, now.chosen)
	switch decision := p.env.Decide(differs, now.record()); {
	case decision != nil:
		now.replay(decision)
	case differs:
		return before
	}
	if now.fault != "" {
		now.report = before.fault
	}
	return now
}

// reading is an answer in a log.
type reading struct {
	Chosen []int  `json:"chosen"`
	How    string `json:"how"`
	Fault  string `json:"fault,omitempty"`
}

func (a answer) record() json.RawMessage {
	text, _ := json.Marshal(reading{a.chosen, a.how, a.fault}) // it always marshals
	return text
}

// replay replaces an answer with the reading that a log recorded.
func (a *answer) replay(recorded json.RawMessage) {
	var r reading
	if err := json.Unmarshal(recorded, &r); err != nil {
		r = reading{Fault: "the recorded reading is unreadable: " + err.Error()}
	}
	*a = answer{chosen: r.Chosen, how: r.How, fault: r.Fault}
}

// readNow reads an answer by the rules of package choice.
func (p *planner) readNow(reply llm.Reply, offer OfferEvent) answer {
	if offer.Prompt != "" && strings.Contains(reply.Text, offer.Prompt) {
		return answer{fault: "the answer repeats the question"}
	}
	labels := make([]string, len(offer.Choices))
	for i, c := range offer.Choices {
		labels[i] = p.shown(offer, c)
	}
	if offer.Multiple {
		chosen, fault := choice.ReadAll(labels, reply.Text)
		return answer{chosen: chosen, how: ReadInteger, fault: fault}
	}
	read := choice.Read
	switch p.settings.Reading {
	case ReadLogprobs:
		if n := likeliest(reply.Logprobs, len(labels)); n > 0 {
			return answer{chosen: []int{n}, how: ReadLogprobs}
		}
	case ReadLabel:
		read = choice.ReadLabel
	}
	found := read(labels, reply.Text)
	out := answer{chosen: []int{found.Choice}, how: ReadInteger, fault: found.Reason}
	if found.How == choice.ByLabel || found.Choice == 0 && p.settings.Reading == ReadLabel {
		out.how = ReadLabel
	}
	return out
}

// readEarlier reads an answer by the rules of earlier versions: a single number, or else a
// label.
func (p *planner) readEarlier(reply llm.Reply, offer OfferEvent) answer {
	count := len(offer.Choices)
	if offer.Multiple {
		chosen, fault := ReadChoices(reply.Text, count)
		return answer{chosen: chosen, how: ReadInteger, fault: fault}
	}
	switch p.settings.Reading {
	case ReadLogprobs:
		if n := likeliest(reply.Logprobs, count); n > 0 {
			return answer{chosen: []int{n}, how: ReadLogprobs}
		}
	case ReadLabel:
		n, fault := ReadChoiceLabel(reply.Text, offer.Choices)
		if fault == "" {
			return answer{chosen: []int{n}, how: ReadLabel}
		}
		if m, no := ReadChoice(reply.Text, count); no == "" {
			return answer{chosen: []int{m}, how: ReadInteger}
		}
		return answer{how: ReadLabel, fault: fault}
	}
	n, fault := ReadChoice(reply.Text, count)
	return answer{chosen: []int{n}, how: ReadInteger, fault: fault}
}

// ReadChoice returns the number from 1 to n that an answer names. An answer with two
// different numbers, or with a number that is not an integer, names none; fault is the reason. It
// reads the answers of recorded runs; package choice reads others.
func ReadChoice(answer string, n int) (choice int, fault string) {
	numbers := numbersIn(answer)
	switch {
	case len(numbers) == 0:
		return 0, "no number found"
	case len(numbers) > 1:
		return 0, "more than one number found"
	}
	return integer(numbers[0], n)
}

// ReadChoices returns all numbers from 1 to n that an answer names, sorted.
func ReadChoices(answer string, n int) (choices []int, fault string) {
	// "1,2" is a list, not a number with a comma.
	numbers := numbersIn(strings.ReplaceAll(answer, ",", " , "))
	if len(numbers) == 0 {
		return nil, "no number found"
	}
	for _, number := range numbers {
		choice, fault := integer(number, n)
		if fault != "" {
			return nil, fault
		}
		choices = append(choices, choice)
	}
	slices.Sort(choices)
	return choices, ""
}

func integer(text string, n int) (value int, fault string) {
	value, err := strconv.Atoi(text)
	switch {
	case err != nil && strings.ContainsAny(text, ".,"):
		return 0, text + " is not a whole number"
	case err != nil || value < 1 || value > n:
		return 0, fmt.Sprintf("%s is not between 1 and %d", text, n)
	}
	return value, ""
}

// numbersIn returns the different numbers of a text in order of occurrence.
func numbersIn(text string) []string {
	var found []string
	for i := 0; i < len(text); {
		if !digit(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && (digit(text[i]) || (text[i] == '.' || text[i] == ',') && i+1 < len(text) && digit(text[i+1])) {
			i++
		}
		if start > 0 && text[start-1] == '-' && (start == 1 || !digit(text[start-2]) && !isLetter(text[start-2])) {
			start--
		}
		if number := text[start:i]; !slices.Contains(found, number) {
			found = append(found, number)
		}
	}
	return found
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// ReadChoiceLabel returns the choice whose label is the answer, regardless of case and
// surrounding punctuation, or else the only choice whose label the answer contains.
func ReadChoiceLabel(answer string, choices []space.Choice) (n int, fault string) {
	plain := func(s string) string {
		return strings.ToLower(strings.Trim(strings.TrimSpace(s), "\"'`.*:; \n"))
	}
	said := plain(answer)
	longest, twice := 0, false
	for i, c := range choices {
		label := plain(c.Label)
		if said == label {
			return c.N, ""
		}
		if label == "" || !strings.Contains(said, label) {
			continue
		}
		switch {
		case longest == 0 || strings.Contains(label, plain(choices[longest-1].Label)):
			longest = i + 1
		case !strings.Contains(plain(choices[longest-1].Label), label):
			twice = true
		}
	}
	switch {
	case twice:
		return 0, "more than one of the choices is in it"
	case longest == 0:
		return 0, "none of the choices is in it"
	}
	return choices[longest-1].N, ""
}

// likeliest returns the number from 1 to n that the model finds likeliest where it
// first writes a number, or 0 if the endpoint does not report it.
func likeliest(tokens []llm.TokenLogprob, n int) int {
	for _, token := range tokens {
		best, choice := 0.0, 0
		for _, other := range append([]llm.TokenLogprob{token}, token.Top...) {
			value, err := strconv.Atoi(strings.TrimSpace(other.Token))
			if err != nil || value < 1 || value > n {
				continue
			}
			if choice == 0 || other.Logprob > best {
				best, choice = other.Logprob, value
			}
		}
		if choice > 0 {
			return choice
		}
	}
	return 0
}
