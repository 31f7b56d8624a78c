package tool

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/phrase"
	"github.com/stile-playground/stile/core/tool/schema"
)

// Registry holds the tools of one run, in the order in which they were added.
type Registry struct {
	// Limit is the maximum size of a result in bytes; 0: [DefaultLimit].
	Limit int

	tools  []entry
	remote []server
	only   []string                // names of the tools to add; nil: all
	wrap   func(Callable) Callable // wraps every added tool; nil: none
}

// entry is a tool of a registry.
type entry struct {
	Callable
	limit   int  // of a result in bytes; 0: the registry's
	hidden  bool // List and messages omit the tool
	checker func() (*schema.Checker, error)
}

// Connection is a server that lists its tools when a run connects to it.
type Connection interface {
	Name() string // for messages
	// Connect returns the tools. With an error it returns those that it could list.
	Connect(env *process.Env) ([]Callable, error)
	Close(env *process.Env)
}

// server is a connection with the limit of its tools' results.
type server struct {
	Connection
	limit int
}

// Add adds a tool. It returns an error if the name is empty or another tool has it,
// ignoring case.
func (r *Registry) Add(c Callable) error { return r.AddLimited(c, 0) }

// AddServer adds a server, whose tools [Registry.Connect] adds.
func (r *Registry) AddServer(c Connection, limit int) {
	r.remote = append(r.remote, server{c, limit})
}

// AddLimited is [Registry.Add] with a limit for the tool's results in bytes; 0: the
// registry's.
func (r *Registry) AddLimited(c Callable, limit int) error { return r.add(c, limit, false) }

// AddHidden adds a tool that can be called by its name, but that neither [Registry.List] nor a
// message names: an agent learns of it from a search for tools.
func (r *Registry) AddHidden(c Callable) error { return r.add(c, 0, true) }

// HasHidden reports whether an agent can call tools that are not listed.
func (r *Registry) HasHidden() bool {
	return slices.ContainsFunc(r.tools, func(e entry) bool { return e.hidden })
}

func (r *Registry) add(c Callable, limit int, hidden bool) error {
	compile := sync.OnceValues(func() (*schema.Checker, error) { return schema.Compile(c.Schema()) })
	return r.addEntry(entry{c, limit, hidden, compile})
}

// addEntry adds a tool that may belong to another registry, which has compiled its schema.
func (r *Registry) addEntry(e entry) error {
	if e.Name() == "" {
		return source.NewError("tool.name", "a tool needs a name")
	}
	for _, have := range r.tools {
		if strings.EqualFold(have.Name(), e.Name()) {
			return source.NewError("tool.name", fmt.Sprintf("duplicate tool name %q; rename one of the tools", e.Name()))
		}
	}
	if r.only != nil && !e.hidden && !hasFold(r.only, e.Name()) {
		return nil
	}
	if r.wrap != nil {
		e.Callable = r.wrap(e.Callable)
	}
	r.tools = append(r.tools, e)
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

// Restricted returns a registry with only the named tools, each wrapped. It has the servers
// only if a named tool is missing without them.
func (r *Registry) Restricted(names []string, wrap func(Callable) Callable) *Registry {
	out := &Registry{Limit: r.Limit, only: append([]string{}, names...), wrap: wrap}
	for _, e := range r.tools {
		_ = out.addEntry(e) // names are unique already
	}
	if first := r.wrap; first != nil {
		out.wrap = func(c Callable) Callable { return wrap(first(c)) }
	}
	if len(out.List()) < len(names) {
		out.remote = r.remote
	}
	return out
}

// Wrapped returns a registry with the same tools and servers, each tool wrapped.
func (r *Registry) Wrapped(wrap func(Callable) Callable) *Registry {
	out := &Registry{Limit: r.Limit, remote: r.remote, only: r.only, wrap: wrap}
	if first := r.wrap; first != nil {
		out.wrap = func(c Callable) Callable { return wrap(first(c)) }
	}
	for _, e := range r.tools {
		e.Callable = wrap(e.Callable)
		out.tools = append(out.tools, e)
	}
	return out
}

// List returns the tools that are not hidden.
func (r *Registry) List() (out []Callable) {
	for _, e := range r.tools {
		if !e.hidden {
			out = append(out, e.Callable)
		}
	}
	return out
}

// Find returns the tool with a name. It ignores case, spaces, hyphens and underscores,
// which models mix up. The error is a [*CallFault] that lists the known tools.
func (r *Registry) Find(name string) (Callable, error) {
	e, err := r.find(name)
	if err != nil {
		return nil, err
	}
	return e.Callable, nil
}

func (r *Registry) find(name string) (*entry, error) {
	name = strings.TrimSpace(name)
	names := make([]string, len(r.tools))
	for i, c := range r.tools {
		if names[i] = c.Name(); names[i] == name {
			return &r.tools[i], nil
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
		return &r.tools[found], nil
	}
	names = names[:0]
	for _, c := range r.List() {
		names = append(names, c.Name())
	}
	message := fmt.Sprintf("unknown tool %q", phrase.Shorten(name, 60))
	if near := phrase.Nearest(name, names); near != "" {
		message += fmt.Sprintf("; did you mean %s?", near)
	}
	if len(names) == 0 {
		return nil, Faultf(CodeUnknown, "%s; no tools are declared", message)
	}
	return nil, Faultf(CodeUnknown, "%s (expected %s)", message, strings.Join(names, ", "))
}

// plainName removes the differences that [Registry.Find] ignores.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == ' ' || c == '_' || c == '-' {
			return -1
		}
		return c
	}, strings.ToLower(name))
}

