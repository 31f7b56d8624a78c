package travel

import "strings"

// item is a restaurant, an attraction or an accommodation of a plan: "Name, City",
// optionally with the state in parentheses after the city.
type item struct {
	text string // complete
	name string
	city string
}

// itemOf parses an item: the city follows the last comma. Without a comma there is neither
// a name nor a city.
func itemOf(text string) item {
	out := item{text: text}
	if comma := strings.LastIndexByte(text, ','); comma >= 0 {
		out.name = strings.TrimSpace(text[:comma])
		out.city = bare(text[comma+1:])
	}
	return out
}

// attractions returns a day's attractions. The semicolon after the last one is optional.
func (d Day) attractions() []item {
	var out []item
	for _, part := range strings.Split(d.Get(FieldAttraction), ";") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, itemOf(part))
		}
	}
	return out
}

// attractions returns a day's attractions. The released evaluation ignores an attraction that no
// semicolon follows.
func (t *trial) attractions(d Day) []item {
	list := d.attractions()
	if text := strings.TrimSpace(d.Get(FieldAttraction)); t.released && len(list) > 0 && !strings.HasSuffix(text, ";") {
		return list[:len(list)-1]
	}
	return list
}

// bare returns a city without the state and surrounding space.
func bare(city string) string {
	if open := strings.IndexByte(city, '('); open >= 0 && strings.IndexByte(city[open:], ')') > 0 {
		city = city[:open]
	}
	return strings.TrimSpace(city)
}

// fromTo parses "from A to B" in a text; B ends at a comma or the end.
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

// cities returns the cities of a day: a single city or, if travels is true, origin and
// destination. ok is false if the text names no city.
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

// The modes of travel.
const (
	ModeFlight      = "flight"
	ModeSelfDriving = "self-driving"
	ModeTaxi        = "taxi"
)

// modeOf returns the mode of travel in a text, or "". Like the benchmark, it prefers a taxi
// to a car and a car to a flight.
func modeOf(text string) string {
	text = strings.ToLower(text)
	for _, mode := range []string{ModeTaxi, ModeSelfDriving, ModeFlight} {
		if strings.Contains(text, mode) {
			return mode
		}
	}
	return ""
}

// leg is the transportation of a day.
type leg struct {
	mode     string // "" if unknown
	number   string // of a flight
	from, to string
	placed   bool // from and to are known
}

// leg parses a day's transportation; ok is false if there is none. A text with a flight
// number is a flight. Missing places are taken from the day's city.
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
	case strings.Contains(lower, ModeSelfDriving):
		l.mode = ModeSelfDriving
	case strings.Contains(lower, ModeTaxi):
		l.mode = ModeTaxi
	}
	return l, true
}
