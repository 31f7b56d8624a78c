package session

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

const endpointModel = `"model":{"kind":"endpoint","endpoint":{"name":"mine","url":"https://models.example/v1","model":"m"}}`

// answerFaults are faults in answers of models, tools and endpoints.
func answerFaults() []*fault {
	cfg := plans("g.cfg", goodCFG)
	// asks returns requests for a run and, with the same model, for a cell.
	of := func(name string, files []File, set, says string, answer func(process.Effect) []process.Answer) *fault {
		return &fault{name: "an answer: " + name, kind: answered, files: files, set: set, says: says, asks: map[string]func(*asked){
			onRun: func(a *asked) { a.run("", a.f.spec(), a.f.settings(), a.f.files, answer) },
		}}
	}
	tools := func(text string) []File {
		agent := strings.Replace(goodAgent, `(Reply (:text "[Reply]"))`, `(Input (:text "[Input]")) (Result (:text "[Result]") (:flags :env-input)) (Reply (:text "[Reply]"))`, 1)
		agent = strings.Replace(agent, `"lookup" "refund"`, `"Calculator" "Delete"`, 1)
		agent = strings.Replace(agent, "(until Act Reply)", "(until (next Act Input Result) Reply)", 1)
		return []File{{Name: "desk.agent", Text: agent}, {Name: "agent-tools.json", Text: text}}
	}
	scripted := func(lines ...string) string {
		var list []string
		for _, l := range lines {
			list = append(list, quoteJSON(l))
		}
		return `"question":"q","model":{"kind":"scripted","script":[` + strings.Join(list, ",") + `]}`
	}
	return []*fault{
		of("a choice that is none, again and again", cfg, `"model":{"kind":"scripted","script":["many","many","many","many","many","many"]}`, "many", nil),
		of("a script that is too short", cfg, `"model":{"kind":"scripted","script":[]}`, "script", nil),
		of("the budget is used up", cfg, `"model":{"kind":"scripted","script":["1","1","1","1","3"]},"budget":{"calls":2}`, "2 calls", nil),
		of("a refusal", cfg, endpointModel, "refused to answer", httpAnswer("content_filter", "")),
		of("an empty answer", cfg, endpointModel, "did not answer with a choice", httpAnswer("stop", "")),
		of("an answer that is cut off", desk("", ""), endpointModel+`,"question":"q"`, "cut off", httpAnswer("length", strings.Repeat(" still think", 200))),
		of("a host that is not reached", cfg, endpointModel, "not reached", httpFault("network", "the host is not reached")),
		of("a stream that breaks off", cfg, endpointModel, "broke off", httpFault("cut", "the stream broke off")),
		of("time that is over", cfg, endpointModel, "no answer came", httpFault("timeout", "no answer came within 60 s")),
		of("a content that is not on the list", desk("", ""), scripted(" what\n[Act] delete_all\n[Reply] done", " lookup\n[Reply] done"), "delete_all", nil).recovered(),
		of("an empty content of a list", desk("", ""), scripted(" what\n[Act]\n[Reply] done", " lookup\n[Reply] done"), "Act", nil).recovered(),
		of("a tool that the workspace does not declare", tools(`{"tools":[{"calculator":{}}]}`), scripted(" what\n[Act] Delete\n[Input] 3", "[Reply] done")+`,"environment":"tools"`, "Delete", nil).recovered(),
		of("a tool that cannot read its input", tools(`{"tools":[{"calculator":{}}]}`), scripted(" what\n[Act] Calculator\n[Input] three apples", "[Reply] done")+`,"environment":"tools"`, "three apples", nil).recovered(),
		of("an empty answer at the end", desk("", ""), scripted(" what\n[Reply]"), "empty", nil),
		of("a vote that does not come", desk("", ""), scripted(" what\n[Reply] it comes")+`,"samples":2`, "another one is requested", nil).recovered(),
	}
}

