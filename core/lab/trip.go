package lab

import (
	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/travel"
	"github.com/stile-playground/stile/core/workspace"
)

// tripFolder is the example with the tools for the letters of trips.
const tripFolder = "travel"

// trip is a query of TravelPlanner as a planning workspace.
type trip struct {
	db    *travel.DB
	query travel.Query
	flow  travel.Flow
	files []workspace.File
}

// trips are the queries of a workspace. Each automaton is made once.
type trips struct {
	files   []workspace.File
	db      *travel.DB
	samples []travel.Sample
	made    map[int]*trip
}

func (t *trips) of(at int) (*trip, error) {
	if made := t.made[at]; made != nil {
		return made, nil
	}
	w := workspace.Workspace{Files: t.files}
	text := func(name string) (string, error) {
		f, ok := w.File(name)
		if !ok {
			return "", source.NewError("lab.tasks", "the workspace has no file "+name)
		}
		return f.Text, nil
	}
	if t.db == nil {
		data, err := text("travelplanner/data.json")
		if err != nil {
			return nil, err
		}
		queries, err := text("travelplanner/queries.json")
		if err != nil {
			return nil, err
		}
		if t.samples, err = travel.ParseSamples(queries); err != nil {
			return nil, err
		}
		if t.db, err = travel.Open(data); err != nil {
			return nil, err
		}
		t.made = map[int]*trip{}
	}
	tools, err := text(tripFolder + "/tools.json")
	if err != nil {
		return nil, err
	}
	out := &trip{db: t.db, query: t.samples[at].Query}
	if out.flow, err = t.db.Flow(out.query); err != nil {
		return nil, err
	}
	add := func(name, text string) {
		if text != "" {
			out.files = append(out.files, workspace.File{Name: name, Text: text})
		}
	}
	add(travel.FlowFile, out.flow.Automaton)
	add("properties.ltl", out.flow.Properties)
	add("query.json", out.flow.Query)
	add("records.json", out.flow.Records)
	add("tools.json", tools)
	t.made[at] = out
	return out, nil
}

// judge checks a plan against the constraints of the benchmark. A missing plan is judged as
// well.
func (t *trip) judge(made process.NestedResult) ([]Measure, error) {
	var trip travel.Plan
	var p plan.Plan
	if made.Err == nil {
		if err := json.Unmarshal(made.Result, &p); err != nil {
			return nil, err
		}
		texts := make([]string, len(p.Steps))
		for i, s := range p.Steps {
			texts[i] = s.Text
		}
		var err error
		if trip, err = t.flow.TripOf(t.query, p.Word, texts); err != nil {
			return nil, err
		}
		if unmade(p) {
			trip = nil
		}
	}
	report := t.db.Check(t.query, trip)
	s := travel.ScoreAll([]travel.Report{report})
	list := []Measure{yes("valid", made.Err == nil && !unmade(p)), yes("score", report.Final)}
	if made.Err == nil {
		list = append(list, number("fallbacks", float64(p.Otherwise)))
	}
	for _, rate := range []struct {
		name string
		rate bench.Rate
	}{
		{"delivered", s.Delivery}, {"common-sense-micro", s.CommonsenseMicro}, {"common-sense-macro", s.CommonsenseMacro},
		{"hard-micro", s.HardMicro}, {"hard-macro", s.HardMacro}, {"final-pass", s.Final},
	} {
		if rate.rate.Of > 0 {
			list = append(list, Measure{rate.name, float64(rate.rate.Count), float64(rate.rate.Of)})
		}
	}
	for _, c := range s.Constraints {
		list = append(list, Measure{Word(c.Constraint), float64(c.Rate.Count), float64(c.Rate.Of)})
	}
	return list, nil
}
