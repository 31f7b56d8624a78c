// Package calculator evaluates arithmetic expressions for agents, exactly where numbers
// allow it.
//
// The numbers are those of math/big. They add 26 KB to the compressed whole module, and 39 KB
// with big's own readers and writers of numbers and its powers, which support any base and
// modulus. Why not a library with an evaluator: expr-lang/expr has only machine numbers and
// adds 435 KB; cockroachdb/apd (68 KB) and shopspring/decimal (57 KB) are built on math/big,
// have neither fractions nor a parser, and round. A grammar of arithmetic is shorter than
// the code that would wrap any of them.
package calculator

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
)

// New returns a calculator with a name; "" is Calculator. It evaluates expressions with [Calculate].
func New(name string) tool.Callable {
	if name == "" {
		name = "Calculator"
	}
	return calculator{name}
}

type calculator struct{ name string }

// Name implements [tool.Callable].
func (c calculator) Name() string { return c.name }

// Description implements [tool.Callable].
func (c calculator) Description() string {
	return "Works out an expression of numbers with + - * / ^ ! and parentheses, % for a percentage or, before a number, a remainder, and " +
		"sqrt, abs, floor, ceil, round, min, max, ln, log (of base 10), exp, sin, cos, tan, factorial, gcd, lcm, pi, e. Only numbers, no units and no words."
}

// Schema implements [tool.Callable].
func (c calculator) Schema() json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"expression":{"type":"string","minLength":1,"maxLength":%d,"description":"such as (12.5 + 3) * 4 / 7"}},"required":["expression"],"additionalProperties":false}`, MaxExpression))
}

// Call implements [tool.Callable].
func (c calculator) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	var a struct{ Expression string }
	if err := json.Unmarshal(arguments, &a); err != nil {
		return "", tool.Faultf(tool.CodeArguments, "arguments: %s", err)
	}
	return Calculate(a.Expression, env.Meter())
}

// Limits of the calculator.
const (
	// MaxExpression is the maximum length of an expression in bytes; a longer one is not a
	// question of arithmetic.
	MaxExpression = 4_000
	// MaxDigits is the maximum number of digits of a number. A result can contain all of them.
	MaxDigits = 4_000

	maxNesting = 100
)

// Calculate evaluates an expression. Sums, products, quotients and integer powers are exact
// up to [MaxDigits]; roots, logarithms, powers of fractions and trigonometric functions (in
// radians) have 15 digits. A result that is neither an integer nor a decimal of at most 30
// digits is written with 15 digits, followed by the exact fraction if that is short:
// "0.333333333333333 (1/3)".
//
// A power binds tighter than a sign before it and associates to the right. A remainder has
// the sign of the divisor. Commas may separate thousands outside of a function's
// parentheses, where they separate arguments. The error is a [*tool.CallFault] that names
// the position, or an error of the meter.
func Calculate(expression string, m *meter.Meter) (string, error) {
	if len(expression) > MaxExpression {
		return "", tool.Faultf(tool.CodeExpression, "the expression has %d bytes; the maximum is %d", len(expression), MaxExpression)
	}
	c := &calculation{text: expression, meter: m}
	c.space()
	if c.at == len(c.text) {
		return "", tool.Faultf(tool.CodeExpression, "the expression is empty")
	}
	result, err := c.sum()
	if err == nil {
		err = c.end()
	}
	if err == nil {
		err = result.fits()
	}
	if err != nil {
		return "", c.place(err)
	}
	return result.String(), nil
}
