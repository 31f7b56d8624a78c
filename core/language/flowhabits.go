package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// lineHabits are faults of the line-based notations: quotes, arrows, lists and signs at the ends of
// lines.
func lineHabits() []habit.Habit {
	return []habit.Habit{
		{Pattern: `^[ \t]*((?:flowchart|graph|digraph|strict|stateDiagram-v2|stateDiagram|sequenceDiagram|@startuml|@enduml|classDef|class|style|title|direction|subgraph|rankdir|node|edge|note|skinparam|linkStyle|click|legend|header|footer|!theme|!include)\b.*|:[^\n"]*;|\(\*\)[^\n"]*|<[^\n"]*>)$`, Message: "unsupported line $0 of another notation", Write: ""},
		{Pattern: `[\s(]('([^'"\n]*)')`, Message: "quote texts with \", not with '", Write: `"$2"`},
		{Pattern: `([“”„«]([^“”„"»\n]*)["“”»])`, Message: "quote texts with \", not with “", Write: `"$2"`},
		{Pattern: `("([^“”„"»\n]*)[“”»])`, Message: "quote texts with \", not with “", Write: `"$2"`},
		{Pattern: "(`([^`\"\n]*)`)", Message: "quote texts with \", not with `", Write: `"$2"`},
		{Pattern: `[\w")}][ \t]+(-(?:\[[^\]\n]*\]|\w+)-+>|-(?:\[[^\]\n]*\]|\w+)->)[ \t]+[\w"]`, Message: `unknown arrow $0; write "->"`, Write: "->"},
		{Pattern: `[\w")][ \t]*(\[[ \t]*\w+[ \t]*=[^\]\n]*\][ \t]*;?)[ \t]*$`, Message: "unexpected attributes $0", Write: ""},
		{Pattern: `^[ \t]*([{\[])[ \t]*(?:ask|accept|stop|start|let)\b`, Message: "unexpected $0 at the beginning of a line", Write: ""},
		{Pattern: `^[ \t]*([-*•+]|\d+[.)])[ \t]+\S`, Message: "unexpected $0 at the beginning of a line", Write: ""},
		{Pattern: `[\w")](;|,)[ \t]*$`, Message: "unexpected $0 at the end of a line", Write: ""},
		{Pattern: `[\w")}][ \t]+(=>|--+>|==+>|—>|–>|⇒|⟶|⟹|~>|->>|>>|\|>|--|➜|➔|➝|➞|➡|⇨|►|▶|↦|- +>|-&gt;|--&gt;|\.->|-\.->|\.\.>)[ \t]+[\w"]`, Message: `unknown arrow $0; write "->"`, Write: "->"},
		{Pattern: `^[ \t]*(([\w./]+)(?:-->|->|→|=>)([\w./]+))`, Message: "missing spaces around the arrow", Write: "$2 -> $3"},
	}
}

