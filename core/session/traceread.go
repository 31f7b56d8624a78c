package session

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	tracefile "github.com/stile-playground/stile/core/trace"
)

// TraceReadParams are a recorded trace and the name of its file. Map is a description of its format by
// paths, which the command stile takes as -map; "" detects the format.
type TraceReadParams struct {
	Text string `json:"text"`
	Name string `json:"name,omitempty"`
	Map  string `json:"map,omitempty"`
}

// TraceReadRun is a run of a trace. Its events have the shape that rules.check reads.
type TraceReadRun struct {
	Events json.RawMessage `json:"events"`
}

// TraceReadResult is a trace as events. Format is the library or convention that wrote it, or
// "json". Unread lists the values that may be actions and were not understood, at most 100, and
// MoreUnread counts the others: no run of such a trace is known to be complete.
type TraceReadResult struct {
	Format      string         `json:"format"`
	Runs        []TraceReadRun `json:"runs"`
	Unread      []TraceUnread  `json:"unread"`
	MoreUnread  int            `json:"moreUnread,omitempty"`
	Diagnostics []Diagnostic   `json:"diagnostics"`
}

// traceRead reads a trace of any format. The errors are "limit.trace", "trace.empty" and "trace.map".
func traceRead(p TraceReadParams) (TraceReadResult, error) {
	out := TraceReadResult{Runs: []TraceReadRun{}, Unread: []TraceUnread{}, Diagnostics: []Diagnostic{}}
	if len(p.Text) > source.MaxFileSize {
		return out, source.NewError("limit.trace", fmt.Sprintf("the trace has %d bytes, more than the maximum of %d (4 MiB); split it into its conversations and check each", len(p.Text), source.MaxFileSize))
	}
	file := source.NewFile("trace.txt", p.Text)
	read, err := tracefile.OpenRuns(file, p.Map)
	if err != nil {
		return out, err
	}
	out.Format, out.MoreUnread = read.Format, read.More
	for _, run := range read.Runs {
		events, err := json.Marshal(run.Events())
		if err != nil {
			return out, err
		}
		out.Runs = append(out.Runs, TraceReadRun{Events: events})
	}
	at := places{file: file}
	for _, u := range read.Unread {
		out.Unread = append(out.Unread, TraceUnread{Path: u.Path, Reason: u.Reason, Keys: u.Keys, Line: file.Locate(u.Span.Start).Line})
	}
	for i, u := range read.Unread {
		at.span(&out.Unread[i].From, &out.Unread[i].To, u.Span)
	}
	at.settle()
	return out, nil
}
