// Package agenttools reads the file agent-tools.json, which declares the tools of agents, and
// creates the tools for a run.
//
// Only [Declaration.Registry] refers to the code that executes tools, so a program that
// merely checks declarations does not contain it.
package agenttools

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/calculator"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/mcp"
	"github.com/stile-playground/stile/core/tool/openapi"
	"github.com/stile-playground/stile/core/tool/schema"
	"github.com/stile-playground/stile/core/tool/web"
)

// File is the name of the file that declares the tools of agents.
const File = "agent-tools.json"

// Declaration is the content of an agent-tools.json:
//
//	{
//	  "limit": 8192,
//	  "tools": [
//	    {"calculator": {}},
//	    {"wikipedia": {"lang": "en"}},
//	    {"http": {"servers": [{"url": "https://api.example.org"}], "paths": {"/forecast": {"get": {…}}}, "auth": "weather"}},
//	    {"http": {"file": "pets.openapi.json", "only": ["listPets"]}},
//	    {"mcp": {"url": "http://localhost:3001/mcp", "prefix": "memory_"}},
//	    {"person": {"name": "Ask", "description": "Asks the user."}}
//	  ]
//	}
//
// Every tool may have a "limit" for its results in bytes. "auth" names an endpoint whose key
// the host adds to requests, and "authHeader" names the header for this key. A Declaration is
// immutable; each run has its own [tool.Registry].
type Declaration struct {
	limit   int
	entries []entry
}

// entry is one declared kind of tool.
type entry struct {
	limit      int
	calculator string // the name
	wikipedia  *web.Wikipedia
	person     *tool.Person
	mcp        *mcp.Server
	http       *httpEntry
}

// httpEntry is an OpenAPI description, in the declaration or in a file.
type httpEntry struct {
	remote     web.Remote
	server     string // replaces the description's server, if not empty
	file       string
	at         *json.Node // node of the file's name or of the description, for diagnostics
	only       []*json.Node
	operations []*openapi.Operation
}

// Parse reads an agent-tools.json. It returns the valid part of the declaration, nil if the
// text is not JSON, and all diagnostics. [Declaration.Load] reads descriptions in other
// files.
func Parse(file *source.File) (*Declaration, []source.Diagnostic) {
	if found := file.Check(); len(found) > 0 {
		return nil, found
	}
	tree, fault := jsonfile.Read(file.Text, "agent-tools.json")
	if fault != nil {
		return nil, []source.Diagnostic{*fault}
	}
	p := &parser{d: &Declaration{}, names: map[string]bool{}}
	if p.Object(tree, "expected an object", "limit", "tools") {
		p.declaration(tree)
	}
	source.Sort(p.Found)
	return p.d, p.Found
}

// Load reads the descriptions in other files. The diagnostics refer to the agent-tools.json
// and name the file.
func (d *Declaration) Load(open func(name string) (text string, ok bool)) []source.Diagnostic {
	p := &parser{d: d, names: map[string]bool{}}
	for i := range d.entries {
		e := &d.entries[i]
		if e.http == nil || e.http.file == "" {
			p.checkNames(e, jsonfile.Absent)
			continue
		}
		text, ok := open(e.http.file)
		report := func(_ *json.Node, code, message string) {
			p.Error(e.http.at, code, fmt.Sprintf("%q: %s", e.http.file, message))
		}
		switch trimmed := strings.TrimSpace(text); {
		case !ok:
			p.Error(e.http.at, "agent-tools.file", fmt.Sprintf("unknown file %q in the workspace", e.http.file))
			continue
		case !strings.HasPrefix(trimmed, "{"):
			report(jsonfile.Absent, "agent-tools.yaml", "expected a description in JSON, not YAML; convert the file")
			continue
		}
		tree, fault := jsonfile.Read(text, "")
		if fault != nil {
			report(jsonfile.Absent, "agent-tools.file", "invalid JSON: "+fault.Message)
			continue
		}
		e.http.read(tree, report)
		p.checkNames(e, e.http.at)
	}
	for _, e := range d.entries {
		if e.http != nil {
			p.unchecked(e.http)
		}
	}
	source.Sort(p.Found)
	return p.Found
}

