package session

import (
	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/infer"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
)

func inferMethods() []Method {
	return []Method{
		pure("infer.runs", inferRuns),
		pure("infer.spec", inferSpec),
		pure("infer.properties", inferProperties),
		pure("infer.ask", inferAsk),
	}
}

// InferRunsParams are files of recorded runs. Failing marks all of them as failing. Outcome is the
// member of the object that contains a run, such as "reward" or "info.passed": a run fails unless the
// member is true, a number of at least 1, or a text such as "passed".
type InferRunsParams struct {
	Traces  []backtest.Part `json:"traces"`
	Format  string          `json:"format,omitempty"`
	Failing bool            `json:"failing,omitempty"`
	Outcome string          `json:"outcome,omitempty"`
}

// InferRunsResult has the runs as words: User and Message for messages, Answer for the last text of the
// model, and the name of the tool for a call. Unread lists the runs that were not understood.
type InferRunsResult struct {
	Runs   []infer.Run   `json:"runs"`
	Unread []InferUnread `json:"unread"`
}

// InferUnread is a run that was not understood.
type InferUnread struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

func inferRuns(p InferRunsParams) (InferRunsResult, error) {
	out := InferRunsResult{Runs: []infer.Run{}, Unread: []InferUnread{}}
	for _, part := range p.Traces {
		for _, r := range backtest.ReadPart(part, p.Format, p.Outcome) {
			if r.Fault != "" {
				out.Unread = append(out.Unread, InferUnread{Name: r.Name, Reason: r.Fault})
				continue
			}
			out.Runs = append(out.Runs, infer.Run{Name: r.Name, Steps: infer.FromConversation(r.Parts), Failed: r.Failed || p.Failing})
		}
	}
	return out, nil
}

// InferSpecParams are runs, as infer.runs returns them. States bounds the states of the automaton;
// 0 is 50. A smaller bound is chosen if automata within this bound reject held-back runs, unless
// Strict is set. Verdicts merges states by passing and failing runs alone, not by frequencies. Name
// is that of the agent. Accept and Refuse are words that a person decided.
type InferSpecParams struct {
	Runs     []infer.Run `json:"runs"`
	States   int         `json:"states,omitempty"`
	Strict   bool        `json:"strict,omitempty"`
	Verdicts bool        `json:"verdicts,omitempty"`
	Name     string      `json:"name,omitempty"`
	Accept   [][]string  `json:"accept,omitempty"`
	Refuse   [][]string  `json:"refuse,omitempty"`
}

// InferSpecResult is an agent whose runs are the words of the automaton. Pass and Fail count runs and
// decided words. Accepted of Held passing runs were accepted by automata that had not seen them; both
// are 0 if there are too few runs. Forced counts merges of states that contradict the runs, which keep
// the automaton small. Remarks are the reservations about the proposal, as sentences.
type InferSpecResult struct {
	Text     string   `json:"text"`
	States   int      `json:"states"`
	Pass     int      `json:"pass"`
	Fail     int      `json:"fail"`
	Accepted int      `json:"accepted"`
	Held     int      `json:"held"`
	Forced   int      `json:"forced"`
	Remarks  []string `json:"remarks"`
}

// inferSpec proposes an agent. The error has code "infer.runs" if no run passes.
func inferSpec(p InferSpecParams) (InferSpecResult, error) {
	name := p.Name
	if name == "" {
		name = "learned"
	}
	got, err := infer.Propose(p.Runs, infer.Options{States: p.States, Strict: p.Strict, Verdicts: p.Verdicts, Accept: p.Accept, Refuse: p.Refuse}, infer.StateName(name), inferMeter())
	if err != nil {
		return InferSpecResult{}, err
	}
	return InferSpecResult{
		Text: got.Text, States: got.States, Pass: got.Pass, Fail: got.Fail, Accepted: got.Held.Accepted, Held: got.Held.Of, Forced: got.Forced,
		Remarks: orEmpty(got.Reservations()),
	}, nil
}

// inferMeter bounds the work of a proposal.
func inferMeter() *meter.Meter { return meter.New(language.AnalysisBudget) }

// InferPropertiesParams are runs, as infer.runs returns them. Support is the number of passing runs
// to which a property has to apply; 0 is a twentieth of them. Confidence is the fraction of these
// on which the property has to hold; 0 means all of them. Most bounds the properties; 0 is 60.
type InferPropertiesParams struct {
	Runs       []infer.Run `json:"runs"`
	Support    int         `json:"support,omitempty"`
	Confidence float64     `json:"confidence,omitempty"`
	Most       int         `json:"most,omitempty"`
}

// InferPropertiesResult has formulas, the most selective ones first. All formulas up to a size, the
// number of their operators and propositions, were tried, except those whose truth on the runs is that
// of a smaller one. Separated reports that a formula holds on all passing and no failing runs.
type InferPropertiesResult struct {
	Properties []infer.Property `json:"properties"`
	Size       int              `json:"size"`
	Separated  bool             `json:"separated"`
}

// inferProperties proposes formulas. The error has code "infer.runs" if no run passes.
func inferProperties(p InferPropertiesParams) (InferPropertiesResult, error) {
	got, err := infer.Find(p.Runs, infer.PropertyOptions{Support: p.Support, Confidence: p.Confidence, Most: p.Most}, inferMeter())
	if err != nil {
		return InferPropertiesResult{}, err
	}
	out := InferPropertiesResult{Properties: got.List, Size: got.Size, Separated: got.Separated}
	if out.Properties == nil {
		out.Properties = []infer.Property{}
	}
	return out, nil
}

// InferAskParams are two proposals: agents, which may have requirements. Most bounds the questions; 0
// is 20.
type InferAskParams struct {
	Left  string `json:"left"`
	Right string `json:"right"`
	Most  int    `json:"most,omitempty"`
}

// InferAskResult has the shortest words on which the proposals differ. It is empty if they have the
// same words.
type InferAskResult struct {
	Questions []infer.Question `json:"questions"`
}

func inferAsk(p InferAskParams) (InferAskResult, error) {
	questions, err := infer.Ask(p.Left, p.Right, p.Most, inferMeter())
	return InferAskResult{Questions: questions}, err
}
