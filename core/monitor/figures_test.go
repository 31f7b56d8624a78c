package monitor

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/stile-playground/stile/core/agent"
	wire "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/calculator"
)

// figure returns a transcript of a paper's figure.
func figure(t testing.TB, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "figures.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name == name {
			return strings.TrimSpace(string(f.Data))
		}
	}
	t.Fatalf("unknown figure %s", name)
	return ""
}

// replayed is a tool that returns the result in a figure.
type replayed struct {
	name string
	says map[string]string
}

func (r replayed) Name() string        { return r.name }
func (r replayed) Description() string { return "says what it said before" }
func (r replayed) Schema() wire.RawMessage {
	return wire.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)
}

func (r replayed) Call(_ *process.Env, arguments wire.RawMessage) (string, error) {
	var given struct{ Text string }
	if err := json.Unmarshal(arguments, &given); err != nil {
		return "", err
	}
	said, ok := r.says[given.Text]
	if !ok {
		return "", &tool.CallFault{Code: "test", Message: fmt.Sprintf("%s was not asked for %q", r.name, given.Text)}
	}
	return said, nil
}

// with returns a setup with these tools.
func (s Setup) with(tools ...tool.Callable) Setup {
	s.Tools = func() *tool.Registry {
		r := &tool.Registry{}
		for _, c := range tools {
			if err := r.Add(c); err != nil {
				panic(err)
			}
		}
		return r
	}
	return s
}

// play plays a run with a setup to its end.
func play(t testing.TB, s shipped, settings Settings, answers ...string) (*Transcript, []string, error) {
	t.Helper()
	return perform(t, s.agent, s.setup, settings, 1, person(t, answers))
}

// spoken splits a transcript into the model's replies: each ends after a prompt of the
// environment, and the contents of the environment are left out.
func spoken(text, prompt string) []string {
	var calls []string
	call := ""
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, prompt) {
			calls, call = append(calls, call+prompt), ""
			continue
		}
		call += line + "\n"
	}
	return append(calls, call)
}

