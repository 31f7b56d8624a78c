package core_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

// A custom planner asks for the valid next terminals; within the limits of the spec every
// choice can be completed.
func Example_next() {
	syntax, found := grammar.Parse(source.NewFile("support.cfg", `
S -> lookup A
A -> refund | explain | lookup A
limit 1 lookup refund
`))
	g, more := grammar.Compile(syntax, "")
	if source.HasErrors(append(found, more...)) {
		log.Fatal(found, more)
	}
	left, err := g.Caps(g.DeclaredLimits()) // the remaining uses of each terminal
	if err != nil {
		log.Fatal(err)
	}
	needs, err := grammar.ComputeNeeds(g, left, nil)
	if err != nil {
		log.Fatal(err)
	}
	run := earley.New(g).Start(nil)
	for _, step := range []string{"lookup", "explain"} {
		symbol, _ := g.Lookup(step)
		if ok, err := run.Push(symbol); !ok || err != nil {
			log.Fatalf("%s is not allowed here: %v", step, err)
		}
		if left[symbol] != grammar.Unlimited {
			left[symbol]--
		}
		_, complete, next, err := run.NextWithin(needs, left)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(step, ", then:")
		for _, t := range next {
			fmt.Print(" ", g.Names[t])
		}
		fmt.Println(" done:", complete)
	}
	// Output:
	// lookup, then: refund explain done: false
	// explain, then: done: true
}

// A rule is proved for all plans at once, or refuted by a shortest one.
func Example_prove() {
	syntax, _ := grammar.Parse(source.NewFile("pay.cfg", "S -> ask A | pay\nA -> approve pay | refuse"))
	g, _ := grammar.Compile(syntax, "")
	rules, _ := ltl.Parse(source.NewFile("pay.ltl", "approved: !pay W approve"))
	for _, rule := range rules {
		holds, word, err := verify.Grammar(g, rule.Formula, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rule.Name, holds)
		for _, t := range word {
			fmt.Println("against it:", g.Names[t])
		}
	}
	// Output:
	// approved false
	// against it: pay
}

// The text of an agent is checked against its behaviour, state by state.
func Example_check() {
	spec, found := agent.Parse(source.NewFile("react.agent", `
(define react
  (:states (Ques (:text "[Question]")) (Act (:text "[Action]"))
           (Obs (:text "[Observation]") (:flags :env-input)) (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (next Act Obs) Ans))))`))
	a, more := agent.Compile(spec, nil)
	if source.HasErrors(append(found, more...)) {
		log.Fatal(found, more)
	}
	report := monitor.Check(a, "[Question] Who?\n[Action] Search\n[Answer] Nobody.")
	fmt.Println(report.Verdict)
	if v := report.Violation; v != nil {
		fmt.Println(v.Reason)
	}
	// Output:
	// invalid
	// "Ans" is not allowed here; expected "Obs"
}
