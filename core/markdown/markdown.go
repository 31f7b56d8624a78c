//go:build !wasm

// Package markdown extends goldmark: it renders a fenced block in one of Stile's notations as a
// drawing of its automaton, its coloured text, its diagnostics, and a link that opens it in the
// playground.
//
//	```cfg {height=420 title="Balanced"}
//	S -> a S b | ε
//	```
//
// The languages are cfg, pda, flow, ltl, agent, smt2, lp, pddl, and stile for a
// workspace as a txtar archive. The rendered page needs no script; with the script of
// <stile-embed>, a button makes a figure live. All text is escaped; none of it can become markup.
package markdown

import (
	"bytes"
	"context"
	_ "embed" // the sheet
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-graphviz"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

// Sheet is the style sheet of the rendered figures, for light and dark.
//
//go:embed sheet.css
var Sheet string

// Extension turns the fenced blocks of specs into drawings. Its zero value renders no links.
type Extension struct {
	// Playground is the address of the playground for "Open in Stile"; "": no link.
	Playground string
}

// Extend implements [goldmark.Extender].
func (e Extension) Extend(m goldmark.Markdown) {
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(&blocks{playground: e.Playground, plain: html.NewRenderer()}, 100)))
}

// languages maps the languages of fenced blocks to the names of their files.
var languages = Languages(session.Notations())

// Languages returns the languages of the fenced blocks that are drawn, each with the file name that
// such a block gets; "" for an archive.
func Languages(t notation.Table) map[string]string {
	out := map[string]string{"stile": ""}
	for _, n := range t {
		if n.Embed != "" {
			out[string(n.Kind)] = n.Embed
		}
	}
	return out
}

// blocks renders the fenced blocks of specs, and passes all others to goldmark.
type blocks struct {
	playground string
	plain      renderer.NodeRenderer
	others     renderer.NodeRendererFunc
}

// RegisterFuncs implements [renderer.NodeRenderer].
func (b *blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	b.plain.RegisterFuncs(catcher(func(kind ast.NodeKind, f renderer.NodeRendererFunc) {
		if kind == ast.KindFencedCodeBlock {
			b.others = f
		}
	}))
	r.Register(ast.KindFencedCodeBlock, b.render)
}

// catcher records the render functions of goldmark's own renderer.
type catcher func(ast.NodeKind, renderer.NodeRendererFunc)

// Register implements [renderer.NodeRendererFuncRegisterer].
func (c catcher) Register(kind ast.NodeKind, f renderer.NodeRendererFunc) { c(kind, f) }

func (b *blocks) render(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	block := n.(*ast.FencedCodeBlock)
	name, known := languages[string(block.Language(source))]
	if !known {
		return b.others(w, source, n, entering)
	}
	if !entering {
		return ast.WalkContinue, nil
	}
	var text bytes.Buffer
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		text.Write(line.Value(source))
	}
	info := ""
	if block.Info != nil {
		info = string(block.Info.Segment.Value(source))
	}
	out, err := Figure(name, text.String(), parseAttributes(info), b.playground)
	if err != nil {
		return ast.WalkStop, err
	}
	_, err = w.WriteString(out)
	return ast.WalkContinue, err
}

// Attributes are the display options of a block.
type Attributes struct {
	Title  string
	Height int    // of the live embed, in pixels; 0: the default
	Show   string // the parts of the live embed, separated by commas: "automaton", "text", "step", "tests"; "": the first two
	Static bool   // the figure has no button that makes it live
	// Events is a run that rules about data judge: atoms as in tests, separated by semicolons; "": none.
	Events string
	// Files names the files of a workspace to show; empty: all. The link and the live embed always
	// contain all of them.
	Files []string
}

// parseAttributes reads {height=420 title="…" show=text,step files="a.cfg b.ltl" static}
// after a language. Unknown attributes are ignored, since other tools may have their own.
func parseAttributes(info string) Attributes {
	var a Attributes
	_, rest, found := strings.Cut(info, "{")
	if !found {
		return a
	}
	rest = strings.TrimSuffix(strings.TrimSpace(rest), "}")
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexAny(rest, "= \t")
		if end < 0 {
			end = len(rest)
		}
		key, value := rest[:end], ""
		rest = rest[end:]
		if strings.HasPrefix(rest, "=") {
			value, rest = attributeValue(rest[1:])
		}
		switch key {
		case "title":
			a.Title = value
		case "height":
			if n, err := strconv.Atoi(value); err == nil && n >= 120 && n <= 2_000 {
				a.Height = n
			}
		case "show":
			var parts []string
			for part := range strings.SplitSeq(value, ",") {
				if part = strings.TrimSpace(part); part == "automaton" || part == "text" || part == "step" || part == "tests" {
					parts = append(parts, part)
				}
			}
			a.Show = strings.Join(parts, ",")
		case "static":
			a.Static = true
		case "events":
			a.Events = value
		case "files":
			a.Files = strings.Fields(value)
		}
	}
	return a
}

// attributeValue parses a word, or a text in quotes.
func attributeValue(text string) (value, rest string) {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return text[1 : 1+end], text[2+end:]
		}
	}
	if end := strings.IndexAny(text, " \t"); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}

// Figure renders a spec, or, with name "", a workspace as a txtar archive. The error is the layout
// engine's; faults of the text are reported in the figure.
func Figure(name, text string, a Attributes, playground string) (string, error) {
	w := workspace.Workspace{Files: []workspace.File{{Name: name, Text: text}}}
	if name == "" {
		var err error
		if w, err = workspace.ParseArchive(text); err != nil {
			return fault(text, err.Error()), nil
		}
	}
	return figure(w, a, playground)
}

// fault returns the figure for a text that is not a workspace.
func fault(text, message string) string {
	return `<figure class="stile"><pre class="stile-text"><code>` + escape(text) + `</code></pre><ul class="stile-problems"><li class="error">` + escape(message) + "</li></ul></figure>\n"
}

// engine is the Graphviz instance, which lays out one graph at a time.
var engine = struct {
	sync.Mutex
	*graphviz.Graphviz
}{}

// Layout returns Graphviz's layout of a drawing, in its format "json0".
func Layout(d session.Drawing) (layout []byte, err error) {
	engine.Lock()
	defer engine.Unlock()
	ctx := context.Background()
	if engine.Graphviz == nil {
		if engine.Graphviz, err = graphviz.New(ctx); err != nil {
			return nil, fmt.Errorf("graphviz cannot be started: %w", err)
		}
	}
	graph, err := graphviz.ParseBytes([]byte(d.DOT))
	if err != nil {
		return nil, fmt.Errorf("the drawing cannot be laid out: %w", err)
	}
	defer graph.Close()
	var out bytes.Buffer
	if err := engine.Render(ctx, graph, "json0", &out); err != nil {
		return nil, fmt.Errorf("the drawing cannot be laid out: %w", err)
	}
	return out.Bytes(), nil
}
