package llm

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

var (
	look   = Tool{Name: "look", Description: "Looks.", Parameters: []byte(`{"type":"object"}`)}
	asked  = []Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: "hi"}}
	called = append(slices.Clone(asked),
		Message{Role: "assistant", ToolCalls: []ToolCall{{ID: "c1", Name: "look", Arguments: `{"q":1}`}, {ID: "c2", Name: "look", Arguments: `{"q":`}}},
		Message{Role: "tool", ToolCallID: "c1", Content: "one"}, Message{Role: "tool", ToolCallID: "c2", Content: "two"})
)

// The golden cases list the body of each request.
func TestBodies(t *testing.T) {
	for _, c := range []struct {
		name string
		e    Endpoint
		r    Request
		url  string
		body string
	}{
		{"plain chat", Endpoint{}, Request{Messages: asked, Stop: []string{"1", "2", "3", "4", "5"}, MaxTokens: 9, Temperature: 0.5}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}],"stop":["1","2","3","4"],"max_tokens":9,"temperature":0.5,"stream":true,"stream_options":{"include_usage":true}}`},
		{"plain continuation", Endpoint{}, Request{Messages: asked[1:], Prefix: "[Act"}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"[Act"},{"role":"user","content":"Go on from exactly where your text ends. Do not repeat any of it and do not comment on it."}],"temperature":0,"stream":true,"stream_options":{"include_usage":true}}`},
		{"OpenAI", Endpoint{Server: "openai"}, Request{Messages: asked[1:], MaxTokens: 1, TopLogprobs: 3, Constraint: &Constraint{Choices: []string{"a", "b"}}}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"max_completion_tokens":4097,"temperature":0,"stream":true,"stream_options":{"include_usage":true},"logprobs":true,"top_logprobs":3,"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object","properties":{"choice":{"type":"string","enum":["a","b"]}},"required":["choice"],"additionalProperties":false}}}}`},
		{"tools", Endpoint{Server: "openai"}, Request{Messages: called, Tools: []Tool{look, {Name: "stop"}}, ToolChoice: "look"}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"},{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}},{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"q\":"}}]},{"role":"tool","content":"one","tool_call_id":"c1"},{"role":"tool","content":"two","tool_call_id":"c2"}],"temperature":0,"stream":true,"stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}},{"type":"function","function":{"name":"stop","parameters":{"type":"object","properties":{}}}}],"tool_choice":{"type":"function","function":{"name":"look"}}}`},
		{"Mistral", Endpoint{Server: "mistral"}, Request{Messages: asked[1:], Prefix: "[Act"}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"[Act","prefix":true}],"temperature":0,"stream":true}`},
		{"vLLM", Endpoint{Server: "vllm"}, Request{Messages: asked[1:], Prefix: "[Act", Stop: []string{"1", "2", "3", "4", "5"}, Constraint: &Constraint{Choices: []string{"a"}}}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"[Act"}],"stop":["1","2","3","4","5"],"temperature":0,"stream":true,"stream_options":{"include_usage":true},"structured_outputs":{"choice":["a"]},"continue_final_message":true,"add_generation_prompt":false}`},
		{"vLLM with a schema", Endpoint{Server: "vllm"}, Request{Messages: asked[1:], Constraint: &Constraint{Schema: []byte(`{}`)}}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"stream_options":{"include_usage":true},"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{}}}}`},
		{"llama.cpp", Endpoint{Server: "llamacpp"}, Request{Messages: asked[1:], Prefix: "[Act", Constraint: &Constraint{Choices: []string{"a\"\n", "ü"}}}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"[Act"}],"temperature":0,"stream":true,"stream_options":{"include_usage":true},"grammar":"root ::= \"a\\\"\\n\" | \"ü\""}`},
		{"completions", Endpoint{Format: FormatCompletions}, Request{Messages: asked, Prefix: "[Act", TopLogprobs: 2}, "/v1/completions",
			`{"model":"m","prompt":"be brief\n\nhi\n\n[Act","temperature":0,"stream":true,"stream_options":{"include_usage":true},"logprobs":2}`},
		{"completions of a dialogue", Endpoint{Format: FormatCompletions}, Request{Messages: append(slices.Clone(asked), Message{Role: "assistant", Content: "ho"}, Message{Role: "user", Content: "again"})}, "/v1/completions",
			`{"model":"m","prompt":"be brief\n\nUser: hi\n\nAssistant: ho\n\nUser: again\n\nAssistant: ","temperature":0,"stream":true,"stream_options":{"include_usage":true}}`},
		{"responses", Endpoint{Format: FormatResponses, Server: "openai"}, Request{Messages: asked, Stop: []string{"1"}, MaxTokens: 9, Temperature: 0.5, TopLogprobs: 3}, "/v1/responses",
			`{"model":"m","instructions":"be brief","input":[{"role":"user","content":"hi"}],"max_output_tokens":4105,"temperature":0.5,"stream":true,"store":false,"include":["message.output_text.logprobs"],"top_logprobs":3}`},
		{"responses with few tokens", Endpoint{Format: FormatResponses, Server: "openai", Capabilities: &Capabilities{}}, Request{Messages: asked[1:], MaxTokens: 9}, "/v1/responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"max_output_tokens":16,"temperature":0,"stream":true,"store":false}`},
		{"responses without a limit", Endpoint{Format: FormatResponses, Server: "openai"}, Request{Messages: asked[1:]}, "/v1/responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"store":false}`},
		{"responses of another server", Endpoint{Format: FormatResponses, Server: "vllm", Thinking: 1}, Request{Messages: asked[1:], MaxTokens: 9, TopLogprobs: 3, Constraint: &Constraint{Regex: "a"}}, "/v1/responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"max_output_tokens":10,"temperature":0,"stream":true,"store":false}`},
		{"responses, a continuation", Endpoint{Format: FormatResponses}, Request{Messages: append(slices.Clone(asked), Message{Role: "assistant"}, Message{Role: "system", Content: "be long"}), Prefix: "[Act"}, "/v1/responses",
			`{"model":"m","instructions":"be brief","input":[{"role":"user","content":"hi"},{"role":"assistant","content":""},{"role":"system","content":"be long"},{"role":"assistant","content":"[Act"},{"role":"user","content":"Go on from exactly where your text ends. Do not repeat any of it and do not comment on it."}],"temperature":0,"stream":true,"store":false}`},
		{"responses with tools", Endpoint{Format: FormatResponses}, Request{Messages: called, Tools: []Tool{look, {Name: "stop"}}, ToolChoice: "look", Constraint: &Constraint{Regex: "a"}}, "/v1/responses",
			`{"model":"m","instructions":"be brief","input":[{"role":"user","content":"hi"},{"type":"function_call","call_id":"c1","name":"look","arguments":"{\"q\":1}"},{"type":"function_call","call_id":"c2","name":"look","arguments":"{\"q\":"},{"type":"function_call_output","call_id":"c1","output":"one"},{"type":"function_call_output","call_id":"c2","output":"two"}],"temperature":0,"stream":true,"store":false,"include":["reasoning.encrypted_content"],"tools":[{"type":"function","name":"look","description":"Looks.","parameters":{"type":"object"},"strict":false},{"type":"function","name":"stop","parameters":{"type":"object","properties":{}},"strict":false}],"tool_choice":{"type":"function","name":"look"}}`},
		{"responses with a required tool", Endpoint{Format: FormatResponses}, Request{Messages: asked[1:], Tools: []Tool{look}, ToolChoice: "required"}, "/v1/responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"store":false,"include":["reasoning.encrypted_content"],"tools":[{"type":"function","name":"look","description":"Looks.","parameters":{"type":"object"},"strict":false}],"tool_choice":"required"}`},
		{"responses with a schema", Endpoint{Format: FormatResponses}, Request{Messages: asked[1:], Constraint: &Constraint{Schema: []byte(`{"type":"object"}`)}}, "/v1/responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"store":false,"text":{"format":{"type":"json_schema","name":"answer","strict":true,"schema":{"type":"object"}}}}`},
		{"responses with a choice", Endpoint{Format: FormatResponses}, Request{Messages: asked[1:], Constraint: &Constraint{Choices: []string{"a"}}}, "/v1/responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"store":false,"text":{"format":{"type":"json_schema","name":"answer","strict":true,"schema":{"type":"object","properties":{"choice":{"type":"string","enum":["a"]}},"required":["choice"],"additionalProperties":false}}}}`},
		{"responses with a grammar", Endpoint{Format: FormatResponses}, Request{Messages: asked[1:], Constraint: &Constraint{Grammar: "root ::= \"a\"", Lark: "start: \"a\""}}, "/v1/responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"store":false,"tools":[{"type":"custom","name":"answer","description":"Takes the complete answer.","format":{"type":"grammar","syntax":"lark","definition":"start: \"a\""}}],"tool_choice":{"type":"custom","name":"answer"},"parallel_tool_calls":false}`},
		{"responses with an expression", Endpoint{Format: FormatResponses}, Request{Messages: asked[1:], Constraint: &Constraint{Regex: "a+"}}, "/v1/responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"store":false,"tools":[{"type":"custom","name":"answer","description":"Takes the complete answer.","format":{"type":"grammar","syntax":"regex","definition":"a+"}}],"tool_choice":{"type":"custom","name":"answer"},"parallel_tool_calls":false}`},
		{"Anthropic", Endpoint{Format: FormatAnthropic}, Request{Messages: called, Stop: []string{"\n\n", "[Obs]"}, Tools: []Tool{look}, ToolChoice: "required", MaxTokens: 10, Constraint: &Constraint{Schema: []byte(`{"type":"object"}`)}}, "/v1/messages",
			`{"model":"m","max_tokens":4106,"system":"be brief","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":{"q":1}},{"type":"tool_use","id":"c2","name":"look","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"one"},{"type":"tool_result","tool_use_id":"c2","content":"two"}]}],"stop_sequences":["[Obs]"],"temperature":0,"stream":true,"tools":[{"name":"look","description":"Looks.","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"},"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}`},
		{"Anthropic, an empty turn", Endpoint{Format: FormatAnthropic}, Request{Messages: []Message{{Role: "user", Content: "hi"}, {Role: "assistant", Content: " "}, {Role: "user", Content: "?"}}}, "/v1/messages",
			`{"model":"m","max_tokens":8192,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":[{"type":"text","text":"(nothing)"}]},{"role":"user","content":[{"type":"text","text":"?"}]}],"temperature":0,"stream":true}`},
		{"an older Claude", Endpoint{Format: FormatAnthropic, Capabilities: &Capabilities{Prefix: PrefixPrefill}}, Request{Messages: asked[1:], Prefix: "[Act"}, "/v1/messages",
			`{"model":"m","max_tokens":8192,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":[{"type":"text","text":"[Act"}]}],"temperature":0,"stream":true}`},
		{"Ollama", Endpoint{Format: FormatOllama}, Request{Messages: called, Tools: []Tool{look, {Name: "stop"}}, ToolChoice: "look", MaxTokens: 5, Stop: []string{"a"}, TopLogprobs: 2}, "/api/chat",
			`{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look","arguments":{"q":1}}},{"function":{"name":"look","arguments":{}}}]},{"role":"tool","content":"one","tool_name":"look"},{"role":"tool","content":"two","tool_name":"look"}],"stream":true,"tools":[{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}}],"logprobs":true,"top_logprobs":2,"options":{"temperature":0,"num_predict":5,"stop":["a"]}}`},
		{"Ollama's completion", Endpoint{Format: FormatOllamaGenerate}, Request{Messages: asked, Constraint: &Constraint{Schema: []byte(`{"type":"object"}`)}}, "/api/generate",
			`{"model":"m","prompt":"hi\n\n","system":"be brief","stream":true,"format":{"type":"object"},"options":{"temperature":0}}`},
		{"Ollama's continuation", Endpoint{Format: FormatOllamaGenerate}, Request{Messages: asked, Prefix: "[Act"}, "/api/generate",
			`{"model":"m","prompt":"be brief\n\nhi\n\n[Act","raw":true,"stream":true,"options":{"temperature":0}}`},
		{"Gemini", Endpoint{Format: FormatGemini}, Request{Messages: called, Stop: []string{"1", "2", "3", "4", "5", "6"}, Tools: []Tool{look, {Name: "stop"}}, ToolChoice: "look", MaxTokens: 10, Temperature: 0.5}, "/models/m:streamGenerateContent?alt=sse",
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"id":"c1","name":"look","args":{"q":1}}},{"functionCall":{"id":"c2","name":"look","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"look","response":{"output":"one"}}},{"functionResponse":{"id":"c2","name":"look","response":{"output":"two"}}}]}],"systemInstruction":{"parts":[{"text":"be brief"}]},"generationConfig":{"maxOutputTokens":4106,"temperature":0.5,"stopSequences":["1","2","3","4","5"]},"tools":[{"functionDeclarations":[{"name":"look","description":"Looks.","parametersJsonSchema":{"type":"object"}},{"name":"stop","parametersJsonSchema":{"type":"object","properties":{}}}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["look"]}}}`},
		{"Gemini, a choice", Endpoint{Format: FormatGemini}, Request{Messages: asked[1:], Prefix: "[Act", Constraint: &Constraint{Choices: []string{"a", "b"}}}, "/models/m:streamGenerateContent?alt=sse",
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"[Act"}]},{"role":"user","parts":[{"text":"Go on from exactly where your text ends. Do not repeat any of it and do not comment on it."}]}],"generationConfig":{"temperature":0,"responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"choice":{"type":"string","enum":["a","b"]}},"required":["choice"],"additionalProperties":false}}}`},
		{"Gemini, an empty turn and no call", Endpoint{Format: FormatGemini}, Request{Messages: []Message{{Role: "user", Content: "hi"}, {Role: "assistant", Content: " "}, {Role: "user", Content: "?"}}, Tools: []Tool{look}, ToolChoice: "none"}, "/models/m:streamGenerateContent?alt=sse",
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"(nothing)"}]},{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{"temperature":0},"tools":[{"functionDeclarations":[{"name":"look","description":"Looks.","parametersJsonSchema":{"type":"object"}}]}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`},
		{"Bedrock", Endpoint{Format: FormatBedrock}, Request{Messages: called, Stop: []string{"[Obs]"}, Tools: []Tool{look}, ToolChoice: "required", MaxTokens: 10, Constraint: &Constraint{Schema: []byte(`{"type":"object"}`)}}, "/model/m/converse-stream",
			`{"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"look","input":{"q":1}}},{"toolUse":{"toolUseId":"c2","name":"look","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"text":"one"}]}},{"toolResult":{"toolUseId":"c2","content":[{"text":"two"}]}}]}],"system":[{"text":"be brief"}],"inferenceConfig":{"maxTokens":4106,"temperature":0,"stopSequences":["[Obs]"]},"toolConfig":{"tools":[{"toolSpec":{"name":"look","description":"Looks.","inputSchema":{"json":{"type":"object"}}}}],"toolChoice":{"any":{}}},"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"name":"answer","schema":"{\"type\":\"object\"}"}}}}}`},
		{"Bedrock, empty texts and no call", Endpoint{Format: FormatBedrock}, Request{Messages: []Message{{Role: "user", Content: "hi"}, {Role: "assistant", Content: " "}, {Role: "user", Content: "?"}}, Prefix: "[Act", Tools: []Tool{look}, ToolChoice: "none"}, "/model/m/converse-stream",
			`{"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"text":"(nothing)"}]},{"role":"user","content":[{"text":"?"}]},{"role":"assistant","content":[{"text":"[Act"}]},{"role":"user","content":[{"text":"Go on from exactly where your text ends. Do not repeat any of it and do not comment on it."}]}],"inferenceConfig":{"temperature":0}}`},
		{"Bedrock, no call after calls", Endpoint{Format: FormatBedrock}, Request{Messages: called[1:3], Tools: []Tool{look}, ToolChoice: "none"}, "/model/m/converse-stream",
			`{"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"look","input":{"q":1}}},{"toolUse":{"toolUseId":"c2","name":"look","input":{}}}]}],"inferenceConfig":{"temperature":0},"toolConfig":{"tools":[{"toolSpec":{"name":"look","description":"Looks.","inputSchema":{"json":{"type":"object"}}}}]}}`},
		{"Bedrock, one tool", Endpoint{Format: FormatBedrock}, Request{Messages: asked[1:], Tools: []Tool{{Name: "look"}}, ToolChoice: "look"}, "/model/m/converse-stream",
			`{"messages":[{"role":"user","content":[{"text":"hi"}]}],"inferenceConfig":{"temperature":0},"toolConfig":{"tools":[{"toolSpec":{"name":"look","inputSchema":{"json":{"type":"object","properties":{}}}}}],"toolChoice":{"tool":{"name":"look"}}}}`},
		{"what it cannot do is left out", Endpoint{Capabilities: &Capabilities{}}, Request{Messages: asked[1:], Stop: []string{"a"}, Tools: []Tool{look}, ToolChoice: "look", TopLogprobs: 2, Constraint: &Constraint{Schema: []byte(`{}`)}}, "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"stream_options":{"include_usage":true}}`},
	} {
		c.e.Name, c.e.URL, c.e.Model = "mine", "https://models.example", "m"
		if f := c.e.format(); f == FormatOpenAI || f == FormatCompletions || f == FormatResponses {
			c.e.URL += "/v1/"
		}
		h, err := c.e.Encode(c.r)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if h.URL != "https://models.example"+c.url || h.Method != "POST" || !h.Stream || h.Auth != "endpoint:mine" || h.Idle != defaultIdle || h.Headers["Content-Type"] != "application/json" {
			t.Errorf("%s: %+v", c.name, h)
		}
		if h.Body != c.body {
			t.Errorf("%s:\n got %s\nwant %s", c.name, h.Body, c.body)
		}
		if !json.Valid([]byte(h.Body)) {
			t.Errorf("%s: the body is no JSON", c.name)
		}
	}
}

func TestKeyIsSentInTheHeaderOfTheFormat(t *testing.T) {
	for _, format := range formats {
		h, err := Endpoint{Format: format, URL: "https://x"}.Encode(Request{Messages: asked})
		if err != nil {
			t.Fatal(err)
		}
		switch format {
		case FormatGemini:
			if h.AuthHeader != "x-goog-api-key" || len(h.Headers) != 1 {
				t.Errorf("%s: %+v", format, h)
			}
			continue
		case FormatAnthropic:
			if h.AuthHeader != "x-api-key" || len(h.Headers) != 3 || h.Headers["anthropic-version"] == "" || h.Headers["anthropic-dangerous-direct-browser-access"] != "true" {
				t.Errorf("%s: %+v", format, h)
			}
			continue
		}
		if h.AuthHeader != "" || len(h.Headers) != 1 {
			t.Errorf("%s: headers that a preflight may refuse: %+v", format, h)
		}
	}
}

func TestBaseRemovesCopiedSuffixes(t *testing.T) {
	for _, c := range []struct{ format, url, ask, models string }{
		{"", "https://x/v1", "https://x/v1/chat/completions", "https://x/v1/models"},
		{"", "https://x/v1/chat/completions/", "https://x/v1/chat/completions", "https://x/v1/models"},
		{FormatCompletions, "https://x/v1/completions", "https://x/v1/completions", "https://x/v1/models"},
		{FormatResponses, "https://x/v1", "https://x/v1/responses", "https://x/v1/models"},
		{FormatResponses, "https://x/v1/responses/", "https://x/v1/responses", "https://x/v1/models"},
		{FormatResponses, "https://x/v1/chat/completions", "https://x/v1/responses", "https://x/v1/models"},
		{FormatAnthropic, "https://x", "https://x/v1/messages", "https://x/v1/models"},
		{FormatAnthropic, "https://x/v1/", "https://x/v1/messages", "https://x/v1/models"},
		{FormatAnthropic, "https://x/v1/messages", "https://x/v1/messages", "https://x/v1/models"},
		{FormatOllama, "http://localhost:11434/api/chat", "http://localhost:11434/api/chat", "http://localhost:11434/api/tags"},
		{FormatOllamaGenerate, "http://localhost:11434/api", "http://localhost:11434/api/generate", "http://localhost:11434/api/tags"},
		{FormatGemini, "https://x/v1beta/", "https://x/v1beta/models/m%2F1:streamGenerateContent?alt=sse", "https://x/v1beta/models?pageSize=1000"},
		{FormatGemini, "https://x/v1beta/models/gemini-3-flash:generateContent", "https://x/v1beta/models/m%2F1:streamGenerateContent?alt=sse", "https://x/v1beta/models?pageSize=1000"},
		{FormatGemini, "https://x/v1beta/models/m:streamGenerateContent", "https://x/v1beta/models/m%2F1:streamGenerateContent?alt=sse", "https://x/v1beta/models?pageSize=1000"},
		{FormatGemini, "https://x/models/a/m:generateContent", "https://x/models/a/m:generateContent/models/m%2F1:streamGenerateContent?alt=sse", "https://x/models/a/m:generateContent/models?pageSize=1000"},
		{FormatGemini, "https://x/models/:generateContent", "https://x/models/:generateContent/models/m%2F1:streamGenerateContent?alt=sse", "https://x/models/:generateContent/models?pageSize=1000"},
		{FormatBedrock, "https://x", "https://x/model/m%2F1/converse-stream", ""},
		{FormatBedrock, "https://x/model/us.amazon.nova-lite-v1:0/converse", "https://x/model/m%2F1/converse-stream", ""},
		{FormatBedrock, "https://x/a/model/m/converse-stream", "https://x/a/model/m%2F1/converse-stream", ""},
	} {
		if ask, models := (Endpoint{Format: c.format, URL: c.url, Model: "m/1"}).address(); ask != c.ask || models != c.models {
			t.Errorf("%s %s: %s, %s", c.format, c.url, ask, models)
		}
	}
}

func TestModelIsASegmentOfTheAddress(t *testing.T) {
	for _, c := range []struct{ format, model, path string }{
		{FormatGemini, "gemini-2.5-flash", "/models/gemini-2.5-flash:streamGenerateContent?alt=sse"},
		{FormatGemini, "models/gemini-2.5-flash", "/models/gemini-2.5-flash:streamGenerateContent?alt=sse"},
		{FormatGemini, "tunedModels/mine", "/tunedModels/mine:streamGenerateContent?alt=sse"},
		{FormatGemini, "../../x?key=1#é", "/models/..%2F..%2Fx%3Fkey%3D1%23%C3%A9:streamGenerateContent?alt=sse"},
		{FormatBedrock, "us.amazon.nova-lite-v1:0", "/model/us.amazon.nova-lite-v1:0/converse-stream"},
		{FormatBedrock, "arn:aws:bedrock:us-east-1:1:inference-profile/x", "/model/arn:aws:bedrock:us-east-1:1:inference-profile%2Fx/converse-stream"},
	} {
		if ask, _ := (Endpoint{Format: c.format, URL: "https://x", Model: c.model}).address(); ask != "https://x"+c.path {
			t.Errorf("%s: %s", c.model, ask)
		}
	}
}

func TestEndpointsAreChecked(t *testing.T) {
	for _, c := range []struct {
		e    Endpoint
		says string
	}{
		{Endpoint{URL: "https://x", Model: "m", Format: "anthropic", Server: "vllm"}, ""},
		{Endpoint{URL: "https://x", Model: "m", Format: "antropic"}, "did you mean anthropic"},
		{Endpoint{URL: "https://x", Model: "m", Server: "vlm"}, "did you mean vllm"},
	} {
		if err := c.e.Check(); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.e, err)
		}
	}
}

