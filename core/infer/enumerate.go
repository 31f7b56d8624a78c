package infer

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/ltl"
)

// enumerated is a formula of a search: an operator over earlier ones, or a leaf.
type enumerated struct {
	op          ltl.Op
	left, right int32 // of a proposition, left is the symbol
	size        int8
}

// enumeration is a search through formulas by size. Of the formulas with the same truth at all
// positions of all words, the first is kept.
type enumeration struct {
	*positions
	finder   *finder
	list     []enumerated
	truths   []uint64
	known    map[uint64]bool // hashes of truths
	scratch  truth
	units    int // work done
	passing  []int
	failing  []int // words to reject
	found    []solution
	complete int // size up to which all formulas were tried
}

// solution is a formula that holds on all passing words.
type solution struct {
	enumerated
	rejects []bool // by failing word
	number  int
}

type searched struct {
	size      int
	separated bool
}

// search adds short formulas that hold on the passing words and reject failing words, or altered words if
// no run fails. It then chooses again among all properties.
func (f *finder) search() (searched, error) {
	s := &sample{symbols: f.symbols, index: f.index, known: map[string]int{}}
	contrast := 0
	fails := slices.ContainsFunc(f.words, func(w word) bool { return w.fail > 0 })
	stride := max(1, (len(f.words)-f.own+fewAltered-1)/fewAltered)
	for i, w := range f.words {
		switch {
		case !f.altered(i) && w.pass+w.fail > 0:
		case f.altered(i) && !fails && (i-f.own)%stride == 0:
		default:
			continue
		}
		if w.pass == 0 {
			contrast++
		}
		s.words = append(s.words, w)
	}
	e := &enumeration{positions: layOut(s), finder: f, known: map[uint64]bool{}}
	e.truths = make([]uint64, 0, maxTruths)
	for i, w := range s.words {
		if w.pass > 0 {
			e.passing = append(e.passing, i)
		} else {
			e.failing = append(e.failing, i)
		}
	}
	if contrast == 0 {
		return searched{}, nil
	}
	if err := e.run(); err != nil {
		return searched{}, err
	}
	out := searched{size: e.complete}
	for i, sol := range e.best() {
		out.separated = out.separated || fails && sol.number == len(e.failing)
		formula := e.formula(sol.enumerated)
		c, ok := f.judge(f.positions.eval(formula, f.sample), f.positions.valid)
		if !ok || slices.ContainsFunc(f.found, func(other candidate) bool { return slices.Equal(other.rejects, c.rejects) }) {
			continue
		}
		c.Template, c.Formula = "formula", formula.String()
		c.Name = f.unique(fmt.Sprintf("formula_%d", i+1))
		f.found = append(f.found, c)
	}
	f.choose()
	return out, nil
}

// operators are the operators of a search.
var (
	unary  = []ltl.Op{ltl.Not, ltl.Next, ltl.WeakNext, ltl.Finally, ltl.Globally}
	binary = []ltl.Op{ltl.And, ltl.Or, ltl.Until, ltl.WeakUntil, ltl.Release, ltl.StrongRelease, ltl.Implies, ltl.Iff}
)

