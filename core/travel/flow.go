package travel

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/source"
)

// Flow is a query as a planning workspace, after Formal-LLM (Li et al. 2024): an automaton
// whose words are the trips that satisfy the commonsense constraints, the records of its
// letters, and formulas for the hard constraints of the query.
type Flow struct {
	Automaton  string // a .pda file, FlowFile
	Records    string // by letter, JSON
	Query      string // JSON
	Tasks      string // JSON
	Properties string // formulas; "" if the query has no hard constraints
}

// FlowFile is the automaton's name in the workspace.
const FlowFile = "travel.pda"

// Flow returns the automaton for a query of the benchmark: trips with two nights in each
// city, where the cities are the destination, or cities of the destination state in any
// order. If no automaton exists, the error has code [CodeQuery] and states the reason.
func (db *DB) Flow(q Query) (Flow, error) {
	if q.Cities < 1 || q.Cities > maxCities || q.Days != 2*q.Cities+1 || len(q.Date) != q.Days {
		return Flow{}, source.NewError(CodeQuery, fmt.Sprintf("the automaton requires two nights in each of up to %d cities, and a date for every day", maxCities))
	}
	f := &flow{db: db, q: q, taken: map[string]string{}, seen: map[string]bool{}, begun: map[string]bool{}}
	routes := f.routes()
	if len(routes) == 0 {
		return Flow{}, source.NewError(CodeQuery, fmt.Sprintf("the records have no way from %s to %s and back on these days, or no accommodation for two nights", q.Org, q.Dest))
	}
	for _, route := range routes {
		f.trip(route)
	}
	return f.write(), nil
}

// routes returns the routes through the number of cities that the query has, with
// accommodations and restaurants in each, in alphabetical order and at most maxRoutes.
func (f *flow) routes() [][]string {
	cities := []string{f.q.Dest}
	if f.q.Cities > 1 {
		cities = f.db.CitiesIn(f.q.Dest)
	}
	var out [][]string
	var route []string
	var further func()
	further = func() {
		here, date := f.q.Org, f.q.Date[2*len(route)]
		if len(route) > 0 {
			here = route[len(route)-1]
		}
		if len(route) == f.q.Cities {
			if f.passable(here, f.q.Org, date) && len(out) < maxRoutes {
				out = append(out, slices.Clone(route))
			}
			return
		}
		for _, next := range cities {
			if !slices.Contains(route, next) && f.passable(here, next, date) && len(f.offered(next)) > 0 && len(f.ordered(next)) >= mealsInStay && len(f.db.attractions[next].all()) >= sightsInStay {
				route = append(route, next)
				further()
				route = route[:len(route)-1]
			}
		}
	}
	further()
	return out
}

// flow builds an automaton.
type flow struct {
	db *DB
	q  Query

	taken   map[string]string // names of letters by record
	letters []letter
	seen    map[string]bool // names in use
	begun   map[string]bool // route prefixes, with the next city, that have rules
	rules   strings.Builder
}

// letter is a record with its name and label.
type letter struct {
	name, label string
	record      any
}

func (f *flow) passable(from, to, date string) bool {
	return f.db.roads[[2]string{from, to}].Passable() || len(f.flights(from, to, date)) > 0
}

func (f *flow) flights(from, to, date string) []Flight {
	var out []Flight
	for _, i := range f.db.byRoute[[2]string{from, to}] {
		if f.db.flights[i].Date == date {
			out = append(out, f.db.flights[i])
		}
	}
	return out
}

// name returns the letter of a record; equal records have the same letter.
func (f *flow) name(kind, name, key string) (letter string, known bool) {
	key = kind + "\x00" + key
	if letter, ok := f.taken[key]; ok {
		return letter, true
	}
	letter = kind + "." + slug(name)
	for n := 2; f.seen[letter]; n++ {
		letter = fmt.Sprintf("%s.%s_%d", kind, slug(name), n)
	}
	f.seen[letter], f.taken[key] = true, letter
	return letter, false
}

// slug returns a name in lower-case letters, digits and underscores.
func slug(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r)
			gap = false
			continue
		}
		gap = true
	}
	if b.Len() == 0 || b.String()[0] <= '9' {
		return "n" + b.String()
	}
	return b.String()
}

// worded formats a text for use in a label.
func worded(format string, args ...any) string {
	text := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	return strings.Map(func(r rune) rune {
		switch r {
		case '"':
			return '\''
		case '\\', '{', '}':
			return '/'
		}
		return r
	}, text)
}