// flowHabits are constructs of Mermaid, DOT, PlantUML, YAML and programs.
func flowHabits() []habit.Habit {
	const (
		unknown = `unknown keyword $0; write "`
		stopped = `fail|failure|failed|reject|rejected|abort|aborted|exit|quit|halt|STOP|Stop|cancel|error|terminate|END|End|end|\[\*\]|null|None|nil|return|break`
	)
	return slices.Concat(commentHabits("#"), []habit.Habit{
		{Propose: keywordLine},
		{Propose: unnamed},
		{Pattern: `^[ \t]*([\w.-]+[ \t]+--[ \t]*"?([\w-]+)"?[ \t]*--+>)[ \t]*[\w.-]+[ \t]*;?[ \t]*$`, Message: "write an answer as (answer ->), not $0", Write: "$2 ->"},
		{Pattern: `^[ \t]*([\w.-]+[ \t]*->[ \t]*([\w.-]+)[ \t]*\[[ \t]*label[ \t]*=[ \t]*("[^"\n]*")[ \t]*\][ \t]*;?)[ \t]*$`, Message: "write an answer as (answer ->), not $0", Write: "$3 -> $2"},
		{Pattern: `->[ \t]*(as)[ \t]+"`, Message: `missing target of the answer before "as"`, Write: "stop as"},
		{Pattern: `^[ \t]+(?:"[^"\n]*"|[\w.-]+)[ \t]+(as)[ \t]+"[^"\n]*"[ \t]*$`, Message: `missing target of the answer before "as"`, Write: "-> stop as"},
		{Pattern: `->[ \t]*([(\[<]+[ \t]*([\w.-]+)[ \t]*[)\]>]+)[ \t]*(?:$|as\b)`, Message: "write the name of a target without brackets: $2", Write: "$2"},
		{Propose: separated},
	}, lineHabits(), []habit.Habit{
		{Propose: closeQuote("flow.text")},
		{Pattern: `\bas[ \t]+([^"\s][^"\n]*")[ \t]*$`, Message: "missing opening quote before $0", Write: `"$1`},
		{Pattern: `^[ \t]*(?:ask|accept|stop)[ \t]+[\w.-]+[ \t]+([^"\s:=][^"\n]*")[ \t]*$`, Message: "missing opening quote before $0", Write: `"$1`},
		{Pattern: `^[ \t]*(?:ask|accept|stop|let)[ \t]+("(_+)")[ \t]+"`, Message: "write a name without quotes: $2", Write: "$2"},
		{Pattern: `^[ \t]*start[ \t]+("(_+)")[ \t]*$`, Message: "write a name without quotes: $2", Write: "$2"},
		{Pattern: `^[ \t]*let[ \t]+([{<\[(]+(\w+)[}>\])]+)[ \t]*"`, Message: "write a variable without braces after \"let\": $2", Write: "$2"},
		{Pattern: `^[ \t]*let[ \t]+([\w.-]+)[ \t]*$`, Message: "missing value of the variable $0", Write: `$1 ""`},
		{Pattern: `^[ \t]*let[ \t]+[\w.-]+(,|;)[ \t]*"`, Message: `unexpected $0 in a "let" line`, Write: ""},
		{Pattern: `^[ \t]*ask[ \t]+(start|accept|let|in|ask|next|stop)[ \t]+"`, Message: "$0 is reserved and cannot be a name", Write: "$1_1", None: true},
		{Pattern: `\bas[ \t]+"[^"\n]*"([ \t]+as[ \t]+"[^"\n]*")`, Message: "an answer has one text; unexpected $0", Write: ""},
		{Pattern: `^[ \t]*(?:ask|accept|stop|let)[ \t]+[\w.-]+[ \t]+"[^"\n]*"([ \t]+"[^"\n]*")`, Message: "unexpected second text $0", Write: ""},
		{Pattern: `^[ \t]*(in[-_ \t]*any[-_ \t]*order|in[-_ \t]+order|any[-_ \t]*order|In[ \t]+[Aa]ny[ \t]+[Oo]rder|IN[ \t]+ANY[ \t]+ORDER)[ \t]+[\w.-]+[ \t]*\{`, Message: unknown + `in any order"`, Write: "in any order"},
		{Pattern: `^[ \t]*in[ \t]+any[ \t]+order[ \t]+([\w.-]+)[ \t]*\n[ \t]*ask\b`, Message: `missing "{" after the name of the block $0`, Write: "$1 {"},
		{Propose: openChecks},
		{Propose: firstAnswers},
		{Pattern: `^[ \t]*ask[ \t]+[\w.-]+(\([ \t]*("[^"\n]*")[ \t]*\))`, Message: "unexpected parentheses around the question", Write: " $2"},
		{Pattern: `^[ \t]*ask[ \t]+[\w.-]+[ \t]+"[^"\n]*"[ \t]*(->)[ \t]*[\w.-]+[ \t]*$`, Message: `missing answer before $0`, Write: "yes ->"},
		{Pattern: `^[ \t]+[\w.-]+[ \t]*->[ \t]*[\w.-]+([ \t]*->[ \t]*[\w.-]+)[ \t]*$`, Message: "an answer has one target; unexpected $0", Write: ""},
		{Pattern: `^[ \t]*(\|[ \t]*([\w-]+)[ \t]*\|)[ \t]*[\w.-]+[ \t]*$`, Message: "write an answer as (answer ->), not $0", Write: "$2 ->"},
		{Pattern: `(?:^|[ \t])(([\w.]+)(?:->|→|=>|-->)([\w.]+))`, Message: "missing spaces around the arrow", Write: "$2 -> $3"},
		{Pattern: `^[ \t]*(([\w.-]+)[ \t]*("[^"\n]*")[ \t]*->[ \t]*([\w.-]+))[ \t]*$`, Message: `write "as" after the target: $2 -> $4 as "…"`, Write: "$2 -> $4 as $3"},
		{Pattern: `^[ \t]*ask[ \t]+(([A-Za-z][\w-]*)[ \t]+([A-Za-z][\w-]*))[ \t]+"`, Message: "write a name as one word, not $0", Write: "$2"},
		{Pattern: `^[ \t]*ask[ \t]+(([A-Za-z][\w-]*)[ \t]+([A-Za-z][\w-]*))[ \t]+"`, Message: "write a name as one word, not $0", Write: "$2_$3"},
		{Pattern: `^[ \t]*ask[ \t]+(("[^"\n]*")[ \t]+([\w.-]+))[ \t]*$`, Message: "write the name before the question: $3", Write: "$3 $2"},
		{Pattern: `^[ \t]*(([\w-]+)[ \t]*(?:\(\[|\(\()[ \t]*"?([^"\[\](){}\n]*?)"?[ \t]*(?:\]\)|\)\)))[ \t]*$`, Message: "write an end as (accept name \"…\"), not $0", Write: `accept $2 "$3"`},
		{Pattern: `^[ \t]*(([\w-]+)[ \t]*[\[({]+[ \t]*"?([^"\[\](){}\n]*?)"?[ \t]*[\])}]+)[ \t]*$`, Message: "write a question as (ask name \"…\"), not $0", Write: `ask $2 "$3"`},
		{Pattern: `^[ \t]*(?:"[^"\n]*"|[\w.-]+)[ \t]+(<-+|←|<=)[ \t]+[\w.-]+`, Message: `unknown arrow $0; write "->"`, Write: "->"},
		{Pattern: `->[ \t]*[\w.-]+(,(?:[ \t]*[\w.-]+,?)+)[ \t]*$`, Message: "an answer has one target; unexpected $0", Write: ""},
		{Propose: conditioned},
		{Pattern: `^[ \t]*(if[ \t]*\(([^()\n]*)\)[ \t]*then\b[^\n]*)$`, Message: `unsupported line $0; write (ask name "…") and its answers`, Write: ""},
		{Pattern: `^[ \t]*(("[^"\n]*"|[\w.-]+)[ \t]+as[ \t]+("[^"\n]*")[ \t]*->[ \t]*([\w.-]+))`, Message: `write "as" after the target of an answer`, Write: "$2 -> $4 as $3"},
		{Pattern: `->[ \t]*[\w.-]+[ \t]*([(\[]("[^"\n]*")[)\]])`, Message: `write "as" before the text of an answer, not $0`, Write: " as $2"},
		{Pattern: `^[ \t]*(?:in[ \t]+any[ \t]+order)[ \t]+[\w.-]+[ \t]*([:(\[]|do\b|begin\b|->)[ \t]*$`, Message: `unexpected $0; write "{" before the questions of a block`, Write: " {"},
		{Pattern: `^[ \t]*(\)|\]|end|done|end fork|join)[ \t]*->`, Message: `unexpected $0; a block ends with "}"`, Write: "}"},
		{Pattern: `^[ \t]*\}([ \t]*(?:=>|-->|:|then|to|=)?[ \t]+)[\w.-]+[ \t]*$`, Message: `missing "->" after the block`, Write: " -> "},
		{Pattern: `^[ \t]*([A-Za-z]\w*:)[ \t]*$`, Message: "unexpected line $0", Write: ""},
		{Pattern: `^[ \t]*(stop|accept)[ \t]*$`, Message: "missing name after $0", Write: ""},
		{Propose: nameless},
		{Pattern: `^[ \t]*(start)[ \t]*$`, Message: "expected the name of a question after $0", Write: ""},
		{Pattern: `^[ \t]*(([\w.-]+)[ \t]*[:=])[ \t]*"[^"\n]*"[ \t]*\n[ \t]*[^\s"]+[ \t]*->`, Message: `write "ask" before the name of a question: $2`, Write: "ask $2"},
		{Pattern: `^[ \t]*(?:accept|stop|ask)[ \t]+[\w.-]+[ \t]+(as)[ \t]+"`, Message: "unexpected $0 after the name", Write: ""},
		{Pattern: `^[ \t]*((?:if|when|on|case)[ \t]+([\w-]+)[ \t]*(?:\bthen|\bgoto|:)[ \t]+)`, Message: `write an answer as "yes -> name", not $0`, Write: "$2 -> "},
		{Pattern: `^[ \t]*(case|on|when|if|answer|option|choice)[ \t]+[\w-]+[ \t]*->`, Message: "unexpected $0 before an answer", Write: ""},
		{Pattern: `->[ \t]*(accept|goto|go to|state|end|question|node|stop)[ \t]+[\w.-]+[ \t]*$`, Message: "unexpected $0 before the name of a target", Write: ""},
		{Pattern: `^[ \t]*(([\w-]+)[ \t]*(?:,|\||/|or|and)[ \t]*([\w-]+)[ \t]*->[ \t]*([\w.-]+))`, Message: "write the target after each answer, not $0", Write: "$2 -> $4 $3 -> $4"},
		{Pattern: `^[ \t]*(multiple|multi|many|choose|select|several|any|all|multiselect)(?:[ \t]+[\w-]+)+[ \t]*->`, Message: unknown + `some"`, Write: "some"},
		{Pattern: `^[ \t]*(question|Question|q|Ask|ASK|aks|asks|asl|sak|aask|userTask|serviceTask|exclusiveGateway|inclusiveGateway|parallelGateway|activity|process|decision|if|If|while|node|state|step|task|when|is|query|prompt|choice|case|switch|check|test|gateway|input|quest|rhombus|diamond|Q:|A:|ask:|question:|Q\d*[.:]?)[ \t]+[\w.-]+[ \t]+"`, Message: unknown + `ask"`, Write: "ask"},
		{Pattern: `^[ \t]*(success|finish|final|ok|done|good|pass|end|terminal|accepted|Accept|ACCEPT|acept|accpet|accepts|outcome|result|goal|return|final_state|endEvent|EndEvent|endevent|end_event|accept:|success:|end:|final:|done:)[ \t]+[\w.-]+(?:[ \t]+"|[ \t]*$)`, Message: unknown + `accept"`, Write: "accept"},
		{Pattern: `^[ \t]*((?:` + stopped + `|stop):?)[ \t]+[\w.-]+(?:[ \t]+"|[ \t]*$)`, Message: unknown + `stop"`, Write: "stop"},
		{Pattern: `^[ \t]*(begin|Start|START|initial|entry|start:|start[ \t]*->|start[ \t]*=|init|first)[ \t]+[\w.-]+[ \t]*$`, Message: unknown + `start"`, Write: "start"},
		{Pattern: `^[ \t]*(set|var|const|def|define|variable|param|Let|LET|val|local|assign|given)[ \t]+[\w.-]+`, Message: unknown + `let"`, Write: "let"},
		{Pattern: `^[ \t]*let[ \t]+[\w.-]+[ \t]*(=|:=|:|to|be|is|as)[ \t]*["\w]`, Message: `unexpected $0 before the text in a "let" line`, Write: ""},
		{Pattern: `^[ \t]*let[ \t]+[\w.-]+[ \t]+([^"\s=:][^"\n]*?)[ \t]*$`, Message: "quote the value $0", Write: `"$1"`},
		{Pattern: `^[ \t]*in[ \t]+any[ \t]+order[ \t]*(\{)`, Message: "missing name of the block before $0", Write: "checks {"},
		{Pattern: `^[ \t]*((?:in[ \t]+)?(?:any[ \t]+\w+|\w+[ \t]+order|anyorder|order|parallel|random[ \t]+order|arbitrary[ \t]+order)|unordered|fork|all)[ \t]+[\w.-]+[ \t]*\{`, Message: unknown + `in any order"`, Write: "in any order"},
		{Pattern: `->[ \t]*[\w.-]+[ \t]*(:|,|-|–|=|;)[ \t]*"`, Message: `unexpected $0; write "as" before a text`, Write: " as"},
		{Pattern: `->[ \t]*[\w.-]+[ \t]+("[^"\n]*")`, Message: `write "as" before the text of an answer`, Write: "as $1"},
		{Pattern: `->[ \t]*[\w.-]+[ \t]+(as:|As|AS|label|text|say|says|with|because|note)[ \t]*"`, Message: unknown + `as"`, Write: "as"},
		{Pattern: `\bas[ \t]+([^"\s'][^"\n]*?)[ \t]*$`, Message: "quote the text $0", Write: `"$1"`},
		{Propose: within}, {Propose: entered}, {Propose: unanswered}, {Propose: endNamed},
		{Pattern: `->[ \t]*(stpo|sotp|tsop|sto|stopp|stops)\b`, Message: `unknown question or end $0; did you mean "stop"?`, Write: "stop"},
		{Pattern: `^[ \t]*(("[^"\n]*"|[\w.-]+)[ \t]*->)[ \t]*$`, Message: "missing target of the answer $2", Write: "$2 -> stop"},
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
		{Pattern: `->[ \t]*[\w.-]+[ \t]+([\w.-]+(?:[ \t]+[\w.-]+)*)[ \t]*$`, Message: "an answer has one target; unexpected $0", Write: ""},
		{Pattern: `^[ \t]*[\w.-]+(,|;|:)[ \t]*->`, Message: "unexpected $0 before the arrow", Write: ""},
		{Pattern: `->[ \t]*[\w.-]+[ \t]+(next)[ \t]+[\w-]+[ \t]*->`, Message: "unexpected $0 after a target", Write: ""},
		{Pattern: `^[ \t]*(\}[ \t]*->[ \t]*[\w.-]+)[ \t]*$`, Message: `unmatched "}"`, Write: ""},
		{Propose: extraBrace},
		{Pattern: `^[ \t]*(\}|end|fi|endif|done)[ \t]*$`, Message: "unmatched $0", Write: ""},
		{Pattern: `^[ \t]*(([\w.-]+)[ \t]*(?::=|=|:))[ \t]*"`, Message: `write "let" before a variable: $2`, Write: "let $2"},
		{Pattern: `->[ \t]*("(_+)")[ \t]*$`, Message: "write the name of a target without quotes: $2", Write: "$2"},
		{Pattern: `^[ \t]*(->)[ \t]*[\w.-]+[ \t]*$`, Message: `missing "}" before the target of the block`, Write: "} ->"},
		{Pattern: `^[ \t]*(->)[ \t]*[\w.-]+[ \t]*$`, Message: "missing answer before $0", Write: "yes ->"},
		{Pattern: `^[ \t]*([\w.-]+)[ \t]+"[^"\n]*"[ \t]*$`, Message: `write "ask" before the name of a question: $0`, Write: "ask $1"},
		{Pattern: `^[ \t]+([\w.-]+)[ \t]+[\w.-]+(?:[ \t]+as[ \t]+"[^"\n]*")?[ \t]*$`, Message: "missing arrow after the answer $0", Write: "$1 ->"},
		{Propose: ownFix}, {All: nearNames}, {Propose: duplicateName}, {Propose: missingQuestion}, {Propose: targeted}, removing(map[string]repair{"flow.answer-twice": cutAnswer}),
	}, trailingComments())
}

