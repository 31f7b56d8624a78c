package monitor

import (
	"strconv"
	"strings"
)

// known is what the conversations of a trace have, so far.
type known struct {
	parts map[string]int // how often each part occurs
	calls map[string]int // how often each tool is called
	lists [][]string     // the parts of each conversation
}

// partKey is what two parts that record the same have in common.
func partKey(p Part) string { return p.Kind + "\x00" + p.Tool + "\x00" + p.ID + "\x00" + p.Text }

// judged returns the spans whose conversations are judged, in their order. Left out is a
// conversation that another of the same trace has in it: one that it begins with, and
// one of which every part is in another, if its calls have identifiers or its span has
// the other's in it.
func (s *spans) judged() []*otlpSpan {
	traces := map[string]*known{}
	keep := map[*otlpSpan]bool{}
	for _, outer := range []bool{false, true} {
		for i := len(s.list) - 1; i >= 0; i-- {
			span := s.list[i]
			if len(span.parts) == 0 || span.inner != outer {
				continue
			}
			k := traces[span.trace]
			if k == nil {
				k = &known{parts: map[string]int{}, calls: map[string]int{}}
				traces[span.trace] = k
			}
			keep[span] = !k.has(span.parts, outer)
			if keep[span] {
				k.add(span.parts)
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

func (k *known) add(parts []Part) {
	list := make([]string, len(parts))
	for i, p := range parts {
		list[i] = partKey(p)
		k.parts[list[i]]++
		if p.Kind == PartCall {
			k.calls[p.Tool]++
			k.calls[p.Tool+"\x00"+p.ID]++
		}
	}
	k.lists = append(k.lists, list)
}

// has reports whether conversations have all parts of another.
func (k *known) has(parts []Part, outer bool) bool {
	within, calls := true, 0
	for _, p := range parts {
		within = within && (k.parts[partKey(p)] > 0 || p.Kind == PartSystem)
		if p.Kind == PartCall {
			calls++
			within = within && p.ID != ""
		}
	}
	if within && (outer || calls > 0) {
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

// tool returns the tool that a span executes.
func (s *otlpSpan) tool() (string, bool) {
	if name, ok := s.attributes["gen_ai.tool.name"]; ok {
		return name.Text, true
	}
	return strings.CutPrefix(s.TextOf("name"), "execute_tool ")
}

// executed refuses spans of tools whose calls no conversation has: they were called.
func (s *spans) executed(judged []*otlpSpan) {
	traces := map[string]*known{}
	for _, span := range judged {
		if traces[span.trace] == nil {
			traces[span.trace] = &known{parts: map[string]int{}, calls: map[string]int{}}
		}
		traces[span.trace].add(span.parts)
	}
	for _, span := range s.list {
		tool, ok := span.tool()
		if !ok {
			continue
		}
		key := tool
		id, identified := span.attributes["gen_ai.tool.call.id"]
		if identified {
			key += "\x00" + id.Text
		}
		k := traces[span.trace]
		if k == nil || k.calls[key] == 0 {
			s.refuse(span.node, "call of %q that no conversation has", shorten(tool))
			continue
		}
		if !identified {
			k.calls[key]--
		}
	}
}

// operations are those of spans that have no action of their own.
const operations = " embeddings create_agent agent_step invoke_workflow plan "

// modelOperations are those of spans in which a model answers.
const modelOperations = " chat text_completion generate_content invoke_agent "

// missing refuses spans that may be actions and say too little, or nothing that is
// known.
func (s *spans) missing() {
	for _, span := range s.list {
		operation, known := span.attributes["gen_ai.operation.name"]
		_, tool := span.tool()
		name := strconv.Quote(shorten(span.TextOf("name")))
		switch {
		case tool:
			if t, _ := span.tool(); t == "" || known && operation.Text != "execute_tool" {
				s.refuse(span.node, "span of a tool without its name, or of another operation")
			}
		case known && word(modelOperations, operation.Text):
			if !span.messages && !span.inner {
				s.refuse(span.node, "span %s without messages", name)
			} else if span.messages && !span.answered() {
				s.refuse(span.node, "span %s without the reply", name)
			}
		case known && word(operations, operation.Text), !known && span.messages:
		case known:
			s.refuse(span.node, "unknown operation %q", shorten(operation.Text))
		case !span.transport():
			s.refuse(span.node, "span %s is not understood", name)
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
		return true // events, of which a reply is one
	}
	_, ok := s.attributes[messageKeys[2]]
	return ok
}

// transport reports whether a span is of a request over a network, which is no action
// of an agent by itself.
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

// calls returns the calls of tools, where no span has messages.
func (s *spans) calls() []Conversation {
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
		c.add(PartCall, tool, id, arguments.Text, span.node)
		if result, ok := span.attributes["gen_ai.tool.call.result"]; ok {
			c.add(PartResult, tool, id, result.Text, span.node)
		}
	}
	if len(c.parts) == 0 {
		return nil
	}
	return []Conversation{{Parts: c.parts}}
}
