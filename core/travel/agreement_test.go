package travel_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/travel"
)

var update = flag.Bool("update", false, "rewrite the table of mutations")

func TestMutationsFailOnlyTheirConstraint(t *testing.T) {
	seeds := effort.Of(25)
	db, o, list := open(t), newOracle(t), samples(t)
	tried := map[string]map[int]map[string]bool{}
	total := 0
	for k, mu := range mutations {
		tried[mu.name] = map[int]map[string]bool{}
		for _, s := range list {
			for seed := range uint64(seeds) {
				m := &mutant{db: db, rand: rand.New(rand.NewPCG(seed, uint64(1000*s.index+k))), q: s.query, p: slices.Clone(s.plan)}
				m.q.Constraint.Cuisine = slices.Clone(m.q.Constraint.Cuisine)
				if !mu.change(m) {
					continue
				}
				key := fmt.Sprint(m.q, m.p)
				if tried[mu.name][s.index] == nil {
					tried[mu.name][s.index] = map[string]bool{}
				}
				if tried[mu.name][s.index][key] {
					continue
				}
				tried[mu.name][s.index][key] = true
				total++
				r := db.Check(m.q, m.p)
				if failed := r.Failed(); !slices.Equal(failed, []string{mu.constraint}) {
					t.Errorf("%s, query %d, seed %d: %v fail\n%s", mu.name, s.index, seed, failed, m.p.Text())
					for _, name := range failed {
						c, _ := r.Check(name)
						t.Log(c.Reason)
					}
				}
				agree(t, o, m.q, m.p, r, false)
				agree(t, o, m.q, m.p, travel.Checker{DB: db, Released: true}.Check(m.q, m.p), true)
			}
		}
	}
	if effort.Few() {
		return // the table lists all of them
	}
	if total < 3000 {
		t.Errorf("only %d mutations were tried", total)
	}
	compare(t, "testdata/mutations.md", table(tried, list, total))
}

// agree compares a report with the verdicts of the oracle.
func agree(t *testing.T, o *oracle, q travel.Query, p travel.Plan, r travel.Report, released bool) {
	t.Helper()
	want, got := o.verdicts(t, q, p, released), map[string]bool{}
	for _, c := range append(slices.Clone(r.Commonsense), r.Hard...) {
		if c.Verdict != travel.NotEvaluated {
			got[c.Constraint] = c.Verdict == travel.Pass
		}
		if (c.Verdict == travel.Fail) != (len(c.Faults) > 0) || c.Verdict != travel.Pass && c.Reason == "" {
			t.Errorf("%s is %s for %q", c.Constraint, c.Verdict, c.Reason)
		}
	}
	if !reflect.DeepEqual(got, want) {
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				c, _ := r.Check(name)
				t.Errorf("released %v: the oracle says of %s: %v; the checker: %s %s\n%s", released, name, want[name], c.Verdict, c.Reason, p.Text())
			}
		}
		if len(got) != len(want) {
			t.Errorf("%v is evaluated, not %v\n%s", got, want, p.Text())
		}
	}
	if days, all := oracleDays(t, q, p); all > 0 && float64(r.Cost.Total) != o.cost(q, days) {
		t.Errorf("it costs %d, not %v\n%s", r.Cost.Total, o.cost(q, days), p.Text())
	}
}

// table lists the mutations.
func table(tried map[string]map[int]map[string]bool, list []sample, total int) string {
	var b strings.Builder
	b.WriteString("# What was mutated\n\nDifferent mutants of each sample plan, by its query's number; each fails its constraint and no other.\n\n| mutation | fails |")
	for _, s := range list {
		fmt.Fprintf(&b, " %d |", s.index)
	}
	b.WriteString(" all |\n|---|---|" + strings.Repeat("---|", len(list)+1) + "\n")
	for _, mu := range mutations {
		fmt.Fprintf(&b, "| %s | %s |", mu.name, mu.constraint)
		sum := 0
		for _, s := range list {
			n := len(tried[mu.name][s.index])
			sum += n
			fmt.Fprintf(&b, " %d |", n)
		}
		fmt.Fprintf(&b, " %d |\n", sum)
	}
	fmt.Fprintf(&b, "\nTogether %d.\n", total)
	return b.String()
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != got {
		t.Errorf("%s is not what was tried (%v); write it with -update:\n%s", name, err, got)
	}
}

// Plans that are composed of random parts break many constraints at once.
func TestCheckerAgreesWithTheOracleOnRandomPlans(t *testing.T) {
	db, o, list := open(t), newOracle(t), samples(t)
	random := rand.New(rand.NewPCG(7, 8))
	evaluated := map[string][2]int{}
	rounds := effort.Sample(2500, 800)
	for range rounds {
		s := list[random.IntN(len(list))]
		m := &mutant{db: db, rand: random, q: s.query, p: slices.Clone(s.plan)}
		m.q.Constraint.Cuisine = slices.Clone(m.q.Constraint.Cuisine)
		for range 1 + random.IntN(4) {
			if random.IntN(3) > 0 {
				// Apply another mutation on top. Some need parts that the first removed, and stop there.
				func() {
					defer func() { _ = recover() }()
					mutations[random.IntN(len(mutations))].change(m)
				}()
				continue
			}
			// A field of another plan, or none.
			other := list[random.IntN(len(list))]
			f := travel.Fields()[random.IntN(7)]
			text := ""
			if random.IntN(3) > 0 {
				text = other.plan[random.IntN(len(other.plan))].Get(f)
			}
			if f == "current_city" && text == "" {
				continue
			}
			m.set(random.IntN(len(m.p)), f, text)
		}
		for _, released := range []bool{false, true} {
			r := travel.Checker{DB: db, Released: released}.Check(m.q, m.p)
			agree(t, o, m.q, m.p, r, released)
			for _, c := range append(r.Commonsense, r.Hard...) {
				n := evaluated[c.Constraint]
				switch c.Verdict {
				case travel.Pass:
					n[0]++
				case travel.Fail:
					n[1]++
				}
				evaluated[c.Constraint] = n
			}
		}
		if t.Failed() {
			return
		}
	}
	for name, n := range evaluated {
		if n[0] < rounds/25 || n[1] < rounds/50 {
			t.Errorf("%s passed %d times and failed %d times", name, n[0], n[1])
		}
	}
}
