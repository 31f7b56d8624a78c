package choice

import "strings"

// withoutStruck removes the text that Markdown strikes through, "~~2~~".
func withoutStruck(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "~~")
		struck, after, closed := strings.Cut(rest, "~~")
		if !found || !closed || strings.Contains(struck, "\n") {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		text = after
	}
}

// answerFences are the languages of fenced blocks that may hold an answer.
var answerFences = set("json jsonc json5 yaml yml toml xml html text txt plain plaintext markdown md latex tex tool_call tool_code")

// withoutCode removes the fenced blocks of programs with several lines. Their numbers are no choices.
func withoutCode(text string) string {
	parts := strings.Split(text, "```")
	for i := 1; i < len(parts); i += 2 {
		language, code, _ := strings.Cut(parts[i], "\n")
		if name := strings.ToLower(strings.TrimSpace(language)); name != "" && !answerFences[name] && strings.Contains(strings.TrimSpace(code), "\n") {
			parts[i] = "\n"
		}
	}
	return strings.Join(parts, "```")
}

// nextHeads begin the next question of a small model that continues after its answer.
var nextHeads = set("question questions user human frage pregunta 问题 用户")

// withoutNext removes the next question and all after it, if an answer is before it and none follows.
func withoutNext(text string) string {
	size, cut := 0, len(text)
	for line := range strings.Lines(text) {
		switch head := heading(line); {
		case answerHeads[head]:
			cut = len(text)
		case nextHeads[head] && cut == len(text) && strings.TrimSpace(text[:min(size, maxTag)]) != "":
			cut = size
		}
		size += len(line)
	}
	return text[:cut]
}

// promptHeads begin the next prompt after a bare answer, which a base model writes itself.
var promptHeads = set("options choices task problem example instruction input context optionen auswahl aufgabe beispiel choix tache exemple opciones tarea ejemplo pregunta frage question q user human 选项 任务 例子 题目 问题 用户")

// withoutContinuation returns the answer alone if the first paragraph is only an answer and the next one begins
// another prompt: a heading such as "Options:", or a question that the text answers itself.
func (r *reader) withoutContinuation(text string) string {
	answer, rest, found := strings.Cut(text, "\n\n")
	if !found {
		return text
	}
	if out, ok := r.whole(answer); !ok || out.Choice == 0 {
		// The next question of a base model after an answer in a sentence, "The answer is 2. reset".
		if line, after, more := strings.Cut(strings.TrimSpace(rest), "\n"); more && promptHeads[heading(line)] && answerHeads[heading(after)] && r.prose(answer).Choice > 0 {
			return answer
		}
		return text
	}
	line, after, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	asked := strings.HasSuffix(strings.TrimSpace(line), "?") || strings.HasSuffix(strings.TrimSpace(line), "？")
	next, _, _ := strings.Cut(strings.TrimSpace(after), "\n")
	if _, value, headed := strings.Cut(normalize(next), ":"); headed && answerHeads[heading(next)] {
		next = value
	}
	again, ok := r.whole(next)
	if head := heading(line); promptHeads[head] || strings.HasSuffix(head, "问题") || (asked || numbersNext(line)) && ok && again.Choice > 0 || r.relists(rest) {
		return answer
	}
	return text
}

// numbersNext reports whether a line is the heading of the second item or a later one, "Request 2:".
func numbersNext(line string) bool {
	words := wordsOf(heading(line))
	if len(words) < 2 || !strings.HasSuffix(strings.TrimSpace(normalize(line)), ":") {
		return false
	}
	last := words[len(words)-1]
	n, _ := wholeNumber(last)
	return max(n, numerals[last]) > 1
}

// relists reports whether a text lists several options with their numbers and then has the heading of an answer.
func (r *reader) relists(text string) bool {
	items := 0
	for line := range strings.Lines(text) {
		if items > 1 && answerHeads[heading(line)] {
			return true
		}
		if number := firstDigits(strings.TrimSpace(line)); number != "" && r.labels.exactly(strings.TrimLeft(strings.TrimSpace(line)[len(number):], ".):- ")) > 0 {
			items++
		}
	}
	return false
}

// fields returns the names and values of a text of lines "name: value", as in YAML; nil if it has
// another line or a name twice.
func fields(text string) []pair {
	var out []pair
	known := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\n-`")
		name, value, found := strings.Cut(line, ":")
		if line == "" || line == "yaml" {
			continue
		}
		if value = strings.Trim(value, " \"'"); !found || known[name] || strings.Contains(strings.TrimSpace(name), " ") {
			return nil
		}
		known[name] = true
		kind := byte('"')
		if value == "" {
			kind = '{'
		}
		out = append(out, pair{name: name, value: value, kind: kind})
	}
	return out
}
