package travel

import (
	"fmt"
	"strings"
)

// CostLine is the cost of an item for the party.
type CostLine struct {
	Day    int    `json:"day"`
	Field  string `json:"field"`
	Kind   string `json:"kind"` // one of CostKinds
	Name   string `json:"name"`
	Price  int    `json:"price"`  // dollars per piece
	Pieces int    `json:"pieces"` // tickets, cars, taxis, meals or rooms
	Amount int    `json:"amount"` // price × pieces
}

// CostSum is the total amount of one kind of cost in dollars.
type CostSum struct {
	Kind   string `json:"kind"`
	Amount int    `json:"amount"`
}

// Cost is the cost of a plan for all travellers, in dollars. A flight costs its price per person.
// Driving costs a twentieth of the kilometres for every five people, a taxi the kilometres for
// every four, both in whole dollars per car. A meal costs the restaurant's average per person, a
// night the price of as many rooms as the travellers need. Attractions are free. Items that the
// database does not have cost nothing either; Unknown lists them.
type Cost struct {
	Total   int        `json:"total"`
	Sums    []CostSum  `json:"sums"` // by kind, in the order of CostKinds, without zeros
	Lines   []CostLine `json:"lines"`
	Unknown []Fault    `json:"unknown"`
}

// The kinds of costs.
const (
	CostFlights = "flights"
	CostDriving = "self-driving"
	CostTaxi    = "taxi"
	CostMeals   = "meals"
	CostNights  = "nights"
)

// CostKinds returns the kinds of costs in order.
func CostKinds() []string {
	return []string{CostFlights, CostDriving, CostTaxi, CostMeals, CostNights}
}

// Of returns the cost of a kind.
func (c Cost) Of(kind string) int {
	for _, s := range c.Sums {
		if s.Kind == kind {
			return s.Amount
		}
	}
	return 0
}

// String itemises the cost: "flights 820 (474 + 346), meals 2 × 90 …".
func (c Cost) String() string {
	var parts []string
	for _, s := range c.Sums {
		var terms []string
		for _, l := range c.Lines {
			if l.Kind != s.Kind {
				continue
			}
			term := number(l.Price)
			if l.Pieces != 1 {
				term = fmt.Sprintf("%d × %s", l.Pieces, term)
			}
			terms = append(terms, term)
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", s.Kind, number(s.Amount), strings.Join(terms, " + ")))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// Cost returns the cost of a plan, or a part of one, for a party.
func (db *DB) Cost(p Plan, people int) Cost { return db.costOf(p.Clean(), people) }

func (db *DB) costOf(days []Day, people int) Cost {
	c := Cost{Sums: []CostSum{}, Lines: []CostLine{}, Unknown: []Fault{}}
	if people < 1 {
		people = 1
	}
	cars := func(seats int) int { return (people + seats - 1) / seats }
	for i, d := range days {
		unknown := func(f Field, text string) {
			c.Unknown = append(c.Unknown, Fault{Day: i + 1, Field: f, Message: "the cost of " + quoted(text) + " is unknown"})
		}
		add := func(f Field, kind, name string, price, pieces int) {
			c.Lines = append(c.Lines, CostLine{Day: i + 1, Field: f, Kind: kind, Name: name, Price: price, Pieces: pieces, Amount: price * pieces})
			c.Total += price * pieces
		}
		if l, ok := d.leg(); ok {
			road, _ := db.Road(l.from, l.to)
			switch flights := db.Flight(l.number); {
			case l.mode == ModeFlight && len(flights) > 0:
				add(FieldTransportation, CostFlights, l.number, flights[0].Price, people)
			case l.mode == ModeSelfDriving && road.Passable():
				add(FieldTransportation, CostDriving, l.from+" to "+l.to, road.SelfDriving(), cars(5))
			case l.mode == ModeTaxi && road.Passable():
				add(FieldTransportation, CostTaxi, l.from+" to "+l.to, road.Taxi(), cars(4))
			default:
				unknown(FieldTransportation, d.Transportation)
			}
		}
		for _, f := range meals() {
			if text := d.Get(f); text != "" {
				if records := db.findRestaurants(itemOf(text)); len(records) > 0 {
					add(f, CostMeals, records[0].Name, records[0].Cost, people)
				} else {
					unknown(f, text)
				}
			}
		}
		if text := d.Get(FieldAccommodation); text != "" {
			if records := db.findAccommodations(itemOf(text)); len(records) > 0 {
				add(FieldAccommodation, CostNights, records[0].Name, records[0].Price, cars(records[0].Occupancy))
			} else {
				unknown(FieldAccommodation, text)
			}
		}
	}
	for _, kind := range CostKinds() {
		sum := 0
		for _, l := range c.Lines {
			if l.Kind == kind {
				sum += l.Amount
			}
		}
		if sum > 0 {
			c.Sums = append(c.Sums, CostSum{kind, sum})
		}
	}
	return c
}