func (f *flow) letter(kind, name, key string, record any, label string) string {
	l, known := f.name(kind, name, key)
	if !known {
		f.letters = append(f.letters, letter{l, label, record})
	}
	return l
}

type flowFlight struct {
	Number      string `json:"number"`
	Price       int    `json:"price"`
	Departs     string `json:"departs"`
	Arrives     string `json:"arrives"`
	Date        string `json:"date"`
	Origin      string `json:"origin"`
	Destination string `json:"destination"`
}

type flowRoad struct {
	Origin      string  `json:"origin"`
	Destination string  `json:"destination"`
	Duration    string  `json:"duration"`
	Km          float64 `json:"kilometres"`
	Cost        int     `json:"cost"`
}

type flowMeal struct {
	Name     string   `json:"name"`
	City     string   `json:"city"`
	Cuisines []string `json:"cuisines"`
	Cost     int      `json:"average cost"`
	Rating   float64  `json:"rating"`
}

type flowRoom struct {
	Name      string   `json:"name"`
	City      string   `json:"city"`
	Type      string   `json:"room type"`
	Price     int      `json:"price"`
	Nights    int      `json:"minimum nights"`
	Occupancy int      `json:"maximum occupancy"`
	Rules     []string `json:"house rules"`
}

// legs returns the letters of the connections between cities: those by plane or taxi, and
// the one by car.
func (f *flow) legs(from, to, date string) (carried []string, selfDriving string) {
	for _, v := range f.flights(from, to, date) {
		carried = append(carried, f.letter("fly", v.Number, v.Number, flowFlight{v.Number, v.Price, v.Departs, v.Arrives, v.Date, v.From, v.To},
			worded("fly from %s at %s, in %s at %s (flight %s, $%d each)", v.From, v.Departs, v.To, v.Arrives, v.Number, v.Price)))
	}
	if w := f.db.roads[[2]string{from, to}]; w.Passable() {
		key := from + " to " + to
		carried = append(carried, f.letter("taxi", key, key, flowRoad{from, to, w.Duration, w.Km, w.Taxi()}, worded("take a taxi from %s to %s (%s, $%d for up to four)", from, to, w.Duration, w.Taxi())))
		selfDriving = f.letter("drive", key, key, flowRoad{from, to, w.Duration, w.Km, w.SelfDriving()}, worded("drive from %s to %s (%s, $%d for up to five)", from, to, w.Duration, w.SelfDriving()))
	}
	return carried, selfDriving
}

// Limits of cities and places in an automaton, and the slots of a stay of two nights.
const (
	maxCities    = 3
	maxRoutes    = 12
	maxPlaces    = 24
	maxRooms     = 6
	mealsInStay  = 6
	sightsInStay = 4
)

// dealt distributes letters over slots in turn. Each letter is in one slot only, so that no
// place is visited twice and the automaton need not remember visited places.
func dealt(letters []string, slots int) [][]string {
	out := make([][]string, slots)
	for i, l := range letters {
		out[i%slots] = append(out[i%slots], l)
	}
	return out
}

// meals returns the restaurants by slot.
func (f *flow) meals(city string) [][]string {
	var out []string
	for _, i := range f.ordered(city) {
		r := f.db.restaurants[city].records[i]
		out = append(out, f.letter("eat", r.Name, fmt.Sprint(city, i), flowMeal{r.Name, r.City, orNone(r.Cuisines), r.Cost, r.Rating}, worded("%s (%s; $%d each)", r.Name, strings.Join(r.Cuisines, ", "), r.Cost)))
	}
	return dealt(out, mealsInStay)
}

// ordered returns the indices of restaurants in the list of their city: first one
// restaurant of each requested cuisine, so that each cuisine has a separate slot, then a
// second one of each, then the others by price.
func (f *flow) ordered(city string) []int {
	all := f.db.restaurants[city].all()
	order := make([]int, len(all))
	for i := range all {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return all[order[i]].Cost < all[order[j]].Cost })
	var out []int
	take := func(fits func(r Restaurant) bool) {
		for _, i := range order {
			if fits(all[i]) && !slices.Contains(out, i) {
				out = append(out, i)
				return
			}
		}
	}
	for range 2 {
		for _, c := range f.q.Constraint.Cuisine {
			take(func(r Restaurant) bool { return slices.Contains(r.Cuisines, c) })
		}
	}
	for len(out) < min(len(all), maxPlaces) {
		take(func(Restaurant) bool { return true })
	}
	return out
}

