package docs

import (
	"context"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/markdown"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// specs are the languages of fences that core/markdown draws, with the names of their files.
var specs = markdown.Languages(session.Notations())

func isSpec(language string) bool {
	_, ok := specs[language]
	return ok
}

var (
	wordsOf  = regexp.MustCompile(`\bwords="([^"]*)"`)
	proofsOf = regexp.MustCompile(`\bproofs="([^"]*)"`)
	faultOf  = regexp.MustCompile(`[{ ]fault[ }]`)
)

// claims checks the claims of a fence, and returns the results as HTML. The error is a
// wrong claim.
func claims(t session.Table, language, text, info string) (string, error) {
	w := workspace.Workspace{Files: []workspace.File{{Name: markdown.Languages(t.Notations)[language], Text: text}}}
	if language == "stile" {
		var err error
		if w, err = workspace.ParseArchive(text); err != nil {
			return "", err
		}
	}
	c := newClaimer(t, w)
	if err := c.analyse(faultOf.MatchString(info)); err != nil {
		return "", err
	}
	var tested session.TestsRunResult
	if err := c.call("tests.run", session.TestsRunParams{Files: w.Files}, &tested); err != nil {
		return "", err
	}
	for _, x := range tested.Cases {
		if x.Status != "pass" && !faultOf.MatchString(info) {
			return "", fmt.Errorf("%s, line %d: expected %s, got %s: %s", x.File, x.Line, x.Expected, x.Actual, x.Reason)
		}
	}
	if m := wordsOf.FindStringSubmatch(info); m != nil && m[1] != "" {
		for promise := range strings.SplitSeq(m[1], ";") {
			if err := c.word(strings.TrimSpace(promise)); err != nil {
				return "", err
			}
		}
	}
	if m := proofsOf.FindStringSubmatch(info); m != nil {
		for promise := range strings.SplitSeq(m[1], ";") {
			if err := c.proof(strings.TrimSpace(promise)); err != nil {
				return "", err
			}
		}
	}
	if len(c.lines) == 0 {
		return "", nil
	}
	return "<ul class=\"claims\">\n" + strings.Join(c.lines, "\n") + "\n</ul>\n", nil
}

type claimer struct {
	table session.Table
	w     workspace.Workspace
	core  host.Handler
	lines []string
}

func newClaimer(t session.Table, w workspace.Workspace) *claimer {
	return &claimer{table: t, w: w, core: host.Native(session.With(t))}
}

// main returns the name of the main spec.
func (c *claimer) main() string { return c.table.Notations.Main(c.w.Files) }

func (c *claimer) call(method string, params, result any) error {
	return host.Call(context.Background(), c.core, method, params, result)
}

// analyse reports whether the specs have errors, as a deliberate fault must.
func (c *claimer) analyse(fault bool) error {
	first := ""
	for _, f := range c.w.Files {
		var found session.DocumentAnalyzeResult
		if err := c.call("document.analyze", session.DocumentParams{Files: c.w.Files, Name: f.Name}, &found); err != nil {
			return err
		}
		for _, d := range found.Diagnostics {
			if d.Severity == "error" && first == "" {
				first = fmt.Sprintf("%s, line %d: %s", f.Name, d.Line, d.Message)
			}
		}
	}
	if fault && first == "" {
		return fmt.Errorf("the fence is marked as a fault and has none")
	}
	if !fault && first != "" {
		return fmt.Errorf("%s", first)
	}
	return nil
}

// Marks of results, drawn rather than written: not every font has them.
const (
	markYes = `<svg class="found yes" viewBox="0 0 16 16" width="16" height="16" role="img" aria-label="yes:"><path d="M3 8.5l3.5 3.5L13 4.5"/></svg>`
	markNo  = `<svg class="found no" viewBox="0 0 16 16" width="16" height="16" role="img" aria-label="no:"><path d="M4 4l8 8M12 4l-8 8"/></svg>`
)

func (c *claimer) line(good bool, text string) {
	mark := markNo
	if good {
		mark = markYes
	}
	c.lines = append(c.lines, "<li>"+mark+"<span>"+text+"</span></li>")
}

// word checks a word with the main spec.
func (c *claimer) word(promise string) error {
	want, text := "valid", promise
	switch {
	case strings.HasPrefix(promise, "!"):
		want, text = "invalid", promise[1:]
	case strings.HasPrefix(promise, "~"):
		want, text = "incomplete", promise[1:]
	}
	word := strings.Fields(text)
	var got session.StepWalkResult
	if err := c.call("step.walk", session.StepWalkParams{Files: c.w.Files, Name: c.main(), Word: word}, &got); err != nil {
		return err
	}
	if got.Verdict != want {
		return fmt.Errorf("the word %q is %s, not %s", text, got.Verdict, want)
	}
	shown := "<code>" + html.EscapeString(strings.Join(word, " ")) + "</code>"
	if len(word) == 0 {
		shown = "the empty word"
	}
	next := func(list []session.Letter) string {
		var names []string
		for _, l := range list {
			names = append(names, "<code>"+html.EscapeString(l.Name)+"</code>")
		}
		if len(names) > 6 {
			names = append(names[:6], "…")
		}
		return strings.Join(names, ", ")
	}
	switch want {
	case "valid":
		c.line(true, shown+" is accepted")
	case "incomplete":
		c.line(false, shown+" is incomplete; next: "+next(got.Next))
	default:
		at := *got.Violation
		var before session.StepWalkResult
		if err := c.call("step.walk", session.StepWalkParams{Files: c.w.Files, Name: c.main(), Word: word[:at]}, &before); err != nil {
			return err
		}
		could := "no symbol is allowed there"
		if list := next(before.Next); list != "" {
			could = list + " could"
		}
		c.line(false, fmt.Sprintf("%s: <code>%s</code> at place %d is not allowed; %s", shown, html.EscapeString(word[at]), at+1, could))
	}
	return nil
}

// markOf returns the mark before a promised word: "" for an accepted word, "~" for a prefix of an
// accepted word, "!" for any other.
func (c *claimer) markOf(word []string) (string, error) {
	var got session.StepWalkResult
	if err := c.call("step.walk", session.StepWalkParams{Files: c.w.Files, Name: c.main(), Word: word}, &got); err != nil {
		return "", err
	}
	switch got.Verdict {
	case "valid":
		return "", nil
	case "incomplete":
		return "~", nil
	}
	return "!", nil
}

// proof checks a named formula of the workspace against its main spec.
func (c *claimer) proof(promise string) error {
	name, want := strings.TrimPrefix(promise, "!"), !strings.HasPrefix(promise, "!")
	var formula *ltl.Formula
	for _, p := range c.table.Notations.Properties(c.w.Files) {
		if at := slices.IndexFunc(p.Formulas, func(n ltl.Named) bool { return n.Name == name }); at >= 0 {
			formula = p.Formulas[at].Formula
		}
	}
	if formula == nil {
		return fmt.Errorf("unknown formula %q", name)
	}
	main, _ := c.w.File(c.main())
	row := c.table.Notations.Of(main.Name)
	if row.Subject == nil {
		return fmt.Errorf("nothing is proved about %s", main.Name)
	}
	spec, sound := row.Subject(main.Source())
	if !sound {
		return fmt.Errorf("%s has errors", main.Name)
	}
	holds, counterexample, err := spec.Verify(formula, meter.New(meter.Budget{}))
	if err != nil {
		return err
	}
	if holds != want {
		return fmt.Errorf("the formula %s: expected holds=%v, got %v", name, want, holds)
	}
	shown := "<code>" + html.EscapeString(name) + "</code>"
	if holds {
		c.line(true, shown+" holds for every "+spec.Traces)
	} else {
		c.line(false, shown+" does not hold; a shortest counterexample: <code>"+html.EscapeString(strings.Join(counterexample, " "))+"</code>")
	}
	return nil
}
