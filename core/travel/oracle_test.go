package travel_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/travel"
)

// oracle judges plans by the sentences of the benchmark's schema, one function for each
// sentence, without the checker's code: slowly, over lists of raw records and days that
// are maps.
type oracle struct {
	cities         map[string]string
	flights        [][]any
	roads          [][]any
	restaurants    map[string][][]any
	attractions    map[string][][]any
	accommodations map[string][][]any
	matched        map[string][][]any // earlier look-ups, by kind and text
}

type day = map[string]string

func newOracle(t testing.TB) *oracle {
	t.Helper()
	var raw struct {
		Cities         map[string][]string
		Flights        [][]any
		Roads          [][]any `json:"ways"`
		Restaurants    map[string][][]any
		Attractions    map[string][][]any
		Accommodations map[string][][]any
	}
	if err := json.Unmarshal([]byte(load(t, "data.json")), &raw); err != nil {
		t.Fatal(err)
	}
	o := &oracle{map[string]string{}, raw.Flights, raw.Roads, raw.Restaurants, raw.Attractions, raw.Accommodations, map[string][][]any{}}
	for state, list := range raw.Cities {
		for _, city := range list {
			o.cities[city] = state
		}
	}
	// A plan has no line breaks and may have any space; names are compared with single spaces.
	for _, records := range []map[string][][]any{raw.Restaurants, raw.Attractions, raw.Accommodations} {
		for _, list := range records {
			for _, r := range list {
				r[0] = blanks.ReplaceAllString(r[0].(string), " ")
			}
		}
	}
	return o
}

// oracleDays returns the days of a plan that a query evaluates, and the number of all days.
func oracleDays(t testing.TB, q travel.Query, p travel.Plan) (days []day, all int) {
	t.Helper()
	var list []map[string]any
	if err := json.Unmarshal([]byte(p.JSON()), &list); err != nil {
		t.Fatal(err)
	}
	for _, raw := range list {
		d := day{}
		for key, value := range raw {
			if text, ok := value.(string); ok && text != "-" {
				d[key] = text
			}
		}
		days = append(days, d)
	}
	all = len(days)
	return days[:min(all, q.Days)], all
}

var (
	journey = regexp.MustCompile(`from\s+(.+?)\s+to\s+([^,]+)`)
	state   = regexp.MustCompile(`\s*\([^)]*\)`)
	entry   = regexp.MustCompile(`^(.*),\s*([^,]+)$`)
	blanks  = regexp.MustCompile(`\s+`)
)

func withoutState(city string) string { return strings.TrimSpace(state.ReplaceAllString(city, "")) }

// whereabouts returns the cities of a day: two if the plan travels that day, otherwise one.
func whereabouts(d day) []string {
	if m := journey.FindStringSubmatch(d["current_city"]); m != nil {
		return []string{withoutState(m[1]), withoutState(m[2])}
	}
	return []string{withoutState(d["current_city"])}
}

func travels(d day) bool { return len(whereabouts(d)) == 2 }

// matches are the records of a city whose name contains the one of "Name, City".
func (o *oracle) matches(records map[string][][]any, text string) [][]any {
	key := fmt.Sprintf("%p %s", records, text)
	if out, ok := o.matched[key]; ok {
		return out
	}
	var out [][]any
	if m := entry.FindStringSubmatch(text); m != nil {
		name := blanks.ReplaceAllString(strings.TrimSpace(m[1]), " ")
		for _, r := range records[withoutState(m[2])] {
			if strings.Contains(r[0].(string), name) {
				out = append(out, r)
			}
		}
	}
	o.matched[key] = out
	return out
}

func mealsOf(d day) []string {
	var out []string
	for _, f := range []string{"breakfast", "lunch", "dinner"} {
		if d[f] != "" {
			out = append(out, d[f])
		}
	}
	return out
}

func sightsOf(d day) []string {
	var out []string
	for _, text := range strings.Split(d["attraction"], ";") {
		if strings.TrimSpace(text) != "" {
			out = append(out, strings.TrimSpace(text))
		}
	}
	return out
}

// kilometres of a passable road, 0 if there is none.
func (o *oracle) kilometres(d day) float64 {
	m := journey.FindStringSubmatch(d["transportation"])
	if m == nil {
		m = journey.FindStringSubmatch(d["current_city"])
	}
	for _, w := range o.roads {
		if m != nil && w[0] == withoutState(m[1]) && w[1] == withoutState(m[2]) && !strings.Contains(w[2].(string), "day") {
			return w[3].(float64)
		}
	}
	return 0
}

// flight is the first of the number that a day's transportation names.
func (o *oracle) flight(d day, routed bool) []any {
	_, rest, _ := strings.Cut(d["transportation"], "Flight Number: ")
	flown, _, _ := strings.Cut(rest, ",")
	m := journey.FindStringSubmatch(d["transportation"])
	for _, f := range o.flights {
		if f[0] == flown && (!routed || m != nil && f[1] == withoutState(m[1]) && f[2] == withoutState(m[2])) {
			return f
		}
	}
	return nil
}

