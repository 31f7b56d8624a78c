package strips

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Op is the operator of a [Condition].
type Op uint8

// The operators of conditions.
const (
	OpAnd     Op = iota // all parts; true without parts
	OpOr                // one of the parts; false without parts
	OpForall            // the part, for all values of the variables
	OpExists            // the part, for some values of the variables
	OpLiteral           // a literal
	OpCompare           // a comparison of numbers
)

// Condition is a condition other than a conjunction of literals, in negation normal form:
// "imply" is read as a disjunction, and "not" is moved into literals and comparisons.
type Condition struct {
	Op          Op
	Parts       []*Condition
	Variables   []Typed // of a quantifier
	Literal     Literal
	Compare     string // <, <=, =, >=, > or !=
	Left, Right *Number
	Span        source.Span
}

// Number is a numeric expression: a function with terms, an operator with parts, or a
// constant.
type Number struct {
	Op       string // +, -, * or /; "" for a function or a constant
	Parts    []*Number
	Function *Atom
	Value    int64 // of a constant, in units of 1/[Unit]
	Span     source.Span
}

// Unit is the denominator of all numbers: they have at most three decimals.
const Unit = 1000

// MaxNumber is the maximum absolute value of a number. An action that exceeds it is not
// executable.
const MaxNumber = 1_000_000_000

// Effect is any effect that is not an unconditional literal. Each effect within a nested
// "forall" or "when" is a separate Effect.
type Effect struct {
	When      []Guard // from the outermost to the innermost
	Variables []Typed // of the quantifiers inside the innermost guard
	Literal   Literal // if Change is ""
	Change    string  // increase, decrease, assign, scale-up or scale-down
	Function  *Atom
	Value     *Number
	Span      source.Span
}

// Guard is a "when" around an effect.
type Guard struct {
	Variables []Typed // of the quantifiers around it and inside the next outer guard
	Condition *Condition
}

// Value is the initial value of a function.
type Value struct {
	Function Atom
	Value    int64 // in units of 1/[Unit]
	Span     source.Span
}

// String formats the condition as PDDL.
func (c *Condition) String() string {
	switch c.Op {
	case OpLiteral:
		return c.Literal.String()
	case OpCompare:
		op, end := "("+c.Compare, ")"
		if c.Compare == "!=" {
			op, end = "(not (=", "))"
		}
		return op + " " + c.Left.String() + " " + c.Right.String() + end
	case OpForall, OpExists:
		op := "(forall ("
		if c.Op == OpExists {
			op = "(exists ("
		}
		return op + typed(c.Variables, "?") + ") " + c.Parts[0].String() + ")"
	}
	words := []string{"(and"}
	if c.Op == OpOr {
		words[0] = "(or"
	}
	for _, part := range c.Parts {
		words = append(words, part.String())
	}
	return strings.Join(words, " ") + ")"
}

// String formats the number as PDDL.
func (n *Number) String() string {
	switch {
	case n.Function != nil:
		return n.Function.String()
	case n.Op == "":
		return Decimal(n.Value)
	}
	words := []string{"(" + n.Op}
	for _, part := range n.Parts {
		words = append(words, part.String())
	}
	return strings.Join(words, " ") + ")"
}

// String formats the effect as PDDL.
func (e *Effect) String() string {
	text := e.Literal.String()
	if e.Change != "" {
		text = "(" + e.Change + " " + e.Function.String() + " " + e.Value.String() + ")"
	}
	text = forall(e.Variables, text)
	for _, g := range slices.Backward(e.When) {
		text = forall(g.Variables, "(when "+g.Condition.String()+" "+text+")")
	}
	return text
}

// forall writes quantifiers around an effect, one for each variable, because an inner variable
// may hide an outer one.
func forall(variables []Typed, effect string) string {
	for _, v := range slices.Backward(variables) {
		effect = "(forall (" + typed([]Typed{v}, "?") + ") " + effect + ")"
	}
	return effect
}

// Decimal formats a number in units of 1/[Unit].
func Decimal(value int64) string {
	sign := ""
	if value < 0 {
		sign, value = "-", -value
	}
	text := strconv.FormatInt(value/Unit, 10)
	if rest := value % Unit; rest > 0 {
		text += "." + strings.TrimRight(strconv.FormatInt(Unit+rest, 10)[1:], "0")
	}
	return sign + text
}

// readDecimal reads a number. fault describes why a word is not a valid number; "" if it
// is.
func readDecimal(word string) (value int64, fault string) {
	digits, negative := strings.CutPrefix(word, "-")
	whole, decimals, point := strings.Cut(digits, ".")
	for _, c := range whole + decimals {
		if c < '0' || c > '9' {
			return 0, "expected a number or (function …)"
		}
	}
	decimals = strings.TrimRight(decimals, "0")
	switch {
	case whole+decimals == "" && (!point || whole == ""):
		return 0, "expected a number or (function …)"
	case len(decimals) > 3:
		return 0, "too many decimals (maximum 3)"
	case len(strings.TrimLeft(whole, "0")) > 9 && whole != strconv.Itoa(MaxNumber):
		return 0, "number out of range (maximum " + strconv.Itoa(MaxNumber) + ")"
	}
	value, _ = strconv.ParseInt(whole+(decimals + "000")[:3], 10, 64)
	if negative {
		value = -value
	}
	return value, ""
}

// split appends the literals of a conjunction to literals and its other parts to others,
// and returns both lists.
func (c *Condition) split(literals []Literal, others []*Condition) ([]Literal, []*Condition) {
	switch {
	case c == nil:
	case c.Op == OpLiteral:
		literals = append(literals, c.Literal)
	case c.Op == OpAnd:
		for _, part := range c.Parts {
			literals, others = part.split(literals, others)
		}
	default:
		others = append(others, c)
	}
	return literals, others
}

// Each calls visit for the literals, and number for the functions, of a condition.
func (c *Condition) Each(visit func(Literal), number func(*Atom)) {
	switch c.Op {
	case OpLiteral:
		visit(c.Literal)
	case OpCompare:
		c.Left.each(number)
		c.Right.each(number)
	}
	for _, part := range c.Parts {
		part.Each(visit, number)
	}
}

func (n *Number) each(visit func(*Atom)) {
	if n.Function != nil {
		visit(n.Function)
	}
	for _, part := range n.Parts {
		part.each(visit)
	}
}

// EachCondition calls visit for the literals of all conditions of the action, and number
// for the functions that it reads.
func (a *Action) EachCondition(visit func(Literal), number func(*Atom)) {
	for _, l := range a.Precondition {
		visit(l)
	}
	for _, c := range a.Conditions {
		c.Each(visit, number)
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		for _, g := range e.When {
			g.Condition.Each(visit, number)
		}
		if e.Value != nil {
			e.Value.each(number)
		}
	}
}

// EachEffect calls visit for the literals of all effects of the action.
func (a *Action) EachEffect(visit func(Literal)) {
	for _, l := range a.Effect {
		visit(l)
	}
	for i := range a.Effects {
		if a.Effects[i].Change == "" {
			visit(a.Effects[i].Literal)
		}
	}
}
