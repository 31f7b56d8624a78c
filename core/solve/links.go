//go:build !first

package solve

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Link is a constraint, or what is to be the best, with the variables that it is about.
type Link struct {
	Name  string // of a constraint that has one
	Text  string // as it is written, without its name
	Sense string // "minimize", "maximize" or "soft"; "" for a constraint
	Span  source.Span
	Uses  []int // indices of [Problem.Names], ascending
}

// Links returns the constraints and objectives of a problem that [Check] has read, in
// the order of the text. What a definition is about, who uses it is about.
func Links(file *source.File, p Problem) []Link {
	index := map[string]int{}
	for i, n := range p.Names {
		index[n.Name] = i
	}
	o := Outlined(p.Solver, file)
	out := make([]Link, 0, len(o.Parts))
	for _, part := range o.Parts {
		link := Link{Name: part.Name, Text: strings.Join(strings.Fields(file.Slice(part.Body)), " "), Sense: part.Sense, Span: part.Span}
		for _, v := range part.Variables {
			if i, ok := index[o.Names[v].Name]; ok {
				link.Uses = append(link.Uses, i)
			}
		}
		slices.Sort(link.Uses)
		out = append(out, link)
	}
	return out
}

// FamilyOf returns what variables that are named alike have in common: the first word
// of the name, "ship" of ship.supplier1.roastery1.
func FamilyOf(name string) string {
	if words := nameWords(name); len(words) > 0 {
		return words[0]
	}
	return name
}
