package travel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
)

// The names of the tools.
const (
	ToolFlights        = "FlightSearch"
	ToolDistance       = "DistanceMatrix"
	ToolRestaurants    = "RestaurantSearch"
	ToolAttractions    = "AttractionSearch"
	ToolAccommodations = "AccommodationSearch"
	ToolCities         = "CitySearch"
	ToolCost           = "Cost"
)

// Tools returns the tools with which an agent queries the database, for a run's registry: the
// benchmark's six and one for costs. Each answers at once, without an effect, in plain lines.
// The lines of flights and roads have the form of a plan's transportation. An answer has at
// most [tool.DefaultLimit] bytes and states the number of omitted records. The error is a
// [*tool.CallFault] with code [CodeCity], [CodeDate] or [CodePlan]; for an unknown city it
// suggests similar names.
func (db *DB) Tools() []tool.Callable {
	const date = `"date":{"type":"string","minLength":10,"maxLength":10,"description":"such as 2022-03-16"}`
	from, to, city := property("from", "the city that is left"), property("to", "the city that is gone to"), property("city", "its name, without the state")
	return []tool.Callable{
		&search{ToolFlights, "Lists the flights from one city to another on a date, with their times and the price per person.", object(from+","+to+","+date, "from", "to", "date"), db.flightSearch},
		&search{ToolDistance, "Returns the duration and the distance by road from one city to another, and the costs of self-driving and of a taxi.",
			object(from+","+to+`,"mode":{"type":"string","enum":["`+ModeSelfDriving+`","`+ModeTaxi+`"]}`, "from", "to", "mode"), db.distance},
		&search{ToolRestaurants, "Lists the restaurants of a city with their cuisines, the price of a meal per person, and their rating.", object(city, "city"), db.restaurantSearch},
		&search{ToolAttractions, "Lists the attractions of a city.", object(city, "city"), db.attractionSearch},
		&search{ToolAccommodations, "Lists the accommodations of a city: the type of room, the price per night and room, the maximum number of people, the minimum number of nights and the house rules.", object(city, "city"), db.accommodationSearch},
		&search{ToolCities, "Lists the cities of a state.", object(property("state", "its name, such as Texas"), "state"), db.citySearch},
		&search{ToolCost, "Returns the total cost of a plan, or of a part of it, for all travellers.",
			object(`"people":{"type":"integer","minimum":1,"maximum":`+strconv.Itoa(MaxPeople)+`},"budget":{"type":"integer","minimum":0},"plan":{"type":["array","object","string"],"description":"days with their fields, as JSON or as text"}`, "people", "plan"), db.costSearch},
	}
}

// property returns the schema of a string property.
func property(name, about string) string {
	return fmt.Sprintf(`%q:{"type":"string","minLength":1,"maxLength":100,"description":%q}`, name, about)
}

// object returns the schema of a tool's arguments.
func object(properties string, required ...string) string {
	return `{"type":"object","properties":{` + properties + `},"required":["` + strings.Join(required, `","`) + `"],"additionalProperties":false}`
}

// arguments has the arguments of all tools; each tool uses some.
type arguments struct {
	From   string          `json:"from,omitempty"`
	To     string          `json:"to,omitempty"`
	Date   string          `json:"date,omitempty"`
	Mode   string          `json:"mode,omitempty"`
	City   string          `json:"city,omitempty"`
	State  string          `json:"state,omitempty"`
	People int             `json:"people,omitempty"`
	Budget *int            `json:"budget,omitempty"`
	Plan   json.RawMessage `json:"plan,omitempty"`
}

// search is a tool on a database.
type search struct {
	name, about, schema string
	answer              func(a arguments) (string, *tool.CallFault)
}

// Name implements [tool.Callable].
func (s *search) Name() string { return s.name }

// Description implements [tool.Callable].
func (s *search) Description() string { return s.about }

// Schema implements [tool.Callable].
func (s *search) Schema() json.RawMessage { return json.RawMessage(s.schema) }

