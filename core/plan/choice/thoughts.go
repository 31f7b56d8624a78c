package choice

import "strings"

// thoughtTags are the pairs of texts around thoughts, as models and servers write them.
var thoughtTags = []struct{ open, close string }{
	{"<think", "</think"}, {"<thinking", "</thinking"}, {"<thought", "</thought"}, {"<thoughts", "</thoughts"},
	{"<reasoning", "</reasoning"}, {"<reflection", "</reflection"}, {"<scratchpad", "</scratchpad"}, {"<analysis", "</analysis"},
	{"<seed:think", "</seed:think"}, {"<|begin_of_thought|", "<|end_of_thought|"}, {"<|startthinking|", "<|endthinking|"},
	{"◁think▷", "◁/think▷"}, {"[think]", "[/think]"}, {"[thinking]", "[/thinking]"},
}

// The marks of gpt-oss, whose channel "final" has the answer, and their remains after a server
// has removed the special tokens.
const (
	channelMark  = "<|channel|>"
	messageMark  = "<|message|>"
	finalChannel = "final"
	bareAnalysis = "analysis"
	bareFinal    = "assistantfinal"
)

// WithoutThoughts returns a reply without its thoughts. Cut reports that the reply ends within
// a thought. A closing tag without an opening one ends a thought that begins with the reply,
// because some servers write the opening tag into the prompt.
func WithoutThoughts(reply string) (text string, cut bool) {
	text, cut = withoutTags(reply)
	text, inner := finalOf(text)
	text, section := withoutSections(text)
	return text, cut || inner || section
}

// withoutTags removes the thoughts between tags.
func withoutTags(reply string) (text string, cut bool) {
	low := lowerASCII(reply)
	var kept strings.Builder
	at := 0
	for i := 0; i < len(low); {
		tag, closes, size := tagAt(low, i)
		switch {
		case size == 0:
			i++
			continue
		case closes:
			kept.Reset()
			i += size
			at = i
			continue
		}
		kept.WriteString(reply[at:i])
		end, size := closing(low, i+size, tag)
		if end < 0 {
			return kept.String(), true
		}
		i = end + size
		at = i
	}
	kept.WriteString(reply[at:])
	return kept.String(), false
}

// tagAt returns the index of the tag at an offset, whether it closes, and its length; 0 if
// there is none. A tag that the end of the reply cuts counts as complete.
func tagAt(low string, at int) (tag int, closes bool, size int) {
	switch low[at] {
	case '<', '[', "◁"[0]:
	default:
		return 0, false, 0
	}
	for i, t := range thoughtTags {
		if size := tagSize(low[at:], t.open); size > 0 {
			return i, false, size
		}
		if size := tagSize(low[at:], t.close); size > 0 {
			return i, true, size
		}
	}
	return 0, false, 0
}

// maxTag bounds the attributes of a tag, in bytes.
const maxTag = 200

// tagSize returns the length of a tag at the start of a text, or 0. The name of a tag in angle
// brackets ends at a space, at a slash or at the closing bracket.
func tagSize(text, name string) int {
	rest, ok := strings.CutPrefix(text, name)
	switch {
	case !ok:
		return 0
	case name[0] != '<':
		return len(name)
	case rest == "":
		return len(name)
	case rest[0] != '>' && rest[0] != ' ' && rest[0] != '\n':
		return 0
	}
	end := strings.IndexByte(rest[:min(len(rest), maxTag)], '>')
	if end < 0 {
		return len(name) + min(len(rest), maxTag)
	}
	return len(name) + end + 1
}

// closing returns the offset and the length of the tag that closes a thought, or -1.
func closing(low string, from int, tag int) (at, size int) {
	name := thoughtTags[tag].close
	for from <= len(low) {
		i := strings.Index(low[from:], name)
		if i < 0 {
			return -1, 0
		}
		if size := tagSize(low[from+i:], name); size > 0 {
			return from + i, size
		}
		from += i + len(name)
	}
	return -1, 0
}

// lowerASCII folds the case of ASCII letters only, so that offsets stay valid.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// finalOf returns the text of the final channels of a reply with channels. Cut reports that it has
// channels, but no final one.
func finalOf(text string) (final string, cut bool) {
	if !strings.Contains(text, channelMark) {
		trimmed := strings.TrimSpace(text)
		if strings.HasPrefix(trimmed, bareAnalysis) {
			if i := strings.LastIndex(trimmed, bareFinal); i >= 0 {
				return trimmed[i+len(bareFinal):], false
			}
		}
		return dropMarks(text), false
	}
	parts := strings.Split(text, channelMark)
	var kept strings.Builder
	found := false
	for _, part := range parts[1:] {
		name, message, ok := strings.Cut(part, messageMark)
		if strings.HasPrefix(strings.TrimSpace(name), finalChannel) && ok {
			found = true
			kept.WriteString(dropMarks(message) + "\n")
		}
	}
	return kept.String(), !found
}

