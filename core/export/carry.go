package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/grammar"
)

// Feature is something that a spec can say and a target notation may not.
type Feature string

// The features.
const (
	FeatureLimits      Feature = "limits"     // of a grammar or a pushdown automaton
	FeatureBackwards   Feature = "backwards"  // of a pushdown automaton
	FeatureOneOf       Feature = "one-of"     // of an agent's states, and so on
	FeatureMatches     Feature = "matches"    //
	FeatureEmpty       Feature = "empty"      //
	FeatureMaxTokens   Feature = "max-tokens" //
	FeatureContents    Feature = "contents"   // contents that are free, but contain no prompt
	FeatureEnvironment Feature = "env-input"  //
	FeatureRequire     Feature = "require"    // of an agent
	FeatureProperties  Feature = "properties" // of the workspace
	FeaturePattern     Feature = "pattern"    // a regular expression as a terminal
)

// Carriage says how a target has a feature.
type Carriage uint8

// The carriages. What is lost is a comment in the text, where the target has comments,
// and a warning.
const (
	Carried  Carriage = iota // it has it
	Expanded                 // it is written out; where that is too large, it is lost
	Lost
)

// Features lists all features.
var Features = []Feature{
	FeatureLimits, FeatureBackwards, FeatureOneOf, FeatureMatches, FeatureEmpty, FeatureMaxTokens, FeatureContents, FeatureEnvironment,
	FeatureRequire, FeatureProperties, FeaturePattern,
}

// Targets lists the notations that are written, each with the marks of its comments; two
// empty marks are those of a notation without comments. A structural tag has its
// comments in the grammar within it.
var Targets = map[string][2]string{
	"gbnf": gbnf.comment, "ebnf": xgrammar.comment, "structural-tag": xgrammar.comment, "lark": lark.comment, "w3c": w3c.comment,
	"regexp": {}, "dot": slashComment, "mermaid": {"%% ", ""}, "hoa": starComment,
	"guard-go": slashComment, "guard-typescript": slashComment, "guard-python": hashComment,
}

// families are the kinds of targets that have the same features.
var families = map[string]string{
	"gbnf": "grammar", "ebnf": "grammar", "structural-tag": "grammar", "lark": "grammar", "w3c": "grammar",
	"dot": "graph", "mermaid": "graph", "regexp": "words", "hoa": "automaton",
	"guard-go": "guard", "guard-typescript": "guard", "guard-python": "guard",
}

// carriages is the table of what is not carried, by family. A guard has the spec itself
// and the properties, an automaton in HOA is that of a formula, which has none of the features.
var carriages = map[string]map[Feature]Carriage{
	"grammar": {
		FeatureLimits: Expanded, FeatureBackwards: Lost, FeatureMatches: Expanded, FeatureMaxTokens: Lost, FeatureContents: Expanded,
		FeatureEnvironment: Expanded, FeatureProperties: Lost, FeaturePattern: Expanded,
	},
	"graph": {
		FeatureLimits: Lost, FeatureBackwards: Lost, FeatureOneOf: Lost, FeatureMatches: Lost, FeatureEmpty: Lost, FeatureMaxTokens: Lost,
		FeatureEnvironment: Lost, FeatureProperties: Lost,
	},
	"words": {
		FeatureOneOf: Lost, FeatureMatches: Lost, FeatureEmpty: Lost, FeatureMaxTokens: Lost, FeatureEnvironment: Lost, FeatureProperties: Lost,
	},
}

// CarriageOf returns how a target has a feature. Lark has regular expressions of its own.
func CarriageOf(f Feature, target string) Carriage {
	if f == FeaturePattern && target == "lark" {
		return Carried
	}
	return carriages[families[target]][f]
}

// Note is a remark on a text that is written: on a feature that is lost, or on how one
// is written.
type Note struct {
	Feature Feature
	Lost    bool
	Text    string
}

// lost returns a note on a feature, if a target never has it.
func lost(f Feature, target, format string, of ...any) []Note {
	if CarriageOf(f, target) != Lost {
		return nil
	}
	return []Note{{Feature: f, Lost: true, Text: fmt.Sprintf(format, of...)}}
}

// LimitNotes are the notes on a grammar's limits for a target that never has them.
func LimitNotes(g *grammar.Grammar, target string) []Note {
	if g.DeclaredLimits().Empty() {
		return nil
	}
	return lost(FeatureLimits, target, "%s.", limitText(g.DeclaredLimits()))
}

// WithinLimits returns a grammar of the words within a grammar's limits, see
// [ExpandLimits]. Where that takes too many rules it is the grammar itself, with a note
// that the limits are lost.
func WithinLimits(g *grammar.Grammar) (*grammar.Grammar, []Note, error) {
	if g.DeclaredLimits().Empty() {
		return g, nil, nil
	}
	caps, err := g.Caps(g.DeclaredLimits())
	if err != nil {
		return nil, nil, err
	}
	if within, ok := ExpandLimits(g, caps); ok {
		return within, nil, nil
	}
	return g, []Note{{FeatureLimits, true, limitText(g.DeclaredLimits()) + ". Texts that use a terminal more often are accepted, too."}}, nil
}

// limitText writes limits as in .cfg.
func limitText(l grammar.Limits) string {
	var out []string
	if l.Each != nil {
		text := fmt.Sprintf("limit %d each", *l.Each)
		if len(l.Except) > 0 {
			text += " except " + strings.Join(l.Except, " ")
		}
		out = append(out, text)
	}
	var names []string
	for name := range l.Named {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out = append(out, fmt.Sprintf("limit %d %s", l.Named[name], grammar.Quote(name)))
	}
	return strings.Join(out, ", ")
}

// BackwardsNote is the note on an automaton whose words are written backwards.
func BackwardsNote(target string) []Note {
	return lost(FeatureBackwards, target, "backwards. The words here are in the automaton's order, from the last step to the first.")
}

// PropertyNote is the note on properties of the workspace.
func PropertyNote(target, file string, names []string) []Note {
	return lost(FeatureProperties, target, "the properties of %s: %s.", file, strings.Join(names, ", "))
}

// AgentNotes are the notes on what an agent says of contents, for a target that never
// has it.
func AgentNotes(a *agent.Agent, target string) []Note {
	if CarriageOf(FeatureOneOf, target) != Lost {
		return nil // FromAgent notes the rest
	}
	var out []Note
	for _, s := range a.States {
		if len(s.OneOf) > 0 {
			out = append(out, lost(FeatureOneOf, target, ":one-of of %s.", s.Name)...)
		}
		if s.Matches != "" {
			out = append(out, lost(FeatureMatches, target, ":matches %q of %s.", s.Matches, s.Name)...)
		}
		if s.Empty {
			out = append(out, lost(FeatureEmpty, target, "%s has no content.", s.Name)...)
		}
		if s.MaxTokens > 0 {
			out = append(out, lost(FeatureMaxTokens, target, ":max-tokens %d of %s.", s.MaxTokens, s.Name)...)
		}
		if s.EnvInput {
			out = append(out, lost(FeatureEnvironment, target, "the environment, not the model, writes the content of %s.", s.Name)...)
		}
	}
	return out
}

// Comment writes notes as comments of a target, a line each.
func Comment(target string, notes []Note) string {
	marks := Targets[target]
	if marks == ([2]string{}) {
		return ""
	}
	var b strings.Builder
	for _, n := range notes {
		text := n.Text
		if n.Lost {
			text = "Not carried over: " + text
		}
		b.WriteString(marks[0] + replaced(text, "\n", " ", "\r", " ", "*/", "* /") + marks[1] + "\n")
	}
	return b.String()
}
