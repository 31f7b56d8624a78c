package strips

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/source"
)

// derive replaces the derived atoms of a world by the alternating fixpoint (Van Gelder 1989):
// the least model for fixed negations, which then replaces these negations, in turn from below
// and from above. It needs no strata, and ends for axioms that have some.
func (b *brute) derive(w world) {
	if len(b.axioms) == 0 {
		return
	}
	for f := range w.facts {
		for _, a := range b.axioms {
			if strings.HasPrefix(strings.TrimSuffix(f, ")")+" ", "("+low(a.Items[1].Items[0])+" ") {
				delete(w.facts, f)
			}
		}
	}
	key := w.key(nil)
	if known, ok := b.models[key]; ok {
		maps.Copy(w.facts, known)
		return
	}
	// model returns the derived atoms for fixed negations.
	model := func(negations map[string]bool) map[string]bool {
		x := world{facts: maps.Clone(w.facts), numbers: w.numbers, derived: negations}
		out := map[string]bool{}
		for before := -1; before < len(out); {
			before = len(out)
			for _, a := range b.axioms {
				b.bind(pairs(a.Items[1].Items[1:]), map[string]string{}, func(env map[string]string) {
					words := []string{low(a.Items[1].Items[0])}
					for _, v := range pairs(a.Items[1].Items[1:]) {
						words = append(words, env[v[0]])
					}
					if head := "(" + strings.Join(words, " ") + ")"; !out[head] && b.truth(x, a.Items[2], env, true) {
						out[head], x.facts[head] = true, true
					}
				})
			}
		}
		return out
	}
	last := map[string]bool{}
	for range 100 {
		next := model(last)
		if maps.Equal(next, last) {
			b.models[key] = next
			maps.Copy(w.facts, next)
			return
		}
		last = next
	}
	panic("the axioms have no strata")
}

// derived are the predicates of the generator in the order of their strata, with their numbers of
// parameters. The third is recursive.
var derivedPredicates = []struct {
	name       string
	parameters int
}{{"d0", 1}, {"d1", 0}, {"d2", 2}, {"d3", 1}}

// axiomsText writes the axioms of the derived predicates: those of a stratum contain those of lower ones
// anywhere, and of their own only without negation.
func (g *generator) axiomsText() string {
	var b strings.Builder
	for level, p := range derivedPredicates {
		g.derived = level
		for range 1 + g.IntN(2) {
			g.scope = nil
			head := "(" + p.name
			for i := range p.parameters {
				v := [2]string{fmt.Sprintf("?y%d", i), generatedTypes[g.IntN(len(generatedTypes))]}
				g.scope = append(g.scope, v)
				head += " " + v[0] + " - " + v[1]
			}
			body := g.condition(2)
			if g.IntN(2) == 0 {
				body = "(or " + body + " " + g.with(func(list string) string {
					own := g.derivedAtom(level)
					return "(exists " + list + " (and " + own + " " + g.condition(1) + " " + g.derivedAtom(level) + "))"
				}) + ")"
			}
			fmt.Fprintf(&b, " (:derived %s) %s)\n", head, body)
		}
	}
	if g.IntN(2) == 0 { // transitive
		b.WriteString(" (:derived (d2 ?y ?z) (or (r ?y ?z) (exists (?w) (and (r ?y ?w) (d2 ?w ?z)))))\n")
	}
	g.derived = len(derivedPredicates)
	return b.String()
}

func (g *generator) derivedAtom(n int) string {
	out := "(" + derivedPredicates[n].name
	for range derivedPredicates[n].parameters {
		out += " " + g.term()
	}
	return out + ")"
}

func generatedWithAxioms(t testing.TB, seed uint64) string {
	return generatedBy(t, &generator{Rand: rand.New(rand.NewPCG(seed, 21)), axioms: true}, seed%4 != 0)
}

