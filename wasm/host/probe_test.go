package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
	"github.com/stile-playground/stile/wasm/host/standin"
)

// probe tests an endpoint and returns the findings, the steps as "name state", and the last step.
func (b *bench) probe(e llm.Endpoint) (result llm.ProbeResult, steps []string, last llm.ProbeEvent, code string) {
	b.t.Helper()
	settings, err := json.Marshal(llm.ProbeSettings{Endpoint: e, Origin: "https://stile.example"})
	if err != nil {
		b.t.Fatal(err)
	}
	body, err := llm.ProbeRun(settings)
	if err != nil {
		b.t.Fatal(err)
	}
	outcome, err := b.runner(&oneRun{body: body}).Run(context.Background(), session.RunStartParams{})
	b.show(outcome)
	var fault *host.CallError
	switch {
	case errors.As(err, &fault):
		code = fault.Fault.Code
	case err != nil:
		b.t.Fatal(err)
	default:
		if err := json.Unmarshal(outcome.Result, &result); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, raw := range b.events {
		var e llm.ProbeEvent
		if json.Unmarshal(raw, &e) == nil && e.Kind == "probe.step" {
			steps, last = append(steps, e.Name+" "+e.State), e
		}
	}
	return
}

//stile:race
func TestConnectionTestDetectsSettings(t *testing.T) {
	stop := llm.Capabilities{Stop: true, MaxStops: 4}
	with := func(change func(*llm.Capabilities)) llm.Capabilities {
		caps := stop
		change(&caps)
		return caps
	}
	for _, c := range []struct {
		name, format, option, server string
		caps                         llm.Capabilities
		steps                        string
		requests                     int
	}{
		{"an unknown server that can do all", "openai", "cut=0", "", with(func(c *llm.Capabilities) {
			c.Logprobs, c.Tools, c.Schema, c.Choice, c.Prefix = true, true, true, llm.ChoiceSchema, llm.PrefixContinue
		}), "models ok, model ok, chat ok, logprobs ok, tools ok, choice ok, prefix ok", 6},
		{"an unknown server that can do nothing", "openai", "server=plain", "", stop,
			"models ok, model ok, chat ok, logprobs failed, tools failed, choice failed, prefix failed", 10},
		{"a strict server", "openai", "server=openai", "", with(func(c *llm.Capabilities) {
			c.Logprobs, c.Tools, c.Schema, c.Choice = true, true, true, llm.ChoiceSchema
		}),
			"models ok, model ok, chat ok, logprobs ok, tools ok, choice ok, prefix failed", 9},
		{"vLLM, known by its models", "openai", "server=vllm", "vllm", llm.Endpoint{Server: "vllm"}.Known(),
			"models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped", 2},
		{"llama.cpp, known by its models", "openai", "server=llamacpp", "llamacpp", llm.Endpoint{Server: "llamacpp"}.Known(),
			"models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped", 2},
		{"completions", "completions", "cut=1", "", with(func(c *llm.Capabilities) {
			c.Logprobs, c.Schema, c.Choice, c.Prefix = true, true, llm.ChoiceStructured, llm.PrefixNatural
		}), "models ok, model ok, chat ok, logprobs ok, tools skipped, choice ok, prefix skipped", 4},
		{"responses", "responses", "cut=1", "", llm.Endpoint{Format: "responses"}.Known(),
			"models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped", 2},
		{"Anthropic", "anthropic", "cut=1", "", llm.Endpoint{Format: "anthropic"}.Known(),
			"models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped", 2},
		{"Ollama", "ollama", "cut=1", "", llm.Endpoint{Format: "ollama"}.Known(),
			"models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped", 2},
		{"Gemini", "gemini", "cut=1", "", llm.Endpoint{Format: "gemini"}.Known(),
			"models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped", 2},
		{"Bedrock", "bedrock", "cut=1", "", llm.Endpoint{Format: "bedrock"}.Known(),
			"models skipped, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped", 1},
		{"Ollama's completions", "ollama-generate", "cut=1", "", llm.Endpoint{Format: "ollama-generate"}.Known(),
			"models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			result, steps, _, code := b.probe(b.endpoint(c.format, "helpful", c.option))
			if code != "" || result.Capabilities != c.caps || result.Server != c.server || result.Reply != "ready" || result.Milliseconds != 250 || len(result.Models) != map[bool]int{false: len(standin.Models())}[c.format == "bedrock"] {
				t.Errorf("%q %+v", code, result)
			}
			if got := strings.Join(steps, ", "); got != c.steps {
				t.Errorf("the steps are %s", got)
			}
			if n := len(b.Requests("r")); n != c.requests {
				t.Errorf("%d requests", n)
			}
			b.noKey()
		})
	}
}