// recovered marks a fault after which the run is in order: it corrects the fault, or has a
// result without it, and reports it as well.
func (f *fault) recovered() *fault {
	f.rest = true
	return f
}

func teamFaults() []*fault {
	of := func(name, old, new, at, says string) *fault {
		files := teamFiles()
		files[0].Text = strings.Replace(files[0].Text, old, new, 1)
		return &fault{name: "a team: " + name, kind: teamed, files: files, at: at, says: says}
	}
	broken := of("an agent with errors", "", "", `"a.agent"`, "until")
	broken.files[2].Text = strings.Replace(broken.files[2].Text, "(next Q A)", "(untill Q A)", 1)
	broken.says = "untill"
	order := of("an order that names no executor", "", "", `"order.cfg"`, "dats")
	order.files[1].Text = "S -> dats writer\n"
	dropped := &fault{name: "a team: a constraint that another executor does not meet", kind: teamed, says: "the price is known",
		files: plans("moved.team", `(define moved
  (:executors
    (mover (:does "Finds a mover.") (:tools "Calculator") (:gives "{\"price\": …}") (:constraints (check "result.price > 0" "the price is known")))
    (flat (:does "Finds a flat.") (:tools "Calculator") (:gives "{\"rent\": …}")))
  (:global "be brief")
  (:limits (retries 0)))
`),
	}
	dropped.files = append(dropped.files, teamFiles()[3])
	dropped.asks = map[string]func(*asked){onRun: func(a *asked) {
		a.run("", "moved.team", `{"task":"t","model":{"kind":"first"},"graph":{"subtasks":[{"id":"t1","task":"move","executor":"mover"}]},"models":{
			"executor mover":{"kind":"scripted","script":["[Thought] x\n[Final Thought] x\n[Answer] {\"price\": 0}"]},
			"executor flat":{"kind":"scripted","script":["[Thought] x\n[Final Thought] x\n[Answer] {\"rent\": 9}"]}}}`, a.f.files, nil)
	}}
	dropped.not = map[string]string{onEditor: "the file is right", onLab: "the same run is a cell"}
	agents := of("a property of an executor's agent is violated", "", "", "", "safe")
	agents.files = append(agents.files, File{Name: "rules.ltl", Text: "safe: G !A\n"})
	agents.asks = map[string]func(*asked){onRun: func(a *asked) {
		a.run("", "r.team", `{"task":"t","model":{"kind":"first"},"graph":`+strings.Replace(pair, `"thought": "x", `, "", 1)+`}`, a.f.files, nil)
	}}
	agents.not = map[string]string{onEditor: "the team is right; its formula has a report of its own", onLab: "the same run is a cell"}
	return []*fault{
		of("an unknown tool", `"Calculator"`, `"Calculater"`, `"Calculater"`, `"Calculater"`),
		of("a file that is not there", `"a.agent"`, `"b.agent"`, `"b.agent"`, `"b.agent"`),
		of("a formula that names no executor", `"Be right."`, `(ltl "F done.dats")`, "done.dats", "dats"),
		of("a check with an unknown function", "length(answer)", "lenght(answer)", "lenght", "lenght"),
		broken, order, dropped, agents,
		{name: "a team: a graph that names no executor", kind: &faultKind{not: teamed.not}, files: teamFiles(), says: "dats",
			not: map[string]string{onEditor: "a graph is no file", onLab: "the same run is a cell"}, asks: map[string]func(*asked){
				onRun: func(a *asked) {
					text := strings.Replace(pair, `"dates"`, `"dats"`, 1)
					a.call("team.graph", TeamGraphParams{Files: a.f.files, Name: "r.team", Text: text})
					a.run("", "r.team", `{"task":"t","model":{"kind":"scripted","script":[`+quoteJSON(text)+","+quoteJSON(text)+","+quoteJSON(text)+`]}}`, a.f.files, nil)
				}}},
	}
}

