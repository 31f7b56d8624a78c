package notation

import "github.com/stile-playground/stile/core/source"

// Inspection is the result of reading a file with the files that it refers to.
type Inspection struct {
	Diagnostics []source.Diagnostic
	About       string // the role of the file for another one; "": none
	Facts       any    // the facts that the settings of a run depend on; nil: none
}
