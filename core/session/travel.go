package session

import (
	"fmt"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/travel"
)

func travelMethods() []Method {
	return []Method{
		pure("travel.data", travelData),
		pure("travel.search", travelSearch),
		pure("travel.check", travelCheck),
		pure("travel.score", travelScore),
		pure("travel.itinerary", travelItinerary),
		pure("travel.team", travelTeam),
		pure("travel.flow", travelFlow),
	}
}

// TravelDataParams are a database: texts of records, or the reference information of
// queries, whose records are combined. The site has a sample at
// gallery/travelplanner/data.json.
type TravelDataParams struct {
	Data []string `json:"data"`
}

// TravelDataResult lists the values that a query may have, and the tools over the data.
// Recorded lists the cities that have restaurants, attractions or accommodations.
type TravelDataResult struct {
	Cities     []string        `json:"cities"`
	Recorded   []string        `json:"recorded"`
	States     []string        `json:"states"`
	HouseRules []string        `json:"houseRules"`
	RoomTypes  []string        `json:"roomTypes"`
	Cuisines   []string        `json:"cuisines"`
	Transports []string        `json:"transports"`
	Tools      []BenchmarkTool `json:"tools"`
}

// BenchmarkTool is a tool over the data; Schema is the JSON Schema of its arguments.
type BenchmarkTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
}

func travelData(p TravelDataParams) (TravelDataResult, error) {
	db, err := travel.Open(p.Data...)
	if err != nil {
		return TravelDataResult{}, err
	}
	out := TravelDataResult{
		Cities: orEmpty(db.Cities()), Recorded: orEmpty(db.Recorded()), States: orEmpty(db.States()), HouseRules: travel.HouseRules(),
		RoomTypes: travel.RoomTypes(), Cuisines: travel.Cuisines(), Transports: []string{travel.NoFlight, travel.NoDriving},
	}
	for _, c := range db.Tools() {
		out.Tools = append(out.Tools, BenchmarkTool{c.Name(), c.Description(), c.Schema()})
	}
	return out, nil
}

