package lab

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func TestReferenceCoversEveryKeywordWithParsedExamples(t *testing.T) {
	said := map[string]bool{}
	for _, e := range Manual() {
		for _, w := range e.Words {
			said[w] = true
		}
		if e.Form == "" || !strings.HasSuffix(e.Text, ".") || !strings.Contains(e.Example, e.Words[0]) {
			t.Errorf("%+v", e)
		}
		if _, found := Parse(source.NewFile("a.lab", e.Example)); len(found) > 0 {
			t.Errorf("%s: %+v", e.Example, found)
		}
	}
	for _, list := range [][]string{sections, sourceKinds, sourceParts, methodKinds, methodParts, modelKinds, modelParts} {
		for _, w := range list {
			if !said[w] {
				t.Errorf("the manual does not say what %s is", w)
			}
		}
	}
	for _, part := range methodParts {
		if part != ":name" && part != ":only" && part != ":rules" && partKinds[part] == "" {
			t.Errorf("%s is for no kind of methods", part)
		}
	}
}

// labels of the candidates at "¦" in an experiment.
func labels(t *testing.T, text string) (string, workspace.Workspace, []string) {
	t.Helper()
	before, after, _ := strings.Cut(text, "¦")
	w := workspace.Workspace{Files: []workspace.File{
		{Name: "a.lab", Text: before + after}, {Name: "react/react.agent"}, {Name: "questions/q.jsonl", Text: `{"question":"a","group":"easy"}`}, {Name: "things/tasks.json", Text: `{"tasks":[{"text":"one","class":"small"},{"text":"two","class":"big"}]}`},
	}}
	c := Complete(w, "a.lab", source.Pos(len(before)))
	var out []string
	for _, item := range c.Items {
		if item.Insert != "" {
			item.Label = item.Insert
		}
		out = append(out, item.Label)
	}
	return before[c.Span.Start:], w, out
}

func TestCompletionListsCandidates(t *testing.T) {
	for _, c := range []struct{ text, begun, has, hasNot string }{
		{"¦", "", "(experiment)", ""},
		{"(exp¦", "exp", "experiment", ":tasks"},
		{"(experiment a (¦", "", ":tasks :methods :budget", "experiment plans"},
		{"(experiment a (:ta¦", ":ta", ":tasks", "plans"},
		{"(experiment a ¦)", "", "(:tasks)", "plans"},
		{"(experiment a (:tasks (¦", "", "plans questions", "plan :pick"},
		{"(experiment a (:tasks (benchmark ¦", "", "travelplanner apibank", "team"},
		{"(experiment a (:tasks (problems co¦))", "co", "coffee gripper", "team"},
		{"(experiment a (:tasks (problems coffee (¦", "", ":pick :kind", ":name"},
		{"(experiment a (:tasks (plans ¦", "", `"things"`, ":kind"},
		{`(experiment a (:tasks (plans "thi¦`, `"thi`, `"things"`, ""},
		{`(experiment a (:tasks (questions "¦"`, `"`, `"questions/q.jsonl"`, ""},
		{"(experiment a (:methods (benchmark ¦", "", "team sole", "travelplanner"},
		{"(experiment a (:methods (monitor ¦", "", `"react/react.agent" (:samples)`, "(:naive)"},
		{"(experiment a (:methods (plan (¦", "", ":naive :name", ":samples"},
		{"(experiment a (:methods (formulate cot (:without ¦", "", "definer", "likelier"},
		{"(experiment a (:models (simulated ¦", "", "rambler first", "coffee"},
		{"(experiment a (:models (endpoint ¦", "", `"lab"`, ""},
		{`(experiment a (:methods (plan (:name "p"))) (:models (endpoint "lab" (:only ¦`, "", `"p"`, ""},
		{"(experiment a (:methods (plan)) (:measures ¦", "", "valid dead-ends", "violations"},
		{`(experiment a (:methods (monitor "react/react.agent")) (:columns ("a" ¦`, "", "violations", "dead-ends"},
		{`(experiment a (:tasks (plans "things")) (:columns ("a" score (:of ¦`, "", `"small" "big"`, ""},
		{`(experiment a (:columns ("a" score (¦`, "", ":of :sum", ":name"},
		{"(experiment a (:budget (¦", "", "calls money", ":sum"},
		{"(experiment a (:across ¦", "", "methods", ""},
		{"(experiment a ; (:tasks (¦", "", "", "plans"},
		{"(experiment a (:note \"; ( ¦\")", `"; ( `, "", "plans"},
	} {
		begun, _, got := labels(t, c.text)
		if begun != c.begun && len(got) > 0 {
			t.Errorf("%s: %q has been begun", c.text, begun)
		}
		offers(t, c.text, got, c.has, c.hasNot)
	}
}

func TestHoverDescribesWords(t *testing.T) {
	for _, c := range []struct{ text, name, says string }{
		{"(experiment a (:se¦eds 1))", ":seeds", "once with each seed"}, {"(experiment a (:seeds 1¦))", "", ""}, {"(experiment a (:measures va¦lid))", "valid", "is valid"},
		{`(experiment a (:columns ("x" rouge¦-l)))`, "rouge-l", "similarity"}, {`(experiment a (:tasks (plans "thi¦ngs")))`, "tasks", "2 tasks."}, {`(experiment a (:tasks (plans "no¦ne")))`, "tasks", "no file"},
		{"(experiment a (:models (simulated ram¦bler 0.3)))", "rambler", "errors"}, {"(experiment pl¦an)", "", ""}, {"¦", "", ""}, {"(experiment a) ¦ ", "", ""}, {"; (experiment¦", "", ""},
	} {
		before, _, _ := strings.Cut(c.text, "¦")
		_, w, _ := labels(t, c.text)
		card := Hover(w, "a.lab", source.Pos(len(before)))
		switch {
		case card == nil:
			if c.name != "" {
				t.Errorf("%s: nothing is told", c.text)
			}
		case card.Name != c.name && card.Kind != c.name || !strings.Contains(strings.Join(card.Lines, " "), c.says):
			t.Errorf("%s: %+v", c.text, card)
		}
	}
}

func FuzzCompletionOfPartialText(f *testing.F) {
	f.Add(small, 40)
	f.Add("(experiment a (:tasks (plans \"thi", 33)
	f.Add("(a \"\\", 5)
	f.Fuzz(func(t *testing.T, text string, at int) {
		w := workspace.Workspace{Files: []workspace.File{{Name: "a.lab", Text: text}}}
		c := Complete(w, "a.lab", source.Pos(at))
		if c.Span.Start > c.Span.End || int(c.Span.End) > len(text) {
			t.Errorf("%q at %d: %+v", text, at, c.Span)
		}
		if card := Hover(w, "a.lab", source.Pos(at)); card != nil && (card.Span.Start > card.Span.End || int(card.Span.End) > len(text)) {
			t.Errorf("%q at %d: %+v", text, at, card.Span)
		}
	})
}

// offers compares the candidates with the words that must be among them and those that
// must not, separated by blanks.
func offers(t *testing.T, text string, got []string, has, hasNot string) {
	t.Helper()
	for _, want := range strings.Fields(has) {
		if !slices.Contains(got, want) {
			t.Errorf("%s: %s is not among %q", text, want, got)
		}
	}
	for _, not := range strings.Fields(hasNot) {
		if slices.Contains(got, not) {
			t.Errorf("%s: %s is among them", text, not)
		}
	}
}
