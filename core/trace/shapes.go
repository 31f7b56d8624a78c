package trace

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// shapes are rows for objects whose keys have a meaning of their own, by format. A row has the format, the
// kind of item, conditions, and paths. All rows whose conditions hold apply to an object. In a condition,
// * is any value, and no value is a missing one; | separates alternatives. A path without a dot is a text.
// The paths of "ignore" are not read. The kind "execution" is a call of which another record may exist.
const shapes = `
bedrock-agents call .actionGroupInvocationInput.function=* tool=.actionGroupInvocationInput.function arguments=.actionGroupInvocationInput.parameters id=.actionGroupInvocationInput.invocationId|.traceId
bedrock-agents call .actionGroupInvocationInput.apiPath=* tool=.actionGroupInvocationInput.apiPath arguments=.actionGroupInvocationInput id=.actionGroupInvocationInput.invocationId|.traceId
bedrock-agents call .codeInterpreterInvocationInput=* tool=code_interpreter arguments=.codeInterpreterInvocationInput id=.traceId
bedrock-agents call .knowledgeBaseLookupInput=* tool=knowledge_base arguments=.knowledgeBaseLookupInput id=.traceId
bedrock-agents call .agentCollaboratorInvocationInput=* tool=.agentCollaboratorInvocationInput.agentCollaboratorName arguments=.agentCollaboratorInvocationInput.input id=.traceId
bedrock-agents execution .functionInvocationInput=* tool=.functionInvocationInput.function arguments=.functionInvocationInput.parameters
bedrock-agents execution .apiInvocationInput=* tool=.apiInvocationInput.apiPath arguments=.apiInvocationInput
bedrock-agents unread .invocationType=* .actionGroupInvocationInput= .codeInterpreterInvocationInput= .knowledgeBaseLookupInput= .agentCollaboratorInvocationInput=
bedrock-agents result .actionGroupInvocationOutput=* id=.traceId text=.actionGroupInvocationOutput.text
bedrock-agents result .codeInterpreterInvocationOutput=* id=.traceId text=.codeInterpreterInvocationOutput.executionOutput|.codeInterpreterInvocationOutput error=.codeInterpreterInvocationOutput.executionError
bedrock-agents result .knowledgeBaseLookupOutput=* id=.traceId text=.knowledgeBaseLookupOutput
bedrock-agents result .agentCollaboratorInvocationOutput=* id=.traceId text=.agentCollaboratorInvocationOutput.output.text|.agentCollaboratorInvocationOutput
bedrock-agents result .functionResult=* tool=.functionResult.function text=.functionResult.responseBody.TEXT.body|.functionResult.responseBody error=.functionResult.responseState
bedrock-agents result .apiResult=* tool=.apiResult.apiPath text=.apiResult.responseBody error=.apiResult.responseState
bedrock-agents text .finalResponse.text=* text=.finalResponse.text
bedrock-agents thought .traceId=* .text=* .type= .spanId= text=.text
bedrock-agents prompt .traceId=* .type=* .text=* .spanId= text=.text
bedrock-agents ignored .traceId=* .rawResponse=*
openhands user .action=message .source=user text=.args.content ignore=.message|.args
openhands text .action=message .source=agent text=.args.content ignore=.message|.args|.tool_call_metadata
openhands system .action=system .args=* text=.args.content ignore=.message|.args
openhands text .action=finish .source=agent text=.args.final_thought|.args.thought ignore=.message|.args|.tool_call_metadata
openhands ignored .action=null|change_agent_state|recall|condensation|condensation_request|loop_recovery .args=* .timestamp=*
openhands thought .action=* .action!=message|finish|system .source=agent text=.args.thought
openhands call .action=* .action!=message|finish|system .source=agent .args=* tool=.tool_call_metadata.function_name|.args.name|.action arguments=.args.arguments|.args id=.tool_call_metadata.tool_call_id|.id ignore=.message|.args|.tool_call_metadata
openhands ignored .observation=null|agent_state_changed|recall|condense|recall_failure .extras=*
openhands result .observation=* .observation!=null|agent_state_changed|recall|condense|recall_failure .extras=* tool=.tool_call_metadata.function_name id=.tool_call_metadata.tool_call_id|.cause text=.content ignore=.message|.extras|.tool_call_metadata error=.extras.error_id
openhands system .kind=SystemPromptEvent text=.system_prompt ignore=.tools|.dynamic_context
openhands user .kind=MessageEvent .source=user text=.llm_message.content ignore=.extended_content
openhands thought .kind=MessageEvent .source=agent text=.llm_message.reasoning_content
openhands text .kind=MessageEvent .source=agent text=.llm_message.content
openhands thought .kind=ActionEvent text=.reasoning_content
openhands thought .kind=ActionEvent text=.thought
openhands call .kind=ActionEvent tool=.tool_name id=.tool_call_id arguments=.tool_call.arguments|.tool_call.function.arguments|.action ignore=.tool_call|.action|.thinking_blocks|.responses_reasoning_item|.reasoning_details|.summary
openhands result .kind=ObservationEvent tool=.tool_name id=.tool_call_id text=.observation.content|.observation.output|.observation error=.observation.is_error ignore=.observation|.extended_content
openhands result .kind=AgentErrorEvent tool=.tool_name id=.tool_call_id text=.error error=.error
openhands result .kind=UserRejectObservation tool=.tool_name id=.tool_call_id text=.rejection_reason error=.rejection_reason
openhands ignored .kind=ConversationStateUpdateEvent|TokenEvent|StreamingDeltaEvent|LLMCompletionLogEvent|PauseEvent|Condensation|CondensationRequest|CondensationSummaryEvent .timestamp=*
llamaindex execution .tool_kwargs=* .tool_output=* tool=.tool_name id=.tool_id arguments=.tool_kwargs
llamaindex result .tool_kwargs=* .tool_output=* tool=.tool_name id=.tool_id text=.tool_output.content|.tool_output.blocks|.tool_output.raw_output|.tool_output error=.tool_output.is_error ignore=.tool_output
llamaindex execution .raw_input=* .raw_output=* .tool_name=* tool=.tool_name arguments=.raw_input.kwargs|.raw_input ignore=.raw_input
llamaindex result .raw_input=* .raw_output=* .tool_name=* tool=.tool_name text=.content|.blocks|.raw_output error=.is_error ignore=.raw_output
llamaindex unread .raw_input=* .raw_output=* .tool_name=
llamaindex ignored .delta=* .current_agent_name=*
langchain call .action.tool=* .observation=* tool=.action.tool id=.action.toolCallId|.action.tool_call_id arguments=.action.toolInput|.action.tool_input ignore=.action
langchain result .action.tool=* .observation=* tool=.action.tool id=.action.toolCallId|.action.tool_call_id text=.observation
dify execution .node_type=tool .finished_at=* tool=.title arguments=.inputs
dify result .node_type=tool .finished_at=* tool=.title text=.outputs|.error error=.error
dify unread .node_type=agent .finished_at=*
react thought .action=* .action_input=* text=.thought
react call .action=* .action_input=* tool=.action arguments=.action_input
react result .action=* .action_input=* .observation=* tool=.action text=.observation
langchain unread .action.toolInput=* .action.tool= .observation=*
langchain unread .action.tool_input=* .action.tool= .observation=*
react unread .action_input=* .action= .tool= .tool_name= .name=
copilot-studio execution .name=DynamicPlanStepTriggered tool=.value.taskDialogId id=.value.stepId ignore=.value.thought
copilot-studio execution .valueType=DynamicPlanStepTriggered .name= tool=.value.taskDialogId id=.value.stepId ignore=.value.thought
copilot-studio call .name=DynamicPlanStepBindUpdate tool=.value.taskDialogId id=.value.stepId arguments=.value.arguments
copilot-studio call .valueType=DynamicPlanStepBindUpdate .name= tool=.value.taskDialogId id=.value.stepId arguments=.value.arguments
copilot-studio result .name=DynamicPlanStepFinished tool=.value.taskDialogId id=.value.stepId text=.value.observation|.value.error|.value.state error=.value.error ignore=.value
copilot-studio result .valueType=DynamicPlanStepFinished .name= tool=.value.taskDialogId id=.value.stepId text=.value.observation|.value.error|.value.state error=.value.error ignore=.value
copilot-studio ignored .value.planIdentifier=* .valueType=DynamicPlanReceived|DynamicPlanReceivedDebug|DynamicPlanFinished
copilot-studio ignored .value.planIdentifier=* .name=DynamicPlanReceived|DynamicPlanReceivedDebug|DynamicPlanFinished
copilot-studio user .type=message .from.role=user|1 text=.text ignore=.text
copilot-studio text .type=message .from.role=bot|0 text=.text ignore=.text
rasa ignored .event=action .name=action_listen|action_session_start|action_restart|action_back|action_unlikely_intent .timestamp=*
rasa call .event=action .name=* .name!=action_listen|action_session_start|action_restart|action_back|action_unlikely_intent .timestamp=* tool=.name
rasa ignored .intent.name=* .entities=* .text=*
rasa user .event=user .text=* .timestamp=* text=.text ignore=.text|.parse_data
rasa text .event=bot .text=* .timestamp=* text=.text ignore=.text|.data
rasa ignored .event=slot|session_started|restart|rewind|reminder|active_loop|loop|form|followup|undo|pause|resume|user_featurization .timestamp=*
cline user .say=task .ts=* text=.text ignore=.text
cline text .say=completion_result|text .ts=* text=.text ignore=.text
cline call .ask=command .ts=* tool=execute_command arguments=.text
cline call .say=command .ts=* tool=execute_command arguments=.text
cline result .say=command_output .ts=* tool=execute_command text=.text
cline call .say=browser_action .ts=* tool=browser_action arguments=.text
cline result .say=browser_action_result .ts=* tool=browser_action text=.text ignore=.text
cline result .say=mcp_server_response .ts=* text=.text ignore=.text
opencode call .callID=* .state=* tool=.tool id=.callID arguments=.state.input
opencode result .callID=* .state.output=* id=.callID text=.state.output ignore=.state
opencode result .callID=* .state.error=* id=.callID text=.state.error error=.state.error ignore=.state
agno execution .event=ToolCallStarted|ToolCallCompleted|ToolCallError|TeamToolCallStarted|TeamToolCallCompleted|TeamToolCallError .tool.tool_name=* tool=.tool.tool_name id=.tool.tool_call_id arguments=.tool.tool_args ignore=.content|.tool
agno result .event=ToolCallCompleted|ToolCallError|TeamToolCallCompleted|TeamToolCallError .tool.tool_name=* id=.tool.tool_call_id text=.tool.result|.content error=.tool.tool_call_error ignore=.content|.tool
agno ignored .event=RunContent|TeamRunContent|RunIntermediateContent|TeamRunIntermediateContent .run_id=*
agno text .event=RunCompleted|TeamRunCompleted .run_id=* .content=* .messages= text=.content
camel call .func_name=* .args=* tool=.func_name id=.tool_call_id arguments=.args ignore=.content
camel result .func_name=* .result=* tool=.func_name id=.tool_call_id text=.result ignore=.content
camel user .role_type=user .role_name=* .func_name= text=.content
camel text .role_type=assistant .role_name=* .func_name= text=.content
chatgpt user .author.role=user .content=* text=.content.parts
chatgpt text .author.role=assistant .recipient=all .content=* text=.content.parts|.content.text
chatgpt call .author.role=assistant .recipient=* .recipient!=all .content=* tool=.recipient arguments=.content.text|.content.parts
chatgpt result .author.role=tool .author.name=* .content=* tool=.author.name text=.content.parts|.content.text|.content.result
copilot-chat execution .kind=toolInvocationSerialized|toolInvocation .toolCallId=* tool=.toolId id=.toolCallId ignore=.toolSpecificData|.resultDetails|.invocationMessage|.pastTenseMessage
copilot-chat ignored .kind=prepareToolInvocation|progressTask|progressTaskSerialized|mcpServersStarting|undoStop|codeblockUri .toolCallId=
posthog execution .event=$ai_span .properties.$ai_span_name=* tool=.properties.$ai_span_name arguments=.properties.$ai_input_state
posthog result .event=$ai_span .properties.$ai_span_name=* .properties.$ai_output_state=* tool=.properties.$ai_span_name text=.properties.$ai_output_state
amazon-q text .message_id=* .content=* .role= .type= .event= .tool_uses= text=.content
botpress user .direction=incoming .payload.text=* text=.payload.text
botpress text .direction=outgoing .payload.text=* text=.payload.text
dialogflow call .toolUse.inputActionParameters=* tool=.toolUse.action|.toolUse.displayName arguments=.toolUse.inputActionParameters ignore=.toolUse
dialogflow result .toolUse.outputActionParameters=* tool=.toolUse.action|.toolUse.displayName text=.toolUse.outputActionParameters ignore=.toolUse
dialogflow ignored .input.text.text=* .languageCode=*
dialogflow user .userUtterance.text=* text=.userUtterance.text
dialogflow text .agentUtterance.text=* text=.agentUtterance.text
toolsandbox user .sandbox_message_index=* .sender=RoleType.USER .recipient=RoleType.AGENT text=.content
toolsandbox call .sandbox_message_index=* .recipient=RoleType.EXECUTION_ENVIRONMENT tool=.openai_function_name id=.openai_tool_call_id arguments=.content
toolsandbox result .sandbox_message_index=* .sender=RoleType.EXECUTION_ENVIRONMENT .openai_function_name=* tool=.openai_function_name id=.openai_tool_call_id text=.content error=.tool_call_exception
toolsandbox text .sandbox_message_index=* .sender=RoleType.AGENT .recipient=RoleType.USER text=.content
nemo-guardrails user .type=UtteranceUserActionFinished .final_transcript=* text=.final_transcript
nemo-guardrails execution .type=StartInternalSystemAction|InternalSystemActionFinished tool=.action_name id=.action_uid arguments=.action_params
nemo-guardrails result .type=InternalSystemActionFinished .return_value=* id=.action_uid text=.return_value
claude-code user .hook_event_name=UserPromptSubmit .prompt=* text=.prompt
claude-code call .hook_event_name=PreToolUse .tool_name=* tool=.tool_name id=.tool_use_id arguments=.tool_input
claude-code execution .hook_event_name=PostToolUse|PostToolUseFailure .tool_name=* tool=.tool_name id=.tool_use_id arguments=.tool_input ignore=.tool_response
claude-code result .hook_event_name=PostToolUse|PostToolUseFailure .tool_name=* tool=.tool_name id=.tool_use_id text=.tool_response|.error error=.error
claude-code text .hook_event_name=Stop .last_assistant_message=* text=.last_assistant_message
a2a call .kind=data .data.name=* .data.args=* tool=.data.name id=.data.id arguments=.data.args
a2a result .kind=data .data.name=* .data.response=* tool=.data.name id=.data.id text=.data.response
acp call .sessionUpdate=tool_call .toolCallId=* tool=.title id=.toolCallId arguments=.rawInput ignore=.content|.locations
acp result .sessionUpdate=tool_call_update .status=completed|failed id=.toolCallId text=.rawOutput|.content ignore=.content|.rawInput|.title
acp ignored .sessionUpdate=tool_call_update .status=pending|in_progress .rawInput=
acp ignored .sessionUpdate=plan|available_commands_update|current_mode_update|usage_update|config_option_update
`

