package apibank

import (
	"strings"
	"unicode"
)

// Nearest returns the tool whose similarity to the keywords is greatest, the first one if several
// are equal, and that similarity; it is 0 if no tool shares a trigram or a word with the keywords.
func (s *Simulator) Nearest(keywords string) (spec Spec, near float64) {
	asked := words(keywords)
	for i, l := range s.looks {
		if len(asked) > 0 && strings.Join(asked, " ") == l.name {
			return s.pool[i], 1
		}
	}
	got := pieces(asked)
	for i, l := range s.looks {
		if n := l.similarity(asked, got); n > near {
			spec, near = s.pool[i], n
		}
	}
	return spec, near
}

// looks has the words of a tool and the trigrams of its name.
type looks struct {
	name   string
	about  []string
	pieces map[string]int
}

func looksOf(spec Spec) looks {
	name := words(spec.Name)
	return looks{strings.Join(name, " "), words(spec.Description), pieces(name)}
}

// similarity returns the weighted lexical similarity, from 0 to 1, of a tool and keywords, given as
// their words and trigrams. It replaces the measure of the benchmark, which compares vectors of a
// language model.
//
// Names and texts are split at capitals and at characters other than letters and digits, and
// converted to lower case. The similarity is 1 if the words of the keywords are those of the name.
// Otherwise it is seven tenths of Dice's coefficient of the trigrams of both (Dice 1945), with a
// mark at both ends of each word, plus three tenths of the share of the keywords' words that occur
// in the description.
func (l looks) similarity(asked []string, got map[string]int) float64 {
	if len(asked) == 0 {
		return 0
	}
	if strings.Join(asked, " ") == l.name {
		return 1
	}
	shared := 0
	for _, w := range asked {
		for _, other := range l.about {
			if w == other {
				shared++
				break
			}
		}
	}
	// Each product is rounded, so that all machines compute the same sum.
	return float64(0.7*dice(got, l.pieces)) + float64(0.3*float64(shared)/float64(len(asked)))
}

// words splits a text into words.
func words(text string) []string {
	var out []string
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			out = append(out, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	small := false // the previous letter is in lower case
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		case unicode.IsUpper(r) && small:
			end()
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	end()
	return out
}

// pieces counts the trigrams of words.
func pieces(list []string) map[string]int {
	out := map[string]int{}
	for _, w := range list {
		runes := []rune("^" + w + "$")
		for i := 0; i+3 <= len(runes); i++ {
			out[string(runes[i:i+3])]++
		}
	}
	return out
}

// dice returns Dice's coefficient of two multisets.
func dice(a, b map[string]int) float64 {
	both, all := 0, 0
	for piece, n := range a {
		both += min(n, b[piece])
		all += n
	}
	for _, n := range b {
		all += n
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(both) / float64(all)
}