func labFaults() []*fault {
	of := func(name, old, new, at, says string) *fault {
		files := workspaceLabFiles()
		files[0].Text = strings.Replace(files[0].Text, old, new, 1)
		return &fault{name: "an experiment: " + name, kind: experiment, files: files, at: at, says: says}
	}
	// alone has one model and one task, so that nothing else passes.
	alone := func(name, text, says, reason string) *fault {
		files := workspaceLabFiles()
		files[0].Text = text
		return &fault{name: "an experiment: " + name, kind: experiment, files: files, says: says, not: map[string]string{onEditor: reason}}
	}
	lines := of("a line of data that is no JSON", "", "", "", "line 2")
	lines.files[4].Text += "\n{\"question\": "
	lines.not = map[string]string{onEditor: "the editor has the experiment, not its data"}
	unjudged := of("a property that cannot be judged", "", "", "", `"zz"`)
	unjudged.files = append(unjudged.files, File{Name: "g.cfg", Text: goodCFG}, File{Name: "rules.ltl", Text: "safe: G !zz\n"})
	unjudged.not = map[string]string{onEditor: "the formula has the report"}
	return []*fault{
		of("an unknown method", "(formulate formulate)", "(formulat formulate)", "formulat", "formulat"),
		of("an unknown way", "(formulate formulate)", "(formulate formulat)", "formulat", "formulat"),
		of("an unknown metric", "(:models", "(:measures valed)\n  (:models", "valed", "valed").recovered(),
		of("an unknown model", "(simulated first)", "(simulated furst)", "furst", "furst"),
		of("a problem that is not there", `"bakery.problem"`, `"bakary.problem"`, `"bakary.problem"`, "bakary.problem"),
		of("a file of questions that is not there", `"asked.jsonl"`, `"asket.jsonl"`, "", `"asket.jsonl"`),
		of("a team that is not there", `(team "desk.team")`, `(team "dask.team")`, `"dask.team"`, "dask.team"),
		of("an optimum that is not a number", "(:optimum 9)", "(:optimum nine)", ":optimum", "optimum"),
		alone("an endpoint that is not given", `(experiment own (:tasks (questions "asked.jsonl")) (:methods (team "desk.team")) (:models (endpoint "lab")))`, `"lab"`, "an endpoint is given when the experiment is run"),
		alone("a problem that nobody formulated", `(experiment own (:tasks (problems "bakery.problem")) (:methods (formulate formulate)) (:models (simulated first)))`, "is missing", "the experiment is right"),
		lines, unjudged,
	}
}

