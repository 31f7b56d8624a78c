package monitor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
)

// contents reads the content of a state as it comes and stops at the first
// character after which it can be none that the state allows. Space before and
// after it does not count.
type contents struct {
	state   agent.State
	allowed *agent.Content // nil where anything may stand
	run     agent.ContentRun
	limit   int // characters; 0: any number

	seen  int    // bytes read
	fit   int    // up to here the content is as it should be, without space at its end
	count int    // characters up to there
	space []byte // that came since
	words bool   // there is more than space
	long  bool   // what went wrong is its length
}

// charactersPerToken is what [llm.EstimateTokens] reckons with.
const charactersPerToken = 4

func newContents(a *agent.Agent, state int) *contents {
	c := &contents{state: a.States[state], allowed: a.Content(state)}
	c.limit = c.state.MaxTokens * charactersPerToken
	if c.allowed != nil {
		c.run = c.allowed.Begin()
	}
	return c
}

// free reports whether nothing is said of the content.
func (c *contents) free() bool { return c.allowed == nil && c.limit == 0 && !c.state.Empty }

// read takes more of the content and returns what is wrong with it, or "". What
// is wrong begins at the place fit, after the space.
func (c *contents) read(text string) (fault string) {
	if c.free() { // nobody asks for more than whether there is something
		c.words = c.words || strings.TrimSpace(text) != ""
		c.seen += len(text)
		c.fit = c.seen
		return ""
	}
	for i, char := range text {
		size := utf8.RuneLen(char)
		if char == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		at := c.seen
		c.seen += size
		if strings.ContainsRune(" \t\r\n", char) {
			if c.words {
				c.space = append(c.space, byte(char))
			}
			continue
		}
		if fault = c.take(char, text[i:]); fault != "" {
			c.seen = at
			return fault
		}
	}
	return ""
}

// take takes a character that is no space, with the space before it.
func (c *contents) take(char rune, rest string) (fault string) {
	if c.state.Empty {
		return fmt.Sprintf("%q has no content, but there is %q", c.state.Name, shorten(rest))
	}
	if c.limit > 0 && c.count+len(c.space)+1 > c.limit {
		c.long = true
		return fmt.Sprintf("%q is longer than %s", c.state.Name, tokenCount(c.state.MaxTokens))
	}
	if c.allowed != nil {
		run, ok := c.run, true
		for _, s := range string(c.space) + string(char) {
			if run, ok = run.Step(s); !ok {
				return c.reason(rest)
			}
		}
		c.run = run
	}
	c.words = true
	c.count += len(c.space) + 1
	c.space = c.space[:0]
	c.fit = c.seen
	return ""
}

// end returns what is wrong with the content if it ends here, or "".
func (c *contents) end() (fault string) {
	if c.allowed == nil || c.run.Complete() {
		return ""
	}
	return c.reason("")
}

// reason says why the content cannot go on with a text.
func (c *contents) reason(rest string) string {
	var must string
	if c.state.Matches != "" {
		must = fmt.Sprintf("it has to match %q", c.state.Matches)
	} else {
		must = "it has to be " + list(c.state.OneOf)
	}
	switch {
	case rest != "" && !c.words:
		return fmt.Sprintf("%q may not begin with %q; %s", c.state.Name, shorten(rest), must)
	case rest != "":
		return fmt.Sprintf("%q may not go on with %q; %s", c.state.Name, shorten(rest), must)
	case !c.words:
		return fmt.Sprintf("%q is empty; %s", c.state.Name, must)
	default:
		return fmt.Sprintf("%q may not end here; %s", c.state.Name, must)
	}
}

func tokenCount(n int) string {
	if n == 1 {
		return "1 token"
	}
	return fmt.Sprintf("%d tokens", n)
}
