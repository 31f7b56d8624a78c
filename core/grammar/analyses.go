package grammar

// Productive returns, by symbol, whether it derives a word; a terminal derives itself. It
// takes time linear in the grammar's size.
func (g *Grammar) Productive() []bool {
	return g.derive(func(s Symbol) bool { return g.IsTerminal(s) })
}

// Nullable returns, by symbol, whether it derives the empty word. Linear in the
// grammar's size.
func (g *Grammar) Nullable() []bool {
	return g.derive(func(Symbol) bool { return false })
}

// derive closes a set of symbols under the productions: a left side belongs to
// it once every symbol of one of its right sides does. Each production counts
// down the symbols that it still waits for (Dowling and Gallier 1984).
func (g *Grammar) derive(given func(Symbol) bool) []bool {
	in := make([]bool, len(g.Names))
	waits := make([]int, len(g.Productions))
	users := make([][]int32, len(g.Names)) // productions by each occurrence of a symbol
	var queue []Symbol
	add := func(s Symbol) {
		if !in[s] {
			in[s] = true
			queue = append(queue, s)
		}
	}
	for i, p := range g.Productions {
		waits[i] = len(p.Right)
		for _, s := range p.Right {
			users[s] = append(users[s], int32(i))
		}
		if len(p.Right) == 0 {
			add(p.Left)
		}
	}
	for s := range g.Names {
		if given(Symbol(s)) {
			add(Symbol(s))
		}
	}
	for len(queue) > 0 {
		s := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range users[s] {
			if waits[i]--; waits[i] == 0 {
				add(g.Productions[i].Left)
			}
		}
	}
	return in
}

// Reachable returns, by symbol, whether the start symbol leads to it through any
// productions. Linear in the grammar's size.
func (g *Grammar) Reachable() []bool {
	return g.reach(func(Production) bool { return true })
}

// reach is Reachable restricted to the productions for which pass returns true.
func (g *Grammar) reach(pass func(Production) bool) []bool {
	seen := make([]bool, len(g.Names))
	seen[g.Start] = true
	queue := []Symbol{g.Start}
	for len(queue) > 0 {
		s := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range g.ByLeft(s) {
			if !pass(g.Productions[i]) {
				continue
			}
			for _, t := range g.Productions[i].Right {
				if !seen[t] {
					seen[t] = true
					queue = append(queue, t)
				}
			}
		}
	}
	return seen
}

// Useful returns, by symbol, whether it occurs in a derivation of some word: it
// is productive, and reachable through productions of productive symbols only.
func (g *Grammar) Useful() []bool {
	productive := g.Productive()
	if !productive[g.Start] {
		return make([]bool, len(g.Names))
	}
	useful := g.reach(func(p Production) bool { return all(p.Right, productive) })
	return useful
}

func all(list []Symbol, in []bool) bool {
	for _, s := range list {
		if !in[s] {
			return false
		}
	}
	return true
}

// Empty reports whether the grammar derives no word.
func (g *Grammar) Empty() bool { return !g.Productive()[g.Start] }

// Finite reports whether the language is finite: no useful nonterminal derives itself together
// with a non-empty context.
func (g *Grammar) Finite() bool {
	useful := g.Useful()
	grows := g.nonEmpty()
	component := g.components(useful)
	for _, p := range g.Productions {
		if !useful[p.Left] || !all(p.Right, useful) {
			continue
		}
		for i, s := range p.Right {
			if g.IsTerminal(s) || component[s] != component[p.Left] {
				continue
			}
			for j, t := range p.Right {
				if j != i && grows[t] {
					return false
				}
			}
		}
	}
	return true
}

// nonEmpty returns, by symbol, whether it derives a non-empty word, provided that it derives a
// word.
func (g *Grammar) nonEmpty() []bool {
	productive := g.Productive()
	in := make([]bool, len(g.Names))
	users := make([][]Symbol, len(g.Names))
	var queue []Symbol
	for i := range g.NumTerminals {
		in[i] = true
		queue = append(queue, Symbol(i))
	}
	for _, p := range g.Productions {
		if all(p.Right, productive) {
			for _, s := range p.Right {
				users[s] = append(users[s], p.Left)
			}
		}
	}
	for len(queue) > 0 {
		s := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, left := range users[s] {
			if !in[left] {
				in[left] = true
				queue = append(queue, left)
			}
		}
	}
	return in
}

// components returns the strongly connected component of each useful
// nonterminal, where an edge leads from a left side to each nonterminal of a
// right side.
func (g *Grammar) components(useful []bool) []int {
	edges := make([][]Symbol, len(g.Names))
	for _, p := range g.Productions {
		if !useful[p.Left] || !all(p.Right, useful) {
			continue
		}
		for _, s := range p.Right {
			if !g.IsTerminal(s) {
				edges[p.Left] = append(edges[p.Left], s)
			}
		}
	}
	return Components(len(g.Names), edges)
}

// Cyclic reports whether some nonterminal derives itself, A ⇒⁺ A, so that words
// may have infinitely many derivation trees.
func (g *Grammar) Cyclic() bool { return len(g.cycle()) > 0 }

// cycle returns nonterminals that each derive the next, and the last the first,
// or nil.
func (g *Grammar) cycle() []Symbol {
	nullable := g.Nullable()
	edges := make([][]Symbol, len(g.Names))
	for _, p := range g.Productions {
		rest := 0 // symbols that cannot vanish
		for _, s := range p.Right {
			if !nullable[s] {
				rest++
			}
		}
		for _, s := range p.Right {
			if !g.IsTerminal(s) && (rest == 0 || rest == 1 && !nullable[s]) {
				edges[p.Left] = append(edges[p.Left], s)
			}
		}
	}
	return firstCycle(edges)
}

