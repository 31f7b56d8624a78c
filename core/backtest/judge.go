package backtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

// Part is a file of recorded runs, or a part of such a file that is judged by itself.
type Part struct {
	Name  string `json:"name"` // of the file
	Text  string `json:"text"`
	Line  int    `json:"line,omitempty"`  // lines of the file before the text
	Runs  int    `json:"runs,omitempty"`  // runs of the file before it
	Alone bool   `json:"alone,omitempty"` // the text is one line, which is a run
	Fault string `json:"fault,omitempty"` // the reason why the text could not be read
}

// JudgePart judges the runs of a part. The numbers and lines of the runs count from the start of
// the file.
func (s *Specs) JudgePart(p Part, o Options) (runs []Run) {
	list := items(p.Text)
	switch {
	case p.Fault != "":
		runs = []Run{s.unreadable(p.Name, p.Fault, 0)}
	case list != nil:
		for _, item := range list {
			item.Name = p.Name
			item.Runs = len(runs)
			runs = append(runs, s.JudgePart(item, o)...)
		}
	default:
		runs = s.Judge(p.Name, p.Text, o)
		for i := range runs {
			runs[i].own()
		}
	}
	for i := range runs {
		r := &runs[i]
		r.Number += p.Runs
		r.Line += p.Line
		for j := range r.Cells {
			cell := &r.Cells[j]
			switch {
			case cell.Line > 0:
				cell.Line += p.Line
			case p.Alone && !cell.Outcome.Passes():
				cell.Line = p.Line + 1
			}
		}
	}
	return runs
}

// own copies the texts of a run that are parts of the trace's text, which would stay in memory as long as the run.
func (r *Run) own() {
	r.Name, r.Reason = strings.Clone(r.Name), strings.Clone(r.Reason)
	for i := range r.Cells {
		c := &r.Cells[i]
		c.Tool, c.Agent, c.Reason = strings.Clone(c.Tool), strings.Clone(c.Agent), strings.Clone(c.Reason)
	}
	for i := range r.Calls {
		r.Calls[i].Name = strings.Clone(r.Calls[i].Name)
	}
}

// Judge judges each run of a trace. A trace that cannot be read is one run, unread, with
// the reason.
func (s *Specs) Judge(name, text string, o Options) []Run {
	file := source.NewFile(name, text)
	opened := monitor.Open(file, o.Format)
	runs, first := []Run(nil), 0
	for _, sub := range s.agents {
		by := sub.judge
		if len(o.Mapping) > 0 || o.Roles != (monitor.Roles{}) {
			by = monitor.NewJudge(sub.agent, o.Mapping, o.Roles)
		}
		judged, err := by.Trace(opened)
		if err != nil {
			return []Run{s.unreadable(name, err.Error(), lineOf(err))}
		}
		if runs == nil {
			runs = s.begin(file, judged)
		}
		for i, c := range judged.Conversations {
			sub.fill(&runs[i], first, conversation{file: file, JudgedConversation: c, unread: firstUnread(judged)})
		}
		first += 1 + len(sub.formulas)
	}
	if len(s.files) > 0 {
		var err error
		if runs, err = s.judgeData(file, opened, runs, first); err != nil {
			return []Run{s.unreadable(name, err.Error(), lineOf(err))}
		}
	}
	if len(runs) == 0 {
		return []Run{s.unreadable(name, "no run was found in the trace", 0)}
	}
	for i := range runs {
		r := &runs[i]
		r.Outcome = r.Cells[0].Outcome
		for _, c := range r.Cells[1:] {
			r.Outcome = Worse(r.Outcome, c.Outcome)
		}
	}
	return runs
}

