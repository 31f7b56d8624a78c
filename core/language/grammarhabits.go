package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// grammarHabits are constructs of EBNF, Yacc, ANTLR, Lark, GBNF and Prolog that are errors here.
func grammarHabits() []habit.Habit {
	const (
		arrow = `unknown arrow $0; write "->"`
		line  = "unsupported line $0"
	)
	return slices.Concat(commentHabits("#"), []habit.Habit{
		{Propose: dataFile},
		{Propose: block},
		{Pattern: `^[ \t]*("""([^"\n]+)""")`, Message: `unexpected $0; quote with one "`, Write: `"$2"`},
		{Pattern: `^([^\n]*(?:"""|\'\'\')[^\n"]*)$`, Message: "unexpected $0; a file contains the spec only", Write: ""},
		{Pattern: `[ \t]("""([^"\n]+)""")`, Message: `unexpected $0; quote with one "`, Write: `"$2"`},
		{Pattern: `\bas[ \t]+("([^"“”„»\n]*)[“”»])[ \t]*$`, Message: `quote a label with ", not as $0`, Write: `"$2"`},
		{Pattern: `\bas[ \t]+([“”„«]([^"“”„»\n]*)")[ \t]*$`, Message: `quote a label with ", not as $0`, Write: `"$2"`},
		{Pattern: `^[ \t]*%subset\b[^\n|]*[ \t](\||,|;)(?:[ \t]|$)`, Message: "unexpected $0; separate items with spaces", Write: ""},
		{Pattern: `^[ \t]*(([^\s"|>:=-]+)(?:->|→|::=|:=|:|=)([^\s":=>][^\s"]*))[ \t]+[|\w]`, Message: "missing spaces around the arrow", Write: "$2 -> $3", Complete: true},
		{Pattern: `^[ \t]*[^\s"|]+[ \t]+(\|+)[ \t]*[^\s|]`, Message: `unexpected $0; write "->" after the symbol of the rule`, Write: "-> ", Complete: true},
		{Propose: closeQuote("cfg.string-open")},
		{Pattern: `[ \t](//+|--|;+|%+)(?:[ \t]|[ \t][^"|\n]*[ \t])as[ \t][^"\n|]*$`, Message: "unexpected $0; comments begin with #", Write: "#"},
		{Propose: limitLine},
		{Propose: manyStarts},
		{Propose: secondArrow},
		{Propose: listedRule},
		{Pattern: `^[ \t]*(<[/?!]?\w[^>\n]*(?:=|/)[^>\n]*>)[ \t]*$`, Message: "unsupported line $0; a grammar has no tags", Write: ""},
		{Pattern: `^[ \t]*((?:G|N|V|T|P|Σ|R|Γ|V_?[NTnt]|Terminals?|Nonterminals?|Variables|Alphabet|terminals?|nonterminals?|non-terminals?|variables?|alphabet|symbols|S)[ \t]*[:=][ \t]*[({\[][^\n]*[)}\]])[ \t]*$`, Message: "unsupported line $0; symbols need no declaration", Write: ""},
		{Pattern: `^[ \t]*((?:[Tt]erminals?|[Nn]on-?[Tt]erminals?|[Vv]ariables|[Aa]lphabet|[Ss]ymbols|[Tt]okens)[ \t]*[:=][ \t]*\w[^\n|]*)$`, Message: "unsupported line $0; symbols need no declaration", Write: ""},
		{Pattern: `^[ \t]*((?:%|@|\.)?(?:(?:root|goal|axiom|entry|top|main|initial|begin|Root|Goal)(?:[ \t_-]?[Ss]ymbol|[ \t_-]rule)?|[Ss]tart(?:[ \t_-]?[Ss]ymbol|[ \t_-]rule))[ \t]*(?:=|:|is)[ \t]*(\S+?)[ \t]*[;.,]?)[ \t]*$`, Message: `unknown line $0; write "%start"`, Write: "%start $2"},
		{Pattern: `^[ \t]*([%@.](?:root|goal|axiom|entry|top|main|initial|begin|Start|START|start_symbol|start-symbol|starts|strt)|%[ \t]+start)[ \t]+[^\s:=>-]+[ \t]*;?[ \t]*$`, Message: `unknown directive $0; write "%start"`, Write: "%start"},
		{Pattern: `^[ \t]*((\S+)[ \t]+is[ \t]+the[ \t]+start[ \t]+symbol\.?)[ \t]*$`, Message: `unexpected text $0; write "%start"`, Write: "%start $2"},
		{Pattern: `^[ \t]*(limit[ \t]*(?::|=|\(|->|<=)[ \t]*(\d+)[ \t]*\)?)(?:[ \t]|$)`, Message: `unexpected signs in $0; write "limit 3 a"`, Write: "limit $2"},
		{Pattern: `^[ \t]*(([^\s"|]+)[ \t]*(?:<=|≤|<|at most|max|up to)[ \t]*(\d+)(?:[ \t]+times)?)[ \t]*$`, Message: `unexpected line $0; write a limit as "limit 3 a"`, Write: "limit $3 $2"},
		{Pattern: `^[ \t]*((?:label|name|describe|doc|desc|as)[ \t]+([^\s"]+)[ \t]+(?:as[ \t]+|[:=][ \t]*)?("[^"\n]*"))[ \t]*$`, Message: "write the symbol before its label, not $0", Write: "$2 as $3"},
		{Pattern: `[ \t]as([:=]|[ \t]+[:=(-])[ \t]*"`, Message: `unexpected $0 after "as"`, Write: " "},
		{Pattern: `\bas[ \t]+([“„”‘’«` + "`" + `]([^"“”‘’»\n` + "`" + `]*)[”“’‘»` + "`" + `])`, Message: `quote a label with ", not as $0`, Write: `"$2"`},
		{Pattern: `\bas[ \t]+("[^"\n]*")[ \t]+[^\s|#]`, Message: `unexpected symbol after the label $0; a label ends its right side`, Write: "$1 |"},
		{Pattern: `(?:^|\s)("")(?:\s|$)`, Message: "empty symbol name; write ε for the empty word", Write: "ε"},
		{Pattern: `^[ \t]*(%?@?[Ss]tart(?:[ \t]+symbol)?(?:[ \t]*[:=])?|%axiom|axiom:?|start_symbol:?)[ \t]+[^\s:=>-]+[ \t]*;?[ \t]*$`, Message: `unknown line $0; write "%start"`, Write: "%start"},
		{Pattern: `^[ \t]*(%(?:token|left|right|nonassoc|type|prec|precedence|union|define|code|import|ignore|declare|extend|override|expect|option|skip|whitespace)\b.*)$`, Message: "unsupported directive $0", Write: ""},
		{Pattern: `^[ \t]*(%[%{}])[ \t]*$`, Message: "unexpected $0; a grammar has no sections", Write: ""},
		{Pattern: `^[ \t]*((?:options|tokens|channels|@\w+(?:::\w+)?)[ \t]*\{[^{}]*\})[ \t]*$`, Message: line, Write: ""},
		{Pattern: `^[ \t]*(%start[ \t]+(\S+)[ \t]*(?:->|→|::=|:=|:|=))[ \t]`, Message: "unexpected \"%start\" before a rule", Write: "$2 ->"},
		{Pattern: `^[ \t]*\S+[ \t]*(=[ \t]*[_@$!]?\{([^{}\n]*)\})[ \t]*$`, Message: `unknown arrow "="; write "->"`, Write: "->$2"},
		{Pattern: `^[ \t]*((fragment)[ \t]+([^\s:=]+)[ \t]*(?:->|→|::=|=>|=|:|:=|-->))[ \t]`, Message: "unexpected $2 before the rule", Write: "$3 ->"},
		{Propose: namesWithBlanks},
		{Propose: leftSide},
		{Propose: braced},
		{Pattern: `^[ \t]*((?:lexer|parser|tree|combined)?[ \t]*(?:grammar|mode|import|catalog|catch|finally|channels|namespace|syntax|start|grammar-class|class|trait|extends|module|use|open|from|require)\b[^>=|\n]*[;}])[ \t]*$`, Message: "unsupported line $0", Write: ""},
		{Pattern: `^[ \t]*((?:grammar|parser|lexer|import|options|fragment|namespace|@\w+|#include|using|package|export)\b[^>:=|\n]*;?)[ \t]*$`, Message: line, Write: ""},
		{Pattern: `^[ \t]*(rule|def|let|define|fragment|production|prod|nonterminal|token|var|const|export|pub|private|public|val|auto|static|type|my|syntax|lexical|terminal|keyword|\[\d+\])[ \t]+\S+[ \t]+(?:->|→|::=|=>|=|:|:=|-->)[ \t]`, Message: "unexpected $0 before the rule", Write: ""},
		{Pattern: `^[ \t]*(([^\s,|"]+),[ \t]*([^\s,|"]+)[ \t]+(?:->|→|::=)([^\n]*))$`, Message: "expected one symbol before the arrow, not $2, $3", Write: "$2 ->$4\n$3 ->$4"},
		{Pattern: `^[ \t]*((?:rules|grammar|productions|spec|cfg|start|tokens|terminals|nonterminals)[ \t]*[:{]|\[\[?[A-Za-z][\w. ]*\]\]?)[ \t]*$`, Message: line, Write: ""},
		{Pattern: `^[ \t]*(%start)[ \t]*$`, Message: "expected one symbol after $0", Write: ""},
		{Pattern: `^[ \t]*%start[ \t]+\S+?(;|\.|,)[ \t]*$`, Message: "unexpected $0 after the start symbol", Write: ""},
		{Pattern: `^[ \t]*%start(:|[ \t]*=|[ \t]+:)[ \t]*\S`, Message: "unexpected $0 after %start", Write: " "},
		{Pattern: `^[ \t]*(("[^"\n]*")[ \t]+as[ \t]+([^\s"]+))[ \t]*$`, Message: "write the symbol before its label", Write: "$3 as $2"},
		{Pattern: `^[ \t]*(([^\s"]+)[ \t]+as)[ \t]*$`, Message: "expected a quoted text after \"as\"", Write: `$2 as "$2"`},
		{Pattern: `^[ \t]*([-+*>•·◦‣–—]|\d+[.):]?|\(\w+\)|\w+[:)]|>>>|\$)[ \t]+\S+[ \t]+(?:->|→|::=|=>|=|:|:=|-->)[ \t]`, Message: "unexpected $0 before the rule", Write: ""},
		{Propose: labelled},
		{Pattern: `\s(;)\s+\S+\s+(?:->|→|::=)\s`, Message: "unexpected $0; write each rule on its own line", Write: "\n"},
		{Pattern: `\bas[ \t]+('([^'"\n]*)')`, Message: "quote a label with \", not with '", Write: `"$2"`},
		{Pattern: `\bas[ \t]+([^"|\s#][^"|\n#]*?)[ \t]*(?:\||#|$)`, Message: "quote the label $0", Write: `"$1"`},
		{Pattern: `^[ \t]*(([^\s"|>-]+)(?:->|→|::=)([^\s"]*))`, Message: "missing spaces around the arrow", Write: "$2 -> $3"},
		{Pattern: `^[ \t]*(([\w<>'-]+)[ \t]*\n[ \t]*(?:->|→|::=|:|=|:=))[ \t]`, Message: `write the arrow "->" on the line of its symbol`, Write: "$2 ->"},
		{Pattern: `^[ \t]*(;|\.|end;?|\}|\{)[ \t]*$`, Message: "unexpected $0; a rule ends with its line", Write: ""},
		{Pattern: `^[ \t]*\S+[ \t]+(=|:|:=|-->|=>|==>|⇒|⟶|⟹|::-|::|=\||=/|\+=|:-|- +>|-&gt;|=&gt;|—&gt;|->:|→:|↦|➔|➜|➝|<-|←|<=|>|~>|⊢|\|-|⟵|⇐|⟸|≜|≝|⊳|▷|↪|≔|—>|–>|->>|>>|to\b|derives\b|becomes\b)(?:[ \t]|$)`, Message: arrow, Write: "->"},
		{Propose: prose},
		{Pattern: `^[ \t]*[^\s:="]+(::=|:=|:|=>|=)(?:[ \t]|$)`, Message: arrow, Write: " ->"},
		{Pattern: `^[ \t]*(([^\s:="|]+)(?:::=|:=|:|=>|=)([^\s"]+))[ \t]`, Message: arrow, Write: "$2 -> $3"},
		{Pattern: `^[ \t]*limit[ \t]+(([^\s\d:=<,]+)[ \t]*(?:<=|<|≤|==?|to|:|at most)?[ \t]*(\d+)(?:[ \t]*(?:times|x|max))?)[ \t]*$`, Message: "expected the number before the symbols of a limit, not $0", Write: "$3 $2"},
		{Pattern: `^[ \t]*limit[ \t]+(([^\s\d:=<,]+)[ \t]*(?:<=|<|≤|==?|to|:|at most)?[ \t]*(one|once))[ \t]*$`, Message: "expected the number before the symbols of a limit, not $0", Write: "1 $2"},
		{Pattern: `^[ \t]*limit[ \t]+\d+[ \t]+(all|every|any|everything|each:|\*)[ \t]*(?:$|except\b)`, Message: `unexpected $0; write "each"`, Write: "each"},
		{Pattern: `^[ \t]*limit[ \t]+\d+[^\n#]*\S(,|;)(?:[ \t]|$)`, Message: "unexpected $0; separate symbols with spaces", Write: ""},
		{Pattern: `^[ \t]*limit[ \t]+\d+[ \t]+(of|for|x|times|×|-|:|=|>|\*|to|on)[ \t]+\S`, Message: "unexpected $0 after the number", Write: ""},
		{Pattern: `^[ \t]*limit[ \t]+\d+[^\n#]*[ \t](and|or|&)[ \t]`, Message: "unexpected $0; separate symbols with spaces", Write: ""},
		{Pattern: `^[ \t]*limit[ \t]+(one|once)\b`, Message: "expected a whole number, not $0", Write: "1"},
		{Pattern: `^[ \t]*limit[ \t]+(two|twice)\b`, Message: "expected a whole number, not $0", Write: "2"},
		{Pattern: `^[ \t]*limit[ \t]+(three|thrice)\b`, Message: "expected a whole number, not $0", Write: "3"},
		{Pattern: `^[ \t]*limit(:|[ \t]+(?:<=|=|to|at most|of))[ \t]*\d`, Message: `unexpected $0 after "limit"`, Write: " "},
		{Pattern: `^[ \t]*(limit)[ \t]+[^\s\d"<=:-][^\n\d]*$`, Message: "missing number after $0", Write: "limit 1"},
		{Pattern: `^[ \t]*(limit[ \t]+(\d+))[ \t]*$`, Message: `expected "each" or symbols after $0`, Write: "limit $2 each"},
		{Pattern: `^[ \t]*limit[ \t]+\d+[ \t]+each[ \t]+(but|without|not|excluding|unless|other than|except for)\b`, Message: `unexpected $0; write "except"`, Write: "except"},
		{Pattern: `^[ \t]*(max|maximum|at most|atmost|cap|bound|limits|limited|Limit|LIMIT|%limit|@limit)[ \t]+\d`, Message: `unknown word $0; write "limit"`, Write: "limit"},
		{Pattern: `^[ \t]*limit[ \t]+\d+[ \t]+each[ \t]+(excpet|exept|excep|execpt|ecxept)\b`, Message: `unknown word $0; did you mean "except"?`, Write: "except"},
		{Pattern: `^[ \t]*(\.\.\.+|…|[.]{2,}|etc\.?)[ \t]*$`, Message: "unexpected $0; write all rules", Write: ""},
		{Pattern: `^[ \t]*[^\s"]+[ \t]+(\$?\\[a-zA-Z]+\$?|[-=:<>~|/\\+*.]*[-=:<>~][-=:<>~|/\\+*.]*(?:[ \t]+[-=:<>~|]+)*(?:[ \t]+\$[ \t]*=>)?)[ \t]`, Message: arrow, Write: "->"},
		{Pattern: `^[ \t]*[^\s"]+?(:[ \t]*\$[ \t]*=>|[-=:~]+>|:[ \t]+:?=)[ \t]`, Message: arrow, Write: " ->"},
		{Propose: directive},
		{Propose: unknownLimit},
		{Propose: continued},
		{Propose: missingArrow},
	}, trailingComments())
}

