package monitor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// spoil makes one mistake in a transcript.
func spoil(random *rand.Rand, s shipped, text string, segments []Segment) string {
	g := segments[random.IntN(len(segments))]
	state := s.agent.States[s.agent.Index(g.State)]
	other := s.agent.States[random.IntN(len(s.agent.States))].Text
	begin, end := int(g.Span.Start), int(g.Span.End)
	content := begin + len(state.Text)
	switch random.IntN(7) {
	case 0: // a state is left out
		return text[:begin] + strings.TrimLeft(text[end:], "\n")
	case 1: // it is duplicated
		return text[:end] + "\n" + text[begin:end] + text[end:]
	case 2: // it is another
		return text[:begin] + other + text[content:]
	case 3: // its content is another
		return text[:content] + " something else, long enough to be too long wherever there is a limit" + text[end:]
	case 4: // it is empty
		return text[:content] + text[end:]
	case 5: // the end is missing
		return text[:end]
	default: // something comes after the end
		return text + "\n" + other + " more"
	}
}

func apply(text string, f source.Fix) string {
	for i := len(f.Edits) - 1; i >= 0; i-- {
		e := f.Edits[i]
		text = text[:e.Span.Start] + e.Text + text[e.Span.End:]
	}
	return text
}

// Each fault of an example is reported with a reason and a fix, after which the example is
// correct or its first fault is later.
func TestExampleFaultsHaveFixes(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	faults := 0
	for _, s := range gallery(t) {
		spec := s.agent
		for i := range effort.Sample(300, 60) {
			transcript := acted(t, s, uint64(i))
			bad := spoil(random, s, transcript.Text, Check(spec, transcript.Text).Segments)
			before := CheckRuns(spec, bad)
			for _, d := range CheckExamples(spec, bad) {
				faults++
				where := fmt.Sprintf("%s, %s %q at %q:\n%s\n", s.name, d.Code, d.Message, bad[d.Span.Start:d.Span.End], bad)
				if d.Message == "" || d.Span.Start == d.Span.End && bad != "" || len(d.Fixes) == 0 && len(before) > 0 {
					t.Fatalf("%s%+v", where, d)
				}
				for _, f := range d.Fixes {
					fixed := apply(bad, f)
					after := CheckExamples(spec, fixed)
					if len(after) > 0 && after[0].Code != "example.incomplete" && after[0].Span.Start <= d.Span.Start && len(before) == 1 && after[0].Message == d.Message {
						t.Fatalf("%s%s:\n%s\n%+v", where, f.Title, fixed, after[0])
					}
				}
			}
		}
	}
	t.Logf("%d faults", faults)
}

// acted returns the text of a run without mistakes.
func acted(t *testing.T, s shipped, seed uint64) *Transcript {
	t.Helper()
	settings := Settings{Question: "who wrote it?", Model: llm.Spec{Kind: []string{llm.KindUniform, llm.KindFirst}[seed%2]}}
	var transcript *Transcript
	p := process.New(func(env *process.Env) (_ any, err error) {
		transcript, err = Run(env, s.agent, s.setup, settings)
		return nil, err
	}, seed, meter.Budget{}, nil)
	defer p.Stop()
	if out, err := p.Resume(nil, 1<<40); err != nil || out.State != process.StateDone {
		t.Fatal(err, out.Err)
	}
	return transcript
}
