package travel

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool"
)

// TranscriptTeam is a team for all queries. The constraints on its executors can be checked
// immediately: a route that returns, rooms with a price, a sum within the budget. The
// constraints on the deliverer require complete days and no restaurant twice.
const TranscriptTeam = `; PMC on TravelPlanner: what a trip is made of is looked up by several, at the
; same time where nothing is needed of each other, and put together under what has
; to hold for the whole.
(define trip-team
  (:executors
    (traveller
      (:does "Finds connections between cities: flights or roads, with times and costs.")
      (:tools "FlightSearch" "DistanceMatrix" "CitySearch")
      (:gives "{\"legs\": [{\"from\": \"A\", \"to\": \"B\", \"by\": \"F123\", \"cost\": 120}]}")
      (:constraints
        (check "result.legs[0].from == result.legs[length(result.legs) - 1].to" "the ways lead back to where they begin")
        (check "all(result.legs, l: l.cost >= 0)" "the cost of each connection is known")))
    (host
      (:does "Finds accommodations, with the price per night, the house rules and the minimum number of nights.")
      (:tools "AccommodationSearch")
      (:gives "{\"rooms\": [{\"name\": \"a room\", \"city\": \"B\", \"nights\": 2, \"cost\": 90}]}")
      (:constraints
        (check "all(result.rooms, r: r.nights > 0 and r.cost >= 0)" "each room has a price and nights")
        (ltl "F called.AccommodationSearch" "where to stay is looked up")))
    (guide
      (:does "Finds restaurants and attractions.")
      (:tools "RestaurantSearch" "AttractionSearch"))
    (accountant
      (:does "Computes the cost of a plan.")
      (:tools "Cost")
      (:gives "{\"total\": 480, \"budget\": 500}")
      (:constraints
        (check "result.total <= result.budget" "the budget covers it")
        (ltl "F called.Cost" "the total cost is computed"))))
  (:local "Use only information that a tool returned.")
  (:global
    "The trip begins and ends at the origin, and visits no other city twice."
    "No restaurant and no attraction occurs twice."
    "Every stay has at least the minimum number of nights of its accommodation."
    (check "all(answer, d: contains(d.current_city, 'from ') or d.breakfast != '-' and d.lunch != '-' and d.dinner != '-')"
      "a day without travel has three meals")
    (check "all(answer, d: d.lunch == '-' or d.lunch != d.dinner and count(answer, o: d.lunch in [o.breakfast, o.lunch, o.dinner]) == 1)"
      "lunch is at another restaurant than the other meals")
    (ltl "!done.accountant W done.traveller" "the sum follows the search for connections"))
  (:deliverer inference
    (:gives "[{\"days\": 1, \"current_city\": \"from A to B\", \"transportation\": \"Flight Number: …\", \"breakfast\": \"-\", \"attraction\": \"name, B;\", \"lunch\": \"name, B\", \"dinner\": \"name, B\", \"accommodation\": \"name, B\"}]"))
  (:limits (retries 1)))
`

// BareTeam is the team of PMC's experiments (Zhang et al. 2024, §4.1): members with tools, and
// the form of the delivery. It has no constraints, because "no prior information about the
// constraints is provided": the manager has to find them in the query.
const BareTeam = `; PMC on TravelPlanner as in the paper: no constraint is given.
(define trip-team
  (:executors
    (traveller
      (:does "Finds connections between cities: flights or roads, with times and costs.")
      (:tools "FlightSearch" "DistanceMatrix" "CitySearch"))
    (host
      (:does "Finds accommodations.")
      (:tools "AccommodationSearch"))
    (guide
      (:does "Finds restaurants and attractions.")
      (:tools "RestaurantSearch" "AttractionSearch"))
    (accountant
      (:does "Computes the cost of a plan.")
      (:tools "Cost")))
  (:deliverer inference
    (:gives "[{\"days\": 1, \"current_city\": \"from A to B\", \"transportation\": \"Flight Number: …\", \"breakfast\": \"-\", \"attraction\": \"name, B;\", \"lunch\": \"name, B\", \"dinner\": \"name, B\", \"accommodation\": \"name, B\"}]"))
  (:limits (retries 1)))
`

// Transcript returns a team for a query with a script that results in the plan.
func (db *DB) Transcript(q Query, p Plan) bench.Transcript {
	return db.Rehearsal(q, p).Transcript(TranscriptTeam, q.Words(), bench.Written(q))
}

