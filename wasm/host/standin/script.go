package standin

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"regexp"
	"regexp/syntax"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// turn is a message of a conversation.
type turn struct{ role, text string }

type tool struct {
	name   string
	schema json.RawMessage
}

// ask is a request independent of its format.
type ask struct {
	model      string
	stream     bool
	turns      []turn
	prefix     string // of the answer, if the format supports one
	echo       bool   // the prefix is sent back
	stops      []string
	maxTokens  int
	logprobs   int // alternatives; 0: none
	tools      []tool
	toolChoice string // "", "none", "required" or a name
	wantsUsage bool

	schema  json.RawMessage // required of the answer
	choices []string        // the allowed answers
	regex   string          // expression that the answer must match
	custom  string          // name of the custom tool whose input is the answer

	fields []string // fields of the request that only some servers support
}

// last returns the text of the last turn of a role, or "".
func (a ask) last(role string) string {
	for _, t := range slices.Backward(a.turns) {
		if t.role == role {
			return t.text
		}
	}
	return ""
}

func (a ask) prompt() string {
	var b strings.Builder
	for _, t := range a.turns {
		b.WriteString(t.text + "\n")
	}
	return b.String()
}

// number returns a number that depends only on the request.
func (a ask) number() int {
	h := fnv.New32a()
	h.Write([]byte(a.prompt()))
	return int(h.Sum32() >> 1)
}

// call is a tool call of the model.
type call struct{ id, name, arguments string }

// token is a piece of text with its most likely alternatives.
type token struct {
	text    string
	logprob float64
	top     []token
}

// answer is the reply of the model.
type answer struct {
	thinking   string
	tokens     []token
	calls      []call
	reason     string // "stop", "length", "tools" or "sequence"
	sequence   string // the stop sequence that ended the answer
	prompt     int    // tokens
	completion int
}

func (a answer) text() string {
	var b strings.Builder
	for _, t := range a.tokens {
		b.WriteString(t.text)
	}
	return b.String()
}

// scripts maps model names to functions that return the complete reply.
var scripts = map[string]func(a ask) string{
	"echo":     func(a ask) string { return a.last("user") },
	"choice":   choose,
	"rambler":  func(ask) string { return "That depends on what you want to do with it." },
	"count":    func(ask) string { return "1 2 3 4 5 6 7 8 9" },
	"unicode":  func(ask) string { return "Grüße 🌍, 漢字 and Ωμέγα." },
	"think":    func(ask) string { return "So it is." },
	"logprobs": func(ask) string { return "yes it is" },
	"tools":    callOrAnswer,
	"tools-two": func(a ask) string {
		return callOrAnswer(a)
	},
	"helpful":  help,
	"long10mb": func(ask) string { return strings.Repeat("All work and no play makes a long answer. ", 10<<20/42+1) },
}

