package tool

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// AgentToolsFile is the file of a workspace that declares the tools of its agents.
const AgentToolsFile = "agent-tools.json"

// Declaration is what an agent-tools.json declares:
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
// Every tool may have a "limit", the bytes of a result that a model is given.
// "auth" names an endpoint whose key the host adds, "authHeader" the header that it
// goes into. A Declaration does not change; each run has a [Registry] of its own.
type Declaration struct {
	limit   int
	entries []entry
}

// entry is one declared kind of tool.
type entry struct {
	limit      int
	calculator string // the name
	wikipedia  *Wikipedia
	person     *Person
	mcp        *MCP
	http       *httpEntry
}

// httpEntry is a description that stands in the declaration or in a file.
type httpEntry struct {
	remote     Remote
	server     string // in the place of the description's
	file       string
	at         *node // of the file's name, or of the description
	only       []*node
	operations []*operationTool
}

// ParseAgentTools reads an agent-tools.json. It returns a declaration of what it
// understood, nil where the text is no JSON, and every problem it met. Descriptions
// in other files are read by [Declaration.Load].
func ParseAgentTools(file *source.File) (*Declaration, []source.Diagnostic) {
	if found := file.Check(); len(found) > 0 {
		return nil, found
	}
	tree, fault := readTree(file.Text, "agent-tools.json")
	if fault != nil {
		return nil, []source.Diagnostic{*fault}
	}
	p := &agentParser{parser: &parser{}, d: &Declaration{}, names: map[string]bool{}}
	if p.object(tree, AgentToolsFile+" is an object", "limit", "tools") {
		p.declaration(tree)
	}
	source.Sort(p.found)
	return p.d, p.found
}

// Load reads the descriptions that are files of the workspace. The diagnostics are
// about the agent-tools.json and name the file.
func (d *Declaration) Load(open func(name string) (text string, ok bool)) []source.Diagnostic {
	p := &agentParser{parser: &parser{}, d: d, names: map[string]bool{}}
	for i := range d.entries {
		e := &d.entries[i]
		if e.http == nil || e.http.file == "" {
			p.taken(e, absent)
			continue
		}
		text, ok := open(e.http.file)
		report := func(_ *node, code, message string) {
			p.errorAt(e.http.at, code, fmt.Sprintf("%q: %s", e.http.file, message))
		}
		switch trimmed := strings.TrimSpace(text); {
		case !ok:
			p.errorAt(e.http.at, "agent-tools.file", fmt.Sprintf("there is no file %q in the workspace", e.http.file))
			continue
		case !strings.HasPrefix(trimmed, "{"):
			report(absent, "agent-tools.yaml", "only descriptions in JSON are read, not YAML; convert it first")
			continue
		}
		tree, fault := readTree(text, "")
		if fault != nil {
			report(absent, "agent-tools.file", "it is no JSON: "+fault.Message)
			continue
		}
		e.http.read(tree, report)
		p.taken(e, e.http.at)
	}
	source.Sort(p.found)
	return p.found
}

// Names returns the tools' names, but for those of servers that have to be asked.
func (d *Declaration) Names() []string {
	var out []string
	for _, e := range d.entries {
		for _, c := range e.callables() {
			out = append(out, c.Name())
		}
	}
	return out
}

// Servers returns how many servers have to be asked for the names of their tools.
func (d *Declaration) Servers() int {
	n := 0
	for _, e := range d.entries {
		if e.mcp != nil {
			n++
		}
	}
	return n
}

// Registry returns the tools for a new run. Those of MCP servers are there after
// [Registry.Connect]. Of two tools with one name the first is taken: the
// diagnostics have said so.
func (d *Declaration) Registry() *Registry {
	r := &Registry{Limit: d.limit}
	for _, e := range d.entries {
		for _, c := range e.callables() {
			_ = r.addLimited(c, e.limit)
		}
		if e.mcp != nil {
			r.waits = append(r.waits, &limited{&mcpServer{MCP: *e.mcp}, e.limit})
		}
	}
	return r
}

// limited is a server with a limit of its own for results.
type limited struct {
	*mcpServer
	limit int
}

func (l *limited) limitOf() int { return l.limit }

