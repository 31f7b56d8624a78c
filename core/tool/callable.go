package tool

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Callable is a tool that an agent may call while it runs. A Callable belongs to
// one run: it may remember what was asked before. Tasks of the run may call it
// concurrently, each with its own env.
type Callable interface {
	Name() string
	Description() string     // for a model
	Schema() json.RawMessage // the JSON Schema of the arguments, an object's
	// Call carries the tool out with arguments that its schema allows. The error is a
	// [*CallFault], or the process's where the run was stopped or a budget is spent.
	Call(env *process.Env, arguments json.RawMessage) (text string, err error)
}

// Codes of faults. Those of a host's [process.EffectError] are its code after
// "tool.": network, cors, mixed-content, offline, local-network, timeout, aborted.
const (
	CodeUnknown    = "tool.unknown"    // there is no such tool
	CodeArguments  = "tool.arguments"  // the arguments do not fit the schema
	CodeExpression = "tool.expression" // the calculator cannot work it out
	CodeLookup     = "tool.lookup"     // there is nothing to look up in
	CodeKey        = "tool.key"        // the server refuses the key
	CodeRate       = "tool.rate"       // the server wants fewer requests
	CodeMoved      = "tool.moved"      // the server sends elsewhere
	CodeStatus     = "tool.status"     // the server answered with another status than success
	CodeAnswer     = "tool.answer"     // the answer is not of the format
	CodeLong       = "tool.long"       // the answer has no end
	CodeProtocol   = "tool.protocol"   // an MCP server speaks another protocol, or breaks it
	CodeRemote     = "tool.remote"     // an MCP server reports that the request failed
	CodeFailed     = "tool.failed"     // an MCP tool reports that it failed
)

// CallFault is why a call gave nothing: a code for the log and a message that tells
// the model what to do about it.
type CallFault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Transient says that the same call may succeed another time.
	Transient bool `json:"transient,omitempty"`
}

// Error returns the message.
func (f *CallFault) Error() string { return f.Message }

func faultf(code, format string, args ...any) *CallFault {
	return &CallFault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// DefaultLimit is how many bytes of a tool's result a model is given where nothing
// else is declared: two thousand tokens, a few of which fit every model's window.
const DefaultLimit = 8 << 10

// Result is what came of a call.
type Result struct {
	Tool string     `json:"tool"`           // as the registry has it; as it was asked for where there is none
	Text string     `json:"text"`           // for the model, whether the call succeeded or not
	Left int        `json:"left,omitempty"` // how many bytes were left out of Text
	Err  *CallFault `json:"fault,omitempty"`
}

// Cut returns a text of at most limit bytes, and a note that says how many were
// left out of it. It is cut between characters, at the end of a word where one is
// near.
func Cut(text string, limit int) (cut string, left int) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	if len(text) <= limit {
		return text, 0
	}
	at := limit
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	if space := strings.LastIndexAny(text[:at], " \n"); space > at-40 && space > 0 {
		at = space
	}
	left = len(text) - at
	return fmt.Sprintf("%s … (%s more left out)", strings.TrimRight(text[:at], " \n"), bytesOf(left)), left
}

