package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/travel"
)

func records(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../../grammars/" + name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// trips are the benchmark's sample queries with plans by people.
func trips(t *testing.T) []TravelTrip {
	t.Helper()
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(records(t, "travelplanner/queries.json")), &list); err != nil {
		t.Fatal(err)
	}
	var out []TravelTrip
	for _, raw := range list {
		q, err := travel.ParseQuery(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		var plan struct {
			Plan json.RawMessage `json:"annotated_plan"`
		}
		if err := json.Unmarshal(raw, &plan); err != nil {
			t.Fatal(err)
		}
		out = append(out, TravelTrip{q, string(plan.Plan)})
	}
	return out
}

func TestTravelMethodsJudgeTheHumanPlans(t *testing.T) {
	s, data, list := New(), []string{records(t, "travelplanner/data.json")}, trips(t)
	for _, released := range []bool{false, true} {
		got := result[TravelScoreResult](t, s, "travel.score", TravelScoreParams{Data: data, Trips: list, Released: released})
		if len(got.Reports) != 12 || got.Scores.Final.Share != 1 || got.Scores.HardMicro.Of != 30 {
			t.Errorf("%+v", got.Scores)
		}
	}
	one := list[0]
	checked := result[TravelCheckResult](t, s, "travel.check", TravelCheckParams{Data: data, Query: one.Query, Plan: one.Plan})
	if !checked.Report.Final || len(checked.Days) != 3 || len(checked.Diagnostics) != 0 || checked.Report.Cost.Total != 1608 {
		t.Errorf("%+v", checked)
	}
	again := result[TravelCheckResult](t, s, "travel.check", TravelCheckParams{Data: data, Query: one.Query, Plan: checked.Text})
	if again.JSON != checked.JSON {
		t.Errorf("%s\n%s", again.JSON, checked.JSON)
	}
	trip := result[TravelItineraryResult](t, s, "travel.itinerary", TravelPlanParams{Data: data, Query: one.Query, Plan: one.Plan})
	if len(trip.Itinerary.Days) != 3 || trip.Itinerary.Left != 92 || len(trip.Itinerary.Timeline) == 0 {
		t.Errorf("%+v", trip)
	}
	bad := result[TravelCheckResult](t, s, "travel.check", TravelCheckParams{Data: data, Query: one.Query, Plan: "é [oops"})
	if bad.Report.Delivered || len(bad.Diagnostics) != 1 || bad.Diagnostics[0].To != 7 {
		t.Errorf("%+v", bad)
	}
	for _, c := range []struct{ method, params, code string }{
		{"travel.check", `{"data":["{}"],"query":{"org":"A"},"plan":""}`, travel.CodeQuery},
		{"travel.check", `{"data":["["],"query":{"org":"A","dest":"B","days":1,"visiting_city_number":1,"people_number":1,"local_constraint":{"house rule":null}},"plan":""}`, travel.CodeData},
		{"travel.score", `{"data":["{}"],"trips":[{"query":{},"plan":""}]}`, travel.CodeQuery},
		{"travel.itinerary", `{"data":[],"query":{"org":"A","dest":"B","days":1,"visiting_city_number":1,"people_number":1},"plan":""}`, travel.CodeData},
		{"travel.team", `{"data":["{"],"query":{"org":"A","dest":"B","days":1,"visiting_city_number":1,"people_number":1},"plan":""}`, travel.CodeData},
	} {
		if _, fault := call(t, s, c.method, json.RawMessage(c.params)); fault == nil || fault.Code != c.code {
			t.Errorf("%s %s: %+v", c.method, c.params, fault)
		}
	}
}

// The first invalid query is reported with its number, from 1, and one request has as many
// plans as its limit.
func TestFaultyTripsAreNumbered(t *testing.T) {
	valid := `{"query":{"org":"A","dest":"B","days":1,"visiting_city_number":1,"people_number":1},"plan":""}`
	invalid := `{"query":{},"plan":""}`
	for _, c := range []struct{ trips, code, message string }{
		{invalid, travel.CodeQuery, "trip 1: "},
		{valid + "," + invalid + "," + invalid, travel.CodeQuery, "trip 2: "},
		{strings.Repeat(invalid+",", maxTrips-1) + invalid, travel.CodeQuery, "trip 1: "},
		{strings.Repeat(invalid+",", maxTrips) + invalid, "limit.trips", "too many plans"},
	} {
		if _, fault := call(t, New(), "travel.score", json.RawMessage(`{"data":["{}"],"trips":[`+c.trips+`]}`)); fault == nil || fault.Code != c.code || !strings.HasPrefix(fault.Message, c.message) {
			t.Errorf("%.80s: %+v, want %s", c.trips, fault, c.message)
		}
	}
}

func TestTravelToolsAnswerThroughTheProtocol(t *testing.T) {
	s, data := New(), []string{records(t, "travelplanner/data.json")}
	about := result[TravelDataResult](t, s, "travel.data", TravelDataParams{Data: data})
	if len(about.Cities) != 312 || len(about.Recorded) != 18 || len(about.Tools) != 7 || len(about.States) == 0 || len(about.HouseRules) != 5 {
		t.Errorf("%d cities, %d recorded, %d tools", len(about.Cities), len(about.Recorded), len(about.Tools))
	}
	got := result[TravelSearchResult](t, s, "travel.search", TravelSearchParams{Data: data, Tool: "RestaurantSearch", Arguments: []byte(`{"city":"Moab"}`)})
	if got.Code != "" || !strings.Contains(got.Text, "restaurants in Moab:") {
		t.Errorf("%+v", got)
	}
	got = result[TravelSearchResult](t, s, "travel.search", TravelSearchParams{Data: data, Tool: "RestaurantSearch", Arguments: []byte(`{"city":"Moabb"}`)})
	if got.Code != travel.CodeCity || !strings.Contains(got.Text, "did you mean Moab") {
		t.Errorf("%+v", got)
	}
}

func TestApibankMethodsScoreAndSimulate(t *testing.T) {
	s, tasks := New(), records(t, "apibank/level3.jsonl")
	got := result[ApibankCallResult](t, s, "apibank.call", ApibankCallParams{Tasks: tasks, Text: "é [QueryMeeting(user_name='John')] [ToolSearcher(keywords='weather')] [A(]"})
	if len(got.Calls) != 2 || got.Calls[0].Outcome.Failed() || !strings.Contains(string(got.Calls[1].Outcome.Output), "Weather") || len(got.Diagnostics) != 1 || got.Diagnostics[0].From != 73 {
		t.Errorf("%+v", got)
	}
	params := `{"tasks":` + quote(t, tasks) + `,"transcripts":[{"sample_id":40,"response":"It is 70000.","calls":[{"text":"[ToolSearcher(keywords='GetOccupationSalary')]"},
	  {"api_name":"GetOccupationSalary","input":{"occupation":"Financial Analyst"}},{"text":"[GetOccupationSalary(occupation='Financial Analyst')]"}]}]}`
	scores := result[ApibankScoreResult](t, s, "apibank.score", json.RawMessage(params)).Scores
	if scores.Completeness.Count != 2 || scores.Completeness.Of != 245 || scores.Correctness.Of != 3 || scores.Repeats != 1 || len(scores.Tasks) != 50 {
		scores.Tasks = nil
		t.Errorf("%+v", scores)
	}
	if _, fault := call(t, s, "apibank.score", json.RawMessage(`{"tasks":"{","transcripts":[]}`)); fault == nil || fault.Code != "apibank.tasks" {
		t.Errorf("%+v", fault)
	}
}

func quote(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
