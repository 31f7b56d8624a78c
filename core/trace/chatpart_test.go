package trace

import (
	"testing"
)

func TestPartsOfGeminiAndBlocksOfBedrockAreRead(t *testing.T) {
	for text, want := range map[string]string{
		`[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"r","thought":true},{"text":"a"},{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"c2ln+/="},{"functionCall":{"id":"2","name":"g"}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}},{"functionResponse":{"id":"2","name":"g","response":{"a":1}}}]},{"role":"model","parts":[{"text":"","thoughtSignature":"eA=="},{"thoughtSignature":"eA=="},{"text":"b"}]}]`: `gemini: user=q|text=r|text=a|call(f#)={"a":1}|call(g#2)={}|result(f#)=x|result(g#2)={"a":1}|text=b`,
		`{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"q"},{"inlineData":{"mimeType":"image/png","data":"eA=="}}]}],"generationConfig":{"temperature":0,"thinkingConfig":{"includeThoughts":true}},"tools":[{"functionDeclarations":[{"name":"f","description":"d","parametersJsonSchema":{"type":"object"}}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},"safetySettings":[]}`:                                 `gemini: system=s|user=q`,
		`{"contents":[{"role":"user","parts":[{"text":"q"}]}],"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP","index":0,"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"NEGLIGIBLE"}]},{"content":{"role":"model","parts":[{"text":"b"}]}}],"usageMetadata":{"promptTokenCount":1,"promptTokensDetails":[{"modality":"TEXT","tokenCount":1}]},"modelVersion":"m","responseId":"r"}`:                                                     "gemini: user=q|text=a\nuser=q|text=b",
		`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}}]}`: `gemini: call(f#)={}`,

		`{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"r","signature":"c2ln"}}},{"reasoningContent":{"redactedContent":"eA=="}},{"text":"a"},{"toolUse":{"toolUseId":"1","name":"f","input":{"a":1}}},{"toolUse":{"toolUseId":"2","name":"g","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"1","content":[{"text":"x"},{"json":{"a":1}}],"status":"success"}},{"toolResult":{"toolUseId":"2","content":[]}}]}],"inferenceConfig":{"maxTokens":1},"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}],"toolChoice":{"tool":{"name":"f"}}}}`: "bedrock: system=s|user=q|text=r|text=a|call(f#1)={\"a\":1}|call(g#2)={}|result(f#1)=x\n{\"a\":1}|result(g#2)=",
		`{"output":{"message":{"role":"assistant","content":[{"text":"a"}]}},"stopReason":"end_turn","usage":{"inputTokens":1},"metrics":{"latencyMs":9}}`: `bedrock: text=a`,
		`[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"text":"a"}]}]`:                                                         `bedrock: user=q|text=a`,
		"{\"role\":\"user\",\"parts\":[{\"text\":\"q\"}]}\n{\"role\":\"model\",\"parts\":[{\"text\":\"a\"}]}\n":                                            `jsonl: user=q|text=a`,
	} {
		format, parts, unread := readTrace(t, text, "")
		if format+": "+parts != want || unread != "" {
			t.Errorf("%s:\n%s: %s\nnot %s; %s", text, format, parts, want, unread)
		}
	}
}

