package llm

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Codes of the failures of endpoints. A host's [process.EffectError] has its own code with the
// prefix "llm.": network, cors, mixed-content, offline, local-network, timeout, cut, aborted, and
// no-model if the browser has no model of its own or has not downloaded it.
// A request whose answer was cut off is not repeated, because the answer is paid for even if
// nothing of it arrived.
const (
	CodeKey      = "llm.key"      // the key is rejected
	CodeBlocked  = "llm.blocked"  // something before the API rejected the request
	CodeRegion   = "llm.region"   // the provider does not serve this country
	CodePath     = "llm.path"     // nothing exists at the address
	CodeModel    = "llm.model"    // unknown model
	CodeFormat   = "llm.format"   // the model has another wire format
	CodeRate     = "llm.rate"     // too many requests for now
	CodeQuota    = "llm.quota"    // no money left
	CodeContext  = "llm.context"  // the prompt is too long
	CodeRequest  = "llm.request"  // the request is rejected for another reason
	CodeServer   = "llm.server"   // the server failed
	CodeStatus   = "llm.status"   // any other status
	CodeProvider = "llm.provider" // a failure that the answer itself reports
	CodeGarbage  = "llm.garbage"  // the answer has an unexpected format
	CodeCut      = "llm.cut"      // the reply was cut off
	CodeLong     = "llm.long"     // the answer exceeds the maximum
	CodeThinking = "llm.thinking" // the model thinks up to its limit of tokens and writes nothing
	CodeRefused  = "llm.refused"  // the model or a filter of its provider refuses to answer
	CodeTools    = "llm.tools"    // the model or its server has no tool calls
)

// failure is the reason why an attempt failed.
type failure struct {
	code    string
	message string
	wait    int  // milliseconds that the server asks to wait; 0: unknown
	again   bool // another attempt may succeed
}

// withDetail appends a provider's message to a description.
func withDetail(what, detail string) string {
	detail = strings.TrimRight(strings.TrimSpace(detail), ".")
	if detail == "" {
		return what
	}
	return what + ": " + detail
}

// err converts a failure to an error with its fix.
func (f failure) err(e Endpoint) error {
	message := f.message
	if x := Explain(f.code, e, "", nil); x.Fix != "" {
		message += "; " + x.Fix
	}
	return source.NewError(f.code, message)
}

// refusedMessage describes an answer that a model or a filter withholds, or a request that a filter rejects.
const refusedMessage = "the model or a filter of its provider refused to answer"

// refusal is the failure of an answer that the provider marks as refused.
func refusal(text string) failure {
	return failure{code: CodeRefused, message: withDetail(refusedMessage, cutTokens(strings.TrimSpace(text), 30))}
}

// hostFailure converts a host's error.
func hostFailure(err *process.EffectError) failure {
	f := failure{code: "llm." + err.Code, message: withDetail("the request to the endpoint failed", err.Message)}
	if f.code == CodeCut {
		f.message = withDetail("the reply was cut off", err.Message)
	}
	switch err.Code {
	case "network", "offline", "timeout", process.CodeInterrupted:
		f.again = true
	}
	return f
}

// unreadable returns the error for a malformed answer of the host.
func unreadable(err error) error {
	return source.NewError("llm.answer", "the host's answer cannot be read: "+err.Error())
}

// statusFailure classifies an error status. Providers agree on the statuses, but not on the
// texts.
func statusFailure(value process.HTTPValue, body string) failure {
	status := value.Status
	kind, detail := "", strings.TrimSpace(cutTokens(body, 50))
	if fault := providerFault(body); fault != nil {
		kind, detail = fault.Kind, strings.TrimSpace(cutTokens(fault.Message, 250))
	}
	low := strings.ToLower(kind + " " + detail)
	f := failure{wait: waitOf(value.Headers)}
	if f.wait == 0 {
		f.wait = waitIn(low)
	}
	switch {
	case status == 402 || status == 429 && has(low, "insufficient_quota", "limit: 0,") || status == 400 && has(low, "credit balance"):
		f.code, f.message = CodeQuota, "the endpoint requires payment first"
	case (status == 400 || status == 403 || status == 422 || status == 451) && isFiltered(low):
		f.code, f.message = CodeRefused, refusedMessage
	case status == 403 && isBlocked(low, body):
		f.code, f.message, detail = CodeBlocked, "a firewall or proxy before the API rejected the request", cmp.Or(titleOf(body), detail)
	case (status == 400 || status == 403) && isRegion(low):
		f.code, f.message = CodeRegion, "the provider does not serve this country or region"
	case (status == 400 || status == 404) && has(low, "v1/responses", "responses api", "not a chat model", "v1/completions"):
		f.code, f.message = CodeFormat, "the model does not support the wire format of the endpoint"
	case status != 401 && status != 403 && status != 429 && has(low, "support tool", "tool choice requires", "--jinja"):
		f.code, f.message = CodeTools, "the model or its server has no tool calls"
	case status == 401 || status == 403 || status == 400 && has(low, "api key", "api_key"):
		f.code, f.message = CodeKey, "the endpoint refused the key"
	case status == 404 && has(low, "model"), (status == 400 || status == 422) && has(low, "model_not_found", "model not found", "invalid model", "not a valid model", "model identifier is invalid"):
		f.code, f.message = CodeModel, "unknown model at the endpoint"
	case status == 404 || status == 405 || status >= 300 && status < 400:
		f.code, f.message = CodePath, fmt.Sprintf("no model API found at this address (status %d)", status)
	case status == 413 || (status == 400 || status == 422) && isContext(low):
		f.code, f.message = CodeContext, "the prompt is too long for the model"
	case status == 429:
		f.code, f.message, f.again = CodeRate, "the endpoint received too many requests", true
	case status == 408 || status == 409:
		f.code, f.message, f.again = CodeServer, fmt.Sprintf("the endpoint was not ready (status %d)", status), true
	case status >= 500:
		f.code, f.message = CodeServer, fmt.Sprintf("the endpoint failed with status %d", status)
		f.again = status <= 504 && status != 501 || status == 529
	case status == 400 || status == 422:
		f.code, f.message = CodeRequest, fmt.Sprintf("the endpoint refused the request (status %d)", status)
	default:
		f.code, f.message = CodeStatus, fmt.Sprintf("the endpoint answered with status %d", status)
	}
	switch header(value.Headers, "x-should-retry") {
	case "true":
		f.again = true
	case "false":
		f.again = false
	}
	f.message = withDetail(f.message, detail)
	return f
}

