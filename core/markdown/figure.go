//go:build !wasm

package markdown

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

// figure renders a workspace: the drawing of its main spec, and the texts.
func figure(w workspace.Workspace, a Attributes, playground string) (string, error) {
	main := w.Main()
	found, err := analyse(w, main)
	if err != nil {
		return fault(w.Archive(), err.Error()), nil
	}
	link := ""
	if playground != "" {
		if fragment, err := workspace.EncodeLink(w, ""); err == nil {
			link = strings.TrimSuffix(playground, "#") + fragment
		}
	}
	a.Static = a.Static || session.Notations().Of(main).Static
	var b strings.Builder
	b.WriteString(`<figure class="stile"`)
	attribute := func(name, value string) {
		if value != "" {
			b.WriteString(" " + name + `="` + escape(value) + `"`)
		}
	}
	if !a.Static {
		attribute("data-stile", link)
		attribute("data-show", a.Show)
		if a.Height > 0 {
			attribute("data-height", fmt.Sprint(a.Height))
		}
	}
	b.WriteString(">")
	if found.Drawing != nil {
		layout, err := Layout(*found.Drawing)
		if err != nil {
			return "", err
		}
		svg, err := Picture(*found.Drawing, layout)
		if err != nil {
			return "", err
		}
		b.WriteString(`<div class="stile-drawing` + sizeOf(layout) + `" tabindex="0" role="group" aria-label="` + escape(drawingName(*found.Drawing)) + `">` + svg + "</div>")
	}
	for _, f := range w.Files {
		if len(a.Files) > 0 && !slices.Contains(a.Files, f.Name) {
			continue
		}
		here := found
		if f.Name != main {
			if here, err = analyse(w, f.Name); err != nil {
				return fault(w.Archive(), err.Error()), nil
			}
		}
		if len(w.Files) > 1 {
			b.WriteString(`<p class="stile-file">` + escape(f.Name) + "</p>")
		}
		b.WriteString(`<pre class="stile-text"><code class="language-` + escape(string(workspace.KindOf(f.Name))) + `">` + coloured(f.Text, here.Tokens) + "</code></pre>")
		b.WriteString(problems(here.Diagnostics))
		if workspace.KindOf(f.Name) == workspace.KindRules {
			read, err := reading(w, f, a.Events)
			if err != nil {
				return fault(w.Archive(), err.Error()), nil
			}
			b.WriteString(read)
		}
		tested, err := results(w, f.Name)
		if err != nil {
			return fault(w.Archive(), err.Error()), nil
		}
		b.WriteString(tested)
	}
	caption := escape(found.Summary)
	if a.Title != "" {
		caption = "<strong>" + escape(a.Title) + "</strong> " + caption
	}
	if link != "" {
		caption += ` <a href="` + escape(link) + `">Open in Stile</a>`
	}
	b.WriteString("<figcaption>" + caption + "</figcaption></figure>\n")
	return b.String(), nil
}

// analyse requests the same analysis from the core as an editor.
func analyse(w workspace.Workspace, name string) (out session.DocumentAnalyzeResult, err error) {
	return out, request("document.analyze", session.DocumentParams{Files: w.Files, Name: name}, &out)
}

// request calls a method of the core.
func request(method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	reply := struct {
		Result any `json:"result"`
		Error  *struct {
			Message string `json:"message"`
		} `json:"error"`
	}{Result: result}
	if err := json.Unmarshal(session.New().Handle([]byte(`{"id":1,"method":"`+method+`","params":`+string(raw)+`}`)), &reply); err != nil {
		return err
	}
	if reply.Error != nil {
		return errors.New(reply.Error.Message)
	}
	return nil
}

// results lists the cases of a file of tests with their results; "" for another file.
func results(w workspace.Workspace, name string) (string, error) {
	if workspace.KindOf(name) != workspace.KindTests {
		return "", nil
	}
	var got session.TestsRunResult
	if err := request("tests.run", session.TestsRunParams{Files: w.Files, Name: name}, &got); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, c := range got.Cases {
		mark, said := "✓", "passes"
		if c.Status != "pass" {
			mark, said = "✗", "fails"
		}
		fmt.Fprintf(&b, `<li class="%s"><span aria-hidden="true">%s</span> %s %s: %s`, escape(c.Status), mark, escape(c.Expected), escape(c.Label), said)
		if c.Status != "pass" && c.Reason != "" {
			b.WriteString(", " + escape(c.Reason))
		}
		b.WriteString("</li>")
	}
	if b.Len() == 0 {
		return "", nil
	}
	return `<ul class="stile-tests">` + b.String() + "</ul>", nil
}

// coloured returns a text as markup with its tokens, whose positions are UTF-16 code units, in
// span elements.
func coloured(text string, tokens []session.Token) string {
	units := utf16.Encode([]rune(text))
	slice := func(from, to int) string { return escape(string(utf16.Decode(units[from:to]))) }
	var b strings.Builder
	done := 0
	for _, t := range tokens {
		if t.From < done || t.To > len(units) || t.From >= t.To {
			continue
		}
		b.WriteString(slice(done, t.From) + `<span class="t-` + escape(t.Class) + `">` + slice(t.From, t.To) + "</span>")
		done = t.To
	}
	return b.String() + slice(done, len(units))
}

// problems lists a text's diagnostics.
func problems(list []session.Diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		if d.Severity == "info" {
			continue
		}
		fmt.Fprintf(&b, `<li class="%s">Line %d: %s</li>`, escape(d.Severity), d.Line, escape(d.Message))
	}
	if b.Len() == 0 {
		return ""
	}
	return `<ul class="stile-problems">` + b.String() + "</ul>"
}