// sandbox: "every flight number (with origin and destination), drive/taxi pair,
// restaurant, attraction, accommodation exists in the database (name substring match
// within the city)".
func (o *oracle) sandbox(days []day) bool {
	ok := true
	for _, d := range days {
		switch text := d["transportation"]; {
		case strings.Contains(text, "Flight Number"):
			ok = ok && o.flight(d, true) != nil
		case strings.Contains(text, "Self-driving"), strings.Contains(text, "Taxi"):
			ok = ok && o.kilometres(d) > 0
		}
		for _, text := range mealsOf(d) {
			ok = ok && len(o.matches(o.restaurants, text)) > 0
		}
		for _, text := range sightsOf(d) {
			ok = ok && len(o.matches(o.attractions, text)) > 0
		}
		if text := d["accommodation"]; text != "" {
			ok = ok && len(o.matches(o.accommodations, text)) > 0
		}
	}
	return ok
}

// complete: "number of days right; number of distinct non-origin cities right; travel
// day has transportation; non-travel day has an attraction and three meals; every day
// but the last has accommodation; filled fields / (6 x days) >= 0.5".
func (o *oracle) complete(q travel.Query, days []day, all int) bool {
	if all != q.Days {
		return false
	}
	ok, visited, filled := true, map[string]bool{}, 0
	for i, d := range days {
		for _, city := range whereabouts(d) {
			if city != q.Org {
				visited[city] = true
			}
		}
		if travels(d) {
			ok = ok && d["transportation"] != ""
		} else {
			ok = ok && d["attraction"] != "" && len(mealsOf(d)) == 3
		}
		ok = ok && (i == q.Days-1 || d["accommodation"] != "")
		filled += 1 + len(d) // the number of the day is a field, too
	}
	return ok && len(visited) == q.Cities && float64(filled)/float64(6*q.Days) >= 0.5
}

// city: "each item names a city of that day (on a travel day either city; accommodation
// the arrival city)"; transportation belongs to the day and not to a place, so it names
// all cities of the day. Released: "on non-travel days the city string is iterated per
// character".
func (o *oracle) city(days []day, released bool) bool {
	ok := true
	for _, d := range days {
		where := whereabouts(d)
		if released && !travels(d) {
			where = nil
			for _, letter := range whereabouts(d)[0] {
				where = append(where, string(letter))
			}
		}
		for _, text := range append(mealsOf(d), sightsOf(d)...) {
			one := false
			for _, city := range where {
				one = one || strings.Contains(text, city)
			}
			ok = ok && one
		}
		for _, city := range where {
			ok = ok && (d["transportation"] == "" || strings.Contains(d["transportation"], city))
		}
		ok = ok && (d["accommodation"] == "" || strings.Contains(d["accommodation"], where[len(where)-1]))
	}
	return ok
}

// route: "starts at origin, closed circle, no city revisited after leaving, at least
// two consecutive entries per intermediate city, every city known, and for >3 days in
// the destination state".
func (o *oracle) route(q travel.Query, days []day) bool {
	var list []string
	for _, d := range days {
		list = append(list, whereabouts(d)...)
	}
	last := len(list) - 1
	if len(list) < 3 || list[0] != q.Org || list[last] != list[0] {
		return false
	}
	for i, city := range list {
		if o.cities[city] == "" {
			return false
		}
		if i == 0 || i == last {
			continue
		}
		if q.Days > 3 && o.cities[city] != q.Dest {
			return false
		}
		if list[i-1] != city && list[i+1] != city {
			return false
		}
		for j := range i - 1 { // it was left before
			if list[j] == city && list[i-1] != city {
				return false
			}
		}
	}
	return true
}

func distinct(list []string) bool {
	seen := map[string]bool{}
	for _, text := range list {
		seen[text] = true
	}
	return len(seen) == len(list)
}

// conflict: "day 1 has transportation; not self-driving together with flight, nor taxi
// together with self-driving (taxi with flight is allowed)".
func (o *oracle) conflict(days []day) bool {
	used := map[string]bool{}
	for _, d := range days {
		for _, word := range []string{"Taxi", "Self-driving", "Flight"} {
			if strings.Contains(d["transportation"], word) {
				used[word] = true
				break
			}
		}
	}
	return days[0]["transportation"] != "" && !(used["Self-driving"] && (used["Flight"] || used["Taxi"]))
}

