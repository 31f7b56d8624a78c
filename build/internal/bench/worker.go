package bench

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/stile-playground/stile/build/internal/report"
)

// worker puts 20,000 mixed requests at 32 connections to the worker under workerd,
// and to a plain JavaScript worker that does the same.
func (r *reporter) worker(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %s", args[0])
	}
	r.say("20,000 requests to the worker, and to a plain one")
	printed, err := r.build.WorkerLoad(ctx)
	if err != nil {
		return err
	}
	figures, err := workerFigures(printed)
	if err != nil {
		return err
	}
	r.Figures = append(r.Figures, figures...)
	size, most, err := r.build.WorkerSize(ctx)
	if err != nil {
		r.miss("wrangler did not report the size of the worker: %v", err)
		return nil
	}
	r.Figures = append(r.Figures, report.Figure{Section: "worker", Group: "deployed", Name: "packed by gzip", Unit: "bytes", Sample: report.Of(float64(size)), Target: &report.Target{Bound: float64(most)}})
	return nil
}

// loadLine is the line that the test of many requests prints for a worker.
var loadLine = regexp.MustCompile(`load: (\S+): (\d+) requests at (\d+) connections, (\d+) failed, p50 ([\d.]+) ms, p99 ([\d.]+) ms, ([\d.]+) a second`)

// workerFigures reads the figures that the test printed for the worker and the plain one.
func workerFigures(printed string) ([]report.Figure, error) {
	said := loadLine.FindAllStringSubmatch(printed, -1)
	if len(said) != 2 {
		return nil, fmt.Errorf("the test of many requests printed figures of %d workers (expected 2)", len(said))
	}
	own, plain := said[0], said[1]
	group := own[2] + " mixed requests at " + own[3] + " connections"
	var out []report.Figure
	for i, name := range []string{"failed", "half answered within", "99 of 100 answered within", "answered in a second"} {
		value, err := strconv.ParseFloat(own[4+i], 64)
		if err != nil {
			return nil, err
		}
		its, err := strconv.ParseFloat(plain[4+i], 64)
		if err != nil {
			return nil, err
		}
		f := report.Figure{Section: "worker", Group: group, Name: name, Unit: []string{"", "ms", "ms", "requests"}[i], More: i == 3, Sample: report.Of(value)}
		if i == 0 {
			f.Target = &report.Target{}
		}
		f.AddPeer(report.Peer{Tool: "plain worker"}, []float64{value}, []float64{its})
		out = append(out, f)
	}
	return out, nil
}
