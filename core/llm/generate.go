package llm

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

type endpointModel struct {
	Endpoint
	attempts int         // maximum number of attempts for a request
	exact    bool        // refused features are not omitted
	without  concessions // the features that the endpoint has refused
	thinking int         // limit of thinking tokens, raised after an answer without text; 0: not raised
	opening  opening     // whether answers begin within a thought
}

func newEndpointModel(e Endpoint) *endpointModel {
	return &endpointModel{Endpoint: e, attempts: maxAttempts}
}

// SpentEvent is the expense of a run for its endpoints so far. It follows each request, even if
// the reply was cut off.
type SpentEvent struct {
	Kind   string  `json:"kind"` // "llm.spent"
	Calls  int     `json:"calls"`
	Tokens int     `json:"tokens"` // of both directions
	Money  float64 `json:"money"`  // dollars, for endpoints whose price is known
}

// Generate implements [Model].
func (m *endpointModel) Generate(env *process.Env, r Request, yield func(string) bool) (Reply, error) {
	before := env.Ceiling().Spent()
	reply, err := m.generate(env, r, yield)
	if spent := env.Ceiling().Spent(); spent != before {
		env.Emit(SpentEvent{"llm.spent", spent.Calls, spent.Tokens, spent.Money})
	}
	return reply, err
}

// generate makes the attempts of a request.
func (m *endpointModel) generate(env *process.Env, r Request, yield func(string) bool) (Reply, error) {
	if err := spendEndpointCall(env, r); err != nil {
		return Reply{}, err
	}
	var before Reply // of the answer without text
	for failed := 0; ; {
		request, err := m.encode(m.withThinking(r), m.without)
		if err != nil {
			return Reply{}, err
		}
		a := m.attempt(env, r, request, yield)
		if a.err != nil { // the run was stopped
			return a.reply, a.err
		}
		if a.failure == nil {
			reply, err := m.settle(env, r, a)
			reply.add(before)
			if err != nil || !a.onlyThought() && !a.refused || env.Earlier() {
				return reply, err
			}
			env.Revise()
			if a.refused {
				return reply, refusal(reply.Text).err(m.Endpoint)
			}
			if err := m.moreThinking(env, r, reply); err != nil {
				return reply, err
			}
			before = reply
			continue
		}
		if a.arrived {
			reply, err := m.settle(env, r, a)
			reply.add(before)
			if err != nil {
				return reply, err
			}
			return reply, a.failure.err(m.Endpoint)
		}
		if err := m.charge(env, r, a); err != nil {
			return a.reply, err
		}
		if !env.Earlier() { // earlier recordings counted only the usage of the last attempt
			a.reply.add(before)
			before = a.reply
		}
		name, retry := m.concede(env, a, request.URL+" "+request.Body)
		if a.failure.code == CodeTools || name == "tools" && !env.Earlier() { // without them the request has no answer
			env.Revise()
			a.failure.code = CodeTools
			return a.reply, a.failure.err(m.Endpoint)
		}
		if name != "" && !m.exact {
			if err := m.again(env, r, a); err != nil {
				return a.reply, err
			}
			env.Emit(RetryEvent{"llm.retry", m.Name, failed + 1, 0, "the model does not support " + name + ": retrying " + retry})
			continue
		}
		failed++
		wait := m.waitAfter(env, a.failure, failed)
		if !a.failure.again {
			return a.reply, a.failure.err(m.Endpoint)
		}
		if err := m.again(env, r, a); err != nil {
			return a.reply, err
		}
		env.Emit(RetryEvent{"llm.retry", m.Name, failed, wait, a.failure.message})
		if err := sleep(env, wait); err != nil {
			return a.reply, err
		}
	}
}

// waitAfter returns the milliseconds to wait after a number of failed attempts. If no other attempt follows, it changes the
// failure so that it says why.
func (m *endpointModel) waitAfter(env *process.Env, f *failure, failed int) (wait int) {
	if f.code != "llm."+process.CodeInterrupted { // not a failure of the endpoint
		wait = backoff(env, failed, *f)
	}
	if wait > maxWait {
		f.again = false
		f.message += fmt.Sprintf(" (it asks to wait %d s, longer than the maximum wait of a run)", (wait+999)/1000)
	}
	if !f.again || failed >= m.attempts {
		f.again = false
		if failed > 1 {
			f.message += fmt.Sprintf(" (after %d attempts)", failed)
		}
	}
	return wait
}

