package choice

import (
	"slices"
	"strings"
)

// form reads the forms that prompts ask for: a box of LaTeX, an XML tag, or a JSON object.
func (r *reader) form(text string) (Reading, bool) {
	for _, parts := range [][]string{boxes(text), tagged(text)} {
		if out, ok := r.agreed(parts); ok {
			return out, true
		}
	}
	return r.object(text)
}

// agreed reads texts that must name the same choice. It reports false if none of them
// names one.
func (r *reader) agreed(parts []string) (out Reading, found bool) {
	for _, part := range parts {
		one := r.value(part)
		switch {
		case one.Choice == 0 && found:
			continue
		case found && out.Choice != 0 && one.Choice != out.Choice:
			return none(twoChoices(out.Choice, one.Choice)), true
		}
		out, found = one, true
	}
	return out, found
}

// value reads the content of a form.
func (r *reader) value(text string) Reading {
	if strings.TrimSpace(text) == "" {
		return none("the reply leaves the choice empty")
	}
	if out, ok := r.whole(text); ok {
		return out
	}
	out := r.prose(text)
	if out.Choice > 0 {
		out.How = ByForm
	}
	return out
}

// boxes returns the contents of \boxed{…}, without commands of LaTeX.
func boxes(text string) []string {
	var out []string
	for _, name := range []string{`\boxed{`, `\fbox{`} {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, name)
			if !ok {
				break
			}
			depth, end := 1, 0
			for end < len(after) && depth > 0 {
				switch after[end] {
				case '{':
					depth++
				case '}':
					depth--
				}
				end++
			}
			content := after[:end]
			if depth == 0 {
				content = content[:end-1]
				for _, command := range []string{`\text`, `\mathbf`, `\textbf`, `\mathrm`} {
					content = strings.ReplaceAll(content, command, "")
				}
				out = append(out, strings.Trim(strings.NewReplacer("{", " ", "}", " ").Replace(content), " "))
			}
			rest = after[end:]
		}
	}
	return out
}

// answerTags are the names of tags whose content is the answer.
var answerTags = []string{"answer", "choice", "option", "final_answer", "finalanswer", "final", "result", "selection", "response", "output", "decision", "number", "antwort", "auswahl", "wahl", "reponse", "choix", "respuesta", "eleccion", "opcion", "答案", "选择", "回答"}

// tagged returns the contents of tags such as <answer>.
func tagged(text string) []string {
	if !strings.Contains(text, "</") {
		return nil
	}
	low := lowerASCII(text)
	var out []string
	for _, name := range answerTags {
		for at := 0; ; {
			start := strings.Index(low[at:], "<"+name+">")
			if start < 0 {
				break
			}
			start += at + len(name) + 2
			size := strings.Index(low[start:], "</"+name+">")
			if size < 0 {
				break
			}
			out = append(out, text[start:start+size])
			at = start + size
		}
	}
	return out
}

// pair is a name and a value of an object. Values in quotes, numbers and words are texts; a
// list or an object has kind '[' or '{'.
type pair struct {
	name, value string
	kind        byte // '"', '0', 'w', '[' or '{'
}

// answerNames, toolNames, stepNames and detailNames are the folded names of fields with the choice; the names
// of a list count only if no field has a name of an earlier list.
var (
	answerNames = set("choice answer option finalanswer selected selection selectedoption selectedchoice chosen chosenoption chosennumber choicenumber optionnumber answernumber pick decision final mychoice bestoption bestchoice",
		"auswahl wahl antwort entscheidung choix reponse reponsefinale eleccion respuesta opcion seleccion respuestafinal risposta scelta resposta escolha 选择 答案 选项 最终答案 回答 選択 答え")
	answerParts = []string{"choice", "answer", "select", "chosen", "chose", "decision", "auswahl", "antwort", "choix", "reponse", "respuesta", "eleccion", "选择", "答案"}
	toolNames   = set("tool toolname action function nextaction nexttool outil herramienta werkzeug 工具")
	stepNames   = set("step nextstep schritt etape paso 步骤 下一步")
	detailNames = set("number label name value id result response output nummer numero item index integer nombre nom 编号 数字 番号")
)

// faultNames are the folded names of a field that describes an error.
var faultNames = set("error errors exception fault fehler erreur erreurs errore erro 错误 detail details message")

// otherNames are parts of the names of fields that describe a choice, or another one.
var otherNames = []string{"reason", "expla", "other", "alternat", "runner", "reject", "second", "confid", "score", "count", "total", "options", "choices", "why", "previous", "not", "exclu", "question", "elimin", "excluded", "justif", "grund"}

func in(names map[string]bool) func(string) bool {
	return func(name string) bool { return names[name] }
}

// object reads the fields of a JSON object, which may have single quotes or be truncated.
func (r *reader) object(text string) (Reading, bool) {
	pairs := fields(text)
	if strings.ContainsRune(text, '{') {
		pairs = pairsOf(normalize(text))
	}
	if len(pairs) == 0 || pairs[0].kind == '"' && len(pairs) == 1 && !strings.ContainsRune(text, '{') {
		return Reading{}, false
	}
	if slices.ContainsFunc(pairs, func(p pair) bool { return corrections[joined(p.name)] }) {
		return Reading{}, false // a line "Correction: …" withdraws the fields before it
	}
	if reason := r.voided(pairs, text); reason != "" {
		return none(reason), true
	}
	for _, named := range []func(string) bool{isAnswer, in(toolNames), in(stepNames), in(detailNames)} {
		var values []string
		for _, p := range pairs {
			if !named(joined(p.name)) {
				continue
			}
			switch {
			case p.kind == '{':
			case p.kind == 'w' && (p.value == "null" || p.value == "None" || p.value == "false"):
				return none("the reply leaves the choice empty"), true
			default:
				values = append(values, p.value)
			}
		}
		if out, ok := r.agreed(values); ok {
			if other, found := r.labelled(pairs); found && out.Choice > 0 && other.Choice != out.Choice {
				return none("a number and the words of another choice contradict each other"), true
			}
			return out, true
		}
	}
	if len(pairs) == 1 && pairs[0].kind != '{' {
		if faultNames[joined(pairs[0].name)] {
			return none("the reply is an error"), true
		}
		if before, _, _ := strings.Cut(text, "{"); len(wordsOf(before)) > 0 {
			return Reading{}, false // the arguments of a call: "Action: rent\nAction Input: {…}"
		}
		return r.agreed([]string{pairs[0].value})
	}
	return r.labelled(pairs)
}

