package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// RunLab is the kind of run of an experiment, which consists of many runs of other kinds.
const RunLab = "lab"

func labMethods() []Method {
	return []Method{
		method("lab.check", (*Session).labCheck), method("lab.open", (*Session).labOpen),
		method("lab.tables", (*Session).labTables), method("lab.export", (*Session).labExport),
	}
}

func labEvents() []any {
	return []any{lab.CellEvent{Kind: "lab.cell"}, lab.TableEvent{Kind: "lab.table"}}
}

// labSetup returns a setup that runs the cells of experiments like the session's own runs, without
// the properties that the experiment excludes.
func labSetup(t notation.Table, without []string) lab.Setup {
	return lab.Setup{
		Begin: func(kind string, w workspace.Workspace, name string, settings json.RawMessage) (process.Func, error) {
			var file workspace.File
			if needsSpec(kind, name != "") {
				var ok bool
				if file, ok = w.File(name); !ok {
					return nil, missingFile(name, w)
				}
			}
			_, body, err := runBody(kind, project{w, t}, file, settings, consent{without: without})
			return body, err
		},
		Tools:  workspaceTools,
		Budget: runBudget,
	}
}

// leavingOut adds the properties that the experiment excludes to a cell's settings.
func leavingOut(without []string, kind string, settings json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	for _, k := range runKinds() {
		if k.name != kind || k.free || len(without) == 0 || json.Unmarshal(settings, &fields) != nil {
			continue
		}
		if names, err := json.Marshal(without); err == nil {
			fields["without"] = names
		}
		if all, err := json.Marshal(fields); err == nil {
			return all
		}
	}
	return settings
}

// openLab reads the experiment in the named file of a workspace; an empty name selects the main
// file.
func openLab(w project, name string) (*lab.Experiment, error) {
	if name == "" {
		name = w.Main()
	}
	file, ok := w.File(name)
	if !ok {
		return nil, missingFile(name, w.Workspace)
	}
	if w.table.Of(name).Kind != workspace.KindLab {
		return nil, source.NewError("lab.kind", name+" is not an experiment; the name of an experiment ends with .lab")
	}
	f := file.Source()
	x, found := lab.Parse(f)
	if source.HasErrors(found) {
		return nil, notation.Invalid(f, found)
	}
	return x, nil
}

func labBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings lab.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	switch settings.Wording {
	case "": // new runs have one
		settings.Wording = lab.WordingEarlier
	case lab.WordingCurrent, lab.WordingEarlier:
	default:
		return nil, source.NewError("lab.settings", fmt.Sprintf("unknown wording %q (expected %s or %s)", settings.Wording, lab.WordingCurrent, lab.WordingEarlier))
	}
	for _, m := range settings.Models {
		if err := m.Spec.Check(); err != nil {
			return nil, err
		}
	}
	for _, e := range settings.Endpoints {
		if err := e.Check(); err != nil {
			return nil, err
		}
	}
	x, err := openLab(w, file.Name)
	if err != nil {
		return nil, err
	}
	if needs := x.Needs(w.Files); len(needs) > 0 {
		for i, folder := range needs {
			needs[i] = strconv.Quote(folder)
		}
		return nil, source.NewError("lab.needs", "missing folders "+strings.Join(needs, ", ")+"; add the examples that the experiment uses")
	}
	if _, _, err := x.Cells(w.Files, settings); err != nil {
		return nil, err
	}
	return func(env *process.Env) (any, error) {
		return x.Run(env, w.Files, labSetup(w.table, settings.Without), settings)
	}, nil
}

// LabCheckParams are a workspace and the name of an experiment in it; an empty name selects the
// main file.
type LabCheckParams struct {
	Files    []File       `json:"files"`
	Name     string       `json:"name,omitempty"`
	Settings lab.Settings `json:"settings,omitzero"`
}

