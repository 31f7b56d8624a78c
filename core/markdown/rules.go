//go:build !wasm

package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

// reading returns the rules of a file in sentences, and the verdicts on a run of events. A file with errors has neither.
func reading(w workspace.Workspace, f workspace.File, events string) (string, error) {
	var said session.SpecExplainResult
	if err := request("spec.explain", session.SpecExplainParams{Files: w.Files, Name: f.Name}, &said); err != nil {
		return "", nil // the problems of the text are listed
	}
	var b strings.Builder
	if len(said.Items) > 0 {
		b.WriteString(`<details class="stile-sentences"><summary>In words</summary><dl>`)
		for _, s := range said.Items {
			b.WriteString("<dt>" + escape(s.Name) + "</dt><dd>" + escape(s.Text) + "</dd>")
		}
		b.WriteString("</dl></details>")
	}
	if events != "" {
		run, err := judged(f.Text, events)
		if err != nil {
			return "", err
		}
		b.WriteString(run)
	}
	return b.String(), nil
}

// judged lists the events of a run with the violations at each, and the rules with their verdicts on the run.
func judged(rules, events string) (string, error) {
	lines := split(events)
	var got session.RulesTraceResult
	if err := request("rules.trace", session.RulesTraceParams{Source: rules, Events: strings.Join(lines, "\n")}, &got); err != nil {
		return "", err
	}
	if got.Reason != "" {
		return "", fmt.Errorf("events: event %d: %s", len(got.States), got.Reason)
	}
	if got.MoreViolations > 0 {
		return "", fmt.Errorf("events: more than %d violations", len(got.Violations))
	}
	at := make([][]string, len(lines))
	for _, v := range got.Violations {
		at[v.Event] = append(at[v.Event], "violates "+got.Rules[v.Rule].Name+", which requires "+v.Requirement)
	}
	unknown := slices.ContainsFunc(got.Rules, func(r session.TracedRule) bool { return r.Verdict == "fault" })
	var b strings.Builder
	b.WriteString(`<ol class="stile-events" start="0">`)
	for i, line := range lines {
		class, mark := "pass", "✓"
		switch {
		case len(at[i]) > 0:
			class, mark = "fail", "✗"
		case unknown: // an event may violate a rule that cannot be judged
			class, mark = "unknown", "?"
		}
		fmt.Fprintf(&b, `<li class="%s"><span aria-hidden="true">%s</span> <code>%s</code>`, class, mark, escape(line))
		for _, text := range at[i] {
			b.WriteString(" " + escape(text))
		}
		b.WriteString("</li>")
	}
	b.WriteString(`</ol><p class="stile-verdicts">`)
	for i, r := range got.Rules {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("<code>" + escape(r.Name) + "</code> " + escape(r.Verdict))
	}
	return b.String() + "</p>", nil
}

// split divides a run at the semicolons outside of strings.
func split(events string) []string {
	var out []string
	start, text := 0, false
	add := func(end int) {
		if line := strings.TrimSpace(events[start:end]); line != "" {
			out = append(out, line)
		}
		start = end + 1
	}
	for i := 0; i < len(events); i++ {
		switch c := events[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case c == ';' && !text:
			add(i)
		}
	}
	add(len(events))
	return out
}
