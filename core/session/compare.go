package session

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

func compareMethods() []Method {
	return []Method{method("spec.compare", (*Session).specCompare)}
}

// DefaultCompareLength is the length up to which languages without an automaton are compared if
// the request has none; the budget may end the comparison before.
const DefaultCompareLength = 30

// Budgets of a comparison: for the automaton of a language, and for each direction of a search by
// length.
var (
	automatonBudget = meter.Budget{Steps: 2_000_000, States: 100_000}
	compareBudget   = meter.Budget{Steps: 15_000_000, States: 600_000}
)

// SpecCompareParams are two specs; the extensions of their names select the notations. Formulas are
// compared with formulas, or with a spec whose symbols include their propositions; a file
// represents the conjunction of its formulas. Files are the workspace, whose specs define the steps
// of traces. MaxLength bounds a search by length.
type SpecCompareParams struct {
	First     File   `json:"first"`
	Second    File   `json:"second"`
	Files     []File `json:"files,omitempty"`
	MaxLength int    `json:"maxLength,omitempty"`
}

// Difference is the result of a search for words of a spec that another lacks. Word is a shortest one, or null.
// Without a word, Exact means that no such word exists. Otherwise none has up to UpTo symbols; an
// UpTo of -1 means that no length could be compared.
type Difference struct {
	Word  *WordSample `json:"word"`
	Exact bool        `json:"exact"`
	UpTo  int         `json:"upTo"`
}

// SpecCompareResult has the words that only the first spec accepts, and those that only the
// second accepts. Relation is "equal", "contained" (in the second), "contains" or "different";
// without an exact difference it is about the compared lengths. Traces is set if the symbols of
// the words are sets of propositions, joined with "&": no spec of the workspace has the symbols
// of the formulas.
type SpecCompareResult struct {
	Relation   string     `json:"relation"`
	OnlyFirst  Difference `json:"onlyFirst"`
	OnlySecond Difference `json:"onlySecond"`
	Traces     bool       `json:"traces"`
}

// specCompare compares the words of two specs. The result is exact for automata, flowcharts,
// agents, formulas and regular grammars. The difference of a grammar and one of these is exact in
// one direction, and that of two grammars is bounded: equality of context-free grammars is
// undecidable.
func (s *Session) specCompare(p SpecCompareParams) (out SpecCompareResult, err error) {
	if p.MaxLength < 0 || p.MaxLength > MaxWordLength {
		return out, source.NewError("limit.length", "maxLength out of range: expected 0 to "+strconv.Itoa(MaxWordLength)+", not "+strconv.Itoa(p.MaxLength))
	}
	if p.MaxLength == 0 {
		p.MaxLength = DefaultCompareLength
	}
	t := s.table.Notations
	first, second := p.First.Source(), p.Second.Source()
	f, g := t.Of(first.Name).Properties, t.Of(second.Name).Properties
	switch {
	case f != nil && g != nil:
		err = compareFormulas(t, p.Files, first, second, &out)
	case f != nil:
		err = compareFormulaAndWords(t, first, second, p.MaxLength, &out.OnlyFirst, &out.OnlySecond)
	case g != nil:
		err = compareFormulaAndWords(t, second, first, p.MaxLength, &out.OnlySecond, &out.OnlyFirst)
	default:
		var words [2]notation.WordSet
		if words, err = comparedWords(t, [2]*source.File{first, second}); err == nil {
			err = compareWords(words[0], words[1], p.MaxLength, &out.OnlyFirst, &out.OnlySecond)
		}
	}
	if err != nil {
		return SpecCompareResult{}, err
	}
	out.Relation = relation(out.OnlyFirst.Word != nil, out.OnlySecond.Word != nil)
	return out, nil
}

func relation(more, less bool) string {
	switch {
	case more && less:
		return "different"
	case more:
		return "contains"
	case less:
		return "contained"
	}
	return "equal"
}