func TestFiguresConformAsPublished(t *testing.T) {
	for _, c := range []struct {
		figure, agent string
		verdict       agent.Verdict
		state, reason string
	}{
		{"react-2024.txt", "react/react.agent", agent.VerdictValid, "", ""},
		{"pass-2024.txt", "pass/pass.agent", agent.VerdictValid, "", ""},
		{"react-2023.txt", "react/react-2023.agent", agent.VerdictValid, "", ""},
		{"prompt-2023.txt", "react/react-2023.agent", agent.VerdictValid, "", ""},
		{"ablation-2023.txt", "react-ablated/ablated.agent", agent.VerdictValid, "", ""},
		{"react-2023.txt", "react-ablated/ablated.agent", agent.VerdictValid, "", ""},
		// The ablated agent allows exactly the violation of the full one.
		{"ablation-2023.txt", "react/react-2023.agent", agent.VerdictInvalid, "Observation", `"Observation" is not allowed here; expected "Action-Input"`},
		{"pass-2024.txt", "react/react.agent", agent.VerdictInvalid, "Act", `"Act" is not allowed here; expected "Obs"`},
		{"react-2024.txt", "pass/pass.agent", agent.VerdictInvalid, "Plan", `"Plan" is not allowed here; expected "Act" or "Sum"`},
		{"react-2024.txt", "react/react-2023.agent", agent.VerdictIncomplete, "", ""},
	} {
		t.Run(c.figure+" "+c.agent, func(t *testing.T) {
			report := Check(find(t, c.agent).agent, figure(t, c.figure))
			if report.Verdict != c.verdict {
				t.Fatalf("%s: %+v", report.Verdict, report.Violation)
			}
			if v := report.Violation; v != nil && (v.State != c.state || v.Reason != c.reason) {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestReActFigureNeedsNoCorrection(t *testing.T) {
	text := figure(t, "react-2024.txt")
	s := find(t, "react/react.agent")
	s.setup = s.setup.with(
		replayed{"Search", map[string]string{"Milhouse": "Milhouse Mussolini Van Houten is a recurring character in ..."}},
		replayed{"Lookup", map[string]string{"named after": "(Result 1 / 1) Milhouse was named after U.S. president Richard Nixon, whose middle name was Milhous."}},
	)
	question, rest, _ := strings.Cut(text, "\n")
	settings := Settings{
		Question: strings.TrimPrefix(question, "[Question] "), Environment: EnvironmentTools,
		Model: llm.Spec{Kind: llm.KindScripted, Script: spoken(rest, "[Observation]")},
	}
	transcript, events, err := play(t, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	if transcript.Text != text || transcript.Stats.Violations != 0 || transcript.Stats.Calls != 3 || transcript.Answer != "Richard Nixon" {
		t.Errorf("%+v\n%s\n%s", transcript.Stats, transcript.Text, strings.Join(events, "\n"))
	}
}

func TestPASSCallsConcurrentlyAndSummarises(t *testing.T) {
	text := figure(t, "pass-2024.txt")
	s := find(t, "pass/pass.agent")
	s.setup = s.setup.with(replayed{"Search", map[string]string{
		"Yanka Dyagileva":      "Yana Stanislavovna Dyagileva (4 September 1966 – 9 May 1991) was a Russian poet and singer-songwriter.",
		"Alexander Bashlachev": "Alexander Nikolayevich Bashlachev (27 May 1960 – 17 February 1988) was a poet, rock musician and songwriter.",
	}})
	question, rest, _ := strings.Cut(text, "\n")
	calls := spoken(rest, "[Summary]")
	summary := "Yanka Dyagileva was born in 1966 while Alexander Bashlachev was born in 1960."
	settings := Settings{
		Question: strings.TrimPrefix(question, "[Question] "), Environment: EnvironmentTools,
		Model: llm.Spec{Kind: llm.KindScripted, Script: []string{calls[0], summary, calls[1]}},
	}
	transcript, events, err := play(t, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	if transcript.Text != text || transcript.Stats.Violations != 0 || transcript.Stats.ToolCalls != 2 || transcript.Stats.SideCalls != 1 {
		t.Errorf("%+v\n%s\n%s", transcript.Stats, transcript.Text, strings.Join(events, "\n"))
	}
	kept := only(events, "monitor.keep")
	if len(kept) != 1 || !strings.Contains(kept[0], `"kept":"summary","how":"rule","reason":"this kind of model reports no log-probabilities`) {
		t.Errorf("%v", kept)
	}
	side := only(events, "monitor.side")
	for _, part := range []string{"1. Yana Stan", "2. Alexander Nik", "Context: Who was born first", "Goal: I need to search Yanka"} {
		if len(side) != 1 || !strings.Contains(side[0], part) {
			t.Errorf("the prompt of the summary lacks %q: %v", part, side)
		}
	}
	settings.Keep = KeepResults
	settings.Model.Script = calls
	transcript, _, err = play(t, s, settings)
	if err != nil || !strings.HasPrefix(transcript.Segments[6].Text, "1. Yana Stanislavovna") || transcript.Stats.SideCalls != 0 {
		t.Errorf("%v %+v", err, transcript)
	}
}

func TestAblatedAgentFailsAndFullAgentIsCorrected(t *testing.T) {
	text := figure(t, "ablation-2023.txt")
	question, rest, _ := strings.Cut(text, "\n")
	settings := Settings{
		Question: strings.TrimPrefix(question, "Question: "), Environment: EnvironmentTools,
		Model: llm.Spec{Kind: llm.KindScripted, Script: spoken(rest, "Observation:")},
	}
	search := replayed{"Search", map[string]string{"Iron Henry": "The Frog Prince; or, Iron Henry is a German fairy tale."}}
	lookup := replayed{"Lookup", nil}
	s := find(t, "react-ablated/ablated.agent")
	s.setup = s.setup.with(search, lookup)
	transcript, events, err := play(t, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	if transcript.Stats.Violations != 0 || transcript.Stats.ToolCalls != 0 || strings.Count(transcript.Text, "Error: no action could be read") != 3 {
		t.Errorf("%s\n%s", transcript.Text, strings.Join(events, "\n"))
	}
	if !strings.HasSuffix(transcript.Text, "\nFinal Thought: Iron Man is the closest one") {
		t.Errorf("%s", transcript.Text)
	}
	s = find(t, "react/react-2023.agent")
	s.setup = s.setup.with(search, lookup)
	settings.Model.Script = []string{
		"Thought: I think Iron Man is the closest one.\nAction: Lookup\nObservation:", " Iron Henry\nObservation:",
		"Thought: I think Iron Man is the closest one.\nAction: Search\nObservation:", " Iron Henry\nObservation:",
		"Final Thought: Iron Man is the closest one", " The Frog Prince",
	}
	transcript, events, err = play(t, s, settings)
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(events, "\n"))
	}
	corrections := only(events, "monitor.correction")
	if len(corrections) != 2 || !strings.Contains(corrections[0], `"text":"Action Input:"`) || transcript.Stats.ToolCalls != 2 {
		t.Errorf("%v\n%s", corrections, transcript.Text)
	}
	if transcript.Answer != "The Frog Prince" || !strings.Contains(transcript.Text, "Observation: The Frog Prince; or, Iron Henry is") {
		t.Errorf("%s", transcript.Text)
	}
}

func TestReWOOMakesPlannedCallsAndAnswers(t *testing.T) {
	s := find(t, "rewoo/rewoo.agent")
	s.setup = s.setup.with(calculator.New("Calculator"), replayed{"Search", map[string]string{"hall": "A hall has 24 rows."}})
	settings := Settings{
		Question: "How many are sold?", Environment: EnvironmentTools,
		Model: llm.Spec{Kind: llm.KindScripted, Script: []string{
			"[Plan] rows\n[Action Label] #E1\n[Action] Search\n[Action Input] hall\n" +
				"[Plan] seats\n[Action Label] #E2\n[Action] Calculator\n[Action Input] 24 * 35\n" +
				"[Plan] sold\n[Action Label] #E3\n[Action] Calculator\n[Action Input] #E2 * 2 / 3\n" +
				"[Plan] more\n[Action Label] #E10\n[Action] Calculator\n[Action Input] #E3 + 16\n[Answer] 9999",
			"576",
		}},
	}
	transcript, events, err := play(t, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	if transcript.Answer != "576" || transcript.Stats.Calls != 1 || transcript.Stats.ToolCalls != 4 {
		t.Errorf("%+v\n%s", transcript, strings.Join(events, "\n"))
	}
	tools := only(events, "monitor.tool")
	if len(tools) != 4 || !strings.Contains(tools[3], `"label":"#E10","call":4,"tool":"Calculator","input":"560 + 16","output":"576"`) {
		t.Errorf("%v", tools)
	}
	side := only(events, "monitor.side")
	if len(side) != 1 || !strings.Contains(side[0], `#E3 Calculator[840 * 2 / 3]: 560`) {
		t.Errorf("%v", side)
	}
}

func TestReflexionUsesEvaluatorOfSettings(t *testing.T) {
	s := find(t, "reflexion/reflexion.agent")
	script := []string{
		"[Final Thought] a guess\n[Proposed Answer] the Jupiter.\n[Evaluation]", "[Reflection] look\n[Final Thought] better\n[Proposed Answer] Saturn\n[Evaluation]",
		"[Reflection] done\n[Answer] Saturn",
	}
	settings := Settings{Question: "most moons?", Environment: EnvironmentTools, Reference: "Saturn", Model: llm.Spec{Kind: llm.KindScripted, Script: script}}
	transcript, _, err := play(t, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	judged := judgements(transcript)
	if !slices.Equal(judged, []string{"incorrect", "correct"}) || transcript.Answer != "Saturn" {
		t.Errorf("%v %+v", judged, transcript)
	}
	settings.Reference = ""
	settings.Model.Script = []string{script[0], "incorrect: it is not.", script[1], "correct", script[2]}
	transcript, _, err = play(t, s, settings)
	if err != nil || transcript.Stats.SideCalls != 2 || !strings.Contains(transcript.Text, "[Evaluation] incorrect: it is not.") {
		t.Errorf("%v %+v", err, transcript)
	}
	settings.Evaluator, settings.Model.Script = EvaluatorPerson, script
	transcript, _, err = play(t, s, settings, "no", "yes")
	if err != nil || !strings.Contains(transcript.Text, "[Evaluation] yes") {
		t.Errorf("%v %+v", err, transcript)
	}
}

func TestChatEndsWithEmptyAnswer(t *testing.T) {
	s := find(t, "chatbot/chatbot.agent")
	settings := Settings{Question: "herbs", Environment: EnvironmentTools, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{" Which?\nUser:", "Chat Bot: Basil.\nUser:"}}}
	transcript, _, err := play(t, s, settings, "the sunny kind", "")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Chat Bot: Which?\nUser: the sunny kind\nChat Bot: Basil.\nUser: (nothing)"; transcript.Text != want {
		t.Errorf("%q", transcript.Text)
	}
}
