package backtest

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// runKeys are the keys under which a line of a data set contains a whole run.
var runKeys = []string{"messages", "traj", "trajectory", "conversation", "history", "contents", "input"}

// eventKeys are keys of objects that are a single message or event.
var eventKeys = []string{"role", "type", "event", "parentUuid", "jsonrpc", "resourceSpans"}

// LinesAreRuns reports whether each line of a text is a run by itself, given the beginning of the
// text. This is so if the first line is a list of messages, or a JSON object with a list of
// messages under a known key and without a key of a single message or event, and more text follows
// the line. If the beginning ends within the first line, more text is assumed to follow. If the second line
// is the first one with more items in its list, the lines are the states of one run.
func LinesAreRuns(beginning string) bool {
	line, rest, more := strings.Cut(strings.TrimPrefix(beginning, "\ufeff"), "\n")
	line = strings.TrimSpace(line)
	if line == "" || more && strings.TrimSpace(rest) == "" {
		return false // a single line is judged as a file
	}
	if next, _, _ := strings.Cut(rest, "\n"); more != complete(line) || grows(line, strings.TrimSpace(next)) {
		return false // a value on one line without others, or on several lines
	}
	if line[0] == '[' {
		role := false
		members(strings.TrimSpace(line[1:]), func(key, _ string) { role = role || key == "role" })
		return role
	}
	return isRun(line)
}

// grows reports whether a line is the line before it with more items in its list.
func grows(line, next string) bool {
	list := strings.TrimRight(line, "]} ")
	rest, ok := strings.CutPrefix(next, list)
	return ok && next != line && strings.Contains(line[len(list):], "]") && rest != "" && strings.Contains(",}]", rest[:1])
}

// isRun reports whether a text begins with a JSON object that is a run by itself.
func isRun(text string) bool {
	runs, event := false, false
	members(text, func(key, value string) {
		runs = runs || slices.Contains(runKeys, key) && strings.HasPrefix(value, "[")
		event = event || slices.Contains(eventKeys, key)
	})
	return runs && !event
}

// Runs returns the places of the items of a JSON list of at least two runs, or nil for another text.
// Runs of one list share identifiers of calls, so each is judged by itself.
func Runs(text string) (out []source.Span) {
	rest, list := strings.CutPrefix(space(strings.TrimPrefix(text, "\ufeff")), "[")
	for rest = space(rest); list && strings.HasPrefix(rest, "{") && isRun(rest); {
		n := value(rest)
		if n < 0 {
			return nil
		}
		start := len(text) - len(rest)
		out = append(out, source.Span{Start: source.Pos(start), End: source.Pos(start + n)})
		rest = space(rest[n:])
		if strings.HasPrefix(rest, "]") && space(rest[1:]) == "" && len(out) > 1 {
			return out
		}
		if !strings.HasPrefix(rest, ",") {
			return nil
		}
		rest = space(rest[1:])
	}
	return nil
}

// items returns the items of [Runs], each with the number of lines before it.
func items(text string) (out []Part) {
	line, counted := 0, 0
	for i, at := range Runs(text) {
		line += strings.Count(text[counted:at.Start], "\n")
		counted = int(at.Start)
		out = append(out, Part{Text: text[at.Start:at.End], Line: line, Runs: i})
	}
	return out
}

// complete reports whether a text is one value up to its end.
func complete(text string) bool { return value(text) == len(text) }

// members calls visit with the members of the object at the beginning of a text: the key as
// written, and the text from the value on. It ends where the text ends or is not JSON.
func members(text string, visit func(key, value string)) {
	if !strings.HasPrefix(text, "{") {
		return
	}
	for rest := space(text[1:]); strings.HasPrefix(rest, `"`); {
		n := value(rest)
		if n < 0 {
			return
		}
		key := rest[1 : n-1]
		rest = space(rest[n:])
		if !strings.HasPrefix(rest, ":") {
			return
		}
		rest = space(rest[1:])
		visit(key, rest)
		if n = value(rest); n < 0 {
			return
		}
		if rest = space(rest[n:]); !strings.HasPrefix(rest, ",") {
			return
		}
		rest = space(rest[1:])
	}
}

func space(text string) string { return strings.TrimLeft(text, " \t\r\n") }

// value returns the length of the JSON value at the beginning of a text, or -1 if the text
// ends in it. It matches brackets and strings only.
func value(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			if quoted = !quoted; !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return i // the end of the enclosing value
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			return i
		}
	}
	return -1
}