// charge charges the prompt of an attempt that failed before its answer began, if the endpoint accepted
// it. Replays of runs that were recorded before these attempts were charged do not.
func (m *endpointModel) charge(env *process.Env, r Request, a *attempt) (err error) {
	if a.accepted && !env.Earlier() {
		env.Revise()
		a.reply, err = m.settle(env, r, a)
	}
	return err
}

// again charges the call of the next attempt after a failed one, and its prompt if the failed attempt has
// used the charge of the prompt.
func (m *endpointModel) again(env *process.Env, r Request, failed *attempt) error {
	if env.Earlier() {
		return nil
	}
	env.Revise()
	if !failed.accepted {
		r = Request{}
	}
	return spendEndpointCall(env, r)
}

// settle charges the tokens and the cost of a complete or partial answer to the run, and completes the reply.
func (m *endpointModel) settle(env *process.Env, r Request, a *attempt) (Reply, error) {
	reply := a.reply
	reply.Usage = Usage{min(reply.Usage.Prompt, maxUsage), min(reply.Usage.Completion, maxUsage)}
	estimated := r.promptTokens()
	if reply.Usage.Prompt == 0 {
		reply.Usage.Prompt = estimated
	}
	if reply.Usage.Completion == 0 || !a.done { // reported at the end
		reply.Usage.Completion = max(reply.Usage.Completion, EstimateTokens(a.written()))
	}
	micro := m.price().micro(reply.Usage)
	reply.Cost = float64(micro) / 1e6
	env.Ceiling().Add(0, reply.Usage.Prompt+reply.Usage.Completion, reply.Cost)
	// The prompt was charged as estimated, before it was sent.
	more := max(reply.Usage.Prompt-estimated, 0) + reply.Usage.Completion
	err := env.Meter().Spend(meter.Tokens, int64(more))
	if moneyErr := env.Meter().Spend(meter.Money, micro); err == nil {
		err = moneyErr
	}
	if over := env.Ceiling().Afford(); err != nil && over != nil {
		err = over // names the smaller bound
	}
	return reply, err
}

// maxAnswer bounds the text of an answer in bytes: two million tokens, which only a model
// in a loop writes.
const maxAnswer = 8 << 20

// maxSilent bounds the keep-alives and empty events between parts of an answer in bytes.
const maxSilent = 2 * maxAnswer

// maxUsage bounds the tokens that an endpoint reports for an answer, so that sums do not overflow.
const maxUsage = 1 << 40

// maxErrorBody bounds the part of a body that is kept for an error message.
const maxErrorBody = 16 << 10

// attempt is a request in progress.
type attempt struct {
	request     Request
	enforcement Enforcement
	yield       func(string) bool
	afford      func(tokens int) error // returns an error for an answer beyond the ceiling of the run
	admit       func() bool            // reports whether a current rule applies, which makes a difference
	pending     *process.Pending

	reply    Reply
	inline   *inlineThoughts
	text     strings.Builder // handed to yield
	held     string          // received, but possibly a stop text or an echo
	thinking strings.Builder
	opaque   opaqueParts
	shown    int // bytes of the thoughts that were shown
	runes    int // characters of them
	show     func(ThoughtEvent)
	echo     string // the prefix, if the server may repeat it
	lead     string // the forced beginning of the answer, not yet handed over
	wrapped  strings.Builder
	arrived  bool // a part of an answer arrived
	accepted bool // the endpoint did not refuse the request, so that its prompt may cost
	done     bool // the end of the answer arrived
	ended    bool // the caller has ended the answer
	refused  bool // the model or a filter refused
	size     int  // bytes of the answer so far
	custom   int  // calls of the answerTool
	free     bool // text arrived that is not its input

	status  int
	failure *failure
	err     error // the process was stopped
}

// surelyEcho is the length from which a repeated text is the server's echo rather than
// the model's text. Mistral always returns the prefix; other servers differ from version
// to version.
const surelyEcho = 4

