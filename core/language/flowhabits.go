package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// lineHabits are faults of the line-based notations: quotes, arrows, lists and signs at the ends of
// lines.
func lineHabits() []habit.Habit {
	return []habit.Habit{
		{Pattern: `[\s(]('([^'"\n]*)')`, Message: "quote texts with \", not with '", Write: `"$2"`},
		{Pattern: `(“([^”"\n]*)”)`, Message: "quote texts with \", not with “", Write: `"$2"`},
		{Pattern: "(`([^`\"\n]*)`)", Message: "quote texts with \", not with `", Write: `"$2"`},
		{Pattern: `^[ \t]*([-*•+]|\d+[.)])[ \t]+\S`, Message: "unexpected $0 at the beginning of a line", Write: ""},
		{Pattern: `[\w")](;|,)[ \t]*$`, Message: "unexpected $0 at the end of a line", Write: ""},
		{Pattern: `^[ \t]*((?:flowchart|graph|digraph|strict|stateDiagram-v2|stateDiagram|sequenceDiagram|@startuml|@enduml|classDef|class|style|title|direction|subgraph|rankdir|node|edge)\b.*)$`, Message: "unsupported line $0 of another notation", Write: ""},
		{Pattern: `[\w")}][ \t]+(=>|-->|==>|—>|–>|⇒|⟶|⟹|~>|->>|>>|\|>|--)[ \t]+[\w"]`, Message: `unknown arrow $0; write "->"`, Write: "->"},
		{Pattern: `^[ \t]*(([\w./]+)(?:-->|->|→|=>)([\w./]+))`, Message: "missing spaces around the arrow", Write: "$2 -> $3"},
	}
}

