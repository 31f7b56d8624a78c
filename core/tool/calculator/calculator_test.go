package calculator_test

import (
	"errors"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/calculator"
)

func TestCalculate(t *testing.T) {
	for expression, want := range map[string]string{
		"1+2*3": "7", "(1+2)*3": "9", "-2^2": "-4", "(-2)^2": "4", "2^-2": "0.25", "2^3^2": "512", "2--3": "5", "-(-3)": "3", "+4": "4",
		"8/2/2": "2", "8-2-2": "4", "2*-3": "-6", "7//2": "3", "-7//2": "-4", "3**2": "9",
		"10%3": "1", "-7%3": "2", "7.5 % 2": "1.5", "10 mod 4": "2", "20%": "0.2", "50% of 200": "100", "100%-20%": "0.8", "200*15%": "30", "5%*2": "0.1", "10%(3)": "1",
		"1/3": "0.333333333333333 (1/3)", "22/7": "3.14285714285714 (22/7)", "-2/3": "-0.666666666666667 (-2/3)", "0.1+0.2": "0.3", "1/1024": "0.0009765625",
		"1.05^30": "4.32194237515066", "10^40/3": "3.33333333333333e+39", "0.1^400": "1e-400", "1/7^20": "1.25325428941968e-17 (1/79792266297612001)", "2/3*3": "2",
		"999999999999999999*999999999999999999": "999999999999999998000000000000000001", "2^100": "1267650600228229401496703205376", "1e3": "1000", "1.5e-3": "0.0015", "2E2": "200",
		"1,234,567+1": "1234568", "(1,234)*2": "2468", "max(1,234)": "234", "max((1,234), 5)": "1234", "1,234.5": "1234.5",
		"$16*2=": "32", "€ 5 + £3": "8", "3 x 4": "12", "3×4÷2": "6", "5−2": "3", "3+4 = ?": "7", ".5*10": "5", "10*.5": "5", "5.": "5",
		"5!": "120", "3!!": "720", "factorial(20)": "2432902008176640000", "-3!": "-6", "2^3!": "64",
		"sqrt(16)": "4", "sqrt(2)": "1.4142135623731", "sqrt(1/4)": "0.5", "4^0.5": "2", "8^(1/3)": "2", "sqrt(10^400)/10^200": "1", "cbrt(-27)": "-3",
		"abs(-3/4)": "0.75", "floor(-1.5)": "-2", "ceil(-1.5)": "-1", "round(-2.5)": "-3", "round(2.5)": "3", "round(2.345, 2)": "2.35", "round(1234, -2)": "1200", "trunc(-1.5)": "-1", "sign(-2)": "-1",
		"min(3, 1, 2)": "1", "max(1/3, 0.333)": "0.333333333333333 (1/3)", "mean(1,2,4)": "2.33333333333333 (7/3)", "sum(1,2,3)": "6", "gcd(12, 18)": "6", "lcm(4, 6)": "12", "mod(10, -3)": "-2", "pow(2, 10)": "1024",
		"ln(e)": "1", "log(1000)": "3", "log10(0.001)": "-3", "log(8, 2)": "3", "log2(10^30/10^30)": "0", "log(10^1000)": "1000", "exp(0)": "1", "ln(2)": "0.693147180559945",
		"sin(pi)": "0", "cos(π/2)": "0", "tan(pi/4)": "1", "sin(pi/6)": "0.5", "asin(1)*2": "3.14159265358979", "sin(1e-20)": "1e-20", "tau/2": "3.14159265358979",
		"0^0": "1", "1.0001^100000": "22015.4560484819", "1^(10^30)": "1", "(-1)^(10^30)": "1", "(-1)^(10^30+1)": "-1", "0^(10^30)": "0", "SQRT(4)": "2", " 1 + 1 ": "2",

		"1/0": "division by zero, at character 2 (\"/0\")", "5 % 0": "division by zero, at character 3 (\"% 0\")", "0^-1": "zero has no negative powers, at character 2 (\"^-1\")",
		"9^9^9^9": "the power has more than 4000 digits, at character 4 (\"^9^9\")", "2^(10^30)": "the power has more than 4000 digits, at character 2 (\"^(10^30)\")",
		"1464!": "the factorial has more than 4000 digits, at character 5 (\"!\")", "1e5000": "the number has more than 4000 digits, at character 1 (\"1e5000\")", "exp(1000)": "the number is too large, at character 1 (\"exp(1000)\")",
		"2.5!": "only 0 and positive whole numbers have a factorial here, at character 4 (\"!\")", "(-8)^(1/3)": "a negative number can only have a whole exponent, at character 5 (\"^(1/3)\")",
		"sqrt(-1)": "a negative number has no real square root, at character 1 (\"sqrt(-1)\")", "ln(0)": "only positive numbers have a logarithm, at character 1 (\"ln(0)\")", "asin(2)": "the result is not a real number, at character 1 (\"asin(2)\")",
		"cos(1e15)": "-0.51319373778697", "sin(10^15)": "0.858272793170236", "sin(1000000*pi)": "0", "cos(0.5)": "0.877582561890373",
		"cos(1e18)": "the angle is too large, at character 1 (\"cos(1e18)\")", "sin(1e400)": "the angle is too large, at character 1 (\"sin(1e400)\")",
		"tan(pi/2)": "a right angle has no tangent, at character 1 (\"tan(pi/2)\")", "exp(-1000)": "the number is too small, at character 1 (\"exp(-1000)\")", "e^-1000": "the number is too small, at character 2 (\"^-1000\")",
		"1e-400*pi": "the number is too small, at character 7 (\"*pi\")", "pi/1e400": "the number is too small, at character 3 (\"/1e400\")", "0*pi/1e400": "0", "pi-pi": "0", "exp(-700)*1e300": "9.85967654375977e-05",
		"pi*10^20 mod 3": "the quotient is too large for a remainder, at character 10 (\"mod 3\")",

		"": "the expression is empty", "  ": "the expression is empty", "1+": "expected a number, at the end", "*2": "expected a number, at character 1 (\"*2\")", "()": "expected a number, at character 2 (\")\")",
		"(1+2": "unmatched (, at character 1 (\"(1+2\")", "1+2)": "unmatched ), at character 4 (\")\")", "max(1": "unmatched ( of max, at character 1 (\"max(1\")", "max()": "max takes one number or more, got 0, at character 1 (\"max()\")",
		"foo(3)": "unknown function \"foo\", at character 1 (\"foo(3)\")", "sqr(4)": "unknown function \"sqr\"; did you mean sqrt?, at character 1 (\"sqr(4)\")", "sin 3": "missing parentheses: sin(…), at character 1 (\"sin 3\")", "sin(1,2)": "sin takes one number, got 2, at character 1 (\"sin(1,2)\")",
		"2(3)": "expected an operator such as * or +, at character 2 (\"(3)\")", "1 234": "expected an operator such as * or +, at character 3 (\"234\")", "1,23": "unexpected comma: write decimals with a point, and groups of three digits, at character 2 (\",23\")", "1234,567": "unexpected comma: write decimals with a point, and groups of three digits, at character 5 (\",567\")",
		"16-3-4=9": "only the part before = can be evaluated; remove the rest, at character 7 (\"=9\")", "5 apples": "expected an operator; write numbers and operators only, without units, at character 3 (\"apples\")", "1..2": "expected an operator such as * or +, at character 3 (\".2\")", ".": "expected a number, at character 1 (\".\")",
		"ä + 1": "unknown function \"ä\", at character 1 (\"ä + 1\")", "1 + ä": "unknown function \"ä\", at character 5 (\"ä\")",
	} {
		got, err := calculator.Calculate(expression, nil)
		var fault *tool.CallFault
		if errors.As(err, &fault) && fault.Code == tool.CodeExpression {
			got = fault.Message
		} else if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if got != want {
			t.Errorf("%s = %s, want %s", expression, got, want)
		}
	}
}

