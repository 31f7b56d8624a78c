package llm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// ProbeSettings are the settings of a test of an endpoint.
type ProbeSettings struct {
	Endpoint Endpoint `json:"endpoint"`         // without a model, only the list of models is tested
	Origin   string   `json:"origin,omitempty"` // of the page, for explanations
}

// ProbeEvent is a result of a step of the test.
type ProbeEvent struct {
	Kind    string `json:"kind"` // "probe.step"
	Name    string `json:"name"` // "models", "model", "chat", or the tested feature: "logprobs", "tools", "choice", "prefix"
	State   string `json:"state"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
}

// States of a [ProbeEvent].
const (
	ProbeOK      = "ok"
	ProbeFailed  = "failed"
	ProbeSkipped = "skipped"
)

// ProbeResult is the result of a test.
type ProbeResult struct {
	Server       string       `json:"server,omitempty"` // as the endpoint reports it, or as guessed
	Models       []string     `json:"models"`
	Capabilities Capabilities `json:"capabilities"`
	Milliseconds int          `json:"milliseconds"` // time of the answer
	Reply        string       `json:"reply"`
	Usage        Usage        `json:"usage"`
	Cost         float64      `json:"cost"`
}

// ProbeRun returns the body of a run that tests an endpoint, with [ProbeSettings].
func ProbeRun(settings json.RawMessage) (process.Func, error) {
	var s ProbeSettings
	if err := json.UnmarshalStrict(settings, &s); err != nil {
		return nil, source.NewError("probe.settings", "the settings of a test of an endpoint: "+err.Error())
	}
	check := s.Endpoint
	if check.Model == "" {
		check.Model = "any"
	}
	if err := check.Check(); err != nil {
		return nil, err
	}
	return func(env *process.Env) (any, error) { return Probe(env, s) }, nil
}

// Probe tests an endpoint: it lists the models, requests an answer of one word, and tries
// the unknown capabilities. It emits each step when the step ends, and repeats no step.
// The error is that of the failed step.
func Probe(env *process.Env, s ProbeSettings) (*ProbeResult, error) {
	p := &probe{env: env, ProbeSettings: s, result: &ProbeResult{Server: s.Endpoint.Server, Models: []string{}}}
	if err := p.models(); err != nil {
		return nil, err
	}
	p.result.Capabilities = p.Endpoint.Known()
	if p.Endpoint.Model == "" {
		p.skip("chat", "no model is chosen yet")
		return p.result, nil
	}
	if err := p.chat(); err != nil {
		return nil, err
	}
	p.trials()
	return p.result, nil
}

type probe struct {
	ProbeSettings
	env      *process.Env
	result   *ProbeResult
	without  concessions // the features that the chat request had to omit
	thinking int         // thinking tokens that the chat request needed; 0: none
}

func (p *probe) step(name, state, message, fix string) {
	p.env.Emit(ProbeEvent{"probe.step", name, state, message, fix})
}

func (p *probe) skip(name, why string) { p.step(name, ProbeSkipped, why, "") }

// failed emits a failed step and returns its error.
func (p *probe) failed(name string, err error) error {
	var coded interface{ Code() string }
	message, fix := err.Error(), ""
	if errors.As(err, &coded) {
		if x := Explain(coded.Code(), p.Endpoint, p.Origin, p.result.Models); x.Message != "" {
			// The endpoint's message is kept; the generic fix is replaced with a more specific one.
			message = strings.TrimSuffix(message, "; "+Explain(coded.Code(), p.Endpoint, "", nil).Fix)
			fix = x.Fix
		}
	}
	p.step(name, ProbeFailed, message, fix)
	return err
}

// maxPages bounds the pages of a list of models.
const maxPages = 10

// models lists the models. Only failures that affect every request are errors, because
// not every server lists its models.
func (p *probe) models() error {
	_, url := p.Endpoint.address()
	if url == "" {
		p.skip("models", "the endpoint has no list of models")
		return nil
	}
	var names []string
	page := url
	for range maxPages {
		list, err := p.page(page)
		if err != nil || list == nil && names == nil {
			return err
		}
		if list == nil {
			break // the first pages suffice
		}
		names = append(names, list.names...)
		p.guess(list.owner)
		if list.next == "" {
			break
		}
		page = url + "&pageToken=" + segment(list.next)
	}
	p.result.Models = names
	p.step("models", ProbeOK, fmt.Sprintf("the server lists %d models", len(names)), "")
	model := p.Endpoint.Model
	switch {
	case model == "":
	case contains(names, model) || contains(names, model+":latest"):
		p.step("model", ProbeOK, model+" is in the list", "")
	default: // it may be an alias
		p.step("model", ProbeSkipped, model+" is not in the list", modelFix(p.Endpoint, names))
	}
	return nil
}

// page requests a page of the list of models; nil: there is none.
func (p *probe) page(url string) (*modelList, error) {
	request := p.Endpoint.http("GET", url, "")
	raw, err := p.env.Start(process.Request{HTTP: &request}).Value()
	var effect *process.EffectError
	if errors.As(err, &effect) {
		return nil, p.failed("models", hostFailure(effect).err(p.Endpoint))
	}
	if err != nil {
		return nil, err
	}
	var value process.HTTPValue
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, unreadable(err)
	}
	if value.Status >= 300 {
		f := statusFailure(value, value.Body)
		switch f.code {
		case CodeKey, CodeQuota:
			return nil, p.failed("models", f.err(p.Endpoint))
		case CodePath, CodeModel:
			p.skip("models", fmt.Sprintf("the server lists no models (status %d)", value.Status))
		default:
			_ = p.failed("models", f.err(p.Endpoint)) // the answer to the next request is more specific
		}
		return nil, nil
	}
	list := parseModels(value.Body)
	if list == nil {
		_ = p.failed("models", faultFailure(Fault{FaultGarbage, cutTokens(value.Body, 20)}).err(p.Endpoint))
	}
	return list, nil
}

type modelList struct {
	names []string
	owner string // of all; "" if it varies
	next  string // token of the next page; "" for the last one
}

// parseModels reads a list of models in any format; nil: the body is no list. Of Gemini's models it
// returns those that generate texts.
func parseModels(body string) *modelList {
	type model struct {
		ID      string
		Name    string
		Model   string
		OwnedBy string `json:"owned_by"`

		SupportedGenerationMethods []string
	}
	var list struct {
		Data          *[]model
		Models        *[]model
		NextPageToken string
	}
	var models []model
	switch err := json.Unmarshal([]byte(body), &list); {
	case err == nil && list.Data != nil:
		models = *list.Data
	case err == nil && list.Models != nil:
		models = *list.Models
	case err == nil || json.Unmarshal([]byte(body), &models) != nil: // Together returns a bare list
		return nil
	}
	out := &modelList{names: []string{}, next: list.NextPageToken}
	for i, m := range models {
		if m.SupportedGenerationMethods != nil && !contains(m.SupportedGenerationMethods, "generateContent") {
			continue
		}
		name := m.ID
		if name == "" {
			name = m.Name
		}
		if name == "" {
			name = m.Model
		}
		out.names = append(out.names, strings.TrimPrefix(name, "models/")) // Gemini's
		if i == 0 {
			out.owner = m.OwnedBy
		} else if out.owner != m.OwnedBy {
			out.owner = ""
		}
	}
	return out
}

// guess determines the server by its address or by the owner of its models.
func (p *probe) guess(owner string) {
	own := []string{FormatOllama, FormatOllamaGenerate, FormatAnthropic, FormatGemini, FormatBedrock}
	if p.Endpoint.Server != "" || contains(own, p.Endpoint.format()) {
		return
	}
	host := hostOf(p.Endpoint.URL)
	for _, s := range servers {
		if s.at(host) || s.owner != "" && owner == s.owner {
			p.Endpoint.Server, p.result.Server = s.name, s.name
			return
		}
	}
}

// ask sends a request once, assuming the capabilities caps.
func (p *probe) ask(caps Capabilities, r Request) (Reply, error) {
	e := p.Endpoint
	e.Capabilities = &caps
	m := &endpointModel{Endpoint: e, attempts: 1, exact: true, without: p.without, thinking: p.thinking}
	reply, err := m.Generate(p.env, r, func(string) bool { return true })
	p.result.Usage.Prompt += reply.Usage.Prompt
	p.result.Usage.Completion += reply.Usage.Completion
	p.result.Cost += reply.Cost
	return reply, err
}

// wordTokens is more than the number of tokens of one word, because some models add other tokens.
const wordTokens = 16

func user(text string) []Message { return []Message{{Role: "user", Content: text}} }

// chat requests an answer of one word.
func (p *probe) chat() error {
	m := newEndpointModel(p.Endpoint)
	m.attempts = 1
	request := Request{Messages: user("Answer with this word and nothing else: ready"), MaxTokens: wordTokens}
	reply, err := m.Generate(p.env, request, func(string) bool { return true })
	raised := m.thinking
	if err == nil && reply.Reason == StopLength && p.Endpoint.format() == FormatOpenAI && !p.env.Earlier() {
		// The text may be a thought without an opening tag.
		p.env.Revise()
		m.thinking = max(raised, MoreTokens)
		before := reply
		reply, err = m.Generate(p.env, request, func(string) bool { return true })
		reply.add(before)
	}
	p.result.Usage, p.result.Cost = reply.Usage, reply.Cost
	if err != nil {
		return p.failed("chat", err)
	}
	if m.opening == openingThought {
		reply.Text = afterThought(reply.Text)
	}
	p.result.Reply, p.result.Milliseconds = reply.Text, reply.Milliseconds
	p.without = m.without
	p.result.Capabilities = m.without.from(p.result.Capabilities)
	if p.result.Capabilities.Unopened = m.opening == openingThought; !p.result.Capabilities.Unopened {
		m.thinking = raised
	}
	message := fmt.Sprintf("the model answered %q in %d ms", reply.Text, reply.Milliseconds)
	if reply.Text == "" {
		message = fmt.Sprintf("the model gave an empty answer in %d ms", reply.Milliseconds)
	}
	if p.thinking = m.thinking; p.thinking > 0 {
		p.result.Capabilities.Thinking = p.thinking
		message += fmt.Sprintf("; it thinks before it answers, so each request allows %d more tokens", p.thinking)
	}
	p.step("chat", ProbeOK, message, "")
	return nil
}

// trials tries the unknown capabilities of the server.
func (p *probe) trials() {
	names := []string{"logprobs", "tools", "choice", "prefix"}
	why := ""
	switch {
	case p.Endpoint.Capabilities != nil:
		why = "declared by the endpoint"
	case p.Endpoint.Server != "":
		why = "known for " + p.Endpoint.Server
	case p.Endpoint.format() != FormatOpenAI && p.Endpoint.format() != FormatCompletions:
		why = "default of the format"
	}
	if why != "" {
		for _, name := range names {
			p.skip(name, why)
		}
		return
	}
	caps := &p.result.Capabilities
	p.try("logprobs", func() (string, error) {
		reply, err := p.ask(Capabilities{Logprobs: true}, Request{Messages: user("Answer with this word and nothing else: ready"), MaxTokens: wordTokens, TopLogprobs: 2})
		caps.Logprobs = len(reply.Logprobs) > 0
		return found(caps.Logprobs, "reports log-probabilities"), err
	})
	chat := p.Endpoint.format() == FormatOpenAI
	if !chat {
		p.skip("tools", "completions have no tools")
	} else {
		p.try("tools", func() (string, error) {
			tool := Tool{Name: "report", Description: "Reports a word.", Parameters: json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`)}
			reply, err := p.ask(Capabilities{Tools: true}, Request{Messages: user("Call the tool report with the word ready."), MaxTokens: 4 * wordTokens, Tools: []Tool{tool}})
			caps.Tools = len(reply.ToolCalls) > 0
			return found(caps.Tools, "calls tools"), err
		})
	}
	p.try("choice", func() (string, error) { return p.tryChoice(caps, chat) })
	if !chat {
		p.skip("prefix", "completions continue every text")
		return
	}
	p.try("prefix", func() (string, error) { return p.tryPrefix(caps) })
}

