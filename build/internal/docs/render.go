package docs

import (
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/stile-playground/stile/core/markdown"
	"github.com/stile-playground/stile/core/session"
)

// playground is the address of the playground relative to a page: the folder above.
const playground = "../"

type pageRenderer struct {
	markdown goldmark.Markdown
	heads    []Head
	tables   int
	fault    error // the wrong claims of fences
}

func newRenderer() *pageRenderer {
	r := &pageRenderer{}
	r.markdown = goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.DefinitionList, extension.Typographer, markdown.Extension{Playground: playground}),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithHeadingAttribute(), parser.WithASTTransformers(util.Prioritized(r, 2_000))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(r, 10))),
	)
	return r
}

// Additional nodes: coloured code, a scrolling table, and the computed parts of a spec.
var (
	kindCode   = ast.NewNodeKind("DocsCode")
	kindScroll = ast.NewNodeKind("DocsScroll")
	kindClaims = ast.NewNodeKind("DocsClaims")
)

type codeNode struct {
	ast.BaseBlock
	language, text string
}

func (*codeNode) Kind() ast.NodeKind           { return kindCode }
func (n *codeNode) Dump(source []byte, at int) { ast.DumpHelper(n, source, at, nil, nil) }

type scrollNode struct {
	ast.BaseBlock
	name string
}

func (*scrollNode) Kind() ast.NodeKind           { return kindScroll }
func (n *scrollNode) Dump(source []byte, at int) { ast.DumpHelper(n, source, at, nil, nil) }

type claimsNode struct {
	ast.BaseBlock
	html string
}

func (*claimsNode) Kind() ast.NodeKind           { return kindClaims }
func (n *claimsNode) Dump(source []byte, at int) { ast.DumpHelper(n, source, at, nil, nil) }

// Transform implements [parser.ASTTransformer].
func (r *pageRenderer) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	source := reader.Source()
	var blocks []*ast.FencedCodeBlock
	var wide []*tables.Table
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			blocks = append(blocks, n)
		case *tables.Table:
			wide = append(wide, n)
		}
		return ast.WalkContinue, nil
	})
	for _, b := range blocks {
		language, body := string(b.Language(source)), linesOf(b, source)
		if !isSpec(language) {
			b.Parent().ReplaceChild(b.Parent(), b, &codeNode{language: language, text: body})
			continue
		}
		info := ""
		if b.Info != nil {
			info = string(b.Info.Segment.Value(source))
		}
		found, err := claims(session.Full(), language, body, info)
		if err != nil {
			r.fault = errors.Join(r.fault, fmt.Errorf("the fence %q: %w", info, err))
		}
		if found != "" {
			b.Parent().InsertAfter(b.Parent(), b, &claimsNode{html: found})
		}
	}
	for _, t := range wide {
		name := "Table"
		for n := t.PreviousSibling(); n != nil; n = n.PreviousSibling() {
			if h, ok := n.(*ast.Heading); ok {
				name = "Table: " + plain(h, source)
				break
			}
		}
		s := &scrollNode{name: name}
		t.Parent().ReplaceChild(t.Parent(), t, s)
		s.AppendChild(s, t)
	}
}

// RegisterFuncs implements [renderer.NodeRenderer].
func (r *pageRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindCode, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if c := n.(*codeNode); entering {
			fmt.Fprintf(w, "<pre class=\"code\" tabindex=\"0\" aria-label=\"%s\"><code>%s</code></pre>\n", codeName(c.language), coloured(c.language, c.text))
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(kindScroll, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			r.tables++
			name := n.(*scrollNode).name
			if r.tables > 1 { // names of regions differ
				name += fmt.Sprintf(" (%d)", r.tables)
			}
			fmt.Fprintf(w, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n", html.EscapeString(name))
		} else {
			fmt.Fprint(w, "</div>\n")
		}
		return ast.WalkContinue, nil
	})
	reg.Register(kindClaims, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			fmt.Fprint(w, n.(*claimsNode).html)
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(ast.KindHeading, r.heading)
}

// heading renders a heading with a link to itself, and adds it to the page's headings.
func (r *pageRenderer) heading(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	id := ""
	if value, ok := h.AttributeString("id"); ok {
		id = string(value.([]byte))
	}
	if entering {
		fmt.Fprintf(w, "<h%d id=\"%s\">", h.Level, html.EscapeString(id))
		return ast.WalkContinue, nil
	}
	name := plain(h, source)
	r.heads = append(r.heads, Head{Level: h.Level, ID: id, HTML: html.EscapeString(name)})
	fmt.Fprintf(w, " <a class=\"anchor\" href=\"#%s\" aria-label=\"Link to “%s”\">#</a></h%d>\n", html.EscapeString(id), html.EscapeString(name), h.Level)
	return ast.WalkContinue, nil
}

func linesOf(b *ast.FencedCodeBlock, source []byte) string {
	var out strings.Builder
	for i := range b.Lines().Len() {
		line := b.Lines().At(i)
		out.Write(line.Value(source))
	}
	return out.String()
}

// plain returns the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Text:
				b.Write(n.Segment.Value(source))
			case *ast.String:
				b.WriteString(html.UnescapeString(string(n.Value)))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
