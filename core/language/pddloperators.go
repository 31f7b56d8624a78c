package language

import (
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// foreignOperators maps operators of other notations to those of PDDL, or to "" if there is none.
var foreignOperators = map[string]string{
	"implies": "imply", "=>": "imply", "->": "imply", "==>": "imply", "→": "imply", "⇒": "imply", "impl": "imply", "implication": "imply",
	"set": "assign", "setf": "assign", "setq": "assign", ":=": "assign", "set!": "assign", "let": "assign", "put": "assign", "change": "assign", "update": "assign", "assing": "assign",
	"inc": "increase", "incr": "increase", "increment": "increase", "+=": "increase", "add": "increase", "incf": "increase", "increse": "increase", "plus": "increase",
	"dec": "decrease", "decr": "decrease", "decrement": "decrease", "-=": "decrease", "sub": "decrease", "subtract": "decrease", "decf": "decrease", "decrese": "decrease", "minus": "decrease", "reduce": "decrease",
	"any": "exists", "some": "exists", "exist": "exists", "thereis": "exists", "there-exists": "exists", "∃": "exists", "exsits": "exists",
	"all": "forall", "every": "forall", "for-all": "forall", "for_all": "forall", "foreach": "forall", "for": "forall", "∀": "forall", "froall": "forall", "each": "forall",
	"if": "when", "cond": "when", "whenever": "when", "wehn": "when", "unless": "", "while": "when", "case": "when", "then": "when",
	"||": "or", "|": "or", "∨": "or", "either": "or", "oder": "or", "&&": "and", "∧": "and", "conj": "and", "progn": "and", "do": "and", "begin": "and", "seq": "and", "list": "and", "then-and": "and", "+": "and", ",": "and",
	"!": "not", "~": "not", "¬": "not", "no": "not", "neg": "not",
	"mul": "scale-up", "*=": "scale-up", "scale": "scale-up", "multiply": "scale-up", "/=": "scale-down", "divide": "scale-down",
	"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "leq": "<=", "geq": ">=", "=<": "<=", "≤": "<=", "≥": ">=", "eq": "=", "eql": "=", "equals": "=", "equal": "=", "==": "=",
}

// foreignOperator replaces the operator of a list whose parts are lists and that is no declared predicate.
func foreignOperator(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := fault.Span.Start, true
	switch fault.Code {
	case "strips.term", "strips.name", "strips.predicate", "strips.effect", "strips.function":
	default:
		return p
	}
	if text[open] != '(' || fault.Code == "strips.term" {
		open, ok = listAt(text, fault.Span.Start)
	}
	items, _ := form(text, open)
	if !ok || len(items) < 2 {
		return p
	}
	word := text[items[0].Start:items[0].End]
	lists := text[items[len(items)-1].Start] == '(' || text[items[1].Start] == '('
	declared := habit.NewPattern(`\(`+escape(word)+`(?:\s+\?|\s*\))`).Find(text, 0) != nil && strings.Contains(text, "(:predicates")
	if len(items) == 2 && strings.Contains(" add make set assert del delete remove unset clear retract - + ", " "+strings.ToLower(word)+" ") {
		return p // of a fact
	}
	known, is := foreignOperators[strings.ToLower(word)]
	if !lists || declared || strings.Contains(" and or not imply forall exists when increase decrease assign ", " "+strings.ToLower(word)+" ") || word[0] == '(' || word[0] == '?' || word[0] == ':' {
		return p
	}
	at := items[0]
	switch {
	case is && known != "":
		return edited(at.Start, at.End, known, "Write "+known, "unknown operator "+habit.Quote(word)+`; write "`+known+`"`)
	case habit.Match(`at$|over$`, word) != nil && len(items) == 3:
		p = edited(open, items[2].End+1, text[items[2].Start:items[2].End], "Remove the time", "unsupported time "+habit.Quote(text[at.Start:items[1].End])+"; write the condition only")
		p.At = source.Span{Start: at.Start, End: items[1].End}
		return p
	}
	last := items[len(items)-1]
	p = edited(open, items[len(items)-1].End+1, text[last.Start:last.End], "", "unsupported operator "+habit.Quote(word)+"; an effect or a condition has no such operator")
	p.At, p.None = at, true
	return p
}

// durative rewrites a durative action as an action.
func durative(text string, fault source.Diagnostic) (p habit.Proposal) {
	if !strings.EqualFold(text[fault.Span.Start:fault.Span.End], ":durative-action") {
		return p
	}
	open, _ := listAt(text, fault.Span.Start)
	_, end := form(text, open)
	p = edited(fault.Span.Start, fault.Span.End, ":action", "Write an action without duration", fault.Message)
	duration := habit.NewPattern(`\s*:duration\s+\((?:[^()]|\([^()]*\))*\)`)
	if m := duration.Find(text[:end], int(open)); m != nil {
		p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: source.Pos(m[0]), End: source.Pos(m[1])}})
	}
	if m := habit.NewPattern(`\s(:condition)\s`).Find(text[:end], int(open)); m != nil {
		p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}, Text: ":precondition"})
	}
	timed := habit.NewPattern(`(\((?:at\s+start|at\s+end|over\s+all)\s+)(\((?:[^()]|\([^()]*\))*\))(\s*\))`)
	for m := timed.Find(text[:end], int(open)); m != nil; m = timed.Find(text[:end], m[1]) {
		p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}}, source.Edit{Span: source.Span{Start: source.Pos(m[6]), End: source.Pos(m[7])}})
	}
	return p
}

