// Package gate judges the calls of an agent by a compiled guard, before they are made. A
// guard is a file of tables, which this package, stile-guard for JavaScript and
// stile_guard for Python read with equal verdicts; package compile makes it from specs.
//
// A [Guard] is shared by any number of sessions. A [Session] keeps the state of one run, not
// the run: [Session.Allow] judges a call before it is made and enters it if it is allowed,
// [Session.Record] enters everything else, [Session.End] ends the run. [Session.Save] returns the
// state for [Guard.Load] of this or another runtime.
//
// It fails closed. An unknown tool, malformed arguments, a repeated identifier, an event after
// the end, a result without its call, and a file with an unknown member are refused.
package gate

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/schema"
)

// Format is the number of the file's format. Files of another format are refused.
const Format = 1

const (
	// MaxArguments bounds the arguments of a call and the content of a result, in bytes.
	MaxArguments = 1 << 18
	// MaxDepth bounds the nesting of arguments.
	MaxDepth = 64
	// MaxID bounds identifiers, in bytes.
	MaxID = 128
	// maxPending bounds the calls without a result.
	maxPending = 64
	// maxRecent is the number of finished identifiers that may not be used again. The bound keeps
	// the state of a session small; an older identifier names another call.
	maxRecent = 32
	// MaxOpen bounds the open productions of a grammar, which are a part of the state.
	MaxOpen = 1024
)

// File is a compiled guard.
type File struct {
	Format  int        `json:"format"`
	Name    string     `json:"name"`
	Version string     `json:"version"` // of the compiler
	Sources []Source   `json:"sources"`
	Tools   []string   `json:"tools"` // declared tools, null if none are declared
	Specs   []Spec     `json:"specs"`
	Rules   []RuleFile `json:"rules"`

	Schemas []schema.Program `json:"schemas,omitempty"` // of the arguments of tools
}

// Source is a text that a guard was compiled from.
type Source struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Text   string `json:"text,omitempty"`
}

// Spec is a language of steps, as the table of a deterministic automaton or as a grammar.
// Letters are numbered from 0.
type Spec struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // "dfa" or "grammar"
	Letters []string `json:"letters"`

	// Fields of a DFA. Its start is state 0; a successor of -1 means that the letter is not permitted.
	Next    [][]int   `json:"next,omitempty"`
	Accept  []int     `json:"accept,omitempty"`  // 1 for a state in which a run may end
	Implied []Implied `json:"implied,omitempty"` // letters that are entered before another one without an event

	// Fields of a grammar. Symbols below the number of letters are letters. Production 0 is that of the
	// start symbol. Every production occurs in the derivation of a word.
	Productions []Production `json:"productions,omitempty"`

	// Fields of the text of a model: the prompt of each letter, and the letters that only the environment writes.
	Prompts     []string `json:"prompts,omitempty"`
	Environment []int    `json:"environment,omitempty"`

	Contents   []*Content `json:"contents"` // by letter, null for any
	Map        Map        `json:"map"`
	Properties []Property `json:"properties"`
}

// Implied are the letters that are entered before a letter in a state, although they have no event.
type Implied struct {
	State  int   `json:"state"`
	Letter int   `json:"letter"`
	Before []int `json:"before"`
}

// Production rewrites a nonterminal.
type Production struct {
	Left  int   `json:"left"`
	Right []int `json:"right"`
}

// Content restricts the text of a step, without the white space around it.
type Content struct {
	Empty    bool     `json:"empty,omitempty"`
	MaxChars int      `json:"maxChars,omitempty"` // 0 for any number
	OneOf    []string `json:"oneOf,omitempty"`
	Pattern  *Pattern `json:"pattern,omitempty"`
}

// Pattern is a regular expression as an automaton over classes of characters: class i begins
// with the code point From[i]. A successor of -1 means that the class is not permitted.
type Pattern struct {
	Source string  `json:"source"`
	From   []int   `json:"from"`
	Next   [][]int `json:"next"`
	Accept []int   `json:"accept"`
}

// Map maps events to letters. If a list is null, the letter of its events is guessed; if it is
// empty, its events are ignored.
type Map struct {
	Calls    []Named  `json:"calls"` // by the name of the tool
	Plain    []Named  `json:"plain"` // by its lower-case letters and digits
	Other    []int    `json:"other"` // letters of the other tools, null for none
	Results  []Named  `json:"results"`
	Result   []int    `json:"result"`
	User     []int    `json:"user"`
	Text     []int    `json:"text"`
	Final    []int    `json:"final"`
	Thoughts []int    `json:"thoughts"`
	Free     []int    `json:"free"`
	Answers  []int    `json:"answers"`
	Offers   []string `json:"offers"` // calls that may be listed as allowed; "*" is any other tool
}

// Named is a name with its letters.
type Named struct {
	Name    string `json:"name"`
	Letters []int  `json:"letters"`
}

// Property is a formula over the letters of a spec, as a complete automaton.
type Property struct {
	Name     string  `json:"name"`
	Next     [][]int `json:"next"`
	Accept   []int   `json:"accept"`   // 1 for a state in which it holds if the run ends
	Violated []int   `json:"violated"` // 1 for a state in which it is false however the run continues
}

