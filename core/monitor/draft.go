package monitor

import (
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
)

// draft is the text of a run so far. All of the text belongs to the run, because rejected
// text is cut off at once. All segments are closed, except the last one while a phase fills
// it.
type draft struct {
	messages []llm.Message // sent before the text; on the surface "tools" the conversation
	run      agent.Run
	segments []Segment
	text     []byte
	at       int       // the text was read up to here
	passages []passage // of the text, in order
}

// passage is a part of the text by one author. It ends where the next passage begins.
type passage struct {
	from int
	by   author
}

type author byte

const (
	byOthers  author = iota // the environment, or the author of the task
	byModel                 // the model
	byMonitor               // the monitor, in a correction
)

func (d *draft) write(by author, text string) {
	if n := len(d.passages); text != "" && (n == 0 || d.passages[n-1].by != by) {
		d.passages = append(d.passages, passage{len(d.text), by})
	}
	d.text = append(d.text, text...)
}

// cut removes the text from offset at on.
func (d *draft) cut(at int) {
	d.text = d.text[:at]
	for n := len(d.passages); n > 0 && d.passages[n-1].from >= at; n-- {
		d.passages = d.passages[:n-1]
	}
	d.at = min(d.at, at)
}

// characters counts the characters that an author wrote from offset at on.
func (d *draft) characters(at int, by author) int {
	n, end := 0, len(d.text)
	for i := len(d.passages) - 1; i >= 0 && end > at; i-- {
		p := d.passages[i]
		if p.by == by {
			n += utf8.RuneCount(d.text[max(p.from, at):end])
		}
		end = p.from
	}
	return n
}

// newLine begins a line, so that models and people find the prompt that follows.
func (d *draft) newLine() {
	if len(d.text) > 0 && d.text[len(d.text)-1] != '\n' {
		d.write(byOthers, "\n")
	}
}
