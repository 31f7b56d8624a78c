package learn

import (
	"slices"
)

// Names returns the names of the features in order.
func (f *Features) Names() []string { return slices.Clone(f.names) }