// TestRandomAxiomsHaveOptimalPlans compares all searches of domains with derived predicates with
// the oracle.
func TestRandomAxiomsHaveOptimalPlans(t *testing.T) {
	solved, none, full, steps, changing := 0, 0, 0, 0, 0
	for seed := range uint64(effort.Sample(20_000, 400)) {
		text := generatedWithAxioms(t, seed)
		want, compared := compareWithBrute(t, text, 300)
		switch {
		case !compared:
			full++
			continue
		case want.solved:
			solved++
			steps = max(steps, want.steps)
		default:
			none++
		}
		spec, _ := Parse(source.NewFile("p.pddl", text))
		if task, _ := Ground(spec.Domain, spec.Problem, nil); len(task.rules) > 0 {
			changing++
		}
	}
	t.Logf("%d with a plan of up to %d steps, %d without, %d too large, %d whose derived facts change", solved, steps, none, full, changing)
	if !effort.Few() && (solved < 200 || none < 40 || changing < 300) {
		t.Errorf("only %d with a plan, %d without, %d whose derived facts change", solved, none, changing)
	}
}

func TestRandomAxiomsPrintTheSame(t *testing.T) {
	for seed := range uint64(effort.Sample(5_000, 300)) {
		text := generatedWithAxioms(t, seed)
		spec, _ := Parse(source.NewFile("p.pddl", text))
		printed := spec.Domain.String() + spec.Problem.String()
		again, found := Parse(source.NewFile("p.pddl", printed))
		if got := again.Domain.String() + again.Problem.String(); source.HasErrors(found) || got != printed || len(again.Domain.Axioms) != len(spec.Domain.Axioms) {
			t.Fatalf("%s\nprinted:\n%s\nprinted again:\n%s\n%v", text, printed, got, found)
		}
	}
}

// tower has a derived predicate that changes, one that contains its negation, and one that is constant.
const tower = `(define (domain tower)
  (:requirements :typing :negative-preconditions :existential-preconditions :disjunctive-preconditions :derived-predicates)
  (:types block place)
  (:predicates (on ?x ?y - block) (above ?x ?y - block) (lone ?x - block)
    (way ?p ?q - place) (leads ?p ?q - place) (at ?p - place))
  (:derived (lone ?x - block) (not (exists (?y - block) (or (above ?x ?y) (above ?y ?x)))))
  (:derived (above ?x ?y - block) (or (on ?x ?y) (exists (?z - block) (and (on ?x ?z) (above ?z ?y)))))
  (:derived (leads ?p ?q - place) (or (way ?p ?q) (exists (?r - place) (and (leads ?p ?r) (leads ?r ?q)))))
  (:action put
    :parameters (?x ?y - block)
    :precondition (lone ?x)
    :effect (on ?x ?y))
  (:action take
    :parameters (?x ?y - block)
    :precondition (on ?x ?y)
    :effect (not (on ?x ?y)))
  (:action walk
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (leads ?p ?q))
    :effect (and (at ?q) (not (at ?p)))))

(define (problem three)
  (:domain tower)
  (:objects a b c - block p q r s - place)
  (:init (on a b) (way p q) (way q r) (at p))
  (:goal (and (above c b) (at r))))
`

func TestDerivedFactsFollowEachStep(t *testing.T) {
	spec := parsed(t, tower)
	states, _ := Validate(spec.Domain, spec.Problem, Plan{{"put", []string{"c", "a"}}, {"take", []string{"a", "b"}}})
	for i, want := range []struct{ facts, gains, loses string }{
		{"(above a b) (at p) (leads p q) (leads p r) (leads q r) (lone c) (on a b) (way p q) (way q r)", "", ""},
		{"(above a b) (above c a) (above c b) (at p) (leads p q) (leads p r) (leads q r) (on a b) (on c a) (way p q) (way q r)", "(above c a) (above c b) (on c a)", "(lone c)"},
		{"(above c a) (at p) (leads p q) (leads p r) (leads q r) (lone b) (on c a) (way p q) (way q r)", "(lone b)", "(above a b) (above c b) (on a b)"},
	} {
		s := states[i]
		if facts, gains, loses := strings.Join(s.Facts, " "), strings.Join(s.Gains, " "), strings.Join(s.Loses, " "); facts != want.facts || gains != want.gains || loses != want.loses {
			t.Errorf("after %d steps: %s\ngains %s\nloses %s", i, facts, gains, loses)
		}
	}
	for _, c := range []struct {
		plan    Plan
		message string
	}{
		{Plan{{"put", []string{"a", "c"}}}, "step 1, (put a c): (lone a) does not hold since the initial state"},
		{Plan{{"put", []string{"c", "a"}}, {"put", []string{"c", "b"}}}, "step 2, (put c b): (lone c) does not hold since step 1"},
		{Plan{{"walk", []string{"p", "r"}}}, "unreached goal: (above c b) does not hold since the initial state"},
		{Plan{{"walk", []string{"r", "p"}}}, "step 1, (walk r p): (at r) does not hold since the initial state"},
		{Plan{{"walk", []string{"p", "s"}}}, "step 1, (walk p s): (leads p s) does not hold since the initial state"},
	} {
		if _, fault := Validate(spec.Domain, spec.Problem, c.plan); fault == nil || fault.Message != c.message {
			t.Errorf("%s: %+v", c.plan, fault)
		}
	}
}

