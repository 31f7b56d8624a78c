package session

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

// maxListedRuns bounds the runs of a list that monitor.check judges: its result has all their parts.
const maxListedRuns = 50

// judgement judges a trace. The runs of a list are judged one by one, because several of them may
// use the same identifier of a call. The error has code "trace.runs" for a longer list, which
// trace.matrix judges.
func (c *traceCheck) judgement(format string) (*monitor.Judgement, error) {
	judge := func(text string) (*monitor.Judgement, error) {
		return monitor.JudgeTrace(c.a, source.NewFile(c.file.Name, text), format, c.params.Mapping, c.params.Roles)
	}
	runs := backtest.Runs(c.params.Text)
	switch {
	case runs == nil || format == monitor.TraceText:
		return judge(c.params.Text)
	case len(runs) > maxListedRuns:
		return nil, source.NewError("trace.runs", fmt.Sprintf("the trace has %d runs, more than %d; check them as many runs (trace.matrix)", len(runs), maxListedRuns))
	}
	all := &monitor.Judgement{Verdict: agent.VerdictValid}
	for i, at := range runs {
		// White space keeps the places of the trace.
		judged, err := judge(strings.Repeat(" ", int(at.Start)) + c.params.Text[at.Start:at.End])
		if err != nil {
			return nil, fmt.Errorf("run %d: %w", i+1, err)
		}
		for _, u := range judged.Unread {
			if u.Path != "" {
				u.Path = fmt.Sprintf(".[%d]%s", i, u.Path)
			}
			all.Unread = append(all.Unread, u)
		}
		all.Format, all.More = judged.Format, all.More+judged.More
		all.Conversations = append(all.Conversations, judged.Conversations...)
		all.Verdict = monitor.Worse(all.Verdict, judged.Verdict)
	}
	return all, nil
}
