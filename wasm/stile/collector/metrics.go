package collector

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/metric"
)

// meters are the metrics of the processor.
type meters struct {
	spans, findings, late, dropped, evicted metric.Int64Counter
	observed                                metric.Registration
}

func newMeters(provider metric.MeterProvider, p *stileProcessor) (*meters, error) {
	meter := provider.Meter("github.com/stile-playground/stile/wasm/stile/collector")
	out := &meters{}
	var faults []error
	for _, c := range []struct {
		to         *metric.Int64Counter
		name, does string
	}{
		{&out.spans, "stile.spans", "Judged spans by verdict."},
		{&out.findings, "stile.findings", "Findings by rule and outcome."},
		{&out.late, "stile.spans.late", "Spans that began before a span of their session that was already judged."},
		{&out.dropped, "stile.spans.dropped", "Judged spans that the next consumer refused permanently."},
		{&out.evicted, "stile.sessions.evicted", "Evicted sessions by reason."},
	} {
		counter, err := meter.Int64Counter(c.name, metric.WithDescription(c.does))
		*c.to = counter
		faults = append(faults, err)
	}
	gauges := make([]metric.Observable, 5)
	read := []func() int{
		func() int { return len(p.sessions.byKey) }, func() int { return p.sessions.bytes }, func() int { return p.waiting },
		func() int { return p.sessions.returned }, func() int { return p.sessions.forgot },
	}
	for i, g := range [][2]string{
		{"stile.sessions", "Sessions in memory."}, {"stile.state.bytes", "Bytes of the spans of the sessions in memory."},
		{"stile.spans.waiting", "Spans that are collected or could not be delivered."},
		{"stile.sessions.returned", "Sessions that returned after their eviction."},
		{"stile.sessions.forgotten", "Evicted sessions that would not be recognised if they returned."},
	} {
		gauge, err := meter.Int64ObservableGauge(g[0], metric.WithDescription(g[1]))
		gauges[i] = gauge
		faults = append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	var err error
	out.observed, err = meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		for i, g := range gauges {
			gauge, _ := g.(metric.Int64Observable)
			o.ObserveInt64(gauge, int64(read[i]()))
		}
		return nil
	}, gauges...)
	return out, err
}

func (m *meters) close() error { return m.observed.Unregister() }
