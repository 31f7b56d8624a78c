package session

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

func testsMethods() []Method {
	return []Method{method("tests.run", (*Session).testsRun), method("tests.add", (*Session).testsAdd)}
}

// TestsRunParams are a workspace. Name limits the cases to those of a file of tests or of a
// spec; "": all of the workspace. From and Count select a range of these, so that a host can run
// many cases in several calls; a Count of 0 selects all.
type TestsRunParams struct {
	Files []File `json:"files"`
	Name  string `json:"name,omitempty"`
	From  int    `json:"from,omitempty"`
	Count int    `json:"count,omitempty"`
}

// The statuses of cases, and of all cases of a workspace.
const (
	testPass  = "pass"
	testFail  = "fail"
	testError = "error"
	testNone  = "none" // there is no case
)

// TestsCase is a case with its result. Status is "pass", "fail", or "error" for a case that
// cannot be judged. Expected and Actual are "accept", "reject" or "incomplete" for a word,
// "valid" or "invalid" for a plan, "valid", "violated" or "incomplete" for a run; Actual is
// empty for an error. Reason states why the spec does not accept the case, or why it cannot be
// judged. From and To are the place of the case in its file, AtFrom and AtTo that of the reason,
// in UTF-16 code units.
type TestsCase struct {
	File     string   `json:"file"`
	Spec     string   `json:"spec"`
	Form     string   `json:"form"` // "word", "plan" or "run"
	Label    string   `json:"label"`
	Word     []string `json:"word,omitempty"`
	Expected string   `json:"expected"`
	Actual   string   `json:"actual"`
	Status   string   `json:"status"`
	Reason   string   `json:"reason,omitempty"`
	Line     int      `json:"line"`
	From     int      `json:"from"`
	To       int      `json:"to"`
	AtFrom   int      `json:"atFrom"`
	AtTo     int      `json:"atTo"`
}

// TestsRunResult lists the cases of a workspace's files of tests. Verdict is "pass" if there are
// cases and all of them pass, "fail" if one fails, "error" if a case cannot be judged or a file
// has errors, which are listed in Faults, and "none" without a case. Total is the number of cases
// without a selected range; the other fields are about the range.
type TestsRunResult struct {
	Total   int          `json:"total"`
	Verdict string       `json:"verdict"`
	Passed  int          `json:"passed"`
	Failed  int          `json:"failed"`
	Errors  int          `json:"errors"`
	Cases   []TestsCase  `json:"cases"`
	Faults  []Diagnostic `json:"faults"`
}

func (s *Session) testsRun(p TestsRunParams) (TestsRunResult, error) {
	w := s.project(p.Files)
	out := TestsRunResult{Cases: []TestsCase{}, Faults: []Diagnostic{}}
	if err := w.Check(); err != nil {
		return out, err
	}
	if _, ok := w.File(p.Name); p.Name != "" && !ok {
		return out, missingFile(p.Name, w.Workspace)
	}
	for _, f := range p.Files {
		named := p.Name == "" || p.Name == f.Name
		if w.table.Of(f.Name).Kind != workspace.KindTests || !named && w.table.Of(p.Name).Kind == workspace.KindTests {
			continue
		}
		file := f.Source()
		cases, found := language.ReadTests(&notation.Scope{Table: w.table, File: file, Files: p.Files})
		var errors []source.Diagnostic
		for _, d := range found {
			if d.Severity == source.SeverityError {
				errors = append(errors, d)
			}
		}
		out.Faults = append(out.Faults, wireDiagnostics(file, errors)...)
		out.add(s.runTests(w, file, cases, func(c language.TestCase) bool {
			if !named && c.SpecName != p.Name {
				return false
			}
			i := out.Total - p.From
			out.Total++
			return i >= 0 && (p.Count == 0 || i < p.Count)
		}))
	}
	switch {
	case out.Errors > 0 || len(out.Faults) > 0:
		out.Verdict = testError
	case out.Failed > 0:
		out.Verdict = testFail
	case out.Passed > 0:
		out.Verdict = testPass
	default:
		out.Verdict = testNone
	}
	return out, nil
}

