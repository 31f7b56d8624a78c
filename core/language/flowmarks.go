package language

import (
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// markedAnswers warns of answers between marks, such as the |yes| of Mermaid: the marks are part of the answer.
func markedAnswers(file *source.File) (found []source.Diagnostic) {
	for _, o := range flow.Occurrences(file) {
		if o.Kind != flow.KindAnswer || !o.Defines {
			continue
		}
		m := habit.Match("(?:\\|([^|\\s]+)\\||<([^<>\\s]+)>|\\*+([^*\\s]+)\\*+)$", file.Slice(o.Span))
		if m == nil {
			continue
		}
		answer := strings.Join(m[1:], "")
		found = append(found, source.Diagnostic{
			Code: "flow.answer-marks", Severity: source.SeverityWarning, Span: o.Span,
			Message: "unexpected marks around the answer " + habit.Quote(answer) + ": " + m[0],
			Fixes:   []source.Fix{{Title: "Write " + answer, Edits: []source.Edit{{Span: o.Span, Text: answer}}}},
		})
	}
	return found
}

// entered replaces the name of a question in a block, as the target of an answer outside it, with the name of the block.
func entered(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "flow.unknown" {
		return p
	}
	name := text[fault.Span.Start:fault.Span.End]
	block := habit.NewPattern(`\bin[ \t]+any[ \t]+order[ \t]+([\w.-]+)[ \t]*(\{[^}]*\})`)
	asks := habit.NewPattern(`\bask[ \t]+` + escape(name) + `[ \t]`)
	for m := block.Find(text, 0); m != nil; m = block.Find(text, m[1]) {
		inside := source.Span{Start: source.Pos(m[4]), End: source.Pos(m[5])}
		if asks.Find(text[:inside.End], m[4]) == nil || inside.Contains(fault.Span.Start) {
			continue
		}
		to := text[m[2]:m[3]]
		return edited(fault.Span.Start, fault.Span.End, to, "Write "+to, "question "+habit.Quote(name)+" is in a block; write the name of the block: "+to)
	}
	return p
}

// endNamed renames an end that has the name of a question, and the targets in the answers of this question.
func endNamed(text string, fault source.Diagnostic) (p habit.Proposal) {
	name := text[fault.Span.Start:fault.Span.End]
	line, _ := lineAt(text, fault.Span.Start)
	question := habit.NewPattern(`^[ \t]*ask[ \t]+`+escape(name)+`[ \t]+"[^"\n]*"[^\n]*\n(?:[ \t]+[^\n]*\n)*`).Find(text[:line], 0)
	if fault.Code != "flow.twice" || question == nil || habit.Match(`[ \t]*(?:accept|stop)[ \t]`, text[line:fault.Span.Start]) == nil {
		return p
	}
	own := name + "_end"
	target := habit.NewPattern(`->[ \t]*(` + escape(name) + `)(?:\s|$)`)
	for m := target.Find(text[:question[1]], question[0]); m != nil; m = target.Find(text[:question[1]], m[3]) {
		p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}, Text: own})
	}
	if len(p.Edits) > 0 {
		p.Edits = append(p.Edits, source.Edit{Span: fault.Span, Text: own})
		p.At, p.Title, p.Message = fault.Span, "Name the end "+own, fault.Message
	}
	return p
}

// unanswered adds answers to a question without any: yes leads to the next question or end that no answer leads to
// or, if there is none, to the next one.
func unanswered(text string, fault source.Diagnostic) (p habit.Proposal) {
	_, end := lineAt(text, fault.Span.Start)
	if fault.Code != "flow.no-answer" || habit.Match(`[^\n]*"[ \t]*\n\s*(?:ask|accept|stop|in any)[ \t]`, text[fault.Span.End:]) == nil {
		return p
	}
	next := habit.NewPattern(`^[ \t]*(?:ask|accept)[ \t]+([\w.-]+)[ \t]+"`).Find(text, end)
	if next == nil {
		return p
	}
	at := source.Pos(end)
	p = edited(at, at, "\n  yes -> "+text[next[2]:next[3]]+"\n  no -> stop", "Add answers", fault.Message)
	p.At = fault.Span
	return p
}

// separated removes a comma or a semicolon after the target of an answer.
func separated(text string, fault source.Diagnostic) (p habit.Proposal) {
	start, end := lineAt(text, fault.Span.Start)
	m := habit.NewPattern(`->[ \t]*([\w.-]+)([,;])[ \t]*$`).Find(text[:end], start)
	if m == nil || m[4] < int(fault.Span.Start) {
		return p
	}
	return edited(source.Pos(m[4]), source.Pos(m[5]), "", "Remove it", "unexpected "+habit.Quote(text[m[4]:m[5]])+" after the target "+habit.Quote(text[m[2]:m[3]]))
}
