package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// pushdownHabits are constructs of textbooks, JFLAP, DOT and programs.
func pushdownHabits() []habit.Habit {
	const (
		unknown = `unknown keyword $0; write "`
		label   = "write a label in parentheses: (read, pop; push), not $0"
		state   = `[\w./"-]+`
		item    = `[^\s(),;|/]+`
	)
	return slices.Concat(commentHabits("#"), []habit.Habit{
		{Propose: closeQuote("pda.text")},
		{Pattern: `\([^()\n]*?(` + "\u037e" + `)[^()\n]*\)`, Message: `unexpected $0, a Greek question mark; write ";"`, Write: ";"},
		{Pattern: `^[ \t]*` + state + `[ \t]*->[ \t]*` + state + `[ \t]+([\w.!?-]+|"[^"\n]*")[ \t]*$`, Message: label, Write: "($1, *; *)"},
		{Propose: startSymbol},
		{Pattern: `\bin[ \t]+((\w+[ \t]*\.\.[ \t]*\w+)[ \t]*(?:\.\.|:|,|;)[ \t]*[-+]?\d+)[ \t]*\{`, Message: "ranges have no step; write a range as (1..3), not $0", Write: "$2", None: true},
		{Pattern: `\bin[ \t]+(\w+[ \t]*:[ \t]*\w+[ \t]*:[ \t]*[-+]?\d+|range[ \t]*\([^(),\n]*,[^(),\n]*,[ \t]*-?(?:[2-9]|\d\d+)[ \t]*\)|\[\w+[ \t]*,[ \t]*\w+[ \t]*\.\.[ \t]*\w+\])`, Message: "ranges have no step; write a list of values as [6 4 2], not $0", Write: "[6 4 2]", None: true},
		{Pattern: `\bin[ \t]+\S+[ \t]+((?:step|by|every|STEP|BY|increment|stride|skip)[ \t]*=?[ \t]*[-+]?\d+)`, Message: "ranges have no step; write a list of values instead of $0", Write: "", None: true},
		{Pattern: `^[ \t]*(\|[ \t]*(` + state + `)[ \t]*\|[ \t]*(` + item + `)[ \t]*\|[ \t]*(` + item + `)[ \t]*\|[ \t]*(` + state + `)[ \t]*\|[ \t]*(` + item + `(?:[ \t]+` + item + `)*)[ \t]*\|)[ \t]*$`, Message: "write a row of a table as q0 -> q1 (a, Z; S)", Write: "$2 -> $5 ($3, $4; $6)"},
		{Pattern: `^[ \t]*((?:δ|delta|d|t|T)[ \t]*\([ \t]*([^\s,()]+)[ \t]*,[ \t]*([^\s,()]+)[ \t]*,[ \t]*([^\s,()]+)[ \t]*\)[ \t]*(?:=|->|→|∋|:)[ \t]*[{(]+[ \t]*([^\s,(){}]+)[ \t]*,[ \t]*([^,(){}]*?)[ \t]*[})]+)`, Message: "write a transition as q0 -> q1 (a, Z; S)", Write: "$2 -> $5 ($3, $4; $6)"},
		{Pattern: `^[ \t]*((` + state + `)[ \t]+(` + item + `)[ \t]+(` + item + `)[ \t]*(?:->|→|=>|=|:)[ \t]*(` + state + `)[ \t]+(` + item + `(?:[ \t]+` + item + `)*))[ \t]*$`, Message: "write a transition as q0 -> q1 (a, Z; S)", Write: "$2 -> $5 ($3, $4; $6)"},
		{Pattern: `^[ \t]*((` + state + `)[ \t]*-+\[?[ \t]*(` + item + `)[ \t]*[,;][ \t]*(` + item + `)[ \t]*(?:/|;|,|\||->|→)[ \t]*([^\s\[\]>;,-]+)[ \t]*\]?-+>[ \t]*(` + state + `))[ \t]*;?[ \t]*$`, Message: "write the label after the states: q0 -> q1 (a, Z; S)", Write: "$2 -> $6 ($3, $4; $5)"},
		{Pattern: `^[ \t]*(([\w./]+)[ \t]*-+\[?[ \t]*("[^"\n]*"|[\w.!?]+)[ \t]*\]?-+>[ \t]*([\w./]+))[ \t]*$`, Message: "write the label after the states: q0 -> q1 (a, Z; S)", Write: "$2 -> $4 ($3, *; *)"},
		{Pattern: `->[ \t]*` + state + `[ \t]*(\[[ \t]*label[ \t]*=[ \t]*"([^"\n]*)"[ \t]*\][ \t]*;?)`, Message: label, Write: " ($2)"},
		{Pattern: `^[ \t]*((` + state + `)[ \t]*,[ \t]*(` + state + `)[ \t]*->([^\n]*))$`, Message: "write a transition for each state: $2, $3", Write: "$2 ->$4\n$3 ->$4"},
		{Pattern: `^[ \t]*(from|transition:?|trans:?|transitions:|edge|move|rule|when|t:)[ \t]+` + state + `[ \t]*(?:->|to\b|,)`, Message: "unexpected $0 before a transition", Write: ""},
		{Pattern: `^[ \t]*((?:->|\[\*\][ \t]*-+>)[ \t]*(` + state + `))[ \t]*$`, Message: `write the start as (start q0 Z), not $0`, Write: "start $2"},
		{Pattern: `^[ \t]*((?:->|\[\*\][ \t]*-+>)[ \t]*` + state + `|` + state + `[ \t]*-+>[ \t]*\[\*\])[ \t]*$`, Message: `unsupported line $0; write "start" and "accept"`, Write: ""},
		{Pattern: `\(([ \t]*(` + item + `)[ \t]+(` + item + `)[ \t]*,([^(),;]*;[^();]*))\)`, Message: "a transition reads one letter, not $0", Write: "$2,$4) ($3,$4"},
		{Pattern: `\([ \t]*` + item + `[ \t]*,[ \t]*((` + item + `)(?:[ \t]+` + item + `)+)[ \t]*;`, Message: "a transition pops one symbol, not $0", Write: "$2"},
		{Pattern: `\([^();\n]+,[^();\n]+;[^();,\n]*[^\s();,](,)[ \t]*[^\s()]`, Message: "unexpected $0; separate stack symbols with spaces", Write: " "},
		{Pattern: `;[ \t]*(pop|Pop|POP|skip|none|nothing|nop|noop)[ \t]*\)`, Message: "$0 is a symbol; write ε to push none", Write: "ε"},
		{Pattern: `;[ \t]*(push|Push|PUSH)[ \t]+[^\s()]`, Message: "$0 is a symbol; write only the symbols to push", Write: ""},
		{Pattern: `(\([ \t]*([^\s,;()]+)[ \t]*;[ \t]*([^,;()\n]*)\))`, Message: "missing stack symbol after the letter: (read, pop; push)", Write: "($2, ε; $3)"},
		{Pattern: `\b(?:accept|start)\b[^\n"]*[ \t](and|or|&|\+)[ \t]`, Message: "unexpected $0 between states", Write: ""},
		{Pattern: `\bfor[ \t]*(\(([^();\n]*)\))[ \t]*\{`, Message: "write the variables of a family without parentheses", Write: " $2"},
		{Pattern: `^[ \t]*for\b[^\n{}]*?[\w\]]([ \t]*(?:\bdo|:|\bthen|\bbegin|->|=>)[ \t]*)$`, Message: `unexpected $0; write "{" before the transitions of a family`, Write: " {"},
		{Pattern: `\bfor\b[^\n{}]*?[\w\]]([ \t]+)\w+[ \t]+in[ \t]`, Message: `missing "," between the variables of a family`, Write: ", "},
		{Pattern: `\bfor\b[^\n{}]*?[\w\]][ \t]*(\bdo|:|\bthen|->|=>)[ \t]*\{`, Message: `unexpected $0 before "{"`, Write: ""},
		{Pattern: `\bif\b[^{}\n]*?[ \t](=>)[ \t]`, Message: `unknown operator $0; write ">="`, Write: ">="},
		{Pattern: `\bif\b[^{}\n]*?[ \t](=<)[ \t]`, Message: `unknown operator $0; write "<="`, Write: "<="},
		{Pattern: `[\w}](−|–)\d`, Message: `unknown operator $0; write "-"`, Write: "-"},
		{Pattern: `\bin[ \t]+([\[{(][ \t]*(\w+)[ \t]*\.\.[ \t]*(\w+)[ \t]*[\]})])`, Message: "write a range as (1..3), not $0", Write: "$2..$3"},
		{Pattern: `\bin[ \t]+((\w+)[ \t]+(?:downto|downTo|DOWNTO|TO|upTo|to|until|upto|through|till|down to|up to|through to|-|:)[ \t]+(\w+))`, Message: "write a range as (1..3), not $0", Write: "$2..$3"},
		{Pattern: `\bfor[ \t][^{}\n]*?([ \t]+(?:do|then|begin|:)[ \t]+([^{}\n]*?)[ \t]+(?:end|done|od|next|endfor)[ \t]*)$`, Message: "write the transitions of a family in { }, not $0", Write: " { $2 }"},
		{Propose: indentedFamily},
		{Propose: unknownBottom},
		{Pattern: `^[ \t]*(\d+[.:)]?|\(\d+\)|>+|\+|\$)[ \t]+(?:start|accept|limit|for|backwards|` + state + `[ \t]*->)[ \t]*`, Message: "unexpected $0 before the line", Write: ""},
		{Pattern: `\bfor[ \t]*(\([ \t]*(?:int[ \t]+|let[ \t]+|var[ \t]+)?(\w+)[ \t]*=[ \t]*(\d+)[ \t]*;[ \t]*\w+[ \t]*>[ \t]*0[ \t]*;[^()\n]*\))`, Message: "write the variable of a family as (h in 3..1), not $0", Write: " $2 in $3..1"},
		{Pattern: `\bfor[ \t]*(\([ \t]*(?:int[ \t]+|let[ \t]+|var[ \t]+)?(\w+)[ \t]*=[ \t]*(\d+)[ \t]*;[ \t]*\w+[ \t]*[<>]=?[ \t]*(\d+)[ \t]*;[^()\n]*\))`, Message: "write the variable of a family as (h in 3..1), not $0", Write: " $2 in $3..$4"},
		{Pattern: `[ \t/](\{(\w+(?:[-+*]\w+)?)\})[/ \t]`, Message: "write a variable in a name without braces, not $0", Write: "$2"},
		{Pattern: `[/ \t](([A-Za-z]\w*)--)(?:[/ \t(]|$)`, Message: "write arithmetic in a name as (h-1), not $0", Write: "$2-1"},
		{Pattern: `[/ \t](([A-Za-z]\w*)\+\+)(?:[/ \t(]|$)`, Message: "write arithmetic in a name as (h+1), not $0", Write: "$2+1"},
		{Pattern: `(\([ \t]*\[([^\]\s,;])([^\]\s,;])\][ \t]*,([^();]*;[^()]*)\))`, Message: "a transition reads one letter, not $0", Write: "($2,$4) ($3,$4)"},
		{Pattern: `^[ \t]*` + state + `[ \t]*(<-+>|<=+>|↔|⇔|<~>)[ \t]*` + state, Message: `unknown arrow $0; write "->"`, Write: "->"},
		{Propose: listedValues},
		{Pattern: `\bin[ \t]+((\w+)[ \t]+(\w+)(?:[ \t]+(\w+))?)[ \t]*\{`, Message: "write a list of values in brackets: [a b]", Write: "[$2 $3 $4]"},
		{Pattern: `^[ \t]*(\([ \t]*([^\s,()]+)[ \t]*,[ \t]*([^\s,()]+)[ \t]*,[ \t]*([^\s,()]+)[ \t]*\)[ \t]*(?:=|->|→|:)[ \t]*\([ \t]*([^\s,()]+)[ \t]*,[ \t]*([^,()]*?)[ \t]*\))`, Message: "write a transition as q0 -> q1 (a, Z; S)", Write: "$2 -> $5 ($3, $4; $6)"},
		{Pattern: `^[ \t]*((?:states?|alphabet|stack_alphabet|input|symbols|stack|Q|Σ|Γ|letters|terminals|transitions|type|name|pda|automaton|input_alphabet|stack_symbols|stack_start|initial_stack|bottom)\b[^(\n]*|<[^\n]*>)$`, Message: "unsupported line $0; names need no declaration", Write: ""},
		{Pattern: `^[ \t]*((?:initial|init|Start|START|strat|stat|begin|q_start|initial_state|start|start_state|start state|initial state|entry|initial)(?:[ \t]*[:=])?)[ \t]+` + state, Message: unknown + `start"`, Write: "start"},
		{Pattern: `^[ \t]*(final|finals|accepting|accepts|accepted|Accept|ACCEPT|acept|accpet|end|final_states|final states?|accepting states?|accept[ \t]*[:=]|accept states?|F[ \t]*[=:]|final[ \t]*[=:]|accepting[ \t]*[=:])[ \t]*[\w{\["]`, Message: unknown + `accept"`, Write: "accept"},
		{Pattern: `^[ \t]*((?:F|final|finals|accepting|accept)[ \t]*[=:][ \t]*[{\[(][ \t]*([\w./]+)(?:[ \t]*,[ \t]*([\w./]+))?[ \t]*[})\]])`, Message: `write accepting states as (accept q1 q2), not $0`, Write: "accept $2 $3"},
		{Pattern: `^[ \t]*(?:accept|start)[ \t]+([{\[(][ \t]*([\w./]+)[ \t]*[})\]])`, Message: "write states without brackets or braces: $2", Write: "$2"},
		{Pattern: `^[ \t]*(?:accept|start)[ \t]+([{\[(][ \t]*([\w./]+)[ \t]*,?[ \t]*([\w./]+)[ \t]*[})\]])`, Message: "write states without brackets, separated by spaces", Write: "$2 $3"},
		{Pattern: `^[ \t]*(?:accept|start)[^\n,]*[\w"](,)[ \t]*[\w"]`, Message: "unexpected $0 between states", Write: ""},
		{Pattern: `^[ \t]*accept[ \t]+((?:by|on|with|when)[ \t]+empty(?:[ \t]+stack)?|empty[ \t]+stack)[ \t]*$`, Message: `unexpected words $0; write "empty"`, Write: "empty"},
		{Pattern: `^[ \t]*(backward|backwards:|reverse|reversed|Backwards|backwords)[ \t]*$`, Message: unknown + `backwards"`, Write: "backwards"},
	}, lineHabits(), []habit.Habit{
		{Pattern: `^[ \t]*((` + state + `)[ \t]*,[ \t]*(` + item + `)[ \t]*,[ \t]*(` + item + `)[ \t]*(?:->|→|=>|=|:)[ \t]*(` + state + `)[ \t]*,[ \t]*([^\n(),;]*?))[ \t]*$`, Message: "write a transition as q0 -> q1 (a, Z; S)", Write: "$2 -> $5 ($3, $4; $6)"},
		{Pattern: `^[ \t]*((` + state + `)[ \t]*-+>?[ \t]*(\([^()\n]*\))[ \t]*(?:-*>)?[ \t]*(` + state + `))[ \t]*$`, Message: "write the label after the states: q0 -> q1 (a, Z; S)", Write: "$2 -> $4 $3"},
		{Pattern: `^[ \t]*((` + state + `)[ \t]*(?:<-+|←)[ \t]*(` + state + `))[ \t]*\(`, Message: `unknown arrow in $0; write "->"`, Write: "$3 -> $2"},
		{Pattern: `^[ \t]*((` + state + `)[ \t]+(` + state + `))[ \t]*\([^()\n]*;`, Message: `missing "->" between the states $0`, Write: "$2 -> $3"},
		{Pattern: `\([^\s,;()]+[ \t]*,[^,;()]+;[ \t]*(([A-Z$])([A-Z$])([A-Z$])?)[ \t]*\)`, Message: "$0 is one symbol; separate symbols with spaces", Write: "$2 $3 $4"},
		{Pattern: `\)[ \t]*(,|\||;|or|and)[ \t]*\(`, Message: "unexpected $0 between labels", Write: " "},
		{Pattern: `\([ \t]*(([^\s,;()]+)[ \t]+([^\s,;()]+))[ \t]*;`, Message: `missing "," after the letter`, Write: "$2, $3"},
		{Pattern: `->[ \t]*[\w./]+([ \t]+([-+])[ \t]+)\d`, Message: "write arithmetic in a name without spaces", Write: "$2"},
		{Pattern: `^[ \t]*` + state + `[ \t]+(to|goes to|:|=|>|=>)[ \t]+` + state + `[ \t]*\(`, Message: `unknown arrow $0; write "->"`, Write: "->"},
		{Pattern: `->[ \t]*` + state + `[ \t]*(:|,|=|on|with|when|by)[ \t]+\(`, Message: "unexpected $0 before the label (read, pop; push)", Write: ""},
		{Pattern: `->[ \t]*` + state + `(:|,|=)\(`, Message: "unexpected $0 before the label (read, pop; push)", Write: " "},
		{Pattern: `->[ \t]*` + state + `[ \t]+([\[{][ \t]*([^\s,\[\]]+)[ \t]*,[ \t]*([^\s,;\[\]]+)[ \t]*;[ \t]*([^\[\]{}\n]*?)[ \t]*[\]}])`, Message: label, Write: "($2, $3; $4)"},
		{Pattern: `->[ \t]*` + state + `([ \t]*[:\[{|][ \t]*(` + item + `)[ \t]*[,/][ \t]*(` + item + `)[ \t]*(?:;|/|->|→|,)[ \t]*([^\s(),;\]}][^(),;\]}\n]*?)?[ \t]*[\]}|]?[ \t]*$)`, Message: label, Write: " ($2, $3; $4)"},
		{Pattern: `->[ \t]*` + state + `[ \t]+([^\s,;()\[\]{}]+[ \t]*,[ \t]*[^\s,;()]+[ \t]*;[ \t]*[^\s,;()]+(?:[ \t]+[^\s,;()"]+)*?)[ \t]*(?:$|\}|#|as[ \t]+")`, Message: label, Write: "($1)"},
		{Pattern: `\([ \t]*[^\s,;()/|]+[ \t]*,[ \t]*[^\s,;()/|]+[ \t]*(/|->|→|\||=>|:|,)`, Message: `unexpected $0; write ";" before the pushed symbols`, Write: ";"},
		{Pattern: `(\([ \t]*([^\s,;()]+)[ \t]*,[ \t]*([^\s,;()/]+)/([^\s,;()/]+)[ \t]*\))`, Message: label, Write: "($2, $3; $4)"},
		{Pattern: `\([ \t]*[^\s,;()]+[ \t]*(;|\||/|:)[ \t]*[^\s,;()]+[ \t]*[;,]`, Message: `unexpected $0; write "," after the letter`, Write: ","},
		{Pattern: `\((?:[ \t]*)(,[ \t]*)[^\s,;()]`, Message: "missing letter; write ε to read none", Write: "ε, "},
		{Pattern: `\([ \t]*[^\s,;()]+[ \t]*,[ \t]*(;)`, Message: "missing stack symbol; write ε to pop none", Write: "ε;"},
		{Pattern: `->[ \t]*` + state + `[ \t]*\([ \t]*([^\s,;()]+)[ \t]*\)`, Message: "missing stack symbols after the letter: (read, pop; push)", Write: "$1, *; *"},
		{Pattern: `->[ \t]*` + state + `[ \t]*(\([ \t]*([^\s,;()]+)[ \t]*,[ \t]*([^\s,;()]+)[ \t]*\))`, Message: `missing ";" and the pushed symbols: (read, pop; push)`, Write: "($2, $3;)"},
		{Pattern: `(\([^()"\n]*,[^()"\n]*;[^()"\n]*?)[ \t]*(?:$|\}|#|as[ \t]+")`, Message: `unmatched "(": missing ")"`, Write: "$1)"},
		{Pattern: `\)[ \t]*(\))[ \t]*$`, Message: "unmatched $0", Write: ""},
		{Pattern: `\)[ \t]*("[^"\n]*")[ \t]*$`, Message: `write "as" before the text of a transition`, Write: "as $1"},
		{Pattern: `\)[ \t]+(:|=|-|–|label)[ \t]*"`, Message: `unexpected $0; write "as" before a text`, Write: "as"},
		{Pattern: `\)(:|=)[ \t]*"`, Message: `unexpected $0; write "as" before a text`, Write: " as"},
		{Pattern: `^[ \t]*` + state + `[ \t]+(=|:|:=|is|means|label|->)[ \t]*"`, Message: `unexpected $0; write "as" before a text`, Write: "as"},
		{Pattern: `^[ \t]*[\w.]+(:|=)[ \t]*"`, Message: `unexpected $0; write "as" before a text`, Write: " as"},
		{Pattern: `\bas[ \t]+([^"\s'][^"\n]*?)[ \t]*$`, Message: "quote the text $0", Write: `"$1"`},
		{Pattern: `^[ \t]*limit[ \t]+(([^\s\d]\S*)[ \t]+(?:<=|=|to|:)?[ \t]*(\d+))[ \t]*$`, Message: "expected the number before the letters of a limit", Write: "$3 $2"},
		{Pattern: `^[ \t]*(limit[ \t]+(\d+))[ \t]*$`, Message: `expected "each" or letters after $0`, Write: "limit $2 each"},
		{Pattern: `^[ \t]*(max|maximum|at most|Limit|cap)[ \t]+\d`, Message: unknown + `limit"`, Write: "limit"},
		{Pattern: `\bfor[ \t]+\w+[ \t]*(=|:|from|of|:=|←|<-|∈)[ \t]*\S`, Message: `unexpected $0; write "in"`, Write: " in "},
		{Pattern: `^[ \t]*(foreach|forall|For|FOR|for each|for all|∀)[ \t]*\w+[ \t]+in\b`, Message: unknown + `for"`, Write: "for"},
		{Pattern: `\bfor\b[^\n{}]*[\w\]][ \t]*(;|\b(?:and|for)\b|&&?)[ \t]+\w+[ \t]+in[ \t]`, Message: `unexpected $0; write "," between variables`, Write: ","},
		{Pattern: `\bin[ \t]+([({][ \t]*([A-Za-z][^(){}\n]*?|\d+(?:[ \t]+\d+)+)[ \t]*[)}])[ \t]*(?:\{|,|if\b)`, Message: "write a list of values in brackets: [a b]", Write: "[$2]"},
		{Pattern: `\bin[ \t]+(([A-Za-z]\w*)[ \t]*,[ \t]*(\w+)(?:[ \t]*,[ \t]*(\w+))?)[ \t]*\{`, Message: "write a list of values in brackets: [a b]", Write: "[$2 $3 $4]"},
		{Propose: pythonRange},
		{Pattern: `\bin[ \t]+([\[{(]?(\w+)[ \t]*(?:\.\.\.|…|-|to|:|,|\.\.=|\.\.<|until|downto)[ \t]*(\w+)[\]})]?)`, Message: "write a range as (1..3), not $0", Write: "$2..$3"},
		{Pattern: `\bin[ \t]+[\w.\[\] ]+?[ \t]+(where|when|with|such that|and|&&|\||,[ \t]*if|provided)[ \t]+\w`, Message: `unexpected $0; write "if" before a condition`, Write: "if"},
		{Pattern: `\bfor[ \t][^{}:\n]*?[ \t]*(:|\bdo\b)[^{}\n]*\}`, Message: `unexpected $0; write "{" before the transitions`, Write: "{"},
		{Pattern: `\bfor[ \t]+\w+[ \t]+in[ \t]+[^{}:\n]+?([ \t]*(?::|do\b)[ \t]*([^{}\n]*[^{}\s]))[ \t]*$`, Message: "write the transitions of a family in { }, not $0", Write: " { $2 }"},
		{Pattern: `\bif\b[^{}\n]*?[ \t](<>|≠|/=|~=|=/=)[ \t]`, Message: `unknown operator $0; write "!="`, Write: "!="},
		{Pattern: `\bfor[ \t][^{}\n]*(\{[ \t]*[^{}\s][^{}\n]*)$`, Message: `unmatched "{": missing "}"`, Write: "$1 }"},
		{Propose: extraBrace},
		{Pattern: `^[ \t]*(\}|end|done)[ \t]*$`, Message: "unmatched $0", Write: ""},
		{Pattern: `^[ \t]*([A-Za-z][\w-]*[ \t]*=[ \t]*[{\[(][^\n]*)$`, Message: "unsupported line $0; write transitions as q0 -> q1 (a, Z; S)", Write: ""},
		{Pattern: `^[ \t]*([A-Za-z][\w-]*:[ \t]*[^\n(>]*)$`, Message: "unsupported line $0; names need no declaration", Write: ""},
		{Propose: openBlock}, {Propose: missingStart, Late: true}, {Propose: missingAccept, Late: true},
		{Propose: nearAt}, {All: nearNames}, removing(map[string]repair{"pda.start-twice": cutLine}),
	}, trailingComments())
}