// LabCheckResult describes an experiment: its parts, and the gallery examples that it
// needs, each in a folder of its name. Cells and Notes are empty if the workspace lacks
// such an example.
type LabCheckResult struct {
	Name       string         `json:"name"`
	Title      string         `json:"title"`
	Note       string         `json:"note"`
	Needs      []string       `json:"needs"`
	Endpoints  []string       `json:"endpoints"` // required for their rows
	Methods    []string       `json:"methods"`
	Models     []string       `json:"models"`
	Seeds      []uint64       `json:"seeds"`
	Concurrent int            `json:"concurrent"`
	Cells      []lab.Outcome  `json:"cells"`
	Notes      []string       `json:"notes"` // including notes on earlier results that are not used
	Known      int            `json:"known"` // cells with earlier results, which are reused
	Budget     LabCheckBudget `json:"budget"`
	Ceiling    LabCheckBudget `json:"ceiling"` // bounds on the requests to endpoints where the budget has none
	Table      lab.Table      `json:"table"`   // with published values
	Fault      string         `json:"fault"`   // the reason for missing cells
}

// LabCheckBudget is the budget of the experiment; 0 means unbounded.
type LabCheckBudget struct {
	Calls  int     `json:"calls"`
	Tokens int     `json:"tokens"`
	Money  float64 `json:"money"`
}

func (s *Session) labCheck(p LabCheckParams) (LabCheckResult, error) {
	w := s.project(p.Files)
	if err := w.Check(); err != nil {
		return LabCheckResult{}, err
	}
	x, err := openLab(w, p.Name)
	if err != nil {
		return LabCheckResult{}, err
	}
	out := LabCheckResult{
		Name: x.Name, Title: x.Title, Note: x.Note, Needs: orEmpty(x.Needs(w.Files)), Endpoints: []string{}, Methods: []string{}, Models: []string{},
		Seeds: x.Seeds, Concurrent: x.Concurrent, Cells: []lab.Outcome{}, Notes: []string{}, Budget: LabCheckBudget{x.Budget.Calls, x.Budget.Tokens, x.Budget.Money},
	}
	for _, m := range x.Methods {
		out.Methods = append(out.Methods, m.Name)
	}
	for _, m := range x.Models {
		out.Models = append(out.Models, m.Name)
		if m.Endpoint != "" {
			out.Endpoints = append(out.Endpoints, m.Endpoint)
		}
	}
	if len(out.Needs) == 0 {
		cells, notes, err := x.Cells(w.Files, p.Settings)
		if err == nil {
			err = x.CheckPrices(p.Settings)
		}
		if err != nil {
			out.Fault = err.Error()
		}
		for _, c := range cells {
			out.Cells = append(out.Cells, c.Outcome)
		}
		known, unused := lab.Earlier(cells, p.Settings.Earlier)
		out.Known, out.Notes = len(known), orEmpty(append(notes, unused...))
	}
	most := x.Ceiling(p.Settings)
	out.Ceiling = LabCheckBudget{most.Calls, most.Tokens, most.Money}
	out.Table = x.Table(out.Cells)
	return out, nil
}

// LabOpenParams name a cell of an experiment by its key, with the answers of its run.
type LabOpenParams struct {
	Files    []File           `json:"files"`
	Name     string           `json:"name,omitempty"`
	Settings lab.Settings     `json:"settings,omitzero"`
	Key      string           `json:"key"`
	Stamp    string           `json:"stamp,omitempty"` // of the outcome; that of a simulated model must equal the cell's, unless it is ""
	Answers  []process.Answer `json:"answers,omitempty"`
}

// LabOpenResult is a cell as a separate run, which run.start replays.
type LabOpenResult struct {
	Workspace RunWorkspace `json:"workspace"`
	Log       RunLog       `json:"log"`
}

