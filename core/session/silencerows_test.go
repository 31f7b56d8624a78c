package session

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
)

func desk(old, new string) []File {
	return plans("desk.agent", strings.Replace(goodAgent, old, new, 1))
}

func plans(name, text string) []File { return []File{{Name: name, Text: text}} }

// withFormulas puts formulas next to a spec.
func withFormulas(formulas, name, text string) []File {
	return []File{{Name: "rules.ltl", Text: formulas}, {Name: name, Text: text}}
}

// silences is the table.
func silences() []*fault {
	var all []*fault
	for _, list := range [][]*fault{agentFaults(), planFaults(), propertyFaults(), traceFaults(), plannedFaults(), answerFaults(), teamFaults(), labFaults(), solverFaults(), exchangeFaults(), linkFaults()} {
		all = append(all, list...)
	}
	return all
}

func agentFaults() []*fault {
	var large strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&large, " (S%d (:text \"[%d]\"))", i, i)
	}
	return []*fault{
		{name: "an agent's behaviour names no state", kind: agentText, files: desk("until Act Reply", "until Actt Reply"), at: "Actt", says: `"Actt"`},
		{name: "an agent's state is there twice", kind: agentText, files: desk(`(Reply (:text`, `(Act (:text "[B]")) (Reply (:text`), at: "Act", says: "Act"},
		{name: "two states have one prompt", kind: agentText, files: desk(`"[Reply]"`, `"[Act]"`), at: `"[Act]"`, says: "Act"},
		{name: "an agent's list is open", kind: agentText, files: desk("Reply))))", "Reply)"), at: "(", says: "unmatched \"(\""},
		{name: "an agent has an unknown field", kind: agentText, files: desk(":one-of", ":oneof"), at: ":oneof", says: ":oneof"},
		{name: "a content's pattern is wrong", kind: agentText, files: desk(`(:one-of "lookup" "refund")`, `(:matches "(a")`), says: "pattern"},
		{name: "a behaviour has an unknown operator", kind: agentText, files: desk("(until Act", "(untill Act"), at: "untill", says: "untill"},
		{name: "an agent without a behaviour", kind: agentText, files: desk("(:behavior (next Ask (until Act Reply)))", ""), at: "define", says: "behavio"},
		{name: "an agent without states", kind: agentText, files: plans("desk.agent", "(define desk (:states) (:behavior Ask))"), at: ":states", says: "no states yet"},
		{name: "an agent of 1,001 states", kind: agentText, files: plans("desk.agent", "(define large (:states"+large.String()+") (:behavior (next S0 S1)))"), says: "too many states"},
	}
}

func planFaults() []*fault {
	const sameEmpty = "the notation has the same words: none"
	// A valid construct that looks like one of another notation; the editor points it out.
	habit := func(text, at, says string) *fault {
		const reason = "the text has a meaning, which is used"
		return &fault{name: "a habit of another notation: " + at, kind: planText, files: plans("g.cfg", text), at: at, says: says,
			not: map[string]string{onRun: reason, onVerify: reason, onLab: reason, onExchange: reason}}
	}
	return []*fault{
		habit("S -> refund*\n", "refund*", `"refund*"`),
		habit("S -> refund S | epsilon\n", "epsilon", `"epsilon"`),
		habit("S -> 'refund' ask\n", "'refund'", "quotation marks"),
		{name: "a line of a grammar without an arrow", kind: planText, files: plans("g.cfg", "S -> ask T\nT refund\n"), at: "T refund", says: "->"},
		{name: "a limit of no terminal", kind: planText, files: plans("g.cfg", "S -> refund\nlimit 1 refnd\n"), at: "refnd", says: "refnd"},
		{name: "a limit of no letter", kind: planText, files: plans("p.pda", "start q Z\naccept q\nq -> q (refund, Z; Z)\nlimit 1 refnd\n"), at: "refnd", says: `"refnd"`},
		{name: "a grammar of nothing", kind: planText, files: plans("g.cfg", "# nothing\n"), says: "no rules yet"},
		{name: "a grammar without words", kind: planText, files: plans("g.cfg", "S -> refund S\n"), at: "S", says: "no word", also: map[string]string{onVerify: "no valid plan exists"}, not: map[string]string{onExchange: sameEmpty}},
		{name: "limits that leave no word", kind: planText, files: plans("g.cfg", "S -> refund refund\nlimit 1 each\n"), at: "1", says: "limits", also: map[string]string{onVerify: "no valid plan exists"}, not: map[string]string{onExchange: sameEmpty}},
		{name: "a zero byte in a grammar", kind: planText, files: plans("g.cfg", "S -> refund\x00 a\n"), at: "\x00", says: "zero byte"},
		{name: "an automaton without a start", kind: planText, files: plans("p.pda", "accept q\nq -> q (refund, Z; Z)\n"), says: "missing start"},
		{name: "a line of an automaton that is none", kind: planText, files: plans("p.pda", "start q Z\naccept q\nq -> q (refund, Z; Z)\nq to r\n"), at: "q", says: "->"},
		{name: "a flowchart's answer leads nowhere", kind: planText, files: plans("f.flow", "ask first \"So?\"\n  yes -> god\naccept good \"Yes.\"\n"), at: "god", says: "god"},
		{name: "a flowchart's question is there twice", kind: planText, files: plans("f.flow", "ask first \"So?\"\n  yes -> good\nask first \"So?\"\n  yes -> good\naccept good \"Yes.\"\n"), at: "first", says: "first"},
		{name: "a grammar with infinitely many trees of a word", kind: planText, files: plans("g.cfg", "S -> S | refund\n"), at: "S", says: "infinitely", not: map[string]string{
			onRun: "a plan is made of the grammar as it is", onVerify: "the word is valid", onLab: "a plan is made of the grammar as it is", onExchange: "the notation has the same words"}},
	}
}

