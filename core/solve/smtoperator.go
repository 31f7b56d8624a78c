package solve

import (
	"sort"
	"strconv"
	"strings"
)

// shape is the way an operator is applied.
type shape uint8

const (
	shapeBool       shape = iota + 1 // arguments and result Bool
	shapeEqual                       // arguments of one sort, result Bool
	shapeCompare                     // numbers, result Bool
	shapeArithmetic                  // numbers, result Int if all are, else Real
	shapeReal                        // numbers, result Real
	shapeInt                         // Int, result Int
	shapeBits                        // bits of one width, result the same
	shapeBitsBool                    // bits of one width, result Bool
	shapeSpecific                    // see apply
	shapeVague                       // of a theory that is not checked: the result's sort is unknown
)

// operator is a predefined function. Most -1 is any number of arguments.
type operator struct {
	shape       shape
	least, most int
}

var operators = map[string]operator{
	"true": {shapeBool, 0, 0}, "false": {shapeBool, 0, 0}, "not": {shapeBool, 1, 1}, "and": {shapeBool, 1, -1}, "or": {shapeBool, 1, -1},
	"xor": {shapeBool, 2, -1}, "=>": {shapeBool, 2, -1}, "=": {shapeEqual, 2, -1}, "distinct": {shapeEqual, 2, -1}, "ite": {shapeSpecific, 3, 3},
	"+": {shapeArithmetic, 1, -1}, "-": {shapeArithmetic, 1, -1}, "*": {shapeArithmetic, 1, -1}, "^": {shapeArithmetic, 2, 2}, "abs": {shapeArithmetic, 1, 1},
	"/": {shapeReal, 2, -1}, "div": {shapeInt, 2, -1}, "mod": {shapeInt, 2, 2}, "rem": {shapeInt, 2, 2},
	"<": {shapeCompare, 2, -1}, "<=": {shapeCompare, 2, -1}, ">": {shapeCompare, 2, -1}, ">=": {shapeCompare, 2, -1},
	"to_real": {shapeReal, 1, 1}, "to_int": {shapeSpecific, 1, 1}, "is_int": {shapeCompare, 1, 1},
	"select": {shapeSpecific, 2, -1}, "store": {shapeSpecific, 3, -1}, "concat": {shapeSpecific, 2, -1}, "bvcomp": {shapeSpecific, 2, 2},
	"bv2nat": {shapeSpecific, 1, 1}, "bv2int": {shapeSpecific, 1, 1}, "ubv_to_int": {shapeSpecific, 1, 1}, "sbv_to_int": {shapeSpecific, 1, 1}, "str.len": {shapeSpecific, 1, 1},
	"bvneg": {shapeBits, 1, 1}, "bvnot": {shapeBits, 1, 1},
	"bvand": {shapeBits, 2, -1}, "bvor": {shapeBits, 2, -1}, "bvxor": {shapeBits, 2, -1}, "bvnand": {shapeBits, 2, -1}, "bvnor": {shapeBits, 2, -1}, "bvxnor": {shapeBits, 2, -1},
	"bvadd": {shapeBits, 2, -1}, "bvmul": {shapeBits, 2, -1}, "bvsub": {shapeBits, 2, -1}, "bvudiv": {shapeBits, 2, -1}, "bvurem": {shapeBits, 2, -1},
	"bvsdiv": {shapeBits, 2, -1}, "bvsrem": {shapeBits, 2, -1}, "bvsmod": {shapeBits, 2, -1}, "bvshl": {shapeBits, 2, -1}, "bvlshr": {shapeBits, 2, -1}, "bvashr": {shapeBits, 2, -1},
	"bvult": {shapeBitsBool, 2, 2}, "bvule": {shapeBitsBool, 2, 2}, "bvugt": {shapeBitsBool, 2, 2}, "bvuge": {shapeBitsBool, 2, 2},
	"bvslt": {shapeBitsBool, 2, 2}, "bvsle": {shapeBitsBool, 2, 2}, "bvsgt": {shapeBitsBool, 2, 2}, "bvsge": {shapeBitsBool, 2, 2},
}

// indexed maps each indexed operator, such as (_ extract 7 0), to its number of indices;
// -1 means any number.
var indexed = map[string]int{
	"extract": 2, "zero_extend": 1, "sign_extend": 1, "rotate_left": 1, "rotate_right": 1, "repeat": 1, "int2bv": 1, "int_to_bv": 1, "divisible": 1,
	"at-most": 1, "at-least": 1, "pble": -1, "pbge": -1, "pbeq": -1, "is": 1, "to_fp": 2, "char": 1,
}