func TestPriceOfMatchesTheLongestName(t *testing.T) {
	for model, want := range map[string]float64{
		"gpt-4o": 2.5, "gpt-4o-2024-11-20": 2.5, "gpt-4o-mini-2024": 0.15, "openai/gpt-4o-mini": 0.15, "GPT-4o": 2.5,
		"gpt-5.4-mini": 0, "claude-sonnet-5-5": 2, "claude-opus-5-5": 4, "claude-opus-5": 5, "llama3": 0, "": 0,
		"gemini-3-pro-preview": 2, "gemini-2.5-flash-lite": 0.1, "models/gemini-2.5-flash-preview-09": 0.3, "google/gemini-2.5-pro": 1.25, "gemini-3.1-pro": 0,
		"amazon.nova-pro-v1:0": 0.8, "us.amazon.nova-micro-v1:0": 0.035, "amazon.nova-premier-v1:0": 0, "x.amazon.": 0, "mistral-large-2411": 0, "mistral-small-latest": 0.1, "magistral-medium-2509": 2,
	} {
		if p, ok := PriceOf(model, Prices()); p.Prompt != want || ok != (want > 0) {
			t.Errorf("%s: %+v %v", model, p, ok)
		}
	}
	for model, want := range map[string]string{"gpt-4o": PricesOf, "llama3": PricesOf, "amazon.nova-lite-v1:0": novaPricesOf, "gemini-3-flash-preview": geminiPricesOf} {
		if row, _ := PriceOf(model, Prices()); row.Of != want {
			t.Errorf("%s: of %s, want %s", model, row.Of, want)
		}
	}
	for _, c := range []struct {
		e    Endpoint
		want Price
	}{
		{Endpoint{URL: "https://x", Model: "gpt-4o"}, Price{2.5, 10}},
		{Endpoint{URL: "https://x", Model: "gpt-4o", Price: &Price{1, 1}}, Price{1, 1}},
		{Endpoint{URL: "https://x", Model: "gpt-4o", Server: "vllm"}, Price{}},
		{Endpoint{URL: "http://localhost:8000/v1", Model: "gpt-4o"}, Price{}},
		{Endpoint{URL: "https://x", Model: "gpt-4o", Format: FormatOllama}, Price{}},
	} {
		if got := c.e.price(); got != c.want {
			t.Errorf("%+v: %+v", c.e, got)
		}
	}
	if n := (Price{0.15, 0.6}).micro(Usage{7, 3}); n != 3 { // 2.85
		t.Errorf("%d micro-dollars", n)
	}
}

