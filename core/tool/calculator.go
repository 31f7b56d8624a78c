//go:build !first

package tool

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// NewCalculator returns a calculator of a name, "" for Calculator (see
// [Calculate]).
func NewCalculator(name string) Callable {
	if name == "" {
		name = "Calculator"
	}
	return calculator{name}
}

type calculator struct{ name string }

// Name implements [Callable].
func (c calculator) Name() string { return c.name }

// Description implements [Callable].
func (c calculator) Description() string {
	return "Works out an expression of numbers with + - * / ^ ! and parentheses, % for a percentage or, before a number, a remainder, and " +
		"sqrt, abs, floor, ceil, round, min, max, ln, log (of base 10), exp, sin, cos, tan, factorial, gcd, lcm, pi, e. Only numbers, no units and no words."
}

// Schema implements [Callable].
func (c calculator) Schema() json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"expression":{"type":"string","minLength":1,"maxLength":%d,"description":"such as (12.5 + 3) * 4 / 7"}},"required":["expression"],"additionalProperties":false}`, MaxExpression))
}

// Call implements [Callable].
func (c calculator) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	var a struct{ Expression string }
	if err := json.Unmarshal(arguments, &a); err != nil {
		return "", faultf(CodeArguments, "arguments: %s", err)
	}
	return Calculate(a.Expression, env.Meter())
}

// Limits of the calculator.
const (
	// MaxExpression is the longest expression, in bytes: a longer one is no question
	// of arithmetic.
	MaxExpression = 4_000
	// MaxDigits is how many digits a number may have: all of them fit in a result.
	MaxDigits = 4_000

	maxNesting = 100
)

// Calculate works an expression out. Sums, products, quotients and whole powers
// are exact, whatever their size up to [MaxDigits]; roots, logarithms, powers of
// fractions and the functions of angles (in radians) have 15 digits. A result that
// is no whole number and no decimal of at most 30 digits is given with 15 digits
// and, where it is short, as the fraction that it is: "0.333333333333333 (1/3)".
//
// A power binds tighter than a sign before it and is read from the right; a
// remainder has the sign of the divisor. Thousands may be separated by commas
// outside of a function's parentheses, where commas separate arguments. The error
// is a [*CallFault] that tells the place, or the meter's.
//
// The numbers are those of math/big: exact, and as well kept as the language. They
// add 26 KB to the whole module as it is sent; 39 KB with big's own readers and
// writers of numbers and its powers, which serve any base and modulus. Of the
// libraries with an evaluator, expr-lang/expr knows no numbers but those of the
// machine and adds 435 KB; cockroachdb/apd (68 KB) and shopspring/decimal (57 KB)
// are built on math/big, have neither fractions nor a reader of expressions, and
// round. A grammar of arithmetic is shorter than what would have to be written
// around any of them.
func Calculate(expression string, m *meter.Meter) (string, error) {
	if len(expression) > MaxExpression {
		return "", faultf(CodeExpression, "the expression has %d bytes; at most %d are worked out", len(expression), MaxExpression)
	}
	c := &calculation{text: expression, meter: m}
	c.space()
	if c.at == len(c.text) {
		return "", faultf(CodeExpression, "there is no expression")
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

// calculation is an expression that is being read and worked out in one go.
type calculation struct {
	text  string
	at    int
	from  int // where what an error is about begins
	depth int
	calls int // functions whose arguments are being read
	meter *meter.Meter
}

// arithmeticError is what is wrong with an expression, at calculation.from.
type arithmeticError string

// Error returns what is wrong.
func (e arithmeticError) Error() string { return string(e) }

// place makes a fault of an error, with the place.
func (c *calculation) place(err error) error {
	said, ok := err.(arithmeticError)
	if !ok {
		return err
	}
	at := min(c.from, len(c.text))
	if at == len(c.text) {
		return faultf(CodeExpression, "%s, at the end", said)
	}
	return faultf(CodeExpression, "%s, at character %d (%q)", said, utf8.RuneCountInString(c.text[:at])+1, shorten(c.text[at:], 12))
}

func (c *calculation) fail(at int, format string, args ...any) error {
	c.from = at
	return arithmeticError(fmt.Sprintf(format, args...))
}

func (c *calculation) space() {
	for c.at < len(c.text) {
		r, size := utf8.DecodeRuneInString(c.text[c.at:])
		if !unicode.IsSpace(r) {
			return
		}
		c.at += size
	}
}

// take passes over one of several texts, the first that comes next, and space.
func (c *calculation) take(texts ...string) string {
	for _, t := range texts {
		if strings.HasPrefix(c.text[c.at:], t) {
			c.at += len(t)
			c.space()
			return t
		}
	}
	return ""
}

// word returns the name that comes next, in lower case, "" if there is none.
func (c *calculation) word() string {
	end := c.at
	for end < len(c.text) {
		r, size := utf8.DecodeRuneInString(c.text[end:])
		if !unicode.IsLetter(r) && !(end > c.at && (r >= '0' && r <= '9' || r == '_')) {
			break
		}
		end += size
	}
	return strings.ToLower(c.text[c.at:end])
}

// takeWord passes over a name that stands for an operator.
func (c *calculation) takeWord(names ...string) bool {
	word := c.word()
	for _, name := range names {
		if word == name {
			c.at += len(name)
			c.space()
			return true
		}
	}
	return false
}

// end checks that the expression ends here. A question mark and an equals sign
// without anything behind are what models write.
func (c *calculation) end() error {
	at := c.at
	if c.take("=") != "" {
		if c.take("?"); c.at < len(c.text) {
			return c.fail(at, "only what stands before the = can be worked out; leave out the rest")
		}
		return nil
	}
	switch {
	case c.at == len(c.text):
		return nil
	case c.text[c.at] == ')':
		return c.fail(at, "there is no ( for this )")
	case c.text[c.at] == ',':
		return c.fail(at, "a comma is no decimal point, and thousands have three digits each")
	case c.word() != "":
		return c.fail(at, "an operator is expected here; write numbers and operators only, without units")
	}
	return c.fail(at, "an operator is expected here, such as * or +")
}

// spend takes what an operation with such numbers costs.
func (c *calculation) spend(x, y quantity) error {
	words := (x.bits() + y.bits()) / 64
	return c.meter.Step(1 + words + words*words/16)
}

// operate carries out an operation of two numbers.
func (c *calculation) operate(at int, f func(x, y quantity) (quantity, error), x, y quantity) (quantity, error) {
	if err := c.spend(x, y); err != nil {
		return x, err
	}
	z, err := f(x, y)
	if err == nil {
		err = z.fits()
	}
	if err != nil {
		c.from = at
	}
	return z, err
}

// deeper counts what is nested.
func (c *calculation) deeper() error {
	if c.depth++; c.depth > maxNesting {
		return c.fail(c.at, "the expression is nested too deep")
	}
	return c.meter.Step(1)
}

// sum reads a + b - c.
func (c *calculation) sum() (quantity, error) {
	if err := c.deeper(); err != nil {
		return quantity{}, err
	}
	defer func() { c.depth-- }()
	x, err := c.product()
	for err == nil {
		at := c.at
		operator := plus2
		if c.take("+") == "" {
			if c.take("-", "−", "–") == "" {
				break
			}
			operator = minus
		}
		var y quantity
		if y, err = c.product(); err == nil {
			x, err = c.operate(at, operator, x, y)
		}
	}
	return x, err
}

// product reads a * b / c % d.
func (c *calculation) product() (quantity, error) {
	x, err := c.sign()
	for err == nil {
		at := c.at
		var operator func(x, y quantity) (quantity, error)
		switch mark := c.take("//", "*", "×", "·", "⋅", "/", "÷", "%"); mark {
		case "*", "×", "·", "⋅":
			operator = times
		case "/", "÷":
			operator = quotient
		case "//":
			operator = wholeQuotient
		case "%":
			operator = remainder
		default:
			if c.takeWord("x", "of") {
				operator = times
			} else if c.takeWord("mod") {
				operator = remainder
			} else {
				return x, nil
			}
		}
		var y quantity
		if y, err = c.sign(); err == nil {
			x, err = c.operate(at, operator, x, y)
		}
	}
	return x, err
}

// sign reads -a.
func (c *calculation) sign() (quantity, error) {
	negative := false
	for {
		if c.take("-", "−", "–") != "" {
			negative = !negative
		} else if c.take("+") == "" {
			break
		}
	}
	x, err := c.power()
	if negative && err == nil {
		return c.operate(c.at, minus, whole(0), x)
	}
	return x, err
}

// power reads a ^ b.
func (c *calculation) power() (quantity, error) {
	x, err := c.postfix()
	if err != nil {
		return x, err
	}
	at := c.at
	if c.take("^", "**") == "" {
		return x, nil
	}
	if err := c.deeper(); err != nil {
		return x, err
	}
	defer func() { c.depth-- }()
	y, err := c.sign()
	if err != nil {
		return x, err
	}
	return c.operate(at, raise, x, y)
}

// postfix reads a! and a%.
func (c *calculation) postfix() (quantity, error) {
	x, err := c.primary()
	for err == nil {
		at := c.at
		switch {
		case c.take("!") != "":
			x, err = c.operate(at, func(x, _ quantity) (quantity, error) { return factorial(x) }, x, whole(0))
		case strings.HasPrefix(c.text[c.at:], "%") && !c.operandAfter(1):
			c.take("%")
			x, err = c.operate(at, quotient, x, whole(100))
		default:
			return x, nil
		}
	}
	return x, err
}

// operandAfter reports whether a number, a parenthesis or a name that stands for a
// number begins behind some bytes.
func (c *calculation) operandAfter(bytes int) bool {
	ahead := *c
	ahead.at += bytes
	ahead.space()
	if ahead.at == len(ahead.text) {
		return false
	}
	switch word := ahead.word(); word {
	case "":
		r, _ := utf8.DecodeRuneInString(ahead.text[ahead.at:])
		return r == '(' || r == '.' || r >= '0' && r <= '9' || unicode.Is(unicode.Sc, r)
	case "of", "x", "mod":
		return false
	}
	return true
}

// primary reads a number, a name, a function's call or what is in parentheses.
func (c *calculation) primary() (quantity, error) {
	for c.at < len(c.text) { // a price is its number
		r, size := utf8.DecodeRuneInString(c.text[c.at:])
		if !unicode.Is(unicode.Sc, r) {
			break
		}
		c.at += size
		c.space()
	}
	at := c.at
	if at == len(c.text) {
		return quantity{}, c.fail(at, "a number is expected")
	}
	if c.take("(") != "" {
		calls := c.calls
		c.calls = 0
		x, err := c.sum()
		if err == nil && c.take(")") == "" {
			if c.at < len(c.text) {
				return x, c.end()
			}
			err = c.fail(at, "this ( has no )")
		}
		c.calls = calls
		return x, err
	}
	if b := c.text[at]; b >= '0' && b <= '9' || b == '.' {
		return c.number()
	}
	name := c.word()
	if name == "" {
		return quantity{}, c.fail(at, "a number is expected")
	}
	c.at += len(name)
	c.space()
	if x, ok := constant(name); ok {
		return x, nil
	}
	f, ok := function(name)
	if !ok {
		said := "there is no function " + strconv.Quote(shorten(name, 20))
		if near := nearestFold(name, functionNames()); near != "" {
			said += "; did you mean " + near + "?"
		}
		return quantity{}, c.fail(at, "%s", said)
	}
	return c.call(at, name, f)
}

// call reads a function's arguments and works it out.
func (c *calculation) call(at int, name string, f operation) (quantity, error) {
	if c.take("(") == "" {
		return quantity{}, c.fail(at, "%s takes its number in parentheses: %s(…)", name, name)
	}
	c.calls++
	defer func() { c.calls-- }()
	var args []quantity
	for c.take(")") == "" {
		if len(args) > 0 && c.take(",", ";") == "" {
			if c.at == len(c.text) {
				return quantity{}, c.fail(at, "the ( of %s has no )", name)
			}
			return quantity{}, c.fail(c.at, "a comma or a ) is expected")
		}
		x, err := c.sum()
		if err != nil {
			return x, err
		}
		args = append(args, x)
	}
	if len(args) < f.least || f.most > 0 && len(args) > f.most {
		return quantity{}, c.fail(at, "%s takes %s, was given %d", name, f.takes(), len(args))
	}
	for _, x := range args {
		if err := c.spend(x, x); err != nil {
			return x, err
		}
	}
	x, err := f.of(args)
	if err == nil {
		err = x.fits()
	}
	if err != nil {
		c.from = at
	}
	return x, err
}

// number reads a number.
func (c *calculation) number() (quantity, error) {
	start := c.at
	digits := func() int {
		from := c.at
		for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
			c.at++
		}
		return c.at - from
	}
	count := digits()
	if c.calls == 0 && count >= 1 && count <= 3 {
		for c.group() {
			c.at += 4
		}
	}
	if c.at < len(c.text) && c.text[c.at] == '.' {
		c.at++
		count += digits()
	}
	if count == 0 {
		return quantity{}, c.fail(start, "a number is expected")
	}
	exponent := 0
	mantissa := strings.ReplaceAll(c.text[start:c.at], ",", "")
	if c.at < len(c.text) && (c.text[c.at] == 'e' || c.text[c.at] == 'E') {
		mark := c.at
		if c.at++; c.at < len(c.text) && (c.text[c.at] == '+' || c.text[c.at] == '-') {
			c.at++
		}
		from := mark + 1
		if digits() == 0 {
			c.at = mark // the constant
		} else {
			var err error
			if exponent, err = strconv.Atoi(c.text[from:c.at]); err != nil || exponent > MaxDigits || exponent < -MaxDigits {
				return quantity{}, c.fail(start, "the number has more than %d digits", MaxDigits)
			}
		}
	}
	c.space()
	x := decimal(mantissa, exponent)
	if err := x.fits(); err != nil {
		c.from = start
		return x, err
	}
	return x, c.spend(x, x)
}

// group reports whether a comma and three digits come, and no fourth.
func (c *calculation) group() bool {
	rest := c.text[c.at:]
	if len(rest) < 4 || rest[0] != ',' {
		return false
	}
	for i := 1; i < 4; i++ {
		if rest[i] < '0' || rest[i] > '9' {
			return false
		}
	}
	return len(rest) == 4 || rest[4] < '0' || rest[4] > '9'
}
