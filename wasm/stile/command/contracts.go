package command

import (
	"fmt"
	"io"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// warn prints the warnings about rules that the contracts of the workspace's tools raise, such as a misspelt field, which switches
// a rule off.
func warn(w io.Writer, files []workspace.File) {
	for _, f := range files {
		if workspace.KindOf(f.Name) != workspace.KindRules {
			continue
		}
		file := f.Source()
		for _, d := range language.CheckContracts(file, rules.Parse(file), files) {
			if d.Severity == source.SeverityInfo {
				continue
			}
			at := file.Locate(d.Span.Start)
			fmt.Fprintf(w, "%s:%d:%d: warning: %s [%s]\n", f.Name, at.Line, at.Column, d.Message, d.Code)
		}
	}
}
