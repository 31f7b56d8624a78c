package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Line is a run in the history.
type Line struct {
	Date    string          `json:"date"`
	Commit  string          `json:"commit"`
	Class   string          `json:"class"`
	Machine Machine         `json:"machine"`
	Figures map[string]Past `json:"figures"` // by Key
}

// Past is a figure of an earlier run: median, lower and upper quartile.
type Past struct {
	Unit   string                `json:"unit,omitempty"`
	Value  [3]float64            `json:"value"`
	Ratios map[string][3]float64 `json:"ratios,omitempty"` // by tool, of the tools measured in the same run
}

// Threshold is the minimum ratio to the earlier value at which a figure counts as worse.
const Threshold = 1.25

// Change compares a figure with its value in the last run on a machine of the same class.
type Change struct {
	Commit string  `json:"commit"`
	Was    float64 `json:"was"`
	Tool   string  `json:"tool,omitempty"` // the tool whose ratio is compared; "": the figure itself is compared
	Factor float64 `json:"factor"`         // above 1 is worse
	Worse  bool    `json:"worse,omitempty"`
	Better bool    `json:"better,omitempty"`
}

func past(s Sample) [3]float64 { return [3]float64{round(s.Median), round(s.Low), round(s.High)} }

// round keeps four digits, which exceeds the precision of every figure.
func round(v float64) float64 {
	var out float64
	if _, err := fmt.Sscanf(fmt.Sprintf("%.4g", v), "%g", &out); err != nil {
		return v
	}
	return out
}

// Line returns a report in the form that the history keeps.
func (r *Report) Line() Line {
	l := Line{Date: r.Date, Commit: r.Commit, Class: r.Machine.Class(), Machine: r.Machine, Figures: map[string]Past{}}
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Runs == 0 {
			continue
		}
		p := Past{Unit: f.Unit, Value: past(f.Sample)}
		for _, peer := range f.Peers {
			if peer.comparable() {
				if p.Ratios == nil {
					p.Ratios = map[string][3]float64{}
				}
				p.Ratios[peer.Tool] = past(peer.Ratio)
			}
		}
		l.Figures[f.Key()] = p
	}
	return l
}

func (p Peer) comparable() bool { return !p.Elsewhere && !p.Stopped && p.Ratio.Median > 0 }

// ReadHistory reads lines of JSON, the oldest first.
func ReadHistory(data []byte) ([]Line, error) {
	var out []Line
	for text := range bytes.Lines(data) {
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var l Line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("line %d of the history: %w", len(out)+1, err)
		}
		out = append(out, l)
	}
	return out, nil
}

// Append adds a run to a history.
func Append(history []byte, l Line) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	if len(history) > 0 && !bytes.HasSuffix(history, []byte("\n")) {
		history = append(history, '\n')
	}
	return append(append(history, text...), '\n'), nil
}

// Compare adds to each figure its last value on a machine of the same class. If a tool was measured
// together with the figure both times, the ratio to that tool is compared, because other load on
// the machine affects it less. A figure is worse if it exceeds the threshold and the interquartile
// ranges of the two runs do not overlap.
func (r *Report) Compare(history []Line) {
	class := r.Machine.Class()
	for i := range r.Figures {
		f := &r.Figures[i]
		f.Change = nil
		for _, l := range slices.Backward(history) {
			if p, ok := l.Figures[f.Key()]; ok && l.Class == class && p.Unit == f.Unit && f.Runs > 0 {
				f.Change = f.since(p)
				f.Change.Commit = l.Commit
				break
			}
		}
	}
}

func (f *Figure) since(p Past) *Change {
	for _, peer := range f.Peers {
		if was, ok := p.Ratios[peer.Tool]; ok && peer.comparable() {
			c := change(past(peer.Ratio), was, true)
			c.Tool = peer.Tool
			return c
		}
	}
	return change(past(f.Sample), p.Value, f.More)
}

// change compares medians and quartiles.
func change(is, was [3]float64, more bool) *Change {
	c := &Change{Was: was[0], Factor: 1}
	if is[0] == was[0] {
		return c
	}
	if more {
		is, was = turned(is), turned(was)
	}
	if was[0] <= 0 {
		// The value was 0 before: a new fault.
		c.Worse = is[1] > was[2]
		return c
	}
	c.Factor = is[0] / was[0]
	c.Worse = c.Factor > Threshold && is[1] > was[2]
	c.Better = c.Factor < 1/Threshold && is[2] < was[1]
	return c
}

// turned inverts a figure for which larger is better, so that smaller is better.
func turned(v [3]float64) [3]float64 {
	for i := range v {
		if v[i] != 0 {
			v[i] = 1 / v[i]
		}
	}
	v[1], v[2] = v[2], v[1]
	return v
}
