package calculator_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/calculator"
)

// calculated returns the result, or the fault with its place.
func calculated(t *testing.T, expression string) string {
	t.Helper()
	got, err := calculator.Calculate(expression, nil)
	var fault *tool.CallFault
	if errors.As(err, &fault) {
		return fault.Message
	}
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return got
}

// Every decimal is printed with its exact value: as it is between 1e-7 and 1e20, otherwise
// with an exponent. math/big is the oracle.
func TestDecimalsArePrintedExactly(t *testing.T) {
	large, _ := new(big.Rat).SetString("1e21")
	for _, digits := range []string{"1", "9", "10", "99", "101", "123", "999", "1000000000000000000", "999999999999999999", "1000000000000000001", "123456789012345678901234567890"} {
		for exponent := -45; exponent <= 45; exponent++ {
			for _, sign := range []string{"", "-"} {
				text := fmt.Sprintf("%s%se%d", sign, digits, exponent)
				want, _ := new(big.Rat).SetString(text)
				got := calculated(t, text)
				back, ok := new(big.Rat).SetString(got)
				if !ok || back.Cmp(want) != 0 {
					t.Fatalf("%s is printed as %s", text, got)
				}
				if want.IsInt() && got != want.Num().String() {
					t.Fatalf("%s is printed as %s", text, got)
				}
				abs := new(big.Rat).Abs(want)
				far := abs.Cmp(big.NewRat(1, 10_000_000)) < 0 || abs.Cmp(large) >= 0
				if written := strings.Contains(got, "e"); !want.IsInt() && written != far {
					t.Fatalf("%s is printed as %s", text, got)
				}
			}
		}
	}
}

// A fraction is printed with 15 digits, rounded half up, and as a fraction if it is short
// and its decimals do not end.
func TestFractionsAreRounded(t *testing.T) {
	for over := int64(1); over < 40; over++ {
		for _, under := range []int64{3, 7, 11, 13, 999, 1_000_003} {
			x := big.NewRat(over, under)
			if x.IsInt() {
				continue
			}
			got, fraction, short := strings.Cut(calculated(t, fmt.Sprintf("%d/%d", over, under)), " ")
			if !short || fraction != "("+x.RatString()+")" {
				t.Fatalf("%s is printed as %s %s", x, got, fraction)
			}
			printed, _ := new(big.Rat).SetString(got)
			mantissa, _, _ := strings.Cut(got, "e")
			if digits := strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0"); len(digits) > 15 {
				t.Fatalf("%s is printed with %d digits, as %s", x, len(digits), got)
			}
			if difference := new(big.Rat).Abs(new(big.Rat).Sub(printed, x)); new(big.Rat).Mul(difference, big.NewRat(1_000_000_000_000_000, 1)).Cmp(new(big.Rat).Mul(x, big.NewRat(5, 1))) > 0 {
				t.Fatalf("%s is printed as %s", x, got)
			}
		}
	}
	for expression, want := range map[string]string{
		"1/2^40": "9.09494701772928e-13", "1/5^50": "1.12589990684262e-35",
		"1/12345678901234567": "8.1000000737e-17", "1/1234567890123456789": "8.10000007371e-19", "1/123456789012345678901": "8.100000073710e-21",
		"2/3*10^20": "66666666666666700000", "2/3*10^22": "6.66666666666667e+21", "99999999999999999/10^17 - 1/3": "0.666666666666657 ",
	} {
		got := calculated(t, expression)
		if value, _, _ := strings.Cut(got, " "); !strings.HasPrefix(value, strings.TrimSuffix(want, " ")[:min(len(want)-1, 6)]) {
			t.Errorf("%s = %s, want %s", expression, got, want)
		}
		if strings.Contains(expression, "/2^") || strings.Contains(expression, "/5^") {
			if strings.Contains(got, "(") {
				t.Errorf("%s = %s: its decimals end", expression, got)
			}
		}
	}
}

// The laws of integer division, for small numbers of both signs.
func TestQuotientsAndRemainders(t *testing.T) {
	for a := int64(-7); a <= 7; a++ {
		for b := int64(-4); b <= 4; b++ {
			if b == 0 {
				continue
			}
			x, y := fmt.Sprintf("(%d)", a), fmt.Sprintf("(%d)", b)
			q := a / b
			if a%b != 0 && (a < 0) != (b < 0) {
				q--
			}
			for expression, want := range map[string]int64{
				x + "//" + y: q, x + " mod " + y: a - b*q, "mod(" + x + "," + y + ")": a - b*q, "floor(" + x + "/" + y + ")": q, "ceil(" + x + "/" + y + ")": q + map[bool]int64{true: 1}[a != b*q],
				"trunc(" + x + "/" + y + ")": a / b, "min(" + x + "," + y + ")": min(a, b), "max(" + x + "," + y + ")": max(a, b), "sign(" + x + ")": map[bool]int64{true: 1}[a > 0] - map[bool]int64{true: 1}[a < 0],
				"abs(" + x + ")": max(a, -a), "sum(" + x + "," + y + ")": a + b, x + "+" + y: a + b, x + "-" + y: a - b, x + "*" + y: a * b,
			} {
				if got := calculated(t, expression); got != fmt.Sprint(want) {
					t.Fatalf("%s = %s, want %d", expression, got, want)
				}
			}
		}
	}
}

