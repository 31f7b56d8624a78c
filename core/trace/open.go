package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Formats that are read exactly: each value of a trace is an item, ignored by a rule of [ignored], or unread.
const (
	FormatText      = "text"      // the prompts of an agent's states with their contents; it has no runs
	FormatOpenAI    = "openai"    // messages of chat completions, or items of responses
	FormatAnthropic = "anthropic" // messages with blocks of content
	FormatGemini    = "gemini"    // contents with parts
	FormatBedrock   = "bedrock"   // messages of Converse
	FormatJSONL     = "jsonl"     // on each line a message or a conversation in one of the formats above
	FormatEvents    = "events"    // events, as "rules.check" reads them
	FormatOTLP      = "otlp"      // spans of the OpenTelemetry conventions for generative AI
)

// ExactFormats returns the names of the formats that are read exactly.
func ExactFormats() []string {
	return []string{FormatText, FormatOpenAI, FormatAnthropic, FormatGemini, FormatBedrock, FormatJSONL, FormatEvents, FormatOTLP}
}

// Open reads a trace whose runs are to be judged. If format is "", or a name of [Formats] that is not one of
// [ExactFormats], it is detected: a trace in which nothing is unread exactly is not read again; otherwise [Read] reads
// it by its tables of keys, which know more formats. A format that begins with "{" is a description for [ParseMap]. The
// error has code "trace.format", "trace.json" with a place, or "trace.empty" if no value was recognised; the last one
// has the reason for which a known format is refused, if there is one, and lists the keys of the trace.
func Open(file *source.File, format string) (*Trace, error) {
	if strings.HasPrefix(strings.TrimSpace(format), "{") {
		return openMapped(file, format)
	}
	t, roots, err := open(file, format)
	if err == nil && t.Format != FormatEvents {
		t.refuseUnjudged(roots)
	}
	return t, err
}

func open(file *source.File, format string) (*Trace, []*node, error) {
	if slices.Contains(formats, format) && !slices.Contains(ExactFormats(), format) {
		format = ""
	}
	exact, roots, err := openExact(file, format)
	if format != "" || err == nil && (exact.Format == FormatText || exact.Format == FormatEvents || len(exact.Unread) == 0 || otlpLike(roots[0])) {
		return exact, roots, err
	}
	read, ok := readValues(file.Text, roots)
	switch {
	case ok && err != nil && read.refused(roots):
		return nil, nil, source.NewError("trace.empty", read.Unread[0].Reason+keysOf(nil, roots))
	case !ok || len(read.Runs) == 0 || err != nil && !hasAnswer(read):
		return exact, roots, err
	case err != nil:
		return read, roots, nil
	case len(read.Unread) > 0 && !slices.Contains(exactlyKnown, read.Format): // its reasons are those of the format
		return read, roots, nil
	case len(read.Unread) > 0 || slices.Contains(exactlyKnown, read.Format) && !otherKinds(exact) && !read.explains(exact):
		return exact, roots, nil
	}
	read.compare(exact, roots)
	return read, roots, nil
}

// refused reports whether a trace has no run, but a part that names the reason. Only a format that is known by name is
// recognised in a text whose values are not JSON.
func (t *Trace) refused(roots []*node) bool {
	return len(t.Runs) == 0 && len(t.Unread) > 0 && (roots != nil || t.Format != "json")
}

// exactlyKnown are the names of [Read] for formats whose keys are known exactly: a value of such a trace that is unread
// exactly is unread.
var exactlyKnown = []string{"json", "openai", "openai-responses", "anthropic", "gemini", "bedrock", "otlp"}

// otherKinds reports whether a trace has messages or parts of types that no exact format has.
func otherKinds(t *Trace) bool {
	return slices.ContainsFunc(t.Unread, func(u Unread) bool {
		return strings.HasPrefix(u.Reason, "unknown type") || strings.HasPrefix(u.Reason, "block of unknown type")
	})
}

// hasAnswer reports whether a trace has an item of a model or a tool.
func hasAnswer(t *Trace) bool {
	return slices.ContainsFunc(t.Runs, func(run Run) bool {
		return slices.ContainsFunc(run.Items, func(item *Item) bool { return item.Kind != User && item.Kind != System })
	})
}

// explains reports whether each value that is unread in an exact reading is a call of a trace, or the arguments of one:
// the call has other keys.
func (t *Trace) explains(exact *Trace) bool {
	return exact.More == 0 && !slices.ContainsFunc(exact.Unread, func(u Unread) bool {
		return !slices.ContainsFunc(t.Runs, func(run Run) bool {
			return slices.ContainsFunc(run.Items, func(item *Item) bool {
				return item.Kind == Call && (item.Span == u.Span || item.Value != nil && spanOf(item.Value) == u.Span)
			})
		})
	})
}

