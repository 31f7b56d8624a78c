package trace

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

type node = json.Node

// ways a text contains values.
const (
	asJSON   = "json"    // one value, or one after another
	asEvents = "sse"     // server-sent events
	asCodes  = "codes"   // lines of a code, a colon and a value
	asDump   = "console" // as a console prints values
	asLog    = "log"     // lines with values
	asPretty = "pretty"  // messages under headings
	asText   = "text"    // parts under labels
)

// found are the values of a text. Values that are in a line after other text are objects with the members "$line" and
// "value".
type found struct {
	roots  []*node
	way    string       // in which the text contains them
	cut    []json.Range // places where a printer left contents out
	broken *broken      // the first value that is not complete, or nil
}

// broken is a part of a text that begins a value and is none.
type broken struct {
	at     json.Range
	reason string
}

// values returns the values of a text. ok is false if it has none.
func values(text string) (f found, ok bool) {
	body := strings.TrimSpace(strings.TrimPrefix(text, bom))
	if body == "" {
		return f, false
	}
	if n, fault := json.Tree(body); body[0] == '"' && fault == nil && unquoted(n) != n { // JSON in a string
		n = unquoted(n)
		moveTo(n, json.Range{Start: strings.IndexByte(text, '"'), End: len(strings.TrimRight(text, " \t\r\n"))})
		return found{roots: []*node{n}, way: asJSON}, true
	}
	if body[0] == '{' || body[0] == '[' {
		if roots, fault := json.Trees(text); fault == nil {
			return found{roots: roots, way: asJSON}, true
		}
	}
	if f, ok := serverEvents(text); ok {
		return f, true
	}
	if roots, ok := codeLines(text); ok {
		return found{roots: roots, way: asCodes}, true
	}
	if roots, ok := pretty(text); ok {
		return found{roots: roots, way: asPretty}, true
	}
	if roots, cut, ok := parseLoose(text); ok {
		return found{roots: roots, way: asDump, cut: cut}, true
	}
	logged, ok := logLines(text)
	if logged.broken == nil && underLabels(text) != nil {
		at := json.Range{Start: 0, End: len(text)}
		label := &node{Kind: '"', At: at, Text: text}
		return found{roots: []*node{{Kind: '{', At: at, Members: []json.Member{{Key: labelKey, At: at, Value: label}}}}, way: asText}, true
	}
	return logged, ok
}

// bom is the byte order mark that some programs write at the beginning of a text in UTF-8.
const bom = "\ufeff"

// shifted parses a part of a text that is one JSON value. Its places are those in the text.
func shifted(text string, at json.Range) (*node, bool) {
	n, fault := json.Tree(text[at.Start:at.End])
	if fault != nil {
		return nil, false
	}
	shift(n, at.Start)
	return n, true
}

func shift(n *node, by int) {
	n.At.Start, n.At.End = n.At.Start+by, n.At.End+by
	for _, item := range n.Items {
		shift(item, by)
	}
	for i := range n.Members {
		m := &n.Members[i]
		m.At.Start, m.At.End = m.At.Start+by, m.At.End+by
		shift(m.Value, by)
	}
}

// moveTo sets the place of a value and all values in it.
func moveTo(n *node, at json.Range) {
	n.At = at
	for _, item := range n.Items {
		moveTo(item, at)
	}
	for i := range n.Members {
		n.Members[i].At = at
		moveTo(n.Members[i].Value, at)
	}
}

// lines calls f with the range of each line, without its end and without a byte order mark, until f returns false.
func lines(text string, f func(at json.Range, line string) bool) {
	for start := len(text) - len(strings.TrimPrefix(text, bom)); start < len(text); {
		end := start + strings.IndexByte(text[start:], '\n')
		next := end + 1
		if end < start {
			end, next = len(text), len(text)
		}
		if !f(json.Range{Start: start, End: end}, strings.TrimSuffix(text[start:end], "\r")) {
			return
		}
		start = next
	}
}

// serverEvents reads server-sent events. The name of an event is the member "event" of its data. A text that ends after
// the name of an event is cut off.
func serverEvents(text string) (f found, ok bool) {
	name, ok := "", true
	f.way = asEvents
	last := -1 // the place of the name of an event without data, or -1
	lines(text, func(at json.Range, line string) bool {
		field, value, found := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); {
		case strings.TrimSpace(line) == "":
			name, last = "", -1
		case !found:
			ok = false
		case field == "event":
			name, last = value, at.Start
		case field == "data" && value != "[DONE]":
			start := at.Start + strings.Index(line, value)
			n, is := shifted(text, json.Range{Start: start, End: start + len(value)})
			if !is {
				ok = false
				break
			}
			if _, typed := n.Get("type"); name != "" && name != "message" && n.Kind == '{' && !typed && !has(n, "event") {
				n.Members = append(n.Members, json.Member{Key: "event", At: n.At, Value: &node{Kind: '"', Text: name, At: n.At}})
			}
			f.roots, last = append(f.roots, n), -1
		case field == "data", field == "id", field == "retry", field == "":
		default:
			ok = false
		}
		return ok
	})
	if last >= 0 {
		f.breaks(last, len(text), "event that is cut off before its data")
	}
	return f, ok && len(f.roots) > 0
}

