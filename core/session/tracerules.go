package session

import (
	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// TraceRule is a rule about data with its worst verdict on the conversations of a trace; from best
// to worst: "untriggered", "holds", "fault" or "violated". Reason describes the first violation, or
// the cause of the fault; a violation has the place of its part in UTF-16 code units. Run is the
// number of its conversation, from 1.
type TraceRule struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
	Run     int    `json:"run,omitempty"`
	From    int    `json:"from,omitempty"`
	To      int    `json:"to,omitempty"`
}

// rules judges the rules about data on each conversation.
func (c *traceCheck) rules() {
	if c.params.Rules == "" {
		return
	}
	file := rules.Parse(source.NewFile("policy.rules", c.params.Rules))
	out := make([]TraceRule, len(file.Rules))
	for i, r := range file.Rules {
		out[i] = TraceRule{Name: r.Name, Verdict: string(rules.Untriggered)}
	}
	c.out.Rules = out
	places := make([]source.Span, len(out))
	spellings := backtest.SpellingsOf(file)
	respelled := make([]string, len(out)) // the reasons by rule
	for n, conversation := range c.trace.Conversations {
		m := rules.NewMonitor(file)
		m.WithoutTimes()
		events, spans := conversationEvents(conversation)
		for i, e := range events {
			if e.Kind == "call" {
				spellings.Mark(e.Name, respelled)
			}
			for _, v := range m.Step(e) {
				if r := &out[v.Rule]; r.Verdict != string(rules.Violated) {
					r.Verdict, r.Reason, r.Run = string(rules.Violated), m.Explain(v), n+1
					places[v.Rule] = spans[i]
				}
			}
		}
		for i := range out {
			c.ruleVerdict(&out[i], m, i, respelled[i])
		}
	}
	for i := range out {
		if out[i].Verdict == string(rules.Violated) {
			c.at.span(&out[i].From, &out[i].To, places[i])
		}
	}
	if source.HasErrors(file.Diagnostics) || len(out) == 0 {
		c.out.Verdict = monitor.Worse(c.out.Verdict, monitor.VerdictFault)
	}
}

// ruleVerdict updates the verdict on a rule after a conversation. Respelled is the reason why the rule has not been judged, or "".
func (c *traceCheck) ruleVerdict(r *TraceRule, m *rules.Monitor, i int, respelled string) {
	switch verdict := m.Verdict(i); {
	case c.trace.Format == monitor.TraceText:
		r.Verdict, r.Reason = string(rules.Fault), "the text of a run has no calls with arguments"
	case r.Verdict == string(rules.Violated):
	case verdict == rules.Fault:
		r.Verdict, r.Reason = string(rules.Fault), "the rule has an error"
		if err := m.Limit(i); err != nil {
			r.Reason = err.Error()
		}
	case respelled != "":
		r.Verdict, r.Reason = string(rules.Fault), respelled
	case verdict == rules.Holds && r.Verdict == string(rules.Untriggered):
		r.Verdict = string(verdict)
	}
	switch r.Verdict {
	case string(rules.Violated):
		c.out.Verdict = monitor.Worse(c.out.Verdict, monitor.VerdictViolated)
	case string(rules.Fault):
		c.out.Verdict = monitor.Worse(c.out.Verdict, monitor.VerdictFault)
	}
}

// conversationEvents returns the events of a conversation with their places. Reasoning is no event; a
// conversation whose states are a complete run ends.
func conversationEvents(c monitor.JudgedConversation) (out []*rules.Event, places []source.Span) {
	for i, e := range c.Events {
		e.Time = "" // the monitor does not depend on times
		if read, err := rules.FromEvent(&e, i); err == nil {
			out, places = append(out, read), append(places, e.Origin.Span)
		}
	}
	if out != nil {
		return out, places
	}
	arguments := map[string]*rules.Value{}
	last := source.Span{}
	add := func(kind, name, id string, fields *rules.Value, span source.Span) {
		out, places = append(out, rules.NewEvent(kind, name, fields, len(out), id)), append(places, span)
		last = span
	}
	roles := map[string]string{monitor.PartSystem: "system", monitor.PartUser: "user", monitor.PartText: "assistant"}
	for _, p := range c.Parts {
		switch p.Kind {
		case monitor.PartCall:
			fields := rules.Fields(p.Text, nil)
			if p.ID != "" {
				arguments[p.ID] = fields
			}
			add("call", p.Tool, p.ID, fields, p.Span)
		case monitor.PartResult:
			add("result", p.Tool, p.ID, rules.Fields(p.Text, arguments[p.ID]), p.Span)
		default:
			if role := roles[p.Kind]; role != "" && !p.Thought {
				text, _ := json.Marshal(p.Text) // cannot fail
				add("message", role, "", rules.Fields(`{"text":`+string(text)+`}`, nil), p.Span)
			}
		}
	}
	if c.Report.Verdict == agent.VerdictValid {
		add("end", "", "", nil, last)
	}
	return out, places
}
