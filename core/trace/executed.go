package trace

import (
	"slices"
	"strings"
)

// replyMarks begin the messages in which environments of agents that act by code return its output: AppWorld,
// smolagents, OpenHands, CodeAct, SWE-agent, mini-SWE-agent, AutoGen.
var replyMarks = []string{"output:", "output\n", "observation:", "observation\n", "execution logs:", "execution output", "execution result", "execution successful", "execution failed", "[stdout", "stdout:", "stderr:", "<returncode>", "<output>", "<observation>", "last output from code snippet", "exitcode:", "exit code", "traceback (most recent call last)", ">>> ", "$ "}

// tagMarks begin code without a fence.
var tagMarks = []string{"<code>", "<end_code>", "<bash>", "<python>", "<ipython>"}

// dataFences are languages whose texts are not run.
const dataFences = " json yaml yml xml html css markdown md text txt csv toml diff latex tex mermaid svg ini "

// personWords occur in messages of a person to a model, and rarely in output.
const personWords = " i you your my me we please thanks thank now too also can could should would why how what great good nice perfect instead next "

// announcements in instructions state that the code of the model is run.
var announcements = []string{"will be executed", "will execute", "executes your", "execute your code", "run your code", "runs your code", "code is executed", "python interpreter", "python repl", "computer shell", "interactive shell", "interactive python", "observation:"}

// refuseExecuted refuses the texts of a model with code that the environment ran: such a text is an action whose calls
// are unknown. Without calls of its own, a turn of the model that has code is followed by a reply. The environment ran
// the code if a reply looks like output: it begins with a mark such as "Observation:", or is a value, an error or a
// word in lower case, and no sentence to the model. Plain prose is output only if the instructions announce that code
// is run, or if it follows at least two turns with code and most of these replies have no word of a person, such as
// "thanks" or "why". A message "Output: 3. Why?", which asks the model, is that of a person.
func (t *Trace) refuseExecuted(roots []*node) {
	a := account{unread: t.Unread, more: t.More}
	for _, run := range t.Runs {
		for _, item := range run.executed() {
			if u := a.refuseAt(item.Span, "code that the environment runs"); u != nil {
				u.Executed = true
				u.Path = PathTo(roots, u.Span)
			}
		}
	}
	slices.SortStableFunc(a.unread, func(a, b Unread) int { return int(a.Span.Start) - int(b.Span.Start) })
	t.Unread, t.More = a.unread, a.more
}

// executed returns the texts whose code the environment ran.
func (r Run) executed() (coded []*Item) {
	announced, began, neutral, person, output := false, false, 0, 0, false
	for i := 0; i < len(r.Items); {
		item := r.Items[i]
		if !modelText(item) {
			announced = announced || !began && item.Kind != Call && mentions(item.Text)
			i++
			continue
		}
		began = true
		turn := i
		for i < len(r.Items) && modelText(r.Items[i]) {
			i++
		}
		if i == len(r.Items) || r.Items[i].Kind == Call || turn > 0 && r.Items[turn-1].Kind == Call {
			continue
		}
		reply := replyOf(r.Items[i].Text)
		for _, text := range r.Items[turn:i] {
			if code := codeOf(text.Text); code == noCode || code == dataCode && reply != marked {
				continue
			}
			coded = append(coded, text)
			output = output || reply >= value
			switch reply {
			case prose:
				neutral++
			case asked:
				person++
			}
		}
	}
	if output || announced && neutral > 0 || neutral > 1 && neutral > person {
		return coded
	}
	return nil
}

// modelText reports whether an item is a text or a thought of a model.
func modelText(item *Item) bool { return item.Kind == Text || item.Kind == Thought }

// mentions reports whether instructions announce that code is run.
func mentions(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(announcements, func(mark string) bool { return strings.Contains(text, mark) })
}

// Kinds of code in a text.
const (
	noCode = iota
	dataCode
	runCode // also code in an unknown language
)

// codeOf returns the kind of the code in a text: that of its first fence that can be run, if there is one.
func codeOf(text string) int {
	if slices.ContainsFunc(tagMarks, func(mark string) bool { return strings.Contains(strings.ToLower(text), mark) }) {
		return runCode
	}
	parts, kind := strings.Split(text, "```"), noCode
	for i := 1; i < len(parts); i += 2 { // the text after an opening fence
		line, _, _ := strings.Cut(parts[i], "\n")
		kind = dataCode
		if language := strings.ToLower(strings.TrimSpace(line)); language == "" || !Word(dataFences, language) {
			return runCode
		}
	}
	return kind
}

// Kinds of replies to code.
const (
	asked = iota // a person addresses the model
	prose
	value  // a value, an error or a word
	marked // by the environment
)

// replyOf returns the kind of a reply.
func replyOf(text string) int {
	text = strings.TrimLeft(strings.ReplaceAll(strings.TrimSpace(text), "\r", ""), "*# ")
	lower := strings.ToLower(text)
	words := strings.FieldsFunc(lower, func(r rune) bool { return !('a' <= r && r <= 'z') })
	address := slices.ContainsFunc(words, func(word string) bool { return Word(personWords, word) })
	for _, mark := range replyMarks {
		if strings.HasPrefix(lower+"\n", mark) {
			if address && strings.HasSuffix(mark, ":") && strings.HasSuffix(text, "?") && !strings.Contains(text, "\n") {
				return asked
			}
			return marked
		}
	}
	if text == "" {
		return value
	}
	lines := strings.Split(lower, "\n")
	last := lines[len(lines)-1]
	switch first, end := text[0], text[len(text)-1]; {
	case strings.IndexByte("{[(<'\"`", first) >= 0 && strings.IndexByte("}])>'\"`", end) >= 0, '0' <= first && first <= '9' && len(words) == 0, first == '-' && len(words) == 0, lower == "none", lower == "true", lower == "false", lower == "null":
		return value
	case address || end == '?':
		return asked
	case strings.Contains(last, "error: "), strings.Contains(lower, "command not found"), strings.Contains(lower, "no such file or directory"), strings.Contains(lower, "traceback (most recent call last)"):
		return value
	}
	return prose
}
