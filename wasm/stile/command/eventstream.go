package command

import (
	"fmt"
	"io"
	"strings"
)

// events calls a function with the data of each event of a stream (text/event-stream) whose bytes are added to it.
type events struct {
	event func(data string) error
	line  []byte
	data  []string
	size  int
	cr    bool // the last character ended a line, and a line feed after it does not
	named bool // an event had an identifier, so that a client can request the events after it
}

// add adds a part of the stream, and returns the first error of the function.
func (e *events) add(part []byte) error {
	for _, c := range part {
		ended := e.cr
		if e.cr = c == '\r'; ended && c == '\n' {
			continue
		}
		if c != '\n' && c != '\r' {
			if e.size++; e.size > maxMessage {
				return fmt.Errorf("an event is larger than %d bytes", maxMessage)
			}
			e.line = append(e.line, c)
			continue
		}
		line := string(e.line)
		e.line = e.line[:0]
		if data, ok := strings.CutPrefix(line, "data:"); ok {
			e.data = append(e.data, strings.TrimPrefix(data, " "))
		} else if strings.HasPrefix(line, "id:") {
			e.named = true
		} else if line == "" {
			data := e.data
			e.data, e.size = nil, 0
			if len(data) > 0 {
				if err := e.event(strings.Join(data, "\n")); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eventTee reads a stream whose events are also given to a function.
type eventTee struct {
	io.ReadCloser
	events
}

func (t *eventTee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if fault := t.add(p[:n]); fault != nil {
		return 0, fault
	}
	return n, err
}
