package view

import (
	"github.com/stile-playground/stile/core/formulate"
)

// Problem returns the drawing of how a problem is formulated and solved: the stages in order, each
// with the file that it writes, and the edges back to earlier stages. The identifier of a node is
// its stage in package formulate; that of an edge consists of those of its ends, joined with ">". A
// run uses the identifiers to mark nodes and edges. The function there reports whether a file of
// the problem exists.
func Problem(title string, there func(file string) bool) Drawing {
	d := Drawing{Title: title}
	model := formulate.FileSMT
	for _, name := range []string{formulate.FileLP, formulate.FilePDDL} {
		if !there(model) && there(name) {
			model = name
		}
	}
	stages := []struct{ stage, label, file string }{
		{formulate.StageDefiner, "Definer", formulate.FileGoal},
		{formulate.StageFormulator, "Formulator", formulate.FileVariables},
		{formulate.StageGenerator, "Code Generator", model},
		{formulate.StageSolver, "Solver", ""},
		{formulate.StageFormatter, "Result Formatter", formulate.FileAnswer},
		{formulate.StageAssessor, "Self-assessment", formulate.FileAssessment},
	}
	wrong := []string{formulate.StageDefiner, formulate.StageFormulator, formulate.StageGenerator, formulate.StageFormatter}
	if model == formulate.FilePDDL {
		stages, wrong = stages[1:], wrong[1:] // plans of steps begin with the Formulator
	}
	for i, s := range stages {
		n := Node{ID: s.stage, Label: s.label, Kind: NodeState, Start: i == 0, Accepting: s.stage == formulate.StageAssessor}
		switch {
		case s.stage == formulate.StageSolver:
			n.Kind, n.Detail = NodeEnvironment, "Z3"
			if model == formulate.FileLP {
				n.Detail = "HiGHS"
			}
		case there(s.file):
			n.Detail = s.file
		default:
			n.Detail = "no " + s.file + " yet"
		}
		d.Nodes = append(d.Nodes, n)
		if i > 0 {
			d.join(stages[i-1].stage, s.stage, "")
		}
	}
	d.join(formulate.StageSolver, formulate.StageGenerator, "faulty")
	for _, stage := range wrong {
		d.join(formulate.StageAssessor, stage, "wrong")
	}
	return d
}

func (d *Drawing) join(from, to, label string) {
	e := Edge{ID: from + ">" + to, From: from, To: to}
	if label != "" {
		e.Lines = []Line{{ID: e.ID + ".0", Label: label}}
	}
	d.Edges = append(d.Edges, e)
}