// labelled recognises a label after a symbol and a mark of another notation, such as a
// colon or an equals sign, if the symbol occurs earlier in the text.
func labelled(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	m := habit.NewPattern(`^[ \t]*(\S*[^\s:=-])[ \t]*(:|=|:=|->|is\b|means\b|=>|-|–|label|As|AS|)[ \t]*"[^"\n]*"[ \t]*$`).Find(text[:end], start)
	if m == nil || m[0] != start {
		return habit.Proposal{}
	}
	used := habit.NewPattern(`[\s|](`+escape(text[m[2]:m[3]])+`)(?:[\s|]|$)`).Find(text[:start], 0)
	if used == nil {
		return habit.Proposal{}
	}
	p := edited(source.Pos(m[4]), source.Pos(m[5]), "as", "Write as", `unexpected `+habit.Quote(text[m[4]:m[5]])+`; write "as" before a label`)
	switch {
	case m[4] == m[5]:
		p.Edits[0].Text, p.Message = "as ", `missing "as" before a label`
		p.At.End = source.Pos(len(strings.TrimRight(text[:end], " \t")))
	case m[3] == m[4]:
		p.Edits[0].Text = " as"
	}
	return p
}

// namesWithBlanks joins the words of names in angle brackets.
func namesWithBlanks(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "cfg.left-many" {
		return p
	}
	pattern := habit.NewPattern(`<\w[\w-]*(?:[ \t]+[\w-]+)+>`)
	for m := pattern.Find(text, 0); m != nil; m = pattern.Find(text, m[1]) {
		at := source.Span{Start: source.Pos(m[0]), End: source.Pos(m[1])}
		name := strings.Join(strings.Fields(text[m[0]:m[1]]), "-")
		if len(p.Edits) == 0 {
			p.At, p.Title, p.Message = at, "Write "+name, "names have no blanks; write "+habit.Quote(name)
		}
		p.Edits = append(p.Edits, source.Edit{Span: at, Text: name})
	}
	return p
}

