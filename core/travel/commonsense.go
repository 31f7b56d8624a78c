package travel

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// faults collects the faults of a plan.
type faults []Fault

func (f *faults) add(day int, field Field, format string, args ...any) {
	if f.full() {
		return
	}
	*f = append(*f, Fault{Day: day, Field: field, Message: fmt.Sprintf(format, args...)})
}

// full reports whether the maximum number of faults was reached.
func (f *faults) full() bool { return len(*f) >= maxFound }

// quoted is a text of a plan in a message.
func quoted(text string) string { return "'" + shorten(text) + "'" }

func (t *trial) withinSandbox() (found []Fault, note string) {
	var out faults
	var notes []string
	for i, d := range t.days {
		day := i + 1
		if l, ok := d.leg(); ok {
			said := t.unknownLeg(l)
			if said != "" {
				out.add(day, FieldTransportation, "%s", said)
			} else if l.mode == "" {
				notes = append(notes, fmt.Sprintf("day %d: %s is neither flight, self-driving nor taxi and was not looked up", day, quoted(d.Transportation)))
			}
		}
		for _, f := range meals() {
			if text := d.Get(f); text != "" {
				if item := itemOf(text); !out.full() && len(t.db.findRestaurants(item)) == 0 {
					out.add(day, f, "%s", t.unknownItem("restaurant", item))
				}
			}
		}
		for _, item := range t.attractions(d) {
			if !out.full() && len(t.db.findAttractions(item)) == 0 {
				out.add(day, FieldAttraction, "%s", t.unknownItem("attraction", item))
			}
		}
		if text := d.Get(FieldAccommodation); text != "" {
			if item := itemOf(text); !out.full() && len(t.db.findAccommodations(item)) == 0 {
				out.add(day, FieldAccommodation, "%s", t.unknownItem("accommodation", item))
			}
		}
	}
	return out, strings.Join(notes, "; ")
}

// unknownLeg returns the part of a leg that the database lacks, or "".
func (t *trial) unknownLeg(l leg) string {
	switch {
	case l.mode == "":
		return ""
	case !l.placed:
		return "missing origin and destination: write \"from A to B\""
	case l.mode == ModeFlight:
		flights := t.db.Flight(l.number)
		if len(flights) == 0 {
			return fmt.Sprintf("unknown flight %s", quoted(l.number))
		}
		for _, f := range flights {
			if f.From == l.from && f.To == l.to {
				return ""
			}
		}
		return fmt.Sprintf("flight %s goes from %s to %s, not from %s to %s", l.number, flights[0].From, flights[0].To, l.from, l.to)
	}
	w, ok := t.db.Road(l.from, l.to)
	switch {
	case !ok:
		return fmt.Sprintf("unknown connection from %s to %s", l.from, l.to)
	case w.Km == 0:
		return fmt.Sprintf("the data has no route from %s to %s", l.from, l.to)
	case !w.Passable():
		return fmt.Sprintf("the trip from %s to %s takes %s", l.from, l.to, w.Duration)
	}
	return ""
}

func (t *trial) unknownItem(kind string, i item) string {
	if i.name == "" || i.city == "" {
		return fmt.Sprintf("%s is not written \"Name, City\"", quoted(i.text))
	}
	var names []string
	switch kind {
	case "restaurant":
		names = t.db.restaurants[i.city].labels()
	case "attraction":
		names = t.db.attractions[i.city].labels()
	default:
		names = t.db.accommodations[i.city].labels()
	}
	if len(names) == 0 {
		return fmt.Sprintf("no %s of %s is recorded%s", kind, quoted(i.city), nearby(i.city, t.db.Recorded()))
	}
	return fmt.Sprintf("unknown %s %s in %s%s", kind, quoted(i.name), i.city, nearby(i.name, names))
}

// planned counts the planned fields of a day as the benchmark does, with its number and
// city.
func planned(d Day) int {
	n := 1
	for _, f := range Fields() {
		if d.Get(f) != "" {
			n++
		}
	}
	return n
}