// judgeData fills in the cells of the rules about data, from the index first. If runs is nil,
// because there are no agents, it makes the runs. It returns the runs.
func (s *Specs) judgeData(file *source.File, opened *monitor.Opened, runs []Run, first int) ([]Run, error) {
	t, err := opened.Runs()
	if err != nil {
		if runs == nil {
			return nil, err
		}
		t = &monitor.Trace{} // a text in which an agent has its states
	}
	if runs == nil && instructions(t) {
		return nil, source.NewError("trace.empty", "no message of a user or a model, and no call")
	}
	judged := &monitor.Judgement{Unread: t.Unread}
	for _, c := range t.Conversations {
		judged.Conversations = append(judged.Conversations, monitor.JudgedConversation{Conversation: c})
	}
	if len(judged.Conversations) == 0 { // the text of a run
		judged.Conversations = make([]monitor.JudgedConversation, max(1, len(runs)))
	}
	if runs == nil {
		runs = s.begin(file, judged)
	}
	if len(runs) != len(judged.Conversations) {
		return nil, source.NewError("backtest.runs", fmt.Sprintf("the trace has %d runs for its agents and %d for its rules", len(runs), len(judged.Conversations)))
	}
	for _, f := range s.files {
		for i, c := range judged.Conversations {
			copy(runs[i].Cells[first:], f.judge(conversation{file: file, JudgedConversation: c, unread: firstUnread(judged)}))
		}
		first += len(f.file.Rules)
	}
	return runs, nil
}

// instructions reports whether a trace has only instructions for a model.
func instructions(t *monitor.Trace) bool {
	spoken := func(p monitor.Part) bool { return p.Kind != monitor.PartSystem }
	said := func(c monitor.Conversation) bool { return len(c.Events) > 0 || slices.ContainsFunc(c.Parts, spoken) }
	return len(t.Conversations) > 0 && len(t.Unread) == 0 && !slices.ContainsFunc(t.Conversations, said)
}

// unreadable returns the run that represents a trace that was not read, with the line of the cause or 0.
func (s *Specs) unreadable(name, reason string, line int) Run {
	r := Run{Trace: name, Number: 1, Line: 1, Outcome: Unread, Reason: reason, Cells: make([]Cell, len(s.rules)), Calls: []Counted{}}
	for i := range r.Cells {
		r.Cells[i] = Cell{Outcome: Unread, Reason: r.Reason, Line: line}
	}
	return r
}

// lineOf returns the line of an error in a trace, or 0.
func lineOf(err error) int {
	var e *source.Error
	if !errors.As(err, &e) || e.File == nil || len(e.Diagnostics) == 0 {
		return 0
	}
	return e.File.Locate(e.Diagnostics[0].Span.Start).Line
}

// begin returns the runs of a trace, with cells to fill in.
func (s *Specs) begin(file *source.File, judged *monitor.Judgement) []Run {
	runs := make([]Run, len(judged.Conversations))
	for i, c := range judged.Conversations {
		r := &runs[i]
		*r = Run{Trace: file.Name, Number: i + 1, Name: c.Name, Line: 1, Cells: make([]Cell, len(s.rules)), Calls: []Counted{}}
		if len(c.Parts) > 0 {
			r.Line = file.Locate(c.Parts[0].Span.Start).Line
		}
		for _, p := range c.Parts {
			if p.Kind == monitor.PartCall {
				r.Calls = count(r.Calls, p.Tool, 1)
			}
		}
	}
	return runs
}

// count adds to the number of a name in a sorted list.
func count(list []Counted, name string, n int) []Counted {
	i, ok := slices.BinarySearchFunc(list, name, func(c Counted, name string) int { return strings.Compare(c.Name, name) })
	if !ok {
		list = slices.Insert(list, i, Counted{Name: name})
	}
	list[i].Number += n
	return list
}

// firstUnread returns the first part of a trace that is unread, or nil.
func firstUnread(j *monitor.Judgement) *monitor.Unread {
	var first *monitor.Unread
	for i := range j.Unread {
		if u := &j.Unread[i]; first == nil || u.Span.Start < first.Span.Start {
			first = u
		}
	}
	return first
}

// conversation is one run for one agent.
type conversation struct {
	file *source.File
	monitor.JudgedConversation
	unread *monitor.Unread // the first part of the trace that is unread, or nil
}

