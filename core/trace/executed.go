package trace

import (
	"slices"
	"strings"
)

// replyMarks begin the messages in which environments of agents that act by code return its output: AppWorld,
// smolagents, OpenHands, CodeAct, SWE-agent, mini-SWE-agent, AutoGen.
var replyMarks = []string{"observation:", "observation\n", "execution logs:", "execution output", "execution result", "execution successful", "execution failed", "[stdout", "stdout:", "stderr:", "<returncode>", "<output>", "<observation>", "last output from code snippet", "exitcode:", "out["}

// quotedMarks also begin messages in which a person reports output and asks about it.
var quotedMarks = []string{"output:", "output\n", "exit code", "traceback (most recent call last)", ">>> ", "$ "}

// tagMarks begin code without a fence.
var tagMarks = []string{"<code>", "<end_code>", "<bash>", "<python>", "<ipython>", "<execute"}

// dataFences are languages whose texts are not run.
const dataFences = " json yaml yml xml html css markdown md text txt csv toml diff latex tex mermaid svg ini "

// thanks and personWords occur in messages of a person to a model, and rarely in output.
const (
	thanks      = " thanks thank please "
	personWords = " i you your my me we now too also can could should would why how what great good nice perfect instead next "
)

// requests begin messages of a person that ask for a change.
const requests = " add make use write fix change remove rename do explain show give shorter longer move try convert translate rewrite refactor test handle "

// announcements in instructions state that the code of the model is run.
var announcements = []string{"will be executed", "will execute", "executes your", "execute your code", "run your code", "runs your code", "code is executed", "python interpreter", "python repl", "computer shell", "interactive shell", "interactive python", "observation:"}

// refuseExecuted refuses the texts of a model with code that the environment ran: such a text is an action whose calls
// are unknown. Without calls of its own, a turn of the model that has code is followed by a reply. The environment ran
// the code of all such turns in any of these cases:
//
//   - A reply begins with a mark of environments, such as "Observation:".
//   - A reply is a value or an error, as output is. After code in a fence without a language, that decides, too. A
//     message that asks the model, such as "Output: 3. Why?", is that of a person, and so is a number or a word that
//     answers a question.
//   - The instructions announce that code is run, and a reply neither asks nor thanks.
//   - At least two turns with code are followed by prose without a word of a person, such as "now", and more than by
//     other prose.
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
	announced, began, output := false, false, false
	var replies [marked + 1]int // turns with code, by the kinds of their replies
	for i := 0; i < len(r.Items); {
		item := r.Items[i]
		if !modelText(item) {
			announced = announced || !began && item.Kind != Call && mentions(item)
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
		if reply == answer && !strings.Contains(lastLine(r.Items[i-1].Text), "?") {
			reply = value
		}
		if texts := runTexts(r.Items[turn:i], reply, announced); len(texts) > 0 {
			coded = append(coded, texts...)
			replies[reply]++
			output = output || reply >= value
		}
	}
	neutral, addressed := replies[prose], replies[addresses]
	if output || announced && neutral+addressed+replies[answer] > 0 || neutral > 1 && neutral > addressed+replies[asks] {
		return coded
	}
	return nil
}

// runTexts returns the texts of a turn whose code is run if a reply is output.
func runTexts(turn []*Item, reply int, announced bool) (out []*Item) {
	for _, text := range turn {
		if code := codeOf(text.Text); code == runCode || code == bareCode && (reply >= value || announced) || code == dataCode && reply == marked {
			out = append(out, text)
		}
	}
	return out
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// modelText reports whether an item is a text or a thought of a model.
func modelText(item *Item) bool { return item.Kind == Text || item.Kind == Thought }

// mentions reports whether instructions announce that code is run: those of the system, or a sentence of a user about
// "you" that is no question.
func mentions(item *Item) bool {
	text := strings.ToLower(item.Text)
	return slices.ContainsFunc(announcements, func(mark string) bool {
		at := strings.Index(text, mark)
		if at < 0 {
			return false
		}
		begin := strings.LastIndexAny(text[:at], ".!?\n") + 1
		end := strings.IndexAny(text[at:]+"\n", ".!?\n") + at
		return item.Kind != User || !strings.HasPrefix(text[end:], "?") && slices.ContainsFunc(wordsOf(text[begin:end]), func(word string) bool { return Word(" you your ", word) })
	})
}

// wordsOf returns the runs of letters of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !('a' <= r && r <= 'z') })
}

