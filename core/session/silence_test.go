package session

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
	corejson "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
)

// The surfaces that can report a fault.
const (
	onEditor   = "editor"
	onRun      = "Run"
	onVerify   = "Verify"
	onTrace    = "Trace"
	onCall     = "call"
	onGuard    = "guard"
	onLab      = "Lab"
	onCI       = "CI line"
	onExchange = "import, export"
	onSolver   = "solver"
)

var surfaces = []string{onEditor, onRun, onVerify, onTrace, onCall, onGuard, onLab, onCI, onExchange, onSolver}

// fault is a row of the table. For each surface it has either the request that shows the
// fault or the reason why none does.
type fault struct {
	name  string
	kind  *faultKind
	files []File // the first file has the fault
	text  string // a trace, a plan, an answer or a link, depending on the kind
	set   string // additional members of a run's settings, or the format of a text
	at    string // the text that the editor underlines
	says  string // a part of the report, on every surface
	// also lists the surfaces with other wording.
	also map[string]string
	asks map[string]func(*asked) // in addition to those of its kind
	rest bool                    // see recovered
	not  map[string]string       // surfaces of its kind that cannot show it, and why
}

// faultKind contains the common properties of the faults of a kind.
type faultKind struct {
	asks map[string]func(*asked)
	not  map[string]string
	// traces reports whether the faults are in traces; the trace of other faults is correct.
	traces bool
}

// asked is the reply to a request about a fault on a surface.
type asked struct {
	t       *testing.T
	s       *Session
	f       *fault
	surface string
	replies []askedReply
}

type askedReply struct {
	method string
	raw    string
	words  string // all texts of the reply
	passes bool
}

// call makes a request like `build call`, and keeps the reply.
func (a *asked) call(method string, params any) map[string]any {
	a.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		a.t.Fatal(err)
	}
	text := a.s.Handle(fmt.Appendf(nil, `{"id":1,"method":%q,"params":%s}`, method, raw))
	var reply map[string]any
	if err := json.Unmarshal(text, &reply); err != nil || slices.Contains(text, '\n') || (reply["result"] == nil) == (reply["error"] == nil) {
		a.t.Fatalf("%s: the reply is no line with a result or an error: %.300s", method, text)
	}
	result, _ := reply["result"].(map[string]any)
	r := askedReply{method: method, raw: string(text), words: words(reply)}
	if passes, judged := passing[method]; judged && result != nil {
		r.passes = passes(result)
	}
	a.replies = append(a.replies, r)
	return result
}

