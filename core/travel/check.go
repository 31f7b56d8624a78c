package travel

import (
	"strings"
)

// Verdict is the result of a constraint.
type Verdict string

// The verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	NotEvaluated Verdict = "not evaluated"
)

// The commonsense constraints, in the order of the benchmark's schema.
const (
	WithinSandbox     = "Within Sandbox"
	CompleteInfo      = "Complete Information"
	WithinCurrentCity = "Within Current City"
	ReasonableRoute   = "Reasonable City Route"
	DiverseRestaurant = "Diverse Restaurants"
	DiverseAttraction = "Diverse Attractions"
	NoConflict        = "Non-conf. Transportation"
	MinimumNights     = "Minimum Nights Stay"
)

// The hard constraints.
const (
	Budget         = "Budget"
	RoomRule       = "Room Rule"
	RoomType       = "Room Type"
	Cuisine        = "Cuisine"
	Transportation = "Transportation"
)

// Commonsense returns the names of the commonsense constraints in order.
func Commonsense() []string {
	return []string{WithinSandbox, CompleteInfo, WithinCurrentCity, ReasonableRoute, DiverseRestaurant, DiverseAttraction, NoConflict, MinimumNights}
}

// Hard returns the names of the hard constraints in order.
func Hard() []string { return []string{Budget, RoomRule, RoomType, Cuisine, Transportation} }