// unreadCell returns the cell of a rule that cannot be judged because a part is unread.
func (c conversation) unreadCell() Cell {
	cell := Cell{Outcome: Unread, Reason: c.unread.Reason, Line: c.file.Locate(c.unread.Span.Start).Line}
	if c.unread.Path != "" {
		cell.Reason += " (" + c.unread.Path + ")"
	}
	if len(c.unread.Keys) > 0 {
		cell.Reason += "; its keys are " + strings.Join(c.unread.Keys, ", ")
	}
	return cell
}

// fill fills in the cells of an agent, from the index first.
func (sub subject) fill(r *Run, first int, c conversation) {
	r.Cells[first] = c.behaviour()
	var states []string
	for _, segment := range c.Report.Segments {
		states = append(states, segment.State)
	}
	trace := make([]map[string]bool, len(states))
	for i, name := range states {
		trace[i] = map[string]bool{name: true}
	}
	for i, f := range sub.formulas {
		cell, broken := f.judge(states, trace, c.Report.Verdict == agent.VerdictValid)
		certain := c.unread == nil || cell.Outcome == Fault
		if broken >= 0 {
			span := c.Report.Segments[broken].Span
			cell.Line, cell.Tool, cell.Agent = c.place(span, broken)
			// An unread part before the violation may be a state that prevents it.
			certain = certain || span.Start < c.unread.Span.Start
		}
		if !certain {
			cell = c.unreadCell()
		}
		r.Cells[first+1+i] = cell
	}
}

// behaviour returns the cell of the agent's behaviour.
func (c conversation) behaviour() Cell {
	cell := Cell{Outcome: Held}
	verdict := c.Verdict
	if c.unread != nil {
		verdict = monitor.Worse(verdict, monitor.VerdictUnread)
	}
	switch verdict {
	case agent.VerdictValid:
	case agent.VerdictInvalid:
		cell.Outcome = Violated
		if v := c.Report.Violation; v != nil {
			cell.Reason = v.Reason
			cell.Line, cell.Tool, cell.Agent = c.place(v.Span, v.Index)
		}
	case agent.VerdictIncomplete:
		cell.Outcome, cell.Reason = Incomplete, "the run ends too early"
		if next := c.Report.Next; len(next) > 0 {
			cell.Reason += "; " + strings.Join(next, " or ") + " may follow"
		}
	case monitor.VerdictUnread:
		if c.unread != nil {
			return c.unreadCell()
		}
		return Cell{Outcome: Unread, Reason: "a part of the text is unread"}
	default:
		cell.Outcome, cell.Reason = Fault, "unexpected verdict "+string(verdict)
	}
	return cell
}

// place returns the line of a span of the trace, and the tool and the agent of the segment there.
func (c conversation) place(span source.Span, segment int) (line int, tool, agent string) {
	if segment < len(c.Mapped) {
		p := &c.Parts[c.Mapped[segment].Part]
		tool, agent = p.Tool, p.Agent
	}
	return c.file.Locate(span.Start).Line, tool, agent
}

// judge returns the cell of a formula on the states of a run, and the index of the state
// that violates it, or -1.
func (f formula) judge(states []string, trace []map[string]bool, complete bool) (cell Cell, broken int) {
	q := f.automaton.Start()
	broken = -1
	for i, name := range states {
		next, err := f.automaton.Step(q, []string{name})
		if err != nil {
			return Cell{Outcome: Fault, Reason: err.Error()}, -1
		}
		q = next
		if broken < 0 && f.verdicts[q] == ltl.Violated {
			broken = i
		}
	}
	switch {
	case len(states) == 0:
		return Cell{Outcome: Incomplete, Reason: "the run has no states"}, -1
	case f.automaton.Accepting(q):
		if f.condition != nil && !f.condition.Holds(trace) {
			return Cell{Outcome: Untriggered}, -1
		}
		return Cell{Outcome: Held}, -1
	case broken < 0 && complete:
		broken = len(states) - 1
	case broken < 0:
		return Cell{Outcome: Incomplete, Reason: strings.TrimSpace(ltl.Explain(f.whole, trace).String())}, -1
	}
	return Cell{Outcome: Violated, Reason: strings.TrimSpace(ltl.Explain(f.whole, trace).String())}, broken
}