// flowHabits are constructs of Mermaid, DOT, PlantUML, YAML and programs.
func flowHabits() []habit.Habit {
	const (
		unknown = `unknown keyword $0; write "`
		stopped = `fail|failure|failed|reject|rejected|abort|aborted|exit|quit|halt|STOP|Stop|cancel|error|terminate|END|End|end|\[\*\]|null|None|nil`
	)
	return slices.Concat(commentHabits("#"), lineHabits(), []habit.Habit{
		{Propose: closeQuote("flow.text")},
		{Propose: nameless},
		{Pattern: `^[ \t]*(start)[ \t]*$`, Message: "expected the name of a question after $0", Write: ""},
		{Pattern: `^[ \t]*(([\w.-]+)[ \t]*[:=])[ \t]*"[^"\n]*"[ \t]*\n[ \t]*[^\s"]+[ \t]*->`, Message: `write "ask" before the name of a question: $2`, Write: "ask $2"},
		{Pattern: `^[ \t]*(?:accept|stop|ask)[ \t]+[\w.-]+[ \t]+(as)[ \t]+"`, Message: "unexpected $0 after the name", Write: ""},
		{Pattern: `^[ \t]*((?:if|when|on)[ \t]+([\w-]+)[ \t]+(?:then|goto|:)[ \t]+)`, Message: `write an answer as "yes -> name", not $0`, Write: "$2 -> "},
		{Pattern: `^[ \t]*(case|on|when|if|answer|option|choice)[ \t]+[\w-]+[ \t]*->`, Message: "unexpected $0 before an answer", Write: ""},
		{Pattern: `->[ \t]*(accept|goto|go to|state|end|question|node|stop)[ \t]+[\w.-]+[ \t]*$`, Message: "unexpected $0 before the name of a target", Write: ""},
		{Pattern: `^[ \t]*(([\w-]+)[ \t]*(?:,|\||/|or|and)[ \t]*([\w-]+)[ \t]*->[ \t]*([\w.-]+))`, Message: "write the target after each answer, not $0", Write: "$2 -> $4 $3 -> $4"},
		{Pattern: `^[ \t]*(multiple|multi|many|choose|select|several|any|all|multiselect)(?:[ \t]+[\w-]+)+[ \t]*->`, Message: unknown + `some"`, Write: "some"},
		{Pattern: `^[ \t]*(question|Question|q|Ask|ASK|aks|asks|asl|sak|aask|decision|if|If|while|node|state|step|task|when|is|query|prompt|choice|case|switch|check|test|gateway|input|quest)[ \t]+[\w.-]+[ \t]+"`, Message: unknown + `ask"`, Write: "ask"},
		{Pattern: `^[ \t]*(success|finish|final|ok|done|good|pass|end|terminal|accepted|Accept|ACCEPT|acept|accpet|accepts|outcome|result|goal|return|final_state)[ \t]+[\w.-]+(?:[ \t]+"|[ \t]*$)`, Message: unknown + `accept"`, Write: "accept"},
		{Pattern: `^[ \t]*(` + stopped + `)[ \t]+[\w.-]+(?:[ \t]+"|[ \t]*$)`, Message: unknown + `stop"`, Write: "stop"},
		{Pattern: `^[ \t]*(begin|Start|START|initial|entry|start:|start[ \t]*->|start[ \t]*=|init|first)[ \t]+[\w.-]+[ \t]*$`, Message: unknown + `start"`, Write: "start"},
		{Pattern: `^[ \t]*(set|var|const|def|define|variable|param|Let|LET|val|local|assign|given)[ \t]+[\w.-]+`, Message: unknown + `let"`, Write: "let"},
		{Pattern: `^[ \t]*let[ \t]+[\w.-]+[ \t]*(=|:=|:|to|be|is|as)[ \t]*["\w]`, Message: `unexpected $0 in a "let" line`, Write: ""},
		{Pattern: `^[ \t]*let[ \t]+[\w.-]+[ \t]+([^"\s=:][^"\n]*?)[ \t]*$`, Message: "quote the value $0", Write: `"$1"`},
		{Pattern: `^[ \t]*in[ \t]+any[ \t]+order[ \t]*(\{)`, Message: "missing name of the block before $0", Write: "checks {"},
		{Pattern: `^[ \t]*((?:in[ \t]+)?(?:any[ \t]+order|parallel|random[ \t]+order|arbitrary[ \t]+order)|unordered|fork|all)[ \t]+[\w.-]+[ \t]*\{`, Message: unknown + `in any order"`, Write: "in any order"},
		{Pattern: `->[ \t]*[\w.-]+[ \t]*(:|,|-|–|=|;)[ \t]*"`, Message: `unexpected $0; write "as" before a text`, Write: " as"},
		{Pattern: `->[ \t]*[\w.-]+[ \t]+("[^"\n]*")`, Message: `write "as" before the text of an answer`, Write: "as $1"},
		{Pattern: `->[ \t]*[\w.-]+[ \t]+(as:|As|AS|label|text|say|says|with|because|note)[ \t]*"`, Message: unknown + `as"`, Write: "as"},
		{Pattern: `\bas[ \t]+([^"\s'][^"\n]*?)[ \t]*$`, Message: "quote the text $0", Write: `"$1"`},
		{Pattern: `->[ \t]*(` + stopped + `)\b`, Message: `unknown question or end $0; write "stop"`, Write: "stop"},
		{Pattern: `^[ \t]*(?:ask|accept|stop)[ \t]+[\w.-]+[ \t]*(:|,|=|-)[ \t]*"`, Message: "unexpected $0 after a name", Write: ""},
		{Pattern: `^[ \t]*ask[ \t]+[\w.-]+[ \t]+([^"\s'“{>=-][^"\n>]*?)[ \t]*$`, Message: "quote the question $0", Write: `"$1"`},
		{Pattern: `^[ \t]*((?:[\w.-]+[ \t]*)?--+>?[ \t]*\|([^|\n]*)\|)`, Message: "write an answer as (answer ->), not $0", Write: "$2 ->"},
		{Pattern: `^[ \t]*(?:"[^"\n]*"|[\w.-]+)[ \t]+(:|=|goto|then|to|leads[ \t]+to|go[ \t]+to|>|=>)[ \t]+[\w.-]`, Message: `unknown arrow $0; write "->"`, Write: "->"},
		{Pattern: `^[ \t]*(?:"[^"\n]*"|[\w.-]+)(:|=|=>)[ \t]*[\w.-]`, Message: `unknown arrow $0; write "->"`, Write: " ->"},
		{Pattern: `[\w"](,|;)[ \t]+[\w"]`, Message: "unexpected $0 between answers", Write: ""},
		{Pattern: `^[ \t]*([\w'-]+(?:[ \t]+[\w'-]+)+)[ \t]*->`, Message: "quote an answer of several words: $0", Write: `"$1"`},
		{Pattern: `[\w")](\.)[ \t]*$`, Message: "unexpected $0 at the end of a line", Write: ""},
		{Pattern: `["?)][ \t]*(\{)[ \t]*$`, Message: `unexpected $0; only "in any order" has braces`, Write: ""},
		{Pattern: `^[ \t]*(\}|end|fi|endif|done)[ \t]*$`, Message: "unmatched $0", Write: ""},
		{Pattern: `^[ \t]*(([\w.-]+)[ \t]*(?::=|=|:))[ \t]*"`, Message: `write "let" before a variable: $2`, Write: "let $2"},
		{Pattern: `->[ \t]*("(_+)")[ \t]*$`, Message: "write the name of a target without quotes: $2", Write: "$2"},
		{Pattern: `^[ \t]*(->)[ \t]*[\w.-]+[ \t]*$`, Message: "missing answer before $0", Write: "yes ->"},
		{Pattern: `^[ \t]*([\w.-]+)[ \t]+"[^"\n]*"[ \t]*$`, Message: `write "ask" before the name of a question: $0`, Write: "ask $1"},
		{Pattern: `^[ \t]+([\w.-]+)[ \t]+[\w.-]+(?:[ \t]+as[ \t]+"[^"\n]*")?[ \t]*$`, Message: "missing arrow after the answer $0", Write: "$1 ->"},
	}, trailingComments())
}

