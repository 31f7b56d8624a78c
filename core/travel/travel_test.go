package travel_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/travel"
)

// folder has the benchmark's sample: see its README.md for the source.
const folder = "../../grammars/travelplanner/"

// sample is a query of the benchmark's training set with the plan that a person wrote
// for it and the benchmark's verdict on that plan.
type sample struct {
	index    int
	query    travel.Query
	plan     travel.Plan
	planText string // as the data has it
	expected struct {
		Commonsense map[string]bool
		Hard        map[string]bool
		Total       float64 `json:"total_cost"`
		Released    bool    `json:"within_current_city_repo_semantics"`
		Final       bool    `json:"final_pass"`
	}
}

func load(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(folder + name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func open(t testing.TB) *travel.DB {
	t.Helper()
	db, err := travel.Open(load(t, "data.json"))
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func samples(t testing.TB) []sample {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(load(t, "queries.json")), &raw); err != nil {
		t.Fatal(err)
	}
	var out []sample
	for _, text := range raw {
		var s sample
		var more struct {
			Index    int
			Plan     json.RawMessage `json:"annotated_plan"`
			Expected json.RawMessage
		}
		if err := json.Unmarshal(text, &more); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(more.Expected, &s.expected); err != nil {
			t.Fatal(err)
		}
		var err error
		if s.query, err = travel.ParseQuery(string(text)); err != nil {
			t.Fatal(err)
		}
		plan, found := travel.ParsePlan(string(more.Plan))
		if len(found) > 0 {
			t.Fatalf("query %d: %+v", more.Index, found)
		}
		s.index, s.plan, s.planText = more.Index, plan, string(more.Plan)
		out = append(out, s)
	}
	return out
}

func TestEveryHumanPlanScoresAsInTheBenchmark(t *testing.T) {
	db := open(t)
	list := samples(t)
	if len(list) != 12 {
		t.Fatalf("there are %d samples", len(list))
	}
	for _, released := range []bool{false, true} {
		checked := 0
		var reports []travel.Report
		for _, s := range list {
			r := travel.Checker{DB: db, Released: released}.Check(s.query, s.plan)
			reports = append(reports, r)
			for _, c := range append(r.Commonsense, r.Hard...) {
				want, asked := s.expected.Commonsense[c.Constraint]
				if hard, ok := s.expected.Hard[c.Constraint]; ok {
					want, asked = hard, true
				}
				if c.Constraint == travel.WithinCurrentCity && released {
					want = s.expected.Released
				}
				if asked != c.Asked || asked && (c.Verdict == travel.Pass) != want || !asked && c.Verdict != travel.NotEvaluated {
					t.Errorf("query %d, released %v: %s is %s (%s)", s.index, released, c.Constraint, c.Verdict, c.Reason)
				}
				if asked {
					checked++
				}
			}
			if r.Final != s.expected.Final || float64(r.Cost.Total) != s.expected.Total || len(r.Cost.Unknown) > 0 {
				t.Errorf("query %d: final %v, costs %d of %v, %v", s.index, r.Final, r.Cost.Total, s.expected.Total, r.Cost.Unknown)
			}
		}
		if checked != 12*8+30 {
			t.Errorf("%d constraints were checked", checked)
		}
		scores := travel.ScoreAll(reports)
		for _, rate := range []bench.Rate{scores.Delivery, scores.CommonsenseMicro, scores.CommonsenseMacro, scores.HardMicro, scores.HardMacro, scores.Final} {
			if rate.Share != 1 || rate.Count != rate.Of {
				t.Errorf("%+v", scores)
			}
		}
	}
}

func TestFaultsHaveTheirPlaceAndNumbers(t *testing.T) {
	db, list := open(t), samples(t)
	s := list[0]
	change := func(day int, field, text string) travel.Plan {
		p := append(travel.Plan(nil), s.plan...)
		p[day-1] = p[day-1].Set(field, text)
		return p
	}
	cheap := s.query
	cheap.Budget = 1500
	for _, c := range []struct {
		query            travel.Query
		plan             travel.Plan
		constraint, says string
	}{
		{cheap, s.plan, travel.Budget, "costs 1,608 of 1,500: flights 820 (474 + 346), meals 302 ("},
		{s.query, change(3, "dinner", "Flying Mango, Rockford"), travel.DiverseRestaurant, "day 3, dinner: 'Flying Mango, Rockford' was already day 2's lunch"},
		{s.query, change(2, "lunch", "Flying Mengo, Rockford"), travel.WithinSandbox, "day 2, lunch: unknown restaurant 'Flying Mengo' in Rockford; did you mean Flying Mango?"},
		{s.query, change(2, "lunch", "Flying Mango, Rokford"), travel.WithinSandbox, "day 2, lunch: no restaurant of 'Rokford' is recorded; did you mean Rockford?"},
		{s.query, change(2, "lunch", "Flying Mango"), travel.WithinSandbox, `is not written "Name, City"`},
		{s.query, change(1, "transportation", "Flight Number: F3573120, from St. Petersburg to Rockford"), travel.WithinSandbox, "day 1, transportation: flight F3573120 goes from Rockford to St. Petersburg, not from St. Petersburg to Rockford"},
		{s.query, change(1, "transportation", "Taxi, from St. Petersburg to Rockford"), travel.WithinSandbox, "the data has no route from St. Petersburg to Rockford"},
		{s.query, change(2, "lunch", "-"), travel.CompleteInfo, "day 2, lunch: nothing is planned on this day without travel"},
		{s.query, s.plan[:2], travel.CompleteInfo, "the plan has 2 days of 3"},
		{s.query, s.plan[:2], travel.ReasonableRoute, "day 2, current city: the trip ends in Rockford, not in St. Petersburg where it began"},
		{s.query, change(2, "current_city", "Rokford"), travel.ReasonableRoute, "unknown city 'Rokford'; did you mean Rockford?"},
		{s.query, change(3, "transportation", "Self-driving, from Rockford to St. Petersburg"), travel.NoConflict, "day 3, transportation: self-driving, after flight on day 1"},
		{s.query, change(1, "accommodation", "-"), travel.MinimumNights, "requires at least 2 nights; the plan stays 1 night"},
		{s.query, change(2, "dinner", "Coco Bambu, Denver"), travel.WithinCurrentCity, "day 2, dinner: 'Coco Bambu, Denver' is not in Rockford"},
	} {
		r := db.Check(c.query, c.plan)
		got, ok := r.Check(c.constraint)
		if !ok || got.Verdict != travel.Fail || !strings.Contains(got.Reason, c.says) {
			t.Errorf("%s: %s: %s", c.constraint, got.Verdict, got.Reason)
		}
	}
}

// On a day without travel the released evaluation accepts any letter of the city.
func TestReleasedCityConstraintComparesLetters(t *testing.T) {
	db, s := open(t), samples(t)[0]
	p := append(travel.Plan(nil), s.plan...)
	p[1] = p[1].Set("lunch", "Coco Bambu, Denver")
	for _, c := range []struct {
		released bool
		lunch    string
		want     travel.Verdict
	}{
		{false, "Coco Bambu, Denver", travel.Fail}, {true, "Coco Bambu, Denver", travel.Pass},
		{true, "PUB, MALL", travel.Fail}, {true, "k", travel.Pass},
	} {
		p[1] = p[1].Set("lunch", c.lunch)
		got, _ := travel.Checker{DB: db, Released: c.released}.Only(travel.WithinCurrentCity, s.query, p)
		if got.Verdict != c.want {
			t.Errorf("released %v, %q: %s %s", c.released, c.lunch, got.Verdict, got.Reason)
		}
	}
	// On a day of travel both are the same.
	p[0], p[1] = p[0].Set("dinner", "Coco Bambu, Denver"), s.plan[1]
	if got, _ := (travel.Checker{DB: db, Released: true}).Only(travel.WithinCurrentCity, s.query, p); got.Verdict != travel.Fail {
		t.Errorf("%+v", got)
	}
}

func TestHardConstraintsWaitForTheGate(t *testing.T) {
	db, s := open(t), samples(t)[7]
	p := append(travel.Plan(nil), s.plan...)
	p[1] = p[1].Set("lunch", "-")
	broken := db.Check(s.query, p)
	if !broken.Gated || broken.HardPass || broken.Final || broken.CommonsensePass {
		t.Errorf("%+v", broken)
	}
	for _, c := range broken.Hard {
		if c.Verdict != travel.NotEvaluated || c.Reason == "" {
			t.Errorf("%+v", c)
		}
	}
	good, none := db.Check(s.query, s.plan), db.Check(s.query, nil)
	if none.Delivered || none.Final || none.HardPass || none.CommonsensePass {
		t.Errorf("%+v", none)
	}
	scores := travel.ScoreAll([]travel.Report{good, broken, none})
	for _, c := range []struct {
		name       string
		got        bench.Rate
		passed, of int
	}{
		{"delivery", scores.Delivery, 2, 3}, {"commonsense micro", scores.CommonsenseMicro, 15, 24}, {"commonsense macro", scores.CommonsenseMacro, 1, 3},
		{"hard micro", scores.HardMicro, 4, 12}, {"hard macro", scores.HardMacro, 1, 3}, {"final", scores.Final, 1, 3},
	} {
		if c.got.Count != c.passed || c.got.Of != c.of || c.got.Share != float64(c.passed)/float64(c.of) {
			t.Errorf("%s: %+v", c.name, c.got)
		}
	}
	if len(scores.Constraints) != 12 || travel.ScoreAll(nil).Final.Share != 0 {
		t.Errorf("%+v", scores.Constraints)
	}
}

func TestItinerariesHaveTimesAndCosts(t *testing.T) {
	db := open(t)
	for _, s := range samples(t) {
		trip := db.Itinerary(s.query, s.plan)
		sum, moments := 0, 0
		for i, o := range trip.Days {
			sum += o.Cost
			if o.Day != i+1 || o.Date != s.query.Date[i] || len(o.Cities) == 2 != (o.Leg != nil) || o.Leg != nil && !o.Leg.Known {
				t.Errorf("query %d: %+v", s.index, o)
			}
			moments += len(o.Meals) + len(o.Attractions)
			for _, m := range o.Meals {
				if !m.Known || m.Cost == 0 {
					t.Errorf("query %d: %+v", s.index, m)
				}
			}
			if o.Leg != nil {
				moments++
			}
			if o.Night != nil {
				moments++
				if !o.Night.Known || o.Night.Rooms < 1 || o.Night.Night > o.Night.Of {
					t.Errorf("query %d: %+v", s.index, o.Night)
				}
			}
		}
		if sum != trip.Cost.Total || trip.Left != s.query.Budget-sum || moments != len(trip.Timeline) {
			t.Errorf("query %d: days cost %d of %d, %d moments of %d", s.index, sum, trip.Cost.Total, len(trip.Timeline), moments)
		}
	}
	trip := db.Itinerary(samples(t)[0].query, samples(t)[0].plan)
	var order []string
	for _, m := range trip.Timeline {
		if m.Day == 3 {
			order = append(order, m.Kind)
		}
	}
	// Rockford is left in the evening, after all that is planned there.
	if got := strings.Join(order, " "); got != "breakfast attraction attraction lunch dinner transportation" {
		t.Error(got)
	}
	if first := trip.Timeline[0]; first.Start != 15*60+40 || first.End != 17*60+4 || first.Minutes != 144 || first.Cost != 474 {
		t.Errorf("%+v", first)
	}
}

func TestInvalidQueryIsReported(t *testing.T) {
	const good = `{"org": "A", "dest": "B", "days": 3, "visiting_city_number": 1, "people_number": 2, "budget": 10, "local_constraint": {"house rule": null, "cuisine": ["French"]}, "date": ["2022-03-16", "2022-03-17", "2022-03-18"], "extra": 1}`
	if q, err := travel.ParseQuery(good); err != nil || q.People != 2 || q.Constraint.HouseRule != "" || q.Constraint.Cuisine[0] != "French" {
		t.Errorf("%+v %v", q, err)
	}
	if q, err := travel.ParseQuery(`{"query": "Go!", "level": "easy", "structured": ` + good + `}`); err != nil || q.Query != "Go!" || q.Level != "easy" || q.Days != 3 {
		t.Errorf("%+v %v", q, err)
	}
	for _, c := range []struct{ old, now, says string }{
		{good, "{", "not JSON"}, {good, "[]", "JSON object"}, {`"A"`, `1`, "invalid query"}, {`"A"`, `""`, `no "org"`}, {`"B"`, `""`, `no "dest"`},
		{`"days": 3`, `"days": 0`, `"days" is 0`}, {`"visiting_city_number": 1`, `"visiting_city_number": 9`, "from 1 to 3 cities"},
		{`"people_number": 2`, `"people_number": 0`, "people travel"}, {`"budget": 10`, `"budget": -1`, "whole dollars"},
		{`null`, `"cats"`, `unknown house rule "cats"`}, {`"2022-03-17", `, ``, "2 dates for 3 days"}, {`2022-03-17`, `17 March`, "is not written as"},
	} {
		if _, err := travel.ParseQuery(strings.Replace(good, c.old, c.now, 1)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.now, err)
		}
	}
}
