package backtest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

// Recorded is a run of a part. Fault is the reason why the run, or a part of it, was not
// understood.
type Recorded struct {
	Name   string // of the file and the run
	Parts  []monitor.Part
	Failed bool // by its outcome
	Fault  string
}

// ReadPart reads the runs of a part. outcome names a member of the object that contains a run, such
// as "reward" or "info.passed": a run fails unless the member is true, a number of at least 1, or a
// text such as "passed". If outcome is "", all runs pass.
func ReadPart(p Part, format, outcome string) (out []Recorded) {
	name := func(i int) string { return fmt.Sprintf("%s: run %d", p.Name, p.Runs+i+1) }
	if p.Fault != "" {
		return []Recorded{{Name: name(0), Fault: p.Fault}}
	}
	if list := items(p.Text); list != nil {
		for i, item := range list {
			item.Name, item.Runs = p.Name, p.Runs+i
			out = append(out, ReadPart(item, format, outcome)...)
		}
		return out
	}
	failed, err := failedBy(p.Text, outcome)
	if err != nil {
		return []Recorded{{Name: name(0), Fault: err.Error()}}
	}
	file := source.NewFile(p.Name, p.Text)
	t, err := monitor.Open(file, format).Runs()
	if err != nil {
		return []Recorded{{Name: name(0), Fault: err.Error()}}
	}
	fault := ""
	if len(t.Unread) > 0 {
		fault = t.Unread[0].Reason
	} else if len(t.Conversations) == 0 {
		fault = "the text of a run has no messages and calls"
		out = append(out, Recorded{Name: name(0), Fault: fault})
	}
	for i, c := range t.Conversations {
		out = append(out, Recorded{Name: name(i), Parts: c.Parts, Failed: failed, Fault: fault})
	}
	return out
}

// failedBy reports whether the outcome in the text of a run is a failure.
func failedBy(text, outcome string) (bool, error) {
	if outcome == "" {
		return false, nil
	}
	at, fault := json.Tree(text)
	if fault != nil {
		return false, fmt.Errorf("no member %q: the run is not one JSON object", outcome)
	}
	for key := range strings.SplitSeq(outcome, ".") {
		v, ok := at.Get(key)
		if !ok {
			return false, fmt.Errorf("the run has no member %q", outcome)
		}
		at = v
	}
	switch at.Kind {
	case 't':
		return false, nil
	case 'f', 'n':
		return true, nil
	case '0':
		n, err := strconv.ParseFloat(at.Text, 64)
		return !(err == nil && n >= 1), nil
	case '"':
		return !strings.Contains(" pass passed success succeeded successful ok true yes solved correct ", " "+strings.ToLower(strings.TrimSpace(at.Text))+" "), nil
	}
	return false, fmt.Errorf("the member %q is neither a number nor true or false", outcome)
}
