package travel

import (
	"strings"
)

// Verdict is what a constraint comes to.
type Verdict string

// The verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	NotEvaluated Verdict = "not evaluated"
)

// The constraints of common sense, in the order of the benchmark's schema.
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

// Commonsense returns the names of the constraints of common sense in their order.
func Commonsense() []string {
	return []string{WithinSandbox, CompleteInfo, WithinCurrentCity, ReasonableRoute, DiverseRestaurant, DiverseAttraction, NoConflict, MinimumNights}
}

// Hard returns the names of the hard constraints in their order.
func Hard() []string { return []string{Budget, RoomRule, RoomType, Cuisine, Transportation} }

// Fault is one reason why a constraint fails. Day is 0 and Field empty where it is the
// plan as a whole.
type Fault struct {
	Day     int    `json:"day"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Check is a constraint held against a plan.
type Check struct {
	Constraint string  `json:"constraint"`
	Verdict    Verdict `json:"verdict"`
	Asked      bool    `json:"asked"`  // it counts: those of common sense always, a hard one if the query has it
	Reason     string  `json:"reason"` // a sentence a fault; why it was not evaluated; what stands behind a pass, mostly empty
	Faults     []Fault `json:"faults"`
}

// Report is what all constraints say of a plan.
type Report struct {
	Delivered   bool    `json:"delivered"` // there is a plan
	Commonsense []Check `json:"commonsense"`
	Hard        []Check `json:"hard"`
	// Gated says that the hard constraints were not evaluated because Complete
	// Information or Within Sandbox fails.
	Gated bool `json:"gated"`
	Cost  Cost `json:"cost"`
	// CommonsensePass, HardPass and Final say whether all of a kind, and all, pass.
	CommonsensePass bool `json:"commonsensePass"`
	HardPass        bool `json:"hardPass"`
	Final           bool `json:"final"`
}

// Check returns what the constraint of a name says, and whether there is one.
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

// Failed returns the names of the constraints that fail, in their order.
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

// Checker holds plans against queries. Its rules are those of the benchmark's schema:
//
//   - Within Sandbox: the data base has every flight (its number, with origin and
//     destination), every way that is driven or taken by taxi, and in its city every
//     restaurant, attraction and accommodation, by a part of its name.
//   - Complete Information: as many days and cities as the query wants; transportation
//     on a day of travel, an attraction and three meals on every other, an
//     accommodation but for the last day; and of the fields of all days, with the day's
//     number and its city, at least half as many filled as six a day would be.
//   - Within Current City: what is planned for a day names a city of that day; on a day
//     of travel either, but transportation both and accommodation the one gone to.
//   - Reasonable City Route: it begins and ends at the origin, comes back to no city
//     that it has left, is in each at least twice in a row, knows all cities and, in
//     more than three days, keeps to the state.
//   - Diverse Restaurants, Diverse Attractions: no text of one is there twice.
//   - Non-conf. Transportation: day 1 has some; who drives takes neither plane nor taxi.
//   - Minimum Nights Stay: nobody leaves an accommodation before its least nights, where
//     one record only fits its name.
//   - Budget: the party pays no more than it has; see [Cost].
//   - Room Rule: nowhere is what the query wants allowed forbidden, "No smoking".
//   - Room Type: every accommodation is of the type.
//   - Cuisine: each is served where one eats outside of the origin.
//   - Transportation: nowhere stands "Flight", or "Self-driving".
//
// Days beyond the query's are looked at by Complete Information only. The hard ones are
// evaluated where Complete Information and Within Sandbox pass.
type Checker struct {
	DB *DB
	// Released takes Within Current City as the released evaluation does: on a day
	// without travel it goes through the letters of the city in the place of the city, so
	// that a text passes with any one of them, transportation with all, and accommodation
	// with the last.
	Released bool
}

// Check holds a plan against a query.
func (db *DB) Check(q Query, p Plan) Report { return Checker{DB: db}.Check(q, p) }

// constraint finds the faults of a plan; note is what to say where there are none.
type constraint func(t *trial) (faults []Fault, note string)

// trial is a plan that is held against a query.
type trial struct {
	db       *DB
	released bool
	query    Query
	plan     Plan  // all of it
	days     []Day // those the query asks for
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

// Check holds a plan against a query, which is taken as it is (see [Query.Check]).
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
			out.Hard = append(out.Hard, skipped(name, true, "it waits for "+CompleteInfo+" and "+WithinSandbox+" to pass"))
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

// Only holds a plan, or a part of one, against one constraint, whatever the others say:
// a hard one is evaluated without waiting for Complete Information and Within Sandbox,
// if the query asks for it. ok is false where there is no constraint of that name.
func (c Checker) Only(name string, q Query, p Plan) (check Check, ok bool) {
	t := c.trial(q, p)
	decide := commonsense(name)
	if decide == nil {
		asked := false
		if decide, asked = hard(name, q.Constraint); decide != nil && !asked {
			return skipped(name, false, "the query does not ask for it"), true
		}
	}
	if decide == nil {
		return Check{}, false
	}
	return t.judge(name, decide), true
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

// String says where a fault is, and what: "day 3, dinner: 'X' was already …".
func (f Fault) String() string {
	switch {
	case f.Day == 0:
		return f.Message
	case f.Field == "":
		return "day " + number(f.Day) + ": " + f.Message
	}
	return "day " + number(f.Day) + ", " + strings.ReplaceAll(f.Field, "_", " ") + ": " + f.Message
}