// Kinds of code in a text.
const (
	noCode = iota
	dataCode
	bareCode // in a fence without a language
	runCode  // also code in an unknown language
)

// codeOf returns the kind of the code in a text: the one of its fences that is run most likely.
func codeOf(text string) int {
	lower := strings.ToLower(text)
	if slices.ContainsFunc(tagMarks, func(mark string) bool { return strings.Contains(lower, mark) }) {
		return runCode
	}
	parts, kind := strings.Split(strings.ReplaceAll(lower, "~~~", "```"), "```"), noCode
	for i := 1; i < len(parts); i += 2 { // the text after an opening fence
		line, _, _ := strings.Cut(parts[i], "\n")
		switch language := strings.TrimSpace(line); {
		case language == "":
			kind = max(kind, bareCode)
		case Word(dataFences, language):
			kind = max(kind, dataCode)
		default:
			return runCode
		}
	}
	return kind
}

// IsCode reports whether a text begins with code, in a fence or a tag.
func IsCode(text string) bool {
	lower := strings.ToLower(strings.TrimSpace(text))
	return strings.HasPrefix(lower, "```") || strings.HasPrefix(lower, "~~~") || slices.ContainsFunc(tagMarks, func(mark string) bool { return strings.HasPrefix(lower, mark) })
}

// HasCode reports whether a text contains code, in a fence or a tag.
func HasCode(text string) bool { return codeOf(text) != noCode }

// Kinds of replies to code.
const (
	asks      = iota // a person asks or thanks the model, or shows it a text
	addresses        // it has a word of a person to a model
	prose
	answer // a number or a word, which may answer a question
	value  // a value or an error
	marked // by the environment
)

// replyOf returns the kind of a reply.
func replyOf(text string) int {
	text = strings.TrimLeft(strings.ReplaceAll(strings.TrimSpace(text), "\r", ""), "*# ")
	lower := strings.ToLower(text)
	begins := func(mark string) bool { return strings.HasPrefix(lower+"\n", mark) }
	if slices.ContainsFunc(replyMarks, begins) {
		return marked
	}
	words := wordsOf(lower)
	is := func(list string) func(string) bool { return func(word string) bool { return Word(list, word) } }
	kind := prose
	switch {
	case strings.HasPrefix(text, "```"), strings.Contains(lastLine(text), "?"), slices.ContainsFunc(words, is(thanks)):
		kind = asks
	case slices.ContainsFunc(words, is(personWords)), len(words) > 0 && Word(requests, words[0]):
		kind = addresses
	}
	switch {
	case slices.ContainsFunc(quotedMarks, begins):
		if kind == asks && !strings.HasPrefix(lower, "output\n") && !strings.HasPrefix(lower, "output:\n") {
			return asks
		}
		return marked
	case text == "":
		return value
	}
	first, end := text[0], text[len(text)-1]
	switch {
	case len(words) == 0 && (first == '-' || '0' <= first && first <= '9'), lower == "none", lower == "true", lower == "false", lower == "null":
		return answer
	case strings.IndexByte("{[(<", first) >= 0 && strings.IndexByte("}])>", end) >= 0:
		return value
	case kind == asks, kind == addresses:
		return kind
	case strings.IndexByte("'\"", first) >= 0 && first == end:
		return value
	case strings.Contains(lastLine(lower), "error: "), strings.Contains(lower, "command not found"), strings.Contains(lower, "no such file or directory"), strings.Contains(lower, "traceback (most recent call last)"):
		return value
	}
	return prose
}