// runTests judges the selected cases of a file.
func (s *Session) runTests(w project, file *source.File, cases []language.TestCase, selected func(language.TestCase) bool) []TestsCase {
	out := make([]TestsCase, 0, len(cases))
	at := places{file: file}
	at.reserve(4 * len(cases))
	for _, c := range cases {
		if !selected(c) {
			continue
		}
		v := s.judgeTest(w, c)
		out = append(out, TestsCase{
			File: file.Name, Spec: c.SpecName, Form: string(c.Form), Label: c.Label(), Expected: c.Expect,
			Actual: v.actual, Reason: v.reason, Line: file.Locate(c.Span.Start).Line, Status: v.status(c.Expect),
		})
		r := &out[len(out)-1]
		if c.Form == spectest.Word {
			r.Word = c.Names()
		}
		if v.at.Len() == 0 {
			v.at = c.Head
		}
		at.span(&r.From, &r.To, c.Span)
		at.span(&r.AtFrom, &r.AtTo, v.at)
	}
	at.settle()
	return out
}

func (r *TestsRunResult) add(cases []TestsCase) {
	r.Cases = append(r.Cases, cases...)
	for _, c := range cases {
		switch c.Status {
		case testPass:
			r.Passed++
		case testFail:
			r.Failed++
		default:
			r.Errors++
		}
	}
}

// caseVerdict is the verdict on a case, "" if it cannot be judged.
type caseVerdict struct {
	actual string
	reason string
	at     source.Span // of the reason; empty: the case
}

// status compares the verdict with the expected one.
func (j caseVerdict) status(expected string) string {
	switch {
	case j.actual == "":
		return testError
	case j.actual == expected, expected == spectest.Reject && j.actual == spectest.Incomplete:
		return testPass
	}
	return testFail
}

func failedTest(err error) caseVerdict { return caseVerdict{reason: err.Error()} }

// judgeTest judges a case by the method of its form.
func (s *Session) judgeTest(w project, c language.TestCase) caseVerdict {
	switch {
	case c.Fault != "":
		return caseVerdict{reason: c.Fault}
	case c.Form == spectest.Word:
		return s.judgeWord(w, c)
	case c.Form == spectest.Run:
		return s.judgeRun(w, c)
	case w.table.Of(c.SpecName).Starts(RunPlan):
		return s.judgePlan(w, c)
	}
	return s.judgeSteps(w, c)
}

// maxExpected bounds the symbols that a reason lists.
const maxExpected = 6

// judgeWord judges a word by step.walk.
func (s *Session) judgeWord(w project, c language.TestCase) caseVerdict {
	word := c.Names()
	if w.table.Of(c.SpecName).Properties != nil {
		return judgeTrace(w, c)
	}
	walked, err := walk(w.table, StepWalkParams{Files: w.Files, Name: c.SpecName, Word: word})
	switch {
	case err != nil:
		return failedTest(err)
	case walked.Verdict == "valid":
		return caseVerdict{actual: spectest.Accept}
	case walked.Verdict == "incomplete":
		return caseVerdict{actual: spectest.Incomplete, reason: "incomplete" + expectedNext(walked.Next)}
	case walked.Violation == nil:
		return caseVerdict{actual: spectest.Reject, reason: "no word of " + c.SpecName + " begins like this"}
	}
	i := *walked.Violation
	out := caseVerdict{actual: spectest.Reject, at: c.Word[i].Span, reason: strconv.Quote(word[i]) + " is not valid at position " + strconv.Itoa(i+1)}
	if before, err := walk(w.table, StepWalkParams{Files: w.Files, Name: c.SpecName, Word: word[:i]}); err == nil {
		if out.reason += expectedNext(before.Next); len(before.Next) == 0 {
			out.reason += "; the word is complete before it"
		}
	}
	return out
}

