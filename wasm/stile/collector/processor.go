package collector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stile-playground/stile/core/backtest"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.uber.org/zap"
)

// stileProcessor collects the spans of a trace, judges their session and delivers them with verdicts.
type stileProcessor struct {
	config *Config
	specs  *backtest.Specs
	next   consumer.Traces
	log    *zap.Logger
	meters *meters
	now    func() time.Time
	stop   chan struct{}
	done   sync.WaitGroup

	mu       sync.Mutex
	sessions *sessions
	groups   []*group // of spans that are collected, the first begun first
	byTrace  map[pcommon.TraceID]*group
	waiting  int // spans of groups and of unsent

	sending sync.Mutex      // held during a delivery, so that batches keep their order
	unsent  []ptrace.Traces // guarded by mu
}

// group are spans of a trace that are collected.
type group struct {
	trace pcommon.TraceID
	begun time.Time
	spans []*held
}

func newProcessor(set component.TelemetrySettings, c *Config, next consumer.Traces) (*stileProcessor, error) {
	specs, err := c.open()
	if err != nil {
		return nil, err
	}
	p := &stileProcessor{config: c, specs: specs, next: next, log: set.Logger, now: time.Now, byTrace: map[pcommon.TraceID]*group{}}
	p.meters, err = newMeters(set.MeterProvider, p)
	p.sessions = newSessions(c, func(reason string) {
		p.meters.evicted.Add(context.Background(), 1, metric.WithAttributes(attribute.String("reason", reason)))
	})
	return p, err
}

// Capabilities reports that the processor changes spans.
func (p *stileProcessor) Capabilities() consumer.Capabilities {
	return consumer.Capabilities{MutatesData: true}
}

// Start begins to deliver collected spans.
func (p *stileProcessor) Start(context.Context, component.Host) error {
	p.stop = make(chan struct{})
	p.done.Go(func() {
		ticker := time.NewTicker(max(p.config.Wait/4, time.Millisecond))
		defer ticker.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-ticker.C:
				p.flush(context.Background(), false)
			}
		}
	})
	return nil
}

// Shutdown judges and delivers all spans.
func (p *stileProcessor) Shutdown(ctx context.Context) error {
	if p.stop != nil {
		close(p.stop)
		p.done.Wait()
		p.stop = nil
	}
	p.flush(ctx, true)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting > 0 {
		return fmt.Errorf("%d spans could not be delivered", p.waiting)
	}
	return p.meters.close()
}

var errFull = errors.New("as many spans as max_waiting wait to be delivered; send them again later")

// ConsumeTraces collects the spans of agents, and delivers the others. It returns an error, which receivers report as
// one after which the sender may retry, if too many spans wait.
func (p *stileProcessor) ConsumeTraces(ctx context.Context, traces ptrace.Traces) error {
	p.mu.Lock()
	full := p.waiting+traces.SpanCount() > p.config.MaxWaiting
	p.mu.Unlock()
	if full { // deliver early
		p.flush(ctx, true)
		p.mu.Lock()
		full = p.waiting > 0 && p.waiting+traces.SpanCount() > p.config.MaxWaiting
		p.mu.Unlock()
		if full {
			return errFull
		}
	}
	p.mu.Lock()
	now := p.now()
	traces.ResourceSpans().RemoveIf(func(r ptrace.ResourceSpans) bool {
		r.ScopeSpans().RemoveIf(func(s ptrace.ScopeSpans) bool {
			of := &fragment{resource: pcommon.NewResource(), scope: pcommon.NewInstrumentationScope(), schema: r.SchemaUrl(), url: s.SchemaUrl()}
			r.Resource().CopyTo(of.resource)
			s.Scope().CopyTo(of.scope)
			s.Spans().RemoveIf(func(span ptrace.Span) bool {
				if !p.selects(span) {
					return false
				}
				own := ptrace.NewSpan()
				span.CopyTo(own)
				p.collect(&held{span: own, source: of, key: p.keyOf(own, of.resource)}, now)
				return true
			})
			return s.Spans().Len() == 0
		})
		return r.ScopeSpans().Len() == 0
	})
	p.mu.Unlock()
	if traces.SpanCount() == 0 {
		return nil
	}
	return p.next.ConsumeTraces(ctx, traces)
}