// pythonRange writes range(1, 4) of Python, which ends before 4, as a range.
func pythonRange(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	m := habit.NewPattern(`\bin[ \t]+(range[ \t]*\([ \t]*(?:(\w+)[ \t]*,[ \t]*)?(\w+)[ \t]*(?:,[ \t]*(-)?1[ \t]*)?\))`).Find(text[:end], start)
	if m == nil {
		return habit.Proposal{}
	}
	first, last := "0", text[m[6]:m[7]]
	if m[4] >= 0 {
		first = text[m[4]:m[5]]
	}
	if n, err := strconv.Atoi(last); err == nil && m[8] >= 0 {
		last = strconv.Itoa(n + 1)
	} else if err == nil {
		last = strconv.Itoa(n - 1)
	}
	written := first + ".." + last
	return edited(source.Pos(m[2]), source.Pos(m[3]), written, "Write "+written, "write a range as ("+written+"), not "+habit.Quote(text[m[2]:m[3]]))
}

// extraBrace removes a brace that closes no block.
func extraBrace(text string, fault source.Diagnostic) habit.Proposal {
	if text[fault.Span.Start:fault.Span.End] != "}" || strings.HasPrefix(fault.Message, "missing") {
		return habit.Proposal{}
	}
	return habit.Proposal{Edits: []source.Edit{{Span: fault.Span}}, At: fault.Span, Message: `unmatched "}"`, Title: "Remove it"}
}

