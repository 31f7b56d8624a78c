package solve

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Link is a constraint or an objective, with its variables.
type Link struct {
	Name  string // of a named constraint
	Text  string // as written, without its name
	Sense string // "minimize", "maximize" or "soft"; "" for a constraint
	Span  source.Span
	Uses  []int // indices of [Problem.Names], ascending
}

// Links returns the constraints and objectives of a problem that [Check] has read, in the
// order of the text. The variables of a definition count as variables of every constraint
// and objective that uses it.
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

// FamilyOf returns the common part of similar variable names, the first word: "ship" of
// ship.supplier1.roastery1.
func FamilyOf(name string) string {
	if words := nameWords(name); len(words) > 0 {
		return words[0]
	}
	return name
}