// unsupported removes a section of PDDL that is not supported, or replaces a preference with its condition.
func unsupported(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := listAt(text, fault.Span.Start)
	if fault.Code != "strips.unsupported" || !ok {
		return p
	}
	items, end := form(text, open)
	switch word := strings.ToLower(text[fault.Span.Start:fault.Span.End]); {
	case word == "preference" && len(items) == 3:
		p = edited(open, end, text[items[2].Start:items[2].End], "Require it", fault.Message)
	case word == ":derived" || word == ":axiom" || word == ":constraints":
		p = habit.Proposal{Edits: cut(text, source.Span{Start: open, End: end}), Title: "Remove it", Message: fault.Message}
	default:
		return p
	}
	p.At = fault.Span
	return p
}

// numberHabits are infix operators, functions without parentheses, and quantifiers without them.
func numberHabits() []habit.Habit {
	const value = `(\([^()]*\)|\d+(?:\.\d+)?)`
	return []habit.Habit{
		{Pattern: `(\(\s*` + value + `\s+(?:=>|≥)\s+` + value + `\s*\))`, Message: "write the operator first, not $0", Write: "(>= $2 $3)"},
		{Pattern: `(\(\s*([A-Za-z][\w-]*)\s+(?:=>|≥)\s+` + value + `\s*\))`, Message: "write the operator first, not $0", Write: "(>= ($2) $3)"},
		{Pattern: `(\(\s*` + value + `\s+(?:=<|≤)\s+` + value + `\s*\))`, Message: "write the operator first, not $0", Write: "(<= $2 $3)"},
		{Pattern: `\((?:increase|decrease)\s+(\([^()]*\))\s*\)`, Message: "missing number after $0", Write: "$1 1"},
		{Pattern: `(\(=\s+(\d+(?:\.\d+)?)\s+(\([^()]*\))\s*\))`, Message: "write the function before its value: (= $3 $2)", Write: "(= $3 $2)"},
		{Pattern: `\(:init\b[^:]*?\((assign|set|setf|:=|increase)\s+\(`, Message: `unexpected $0 in the initial state; write "="`, Write: "="},
		{Pattern: `\(:metric\s+(\((minimize|maximize)\s+(\([^()]*\))\s*\))`, Message: "unexpected parentheses around $2", Write: "$2 $3"},
		{Pattern: `\((:(minimi[sz]e|cost))\s+\(`, Message: `unknown section $0; write (:metric minimize …)`, Write: ":metric minimize"},
		{Pattern: `\((:maximi[sz]e)\s+\(`, Message: `unknown section $0; write (:metric maximize …)`, Write: ":metric maximize"},
		{Pattern: `\((:(optimi[sz]e|objective))\s+\(`, Message: `unknown section $0; write (:metric minimize …) or (:metric maximize …)`, Write: ":metric", None: true},
		{Pattern: `\(:functions(?:\s|\([^()]*\))*?\s([A-Za-z][\w-]*(?:\s+\?[\w-]+(?:\s+-\s+[\w-]+)?)*)[\s()]`, Message: "write a function in parentheses: ($0)", Write: "($1)"},
		{Pattern: `\(:predicates(?:\s|\([^()]*\))*?\s([A-Za-z][\w-]*(?:\s+\?[\w-]+(?:\s+-\s+[\w-]+)?)*)(?:\s|\))`, Message: "write a predicate in parentheses: ($0)", Write: "($1)"},
		{Propose: objectMarks},
		{Pattern: `^\s*\(((domain|problem)\s+([A-Za-z][\w-]*))\s+\(:`, Message: `missing "define": (define ($2 name) …)`, Write: "define ($2 $3)"},
		{Pattern: `\(:init\b[^\n]*[\s(](\(([A-Za-z][\w-]*)\s+(\d+(?:\.\d+)?)\s*\))`, Message: "write a value as (= (name) number), not $0", Write: "(= ($2) $3)"},
		{Pattern: `\((decrease)\s+\(total-cost\)`, Message: "unexpected $0 of (total-cost); a cost only increases", Write: "increase"},
		{Pattern: `[\s(](\d+\.\d\d\d\d+)[\s)]`, Message: "too many decimals in $0 (maximum 3)", Write: "0", None: true},
		{Pattern: `^(\([a-z][\w-]*(?:[ \t]+[\w-]+)*\))[ \t]*$`, Message: "unexpected $0; a problem contains no plan", Write: ""},
		{Pattern: `(\(\s*` + value + `\s+(<=|>=|<|>|=|\+|-|\*|/)\s+` + value + `\s*\))`, Message: "write the operator first, not $0", Write: "($3 $2 $4)"},
		{Pattern: `(\(\s*` + value + `\s+==\s+` + value + `\s*\))`, Message: "write the operator first, not $0", Write: "(= $2 $3)"},
		{Pattern: `(\(\s*([A-Za-z][\w-]*)\s+(<=|>=|<|>|=|\+|-|\*|/)\s+(\d+(?:\.\d+)?)\s*\))`, Message: "write the operator first, not $0", Write: "($3 ($2) $4)"},
		{Pattern: `(\(\s*(\([^()]*\))\s+\+=\s+` + value + `\s*\))`, Message: "unknown operator in $0; write (increase …)", Write: "(increase $2 $3)"},
		{Pattern: `(\(\s*(\([^()]*\))\s+-=\s+` + value + `\s*\))`, Message: "unknown operator in $0; write (decrease …)", Write: "(decrease $2 $3)"},
		{Pattern: `(\(\s*(\([^()]*\))\s+:=\s+` + value + `\s*\))`, Message: "unknown operator in $0; write (assign …)", Write: "(assign $2 $3)"},
		{Pattern: `\((?:increase|decrease|assign|scale-up|scale-down|<|>|<=|>=)\s+([A-Za-z][\w-]*)\s+[\d(]`, Message: "write a function in parentheses: ($0)", Write: "($1)"},
		{Pattern: `\((?:increase|decrease|assign)\s+\([^()]*\)\s+(by|to|with|:=|=)\s+[\d(]`, Message: "unexpected $0 before the number", Write: ""},
		{Pattern: `\(=\s+([A-Za-z][\w-]*)\s+\d+(?:\.\d+)?\s*\)`, Message: "write a function in parentheses: ($0)", Write: "($1)"},
		{Pattern: `\((?:forall|exists)\s+(\?[\w-]+(?:\s+\?[\w-]+)*(?:\s+-\s+[\w-]+)?)\s*\(`, Message: "write the variables in parentheses: ($0)", Write: "($1)"},
		{Pattern: `:metric\s+\w+\s+\((total_cost|totalcost|total-costs|cost|costs|plan-length|makespan|length|total)\)`, Message: `unknown function $0; write "total-cost"`, Write: "total-cost"},
		{Pattern: `:metric\s+(min|minimise|minimum|minimized|:minimize|least|MIN)\s`, Message: `unknown direction $0; write "minimize"`, Write: "minimize"},
		{Pattern: `:metric\s+minimize\s+(total-cost)\s*\)`, Message: "write a function in parentheses: ($0)", Write: "($1)"},
		{Pattern: `\(:metric\s+(\(total-cost\))\s*\)`, Message: `missing "minimize" before $0`, Write: "minimize $1"},
	}
}