// comparedWords returns the words of two specs. Those of an open spec have the letters of the other one or, if
// both are open, the letters that one of them names and one more.
func comparedWords(t notation.Table, files [2]*source.File) (out [2]notation.WordSet, err error) {
	var open [2]notation.Open
	var letters []string
	for i, file := range files {
		g, err := generator(t, file)
		if err != nil {
			return out, err
		}
		if open[i], _ = g.(notation.Open); open[i] != nil {
			continue
		}
		if out[i], err = g.Words(meter.New(callBudget)); err != nil {
			return out, err
		}
		letters = out[i].Language.Letters()
	}
	if open[0] != nil && open[1] != nil {
		letters = joinedLetters(open[0], open[1].Names())
	}
	for i, o := range open {
		if o == nil {
			continue
		}
		if err := haveSymbols(letters, o.Names(), files[1-i], files[i]); err != nil {
			return out, err
		}
		if out[i], err = o.WordsOver(letters, meter.New(callBudget)); err != nil {
			return out, err
		}
	}
	return out, nil
}

// joinedLetters returns the letters that an open spec names, those of another spec, and one more.
func joinedLetters(o notation.Open, other []string) []string {
	letters := o.Names()
	for _, name := range other {
		if !slices.Contains(letters, name) {
			letters = append(letters, name)
		}
	}
	return append(letters, notation.NoSymbol)
}

// haveSymbols returns an error for a name that is no letter of a spec.
func haveSymbols(letters, names []string, spec, file *source.File) error {
	for _, name := range names {
		if !slices.Contains(letters, name) {
			return source.NewError("compare.symbols", fmt.Sprintf("%s has no symbol %q, which %s contains", spec.Name, name, file.Name))
		}
	}
	return nil
}

// compareWords compares two languages, exactly if both have an automaton.
func compareWords(a, b notation.WordSet, max int, onlyA, onlyB *Difference) error {
	letters := counting.Joined(a.Language, b.Language)
	first, err := automatonOf(a.Language, letters)
	if err != nil {
		return err
	}
	second, err := automatonOf(b.Language, letters)
	if err != nil {
		return err
	}
	if first != nil && second != nil {
		if done, err := missingLetters(first, second, letters, onlyA); done || err != nil {
			_, err = missingLetters(second, first, letters, onlyB)
			return err
		}
	}
	if err := missing(a, b, second != nil, max, onlyA); err != nil {
		return err
	}
	return missing(b, a, first != nil, max, onlyB)
}

// missingLetters finds a word of an automaton that another lacks, unless their product is too
// large.
func missingLetters(a, b *automaton.DFA, letters []string, out *Difference) (done bool, err error) {
	word, found, err := automaton.Missing(a, b, meter.New(compareBudget))
	if isLimit(err) {
		return false, nil
	}
	if found {
		out.Word = sample(named(word, letters))
	}
	out.Exact = true
	return true, err
}

// automatonOf returns the automaton of a language, or nil if it is too large or does not exist.
func automatonOf(l *counting.Language, letters []string) (*automaton.DFA, error) {
	d, err := l.Automaton(letters, meter.New(automatonBudget))
	if isLimit(err) {
		return nil, nil
	}
	return d, err
}

// missing finds a word of a that b lacks. For the words of a grammar, the result is exact if b is
// regular.
func missing(a, b notation.WordSet, regular bool, max int, out *Difference) error {
	if regular && a.Grammar != nil {
		// The letters of the automaton begin with the terminals of the grammar, in their order.
		other, err := automatonOf(b.Language, counting.Joined(a.Language, b.Language))
		if err != nil {
			return err
		}
		word, found, err := verify.Shortest(a.Grammar, other.Complement(), meter.New(compareBudget))
		if !isLimit(err) {
			if found {
				out.Word = sample(*wordNames(a.Grammar, word))
			}
			out.Exact = true
			return err
		}
	}
	word, upTo, err := counting.Missing(a.Language, b.Language, max, meter.New(compareBudget))
	if word != nil {
		out.Word = sample(word)
	}
	out.UpTo = upTo
	return err
}

