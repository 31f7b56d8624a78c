package travel_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/travel"
)

// mutant is a query and a plan that a mutation changes.
type mutant struct {
	db   *travel.DB
	rand *rand.Rand
	q    travel.Query
	p    travel.Plan
}

// mutation changes a plan that satisfies its query so that exactly one constraint
// fails; it returns false where this is impossible for the plan.
type mutation struct {
	name       string
	constraint string
	change     func(m *mutant) bool
}

func (m *mutant) get(day int, f string) string { return m.p[day].Get(f) }

func (m *mutant) set(day int, f, text string) { m.p[day] = m.p[day].Set(f, text) }

// where returns the cities of a day as written, with the state.
func (m *mutant) where(day int) []string {
	text := m.get(day, "current_city")
	if rest, ok := strings.CutPrefix(text, "from "); ok {
		from, to, _ := strings.Cut(rest, " to ")
		return []string{from, to}
	}
	return []string{text}
}

func (m *mutant) travels(day int) bool { return len(m.where(day)) == 2 }

// plain is a city without its state.
func plain(city string) string {
	city, _, _ = strings.Cut(city, "(")
	return strings.TrimSpace(city)
}

// cityOf is the city of "Name, City".
func cityOf(text string) string { return plain(text[strings.LastIndex(text, ",")+1:]) }

func nameOf(text string) string { return strings.TrimSpace(text[:strings.LastIndex(text, ",")]) }

// afford raises the budget so far that it is never exceeded, even if the benchmark's
// costs differ by a cent.
func (m *mutant) afford() { m.q.Budget += 1_000_000 }

type slot struct {
	day   int
	field string
}

var mealFields = []string{"breakfast", "lunch", "dinner"}