// faultFailure classifies a failure that a body reports.
func faultFailure(fault Fault) failure {
	switch fault.Kind {
	case FaultGarbage:
		return failure{code: CodeGarbage, message: withDetail("the reply does not match the endpoint's wire format", fault.Message)}
	case FaultLong:
		return failure{code: CodeLong, message: "the answer exceeds the maximum length"}
	}
	low := strings.ToLower(fault.Kind + " " + fault.Message)
	f := failure{code: CodeProvider, message: withDetail("the endpoint reports", fault.Message)}
	switch {
	case isFiltered(low):
		f.code, f.message = CodeRefused, withDetail(refusedMessage, fault.Message)
	case has(low, "rate_limit", "resource_exhausted"):
		f.code, f.again = CodeRate, true
	case has(low, "overloaded", "unavailable", "server_error", "api_error", "internal_error", "timeout", "503", "502", "500"):
		f.code, f.again = CodeServer, true
	case has(low, "authentication", "permission"):
		f.code = CodeKey
	case isContext(low):
		f.code = CodeContext
	case has(low, "model") && has(low, "not found", "not_found"):
		f.code = CodeModel
	}
	return f
}

func isContext(low string) bool {
	return has(low, "context length", "context_length", "maximum context", "context size", "context window", "prompt is too long", "too many tokens", "exceed_context", "exceeds the maximum number of tokens", "input is too long")
}

// isFiltered reports whether an error is the decision of a filter about the prompt or the answer, and not one
// about the account.
func isFiltered(low string) bool {
	return has(low, "content_filter", "content filter", "content_policy", "content policy", "content management policy", "responsibleaipolicy", "requires moderation", "moderation_blocked", "moderation system") ||
		has(low, "flagged") && !has(low, "account", "organization", "api key")
}

// isBlocked reports whether a refusal comes from a firewall or proxy: the API itself answers with JSON.
func isBlocked(low, body string) bool {
	start := strings.ToLower(strings.TrimSpace(cutTokens(body, 10)))
	return strings.HasPrefix(start, "<!doctype") || strings.HasPrefix(start, "<html") || strings.HasPrefix(start, "<head") ||
		has(low, "firewall", "public access is disabled")
}

// isRegion reports whether an error is about the country of the caller. The region of a service, such as that of a
// signature, is none.
func isRegion(low string) bool {
	return has(low, "unsupported_country", "unsupported countr", "unsupported region", "countries, regions", "country, region", "user location", "your country", "your region", "your location", "territory not supported",
		"country is not supported", "region is not supported", "country not supported", "region not supported", "in this country", "in this region")
}

// titleOf returns the title of an HTML page, or "".
func titleOf(body string) string {
	low := strings.ToLower(body)
	start := strings.Index(low, "<title>")
	if start < 0 || len(low) != len(body) {
		return ""
	}
	title, _, _ := strings.Cut(body[start+len("<title>"):], "<")
	return strings.TrimSpace(cutTokens(title, 30))
}