func propertyFaults() []*fault {
	const bothInForce, inForce = "both formulas are in force", "the formula is in force"
	return []*fault{
		{name: "an unknown name in a property of an agent", kind: property, files: withFormulas("safe: G !Actt\n", "desk.agent", goodAgent), at: "Actt", says: `"Actt"`},
		{name: "an unknown name in one conjunct", kind: property, files: withFormulas("safe: F Reply & G !Actt\n", "desk.agent", goodAgent), at: "Actt", says: `"Actt"`},
		{name: "a formula with an error next to an agent", kind: property, files: withFormulas("safe: G (Act -> \n", "desk.agent", goodAgent), says: "formula"},
		{name: "a formula of another notation next to an agent", kind: property, files: withFormulas("safe: always (not Act)\n", "desk.agent", goodAgent), at: "always", says: `"always"`},
		{name: "a formula's name twice", kind: property, files: withFormulas("safe: G !Act\n\nsafe: X Act\n", "desk.agent", goodAgent), at: "safe", says: `"safe"`, not: map[string]string{
			onRun: bothInForce, onTrace: bothInForce, onGuard: bothInForce, onLab: bothInForce, onCI: bothInForce}},
		{name: "a formula that no run satisfies", kind: property, files: withFormulas("safe: X false\n", "desk.agent", goodAgent), at: "safe: X false", says: "safe",
			also: map[string]string{onEditor: "unsatisfiable", onGuard: "safe"}},
		{name: "a property that the run violates", kind: property, files: withFormulas("safe: G !Act\n", "desk.agent", goodAgent), at: "safe: G !Act", says: "safe", also: map[string]string{onEditor: "counterexample in desk.agent"}},
		{name: "an unknown name next to a grammar", kind: planProperty, files: withFormulas("safe: G !refnd\n", "g.cfg", goodCFG), text: "refund", at: "refnd", says: `"refnd"`},
		{name: "an unknown name next to an automaton", kind: planProperty, files: withFormulas("safe: G !refnd\n", "p.pda", "start q Z\naccept q\nq -> q (refund, Z; Z)\n"), text: "refund", at: "refnd", says: `"refnd"`},
		{name: "an unknown answer next to a flowchart", kind: planProperty, files: withFormulas("safe: F first.yess\n", "f.flow", "ask first \"So?\"\n  yes -> good\naccept good \"Yes.\"\n"), text: "first.yes", at: "first.yess", says: `"first.yess"`},
		{name: "a formula about two specs", kind: planProperty, files: append(withFormulas("both: G (Act -> !refund)\n", "g.cfg", goodCFG), desk("", "")...), text: "refund", at: "both: G (Act -> !refund)", says: "no single spec defines all of Act, refund"},
		{name: "a formula with an error next to a grammar", kind: planProperty, files: withFormulas("safe: G !(\n", "g.cfg", goodCFG), text: "refund", says: "formula"},
		{name: "a formula that the plan violates", kind: planProperty, files: withFormulas("safe: G !refund\n", "g.cfg", "S -> refund | refund ask\n"), text: "refund", at: "safe: G !refund", says: "safe", also: map[string]string{onEditor: "counterexample in g.cfg", onRun: "no plan", onLab: "no plan"}},
		{name: "a formula next to a spec with errors", kind: planProperty, files: withFormulas("safe: G !refund\n", "g.cfg", "S -> refund T\nT ask\n"), text: "refund", says: "fix the errors in g.cfg", also: map[string]string{onRun: "missing arrow", onVerify: "missing arrow"}},
	}
}

