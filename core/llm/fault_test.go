package llm

import (
	"encoding/json"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

// A refusal is classified by its status first; a text decides only among the statuses that
// providers use for several faults.
func TestStatusesAreClassified(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		retry  string // x-should-retry
		code   string
		again  bool
	}{
		{402, "", "", CodeQuota, false},
		{429, "insufficient_quota", "", CodeQuota, false},
		{500, "insufficient_quota", "", CodeServer, true},
		{400, "your credit balance is too low", "", CodeQuota, false},
		{418, "your credit balance is too low", "", CodeStatus, false},
		{429, "slow down", "", CodeRate, true},
		{401, "", "", CodeKey, false}, {403, "", "", CodeKey, false},
		{400, "no API key", "", CodeKey, false}, {400, "bad api_key", "", CodeKey, false},
		{403, "Country, region, or territory not supported", "", CodeRegion, false}, {401, "wrong region", "", CodeKey, false},
		{404, "This is not a chat model. Did you mean to use v1/completions?", "", CodeFormat, false},
		{404, "This model is only supported in v1/responses", "", CodeFormat, false}, {500, "v1/responses", "", CodeServer, true},
		{422, "no API key", "", CodeRequest, false},
		{400, azureFilter, "", CodeRefused, false},
		{403, `{"error":{"message":"openai/gpt-5 requires moderation on Azure. Your input was flagged for \"violence\". No credits were charged.","code":403,"metadata":{"reasons":["violence"]}}}`, "", CodeRefused, false},
		{403, `{"error":{"message":"Your account has been flagged for abuse."}}`, "", CodeKey, false},
		{400, `{"error":{"message":"Your request was rejected as a result of our safety system.","code":"content_policy_violation"}}`, "", CodeRefused, false},
		{403, "<!DOCTYPE html>\n<html><head><title>Attention Required! | Cloudflare</title></head><body>Sorry, you have been blocked. country region</body></html>", "", CodeBlocked, false},
		{403, "<html>\r\n<head><title>403 Forbidden</title></head></html>", "", CodeBlocked, false},
		{403, `{"error":{"code":"403","message":"Access denied due to Virtual Network/Firewall rules."}}`, "", CodeBlocked, false},
		{401, "<html><title>401</title></html>", "", CodeKey, false},
		{403, `{"message":"Credential should be scoped to a valid region."}`, "", CodeKey, false},
		{403, `{"error":{"code":"unsupported_country_region_territory","message":"not supported"}}`, "", CodeRegion, false},
		{403, `{"message":"Model access is denied in region us-east-1"}`, "", CodeKey, false},
		{400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`, "", CodeKey, false},
		{400, `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`, "", CodeRegion, false},
		{400, `{"message":"Access to Anthropic models is not allowed from unsupported countries, regions, or territories."}`, "", CodeRegion, false},
		{404, `{"error":{"code":404,"message":"models/x is not found for API version v1beta","status":"NOT_FOUND"}}`, "", CodeModel, false},
		{400, `{"message":"The provided model identifier is invalid."}`, "", CodeModel, false},
		{400, `{"message":"Input is too long for requested model."}`, "", CodeContext, false},
		{400, `{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8).","status":"INVALID_ARGUMENT"}}`, "", CodeContext, false},
		{403, `{"Message":"Authentication failed: Please make sure your API Key is valid."}`, "", CodeKey, false},
		{429, `{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}`, "", CodeRate, true},
		{500, "tools param requires --jinja flag", "", CodeTools, false}, {404, "No endpoints found that support tool use", "", CodeTools, false},
		{400, "\"auto\" tool choice requires --enable-auto-tool-choice", "", CodeTools, false}, {400, "gemma does not support tools", "", CodeTools, false},
		{401, "your key does not support tools", "", CodeKey, false}, {429, "support tools", "", CodeRate, true},
		{404, "no such model", "", CodeModel, false},
		{400, "model_not_found", "", CodeModel, false}, {422, "not a valid model", "", CodeModel, false}, {400, "invalid model", "", CodeModel, false},
		{400, "the model is busy", "", CodeRequest, false},
		{500, "model not found", "", CodeServer, true},
		{404, "", "", CodePath, false}, {405, "", "", CodePath, false},
		{300, "", "", CodePath, false}, {302, "", "", CodePath, false}, {399, "", "", CodePath, false},
		{413, "", "", CodeContext, false}, {400, "maximum context", "", CodeContext, false}, {422, "prompt is too long", "", CodeContext, false},
		{503, "maximum context", "", CodeServer, true},
		{408, "", "", CodeServer, true}, {409, "", "", CodeServer, true},
		{500, "", "", CodeServer, true}, {501, "", "", CodeServer, false}, {502, "", "", CodeServer, true}, {504, "", "", CodeServer, true},
		{505, "", "", CodeServer, false}, {529, "", "", CodeServer, true}, {530, "", "", CodeServer, false},
		{400, "", "", CodeRequest, false}, {422, "", "", CodeRequest, false},
		{410, "", "", CodeStatus, false}, {499, "", "", CodeStatus, false},
		{400, "", "true", CodeRequest, true}, {500, "", "false", CodeServer, false}, {500, "", "maybe", CodeServer, true},
	} {
		f := statusFailure(process.HTTPValue{Status: c.status, Headers: map[string]string{"x-should-retry": c.retry, "retry-after": "2"}}, c.body)
		if f.code != c.code || f.again != c.again || f.wait != 2000 {
			t.Errorf("%d %q %q: %+v, want %s, again %v", c.status, c.body, c.retry, f, c.code, c.again)
		}
	}
}

const azureFilter = `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"violence":{"filtered":true,"severity":"high"}}}}}`

// The messages are those of the provider, without its JSON or HTML.
func TestMessagesOfRefusedRequestsAreReadable(t *testing.T) {
	for body, want := range map[string]string{
		azureFilter: "the model or a filter of its provider refused to answer: The response was filtered due to the prompt triggering Azure OpenAI's content management policy",
		"<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head></html>": "a firewall or proxy before the API rejected the request: Attention Required! | Cloudflare",
	} {
		status := 403
		if body == azureFilter {
			status = 400
		}
		if f := statusFailure(process.HTTPValue{Status: status}, body); f.message != want {
			t.Errorf("%s", f.message)
		}
	}
	if f := faultFailure(Fault{"content_filter", "The response was filtered"}); f.code != CodeRefused || f.again {
		t.Errorf("%+v", f)
	}
}

// Gemini states the wait in the message, and an empty quota as a limit.
func TestMessagesOfQuotasAreRead(t *testing.T) {
	for said, want := range map[string]failure{
		"Quota exceeded for metric: requests, limit: 10, model: m\nPlease retry in 34.074824224s.": {code: CodeRate, wait: 34_075, again: true},
		"Please retry in 1m2s, or later":                            {code: CodeRate, wait: 62_000, again: true},
		"Please retry in a while.":                                  {code: CodeRate, again: true},
		"Quota exceeded for metric: requests, limit: 0, model: pro": {code: CodeQuota},
	} {
		f := statusFailure(process.HTTPValue{Status: 429}, said)
		if f.message = ""; f != want {
			t.Errorf("%s: %+v", said, f)
		}
	}
}

func TestFaultsInABodyAreClassified(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		code  string
		again bool
	}{
		{Fault{FaultGarbage, "<html>"}, CodeGarbage, false},
		{Fault{FaultLong, ""}, CodeLong, false},
		{Fault{"rate_limit_error", "x"}, CodeRate, true},
		{Fault{"overloaded_error", "x"}, CodeServer, true},
		{Fault{"", "upstream 503"}, CodeServer, true},
		{Fault{"RESOURCE_EXHAUSTED", "x"}, CodeRate, true}, {Fault{"UNAVAILABLE", "x"}, CodeServer, true},
		{Fault{"MALFORMED_FUNCTION_CALL", "x"}, CodeProvider, false},
		{Fault{"authentication_error", "x"}, CodeKey, false},
		{Fault{"", "prompt is too long"}, CodeContext, false},
		{Fault{"not_found_error", "model x"}, CodeModel, false},
		{Fault{"", "model x is lazy"}, CodeProvider, false},
		{Fault{"", "file not found"}, CodeProvider, false},
	} {
		if f := faultFailure(c.fault); f.code != c.code || f.again != c.again {
			t.Errorf("%+v: %+v", c.fault, f)
		}
	}
}

