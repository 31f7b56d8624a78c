package infer

import (
	"math/bits"

	"github.com/stile-playground/stile/core/ltl"
)

// truth has one bit for each position of all words of a sample: whether a formula holds there.
type truth []uint64

// positions lays the positions of words out as bits. Words of up to 64 letters do not cross a boundary
// of 64 bits, so that most operations need no carry.
type positions struct {
	size  int    // of a truth, in units of 64 bits
	valid truth  // the positions
	last  truth  // the last ones of the words
	first []spot // of the words
	atoms []truth
	long  bool    // a word crosses a boundary
	spare []truth // to overwrite
}

// spot is the place of a bit.
type spot struct {
	unit int
	bit  uint64
}

func layOut(s *sample) *positions {
	p := &positions{}
	at := 0
	places := make([]int, len(s.words))
	for i, w := range s.words {
		n := len(w.letters)
		if used := at % 64; used > 0 && used+n > 64 {
			at += 64 - used
		}
		p.long = p.long || n > 64
		places[i] = at
		at += n
	}
	p.size = (at + 63) / 64
	p.valid, p.last = make(truth, p.size), make(truth, p.size)
	p.atoms = make([]truth, len(s.symbols))
	for i := range p.atoms {
		p.atoms[i] = make(truth, p.size)
	}
	for i, w := range s.words {
		for j, letter := range w.letters {
			unit, bit := (places[i]+j)/64, uint64(1)<<((places[i]+j)%64)
			p.valid[unit] |= bit
			p.atoms[letter][unit] |= bit
			if j == 0 {
				p.first = append(p.first, spot{unit, bit})
			}
			if j == len(w.letters)-1 {
				p.last[unit] |= bit
			}
		}
		if len(w.letters) == 0 {
			p.first = append(p.first, spot{0, 0})
		}
	}
	return p
}

// holds reports whether a formula holds on a word.
func (p *positions) holds(t truth, word int) bool {
	at := p.first[word]
	return t[at.unit]&at.bit != 0
}

// apply writes the truth of an operator to out, which may be f or g, given the truths f and g of its arguments.
func (p *positions) apply(op ltl.Op, out, f, g truth) {
	switch op {
	case ltl.Not:
		for i := range out {
			out[i] = p.valid[i] &^ f[i]
		}
	case ltl.Next, ltl.WeakNext:
		carry := uint64(0)
		for i := p.size - 1; i >= 0; i-- {
			x := f[i]>>1 | carry<<63
			carry = f[i] & 1
			if out[i] = x & p.valid[i] &^ p.last[i]; op == ltl.WeakNext {
				out[i] |= p.last[i]
			}
		}
	case ltl.Finally:
		p.until(out, p.valid, f, 0)
	case ltl.Globally:
		p.until(out, p.valid, f, all)
	case ltl.And:
		for i := range out {
			out[i] = f[i] & g[i]
		}
	case ltl.Or:
		for i := range out {
			out[i] = f[i] | g[i]
		}
	case ltl.Implies:
		for i := range out {
			out[i] = p.valid[i]&^f[i] | g[i]
		}
	case ltl.Iff:
		for i := range out {
			out[i] = p.valid[i] &^ (f[i] ^ g[i])
		}
	case ltl.Until:
		p.until(out, f, g, 0)
	case ltl.WeakUntil:
		p.weak(out, f, g, false)
	case ltl.Release:
		p.weak(out, g, f, true)
	case ltl.StrongRelease:
		p.strong(out, f, g)
	}
}

const all = ^uint64(0)

// until computes f U g. If flip is not 0, it computes !(f U !g), which is G g if f is true everywhere.
func (p *positions) until(out, f, g truth, flip uint64) {
	carry := uint64(0)
	for i := p.size - 1; i >= 0; i-- {
		y := g[i]
		if flip != 0 {
			y = p.valid[i] &^ g[i]
		}
		y = spread(y, f[i]&^p.last[i], carry)
		carry = y & 1
		if out[i] = y & p.valid[i]; flip != 0 {
			out[i] = p.valid[i] &^ y
		}
	}
}

// spread returns the bits of y, and the bits from which consecutive bits of f lead to a bit of y.
func spread(y, f, carry uint64) uint64 {
	if y |= f & (carry << 63); y == 0 || f == 0 {
		return y
	}
	for shift := 1; shift < 64; shift *= 2 {
		y |= f & (y >> shift)
		f &= f >> shift
	}
	return y
}

// weak computes f W g or, if both is true, f W (f & g).
func (p *positions) weak(out, f, g truth, both bool) {
	carry := uint64(0)
	for i := p.size - 1; i >= 0; i-- {
		y := g[i] | f[i]&p.last[i]
		if both {
			y = f[i] & (g[i] | p.last[i])
		}
		y = spread(y, f[i]&^p.last[i], carry)
		carry = y & 1
		out[i] = y & p.valid[i]
	}
}

// strong computes f M g: g U (f & g).
func (p *positions) strong(out, f, g truth) {
	carry := uint64(0)
	for i := p.size - 1; i >= 0; i-- {
		y := spread(f[i]&g[i], g[i]&^p.last[i], carry)
		carry = y & 1
		out[i] = y & p.valid[i]
	}
}

// eval returns the truth of a formula whose propositions are symbols of a sample; others are false. The caller must not
// change it.
func (p *positions) eval(f *ltl.Formula, s *sample) truth {
	out, _ := p.evaluate(f, s)
	return out
}

// evaluate is eval, and reports whether the truth is a new one, which an operator may overwrite.
func (p *positions) evaluate(f *ltl.Formula, s *sample) (out truth, fresh bool) {
	switch f.Op {
	case ltl.True:
		return p.valid, false
	case ltl.False:
		return make(truth, p.size), true
	case ltl.Last:
		return p.last, false
	case ltl.Prop:
		if i, ok := s.letter(f.Name); ok {
			return p.atoms[i], false
		}
		return make(truth, p.size), true
	}
	left, fresh := p.evaluate(f.Left, s)
	var right truth
	second := false
	if f.Right != nil {
		right, second = p.evaluate(f.Right, s)
	}
	switch {
	case fresh:
		out = left
	case second:
		out = right
	case len(p.spare) > 0:
		out = p.spare[len(p.spare)-1]
		p.spare = p.spare[:len(p.spare)-1]
	default:
		out = make(truth, p.size)
	}
	p.apply(f.Op, out, left, right)
	if fresh && second {
		p.spare = append(p.spare, right)
	}
	return out, true
}

func (t truth) hash() uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, x := range t {
		hi, lo := bits.Mul64(h^x, 0xd6e8feb86659fd93)
		h = hi ^ lo + 0x2545f4914f6cdd1d
	}
	return h
}
