package gate

import (
	"slices"
	"strings"
)

// Secrets are words, in lower-case letters and digits. No log line shows the values of fields that have one of them as a part of
// their name, or one of at least five letters anywhere in it.
var Secrets = []string{"apikey", "auth", "authorization", "cookie", "credential", "credentials", "jwt", "key", "passphrase", "passwd", "password", "privatekey", "pwd", "secret", "token"}

// secretTexts are the beginnings, in lower case, of texts that are secrets themselves.
var secretTexts = []string{"bearer ", "sk-", "ghp_", "xoxb-", "eyj"}

// secretValues are the names of members with the value of the field that another member names.
var secretValues = []string{"value", "values", "val", "v", "content", "text", "data"}

const redacted = `"[redacted]"`

// maxLogged bounds the arguments in a log line, in bytes; longer ones are replaced by their hash.
const maxLogged = 4096

// write logs an event with its decision. Each line has the hash of the line before, so that a
// line which is changed or removed is noticed; the first one has the hash of the guard. It returns the
// decision, or a refusal if it could not be logged; then the session permits no later event.
func (s *Session) write(op string, e Event, d Decision) Decision {
	if s.options.Log == nil {
		return d
	}
	if s.status == "unlogged" {
		return s.unlogged()
	}
	s.lines++
	line := `{"n":` + number(s.lines) + `,"prev":` + quote(s.hash) + `,"op":` + quote(op) + `,"kind":` + quote(clean(e.Kind)) + `,"name":` + quote(clean(e.Name)) + `,"id":` + quote(clean(e.ID))
	if e.Kind == "call" {
		line += `,"arguments":` + s.redacted(e.Arguments)
	} else if e.Content != "" {
		line += `,"content":` + digest(e.Content)
	}
	line += `,"verdict":` + quote(string(d.Verdict)) + `,"code":` + quote(d.Code) + `,"rule":` + quote(d.Rule) +
		`,"shadow":` + join(d.Shadow, func(f Finding) string { return quote(f.Rule) }) + "}"
	s.hash = Sum(line)
	err := s.options.Log(line)
	if err == nil {
		return d
	}
	s.reason = err.Error()
	if s.status != "ended" {
		s.status = "unlogged"
	}
	return s.unlogged()
}

// unlogged returns the refusal of a session whose decisions cannot be logged.
func (s *Session) unlogged() Decision {
	return Decision{Verdict: Deny, Code: "log.failed", Reason: "the decision cannot be logged: " + s.reason, Next: []string{}, Shadow: []Finding{}}
}

// clean shortens a name, and escapes one with characters outside ASCII.
func clean(name string) string {
	quoted := show(name)
	return quoted[1 : len(quoted)-1]
}

// digest replaces a text by its hash and size.
func digest(text string) string {
	if !valid(text) {
		return `"invalid"`
	}
	return `{"sha256":` + quote(Sum(text)) + `,"bytes":` + number(len(text)) + "}"
}

// redacted returns arguments without the values of secret fields.
func (s *Session) redacted(arguments string) string {
	if trim(arguments) == "" {
		return "null"
	}
	v, fault := scan(arguments, MaxArguments)
	if fault != "" {
		return `"malformed"`
	}
	if len(arguments) > maxLogged {
		return digest(arguments)
	}
	h := slices.Clip(Secrets)
	for _, name := range s.options.Redact {
		h = append(h, plain(name))
	}
	return hiding(h).value(v)
}

// hiding are words of names whose values are not shown.
type hiding []string

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// name reports whether the value of a field is not shown.
func (h hiding) name(name string) bool {
	var split strings.Builder
	for i := range len(name) {
		c := name[i]
		if !isAlnum(c) {
			c = ' '
		} else if c <= 'Z' && c >= 'A' && i > 0 && isAlnum(name[i-1]) && (name[i-1] > 'Z' || name[i-1] < 'A') {
			split.WriteByte(' ')
		}
		split.WriteByte(c)
	}
	whole := plain(name)
	if slices.Contains(h, whole) || slices.ContainsFunc(strings.Fields(split.String()), func(part string) bool { return slices.Contains(h, plain(part)) }) {
		return true
	}
	return slices.ContainsFunc(Secrets, func(word string) bool { return len(word) >= 5 && strings.Contains(whole, word) })
}

// ofName returns the last characters of a text that may be a name.
func ofName(text string) string {
	n := len(text)
	for n > 0 && (isAlnum(text[n-1]) || strings.IndexByte("_.-", text[n-1]) >= 0) {
		n--
	}
	return text[n:]
}

// names reports whether a value is the name of a field whose value is not shown.
func (h hiding) names(v value) bool {
	return v.kind == '"' && v.text != "" && len(v.text) <= 64 && ofName(v.text) == v.text && h.name(v.text)
}

// text reports whether a text contains a secret, or a name with a value that is not shown.
func (h hiding) text(text string) bool {
	for _, start := range secretTexts {
		for i := 0; i+len(start) < len(text); i++ {
			if strings.EqualFold(text[i:i+len(start)], start) && (i == 0 || !isAlnum(text[i-1])) && plain(text[i:i+len(start)]) == plain(start) {
				return true
			}
		}
	}
	parts := strings.FieldsFunc(strings.TrimRight(text, `\"' :=`)+".", func(c rune) bool { return c == ':' || c == '=' })
	for _, part := range parts[:len(parts)-1] {
		if h.name(ofName(strings.TrimRight(part, `\"' `))) {
			return true
		}
	}
	return false
}

// value writes a value with the source texts of its numbers, and without secrets.
func (h hiding) value(v value) string {
	switch v.kind {
	case '"':
		if start := trim(v.text); start != "" && strings.IndexByte(`{["`, start[0]) >= 0 {
			if inner, fault := scan(v.text, MaxArguments); fault == "" {
				return quote(h.value(inner))
			}
		}
		if h.text(v.text) {
			return redacted
		}
		return quote(v.text)
	case '[', '{':
		return h.members(v)
	}
	return v.raw
}

func (h hiding) members(v value) string {
	var out []string
	named := v.kind == '{' && slices.ContainsFunc(v.items, h.names)
	for i, item := range v.items {
		hide, before := v.kind == '[' && i > 0 && h.names(v.items[i-1]), ""
		if v.kind == '{' {
			hide, before = h.name(v.names[i]) || named && slices.Contains(secretValues, plain(v.names[i])), quote(v.names[i])+":"
		}
		if hide {
			out = append(out, before+redacted)
		} else {
			out = append(out, before+h.value(item))
		}
	}
	if v.kind == '[' {
		return "[" + strings.Join(out, ",") + "]"
	}
	return "{" + strings.Join(out, ",") + "}"
}
