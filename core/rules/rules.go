// Package rules implements rules about data: which tools are called with which arguments, which results
// preceded, when and how often. They are formulas of past-time first-order temporal logic with
// windows and aggregates (Basin et al. 2008, 2015; Havelund, Peled and Ulus 2018), restricted so
// that each rule is decided at the event that it restricts, before the call is made.
package rules

import (
	"sync"

	"github.com/stile-playground/stile/core/regex"
	"github.com/stile-playground/stile/core/source"
)

// Op is the operator of a [Formula].
type Op uint8

// The operators.
const (
	OpAtom Op = iota
	OpCompare
	OpNot
	OpAnd // at least two parts
	OpOr
	OpImplies
	OpOnce
	OpHistorically
	OpPrevious
	OpSince
)

// Formula is a part of a rule.
type Formula struct {
	Op       Op
	Kids     []*Formula
	Window   *Window // nil for the complete run
	Atom     *Atom
	Relation string // of a comparison: "=", "!=", "<", "<=", ">" or ">="
	Terms    [2]*Term
	Span     source.Span
	Sign     source.Span // of the operator
}

// Window is the length of the time before an event that an operator covers.
type Window struct {
	Seconds Decimal
	Span    source.Span
}

// Atom matches events by kind, name and fields.
type Atom struct {
	Kind     string // "call", "result", "error", "message" or "end"
	Name     string
	Any      bool // matches every name
	Patterns []Pattern
	Span     source.Span
	NameSpan source.Span // of the tool with its quotes, or of the role
}

// Pattern restricts a field of an event.
type Pattern struct {
	Path   []string // if Meta is set, the only segment is "@time", "@agent" or "@id"
	Meta   bool
	Span   source.Span // of the path
	Var    *Use        // binds the value
	Test   string      // "": any value, an operator, "~", "in" or "has"
	Values []*Value    // the literals; exactly one for an operator or "has"
	Regex  regex.Expression
	Source string // of Regex
	search *regex.Search
}

// Use is an occurrence of a variable.
type Use struct {
	Name     string
	Span     source.Span // includes the question mark
	Variable *Variable   // set by the analysis of scopes
}

// TermOp is the form of a [Term].
type TermOp uint8

// The forms.
const (
	TermVariable TermOp = iota
	TermLiteral
	TermAggregate
	TermArithmetic
)

// Term is a side of a comparison.
type Term struct {
	Op       TermOp
	Use      *Use // of a variable; of an aggregate, the variable whose values it collects
	Value    *Value
	Function string // "count", "sum", "min" or "max"
	Window   *Window
	Operand  *Formula
	Sign     string // "+", "-" or "*"
	Kids     [2]*Term
	Span     source.Span
}

// Rule is a rule of a file. Its formula is nil if it has a syntax error.
type Rule struct {
	Name     string
	NameSpan source.Span
	Span     source.Span
	Formula  *Formula
	ForAll   []*Variable // in the order of their first occurrences
	Fault    bool        // an error was reported; the rule cannot be judged

	variables []*Variable
	regions   map[*Formula]*region
}

// File is a parsed text.
type File struct {
	Rules       []*Rule
	Diagnostics []source.Diagnostic

	text   string
	tokens []source.Token
	names  []source.Occurrence

	compiled func() *compiled // of the rules, which are compiled once
}

// Parse reads the rules of a text. A rule with an error is part of the result and marked.
func Parse(file *source.File) *File {
	out := &File{Diagnostics: file.Check(), text: file.Text}
	out.compiled = sync.OnceValue(func() *compiled { return compileAll(out.Rules) })
	if len(out.Diagnostics) > 0 {
		return out
	}
	before, chunks, comments := split(file.Text)
	if len(before) > 0 {
		d := source.Diagnostic{
			Code: "rules.syntax", Span: before[0].span.Join(before[len(before)-1].span),
			Message: `expected the name of a rule and ":" in the first column; only comments may precede the first rule`,
		}
		if len(before) > 2 && before[0].kind == tokenName && before[1].is(":") && before[0].span.Start > 0 {
			d.Message = `the name of a rule begins in the first column; remove the spaces before "` + before[0].text + `"`
			start := before[0].span.Start
			for start > 0 && (file.Text[start-1] == ' ' || file.Text[start-1] == '\t') {
				start--
			}
			d.Fixes = []source.Fix{{Title: "Remove the indentation", Edits: []source.Edit{{Span: source.Span{Start: start, End: before[0].span.Start}}}}}
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
	first := map[string]*Rule{}
	for _, c := range chunks {
		p := &parser{chunk: c, text: file.Text}
		rule := p.rule()
		if earlier := first[rule.Name]; earlier != nil {
			p.report(source.Diagnostic{
				Code: "rules.duplicate", Span: rule.NameSpan, Message: `duplicate rule "` + rule.Name + `"; rename one of the two`,
				Notes: []source.Note{{Span: earlier.NameSpan, Message: "the first definition"}},
			})
		} else {
			first[rule.Name] = rule
		}
		rule.Fault = source.HasErrors(p.found)
		out.Rules = append(out.Rules, rule)
		out.Diagnostics = append(out.Diagnostics, p.found...)
	}
	out.tokens = classify(before, chunks, comments)
	out.names = occurrences(out.Rules)
	source.Sort(out.Diagnostics)
	return out
}