// A concession removes the refused feature and nothing that depends on another.
func TestConcessionsRemoveOnlyRefusedFeatures(t *testing.T) {
	all := Capabilities{Stop: true, Logprobs: true, Tools: true, Schema: true, Prefix: PrefixPrefill, Choice: ChoiceSchema, Custom: true}
	grammar := all
	grammar.Choice = ChoiceGrammar
	for _, c := range []struct {
		name string
		have Capabilities
		lost concessions
		want func(*Capabilities)
	}{
		{"nothing", all, concessions{}, func(*Capabilities) {}},
		{"fields of the body", all, concessions{temperature: true, maxTokens: true, streamOptions: true, summary: true, stream: true}, func(*Capabilities) {}},
		{"stop", all, concessions{stop: true}, func(c *Capabilities) { c.Stop = false }},
		{"logprobs", all, concessions{logprobs: true}, func(c *Capabilities) { c.Logprobs = false }},
		{"tools", all, concessions{tools: true}, func(c *Capabilities) { c.Tools = false }},
		{"prefix", all, concessions{prefix: true}, func(c *Capabilities) { c.Prefix = PrefixNone }},
		{"schema", all, concessions{schema: true}, func(c *Capabilities) { c.Schema, c.Choice = false, ChoiceNone }},
		{"schema next to a grammar", grammar, concessions{schema: true}, func(c *Capabilities) { c.Schema = false }},
		{"structured", grammar, concessions{structured: true}, func(c *Capabilities) { c.Choice, c.Custom = ChoiceNone, false }},
		{"structured next to a schema", all, concessions{structured: true}, func(c *Capabilities) { c.Custom = false }},
	} {
		want := c.have
		c.want(&want)
		if got := c.lost.from(c.have); got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
		if got := c.lost.from(Capabilities{}); got != (Capabilities{}) {
			t.Errorf("%s: none becomes %+v", c.name, got)
		}
	}
}