// codes are the codes of the data stream protocol of the AI SDK, version 4.
var codes = map[string]string{
	"0": "text-delta", "g": "reasoning-delta", "9": "tool-call", "a": "tool-result", "b": "tool-input-start", "c": "tool-input-delta",
	"d": "finish", "e": "finish-step", "f": "start-step", "2": "data", "8": "message-annotations", "i": "redacted-reasoning", "j": "reasoning-signature", "k": "file", "h": "source", "3": "error",
}

// codeLines reads the data stream protocol of the AI SDK, version 4. The code is the member "type".
func codeLines(text string) (roots []*node, ok bool) {
	ok = true
	lines(text, func(at json.Range, line string) bool {
		if strings.TrimSpace(line) == "" {
			return true
		}
		code, value, _ := strings.Cut(line, ":")
		kind := codes[code]
		n, is := shifted(text, json.Range{Start: at.Start + len(code) + min(1, len(line)-len(code)), End: at.Start + len(line)})
		if ok = kind != "" && is && value != ""; !ok {
			return false
		}
		if n.Kind != '{' {
			n = &node{Kind: '{', At: n.At, Members: []json.Member{{Key: "delta", At: n.At, Value: n}}}
		}
		n.Members = append(n.Members, json.Member{Key: "type", At: n.At, Value: &node{Kind: '"', Text: kind, At: n.At}})
		roots = append(roots, n)
		return true
	})
	return roots, ok && len(roots) > 0
}

