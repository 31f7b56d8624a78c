package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// pddlHabits are misspelt keywords, and constructs of programs, logics and hierarchical planners.
func pddlHabits() []habit.Habit {
	const after = `[\s()]`
	return slices.Concat(
		[]habit.Habit{unlisted("(define (domain name) …)", "(define (domain a) (:predicates (p)) (:action b :effect (p)))")},
		commentHabits(";"),
		[]habit.Habit{
			{Propose: sectionMerged, Complete: true}, {Propose: sectionAgain}, {Propose: factAsValue, Complete: true},
			{Pattern: `[ \t)](//+|--|%+|!+)[ \t][^()]*$`, Message: "unexpected $0; comments begin with ;", Write: ";"},
			{Pattern: `\((=>)\s+(?:\([^()]*\)|\d+)\s+\d`, Message: `unknown operator $0; write ">="`, Write: ">="},
			{Pattern: `:effect\s[^:]*?\((=|:=)\s+\([^()]*\)\s+[\d(]`, Message: `unexpected $0 in an effect; write "assign"`, Write: "assign"},
			{Propose: initialValue}, {Propose: durative}, {Propose: foreignOperator}, {Propose: unsupported},
		},
		numberHabits(),
		[]habit.Habit{
			{Pattern: `("([\w-]+)")`, Message: "names have no quotes: $2", Write: "$2"},
			{Pattern: `[\s(](([A-Za-z][\w-]*)\(([^()]*)\))`, Message: "write the name inside the parentheses: (name ?x), not $0", Write: "($2 $3)"},
		},
		[]habit.Habit{
			{Pattern: `(\([!~¬]\s*([A-Za-z][^()]*)\))`, Message: "write a negation as (not (name …))", Write: "(not ($2))"},
			{Pattern: `\s([!~¬-](\([A-Za-z][^()]*\)))`, Message: "write a negation as (not (name …))", Write: "(not $2)"},
			{Pattern: `\(define\s+([A-Za-z][\w-]*)\s+\(:`, Message: "missing kind of the definition: (define (domain name) …)", Write: "(domain $1)"},
			{Pattern: `(\((?:!=|/=|<>|≠|neq|distinct|different)\s+([^()]*)\))`, Message: "write an inequality as (not (= ?x ?y))", Write: "(not (= $2))"},
			{Pattern: `(\(\s*(\?[\w-]+)\s+==?\s+(\??[\w-]+)\s*\))`, Message: "write the operator first: (= ?x ?y)", Write: "(= $2 $3)"},
			{Pattern: `\(:(?:goal|init)\s+([A-Za-z][\w-]*(?:\s+[\w-]+)*)\s*\)`, Message: "write a literal as a list: $0", Write: "($1)"},
			{Pattern: `\(:action\s+[\w-]+\s+(\(\s*\?[^()]*\))`, Message: `missing ":parameters" before $0`, Write: ":parameters $0"},
			{Pattern: `:parameters\s+(\?[\w-]+(?:\s+-\s+[\w-]+|\s+\?[\w-]+)*)\s`, Message: "write the parameters in parentheses: $0", Write: "($1)"},
			{Pattern: `\)\s+(&&?|and|∧|,)\s+\(`, Message: "unexpected $0; write (and …) around conditions", Write: ""},
		},
		[]habit.Habit{
			{Pattern: `:parameters\s*(\((?:[^():]*[^():\s])?)\s+:(?:precondition|effect)\b`, Message: `unmatched "(" after ":parameters"`, Write: "$0)"},
			{Pattern: `:parameters\s*\([^()]*\)(\))\s+(?::precondition|:effect)\b`, Message: "unmatched $0 before a part of the action", Write: ""},
			{Pattern: `\((:action)\s+:(?:parameters|precondition|effect)\b`, Message: "missing name after $0", Write: "$1 act"},
			{Pattern: `[\s(]([$@%&]([A-Za-z][\w-]*))[\s)]`, Message: `parameters begin with "?", not $0`, Write: "?$2"},
			{Pattern: `(?:\(|\s-\s+[\w-]+\s|\?[\w-]+\s)\s*(\((\?[\w-]+(?:\s+\?[\w-]+)*(?:\s+-\s+[\w-]+)?)\))`, Message: "write all parameters in one list: (?a - t ?b)", Write: "$2"},
			{Pattern: `\((?::objects|:constants|:types)\s+(\(([^()]*)\))\s*\)`, Message: "unexpected parentheses in a list of names", Write: "$2"},
			{Pattern: `\((?::objects|:constants)\s+(([A-Za-z][\w-]*)\s+-\s+([A-Za-z][\w-]*(?:\s+[A-Za-z][\w-]*)*))\s*\)`, Message: "write a type after its names: $3 - $2", Write: "$3 - $2"},
			{Pattern: `[\s(](\?([A-Za-z][\w-]*))(?:\s+[A-Za-z?][\w-]*)*\s+-\s+[\w-]+\s*\)\s*\(:(?:init|goal)`, Message: "objects have no question mark: $2", Write: "$2"},
			{Pattern: `[\w-]\s+(-)\s*\)`, Message: "missing type after $0", Write: ""},
			{Pattern: `\((?::objects|:constants)\s(?:[^()]*\s)?(([A-Za-z]\w*)-([A-Za-z]\w*))\s*\)`, Message: `write spaces around the "-" before a type`, Write: "$2 - $3"},
			{Pattern: `:parameters\s*\((?:[^()]*\s)?((\?[\w-]+)[ \t]+([A-Za-z][\w-]*))[\s)]`, Message: `missing "-" before the type in $0`, Write: "$2 - $3"},
			{Pattern: `\(:init\s+([A-Za-z][\w-]*(?:\s+[\w-]+)+)\s*\(`, Message: "write a literal as a list: $0", Write: "($1)"},
			{Pattern: `:effect\s+((\([^()]*\))\s+:del(?:ete)?\s+(\([^()]*\)))`, Message: "write a deletion as (not (name …)) in the effect", Write: "(and $2 (not $3))"},
			{Pattern: `(\((?:\+|add|make|set|assert)\s*(\([^()]*\))\s*\))`, Message: "write an added fact without an operator: $2", Write: "$2"},
			{Pattern: `(\((?:-|del|delete|remove|unset|clear|retract)\s*(\([^()]*\))\s*\))`, Message: "write a deletion as (not (name …))", Write: "(not $2)"},
			{Pattern: `(\(not\s+(\([^()]*\))\s+(\([^()]*\))\s*\))`, Message: "expected one literal after not", Write: "(and (not $2) (not $3))"},
			{Pattern: `\((adn|nad|andd|ad|ands|en|und|et)\s*\(`, Message: `unknown operator $0; did you mean "and"?`, Write: "and"},
			{Pattern: `\((nto|ont|nott|nor|nt)\s*\(`, Message: `unknown operator $0; did you mean "not"?`, Write: "not"},
		},
		formHabits(),
		[]habit.Habit{
			{All: oddTypes},
			{Pattern: `:parameters\s*\(\s*(([A-Za-z][\w-]*)\s+(\?[\w-]+(?:\s+\?[\w-]+)*))\s*\)`, Message: "write a type after its variables: $3 - $2", Write: "$3 - $2"},
			{Pattern: `:parameters\s*\(\s*(([A-Za-z][\w-]*)\s+(\??([A-Za-z][\w-]*)),?\s+([A-Za-z][\w-]*)\s+(\??([A-Za-z][\w-]*)))\s*\)`, Message: "write a type after its variable: ?x - type", Write: "?$4 - $2 ?$7 - $5"},
			{Pattern: `\(:length\s+(\d+)\s*\)`, Message: "write the length as (:serial $1)", Write: "(:serial $1)"},
			{Pattern: `:metric\s+(?:minimize|maximize)\s+([A-Za-z][\w-]*)\s*\)`, Message: "write a function in parentheses: ($0)", Write: "($1)"},
			{Propose: otherPart},
		},
		synonyms("form", `^\s*\(`, after, `def|defdomain|defproblem|defn|defin|deine|definition`, "define"),
		[]habit.Habit{
			{Pattern: `\(define\s+((domain|problem)\s+([\w-]+))`, Message: "write the kind and the name in parentheses: ($2 …)", Write: "($2 $3)"},
			{Pattern: `\(define\s+\((:domain|domain:|Domain:|dom|domian|doman|dommain|domainn|domaine|domin|doamin)\s`, Message: `unknown kind $0; write "domain"`, Write: "domain"},
			{Pattern: `\(define\s+\((:problem|problem:|prob|instance|probem|probelm|porblem)\s`, Message: `unknown kind $0; write "problem"`, Write: "problem"},
		},
		synonyms("section", `\(`, after,
			`predicates|predicates:|:predicate|:preds|:relations|:relation|:facts|:props|:fluents|:propositions`, ":predicates",
			`action|operator|operators|method|:process|:event|:skill|:actions|:operator|:operators|:op|:act|:method|:task|:step|action:`, ":action",
			`types|:type|:sorts|:sort|types:|:typing`, ":types",
			`requirements|:requirement|:requires|:require|:reqs`, ":requirements",
			`objects|:object|:obj|:objs|:instances|objects:|:individuals`, ":objects",
			`init|:initial|:initial-state|:initial_state|:start|:state|:initially|:inital|:initialstate|init:`, ":init",
			`goal|:goals|:goal-state|:goal_state|:target|:final|:gaol|goal:|:goal-condition`, ":goal",
			`:fluents|:function|functions|:functors|:numeric|:functions:|:variables|:function-symbols|:numeric-fluents`, ":functions",
			`constants|:constant|:const|:consts`, ":constants",
			`:dom|:domains`, ":domain"),
		synonyms("part of an action", `[\s(]`, after,
			`:params|:parameter|:param|:vars|:variables|:args|:arguments|:parms|parameters|parameters:|:paramaters|:paramters`, ":parameters",
			`:preconditions|:pre|:precond|:preconds|:condition|:conditions|:when|precondition|precondition:|:pre-condition|:pre_condition|:precondtion|:guard|:if`, ":precondition",
			`:observe|:sense|:effects|:eff|:post|:postcondition|:postconditions|:post-condition|:result|:then|effect|effect:|:efect|:add|:effekt|:outcome`, ":effect"),
		[]habit.Habit{
			{Pattern: `[?\w][ \t]+(:|=|is|of|::|–|—|−)[ \t]+[\w-]+`, Message: `unexpected $0 before a type; write "-"`, Write: "-"},
			{Pattern: `\s[A-Za-z][\w-]*(:)[ \t]+[A-Za-z]`, Message: `unexpected $0 before a type; write "-"`, Write: " -"},
			{Pattern: `\?[\w-]+(:)[ \t]*[\w-]`, Message: `unexpected $0 before a type; write "-"`, Write: " - "},
			{Pattern: `((\?\w+)-(\w+))[\s)]`, Message: `write spaces around the "-" before a type`, Write: "$2 - $3"},
			{Pattern: `[\w)]\s+(-(\w+))[\s)]`, Message: `write spaces around the "-" before a type`, Write: "- $2"},
			{Pattern: `(\?[\w]+)-\s`, Message: `write spaces around the "-" before a type`, Write: "$1 "},
		},
		synonyms("operator", `\(\s*`, `[\s(]`, `&&|&|∧|both|conj|land|every`, "and", `!|~|¬|neg|no|never|negate|lnot`, "not"),
		[]habit.Habit{
			{Pattern: `(\(not\s+([A-Za-z=][\w-]*[^()]*)\))`, Message: "write the atom in parentheses: (not (name …))", Write: "(not ($2))"},
			{Pattern: `:(?:precondition|effect)\s+([A-Za-z][\w-]*)[\s)]`, Message: "write a literal as a list: ($1)", Write: "($1)"},
			{Propose: repeated}, {Propose: usedType}, {Propose: partOf}, {Propose: fewTerms}, {Propose: firstTerm}, {Propose: allObjects}, {Propose: dashed}, {Propose: swapped}, {Propose: typed}, {Propose: ownFix}, {Propose: misread}, {Propose: completed}, {Propose: parameterAt(0)}, {Propose: parameterAt(1)}, {Propose: parameterAt(2)}, {Propose: nearWord}, {Propose: unknownPart}, removing(map[string]repair{"strips.twice": cutPart}), {Propose: conjoined}, {Propose: domainOfProblem}, {Propose: nearAt}, {Propose: declared},
		},
	)
}

