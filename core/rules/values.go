package rules

import "github.com/stile-playground/stile/core/exact"

// Values of events are exact.
type (
	Value   = exact.Value
	Decimal = exact.Decimal
	Kind    = exact.Kind
)