// uncolored returns a text without the codes by which consoles color it.
func uncolored(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '[' || text[i] == '\x1b' && i+1 < len(text) && text[i+1] == '[' {
			j := i + 1
			if text[i] == '\x1b' {
				j = i + 2
			}
			for j < len(text) && (text[j] >= '0' && text[j] <= '9' || text[j] == ';') {
				j++
			}
			if j < len(text) && text[j] == 'm' {
				i = j
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// logLines reads values that begin in a line, after other text. It stops at a value without an end.
func logLines(text string) (f found, ok bool) {
	f.way = asLog
	skip := 0
	lines(text, func(at json.Range, line string) bool {
		if at.Start < skip || strings.TrimSpace(line) == "" {
			return true
		}
		header := &node{Kind: '"', Text: strings.TrimSpace(uncolored(line)), At: at}
		for i := 0; i < len(line); i++ {
			if !mayBegin(line, i) {
				continue
			}
			n, end, holes, is := valueAt(text, at.Start+i)
			if !is && endless(text[end:], line, i) {
				f.breaks(at.Start+i, len(text), "JSON that is cut off")
				header.Text, header.At.End = strings.TrimSpace(uncolored(line[:i])), at.Start+i
				f.roots = append(f.roots, header)
				return false
			}
			rest := strings.TrimSpace(text[end:lineEnd(text, end)])
			more := is && rest != "" && (i == 0 || line[i-1] != '"' || rest != `"`)
			if (!is || more) && strings.TrimSpace(line[:i]) == "" && jsonLike(line[i:]) {
				f.breaks(at.Start+i, at.End, "malformed JSON")
			}
			if !is || more || n.Kind == '"' && i == 0 || n.Kind == '[' && len(n.Items) == 0 {
				continue
			}
			ok = true
			f.cut = append(f.cut, holes...)
			header.Text = strings.TrimSuffix(strings.TrimSpace(uncolored(line[:i])), `"`)
			header.At.End = at.Start + i
			if header.Text == "" {
				f.roots = append(f.roots, n)
			} else {
				f.roots = append(f.roots, &node{Kind: '{', At: json.Range{Start: at.Start, End: end}, Members: []json.Member{{Key: lineKey, At: header.At, Value: header}, {Key: "value", At: n.At, Value: n}}})
			}
			skip = lineEnd(text, end)
			return true
		}
		f.roots = append(f.roots, header)
		return true
	})
	return f, ok || f.broken != nil
}

// mayBegin reports whether a value may begin at a place of a line: after a space, a colon or an equals sign.
func mayBegin(line string, at int) bool {
	if strings.IndexByte("{[\"", line[at]) < 0 {
		return false
	}
	return at == 0 || strings.IndexByte(" \t:=", line[at-1]) >= 0 || line[at-1] == '"' && line[at] == '{'
}

// breaks records a value that is not complete, unless an earlier one is recorded.
func (f *found) breaks(start, end int, reason string) {
	if f.broken == nil {
		f.broken = &broken{at: json.Range{Start: start, End: end}, reason: reason}
	}
}

// refuse records the parts of a text that are not read as values.
func (f *found) refuse(a *account) {
	for _, at := range f.cut {
		a.refuse(&node{At: at}, "printed without its contents")
	}
	if f.broken != nil {
		a.refuse(&node{At: f.broken.at}, "%s", f.broken.reason)
	}
}

// endless reports whether a value that could not be read is cut off by the end of the text: a list or an object at line[at],
// or the text after a code of the AI SDK. The rest is the part of the text that the reader of values did not reach.
func endless(rest, line string, at int) bool {
	return strings.TrimSpace(rest) == "" && (line[at] != '"' || at == 2 && line[1] == ':' && codes[line[:1]] != "")
}

// jsonLike reports whether a line begins as an object or a list of JSON, and not as words in brackets.
func jsonLike(line string) bool {
	rest := strings.TrimLeft(line[1:], " \t\r")
	return line[0] == '{' && (rest == "" || rest[0] == '"') || line[0] == '[' && (rest == "" || strings.IndexByte(`{["`, rest[0]) >= 0)
}

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// lineKey is the member with the text before a value in a line.
const lineKey = "$line"

// valueAt parses a JSON value, or a printed value, at a place of a text. If there is none, end is the place at which the
// parser stopped.
func valueAt(text string, at int) (n *node, end int, cut []json.Range, ok bool) {
	l := &loose{text: text, at: at}
	if n = l.value(0); n == nil {
		return nil, l.at, nil, false
	}
	if exact, is := shifted(text, json.Range{Start: at, End: l.at}); is {
		return exact, l.at, nil, true
	}
	return n, l.at, l.cut, true
}

// heading returns the kind of message that a line of LangChain's pretty print begins.
func heading(line string) (string, bool) {
	kind := strings.Trim(line, "=")
	if len(line) < 20 || !strings.HasPrefix(line, "==") || !strings.HasSuffix(line, "==") || !strings.HasPrefix(kind, " ") || strings.Contains(kind, "=") {
		return "", false
	}
	kind = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(kind), " Chunk"), " Message")
	return strings.ToLower(kind), true
}

// pretty reads messages under headings, as LangChain prints them. They are objects with a role, a
// content and calls.
func pretty(text string) (roots []*node, ok bool) {
	var message *node
	var body []json.Range
	ok = true
	flush := func() {
		if message != nil {
			prettyMessage(text, message, body)
			roots = append(roots, message)
		}
		body = nil
	}
	lines(text, func(at json.Range, line string) bool {
		line = strings.TrimSpace(line)
		if kind, is := heading(line); is {
			flush()
			message = &node{Kind: '{', At: at, Members: []json.Member{{Key: "role", At: at, Value: &node{Kind: '"', Text: kind, At: at}}}}
			return true
		}
		if message == nil {
			ok = line == ""
			return ok
		}
		body = append(body, at)
		return true
	})
	flush()
	return roots, ok && len(roots) > 0
}

// prettyCall returns the tool and the identifier in the first line of a call.
func prettyCall(line string) (tool, id string, ok bool) {
	tool, id, ok = strings.Cut(strings.TrimSpace(line), " (")
	id, closed := strings.CutSuffix(id, ")")
	return tool, id, ok && closed && line[0] == ' ' && !strings.HasPrefix(line, "   ") && !strings.ContainsAny(tool+id, " ()")
}

func prettyMessage(text string, message *node, body []json.Range) {
	add := func(n *node, key, value string, at json.Range) *node {
		v := &node{Kind: '"', Text: value, At: at}
		n.Members = append(n.Members, json.Member{Key: key, At: at, Value: v})
		return v
	}
	var content []string
	at := json.Range{Start: message.At.End, End: message.At.End}
	var calls, arguments *node
	for i, line := range body {
		t := strings.TrimRight(text[line.Start:line.End], "\r")
		tool, id, begins := prettyCall(t)
		switch {
		case i == 0 && strings.HasPrefix(t, "Name: "):
			add(message, "name", strings.TrimPrefix(t, "Name: "), line)
		case i <= 1 && t == "Tool Calls:":
			calls = &node{Kind: '[', At: line}
			message.Members = append(message.Members, json.Member{Key: "tool_calls", At: line, Value: calls})
		case calls != nil && begins:
			call := &node{Kind: '{', At: line}
			add(call, "name", tool, line)
			add(call, "id", id, line)
			arguments = &node{Kind: '{', At: line}
			call.Members = append(call.Members, json.Member{Key: "args", At: line, Value: arguments})
			calls.Items = append(calls.Items, call)
		case arguments != nil && strings.HasPrefix(t, " Call ID: "), arguments != nil && t == "  Args:":
		case arguments != nil && strings.HasPrefix(t, "    "):
			key, value, _ := strings.Cut(strings.TrimSpace(t), ":")
			value = strings.TrimSpace(value)
			n, is := json.Tree(value)
			if is != nil {
				n = &node{Kind: '"', Text: value}
			}
			moveTo(n, line)
			arguments.Members = append(arguments.Members, json.Member{Key: key, At: line, Value: n})
		case len(content) == 0 && strings.TrimSpace(t) == "":
			arguments = nil
			if calls != nil && len(calls.Items) > 0 {
				calls = nil
			}
		default:
			arguments, calls = nil, nil
			if len(content) == 0 {
				at.Start = line.Start
			}
			at.End = line.End
			content = append(content, t)
		}
	}
	add(message, "content", strings.TrimSpace(strings.Join(content, "\n")), at)
}
