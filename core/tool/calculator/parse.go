package calculator

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// calculation parses an expression and evaluates it in the same pass.
type calculation struct {
	text  string
	at    int
	from  int // the offset of the last error
	depth int
	calls int // nesting depth of function calls
	meter *meter.Meter
}

// arithmeticError is a fault of the expression at calculation.from.
type arithmeticError string

// Error returns the message.
func (e arithmeticError) Error() string { return string(e) }

// place converts an arithmeticError to a fault with its place.
func (c *calculation) place(err error) error {
	said, ok := err.(arithmeticError)
	if !ok {
		return err
	}
	at := min(c.from, len(c.text))
	if at == len(c.text) {
		return tool.Faultf(tool.CodeExpression, "%s, at the end", said)
	}
	return tool.Faultf(tool.CodeExpression, "%s, at character %d (%q)", said, utf8.RuneCountInString(c.text[:at])+1, phrase.Shorten(c.text[at:], 12))
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

// take consumes the first of the texts that the input continues with, and the space after
// it. It returns this text, or "" if the input continues with none of them.
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

// word returns the next name in lower case, without consuming it; "" if there is none.
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

// takeWord consumes the next name if it is one of these operators.
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

// end checks that the expression ends here. It accepts "=" and "= ?" at the end, which models
// write.
func (c *calculation) end() error {
	at := c.at
	if c.take("=") != "" {
		if c.take("?"); c.at < len(c.text) {
			return c.fail(at, "only the part before = can be evaluated; remove the rest")
		}
		return nil
	}
	switch {
	case c.at == len(c.text):
		return nil
	case c.text[c.at] == ')':
		return c.fail(at, "unmatched )")
	case c.text[c.at] == ',':
		return c.fail(at, "unexpected comma: write decimals with a point, and groups of three digits")
	case c.word() != "":
		return c.fail(at, "expected an operator; write numbers and operators only, without units")
	}
	return c.fail(at, "expected an operator such as * or +")
}

// spend charges the meter for an operation on x and y by their size.
func (c *calculation) spend(x, y quantity) error {
	words := (x.bits() + y.bits()) / 64
	return c.meter.Step(1 + words + words*words/16)
}

// operate applies a binary operation and checks the size of its result.
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

// deeper enters a nested expression.
func (c *calculation) deeper() error {
	if c.depth++; c.depth > maxNesting {
		return c.fail(c.at, "the expression is nested too deeply")
	}
	return c.meter.Step(1)
}

// sum parses a + b - c.
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

// product parses a * b / c % d.
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
			operator = integerQuotient
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

// sign parses -a.
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
		return c.operate(c.at, minus, integer(0), x)
	}
	return x, err
}

// power parses a ^ b.
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

// postfix parses a! and a%.
func (c *calculation) postfix() (quantity, error) {
	x, err := c.primary()
	for err == nil {
		at := c.at
		switch {
		case c.take("!") != "":
			x, err = c.operate(at, func(x, _ quantity) (quantity, error) { return factorial(x) }, x, integer(0))
		case strings.HasPrefix(c.text[c.at:], "%") && !c.operandAfter(1):
			c.take("%")
			x, err = c.operate(at, quotient, x, integer(100))
		default:
			return x, nil
		}
	}
	return x, err
}

// operandAfter reports whether an operand begins after the given number of bytes and any space.
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

// primary parses a number, a constant, a function call or a parenthesised expression.
func (c *calculation) primary() (quantity, error) {
	for c.at < len(c.text) { // skip currency signs
		r, size := utf8.DecodeRuneInString(c.text[c.at:])
		if !unicode.Is(unicode.Sc, r) {
			break
		}
		c.at += size
		c.space()
	}
	at := c.at
	if at == len(c.text) {
		return quantity{}, c.fail(at, "expected a number")
	}
	if c.take("(") != "" {
		calls := c.calls
		c.calls = 0
		x, err := c.sum()
		if err == nil && c.take(")") == "" {
			if c.at < len(c.text) {
				return x, c.end()
			}
			err = c.fail(at, "unmatched (")
		}
		c.calls = calls
		return x, err
	}
	if b := c.text[at]; b >= '0' && b <= '9' || b == '.' {
		return c.number()
	}
	name := c.word()
	if name == "" {
		return quantity{}, c.fail(at, "expected a number")
	}
	c.at += len(name)
	c.space()
	if x, ok := constant(name); ok {
		return x, nil
	}
	f, ok := function(name)
	if !ok {
		said := "unknown function " + strconv.Quote(phrase.Shorten(name, 20))
		if near := phrase.Nearest(name, functionNames()); near != "" {
			said += "; did you mean " + near + "?"
		}
		return quantity{}, c.fail(at, "%s", said)
	}
	return c.call(at, name, f)
}

// call parses the arguments of a function and evaluates the call.
func (c *calculation) call(at int, name string, f operation) (quantity, error) {
	if c.take("(") == "" {
		return quantity{}, c.fail(at, "missing parentheses: %s(…)", name)
	}
	c.calls++
	defer func() { c.calls-- }()
	var args []quantity
	for c.take(")") == "" {
		if len(args) > 0 && c.take(",", ";") == "" {
			if c.at == len(c.text) {
				return quantity{}, c.fail(at, "unmatched ( of %s", name)
			}
			return quantity{}, c.fail(c.at, "expected a comma or )")
		}
		x, err := c.sum()
		if err != nil {
			return x, err
		}
		args = append(args, x)
	}
	if len(args) < f.least || f.most > 0 && len(args) > f.most {
		return quantity{}, c.fail(at, "%s takes %s, got %d", name, f.takes(), len(args))
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

// number parses a number with groups of thousands, decimals and an exponent.
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
		return quantity{}, c.fail(start, "expected a number")
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
			c.at = mark // not an exponent but the constant e
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

// group reports whether a comma and exactly three digits follow.
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
