package session

import (
	"encoding/base64"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/solve"
)

// Files into or next to which faults are put.
const (
	goodAgent = `(define desk
  (:states
    (Ask (:text "[Ask]"))
    (Act (:text "[Act]") (:one-of "lookup" "refund"))
    (Reply (:text "[Reply]")))
  (:behavior (next Ask (until Act Reply))))
`
	goodTrace = "[Ask] where is it?\n[Act] lookup\n[Reply] on its way"
	goodCFG   = "S -> ask S | refund | close\n"
)

const (
	noLanguage  = "a trace is judged by an agent, and this is none"
	noGuard     = "guards are of agents only"
	noSolver    = "no solver reads it"
	noSpec      = "it is no spec"
	noRun       = "no run reads it"
	noWorkspace = "it is no file of a workspace"
)

// agentText are faults in the text of an agent.
var agentText = &faultKind{
	asks: map[string]func(*asked){
		onEditor: document,
		onRun: func(a *asked) {
			a.run("", a.f.spec(), `{"question":"q","model":{"kind":"first"}}`, a.f.files, nil)
		},
		onVerify: func(a *asked) {
			a.call("agent.verdict", AgentVerdictParams{Source: a.f.files[0].Text, Sequence: []string{"Ask", "Reply"}})
			a.call("agent.check", AgentCheckParams{Source: a.f.files[0].Text})
		},
		onTrace: func(a *asked) {
			a.call("monitor.check", MonitorCheckParams{Source: a.f.files[0].Text, Text: goodTrace})
		},
		onGuard: func(a *asked) {
			a.guard(goodStates...)
			a.call("guard.check", MonitorCheckParams{Source: a.f.files[0].Text, Text: goodTrace})
			a.export("guard-go", "guard-python", "guard-typescript")
		},
		onLab: func(a *asked) { a.lab(`(questions "q.jsonl")`, `(monitor "`+a.f.spec()+`")`) },
		onCI:  ci,
		onExchange: func(a *asked) {
			a.export("dot", "mermaid", "gbnf", "ebnf", "lark", "w3c", "regexp", "structural-tag")
		},
	},
	not: map[string]string{onSolver: noSolver},
}

// planText are faults in the text of a grammar, an automaton or a flowchart.
var planText = &faultKind{
	asks: map[string]func(*asked){
		onEditor: document,
		onRun: func(a *asked) {
			for _, kind := range []string{RunPlan, RunBaseline, RunCompare} {
				a.run(kind, a.f.spec(), `{"model":{"kind":"first"}}`, a.f.files, nil)
			}
		},
		onVerify: func(a *asked) {
			a.call("plan.check", PlanCheckParams{Files: a.f.files, Name: a.f.spec(), Text: "refund"})
		},
		onLab:      func(a *asked) { a.lab(`(plans "tasks.json")`, "(plan)") },
		onExchange: func(a *asked) { a.export("dot", "gbnf") },
	},
	not: map[string]string{onTrace: noLanguage, onGuard: noGuard, onCI: noLanguage, onSolver: noSolver},
}

// property are faults of formulas: the first file has them, the second is the spec.
var property = &faultKind{
	asks: map[string]func(*asked){
		onEditor: document,
		onRun: func(a *asked) {
			a.run("", a.f.spec(), `{"question":"q","model":{"kind":"first"}}`, a.f.files, nil)
		},
		onTrace: func(a *asked) { a.call("monitor.check", a.f.checkParams()) },
		onGuard: func(a *asked) {
			a.guard(goodStates...)
			p := a.f.checkParams()
			p.Format = ""
			a.call("guard.check", p)
			a.export("guard-go", "guard-python", "guard-typescript")
		},
		onLab: func(a *asked) { a.lab(`(questions "q.jsonl")`, `(monitor "`+a.f.spec()+`")`) },
		onCI:  ci,
	},
	not: map[string]string{onSolver: noSolver, onExchange: "other notations carry the spec without the formulas", onVerify: "plans are made by other specs"},
}

