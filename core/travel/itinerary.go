package travel

import (
	"strconv"
	"strings"
)

// Itinerary is a plan with the records of its items, as data for display. Costs are in
// dollars for the party; unknown items cost 0.
type Itinerary struct {
	Days     []Outing `json:"days"`
	Timeline []Moment `json:"timeline"` // of all days, in order
	Cost     Cost     `json:"cost"`
	Budget   int      `json:"budget"`
	Left     int      `json:"left"` // remaining budget; negative if it is exceeded
}

// Outing is a day of an itinerary.
type Outing struct {
	Day         int      `json:"day"`    // from 1
	Date        string   `json:"date"`   // "" if the query has none
	City        string   `json:"city"`   // as planned
	Cities      []string `json:"cities"` // in order; none if unreadable
	Leg         *Leg     `json:"leg,omitempty"`
	Meals       []Meal   `json:"meals"`
	Attractions []Sight  `json:"attractions"`
	Night       *Night   `json:"night,omitempty"`
	Cost        int      `json:"cost"` // of the day
}

// Leg is a part of the route, by one mode of transport.
type Leg struct {
	Text     string  `json:"text"` // as planned
	Known    bool    `json:"known"`
	Mode     string  `json:"mode"` // ModeFlight, ModeDrive or ModeTaxi; "" for anything else
	Number   string  `json:"number,omitempty"`
	From     string  `json:"from"`
	To       string  `json:"to"`
	Departs  string  `json:"departs,omitempty"` // of a flight, 15:40
	Arrives  string  `json:"arrives,omitempty"`
	Duration string  `json:"duration,omitempty"`
	Km       float64 `json:"kilometres,omitempty"`
	Cost     int     `json:"cost"`
}

// Meal is a meal at a restaurant.
type Meal struct {
	Slot     string   `json:"slot"` // breakfast, lunch or dinner
	Text     string   `json:"text"`
	Known    bool     `json:"known"`
	Name     string   `json:"name"`
	City     string   `json:"city"`
	Cuisines []string `json:"cuisines"`
	Rating   float64  `json:"rating"`
	Cost     int      `json:"cost"`
}

// Sight is a visit to an attraction.
type Sight struct {
	Text    string `json:"text"`
	Known   bool   `json:"known"`
	Name    string `json:"name"`
	City    string `json:"city"`
	Address string `json:"address,omitempty"`
}

// Night is a night of a trip and its accommodation.
type Night struct {
	Text  string   `json:"text"`
	Known bool     `json:"known"`
	Name  string   `json:"name"`
	City  string   `json:"city"`
	Type  string   `json:"type"`
	Rules []string `json:"rules"`
	Least int      `json:"least"` // minimum nights
	Night int      `json:"night"` // its number within the stay, from 1
	Of    int      `json:"of"`    // length of the stay
	Rooms int      `json:"rooms"`
	Cost  int      `json:"cost"`
}

