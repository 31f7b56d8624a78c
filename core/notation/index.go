package notation

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Index holds the occurrences of a workspace, by file and sorted by position.
type Index struct {
	Table     Table
	Workspace workspace.Workspace

	of      map[string][]source.Occurrence
	defined map[string]source.Occurrence // by group and name; the first of each
}

// Index reads all files of a workspace.
func (t Table) Index(w workspace.Workspace) *Index {
	x := &Index{Table: t, Workspace: w, of: map[string][]source.Occurrence{}, defined: map[string]source.Occurrence{}}
	for _, f := range w.Files {
		row := t.Of(f.Name)
		list := row.Occur(f)
		x.of[f.Name] = list
		if row.Define == nil {
			continue
		}
		for _, o := range list {
			if group, name := row.Define(o); group != "" {
				if _, known := x.defined[group+" "+name]; !known {
					x.defined[group+" "+name] = o
				}
			}
		}
	}
	for _, f := range w.Files {
		if row := t.Of(f.Name); row.Resolve != nil {
			x.of[f.Name] = row.Resolve(x, f, x.of[f.Name])
		}
	}
	return x
}

// Defined returns the first definition of a name in a group.
func (x *Index) Defined(group, name string) (source.Occurrence, bool) {
	o, ok := x.defined[group+" "+name]
	return o, ok
}

// Occur returns the occurrences of a file, sorted by position, or none if the text is not valid
// for any parser.
func (n *Notation) Occur(f workspace.File) []source.Occurrence {
	file := f.Source()
	if n.Occurrences == nil || len(file.Check()) > 0 {
		return nil
	}
	list := n.Occurrences(file)
	sort.SliceStable(list, func(i, j int) bool { return list[i].Span.Start < list[j].Span.Start })
	return list
}

// key is equal for two occurrences of the same symbol.
func (x *Index) key(file string, o source.Occurrence) string {
	if row := x.Table.Of(file); row.Key != nil {
		if key := row.Key(file, o); key != "" {
			return key
		}
	}
	return Key(file, o)
}

// Key combines the key of an occurrence with the file or the group in which it is unique.
func Key(within string, o source.Occurrence) string {
	return strings.Join([]string{within, o.Kind, o.Of, o.Name}, "\x00")
}

// LetterKey returns the key of a letter, which all files of a workspace share.
func LetterKey(o source.Occurrence) string { return GroupLetter + " " + o.Name }

// Find returns the symbol at a position of a file, or nil.
func (t Table) Find(w workspace.Workspace, name string, at source.Pos) *Symbol {
	x := t.Index(w)
	o, ok := innermost(x.of[name], at)
	if !ok {
		return nil
	}
	s := &Symbol{Kind: o.Kind, Of: o.Of, Name: o.Name, Span: o.Span}
	key := x.key(name, o)
	for _, f := range w.Files {
		for _, other := range x.of[f.Name] {
			if x.key(f.Name, other) == key {
				s.Places = append(s.Places, SymbolPlace{f.Name, other.Span, other.Defines})
				if other.Defines && s.Kind == ltl.KindProposition {
					s.Kind = other.Kind // the kind of the symbol that the proposition refers to
				}
			}
		}
	}
	return s
}

// innermost returns the shortest occurrence that contains a position or ends there.
func innermost(list []source.Occurrence, at source.Pos) (best source.Occurrence, found bool) {
	for _, o := range list {
		if o.Span.Start <= at && at <= o.Span.End && (!found || o.Span.Len() < best.Span.Len()) {
			best, found = o, true
		}
	}
	return best, found
}

// Propositions returns the propositions that formulas of a workspace can refer to.
func (t Table) Propositions(w workspace.Workspace) []Item {
	var out []Item
	seen := map[string]bool{}
	for _, f := range w.Files {
		row := t.Of(f.Name)
		if row.Define == nil {
			continue
		}
		for _, o := range row.Occur(f) {
			if group, name := row.Define(o); group != "" && group != GroupQuestion && !seen[name] {
				seen[name] = true
				out = append(out, Item{Label: name, Kind: o.Kind, Detail: f.Name})
			}
		}
	}
	return out
}
