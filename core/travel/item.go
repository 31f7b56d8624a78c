package travel

import "strings"

// item is a restaurant, an attraction or an accommodation as a plan has it: "Name,
// City" with, perhaps, the state in parentheses after the city.
type item struct {
	text string // all of it
	name string
	city string
}

// itemOf reads an item: the city is what follows the last comma. One without a comma
// has neither a name nor a city.
func itemOf(text string) item {
	out := item{text: text}
	if comma := strings.LastIndexByte(text, ','); comma >= 0 {
		out.name = strings.TrimSpace(text[:comma])
		out.city = bare(text[comma+1:])
	}
	return out
}

// attractions returns the items of a day's attractions, which stand with a semicolon
// after each. One that lacks it is an item all the same.
func (d Day) attractions() []item {
	var out []item
	for _, part := range strings.Split(d.Get(FieldAttraction), ";") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, itemOf(part))
		}
	}
	return out
}

// bare returns a city without the state in parentheses and without space around it.
func bare(city string) string {
	if open := strings.IndexByte(city, '('); open >= 0 && strings.IndexByte(city[open:], ')') > 0 {
		city = city[:open]
	}
	return strings.TrimSpace(city)
}

// fromTo reads "from A to B" within a text, where B ends with a comma or the text.
func fromTo(text string) (from, to string, ok bool) {
	for at := 0; ; {
		i := strings.Index(text[at:], "from ")
		if i < 0 {
			return "", "", false
		}
		at += i + len("from ")
		from, to, ok := strings.Cut(text[at:], " to ")
		to, _, _ = strings.Cut(to, ",")
		if from, to = bare(from), bare(to); ok && from != "" && to != "" {
			return from, to, true
		}
	}
}

// cities returns where one is on a day: a city, or the one that is left and the one
// that is gone to. ok is false where the text names neither.
func (d Day) cities() (list []string, travels, ok bool) {
	text := d.Get(FieldCity)
	if from, to, ok := fromTo(text); ok {
		return []string{from, to}, true, true
	}
	if strings.Contains(text, "from ") {
		return nil, true, false
	}
	if city := bare(text); city != "" {
		return []string{city}, false, true
	}
	return nil, false, false
}

// Modes of travelling.
const (
	ModeFlight = "flight"
	ModeDrive  = "self-driving"
	ModeTaxi   = "taxi"
)

// modeOf returns how one travels, "" where a text names no mode. A text that names
// several is taken as the benchmark does: for a taxi before a car before a flight.
func modeOf(text string) string {
	text = strings.ToLower(text)
	for _, mode := range []string{ModeTaxi, ModeDrive, ModeFlight} {
		if strings.Contains(text, mode) {
			return mode
		}
	}
	return ""
}

// leg is how one travels on a day, as the plan has it.
type leg struct {
	mode     string // "" where it is none that the data base has
	number   string // of a flight
	from, to string
	placed   bool // from and to are known
}

// leg reads a day's transportation; ok is false where there is none. A text that has a
// flight number is a flight. Where it does not say from where to where, the day's city
// does.
func (d Day) leg() (l leg, ok bool) {
	text := d.Get(FieldTransportation)
	if text == "" {
		return leg{}, false
	}
	if l.from, l.to, l.placed = fromTo(text); !l.placed {
		l.from, l.to, l.placed = fromTo(d.Get(FieldCity))
	}
	const label = "flight number"
	lower := strings.ToLower(text)
	switch i := strings.Index(lower, label); {
	case i >= 0 && len(lower) == len(text):
		l.mode = ModeFlight
		rest := strings.TrimLeft(text[i+len(label):], ": ")
		rest, _, _ = strings.Cut(rest, ",")
		l.number = strings.TrimSpace(rest)
	case strings.Contains(lower, ModeDrive):
		l.mode = ModeDrive
	case strings.Contains(lower, ModeTaxi):
		l.mode = ModeTaxi
	}
	return l, true
}
