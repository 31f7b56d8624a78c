package explain

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// Rules explains each rule about data without errors in one sentence. "It" is the event that a rule or a
// temporal operator refers to. A variable of a noun, such as "a call of pay with amount ?a", stands for some value
// there, in "every call of pay with amount ?a" for every value.
func Rules(file *source.File) (out []Sentence) {
	for _, r := range rules.Parse(file).Rules {
		if !r.Fault && r.Formula != nil {
			t := ruleText{r, file}
			out = append(out, Sentence{r.Name, sentence(t.rule(r.Formula)), r.Span})
		}
	}
	return out
}

// ruleText writes the parts of a rule.
type ruleText struct {
	of   *rules.Rule
	file *source.File
}

// part is a clause. The parts of a compound clause are separated by commas.
type part struct {
	text     string
	compound bool
}

// inner returns a clause as a part of a longer one.
func (p part) inner() string {
	if p.compound {
		return "(" + p.text + ")"
	}
	return p.text
}

// join writes clauses with a word before the last one.
func join(parts []part, word string) part {
	if len(parts) == 1 {
		return parts[0]
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.inner()
	}
	last := len(texts) - 1
	return part{strings.Join(texts[:last], ", ") + ", " + word + " " + texts[last], true}
}

func (t ruleText) rule(f *rules.Formula) string {
	switch f.Op {
	case rules.OpImplies:
		event := t.noun(f.Kids[0], false)
		if event == "" {
			event = "event at which " + t.clause(f.Kids[0], false).inner()
		}
		that := t.clause(f.Kids[1], false).text
		return determined("every ", event) + ending(f.Kids[0]) + " requires that" + when(strings.HasPrefix(that, "for "), ", ", " ") + that
	case rules.OpNot:
		if event := t.noun(f.Kids[0], false); event != "" {
			return determined("no ", event) + ending(f.Kids[0]) + " may occur"
		}
	}
	return "at every event, " + t.clause(f, false).text
}

// clause explains a formula, or its negation, at the event "it".
func (t ruleText) clause(f *rules.Formula, not bool) part {
	if f.Op == rules.OpNot {
		return t.clause(f.Kids[0], !not)
	}
	if event := t.noun(f, false); event != "" {
		return part{"it is " + when(not, "not ", "") + determined("a ", event), false}
	}
	if some := t.of.Some(f); len(some) > 0 && !t.named(f) {
		return part{"for " + when(not, "no ", "some ") + series(some, "and") + ", " + t.plain(f, false).text, true}
	}
	return t.plain(f, not)
}

// named reports whether the sentence on a temporal formula names its events, so that its variables need no quantifier.
func (t ruleText) named(f *rules.Formula) bool {
	switch f.Op {
	case rules.OpOnce, rules.OpPrevious:
		return t.noun(f.Kids[0], false) != ""
	case rules.OpSince:
		return t.noun(f.Kids[1], false) != "" && t.absent(f.Kids[0]) != ""
	}
	return false
}

// plain explains a formula that is neither an event nor a negation, without the quantifier of its variables.
func (t ruleText) plain(f *rules.Formula, not bool) part {
	switch f.Op {
	case rules.OpCompare:
		return part{t.term(f.Terms[0]) + " " + comparisons[f.Relation][when(not, 1, 0)] + " " + t.term(f.Terms[1]), false}
	case rules.OpOr:
		parts := t.clauses(operandsOf(f), not)
		if not {
			return join(parts, "and")
		}
		return part{"either " + join(parts, "or").text, true}
	case rules.OpImplies:
		if not {
			return join([]part{t.clause(f.Kids[0], false), t.clause(f.Kids[1], true)}, "and")
		}
		return part{"if " + t.clause(f.Kids[0], false).inner() + ", then " + t.clause(f.Kids[1], false).inner(), true}
	case rules.OpOnce:
		if event := t.noun(f.Kids[0], false); event != "" {
			return part{determined(when(not, "no ", "a "), event) + ending(f.Kids[0]) + " occurred " + t.window(f.Window), false}
		}
		return t.at(when(not, "no", "some"), f)
	case rules.OpHistorically:
		if event := t.absent(f.Kids[0]); event != "" {
			return part{determined(when(not, "a ", "no "), event) + ending(f.Kids[0].Kids[0]) + " occurred " + t.window(f.Window), false}
		}
		if !not {
			return t.at("every", f)
		}
	case rules.OpPrevious:
		if event := t.noun(f.Kids[0], false); event != "" && f.Window == nil {
			return part{"the previous event" + when(not, ", if there is one, was not ", " was ") + determined("a ", event), false}
		}
		window := " "
		if f.Window != nil {
			window += t.window(f.Window) + " "
		}
		return part{"there is " + when(not, "no", "a") + " previous event" + window + "at which " + t.clause(f.Kids[0], false).inner(), true}
	case rules.OpSince:
		return t.since(f, not)
	case rules.OpAnd:
		if !not {
			return join(t.clauses(f.Kids, false), "and")
		}
	}
	return part{"it is false that " + part{t.plain(f, false).text, true}.inner(), false}
}

