package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// synonyms returns a habit for each pair in words: a pattern of foreign keywords, which
// must occur between prefix and suffix, and the keyword of this notation that replaces
// them.
func synonyms(what, prefix, suffix string, words ...string) (out []habit.Habit) {
	for i := 0; i < len(words); i += 2 {
		out = append(out, habit.Habit{
			Pattern: prefix + "(" + words[i] + ")" + suffix, Message: "unknown " + what + ` $0; write "` + words[i+1] + `"`, Write: words[i+1],
		})
	}
	return out
}

// agentHabits are constructs of Lisp, Clojure, regular expressions, state machines and JSON Schema.
func agentHabits() []habit.Habit {
	const after = `[\s()]`
	return slices.Concat(
		[]habit.Habit{{All: oddQuotes, Complete: true}, {Propose: unclosedText}, {Pattern: `^[ \t]*(\[|\{)[ \t]*define\b`, Message: "unexpected $0; lists are written with ( and )", Write: "("}},
		[]habit.Habit{unlisted("(define name …)", `(define a (:states (S (:text "S"))) (:behavior (next S S)))`)},
		commentHabits(";"),
		[]habit.Habit{
			{Pattern: `^\s*(\{|\[)\s*\(define\b`, Message: "unexpected $0 before (define …)", Write: ""},
			{Pattern: `\)(\))\s+\((?::text|:flags|:one-of|:matches|:max-tokens|:from)\b`, Message: "unmatched $0 before a property", Write: ""},
			{Pattern: `\((:?"(_+)")\s+\(:text\b`, Message: "names of states have no quotes: $2", Write: "$2"},
			{Pattern: `\(:text\s+"[^"\n]*"((?:\s+"[^"\n]*")+)\s*\)`, Message: "unexpected second text $0 after :text", Write: ""},
			{Pattern: `\(:matches\s+(/([^\s"]*)/[a-z]*)\s*\)`, Message: "quote the pattern $0", Write: `"$2"`},
			{Pattern: `\(:matches\s+([^\s"()/'` + "`" + `“][^\s"()]*)\s*\)`, Message: "quote the pattern $0", Write: `"$1"`},
			{Pattern: `\)\s+(:env-input|:empty)[\s)]`, Message: "write a flag in (:flags …)", Write: "(:flags $1)"},
			{Pattern: `\(:flags\s+(\((:[\w-]+)\))`, Message: "write a flag without parentheses: $2", Write: "$2"},
			{Propose: bareFormula},
			{Propose: infix},
			{Pattern: `(\((?:par|parallel|concurrent|concurrently|interleave|all-of|fork|join)\s+([\w-]+)\s+([\w-]+)\))`, Message: "unknown operator in $0; write each order in an \"or\"", Write: "(or (next $2 $3) (next $3 $2))"},
			{Pattern: `\(next\s[^()]*[\w)]\s+(END|__end__|End|end|FINISH|finish|done|stop)\s*\)`, Message: "unknown state $0; a run ends after its last state", Write: ""},
			{Pattern: `\)(\*|\+)[\s)]`, Message: "unexpected $0; write (until f g) to repeat f", Write: ""},
			{Pattern: `[\s)](\|+|/)\s`, Message: "unexpected $0; write the operator first: (or f g)", Write: ""},
			{Pattern: `\((?::text)\s+([^\s"()'` + "`" + `“‘][^"()\n]*|[^\s"()'` + "`" + `“‘]*\[[^"()\n]*)\)`, Message: "quote the text $0", Write: `"$1"`},
			{Pattern: `\((?::prompt|:examples)\s+([^\s"():'` + "`" + `][^\s"()]*)\)`, Message: "quote the file name $0", Write: `"$1"`},
			{Pattern: `\(:require\s+([^"\s'` + "`" + `“()]+\([^()"\n]*\))\)`, Message: "quote the formula $0", Write: `"$1"`},
			{Pattern: `\(:behavior\s+((?:next|or|until|and|always|not)\s+[^()]*)\)`, Message: "write an operator in parentheses: (next …)", Write: "($1)"},
			{Pattern: `\(:behavior\s+(next|or|until|and|always|not)\s`, Message: "write an operator in parentheses: (next …)", Write: "($1"},
			{Pattern: `\(((?:state|node|define-state|defstate)\s+)[\w-]+\s+\(:`, Message: "unexpected $0 before the name of a state", Write: ""},
			{Pattern: `(\((:env-input|:empty)(?:\s+[\w"]+)?\))`, Message: "write a flag in (:flags …)", Write: "(:flags $2)"},
			{Pattern: `\(:require\s+([^"\s'` + "`" + `“][^"\n]*[^\n"])\)+[ \t]*$`, Message: "quote the formula $0", Write: `"$1"`},
		},
		[]habit.Habit{
			{Pattern: `\(:one-of\s+([\[({]\s*([^()\[\]{}]*?)\s*[\])}])\s*\)`, Message: "write the texts after :one-of without brackets", Write: "$2"},
			{Pattern: `(\("(_+)"\s*:?)\s`, Message: "write the name of a property without quotes: (:text …)", Write: "(:$2"},
			{Pattern: `[^\s(]\s+((next|or|until|until_\w+|always|always_\w+|eventually|and|not)\()`, Message: "write an operator inside the parentheses: (next …)", Write: "($2 "},
			{Pattern: `\(:(?:text|matches|max-tokens|one-of|from|flags)\s+[^()]*?[^\s()](\s+)(?::text|:matches|:max-tokens|:one-of|:from|:flags)\s`, Message: "write each property in its own list", Write: ") ("},
			{Pattern: `[^\s(]\s+((?::flags|:one-of|:matches|:max-tokens|:from)\s+(?:"[^"]*"|:env-input|:empty|[\w-]+)(?:\s+"[^"]*")*)[\s)]`, Message: "write the property in a list: $0", Write: "($0)"},
		},
		formHabits(),
		synonyms("form", `^\s*\(`, after, `defn|def|defun|defagent|define-agent|agent|deftype|DEFINE|Define|create|spec|let|machine|statemachine`, "define"),
		[]habit.Habit{
			{Pattern: `\(define\s+(\(\s*(?:agent|domain|problem)?\s*([\w.-]+)\s*\))`, Message: "write the name without parentheses: (define name …)", Write: "$2"},
			{Pattern: `\(define\s+("([\w.-]+)")`, Message: "write the name without quotes: $2", Write: "$2"},
			{Pattern: `\((define)\s*\(:`, Message: "missing name of the agent: (define name …)", Write: "define agent"},
			{Pattern: `^\s*\(([A-Za-z][\w.-]*)\s+\((?::states|:behavior)\b`, Message: `missing "define" before the name: (define name …)`, Write: "define $1"},
		},
		synonyms("section", `\(`, after,
			`states|states:|:state|:nodes|:vertices|:steps|:State|:STATES|state`, ":states",
			`behavior|behaviour|behavior:|behaviour:|:behaviors|:behaviours|:behave|:beh|on|:on|:protocol|:workflow|:transitions|:sequence|:process|:language|:regex|:order|:grammar|:run`, ":behavior",
			`require|requires|:requires|:required|:requirement|:requirements|:property|:properties|:ltl|:constraint|:constraints|:invariant|:assert|:spec|:safety`, ":require",
			`:examples|examples|:example|:shots|:few-shot|:demos|:samples`, ":examples",
			`prompt|:prompts|:system|:system-prompt|:instruction|:instructions|:template`, ":prompt"),
		[]habit.Habit{{Propose: orderSection}},
		[]habit.Habit{
			{Pattern: `\([^\s()":]+\s+((?::text|text:?|:prompt)\s+("[^"]*"))`, Message: `write the prompt in a list: (:text …)`, Write: "(:text $2)"},
			{Pattern: `\([^\s()":]+\s+("[^"]*")\s*[()]`, Message: `write the prompt as (:text …)`, Write: "(:text $0)"},
		},
		synonyms("property", `\(`, after,
			`text|text:|:prompt|:label|:name|:title|:marker|:tag|:header|:prefix|:string|:content|:txt|:Text|:TEXT|:message|:token`, ":text",
			`flags|:flag|:flgs|:options|:attrs|:kind|:type`, ":flags",
			`:one_of|:oneof|:oneOf|:enum|:choices|:values|:options|:any-of|:anyOf|:allowed|:in|:either|:members|one-of|enum`, ":one-of",
			`:pattern|:regex|:regexp|:match|:matching|:format|:re|:like|matches|regex|pattern`, ":matches",
			`:max_tokens|:max-token|:maxtokens|:maxTokens|:max|:limit|:max-length|:maxLength|:tokens|:max_new_tokens|:max_length|:maxlen|:max-len|:max-chars|:length|max-tokens`, ":max-tokens"),
		synonyms("source", `\(:from\s+`, after, `human|user|people|operator|someone|customer`, "person", `function|functions|api`, "tools", `model|llm|judge|grader`, "evaluator"),
		synonyms("flag", `\(:flags[^()]*[\s]`, after,
			`env-input|:env_input|:envinput|:envInput|:input|:env|:environment|:external|:tool|:observation|:from-env|:user|:ENV-INPUT|:env-output`, ":env-input",
			`empty|:no-content|:none|:blank|:void|:EMPTY`, ":empty"),
		[]habit.Habit{
			{Pattern: `\(\s*((until|always)(?:-|\s+|=|<=|:|\^)(\d+))[\s)]`, Message: `invalid bound $0; write it as "until_3" or "always_3"`, Write: "$2_$3"},
			{Pattern: `\(\s*((until|always)_?\s*[{\[(]\s*(\d+)\s*(?:,|-|\.\.|:|\s)\s*(\d+)\s*[}\])])`, Message: `invalid bounds $0; write them as "until_1_3"`, Write: "$2_$3_$4"},
			{Pattern: `\(\s*((until)_?(\d+)(?:\.\.\.?|,|:)(\d+))\s`, Message: `invalid bounds $0; write them as "until_1_3"`, Write: "$2_$3_$4"},
			{Pattern: `\(\s*((until|always)(\d+))\s`, Message: `invalid bound $0; write it as "until_3" or "always_3"`, Write: "$2_$3"},
			{Pattern: `\(\s*((until|always)_?\s*[{\[(]\s*(\d+)\s*[}\])])`, Message: `invalid bound $0; write it as "until_3"`, Write: "$2_$3"},
			{Pattern: `\(\s*((until)(?:-|_|\s+)(\d+)(?:-|_|\s+)(\d+))\s`, Message: `invalid bounds $0; write them as "until_1_3"`, Write: "$2_$3_$4"},
			{Pattern: `\(\s*((until|always)_(\d+)_)\s`, Message: `invalid bound $0; write it as "until_3"`, Write: "$2_$3"},
			{Propose: reversedBounds},
			{Propose: wordedBound},
			{Propose: repeatedPart},
			{Propose: emptyPart},
			{Pattern: `\(\s*((until|always)_[A-Za-z]\w*)\s`, Message: `invalid bound $0; write a number, as in "until_3"`, Write: "$2_3", None: true},
			{Pattern: `[\s(](([\w-]+)[*+?])[\s)]`, Message: "unexpected $0; repetition is written (until f g) or (always f)", Write: "$2", None: true},
		},
		synonyms("operator", `\(\s*`, `\s`,
			`seq|sequence|then|chain|concat|cat|begin|do|progn|steps|order|series|followed-by|and-then|add_edge|edge|goto|transition|go|-->|before|precedes|NEXT|Next|nxt|->>|;|block|path|compose`, "next",
			`either|choice|alt|alternative|choose|xor|any|one-of|oneof|case|cond|if|\||\|\||OR|Or|union|select|switch|\+|amb|branch|\\/|∨`, "or",
			`loop|while|repeat|iterate|times|for|repeat-until|star|many|kleene|loop-until|do-until|do-while|Until|UNTIL|U|weak-until|zero-or-more|unless`, "until",
			`globally|forever|infinitely|Always|ALWAYS|loop-forever|box|plus|one-or-more|\+`, "always",
			`finally|sometime|diamond|exists|Eventually`, "eventually",
			`=>|implies|imply|→|⇒|when`, "->", `AND|And|&|&&|both|all|∧|/\\`, "and", `NOT|Not|!|~|¬|no|never`, "not"),
		[]habit.Habit{
			{Pattern: `[\w)]\s+(-+>|→|=+>|>>|then|;|\.)\s+[\w(]`, Message: "unexpected $0; (next …) lists its parts in their order", Write: ""},
		},
		[]habit.Habit{{Propose: repeatedState}, {Propose: nearWord}, {Propose: stateOfPrompt}, {Propose: wrapped}, {Propose: missingPrompt}, {Propose: brokenPattern}, {Propose: emptyPrompt}, {Propose: badMaximum}, {Propose: nestedProperty}, {Propose: inputFlag}, {Propose: endless}, {Propose: secondSection}, {Propose: ownFix},
			removing(map[string]repair{"agent.twice": cutList, "agent.section": cutSection, "agent.property": cutList, "agent.one-of": cutList}),
		},
	)
}

