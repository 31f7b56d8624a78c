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
	Name string
	Kind Kind
}

// Term is a multiple of a variable, by its index.
type Term struct {
	Times    Number
	Variable int
}

// Constraint relates a sum to a number. Its name tells what it stands for.
type Constraint struct {
	Name  string
	Sum   []Term
	Sense Sense
	Bound Number
}

// Program is a linear program in variables that may have to be whole; what is wanted is
// the least Cost.
type Program struct {
	Title       string
	Variables   []Variable
	Constraints []Constraint
	Cost        []Term

	index map[string]int
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

// variable adds a variable, and its cost where it has one.
func (p *Program) variable(kind Kind, cost Number, words ...string) {
	if p.index == nil {
		p.index = map[string]int{}
	}
	i := len(p.Variables)
	p.Variables = append(p.Variables, Variable{Name(words...), kind})
	p.index[Name(words...)] = i
	if cost.digits != 0 {
		p.Cost = append(p.Cost, Term{cost, i})
	}
}

// term returns a multiple of a variable.
func (p *Program) term(times Number, words ...string) Term {
	return Term{times, p.index[Name(words...)]}
}

func (p *Program) has(words ...string) bool {
	_, ok := p.index[Name(words...)]
	return ok
}

// add adds a constraint.
func (p *Program) add(sum []Term, sense Sense, bound Number, words ...string) {
	p.Constraints = append(p.Constraints, Constraint{Name(words...), sum, sense, bound})
}

// fix adds a constraint on one variable.
func (p *Program) fix(value Number, words ...string) {
	p.add([]Term{p.term(Whole(1), words...)}, Exactly, value, append([]string{"fixed"}, words...)...)
}

// check reports names that two variables or two constraints share, because what tells
// them apart stands in names of neither language.
func (p *Program) check() error {
	seen := map[string]bool{}
	for _, v := range p.Variables {
		if seen[v.Name] {
			return source.NewError("domains.name", "two of the data's names make the same variable "+v.Name+"; rename one")
		}
		seen[v.Name] = true
	}
	return nil
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

// SMTLIB writes the program in SMT-LIB 2 with the commands for optimisation that Z3
// has, and asks for the objective and a model.
//
// Without opt.elim_01, Z3 leaves whole numbers of 0 and 1 as they are; taking them for
// propositions makes the coffee problem a hundred times slower. For the same reason a
// binary variable is a whole number here, but among real ones a proposition: in mixed
// sums of whole and real numbers Z3 4.8.12 calls optimal what is not.
func (p *Program) SMTLIB() string {
	w := &smt{real: p.real(), program: p}
	w.line("; " + p.Title)
	w.line("(set-option :opt.elim_01 false)")
	w.declare()
	for _, c := range p.Constraints {
		w.line("(assert " + w.constraint(c) + ") ; " + c.Name)
	}
	w.line("(minimize " + w.sum(p.Cost) + ")")
	w.line("(check-sat)")
	w.line("(get-objectives)")
	w.line("(get-model)")
	return w.String()
}

// Core writes the program without its cost, each constraint with its name, and asks
// which of them exclude each other.
func (p *Program) Core() string {
	w := &smt{real: p.real(), program: p}
	w.line("; " + p.Title + ": what excludes what")
	w.line("(set-option :produce-unsat-cores true)")
	w.declare()
	seen := map[string]int{}
	for _, c := range p.Constraints {
		name := c.Name
		if seen[name]++; seen[name] > 1 {
			name += "." + Whole(seen[name]).String()
		}
		w.line("(assert (! " + w.constraint(c) + " :named " + "c." + name + "))")
	}
	w.line("(check-sat)")
	w.line("(get-unsat-core)")
	return w.String()
}

type smt struct {
	strings.Builder
	real    bool
	program *Program
}

func (w *smt) line(text string) { w.WriteString(text + "\n") }

func (w *smt) declare() {
	for _, v := range w.program.Variables {
		sort := "Int"
		switch {
		case v.Kind == Real:
			sort = "Real"
		case v.Kind == Binary && w.real:
			sort = "Bool"
		}
		w.line("(declare-const " + v.Name + " " + sort + ")")
		switch {
		case sort == "Bool":
		case v.Kind == Binary:
			w.line("(assert (<= 0 " + v.Name + " 1))")
		default:
			w.line("(assert (>= " + v.Name + " 0))")
		}
	}
}

func (w *smt) number(n Number) string {
	text := n.String()
	negative := strings.HasPrefix(text, "-")
	text = strings.TrimPrefix(text, "-")
	if w.real && n.places == 0 {
		text += ".0"
	}
	if negative {
		return "(- " + text + ")"
	}
	return text
}

func (w *smt) sum(sum []Term) string {
	parts := make([]string, len(sum))
	for i, t := range sum {
		v := w.program.Variables[t.Variable]
		name := v.Name
		switch {
		case v.Kind == Binary && w.real:
			parts[i] = "(ite " + name + " " + w.number(t.Times) + " " + w.number(Whole(0)) + ")"
			continue
		case v.Kind == Integer && w.real:
			name = "(to_real " + name + ")"
		}
		if parts[i] = name; t.Times != Whole(1) {
			parts[i] = "(* " + w.number(t.Times) + " " + name + ")"
		}
	}
	switch len(parts) {
	case 0:
		return w.number(Whole(0))
	case 1:
		return parts[0]
	}
	return "(+ " + strings.Join(parts, " ") + ")"
}

func (w *smt) constraint(c Constraint) string {
	return "(" + string(c.Sense) + " " + w.sum(c.Sum) + " " + w.number(c.Bound) + ")"
}

// LP writes the program in the LP format of CPLEX, for HiGHS and others.
func (p *Program) LP() string {
	var b strings.Builder
	b.WriteString("\\ " + p.Title + "\nMinimize\n cost:" + p.sum(p.Cost) + "\nSubject To\n")
	for i, c := range p.Constraints {
		// Numbers make the names differ where the data has two constraints alike.
		b.WriteString(" c" + Whole(i+1).String() + "." + c.Name + ":" + p.sum(c.Sum) + " " + string(c.Sense) + " " + c.Bound.String() + "\n")
	}
	for _, section := range []struct {
		kind Kind
		name string
	}{{Integer, "General"}, {Binary, "Binary"}} {
		var names []string
		for _, v := range p.Variables {
			if v.Kind == section.kind {
				names = append(names, v.Name)
			}
		}
		if len(names) > 0 {
			b.WriteString(section.name + "\n " + strings.Join(names, "\n ") + "\n")
		}
	}
	b.WriteString("End\n")
	return b.String()
}

func (p *Program) sum(sum []Term) string {
	var b strings.Builder
	for i, t := range sum {
		text := t.Times.String()
		if bare, negative := strings.CutPrefix(text, "-"); negative {
			text = "- " + bare
		} else if i > 0 {
			text = "+ " + text
		}
		// A line of an LP file has at most 255 characters in some readers.
		separator := " "
		if i > 0 && i%5 == 0 {
			separator = "\n  "
		}
		b.WriteString(separator + text + " " + p.Variables[t.Variable].Name)
	}
	if len(sum) == 0 {
		// An empty sum has no notation.
		return " 0 " + p.Variables[0].Name
	}
	return b.String()
}
