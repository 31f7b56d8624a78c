// Package formulate plans by formulation: LLMFP, LLM-based formalized programming (Hao et
// al. 2024).
//
// A model does not plan. It says what is wanted (the Definer), what there is to be chosen
// (the Formulator) and writes that down for a solver (the Code Generator); the solver
// finds the best plan there is, which is put into the form that was asked for (the Result
// Formatter). What was done is then judged (Self-assessment): the first step that is wrong
// is replaced, and what follows it is done again.
//
// A problem is a folder of a workspace whose name ends with ".problem". What is given:
//
//	task.md       what is planned here, in words
//	data.json     what is known: numbers and names
//	api.smt2      definitions that a formulation may use and must not replace; may be absent
//	query.md      what is asked
//	output.json   the form of the answer
//	example.md    an example of this kind of task; may be absent
//
// What the steps make lies beside it, so that a person can read it, change it and go on
// from it:
//
//	goal.md           the Definer's goal, decision variables and constraints
//	variables.json    the Formulator's description
//	model.smt2        the Code Generator's text for Z3, or
//	model.lp          … for HiGHS, or
//	model.pddl        … of a problem whose plans have steps
//	answer.json       the Result Formatter's
//	assessment.md     the Self-assessment's
//
// No step writes in a programming language, and nothing that a model writes is executed:
// SMT-LIB 2 and LP are descriptions, of which package solve lets pass what describes; PDDL
// is compiled here.
package formulate

import (
	"path"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Ending is what the name of a problem's folder ends with.
const Ending = ".problem"

// Files of a problem. Those of the first group are given, those of the second made.
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

// Problem is a problem as its files state it. Texts of files that are not there are "".
type Problem struct {
	Folder                                 string // its name in the workspace, "coffee.problem"
	Task, Data, API, Query, Output         string
	Example                                string
	Goal, Variables, SMT, LP, PDDL, Answer string
}

// Folder returns the folder of a problem that a file lies in, or "".
func Folder(name string) string {
	if dir := path.Dir(name); strings.HasSuffix(dir, Ending) {
		return dir
	}
	return ""
}

// Open reads the problem that a file of a workspace is a part of; read returns the text
// of a file. The error has code "formulate.folder" where the file lies in no problem's
// folder, and "formulate.missing" where the task or the query is not there.
func Open(name string, read func(name string) (text string, ok bool)) (*Problem, error) {
	p := &Problem{Folder: Folder(name)}
	if p.Folder == "" {
		return nil, source.NewError("formulate.folder", name+" is in no problem's folder; its name ends with "+Ending)
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
		return nil, source.NewError("formulate.missing", p.Folder+" has no "+FileTask+": it says in words what is planned here")
	case strings.TrimSpace(p.Query) == "":
		return nil, source.NewError("formulate.missing", p.Folder+" has no "+FileQuery+": it says what is asked")
	}
	return p, nil
}