// Groups of three digits after commas are thousands, except between arguments.
func TestThousands(t *testing.T) {
	for expression, want := range map[string]string{
		"1,000": "1000", "9,999": "9999", "12,090": "12090", "123,909,000": "123909000", "1,000.5": "1000.5", "1,0009": "", "1,00": "", "1,0000": "", "1,0005": "", "1,000/4": "250", "1,000:": "", "1,0a0": "", "1,:00": "", "1,/00": "", "1,000,00": "", "0,001": "1",
		"max(1, 2)+1,234": "1236", "max(min(1,2),1,234)": "234", "max(1, (1,234))": "1234", "(max(1,2), 3)": "", "max((2)+1,234)": "234", "max((1,000), 1,234)": "1000",
	} {
		got := calculated(t, expression)
		if want == "" && !strings.Contains(got, "at ") || want != "" && got != want {
			t.Errorf("%s = %s, want %s", expression, got, want)
		}
	}
}

// A percent sign before an operand is the remainder, otherwise it is a hundredth.
func TestPercentOrRemainder(t *testing.T) {
	for expression, want := range map[string]string{
		"7%9": "7", "7%0": "division by zero, at character 2 (\"%0\")", "7%.5": "0", "7%$2": "1", "7%pi": "0.716814692820414", "7%-1": "-0.93", "7%+1": "1.07", "7%": "0.07", "7% ": "0.07", "7%)": "unmatched ), at character 3 (\")\")", "(7%)": "0.07", "7% of 100": "7", "7% x 100": "7", "7% mod 2": "0.07", "7%%": "0.0007", "7%!": "only 0 and positive whole numbers have a factorial here, at character 3 (\"!\")",
		"1e0": "1", "1e": "expected an operator; write numbers and operators only, without units, at character 2 (\"e\")", "1e+": "expected an operator; write numbers and operators only, without units, at character 2 (\"e+\")", "1e9": "1000000000", "1e4000": "", "1e4001": "the number has more than 4000 digits, at character 1 (\"1e4001\")", "1e-4001": "the number has more than 4000 digits, at character 1 (\"1e-4001\")",
	} {
		if got := calculated(t, expression); want != "" && got != want {
			t.Errorf("%s = %s, want %s", expression, got, want)
		}
	}
}