// try runs a trial of a feature and emits the result. The feature is unsupported whether
// the endpoint refuses or ignores it.
func (p *probe) try(name string, trial func() (string, error)) {
	message, err := trial()
	switch {
	case message != "":
		p.step(name, ProbeOK, message, "")
	case err != nil:
		p.step(name, ProbeFailed, "not supported by this server or model: "+err.Error(), "")
	default:
		p.step(name, ProbeFailed, "not supported by this server or model", "")
	}
}

func found(is bool, what string) string {
	if is {
		return "the model " + what
	}
	return ""
}

// tryChoice asks for one word, and checks whether a constraint makes the model answer with another word.
func (p *probe) tryChoice(caps *Capabilities, chat bool) (string, error) {
	choices := []string{ChoiceSchema, ChoiceStructured, ChoiceGrammar}
	if !chat {
		choices = choices[1:]
	}
	var last error
	for _, choice := range choices {
		reply, err := p.ask(Capabilities{Choice: choice, Schema: choice == ChoiceSchema},
			Request{Messages: user("Answer with this word and nothing else: banana"), MaxTokens: 2 * wordTokens, Constraint: &Constraint{Choices: []string{"apple", "cherry"}}})
		if err == nil && reply.Constrained {
			caps.Choice, caps.Schema = choice, true
			return "the server enforces a choice (" + choice + ")", nil
		}
		last = err
	}
	return "", last
}

// tryPrefix begins a series in an unusual way and checks whether the answer continues it.
func (p *probe) tryPrefix(caps *Capabilities) (string, error) {
	var last error
	for _, prefix := range []string{PrefixContinue, PrefixMistral, PrefixPrefill} {
		reply, err := p.ask(Capabilities{Prefix: prefix},
			Request{Messages: user("Write the numbers from 1 to 9 with a space between them and nothing else."), Prefix: "Numbers: 1 2 3 4", MaxTokens: 2 * wordTokens})
		if err == nil && strings.HasPrefix(strings.TrimSpace(reply.Text), "5") {
			caps.Prefix = prefix
			return "the model continues a given beginning (" + prefix + ")", nil
		}
		last = err
	}
	return "", last
}
