package prove

import (
	"slices"
	"strings"

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
				if d.Pattern != "" && e.regex(declared(&d)) < 0 {
					e.regexes = append(e.regexes, declared(&d))
				}
			}
		}
	}
}

// declared returns the pattern that a contract declares for a field. Its source is not that of a pattern of a rule,
// which may have another meaning.
func declared(d *rules.Domain) *rules.Pattern {
	return &rules.Pattern{Test: "~", Source: "\x00" + d.Pattern, Regex: d.Regex}
}

// typed restricts the fields of each event to the values that the contract of its tool allows.
func (e *encoder) typed() {
	for at := range e.paths {
		for n := range e.shapes {
			d, ok := e.domains[[2]int{n, at}]
			if !ok {
				continue
			}
			var refused []string
			if !d.Never && (!d.Typed || d.Kinds[exact.KindString]) {
				refused = slices.DeleteFunc(slices.Clone(e.strings), func(text string) bool { return d.Allows(exact.OfText(text)) })
			}
			for i := range e.events {
				allowed := []string{not(name("e", i, n)), e.missing(&d, i, at, n)}
				if !d.Never {
					allowed = append(allowed, e.allowed(&d, i, at, refused))
				}
				e.assert(e.or(allowed...))
			}
		}
	}
}

// missing returns the term that an event of a shape may lack a field and lacks it: required fields need the object around
// them only.
func (e *encoder) missing(d *rules.Domain, i, at, n int) string {
	list := []string{e.is(e.slot(i, at), kindMissing)}
	if !d.Required {
		return list[0]
	}
	path := e.paths[at].pattern.Path
	around := strings.Join(path[:len(path)-1], "\x00")
	for other, p := range e.paths {
		switch v := e.slot(i, other); {
		case p.pattern.Meta || !p.shapes[n]:
		case p.key == around:
			list = append(list, not(e.is(v, kindObject)))
		case strings.HasPrefix(p.key, around+"\x00") && other != at:
			list = append(list, e.is(v, kindMissing))
		}
	}
	return e.and(append(list, boolean(!d.Always))...)
}

// kindsInText maps each [rules.Kind] to the type as the SMT-LIB text has it.
var kindsInText = [...]string{kindNull, kindFalse, kindTrue, kindNumber, kindString, kindList, kindObject}

// allowed returns the term that a contract allows the value of a field.
func (e *encoder) allowed(d *rules.Domain, i, at int, refused []string) string {
	v := e.slot(i, at)
	var list []string
	for k, has := range d.Kinds {
		if d.Typed && (!has || d.Values != nil && rules.Kind(k) < exact.KindList) {
			continue
		}
		terms := []string{e.is(v, kindsInText[k])}
		switch rules.Kind(k) {
		case exact.KindNumber:
			terms = append(terms, e.bound(d.Low, d.LowOpen, ">", v), e.bound(d.High, d.HighOpen, "<", v))
			if d.Integer {
				terms = append(terms, e.define("Bool", "(is_int "+v.x+")"))
			}
		case exact.KindString:
			if d.Pattern != "" {
				terms = append(terms, name("m", i, at, e.regex(declared(d))))
			}
			for _, text := range refused {
				terms = append(terms, not(e.equal(v, e.constantOf(exact.OfText(text)))))
			}
		case exact.KindList:
			for m, member := range e.members {
				if !d.Holds(member) {
					terms = append(terms, not(name("h", i, at, m)))
				}
			}
		}
		list = append(list, e.and(terms...))
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

// refusal returns why a contract does not allow an event of a run, or "".
func (q Query) refusal(run []rules.RawEvent) string {
	if q.Contracts == nil {
		return ""
	}
	for _, e := range run {
		if why := q.Contracts.Refuses(e); why != "" {
			return why
		}
	}
	return ""
}

// complete adds the fields that the contracts require and that no rule refers to.
func (q Query) complete(run []rules.RawEvent) []rules.RawEvent {
	if q.Contracts != nil {
		for i := range run {
			run[i] = q.Contracts.Complete(run[i])
		}
	}
	return run
}
