package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Formats of published data sets whose actions are texts, which no table of keys describes.

// published reads a run of SWE-agent or of Who&When, and reports whether the object is one.
func (r *reader) published(n *node, s scope) bool {
	if r.list != nil {
		return false
	}
	history, _ := n.Get("history")
	trajectory, _ := n.Get("trajectory")
	switch {
	case listOf(trajectory, "action", "observation") || trajectory.Kind != '[' && actionHistory(history):
		r.format("swe-agent")
		r.twice(n)
		r.begin()
		if !r.commands(history, trajectory, s) {
			r.trajectory(history, trajectory)
		}
		r.known(n, " history trajectory ", " environment info replay_config instance_id problem_statement config trajectory_format ")
	case has(n, "mistake_agent") && has(n, "mistake_step") && !listOf(history, "role", "content"):
		r.refuse(n, "history without roles and contents")
		return true
	case has(n, "mistake_agent") && has(n, "mistake_step"):
		r.format("who-when")
		r.twice(n)
		r.begin()
		r.blamed(n, history)
		r.known(n, " history question system_prompt ", " is_correct is_corrected question_ID level ground_truth mistake_agent mistake_step mistake_reason mistake_type labels ")
	default:
		return false
	}
	r.start = r.length()
	return true
}

// listOf reports whether a value is a list of objects in which each key has a text, a list or null.
func listOf(n *node, keys ...string) bool {
	for _, item := range n.Items {
		for _, key := range keys {
			if v, ok := item.Get(key); !ok || v.Kind != '"' && v.Kind != '[' && v.Kind != 'n' {
				return false
			}
		}
	}
	return n.Kind == '[' && len(n.Items) > 0
}

// actionHistory reports whether a list has messages of SWE-agent, which name their kind.
func actionHistory(n *node) bool {
	return listOf(n, "role", "content") && slices.ContainsFunc(n.Items, func(m *node) bool { return has(m, "action") && has(m, "message_type") })
}

// known records as unread each member that is neither read nor ignored, unless it has no text.
func (r *reader) known(n *node, read, ignored string) {
	for _, m := range n.Members {
		if !Word(read, m.Key) && !Word(ignored, m.Key) && !Blank(m.Value) && !figures(m.Value) {
			r.refuse(m.Value, "unknown key %q", shorten(m.Key))
		}
	}
}

// add adds an item to the end of the run, without a search for its repetitions.
func (r *reader) add(kind string, at *node, text string) *Item {
	item := &Item{Kind: kind, Text: text, Span: spanOf(at)}
	r.cur.insert(len(r.cur.items), item)
	return item
}

// answered adds a call with its result; an unknown result is nil.
func (r *reader) answered(tool, agent string, at, arguments, result *node, text string) {
	call := r.add(Call, at, "")
	call.Tool, call.Agent, call.ID = tool, agent, fmt.Sprintf("step %d", len(r.cur.items))
	call.setArguments(arguments)
	r.cur.known(call)
	if result != nil {
		item := r.add(Result, result, text)
		item.Tool, item.ID, item.Value = tool, call.ID, quoted(text)
		r.cur.known(item)
	}
}

// commands reads the messages of SWE-agent if they have a call with arguments for each command.
func (r *reader) commands(history, trajectory *node, s scope) bool {
	calls := 0
	for _, m := range history.Items {
		if v, _ := m.Get("tool_calls"); !demonstration(m) {
			calls += len(v.Items)
		}
	}
	for _, step := range trajectory.Items {
		if action, _ := step.Get("action"); !Blank(action) {
			calls--
		}
	}
	if calls < 0 || trajectory.Kind != '[' && calls == 0 {
		return false
	}
	list := &node{Kind: '[', At: history.At}
	for _, m := range history.Items {
		if demonstration(m) {
			continue
		}
		out := &node{Kind: '{', At: m.At}
		for _, member := range m.Members {
			switch member.Key {
			case "thought", "action", "message_type", "agent": // they repeat the content and the call
				continue
			case "tool_call_ids":
				if len(member.Value.Items) == 1 {
					member.Key, member.Value = "tool_call_id", member.Value.Items[0]
				}
			}
			out.Members = append(out.Members, member)
		}
		list.Items = append(list.Items, out)
	}
	s.key = "history"
	r.array(list, s)
	return true
}

// demonstration reports whether a message of SWE-agent is an example of another run.
func demonstration(m *node) bool {
	v, _ := m.Get("is_demo")
	return v.Kind == 't' || m.TextOf("message_type") == "demonstration"
}

