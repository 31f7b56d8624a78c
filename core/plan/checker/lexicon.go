package checker

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// piece is a run of letters and digits in a text, in lower case. A run in camelCase is
// divided.
type piece struct {
	text       string
	start, end int
}

// pieces divides a text whose first byte is at the offset given.
func pieces(text string, at int) []piece {
	var out []piece
	start := -1
	small := false // the preceding letter is in lower case
	for i, r := range text {
		is := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if start >= 0 && (!is || small && unicode.IsUpper(r)) {
			out = append(out, piece{strings.ToLower(text[start:i]), at + start, at + i})
			start = -1
		}
		if is && start < 0 {
			start = i
		}
		small = unicode.IsLower(r)
	}
	if start >= 0 {
		out = append(out, piece{strings.ToLower(text[start:]), at + start, at + len(text)})
	}
	return out
}

// phrase is a text that names a step or an input.
type phrase struct {
	text   string
	pieces []string
	listed grammar.Symbol // in the step grammar; -1 for an input
	letter grammar.Symbol // of the plan; -1 for a sentence
	name   bool           // it is a short name of a symbol with a label
}

// lexicon has the phrases of a spec.
type lexicon struct {
	phrases []phrase
	first   map[string][]int // phrases by their first piece, the longest first
	holding map[string][]int // phrases by each of their pieces
	known   map[string]bool
	kinds   map[string]bool // stems of nouns for data, not of tools
}

func newLexicon() *lexicon {
	return &lexicon{first: map[string][]int{}, holding: map[string][]int{}, known: map[string]bool{}, kinds: map[string]bool{}}
}

// add adds a phrase. The first phrase with a text takes precedence.
func (l *lexicon) add(text string, listed, letter grammar.Symbol, name bool) {
	p := phrase{text: text, listed: listed, letter: letter, name: name}
	key := ""
	for _, piece := range pieces(text, 0) {
		p.pieces = append(p.pieces, piece.text)
		key += piece.text + " "
	}
	if len(p.pieces) == 0 {
		return
	}
	p.name = name && len(p.pieces) == 1 && utf8.RuneCountInString(text) <= 3
	if p.name || len(p.pieces) == 1 && utf8.RuneCountInString(p.pieces[0]) == 1 {
		key = "exactly " + text // case matters
	}
	if l.known[key] {
		return
	}
	l.known[key] = true
	n := len(l.phrases)
	l.phrases = append(l.phrases, p)
	l.first[p.pieces[0]] = append(l.first[p.pieces[0]], n)
	for i, s := range p.pieces {
		if i == 0 || s != p.pieces[i-1] {
			l.holding[s] = append(l.holding[s], n)
		}
	}
}

// settle sorts long phrases before short ones.
func (l *lexicon) settle() {
	l.withoutArticles()
	for _, p := range l.phrases {
		list := l.first[p.pieces[0]]
		sort.SliceStable(list, func(i, j int) bool {
			return len(l.phrases[list[i]].pieces) > len(l.phrases[list[j]].pieces)
		})
	}
}

// at returns the phrases at the beginning of a list of pieces, the longest first.
func (l *lexicon) at(text string, list []piece) []int {
	var out []int
	if len(list) == 0 {
		return nil
	}
	for _, n := range l.first[list[0].text] {
		if p := l.phrases[n]; p.fits(text, list) {
			out = append(out, n)
		}
	}
	return out
}

func (p phrase) fits(text string, list []piece) bool {
	if len(list) < len(p.pieces) {
		return false
	}
	for i, s := range p.pieces {
		if list[i].text != s {
			return false
		}
	}
	single := utf8.RuneCountInString(p.text) == 1
	if p.name && single {
		return false // "a" and "i" are English words
	}
	return !p.name && !single || text[list[0].start:list[len(p.pieces)-1].end] == strings.TrimFunc(p.text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// misspelt returns the phrase that consecutive pieces spell with the fewest wrong letters, at most
// two. n is -1 if there is no such phrase; otherwise start and size are the index of the first of
// the pieces and their number.
func (l *lexicon) misspelt(list []piece) (n, start, size int) {
	best, at, taken, distance := -1, 0, 0, 0
	for i, p := range l.phrases {
		length := utf8.RuneCountInString(p.text)
		allowed := 0
		switch {
		case p.name || length < 5:
			continue
		case length < 10:
			allowed = 1
		default:
			allowed = 2
		}
		said := strings.Join(p.pieces, "")
		for from := range list {
			whole := ""
			for k := from; k < len(list) && len(whole) <= len(said)+allowed; k++ {
				whole += list[k].text
				if d := source.Distance(whole, said, allowed+1); d <= allowed && (best < 0 || d < distance || d == distance && len(said) > len(strings.Join(l.phrases[best].pieces, ""))) {
					best, at, taken, distance = i, from, k+1-from, d
				}
			}
		}
	}
	return best, at, taken
}

// minPart is the minimum length, in bytes, of a single piece that can represent a phrase.
const minPart = 6

// part returns the phrase that contains the longest run of pieces, if all phrases that contain the
// run mean the same; otherwise -1. start and size are the index of the first piece of the run and
// its length.
func (l *lexicon) part(list []piece) (n, start, size int) {
	n = -1
	for from := range list {
		for _, i := range l.holding[list[from].text] {
			p := l.phrases[i]
			for offset := range p.pieces {
				k := 0
				for from+k < len(list) && offset+k < len(p.pieces) && list[from+k].text == p.pieces[offset+k] {
					k++
				}
				long := k == 1 && len(list[from].text) >= minPart || len(stems(wordsOf(list[from:from+k]))) > 1
				if long && k > size && l.only(i, list[from:from+k]) {
					n, start, size = i, from, k
				}
			}
		}
	}
	return n, start, size
}

// only reports whether all phrases that contain the run mean the same as phrase n.
func (l *lexicon) only(n int, run []piece) bool {
	for _, i := range l.holding[run[0].text] {
		p := l.phrases[i]
		if p.letter == l.phrases[n].letter && p.listed == l.phrases[n].listed {
			continue
		}
		for offset := 0; offset+len(run) <= len(p.pieces); offset++ {
			same := true
			for k := range run {
				same = same && p.pieces[offset+k] == run[k].text
			}
			if same {
				return false
			}
		}
	}
	return true
}