// bytesOf writes a number of bytes.
func bytesOf(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%d KB", (n+500)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// FromText makes arguments of the text that an agent wrote as a tool's input: a
// JSON object is taken as it is, and any other text is the value of the only
// property, or of the only one that is required. The error is a [*CallFault] that
// shows what is wanted.
func FromText(c Callable, input string) (json.RawMessage, error) {
	input = strings.TrimSpace(input)
	schema, err := readSchema(c.Schema())
	if err != nil {
		return nil, err
	}
	properties, name := only(schema)
	if strings.HasPrefix(input, "{") {
		if tree, fault := readTree(input, ""); fault == nil && (name == "" || knows(properties, tree)) {
			return json.RawMessage(input), nil
		} else if fault != nil && name == "" {
			return nil, faultf(CodeArguments, "the input is no JSON object: %s", fault.Message)
		}
	}
	if name == "" {
		if input == "" || len(properties.Members) == 0 {
			return json.RawMessage("{}"), nil
		}
		return nil, faultf(CodeArguments, "%s takes a JSON object: %s", c.Name(), exampleOf(properties))
	}
	property, _ := properties.Get(name)
	value := json.RawMessage(input)
	if root := (&schemaCheck{root: schema}); root.takesText(property, 0) || readable(input) != nil {
		var text string
		if len(input) < 2 || input[0] != '"' || json.Unmarshal([]byte(input), &text) != nil {
			text = input
		}
		if value, err = json.Marshal(text); err != nil {
			return nil, err
		}
	}
	head, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	return json.RawMessage("{" + string(head) + ":" + string(value) + "}"), nil
}

// readable says why a text is no JSON, or nil.
func readable(text string) error {
	var raw json.RawMessage
	return json.Unmarshal([]byte(text), &raw)
}

// Registry is the tools of one run, in the order in which they were added.
type Registry struct {
	// Limit is how many bytes of a result a model is given; 0: [DefaultLimit].
	Limit int

	tools  []Callable
	limits []int
	waits  []connection
	only   []string                // names of the tools that are taken; nil: all are
	wrap   func(Callable) Callable // of every tool that is added; nil: it is taken as it is
}

// connection is a server that has to be asked for its tools.
type connection interface {
	connect(env *process.Env) ([]Callable, error)
	close(env *process.Env)
	name() string
	limitOf() int // of the results of its tools; 0: the registry's
}

// Add adds a tool. The error is for a name that is taken already, whatever its
// case, or is none.
func (r *Registry) Add(c Callable) error { return r.addLimited(c, 0) }

func (r *Registry) addLimited(c Callable, limit int) error {
	if c.Name() == "" {
		return source.NewError("tool.name", "a tool needs a name")
	}
	for _, have := range r.tools {
		if strings.EqualFold(have.Name(), c.Name()) {
			return source.NewError("tool.name", fmt.Sprintf("there are two tools named %q; give one another name", c.Name()))
		}
	}
	if r.only != nil && !hasFold(r.only, c.Name()) {
		return nil
	}
	if r.wrap != nil {
		c = r.wrap(c)
	}
	r.tools, r.limits = append(r.tools, c), append(r.limits, limit)
	return nil
}

func hasFold(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// Restricted returns a registry of those tools only that have one of the names, each
// wrapped. Servers are asked only where a name is still missing.
func (r *Registry) Restricted(names []string, wrap func(Callable) Callable) *Registry {
	out := &Registry{Limit: r.Limit, only: append([]string{}, names...), wrap: wrap}
	for i, c := range r.tools {
		_ = out.addLimited(c, r.limits[i]) // which has no name twice
	}
	if len(out.tools) < len(names) {
		out.waits = r.waits
	}
	return out
}

// List returns the tools.
func (r *Registry) List() []Callable { return append([]Callable(nil), r.tools...) }

// Find returns the tool of a name, in whatever case it is written and with or
// without the spaces, hyphens and underscores that models mix up. The error is a
// [*CallFault] that lists the tools there are.
func (r *Registry) Find(name string) (Callable, error) {
	i, err := r.find(name)
	if err != nil {
		return nil, err
	}
	return r.tools[i], nil
}

func (r *Registry) find(name string) (int, error) {
	name = strings.TrimSpace(name)
	names := make([]string, len(r.tools))
	for i, c := range r.tools {
		if names[i] = c.Name(); names[i] == name {
			return i, nil
		}
	}
	found := -1
	for i := range names {
		if plainName(names[i]) == plainName(name) {
			if found >= 0 {
				found = -1
				break
			}
			found = i
		}
	}
	if found >= 0 {
		return found, nil
	}
	message := fmt.Sprintf("there is no tool %q", shorten(name, 60))
	if near := nearestFold(name, names); near != "" {
		message += fmt.Sprintf("; did you mean %s?", near)
	}
	if len(names) == 0 {
		return 0, faultf(CodeUnknown, "%s; there are no tools", message)
	}
	return 0, faultf(CodeUnknown, "%s (there is %s)", message, strings.Join(names, ", "))
}

// plainName is what names that are meant alike have in common.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == ' ' || c == '_' || c == '-' {
			return -1
		}
		return c
	}, strings.ToLower(name))
}