func (t ruleText) clauses(list []*rules.Formula, not bool) (out []part) {
	for _, f := range list {
		out = append(out, t.clause(f, not))
	}
	return out
}

// at explains the operand of a temporal formula at some, every or no event of its window.
func (t ruleText) at(quantifier string, f *rules.Formula) part {
	return part{"at " + quantifier + " event " + t.window(f.Window) + ", " + t.clause(f.Kids[0], false).inner(), true}
}

func (t ruleText) since(f *rules.Formula, not bool) part {
	begin, end := t.noun(f.Kids[1], false), t.absent(f.Kids[0])
	switch {
	case begin != "" && end != "" && not:
		return part{determined("every ", begin) + ending(f.Kids[1]) + " " + t.window(f.Window) + " was followed by " + determined("a ", end), false}
	case not:
		return part{"it is false that (" + t.since(f, false).text + ")", false}
	}
	out := part{"at some event " + t.window(f.Window) + ", " + t.clause(f.Kids[1], false).inner(), true}
	if begin != "" {
		out.text = determined("a ", begin) + ending(f.Kids[1]) + " occurred " + t.window(f.Window)
	}
	if end != "" {
		out.text += ", and " + determined("no ", end) + ending(f.Kids[0].Kids[0]) + " occurred after it"
	} else {
		out.text += ", and at every later event, " + t.clause(f.Kids[0], false).inner()
	}
	return out
}

// absent returns the noun of the events that a negation excludes, or "".
func (t ruleText) absent(f *rules.Formula) string {
	if f.Op != rules.OpNot {
		return ""
	}
	return t.noun(f.Kids[0], false)
}

// noun returns the noun of the events that satisfy a formula, without an article: "call of pay with amount ?a". It
// returns "" for a formula without an atom that each of these events matches.
func (t ruleText) noun(f *rules.Formula, plural bool) string {
	switch f.Op {
	case rules.OpAtom, rules.OpOr:
		return t.events(operandsOf(f), plural)
	case rules.OpAnd:
		i := slices.IndexFunc(f.Kids, func(k *rules.Formula) bool { return t.noun(k, false) != "" })
		if i < 0 {
			return ""
		}
		rest := slices.Delete(slices.Clone(f.Kids), i, i+1)
		word := ", at which "
		if !slices.ContainsFunc(rest, func(k *rules.Formula) bool { return k.Op != rules.OpCompare }) {
			word = ", where "
		}
		return t.noun(f.Kids[i], plural) + word + join(t.clauses(rest, false), "and").text
	}
	return ""
}

// ending returns the comma after the relative clause of a noun.
func ending(f *rules.Formula) string { return when(f.Op == rules.OpAnd, ",", "") }

// operandsOf returns the alternatives of a formula.
func operandsOf(f *rules.Formula) []*rules.Formula {
	if f.Op != rules.OpOr {
		return []*rules.Formula{f}
	}
	return append(operandsOf(f.Kids[0]), operandsOf(f.Kids[1])...)
}

