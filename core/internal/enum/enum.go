// Package enum enumerates languages by brute force, as an oracle. It shares no code with
// the implementations that it tests.
package enum

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
)

// Language is a finite set of words over terminals, each written as a string of
// the bytes 'A'+symbol.
type Language map[string]bool

// Words returns, by symbol, all words of up to max symbols that it derives, as
// the least fixpoint of the productions.
func Words(g *grammar.Grammar, max int) []Language {
	words := make([]Language, g.NumSymbols())
	for s := range words {
		words[s] = Language{}
		if g.IsTerminal(grammar.Symbol(s)) {
			words[s][Letter(grammar.Symbol(s))] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range g.Productions {
			for w := range concat(p.Right, words, max) {
				if !words[p.Left][w] {
					words[p.Left][w] = true
					changed = true
				}
			}
		}
	}
	return words
}

// Prefixes returns, by symbol, all prefixes of up to max symbols of the words that it derives,
// which may have any length.
func Prefixes(g *grammar.Grammar, max int) []Language {
	words, productive := Words(g, max), g.Productive()
	prefixes := make([]Language, g.NumSymbols())
	for s := range prefixes {
		prefixes[s] = Language{}
		if g.IsTerminal(grammar.Symbol(s)) {
			prefixes[s][""] = true
			prefixes[s][Letter(grammar.Symbol(s))] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range g.Productions {
			if !all(p.Right, productive) {
				continue
			}
			found := Language{"": true}
			for i := range p.Right {
				// Complete words of the symbols before i, then a prefix of a word of symbol i.
				for before := range concat(p.Right[:i], words, max) {
					for last := range prefixes[p.Right[i]] {
						if len(before)+len(last) <= max {
							found[before+last] = true
						}
					}
				}
			}
			for w := range found {
				if !prefixes[p.Left][w] {
					prefixes[p.Left][w] = true
					changed = true
				}
			}
		}
	}
	return prefixes
}

func concat(symbols []grammar.Symbol, words []Language, max int) Language {
	out := Language{"": true}
	for _, s := range symbols {
		next := Language{}
		for w := range out {
			for v := range words[s] {
				if len(w)+len(v) <= max {
					next[w+v] = true
				}
			}
		}
		out = next
	}
	return out
}

func all(symbols []grammar.Symbol, productive []bool) bool {
	for _, s := range symbols {
		if !productive[s] {
			return false
		}
	}
	return true
}

// Letter returns the byte of a terminal.
func Letter(s grammar.Symbol) string { return string(rune('A' + s)) }

// Strings returns all strings of up to max letters over n terminals, the
// shortest first.
func Strings(n, max int) []string {
	out := []string{""}
	for at := 0; at < len(out); at++ {
		if len(out[at]) == max {
			continue
		}
		for s := range n {
			out = append(out, out[at]+Letter(grammar.Symbol(s)))
		}
	}
	return out
}

// Symbols turns a string into a word.
func Symbols(w string) []grammar.Symbol {
	out := make([]grammar.Symbol, len(w))
	for i := range w {
		out[i] = grammar.Symbol(w[i] - 'A')
	}
	return out
}

// Grammar draws a small grammar in which everything may happen: empty and unit
// productions, left recursion, cycles, useless symbols.
func Grammar(random *rand.Rand) string {
	var b strings.Builder
	symbols := []string{"S", "A", "B", "a", "b", "c"}
	for _, left := range symbols[:3] {
		var rights []string
		for range 1 + random.IntN(3) {
			var right []string
			for range random.IntN(4) {
				right = append(right, symbols[random.IntN(len(symbols))])
			}
			if len(right) == 0 {
				right = []string{"ε"}
			}
			rights = append(rights, strings.Join(right, " "))
		}
		fmt.Fprintf(&b, "%s -> %s\n", left, strings.Join(rights, " | "))
	}
	return b.String()
}