// TravelSearchParams are a database, a tool over it and the tool's arguments.
type TravelSearchParams struct {
	Data      []string        `json:"data"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// TravelSearchResult is the tool's answer as a model receives it. Code is that of a
// fault, empty if the call succeeded.
type TravelSearchResult struct {
	Text string `json:"text"`
	Left int    `json:"left"` // the number of bytes omitted from Text
	Code string `json:"code"`
}

func travelSearch(p TravelSearchParams) (TravelSearchResult, error) {
	db, err := travel.Open(p.Data...)
	if err != nil {
		return TravelSearchResult{}, err
	}
	var r tool.Registry
	for _, c := range db.Tools() {
		if err := r.Add(c); err != nil {
			return TravelSearchResult{}, err
		}
	}
	// The tools start no effects, and so need no process.
	result, err := r.Run(nil, p.Tool, p.Arguments)
	out := TravelSearchResult{Text: result.Text, Left: result.Left}
	if result.Err != nil {
		out.Code = result.Err.Code
	}
	return out, err
}

// TravelCheckParams are a database, a query, and a plan as JSON or as text. If Released is set, the
// plan is evaluated exactly as in the released evaluation, which differs in four places.
type TravelCheckParams struct {
	Data     []string     `json:"data"`
	Query    travel.Query `json:"query"`
	Plan     string       `json:"plan"`
	Released bool         `json:"released,omitempty"`
}

// TravelCheckResult has the result of every constraint, and the plan as it was read: as
// Days, which Text and JSON write. An unreadable plan counts as not delivered;
// Diagnostics give the reasons.
type TravelCheckResult struct {
	Days        []travel.Day  `json:"days"`
	Text        string        `json:"text"`
	JSON        string        `json:"json"`
	Diagnostics []Diagnostic  `json:"diagnostics"`
	Report      travel.Report `json:"report"`
}

func travelCheck(p TravelCheckParams) (TravelCheckResult, error) {
	db, err := openTravel(p.Data, p.Query)
	if err != nil {
		return TravelCheckResult{}, err
	}
	plan, found := readTrip(p.Plan)
	return TravelCheckResult{
		Days: orEmpty([]travel.Day(plan)), Text: plan.Text(), JSON: plan.JSON(), Diagnostics: found,
		Report: travel.Checker{DB: db, Released: p.Released}.Check(p.Query, plan),
	}, nil
}

func openTravel(data []string, q travel.Query) (*travel.DB, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	return travel.Open(data...)
}

// readTrip reads a plan. An empty text is a plan that was not delivered, and no fault.
func readTrip(text string) (travel.Plan, []Diagnostic) {
	if text == "" {
		return nil, []Diagnostic{}
	}
	plan, found := travel.ParsePlan(text)
	return plan, wireDiagnostics(source.NewFile("plan", text), found)
}

// TravelScoreParams are a database and plans, each with its query; an empty plan was not
// delivered.
type TravelScoreParams struct {
	Data     []string     `json:"data"`
	Trips    []TravelTrip `json:"trips"`
	Released bool         `json:"released,omitempty"`
}

// TravelTrip is a plan for a query.
type TravelTrip struct {
	Query travel.Query `json:"query"`
	Plan  string       `json:"plan"`
}

// TravelScoreResult has the benchmark's measures of all plans, and the report of each.
type TravelScoreResult struct {
	Scores  travel.Scores   `json:"scores"`
	Reports []travel.Report `json:"reports"`
}

// maxTrips bounds one request: the benchmark's largest set has 1,000 queries.
const maxTrips = 2_000

func travelScore(p TravelScoreParams) (TravelScoreResult, error) {
	if len(p.Trips) > maxTrips {
		return TravelScoreResult{}, source.NewError("limit.trips", fmt.Sprintf("too many plans (the maximum is %d)", maxTrips))
	}
	db, err := travel.Open(p.Data...)
	if err != nil {
		return TravelScoreResult{}, err
	}
	out := TravelScoreResult{Reports: []travel.Report{}}
	for i, trip := range p.Trips {
		if err := trip.Query.Check(); err != nil {
			return TravelScoreResult{}, source.NewError(travel.CodeQuery, fmt.Sprintf("trip %d: %s", i+1, err))
		}
		plan, _ := readTrip(trip.Plan)
		out.Reports = append(out.Reports, travel.Checker{DB: db, Released: p.Released}.Check(trip.Query, plan))
	}
	out.Scores = travel.ScoreAll(out.Reports)
	return out, nil
}

// TravelPlanParams are a database, a query, and a plan as JSON or as text.
type TravelPlanParams struct {
	Data  []string     `json:"data"`
	Query travel.Query `json:"query"`
	Plan  string       `json:"plan"`
}

// TravelItineraryResult is the plan with its details in the data.
type TravelItineraryResult struct {
	Itinerary   travel.Itinerary `json:"itinerary"`
	Diagnostics []Diagnostic     `json:"diagnostics"`
}

func travelItinerary(p TravelPlanParams) (TravelItineraryResult, error) {
	db, err := openTravel(p.Data, p.Query)
	if err != nil {
		return TravelItineraryResult{}, err
	}
	plan, found := readTrip(p.Plan)
	return TravelItineraryResult{Itinerary: db.Itinerary(p.Query, plan), Diagnostics: found}, nil
}

// BenchmarkTeamResult is a workspace in which a team does a task of a benchmark: the team,
// the task, and a script with which it reaches the given result without a model. It also
// contains the records for its tools. Name is the file to run, Task the team's task.
type BenchmarkTeamResult struct {
	Files       []File       `json:"files"`
	Name        string       `json:"name"`
	Task        string       `json:"task"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

func benchmarkTeam(name, query string, transcript bench.Transcript, found []Diagnostic) BenchmarkTeamResult {
	return BenchmarkTeamResult{
		Files: []File{{Name: name, Text: transcript.Team}, {Name: query, Text: transcript.Query}, {Name: teamScriptFile, Text: bench.Written(transcript.Script) + "\n"}},
		Name:  name, Task: transcript.Task, Diagnostics: found,
	}
}

func travelTeam(p TravelPlanParams) (BenchmarkTeamResult, error) {
	db, err := openTravel(p.Data, p.Query)
	if err != nil {
		return BenchmarkTeamResult{}, err
	}
	plan, found := readTrip(p.Plan)
	return benchmarkTeam("trip.team", travelQueryFile, db.Transcript(p.Query, plan), found), nil
}

// TravelFlowParams are a database and a query, and the descriptions of the letters of
// trips, as in tools.json of the example "travel".
type TravelFlowParams struct {
	Data  []string     `json:"data"`
	Query travel.Query `json:"query"`
	Tools string       `json:"tools"`
}

// TravelFlowResult is a workspace with an automaton for the trip, whose words satisfy the
// commonsense constraints, and the query's hard constraints as formulas. Name is the file to run,
// Task the task.
type TravelFlowResult struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	Task  string `json:"task"`
}

func travelFlow(p TravelFlowParams) (TravelFlowResult, error) {
	db, err := openTravel(p.Data, p.Query)
	if err != nil {
		return TravelFlowResult{}, err
	}
	flow, err := db.Flow(p.Query)
	if err != nil {
		return TravelFlowResult{}, err
	}
	files := []File{{Name: travel.FlowFile, Text: flow.Automaton}}
	if flow.Properties != "" {
		files = append(files, File{Name: "properties.ltl", Text: flow.Properties})
	}
	files = append(files, File{Name: "query.json", Text: flow.Query}, File{Name: "records.json", Text: flow.Records}, File{Name: "tasks.json", Text: flow.Tasks}, File{Name: "tools.json", Text: p.Tools})
	return TravelFlowResult{Files: files, Name: travel.FlowFile, Task: p.Query.Words()}, nil
}