// sights returns the attractions by slot.
func (f *flow) sights(city string) [][]string {
	var out []string
	all := f.db.attractions[city].all()
	for i, a := range all[:min(len(all), maxPlaces)] {
		out = append(out, f.letter("see", a.Name, fmt.Sprint(city, i), a, worded("%s", a.Name)))
	}
	return dealt(out, sightsInStay)
}

func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// offered returns the indices, in the list of their city, of rooms that can be booked for
// two nights: first the rooms that satisfy the query, then the others, each cheapest
// first, and at most maxRooms.
func (f *flow) offered(city string) []int {
	all := f.db.accommodations[city].all()
	var order []int
	for i, a := range all {
		if a.Nights <= 2 && a.Occupancy > 0 {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := all[order[i]], all[order[j]]
		if x, y := f.wanted(a), f.wanted(b); x != y {
			return x
		}
		return a.Price < b.Price
	})
	return order[:min(len(order), maxRooms)]
}

// rooms returns the names of the offered rooms. The prefixes "sleep." and "again." turn a
// name into a letter.
func (f *flow) rooms(city string) []string {
	var out []string
	all := f.db.accommodations[city].all()
	for _, i := range f.offered(city) {
		a := all[i]
		key := fmt.Sprint(city, i)
		l := f.letter("sleep", a.Name, key, flowRoom{a.Name, a.City, a.Type, a.Price, a.Nights, a.Occupancy, orNone(a.Rules)},
			worded("%s (%s, for %d, %s; $%d per night)", a.Name, strings.ToLower(a.Type), a.Occupancy, strings.ToLower(strings.Join(a.Rules, ", ")), a.Price))
		f.letter("again", strings.TrimPrefix(l, "sleep."), key, nil, worded("%s again", a.Name))
		out = append(out, strings.TrimPrefix(l, "sleep."))
	}
	return out
}

func (f *flow) wanted(a Accommodation) bool {
	w := f.q.Constraint
	return fitsRoom(w.RoomType, a.Type) && (w.HouseRule == "" || !slices.Contains(a.Rules, "No "+w.HouseRule))
}

// each writes a family of rules, one for each name; the name replaces x in the format.
func (f *flow) each(names []string, format string, args ...any) {
	if len(names) > 0 {
		fmt.Fprintf(&f.rules, "for x in [%s] {\n  "+format+"\n}\n", append([]any{strings.Join(names, " ")}, args...)...)
	}
}

// travel writes the rules of a leg; carried and driven are its stack operations.
func (f *flow) travel(from, to string, day int, state, next, carried, driven string) {
	letters, selfDriving := f.legs(from, to, f.q.Date[day-1])
	f.each(letters, `%s -> %s (x, %s) as "Day %d: {*}"`, state, next, carried, day)
	if selfDriving != "" {
		fmt.Fprintf(&f.rules, `%s -> %s (%s, %s) as "Day %d: {*}"`+"\n", state, next, selfDriving, driven, day)
	}
}

// trip writes the rules of a route, except those for a prefix of the route whose rules
// are already written.
func (f *flow) trip(route []string) {
	here, state, on := f.q.Org, "out", "Z; carried Z"
	driven := "Z; driven Z"
	way := ""
	for i, city := range route {
		if len(route) > 1 {
			way = strings.TrimPrefix(way+"."+slug(city), ".")
		}
		day := 2*i + 1
		at := func(d int, slot string) string {
			return strings.TrimPrefix(fmt.Sprintf("%s/%d/%s", way, day+d, slot), "/")
		}
		if !f.begun[way] {
			f.begun[way] = true
			f.travel(here, city, day, state, at(0, "see"), on, driven)
			f.stay(city, day, at)
		}
		here, state, on, driven = city, at(2, "onward"), "carried; carried", "driven; driven"
	}
	f.travel(here, f.q.Org, f.q.Days, state, "home", "carried; ε", "driven; ε")
}

