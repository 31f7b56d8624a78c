package tool_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
)

// run calls a tool of a registry once.
func run(t *testing.T, w effects.World, r *tool.Registry, name, input string) tool.Result {
	t.Helper()
	var result tool.Result
	if _, err := effects.Play(t, w, func(env *process.Env) (err error) {
		result, err = r.RunText(env, name, input)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return result
}

// fixed is a tool that returns a text.
type fixed struct{ name, schema, text string }

func (f fixed) Name() string { return f.name }

func (f fixed) Description() string { return "" }

func (f fixed) Schema() json.RawMessage { return json.RawMessage(f.schema) }

func (f fixed) Call(_ *process.Env, arguments json.RawMessage) (string, error) {
	return f.text + string(arguments), nil
}

func TestFindIgnoresCaseAndSeparators(t *testing.T) {
	r := &tool.Registry{}
	for _, name := range []string{"Search", "Lookup", "get_forecast"} {
		if err := r.Add(fixed{name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add(fixed{name: "SEARCH"}); err == nil || err.Error() != `duplicate tool name "SEARCH"; rename one of the tools` {
		t.Error(err)
	}
	if err := r.Add(fixed{}); err == nil {
		t.Error("a tool without a name was taken")
	}
	for name, want := range map[string]string{
		"Search": "Search", " search ": "Search", "LOOKUP": "Lookup", "Look up": "Lookup", "Get Forecast": "get_forecast", "get-forecast": "get_forecast",
		"Serch":  `unknown tool "Serch"; did you mean Search? (expected Search, Lookup, get_forecast)`,
		"Finish": `unknown tool "Finish" (expected Search, Lookup, get_forecast)`,
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
	if _, err := (&tool.Registry{}).Find("x"); err == nil || err.Error() != `unknown tool "x"; no tools are declared` {
		t.Error(err)
	}
}

func TestRunReportsFaultsAsTextAndCode(t *testing.T) {
	r := &tool.Registry{}
	if err := r.Add(fixed{"Echo", `{"type":"object","properties":{"q":{"type":"string","maxLength":3}},"required":["q"],"additionalProperties":false}`, ""}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, arguments, want, code string }{
		{"echo", `{"q":"abc"}`, `{"q":"abc"}`, ""},
		{"echo", ``, `Error: arguments.q: is missing`, tool.CodeArguments},
		{"echo", `{"q":"abcd"}`, `Error: arguments.q: has more than 3 characters; it has 4`, tool.CodeArguments},
		{"echo", `{"q":"a","p":1}`, `Error: arguments.p: is unknown; expected: "q"`, tool.CodeArguments},
		{"echo", `{"q":`, `Error: arguments: are not JSON: unexpected end of JSON input`, tool.CodeArguments},
		{"eco", `{}`, `Error: unknown tool "eco"; did you mean Echo? (expected Echo)`, tool.CodeUnknown},
	} {
		var got tool.Result
		_, err := effects.Play(t, effects.None, func(env *process.Env) (err error) {
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

func TestCutReportsTheOmittedBytes(t *testing.T) {
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
	// A text that is not longer than the limit is unchanged, and bytes that are not valid UTF-8 are
	// cut, too.
	if cut, left := tool.Cut("short", 5); cut != "short" || left != 0 {
		t.Error(cut, left)
	}
	if cut, left := tool.Cut(strings.Repeat("\x80", 9), 4); cut != " … (9 bytes more left out)" || left != 9 {
		t.Errorf("%q, %d", cut, left)
	}
	r := &tool.Registry{Limit: 200}
	if err := r.Add(fixed{"Long", "", long}); err != nil {
		t.Fatal(err)
	}
	if got := run(t, effects.None, r, "Long", ""); got.Left != len(long)+2-len(got.Text)+len(" … (18 KB more left out)")-1 && got.Left < 17_000 {
		t.Errorf("%+v", got)
	}
}

// A text is cut at the end of a word if one of the last 39 bytes is a space, and anywhere else
// otherwise: a long word must not remove more.
func TestCutKeepsWords(t *testing.T) {
	const limit = 100
	for space := range limit + 1 {
		text := strings.Repeat("a", space) + " " + strings.Repeat("b", limit)
		want := limit
		if space > limit-40 {
			want = space
		}
		cut, left := tool.Cut(text, limit)
		if kept, _, _ := strings.Cut(cut, " … "); kept != text[:want] || left != len(text)-want {
			t.Errorf("a space at %d: %q is kept, %d bytes are left", space, kept, left)
		}
	}
	// A space at the beginning ends no word.
	if cut, left := tool.Cut(" abcdefgh", 5); cut != " abcd … (4 bytes more left out)" || left != 4 {
		t.Errorf("%q, %d", cut, left)
	}
}

func TestPersonHasANameAndADescription(t *testing.T) {
	for _, c := range []struct {
		person            tool.Person
		name, description string
	}{
		{tool.Person{}, "Ask", "Asks a person and gives the answer."},
		{tool.Person{Label: "Boss", About: "Decides."}, "Boss", "Decides."},
	} {
		if p := tool.NewPerson(c.person); p.Name() != c.name || c.person.Name() != c.name || p.Description() != c.description {
			t.Errorf("%q: %q", p.Name(), p.Description())
		}
	}
}

func TestPersonAsksAndReturnsTheAnswer(t *testing.T) {
	ask := func(p tool.Person, answer string) (string, process.Effect) {
		var text string
		effects, err := effects.Play(t, func(e process.Effect) []process.Answer {
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