// keywordLine corrects the first word of a line that has a name and a text: answers follow a question, the value
// of a variable is in a text, and an answer leads to an end.
func keywordLine(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	m := habit.NewPattern(`^[ \t]*([^\s"#]+)[ \t]+([\w.-]+)[ \t]+"[^"\n]*"[ \t]*(.*)$`).Find(text[:end], start)
	if m == nil || m[0] != start || fault.Code != "flow.line" && fault.Code != "flow.block" {
		return habit.Proposal{}
	}
	word, name, rest := text[m[2]:m[3]], text[m[4]:m[5]], text[m[6]:m[7]]+"\n"+text[min(end+1, len(text)):]
	meant := ""
	for _, k := range []string{"ask", "accept", "stop", "let"} {
		if source.Distance(strings.ToLower(word), k, 3) < min(3, len(k)-1) && (meant == "" || source.Distance(strings.ToLower(word), k, 3) < source.Distance(strings.ToLower(word), meant, 3)) {
			meant = k
		}
	}
	if habit.Match(`\s*(?:some\b|(?:[\w.-]+|"[^"\n]*")[ \t]*->)`, rest) != nil && meant != "" {
		meant = "ask"
	}
	if meant == "" || word == meant || meant == "let" && !strings.Contains(text, "{"+name+"}") {
		return habit.Proposal{}
	}
	return edited(source.Pos(m[2]), source.Pos(m[3]), meant, "Write "+meant, "unknown word "+habit.Quote(word)+"; did you mean "+habit.Quote(meant)+"?")
}