// sample returns a word as a [WordSample].
func sample(word []string) *WordSample {
	return &WordSample{Word: word, Text: spelled(word, rand.New(rand.NewPCG(0, 0)))}
}

func named(word []int, letters []string) []string {
	out := make([]string, len(word))
	for i, letter := range word {
		out[i] = letters[letter]
	}
	return out
}

// conjunction returns the conjunction of all formulas of a file.
func conjunction(t notation.Table, file *source.File) (*ltl.Formula, error) {
	list, found := t.Of(file.Name).Properties(file)
	if source.HasErrors(found) || len(list) == 0 {
		return nil, notation.Invalid(file, found)
	}
	out := list[0].Formula
	for _, n := range list[1:] {
		out = ltl.New(ltl.And, out, n.Formula)
	}
	return out, nil
}

// compareFormulas compares the traces of two files of formulas: the runs or words of the first
// spec that defines their symbols, or else traces in which several symbols may hold at a step.
func compareFormulas(t notation.Table, files []File, first, second *source.File, out *SpecCompareResult) error {
	f, err := conjunction(t, first)
	if err != nil {
		return err
	}
	g, err := conjunction(t, second)
	if err != nil {
		return err
	}
	kind, letters := ltl.Powerset, ltl.New(ltl.And, f, g).Props()
	for _, subject := range t.Subjects(files) {
		if subject.Has(f) && subject.Has(g) && len(subject.Letters) > 0 {
			kind, letters = ltl.OneHot, subject.Letters
			break
		}
	}
	out.Traces = kind == ltl.Powerset
	alphabet, err := ltl.NewAlphabet(letters, kind)
	if err != nil {
		return err
	}
	find := func(has, lacks *ltl.Formula, out *Difference) error {
		both := ltl.New(ltl.And, has, ltl.New(ltl.Not, lacks))
		d, err := ltl.Translate(both, alphabet, meter.New(callBudget))
		if err != nil {
			return err
		}
		out.Exact = true
		if word, found := d.Shortest(); found {
			out.Word = &WordSample{Word: []string{}}
			for _, step := range d.Trace(word) {
				out.Word.Word = append(out.Word.Word, cmp.Or(strings.Join(step, "&"), notation.NoSymbol))
			}
		}
		return nil
	}
	if err := find(f, g, &out.OnlyFirst); err != nil {
		return err
	}
	return find(g, f, &out.OnlySecond)
}

// compareFormulaAndWords compares the words over a spec's symbols that satisfy formulas with the
// words of the spec.
func compareFormulaAndWords(t notation.Table, formulas, spec *source.File, max int, onlyFormula, onlyWords *Difference) error {
	f, err := conjunction(t, formulas)
	if err != nil {
		return err
	}
	g, err := generator(t, spec)
	if err != nil {
		return err
	}
	var words notation.WordSet
	if open, ok := g.(notation.Open); ok {
		words, err = open.WordsOver(joinedLetters(open, f.Props()), meter.New(callBudget))
	} else {
		words, err = g.Words(meter.New(callBudget))
	}
	if err != nil {
		return err
	}
	letters := words.Language.Letters()
	if err := haveSymbols(letters, f.Props(), spec, formulas); err != nil {
		return err
	}
	alphabet, err := ltl.NewAlphabet(letters, ltl.OneHot)
	if err != nil {
		return err
	}
	d, err := ltl.Translate(f, alphabet, meter.New(callBudget))
	if err != nil {
		return err
	}
	table, err := d.Explicit()
	if err != nil {
		return err
	}
	return compareWords(notation.WordSet{Language: counting.LanguageOfDFA(table, letters)}, words, max, onlyFormula, onlyWords)
}
