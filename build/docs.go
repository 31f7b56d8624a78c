package main

import (
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/stile-playground/stile/build/internal/docs"
)

// addDocs adds the documentation, under docs/, and the script of <stile-embed>, which
// pages load by a name that never changes. More lists additional pages that are
// generated from other parts of the site.
func (r repo) addDocs(s *site, more ...docs.Page) error {
	embed, err := os.ReadFile(r.Path("web", "embed", embedScript))
	if err != nil {
		return err
	}
	s.files[embedScript] = embed
	style, script, err := r.docsAssets(s)
	if err != nil {
		return err
	}
	template, err := os.ReadFile(r.Path("web", "docs", "template.html"))
	if err != nil {
		return err
	}
	pages, err := docs.Build(string(r.Dir))
	if err != nil {
		return err
	}
	for _, p := range more {
		pages = slices.Insert(pages, afterGroup(pages, p.Group), p)
	}
	for i, p := range pages {
		title := p.Title
		if p.Name != "index" {
			title += " · Stile"
		}
		out, err := fillIn(string(template), map[string]string{
			"title": html.EscapeString(title), "heading": html.EscapeString(p.Title), "summary": html.EscapeString(p.Summary), "name": p.Name,
			"style": "../" + style, "script": "../" + script, "embed": "../" + embedScript,
			"pages": pageList(pages, p.Name), "contents": contents(p), "body": p.Body, "around": around(pages, i),
		})
		if err != nil {
			return fmt.Errorf("web/docs/template.html: %w", err)
		}
		s.files["docs/"+p.Name+".html"] = []byte(out)
	}
	return nil
}

// afterGroup returns the index after the last page of a group.
func afterGroup(pages []docs.Page, group string) int {
	at := len(pages)
	for i, p := range pages {
		if p.Group == group {
			at = i + 1
		}
	}
	return at
}

// embedScript is the script of <stile-embed>, at the root of the site.
const embedScript = "stile-embed.js"

// docsAssets bundles the documentation's style sheet, which includes the page's tokens,
// and its script.
func (r repo) docsAssets(s *site) (style, script string, err error) {
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: r.Path("web", "docs"), EntryPoints: []string{"docs.css", "theme.js"}, Outdir: "dist", Bundle: true,
		Format: api.FormatIIFE, Target: api.ES2022, Platform: api.PlatformBrowser,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		EntryNames: "docs.[hash]",
	})
	if err := esbuildError(result.Errors); err != nil {
		return "", "", err
	}
	for _, f := range result.OutputFiles {
		name := path.Join("assets", filepath.Base(f.Path))
		s.files[name] = f.Contents
		if path.Ext(name) == ".css" {
			style = name
		} else {
			script = name
		}
	}
	return style, script, nil
}

// pageList lists the pages in their groups and marks the current one.
func pageList(pages []docs.Page, shown string) string {
	var b strings.Builder
	group := ""
	for _, p := range pages {
		if p.Group != group {
			if group != "" {
				b.WriteString("</ul>")
			}
			group = p.Group
			fmt.Fprintf(&b, `<p class="group">%s</p><ul>`, html.EscapeString(group))
		}
		current := ""
		if p.Name == shown {
			current = ` aria-current="page"`
		}
		fmt.Fprintf(&b, `<li><a href="%s"%s>%s</a></li>`, pageAddress(p.Name), current, html.EscapeString(p.Label))
	}
	b.WriteString("</ul>")
	return b.String()
}

// pageAddress returns the address of a page relative to another page.
func pageAddress(name string) string {
	if name == "index" {
		return "./"
	}
	return name + ".html"
}

// contents lists the headings of a page; it is empty for a page with few headings.
func contents(p docs.Page) string {
	most := 3
	count := func(most int) (n int) {
		for _, h := range p.Heads {
			if h.Level <= most {
				n++
			}
		}
		return n
	}
	if count(3) > 24 {
		most = 2
	}
	if count(most) < 3 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<nav class="contents" aria-labelledby="on-this-page"><p class="group" id="on-this-page">On this page</p><ul>`)
	for _, h := range p.Heads {
		if h.Level <= most {
			fmt.Fprintf(&b, `<li class="level-%d"><a href="#%s">%s</a></li>`, h.Level, html.EscapeString(h.ID), h.HTML)
		}
	}
	b.WriteString("</ul></nav>")
	return b.String()
}

// around links the previous and the next page.
func around(pages []docs.Page, at int) string {
	var b strings.Builder
	link := func(class, label string, p docs.Page) {
		fmt.Fprintf(&b, `<a class="%s" href="%s"><span>%s</span> %s</a>`, class, pageAddress(p.Name), label, html.EscapeString(p.Label))
	}
	if at > 0 {
		link("before", "Before", pages[at-1])
	}
	if at+1 < len(pages) {
		link("next", "Next", pages[at+1])
	}
	return b.String()
}
