// Package docs renders the documentation: the Markdown of web/docs, and the parts that
// are generated from the code: the reference of every notation, the protocol, the
// packages and their examples.
//
// In a text, a line {{…}} marks a generated part (see sources), and core/markdown draws the
// fences of specs. The claims of a fence are computed and shown below it, and a wrong claim
// fails the build:
//
//	```cfg {words="a b; !b a; ~a"}         an accepted word, a rejected one, and a prefix of an accepted one
//	```stile {proofs="safe; !quick"}       a formula that holds for the spec, and one that does not
//	```cfg {fault}                         the text has errors, as it should
package docs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Page is a page of the documentation as HTML.
type Page struct {
	Name    string // of its file, without the extension
	Title   string
	Label   string // in the navigation
	Group   string // of the navigation
	Summary string
	Body    string // HTML
	Heads   []Head
}

// Head is a heading of a page.
type Head struct {
	Level int
	ID    string
	HTML  string
}

// groups are the pages in the order in which they are listed.
var groups = []struct {
	name  string
	pages []string
}{
	{"Begin", []string{"index", "guide", "patterns", "policy"}},
	{"Languages", []string{"languages", "language-cfg", "language-pda", "language-flow", "language-ltl", "language-agent", "language-team", "language-smt", "language-pddl", "language-problem", "language-rules", "cedar", "language-tests"}},
	{"Papers", []string{"papers", "paper-formal-llm", "paper-agent-specs", "paper-ltlf", "paper-pmc", "paper-llmfp"}},
	{"Use", []string{"agents", "command", "guard", "guard-adapters", "providers", "lab", "learning", "embedding", "deployment", "security", "faq"}},
	{"Build upon", []string{"core", "protocol", "protocol-types"}},
}

// Names returns the pages in their order.
func Names() []string {
	var out []string
	for _, g := range groups {
		out = append(out, g.pages...)
	}
	return out
}

// Build renders all pages of a repository, given its root.
func Build(root string) ([]Page, error) {
	s, err := readSources(root)
	if err != nil {
		return nil, err
	}
	var out []Page
	var faults []error
	for _, g := range groups {
		for _, name := range g.pages {
			p, err := s.page(name)
			if err != nil {
				faults = append(faults, fmt.Errorf("web/docs/%s.md: %w", name, err))
			}
			p.Group = g.name
			out = append(out, p)
		}
	}
	return out, errors.Join(faults...)
}

func (s *sources) page(name string) (Page, error) {
	text, err := os.ReadFile(filepath.Join(s.root, "web", "docs", name+".md"))
	if err != nil {
		return Page{}, err
	}
	p := Page{Name: name}
	header, body, ok := cutHeader(string(text))
	if !ok {
		return p, fmt.Errorf("it does not begin with a header between two lines ---")
	}
	for line := range strings.Lines(header) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "title":
			p.Title = value
		case "label":
			p.Label = value
		case "summary":
			p.Summary = value
		default:
			return p, fmt.Errorf("the header has an unknown key %q", key)
		}
	}
	if p.Title == "" || p.Summary == "" {
		return p, fmt.Errorf("the header needs a title and a summary")
	}
	p.Label = cmp.Or(p.Label, p.Title)
	if body, err = s.expand(body); err != nil {
		return p, err
	}
	var out bytes.Buffer
	r := newRenderer()
	if err := r.markdown.Convert([]byte(body), &out); err != nil {
		return p, err
	}
	p.Body, p.Heads = out.String(), r.heads
	return p, r.fault
}

func cutHeader(text string) (header, body string, ok bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "\n---\n")
}
