package trace

import "strings"

// Aliases of the keys by which formats name the parts of calls and results. The first one that
// an object has is read.
const (
	nameKeys     = "function_name functionName name tool_name toolName toolCallName recipient_name action_name actionName tool function"
	argumentKeys = "arguments args input parameters params kwargs tool_input toolInput tool_args toolArgs tool_kwargs action_input actionInput rawInput function_args tool_arguments toolArguments tool_parameters toolParameters action_params action_args params_as_json inputParameters input_parameters"
	callIDKeys   = "call_id callId tool_call_id toolCallId tool_use_id toolUseId invocation_id source_call_id tool_id callID ref id"
	resultIDKeys = "call_id callId tool_call_id toolCallId tool_use_id toolUseId source_call_id tool_id callID ref id"
	resultKeys   = "output result response content blocks observation return_value returnValue tool_return tool_output rawOutput outputs errorText error value responseData result_value text"
	innerKeys    = "function custom functionCall function_call toolUse tool_use toolCall tool_call toolInvocation toolRequest payload call"
	contentKeys  = "content parts text message value contents body items blocks segments"
	thoughtKeys  = "reasoning_content reasoning thinking reasoningText thought reasoning_text"
	callsKeys    = "tool_calls toolCalls function_call functionCall tool_call toolInvocations tool_uses toolExecutionRequests"
	typeKeys     = "type part_kind kind $class _type __class__ event messageType message_type event_kind block_type content_type $type"
	agentKeys    = "collaboratorName current_agent_name author agent_role"
	messageIDs   = "id messageId message_id trackingId uuid"
)

// kinds of values.
const (
	isUser    = "user"
	isSystem  = "system"
	isText    = "text"    // of the model
	isThought = "thought" // of the model
	isCall    = "call"
	isResult  = "result"
	isModel   = "model"   // a message of the model
	isMessage = "message" // with a role
	isMedia   = "media"
	isMark    = "mark" // of a step, without content
	isDelta   = "delta"
)

// roleKinds are the kinds of messages, by role.
var roleKinds = map[string]string{
	"system": isSystem, "developer": isSystem, "user": isUser, "human": isUser, "tool": isResult, "function": isResult, "environment": isResult, "observation": isResult,
	"toolresult": isResult, "assistant": isModel, "model": isModel, "ai": isModel, "bot": isModel, "toolcalls": isModel, "toolcallresult": isResult, "chatbot": isModel, "agent": isModel, "gpt": isModel,
}

// typeKinds are the kinds of values, by type: in lower case, letters and digits only.
var typeKinds = words(map[string]string{
	isUser:    "human humanmessage humanmessagechunk usermessage userprompt userpromptpart userpromptcontent userinput useritem",
	isModel:   "ai aimessage aimessagechunk assistantmessage modelresponse assistantitem agentmessage toolcallsummarymessage",
	isSystem:  "systemmessage systemprompt systempromptpart developermessage systemmessagechunk",
	isText:    "text inputtext outputtext textpart textblock refusal markdown summarytextpart textcontent",
	isThought: "thinking reasoning summarytext reasoningtext redactedthinking reasoningmessage hiddenreasoningmessage thoughtevent thinkingpart thinkingblock reasoningpart reasoningitem agentreasoning reasoningcontent thought",
	isMessage: "message chatmessage textmessage multimodalmessage structuredmessage stopmessage handoffmessage",
	isMedia:   "image imageurl inputimage document file inputfile inputaudio video audio outputaudio blob uri media imageblock data sourceurl sourcedocument source inlinedata",
	isMark: "mcplisttools stepstart stepfinish startstep finishstep start finish custom runstarted runfinished stepstarted stepfinished messagecreation ping messagestop messagedelta " +
		"redactedreasoning reasoningsignature textend textmessageend reasoningend toolcallend reasoningmessageend thinkingtextmessageend thinkingend thinkingstart reasoningstart reasoningmessagestart thinkingtextmessagestart",
})

func words(lists map[string]string) map[string]string {
	out := map[string]string{}
	for kind, list := range lists {
		for _, word := range strings.Fields(list) {
			out[word] = kind
		}
	}
	return out
}

// norm returns the lower-case letters and digits of a name.
func norm(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			return c
		}
		return -1
	}, name)
}

// kindOfType returns the kind of values of a type, or "".
func kindOfType(name string) string {
	n := norm(name)
	if kind := typeKinds[n]; kind != "" {
		return kind
	}
	if strings.HasSuffix(n, "event") {
		return ""
	}
	if n == "submittooloutputs" { // of a run that waits for them
		return ""
	}
	for _, part := range []string{"toolresult", "callresult", "functionresult", "calloutput", "functionresponse", "toolreturn", "toolresponse", "callresponse", "toolmessage", "tooloutput", "retryprompt", "executionresult"} {
		if strings.Contains(n, part) {
			return isResult
		}
	}
	switch {
	case strings.HasPrefix(name, "tool-") || n == "dynamictool" || n == "handoff":
		return isCall
	case n == "toolcalls" || strings.HasSuffix(n, "list") || strings.Contains(n, "listtools") || strings.HasSuffix(n, "request") && !strings.HasPrefix(n, "tool") || strings.Contains(n, "event"):
		return ""
	}
	for _, part := range []string{"toolcall", "tooluse", "functioncall", "toolinvocation", "toolrequest", "codeinterpreter"} {
		if strings.Contains(n, part) {
			return isCall
		}
	}
	if strings.HasSuffix(n, "call") && len(n) > len("call") {
		return isCall
	}
	return ""
}

// Directions of the members of a document: requests before replies.
const (
	inKeys  = " system system_prompt systemPrompt instructions systemInstruction system_instruction config request input inputs prompt question query messages contents conversation history traj automaticFunctionCallingHistory chat_history input_messages system_instructions "
	outKeys = " response output outputs completion choices candidates output_messages result generations answer final_answer finalOutput final_output output_text text reply final_response finalResponse "
)

// userKeys and answerKeys are the members of a document that are a task and an answer if they are texts.
const (
	userKeys   = " input question query prompt user_input task user_message userMessage user_msg goal chatInput "
	answerKeys = " output answer final_answer finalAnswer final_output finalOutput output_text text reply response completion finalContent "
	systemKeys = " system system_prompt systemPrompt instructions systemInstruction system_instruction system_instructions gen_ai.system_instructions "
)

// actionKeys are the members whose words may be actions.
const actionKeys = " action actions tool command commands function next_action tool_name toolName tool_code function_name functionName "
