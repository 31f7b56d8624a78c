package domains

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
)

// Coffee is the supply of cafes: beans go from suppliers to roasteries, and roasted
// light or dark from there to cafes. Whole units are shipped; no supplier gives more
// than it has, a roastery roasts no more than it gets and ships no more than it has
// roasted, and each cafe gets what it needs of both kinds. A demand that is raised by a
// percentage is rounded up, since units are whole.
//
// Changes: scale_demand, forbid_shipping, roastery_only_serves_cafe,
// cafe_only_from_roastery, scale_capacity, set_shipping_cost.
func Coffee(data, query *json.Node) (*Program, error) {
	r := &reader{}
	c := coffee{
		p:        &Program{Title: "Coffee: least cost of shipping and roasting"},
		capacity: r.numbers(r.get(data, "capacity_in_supplier"), "capacity_in_supplier"),
		supply:   map[string]Number{},
		inbound:  r.lanes(r.get(data, "shipping_cost_from_supplier_to_roastery")),
		outbound: r.lanes(r.get(data, "shipping_cost_from_roastery_to_cafe")),
	}
	for _, kind := range roasts {
		c.roasting = append(c.roasting, r.numbers(r.get(data, "roasting_cost_"+kind), "roasting_cost_"+kind))
		c.demand = append(c.demand, r.numbers(r.get(data, kind+"_coffee_needed_for_cafe"), kind+"_coffee_needed_for_cafe"))
		c.needed = append(c.needed, map[string]Number{})
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

// lane is a connection of two places with its cost per unit.
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
	// Capacities after the query's changes, and demands by roast.
	supply map[string]Number
	needed []map[string]Number
}

// amend applies the data changes of a query.
func (c *coffee) amend(r *reader, change *json.Node) {
	switch change.TextOf("op") {
	case "scale_demand":
		cafe := r.text(change, "cafe")
		percent := r.number(r.get(change, "percent"), "percent")
		for _, kind := range r.texts(r.get(change, "kinds"), "kinds") {
			k := position(roasts, kind)
			if k < 0 {
				r.fail("unknown coffee %q (expected light or dark)", kind)
				return
			}
			need := r.named(c.demand[k], cafe, "cafe")
			now := need.Times(percent.Plus(IntegerNumber(100))).Times(Number{1, 2}).Ceil()
			c.needed[k][cafe] = now
			c.addWish(now != need, fmt.Sprintf("%s needs %s units of %s coffee instead of %s: %s %% more, in whole units", cafe, now, kind, need, percent))
		}
	case "scale_capacity":
		supplier := r.text(change, "supplier")
		has := r.named(c.capacity, supplier, "supplier")
		now := has.Times(r.number(r.get(change, "factor"), "factor")).Floor()
		c.supply[supplier] = now
		c.addWish(now != has, fmt.Sprintf("%s has %s units of beans instead of %s", supplier, now, has))
	case "set_shipping_cost":
		from, to := r.text(change, "supplier"), r.text(change, "roastery")
		for i := range c.inbound {
			if l := &c.inbound[i]; l.from == from && l.to == to {
				before := l.cost
				l.cost = r.number(r.get(change, "value"), "value")
				c.p.Changes = append(c.p.Changes, fmt.Sprintf("A unit from %s to %s costs %s instead of %s", from, to, l.cost, before))
				return
			}
		}
		r.fail("nothing is shipped from %s to %s", from, to)
	}
}

// addWish adds the text of a query's constraint, if the condition something is true.
func (c *coffee) addWish(something bool, text string) {
	if something {
		c.p.Wishes = append(c.p.Wishes, text)
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

// or returns the query's number for a name, of[name], or the number in the data, otherwise.
func or(of map[string]Number, name string, otherwise Number) Number {
	if n, ok := of[name]; ok {
		return n
	}
	return otherwise
}

func (c *coffee) build(r *reader) {
	c.explain()
	one, less := IntegerNumber(1), IntegerNumber(-1)
	supply, received := map[string][]Term{}, map[string][]Term{}
	for _, l := range c.inbound {
		c.p.variable(Integer, l.cost, "ship", l.from, l.to)
		supply[l.from] = append(supply[l.from], c.p.term(one, "ship", l.from, l.to))
		received[l.to] = append(received[l.to], c.p.term(less, "ship", l.from, l.to))
	}
	for k, kind := range roasts {
		for _, roastery := range c.roasting[k].names {
			c.p.variable(Integer, c.roasting[k].values[roastery], "roast", kind, roastery)
		}
	}
	sent, served := [2]map[string][]Term{{}, {}}, [2]map[string][]Term{{}, {}}
	for k, kind := range roasts {
		for _, l := range c.outbound {
			r.named(c.roasting[k], l.from, "roastery")
			c.p.variable(Integer, l.cost, kind, l.from, l.to)
			sent[k][l.from] = append(sent[k][l.from], c.p.term(one, kind, l.from, l.to))
			served[k][l.to] = append(served[k][l.to], c.p.term(one, kind, l.from, l.to))
		}
	}
	for _, s := range c.capacity.names {
		c.p.addChanged(supply[s], AtMost, c.capacity.values[s], or(c.supply, s, c.capacity.values[s]), "supply", s)
	}
	for _, roastery := range c.roasting[0].names {
		roasted := []Term{c.p.term(one, "roast", roasts[0], roastery), c.p.term(one, "roast", roasts[1], roastery)}
		c.p.add(append(roasted, received[roastery]...), AtMost, IntegerNumber(0), "beans", roastery)
	}
	for k, kind := range roasts {
		for _, roastery := range c.roasting[k].names {
			c.p.add(append(sent[k][roastery], c.p.term(less, "roast", kind, roastery)), AtMost, IntegerNumber(0), "coffee", kind, roastery)
		}
	}
	for k, kind := range roasts {
		for _, cafe := range c.demand[k].names {
			need := c.demand[k].values[cafe]
			c.p.addChanged(served[k][cafe], AtLeast, need, or(c.needed[k], cafe, need), "demand", kind, cafe)
		}
	}
}

// explain describes the families of names in the program.
func (c *coffee) explain() {
	for _, n := range [][2]string{
		{"ship", "units of beans from a supplier to a roastery"},
		{"roast", "units of coffee of a kind that a roastery roasts"},
		{"light", "units of light coffee from a roastery to a cafe"},
		{"dark", "units of dark coffee from a roastery to a cafe"},
		{"supply", "no supplier ships more beans than its stock"},
		{"beans", "no roastery roasts more than the beans that it receives; the task implies this"},
		{"coffee", "no roastery ships more of a kind than it roasts; the task implies this"},
		{"demand", "every cafe receives the coffee of both kinds that it needs"},
		{"cost ship", "shipping beans to the roasteries"},
		{"cost roast", "roasting"},
		{"cost light", "shipping light coffee to the cafes"},
		{"cost dark", "shipping dark coffee to the cafes"},
	} {
		c.p.note(n[0], n[1])
	}
}

// restrict adds the query's constraints on connections.
func (c *coffee) restrict(r *reader, change *json.Node) {
	switch change.TextOf("op") {
	case "scale_demand", "scale_capacity", "set_shipping_cost":
	case "forbid_shipping":
		from, to := r.text(change, "supplier"), r.text(change, "roastery")
		if !c.p.has("ship", from, to) {
			r.fail("nothing is shipped from %s to %s", from, to)
			return
		}
		c.p.fix(IntegerNumber(0), "ship", from, to)
		c.addWish(true, fmt.Sprintf("Nothing is shipped from %s to %s; the additional cost is the reason for the shipment", from, to))
	case "roastery_only_serves_cafe", "cafe_only_from_roastery":
		roastery, cafe := r.text(change, "roastery"), r.text(change, "cafe")
		if !c.p.has(roasts[0], roastery, cafe) {
			r.fail("nothing is shipped from %s to %s", roastery, cafe)
			return
		}
		if change.TextOf("op") == "roastery_only_serves_cafe" {
			c.addWish(true, roastery+" serves no cafe but "+cafe)
		} else {
			c.addWish(true, cafe+" is served by no roastery but "+roastery)
		}
		for _, l := range c.outbound {
			same := [2]bool{l.from == roastery, l.to == cafe}
			if change.TextOf("op") == "cafe_only_from_roastery" {
				same[0], same[1] = same[1], same[0]
			}
			for _, kind := range roasts {
				if same[0] && !same[1] {
					c.p.fix(IntegerNumber(0), kind, l.from, l.to)
				}
			}
		}
	default:
		r.unknown(change)
	}
}
