package team

import (
	"github.com/stile-playground/stile/core/source"
)

// Limits of an expression. They bound what reading and evaluating one may take, so
// that a check is always decided.
const (
	MaxExpression = 4_000   // bytes
	maxNodes      = 1_000   // of the tree
	maxNesting    = 100     // of parentheses, lists and calls
	maxWork       = 200_000 // evaluations of a node
)

// Expression is a condition over structured results, in this notation:
//
//	or      = and { "or" and }
//	and     = not { "and" not }
//	not     = "not" not | compare
//	compare = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" ) sum ]
//	sum     = product { ( "+" | "-" ) product }
//	product = negated { ( "*" | "/" ) negated }
//	negated = "-" negated | path
//	path    = primary { "." name | "[" or "]" }
//	primary = number | text | "true" | "false" | "null" | name
//	        | "(" or ")" | "[" [ or { "," or } ] "]"
//	        | name "(" or [ "," ( or | name ":" or ) ] ")"
//
// A text stands in single or double quotes; within them a backslash takes the meaning
// of the next character away. Numbers are exact: decimals, and their fractions. A name
// is a value of the scope:
//
//	local    result   what the sub-task gave, as JSON
//	         text     the same as it was written
//	         given    what it was given: [{"id", "executor", "task", "result", "text"}, …]
//	global   results  what all sub-tasks gave, in the same form
//	         answer   what the deliverer gave, as JSON
//	         text     the same as it was written
//
// or the variable of a function around it, as in sum(results, r: r.result.price). The
// functions are in a table of their own (see functions).
//
// What is not there is nothing that can be compared or counted: a path that leads
// nowhere is a fault, which breaks the check and says where it ended; has(path) asks
// whether it is there. "and" and "or" look at their right side only where the left
// one does not decide.
type Expression struct {
	root *node
}

// kind says what a node is.
type kind uint8

const (
	kindLiteral kind = iota // value
	kindName                // name
	kindMember              // of[0].name
	kindIndex               // of[0][of[1]]
	kindNot                 // not of[0]
	kindNegate              // -of[0]
	kindBinary              // of[0] name of[1]
	kindList                // [of…]
	kindCall                // name(of[0]), name(of[0], of[1]) or name(of[0], variable: of[1])
)

// node is a part of an expression.
type node struct {
	kind     kind
	name     string
	variable string
	value    Value
	of       []*node
	span     source.Span
}

// Binding strengths, the loosest first.
const (
	bindOr = iota + 1
	bindAnd
	bindNot
	bindCompare
	bindSum
	bindProduct
	bindNegate
	bindPath
)

// binary lists the operators between two operands.
var binary = map[string]int{
	"or": bindOr, "and": bindAnd,
	"==": bindCompare, "!=": bindCompare, "<": bindCompare, "<=": bindCompare, ">": bindCompare, ">=": bindCompare, "in": bindCompare,
	"+": bindSum, "-": bindSum, "*": bindProduct, "/": bindProduct,
}

// binding is how strongly a node binds.
func (n *node) binding() int {
	switch n.kind {
	case kindBinary:
		return binary[n.name]
	case kindNot:
		return bindNot
	case kindNegate:
		return bindNegate
	}
	return bindPath
}

// function is what can be called.
type function struct {
	name     string
	least    int   // arguments
	most     int   //
	variable byte  // 'n': takes none; 'o': may take one; 'y': needs one
	first    types // of the first argument
	second   types // of the second, or of what stands behind the variable
	gives    types
	text     string // what it gives, for people
}

