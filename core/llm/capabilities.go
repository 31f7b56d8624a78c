package llm

import "strings"

// Ways to continue a turn that the model has begun.
const (
	PrefixNone     = ""         // a further message asks the model to continue
	PrefixMistral  = "prefix"   // Mistral: "prefix": true
	PrefixContinue = "continue" // vLLM: continue_final_message
	PrefixPrefill  = "prefill"  // llama.cpp: continues a last turn of the assistant
	PrefixRaw      = "raw"      // Ollama's generate: the prompt as one text
	PrefixNatural  = "natural"  // completions: the prompt is one text
)

// Ways to enforce a choice among texts.
const (
	ChoiceNone       = ""
	ChoiceSchema     = "schema"  // a JSON schema with an enum
	ChoiceGrammar    = "grammar" // llama.cpp: a GBNF grammar
	ChoiceStructured = "choice"  // vLLM: structured_outputs
)

// Capabilities lists what an endpoint supports beyond plain answers. Requests omit
// unsupported features: see [Constraint.Enforce].
type Capabilities struct {
	Stop     bool   `json:"stop,omitempty"`
	MaxStops int    `json:"maxStops,omitempty"` // maximum number of stop texts; 0: unbounded
	Logprobs bool   `json:"logprobs,omitempty"`
	Tools    bool   `json:"tools,omitempty"`
	Schema   bool   `json:"schema,omitempty"` // answers that match a JSON schema
	Prefix   string `json:"prefix,omitempty"` // one of the Prefix constants
	Choice   string `json:"choice,omitempty"` // one of the Choice constants
	Custom   bool   `json:"custom,omitempty"` // custom tools whose input matches a grammar
	// Thinking is the number of tokens added to a request's MaxTokens if the limit
	// includes the tokens that the model uses for thinking.
	Thinking int `json:"thinking,omitempty"`
	// Unopened means that an answer begins within a thought, which </think> ends: the server has no
	// parser for thoughts, and its template writes the opening tag into the prompt.
	Unopened bool `json:"unopened,omitempty"`
}

// MoreTokens covers several times the tokens that a model at low effort needs for a
// question with a short answer. An answer without a text, or one that its limit has cut off, raises the
// limit by as many.
const MoreTokens = 4096

// server is a row of the table of servers with OpenAI's formats. Properties of single
// models are not listed: a feature that a model refuses is omitted after the refusal.
type server struct {
	name  string
	host  string // parts of its addresses, separated by spaces; "" if it runs anywhere
	owner string // owner in its list of models; "" if it varies
	local bool   // it runs locally and is free
	caps  Capabilities
}

// at reports whether the server runs at a host.
func (s server) at(host string) bool {
	for _, part := range strings.Fields(s.host) {
		if strings.Contains(host, part) {
			return true
		}
	}
	return false
}

var servers = []server{
	{"openai", "api.openai.com", "", false, Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: MoreTokens}},
	{"azure", ".openai.azure.com .services.ai.azure.com .cognitiveservices.azure.com", "", false, Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: MoreTokens}},
	{"anthropic", "api.anthropic.com", "", false, Capabilities{Stop: true, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: MoreTokens}},
	{"gemini", "generativelanguage.googleapis.com", "", false, Capabilities{Stop: true, MaxStops: 4, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: MoreTokens}},
	{"mistral", "api.mistral.ai", "mistralai", false, Capabilities{Stop: true, Tools: true, Schema: true, Prefix: PrefixMistral, Choice: ChoiceSchema}},
	{"groq", "api.groq.com", "", false, Capabilities{Stop: true, MaxStops: 4, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: MoreTokens}},
	{"openrouter", "openrouter.ai", "", false, Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: MoreTokens}},
	{"together", "api.together.", "", false, Capabilities{Stop: true, MaxStops: 4, Tools: true, Schema: true, Choice: ChoiceSchema}},
	{"deepseek", "api.deepseek.com", "deepseek", false, Capabilities{Stop: true, MaxStops: 16, Logprobs: true, Tools: true}},
	{"xai", "api.x.ai", "xai", false, Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: MoreTokens}},
	{"huggingface", "router.huggingface.co", "", false, Capabilities{Stop: true, MaxStops: 4, Tools: true}},
	{"fireworks", "api.fireworks.ai", "", false, Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema}},
	{"cerebras", "api.cerebras.ai", "", false, Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema}},
	{"lmstudio", "", "organization_owner", true, Capabilities{Stop: true, Tools: true, Schema: true, Choice: ChoiceSchema}},
	{"vllm", "", "vllm", true, Capabilities{Stop: true, Logprobs: true, Tools: true, Schema: true, Prefix: PrefixContinue, Choice: ChoiceStructured}},
	{"llamacpp", "", "llamacpp", true, Capabilities{Stop: true, Logprobs: true, Tools: true, Schema: true, Prefix: PrefixPrefill, Choice: ChoiceGrammar}},
	// A model of the browser; the page answers requests to this address.
	{"browser", "language-model.localhost", "browser", true, Capabilities{Stop: true, Schema: true, Prefix: PrefixMistral, Choice: ChoiceSchema}},
	{"ollama", "", "library", true, Capabilities{Stop: true, Tools: true, Schema: true, Choice: ChoiceSchema}},
}

// Servers returns the valid values of [Endpoint.Server].
func Servers() []string {
	var out []string
	for _, s := range servers {
		out = append(out, s.name)
	}
	return out
}

func findServer(name string) (server, bool) {
	for _, s := range servers {
		if s.name == name {
			return s, true
		}
	}
	return server{}, false
}

// Known returns the endpoint's declared capabilities, or the defaults of its format and
// server, with its thinking tokens.
func (e Endpoint) Known() Capabilities {
	caps := e.declared()
	caps.Thinking = e.thinkingTokens(caps.Thinking)
	return caps
}

func (e Endpoint) declared() Capabilities {
	if e.Capabilities != nil {
		return *e.Capabilities
	}
	switch e.format() {
	case FormatResponses: // other servers implement a part of it
		openai := e.Server == "" || e.ofOpenAI()
		return Capabilities{Logprobs: openai, Tools: true, Schema: true, Choice: ChoiceSchema, Custom: openai, Thinking: MoreTokens}
	case FormatAnthropic:
		s, _ := findServer("anthropic")
		return s.caps
	case FormatGemini:
		s, _ := findServer("gemini")
		s.caps.MaxStops = 5
		return s.caps
	case FormatBedrock:
		return Capabilities{Stop: true, MaxStops: 4, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: MoreTokens}
	case FormatOllama:
		return Capabilities{Stop: true, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema}
	case FormatOllamaGenerate:
		return Capabilities{Stop: true, Logprobs: true, Schema: true, Prefix: PrefixRaw, Choice: ChoiceSchema}
	}
	s, ok := findServer(e.Server)
	if !ok {
		s.caps = Capabilities{Stop: true, MaxStops: 4}
	}
	if e.format() == FormatCompletions {
		caps := Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Prefix: PrefixNatural}
		if s.caps.Choice == ChoiceStructured || s.caps.Choice == ChoiceGrammar {
			caps.Choice, caps.Schema, caps.MaxStops = s.caps.Choice, true, 0
		}
		return caps
	}
	return s.caps
}