// words joins all texts of a value, and the keys of its objects.
func words(value any) string {
	switch v := value.(type) {
	case string:
		return v + "\n"
	case []any:
		out := ""
		for _, x := range v {
			out += words(x)
		}
		return out
	case map[string]any:
		out := ""
		for _, key := range sortedKeys(v) {
			out += words(v[key])
		}
		return out
	}
	return ""
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// passing lists the methods whose result can be a pass.
var passing = map[string]func(result map[string]any) bool{
	"document.analyze": unreported, "language.check": unreported, "grammar.check": unreported, "agent.check": unreported, "solve.check": unreported, "spec.import": unreported,
	"monitor.check":    func(r map[string]any) bool { return r["verdict"] == "valid" },
	"guard.check":      func(r map[string]any) bool { return r["verdict"] == "valid" || r["violation"] == nil },
	"guard.end":        func(r map[string]any) bool { return r["violation"] == nil },
	"plan.check":       func(r map[string]any) bool { return r["valid"] == true },
	"grammar.verify":   func(r map[string]any) bool { return r["holds"] == true },
	"formula.verdict":  func(r map[string]any) bool { return r["holds"] == true },
	"agent.verdict":    func(r map[string]any) bool { return r["verdict"] == "valid" },
	"share.decode":     func(map[string]any) bool { return true },
	"workspace.import": func(map[string]any) bool { return true },
	"workspace.export": func(map[string]any) bool { return true },
	"solve.read":       solvedFor,
	"team.graph":       func(r map[string]any) bool { return len(r["faults"].([]any)) == 0 },
	"run.resume": func(r map[string]any) bool {
		made, _ := r["result"].(map[string]any)
		return r["state"] == "done" && made != nil && ranWell(made)
	},
}

// unreported reports whether a result contains no fault, or a formula that holds.
func unreported(r map[string]any) bool {
	named := false
	list, _ := r["diagnostics"].([]any)
	for _, x := range list {
		d := x.(map[string]any)
		if d["code"] == "ltl.holds" {
			return true
		}
		named = named || d["severity"] == "error" || d["severity"] == "warning" || d["code"] == "ltl.waiting"
	}
	return !named
}

func solvedFor(r map[string]any) bool {
	answer := r["answer"].(map[string]any)
	objectives, _ := answer["objectives"].([]any)
	return answer["status"] == "unsat" || answer["status"] == "sat" && (len(objectives) == 0 || answer["proven"] == true)
}

// ranWell reports whether a run's result is a pass.
func ranWell(r map[string]any) bool {
	if _, ok := r["answer"].(map[string]any); ok && r["families"] != nil && r["status"] == nil {
		return solvedFor(r)
	}
	if outcomes, ok := r["outcomes"].([]any); ok {
		for _, x := range outcomes {
			o := x.(map[string]any)
			measures, _ := o["measures"].([]any)
			if o["state"] == "done" && len(measures) > 0 && measures[0].(map[string]any)["count"] != 0.0 {
				return true // the first measure is validity
			}
		}
		return false
	}
	if check, ok := r["check"].(map[string]any); ok { // of a baseline
		return check["valid"] == true
	}
	if rows, ok := r["rows"].([]any); ok { // of a comparison
		for _, x := range rows {
			if x.(map[string]any)["valid"] != 0.0 {
				return true
			}
		}
		return false
	}
	for field, good := range map[string]any{"verdict": "valid", "valid": true, "status": "solved"} {
		if is, ok := r[field]; ok {
			return is == good
		}
	}
	if failed, _ := r["failed"].(float64); failed > 0 || r["met"] == false {
		return false
	}
	end, _ := r["end"].(map[string]any)
	return end == nil || end["good"] == true
}

// document makes the editor's requests for the first file: the page shows the results of
// two methods together.
func document(a *asked) {
	f := a.f.files[0]
	p := DocumentParams{Files: a.f.files, Name: f.Name}
	underlined, all := a.f.at == "", ""
	for _, method := range []string{"document.analyze", "language.check"} {
		list, _ := a.call(method, p)["diagnostics"].([]any)
		for _, x := range list {
			d := x.(map[string]any)
			text := f.Text[int(d["start"].(float64)):int(d["end"].(float64))]
			if d["severity"] == "error" || d["severity"] == "warning" {
				underlined = underlined || strings.Contains(words(d), a.f.report(onEditor)) && text == a.f.at
				all += fmt.Sprintf("  %q: %s\n", text, d["message"])
			}
		}
	}
	first, second := &a.replies[0], &a.replies[1]
	if !first.passes || !second.passes {
		first.passes, second.passes = false, false
	}
	if !underlined {
		a.t.Errorf("editor: %q is not underlined, but\n%s", a.f.at, all)
	}
}

func (f *fault) report(surface string) string {
	if other, ok := f.also[surface]; ok {
		return other
	}
	return f.says
}

// run runs a file to its end and answers its effects.
func (a *asked) run(kind, name, settings string, files []File, answer func(process.Effect) []process.Answer) {
	a.t.Helper()
	started := a.call("run.start", RunStartParams{Kind: kind, Workspace: RunWorkspace{Files: files, Name: name}, Settings: []byte(settings)})
	if started == nil {
		return
	}
	var answers []process.Answer
	for moves := 0; ; moves++ {
		p := RunResumeParams{Run: int(started["run"].(float64)), Answers: answers, Slice: 1 << 40}
		a.call("run.resume", p)
		var out struct{ Result RunResumeResult }
		if err := json.Unmarshal([]byte(a.replies[len(a.replies)-1].raw), &out); err != nil {
			a.t.Fatal(err)
		}
		switch out.Result.State {
		case process.StateDone, process.StateFailed:
			return
		}
		answers = nil
		for _, e := range out.Result.Effects {
			if answer == nil {
				a.t.Fatalf("an answer is asked for: %+v", e)
			}
			answers = append(answers, answer(e)...)
		}
		if moves > 1000 {
			a.t.Fatal("the run does not end")
		}
	}
}

// settings returns the settings of a run, by default with a model that makes the first
// choice.
func (f *fault) settings() string {
	list := []string{}
	if f.set != "" {
		list = append(list, f.set)
	}
	if !strings.Contains(f.set, `"model"`) {
		list = append(list, `"model":{"kind":"first"}`)
	}
	return "{" + strings.Join(list, ",") + "}"
}

// lab runs an experiment with a file of the workspace.
func (a *asked) lab(tasks, method string) {
	files := append([]File{
		{Name: "silence.lab", Text: "(experiment silence\n  (:tasks " + tasks + ")\n  (:methods " + method + ")\n  (:models (simulated first)))\n"},
		{Name: "q.jsonl", Text: `{"question":"How many?","answer":"3"}`},
		{Name: "tasks.json", Text: `{"tasks":[{"id":0,"text":"Plan.","spec":"` + a.f.spec() + `"}]}`},
	}, a.f.files...)
	a.call("lab.check", LabCheckParams{Files: files, Name: "silence.lab"})
	a.run(RunLab, "silence.lab", "{}", files, nil)
}

// spec returns the name of the first file that is a spec.
func (f *fault) spec() string {
	for _, file := range f.files {
		if !strings.HasSuffix(file.Name, ".ltl") {
			return file.Name
		}
	}
	return ""
}

func (f *fault) textOf(name string) string {
	for _, file := range f.files {
		if file.Name == name {
			return file.Text
		}
	}
	return ""
}

// properties returns the formulas of a workspace.
func (f *fault) properties() string {
	out := ""
	for _, file := range f.files {
		if strings.HasSuffix(file.Name, ".ltl") {
			out += file.Text + "\n"
		}
	}
	return out
}

// export exports the spec to each format; every reply must report the fault.
func (a *asked) export(formats ...string) {
	for _, format := range formats {
		a.call("spec.export", SpecExportParams{Name: a.f.spec(), Text: a.f.textOf(a.f.spec()), Format: format, Files: a.f.files})
		last := &a.replies[len(a.replies)-1]
		last.passes = !strings.Contains(last.words, a.f.report(a.surface))
	}
}

// guard leads a guard through the states of a run until it ends or is rejected.
func (a *asked) guard(states ...[2]string) {
	p := GuardParams{Source: a.f.textOf(a.f.spec()), Properties: a.f.properties()}
	now := a.call("guard.open", p)
	run := func() {
		raw, _ := json.Marshal(now["run"])
		if err := json.Unmarshal(raw, &p.Run); err != nil {
			a.t.Fatal(err)
		}
	}
	for _, s := range states {
		if now == nil || now["violation"] != nil {
			return
		}
		run()
		now = a.call("guard.enter", GuardEnterParams{Source: p.Source, Properties: p.Properties, Run: p.Run, State: s[0], Content: &s[1]})
	}
	if now != nil && now["violation"] == nil {
		run()
		a.call("guard.end", p)
	}
}

// goodStates are the states of goodTrace.
var goodStates = [][2]string{{"Ask", "where is it?"}, {"Act", "lookup"}, {"Reply", "on its way"}}

// checkParams are the parameters of monitor.check for the fault.
func (f *fault) checkParams() MonitorCheckParams {
	p := MonitorCheckParams{Source: f.textOf(f.spec()), Text: f.text, Format: "auto", Properties: f.properties()}
	if !f.kind.traces {
		p.Text = goodTrace
	}
	return p
}

// ci does what README's line for continuous integration does: stile check judges the trace by
// the agent and its formulas.
func ci(a *asked) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		a.t.Fatal(err)
	}
	if !strings.Contains(string(readme), "$ stile check shop.agent shop.ltl traces/") {
		a.t.Fatal("README has no line for continuous integration")
	}
	check := a.f.checkParams()
	p := TraceMatrixParams{Files: []File{{Name: a.f.spec(), Text: check.Source}}, Traces: []backtest.Part{{Name: "trace", Text: check.Text}}}
	if check.Properties != "" {
		p.Files = append(p.Files, File{Name: "properties.ltl", Text: check.Properties})
	}
	a.call("trace.matrix", p)
	last := &a.replies[len(a.replies)-1]
	var reply struct{ Result *TraceMatrixResult }
	if err := json.Unmarshal([]byte(last.raw), &reply); err != nil {
		a.t.Fatal(err)
	}
	last.passes = last.passes || reply.Result != nil && reply.Result.Passes
}

