package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/backtest"
)

// baseline is a list of accepted findings. A finding is identified by its trace, run, rule,
// outcome and reason: a finding with another reason is a different finding.
type baseline struct {
	name  string
	known map[entry]bool
	used  int // findings that were accepted
}

// entry is a finding in the file.
type entry struct {
	Trace   string `json:"trace"`
	Run     int    `json:"run"`
	Rule    string `json:"rule"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
}

// baselineFile is the file's contents.
type baselineFile struct {
	Version  int     `json:"version"` // 1
	Accepted []entry `json:"accepted"`
}

// openBaseline reads a file of accepted findings. It returns an empty baseline if name is "", or if update is
// true, because a file that is about to be replaced is not read and may be missing.
func openBaseline(name string, update bool) (*baseline, error) {
	b := &baseline{name: name, known: map[entry]bool{}}
	if name == "" || update {
		return b, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; write it with -update-baseline", err)
	}
	if err != nil {
		return nil, err
	}
	var file baselineFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: not a baseline: %w", name, err)
	}
	if file.Version != 1 {
		return nil, fmt.Errorf("%s: unknown version %d of a baseline; expected 1", name, file.Version)
	}
	for _, e := range file.Accepted {
		b.known[e] = true
	}
	return b, nil
}

// accepts reports whether a finding is accepted. If add is true, it first adds the finding to the baseline. A run that was
// not understood or not judged is never accepted: another run could have the same reason.
func (b *baseline) accepts(f finding, add bool) bool {
	if f.Outcome == backtest.Unread || f.Outcome == backtest.Fault {
		return false
	}
	e := entry{Trace: f.trace, Run: f.number, Rule: f.rule.Name, Outcome: string(f.Outcome), Reason: f.Reason}
	if add {
		b.known[e] = true
	}
	if b.known[e] {
		b.used++
	}
	return b.known[e]
}

func (b *baseline) save() error {
	file := baselineFile{Version: 1, Accepted: []entry{}}
	for e := range b.known {
		file.Accepted = append(file.Accepted, e)
	}
	slices.SortFunc(file.Accepted, func(x, y entry) int {
		if x.Trace != y.Trace {
			return strings.Compare(x.Trace, y.Trace)
		}
		if x.Run != y.Run {
			return x.Run - y.Run
		}
		return strings.Compare(x.Rule, y.Rule)
	})
	return writeFile(b.name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(file)
	})
}