// shapeRows are the rows of [shapes], by the first key of their first condition.
var shapeRows = func() map[string][]*shapeRow {
	out := map[string][]*shapeRow{}
	for line := range strings.Lines(shapes) {
		if words := strings.Fields(line); len(words) > 2 {
			row := newShapeRow(words)
			out[row.where[0].path[0]] = append(out[row.where[0].path[0]], row)
		}
	}
	return out
}()

// shapeRow is a row of [shapes].
type shapeRow struct {
	format, kind string
	where        []shapeCondition
	paths        map[string][]path // alternatives, by key
	texts        map[string]string // by key
}

type shapeCondition struct {
	path  path
	not   bool
	texts string // between spaces; " * " is any value, "" a missing one
}

func newShapeRow(words []string) *shapeRow {
	row := &shapeRow{format: words[0], kind: words[1], paths: map[string][]path{}, texts: map[string]string{}}
	for _, word := range words[2:] {
		key, value, _ := strings.Cut(word, "=")
		switch list := strings.Split(value, "|"); {
		case key[0] == '.':
			c := shapeCondition{not: strings.HasSuffix(key, "!")}
			c.path = strings.Split(strings.TrimSuffix(key[1:], "!"), ".")
			if value != "" {
				c.texts = " " + strings.Join(list, " ") + " "
			}
			row.where = append(row.where, c)
		case value[0] != '.':
			row.texts[key] = value
		default:
			for _, p := range list {
				row.paths[key] = append(row.paths[key], strings.Split(p[1:], "."))
			}
		}
	}
	return row
}