// TestEveryFaultIsReported checks each fault on each surface: either the outcome is not a
// pass and a report names the fault, or the table has the reason why the surface cannot
// show it.
func TestEveryFaultIsReported(t *testing.T) {
	seen, names := map[string]int{}, map[string]bool{}
	total := 0
	for _, f := range silences() {
		if names[f.name] {
			t.Errorf("%s is there twice", f.name)
		}
		names[f.name], total = true, total+1
		t.Run(f.name, func(t *testing.T) {
			asked := 0
			for _, surface := range surfaces {
				if f.held(t, surface) {
					asked++
					seen[surface]++
				}
			}
			if asked < 2 {
				t.Error("no surface is asked")
			}
		})
	}
	total += len(pageFaults)
	if total < 60 {
		t.Errorf("the table has %d faults", total)
	}
	for _, surface := range surfaces {
		if seen[surface] == 0 {
			t.Errorf("nothing is seen on %s", surface)
		}
	}
	t.Logf("%d faults; seen on: %v", total, seen)
}

// held reports whether a fault was checked on a surface. Every fault with requests also
// has a request as by `build call`, so that call shows it if another surface does.
func (f *fault) held(t *testing.T, surface string) bool {
	t.Helper()
	ask, reason := f.asks[surface], f.not[surface]
	if ask == nil && reason == "" {
		ask = f.kind.asks[surface]
	}
	if reason == "" {
		reason = f.kind.not[surface]
	}
	if surface == onCall {
		return true // each reply below is compared with it
	}
	if ask == nil {
		if reason == "" {
			t.Errorf("%s: neither asked nor said why not", surface)
		}
		return false
	}
	a := &asked{t: t, s: New(), f: f, surface: surface}
	ask(a)
	named := false
	for _, r := range a.replies {
		if r.passes && !f.rest {
			t.Errorf("%s: %s passes: %.600s", surface, r.method, r.raw)
		}
		named = named || strings.Contains(r.words, f.report(surface))
	}
	if !named || f.report(surface) == "" {
		t.Errorf("%s: %q is not reported:\n%s", surface, f.report(surface), replies(a.replies))
	}
	return true
}

