package apibank

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
)

// Spec is the searcher's description of a tool.
type Spec struct {
	Name        string
	Description string
	Parameters  []Parameter
	raw         json.RawMessage // as the benchmark has it
}

// Parameter is a parameter of a tool. Type is "str", "int", "float", "list" or
// "list(str)".
type Parameter struct{ Name, Type, Description string }

// Outcome is the result of a call: an output, or an exception other than null.
type Outcome struct {
	Output    json.RawMessage `json:"output"`
	Exception json.RawMessage `json:"exception"` // null or a text
	Code      string          `json:"code"`      // of an exception that the simulator raises
}

// Failed reports whether the call raised an exception.
func (o Outcome) Failed() bool { return string(o.Exception) != "null" }

// Simulator answers calls from the records of its tasks. It is immutable and safe for
// concurrent use.
type Simulator struct {
	tasks    []Task
	bySample map[int]int
	pool     []Spec
	looks    []looks                // of the pool
	recorded map[string][]*recorded // by tool
	golds    [][]*recorded          // of the tasks
}

// recorded is a gold call with parsed values.
type recorded struct {
	Gold
	input, output, exception *json.Node
}

func read(g Gold) *recorded {
	return &recorded{g, treeOf(g.Input), treeOf(g.Output), treeOf(g.Exception)}
}

// treeOf parses a value; the result is of kind "none" if that fails.
func treeOf(value json.RawMessage) *json.Node {
	tree, fault := json.Tree(string(value))
	if fault != nil {
		return &json.Node{}
	}
	return tree
}

// NewSimulator returns a simulator with the tools that the tasks' searches found, in that
// order.
func NewSimulator(tasks []Task) *Simulator {
	s := &Simulator{tasks: tasks, bySample: map[int]int{}, recorded: map[string][]*recorded{}, golds: make([][]*recorded, len(tasks))}
	for i, t := range tasks {
		s.bySample[t.Sample] = i
		for _, g := range t.Calls {
			r := read(g)
			s.golds[i] = append(s.golds[i], r)
			if g.Name == Searcher {
				s.learn(r)
			} else {
				s.recorded[g.Name] = append(s.recorded[g.Name], r)
			}
		}
	}
	return s
}

// learn adds the tool that a search found.
func (s *Simulator) learn(g *recorded) {
	tree := g.output
	spec := Spec{Name: tree.TextOf("name"), Description: tree.TextOf("description"), raw: g.Output}
	if _, known := s.spec(spec.Name); known || spec.Name == "" {
		return
	}
	parameters, _ := tree.Get("input_parameters")
	for _, m := range parameters.Members {
		spec.Parameters = append(spec.Parameters, Parameter{m.Key, m.Value.TextOf("type"), m.Value.TextOf("description")})
	}
	s.pool, s.looks = append(s.pool, spec), append(s.looks, looksOf(spec))
}

// Tasks returns all samples as tasks, in the order of the data; the slice is the caller's.
func (s *Simulator) Tasks() []Task { return append([]Task(nil), s.tasks...) }

// Task returns the task of a sample. The error has code [CodeSample].
func (s *Simulator) Task(sample int) (Task, error) {
	i, ok := s.bySample[sample]
	if !ok {
		return Task{}, noSample(sample)
	}
	return s.tasks[i], nil
}

// Specs returns the tools that a search can find.
func (s *Simulator) Specs() []Spec { return append([]Spec(nil), s.pool...) }

func (s *Simulator) spec(name string) (Spec, bool) {
	for _, spec := range s.pool {
		if spec.Name == name {
			return spec, true
		}
	}
	return Spec{}, false
}

// Do runs a call. A search returns the tool whose similarity to the keywords is greatest; any other
// tool returns the record with an equal input. Numbers are compared by value, those of numeric
// parameters also if they are quoted; texts and lists are compared literally. Otherwise Do returns
// an exception with code [CodeTool] for an unknown tool, [CodeParameter] for a missing or unknown
// parameter, and [CodeInput] if there is no record.
func (s *Simulator) Do(c Call) Outcome {
	if c.Name == Searcher {
		return s.search(c)
	}
	spec, known := s.spec(c.Name)
	if !known && len(s.recorded[c.Name]) == 0 {
		return failure(CodeTool, "unknown tool %q; search for it with %s", c.Name, Searcher)
	}
	input := c.Input()
	tree := treeOf(input)
	for _, g := range s.recorded[c.Name] {
		if spec.sameInput(g.input, tree) {
			return Outcome{Output: g.Output, Exception: g.Exception}
		}
	}
	if known {
		if said := spec.misfit(c); said != "" {
			return failure(CodeParameter, "%s", said)
		}
	}
	return failure(CodeInput, "no recorded result of %s for this input: %s", c.Name, input)
}

// misfit lists missing and unknown parameters, or returns "".
func (spec Spec) misfit(c Call) string {
	var names, missing []string
	given := map[string]bool{}
	for _, a := range c.Arguments {
		given[a.Name] = true
	}
	for _, p := range spec.Parameters {
		names = append(names, p.Name)
		if !given[p.Name] {
			missing = append(missing, p.Name)
		}
		delete(given, p.Name)
	}
	for _, a := range c.Arguments {
		if given[a.Name] {
			return fmt.Sprintf("%s has no parameter %q (expected %s)", spec.Name, a.Name, strings.Join(names, ", "))
		}
	}
	if len(missing) > 0 {
		return fmt.Sprintf("%s: missing %s", spec.Name, strings.Join(missing, " and "))
	}
	return ""
}