// A part that may be an action is never ignored.
func TestUnknownPartsAreUnread(t *testing.T) {
	model := func(part string) string {
		return `[{"role":"user","content":"q"},{"role":"model","parts":[` + part + `]}]`
	}
	block := func(block string) string {
		return `[{"role":"user","content":"q"},{"role":"assistant","content":[` + block + `]}]`
	}
	for text, want := range map[string]string{
		model(`3`): `[1].parts[0]: unexpected content`,
		model(`{"executableCode":{"language":"PYTHON","code":"rm()"}}`): `[1].parts[0]: part of unknown kind`,
		model(`{"inlineData":{"mimeType":"image/png","data":"eA=="}}`):  `[1].parts[0]: part of unknown kind`,
		model(`{}`):                                                                                             `[1].parts[0]: part of unknown kind`,
		model(`{"text":"a","thought":"f()"}`):                                                                   `[1].parts[0]: unexpected content`,
		model(`{"text":"a","thoughtSignature":"f()"}`):                                                          `[1].parts[0]: unexpected content`,
		model(`{"text":"a","functionCall":{"name":"f","args":{}}}`):                                             `[1].parts[0].functionCall: unknown key "functionCall"`,
		model(`{"functionCall":{"name":"f","args":{}},"text":"a"}`):                                             `[1].parts[0].text: unknown key "text"`,
		model(`{"functionCall":{"args":{}}}`):                                                                   `[1].parts[0].functionCall: call without a name or arguments`,
		model(`{"functionCall":{"name":"f","args":"x"}}`):                                                       `[1].parts[0].functionCall: call without a name or arguments`,
		model(`{"functionCall":{"name":"f","args":{"a":1,"a":2}}}`):                                             `[1].parts[0].functionCall.args.a: duplicate key "a"`,
		model(`{"functionCall":{"name":"f","args":{}, "partialArgs":[{"x":"y"}]}}`):                             `[1].parts[0].functionCall.partialArgs: unknown key "partialArgs"`,
		model(`{"functionCall":[]}`):                                                                            `[1].parts[0].functionCall: unexpected value of "functionCall"`,
		model(`{"functionCall":{"name":"f"}},{"functionResponse":{"name":"f"}}`):                                `[1].parts[1].functionResponse: missing key "response"`,
		model(`{"functionCall":{"name":"f"}},{"functionResponse":{"name":"f","response":{"functionCall":{}}}}`): `[1].parts[1].functionResponse.response: result that looks like a call`,
		model(`{"functionResponse":{"id":"1","name":"f","response":{}}}`):                                       `[1].parts[0].functionResponse.response: result of a call that is not in the trace`,
		`[{"role":"user","content":"q"},{"role":"model","parts":{"text":"a"}}]`:                                 `[1].parts: unexpected value of "parts"`,
		`[{"role":"user","content":"q"},{"role":"model","parts":[],"deed":"f"}]`:                                `[1].deed: unknown key "deed"`,
		`[{"role":"user","content":"q"},{"role":"boss","parts":[{"text":"a"}]}]`:                                `[1]: message with an unknown role "boss"`,
		`[{"role":"user","content":"q"},{"role":"function","parts":[{"text":"a"}]}]`:                            `[1].parts[0]: part of unknown kind`,
		`{"messages":[{"role":"user","content":"q"}],"contents":"q"}`:                                           `.contents: unexpected value of "contents"`,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"f()"}]}`:             `.candidates[0].finishReason: unexpected value of "finishReason"`,
		`{"messages":[{"role":"user","content":"q"}],"candidates":[{"deed":"f"}]}`:                              `.candidates[0]: missing key "content"; .candidates[0].deed: unknown key "deed"; : unexpected value in a list of messages`,

		block(`{"text":3}`):                                                     `[1].content[0].text: unexpected value of "text"`,
		block(`{"toolUse":"f"}`):                                                `[1].content[0]: block of unknown type ""`,
		block(`{"image":{}}`):                                                   `[1].content[0]: block of unknown type ""`,
		block(`{"text":"a","toolUse":{"name":"f"}}`):                            `[1].content[0].toolUse: unknown key "toolUse"`,
		block(`{"toolUse":{"toolUseId":"1","name":"f"}}`):                       `[1].content[0].toolUse: call without a name or arguments`,
		block(`{"toolUse":{"toolUseId":"1","name":"f","input":{},"deed":"x"}}`): `[1].content[0].toolUse.deed: unknown key "deed"`,
		block(`{"toolResult":{"toolUseId":"1","content":[]}}`):                  `[1].content[0].toolResult.content: result of a call that is not in the trace`,
		block(`{"toolUse":{"toolUseId":"1","name":"f","input":{}}},{"toolResult":{"toolUseId":"1","content":[{"video":{}}],"status":"f()"}}`): `[1].content[1].toolResult.content[0]: block of unknown type ""; [1].content[1].toolResult.status: unexpected value of "status"`,
		block(`{"reasoningContent":{"reasoningText":{"text":"a","deed":"x"},"redactedContent":"f()"}}`):                                       `[1].content[0].reasoningContent.reasoningText.deed: unknown key "deed"; [1].content[0].reasoningContent.redactedContent: unexpected value of "redactedContent"`,
		`{"output":{"message":{"role":"assistant","content":[{"text":"a"}]},"deed":"x"}}`:                                                     `.output.deed: unknown key "deed"`,
	} {
		_, _, unread := readTrace(t, text, "")
		if unread != want {
			t.Errorf("%s:\n%s\nnot %s", text, unread, want)
		}
	}
}