// openBlock closes the block of a family.
func openBlock(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "pda.brace" || text[fault.Span.Start] != '{' {
		return p
	}
	return blockEnd(text, fault.Span)
}

// indentedFamily puts the indented lines after the colon of a family in braces.
func indentedFamily(text string, fault source.Diagnostic) (p habit.Proposal) {
	first, end := lineAt(text, fault.Span.Start)
	m := habit.NewPattern(`for\b[^\n{}]*?[\w\]]([ \t]*(?::|\bdo))[ \t]*$`).Find(text[:end], first)
	if m == nil || m[0] != first {
		return p
	}
	colon := source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}
	p = blockEnd(text, colon)
	p.Edits = append([]source.Edit{{Span: colon, Text: " {"}}, p.Edits...)
	p.At, p.Title, p.Message = colon, "Write { }", `write the transitions of a family in { }, not after ":"`
	return p
}

// blockEnd closes the block that a brace opens before the next line that is not indented more than its first line.
func blockEnd(text string, brace source.Span) habit.Proposal {
	indent := func(start int) int { return len(text[start:]) - len(strings.TrimLeft(text[start:], " \t")) }
	first, at := lineAt(text, brace.Start)
	for at < len(text)-1 && strings.TrimSpace(text[at+1:source.LineEnd(text, at+1)]) != "" && indent(at+1) > indent(first) {
		at = source.LineEnd(text, at+1)
	}
	p := edited(source.Pos(at), source.Pos(at), "\n"+text[first:first+indent(first)]+"}", `Write "}"`, `unmatched "{": missing "}"`)
	p.At = brace
	return p
}

