package ltl

import "github.com/stile-playground/stile/core/source"

// Operands are propositions that are all operands of one operator, such as those of a & b & c.
type Operands struct {
	Op      Op
	Names   []string
	Spans   []source.Span
	Negated bool // the operator is the argument of !
}

// OperandsOf returns the propositions of a formula that share an operator.
func OperandsOf(file *source.File, n Named) (out []Operands) {
	var tokens []token
	p := &parser{text: file.Text, at: int(max(n.Span.Start, n.NameSpan.End)), end: int(n.Span.End)}
	for p.next(); p.now.kind != tokenEnd; p.next() {
		tokens = append(tokens, p.now)
	}
	at := func(i int) token {
		if i < 0 || i >= len(tokens) {
			return token{}
		}
		return tokens[i]
	}
	binary := func(t token) bool { return t.kind == tokenOp && t.op.arity() == 2 }
	for i := 0; i < len(tokens); i++ {
		op := at(i + 1)
		if tokens[i].kind != tokenProp || !binary(op) {
			continue
		}
		first := i
		o := Operands{Op: op.op, Names: []string{tokens[i].name}, Spans: []source.Span{tokens[i].span}}
		for ; binary(at(i+1)) && at(i+1).op == op.op && at(i+2).kind == tokenProp; i += 2 {
			o.Names, o.Spans = append(o.Names, at(i+2).name), append(o.Spans, at(i+2).span)
		}
		before, after := at(first-1), at(i+1)
		looser := func(t token) bool { return binary(t) && t.op.binding() < op.op.binding() }
		if len(o.Names) > 1 && (before.kind == tokenEnd || before.kind == tokenOpen || before.kind == tokenColon || looser(before)) && (after.kind == tokenEnd || after.kind == tokenClose || looser(after)) {
			o.Negated = before.kind == tokenOpen && after.kind == tokenClose && at(first-2).op == Not
			out = append(out, o)
		}
	}
	return out
}