// Moment is an entry of the timeline. On a day of travel, items in the city of origin
// precede the leg. Start and End are minutes since midnight before day 1 for flights, and
// -1 otherwise. Minutes is the duration, 0 if unknown.
type Moment struct {
	Day     int    `json:"day"`
	Kind    string `json:"kind"` // the field of the day
	Label   string `json:"label"`
	City    string `json:"city"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
	Minutes int    `json:"minutes"`
	Known   bool   `json:"known"`
	Cost    int    `json:"cost"`
}

// Itinerary returns a plan with the records of its items.
func (db *DB) Itinerary(q Query, p Plan) Itinerary {
	p = p.Clean()
	out := Itinerary{Days: []Outing{}, Timeline: []Moment{}, Cost: db.costOf(p, q.People), Budget: q.Budget}
	out.Left = q.Budget - out.Cost.Total
	for i := range p {
		o := db.outing(p, i, out.Cost)
		if i < len(q.Date) {
			o.Date = q.Date[i]
		}
		out.Days = append(out.Days, o)
		out.Timeline = append(out.Timeline, o.moments()...)
	}
	return out
}

// outing returns a day of a plan.
func (db *DB) outing(p Plan, index int, cost Cost) Outing {
	d := p[index]
	out := Outing{Day: index + 1, City: d.Get(FieldCity), Cities: []string{}, Meals: []Meal{}, Attractions: []Sight{}}
	if cities, _, ok := d.cities(); ok {
		out.Cities = cities
	}
	line := func(f Field) (l CostLine) {
		for _, l := range cost.Lines {
			if l.Day == index+1 && l.Field == f {
				return l
			}
		}
		return CostLine{}
	}
	for _, l := range cost.Lines {
		if l.Day == index+1 {
			out.Cost += l.Amount
		}
	}
	if l, ok := d.leg(); ok {
		out.Leg = db.leg(d, l)
		out.Leg.Cost = line(FieldTransportation).Amount
	}
	for _, f := range meals() {
		text := d.Get(f)
		if text == "" {
			continue
		}
		i := itemOf(text)
		m := Meal{Slot: f, Text: text, Name: named(i), City: i.city, Cuisines: []string{}, Cost: line(f).Amount}
		if records := db.findRestaurants(i); len(records) > 0 {
			m.Known, m.Name, m.Cuisines, m.Rating = true, records[0].Name, append(m.Cuisines, records[0].Cuisines...), records[0].Rating
		}
		out.Meals = append(out.Meals, m)
	}
	for _, i := range d.attractions() {
		s := Sight{Text: i.text, Name: named(i), City: i.city}
		if records := db.findAttractions(i); len(records) > 0 {
			s.Known, s.Name, s.Address = true, records[0].Name, records[0].Address
		}
		out.Attractions = append(out.Attractions, s)
	}
	if text := d.Get(FieldAccommodation); text != "" {
		i := itemOf(text)
		l := line(FieldAccommodation)
		n := &Night{Text: text, Name: named(i), City: i.city, Rules: []string{}, Rooms: l.Pieces, Cost: l.Amount}
		n.Night, n.Of = stay(p, index)
		if records := db.findAccommodations(i); len(records) > 0 {
			a := records[0]
			n.Known, n.Name, n.Type, n.Least = true, a.Name, a.Type, a.Nights
			n.Rules = append(n.Rules, a.Rules...)
		}
		out.Night = n
	}
	return out
}

// named returns the name of an item, or its text.
func named(i item) string {
	if i.name == "" {
		return i.text
	}
	return i.name
}

// stay returns the number of a night within its stay, and the stay's length.
func stay(p Plan, index int) (night, of int) {
	text := p[index].Get(FieldAccommodation)
	from, to := index, index+1
	for from > 0 && p[from-1].Get(FieldAccommodation) == text {
		from--
	}
	for to < len(p) && p[to].Get(FieldAccommodation) == text {
		to++
	}
	return index - from + 1, to - from
}

func (db *DB) leg(d Day, l leg) *Leg {
	out := &Leg{Text: d.Get(FieldTransportation), Mode: l.mode, Number: l.number, From: l.from, To: l.to}
	switch l.mode {
	case ModeFlight:
		for _, f := range db.Flight(l.number) {
			if f.From == l.from && f.To == l.to {
				out.Known, out.Departs, out.Arrives, out.Duration = true, f.Departs, f.Arrives, f.Duration
				break
			}
		}
	case ModeSelfDriving, ModeTaxi:
		if w, ok := db.Road(l.from, l.to); ok && w.Passable() {
			out.Known, out.Duration, out.Km = true, w.Duration, w.Km
		}
	}
	return out
}

// moments returns the entries of a day in order.
func (o Outing) moments() []Moment {
	var before, after []Moment
	add := func(kind, label, city string, known bool, cost int) {
		m := Moment{Day: o.Day, Kind: kind, Label: label, City: city, Start: -1, End: -1, Known: known, Cost: cost}
		if o.Leg != nil && len(o.Cities) == 2 && city == o.Cities[0] && city != o.Cities[1] {
			before = append(before, m)
		} else {
			after = append(after, m)
		}
	}
	for _, f := range []Field{FieldBreakfast, FieldAttraction, FieldLunch, FieldDinner} {
		for _, m := range o.Meals {
			if m.Slot == f {
				add(f, m.Name, m.City, m.Known, m.Cost)
			}
		}
		if f == FieldAttraction {
			for _, s := range o.Attractions {
				add(f, s.Name, s.City, s.Known, 0)
			}
		}
	}
	if o.Night != nil {
		add(FieldAccommodation, o.Night.Name, o.Night.City, o.Night.Known, o.Night.Cost)
	}
	if o.Leg == nil {
		return after
	}
	return append(append(before, o.legMoment()), after...)
}

func (o Outing) legMoment() Moment {
	l := o.Leg
	m := Moment{Day: o.Day, Kind: FieldTransportation, Label: l.Text, City: l.To, Start: -1, End: -1, Minutes: minutesOf(l.Duration), Known: l.Known, Cost: l.Cost}
	departs, ok := clock(l.Departs)
	arrives, ok2 := clock(l.Arrives)
	if ok && ok2 {
		if arrives < departs {
			arrives += 24 * 60
		}
		midnight := (o.Day - 1) * 24 * 60
		m.Start, m.End = midnight+departs, midnight+arrives
	}
	return m
}

// clock parses 15:40 as minutes.
func clock(text string) (minutes int, ok bool) {
	h, m, ok := strings.Cut(text, ":")
	hours, err := strconv.Atoi(h)
	minutes, err2 := strconv.Atoi(m)
	return hours*60 + minutes, ok && err == nil && err2 == nil && hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60
}

// minutesOf parses "7 hours 46 mins" and "2 hours 24 minutes"; 0 for other texts.
func minutesOf(text string) int {
	words := strings.Fields(text)
	sum := 0
	for i := 0; i+1 < len(words); i += 2 {
		n, err := strconv.Atoi(words[i])
		switch unit := words[i+1]; {
		case err != nil:
			return 0
		case strings.HasPrefix(unit, "hour"):
			sum += 60 * n
		case strings.HasPrefix(unit, "min"):
			sum += n
		default:
			return 0
		}
	}
	return sum
}