// planProperty are faults of formulas next to a spec for plans.
var planProperty = &faultKind{
	asks: map[string]func(*asked){
		onEditor: document,
		onRun: func(a *asked) {
			for _, kind := range []string{RunPlan, RunBaseline, RunCompare} {
				a.run(kind, a.f.spec(), `{"model":{"kind":"first"}}`, a.f.files, nil)
			}
		},
		onVerify: func(a *asked) {
			a.call("plan.check", PlanCheckParams{Files: a.f.files, Name: a.f.spec(), Text: a.f.text})
		},
		onLab: func(a *asked) { a.lab(`(plans "tasks.json")`, "(plan)") },
	},
	not: map[string]string{onTrace: noLanguage, onGuard: noGuard, onCI: noLanguage, onSolver: noSolver, onExchange: "other notations carry the spec without the formulas"},
}

// trace are faults of a recorded run in the text; the first file is the agent.
var trace = &faultKind{
	traces: true,
	asks: map[string]func(*asked){
		onTrace: func(a *asked) {
			p := a.f.checkParams()
			a.call("monitor.check", p)
			if a.f.set != "" {
				p.Format = a.f.set
				a.call("monitor.check", p)
			}
		},
		onGuard: func(a *asked) { a.call("guard.check", a.f.checkParams()) },
		onCI:    ci,
	},
	not: map[string]string{onEditor: noWorkspace, onRun: noRun, onLab: "experiments judge what their own runs did", onVerify: noSpec, onExchange: noSpec, onSolver: noSolver},
}

// planned are faults of a plan in the Verify tab.
var planned = &faultKind{
	asks: map[string]func(*asked){
		onVerify: func(a *asked) {
			a.call("plan.check", PlanCheckParams{Files: a.f.files, Name: a.f.spec(), Text: a.f.text})
		},
	},
	not: map[string]string{onEditor: noWorkspace, onRun: noRun, onLab: "experiments judge what their own runs did", onTrace: noLanguage, onGuard: noGuard, onCI: noLanguage, onExchange: noSpec, onSolver: noSolver},
}

// answered are faults in answers of models, tools and endpoints in a run.
var answered = &faultKind{
	not: map[string]string{
		onEditor: noWorkspace, onVerify: "a plan that was made is checked there, not one that was not", onTrace: "a trace is of a run that ended", onGuard: "a guard meets an answer as a content",
		onCI: "the line takes a trace of a run that ended", onExchange: noSpec, onSolver: noSolver, onLab: "the same run is a cell of an experiment; see the row of cells that fail",
	},
}

// teamed are faults in a team's file, the first one.
var teamed = &faultKind{
	asks: map[string]func(*asked){
		onEditor: document,
		onRun: func(a *asked) {
			a.run("", a.f.spec(), `{"task":"t","model":{"kind":"first"}}`, a.f.files, nil)
		},
		onLab: func(a *asked) { a.lab(`(questions "q.jsonl")`, `(team "`+a.f.spec()+`")`) },
	},
	not: map[string]string{onVerify: "plans are made by other specs", onTrace: noLanguage, onGuard: noGuard, onCI: noLanguage, onExchange: "a team has one notation", onSolver: noSolver},
}

// experiment are faults in an experiment, the first file.
var experiment = &faultKind{
	asks: map[string]func(*asked){
		onEditor: document,
		onLab: func(a *asked) {
			a.call("lab.check", LabCheckParams{Files: a.f.files, Name: a.f.files[0].Name})
			a.run(RunLab, a.f.files[0].Name, "{}", a.f.files, nil)
		},
	},
	not: map[string]string{onRun: "an experiment is run in the Lab", onVerify: noSpec, onTrace: noSpec, onGuard: noSpec, onCI: noSpec, onExchange: noSpec, onSolver: noSolver},
}