//stile:race
func TestConnectionTestExplainsFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		e     func(b *bench) llm.Endpoint
		code  string
		steps string
		says  string
		fix   string
	}{
		{"the key", func(b *bench) llm.Endpoint { return b.endpoint("openai", "helpful", "key=another") }, "llm.key", "models failed", "Incorrect API key", "check that the key"},
		{"the key of Anthropic", func(b *bench) llm.Endpoint { return b.endpoint("anthropic", "helpful", "key=another") }, "llm.key", "models failed", "Incorrect API key", "check that the key"},
		{"the key of Gemini", func(b *bench) llm.Endpoint { return b.endpoint("gemini", "helpful", "key=another") }, "llm.key", "models failed", "Incorrect API key", "check that the key"},
		{"the key of Bedrock", func(b *bench) llm.Endpoint { return b.endpoint("bedrock", "helpful", "key=another") }, "llm.key", "models skipped, chat failed", "Incorrect API key", "check that the key"},
		{"the model of Gemini", func(b *bench) llm.Endpoint { return b.endpoint("gemini", "helpfull") }, "llm.model", "models ok, model skipped, chat failed", "is not found", "did you mean helpful?"},
		{"the model of Bedrock", func(b *bench) llm.Endpoint { return b.endpoint("bedrock", "helpfull") }, "llm.model", "models skipped, chat failed", "identifier is invalid", "choose one"},
		{"the path", func(b *bench) llm.Endpoint {
			e := b.endpoint("openai", "helpful")
			e.URL = b.url
			return e
		}, "llm.path", "models skipped, chat failed", "no model API found at this address", "/v1"},
		{"the model", func(b *bench) llm.Endpoint { return b.endpoint("openai", "helpfull") }, "llm.model", "models ok, model skipped, chat failed", "does not exist", "did you mean helpful?"},
		{"the model of Ollama", func(b *bench) llm.Endpoint { return b.endpoint("ollama", "helpfull") }, "llm.model", "models ok, model skipped, chat failed", "try pulling it first", "did you mean helpful?"},
		{"the rate", func(b *bench) llm.Endpoint { return b.endpoint("openai", "fault-429") }, "llm.rate", "models ok, model skipped, chat failed", "Too many requests", "wait"},
		{"the money", func(b *bench) llm.Endpoint { return b.endpoint("openai", "fault-quota") }, "llm.quota", "models ok, model skipped, chat failed", "quota", "credit"},
		{"the server", func(b *bench) llm.Endpoint { return b.endpoint("openai", "fault-500") }, "llm.server", "models ok, model skipped, chat failed", "Internal server error", "later"},
		{"the port", func(b *bench) llm.Endpoint {
			closed := httptest.NewServer(http.NotFoundHandler())
			closed.Close()
			return llm.Endpoint{Name: "test", Format: "ollama", URL: closed.URL, Model: "m"}
		}, "llm.network", "models failed", "request to the endpoint failed", "OLLAMA_ORIGINS=https://stile.example"},
		{"a page in its place", func(b *bench) llm.Endpoint { return b.endpoint("openai", "fault-page") }, "llm.garbage", "models ok, model skipped, chat failed", "doctype", "that of the API"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			_, steps, last, code := b.probe(c.e(b))
			if code != c.code || strings.Join(steps, ", ") != c.steps {
				t.Errorf("%q, %v", code, steps)
			}
			if !strings.Contains(last.Message, c.says) || !strings.Contains(last.Fix, c.fix) || strings.Contains(last.Message, last.Fix) {
				t.Errorf("%+v", last)
			}
			if n := len(b.Requests("r")); n > 2 {
				t.Errorf("%d requests", n)
			}
			if n := len(b.retries()); n > 0 {
				t.Errorf("%d were repeated", n)
			}
		})
	}
}

// Faults that only a browser detects are explained by the codes of its host.
func TestBrowserFaultsAreExplained(t *testing.T) {
	for code, fix := range map[string]string{
		"cors": "--allowed-origins", "mixed-content": "https://", "local-network": "local network access", "offline": "connect it",
	} {
		e := llm.Endpoint{Name: "test", URL: "http://192.168.1.2:8000/v1", Model: "m", Server: "vllm"}
		p := process.New(func(env *process.Env) (any, error) {
			return llm.Probe(env, llm.ProbeSettings{Endpoint: e, Origin: "https://stile.example"})
		}, 1, meter.Budget{}, nil)
		out, err := p.Resume(nil, 0)
		if err != nil || len(out.Effects) != 1 {
			t.Fatalf("%+v %v", out, err)
		}
		out, err = p.Resume([]process.Answer{{Effect: out.Effects[0].ID, Error: &process.EffectError{Code: code, Message: "no"}}}, 0)
		if err != nil || out.State != process.StateFailed || len(out.Events) != 1 || !strings.Contains(string(out.Events[0]), fix) {
			t.Errorf("%s: %+v %v", code, out, err)
		}
	}
}

func TestModelsAreListedBeforeTheChoice(t *testing.T) {
	b := newBench(t)
	result, steps, _, code := b.probe(b.endpoint("openai", ""))
	if code != "" || len(result.Models) == 0 || strings.Join(steps, ", ") != "models ok, chat skipped" || len(b.Requests("r")) != 1 {
		t.Errorf("%q %v %+v", code, steps, result)
	}
}
