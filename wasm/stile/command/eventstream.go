package command

import (
	"fmt"
	"io"
	"strings"
)

// eventTee calls a function with the data of each event of a stream that is read.
type eventTee struct {
	io.ReadCloser
	event func(data string)
	line  []byte
	data  []string
	size  int
	cr    bool // the last character ended a line, and a line feed after it does not
}

func (t *eventTee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	for _, c := range p[:n] {
		ended := t.cr
		if t.cr = c == '\r'; ended && c == '\n' {
			continue
		}
		if c != '\n' && c != '\r' {
			if t.size++; t.size > maxMessage {
				return 0, fmt.Errorf("an event is larger than %d bytes", maxMessage)
			}
			t.line = append(t.line, c)
			continue
		}
		line := string(t.line)
		t.line = t.line[:0]
		if data, ok := strings.CutPrefix(line, "data:"); ok {
			t.data = append(t.data, strings.TrimPrefix(data, " "))
		} else if line == "" {
			if len(t.data) > 0 {
				t.event(strings.Join(t.data, "\n"))
			}
			t.data, t.size = nil, 0
		}
	}
	return n, err
}
