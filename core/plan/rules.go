package plan

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

// Property is a formula that every plan has to satisfy, read as a trace of one
// terminal a step, in the order of the word.
type Property struct {
	Name    string
	Formula *ltl.Formula
}

// rules are what a plan has to keep to besides the grammar: use limits, and
// properties as an automaton over the terminals. Without properties the automaton
// has one state, which accepts.
type rules struct {
	caps       []int64
	properties []Property
	automaton  *automaton.DFA   // of all properties; nil without
	single     []*automaton.DFA // of each, to say which one a move breaks
	hope       []bool           // by state: an accepting state can be reached
	product    *verify.Product  // of the grammar and the automaton; nil without
	needs      *grammar.Needs   // of the product, or of the grammar
	plain      *grammar.Needs   // of the grammar: as if there were no properties
}

func newRules(g *grammar.Grammar, limits grammar.Limits, properties []Property, m *meter.Meter) (*rules, error) {
	caps, err := g.Caps(limits)
	if err != nil {
		return nil, err
	}
	r := &rules{caps: caps, properties: properties}
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
		r.single = append(r.single, d)
	}
	if r.automaton, err = translate(g, all, m); err != nil {
		return nil, err
	}
	for _, distance := range r.automaton.Distances() {
		r.hope = append(r.hope, distance >= 0)
	}
	if r.product, err = verify.Intersect(g, verify.Deterministic(r.automaton), m); err != nil {
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

// states returns how many states the properties' automaton has.
func (r *rules) states() int {
	if r.automaton == nil {
		return 1
	}
	return r.automaton.NumStates()
}

func (r *rules) start() int {
	if r.automaton == nil {
		return 0
	}
	return r.automaton.Start()
}

// next returns where a terminal leads.
func (r *rules) next(state int, t grammar.Symbol) int {
	if r.automaton == nil {
		return 0
	}
	return r.automaton.Next(state, int(t))
}

func (r *rules) accepting(state int) bool {
	return r.automaton == nil || r.automaton.Accepting(state)
}

// hopeless reports whether no word from a state satisfies the properties.
func (r *rules) hopeless(state int) bool { return r.automaton != nil && !r.hope[state] }

// of returns the minimal needs of a symbol that leads from one state to another.
func (r *rules) of(from int, s grammar.Symbol, to int) grammar.Antichain {
	if r.automaton == nil {
		return r.plain.Of(s)
	}
	if t, ok := r.product.Triple(from, s, to); ok {
		return r.needs.Of(t)
	}
	return nil
}

// profile is what is needed to finish something from each state.
type profile []grammar.Antichain

// bottom is the profile of an empty stack.
func (r *rules) bottom() profile {
	out := make(profile, r.states())
	for state := range out {
		if r.accepting(state) {
			out[state] = r.needs.Nothing()
		}
	}
	return out
}

// before returns the profile of a symbol with something behind it.
func (r *rules) before(s grammar.Symbol, behind profile, m *meter.Meter) (profile, error) {
	out := make(profile, len(behind))
	for from := range out {
		for to := range behind {
			if len(behind[to]) == 0 {
				continue
			}
			need := r.of(from, s, to)
			if len(need) == 0 {
				continue
			}
			sum, err := r.needs.Add(need, behind[to], m)
			if err != nil {
				return nil, err
			}
			if len(behind) == 1 {
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

// possible reports at once that no plan exists, and why.
func (r *rules) possible(g *grammar.Grammar, m *meter.Meter) error {
	none := func(why string) error { return source.NewError("plan.none", "no plan exists: "+why) }
	if !g.Useful()[g.Start] {
		return none(fmt.Sprintf("the start symbol %q derives no word", g.Names[g.Start]))
	}
	budget := r.plain.Budget(r.caps)
	if !r.plain.Fits(r.plain.Of(g.Start), budget) {
		return none("every word of the grammar breaks the use limits")
	}
	if r.automaton == nil {
		return nil
	}
	whole, err := r.before(g.Start, r.bottom(), m)
	if err != nil || r.needs.Fits(whole[r.start()], r.needs.Budget(r.caps)) {
		return err
	}
	for i, d := range r.single {
		_, found, err := verify.Shortest(g, d, m)
		if err != nil {
			return err
		}
		if !found {
			return none(fmt.Sprintf("no word of the grammar satisfies the property %s", r.properties[i].Name))
		}
	}
	if _, found, err := verify.Shortest(g, r.automaton, m); err != nil {
		return err
	} else if !found {
		return none("no word of the grammar satisfies the properties " + r.names() + " together")
	}
	return none("no word that satisfies the properties " + r.names() + " keeps to the use limits")
}

func (r *rules) names() string {
	names := make([]string, len(r.properties))
	for i, p := range r.properties {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// broken returns the first property that a word and one more terminal have broken
// for good, or "".
func (r *rules) broken(word []grammar.Symbol, t grammar.Symbol) string {
	for i, d := range r.single {
		state := d.Start()
		for _, s := range word {
			state = d.Next(state, int(s))
		}
		if d.Distances()[d.Next(state, int(t))] < 0 {
			return r.properties[i].Name
		}
	}
	return ""
}

// satisfied reports whether a whole word keeps to limits and properties.
func (r *rules) satisfied(word []grammar.Symbol) bool {
	state := r.start()
	used := make([]int64, len(r.caps))
	for _, t := range word {
		if used[t]++; r.caps[t] >= 0 && used[t] > r.caps[t] {
			return false
		}
		state = r.next(state, t)
	}
	return r.accepting(state)
}