// Fault is a reason why a constraint fails. For the plan as a whole Day is 0 and Field
// empty.
type Fault struct {
	Day     int    `json:"day"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Check is the result of a constraint for a plan.
type Check struct {
	Constraint string  `json:"constraint"`
	Verdict    Verdict `json:"verdict"`
	Asked      bool    `json:"asked"`  // it counts: commonsense constraints always, a hard one if the query has it
	Reason     string  `json:"reason"` // a sentence per fault, the reason why it was not evaluated, or a note on a pass
	Faults     []Fault `json:"faults"`
}

// Report has the results of all constraints.
type Report struct {
	Delivered   bool    `json:"delivered"` // a plan exists
	Commonsense []Check `json:"commonsense"`
	Hard        []Check `json:"hard"`
	// Gated reports that the hard constraints were not evaluated because Complete
	// Information or Within Sandbox fails.
	Gated bool `json:"gated"`
	Cost  Cost `json:"cost"`
	// CommonsensePass, HardPass and Final report whether all constraints of a kind, or all,
	// pass.
	CommonsensePass bool `json:"commonsensePass"`
	HardPass        bool `json:"hardPass"`
	Final           bool `json:"final"`
}

// Check returns the result of a constraint. ok is false for an unknown name.
func (r Report) Check(name string) (c Check, ok bool) {
	for _, list := range [][]Check{r.Commonsense, r.Hard} {
		for _, c := range list {
			if c.Constraint == name {
				return c, true
			}
		}
	}
	return Check{}, false
}

// Failed returns the names of the failed constraints in order.
func (r Report) Failed() []string {
	out := []string{}
	for _, list := range [][]Check{r.Commonsense, r.Hard} {
		for _, c := range list {
			if c.Verdict == Fail {
				out = append(out, c.Constraint)
			}
		}
	}
	return out
}

// Checker checks plans for queries by the rules of the benchmark's schema:
//
//   - Within Sandbox: the database has every flight (its number, with origin and
//     destination), every connection by car or taxi, and every restaurant, attraction and
//     accommodation in its city; a part of the name suffices.
//   - Complete Information: the plan has as many days and cities as the query requires;
//     transportation on a day of travel, an attraction and three meals on every other day,
//     an accommodation except on the last day; and at least half of the fields of all days
//     are filled, counting six per day and, as filled ones, also the day's number and city.
//   - Within Current City: each item of a day names a city of that day; on a day of travel
//     either of the two, but transportation names both and an accommodation the destination.
//   - Reasonable City Route: the route begins and ends at the origin, never returns to a
//     city, has each city at least twice in a row, has known cities only and, in more than
//     three days, cities of the state only.
//   - Diverse Restaurants, Diverse Attractions: no text occurs twice.
//   - Non-conf. Transportation: day 1 has transportation; self-driving excludes flights
//     and taxis.
//   - Minimum Nights Stay: a stay has at least the accommodation's minimum number of
//     nights, if exactly one record has the name.
//   - Budget: the cost is within the budget; see [Cost].
//   - Room Rule: no accommodation forbids the query's rule, as in "No smoking".
//   - Room Type: every accommodation has the type.
//   - Cuisine: for each requested cuisine, a restaurant outside the origin serves it.
//   - Transportation: the excluded mode, "Flight" or "Self-driving", does not occur.
//
// Only Complete Information considers days after the last day of the query. The hard
// constraints are evaluated if Complete Information and Within Sandbox pass.
type Checker struct {
	DB *DB
	// Released evaluates like the released evaluation where that differs:
	//
	//   - Within Current City: on a day without travel it iterates over the letters of the city
	//     instead of the cities, so that a text passes with any of them, transportation with all,
	//     and accommodation with the last;
	//   - Complete Information: a trip with travel on its first day begins at the origin;
	//   - attractions: one that no semicolon follows is ignored;
	//   - Cuisine: after a meal at the origin, the later meals of the day are ignored.
	Released bool
}

// Check checks a plan for a query.
func (db *DB) Check(q Query, p Plan) Report { return Checker{DB: db}.Check(q, p) }

// constraint returns the faults of a plan, or a note if there are none.
type constraint func(t *trial) (faults []Fault, note string)

// trial is a plan being checked for a query.
type trial struct {
	db       *DB
	released bool
	query    Query
	plan     Plan  // complete
	days     []Day // the days of the query
	cost     Cost
}

func commonsense(name string) constraint {
	switch name {
	case WithinSandbox:
		return (*trial).withinSandbox
	case CompleteInfo:
		return (*trial).complete
	case WithinCurrentCity:
		return (*trial).withinCity
	case ReasonableRoute:
		return (*trial).route
	case DiverseRestaurant:
		return (*trial).diverseRestaurants
	case DiverseAttraction:
		return (*trial).diverseAttractions
	case NoConflict:
		return (*trial).noConflict
	case MinimumNights:
		return (*trial).minimumNights
	}
	return nil
}

// hard returns a hard constraint and whether the query has it.
func hard(name string, w Wishes) (c constraint, asked bool) {
	switch name {
	case Budget:
		return (*trial).withinBudget, true
	case RoomRule:
		return (*trial).roomRule, w.HouseRule != ""
	case RoomType:
		return (*trial).roomType, w.RoomType != ""
	case Cuisine:
		return (*trial).cuisine, len(w.Cuisine) > 0
	case Transportation:
		return (*trial).transportation, w.Transportation != ""
	}
	return nil, false
}

// Check checks a plan for a query. It does not validate the query (see [Query.Check]).
func (c Checker) Check(q Query, p Plan) Report {
	t := c.trial(q, p)
	out := Report{Delivered: len(t.plan) > 0, Cost: t.cost, CommonsensePass: true, HardPass: true}
	for _, name := range Commonsense() {
		if !out.Delivered {
			out.Commonsense = append(out.Commonsense, skipped(name, true, "there is no plan"))
			continue
		}
		check := t.judge(name, commonsense(name))
		out.CommonsensePass = out.CommonsensePass && check.Verdict == Pass
		out.Gated = out.Gated || check.Verdict == Fail && (name == CompleteInfo || name == WithinSandbox)
		out.Commonsense = append(out.Commonsense, check)
	}
	for _, name := range Hard() {
		decide, asked := hard(name, q.Constraint)
		switch {
		case !asked:
			out.Hard = append(out.Hard, skipped(name, false, "the query does not ask for it"))
		case !out.Delivered:
			out.Hard = append(out.Hard, skipped(name, true, "there is no plan"))
		case out.Gated:
			out.Hard = append(out.Hard, skipped(name, true, "not checked until "+CompleteInfo+" and "+WithinSandbox+" pass"))
		default:
			check := t.judge(name, decide)
			out.HardPass = out.HardPass && check.Verdict == Pass
			out.Hard = append(out.Hard, check)
		}
	}
	out.CommonsensePass = out.CommonsensePass && out.Delivered
	out.HardPass = out.HardPass && out.Delivered && !out.Gated
	out.Final = out.CommonsensePass && out.HardPass
	return out
}

func (c Checker) trial(q Query, p Plan) *trial {
	p = p.Clean()
	t := &trial{db: c.DB, released: c.Released, query: q, plan: p, days: p}
	if len(t.days) > q.Days {
		t.days = t.days[:q.Days]
	}
	t.cost = c.DB.costOf(t.days, q.People)
	return t
}

func (t *trial) judge(name string, decide constraint) Check {
	faults, note := decide(t)
	check := Check{Constraint: name, Verdict: Pass, Asked: true, Reason: note, Faults: []Fault{}}
	if len(faults) > 0 {
		said := make([]string, len(faults))
		for i, f := range faults {
			said[i] = f.String()
		}
		check.Verdict, check.Faults, check.Reason = Fail, faults, strings.Join(said, "; ")
	}
	return check
}

func skipped(name string, asked bool, why string) Check {
	return Check{Constraint: name, Verdict: NotEvaluated, Asked: asked, Reason: why, Faults: []Fault{}}
}

// String returns the place and the text of a fault: "day 3, dinner: 'X' was already …".
func (f Fault) String() string {
	switch {
	case f.Day == 0:
		return f.Message
	case f.Field == "":
		return "day " + number(f.Day) + ": " + f.Message
	}
	return "day " + number(f.Day) + ", " + strings.ReplaceAll(f.Field, "_", " ") + ": " + f.Message
}