// ownFix proposes the fix that a fault already has, so that the faults that follow from this
// fault are dropped.
func ownFix(text string, fault source.Diagnostic) habit.Proposal {
	if len(fault.Fixes) == 0 || len(fault.Fixes[0].Edits) == 0 || fault.Severity != source.SeverityError {
		return habit.Proposal{}
	}
	return habit.Proposal{Edits: fault.Fixes[0].Edits, At: fault.Span, Message: fault.Message, Title: fault.Fixes[0].Title}
}

// misread corrects a term or a literal: a parameter without its question mark or an object with
// one, and a name without its parentheses.
func misread(text string, fault source.Diagnostic) habit.Proposal {
	word := text[fault.Span.Start:fault.Span.End]
	start, end := fault.Span.Start, fault.Span.End
	name := habit.Match(`\?*[A-Za-z][\w-]*$`, word) != nil
	switch {
	case !name:
	case fault.Code == "strips.parameter", fault.Code == "strips.term" && word[0] != '?':
		return edited(start, end, "?"+word, "Write ?"+word, "unknown object "+habit.Quote(word)+`; parameters begin with "?": ?`+word)
	case fault.Code == "strips.term":
		bare := strings.TrimLeft(word, "?")
		return edited(start, end, bare, "Write "+bare, "unknown parameter "+habit.Quote(word)+"; objects have no question mark")
	case strings.HasPrefix(fault.Message, "expected") && (fault.Code == "strips.literal" || fault.Code == "strips.predicate"):
		return edited(start, end, "("+word+")", "Write ("+word+")", "write a literal as a list: ("+word+")")
	}
	return habit.Proposal{}
}