// compare refuses the calls and results that another reading of the same values understands and a trace does not have.
func (t *Trace) compare(other *Trace, roots []*node) {
	known := map[string]bool{}
	for _, run := range t.Runs {
		for _, item := range run.Items {
			known[itemKey(item)] = true
		}
	}
	a := account{unread: t.Unread, more: t.More}
	for _, run := range other.Runs {
		for _, item := range run.Items {
			if (item.Kind == Call || item.Kind == Result) && !known[itemKey(item)] && !other.unreadIn(item.Span) {
				a.refuseAt(item.Span, "%s of %q that the format %s does not have", item.Kind, shorten(item.Tool), t.Format)
			}
		}
	}
	t.set(a, roots)
}

// unreadIn reports whether a part at a place, or around it, is unread.
func (t *Trace) unreadIn(at source.Span) bool {
	return t.More > 0 || slices.ContainsFunc(t.Unread, func(u Unread) bool { return u.Span.Start < at.End && at.Start < u.Span.End })
}

// itemKey is equal for two readings of the same call or result.
func itemKey(item *Item) string {
	if item.Kind == Result {
		return Result + "\x00" + firstOf(item.ID, strings.TrimSpace(item.Text))
	}
	return item.Kind + "\x00" + item.Tool + "\x00" + canonical(item.Value)
}

// set sets the unread parts of a trace, with their paths if its values are known.
func (t *Trace) set(a account, roots []*node) {
	t.Unread, t.More = a.unread, a.more
	for i := range t.Unread {
		t.Unread[i].Path = PathTo(roots, t.Unread[i].Span)
	}
}

// Printed reads a text of [FormatText] as that of a console or a log. Without a run, t is nil, and the error "trace.empty"
// has the reason and the place of a part that was not understood, or names the format that is refused; it is nil for a
// text without such a part.
func Printed(file *source.File) (t *Trace, fault *source.Error) {
	read, ok := Read(file.Text)
	switch {
	case ok && len(read.Runs) > 0:
		read.refuseUnjudged(nil)
		return read, nil
	case ok && len(read.Unread) > 0:
		u := read.Unread[0]
		d := source.Diagnostic{Code: "trace.empty", Message: u.Reason, Span: u.Span}
		return nil, &source.Error{ID: d.Code, Message: d.Message, File: file, Diagnostics: []source.Diagnostic{d}}
	case strings.TrimSpace(strings.TrimPrefix(file.Text, bom)) == "":
		return nil, source.NewError("trace.empty", "the trace is empty")
	}
	return nil, nil
}

// OpenRuns opens a trace as [Open] does, and the text of a console. The error "trace.empty" also stands for a text that
// has no run without an agent that has its states.
func OpenRuns(file *source.File, format string) (*Trace, error) {
	t, err := Open(file, format)
	if err != nil || t.Format != FormatText || format == FormatText {
		return t, err
	}
	t, fault := Printed(file)
	switch {
	case fault != nil:
		return nil, fault
	case t == nil:
		return nil, source.NewError("trace.empty", "no message, call or span found in this trace")
	}
	return t, nil
}

// openMapped reads a trace by the description of its format.
func openMapped(file *source.File, description string) (*Trace, error) {
	m, err := ParseMap(description)
	if err != nil {
		return nil, err
	}
	read, ok := ReadMapped(file.Text, m)
	if !ok || len(read.Runs)+len(read.Unread) == 0 {
		return nil, source.NewError("trace.empty", "no value of the trace is at the paths of the description of its format")
	}
	read.refuseArguments(nil)
	return read, nil
}