// selects reports whether a span is judged.
func (p *stileProcessor) selects(span ptrace.Span) bool {
	if strings.HasPrefix(span.Name(), "execute_tool ") {
		return true
	}
	for key := range span.Attributes().All() {
		if slices.ContainsFunc(p.config.Prefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) }) {
			return true
		}
	}
	return false
}

// keyOf returns the session that a span or its resource names, or "".
func (p *stileProcessor) keyOf(span ptrace.Span, resource pcommon.Resource) string {
	for _, attributes := range []pcommon.Map{span.Attributes(), resource.Attributes()} {
		for _, name := range p.config.SessionAttributes {
			if v, ok := attributes.Get(name); ok && v.AsString() != "" {
				return name + ":" + v.AsString()
			}
		}
	}
	return ""
}

func (p *stileProcessor) collect(h *held, now time.Time) {
	trace := h.span.TraceID()
	g := p.byTrace[trace]
	if g == nil {
		g = &group{trace: trace, begun: now}
		p.byTrace[trace] = g
		p.groups = append(p.groups, g)
	}
	g.spans = append(g.spans, h)
	p.waiting++
}

// flush judges the groups whose time is over, or all, and delivers their spans.
func (p *stileProcessor) flush(ctx context.Context, all bool) {
	p.sending.Lock()
	defer p.sending.Unlock()
	p.mu.Lock()
	now := p.now()
	n := 0
	for n < len(p.groups) && (all || now.Sub(p.groups[n].begun) >= p.config.Wait) {
		delete(p.byTrace, p.groups[n].trace)
		n++
	}
	due := p.groups[:n]
	p.groups = slices.Clone(p.groups[n:])
	if n > 0 {
		p.unsent = append(p.unsent, p.judge(due, now))
	}
	p.sessions.evict(now)
	batches := slices.Clone(p.unsent)
	p.mu.Unlock()
	for _, batch := range batches {
		count := batch.SpanCount()
		again := ptrace.NewTraces() // a consumer may change the batch before it fails
		batch.CopyTo(again)
		err := p.next.ConsumeTraces(ctx, again)
		if err != nil && !consumererror.IsPermanent(err) {
			p.log.Warn("the spans will be delivered again", zap.Error(err))
			return
		}
		if err != nil {
			p.meters.dropped.Add(ctx, int64(count))
			p.log.Error("the next consumer refused spans", zap.Int("spans", count), zap.Error(err))
		}
		p.mu.Lock()
		p.unsent = p.unsent[1:]
		p.waiting -= count
		p.mu.Unlock()
	}
}

// judge judges the sessions of groups, and returns the spans with the verdicts.
func (p *stileProcessor) judge(groups []*group, now time.Time) ptrace.Traces {
	touched := map[*session][]*held{}
	var order []*session
	var spans []*held
	for _, g := range groups {
		slices.SortStableFunc(g.spans, func(a, b *held) int { return cmp.Compare(a.span.StartTimestamp(), b.span.StartTimestamp()) })
		spans = append(spans, g.spans...)
		p.bind(g, now)
		for _, h := range g.spans {
			s := p.sessionOf(h, g.trace, now)
			if s == nil {
				p.mark(h, backtest.Unread, codeMissing, "", reasons[codeMissing])
				continue
			}
			if touched[s] == nil {
				order = append(order, s)
			}
			touched[s] = append(touched[s], h)
			text := lineOf(h)
			if p.sessions.add(s, line{start: h.span.StartTimestamp(), text: text, of: h}) {
				h.span.Attributes().PutBool("stile.late", true)
				p.meters.late.Add(context.Background(), 1)
			}
		}
	}
	for _, s := range order {
		p.verdicts(s, touched[s])
	}
	return assemble(spans)
}

// bind binds the trace of a group to the first session that its spans name, or to a session for the trace.
func (p *stileProcessor) bind(g *group, now time.Time) {
	for _, h := range g.spans {
		if h.key != "" {
			if s := p.sessions.byTrace[g.trace]; s == nil || s.key == traceKey(g.trace) {
				p.sessions.bind(g.trace, p.sessions.get(h.key, now))
			}
			return
		}
	}
}

