package guard

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/workspace"
)

// pool has states for random agents: those of a conversation, and tools.
var pool = []string{
	`(Question (:text "Question:") (:flags :env-input))`,
	`(Thought (:text "Thought:"))`,
	`(Action (:text "Action:") (:one-of "lookup" "refund" "send mail"))`,
	`(Input (:text "Action Input:") (:matches "[a-z]+[0-9]{0,3}"))`,
	`(Observation (:text "Observation:") (:flags :env-input))`,
	`(Answer (:text "Final Answer:") (:max-tokens 3))`,
	`(check (:text "check"))`,
	`(pay_out (:text "pay") (:matches "[0-9]+|\\{.*\\}"))`,
	`(wait (:text "wait") (:flags :empty))`,
}

func names(pool []string) (out []string) {
	for _, s := range pool {
		out = append(out, strings.Fields(s[1:])[0])
	}
	return out
}

// randomSpecs returns a workspace.
func randomSpecs(r *rand.Rand) []workspace.File {
	var letters []string
	var files []workspace.File
	switch r.IntN(7) {
	case 0, 1, 2:
		states := slices.Clone(pool)
		for len(states) > 3 && r.IntN(2) == 0 {
			i := r.IntN(len(states))
			states = slices.Delete(states, i, i+1)
		}
		if r.IntN(2) == 0 {
			states = slices.Clone(pool[:6])
		}
		letters = names(states)
		behavior := ""
		if len(states) == 6 && r.IntN(2) == 0 {
			behavior = "(next Question (until (next Thought Action Input Observation) (next Thought Answer)))"
		} else {
			behavior = randomBehavior(r, letters, 3)
			if letters[0] == "Question" && r.IntN(2) == 0 {
				behavior = "(next Question " + behavior + ")"
			}
		}
		files = append(files, workspace.File{Name: "a.agent", Text: "(define a\n (:states " + strings.Join(states, "\n") + ")\n (:behavior " + behavior + "))"})
	case 3:
		letters = []string{"login", "look", "pay", "logout"}
		files = append(files, workspace.File{Name: "m.pda", Text: randomMachine(r, letters)})
	case 4:
		letters = []string{"q0.yes", "q1.no", "q2.yes"}
		files = append(files, workspace.File{Name: "f.flow", Text: randomFlow(r)})
	default:
		letters = []string{"login", "look", "pay", "logout"}
		files = append(files, workspace.File{Name: "g.cfg", Text: randomGrammar(r, letters)})
	}
	if r.IntN(2) == 0 {
		files = append(files, workspace.File{Name: "r.rules", Text: randomRules(r, letters)})
	}
	if r.IntN(2) == 0 {
		var b strings.Builder
		for i := range 1 + r.IntN(2) {
			fmt.Fprintf(&b, "p%d: %s\n\n", i, randomFormula(r, letters, 2))
		}
		files = append(files, workspace.File{Name: "p.ltl", Text: b.String()})
	}
	return files
}

func randomBehavior(r *rand.Rand, letters []string, depth int) string {
	one := func() string { return randomBehavior(r, letters, depth-1) }
	if depth == 0 || r.IntN(5) == 0 {
		return letters[r.IntN(len(letters))]
	}
	switch r.IntN(5) {
	case 0:
		return "(or " + one() + " " + one() + ")"
	case 1:
		return "(until " + one() + " " + one() + ")"
	case 2:
		return "(next " + one() + " " + one() + " " + one() + ")"
	}
	return "(next " + one() + " " + one() + ")"
}

