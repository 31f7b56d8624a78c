package trace

import (
	"slices"
	"strconv"
	"strings"
)

// recorded are the parts and calls of a trace's conversations so far.
type recorded struct {
	parts map[string]int      // number of occurrences
	calls map[string][]string // by tool, and by tool and identifier
	lists [][]string          // the parts of each conversation
}

func newRecorded() *recorded {
	return &recorded{parts: map[string]int{}, calls: map[string][]string{}}
}

// partKey is equal for two records of the same part.
func partKey(p *Item) string {
	kind := p.Kind
	if kind == Thought {
		kind = Text
	}
	return kind + "\x00" + p.Tool + "\x00" + p.ID + "\x00" + p.Text
}

// judged returns the spans whose conversations are judged, in their order. It leaves out a
// conversation that another one of the same trace contains: as a prefix, or part by part if
// all its calls have identifiers and it has a call or its span is an ancestor of spans with
// messages.
func (s *otlpSpans) judged() []*otlpSpan {
	traces := map[string]*recorded{}
	keep := map[*otlpSpan]bool{}
	for _, outer := range []bool{false, true} {
		for i := len(s.list) - 1; i >= 0; i-- {
			span := s.list[i]
			if len(span.items) == 0 || span.inner != outer {
				continue
			}
			k := traces[span.trace]
			if k == nil {
				k = newRecorded()
				traces[span.trace] = k
			}
			keep[span] = !k.has(span.items, outer)
			if keep[span] {
				k.add(span.items)
			}
		}
	}
	var out []*otlpSpan
	for _, span := range s.list {
		if keep[span] {
			out = append(out, span)
		}
	}
	return out
}

func (k *recorded) add(parts []*Item) {
	list := make([]string, len(parts))
	for i, p := range parts {
		list[i] = partKey(p)
		k.parts[list[i]]++
		if p.Kind == Call {
			for _, key := range []string{p.Tool, identifiedKey(p.Tool, p.ID)} {
				k.calls[key] = append(k.calls[key], p.Text)
			}
		}
	}
	k.lists = append(k.lists, list)
}

// has reports whether the conversations so far contain the parts: one conversation begins
// with them, or every part occurs, all calls have identifiers, and there is a call or outer
// is true.
func (k *recorded) has(parts []*Item, outer bool) bool {
	within, called := true, false
	for _, p := range parts {
		within = within && (k.parts[partKey(p)] > 0 || p.Kind == System)
		if p.Kind == Call {
			called = true
			within = within && p.ID != ""
		}
	}
	if within && (outer || called) {
		return true
	}
	for _, list := range k.lists {
		i := 0
		for i < len(parts) && i < len(list) && list[i] == partKey(parts[i]) {
			i++
		}
		if i == len(parts) {
			return true
		}
	}
	return false
}

func (s *otlpSpan) tool() (string, bool) {
	if name, ok := s.attributes["gen_ai.tool.name"]; ok {
		return name.Text, true
	}
	return strings.CutPrefix(s.TextOf("name"), "execute_tool ")
}

// operations lists the operations whose spans record no action of their own.
const operations = " embeddings create_agent agent_step invoke_workflow plan "

// modelOperations lists the operations whose spans record an answer of a model.
const modelOperations = " chat text_completion generate_content invoke_agent "

// missing refuses spans that may be actions, but are incomplete or of an unknown kind.
func (s *otlpSpans) missing() {
	for _, span := range s.list {
		operation, known := span.attributes["gen_ai.operation.name"]
		_, tool := span.tool()
		name := strconv.Quote(shorten(span.TextOf("name")))
		switch {
		case tool:
			if t, _ := span.tool(); t == "" || known && operation.Text != "execute_tool" {
				s.refuse(span.node, "span of a tool without a name, or with another operation")
			}
		case known && Word(modelOperations, operation.Text):
			if !span.messages && !span.inner {
				s.refuse(span.node, "span %s without messages", name)
			} else if span.messages && !span.answered() {
				s.refuse(span.node, "span %s without the reply", name)
			}
		case known && Word(operations, operation.Text), !known && span.messages:
		case known:
			s.refuse(span.node, "unknown operation %q", shorten(operation.Text))
		case !span.transport():
			s.refuse(span.node, "unsupported span %s", name)
		}
	}
}