func (s *Session) labOpen(p LabOpenParams) (LabOpenResult, error) {
	w := s.project(p.Files)
	if err := w.Check(); err != nil {
		return LabOpenResult{}, err
	}
	x, err := openLab(w, p.Name)
	if err != nil {
		return LabOpenResult{}, err
	}
	c, err := cellOf(x, w.Files, p)
	if err != nil {
		return LabOpenResult{}, err
	}
	if c.Outcome.Simulated && p.Stamp != "" && p.Stamp != c.Outcome.Stamp { // the log does not show the difference
		return LabOpenResult{}, source.NewError("lab.stale", fmt.Sprintf("outdated result of %q: its settings, its files or the simulated model have changed; run the cell again", p.Key))
	}
	if c.Kind == lab.MethodBaseline && c.Outcome.Simulated && len(p.Answers) == 0 {
		p.Answers = process.Current() // results in links have no answers
	}
	log := RunLog{
		Version: versionFor(s.project(c.Files)), Kind: c.Kind, Name: c.Name, Seed: c.Outcome.RunSeed,
		Settings: leavingOut(p.Settings.Without, c.Kind, c.Settings), Answers: orEmpty(p.Answers),
	}
	return LabOpenResult{Workspace: RunWorkspace{Files: orEmpty(c.Files), Name: c.Name}, Log: log}, nil
}

// cellOf returns the cell with a key, in the wording of its stamp: a result of an experiment without a
// wording opens with the prompts that it had.
func cellOf(x *lab.Experiment, files []workspace.File, p LabOpenParams) (first lab.Cell, err error) {
	for i, wording := range []string{p.Settings.Wording, lab.WordingEarlier} {
		p.Settings.Wording = wording
		cells, _, err := x.Cells(files, p.Settings)
		if err != nil {
			return lab.Cell{}, err
		}
		at := slices.IndexFunc(cells, func(c lab.Cell) bool { return c.Outcome.Key == p.Key })
		switch {
		case at < 0:
			return lab.Cell{}, source.NewError("lab.cell", fmt.Sprintf("unknown cell %q", p.Key))
		case p.Stamp == "" || cells[at].Outcome.Stamp == p.Stamp:
			return cells[at], nil
		case i == 0:
			first = cells[at]
		}
	}
	return first, nil
}

// LabTablesParams are an experiment of a workspace and the results of its cells; or,
// instead, results as lab.export writes them.
type LabTablesParams struct {
	Files    []File        `json:"files,omitempty"`
	Name     string        `json:"name,omitempty"`
	Outcomes []lab.Outcome `json:"outcomes,omitempty"`
	Results  string        `json:"results,omitempty"`
}

// LabTablesResult is the table, also as Markdown.
type LabTablesResult struct {
	Table    lab.Table     `json:"table"`
	Markdown string        `json:"markdown"`
	Outcomes []lab.Outcome `json:"outcomes"`
}

func (s *Session) labTables(p LabTablesParams) (LabTablesResult, error) {
	x, outcomes, err := s.labResults(p)
	if err != nil {
		return LabTablesResult{}, err
	}
	table := x.Table(outcomes)
	return LabTablesResult{Table: table, Markdown: table.Markdown(), Outcomes: orEmpty(outcomes)}, nil
}

func (s *Session) labResults(p LabTablesParams) (*lab.Experiment, []lab.Outcome, error) {
	if p.Results != "" {
		return lab.ReadResults(p.Results)
	}
	x, err := openLab(s.project(p.Files), p.Name)
	return x, p.Outcomes, err
}

// LabExportParams are those of lab.tables and a format: "markdown", "csv", "jsonl" with
// an object per cell, or "results", which lab.tables reads.
type LabExportParams struct {
	Files    []File        `json:"files,omitempty"`
	Name     string        `json:"name,omitempty"`
	Outcomes []lab.Outcome `json:"outcomes,omitempty"`
	Results  string        `json:"results,omitempty"`
	Form     string        `json:"form"`
}

// LabExportResult is the table as text in the requested format.
type LabExportResult struct {
	Text string `json:"text"`
}

func (s *Session) labExport(p LabExportParams) (LabExportResult, error) {
	x, outcomes, err := s.labResults(LabTablesParams{p.Files, p.Name, p.Outcomes, p.Results})
	if err != nil {
		return LabExportResult{}, err
	}
	text, err := x.Export(outcomes, p.Form)
	return LabExportResult{Text: text}, err
}
