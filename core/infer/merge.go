package infer

import (
	"math"
	"slices"

	"github.com/stile-playground/stile/core/meter"
)

// tree is the prefix tree of a sample, or the automaton that results from merging its nodes. A node is
// a row of numbers: how many passing and failing runs end in it, how many passing runs visit it, whether
// a person refused the word that leads to it, and for each letter the next node, or -1, and how many
// passing runs follow the edge.
type tree struct {
	letters int
	row     int
	data    []int32
	log     []change // to undo a merge

	statistics bool
	confidence float64 // factor of the bound of Hoeffding
	lenient    leniency
	evidence   int // equal verdicts that the merge under way joined
	agreement  int // passing runs that continue alike, less those that do not
	conflicts  int // nodes with passing and failing runs, of a lenient merge
	meter      *meter.Meter
}

// leniency is the degree to which evidence against a merge is ignored.
type leniency int

const (
	strict    leniency = iota
	anyCounts          // different frequencies are ignored
	anything           // different verdicts too, except those of a person
)

// change is the index of a number of a tree, with the number before a change.
type change struct {
	at  int
	old int32
}

// Columns of a row.
const (
	passes  = 0
	fails   = 1
	visits  = 2
	refused = 3
	columns = 4
)

// newTree returns the prefix tree of a sample, its nodes in the order of the length of their words.
func newTree(s *sample, m *meter.Meter) *tree {
	t := &tree{letters: len(s.symbols), meter: m}
	t.row = columns + 2*t.letters
	order := make([]int, len(s.words))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(s.words[a].letters, s.words[b].letters) })
	t.node()
	at := make([]int, len(s.words))
	for depth, more := 0, true; more; depth++ {
		more = false
		for _, w := range order {
			word := s.words[w]
			if depth > len(word.letters) || word.pass+word.fail == 0 {
				continue
			}
			node := at[w]
			t.data[node*t.row+visits] += int32(word.pass)
			if depth == len(word.letters) {
				t.data[node*t.row+passes] += int32(word.pass)
				t.data[node*t.row+fails] += int32(word.fail)
				if word.refused {
					t.data[node*t.row+refused] = 1
				}
				continue
			}
			edge := node*t.row + columns + word.letters[depth]
			if t.data[edge] < 0 {
				next := t.node()
				t.data[edge] = int32(next)
			}
			t.data[edge+t.letters] += int32(word.pass)
			at[w] = int(t.data[edge])
			more = true
		}
	}
	return t
}

// clone returns a copy of a tree without merges.
func (t *tree) clone() *tree {
	c := *t
	c.data, c.log = slices.Clone(t.data), nil
	return &c
}

// node adds a node and returns its number.
func (t *tree) node() int {
	n := len(t.data) / t.row
	t.data = append(t.data, make([]int32, t.row)...)
	for a := range t.letters {
		t.data[n*t.row+columns+a] = -1
	}
	return n
}

func (t *tree) next(node, letter int) int { return int(t.data[node*t.row+columns+letter]) }

func (t *tree) set(at int, v int32) {
	if t.data[at] != v {
		t.log = append(t.log, change{at, t.data[at]})
		t.data[at] = v
	}
}

func (t *tree) undo(mark int) {
	for len(t.log) > mark {
		c := t.log[len(t.log)-1]
		t.log = t.log[:len(t.log)-1]
		t.data[c.at] = c.old
	}
}

// differ reports whether the frequencies in two nodes differ by more than chance.
func (t *tree) differ(a, b int) bool {
	x, y := t.data[a*t.row:(a+1)*t.row], t.data[b*t.row:(b+1)*t.row]
	n, m := float64(x[visits]), float64(y[visits])
	if n == 0 || m == 0 {
		return false
	}
	bound := t.confidence * (1/math.Sqrt(n) + 1/math.Sqrt(m))
	if bound >= 1 {
		return false
	}
	if math.Abs(float64(x[passes])/n-float64(y[passes])/m) > bound {
		return true
	}
	for a := range t.letters {
		w := columns + t.letters + a
		if math.Abs(float64(x[w])/n-float64(y[w])/m) > bound {
			return true
		}
	}
	return false
}