// attempt sends the request once. Its reply contains the received part, however it ended.
func (m *endpointModel) attempt(env *process.Env, r Request, request process.HTTP, yield func(string) bool) *attempt {
	a := &attempt{request: r, yield: yield, show: func(e ThoughtEvent) {
		e.Kind, e.Endpoint, e.Sample = "llm.thought", m.Name, r.Sample
		env.Emit(e)
	}}
	a.admit = func() bool {
		if env.Earlier() {
			return false
		}
		env.Revise()
		return true
	}
	a.inline = newInlineThoughts(r, a.admit)
	if a.inline.unopened = r.MaxTokens > 0 && m.beginsInThought() && !env.Earlier() && !r.mentions(closingTag); a.inline.unopened {
		env.Revise()
	}
	limit := 0 // of tokens; a server that observes it never exceeds it
	if r.MaxTokens > 0 {
		limit = m.withThinking(r).MaxTokens + m.Known().Thinking
	}
	price := m.price().Completion / 1e6
	a.afford = func(tokens int) error {
		err := env.Ceiling().AffordAnswer(tokens, price)
		if err == nil || tokens <= limit || env.Earlier() {
			return nil
		}
		env.Revise()
		return err
	}
	caps := m.without.from(m.Known())
	a.enforcement = r.enforce(caps)
	prefix := r.Prefix
	if prefix == "" && len(r.Tools) == 0 {
		prefix = a.enforcement.Prefix
		a.lead = prefix
	}
	if caps.Prefix == PrefixMistral || caps.Prefix == PrefixPrefill && len(prefix) >= surelyEcho {
		a.echo = prefix
	}
	a.pending = env.Start(process.Request{HTTP: &request})
	a.read(NewDecoder(m.format()))
	a.finish()
	a.showThoughts()
	m.learn(a)
	return a
}

// read reads the body as it arrives.
func (a *attempt) read(decoder Decoder) {
	var raw strings.Builder
	silent := 0 // bytes since a part of an answer
	for !a.ended {
		chunk, ok, err := a.pending.Chunk()
		if err != nil {
			a.broke(err)
			return
		}
		if !ok {
			break
		}
		a.accepted = true
		if raw.Len() < maxErrorBody {
			raw.WriteString(chunk[:min(len(chunk), maxErrorBody)])
		}
		if a.failure == nil {
			before := a.size
			a.take(decoder.Write(chunk))
			a.showThoughts()
			if silent += len(chunk); a.size > before {
				silent = 0
			} else if silent > maxSilent {
				a.failure = &failure{code: CodeLong, message: fmt.Sprintf("the server sent %d MB without any part of an answer", maxSilent>>20)}
				a.ended = true
			}
		} else if raw.Len() >= maxErrorBody { // an error body, whose status arrives at its end
			a.ended = true
		}
	}
	if a.ended {
		a.pending.Cancel()
		return
	}
	value, err := a.pending.Value()
	if err != nil {
		a.broke(err)
		return
	}
	var answer process.HTTPValue
	if err := json.Unmarshal(value, &answer); err != nil {
		a.err = unreadable(err)
		return
	}
	a.status, a.reply.Milliseconds, a.accepted = answer.Status, answer.Milliseconds, answer.Status < 300
	if answer.Status >= 300 {
		f := statusFailure(answer, raw.String()+answer.Body)
		a.failure, a.arrived = &f, false
		return
	}
	if a.failure != nil {
		return
	}
	if a.take(decoder.Write(answer.Body)); a.failure == nil && !a.ended { // set by hosts that do not stream
		a.take(decoder.End())
	}
	if a.failure == nil && !a.done && !a.ended {
		a.cut("it ended in the middle of the answer", raw.String())
	}
}

// broke handles the error of the effect.
func (a *attempt) broke(err error) {
	var effect *process.EffectError
	if !errors.As(err, &effect) {
		a.err = err
		return
	}
	a.accepted = a.accepted || effect.Code == "timeout" || effect.Code == process.CodeInterrupted
	if a.done { // the answer was complete anyway
		return
	}
	if a.failure == nil && a.arrived {
		a.cut(effect.Message, "")
		return
	}
	if a.failure == nil {
		f := hostFailure(effect)
		a.failure = &f
	}
}

