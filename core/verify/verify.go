// Package verify proves that every word of a grammar satisfies a formula, or finds a
// shortest counterexample.
package verify

import (
	"math"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
)

// Grammar reports whether a formula holds for every non-empty word of a grammar, read as a
// trace with one terminal a step; the empty word is not a trace. If not, the
// counterexample is a shortest word that violates it.
//
// It is the emptiness of the grammar's intersection with the automaton of the
// negation (Bar-Hillel, Perles and Shamir 1961), with the shortest words by Knuth's
// generalisation of Dijkstra's algorithm (1977), computed to a fixpoint: cubic in
// the automaton's states, linear in the grammar for each round. The error is the
// meter's.
func Grammar(g *grammar.Grammar, f *ltl.Formula, m *meter.Meter) (holds bool, counterexample []grammar.Symbol, err error) {
	return verifyGrammar(g, f, m, ltl.Translate)
}

// GrammarPlain is [Grammar] with [ltl.TranslatePlain], for the core module.
func GrammarPlain(g *grammar.Grammar, f *ltl.Formula, m *meter.Meter) (holds bool, counterexample []grammar.Symbol, err error) {
	return verifyGrammar(g, f, m, ltl.TranslatePlain)
}

func verifyGrammar(g *grammar.Grammar, f *ltl.Formula, m *meter.Meter, translate ltl.Translator) (holds bool, counterexample []grammar.Symbol, err error) {
	if g.NumTerminals == 0 {
		return true, nil, nil // only the empty word, at most
	}
	bad, err := overTerminals(g, ltl.New(ltl.Not, f), m, translate)
	if err != nil {
		return false, nil, err
	}
	word, found, err := Shortest(g, bad, m)
	return !found && err == nil, word, err
}

// Satisfiable reports whether a formula holds for some non-empty word of a grammar in which
// no terminal occurs more often than caps allow ([grammar.Grammar.Caps]). The error is the
// meter's; the problem is NP-complete (see [Nearest]).
func Satisfiable(g *grammar.Grammar, caps []int64, f *ltl.Formula, m *meter.Meter) (bool, error) {
	if g.NumTerminals == 0 {
		return false, nil
	}
	good, err := overTerminals(g, f, m, ltl.Translate)
	if err != nil {
		return false, err
	}
	shortest, err := Nearest(g, caps, good.WithoutEmpty(), nil, m)
	return shortest != nil, err
}

// overTerminals returns the automaton of a formula whose letters are a grammar's terminals.
func overTerminals(g *grammar.Grammar, f *ltl.Formula, m *meter.Meter, translate ltl.Translator) (*automaton.DFA, error) {
	alphabet, err := ltl.NewAlphabet(g.Names[:g.NumTerminals], ltl.OneHot)
	if err != nil {
		return nil, err
	}
	d, err := translate(f, alphabet, m)
	if err != nil {
		return nil, err
	}
	return d.Explicit()
}

// Shortest returns a shortest word of a grammar that an automaton accepts; the
// automaton's letters are the grammar's terminals. found is false if there is none. The
// error is a limit of the meter, or a limit error if the shortest word is too long to be counted.
func Shortest(g *grammar.Grammar, d *automaton.DFA, m *meter.Meter) (word []grammar.Symbol, found bool, err error) {
	s := newSearch(g, d, m)
	if err := s.run(); err != nil {
		return nil, false, err
	}
	best, end := unreachable, 0
	for to := range s.states {
		if length := s.length[g.Start][s.at(d.Start(), to)]; d.Accepting(to) && length < best {
			best, end = length, to
		}
	}
	if best == unreachable {
		return nil, false, nil
	}
	if err := m.Spend(meter.States, int64(best)); err != nil {
		return nil, false, err
	}
	if best == longest {
		return nil, false, &meter.LimitError{Resource: meter.States, Max: int64(longest)}
	}
	word, err = s.spell(make([]grammar.Symbol, 0, best), g.Start, d.Start(), end)
	return word, err == nil, err
}

// unreachable is the length if the language is empty.
const unreachable = int32(1) << 30

// longest represents the lengths of words that are too long to be counted: twenty rules
// are enough for a million symbols, and thirty for more than fit into memory.
const longest = unreachable - 1

// search finds, for every symbol and pair of states, the length of a shortest
// word that the symbol derives and that leads from the first state to the second.
type search struct {
	g      *grammar.Grammar
	d      *automaton.DFA
	m      *meter.Meter
	states int
	length [][]int32 // by symbol, then pair
	how    [][]int32 // by symbol, then pair: the production of that word
	when   [][]int32 // by symbol, then pair: when it was found; 0 for terminals
	found  int32
	users  [][]int // by symbol: productions that have it on their right
}