// reversedBounds exchanges the bounds of a repetition if the first one is greater.
func reversedBounds(text string, fault source.Diagnostic) habit.Proposal {
	m := habit.Match(`(until|always)_(\d+)_(\d+)$`, text[fault.Span.Start:fault.Span.End])
	if m == nil || len(m[2]) < len(m[3]) || len(m[2]) == len(m[3]) && m[2] <= m[3] {
		return habit.Proposal{}
	}
	written := m[1] + "_" + m[3] + "_" + m[2]
	return edited(fault.Span.Start, fault.Span.End, written, "Write "+written, "invalid bounds "+habit.Quote(m[0])+"; write the smaller number first")
}

// stateOfPrompt replaces a prompt in a behaviour or formula by the state that has this
// prompt.
func stateOfPrompt(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Code != "agent.state-unknown" && fault.Code != "agent.formula" || fault.Span.Len() > 80 {
		return habit.Proposal{}
	}
	plain := func(text string) string { return strings.ToLower(strings.Trim(text, "\"[]<>: #*")) }
	word := plain(text[fault.Span.Start:fault.Span.End])
	pattern := habit.NewPattern(`\(([^\s()":]+)\s+\(:text\s+"([^"\n]*)"`)
	for at := pattern.Find(text, 0); at != nil && word != ""; at = pattern.Find(text, at[1]) {
		state, prompt := text[at[2]:at[3]], plain(text[at[4]:at[5]])
		if word == prompt || word == strings.ReplaceAll(prompt, " ", "-") || word == strings.ToLower(state) {
			written := text[fault.Span.Start:fault.Span.End]
			message := "unknown state " + habit.Quote(strings.Trim(written, `"`)) + `; did you mean "` + state + `"?`
			if strings.Trim(written, `"`) == state {
				message = "write a state without quotes: " + state
			}
			return edited(fault.Span.Start, fault.Span.End, state, "Write "+state, message)
		}
	}
	return habit.Proposal{}
}

