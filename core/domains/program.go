package domains

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Kind is the kind of a variable: the set of its values, which are all non-negative.
type Kind uint8

// The kinds of variables.
const (
	Integer Kind = iota // 0, 1, 2, …
	Binary              // 0 or 1
	Real
)

// Sense relates a sum to its bound.
type Sense string

// The senses.
const (
	AtMost  Sense = "<="
	AtLeast Sense = ">="
	Exactly Sense = "="
)

// Variable is a decision variable. Its name is valid in SMT-LIB and LP.
type Variable struct {
	Name  string
	Kind  Kind
	Words []string // the words of the name, as in the data
}

// Term is a multiple of a variable, given by index. Call is a call of the program's API
// that returns the number in SMT-LIB, or "".
type Term struct {
	Times    Number
	Variable int
	Call     string
}

// Constraint relates a sum to a number. Its name describes it; the name of a query's
// constraint begins with [Asked].
type Constraint struct {
	Name  string
	Sum   []Term
	Sense Sense
	Bound Number
}

// Asked is the prefix of the names of a query's constraints. Without these a text describes
// the plan before the query.
const Asked = "query."

// Total is the name of the plan's cost.
const Total = "total_cost"

// Program is a mixed-integer linear program that minimises Cost.
type Program struct {
	Title       string
	API         string   // definitions in SMT-LIB for the terms' calls
	Changes     []string // the data changes of the query, a sentence each without its full stop
	Wishes      []string // the constraints of the query, in the same form
	Variables   []Variable
	Constraints []Constraint
	Cost        []Term

	index map[string]int
	notes map[string]string // by family, see note
}

// Name joins words into a name. Characters that names in either language cannot have become
// "_".
func Name(words ...string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			b.WriteByte('.')
		}
		for _, r := range word {
			if r < 0x80 && (r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9') {
				b.WriteRune(r)
			} else {
				b.WriteByte('_')
			}
		}
	}
	return b.String()
}

// note describes a family of names: the variables or constraints whose names begin with the
// word, or the "cost" of such variables.
func (p *Program) note(family, text string) {
	if p.notes == nil {
		p.notes = map[string]string{}
	}
	if text != "" && !strings.HasPrefix(family, "cost ") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	p.notes[family] = text
}

// family returns the first word of a name.
func family(name string) string {
	word, _, _ := strings.Cut(name, ".")
	return word
}

// variable adds a variable with its cost, if any.
func (p *Program) variable(kind Kind, cost Number, words ...string) {
	if p.index == nil {
		p.index = map[string]int{}
	}
	i := len(p.Variables)
	p.Variables = append(p.Variables, Variable{Name(words...), kind, words})
	p.index[Name(words...)] = i
	if cost.digits != 0 {
		p.Cost = append(p.Cost, Term{Times: cost, Variable: i})
	}
}

// term returns a multiple of a variable.
func (p *Program) term(times Number, words ...string) Term {
	return Term{Times: times, Variable: p.index[Name(words...)]}
}

func (p *Program) has(words ...string) bool {
	_, ok := p.index[Name(words...)]
	return ok
}

func (p *Program) add(sum []Term, sense Sense, bound Number, words ...string) {
	p.Constraints = append(p.Constraints, Constraint{Name(words...), sum, sense, bound})
}

// ask adds a constraint of the query.
func (p *Program) ask(sum []Term, sense Sense, bound Number, words ...string) {
	p.Constraints = append(p.Constraints, Constraint{Asked + Name(words...), sum, sense, bound})
}

// addChanged adds a constraint whose bound the query may have changed. A tighter bound is a
// further constraint, so that the plan before the query remains available without it; any
// other bound replaces that of the data.
func (p *Program) addChanged(sum []Term, sense Sense, data, now Number, words ...string) {
	tighter := sense == AtMost && now.less(data) || sense == AtLeast && data.less(now)
	if !tighter {
		data = now
	}
	p.add(sum, sense, data, words...)
	if tighter {
		p.ask(sum, sense, now, words...)
	}
}

// fix adds a query's constraint on one variable.
func (p *Program) fix(value Number, words ...string) {
	p.ask([]Term{p.term(IntegerNumber(1), words...)}, Exactly, value, words...)
}

// check reports variables with the same name, whose words differ only in characters that
// names cannot have, and makes the names of constraints unique.
func (p *Program) check() error {
	seen := map[string]int{}
	for _, v := range p.Variables {
		if seen[v.Name]++; seen[v.Name] > 1 {
			return source.NewError("domains.name", "two names in the data result in the same variable "+v.Name+"; rename one")
		}
	}
	for i := range p.Constraints {
		c := &p.Constraints[i]
		name := c.Name
		for seen[c.Name] > 0 {
			seen[name]++
			c.Name = name + "." + IntegerNumber(seen[name]).String()
		}
		seen[c.Name]++
	}
	return nil
}

// inOrder returns the constraints, with those of the query last.
func (p *Program) inOrder() []Constraint {
	var own, asked []Constraint
	for _, c := range p.Constraints {
		if strings.HasPrefix(c.Name, Asked) {
			asked = append(asked, c)
		} else {
			own = append(own, c)
		}
	}
	return append(own, asked...)
}

// real reports whether some number or variable may be fractional.
func (p *Program) real() bool {
	for _, v := range p.Variables {
		if v.Kind == Real {
			return true
		}
	}
	fractions := func(sum []Term) bool {
		for _, t := range sum {
			if t.Times.places > 0 {
				return true
			}
		}
		return false
	}
	for _, c := range p.Constraints {
		if c.Bound.places > 0 || fractions(c.Sum) {
			return true
		}
	}
	return fractions(p.Cost)
}
