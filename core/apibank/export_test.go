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
// 'it's fine' is one text: before a comma that another value follows, or before the
// bracket that closes the enclosing value. The diagnostic has code [CodeCall] and the
// place of the first fault; it is nil for a valid call.
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
