// Package tool holds the tools of plans and of agents.
//
// An agent calls a [Callable] while it runs: the calculator, Wikipedia, the
// operations of an HTTP API, the tools of an MCP server, a person. A workspace
// declares them in a file agent-tools.json (see [Declaration]); each run has them in
// a [Registry] of its own, which checks arguments, cuts results and makes of every
// failure a text for the model. What is outside of the page is asked by effects.
//
// A plan's symbols stand for declared tools: simulated executors, so that a plan
// can be carried out, fail and be taken back without anything outside the page. A
// workspace declares those in a file tools.json (see [Set]):
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
// A value has a type, a text and marks. A tool takes values of the types it
// names and gives one: the first of its rules whose condition holds makes it. In
// a rule's text {1} is the text of the first argument, {1.marks} and {1.type} the
// rest of it, {symbol} the tool's own name. A tool whose name ends with * stands
// for all symbols that begin so, and {rest} is what follows; {row.field} is of the
// record that a rule looks up in a table, a JSON file of the workspace, and
// {table.field} is of a table itself. What a rule sums up, such as a cost, is added
// over the whole plan. A rule may also ask a person.
//
// "order" says how a plan's word is carried out: "prefix", a tool and then what it
// takes, as in e1 a1 i b1 i; or "steps", one symbol after the other.
package tool

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// Value is what a tool takes and gives.
type Value struct {
	Type  string   `json:"type"`
	Text  string   `json:"text"`
	Marks []string `json:"marks,omitempty"`
	Sums  []Sum    `json:"sums,omitempty"` // of the value and all it was made of, by name
}

// Sum is an amount that adds up over a plan.
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

// Sum returns an amount, 0 where there is none of that name.
func (v Value) Sum(name string) int64 {
	for _, s := range v.Sums {
		if s.Name == name {
			return s.Amount
		}
	}
	return 0
}

// String describes the value: "image: two cats (grey, blurry)".
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

// Failure is why a call gave nothing.
type Failure struct {
	Tool      string `json:"tool"`
	Message   string `json:"message"`
	Transient bool   `json:"transient,omitempty"` // the same call may succeed another time
	Always    bool   `json:"always,omitempty"`    // it fails whatever it is given
}

// Error names the tool and says why.
func (f *Failure) Error() string { return f.Tool + ": " + f.Message }

// Question is a call that a person has to answer. Then is the result but for its
// text, which is the answer.
type Question struct {
	Tool   string `json:"tool"`
	Prompt string `json:"prompt"`
	Then   Value  `json:"then"`
}

// Error says what is asked.
func (q *Question) Error() string { return q.Tool + " asks: " + q.Prompt }

// Context is what a call depends on beside its arguments.
type Context struct {
	Rand  *rand.Rand // draws whether a tool with a rate of failure fails; nil: it does not
	Count int        // which call of this tool it is in the run, from 1
}

// The orders in which a word is carried out.
const (
	OrderPrefix = "prefix"
	OrderSteps  = "steps"
)

// Set is the tools of a workspace.
type Set struct {
	Order string   // OrderPrefix or OrderSteps
	Types []string // as declared

	inputs  map[string]Value
	tools   map[string]*tool
	symbols []string // of tools, as written
	tables  []*table
}

// tool is a declared tool.
type tool struct {
	takes []string
	gives string
	rules []rule
	fails []fail
}

// rule is what a tool does under a condition.
type rule struct {
	when   condition
	text   string
	keeps  int // the argument whose marks are kept, from 1; 0: none
	add    []string
	remove []string
	sums   []sumRule
	lookup *lookup
	ask    string
}

// condition is about the marks of an argument.
type condition struct {
	of   int // from 1; 0: there is no condition
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

// fail is a way in which a tool fails.
type fail struct {
	always    bool
	rate      float64
	on        []int
	when      condition
	message   string
	transient bool
}

// Input returns what a symbol that is given stands for.
func (s *Set) Input(symbol string) (Value, bool) {
	v, ok := s.inputs[symbol]
	return v, ok
}

// Symbols returns the tools' names, as they are written.
func (s *Set) Symbols() []string { return append([]string(nil), s.symbols...) }

// Takes returns the types that the tool of a symbol takes.
func (s *Set) Takes(symbol string) (types []string, ok bool) {
	t, _ := s.find(symbol)
	if t == nil {
		return nil, false
	}
	return append([]string(nil), t.takes...), true
}

// Missing returns those symbols that are neither an input nor a tool.
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

// find returns the tool of a symbol, and what follows the * of its name.
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

// With returns the same tools with other inputs: those given stand in the place of
// what is declared.
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

// Goal is what a plan's result has to be.
type Goal struct {
	Type    string   `json:"type"`
	Marks   []string `json:"marks,omitempty"`   // that it has
	Without []string `json:"without,omitempty"` // that it has not
	Most    []Sum    `json:"most,omitempty"`    // that its sums come to
}

// Met reports whether a value is what is wanted.
func (g Goal) Met(v Value) bool { return g.Lacks(v) == "" }

// Lacks says what a value lacks, "" where it is what is wanted.
func (g Goal) Lacks(v Value) string {
	if v.Type != g.Type {
		return "it is " + list([]string{v.Type}) + ", not " + list([]string{g.Type})
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