// run tries the formulas of each size, until one rejects all failing words or the limits end it.
func (e *enumeration) run() error {
	e.scratch = make(truth, e.size)
	starts := []int{0, 0} // by size: the index in the list of the first formula of the size
	for i, atom := range e.atoms {
		copy(e.scratch, atom)
		e.offer(enumerated{op: ltl.Prop, left: int32(i), size: 1}, true)
	}
	copy(e.scratch, e.last)
	e.offer(enumerated{op: ltl.Last, size: 1}, true)
	starts = append(starts, len(e.list))
	e.complete = 1
	for size := 2; size <= maxSize && !e.done(); size++ {
		if err := e.finder.meter.Step(len(e.list)); err != nil {
			return err
		}
		store := size < maxSize
		of := func(size int) (from, to int) { return starts[size], starts[size+1] }
		from, to := of(size - 1)
		for i := from; i < to; i++ {
			for _, op := range unary {
				if !e.try(enumerated{op: op, left: int32(i), size: int8(size)}, store) {
					return nil
				}
			}
		}
		for a := 1; a < size-1; a++ {
			b := size - 1 - a
			af, at := of(a)
			bf, bt := of(b)
			for i := af; i < at; i++ {
				for j := bf; j < bt; j++ {
					for _, op := range binary {
						if (op == ltl.And || op == ltl.Or || op == ltl.Iff) && j < i {
							continue
						}
						if !e.try(enumerated{op: op, left: int32(i), right: int32(j), size: int8(size)}, store) {
							return nil
						}
					}
				}
			}
		}
		starts = append(starts, len(e.list))
		e.complete = size
	}
	return nil
}

// done reports whether a formula rejects all failing words.
func (e *enumeration) done() bool {
	return slices.ContainsFunc(e.found, func(s solution) bool { return s.number == len(e.failing) })
}

func (e *enumeration) truth(i int32) truth {
	return e.truths[int(i)*e.size : (int(i)+1)*e.size]
}

// try tries a formula. It returns false at the limits of the search.
func (e *enumeration) try(f enumerated, store bool) bool {
	if e.units += e.size + 8; e.units > maxUnits {
		return false
	}
	var right truth
	if slices.Contains(binary, f.op) {
		right = e.truth(f.right)
	}
	e.apply(f.op, e.scratch, e.truth(f.left), right)
	return e.offer(f, store)
}

// offer adds a formula whose truth is in scratch, unless another one has it.
func (e *enumeration) offer(f enumerated, store bool) bool {
	if store {
		h := e.scratch.hash()
		if e.known[h] {
			return true
		}
		if len(e.truths)+e.size > maxTruths {
			return false
		}
		e.known[h] = true
		e.truths = append(e.truths, e.scratch...)
	}
	e.list = append(e.list, f)
	for _, w := range e.passing {
		if !e.holds(e.scratch, w) {
			if !store {
				e.list = e.list[:len(e.list)-1]
			}
			return true
		}
	}
	s := solution{enumerated: f, rejects: make([]bool, len(e.failing))}
	for i, w := range e.failing {
		if s.rejects[i] = !e.holds(e.scratch, w); s.rejects[i] {
			s.number++
		}
	}
	if s.number > 0 && !slices.ContainsFunc(e.found, func(other solution) bool { return covers(other.rejects, s.rejects) }) {
		e.found = append(e.found, s)
	}
	if !store {
		e.list = e.list[:len(e.list)-1]
	}
	return true
}

// covers reports whether a is true at every index at which b is true.
func covers(a, b []bool) bool {
	for i := range b {
		if b[i] && !a[i] {
			return false
		}
	}
	return true
}

// best returns the formulas that together reject the most words, the most selective formula first.
func (e *enumeration) best() []solution {
	var out []solution
	covered := make([]bool, len(e.failing))
	for len(out) < maxFormulas {
		found, most := -1, 0
		for i, s := range e.found {
			n := 0
			for k, r := range s.rejects {
				if r && !covered[k] {
					n++
				}
			}
			if n > most {
				found, most = i, n
			}
		}
		if found < 0 {
			break
		}
		out = append(out, e.found[found])
		for k, r := range e.found[found].rejects {
			covered[k] = covered[k] || r
		}
	}
	return out
}

func (e *enumeration) formula(f enumerated) *ltl.Formula {
	switch {
	case f.op == ltl.Prop:
		return ltl.NewProp(e.finder.symbols[f.left])
	case f.op == ltl.Last:
		return ltl.New(ltl.Last)
	case slices.Contains(binary, f.op):
		return ltl.New(f.op, e.formula(e.list[f.left]), e.formula(e.list[f.right]))
	}
	return ltl.New(f.op, e.formula(e.list[f.left]))
}