// Models returns the names of the models that answer, sorted. "echo" repeats the last message,
// "choice" returns a number in the last range of the prompt ("from 1 to 7"), "rambler" filler
// text, "count" the digits, "unicode" characters of every length; "think" thinks first, "logprobs"
// returns three words, "tools" calls the first tool and then reports its result, "tools-two" calls
// two, "helpful" performs the requests of a connection test, "long10mb" returns ten megabytes.
// "say:TEXT", which is not listed, returns TEXT. The failing models in fault.go are not listed
// either.
func Models() []string {
	var out []string
	for name := range scripts {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

var rangeOf = regexp.MustCompile(`from 1 to (\d+)`)

// choose returns a number in the last range of the prompt ("from 1 to 7").
func choose(a ask) string {
	n := 1
	if all := rangeOf.FindAllStringSubmatch(a.prompt(), -1); len(all) > 0 {
		n, _ = strconv.Atoi(all[len(all)-1][1])
	}
	return strconv.Itoa(1 + a.number()%max(n, 1))
}

func callOrAnswer(a ask) string {
	if result := a.last("tool"); result != "" {
		return "The tool says: " + result
	}
	return ""
}

var (
	wordOf   = regexp.MustCompile(`with this word and nothing else: (\S+)`)
	reportOf = regexp.MustCompile(`tool report with the word (\w+)`)
)

// help performs the requests of a connection test.
func help(a ask) string {
	said := a.last("user")
	if m := wordOf.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	if strings.Contains(said, "the numbers from 1 to 9") {
		return "1 2 3 4 5 6 7 8 9"
	}
	return "What can I do?"
}

// script returns the answer of the requested model.
func (x *exchange) script() (answer, bool) {
	a := x.ask
	say, ok := scripts[a.model]
	if text, says := strings.CutPrefix(a.model, "say:"); says {
		say, ok = func(ask) string { return text }, true
	}
	if !ok {
		return answer{}, false
	}
	var out answer
	switch {
	case a.toolChoice != "none" && len(a.tools) > 0 && a.last("tool") == "" &&
		(strings.HasPrefix(a.model, "tools") || a.toolChoice != "" || a.model == "helpful" && reportOf.MatchString(a.last("user"))):
		out.calls = a.calls()
	default:
		out = a.say(say(a))
	}
	if a.model == "think" {
		out.thinking = "Is it so? It seems so. "
	}
	out.prompt = len(strings.Fields(a.prompt())) + len(strings.Fields(a.prefix))
	out.completion = max(len(out.tokens), 10*len(out.calls)) + len(strings.Fields(out.thinking))
	if len(out.calls) > 0 {
		out.reason = "tools"
	}
	return out, true
}

// say builds an answer from a text, within the limits of the request.
func (a ask) say(text string) answer {
	switch {
	case len(a.choices) > 0:
		text = a.choices[a.number()%len(a.choices)]
	case len(a.schema) > 0:
		raw, _ := json.Marshal(a.instance(a.schema))
		text = string(raw)
	case a.regex != "":
		if r, err := syntax.Parse(a.regex, syntax.Perl); err == nil {
			text = shortest(r)
		}
	}
	text = continuation(text, a.prefix)
	out := answer{reason: "stop"}
	at := -1
	for _, s := range a.stops {
		if i := strings.Index(text, s); s != "" && i >= 0 && (at < 0 || i < at) {
			at, out.reason, out.sequence = i, "sequence", s
		}
	}
	if at >= 0 {
		text = text[:at]
	}
	if a.echo {
		text = a.prefix + text
	}
	out.tokens = a.tokens(text)
	if a.maxTokens > 0 && len(out.tokens) > a.maxTokens {
		out.tokens, out.reason, out.sequence = out.tokens[:a.maxTokens], "length", ""
	}
	return out
}

// continuation returns text without its longest beginning that is a suffix of prefix.
func continuation(text, prefix string) string {
	for i := range prefix {
		if rest, ok := strings.CutPrefix(text, prefix[i:]); ok {
			return rest
		}
	}
	return text
}

// tokens splits a text before its spaces, and a long text into larger pieces.
func (a ask) tokens(text string) []token {
	var out []token
	for len(text) > 0 {
		n := len(text)
		from := 1
		if len(text) > 1<<16 {
			from = 1 << 12
		}
		if from < len(text) {
			if i := strings.IndexByte(text[from:], ' '); i >= 0 {
				n = from + i
			}
		}
		t := token{text: text[:n], logprob: -0.25}
		if a.logprobs > 0 {
			t.top = a.alternatives(t)
		}
		out = append(out, t)
		text = text[n:]
	}
	return out
}

// alternatives returns the most likely tokens at the position of t: numbers if t is a number, otherwise words.
func (a ask) alternatives(t token) []token {
	out := []token{{text: t.text, logprob: t.logprob}}
	n, err := strconv.Atoi(strings.TrimSpace(t.text))
	for i := 1; len(out) < a.logprobs; i++ {
		other := fmt.Sprintf("other%d", i)
		if err == nil {
			other = strconv.Itoa(n + i)
		}
		out = append(out, token{text: other, logprob: -1.5 - float64(i)})
	}
	return out
}

// calls returns a call of the required tool or of the first tool; the model "tools-two" calls two tools.
func (a ask) calls() []call {
	tools := a.tools
	if i := slices.IndexFunc(tools, func(t tool) bool { return t.name == a.toolChoice }); i >= 0 {
		tools = tools[i:]
	}
	n := 1
	if a.model == "tools-two" {
		n = 2
	}
	var out []call
	for i := range n {
		t := tools[i%len(tools)]
		arguments, _ := json.Marshal(a.instance(t.schema))
		out = append(out, call{fmt.Sprintf("call_%d", i+1), t.name, string(arguments)})
	}
	return out
}

// instance returns a value that satisfies a simple JSON schema.
func (a ask) instance(raw json.RawMessage) any {
	var s struct {
		Type       string
		Enum       []any
		Const      any
		Properties map[string]json.RawMessage
		Items      json.RawMessage
	}
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	switch {
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[a.number()%len(s.Enum)]
	}
	switch s.Type {
	case "object":
		out := map[string]any{}
		for name, schema := range s.Properties {
			out[name] = a.instance(schema)
		}
		return out
	case "array":
		return []any{a.instance(s.Items)}
	case "integer", "number":
		return a.number() % 10
	case "boolean":
		return true
	}
	if words := strings.Fields(a.last("user")); len(words) > 0 {
		return strings.TrimRight(words[len(words)-1], ".")
	}
	return "Grüße"
}

// shortest returns a short text that matches a regular expression.
func shortest(r *syntax.Regexp) string {
	switch r.Op {
	case syntax.OpLiteral:
		return string(r.Rune)
	case syntax.OpCharClass:
		if len(r.Rune) > 0 {
			return string(r.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture, syntax.OpPlus, syntax.OpAlternate:
		return shortest(r.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(shortest(r.Sub[0]), r.Min)
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range r.Sub {
			b.WriteString(shortest(sub))
		}
		return b.String()
	}
	return ""
}

// alternativesOf returns the quoted texts of the first rule in a GBNF grammar.
func alternativesOf(grammar string) []string {
	first, _, _ := strings.Cut(grammar, "\n")
	var out []string
	for _, m := range regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).FindAllString(first, -1) {
		if text, err := strconv.Unquote(m); err == nil {
			out = append(out, text)
		}
	}
	return out
}
