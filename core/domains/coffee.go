package domains

import "github.com/stile-playground/stile/core/json"

// Coffee is the supply of cafes: beans go from suppliers to roasteries, and roasted
// light or dark from there to cafes. Whole units are shipped; no supplier gives more
// than it has, what a roastery ships is what it gets, and each cafe gets what it needs
// of both kinds. A demand that is raised by a percentage is rounded up, since units are
// whole.
//
// Changes: scale_demand, forbid_shipping, roastery_only_serves_cafe,
// cafe_only_from_roastery, scale_capacity, set_shipping_cost.
func Coffee(data, query *json.Node) (*Program, error) {
	r := &reader{}
	c := coffee{
		p:        &Program{Title: "Coffee: least cost of shipping and roasting"},
		capacity: r.numbers(r.get(data, "capacity_in_supplier"), "capacity_in_supplier"),
		inbound:  r.lanes(r.get(data, "shipping_cost_from_supplier_to_roastery")),
		outbound: r.lanes(r.get(data, "shipping_cost_from_roastery_to_cafe")),
	}
	for _, kind := range roasts {
		c.roasting = append(c.roasting, r.numbers(r.get(data, "roasting_cost_"+kind), "roasting_cost_"+kind))
		c.demand = append(c.demand, r.numbers(r.get(data, kind+"_coffee_needed_for_cafe"), kind+"_coffee_needed_for_cafe"))
	}
	for _, change := range changes(query) {
		c.amend(r, change)
	}
	c.build(r)
	for _, change := range changes(query) {
		c.restrict(r, change)
	}
	if r.fault == nil {
		r.fault = c.p.check()
	}
	return c.p, r.fault
}

var roasts = []string{"light", "dark"}

// lane is a way between two places, and what a unit costs on it.
type lane struct {
	from, to string
	cost     Number
}

func (r *reader) lanes(n *json.Node) []lane {
	var out []lane
	for _, item := range n.Items {
		out = append(out, lane{r.text(item, "from"), r.text(item, "to"), r.number(r.get(item, "cost"), "cost")})
	}
	return out
}

type coffee struct {
	p                 *Program
	capacity          numbers
	inbound, outbound []lane
	roasting, demand  []numbers // by roast
}

// amend makes the changes to the data.
func (c *coffee) amend(r *reader, change *json.Node) {
	switch change.TextOf("op") {
	case "scale_demand":
		cafe := r.text(change, "cafe")
		percent := r.number(r.get(change, "percent"), "percent")
		for _, kind := range r.texts(r.get(change, "kinds"), "kinds") {
			k := position(roasts, kind)
			if k < 0 {
				r.fail("there is no coffee %q; there is light and dark", kind)
				return
			}
			need := r.named(c.demand[k], cafe, "cafe")
			c.demand[k].values[cafe] = need.Times(percent.Plus(Whole(100))).Times(Number{1, 2}).Ceil()
		}
	case "scale_capacity":
		supplier := r.text(change, "supplier")
		has := r.named(c.capacity, supplier, "supplier")
		c.capacity.values[supplier] = has.Times(r.number(r.get(change, "factor"), "factor")).Floor()
	case "set_shipping_cost":
		from, to := r.text(change, "supplier"), r.text(change, "roastery")
		for i := range c.inbound {
			if c.inbound[i].from == from && c.inbound[i].to == to {
				c.inbound[i].cost = r.number(r.get(change, "value"), "value")
				return
			}
		}
		r.fail("nothing is shipped from %s to %s", from, to)
	}
}

func position(list []string, word string) int {
	for i, w := range list {
		if w == word {
			return i
		}
	}
	return -1
}

func (c *coffee) build(r *reader) {
	one, less := Whole(1), Whole(-1)
	supply, balance := map[string][]Term{}, map[string][]Term{}
	for _, l := range c.inbound {
		c.p.variable(Integer, l.cost, "ship", l.from, l.to)
		supply[l.from] = append(supply[l.from], c.p.term(one, "ship", l.from, l.to))
		balance[l.to] = append(balance[l.to], c.p.term(one, "ship", l.from, l.to))
	}
	served := [2]map[string][]Term{{}, {}}
	for _, l := range c.outbound {
		for k, kind := range roasts {
			c.p.variable(Integer, l.cost.Plus(r.named(c.roasting[k], l.from, "roastery")), kind, l.from, l.to)
			balance[l.from] = append(balance[l.from], c.p.term(less, kind, l.from, l.to))
			served[k][l.to] = append(served[k][l.to], c.p.term(one, kind, l.from, l.to))
		}
	}
	for _, s := range c.capacity.names {
		c.p.add(supply[s], AtMost, c.capacity.values[s], "supply", s)
	}
	for _, roastery := range c.roasting[0].names {
		c.p.add(balance[roastery], Exactly, Whole(0), "balance", roastery)
	}
	for k, kind := range roasts {
		for _, cafe := range c.demand[k].names {
			c.p.add(served[k][cafe], AtLeast, c.demand[k].values[cafe], "demand", kind, cafe)
		}
	}
}

// restrict makes the changes that forbid ways.
func (c *coffee) restrict(r *reader, change *json.Node) {
	switch change.TextOf("op") {
	case "scale_demand", "scale_capacity", "set_shipping_cost":
	case "forbid_shipping":
		from, to := r.text(change, "supplier"), r.text(change, "roastery")
		if !c.p.has("ship", from, to) {
			r.fail("nothing is shipped from %s to %s", from, to)
			return
		}
		c.p.fix(Whole(0), "ship", from, to)
	case "roastery_only_serves_cafe", "cafe_only_from_roastery":
		roastery, cafe := r.text(change, "roastery"), r.text(change, "cafe")
		if !c.p.has(roasts[0], roastery, cafe) {
			r.fail("nothing is shipped from %s to %s", roastery, cafe)
			return
		}
		for _, l := range c.outbound {
			same := [2]bool{l.from == roastery, l.to == cafe}
			if change.TextOf("op") == "cafe_only_from_roastery" {
				same[0], same[1] = same[1], same[0]
			}
			for _, kind := range roasts {
				if same[0] && !same[1] {
					c.p.fix(Whole(0), kind, l.from, l.to)
				}
			}
		}
	default:
		r.unknown(change)
	}
}