// wrapped inserts (next …) where an operator is missing, or has too many arguments.
func wrapped(text string, fault source.Diagnostic) habit.Proposal {
	open, ok := listAt(text, fault.Span.Start)
	if !ok {
		return habit.Proposal{}
	}
	items, end := form(text, open)
	insert := func(from, to int) habit.Proposal {
		start, stop := items[from].Start, items[to].End
		return habit.Proposal{At: fault.Span, Title: "Write (next …)", Message: fault.Message, Edits: []source.Edit{
			{Span: source.Span{Start: start, End: start}, Text: "(next "}, {Span: source.Span{Start: stop, End: stop}, Text: ")"},
		}}
	}
	word := text[fault.Span.Start:fault.Span.End]
	switch {
	case fault.Code == "agent.operator" && strings.Contains(fault.Message, "is a state"):
		p := edited(fault.Span.Start, fault.Span.Start, "next ", "Write next", fault.Message)
		p.At = fault.Span
		return p
	case fault.Code == "agent.arity" && strings.HasPrefix(word, "until") && len(items) > 3:
		return insert(1, len(items)-2)
	case (fault.Code == "agent.behavior-one" || fault.Code == "agent.arity") && len(items) > 2 && end > 0:
		return insert(1, len(items)-1)
	}
	return habit.Proposal{}
}