// Functions are exact where their arguments allow it, and each range has the stated bounds.
func TestRangesOfFunctions(t *testing.T) {
	for expression, want := range map[string]string{
		"factorial(1463) > 0": "", "0!": "1", "1!": "1", "2!": "2", "gcd(0, 0)": "0", "gcd(0, 5)": "5", "lcm(0, 5)": "0", "lcm(4, 6, 10)": "60", "gcd(12, 18, 8)": "2", "gcd(-4, 6)": "2", "gcd(1.5, 2)": "gcd and lcm need whole numbers, at character 1 (\"gcd(1.5, 2)\")",
		"round(1.25, 1)": "1.3", "round(-1.25, 1)": "-1.3", "round(0)": "0", "round(0.5)": "1", "round(0.49)": "0", "round(1, 100)": "1", "round(1, 101)": "expected a whole number of decimals, from -100 to 100, at character 1 (\"round(1, 101…\")", "round(1, -100)": "0", "round(1, -101)": "expected a whole number of decimals, from -100 to 100, at character 1 (\"round(1, -10…\")", "round(1, 0.5)": "expected a whole number of decimals, from -100 to 100, at character 1 (\"round(1, 0.5…\")",
		"log(8, 1)": "the base of a logarithm must be positive and not 1, at character 1 (\"log(8, 1)\")", "log(8, 0)": "the base of a logarithm must be positive and not 1, at character 1 (\"log(8, 0)\")", "log(8, 0.5)": "-3", "log(1)": "0", "log2(1024)": "10", "log2(1/1024)": "-10", "log(9, 3)": "2", "log(10^300)": "300", "log10(10^-400)": "-400", "log2(3)": "1.58496250072116",
		"log(10^400 * 7)": "400.845098040014", "ln(10^400)": "921.034037197618", "ln(1/10^400)": "-921.034037197618",
		"mean(1)": "1", "min(1/3, 1/3)": "0.333333333333333 (1/3)", "min(pi, 3)": "3", "max(pi, 3)": "3.14159265358979", "max(3, pi, 1)": "3.14159265358979", "min(3, 1, pi)": "1", "max(-pi, -3)": "-3",
		"abs(-pi)": "3.14159265358979", "sign(pi)": "1", "sign(-pi)": "-1", "sign(pi-pi)": "0", "abs(pi)": "3.14159265358979", "trunc(-pi)": "-3", "trunc(pi)": "3", "floor(-pi)": "-4", "ceil(pi)": "4", "round(pi, 2)": "3.14", "round(-pi, 2)": "-3.14",
		"2^0.5*2^0.5": "2", "(1/4)^(1/2)": "0.5", "0^0.5": "0", "0^pi": "0", "(-2)^pi": "a negative number can only have a whole exponent, at character 5 (\"^pi\")", "pi^0": "1", "pi^2": "9.86960440108936", "(-pi)^3": "", "2^-1": "0.5", "(2/3)^-2": "2.25", "(-1/2)^3": "-0.125", "1^-5": "1",
		"sqrt(0)": "0", "sqrt(8)": "2.82842712474619", "sqrt(4/9)": "0.666666666666667 (2/3)", "sqrt(4/8)": "0.707106781186548", "sqrt(10^700)": "", "sqrt(1/10^700)": "",
		"sin(10^15)": "0.858272793170236", "sin(10^15+1)": "the angle is too large, at character 1 (\"sin(10^15+1)\")", "sin(0)": "0", "cos(0)": "1", "tan(0)": "0", "tan(1)": "1.5574077246549", "cos(pi)": "-1", "sin(2*pi)": "0", "sin(1)": "0.841470984807897", "tan(3*pi/2)": "a right angle has no tangent, at character 1 (\"tan(3*pi/2)\")",
		"pow(2, 3)": "8", "pow(2)": "pow takes 2 numbers, got 1, at character 1 (\"pow(2)\")", "round(1,2,3)": "round takes 1 or 2 numbers, got 3, at character 1 (\"round(1,2,3)\")", "gcd(1)": "gcd takes two numbers or more, got 1, at character 1 (\"gcd(1)\")",
		"sum(1;2)": "3", "sum(1 2)": "expected a comma or ), at character 7 (\"2)\")", "sum(1,)": "expected a number, at character 7 (\")\")",
	} {
		if got := calculated(t, expression); want != "" && got != want {
			t.Errorf("%s = %s, want %s", expression, got, want)
		}
	}
}

// Logarithms of powers are exact, so that rounding them down keeps the exponent.
func TestLogarithmsOfPowersAreExact(t *testing.T) {
	for n := -40; n <= 40; n++ {
		for expression, base := range map[string]int{"log(%d^(%d))": 10, "log10(%d^(%d))": 10, "log2(%d^(%d))": 2, "log(%d^(%d), 3)": 3, "log(%d^(%d), 7)": 7} {
			inner := fmt.Sprintf(expression, base, n)
			for _, outer := range []string{"floor(%s)", "ceil(%s)", "%s"} {
				if got := calculated(t, fmt.Sprintf(outer, inner)); got != fmt.Sprint(n) {
					t.Fatalf(outer+" = %s", inner, got)
				}
			}
		}
	}
	for _, expression := range []string{"floor(log(999))", "floor(log(1001/10))", "floor(log2(7))", "floor(log(80, 3)) - 1", "floor(ln(10))", "floor(log(2.5, 1.5))"} {
		if got := calculated(t, expression); got != "2" {
			t.Errorf("%s = %s", expression, got)
		}
	}
}

// Only parentheses within parentheses count as nesting: a long sum of short parts is not deep.
func TestOnlyNestingIsDeep(t *testing.T) {
	for part, sum := range map[string]int{"(1)+": 1, "abs(1)+": 1, "2^1+": 2, "max(1,(1))+": 1, "-(-1)+": 1, "1!+": 1} {
		if got := calculated(t, strings.Repeat("(", 1500)+"1"+strings.Repeat(")", 1500)); !strings.Contains(got, "nested too deep") {
			t.Error(got)
		}
		if got := calculated(t, strings.Repeat(part, 300)+"0"); got != fmt.Sprint(300*sum) {
			t.Errorf("%s… = %s", part, got)
		}
	}
}

