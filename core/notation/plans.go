package notation

import (
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Plans is a spec whose words are plans.
type Plans interface {
	// Letters returns the symbols of the words.
	Letters() []string
	// Limits returns the limits that the spec declares.
	Limits() grammar.Limits
	// CheckLimits returns the error of limits that the spec cannot have.
	CheckLimits(l grammar.Limits) error
	// Problem prepares planning within limits and properties.
	Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (plan.Problem, error)
	// Checker prepares the judgement of plans within limits and properties.
	Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error)
}

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