func missingPrompt(text string, fault source.Diagnostic) habit.Proposal {
	name := text[fault.Span.Start:fault.Span.End]
	prompt := ` (:text "[` + name + `]")`
	switch {
	case fault.Code == "agent.text-form" && name == ":text":
		open, _ := listAt(text, fault.Span.Start)
		state, _ := listAt(text, open)
		items, end := form(text, open)
		if names, _ := form(text, state); len(items) == 1 && len(names) > 1 {
			p := edited(end-1, end-1, ` "[`+text[names[0].Start:names[0].End]+`]"`, "Add a prompt", fault.Message)
			p.At = fault.Span
			return p
		}
	case fault.Code == "agent.text-missing" && !strings.HasPrefix(name, ":"):
		p := edited(fault.Span.End, fault.Span.End, prompt, "Add a prompt", fault.Message)
		p.At = fault.Span
		return p
	case fault.Code == "agent.state-form" && habit.Match(`[\w.-]+$`, name) != nil:
		p := edited(fault.Span.Start, fault.Span.End, "("+name+prompt+")", "Add a prompt", "write a state as ("+name+prompt+")")
		open, _ := listAt(text, fault.Span.Start)
		items, _ := form(text, open)
		for _, item := range items {
			if name := text[item.Start:item.End]; item.Start > fault.Span.Start && habit.Match(`[\w.-]+$`, name) != nil {
				p.Edits = append(p.Edits, source.Edit{Span: item, Text: "(" + name + ` (:text "[` + name + `]"))`})
			}
		}
		return p
	}
	return habit.Proposal{}
}