func solverFaults() []*fault {
	text := func(name, file, text, at, says string) *fault {
		return &fault{name: "a solver's text: " + name, kind: solverText, files: plans(file, text), at: at, says: says}
	}
	const fence = "(declare-const w Real)(declare-const h Real)(assert (> w 0.0))(assert (> h 0.0))(assert (= (* w h) 12.0))(minimize (+ w h))\n"
	says := func(name, text, reply, says string) *fault {
		return &fault{name: "a solver: " + name, kind: solverReply, files: plans("a.smt2", text), text: reply, says: says}
	}
	const model = "sat\nstile.objectives\n(objectives ((+ w h) (/ 36.0 5.0)))\nstile.model\n((define-fun w () Real 4.0)(define-fun h () Real 3.0))"
	fails := func(code, message, want string) *fault {
		return &fault{name: "a solver: " + message, kind: solverReply, files: plans("a.smt2", fence), says: want, asks: map[string]func(*asked){
			onRun: func(a *asked) {
				a.run("", "a.smt2", "{}", a.f.files, func(e process.Effect) []process.Answer {
					return []process.Answer{{Effect: e.ID, Error: &process.EffectError{Code: code, Message: message}}}
				})
			},
			onSolver: func(a *asked) {
				a.run(RunSolve, "", `{"solver":"z3","text":`+quoteJSON(fence)+`}`, nil, func(e process.Effect) []process.Answer {
					return []process.Answer{{Effect: e.ID, Error: &process.EffectError{Code: code, Message: message}}}
				})
			},
		}}
	}
	return []*fault{
		text("an unknown constant", "a.smt2", "(declare-const x Int)\n(assert (> x y))\n", "y", `"y"`),
		text("an unknown function", "a.smt2", "(declare-const x Int)\n(assert (> (cost x) 3))\n", "cost", `"cost"`),
		text("a command that touches a file", "a.smt2", "(declare-const x Int)\n(assert (> x 3))\n(include \"/etc/passwd\")\n", "include", "include"),
		text("a strict inequality in LP", "a.lp", "Minimize\n obj: x\nSubject To\n c: x > 1\nEnd\n", ">", ">"),
		text("a sort that does not fit", "a.smt2", "(declare-const x Int)\n(assert (and x true))\n", "x", "sort Int"),
		says("unknown", fence, "unknown\n", "unknown"),
		says("an optimum that is not proven", fence, model, "not proved optimal"),
		says("a model that lacks a variable", fence, "sat\nstile.objectives\n(objectives ((+ w h) 7))\nstile.model\n((define-fun w () Real 4.0))", "w"),
		says("an error of the solver", fence, "(error \"line 1 column 9: unknown constant q\")\n", "unknown constant q"),
		says("nothing", fence, "", "stopped in the middle"),
		fails("timeout", "the time limit was reached: 60 s", "the time limit was reached"),
		fails("memory", "the memory was full", "the memory was full"),
		fails("aborted", "somebody cancelled it", "somebody cancelled it"),
		fails("solver.load", "the solver cannot be fetched", "the solver cannot be fetched"),
		fails("solver.crash", "the solver broke down", "the solver broke down"),
	}
}

func exchangeFaults() []*fault {
	in := func(name, format, text, says string) *fault {
		return &fault{name: "an import: " + name, kind: imported, set: format, text: text, says: says}
	}
	out := func(name, format string, files []File, says string) *fault {
		return &fault{name: "an export: " + name, kind: exported, set: format, files: files, says: says}
	}
	long := desk(`(Reply (:text "[Reply]"))`, `(Reply (:text "[Reply]") (:max-tokens 5))`)
	env := desk(`(Reply (:text "[Reply]"))`, `(Reply (:text "[Reply]") (:flags :env-input))`)
	return []*fault{
		in("a rule that is not there", "gbnf", "root ::= \"a\" digits\n", "digits"),
		in("a bracket that is open", "gbnf", "root ::= [a-z\n", "]"),
		in("no rule", "gbnf", "# nothing\n", "rule"),
		in("GBNF without a root", "gbnf", "start ::= \"a\"\n", "root"),
		in("an unknown flag of Lark", "lark", "start: /a/q\n", "q"),
		in("a Lark directive that is not read", "lark", "start: A\nA: \"a\"\n%override A\n", "%override"),
		in("a HOA of infinite words", "hoa", "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 2 Inf(0)&Fin(1)\n--BODY--\nState: 0\n[t] 0\n--END--\n", "acceptance"),
		in("a forbid of Cedar that depends on groups", "cedar", "permit (principal, action, resource);\nforbid (principal in Group::\"a\", action, resource);\n", "principal in"),
		in("a permit of Cedar that depends on attributes", "cedar", "permit (principal, action, resource) when { principal.a };\n", "attributes of the principal"),
		in("no notation of ours", "bnf", "a", `"bnf"`),
		out("a limit that the notation does not have", "dot", plans("g.cfg", "S -> ask S | refund\nlimit 1 ask\n"), "limit"),
		out("a bound of tokens", "gbnf", long, "max-tokens"),
		out("a state of the environment", "gbnf", env, "environment"),
		out("an agent as an automaton over infinite words", "hoa", plans("g.cfg", goodCFG), "hoa"),
		out("a notation that is none", "gnbf", plans("g.cfg", goodCFG), "gnbf"),
		out("a spec that is none", "gbnf", plans("notes.md", "x"), "notes.md"),
	}
}