// slots lists the filled fields that satisfy a condition, in an order that is drawn.
func (m *mutant) slots(fields []string, fits func(day int, text string) bool) []slot {
	var out []slot
	for day := range m.p {
		for _, f := range fields {
			if text := m.get(day, f); text != "" && fits(day, text) {
				out = append(out, slot{day, f})
			}
		}
	}
	m.rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func (m *mutant) meals(fits func(day int, text string) bool) []slot {
	return m.slots(mealFields, fits)
}

func always(int, string) bool { return true }

// served counts the meals of the plan, by cuisine.
func (m *mutant) served() map[string]int {
	out := map[string]int{}
	for _, s := range m.meals(always) {
		for _, c := range m.cuisines(m.get(s.day, s.field)) {
			out[c]++
		}
	}
	return out
}

// cuisines are those of a restaurant outside the origin.
func (m *mutant) cuisines(text string) []string {
	if cityOf(text) == m.q.Org {
		return nil
	}
	for _, r := range m.db.Restaurants(cityOf(text)) {
		if strings.Contains(r.Name, nameOf(text)) {
			return r.Cuisines
		}
	}
	return nil
}

// spare reports whether the plan still serves the query's cuisines without a meal.
func (m *mutant) spare(text string) bool {
	served := m.served()
	for _, c := range m.cuisines(text) {
		if slices.Contains(m.q.Constraint.Cuisine, c) && served[c] < 2 {
			return false
		}
	}
	return true
}

// fresh draws a restaurant of a city that is not in the plan and whose name refers to
// no other one.
func (m *mutant) fresh(city string, fits func(r travel.Restaurant) bool) (text string, ok bool) {
	list := m.db.Restaurants(plain(city))
	m.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, r := range list {
		text := r.Name + ", " + city
		means := 0
		for _, other := range list {
			if strings.Contains(other.Name, r.Name) {
				means++
			}
		}
		if means == 1 && !strings.ContainsAny(r.Name, ",(\n") && len(m.meals(func(_ int, have string) bool { return nameOf(have) == r.Name })) == 0 && fits(r) {
			return text, true
		}
	}
	return "", false
}

// elsewhere draws a city with records that cannot be confused with the cities of a day.
func (m *mutant) elsewhere(day int) string {
	list := m.db.Recorded()
	m.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, city := range list {
		apart := city != m.q.Org
		for _, here := range m.where(day) {
			apart = apart && !strings.Contains(city, plain(here))
		}
		if apart {
			return city
		}
	}
	return ""
}

func (m *mutant) names(day int, text string) bool {
	for _, here := range m.where(day) {
		if strings.Contains(text, plain(here)) {
			return true
		}
	}
	return false
}

// stay is nights in a row at one place.
type stay struct{ from, to int }

func (m *mutant) stays() []stay {
	var out []stay
	for from := 0; from < len(m.p); {
		to := from
		for to < len(m.p) && m.get(to, "accommodation") == m.get(from, "accommodation") {
			to++
		}
		if m.get(from, "accommodation") != "" {
			out = append(out, stay{from, to})
		}
		from = to
	}
	m.rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// record returns the first record that matches the accommodation of a day.
func (m *mutant) record(day int) travel.Accommodation {
	text := m.get(day, "accommodation")
	for _, a := range m.db.Accommodations(cityOf(text)) {
		if strings.Contains(strings.Join(strings.Fields(a.Name), " "), strings.Join(strings.Fields(nameOf(text)), " ")) {
			return a
		}
	}
	return travel.Accommodation{}
}

func roomFits(want, have string) bool {
	switch want {
	case "shared room":
		return have == "Shared room"
	case "not shared room":
		return have != "Shared room"
	case "private room":
		return have == "Private room"
	case "entire room":
		return have == "Entire home/apt"
	}
	return true
}

func forbids(a travel.Accommodation, rule string) bool { return slices.Contains(a.Rules, "No "+rule) }

// rebook replaces the accommodation of a stay with another one of the city.
func (m *mutant) rebook(s stay, city string, fits func(a travel.Accommodation) bool) bool {
	list := m.db.Accommodations(plain(city))
	m.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, a := range list {
		means := 0
		for _, other := range list {
			if strings.Contains(other.Name, a.Name) {
				means++
			}
		}
		if means != 1 || strings.ContainsAny(a.Name, "(\n") || a.Name == m.record(s.from).Name || !fits(a) {
			continue
		}
		for day := s.from; day < s.to; day++ {
			m.set(day, "accommodation", a.Name+", "+city)
		}
		m.afford()
		return true
	}
	return false
}

// good reports whether an accommodation is allowed for a stay of a number of nights.
func (m *mutant) good(a travel.Accommodation, nights int) bool {
	w := m.q.Constraint
	return a.Nights <= nights && (w.HouseRule == "" || !forbids(a, w.HouseRule)) && roomFits(w.RoomType, a.Type)
}

// legs are the days of travel.
func (m *mutant) legs() []int {
	var out []int
	for day := range m.p {
		if m.travels(day) {
			out = append(out, day)
		}
	}
	return out
}

// ride formats a journey by a mode for a day, "" if there is none.
func (m *mutant) ride(day int, mode string) string {
	w := m.where(day)
	from, to := plain(w[0]), plain(w[1])
	if mode == "Flight" {
		list := m.db.Flights(from, to, m.q.Date[day])
		if len(list) == 0 {
			return ""
		}
		f := list[m.rand.IntN(len(list))]
		return fmt.Sprintf("Flight Number: %s, from %s to %s, Departure Time: %s, Arrival Time: %s", f.Number, w[0], w[1], f.Departs, f.Arrives)
	}
	road, ok := m.db.Road(from, to)
	if !ok || !road.Passable() {
		return ""
	}
	return fmt.Sprintf("%s, from %s to %s, duration: %s, distance: %v km", mode, w[0], w[1], road.Duration, road.Km)
}

func mode(text string) string {
	for _, word := range []string{"Flight", "Self-driving", "Taxi"} {
		if strings.Contains(text, word) {
			return word
		}
	}
	return ""
}

func pick[T any](m *mutant, list []T) T { return list[m.rand.IntN(len(list))] }