// emptyPrompt writes the name of the state as its prompt, if the prompt is empty or another
// state has the same prompt.
func emptyPrompt(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "agent.text-empty" && fault.Code != "agent.text-twice" {
		return p
	}
	property, _ := listAt(text, fault.Span.Start)
	state, ok := listAt(text, property)
	items, _ := form(text, state)
	if !ok || len(items) == 0 {
		return p
	}
	prompt := `"[` + text[items[0].Start:items[0].End] + `]"`
	return edited(fault.Span.Start, fault.Span.End, prompt, "Write "+prompt, fault.Message)
}

// orderSection removes a section that lists transitions or the first or last states.
func orderSection(text string, fault source.Diagnostic) (p habit.Proposal) {
	m := habit.NewPattern(`\((:transitions?|:edges?|:initial|:init|:start|:final|:accept|:end|transitions|initial|final)`+`[\s()]`).Find(text, 0)
	if fault.Code != "agent.section" || m == nil {
		return p
	}
	at := source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}
	edits := cutSection(text, at)
	if edits == nil { // it may be the behaviour
		edits = []source.Edit{{Span: at, Text: ":behavior"}}
	}
	return habit.Proposal{Edits: edits, At: at, None: edits[0].Text != "", Title: "Remove it", Message: "unknown section " + habit.Quote(text[at.Start:at.End]) + `; the order of states follows from ":behavior"`}
}

// badMaximum writes the number in a maximum, removes a maximum without a number, and writes a maximum of 0 as a flag.
func badMaximum(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "agent.max-tokens" {
		return p
	}
	open, ok := listAt(text, fault.Span.Start)
	items, end := form(text, open)
	if !ok || len(items) == 0 {
		return p
	}
	at := items[len(items)-1]
	at.Start = items[min(1, len(items)-1)].Start
	p = habit.Proposal{Edits: cut(text, source.Span{Start: open, End: end}), At: at, Title: "Remove it", Message: fault.Message}
	written := text[at.Start:at.End]
	if number := habit.Match(`[^\d]*([1-9][\d,_]*)(?:[^\d]|$)`, written); number != nil {
		number := strings.NewReplacer(",", "", "_", "").Replace(number[1])
		p.Edits, p.Title = []source.Edit{{Span: at, Text: number}}, "Write "+number
	} else if written == "0" {
		p.Edits, p.Title = []source.Edit{{Span: source.Span{Start: open, End: end}, Text: "(:flags :empty)"}}, "Write (:flags :empty)"
	}
	return p
}