// conjoined writes (and …) around several conditions.
func conjoined(text string, fault source.Diagnostic) habit.Proposal {
	const message = "several conditions need (and …)"
	start, end := fault.Span.Start, fault.Span.End
	switch {
	case fault.Code == "strips.literal" && strings.HasPrefix(text[start:end], "("):
		items, _ := form(text, start)
		if len(items) == 0 {
			return habit.Proposal{}
		}
		p := habit.Proposal{At: fault.Span, Title: "Write (and …)", Message: message, Edits: []source.Edit{{Span: source.Span{Start: items[0].Start, End: items[0].Start}, Text: "and "}}}
		for i, item := range items {
			switch strings.ToLower(text[item.Start:item.End]) {
			case "and", "&&", "&", "∧", ",":
				if i > 0 { // with the space before it
					p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: items[i-1].End, End: item.End}})
				}
			}
		}
		return p
	case fault.Code == "strips.part" && strings.HasPrefix(text[start:end], "("):
		open, ok := listAt(text, start)
		items, _ := form(text, open)
		at := slices.IndexFunc(items, func(s source.Span) bool { return s.Start == start })
		if !ok || at < 1 || text[items[at-1].Start] != '(' {
			return habit.Proposal{}
		}
		last := at
		for last+1 < len(items) && text[items[last+1].Start] == '(' {
			last++
		}
		from, to := items[at-1].Start, items[last].End
		return edited(from, to, "(and "+text[from:to]+")", "Write (and …)", message)
	case fault.Code == "strips.goal":
		open, ok := listAt(text, start)
		if items, _ := form(text, open); ok && len(items) > 2 {
			from, to := items[1].Start, items[len(items)-1].End
			return edited(from, to, "(and "+text[from:to]+")", "Write (and …)", "several goals need (and …)")
		}
	}
	return habit.Proposal{}
}

