package session

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

func wordsMethods() []Method {
	return []Method{
		pure("grammar.trees", grammarTrees),
		method("spec.cost", (*Session).specCost),
		method("spec.words", (*Session).specWords),
	}
}

// Limits of spec.words. Lengths are counted from the shortest word on.
const (
	MaxWords        = 100
	MaxWordLength   = 2_000
	moreLengths     = 12 // counted after that of the shortest word
	maxNearMisses   = 6
	nearMissTries   = 120
	maxNearLength   = 40 // of a word that is changed
	maxWalk         = 60 // symbols of a random walk
	maxMissExpected = 24
)

// countBudget bounds the counts of spec.words.
var countBudget = meter.Budget{Steps: 5_000_000, States: 300_000}

// SpecWordsParams are a spec, the number of words to draw, and a seed. Without Length, each word
// has a random length among those that were counted. View selects a formula of a file, by its
// index.
type SpecWordsParams struct {
	Files  []File `json:"files"`
	Name   string `json:"name"`
	View   string `json:"view,omitempty"`
	Length *int   `json:"length,omitempty"`
	Number int    `json:"number"`
	Seed   uint64 `json:"seed,omitempty"`
}

// WordCount is the number of words of a length, as a decimal string.
type WordCount struct {
	Length int    `json:"length"`
	Words  string `json:"words"`
}

// WordSample is a word. If the terminals are classes of characters, Text is an example of a text
// that the word represents.
type WordSample struct {
	Word []string `json:"word"`
	Text string   `json:"text,omitempty"`
}

// NearMiss is an invalid word that differs from a valid one in one symbol. At is the index of
// the first symbol that does not fit, or the length of a word that ends too early; Expected
// lists up to 24 of the symbols that are valid there, and More is the number of the others.
type NearMiss struct {
	Word     []string `json:"word"`
	Of       []string `json:"of"`
	Edit     string   `json:"edit"` // "replaced", "added" or "removed"
	At       int      `json:"at"`
	Expected []string `json:"expected"`
	More     int      `json:"more"`
}

// SpecWordsResult has words within the limits that the spec declares. Shortest is null if there is
// none, or if the search for it exceeds its budget. Counts begin with the length of the shortest
// word and end where the budget for counting is spent. Words are drawn with equal probability from
// all words of their length. If that exceeds the budget, Words are random walks: each symbol is
// drawn from those that are valid after the preceding symbols.
type SpecWordsResult struct {
	Shortest   *WordSample  `json:"shortest"`
	Empty      bool         `json:"empty"` // the language has no words
	Counts     []WordCount  `json:"counts"`
	Words      []WordSample `json:"words"`
	Walks      bool         `json:"walks"`
	NearMisses []NearMiss   `json:"nearMisses"`
}

// wordSet returns the words of a spec, or the traces of a formula.
func (s *Session) wordSet(p SpecWordsParams, m *meter.Meter) (notation.WordSet, error) {
	scope, err := s.open(DocumentParams{Files: p.Files, Name: p.Name})
	if err != nil {
		return notation.WordSet{}, err
	}
	properties := s.table.Notations.Of(p.Name).Properties
	if properties == nil {
		g, err := generator(s.table.Notations, scope.File)
		if err != nil {
			return notation.WordSet{}, err
		}
		if open, ok := g.(notation.Open); ok {
			g = open.Part(p.View)
		}
		return g.Words(m)
	}
	list, found := properties(scope.File)
	if source.HasErrors(found) || len(list) == 0 {
		return notation.WordSet{}, notation.Invalid(scope.File, found)
	}
	index, _ := strconv.Atoi(p.View)
	return language.FormulaWords(scope, list, list[min(max(index, 0), len(list)-1)].Formula, m)
}

func generatorOf(t notation.Table, file *source.File, m *meter.Meter) (notation.WordSet, error) {
	g, err := generator(t, file)
	if err != nil {
		return notation.WordSet{}, err
	}
	return g.Words(m)
}

// generator compiles a spec whose words can be enumerated.
func generator(t notation.Table, file *source.File) (notation.Generator, error) {
	row := t.Of(file.Name)
	if row.Spec == nil {
		return nil, noWords(file.Name)
	}
	spec, found := row.Spec(file)
	g, ok := spec.(notation.Generator)
	switch {
	case source.HasErrors(found) && (ok || spec == nil):
		return nil, notation.Invalid(file, found)
	case !ok:
		return nil, noWords(file.Name)
	}
	return g, nil
}

