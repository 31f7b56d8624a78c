package monitor

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	_ "github.com/stile-playground/stile/core/internal/golden" // has the flag -update
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// shipped is an agent of the gallery with its workspace.
type shipped struct {
	name  string // folder/file
	agent *agent.Agent
	setup Setup
}

// gallery returns all agents of the gallery.
func gallery(t testing.TB) []shipped {
	t.Helper()
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	var out []shipped
	for _, e := range examples {
		for _, f := range e.Files {
			if workspace.KindOf(f.Name) == workspace.KindAgent {
				out = append(out, shipped{e.ID + "/" + f.Name, compile(t, f.Text), setupOf(t, e.Workspace())})
			}
		}
	}
	return out
}

func setupOf(t testing.TB, w workspace.Workspace) Setup {
	return Setup{
		File: func(name string) (string, bool) {
			f, ok := w.File(name)
			return f.Text, ok
		},
		Agent: func(name string) (*agent.Agent, error) {
			f, _ := w.File(name)
			return compile(t, f.Text), nil
		},
	}
}

// find returns an agent of the gallery.
func find(t testing.TB, name string) shipped {
	t.Helper()
	for _, s := range gallery(t) {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("unknown agent %s in the gallery", name)
	return shipped{}
}

var rates = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}

// ramble runs an agent with the rambler at a rate, checks every trace against the
// behaviour, and returns the expenses of the runs. An unfinished run has to end with a
// limit error.
func ramble(t *testing.T, s shipped, rate float64, seeds int, eager bool) (finished, limited int, stats Stats) {
	t.Helper()
	for seed := range uint64(seeds) {
		settings := Settings{Question: "who wrote it?", Eager: eager, Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: rate}}
		p := process.New(func(env *process.Env) (any, error) {
			transcript, err := Run(env, s.agent, s.setup, settings)
			if err == nil {
				conforms(t, s.agent, transcript)
				stats.add(transcript.Stats)
			}
			return nil, err
		}, seed, meter.Budget{Calls: 60}, nil)
		out, err := p.Resume(nil, 1<<40)
		switch {
		case err != nil:
			t.Fatal(err)
		case out.State == process.StateDone:
			finished++
		default:
			limit, ok := out.Err.(*meter.LimitError)
			if !ok || limit.Code() != "limit.calls" {
				t.Fatalf("%s at %v, seed %d: %s %v", s.name, rate, seed, out.State, out.Err)
			}
			limited++
		}
	}
	return finished, limited, stats
}

// meanOf is the number of runs below which a mean is not compared.
const meanOf = 20

// table returns the expenses of ramblers as a Markdown table, with the estimate for one
// call per state.
func table(t *testing.T, seeds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Ramblers, %d seeds each. Calls and tokens, both ways, are means of the runs that finished.\n", seeds)
	b.WriteString("Eager: a call for each state of the same traces. Run eagerly: the same model and seeds, really asked for each state.\n")
	b.WriteString("Where the model never writes two states in a row (Direct, Chat-bot, the ablated ReAct at most places) there is nothing to save.\n\n")
	b.WriteString("| agent | error rate | finished | limit.calls | calls | tokens | eager calls | eager tokens | share | run eagerly | kept | discarded | regenerated | given |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	shown := map[string]bool{}
	for _, s := range gallery(t) {
		key := s.agent.Name
		for _, state := range s.agent.States {
			key += "\n" + state.Text
		}
		if shown[key] {
			continue // several workspaces contain this agent
		}
		shown[key] = true
		for _, rate := range rates {
			finished, limited, st := ramble(t, s, rate, seeds, false)
			also, _, e := ramble(t, s, rate, seeds, true)
			n := max(finished, 1)
			ours, eager := st.Cost.Prompt+st.Cost.Completion, st.Cost.EagerPrompt+st.Cost.EagerCompletion
			// If the model never writes two states in a row nothing can be saved, and both
			// numbers are equal, except for rounding.
			alone := st.Cost.EagerCalls <= st.Calls
			if seeds >= meanOf && rate < 0.5 && (ours >= eager && !alone || ours > eager+eager/100) {
				t.Errorf("%s at %v: %d tokens in %d calls, eager %d in %d", s.name, rate, ours, st.Calls, eager, st.Cost.EagerCalls)
			}
			fmt.Fprintf(&b, "| %s | %v | %d | %d | %.1f | %d | %.1f | %d | %d %% | %d | %d | %d | %d | %d |\n", s.name, rate, finished, limited,
				float64(st.Calls)/float64(n), ours/n, float64(st.Cost.EagerCalls)/float64(n), eager/n, 100*ours/max(eager, 1),
				(e.Cost.Prompt+e.Cost.Completion)/max(also, 1), st.TokensKept/n, st.TokensDiscarded/n, st.TokensRegenerated/n, st.TokensGiven/n)
		}
	}
	return b.String()
}

func TestRamblersConformAtLowerCostThanEagerCalls(t *testing.T) {
	all := []int{effort.Of(meanOf)}
	if effort.Long() {
		all = []int{meanOf, 200}
	}
	for _, seeds := range all {
		got := table(t, seeds)
		if seeds < meanOf {
			continue // too few for a comparison in short tests; the traces conform
		}
		name := filepath.Join("testdata", fmt.Sprintf("cost-%d.md", seeds))
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs; run with -update to see the change", name)
		}
	}
}
