package lab

import (
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
)

// Every export marks the rows of simulated models, also of models that the experiment does not have,
// and no other row; results that were written and read again keep the marks.
func TestExportsMarkSimulatedRows(t *testing.T) {
	x := parsed(t, small)
	list := made()
	for _, o := range list[:2] {
		o.Key, o.Model, o.Simulated = o.Key+"s", "drawn", true
		list = append(list, o)
	}
	results, err := x.Export(list, FormResults)
	if err != nil {
		t.Fatal(err)
	}
	again, outcomes, err := ReadResults(results)
	if err != nil {
		t.Fatal(err)
	}
	for _, across := range []string{"", "methods", "groups"} {
		for _, c := range []struct {
			x        *Experiment
			outcomes []Outcome
		}{{x, list}, {again, outcomes}} {
			c.x.Across = across
			table := c.x.Table(c.outcomes)
			for _, r := range table.Rows {
				if r.Simulated != (r.Model == "drawn") || strings.HasSuffix(r.String(), "drawn (simulated)") != r.Simulated {
					t.Errorf("%s: simulated is %v", r, r.Simulated)
				}
			}
			csv := table.CSV()
			if strings.Count(csv, "\r\nzero-shot,drawn (simulated),,") != 1 || strings.Count(csv, "(simulated)") != 1 {
				t.Errorf("%s", csv)
			}
			markdown, columns := table.Markdown(), 1
			if across == "groups" {
				columns = len(table.Groups)
			}
			if strings.Count(markdown, "drawn (simulated)") != columns || strings.Count(markdown, "(simulated)") != columns || columns == 0 {
				t.Errorf("%q: %s", across, markdown)
			}
		}
	}
	lines, err := x.Export(list, FormJSONL)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(lines) {
		if drawn := strings.Contains(line, `"model":"drawn"`); strings.Contains(line, `"simulated":true`) != drawn {
			t.Errorf("%s", line)
		}
	}
	if strings.Count(lines, `"simulated":true`) != 2 {
		t.Errorf("%s", lines)
	}
}

// The cells of simulated models are marked, those of an endpoint are not.
func TestCellsOfSimulatedModelsAreMarked(t *testing.T) {
	x := parsed(t, `(experiment a (:tasks (plans "things")) (:methods (plan)) (:models (simulated first) (simulated uniform) (endpoint "lab")))`)
	files := []workspace.File{{Name: "things/tasks.json", Text: `{"tasks":[{"text":"one","spec":"a.cfg"}]}`}}
	cells, _, err := x.Cells(files, Settings{Endpoints: []llm.Endpoint{{Name: "lab", URL: "https://models.example", Model: "m"}}})
	if err != nil || len(cells) != 3 {
		t.Fatalf("%d cells: %v", len(cells), err)
	}
	for _, c := range cells {
		if c.Outcome.Simulated != (c.Outcome.Model != "lab") {
			t.Errorf("%s: simulated is %v", c.Outcome.Key, c.Outcome.Simulated)
		}
	}
}

// A simulated model says nothing about CoT, nor about sole planning on API-Bank: they have rows of endpoints
// only, and a note says so. Experiments that were recorded without a wording keep their rows.
func TestSilentMethodsOfBenchmarksHaveNoSimulatedCells(t *testing.T) {
	files := []workspace.File{{Name: "apibank/level3.jsonl", Text: "{}"}, {Name: "travelplanner/data.json", Text: "{}"}, {Name: "travelplanner/queries.json", Text: "[]"}}
	sim, err := os.ReadFile("../../grammars/apibank/level3.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	files[0].Text = string(sim)
	x := parsed(t, `(experiment a (:tasks (benchmark apibank (:pick 0))) (:methods (benchmark team) (benchmark cot) (benchmark sole)) (:models (simulated first) (endpoint "lab")))`)
	s := Settings{Endpoints: []llm.Endpoint{{Name: "lab", URL: "https://models.example", Model: "m"}}}
	for wording, want := range map[string]int{"": 4, WordingEarlier: 6} {
		s.Wording = wording
		cells, notes, err := x.Cells(files, s)
		if err != nil || len(cells) != want {
			t.Fatalf("%q: %d cells: %v", wording, len(cells), err)
		}
		for _, c := range cells {
			if wording == "" && c.Outcome.Simulated && c.Outcome.Method != "team" {
				t.Errorf("the cell %q claims nothing", c.Outcome.Key)
			}
		}
		if said := strings.Contains(strings.Join(notes, " "), `"cot" has no simulated rows`); said != (wording == "") {
			t.Errorf("%q: %q", wording, notes)
		}
	}
}

// Without a price, the cost of an endpoint is unknown and not 0: cells have no measure of it, and the table
// says so. A free endpoint and a priced one have their cost.
func TestUnknownCostIsNotZero(t *testing.T) {
	for _, c := range []struct {
		endpoint llm.Endpoint
		want     string
	}{
		{llm.Endpoint{Name: "lab", URL: "https://models.example", Model: "m"}, "unknown"},
		{llm.Endpoint{Name: "lab", URL: "https://models.example", Model: "m", Price: &llm.Price{Prompt: 1, Completion: 2}}, "0.25"},
		{llm.Endpoint{Name: "lab", URL: "http://localhost:11434", Model: "m"}, "0.25"},
	} {
		x := parsed(t, `(experiment a (:tasks (problems "coffee")) (:methods (formulate formulate)) (:models (endpoint "lab")) (:measures definer-cost cost definer-calls))`)
		cell := Cell{endpoint: &c.endpoint}
		r := formulate.Result{Stages: []formulate.StageSpent{{Stage: formulate.StageDefiner, Spent: formulate.Spent{Calls: 2, Milliseconds: 1500, Money: 0.25}}}}
		spent := process.NestedResult{}
		spent.Spent.Money = 0.25
		list := append(stagesOf(&r, cell.priced()), spentMeasures(spent, cell.priced())...)
		table := x.Table([]Outcome{{Key: "k", Method: "formulate", Model: "lab", State: StateDone, Measures: list}})
		if text := table.Markdown(); strings.Count(text, " "+c.want+" ") < 2 || strings.Contains(text, "The cost of \"lab\" is unknown") != (c.want == "unknown") {
			t.Errorf("%s:\n%s", c.want, text)
		}
	}
}