func TestConstantAxiomsPruneOperators(t *testing.T) {
	task := grounded(t, tower)
	var walks, facts []string
	for _, o := range task.Operators {
		if o.Action == "walk" {
			walks = append(walks, o.String())
		}
	}
	for _, f := range task.Facts {
		facts = append(facts, f.Predicate)
	}
	if got := strings.Join(walks, " "); got != "(walk p q) (walk p r) (walk q r)" {
		t.Errorf("the walks are %s", got)
	}
	if got := strings.Join(facts, " "); strings.Contains(got, "leads") || !strings.HasPrefix(got, "on on") || !strings.HasSuffix(got, "lone lone lone") {
		t.Errorf("the facts are %s", got)
	}
}

// TestFormulasContainDerivedFacts restricts a search by formulas of derived facts.
func TestFormulasContainDerivedFacts(t *testing.T) {
	for formula, want := range map[string]int{`F "above c b"`: 2, `G !"above c a"`: 2, `F "lone b"`: 3, `F("lone a" & "lone b" & "lone c")`: 3, `G "leads p r"`: 2} {
		task := grounded(t, tower)
		e := encoded(t, task)
		f := formulaOf(t, formula)
		if err := e.Restrict(f, nil); err != nil {
			t.Fatal(err)
		}
		found, err := e.Cheapest(0, SearchSteps, nil)
		if err != nil || len(found.Plan) != want {
			t.Errorf("%s: %v, %+v", formula, err, found)
			continue
		}
		states, _ := Validate(task.Domain, task.Problem, found.Plan)
		if trace, err := e.Trace(f, found.Plan, states); err != nil || !f.Holds(trace) {
			t.Errorf("%s does not hold in %s", formula, found.Plan)
		}
	}
}

func TestAxiomsAreNamedAndFormatted(t *testing.T) {
	file := source.NewFile("tower.pddl", tower)
	count := map[string]int{}
	for _, o := range Occurrences(file) {
		count[o.Kind+" "+o.Of+" "+o.Name]++
	}
	axiom := strings.Index(tower, "(:derived (above")
	for key, want := range map[string]int{"predicate tower above": 6, "predicate tower lone": 3, fmt.Sprintf("parameter (:derived %d x", axiom): 3, fmt.Sprintf("parameter (:derived %d z", axiom): 3} {
		if count[key] != want {
			t.Errorf("%q is named %d times, want %d", key, count[key], want)
		}
	}
	formatted := Format(file)
	again := parsed(t, formatted)
	if spec := parsed(t, tower); again.Domain.String() != spec.Domain.String() || Format(source.NewFile("tower.pddl", formatted)) != formatted {
		t.Errorf("formatted it is\n%s", formatted)
	}
	if !strings.Contains(formatted, "(:derived (lone ?x - block)\n") {
		t.Errorf("formatted it is\n%s", formatted)
	}
}

func TestLengthIsAHint(t *testing.T) {
	text := "(define (problem x) (:domain d) (:goal (p)) (:length (:serial 5) (:parallel 3)))"
	spec, found := Parse(source.NewFile("p.pddl", text))
	if len(found) != 1 || found[0].Severity != source.SeverityInfo || spec.Problem.Length[":serial"] != 5 || spec.Problem.Length[":parallel"] != 3 {
		t.Fatalf("%+v, %v", spec.Problem, found)
	}
	if printed := spec.Problem.String(); !strings.Contains(printed, "(:length (:parallel 3) (:serial 5))") {
		t.Errorf("printed it is %s", printed)
	}
}