// completed adds a missing effect, replaces an unknown variable by the only parameter of the
// action, and removes the last term of an atom with too many terms.
func completed(text string, fault source.Diagnostic) habit.Proposal {
	open, ok := listAt(text, fault.Span.Start)
	if !ok {
		return habit.Proposal{}
	}
	switch {
	case strings.HasPrefix(fault.Message, "missing :effect"):
		_, end := form(text, open)
		p := edited(end-1, end-1, " :effect ()", "Add an effect", fault.Message)
		p.At = fault.Span
		return p
	case fault.Code == "strips.term" && text[fault.Span.Start] == '?':
		from := strings.LastIndex(text[:open], ":parameters")
		at := habit.NewPattern(`:parameters\s*\(\s*(\?[\w-]+)(?:\s+-\s+[\w-]+)?\s*\)`).Find(text, max(from, 0))
		if from >= 0 && at != nil && at[0] == from {
			only := text[at[2]:at[3]]
			return edited(fault.Span.Start, fault.Span.End, only, "Write "+only, fault.Message)
		}
	case fault.Code == "strips.arity":
		items, _ := form(text, fault.Span.Start)
		if n := len(items); n > 1 {
			p := edited(items[n-2].End, items[n-1].End, "", "Remove the last one", fault.Message)
			p.At = fault.Span
			return p
		}
	}
	return habit.Proposal{}
}