func TestCalculateTerminatesOnLargeInput(t *testing.T) {
	for _, expression := range []string{
		strings.Repeat("(", 4000), strings.Repeat("-", 3999) + "1", strings.Repeat("9^", 1999) + "9", strings.Repeat("1463!*", 600) + "1", "1/" + strings.Repeat("1463!/", 600) + "7",
		strings.Repeat("sqrt(", 790) + "2", "2" + strings.Repeat("!", 3999), strings.Repeat("7^4000/3^4000+", 280) + "1", strings.Repeat("x", 5000),
	} {
		_, err := calculator.Calculate(expression, meter.New(meter.Budget{}))
		var fault *tool.CallFault
		var limit *meter.LimitError
		if err != nil && !errors.As(err, &fault) && !errors.As(err, &limit) {
			t.Errorf("%.20s…: %v", expression, err)
		}
	}
}

// FuzzCalculateAgreesWithBigIntegers builds an expression of whole numbers from
// bytes, with and without parentheses, and compares the result with that of math/big.
func FuzzCalculateAgreesWithBigIntegers(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte("a longer text of bytes for an expression"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 60 {
			data = data[:60]
		}
		large := false
		text, want := expressionOf(&data, 0, &large)
		got, err := calculator.Calculate(text, nil)
		if large {
			return // beyond the limit, at least in an intermediate result
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got != want.String() {
			t.Fatalf("%s = %s, want %s", text, got, want)
		}
	})
}