// listedValues writes a list of values with commas as this notation does.
func listedValues(text string, fault source.Diagnostic) (p habit.Proposal) {
	start, end := lineAt(text, fault.Span.Start)
	m := habit.NewPattern(`\bin[ \t]+([\[{(]([^\[\](){}.\n]*,[^\[\](){}.\n]*)[\]})])`).Find(text[:end], start)
	if m == nil {
		return p
	}
	values := strings.Fields(strings.ReplaceAll(text[m[4]:m[5]], ",", " "))
	if first, last := values[0], values[len(values)-1]; len(values) > 2 && consecutive(values) {
		return edited(source.Pos(m[2]), source.Pos(m[3]), first+".."+last, "Write "+first+".."+last, "write a range as ("+first+".."+last+"), not "+habit.Quote(text[m[2]:m[3]]))
	}
	return edited(source.Pos(m[2]), source.Pos(m[3]), "["+strings.Join(values, " ")+"]", "Write it with spaces", "write a list of values with spaces: [a b], not "+habit.Quote(text[m[2]:m[3]]))
}

// consecutive reports whether values are consecutive numbers, upwards or downwards.
func consecutive(values []string) bool {
	step := 0
	for i := 1; i < len(values); i++ {
		before, err := strconv.Atoi(values[i-1])
		after, fault := strconv.Atoi(values[i])
		if err != nil || fault != nil || (after-before)*(after-before) != 1 || step != 0 && after-before != step {
			return false
		}
		step = after - before
	}
	return step != 0
}

