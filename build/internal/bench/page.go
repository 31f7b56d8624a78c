package bench

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/stile-playground/stile/build/internal/report"
)

// pageFigure is a figure that was measured in the page several times.
type pageFigure struct {
	Group, Name, Unit string
	Values            []float64
}

// pageTargets are the promised limits of the page: of the median, or of the worst value if
// worst is set.
var pageTargets = []struct {
	group, name string
	most        float64
	worst       bool
}{
	{"load, 4x slower, 10 Mbit", "typing possible", 1500, false},
	{"load, 4x slower, 10 Mbit", "editor", 1500, false},
	{"load, 4x slower, 10 Mbit", "first drawing", 2000, false},
	{"load, 4x slower, 10 Mbit", "drawing of the page's own", 2500, false},
	{"typing in a 200-line grammar", "keystroke to diagnostics", 50, false},
	{"typing in a 200-line grammar", "keystroke to drawing", 50, false},
	{"typing in a 200-line agent of 40 states", "keystroke to drawing", 50, false},
	{"typing in a 200-line grammar", "longest task", 50, true},
	{"typing in a 200-line agent of 40 states", "longest task", 50, true},
	{"a file of 10,000 lines, typing", "keystroke to letter", 50, false},
	{"a file of 10,000 lines, typing", "longest task", 50, true},
	{"a file of 10,000 lines, scrolling", "frame", 20, false},
	{"a file of 10,000 lines, scrolling", "longest task", 50, true},
}

// endurance is the group of figures that must not grow.
const endurance = "1,000 edits of a 200-line grammar"

// page measures the page in Chromium: the bytes that it fetches, the time to load, the
// latency of typing, and the memory after a thousand edits.
//
//stile:norace the server ends with the browser that measures
func (r *reporter) page(ctx context.Context, parts []string) error {
	site, err := r.build.Site(ctx)
	if err != nil {
		return err
	}
	for _, gate := range site.Gates {
		r.Figures = append(r.Figures, report.Figure{Section: "page", Group: "fetched, packed by brotli", Name: gate.Name, Unit: "bytes",
			Sample: report.Of(float64(gate.Size)), Target: &report.Target{Bound: float64(gate.Most)}})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: site.Handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	defer server.Close()
	cmd := exec.CommandContext(ctx, "node", append([]string{"build/peers/page.mjs", "http://" + listener.Addr().String() + "/"}, parts...)...)
	cmd.Dir = string(r.Dir)
	cmd.Stderr = os.Stderr
	printed, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var figures []pageFigure
	lines := bufio.NewScanner(printed)
	for lines.Scan() {
		var f pageFigure
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return fmt.Errorf("page.mjs printed %q: %w", lines.Text(), err)
		}
		figures = append(figures, f)
		r.say(f.Group + ": " + f.Name)
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("node build/peers/page.mjs: %w", err)
	}
	r.Figures = append(r.Figures, pageFigures(figures)...)
	return nil
}

// pageFigures converts the measurements to figures with targets.
func pageFigures(measured []pageFigure) (out []report.Figure) {
	for _, m := range measured {
		f := report.Figure{Section: "page", Group: m.Group, Name: m.Name, Unit: m.Unit, Sample: report.Of(m.Values...)}
		for _, t := range pageTargets {
			if t.group == m.Group && t.name == m.Name {
				f.Target = &report.Target{Bound: t.most}
				if t.worst {
					f.Target.Of = report.OfWorst
				}
			}
		}
		out = append(out, f)
	}
	for i := range out {
		out[i].Target = cmp.Or(out[i].Target, asBefore(out, out[i]))
	}
	return out
}

// asBefore returns the target of a figure after a thousand edits: its value after a hundred. A
// figure that includes garbage may be a quarter more, because it depends on the time of the last
// collection. This applies to JavaScript's heap, which also holds a growing history of edits, and
// to the core's memory, as in [memoryFigures].
func asBefore(all []report.Figure, f report.Figure) *report.Target {
	what, late := strings.CutSuffix(f.Name, " after 1000")
	at := slices.IndexFunc(all, func(o report.Figure) bool { return o.Group == f.Group && o.Name == what+" after 100" })
	if f.Group != endurance || !late || at < 0 {
		return nil
	}
	bound := all[at].Median
	if strings.HasPrefix(what, "heap") || what == "memory of the core-worker module" {
		bound *= report.Threshold
	}
	return &report.Target{Bound: bound}
}
