package formulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
)

// Named is a mistake with its description.
type Named struct{ Name, Text string }

// Mistakes returns the mistakes that a simulated model can make.
func Mistakes() []Named {
	return []Named{
		{MistakeSyntax, "the solver cannot read the text"},
		{MistakeImplicit, "an implicit constraint is missing: nothing connects the variables of one kind with the others"},
		{MistakeNegative, "quantities may be negative"},
		{MistakeOverwritten, "given definitions are redefined, or replaced by made-up numbers"},
		{MistakeHorizon, "the search covers the wrong numbers of steps"},
		{MistakeDirection, "a why question forces the behaviour instead of forbidding it"},
		{MistakeQuery, "the question adds no constraint"},
		{MistakeObjective, "the objective is missing"},
		{MistakeFigures, "the figures of the answer differ from the solution's"},
	}
}

// examine looks for mistakes in a model's text and its solution.
func (r *run) examine() {
	r.examineObjective()
	r.examineQuery()
	r.examineConstraints()
	r.examineData()
	r.examineNegative()
	r.examineTies()
	r.examineGround()
}

// examineGround reports a contradiction that says nothing about the problem: one among constraints
// without any variable, such as (assert false), or in a text that uses none of the given data. The solver
// proves it, but not that the problem has no plan.
func (r *run) examineGround() {
	if r.settings.Wording == "" || r.solved.status != StatusInfeasible || r.steps() || r.solved.result == nil {
		return
	}
	f := Finding{Mistake: MistakeGroundless, Stage: StageGenerator, Certain: true, File: modelFile(r.notation)}
	invented := slices.ContainsFunc(r.found, func(found Finding) bool { return found.Mistake == MistakeOverwritten && found.Certain })
	grounds := 0
	for i, p := range r.solved.outline.Parts {
		if !p.Objective() && len(p.Variables) > 0 && r.contradicts(i) {
			grounds++
		}
	}
	switch {
	case invented:
		f.Message = "the text excludes every plan, and it does not use the given data"
	case grounds == 0:
		f.Message = "the constraints that contradict each other have no variable, so they exclude every plan of any problem"
	default:
		return
	}
	r.find(f)
}

// contradicts reports whether a part of the text is among the constraints that contradict each other, or
// that may, if the solver names none.
func (r *run) contradicts(i int) bool {
	core, p := r.solved.result.Core, r.solved.outline.Parts[i]
	line := fmt.Sprintf("line %d", 1+strings.Count(r.model[:min(int(p.Span.Start), len(r.model))], "\n"))
	return len(core) == 0 || slices.ContainsFunc(core, func(n solve.Named) bool {
		return p.Name != "" && n.Name == p.Name || p.Name == "" && (n.Name == line || strings.HasPrefix(n.Name, line+" ("))
	})
}

// examineObjective reports a missing objective if the goal asks for an optimum.
func (r *run) examineObjective() {
	for _, p := range r.solved.outline.Parts {
		if p.Objective() {
			return
		}
	}
	goal := strings.ToLower(section(r.goal, "Goal") + " " + r.variables)
	for _, w := range []string{"minimi", "maximi", "least", "lowest", "cheapest", "shortest", "greatest", "fewest", "earliest"} {
		if strings.Contains(goal, w) {
			r.find(Finding{Mistake: MistakeObjective, Stage: StageGenerator, Certain: true, Message: "missing objective: the goal asks for an optimum", File: modelFile(r.notation)})
			return
		}
	}
}

// examineQuery reports a question without a separate constraint.
func (r *run) examineQuery() {
	if r.hasQuery() {
		return
	}
	f := Finding{Mistake: MistakeQuery, Stage: StageGenerator, File: modelFile(r.notation)}
	switch r.ask {
	case AskWhy, AskWhyNot:
		f.Certain = !r.current || r.askBy != AskByPhrases
		f.Message = "the question asks " + strings.ReplaceAll(r.ask, "-", " ") + ", and no constraint is named " + queryMark + ".…, so the question forbids or forces nothing"
	case AskWhatIf:
		f.Message = "no constraint is named " + queryMark + ".…, so the plan cannot be compared with one without the question; if the question changes only numbers, ignore this"
	default:
		return
	}
	r.find(f)
}