// escape returns a pattern of a text.
func escape(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// continued joins a line with the previous one, which ends in an arrow or a bar.
func continued(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	if start == 0 || fault.Code != "cfg.arrow-missing" || len(fault.Fixes) > 0 {
		return habit.Proposal{}
	}
	before := strings.TrimRight(text[:start], " \t\r\n")
	line := strings.TrimSpace(text[start:end])
	if strings.HasSuffix(before, "\\") {
		p := edited(source.Pos(len(before)-1), source.Pos(start+strings.Index(text[start:end], line)), "", "Join the lines", "unexpected `\\`; a line continues a rule only if it begins with \"|\"")
		p.At = source.Span{Start: source.Pos(len(before) - 1), End: source.Pos(len(before))}
		return p
	}
	indented := len(line) > 0 && (text[start] == ' ' || text[start] == '\t')
	if !strings.HasSuffix(before, "->") && !strings.HasSuffix(before, "|") && !strings.HasSuffix(before, "=") && !strings.HasSuffix(before, "→") && !indented {
		return habit.Proposal{}
	}
	from := source.Pos(start + strings.Index(text[start:end], line))
	p := edited(source.Pos(len(before)), from, " ", "Join the lines", `a line continues a rule only if it begins with "|"`)
	p.At = source.Span{Start: from, End: from + source.Pos(len(line))}
	return p
}

// missingArrow inserts an arrow after the first symbol.
func missingArrow(text string, fault source.Diagnostic) habit.Proposal {
	line := text[fault.Span.Start:fault.Span.End]
	if fault.Code != "cfg.arrow-missing" || habit.Match("[^\\s\"|%{}(\\[^/`]+[ \t]", line) == nil {
		return habit.Proposal{}
	}
	at := fault.Span.Start + source.Pos(strings.IndexAny(line, " \t"))
	p := edited(at, at, " ->", "Insert ->", fault.Message)
	p.At = fault.Span
	return p
}

// withoutConsequences drops the warnings about derivations that vanish with the fixes of other symbols.
func withoutConsequences(s *notation.Scope, a *notation.Analysis, check func(s *notation.Scope) []source.Diagnostic) {
	var edits []source.Edit
	derived := func(d source.Diagnostic) bool {
		return strings.Contains(" cfg.unproductive cfg.empty cfg.cyclic cfg.unreachable cfg.suspect ", " "+d.Code+" ")
	}
	for _, d := range a.Diagnostics {
		if strings.Contains(" cfg.glued cfg.habit cfg.foreign ", " "+d.Code+" ") && len(d.Fixes) > 0 {
			edits = append(edits, d.Fixes[0].Edits...)
		}
	}
	if len(edits) == 0 || count(a.Diagnostics, derived) == 0 {
		return
	}
	after := checkText(s, check)(source.Apply(s.File.Text, edits))
	if source.HasErrors(after) {
		return
	}
	a.Diagnostics = slices.DeleteFunc(a.Diagnostics, func(d source.Diagnostic) bool {
		return derived(d) && !slices.ContainsFunc(after, func(o source.Diagnostic) bool { return o.Code == d.Code && o.Message == d.Message })
	})
}

func explainGrammar(s *notation.Scope, a *notation.Analysis, g *grammar.Grammar) {
	check := func(s *notation.Scope) []source.Diagnostic {
		_, found := CompileGrammar(s.File, "")
		return found
	}
	if a.Sound() {
		foreignTerminals(s, a, g)
		repaired(s, a, check, "Add | ε", map[string]repair{"cfg.empty": endRule, "cfg.unproductive": endRule})
		repaired(s, a, check, "Remove it", map[string]repair{"cfg.duplicate": cutAlternative, "cfg.cyclic": cutAlternative, "cfg.limit-twice": cutLine, "cfg.label-twice": cutLine})
		withoutConsequences(s, a, check)
		return
	}
	explain(s, a, habit.Notation{
		Habits: grammarHabits(), Comments: "#", Lines: true,
		Repair: &habit.Repair{Keywords: keywords(grammarWords()), Signs: []string{"->", "|"}, Words: []string{"as", "limit", "each", "except", "%start"}, Closers: "#|", Tight: true},
		Check: checkText(s, func(s *notation.Scope) []source.Diagnostic {
			_, found := compileGrammarPlain(s.File, "")
			return found
		}),
	}, "cfg.unreachable", "cfg.unproductive", "cfg.suspect", "cfg.cyclic", "cfg.empty")
}
