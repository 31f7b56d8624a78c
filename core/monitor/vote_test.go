package monitor

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
)

func TestSamplesVote(t *testing.T) {
	s := find(t, "cot/cot.agent")
	settings := Settings{Question: "q", Samples: 5, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{
		" a\n[Answer] The 8.", " b\n[Answer] nine", " c\n[Answer] 8.0", " d\n[Answer] Nine!", " e\n[Answer] 8",
	}}}
	transcript, events, err := play(t, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	if transcript.Answer != "The 8." || len(transcript.Samples) != 5 || len(transcript.Votes) != 2 || transcript.Votes[0].Count != 3 || transcript.Stats.Calls != 5 {
		t.Errorf("%+v", transcript)
	}
	if got := only(events, "monitor.sample"); len(got) != 5 || !strings.Contains(got[3], `"sample":4,"agent":"cot-agent","answer":"Nine!"`) {
		t.Errorf("%v", got)
	}
	settings.Samples = MaxSamples + 1
	if _, _, err := play(t, s, settings); err == nil {
		t.Error("too many samples are accepted")
	}
}

func TestVotesCountNormalForms(t *testing.T) {
	for _, c := range []struct {
		answers, want string
		count, tied   int
	}{
		{"C++|C#|C|Go|Rust", "C++", 1, 5}, {"?|!|7|8|7", "7", 2, 0}, {"A|the|B|C|D", "A", 1, 5}, {"x>0|x<0|x > 0|x<0", "x<0", 2, 0},
		{"|||7", "7", 1, 0}, {" | |8|9", "8", 1, 2}, {"-|-|?", "-", 2, 0}, {"a|A.|B", "a", 2, 0}, {"the|...|the", "the", 2, 0}, {"|", "", 0, 0},
		{"yes|no|Yes.|No!", "yes", 2, 2}, {"no|yes|yes|no|yes", "yes", 3, 0},
	} {
		var runs []*Transcript
		for _, answer := range strings.Split(c.answers, "|") {
			runs = append(runs, &Transcript{Answer: answer})
		}
		winner, votes, tied := count(runs)
		if winner == nil {
			if c.want != "" {
				t.Errorf("%s: no winner", c.answers)
			}
			continue
		}
		if winner.Answer != c.want || votes[0].Count != c.count || tied != c.tied {
			t.Errorf("%s: %q with %d votes, %d tied", c.answers, winner.Answer, votes[0].Count, tied)
		}
	}
}

func TestEmptyAnswersHaveNoVote(t *testing.T) {
	s := find(t, "cot/cot.agent")
	a := compile(t, `(define say (:states (Q (:text "[Question]")) (A (:text "[Answer]"))) (:behavior (next Q A)))`)
	empty := Settings{Question: "q", Samples: 3, Model: llm.Spec{Kind: llm.KindScripted, Script: slices.Repeat([]string{" "}, 60)}}
	if transcript, _, err := run(t, a, empty, 1); err == nil || !strings.Contains(err.Error(), "no answer to vote on") {
		t.Errorf("%v %+v", err, transcript)
	}
	tie := Settings{Question: "q", Samples: 2, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{" a\n[Answer] 7", " b\n[Answer] 8"}}}
	if transcript, _, err := play(t, s, tie); err != nil || transcript.Tied != 2 {
		t.Errorf("%v %+v", err, transcript)
	}
}

func TestOtherAgentAnswersWithoutAgreement(t *testing.T) {
	s := find(t, "cot/cot.agent")
	settings := Settings{Question: "q", Samples: 2, Then: "pass.agent", Model: llm.Spec{Kind: llm.KindScripted, Script: []string{
		" a\n[Answer] 7", " b\n[Answer] 8", "[Final Thought] c\n[Answer] 9",
	}}}
	transcript, _, err := play(t, s, settings)
	if err != nil || transcript.Answer != "9" || !transcript.FellBack || transcript.Stats.Calls != 3 {
		t.Fatalf("%v %+v", err, transcript)
	}
	settings.Model = llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.3}
	fellBack, kept := 0, 0
	for samples := 1; samples <= 8; samples++ {
		settings.Samples = samples
		transcript, _, err := play(t, s, settings)
		if err != nil {
			t.Fatal(err)
		}
		if transcript.FellBack != (transcript.Votes[0].Count < 2) || transcript.FellBack != (transcript.Agent == "pass-agent") {
			t.Errorf("%+v", transcript)
		}
		if transcript.FellBack {
			fellBack++
		} else {
			kept++
		}
	}
	if fellBack == 0 || kept == 0 {
		t.Errorf("%d runs fell back, %d did not", fellBack, kept)
	}
}

func TestHybridsOfThePaperRun(t *testing.T) {
	for _, first := range []string{"direct/direct.agent", "cot/cot.agent"} {
		for _, then := range []string{"react.agent", "rewoo.agent", "pass.agent"} {
			s := find(t, first)
			for _, samples := range []int{1, 5} {
				transcript, _, err := play(t, s, Settings{Question: "q", Samples: samples, Then: then, Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.2}})
				if err != nil {
					t.Fatalf("%s → %s: %v", first, then, err)
				}
				if len(transcript.Samples) != samples || samples == 1 && !transcript.FellBack {
					t.Errorf("%s → %s: %+v", first, then, transcript)
				}
				if transcript.FellBack {
					conforms(t, find(t, strings.Split(first, "/")[0]+"/"+then).agent, transcript)
				} else {
					conforms(t, s.agent, transcript)
				}
			}
		}
	}
}

func TestLoopsAreCapped(t *testing.T) {
	a := compile(t, react)
	for most := 1; most <= 3; most++ {
		longest := 0
		for seed := range uint64(40) {
			transcript, _, err := run(t, a, Settings{MaxLoops: most, Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.3}}, seed)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, segment := range transcript.Segments {
				if segment.State == "Act" {
					n++
				}
			}
			longest = max(longest, n)
		}
		if longest != most {
			t.Errorf("at most %d: a run has %d", most, longest)
		}
	}
}
