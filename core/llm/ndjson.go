package llm

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// ndjsonDecoder reads one JSON value per line, or a body that is one value on several
// lines.
type ndjsonDecoder struct {
	line func(text string) []Delta // reads a line

	rest strings.Builder // the unfinished line, or the unfinished value
	some bool            // a line was read
	over bool            // the rest is ignored
}

// Write implements [Decoder].
func (d *ndjsonDecoder) Write(piece string) []Delta {
	var out []Delta
	for len(piece) > 0 && !d.over {
		i := strings.IndexByte(piece, '\n')
		if i < 0 {
			d.rest.WriteString(piece)
			piece = ""
		} else {
			d.rest.WriteString(piece[:i+1])
			piece = piece[i+1:]
			out = append(out, d.endLine()...)
		}
		if d.rest.Len() > maxEvent {
			d.over = true
			out = append(out, Delta{Fault: &Fault{Kind: FaultLong}, Done: true})
		}
	}
	return out
}

func (d *ndjsonDecoder) endLine() []Delta {
	text := strings.TrimSpace(d.rest.String())
	if text == "" {
		d.rest.Reset()
		return nil
	}
	if !d.some && text[0] == '{' && (text[len(text)-1] != '}' || !isJSON(text)) {
		return nil // the value continues on the next line
	}
	d.rest.Reset()
	return d.read(text)
}

func (d *ndjsonDecoder) read(text string) []Delta {
	d.some = true
	out := d.line(text)
	for _, delta := range out {
		d.over = d.over || delta.Fault != nil
	}
	return out
}

// End implements [Decoder].
func (d *ndjsonDecoder) End() []Delta {
	text := strings.TrimSpace(d.rest.String())
	if d.over || text == "" {
		return nil
	}
	if d.some && !isJSON(text) {
		return nil // it was cut off
	}
	return d.read(text)
}

func isJSON(text string) bool {
	var any json.RawMessage
	return json.Unmarshal([]byte(text), &any) == nil
}
