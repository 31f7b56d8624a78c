package prove

import (
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/rules"
)

// Words restrict sessions to those whose calls, in their order, begin a word of a spec. When a session
// ends, its calls are a complete word. Events that are no calls are not restricted.
type Words struct {
	Name    string   // of the spec
	Letters []string // the tools
	// Automaton accepts the words, as indices of Letters. If it is nil, Grammar derives them, with
	// Letters as its terminals.
	Automaton *automaton.DFA
	Grammar   *grammar.Grammar
	// Read reports whether calls begin a word and whether they are one. It confirms sessions, and
	// does not depend on the encoding.
	Read func(calls []string) (begins, complete bool)

	distances []int
}

// letters returns the tools of the words.
func (q Query) letters() []string {
	if q.Words == nil {
		return nil
	}
	return q.Words.Letters
}

// live reports whether a word ends in a state or in one that follows it.
func (w *Words) live(state int) bool {
	if w.distances == nil {
		w.distances = w.Automaton.Distances()
	}
	return w.distances[state] >= 0
}

// step returns the state of the automaton after an event, or false if no word has the event here.
func (w *Words) step(state int, event shape) (int, bool) {
	switch {
	case w == nil:
		return 0, true
	case event.kind == "call":
		letter := slices.Index(w.Letters, event.name)
		if letter < 0 {
			return 0, false
		}
		state = w.Automaton.Next(state, letter)
	case event.kind == "end":
		return state, w.Automaton.Accepting(state)
	}
	return state, w.live(state)
}

// permit reports whether the calls of a run are those of a session of the words.
func (w *Words) permit(run []rules.RawEvent) bool {
	if w == nil {
		return true
	}
	var calls []string
	over := false
	for _, e := range run {
		switch {
		case e.Kind == nil || *e.Kind == "call":
			calls = append(calls, e.Name)
		case *e.Kind == "end":
			over = true
		}
	}
	begins, complete := w.Read(calls)
	return begins && (complete || !over)
}

// words restricts the calls of the session to the words.
func (e *encoder) words() {
	w := e.query.Words
	if w == nil {
		return
	}
	var begins, complete string
	if w.Automaton != nil {
		begins, complete = e.read(w)
	} else {
		begins, complete = e.derive(w.Grammar)
	}
	e.assert(begins)
	e.assert(e.or(not(e.shape(e.events-1, "end", "")), complete))
}

// read returns the terms that the calls begin a word and that they are one, by the states that the
// automaton can have after each event.
func (e *encoder) read(w *Words) (begins, complete string) {
	now := make([]string, w.Automaton.NumStates())
	for q := range now {
		now[q] = boolean(q == w.Automaton.Start() && w.live(q))
	}
	for i := range e.events {
		silent := not(e.called(i))
		ways := make([][]string, len(now)) // by state: how the event leads to it
		for q, here := range now {
			if here == no {
				continue
			}
			letters := map[int][]string{}
			var next []int
			for n, name := range w.Letters {
				to := w.Automaton.Next(q, n)
				if !w.live(to) {
					continue
				}
				if letters[to] == nil {
					next = append(next, to)
				}
				letters[to] = append(letters[to], e.shape(i, "call", name))
			}
			for _, to := range next {
				ways[to] = append(ways[to], e.and(here, e.or(letters[to]...)))
			}
			ways[q] = append(ways[q], e.and(here, silent))
		}
		for q := range now {
			now[q] = e.or(ways[q]...)
		}
	}
	var ends []string
	for q, here := range now {
		if w.Automaton.Accepting(q) {
			ends = append(ends, here)
		}
	}
	return e.or(now...), e.or(ends...)
}

// called returns the term that event i is a call.
func (e *encoder) called(i int) string {
	var list []string
	for n, s := range e.shapes {
		if s.kind == "call" {
			list = append(list, name("e", i, n))
		}
	}
	return e.or(list...)
}
