package llm

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Explanation describes a failure and its fix, one sentence each.
type Explanation struct {
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

// Explain explains a failure of an endpoint by its code. origin is the origin of the page,
// or ""; models are those that the endpoint lists, if known. The explanation of an unknown
// code is empty.
func Explain(code string, e Endpoint, origin string, models []string) Explanation {
	page := origin
	if page == "" {
		page = "the address of this page"
	}
	switch code {
	case "llm.cors":
		return Explanation{"the server answers, but does not let this page read it (CORS)", corsFix(e, page)}
	case "llm.mixed-content":
		fix := "use an address that begins with https://, or " + tunnelFix(e)
		if !isLocal(origin) {
			fix = "serve Stile on this machine with \"go run ./build serve\", " + fix
		}
		return Explanation{"a page may call plain http on this machine, and in its network only if this machine serves the page", fix}
	case "llm.local-network":
		return Explanation{
			"the browser blocks this page from this machine or its network until you allow it",
			"allow \"local network access\" for this page in the browser's site settings; inside a frame, the frame needs allow=\"local-network-access\"",
		}
	case "llm.network":
		if isLocal(e.URL) {
			return Explanation{"no server answers at this address", "start the server, and check that the address has its port; " + corsFix(e, page)}
		}
		return Explanation{"the server could not be reached", "check the address and the network"}
	case CodePath:
		if origin != "" && hostPrefix(e.Base()) == origin {
			return Explanation{"this is the address of Stile itself, not of a model server", "start the model server on another port, and write that port into the address"}
		}
		return Explanation{"no model API found at this address", pathFix(e)}
	case CodeModel:
		return Explanation{"the server has no model " + e.Model, modelFix(e, models)}
	case CodeFormat:
		fix := "set the format to \"responses\", or to \"completions\" for an older model"
		if e.format() == FormatResponses {
			fix = "set the format to \"openai\" (chat completions)"
		}
		return Explanation{"the model does not support the wire format of the endpoint", fix}
	case CodeGarbage:
		return Explanation{"the reply does not match the endpoint's wire format", "check the format, and that the address is that of the API: " + pathFix(e)}
	}
	return fixedExplanations[code]
}

// fixedExplanations maps codes to explanations that depend on nothing else.
var fixedExplanations = map[string]Explanation{
	CodeKey:       {"the key is refused", "check that the key belongs to this provider, is not revoked, and may use the model"},
	CodeBlocked:   {"a firewall or proxy before the API rejected the request", "check the address and the network, for example a VPN or the provider's access rules; the key was not checked"},
	CodeRegion:    {"the provider does not serve this country or region", "use a provider that does; the key is not at fault"},
	CodeRate:      {"the server received too many requests", "wait a while, or use another model or a larger plan"},
	CodeQuota:     {"the provider requires payment first", "add credit to the account that the key belongs to"},
	CodeContext:   {"the prompt is longer than the model's context", "shorten it, or use a model with a larger context"},
	CodeRequest:   {"the server refuses the request", "check the endpoint's format, server and model"},
	CodeStatus:    {"the server refuses the request", "check the endpoint's format, server and model"},
	CodeServer:    {"the server failed", "try again later"},
	CodeProvider:  {"the server failed", "try again later"},
	CodeCut:       {"the reply was cut off", "the received part is kept and billed; continue from it, or retry"},
	CodeLong:      {"the answer exceeds the maximum length", "set a limit of tokens"},
	CodeThinking:  {"the model used all of its tokens for thinking and wrote nothing", "lower its effort or raise the thinking tokens in the settings of the endpoint, or choose a model that thinks less"},
	CodeRefused:   {"the model or a filter of its provider refused to answer", "change the task, or choose another model"},
	CodeTools:     {"the model or its server has no tool calls", "choose the surface \"text\" or a model with tool calls, or start the server with them"},
	"llm.offline": {"this device has no network", "connect it, or use a server on this machine"},
	"llm.timeout": {"the server sends no more data", "try again; a local model may need longer to load: raise the endpoint's idle time"},
}

// corsFix returns the setting that makes a server allow requests from a page.
func corsFix(e Endpoint, page string) string {
	switch {
	case e.format() == FormatOllama || e.format() == FormatOllamaGenerate || e.Server == "ollama":
		return "start Ollama with OLLAMA_ORIGINS=" + page
	case e.format() == FormatBedrock:
		return "call Bedrock through a gateway that accepts pages from " + page
	case e.Server == "vllm":
		return "start vLLM with --allowed-origins '[\"" + page + "\"]'"
	case e.Server == "lmstudio":
		return "switch on \"Enable CORS\" in LM Studio's server settings"
	case e.Server == "llamacpp":
		return "llama.cpp accepts every page: check the address, and that no proxy between the page and the server rejects the request"
	case e.format() == FormatAnthropic && hostOf(e.URL) == "api.anthropic.com":
		return "Anthropic accepts pages that send anthropic-dangerous-direct-browser-access, as this one does, unless the organization forbids it: check its settings"
	}
	return "let the server accept pages from " + page + ", or use a provider that does"
}

// pathFix returns the probable correction of an address.
func pathFix(e Endpoint) string {
	base := e.Base()
	switch format := e.format(); {
	case e.Server == "azure":
		return "the address ends in /openai/v1, or in /openai/deployments/NAME?api-version=…, and the model is the name of a deployment"
	case (format == FormatOpenAI || format == FormatCompletions || format == FormatResponses) && !strings.Contains(base[len(hostPrefix(base)):], "/"):
		return "try " + e.withQuery(base+"/v1")
	case format == FormatGemini && base == hostPrefix(base):
		return "try " + e.withQuery(base+"/v1beta")
	case (format == FormatOllama || format == FormatOllamaGenerate) && strings.HasSuffix(base, "/v1"):
		return "try " + strings.TrimSuffix(base, "/v1") + ", or the format openai"
	}
	if openai, ok := strings.CutSuffix(base, "/openai"); ok && e.format() == FormatGemini {
		return "try " + openai + ", or the format openai"
	}
	ask, _ := e.address()
	if e.format() == FormatResponses {
		return "the request went to " + ask + "; servers without it have the format openai"
	}
	return "the request went to " + ask
}

// tunnelFix returns the command for a tunnel through which a server in the network gets an address on this machine.
func tunnelFix(e Endpoint) string {
	base := e.Base()
	prefix := hostPrefix(base)
	host := hostOf(base)
	port := "80"
	if i := strings.LastIndex(prefix, host+":"); host != "" && i >= 0 {
		port = prefix[i+len(host)+1:]
	}
	return "open a tunnel (ssh -L " + port + ":localhost:" + port + " " + host + ") and use http://localhost:" + port + base[len(prefix):]
}

// hostPrefix returns an address up to the end of its host.
func hostPrefix(base string) string {
	start := strings.Index(base, "://") + 3
	if i := strings.IndexByte(base[min(start, len(base)):], '/'); i >= 0 {
		return base[:start+i]
	}
	return base
}

// modelFix returns the probably intended model.
func modelFix(e Endpoint, models []string) string {
	if near := nearestModel(e.Model, models); near != "" {
		return "did you mean " + near + "?"
	}
	if len(models) > 0 {
		return "it has " + strings.Join(models[:min(len(models), 5)], ", ") + map[bool]string{true: " and others", false: ""}[len(models) > 5]
	}
	if e.format() == FormatOllama || e.format() == FormatOllamaGenerate || e.Server == "ollama" {
		return "run: ollama pull " + e.Model
	}
	return "choose one of the models that it lists"
}

// nearestModel returns the model with the most similar name, or a model whose name contains the name.
func nearestModel(name string, models []string) string {
	if near := source.Nearest(name, models); near != "" {
		return near
	}
	for _, m := range models {
		if name != "" && m != name && strings.Contains(strings.ToLower(m), strings.ToLower(name)) {
			return m
		}
	}
	return ""
}