func (c *shapeCondition) holds(n *node) bool {
	v := c.path.one(n)
	switch {
	case c.texts == "":
		return v == nil || v.Kind == 'n' || Blank(v) && v.Kind == '"'
	case v == nil:
		return false
	}
	return (c.texts == " * " && v.Kind != 'n' || v.Kind != '{' && Word(c.texts, v.Text)) != c.not
}

// applies reports whether all conditions of a row hold for an object.
func (row *shapeRow) applies(n *node) bool {
	return !slices.ContainsFunc(row.where, func(c shapeCondition) bool { return !c.holds(n) })
}

// value returns the first value at the paths of a key, or nil.
func (row *shapeRow) value(n *node, key string) *node {
	for _, p := range row.paths[key] {
		if v := p.one(n); v != nil && (v.Kind != '"' && v.Kind != '[' || !Blank(v)) && (v.Kind != 'f' || key != "error") {
			return v
		}
	}
	return nil
}

func (row *shapeRow) text(n *node, key string) string {
	if v := row.value(n, key); v != nil && v.Kind != '{' && v.Kind != '[' {
		return v.Text
	}
	return row.texts[key]
}

// shapesOf returns the rows of [shapes] that apply to an object.
func shapesOf(n *node) (rows []*shapeRow) {
	for _, m := range n.Members {
		for _, row := range shapeRows[m.Key] {
			if row.applies(n) {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// shaped reads an object by the rows of [shapes], and reports whether one applies.
func (r *reader) shaped(n *node, s scope) bool {
	var read []path
	rows := shapesOf(n)
	if len(rows) == 0 {
		return false
	}
	r.twice(n)
	s = r.documentScope(n, s)
	if r.list == nil {
		r.start = r.length()
	}
	for _, row := range rows {
		r.format(row.format)
		if row.kind == ignoredItem {
			return true
		}
		r.shape(row, n, s)
		for _, c := range row.where {
			read = append(read, c.path)
		}
		for key := range row.paths {
			read = append(read, row.paths[key]...)
		}
	}
	r.leftovers(n, read)
	return true
}

// shape reads the item that a row describes.
func (r *reader) shape(row *shapeRow, n *node, s scope) {
	text := row.value(n, "text")
	item := &Item{Kind: row.kind, Tool: row.text(n, "tool"), ID: row.text(n, "id"), Span: spanOf(n)}
	switch row.kind {
	case "unread":
		r.refuse(n, "unknown kind of call of %s", row.format)
	case "prompt":
		r.prompt(text, s)
	case Call, "execution":
		if item.Tool == "" {
			r.refuse(n, "call without a name or arguments")
			return
		}
		if row.format == "copilot-studio" { // its tools have their places before their names
			item.Tool = item.Tool[strings.LastIndexAny(item.Tool, ".:")+1:]
		}
		item.exec = row.kind != Call
		item.Kind, item.run, item.asked = Call, item.exec, !item.exec
		if v := row.value(n, "arguments"); v != nil {
			item.setArguments(r.arguments(withNames(v)))
		}
		r.emit(item, s)
	case Result:
		fault := row.value(n, "error")
		if text == nil {
			text = fault
		}
		item.exec = item.ID == ""
		item.Fault = fault != nil && fault.Text != "false"
		item.Value = quoted("")
		if text != nil {
			item.Text, item.Value = r.resultText(text)
			item.Span = spanOf(text)
		}
		r.emit(item, s)
	case Thought:
		if text != nil {
			item.Text, _ = resultText(text, 0)
			r.emit(item, s)
		}
	default:
		if text != nil {
			s.role = map[string]string{Text: isModel}[row.kind]
			if s.role == "" {
				s.role = row.kind
			}
			said, _ := resultText(text, 0)
			r.text(&node{Kind: '"', At: text.At, Text: said}, s)
		}
	}
}

// prompt reads the tasks in the prompt of a model of Bedrock, which has the messages in an own notation.
func (r *reader) prompt(text *node, s scope) {
	messages, _ := unquoted(text).Get("messages")
	for _, m := range messages.Items {
		said := strings.TrimSuffix(strings.TrimPrefix(m.TextOf("content"), "[{text="), "}]")
		if m.TextOf("role") == "user" && said != "" && !strings.HasPrefix(said, "[{") && !r.knows(said) {
			s.role = isUser
			r.text(&node{Kind: '"', At: text.At, Text: said}, s)
		}
	}
}

// leftovers refuses the members of an object that look like calls and that no path reads.
func (r *reader) leftovers(n *node, read []path) {
	for _, m := range n.Members {
		var inner []path
		whole := false
		for _, p := range read {
			if len(p) > 0 && p[0] == m.Key {
				whole = whole || len(p) == 1
				inner = append(inner, p[1:])
			}
		}
		switch v := m.Value; {
		case whole:
		case inner != nil:
			r.leftovers(v, inner)
		case v.Kind != '"' && Callish(v) || v.Kind == '"' && CallText(v.Text):
			r.refuse(v, "unknown key %q", shorten(m.Key))
		}
	}
}

// withNames returns a value in which lists of names with values are objects, as Bedrock writes parameters.
func withNames(n *node) *node {
	out := *n
	out.Text = ""
	switch {
	case n.Kind == '[' && listOf(n, "name", "value"):
		out.Kind, out.Items = '{', nil
		for _, item := range n.Items {
			v, _ := item.Get("value")
			if exact, fault := json.Tree(v.Text); fault == nil && Word(" number integer boolean ", item.TextOf("type")) {
				moveTo(exact, v.At)
				v = exact
			}
			out.Members = append(out.Members, json.Member{Key: item.TextOf("name"), At: item.At, Value: v})
		}
	case n.Kind == '{':
		out.Members = slices.Clone(n.Members)
		for i := range out.Members {
			out.Members[i].Value = withNames(out.Members[i].Value)
		}
	default:
		return n
	}
	return &out
}
