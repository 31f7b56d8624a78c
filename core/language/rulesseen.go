package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/workspace"
)

// Bounds of the runs from which tools and fields are completed: an editor waits for the names.
const (
	maxSeen     = 400       // events
	maxSeenText = 256 << 10 // bytes of the files together
)

// newest returns the last lines of a file that take half of the bounds, so that each of two files is seen. It leaves
// out lines that are too long.
func newest(text string) string {
	var lines []string
	for size := 0; text != "" && len(lines) < maxSeen/2; {
		text = strings.TrimRight(text, "\n")
		at := strings.LastIndexByte(text, '\n') + 1
		if line := text[at:]; size+len(line)+1 <= maxSeenText/2 {
			lines = append(lines, line)
			size += len(line) + 1
		}
		text = text[:at]
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// seenEvents returns events of the runs of a workspace: of files with a value in JSON on each line, and of
// tests.
func seenEvents(files []workspace.File) (out []*rules.Event) {
	left := maxSeenText
	for _, f := range files {
		lines := strings.HasSuffix(f.Name, ".jsonl")
		if !lines && workspace.KindOf(f.Name) != workspace.KindTests {
			continue
		}
		text := f.Text
		if lines {
			text = newest(text)
		}
		if len(text) > left {
			text = text[:strings.LastIndexByte(text[:left], '\n')+1]
		}
		left -= len(text)
		switch {
		case lines:
			for line := range strings.SplitSeq(text, "\n") {
				if len(out) >= maxSeen {
					break
				}
				run, found := rules.ReadRun(line)
				if out = append(out, run.Events...); len(found) > 0 {
					out = append(out, callsIn(line)...)
				}
			}
		case len(out) < maxSeen:
			tests, _ := spectest.Parse(source.NewFile(f.Name, text))
			for _, c := range tests.Cases {
				if c.Form == spectest.Run && len(out) < maxSeen {
					run, _ := rules.ReadRun(c.Text)
					out = append(out, run.Events...)
				}
			}
		}
	}
	return out[:min(len(out), maxSeen)]
}

// callsIn returns the calls in a message of a model: objects with a name and arguments.
func callsIn(line string) (out []*rules.Event) {
	tree, fault := json.Tree(line)
	if fault != nil {
		return nil
	}
	var visit func(n *json.Node)
	visit = func(n *json.Node) {
		name := n.TextOf("name")
		for _, key := range []string{"arguments", "input", "args"} {
			v, ok := n.Get(key)
			switch {
			case !ok || name == "":
			case v.Kind == '"':
				out = append(out, rules.NewEvent("call", name, rules.Fields(v.Text, nil), 0, ""))
			case v.Kind == '{':
				out = append(out, rules.NewEvent("call", name, exact.Of(v), 0, ""))
			}
		}
		for _, item := range n.Items {
			visit(item)
		}
		for _, m := range n.Members {
			visit(m.Value)
		}
	}
	visit(tree)
	return out
}

// toolsOfAgent returns the contents of the states in which an agent names a tool.
func toolsOfAgent(f workspace.File) (out []string) {
	spec, _ := agent.ParsePlain(f.Source())
	for _, s := range spec.States {
		prompt := strings.ToLower(s.Text)
		if !s.EnvInput && (strings.Contains(prompt, "action") || strings.Contains(prompt, "tool") || strings.Contains(prompt, "call")) {
			out = append(out, s.OneOf...)
		}
	}
	return out
}
