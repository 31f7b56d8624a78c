// Package travel implements the benchmark TravelPlanner (Xie et al. 2024): queries for
// trips, a database of flights, roads, restaurants, attractions and accommodations,
// plans by days, and the constraints on plans, eight commonsense and five hard
// ones. PMC (Zhang et al. 2024) reports results on it.
//
//	db, err := travel.Open(data)       // a file of records, or a query's reference information
//	q, err := travel.ParseQuery(text)  // the fields of the benchmark's queries
//	p, found := travel.ParsePlan(text) // JSON, or "Day 1: … Transportation: …"
//	report := db.Check(q, p)           // every constraint: pass, fail or not evaluated, and why
//	scores := travel.ScoreAll(reports) // delivery, micro, macro and final rates
//	trip := db.Itinerary(q, p)         // by days, with times and costs
//	tools := db.Tools()                // an agent's tools on the database
//
// Results are deterministic: records are searched in the order of the data, and the
// first of several with a matching name counts, as in the benchmark.
package travel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Codes of errors and diagnostics.
const (
	CodeQuery = "travel.query" // invalid query
	CodeData  = "travel.data"  // invalid database
	CodePlan  = "travel.plan"  // unreadable plan
	CodeField = "travel.field" // unknown, missing or non-text field of a day
	CodeDay   = "travel.day"   // day without a number, or with a duplicate
	CodeCity  = "travel.city"  // unknown city or state
	CodeDate  = "travel.date"  // invalid date; expected 2022-03-16
)

// MaxDays bounds the days of queries and plans. The benchmark's have 3, 5 or 7.
const MaxDays = 31

// MaxPeople bounds the party. The benchmark's have 1 to 8 people.
const MaxPeople = 100

// Query is a request for a trip, with the benchmark's names of fields.
type Query struct {
	Org        string   `json:"org"`                  // the city of origin
	Dest       string   `json:"dest"`                 // a city; a state for more than three days
	Days       int      `json:"days"`                 // from 1 to MaxDays
	Cities     int      `json:"visiting_city_number"` // number of cities to visit, without the origin
	Date       []string `json:"date"`                 // a date per day, 2022-03-16
	People     int      `json:"people_number"`        // from 1 to MaxPeople
	Constraint Wishes   `json:"local_constraint"`     // hard constraints
	Budget     int      `json:"budget"`               // dollars for the party
	Query      string   `json:"query,omitempty"`      // in words
	Level      string   `json:"level,omitempty"`      // easy, medium or hard: none, one or three constraints in Constraint
}

// Wishes are the hard constraints of a query apart from its budget; empty fields are none.
type Wishes struct {
	HouseRule      string   `json:"house rule"`     // must be allowed: one of HouseRules
	Cuisine        []string `json:"cuisine"`        // each at least once
	RoomType       string   `json:"room type"`      // one of RoomTypes
	Transportation string   `json:"transportation"` // NoFlight or NoDriving
}

// The values of Wishes.Transportation, which exclude modes of travel.
const (
	NoFlight  = "no flight"
	NoDriving = "no self-driving"
)

// HouseRules returns the rules that a query can require.
func HouseRules() []string {
	return []string{"smoking", "parties", "children under 10", "visitors", "pets"}
}

// RoomTypes returns the types of rooms that a query can require.
func RoomTypes() []string {
	return []string{"shared room", "not shared room", "private room", "entire room"}
}

// Cuisines returns the cuisines of the benchmark's queries.
func Cuisines() []string {
	return []string{"Chinese", "American", "Italian", "Mexican", "Indian", "Mediterranean", "French"}
}

// ParseQuery parses a query in JSON: an object with the benchmark's fields, either flat or
// with the fields of the schema under "structured". It ignores other fields, such as a
// human's plan. The error has code [CodeQuery].
func ParseQuery(text string) (Query, error) {
	var q Query
	tree, fault := json.Tree(text)
	if fault != nil {
		return q, source.NewError(CodeQuery, "the query is not JSON: "+fault.Message)
	}
	if inner, ok := tree.Get("structured"); ok {
		q.Query, q.Level = tree.TextOf("query"), tree.TextOf("level")
		tree = inner
	}
	if tree.Kind != '{' {
		return q, source.NewError(CodeQuery, "a query is a JSON object with org, dest, days, date, people_number and budget")
	}
	if err := json.Unmarshal([]byte(text[tree.At.Start:tree.At.End]), &q); err != nil {
		return q, source.NewError(CodeQuery, "invalid query: "+err.Error())
	}
	return q, q.Check()
}

// Check returns an error with code [CodeQuery] unless plans can be checked for the query.
func (q Query) Check() error {
	fail := func(format string, args ...any) error {
		return source.NewError(CodeQuery, fmt.Sprintf(format, args...))
	}
	switch w := q.Constraint; {
	case q.Org == "":
		return fail("the query has no \"org\": name the city where the trip begins")
	case q.Dest == "":
		return fail("the query has no \"dest\": name the city, or for more than three days the state, that is visited")
	case q.Days < 1 || q.Days > MaxDays:
		return fail("\"days\" is %d; a trip takes from 1 to %d", q.Days, MaxDays)
	case q.Cities < 1 || q.Cities > q.Days:
		return fail("\"visiting_city_number\" is %d; in %d days from 1 to %d cities are visited", q.Cities, q.Days, q.Days)
	case q.People < 1 || q.People > MaxPeople:
		return fail("\"people_number\" is %d; from 1 to %d people travel", q.People, MaxPeople)
	case q.Budget < 0:
		return fail("\"budget\" is %d; write whole dollars", q.Budget)
	case len(q.Date) > 0 && len(q.Date) != q.Days:
		return fail("\"date\" has %d dates for %d days", len(q.Date), q.Days)
	case w.HouseRule != "" && !slices.Contains(HouseRules(), w.HouseRule):
		return fail("unknown house rule %q (expected one of %s)", w.HouseRule, strings.Join(HouseRules(), ", "))
	case w.RoomType != "" && !slices.Contains(RoomTypes(), w.RoomType):
		return fail("unknown room type %q (expected one of %s)", w.RoomType, strings.Join(RoomTypes(), ", "))
	case w.Transportation != "" && w.Transportation != NoFlight && w.Transportation != NoDriving:
		return fail("unknown transportation %q (expected %q or %q)", w.Transportation, NoFlight, NoDriving)
	}
	for _, date := range q.Date {
		if !isDate(date) {
			return fail("the date %q is not written as 2022-03-16", date)
		}
	}
	return nil
}

// isDate reports whether a text has the form 2022-03-16.
func isDate(text string) bool {
	if len(text) != len("2022-03-16") || text[4] != '-' || text[7] != '-' {
		return false
	}
	month, err := strconv.Atoi(text[5:7])
	day, err2 := strconv.Atoi(text[8:])
	_, err3 := strconv.Atoi(text[:4])
	return err == nil && err2 == nil && err3 == nil && month >= 1 && month <= 12 && day >= 1 && day <= 31
}

// number formats an integer with thousands separators: 1,608.
func number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// count formats a number with a noun: "1 day", "3 days".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}
