package domains

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Kind says what values a variable has. None is negative.
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

// Variable is what a solver chooses. Its name is one in SMT-LIB and in LP.
type Variable struct {
	Name  string
	Kind  Kind
	Words []string // that the name is made of, as the data has them
}

// Term is a multiple of a variable, by its index. Call is how SMT-LIB writes the number
// where a function of the program's API gives it, or "".
type Term struct {
	Times    Number
	Variable int
	Call     string
}

// Constraint relates a sum to a number. Its name tells what it stands for; that of one
// that the query adds begins with [Asked].
type Constraint struct {
	Name  string
	Sum   []Term
	Sense Sense
	Bound Number
}

// Asked is what the names of a query's constraints begin with: without them a text is
// that of the plan before the question.
const Asked = "query."

// Total is the name of what a plan costs.
const Total = "total_cost"

// Program is a linear program in variables that may have to be whole; what is wanted is
// the least Cost.
type Program struct {
	Title       string
	API         string   // definitions in SMT-LIB that the terms call
	Changes     []string // what the query changes in the data, a sentence each without its full stop
	Wishes      []string // what the query's constraints say, likewise
	Variables   []Variable
	Constraints []Constraint
	Cost        []Term

	index map[string]int
	notes map[string]string // by family, see note
}

// Name joins words to a name. What stands in names of neither language becomes "_".
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

// note says what a family of names is: of the variables or constraints whose names begin
// with the word, or of the "cost" of such variables.
func (p *Program) note(family, text string) {
	if p.notes == nil {
		p.notes = map[string]string{}
	}
	if text != "" && !strings.HasPrefix(family, "cost ") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	p.notes[family] = text
}

// family is the first word of a name.
func family(name string) string {
	word, _, _ := strings.Cut(name, ".")
	return word
}

// variable adds a variable, and its cost where it has one.
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

// add adds a constraint.
func (p *Program) add(sum []Term, sense Sense, bound Number, words ...string) {
	p.Constraints = append(p.Constraints, Constraint{Name(words...), sum, sense, bound})
}

// ask adds a constraint of the query.
func (p *Program) ask(sum []Term, sense Sense, bound Number, words ...string) {
	p.Constraints = append(p.Constraints, Constraint{Asked + Name(words...), sum, sense, bound})
}

// addChanged adds a constraint whose bound the query may have changed. A tighter bound is
// one constraint more, so that without it the plan is the one before the question; any
// other stands in the place of the data's.
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
	p.ask([]Term{p.term(Whole(1), words...)}, Exactly, value, words...)
}

// check reports names that two variables share, because what tells them apart stands in
// names of neither language; and makes those of constraints differ.
func (p *Program) check() error {
	seen := map[string]int{}
	for _, v := range p.Variables {
		if seen[v.Name]++; seen[v.Name] > 1 {
			return source.NewError("domains.name", "two of the data's names make the same variable "+v.Name+"; rename one")
		}
	}
	for i := range p.Constraints {
		c := &p.Constraints[i]
		name := c.Name
		for seen[c.Name] > 0 {
			seen[name]++
			c.Name = name + "." + Whole(seen[name]).String()
		}
		seen[c.Name]++
	}
	return nil
}

// inOrder returns the constraints, those of the query last.
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

// real reports whether some number or variable of the program need not be whole.
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
