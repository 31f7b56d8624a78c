package travel

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// reference reads a member of a query's reference information. The member's name determines
// the kind of its records.
func (o *opening) reference(m json.Member) {
	kind, _, _ := strings.Cut(m.Key, " ")
	switch kind {
	case "Attractions", "Restaurants", "Accommodations", "Flight":
		if m.Value.Kind == '"' {
			return // "There is no flight from A to B on 2022-03-16."
		}
		if m.Value.Kind != '[' {
			o.fail(m.Key, "expected a list of records")
			return
		}
		for i, item := range m.Value.Items {
			r := record{o, m.Key + "[" + strconv.Itoa(i) + "]", item}
			if item.Kind != '{' {
				o.fail(r.place, "expected a record, an object")
				return
			}
			o.referenced(kind, r)
		}
	case "Self-driving", "Taxi":
		from, to, ok := fromTo(m.Key)
		if !ok || m.Value.Kind != '"' {
			o.fail(m.Key, "expected a text, \"taxi, from A to B, duration: …, distance: …, cost: …\"")
			return
		}
		o.addRoad(roadOf(from, to, m.Value.Text))
	default:
		o.fail(m.Key, "unknown records (expected cities, flights, ways, restaurants, attractions or accommodations)")
	}
}

// record is a record in the form of an object.
type record struct {
	o     *opening
	place string
	node  *json.Node
}

func (r record) text(key string) string {
	v, ok := r.node.Get(key)
	if !ok || v.Kind != '"' && v.Kind != '0' {
		r.o.fail(r.place, "%q is missing", key)
	}
	return v.Text
}

func (r record) number(key string) float64 {
	n, err := strconv.ParseFloat(r.text(key), 64)
	if err != nil || n < 0 || n > 1e9 {
		r.o.fail(r.place, "%q is not a number from 0 to 1e9", key)
		return 0
	}
	return n
}

func (r record) integer(key string) int { return int(r.number(key)) }

func (o *opening) referenced(kind string, r record) {
	switch kind {
	case "Attractions":
		o.addAttraction(Attraction{Name: r.text("Name"), City: r.text("City"), Address: r.text("Address")})
	case "Restaurants":
		o.addRestaurant(Restaurant{Name: r.text("Name"), City: r.text("City"), Cuisines: listed(r.text("Cuisines"), ","), Cost: r.integer("Average Cost"), Rating: r.number("Aggregate Rating")})
	case "Accommodations":
		o.addAccommodation(Accommodation{
			Name: r.text("NAME"), City: r.text("city"), Type: r.text("room type"), Price: r.integer("price"), Nights: r.integer("minimum nights"),
			Occupancy: r.integer("maximum occupancy"), Rules: listed(r.text("house_rules"), "&"), Rating: r.number("review rate number"),
		}, r.place)
	case "Flight":
		o.addFlight(Flight{
			Number: r.text("Flight Number"), From: r.text("OriginCityName"), To: r.text("DestCityName"), Date: r.text("FlightDate"), Departs: r.text("DepTime"),
			Arrives: r.text("ArrTime"), Duration: r.text("ActualElapsedTime"), Price: r.integer("Price"), Miles: r.integer("Distance"),
		})
	}
}

// roadOf parses "taxi, from A to B, duration: 7 hours 46 mins, distance: 1,204 km, cost:
// 41". Other texts, such as "No valid information.", give an unknown road.
func roadOf(from, to, text string) Road {
	w := Road{From: from, To: to}
	_, duration, ok := strings.Cut(text, "duration: ")
	_, distance, ok2 := strings.Cut(text, "distance: ")
	if !ok || !ok2 {
		return w
	}
	w.Duration, _, _ = strings.Cut(duration, ",")
	if distance, _, ok = strings.Cut(distance, " km"); ok {
		if km, err := strconv.ParseFloat(strings.ReplaceAll(distance, ",", ""), 64); err == nil && km > 0 && km < 1e6 {
			w.Km = km
		}
	}
	return w
}