// functions are all that can be called.
var functions = []function{
	{"all", 2, 2, 'y', typeList, typeTruth, typeTruth, "whether the condition holds for every item"},
	{"any", 2, 2, 'y', typeList, typeTruth, typeTruth, "whether the condition holds for some item"},
	{"count", 2, 2, 'y', typeList, typeTruth, typeNumber, "for how many items the condition holds"},
	{"sum", 1, 2, 'o', typeList, typeNumber, typeNumber, "the sum of the items, or of what is said of each"},
	{"min", 1, 2, 'o', typeList, typeNumber, typeNumber, "the smallest; of no items there is none"},
	{"max", 1, 2, 'o', typeList, typeNumber, typeNumber, "the largest; of no items there is none"},
	{"distinct", 1, 2, 'o', typeList, typeAny, typeTruth, "whether no two items, or what is said of them, are the same"},
	{"length", 1, 1, 'n', typeList | typeText | typeObject, 0, typeNumber, "how many items, characters or members there are"},
	{"contains", 2, 2, 'n', typeList | typeText, typeAny, typeTruth, "whether the item is in the list, or the text in the text, whatever its case"},
	{"has", 1, 1, 'n', typeAny, 0, typeTruth, "whether the path leads to something that is not null"},
	{"number", 1, 1, 'n', typeText | typeNumber, 0, typeNumber, "the one number in a text, as in “$1,250.00 a night”"},
	{"abs", 1, 1, 'n', typeNumber, 0, typeNumber, "the number without its sign"},
	{"lower", 1, 1, 'n', typeText, 0, typeText, "the text in small letters"},
	{"of", 1, 1, 'n', typeText, 0, typeList, "those of the results that are an executor's; only beside :global"},
}

func functionOf(name string) *function {
	for i := range functions {
		if functions[i].name == name {
			return &functions[i]
		}
	}
	return nil
}

func functionNames() []string {
	out := make([]string, len(functions))
	for i, f := range functions {
		out[i] = f.name
	}
	return out
}

// Function says what a function of expressions is.
type Function struct {
	Form string
	Text string
}

// Functions returns what can be called in an expression, for people.
func Functions() []Function {
	out := make([]Function, len(functions))
	for i, f := range functions {
		form := "list"
		switch {
		case f.variable == 'y':
			form = "list, x: condition"
		case f.variable == 'o' && f.second == typeAny:
			form = "list, x: value"
		case f.variable == 'o':
			form = "list, x: number"
		case f.name == "has":
			form = "path"
		case f.name == "contains":
			form = "list, item"
		case f.name == "of":
			form = "'executor'"
		case f.first&typeList != 0:
		case f.first&typeText != 0:
			form = "text"
		default:
			form = "number"
		}
		out[i] = Function{Form: f.name + "(" + form + ")", Text: f.text}
	}
	return out
}

// eachName visits the names that are values of the scope, and not variables.
func (n *node) eachName(bound []string, visit func(*node)) {
	if n == nil {
		return
	}
	if n.kind == kindName {
		for _, b := range bound {
			if b == n.name {
				return
			}
		}
		visit(n)
		return
	}
	for i, child := range n.of {
		inner := bound
		if n.kind == kindCall && i == 1 && n.variable != "" {
			inner = append(append([]string{}, bound...), n.variable)
		}
		child.eachName(inner, visit)
	}
}

// Delivery reports whether an expression speaks of what is delivered.
func (e *Expression) Delivery() bool {
	found := false
	e.root.eachName(nil, func(n *node) { found = found || n.name == "answer" || n.name == "text" })
	return found
}

// executors says which executors an expression speaks of that there are not.
func (e *Expression) executors(names []string) []source.Diagnostic {
	var found []source.Diagnostic
	e.root.each(func(n *node) {
		if n.kind != kindCall || n.name != "of" || n.of[0].kind != kindLiteral {
			return
		}
		name := n.of[0].value.Text
		for _, known := range names {
			if known == name {
				return
			}
		}
		d := source.Diagnostic{Code: "team.executor", Span: n.of[0].span, Message: "there is no executor " + quoteText(name)}
		if near := source.Nearest(name, names); near != "" {
			d.Message += "; did you mean " + quoteText(near) + "?"
			d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: n.of[0].span, Text: quoteText(near)}}}}
		}
		found = append(found, d)
	})
	return found
}

// each visits every node.
func (n *node) each(visit func(*node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, child := range n.of {
		child.each(visit)
	}
}