// emptyLetters are the spellings of ε in textbooks and tools.
const emptyLetters = " ∈ є Ɛ ℇ 𝜀 𝜖 epsilon eps e_ lambda λ ϵ Λ empty Epsilon EPSILON EPS ɛ _ - '' \\epsilon \\varepsilon \\lambda <eps> null NULL \"\" "

// startSymbol adds the stack symbol that the transitions of the start state pop.
func startSymbol(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Severity == source.SeverityError {
		return habit.Proposal{}
	}
	at := habit.NewPattern(`^[ \t]*start[ \t]+([^\s#]+)[ \t]*(?:#|$)`).Find(text, 0)
	pop := habit.NewPattern(`\([ \t]*[^\s,;()]+[ \t]*,[ \t]*([^\s,;()]+)[ \t]*;`).Find(text, 0)
	if at == nil || pop == nil {
		return habit.Proposal{}
	}
	symbol := text[pop[2]:pop[3]]
	message := "no stack symbol after the start state; no transition can pop " + habit.Quote(symbol)
	if symbol == "*" || symbol == "ε" {
		symbol = "Z"
		message = "no stack symbol after the start state, such as start q0 Z"
	}
	p := edited(source.Pos(at[3]), source.Pos(at[3]), " "+symbol, "Add "+symbol, message)
	p.At = source.Span{Start: source.Pos(at[2]), End: source.Pos(at[3])}
	return p
}

