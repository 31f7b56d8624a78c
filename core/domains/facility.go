package domains

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
)

// Facility is the choice of plants: an open one costs its fixed cost and ships no more
// than its capacity, a closed one ships nothing, and each warehouse gets what it needs
// exactly. Fractions are shipped. The costs of transport have a row for each plant and a
// column for each warehouse.
//
// Changes: set_open, set_transport, scale_fixed_cost, add_demand (to each warehouse).
func Facility(data, query *json.Node) (*Program, error) {
	r := &reader{}
	p := &Program{Title: "Facility: least cost of transport and open plants"}
	demand := r.numbers(r.get(data, "demand"), "demand")
	capacity := r.numbers(r.get(data, "capacity"), "capacity")
	fixed := r.numbers(r.get(data, "fixedCosts"), "fixedCosts")
	for _, n := range [][2]string{
		{"open", "whether a plant is open"},
		{"ship", "thousands of units from a plant to a warehouse; they need not be whole"},
		{"capacity", "an open plant ships no more than its capacity, a closed plant nothing; the task implies the latter"},
		{"demand", "every warehouse receives its demand"},
		{"cost open", "the fixed cost of an open plant"},
		{"cost ship", "transport"},
	} {
		p.note(n[0], n[1])
	}
	for _, change := range changes(query) {
		switch change.TextOf("op") {
		case "scale_fixed_cost":
			plant := r.index(change, "plant")
			before := r.named(fixed, plant, "plant")
			fixed.values[plant] = before.Times(r.number(r.get(change, "factor"), "factor"))
			p.Changes = append(p.Changes, fmt.Sprintf("Plant %s costs %s if it is open, instead of %s", plant, fixed.values[plant], before))
		case "add_demand":
			for _, w := range demand.names {
				before := demand.values[w]
				demand.values[w] = before.Plus(r.number(r.get(change, "value"), "value"))
				p.Changes = append(p.Changes, fmt.Sprintf("Warehouse %s needs %s instead of %s", w, demand.values[w], before))
			}
		}
	}
	sent, received := map[string][]Term{}, map[string][]Term{}
	rows := r.get(data, "transCosts").Items
	if len(rows) != len(capacity.names) || len(fixed.names) != len(capacity.names) {
		r.fail("there are %d plants with a capacity, %d with a fixed cost and %d with costs of transport", len(capacity.names), len(fixed.names), len(rows))
		return p, r.fault
	}
	for _, plant := range capacity.names {
		p.variable(Binary, fixed.values[plant], "open", plant)
	}
	for i, plant := range capacity.names {
		costs := r.numbers(rows[i], "transCosts")
		for _, w := range demand.names {
			p.variable(Real, r.named(costs, w, "warehouse"), "ship", plant, w)
			sent[plant] = append(sent[plant], p.term(IntegerNumber(1), "ship", plant, w))
			received[w] = append(received[w], p.term(IntegerNumber(1), "ship", plant, w))
		}
	}
	for _, plant := range capacity.names {
		p.add(append(sent[plant], p.term(capacity.values[plant].Negative(), "open", plant)), AtMost, IntegerNumber(0), "capacity", plant)
	}
	for _, w := range demand.names {
		p.add(received[w], Exactly, demand.values[w], "demand", w)
	}
	for _, change := range changes(query) {
		switch change.TextOf("op") {
		case "scale_fixed_cost", "add_demand":
		case "set_open":
			plant := r.index(change, "plant")
			r.named(capacity, plant, "plant")
			value := r.number(r.get(change, "value"), "value")
			p.fix(value, "open", plant)
			state := "open"
			if value.digits == 0 {
				state = "closed"
			}
			p.Wishes = append(p.Wishes, "Plant "+plant+" is "+state+"; if the question asks why it is not, the additional cost is the reason")
		case "set_transport":
			plant, w := r.index(change, "plant"), r.index(change, "warehouse")
			r.named(capacity, plant, "plant")
			r.named(demand, w, "warehouse")
			value := r.number(r.get(change, "value"), "value")
			p.fix(value, "ship", plant, w)
			p.Wishes = append(p.Wishes, fmt.Sprintf("Plant %[2]s ships %[1]s to warehouse %[3]s; the additional cost is the reason for the other amount", value, plant, w))
		default:
			r.unknown(change)
		}
	}
	if r.fault == nil {
		r.fault = p.check()
	}
	return p, r.fault
}
