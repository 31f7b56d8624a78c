// Package grammars contains the gallery: one folder per example, each a complete
// workspace with a README.md that explains it. The page shows them, the tests run them, and they
// are the corpus for every feature of the notations.
//
// A README.md begins with a header of "key: value" lines between two lines
// "---". The keys are title, paper, source, summary, goal, terms (for searches), task, main (the spec to open, by default the
// first), and any number of pass and fail, each with a word (symbols with spaces between) that the
// main spec must accept or reject. A file .tests has cases of a spec instead; it is part of the
// workspace.
//
// A file tools.json declares the tools that execute plans, tasks.json lists tasks to choose from,
// each with the spec of its plans. A folder NAME.problem states a problem that a model formulates
// and a solver solves (see core/formulate); pass and fail do not apply to it. A file
// recording.json is a recorded run, which the page replays without a model. It is not part of the
// workspace, so that links do not contain it.
package grammars

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/workspace"
)

//go:embed openagi openagi-tasks react react-ablated direct cot rewoo reflexion pass chatbot daily cooking risk travel anbn plaque refund support sql coder citations payment oncall saga retries filter chatpolicy bank portfolio shop airline retail
//go:embed coffee workforce facility task_allocation warehouse blocksworld mystery_blocksworld movie gripper deliveries
var folders embed.FS

// Default is the example that the page opens first.
const Default = "refund"

// order lists the gallery's examples in their order. Those with one goal are adjacent.
var order = []string{
	"refund", "payment", "bank", "portfolio", "shop", "airline", "retail", "coder", "sql", "oncall",
	"support", "citations", "chatpolicy",
	"retries", "saga",
	"filter", "anbn",
	"react", "pass", "rewoo", "reflexion", "cot", "direct", "chatbot", "react-ablated",
	"openagi", "openagi-tasks", "travel", "cooking", "daily", "risk",
	"coffee", "workforce", "facility", "task_allocation", "warehouse", "blocksworld", "mystery_blocksworld", "movie", "gripper", "deliveries",
	"plaque",
}

// kindTerms are the words by which the examples with files of a notation are found.
var kindTerms = map[workspace.Kind]string{
	workspace.KindGrammar:  ".cfg, grammar, context-free",
	workspace.KindPushdown: ".pda, pushdown automaton, state machine, stack",
	workspace.KindFlow:     ".flow, flowchart, state machine, flow chart, diagram",
	workspace.KindFormulas: ".ltl, properties, temporal logic, LTL, verification, proof",
	workspace.KindAgent:    ".agent, finite state machine, FSM, automaton, monitor",
	workspace.KindTeam:     ".team, multi-agent",
	workspace.KindProblem:  ".problem, solver, optimization",
	workspace.KindSMT:      ".smt2, SMT-LIB, Z3, constraints",
	workspace.KindLP:       ".lp, HiGHS, linear programming",
	workspace.KindRules:    ".rules, policy, first-order temporal logic",
	workspace.KindPDDL:     ".pddl, PDDL, STRIPS, planning",
}

// Example is one workspace of the gallery.
type Example struct {
	ID      string `json:"id"` // the folder's name
	Title   string `json:"title"`
	Paper   string `json:"paper"`  // the paper that it belongs to, or "Patterns"
	Source  string `json:"source"` // its source
	Summary string `json:"summary"`
	Goal    string `json:"goal"`  // the group of the gallery that it is shown in: a purpose
	Terms   string `json:"terms"` // further words by which a search finds it, with those of its notations
	Task    string `json:"task"`  // the task that the Run tab proposes
	Main    string `json:"main"`  // the spec that is opened
	Words   []Word `json:"words"`
	Tasks   int    `json:"tasks,omitempty"` // number of tasks in its tasks.json
	// Recorded reports whether the example has a recorded run, and Scripted whether a person wrote
	// the model's answers in it.
	Recorded bool `json:"recorded,omitempty"`
	Scripted bool `json:"scripted,omitempty"`

	Files     []workspace.File `json:"-"`
	Recording []byte           `json:"-"` // the recorded run, a session.RunLog; nil without one
}