// explainPushdown explains the faults of an automaton, and warns of letters that are ε elsewhere.
func explainPushdown(s *notation.Scope, a *notation.Analysis) {
	n := habit.Notation{
		Habits: pushdownHabits(), Comments: "#", Lines: true, Least: source.SeverityWarning,
		Check:  checkText(s, checkPushdown),
		Repair: &habit.Repair{Keywords: keywords(pushdownWords()), Signs: []string{";", ",", ")", "(", "->", "}", "{", "..", "]", "["}, Words: []string{"in", "as", "start", "accept", "limit", "for"}, Skip: []string{"pda.start-missing", "pda.accept-missing"}, Closers: "#}"},
	}
	if a.Sound() {
		addApart(a, fractions(s.File))
		causes := []string{"pda.unknown", "pda.variable", "pda.mark"}
		a.Diagnostics = withoutFollowing(n.Explain(s.File.Text, a.Diagnostics), map[string][]string{"pda.no-word": causes, "pda.dead-end": causes, "pda.unknown": {"pda.variable", "pda.mark"}})
		repaired(s, a, checkPushdown, "Remove it", map[string]repair{"pda.unreachable": cutState, "pda.duplicate": cutDuplicate, "pda.never-pushed": cut, "pda.dead-end": cut})
		if odd := epsilons(s.File); len(odd) > 0 {
			// That no word is accepted follows from such a symbol.
			a.Diagnostics = slices.DeleteFunc(a.Diagnostics, func(d source.Diagnostic) bool {
				return d.Code == "pda.no-word" || d.Code == "pda.never-pushed" || d.Code == "pda.dead-end"
			})
			a.Add(odd...)
		}
		addApart(a, oddNames(s.File, "pda.mark"))
		addApart(a, joinedSymbols(s.File))
		addApart(a, joinedLetters(s.File))
		a.Add(templateVariables(s.File, "pda.mark", `\b(\w+)[ \t]+in[ \t]`)...)
		return
	}
	explain(s, a, n, "pda.unreachable", "pda.no-word", "pda.never-pushed", "pda.unknown", "pda.dead-end", "pda.duplicate", "pda.text-unknown", "pda.never")
	empty := func(d source.Diagnostic) bool { return strings.HasPrefix(d.Message, "no automaton") }
	if count(a.Diagnostics, empty) < len(a.Diagnostics) { // a text with a line that cannot be read is not empty
		a.Diagnostics = slices.DeleteFunc(a.Diagnostics, empty)
	}
	parse := []string{"pda.line", "pda.name", "pda.label", "pda.text", "pda.brace"}
	a.Diagnostics = withoutFollowing(a.Diagnostics, map[string][]string{
		"pda.start-missing": parse, "pda.accept-missing": parse, "pda.brace": {"pda.label", "pda.for", "pda.range", "pda.line"}, "pda.limit-unknown": parse,
	})
}

