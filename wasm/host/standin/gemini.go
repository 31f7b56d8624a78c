package standin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// gemini is Gemini's own format. Its paths have the model.
type gemini struct {
	model  string
	stream bool
}

// geminiOf returns the format of a path, or nil.
func geminiOf(path string) format {
	rest, ok := strings.CutPrefix(path, "/v1beta/models")
	if !ok {
		return nil
	}
	model, method, _ := strings.Cut(strings.TrimPrefix(rest, "/"), ":")
	switch {
	case rest == "":
		return gemini{}
	case method == "generateContent" || method == "streamGenerateContent":
		return gemini{model, method == "streamGenerateContent"}
	}
	// The name of a model may have a colon.
	for _, method := range []string{":generateContent", ":streamGenerateContent"} {
		if model, ok := strings.CutSuffix(strings.TrimPrefix(rest, "/"), method); ok {
			return gemini{model, method == ":streamGenerateContent"}
		}
	}
	return nil
}

type geminiTurn struct {
	Role  string
	Parts []struct {
		Text             string
		Thought          bool
		ThoughtSignature string
		FunctionCall     *struct {
			ID, Name string
			Args     map[string]any
		}
		FunctionResponse *struct {
			ID, Name string
			Response map[string]any
		}
	}
}

func (f gemini) read(body []byte) (ask, error) {
	var r struct {
		Contents          []geminiTurn
		SystemInstruction geminiTurn
		GenerationConfig  struct {
			MaxOutputTokens  int
			Temperature      *float64
			Seed, TopK       *int
			TopP             *float64
			StopSequences    []string
			ResponseMimeType string
			ResponseSchema   json.RawMessage `json:"responseJsonSchema"`
			ThinkingConfig   struct {
				IncludeThoughts bool
				ThinkingBudget  *int
				ThinkingLevel   string
			}
		}
		Tools []struct {
			FunctionDeclarations []struct {
				Name, Description string
				Parameters        json.RawMessage `json:"parametersJsonSchema"`
			}
		}
		ToolConfig struct {
			FunctionCallingConfig struct {
				Mode                 string
				AllowedFunctionNames []string
			}
		}
		SafetySettings json.RawMessage
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields() // as Gemini does
	if err := decoder.Decode(&r); err != nil {
		return ask{}, fmt.Errorf("invalid JSON payload received: %w", err)
	}
	config := r.GenerationConfig
	a := ask{model: f.model, stream: f.stream, stops: config.StopSequences, maxTokens: config.MaxOutputTokens, schema: config.ResponseSchema}
	switch {
	case len(r.Contents) == 0:
		return a, errors.New("contents is not specified")
	case len(config.StopSequences) > 5:
		return a, errors.New("the number of stop sequences is more than 5")
	case len(a.schema) > 0 && config.ResponseMimeType != "application/json":
		return a, errors.New("response_json_schema only allowed with a response mime type of application/json")
	}
	for _, p := range r.SystemInstruction.Parts {
		a.turns = append(a.turns, turn{"system", p.Text})
	}
	calls := 0
	for _, t := range r.Contents {
		if len(t.Parts) == 0 || t.Role != "user" && t.Role != "model" {
			return a, errors.New("contents: a turn needs parts, and the role user or model")
		}
		results := 0
		for _, p := range t.Parts {
			switch {
			case p.FunctionCall != nil:
				calls++
			case p.FunctionResponse != nil:
				results++
				text, _ := p.FunctionResponse.Response["output"].(string)
				a.turns = append(a.turns, turn{"tool", text})
			case p.Text == "" && p.ThoughtSignature == "":
				return a, errors.New("contents.parts: a part must have one initialized field")
			default:
				a.turns = append(a.turns, turn{map[string]string{"user": "user", "model": "assistant"}[t.Role], p.Text})
			}
		}
		if t.Role == "user" {
			if results != calls {
				return a, errors.New("the number of function response parts must be equal to the number of function call parts of the function call turn")
			}
			calls = 0
		}
	}
	for _, list := range r.Tools {
		for _, t := range list.FunctionDeclarations {
			a.tools = append(a.tools, tool{t.Name, t.Parameters})
		}
	}
	choice := r.ToolConfig.FunctionCallingConfig
	a.toolChoice = map[string]string{"ANY": "required", "NONE": "none"}[choice.Mode]
	if len(choice.AllowedFunctionNames) > 0 {
		a.toolChoice = choice.AllowedFunctionNames[0]
	}
	return a, nil
}

func (gemini) contentType() string { return "text/event-stream" }

// chunk is an event of a stream with parts of the answer.
func (gemini) chunk(a ask, out answer, parts ...object) object {
	return object{
		"candidates":    []object{{"content": object{"parts": parts, "role": "model"}, "index": 0}},
		"usageMetadata": object{"promptTokenCount": out.prompt, "totalTokenCount": out.prompt},
		"modelVersion":  a.model, "responseId": "r1",
	}
}

// parts returns the parts of an answer: its thoughts, its texts and its calls. The first call is
// signed.
func (gemini) parts(out answer, texts ...string) (parts []object) {
	if out.thinking != "" {
		parts = append(parts, object{"text": out.thinking, "thought": true})
	}
	for _, text := range texts {
		parts = append(parts, object{"text": text})
	}
	for i, c := range out.calls {
		part := object{"functionCall": object{"name": c.name, "args": json.RawMessage(c.arguments)}}
		if i == 0 {
			part["thoughtSignature"] = "c2lnbmVk"
		}
		parts = append(parts, part)
	}
	return parts
}

func (gemini) finish(o object, out answer) object {
	candidate := o["candidates"].([]object)[0]
	candidate["finishReason"] = map[bool]string{true: "MAX_TOKENS", false: "STOP"}[out.reason == "length"]
	o["usageMetadata"] = object{
		"promptTokenCount": out.prompt, "candidatesTokenCount": out.completion, "totalTokenCount": out.prompt + out.completion,
		"promptTokensDetails": []object{{"modality": "TEXT", "tokenCount": out.prompt}},
	}
	return o
}

func (f gemini) complete(a ask, out answer) any {
	var texts []string
	if len(out.tokens) > 0 {
		texts = append(texts, out.text())
	}
	return f.finish(f.chunk(a, out, f.parts(out, texts...)...), out)
}

func (f gemini) events(a ask, out answer) (events []string) {
	var texts []string
	for _, t := range out.tokens {
		texts = append(texts, t.text)
	}
	for _, part := range f.parts(out, texts...) {
		events = append(events, sse(f.chunk(a, out, part)))
	}
	return append(events, sse(f.finish(f.chunk(a, out, object{"text": ""}), out)))
}

func (gemini) failure(r refusal) any {
	status := map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}[r.status]
	message := r.message
	switch r.kind {
	case "context_length_exceeded":
		message = "The input token count (5000) exceeds the maximum number of tokens allowed (4096)."
	case "insufficient_quota":
		message += ", please check your plan and billing details. Quota exceeded for metric: generate_content_free_tier_requests, limit: 0, model: m"
	}
	return object{"error": object{"code": r.status, "message": message, "status": status}}
}