// repeated renames the second of two actions with the same name, and renames or removes
// the second of two equal names in a list.
func repeated(text string, fault source.Diagnostic) habit.Proposal {
	start, end := fault.Span.Start, fault.Span.End
	if strings.HasPrefix(fault.Message, "duplicate action") {
		p := edited(end, end, "-2", "Rename it", fault.Message)
		p.At = fault.Span
		return p
	}
	if fault.Code != "strips.twice" || text[start] == ':' || habit.Match(`\??[\w-]+$`, text[start:end]) == nil {
		return habit.Proposal{}
	}
	name := seriesName(text, text[start:end])
	if name == "" && text[start] == '?' {
		name = freeVariable(text, fault.Span)
	}
	if name != "" {
		return edited(start, end, name, "Write "+name, fault.Message)
	}
	edits := cutParameter(text, fault.Span)
	if text[start-1] == '(' { // a predicate
		edits = cutList(text, fault.Span)
	}
	p := habit.Proposal{Edits: edits, Title: "Remove it", Message: fault.Message}
	p.At = fault.Span
	return p
}

// declared adds the declaration of an unknown name, and writes an invalid name with valid signs.
func declared(text string, fault source.Diagnostic) habit.Proposal {
	word := text[fault.Span.Start:fault.Span.End]
	section, declaration := "", " "+word
	switch {
	case fault.Code == "strips.name" && habit.Match(`[^\s():][^\s()]*$`, word) != nil:
		valid := strings.Map(func(r rune) rune {
			if habit.Match(`[A-Za-z0-9_-]`, string(r)) == nil {
				return '-'
			}
			return r
		}, word)
		if habit.Match(`[A-Za-z]`, valid) == nil {
			valid = "o" + valid
		}
		return edited(fault.Span.Start, fault.Span.End, valid, "Write "+valid, fault.Message)
	case !strings.HasPrefix(fault.Message, "unknown") || habit.Match(`[A-Za-z][\w-]*$`, word) == nil:
		return habit.Proposal{}
	case fault.Code == "strips.type":
		section = `\(:types`
	case fault.Code == "strips.predicate", fault.Code == "strips.function":
		open, _ := listAt(text, fault.Span.Start)
		items, _ := form(text, open)
		declaration = " (" + word
		for i := range max(len(items)-1, 0) {
			declaration += " ?" + string(rune('x'+i%3))
		}
		section, declaration = `\(:`+map[bool]string{true: "functions", false: "predicates"}[fault.Code == "strips.function"], declaration+")"
	case fault.Code == "strips.term":
		section = `\(:objects`
	default:
		return habit.Proposal{}
	}
	at := habit.NewPattern(section).Find(text, 0)
	if at == nil { // before the first action
		if at = habit.NewPattern(`()\(:action\b`).Find(text, 0); at == nil || fault.Code != "strips.predicate" && fault.Code != "strips.function" {
			return habit.Proposal{}
		}
		at[1] = at[0]
		declaration = section[1:] + declaration + ")\n  "
	}
	p := edited(source.Pos(at[1]), source.Pos(at[1]), declaration, "Declare "+word, fault.Message)
	p.At = fault.Span
	return p
}

// domainOfProblem adds the domain of the text to a problem without one.
func domainOfProblem(text string, fault source.Diagnostic) habit.Proposal {
	domain := habit.NewPattern(`\(define\s+\(domain\s+([\w-]+)`).Find(text, 0)
	problem := habit.NewPattern(`\(define\s+\(problem\s+[\w-]+\)`).Find(text, 0)
	if fault.Message != "missing :domain" || domain == nil || problem == nil {
		return habit.Proposal{}
	}
	at := source.Pos(problem[1])
	name := text[domain[2]:domain[3]]
	p := edited(at, at, " (:domain "+name+")", "Add the domain", "missing (:domain "+name+")")
	p.At = fault.Span
	return p
}

