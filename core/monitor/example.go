package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
)

// CheckExamples checks the transcripts in an agent's prompt against its behaviour. It
// reports the first fault of each transcript, with fixes, because an example that breaks
// the rules teaches the model to break them.
func CheckExamples(a *agent.Agent, text string) []source.Diagnostic {
	runs := CheckRuns(a, text)
	if len(runs) == 0 {
		return []source.Diagnostic{{
			Code: "example.none", Severity: source.SeverityWarning, Span: source.Span{End: source.Pos(source.LineEnd(text, 0))},
			Message: fmt.Sprintf("this example contains no prompt of %s", a.Name),
		}}
	}
	var found []source.Diagnostic
	for _, r := range runs {
		switch {
		case r.Violation != nil:
			found = append(found, violated(a, text, r))
		case r.Verdict == agent.VerdictIncomplete:
			found = append(found, unfinished(a, r))
		}
	}
	return found
}

// violated reports the first violation of a run.
func violated(a *agent.Agent, text string, r Report) source.Diagnostic {
	v := r.Violation
	d := source.Diagnostic{Code: "example.violation", Span: v.Span, Message: v.Reason}
	if v.Content {
		begin := v.Span.Start
		written := text[begin:v.Span.End]
		near := nearestContent(v.Allowed, strings.TrimSpace(written))
		if near == "" {
			near = rightContent(a, a.Index(v.State), written)
		}
		if near != "" {
			d.Fixes = append(d.Fixes, source.Fix{Title: "Write " + shorten(near), Edits: []source.Edit{{Span: v.Span, Text: " " + near}}})
		} else if strings.TrimSpace(written) != "" {
			d.Fixes = append(d.Fixes, source.Fix{Title: "Remove it", Edits: []source.Edit{{Span: v.Span}}})
		}
		if strings.TrimSpace(written) != "" { // the leading space is not part of the fault
			d.Span.Start += source.Pos(len(written) - len(strings.TrimLeft(written, " \t\r\n")))
		} else {
			d.Span.Start = r.Segments[v.Index].Span.Start
		}
		return d
	}
	if len(v.Allowed) == 0 {
		rest := source.Span{Start: r.Segments[v.Index-1].Span.End, End: r.Segments[len(r.Segments)-1].Span.End}
		d.Fixes = append(d.Fixes, source.Fix{Title: "Remove the text after the end", Edits: []source.Edit{{Span: rest}}})
		return d
	}
	for _, name := range v.Allowed[:min(len(v.Allowed), 3)] {
		prompt := a.States[a.Index(name)].Text
		d.Fixes = append(d.Fixes,
			source.Fix{Title: "Write " + prompt + " here", Edits: []source.Edit{{Span: v.Span, Text: prompt}}})
	}
	for _, name := range v.Allowed[:min(len(v.Allowed), 3)] {
		prompt := a.States[a.Index(name)].Text
		run := a.Begin()
		for _, s := range r.Segments[:v.Index] {
			run, _ = run.Step(a.Index(s.State))
		}
		run, _ = run.Step(a.Index(name))
		if _, fits := run.Step(a.Index(v.State)); fits {
			at := source.Span{Start: v.Span.Start, End: v.Span.Start}
			d.Fixes = append(d.Fixes, source.Fix{Title: "Put " + prompt + " before it", Edits: []source.Edit{{Span: at, Text: prompt + " …\n"}}})
		}
	}
	return d
}

// unfinished reports an example that ends too early.
func unfinished(a *agent.Agent, r Report) source.Diagnostic {
	last := r.Segments[len(r.Segments)-1]
	d := source.Diagnostic{
		Code: "example.incomplete", Severity: source.SeverityWarning,
		Span:    source.Span{Start: last.Span.Start, End: last.Span.Start + source.Pos(last.prompt)},
		Message: fmt.Sprintf("incomplete example: expected %s", list(r.Next)),
	}
	at := source.Span{Start: last.Span.End, End: last.Span.End}
	for _, name := range r.Next[:min(len(r.Next), 3)] {
		prompt := a.States[a.Index(name)].Text
		d.Fixes = append(d.Fixes, source.Fix{Title: "Add " + prompt, Edits: []source.Edit{{Span: at, Text: "\n" + prompt + " …"}}})
	}
	return d
}

// nearestContent returns the allowed content that was most likely meant, or "".
func nearestContent(allowed []string, written string) string {
	lower := make([]string, len(allowed))
	for i, o := range allowed {
		lower[i] = strings.ToLower(strings.TrimSpace(o))
		if strings.HasPrefix(strings.ToLower(written), lower[i]) {
			return allowed[i]
		}
	}
	near := source.Nearest(strings.ToLower(written), lower)
	for i := range lower {
		if near != "" && lower[i] == near || len(allowed) == 1 {
			return allowed[i]
		}
	}
	return ""
}

// rightContent returns a valid content for a state: the valid prefix of the written
// content, completed in the shortest way. It returns "" if there is none.
func rightContent(a *agent.Agent, state int, written string) string {
	c := newContents(a, state)
	c.read(written)
	kept := strings.TrimSpace(written[:c.fit])
	if c.long && c.fit < len(written) && !isSpace(written[c.fit]) { // keep words complete, unless there is only one
		if i := strings.LastIndexAny(kept, " \t\r\n"); i > 0 {
			kept = strings.TrimSpace(kept[:i])
		}
	}
	if c.allowed == nil {
		return kept
	}
	run := c.allowed.Begin()
	for _, char := range kept {
		run, _ = run.Step(char)
	}
	return kept + run.Shortest()
}

// CheckTemplate reports the unknown placeholders in the prompt of an agent or, if
// environment is true, in a prompt for a model that writes for the environment.
func CheckTemplate(text string, environment bool) []source.Diagnostic {
	known := placeholders
	if environment {
		known = sidePlaceholders
	}
	var found []source.Diagnostic
	unknownPlaceholders(text, known, func(name string, at source.Span) {
		d := source.Diagnostic{Code: "monitor.template", Span: at, Message: "unknown placeholder {" + name + "}"}
		if near := source.Nearest(name, known); near != "" {
			d.Message += "; did you mean {" + near + "}?"
			d.Fixes = []source.Fix{{Title: "Write {" + near + "}", Edits: []source.Edit{{Span: at, Text: "{" + near + "}"}}}}
		}
		found = append(found, d)
	})
	return found
}
