// Package report holds the results of a run of the benchmarks: figures with their
// targets, next to those of other tools and of earlier runs, and the curves over sizes.
// It writes them in Markdown, JSON and SVG.
package report

import (
	"slices"
	"strings"
)

// Report has the figures of one run.
type Report struct {
	Commit  string   `json:"commit"` // with a plus sign where the tree was changed
	Date    string   `json:"date"`   // of the commit
	Machine Machine  `json:"machine"`
	Figures []Figure `json:"figures"`
	Curves  []Curve  `json:"curves,omitempty"`
	Notes   []string `json:"notes,omitempty"` // unmeasured figures with their reasons
}

// Machine describes the machine that figures were measured on.
type Machine struct {
	System    string  `json:"system"` // "linux/amd64"
	Cores     int     `json:"cores"`
	Processor string  `json:"processor,omitempty"`
	Go        string  `json:"go"`
	Node      string  `json:"node,omitempty"`
	Chromium  string  `json:"chromium,omitempty"`
	Load      float64 `json:"load"` // of the minute before the start, in processes
}

// Figure is a measured quantity, with several runs if useful.
type Figure struct {
	Section string `json:"section"`
	Group   string `json:"group"`
	Name    string `json:"name"`
	Unit    string `json:"unit,omitempty"`
	More    bool   `json:"more,omitempty"` // larger is better
	Sample
	Peers  []Peer  `json:"peers,omitempty"`
	Target *Target `json:"target,omitempty"`
	Kept   *bool   `json:"kept,omitempty"` // nil if there is no target or its figure was not measured
	Change *Change `json:"change,omitempty"`
}

// Key returns the name of a figure, which is the same in all runs.
func (f *Figure) Key() string { return f.Section + ": " + f.Group + ": " + f.Name }

// Sample has the values of a figure over its runs.
type Sample struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"` // a quarter of the runs lie below
	High   float64 `json:"high"`
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
	Runs   int     `json:"runs"`
}

// Of summarises values; without values it returns the zero Sample.
func Of(values ...float64) Sample {
	n := len(values)
	if n == 0 {
		return Sample{}
	}
	sorted := slices.Sorted(slices.Values(values))
	return Sample{Median: sorted[n/2], Low: sorted[n/4], High: sorted[n-1-n/4], Least: sorted[0], Most: sorted[n-1], Runs: n}
}

// Peer has the values of another tool.
type Peer struct {
	Tool string `json:"tool"`
	Sample
	Ratio     Sample `json:"ratio"`               // the ratio by which ours is better
	Note      string `json:"note,omitempty"`      // the differences in the comparison
	Stopped   bool   `json:"stopped,omitempty"`   // the tool was stopped at this time
	Elsewhere bool   `json:"elsewhere,omitempty"` // it was measured on another machine
}

// AddPeer adds another tool's values to a figure. If both were measured in the same
// rounds, one after the other, the ratio is computed per round.
func (f *Figure) AddPeer(p Peer, ours, theirs []float64) {
	p.Sample = Of(theirs...)
	better := func(ours, theirs float64) float64 {
		if f.More {
			ours, theirs = theirs, ours
		}
		if ours == 0 {
			return 0
		}
		return theirs / ours
	}
	if len(ours) == len(theirs) {
		ratios := make([]float64, len(ours))
		for i := range ours {
			ratios[i] = better(ours[i], theirs[i])
		}
		p.Ratio = Of(ratios...)
	} else {
		o, t := Of(ours...), p.Sample
		bounds := func(a, b float64) (float64, float64) { return min(a, b), max(a, b) }
		p.Ratio = Sample{Median: better(o.Median, t.Median), Runs: min(o.Runs, t.Runs)}
		p.Ratio.Low, p.Ratio.High = bounds(better(o.High, t.Low), better(o.Low, t.High))
		p.Ratio.Least, p.Ratio.Most = bounds(better(o.Most, t.Least), better(o.Least, t.Most))
	}
	f.Peers = append(f.Peers, p)
}

// The statistics that a target limits.
const (
	OfMedian = ""
	OfWorst  = "worst"
	OfRatio  = "ratio" // to a peer: a bound of 0.5 lets ours take twice as long
)

// Target is the limit of a figure: a maximum, or a minimum if larger is better.
type Target struct {
	Bound float64 `json:"bound"`
	Of    string  `json:"of,omitempty"`
	Tool  string  `json:"tool,omitempty"` // the tool of the ratio
}

// Judge records for each figure with a target whether the figure meets the target.
func (r *Report) Judge() {
	for i := range r.Figures {
		r.Figures[i].judge()
	}
}

func (f *Figure) judge() {
	f.Kept = nil
	if f.Target == nil || f.Runs == 0 {
		return
	}
	kept := false
	switch f.Target.Of {
	case OfRatio:
		at := slices.IndexFunc(f.Peers, func(p Peer) bool { return p.Tool == f.Target.Tool && p.Ratio.Median > 0 })
		if at < 0 {
			return
		}
		kept = f.Peers[at].Ratio.Median >= f.Target.Bound
	case OfWorst:
		kept = f.Most <= f.Target.Bound
		if f.More {
			kept = f.Least >= f.Target.Bound
		}
	default:
		kept = f.Median <= f.Target.Bound
		if f.More {
			kept = f.Median >= f.Target.Bound
		}
	}
	f.Kept = &kept
}

// Kept counts the figures whose target is met. broken lists the figures whose target is not met,
// and open the figures that could not be compared, because they or the peer were not measured.
func (r *Report) Kept() (kept int, broken, open []*Figure) {
	for i := range r.Figures {
		switch f := &r.Figures[i]; {
		case f.Target == nil:
		case f.Kept == nil:
			open = append(open, f)
		case *f.Kept:
			kept++
		default:
			broken = append(broken, f)
		}
	}
	return kept, broken, open
}

// Worse lists the figures that are worse than in an earlier run.
func (r *Report) Worse() (out []*Figure) {
	for i := range r.Figures {
		if f := &r.Figures[i]; f.Change != nil && f.Change.Worse {
			out = append(out, f)
		}
	}
	return out
}

// Sections returns the sections of the figures, in their order.
func (r *Report) Sections() (out []string) {
	for _, f := range r.Figures {
		if !slices.Contains(out, f.Section) {
			out = append(out, f.Section)
		}
	}
	return out
}

// Class returns the kind of machine: figures of one class may be compared.
func (m Machine) Class() string {
	parts := []string{m.System}
	if m.Processor != "" {
		parts = append(parts, m.Processor)
	}
	cores := " cores"
	if m.Cores == 1 {
		cores = " core"
	}
	return strings.Join(append(parts, number(float64(m.Cores))+cores), ", ")
}

// Busy reports whether the machine was under load when the measurement began.
func (m Machine) Busy() bool { return m.Load > float64(m.Cores)/2 }