// openExact reads a trace in one of [ExactFormats], which is detected if format is "". It also returns the values of the
// trace, which are nil for a text.
func openExact(file *source.File, format string) (*Trace, []*node, error) {
	if format != "" && !slices.Contains(ExactFormats(), format) {
		return nil, nil, source.NewError("trace.format", fmt.Sprintf("unknown trace format %q; expected %s", format, oneOf(ExactFormats())))
	}
	text := strings.TrimSpace(strings.TrimPrefix(file.Text, "\ufeff"))
	if format == FormatText || format == "" && !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[{") && !isJSONList(text) {
		return &Trace{Format: FormatText}, nil, nil
	}
	roots, fault := jsonValues(file.Text)
	if fault != nil {
		if format == "" && strings.HasPrefix(text, "[") {
			return &Trace{Format: FormatText}, nil, nil // a prompt in brackets
		}
		return nil, nil, &source.Error{ID: "trace.json", Message: "invalid JSON: " + fault.Message, File: file, Diagnostics: []source.Diagnostic{*fault}}
	}
	t, err := readExact(roots, firstOf(format, exactFormat(roots)))
	return t, roots, err
}

func oneOf(names []string) string {
	last := len(names) - 1
	return `"` + strings.Join(names[:last], `", "`) + `" or "` + names[last] + `"`
}

// jsonValues parses consecutive JSON values.
func jsonValues(text string) ([]*node, *source.Diagnostic) {
	values, fault := json.Trees(text)
	switch {
	case fault != nil:
		at := node{At: json.Range{Start: min(fault.Offset, len(text)), End: min(fault.Offset+1, len(text))}}
		return nil, &source.Diagnostic{Code: "trace.json", Message: fault.Message, Span: spanOf(&at)}
	case len(values) == 0:
		return nil, &source.Diagnostic{Code: "trace.json", Message: "the trace is empty"}
	}
	return values, nil
}

// readExact reads values in a format. Spans are read by the tables of keys.
func readExact(roots []*node, format string) (*Trace, error) {
	a := &account{}
	t := &Trace{Format: format}
	switch format {
	case FormatOTLP:
		return readSpans(roots)
	case FormatEvents:
		t.Runs = readEvents(a, eventList(roots))
	default:
		t.Runs = readDocuments(a, roots)
	}
	if len(t.Runs) == 0 {
		return nil, noMessage(format, nil, roots)
	}
	t.set(*a, roots)
	return t, nil
}

func noMessage(format string, names []string, roots []*node) error {
	return source.NewError("trace.empty", "no message found in this trace, which was read as "+format+keysOf(names, roots))
}

// readSpans reads spans.
func readSpans(roots []*node) (*Trace, error) {
	t, _ := readValues("", roots)
	var names []string
	for _, root := range roots {
		All(root, func(_ string, v *node) bool {
			if key := v.TextOf("key"); len(names) < maxKeys && key != "" && has(v, "value") {
				names = append(names, key)
			}
			return len(names) < maxKeys
		})
	}
	if len(t.Runs) == 0 && len(t.Unread)+len(names) > 0 || !slices.ContainsFunc(roots, otlpLike) {
		return nil, noMessage(FormatOTLP, names, roots)
	}
	if len(t.Runs) == 0 {
		a := &account{}
		a.refuseAt(source.Span{}, "no spans")
		t.set(*a, roots)
	}
	return t, nil
}

// keysOf lists names of attributes and the keys of a trace, for an error.
func keysOf(names []string, roots []*node) string {
	var keys []string
	add := func(key string) {
		if key != "" && len(keys) < maxKeys && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, name := range names {
		add(name)
	}
	for _, root := range roots {
		All(root, func(key string, v *node) bool {
			add(shorten(key))
			return len(keys) < maxKeys
		})
	}
	if len(keys) == 0 {
		return ""
	}
	return "; its keys are " + strings.Join(keys, ", ")
}

// isJSONList reports whether a text is a list rather than a prompt in brackets.
func isJSONList(text string) bool {
	if !strings.HasPrefix(text, "[") {
		return false
	}
	rest := strings.TrimLeft(text, "[ \t\r\n")
	return strings.HasPrefix(rest, "{") || rest == "]"
}

// exactFormat returns the exact format of JSON values.
func exactFormat(roots []*node) string {
	switch first := roots[0]; {
	case eventList(roots) != nil:
		return FormatEvents
	case otlpLike(first):
		return FormatOTLP
	case len(roots) > 1:
		return FormatJSONL
	case providerFormat(first) != "":
		return providerFormat(first)
	case anthropicBlocks(first):
		return FormatAnthropic
	default:
		return FormatOpenAI
	}
}

// anthropicBlocks reports whether a conversation has blocks that only messages of
// Anthropic's API have.
func anthropicBlocks(n *node) bool {
	messages := n.Items
	if m, ok := n.Get("messages"); ok {
		messages = m.Items
	}
	if content, ok := n.Get("content"); ok && n.TextOf("type") == "message" {
		messages = append(messages, &node{Members: []json.Member{{Key: "content", Value: content}}})
	}
	for _, m := range messages {
		content, _ := m.Get("content")
		for _, block := range content.Items {
			switch block.TextOf("type") {
			case "tool_use", "tool_result", "thinking":
				return true
			}
		}
	}
	return has(n, "system") && has(n, "messages")
}
