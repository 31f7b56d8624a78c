package trace

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
)

// loose parses values as consoles print them: objects of JavaScript, and Python's repr. A
// value of a class is an object with the member classKey.
type loose struct {
	text string
	at   int
	cut  []json.Range // places where the printer left contents out
}

// classKey is the member with the name of a printed value's class.
const classKey = "$class"

// parseLoose returns the values of a text, or false if it is not a sequence of printed values.
func parseLoose(text string) (roots []*json.Node, cut []json.Range, ok bool) {
	l := &loose{text: text, at: len(text) - len(strings.TrimPrefix(text, bom))}
	for l.space(); l.at < len(text); l.space() {
		n := l.value(0)
		if n == nil || n.Kind != '{' && n.Kind != '[' {
			return nil, nil, false
		}
		roots = append(roots, n)
	}
	return roots, l.cut, len(roots) > 0
}

func (l *loose) space() {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			l.at++
		case strings.HasPrefix(l.text[l.at:], "<ref *"):
			l.at += max(strings.IndexByte(l.text[l.at:], '>')+1, 1)
		default:
			return
		}
	}
}

func (l *loose) peek() byte {
	if l.space(); l.at < len(l.text) {
		return l.text[l.at]
	}
	return 0
}

func (l *loose) value(depth int) *json.Node {
	c := l.peek()
	start := l.at
	var n *json.Node
	switch {
	case depth > json.MaxTreeDepth || c == 0:
		return nil
	case c == '{':
		n = l.members('{', '}', depth)
	case c == '[':
		if n = l.bracketed(); n == nil {
			n = l.members('[', ']', depth)
		}
	case c == '(':
		n = l.members('(', ')', depth)
	case c == '\'' || c == '"' || c == '`':
		n = l.str()
	case c == '<':
		end := strings.IndexByte(l.text[l.at:], '>')
		if end < 0 || strings.Contains(l.text[l.at:l.at+end], "\n") {
			return nil
		}
		l.at += end + 1
		if n = (&json.Node{Kind: '"', Text: l.text[start:l.at]}); l.peek() == '{' || l.peek() == '[' { // <Buffer …>, <ref *1>
			n = l.value(depth + 1)
		}
	default:
		n = l.word(depth)
	}
	if n != nil {
		n.At = json.Range{Start: start, End: l.at}
		if n.Kind == '{' || n.Kind == '[' {
			n.Text = l.text[start:l.at]
		}
	}
	return n
}

// bracketed returns a word that a printer writes in brackets, such as [Object] or [Function: f], or nil.
func (l *loose) bracketed() *json.Node {
	end := strings.IndexByte(l.text[l.at:], ']')
	if end < 0 || end > 80 {
		return nil
	}
	body := l.text[l.at+1 : l.at+end]
	if body == "" || !unicode.IsUpper(rune(body[0])) || strings.ContainsAny(body, "'\"`,{}[\n") || strings.Contains(body, "(") || body == "None" || body == "True" || body == "False" {
		return nil
	}
	at := json.Range{Start: l.at, End: l.at + end + 1}
	l.at += end + 1
	if strings.HasSuffix(body, "null prototype") {
		return l.value(1)
	}
	if !strings.HasPrefix(body, "Function") && !strings.HasPrefix(body, "AsyncFunction") && !strings.HasPrefix(body, "Symbol") && !strings.HasPrefix(body, "Getter") && !strings.HasPrefix(body, "Setter") && !strings.HasPrefix(body, "class") {
		l.cut = append(l.cut, at)
	}
	return &json.Node{Kind: 'n', Text: "null"}
}

// members parses a list or an object up to its closing bracket. Arguments in parentheses are
// the members of an object if they have names.
func (l *loose) members(open, shut byte, depth int) *json.Node {
	n := &json.Node{Kind: '['}
	if open == '{' {
		n.Kind = '{'
	}
	for l.at++; ; {
		switch c := l.peek(); {
		case c == 0:
			return nil
		case c == shut:
			l.at++
			return n
		case c == ',':
			l.at++
			continue
		case strings.HasPrefix(l.text[l.at:], "..."):
			start := l.at
			for l.at < len(l.text) && l.text[l.at] != '\n' && l.text[l.at] != shut {
				l.at++
			}
			l.cut = append(l.cut, json.Range{Start: start, End: l.at})
			continue
		}
		var m json.Member
		m.At.Start = l.at
		if key, ok := l.key(open); ok {
			m.Key, m.At.End = key, l.at
			l.peek()
			l.at++ // the colon or the equals sign
			if n.Kind == '[' && len(n.Items) == 0 {
				n.Kind = '{'
			}
			if strings.HasPrefix(l.text[l.at:], ">") { // => of a Map
				l.at++
			}
		}
		if m.Value = l.value(depth + 1); m.Value == nil {
			return nil
		}
		for l.peek() == '+' && m.Value.Kind == '"' { // a long string in several lines
			l.at++
			more := l.value(depth + 1)
			if more == nil || more.Kind != '"' {
				return nil
			}
			m.Value.Text += more.Text
			m.Value.At.End = l.at
		}
		if n.Kind == '{' {
			n.Members = append(n.Members, m)
		} else {
			n.Items = append(n.Items, m.Value)
		}
		if c := l.peek(); c != ',' && c != shut && !strings.HasPrefix(l.text[l.at:], "...") {
			return nil
		}
	}
}

