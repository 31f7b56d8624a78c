package monitor

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

const react = `(define react-agent
  (:states
    (Ques (:text "[Question]"))
    (Tht (:text "[Thought]"))
    (Act (:text "[Action]") (:one-of "Search" "Lookup"))
    (Act-Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Final-Tht (:text "[Final Thought]"))
    (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (next Tht Act Act-Inp Obs) Final-Tht) Ans)))`

func compile(t testing.TB, text string) *agent.Agent {
	t.Helper()
	spec, found := agent.Parse(source.NewFile("a.agent", text))
	a, more := agent.Compile(spec, nil)
	if found = append(found, more...); source.HasErrors(found) || a == nil {
		t.Fatalf("%s\n%v", text, found)
	}
	return a
}

// run plays a run to its end; answers are those of a person.
func run(t testing.TB, a *agent.Agent, s Settings, seed uint64, answers ...string) (*Transcript, []string, error) {
	t.Helper()
	return perform(t, a, Setup{}, s, seed, person(t, answers))
}

// person answers questions, and fails the test on another effect.
func person(t testing.TB, answers []string) func(process.Effect) []process.Answer {
	return func(e process.Effect) []process.Answer {
		if len(answers) == 0 || e.Question == nil {
			t.Fatalf("unexpected further question: %+v", e)
		}
		value, _ := json.Marshal(answers[0])
		answers = answers[1:]
		return []process.Answer{{Effect: e.ID, Value: value}}
	}
}

// perform plays a run to its end, with a function that performs its effects.
func perform(t testing.TB, a *agent.Agent, setup Setup, s Settings, seed uint64, effect func(process.Effect) []process.Answer) (*Transcript, []string, error) {
	t.Helper()
	p := process.New(func(env *process.Env) (any, error) { return Run(env, a, setup, s) }, seed, meter.Budget{}, nil)
	defer p.Stop()
	var events []string
	var answers []process.Answer
	for {
		out, err := p.Resume(answers, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range out.Events {
			events = append(events, string(e))
		}
		switch out.State {
		case process.StateDone:
			var transcript Transcript
			if err := json.Unmarshal(out.Result, &transcript); err != nil {
				t.Fatal(err)
			}
			return &transcript, events, nil
		case process.StateFailed:
			return nil, events, out.Err
		}
		answers = nil
		for _, e := range out.Effects {
			answers = append(answers, effect(e)...)
		}
	}
}

// conforms fails the test unless the text of a transcript, read again, has the same
// segments and is a complete run.
func conforms(t *testing.T, a *agent.Agent, transcript *Transcript) {
	t.Helper()
	report := Check(a, transcript.Text)
	if report.Violation != nil || report.Verdict != agent.VerdictValid {
		t.Fatalf("verdict %s, violation %+v in\n%s", report.Verdict, report.Violation, transcript.Text)
	}
	if len(report.Segments) != len(transcript.Segments) {
		t.Fatalf("the text has %d segments, the transcript %d:\n%s", len(report.Segments), len(transcript.Segments), transcript.Text)
	}
	for i, s := range report.Segments {
		if s.State != transcript.Segments[i].State || s.Text != transcript.Segments[i].Text {
			t.Fatalf("segment %d is %+v in the text, %+v in the transcript:\n%s", i, s, transcript.Segments[i], transcript.Text)
		}
	}
}

func TestRamblerRunsConform(t *testing.T) {
	a := compile(t, react)
	for _, rate := range []float64{0, 0.1, 0.5, 1} {
		violations, corrections := 0, 0
		for seed := range uint64(effort.Sample(1000, 200)) {
			transcript, _, err := run(t, a, Settings{
				Question: "who wrote it?", Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: rate}, Forced: seed%4 == 3,
			}, seed)
			if err != nil {
				t.Fatalf("rate %v, seed %d: %v", rate, seed, err)
			}
			conforms(t, a, transcript)
			violations += transcript.Stats.Violations
			corrections += transcript.Stats.Corrections
		}
		t.Logf("rate %v: %d violations, %d corrections", rate, violations, corrections)
		if (rate == 0) != (violations == 0) {
			t.Errorf("rate %v: %d violations", rate, violations)
		}
	}
}