func noWords(name string) error {
	return source.NewError("words.kind", name+" has no words or runs; open a grammar, an automaton, a flowchart, an agent or formulas")
}

func (s *Session) specWords(p SpecWordsParams) (SpecWordsResult, error) {
	out := SpecWordsResult{Counts: []WordCount{}, Words: []WordSample{}, NearMisses: []NearMiss{}}
	if p.Number < 0 || p.Number > MaxWords || p.Length != nil && (*p.Length < 0 || *p.Length > MaxWordLength) {
		return out, source.NewError("limit.length", "out of range: expected a length from 0 to "+strconv.Itoa(MaxWordLength)+" and a number from 0 to "+strconv.Itoa(MaxWords))
	}
	words, err := s.wordSet(p, meter.New(callBudget))
	if err != nil {
		return out, err
	}
	random := rand.New(rand.NewPCG(p.Seed, 0))
	shortest, err := words.Shortest(meter.New(countBudget))
	switch {
	case isLimit(err):
		return out, nil
	case err != nil:
		return out, err
	case shortest == nil:
		out.Empty = true
		return out, nil
	}
	if out.Counts, err = countWords(words.Language, len(shortest)); err != nil {
		return out, err
	}
	out.Shortest = &WordSample{Word: shortest, Text: spelled(shortest, random)}
	if err := drawWords(words.Language, p, random, &out); err != nil {
		return out, err
	}
	if len(out.Words) == 0 && p.Length == nil {
		if out.Words, err = walks(words, p.Number, random); err != nil {
			return out, err
		}
		out.Walks = len(out.Words) > 0
	}
	valid := [][]string{shortest}
	for _, w := range out.Words {
		valid = append(valid, w.Word)
	}
	out.NearMisses, err = nearMisses(words, valid, random)
	return out, err
}

// countWords counts the words from a length on, as far as the budget allows.
func countWords(l *counting.Language, from int) ([]WordCount, error) {
	m, out := meter.New(countBudget), []WordCount{}
	for length := from; length <= from+moreLengths; length++ {
		n, err := l.Number(length, m)
		if isLimit(err) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, WordCount{Length: length, Words: n.String()})
	}
	return out, nil
}

func isLimit(err error) bool {
	var limit *meter.LimitError
	return errors.As(err, &limit)
}

// drawWords draws words of the given length, or of lengths that have words.
func drawWords(l *counting.Language, p SpecWordsParams, random *rand.Rand, out *SpecWordsResult) error {
	var lengths []int
	for _, c := range out.Counts {
		if c.Words != "0" {
			lengths = append(lengths, c.Length)
		}
	}
	if p.Length != nil {
		lengths = []int{*p.Length}
	}
	m := meter.New(callBudget)
	for range p.Number {
		if len(lengths) == 0 {
			return nil
		}
		word, ok, err := l.Sample(lengths[random.IntN(len(lengths))], random, m)
		if isLimit(err) || err == nil && !ok {
			return nil
		}
		if err != nil {
			return err
		}
		out.Words = append(out.Words, WordSample{Word: word, Text: spelled(word, random)})
	}
	return nil
}

// walks returns random words that are drawn symbol by symbol, as many as the budget allows. A walk
// ends at random where the word is complete, and is dropped if it becomes too long.
func walks(words notation.WordSet, number int, random *rand.Rand) ([]WordSample, error) {
	out, m := []WordSample{}, meter.New(callBudget)
	for range number {
		word := []string{}
		for len(word) <= maxWalk {
			r, err := words.Read(word, m)
			if isLimit(err) {
				return out, nil
			}
			if err != nil {
				return nil, err
			}
			if r.Complete && (len(r.Next) == 0 || random.IntN(2) == 0) {
				out = append(out, WordSample{Word: word, Text: spelled(word, random)})
				break
			}
			if len(r.Next) == 0 {
				break
			}
			word = append(word, r.Next[random.IntN(len(r.Next))])
		}
	}
	return out, nil
}