func checkPDDL(s *notation.Scope) []source.Diagnostic {
	_, found := strips.Open(s.File, PDDLSiblings(s.Files, s.File.Name))
	return found
}

// requirements are the supported ones.
var requirements = []string{":strips", ":typing", ":negative-preconditions", ":equality"}

// allObjects writes a universal goal for each object of its type.
func allObjects(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "strips.unsupported" || !strings.Contains(text[:fault.Span.Start], ":goal") {
		return p
	}
	m := habit.NewPattern(`\(forall\s+\(\s*(\?[\w-]+)\s+-\s+([\w-]+)\s*\)\s*(\((?:[^()]|\([^()]*\))*\))\s*\)`).Find(text, int(fault.Span.Start)-1)
	list := habit.NewPattern(`\(:objects([^()]*)\)`).Find(text, 0)
	if m == nil || m[0] > int(fault.Span.Start) || list == nil {
		return p
	}
	variable, kind, goal := text[m[2]:m[3]], text[m[4]:m[5]], text[m[6]:m[7]]
	var goals, names []string
	words := strings.Fields(text[list[2]:list[3]])
	for i, word := range words {
		switch {
		case word == "-" && i+1 < len(words) && strings.EqualFold(words[i+1], kind):
			for _, name := range names {
				goals = append(goals, strings.ReplaceAll(goal, variable, name))
			}
		case word != "-" && (i == 0 || words[i-1] != "-"):
			names = append(names, word)
			continue
		}
		names = nil
	}
	if len(goals) == 0 {
		return p
	}
	p = edited(source.Pos(m[0]), source.Pos(m[1]), "(and "+strings.Join(goals, " ")+")", "Write it for each object", fault.Message)
	p.At = fault.Span
	return p
}

// swapped exchanges the two terms of an atom in which a term has an unexpected type.
func swapped(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := listAt(text, fault.Span.Start)
	items, _ := form(text, open)
	if fault.Code != "strips.type" || !ok || len(items) != 3 {
		return p
	}
	a, b := text[items[1].Start:items[1].End], text[items[2].Start:items[2].End]
	p = edited(items[1].Start, items[2].End, b+" "+a, "Exchange them", fault.Message)
	p.At = fault.Span
	return p
}

// dashed adds the dash between the objects of a line and their type, without which they have
// the type of the next line.
func dashed(text string, fault source.Diagnostic) (p habit.Proposal) {
	object := habit.Match(`([\w-]+) is of type`, fault.Message)
	if fault.Code != "strips.type" || object == nil {
		return p
	}
	line := habit.NewPattern(`\(:objects[^()]*\s`+escape(object[1])+`(?:[ \t]+[A-Za-z][\w-]*)*[ \t]+([A-Za-z][\w-]*)[ \t]*\n`).Find(text, 0)
	if line == nil {
		return p
	}
	kind := text[line[2]:line[3]]
	p = edited(source.Pos(line[2]), source.Pos(line[2]), "- ", "Write - "+kind, `missing "-" before the type `+habit.Quote(kind))
	p.At = source.Span{Start: source.Pos(line[2]), End: source.Pos(line[3])}
	return p
}

// typed adds the type that an atom expects to objects without one.
func typed(text string, fault source.Diagnostic) (p habit.Proposal) {
	m := habit.Match(`([\w-]+) is of type object, but [\w-]+ expects an? ([\w-]+)`, fault.Message)
	list := habit.NewPattern(`\(:objects([^()]*?)[\s-]*\)`).Find(text, 0)
	if m == nil || list == nil {
		return p
	}
	at := source.Pos(list[3])
	p = edited(at, source.Pos(list[1]-1), " - "+m[2], "Write - "+m[2], fault.Message)
	p.At = fault.Span
	return p
}

// parameterAt replaces an unknown term with the parameter of the action that has the
// given number.
func parameterAt(number int) func(text string, fault source.Diagnostic) habit.Proposal {
	return func(text string, fault source.Diagnostic) (p habit.Proposal) {
		from := strings.LastIndex(text[:fault.Span.Start], ":parameters")
		if fault.Code != "strips.term" || from < 0 || strings.Contains(text[from:fault.Span.Start], "(:") {
			return p
		}
		list := strings.IndexByte(text[from:], '(')
		parameters, _ := form(text, source.Pos(from+max(list, 0)))
		for _, at := range parameters {
			if name := text[at.Start:at.End]; name[0] == '?' {
				if number == 0 {
					if repeatsAtom(text, from, fault.Span, name) {
						return p
					}
					return edited(fault.Span.Start, fault.Span.End, name, "Write "+name, fault.Message)
				}
				number--
			}
		}
		return p
	}
}

