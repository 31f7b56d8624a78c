package export

import (
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// MaxRegexp limits the length of an exported regular expression, in bytes.
const MaxRegexp = 1 << 16

// Regexp returns a regular expression for the words of an automaton, anchored at both ends,
// in the syntax that JavaScript, RE2 and most others share. Letters are joined by a
// separator. It eliminates states in the order of the fewest paths through them
// (Brzozowski and McCluskey 1963). For the empty language the expression matches nothing. The error
// has code "limit.regexp" above [MaxRegexp] bytes.
func Regexp(d *automaton.DFA, letters []string, separator string) (string, error) {
	e := newElimination(d, letters, separator)
	for {
		state := e.cheapest()
		if state < 0 {
			break
		}
		e.eliminate(state)
		if e.size > 4*MaxRegexp {
			return "", errRegexp
		}
	}
	expression, ok := e.edges[[2]int{e.start, e.end}]
	if !ok {
		expression = `[^\s\S]`
	}
	if len(expression) > MaxRegexp {
		return "", errRegexp
	}
	return "^(?:" + expression + ")$", nil
}

var errRegexp = source.NewError("limit.regexp", "the regular expression is longer than 64 KiB; export a grammar instead")

// elimination is an automaton with expressions as labels.
type elimination struct {
	edges      map[[2]int]string
	left       map[int]bool
	start, end int
	size       int
}

func newElimination(d *automaton.DFA, letters []string, separator string) *elimination {
	n := d.NumStates()
	// A separator precedes each letter except the first, so the start has a copy without
	// incoming moves.
	e := &elimination{edges: map[[2]int]string{}, left: map[int]bool{}, start: n, end: n + 1}
	distance := d.Distances()
	add := func(from, state int, before string) {
		for letter, text := range letters {
			if to := d.Next(state, letter); distance[to] >= 0 {
				e.add(from, to, escapeRegexp(before+text))
			}
		}
		if d.Accepting(state) {
			e.add(from, e.end, "")
		}
	}
	add(e.start, d.Start(), "")
	for q := range n {
		if distance[q] >= 0 {
			e.left[q] = true
			add(q, q, separator)
		}
	}
	return e
}

func (e *elimination) add(from, to int, expression string) {
	key := [2]int{from, to}
	if before, ok := e.edges[key]; ok {
		if before == expression {
			return
		}
		expression = before + "|" + expression
		e.size -= len(before)
	}
	e.edges[key] = expression
	e.size += len(expression)
}

// cheapest returns the state with the fewest paths through it, or -1 if no state is left.
func (e *elimination) cheapest() int {
	in, out := map[int]int{}, map[int]int{}
	for key := range e.edges {
		if key[0] != key[1] {
			out[key[0]]++
			in[key[1]]++
		}
	}
	best, cost := -1, 0
	for q := range e.left {
		if c := in[q] * out[q]; best < 0 || c < cost || c == cost && q < best {
			best, cost = q, c
		}
	}
	return best
}

func (e *elimination) eliminate(q int) {
	loop := ""
	if text, ok := e.edges[[2]int{q, q}]; ok {
		loop = group(text) + "*"
	}
	var ins, outs []int // in any order: pairs are unique
	for key := range e.edges {
		if key[1] == q && key[0] != q {
			ins = append(ins, key[0])
		}
		if key[0] == q && key[1] != q {
			outs = append(outs, key[1])
		}
	}
	for _, from := range ins {
		for _, to := range outs {
			e.add(from, to, sequence(e.edges[[2]int{from, q}])+loop+sequence(e.edges[[2]int{q, to}]))
		}
	}
	for _, from := range append(ins, q) {
		e.size -= len(e.edges[[2]int{from, q}])
		delete(e.edges, [2]int{from, q})
	}
	for _, to := range outs {
		e.size -= len(e.edges[[2]int{q, to}])
		delete(e.edges, [2]int{q, to})
	}
	delete(e.left, q)
}

// sequence returns an expression for use in a sequence: an alternation becomes a group.
func sequence(expression string) string {
	depth := 0
	for i := 0; i < len(expression); i++ {
		switch expression[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				return "(?:" + expression + ")"
			}
		}
	}
	return expression
}

func group(expression string) string { return "(?:" + expression + ")" }

func escapeRegexp(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case strings.ContainsRune(`\.+*?()|[]{}^$/`, r):
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func marshal(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}
