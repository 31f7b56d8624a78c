// Package session provides the façade of the core: one request in, one reply out,
// and the runs that are in progress in between.
//
// The protocol (version 1) is JSON over bytes. A request is
//
//	{"id": 7, "method": "grammar.next", "params": {…}}
//
// and its reply, always exactly one, either
//
//	{"id": 7, "result": {…}}
//	{"id": 7, "error": {"code": "limit.states", "message": "…", "diagnostics": […]}}
//
// Every method is a row of [Methods]; the types of its row are the
// documentation of its shape, and the page's types are generated from them. All
// methods except run.* and rules.trace are functions of their parameters: the page keeps
// the text, so the loss of a module loses nothing but the runs in progress.
package session

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Version is the version of the protocol.
const Version = 1

// MaxRequest bounds a request in bytes: it exceeds the largest workspace with its
// escapes.
const MaxRequest = 64 << 20

// Session answers requests. Its zero value is not ready; use [New]. It is not
// safe for use by several goroutines.
type Session struct {
	table   Table
	methods map[string]Method
	runs    map[int]*run
	lastRun int
	replied map[string]int    // length of the last reply in bytes, by method
	guards  map[[2]string]any // compiled guards, by specification and properties
	tested  map[string]any    // compiled specs of backtests, by their files
	tables  any               // *ruleTables; a map of methods makes the linker keep the types of a session's fields
}

// maxRoom caps the initial capacity of a reply buffer in bytes.
const maxRoom = 256 << 10

// New returns a session of the complete core with no run in progress.
func New() *Session { return With(Full()) }

// With returns a session that answers the methods of a table.
func With(t Table) *Session {
	s := &Session{table: t, methods: map[string]Method{}, runs: map[int]*run{}, replied: map[string]int{}}
	for _, m := range t.Methods {
		s.methods[m.Name] = m
	}
	return s
}

// project is a workspace with the notations of its files.
type project struct {
	workspace.Workspace
	table notation.Table
}

// Main returns the name of the file to open first.
func (p project) Main() string { return p.table.Main(p.Files) }

func (s *Session) project(files []File) project {
	return project{workspace.Workspace{Files: files}, s.table.Notations}
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type reply struct {
	ID     json.RawMessage `json:"id"`
	Result any             `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// Error is the error of a reply.
type Error struct {
	Code        string       `json:"code"`
	Message     string       `json:"message"`
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	// Without lists the properties that cannot be judged; the setting "without" excludes them.
	Without []string `json:"without,omitempty"`
}

// Handle answers one request. It never panics, and always returns a reply of the
// protocol, in UTF-8, without a line break.
func (s *Session) Handle(requestText []byte) (replyText []byte) {
	id := json.RawMessage("null")
	defer func() {
		if r := recover(); r != nil {
			replyText = encode(reply{ID: id, Error: &Error{Code: "internal", Message: fmt.Sprintf("internal fault: %v; please report it with the text that caused it", r)}})
		}
	}()
	if fault := checkRequest(requestText); fault != nil {
		return encode(reply{ID: id, Error: fault})
	}
	var req request
	if err := json.Unmarshal(requestText, &req); err != nil {
		return encode(reply{ID: id, Error: &Error{Code: "protocol.json", Message: "the request is not a JSON object of the protocol: " + jsonFault(requestText, err)}})
	}
	if len(req.ID) > 0 {
		id = req.ID
	}
	m, ok := s.methods[req.Method]
	if !ok {
		return encode(reply{ID: id, Error: s.unknownMethod(req.Method)})
	}
	result, err := m.call(s, req.Params)
	if err != nil {
		return encode(reply{ID: id, Error: wireError(err)})
	}
	// Replies of one method tend to have similar lengths.
	last := s.replied[req.Method]
	replyText = encodeTo(make([]byte, 0, last+last/8), reply{ID: id, Result: result})
	s.replied[req.Method] = min(len(replyText), maxRoom)
	return replyText
}

func checkRequest(text []byte) *Error {
	if len(text) > MaxRequest {
		return &Error{Code: "limit.request", Message: "the request is larger than 64 MiB"}
	}
	if !utf8.Valid(text) {
		at := 0
		for rest := text; ; {
			r, size := utf8.DecodeRune(rest)
			if r == utf8.RuneError && size <= 1 {
				break
			}
			at, rest = at+size, rest[size:]
		}
		return &Error{Code: "source.utf8", Message: "the request is not UTF-8: byte " + strconv.Itoa(at+1) + " is wrong"}
	}
	return nil
}

// codeMethod is the error code for a method that a module lacks. If the core module returns it, the
// page fetches the full module.
const codeMethod = "protocol.method"

func (s *Session) unknownMethod(name string) *Error {
	var names []string
	for _, m := range s.table.Methods {
		names = append(names, m.Name)
	}
	message := "unknown method " + strconv.Quote(name)
	if near := source.Nearest(name, names); near != "" {
		message += "; did you mean " + near + "?"
	}
	return &Error{Code: codeMethod, Message: message}
}

// decodeParams decodes parameters strictly, because a misspelt field would otherwise be
// ignored silently.
func decodeParams(raw []byte, into any) error {
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	if err := json.UnmarshalStrict(raw, into); err != nil {
		return source.NewError("protocol.params", "invalid parameters: "+jsonFault(raw, err))
	}
	return nil
}

func jsonFault(text []byte, err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("%s (at byte %d of %d)", syntax.Message, syntax.Offset+1, len(text))
	}
	return err.Error()
}

// encode marshals a reply. All replies marshal; if one does not, the caller's recover
// converts the panic to an internal error.
func encode(r reply) []byte { return encodeTo(nil, r) }

func encodeTo(b []byte, r reply) []byte {
	text, err := json.Append(b, r)
	if err != nil {
		panic(err)
	}
	return text
}

// wireError turns an error of the core into the protocol's.
func wireError(err error) *Error {
	out := &Error{Code: errorCode(err), Message: err.Error()}
	var fault *source.Error
	if errors.As(err, &fault) && fault.File != nil {
		out.Diagnostics = wireDiagnostics(fault.File, fault.Diagnostics)
		out.Without = fault.Names
	}
	return out
}

// errorCode returns the code of an error; "internal" for one that has none.
func errorCode(err error) string {
	if errors.Is(err, meter.ErrCancelled) {
		return "cancelled"
	}
	return source.ErrorCode(err)
}
