package domains

import "strings"

// SMTLIB writes the program in SMT-LIB 2 with the commands for optimisation that Z3
// has, and asks for the objective and a model. Every constraint has its name, so that Z3 can
// report which constraints contradict each other.
//
// Without opt.elim_01, Z3 keeps integers that are 0 or 1; converting them to
// propositions makes the coffee problem a hundred times slower. For the same reason a
// binary variable is a whole number. In a program with real variables it is a proposition, because
// Z3 4.8.12 reports wrong optima for sums that mix whole and real numbers.
func (p *Program) SMTLIB() string { return p.API + p.Model() }

// Model formats the program like [Program.SMTLIB], without the definitions of the API that
// it calls.
func (p *Program) Model() string {
	w := &smt{real: p.real(), program: p}
	w.line("; " + p.Title + ".")
	w.line("(set-option :opt.elim_01 false)")
	if len(p.Changes) > 0 {
		w.section("Changes of the data by the query", "")
		for _, c := range p.Changes {
			w.line("; " + c + ".")
		}
	}
	w.section("Decision variables; no quantity is negative", "")
	w.declare()
	w.section("Constraints", "")
	w.constraints(p.inOrder())
	w.section("Objective: minimal cost", "")
	w.minimize(p.Cost)
	w.line("\n(check-sat)")
	w.line("(get-objectives)")
	w.line("(get-model)")
	return w.String()
}