// firstAnswers moves the answers before the first question to the lines after it.
func firstAnswers(text string, fault source.Diagnostic) (p habit.Proposal) {
	ask := habit.NewPattern(`^[ \t]*ask[ \t]+[\w.-]+[ \t]+"[^"\n]*"[ \t]*$`).Find(text, int(fault.Span.End))
	start, _ := lineAt(text, fault.Span.Start)
	answer := `[ \t]*(?:"[^"\n]*"|[\w.-]+)[ \t]*->[ \t]*[\w.-]+[^\n]*\n`
	m := habit.Match(`(?:`+answer+`)+`, text[start:])
	if fault.Code != "flow.answer" || ask == nil || m == nil || habit.Match(`\n[ \t]+\S+[ \t]*->`, text[ask[1]:]) != nil || habit.NewPattern(`^[ \t]*ask\b`).Find(text[:start], 0) != nil {
		return p
	}
	end := source.Pos(start + len(m[0]))
	at := source.Pos(ask[1])
	return habit.Proposal{At: fault.Span, Title: "Move it after the question", Message: fault.Message, Edits: []source.Edit{
		{Span: source.Span{Start: source.Pos(start), End: end}}, {Span: source.Span{Start: at, End: at}, Text: "\n" + strings.TrimRight(m[0], "\n")},
	}}
}

