// Package tool defines the tools of agents and of plans.
//
// An agent calls a [Callable] during a run: a calculator, Wikipedia, the operations of an HTTP
// API, the tools of an MCP server, a person. Packages below this one implement them, and
// package agenttools reads the file that declares them. Each run has its own [Registry], which
// checks arguments, shortens results and converts every failure to a text for the model.
// Requests to the outside are effects of the process.
//
// The symbols of a plan refer to declared tools, which simulate execution, so that a plan can
// be executed, fail and be undone without any request. A workspace declares them in a file
// tools.json (see [Set]):
//
//	{
//	  "types": ["image", "text"],
//	  "inputs": {"i": {"type": "image", "text": "two cats", "marks": ["grey"]}},
//	  "tools": {
//	    "a1": {"takes": ["image"], "gives": "image", "does": {"remove": ["grey"]}},
//	    "b2": {"takes": ["image"], "gives": "text", "does": [
//	      {"when": {"mark": "blurry"}, "text": "something unclear", "add": ["guess"]},
//	      {"text": "a photograph of {1}"}
//	    ], "fails": {"rate": 0.1, "message": "no answer"}}
//	  }
//	}
//
// A value has a type, a text and marks. A tool takes values of the named types and returns one
// value, which the first rule with a true condition creates. In a rule's text {1} is the text
// of the first argument, {1.marks} and {1.type} its other parts, {symbol} the tool's name. A
// tool whose name ends with * matches all symbols with that prefix, and {rest} is the part
// after it. {row.field} is a field of the record that a rule looks up in a table, a JSON file
// of the workspace; {table.field} is a field of a table itself. A rule's sums, such as a cost,
// are added up over the plan. A rule may also ask a person.
//
// "order" is the order of a plan's word: "prefix", each tool before its arguments, as in
// e1 a1 i b1 i; or "steps", one symbol after the other.
package tool

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/tool/phrase"
)

// Value is an argument or the result of a tool.
type Value struct {
	Type  string   `json:"type"`
	Text  string   `json:"text"`
	Marks []string `json:"marks,omitempty"`
	Sums  []Sum    `json:"sums,omitempty"` // of the value and its arguments, sorted by name
}

// Sum is an amount that is added up over a plan.
type Sum struct {
	Name   string `json:"name"`
	Amount int64  `json:"amount"`
}

// Has reports whether the value has a mark.
func (v Value) Has(mark string) bool {
	for _, m := range v.Marks {
		if m == mark {
			return true
		}
	}
	return false
}

// Sum returns the amount with a name, or 0.
func (v Value) Sum(name string) int64 {
	for _, s := range v.Sums {
		if s.Name == name {
			return s.Amount
		}
	}
	return 0
}

// String formats the value: "image: two cats (grey, blurry)".
func (v Value) String() string {
	out := v.Type + ": " + v.Text
	if len(v.Marks) > 0 {
		out += " (" + strings.Join(v.Marks, ", ") + ")"
	}
	for i, s := range v.Sums {
		mark := ", "
		if i == 0 {
			mark = "; "
		}
		out += mark + s.Name + " " + strconv.FormatInt(s.Amount, 10)
	}
	return out
}

// Failure reports why a call returned no value.
type Failure struct {
	Tool      string `json:"tool"`
	Message   string `json:"message"`
	Transient bool   `json:"transient,omitempty"` // the same call may succeed later
	Always    bool   `json:"always,omitempty"`    // it fails with any arguments
}

// Error returns the tool and the message.
func (f *Failure) Error() string { return f.Tool + ": " + f.Message }

// Question is a call that a person has to answer. Then is the result of the call without its
// text; the answer of the person becomes the text.
type Question struct {
	Tool   string `json:"tool"`
	Prompt string `json:"prompt"`
	Then   Value  `json:"then"`
}

// Error returns the prompt, with the name of the tool that asks.
func (q *Question) Error() string { return q.Tool + " asks: " + q.Prompt }

// Context is the state that a call depends on, apart from its arguments.
type Context struct {
	Rand  *rand.Rand // decides whether a tool with a failure rate fails; nil: never
	Count int        // number of this call of the tool in the run, from 1
}

// The orders of a plan's word.
const (
	OrderPrefix = "prefix"
	OrderSteps  = "steps"
)

// Set holds the plan tools of a workspace. It is immutable.
type Set struct {
	Order string   // OrderPrefix or OrderSteps
	Types []string // as declared

	inputs  map[string]Value
	tools   map[string]*tool
	symbols []string // of tools, as written
	tables  []*table
}

type tool struct {
	takes []string
	gives string
	rules []rule
	fails []fail
}

// rule is the effect of a tool under a condition.
type rule struct {
	when   condition
	text   string
	keeps  int // number of the argument whose marks are kept, from 1; 0: none
	add    []string
	remove []string
	sums   []sumRule
	lookup *lookup
	ask    string
}

