package llm

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/process"
)

// ThoughtEvent is reasoning, or a piece of it, as it arrives. It is not part of the text of the
// answer and is never sent back.
type ThoughtEvent struct {
	Kind     string `json:"kind"` // "llm.thought"
	Endpoint string `json:"endpoint"`
	Sample   int    `json:"sample,omitempty"` // number of the run among several, from 1
	Text     string `json:"text"`
	Tokens   int    `json:"tokens"` // estimated, of the answer's thoughts so far
	// More means that the text continues that of the last event of the endpoint.
	More bool `json:"more,omitempty"`
	// Withdrawn means that the answer's thoughts so far are the beginning of its text instead.
	Withdrawn bool `json:"withdrawn,omitempty"`
}

// thoughtMarks are the texts around thoughts that servers without a parser for a model's
// reasoning leave in its answer. A mark without an end is dropped.
var thoughtMarks = []thoughtMark{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"}, {"<reasoning>", "</reasoning>"}, // Qwen, DeepSeek and others
	{"<seed:think>", "</seed:think>"}, {"◁think▷", "◁/think▷"}, {"[THINK]", "[/THINK]"}, // Seed, Kimi, Magistral
	{"<|channel|>analysis<|message|>", "<|end|>"}, {"<|start|>assistant", ""}, {"<|channel|>final<|message|>", ""}, // gpt-oss
}

type thoughtMark struct{ begin, end string }

// inlineThoughts separates the thoughts at the beginning of an answer from its text. Later
// marks are text.
type inlineThoughts struct {
	marks []thoughtMark
	admit func() bool // called before the first thought; false: the mark is text
	held  string      // possibly the beginning of a mark
	end   string      // of the thought that is open; "" outside
	found bool        // a thought was found
	over  bool        // the text has begun

	unopened bool // the answer may begin within a thought
	bare     bool // it began within one
	searched int  // the length of the held text that has no closing tag
	likely   int  // the length of the held text that is a thought if a closing tag follows
}

// closingTag ends a thought without an opening tag.
const closingTag = "</think>"

// newInlineThoughts returns a filter for the answer to a request. It ignores marks that the
// request itself contains, because they belong to the requested format.
func newInlineThoughts(r Request, admit func() bool) *inlineThoughts {
	f := &inlineThoughts{admit: admit}
	for _, mark := range thoughtMarks {
		if !r.mentions(mark.begin) {
			f.marks = append(f.marks, mark)
		}
	}
	return f
}

// mentions reports whether a text occurs in the request.
func (r Request) mentions(text string) bool {
	for _, m := range r.Messages {
		if strings.Contains(m.Content, text) {
			return true
		}
	}
	for _, s := range r.Stop {
		if strings.Contains(s, text) {
			return true
		}
	}
	return strings.Contains(r.Prefix, text)
}

// write reads the next piece of an answer and returns the text and the thoughts that
// further pieces cannot change.
func (f *inlineThoughts) write(piece string) (text, thought string) {
	if f.over {
		return piece, ""
	}
	f.held += piece
	if f.unopened && !f.closes() {
		return "", ""
	}
	for {
		if f.end != "" {
			before, after, closed := strings.Cut(f.held, f.end)
			if !closed {
				keep := begunStop(f.held, []string{f.end})
				thought += f.held[:len(f.held)-keep]
				f.held = f.held[len(f.held)-keep:]
				return "", thought
			}
			thought += before
			f.held, f.end = after, ""
		}
		rest := strings.TrimLeft(f.held, " \t\r\n")
		mark, begun := f.mark(rest)
		switch {
		case mark == nil && begun:
			return "", thought // it may become a mark
		case mark != nil && (f.found || f.admit()):
			f.found = true
			f.held, f.end = rest[len(mark.begin):], mark.end
			continue
		}
		text, f.over = f.held, true
		if f.found {
			text = rest
		}
		f.held = ""
		return text, thought
	}
}

// closes reports whether the held text of an answer that may begin within a thought can be read: it has
// an opening mark, or the closing tag, before which everything is a thought.
func (f *inlineThoughts) closes() bool {
	mark, begun := f.mark(strings.TrimLeft(f.held, " \t\r\n"))
	from := max(f.searched-len(closingTag), 0)
	f.searched = len(f.held)
	if !begun {
		f.likely = len(f.held) - begunStop(f.held, []string{closingTag})
	}
	switch {
	case mark != nil:
		f.unopened = false
	case !begun && strings.Contains(f.held[from:], closingTag):
		f.unopened, f.bare, f.found, f.end = false, true, true, closingTag
	}
	return !f.unopened
}

// release returns the held text of an answer that does not begin within a thought.
func (f *inlineThoughts) release() string {
	if !f.unopened {
		return ""
	}
	held := f.held
	f.unopened, f.over, f.held = false, held != "", ""
	return held
}

// mark returns the mark at the start of a text, or whether the text may become one.
func (f *inlineThoughts) mark(text string) (found *thoughtMark, begun bool) {
	for i, mark := range f.marks {
		if strings.HasPrefix(text, mark.begin) {
			return &f.marks[i], false
		}
		begun = begun || strings.HasPrefix(mark.begin, text)
	}
	return nil, begun
}

// close ends the answer and returns the rest. An answer that may begin within a thought is a thought if its
// limit of tokens has cut it off, and a text otherwise.
func (f *inlineThoughts) close(cut bool) (text, thought string) {
	held, unopened := f.held, f.unopened
	f.held, f.unopened = "", false
	switch {
	case unopened && cut:
		return "", held
	case f.end != "":
		return "", held
	case f.found:
		return strings.TrimLeft(held, " \t\r\n"), ""
	}
	return held, ""
}

// onlyThought reports whether the limit of tokens ended an answer before its text began.
func (a *attempt) onlyThought() bool {
	return a.reply.Reason == StopLength && a.request.MaxTokens > 0 && strings.TrimSpace(a.reply.Text) == "" && len(a.reply.ToolCalls) == 0
}

// moreThinking raises the limit of thinking tokens, once for all requests of a run. A model
// that thinks without end would otherwise spend the run's budget on empty answers.
func (m *endpointModel) moreThinking(env *process.Env, r Request, reply Reply) error {
	tokens := reply.Usage.Completion
	if m.thinking > 0 {
		f := failure{code: CodeThinking, message: fmt.Sprintf("the model thought for %d tokens and wrote nothing", tokens)}
		return f.err(m.Endpoint)
	}
	m.thinking = max(2*m.Known().Thinking, MoreTokens)
	env.Emit(RetryEvent{"llm.retry", m.Name, 1, 0, fmt.Sprintf("the model thought for %d tokens and wrote nothing: retrying with up to %d", tokens, r.MaxTokens+m.thinking)})
	return spendEndpointCall(env, r)
}

// withThinking returns a request whose limit of tokens includes the raised limit for thoughts.
func (m *endpointModel) withThinking(r Request) Request {
	if r.MaxTokens > 0 {
		r.MaxTokens += max(m.thinking-m.Known().Thinking, 0) // the codec adds the latter
	}
	return r
}

// add adds the costs of an earlier answer to the same request.
func (r *Reply) add(before Reply) {
	r.Usage.Prompt += before.Usage.Prompt
	r.Usage.Completion += before.Usage.Completion
	r.Cost += before.Cost
}