// openChecks closes a block of questions before the next line that is not indented more than the block.
func openChecks(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "flow.brace" || habit.NewPattern(`^[ \t]*->`).Find(text, int(fault.Span.Start)) != nil {
		return p
	}
	p = blockEnd(text, fault.Span)
	next := habit.NewPattern(`^[ \t]*(?:in any order|ask|accept|stop)[ \t]+([\w.-]+)`).Find(text, int(p.Edits[0].Span.Start))
	if next == nil {
		return habit.Proposal{}
	}
	p.Edits[0].Text += " -> " + text[next[2]:next[3]]
	return p
}

// defined offers to add an end for each target that does not exist and resembles no name.
func defined(s *notation.Scope, a *notation.Analysis) {
	for i, d := range a.Diagnostics {
		if name := s.File.Slice(d.Span); d.Code == "flow.unknown" && len(d.Fixes) == 0 && habit.Match(`[A-Za-z][\w.-]*$`, name) != nil && name != "next" {
			edits := []source.Edit{{Span: source.Span{Start: source.Pos(len(s.File.Text)), End: source.Pos(len(s.File.Text))}, Text: "\naccept " + name}}
			if !source.HasErrors(checkText(s, checkFlow)(source.Apply(s.File.Text, edits))) {
				a.Diagnostics[i].Fixes = []source.Fix{{Title: "Add accept " + name, Edits: edits}}
			}
		}
	}
}