// nameless adds the name of a question: one that an answer leads to and that is not defined.
func nameless(text string, fault source.Diagnostic) habit.Proposal {
	_, end := lineAt(text, fault.Span.Start)
	if fault.Code != "flow.name" || habit.Match(`ask[ \t]+"`, text[fault.Span.Start:end]) == nil {
		return habit.Proposal{}
	}
	name := undefined(text)
	if name == "" {
		name = "question"
	}
	p := edited(fault.Span.End, fault.Span.End, " "+name, "Name it "+name, fault.Message)
	p.At = fault.Span
	return p
}

// undefined returns the first target of a chart that is not defined, or "".
func undefined(text string) string {
	target := habit.NewPattern(`->[ \t]*([\w.-]+)`)
	for at := target.Find(text, 0); at != nil; at = target.Find(text, at[1]) {
		name := text[at[2]:at[3]]
		if name != "stop" && name != "next" && habit.NewPattern(`\b(?:ask|accept|stop|order)[ \t]+`+escape(name)+`(?:\s|$)`).Find(text, 0) == nil {
			return name
		}
	}
	return ""
}

// explainFlow explains the errors of a flowchart, and warns of variables in the notations of
// templates.
func explainFlow(s *notation.Scope, a *notation.Analysis) {
	explain(s, a, habit.Notation{
		Habits: flowHabits(), Comments: "#", Lines: true,
		Check: checkText(s, func(s *notation.Scope) []source.Diagnostic {
			_, found := CompileFlow(s.File)
			return found
		}),
	}, "flow.unreachable", "flow.no-accept", "flow.variable")
	parse := []string{"flow.line", "flow.name", "flow.let", "flow.question", "flow.text", "flow.answer", "flow.block", "flow.brace", "flow.some"}
	a.Diagnostics = withoutFollowing(s.File, a.Diagnostics, map[string][]string{
		"flow.no-answer": parse, "flow.unknown": append(parse, "flow.twice"), "flow.empty": parse,
	})
	if a.Sound() {
		a.Add(templateVariables(s.File)...)
	}
}

// templateVariables reports variables that are written as in other templates.
func templateVariables(file *source.File) (found []source.Diagnostic) {
	names := map[string]bool{}
	tokens := lines.Lex(file.Text)
	for i, t := range tokens {
		if t.Is("let") && i+1 < len(tokens) {
			names[tokens[i+1].Text] = true
		}
	}
	pattern := habit.NewPattern(`\$\{(\w+)\}|\{\{[ ]*(\w+)[ ]*\}\}|#\{(\w+)\}|\{[ ]+(\w+)[ ]*\}|\{(\w+)[ ]+\}|%(\w+)%|\$(\w+)|<(\w+)>`)
	for _, t := range tokens {
		if t.Kind != lines.Text {
			continue
		}
		text := file.Slice(t.Span)
		for at := pattern.Find(text, 0); at != nil; at = pattern.Find(text, at[1]) {
			written := text[at[0]:at[1]]
			name := strings.Trim(written, "${}#<>% ")
			if !names[name] || strings.HasPrefix(name, "{") {
				continue
			}
			span := source.Span{Start: t.Span.Start + source.Pos(at[0]), End: t.Span.Start + source.Pos(at[1])}
			found = append(found, source.Diagnostic{
				Code: "flow.variable", Severity: source.SeverityWarning, Span: span, Message: "write a variable as {" + name + "}, not " + written,
				Fixes: []source.Fix{{Title: "Write {" + name + "}", Edits: []source.Edit{{Span: span, Text: "{" + name + "}"}}}},
			})
		}
	}
	return found
}