func (t *trial) complete() (found []Fault, note string) {
	var out faults
	delivered := 0
	for _, d := range t.plan {
		if !d.empty() {
			delivered++
		}
	}
	if delivered != t.query.Days || len(t.plan) != t.query.Days {
		out.add(0, "", "the plan has %s of %d", count(delivered, "day"), t.query.Days)
	}
	t.begins(&out)
	visited := []string{}
	filled := 0
	for i, d := range t.days {
		if d.empty() {
			continue
		}
		day := i + 1
		cities, travels, ok := d.cities()
		if !ok {
			out.add(day, FieldCity, "%s names no city: write \"Rockford\" or \"from Houston to Rockford\"", quoted(d.City))
		}
		for _, city := range cities {
			if city != t.query.Org && !slices.Contains(visited, city) {
				visited = append(visited, city)
			}
		}
		filled += planned(d)
		if travels && d.Get(FieldTransportation) == "" {
			out.add(day, FieldTransportation, "missing transportation %s", d.City)
		}
		if !travels {
			for _, f := range append([]Field{FieldAttraction}, meals()...) {
				if d.Get(f) == "" {
					out.add(day, f, "nothing is planned on this day without travel")
				}
			}
		}
		if day != t.query.Days && d.Get(FieldAccommodation) == "" {
			out.add(day, FieldAccommodation, "missing accommodation")
		}
	}
	if len(visited) != t.query.Cities {
		list := ""
		if len(visited) > 0 {
			list = ": " + strings.Join(visited, ", ")
		}
		out.add(0, FieldCity, "%d cities are visited, not %d%s", len(visited), t.query.Cities, list)
	}
	if needed := 6 * t.query.Days; 2*filled < needed {
		out.add(0, "", "%d fields are filled, fewer than half of %d", filled, needed)
	}
	return out, ""
}

// begins reports a trip that travels on its first day and does not begin at the origin. Only
// the released evaluation has this check.
func (t *trial) begins(out *faults) {
	if !t.released || len(t.days) == 0 {
		return
	}
	if cities, travels, ok := t.days[0].cities(); travels && ok && cities[0] != t.query.Org {
		out.add(1, FieldCity, "the trip begins in %s, not in %s", cities[0], t.query.Org)
	}
}

func (t *trial) withinCity() (found []Fault, note string) {
	var out faults
	for i, d := range t.days {
		cities, travels, ok := d.cities()
		names := cities
		if t.released && !travels && ok {
			names = strings.Split(cities[0], "")
		}
		t.cityOfDay(&out, i+1, d, names)
	}
	return out, ""
}

// cityOfDay reports items that are in none of a day's cities.
func (t *trial) cityOfDay(out *faults, day int, d Day, names []string) {
	if len(names) == 0 {
		if !d.empty() {
			out.add(day, FieldCity, "%s names no city", quoted(d.City))
		}
		return
	}
	said := strings.Join(names, " or ")
	if utf8.RuneCountInString(strings.Join(names, "")) == len(names) {
		said = "any letter of " + strings.Join(names, "")
	}
	named := func(text string) bool {
		for _, name := range names {
			if strings.Contains(text, name) {
				return true
			}
		}
		return false
	}
	if text := d.Get(FieldTransportation); text != "" {
		for _, name := range names {
			if !strings.Contains(text, name) {
				out.add(day, FieldTransportation, "%s does not name %s", quoted(text), name)
				break
			}
		}
	}
	for _, f := range meals() {
		if text := d.Get(f); text != "" && !named(text) {
			out.add(day, f, "%s is not in %s", quoted(text), said)
		}
	}
	for _, a := range t.attractions(d) {
		if !named(a.text) {
			out.add(day, FieldAttraction, "%s is not in %s", quoted(a.text), said)
		}
	}
	if text, last := d.Get(FieldAccommodation), names[len(names)-1]; text != "" && !strings.Contains(text, last) {
		out.add(day, FieldAccommodation, "%s is not in %s, where the day ends", quoted(text), last)
	}
}

