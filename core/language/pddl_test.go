package language_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// analyzed returns the diagnostics of a file, in the order in which they are shown.
func analyzed(t *testing.T, w workspace.Workspace, name string) []source.Diagnostic {
	t.Helper()
	f, ok := w.File(name)
	if !ok {
		t.Fatalf("no file %q", name)
	}
	row, scope := language.Table().Of(name), &notation.Scope{File: f.Source(), Files: w.Files}
	a := row.Document.Analyze(scope)
	row.Document.Refine(scope, &a)
	source.Sort(a.Diagnostics)
	return a.Diagnostics
}

func pddlFaults(t *testing.T, text string) []source.Diagnostic {
	t.Helper()
	return analyzed(t, workspace.Workspace{Files: []workspace.File{{Name: "p.pddl", Text: text}}}, "p.pddl")
}

// The first report of a faulty text is at the place where a reader expects it, in these words.
func TestPDDLFaultsAreReportedAtTheirPlace(t *testing.T) {
	file, err := os.ReadFile("testdata/pddl-faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(file), "\n== ")
	bases := map[string]string{}
	for _, s := range sections[1 : len(sections)-1] {
		name, text, _ := strings.Cut(s, "\n")
		bases[name] = text + "\n"
	}
	_, cases, _ := strings.Cut(sections[len(sections)-1], "\n")
	count := 0
	var text, name, old string
	for line := range strings.Lines(cases) {
		line = strings.TrimSuffix(line, "\n")
		value := strings.ReplaceAll(line[min(2, len(line)):], `\n`, "\n")
		switch {
		case strings.HasPrefix(line, "- "):
			if old = value; !strings.Contains(text, old) {
				t.Fatalf("%s: the text has no %q", name, old)
			}
		case strings.HasPrefix(line, "+ "):
			text = strings.Replace(text, old, value, 1)
		case strings.HasPrefix(line, "= "):
			count++
			checkFault(t, name, text, value)
		default:
			base, _, _ := strings.Cut(line, ": ")
			name, text = line, bases[base]
		}
	}
	if count != 117 {
		t.Errorf("%d texts", count)
	}
}

// checkFault compares the first report of a text with the mark in it and a message; a text without a
// mark has no fault.
func checkFault(t *testing.T, name, marked, message string) {
	t.Helper()
	before, rest, faulty := strings.Cut(marked, "«")
	place, after, _ := strings.Cut(rest, "»")
	found := pddlFaults(t, before+place+after)
	if !faulty || len(found) == 0 {
		if faulty || len(found) > 0 || message != "" {
			t.Errorf("%s: %v, want %q", name, found, message)
		}
		return
	}
	at, start, end := found[0].Span, source.Pos(len(before)), source.Pos(len(before)+len(place))
	if found[0].Message != message || !(at.Start+1 >= start && at.Start <= start+1 || start <= at.Start && at.End <= end) {
		t.Errorf("%s: %q at %q, want %q at %q", name, found[0].Message, (before + place + after)[at.Start:at.End], message, place)
	}
}

// twice has a domain and a problem with each section once, and places for a second one of each.
const twice = `(define (domain d)
  (:requirements :typing :numeric-fluents)
  (:types car port)
  (:constants a - car)
  (:predicates (at ?c - car ?p - port) (idle))
  (:functions (fuel))
  (:action go :parameters (?c - car ?p - port) :precondition (and (idle) (> (fuel) 0)) :effect (at ?c ?p)%ACTION)%DOMAIN)
(define (problem p) (:domain d)
  (:requirements :typing)
  (:objects b - port)
  (:init (idle) (= (fuel) 1))
  (:goal (at a b))
  (:metric minimize (fuel))%PROBLEM)
`

// A second section, or a second part of an action, has one report, at its keyword, with a fix after
// which the text has no error.
func TestSecondSectionHasOneReport(t *testing.T) {
	const move, remove = "Move its contents to the first", "Remove it"
	for _, c := range []struct{ place, text, fix, after string }{
		{"%DOMAIN", "(:requirements :adl)", move, "(:requirements :typing :numeric-fluents :adl)"},
		{"%DOMAIN", "(:types boat)", move, "(:types car port boat)"},
		{"%DOMAIN", "(:types boat - port)", remove, "(:types car port)"}, // else port would be a boat
		{"%DOMAIN", "(:constants z - port)", move, "(:constants a - car z - port)"},
		{"%DOMAIN", "(:predicates (busy))", move, "(idle) (busy))"},
		{"%DOMAIN", "(:predicates (idle))", remove, "(idle))"},
		{"%DOMAIN", "(:functions (load))", move, "(:functions (fuel) (load))"},
		{"%PROBLEM", "(:domain d)", remove, ""},
		{"%PROBLEM", "(:requirements :adl)", move, "(:requirements :typing :adl)"},
		{"%PROBLEM", "(:objects c - car)", move, "(:objects b - port c - car)"},
		{"%PROBLEM", "(:init (at a b))", move, "(:init (idle) (= (fuel) 1) (at a b))"},
		{"%PROBLEM", "(:init (and (idle)))", remove, ""},
		{"%PROBLEM", "(:init (unknown))", remove, ""},
		{"%PROBLEM", "(:init)", remove, ""},
		{"%PROBLEM", "(:goal (idle))", remove, ""},
		{"%PROBLEM", "(:goal idle)", remove, ""},
		{"%PROBLEM", "(:metric maximize (fuel))", remove, ""},
		{"%ACTION", ":parameters (?d - car)", remove, ""},
		{"%ACTION", ":precondition (idle)", remove, ""},
		{"%ACTION", ":effect (idle)", remove, ""},
	} {
		text := strings.Replace(twice, c.place, " "+c.text, 1)
		for _, place := range []string{"%DOMAIN", "%PROBLEM", "%ACTION"} {
			text = strings.Replace(text, place, "", 1)
		}
		keyword, _, _ := strings.Cut(strings.Trim(c.text, "()"), " ")
		at := strings.LastIndex(text, c.text) + strings.Index(c.text, ":")
		message := "duplicate section " + keyword
		if c.place == "%ACTION" {
			message = "duplicate " + keyword
		}
		var faults []source.Diagnostic
		for _, d := range pddlFaults(t, text) {
			if d.Severity == source.SeverityError {
				faults = append(faults, d)
			}
		}
		if len(faults) != 1 || faults[0].Message != message || faults[0].Span != (source.Span{Start: source.Pos(at), End: source.Pos(at + len(keyword))}) || len(faults[0].Fixes) != 1 || faults[0].Fixes[0].Title != c.fix {
			t.Errorf("%s: %+v", c.text, faults)
			continue
		}
		after := source.Apply(text, faults[0].Fixes[0].Edits)
		if left := pddlFaults(t, after); source.HasErrors(left) || !strings.Contains(after, c.after) {
			t.Errorf("%s: %s\n%v", c.text, after, left)
		}
	}
}

// A function that is read and has no value is reported at the initial state; one that has a value for
// some objects, that an action assigns, that nothing reads in a state that can occur, or of which there is no object, is not.
func TestFunctionsWithoutInitialValueAreReported(t *testing.T) {
	const text = `(define (domain d)
  (:requirements :typing :numeric-fluents)
  (:types car tram)
  (:predicates (done ?c - car) (unlikely ?c - car) (idle))
  (:functions (fuel ?c - car) (wire ?t - tram) (load) (cost))
  (:action go :parameters (?c - car) :precondition %CONDITION :effect (and (done ?c) %EFFECT)))
(define (problem p) (:domain d)
  (:objects a b - car)
  (:init %INIT)
  (:goal (done a)))
`
	for _, c := range []struct{ condition, effect, init, unset string }{
		{"(> (fuel ?c) 1)", "", "(idle)", "fuel"},
		{"(or (idle) (< 1 (- (load) 2)))", "", "(idle)", "load"},
		{"(forall (?x - car) (not (= (fuel ?x) (load))))", "", "(= (fuel a) 2)", "load"},
		{"()", "(increase (load) 1)", "(idle)", "load"},
		{"()", "(assign (load) (fuel ?c))", "(idle)", "fuel"},
		{"()", "(when (> (load) 1) (idle))", "(idle)", "load"},
		{"(> (fuel ?c) 1)", "", "(= (fuel b) 2)", ""},
		{"(> (load) 1)", "(assign (load) 2)", "(idle)", ""},
		{"()", "", "(idle)", ""},
		{"(forall (?t - tram) (> (wire ?t) 1))", "", "(idle)", ""},
		{"(and (unlikely ?c) (> (load) 1))", "", "(idle)", ""},
		{"(and (unlikely ?c) (> (load) 1))", "", "(unlikely a)", "load"},
		{"()", "(not (idle))) ) (:action ride :parameters (?t - tram) :precondition (> (load) 1) :effect (and (idle)", "(idle)", ""},
	} {
		text := strings.NewReplacer("%CONDITION", c.condition, "%EFFECT", c.effect, "%INIT", c.init).Replace(text)
		unset := ""
		for _, d := range pddlFaults(t, text) {
			switch {
			case d.Severity == source.SeverityError:
				t.Errorf("%s %s: %s", c.condition, c.effect, d.Message)
			case d.Code != "strips.unset":
			case d.Severity != source.SeverityWarning || text[d.Span.Start:d.Span.End] != ":init" || unset != "":
				t.Errorf("%+v", d)
			default:
				unset = d.Message
			}
		}
		if want := `missing value of "` + c.unset + `" in :init`; c.unset != "" && unset != want || c.unset == "" && unset != "" {
			t.Errorf("%s %s %s: %q, want %q", c.condition, c.effect, c.init, unset, c.unset)
		}
	}
}

// Of the problems of the gallery and of the tests, only those that test such functions have one.
func TestStoredProblemsHaveAllInitialValues(t *testing.T) {
	checked, unset := 0, ""
	check := func(w workspace.Workspace, name, problem string) {
		checked++
		for _, d := range analyzed(t, w, name) {
			switch {
			case d.Severity == source.SeverityError:
				t.Errorf("%s: %s", problem, d.Message)
			case d.Code == "strips.unset":
				unset += problem + ": " + d.Message + "\n"
			}
		}
	}
	names, err := filepath.Glob("../strips/testdata/domains/*.pddl")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree, _ := sexpr.Parse(source.NewFile(name, string(text)))
		domain := string(text[tree.Nodes[0].Span.Start:tree.Nodes[0].Span.End])
		for _, n := range tree.Nodes[1:] {
			check(workspace.Workspace{Files: []workspace.File{{Name: "p.pddl", Text: domain + "\n" + string(text[n.Span.Start:n.Span.End])}}}, "p.pddl", n.Items[1].Items[1].Text)
		}
	}
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		for _, f := range e.Files {
			if strings.HasSuffix(f.Name, ".pddl") {
				check(workspace.Workspace{Files: e.Files}, f.Name, f.Name)
			}
		}
	}
	if want := `keys-3: missing value of "crowbar" in :init
undefined-2: missing value of "f" in :init
undefined-3: missing value of "f" in :init
`; checked < 150 || unset != want {
		t.Errorf("%d problems: %s", checked, unset)
	}
}