func failure(code, format string, args ...any) Outcome {
	said, _ := json.Marshal(fmt.Sprintf(format, args...))
	return Outcome{Output: json.RawMessage("null"), Exception: said, Code: code}
}

func (s *Simulator) search(c Call) Outcome {
	keywords := ""
	for _, a := range c.Arguments {
		if a.Name != "keywords" {
			return failure(CodeParameter, "%s has no parameter %q (expected keywords)", Searcher, a.Name)
		}
		keywords = textOf(a.Value)
	}
	if strings.TrimSpace(keywords) == "" {
		return failure(CodeParameter, "%s: missing keywords", Searcher)
	}
	spec, near := s.Nearest(keywords)
	if near == 0 {
		return failure(CodeTool, "no tool matches %q", keywords)
	}
	return Outcome{Output: spec.raw, Exception: json.RawMessage("null")}
}

// textOf returns the text of a value; of a list, of all its items.
func textOf(value json.RawMessage) string {
	tree := treeOf(value)
	if tree.Kind != '[' {
		return tree.Text
	}
	var parts []string
	for _, item := range tree.Items {
		parts = append(parts, item.Text)
	}
	return strings.Join(parts, " ")
}

// sameInput reports whether two objects are equal inputs of a tool.
func (spec Spec) sameInput(a, b *json.Node) bool {
	if a.Kind != '{' || b.Kind != '{' || len(a.Members) != len(b.Members) {
		return false
	}
	for _, m := range a.Members {
		v, ok := b.Get(m.Key)
		if !ok {
			return false
		}
		numeric := false
		for _, p := range spec.Parameters {
			numeric = numeric || p.Name == m.Key && (p.Type == "int" || p.Type == "float")
		}
		if !same(m.Value, v) && !(m.Value.Kind != v.Kind && scalars(m.Value, v) && m.Value.Text == v.Text) && !(numeric && sameNumber(m.Value, v)) {
			return false
		}
	}
	return true
}

// scalars reports whether both values are texts or numbers.
func scalars(a, b *json.Node) bool {
	return (a.Kind == '"' || a.Kind == '0') && (b.Kind == '"' || b.Kind == '0')
}

func sameNumber(a, b *json.Node) bool {
	x, err := strconv.ParseFloat(strings.TrimSpace(a.Text), 64)
	y, err2 := strconv.ParseFloat(strings.TrimSpace(b.Text), 64)
	return scalars(a, b) && err == nil && err2 == nil && x == y
}

// same reports whether two values are equal: numbers by value, objects regardless of the
// order of members.
func same(a, b *json.Node) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case '0':
		return a.Text == b.Text || sameNumber(a, b)
	case '[':
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !same(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case '{':
		if len(a.Members) != len(b.Members) {
			return false
		}
		for _, m := range a.Members {
			if v, ok := b.Get(m.Key); !ok || !same(m.Value, v) {
				return false
			}
		}
		return true
	}
	return a.Text == b.Text
}

// Tools returns the searcher and the tools it can find. An exception is a
// [*tool.CallFault]; an output is JSON, or text if it is a string.
func (s *Simulator) Tools() []tool.Callable {
	out := []tool.Callable{&simulated{s, Spec{
		Name: Searcher, Description: "Searches for relevant tools in library based on the keyword.", Parameters: []Parameter{{"keywords", "str", "The keyword to search for."}},
	}}}
	for _, spec := range s.pool {
		out = append(out, &simulated{s, spec})
	}
	return out
}

// simulated is a tool that answers from records.
type simulated struct {
	s    *Simulator
	spec Spec
}

// Name implements [tool.Callable].
func (t *simulated) Name() string { return t.spec.Name }

// Description implements [tool.Callable].
func (t *simulated) Description() string { return t.spec.Description }

// Schema implements [tool.Callable]. It accepts a number as text, as the benchmark's calls
// have it.
func (t *simulated) Schema() json.RawMessage {
	types := map[string]string{"int": `["integer","string"]`, "float": `["number","string"]`, "list": `"array"`, "list(str)": `"array"`}
	var properties, required []string
	for _, p := range t.spec.Parameters {
		kind := types[p.Type]
		if kind == "" {
			kind = `["string","number"]`
		}
		name, _ := json.Marshal(p.Name)
		about, _ := json.Marshal(p.Description)
		properties = append(properties, fmt.Sprintf(`%s:{"type":%s,"description":%s}`, name, kind, about))
		required = append(required, string(name))
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `],"additionalProperties":false}`)
}

// Call implements [tool.Callable]. It has no effects and ignores env.
func (t *simulated) Call(_ *process.Env, arguments json.RawMessage) (string, error) {
	c, err := CallOf(t.spec.Name, arguments)
	if err != nil {
		return "", &tool.CallFault{Code: tool.CodeArguments, Message: err.Error()}
	}
	outcome := t.s.Do(c)
	if outcome.Failed() {
		code := outcome.Code
		if code == "" {
			code = tool.CodeFailed
		}
		return "", &tool.CallFault{Code: code, Message: textOf(outcome.Exception)}
	}
	if len(outcome.Output) > 0 && outcome.Output[0] == '"' {
		return textOf(outcome.Output), nil
	}
	return string(outcome.Output), nil
}
