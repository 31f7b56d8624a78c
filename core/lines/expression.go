package lines

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Expression is an arithmetic expression or condition over whole numbers: + - *
// and parentheses, = != < <= > >=, and, or, not. Conditions are 1 or 0.
type Expression struct {
	operator string // a number and a variable have none
	value    int
	variable string
	of       []*Expression
}

// MaxNumber bounds the numbers in expressions, and their values.
const MaxNumber = 1_000_000

// ParseExpression parses an expression. For an invalid text, fault is the reason and at the byte
// offset of the fault.
func ParseExpression(text string) (e *Expression, fault string, at int) {
	p := &expressionParser{text: text}
	p.next()
	e = p.binary(0)
	if p.fault == "" && p.token != "" {
		p.fail("expected an operator before " + strconv.Quote(p.token))
	}
	if p.fault != "" {
		return nil, p.fault, p.faultAt
	}
	return e, "", 0
}

// Variables calls visit with every variable.
func (e *Expression) Variables(visit func(name string)) {
	if e.variable != "" {
		visit(e.variable)
	}
	for _, part := range e.of {
		part.Variables(visit)
	}
}

// Value evaluates the expression; ok is false if a variable has no value, or a result exceeds
// [MaxNumber].
func (e *Expression) Value(number func(name string) (int, bool)) (value int, ok bool) {
	if e.variable != "" {
		return number(e.variable)
	}
	if e.operator == "" {
		return e.value, true
	}
	var v [2]int
	for i, part := range e.of {
		if v[i], ok = part.Value(number); !ok {
			return 0, false
		}
	}
	truth := func(holds bool) int {
		if holds {
			return 1
		}
		return 0
	}
	switch e.operator {
	case "+":
		value = v[0] + v[1]
	case "-":
		value = v[0] - v[1]
	case "*":
		value = v[0] * v[1]
	case "=":
		value = truth(v[0] == v[1])
	case "!=":
		value = truth(v[0] != v[1])
	case "<":
		value = truth(v[0] < v[1])
	case "<=":
		value = truth(v[0] <= v[1])
	case ">":
		value = truth(v[0] > v[1])
	case ">=":
		value = truth(v[0] >= v[1])
	case "and":
		value = truth(v[0] != 0 && v[1] != 0)
	case "or":
		value = truth(v[0] != 0 || v[1] != 0)
	case "not":
		value = truth(v[0] == 0)
	}
	return value, value >= -MaxNumber && value <= MaxNumber
}

// levels lists the binary operators, the lowest precedence first.
var levels = [][]string{{"or"}, {"and"}, {"=", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*"}}

// maxNesting bounds the depth of expressions.
const maxNesting = 100

type expressionParser struct {
	text    string
	at      int // after the token
	start   int // of the token
	token   string
	depth   int
	fault   string
	faultAt int
}

func (p *expressionParser) fail(message string) {
	if p.fault == "" {
		p.fault, p.faultAt = message, p.start
	}
}

func (p *expressionParser) next() {
	rest := strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	p.start = len(p.text) - len(rest)
	p.token = ""
	if rest == "" {
		p.at = len(p.text)
		return
	}
	size := 0
	for _, r := range rest {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		size += utf8.RuneLen(r)
	}
	if size == 0 {
		_, size = utf8.DecodeRuneInString(rest)
		for _, long := range []string{"<=", ">=", "!=", "==", "&&", "||"} {
			if strings.HasPrefix(rest, long) {
				size = 2
			}
		}
	}
	p.token = rest[:size]
	p.at = p.start + size
	switch p.token {
	case "==":
		p.token = "="
	case "&&":
		p.token = "and"
	case "||":
		p.token = "or"
	}
}

func (p *expressionParser) binary(level int) *Expression {
	if level == len(levels) {
		return p.unary()
	}
	left := p.binary(level + 1)
	for p.fault == "" {
		operator := ""
		for _, o := range levels[level] {
			if p.token == o {
				operator = o
			}
		}
		if operator == "" {
			break
		}
		p.next()
		left = &Expression{operator: operator, of: []*Expression{left, p.binary(level + 1)}}
	}
	return left
}

func (p *expressionParser) unary() *Expression {
	if p.depth++; p.depth > maxNesting {
		p.fail("the expression is nested too deeply")
		return &Expression{}
	}
	defer func() { p.depth-- }()
	token := p.token
	switch {
	case token == "":
		p.fail("missing number or variable")
		return &Expression{}
	case token == "not" || token == "!":
		p.next()
		return &Expression{operator: "not", of: []*Expression{p.binary(2)}}
	case token == "-":
		p.next()
		return &Expression{operator: "-", of: []*Expression{{}, p.unary()}}
	case token == "(":
		p.next()
		e := p.binary(0)
		if p.fault == "" && p.token != ")" {
			p.fail("missing \")\"")
		}
		p.next()
		return e
	case token[0] >= '0' && token[0] <= '9':
		n, err := strconv.Atoi(token)
		if err != nil || n > MaxNumber {
			p.fail("expected a whole number up to a million, not " + strconv.Quote(token))
		}
		p.next()
		return &Expression{value: n}
	}
	if r, _ := utf8.DecodeRuneInString(token); r != '_' && !unicode.IsLetter(r) || token == "and" || token == "or" {
		p.fail("expected a number or a variable, not " + strconv.Quote(token))
		return &Expression{}
	}
	p.next()
	return &Expression{variable: token}
}
