package docs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// signs gives names to the words that consist of punctuation, for their anchors.
var signs = map[string]string{
	"->": "arrow", "|": "bar", "ε": "empty-word", "*": "any", "{*}": "its-letter", "!": "not", "&": "and", "<->": "iff", "subject to": "subject-to", "~": "matches", "@time": "time", "@agent": "agent", "@id": "id",
}

// anchor returns the anchor of a word on the page of its notation.
func anchor(n *notation.Notation, word string) string {
	name, ok := signs[word]
	if !ok {
		name = strings.TrimPrefix(strings.TrimPrefix(word, ":"), "%")
	}
	return "word-" + n.Anchor + name
}

// words returns the reference of a notation: a table of its words with their meanings
// and examples.
func words(row *notation.Notation) (string, error) {
	if row.Words == nil {
		return "", fmt.Errorf("unknown notation %q", row.Kind)
	}
	list := row.Words()
	seen := map[string]string{}
	var b strings.Builder
	b.WriteString("| word | used as |\n|---|---|\n")
	for _, e := range list {
		at := anchor(row, e.Words[0])
		if strings.HasPrefix(e.Words[0], ":") {
			at += "-option" // "tools" and ":tools" would be equal
		}
		if before, ok := seen[at]; ok {
			return "", fmt.Errorf("the words %s and %s have one anchor", before, e.Words[0])
		}
		seen[at] = e.Words[0]
		var all []string
		for _, w := range e.Words {
			all = append(all, code(strings.ReplaceAll(w, "|", `\|`)))
		}
		form := ""
		if e.Form != "" {
			form = code(strings.ReplaceAll(e.Form, "|", `\|`))
		}
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", strings.Join(all, " "), at, form)
	}
	for _, e := range list {
		at := anchor(row, e.Words[0])
		if strings.HasPrefix(e.Words[0], ":") {
			at += "-option"
		}
		fmt.Fprintf(&b, "\n### %s {#%s}\n\n", code(e.Words[0]), at)
		fmt.Fprintf(&b, "%s", markdownText(e.Text))
		if e.Form != "" {
			fmt.Fprintf(&b, " Used as %s.", code(e.Form))
		}
		if len(e.Words) > 1 && !e.Phrase {
			var also []string
			for _, w := range e.Words[1:] {
				also = append(also, code(w))
			}
			fmt.Fprintf(&b, " Also written %s.", strings.Join(also, ", "))
		}
		fmt.Fprintf(&b, "\n\n```%s\n%s```\n", row.Kind, e.Example)
	}
	return b.String(), nil
}

// functions lists the functions in expressions of teams.
func functions() string {
	var b strings.Builder
	b.WriteString("| function | gives |\n|---|---|\n")
	for _, f := range team.Functions() {
		fmt.Fprintf(&b, "| %s | %s |\n", code(f.Form), f.Text)
	}
	return b.String()
}

// code returns a text as a span of code.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// limits lists the limits that a user may exceed.
func limits() string {
	var b strings.Builder
	b.WriteString("| what | at most |\n|---|---|\n")
	for _, l := range []struct {
		what string
		most int
		unit string
	}{
		{"files of a workspace", workspace.MaxFiles, ""},
		{"all texts of a workspace", workspace.MaxSize >> 20, "MiB"},
		{"a file", source.MaxFileSize >> 20, "MiB"},
		{"productions of a grammar", grammar.MaxProductions, ""},
		{"symbols of a right side", grammar.MaxRightLength, ""},
		{"items of a `%subset`", grammar.MaxSubset, ""},
		{"transitions that families expand to", pushdown.MaxTransitions, ""},
		{"questions of a block in any order", flow.MaxAnyOrder, ""},
		{"states of an agent", agent.MaxStates, ""},
		{"the bound of a loop", agent.MaxBound, ""},
		{"nesting of a formula", ltl.MaxDepth, ""},
		{"propositions of a formula over sets of them", ltl.MaxPowerset, ""},
		{"runs in progress", session.MaxRuns, ""},
		{"a request to the core", session.MaxRequest >> 20, "MiB"},
	} {
		fmt.Fprintf(&b, "| %s | %s %s |\n", l.what, grouped(l.most), l.unit)
	}
	return b.String()
}

// grouped writes a number with commas between thousands.
func grouped(n int) string {
	if n < 1_000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1_000), n%1_000)
}
