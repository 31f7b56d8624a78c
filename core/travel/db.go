package travel

import (
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Flight is a flight on a date.
type Flight struct {
	Number   string `json:"number"` // F3573659
	From     string `json:"from"`
	To       string `json:"to"`
	Date     string `json:"date"`     // 2022-03-16
	Departs  string `json:"departs"`  // 15:40, local time
	Arrives  string `json:"arrives"`  // 17:04, local time; the next day if it is earlier
	Duration string `json:"duration"` // 2 hours 24 minutes
	Price    int    `json:"price"`    // dollars per person
	Miles    int    `json:"miles"`
}

// Road is a connection by road, in one direction.
type Road struct {
	From     string  `json:"from"`
	To       string  `json:"to"`
	Duration string  `json:"duration"`   // 7 hours 46 mins
	Km       float64 `json:"kilometres"` // 0 if unknown
}

// Passable reports whether the road can be used: it is known and takes less than a day.
func (w Road) Passable() bool { return w.Km > 0 && !strings.Contains(w.Duration, "day") }

// SelfDriving returns the cost of a car for up to five people in dollars: a twentieth of the
// kilometres, rounded down.
func (w Road) SelfDriving() int { return int(w.Km * 0.05) }

// Taxi returns the cost of a taxi for up to four people in dollars: the kilometres, rounded
// down.
func (w Road) Taxi() int { return int(w.Km) }

// Restaurant is a row of the benchmark's table of restaurants.
type Restaurant struct {
	Name     string   `json:"name"`
	City     string   `json:"city"`
	Cuisines []string `json:"cuisines"`
	Cost     int      `json:"cost"` // average dollars per person
	Rating   float64  `json:"rating"`
}

// Attraction is a row of the benchmark's table of attractions. Visits are free.
type Attraction struct {
	Name    string `json:"name"`
	City    string `json:"city"`
	Address string `json:"address,omitempty"`
}

// Accommodation is a row of the benchmark's table of accommodations.
type Accommodation struct {
	Name      string   `json:"name"`
	City      string   `json:"city"`
	Type      string   `json:"type"`      // "Entire home/apt", "Private room" or "Shared room"
	Price     int      `json:"price"`     // dollars per night and room
	Nights    int      `json:"nights"`    // minimum number
	Occupancy int      `json:"occupancy"` // people per room
	Rules     []string `json:"rules"`     // "No smoking", …
	Rating    float64  `json:"rating"`
}

// DB is a database of records. It is immutable and safe for concurrent use.
type DB struct {
	flights        []Flight
	roads          map[[2]string]Road
	restaurants    map[string]*shelf[Restaurant] // by city
	attractions    map[string]*shelf[Attraction]
	accommodations map[string]*shelf[Accommodation]
	states         map[string]string // of cities
	cities         []string          // known cities in alphabetical order
	recorded       map[string]bool   // cities with restaurants, attractions or accommodations
	stated         map[string][]string
	byNumber       map[string][]int // flights
	byRoute        map[[2]string][]int
}

// shelf has the records of a city in the order of the data, and their names with white
// space normalised: some names have line breaks, plans have none.
type shelf[R any] struct {
	records []R
	names   []string
}

func put[R any](shelves map[string]*shelf[R], city, name string, record R) {
	s := shelves[city]
	if s == nil {
		s = &shelf[R]{}
		shelves[city] = s
	}
	s.records, s.names = append(s.records, record), append(s.names, spaced(name))
}

// all returns the records of the shelf; a nil shelf has none.
func (s *shelf[R]) all() []R {
	if s == nil {
		return nil
	}
	return s.records
}

// labels returns the names of the records.
func (s *shelf[R]) labels() []string {
	if s == nil {
		return nil
	}
	return s.names
}

// fitting returns the records whose names contain an item's name.
func (s *shelf[R]) fitting(i item) []R {
	want := spaced(i.name)
	if want == "" || s == nil {
		return nil
	}
	var out []R
	for at, name := range s.names {
		if strings.Contains(name, want) {
			out = append(out, s.records[at])
		}
	}
	return out
}

// Cities returns the known cities in alphabetical order.
func (db *DB) Cities() []string { return append([]string(nil), db.cities...) }

// Recorded returns the cities with restaurants, attractions or accommodations in
// alphabetical order.
func (db *DB) Recorded() []string {
	var out []string
	for _, city := range db.cities {
		if db.recorded[city] {
			out = append(out, city)
		}
	}
	return out
}

// States returns the states of the cities in alphabetical order.
func (db *DB) States() []string {
	var out []string
	for state := range db.stated {
		out = append(out, state)
	}
	sort.Strings(out)
	return out
}

// State returns the state of a city.
func (db *DB) State(city string) (state string, ok bool) {
	state, ok = db.states[city]
	return state, ok
}

// CitiesIn returns the cities of a state in alphabetical order; none for an unknown state.
func (db *DB) CitiesIn(state string) []string { return append([]string(nil), db.stated[state]...) }

// Flights returns the flights from one city to another on a date, or on any date if date
// is empty.
func (db *DB) Flights(from, to, date string) []Flight {
	var out []Flight
	for _, i := range db.byRoute[[2]string{from, to}] {
		if f := db.flights[i]; date == "" || f.Date == date {
			out = append(out, f)
		}
	}
	return out
}

// Flight returns the flights with a number, one for each date.
func (db *DB) Flight(number string) []Flight {
	var out []Flight
	for _, i := range db.byNumber[number] {
		out = append(out, db.flights[i])
	}
	return out
}

// Road returns the road from one city to another.
func (db *DB) Road(from, to string) (w Road, ok bool) {
	w, ok = db.roads[[2]string{from, to}]
	return w, ok
}

// Restaurants returns the restaurants of a city, in the order of the data.
func (db *DB) Restaurants(city string) []Restaurant {
	return append([]Restaurant(nil), db.restaurants[city].all()...)
}

// Attractions returns the attractions of a city, in the order of the data.
func (db *DB) Attractions(city string) []Attraction {
	return append([]Attraction(nil), db.attractions[city].all()...)
}

// Accommodations returns the accommodations of a city, in the order of the data.
func (db *DB) Accommodations(city string) []Accommodation {
	return append([]Accommodation(nil), db.accommodations[city].all()...)
}

// findRestaurants returns the restaurants that an item of a plan can mean.
func (db *DB) findRestaurants(i item) []Restaurant { return db.restaurants[i.city].fitting(i) }

func (db *DB) findAttractions(i item) []Attraction { return db.attractions[i.city].fitting(i) }

func (db *DB) findAccommodations(i item) []Accommodation {
	return db.accommodations[i.city].fitting(i)
}

// spaced normalises white space.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// nearby returns "; did you mean A or B?" for similar names, or "".
func nearby(name string, names []string) string {
	lower, low := strings.ToLower(strings.TrimSpace(name)), make([]string, len(names))
	for i, n := range names {
		low[i] = strings.ToLower(n)
	}
	var out []string
	add := func(n string) {
		if len(out) < 3 && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for i, n := range low {
		if n == lower {
			add(names[i])
		}
	}
	type near struct{ at, distance int }
	var list []near
	bound := len([]rune(lower))/3 + 1
	for i, n := range low {
		if d := source.Distance(lower, n, bound); d < bound {
			list = append(list, near{i, d})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].distance < list[j].distance })
	for _, n := range list {
		add(names[n.at])
	}
	for i, n := range low {
		if len(lower) >= 4 && (strings.Contains(n, lower) || len(n) >= 4 && strings.Contains(lower, n)) {
			add(names[i])
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(out, " or ") + "?"
}
