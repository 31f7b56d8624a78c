package domains

import "github.com/stile-playground/stile/core/json"

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
	for _, change := range changes(query) {
		switch change.TextOf("op") {
		case "scale_fixed_cost":
			plant := r.index(change, "plant")
			fixed.values[plant] = r.named(fixed, plant, "plant").Times(r.number(r.get(change, "factor"), "factor"))
		case "add_demand":
			for _, w := range demand.names {
				demand.values[w] = demand.values[w].Plus(r.number(r.get(change, "value"), "value"))
			}
		}
	}
	received := map[string][]Term{}
	rows := r.get(data, "transCosts").Items
	if len(rows) != len(capacity.names) || len(fixed.names) != len(capacity.names) {
		r.fail("there are %d plants with a capacity, %d with a fixed cost and %d with costs of transport", len(capacity.names), len(fixed.names), len(rows))
		return p, r.fault
	}
	for i, plant := range capacity.names {
		p.variable(Binary, fixed.values[plant], "open", plant)
		costs := r.numbers(rows[i], "transCosts")
		sent := []Term{p.term(capacity.values[plant].Negative(), "open", plant)}
		for _, w := range demand.names {
			p.variable(Real, r.named(costs, w, "warehouse"), "ship", plant, w)
			sent = append(sent, p.term(Whole(1), "ship", plant, w))
			received[w] = append(received[w], p.term(Whole(1), "ship", plant, w))
		}
		p.add(sent, AtMost, Whole(0), "capacity", plant)
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
			p.fix(r.number(r.get(change, "value"), "value"), "open", plant)
		case "set_transport":
			plant, w := r.index(change, "plant"), r.index(change, "warehouse")
			r.named(capacity, plant, "plant")
			r.named(demand, w, "warehouse")
			p.fix(r.number(r.get(change, "value"), "value"), "ship", plant, w)
		default:
			r.unknown(change)
		}
	}
	if r.fault == nil {
		r.fault = p.check()
	}
	return p, r.fault
}
