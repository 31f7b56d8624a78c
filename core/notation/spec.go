package notation

import (
	"slices"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// Spec is a compiled file. Its capabilities are the interfaces below that it implements.
// They are not fields of a [Notation], because the core module, which needs none of them,
// would contain the descriptions of all types in their signatures.
type Spec interface {
	// Letters returns the symbols to which formulas of the workspace can refer.
	Letters() []string
}

// Planner is a spec whose words are plans. Its notation has runs of the kind [RunPlan].
type Planner interface {
	Spec
	// Limits returns the limits that the spec declares.
	Limits() grammar.Limits
	// CheckLimits returns the error of limits that the spec cannot have.
	CheckLimits(l grammar.Limits) error
	// Problem prepares planning within limits and properties.
	Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (plan.Problem, error)
	// Checker prepares the judgement of plans within limits and properties.
	Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error)
}

// Exporter is a spec that can be written in formats of other tools.
type Exporter interface {
	Spec
	Export(o export.Options) (*export.Source, error)
}

// Shaper is a spec whose words are the orders of a team's task graph.
type Shaper interface {
	Spec
	Shape(file *source.File) *team.Shape
}

// Generator is a spec whose words can be enumerated.
type Generator interface {
	Spec
	Words(m *meter.Meter) (WordSet, error)
}

// NoSymbol is the letter at which no symbol of a file holds.
const NoSymbol = "∅"

// Open is a [Generator] whose words may have letters that the spec does not name.
type Open interface {
	Generator
	Names() []string
	// Part returns the spec of one item of the file: of the view with an identifier, by default the first.
	Part(view string) Open
	WordsOver(letters []string, m *meter.Meter) (WordSet, error)
}

// WordSet has the words of a spec within the limits that it declares.
type WordSet struct {
	Language *counting.Language
	// Grammar derives the words, if it does so without limits; otherwise nil.
	Grammar *grammar.Grammar
	// Shortest returns a shortest word, or nil if there is none.
	Shortest func(m *meter.Meter) ([]string, error)
	// Read reads a word up to the first symbol with which no word of the spec continues.
	Read func(word []string, m *meter.Meter) (Reading, error)
}

// Reading is the state after the longest prefix of a word that can be completed. Fit is the length of
// the prefix; Next lists the symbols that can follow it.
type Reading struct {
	Fit      int
	Complete bool // the prefix is a word of the spec
	Next     []string
}

// RunPlan is the kind of runs in which a model plans with a [Planner].
const RunPlan = "plan"

// Starts reports whether a file starts a kind of run.
func (n *Notation) Starts(run string) bool { return slices.Contains(n.Runs, run) }

// PropertyFile is a file of formulas about other files.
type PropertyFile struct {
	File     *source.File
	Formulas []ltl.Named
	Found    []source.Diagnostic
}

// Properties reads the formulas of a workspace, file by file.
func (t Table) Properties(files []workspace.File) []PropertyFile {
	var out []PropertyFile
	for _, f := range files {
		if row := t.Of(f.Name); row.Properties != nil {
			p := PropertyFile{File: f.Source()}
			p.Formulas, p.Found = row.Properties(p.File)
			out = append(out, p)
		}
	}
	return out
}