// nights: "consecutive nights in an accommodation >= its minimum nights (only when
// exactly one record matches)".
func (o *oracle) nights(days []day) bool {
	ok := true
	for i, d := range days {
		nights := 0
		for _, next := range days[i:] {
			if next["accommodation"] != d["accommodation"] {
				break
			}
			nights++
		}
		begins := i == 0 || days[i-1]["accommodation"] != d["accommodation"]
		if m := o.matches(o.accommodations, d["accommodation"]); begins && len(m) == 1 {
			ok = ok && float64(nights) >= m[0][3].(float64)
		}
	}
	return ok
}

// cost: "flights: price x people; self-driving: int(km*0.05) x ceil(people/5); taxi:
// int(km) x ceil(people/4); meals: average cost x people; accommodation: price x
// ceil(people/max occupancy) for each night listed".
func (o *oracle) cost(q travel.Query, days []day) float64 {
	people, sum := float64(q.People), 0.0
	for _, d := range days {
		switch text := d["transportation"]; {
		case strings.Contains(text, "Flight Number"):
			if f := o.flight(d, false); f != nil {
				sum += f[7].(float64) * people
			}
		case strings.Contains(text, "Self-driving"):
			sum += math.Floor(o.kilometres(d)*0.05) * math.Ceil(people/5)
		case strings.Contains(text, "Taxi"):
			sum += math.Floor(o.kilometres(d)) * math.Ceil(people/4)
		}
		for _, text := range mealsOf(d) {
			if m := o.matches(o.restaurants, text); m != nil {
				sum += m[0][2].(float64) * people
			}
		}
		if m := o.matches(o.accommodations, d["accommodation"]); m != nil {
			sum += m[0][2].(float64) * math.Ceil(people/m[0][4].(float64))
		}
	}
	return sum
}

// verdicts returns whether a plan satisfies each constraint. It omits constraints that are not
// evaluated.
func (o *oracle) verdicts(t testing.TB, q travel.Query, p travel.Plan, released bool) map[string]bool {
	days, all := oracleDays(t, q, p)
	out := map[string]bool{}
	if all == 0 {
		return out
	}
	judged := days
	if released { // "split(';')[:-1]": what no semicolon follows is ignored
		judged = nil
		for _, d := range days {
			d = maps.Clone(d)
			d["attraction"] = d["attraction"][:strings.LastIndex(d["attraction"], ";")+1]
			judged = append(judged, d)
		}
	}
	var eaten, seen []string
	for _, d := range judged {
		eaten, seen = append(eaten, mealsOf(d)...), append(seen, sightsOf(d)...)
	}
	out["Within Sandbox"] = o.sandbox(judged)
	out["Complete Information"] = o.complete(q, days, all)
	if released && travels(days[0]) && whereabouts(days[0])[0] != q.Org { // "the first day's city should be …"
		out["Complete Information"] = false
	}
	out["Within Current City"] = o.city(judged, released)
	out["Reasonable City Route"] = o.route(q, days)
	out["Diverse Restaurants"] = distinct(eaten)
	out["Diverse Attractions"] = distinct(seen)
	out["Non-conf. Transportation"] = o.conflict(days)
	out["Minimum Nights Stay"] = o.nights(days)
	if !out["Within Sandbox"] || !out["Complete Information"] {
		return out
	}
	out["Budget"] = o.cost(q, days) <= float64(q.Budget)
	wishes := q.Constraint
	types := map[string]string{"shared room": "Shared room", "private room": "Private room", "entire room": "Entire home/apt"}
	booked := func(fits func(record []any) bool) bool {
		for _, d := range days {
			if m := o.matches(o.accommodations, d["accommodation"]); m != nil && !fits(m[0]) {
				return false
			}
		}
		return true
	}
	if wishes.HouseRule != "" {
		out["Room Rule"] = booked(func(r []any) bool { return !strings.Contains(r[5].(string), "No "+wishes.HouseRule) })
	}
	if wishes.RoomType != "" {
		out["Room Type"] = booked(func(r []any) bool {
			if wishes.RoomType == "not shared room" {
				return r[1] != "Shared room"
			}
			return r[1] == types[wishes.RoomType]
		})
	}
	if len(wishes.Cuisine) > 0 {
		all := true
		for _, want := range wishes.Cuisine {
			served := false
			for _, d := range days {
				for _, text := range mealsOf(d) {
					m := entry.FindStringSubmatch(text)
					if released && m != nil && withoutState(m[2]) == q.Org {
						break // "continue" skips the day
					}
					for i, r := range o.matches(o.restaurants, text) {
						served = served || i == 0 && withoutState(m[2]) != q.Org && strings.Contains(r[1].(string), want)
					}
				}
			}
			all = all && served
		}
		out["Cuisine"] = all
	}
	if wishes.Transportation != "" {
		word := map[string]string{"no flight": "Flight", "no self-driving": "Self-driving"}[wishes.Transportation]
		ok := true
		for _, d := range days {
			ok = ok && !strings.Contains(d["transportation"], word)
		}
		out["Transportation"] = ok
	}
	return out
}
