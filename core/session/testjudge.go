package session

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/strips"
)

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
	case c.Form == spectest.Run && w.table.Of(c.SpecName).Judge != nil:
		return judgeEvents(w, c)
	case c.Form == spectest.Run:
		return s.judgeRun(w, c)
	case w.table.Of(c.SpecName).Starts(RunPlan):
		return s.judgePlan(w, c)
	}
	return s.judgeSteps(w, c)
}

// judgeEvents judges a run whose events have data.
func judgeEvents(w project, c language.TestCase) caseVerdict {
	f, _ := w.File(c.SpecName)
	v := w.table.Of(f.Name).Judge(f.Source(), c.Text)
	return caseVerdict{actual: v.Verdict, reason: v.Reason, at: c.Place(int(v.At.Start), int(v.At.End))}
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
