package counting

import (
	"errors"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Ambiguity is a result about the ambiguity of a grammar, which is undecidable in general: the
// grammar is proved unambiguous, or a word with several trees is found, or no word up to a length
// has several trees.
type Ambiguity struct {
	// Unambiguous is set if an LR(1) table without conflicts proves it.
	Unambiguous bool
	// Witness is a shortest word with several trees, or nil.
	Witness []grammar.Symbol
	// Trees is the number of the witness's trees, or [earley.InfinitelyMany].
	Trees int64
	// UpTo is the length up to which no word has several trees; the witness, if any, is longer.
	UpTo int
}

// tableBudget bounds the LR(1) table that may prove a grammar unambiguous. The
// caller's budget is for the search.
var tableBudget = meter.Budget{Steps: 10_000_000, States: 300_000}

// FindAmbiguity searches for a shortest word of up to max letters with several
// derivation trees, unless an LR(1) table proves the grammar unambiguous. If the
// meter's budget runs out before max, the search stops and UpTo is the last length
// that it completed. The error means that the host cancelled, or that the budget was
// too small for length 0.
func FindAmbiguity(g *grammar.Grammar, max int, m *meter.Meter) (Ambiguity, error) {
	if lr, err := g.LR1(meter.New(tableBudget)); err == nil && len(lr.Conflicts) == 0 {
		return Ambiguity{Unambiguous: true, UpTo: max}, nil
	}
	return SearchAmbiguity(g, max, m)
}

// SearchAmbiguity is FindAmbiguity without the LR(1) table, which may cost more than
// the search.
func SearchAmbiguity(g *grammar.Grammar, max int, m *meter.Meter) (Ambiguity, error) {
	if !g.Useful()[g.Start] {
		return Ambiguity{Unambiguous: true, UpTo: max}, nil // the language is empty
	}
	p := earley.New(g)
	out := Ambiguity{UpTo: -1}
	for length := 0; length <= max; length++ {
		word, trees, err := ambiguousWord(p, length, m)
		var limit *meter.LimitError
		if errors.As(err, &limit) && length > 0 {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		if word != nil {
			out.Witness, out.Trees = word, trees
			return out, nil
		}
		out.UpTo = length
	}
	return out, nil
}

// ambiguousWord returns the first word of a length, in the order of its letters,
// that has several trees. If the grammar is not cyclic and has as many words of the
// length as trees, no word is ambiguous and the words are not enumerated.
func ambiguousWord(p *earley.Parser, length int, m *meter.Meter) ([]grammar.Symbol, int64, error) {
	if !cyclic(p.Grammar()) {
		trees, err := Trees(p.Grammar(), length, m)
		if err != nil {
			return nil, 0, err
		}
		words, err := Words(p.Grammar(), length, m)
		if err != nil {
			return nil, 0, err
		}
		if words[length].Cmp(trees[length]) >= 0 {
			return nil, 0, nil
		}
	}
	return searchWord(p, p.Start(m), length, []grammar.Symbol{}, m)
}

func searchWord(p *earley.Parser, r *earley.Run, left int, word []grammar.Symbol, m *meter.Meter) ([]grammar.Symbol, int64, error) {
	if left == 0 {
		trees, err := p.Trees(word, m)
		var fault *source.Error
		if errors.As(err, &fault) {
			return word, earley.MaxTrees, nil // too many to count
		}
		if err != nil || trees == 0 || trees == 1 {
			return nil, 0, err
		}
		return word, trees, nil
	}
	for _, t := range r.Next() {
		if _, err := r.Push(t); err != nil {
			return nil, 0, err
		}
		found, trees, err := searchWord(p, r, left-1, append(word[:len(word):len(word)], t), m)
		if found != nil || err != nil {
			return found, trees, err
		}
		r.Pop()
	}
	return nil, 0, nil
}
