package ltl

// spine returns a formula, its right argument, the right argument of that, and so on, the
// innermost first. A chain such as a -> b -> c may be as long as the text, so it is
// processed in a loop, not by recursion.
func (f *Formula) spine() []*Formula {
	var out []*Formula
	for ; f != nil; f = f.Right {
		out = append(out, f)
	}
	for i, k := 0, len(out)-1; i < k; i, k = i+1, k-1 {
		out[i], out[k] = out[k], out[i]
	}
	return out
}

// signed is a formula or its negation.
type signed struct {
	f       *Formula
	negated bool
}

// parted returns the conjuncts of a formula or of its negation, from left to right.
func parted(f *Formula, negated bool) []signed {
	var out []signed
	for list := []signed{{f, negated}}; len(list) > 0; {
		s := list[len(list)-1]
		list = list[:len(list)-1]
		l, r := s.f.Left, s.f.Right
		switch {
		case s.f.Op == Not:
			list = append(list, signed{l, !s.negated})
		case s.f.Op == And && !s.negated, s.f.Op == Or && s.negated:
			list = append(list, signed{r, s.negated}, signed{l, s.negated})
		case s.f.Op == Implies && s.negated:
			list = append(list, signed{r, true}, signed{l, false})
		default:
			out = append(out, s)
		}
	}
	return out
}

// halved reduces a list to one element by joining neighbours repeatedly, so the depth of
// joins is logarithmic.
func halved[T any](list []T, join func(a, b T) T) T {
	for len(list) > 1 {
		half := list[:0]
		for i := 0; i < len(list); i += 2 {
			if i+1 < len(list) {
				half = append(half, join(list[i], list[i+1]))
			} else {
				half = append(half, list[i])
			}
		}
		list = half
	}
	return list[0]
}

// shape is a formula whose arguments are numbers.
type shape struct {
	op          Op
	name        string
	left, right int32
}

// number returns the number of a formula; equal formulas have the same number.
func (t *translator) number(f *Formula) int32 {
	if f == nil {
		return -1
	}
	n, ok := t.numbers[f]
	if ok {
		return n
	}
	n = -1 // the number of a missing argument
	for _, g := range f.spine() {
		s := shape{g.Op, g.Name, t.number(g.Left), n}
		if n, ok = t.shapes[s]; !ok {
			n = int32(len(t.shapes))
			t.shapes[s] = n
		}
		t.numbers[g] = n
	}
	return n
}
