//go:build !wasm

package markdown_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"

	"github.com/stile-playground/stile/core/markdown"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

func render(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	m := goldmark.New(goldmark.WithExtensions(markdown.Extension{Playground: "https://stile.example/play/"}))
	if err := m.Convert([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSpecBecomesDrawingTextAndLink(t *testing.T) {
	got := render(t, "Before.\n\n```cfg {title=\"Balanced\" height=420 show=automaton,step,more other=1}\nS -> a S b | ε # <b>\n```\n\nAfter.\n")
	for _, want := range []string{
		`<p>Before.</p>`, `<p>After.</p>`, `<figure class="stile" data-stile="https://stile.example/play/#1:`, ` data-show="automaton,step" data-height="420">`,
		`<svg class="drawing" viewBox="0 0 `, `aria-label="Pushdown automaton of the grammar, 3 states"`, `aria-label="from q1 to q1: a, S; S b"`,
		`<span class="t-nonterminal">S</span> <span class="t-operator">-&#62;</span>`, `<span class="t-comment"># &#60;b&#62;</span>`,
		`<strong>Balanced</strong> 1 nonterminal, 2 terminals, 2 productions`, `>Open in Stile</a></figcaption></figure>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing from\n%s", want, got)
		}
	}
}

func TestOtherLanguagesAreLeftToGoldmark(t *testing.T) {
	const text = "```go\nfunc f() {}\n```\n\n    indented\n\n```\nnone <b>\n```\n"
	var plain bytes.Buffer
	if err := goldmark.New().Convert([]byte(text), &plain); err != nil {
		t.Fatal(err)
	}
	if got := render(t, text); got != plain.String() {
		t.Errorf("got %s\nwant %s", got, plain.String())
	}
}

func TestWorkspaceShowsAllFiles(t *testing.T) {
	got := render(t, "```stile {static}\n-- a.cfg --\nS -> a b\n-- p.ltl --\nordered: G(b -> false)\n-- notes.md --\n# Notes\n```\n")
	for _, want := range []string{`<p class="stile-file">a.cfg</p>`, `<p class="stile-file">p.ltl</p>`, `<p class="stile-file">notes.md</p>`, `<ul class="stile-problems"><li class=`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing from\n%s", want, got)
		}
	}
	if strings.Contains(got, "data-stile=") {
		t.Error("a static figure has a live embed")
	}
}

func TestWorkspaceShowsResultsOfTests(t *testing.T) {
	got := render(t, "```stile {static}\n-- g.cfg --\nS -> a \"<b>\"\n-- g.tests --\naccept a <b> as \"<i>\"\naccept a\n```\n")
	for _, want := range []string{
		`<li class="pass"><span aria-hidden="true">✓</span> accept &#60;i&#62;: passes</li>`,
		`<li class="fail"><span aria-hidden="true">✗</span> accept a: fails, incomplete; expected &#60;b&#62;</li>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing from\n%s", want, got)
		}
	}
}

// A block of rules has its rules in words and the verdicts on its run, with and without a drawing.
func TestRulesShowSentencesAndVerdicts(t *testing.T) {
	const text = `approved: refund(order: ?o) -> once[10m] approve(order: ?o)`
	got := render(t, "```rules {title=\"Policy\" events='approve(order: \"a;b\"); refund(order: \"a;b\", @time: 600); refund(order: \"c\", @time: 601)'}\n"+text+"\n```\n")
	for _, want := range []string{
		`<figure class="stile" data-stile="https://stile.example/play/#1:`, `<code class="language-rules">`, `<dt>approved</dt><dd>`,
		`<li class="pass"><span aria-hidden="true">✓</span> <code>refund(order: &#34;a;b&#34;, @time: 600)</code></li>`,
		`<li class="fail"><span aria-hidden="true">✗</span> <code>refund(order: &#34;c&#34;, @time: 601)</code> violates approved, which requires once[10m] approve(order: &#34;c&#34;)</li>`,
		`<p class="stile-verdicts"><code>approved</code> violated</p>`, `<strong>Policy</strong> 1 rule`, `>Open in Stile</a>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing from\n%s", want, got)
		}
	}
	if got := render(t, "```rules\nasked: pay() -> once ask()\n```\n"); !strings.Contains(got, `<svg class="drawing"`) || strings.Contains(got, "stile-events") {
		t.Errorf("rules of order have no drawing, or a run that the block does not have:\n%s", got)
	}
	for block, want := range map[string]string{
		"```rules {events=\"pay(; x()\"}\nasked: pay() -> once ask()\n```\n":        "events: event 0: ",
		"```rules {events=\"b(@time: 9); a(@time: 1)\"}\nr: a() -> once b()\n```\n": "events: event 1: ",
		"```rules {events=\"pay()\"}\nasked: pay( -> once ask()\n```\n":             `<li class="unknown"><span aria-hidden="true">?</span> <code>pay()</code></li>`,
	} {
		if got := render(t, block); !strings.Contains(got, want) {
			t.Errorf("%s\n%s is missing from\n%s", block, want, got)
		}
	}
}

func TestFilesAttributeLimitsFiguresButNotLink(t *testing.T) {
	const archive = "-- a.cfg --\nS -> a b\n-- p.ltl --\nordered: G(b -> WX !a)\n-- notes.md --\n# Notes\n"
	got := render(t, "```stile {files=\"a.cfg p.ltl\"}\n"+archive+"```\n")
	for _, shown := range []string{"a.cfg", "p.ltl"} {
		if !strings.Contains(got, `<p class="stile-file">`+shown+`</p>`) {
			t.Errorf("%s is not shown in\n%s", shown, got)
		}
	}
	if strings.Contains(got, "notes.md") {
		t.Errorf("a file that is not named is shown in\n%s", got)
	}
	_, fragment, _ := strings.Cut(got, `data-stile="https://stile.example/play/`)
	fragment, _, _ = strings.Cut(fragment, `"`)
	if w, _, err := workspace.DecodeLink(fragment); err != nil || w.Archive() != archive {
		t.Errorf("the link has %q, %v", w.Archive(), err)
	}
}

func TestWideDrawingScrolls(t *testing.T) {
	for text, want := range map[string]string{
		"```agent\n(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (until A B)))\n```\n":    `<div class="stile-drawing" `,
		"```agent\n(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (until_5 A B)))\n```\n":  `<div class="stile-drawing large" `,
		"```agent\n(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (until_30 A B)))\n```\n": `<div class="stile-drawing wide" `,
	} {
		if got := render(t, text); !strings.Contains(got, want) {
			t.Errorf("%s is missing from\n%.400s", want, got)
		}
	}
}

func TestRelativePlayground(t *testing.T) {
	for _, playground := range []string{"../", "./", "/play/", "../#"} {
		var out bytes.Buffer
		m := goldmark.New(goldmark.WithExtensions(markdown.Extension{Playground: playground}))
		if err := m.Convert([]byte("```cfg\nS -> a\n```\n"), &out); err != nil {
			t.Fatal(err)
		}
		address := strings.TrimSuffix(playground, "#") + "#1:"
		for _, want := range []string{`<figure class="stile" data-stile="` + address, `<a href="` + address} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q: %s is missing from\n%s", playground, want, out.String())
			}
		}
	}
}

func TestFaultsAreShownWithTheText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"```cfg\nS -> \"a\n```\n", `<li class="error">Line 1: `},
		{"```stile\n-- a.cfg\n```\n", `-- a.cfg`},
		{"```agent\n(define\n```\n", `<li class="error">`},
		{"```cfg\n```\n", `<figure class="stile"`},
		{"```pda\nS -> a\n```\n", `<li class="error">Line 1: missing label of the transition`},
	} {
		if got := render(t, c.text); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s is missing from\n%s", c.text, c.want, got)
		}
	}
}