// cut reports that an answer broke off.
func (a *attempt) cut(why, raw string) {
	switch {
	case a.arrived:
		a.failure = &failure{code: CodeCut, message: withDetail("the reply was cut off", why)}
	case strings.TrimSpace(raw) == "" || strings.HasPrefix(strings.TrimSpace(raw), "data") || strings.HasPrefix(raw, ":") || strings.HasPrefix(raw, "event"):
		a.failure = &failure{code: CodeCut, message: "the reply was cut off before it began", again: true}
	default:
		f := faultFailure(Fault{FaultGarbage, cutTokens(raw, 30)})
		a.failure = &f
	}
}

// take handles the deltas of a piece.
func (a *attempt) take(deltas []Delta) {
	for _, d := range deltas {
		if a.ended || a.failure != nil || d.Fault != nil && a.done { // text after the end of the answer is ignored
			return
		}
		a.arrived = a.arrived || d.isAnswer()
		a.done = a.done || d.Done && d.Fault == nil
		a.refused = a.refused || d.Refused
		if d.Reason != "" {
			a.reply.Reason = d.Reason
		}
		if d.Stop != "" {
			a.reply.Stop = d.Stop
		}
		if u := d.Usage; u != nil {
			a.reply.Usage.Prompt = max(a.reply.Usage.Prompt, u.Prompt)
			completion := u.Completion
			if d.hidden > 0 && a.admit() {
				completion = max(completion, 0) + d.hidden
			}
			a.reply.Usage.Completion = max(a.reply.Usage.Completion, completion)
		}
		a.reply.Logprobs = append(a.reply.Logprobs, d.Logprobs...)
		a.opaque.add(d.opaque)
		if d.Thinking != "" { // the server separates the thoughts
			a.receive(a.inline.release(), "")
			a.think(d.Thinking)
		}
		a.takeCalls(d.ToolCalls)
		a.custom = max(a.custom, d.custom)
		switch {
		case d.custom > 0:
			a.receive(d.Text, "")
		case d.Text != "":
			a.free = true
			a.receive(a.inline.write(d.Text))
		}
		a.bound(d)
		if d.Fault != nil {
			f := faultFailure(*d.Fault)
			a.failure = &f
			if a.arrived {
				f.again = false
				if f.code != CodeLong && f.code != CodeGarbage {
					f.code = CodeCut
				}
				a.ended = true // the rest is useless
			}
		}
	}
}

// bound ends an answer that exceeds the ceiling of the run or the maximum of all answers.
func (a *attempt) bound(d Delta) {
	a.size += len(d.Text) + len(d.Thinking)
	for _, c := range d.ToolCalls {
		a.size += len(c.Name) + len(c.Arguments)
	}
	if a.size > maxAnswer {
		a.failure = &failure{code: CodeLong, message: fmt.Sprintf("the answer was cut off after %d megabytes", maxAnswer>>20)}
		a.ended = true
		return
	}
	var ceiling *meter.CeilingError
	if err := a.afford(a.size / 4); errors.As(err, &ceiling) { // tokens, as in EstimateTokens
		a.failure = &failure{code: ceiling.Code(), message: err.Error()}
		a.ended = true
	}
}

// receive adds text and the inline thoughts before it.
func (a *attempt) receive(text, thought string) {
	a.think(thought)
	if text != "" {
		a.showThoughts()
		a.write(text)
	}
}

// think adds a text to the thoughts.
func (a *attempt) think(text string) {
	if a.thinking.Len() < maxAnswer {
		a.thinking.WriteString(text)
	}
}

// showThoughts emits the thoughts that were not shown yet. It withdraws a shown text that is no thought.
func (a *attempt) showThoughts() {
	thoughts := a.thinking.String()
	if a.inline.unopened {
		thoughts = a.inline.held[:a.inline.likely]
	}
	switch {
	case len(thoughts) < a.shown:
		a.shown, a.runes = 0, 0
		a.show(ThoughtEvent{Withdrawn: true})
	case len(thoughts) > a.shown:
		text, more := thoughts[a.shown:], a.shown > 0
		a.runes += utf8.RuneCountInString(text)
		a.shown = len(thoughts)
		a.show(ThoughtEvent{Text: text, Tokens: (a.runes + 3) / 4, More: more}) // as in EstimateTokens
	}
}