// refusalNames are the folded names of a field that takes the choice of its object back unless it is empty; decidedNames
// do so with "false". stateNames are names of a field with the state of the choice.
var (
	refusalNames = set("refusal refused refuse refuses declined blocked verweigert refus rechazo 拒绝")
	errorNames   = set("error errors exception fault fehler erreur erreurs errores erro 错误")
	decidedNames = set("decided isdecided certain issure final resolved")
	stateNames   = set("status state decisionstatus choicestatus zustand statut etat estado 状态")
	openStates   = set("undecided undetermined unsure uncertain unclear unknown open pending ambiguous refused declined blocked failed failure error incomplete none unentschieden offen unklar indecis indecise incertain indeciso pendiente incierto 未决定 未定 待定 不确定 未知 失败 拒绝")
)

// voided returns the reason why the other fields of an object take its choice back, or "".
func (r *reader) voided(pairs []pair, text string) string {
	if !strings.ContainsRune(text, '{') {
		return ""
	}
	for _, p := range pairs {
		name, value := joined(p.name), strings.TrimSpace(p.value)
		empty := value == "" || p.kind == 'w' && (value == "null" || value == "None" || value == "false" || value == "False") || p.kind == '0' && value == "0"
		switch {
		case !(refusalNames[name] || errorNames[name]) || empty && p.kind != '{':
		case errorNames[name]:
			return "the reply is an error"
		default:
			return refusal
		}
		switch {
		case decidedNames[name] && p.kind == 'w' && (value == "false" || value == "False"):
			return undecided
		case stateNames[name] && (openStates[joined(value)] || r.newPage(tokenize(value)).refuses()):
			return undecided
		}
	}
	return ""
}

// labelled reads an object none of whose names is known: the only label among its values.
func (r *reader) labelled(pairs []pair) (Reading, bool) {
	found := 0
	for _, p := range pairs {
		name := joined(p.name)
		if p.kind != '"' || slices.ContainsFunc(otherNames, func(part string) bool { return strings.Contains(name, part) }) {
			continue
		}
		switch n := r.labels.exactly(p.value); {
		case n > 0 && found > 0 && n != found:
			return none(twoChoices(found, n)), true
		case n > 0:
			found = n
		}
	}
	if found == 0 {
		return Reading{}, false
	}
	return r.chosen(found, ByForm), true
}

// isAnswer reports whether a field has the choice: its folded name is one of answerNames, or has one
// of their words, "selected_option_id".
func isAnswer(name string) bool {
	if answerNames[name] {
		return true
	}
	contains := func(part string) bool { return strings.Contains(name, part) }
	return slices.ContainsFunc(answerParts, contains) && !slices.ContainsFunc(otherNames, contains)
}

// pairsOf returns the names and values of all objects in a text.
func pairsOf(text string) []pair {
	var out []pair
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{':
			depth++
		case '}':
			depth = max(depth-1, 0)
		case '"', '\'':
			if depth == 0 {
				continue
			}
			name, end := quotedAt(text, i)
			if end < 0 {
				return out
			}
			next := skipSpace(text, end)
			if next >= len(text) || text[next] != ':' {
				i = end - 1
				continue
			}
			p, after := valueAt(text, skipSpace(text, next+1))
			p.name = name
			out = append(out, p)
			i = after - 1
		}
	}
	return out
}

// valueAt returns the value at an offset and the offset after it. An object is left to the
// caller.
func valueAt(text string, i int) (pair, int) {
	if i >= len(text) {
		return pair{kind: 'w'}, i
	}
	switch c := text[i]; c {
	case '"', '\'':
		value, end := quotedAt(text, i)
		if end < 0 {
			return pair{value: text[i+1:], kind: '"'}, len(text)
		}
		return pair{value: value, kind: '"'}, end
	case '{':
		return pair{kind: '{'}, i
	case '[':
		end := strings.IndexByte(text[i:], ']')
		if end < 0 {
			return pair{kind: '[', value: text[i+1:]}, len(text)
		}
		return pair{kind: '[', value: text[i+1 : i+end]}, i + end + 1
	}
	end := i
	for end < len(text) && !strings.ContainsRune(",}\n", rune(text[end])) {
		end++
	}
	value := strings.TrimSpace(text[i:end])
	kind := byte('w')
	if value != "" && (isDigit(rune(value[0])) || value[0] == '-') {
		kind = '0'
	}
	return pair{value: value, kind: kind}, max(end, i)
}

// quotedAt returns the text in quotation marks at an offset and the offset after it, or -1.
func quotedAt(text string, i int) (value string, end int) {
	mark := text[i]
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case mark:
			return text[i+1 : j], j + 1
		}
	}
	return "", -1
}

//go:noinline
func skipSpace(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t') {
		i++
	}
	return i
}