// separates reports whether a word joins texts in other languages.
func separates(word string) bool { return word == "or" || word == "|" || word == "/" || word == "and" }

// oddTexts warns of texts after :one-of that have no quotes, of words between them, and of texts and alternatives that
// occur twice.
func oddTexts(text string) (found []source.Diagnostic) {
	masked := (&habit.Notation{Comments: ";#"}).Mask(text)
	pattern := habit.NewPattern(`\((:one-of|or)\s`)
	for m := pattern.Find(masked, 0); m != nil; m = pattern.Find(masked, m[1]) {
		items, _ := form(text, source.Pos(m[0]))
		texts := text[m[2]] == ':'
		seen := map[string]bool{}
		var quotes []source.Edit
		for _, item := range items[1:] {
			word, message, title, edits := text[item.Start:item.End], "", "Remove it", []source.Edit(nil)
			bare := strings.Trim(word, `"`)
			switch {
			case seen[bare] && texts:
				message = "duplicate text " + habit.Quote(bare) + " (ignored)"
			case seen[bare]:
				message = "duplicate alternative " + habit.Quote(word) + " (ignored)"
			case texts && separates(word):
				message = habit.Quote(word) + " is one of the texts; separate texts with spaces"
			case texts && bare == word && !strings.HasPrefix(word, "("):
				if message, title = "quote the text "+habit.Quote(word), "Quote it"; len(quotes) > 0 {
					continue // the fix of the first one quotes all
				}
				for _, item := range items[1:] {
					if word := text[item.Start:item.End]; word[0] != '"' && word[0] != '(' && !separates(word) {
						quotes = append(quotes, source.Edit{Span: item, Text: lines.Quote(word)})
					}
				}
				edits = quotes
			}
			if seen[bare] = true; message == "" {
				continue
			}
			if edits == nil {
				edits = cut(text, item)
			}
			found = append(found, source.Diagnostic{
				Code: "agent.mark", Severity: source.SeverityWarning, Span: item, Message: message, Fixes: []source.Fix{{Title: title, Edits: edits}},
			})
		}
	}
	return found
}

// brokenPattern completes a pattern.
func brokenPattern(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Code != "agent.matches" {
		return habit.Proposal{}
	}
	edit, at := source.Edit{Span: fault.Span}, fault.Span
	if at.Len() == 0 { // a character is missing at the end of the pattern
		at = source.Span{Start: source.Pos(max(strings.LastIndexByte(text[:at.Start], '"'), 0)), End: at.End + 1}
	}
	pattern := text[at.Start:source.LineEnd(text, int(at.Start))]
	switch {
	case strings.HasSuffix(fault.Message, "missing ]"):
		edit.Text = "]"
		open := strings.LastIndexByte(text[:fault.Span.Start], '[')
		if i := strings.IndexByte(text[open+1:fault.Span.Start], '{'); i > 0 { // the class ends before a repetition
			edit.Span.Start = source.Pos(open + 1 + i)
			edit.Span.End = edit.Span.Start
		}
	case strings.Contains(fault.Message, "invalid repetition"):
		m := habit.Match(`\{(\d+)(?:,(\d+))?(\}?)`, pattern)
		switch {
		case m == nil || m[2] == "" && m[3] != "":
			return habit.Proposal{}
		case m[3] == "":
			edit.Text = m[0] + "}"
		default:
			edit.Text = "{" + m[2] + "," + m[1] + "}"
		}
		edit.Span.End = edit.Span.Start + source.Pos(len(m[0]))
	case strings.Contains(fault.Message, "another repetition"):
	case strings.HasSuffix(fault.Message, "missing )"):
		edit.Text = ")"
	case strings.Contains(fault.Message, "unmatched )"):
	case strings.Contains(fault.Message, "nothing to repeat") && text[fault.Span.Start] == '*':
		edit = source.Edit{Span: source.Span{Start: fault.Span.Start, End: fault.Span.Start}, Text: "."}
	default:
		return habit.Proposal{}
	}
	return habit.Proposal{Edits: []source.Edit{edit}, At: at, Message: fault.Message, Title: "Fix the pattern"}
}