// stay writes the rules of two nights in a city from the day of arrival; at returns the
// name of the state for a day and a slot.
func (f *flow) stay(city string, day int, at func(d int, slot string) string) {
	meals, sights, rooms := f.meals(city), f.sights(city), f.rooms(city)
	eat := func(d int, what string, offer []string, next string) {
		f.each(offer, `%s -> %s (x, *; *) as "Day %d: have %s at {*}"`, at(d, what), next, day+d, what)
	}
	see := func(d int, state string, offer []string, next string) {
		f.each(offer, `%s -> %s (x, *; *) as "Day %d: see {*}"`, at(d, state), next, day+d)
	}
	skip := func(d int, state, next string) {
		fmt.Fprintf(&f.rules, "%s -> %s (ε, *; *)\n", at(d, state), next)
	}
	see(0, "see", sights[0], at(0, "dinner"))
	skip(0, "see", at(0, "dinner"))
	eat(0, "dinner", meals[0], at(0, "night"))
	f.each(rooms, `%s -> %s (sleep.{x}, *; x *) as "Day %d: sleep at {*}"`, at(0, "night"), at(1, "breakfast"), day)
	eat(1, "breakfast", meals[1], at(1, "see"))
	see(1, "see", sights[1], at(1, "seen"))
	see(1, "seen", sights[2], at(1, "lunch"))
	skip(1, "seen", at(1, "lunch"))
	eat(1, "lunch", meals[2], at(1, "dinner"))
	eat(1, "dinner", meals[3], at(1, "night"))
	f.each(rooms, `%s -> %s (again.{x}, x; ε) as "Day %d: sleep at {*}"`, at(1, "night"), at(2, "breakfast"), day+1)
	eat(2, "breakfast", meals[4], at(2, "see"))
	see(2, "see", sights[3], at(2, "lunch"))
	skip(2, "see", at(2, "lunch"))
	eat(2, "lunch", meals[5], at(2, "onward"))
	skip(2, "lunch", at(2, "onward"))
}

// write assembles the files.
func (f *flow) write() Flow {
	q := f.q
	var b, labels, records strings.Builder
	for _, l := range f.letters {
		labels.WriteString(l.name + ` as "` + l.label + "\"\n")
		if l.record != nil {
			records.WriteString(",\n  " + bench.Written(l.name) + ": " + bench.Written(l.record))
		}
	}
	fmt.Fprintf(&b, "# From %s to %s and back in %d days: a plan's letters are records, its states slots of days.\n"+
		"# The stack stores the means of arrival, and the accommodation until both nights are over. Each place\n"+
		"# stands in one slot of a stay, so that nobody eats at the same place or sees the same thing twice.\nstart out Z\naccept home\n\n%s\n%s",
		q.Org, q.Dest, q.Days, f.rules.String(), labels.String())
	tasks := fmt.Sprintf("{\"tasks\": [\n  {\"id\": 0, \"text\": %s, \"class\": \"trip\", \"spec\": %s, \"kind\": \"trip\", \"inputs\": [], \"output\": %s, \"goal\": {\"type\": \"plan\", \"most\": [{\"name\": \"cost\", \"amount\": %d}]}}\n]}\n",
		bench.Written(q.Words()), bench.Written(FlowFile), bench.Written("a plan for "+counted(q.Days, "day", "days")), q.Budget)
	return Flow{
		Automaton: b.String(), Query: bench.Written(q) + "\n", Tasks: tasks, Properties: f.properties(),
		Records: "{\n  \"source\": \"TravelPlanner (Xie et al. 2024), the records for a query; CC BY 4.0\"" + records.String() + "\n}\n",
	}
}

// properties returns the hard constraints of the query, without its budget, as formulas.
func (f *flow) properties() string {
	var b strings.Builder
	list := func(fits func(record any) bool) string {
		var out []string
		for _, l := range f.letters {
			if l.record != nil && fits(l.record) {
				out = append(out, l.name)
			}
		}
		return strings.Join(out, " | ")
	}
	never := func(name, letters string) {
		if letters != "" {
			b.WriteString("\n" + name + ": G !(" + letters + ")\n")
		}
	}
	w := f.q.Constraint
	if rule := w.HouseRule; rule != "" {
		never("house_rule", list(func(r any) bool {
			room, ok := r.(flowRoom)
			return ok && slices.Contains(room.Rules, "No "+rule)
		}))
	}
	if want := w.RoomType; want != "" {
		never("room_type", list(func(r any) bool {
			room, ok := r.(flowRoom)
			return ok && !fitsRoom(want, room.Type)
		}))
	}
	switch w.Transportation {
	case NoFlight:
		never("no_flight", list(func(r any) bool { _, ok := r.(flowFlight); return ok }))
	case NoDriving:
		var out []string
		for _, l := range f.letters {
			if strings.HasPrefix(l.name, "drive.") {
				out = append(out, l.name)
			}
		}
		never("no_self_driving", strings.Join(out, " | "))
	}
	for _, c := range w.Cuisine {
		letters := list(func(r any) bool {
			meal, ok := r.(flowMeal)
			return ok && slices.Contains(meal.Cuisines, c)
		})
		if letters != "" {
			b.WriteString("\n" + slug(c) + ": F (" + letters + ")\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "# The hard constraints of the query, which the automaton does not contain. Runs enforce them.\n" + b.String()
}