// fold merges the tree at a node b into the node r. It returns false if a difference forbids it; the
// caller then undoes the changes.
func (t *tree) fold(r, b int) bool {
	x, y := r*t.row, b*t.row
	accepts, rejects := t.data[x+passes] > 0, t.data[x+fails] > 0
	if accepts && t.data[y+passes] > 0 || rejects && t.data[y+fails] > 0 {
		t.evidence++
	}
	if accepts && t.data[y+fails] > 0 || rejects && t.data[y+passes] > 0 {
		if t.lenient < anything || t.data[x+refused]+t.data[y+refused] > 0 {
			return false
		}
		t.conflicts++
	}
	if t.statistics && t.lenient < anyCounts && t.differ(r, b) {
		return false
	}
	for _, column := range []int{passes, fails, visits, refused} {
		t.set(x+column, t.data[x+column]+t.data[y+column])
	}
	for a := range t.letters {
		edge, from := x+columns+a, y+columns+a
		child := int(t.data[from])
		if child < 0 {
			continue
		}
		runs := t.data[from+t.letters]
		known := t.data[edge+t.letters] > 0
		t.set(edge+t.letters, t.data[edge+t.letters]+runs)
		if known {
			t.agreement += int(runs)
		} else {
			t.agreement -= int(runs)
		}
		if to := int(t.data[edge]); to < 0 {
			t.set(edge, int32(child))
		} else if !t.fold(to, child) {
			return false
		}
	}
	return true
}

// blue is a node that an edge of a red node leads to.
type blue struct{ node, edge int }

// try merges a blue node into a red one and returns the score of the merge.
func (t *tree) try(r int, b blue) (score [3]int, ok bool) {
	t.evidence, t.agreement, t.conflicts = 0, 0, 0
	t.set(b.edge, int32(r))
	ok = t.fold(r, b.node)
	if t.statistics {
		return [3]int{-t.conflicts, t.agreement, t.evidence}, ok
	}
	return [3]int{-t.conflicts, t.evidence, t.agreement}, ok
}

// best returns the red node that a blue one is best merged into, or -1.
func (t *tree) best(red []int, b blue) int {
	found, most := -1, [3]int{}
	for _, r := range red {
		mark := len(t.log)
		score, ok := t.try(r, b)
		t.undo(mark)
		if ok && (found < 0 || slices.Compare(score[:], most[:]) > 0) {
			found, most = r, score
		}
	}
	return found
}

// merge merges the nodes until the number of states is within the bound most. It keeps more states if
// the words that a person refused require them. It returns the red nodes, which are the states, and the
// number of merges against the evidence.
func (t *tree) merge(most int) (red []int, forced int, err error) {
	red = []int{0}
	isRed := map[int]bool{0: true}
	for {
		b, found := t.blue(red, isRed)
		if !found {
			return red, forced, nil
		}
		if err := t.meter.Step(len(red)); err != nil {
			return nil, 0, err
		}
		to := t.best(red, b)
		if to < 0 && len(red) < most {
			red = append(red, b.node)
			isRed[b.node] = true
			continue
		}
		for t.lenient = anyCounts; to < 0 && t.lenient <= anything; t.lenient++ {
			if to = t.best(red, b); to >= 0 {
				forced++
				break
			}
		}
		if to < 0 { // the words that a person refused need another state
			red = append(red, b.node)
			isRed[b.node] = true
		} else {
			t.try(to, b)
		}
		t.lenient, t.log = strict, t.log[:0]
	}
}

// blue returns the next blue node to merge or to make red: the most visited node if the tree compares
// frequencies, otherwise the first.
func (t *tree) blue(red []int, isRed map[int]bool) (out blue, found bool) {
	for _, r := range red {
		for a := range t.letters {
			edge := r*t.row + columns + a
			n := int(t.data[edge])
			if n < 0 || isRed[n] {
				continue
			}
			better := n < out.node
			if t.statistics {
				x, y := t.data[n*t.row+visits], t.data[out.node*t.row+visits]
				better = x > y || x == y && better
			}
			if !found || better {
				out, found = blue{n, edge}, true
			}
		}
	}
	return out, found
}
