package gate

// Secrets are the names of fields, in lower-case letters and digits, whose values no log line
// shows.
var Secrets = []string{"apikey", "authorization", "credential", "credentials", "password", "passwd", "secret", "token", "accesstoken", "refreshtoken", "privatekey", "cookie"}

// maxLogged bounds the arguments in a log line, in bytes; longer ones are replaced by their hash.
const maxLogged = 4096

// write logs an event with its decision. Each line has the hash of the line before, so that a
// line which is changed or removed is noticed; the first one has the hash of the guard.
func (s *Session) write(op string, e Event, d Decision) {
	if s.options.Log == nil {
		return
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
	s.options.Log(line)
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
	hidden := map[string]bool{}
	for _, name := range Secrets {
		hidden[name] = true
	}
	for _, name := range s.options.Redact {
		hidden[plain(name)] = true
	}
	return v.without(hidden)
}

// without writes a value with the source texts of its numbers.
func (v value) without(hidden map[string]bool) string {
	switch v.kind {
	case '"':
		return quote(v.text)
	case '[':
		return join(v.items, func(item value) string { return item.without(hidden) })
	case '{':
		out := "{"
		for i, name := range v.names {
			if i > 0 {
				out += ","
			}
			out += quote(name) + ":"
			if hidden[plain(name)] {
				out += `"[redacted]"`
			} else {
				out += v.items[i].without(hidden)
			}
		}
		return out + "}"
	}
	return v.raw
}