// condition tests the marks of an argument.
type condition struct {
	of   int // number of the argument, from 1; 0: always true
	any  []string
	none []string
}

func (c condition) holds(args []Value) bool {
	if c.of == 0 || c.of > len(args) {
		return c.of == 0
	}
	v, found := args[c.of-1], len(c.any) == 0
	for _, mark := range c.any {
		found = found || v.Has(mark)
	}
	for _, mark := range c.none {
		found = found && !v.Has(mark)
	}
	return found
}

// sumRule adds of × ⌈times / per⌉.
type sumRule struct{ name, of, times, per string }

type lookup struct {
	table *table
	row   string
}

// fail is a declared failure of a tool.
type fail struct {
	always    bool
	rate      float64
	on        []int
	when      condition
	message   string
	transient bool
}

// Input returns the value of an input symbol.
func (s *Set) Input(symbol string) (Value, bool) {
	v, ok := s.inputs[symbol]
	return v, ok
}

// Symbols returns the tools' names in the order of the file.
func (s *Set) Symbols() []string { return append([]string(nil), s.symbols...) }

// Takes returns the types of the arguments that a symbol's tool takes.
func (s *Set) Takes(symbol string) (types []string, ok bool) {
	t, _ := s.find(symbol)
	if t == nil {
		return nil, false
	}
	return append([]string(nil), t.takes...), true
}

// Gives returns the type of the result of a symbol's tool, or of the value of an input symbol.
func (s *Set) Gives(symbol string) (kind string, ok bool) {
	if t, _ := s.find(symbol); t != nil {
		return t.gives, true
	}
	v, ok := s.Input(symbol)
	return v.Type, ok
}

// Missing returns the symbols that are neither an input nor a tool.
func (s *Set) Missing(symbols []string) []string {
	var out []string
	for _, symbol := range symbols {
		_, given := s.inputs[symbol]
		if t, _ := s.find(symbol); t == nil && !given {
			out = append(out, symbol)
		}
	}
	return out
}

// find returns the tool of a symbol and the part of the symbol that * matches.
func (s *Set) find(symbol string) (t *tool, rest string) {
	if t, ok := s.tools[symbol]; ok && !strings.HasSuffix(symbol, "*") {
		return t, ""
	}
	longest := ""
	for _, name := range s.symbols {
		prefix, star := strings.CutSuffix(name, "*")
		if star && strings.HasPrefix(symbol, prefix) && (t == nil || len(prefix) > len(longest)) {
			t, longest = s.tools[name], prefix
		}
	}
	return t, symbol[len(longest):]
}

// With returns a copy of the set with further inputs, which replace declared ones.
func (s *Set) With(inputs map[string]Value) *Set {
	out := *s
	out.inputs = map[string]Value{}
	for symbol, v := range s.inputs {
		out.inputs[symbol] = v
	}
	for symbol, v := range inputs {
		out.inputs[symbol] = v
	}
	return &out
}

// Goal is a requirement for a plan's result.
type Goal struct {
	Type    string   `json:"type"`
	Marks   []string `json:"marks,omitempty"`   // required
	Without []string `json:"without,omitempty"` // forbidden
	Most    []Sum    `json:"most,omitempty"`    // upper bounds of its sums
}

// Met reports whether a value satisfies the goal.
func (g Goal) Met(v Value) bool { return g.Lacks(v) == "" }

// Lacks returns the unmet requirement of a value, or "".
func (g Goal) Lacks(v Value) string {
	if v.Type != g.Type {
		return "it is " + phrase.List([]string{v.Type}) + ", not " + phrase.List([]string{g.Type})
	}
	for _, mark := range g.Marks {
		if !v.Has(mark) {
			return "it is not marked " + strconv.Quote(mark)
		}
	}
	for _, mark := range g.Without {
		if v.Has(mark) {
			return "it is marked " + strconv.Quote(mark)
		}
	}
	for _, most := range g.Most {
		if sum := v.Sum(most.Name); sum > most.Amount {
			return "its " + most.Name + " is " + strconv.FormatInt(sum, 10) + ", more than " + strconv.FormatInt(most.Amount, 10)
		}
	}
	return ""
}

// Share returns the share of a goal's conditions that a value satisfies, from 0 to 1: its type, its
// required and forbidden marks. Bounds of sums do not count.
func (g Goal) Share(v Value) float64 {
	met, of := 0, 1+len(g.Marks)+len(g.Without)
	if v.Type == g.Type {
		met++
	}
	for _, mark := range g.Marks {
		if v.Has(mark) {
			met++
		}
	}
	for _, mark := range g.Without {
		if !v.Has(mark) {
			met++
		}
	}
	return float64(met) / float64(of)
}
