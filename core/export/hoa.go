package export

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// HOA writes an automaton over valuations in the Hanoi omega-automata format, v1
// (Babiak et al., CAV 2015): names are the propositions by variable. A word is accepted if
// it ends in a state of the acceptance set, which is written as a Büchi condition because
// the format has no finite words.
//
// For exclusive variables a label names only the variable that holds. HOA returns false if
// there are too many guards.
func HOA(name string, s *automaton.Symbolic, names []string) (string, bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "HOA: v1\nname: %s\nStates: %d\nStart: %d\nAP: %d", quoteC(name), s.NumStates(), s.Start(), len(names))
	for _, n := range names {
		b.WriteString(" " + quoteC(n))
	}
	b.WriteString("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc deterministic complete\n--BODY--\n")
	m := meter.New(meter.Budget{Steps: guardSteps})
	for q := range s.NumStates() {
		fmt.Fprintf(&b, "State: %d", q)
		if s.Accepting(q) {
			b.WriteString(" {0}")
		}
		b.WriteByte('\n')
		transitions, ok := s.Transitions(q, m)
		if !ok {
			return "", false
		}
		for _, t := range transitions {
			fmt.Fprintf(&b, "[%s] %d\n", hoaGuard(t.Guard), t.To)
		}
	}
	b.WriteString("--END--\n")
	return b.String(), true
}

func hoaGuard(cubes []automaton.Cube) string {
	var or []string
	for _, cube := range cubes {
		var and []string
		for _, l := range cube {
			text := strconv.Itoa(l.Variable)
			if l.Negated {
				text = "!" + text
			}
			and = append(and, text)
		}
		if len(and) == 0 {
			and = []string{"t"}
		}
		or = append(or, strings.Join(and, "&"))
	}
	return strings.Join(or, " | ")
}

// MaxHOAStates limits the states of an imported automaton.
const MaxHOAStates = 100_000

// ReadHOA parses a deterministic automaton in the Hanoi omega-automata format, v1, with
// one start, labels on transitions or states, and acceptance by states: Inf(0) of one set,
// t (all states accept) or f (none accepts). A letter without a transition leads to a
// rejecting state. It also returns the propositions by variable. The automaton is nil if
// there are errors.
func ReadHOA(file *source.File, m *meter.Meter) (*automaton.Symbolic, []string, []source.Diagnostic) {
	if found := file.Check(); len(found) > 0 {
		return nil, nil, found
	}
	p := &hoaReader{text: file.Text, m: m, states: -1, start: -1, sets: 1}
	p.next()
	s := p.read()
	if len(p.found) > 0 {
		return nil, nil, p.found
	}
	return s, p.names, nil
}

type hoaReader struct {
	text  string
	m     *meter.Meter
	at    int
	start int
	token string // a header with its colon, a text with its quotes, or a sign
	place int

	states  int
	sets    int // of acceptance
	accepts int // acceptsSet and so on
	names   []string
	alias   map[string]automaton.Diagram
	store   *automaton.Diagrams
	and     *automaton.Combiner
	or      *automaton.Combiner
	not     *automaton.Combiner
	depth   int
	found   []source.Diagnostic
}

func (p *hoaReader) fail(code, message string) {
	if len(p.found) == 0 {
		p.found = []source.Diagnostic{{Code: code, Message: message, Span: source.Span{Start: source.Pos(p.place), End: source.Pos(p.at)}}}
	}
}

func (p *hoaReader) next() {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		if strings.HasPrefix(rest, "/*") {
			end := strings.Index(rest, "*/")
			if end < 0 {
				p.at = len(p.text)
				break
			}
			p.at += end + 2
			continue
		}
		if strings.IndexByte(" \t\r\n", rest[0]) < 0 {
			break
		}
		p.at++
	}
	p.place = p.at
	p.token = ""
	if p.at == len(p.text) {
		return
	}
	rest := p.text[p.at:]
	end := 1
	word := func(c byte) bool {
		return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	switch c := rest[0]; {
	case c == '"':
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(rest))
	case c == '@' || word(c):
		for end < len(rest) && word(rest[end]) {
			end++
		}
		if end < len(rest) && rest[end] == ':' {
			end++
		}
	}
	p.token = rest[:end]
	p.at += end
}

func (p *hoaReader) number(most int) int {
	n, err := strconv.Atoi(p.token)
	if err != nil || n < 0 || n > most {
		p.fail("hoa.number", fmt.Sprintf("expected a number up to %d, not %q", most, p.token))
		return 0
	}
	p.next()
	return n
}

func (p *hoaReader) read() *automaton.Symbolic {
	p.header()
	if len(p.found) > 0 {
		return nil
	}
	return p.body()
}