// judgeTrace judges a trace by every formula of a file: it is accepted if all of them hold.
func judgeTrace(w project, c language.TestCase) caseVerdict {
	f, _ := w.File(c.SpecName)
	list, _ := w.table.Of(f.Name).Properties(f.Source())
	out := caseVerdict{actual: spectest.Accept}
	for i, n := range list {
		walked, err := walk(w.table, StepWalkParams{Files: w.Files, Name: f.Name, View: strconv.Itoa(i), Word: c.Names()})
		switch {
		case err != nil:
			return failedTest(err)
		case walked.Violation != nil:
			at := *walked.Violation
			return caseVerdict{actual: spectest.Reject, at: c.Word[at].Span, reason: "violates " + language.PropertyName(n) + " at position " + strconv.Itoa(at+1)}
		case walked.Verdict == "invalid":
			return caseVerdict{actual: spectest.Reject, reason: "violates " + language.PropertyName(n)}
		case walked.Verdict == "incomplete" && out.actual == spectest.Accept:
			out = caseVerdict{actual: spectest.Incomplete, reason: "incomplete: " + language.PropertyName(n) + " does not hold yet" + expectedNext(walked.Next)}
		}
	}
	return out
}

func expectedNext(next []Letter) string {
	var names []string
	for _, l := range next[:min(len(next), maxExpected)] {
		names = append(names, spectest.Quote(l.Name))
	}
	switch {
	case len(names) == 0:
		return ""
	case len(next) > len(names):
		return "; expected " + strings.Join(names, ", ") + " or " + strconv.Itoa(len(next)-len(names)) + " others"
	case len(names) == 1:
		return "; expected " + names[0]
	}
	return "; expected " + strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// judgePlan judges a plan by plan.check. A plan with a step that names no symbol of the spec, or
// with a property that cannot be judged, has no verdict.
func (s *Session) judgePlan(w project, c language.TestCase) caseVerdict {
	if err := language.CheckProperties(w.table, w.Files, nil); err != nil {
		return failedTest(err)
	}
	checked, err := s.planCheck(PlanCheckParams{Files: w.Files, Name: c.SpecName, Text: c.Text})
	if err != nil {
		return failedTest(err)
	}
	reason := checked.Fault
	if checked.Reason != "" {
		reason += " (" + strings.ReplaceAll(strings.TrimSpace(checked.Reason), "\n", "; ") + ")"
	}
	text := source.NewFile("plan", c.Text)
	out := caseVerdict{reason: reason, at: c.Place(int(text.Offset(checked.From)), int(text.Offset(checked.To)))}
	unknown := slices.ContainsFunc(checked.Found, func(f PlanFound) bool { return f.Symbol == "" }) ||
		slices.ContainsFunc(checked.Unread, func(u PlanUnread) bool { return u.Step })
	switch {
	case unknown || len(checked.Found) == 0 && len(checked.Unread) > 0:
		if out.reason == "" {
			out.reason = "a step names no symbol of " + c.SpecName
		}
	case checked.Valid:
		out.actual = spectest.Valid
	default:
		out.actual = spectest.Invalid
	}
	return out
}

// judgeSteps judges a plan for a problem in PDDL by steps.validate.
func (s *Session) judgeSteps(w project, c language.TestCase) caseVerdict {
	checked, err := s.stepsValidate(StepsValidateParams{Files: w.Files, Name: c.SpecName, Plan: c.Text})
	if err != nil {
		return failedTest(err)
	}
	text := source.NewFile("plan", c.Text)
	out := caseVerdict{actual: spectest.Valid}
	for _, d := range checked.Diagnostics {
		if d.Severity == "error" {
			out = caseVerdict{actual: spectest.Invalid, reason: d.Message, at: c.Place(int(text.Offset(d.From)), int(text.Offset(d.To)))}
			if checked.Fault == nil || checked.Fault.Code == strips.FaultAction || checked.Fault.Code == strips.FaultArguments {
				out.actual = "" // a step that cannot be read, or has an unknown name
			}
			break
		}
	}
	for _, check := range checked.Checks {
		switch {
		case check.Holds:
		case check.File == "" || strings.HasPrefix(check.Reason, "not judged"):
			return caseVerdict{reason: check.Reason}
		case out.actual == spectest.Valid:
			out.actual, out.reason = spectest.Invalid, "violates "+cmp.Or(check.Name, check.File)+": "+check.Reason
		}
	}
	return out
}

// judgeRun judges the text of a run by monitor.check, with the formulas of the workspace.
func (s *Session) judgeRun(w project, c language.TestCase) caseVerdict {
	f, _ := w.File(c.SpecName)
	properties := ""
	for _, p := range w.table.Properties(w.Files) {
		properties += p.File.Text + "\n\n"
	}
	others := slices.DeleteFunc(slices.Clone(w.Files), func(g File) bool { return g.Name == f.Name })
	checked, err := s.monitorCheck(MonitorCheckParams{Source: f.Text, Text: c.Text, Format: monitor.TraceText, Properties: properties, Others: others})
	if err != nil {
		return failedTest(err)
	}
	for _, u := range checked.Unread {
		return caseVerdict{reason: u.Reason, at: c.Place(offsets(c.Text, u.From, u.To))}
	}
	for _, p := range checked.Properties {
		if p.Fault != "" {
			return caseVerdict{reason: "property " + p.Name + ": " + p.Fault}
		}
	}
	out := caseVerdict{actual: spectest.Valid}
	switch checked.Verdict {
	case agent.VerdictValid:
		return out
	case agent.VerdictIncomplete:
		next := make([]Letter, len(checked.Next))
		for i, name := range checked.Next {
			next[i].Name = name
		}
		out.actual, out.reason = spectest.Incomplete, "incomplete"+expectedNext(next)
	case agent.VerdictInvalid, monitor.VerdictViolated:
		out.actual = spectest.Violated
	default:
		return caseVerdict{reason: "the run cannot be judged: " + string(checked.Verdict)}
	}
	if v := checked.Violation; v != nil {
		out.reason, out.at = v.Reason, c.Place(v.Start, v.End)
		return out
	}
	for _, p := range checked.Properties {
		if !p.Holds && !p.Other && out.actual == spectest.Violated {
			out.reason = "violates " + p.Name
			if p.Reason != "" {
				out.reason += ": " + p.Reason
			}
			break
		}
	}
	return out
}

// offsets converts a range in UTF-16 code units to bytes.
func offsets(text string, from, to int) (start, end int) {
	f := source.NewFile("text", text)
	return int(f.Offset(from)), int(f.Offset(to))
}

// maxInspected is the maximum number of cases that an inspection judges: a host waits for it.
const maxInspected = 25

// inspectTests reports failing cases as warnings, and cases that cannot be judged as errors.
func inspectTests(scope *notation.Scope, out *notation.Inspection) {
	s := With(Table{Notations: scope.Table})
	w := project{workspace.Workspace{Files: scope.Files}, scope.Table}
	cases, _ := language.ReadTests(scope)
	for i, c := range cases {
		if i == maxInspected {
			out.Diagnostics = append(out.Diagnostics, source.Diagnostic{
				Code: "limit.tests", Severity: source.SeverityInfo, Span: c.Head, Message: "failing cases from here on are not marked; the list of tests shows them",
			})
			break
		}
		if c.Fault != "" {
			continue // document.analyze reports it
		}
		v := s.judgeTest(w, c)
		status := v.status(c.Expect)
		if status == testPass {
			continue
		}
		d := source.Diagnostic{Code: "tests.failed", Severity: source.SeverityWarning, Span: c.Head, Message: "expected " + c.Expect + ", got " + v.actual}
		switch {
		case strings.HasPrefix(v.reason, v.actual):
			d.Message = "expected " + c.Expect + ", got " + v.reason
		case v.reason != "":
			d.Message += ": " + v.reason
		}
		if status == testError {
			d.Code, d.Severity, d.Message = "tests.unjudged", source.SeverityError, "not judged: "+v.reason
		}
		if v.at.Len() > 0 {
			d.Span = v.at
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
}

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
	// The case is read back from its written form, so that the result is judged as it will be.
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
