package apibank_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/apibank"
	"github.com/stile-playground/stile/core/internal/effort"
)

func TestCallsAreParsed(t *testing.T) {
	for _, c := range []struct{ text, name, input string }{
		{`[QueryMeeting(user_name='John')]`, "QueryMeeting", `{"user_name":"John"}`},
		{`[A()]`, "A", `{}`},
		{` [ A ( x = 1 , y = "two" , ) ] `, "A", `{"x":1,"y":"two"}`},
		{`[AddMeeting(attendees=['Mary', 'Peter'], n=3)]`, "AddMeeting", `{"attendees":["Mary","Peter"],"n":3}`},
		{`[A(list=['it's', "a 'nested' one", 'x, y', ['deep', []]])]`, "A", `{"list":["it's","a 'nested' one","x, y",["deep",[]]]}`},
		{`[A(x='It's fine, isn't it?', y='b')]`, "A", `{"x":"It's fine, isn't it?","y":"b"}`},
		{`[A(x='f(1, y=2)')]`, "A", `{"x":"f(1, y=2)"}`},
		{`[A(x="say \"hi\"", y='a\'b\\c\n')]`, "A", `{"x":"say \"hi\"","y":"a'b\\c\n"}`},
		{`[A(x='C:\dir')]`, "A", `{"x":"C:\\dir"}`},
		{`[天気(場所='東京、港区', Größe=3.5)]`, "天気", `{"場所":"東京、港区","Größe":3.5}`},
		{`[A(t=True, f=false, n=None, d={'a': 1, "b": [True]})]`, "A", `{"t":true,"f":false,"n":null,"d":{"a":1,"b":[true]}}`},
		{`[A(date=2023-06-08, word=hello world, no=007, sum=(1+2)*3)]`, "A", `{"date":"2023-06-08","word":"hello world","no":"007","sum":"(1+2)*3"}`},
		{`[A(x='', y='""')]`, "A", `{"x":"","y":"\"\""}`},
	} {
		got, fault := apibank.ParseCall(c.text)
		if fault != nil || got.Name != c.name || string(got.Input()) != c.input {
			t.Errorf("%s: %s%s %+v", c.text, got.Name, got.Input(), fault)
			continue
		}
		if again, fault := apibank.ParseCall(got.String()); fault != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s is written %s: %+v", c.text, got, fault)
		}
	}
}

func TestInvalidCallIsReportedAtItsPlace(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		says string
	}{
		{``, 0, `expected "[" at the beginning`}, {`A(x='1')`, 0, `expected "[" at the beginning`}, {`[(x=1)]`, 1, "name of a tool"}, {`[A x=1]`, 3, `expected "("`},
		{`[A(='1')]`, 3, "name of a parameter"}, {`[A('1')]`, 3, "name of a parameter"}, {`[A(x)]`, 4, `expected "="`}, {`[A(x=)]`, 5, "expected a value"},
		{`[A(x='1)]`, 5, "unterminated text"}, {`[A(x='1'`, 5, "unterminated text"}, {`[A(x=[1 [2])]`, 8, `"," or "]"`}, {`[A(x=1, x=2)]`, 8, "duplicate parameter"},
		{`[A(x={1: 2})]`, 7, "expected a quoted key"}, {`[A(x={'a' 2})]`, 6, "unterminated text"}, {`[A(x=1)`, 7, `expected "," or ")"`}, {`[A()`, 4, `expected "]"`}, {`[A(x=1)] and more`, 9, "has to go"},
		{`[A(é='ü' b=1)]`, 6, "unterminated text"},
	} {
		_, fault := apibank.ParseCall(c.text)
		if fault == nil || fault.Code != apibank.CodeCall || !strings.Contains(fault.Message, c.says) || int(fault.Span.Start) != c.at {
			t.Errorf("%s: %+v", c.text, fault)
		}
	}
	deep := "[A(x=" + strings.Repeat("[", 60) + strings.Repeat("]", 60) + ")]"
	if _, fault := apibank.ParseCall(deep); fault == nil || !strings.Contains(fault.Message, "too deep") {
		t.Errorf("%+v", fault)
	}
}