// header reads the header, up to the body.
func (p *hoaReader) header() {
	if p.token != "HOA:" {
		p.fail("hoa.header", `expected "HOA: v1" at the beginning`)
		return
	}
	p.next()
	if p.token != "v1" {
		p.fail("hoa.header", "unsupported version; expected v1")
		return
	}
	p.next()
	starts := 0
	for p.token != "--BODY--" && len(p.found) == 0 {
		switch header := p.token; header {
		case "":
			p.fail("hoa.body", `missing "--BODY--"`)
		case "States:":
			p.next()
			p.states = p.number(MaxHOAStates)
		case "Start:":
			p.next()
			p.start = p.number(MaxHOAStates)
			if starts++; starts > 1 || p.token == "&" {
				p.fail("hoa.start", "expected an automaton with one start")
			}
		case "AP:":
			p.propositions()
		case "Acceptance:":
			p.acceptance()
		case "Alias:":
			p.next()
			name := p.token
			p.next()
			p.prepare()
			d := p.label()
			p.alias[name] = d
		default:
			if !strings.HasSuffix(header, ":") {
				p.fail("hoa.header", fmt.Sprintf("expected a header, not %q", header))
				return
			}
			p.next()
			for p.token != "" && p.token != "--BODY--" && (!strings.HasSuffix(p.token, ":") || p.token[0] == '"') {
				p.next()
			}
		}
	}
	if p.start < 0 {
		p.fail("hoa.start", "expected an automaton with one start")
	}
}