func (f gemini) failureEvent(r refusal) string { return sse(f.failure(r)) }

func (gemini) garbage() string { return "data: {\"candidates\": garbage\n\n" }

func (gemini) noModel(name string) refusal {
	return refusal{404, "", "models/" + name + " is not found for API version v1beta, or is not supported for generateContent."}
}

// models returns a page of the list.
func (gemini) models(x *exchange, names []string) any {
	query := x.request.URL.Query()
	size, _ := strconv.Atoi(query.Get("pageSize"))
	if size == 0 {
		size = 50
	}
	from, _ := strconv.Atoi(query.Get("pageToken"))
	from = max(0, min(from, len(names)))
	to := min(from+size, len(names))
	models := []object{}
	for _, n := range names[from:to] {
		models = append(models, object{"name": "models/" + n, "displayName": n, "inputTokenLimit": 1000, "supportedGenerationMethods": []string{"generateContent", "countTokens"}})
	}
	out := object{"models": models}
	if to < len(names) {
		out["nextPageToken"] = strconv.Itoa(to)
	}
	return out
}

// googleKey is the header of Gemini's key.
const googleKey = "x-goog-api-key"

// modelOf returns the model that the path of a request names, or "".
func modelOf(f format) string {
	switch f := f.(type) {
	case gemini:
		return f.model
	case bedrock:
		return f.model
	}
	return ""
}