func (e entry) callables() []Callable {
	var out []Callable
	switch {
	case e.calculator != "":
		if c := NewCalculator(e.calculator); c != nil {
			out = append(out, c)
		}
	case e.wikipedia != nil:
		search, lookup := NewWikipedia(*e.wikipedia)
		out = append(out, search, lookup)
	case e.person != nil:
		out = append(out, NewPerson(*e.person))
	case e.http != nil:
		for _, t := range e.http.operations {
			out = append(out, t)
		}
	}
	return out
}

// read makes tools of a description.
func (h *httpEntry) read(root *node, report func(at *node, code, message string)) {
	d := &description{root: root, report: report}
	if version := root.TextOf("swagger"); version != "" {
		report(root, "agent-tools.openapi", "this is Swagger "+version+"; only OpenAPI 3 is read")
		return
	}
	url, at := d.server()
	if h.server != "" {
		url, at = h.server, h.at
	}
	if said := checkURL(url); said != "" {
		report(at, "agent-tools.address", fmt.Sprintf(`the server's address %q cannot be used: %s; write "server": "https://…"`, url, said))
		return
	}
	h.remote.URL = url
	wanted := map[string]bool{}
	h.operations = d.tools(h.remote, func(name string) bool {
		for _, n := range h.only {
			if n.Text == name {
				wanted[name] = true
				return true
			}
		}
		return len(h.only) == 0
	})
	for _, n := range h.only {
		if !wanted[n.Text] {
			report(n, "agent-tools.only", fmt.Sprintf("there is no operation %q", n.Text))
		}
	}
}

// agentParser reads an agent-tools.json.
type agentParser struct {
	*parser
	d     *Declaration
	names map[string]bool // taken, in lower case
}

// kinds of tools.
const (
	kindCalculator = "calculator"
	kindWikipedia  = "wikipedia"
	kindHTTP       = "http"
	kindMCP        = "mcp"
	kindPerson     = "person"
)

func (p *agentParser) declaration(n *node) {
	p.d.limit = p.count(n, "limit", 200, 1_000_000)
	tools, ok := n.Get("tools")
	switch {
	case !ok:
		p.errorAt(n, "agent-tools.none", `there are no "tools"`)
		return
	case tools.Kind != '[':
		p.errorAt(tools, "tools.shape", `"tools" is a list: [{"calculator": {}}, …]`)
		return
	case len(tools.Items) > maxOperations:
		p.errorAt(tools, "agent-tools.many", fmt.Sprintf("at most %d tools are declared", maxOperations))
		return
	}
	for _, item := range tools.Items {
		p.entry(item)
	}
}

func (p *agentParser) entry(n *node) {
	const form = `a tool is an object with one kind: {"calculator": {}}, {"wikipedia": {}}, {"http": {…}}, {"mcp": {"url": …}} or {"person": {}}`
	if !p.object(n, form, kindCalculator, kindWikipedia, kindHTTP, kindMCP, kindPerson) {
		return
	}
	if len(n.Members) != 1 {
		p.errorAt(n, "agent-tools.kind", form)
		return
	}
	m := n.Members[0]
	e := entry{}
	switch m.Key {
	case kindCalculator:
		if p.object(m.Value, "a calculator is an object", "name", "limit") {
			if e.calculator = p.text(m.Value, "name"); e.calculator == "" {
				e.calculator = "Calculator"
			}
		}
	case kindWikipedia:
		e.wikipedia = p.wikipedia(m.Value)
	case kindHTTP:
		e.http = p.http(m.Value)
	case kindMCP:
		e.mcp = p.mcp(m.Value)
	case kindPerson:
		if p.object(m.Value, "a person is an object", "name", "description", "prompt", "choices", "limit") {
			e.person = &Person{Label: p.text(m.Value, "name"), About: p.text(m.Value, "description"), Prompt: p.text(m.Value, "prompt"), Choices: p.texts(m.Value, "choices")}
		}
	default:
		return // said as a field that is not known
	}
	e.limit = p.count(m.Value, "limit", 200, 1_000_000)
	p.taken(&e, m.Value)
	p.d.entries = append(p.d.entries, e)
}

// taken reports tools whose names are taken.
func (p *agentParser) taken(e *entry, at *node) {
	for _, c := range e.callables() {
		name := strings.ToLower(c.Name())
		if p.names[name] && at.Kind != 0 {
			p.errorAt(at, "agent-tools.name", fmt.Sprintf("there is a tool named %q already; give this one another name", c.Name()))
		}
		p.names[name] = true
	}
}