// vagueTheory reports whether a name belongs to a theory whose terms are not checked:
// strings, sequences, sets and floating-point numbers.
func vagueTheory(name string) bool {
	for _, beginning := range []string{"str.", "seq.", "re.", "fp.", "set.", "int.to.", "char."} {
		if strings.HasPrefix(name, beginning) {
			return true
		}
	}
	switch name {
	case "RNE", "RNA", "RTP", "RTN", "RTZ", "roundNearestTiesToEven", "fp", "map", "union", "intersection", "subset", "implies", "iff", "if", "array-ext":
		return true
	}
	return false
}

// connective reports whether an operator maps propositions to propositions in a text
// whose terms all have the sort Bool.
func connective(name string) bool {
	switch name {
	case "true", "false", "not", "and", "or", "=>", "=", "ite", "xor":
		return true
	}
	return false
}

func isOperator(name string) bool {
	_, ok := operators[name]
	return ok || name == "let" || name == "forall" || name == "exists" || name == "!" || name == "_" || name == "as" || name == "match"
}

// vague returns the sort of a term of an unchecked theory, if its name determines it.
func (c *smtChecker) vague(name string) string {
	switch name {
	case "str.<", "str.<=", "str.prefixof", "str.suffixof", "str.contains", "str.in_re", "str.in.re", "str.is_digit", "fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq", "fp.isNaN", "implies", "iff":
		return "Bool"
	case "str.to_int", "str.to.int", "str.indexof", "str.to_code", "seq.len":
		return "Int"
	case "str.++", "str.at", "str.substr", "str.replace", "str.replace_all", "str.from_int", "str.from_code":
		return "String"
	}
	return ""
}

// result returns the sort of an operator's result if it does not depend on the arguments.
func (o operator) result() string {
	switch o.shape {
	case shapeBool, shapeEqual, shapeCompare, shapeBitsBool:
		return "Bool"
	case shapeReal:
		return "Real"
	case shapeInt:
		return "Int"
	}
	return ""
}

func (c *smtChecker) operate(name *term, op operator, args []term, sorts []string) string {
	where := "in (" + name.text + " …)"
	switch op.shape {
	case shapeBool:
		for i := range args {
			c.fits(&args[i], sorts[i], "Bool", where)
		}
	case shapeEqual:
		c.alike(name, args, sorts)
	case shapeCompare, shapeArithmetic, shapeReal:
		whole := true
		for i := range args {
			if sorts[i] != "" && !numeric(sorts[i]) {
				c.fits(&args[i], sorts[i], "Int", where)
			}
			whole = whole && sorts[i] == "Int"
		}
		if op.shape == shapeArithmetic {
			if whole {
				return "Int"
			}
			for _, s := range sorts {
				if s == "" {
					return ""
				}
			}
			return "Real"
		}
	case shapeInt:
		for i := range args {
			c.fits(&args[i], sorts[i], "Int", where)
		}
	case shapeBits, shapeBitsBool:
		return c.bitwise(name, op, args, sorts)
	case shapeSpecific:
		return c.specific(name, args, sorts)
	}
	return op.result()
}

// alike reports arguments of different sorts.
func (c *smtChecker) alike(name *term, args []term, sorts []string) {
	first := -1
	for i, s := range sorts {
		switch {
		case s == "":
		case first < 0:
			first = i
		case s != sorts[first] && !(numeric(s) && numeric(sorts[first])):
			hint := ""
			if numeric(s) && sorts[first] == "Bool" || s == "Bool" && numeric(sorts[first]) {
				hint = "; convert a Bool with (ite … 1 0)"
			}
			c.found.report(args[i].blame(), "smt.mismatch", "(%s …) needs arguments of one sort, got sort %s after sort %s%s", name.text, s, sorts[first], hint)
			return
		}
	}
}

func (c *smtChecker) bitwise(name *term, op operator, args []term, sorts []string) string {
	common := ""
	for i, s := range sorts {
		switch {
		case s == "":
		case width(s) == 0:
			c.found.report(args[i].blame(), "smt.mismatch", "(%s …) needs a bit vector, got sort %s", name.text, s)
		case common == "":
			common = s
		case s != common:
			c.found.report(args[i].blame(), "smt.mismatch", "(%s …) needs bit vectors of one width, got width %d after width %d", name.text, width(s), width(common))
		}
	}
	if op.shape == shapeBitsBool {
		return "Bool"
	}
	return common
}