// key parses the name of a member, and stops before its colon or equals sign.
func (l *loose) key(open byte) (string, bool) {
	start := l.at
	name := ""
	switch c := l.text[l.at]; {
	case c == '\'' || c == '"' || c == '`':
		n := l.str()
		if n == nil {
			return "", false
		}
		name = n.Text
	case c == '[': // [Symbol(x)]: of JavaScript
		end := strings.IndexByte(l.text[l.at:], ']')
		if end < 0 || open != '{' {
			return "", false
		}
		name = l.text[l.at+1 : l.at+end]
		l.at += end + 1
	default:
		for l.at < len(l.text) && (wordByte(l.text[l.at]) || l.text[l.at] == '-' && open == '{') {
			l.at++
		}
		name = l.text[start:l.at]
	}
	c := l.peek()
	switch {
	case name == "" && l.at == start:
	case open == '{' && c == ':', open == '(' && c == '=':
		return name, true
	case c == '=' && strings.HasPrefix(l.text[l.at:], "=>"):
		return name, true
	}
	l.at = start
	return "", false
}

func wordByte(c byte) bool {
	return c >= utf8.RuneSelf || c == '_' || c == '$' || c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'z'
}

// str parses a quoted string.
func (l *loose) str() *json.Node {
	quote := l.text[l.at]
	start := l.at
	var b strings.Builder
	for l.at++; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		switch {
		case c == quote:
			l.at++
			n := &json.Node{Kind: '"', Text: b.String(), At: json.Range{Start: start, End: l.at}}
			if rest := l.text[l.at:]; strings.HasPrefix(rest, "... ") && strings.Contains(rest[:min(len(rest), 40)], " more character") {
				end := strings.Index(rest, "character")
				l.cut = append(l.cut, json.Range{Start: start, End: l.at + end})
				l.at += end + len("character")
				for l.at < len(l.text) && l.text[l.at] == 's' {
					l.at++
				}
			}
			return n
		case c == '\n' && quote != '`':
			return nil
		case c == '\\' && l.at+1 < len(l.text):
			l.at++
			l.escape(&b)
		default:
			b.WriteByte(c)
		}
	}
	return nil
}

func (l *loose) escape(b *strings.Builder) {
	c := l.text[l.at]
	if i := strings.IndexByte("nrtbfv0", c); i >= 0 {
		b.WriteByte("\n\r\t\b\f\v\x00"[i])
		return
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if l.at+digits < len(l.text) && digits > 0 {
		if code, err := strconv.ParseUint(l.text[l.at+1:l.at+1+digits], 16, 32); err == nil {
			b.WriteRune(rune(code))
			l.at += digits
			return
		}
	}
	b.WriteByte(c)
}

// literals are the words with a value in JSON.
var literals = map[string]string{"true": "true", "True": "true", "false": "false", "False": "false", "null": "null", "None": "null", "undefined": "null", "NaN": "null", "nan": "null"}

// word parses a literal, a number, a date, or a value of a class.
func (l *loose) word(depth int) *json.Node {
	start := l.at
	for l.at < len(l.text) && (wordByte(l.text[l.at]) || strings.IndexByte(".+-:", l.text[l.at]) >= 0) {
		if l.text[l.at] == ':' && (l.at+1 == len(l.text) || !wordByte(l.text[l.at+1])) {
			break
		}
		l.at++
	}
	word := l.text[start:l.at]
	if word == "" {
		return nil
	}
	if value, ok := literals[word]; ok {
		return &json.Node{Kind: value[0], Text: value}
	}
	if n, fault := json.Tree(strings.TrimSuffix(word, "n")); fault == nil {
		n.At = json.Range{}
		return n
	}
	if c := word[0]; c >= '0' && c <= '9' || c == '-' || c == '.' {
		return &json.Node{Kind: '"', Text: word}
	}
	class := &json.Node{Kind: '"', Text: word, At: json.Range{Start: start, End: l.at}}
	if l.at < len(l.text) && l.text[l.at] == '(' {
		n := l.value(depth + 1)
		if n == nil {
			return nil
		}
		if c := l.peek(); c == '{' || c == '[' { // Map(2) { … }, Array(3) [ … ]
			if onlyCount(n) {
				return l.value(depth + 1)
			}
			return n
		}
		return classOf(class, n)
	}
	if c := l.peek(); c == '{' || c == '[' {
		inner := l.value(depth + 1)
		if inner == nil {
			return nil
		}
		return classOf(class, inner)
	}
	return class
}

func onlyCount(n *json.Node) bool { return len(n.Items) == 1 && n.Items[0].Kind == '0' }

// classOf returns the value with the name of its class.
func classOf(class, n *json.Node) *json.Node {
	if n.Kind == '[' {
		if strings.Contains(class.Text, ".") || len(n.Items) == 1 && n.Items[0].Kind == '"' { // datetime.datetime(…), UUID('…')
			for _, item := range n.Items {
				if item.Kind == '{' || item.Kind == '[' {
					return n
				}
			}
			if len(n.Items) == 1 {
				return n.Items[0]
			}
			return class
		}
		return n
	}
	if word := class.Text; word == "dict" || word == "Object" || word == "OrderedDict" || word == "defaultdict" {
		return n
	}
	n.Members = append([]json.Member{{Key: classKey, At: class.At, Value: class}}, n.Members...)
	return n
}
