package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/grammar"
)

// Feature is a feature of specs that a target notation may lack.
type Feature string

// The features.
const (
	FeatureLimits      Feature = "limits"     // of a grammar or a pushdown automaton
	FeatureBackwards   Feature = "backwards"  // of a pushdown automaton
	FeatureOneOf       Feature = "one-of"     // of an agent's states
	FeatureMatches     Feature = "matches"    // of an agent's states
	FeatureEmpty       Feature = "empty"      // of an agent's states
	FeatureMaxTokens   Feature = "max-tokens" // of an agent's states
	FeatureContents    Feature = "contents"   // unconstrained contents without prompts
	FeatureEnvironment Feature = "env-input"  // of an agent's states
	FeatureRequire     Feature = "require"    // of an agent
	FeatureProperties  Feature = "properties" // of the workspace
	FeaturePattern     Feature = "pattern"    // a regular expression as a terminal
)

// Carriage is the support of a feature by a target.
type Carriage uint8

// The carriages. A lost feature is a warning, and a comment in the text if the target has
// comments.
const (
	Carried  Carriage = iota // supported
	Expanded                 // expanded into other constructs; lost if that is too large
	Lost
)

// Features lists all features.
var Features = []Feature{
	FeatureLimits, FeatureBackwards, FeatureOneOf, FeatureMatches, FeatureEmpty, FeatureMaxTokens, FeatureContents, FeatureEnvironment,
	FeatureRequire, FeatureProperties, FeaturePattern,
}

// Targets maps each target notation to the marks around its comments; two empty marks mean
// that the notation has no comments. A structural tag has comments in its grammar.
var Targets = map[string][2]string{
	"gbnf": hashComment, "ebnf": hashComment, "structural-tag": hashComment, "lark": slashComment, "w3c": starComment,
	"regexp": {}, "dot": slashComment, "mermaid": {"%% ", ""}, "hoa": starComment,
	"guard-go": slashComment, "guard-typescript": slashComment, "guard-python": hashComment,
}

// families maps each target to its family. Targets of a family support the same features.
var families = map[string]string{
	"gbnf": "grammar", "ebnf": "grammar", "structural-tag": "grammar", "lark": "grammar", "w3c": "grammar",
	"dot": "graph", "mermaid": "graph", "regexp": "words", "hoa": "automaton",
	"guard-go": "guard", "guard-typescript": "guard", "guard-python": "guard",
}

// carriages has, by family, the features that are lost or expanded. Other features are carried: a
// guard contains the spec and the properties, and HOA is written for formulas, which have none.
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

// CarriageOf returns the support of a feature by a target. Unlike its family, Lark supports regular
// expressions.
func CarriageOf(f Feature, target string) Carriage {
	if f == FeaturePattern && target == "lark" {
		return Carried
	}
	return carriages[families[target]][f]
}

// Note is a remark on an exported text: about a lost feature, or about the form in which a feature
// is exported.
type Note struct {
	Feature Feature
	Lost    bool
	Text    string
}

// lost returns a note on a feature if a target never supports it.
func lost(f Feature, target, format string, of ...any) []Note {
	if CarriageOf(f, target) != Lost {
		return nil
	}
	return []Note{{Feature: f, Lost: true, Text: fmt.Sprintf(format, of...)}}
}

// LimitNotes returns the notes on a grammar's limits for a target without limits.
func LimitNotes(g *grammar.Grammar, target string) []Note {
	if g.DeclaredLimits().Empty() {
		return nil
	}
	return lost(FeatureLimits, target, "%s.", limitText(g.DeclaredLimits()))
}

// WithinLimits returns a grammar of the words within a grammar's limits; see
// [ExpandLimits]. If that needs too many rules it returns the grammar unchanged, with a
// note that the limits are lost.
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

// limitText returns limits in the notation of .cfg.
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

// BackwardsNote returns the note on an automaton that reads its words backwards.
func BackwardsNote(target string) []Note {
	return lost(FeatureBackwards, target, "backwards. The words here are in the automaton's order, from the last step to the first.")
}

// PropertyNote returns the note on properties of the workspace.
func PropertyNote(target, file string, names []string) []Note {
	return lost(FeatureProperties, target, "the properties of %s: %s.", file, strings.Join(names, ", "))
}

// AgentNotes returns the notes on an agent's constraints on contents, for a target without
// such constraints.
func AgentNotes(a *agent.Agent, target string) []Note {
	if CarriageOf(FeatureOneOf, target) != Lost {
		return nil // FromAgent adds the other notes
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

// Comment returns notes as comments of a target, one a line.
func Comment(target string, notes []Note) string {
	marks := Targets[target]
	if marks == ([2]string{}) {
		return ""
	}
	var b strings.Builder
	for _, n := range notes {
		text := n.Text
		if n.Lost {
			text = "Not exported: " + text
		}
		b.WriteString(marks[0] + replaced(text, "\n", " ", "\r", " ", "*/", "* /") + marks[1] + "\n")
	}
	return b.String()
}
