package session

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// RunTeam is the kind of run in which a team does a task.
const RunTeam = "team"

func teamMethods() []Method {
	return []Method{pure("team.defaults", teamDefaults), method("team.graph", (*Session).teamGraph)}
}

// TeamDefaultsParams has no fields.
type TeamDefaultsParams struct{}

// TeamDefaultsResult lists the defaults of a team's settings, and the functions that
// checks may call.
type TeamDefaultsResult struct {
	Templates team.Templates `json:"templates"`
	Tokens    int            `json:"tokens"` // of a call
	Functions []TeamFunction `json:"functions"`
}

// TeamFunction is a function of expressions.
type TeamFunction struct {
	Form string `json:"form"`
	Text string `json:"text"`
}

func teamDefaults(TeamDefaultsParams) (TeamDefaultsResult, error) {
	out := TeamDefaultsResult{Templates: team.DefaultTemplates(), Tokens: team.DefaultMaxTokens}
	for _, f := range team.Functions() {
		out.Functions = append(out.Functions, TeamFunction(f))
	}
	return out, nil
}

// TeamGraphEvent is the event of the task graph that is executed from here on. Its drawing has a
// node for each sub-task, by its identifier, and one each for "manager" and "deliverer"; the
// identifier of an edge consists of those of its ends, joined with ">".
type TeamGraphEvent struct {
	Kind     string     `json:"kind"`  // "team.graph"
	At       int        `json:"at"`    // the number of answers so far: where the run can be forked
	After    int        `json:"after"` // completely answered effects so far, for a change of the graph
	By       string     `json:"by"`    // "manager", "person" or "settings"
	Graph    team.Graph `json:"graph"`
	Critical []string   `json:"critical"` // the critical path: a longest path of sub-tasks
	Again    []string   `json:"again"`    // sub-tasks to execute: all of them, or those affected by a change
	Drawing  *Drawing   `json:"drawing"`
}

// teamEvents are examples of the events of a team. Events of package monitor occur, too,
// with the identifier of the sub-task in an additional field "subtask".
func teamEvents() []any {
	return []any{
		team.PromptEvent{Kind: "team.prompt"}, team.DeltaEvent{Kind: "team.delta"}, team.ReplyEvent{Kind: "team.reply"}, team.OfferEvent{Kind: "team.offer"},
		TeamGraphEvent{Kind: "team.graph"}, team.StateEvent{Kind: "team.state"}, team.MessageEvent{Kind: "team.message"},
		team.ViolationEvent{Kind: "team.violation"}, team.DoneEvent{Kind: "team.done"},
	}
}

func teamBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings team.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	f := file.Source()
	spec, found := team.Parse(f)
	if source.HasErrors(found) {
		return nil, notation.Invalid(f, found)
	}
	if found := checkTeamFiles(spec, w); source.HasErrors(found) {
		return nil, notation.Invalid(f, found)
	}
	setup := team.Setup{}
	var err error
	if setup.Setup, err = monitorSetup(w.Workspace); err != nil {
		return nil, err
	}
	setup.Judge = propertyJudge(w, settings.Without)
	if setup.Rules, err = policyOf(settings.Rules, settings.RulesObserved); err != nil {
		return nil, err
	}
	if err := addRecords(&setup.Setup, w.Workspace); err != nil {
		return nil, err
	}
	if setup.Shape, err = teamShape(spec, w); err != nil {
		return nil, err
	}
	setup.Show = func(env *process.Env, e team.GraphEvent) {
		env.Emit(TeamGraphEvent{e.Kind, e.At, e.After, e.By, e.Graph, e.Critical, e.Again, wireDrawing(view.TaskGraph(&e.Graph), nil)})
	}
	return func(env *process.Env) (any, error) { return team.Problem{Spec: spec, Setup: setup}.Run(env, settings) }, nil
}

// teamShape returns the constraint on the orders of a team's graphs, or nil.
func teamShape(spec *team.Spec, w project) (*team.Shape, error) {
	if spec.Shape.Name == "" {
		return nil, nil
	}
	file, ok := w.File(spec.Shape.Name)
	if !ok {
		return nil, missingFile(spec.Shape.Name, w.Workspace)
	}
	row, f := w.table.Of(file.Name), file.Source()
	if !row.Shapes {
		return nil, source.NewError("team.file", file.Name+" cannot be the shape of a team; expected a grammar or a flowchart")
	}
	compiled, found := row.Spec(f)
	shaper, ok := compiled.(notation.Shaper)
	if !ok || source.HasErrors(found) {
		return nil, notation.Invalid(f, found)
	}
	return shaper.Shape(f), nil
}

// checkTeamFiles reports faults of the files and tools that a team names, at their names.
func checkTeamFiles(spec *team.Spec, w project) []source.Diagnostic {
	var found []source.Diagnostic
	report := func(severity source.Severity, code string, span source.Span, format string, arguments ...any) {
		found = append(found, source.Diagnostic{Code: code, Severity: severity, Span: span, Message: fmt.Sprintf(format, arguments...)})
	}
	named := func(name team.FileName, check func(f File) error) {
		if name.Name == "" {
			return
		}
		f, ok := w.File(name.Name)
		if !ok {
			found = append(found, missingName("team.file-missing", source.SeverityError, name.Name, name.Span, w.Files))
		} else if err := check(f); err != nil {
			report(source.SeverityError, "team.file", name.Span, "%s: %s", name.Name, err.Error())
		}
	}
	declared, err := agentTools(w.Workspace)
	tools := map[string]bool{}
	servers := 0
	if err == nil && declared != nil {
		for _, name := range declared.Names() {
			tools[strings.ToLower(name)] = true
		}
		servers = declared.Servers()
	}
	for _, e := range spec.Executors {
		named(e.Agent, func(f File) error {
			_, err := language.SoundAgent(f.Source())
			return err
		})
		for _, t := range e.Tools {
			if declared == nil || tools[strings.ToLower(t.Name)] || servers > 0 {
				continue
			}
			message := fmt.Sprintf("unknown tool %q in the workspace", t.Name)
			if near := source.Nearest(t.Name, declared.Names()); near != "" {
				message += fmt.Sprintf("; did you mean %q?", near)
			}
			report(source.SeverityError, "team.tool-missing", t.Span, "%s", message)
		}
	}
	named(spec.Shape, func(File) error {
		shape, err := teamShape(spec, w)
		if err == nil {
			found = append(found, spec.CheckShape(shape)...)
		}
		return err
	})
	return found
}

