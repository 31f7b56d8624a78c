package session

import (
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

// StepWalkParams are a spec and the word of a person's steps. A grammar's own "limit"
// lines apply. View is the formula of a file with several, as in drawing.whole; the default
// is the first.
type StepWalkParams struct {
	Files []File   `json:"files"`
	Name  string   `json:"name"`
	Word  []string `json:"word"`
	View  string   `json:"view,omitempty"`
}

// Configuration is the state of an automaton and, for a pushdown automaton, its stack
// with the top first.
type Configuration = notation.Configuration

// Use is the number of uses of a terminal with a limit.
type Use = notation.Use

// StepWalkResult is the configuration after the word. Active lists the nodes and edge
// lines of the spec's drawing to highlight: the state of the automaton, and the last
// step.
type StepWalkResult struct {
	Verdict        string          `json:"verdict"` // "valid", "incomplete" or "invalid"
	Viable         bool            `json:"viable"`
	Complete       bool            `json:"complete"`
	Violation      *int            `json:"violation"`
	Next           []Letter        `json:"next"`
	Configurations []Configuration `json:"configurations"`
	Truncated      bool            `json:"truncated"`
	Active         []string        `json:"active"`
	Uses           []Use           `json:"uses"`
	Tree           *view.Tree      `json:"tree,omitempty"`
	TreeDrawing    *Drawing        `json:"treeDrawing,omitempty"`
}

func (s *Session) stepWalk(p StepWalkParams) (StepWalkResult, error) {
	return walk(s.table.Notations, p)
}

// walk is step.walk with the notations of a table.
func walk(t notation.Table, p StepWalkParams) (StepWalkResult, error) {
	file, err := openDocument(DocumentParams{Files: p.Files, Name: p.Name})
	if err != nil {
		return StepWalkResult{}, err
	}
	row := t.Of(p.Name)
	if row.Walk == nil {
		return StepWalkResult{}, source.NewError("step.kind", p.Name+" has no words or runs; open a grammar, an automaton, a flowchart, formulas or an agent to step through it")
	}
	w, err := row.Walk(&notation.Scope{Table: t, File: file, Files: p.Files, View: p.View}, p.Word)
	out := StepWalkResult{
		Viable: w.Viable, Complete: w.Complete, Violation: w.Violation, Next: orEmpty(w.Next),
		Configurations: orEmpty(w.Configurations), Truncated: w.Truncated, Active: orEmpty(w.Active), Uses: orEmpty(w.Uses), Tree: w.Tree,
	}
	if w.Tree != nil {
		out.TreeDrawing = wireDrawing(w.Tree.Drawing("Derivation tree"), nil)
	}
	switch {
	case !out.Viable:
		out.Verdict = "invalid"
	case out.Complete:
		out.Verdict = "valid"
	default:
		out.Verdict = "incomplete"
	}
	return out, err
}
