package standin

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Begun is the text of an answer before a fault in the middle.
const Begun = "The answer begins"

// refusals maps the name of each model that rejects requests to its refusal.
var refusals = map[string]refusal{
	"fault-401":         {401, "invalid_api_key", "Incorrect API key provided"},
	"fault-401-echo":    {401, "invalid_api_key", "Incorrect API key provided: "}, // with the key
	"fault-403":         {403, "permission_error", "Your key may not use this model"},
	"fault-404":         {404, "not_found_error", "Not Found"},
	"fault-413":         {413, "request_too_large", "Request exceeds the maximum size"},
	"fault-429":         {429, "rate_limit_error", "Too many requests"},
	"fault-429-after":   {429, "rate_limit_error", "Too many requests"}, // with Retry-After: 7
	"fault-429-date":    {429, "rate_limit_error", "Too many requests"}, // with a date 9 seconds later
	"fault-429-long":    {429, "rate_limit_error", "Too many requests"}, // with Retry-After: 3600
	"fault-429-once":    {429, "rate_limit_error", "Too many requests"},
	"fault-quota":       {429, "insufficient_quota", "You exceeded your current quota"},
	"fault-500":         {500, "api_error", "Internal server error"},
	"fault-500-once":    {500, "api_error", "Internal server error"},
	"fault-501":         {501, "api_error", "Not implemented"},
	"fault-503-once":    {503, "api_error", "Service unavailable"},
	"fault-529-once":    {529, "overloaded_error", "Overloaded"},
	"fault-context":     {400, "context_length_exceeded", "This model's maximum context length is 4096 tokens; please reduce the length of the messages"},
	"fault-request":     {400, "invalid_request_error", "Something is wrong with the messages"},
	"fault-temperature": {400, "invalid_request_error", "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."},
}

// fault simulates a failing model: one of the refusals, or
//
//	fault-model       the model is unknown
//	fault-hang        no reply; fault-hang-midway: no more data after the beginning
//	fault-cut         the connection breaks midway; fault-cut-once: before any data, and only the first time
//	fault-cut-clean   the body ends midway without an error
//	fault-garbage     invalid data midway; fault-page: an HTML page instead
//	fault-error       an error event midway; fault-error-once: at the beginning, and only the first time
//	fault-empty       an empty body with status 200
//	fault-redirect    a redirect
//
// After a fault with the suffix -once, the next request is answered.
func (x *exchange) fault() {
	name := x.ask.model
	n := x.server.count(x.options["run"], name)
	if strings.HasSuffix(name, "-once") && n > 1 {
		x.answer(x.plain("Here I am again."))
		return
	}
	if r, ok := refusals[name]; ok {
		x.refuseAs(name, r)
		return
	}
	switch name {
	case "fault-hang":
		<-x.request.Context().Done()
	case "fault-redirect":
		x.out.Header().Set("Location", "/elsewhere")
		x.out.WriteHeader(http.StatusTemporaryRedirect)
	case "fault-page":
		x.out.Header().Set("Content-Type", "text/html")
		x.out.WriteHeader(http.StatusOK)
		x.out.send([]byte("<!doctype html>\n<title>Welcome</title>\n<p>This is no API.\n"))
	case "fault-empty":
		x.begin()
	case "fault-cut-once":
		x.begin()
		panic(http.ErrAbortHandler)
	case "fault-error-once":
		x.begin()
		x.event(x.format.failureEvent(refusal{529, "overloaded_error", "Overloaded"}))
	case "fault-cut", "fault-cut-clean", "fault-garbage", "fault-error", "fault-hang-midway":
		x.midway(name)
	default:
		x.unknownModel()
	}
}

// plain returns an answer that consists of a text.
func (x *exchange) plain(text string) answer {
	out := x.ask.say(text)
	out.prompt, out.completion = len(strings.Fields(x.ask.prompt())), len(out.tokens)
	return out
}

// midway sends the beginning of an answer and fails.
func (x *exchange) midway(name string) {
	x.ask.stream, x.ask.schema, x.ask.choices, x.ask.regex = true, nil, nil, ""
	x.begin()
	events := x.format.events(x.ask, x.plain(Begun+" and would continue"))
	sent := ""
	for _, e := range events {
		x.event(e)
		if sent += e; strings.Contains(sent, "begins") {
			break
		}
	}
	switch name {
	case "fault-cut":
		panic(http.ErrAbortHandler)
	case "fault-garbage":
		x.event(x.format.garbage())
		for _, e := range events {
			x.event(e)
		}
	case "fault-error":
		x.event(x.format.failureEvent(refusal{529, "overloaded_error", "Overloaded"}))
	case "fault-hang-midway":
		<-x.request.Context().Done()
	}
}

// refuseAs rejects a request with the headers of a fault.
func (x *exchange) refuseAs(name string, r refusal) {
	h := x.out.Header()
	switch name {
	case "fault-401-echo":
		r.message += x.key()
		h.Set("X-Refused", x.key())
	case "fault-429-after":
		h.Set("Retry-After", "7")
	case "fault-429-long":
		h.Set("Retry-After", "3600")
	case "fault-429-date":
		now := time.Date(2026, 2, 28, 23, 59, 55, 0, time.UTC)
		h.Set("Date", now.Format(http.TimeFormat))
		h.Set("Retry-After", now.Add(9*time.Second).Format(http.TimeFormat))
	case "fault-403":
		h.Del("Access-Control-Allow-Origin") // the reply of a firewall in front of a server
	case "fault-temperature":
		if !strings.Contains(string(x.body), `"temperature"`) {
			x.answer(x.plain("It is my own temperature."))
			return
		}
	}
	x.refuse(r)
}

func (x *exchange) unknownModel() { x.refuse(x.format.noModel(x.ask.model)) }

// strict rejects fields that the server does not support; OpenAI's newest models are the
// strictest.
func (x *exchange) strict() *refusal {
	if x.options["server"] == "functions" && x.ask.custom != "" {
		return &refusal{400, "invalid_value", "Invalid value: 'custom'. Supported values are: 'function'."}
	}
	if x.options["server"] != "openai" {
		return nil
	}
	for _, f := range []string{"structured_outputs", "grammar", "continue_final_message", "prefix"} {
		if slices.Contains(x.ask.fields, f) {
			return &refusal{400, "invalid_request_error", fmt.Sprintf("Unrecognized request argument supplied: %s", f)}
		}
	}
	if slices.Contains(x.ask.fields, "max_tokens") {
		return &refusal{400, "invalid_request_error", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}
	}
	return nil
}

// honour drops fields that the simulated server ignores.
func (x *exchange) honour() {
	a := &x.ask
	has := func(field string) bool { return slices.Contains(a.fields, field) }
	server := x.options["server"]
	switch server {
	case "":
		return
	case "plain":
		a.schema, a.choices, a.regex, a.logprobs, a.tools, a.stops = nil, nil, "", 0, nil, nil
	}
	if server != "vllm" && has("structured_outputs") || server != "llamacpp" && has("grammar") {
		a.choices, a.regex = nil, ""
	}
	mode := "prefill"
	if has("continue_final_message") {
		mode = "continue_final_message"
	} else if has("prefix") {
		mode = "prefix"
	}
	wants := map[string]string{"vllm": "continue_final_message", "mistral": "prefix", "llamacpp": "prefill"}[server]
	if mode != wants && !has("prompt") && !has("raw") {
		a.prefix, a.echo = "", false
	}
}