// randomGrammar returns a grammar in which every letter occurs; some need a stack.
func randomGrammar(r *rand.Rand, letters []string) string {
	symbols := append([]string{"S", "T", "U"}, letters...)
	var b strings.Builder
	for i, left := range []string{"S", "T", "U"} {
		fmt.Fprintf(&b, "%s -> %s", left, letters[i])
		for range 1 + r.IntN(2) {
			b.WriteString(" |")
			for range 1 + r.IntN(3) {
				b.WriteString(" " + symbols[r.IntN(len(symbols))])
			}
		}
		if r.IntN(6) == 0 {
			b.WriteString(" | ε")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// randomMachine returns a deterministic automaton that pushes by one letter and pops by another; the
// other letters change its state.
func randomMachine(r *rand.Rand, letters []string) string {
	var b strings.Builder
	b.WriteString("start s0 Z\naccept s2\n\n")
	fmt.Fprintf(&b, "s0 -> s%d (%s, *; x *)\n", r.IntN(2), letters[0])
	fmt.Fprintf(&b, "s1 -> s%d (%s, *; x *)\n", r.IntN(2), letters[0])
	for i := range 2 {
		fmt.Fprintf(&b, "s%d -> s%d (%s, *; *)\n", i, r.IntN(2), letters[1+r.IntN(2)])
		fmt.Fprintf(&b, "s%d -> s%d (%s, x; ε)\n", i, r.IntN(2), letters[3])
	}
	b.WriteString("s1 -> s2 (ε, Z; Z)\n")
	if r.IntN(2) == 0 {
		b.WriteString("s0 -> s2 (ε, Z; Z)\n")
	}
	return b.String()
}

// randomFlow returns a flowchart of three questions, each with two or three answers.
func randomFlow(r *rand.Rand) string {
	var b strings.Builder
	for i := range 3 {
		fmt.Fprintf(&b, "ask q%d \"Question %d?\"\n", i, i)
		answers := []string{"yes", "no", "unsure"}[:2+r.IntN(2)]
		for _, answer := range answers {
			targets := []string{"pass", "stop"}
			for j := i + 1; j < 3; j++ {
				targets = append(targets, fmt.Sprintf("q%d", j))
			}
			fmt.Fprintf(&b, "  %s -> %s\n", answer, targets[r.IntN(len(targets))])
		}
	}
	return b.String() + "accept pass \"Done.\"\n"
}

// randomRules returns rules about the tools and arguments of the random operations.
func randomRules(r *rand.Rand, letters []string) string {
	tools := []string{"lookup", "refund", "check", "pay_out"}
	if letters[0] == "login" {
		tools = letters
	}
	tool := func() string { return tools[r.IntN(len(tools))] }
	var b strings.Builder
	for i := range 1 + r.IntN(3) {
		rule := []string{
			"A(q: ?x) -> once B(q: ?x)", `!A(q: "ab1", r: 2)`, "A() -> count B() <= 2", "A(q: ?x) -> ?x < 10", "A() -> !once B.error()",
			"end() -> !((!A()) since B())", "A() -> (!B()) since message.user()", "A(q: ?x) -> count A(q: ?x) <= 1",
		}[r.IntN(8)]
		fmt.Fprintf(&b, "r%d: %s\n\n", i, strings.NewReplacer("A(", tool()+"(", "B(", tool()+"(", "B.", tool()+".").Replace(rule))
	}
	return b.String()
}

func randomFormula(r *rand.Rand, letters []string, depth int) string {
	one := func() string { return randomFormula(r, letters, depth-1) }
	if depth == 0 || r.IntN(4) == 0 {
		return letters[r.IntN(len(letters))]
	}
	switch r.IntN(6) {
	case 0:
		return "F (" + one() + ")"
	case 1:
		return "G (" + one() + " -> WX " + one() + ")"
	case 2:
		return "G !(" + one() + ")"
	case 3:
		return "(" + one() + " -> F " + one() + ")"
	case 4:
		return "(!" + one() + " U " + one() + ")"
	}
	return "(" + one() + " | " + one() + ")"
}

var strange = []string{"", "rеfund", "Refund", "LOOK", "__proto__", "constructor", "toString", "hasOwnProperty", "a\x00b", "*", "send mail", "Observation", strings.Repeat("x", 200)}

var arguments = []string{
	"", "{}", `{"q":"ab1"}`, `{"q":"ab1","r":2}`, `{"q":12}`, `{"q": [1, 2 ] }`, `"text"`, "null", `{"a":1,"a":2}`, `{"q":"ab`, "NaN", `{"q":1e999}`, `{"__proto__":{"x":1}}`,
	`{"password":"p","q":1}`, `{"userName":["x-api-key","s"],"body":"{\"client_secret\":7}"}`, `{"text":"Authorization: Bearer sk-1"}`, `{"q":"ab1é"}`, `{"q":"\ud800"}`, strings.Repeat("[", 100) + strings.Repeat("]", 100), `{"q":" ab1 "}`, `{"q":-0}`, `{"q":01}`, `[1,]`, "\ufeff{}", `{"q":"7"}`,
}

// randomOperations returns operations that mostly follow the guard.
func randomOperations(r *rand.Rand, g *gate.Guard, modes map[string]gate.Mode, tools []string) []operation {
	s, err := g.Begin(gate.Options{Modes: modes})
	if err != nil {
		panic(err)
	}
	var ops []operation
	var waiting []event
	for i := range 1 + r.IntN(18) {
		var op operation
		id := fmt.Sprintf("c%d", i)
		switch k := r.IntN(20); {
		case i == 0 && k < 16:
			op = operation{"record", event{Kind: "message", Name: "user", Content: "do it"}}
		case k < 8:
			next, _ := s.Next()
			name := tools[r.IntN(len(tools))]
			if len(next) > 0 && r.IntN(5) > 0 {
				name = next[r.IntN(len(next))]
			} else if r.IntN(4) == 0 {
				name = strange[r.IntN(len(strange))]
			}
			text := arguments[2]
			if r.IntN(3) == 0 {
				text = arguments[r.IntN(len(arguments))]
			}
			if r.IntN(15) == 0 {
				id = "c1"
			}
			op = operation{"allow", event{Name: name, ID: id, Arguments: text}}
			waiting = append(waiting, event{Kind: "result", Name: name, ID: id, Content: "fine"})
			if r.IntN(12) == 0 { // the call is recorded after it was made, now and then with other arguments
				ops = append(ops, op)
				perform(s, op)
				op.Op, op.Event.Kind = "record", "call"
				if r.IntN(8) == 0 {
					op.Event.Arguments = arguments[r.IntN(len(arguments))]
				}
			} else if r.IntN(8) == 0 {
				op.Op, op.Event.Kind, op.Event.Approved = "record", "call", r.IntN(2) == 0
			}
		case k < 14 && len(waiting) > 0:
			j := r.IntN(len(waiting))
			op = operation{"record", waiting[j]}
			if r.IntN(6) > 0 {
				waiting = slices.Delete(waiting, j, j+1)
			}
			if r.IntN(10) == 0 {
				op.Event.Kind = "error"
			}
		case k < 15:
			op = operation{"record", event{Kind: "result", Name: "lookup", ID: "forged", Content: "x"}}
		case k < 18:
			op = operation{"record", event{Kind: "message", Name: []string{"assistant", "assistant", "user", "system", "robot"}[r.IntN(5)], Content: "so", Final: r.IntN(3) == 0, Optional: i%3 == 2}}
		case k < 19:
			op = operation{"cancel", event{ID: fmt.Sprintf("c%d", i-1)}}
		default:
			op = operation{"end", event{}}
		}
		ops = append(ops, op)
		perform(s, op)
	}
	return append(ops, operation{"end", event{}})
}