// expressionOf reads an expression from bytes and computes its value.
func expressionOf(data *[]byte, depth int, large *bool) (text string, value *big.Int) {
	defer func() { *large = *large || value.BitLen() > calculator.MaxDigits*3 }()
	next := func() int {
		if len(*data) == 0 {
			return 0
		}
		b := (*data)[0]
		*data = (*data)[1:]
		return int(b)
	}
	if len(*data) < 2 || depth > 12 {
		n := big.NewInt(int64(next()))
		n.Mul(n, n)
		return n.String(), n
	}
	operator := next()
	x, a := expressionOf(data, depth+1, large)
	y, b := expressionOf(data, depth+1, large)
	x, y = "("+x+")", " ( "+y+")"
	z := new(big.Int)
	switch operator % 7 {
	case 0:
		return x + "+" + y, z.Add(a, b)
	case 1:
		return x + " -" + y, z.Sub(a, b)
	case 2:
		return x + "*" + y, z.Mul(a, b)
	case 3:
		return "-" + x + "×" + y, z.Neg(z.Mul(a, b))
	case 4:
		if b.Sign() <= 0 {
			return "abs" + x, z.Abs(a)
		}
		return x + "//" + y, z.Div(a, b)
	case 5:
		if b.Sign() <= 0 {
			return "min(" + x + "," + y + ")", map[bool]*big.Int{true: a, false: b}[a.Cmp(b) < 0]
		}
		return x + " % " + y, z.Mod(a, b)
	default:
		e := operator % 3
		return x + "^" + string(rune('0'+e)), z.Exp(a, big.NewInt(int64(e)), nil)
	}
}

// The data's solutions have their calculations in double angle brackets.
func TestCalculateAgreesWithGSM8K(t *testing.T) {
	count := 0
	for _, r := range conformance.Records[struct{ ID, Answer string }](t, "gsm8k.jsonl") {
		for _, m := range regexp.MustCompile(`<<([^=>]*)=([^>]*)>>`).FindAllStringSubmatch(r.Answer, -1) {
			got, err := calculator.Calculate(m[1], nil)
			want, err2 := calculator.Calculate(m[2], nil)
			if err != nil || err2 != nil || got != want {
				t.Errorf("%s: %s = %s, want %s (%v, %v)", r.ID, m[1], got, want, err, err2)
			}
			count++
		}
	}
	if count < 150 {
		t.Errorf("only %d calculations", count)
	}
}
