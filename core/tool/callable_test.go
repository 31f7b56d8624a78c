package tool_test

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// world answers the effects of a run; no answer leaves an effect open.
type world func(e process.Effect) []process.Answer

// value is an HTTP answer.
func value(e process.Effect, status int, body string, headers ...string) []process.Answer {
	v := process.HTTPValue{Status: status, Body: body, Headers: map[string]string{}}
	for i := 0; i < len(headers); i += 2 {
		v.Headers[headers[i]] = headers[i+1]
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return []process.Answer{{Effect: e.ID, Value: raw}}
}

func broken(e process.Effect, code string) []process.Answer {
	return []process.Answer{{Effect: e.ID, Error: &process.EffectError{Code: code, Message: "it broke off"}}}
}

// play runs a body in a world and returns the effects it asked for. Timers ring at
// once unless the world answers them.
func play(t *testing.T, w world, body func(env *process.Env) error) ([]process.Effect, error) {
	t.Helper()
	p := process.New(func(env *process.Env) (any, error) { return "", body(env) }, 1, meter.Budget{}, nil)
	var effects []process.Effect
	var answers []process.Answer
	for {
		out, err := p.Resume(answers, 0)
		if err != nil {
			t.Fatal(err)
		}
		answers = nil
		for _, e := range out.Effects {
			effects = append(effects, e)
			answers = append(answers, w(e)...)
		}
		switch out.State {
		case process.StateDone:
			return effects, nil
		case process.StateFailed:
			return effects, out.Err
		case process.StateWaiting:
			if len(answers) == 0 {
				t.Fatalf("the run waits for %v", effects[len(effects)-1])
			}
		}
	}
}

// run calls a tool of a registry once.
func run(t *testing.T, w world, r *tool.Registry, name, input string) tool.Result {
	t.Helper()
	var result tool.Result
	if _, err := play(t, w, func(env *process.Env) (err error) {
		result, err = r.RunText(env, name, input)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return result
}

func nothing(process.Effect) []process.Answer { return nil }

// fixed is a tool that gives a text.
type fixed struct{ name, schema, text string }

func (f fixed) Name() string            { return f.name }
func (f fixed) Description() string     { return "" }
func (f fixed) Schema() json.RawMessage { return json.RawMessage(f.schema) }
func (f fixed) Call(_ *process.Env, arguments json.RawMessage) (string, error) {
	return f.text + string(arguments), nil
}

func TestAnInputBecomesTheArguments(t *testing.T) {
	for _, c := range []struct{ name, schema, input, want string }{
		{"the only property", `{"properties":{"q":{"type":"string"}}}`, " named after ", `{"q":"named after"}`},
		{"the only one required", `{"properties":{"q":{"type":"string"},"n":{"type":"integer"}},"required":["q"]}`, "x", `{"q":"x"}`},
		{"an object as it is", `{"properties":{"q":{"type":"string"},"n":{"type":"integer"}},"required":["q"]}`, `{"q":"x","n":2}`, `{"q":"x","n":2}`},
		{"an object that is no object of it", `{"properties":{"q":{"type":"string"}}}`, `{a set}`, `{"q":"{a set}"}`},
		{"an object of other properties", `{"properties":{"q":{"type":"string"}}}`, `{"a":1}`, `{"q":"{\"a\":1}"}`},
		{"quotation marks are taken off", `{"properties":{"q":{"type":"string"}}}`, `"Beautiful"`, `{"q":"Beautiful"}`},
		{"digits are a text where a text is wanted", `{"properties":{"q":{"type":"string"}}}`, `42`, `{"q":"42"}`},
		{"digits are a number where one is wanted", `{"properties":{"q":{"type":"integer"}}}`, `42`, `{"q":42}`},
		{"what is no number is a text", `{"properties":{"q":{"type":"integer"}}}`, `x`, `{"q":"x"}`},
		{"a list", `{"properties":{"q":{"type":"array"}}}`, `[1,2]`, `{"q":[1,2]}`},
		{"a text or nothing", `{"properties":{"q":{"anyOf":[{"type":"null"},{"type":"string"}]}}}`, `null`, `{"q":"null"}`},
		{"a text by reference", `{"properties":{"q":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}`, `1`, `{"q":"1"}`},
		{"no properties", `{"type":"object"}`, "whatever", `{}`},
		{"no input", `{"properties":{"a":{},"b":{}}}`, "", `{}`},
		{"several properties", `{"properties":{"a":{},"b":{}}}`, "x", `tool.arguments: T takes a JSON object: {"a": …, "b": …}`},
		{"no object", `{"properties":{"a":{},"b":{}}}`, "{x", `tool.arguments: the input is no JSON object: invalid character 'x' looking for the beginning of a field's name`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tool.FromText(fixed{"T", c.schema, ""}, c.input)
			said := string(got)
			var fault *tool.CallFault
			if errors.As(err, &fault) {
				said = fault.Code + ": " + fault.Message
			}
			if said != c.want {
				t.Errorf("%s, want %s", said, c.want)
			}
		})
	}
}

func TestAToolIsFoundHoweverItsNameIsWritten(t *testing.T) {
	r := &tool.Registry{}
	for _, name := range []string{"Search", "Lookup", "get_forecast"} {
		if err := r.Add(fixed{name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add(fixed{name: "SEARCH"}); err == nil || err.Error() != `there are two tools named "SEARCH"; give one another name` {
		t.Error(err)
	}
	if err := r.Add(fixed{}); err == nil {
		t.Error("a tool without a name was taken")
	}
	for name, want := range map[string]string{
		"Search": "Search", " search ": "Search", "LOOKUP": "Lookup", "Look up": "Lookup", "Get Forecast": "get_forecast", "get-forecast": "get_forecast",
		"Serch":  `there is no tool "Serch"; did you mean Search? (there is Search, Lookup, get_forecast)`,
		"Finish": `there is no tool "Finish" (there is Search, Lookup, get_forecast)`,
	} {
		c, err := r.Find(name)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = c.Name()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	if _, err := (&tool.Registry{}).Find("x"); err == nil || err.Error() != `there is no tool "x"; there are no tools` {
		t.Error(err)
	}
}

func TestWhatGoesWrongIsATextForTheModelAndAFaultForTheLog(t *testing.T) {
	r := &tool.Registry{}
	if err := r.Add(fixed{"Echo", `{"type":"object","properties":{"q":{"type":"string","maxLength":3}},"required":["q"],"additionalProperties":false}`, ""}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, arguments, want, code string }{
		{"echo", `{"q":"abc"}`, `{"q":"abc"}`, ""},
		{"echo", ``, `Error: arguments.q: is missing`, tool.CodeArguments},
		{"echo", `{"q":"abcd"}`, `Error: arguments.q: has 4 characters, but at most 3 is wanted`, tool.CodeArguments},
		{"echo", `{"q":"a","p":1}`, `Error: arguments.p: is not known (there is q)`, tool.CodeArguments},
		{"echo", `{"q":`, `Error: arguments: are no JSON: unexpected end of JSON input`, tool.CodeArguments},
		{"eco", `{}`, `Error: there is no tool "eco"; did you mean Echo? (there is Echo)`, tool.CodeUnknown},
	} {
		var got tool.Result
		_, err := play(t, nothing, func(env *process.Env) (err error) {
			got, err = r.Run(env, c.tool, json.RawMessage(c.arguments))
			return err
		})
		code := ""
		if got.Err != nil {
			code = got.Err.Code
		}
		if err != nil || got.Text != c.want || code != c.code {
			t.Errorf("%s %s: %+v, %v", c.tool, c.arguments, got, err)
		}
	}
}

func TestALongResultSaysHowMuchWasLeftOut(t *testing.T) {
	long := strings.Repeat("Grüße ", 3000)
	for _, limit := range []int{0, 300, 301, 302, 303} {
		cut, left := tool.Cut(long, limit)
		if limit == 0 {
			limit = tool.DefaultLimit
		}
		kept, note, _ := strings.Cut(cut, " … ")
		if !strings.HasPrefix(long, kept) || len(kept) > limit || len(kept) < limit-40 || len(long)-len(kept)-left > 1 || !strings.HasSuffix(note, "KB more left out)") {
			t.Errorf("%d: %d kept, %d left, %q", limit, len(kept), left, note)
		}
	}
	if cut, left := tool.Cut("short", 10); cut != "short" || left != 0 {
		t.Error(cut, left)
	}
	if cut, left := tool.Cut("日本語日本語", 4); cut != "日 … (15 bytes more left out)" || left != 15 {
		t.Error(cut, left)
	}
	r := &tool.Registry{Limit: 200}
	if err := r.Add(fixed{"Long", "", long}); err != nil {
		t.Fatal(err)
	}
	if got := run(t, nothing, r, "Long", ""); got.Left != len(long)+2-len(got.Text)+len(" … (18 KB more left out)")-1 && got.Left < 17_000 {
		t.Errorf("%+v", got)
	}
}

func TestCalculations(t *testing.T) {
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

		"1/0": "nothing can be divided by zero, at character 2 (\"/0\")", "5 % 0": "nothing can be divided by zero, at character 3 (\"% 0\")", "0^-1": "zero has no negative powers, at character 2 (\"^-1\")",
		"9^9^9^9": "the power has more than 4000 digits, at character 4 (\"^9^9\")", "2^(10^30)": "the power has more than 4000 digits, at character 2 (\"^(10^30)\")",
		"1464!": "the factorial has more than 4000 digits, at character 5 (\"!\")", "1e5000": "the number has more than 4000 digits, at character 1 (\"1e5000\")", "exp(1000)": "the number is too large, at character 1 (\"exp(1000)\")",
		"2.5!": "only 0 and positive whole numbers have a factorial here, at character 4 (\"!\")", "(-8)^(1/3)": "a negative number has no real power like this, at character 5 (\"^(1/3)\")",
		"sqrt(-1)": "a negative number has no real square root, at character 1 (\"sqrt(-1)\")", "ln(0)": "only positive numbers have a logarithm, at character 1 (\"ln(0)\")", "asin(2)": "this is no real number, at character 1 (\"asin(2)\")",
		"cos(1e15)": "-0.51319373778697", "sin(10^15)": "0.858272793170236", "sin(1000000*pi)": "0", "cos(0.5)": "0.877582561890373",
		"cos(1e18)": "the angle is too large, at character 1 (\"cos(1e18)\")", "sin(1e400)": "the angle is too large, at character 1 (\"sin(1e400)\")",
		"tan(pi/2)": "a right angle has no tangent, at character 1 (\"tan(pi/2)\")", "exp(-1000)": "the number is too small, at character 1 (\"exp(-1000)\")", "e^-1000": "the number is too small, at character 2 (\"^-1000\")",
		"1e-400*pi": "the number is too small, at character 7 (\"*pi\")", "pi/1e400": "the number is too small, at character 3 (\"/1e400\")", "0*pi/1e400": "0", "pi-pi": "0", "exp(-700)*1e300": "9.85967654375977e-05",
		"pi*10^20 mod 3": "the quotient is too large for a remainder, at character 10 (\"mod 3\")",

		"": "there is no expression", "  ": "there is no expression", "1+": "a number is expected, at the end", "*2": "a number is expected, at character 1 (\"*2\")", "()": "a number is expected, at character 2 (\")\")",
		"(1+2": "this ( has no ), at character 1 (\"(1+2\")", "1+2)": "there is no ( for this ), at character 4 (\")\")", "max(1": "the ( of max has no ), at character 1 (\"max(1\")", "max()": "max takes one number or more, was given 0, at character 1 (\"max()\")",
		"foo(3)": "there is no function \"foo\", at character 1 (\"foo(3)\")", "sqr(4)": "there is no function \"sqr\"; did you mean sqrt?, at character 1 (\"sqr(4)\")", "sin 3": "sin takes its number in parentheses: sin(…), at character 1 (\"sin 3\")", "sin(1,2)": "sin takes one number, was given 2, at character 1 (\"sin(1,2)\")",
		"2(3)": "an operator is expected here, such as * or +, at character 2 (\"(3)\")", "1 234": "an operator is expected here, such as * or +, at character 3 (\"234\")", "1,23": "a comma is no decimal point, and thousands have three digits each, at character 2 (\",23\")", "1234,567": "a comma is no decimal point, and thousands have three digits each, at character 5 (\",567\")",
		"16-3-4=9": "only what stands before the = can be worked out; leave out the rest, at character 7 (\"=9\")", "5 apples": "an operator is expected here; write numbers and operators only, without units, at character 3 (\"apples\")", "1..2": "an operator is expected here, such as * or +, at character 3 (\".2\")", ".": "a number is expected, at character 1 (\".\")",
		"ä + 1": "there is no function \"ä\", at character 1 (\"ä + 1\")", "1 + ä": "there is no function \"ä\", at character 5 (\"ä\")",
	} {
		got, err := tool.Calculate(expression, nil)
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

func TestTheCalculatorEndsWhateverItIsGiven(t *testing.T) {
	for _, expression := range []string{
		strings.Repeat("(", 4000), strings.Repeat("-", 3999) + "1", strings.Repeat("9^", 1999) + "9", strings.Repeat("1463!*", 600) + "1", "1/" + strings.Repeat("1463!/", 600) + "7",
		strings.Repeat("sqrt(", 790) + "2", "2" + strings.Repeat("!", 3999), strings.Repeat("7^4000/3^4000+", 280) + "1", strings.Repeat("x", 5000),
	} {
		_, err := tool.Calculate(expression, meter.New(meter.Budget{}))
		var fault *tool.CallFault
		var limit *meter.LimitError
		if err != nil && !errors.As(err, &fault) && !errors.As(err, &limit) {
			t.Errorf("%.20s…: %v", expression, err)
		}
	}
}

// FuzzACalculationAgreesWithBigIntegers builds an expression of whole numbers from
// bytes, with and without parentheses, and works it out with math/big beside it.
func FuzzACalculationAgreesWithBigIntegers(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte("a longer text of bytes for an expression"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 60 {
			data = data[:60]
		}
		large := false
		text, want := expressionOf(&data, 0, &large)
		got, err := tool.Calculate(text, nil)
		if large {
			return // beyond the limit, on the way at least
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got != want.String() {
			t.Fatalf("%s = %s, want %s", text, got, want)
		}
	})
}

// expressionOf reads an expression from bytes and works it out.
func expressionOf(data *[]byte, depth int, large *bool) (text string, value *big.Int) {
	defer func() { *large = *large || value.BitLen() > tool.MaxDigits*3 }()
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

func TestAPersonIsATool(t *testing.T) {
	ask := func(p tool.Person, answer string) (string, process.Effect) {
		var text string
		effects, err := play(t, func(e process.Effect) []process.Answer {
			return []process.Answer{{Effect: e.ID, Value: json.RawMessage(answer)}}
		}, func(env *process.Env) (err error) {
			text, err = tool.NewPerson(p).Call(env, json.RawMessage(`{"question":"Why?"}`))
			var fault *tool.CallFault
			if errors.As(err, &fault) {
				text, err = "fault: "+fault.Code, nil
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return text, effects[0]
	}
	if text, e := ask(tool.Person{}, `"Because."`); text != "Because." || e.Question.Prompt != "Why?" || !e.Question.Multiline {
		t.Error(text, e)
	}
	if text, e := ask(tool.Person{Prompt: "It asks:", Choices: []string{"yes", "no"}}, `"2"`); text != "no" || e.Question.Prompt != "It asks:\n\nWhy?" || !slices.Equal(e.Question.Choices, []string{"yes", "no"}) {
		t.Error(text, e)
	}
	if text, _ := ask(tool.Person{}, `3`); text != "fault: "+tool.CodeAnswer {
		t.Error(text)
	}
}

func TestDeclaredToolsAreThereInEveryRunAnew(t *testing.T) {
	d, found := tool.ParseAgentTools(source.NewFile(tool.AgentToolsFile, `{"limit": 500, "tools": [{"calculator": {}}, {"wikipedia": {"lang": "de", "limit": 300}}, {"person": {"name": "Ask"}}, {"mcp": {"url": "https://a.example/mcp"}}]}`))
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	if got := strings.Join(d.Names(), " "); got != "Calculator Search Lookup Ask" {
		t.Error(got)
	}
	a, b := d.Registry(), d.Registry()
	if len(a.List()) != 4 || a.Limit != 500 || a.List()[1] == b.List()[1] {
		t.Errorf("%+v", a)
	}
	if got := run(t, nothing, a, "calculator", "6*7"); got.Text != "42" || got.Err != nil {
		t.Errorf("%+v", got)
	}
}
