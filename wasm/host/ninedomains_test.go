package host_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// domain is a domain of LLMFP with its data set.
type domain struct{ name, text string }

func llmfpDomains(t *testing.T) (out []domain) {
	t.Helper()
	for _, name := range []string{"coffee.json", "workforce.json", "facility.json", "task_allocation.json", "warehouse.json", "blocksworld.jsonl", "mystery_blocksworld.jsonl", "movie.jsonl", "gripper.jsonl"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "grammars", "llmfp", name))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, domain{strings.TrimSuffix(name, filepath.Ext(name)), string(text)})
	}
	return out
}

// A simulated model makes all mistakes of the paper in each of the nine domains, one after the
// other in one run; the checks lead it to the optimum.
func TestNineDomainsReachTheOptimum(t *testing.T) {
	s := solvers(t)
	handler := host.Native(session.New())
	for _, d := range llmfpDomains(t) {
		t.Run(d.name, func(t *testing.T) {
			var tasks session.ProblemTasksResult
			if err := host.Call(context.Background(), handler, "problem.tasks", session.ProblemTasksParams{Domain: d.name, Text: d.text}, &tasks); err != nil {
				t.Fatal(err)
			}
			mistakes := []string{formulate.MistakeImplicit, formulate.MistakeNegative, formulate.MistakeDirection, formulate.MistakeOverwritten, formulate.MistakeSyntax}
			if tasks.Steps {
				mistakes = []string{formulate.MistakeHorizon, formulate.MistakeSyntax}
			}
			task := tasks.Tasks[0]
			for _, other := range tasks.Tasks { // a why-question where there is one
				lower := strings.ToLower(other.Question)
				if other.Status == formulate.StatusSolved && other.Optimum != tasks.Base && (strings.HasPrefix(lower, "what led") || strings.HasPrefix(lower, "what justifies") || strings.HasPrefix(lower, "why")) {
					task = other
					break
				}
			}
			var files session.ProblemFilesResult
			if err := host.Call(context.Background(), handler, "problem.files", session.ProblemFilesParams{Domain: d.name, Text: d.text, Index: task.Index}, &files); err != nil {
				t.Fatal(err)
			}
			out, events, err := formulated(t, s, session.RunWorkspace{Files: files.Files, Name: files.Name}, formulate.Settings{Model: llm.Spec{Kind: llm.KindFirst}, Mistakes: mistakes})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s (%s): %s %s after %d rounds, form %s", task.Question, out.Ask, out.Status, out.Objective, out.Rounds, out.Answer)
			var named []string
			for _, e := range events {
				var found formulate.FindingEvent
				if json.Unmarshal(e, &found) == nil && found.Kind == "formulate.finding" {
					named = append(named, found.Finding.Mistake)
					t.Logf("%s: %s", found.Finding.Mistake, found.Finding.Message)
				}
			}
			var judged session.ProblemJudgeResult
			judge := session.ProblemJudgeParams{Domain: d.name, Text: d.text, Index: task.Index, Status: out.Status, Objective: out.Objective, Answer: out.Answer}
			if out.Steps != nil {
				judge.Plan = out.Steps.Plan
			}
			if err := host.Call(context.Background(), handler, "problem.judge", judge, &judged); err != nil {
				t.Fatal(err)
			}
			if !judged.Right || !judged.Planned || !out.Assessed {
				t.Errorf("%+v, assessed %v", judged, out.Assessed)
			}
			if len(named) < 2 || out.Rounds < 2 {
				t.Errorf("after %d rounds there were found %q", out.Rounds, named)
			}
		})
	}
}
