package mcp

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/tool/web"
)

// eventReader reads server-sent events (WHATWG HTML, section 9.2.6) in pieces of any size.
type eventReader struct {
	line   strings.Builder
	data   strings.Builder
	cr     bool // the last character was a carriage return
	lastID string
	retry  int    // milliseconds
	stray  string // the beginning of text that is not an event
}

// write reads a piece and returns the data of the events that it completes.
func (r *eventReader) write(piece string) (events []string) {
	for piece != "" {
		if r.cr && piece[0] == '\n' {
			r.cr, piece = false, piece[1:]
			continue
		}
		r.cr = false
		i := strings.IndexAny(piece, "\r\n")
		if i < 0 {
			r.line.WriteString(piece)
			break
		}
		r.line.WriteString(piece[:i])
		r.cr = piece[i] == '\r'
		piece = piece[i+1:]
		if data := r.endLine(); data != "" {
			events = append(events, data)
		}
	}
	return events
}

// endLine reads a complete line and returns the data of the event that it ends.
func (r *eventReader) endLine() string {
	line := r.line.String()
	r.line.Reset()
	if line == "" {
		data := r.data.String()
		r.data.Reset()
		return data
	}
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "data":
		if r.data.Len() > 0 {
			r.data.WriteByte('\n')
		}
		r.data.WriteString(value)
	case "id":
		if !strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' }) {
			r.lastID = value
		}
	case "retry":
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			r.retry = n
		}
	case "event", "":
	default:
		if len(r.stray) < web.MaxQuote {
			r.stray += line + "\n"
		}
	}
	return ""
}

// end returns the data of the last event. Some servers do not terminate it.
func (r *eventReader) end() string {
	if r.line.Len() > 0 {
		r.endLine()
	}
	return r.endLine()
}
