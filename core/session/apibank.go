//go:build !first

package session

import (
	"github.com/stile-playground/stile/core/apibank"
	"github.com/stile-playground/stile/core/source"
)

func apibankMethods() []Method {
	return []Method{method("apibank.call", (*Session).apibankCall), method("apibank.score", (*Session).apibankScore)}
}

// ApibankCallParams are tasks of API-Bank's level 3, a JSON object a line, and an
// answer with calls in it. The site has the benchmark's tasks at
// gallery/apibank/level3.jsonl.
type ApibankCallParams struct {
	Tasks string `json:"tasks"`
	Text  string `json:"text"`
}

// ApibankCallResult is what came of each call, and what is wrong with those that
// cannot be read.
type ApibankCallResult struct {
	Calls       []ApibankCalled `json:"calls"`
	Diagnostics []Diagnostic    `json:"diagnostics"`
}

// ApibankCalled is a call, how it is written, and what came of it.
type ApibankCalled struct {
	Call    apibank.Call    `json:"call"`
	Text    string          `json:"text"`
	Outcome apibank.Outcome `json:"outcome"`
}

func (s *Session) apibankCall(p ApibankCallParams) (ApibankCallResult, error) {
	tasks, err := apibank.ReadTasks(p.Tasks)
	if err != nil {
		return ApibankCallResult{}, err
	}
	sim := apibank.NewSimulator(tasks)
	calls, found := apibank.FindCalls(p.Text)
	out := ApibankCallResult{Calls: []ApibankCalled{}, Diagnostics: wireDiagnostics(source.NewFile("answer", p.Text), found)}
	for _, c := range calls {
		out.Calls = append(out.Calls, ApibankCalled{c, c.String(), sim.Do(c)})
	}
	return out, nil
}

// ApibankScoreParams are tasks, as apibank.call has them, and what agents did for them.
type ApibankScoreParams struct {
	Tasks       string               `json:"tasks"`
	Transcripts []apibank.Transcript `json:"transcripts"`
}

// ApibankScoreResult has PMC's and the benchmark's measures of all tasks and of each.
type ApibankScoreResult struct {
	Scores apibank.Scores `json:"scores"`
}

func (s *Session) apibankScore(p ApibankScoreParams) (ApibankScoreResult, error) {
	tasks, err := apibank.ReadTasks(p.Tasks)
	if err != nil {
		return ApibankScoreResult{}, err
	}
	scores, err := apibank.NewSimulator(tasks).Score(p.Transcripts)
	return ApibankScoreResult{Scores: scores}, err
}