// recordingFile is the file of a folder that holds its recorded run.
const recordingFile = "recording.json"

// Word is a word with the verdict that the example's spec must return.
type Word struct {
	Word []string `json:"word"`
	Pass bool     `json:"pass"`
}

// Workspace returns the example's files as a workspace.
func (e Example) Workspace() workspace.Workspace { return workspace.Workspace{Files: e.Files} }

// All returns the examples in the gallery's order. The error is a fault of an example's folder and
// names it.
func All() ([]Example, error) {
	var list []Example
	for _, id := range order {
		e, err := read(id)
		if err != nil {
			return nil, fmt.Errorf("grammars/%s: %w", id, err)
		}
		list = append(list, e)
	}
	return list, nil
}

func read(id string) (Example, error) {
	e := Example{ID: id}
	var names []string
	err := fs.WalkDir(folders, id, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, strings.TrimPrefix(name, id+"/"))
		}
		return err
	})
	if err != nil {
		return e, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(folders, path.Join(id, name))
		if err != nil {
			return e, err
		}
		if name == recordingFile {
			e.Recording, e.Recorded = text, true
			if e.Scripted, err = isScripted(text); err != nil {
				return e, err
			}
			continue
		}
		f := workspace.File{Name: name, Text: string(text)}
		if f.Name == "README.md" {
			header, body, ok := cutHeader(f.Text)
			if !ok {
				return e, fmt.Errorf("README.md has no header between two lines ---")
			}
			if err := e.readHeader(header); err != nil {
				return e, err
			}
			f.Text = "# " + e.Title + "\n\n" + strings.TrimLeft(body, "\n")
		}
		e.Files = append(e.Files, f)
	}
	// Specs come first, since a reader looks for them first.
	specs, notes := []workspace.File{}, []workspace.File{}
	for _, f := range e.Files {
		if workspace.KindOf(f.Name) == workspace.KindText {
			notes = append(notes, f)
		} else {
			specs = append(specs, f)
		}
	}
	for _, f := range specs {
		if terms := kindTerms[workspace.KindOf(f.Name)]; terms != "" && !strings.Contains(e.Terms, terms) {
			e.Terms += ", " + terms
		}
	}
	e.Files = append(specs, notes...)
	if e.Main != "" {
		if _, ok := e.Workspace().File(e.Main); !ok {
			return e, fmt.Errorf("README.md says main: %s, which is not there", e.Main)
		}
		slices.SortStableFunc(e.Files, func(a, b workspace.File) int {
			return cmp.Compare(rank(a.Name == e.Main), rank(b.Name == e.Main))
		})
	}
	e.Main = e.Workspace().Main()
	if f, ok := e.Workspace().File("tasks.json"); ok {
		var list struct{ Tasks []Task }
		if err := json.Unmarshal([]byte(f.Text), &list); err != nil {
			return e, fmt.Errorf("tasks.json: %w", err)
		}
		e.Tasks = len(list.Tasks)
	}
	return e, e.Workspace().Check()
}

// isScripted reports whether the model of a recorded run is a script.
func isScripted(recording []byte) (bool, error) {
	var log struct {
		Settings struct {
			Model struct{ Kind string }
		}
	}
	err := json.Unmarshal(recording, &log)
	return log.Settings.Model.Kind == "scripted", err
}

// rank sorts the main spec first.
func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

func cutHeader(text string) (header, body string, ok bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "\n---\n")
}

func (e *Example) readHeader(header string) error {
	for line := range strings.Lines(header) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			return fmt.Errorf("the header line %q is not \"key: value\"", line)
		}
		switch key {
		case "title":
			e.Title = value
		case "paper":
			e.Paper = value
		case "source":
			e.Source = value
		case "summary":
			e.Summary = value
		case "goal":
			e.Goal = value
		case "terms":
			e.Terms = value
		case "task":
			e.Task = value
		case "main":
			e.Main = value
		case "pass", "fail":
			e.Words = append(e.Words, Word{Word: strings.Fields(value), Pass: key == "pass"})
		default:
			return fmt.Errorf("the header has an unknown key %q", key)
		}
	}
	return nil
}