// fewTerms adds a parameter of the action to an atom with too few terms.
func fewTerms(text string, fault source.Diagnostic) (p habit.Proposal) {
	from := strings.LastIndex(text[:fault.Span.Start], ":parameters")
	if fault.Code != "strips.arity" || from < 0 || text[fault.Span.Start] != '(' {
		return p
	}
	items, end := form(text, fault.Span.Start)
	list := strings.IndexByte(text[from:], '(')
	if list < 0 || len(items) == 0 {
		return p
	}
	parameters, _ := form(text, source.Pos(from+list))
	for _, at := range parameters {
		name := text[at.Start:at.End]
		if name[0] == '?' && !strings.Contains(text[fault.Span.Start:end], name) {
			p = edited(end-1, end-1, " "+name, "Add "+name, fault.Message)
			p.At = fault.Span
			return p
		}
	}
	return p
}

// explainPDDL explains the errors of a domain or a problem.
func explainPDDL(s *notation.Scope, a *notation.Analysis) {
	for i, d := range a.Diagnostics {
		if d.Code == "strips.costs" {
			if m := habit.NewPattern(`\(:goal\b`).Find(s.File.Text, int(d.Span.Start)); m != nil {
				_, end := form(s.File.Text, source.Pos(m[0]))
				a.Diagnostics[i].Span = source.Span{Start: source.Pos(m[0]), End: end}
			}
		}
		if d.Code == "strips.requirement" && len(d.Fixes) == 0 {
			a.Diagnostics[i].Fixes = []source.Fix{{Title: "Remove it", Edits: []source.Edit{{Span: source.Span{Start: d.Span.Start - 1, End: d.Span.End}}}}}
			word := ":" + strings.ToLower(strings.TrimLeft(s.File.Slice(d.Span), ":"))
			for _, known := range requirements {
				if source.Distance(word, known, 4) < 4 && !strings.Contains(s.File.Text, known+" ") && !strings.Contains(s.File.Text, known+")") {
					a.Diagnostics[i].Message = "unknown requirement " + habit.Quote(s.File.Slice(d.Span)) + `; did you mean "` + known + `"?`
					a.Diagnostics[i].Fixes = []source.Fix{{Title: "Write " + known, Edits: []source.Edit{{Span: d.Span, Text: known}}}}
				}
			}
		}
	}
	if a.Sound() {
		for _, p := range oddTypes(s.File.Text) {
			addApart(a, []source.Diagnostic{{Code: "strips.type", Severity: source.SeverityWarning, Span: p.At, Message: p.Message, Fixes: []source.Fix{{Title: p.Title, Edits: p.Edits}}}})
		}
		addApart(a, unusedNames(s))
		addApart(a, hashComments(s.File.Text))
		repaired(s, a, checkPDDL, "Remove it", map[string]repair{"strips.unused": cutParameter})
		a.Add(requiredTyping(s.File.Text)...)
		a.Add(gluedTypes(s.File.Text)...)
		return
	}
	explain(s, a, habit.Notation{
		Habits: pddlHabits(), Comments: ";#",
		Check:  checkText(s, checkPDDL),
		Repair: &habit.Repair{Keywords: keywords(stepsWords()), Signs: []string{"(", ")", "-"}, Words: []string{"and", "not", ":effect", ":precondition", ":parameters"}},
	})
	if source.HasErrors(a.Diagnostics) {
		a.Diagnostics = slices.DeleteFunc(a.Diagnostics, func(d source.Diagnostic) bool { return d.Code == "strips.costs" })
	}
	forms := []string{"strips.section", "strips.misplaced", "strips.define", "strips.name"}
	a.Diagnostics = withoutFollowing(a.Diagnostics, map[string][]string{
		"strips.missing": forms, "strips.unused": {"strips.term", "strips.part", "strips.predicate", "strips.literal"}, "strips.domain": {"strips.define"},
	})
}