// within replaces the target of an answer in a block by "next": the questions of a block
// are asked in any order, so an answer cannot choose the next question.
func within(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Code != "flow.unknown" {
		return habit.Proposal{}
	}
	before := text[:fault.Span.Start]
	if open := strings.LastIndex(before, "order"); open < 0 || strings.Count(before[open:], "{") <= strings.Count(before[open:], "}") {
		return habit.Proposal{}
	}
	word := text[fault.Span.Start:fault.Span.End]
	return edited(fault.Span.Start, fault.Span.End, "next", "Write next", "unexpected target "+habit.Quote(word)+` in a block; write "next" or "stop"`)
}

// duplicateName removes the second definition of an end, and renames the second question
// of two with the same name.
func duplicateName(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "flow.twice" {
		return p
	}
	start, end := lineAt(text, fault.Span.Start)
	if m := habit.NewPattern(`^[ \t]*((?:accept|stop)[ \t]+\S+(?:[ \t]+"[^"\n]*")?[ \t]*)$`).Find(text[:end], start); m != nil && m[0] == start {
		p = edited(source.Pos(start), source.Pos(min(end+1, len(text))), "", "Remove it", fault.Message)
	} else if name := undefined(text); name != "" {
		p = edited(fault.Span.Start, fault.Span.End, name, "Write "+name, fault.Message)
	} else {
		p = edited(fault.Span.End, fault.Span.End, "_2", "Rename it", fault.Message)
	}
	p.At = fault.Span
	return p
}

// missingQuestion adds the text of a question.
func missingQuestion(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code == "flow.question" {
		name := text[fault.Span.Start:fault.Span.End]
		p = edited(fault.Span.End, fault.Span.End, ` "`+strings.ToUpper(name[:1])+name[1:]+`?"`, "Add a question", fault.Message)
		p.At = fault.Span
	}
	return p
}

// nameless adds the missing name of a question: the first target that is not defined, or
// "question".
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

