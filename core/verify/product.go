package verify

import (
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Product is the grammar of the words of another that an automaton accepts. Its
// terminals are the other's, with their numbers, names and labels. A nonterminal
// represents a triple: the words that a nonterminal of the other derives and that lead the
// automaton from one state to another.
type Product struct {
	Grammar *grammar.Grammar
	Origin  []int // by production: the production of the other, or -1

	g       *grammar.Grammar
	a       Nondeterministic
	symbols map[triple]grammar.Symbol
	triples []triple // by nonterminal of Grammar; the start's is the zero triple
}

// triple is a symbol of the divided grammar between two states.
type triple struct {
	symbol   int32
	from, to int32
}

// Triple returns the symbol for the words that a symbol of the other grammar derives and
// that lead from one state to another; ok is false if there are none. For a terminal it is
// the terminal itself.
func (p *Product) Triple(from int, s grammar.Symbol, to int) (symbol grammar.Symbol, ok bool) {
	if p.g.IsTerminal(s) {
		return s, slices.Contains(p.a.Next(from, int(s)), to)
	}
	symbol, ok = p.symbols[triple{int32(s), int32(from), int32(to)}]
	return symbol, ok
}

// Of returns the triple that a nonterminal of the product represents. ok is false for the
// start and for the rest of a long right side.
func (p *Product) Of(symbol grammar.Symbol) (from int, s grammar.Symbol, to int, ok bool) {
	t := p.triples[int(symbol)-p.Grammar.NumTerminals]
	return int(t.from), grammar.Symbol(t.symbol), int(t.to), symbol != p.Grammar.Start && int(t.symbol) < p.g.NumSymbols()
}

// product writes the triples as a grammar: all of them, or those that the start
// needs.
func (x *intersection) product(needed bool) (*Product, error) {
	b := &productBuilder{intersection: x, p: &Product{g: x.g, a: x.a, symbols: map[triple]grammar.Symbol{}, triples: []triple{{}}}, labels: map[string]string{}}
	for s := range x.g.NumTerminals {
		b.label(x.g.Names[s], grammar.Symbol(s))
	}
	b.names = []string{b.free("start")}
	start := grammar.Symbol(x.g.NumTerminals)
	if at := x.at(int32(x.g.Start), int32(x.a.Start())); at != nil {
		at.to.Each(func(to int) {
			if x.a.Accepting(to) {
				b.add(start, []grammar.Symbol{b.triple(triple{int32(x.g.Start), int32(x.a.Start()), int32(to)})}, -1)
			}
		})
	}
	if !needed {
		for s := range x.spans {
			for from, at := range x.spans[s] {
				if at != nil {
					at.to.Each(func(to int) { b.triple(triple{int32(s), int32(from), int32(to)}) })
				}
			}
		}
	}
	for i := 1; i < len(b.p.triples); i++ {
		if err := x.m.Spend(meter.States, 2); err != nil {
			return nil, err
		}
		if err := b.expand(b.p.triples[i]); err != nil {
			return nil, err
		}
	}
	b.p.Grammar = grammar.New(x.g.Names[:x.g.NumTerminals], b.names, start, b.out, b.labels, x.g.DeclaredLimits())
	return b.p, nil
}

// at returns the span of a nonterminal from a state, or nil.
func (x *intersection) at(symbol, from int32) *span {
	if x.spans[symbol] == nil {
		return nil
	}
	return x.spans[symbol][from]
}

type productBuilder struct {
	*intersection
	p      *Product
	names  []string
	labels map[string]string
	out    []grammar.Production
}

// free returns a name that no symbol of the grammar has.
func (b *productBuilder) free(name string) string {
	for {
		if _, taken := b.g.Lookup(name); !taken {
			return name
		}
		name += "'"
	}
}

func (b *productBuilder) label(name string, s grammar.Symbol) {
	if label := b.g.Label(s); label != b.g.Names[s] {
		b.labels[name] = label
	}
}

func (b *productBuilder) triple(t triple) grammar.Symbol {
	if s, ok := b.p.symbols[t]; ok {
		return s
	}
	s := grammar.Symbol(b.g.NumTerminals + len(b.names))
	between := "⟨" + strconv.Itoa(int(t.from)) + "," + strconv.Itoa(int(t.to)) + "⟩"
	name := ""
	if int(t.symbol) < b.g.NumSymbols() {
		name = b.free(b.g.Names[t.symbol] + between)
		b.label(name, grammar.Symbol(t.symbol))
	} else {
		name = b.free("rest" + strconv.Itoa(int(t.symbol)-b.g.NumSymbols()+1) + between)
	}
	b.p.symbols[t] = s
	b.p.triples, b.names = append(b.p.triples, t), append(b.names, name)
	return s
}

func (b *productBuilder) add(left grammar.Symbol, right []grammar.Symbol, origin int) {
	p := grammar.Production{Left: left, Right: right}
	if origin >= 0 {
		p.Label, p.Span = b.g.Productions[origin].Label, b.g.Productions[origin].Span
	}
	b.out, b.p.Origin = append(b.out, p), append(b.p.Origin, origin)
}

// expand adds the productions of a triple, in the order of those of its symbol.
func (b *productBuilder) expand(t triple) error {
	left := b.p.symbols[t]
	for _, number := range b.byLeft[t.symbol] {
		d := b.productions[number]
		err := b.each(d, 0, t.from, t.to, nil, func(parts []triple) {
			right := slices.Clone(b.texts[d.texts[0]].symbols)
			for i, part := range parts {
				right = append(append(right, b.triple(part)), b.texts[d.texts[i+1]].symbols...)
			}
			b.add(left, right, d.origin)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls f with each list of triples for the parts of a production that makes it lead
// from one state to another. The triples of the parts before part are given.
func (b *productBuilder) each(d divided, part int, from, to int32, before []triple, f func([]triple)) error {
	begins, err := b.after(d.texts[part], from)
	if err != nil {
		return err
	}
	if part == len(d.parts) {
		if slices.Contains(begins, to) {
			err = b.m.Spend(meter.States, 1+int64(len(before))/2)
			f(before)
		}
		return err
	}
	for _, begin := range begins {
		at := b.at(d.parts[part], begin)
		last := part+1 == len(d.parts) && len(b.texts[d.texts[part+1]].symbols) == 0
		try := func(end int) {
			if err == nil {
				err = b.each(d, part+1, int32(end), to, append(before[:part:part], triple{d.parts[part], begin, int32(end)}), f)
			}
		}
		tried := 1
		if !last {
			at.to.Each(try)
			tried = len(at.list)
		} else if at.to.Has(int(to)) {
			try(int(to))
		}
		if err != nil {
			return err
		}
		if err := b.m.Step(1 + tried/8); err != nil {
			return err
		}
	}
	return nil
}