// RuleFile is a text of rules about data. The runtimes without a parser of rules need the programs, which
// this package compares with the text.
type RuleFile struct {
	Name     string           `json:"name"`
	Text     string           `json:"text"`
	Rules    []string         `json:"rules"`
	Programs []*rules.Program `json:"programs,omitempty"`
}

// Guard is a file that was read. It is immutable and may be shared.
type Guard struct {
	File File
	Hash string // SHA-256 of the file

	text   string
	specs  []*spec
	offers []string
	rules  []*rules.File

	schemas map[string][]toolSchema // by tool
	spelled forms                   // of schemas
	named   forms                   // of rules about data
	lists   *lists
}

// Read reads a compiled guard. The error has code "guard.file".
func Read(text string) (*Guard, error) {
	g := &Guard{Hash: Sum(text), text: text, lists: &lists{}}
	if _, fault := scan(text, len(text)+1); fault != "" {
		return nil, bad("not JSON: " + fault)
	}
	if err := json.UnmarshalStrict([]byte(text), &g.File); err != nil {
		return nil, bad(err.Error())
	}
	if g.File.Format != Format {
		return nil, bad(fmt.Sprintf("unknown format %d; expected %d", g.File.Format, Format))
	}
	if len(g.File.Specs)+len(g.File.Rules) == 0 {
		return nil, bad("no spec")
	}
	known := map[string]bool{}
	for i := range g.File.Specs {
		s, fault := newSpec(&g.File.Specs[i], g.File.Tools)
		if fault != "" {
			return nil, bad(fault)
		}
		g.specs = append(g.specs, s)
		for _, offer := range s.Map.Offers {
			if !known[offer] {
				known[offer] = true
				g.offers = append(g.offers, offer)
			}
		}
	}
	for _, f := range g.File.Rules {
		parsed := rules.Parse(source.NewFile(f.Name, f.Text))
		if source.HasErrors(parsed.Diagnostics) || len(parsed.Rules) != len(f.Rules) {
			return nil, bad("the rules of " + show(f.Name) + " have errors")
		}
		if f.Programs != nil && !reflect.DeepEqual(f.Programs, Programs(parsed)) {
			return nil, bad("the programs of " + show(f.Name) + " do not match its rules")
		}
		g.rules = append(g.rules, parsed)
	}
	if fault := g.readSchemas(); fault != "" {
		return nil, bad(fault)
	}
	g.readNames()
	return g, nil
}

// Programs returns the programs of rules without errors, as a guard has them.
func Programs(f *rules.File) []*rules.Program {
	out := []*rules.Program{}
	for _, r := range f.Rules {
		out = append(out, r.Program())
	}
	return out
}

// Text returns the file's text.
func (g *Guard) Text() string { return g.text }

func bad(reason string) error {
	return source.NewError("guard.file", "not a compiled guard: "+reason)
}

// RuleNames returns the names that modes refer to: specs, properties, rules about data and schemas.
func (g *Guard) RuleNames() []string {
	var out []string
	for _, s := range g.File.Specs {
		out = append(out, s.Name)
		for _, p := range s.Properties {
			out = append(out, p.Name)
		}
	}
	for _, f := range g.File.Rules {
		for _, r := range f.Rules {
			out = append(out, f.Name+": "+r)
		}
	}
	for _, s := range g.File.Schemas {
		out = append(out, s.Name)
	}
	return out
}

// Verdict is the guard's judgement of an event.
type Verdict string

// The verdicts. Only Allow permits a call.
const (
	Allow Verdict = "allow"
	Deny  Verdict = "deny"
	Ask   Verdict = "ask"   // a person decides; [Session.Record] with Approved enters the call
	Fault Verdict = "fault" // the event cannot be judged
)

// Mode is the treatment of a rule's findings.
type Mode string

// The modes. A rule without a mode is enforced.
const (
	Enforce Mode = "enforce"
	AskMode Mode = "ask"
	Shadow  Mode = "shadow" // logs findings and permits
	Off     Mode = "off"
)

// Decision is the verdict on an event, with its cause.
type Decision struct {
	Verdict Verdict   `json:"verdict"`
	Code    string    `json:"code"`   // "ok" without a finding
	Reason  string    `json:"reason"` // a sentence
	Rule    string    `json:"rule"`   // the spec, property or rule that refuses, or ""
	Next    []string  `json:"next"`   // calls that may be allowed now; "*" is any tool that the list lacks
	MayEnd  bool      `json:"mayEnd"`
	Shadow  []Finding `json:"shadow"` // findings of rules in the mode shadow
	// At is a byte of the text that was fed: the first one that is refused, or else the one after the text. It is
	// nil for other methods than Feed.
	At *int `json:"at,omitempty"`
}

// Finding is a rule that an event does not satisfy.
type Finding struct {
	Rule   string `json:"rule"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// show quotes a name in ASCII, so that look-alikes differ, and shortens it.
func show(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for _, c := range name {
		if n++; n > 60 {
			b.WriteString("...")
			break
		}
		if c >= ' ' && c <= '~' && c != '"' && c != '\\' {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// list shows at most eight names.
func list(names []string) string {
	var out []string
	for i, name := range names {
		if i == 8 {
			out = append(out, fmt.Sprintf("%d more", len(names)-i))
			break
		}
		out = append(out, show(name))
	}
	return strings.Join(out, ", ")
}
