package session

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/workspace"
)

// TestsAddParams are a word, or the text of a plan or a run, to add to the tests of a spec, with
// the expected verdict; "": the current one.
type TestsAddParams struct {
	Files  []File   `json:"files"`
	Spec   string   `json:"spec"`
	Form   string   `json:"form"` // "word", "plan" or "run"
	Word   []string `json:"word,omitempty"`
	Text   string   `json:"text,omitempty"`
	Expect string   `json:"expect,omitempty"`
	Title  string   `json:"title,omitempty"`
	// Property selects the counterexample of a formula instead: a word of the first spec that the
	// formula is judged for. Spec, Form and Word are then empty.
	Property *TestsProperty `json:"property,omitempty"`
}

// TestsProperty is a place of a formula, in UTF-16 code units.
type TestsProperty struct {
	File string `json:"file"`
	At   int    `json:"at"`
}

// TestsAddResult is the file of tests with the case, which may be new, and the place of the case
// in UTF-16 code units. Added is false if the file already has the case.
type TestsAddResult struct {
	File   File   `json:"file"`
	Expect string `json:"expect"`
	Added  bool   `json:"added"`
	From   int    `json:"from"`
	To     int    `json:"to"`
	Line   int    `json:"line"`
	// Spec and Word are those of the case, also of a counterexample.
	Spec string   `json:"spec"`
	Word []string `json:"word,omitempty"`
}

func (s *Session) testsAdd(p TestsAddParams) (out TestsAddResult, err error) {
	w := s.project(p.Files)
	if err := w.Check(); err != nil {
		return out, err
	}
	if p.Property != nil {
		if err := counterexample(w, &p); err != nil {
			return out, err
		}
	}
	if _, ok := w.File(p.Spec); !ok {
		return out, missingFile(p.Spec, w.Workspace)
	}
	form := spectest.Form(p.Form)
	c := spectest.Case{Form: form, Expect: p.Expect, Title: p.Title, Text: p.Text}
	for _, name := range p.Word {
		c.Word = append(c.Word, spectest.Symbol{Name: name})
	}
	if p.Expect == "" {
		c.Expect = spectest.Verdicts(form)[0]
	}
	if !slices.Contains(spectest.Verdicts(form), c.Expect) {
		return out, source.NewError("tests.verdict", "unknown verdict "+strconv.Quote(c.Expect)+" (expected "+strings.Join(spectest.Verdicts(form), ", ")+")")
	}
	if form != spectest.Word && strings.TrimSpace(p.Text) == "" {
		return out, source.NewError("tests.text", "the "+p.Form+" has no text")
	}
	// The case is read back from its written form, so that the verdict is that of the saved case.
	alone := source.NewFile(".tests", "spec "+spectest.Quote(p.Spec)+"\n"+c.Write())
	cases, found := language.ReadTests(&notation.Scope{Table: w.table, File: alone, Files: p.Files})
	if len(cases) != 1 || source.HasErrors(found) {
		for _, d := range found {
			return out, source.NewError(d.Code, d.Message)
		}
		return out, source.NewError("tests.text", "the "+p.Form+" cannot be written as a test")
	}
	judged := s.judgeTest(w, cases[0])
	switch {
	case judged.actual == "":
		return out, source.NewError("tests.unjudged", judged.reason)
	case p.Expect == "":
		c.Expect = judged.actual
	}
	out, err = s.insertTest(w, p.Spec, c, cases[0].Key())
	out.Spec, out.Word = p.Spec, p.Word
	return out, err
}

// insertTest adds a case to the first file with tests of the spec, or to a new one.
func (s *Session) insertTest(w project, spec string, c spectest.Case, key string) (out TestsAddResult, err error) {
	base := strings.TrimSuffix(spec, path.Ext(spec))
	name, text := base+"."+string(workspace.KindTests), ""
	if f, ok := w.File(name); ok {
		text = f.Text
	}
	for _, f := range w.Files {
		if w.table.Of(f.Name).Kind != workspace.KindTests {
			continue
		}
		file := f.Source()
		cases, _ := language.ReadTests(&notation.Scope{Table: w.table, File: file, Files: w.Files})
		first := true
		for i := range cases {
			if cases[i].SpecName != spec {
				continue
			}
			if first {
				name, text, first = f.Name, f.Text, false
			}
			cases[i].Spec.Name = spec
			if cases[i].Key() == key {
				return addedTest(f, cases[i].Span, cases[i].Expect, false), nil
			}
		}
		if !first {
			break
		}
	}
	file := source.NewFile(name, text)
	unnamed := language.DefaultSpec(w.table, w.Files, name) == spec
	text, at := spectest.Add(file, c, spec, unnamed)
	return addedTest(File{Name: name, Text: text}, at, c.Expect, true), nil
}

func addedTest(f File, at source.Span, expect string, added bool) TestsAddResult {
	file := f.Source()
	out := TestsAddResult{File: f, Expect: expect, Added: added, Line: file.Locate(at.Start).Line}
	pl := places{file: file}
	pl.span(&out.From, &out.To, at)
	pl.settle()
	return out
}

// counterexample replaces a property with its counterexample.
func counterexample(w project, p *TestsAddParams) error {
	f, ok := w.File(p.Property.File)
	if !ok {
		return missingFile(p.Property.File, w.Workspace)
	}
	row, file := w.table.Of(f.Name), f.Source()
	if row.Properties == nil {
		return source.NewError("tests.property", f.Name+" has no formulas")
	}
	at := file.Offset(p.Property.At)
	list, _ := row.Properties(file)
	for _, n := range list {
		if at < n.Span.Start || at > n.Span.End {
			continue
		}
		for _, subject := range w.table.Subjects(w.Files) {
			if !subject.Has(n.Formula) {
				continue
			}
			holds, word, err := subject.Verify(n.Formula, meter.New(language.AnalysisBudget))
			if err != nil {
				return err
			}
			if holds {
				return source.NewError("tests.property", "no counterexample: proved for every "+subject.Traces+" of "+subject.Name)
			}
			p.Spec, p.Form, p.Word = subject.Name, string(spectest.Word), word
			if p.Title == "" {
				p.Title = "counterexample of " + language.PropertyName(n)
			}
			return nil
		}
		return source.NewError("tests.property", "no spec defines all symbols of the formula")
	}
	return source.NewError("tests.property", "no formula at this place of "+f.Name)
}
