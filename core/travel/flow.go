package travel

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/source"
)

// Flow is a query as a workspace of a plan, after Formal-LLM (Li et al. 2024): an
// automaton whose words are the trips that keep to common sense, what its letters stand
// for, and what the query asks for beside.
type Flow struct {
	Automaton  string // a .pda file, FlowFile
	Records    string // of each letter, JSON
	Query      string // JSON
	Tasks      string // JSON
	Properties string // formulas, "" where the query has no wishes
}

// FlowFile is the automaton's name in the workspace.
const FlowFile = "travel.pda"

// Flow returns the automaton for a query of three days in one city, as the benchmark's
// shortest are. In a longer one there are more ways to use each place once than a
// look-ahead can tell apart. The error, coded [CodeQuery], says why there is none.
func (db *DB) Flow(q Query) (Flow, error) {
	if q.Days != 3 || q.Cities != 1 || len(q.Date) != 3 {
		return Flow{}, source.NewError(CodeQuery, "the flow is for three days in one city, each with its date")
	}
	f := &flow{db: db, q: q, taken: map[string]string{}, seen: map[string]bool{}}
	if !f.passable(q.Org, q.Dest, q.Date[0]) || !f.passable(q.Dest, q.Org, q.Date[2]) || len(f.rooms(q.Dest)) == 0 {
		return Flow{}, source.NewError(CodeQuery, fmt.Sprintf("the records have no way from %s to %s and back on these days, or nowhere to stay for two nights", q.Org, q.Dest))
	}
	f.trip()
	return f.write(), nil
}

// flow writes an automaton.
type flow struct {
	db *DB
	q  Query

	taken   map[string]string // names of letters, by what they stand for
	letters []letter
	seen    map[string]bool // names that are taken
	rules   strings.Builder
}

// letter is a record with the name and the words that it has.
type letter struct {
	name, label string
	record      any
	limited     bool
}

