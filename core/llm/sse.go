package llm

import "strings"

// sseDecoder reads server-sent events (WHATWG HTML, section 9.2.6), or a body that is one
// JSON value, which begins with a brace where an event cannot.
type sseDecoder struct {
	event func(data string) []Delta // reads the data of an event

	line   strings.Builder // the unfinished line
	data   strings.Builder // the data lines of the event so far
	cr     bool            // the last character was a carriage return
	begun  bool            // a character other than space was read
	single bool            // the body is one value, collected in line
	some   bool            // an event was read
	stray  string          // the first line outside of events
	over   bool            // the rest is ignored
}

// Write implements [Decoder].
func (d *sseDecoder) Write(piece string) []Delta {
	var out []Delta
	for len(piece) > 0 && !d.over {
		if !d.begun {
			if piece = strings.TrimLeft(piece, " \t\r\n"); piece == "" {
				break
			}
			d.begun, d.single = true, piece[0] == '{' || piece[0] == '['
		}
		if d.single {
			d.line.WriteString(piece)
			if d.line.Len() > maxEvent {
				out = append(out, d.end(Delta{Fault: &Fault{Kind: FaultLong}, Done: true}))
			}
			break
		}
		if d.cr && piece[0] == '\n' { // the second half of a line break
			d.cr, piece = false, piece[1:]
			continue
		}
		d.cr = false
		i := strings.IndexAny(piece, "\r\n")
		if i < 0 {
			d.line.WriteString(piece)
			if d.line.Len()+d.data.Len() > maxEvent {
				out = append(out, d.end(Delta{Fault: &Fault{Kind: FaultLong}, Done: true}))
			}
			break
		}
		d.line.WriteString(piece[:i])
		d.cr = piece[i] == '\r'
		piece = piece[i+1:]
		out = append(out, d.endLine()...)
	}
	return out
}

func (d *sseDecoder) end(delta Delta) Delta {
	d.over = true
	return delta
}

// endLine handles a complete line; an empty one ends an event.
func (d *sseDecoder) endLine() []Delta {
	line := strings.TrimPrefix(d.line.String(), "\ufeff")
	d.line.Reset()
	if line == "" {
		return d.endEvent()
	}
	name, value, _ := strings.Cut(line, ":")
	if name == "data" {
		if d.data.Len() > 0 {
			d.data.WriteByte('\n')
		}
		d.data.WriteString(strings.TrimPrefix(value, " "))
	} else if d.stray == "" && name != "" && name != "event" && name != "id" && name != "retry" {
		d.stray = line
	}
	return nil
}

func (d *sseDecoder) endEvent() []Delta {
	data := d.data.String()
	d.data.Reset()
	if data == "" {
		return nil
	}
	d.some = true
	out := d.event(data)
	for _, delta := range out {
		d.over = d.over || delta.Fault != nil
	}
	return out
}

// End implements [Decoder]. It reads a last event without its empty line if its data are
// complete, because not every server terminates it.
func (d *sseDecoder) End() []Delta {
	if d.over {
		return nil
	}
	d.over = true
	rest := d.line.String()
	if d.single {
		if fault := providerFault(rest); fault != nil {
			return []Delta{{Fault: fault, Done: true}}
		}
		if out := d.event(rest); len(out) > 0 {
			return out
		}
		return []Delta{garbage(rest)}
	}
	if rest != "" {
		d.endLine()
	}
	var out []Delta
	for _, delta := range d.endEvent() {
		if delta.Fault == nil || delta.Fault.Kind != FaultGarbage { // otherwise it was cut off
			out = append(out, delta)
		}
	}
	if d.stray != "" && !d.some {
		out = append(out, garbage(d.stray))
	}
	return out
}