// payloads are texts that must never become markup.
var payloads = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `' onmouseover='alert(1)`, `</code></pre><script>alert(1)</script>`,
	`javascript:alert(1)`, `<![CDATA[<script>alert(1)</script>]]>`, `&lt;script&gt;`, `<iframe srcdoc="&lt;script&gt;">`, `</svg><script>alert(1)</script>`, `<!--`, `{{constructor}}`,
}

func TestTextIsEscaped(t *testing.T) {
	for _, p := range payloads {
		word := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p) + `"`
		for _, text := range []string{
			"```cfg {title=\"" + strings.ReplaceAll(p, `"`, "'") + "\"}\nS -> " + word + " as " + word + "\n# " + p + "\n```\n",
			"```pda\nstart " + word + " Z\naccept q\n" + word + " -> q (" + word + ", Z; Z)\n```\n",
			"```flow\nask one " + word + " " + word + " -> good\naccept good " + word + "\n```\n",
			"```agent\n(define a (:states (A (:text " + word + "))) (:behavior A))\n```\n",
			"```ltl\nF " + word + "\n```\n",
			"```stile\n-- " + p + ".cfg --\nS -> a\n-- a.md --\n" + p + "\n```\n",
			"```cfg\n" + p + "\n```\n",
		} {
			got := render(t, text)
			if fault := markupOf(got); fault != "" {
				t.Errorf("%q: %s in\n%s", text, fault, got)
			}
		}
	}
}

var allowed = regexp.MustCompile(`^(figure|div|svg|g|rect|path|text|tspan|p|pre|code|span|ul|li|figcaption|strong|a|details|summary|dl|dt|dd)$`)

// markupOf returns an element or attribute that a figure must not have, or "".
func markupOf(text string) string {
	d := xml.NewDecoder(strings.NewReader("<root>" + strings.ReplaceAll(text, "&", "&amp;") + "</root>"))
	d.Strict = false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return ""
		}
		if err != nil {
			return err.Error()
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local == "root" {
			continue
		}
		if !allowed.MatchString(e.Name.Local) {
			return "the element " + e.Name.Local
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "https://stile.example/play/#1:") {
				return "the attribute " + a.Name.Local + " of " + e.Name.Local
			}
		}
	}
}

func TestGalleryDrawingsAreDeterministic(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		text := "~~~~~~~~stile\n" + e.Workspace().Archive() + "~~~~~~~~\n" // a longer fence than those in the texts
		got := render(t, text)
		drawn := workspace.KindOf(e.Main) != workspace.KindProblem
		if drawn && !strings.Contains(got, "<svg ") || strings.Contains(got, `<li class="error">`) {
			t.Errorf("%s: %.300s", e.ID, got)
		}
		if again := render(t, text); again != got {
			t.Errorf("%s is drawn differently the second time", e.ID)
		}
		if fault := markupOf(got); fault != "" {
			t.Errorf("%s: %s", e.ID, fault)
		}
	}
}
