package report

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Benchmarks are the results that go test printed in several rounds: values by
// name ("Translate/resp/powerset/8") and unit ("ns/op").
type Benchmarks struct {
	names  []string
	values map[string]map[string][]float64
}

var benchmarkLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(\S.*)$`)

// Read adds the output of go test in a round.
func (b *Benchmarks) Read(printed string) {
	if b.values == nil {
		b.values = map[string]map[string][]float64{}
	}
	for line := range strings.Lines(printed) {
		m := benchmarkLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		words := strings.Fields(m[2])
		for i := 0; i+1 < len(words); i += 2 {
			if value, err := strconv.ParseFloat(words[i], 64); err == nil {
				b.Add(m[1], words[i+1], value)
			}
		}
	}
}

// Add adds a value of a round.
func (b *Benchmarks) Add(name, unit string, value float64) {
	if b.values == nil {
		b.values = map[string]map[string][]float64{}
	}
	if b.values[name] == nil {
		b.names = append(b.names, name)
		b.values[name] = map[string][]float64{}
	}
	b.values[name][unit] = append(b.values[name][unit], value)
}

// Names returns the names, with numbers in them ordered by size.
func (b *Benchmarks) Names() []string {
	out := slices.Clone(b.names)
	slices.SortStableFunc(out, func(x, y string) int { return strings.Compare(naturally(x), naturally(y)) })
	return out
}

// Values returns the values of all rounds, in a unit; "ms" and "µs" convert "ns/op" to
// milliseconds and microseconds.
func (b *Benchmarks) Values(name, unit string) []float64 {
	by := map[string]float64{"ms": 1e6, "µs": 1e3}[unit]
	if by == 0 {
		return b.values[name][unit]
	}
	out := slices.Clone(b.values[name]["ns/op"])
	for i := range out {
		out[i] /= by
	}
	return out
}

var digits = regexp.MustCompile(`\d+`)

// naturally returns a key that sorts numbers in names by their size.
func naturally(name string) string {
	return digits.ReplaceAllStringFunc(name, func(n string) string { return strings.Repeat("0", max(0, 9-len(n))) + n })
}

// Series returns the points of the benchmarks that are named prefix/SIZE.
func (b *Benchmarks) Series(label, prefix, unit string) Series {
	s := Series{Label: label}
	for _, name := range b.Names() {
		size, ok := strings.CutPrefix(name, prefix+"/")
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(size, 64)
		if values := b.Values(name, unit); err == nil && len(values) > 0 {
			s.Points = append(s.Points, Point{X: x, Y: Of(values...).Median})
		}
	}
	return s
}
