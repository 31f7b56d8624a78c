package space

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

// Property is a formula that every plan must satisfy. Its trace has one terminal per
// position, in the order of the word.
type Property struct {
	Name    string
	Formula *ltl.Formula
}

// Rules are the use limits and properties of plans, the properties as an automaton over the
// terminals. Without properties the automaton has one accepting state.
type Rules struct {
	Caps       []int64
	Properties []Property
	Automaton  *automaton.DFA   // of all properties; nil if there are none
	Each       []*automaton.DFA // of each property, to name the one that a move breaks
	hope       []bool           // by state: an accepting state can be reached
	product    *verify.Product  // of the grammar and the automaton; nil without properties
	needs      *grammar.Needs   // of the product, or of the grammar
	plain      *grammar.Needs   // of the grammar, without properties
}

func NewRules(g *grammar.Grammar, limits grammar.Limits, properties []Property, m *meter.Meter) (*Rules, error) {
	caps, err := g.Caps(limits)
	if err != nil {
		return nil, err
	}
	r := &Rules{Caps: caps, Properties: properties}
	if r.plain, err = grammar.ComputeNeeds(g, caps, m); err != nil {
		return nil, err
	}
	r.needs = r.plain
	if len(properties) == 0 || g.NumTerminals == 0 {
		return r, nil
	}
	all := properties[0].Formula
	for i, p := range properties {
		if i > 0 {
			all = ltl.New(ltl.And, all, p.Formula)
		}
		d, err := translate(g, p.Formula, m)
		if err != nil {
			return nil, fmt.Errorf("property %s: %w", p.Name, err)
		}
		r.Each = append(r.Each, d)
	}
	if r.Automaton, err = translate(g, all, m); err != nil {
		return nil, err
	}
	for _, distance := range r.Automaton.Distances() {
		r.hope = append(r.hope, distance >= 0)
	}
	if r.product, err = verify.Intersect(g, verify.Deterministic(r.Automaton), m); err != nil {
		return nil, err
	}
	productCaps := make([]int64, r.product.Grammar.NumTerminals)
	copy(productCaps, caps)
	r.needs, err = grammar.ComputeNeeds(r.product.Grammar, productCaps, m)
	return r, err
}

// translate returns the automaton of a formula over a grammar's terminals.
func translate(g *grammar.Grammar, f *ltl.Formula, m *meter.Meter) (*automaton.DFA, error) {
	alphabet, err := ltl.NewAlphabet(g.Names[:g.NumTerminals], ltl.OneHot)
	if err != nil {
		return nil, err
	}
	d, err := ltl.Translate(f, alphabet, m)
	if err != nil {
		return nil, err
	}
	return d.Explicit()
}

// states returns the number of states of the properties' automaton.
func (r *Rules) states() int {
	if r.Automaton == nil {
		return 1
	}
	return r.Automaton.NumStates()
}

func (r *Rules) start() int {
	if r.Automaton == nil {
		return 0
	}
	return r.Automaton.Start()
}

// next returns the state after the automaton reads a terminal in a state.
func (r *Rules) next(state int, t grammar.Symbol) int {
	if r.Automaton == nil {
		return 0
	}
	return r.Automaton.Next(state, int(t))
}

func (r *Rules) accepting(state int) bool {
	return r.Automaton == nil || r.Automaton.Accepting(state)
}

// Hopeless reports whether no word from a state satisfies the properties.
func (r *Rules) Hopeless(state int) bool { return r.Automaton != nil && !r.hope[state] }

// of returns the minimal needs of the words of a symbol that take the automaton from one state to
// another.
func (r *Rules) of(from int, s grammar.Symbol, to int) grammar.Antichain {
	if r.Automaton == nil {
		return r.plain.Of(s)
	}
	if t, ok := r.product.Triple(from, s, to); ok {
		return r.needs.Of(t)
	}
	return nil
}

// profile is, for each state, the minimal needs for completing a plan.
type profile []grammar.Antichain

// bottom is the profile of an empty stack.
func (r *Rules) bottom() profile {
	out := make(profile, r.states())
	for state := range out {
		if r.accepting(state) {
			out[state] = r.needs.Nothing()
		}
	}
	return out
}

// before returns the profile of a symbol followed by symbols with the given profile.
func (r *Rules) before(s grammar.Symbol, following profile, m *meter.Meter) (profile, error) {
	out := make(profile, len(following))
	for from := range out {
		for to := range following {
			if len(following[to]) == 0 {
				continue
			}
			need := r.of(from, s, to)
			if len(need) == 0 {
				continue
			}
			sum, err := r.needs.Add(need, following[to], m)
			if err != nil {
				return nil, err
			}
			if len(following) == 1 {
				out[from] = sum
				continue
			}
			if out[from], _, err = r.needs.Merge(out[from], sum, m); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// possible returns an error with the reason if no plan exists.
func (r *Rules) possible(g *grammar.Grammar, m *meter.Meter) error {
	none := func(why string) error { return source.NewError("plan.none", "no plan exists: "+why) }
	if !g.Useful()[g.Start] {
		return none(fmt.Sprintf("the start symbol %q derives no word", g.Names[g.Start]))
	}
	budget := r.plain.Budget(r.Caps)
	if !r.plain.Fits(r.plain.Of(g.Start), budget) {
		return none("every word of the grammar breaks the use limits")
	}
	if r.Automaton == nil {
		return nil
	}
	whole, err := r.before(g.Start, r.bottom(), m)
	if err != nil || r.needs.Fits(whole[r.start()], r.needs.Budget(r.Caps)) {
		return err
	}
	for i, d := range r.Each {
		_, found, err := verify.Shortest(g, d, m)
		if err != nil {
			return err
		}
		if !found {
			return none(fmt.Sprintf("no word of the grammar satisfies the property %s", r.Properties[i].Name))
		}
	}
	if _, found, err := verify.Shortest(g, r.Automaton, m); err != nil {
		return err
	} else if !found {
		return none("no word of the grammar satisfies the properties " + r.names() + " together")
	}
	return none("no word satisfies the properties " + r.names() + " within the use limits")
}

func (r *Rules) names() string {
	names := make([]string, len(r.Properties))
	for i, p := range r.Properties {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// broken returns the first property that no continuation of the word and the terminal
// satisfies, or "".
func (r *Rules) broken(word []grammar.Symbol, t grammar.Symbol) string {
	for i, d := range r.Each {
		state := d.Start()
		for _, s := range word {
			state = d.Next(state, int(s))
		}
		if d.Distances()[d.Next(state, int(t))] < 0 {
			return r.Properties[i].Name
		}
	}
	return ""
}

// Satisfied reports whether a complete word satisfies limits and properties.
func (r *Rules) Satisfied(word []grammar.Symbol) bool {
	state := r.start()
	used := make([]int64, len(r.Caps))
	for _, t := range word {
		if used[t]++; r.Caps[t] >= 0 && used[t] > r.Caps[t] {
			return false
		}
		state = r.next(state, t)
	}
	return r.accepting(state)
}
