package ltl_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
)

var update = flag.Bool("update", false, "run MONA again to write the sizes in testdata/mona.txt")

// randomBenched is the number of random formulas that are timed in comparison with MONA.
const randomBenched = 100

// randomFormulas returns formulas of depth 5 to 8, in each branch, over 3 and 4
// propositions.
func randomFormulas(n int, seed uint64) []*ltl.Formula {
	random := rand.New(rand.NewPCG(seed, 13))
	out := make([]*ltl.Formula, n)
	for i := range out {
		out[i] = full(random, 5+random.IntN(4), 3+random.IntN(2))
	}
	return out
}

// full returns a random formula whose branches all have the same depth. The arity of an
// operator is drawn first, then the operator.
func full(random *rand.Rand, depth, props int) *ltl.Formula {
	if depth == 0 {
		return ltl.NewProp(string(rune('a' + random.IntN(props))))
	}
	if random.IntN(2) == 0 {
		return ltl.New(ltl.Not+ltl.Op(random.IntN(int(ltl.Globally-ltl.Not)+1)), full(random, depth-1, props))
	}
	op := ltl.And + ltl.Op(random.IntN(int(ltl.StrongRelease-ltl.And)+1))
	return ltl.New(op, full(random, depth-1, props), full(random, depth-1, props))
}

// classes returns the number of equivalence classes of non-empty traces: the states that
// a step leads to.
func classes(t testing.TB, d *ltl.Automaton) (n int) {
	e, err := d.Explicit()
	if err != nil {
		t.Fatal(err)
	}
	led := map[int]bool{}
	for q := range e.NumStates() {
		for letter := range e.NumLetters() {
			led[e.Next(q, letter)] = true
		}
	}
	return len(led)
}

// monaClasses returns the number of states that MONA printed. Its automaton has two
// additional states: one before a word, one before its first letter. If MONA detects at
// once that the language is empty, it has only one.
func monaClasses(t testing.TB, printed string) int {
	_, rest, found := strings.Cut(printed, "Automaton has ")
	n, err := strconv.Atoi(strings.SplitN(rest, " ", 2)[0])
	if !found || err != nil {
		t.Fatalf("MONA printed %q", printed)
	}
	return n
}

// Random formulas are translated to automata of the same size as by MONA 1.4-18 of
// Debian, stored in testdata/mona.txt as "states of MONA's automaton, formula"; none is
// refused. -update runs MONA again.
func TestRandomFormulasHaveTheSizesOfMONA(t *testing.T) {
	const name = "testdata/mona.txt"
	if *update {
		tool, err := exec.LookPath("mona")
		if err != nil {
			t.Skip("mona is not installed")
		}
		list := append(randomFormulas(300, 77),
			parse(t, "G (F (a R (! b R F a) M c) <-> WX (a <-> G b))"),
			parse(t, "(X G b W (! (a R c) R (b <-> F X d) <-> G F a)) W a"))
		var b strings.Builder
		for _, f := range list {
			fmt.Fprintf(&b, "%d %s\n", monaClasses(t, runMONA(t, tool, f)[0]), f)
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for i := 0; lines.Scan(); i++ {
		if i%effort.Step(10) > 0 {
			continue
		}
		states, text, _ := strings.Cut(lines.Text(), " ")
		f := parse(t, text)
		d, err := ltl.Translate(f, alphabet(t, ltl.Powerset, f.Props()...), meter.New(meter.Budget{}))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if want := strconv.Itoa(classes(t, d) + 2); want != states && !(d.Empty() && states == "2") {
			t.Errorf("%s: MONA has %s states, and not %s", text, states, want)
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

// Of a thousand formulas of each of twelve seeds none is refused that MONA translates
// within a second. Where MONA is installed and STILE_LONG is set, the sizes are compared
// with those that MONA finds; without it no formula may be refused except those for which
// MONA takes longer.
func TestRandomFormulasOfTwelveSeedsAreTranslated(t *testing.T) {
	// MONA takes more than 5 seconds for each of these.
	slow := map[string]bool{"2/953": true, "4/522": true, "10/238": true, "11/852": true, "12/872": true}
	tool, err := exec.LookPath("mona")
	compare := err == nil && effort.Long()
	for seed := range uint64(12) {
		for i, f := range randomFormulas(effort.Sample(1000, 20), seed+1) {
			name := fmt.Sprintf("%d/%d", seed+1, i)
			d, err := ltl.Translate(f, alphabet(t, ltl.Powerset, f.Props()...), meter.New(meter.Budget{}))
			var printed []string
			if compare {
				printed = runMONA(t, tool, f) // empty if it takes 20 seconds
			}
			switch {
			case err != nil && (!compare && !slow[name] || len(printed) == 1 && monaTime(t, printed[0]) <= time.Second):
				t.Errorf("%s %s: %v", name, f, err)
			case err == nil && len(printed) == 1 && !d.Empty() && monaClasses(t, printed[0]) != classes(t, d)+2:
				t.Errorf("%s %s: %d classes; MONA reports %s", name, f, classes(t, d), printed[0])
			}
		}
	}
}

// monaTime returns the total time that MONA printed.
func monaTime(t testing.TB, printed string) time.Duration {
	_, rest, _ := strings.Cut(printed, "Total time:")
	var hours, minutes int
	var seconds float64
	if _, err := fmt.Sscanf(strings.TrimSpace(rest), "%d:%d:%f", &hours, &minutes, &seconds); err != nil {
		t.Fatalf("MONA printed %q", printed)
	}
	return time.Duration((float64(60*(60*hours+minutes)) + seconds) * float64(time.Second))
}