// takeCalls joins the pieces of calls by their numbers. Some servers number every call 0;
// then a new identifier begins a new call.
func (a *attempt) takeCalls(deltas []ToolCallDelta) {
	for _, d := range deltas {
		calls := &a.reply.ToolCalls
		index := min(max(d.Index, 0), len(*calls))
		if d.ID != "" && index < len(*calls) && (*calls)[index].ID != "" && (*calls)[index].ID != d.ID {
			index = len(*calls)
		}
		if index == len(*calls) {
			*calls = append(*calls, ToolCall{})
		}
		c := &(*calls)[index]
		if d.ID != "" {
			c.ID = d.ID
		}
		c.Name += d.Name
		if !d.Opaque.isNothing() {
			c.Opaque = d.Opaque
		}
		if len(c.Arguments) < maxAnswer {
			c.Arguments += d.Arguments
		}
	}
}

// write adds text. It holds text back that may be an echo of the prefix or the beginning
// of a stop text.
func (a *attempt) write(text string) {
	if a.enforcement.Wrapped {
		a.wrapped.WriteString(text)
		return
	}
	a.held += text
	if a.echo != "" {
		if len(a.held) < len(a.echo) && strings.HasPrefix(a.echo, a.held) {
			return
		}
		a.held = strings.TrimPrefix(a.held, a.echo)
		a.echo = ""
	}
	if at, stop := firstStop(a.held, a.request.Stop); at >= 0 {
		a.reply.Reason, a.reply.Stop, a.ended = StopText, stop, true
		a.yieldText(a.held[:at])
		a.held = ""
		return
	}
	keep := begunStop(a.held, a.request.Stop)
	ready := a.held[:len(a.held)-keep]
	a.held = a.held[len(a.held)-keep:]
	a.yieldText(ready)
}

// begunStop returns the length of the suffix of a text that could begin a stop text.
func begunStop(text string, stops []string) int {
	longest := 0
	for _, s := range stops {
		for n := min(len(s)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, s[:n]) {
				longest = n
			}
		}
	}
	return longest
}

func (a *attempt) yieldText(text string) {
	text, a.lead = a.lead+text, ""
	if text == "" || a.reply.Reason == StopAborted {
		return
	}
	a.text.WriteString(text)
	if !a.yield(text) {
		a.reply.Reason, a.reply.Stop, a.ended = StopAborted, "", true
	}
}

// finish hands over the held text and completes the reply.
func (a *attempt) finish() {
	if a.err == nil && (a.failure == nil || a.arrived) {
		if !a.ended {
			a.receive(a.inline.close(a.reply.Reason == StopLength))
		}
		if a.enforcement.Wrapped && a.reply.Reason != StopAborted {
			text := a.wrapped.String()
			if choice, ok := unwrapChoice(text); ok {
				text = choice
			}
			a.yieldText(text)
		} else if a.reply.Reason != StopAborted {
			a.yieldText(a.held)
		}
		a.held = ""
	}
	a.reply.Text = a.text.String()
	if a.inline.found {
		a.reply.Logprobs = nil // they begin with the log-probabilities of the thoughts
	}
	if a.reply.Reason == "" {
		a.reply.Reason = StopEnd
	}
	if len(a.reply.ToolCalls) > 0 && a.reply.Reason == StopEnd {
		a.reply.Reason = StopTools
	}
	if len(a.reply.ToolCalls) > 0 {
		a.reply.Opaque = a.opaque.value()
	}
	if a.failure == nil && a.err == nil && a.enforcement.Rung == RungServer {
		input := a.enforcement.Syntax == "" || a.custom == 1 && !a.free
		a.reply.Constrained = input && a.request.Constraint.holds(a.reply)
	}
	if a.failure != nil && a.arrived {
		a.failure.message += fmt.Sprintf(" (after %d characters, which are kept)", len([]rune(a.reply.Text)))
	}
}

// written returns all text of the model, for an estimate of its tokens.
func (a *attempt) written() string {
	text := a.thinking.String() + a.text.String()
	for _, c := range a.reply.ToolCalls {
		text += c.Name + c.Arguments
	}
	return text
}
