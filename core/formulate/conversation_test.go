package formulate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// endpoint is a model with an endpoint, which [host] answers.
var endpoint = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "m", URL: "https://example.org/v1", Model: "m"}}

// A budget of tokens counts those of the prompts and of the replies.
func TestBudgetCountsTokensOfPromptsAndReplies(t *testing.T) {
	// A reply of the host uses 30 + 20 tokens.
	for tokens, calls := range map[int]int{1: 1, 50: 1, 51: 2, 100: 2} {
		s := Settings{Model: endpoint}
		s.Budget.Tokens = tokens
		h := &host{models: []string{"first", "second", "third"}}
		_, _, err := played(t, tea(), Setup{}, s, h)
		if source.ErrorCode(err) != "limit.tokens" || len(h.bodies) != calls {
			t.Errorf("%d tokens: %d calls, %v", tokens, len(h.bodies), err)
		}
	}
}

// finished is a model with a complete reply, which it does not stream.
type finished llm.Reply

func (f finished) Generate(*process.Env, llm.Request, func(string) bool) (llm.Reply, error) {
	return llm.Reply(f), nil
}

// Only the self-assessment has a fixed shape, so only its requests contain a schema.
func TestSelfAssessmentIsConstrainedByASchema(t *testing.T) {
	for stage, product := range map[string]string{StageDefiner: tea().Goal, StageFormulator: tea().Variables, StageGenerator: tea().SMT, StageFormatter: teaAnswer, StageAssessor: allRight} {
		h := &host{models: []string{product}}
		strict := endpoint
		strict.Endpoint = &llm.Endpoint{Name: "m", URL: "https://example.org/v1", Model: "m", Capabilities: &llm.Capabilities{Schema: true}}
		if _, _, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Models: map[string]llm.Spec{stage: strict}}, h); err != nil {
			t.Fatalf("%s: %v", stage, err)
		}
		if has := strings.Contains(h.bodies[0], `"response_format"`); has != (stage == StageAssessor) {
			t.Errorf("%s: a schema in the request: %v", stage, has)
		}
	}
}

// An answer may have at most 16 MB, so that no product is larger than a file may be.
func TestAnswersAreBounded(t *testing.T) {
	for size, want := range map[int]string{maxProduct: "", maxProduct + 1: "the answer has more than 16 MB"} {
		text := strings.Repeat("a", size)
		out, err := effectsOf(func(env *process.Env) error {
			r := &run{env: env, stages: map[string]*StageSpent{}}
			talk := &conversation{r: r, stage: StageDefiner, model: finished{Text: text}}
			faults, err := talk.answer(func(string) []string { return nil })
			if got := strings.Join(faults, "; "); got != want {
				return fmt.Errorf("%d bytes: %q", size, got)
			}
			return err
		})
		if err != nil || out.Err != nil {
			t.Error(err, out.Err)
		}
	}
}
