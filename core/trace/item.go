package trace

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Item is a part of a run.
type Item struct {
	Kind  string     // one of the constants from [User] on
	Tool  string     // of calls and results
	ID    string     // of calls and results: the identifier of the call, or ""
	Text  string     // of a call: its arguments
	Value *json.Node // the arguments of a call, or the result; nil without any
	Fault bool       // the result is an error
	Span  source.Span
	Turn  int // number of the message: a text and the calls next to it share one
	Agent string
	Time  string // seconds, as a number, or ""

	message string // identifier of the message, or ""
	exec    bool   // of a call: a record of its execution, not of the request
	asked   bool   // of a call: the request is known
	run     bool   // of a call: the execution is known
	copy    bool   // the item is next to a value that it may repeat
	parts   []string
	empty   bool // an answer whose text is not printed
}

// Kinds of items.
const (
	User    = isUser
	System  = isSystem
	Text    = isText
	Thought = isThought
	Call    = isCall
	Result  = isResult
)

// settle joins the parts of a streamed text.
func (i *Item) settle() {
	if len(i.parts) > 0 {
		i.Text += strings.Join(i.parts, "")
		i.parts = nil
	}
}

// run is a run that is being read.
type run struct {
	items   []*Item
	calls   map[string]*Item // by identifier
	results map[string]*Item
	texts   map[string]int // number of texts with a key
	trace   string         // identifier of its trace, or ""
	name    string         // of the outermost span that records it, or ""
	root    int            // number of the value that began it
}

func newRun(trace string) *run {
	return &run{calls: map[string]*Item{}, results: map[string]*Item{}, texts: map[string]int{}, trace: trace}
}

func (r *run) insert(at int, item *Item) {
	r.items = append(r.items, nil)
	copy(r.items[at+1:], r.items[at:])
	r.items[at] = item
	r.known(item)
}

func (r *run) known(item *Item) {
	switch {
	case item.Kind == Call && item.ID != "":
		r.calls[item.ID] = item
	case item.Kind == Result && item.ID != "":
		r.results[item.ID] = item
	case item.Kind != Call && item.Kind != Result:
		r.texts[strings.TrimSpace(item.Text)]++
	}
}

// sameText reports whether two items are the same text: of a user, of the environment or of a model.
func sameText(a, b *Item) bool {
	model := func(kind string) bool { return kind == Text || kind == Thought }
	return (a.Kind == b.Kind || model(a.Kind) && model(b.Kind)) && strings.TrimSpace(a.Text) == strings.TrimSpace(b.Text)
}

// sameCall reports whether two calls have the same tool and the same arguments. If an execution records
// no arguments, they count as the same.
func sameCall(a, b *Item) bool {
	if a.Tool != b.Tool {
		return false
	}
	if (a.exec || b.exec) && (a.Value == nil || b.Value == nil || onlyValue(a, b) || onlyValue(b, a)) {
		return true
	}
	return sameArguments(a.Value, b.Value)
}

// onlyValue reports whether an execution records the only argument of a call, without its name.
func onlyValue(call, exec *Item) bool {
	arguments := unquoted(call.Value)
	return exec.exec && exec.Value.Kind == '"' && arguments.Kind == '{' && len(arguments.Members) == 1 && arguments.Members[0].Value.Text == exec.Value.Text
}

func sameArguments(a, b *node) bool {
	x, y := canonical(a), canonical(b)
	if x == y {
		return true
	}
	for range 3 { // {"input": "{…}"}
		inner := func(n *node) *node {
			n = unquoted(n)
			if n != nil && n.Kind == '{' && len(n.Members) == 1 && Word(" input args arguments tool_input value ", n.Members[0].Key) {
				return n.Members[0].Value
			}
			return n
		}
		a, b = inner(a), inner(b)
		if canonical(a) == y || canonical(b) == x || canonical(a) == canonical(b) {
			return true
		}
	}
	return false
}

// unquoted returns the value of a string that contains JSON, and other values unchanged.
func unquoted(n *node) *node {
	if n == nil || n.Kind != '"' {
		return n
	}
	if text := strings.TrimSpace(n.Text); text != "" && strings.IndexByte("{[\"", text[0]) >= 0 {
		if inner, fault := json.Tree(n.Text); fault == nil {
			moveTo(inner, n.At)
			return inner
		}
	}
	return n
}

// canonical returns the same text for equal values, apart from white space, the order of keys and
// the form of numbers. No arguments, null and {} are equal.
func canonical(n *node) string {
	if n = unquoted(n); n == nil {
		return ""
	}
	var b strings.Builder
	writeCanonical(&b, n)
	if out := b.String(); out != "null" && out != "{}" && out != `""` {
		return out
	}
	return ""
}
