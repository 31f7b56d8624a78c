// Package formulate plans by formulation: LLMFP, LLM-based formalized programming (Hao et
// al. 2024).
//
// The model does not plan. It states the goal (the Definer) and the decisions (the
// Formulator), and writes both for a solver (the Code Generator). The solver finds the
// optimal plan, and the Result Formatter puts it into the required form. Then the
// Self-assessment judges the stages: the first wrong one is replaced, and the later ones
// run again.
//
// A problem is a folder of a workspace whose name ends with ".problem". The given files:
//
//	task.md       the task, in words
//	data.json     the data: numbers and names
//	api.smt2      definitions that a formulation uses and must not replace; optional
//	query.md      the question
//	output.json   the form of the answer
//	example.md    an example of this kind of task; optional
//
// The stages write these files, which a person can read and change, and from which a run
// can continue:
//
//	goal.md           the Definer's goal, decision variables and constraints
//	variables.json    the Formulator's description
//	model.smt2        the Code Generator's text for Z3, or
//	model.lp          … for HiGHS, or
//	model.pddl        … for plans with steps
//	answer.json       the Result Formatter's answer
//	assessment.md     the Self-assessment's judgement
//
// No stage writes a programming language, and nothing that a model writes is executed:
// SMT-LIB 2 and LP are descriptions, of which package solve accepts only the descriptive
// part, and PDDL is compiled here.
package formulate

import (
	"path"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Ending is the suffix of the name of a problem's folder.
const Ending = ".problem"

// Files of a problem. The files of the first group are given; the stages write the files
// of the second group.
const (
	FileTask    = "task.md"
	FileData    = "data.json"
	FileAPI     = "api.smt2"
	FileQuery   = "query.md"
	FileOutput  = "output.json"
	FileExample = "example.md"

	FileGoal       = "goal.md"
	FileVariables  = "variables.json"
	FileSMT        = "model.smt2"
	FileLP         = "model.lp"
	FilePDDL       = "model.pddl"
	FileAnswer     = "answer.json"
	FileAssessment = "assessment.md"
)

// Problem contains the texts of a problem's files, "" for missing files.
type Problem struct {
	Folder                                 string // its name in the workspace, "coffee.problem"
	Task, Data, API, Query, Output         string
	Example                                string
	Goal, Variables, SMT, LP, PDDL, Answer string
}

// Folder returns the folder of the problem that contains a file, or "".
func Folder(name string) string {
	if dir := path.Dir(name); strings.HasSuffix(dir, Ending) {
		return dir
	}
	return ""
}

// Open reads the problem that contains a file; read returns the text of a file. The error
// has the code "formulate.folder" for a file outside of a problem's folder, and
// "formulate.missing" for a missing task or query.
func Open(name string, read func(name string) (text string, ok bool)) (*Problem, error) {
	p := &Problem{Folder: Folder(name)}
	if p.Folder == "" {
		return nil, source.NewError("formulate.folder", name+" is not in the folder of a problem, whose name ends with "+Ending)
	}
	for _, file := range []struct {
		name string
		text *string
	}{
		{FileTask, &p.Task}, {FileData, &p.Data}, {FileAPI, &p.API}, {FileQuery, &p.Query}, {FileOutput, &p.Output}, {FileExample, &p.Example},
		{FileGoal, &p.Goal}, {FileVariables, &p.Variables}, {FileSMT, &p.SMT}, {FileLP, &p.LP}, {FilePDDL, &p.PDDL}, {FileAnswer, &p.Answer},
	} {
		*file.text, _ = read(p.Folder + "/" + file.name)
	}
	switch {
	case strings.TrimSpace(p.Task) == "":
		return nil, source.NewError("formulate.missing", p.Folder+" has no "+FileTask+", the task in words")
	case strings.TrimSpace(p.Query) == "":
		return nil, source.NewError("formulate.missing", p.Folder+" has no "+FileQuery+", the question")
	}
	return p, nil
}
