package grammars

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/workspace"
)

// labs are the ready experiments. Their README.md says where the figures beside them and
// their questions are from.
//
//go:embed lab
var labs embed.FS

// Lab is a ready experiment.
type Lab struct {
	Name  string `json:"name"` // of its file, without the ending
	Title string `json:"title"`
	// Needs are the files of [LabFiles] that its workspace takes, with the folders of
	// examples and records that the experiment uses.
	Needs []string `json:"needs"`
	// Folders are the examples and records themselves.
	Folders []string `json:"folders"`
}

// Labs returns the ready experiments in the order of their names.
func Labs() ([]Lab, error) {
	names, err := LabFiles()
	if err != nil {
		return nil, err
	}
	var out []Lab
	for _, name := range names {
		if !strings.HasSuffix(name, ".lab") {
			continue
		}
		text, err := LabFile(name)
		if err != nil {
			return nil, err
		}
		file := workspace.File{Name: name, Text: string(text)}
		x, found := lab.Parse(file.Source())
		if len(found) > 0 {
			return nil, fmt.Errorf("grammars/lab/%s: %s", name, found[0].Message)
		}
		l := Lab{Name: strings.TrimSuffix(name, ".lab"), Title: x.Title, Needs: []string{name}}
		for _, folder := range x.Needs(nil) {
			here := len(l.Needs)
			for _, other := range names {
				if strings.HasPrefix(other, folder+"/") {
					l.Needs = append(l.Needs, other)
				}
			}
			if len(l.Needs) == here {
				l.Folders = append(l.Folders, folder)
			}
		}
		out = append(out, l)
	}
	return out, nil
}

// LabFiles returns the names of the files of the ready experiments.
func LabFiles() ([]string, error) {
	var names []string
	err := fs.WalkDir(labs, "lab", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, strings.TrimPrefix(name, "lab/"))
		}
		return err
	})
	return names, err
}

// LabFile returns a file of [LabFiles].
func LabFile(name string) ([]byte, error) { return labs.ReadFile(path.Join("lab", name)) }

// LabWorkspace returns the workspace of a ready experiment: its files, and those of the
// examples and records that it uses, each in a folder of its name.
func LabWorkspace(name string) (workspace.Workspace, error) {
	var w workspace.Workspace
	all, err := Labs()
	if err != nil {
		return w, err
	}
	add := func(name string, text []byte, err error) error {
		w.Files = append(w.Files, workspace.File{Name: name, Text: string(text)})
		return err
	}
	for _, l := range all {
		if l.Name != name {
			continue
		}
		for _, file := range l.Needs {
			text, err := LabFile(file)
			if err := add(file, text, err); err != nil {
				return w, err
			}
		}
		for _, folder := range l.Folders {
			if err := addFolder(folder, add); err != nil {
				return w, err
			}
		}
		return w, w.Check()
	}
	return w, fmt.Errorf("grammars: there is no experiment %q", name)
}

// addFolder adds the files of an example, or of records.
func addFolder(folder string, add func(name string, text []byte, err error) error) error {
	for _, name := range RecordFiles() {
		if strings.HasPrefix(name, folder+"/") {
			text, err := Records(name)
			if err := add(name, text, err); err != nil {
				return err
			}
		}
	}
	for _, id := range order {
		if id != folder {
			continue
		}
		e, err := read(id)
		if err != nil {
			return err
		}
		for _, f := range e.Files {
			if err := add(folder+"/"+f.Name, []byte(f.Text), nil); err != nil {
				return err
			}
		}
	}
	return nil
}
