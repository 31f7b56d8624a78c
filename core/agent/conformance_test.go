package agent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

func compile(t testing.TB, text string) *agent.Agent {
	t.Helper()
	spec, found := agent.Parse(source.NewFile("t.agent", text))
	a, more := agent.Compile(spec, meter.New(meter.Budget{}))
	if found = append(found, more...); a == nil || source.HasErrors(found) {
		t.Fatalf("%s\n%+v", text, found)
	}
	return a
}

// specText writes a specification.
func specText(states, envInput []string, behavior string) string {
	var b strings.Builder
	b.WriteString("(define a (:states")
	for _, s := range states {
		fmt.Fprintf(&b, " (%s (:text %s)", s, sexpr.Quote("["+s+"]"))
		if slices.Contains(envInput, s) {
			b.WriteString(" (:flags :env-input)")
		}
		b.WriteString(")")
	}
	return b.String() + ") (:behavior " + behavior + "))"
}

func sorted(list []string) []string {
	out := append([]string{}, list...)
	slices.Sort(out)
	return out
}

type specRecord struct {
	ID, Behavior string
	States       []string
	EnvInput     []string `json:"env_input"`
	FirstLast    []string `json:"first_last"`
	Complete     int      `json:"min_dfa_states_complete"`
	Trim         int      `json:"min_dfa_states_trim"`
	Words        []int    `json:"words_per_length_0_12"`
	Never        bool     `json:"never_terminates"`
	Sequences    []struct {
		Seq     []string
		Verdict string
		Next    []string
	}
}

func TestVerdictsOfConformanceData(t *testing.T) {
	sequences := 0
	for _, r := range conformance.Records[specRecord](t, "agentspec.jsonl") {
		a := compile(t, specText(r.States, r.EnvInput, r.Behavior))
		dead := 0
		for q := range a.DFA.NumStates() {
			if !a.Live(q) {
				dead++
			}
		}
		if a.DFA.NumStates() != r.Complete || a.DFA.NumStates()-dead != r.Trim || a.NeverEnds != r.Never {
			t.Errorf("%s: %d states, %d live, never ends %v; want %d, %d, %v", r.ID, a.DFA.NumStates(), a.DFA.NumStates()-dead, a.NeverEnds, r.Complete, r.Trim, r.Never)
		}
		for length, want := range r.Words {
			if got := countWords(a, length); got != want {
				t.Errorf("%s: %d words of length %d, want %d", r.ID, got, length, want)
			}
		}
		for _, s := range r.Sequences {
			sequences++
			verdict, next, violation := a.Verdict(s.Seq)
			if string(verdict) != s.Verdict || !slices.Equal(sorted(next), sorted(s.Next)) || (violation >= 0) != (verdict == agent.VerdictInvalid) {
				t.Errorf("%s: %v: %s %v (violation %d), want %s %v", r.ID, s.Seq, verdict, next, violation, s.Verdict, s.Next)
			}
		}
	}
	t.Logf("%d sequences", sequences)
}

func countWords(a *agent.Agent, length int) int {
	counts := make([]int, a.DFA.NumStates())
	counts[a.DFA.Start()] = 1
	for range length {
		after := make([]int, len(counts))
		for q, n := range counts {
			for letter := range a.States {
				after[a.DFA.Next(q, letter)] += n
			}
		}
		counts = after
	}
	total := 0
	for q, n := range counts {
		if a.DFA.Accepting(q) {
			total += n
		}
	}
	return total
}

func TestReleasedTracesHaveTheirVerdicts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "agent_specs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var specs map[string]map[string]string
	if err := json.Unmarshal(text, &specs); err != nil {
		t.Fatal(err)
	}
	agents := map[string]*agent.Agent{}
	for _, group := range specs {
		for name, text := range group {
			agents[name] = compile(t, text)
		}
	}
	type record struct {
		Spec, Kind string
		Sequence   []string
		Before     [][]string `json:"valid_before"`
		Violation  *int       `json:"first_violation"`
	}
	for _, r := range conformance.Records[record](t, "agent_spec_traces.jsonl") {
		a := agents[r.Spec]
		verdict, _, violation := a.Verdict(r.Sequence)
		want := -1
		if r.Violation != nil {
			want = *r.Violation
		}
		if violation != want || (r.Kind == "accepted") != (verdict == agent.VerdictValid) {
			t.Errorf("%s: %v: %s, violation %d; want %s, %d", r.Spec, r.Sequence, verdict, violation, r.Kind, want)
		}
		for i, before := range r.Before {
			prefix, next, _ := a.Verdict(r.Sequence[:i])
			// The release lists the first state as an end mark wherever a run is
			// complete; it is not a state that may follow.
			if prefix == agent.VerdictValid {
				before = slices.DeleteFunc(slices.Clone(before), func(s string) bool { return s == a.States[a.Start[0]].Name })
			}
			if !slices.Equal(sorted(next), sorted(before)) {
				t.Errorf("%s: after %v comes %v, want %v", r.Spec, r.Sequence[:i], next, before)
			}
		}
	}
}
