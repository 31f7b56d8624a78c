package team

import (
	"github.com/stile-playground/stile/core/source"
)

// Limits of an expression. They bound the time of parsing and evaluation, so that every
// check is decided.
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
// A text is written in single or double quotes; a backslash escapes the next character.
// Numbers are exact: decimals and quotients of decimals. A name refers to a value of the
// scope:
//
//	local    result   the result of the sub-task, as JSON
//	         text     the same as text
//	         given    the results it got: [{"id", "executor", "task", "result", "text"}, …]
//	global   results  the results of all sub-tasks, in the same form
//	         answer   the deliverer's answer, as JSON
//	         text     the same as text
//
// or the variable of an enclosing function, as in sum(results, r: r.result.price). See
// [Functions].
//
// A path to a missing value is a fault: the check fails and reports where the path ends.
// has(path) tests whether the value exists. "and" and "or" evaluate the right side only
// if the left side does not decide.
type Expression struct {
	root *node
}

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

// Precedences, the lowest first.
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

// binary lists the binary operators.
var binary = map[string]int{
	"or": bindOr, "and": bindAnd,
	"==": bindCompare, "!=": bindCompare, "<": bindCompare, "<=": bindCompare, ">": bindCompare, ">=": bindCompare, "in": bindCompare,
	"+": bindSum, "-": bindSum, "*": bindProduct, "/": bindProduct,
}

// binding returns the precedence of a node.
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

type function struct {
	name     string
	least    int   // arguments
	most     int   //
	variable byte  // 'n': not allowed; 'o': optional; 'y': required
	first    types // of the first argument
	second   types // of the second, or of the part after the variable
	gives    types
	text     string // description of the result
}

var functions = []function{
	{"all", 2, 2, 'y', typeList, typeTruth, typeTruth, "whether the condition holds for every item"},
	{"any", 2, 2, 'y', typeList, typeTruth, typeTruth, "whether the condition holds for some item"},
	{"count", 2, 2, 'y', typeList, typeTruth, typeNumber, "the number of items for which the condition holds"},
	{"sum", 1, 2, 'o', typeList, typeNumber, typeNumber, "the sum of the items, or of the value for each item"},
	{"min", 1, 2, 'o', typeList, typeNumber, typeNumber, "the smallest value; an empty list has none"},
	{"max", 1, 2, 'o', typeList, typeNumber, typeNumber, "the largest value; an empty list has none"},
	{"distinct", 1, 2, 'o', typeList, typeAny, typeTruth, "whether all items, or the values for them, are different"},
	{"length", 1, 1, 'n', typeList | typeText | typeObject, 0, typeNumber, "the number of items, characters or members"},
	{"contains", 2, 2, 'n', typeList | typeText, typeAny, typeTruth, "whether the list contains the item, or the text contains the text, ignoring case"},
	{"has", 1, 1, 'n', typeAny, 0, typeTruth, "whether the path leads to a value other than null"},
	{"number", 1, 1, 'n', typeText | typeNumber, 0, typeNumber, "the only number in a text, as in “$1,250.00 a night”"},
	{"abs", 1, 1, 'n', typeNumber, 0, typeNumber, "the number without its sign"},
	{"lower", 1, 1, 'n', typeText, 0, typeText, "the text in lower case"},
	{"of", 1, 1, 'n', typeText, 0, typeList, "the results of an executor; only in :global"},
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

// Function describes a function of expressions.
type Function struct {
	Form string
	Text string
}

// Functions returns the functions of expressions for the reference.
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

// eachName visits the names of values of the scope, without variables.
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

// Delivery reports whether the expression refers to the deliverer's answer.
func (e *Expression) Delivery() bool {
	found := false
	e.root.eachName(nil, func(n *node) { found = found || n.name == "answer" || n.name == "text" })
	return found
}

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
		d := source.Diagnostic{Code: "team.executor", Span: n.of[0].span, Message: "unknown executor " + quoteText(name)}
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