// sweTools are the commands that SWE-agent's tools define, in its versions to 1.1.
const sweTools = " open goto scroll_up scroll_down create edit insert set_cursors undo_edit find_file search_file search_dir filemap submit str_replace_editor view_image " +
	"decompile disassemble debug_start debug_add_breakpoint debug_continue debug_step debug_exec debug_stop connect_start connect_sendline connect_exec connect_stop " +
	"exit_cost exit_context exit_format exit_error exit_forfeit do_nothing open_site close_site screenshot_site click_mouse double_click_mouse move_mouse drag_mouse type_text " +
	"press_keys_on_page scroll_on_page navigate_back navigate_forward reload_page execute_script_on_page get_console_output set_browser_window_size wait_time "

// commandTool returns the tool of a command: its first word, or bash, as SWE-agent calls other commands
// where the model writes calls.
func commandTool(command string) string {
	word, _, _ := strings.Cut(command, "\n")
	word, _, _ = strings.Cut(word, " ")
	if Word(sweTools, word) {
		return word
	}
	return "bash"
}

// trajectory reads the steps of SWE-agent: the thought, the command and its output.
func (r *reader) trajectory(history, trajectory *node) {
	for _, m := range history.Items {
		role := roleKinds[norm(m.TextOf("role"))]
		if role == isModel && !demonstration(m) {
			break
		}
		if content, _ := m.Get("content"); !demonstration(m) && (role == User || role == System) {
			text, _ := resultText(content, 0)
			r.add(role, m, text)
		}
	}
	steps := trajectory.Items
	if trajectory.Kind != '[' {
		steps = history.Items
	}
	for _, step := range steps {
		action, _ := step.Get("action")
		if demonstration(step) || trajectory.Kind != '[' && action.Kind != '"' {
			continue
		}
		thought := step.TextOf("thought")
		command := strings.TrimSpace(action.Text)
		if command == "" { // the model wrote no command
			if thought == "" {
				thought = step.TextOf("response")
			}
			r.add(Text, step, thought)
			continue
		}
		if thought != "" {
			r.add(Thought, step, thought)
		}
		observation, ok := step.Get("observation")
		if !ok {
			observation = nil
		}
		text := ""
		if ok {
			text = observation.Text
		}
		r.answered(commandTool(command), "", action, object(json.Member{Key: "command", At: action.At, Value: action}), observation, text)
	}
	for _, step := range steps {
		r.known(step, " action observation thought response ", " state messages query extra_info execution_time role content agent message_type tool_calls tool_call_ids thinking_blocks ")
	}
}

// blamed reads the messages of Who&When. Agents are their roles, or their names: a role such as
// "Orchestrator (-> WebSurfer)" calls another agent, whose message is the result, and "(thought)" is
// reasoning. Computer_terminal executes the code in the message before it.
func (r *reader) blamed(n, history *node) {
	if question, ok := n.Get("question"); ok && history.Items[0].TextOf("role") != "human" {
		r.add(User, question, question.Text)
	}
	var before *node
	open := ""
	for _, m := range history.Items {
		r.known(m, " role name content ", "")
		content, _ := m.Get("content")
		role, agent := m.TextOf("role"), m.TextOf("name")
		name, note, _ := strings.Cut(role, " (")
		if agent == "" {
			agent = name
		}
		to, calls := strings.CutPrefix(strings.TrimSuffix(note, ")"), "-> ")
		switch {
		case role == "human":
			r.add(User, content, content.Text)
		case calls && to != "":
			r.answered(to, name, content, object(json.Member{Key: "request", At: content.At, Value: content}), nil, "")
			open = to
		case note == "thought)":
			r.add(Thought, content, content.Text).Agent = name
		case agent == open && open != "":
			call := r.cur.items[len(r.cur.items)-1]
			for i := len(r.cur.items) - 1; call.Kind != Call; i-- {
				call = r.cur.items[i]
			}
			item := r.add(Result, content, content.Text)
			item.Tool, item.ID, item.Agent, item.Value = call.Tool, call.ID, agent, quoted(content.Text)
			r.cur.known(item)
			open = ""
		case agent == "Computer_terminal":
			code := quoted("")
			if before != nil {
				code = &node{Kind: '"', Text: strings.Join(codeBlocks(before.Text), "\n"), At: before.At}
			}
			r.answered(agent, "", content, object(member("code", code)), content, content.Text)
		default:
			r.add(Text, content, content.Text).Agent = agent
		}
		before = content
	}
}

// codeBlocks returns the texts between lines of three backquotes.
func codeBlocks(text string) (out []string) {
	parts := strings.Split(text, "```")
	for i := 1; i < len(parts); i += 2 {
		_, code, _ := strings.Cut(parts[i], "\n")
		out = append(out, strings.TrimSpace(code))
	}
	return out
}
