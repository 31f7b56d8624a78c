package session

import (
	"strings"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
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
