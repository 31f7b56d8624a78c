package monitor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
)

func TestOnlyValueOfArguments(t *testing.T) {
	for text, want := range map[string]string{`{"a":"b"}`: "b", `{"a":3}`: "3", `{"a":{"b":1}}`: `{"b":1}`, `{}`: `{}`, `{"a":1,"b":2}`: `{"a":1,"b":2}`, `x`: "x", `[1]`: `[1]`} {
		if got := onlyValue(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for name, want := range map[string]string{"Web-Search_2": "websearch2", "": "", "--": "", "Über": "über"} {
		if got := agent.PlainName(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The worse of two verdicts is the later one in the order of the documentation.
func TestWorseVerdicts(t *testing.T) {
	order := []agent.Verdict{agent.VerdictValid, agent.VerdictIncomplete, VerdictFault, VerdictUnread, VerdictViolated, agent.VerdictInvalid}
	for i, a := range order {
		for j, b := range order {
			if got := Worse(a, b); got != order[max(i, j)] {
				t.Errorf("%s, %s: %s", a, b, got)
			}
		}
		want := order[max(i, 3)]
		if got := (Report{Verdict: a, Unread: []Unread{{}}}).Overall(); got != want || (Report{Verdict: a}).Overall() != a {
			t.Errorf("%s: %s", a, got)
		}
	}
}

func TestNamesInMessages(t *testing.T) {
	names := strings.Fields("a b c d e f g h i j k")
	for n, want := range map[int]string{1: `"a"`, 2: `"a" or "b"`, 3: `"a", "b" or "c"`, 8: `"a", "b", "c", "d", "e", "f", "g" or "h"`, 9: `"a", "b", "c", "d", "e", "f", "g", "h" or one of 1 more`, 11: `"a", "b", "c", "d", "e", "f", "g", "h" or one of 3 more`} {
		if got := list(names[:n]); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	if got := StateReason("a", nil); got != `"a" is not allowed after the end of the run` {
		t.Error(got)
	}
	if got := StateReason("a", names[:2]); got != `"a" is not allowed here; expected "a" or "b"` {
		t.Error(got)
	}
	text := "aéb€"
	for n := 0; n <= len(text); n++ {
		want := n
		for want > 0 && want < len(text) && !strings.HasPrefix(text[want:], string([]rune(text[want:])[0])) {
			want--
		}
		if n == len(text) {
			continue
		}
		if got := commonRune(text, n); got != want {
			t.Errorf("%d: %d, not %d", n, got, want)
		}
	}
}

// partsIn returns the parts of a trace with one conversation.
func partsIn(t *testing.T, text string) []Part {
	t.Helper()
	read, err := Open(source.NewFile("trace.json", text), "").Runs()
	if err != nil || len(read.Unread) > 0 || len(read.Conversations) != 1 {
		t.Fatalf("%+v, %v", read, err)
	}
	return read.Conversations[0].Parts
}

// partsOf builds a conversation from words: c1 is a call, r1 its result, t a text, u a message.
func partsOf(words string) (out []Part) {
	for i, w := range strings.Fields(words) {
		p := Part{Kind: map[byte]string{'c': PartCall, 'r': PartResult, 't': PartText, 'u': PartUser}[w[0]], Turn: i, Text: w}
		switch p.Kind {
		case PartCall, PartResult:
			p.ID, p.Tool = w[1:], "f"
		}
		out = append(out, p)
	}
	return out
}

// Results of concurrent calls are moved after their calls; all other parts keep their order.
func TestOrderOfConcurrentCalls(t *testing.T) {
	for words, want := range map[string]string{
		"": "", "u t": "", "c1 r1": "", "c1 c2": "", "u c1 c2 r1 r2 t": "u c1 r1 c2 r2 t", "c1 c2 r2 r1": "c1 r1 c2 r2", "c1 c2 c3 r3 r1": "c1 r1 c2 c3 r3",
		"c1 r1 c2 r2": "", "c1 c2 r1 t r2": "c1 r1 c2 t r2", "c1 c2 r1 r1 r2": "c1 r1 c2 r1 r2", "c1 c2 r9": "", "c1 c2 r9 r1": "c1 r1 c2 r9", "c1 c2 r1 r2 c3 c4 r4 r3": "c1 r1 c2 r2 c3 r3 c4 r4", "c1 c2 t c3 c4 r3 r4": "c1 c2 t c3 r3 c4 r4",
	} {
		parts := partsOf(words)
		order := callOrder(parts)
		var got []string
		for _, i := range order {
			got = append(got, parts[i].Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, not %s", words, got, want)
		}
		if order != nil {
			sorted := slices.Clone(order)
			slices.Sort(sorted)
			for i, k := range sorted {
				if i != k || len(sorted) != len(parts) {
					t.Errorf("%s: no permutation: %v", words, order)
				}
			}
		}
	}
	for words, want := range map[string]int{"": -1, "t": 0, "u t": 1, "t c1": -1, "t c1 r1": -1, "t u": 0, "c1 r1 t u": 2, "t t": 1} {
		if got := FinalPart(partsOf(words)); got != want {
			t.Errorf("%s: %d", words, got)
		}
	}
}

// A conversation is a run of the agent, with implied thoughts; mappings select other states.
func TestConversationsAreMappedToStates(t *testing.T) {
	a := find(t, "react/calculate.agent").agent
	const calc = `{"role":"assistant","content":%s,"tool_calls":[{"id":"1","function":{"name":"Calculator","arguments":"{\"e\":\"1+1\"}"}}]},{"role":"tool","tool_call_id":"1","content":"2"}`
	call := func(thought string) string { return fmt.Sprintf(calc, thought) }
	user, answer := `{"role":"user","content":"q"}`, `{"role":"assistant","content":"two"}`
	for _, c := range []struct {
		text    string
		mapping []Mapping
		want    string
		verdict agent.Verdict
	}{
		{"[" + user + "," + call("null") + "," + answer + "]", nil, "Ques=q Tht*= Act=Calculator Act-Inp=1+1 Obs=2 Final-Tht*= Ans=two", agent.VerdictValid},
		{"[" + user + "," + call(`"so"`) + "," + answer + "]", nil, "Ques=q Tht=so Act=Calculator Act-Inp=1+1 Obs=2 Final-Tht*= Ans=two", agent.VerdictValid},
		{"[" + user + "," + answer + "]", nil, "Ques=q Final-Tht*= Ans=two", agent.VerdictValid},
		{"[" + user + "," + call(`"so"`) + "]", nil, "Ques=q Tht=so Act=Calculator Act-Inp=1+1 Obs=2", agent.VerdictIncomplete},
		{"[" + user + "," + user + "]", nil, "Ques=q Ques=q", agent.VerdictInvalid},
		{"[" + user + "," + strings.Replace(call("null"), "1+1", "one", 1) + "," + answer + "]", nil, "Ques=q Tht*= Act=Calculator Act-Inp=one Obs=2 Final-Tht*= Ans=two", agent.VerdictInvalid},
		{"[" + user + "," + strings.ReplaceAll(call("null"), "Calculator", "Search") + "," + answer + "]", nil, "Ques=q Tht*= Act=Search Act-Inp=1+1 Obs=2 Final-Tht*= Ans=two", agent.VerdictInvalid},
		{"[" + user + "," + answer + "]", []Mapping{{Part: PartFinal, States: []string{"Final-Tht", "Ans"}}}, "Ques=q Final-Tht*= Ans=two", agent.VerdictValid},
		{"[" + user + "," + answer + "]", []Mapping{{Part: PartUser}}, "Final-Tht=two", agent.VerdictInvalid},
		{"[" + user + "," + call("null") + "," + answer + "]", []Mapping{{Part: PartCall, Tool: "Other", States: []string{"Obs"}}, {Part: PartCall, Tool: "Calculator"}, {Part: PartResult}}, "Ques=q Final-Tht*= Ans=two", agent.VerdictValid},
		{`[{"role":"user","content":"q"},{"role":"assistant","content":"[Thought] so [Action] Calculator [Action Input] 1+1"}]`, nil, "Ques=q Tht=so Act=Calculator Act-Inp=1+1", agent.VerdictIncomplete},
	} {
		parts := partsIn(t, c.text)
		mapped, report, err := MapTrace(a, parts, c.mapping, Roles{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range mapped {
			mark := ""
			if m.Implied {
				mark = "*"
			}
			got = append(got, m.State+mark+"="+m.Text)
		}
		if strings.Join(got, " ") != c.want && c.verdict != agent.VerdictInvalid || report.Verdict != c.verdict || (report.Violation != nil) != (c.verdict == agent.VerdictInvalid) {
			t.Errorf("%s: %v, %s", c.text, got, report.Verdict)
		}
	}
	for _, m := range []Mapping{{Part: "deed"}, {Part: PartCall, States: []string{"Akt"}}} {
		if _, _, err := MapTrace(a, nil, []Mapping{m}, Roles{}); err == nil || !strings.Contains(err.Error(), "unknown") || m.Part == PartCall && !strings.HasSuffix(err.Error(), `; did you mean "Act"?`) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// A text of a model without a state for texts is not read as another state.
func TestTextsWithoutAStateAreNoActions(t *testing.T) {
	a := compile(t, `(define say (:states (Q (:text "[Question]")) (Act (:text "[Action]")) (Obs (:text "[Observation]") (:flags :env-input))) (:behavior (next Q Act Obs)))`)
	text := `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"hm"}]}`
	judged, err := JudgeTrace(a, source.NewFile("t.jsonl", text), "jsonl", nil, Roles{})
	if err != nil || len(judged.Conversations) != 1 {
		t.Fatal(judged, err)
	}
	if c := judged.Conversations[0]; c.Verdict != agent.VerdictIncomplete || len(c.Mapped) != 1 || c.Mapped[0].State != "Q" {
		t.Errorf("%s: %+v", c.Verdict, c.Mapped)
	}
}
