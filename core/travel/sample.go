package travel

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Sample is a query with a human's plan.
type Sample struct {
	Query Query
	Plan  Plan
}

// ParseSamples parses a JSON list of queries with their plans: the fields of a query, and
// "annotated_plan". The error has code [CodeQuery].
func ParseSamples(text string) ([]Sample, error) {
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, source.NewError(CodeQuery, "the queries are not a list: "+err.Error())
	}
	out := make([]Sample, len(list))
	for i, raw := range list {
		q, err := ParseQuery(string(raw))
		if err != nil {
			return nil, source.NewError(CodeQuery, fmt.Sprintf("query %d: %s", i+1, err))
		}
		var with struct {
			Plan json.RawMessage `json:"annotated_plan"`
		}
		if err := json.Unmarshal(raw, &with); err != nil {
			return nil, source.NewError(CodeQuery, fmt.Sprintf("query %d: %s", i+1, err))
		}
		plan, found := ParsePlan(string(with.Plan))
		if len(found) > 0 {
			return nil, source.NewError(CodeQuery, fmt.Sprintf("the plan of query %d: %s", i+1, found[0].Message))
		}
		out[i] = Sample{q, plan}
	}
	return out, nil
}