// A goal, a metric and a derived predicate read functions, too.
func TestFunctionsThatNoActionReadsNeedAValue(t *testing.T) {
	for _, c := range []struct{ axiom, goal, metric, unset string }{
		{"", "(>= (f) 1)", "", "f"},
		{"", "(a)", "(:metric minimize (+ (total-cost) (f)))", "f"},
		{"(:derived (rich) (>= (f) 1))", "(rich)", "", "f"},
		{"", "(a)", "", ""},
	} {
		text := "(define (domain d) (:requirements :strips :numeric-fluents :derived-predicates :action-costs) (:predicates (a) (rich)) (:functions (f) (total-cost)) " + c.axiom +
			" (:action go :parameters () :effect (and (a) (increase (f) 1) (increase (total-cost) 1))))\n(define (problem p) (:domain d) (:init) (:goal " + c.goal + ") " + c.metric + ")"
		text = strings.Replace(text, " (increase (f) 1)", "", 1)
		unset := ""
		for _, d := range pddlFaults(t, text) {
			if strings.HasPrefix(d.Message, "missing value of ") {
				unset += d.Message
			}
		}
		if (c.unset == "") != (unset == "") || !strings.Contains(unset, c.unset) {
			t.Errorf("%+v: %q", c, unset)
		}
	}
}

// The places of a missing section are those of the sections, not of comments.
func TestMissingInitIgnoresComments(t *testing.T) {
	const domain = "(define (domain d) (:predicates (a) (b)) (:action go :parameters () :precondition (b) :effect (a)))\n"
	for _, text := range []string{
		"(define (problem p) (:domain d) ; İ (:goal (old))\n ; no (:init yet\n (:GOAL (a)))",
	} {
		found := pddlFaults(t, domain+text)
		fixed := ""
		for _, d := range found {
			if d.Code == "strips.init" && len(d.Fixes) > 0 {
				e := d.Fixes[0].Edits[0]
				all := domain + text
				fixed = all[:e.Span.Start] + e.Text + all[e.Span.End:]
			}
		}
		if !strings.Contains(fixed, "yet\n (:init)\n  (:GOAL (a))") {
			t.Errorf("%q: %q %v", text, fixed, found)
		}
	}
}