func newSearch(g *grammar.Grammar, d *automaton.DFA, m *meter.Meter) *search {
	s := &search{
		g: g, d: d, m: m, states: d.NumStates(),
		length: make([][]int32, g.NumSymbols()), how: make([][]int32, g.NumSymbols()), when: make([][]int32, g.NumSymbols()), users: make([][]int, g.NumSymbols()),
	}
	for i, p := range g.Productions {
		for j, symbol := range p.Right {
			if j == 0 || symbol != p.Right[j-1] {
				s.users[symbol] = append(s.users[symbol], i)
			}
		}
	}
	return s
}

func (s *search) at(from, to int) int { return from*s.states + to }

// table gives a symbol its table, at first full of unreachable.
func (s *search) table(symbol grammar.Symbol) []int32 {
	t := make([]int32, s.states*s.states)
	for i := range t {
		t[i] = unreachable
	}
	s.length[symbol] = t
	return t
}

// run computes the tables: a production is examined again whenever a table on its right has
// improved.
func (s *search) run() error {
	// A pair of states takes twelve bytes of each symbol, and a state of the meter a hundred.
	if err := s.m.Spend(meter.States, int64(s.g.NumSymbols())*int64(1+s.states*s.states/8)); err != nil {
		return err
	}
	for symbol := range grammar.Symbol(s.g.NumSymbols()) {
		t := s.table(symbol)
		if s.g.IsTerminal(symbol) {
			for from := range s.states {
				t[s.at(from, s.d.Next(from, int(symbol)))] = 1
			}
		}
		s.how[symbol], s.when[symbol] = make([]int32, len(t)), make([]int32, len(t))
	}
	queue := make([]int, len(s.g.Productions))
	queued := make([]bool, len(s.g.Productions))
	for i := range queue {
		queue[i], queued[i] = i, true
	}
	for len(queue) > 0 {
		i := queue[0]
		queue, queued[i] = queue[1:], false
		better, err := s.relax(i)
		if err != nil {
			return err
		}
		if !better {
			continue
		}
		for _, user := range s.users[s.g.Productions[i].Left] {
			if !queued[user] {
				queue, queued[user] = append(queue, user), true
			}
		}
	}
	return nil
}

// relax checks whether a production gives its left side shorter words.
func (s *search) relax(production int) (better bool, err error) {
	p := s.g.Productions[production]
	for from := range s.states {
		rows, err := s.walk(p.Right, from, math.MaxInt32)
		if err != nil {
			return false, err
		}
		for to, length := range rows[len(p.Right)] {
			if at := s.at(from, to); length < s.length[p.Left][at] {
				s.length[p.Left][at] = length
				s.how[p.Left][at] = int32(production)
				s.found++
				s.when[p.Left][at] = s.found
				better = true
			}
		}
	}
	return better, nil
}

// walk returns a row for each number n from 0 to len(right): by state, the length of a
// shortest word of the first n symbols that leads from the given state to it. It uses only
// results found before the given time. The error is a limit of the meter.
func (s *search) walk(right []grammar.Symbol, from int, before int32) ([][]int32, error) {
	rows := make([][]int32, len(right)+1)
	reached := 0
	rows[0] = make([]int32, s.states)
	for to := range rows[0] {
		rows[0][to] = unreachable
	}
	rows[0][from] = 0
	for i, symbol := range right {
		row := make([]int32, s.states)
		for to := range row {
			row[to] = unreachable
		}
		for mid, length := range rows[i] {
			if length == unreachable {
				continue
			}
			reached++
			for to := range row {
				at := s.at(mid, to)
				if more := s.length[symbol][at]; more < unreachable && s.when[symbol][at] < before {
					row[to] = min(row[to], length+more, longest)
				}
			}
		}
		rows[i+1] = row
	}
	return rows, s.m.Step(1 + (len(right)+reached)*(1+s.states/8))
}

// spell appends the word that the tables found for a symbol and a pair of
// states. It consists of words that were found before it and have not become shorter
// since, because otherwise it would have become shorter, too. Therefore the recursion ends.
func (s *search) spell(word []grammar.Symbol, symbol grammar.Symbol, from, to int) ([]grammar.Symbol, error) {
	if s.g.IsTerminal(symbol) {
		return append(word, symbol), nil
	}
	right := s.g.Productions[s.how[symbol][s.at(from, to)]].Right
	when := s.when[symbol][s.at(from, to)]
	rows, err := s.walk(right, from, when)
	if err != nil {
		return nil, err
	}
	// The states between the symbols, from the last to the first.
	ends := make([]int, len(right)+1)
	ends[len(right)] = to
	for i := len(right) - 1; i >= 0; i-- {
		for mid, length := range rows[i] {
			at := s.at(mid, ends[i+1])
			if length != unreachable && s.when[right[i]][at] < when && length+s.length[right[i]][at] == rows[i+1][ends[i+1]] {
				ends[i] = mid
				break
			}
		}
	}
	for i, part := range right {
		if word, err = s.spell(word, part, ends[i], ends[i+1]); err != nil {
			return nil, err
		}
	}
	return word, nil
}