func linkFaults() []*fault {
	in := func(name, text, says string) *fault {
		return &fault{name: "a link: " + name, kind: link, text: text, says: says}
	}
	file := func(name, file, text, says string) *fault {
		return &fault{name: "a file: " + name, kind: archive, set: file, text: text, says: says}
	}
	of := func(name string, files []File, says string) *fault {
		return &fault{name: "a workspace: " + name, kind: shelf, files: files, says: says}
	}
	many := []File{}
	for i := range 201 {
		many = append(many, File{Name: fmt.Sprintf("g%d.cfg", i), Text: goodCFG})
	}
	cfg := File{Name: "g.cfg", Text: goodCFG}
	return []*fault{
		in("cut off", "#1:S85W", "link"),
		in("damaged", "#1:*", "link"),
		in("of a later version", "#2:x", "version"),
		file("no UTF-8", "g.cfg", "S -> \xe9\n", "UTF-8"),
		file("bytes of a program", "g.cfg", "\x00\x01\x02", "binary"),
		of("201 files", many, "200"),
		of("a name twice", []File{cfg, cfg}, "g.cfg"),
		of("a name that leaves the folder", []File{cfg, {Name: "../x.cfg", Text: goodCFG}}, "../x.cfg"),
		of("a name of two lines", []File{cfg, {Name: "a\nb.cfg", Text: goodCFG}}, "name"),
	}
}

// pageFaults are faults of the page alone, with the browser test of each; the test's name
// may have a part that its file fills in.
var pageFaults = []struct{ fault, file, test string }{
	{"storage that is full, blocked or lost", "storage-faults.spec.ts", "with storage that is ${fault} the status reports it, and the text can be saved as a file"},
	{"a write that ends late", "storage-faults.spec.ts", "a write that ends late is saved after all"},
	{"a part of a version that is gone", "storage-faults.spec.ts", "a missing part of the page offers a newer version"},
	{"results that the device does not take in", "storage-faults.spec.ts", "results of an experiment that cannot be stored are reported"},
	{"a drawing of an earlier text", "picture.spec.ts", "while a text has errors its last valid drawing stays, dimmed and labelled, and stepping is disabled"},
	{"a drawing of another file", "picture.spec.ts", "a file without a drawing shows none of another file"},
	{"a verdict of an earlier text", "picture.spec.ts", "outdated verification results are marked, and a file that cannot be checked is named"},
	{"an analysis that hangs", "picture.spec.ts", "a text that hangs the core shows no results of another, and is analysed again after a change"},
	{"an analysis that hangs during a live run", "run-core.spec.ts", "a text that hangs the core neither ends nor delays a live run"},
	{"a run that ends its core", "run-core.spec.ts", "a run that crashes its core repeatedly stops being resumed"},
	{"a run that is lost with a reload", "run-history.spec.ts", "a finished run survives a reload with its own workspace, and opens by keyboard"},
	{"a run that the device does not take in", "run-history.spec.ts", "a run that cannot be stored is reported"},
	{"a live run that is left", "leave-run.spec.ts", "opening ${what} asks before it cancels a live run"},
	{"an edit of one's own link that is lost", "own-link.spec.ts", "an edit after opening one's own link in ${where}, ${draft}, survives a reload"},
	{"a draft that is dropped", "drafts.spec.ts", "no draft is dropped silently: the page names it, and it can be saved first"},
	{"a write over another tab's", "keep.spec.ts", "two tabs do not overwrite each other"},
	{"a solver that is not fetched", "solve.spec.ts", "a solver that cannot be loaded is reported, and loads later"},
}

func TestPageFaultsHaveBrowserTests(t *testing.T) {
	for _, f := range pageFaults {
		text, err := os.ReadFile("../../web/tests/" + f.file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "test(\""+f.test+"\"") && !strings.Contains(string(text), "test(`"+f.test+"`") {
			t.Errorf("%s: %s has no test %q", f.fault, f.file, f.test)
		}
	}
}
