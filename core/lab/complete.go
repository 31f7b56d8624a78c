package lab

import (
	"slices"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Complete returns the words that could stand at a place of an experiment in the stead of
// the one that has been begun there, which is the span. Open says that they begin lists,
// whose parenthesis is still to be written.
func Complete(file *source.File, at source.Pos) (begun source.Span, words []string, open bool) {
	begun = source.Span{Start: at, End: at}
	if len(file.Check()) > 0 {
		return begun, nil, false
	}
	var lists []openList // around the place, the outermost first
	after := false       // a parenthesis was opened right before
	for t := range sexpr.Tokens(file.Text) {
		if t.Span.Start >= at {
			break
		}
		if t.Span.End >= at && t.Kind != sexpr.TokenOpen && t.Kind != sexpr.TokenClose {
			if t.Kind != sexpr.TokenAtom {
				return begun, nil, false
			}
			begun.Start = t.Span.Start
			break
		}
		after = t.Kind == sexpr.TokenOpen
		switch {
		case t.Kind == sexpr.TokenOpen:
			if n := len(lists); n > 0 {
				lists[n-1].items++
			}
			lists = append(lists, openList{})
		case t.Kind == sexpr.TokenClose:
			lists = lists[:max(len(lists)-1, 0)]
		case t.Kind == sexpr.TokenComment || len(lists) == 0:
		default:
			last := &lists[len(lists)-1]
			if last.items == 0 {
				last.head = t.Text
			}
			last.items++
		}
	}
	if after { // the head of a list
		return begun, heads(lists[:len(lists)-1]), false
	}
	if inner := values(file, lists); inner != nil {
		return begun, inner, false
	}
	return begun, heads(lists), true
}

// openList is a list that is still open, with how many things are in it.
type openList struct {
	head  string
	items int
}

// heads are the words that a list within these may begin with.
func heads(lists []openList) []string {
	switch {
	case len(lists) == 0:
		return []string{"experiment"}
	case len(lists) == 1:
		return sections
	}
	of := map[string][2][]string{
		":tasks": {sourceKinds, sourceParts}, ":methods": {methodKinds, methodParts}, ":models": {modelKinds, modelParts}, ":budget": {budgetNames, nil},
		":columns": {nil, {":of", ":sum"}}, ":reference": {{"table"}, {":source", "row"}},
	}[lists[1].head]
	if len(lists) > 3 {
		return nil
	}
	return of[len(lists)-2]
}

// values are the words that may stand in the innermost list as they are.
func values(file *source.File, lists []openList) []string {
	n := len(lists)
	if n < 2 {
		return nil
	}
	in, section := lists[n-1], lists[1].head
	switch {
	case section == ":across" && in.items == 1:
		return []string{"methods", "measures"}
	case section == ":measures" || section == ":columns" && n == 3 && in.items == 1:
		x, _ := Parse(file)
		var kinds []string
		for _, m := range x.Methods {
			kinds = append(kinds, m.Kind)
		}
		return Measures(kinds...)
	case n == 4 && in.head == ":without":
		return stages
	case n != 3 || in.items != 1:
		return nil
	case section == ":tasks" && in.head == SourceProblems:
		return domains.Names()
	case section == ":tasks" && in.head == SourceBenchmark:
		return benchmarks
	case section == ":methods":
		return slices.Clone(ways[in.head])
	case section == ":models" && in.head == "simulated":
		return simulated
	}
	return nil
}
