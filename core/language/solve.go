package language

import (
	"path"
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// solverOf returns the solver that a kind of files is for.
func solverOf(kind workspace.Kind) solve.Solver {
	if kind == workspace.KindLP {
		return solve.HiGHS
	}
	return solve.Z3
}

// givenOf returns the name of the definitions that a formulation in a problem's folder
// stands behind, "" where there are none.
func givenOf(name string) string {
	given := path.Join(path.Dir(name), formulate.FileAPI)
	if formulate.Folder(name) == "" || name == given {
		return ""
	}
	return given
}

// given makes names that a text does not declare those of the definitions that it
// stands behind, and leaves out the rest of them.
func (x *index) given(w workspace.Workspace, f workspace.File, list []source.Occurrence) []source.Occurrence {
	kinds := map[string]string{}
	from := givenOf(f.Name)
	if g, ok := w.File(from); ok {
		for _, o := range occurrences(g) {
			if o.Defines && o.Kind != solve.KindBound {
				kinds[o.Name] = o.Kind
			}
		}
	}
	var out []source.Occurrence
	for _, o := range list {
		if o.Kind == solve.KindName {
			kind, ok := kinds[o.Name]
			if !ok {
				continue
			}
			o.Kind, o.Of = kind, from
		}
		out = append(out, o)
	}
	return out
}

// solvePieces are the tokens of a problem for a solver, with parentheses.
func solvePieces(file *source.File, kind workspace.Kind, add func(span source.Span, comment bool)) {
	done := source.Pos(0)
	gap := func(to source.Pos) {
		for ; done < to && kind == workspace.KindSMT; done++ {
			if c := file.Text[done]; c == '(' || c == ')' {
				add(source.Span{Start: done, End: done + 1}, false)
			}
		}
	}
	for _, t := range solve.Tokens(solverOf(kind), file, len(file.Text)+1) {
		gap(t.Span.Start)
		add(t.Span, t.Class == "comment")
		done = t.Span.End
	}
	gap(source.Pos(len(file.Text)))
}

// smt completes a text in SMT-LIB.
func (c *completer) smt() {
	open, in, _, starts := c.around()
	sorts := func() {
		for _, name := range []string{"Int", "Real", "Bool"} {
			c.add(Item{Label: name, Kind: solve.KindSort})
		}
		c.symbols(solve.Quote, nil, solve.KindSort)
	}
	switch {
	case c.inside != nil && c.inside.quoted:
	case len(open) == 0, len(open) == 1 && starts:
		c.opening("declare-const", "declare-fun", "define-fun", "assert", "assert-soft", "minimize", "maximize", "declare-sort", "declare-datatype", "set-logic", "set-option", "push", "pop", "check-sat")
	case in.head == "declare-const" && in.items == 1, in.head == "declare-fun" && in.items == 2, in.head == "define-fun" && in.items == 2, in.head == "define-const" && in.items == 1:
		sorts()
	case in.head == "declare-const" || in.head == "declare-fun" || in.head == "set-logic" || in.head == "push" || in.head == "pop" || in.head == "echo" || in.head == "declare-sort":
	case in.head == "!" && in.items > 0:
		c.keywords(":named")
	case in.head == "assert-soft" && in.items > 0:
		c.keywords(":weight", ":id")
	default:
		c.symbols(solve.Quote, c.sorts(), solve.KindConstant, solve.KindFunction, solve.KindBound)
		if g, ok := c.w.File(givenOf(c.f.Name)); ok {
			for _, o := range occurrences(g) {
				if o.Defines && (o.Kind == solve.KindConstant || o.Kind == solve.KindFunction) {
					c.add(Item{Label: o.Name, Kind: o.Kind, Detail: g.Name})
				}
			}
		}
		if len(open) == 2 && open[0].head == "declare-fun" {
			sorts()
		}
		c.opening("ite", "let", "forall", "exists", "distinct")
		for _, name := range []string{"and", "or", "not", "=>", "=", "+", "-", "*", "/", "<=", ">=", "<", ">", "div", "mod", "!"} {
			i := Item{Label: name, Kind: "keyword"}
			if !starts {
				i.Insert = "(" + name
			}
			c.add(i)
		}
	}
}

// sorts returns the sorts of what the file declares.
func (c *completer) sorts() map[string]string {
	p, _ := solve.Check(solverOf(c.kind), c.f.Source())
	out := map[string]string{}
	for _, n := range p.Names {
		out[n.Name] = n.Sort
	}
	return out
}

// lp completes a text in the LP format.
func (c *completer) lp() {
	line := c.line()
	if len(line) == 0 {
		c.keywords("minimize", "maximize", "subject to", "bounds", "general", "binary", "end")
	}
	c.symbols(func(name string) string { return name }, nil, solve.KindVariable)
	if len(line) > 0 {
		c.keywords("free", "inf")
	}
}

// solve tells of what is named in a problem for a solver: the line on which it comes to
// be there.
func (d describer) solve(c *Card, s *Symbol) {
	for _, p := range s.Places {
		f, ok := d.w.File(p.File)
		if !ok || !p.Defines {
			continue
		}
		file := f.Source()
		line := strings.TrimSpace(file.Line(file.Locate(p.Span.Start).Line))
		if runes := []rune(line); len(runes) > 120 {
			line = string(runes[:119]) + "…"
		}
		c.Lines = append(c.Lines, line)
		return
	}
}

// solveFolds folds lists, or the sections of an LP.
func (x *folder) solveFolds(kind workspace.Kind) {
	if kind == workspace.KindSMT {
		solvePieces(x.file, kind, func(span source.Span, comment bool) {
			text := x.file.Slice(span)
			x.bracket(text == "(", text == ")", span)
		})
		return
	}
	start, end := source.Pos(-1), source.Pos(0)
	for _, t := range solve.Tokens(solve.HiGHS, x.file, len(x.file.Text)+1) {
		if t.Class == "keyword" && strings.TrimSpace(x.file.Text[:t.Span.Start]) != "" && x.file.Text[t.Span.Start-1] == '\n' || t.Class == "keyword" && t.Span.Start == 0 {
			if start >= 0 {
				x.add(start, end)
			}
			start = t.Span.Start
		}
		end = t.Span.End
	}
	if start >= 0 {
		x.add(start, end)
	}
}
