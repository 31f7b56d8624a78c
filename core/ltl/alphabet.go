package ltl

import (
	"fmt"

	"github.com/stile-playground/stile/core/source"
)

// Letters is the kind of an alphabet: the sets of propositions allowed as a step.
type Letters string

// The alphabets.
const (
	Powerset Letters = "powerset" // any set of the propositions
	OneHot   Letters = "onehot"   // exactly one proposition
)

// MaxProps is the maximal number of propositions of an alphabet.
const MaxProps = 10_000

// Alphabet is a set of propositions with the steps of a trace that are allowed.
type Alphabet struct {
	Props   []string
	Letters Letters
	index   map[string]int
}

// NewAlphabet returns an alphabet over propositions.
func NewAlphabet(props []string, letters Letters) (*Alphabet, error) {
	a := &Alphabet{Props: props, Letters: letters, index: map[string]int{}}
	for i, p := range props {
		if _, twice := a.index[p]; twice {
			return nil, source.NewError("ltl.proposition", fmt.Sprintf("duplicate proposition %q", p))
		}
		a.index[p] = i
	}
	switch {
	case letters != Powerset && letters != OneHot:
		return nil, source.NewError("ltl.letters", fmt.Sprintf("unknown alphabet %q (expected %q or %q)", letters, Powerset, OneHot))
	case letters == OneHot && len(props) == 0:
		return nil, source.NewError("ltl.proposition", "a one-hot alphabet needs at least one proposition")
	case len(props) > MaxProps:
		return nil, source.NewError("limit.propositions", fmt.Sprintf("an alphabet has at most %d propositions, not %d", MaxProps, len(props)))
	}
	return a, nil
}

// Check returns an error for a step that the alphabet does not allow. The code is
// "ltl.proposition" for an unknown proposition and "ltl.step" for a wrong number of them.
func (a *Alphabet) Check(step []string) error {
	for _, p := range step {
		if _, ok := a.index[p]; !ok {
			message := fmt.Sprintf("unknown proposition %q", p)
			if near := source.Nearest(p, a.Props); near != "" {
				message += fmt.Sprintf("; did you mean %q?", near)
			}
			return source.NewError("ltl.proposition", message)
		}
	}
	if a.Letters == OneHot && len(step) != 1 {
		return source.NewError("ltl.step", fmt.Sprintf("each step of a one-hot trace has exactly one proposition, not %d", len(step)))
	}
	return nil
}

// MaxPowerset is the maximal number of propositions of a powerset alphabet whose letters
// are numbered.
const MaxPowerset = 12

// Len returns the number of letters. They are numbered from 0: in a one-hot
// alphabet the letter i is the i-th proposition; in a powerset alphabet the
// letter's bit i is set if the i-th proposition holds. The error has code
// "limit.letters" for a powerset alphabet of more than [MaxPowerset] propositions.
func (a *Alphabet) Len() (int, error) {
	switch {
	case a.Letters == OneHot:
		return len(a.Props), nil
	case len(a.Props) > MaxPowerset:
		return 0, source.NewError("limit.letters", fmt.Sprintf("too many propositions to number the letters: %d (at most %d)", len(a.Props), MaxPowerset))
	}
	return 1 << len(a.Props), nil
}

// holds reports whether the i-th proposition holds in a letter.
func (a *Alphabet) holds(letter, i int) bool {
	if a.Letters == OneHot {
		return letter == i
	}
	return letter>>i&1 == 1
}

// Step returns the propositions that hold in a letter.
func (a *Alphabet) Step(letter int) []string {
	out := []string{}
	for i, p := range a.Props {
		if a.holds(letter, i) {
			out = append(out, p)
		}
	}
	return out
}