func (t *trial) route() (found []Fault, note string) {
	var out faults
	type stop struct {
		city string
		day  int
	}
	var stops []stop
	for i, d := range t.days {
		cities, _, ok := d.cities()
		if !ok {
			out.add(i+1, FieldCity, "%s names no city", quoted(d.City))
		}
		for _, city := range cities {
			stops = append(stops, stop{city, i + 1})
		}
	}
	if len(stops) == 0 {
		return out, ""
	}
	first, last := stops[0], stops[len(stops)-1]
	if first.city != t.query.Org {
		out.add(first.day, FieldCity, "the trip begins in %s, not in %s", first.city, t.query.Org)
	}
	if first.city != last.city {
		out.add(last.day, FieldCity, "the trip ends in %s, not in %s where it began", last.city, first.city)
	}
	if len(stops) < 3 {
		out.add(0, FieldCity, "the trip has %d stops; a return trip has at least three", len(stops))
	}
	seen := map[string]int{}
	for from := 0; from < len(stops); {
		to := from
		for to < len(stops) && stops[to].city == stops[from].city {
			to++
		}
		s := stops[from]
		if before, again := seen[s.city]; again && from != len(stops)-1 {
			out.add(s.day, FieldCity, "the trip returns to %s, which it left on day %d", s.city, before)
		}
		if to-from == 1 && from > 0 && to < len(stops) {
			out.add(s.day, FieldCity, "the trip only passes through %s", s.city)
		}
		seen[s.city] = stops[to-1].day
		from = to
	}
	reported := map[string]bool{}
	for i, s := range stops {
		state, known := t.db.State(s.city)
		switch {
		case reported[s.city]:
			continue
		case !known:
			out.add(s.day, FieldCity, "unknown city %s%s", quoted(s.city), nearby(s.city, t.db.Cities()))
		case i > 0 && i < len(stops)-1 && t.query.Days > 3 && state != t.query.Dest:
			out.add(s.day, FieldCity, "%s is in %s, not in %s", s.city, state, t.query.Dest)
		default:
			continue
		}
		reported[s.city] = true
	}
	return out, ""
}

func (t *trial) diverseRestaurants() (found []Fault, note string) {
	var out faults
	type place struct {
		day   int
		field Field
	}
	seen := map[string]place{}
	for i, d := range t.days {
		for _, f := range meals() {
			text := d.Get(f)
			if text == "" {
				continue
			}
			if before, again := seen[text]; again {
				out.add(i+1, f, "%s was already day %d's %s", quoted(text), before.day, before.field)
				continue
			}
			seen[text] = place{i + 1, f}
		}
	}
	return out, ""
}

func (t *trial) diverseAttractions() (found []Fault, note string) {
	var out faults
	seen := map[string]int{}
	for i, d := range t.days {
		for _, a := range t.attractions(d) {
			if before, again := seen[a.text]; again {
				out.add(i+1, FieldAttraction, "%s was already seen on day %d", quoted(a.text), before)
				continue
			}
			seen[a.text] = i + 1
		}
	}
	return out, ""
}

func (t *trial) noConflict() (found []Fault, note string) {
	var out faults
	if len(t.days) == 0 || t.days[0].Get(FieldTransportation) == "" {
		out.add(1, FieldTransportation, "missing transportation for the departure")
	}
	first := map[string]int{}
	for i, d := range t.days {
		mode := modeOf(d.Get(FieldTransportation))
		if mode == "" || first[mode] > 0 {
			continue
		}
		first[mode] = i + 1
		for _, other := range []string{ModeSelfDriving, ModeFlight, ModeTaxi} {
			if before := first[other]; before > 0 && other != mode && (mode == ModeSelfDriving || other == ModeSelfDriving) {
				out.add(i+1, FieldTransportation, "%s, after %s on day %d: one trip cannot combine a car of one's own with flights or taxis", mode, other, before)
			}
		}
	}
	return out, ""
}

func (t *trial) minimumNights() (found []Fault, note string) {
	var out faults
	for from := 0; from < len(t.days); {
		text, to := t.days[from].Get(FieldAccommodation), from
		for to < len(t.days) && t.days[to].Get(FieldAccommodation) == text {
			to++
		}
		if text != "" {
			records := t.db.findAccommodations(itemOf(text))
			if len(records) == 1 && to-from < records[0].Nights {
				out.add(from+1, FieldAccommodation, "%s requires at least %s; the plan stays %s", quoted(text), count(records[0].Nights, "night"), count(to-from, "night"))
			}
		}
		from = to
	}
	return out, ""
}