// conditioned rewrites a PlantUML condition as a question, and names it by the first target
// that is not defined.
func conditioned(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	m := habit.NewPattern(`^[ \t]*(if[ \t]*\(([^()"\n]*)\)[ \t]*(?:then|is)\b[^\n]*)$`).Find(text[:end], start)
	name := undefined(text)
	if m == nil || m[0] != start || name == "" {
		return habit.Proposal{}
	}
	question := "ask " + name + ` "` + text[m[4]:m[5]] + `"`
	return edited(source.Pos(m[2]), source.Pos(m[3]), question, "Write "+question, "unsupported line "+habit.Quote(text[m[2]:m[3]])+`; write (ask name "…") and its answers`)
}

// unnamed rewrites a YAML key as a question or a PlantUML activity as an end, and names it by the
// first target that is not defined.
func unnamed(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	name := undefined(text)
	if name == "" {
		return habit.Proposal{}
	}
	for _, form := range []struct{ pattern, keyword string }{
		{`^[ \t]*((?:question|Question|ask|q|Q|text|prompt|title)[ \t]*[:=][ \t]*("[^"\n]*"))`, "ask"},
		{`^[ \t]*(:([^;"\n]*);)[ \t]*$`, "accept"},
	} {
		m := habit.NewPattern(form.pattern).Find(text[:end], start)
		if m == nil || m[0] != start {
			continue
		}
		written := form.keyword + " " + name + ` "` + strings.Trim(text[m[4]:m[5]], `"`) + `"`
		return edited(source.Pos(m[2]), source.Pos(m[3]), written, "Write "+written, "unsupported line "+habit.Quote(text[m[2]:m[3]])+"; write ("+form.keyword+` name "…")`)
	}
	return habit.Proposal{}
}

// targeted adds the missing target of a block, or replaces "next" outside a block. The new target
// is the next question or end in the text or, if none follows, the last one before.
func targeted(text string, fault source.Diagnostic) (p habit.Proposal) {
	next := fault.Code == "flow.unknown" && text[fault.Span.Start:fault.Span.End] == "next"
	if !next && (fault.Code != "flow.block" || text[fault.Span.Start:fault.Span.End] != "}") {
		return p
	}
	pattern := habit.NewPattern(`^[ \t]*(?:ask|accept|stop)[ \t]+([\w.-]+)[ \t]+"`)
	m := pattern.Find(text, int(fault.Span.End))
	if m == nil {
		line, _ := lineAt(text, fault.Span.Start)
		for at := pattern.Find(text[:line], 0); at != nil; at = pattern.Find(text[:line], at[1]) {
			m = at
		}
	}
	if m == nil {
		return p
	}
	if name := text[m[2]:m[3]]; next {
		p = edited(fault.Span.Start, fault.Span.End, name, "Write "+name, fault.Message)
	} else {
		p = edited(fault.Span.End, fault.Span.End, " -> "+name, "Write -> "+name, fault.Message)
	}
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
		Check:  checkText(s, checkFlow),
		Repair: &habit.Repair{Keywords: keywords(flowWords()), Signs: []string{"->", "{", "}"}, Words: []string{"as", "ask", "accept", "stop", "let", "in", "any", "order", "start"}, Skip: []string{"flow.no-answer", "flow.no-accept", "flow.empty"}, Closers: "#}"},
	}, "flow.unreachable", "flow.no-accept", "flow.variable", "flow.loop")
	parse := []string{"flow.line", "flow.name", "flow.let", "flow.question", "flow.text", "flow.answer", "flow.block", "flow.brace", "flow.some"}
	a.Diagnostics = withoutFollowing(a.Diagnostics, map[string][]string{
		"flow.no-answer": parse, "flow.unknown": append(parse, "flow.twice"), "flow.empty": parse,
	})
	defined(s, a)
	if a.Sound() {
		repaired(s, a, checkFlow, "Remove it", map[string]repair{"flow.unreachable": cutStatement, "flow.let-twice": cutLet})
		addApart(a, openVariables(s.File))
		addApart(a, unusedValues(s.File, a.Diagnostics))
		a.Add(templateVariables(s.File, "flow.variable", `\blet[ \t]+(\w+)`)...)
		addApart(a, oddNames(s.File, "flow.mark"))
		addApart(a, markedAnswers(s.File))
	}
}