// TeamFacts are properties of a team that the settings of its runs depend on.
type TeamFacts struct {
	Executors  []TeamExecutor          `json:"executors"`
	Role       string                  `json:"role"`
	Shape      string                  `json:"shape,omitempty"` // a file
	Steps      int                     `json:"steps"`
	Retries    int                     `json:"retries"`
	Concurrent int                     `json:"concurrent"`
	Subtasks   int                     `json:"subtasks"`
	Checked    int                     `json:"checked"` // constraints with a check
	Prose      int                     `json:"told"`    // constraints in prose
	Tools      []string                `json:"tools"`   // declared by the workspace
	Servers    int                     `json:"servers,omitempty"`
	Calls      []agenttools.RemoteCall `json:"calls,omitempty"` // requests of the tools
}

// TeamExecutor is an executor of a team. Without an agent file it is ReAct, and Text is
// the text of that agent.
type TeamExecutor struct {
	Name  string   `json:"name"`
	Does  string   `json:"does"`
	Agent string   `json:"agent"` // a file
	ReAct string   `json:"react,omitempty"`
	Tools []string `json:"tools"`
}

// factsOfTeam returns the facts that a run's settings depend on.
func factsOfTeam(spec *team.Spec, files []File) *TeamFacts {
	l := spec.Limits
	out := &TeamFacts{Executors: []TeamExecutor{}, Role: spec.Role, Shape: spec.Shape.Name, Steps: l.Steps, Retries: l.Retries, Concurrent: l.Concurrent, Subtasks: l.Subtasks, Tools: []string{}}
	lists := [][]team.Constraint{spec.Local, spec.Global}
	for _, e := range spec.Executors {
		names := []string{}
		for _, t := range e.Tools {
			names = append(names, t.Name)
		}
		lists = append(lists, e.Constraints)
		x := TeamExecutor{Name: e.Name, Does: e.Does, Agent: e.Agent.Name, Tools: names}
		if x.Agent == "" {
			x.ReAct = team.ReAct(names)
		}
		out.Executors = append(out.Executors, x)
	}
	for _, list := range lists {
		for _, c := range list {
			if c.Formal() {
				out.Checked++
			} else {
				out.Prose++
			}
		}
	}
	if declared, err := agentTools(workspace.Workspace{Files: files}); err == nil && declared != nil {
		out.Tools, out.Servers, out.Calls = orEmpty(declared.Names()), declared.Servers(), declared.Calls()
	}
	if tools, err := recordTools(workspace.Workspace{Files: files}); err == nil {
		for _, c := range tools {
			out.Tools = append(out.Tools, c.Name())
		}
	}
	return out
}

// TeamGraphParams are a graph for a team of a workspace, or a person's text instead; and
// the graph that it replaces, if any.
type TeamGraphParams struct {
	Files  []File      `json:"files"`
	Name   string      `json:"name"`
	Graph  *team.Graph `json:"graph,omitempty"`
	Text   string      `json:"text,omitempty"`
	Before *team.Graph `json:"before,omitempty"`
	// Create is the maximum number of executors that the graph may create.
	Create int `json:"create,omitempty"`
}

// TeamGraphResult is the graph as a run would have it, or its faults. Again lists the
// sub-tasks to repeat after the previous graph; without a previous graph it lists all.
type TeamGraphResult struct {
	Faults   []string    `json:"faults"`
	Graph    *team.Graph `json:"graph,omitempty"`
	Critical []string    `json:"critical"`
	Again    []string    `json:"again"`
	Drawing  *Drawing    `json:"drawing,omitempty"`
}

func (s *Session) teamGraph(p TeamGraphParams) (TeamGraphResult, error) {
	file, err := openDocument(DocumentParams{Files: p.Files, Name: p.Name})
	if err != nil {
		return TeamGraphResult{}, err
	}
	spec, found := team.Parse(file)
	if source.HasErrors(found) {
		return TeamGraphResult{}, notation.Invalid(file, found)
	}
	shape, err := teamShape(spec, s.project(p.Files))
	if err != nil {
		return TeamGraphResult{}, err
	}
	reader := team.Reader{Spec: spec, Shape: shape, Meter: meter.New(callBudget), Create: p.Create}
	g, out := p.Graph, TeamGraphResult{Critical: []string{}, Again: []string{}}
	var faults []string
	if g != nil {
		faults, err = reader.Check(g)
	} else {
		g, faults, err = reader.Read(p.Text)
	}
	if err != nil {
		return TeamGraphResult{}, err
	}
	if out.Faults = orEmpty(faults); len(faults) > 0 {
		return out, nil
	}
	before := p.Before
	if before == nil {
		before = &team.Graph{}
	}
	out.Graph, out.Again, out.Drawing = g, g.Consequences(before), wireDrawing(view.TaskGraph(g), nil)
	out.Critical, _ = g.Critical(func(string) int { return 1 })
	return out, nil
}
