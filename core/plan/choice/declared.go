package choice

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// This file reads replies that declare one choice by the words of its label, in a shape that leaves no room for
// another reading: a conclusion after an arrow, a step after its heading, or a number with its label at the start.
// The text around the declaration must assert it; the numbers in that text are no evidence.

// declared reads such a reply. It reports false for any other text, which is read as prose.
func (r *reader) declared(text string) (Reading, bool) {
	if strings.ContainsAny(text, "?？") {
		return Reading{}, false
	}
	for _, shape := range []func(string) (int, string){r.afterArrow, r.afterHeading, r.afterOption, r.inField, r.afterThought} {
		if n, how := shape(text); n > 0 {
			return r.chosen(n, how), true
		}
	}
	return Reading{}, false
}

// arrows introduce a conclusion.
var arrows = []string{"→", "⇒", "=>", "->"}

// afterArrow reads the conclusion "Both counters are 0 → stop (3)": the label and its number at the end.
func (r *reader) afterArrow(text string) (int, string) {
	var parts []string
	for _, arrow := range arrows {
		parts = append(parts, strings.Split(text, arrow)[1:]...)
	}
	if len(parts) != 1 {
		return 0, ""
	}
	label, number, ok := strings.Cut(strings.NewReplacer("（", " (", "）", ")").Replace(strings.TrimRight(parts[0], " \n.。!！*")), " (")
	number, closed := strings.CutSuffix(number, ")")
	n, kind := wholeNumber(number)
	if !ok || !closed || kind != integer || n < 1 || n > r.count || r.labels.exactly(strings.Trim(label, marks)) != n {
		return 0, ""
	}
	head := text[:strings.LastIndex(text, parts[0])]
	for _, arrow := range arrows {
		head = strings.TrimSuffix(head, arrow)
	}
	if !r.asserts(head, cueHedge, cueNot, cueBad, cueSaid) {
		return 0, ""
	}
	return n, ByStatement
}

// marks are the characters around a marked label.
const marks = " \t\n*_`\"'“”«»"

// leads are headings of the next step, folded.
var leads = set2("next", "next step", "the next step", "first", "first things first", "first step", "nachster schritt", "als nachstes", "zuerst", "zunachst", "d'abord", "d’abord", "tout d'abord", "prochaine etape", "etape suivante",
	"primero", "siguiente paso", "proximo paso", "首先", "下一步", "第一步")

func set2(list ...string) map[string]bool {
	out := map[string]bool{}
	for _, text := range list {
		out[text] = true
	}
	return out
}

// maxLead bounds the words of a heading in bytes.
const maxLead = 40

// afterHeading reads a label after the heading of a step, "Next step: resize, because …" or "First: load it. After that 2
// and 3": the end, a reason, or later steps follow.
func (r *reader) afterHeading(text string) (int, string) {
	at := strings.IndexAny(text, ":：")
	if at < 0 || at > maxLead+2 {
		return 0, ""
	}
	head := text[:at]
	if i := strings.LastIndexAny(head, ".。\n"); i >= 0 { // "The image is loaded. Next: crop"
		if !r.asserts(head[:i], cueHedge, cueNot, cueBad, cueSaid) {
			return 0, ""
		}
		head = head[i:]
	}
	if !leads[strings.Trim(foldText(head), " \t\n*_#.。")] {
		return 0, ""
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	n, rest := r.labelAt(strings.TrimLeft(text[at+size:], marks))
	rest = strings.TrimLeft(rest, "*_`\"'”» ")
	switch {
	case n == 0:
		return 0, ""
	case strings.Trim(rest, ".。! \n") == "":
	case strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "，"):
		words := wordsOf(rest)
		if len(words) == 0 || !reasons[words[0]] && !strings.HasPrefix(words[0], "因") || !r.asserts(rest, cueHedge, cuePick, cueYield) || r.mentions(rest) {
			return 0, ""
		}
	case strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "。"):
		if !r.areLater(rest) {
			return 0, ""
		}
	default:
		return 0, ""
	}
	return n, ByStatement
}