// count reads a whole number that may be missing.
func (p *agentParser) count(n *node, key string, least, most int) int {
	v, ok := n.Get(key)
	if !ok {
		return 0
	}
	number, err := strconv.Atoi(v.Text)
	if v.Kind != '0' || err != nil || number < least || number > most {
		p.errorAt(v, "agent-tools.number", fmt.Sprintf("%q is a whole number from %d to %d", key, least, most))
		return 0
	}
	return number
}

// remote reads where a server is; key is the member with its address.
func (p *agentParser) remote(n *node, key string) Remote {
	r := Remote{URL: p.text(n, key), Auth: p.text(n, "auth"), AuthHeader: p.text(n, "authHeader"), Idle: p.count(n, "idle", 1_000, 600_000)}
	if at, ok := n.Get(key); ok && at.Kind == '"' {
		if said := checkURL(r.URL); said != "" {
			p.errorAt(at, "agent-tools.address", said)
		}
	}
	if at, ok := n.Get("authHeader"); ok && (r.Auth == "" || !isHeader(r.AuthHeader)) {
		p.errorAt(at, "agent-tools.auth", `"authHeader" is the name of the header that the key of "auth" goes into`)
		r.AuthHeader = ""
	}
	return r
}

// isHeader reports whether a text can be a header's name.
func isHeader(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; !isWord(c) && c != '_' {
			return false
		}
	}
	return name != ""
}

func (p *agentParser) wikipedia(n *node) *Wikipedia {
	if !p.object(n, `Wikipedia is an object: {} or {"lang": "de"}`, "api", "lang", "search", "lookup", "sentences", "similar", "html", "auth", "authHeader", "idle", "limit") {
		return nil
	}
	w := &Wikipedia{
		Remote: p.remote(n, "api"), Search: p.text(n, "search"), Lookup: p.text(n, "lookup"),
		Sentences: p.count(n, "sentences", 1, 50), Similar: p.count(n, "similar", 1, 20),
	}
	html, _ := n.Get("html")
	w.HTML = html.Kind == 't'
	if language, ok := n.Get("lang"); ok {
		if !isHeader(language.Text) || len(language.Text) > 20 {
			p.errorAt(language, "agent-tools.language", `a language is written as in the address of its Wikipedia: "en", "de", "zh-yue"`)
		} else if w.URL == "" {
			w.URL = WikipediaURL(language.Text)
		}
	}
	return w
}

func (p *agentParser) mcp(n *node) *MCP {
	if !p.object(n, `an MCP server is an object: {"url": "http://localhost:3001/mcp"}`, "url", "auth", "authHeader", "idle", "deadline", "prefix", "only", "limit") {
		return nil
	}
	m := &MCP{Remote: p.remote(n, "url"), Prefix: p.text(n, "prefix"), Only: p.texts(n, "only"), Deadline: p.count(n, "deadline", 1_000, 3_600_000)}
	if m.URL == "" {
		p.errorAt(n, "agent-tools.address", `an MCP server has a "url", such as "http://localhost:3001/mcp"`)
		return nil
	}
	if checkURL(m.URL) != "" {
		return nil
	}
	return m
}

func (p *agentParser) http(n *node) *httpEntry {
	if !p.object(n, `an HTTP tool is an OpenAPI 3 description, or {"file": "description.json"}`) {
		return nil
	}
	known := strings.Fields("file server auth authHeader idle only limit openapi info servers paths components tags security externalDocs webhooks jsonSchemaDialect swagger")
	for _, m := range n.Members {
		if !contains(known, m.Key) && !strings.HasPrefix(m.Key, "x-") {
			d := source.Diagnostic{Code: "tools.field", Span: span(m.At), Message: fmt.Sprintf("there is no field %q here", m.Key)}
			p.nearest(&d, m.Key, known)
			p.report(d)
		}
	}
	h := &httpEntry{remote: p.remote(n, "server"), file: p.text(n, "file"), only: p.textNodes(n, "only"), at: n}
	h.server = h.remote.URL
	if h.file != "" {
		h.at, _ = n.Get("file")
		return h
	}
	h.read(n, p.errorAt)
	return h
}
