package travel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// TripOf returns the plan of a word of a [Flow], from its letters and the texts of its
// steps. The error has code [CodeQuery] if the letters do not belong to this flow.
func (f Flow) TripOf(q Query, word, texts []string) (Plan, error) {
	fault := func(format string, arguments ...any) error {
		return source.NewError(CodeQuery, "the query's automaton does not accept the plan:  "+fmt.Sprintf(format, arguments...))
	}
	var records map[string]json.RawMessage
	if err := json.Unmarshal([]byte(f.Records), &records); err != nil || len(word) != len(texts) {
		return nil, fault("%d letters, %d steps", len(word), len(texts))
	}
	days := make([]Day, q.Days)
	for i := range days {
		days[i] = Day{Transportation: "-", Breakfast: "-", Attraction: "-", Lunch: "-", Dinner: "-", Accommodation: "-"}
	}
	here := q.Org
	for i, letter := range word {
		// fmt.Sscanf would be the only use of fmt's scanner, which is 10 kB of the module.
		digits, _, _ := strings.Cut(strings.TrimPrefix(texts[i], "Day "), ":")
		number, err := strconv.Atoi(digits)
		if err != nil || number < 1 || number > len(days) {
			return nil, fault("no day of the trip in %q", texts[i])
		}
		day := &days[number-1]
		if day.City == "" {
			day.City = here
		}
		kind, rest, _ := strings.Cut(letter, ".")
		if kind == "again" {
			letter = "sleep." + rest
		}
		var r struct{ Name, City, Number, Origin, Destination, Departs, Arrives string }
		if err := json.Unmarshal(records[letter], &r); err != nil {
			return nil, fault("unknown letter %q", letter)
		}
		place := r.Name + ", " + r.City
		switch kind {
		case "fly", "taxi", "drive":
			how := map[string]string{"fly": "Flight Number: " + r.Number, "taxi": "Taxi", "drive": "Self-driving"}[kind]
			day.City, here = fmt.Sprintf("from %s to %s", r.Origin, r.Destination), r.Destination
			day.Transportation = fmt.Sprintf("%s, from %s to %s", how, r.Origin, r.Destination)
			if kind == "fly" {
				day.Transportation += fmt.Sprintf(", Departure Time: %s, Arrival Time: %s", r.Departs, r.Arrives)
			}
		case "sleep", "again":
			day.Accommodation = place
		case "see":
			day.Attraction = strings.TrimPrefix(day.Attraction, "-") + place + ";"
		case "eat":
			switch {
			case strings.Contains(texts[i], ": have breakfast at "):
				day.Breakfast = place
			case strings.Contains(texts[i], ": have lunch at "):
				day.Lunch = place
			default:
				day.Dinner = place
			}
		}
	}
	return days, nil
}