// areLater reports whether all sentences are about steps that follow.
func (r *reader) areLater(text string) bool {
	for _, sentence := range strings.FieldsFunc(strings.NewReplacer(". ", "\n", "。", "\n").Replace(text), func(c rune) bool { return c == '\n' }) {
		words := wordsOf(strings.Trim(sentence, " ."))
		switch {
		case len(words) == 0:
		case afterwards[words[0]], words[0] == "then", words[0] == "dann":
		case len(words) > 1 && thereafter[words[0]] && words[1] == "that":
		case words[0] == "之" || words[0] == "然" || words[0] == "随":
		default:
			return false
		}
		if !r.asserts(sentence, cueNot, cueBad) {
			return false
		}
	}
	return true
}

// labelAt returns the option whose label is the longest beginning of a text, and the text after it. The label ends at the
// end of a word.
func (r *reader) labelAt(text string) (option int, rest string) {
	longest := 0
	for label, n := range r.labels.raw {
		if len(label) <= longest || len(label) > len(text) || !strings.EqualFold(text[:len(label)], label) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[len(label):])
		last, _ := utf8.DecodeLastRuneInString(label)
		if isLetter(next) && isLetter(last) && next < 0x3000 {
			continue
		}
		option, rest, longest = n, text[len(label):], len(label)
	}
	return max(option, 0), rest
}

// isLetter reports whether a character continues a word or a number.
func isLetter(c rune) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0xC0 && c != utf8.RuneError && c < 0x3000 && !strings.ContainsRune("–—‘’“”…→ ", c)
}

// optionHeads are nouns before the number of an option at the start, folded.
var optionHeads = set("option opcion choix choice auswahl wahl 选项 选择")

// afterOption reads "Option 4 — denoise before saving; 3 was already applied": the number and the beginning of its own
// label, in one line, before steps that are done.
func (r *reader) afterOption(text string) (int, string) {
	if strings.Contains(text, "\n") {
		return 0, ""
	}
	head, rest := text, ""
	for _, dash := range []string{" — ", " – ", " - ", ": "} {
		if before, after, ok := strings.Cut(text, dash); ok && len(before) < len(head) {
			head, rest = before, after
		}
	}
	words := strings.Fields(foldText(strings.Trim(head, marks)))
	if len(words) != 2 || !optionHeads[words[0]] {
		return 0, ""
	}
	number, kind := wholeNumber(words[1])
	n, rest := r.labelAt(strings.TrimLeft(rest, marks))
	if kind != integer || n == 0 || n != number {
		return 0, ""
	}
	label, done, found := strings.Cut(strings.TrimLeft(rest, marks), ";")
	if !found {
		return 0, ""
	}
	if w := wordsOf(label); len(w) > 0 && !successors[w[0]] {
		return 0, ""
	}
	if !slices.ContainsFunc(wordsOf(done), func(w string) bool { return alreadies[w] }) || !r.asserts(rest, cueHedge, cueNot, cueBad, cuePick) {
		return 0, ""
	}
	return n, ByMention
}

// alreadies state that a step is done.
var alreadies = set("already done applied bereits schon erledigt deja ya hechas hecha fait faites")

// inField reads a field with the number at the start of a single paragraph, "**Choice: 1** – its reason".
func (r *reader) inField(text string) (int, string) {
	name, rest, ok := strings.Cut(strings.Replace(text, "：", ":", 1), ":")
	if !ok || len(name) > maxLead || strings.Contains(text, "\n") || !strings.HasPrefix(strings.TrimSpace(name), "**") || !answerNames[joined(strings.Trim(name, marks))] {
		return 0, ""
	}
	value, rest, ok := strings.Cut(rest, "**")
	n, kind := wholeNumber(strings.TrimSpace(value))
	dash := slices.ContainsFunc([]string{"–", "—", "-"}, func(d string) bool { return strings.HasPrefix(strings.TrimSpace(rest), d) })
	if !ok || kind != integer || n < 1 || n > r.count || !dash || !r.asserts(rest, cueHedge, cueBad, cueYield) || r.picksOther(rest, n) || strings.Contains(rest, ":") {
		return 0, ""
	}
	return n, ByForm
}