// nearMisses changes one symbol of valid words, and returns different kinds of results that are
// invalid.
func nearMisses(words notation.WordSet, valid [][]string, random *rand.Rand) ([]NearMiss, error) {
	out := []NearMiss{}
	letters := words.Language.Letters()
	m := meter.New(countBudget)
	seen := map[string]bool{}
	for range nearMissTries {
		of := valid[random.IntN(len(valid))]
		if len(of) > maxNearLength || len(letters) == 0 || len(out) == maxNearMisses {
			continue
		}
		word, edit := changed(of, letters, random)
		if seen[strings.Join(word, "\x00")] {
			continue
		}
		seen[strings.Join(word, "\x00")] = true
		r, err := words.Read(word, m)
		if isLimit(err) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if r.Fit == len(word) && r.Complete {
			continue
		}
		// One example of each edit with the same expected symbols is enough.
		kind := edit + "\x00" + strings.Join(r.Next, "\x00")
		if seen[kind] {
			continue
		}
		seen[kind] = true
		expected := r.Next[:min(len(r.Next), maxMissExpected)]
		out = append(out, NearMiss{Word: word, Of: of, Edit: edit, At: r.Fit, Expected: orEmpty(expected), More: len(r.Next) - len(expected)})
	}
	return out, nil
}

// changed returns a word that differs from another in one symbol.
func changed(of, letters []string, random *rand.Rand) (word []string, edit string) {
	letter := letters[random.IntN(len(letters))]
	kind := random.IntN(3)
	if len(of) == 0 {
		kind = 1
	}
	switch kind {
	case 0:
		word = slices.Clone(of)
		word[random.IntN(len(of))] = letter
		return word, "replaced"
	case 1:
		return slices.Insert(slices.Clone(of), random.IntN(len(of)+1), letter), "added"
	}
	at := random.IntN(len(of))
	return slices.Delete(slices.Clone(of), at, at+1), "removed"
}

// spelled returns an example of a text that a word represents if its terminals are texts and
// classes of characters; "" if none of them is a class, or one is a regular expression.
func spelled(word []string, random *rand.Rand) string {
	var b strings.Builder
	some := false
	for _, name := range word {
		p := export.Unspell(name)
		switch {
		case p.Pattern != "":
			return ""
		case p.Class != nil:
			some = true
			b.WriteRune(p.Class.Pick(random.IntN))
		default:
			some = some || export.Spell(p) != p.Text
			b.WriteString(p.Text)
		}
	}
	if !some {
		return ""
	}
	return b.String()
}

// MaxTrees bounds the trees of grammar.trees.
const MaxTrees = 10

// GrammarTreesParams are a grammar, a word and the number of trees.
type GrammarTreesParams struct {
	Source string   `json:"source"`
	Start  string   `json:"start,omitempty"`
	Word   []string `json:"word"`
	Number int      `json:"number"`
}

// GrammarTreesResult has drawings of derivation trees of the word; fewer if it has fewer.
type GrammarTreesResult struct {
	Drawings []*Drawing `json:"drawings"`
}

func grammarTrees(p GrammarTreesParams) (GrammarTreesResult, error) {
	out := GrammarTreesResult{Drawings: []*Drawing{}}
	if p.Number < 0 || p.Number > MaxTrees {
		return out, source.NewError("limit.trees", "out of range: expected a number from 0 to "+strconv.Itoa(MaxTrees))
	}
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return out, err
	}
	word, unknown := symbols(g, p.Word)
	if unknown >= 0 {
		return out, nil
	}
	forest, err := earley.New(g).Forest(word, meter.New(callBudget))
	if err != nil || forest == nil {
		return out, err
	}
	trees, err := forest.Trees()
	if errorCode(err) == "limit.trees" {
		trees, err = int64(p.Number), nil
	}
	if err != nil {
		return out, err
	}
	for i := range int64(p.Number) {
		if trees >= 0 && i >= trees {
			break
		}
		tree, err := forest.Tree(i)
		if errorCode(err) == "limit.trees" { // they cannot be numbered
			tree, err = forest.First(), nil
			trees = i + 1
		}
		if err != nil {
			return out, err
		}
		out.Drawings = append(out.Drawings, wireDrawing(language.Tree(g, tree).Drawing("Derivation tree "+strconv.FormatInt(i+1, 10)), nil))
	}
	return out, nil
}