// Words returns the query in words: its text if it has one, otherwise a text composed of
// its fields.
func (q Query) Words() string {
	if q.Query != "" {
		return q.Query
	}
	var wishes []string
	if q.Constraint.HouseRule != "" {
		wishes = append(wishes, q.Constraint.HouseRule+" must be allowed")
	}
	if q.Constraint.RoomType != "" {
		wishes = append(wishes, "the room is a "+q.Constraint.RoomType)
	}
	if q.Constraint.Transportation != "" {
		wishes = append(wishes, q.Constraint.Transportation)
	}
	if len(q.Constraint.Cuisine) > 0 {
		wishes = append(wishes, strings.Join(q.Constraint.Cuisine, ", ")+" food")
	}
	var b strings.Builder
	b.WriteString("Plan a trip of " + counted(q.Days, "day", "days") + " from " + q.Org + " to " + q.Dest)
	if len(q.Date) > 0 {
		b.WriteString(", from " + q.Date[0] + " on")
	}
	b.WriteString(", visiting " + counted(q.Cities, "city", "cities") + ", for " + counted(q.People, "person", "people") +
		" with a budget of " + strconv.Itoa(q.Budget) + " dollars")
	if len(wishes) > 0 {
		b.WriteString("; " + strings.Join(wishes, "; "))
	}
	b.WriteString(".")
	return b.String()
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}

type transcriptLeg struct {
	From string `json:"from"`
	To   string `json:"to"`
	By   string `json:"by"`
	Cost int    `json:"cost"`
}

type transcriptRoom struct {
	Name   string `json:"name"`
	City   string `json:"city"`
	Nights int    `json:"nights"`
	Cost   int    `json:"cost"` // for all nights
}

// Rehearsal returns the steps that lead to a plan: sub-task t1 finds the legs, t2 the rooms,
// t3 meals and sights, and t4 adds up the cost.
func (db *DB) Rehearsal(q Query, p Plan) bench.Rehearsal {
	trip := db.Itinerary(q, p)
	budget := strconv.Itoa(q.Budget)
	var cities, found []string
	var roads, lodging, sights []string
	acts := func(tool string, with arguments) string {
		return bench.Acts("I look it up.", tool, bench.Written(with))
	}
	legs, rooms := []transcriptLeg{}, []transcriptRoom{}
	for _, d := range trip.Days {
		for _, city := range d.Cities {
			if city != q.Org && !slices.Contains(cities, city) {
				cities = append(cities, city)
			}
		}
		if l := d.Leg; l != nil {
			if l.Mode == ModeFlight {
				roads = append(roads, acts("FlightSearch", arguments{From: l.From, To: l.To, Date: d.Date}))
			} else {
				roads = append(roads, acts("DistanceMatrix", arguments{From: l.From, To: l.To, Mode: l.Mode}))
			}
			by := l.Number
			if by == "" {
				by = l.Mode
			}
			legs = append(legs, transcriptLeg{l.From, l.To, by, l.Cost})
		}
		if n := d.Night; n != nil {
			if last := len(rooms) - 1; last >= 0 && rooms[last].Name == n.Name {
				rooms[last].Nights++
				rooms[last].Cost += n.Cost
			} else {
				rooms = append(rooms, transcriptRoom{n.Name, n.City, 1, n.Cost})
			}
		}
		for _, m := range d.Meals {
			found = append(found, m.Text)
		}
		for _, s := range d.Attractions {
			found = append(found, s.Text)
		}
	}
	for _, city := range cities {
		lodging = append(lodging, acts("AccommodationSearch", arguments{City: city}))
		sights = append(sights, acts("RestaurantSearch", arguments{City: city}), acts("AttractionSearch", arguments{City: city}))
	}
	there := strings.Join(cities, ", ")
	graph := bench.Graph{
		Thought: "The searches for connections, rooms and sights are independent; the sum needs all of them.",
		Subtasks: []bench.Subtask{
			{ID: "t1", Task: "Find the ways of a trip from " + q.Org + " to " + q.Dest + " and back.", Executor: "traveller", Needs: []string{}, Local: []string{}},
			{ID: "t2", Task: "Find where to stay in " + there + ".", Executor: "host", Needs: []string{}, Local: []string{}},
			{ID: "t3", Task: "Find where to eat and what to see in " + there + ".", Executor: "guide", Needs: []string{}, Local: []string{}},
			{ID: "t4", Task: "Compute the total cost; the budget is " + budget + ".", Executor: "accountant", Needs: []string{"t1", "t2", "t3"}, Local: []string{}},
		},
		Global: []string{"The total cost is at most " + budget + " dollars."},
	}
	precise := struct {
		Task string `json:"task"`
	}{"Add up what the ways, rooms, meals and sights cost " + counted(q.People, "person", "people") + " together; the budget is " + budget + "."}
	sum := struct {
		Total  int `json:"total"`
		Budget int `json:"budget"`
	}{trip.Cost.Total, q.Budget}
	counting := bench.Acts("I add it up.", "Cost", bench.Written(arguments{People: q.People, Budget: &q.Budget, Plan: json.RawMessage(p.JSON())}))
	legsOf := func(legs []transcriptLeg) string {
		return bench.FinalAnswer(bench.Written(struct {
			Legs []transcriptLeg `json:"legs"`
		}{legs}))
	}
	roomsOf := func(rooms []transcriptRoom) string {
		return bench.FinalAnswer(bench.Written(struct {
			Rooms []transcriptRoom `json:"rooms"`
		}{rooms}))
	}
	with := func(calls []string, result string) []string { return append(slices.Clone(calls), result) }
	astray, free := slices.Clone(legs), slices.Clone(rooms)
	if len(astray) > 0 {
		astray[len(astray)-1].To = "somewhere else"
	}
	for i := range free {
		free[i].Nights = 0
	}
	over := sum
	over.Total = over.Budget + 1
	return bench.Rehearsal{
		Graph: graph, Supervisor: bench.Written(precise),
		Parts: []bench.Part{
			{Variants: [][]string{with(roads, legsOf(legs)), with(roads, legsOf(astray))}},
			{Variants: [][]string{with(lodging, roomsOf(rooms)), with(lodging, roomsOf(free))}},
			{Variants: [][]string{with(sights, bench.FinalAnswer(strings.Join(found, "\n"))), with(sights, bench.FinalAnswer(strings.Join(append(found[:len(found):len(found)], found...), "\n")))}},
			{Variants: [][]string{{counting, bench.FinalAnswer(bench.Written(sum))}, {counting, bench.FinalAnswer(bench.Written(over))}}},
		},
		Answers: 3,
		Answer:  func(parts []int, own int) string { return p.mistaken(parts, own).JSON() },
		Alone: func(known bool, parts []int, own int) string {
			plan := p.mistaken(parts, own)
			if !known {
				plan = plan.imagined()
			}
			return plan.JSON()
		},
		Known: db.Records(q),
	}
}