// Core writes the program without its cost, and asks which of its constraints exclude
// each other.
func (p *Program) Core() string {
	w := &smt{real: p.real(), program: p}
	w.line("; " + p.Title + ": mutual exclusion.")
	w.line("(set-option :produce-unsat-cores true)")
	w.WriteString(p.API)
	w.declare()
	w.constraints(p.inOrder())
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

// section begins a section of the text.
func (w *smt) section(title, about string) {
	w.line("\n; ── " + title + " ──")
	if about != "" {
		w.line("; " + about + ".")
	}
}

// noted writes the description of a family once.
func (w *smt) noted(before *string, family, prefix string) {
	if family == *before {
		return
	}
	if text := w.program.notes[prefix+family]; text != "" {
		if *before != "" {
			w.line("")
		}
		w.line("; " + text + ".")
	}
	*before = family
}

func (w *smt) declare() {
	before := ""
	for _, v := range w.program.Variables {
		w.noted(&before, family(v.Name), "")
		w.WriteString("(declare-const " + v.Name + " " + w.sort(v) + ")")
		switch {
		case w.sort(v) == "Bool":
		case v.Kind == Binary:
			w.WriteString(" (assert (<= 0 " + v.Name + " 1))")
		default:
			w.WriteString(" (assert (>= " + v.Name + " " + w.number(IntegerNumber(0)) + "))")
		}
		w.line("")
	}
}

func (w *smt) sort(v Variable) string {
	switch {
	case v.Kind == Real:
		return "Real"
	case v.Kind == Binary && w.real:
		return "Bool"
	}
	return "Int"
}

func (w *smt) constraints(list []Constraint) {
	before := ""
	for _, c := range list {
		if strings.HasPrefix(c.Name, Asked) && before != "query" {
			w.section("Constraints of the query", "")
			for _, wish := range w.program.Wishes {
				w.line("; " + wish + ".")
			}
			before = "query"
		} else {
			w.noted(&before, family(c.Name), "")
		}
		text := w.constraint(c)
		if len(text) > 100 {
			text += "\n  "
		}
		w.line("(assert (! " + text + " :named " + c.Name + "))")
	}
}

// minimize writes the cost, a paragraph per family. The cost is defined in an unnamed
// assertion because Z3 expands an API's functions there; within minimize they make it five
// times slower.
func (w *smt) minimize(cost []Term) {
	if len(cost) == 1 && cost[0].Times == IntegerNumber(1) {
		w.line("(minimize " + w.name(cost[0]) + ")")
		return
	}
	sort := "Int"
	if w.real {
		sort = "Real"
	}
	w.line("(declare-const " + Total + " " + sort + ")")
	w.line("(assert (= " + Total + " (+")
	before := ""
	for _, group := range w.groups(cost) {
		if f := family(w.program.Variables[group[0].Variable].Name); f != before {
			if text := w.program.notes["cost "+f]; text != "" {
				w.line("  ; " + text)
			}
			before = f
		}
		w.line("  " + strings.Join(w.parts(group), " "))
	}
	w.line(")))")
	w.line("(minimize " + Total + ")")
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

// name returns a variable as a number.
func (w *smt) name(t Term) string {
	v := w.program.Variables[t.Variable]
	if v.Kind == Integer && w.real {
		return "(to_real " + v.Name + ")"
	}
	return v.Name
}

func (w *smt) term(t Term) string {
	v := w.program.Variables[t.Variable]
	switch {
	case v.Kind == Binary && w.real:
		return "(ite " + v.Name + " " + w.number(t.Times) + " " + w.number(IntegerNumber(0)) + ")"
	case t.Call != "":
		return "(* " + t.Call + " " + w.name(t) + ")"
	case t.Times != IntegerNumber(1):
		return "(* " + w.number(t.Times) + " " + w.name(t) + ")"
	}
	return w.name(t)
}

// maxRow is the number of terms per line.
const maxRow = 6

// groups splits a sum into groups of at most maxRow consecutive terms whose names differ only in
// the last word.
func (w *smt) groups(sum []Term) [][]Term {
	var out [][]Term
	before := ""
	for _, t := range sum {
		name := w.program.Variables[t.Variable].Name
		stem := name[:max(strings.LastIndexByte(name, '.'), 0)]
		if n := len(out); n > 0 && stem == before && len(out[n-1]) < maxRow {
			out[n-1] = append(out[n-1], t)
		} else {
			out = append(out, []Term{t})
		}
		before = stem
	}
	return out
}

// parts returns the terms of a group with the common factor written once.
func (w *smt) parts(group []Term) []string {
	var out, names []string
	same := len(group) > 1 && group[0].Times != IntegerNumber(1)
	for _, t := range group {
		v := w.program.Variables[t.Variable]
		same = same && t.Times == group[0].Times && t.Call == "" && (v.Kind != Binary || !w.real)
		out, names = append(out, w.term(t)), append(names, w.name(t))
	}
	if same {
		return []string{"(* " + w.number(group[0].Times) + " (+ " + strings.Join(names, " ") + "))"}
	}
	return out
}

func (w *smt) sum(sum []Term) string {
	var lines []string
	count := 0
	for _, group := range w.groups(sum) {
		parts := w.parts(group)
		count += len(parts)
		lines = append(lines, strings.Join(parts, " "))
	}
	switch {
	case count == 0:
		return w.number(IntegerNumber(0))
	case count == 1:
		return lines[0]
	}
	text := "(+ " + strings.Join(lines, " ") + ")"
	if len(text) > 100 && len(lines) > 1 {
		text = "(+ " + strings.Join(lines, "\n     ") + ")"
	}
	return text
}

// constraint writes a constraint. Negative terms move to the other side if that is empty.
func (w *smt) constraint(c Constraint) string {
	if len(c.Sum) == 0 {
		return "(" + string(c.Sense) + " " + w.number(IntegerNumber(0)) + " " + w.number(c.Bound) + ")"
	}
	if v := w.program.Variables[c.Sum[0].Variable]; len(c.Sum) == 1 && w.sort(v) == "Bool" && c.Sense == Exactly && c.Sum[0].Times == IntegerNumber(1) {
		switch c.Bound {
		case IntegerNumber(0):
			return "(not " + v.Name + ")"
		case IntegerNumber(1):
			return v.Name
		}
	}
	var left, right []Term
	for _, t := range c.Sum {
		if c.Bound.digits == 0 && t.Times.digits < 0 {
			t.Times = t.Times.Negative()
			right = append(right, t)
		} else {
			left = append(left, t)
		}
	}
	if len(left) == 0 || len(right) == 0 {
		return "(" + string(c.Sense) + " " + w.sum(c.Sum) + " " + w.number(c.Bound) + ")"
	}
	return "(" + string(c.Sense) + " " + w.sum(left) + " " + w.sum(right) + ")"
}