func checkAgent(s *notation.Scope) []source.Diagnostic {
	_, found := CompileAgent(s.File)
	return found
}

// explainAgent explains the errors of an agent, with those of its patterns.
func explainAgent(s *notation.Scope, a *notation.Analysis) {
	check := func(s *notation.Scope) []source.Diagnostic {
		spec, found := agent.Parse(s.File)
		if !source.HasErrors(found) {
			found = append(found, agent.CheckContents(spec)...)
		}
		return found
	}
	if a.Sound() {
		spec, _ := agent.Parse(s.File)
		a.Add(agent.CheckContents(spec)...)
	}
	if a.Sound() {
		addApart(a, oddTexts(s.File.Text))
		repaired(s, a, checkAgent, "Remove it", map[string]repair{"agent.state-unused": cutList})
		return
	}
	a.Drawing = nil
	explain(s, a, habit.Notation{
		Habits: agentHabits(), Comments: ";#", Check: checkText(s, check),
		Repair: &habit.Repair{Keywords: keywords(agentWords()), Signs: []string{"(", ")"}, Words: []string{"next", "or", ":text", ":flags"}, Closers: ")"},
	})
	a.Diagnostics = withoutFollowing(a.Diagnostics, map[string][]string{
		"agent.states-missing":   {"agent.section", "agent.misplaced", "agent.define", "agent.name"},
		"agent.behavior-missing": {"agent.section", "agent.misplaced", "agent.define", "agent.name"},
		"agent.name":             {"agent.misplaced"},
	})
	if count(a.Diagnostics, func(d source.Diagnostic) bool { return strings.HasPrefix(d.Code, "sexpr.") }) == 0 {
		addApart(a, slices.DeleteFunc(oddTexts(s.File.Text), func(d source.Diagnostic) bool { return !strings.HasPrefix(d.Message, "duplicate") }))
	}
}

// withoutFollowing drops diagnostics that follow from others. causes maps the code of a
// diagnostic to the codes of its possible causes.
func withoutFollowing(found []source.Diagnostic, causes map[string][]string) []source.Diagnostic {
	return slices.DeleteFunc(slices.Clone(found), func(d source.Diagnostic) bool {
		of, follows := causes[d.Code]
		return follows && slices.ContainsFunc(found, func(cause source.Diagnostic) bool {
			return slices.Contains(of, cause.Code)
		})
	})
}

// repeatedState renames the second of two states with the same name to a state that the behavior
// uses and no definition has.
func repeatedState(text string, fault source.Diagnostic) habit.Proposal {
	behavior := habit.NewPattern(`\(:behavior\b`).Find(text, 0)
	if fault.Code != "agent.state-twice" || behavior == nil {
		return habit.Proposal{}
	}
	name := habit.NewPattern(`[\s(]([A-Za-z][\w-]*)[\s)]`)
	for at := name.Find(text, behavior[1]); at != nil; at = name.Find(text, at[3]) {
		word := text[at[2]:at[3]]
		defined := habit.NewPattern(`\(`+escape(word)+`\s*\(:`).Find(text, 0) != nil
		if !defined && habit.Match(`(?:next|or|and|not|until|always|eventually)(?:_\w+)?$`, word) == nil {
			return edited(fault.Span.Start, fault.Span.End, word, "Write "+word, fault.Message)
		}
	}
	return habit.Proposal{Edits: cutList(text, fault.Span), At: fault.Span, Message: fault.Message, Title: "Remove it"}
}