func TestWaitsAreReadFromHeaders(t *testing.T) {
	for _, c := range []struct {
		headers map[string]string
		want    int
	}{
		{nil, 0},
		{map[string]string{"retry-after": "7"}, 7000},
		{map[string]string{"retry-after": "0.25"}, 250},
		{map[string]string{"retry-after": "-1"}, 0},
		{map[string]string{"retry-after": "soon"}, 0},
		{map[string]string{"retry-after": "99999999999999999999"}, 1_000_000_000_000},
		{map[string]string{"retry-after-ms": "120.5", "retry-after": "7"}, 121},
		{map[string]string{"retry-after": "Sun, 01 Mar 2026 00:00:04 GMT", "date": "Sat, 28 Feb 2026 23:59:55 GMT"}, 9000},
		{map[string]string{"retry-after": "Thu, 01 Mar 2028 00:00:00 GMT", "date": "Mon, 28 Feb 2028 00:00:00 GMT"}, 2 * 86_400_000}, // a leap year
		{map[string]string{"retry-after": "Sat, 28 Feb 2026 23:59:55 GMT", "date": "Sun, 01 Mar 2026 00:00:04 GMT"}, 0},
		{map[string]string{"retry-after": "Sun, 01 Mar 2026 00:00:04 GMT"}, 0},
		{map[string]string{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m2.5s", "x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "6m0s"}, 62_500},
		{map[string]string{"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "20ms"}, 20},
		{map[string]string{"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1d1h"}, 90_000_000},
		{map[string]string{"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "x"}, 0},
		{map[string]string{"anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-03-01T00:00:10Z", "date": "Sat, 28 Feb 2026 23:59:55 GMT"}, 15_000},
		{map[string]string{"anthropic-ratelimit-tokens-remaining": "5", "anthropic-ratelimit-tokens-reset": "2026-03-01T00:00:10Z", "date": "Sat, 28 Feb 2026 23:59:55 GMT"}, 0},
	} {
		if got := waitOf(c.headers); got != c.want {
			t.Errorf("%v: %d", c.headers, got)
		}
	}
}

func TestRefusalOmitsTheNamedFeature(t *testing.T) {
	for _, c := range []struct {
		status     int
		said, sent string
		want       string
	}{
		{400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", `{"max_tokens":5}`, "max_tokens"},
		{400, "`temperature` is deprecated for this model.", `{"temperature":0}`, "temperature"},
		{400, "`temperature` may only be set to 1 when thinking is enabled.", `{"temperature":0}`, "temperature"},
		{422, "body.stream_options: Extra inputs are not permitted", `{"stream_options":{}}`, "stream_options"},
		{400, "Unsupported parameter: 'stop' is not supported with this model.", `{"stop":["a"]}`, "stop"},
		{400, "Invalid value for 'stop'", `{}`, ""}, // it was not sent
		{400, "Something is wrong with the temperature", `{"temperature":0}`, ""},
		{400, "This model's maximum context length is 9 tokens, max_tokens is not supported", `{"max_tokens":5}`, ""},
		{500, "temperature is not supported", `{"temperature":0}`, ""},
		{400, "This model does not support response_format json_schema", `{"response_format":{"type":"json_schema"}}`, "response_format"},
		{400, "Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.", `{"responseJsonSchema":{}}`, "responsejsonschema"},
		{400, "Function calling with a response mime type: 'application/json' is unsupported", `{"responseMimeType":""}`, "response mime type"},
		{400, "Function calling is not enabled for models/gemma-3-27b-it", `{"functionDeclarations":[]}`, "function calling"},
		{400, "Thinking level is not supported for this model.", `{"thinkingConfig":{}}`, "thinking"},
		{400, "The model returned the following errors: This model doesn't support the stopSequences field. Remove stopSequences and try again.", `{"stopSequences":[]}`, "stopsequences"},
		{400, "This model doesn't support tool use.", `{"toolConfig":{}}`, "tool use"},
		{400, "This model doesn't support outputConfig.textFormat.", `{"outputConfig":{}}`, "outputconfig"},
		{400, "This model does not support assistant message prefill.", `{"role":"assistant"}`, "prefill"},
		{400, "Encrypted content is not supported with this model.", `{"include":["reasoning.encrypted_content"],"reasoning":{}}`, "encrypted content"},
		{400, "Your organization must be verified to generate reasoning summaries.", `{"reasoning":{"effort":"low","summary":"auto"}}`, "summar"},
		{400, "Unsupported parameter: 'reasoning.effort' is not supported with this model.", `{"reasoning":{"effort":"low","summary":"auto"}}`, "reasoning"},
		{400, "Your organization must be verified to stream this model.", `{"stream":true,"stream_options":{}}`, "to stream"},
		{400, "The model is unsupported for streaming.", "https://x/model/m/converse-stream {}", "streaming"},
		{403, "User: u is not authorized to perform: bedrock:InvokeModelWithResponseStream", "https://x/model/m/converse-stream {}", "streaming"},
		{403, "User: u is not authorized to perform: bedrock:InvokeModel", "https://x/model/m/converse-stream {}", ""},
		{400, "The model is unsupported for streaming.", "https://x/model/m/converse {}", ""},
		{400, "Invalid value: 'custom'. Supported values are: 'function'.", `{"tools":[{"type":"custom","format":{"type":"grammar"}}]}`, "custom"},
		{400, "Invalid grammar: too complex", `{"tools":[{"type":"custom","format":{"type":"grammar"}}]}`, "grammar"},
		{400, "Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.", `{"text":{"format":{"type":"json_schema"}}}`, "json_schema"},
	} {
		var w concessions
		if got := w.concede(c.status, c.said, c.sent, nil); got != c.want {
			t.Errorf("%q: %q", c.said, got)
		}
		if c.want != "" && w.concede(c.status, c.said, c.sent, nil) == c.want {
			t.Errorf("%q is left out twice", c.said)
		}
	}
}

func TestEveryFailureHasAFix(t *testing.T) {
	const page = "https://stile.example"
	for _, c := range []struct {
		code   string
		e      Endpoint
		models []string
		fix    string
	}{
		{"llm.cors", Endpoint{Format: FormatOllama}, nil, "OLLAMA_ORIGINS=" + page},
		{"llm.cors", Endpoint{Server: "ollama"}, nil, "OLLAMA_ORIGINS=" + page},
		{"llm.cors", Endpoint{Server: "vllm"}, nil, `--allowed-origins '["` + page + `"]'`},
		{"llm.cors", Endpoint{Server: "lmstudio"}, nil, "Enable CORS"},
		{"llm.cors", Endpoint{Server: "llamacpp"}, nil, "every page"},
		{"llm.cors", Endpoint{Format: FormatAnthropic, URL: "https://api.anthropic.com"}, nil, "anthropic-dangerous-direct-browser-access"},
		{"llm.cors", Endpoint{URL: "https://x"}, nil, page},
		{"llm.cors", Endpoint{URL: "https://x", Format: FormatBedrock}, nil, "a gateway that accepts pages from " + page},
		{"llm.mixed-content", Endpoint{URL: "http://gpu-box:9700/v1"}, nil, "serve Stile on this machine with \"go run ./build serve\", use an address that begins with https://, or open a tunnel (ssh -L 9700:localhost:9700 gpu-box) and use http://localhost:9700/v1"},
		{"llm.mixed-content", Endpoint{URL: "http://192.168.1.2"}, nil, "open a tunnel (ssh -L 80:localhost:80 192.168.1.2) and use http://localhost:80"},
		{"llm.mixed-content", Endpoint{URL: "http://[fd00::1]:8000/v1"}, nil, "open a tunnel (ssh -L 8000:localhost:8000 [fd00::1]) and use http://localhost:8000/v1"},
		{"llm.mixed-content", Endpoint{}, nil, "https://"},
		{"llm.local-network", Endpoint{}, nil, "local-network-access"},
		{"llm.offline", Endpoint{}, nil, "connect"},
		{"llm.network", Endpoint{URL: "http://localhost:1", Format: FormatOllama}, nil, "start the server"},
		{"llm.network", Endpoint{URL: "https://x"}, nil, "check the address"},
		{"llm.timeout", Endpoint{}, nil, "idle time"},
		{CodeKey, Endpoint{}, nil, "check that the key"},
		{CodeRegion, Endpoint{}, nil, "not at fault"}, {CodeBlocked, Endpoint{}, nil, "the key was not checked"}, {CodeRefused, Endpoint{}, nil, "change the task"}, {CodeFormat, Endpoint{}, nil, `"responses", or to "completions"`}, {CodeFormat, Endpoint{Format: FormatResponses}, nil, `format to "openai"`}, {CodeThinking, Endpoint{}, nil, "effort"},
		{CodePath, Endpoint{URL: page + "/v1"}, nil, "another port"},
		{CodePath, Endpoint{URL: "http://localhost:8000"}, nil, "try http://localhost:8000/v1"},
		{CodePath, Endpoint{URL: "https://x/v1", Format: FormatResponses}, nil, "https://x/v1/responses; servers without it have the format openai"},
		{CodePath, Endpoint{URL: "http://localhost:8000", Format: FormatResponses}, nil, "try http://localhost:8000/v1"},
		{CodePath, Endpoint{URL: "http://localhost:11434/v1", Format: FormatOllama}, nil, "try http://localhost:11434"},
		{CodePath, Endpoint{URL: "https://x", Format: FormatGemini}, nil, "try https://x/v1beta"},
		{CodePath, Endpoint{URL: "https://x/v1beta/openai", Format: FormatGemini}, nil, "try https://x/v1beta, or the format openai"},
		{CodePath, Endpoint{URL: "https://x", Format: FormatBedrock, Model: "m"}, nil, "https://x/model/m/converse-stream"},
		{CodePath, Endpoint{URL: "https://x/v1"}, nil, "https://x/v1/chat/completions"},
		{CodeModel, Endpoint{Model: "gtp-4o"}, []string{"gpt-4o", "gpt-5"}, "did you mean gpt-4o?"},
		{CodeModel, Endpoint{Model: "sonnet"}, []string{"claude-sonnet-5"}, "did you mean claude-sonnet-5?"},
		{CodeModel, Endpoint{Model: "x"}, []string{"aaa", "bbb"}, "it has aaa, bbb"},
		{CodeModel, Endpoint{Model: "x"}, []string{"aaa", "bbb", "ccc", "ddd", "eee"}, "it has aaa, bbb, ccc, ddd, eee"},
		{CodeModel, Endpoint{Model: "x"}, []string{"aaa", "bbb", "ccc", "ddd", "eee", "fff"}, "it has aaa, bbb, ccc, ddd, eee and others"},
		{CodeModel, Endpoint{Model: "llama3", Format: FormatOllama}, nil, "ollama pull llama3"},
		{CodeRate, Endpoint{}, nil, "wait"}, {CodeQuota, Endpoint{}, nil, "credit"}, {CodeContext, Endpoint{}, nil, "shorten"},
		{CodeRequest, Endpoint{}, nil, "format"}, {CodeServer, Endpoint{}, nil, "later"}, {CodeProvider, Endpoint{}, nil, "later"},
		{CodeStatus, Endpoint{}, nil, "format"}, {CodeGarbage, Endpoint{URL: "https://x"}, nil, "https://x/v1"}, {CodeCut, Endpoint{}, nil, "kept"}, {CodeLong, Endpoint{}, nil, "limit"},
	} {
		x := Explain(c.code, c.e, page, c.models)
		if x.Message == "" || !strings.Contains(x.Fix, c.fix) || strings.HasSuffix(x.Fix, "others") != strings.HasSuffix(c.fix, "others") {
			t.Errorf("%s %+v: %+v", c.code, c.e, x)
		}
	}
	if x := Explain("llm.mixed-content", Endpoint{URL: "http://vps.example:8000"}, "http://localhost:6174", nil); !strings.HasPrefix(x.Fix, "use an address that begins with https://, or open a tunnel") {
		t.Errorf("a page of this machine: %+v", x)
	}
	if x := Explain("llm.nothing", Endpoint{}, "", nil); x != (Explanation{}) {
		t.Errorf("%+v", x)
	}
}

func TestCapabilitiesAreKnownOrDeclared(t *testing.T) {
	if caps := (Endpoint{Server: "vllm", Capabilities: &Capabilities{Stop: true}}).Known(); caps != (Capabilities{Stop: true}) {
		t.Errorf("%+v", caps)
	}
	for _, name := range Servers() {
		caps := Endpoint{Server: name}.Known()
		if !caps.Stop || caps.Tools == (name == "browser") || caps.Schema != (caps.Choice != ChoiceNone) {
			t.Errorf("%s: %+v", name, caps)
		}
	}
	if caps := (Endpoint{}).Known(); caps.Tools || caps.Schema || caps.Prefix != "" || caps.Choice != "" || caps.Logprobs {
		t.Errorf("what is not known is assumed: %+v", caps)
	}
}

func TestSimulatedModelObservesConstraints(t *testing.T) {
	r := Request{Choices: 3, TopLogprobs: 3, Constraint: &Constraint{Choices: []string{"1", "2", "3"}}}
	for _, kind := range []string{KindUniform, KindFirst, KindRambler} {
		m, err := New(Spec{Kind: kind, ErrorRate: 1, Constrained: true})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for seed := range uint64(60) {
			reply, _, _, err := askSeeded(t, seed, m, r, 0, nil)
			if err != nil || !reply.Constrained || len(reply.Logprobs) != 1 || len(reply.Logprobs[0].Top) != 3 {
				t.Fatalf("%s: %+v %v", kind, reply, err)
			}
			seen[reply.Text]++
		}
		if want := map[string]int{KindFirst: 1}[kind]; want == 0 && len(seen) != 3 || want == 1 && len(seen) != 1 {
			t.Errorf("%s: %v", kind, seen)
		}
	}
	m, _ := New(Spec{Kind: KindRambler, ErrorRate: 1})
	if reply, _, _, err := ask(t, m, r, 0, nil); err != nil || reply.Constrained {
		t.Errorf("without a server: %+v %v", reply, err)
	}
}

// Only transient errors of the host are worth another attempt.
func TestTransientFailuresAreRetried(t *testing.T) {
	for code, again := range map[string]bool{
		"network": true, "offline": true, "timeout": true, "interrupted": true,
		"cors": false, "mixed-content": false, "local-network": false, "aborted": false,
	} {
		m, _ := New(endpoint)
		asked, waits := 0, 0
		_, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
			if e.Timer != nil {
				waits++
				return []process.Answer{{Effect: e.ID, Value: []byte("null")}}
			}
			asked++
			return []process.Answer{{Effect: e.ID, Error: &process.EffectError{Code: code, Message: "it failed"}}}
		})
		if err == nil || (asked == 4) != again || (asked == 1) == again || waits > asked-1 {
			t.Errorf("%s: asked %d times, waited %d times: %v", code, asked, waits, err)
		}
	}
}

// The query of an endpoint's URL follows the path of each request.
func TestTheQueryOfAURLIsKept(t *testing.T) {
	for _, c := range []struct{ format, server, url, ask, models string }{
		{"", "azure", "https://x.openai.azure.com/openai/v1?api-version=preview", "https://x.openai.azure.com/openai/v1/chat/completions?api-version=preview", ""},
		{"", "azure", "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21", "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21", ""},
		{FormatResponses, "azure", "https://x.openai.azure.com/openai/v1/responses?api-version=preview#top", "https://x.openai.azure.com/openai/v1/responses?api-version=preview", ""},
		{"", "", "https://g.example/v1/?a=1&b=%2F", "https://g.example/v1/chat/completions?a=1&b=%2F", "https://g.example/v1/models?a=1&b=%2F"},
		{FormatCompletions, "", "https://g.example/v1/completions?a", "https://g.example/v1/completions?a", "https://g.example/v1/models?a"},
		{FormatAnthropic, "", "https://g.example/v1/?a=1", "https://g.example/v1/messages?a=1", "https://g.example/v1/models?a=1"},
		{FormatAnthropic, "", "https://g.example/?a=1", "https://g.example/v1/messages?a=1", "https://g.example/v1/models?a=1"},
		{FormatOllama, "", "http://localhost:11434?a=1", "http://localhost:11434/api/chat?a=1", "http://localhost:11434/api/tags?a=1"},
		{FormatGemini, "", "https://g.example/v1beta?alt=json&a=1", "https://g.example/v1beta/models/m:streamGenerateContent?alt=sse&a=1", "https://g.example/v1beta/models?pageSize=1000&alt=json&a=1"},
		{FormatBedrock, "", "https://g.example?a=1", "https://g.example/model/m/converse-stream?a=1", ""},
		{"", "", "https://proxy.example/?https://g.example/v1", "https://proxy.example/?https://g.example/v1/chat/completions", "https://proxy.example/?https://g.example/v1/models"},
		{"", "", "https://g.example/v1?referer=https://app.example&api-version=1", "https://g.example/v1/chat/completions?referer=https://app.example&api-version=1", "https://g.example/v1/models?referer=https://app.example&api-version=1"},
		{"", "azure", "https://x.openai.azure.com/openai/v1?api-version=preview&callback=https://x.example", "https://x.openai.azure.com/openai/v1/chat/completions?api-version=preview&callback=https://x.example", ""},
		{"", "", "https://proxy.example/fetch?a=1&url=https://g.example/v1", "https://proxy.example/fetch?a=1&url=https://g.example/v1/chat/completions", "https://proxy.example/fetch?a=1&url=https://g.example/v1/models"},
		{"", "", "https://proxy.example/?url=https%3A%2F%2Fg.example%2Fv1", "https://proxy.example/?url=https%3A%2F%2Fg.example%2Fv1/chat/completions", "https://proxy.example/?url=https%3A%2F%2Fg.example%2Fv1/models"},
	} {
		e := Endpoint{Name: "e", Format: c.format, Server: c.server, URL: c.url, Model: "m"}
		ask, models := e.address()
		h, err := e.Encode(Request{Messages: user("?")})
		if err != nil || e.Check() != nil || ask != c.ask || models != c.models || h.URL != c.ask {
			t.Errorf("%s: %v %v %s %s %s", c.url, err, e.Check(), ask, models, h.URL)
		}
		want := map[string]string{FormatAnthropic: "x-api-key", FormatGemini: "x-goog-api-key"}[c.format]
		if c.server == "azure" {
			want = "api-key"
		}
		if h.AuthHeader != want || h.Auth != "endpoint:e" {
			t.Errorf("%s: the key is in %q", c.url, h.AuthHeader)
		}
	}
	e := Endpoint{Name: "e", Format: FormatBedrock, URL: "https://g.example?a=1", Model: "m"}
	h, err := e.encode(Request{Messages: user("?")}, concessions{stream: true})
	if err != nil || h.URL != "https://g.example/model/m/converse?a=1" {
		t.Error(err, h.URL)
	}
}

// A key in a URL would be part of saved runs and links.
func TestAKeyInTheURLIsRefused(t *testing.T) {
	for rest, name := range map[string]string{
		"?api-version=1&api-key=s": "api-key", "?KEY=s": "KEY", "?subscription_key=s": "subscription_key", "?a=1&sig=s": "sig", "?code": "code",
		"?x-api-key=s": "x-api-key", "?api%2Dkey=s": "api-key", "?auth=s": "auth", "?password=s": "password", "?client_secret=s": "client_secret",
		"?access_key=s": "access_key", "?api_token=s": "api_token", "?Ocp-Apim-Subscription-Key=s": "Ocp-Apim-Subscription-Key",
		"?X-Amz-Signature=s": "X-Amz-Signature", "?api-version=1;key=s": "key", "#key=s": "key", "?https://h.example/v1?key=s": "key",
		"?url=https%3A%2F%2Fh.example%3Ftoken=s": "token", "?https://me:s@h.example": "@",
		"?key%5B%5D=s": "key[]", "?jwt=s": "jwt", "?passphrase=s": "passphrase",
	} {
		settings, _ := json.Marshal(map[string]any{"models": []any{map[string]any{"endpoint": Endpoint{Name: "e", URL: "https://g.example/v1" + rest, Model: "m"}}}})
		if err := CheckSecrets(settings); err == nil || !strings.Contains(err.Error(), strconv.Quote(name)) || strings.Contains(err.Error(), "=s") {
			t.Errorf("%s: %v", rest, err)
		}
	}
	const user = `the user before "@"`
	for address, secret := range map[string]string{
		"https://me:s@g.example/v1": user, "https://s@g.example": user, "https://me:p%2Fw@g.example/v1": user, "https://me:p%23w@g.example": user,
		"https:///me:s@g.example": user, "https://me:s%40g.example": user,
		"https://g.example/@me/v1?api-version=preview&a=me@x.example#top": "", "https://g.example/v1?max_tokens=9&keys&%zz=1": "",
	} {
		if e := (Endpoint{Name: "e", URL: address, Model: "m"}); e.secret() != secret {
			t.Errorf("%s: %q", address, e.secret())
		}
	}
}
