package travel_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/travel"
)

// mutations is the table of mutations.
var mutations = []mutation{
	{"a budget below the cost", travel.Budget, func(m *mutant) bool {
		m.q.Budget = m.db.Cost(m.p, m.q.People).Total - 1 - m.rand.IntN(200)
		return true
	}},
	{"a dearer restaurant, with a budget that just did", travel.Budget, func(m *mutant) bool {
		m.q.Budget = m.db.Cost(m.p, m.q.People).Total
		for _, s := range m.meals(func(_ int, text string) bool { return m.spare(text) }) {
			old := m.get(s.day, s.field)
			for _, r := range m.db.Restaurants(cityOf(old)) {
				if strings.Contains(r.Name, nameOf(old)) {
					text, ok := m.fresh(old[strings.LastIndex(old, ",")+2:], func(other travel.Restaurant) bool { return other.Cost > r.Cost })
					if ok {
						m.set(s.day, s.field, text)
					}
					return ok
				}
			}
		}
		return false
	}},
	{"a restaurant again", travel.DiverseRestaurant, func(m *mutant) bool {
		m.afford()
		for _, s := range m.meals(func(_ int, text string) bool { return m.spare(text) }) {
			old := m.get(s.day, s.field)
			other := m.meals(func(day int, text string) bool { return text != old && m.names(s.day, text) })
			if len(other) > 0 {
				m.set(s.day, s.field, m.get(other[0].day, other[0].field))
				return true
			}
		}
		return false
	}},
	{"an attraction again", travel.DiverseAttraction, func(m *mutant) bool {
		days := m.slots([]string{"attraction"}, always)
		for _, from := range days {
			seen := strings.Split(strings.TrimSuffix(m.get(from.day, "attraction"), ";"), ";")
			text := strings.TrimSpace(pick(m, seen))
			for _, to := range days {
				if m.names(to.day, text) {
					m.set(to.day, "attraction", m.get(to.day, "attraction")+text+";")
					return true
				}
			}
		}
		return false
	}},
	{"a restaurant of another city", travel.WithinCurrentCity, func(m *mutant) bool {
		m.afford()
		for _, s := range m.meals(func(_ int, text string) bool { return m.spare(text) }) {
			text, ok := m.fresh(m.elsewhere(s.day), func(r travel.Restaurant) bool { return !m.names(s.day, r.Name) })
			if ok {
				m.set(s.day, s.field, text)
				return true
			}
		}
		return false
	}},
	{"an attraction of another city", travel.WithinCurrentCity, func(m *mutant) bool {
		for _, s := range m.slots([]string{"attraction"}, always) {
			city := m.elsewhere(s.day)
			a := pick(m, m.db.Attractions(city))
			text := a.Name + ", " + city + ";"
			if !m.names(s.day, text) && !strings.ContainsAny(a.Name, "(;") {
				m.set(s.day, "attraction", m.get(s.day, "attraction")+text)
				return true
			}
		}
		return false
	}},
	{"a bed in another city", travel.WithinCurrentCity, func(m *mutant) bool {
		s := m.stays()[0]
		here := m.where(s.from)
		city := m.elsewhere(s.from)
		return m.rebook(s, city, func(a travel.Accommodation) bool {
			return m.good(a, s.to-s.from) && !strings.Contains(a.Name, plain(here[len(here)-1]))
		})
	}},
	{"a missing meal", travel.CompleteInfo, func(m *mutant) bool {
		s := m.meals(func(day int, _ string) bool { return !m.travels(day) })[0]
		m.set(s.day, s.field, "")
		return true
	}},
	{"a missing attraction", travel.CompleteInfo, func(m *mutant) bool {
		m.set(m.slots([]string{"attraction"}, func(day int, _ string) bool { return !m.travels(day) })[0].day, "attraction", "-")
		return true
	}},
	{"missing transportation, not on day 1", travel.CompleteInfo, func(m *mutant) bool {
		m.set(pick(m, m.legs()[1:]), "transportation", "-")
		return true
	}},
	{"nowhere to sleep", travel.CompleteInfo, func(m *mutant) bool {
		s := m.stays()[0]
		for day := s.from; day < s.to; day++ {
			m.set(day, "accommodation", "-")
		}
		return true
	}},
	{"a day too many", travel.CompleteInfo, func(m *mutant) bool {
		m.p = append(m.p, m.p[m.rand.IntN(len(m.p))])
		return true
	}},
	{"another number of cities", travel.CompleteInfo, func(m *mutant) bool {
		m.q.Cities += 1 + m.rand.IntN(3)
		return true
	}},
	{"an unknown flight", travel.WithinSandbox, func(m *mutant) bool {
		for _, day := range m.legs() {
			text := m.get(day, "transportation")
			_, rest, ok := strings.Cut(text, "Flight Number: ")
			if ok {
				flown, _, _ := strings.Cut(rest, ",")
				m.set(day, "transportation", strings.Replace(text, flown, fmt.Sprintf("F%07d", m.rand.IntN(3_000_000)), 1))
				return true
			}
		}
		return false
	}},
	{"a flight of another route", travel.WithinSandbox, func(m *mutant) bool {
		for _, day := range m.legs() {
			text := m.get(day, "transportation")
			_, rest, ok := strings.Cut(text, "Flight Number: ")
			if !ok {
				continue
			}
			flown, _, _ := strings.Cut(rest, ",")
			cities := m.db.Recorded()
			for _, from := range cities {
				for _, f := range m.db.Flights(from, m.q.Org, "") {
					if f.Number != flown && f.From != plain(m.where(day)[0]) {
						m.set(day, "transportation", strings.Replace(text, flown, f.Number, 1))
						return true
					}
				}
			}
		}
		return false
	}},
	{"a drive where there is no road", travel.WithinSandbox, func(m *mutant) bool {
		for _, day := range m.legs() {
			w := m.where(day)
			if road, ok := m.db.Road(plain(w[0]), plain(w[1])); ok && road.Passable() {
				return false
			}
		}
		for _, day := range m.legs() {
			w := m.where(day)
			m.set(day, "transportation", fmt.Sprintf("Self-driving, from %s to %s, duration: %d hours", w[0], w[1], 5+m.rand.IntN(20)))
		}
		return true
	}},
	{"an unknown restaurant", travel.WithinSandbox, func(m *mutant) bool {
		s := m.meals(always)[0]
		m.set(s.day, s.field, fmt.Sprintf("Chez Nobody %d", m.rand.IntN(1000))+m.get(s.day, s.field))
		return true
	}},
	{"an unknown attraction", travel.WithinSandbox, func(m *mutant) bool {
		s := m.slots([]string{"attraction"}, always)[0]
		m.set(s.day, "attraction", fmt.Sprintf("Museum of Nothing %d, ", m.rand.IntN(1000))+pick(m, m.where(s.day))+";"+m.get(s.day, "attraction"))
		return true
	}},
	{"an unknown bed", travel.WithinSandbox, func(m *mutant) bool {
		s := m.stays()[0]
		number := m.rand.IntN(1000)
		for day := s.from; day < s.to; day++ {
			m.set(day, "accommodation", fmt.Sprintf("Tent %d ", number)+m.get(day, "accommodation"))
		}
		return true
	}},
	{"too few nights", travel.MinimumNights, func(m *mutant) bool {
		for _, s := range m.stays() {
			city := m.where(s.from)
			if m.rebook(s, city[len(city)-1], func(a travel.Accommodation) bool {
				least := a.Nights
				a.Nights = 0
				return least > s.to-s.from && m.good(a, 1)
			}) {
				return true
			}
		}
		return false
	}},
	{"a bed where it is forbidden", travel.RoomRule, func(m *mutant) bool {
		for _, s := range m.stays() {
			rules := []string{m.q.Constraint.HouseRule}
			if rules[0] == "" {
				rules = nil
				for _, rule := range travel.HouseRules() {
					allowed := true
					for _, other := range m.stays() {
						allowed = allowed && (other == s || !forbids(m.record(other.from), rule))
					}
					if allowed {
						rules = append(rules, rule)
					}
				}
			}
			if len(rules) == 0 {
				continue
			}
			rule, city := pick(m, rules), m.where(s.from)
			m.q.Constraint.HouseRule = ""
			ok := m.rebook(s, city[len(city)-1], func(a travel.Accommodation) bool { return forbids(a, rule) && m.good(a, s.to-s.from) })
			m.q.Constraint.HouseRule = rule
			return ok
		}
		return false
	}},
	{"a room of another type", travel.RoomType, func(m *mutant) bool {
		for _, s := range m.stays() {
			types := []string{m.q.Constraint.RoomType}
			if types[0] == "" {
				types = nil
				for _, want := range travel.RoomTypes() {
					fits := true
					for _, other := range m.stays() {
						fits = fits && (other == s || roomFits(want, m.record(other.from).Type))
					}
					if fits {
						types = append(types, want)
					}
				}
			}
			if len(types) == 0 {
				continue
			}
			want, city := pick(m, types), m.where(s.from)
			m.q.Constraint.RoomType = ""
			ok := m.rebook(s, city[len(city)-1], func(a travel.Accommodation) bool { return !roomFits(want, a.Type) && m.good(a, s.to-s.from) })
			m.q.Constraint.RoomType = want
			return ok
		}
		return false
	}},
	{"a cuisine that is not eaten any more", travel.Cuisine, func(m *mutant) bool {
		served := m.served()
		asked := m.q.Constraint.Cuisine
		if len(asked) == 0 {
			for _, c := range travel.Cuisines() {
				if served[c] > 0 {
					asked = append(asked, c)
				}
			}
			asked = []string{pick(m, asked)}
		}
		m.afford()
		removed := pick(m, asked)
		m.q.Constraint.Cuisine = slices.DeleteFunc(slices.Clone(asked), func(c string) bool { return c == removed })
		for _, s := range m.meals(always) {
			old := m.get(s.day, s.field)
			if !slices.Contains(m.cuisines(old), removed) {
				continue
			}
			var keep []string // of the others, those that only this meal has
			for _, c := range m.cuisines(old) {
				if slices.Contains(m.q.Constraint.Cuisine, c) && m.served()[c] < 2 {
					keep = append(keep, c)
				}
			}
			text, ok := m.fresh(old[strings.LastIndex(old, ",")+2:], func(r travel.Restaurant) bool {
				for _, c := range keep {
					if !slices.Contains(r.Cuisines, c) {
						return false
					}
				}
				return !slices.Contains(r.Cuisines, removed)
			})
			if !ok {
				return false
			}
			m.set(s.day, s.field, text)
		}
		m.q.Constraint.Cuisine = asked
		return true
	}},
	{"a cuisine that nobody serves there", travel.Cuisine, func(m *mutant) bool {
		served := m.served()
		var missing []string
		for _, c := range travel.Cuisines() {
			if served[c] == 0 {
				missing = append(missing, c)
			}
		}
		if len(missing) == 0 {
			return false
		}
		m.q.Constraint.Cuisine = append(slices.Clone(m.q.Constraint.Cuisine), pick(m, missing))
		return true
	}},
	{"another way to travel, which is forbidden", travel.Transportation, func(m *mutant) bool {
		m.afford()
		forbidden := map[string]string{"Flight": travel.NoFlight, "Self-driving": travel.NoDriving}
		to := pick(m, []string{"Flight", "Self-driving"})
		if w := m.q.Constraint.Transportation; w != "" && w != forbidden[to] {
			return false
		}
		for _, day := range m.legs() {
			text := m.ride(day, to)
			if mode(m.get(day, "transportation")) == to || text == "" {
				return false
			}
			m.set(day, "transportation", text)
		}
		m.q.Constraint.Transportation = forbidden[to]
		return true
	}},
	{"the way one travels, forbidden", travel.Transportation, func(m *mutant) bool {
		used := mode(m.get(pick(m, m.legs()), "transportation"))
		m.q.Constraint.Transportation = map[string]string{"Flight": travel.NoFlight, "Self-driving": travel.NoDriving}[used]
		return m.q.Constraint.Transportation != ""
	}},
	{"a car that is left behind", travel.NoConflict, func(m *mutant) bool {
		m.afford()
		legs := m.legs()
		day := pick(m, legs)
		have := mode(m.get(day, "transportation"))
		to := "Self-driving"
		if have == "Self-driving" {
			to = pick(m, []string{"Taxi", "Flight"})
		}
		w := m.q.Constraint.Transportation
		text := m.ride(day, to)
		others := false // whether another leg conflicts with the new one
		for _, other := range legs {
			if other != day {
				h := mode(m.get(other, "transportation"))
				others = others || h != to && (h == "Self-driving" || to == "Self-driving")
			}
		}
		if text == "" || !others || w == travel.NoFlight && to == "Flight" || w == travel.NoDriving && to == "Self-driving" {
			return false
		}
		m.set(day, "transportation", text)
		return true
	}},
	{"a trip that does not go home", travel.ReasonableRoute, func(m *mutant) bool {
		m.afford()
		last := len(m.p) - 1
		city := m.where(last)[0]
		m.set(last, "current_city", city)
		m.set(last, "transportation", "-")
		for _, f := range mealFields {
			old := m.get(last, f)
			if old != "" && cityOf(old) == plain(city) {
				continue
			}
			text, ok := m.fresh(city, func(travel.Restaurant) bool { return true })
			if !ok {
				return false
			}
			m.set(last, f, text)
		}
		list := m.db.Attractions(plain(city))
		for _, a := range list {
			seen := false
			for day := range m.p {
				seen = seen || strings.Contains(m.get(day, "attraction"), a.Name)
			}
			if !seen && !strings.ContainsAny(a.Name, "(;") {
				m.set(last, "attraction", a.Name+", "+city+";")
				return true
			}
		}
		return false
	}},
	{"another origin", travel.ReasonableRoute, func(m *mutant) bool {
		m.q.Org = pick(m, []string{"Anchorage", "Honolulu", "Boise", "Bangor", "Key West", "Duluth"})
		m.q.Cities++ // the old origin is now one of the cities visited
		return true
	}},
	{"another state", travel.ReasonableRoute, func(m *mutant) bool {
		states := slices.DeleteFunc(m.db.States(), func(s string) bool { return s == m.q.Dest })
		m.q.Dest = pick(m, states)
		return m.q.Days > 3
	}},
}