// Large fractions are printed with 15 digits, and zeros after them up to 21 digits.
func TestLargeFractionsArePadded(t *testing.T) {
	for expression, want := range map[string]string{
		"10^14/3": "33333333333333.3 (100000000000000/3)", "10^15/3": "333333333333333 (1000000000000000/3)", "10^16/3": "3333333333333330 (10000000000000000/3)", "10^20/3": "33333333333333300000", "10^21/3": "333333333333333000000", "10^22/3": "3.33333333333333e+21", "-10^20/3": "-33333333333333300000",
	} {
		if got := calculated(t, expression); got != want {
			t.Errorf("%s = %s, want %s", expression, got, want)
		}
	}
}

// A used-up meter ends a calculation with its error wherever it is.
func TestCalculationsAreMetered(t *testing.T) {
	for _, expression := range []string{"1+1", "sqrt(2)", "max(1463!, 2)", "1463!", "7^3000", "(1463!)", "-1463!", "sum(1463!, 1463!)"} {
		whole := meter.New(meter.Budget{})
		if _, err := calculator.Calculate(expression, whole); err != nil {
			t.Fatal(expression, err)
		}
		spent := whole.Spent(meter.Steps)
		if spent == 0 {
			t.Errorf("%s costs nothing", expression)
			continue
		}
		var limit *meter.LimitError
		for _, steps := range []int64{1, spent / 2, spent - 1} {
			if steps < 1 {
				continue
			}
			if _, err := calculator.Calculate(expression, meter.New(meter.Budget{Steps: steps})); !errors.As(err, &limit) && steps < spent {
				t.Errorf("%s with %d of %d steps: %v", expression, steps, spent, err)
			}
		}
		if _, err := calculator.Calculate(expression, meter.New(meter.Budget{Steps: spent})); err != nil {
			t.Errorf("%s with its %d steps: %v", expression, spent, err)
		}
	}
}

// The limits are exact: of expressions, nesting, numbers and powers.
func TestLimitsOfExpressions(t *testing.T) {
	const long = "the number has more than 4000 digits"
	nested := func(n int) string { return strings.Repeat("(", n) + "1" + strings.Repeat(")", n) }
	for expression, want := range map[string]string{
		strings.Repeat(" ", calculator.MaxExpression-1) + "1": "1", strings.Repeat(" ", calculator.MaxExpression) + "1": "the expression has 4001 bytes; the maximum is 4000",
		nested(99): "1", nested(101): "the expression is nested too deeply", "10^3999 - 10^3999 + 1": "1", "1 + sqrt(-1)": "a negative number has no real square root, at character 5", "2^-20000": "the power has more than 4000 digits",
		"sum(9e3999, 9e3999, -9e3999)": long, "2 + 9e4000 * 1": long + ", at character 5", "lcm(2^13287, 3)": long, "lcm(2^13286, 2^13287, 3)": long, "2^13287 - 2^13287 + 1": "1",
		"(10^400)^0.5 / 10^200": "1", "floor(pi/pi * 10^15)": "1e+15", "floor(pi/pi * (10^15-1))": "999999999999999",
		"1/1234567890123456789": "8.1000000729e-19 (1/1234567890123456789)", "10^20 - 1/3": "100000000000000000000", "log9(2)": `unknown function "log9"`,
		"1,0000": "unexpected comma: write decimals with a point, and groups of three digits, at character 2", "1,0009": "unexpected comma: write decimals with a point, and groups of three digits, at character 2",
		"1,0005": "unexpected comma: write decimals with a point, and groups of three digits, at character 2",
	} {
		if got := calculated(t, expression); !strings.HasPrefix(got, want) || len(want) < 3 && got != want {
			t.Errorf("%.40s = %s, want %s", expression, got, want)
		}
	}
	for expression, fraction := range map[string]bool{"1/1234567890123456789": true, "1/12345678901234567891": false, "1/2^50": false, "1/2^50 + 1/3^20": false, "1/3^20": true} {
		if got := calculated(t, expression); strings.Contains(got, "(") != fraction {
			t.Errorf("%s = %s", expression, got)
		}
	}
}

// The tool has a name, and its arguments are an object with an expression.
func TestCalculatorIsATool(t *testing.T) {
	for name, want := range map[string]string{"": "Calculator", "Sum": "Sum"} {
		c := calculator.New(name)
		results := map[string]string{}
		if _, err := effects.Play(t, effects.None, func(env *process.Env) error {
			for _, arguments := range []string{`{"expression":"6*7"}`, `7`} {
				text, err := c.Call(env, json.RawMessage(arguments))
				var fault *tool.CallFault
				if errors.As(err, &fault) {
					text = fault.Code
				}
				results[arguments] = text
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if c.Name() != want || results[`{"expression":"6*7"}`] != "42" || results["7"] != tool.CodeArguments {
			t.Errorf("%s: %v", c.Name(), results)
		}
	}
}
