package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/gate"
)

// chatText judges the text of an answer in the parts in which it arrives.
type chatText struct {
	session *gate.Session
	fed     int    // bytes of the session's text
	held    string // the source of a character whose rest is in the next part
	member  string // of the text: content, or refusal for the reason why the model does not answer

	thoughts bool // deliver the model's reasoning, which is not judged
}

// judge returns the permitted beginning of the text of a message in JSON with the name of its member, and the refusal of the
// rest. A part that ends within a character is delayed by this character, unless it is the last part.
func (t *chatText) judge(message object, last bool) (member, permitted string, r *refused, err error) {
	for _, name := range []string{"content", "refusal"} {
		if !has(message, name) || string(message[name]) == `""` {
			continue
		}
		if message[name][0] != '"' {
			return "", "", nil, errors.New("the proxy judges contents that are texts only")
		}
		if t.member != "" && t.member != name {
			return "", "", nil, errors.New("an answer has content and refusal")
		}
		t.member = name
	}
	source := t.held
	if has(message, t.member) {
		source += string(message[t.member][1 : len(message[t.member])-1])
	}
	permitted, r, err = t.part(source, last)
	return cmp.Or(t.member, "content"), permitted, r, err
}

// part judges a part of a text, given as the source of a text in JSON.
func (t *chatText) part(source string, last bool) (string, *refused, error) {
	whole := len(source)
	if !last {
		whole = wholeCharacters(source)
	}
	t.held = source[whole:]
	var text string
	if err := json.Unmarshal([]byte(`"`+source[:whole]+`"`), &text); err != nil || text == "" {
		return "", nil, err
	}
	d := t.session.Feed(text)
	if d.Verdict == gate.Allow {
		t.fed += len(text)
		return text, nil, nil
	}
	permitted := 0
	if d.At != nil {
		permitted = max(0, *d.At-t.fed)
	}
	return text[:permitted], &refused{written: true, Code: d.Code, Reason: d.Reason, Rule: d.Rule}, nil
}

// firstHalf matches the escape of the first half of a surrogate pair at the end of a text in JSON.
var firstHalf = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*(\\u[dD][89abAB][0-9a-fA-F]{2})$`)

// wholeCharacters returns the length of a text in JSON without an incomplete character at its end.
func wholeCharacters(source string) int {
	for i := len(source) - 1; i >= max(0, len(source)-utf8.UTFMax); i-- {
		if utf8.RuneStart(source[i]) {
			if !utf8.FullRuneInString(source[i:]) {
				return i
			}
			break
		}
	}
	if m := firstHalf.FindStringSubmatchIndex(source); m != nil {
		return m[2]
	}
	return len(source)
}
