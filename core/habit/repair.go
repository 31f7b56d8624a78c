package habit

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Repair describes the texts of a notation for the search of a small edit, which follows the
// table of habits: at an error that no habit explains, it tries to rename, replace, remove, insert,
// separate, exchange and quote tokens near the error. The first edit after which the
// lines that it changes have no error, and the text has fewer errors, becomes the fix.
type Repair struct {
	Keywords []string // that a misspelt word may mean, in addition to the words of the text
	Signs    []string // that may be missing
	Words    []string // that may be missing before the error or at the beginning of its line
	Skip     []string // codes of errors that report a missing line
	Closers  string   // characters before which a text that needs quotes ends
	Tight    bool     // a bracket is part of a word unless a space separates it
}

// Limits of the search for a small edit.
const (
	maxEdits    = 72
	maxEditWork = 80_000 // bytes that are checked
	maxWord     = 40     // bytes up to which words are compared
)

// token is a word, a string, a run of operator characters, or one other character.
type token struct {
	start, end int
	text       string
	word       bool
}

// tokens splits a text without its comments. Strings are single tokens.
func (s *search) tokens(masked string) (out []token) {
	const operators = "-=<>~:|&+*!→⇒"
	tight := s.n.Repair.Tight
	for i := 0; i < len(masked); {
		c := masked[i]
		k := i + 1
		word := false
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			i++
			continue
		case c == '"':
			k = stringEnd(masked, i, s.n.Lines)
		case tight:
			for k < len(masked) && strings.IndexByte(" \t\r\n\"", masked[k]) < 0 {
				k++
			}
			word = isName(masked[i:k])
		case isNameByte(c) || c == ':' && k < len(masked) && isNameByte(masked[k]) && (i == 0 || strings.IndexByte(" \t\n(", masked[i-1]) >= 0):
			for k < len(masked) && (isNameByte(masked[k]) || strings.IndexByte("/.-", masked[k]) >= 0 && !strings.HasPrefix(masked[k:], "->") && !strings.HasPrefix(masked[k:], "..")) {
				k++
			}
			word = true
		case strings.HasPrefix(masked[i:], ".."):
			k = i + 2
		case strings.IndexByte(operators, c) >= 0:
			for k < len(masked) && strings.IndexByte(operators, masked[k]) >= 0 {
				k++
			}
		}
		out = append(out, token{i, k, s.text[i:k], word})
		i = k
	}
	return out
}

func isNameByte(c byte) bool {
	return c == '_' || c == '?' || c == '%' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isName(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < 0x80 && !isNameByte(byte(r)) && !strings.ContainsRune("/.-", r) }) < 0
}

// edits collects small edits near the first error, nil if there are none.
func (s *search) edits(masked string) *repairs {
	if s.n.Repair == nil {
		return nil
	}
	open := slices.IndexFunc(s.faults, func(d source.Diagnostic) bool {
		return d.Severity == source.SeverityError && len(d.Fixes) == 0 && !strings.HasPrefix(d.Code, "source.") && !strings.HasPrefix(d.Code, "limit.") && !slices.Contains(s.n.Repair.Skip, d.Code)
	})
	tokens := s.tokens(masked)
	if open < 0 || len(tokens) == 0 {
		return nil
	}
	fault := s.faults[open]
	at := slices.IndexFunc(tokens, func(t token) bool { return t.end > int(fault.Span.Start) })
	if at < 0 {
		at = len(tokens)
	}
	r := &repairs{s: s, tokens: tokens, fault: fault, at: at}
	r.collect()
	r.checked = make([][]source.Diagnostic, len(r.out))
	return r
}

// repair makes the first edit that removes the error. safe selects the edits that hardly change the meaning of
// a text, and requires that no error remains: such an edit explains an error better than a
// habit does.
func (r *repairs) repair(safe bool) bool {
	if r == nil {
		return false
	}
	s, out := r.s, r.out
	if safe {
		out = out[:r.safe]
	}
	second := -1 // the first edit after which the text has other warnings
	for i, p := range out {
		if s.tried++; s.tried > maxEdits || s.tried*len(s.text) > maxEditWork {
			break
		}
		next := source.Apply(s.text, p.Edits)
		if next == s.text {
			continue
		}
		found := r.check(i, next)
		removes, warns := s.removes(p, next, found)
		if safe && (warns || source.HasErrors(found)) {
			continue
		}
		if removes && !warns {
			return s.repaired(p, next, found)
		}
		if removes && second < 0 && i < r.safe {
			second = i
		}
	}
	if second >= 0 {
		next := source.Apply(s.text, out[second].Edits)
		return s.repaired(out[second], next, r.check(second, next))
	}
	return false
}

// check returns the diagnostics of the text after an edit. Both passes over the safe edits share them.
func (r *repairs) check(i int, next string) []source.Diagnostic {
	if r.checked[i] == nil {
		r.checked[i] = append([]source.Diagnostic{}, r.s.n.Check(next)...)
	}
	return r.checked[i]
}

func (s *search) repaired(p Proposal, next string, found []source.Diagnostic) bool {
	s.accept(p, next, s.n.faults(found))
	s.all = found
	return true
}

// removes reports whether an edit removes an error and leaves none on the lines that it changes, and
// whether the text has more warnings after it.
func (s *search) removes(p Proposal, next string, found []source.Diagnostic) (removes, warns bool) {
	was, now, more := 0, 0, 0
	for _, d := range s.all {
		switch d.Severity {
		case source.SeverityError:
			was++
		case source.SeverityWarning:
			more--
		}
	}
	start := strings.LastIndexByte(next[:min(int(p.Edits[0].Span.Start), len(next))], '\n')
	end := lineEnd(next, int(p.Edits[len(p.Edits)-1].Span.Start))
	for _, d := range found {
		switch d.Severity {
		case source.SeverityError:
			if now++; int(d.Span.Start) > start && int(d.Span.Start) <= end {
				return false, false
			}
		case source.SeverityWarning:
			more++
		}
	}
	return now < was, now == 0 && more > 0
}

// Resembles reports whether name is probably a misspelling of other: whether they differ only in
// case or by a single edit. Names of a series, such as q1 and q2, do not resemble each other.
func Resembles(name, other string) bool {
	if strings.EqualFold(name, other) {
		return true
	}
	if len(name) > maxWord || len(other) > maxWord || source.Distance(name, other, 2) > 1 {
		return false
	}
	letters := strings.Trim(name, "0123456789") != strings.Trim(other, "0123456789") // they differ in a letter
	switch {
	case len(name) == len(other):
		return len(name) > 3 && letters || sorted(name) == sorted(other)
	case letters:
		return len(name)+len(other) > 4
	}
	return len(slices.Compact([]byte(name))) == len(slices.Compact([]byte(other)))
}

// Slip reports whether of two different names of a text one is probably a slip of the other: whether they differ
// in case, in a letter inside, or in the order of letters. Other words are alike by intention, such as send and sent.
func Slip(name, other string) bool {
	if len(name) > len(other) {
		name, other = other, name
	}
	return len(name) > 4 && name != other && Resembles(name, other) && !strings.HasPrefix(other, name) && !strings.HasSuffix(other, name) &&
		(len(name) < len(other) || strings.EqualFold(name, other) || sorted(name) == sorted(other))
}

func sorted(text string) string {
	runes := []rune(text)
	slices.Sort(runes)
	return string(runes)
}
