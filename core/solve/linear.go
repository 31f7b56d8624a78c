package solve

// Degrees of terms. Z3's optimizer is exact for linear terms.
const (
	degreeConstant = iota
	degreeLinear
	degreeOther // not linear, or not known to be
)

// grading computes the degree of terms. A definition has a degree for each combination of
// constant arguments, so that a table of costs applied to a number counts as constant.
type grading struct {
	known  map[string]int // by the definition's name and the degrees of its arguments
	locals map[string][]int
	nested int
}

// grade returns the degree of a term. It is [degreeOther] wherever variables are
// multiplied, a variable divides, or a theory is used for which exactness is not known.
func (c *smtChecker) grade(t *term) int {
	if c.err == nil {
		c.err = c.meter.Step(1)
	}
	if c.err != nil {
		return degreeOther
	}
	switch t.kind {
	case termNumeral, termDecimal, termBits:
		return degreeConstant
	case termSymbol:
		return c.gradeCall(t.text, nil)
	case termList:
	default:
		return degreeOther
	}
	if len(t.items) == 0 {
		return degreeOther
	}
	first := &t.items[0]
	switch first.text {
	case "let":
		return c.gradeLet(t)
	case "!":
		if len(t.items) > 1 {
			return c.grade(&t.items[1])
		}
	}
	if first.kind == termList && first.head() != "_" || len(t.items) == 1 {
		return degreeOther
	}
	args := make([]int, len(t.items)-1)
	for i := range args {
		args[i] = c.grade(&t.items[1+i])
	}
	if first.kind == termList {
		switch first.items[min(1, len(first.items)-1)].text {
		case "extract", "zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat", "at-most", "at-least", "pble", "pbge", "pbeq", "divisible":
			return highest(args)
		}
		return degreeOther
	}
	return c.gradeCall(first.text, args)
}

func highest(args []int) int {
	most := degreeConstant
	for _, d := range args {
		most = max(most, d)
	}
	return most
}

func (c *smtChecker) gradeLet(t *term) int {
	if len(t.items) != 3 {
		return degreeOther
	}
	var names []string
	var degrees []int
	for i := range t.items[1].items {
		if b := &t.items[1].items[i]; len(b.items) == 2 {
			names, degrees = append(names, b.items[0].text), append(degrees, c.grade(&b.items[1]))
		}
	}
	for i, n := range names {
		c.grades.locals[n] = append(c.grades.locals[n], degrees[i])
	}
	d := c.grade(&t.items[2])
	for _, n := range names {
		c.grades.locals[n] = c.grades.locals[n][:len(c.grades.locals[n])-1]
	}
	return d
}

// gradeCall returns the degree of a name applied to arguments of the given degrees.
func (c *smtChecker) gradeCall(name string, args []int) int {
	if bound := c.grades.locals[name]; len(bound) > 0 && args == nil {
		return bound[len(bound)-1]
	}
	if def := c.defs[name]; def != nil && len(def.params) == len(args) {
		return c.gradeDefinition(name, def, args)
	}
	if f := c.funs[name]; f != nil {
		if len(args) == 0 && (f.result == "Bool" || numeric(f.result) || width(f.result) > 0) {
			return degreeLinear
		}
		return degreeOther
	}
	if _, named := c.named[name]; named {
		return degreeLinear
	}
	if op, ok := operators[name]; ok {
		return gradeOperator(name, op, args)
	}
	return degreeOther
}

// gradeOperator returns the degree of an operator applied to arguments of the given
// degrees.
func gradeOperator(name string, op operator, args []int) int {
	most := highest(args)
	if most == degreeConstant {
		return most
	}
	switch name {
	case "*":
		return gradeProduct(args)
	case "/", "div", "mod", "rem":
		return max(args[0], 2*highest(args[1:]))
	case "^", "to_int", "is_int":
		return degreeOther
	case "ite", "concat", "bvcomp":
		return most
	}
	if op.shape == shapeSpecific || op.shape == shapeVague {
		return degreeOther
	}
	return most
}

// gradeProduct returns the degree of a product, of which at most one factor may contain
// variables.
func gradeProduct(factors []int) int {
	variables := 0
	for _, d := range factors {
		variables += min(d, 1)
	}
	if variables > 1 {
		return degreeOther
	}
	return highest(factors)
}

func (c *smtChecker) gradeDefinition(name string, def *definition, args []int) int {
	key := name
	for _, d := range args {
		key += string(rune('0' + d))
	}
	if d, ok := c.grades.known[key]; ok {
		return d
	}
	if c.grades.nested++; c.grades.nested > 200 {
		c.grades.nested--
		return degreeOther
	}
	outer := c.grades.locals
	c.grades.locals = map[string][]int{}
	for i, p := range def.params {
		c.grades.locals[p] = []int{args[i]}
	}
	d := c.grade(def.body)
	c.grades.locals = outer
	c.grades.nested--
	c.grades.known[key] = d
	return d
}
