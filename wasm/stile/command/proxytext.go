package command

import (
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
}

// judge returns the permitted beginning of a content in JSON, and the refusal of the rest. A part that ends within
// a character is delayed by this character, unless it is the last part.
func (t *chatText) judge(content json.RawMessage, last bool) (string, *refused, error) {
	source := t.held
	if content != nil && string(content) != "null" {
		if content[0] != '"' {
			return "", nil, errors.New("the proxy judges contents that are texts only")
		}
		source += string(content[1 : len(content)-1])
	}
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