// dropMarks removes special tokens, <|…|>, and the end-of-sequence tag of older models.
func dropMarks(text string) string {
	for _, mark := range []string{"[INST]", "[/INST]", "<s>"} {
		text = strings.ReplaceAll(text, mark, " ")
	}
	if !strings.Contains(text, "<|") {
		return strings.ReplaceAll(text, "</s>", " ")
	}
	var b strings.Builder
	for {
		start := strings.Index(text, "<|")
		if start < 0 {
			break
		}
		end := strings.Index(text[start:min(len(text), start+maxTag)], "|>")
		if end < 0 {
			b.WriteString(text[:start+2])
			text = text[start+2:]
			continue
		}
		b.WriteString(text[:start] + " ")
		text = text[start+end+2:]
	}
	b.WriteString(text)
	return strings.ReplaceAll(b.String(), "</s>", " ")
}

// thoughtHeads are the headings of sections with thoughts, folded.
var thoughtHeads = map[string]bool{
	"thought": true, "thoughts": true, "thinking": true, "thinking process": true, "inner monologue": true,
	"gedanke": true, "gedanken": true, "uberlegung": true, "pensee": true, "reflexion": true, "pensamiento": true, "pensamento": true, "pensiero": true,
	"思考": true, "想法": true, "思路": true,
}

// answerHeads are the headings that end a section with thoughts, folded.
var answerHeads = map[string]bool{
	"answer": true, "final answer": true, "final": true, "action": true, "choice": true, "decision": true, "response": true, "output": true, "option": true, "selection": true, "conclusion": true, "result": true, "observation": true, "next step": true, "next action": true, "recommendation": true, "verdict": true, "my pick": true, "my choice": true, "my answer": true,
	"antwort": true, "endgultige antwort": true, "auswahl": true, "wahl": true, "entscheidung": true, "ergebnis": true, "aktion": true, "nachster schritt": true, "empfehlung": true, "fazit": true,
	"reponse": true, "reponse finale": true, "choix": true, "decision finale": true, "prochaine etape": true, "recommandation": true,
	"respuesta": true, "respuesta final": true, "eleccion": true, "accion": true, "siguiente paso": true, "recomendacion": true, "resposta": true, "resposta final": true, "escolha": true, "acao": true, "risposta": true, "risposta finale": true, "scelta": true, "azione": true,
	"答案": true, "决定": true, "最终答案": true, "选择": true, "回答": true, "结论": true, "下一步": true, "推荐": true, "答え": true, "最終回答": true,
}

// withoutSections removes sections such as "Thought: …". A section ends at an empty line or at
// the heading of an answer; if the reply ends first, it is cut.
func withoutSections(text string) (kept string, cut bool) {
	if !strings.ContainsAny(text, ":]：") {
		return text, false
	}
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		head := heading(line)
		switch {
		case thoughtHeads[head]:
			inside = true
		case answerHeads[head], strings.TrimSpace(line) == "":
			inside = false
		}
		if !inside {
			b.WriteString(line)
		}
	}
	return b.String(), inside
}

// withoutQuotes removes the lines that Markdown quotes, ">", unless all are such lines or a colon
// announces them.
func withoutQuotes(text string) string {
	if !strings.Contains(text, "\n") || !strings.Contains(text, ">") {
		return text
	}
	var b strings.Builder
	announced, inside := false, false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		quotes := strings.HasPrefix(trimmed, "> ")
		if !quotes || announced {
			b.WriteString(line)
		}
		if !quotes && trimmed != "" {
			announced = strings.HasSuffix(strings.TrimRight(trimmed, "*_ "), ":")
			inside = true
		}
	}
	if !inside {
		return text
	}
	return b.String()
}

// maxHeading bounds a heading, in bytes.
const maxHeading = 40

// heading returns the folded text of a line before its colon, or in its brackets.
//
//go:noinline
func heading(line string) string {
	line = strings.TrimLeft(line, " \t*_#>-")
	line = line[:min(len(line), maxHeading)]
	end := strings.IndexAny(line, ":：]")
	if end < 0 {
		return ""
	}
	return strings.TrimSpace(foldText(strings.Trim(line[:end], " *_[(")))
}

// unclosed returns the answer after thoughts that a model did not close: a last paragraph of only a
// number, also after the heading of an answer, if the last number of the thoughts is the same.
func unclosed(reply string) string {
	reply = strings.TrimSpace(reply)
	at := strings.LastIndex(reply, "\n\n")
	if at < 0 {
		return ""
	}
	last := reply[at:]
	answer := last
	if answerHeads[heading(strings.TrimSpace(last))] {
		answer = last[strings.IndexAny(last, ":：]")+1:]
	}
	number, ok := lastNumber(tokenize(answer), true)
	if thought, known := lastNumber(tokenize(reply[:at]), false); !ok || !known || thought != number {
		return ""
	}
	return last
}

// lastNumber returns the last number of a text. If alone is true, the text must have no word and no
// other number.
func lastNumber(tokens []token, alone bool) (value int, ok bool) {
	for _, t := range tokens {
		switch {
		case t.kind == number && !(alone && ok):
			value, ok = t.value, true
		case alone && (t.kind == number || t.kind == word || t.kind == other || t.text == "?"):
			return 0, false
		}
	}
	return value, ok
}
