package tool

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool/phrase"
	"github.com/stile-playground/stile/core/tool/schema"
)

// Callable is a tool that an agent can call during a run. A Callable belongs to one run,
// so it may keep state between calls. Tasks of the run may call it concurrently, each with
// its own env.
type Callable interface {
	Name() string
	Description() string     // for the model
	Schema() json.RawMessage // the JSON Schema of the arguments, which are an object
	// Call executes the tool with arguments that its schema allows. The error is a
	// [*CallFault], or the process's error if the run was stopped or exceeded a budget.
	Call(env *process.Env, arguments json.RawMessage) (text string, err error)
}

// Codes of faults. A host's [process.EffectError] has its own code with the prefix "tool.":
// network, cors, mixed-content, offline, local-network, timeout, aborted.
const (
	CodeUnknown    = "tool.unknown"    // no tool has that name
	CodeArguments  = "tool.arguments"  // the arguments do not match the schema
	CodeUnchecked  = "tool.unchecked"  // parts of a schema are not checked
	CodeExpression = "tool.expression" // the calculator cannot evaluate the expression
	CodeLookup     = "tool.lookup"     // no page to look up in
	CodeKey        = "tool.key"        // the server rejects the key
	CodeRate       = "tool.rate"       // the server limits the rate of requests
	CodeMoved      = "tool.moved"      // the server redirects
	CodeStatus     = "tool.status"     // the server answered with an error status
	CodeAnswer     = "tool.answer"     // the answer has an unexpected format
	CodeLong       = "tool.long"       // the answer exceeds a size limit
	CodeProtocol   = "tool.protocol"   // an MCP server violates the protocol or uses an unsupported revision
	CodeRemote     = "tool.remote"     // an MCP server reports that the request failed
	CodeFailed     = "tool.failed"     // an MCP tool reports that it failed
)

// CallFault reports why a call returned no result: a code for the log, and a message that lets the
// model correct the call.
type CallFault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Transient reports whether the same call may succeed later.
	Transient bool `json:"transient,omitempty"`
}

// Error returns the message.
func (f *CallFault) Error() string { return f.Message }

// Faultf returns a fault with a formatted message.
func Faultf(code, format string, args ...any) *CallFault {
	return &CallFault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// DefaultLimit is the default maximum of a tool's result in bytes. It is about two thousand
// tokens, so several results fit in any model's context window.
const DefaultLimit = 8 << 10

// Result is the outcome of a call.
type Result struct {
	Tool string     `json:"tool"`           // the registered name; of an unknown tool the requested name
	Text string     `json:"text"`           // for the model, also of a failed call
	Left int        `json:"left,omitempty"` // bytes cut off from Text
	Err  *CallFault `json:"fault,omitempty"`
}

// Cut shortens a text to at most limit bytes (0: [DefaultLimit]) and appends a note with
// the number of bytes that it cut off. It cuts between characters, at the end of a word if
// one is near.
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
	return fmt.Sprintf("%s … (%s more left out)", strings.TrimRight(text[:at], " \n"), phrase.Bytes(left)), left
}

// HostFault converts an error that a host reports for a request to who. Other errors are
// the process's and are returned as they are.
func HostFault(who string, err error) error {
	var effect *process.EffectError
	if !errors.As(err, &effect) {
		return err
	}
	said := strings.TrimRight(effect.Message, ". ")
	switch effect.Code {
	case "cors":
		said += "; the server must allow this page with Access-Control-Allow-Origin"
	case "mixed-content":
		said += "; use an address that begins with https://, or a tunnel to localhost"
	case "timeout":
		said += "; try again later or ask for less"
	}
	fault := Faultf("tool."+effect.Code, "%s could not be reached: %s", who, said)
	switch effect.Code {
	case "network", "offline", "timeout", "cut", process.CodeInterrupted:
		fault.Transient = true
	}
	return fault
}

// Validate checks arguments against a JSON Schema. The error is a [*CallFault] that names
// the place of the mismatch: "arguments.q: is missing".
func Validate(schemaText, arguments json.RawMessage) error {
	checker, err := schema.Compile(schemaText)
	if err == nil {
		err = checker.Validate(arguments)
	}
	return schemaFault(err)
}

// Unchecked returns the fault that calls of a tool are not checked against parts of its schema.
func Unchecked(name string, c *schema.Checker) *CallFault {
	return Faultf(CodeUnchecked, "calls of %s are not checked against parts of its schema: %s", name, phrase.Shorten(strings.Join(c.Unchecked, "; "), 400))
}

func schemaFault(err error) error {
	var mismatch *schema.Error
	switch {
	case !errors.As(err, &mismatch):
		return err
	case mismatch.Schema:
		return &CallFault{Code: CodeProtocol, Message: mismatch.Message}
	}
	return &CallFault{Code: CodeArguments, Message: mismatch.Message}
}