func traceFaults() []*fault {
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"delete_all","arguments":"{}"}}]}`
	imported := func(name, text, format, says string) *fault {
		return &fault{name: "a trace: " + name, kind: trace, files: plans("lookup.agent", lookupAgent), text: text, set: format, says: says}
	}
	return []*fault{
		imported("a tool that the agent does not have", frame(call), "openai", "delete_all"),
		imported("a tool in a shape that nobody knows", frame(`{"role":"assistant","content":[{"type":"computer_use","id":"c","name":"delete_all","input":{}}]}`), "anthropic", "delete_all"),
		imported("a call under a misspelt key", frame(`{"role":"assistant","content":"","toolColls":[{"id":"c","function":{"name":"delete_all","arguments":"{}"}}]}`), "", "toolColls"),
		imported("an unknown role", frame(`{"role":"ipython","content":"delete_all()"}`), "", "ipython"),
		imported("a call within a text", "[Question] q\n[Thought] <tool_call>delete_all</tool_call>\n[Answer] done", "text", "call"),
		imported("a text in front of the prompts", "Tool: delete_all\n[Question] q\n[Answer] done", "text", "prompt"),
		imported("nothing that is recognised", "User: q\nTool: delete_all\nAssistant: done", "", "before the first prompt"),
		imported("JSON that is cut off", `[{"role":"user","content":"q"},{"role":"assis`, "openai", "cut off"),
		imported("an empty file", "", "jsonl", "incomplete"),
		imported("the first of two conversations", `{"messages":`+frame(call)+"}\n"+`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"done"}]}`, "jsonl", "delete_all"),
		imported("a span without messages", otlp(span("tool.name", "delete_all"), span("gen_ai.input.messages", chatIn, "gen_ai.output.messages", chatOut)), "otlp", "is not allowed here"),
		imported("an end that comes too early", "[Question] q\n[Thought] so", "text", "incomplete"),
		imported("a content that is not on the list", "[Question] q\n[Action] delete_all\n[Action Input] x\n[Observation] y\n[Answer] done", "text", "delete_all"),
		noted(imported("more than 4 MiB", strings.Repeat("[Question] q\n", 400_000), "text", "4 MiB"), onCI, "is not allowed here"), // the command has no limit
	}
}

// noted sets the wording of a fault on a surface.
func noted(f *fault, surface, says string) *fault {
	f.also = map[string]string{surface: says}
	return f
}

func plannedFaults() []*fault {
	cfg := plans("g.cfg", "S -> b1 i | d1 S\nb1 as \"Captioning\"\nd1 as \"Translation\"\nlimit 1 each\n")
	of := func(name, text, says string) *fault {
		return &fault{name: "a plan: " + name, kind: planned, files: cfg, text: text, says: says}
	}
	return []*fault{
		of("a step that is no tool", "1. Teleportation\n2. Captioning", "Teleportation"),
		of("a word that is no symbol", "b1 x", `"x"`),
		of("nothing", "", "ends too early"),
		of("a step too many", "b1 i i", "i"),
		of("an end that comes too early", "d1", "ends"),
		of("a tool above its limit", "d1 d1 b1 i", "Translation"),
		of("steps whose references go round", "Step 1: Captioning of Step 2\nStep 2: Translation of Step 1", "Step"),
		{name: "a plan: a limit of no terminal", kind: planned, files: cfg, says: "nobody", asks: map[string]func(*asked){onVerify: func(a *asked) {
			a.call("plan.check", PlanCheckParams{Files: cfg, Text: "b1 i", Limits: &grammar.Limits{Named: map[string]int64{"nobody": 1}}})
		}}},
	}
}