// specific returns the sort of an operator with a specific rule.
func (c *smtChecker) specific(name *term, args []term, sorts []string) string {
	switch name.text {
	case "ite":
		c.fits(&args[0], sorts[0], "Bool", "first in (ite …)")
		c.alike(name, args[1:], sorts[1:])
		if sorts[1] == "Int" && sorts[2] == "Real" || sorts[1] == "" {
			return sorts[2]
		}
		return sorts[1]
	case "to_int":
		c.fits(&args[0], sorts[0], "Real", "in (to_int …)")
		return "Int"
	case "select", "store":
		parts := c.parts[sorts[0]]
		if sorts[0] == "" {
			return ""
		}
		if !strings.HasPrefix(sorts[0], "(Array ") {
			c.found.report(args[0].blame(), "smt.mismatch", "(%s …) needs an array, got sort %s", name.text, sorts[0])
			return ""
		}
		wanted := len(parts)
		if name.text == "store" {
			wanted++
		}
		if !c.takes(name.span, name.text+" of this array", args, wanted, wanted) {
			return ""
		}
		for i := 1; i < len(args); i++ {
			c.fits(&args[i], sorts[i], parts[i-1], "in ("+name.text+" …)")
		}
		if name.text == "store" {
			return sorts[0]
		}
		return parts[len(parts)-1]
	case "concat":
		n := 0
		for _, s := range sorts {
			if width(s) == 0 {
				return ""
			}
			n += width(s)
		}
		return bits(n)
	case "bvcomp":
		return bits(1)
	}
	return "Int" // bv2nat, str.len and others
}

// index returns the sort of (_ name numbers…), applied to arguments.
func (c *smtChecker) index(t *term, args []term) string {
	sorts := c.sortsOf(args)
	if len(t.items) < 3 || t.items[1].kind != termSymbol {
		c.found.report(t.span, "smt.form", "expected a name and numbers, as in (_ bv5 8)")
		return ""
	}
	name, numbers := &t.items[1], t.items[2:]
	if value, ok := strings.CutPrefix(name.text, "bv"); ok && only(value, digits) && value != "" {
		n, _ := strconv.Atoi(numbers[0].text)
		return bits(max(n, 1))
	}
	if !c.indices(name, numbers) {
		return ""
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(numbers[i].text)
		return n
	}
	of := 0
	if len(sorts) > 0 {
		of = width(sorts[0])
	}
	switch name.text {
	case "extract":
		return c.extract(name, of, number(0), number(1))
	case "zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat":
		if of > 0 {
			return resized(name.text, of, number(0))
		}
	case "int2bv", "int_to_bv":
		return bits(max(number(0), 1))
	case "divisible":
		return "Bool"
	case "at-most", "at-least", "pble", "pbge", "pbeq":
		for i := range args {
			c.fits(&args[i], sorts[i], "Bool", "in (_ "+name.text+" …)")
		}
		return "Bool"
	case "is":
		if f, ok := c.funs[numbers[0].text]; !ok || !f.made {
			c.found.add(numbers[0].unknown("smt.undeclared", "constructor", nil))
		}
		return "Bool"
	}
	return ""
}

// indices reports whether (_ name numbers…) is a known operator with the right number of
// indices. It reports an unknown name or a wrong number as a fault.
func (c *smtChecker) indices(name *term, numbers []term) bool {
	count, ok := indexed[name.text]
	switch {
	case ok && count >= 0 && len(numbers) != count:
		c.found.report(name.span, "smt.arity", "(_ %s …) takes %d numbers, got %d", name.text, count, len(numbers))
		return false
	case ok:
		return true
	}
	switch name.text {
	case "as-array", "+oo", "-oo", "NaN":
		return false
	}
	if !vagueTheory(name.text) {
		var candidates []string
		for n := range indexed {
			candidates = append(candidates, n)
		}
		sort.Strings(candidates)
		c.found.add(name.unknown("smt.undeclared", "function with numbers", candidates))
	}
	return false
}

// extract returns the sort of the bits from index from down to index to of a bit vector.
// Width 0 means that the width of the bit vector is unknown.
func (c *smtChecker) extract(name *term, width, from, to int) string {
	if width > 0 && (from >= width || to > from) {
		c.found.report(name.span, "smt.mismatch", "(_ extract %[2]d %[3]d) is out of the range of %[1]d bits", width, from, to)
		return ""
	}
	return bits(from - to + 1)
}

// resized returns the sort of the result of an operator that extends, repeats or rotates a
// bit vector of the given width.
func resized(operator string, width, n int) string {
	switch operator {
	case "zero_extend", "sign_extend":
		return bits(width + n)
	case "repeat":
		return bits(width * n)
	}
	return bits(width)
}
