package backtest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/rules"
)

// Spellings are the tools that the rules of a file name. A call of "Refund" is not one of "refund" for a rule, although agents
// and their specs may take the names for one: a rule that passes for this reason has not been judged.
type Spellings struct {
	exact map[string]bool
	forms map[string][]namedTool // by the letters and digits of the name
}

type namedTool struct {
	name string
	rule int
}

// SpellingsOf returns the tools that the rules of a file name.
func SpellingsOf(f *rules.File) *Spellings {
	s := &Spellings{map[string]bool{}, map[string][]namedTool{}}
	for i, r := range f.Rules {
		for _, name := range r.Uses().Tools {
			s.exact[name] = true
			form := agent.PlainName(name)
			s.forms[form] = append(s.forms[form], namedTool{name, i})
		}
	}
	return s
}

// Mark sets the reason why a rule has not been judged, for each rule that names a tool in another spelling and has no
// reason yet. The reasons are those of the rules of the file.
func (s *Spellings) Mark(tool string, reasons []string) {
	if s.exact[tool] || strings.ContainsFunc(tool, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return // a name outside ASCII has no other spelling
	}
	form := agent.PlainName(tool)
	if form == "" {
		return
	}
	for _, t := range s.forms[form] {
		if reasons[t.rule] == "" {
			reasons[t.rule] = fmt.Sprintf("the run calls %q, another spelling of the tool %q of the rule", tool, t.name)
		}
	}
}
