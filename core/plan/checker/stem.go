package checker

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
)

// endings are the endings that stem removes from a word: from each list in turn, the first one that
// leaves at least minStem letters.
var endings = [2][]string{
	{"ing", "ed", "es", "s", "e"},
	{"isation", "ication", "ation", "ition", "ion", "at", "is", "i"},
}

const minStem = 3

// stem returns the stem of a word in lower case, so that "summarise", "summary" and "summarization"
// compare equal. British and American spellings have the same stem.
func stem(word string) string {
	word = strings.ReplaceAll(strings.ReplaceAll(word, "z", "s"), "our", "or")
	for _, list := range endings {
		for _, ending := range list {
			if short := strings.TrimSuffix(word, ending); short != word && len(short) >= minStem {
				word = short
				break
			}
		}
		if n := len(word); n > minStem && word[n-1] == 'y' {
			word = word[:n-1] + "i"
		} else if n > minStem && word[n-1] == word[n-2] && word[n-1] > 'a' {
			word = word[:n-1]
		}
	}
	return word
}

// fillerWords have no meaning in a step.
var fillerWords = []string{"a", "an", "the", "to", "of", "on", "in", "and", "or", "with", "from", "for", "by", "into", "as", "at", "use", "using", "apply", "run", "take", "then", "first", "next", "finally", "step", "it", "its", "this", "that", "result", "output", "input"}

// inputWords occur in lines that introduce inputs.
var inputWords = []string{"i", "we", "you", "have", "has", "is", "are", "be", "was", "given", "there", "start", "begin", "load", "open", "read", "get", "receive", "provide", "provided", "upload", "uploaded", "my", "our", "your", "user", "original", "inputs", "ready", "please"}

// sameWords are synonyms of words in labels.
var sameWords = map[string]string{"picture": "image", "pictures": "image", "photo": "image", "photos": "image", "photograph": "image", "sentence": "text", "paragraph": "text"}

// stems returns the stems of the words that have a meaning.
func stems(words []string) []string {
	out := []string{}
	for _, w := range words {
		if same, known := sameWords[w]; known {
			w = same
		}
		if s := stem(w); !slices.Contains(fillerWords, w) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// resolve returns the phrase with the words of an identifier, such as image_captioning or
// imageCaptioning, or -1.
func (l *lexicon) resolve(name string) int {
	words := wordsOf(pieces(name, 0))
	for i, p := range l.phrases {
		if !p.name && slices.Equal(p.pieces, words) {
			return i
		}
	}
	return -1
}

func wordsOf(list []piece) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = p.text
	}
	return out
}

// candidate is a phrase that shares stems with a line.
type candidate struct {
	phrase int
	has    uint64 // a bit for each stem of the line, set if the phrase has it
	full   bool   // all its stems are in the line
}

// similar returns the steps that share stems with a line. If steps share the first word of the line
// that is not a kind of data, only they are considered; among them, those that share more stems are
// preferred. Several phrases mean that the line is ambiguous. start and end are the places of the
// first and the last common stem.
func (l *lexicon) similar(list []piece) (found []int, start, end int) {
	var said []string
	var at []piece
	for _, p := range list {
		if s := stems([]string{p.text}); len(s) > 0 && !slices.Contains(said, s[0]) && len(said) < 64 {
			said, at = append(said, s[0]), append(at, p)
		}
	}
	all := l.sharing(said)
	for i := range said {
		if l.kinds[said[i]] {
			continue
		}
		leading := slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return c.has>>i&1 == 0 })
		if len(leading) > 0 {
			all = leading
		}
		break
	}
	for _, c := range all {
		less := slices.ContainsFunc(all, func(o candidate) bool {
			return !c.full && c.has&^o.has == 0 && (c.has != o.has || o.full)
		})
		same := slices.ContainsFunc(found, func(n int) bool { return l.phrases[n].listed == l.phrases[c.phrase].listed })
		if less || same {
			continue
		}
		if len(found) == 0 {
			for i, p := range at {
				if c.has>>i&1 == 1 {
					if end == 0 {
						start = p.start
					}
					end = max(end, p.end)
				}
			}
		}
		found = append(found, c.phrase)
	}
	return found, start, end
}

// sharing returns the steps that share with a line a stem that is not a kind of data.
func (l *lexicon) sharing(said []string) (all []candidate) {
	for n, p := range l.phrases {
		if p.listed < 0 || p.name {
			continue
		}
		own := stems(p.pieces)
		c := candidate{phrase: n, full: true}
		stepGrammar := false
		for _, s := range own {
			i := slices.Index(said, s)
			if i < 0 {
				c.full = false
				continue
			}
			c.has |= 1 << i
			stepGrammar = stepGrammar || !l.kinds[s] && len(s) > minStem
		}
		if stepGrammar {
			all = append(all, c)
		}
	}
	return all
}

// kindLabels adds the stems of the labels of nonterminals, which name data and not tools.
func (l *lexicon) kindLabels(g *grammar.Grammar) {
	for s := g.NumTerminals; s < g.NumSymbols(); s++ {
		for _, word := range stems(wordsOf(pieces(g.Label(grammar.Symbol(s)), 0))) {
			l.kinds[word] = true
		}
	}
}

// withoutArticles adds a second phrase, without the article, for each phrase that begins with an
// article.
func (l *lexicon) withoutArticles() {
	for _, p := range slices.Clone(l.phrases) {
		if article := p.pieces[0]; len(p.pieces) > 2 && (article == "the" || article == "a" || article == "an") {
			text := strings.TrimSpace(p.text[strings.Index(strings.ToLower(p.text), article)+len(article):])
			l.add(text, p.listed, p.letter, p.name)
		}
	}
}