func (p *hoaReader) propositions() {
	if p.names != nil || p.store != nil { // the number of variables of a diagram is fixed
		p.fail("hoa.ap", "expected one list of propositions, before the aliases")
		return
	}
	p.next()
	n := p.number(10_000)
	for range n {
		if p.token == "" || p.token[0] != '"' || len(p.token) < 2 {
			p.fail("hoa.ap", "expected a quoted proposition")
			return
		}
		name := p.token[1 : len(p.token)-1]
		p.names = append(p.names, replaced(name, `\"`, `"`, `\\`, `\`))
		p.next()
	}
}

// acceptance reads the number of sets and the condition: "1 Inf(0)", or any number with "t" or "f".
func (p *hoaReader) acceptance() {
	p.next()
	start, end := p.place, p.at
	p.sets = p.number(1_000)
	condition := ""
	for p.token != "" && p.token != "--BODY--" && !strings.HasSuffix(p.token, ":") {
		condition += p.token
		end = p.at
		p.next()
	}
	switch {
	case condition == "t":
		p.accepts = acceptsAll
	case condition == "f":
		p.accepts = acceptsNone
	case condition != "Inf(0)" || p.sets != 1:
		p.place, p.at = start, end
		p.fail("hoa.acceptance", "expected the acceptance t, f, or Inf(0) of one set")
	}
}

// The accepting states of an acceptance condition.
const (
	acceptsSet = iota // the states of set 0
	acceptsAll
	acceptsNone
)

// prepare creates the store of diagrams after the propositions.
func (p *hoaReader) prepare() {
	if p.store != nil {
		return
	}
	p.alias = map[string]automaton.Diagram{}
	p.store = automaton.NewDiagrams(automaton.Letters{Variables: len(p.names)}, p.m)
	combine := func(f func(a, b int) int) *automaton.Combiner {
		return automaton.NewCombiner(p.store, p.store, p.store, f)
	}
	p.and = combine(func(a, b int) int { return a & b })
	p.or = combine(func(a, b int) int { return a | b })
	p.not = combine(func(a, b int) int { return b &^ a })
}

// label parses a condition: numbers of propositions, t, f, aliases, ! & | and parentheses.
func (p *hoaReader) label() automaton.Diagram {
	d := p.conjunction()
	for p.token == "|" {
		p.next()
		d = p.or.Apply(d, p.conjunction())
	}
	return d
}

func (p *hoaReader) conjunction() automaton.Diagram {
	d := p.literal()
	for p.token == "&" {
		p.next()
		d = p.and.Apply(d, p.literal())
	}
	return d
}

func (p *hoaReader) literal() automaton.Diagram {
	if p.depth++; p.depth > maxReadDepth {
		p.fail("hoa.depth", "nested too deeply")
	}
	defer func() { p.depth-- }()
	if len(p.found) > 0 {
		return automaton.Leaf(0)
	}
	switch token := p.token; {
	case token == "!":
		p.next()
		return p.not.Apply(p.literal(), automaton.Leaf(1))
	case token == "t":
		p.next()
		return automaton.Leaf(1)
	case token == "f":
		p.next()
		return automaton.Leaf(0)
	case token == "(":
		p.next()
		d := p.label()
		p.sign(")")
		return d
	case strings.HasPrefix(token, "@"):
		d, ok := p.alias[token]
		if !ok {
			p.fail("hoa.alias", fmt.Sprintf("unknown alias %s", token))
			return automaton.Leaf(0)
		}
		p.next()
		return d
	}
	v := p.number(len(p.names) - 1)
	if len(p.found) > 0 {
		return automaton.Leaf(0)
	}
	return p.store.Holds(v, 1, 0)
}

func (p *hoaReader) sign(sign string) {
	if p.token != sign {
		p.fail("hoa.sign", fmt.Sprintf("expected %q, not %q", sign, p.token))
		return
	}
	p.next()
}

type hoaState struct {
	edges  automaton.Diagram // 0 for no edge, else the number of the target and 1
	accept bool
}

func (p *hoaReader) body() *automaton.Symbolic {
	p.prepare()
	p.next()
	states := map[int]hoaState{}
	most := MaxHOAStates
	if p.states >= 0 {
		most = p.states - 1
	}
	highest := p.start
	for p.token == "State:" && len(p.found) == 0 {
		p.next()
		of := automaton.Leaf(1)
		labelled := false
		if p.token == "[" {
			p.next()
			of, labelled = p.label(), true
			p.sign("]")
		}
		q := p.number(most)
		if _, twice := states[q]; twice {
			p.fail("hoa.state", fmt.Sprintf("duplicate state %d", q))
		}
		state := hoaState{edges: automaton.Leaf(0)}
		if strings.HasPrefix(p.token, `"`) {
			p.next()
		}
		if p.token == "{" {
			state.accept = p.set()
		}
		var target int
		if state.edges, target = p.edges(q, most, of, labelled); len(p.found) == 0 {
			highest = max(highest, q, target)
		}
		states[q] = state
	}
	if p.token != "--END--" {
		p.fail("hoa.end", `expected "--END--" or a state`)
	}
	if len(p.found) > 0 {
		return nil
	}
	return p.renumbered(states, highest)
}

// edges reads the edges of a state, with targets from 0 to most. If labelled is true, every edge
// has the state's label, of. It also returns the highest target.
func (p *hoaReader) edges(state, most int, of automaton.Diagram, labelled bool) (edges automaton.Diagram, highest int) {
	edges = automaton.Leaf(0)
	for p.token != "State:" && p.token != "--END--" && len(p.found) == 0 {
		guard := of
		switch {
		case p.token == "[" && !labelled:
			p.next()
			guard = p.label()
			p.sign("]")
		case !labelled:
			p.fail("hoa.label", "expected a label in brackets; implicit labels are not supported")
			return edges, highest
		}
		to := p.number(most)
		highest = max(highest, to)
		if p.token == "{" {
			p.fail("hoa.acceptance", "expected acceptance by states, not by transitions")
		}
		clash := false
		edges = automaton.NewCombiner(p.store, p.store, p.store, func(meets, before int) int {
			switch {
			case meets == 0:
				return before
			case before != 0 && before != to+1:
				clash = true
			}
			return to + 1
		}).Apply(guard, edges)
		if clash {
			p.fail("hoa.deterministic", fmt.Sprintf("not deterministic: two edges of state %d match the same letter", state))
		}
	}
	return edges, highest
}

// renumbered returns the automaton with the start as state 0 and the dead state last.
func (p *hoaReader) renumbered(states map[int]hoaState, highest int) *automaton.Symbolic {
	dead := highest + 1
	place := func(q int) int {
		switch q {
		case p.start:
			return 0
		case 0:
			return p.start
		}
		return q
	}
	next, accept := make([]automaton.Diagram, dead+1), make([]bool, dead+1)
	renumber := automaton.NewCombiner(p.store, p.store, p.store, func(a, _ int) int {
		if a == 0 {
			return dead
		}
		return place(a - 1)
	})
	for q := range next {
		next[q] = automaton.Leaf(dead)
	}
	for q := range dead {
		accept[q] = p.accepts == acceptsAll
	}
	for q, state := range states {
		next[place(q)] = renumber.Apply(state.edges, automaton.Leaf(0))
		if p.accepts == acceptsSet {
			accept[place(q)] = state.accept
		}
	}
	s, err := automaton.NewSymbolic(p.store, next, accept)
	if err != nil {
		p.fail("limit.states", "the labels are too complex: "+err.Error())
		return nil
	}
	return s
}

// set reads the numbers of a state's acceptance sets, and reports whether 0 is among them.
func (p *hoaReader) set() bool {
	p.next()
	has := false
	for p.token != "}" && len(p.found) == 0 {
		has = p.number(p.sets-1) == 0 || has
	}
	p.next()
	return has
}
