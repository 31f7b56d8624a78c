package session

import (
	"fmt"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/source"
)

func backtestMethods() []Method {
	return []Method{
		method("trace.matrix", (*Session).traceMatrix),
		method("trace.diff", (*Session).traceDiff),
		pure("trace.lines", traceLines),
	}
}

// TraceMatrixParams are specs, agents with the formulas about them, and files of recorded
// runs. Matrix is the result of an earlier call with the same specs, to which the runs are
// added, so that a caller can judge many files one after the other.
type TraceMatrixParams struct {
	Files   []File           `json:"files"`
	Traces  []backtest.Part  `json:"traces"`
	Options backtest.Options `json:"options,omitzero"`
	Matrix  *backtest.Matrix `json:"matrix,omitempty"`
}

// TraceMatrixResult has the runs of these traces, each with a cell for each rule of the
// matrix, and the counts. Passes reports that the matrix has runs and all of them pass.
type TraceMatrixResult struct {
	Runs   []backtest.Run   `json:"runs"`
	Matrix *backtest.Matrix `json:"matrix"`
	Passes bool             `json:"passes"`
}

// backtestSpecs returns the compiled specs of a workspace, from the cache if possible.
func (s *Session) backtestSpecs(files []File) (*backtest.Specs, error) {
	key := ""
	for _, f := range files {
		key += fmt.Sprintf("%d:%s%d:%s", len(f.Name), f.Name, len(f.Text), f.Text)
	}
	if specs, ok := s.tested[key].(*backtest.Specs); ok {
		return specs, nil
	}
	specs, err := backtest.Open(s.table.Notations, files)
	if err != nil {
		return nil, err
	}
	if s.tested == nil || len(s.tested) >= maxBacktestSpecs {
		s.tested = map[string]any{}
	}
	s.tested[key] = specs
	return specs, nil
}

// maxBacktestSpecs bounds the compiled specs that a session keeps: two versions, and a few
// that were edited.
const maxBacktestSpecs = 8

func (s *Session) traceMatrix(p TraceMatrixParams) (TraceMatrixResult, error) {
	specs, err := s.backtestSpecs(p.Files)
	if err != nil {
		return TraceMatrixResult{}, err
	}
	out := TraceMatrixResult{Runs: []backtest.Run{}, Matrix: specs.Matrix()}
	if p.Matrix != nil {
		if !specs.Fits(p.Matrix) {
			return TraceMatrixResult{}, source.NewError("backtest.matrix", "the matrix belongs to other specs; begin again without a matrix")
		}
		out.Matrix.Merge(p.Matrix)
	}
	for _, t := range p.Traces {
		for _, r := range specs.JudgePart(t, p.Options) {
			specs.Add(out.Matrix, r)
			out.Runs = append(out.Runs, r)
		}
	}
	out.Passes = out.Matrix.Passes()
	return out, nil
}

// TraceDiffParams are two versions of specs and files of recorded runs.
type TraceDiffParams struct {
	Before  []File           `json:"before"`
	After   []File           `json:"after"`
	Traces  []backtest.Part  `json:"traces"`
	Options backtest.Options `json:"options,omitzero"`
}

// traceDiff returns the runs on which two versions differ.
func (s *Session) traceDiff(p TraceDiffParams) (d backtest.Difference, err error) {
	before, err := s.backtestSpecs(p.Before)
	if err != nil {
		return d, err
	}
	after, err := s.backtestSpecs(p.After)
	if err != nil {
		return d, err
	}
	d = *backtest.NewDifference(before, after)
	for _, t := range p.Traces {
		if err := d.Compare(before, after, before.JudgePart(t, p.Options), after.JudgePart(t, p.Options)); err != nil {
			return d, err
		}
	}
	return d, nil
}

// TraceLinesParams are the beginning of a file of recorded runs.
type TraceLinesParams struct {
	Text string `json:"text"`
}

// TraceLinesResult reports whether each line of the file is a run by itself, so that the
// lines can be judged one after the other.
type TraceLinesResult struct {
	Runs bool `json:"runs"`
}

func traceLines(p TraceLinesParams) (TraceLinesResult, error) {
	return TraceLinesResult{Runs: backtest.LinesAreRuns(p.Text)}, nil
}
