//go:build first

package session

import (
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// laterMethods are none in the module that a page loads first.
func laterMethods() []Method { return nil }

// What the first module does not know of teams: to it they are notes.
func laterKinds() []runKind { return nil }

func laterEvents() []any { return nil }

func laterSettings() map[string]any { return nil }

func analyzeLater(*source.File, []File, *DocumentAnalyzeResult, *places) []source.Diagnostic {
	return nil
}

// laterGrammar finds nothing: the searches for words are not in the first module.
func laterGrammar(*grammar.Grammar) []source.Diagnostic { return nil }

// laterVocabulary knows every symbol where there is a problem in PDDL, which the first
// module cannot read: the whole one judges.
func laterVocabulary(files []File) []func(string) bool {
	for _, f := range files {
		if workspace.KindOf(f.Name) == workspace.KindPDDL {
			return []func(string) bool{func(string) bool { return true }}
		}
	}
	return nil
}

// laterCode is the code of an error that has none of its own. Without runs it is a fault.
func laterCode(error) string { return "internal" }