func checkPushdown(s *notation.Scope) []source.Diagnostic {
	_, found := CompilePushdown(s.File)
	return found
}

// unknownBottom replaces a symbol that no transition pushes by the symbol after the start state, if no
// transition pops that one.
func unknownBottom(text string, fault source.Diagnostic) (p habit.Proposal) {
	start := habit.NewPattern(`^[ \t]*start[ \t]+[^\s#]+[ \t]+([^\s#]+)`).Find(text, 0)
	if fault.Code != "pda.never-pushed" || start == nil {
		return p
	}
	symbol := text[start[2]:start[3]]
	m := habit.NewPattern(`\([ \t]*[^\s,;()]+[ \t]*,[ \t]*([^\s,;()]+)[ \t]*;`).Find(text, int(fault.Span.Start))
	if m == nil || m[0] != int(fault.Span.Start) {
		return p
	}
	unknown := text[m[2]:m[3]]
	if unknown == symbol || habit.NewPattern(`,[ \t]*`+escape(symbol)+`[ \t]*;`).Find(text, 0) != nil {
		return p
	}
	pattern := habit.NewPattern(`[,; \t](` + escape(unknown) + `)[ \t;)]`)
	for at := pattern.Find(text, start[1]); at != nil; at = pattern.Find(text, at[3]) {
		p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: source.Pos(at[2]), End: source.Pos(at[3])}, Text: symbol})
	}
	p.At = source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}
	p.Title, p.Message = "Write "+symbol, "no transition pushes "+habit.Quote(unknown)+"; the stack begins with "+habit.Quote(symbol)
	return p
}

// missingStart adds the start: the state and the stack symbol of the first transition.
func missingStart(text string, fault source.Diagnostic) (p habit.Proposal) {
	m := habit.NewPattern(`^[ \t]*([^\s(){}#"]+)[ \t]*->[^\n(]*\([^\s,;()]+[ \t]*,[ \t]*([^\s,;()]+)[ \t]*;`).Find(text, 0)
	if fault.Code != "pda.start-missing" || m == nil {
		return p
	}
	line := "start " + text[m[2]:m[3]] + " " + text[m[4]:m[5]]
	p = edited(0, 0, line+"\n", "Add "+line, fault.Message)
	p.At = fault.Span
	return p
}

// missingAccept adds the accepting state: the target of the last transition.
func missingAccept(text string, fault source.Diagnostic) (p habit.Proposal) {
	pattern := habit.NewPattern(`^[ \t]*[^\s(){}#"]+[ \t]*->[ \t]*([^\s(){}#"]+)[ \t]*\(`)
	target := ""
	for m := pattern.Find(text, 0); m != nil; m = pattern.Find(text, m[1]) {
		target = text[m[2]:m[3]]
	}
	if fault.Code != "pda.accept-missing" || target == "" {
		return p
	}
	_, end := lineAt(text, fault.Span.Start)
	p = edited(source.Pos(end), source.Pos(end), "\naccept "+target, "Add accept "+target, fault.Message)
	p.At = fault.Span
	return p
}