// sessionOf returns the session of a span, or nil if it has none.
func (p *stileProcessor) sessionOf(h *held, trace pcommon.TraceID, now time.Time) *session {
	if h.key != "" {
		return p.sessions.get(h.key, now)
	}
	if s := p.sessions.byTrace[trace]; s != nil {
		return p.sessions.get(s.key, now)
	}
	if p.config.Fallback == FallbackNone {
		return nil
	}
	s := p.sessions.get(traceKey(trace), now)
	p.sessions.bind(trace, s)
	return s
}

// verdicts judges a session and marks its new spans. A finding whose place was delivered marks the last one.
func (p *stileProcessor) verdicts(s *session, spans []*held) {
	found := s.judge(p.specs)
	for _, h := range spans {
		verdict, code, reason := backtest.Held, codeOK, ""
		if s.code != "" {
			verdict, code, reason = backtest.Unread, s.code, reasons[s.code]
		}
		p.mark(h, verdict, code, "", reason)
		h.span.Attributes().PutStr("stile.session.verdict", string(s.outcome))
		h.span.Attributes().PutStr("stile.session.id", s.key)
	}
	worst := map[*held]backtest.Outcome{}
	for _, f := range found {
		h := f.of
		if h == nil {
			h = spans[len(spans)-1]
		}
		p.meters.findings.Add(context.Background(), 1, metric.WithAttributes(attribute.String("rule", f.rule.Name), attribute.String("outcome", string(f.cell.Outcome))))
		if known, ok := worst[h]; ok && backtest.Worse(known, f.cell.Outcome) == known {
			continue
		}
		worst[h] = f.cell.Outcome
		code := string(f.cell.Outcome)
		if f.cell.Outcome == backtest.Violated {
			code = f.rule.Kind
		}
		p.mark(h, f.cell.Outcome, code, f.rule.Name, f.cell.Reason)
	}
	for _, h := range spans {
		v, _ := h.span.Attributes().Get("stile.verdict")
		p.meters.spans.Add(context.Background(), 1, metric.WithAttributes(attribute.String("verdict", v.Str())))
	}
	s.delivered()
}

func (p *stileProcessor) mark(h *held, verdict backtest.Outcome, code, rule, reason string) {
	a := h.span.Attributes()
	a.PutStr("stile.verdict", string(verdict))
	a.PutStr("stile.code", code)
	if rule != "" {
		a.PutStr("stile.rule", rule)
	}
	if reason != "" {
		a.PutStr("stile.reason", reason)
	}
}

// lineOf returns a span as an item of the list "resourceSpans" of OTLP in JSON, as exporters to files write it.
func lineOf(h *held) string {
	traces := ptrace.NewTraces()
	scope := traces.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty()
	h.source.scope.CopyTo(scope.Scope()) // the reader depends on the library that wrote the span
	h.span.CopyTo(scope.Spans().AppendEmpty())
	text, err := (&ptrace.JSONMarshaler{}).MarshalTraces(traces)
	line, before := strings.CutPrefix(string(text), `{"resourceSpans":[`)
	line, after := strings.CutSuffix(line, "]}")
	if err != nil || !before || !after { // the session is unread
		return "{"
	}
	return line
}

// assemble returns spans under the resources and scopes that they arrived with.
func assemble(spans []*held) ptrace.Traces {
	out := ptrace.NewTraces()
	places := map[*fragment]ptrace.SpanSlice{}
	for _, h := range spans {
		place, ok := places[h.source]
		if !ok {
			r := out.ResourceSpans().AppendEmpty()
			h.source.resource.CopyTo(r.Resource())
			r.SetSchemaUrl(h.source.schema)
			s := r.ScopeSpans().AppendEmpty()
			h.source.scope.CopyTo(s.Scope())
			s.SetSchemaUrl(h.source.url)
			place = s.Spans()
			places[h.source] = place
		}
		h.span.MoveTo(place.AppendEmpty())
	}
	return out
}