// unusedValues warns of variables that no text contains. A misspelt or open variable may mean them.
func unusedValues(file *source.File, found []source.Diagnostic) (out []source.Diagnostic) {
	if slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == "flow.variable" || d.Code == "flow.mark" }) {
		return nil
	}
	used := map[string]bool{}
	list := flow.Occurrences(file)
	for _, o := range list {
		used[o.Name] = used[o.Name] || o.Kind == flow.KindVariable && !o.Defines
	}
	for _, o := range list {
		if o.Kind != flow.KindVariable || !o.Defines || used[o.Name] {
			continue
		}
		d := source.Diagnostic{Code: "flow.let-unused", Severity: source.SeverityWarning, Span: o.Span, Message: "unused variable " + habit.Quote(o.Name) + ": no text contains {" + o.Name + "}"}
		if edits := cutLet(file.Text, o.Span); edits != nil {
			d.Fixes = []source.Fix{{Title: "Remove it", Edits: edits}}
		}
		out = append(out, d)
	}
	return out
}

// openVariables warns of a brace before the name of a variable that is not closed.
func openVariables(file *source.File) (found []source.Diagnostic) {
	declared := habit.NewPattern(`\blet[ \t]+([\w.-]+)[ \t]+"`)
	for m := declared.Find(file.Text, 0); m != nil; m = declared.Find(file.Text, m[1]) {
		name := file.Text[m[2]:m[3]]
		for _, form := range []struct{ pattern, missing, write string }{
			{`(\{` + escape(name) + `)(?:[^\w}{.-]|$)`, "}", "{" + name + "}"},
			{`(\{` + escape(name) + `[)\]>])`, "}", "{" + name + "}"},
			{`(?:^|[^\w{.-])(` + escape(name) + `\})`, "{", "{" + name + "}"},
			{`([(\[<]` + escape(name) + `\})`, "{", "{" + name + "}"},
		} {
			open := habit.NewPattern(form.pattern)
			for _, t := range lines.Lex(file.Text) {
				if t.Kind != lines.Text {
					continue
				}
				text := file.Slice(t.Span)
				for at := open.Find(text, 0); at != nil; at = open.Find(text, at[3]) {
					span := source.Span{Start: t.Span.Start + source.Pos(at[2]), End: t.Span.Start + source.Pos(at[3])}
					found = append(found, source.Diagnostic{
						Code: "flow.mark", Severity: source.SeverityWarning, Span: span, Message: `missing "` + form.missing + `" of the variable {` + name + "}",
						Fixes: []source.Fix{{Title: "Write " + form.write, Edits: []source.Edit{{Span: span, Text: form.write}}}},
					})
				}
			}
		}
	}
	return found
}

func checkFlow(s *notation.Scope) []source.Diagnostic {
	_, found := CompileFlow(s.File)
	return found
}

// templateVariables reports variables that are written as in other templates. The first group of a
// pattern is the name of a variable where it is declared.
func templateVariables(file *source.File, code, declared string) (found []source.Diagnostic) {
	names := map[string]bool{}
	declaration := habit.NewPattern(declared)
	for at := declaration.Find(file.Text, 0); at != nil; at = declaration.Find(file.Text, at[1]) {
		names[file.Text[at[2]:at[3]]] = true
	}
	if len(names) == 0 {
		return nil
	}
	pattern := habit.NewPattern(`\$\{(\w+)\}|\{\{[ ]*(\w+)[ ]*\}\}|#\{(\w+)\}|\{[ ]+(\w+)[ ]*\}|\{(\w+)[ ]+\}|%(\w+)%|\$(\w+)|<(\w+)>|\$\((\w+)\)|%\((\w+)\)s|\[(\w+)\]|@(\w+)@?`)
	for _, t := range lines.Lex(file.Text) {
		if t.Kind != lines.Text {
			continue
		}
		text := file.Slice(t.Span)
		for at := pattern.Find(text, 0); at != nil; at = pattern.Find(text, at[1]) {
			written := text[at[0]:at[1]]
			name := strings.Trim(strings.TrimSuffix(written, ")s"), "${}#<>%()[]@ ")
			if !names[name] || strings.HasPrefix(name, "{") {
				continue
			}
			span := source.Span{Start: t.Span.Start + source.Pos(at[0]), End: t.Span.Start + source.Pos(at[1])}
			found = append(found, source.Diagnostic{
				Code: code, Severity: source.SeverityWarning, Span: span, Message: "write a variable as {" + name + "}, not " + written,
				Fixes: []source.Fix{{Title: "Write {" + name + "}", Edits: []source.Edit{{Span: span, Text: "{" + name + "}"}}}},
			})
		}
	}
	return found
}
