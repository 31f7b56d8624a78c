package ltl

import (
	"fmt"

	"github.com/stile-playground/stile/core/source"
)

// Letters says what the steps of a trace may be.
type Letters string

// The alphabets.
const (
	Powerset Letters = "powerset" // any set of the propositions
	OneHot   Letters = "onehot"   // exactly one proposition
)

// MaxPowerset is how many propositions a powerset alphabet may have.
const MaxPowerset = 12

// Alphabet is the alphabet of an automaton: its letters are the numbers from 0.
type Alphabet struct {
	Props   []string
	Letters Letters
	index   map[string]int
}

// NewAlphabet returns an alphabet over propositions. In a one-hot alphabet the
// letter i is the i-th proposition; in a powerset alphabet the letter's bit i
// says whether the i-th proposition holds.
func NewAlphabet(props []string, letters Letters) (*Alphabet, error) {
	a := &Alphabet{Props: props, Letters: letters, index: map[string]int{}}
	for i, p := range props {
		if _, twice := a.index[p]; twice {
			return nil, source.NewError("ltl.proposition", fmt.Sprintf("the proposition %q is there twice", p))
		}
		a.index[p] = i
	}
	switch {
	case letters == OneHot && len(props) == 0:
		return nil, source.NewError("ltl.proposition", "a one-hot alphabet needs at least one proposition")
	case letters == OneHot:
	case letters != Powerset:
		return nil, source.NewError("ltl.letters", fmt.Sprintf("there is no alphabet %q; there is %q and %q", letters, Powerset, OneHot))
	case len(props) > MaxPowerset:
		return nil, source.NewError("limit.letters", fmt.Sprintf("%d propositions make 2^%d letters; a powerset alphabet has at most %d propositions", len(props), len(props), MaxPowerset))
	}
	return a, nil
}

// Len returns the number of letters.
func (a *Alphabet) Len() int {
	if a.Letters == OneHot {
		return len(a.Props)
	}
	return 1 << len(a.Props)
}

// Has reports whether a proposition holds in a letter. One that the alphabet does
// not have never holds.
func (a *Alphabet) Has(letter int, prop string) bool {
	i, ok := a.index[prop]
	switch {
	case !ok:
		return false
	case a.Letters == OneHot:
		return letter == i
	}
	return letter>>i&1 == 1
}

// Letter returns the letter of a step. The error names what the alphabet does
// not allow.
func (a *Alphabet) Letter(step []string) (int, error) {
	letter := 0
	for _, p := range step {
		i, ok := a.index[p]
		if !ok {
			message := fmt.Sprintf("there is no proposition %q", p)
			if near := source.Nearest(p, a.Props); near != "" {
				message += fmt.Sprintf("; did you mean %q?", near)
			}
			return 0, source.NewError("ltl.proposition", message)
		}
		if a.Letters == OneHot {
			letter = i
		} else {
			letter |= 1 << i
		}
	}
	if a.Letters == OneHot && len(step) != 1 {
		return 0, source.NewError("ltl.step", fmt.Sprintf("each step of a one-hot trace has exactly one proposition, not %d", len(step)))
	}
	return letter, nil
}

// Props returns the propositions that hold in a letter.
func (a *Alphabet) PropsOf(letter int) []string {
	out := []string{}
	for _, p := range a.Props {
		if a.Has(letter, p) {
			out = append(out, p)
		}
	}
	return out
}
