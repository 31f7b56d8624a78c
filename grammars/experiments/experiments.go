// Package experiments provides ready-made experiments: one for each table of results of the papers,
// with the published figures, and the questions that some of them ask. They run unchanged
// with simulated models, and with an endpoint named "lab".
package experiments

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

//go:embed *.lab questions agents agents-2023-search agents-2023-calculator
var files embed.FS

// agentFolders have the agents of Crouse et al. with the tools that each data set allows; those of the
// first version have three examples for each data set.
var agentFolders = []string{"agents", "agents-2023-search", "agents-2023-calculator"}

// Experiment is a ready experiment.
type Experiment struct {
	Name  string `json:"name"` // of its file, without the ending
	Title string `json:"title"`
	// Files are its own, the experiment first; Folders are the examples and records of the
	// gallery that it uses, each in a folder of its name.
	Files   []string `json:"files"`
	Folders []string `json:"folders"`
}

// Listed is an experiment as the site lists it, with the source of its first published
// table and the number of its cells with simulated models.
type Listed struct {
	Experiment
	Source string `json:"source"`
	Cells  int    `json:"cells"`
}

// List returns all experiments as the site lists them.
func List() ([]Listed, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	out := make([]Listed, len(all))
	for i, e := range all {
		w, err := Workspace(e.Name)
		if err != nil {
			return nil, err
		}
		x, _ := lab.Parse(w.Files[0].Source())
		cells, _, err := x.Cells(w.Files, lab.Settings{})
		if err != nil {
			return nil, err
		}
		out[i] = Listed{e, x.References[0].Source, len(cells)}
	}
	return out, nil
}

// All returns the ready experiments in the order of their names.
func All() ([]Experiment, error) {
	names, err := Files()
	if err != nil {
		return nil, err
	}
	var out []Experiment
	for _, name := range names {
		if !strings.HasSuffix(name, ".lab") {
			continue
		}
		text, err := File(name)
		if err != nil {
			return nil, err
		}
		x, found := lab.Parse(source.NewFile(name, string(text)))
		if len(found) > 0 {
			return nil, fmt.Errorf("grammars/experiments/%s: %s", name, found[0].Message)
		}
		e := Experiment{Name: strings.TrimSuffix(name, ".lab"), Title: x.Title, Files: []string{name}, Folders: []string{}}
		for _, folder := range x.Needs(nil) {
			own := len(e.Files)
			for _, name := range names {
				if slices.Contains(agentFolders, folder) && strings.HasPrefix(name, folder+"/") {
					e.Files = append(e.Files, name)
				}
			}
			for _, s := range x.Sources {
				if strings.HasPrefix(s.Name, folder+"/") && s.Kind == lab.SourceQuestions {
					e.Files = append(e.Files, s.Name)
				}
			}
			if len(e.Files) == own {
				e.Folders = append(e.Folders, folder)
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// Files returns the names of the files of all experiments.
func Files() ([]string, error) {
	var names []string
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// File returns the content of an embedded file.
func File(name string) ([]byte, error) { return files.ReadFile(name) }

// Workspace returns the workspace of an experiment: its files, and those of the examples
// and records that it uses.
func Workspace(name string) (workspace.Workspace, error) {
	var w workspace.Workspace
	all, err := All()
	if err != nil {
		return w, err
	}
	for _, e := range all {
		if e.Name != name {
			continue
		}
		for _, file := range e.Files {
			text, err := File(file)
			if err != nil {
				return w, err
			}
			w.Files = append(w.Files, workspace.File{Name: file, Text: string(text)})
		}
		for _, folder := range e.Folders {
			found, err := gallery(folder)
			if err != nil {
				return w, err
			}
			w.Files = append(w.Files, found...)
		}
		return w, w.Check()
	}
	return w, fmt.Errorf("unknown experiment %q", name)
}

// gallery returns an example, or records, as a folder of its name.
func gallery(folder string) (out []workspace.File, err error) {
	for _, name := range grammars.RecordFiles() {
		if !strings.HasPrefix(name, folder+"/") {
			continue
		}
		text, err := grammars.Records(name)
		if err != nil {
			return nil, err
		}
		out = append(out, workspace.File{Name: name, Text: string(text)})
	}
	examples, err := grammars.All()
	if err != nil {
		return nil, err
	}
	for _, e := range examples {
		for _, f := range e.Files {
			if e.ID == folder {
				out = append(out, workspace.File{Name: folder + "/" + f.Name, Text: f.Text})
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("unknown gallery example %q", folder)
	}
	return out, nil
}