// objectMarks removes the question marks of objects where they are declared.
func objectMarks(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := listAt(text, fault.Span.Start)
	items, _ := form(text, open)
	if fault.Code != "strips.name" || !ok || len(items) == 0 || habit.Match(`:(?:objects|constants)$`, text[items[0].Start:items[0].End]) == nil {
		return p
	}
	for _, item := range items[1:] {
		if text[item.Start] == '?' {
			p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: item.Start, End: item.Start + 1}})
		}
	}
	name := strings.TrimLeft(text[fault.Span.Start:fault.Span.End], "?")
	p.At, p.Title, p.Message = fault.Span, "Remove the question marks", "objects have no question mark: "+habit.Quote(name)
	return p
}

// unknownPart removes an unknown part of an action with its value.
func unknownPart(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := listAt(text, fault.Span.Start)
	if fault.Code != "strips.part" || text[fault.Span.Start] != ':' || !ok || !strings.HasPrefix(fault.Message, "unknown part") {
		return p
	}
	items, _ := form(text, open)
	end := fault.Span.End
	for _, item := range items {
		if item.Start > fault.Span.Start {
			if text[item.Start] == ':' {
				break
			}
			end = item.End
		}
	}
	p = habit.Proposal{Edits: cut(text, source.Span{Start: fault.Span.Start, End: end}), At: fault.Span, Title: "Remove it", Message: fault.Message}
	return p
}
