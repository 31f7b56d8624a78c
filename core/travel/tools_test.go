package travel_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/travel"
)

// ask calls a tool of a registry as a run does.
func ask(t *testing.T, db *travel.DB, name, arguments string) tool.Result {
	t.Helper()
	var r tool.Registry
	for _, c := range db.Tools() {
		if err := r.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	result, err := r.Run(nil, name, json.RawMessage(arguments))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestToolsAnswerFromTheData(t *testing.T) {
	db := open(t)
	for _, c := range []struct{ name, arguments, says string }{
		{"FlightSearch", `{"from": "St. Petersburg", "to": "Rockford", "date": "2022-03-16"}`, "Flight Number: F3573659, from St. Petersburg to Rockford, Departure Time: 15:40, Arrival Time: 17:04, Duration: 2 hours 24 minutes, Price: 474 per person"},
		{"FlightSearch", `{"from": "St. Petersburg", "to": "Rockford", "date": "2022-03-17"}`, "There is no flight from St. Petersburg to Rockford on 2022-03-17. Dates with flights:\n2022-03-16"},
		{"DistanceMatrix", `{"from": "Las Vegas", "to": "Stockton", "mode": "self-driving"}`, "Self-driving, from Las Vegas to Stockton, duration: 7 hours 46 mins, distance: 835 km, cost: 41\nThe cost is that of one car, for up to 5 people."},
		{"DistanceMatrix", `{"from": "Las Vegas", "to": "Stockton (California)", "mode": "taxi"}`, "cost: 835\nThe cost is that of one car, for up to 4 people."},
		{"DistanceMatrix", `{"from": "St. Petersburg", "to": "Rockford", "mode": "taxi"}`, "There is no road"},
		{"DistanceMatrix", `{"from": "Moab", "to": "Rockford", "mode": "taxi"}`, "No information on the way"},
		{"RestaurantSearch", `{"city": "Rockford"}`, "27 restaurants in Rockford:\nCoco Bambu, Rockford — Tea, French, Bakery, BBQ, Cafe — 72 per person — rated 4.9"},
		{"AttractionSearch", `{"city": "Rockford"}`, "20 attractions in Rockford:\nBurpee Museum of Natural History, Rockford — 737 N Main St"},
		{"AccommodationSearch", `{"city": "Rockford"}`, "Spacious 3BDR Prime Location!, Rockford — Entire home/apt — 1030 per night and room — for up to 9 — at least 2 nights — No smoking — rated 2"},
		{"AccommodationSearch", `{"city": "Anchorage"}`, "There is no information on accommodations of Anchorage."},
		{"CitySearch", `{"state": "Utah"}`, "with records: Moab, Salt Lake City, Vernal\nwithout: Cedar City, Ogden, Provo"},
		{"Cost", `{"people": 2, "budget": 100, "plan": [{"days": 1, "current_city": "Rockford", "dinner": "Coco Bambu, Rockford", "lunch": "Nowhere, Rockford"}]}`,
			"The plan costs 144, the budget is 100, which is 44 too low.\nday 1, dinner: Coco Bambu, 2 × 72 = 144\nday 1, lunch: the cost of 'Nowhere, Rockford' is unknown"},
		{"Cost", `{"people": 1, "plan": "Day 1:\nDinner: Coco Bambu, Rockford"}`, "The plan costs 72."},
	} {
		result := ask(t, db, c.name, c.arguments)
		if result.Err != nil || !strings.Contains(result.Text, c.says) {
			t.Errorf("%s %s: %+v", c.name, c.arguments, result)
		}
	}
	for _, c := range []struct{ name, arguments, code, says string }{
		{"RestaurantSearch", `{"city": "Rokford"}`, travel.CodeCity, `no city "Rokford" is known; did you mean Rockford`},
		{"RestaurantSearch", `{"city": "Utah"}`, travel.CodeCity, "Utah is a state; CitySearch lists its cities"},
		{"CitySearch", `{"state": "Texs"}`, travel.CodeCity, "did you mean Texas"},
		{"CitySearch", `{"state": "Moab"}`, travel.CodeCity, "Moab is a city, in the state Utah"},
		{"FlightSearch", `{"from": "Moab", "to": "Rockford", "date": "03/16/2022"}`, travel.CodeDate, "is not written as 2022-03-16"},
		{"FlightSearch", `{"from": "Moab"}`, tool.CodeArguments, "is missing"},
		{"DistanceMatrix", `{"from": "Moab", "to": "Vernal", "mode": "train"}`, tool.CodeArguments, "mode"},
		{"Cost", `{"people": 1, "plan": "no plan"}`, travel.CodePlan, "cannot be read"},
	} {
		if result := ask(t, db, c.name, c.arguments); result.Err == nil || result.Err.Code != c.code || !strings.Contains(result.Err.Message, c.says) {
			t.Errorf("%s %s: %+v %v", c.name, c.arguments, result, result.Err)
		}
	}
}

// A plan made of the tools' answers is within the sandbox.
func TestToolAnswersAreValidPlanTexts(t *testing.T) {
	db := open(t)
	checked := 0
	for _, c := range []struct{ name, field string }{{"RestaurantSearch", "lunch"}, {"AttractionSearch", "attraction"}, {"AccommodationSearch", "accommodation"}} {
		for _, city := range db.Recorded() {
			answer := ask(t, db, c.name, `{"city": "`+city+`"}`)
			for _, line := range strings.Split(answer.Text, "\n")[1:] {
				entry, _, _ := strings.Cut(line, " — ")
				p := travel.Plan{travel.EmptyDay().Set(c.field, entry)}
				r, _ := travel.Checker{DB: db}.Only(travel.WithinSandbox, travel.Query{Days: 1}, p)
				if r.Verdict != travel.Pass {
					t.Errorf("%s: %s", entry, r.Reason)
				}
				checked++
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d entries were checked", checked)
	}
}

func TestAnswersAreTruncatedBetweenRecords(t *testing.T) {
	var rows []string
	for i := range 500 {
		rows = append(rows, fmt.Sprintf(`["Restaurant number %d", "Tea", 10, 1]`, i))
	}
	db, err := travel.Open(`{"restaurants": {"Rockford": [` + strings.Join(rows, ",") + `]}}`)
	if err != nil {
		t.Fatal(err)
	}
	text := ask(t, db, "RestaurantSearch", `{"city": "Rockford"}`).Text
	lines := strings.Split(text, "\n")
	if last := lines[len(lines)-1]; len(text) > tool.DefaultLimit || last != fmt.Sprintf("… and %d more", 500-len(lines)+2) {
		t.Errorf("%d bytes that end %q", len(text), last)
	}
}

func TestSchemasOfToolsAreSchemas(t *testing.T) {
	names := []string{}
	for _, c := range open(t).Tools() {
		names = append(names, c.Name())
		if tree, fault := json.Tree(string(c.Schema())); fault != nil || tree.TextOf("type") != "object" || c.Description() == "" {
			t.Errorf("%s: %v %s", c.Name(), fault, c.Schema())
		}
		if err := tool.Validate(c.Schema(), json.RawMessage(`{"surprise": 1}`)); err == nil {
			t.Errorf("%s takes anything", c.Name())
		}
	}
	if got := strings.Join(names, " "); got != "FlightSearch DistanceMatrix RestaurantSearch AttractionSearch AccommodationSearch CitySearch Cost" {
		t.Error(got)
	}
}

func TestReferenceInformationIsADatabase(t *testing.T) {
	reference := `{"reference_information": {
	  "Attractions in Moab": [{"Name": "Arches", "Latitude": 38.7, "Longitude": -109.6, "Address": "Moab, UT", "Phone": "Unknown", "Website": "Unknown", "City": "Moab"}],
	  "Restaurants in Moab": [{"Name": "Giani's", "Average Cost": 20, "Cuisines": "Tea, French", "Aggregate Rating": 4.5, "City": "Moab"}],
	  "Accommodations in Moab": [{"NAME": "Tent", "price": 99.0, "room type": "Shared room", "house_rules": "No smoking & No pets", "minimum nights": 2.0, "maximum occupancy": 3, "review rate number": 2.0, "city": "Moab"}],
	  "Flight from Houston to Moab on 2022-03-16": [{"Flight Number": "F1", "Price": 7, "DepTime": "15:40", "ArrTime": "17:04", "ActualElapsedTime": "2 hours 24 minutes", "FlightDate": "2022-03-16", "OriginCityName": "Houston", "DestCityName": "Moab", "Distance": 1049.0}],
	  "Flight from Moab to Houston on 2022-03-18": "There is no flight from Moab to Houston on 2022-03-18.",
	  "Self-driving from Houston to Moab": "self-driving, from Houston to Moab, duration: 18 hours 1 min, distance: 1,900.5 km, cost: 95",
	  "Taxi from Moab to Houston": "No valid information."}}`
	db, err := travel.Open(reference, `{"cities": {"Utah": ["Moab"], "Texas": ["Houston"]}, "restaurants": {"Moab": [["Giani's", "Tea", 1, 1], ["Other", "", 2, 2]]}}`)
	if err != nil {
		t.Fatal(err)
	}
	road, _ := db.Road("Houston", "Moab")
	none, ok := db.Road("Moab", "Houston")
	if road.SelfDriving() != 95 || road.Taxi() != 1900 || !road.Passable() || none.Passable() || !ok {
		t.Errorf("%+v %+v", road, none)
	}
	if r := db.Restaurants("Moab"); len(r) != 2 || r[0].Cost != 20 || strings.Join(r[0].Cuisines, "+") != "Tea+French" {
		t.Errorf("%+v", r)
	}
	if a := db.Accommodations("Moab"); len(a) != 1 || a[0].Price != 99 || a[0].Nights != 2 || strings.Join(a[0].Rules, "+") != "No smoking+No pets" {
		t.Errorf("%+v", a)
	}
	if f := db.Flights("Houston", "Moab", ""); len(f) != 1 || f[0].Price != 7 || len(db.Attractions("Moab")) != 1 {
		t.Errorf("%+v", f)
	}
	if got := strings.Join(db.Cities(), " "); got != "Houston Moab" {
		t.Error(got)
	}
}

func TestInvalidDataIsReportedAtItsPlace(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{``, "not JSON: line 1, column 1"},
		{"{\n\"cities\":", "line 2, column 10"},
		{`[]`, "a JSON object"},
		{`{"hotels": []}`, "hotels: unknown records"},
		{`{"flights": [["F1", "A"]]}`, "flights[0]: expected a record, a list of 9"},
		{`{"flights": [["F1", "A", "B", "2022-03-16", "15:40", "17:04", "2 hours", "dear", 7]]}`, `flights[0][7]: dear is not a number`},
		{`{"restaurants": {"Moab": [["A", 1, 2, 3]]}}`, "restaurants.Moab[0][1]: 1 is not a string"},
		{`{"restaurants": {"Moab": [["A", "", 2.5, 3]]}}`, "restaurants.Moab[0][2]: 2.5 is not an integer"},
		{`{"accommodations": {"Moab": [["A", "Shared room", 10, 1, 0, "", 1]]}}`, `"A" has the occupancy 0`},
		{`{"cities": {"Utah": [1]}}`, "cities.Utah[0]: a city must be a string"},
		{`{"Restaurants in Moab": [{"Name": "A"}]}`, `Restaurants in Moab[0]: "City" is missing`},
		{`{"Taxi from Moab": "x"}`, "Taxi from Moab: expected a text"},
	} {
		_, err := travel.Open(c.text)
		var coded *source.Error
		if err == nil || !errors.As(err, &coded) || coded.ID != travel.CodeData || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	if _, err := travel.Open(); err == nil {
		t.Error("nothing is a database")
	}
}

// FuzzOpen reads any text as data, and queries the records.
func FuzzOpen(f *testing.F) {
	f.Add(load(f, "data.json"))
	f.Add(`{"ways": [["A", "B", "1 hour", 31.9]], "Taxi from A to B": "taxi, duration: 1 day, distance: 3 km,"}`)
	f.Add(`{"reference_information": {"Flight from A to B": "none", "Accommodations in A": [{}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		db, err := travel.Open(text)
		if err != nil {
			return
		}
		for _, city := range db.Cities() {
			_, _ = db.Restaurants(city), db.Flights(city, city, "")
			if road, ok := db.Road(city, city); ok && road.SelfDriving() > road.Taxi() {
				t.Fatalf("%+v", road)
			}
		}
	})
}
