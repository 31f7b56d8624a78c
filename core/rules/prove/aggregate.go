package prove

import (
	"strings"

	"github.com/stile-playground/stile/core/rules"
)

// contribution is a value that an event adds to an aggregate if a term is true.
type contribution struct {
	event int
	value value
	term  string
}

func (r *ruleEncoder) aggregate(t *rules.Term, i int, env *assignment) value {
	var x string
	def := yes
	if t.Use == nil {
		var ones []string
		for j := range i + 1 {
			ones = append(ones, r.one(r.and(r.within(i, j, t.Window), r.some(t.Operand, j, env))))
		}
		x = r.sum(ones)
		return value{key: x, kind: kindNumber, x: x, def: yes}
	}
	list := r.contributions(t, i, env)
	switch t.Function {
	case "count":
		var ones []string
		for n := range list {
			ones = append(ones, r.one(r.and(list[n].term, r.fresh(list[:n], list[n], false))))
		}
		x = r.sum(ones)
	case "sum":
		var parts []string
		for n, c := range list {
			term := r.and(c.term, r.is(c.value, kindNumber), r.fresh(list[:n], c, true))
			if term != no {
				parts = append(parts, r.choose(term, c.value.x, "0.0"))
			}
		}
		x = r.sum(parts)
	default:
		x, def = r.best(t.Function, list)
	}
	return value{key: x + "?" + def, kind: kindNumber, x: x, def: def}
}

// contributions returns the values that the variable of an aggregate may have at each event up
// to event i, with the term that the event is in the window and the operand holds with the
// value.
func (r *ruleEncoder) contributions(t *rules.Term, i int, env *assignment) (out []contribution) {
	own := t.Use.Variable.Index()
	for j := range i + 1 {
		window := r.within(i, j, t.Window)
		for _, s := range r.solve(t.Operand, j, env) {
			v, ok := s.env.get(own)
			if term := r.and(window, s.term); ok && term != no {
				out = append(out, contribution{j, v, term})
			}
		}
	}
	return out
}

// fresh returns the term that no earlier contribution has the same value as c. If sameEvent is true,
// only contributions of the same event count.
func (r *ruleEncoder) fresh(earlier []contribution, c contribution, sameEvent bool) string {
	var list []string
	for _, other := range earlier {
		if !sameEvent || other.event == c.event {
			list = append(list, not(r.and(other.term, r.equal(other.value, c.value))))
		}
	}
	return r.and(list...)
}

func (r *ruleEncoder) one(term string) string { return r.choose(term, "1.0", "0.0") }

func (r *ruleEncoder) sum(parts []string) string {
	var out []string
	for _, p := range parts {
		if p != "0.0" {
			out = append(out, p)
		}
	}
	switch len(out) {
	case 0:
		return "0.0"
	case 1:
		return out[0]
	}
	return r.define("Real", "(+ "+strings.Join(out, " ")+")")
}

// best returns the smallest or largest number among the contributions, and the term that there is such a number.
func (r *ruleEncoder) best(function string, list []contribution) (x, def string) {
	x, def = "0.0", no
	op := "<"
	if function == "max" {
		op = ">"
	}
	for _, c := range list {
		term := r.and(c.term, r.is(c.value, kindNumber))
		better := r.and(term, r.or(not(def), r.relate(op, c.value.x, x)))
		x = r.choose(better, c.value.x, x)
		def = r.or(def, term)
	}
	return x, def
}
