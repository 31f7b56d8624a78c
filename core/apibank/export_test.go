package apibank

import (
	"github.com/stile-playground/stile/core/source"
)

// ParseCall reads a text that is one call, with nothing but space around it:
//
//	[AddMeeting(meeting_topic='Team Meeting', attendees=['Mary', "Peter's son"], floor=3)]
//
// A value is a text in single or double quotes, a number, True, False, None (true,
// false, null), a list, a dictionary {'a': 1}, or a word without quotes, which is a
// text. A quote within a text ends it only where the value may end there, so that
// 'it's fine' is one text: before a comma that another value follows, or what closes
// the value around it. The diagnostic, coded [CodeCall], has the place of what is
// wrong first; nil: there is a call.
func ParseCall(text string) (Call, *source.Diagnostic) {
	p := &callParser{text: text}
	p.space()
	c, fault := p.call()
	if fault == nil {
		if p.space(); p.at < len(text) {
			fault = p.fault("what follows the call has to go")
		}
	}
	if fault != nil {
		return Call{}, fault
	}
	return c, nil
}
