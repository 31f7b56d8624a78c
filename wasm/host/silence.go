package host

import (
	"bytes"
	"context"
	"errors"
	"time"
)

// maxKeptAlive bounds how long a server may only keep a connection alive; a longer idle time of
// the endpoint takes precedence. Models that think for longer send their thoughts.
const maxKeptAlive = 5 * time.Minute

// errKeptAlive ends a request whose server sends comments, blank lines or pings, and no data.
var errKeptAlive = errors.New("the server sent only keep-alives and no data for too long")

// silence ends a request after too long without a byte, or without data. The time that a run takes
// to process received bytes does not count.
type silence struct {
	idle, most time.Duration
	waited     time.Duration // since the last data
	since      time.Time     // the start of the wait
	timer      *time.Timer   // nil: no limit
	rest       []byte        // the unfinished line, unless longer than maxUnfinished
}

// maxUnfinished bounds an unfinished line that may become a ping.
const maxUnfinished = 64

func newSilence(idle time.Duration, stop context.CancelCauseFunc) *silence {
	s := &silence{idle: idle, most: max(idle, maxKeptAlive)}
	if idle > 0 {
		s.since = time.Now()
		s.timer = time.AfterFunc(idle, func() {
			if s.most-s.waited < s.idle {
				stop(errKeptAlive)
			} else {
				stop(errIdle)
			}
		})
	}
	return s
}

// wait starts the wait for bytes.
func (s *silence) wait() {
	if s.timer != nil {
		s.since = time.Now()
		s.timer.Reset(max(0, min(s.idle, s.most-s.waited)))
	}
}

// heard ends the wait for text, the received bytes. Only data resets the time without data.
func (s *silence) heard(text []byte) {
	if s.timer == nil {
		return
	}
	s.timer.Stop()
	s.waited += time.Since(s.since)
	text = append(s.rest, text...)
	end := bytes.LastIndexByte(text, '\n') + 1
	if len(text)-end > maxUnfinished {
		end = len(text)
	}
	if !keepsAlive(text[:end]) {
		s.waited = 0
	}
	s.rest = append([]byte(nil), text[end:]...)
}

// keepsAlive reports whether a part of a stream contains no data, only blank lines, comments and pings.
func keepsAlive(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		ping := bytes.HasPrefix(bytes.ReplaceAll(line, []byte(" "), nil), []byte(`data:{"type":"ping"}`))
		if len(line) > 0 && line[0] != ':' && !bytes.HasPrefix(line, []byte("event:")) && !ping {
			return false
		}
	}
	return true
}
