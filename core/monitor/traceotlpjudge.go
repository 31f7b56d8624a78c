package monitor

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/trace"
)

// known are the parts and calls of a trace's conversations so far.
type known struct {
	parts map[string]int   // number of occurrences
	calls map[string]calls // by tool, and by tool and identifier
	lists [][]string       // the parts of each conversation
}

func newKnown() *known { return &known{parts: map[string]int{}, calls: map[string]calls{}} }

// partKey is equal for two records of the same part.
func partKey(p Part) string { return p.Kind + "\x00" + p.Tool + "\x00" + p.ID + "\x00" + p.Text }

// judged returns the spans whose conversations are judged, in their order. It leaves out a
// conversation that another one of the same trace contains: as a prefix, or part by part if
// all its calls have identifiers and it has a call or its span is an ancestor of spans with
// messages.
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
				k = newKnown()
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
			for _, key := range []string{p.Tool, callKey(p.Tool, p.ID)} {
				k.calls[key] = append(k.calls[key], p.Text)
			}
		}
	}
	k.lists = append(k.lists, list)
}

// has reports whether the conversations so far contain the parts: one conversation begins
// with them, or every part occurs, all calls have identifiers, and there is a call or outer
// is true.
func (k *known) has(parts []Part, outer bool) bool {
	within, called := true, false
	for _, p := range parts {
		within = within && (k.parts[partKey(p)] > 0 || p.Kind == PartSystem)
		if p.Kind == PartCall {
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
func (s *spans) missing() {
	for _, span := range s.list {
		operation, known := span.attributes["gen_ai.operation.name"]
		_, tool := span.tool()
		name := strconv.Quote(shorten(span.TextOf("name")))
		switch {
		case tool:
			if t, _ := span.tool(); t == "" || known && operation.Text != "execute_tool" {
				s.refuse(span.node, "span of a tool without a name, or with another operation")
			}
		case known && trace.Word(modelOperations, operation.Text):
			if !span.messages && !span.inner {
				s.refuse(span.node, "span %s without messages", name)
			} else if span.messages && !span.answered() {
				s.refuse(span.node, "span %s without the reply", name)
			}
		case known && trace.Word(operations, operation.Text), !known && span.messages:
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
