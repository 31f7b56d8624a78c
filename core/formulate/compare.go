package formulate

import (
	"strings"

	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

// isQuery reports whether the name of a part marks it as a constraint of the query.
func isQuery(name string) bool {
	rest, ok := strings.CutPrefix(name, queryMark)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '_')
}

// compare compares the plan with the one without the query's constraints.
func (r *run) compare(text string, attempt int) error {
	s := &r.solved
	whole := solve.Outlined(r.solver(), source.NewFile(modelFile(r.notation), text))
	var added []solve.Part
	for _, p := range whole.Parts {
		if isQuery(p.Name) {
			added = append(added, p)
		}
	}
	if len(added) == 0 || !s.planned() && s.status != StatusInfeasible {
		return nil
	}
	bare := solve.Without(text, added)
	base, err := r.question("base", bare, attempt, 0)
	if err != nil {
		return err
	}
	out := outcomeOf(base)
	s.base = &Comparison{Objective: out.objective, Changed: []Change{}}
	s.base.Status, _ = statusOf(base)
	if s.base.Status != StatusSolved && s.base.Status != StatusFeasible {
		return nil
	}
	s.without = base.Model
	before := map[string]string{}
	for _, v := range base.Model {
		before[v.Name] = v.Value
	}
	for _, v := range s.outcome.model {
		if was, ok := before[v.Name]; ok && was != v.Value && len(s.base.Changed) < maxReported {
			s.base.Changed = append(s.base.Changed, Change{v.Name, was, v.Value})
		}
	}
	return nil
}

// examineDirection reports a why or why-not question whose constraints the base plan already
// satisfies. Then either the direction of the constraints is wrong, or the question is about a
// property that the plan does not have (Hao et al. 2024, §A.4.3). Only a reader can
// distinguish these cases, so the finding is never certain. It is omitted if there are certain
// mistakes.
func (r *run) examineDirection(text string, attempt int) error {
	s := &r.solved
	if r.ask != AskWhy && r.ask != AskWhyNot || s.without == nil {
		return nil
	}
	for _, f := range r.openFindings() {
		if f.Certain {
			return nil
		}
	}
	fixed, err := r.question("direction", r.fixed(text, s.without), attempt, 0)
	if err != nil || fixed.Status != solve.StatusSat {
		return err
	}
	act := "forbid"
	if r.ask == AskWhyNot {
		act = "force"
	}
	line := 0
	for _, p := range s.outline.Parts {
		if isQuery(p.Name) && line == 0 {
			line = 1 + strings.Count(r.model[:p.Span.Start], "\n")
		}
	}
	r.find(Finding{Mistake: MistakeDirection, Stage: StageGenerator, File: modelFile(r.notation), Line: line,
		Message: "the plan already satisfies the question's constraints: a \"" + strings.ReplaceAll(r.ask, "-", " ") + "\" question must " + act + " the property that it asks about; ignore this if the plan lacks that property"})
	return nil
}

// fixed returns a text with the variables fixed to the values of another solution.
func (r *run) fixed(text string, model []solve.Value) string {
	var b strings.Builder
	if r.notation == NotationLP {
		at := rowsEnd(text)
		b.WriteString(text[:at] + "Bounds\n")
		for _, v := range model {
			b.WriteString(" " + v.Name + " = " + v.Value + "\n")
		}
		return b.String() + text[at:]
	}
	end := solve.Outlined(solve.Z3, source.NewFile(FileSMT, text)).End
	b.WriteString(text[:end] + "\n")
	for _, v := range model {
		if value, ok := literal(v); ok {
			b.WriteString("(assert (= " + quoted(v.Name) + " " + value + "))\n")
		}
	}
	return b.String() + text[end:]
}

// rowsEnd returns the position of the first section of an LP that follows the constraints,
// and the length of the text if there is none.
func rowsEnd(text string) int {
	at := len(text)
	for _, word := range []string{"\nbounds", "\ngeneral", "\nbinary", "\ninteger", "\nend"} {
		if i := strings.Index(strings.ToLower(text), word); i >= 0 {
			at = min(at, i+1)
		}
	}
	return at
}

// literal formats a value in SMT-LIB.
func literal(v solve.Value) (string, bool) {
	if len(v.Params) > 0 || v.Sort != "Int" && v.Sort != "Real" && v.Sort != "Bool" || strings.Contains(v.Value, "∞") {
		return "", false
	}
	text, negative := strings.CutPrefix(v.Value, "-")
	if over, under, ok := strings.Cut(text, "/"); ok {
		text = "(/ " + over + ".0 " + under + ".0)"
	} else if v.Sort == "Real" && !strings.Contains(text, ".") {
		text += ".0"
	}
	if negative {
		text = "(- " + text + ")"
	}
	return text, true
}

// quoted formats a name in SMT-LIB.
func quoted(name string) string {
	for _, c := range name {
		if c < 0x80 && (c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.ContainsRune("~!@$%^&*_-+=<>.?/", c)) {
			continue
		}
		return "|" + name + "|"
	}
	return name
}
