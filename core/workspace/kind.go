package workspace

import (
	"path"
	"slices"
)

// Kind is the notation of a file: the ending of the name of the file or of its folder.
type Kind string

// The kinds of files.
const (
	KindGrammar  Kind = "cfg"
	KindPushdown Kind = "pda"
	KindFlow     Kind = "flow"
	KindFormulas Kind = "ltl"
	KindAgent    Kind = "agent"
	KindTeam     Kind = "team"
	KindProblem  Kind = "problem" // a text or data in the folder of a problem
	KindSMT      Kind = "smt2"
	KindLP       Kind = "lp"
	KindPDDL     Kind = "pddl"
	KindTests    Kind = "tests"
	KindRules    Kind = "rules"
	KindLab      Kind = "lab"  // an experiment
	KindText     Kind = "text" // no spec: notes, data
)

// Kinds are the notations that a program distinguishes from text.
type Kinds struct {
	Files   []Kind // notations of files, by the ending of the file's name
	Folders []Kind // notations of folders, by the ending of the folder's name
}

// known are all notations. Package session tests that the table of notations has the same kinds,
// which programs without the table need: the gallery and the Worker.
var known = Kinds{
	Files:   []Kind{KindGrammar, KindPushdown, KindFlow, KindFormulas, KindAgent, KindTeam, KindSMT, KindLP, KindPDDL, KindTests, KindLab, KindRules},
	Folders: []Kind{KindProblem},
}

// KindOf returns the kind of a file by its extension, or by its folder's.
func KindOf(name string) Kind { return known.Of(name) }

// Main returns the name of the file to open first; see [Kinds.Main].
func (w Workspace) Main() string { return known.Main(w.Files) }

// Of returns the kind of a file by its extension, or by its folder's.
func (k Kinds) Of(name string) Kind {
	if kind := endingOf(name); slices.Contains(k.Files, kind) {
		return kind
	}
	if kind := endingOf(path.Dir(name)); slices.Contains(k.Folders, kind) {
		return kind
	}
	return KindText
}

// endingOf returns the extension of a name as a kind.
func endingOf(name string) Kind {
	ending := path.Ext(name)
	if ending != "" {
		ending = ending[1:]
	}
	return Kind(ending)
}

// Main returns the name of the file to open first: the first file of a notation other than text,
// formulas, rules and tests, otherwise the first with formulas or rules, otherwise the first file,
// otherwise "".
func (k Kinds) Main(files []File) string {
	formulas := ""
	for _, f := range files {
		switch k.Of(f.Name) {
		case KindText, KindTests:
		case KindFormulas, KindRules:
			if formulas == "" {
				formulas = f.Name
			}
		default:
			return f.Name
		}
	}
	if formulas != "" {
		return formulas
	}
	if len(files) > 0 {
		return files[0].Name
	}
	return ""
}