func replies(list []askedReply) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "  %s: %.600s\n", r.method, strings.Join(strings.Fields(r.words), " "))
	}
	return b.String()
}

// answers to effects of a run.

// httpAnswer is a reply of an endpoint in the wire format of OpenAI.
func httpAnswer(finish, content string) func(process.Effect) []process.Answer {
	return func(e process.Effect) []process.Answer {
		if e.Kind != "http" {
			return []process.Answer{{Effect: e.ID, Value: []byte("null")}}
		}
		text, _ := json.Marshal(content)
		chunk := `data: {"choices":[{"delta":{"content":` + string(text) + `}}]}` + "\n\n" + `data: {"choices":[{"delta":{},"finish_reason":"` + finish + `"}]}` + "\n\ndata: [DONE]\n\n"
		return []process.Answer{{Effect: e.ID, Chunk: &chunk}, {Effect: e.ID, Value: []byte(`{"status":200}`)}}
	}
}

// httpFault is a failing endpoint.
func httpFault(code, message string) func(process.Effect) []process.Answer {
	return func(e process.Effect) []process.Answer {
		if e.Kind != "http" {
			return []process.Answer{{Effect: e.ID, Value: []byte("null")}}
		}
		return []process.Answer{{Effect: e.ID, Error: &process.EffectError{Code: code, Message: message}}}
	}
}

// solverSays is a solver's reply.
func solverSays(text string) func(process.Effect) []process.Answer {
	return func(e process.Effect) []process.Answer {
		raw, _ := corejson.Marshal(map[string]any{"text": text, "milliseconds": 5, "version": "1"})
		return []process.Answer{{Effect: e.ID, Value: raw}}
	}
}