// Connect adds the tools of every server. A server that cannot be reached is reported as a
// fault; the other tools are still added. Parts of their schemas that no call is checked against are
// faults, too. The error is a limit of the process.
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
	for _, s := range r.remote {
		tools, err := s.Connect(env)
		if err != nil {
			if err = report(s.Name(), err); err != nil {
				return faults, err
			}
		}
		before := len(r.tools)
		for _, c := range tools {
			if err := r.AddLimited(c, s.limit); err != nil {
				if err = report(s.Name(), err); err != nil {
					return faults, err
				}
			}
		}
		for _, e := range r.tools[before:] {
			if checker, err := e.checker(); err == nil && len(checker.Unchecked) > 0 {
				_ = report(s.Name(), Unchecked(e.Name(), checker))
			}
		}
	}
	return faults, nil
}

// Close ends the sessions with servers without waiting for their answers.
func (r *Registry) Close(env *process.Env) {
	for _, s := range r.remote {
		s.Close(env)
	}
}

// Run checks the arguments and calls a tool by name. The error is a limit of the process; every
// other failure is in the result, as a text for the model and as a fault for the log.
func (r *Registry) Run(env *process.Env, name string, arguments json.RawMessage) (Result, error) {
	return r.run(env, name, func(string, *schema.Checker) (json.RawMessage, error) {
		if len(strings.TrimSpace(string(arguments))) == 0 {
			return json.RawMessage("{}"), nil
		}
		return arguments, nil
	})
}

// RunText is [Registry.Run] with the text that an agent wrote as the input (see [schema.Checker.Arguments]).
func (r *Registry) RunText(env *process.Env, name, input string) (Result, error) {
	return r.run(env, name, func(name string, c *schema.Checker) (json.RawMessage, error) { return c.Arguments(name, input) })
}

func (r *Registry) run(env *process.Env, name string, arguments func(string, *schema.Checker) (json.RawMessage, error)) (Result, error) {
	e, err := r.find(name)
	if err != nil {
		return failedResult(strings.TrimSpace(name), err)
	}
	text, err := e.call(env, arguments)
	if err != nil {
		return failedResult(e.Name(), err)
	}
	limit := e.limit
	if limit == 0 {
		limit = r.Limit
	}
	result := Result{Tool: e.Name()}
	result.Text, result.Left = Cut(text, limit)
	if strings.TrimSpace(result.Text) == "" {
		result.Text = "(nothing)"
	}
	return result, nil
}

func (e *entry) call(env *process.Env, arguments func(string, *schema.Checker) (json.RawMessage, error)) (string, error) {
	checker, err := e.checker()
	if err != nil {
		return "", schemaFault(err)
	}
	given, err := arguments(e.Name(), checker)
	if err == nil {
		err = checker.Validate(given)
	}
	if err != nil {
		return "", schemaFault(err)
	}
	return e.Call(env, given)
}

// maxFault bounds the message of a fault in the model's context, in bytes.
const maxFault = 1_000

// failedResult converts a fault to a result; the process's errors stay errors.
func failedResult(tool string, err error) (Result, error) {
	var fault *CallFault
	if !errors.As(err, &fault) {
		return Result{Tool: tool}, err
	}
	text, left := Cut("Error: "+fault.Message, maxFault)
	return Result{Tool: tool, Text: text, Left: left, Err: fault}, nil
}