// Call implements [tool.Callable]. It has no effects and ignores env.
func (s *search) Call(_ *process.Env, given json.RawMessage) (string, error) {
	var a arguments
	if err := json.Unmarshal(given, &a); err != nil {
		return "", &tool.CallFault{Code: tool.CodeArguments, Message: "arguments: " + err.Error()}
	}
	a.From, a.To, a.City, a.State, a.Date = bare(a.From), bare(a.To), bare(a.City), strings.TrimSpace(a.State), strings.TrimSpace(a.Date)
	text, fault := s.answer(a)
	if fault != nil {
		return "", fault
	}
	return text, nil
}

func failed(code, format string, args ...any) *tool.CallFault {
	return &tool.CallFault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// known returns a fault for an unknown city.
func (db *DB) known(city string) *tool.CallFault {
	for _, c := range db.cities {
		if c == city {
			return nil
		}
	}
	if list := db.stated[city]; len(list) > 0 {
		return failed(CodeCity, "%s is a state; %s lists its cities", city, ToolCities)
	}
	return failed(CodeCity, "no city %q is known%s", shorten(city), nearby(city, db.cities))
}

// lines formats a list within the size limit, one item per line.
func lines(head string, items []string) string {
	const room = 60 // for the note on omitted records
	var b strings.Builder
	b.WriteString(head)
	for i, item := range items {
		if b.Len()+1+len(item) > tool.DefaultLimit-room {
			fmt.Fprintf(&b, "\n… and %s more", number(len(items)-i))
			break
		}
		b.WriteString("\n" + item)
	}
	return b.String()
}

// Text formats the flight as a plan's transportation.
func (f Flight) Text() string {
	return fmt.Sprintf("Flight Number: %s, from %s to %s, Departure Time: %s, Arrival Time: %s", f.Number, f.From, f.To, f.Departs, f.Arrives)
}

// Text formats the road as a plan's transportation by mode, which is ModeDrive or
// ModeTaxi.
func (w Road) Text(mode string) string {
	kind, cost := "Self-driving", w.SelfDriving()
	if mode == ModeTaxi {
		kind, cost = "Taxi", w.Taxi()
	}
	return fmt.Sprintf("%s, from %s to %s, duration: %s, distance: %s km, cost: %d", kind, w.From, w.To, w.Duration, strconv.FormatFloat(w.Km, 'f', -1, 64), cost)
}

func (db *DB) flightSearch(a arguments) (string, *tool.CallFault) {
	for _, city := range []string{a.From, a.To} {
		if fault := db.known(city); fault != nil {
			return "", fault
		}
	}
	if !isDate(a.Date) {
		return "", failed(CodeDate, "the date %q is not written as 2022-03-16", shorten(a.Date))
	}
	flights := db.Flights(a.From, a.To, a.Date)
	if len(flights) > 0 {
		items := make([]string, len(flights))
		for i, f := range flights {
			items[i] = fmt.Sprintf("%s, Duration: %s, Price: %d per person", f.Text(), f.Duration, f.Price)
		}
		return lines(fmt.Sprintf("%s from %s to %s on %s:", count(len(flights), "flight"), a.From, a.To, a.Date), items), nil
	}
	said := fmt.Sprintf("There is no flight from %s to %s on %s.", a.From, a.To, a.Date)
	var dates []string
	for _, f := range db.Flights(a.From, a.To, "") {
		if !slices.Contains(dates, f.Date) {
			dates = append(dates, f.Date)
		}
	}
	if len(dates) > 0 {
		said = lines(said+" Dates with flights:", dates)
	}
	return said, nil
}

func (db *DB) distance(a arguments) (string, *tool.CallFault) {
	for _, city := range []string{a.From, a.To} {
		if fault := db.known(city); fault != nil {
			return "", fault
		}
	}
	w, ok := db.Road(a.From, a.To)
	seats := 5
	if a.Mode == ModeTaxi {
		seats = 4
	}
	switch {
	case !ok:
		return fmt.Sprintf("No information on the way from %s to %s.", a.From, a.To), nil
	case w.Km == 0:
		return fmt.Sprintf("There is no road from %s to %s.", a.From, a.To), nil
	case !w.Passable():
		return fmt.Sprintf("The way from %s to %s takes %s, which is too long for one day.", a.From, a.To, w.Duration), nil
	}
	return fmt.Sprintf("%s\nThe cost is that of one car, for up to %d people.", w.Text(a.Mode), seats), nil
}

// listing returns the records of a city.
func listing(db *DB, a arguments, kind string, items []string) (string, *tool.CallFault) {
	if fault := db.known(a.City); fault != nil {
		return "", fault
	}
	if len(items) == 0 {
		return fmt.Sprintf("There is no information on %ss of %s.", kind, a.City), nil
	}
	return lines(fmt.Sprintf("%s in %s:", count(len(items), kind), a.City), items), nil
}

func (db *DB) restaurantSearch(a arguments) (string, *tool.CallFault) {
	var items []string
	for _, r := range db.restaurants[a.City].all() {
		items = append(items, fmt.Sprintf("%s, %s — %s — %d per person — rated %s", spaced(r.Name), r.City, strings.Join(r.Cuisines, ", "), r.Cost, rating(r.Rating)))
	}
	return listing(db, a, "restaurant", items)
}

func (db *DB) attractionSearch(a arguments) (string, *tool.CallFault) {
	var items []string
	for _, r := range db.attractions[a.City].all() {
		item := spaced(r.Name) + ", " + r.City
		if r.Address != "" {
			item += " — " + r.Address
		}
		items = append(items, item)
	}
	return listing(db, a, "attraction", items)
}

func (db *DB) accommodationSearch(a arguments) (string, *tool.CallFault) {
	var items []string
	for _, r := range db.accommodations[a.City].all() {
		rules := "no rules"
		if len(r.Rules) > 0 {
			rules = strings.Join(r.Rules, ", ")
		}
		items = append(items, fmt.Sprintf("%s, %s — %s — %d per night and room — for up to %d — at least %s — %s — rated %s",
			spaced(r.Name), r.City, r.Type, r.Price, r.Occupancy, count(r.Nights, "night"), rules, rating(r.Rating)))
	}
	return listing(db, a, "accommodation", items)
}

func rating(r float64) string { return strconv.FormatFloat(r, 'f', -1, 64) }

func (db *DB) citySearch(a arguments) (string, *tool.CallFault) {
	list := db.stated[a.State]
	if len(list) == 0 {
		if state, ok := db.states[a.State]; ok {
			return "", failed(CodeCity, "%s is a city, in the state %s", a.State, state)
		}
		return "", failed(CodeCity, "no state %q is known%s", shorten(a.State), nearby(a.State, db.States()))
	}
	var with, without []string
	for _, city := range list {
		if db.recorded[city] {
			with = append(with, city)
		} else {
			without = append(without, city)
		}
	}
	var said []string
	if len(with) > 0 {
		said = append(said, "with records: "+strings.Join(with, ", "))
	}
	if len(without) > 0 {
		said = append(said, "without: "+strings.Join(without, ", "))
	}
	return lines("Cities in "+a.State+",", said), nil
}

func (db *DB) costSearch(a arguments) (string, *tool.CallFault) {
	text := string(a.Plan)
	var inner string
	if json.Unmarshal(a.Plan, &inner) == nil {
		text = inner
	}
	plan, found := ParsePlan(text)
	for _, d := range found {
		if d.Severity == 0 {
			return "", failed(CodePlan, "the plan cannot be read: %s", d.Message)
		}
	}
	c := db.Cost(plan, a.People)
	head := "The plan costs " + number(c.Total)
	if a.Budget != nil {
		head += ", the budget is " + number(*a.Budget)
		if left := *a.Budget - c.Total; left < 0 {
			head += ", which is " + number(-left) + " too low"
		} else {
			head += ", and " + number(left) + " remain"
		}
	}
	var items []string
	for _, l := range c.Lines {
		items = append(items, fmt.Sprintf("day %d, %s: %s, %d × %s = %s", l.Day, l.Field, spaced(l.Name), l.Pieces, number(l.Price), number(l.Amount)))
	}
	for _, u := range c.Unknown {
		items = append(items, u.String())
	}
	return lines(head+".", items), nil
}