// randomAgent draws a behaviour over states with similar prompts.
func randomAgent(random *rand.Rand) string {
	prompts := []string{"[A]", "[A B]", "[A", "Thought", "Thought:", "é[", "Act", "Action", "Action Input", "»"}
	random.Shuffle(len(prompts), func(i, j int) { prompts[i], prompts[j] = prompts[j], prompts[i] })
	n := 2 + random.IntN(4)
	var b strings.Builder
	b.WriteString("(define a (:states")
	for i := range n {
		fmt.Fprintf(&b, " (s%d (:text %q)", i, prompts[i])
		switch random.IntN(8) {
		case 0:
			b.WriteString(" (:flags :env-input)")
		case 1:
			b.WriteString(` (:one-of "left" "leftmost" "right")`)
		case 2:
			b.WriteString(` (:matches "[a-c]+ ?[0-9]{1,2}(, x)*")`)
		case 3:
			b.WriteString(` (:max-tokens 4)`)
		case 4:
			b.WriteString(` (:flags :empty)`)
		}
		b.WriteString(")")
	}
	var formula func(depth int) string
	formula = func(depth int) string {
		if depth == 0 || random.IntN(4) == 0 {
			return fmt.Sprintf("s%d", random.IntN(n))
		}
		switch random.IntN(5) {
		case 0:
			return fmt.Sprintf("(or %s %s)", formula(depth-1), formula(depth-1))
		case 1:
			return fmt.Sprintf("(until %s %s)", formula(depth-1), formula(depth-1))
		case 2:
			return fmt.Sprintf("(until_1_3 %s %s)", formula(depth-1), formula(depth-1))
		default:
			return fmt.Sprintf("(next %s %s)", formula(depth-1), formula(depth-1))
		}
	}
	fmt.Fprintf(&b, ") (:behavior %s))", formula(3))
	return b.String()
}

func TestRunsOfRandomAgentsConform(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []string{llm.KindUniform, llm.KindFirst, llm.KindRambler}
	for i := range effort.Of(600) {
		text := randomAgent(random)
		a := compile(t, text)
		s := Settings{
			Question: "what is [A] or Action?", Model: llm.Spec{Kind: kinds[i%3], ErrorRate: 0.4},
			Forced: random.IntN(3) == 0, Eager: random.IntN(4) == 0, Chunk: random.IntN(2) * random.IntN(20), MaxSteps: 1 + random.IntN(30), MaxTokens: 4 + random.IntN(200),
		}
		transcript, events, err := run(t, a, s, uint64(i))
		if err != nil {
			t.Fatalf("%s\n%v\n%s", text, err, strings.Join(events, "\n"))
		}
		report := Check(a, transcript.Text)
		if report.Verdict != agent.VerdictValid {
			t.Fatalf("%s\n%q\n%+v\n%s", text, transcript.Text, report.Violation, strings.Join(events, "\n"))
		}
		if len(report.Segments) != len(transcript.Segments) {
			t.Log(text, s.MaxTokens, strings.Join(events, "\n"))
		}
		conforms(t, a, transcript)
	}
}

func TestSeedDeterminesRun(t *testing.T) {
	a := compile(t, react)
	s := Settings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.5}}
	_, first, err := run(t, a, s, 7)
	if err != nil {
		t.Fatal(err)
	}
	_, second, _ := run(t, a, s, 7)
	_, other, _ := run(t, a, s, 8)
	if !slices.Equal(first, second) {
		t.Error("two runs with one seed differ")
	}
	if slices.Equal(first, other) {
		t.Error("two seeds lead to equal runs")
	}
}

func script(texts ...string) Settings {
	return Settings{Question: "q", Model: llm.Spec{Kind: llm.KindScripted, Script: texts}}
}

// only returns the events of these kinds, in their order.
func only(events []string, kinds ...string) []string {
	var out []string
	for _, e := range events {
		for _, k := range kinds {
			if strings.Contains(e, `"kind":"`+k+`"`) {
				out = append(out, e)
			}
		}
	}
	return out
}

