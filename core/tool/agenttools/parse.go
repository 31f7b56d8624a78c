package agenttools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/mcp"
	"github.com/stile-playground/stile/core/tool/openapi"
	"github.com/stile-playground/stile/core/tool/web"
)

// parser reads an agent-tools.json.
type parser struct {
	jsonfile.Reader
	d     *Declaration
	names map[string]bool // of the tools read so far, in lower case
}

// The kinds of tools.
const (
	kindCalculator = "calculator"
	kindWikipedia  = "wikipedia"
	kindHTTP       = "http"
	kindMCP        = "mcp"
	kindPerson     = "person"
)

func (p *parser) declaration(n *json.Node) {
	p.d.limit = p.count(n, "limit", 200, 1_000_000)
	tools, ok := n.Get("tools")
	switch {
	case !ok:
		p.Error(n, "agent-tools.none", `missing "tools"`)
		return
	case tools.Kind != '[':
		p.Error(tools, "tools.shape", `"tools" must be a list: [{"calculator": {}}, …]`)
		return
	case len(tools.Items) > openapi.MaxOperations:
		p.Error(tools, "agent-tools.many", fmt.Sprintf("too many tools; the maximum is %d", openapi.MaxOperations))
		return
	}
	for _, item := range tools.Items {
		p.entry(item)
	}
}

func (p *parser) entry(n *json.Node) {
	const form = `expected a tool, an object with one kind: {"calculator": {}}, {"wikipedia": {}}, {"http": {…}}, {"mcp": {"url": …}} or {"person": {}}`
	if !p.Object(n, form, kindCalculator, kindWikipedia, kindHTTP, kindMCP, kindPerson) {
		return
	}
	if len(n.Members) != 1 {
		p.Error(n, "agent-tools.kind", form)
		return
	}
	m := n.Members[0]
	e := entry{}
	switch m.Key {
	case kindCalculator:
		if p.Object(m.Value, "expected a calculator, an object", "name", "limit") {
			if e.calculator = p.Text(m.Value, "name"); e.calculator == "" {
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
		if p.Object(m.Value, "expected a person, an object", "name", "description", "prompt", "choices", "limit") {
			e.person = &tool.Person{Label: p.Text(m.Value, "name"), About: p.Text(m.Value, "description"), Prompt: p.Text(m.Value, "prompt"), Choices: p.Texts(m.Value, "choices")}
		}
	default:
		return // reported as an unknown field
	}
	e.limit = p.count(m.Value, "limit", 200, 1_000_000)
	p.checkNames(&e, m.Value)
	p.d.entries = append(p.d.entries, e)
}

// checkNames reports duplicate names of tools.
func (p *parser) checkNames(e *entry, at *json.Node) {
	for _, written := range e.names() {
		name := strings.ToLower(written)
		if p.names[name] && at.Kind != 0 {
			p.Error(at, "agent-tools.name", fmt.Sprintf("duplicate tool name %q; rename this tool", written))
		}
		p.names[name] = true
	}
}

// count reads an optional whole number between least and most. It returns 0 if the member is missing.
func (p *parser) count(n *json.Node, key string, least, most int) int {
	v, ok := n.Get(key)
	if !ok {
		return 0
	}
	number, err := strconv.Atoi(v.Text)
	if v.Kind != '0' || err != nil || number < least || number > most {
		p.Error(v, "agent-tools.number", fmt.Sprintf("%q must be a whole number from %d to %d", key, least, most))
		return 0
	}
	return number
}

// remote reads the address of a server from the member with the name key, and the server's credentials and timeout.
func (p *parser) remote(n *json.Node, key string) web.Remote {
	r := web.Remote{URL: p.Text(n, key), Auth: p.Text(n, "auth"), AuthHeader: p.Text(n, "authHeader"), Idle: p.count(n, "idle", 1_000, 600_000)}
	if at, ok := n.Get(key); ok && at.Kind == '"' {
		if said := web.CheckURL(r.URL); said != "" {
			p.Error(at, "agent-tools.address", said)
		}
	}
	if at, ok := n.Get("authHeader"); ok && (r.Auth == "" || !isHeader(r.AuthHeader)) {
		p.Error(at, "agent-tools.auth", `"authHeader" must be the name of a header, and needs "auth"`)
		r.AuthHeader = ""
	}
	return r
}

// isHeader reports whether a text is a valid name of a header.
func isHeader(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; !jsonfile.IsWord(c) && c != '_' {
			return false
		}
	}
	return name != ""
}

func (p *parser) wikipedia(n *json.Node) *web.Wikipedia {
	if !p.Object(n, `expected Wikipedia, an object: {} or {"lang": "de"}`, "api", "lang", "search", "lookup", "sentences", "similar", "html", "auth", "authHeader", "idle", "limit") {
		return nil
	}
	w := &web.Wikipedia{
		Remote: p.remote(n, "api"), Search: p.Text(n, "search"), Lookup: p.Text(n, "lookup"),
		Sentences: p.count(n, "sentences", 1, 50), Similar: p.count(n, "similar", 1, 20),
	}
	html, _ := n.Get("html")
	w.HTML = html.Kind == 't'
	if language, ok := n.Get("lang"); ok {
		if !isHeader(language.Text) || len(language.Text) > 20 {
			p.Error(language, "agent-tools.language", `expected a language code as in the address of its Wikipedia: "en", "de", "zh-yue"`)
		} else if w.URL == "" {
			w.URL = web.WikipediaURL(language.Text)
		}
	}
	return w
}

func (p *parser) mcp(n *json.Node) *mcp.Server {
	if !p.Object(n, `expected an MCP server, an object: {"url": "http://localhost:3001/mcp"}`, "url", "auth", "authHeader", "idle", "deadline", "prefix", "only", "limit") {
		return nil
	}
	m := &mcp.Server{Remote: p.remote(n, "url"), Prefix: p.Text(n, "prefix"), Only: p.Texts(n, "only"), Deadline: p.count(n, "deadline", 1_000, 3_600_000)}
	if m.URL == "" {
		p.Error(n, "agent-tools.address", `missing "url" of an MCP server, such as "http://localhost:3001/mcp"`)
		return nil
	}
	if web.CheckURL(m.URL) != "" {
		return nil
	}
	return m
}

func (p *parser) http(n *json.Node) *httpEntry {
	if !p.Object(n, `expected an HTTP tool, an OpenAPI 3 description or {"file": "description.json"}`) {
		return nil
	}
	known := strings.Fields("file server auth authHeader idle only limit openapi info servers paths components tags security externalDocs webhooks jsonSchemaDialect swagger")
	for _, m := range n.Members {
		if !slices.Contains(known, m.Key) && !strings.HasPrefix(m.Key, "x-") {
			d := source.Diagnostic{Code: "tools.field", Span: jsonfile.Span(m.At), Message: fmt.Sprintf("unknown field %q", m.Key)}
			p.Nearest(&d, m.Key, known)
			p.Report(d)
		}
	}
	h := &httpEntry{remote: p.remote(n, "server"), file: p.Text(n, "file"), only: p.TextNodes(n, "only"), at: n}
	h.server = h.remote.URL
	if h.file != "" {
		h.at, _ = n.Get("file")
		return h
	}
	h.read(n, p.Error)
	return h
}