// mistaken returns the plan with mistakes in its parts: no way back, an unknown room, a
// restaurant twice; and in the answer: a missing dinner or last day.
func (p Plan) mistaken(parts []int, own int) Plan {
	out := slices.Clone(p)
	if len(out) == 0 {
		return out
	}
	full := len(out) / 2 // a day without travel, if there is one
	for i, d := range out {
		if !strings.HasPrefix(d.City, "from ") {
			full = i
			break
		}
	}
	if parts[0] > 0 {
		out[len(out)-1].Transportation = None
	}
	if parts[1] > 0 {
		for i := range out {
			out[i].Accommodation = renamed(out[i].Accommodation, "A friend's spare room")
		}
	}
	if parts[2] > 0 {
		out[full].Lunch = out[full].Dinner
	}
	switch own {
	case 1:
		out[full].Dinner = None
	case 2:
		out = out[:len(out)-1]
	}
	return out
}

// imagined returns a plan in the right form that no look-up supports.
func (p Plan) imagined() Plan {
	out := slices.Clone(p)
	for i := range out {
		d, day := &out[i], strconv.Itoa(i+1)
		for _, f := range []*string{&d.Breakfast, &d.Lunch, &d.Dinner} {
			*f = renamed(*f, "A nice place "+day+string(rune('a'+len(*f)%26)))
		}
		d.Accommodation = renamed(d.Accommodation, "A good hotel")
		if d.Attraction != None {
			d.Attraction = renamed(strings.TrimSuffix(d.Attraction, ";"), "The sight "+day) + ";"
		}
	}
	return out
}

// renamed replaces the name in "Name, City".
func renamed(text, name string) string {
	if at := strings.LastIndex(text, ", "); at >= 0 {
		return name + text[at:]
	}
	return text
}

// Records returns the records for a query: for the destination, or each city of its state with
// records, and between any two of these and the origin each flight of the query's dates and both
// ways by road. They do not depend on a plan.
func (db *DB) Records(q Query) string {
	cities := []string{q.Dest}
	if _, city := db.states[q.Dest]; !city {
		cities = slices.DeleteFunc(db.CitiesIn(q.Dest), func(c string) bool { return !db.recorded[c] })
	}
	var r tool.Registry
	for _, c := range db.Tools() {
		_ = r.Add(c)
	}
	var b strings.Builder
	add := func(tool string, with arguments) {
		if result, err := r.Run(nil, tool, json.RawMessage(bench.Written(with))); err == nil && result.Err == nil {
			b.WriteString(result.Text + "\n\n")
		}
	}
	for _, from := range append([]string{q.Org}, cities...) {
		for _, to := range append([]string{q.Org}, cities...) {
			if from == to {
				continue
			}
			for _, date := range q.Date {
				if len(db.Flights(from, to, date)) > 0 {
					add(ToolFlights, arguments{From: from, To: to, Date: date})
				}
			}
			add(ToolDistance, arguments{From: from, To: to, Mode: ModeSelfDriving})
			add(ToolDistance, arguments{From: from, To: to, Mode: ModeTaxi})
		}
	}
	for _, city := range cities {
		add(ToolAccommodations, arguments{City: city})
		add(ToolRestaurants, arguments{City: city})
		add(ToolAttractions, arguments{City: city})
	}
	return strings.TrimSpace(b.String())
}