// events returns the noun of the events that match one of the atoms in list, or "" if another formula is in it. Neighbours
// that differ by the name only share the rest.
func (t ruleText) events(list []*rules.Formula, plural bool) string {
	var nouns, names []string
	for i, f := range list {
		if f.Op != rules.OpAtom {
			return ""
		}
		if f.Atom.Any || f.Atom.Kind == "end" {
			names = nil
		} else if f.Atom.Kind == "message" {
			names = append(names, "the "+f.Atom.Name)
		} else {
			names = append(names, word(f.Atom.Name))
		}
		patterns := t.patterns(f.Atom)
		if i+1 < len(list) && names != nil {
			if next := list[i+1]; next.Op == rules.OpAtom && next.Atom.Kind == f.Atom.Kind && !next.Atom.Any && t.patterns(next.Atom) == patterns {
				continue
			}
		}
		noun := f.Atom.Kind + when(plural, "s", "")
		if f.Atom.Kind == "end" {
			noun += " of the run"
		} else if names != nil {
			noun += " of " + series(names, "or")
		}
		nouns, names = append(nouns, noun+patterns), nil
	}
	return strings.Join(nouns, ", or ")
}

func (t ruleText) patterns(a *rules.Atom) string {
	var out []string
	for i := range a.Patterns {
		out = append(out, t.pattern(&a.Patterns[i]))
	}
	if len(out) == 0 {
		return ""
	}
	return " with " + series(out, "and")
}

func (t ruleText) pattern(p *rules.Pattern) string {
	path := make([]string, len(p.Path))
	for i, name := range p.Path {
		path[i] = word(strings.TrimPrefix(name, when(p.Meta, "@", "")))
	}
	field := strings.Join(path, ".")
	var values []string
	for _, v := range p.Values {
		values = append(values, string(v.JSON()))
	}
	value := series(values, "or")
	switch p.Test {
	case "":
		if p.Var == nil {
			return "any " + field
		}
		return field + " ?" + p.Var.Name
	case "~":
		return field + " that matches /" + p.Source + "/"
	case "has":
		return field + " that contains " + value
	case "=", "in":
		return field + " " + value
	case "!=":
		return field + " other than " + value
	}
	return field + " " + strings.TrimPrefix(comparisons[p.Test][0], "is ") + " " + value
}

// comparisons has the predicates of the relations and of their negations.
var comparisons = map[string][2]string{
	"=": {"equals", "does not equal"}, "!=": {"differs from", "does not differ from"},
	"<": {"is less than", "is not less than"}, "<=": {"is at most", "is not at most"},
	">": {"is greater than", "is not greater than"}, ">=": {"is at least", "is not at least"},
}

func (t ruleText) term(m *rules.Term) string {
	switch m.Op {
	case rules.TermVariable:
		return "?" + m.Use.Name
	case rules.TermLiteral:
		return string(m.Value.JSON())
	case rules.TermArithmetic:
		operand := func(m *rules.Term) string { return part{t.term(m), m.Op == rules.TermAggregate}.inner() }
		return operand(m.Kids[0]) + " " + m.Sign + " " + operand(m.Kids[1])
	}
	events := t.noun(m.Operand, true)
	if events == "" {
		events = "events " + t.window(m.Window) + " at which " + t.clause(m.Operand, false).inner()
	} else {
		events += ending(m.Operand) + " " + t.window(m.Window)
	}
	if m.Use == nil {
		return "the number of " + events
	}
	return "the " + aggregates[m.Function] + " ?" + m.Use.Name + " over " + events
}

var aggregates = map[string]string{"count": "number of different values of", "sum": "sum of", "min": "smallest", "max": "largest"}

// window returns the adverbial of the events in a window.
func (t ruleText) window(w *rules.Window) string {
	if w == nil {
		return "so far"
	}
	text := strings.Trim(t.file.Slice(w.Span), "[ ]")
	number, unit := strings.TrimSpace(text[:len(text)-1]), units[text[len(text)-1]]
	if number == "1" {
		return "in the last " + unit
	}
	return "in the last " + number + " " + unit + "s"
}

var units = map[byte]string{'s': "second", 'm': "minute", 'h': "hour", 'd': "day"}

// determined returns a noun with a determiner: "a ", "no " or "every ".
func determined(determiner, noun string) string {
	switch {
	case strings.HasPrefix(noun, "end ") && determiner != "no ":
		return "the " + noun
	case determiner == "a " && noun[0] == 'e':
		return "an " + noun
	}
	return determiner + noun
}

func when[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}