// firstCycle returns the nodes of a cycle of a graph, or nil.
func firstCycle(edges [][]Symbol) []Symbol {
	component := Components(len(edges), edges)
	for from := range edges {
		for _, to := range edges[from] {
			if component[from] == component[to] {
				return closeCycle(Symbol(from), to, edges)
			}
		}
	}
	return nil
}

// closeCycle returns a shortest cycle that begins with the edge from → to.
func closeCycle(from, to Symbol, edges [][]Symbol) []Symbol {
	if from == to {
		return []Symbol{from}
	}
	before := map[Symbol]Symbol{to: from}
	queue := []Symbol{to}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, t := range edges[s] {
			if t == from {
				var path []Symbol
				for ; s != from; s = before[s] {
					path = append([]Symbol{s}, path...)
				}
				return append([]Symbol{from}, path...)
			}
			if _, seen := before[t]; !seen {
				before[t] = s
				queue = append(queue, t)
			}
		}
	}
	return nil
}

// Components numbers the strongly connected components of a graph of n nodes,
// given as the successors of each (Tarjan 1972). It uses an explicit stack instead of recursion,
// because a grammar may be a chain of any length.
func Components(n int, edges [][]Symbol) []int {
	const unseen = -1
	index, low, component := make([]int, n), make([]int, n), make([]int, n)
	for i := range index {
		index[i], component[i] = unseen, unseen
	}
	type frame struct{ node, edge int }
	var open []int
	var frames []frame
	count, components := 0, 0
	for root := range n {
		if index[root] != unseen {
			continue
		}
		frames = append(frames, frame{node: root})
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if f.edge == 0 {
				index[v], low[v] = count, count
				count++
				open = append(open, v)
			} else if w := int(edges[v][f.edge-1]); component[w] == unseen {
				low[v] = min(low[v], low[w])
			}
			descended := false
			for f.edge < len(edges[v]) {
				w := int(edges[v][f.edge])
				f.edge++
				if index[w] == unseen {
					frames = append(frames, frame{node: w})
					descended = true
					break
				}
				if component[w] == unseen {
					low[v] = min(low[v], index[w])
				}
			}
			if descended {
				continue
			}
			if low[v] == index[v] {
				for {
					w := open[len(open)-1]
					open = open[:len(open)-1]
					component[w] = components
					if w == v {
						break
					}
				}
				components++
			}
			frames = frames[:len(frames)-1]
		}
	}
	return component
}

// MinLength returns, by symbol, the length of the shortest word it derives, or
// -1 for none (Knuth 1977: the least symbol not yet settled is final).
func (g *Grammar) MinLength() []int {
	length := make([]int, len(g.Names))
	for i := range length {
		length[i] = -1
		if i < g.NumTerminals {
			length[i] = 1
		}
	}
	waits := make([]int, len(g.Productions))
	sums := make([]int, len(g.Productions))
	users := make([][]int32, len(g.Names))
	buckets := [][]Symbol{nil} // nonterminals with a word of that length
	offer := func(s Symbol, n int) {
		for len(buckets) <= n {
			buckets = append(buckets, nil)
		}
		buckets[n] = append(buckets[n], s)
	}
	for i, p := range g.Productions {
		for _, s := range p.Right {
			if g.IsTerminal(s) {
				sums[i]++
				continue
			}
			waits[i]++
			users[s] = append(users[s], int32(i))
		}
		if waits[i] == 0 {
			offer(p.Left, sums[i])
		}
	}
	for n := 0; n < len(buckets) && n <= MaxMinLength; n++ {
		for k := 0; k < len(buckets[n]); k++ { // a bucket may grow while it is read
			s := buckets[n][k]
			if length[s] >= 0 {
				continue
			}
			length[s] = n
			for _, i := range users[s] {
				sums[i] += n
				if waits[i]--; waits[i] == 0 && sums[i] <= MaxMinLength {
					offer(g.Productions[i].Left, sums[i])
				}
			}
		}
	}
	return length
}

// MaxMinLength is the largest length that MinLength returns. A grammar of n rules can force
// words of length 2ⁿ, which are useless; a symbol whose words are longer than the limit
// counts as having none.
const MaxMinLength = 1 << 20

// Heights returns, by symbol, the height of the lowest derivation tree of any of
// its words: 0 for a terminal, -1 for a symbol that derives none.
func (g *Grammar) Heights() []int {
	height := make([]int, len(g.Names))
	waits := make([]int, len(g.Productions))
	users := make([][]int32, len(g.Names))
	var queue []Symbol // in increasing order of height
	for i := range height {
		height[i] = -1
		if i < g.NumTerminals {
			height[i] = 0
		}
	}
	settle := func(s Symbol, h int) {
		if height[s] < 0 {
			height[s] = h
			queue = append(queue, s)
		}
	}
	for i, p := range g.Productions {
		for _, s := range p.Right {
			if !g.IsTerminal(s) {
				waits[i]++
				users[s] = append(users[s], int32(i))
			}
		}
		if waits[i] == 0 {
			settle(p.Left, 1)
		}
	}
	for k := 0; k < len(queue); k++ {
		for _, i := range users[queue[k]] {
			if waits[i]--; waits[i] == 0 {
				settle(g.Productions[i].Left, height[queue[k]]+1)
			}
		}
	}
	return height
}
