package checker

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
)

// The forms of a plan.
const (
	FormWord     = "word"     // e1 a1 i b1 i
	FormFunction = "function" // e1(a1(i), b1(i))
	FormSteps    = "steps"    // a sentence for each step
)

// Found is a symbol in a text. Offsets are in bytes.
type Found struct {
	Symbol string `json:"symbol"` // "" if the spec does not define it
	Label  string `json:"label"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Step   int    `json:"step,omitempty"` // of a list of steps, from 1
	Note   string `json:"note,omitempty"` // how it was read, if not literally

	listed grammar.Symbol // of a list of steps: in the step grammar, or -1
	letter grammar.Symbol // of the plan, or -1
	args   []argument
	kinds  []grammar.Symbol // nonterminals of results that the line names by their label
	bare   bool             // it is the complete line
	chosen bool             // it is a choice of a subset
}

// Unread is a line or word that was not read as part of the plan.
type Unread struct {
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Step  bool   `json:"step"` // it may be a step; otherwise it is a remark
}

// argument is an argument that a step names: the result of another step, or an input.
type argument struct {
	step  int            // index among Found, or -1
	input grammar.Symbol // if step is -1
}

// reading is the result of reading a text.
type reading struct {
	form   string
	found  []Found
	unread []Unread
	notes  []string
	alone  []Found // inputs on separate lines
	fault  string  // the text as a whole is not a single plan
}

// readText reads a plan in any form.
func (c *Checker) readText(text string) reading {
	if trimmed := strings.TrimSpace(text); trimmed == "" || trimmed == "ε" {
		return reading{form: FormWord}
	}
	lines := splitLines(text)
	marked := false
	for _, l := range lines {
		marked = marked || l.marker
	}
	if !marked {
		if r, ok := c.readFunction(text); ok {
			return r
		}
		if r, ok := c.readWord(text); ok {
			return r
		}
	}
	if !marked && c.table != nil {
		lines = (&stepReader{Checker: c, text: text}).sentences(lines)
	}
	return c.readSteps(text, lines, marked)
}

// symbolAt returns the symbol with the longest name or label at an offset, and its end. The
// name must be followed by one of the bytes in ends, or by the end of the text.
func (c *Checker) symbolAt(text string, at int, ends string) (s grammar.Symbol, end int) {
	s, end = -1, at
	try := func(name string, symbol grammar.Symbol, exactly bool) {
		stop := at + len(name)
		if stop <= end || stop > len(text) || name == "" {
			return
		}
		if said := text[at:stop]; said != name && (exactly || !strings.EqualFold(said, name)) {
			return
		}
		if stop < len(text) && !strings.ContainsRune(ends, rune(text[stop])) {
			return
		}
		s, end = symbol, stop
	}
	g := c.g
	for t := range grammar.Symbol(g.NumTerminals) {
		try(g.Names[t], t, true)
	}
	if s >= 0 || ends == functionEnds && c.nonterminalAt(text, at) > at {
		return s, end
	}
	for t := range grammar.Symbol(g.NumTerminals) {
		try(g.Names[t], t, false)
		try(g.Label(t), t, false)
	}
	if s >= 0 {
		return s, end
	}
	return c.identifierAt(text, at, ends)
}

// identifierAt returns the symbol whose label is spelled by an identifier.
func (c *Checker) identifierAt(text string, at int, ends string) (s grammar.Symbol, end int) {
	end = at
	for end < len(text) && strings.IndexByte(ends, text[end]) < 0 {
		end++
	}
	if end > at {
		if n := c.lexicon.resolve(text[at:end]); n >= 0 && c.lexicon.phrases[n].letter >= 0 {
			return c.lexicon.phrases[n].letter, end
		}
	}
	return -1, at
}

// nonterminalAt returns the end of a nonterminal's name at an offset, or the offset itself if there
// is none.
func (c *Checker) nonterminalAt(text string, at int) int {
	end := at
	for _, name := range c.g.Names[c.g.NumTerminals:] {
		if stop := at + len(name); stop > end && stop < len(text) && text[at:stop] == name && strings.IndexByte(functionEnds, text[stop]) >= 0 {
			end = stop
		}
	}
	return end
}

const wordEnds = " \t\r\n,;\"'[]"

// readWord reads symbols separated by spaces or commas. ok is false for a text in another
// form.
func (c *Checker) readWord(text string) (r reading, ok bool) {
	r.form = FormWord
	unknown := 0
	for at := 0; at < len(text); {
		if strings.IndexByte(wordEnds, text[at]) >= 0 {
			// A name can begin with a separator.
			if s, end := c.symbolAt(text, at, wordEnds); s >= 0 {
				r.found = append(r.found, c.found(s, at, end))
				at = end
			} else {
				at++
			}
			continue
		}
		s, end := c.symbolAt(text, at, wordEnds)
		if s < 0 {
			for end < len(text) && strings.IndexByte(wordEnds, text[end]) < 0 {
				end++
			}
			unknown++
			r.found = append(r.found, Found{Label: text[at:end], Start: at, End: end, letter: -1, Note: c.unknown(text[at:end])})
		} else {
			r.found = append(r.found, c.found(s, at, end))
		}
		at = end
	}
	known := len(r.found) - unknown
	prose := slices.ContainsFunc(r.found, func(f Found) bool { return f.Symbol == "" && !likeSymbol(f.Label) })
	lines := strings.Count(strings.TrimSpace(text), "\n") + 1
	switch {
	case known == 0 || lines > 1 && lines >= len(r.found):
		return r, false // one symbol per line: a list of steps
	default:
		return r, unknown <= len(r.found)/3 || !prose
	}
}

// likeSymbol reports whether a word looks like a symbol: it has a digit, or is a letter
// that is not an English word.
func likeSymbol(word string) bool {
	return strings.ContainsAny(word, "0123456789") || len(word) == 1 && !strings.ContainsAny(word, "aAIO&.:;-")
}

func (c *Checker) found(s grammar.Symbol, start, end int) Found {
	return Found{Symbol: c.g.Names[s], Label: c.labels[s], Start: start, End: end, letter: s}
}

const functionEnds = "(), \t\r\n"

// readFunction reads a term such as e1(a1(i), b1(i)).
func (c *Checker) readFunction(text string) (r reading, ok bool) {
	r.form = FormFunction
	depth, known, unknown := 0, 0, 0
	applied := false
	for at := 0; at < len(text); {
		b := text[at]
		if s, end := c.symbolAt(text, at, functionEnds); s >= 0 {
			r.found = append(r.found, c.found(s, at, end))
			known++
			at = end
			continue
		}
		if end := c.nonterminalAt(text, at); end > at {
			at = end // grouping
			continue
		}
		switch {
		case b == '(':
			applied = true
			depth++
			at++
		case b == ')':
			depth--
			at++
		case b == ',' || b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == ';' || b == '.':
			at++
		default:
			name, end := argumentAt(text, at)
			if n, nonterminal := c.g.Lookup(name); nonterminal && !c.g.IsTerminal(n) || name == "ε" {
				at = end
				continue
			}
			unknown++
			r.found = append(r.found, Found{Label: name, Start: at, End: at + len(name), letter: -1, Note: c.unknown(name)})
			at = end
		}
		if depth < 0 {
			depth, r.fault = 0, "unmatched \")\""
		}
	}
	if r.fault != "" {
		return r, applied && known > 0 && unknown == 0 // with other words it may be a remark
	}
	if depth > 0 {
		r.fault = "unmatched \"(\""
	}
	return r, applied && known > 0 && (unknown <= len(r.found)/2 || isCall(text))
}

// argumentAt returns the text up to the next parenthesis or comma, without spaces around it, and
// the offset of that character.
func argumentAt(text string, at int) (name string, end int) {
	if end = strings.IndexAny(text[at:], "(),"); end < 0 {
		end = len(text) - at
	}
	return strings.TrimSpace(text[at : at+end]), at + end
}

// isCall reports whether a text consists of single words with parentheses and commas.
func isCall(text string) bool {
	return !slices.ContainsFunc(strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("(),", c) }), func(name string) bool {
		return strings.ContainsAny(strings.TrimSpace(name), " \t\r\n")
	})
}
