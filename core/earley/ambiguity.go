package earley

import (
	"errors"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Ambiguity is what is known of a grammar's ambiguity, which cannot be decided in
// general. One of three is so: it is proven unambiguous; a word has several trees;
// no word of up to a length has.
type Ambiguity struct {
	// Unambiguous is set where an LR(1) table without conflicts proves it.
	Unambiguous bool
	// Witness is a shortest word with several trees, or nil.
	Witness []grammar.Symbol
	// Trees is how many the witness has, or [InfinitelyMany].
	Trees int64
	// UpTo is the length up to which no other word has several trees.
	UpTo int
}

// tableBudget bounds the LR(1) table that may prove a grammar unambiguous; what is
// left of a caller's budget is for the search.
var tableBudget = meter.Budget{Steps: 10_000_000, States: 300_000}

// FindAmbiguity looks for a shortest word of up to max letters that has several
// derivation trees, if the grammar is not proven to have none. It stops early
// where the meter's budget does not last for a longer length, and says so by UpTo;
// the error is that the host cancelled, or that not even length 0 was looked at.
func FindAmbiguity(g *grammar.Grammar, max int, m *meter.Meter) (Ambiguity, error) {
	if lr, err := g.LR1(meter.New(tableBudget)); err == nil && len(lr.Conflicts) == 0 {
		return Ambiguity{Unambiguous: true, UpTo: max}, nil
	}
	return SearchAmbiguity(g, max, m)
}

// SearchAmbiguity is FindAmbiguity without the attempt at a proof, whose table may cost
// more than the search.
func SearchAmbiguity(g *grammar.Grammar, max int, m *meter.Meter) (Ambiguity, error) {
	p := New(g)
	if p.next[startRule] == complete {
		return Ambiguity{Unambiguous: true, UpTo: max}, nil // there is no word
	}
	out := Ambiguity{UpTo: -1}
	for length := 0; length <= max; length++ {
		word, trees, err := p.ambiguousWord(length, m)
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
// that has several trees. Where trees can be counted, a length with as many words
// as trees has none.
func (p *Parser) ambiguousWord(length int, m *meter.Meter) ([]grammar.Symbol, int64, error) {
	if !p.loops() {
		trees, err := CountTrees(p.g, length, m)
		if err != nil {
			return nil, 0, err
		}
		words, err := CountWords(p.g, length, m)
		if err != nil {
			return nil, 0, err
		}
		if !words[length].Less(trees[length]) {
			return nil, 0, nil
		}
	}
	return p.searchWord(p.Start(m), length, []grammar.Symbol{}, m)
}

func (p *Parser) searchWord(r *Run, left int, word []grammar.Symbol, m *meter.Meter) ([]grammar.Symbol, int64, error) {
	if left == 0 {
		trees, err := p.Trees(word, m)
		var fault *source.Error
		if errors.As(err, &fault) {
			return word, MaxTrees, nil // too many to count
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
		found, trees, err := p.searchWord(r, left-1, append(word[:len(word):len(word)], t), m)
		if found != nil || err != nil {
			return found, trees, err
		}
		r.Pop()
	}
	return nil, 0, nil
}
