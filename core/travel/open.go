package travel

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// MaxRecords bounds the records of a database. The benchmark's database has about forty
// thousand records, not counting flights.
const MaxRecords = 200_000

// Open reads a database from JSON texts, whose records are combined. A text is one of two
// objects.
//
// The first contains records by kind; each record is a list of values:
//
//	{
//	  "source": "where the records come from, and their licence",
//	  "cities": {"Illinois": ["Rockford"]},
//	  "flights": [["F3573659", "St. Petersburg", "Rockford", "2022-03-16", "15:40", "17:04", "2 hours 24 minutes", 474, 1049]],
//	  "ways": [["Las Vegas", "Stockton", "7 hours 46 mins", 835]],
//	  "restaurants": {"Rockford": [["Coco Bambu", "Tea, French, Bakery", 72, 4.9]]},
//	  "attractions": {"Rockford": [["Midway Village Museum", "6799 Guilford Rd, Rockford"]]},
//	  "accommodations": {"Rockford": [["Spacious 3BDR", "Entire home/apt", 1030, 2, 9, "No smoking", 2]]}
//	}
//
// A flight ends with its price and its distance in miles. A restaurant has its average
// cost and its rating. An accommodation has its price, its minimum number of nights, its
// maximum number of guests, its rules, separated by " & ", and its rating. The distance 0
// means unknown.
//
// The other object is the "reference_information" of one of the benchmark's queries:
//
//	{"Attractions in Rockford": [{…}], "Flight from A to B on 2022-03-16": [{…}], "Taxi from A to B": "…", …}
//
// A city is known if a state lists it, or a record is in it. A record that another text
// repeats is ignored. The error has code [CodeData] and names the place.
func Open(texts ...string) (*DB, error) {
	o := &opening{db: &DB{
		roads: map[[2]string]Road{}, restaurants: map[string]*shelf[Restaurant]{}, attractions: map[string]*shelf[Attraction]{},
		accommodations: map[string]*shelf[Accommodation]{}, states: map[string]string{}, recorded: map[string]bool{},
		stated: map[string][]string{}, byNumber: map[string][]int{}, byRoute: map[[2]string][]int{},
	}, seen: map[string]bool{}, known: map[string]bool{}}
	for i, text := range texts {
		o.where = ""
		if len(texts) > 1 {
			o.where = "text " + strconv.Itoa(i+1) + ": "
		}
		tree, fault := json.Tree(text)
		if fault != nil {
			file := source.NewFile("data", text)
			at := file.Locate(source.Pos(fault.Offset))
			return nil, source.NewError(CodeData, fmt.Sprintf("%sthe data is not JSON: line %d, column %d: %s", o.where, at.Line, at.Column, fault.Message))
		}
		if inner, ok := tree.Get("reference_information"); ok && inner.Kind == '{' {
			tree = inner
		}
		if tree.Kind != '{' {
			return nil, source.NewError(CodeData, o.where+"the data is a JSON object with cities, flights, ways, restaurants, attractions and accommodations")
		}
		o.texts++
		if o.text(tree); o.err != nil {
			return nil, o.err
		}
	}
	if o.texts == 0 {
		return nil, source.NewError(CodeData, "no data: expected records or a query's reference information")
	}
	o.finish()
	return o.db, nil
}

// opening is a database being read.
type opening struct {
	db      *DB
	where   string
	texts   int
	records int
	seen    map[string]bool // records of earlier texts, by the number of the text
	fresh   []string
	known   map[string]bool // cities
	err     error
}

func (o *opening) fail(place, format string, args ...any) {
	if o.err == nil {
		o.err = source.NewError(CodeData, o.where+place+": "+fmt.Sprintf(format, args...))
	}
}

// text reads a text. Duplicates within it are kept: the benchmark has two restaurants with
// one name in a city.
func (o *opening) text(tree *json.Node) {
	for _, m := range tree.Members {
		switch m.Key {
		case "source":
		case "cities":
			o.cities(m.Value)
		case "flights":
			o.rows("flights", m.Value, 9, o.flight)
		case "ways":
			o.rows("ways", m.Value, 4, o.road)
		case "restaurants":
			o.byCity(m, 4, o.restaurant)
		case "attractions":
			o.byCity(m, 2, o.attraction)
		case "accommodations":
			o.byCity(m, 7, o.accommodation)
		default:
			o.reference(m)
		}
		if o.err != nil {
			return
		}
	}
	for _, key := range o.fresh {
		o.seen[key] = true
	}
	o.fresh = o.fresh[:0]
}

// first counts a record and reports whether it is new.
func (o *opening) first(key ...string) bool {
	if o.records++; o.records > MaxRecords {
		o.fail("data", "there are more than %d records", MaxRecords)
		return false
	}
	k := strings.Join(key, "\x00")
	if o.seen[k] {
		return false
	}
	o.fresh = append(o.fresh, k)
	return true
}

func (o *opening) cities(n *json.Node) {
	if n.Kind != '{' {
		o.fail("cities", "expected an object: states and their cities")
		return
	}
	for _, m := range n.Members {
		for i, c := range m.Value.Items {
			if c.Kind != '"' || c.Text == "" {
				o.fail(fmt.Sprintf("cities.%s[%d]", m.Key, i), "a city must be a string")
				return
			}
			if _, taken := o.db.states[c.Text]; !taken {
				o.records++
				o.db.states[c.Text] = m.Key
				o.db.stated[m.Key] = append(o.db.stated[m.Key], c.Text)
			}
		}
	}
}