func (f *flow) passable(from, to, date string) bool {
	return f.db.ways[[2]string{from, to}].Passable() || len(f.flights(from, to, date)) > 0
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

// name returns the letter of a record, the same for the same one.
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

// slug is a name in small letters, digits and underscores.
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

// worded is a text that can stand in a label.
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

func (f *flow) letter(kind, name, key string, limited bool, record any, label string) string {
	l, known := f.name(kind, name, key)
	if !known {
		f.letters = append(f.letters, letter{l, label, record, limited})
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

type flowWay struct {
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

// legs are the letters of the ways from city to city: those in which one is carried, and
// the one that one drives.
func (f *flow) legs(from, to, date string) (carried []string, drive string) {
	for _, v := range f.flights(from, to, date) {
		carried = append(carried, f.letter("fly", v.Number, v.Number, false, flowFlight{v.Number, v.Price, v.Departs, v.Arrives, v.Date, v.From, v.To},
			worded("fly from %s at %s, in %s at %s (flight %s, $%d each)", v.From, v.Departs, v.To, v.Arrives, v.Number, v.Price)))
	}
	if w := f.db.ways[[2]string{from, to}]; w.Passable() {
		key := from + " to " + to
		carried = append(carried, f.letter("taxi", key, key, false, flowWay{from, to, w.Duration, w.Km, w.Taxi()}, worded("take a taxi from %s to %s (%s, $%d for up to four)", from, to, w.Duration, w.Taxi())))
		drive = f.letter("drive", key, key, false, flowWay{from, to, w.Duration, w.Km, w.Drive()}, worded("drive from %s to %s (%s, $%d for up to five)", from, to, w.Duration, w.Drive()))
	}
	return carried, drive
}

func (f *flow) meals(city string) []string {
	var out []string
	for _, i := range f.kept(city) {
		r := f.db.restaurants[city].records[i]
		out = append(out, f.letter("eat", r.Name, fmt.Sprint(city, i), true, flowMeal{r.Name, r.City, orNone(r.Cuisines), r.Cost, r.Rating}, worded("%s (%s; $%d each)", r.Name, strings.Join(r.Cuisines, ", "), r.Cost)))
	}
	return out
}

// What an automaton has at most, so that its look-ahead can tell apart what is used up.
const (
	maxMeals  = 9
	maxSights = 6
	maxRooms  = 6
)

// kept are the places of the restaurants that the automaton has: of each cuisine that is
// asked for the two cheapest, and then the cheapest of all.
func (f *flow) kept(city string) []int {
	all := f.db.restaurants[city].all()
	order := make([]int, len(all))
	for i := range all {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return all[order[i]].Cost < all[order[j]].Cost })
	var out []int
	take := func(most int, fits func(r Restaurant) bool) {
		for _, i := range order {
			if most > 0 && fits(all[i]) {
				most--
				if !slices.Contains(out, i) {
					out = append(out, i)
				}
			}
		}
	}
	for _, c := range f.q.Constraint.Cuisine {
		take(2, func(r Restaurant) bool { return slices.Contains(r.Cuisines, c) })
	}
	for _, i := range order {
		if len(out) < maxMeals && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

func (f *flow) sights(city string) []string {
	var out []string
	for i, a := range f.db.attractions[city].all() {
		if i == maxSights {
			break
		}
		out = append(out, f.letter("see", a.Name, fmt.Sprint(city, i), true, a, worded("%s", a.Name)))
	}
	return out
}

func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// rooms are where two nights are enough: the cheapest, those that the query wants first.
func (f *flow) rooms(city string) []string {
	var out []string
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
	for _, i := range order[:min(len(order), maxRooms)] {
		a := all[i]
		key := fmt.Sprint(city, i)
		l := f.letter("sleep", a.Name, key, false, flowRoom{a.Name, a.City, a.Type, a.Price, a.Nights, a.Occupancy, orNone(a.Rules)},
			worded("%s (%s, for %d, %s; $%d a night)", a.Name, strings.ToLower(a.Type), a.Occupancy, strings.ToLower(strings.Join(a.Rules, ", ")), a.Price))
		f.letter("again", strings.TrimPrefix(l, "sleep."), key, false, nil, worded("%s again", a.Name))
		out = append(out, strings.TrimPrefix(l, "sleep."))
	}
	return out
}

func (f *flow) wanted(a Accommodation) bool {
	w := f.q.Constraint
	return fitsRoom(w.RoomType, a.Type) && (w.HouseRule == "" || !slices.Contains(a.Rules, "No "+w.HouseRule))
}

// each writes a rule for each of some names, which stand in the place of x.
func (f *flow) each(names []string, format string, args ...any) {
	if len(names) > 0 {
		fmt.Fprintf(&f.rules, "for x in [%s] {\n  "+format+"\n}\n", append([]any{strings.Join(names, " ")}, args...)...)
	}
}

// travel writes the rules of a way; carried and driven are what it takes off the stack
// and puts there.
func (f *flow) travel(from, to string, day int, state, next, carried, driven string) {
	letters, drive := f.legs(from, to, f.q.Date[day-1])
	f.each(letters, `%s -> %s (x, %s) as "Day %d: {*}"`, state, next, carried, day)
	if drive != "" {
		fmt.Fprintf(&f.rules, `%s -> %s (%s, %s) as "Day %d: {*}"`+"\n", state, next, drive, driven, day)
	}
}

// trip writes the rules.
func (f *flow) trip() {
	city := f.q.Dest
	meals, sights, rooms := f.meals(city), f.sights(city), f.rooms(city)
	eat := func(state, next string, day int, what string) {
		f.each(meals, `%s -> %s (x, *; *) as "Day %d: have %s at {*}"`, state, next, day, what)
	}
	see := func(state, next string, day int) {
		f.each(sights, `%s -> %s (x, *; *) as "Day %d: see {*}"`, state, next, day)
	}
	skip := func(state, next string) { fmt.Fprintf(&f.rules, "%s -> %s (ε, *; *)\n", state, next) }
	f.travel(f.q.Org, city, 1, "out", "1/see", "Z; carried Z", "Z; driven Z")
	see("1/see", "1/dinner", 1)
	skip("1/see", "1/dinner")
	eat("1/dinner", "1/night", 1, "dinner")
	f.each(rooms, `1/night -> 2/breakfast (sleep.{x}, *; x *) as "Day 1: sleep at {*}"`)
	eat("2/breakfast", "2/see", 2, "breakfast")
	see("2/see", "2/seen", 2)
	see("2/seen", "2/lunch", 2)
	skip("2/seen", "2/lunch")
	eat("2/lunch", "2/dinner", 2, "lunch")
	eat("2/dinner", "2/night", 2, "dinner")
	f.each(rooms, `2/night -> 3/breakfast (again.{x}, x; ε) as "Day 2: sleep at {*}"`)
	eat("3/breakfast", "3/see", 3, "breakfast")
	see("3/see", "3/lunch", 3)
	skip("3/see", "3/lunch")
	eat("3/lunch", "3/back", 3, "lunch")
	skip("3/lunch", "3/back")
	f.travel(city, f.q.Org, 3, "3/back", "home", "carried; ε", "driven; ε")
}

// write puts the files together.
func (f *flow) write() Flow {
	q := f.q
	var b, labels, limits, records strings.Builder
	for _, l := range f.letters {
		labels.WriteString(l.name + ` as "` + l.label + "\"\n")
		if l.limited {
			limits.WriteString("limit 1 " + l.name + "\n")
		}
		if l.record != nil {
			records.WriteString(",\n  " + bench.Written(l.name) + ": " + bench.Written(l.record))
		}
	}
	fmt.Fprintf(&b, "# From %s to %s and back in three days: a plan's letters are records, its states slots of days.\n"+
		"# The stack keeps how one came, and where one sleeps until both nights are over.\nstart out Z\naccept home\n\n# Nobody eats at the same place or sees the same thing twice.\n%s\n%s\n%s",
		q.Org, q.Dest, limits.String(), f.rules.String(), labels.String())
	tasks := fmt.Sprintf("{\"tasks\": [\n  {\"id\": 0, \"text\": %s, \"class\": \"trip\", \"spec\": %s, \"kind\": \"trip\", \"inputs\": [], \"output\": %s, \"goal\": {\"type\": \"plan\", \"most\": [{\"name\": \"cost\", \"amount\": %d}]}}\n]}\n",
		bench.Written(q.Words()), bench.Written(FlowFile), bench.Written("a plan for "+counted(q.Days, "day", "days")), q.Budget)
	return Flow{
		Automaton: b.String(), Query: bench.Written(q) + "\n", Tasks: tasks, Properties: f.properties(),
		Records: "{\n  \"source\": \"TravelPlanner (Xie et al. 2024), the records for a query; CC BY 4.0\"" + records.String() + "\n}\n",
	}
}

// properties are the query's wishes as formulas.
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
	return "# What the query asks for: a run keeps to it, the automaton knows nothing of it.\n" + b.String()
}