// answered reports whether a span of a model has its reply, or an error.
func (s *otlpSpan) answered() bool {
	_, fault := s.attributes["error.type"]
	status, _ := s.Get("status")
	code, _ := status.Get("code")
	if fault || code.Text == "2" || code.Text == "STATUS_CODE_ERROR" || s.inner {
		return true
	}
	if _, ok := s.attributes[messageKeys[1]]; !ok {
		return true // events, which include the reply
	}
	_, ok := s.attributes[messageKeys[2]]
	return ok
}

// transport reports whether a span records a network request, which is not an action of an
// agent.
func (s *otlpSpan) transport() bool {
	for key := range s.attributes {
		for _, prefix := range []string{"http.", "url.", "db.", "dns.", "net.", "network.", "tls."} {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
	}
	return false
}

// calls returns the conversation of tool calls, for a trace without messages.
func (s *otlpSpans) calls() []Run {
	c := &conversation{account: s.account}
	for _, span := range s.list {
		tool, ok := span.tool()
		if !ok {
			continue
		}
		c.turn++
		id := ""
		if v, ok := span.attributes["gen_ai.tool.call.id"]; ok {
			id = v.Text
		}
		arguments := span.attributes["gen_ai.tool.call.arguments"]
		if arguments == nil {
			arguments = &node{}
		}
		c.add(Call, tool, id, arguments.Text, span.node, arguments)
		if result, ok := span.attributes["gen_ai.tool.call.result"]; ok {
			c.add(Result, tool, id, result.Text, span.node, resultValue(result, result.Text))
		}
	}
	if len(c.items) == 0 {
		return nil
	}
	return []Run{{Items: c.items}}
}

func identifiedKey(tool, id string) string { return tool + "\x00" + id }

// executed refuses the spans of tools that no conversation accounts for: the tool was
// called, but no message asks for it, or the message has other arguments. A span with an
// identifier belongs to the call with that identifier, any other span to one call of its
// tool. Spans without arguments are assigned last, so that they do not take the calls that
// match the arguments of other spans.
func (s *otlpSpans) executed(judged []*otlpSpan) {
	traces := map[string]*recorded{}
	for _, span := range judged {
		if traces[span.trace] == nil {
			traces[span.trace] = newRecorded()
		}
		traces[span.trace].add(span.items)
	}
	for _, compared := range []bool{true, false} {
		for _, span := range s.list {
			tool, ok := span.tool()
			arguments, has := span.attributes["gen_ai.tool.call.arguments"]
			if !ok || has != compared {
				continue
			}
			asked := []string(nil)
			key := tool
			id, identified := span.attributes["gen_ai.tool.call.id"]
			if identified {
				key = identifiedKey(tool, id.Text)
			}
			k := traces[span.trace]
			if k != nil {
				asked = k.calls[key]
			}
			if len(asked) == 0 {
				s.refuse(span.node, "call of %q that no conversation has", shorten(tool))
				continue
			}
			at := 0
			if has {
				at = slices.IndexFunc(asked, func(text string) bool { return canonicalText(text) == canonicalText(arguments.Text) })
			}
			if at < 0 {
				s.refuse(arguments, "arguments of %q that differ from the call in the conversation", shorten(tool))
			} else if !identified {
				k.calls[key] = slices.Delete(asked, at, at+1)
			}
		}
	}
}

// canonicalText is [canonical] for the text of arguments.
func canonicalText(text string) string { return canonical(quoted(strings.TrimSpace(text))) }