// solverText are faults in a text for a solver, the first file.
var solverText = &faultKind{
	asks: map[string]func(*asked){
		onEditor: document,
		onRun:    func(a *asked) { a.run("", a.f.files[0].Name, "{}", a.f.files, nil) },
		onSolver: func(a *asked) {
			a.call("solve.check", SolveCheckParams{Solver: language.SolverOf(a.f.files[0].Name), Text: a.f.files[0].Text})
			a.call("solve.prepare", SolvePrepareParams{Solver: language.SolverOf(a.f.files[0].Name), Text: a.f.files[0].Text})
		},
	},
	not: map[string]string{onVerify: "plans are made by other specs", onTrace: noLanguage, onGuard: noGuard, onCI: noLanguage, onExchange: noSpec, onLab: "an experiment's problems are folders; see the rows of problems"},
}

// solverReply are faults in a solver's reply, the text.
var solverReply = &faultKind{
	asks: map[string]func(*asked){
		onRun: func(a *asked) { a.run("", a.f.files[0].Name, "{}", a.f.files, solverSays(a.f.text)) },
		onSolver: func(a *asked) {
			a.call("solve.read", SolveReadParams{Solver: language.SolverOf(a.f.files[0].Name), Text: a.f.files[0].Text, Reply: solve.Reply{Text: a.f.text}})
		},
	},
	not: map[string]string{onEditor: noWorkspace, onVerify: noSpec, onTrace: noLanguage, onGuard: noGuard, onCI: noLanguage, onExchange: noSpec, onLab: "an experiment's problems are folders; see the rows of problems"},
}

// imported are faults in a text in another notation.
var imported = &faultKind{
	asks: map[string]func(*asked){
		onExchange: func(a *asked) {
			a.call("spec.import", SpecImportParams{Text: a.f.text, Format: a.f.set})
		},
	},
	not: map[string]string{onEditor: "the text is read before it is a file", onRun: noRun, onVerify: noWorkspace, onTrace: noWorkspace, onGuard: noWorkspace, onLab: noWorkspace, onCI: noWorkspace, onSolver: noSolver},
}

// exported are features of a spec that another notation does not support.
var exported = &faultKind{
	asks: map[string]func(*asked){onExchange: func(a *asked) { a.export(a.f.set) }},
	not:  map[string]string{onEditor: "the spec is right", onRun: "the spec is right", onVerify: "the spec is right", onTrace: "the spec is right", onGuard: "the guard enforces it", onLab: "the spec is right", onCI: "the spec is right", onSolver: noSolver},
}

// link are faults of a link, which is the text.
var link = &faultKind{
	asks: map[string]func(*asked){
		onEditor: func(a *asked) { a.call("share.decode", ShareDecodeParams{Fragment: a.f.text}) },
	},
	not: map[string]string{onRun: "no workspace is opened", onVerify: "no workspace is opened", onTrace: "no workspace is opened", onGuard: "no workspace is opened", onLab: "no workspace is opened", onCI: "no workspace is opened", onExchange: "no workspace is opened", onSolver: "no workspace is opened"},
}

// archive are faults of an opened file, whose bytes are the text; its name is the format.
var archive = &faultKind{
	asks: map[string]func(*asked){
		onEditor: func(a *asked) {
			a.call("workspace.import", WorkspaceImportParams{Name: a.f.set, Base64: base64.StdEncoding.EncodeToString([]byte(a.f.text))})
		},
	},
	not: link.not,
}

// shelf are faults of the list of files.
var shelf = &faultKind{
	asks: map[string]func(*asked){
		onEditor: func(a *asked) {
			a.call("workspace.export", WorkspaceExportParams{Files: a.f.files})
			a.call("share.encode", ShareEncodeParams{Files: a.f.files})
		},
		onRun:    func(a *asked) { a.run("", a.f.spec(), a.f.settings(), a.f.files, nil) },
		onVerify: func(a *asked) { a.call("plan.check", PlanCheckParams{Files: a.f.files, Text: "refund"}) },
		onLab: func(a *asked) {
			a.call("lab.check", LabCheckParams{Files: a.f.files})
		},
	},
	not: map[string]string{onTrace: "one file is read", onGuard: "one file is read", onCI: "one file is read", onExchange: "one file is read", onSolver: noSolver},
}