// nearestFold is [source.Nearest] without regard to case.
func nearestFold(name string, names []string) string {
	lower := make([]string, len(names))
	for i, n := range names {
		lower[i] = strings.ToLower(n)
	}
	near := source.Nearest(strings.ToLower(name), lower)
	for i, n := range lower {
		if near != "" && n == near {
			return names[i]
		}
	}
	return ""
}

// shorten cuts a text for a message.
func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

// Connect asks the servers among the declared tools for theirs. What could not be
// had is told by faults; the others are there all the same. The error is the
// process's.
func (r *Registry) Connect(env *process.Env) ([]*CallFault, error) {
	var faults []*CallFault
	report := func(who string, err error) error {
		var fault *CallFault
		if errors.As(err, &fault) {
			said := *fault
			if !strings.Contains(said.Message, who) {
				said.Message = who + ": " + said.Message
			}
			faults = append(faults, &said)
			return nil
		}
		var named *source.Error
		if errors.As(err, &named) {
			faults = append(faults, &CallFault{Code: named.ID, Message: who + ": " + named.Message})
			return nil
		}
		return err
	}
	for _, w := range r.waits {
		tools, err := w.connect(env)
		if err != nil {
			if err = report(w.name(), err); err != nil {
				return faults, err
			}
		}
		for _, c := range tools {
			if err := r.addLimited(c, w.limitOf()); err != nil {
				if err = report(w.name(), err); err != nil {
					return faults, err
				}
			}
		}
	}
	return faults, nil
}

// Close ends the sessions with servers. It waits for nothing.
func (r *Registry) Close(env *process.Env) {
	for _, w := range r.waits {
		w.close(env)
	}
}

// Run calls a tool by name with arguments that are checked first. The error is the
// process's; whatever else goes wrong is in the result, as a text for the model and
// as a fault for the log.
func (r *Registry) Run(env *process.Env, name string, arguments json.RawMessage) (Result, error) {
	return r.run(env, name, func(c Callable) (json.RawMessage, error) {
		if len(strings.TrimSpace(string(arguments))) == 0 {
			return json.RawMessage("{}"), nil
		}
		return arguments, nil
	})
}

// RunText is [Registry.Run] with what an agent wrote as the input (see [FromText]).
func (r *Registry) RunText(env *process.Env, name, input string) (Result, error) {
	return r.run(env, name, func(c Callable) (json.RawMessage, error) { return FromText(c, input) })
}

func (r *Registry) run(env *process.Env, name string, arguments func(Callable) (json.RawMessage, error)) (Result, error) {
	i, err := r.find(name)
	if err != nil {
		return failedResult(strings.TrimSpace(name), err)
	}
	c := r.tools[i]
	text, err := call(env, c, arguments)
	if err != nil {
		return failedResult(c.Name(), err)
	}
	limit := r.limits[i]
	if limit == 0 {
		limit = r.Limit
	}
	result := Result{Tool: c.Name()}
	result.Text, result.Left = Cut(text, limit)
	if strings.TrimSpace(result.Text) == "" {
		result.Text = "(nothing)"
	}
	return result, nil
}

func call(env *process.Env, c Callable, arguments func(Callable) (json.RawMessage, error)) (string, error) {
	given, err := arguments(c)
	if err != nil {
		return "", err
	}
	if err := Validate(c.Schema(), given); err != nil {
		return "", err
	}
	return c.Call(env, given)
}

// maxFault is how much of a fault's message a model is given.
const maxFault = 1_000

// failedResult makes a result of an error, unless it is the process's.
func failedResult(tool string, err error) (Result, error) {
	var fault *CallFault
	if !errors.As(err, &fault) {
		return Result{Tool: tool}, err
	}
	text, left := Cut("Error: "+fault.Message, maxFault)
	return Result{Tool: tool, Text: text, Left: left, Err: fault}, nil
}
