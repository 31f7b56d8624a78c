package language

import (
	"path"
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// solverOf returns the solver of a kind of files.
func solverOf(kind workspace.Kind) solve.Solver {
	if kind == workspace.KindLP {
		return solve.HiGHS
	}
	return solve.Z3
}

// givenOf returns the name of the file of definitions that precede a formulation in a problem
// folder, or "".
func givenOf(name string) string {
	given := path.Join(path.Dir(name), formulate.FileAPI)
	if formulate.Folder(name) == "" || name == given {
		return ""
	}
	return given
}

// resolveGiven links the names that a text does not declare to the definitions of its folder, and
// drops the names that neither declares.
func resolveGiven(x *notation.Index, f workspace.File, list []source.Occurrence) []source.Occurrence {
	kinds := map[string]string{}
	from := givenOf(f.Name)
	if g, ok := x.Workspace.File(from); ok {
		for _, o := range x.Table.Of(g.Name).Occur(g) {
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

// lexSolver returns the words of a problem for a solver. The words of SMT-LIB include the
// parentheses.
func lexSolver(file *source.File, kind workspace.Kind) (out []notation.Word) {
	add := func(span source.Span, comment bool) { out = append(out, notation.Word{Span: span, Comment: comment}) }
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
	return out
}

// completeSmt completes a text in SMT-LIB.
func completeSmt(c *notation.Completer) {
	open, in, _, starts := c.Around()
	switch {
	case c.Inside != nil && c.Inside.Quoted:
	case len(open) == 0, len(open) == 1 && starts:
		c.Opening("declare-const", "declare-fun", "define-fun", "assert", "assert-soft", "minimize", "maximize", "declare-sort", "declare-datatype", "set-logic", "set-option", "push", "pop", "check-sat")
	case smtSort(in.Head, in.Items):
		completeSmtSort(c)
	case withoutSmtTerms(in.Head):
	case in.Head == "!" && in.Items > 0:
		c.Keywords(":named")
	case in.Head == "assert-soft" && in.Items > 0:
		c.Keywords(":weight", ":id")
	default:
		completeSmtTerm(c, starts, len(open) == 2 && open[0].Head == "declare-fun")
	}
}

// smtSort reports whether the next item of a declaration is its sort, given the number of
// items after its head.
func smtSort(head string, items int) bool {
	switch head {
	case "declare-const", "define-const":
		return items == 1
	case "declare-fun", "define-fun":
		return items == 2
	}
	return false
}

// withoutSmtTerms reports whether a command contains new names, numbers or texts only.
func withoutSmtTerms(head string) bool {
	switch head {
	case "declare-const", "declare-fun", "declare-sort", "set-logic", "push", "pop", "echo":
		return true
	}
	return false
}

func completeSmtSort(c *notation.Completer) {
	for _, name := range []string{"Int", "Real", "Bool"} {
		c.Add(notation.Item{Label: name, Kind: solve.KindSort})
	}
	c.Symbols(solve.Quote, nil, solve.KindSort)
}

// completeSmtTerm adds the candidates for a term, or for the sorts of arguments.
func completeSmtTerm(c *notation.Completer, starts, sorts bool) {
	c.Symbols(solve.Quote, completeSorts(c), solve.KindConstant, solve.KindFunction, solve.KindBound)
	if g, ok := c.Workspace.File(givenOf(c.File.Name)); ok {
		for _, o := range c.Table.Of(g.Name).Occur(g) {
			if o.Defines && (o.Kind == solve.KindConstant || o.Kind == solve.KindFunction) {
				c.Add(notation.Item{Label: o.Name, Kind: o.Kind, Detail: g.Name})
			}
		}
	}
	if sorts {
		completeSmtSort(c)
	}
	c.Opening("ite", "let", "forall", "exists", "distinct")
	for _, name := range []string{"and", "or", "not", "=>", "=", "+", "-", "*", "/", "<=", ">=", "<", ">", "div", "mod", "!"} {
		i := notation.Item{Label: name, Kind: "keyword"}
		if !starts {
			i.Insert = "(" + name
		}
		c.Add(i)
	}
}

// completeSorts returns the sorts that the file declares.
func completeSorts(c *notation.Completer) map[string]string {
	p, _ := solve.Check(solverOf(c.Row.Kind), c.File.Source())
	out := map[string]string{}
	for _, n := range p.Names {
		out[n.Name] = n.Sort
	}
	return out
}

// completeLp completes a text in the LP format.
func completeLp(c *notation.Completer) {
	line := c.Line()
	if len(line) == 0 {
		c.Keywords("minimize", "maximize", "subject to", "bounds", "general", "binary", "end")
	}
	c.Symbols(func(name string) string { return name }, nil, solve.KindVariable)
	if len(line) > 0 {
		c.Keywords("free", "inf")
	}
}

// describeSolve describes a name of a problem for a solver by the line that defines it.
func describeSolve(d *notation.Scope, c *notation.Card, s *notation.Symbol) {
	for _, p := range s.Places {
		f, ok := workspaceOf(d).File(p.File)
		if !ok || !p.Defines {
			continue
		}
		file := f.Source()
		line := strings.TrimSpace(file.Line(file.Locate(p.Span.Start).Line))
		if runes := []rune(line); len(runes) > 120 {
			line = string(runes[:119]) + "…"
		}
		c.Add(line)
		return
	}
}

// foldSolver folds the lists of an SMT-LIB text or the sections of an LP.
func foldSolver(x *notation.Folder, kind workspace.Kind) {
	if kind == workspace.KindSMT {
		for _, word := range lexSolver(x.File, kind) {
			text := x.File.Slice(word.Span)
			x.Bracket(text == "(", text == ")", word.Span)
		}
		return
	}
	start, end := source.Pos(-1), source.Pos(0)
	for _, t := range solve.Tokens(solve.HiGHS, x.File, len(x.File.Text)+1) {
		if t.Class == "keyword" && strings.TrimSpace(x.File.Text[:t.Span.Start]) != "" && x.File.Text[t.Span.Start-1] == '\n' || t.Class == "keyword" && t.Span.Start == 0 {
			if start >= 0 {
				x.Add(start, end)
			}
			start = t.Span.Start
		}
		end = t.Span.End
	}
	if start >= 0 {
		x.Add(start, end)
	}
}
