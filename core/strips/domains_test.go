package strips

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

var updateOptima = flag.Bool("update-optima", false, "write the optima of testdata/domains")

// TestGalleryProblemHasTheOptimumOfTheOracle compares the example with costs, numbers, forall and
// when, as it is and with a penalty that makes the far order worth its way.
func TestGalleryProblemHasTheOptimumOfTheOracle(t *testing.T) {
	text, err := os.ReadFile("../../grammars/deliveries/deliveries.pddl")
	if err != nil {
		t.Fatal(err)
	}
	for penalty, cost := range map[string]string{"10": "24", "20": "28"} {
		got, compared := compareWithBrute(t, strings.Replace(string(text), "(penalty eggs) 10", "(penalty eggs) "+penalty, 1), 100_000)
		if !compared || !got.solved || fmt.Sprint(got.cost) != cost {
			t.Errorf("penalty %s: %+v, compared: %v; want %s", penalty, got, compared, cost)
		}
	}
}

// TestProblemsHaveTheOptimumOfTheOracle compares all searches of the problems in
// testdata/domains with the oracle, and both with the recorded optima.
func TestProblemsHaveTheOptimumOfTheOracle(t *testing.T) {
	names, err := filepath.Glob("testdata/domains/*.pddl")
	if err != nil || len(names) < 25 {
		t.Fatal(names, err)
	}
	const record = "testdata/domains/optima.txt"
	recorded, _ := os.ReadFile(record)
	var optima strings.Builder
	problems := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree, _ := sexpr.Parse(source.NewFile(name, string(text)))
		domain := string(text[tree.Nodes[0].Span.Start:tree.Nodes[0].Span.End])
		for _, n := range tree.Nodes[1:] {
			problem := n.Items[1].Items[1].Text
			t.Run(problem, func(t *testing.T) {
				want, compared := compareWithBrute(t, domain+"\n"+string(text[n.Span.Start:n.Span.End]), 100_000)
				if !compared {
					t.Fatal("the problem is too large for the oracle")
				}
				line := problem + ": none"
				switch {
				case want.endless:
					line = problem + ": no best plan"
				case want.solved:
					line = fmt.Sprintf("%s: cost %v, %s", problem, want.cost, count(want.steps, "step"))
				}
				problems++
				optima.WriteString(line + "\n")
				if !*updateOptima && !strings.Contains("\n"+string(recorded), "\n"+line+"\n") {
					t.Errorf("%s is not in %s", line, record)
				}
			})
		}
	}
	if problems < 60 {
		t.Errorf("there are %d problems", problems)
	}
	if *updateOptima {
		if err := os.WriteFile(record, []byte(optima.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
