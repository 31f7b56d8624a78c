package llm

// Ways to continue a turn that the model has begun.
const (
	PrefixNone     = ""         // a turn of its own asks to go on
	PrefixMistral  = "prefix"   // Mistral: "prefix": true
	PrefixContinue = "continue" // vLLM: continue_final_message
	PrefixPrefill  = "prefill"  // llama.cpp: a last turn of the assistant is gone on with
	PrefixRaw      = "raw"      // Ollama's generate: the prompt as one text
	PrefixNatural  = "natural"  // completions: the prompt is one text anyway
)

// Ways to make a server choose among texts.
const (
	ChoiceNone       = ""
	ChoiceSchema     = "schema"  // a JSON schema with an enum
	ChoiceGrammar    = "grammar" // llama.cpp: a GBNF grammar
	ChoiceStructured = "choice"  // vLLM: structured_outputs
)

// Capabilities are what an endpoint can do beyond answering. What it is not known
// to do is done without: see [Constraint.Enforce].
type Capabilities struct {
	Stop     bool   `json:"stop,omitempty"`
	MaxStops int    `json:"maxStops,omitempty"` // how many stop texts it takes; 0: any number
	Logprobs bool   `json:"logprobs,omitempty"`
	Tools    bool   `json:"tools,omitempty"`
	Schema   bool   `json:"schema,omitempty"` // answers that fit a JSON schema
	Prefix   string `json:"prefix,omitempty"` // one of the Prefix constants
	Choice   string `json:"choice,omitempty"` // one of the Choice constants
	// Thinking is how many tokens are granted on top of a request's MaxTokens,
	// where the limit that is sent counts what a model thinks before it answers.
	Thinking int `json:"thinking,omitempty"`
}

// thinking is what a model at a low effort needs for a question with a short
// answer, several times over.
const thinking = 4096

// server is a line of the table of servers: what is known of one that speaks
// OpenAI's formats. What a provider says of single models is not here: what a
// model refuses is left out of the request when it says so.
type server struct {
	name  string
	host  string // of its address, or a part of it; "" where it runs anywhere
	owner string // what its list of models says of their owner; "" where that varies
	local bool   // it runs on one's own machine: nobody is paid
	caps  Capabilities
}

var servers = []server{
	{"openai", "api.openai.com", "", false, Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: thinking}},
	{"anthropic", "api.anthropic.com", "", false, Capabilities{Stop: true, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: thinking}},
	{"gemini", "generativelanguage.googleapis.com", "", false, Capabilities{Stop: true, MaxStops: 4, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: thinking}},
	{"mistral", "api.mistral.ai", "mistralai", false, Capabilities{Stop: true, Tools: true, Schema: true, Prefix: PrefixMistral, Choice: ChoiceSchema}},
	{"groq", "api.groq.com", "", false, Capabilities{Stop: true, MaxStops: 4, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: thinking}},
	{"openrouter", "openrouter.ai", "", false, Capabilities{Stop: true, MaxStops: 4, Logprobs: true, Tools: true, Schema: true, Choice: ChoiceSchema, Thinking: thinking}},
	{"together", "api.together.", "", false, Capabilities{Stop: true, MaxStops: 4, Tools: true, Schema: true, Choice: ChoiceSchema}},
	{"lmstudio", "", "organization_owner", true, Capabilities{Stop: true, Tools: true, Schema: true, Choice: ChoiceSchema}},
	{"vllm", "", "vllm", true, Capabilities{Stop: true, Logprobs: true, Tools: true, Schema: true, Prefix: PrefixContinue, Choice: ChoiceStructured}},
	{"llamacpp", "", "llamacpp", true, Capabilities{Stop: true, Logprobs: true, Tools: true, Schema: true, Prefix: PrefixPrefill, Choice: ChoiceGrammar}},
	{"ollama", "", "library", true, Capabilities{Stop: true, Tools: true, Schema: true, Choice: ChoiceSchema}},
}

// Servers returns the names that [Endpoint.Server] may have.
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

// Known returns what the endpoint can do: what it says itself, or else what its
// format and server are known for.
func (e Endpoint) Known() Capabilities {
	if e.Capabilities != nil {
		return *e.Capabilities
	}
	switch e.format() {
	case FormatAnthropic:
		s, _ := findServer("anthropic")
		return s.caps
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
