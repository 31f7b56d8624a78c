package travel

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
)

// storyTeam asks each of the executors for what can be checked at once: ways that lead
// back, rooms that have a price, a sum that the budget covers.
const storyTeam = `; PMC on TravelPlanner: what a trip is made of is looked up by several, at the
; same time where nothing is needed of each other, and put together under what has
; to hold for the whole.
(define trip-team
  (:executors
    (traveller
      (:does "Finds how to get from city to city: flights, or ways by road, with times and costs.")
      (:tools "FlightSearch" "DistanceMatrix" "CitySearch")
      (:gives "{\"legs\": [{\"from\": \"A\", \"to\": \"B\", \"by\": \"F123\", \"cost\": 120}]}")
      (:constraints
        (check "result.legs[0].from == result.legs[length(result.legs) - 1].to" "the ways lead back to where they begin")
        (check "all(result.legs, l: l.cost >= 0)" "it is known what each way costs")))
    (host
      (:does "Finds where to stay, with the price a night, the house rules and the least nights.")
      (:tools "AccommodationSearch")
      (:gives "{\"rooms\": [{\"name\": \"a room\", \"city\": \"B\", \"nights\": 2, \"cost\": 90}]}")
      (:constraints
        (check "all(result.rooms, r: r.nights > 0 and r.cost >= 0)" "each room has a price and nights")
        (ltl "F called.AccommodationSearch" "where to stay is looked up")))
    (guide
      (:does "Finds where to eat and what to see.")
      (:tools "RestaurantSearch" "AttractionSearch"))
    (accountant
      (:does "Adds up what a plan costs.")
      (:tools "Cost")
      (:gives "{\"total\": 480, \"budget\": 500}")
      (:constraints
        (check "result.total <= result.budget" "the budget covers it")
        (ltl "F called.Cost" "what it costs is added up"))))
  (:local "Use nothing that was not looked up.")
  (:global
    "The trip begins and ends at the origin, and comes back to no city that it has left."
    "Nobody eats at the same place or sees the same thing twice."
    "Nobody leaves a place to stay before its least nights."
    (ltl "!done.accountant W done.traveller" "what is added up starts from the ways"))
  (:deliverer inference
    (:gives "[{\"days\": 1, \"current_city\": \"from A to B\", \"transportation\": \"Flight Number: …\", \"breakfast\": \"-\", \"attraction\": \"name, B;\", \"lunch\": \"name, B\", \"dinner\": \"name, B\", \"accommodation\": \"name, B\"}]"))
  (:limits (retries 1)))
`

// Story returns a team for a query, whose script comes to the plan.
func (db *DB) Story(q Query, p Plan) bench.Story {
	return bench.Story{Team: storyTeam, Task: q.Words(), Query: bench.Written(q) + "\n", Script: db.script(q, p)}
}

// Words says a query as a person would: in its own words where it has any.
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

type storyLeg struct {
	From string `json:"from"`
	To   string `json:"to"`
	By   string `json:"by"`
	Cost int    `json:"cost"`
}

type storyRoom struct {
	Name   string `json:"name"`
	City   string `json:"city"`
	Nights int    `json:"nights"`
	Cost   int    `json:"cost"` // of all nights
}

// script is what manager, supervisor, executors and deliverer say.
func (db *DB) script(q Query, p Plan) bench.Script {
	trip := db.Itinerary(q, p)
	budget := strconv.Itoa(q.Budget)
	var cities, found []string
	var ways, lodging, sights []string
	legs, rooms := []storyLeg{}, []storyRoom{}
	for _, d := range trip.Days {
		for _, city := range d.Cities {
			if city != q.Org && !slices.Contains(cities, city) {
				cities = append(cities, city)
			}
		}
		if l := d.Leg; l != nil {
			if l.Mode == ModeFlight {
				ways = append(ways, acts("FlightSearch", arguments{From: l.From, To: l.To, Date: d.Date}))
			} else {
				ways = append(ways, acts("DistanceMatrix", arguments{From: l.From, To: l.To, Mode: l.Mode}))
			}
			by := l.Number
			if by == "" {
				by = l.Mode
			}
			legs = append(legs, storyLeg{l.From, l.To, by, l.Cost})
		}
		if n := d.Night; n != nil {
			if last := len(rooms) - 1; last >= 0 && rooms[last].Name == n.Name {
				rooms[last].Nights++
				rooms[last].Cost += n.Cost
			} else {
				rooms = append(rooms, storyRoom{n.Name, n.City, 1, n.Cost})
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
		Thought: "Ways, rooms and sights need nothing of each other; the sum needs them all.",
		Subtasks: []bench.Subtask{
			{ID: "t1", Task: "Find the ways of a trip from " + q.Org + " to " + q.Dest + " and back.", Executor: "traveller", Needs: []string{}, Local: []string{}},
			{ID: "t2", Task: "Find where to stay in " + there + ".", Executor: "host", Needs: []string{}, Local: []string{}},
			{ID: "t3", Task: "Find where to eat and what to see in " + there + ".", Executor: "guide", Needs: []string{}, Local: []string{}},
			{ID: "t4", Task: "Add up what it costs; the budget is " + budget + ".", Executor: "accountant", Needs: []string{"t1", "t2", "t3"}, Local: []string{}},
		},
		Global: []string{"All of it costs at most " + budget + " dollars."},
	}
	precise := struct {
		Task string `json:"task"`
	}{"Add up what the ways, rooms, meals and sights cost " + counted(q.People, "person", "people") + " together; the budget is " + budget + "."}
	sum := struct {
		Total  int `json:"total"`
		Budget int `json:"budget"`
	}{trip.Cost.Total, q.Budget}
	counting := acts("Cost", arguments{People: q.People, Budget: &q.Budget, Plan: json.RawMessage(p.JSON())})
	return bench.Script{
		"manager": {bench.Written(graph)}, "supervisor": {bench.Written(precise)}, "deliverer": {p.JSON()},
		"task t1": append(ways, bench.Says(bench.Written(struct {
			Legs []storyLeg `json:"legs"`
		}{legs}))),
		"task t2": append(lodging, bench.Says(bench.Written(struct {
			Rooms []storyRoom `json:"rooms"`
		}{rooms}))),
		"task t3": append(sights, bench.Says(strings.Join(found, "\n"))),
		"task t4": {counting, bench.Says(bench.Written(sum))},
	}
}

func acts(tool string, a arguments) string {
	return bench.Acts("I look it up.", tool, bench.Written(a))
}