// Names returns the names of the tools, except those that a server lists at run time.
func (d *Declaration) Names() []string {
	var out []string
	for _, e := range d.entries {
		out = append(out, e.names()...)
	}
	return out
}

// Servers returns the number of servers that list their tools at run time.
func (d *Declaration) Servers() int { return len(d.MCP()) }

// MCP returns the servers that list their tools at run time.
func (d *Declaration) MCP() (out []mcp.Server) {
	for _, e := range d.entries {
		if e.mcp != nil {
			out = append(out, *e.mcp)
		}
	}
	return out
}

// Registry returns the tools for a new run. [tool.Registry.Connect] adds those of MCP
// servers. Parse reports two tools with the same name; the registry contains the first of
// them.
func (d *Declaration) Registry() *tool.Registry {
	r := &tool.Registry{Limit: d.limit}
	for _, e := range d.entries {
		for _, c := range e.callables() {
			_ = r.AddLimited(c, e.limit)
		}
		if e.mcp != nil {
			r.AddServer(mcp.New(*e.mcp), e.limit)
		}
	}
	return r
}

// names returns the names of the tools that [entry.callables] creates.
func (e entry) names() []string {
	switch {
	case e.calculator != "":
		return []string{e.calculator}
	case e.wikipedia != nil:
		w := e.wikipedia.Filled()
		return []string{w.Search, w.Lookup}
	case e.person != nil:
		return []string{e.person.Name()}
	case e.http != nil:
		var out []string
		for _, t := range e.http.operations {
			out = append(out, t.Name())
		}
		return out
	}
	return nil
}

// callables creates the tools of an entry, except a server's.
func (e entry) callables() []tool.Callable {
	var out []tool.Callable
	switch {
	case e.calculator != "":
		out = append(out, calculator.New(e.calculator))
	case e.wikipedia != nil:
		search, lookup := web.NewWikipedia(*e.wikipedia)
		out = append(out, search, lookup)
	case e.person != nil:
		out = append(out, tool.NewPerson(*e.person))
	case e.http != nil:
		for _, t := range e.http.operations {
			out = append(out, t)
		}
	}
	return out
}

// read reads the operations of a description.
func (h *httpEntry) read(root *json.Node, report func(at *json.Node, code, message string)) {
	if version := root.TextOf("swagger"); version != "" {
		report(root, "agent-tools.openapi", "unsupported Swagger "+version+"; expected OpenAPI 3")
		return
	}
	url, at := openapi.Server(root)
	if h.server != "" {
		url, at = h.server, h.at
	}
	if said := web.CheckURL(url); said != "" {
		report(at, "agent-tools.address", fmt.Sprintf(`invalid address %q of the server: %s; write "server": "https://…"`, url, said))
		return
	}
	h.remote.URL = url
	wanted := map[string]bool{}
	h.operations = openapi.Operations(root, h.remote, func(name string) bool {
		for _, n := range h.only {
			if n.Text == name {
				wanted[name] = true
				return true
			}
		}
		return len(h.only) == 0
	}, report)
	for _, n := range h.only {
		if !wanted[n.Text] {
			report(n, "agent-tools.only", fmt.Sprintf("unknown operation %q", n.Text))
		}
	}
}

// unchecked reports the operations whose calls are not checked against their whole schema.
func (p *parser) unchecked(h *httpEntry) {
	for _, t := range h.operations {
		if checker, err := schema.Compile(t.Schema()); err == nil && len(checker.Unchecked) > 0 {
			message := tool.Unchecked(t.Name(), checker).Message
			p.Report(source.Diagnostic{Code: "agent-tools.unchecked", Severity: source.SeverityWarning, Span: jsonfile.Span(h.at.At), Message: message})
		}
	}
}