// examineData reports a formulation that ignores the given data.
func (r *run) examineData() {
	data, fault := json.Tree(r.p.Data)
	if fault != nil {
		return
	}
	known := map[string]bool{}
	var walk func(n *json.Node)
	walk = func(n *json.Node) {
		if n.Kind == '0' {
			if text := plain(strings.TrimPrefix(n.Text, "-")); text != "0" && text != "1" {
				known[text] = true
			}
		}
		for _, m := range n.Members {
			walk(m.Value)
		}
		for _, item := range n.Items {
			walk(item)
		}
	}
	walk(data)
	if len(known) < 3 {
		return
	}
	used := 0
	for _, n := range r.solved.outline.Numbers {
		if known[plain(n)] {
			used++
		}
	}
	if used >= min(3, len(known)/4+1) {
		return
	}
	if given := r.given(); given != "" {
		theirs := solve.Outlined(solve.Z3, sourceOf(given))
		for _, d := range theirs.Defines {
			for _, u := range r.solved.outline.Uses {
				if u == d.Name {
					return
				}
			}
		}
		if len(theirs.Defines) > 0 {
			r.find(Finding{Mistake: MistakeOverwritten, Stage: StageGenerator, Certain: used == 0, File: modelFile(r.notation),
				Message: "the text uses neither the numbers of " + FileData + " nor " + theirs.Defines[0].Name + ", a given definition"})
			return
		}
	}
	r.find(Finding{Mistake: MistakeOverwritten, Stage: StageGenerator, Certain: used == 0, File: modelFile(r.notation),
		Message: fmt.Sprintf("the text uses %d of the %d numbers in %s", used, len(known), FileData)})
}

// examineNegative reports quantities that are negative for lack of a lower bound.
func (r *run) examineNegative() {
	s := &r.solved
	low := map[string]bool{}
	line := map[string]int{}
	for i, n := range s.outline.Names {
		low[n.Name] = s.outline.Low[i]
		line[n.Name] = 1 + strings.Count(r.model[:min(int(n.Span.Start), len(r.model))], "\n")
	}
	var below []string
	first := 0
	if s.planned() {
		for _, v := range append(s.outcome.model[:len(s.outcome.model):len(s.outcome.model)], s.without...) {
			if bounded, ours := low[v.Name]; ours && !bounded && strings.HasPrefix(v.Value, "-") {
				if below = append(below, v.Name+" is "+v.Value); first == 0 {
					first = line[v.Name]
				}
			}
		}
	} else if s.status == StatusUnbounded {
		for i, n := range s.outline.Names {
			if !low[n.Name] && !s.outline.Aim(i) {
				if below = append(below, n.Name); first == 0 {
					first = line[n.Name]
				}
			}
		}
	}
	if len(below) == 0 {
		return
	}
	rest := ""
	if len(below) > 3 {
		rest = fmt.Sprintf(", and %d more", len(below)-3)
		below = below[:3]
	}
	message := strings.Join(below, ", ") + rest
	if s.status == StatusUnbounded {
		message = "unbounded objective: missing lower bound of " + message
	} else {
		message += ": missing lower bound 0"
	}
	r.find(Finding{Mistake: MistakeNegative, Stage: StageGenerator, Certain: true, Message: message, File: modelFile(r.notation), Line: first})
}

// examineTies reports kinds of variables that no constraint connects, which are separate
// problems. Hao et al. (2024, §3.2) have the Definer go through every pair of variables
// for that.
func (r *run) examineTies() {
	s := &r.solved
	kind := make([]string, len(s.outline.Names))
	parent := map[string]string{}
	var order []string
	for i, n := range s.outline.Names {
		if s.outline.Aim(i) {
			continue
		}
		kind[i] = firstWord(n.Name)
		if _, known := parent[kind[i]]; !known {
			parent[kind[i]] = kind[i]
			order = append(order, kind[i])
		}
	}
	root := func(k string) string {
		for parent[k] != k {
			k = parent[k]
		}
		return k
	}
	for _, p := range s.outline.Parts {
		if p.Objective() || isQuery(p.Name) || s.outline.Aims(p) {
			continue
		}
		first := ""
		for _, v := range p.Variables {
			switch {
			case kind[v] == "":
			case first == "":
				first = kind[v]
			default:
				parent[root(kind[v])] = root(first)
			}
		}
	}
	idle := map[string]bool{}
	for _, k := range order {
		idle[k] = s.planned()
	}
	for _, v := range s.outcome.model {
		if !zero(v.Value) {
			idle[firstWord(v.Name)] = false
		}
	}
	var groups []string // their names
	none := ""
	for i, k := range order {
		if slices.ContainsFunc(order[:i], func(other string) bool { return root(other) == root(k) }) {
			continue
		}
		groups = append(groups, nameOf(order, root, root(k)))
	}
	if len(groups) < 2 {
		return
	}
	for _, k := range order {
		if idle[k] && none == "" {
			none = k
		}
	}
	f := Finding{Mistake: MistakeImplicit, Stage: StageDefiner, Message: "no constraint connects: " + strings.Join(groups[:min(len(groups), 5)], " | ")}
	if none != "" {
		f.Certain = true
		f.Message += "; " + none + " is always 0: the plan does not use it"
	}
	r.find(f)
}

// nameOf returns the names of the kinds in a group.
func nameOf(order []string, root func(string) string, group string) string {
	var names []string
	for _, k := range order {
		if root(k) == group {
			names = append(names, k)
		}
	}
	if len(names) > 3 {
		names = append(names[:3], "…")
	}
	return strings.Join(names, ", ")
}

func firstWord(name string) string {
	if i := strings.IndexAny(name, "._[ ("); i > 0 {
		return name[:i]
	}
	return name
}
