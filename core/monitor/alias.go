package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
)

// Alias is a text that a model may write at the start of a line instead of a state's prompt. The monitor
// replaces it with the prompt, so that the run's text has prompts only.
type Alias struct {
	State string `json:"state"`
	Text  string `json:"text"`
}

// aliases replaces the aliases in a model's text while it streams in. A nil value replaces nothing.
type aliases struct {
	a     *agent.Agent
	forms []form
	held  string // the beginning of a line that may become an alias
	start bool   // the next text begins a line
}

// form is a text that stands for the prompt of a state: an alias, or the prompt itself.
type form struct {
	text  string
	state int
}

// declaredForms returns the aliases that the agent declares.
func declaredForms(a *agent.Agent) (out []form) {
	for i, state := range a.States {
		for _, alias := range state.Aliases {
			out = append(out, form{alias.Text, i})
		}
	}
	return out
}

// longestForm returns the longest form at the start of a text; nil: there is none. open reports that more text may
// complete a longer one.
func longestForm(forms []form, text string) (found *form, open bool) {
	for i, form := range forms {
		switch {
		case strings.HasPrefix(text, form.text):
			if found == nil || len(form.text) > len(found.text) {
				found = &forms[i]
			}
		case strings.HasPrefix(form.text, text):
			open = true
		}
	}
	return found, open
}

// newAliases returns the aliases of a run; nil: there are none. The error has code "monitor.settings".
func newAliases(a *agent.Agent, s Settings) (*aliases, error) {
	declared := declaredForms(a)
	if len(s.Aliases)+len(declared) == 0 && !s.Markdown {
		return nil, nil
	}
	out := &aliases{a: a, forms: declared}
	owner := map[string]int{}
	for _, f := range declared {
		owner[f.text] = f.state
	}
	add := func(text string, state int) bool {
		if other, known := owner[text]; known {
			return other == state
		}
		owner[text] = state
		out.forms = append(out.forms, form{text, state})
		return true
	}
	for i, state := range a.States {
		add(state.Text, i)
	}
	for _, alias := range s.Aliases {
		state, text := a.Index(alias.State), strings.TrimSpace(alias.Text)
		switch {
		case state < 0:
			return nil, source.NewError("monitor.settings", fmt.Sprintf("unknown state %q of an alias", alias.State))
		case text == "" || strings.ContainsAny(text, "\r\n"):
			return nil, source.NewError("monitor.settings", fmt.Sprintf("the alias of %q must be one line of text", alias.State))
		case !add(text, state):
			return nil, source.NewError("monitor.settings", fmt.Sprintf("the alias %q of %q also belongs to %q", text, alias.State, a.States[owner[text]].Name))
		}
	}
	for i, state := range a.States {
		for _, text := range markdownForms(state.Text) {
			if s.Markdown {
				add(text, i) // a form of two prompts belongs to the first
			}
		}
	}
	return out, nil
}

// markdownForms returns the forms in which models write a prompt in Markdown: "**Thought:**" for
// "[Thought]".
func markdownForms(prompt string) []string {
	words := strings.Trim(prompt, " \t*_#`>[]():")
	if words == "" {
		return nil
	}
	var out []string
	for _, body := range []string{words, "[" + words + "]"} {
		for _, marked := range []string{body, "**" + body + "**", "__" + body + "__", "`" + body + "`"} {
			out = append(out, marked+":")
			if marked != words {
				out = append(out, marked)
			}
		}
		out = append(out, "**"+body+":**")
		for _, heading := range []string{"# ", "## ", "### ", "#### "} {
			out = append(out, heading+body, heading+body+":")
		}
	}
	return out
}

// begin starts a reply. Its beginning counts as the start of a line.
func (f *aliases) begin() {
	if f != nil {
		f.held, f.start = "", true
	}
}

// write returns the next piece of a model's text with prompts in place of aliases. It holds the beginning
// of a line back while that may become an alias; final: the text ends.
func (f *aliases) write(piece string, final bool) string {
	if f == nil {
		return piece
	}
	text := f.held + piece
	f.held = ""
	var out strings.Builder
	for text != "" {
		if !f.start {
			end := strings.IndexByte(text, '\n') + 1
			if end == 0 {
				end = len(text)
			}
			f.start = text[end-1] == '\n'
			out.WriteString(text[:end])
			text = text[end:]
			continue
		}
		body := strings.TrimLeft(text, " \t\r\n")
		found, open := longestForm(f.forms, body)
		switch {
		case open && !final:
			f.held = text
			return out.String()
		case found != nil:
			out.WriteString(text[:len(text)-len(body)])
			out.WriteString(f.a.States[found.state].Text)
			text = body[len(found.text):]
		default:
			out.WriteString(text[:len(text)-len(body)])
			text = body
		}
		f.start = text == "" && found == nil
	}
	return out.String()
}