// labelPattern matches a transition label in a masked text; its groups are the letter, the popped symbol and
// the pushed ones.
const labelPattern = `\([ \t]*([^\s,;()]+)[ \t]*,[ \t]*([^\s,;()]+)[ \t]*;[ \t]*([^,;()\n]*)\)`

// joinedSymbols warns of a pushed symbol that no transition pops and that consists of stack symbols,
// as in JFLAP.
func joinedSymbols(file *source.File) (found []source.Diagnostic) {
	masked := (&habit.Notation{Comments: "#", Lines: true}).Mask(file.Text)
	pattern := habit.NewPattern(labelPattern)
	pops := map[string]bool{}
	for m := pattern.Find(masked, 0); m != nil; m = pattern.Find(masked, m[1]) {
		pops[file.Text[m[4]:m[5]]] = true
	}
	for m := pattern.Find(masked, 0); m != nil; m = pattern.Find(masked, m[1]) {
		for at := m[6]; at < m[7]; at++ {
			word := strings.Fields(file.Text[at:m[7]] + " ")
			if len(word) == 0 {
				break
			}
			at += strings.Index(file.Text[at:m[7]], word[0])
			parts := strings.Split(word[0], "")
			known := len(parts) > 1 && len(parts) < 6 && !pops[word[0]]
			for _, part := range parts {
				known = known && pops[part] && part != "*"
			}
			span := source.Span{Start: source.Pos(at), End: source.Pos(at + len(word[0]))}
			if known {
				apart := strings.Join(parts, " ")
				found = append(found, source.Diagnostic{
					Code: "pda.mark", Severity: source.SeverityWarning, Span: span, Message: habit.Quote(word[0]) + " is one symbol; separate symbols with spaces",
					Fixes: []source.Fix{{Title: "Write " + apart, Edits: []source.Edit{{Span: span, Text: apart}}}},
				})
			}
			at = int(span.End)
		}
	}
	return found
}

// fractions warns of arithmetic in the name of a state with a number that is not whole.
func fractions(file *source.File) (found []source.Diagnostic) {
	masked := (&habit.Notation{Comments: "#", Lines: true}).Mask(file.Text)
	fraction := habit.NewPattern(`[/ \t][A-Za-z]\w*[-+](\d*\.\d+)(?:[/ \t]|$)`)
	for m := fraction.Find(masked, 0); m != nil && strings.Contains(masked, "for "); m = fraction.Find(masked, m[3]) {
		found = append(found, source.Diagnostic{
			Code: "pda.mark", Severity: source.SeverityWarning, Span: source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])},
			Message: "expected a whole number in the name of a state, not " + habit.Quote(file.Text[m[2]:m[3]]),
		})
	}
	return found
}

// joinedLetters warns of letters that a bar separates.
func joinedLetters(file *source.File) (found []source.Diagnostic) {
	masked := (&habit.Notation{Comments: "#", Lines: true}).Mask(file.Text)
	m := habit.NewPattern(`(\([ \t]*([^\s,;()|"]+\|[^\s,;()"]*[^\s,;()|"])[ \t]*(,[^();\n]*;[^()\n]*)\))`).Find(masked, 0)
	if m == nil {
		return nil
	}
	letters, rest := file.Text[m[4]:m[5]], file.Text[m[6]:m[7]]
	var written []string
	for _, letter := range strings.Split(letters, "|") {
		written = append(written, "("+letter+rest+")")
	}
	text := strings.Join(written, " ")
	return []source.Diagnostic{{
		Code: "pda.mark", Severity: source.SeverityWarning, Span: source.Span{Start: source.Pos(m[4]), End: source.Pos(m[5])},
		Message: habit.Quote(letters) + " is one letter; write a label for each letter",
		Fixes:   []source.Fix{{Title: "Write " + text, Edits: []source.Edit{{Span: source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}, Text: text}}}},
	}}
}

// epsilons warns of letters and stack symbols that other notations write for the empty word, in a
// text that does not use them otherwise.
func epsilons(file *source.File) (found []source.Diagnostic) {
	pattern := habit.NewPattern(`\([ \t]*([^\s,;()]+)[ \t]*,[ \t]*([^\s,;()]+)[ \t]*;[ \t]*([^\s,;()]+)?[ \t]*\)`)
	masked := (&habit.Notation{Comments: "#", Lines: true}).Mask(file.Text)
	for at := pattern.Find(masked, 0); at != nil; at = pattern.Find(masked, at[1]) {
		for g := 2; g < len(at); g += 2 {
			if at[g] < 0 {
				continue
			}
			word := file.Text[at[g]:at[g+1]]
			operation := g == 6 && strings.Contains(" pop Pop POP skip none nothing noop nop drop ", " "+word+" ") && strings.Count(masked, word) == 1
			if !operation && !strings.Contains(emptyLetters, " "+word+" ") || len(word) == 1 && word[0] < 0x80 && word != "_" && (word != "-" || g != 6) {
				continue
			}
			span := source.Span{Start: source.Pos(at[g]), End: source.Pos(at[g+1])}
			found = append(found, source.Diagnostic{
				Code: "pda.epsilon", Severity: source.SeverityWarning, Span: span, Message: `"` + word + `" is a symbol; write ε for none`,
				Fixes: []source.Fix{{Title: "Write ε", Edits: []source.Edit{{Span: span, Text: "ε"}}}},
			})
		}
	}
	return found
}
