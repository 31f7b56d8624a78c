package trace

import (
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// platform reads an object of Dify or n8n, whose keys are names of tools, and reports whether the object is one.
func (r *reader) platform(n *node, s scope) bool {
	event := n.TextOf("event")
	runs, _ := n.Get("runData")
	answer, ok := n.Get("answer")
	switch {
	case difyThought(n):
		r.format("dify")
		r.difyThought(n, s)
	case (event == "agent_message" || event == "message") && ok && answer.Kind == '"':
		r.format("dify")
		r.append("dify text", Text, answer)
	case event == "message_end" && r.blocks["dify text"] != nil:
		r.complete("dify text")
	case runs.Kind == '{':
		r.format("n8n")
		r.nodeRuns(runs, s)
	default:
		return false
	}
	return true
}

func difyThought(n *node) bool {
	marks := 0
	for _, key := range []string{"position", "thought", "tool_labels", "message_id"} {
		if has(n, key) {
			marks++
		}
	}
	return marks > 1 && has(n, "tool_input")
}

// difyThought reads a step of Dify: a text, calls, and their results. The names of several tools are in one text, with
// semicolons. A stream repeats the step when more of it is known.
func (r *reader) difyThought(n *node, s scope) {
	r.complete("dify text")
	thought, _ := n.Get("thought")
	tools := strings.FieldsFunc(n.TextOf("tool"), func(c rune) bool { return c == ';' })
	if text := strings.TrimSpace(thought.Text); text != "" && !r.knows(text) {
		kind := Text
		if len(tools) > 0 {
			kind = Thought
		}
		r.emit(&Item{Kind: kind, Text: thought.Text, Span: spanOf(thought)}, s)
	}
	if input, _ := n.Get("tool_input"); len(tools) == 0 && !Blank(unquoted(input)) && len(unquoted(input).Members) > 0 {
		r.refuse(n, "call without a name or arguments")
	}
	for _, tool := range tools {
		item := &Item{Kind: Call, Tool: tool, ID: strings.TrimSpace(n.TextOf("id") + " " + tool), Span: spanOf(n), asked: true}
		if v := r.partOfTool(n, "tool_input", tool, len(tools)); v != nil {
			item.setArguments(r.arguments(v))
		}
		r.emit(item, s)
		if v := r.partOfTool(n, "observation", tool, len(tools)); v != nil && !Blank(v) {
			text, value := r.resultText(v)
			r.emit(&Item{Kind: Result, Tool: tool, ID: item.ID, Text: text, Value: value, Span: spanOf(v)}, s)
		}
	}
}

// partOfTool returns the part of a member that belongs to one of several tools, or nil.
func (r *reader) partOfTool(n *node, key, tool string, tools int) *node {
	whole, _ := n.Get(key)
	v, ok := unquoted(whole).Get(tool)
	switch {
	case ok:
		return v
	case Blank(whole) && whole.Kind != '{':
		return nil
	case tools > 1:
		r.refuse(whole, "one value of several calls")
		return nil
	}
	return whole
}

// nodeRun is the run of a node of n8n.
type nodeRun struct {
	name, time string
	n          *node
}

// nodeRuns reads the runs of the nodes of an execution of n8n in the order of their times. A node that an agent uses
// as a tool is a call; of the other nodes, the input of a chat and the answers are read.
func (r *reader) nodeRuns(n *node, s scope) {
	var runs []nodeRun
	tools := false
	for _, m := range n.Members {
		for _, run := range m.Value.Items {
			start, _ := run.Get("startTime")
			runs = append(runs, nodeRun{m.Key, seconds(start), run})
			tools = tools || len(nodeData(run, "ai_tool")) > 0
		}
	}
	sort.SliceStable(runs, func(i, j int) bool { return before(runs[i].time, runs[j].time) })
	var answers []later
	for _, run := range runs {
		s.time = run.time
		list, known := nodeData(run.n, "ai_tool"), nodeKnown(run.n)
		if !known || len(list) > 0 {
			r.nodeTool(run, list, s)
			continue
		}
		for _, item := range nodeData(run.n, "main") {
			for _, m := range item.Members {
				switch {
				case m.Key == "output" || m.Key == "intermediateSteps" && !tools:
					answers = append(answers, later{m, scope{key: m.Key}})
				case m.Key == "chatInput":
					r.member(m, s)
				}
			}
		}
	}
	r.reply(answers)
}

// nodeTool reads the run of a node as a tool. The first of the items is the input, if it is recorded.
func (r *reader) nodeTool(run nodeRun, list []*node, s scope) {
	if len(list) == 0 {
		r.refuse(run.n, "run of a node without its data")
		return
	}
	override, _ := run.n.Get("inputOverride")
	input, output := (*node)(nil), list[len(list)-1]
	if has(override, "ai_tool") {
		if input = list[0]; input == output {
			output = nil
		}
		if v, ok := input.Get("query"); ok && len(input.Members) == 1 {
			input = v
		}
	}
	call := r.execute(run.name, "", input, nil, false, spanOf(run.n), s)
	fault, _ := run.n.Get("error")
	switch {
	case faultText(fault) != "":
		r.executed(call, &node{Kind: '"', At: fault.At, Text: faultText(fault)}, true, spanOf(fault), s)
	case output != nil:
		if v, ok := output.Get("response"); ok && len(output.Members) == 1 {
			output = v
		}
		r.executed(call, output, false, spanOf(output), s)
	}
}

// nodeKnown reports whether the data of a node's run belong to known connections, and a tool has data.
func nodeKnown(run *node) bool {
	data, _ := run.Get("data")
	return !slices.ContainsFunc(data.Members, func(m json.Member) bool {
		return m.Key != "main" && !strings.HasPrefix(m.Key, "ai_") || m.Key == "ai_tool"
	})
}

// nodeData returns the items of a connection of a node's run: of its input, and of its output.
func nodeData(run *node, connection string) (items []*node) {
	for _, key := range []string{"inputOverride", "data"} {
		v, _ := run.Get(key)
		lists, _ := v.Get(connection)
		for _, list := range lists.Items {
			for _, item := range list.Items {
				if v, ok := item.Get("json"); ok {
					items = append(items, v)
				}
			}
		}
	}
	return items
}

// steps returns the steps of LangChain's executor as objects: Python writes them as pairs of an action and a result.
func steps(items []*node) []*node {
	if len(items) == 0 || items[0].Kind != '[' {
		return items
	}
	out := make([]*node, len(items))
	for i, item := range items {
		if out[i] = item; item.Kind == '[' && len(item.Items) == 2 && has(item.Items[0], "tool") {
			out[i] = &node{Kind: '{', At: item.At, Members: []json.Member{{Key: "action", At: item.At, Value: item.Items[0]}, {Key: "observation", At: item.At, Value: item.Items[1]}}}
		}
	}
	return out
}