// Every status that reports a refused parameter, and no other, allows a concession.
func TestOnlySomeStatusesAllowAConcession(t *testing.T) {
	for status := 200; status < 600; status++ {
		var c concessions
		got := c.concede(status, "temperature is not supported", `{"temperature":0}`, nil)
		if want := status == 400 || status == 404 || status == 422; (got == "temperature") != want || c.temperature != want {
			t.Errorf("%d: %q", status, got)
		}
	}
}

func TestProviderFaultsAreReadInEveryShape(t *testing.T) {
	for body, want := range map[string]*Fault{
		`{"error":"no"}`:                                   {Message: "no"},
		`{"error":{"message":"no","type":"t"}}`:            {Kind: "t", Message: "no"},
		`{"error":{"message":"no","type":"t","code":"c"}}`: {Kind: "c", Message: "no"},
		`{"error":{"message":"no","type":"t","code":7}}`:   {Kind: "t", Message: "no"},
		`{"error":{"type":"t"}}`:                           {Kind: "t", Message: `{"type":"t"}`},
		`{"error":17}`:                                     {Message: "17"},
		`{"error":{"message":"no","code":7,"status":"S"}}`: {Kind: "S", Message: "no"},
		`{"error":{"message":"no","code":7,"status":400}}`: {Message: "no"},
		`{"Message":"no"}`:                                 {Message: "no"},
		`{"error":null,"detail":"no"}`:                     {Message: "no"},
		`{"detail":[{"loc":1}]}`:                           {Message: `[{"loc":1}]`},
		`{"object":"error","message":"no"}`:                {Kind: "error", Message: "no"},
		`[{"error":{"message":"no"}}]`:                     {Message: "no"},
		`[]`:                                               nil, `{}`: nil, `7`: nil, `<p>`: nil, `{"message":7}`: nil,
	} {
		got := providerFault(body)
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

// The part that arrived is paid for: a stream that fails after it is not repeated, and one
// that fails before it is.
func TestAFaultInAStreamIsRepeatedOnlyBeforeTheAnswer(t *testing.T) {
	fault := event(`{"error":{"message":"overloaded","type":"server_error"}}`)
	for _, c := range []struct {
		name, body string
		asked      int
		code       string
	}{
		{"before", fault, maxAttempts, CodeServer},
		{"after", textEvent("a") + fault, 1, CodeCut},
		{"garbage after", textEvent("a") + event("x"), 1, CodeGarbage},
		{"an end before anything", ": ping\n\n", maxAttempts, CodeCut},
		{"an empty body", "", maxAttempts, CodeCut},
		{"a begun event", "data", maxAttempts, CodeCut},
		{"another text", "hello", 1, CodeGarbage},
		{"an end within the answer", textEvent("a"), 1, CodeCut},
	} {
		m, _ := New(endpoint)
		asked := 0
		reply, handed, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
			if e.Timer != nil {
				return []process.Answer{{Effect: e.ID, Value: []byte("null")}}
			}
			asked++
			return chunks(e.ID, 200, c.body)
		})
		coded, ok := err.(interface{ Code() string })
		if asked != c.asked || !ok || coded.Code() != c.code || reply.Text != handed {
			t.Errorf("%s: asked %d times, %+v: %v", c.name, asked, reply, err)
		}
	}
}

// Waits are at most the doubled bound of the attempt, and a wait above the maximum of a run
// is an error at once.
func TestWaitsAreBounded(t *testing.T) {
	longest := [maxAttempts - 1]int{}
	for seed := range uint64(200) {
		m, _ := New(endpoint)
		waits := []int{}
		_, _, _, err := askSeeded(t, seed, m, Request{}, 0, func(e process.Effect) []process.Answer {
			if e.Timer != nil {
				waits = append(waits, e.Timer.Milliseconds)
				return []process.Answer{{Effect: e.ID, Value: []byte("null")}}
			}
			return chunks(e.ID, 500)
		})
		if err == nil || len(waits) > maxAttempts-1 {
			t.Fatalf("%v, %v", waits, err)
		}
		for i, w := range waits {
			longest[i] = max(longest[i], w)
		}
	}
	for i, most := range longest {
		if bound := firstWait << i; most > bound || most < bound*3/4 {
			t.Errorf("wait %d is at most %d ms of 200 runs, bound %d", i+1, most, bound)
		}
	}
	for _, c := range []struct {
		after string
		asked int
	}{{"60", maxAttempts}, {"60.001", 1}} {
		m, _ := New(endpoint)
		asked := 0
		_, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
			if e.Timer != nil {
				return []process.Answer{{Effect: e.ID, Value: []byte("null")}}
			}
			asked++
			value, _ := json.Marshal(process.HTTPValue{Status: 429, Headers: map[string]string{"retry-after": c.after}})
			return []process.Answer{{Effect: e.ID, Value: value}}
		})
		if err == nil || asked != c.asked {
			t.Errorf("retry-after %s: asked %d times, %v", c.after, asked, err)
		}
	}
}
