package session

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// MonitorCheckParams are an agent and a run of it: the text of a run, or a recorded conversation.
// Format is "" or "text" for a text, "openai", "anthropic", "gemini", "bedrock", "jsonl", "events"
// or "otlp" for messages, events and spans, "auto" to detect these and those of other libraries. Mapping overrides
// the guessed states of the parts of messages. Properties are formulas in .ltl notation over the
// states. Others are the other specs of the workspace: a formula, or a conjunct of one, may refer
// to their symbols. The runs of a JSON list, at most 50, are judged one by one; a longer list is
// the error "trace.runs". Rules is a text in .rules notation about the calls, results and messages
// of a conversation.
type MonitorCheckParams struct {
	Source     string            `json:"source"`
	Text       string            `json:"text"`
	Format     string            `json:"format,omitempty"`
	Mapping    []monitor.Mapping `json:"mapping,omitempty"`
	Roles      monitor.Roles     `json:"roles,omitzero"`
	Properties string            `json:"properties,omitempty"`
	Others     []File            `json:"others,omitempty"`
	Rules      string            `json:"rules,omitempty"`
}

// Segment is a state with its content. The range covers prompt and content, in bytes and
// in UTF-16 code units; in a conversation it is the part of the state. Implied marks a
// state that the behaviour requires and no part records.
type Segment struct {
	State   string `json:"state"`
	Content string `json:"content"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Part    int    `json:"part,omitempty"` // from 1
	Implied bool   `json:"implied,omitempty"`
}

// Violation is the first place at which a text leaves a behaviour. If the content is at
// fault, Allowed lists the valid contents, if the state enumerates them; otherwise
// Allowed lists states.
type Violation struct {
	Index   int      `json:"index"` // of the segment
	State   string   `json:"state"`
	Reason  string   `json:"reason"`
	Content bool     `json:"content,omitempty"`
	Allowed []string `json:"allowed"`
	Start   int      `json:"start"`
	End     int      `json:"end"`
	From    int      `json:"from"`
	To      int      `json:"to"`
	Line    int      `json:"line"`
	Column  int      `json:"column"`
}

// TracePart is a part of a recorded conversation: "system", "user", "text", "call" or
// "result", with its place in UTF-16 code units. Joined is the segment (from 1) of an
// earlier part that includes the text of this one.
type TracePart struct {
	Kind   string `json:"kind"`
	Tool   string `json:"tool,omitempty"`
	Text   string `json:"text"`
	Joined int    `json:"joined,omitempty"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// TraceProperty reports whether a formula holds on a run's states, the verdict for all
// its continuations, and, if it does not hold, the reason. Fault is the reason why the
// formula, or a part of it, could not be judged. Other marks a formula about another spec
// alone.
type TraceProperty struct {
	Name    string      `json:"name"`
	Holds   bool        `json:"holds"`
	Verdict ltl.Verdict `json:"verdict,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	Fault   string      `json:"fault,omitempty"`
	Other   bool        `json:"other,omitempty"`
}

// TraceUnread is a part of a trace that may be an action and was not understood, with its
// place in UTF-16 code units. The path is that of the JSON value, as jq writes it; Keys
// are those of the object.
type TraceUnread struct {
	Path   string   `json:"path,omitempty"`
	Reason string   `json:"reason"`
	Keys   []string `json:"keys,omitempty"`
	From   int      `json:"from"`
	To     int      `json:"to"`
	Line   int      `json:"line"`
}

// TraceRun is the result for one of several conversations, with the indices of its first
// segment and part among all (from 0). The verdict is that of its states, or unread if
// the trace has unread parts, whose conversation is unknown.
type TraceRun struct {
	Name      string        `json:"name,omitempty"` // of the span that records it
	Verdict   agent.Verdict `json:"verdict"`
	Next      []string      `json:"next"`
	Violation *Violation    `json:"violation"`
	Segment   int           `json:"segment"`
	Part      int           `json:"part"`
}

// TraceMapped is the mapping of the parts of one kind: a Mapping with the same entries
// changes nothing. The states are those of the first such part.
type TraceMapped struct {
	Part   string   `json:"part"` // a kind of part that a mapping has
	Tool   string   `json:"tool,omitempty"`
	States []string `json:"states"`
	Number int      `json:"number"`           // the number of such parts
	Varies bool     `json:"varies,omitempty"` // other parts of the kind have other states
}

// MonitorCheckResult is the verdict on a text, split at an agent's prompts, or on a
// conversation, read by a mapping. The segments of several conversations follow each
// other. The verdict is the worst of all: of the states of each conversation, of the
// properties and rules, and of unread parts. From best to worst it is "valid", "incomplete",
// "fault" (a property or a rule could not be judged), "unread", "violated" (a property or a
// rule does not hold) or "invalid". Spec is the worst verdict of the states alone.
type MonitorCheckResult struct {
	Agent         string          `json:"agent"` // its name
	Segments      []Segment       `json:"segments"`
	Verdict       agent.Verdict   `json:"verdict"`
	Spec          agent.Verdict   `json:"spec"`
	Next          []string        `json:"next"`
	Violation     *Violation      `json:"violation"`
	Unread        []TraceUnread   `json:"unread,omitempty"`
	MoreUnread    int             `json:"moreUnread,omitempty"` // the number of unread parts that are not in the list
	Format        string          `json:"format,omitempty"`     // the detected format, if requested
	Runs          int             `json:"runs,omitempty"`       // conversations, if there are several
	Conversations []TraceRun      `json:"conversations,omitempty"`
	Parts         []TracePart     `json:"parts,omitempty"`
	Mapped        []TraceMapped   `json:"mapped,omitempty"`
	Properties    []TraceProperty `json:"properties,omitempty"`
	Rules         []TraceRule     `json:"rules,omitempty"`
	Lookalikes    []Lookalike     `json:"lookalikes,omitempty"` // of a text
}

// Lookalike is a line that begins similarly to a state's prompt but is not one, with its
// place in UTF-16 code units.
type Lookalike struct {
	State  string `json:"state"`
	Reason string `json:"reason"`
	From   int    `json:"from"`
	To     int    `json:"to"`
	Line   int    `json:"line"`
}

// maxLookalikes bounds the reported look-alikes.
const maxLookalikes = 20

// maxShownPart bounds the text of a part on the wire, in bytes.
const maxShownPart = 400

func (s *Session) monitorCheck(p MonitorCheckParams) (MonitorCheckResult, error) {
	a, err := openAgent(p.Source)
	if err != nil {
		return MonitorCheckResult{}, err
	}
	c := traceCheck{table: s.table.Notations, a: a, params: p, file: source.NewFile("trace.txt", p.Text), kinds: map[[2]string]int{}}
	if len(p.Text) > source.MaxFileSize {
		return MonitorCheckResult{}, source.NewError("limit.trace", fmt.Sprintf("the trace has %d bytes, more than the maximum of %d (4 MiB); split it into its conversations and check each", len(p.Text), source.MaxFileSize))
	}
	c.at = places{file: c.file}
	c.out = MonitorCheckResult{Agent: a.Name, Segments: []Segment{}, Verdict: agent.VerdictValid, Spec: agent.VerdictValid, Next: []string{}}
	if err := c.read(); err != nil {
		return MonitorCheckResult{}, err
	}
	for i, span := range c.segments {
		c.at.span(&c.out.Segments[i].From, &c.out.Segments[i].To, span)
	}
	for i, span := range c.parts {
		c.at.span(&c.out.Parts[i].From, &c.out.Parts[i].To, span)
	}
	for i, u := range c.unread {
		c.at.span(&c.out.Unread[i].From, &c.out.Unread[i].To, u)
	}
	c.rules()
	c.at.settle()
	err = c.properties()
	return c.out, err
}

// traceCheck is a check under way.
type traceCheck struct {
	table  notation.Table
	a      *agent.Agent
	params MonitorCheckParams
	file   *source.File
	at     places
	out    MonitorCheckResult
	trace  *monitor.Judgement
	runs   []traceStates     // by conversation
	kinds  map[[2]string]int // of parts: indices into mapped

	segments, parts, unread []source.Span // of the values in out
}

// traceStates are the states of a conversation, and whether they are a complete run.
type traceStates struct {
	names    []string
	complete bool
}

func (c *traceCheck) read() error {
	format := c.params.Format
	switch format {
	case "":
		format = monitor.TraceText
	case "auto":
		format = ""
	}
	judged, err := c.judgement(format)
	if err != nil {
		return err
	}
	if c.params.Format != "" {
		c.out.Format = judged.Format
	}
	c.trace = judged
	for _, conversation := range judged.Conversations {
		if judged.Format == monitor.TraceText {
			c.text(conversation.Report)
		} else {
			c.conversation(conversation)
		}
	}
	if len(judged.Conversations) > 1 {
		c.out.Runs = len(judged.Conversations)
	} else {
		c.out.Conversations = nil // the result itself has all of it
	}
	for _, u := range judged.Unread {
		c.unread = append(c.unread, u.Span)
		c.out.Unread = append(c.out.Unread, TraceUnread{Path: u.Path, Reason: u.Reason, Keys: u.Keys, Line: c.file.Locate(u.Span.Start).Line})
	}
	if len(judged.Unread) > 0 {
		// An unread part may belong to any of the conversations.
		for i := range c.out.Conversations {
			c.out.Conversations[i].Verdict = monitor.Worse(c.out.Conversations[i].Verdict, monitor.VerdictUnread)
		}
	}
	c.out.MoreUnread, c.out.Verdict = judged.More, judged.Verdict
	return nil
}

func (c *traceCheck) text(report monitor.Report) {
	for _, segment := range report.Segments {
		c.segment(Segment{State: segment.State, Content: segment.Text}, segment.Span)
	}
	c.judged(report, 0)
	var like []monitor.Lookalike
	for _, l := range monitor.FindLookalikes(c.a, c.params.Text, maxLookalikes) {
		// A look-alike that the model meant as a prompt is listed among the unread parts.
		if !slices.ContainsFunc(report.Unread, func(u monitor.Unread) bool { return u.Span == l.Span }) {
			like = append(like, l)
		}
	}
	c.out.Lookalikes = make([]Lookalike, len(like))
	for i, l := range like {
		c.out.Lookalikes[i] = Lookalike{State: l.State, Reason: l.Reason, Line: c.file.Locate(l.Span.Start).Line}
		c.at.span(&c.out.Lookalikes[i].From, &c.out.Lookalikes[i].To, l.Span)
	}
}

func (c *traceCheck) segment(s Segment, span source.Span) {
	s.Start, s.End = int(span.Start), int(span.End)
	c.out.Segments, c.segments = append(c.out.Segments, s), append(c.segments, span)
}

func (c *traceCheck) conversation(judged monitor.JudgedConversation) {
	parts, report := judged.Parts, judged.Report
	before, known := len(c.out.Segments), len(c.out.Parts)
	states := make([][]string, len(parts))
	joined := map[int]int{}
	for i, m := range judged.Mapped {
		c.segment(Segment{State: m.State, Content: m.Text, Part: known + m.Part + 1, Implied: m.Implied}, m.Span)
		if !m.Implied {
			states[m.Part] = append(states[m.Part], m.State)
		}
		for _, part := range m.Joined {
			joined[part] = before + i + 1
			states[part] = []string{m.State}
		}
	}
	for i, p := range parts {
		text, _ := cutText(p.Text, maxShownPart)
		c.out.Parts, c.parts = append(c.out.Parts, TracePart{Kind: p.Kind, Tool: p.Tool, Text: text, Joined: joined[i]}), append(c.parts, p.Span)
	}
	c.mapped(parts, states)
	c.judged(report, before)
	c.out.Conversations = append(c.out.Conversations, TraceRun{
		Name: judged.Name, Verdict: judged.Verdict, Next: orEmpty(report.Next), Violation: c.violation(report.Violation, before), Segment: before, Part: known,
	})
}

// mapped records the mapping of the parts of a conversation, by kinds.
func (c *traceCheck) mapped(parts []monitor.Part, states [][]string) {
	final := monitor.FinalPart(parts)
	for i, p := range parts {
		kind := p.Kind
		if i == final {
			kind = monitor.PartFinal
		}
		at, ok := c.kinds[[2]string{kind, p.Tool}]
		if !ok {
			at = len(c.out.Mapped)
			c.kinds[[2]string{kind, p.Tool}] = at
			c.out.Mapped = append(c.out.Mapped, TraceMapped{Part: kind, Tool: p.Tool, States: orEmpty(states[i])})
		}
		m := &c.out.Mapped[at]
		m.Number++
		m.Varies = m.Varies || !slices.Equal(m.States, states[i])
	}
}

// cutText shortens a text to at most so many bytes, at a character boundary, and reports whether it did.
func cutText(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	for most > 0 && text[most]&0xC0 == 0x80 {
		most--
	}
	return text[:most] + "…", true
}

// judged adds the result of a run whose segments begin at an index.
func (c *traceCheck) judged(report monitor.Report, first int) {
	var states []string
	for _, s := range report.Segments {
		states = append(states, s.State)
	}
	c.runs = append(c.runs, traceStates{states, report.Verdict == agent.VerdictValid})
	if worst := monitor.Worse(c.out.Spec, report.Verdict); worst != c.out.Spec || len(c.runs) == 1 {
		c.out.Spec, c.out.Next = worst, orEmpty(report.Next)
	}
	if c.out.Violation == nil {
		c.out.Violation = c.violation(report.Violation, first)
	}
}

// violation converts a violation for the wire, in a run whose segments begin at an index.
func (c *traceCheck) violation(v *monitor.Violation, first int) *Violation {
	if v == nil {
		return nil
	}
	where := c.file.Locate(v.Span.Start)
	out := &Violation{
		Index: first + v.Index, State: v.State, Reason: v.Reason, Allowed: orEmpty(v.Allowed), Content: v.Content,
		Start: int(v.Span.Start), End: int(v.Span.End), Line: where.Line, Column: where.Column,
	}
	c.at.span(&out.From, &out.To, v.Span)
	return out
}

// properties judges the formulas on the states of each conversation, and reports the first
// conversation on which a formula does not hold.
func (c *traceCheck) properties() error {
	if c.params.Properties == "" {
		return nil
	}
	file := source.NewFile("properties.ltl", c.params.Properties)
	list, found := ltl.Parse(file)
	for _, d := range found {
		if d.Severity == source.SeverityError && d.Code != "ltl.empty" {
			at := file.Locate(d.Span.Start)
			c.out.Properties = append(c.out.Properties, TraceProperty{Name: fmt.Sprintf("line %d", at.Line), Fault: "the formulas have an error: " + d.Message})
			c.out.Verdict = monitor.Worse(c.out.Verdict, monitor.VerdictFault)
			break
		}
	}
	var names []string
	for _, s := range c.a.States {
		names = append(names, s.Name)
	}
	alphabet, err := ltl.NewAlphabet(names, ltl.OneHot)
	if err != nil {
		return err
	}
	own, others := notation.Subject{Letters: names}, language.VocabularyOf(c.table, c.params.Others)
	for _, n := range list {
		p := TraceProperty{Name: cmp.Or(n.Name, n.Formula.String())}
		part, err := own.Part(n.Formula), error(nil)
		if part != nil {
			err = c.judge(part, alphabet, &p)
		}
		for _, conjunct := range ltl.Conjuncts(n.Formula) {
			if err == nil && !own.Has(n.Formula) && !own.Has(conjunct) && !others.Judges(conjunct) {
				err = source.NewError("trace.property", noStates(own, conjunct))
			}
		}
		if err != nil {
			p.Holds, p.Fault = false, err.Error()
			c.out.Verdict = monitor.Worse(c.out.Verdict, monitor.VerdictFault)
		}
		p.Other = part == nil && err == nil
		c.out.Properties = append(c.out.Properties, p)
	}
	return nil
}

// noStates reports the first symbol of a formula that is not a state.
func noStates(own notation.Subject, f *ltl.Formula) string {
	for _, name := range f.Props() {
		if !slices.Contains(own.Letters, name) {
			message := "unknown state " + strconv.Quote(name)
			if near := source.Nearest(name, own.Letters); near != "" {
				message += "; did you mean " + strconv.Quote(near) + "?"
			}
			return message
		}
	}
	return "not judged: no single spec defines all of its symbols"
}

func (c *traceCheck) judge(f *ltl.Formula, alphabet *ltl.Alphabet, p *TraceProperty) error {
	d, err := ltl.Translate(f, alphabet, meter.New(language.AnalysisBudget))
	if err != nil {
		return err
	}
	verdicts := d.Verdicts()
	p.Holds = true
	for _, run := range c.runs {
		q := d.Start()
		for _, name := range run.names {
			if q, err = d.Step(q, []string{name}); err != nil {
				return err
			}
		}
		reported := !p.Holds // an earlier conversation already violates the property
		if p.Verdict == "" || !reported && !d.Accepting(q) {
			p.Verdict = verdicts[q]
		}
		if d.Accepting(q) {
			continue
		}
		p.Holds = false
		worse := agent.VerdictIncomplete
		if run.complete || verdicts[q] == ltl.Violated {
			worse = monitor.VerdictViolated
		}
		c.out.Verdict = monitor.Worse(c.out.Verdict, worse)
		if reported || len(run.names) == 0 {
			continue
		}
		trace := make([]map[string]bool, len(run.names))
		for i, name := range run.names {
			trace[i] = map[string]bool{name: true}
		}
		p.Reason = ltl.Explain(f, trace).String()
	}
	return nil
}