// row is a record in the form of a list.
type row struct {
	o     *opening
	place string
	items []*json.Node
}

func (r row) text(i int) string {
	if v := r.items[i]; v.Kind == '"' {
		return v.Text
	}
	r.o.fail(fmt.Sprintf("%s[%d]", r.place, i), "%s is not a string", shorten(r.items[i].Text))
	return ""
}

func (r row) number(i int) float64 {
	n, err := strconv.ParseFloat(r.items[i].Text, 64)
	if r.items[i].Kind != '0' || err != nil || n < 0 || n > 1e9 {
		r.o.fail(fmt.Sprintf("%s[%d]", r.place, i), "%s is not a number from 0 to 1e9", shorten(r.items[i].Text))
		return 0
	}
	return n
}

func (r row) integer(i int) int {
	n := r.number(i)
	if n != float64(int(n)) {
		r.o.fail(fmt.Sprintf("%s[%d]", r.place, i), "%s is not an integer", r.items[i].Text)
	}
	return int(n)
}

func (o *opening) rows(place string, n *json.Node, length int, read func(row)) {
	if n.Kind != '[' {
		o.fail(place, "expected a list")
		return
	}
	for i, item := range n.Items {
		r := row{o, fmt.Sprintf("%s[%d]", place, i), item.Items}
		if item.Kind != '[' || len(item.Items) != length {
			o.fail(r.place, "expected a record, a list of %d", length)
		}
		if o.err != nil {
			return
		}
		read(r)
	}
}

func (o *opening) byCity(m json.Member, length int, read func(city string, r row)) {
	if m.Value.Kind != '{' {
		o.fail(m.Key, "expected an object: cities and their records")
		return
	}
	for _, c := range m.Value.Members {
		o.rows(m.Key+"."+c.Key, c.Value, length, func(r row) { read(c.Key, r) })
	}
}

func (o *opening) flight(r row) {
	o.addFlight(Flight{
		Number: r.text(0), From: r.text(1), To: r.text(2), Date: r.text(3), Departs: r.text(4), Arrives: r.text(5), Duration: r.text(6),
		Price: r.integer(7), Miles: r.integer(8),
	})
}

func (o *opening) addFlight(f Flight) {
	if o.err != nil || !o.first("flight", f.Number, f.From, f.To, f.Date) {
		return
	}
	db := o.db
	at := len(db.flights)
	db.flights = append(db.flights, f)
	db.byNumber[f.Number] = append(db.byNumber[f.Number], at)
	route := [2]string{f.From, f.To}
	db.byRoute[route] = append(db.byRoute[route], at)
	o.known[f.From], o.known[f.To] = true, true
}

func (o *opening) road(r row) {
	o.addRoad(Road{From: r.text(0), To: r.text(1), Duration: r.text(2), Km: r.number(3)})
}

func (o *opening) addRoad(w Road) {
	o.records++
	key := [2]string{w.From, w.To}
	if have, taken := o.db.roads[key]; !taken || have.Km == 0 {
		o.db.roads[key] = w
	}
	o.known[w.From], o.known[w.To] = true, true
}

func (o *opening) restaurant(city string, r row) {
	o.addRestaurant(Restaurant{Name: r.text(0), City: city, Cuisines: listed(r.text(1), ", "), Cost: r.integer(2), Rating: r.number(3)})
}

func (o *opening) addRestaurant(r Restaurant) {
	if o.err == nil && o.first("restaurant", r.City, r.Name) {
		put(o.db.restaurants, r.City, r.Name, r)
		o.db.recorded[r.City] = true
	}
}

func (o *opening) attraction(city string, r row) {
	o.addAttraction(Attraction{Name: r.text(0), City: city, Address: r.text(1)})
}

func (o *opening) addAttraction(a Attraction) {
	if o.err == nil && o.first("attraction", a.City, a.Name) {
		put(o.db.attractions, a.City, a.Name, a)
		o.db.recorded[a.City] = true
	}
}

func (o *opening) accommodation(city string, r row) {
	o.addAccommodation(Accommodation{
		Name: r.text(0), City: city, Type: r.text(1), Price: r.integer(2), Nights: r.integer(3), Occupancy: r.integer(4), Rules: listed(r.text(5), " & "), Rating: r.number(6),
	}, r.place)
}

func (o *opening) addAccommodation(a Accommodation, place string) {
	if a.Occupancy < 1 {
		o.fail(place, "%q has the occupancy %d (expected at least 1)", a.Name, a.Occupancy)
	}
	if o.err == nil && o.first("accommodation", a.City, a.Name) {
		put(o.db.accommodations, a.City, a.Name, a)
		o.db.recorded[a.City] = true
	}
}

// listed splits a text at a separator.
func listed(text, separator string) []string {
	var out []string
	for _, part := range strings.Split(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// finish lists the cities.
func (o *opening) finish() {
	db := o.db
	for city := range db.states {
		o.known[city] = true
	}
	for city := range db.recorded {
		o.known[city] = true
	}
	for city := range o.known {
		db.cities = append(db.cities, city)
	}
	sort.Strings(db.cities)
	for _, list := range db.stated {
		sort.Strings(list)
	}
}
