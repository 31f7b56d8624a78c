package monitor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
)

// contents checks the content of a state while it arrives, and stops at the first
// character that makes it invalid. Space around the content is ignored.
type contents struct {
	state   agent.State
	allowed *agent.Content // nil: any content
	run     agent.ContentRun
	limit   int // characters; 0: any number

	bytes int    // read
	fit   int    // length of the valid content in bytes, without space at its end
	count int    // length of the valid content in characters
	space []byte // after the valid content
	words bool   // there is text other than space
	long  bool   // the content is too long
}

// charactersPerToken is the ratio that [llm.EstimateTokens] assumes.
const charactersPerToken = 4

func newContents(a *agent.Agent, state int) *contents {
	c := &contents{state: a.States[state], allowed: a.Content(state)}
	c.limit = c.state.MaxTokens * charactersPerToken
	if c.allowed != nil {
		c.run = c.allowed.Begin()
	}
	return c
}

// free reports whether the content has no constraint.
func (c *contents) free() bool { return c.allowed == nil && c.limit == 0 && !c.state.Empty }

// read reads more of the content and returns its fault, or "". The fault begins at the
// offset fit, after the space.
func (c *contents) read(text string) (fault string) {
	if c.free() { // only words and the length are needed
		c.words = c.words || strings.TrimSpace(text) != ""
		c.bytes += len(text)
		c.fit = c.bytes
		return ""
	}
	for i, char := range text {
		size := utf8.RuneLen(char)
		if char == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		at := c.bytes
		c.bytes += size
		if strings.ContainsRune(" \t\r\n", char) {
			if c.words {
				c.space = append(c.space, byte(char))
			}
			continue
		}
		if fault = c.take(char, text[i:]); fault != "" {
			c.bytes = at
			return fault
		}
	}
	return ""
}

// take reads a character other than space, and the space before it.
func (c *contents) take(char rune, rest string) (fault string) {
	if c.state.Empty {
		return fmt.Sprintf("unexpected content %q: state %q has no content", shorten(rest), c.state.Name)
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
	c.fit = c.bytes
	return ""
}

// end returns the fault of a content that ends here, or "".
func (c *contents) end() (fault string) {
	if c.allowed == nil || c.run.Complete() {
		return ""
	}
	return c.reason("")
}

// reason explains why the content cannot continue with a text.
func (c *contents) reason(rest string) string {
	var must string
	if c.state.Matches != "" {
		must = fmt.Sprintf("it must match %q", c.state.Matches)
	} else {
		must = "it must be " + list(c.state.OneOf)
	}
	switch {
	case rest != "" && !c.words:
		return fmt.Sprintf("%q may not begin with %q; %s", c.state.Name, shorten(rest), must)
	case rest != "":
		return fmt.Sprintf("%q may not continue with %q; %s", c.state.Name, shorten(rest), must)
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