func TestCorrectionIsLongestCommonPrefix(t *testing.T) {
	a := compile(t, `(define a (:states
		(T (:text "[Thought]")) (A (:text "[Action]")) (I (:text "[Action Input]")) (E (:text "[End]")))
		(:behavior (next T (or A I) E)))`)
	transcript, events, err := run(t, a, script("[Thought] hm\n[End] too early", " Input] x\n[End] now"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := "[Thought] hm\n[Action Input] x\n[End] now"; transcript.Text != want {
		t.Errorf("the text is %q, not %q", transcript.Text, want)
	}
	corrections := only(events, "monitor.correction")
	if len(corrections) != 1 || !strings.Contains(corrections[0], `"text":"[Action"`) || !strings.Contains(corrections[0], `"allowed":["A","I"]`) {
		t.Errorf("corrections: %v", corrections)
	}
	violations := only(events, "monitor.violation")
	if len(violations) != 1 || !strings.Contains(violations[0], `"discarded":"[End]`) {
		t.Errorf("violations: %v", violations)
	}
}

func TestMonitorCorrectsText(t *testing.T) {
	tests := []struct {
		name   string
		script []string
		want   string
	}{
		{"a model that keeps to it is left alone",
			[]string{"[Final Thought] easy\n[Answer] 42"},
			"[Question] q\n[Final Thought] easy\n[Answer] 42"},
		{"chatter before a prompt goes, and what follows it stays",
			[]string{"Sure!\n[Final Thought] easy\n[Answer] 42"},
			"[Question] q\n[Final Thought] easy\n[Answer] 42"},
		{"chatter before a prompt that may not come goes with it",
			[]string{"Sure!\n[Answer] easy", "Final Thought] easy\n[Answer] 42"},
			"[Question] q\n[Final Thought] easy\n[Answer] 42"},
		{"nothing but chatter goes",
			[]string{"Sure!\nLet me think.", "Final Thought] easy\n[Answer] 42"},
			"[Question] q\n[Final Thought] easy\n[Answer] 42"},
		{"one permitted state is given whole",
			[]string{"[Final Thought] easy\n[Thought] more", " 42"},
			"[Question] q\n[Final Thought] easy\n[Answer] 42"},
		{"the model may stop early",
			[]string{"[Final Thought] easy", " 42"},
			"[Question] q\n[Final Thought] easy\n[Answer] 42"},
		{"what comes after the end goes",
			[]string{"[Final Thought] easy\n[Answer] 42\n[Question] next?"},
			"[Question] q\n[Final Thought] easy\n[Answer] 42"},
		{"a content off the list is led back to it",
			[]string{"[Thought] t\n[Action] Looking\n[Action Input]", "\n[Action Input] x", "[Final Thought] f\n[Answer] a"},
			"[Question] q\n[Thought] t\n[Action] Lookup\n[Action Input] x\n[Observation] …\n[Final Thought] f\n[Answer] a"},
		{"words after a permitted content go",
			[]string{"[Thought] t\n[Action] Search the web\n", "[Action Input] x\n", "[Final Thought] f\n[Answer] a"},
			"[Question] q\n[Thought] t\n[Action] Search\n[Action Input] x\n[Observation] …\n[Final Thought] f\n[Answer] a"},
		{"an invented observation is not kept",
			[]string{"[Thought] t\n[Action] Search\n[Action Input] x\n[Observation] I made this up", "[Final Thought] f\n[Answer] a"},
			"[Question] q\n[Thought] t\n[Action] Search\n[Action Input] x\n[Observation] …\n[Final Thought] f\n[Answer] a"},
		{"a model that begins a prompt anew is understood",
			[]string{"[Answer] 42", "[Final Thought] f\n[Answer] a"},
			"[Question] q\n[Final Thought] f\n[Answer] a"},
		{"an empty content is asked for again",
			[]string{"[Final Thought]\n[Answer] 42", " f\n[Answer] a"},
			"[Question] q\n[Final Thought] f\n[Answer] a"},
		{"a prompt in another letter case is no prompt",
			[]string{"[final thought] f", "Final Thought] f\n[Answer] a"},
			"[Question] q\n[Final Thought] f\n[Answer] a"},
	}
	a := compile(t, react)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			transcript, events, err := run(t, a, script(test.script...), 3)
			if err != nil {
				t.Fatalf("%v\n%s", err, strings.Join(events, "\n"))
			}
			conforms(t, a, transcript)
			lines := strings.Split(transcript.Text, "\n")
			for i, line := range lines {
				if strings.HasPrefix(line, "[Observation]") {
					lines[i] = "[Observation] …"
				}
			}
			if got := strings.Join(lines, "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s\n%s", got, test.want, strings.Join(events, "\n"))
			}
		})
	}
}

func TestEnvironmentTextIsNeverAState(t *testing.T) {
	a := compile(t, react)
	s := script("[Thought] t\n[Action] Search\n[Action Input] x\n", "[Final Thought] f\n[Answer] a")
	s.Question, s.Environment = "is [Answer] 42?", EnvironmentPerson
	transcript, _, err := run(t, a, s, 1, "look: [Answer] 7")
	if err != nil {
		t.Fatal(err)
	}
	conforms(t, a, transcript)
	if got := transcript.Segments[4].Text; got != "look: [·Answer] 7" {
		t.Errorf("the observation is %q", got)
	}
}

func TestLongRunTakesShortestWay(t *testing.T) {
	a := compile(t, `(define a (:states (T (:text "T:")) (E (:text "E:"))) (:behavior (until T E)))`)
	s := script(strings.Repeat("\nT: again", 30), " done")
	s.MaxSteps = 5
	transcript, _, err := run(t, a, s, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(transcript.Segments) != 6 || transcript.Segments[5].State != "E" {
		t.Errorf("%+v", transcript.Segments)
	}
}

func TestAgentWithoutEndStopsWhereAllowed(t *testing.T) {
	a := compile(t, `(define chat (:states (U (:text "User:") (:flags :env-input)) (B (:text "Bot:"))) (:behavior (always (next U B))))`)
	transcript, _, err := run(t, a, Settings{Question: "hello", Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.3}, MaxSteps: 9}, 1)
	if err != nil {
		t.Fatal(err)
	}
	conforms(t, a, transcript)
	if n := len(transcript.Segments); n == 0 || n > 11 {
		t.Errorf("%d segments", n)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	a := compile(t, react)
	for code, s := range map[string]Settings{
		"monitor.settings": {Environment: "moon", Model: llm.Spec{Kind: llm.KindFirst}},
		"llm.spec":         {Model: llm.Spec{Kind: "firts"}},
		"llm.script":       script("[Thought] t"),
	} {
		_, _, err := run(t, a, s, 1)
		var coded interface{ Code() string }
		if coded, _ = err.(interface{ Code() string }); coded == nil || coded.Code() != code {
			t.Errorf("%s: got %v", code, err)
		}
	}
}