// afterThought reads a numbered label alone on the last line, after a thought that it concludes: "I do not know it, so
// we search first.\n\n1. Search[…]".
func (r *reader) afterThought(text string) (int, string) {
	thought, last, ok := strings.Cut(text, "\n\n")
	if !ok || strings.Contains(strings.TrimSpace(last), "\n") || strings.Contains(thought, "\n") {
		return 0, ""
	}
	out := r.prose(last)
	number, _ := wholeNumber(firstDigits(strings.TrimLeft(last, marks)))
	p := r.newPage(tokenize(thought))
	concludes := slices.ContainsFunc(p.tokens, func(t token) bool { return conclusive[t.text] })
	if out.Choice == 0 || out.Choice != number || len(strings.TrimSpace(last)) < minLine || !concludes || p.refuses() || slices.ContainsFunc(p.targets, func(t target) bool { return t.option != out.Choice && !t.weak }) {
		return 0, ""
	}
	for i := range p.tokens {
		if has(p.spans[i], cueYield) || has(p.spans[i], cueAsk) || has(p.spans[i], cueSorry) || (verdictNouns[p.text(i)] || optionNouns[p.text(i)]) && !(p.is(i, "answer") && p.is(i+1, "yet")) {
			return 0, ""
		}
	}
	return out.Choice, ByMention
}

// minLine is the least length of a line with a number and a label.
const minLine = 4

// asserts reports whether a text around a declaration has no doubt, condition, question, refusal or correction, and no
// phrase of the other given senses.
func (r *reader) asserts(text string, others ...cue) bool {
	p := r.newPage(tokenize(text))
	if p.refuses() {
		return false
	}
	for i := range p.tokens {
		for _, s := range p.spans[i] {
			if s.sense == cueOpen && p.numbersThings(i) {
				continue
			}
			if slices.Contains([]cue{cueOpen, cueFix, cueAsk, cueSorry}, s.sense) || slices.Contains(others, s.sense) {
				return false
			}
		}
		word := p.text(i)
		if past[word] && slices.Contains(others, cueSaid) || adversatives[word] || withdrawals[word] && !(inquired[p.text(i-1)]) || provisos[word] && !inquired[p.text(i-1)] {
			return false
		}
	}
	return true
}

// numbersThings reports whether a word such as "both" counts things other than options: "both counters are 0".
func (p *page) numbersThings(i int) bool {
	next := p.text(i + 1)
	return (p.is(i, "both") || p.is(i, "beide") || p.is(i, "ambos") || p.is(i, "ambas")) && p.kind(i+1) == word && len(next) > minLine && !copulas[next] && !modalVerbs[next] && !optionNouns[next] && !verdictNouns[next] && !functionWords[next] && p.at[i+1] < 0
}

// picksOther reports whether a text chooses an option other than n, or names one by a noun and its number.
func (r *reader) picksOther(text string, n int) bool {
	p := r.newPage(tokenize(text))
	return slices.ContainsFunc(p.targets, func(t target) bool {
		return t.option > 0 && t.option != n && (t.optioned || !p.measures(t.to) && has(p.ends[max(t.from-1, 0)], cuePick))
	})
}

// mentions reports whether a text names an option by a noun and its number, or by its words.
func (r *reader) mentions(text string) bool {
	p := r.newPage(tokenize(text))
	return slices.ContainsFunc(p.targets, func(t target) bool { return t.optioned || t.isLabel && !t.weak })
}

// provisos begin a condition, or an alternative. After one of inquired they begin an indirect question instead: "savoir s'il reste".
var (
	provisos = set("if unless when once otherwise or maybe perhaps else wenn falls sofern sonst oder vielleicht si s sinon ou sauf sino o u salvo quiza quizas 如 若 否 或 除")
	inquired = set("savoir verifier voir know check see wissen prufen saber comprobar ver")
)