func has(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// concessions are the features that an endpoint has refused, which later requests omit. A
// refusal costs nothing, so the request is repeated at once.
type concessions struct {
	temperature, maxTokens, stop, logprobs, streamOptions, schema, structured, prefix, tools, effort, summary, opaque, stream bool
	adaptive, display, level                                                                                                  bool     // see adaptive.go
	extra                                                                                                                     []string // fields of the extra body
}

// from returns capabilities without the refused ones.
func (c concessions) from(caps Capabilities) Capabilities {
	caps.Stop = caps.Stop && !c.stop
	caps.Logprobs = caps.Logprobs && !c.logprobs
	caps.Tools = caps.Tools && !c.tools
	if c.schema {
		caps.Schema = false
		if caps.Choice == ChoiceSchema {
			caps.Choice = ChoiceNone
		}
	}
	if c.structured && caps.Choice != ChoiceSchema {
		caps.Choice = ChoiceNone
	}
	caps.Custom = caps.Custom && !c.structured
	if c.prefix {
		caps.Prefix = PrefixNone
	}
	return caps
}

// concede records the refused feature and returns its name, "" if it cannot be omitted or was
// omitted already. A name in the message counts only if the request contained it and the
// message has a word that reports something as unsupported. Fields of the extra body take
// precedence over other features with the same name.
func (c *concessions) concede(status int, detail, sent string, extra json.RawMessage) string {
	low := strings.ToLower(detail)
	if !c.stream && strings.Contains(sent, "/converse-stream {") && has(low, "stream") && (status == 400 || status == 403 || status == 404 || status == 422) {
		c.stream = true // models and permissions without a stream
		return "streaming"
	}
	if status != 400 && status != 404 && status != 422 || isContext(low) ||
		!has(low, "support", "deprecat", "unknown", "unrecognized", "permitted", "allowed", "extra", "unexpected", "only the default", "invalid", "incompatible", "must end with a user", "does not accept", "must start with a thinking", "must be verified", "not enabled", "may only be set") {
		return ""
	}
	if name := c.concedeExtra(low, extra); name != "" {
		return name
	}
	if name := c.concedeAdaptive(low, sent); name != "" {
		return name
	}
	for _, p := range []struct {
		flag *bool
		name string // name in messages
		sent string // name in bodies
	}{
		{&c.opaque, "reasoning_content", `"reasoning_content"`},
		{&c.opaque, "reasoning_details", `"reasoning_details"`},
		{&c.opaque, "extra_content", `"extra_content"`},
		{&c.opaque, "thought_signature", `"thought_signature"`},
		{&c.opaque, "signature", `"signature"`},
		{&c.opaque, "encrypted_content", `encrypted_content"`},
		{&c.opaque, "encrypted content", `encrypted_content"`},
		{&c.summary, "summar", `"summary":"auto"`},
		{&c.opaque, "thoughtsignature", `"thoughtSignature"`},
		{&c.opaque, "thought signature", `"thoughtSignature"`},
		{&c.effort, "reasoning_effort", `"reasoning_effort"`},
		{&c.effort, "reasoning", `"reasoning":{`},
		{&c.effort, "chat_template_kwargs", `"chat_template_kwargs"`},
		{&c.effort, "thinking", `"thinking":{`},
		{&c.effort, "thinking", `"thinkingConfig"`},
		{&c.effort, "reasoning", `"reasoningConfig"`},
		{&c.effort, "think", `"think":`},
		{&c.maxTokens, "max_tokens", `"max_tokens"`},
		{&c.maxTokens, "max_completion_tokens", `"max_completion_tokens"`},
		{&c.stream, "to stream", `"stream":true`}, // OpenAI, for unverified organizations
		{&c.streamOptions, "stream_options", `"stream_options"`},
		{&c.temperature, "temperature", `"temperature"`},
		{&c.logprobs, "logprobs", `logprobs"`},
		{&c.structured, "structured_outputs", `"structured_outputs"`},
		{&c.structured, "grammar", `"grammar"`},
		{&c.structured, "custom", `"custom"`},
		{&c.structured, "lark", `"lark"`},
		{&c.schema, "response_format", `"response_format"`},
		{&c.schema, "json_schema", `"json_schema"`},
		{&c.schema, "text.format", `"json_schema"`},
		{&c.schema, "output_config", `"json_schema"`},
		{&c.schema, "outputconfig", `"outputConfig"`},
		{&c.schema, "response mime type", `"responseMimeType"`},
		{&c.schema, "responsemimetype", `"responseMimeType"`},
		{&c.schema, "responsejsonschema", `"responseJsonSchema"`},
		{&c.schema, "output format", `"json_schema"`},
		{&c.schema, "structured output", `"json_schema"`},
		{&c.prefix, "prefill", `"assistant"`},
		{&c.prefix, "continue_final_message", `"continue_final_message"`},
		{&c.prefix, "prefix", `"prefix"`},
		{&c.tools, "tools", `"tools"`},
		{&c.tools, "tool use", `"toolConfig"`},
		{&c.tools, "function calling", `"functionDeclarations"`},
		{&c.stop, "stop_sequences", `"stop_sequences"`},
		{&c.stop, "stopsequences", `"stopSequences"`},
		{&c.stop, "stop", `"stop"`},
	} {
		if !*p.flag && strings.Contains(low, p.name) && strings.Contains(sent, p.sent) {
			*p.flag = true
			return p.name
		}
	}
	return ""
}