func TestAllCallsOfAnAnswerAreFound(t *testing.T) {
	calls, found := apibank.FindCalls("First [1] I think [so], then [A(x='[B(y=1)]')] and\n[C(z=[1, 2])]; not [D(x=] but [E()].")
	var names []string
	for _, c := range calls {
		names = append(names, c.Name)
	}
	if strings.Join(names, " ") != "A C E" || len(found) != 1 || !strings.Contains(found[0].Message, "expected") {
		t.Errorf("%v %+v", names, found)
	}
}

// Hostile answers do not make parsing slow.
func TestHostileAnswersAreReadInTime(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[A(x='", effort.Of(200_000)), "[A(x=" + strings.Repeat(" ", effort.Of(1_000_000)) + "a)]", "[A(x=" + strings.Repeat("a, ", effort.Of(300_000)) + ")]",
		"[A(x='" + strings.Repeat("' ", effort.Of(300_000)), strings.Repeat("[", effort.Of(1_000_000)), "[A(x=" + strings.Repeat("[[", effort.Of(100_000)),
	} {
		calls, found := apibank.FindCalls(text)
		if len(calls) > 1 || len(found) > 50 {
			t.Errorf("%d calls, %d diagnostics", len(calls), len(found))
		}
	}
}

// FuzzCall reads any text as a call, and finds calls in any text; the printed result
// parses to the same.
func FuzzCall(f *testing.F) {
	for _, text := range []string{
		`[AddMeeting(meeting_topic='Team Meeting', attendees=['Mary', "Peter's son"], floor=3)]`, `[A(x='It's', y={'a': [None]}, z=1e3)]`, `[A(x=a'b,c, y="\\\"")]`,
		"[A(x='\x80')] [B(", `[天(気='、')]`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, found := apibank.FindCalls(text)
		c, fault := apibank.ParseCall(text)
		if fault != nil {
			found = append(found, *fault)
		} else {
			calls = append(calls, c)
		}
		for _, d := range found {
			if d.Span.Start < 0 || d.Span.End < d.Span.Start || int(d.Span.End) > len(text) || d.Message == "" {
				t.Fatalf("%q: %+v", text, d)
			}
		}
		for _, c := range calls {
			again, fault := apibank.ParseCall(c.String())
			if fault != nil || !reflect.DeepEqual(again, c) || !utf8.ValidString(c.String()) && utf8.ValidString(text) {
				t.Fatalf("%q is written %q and read as %+v, %+v, not %+v", text, c.String(), again, fault, c)
			}
		}
	})
}

// FuzzTasks reads any text as tasks; every gold call of a parsed task can be executed.
func FuzzTasks(f *testing.F) {
	f.Add(`{"sample_id": 0, "requirement": "", "response": "a b", "api_calls": [{"api_name": "ToolSearcher", "input": {"keywords": "Do"}, "output": {"name": "Do"}}]}`)
	f.Add(`[{"apis": [{"api_name": "A", "input": {"a": [1, "x"]}, "output": {"output": {}, "exception": "no"}}]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		tasks, err := apibank.ReadTasks(text)
		if err != nil {
			return
		}
		s := apibank.NewSimulator(tasks)
		var list []apibank.Transcript
		for _, task := range tasks {
			made := apibank.Transcript{Sample: task.Sample, Response: task.Response}
			for _, g := range task.Calls {
				made.Calls = append(made.Calls, apibank.Made{Name: g.Name, Input: g.Input, Output: g.Output, Exception: g.Exception})
			}
			list = append(list, made)
		}
		scores, err := s.Score(list)
		if err != nil || scores.Accuracy.Count != scores.Accuracy.Of {
			t.Fatalf("%q: %v %+v", text, err, scores)
		}
	})
}
