package travel

import (
	"fmt"
	"slices"
	"strings"
)

func (t *trial) withinBudget() (found []Fault, note string) {
	said := fmt.Sprintf("costs %s of %s: %s", number(t.cost.Total), number(t.query.Budget), t.cost)
	if t.cost.Total > t.query.Budget {
		return []Fault{{Message: said}}, ""
	}
	return nil, said
}

// nights calls f with the known accommodation of each night of the plan; if several
// records match, with the first.
func (t *trial) nights(f func(day int, a Accommodation)) {
	for i, d := range t.days {
		if text := d.Get(FieldAccommodation); text != "" {
			if records := t.db.findAccommodations(itemOf(text)); len(records) > 0 {
				f(i+1, records[0])
			}
		}
	}
}

func (t *trial) roomRule() (found []Fault, note string) {
	var out faults
	rule := "No " + t.query.Constraint.HouseRule
	t.nights(func(day int, a Accommodation) {
		if slices.Contains(a.Rules, rule) {
			out.add(day, FieldAccommodation, "%s says %q", quoted(a.Name), rule)
		}
	})
	return out, ""
}

func (t *trial) roomType() (found []Fault, note string) {
	var out faults
	want := t.query.Constraint.RoomType
	t.nights(func(day int, a Accommodation) {
		if !fitsRoom(want, a.Type) {
			out.add(day, FieldAccommodation, "%s is a %q; the query wants: %s", quoted(a.Name), a.Type, want)
		}
	})
	return out, ""
}

// fitsRoom reports whether a type of room satisfies the query.
func fitsRoom(want, is string) bool {
	switch want {
	case "shared room":
		return is == "Shared room"
	case "not shared room":
		return is != "Shared room"
	case "private room":
		return is == "Private room"
	case "entire room":
		return is == "Entire home/apt"
	}
	return true
}

func (t *trial) cuisine() (found []Fault, note string) {
	served := map[string]bool{}
	for _, d := range t.days {
		for _, f := range meals() {
			i := itemOf(d.Get(f))
			if i.city == t.query.Org {
				if t.released { // it skips the later meals of the day
					break
				}
				continue
			}
			if records := t.db.findRestaurants(i); len(records) > 0 {
				for _, c := range records[0].Cuisines {
					served[c] = true
				}
			}
		}
	}
	var missing []string
	for _, want := range t.query.Constraint.Cuisine {
		if !served[want] {
			missing = append(missing, want)
		}
	}
	if len(missing) > 0 {
		return []Fault{{Message: "no restaurant outside of " + t.query.Org + " serves " + strings.Join(missing, ", nor ")}}, ""
	}
	return nil, ""
}

func (t *trial) transportation() (found []Fault, note string) {
	var out faults
	word := "Flight"
	if t.query.Constraint.Transportation == NoDriving {
		word = "Self-driving"
	}
	for i, d := range t.days {
		if text := d.Get(FieldTransportation); strings.Contains(text, word) {
			out.add(i+1, FieldTransportation, "%s, and the query wants %s", quoted(text), t.query.Constraint.Transportation)
		}
	}
	return out, ""
}
