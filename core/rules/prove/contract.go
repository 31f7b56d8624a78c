package prove

import (
	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/rules"
)

// findDomains looks up the contracts of the fields.
func (e *encoder) findDomains() {
	e.domains = map[[2]int]rules.Domain{}
	if e.query.Contracts == nil {
		return
	}
	for at, p := range e.paths {
		for n, s := range e.shapes {
			if !p.shapes[n] || p.pattern.Meta {
				continue
			}
			if d, ok := e.query.Contracts.Domain(s.kind, s.name, p.pattern.Path); ok {
				e.domains[[2]int{n, at}] = d
				for _, v := range d.Values {
					e.literal(v)
				}
			}
		}
	}
}

// typed restricts the fields of each event to the values that the contract of its tool allows.
func (e *encoder) typed() {
	for at := range e.paths {
		for n := range e.shapes {
			d, ok := e.domains[[2]int{n, at}]
			if !ok {
				continue
			}
			for i := range e.events {
				e.assert(e.or(not(name("e", i, n)), e.is(e.slot(i, at), kindMissing), e.allowed(&d, e.slot(i, at))))
			}
		}
	}
}

// kindsInText maps each [rules.Kind] to the type as the SMT-LIB text has it.
var kindsInText = [...]string{kindNull, kindFalse, kindTrue, kindNumber, kindString, kindList, kindObject}

func (e *encoder) allowed(d *rules.Domain, v value) string {
	var list []string
	for k, has := range d.Kinds {
		if !has || d.Values != nil && rules.Kind(k) < exact.KindList {
			continue
		}
		term := e.is(v, kindsInText[k])
		if rules.Kind(k) == exact.KindNumber {
			term = e.and(term, e.bound(d.Low, d.LowOpen, ">", v), e.bound(d.High, d.HighOpen, "<", v))
		}
		list = append(list, term)
	}
	for _, literal := range d.Values {
		if literal.Kind() < exact.KindList {
			list = append(list, e.equal(v, e.constantOf(literal)))
		}
	}
	return e.or(list...)
}

func (e *encoder) bound(b *rules.Decimal, open bool, op string, v value) string {
	if b == nil {
		return yes
	}
	if !open {
		op += "="
	}
	return e.relate(op, v.x, e.number(b.String()))
}

// meets reports whether the fields of a run have the values that the contracts allow.
func (q Query) meets(run []rules.RawEvent) bool {
	if q.Contracts == nil {
		return true
	}
	hold, violated := q.parts()
	for _, list := range [][]judged{hold, violated} {
		for _, j := range list {
			if !q.fieldsMeet(j.rule.Formula, run) {
				return false
			}
		}
	}
	return q.Goal == nil || q.fieldsMeet(q.Goal.Rules[0].Formula, run)
}

func (q Query) fieldsMeet(f *rules.Formula, run []rules.RawEvent) bool {
	ok := true
	eachPart(f, func(f *rules.Formula) {
		if f.Atom == nil {
			return
		}
		for i := range f.Atom.Patterns {
			p := &f.Atom.Patterns[i]
			for n, raw := range run {
				e, err := rules.ReadEvent(raw, n)
				if err != nil || p.Meta {
					continue
				}
				if d, known := q.Contracts.Domain(e.Kind, e.Name, p.Path); known {
					if v := e.At(p); v != nil && !d.Allows(v) {
						ok = false
					}
				}
			}
		}
	}, func(*rules.Value) {})
	return ok
}
