package sidecar

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

type line struct {
	Session string `json:"s,omitempty"`
	Op      string `json:"o"`           // "guard", "begin", "state", "drop", "ended", "log" or an operation of a session
	Guard   string `json:"g,omitempty"` // hash of the guard of a session
	Event   string `json:"e,omitempty"`
	Text    string `json:"t,omitempty"` // of a guard or a state; the hashes of dropped sessions
	Verdict string `json:"v,omitempty"` // on an event; journals of earlier versions lack it
	Log     string `json:"l,omitempty"` // hash of the last line of the log after an event, or of the log so far
}

// journal is the file that a server resumes from.
type journal struct {
	file *os.File
	info os.FileInfo // of the file
	name string
	size int64
	base int64 // size after the last compaction
}

// compactAfter is the growth after which the journal is written again, in bytes.
const compactAfter = 64 << 20

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// append writes a line. After an error the server refuses all events, because it cannot store its decisions. The line of
// an event is the last one until its log line is written, so that [Server.open] can write a missing one.
func (s *Server) append(l line) error {
	if s.journal == nil {
		return nil
	}
	data, err := json.Marshal(l)
	if err == nil {
		err = s.journal.write(append(data, '\n'))
	}
	if err == nil && s.options.Sync {
		err = s.journal.file.Sync()
	}
	if err == nil && l.Event == "" {
		return s.shrink()
	}
	return s.fail("journal", err)
}

// errMoved is the error of a journal whose file is not the one with its name.
var errMoved = errors.New("the file was removed or replaced, so that a restarted server would not know its decisions")

// write adds a line. It removes the part of a line whose rest cannot be written.
func (j *journal) write(line []byte) error {
	if !j.inPlace() {
		return errMoved
	}
	n, err := j.file.Write(line)
	if err != nil && n > 0 {
		_, fault := j.file.Seek(j.size, io.SeekStart)
		return errors.Join(err, j.file.Truncate(j.size), fault)
	}
	j.size += int64(n)
	return err
}

// inPlace reports whether the open file still has its name.
func (j *journal) inPlace() bool {
	named, err := os.Stat(j.name)
	return err == nil && os.SameFile(named, j.info)
}

// fail keeps an error of the journal or the log.
func (s *Server) fail(file string, err error) error {
	if err != nil {
		s.broken = fmt.Errorf("the %s cannot be written: %w", file, err)
	}
	return s.broken
}

// shrink compacts a journal that has grown.
func (s *Server) shrink() error {
	if s.journal == nil || s.journal.size <= s.journal.base+compactAfter {
		return nil
	}
	return s.fail("journal", s.compact())
}

// LastLine returns the last line of a log. A log whose last line is incomplete has an error.
func LastLine(file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return "", err
	}
	tail := make([]byte, min(info.Size(), 1<<20))
	if _, err := file.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return "", err
	}
	text, whole := strings.CutSuffix(string(tail), "\n")
	if !whole {
		return "", errors.New(file.Name() + ": the last line is incomplete")
	}
	return text[strings.LastIndexByte(text, '\n')+1:], nil
}

var errOtherLog = errors.New("the journal does not match the last line of the log; use the journal of this log, or a new log")

// logMissing writes the log lines of the last event of the journal, which a server that was killed may not have written. It
// returns an error if the log does not end with one of them or the line before them, or cannot be written. Then latest is
// the hash of the last line of the log, unless the log is empty.
func (s *Server) logMissing() error {
	missing, last := s.logged, s.options.Last
	s.logged = nil
	if s.options.Log == nil {
		return nil
	}
	written := slices.Index(missing, last)
	switch {
	case last == "": // a new log, or a log that was moved elsewhere
		if len(missing) > 0 && !strings.Contains(missing[0], ` {"n":1,`) {
			missing = nil
		}
	case written >= 0:
		missing = missing[written+1:]
	case s.known && s.before != gate.Sum(last):
		return errOtherLog
	case !s.known && len(missing) > 0: // a journal of an earlier version
		if n, _, _ := strings.Cut(missing[0], ","); strings.HasPrefix(last, n+",") {
			missing = nil
		}
	}
	for _, text := range missing {
		if err := s.options.Log(text); err != nil {
			return fmt.Errorf("the log cannot be written: %w", err)
		}
		last = text
	}
	if last != "" { // a journal of an earlier version, or of a server without a log, does not name the line
		s.latest = gate.Sum(last)
	}
	return nil
}

// hashOf returns the hash of the last line of the log that an event wrote, or "".
func (s *Server) hashOf() string {
	if len(s.logged) == 0 {
		return ""
	}
	return gate.Sum(s.logged[len(s.logged)-1])
}

// Store writes the states of the sessions to the journal, so that a server with other options can resume them.
func (s *Server) Store() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.journal == nil || s.broken != nil {
		return s.broken
	}
	return s.fail("journal", s.compact())
}

// open resumes the sessions of the journal, and writes the journal again. Sessions of other guards keep
// their guards until the next reload moves them.
func (s *Server) open() error {
	file, err := os.Open(s.options.Journal)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		err = s.replay(bufio.NewReaderSize(file, 1<<20))
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	if err := s.logMissing(); err != nil {
		return err
	}
	if err := s.compact(); err != nil {
		return err
	}
	s.reloaded, err = s.adopt(s.plan(s.guard))
	return err
}

// replay reads the lines of a journal. It ignores an incomplete last line, whose event was not answered.
func (s *Server) replay(r *bufio.Reader) error {
	guards := map[string]*gate.Guard{}
	for n := 1; ; n++ {
		data, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var l line
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err = d.Decode(&l); err == nil {
			err = s.resume(l, guards)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", s.options.Journal, n, err)
		}
	}
}

var (
	errLine    = errors.New("the line does not follow from the lines before it")
	errOptions = errors.New("the replayed decision or log line differs from the journal; start the server with its previous -mode, -redact, -log and version, stop it by SIGTERM to store its states, then change the options")
)

func (s *Server) resume(l line, guards map[string]*gate.Guard) error {
	e := s.sessions[l.Session]
	switch l.Op {
	case "guard":
		g, err := gate.Read(l.Text)
		if err == nil {
			guards[g.Hash] = g
		}
		return err
	case "begin", "state":
		g := guards[l.Guard]
		if g == nil {
			return errLine
		}
		o := s.of(l.Session)
		session, err := g.Begin(o)
		if l.Op == "state" {
			session, err = g.Load(l.Text, o)
		}
		if err == nil {
			s.sessions[l.Session] = &entry{Session: session, guard: g}
			s.finish(l.Session)
		}
		return err
	case "log":
		s.latest, s.before, s.known = l.Log, l.Log, true
		return nil
	case "ended":
		return s.ended.read(l.Text)
	case "drop":
		delete(s.sessions, l.Session)
		s.ended.Add(l.Session)
		s.finished = slices.DeleteFunc(s.finished, func(id string) bool { return id == l.Session })
		return nil
	}
	perform := operations[l.Op]
	if e == nil || perform == nil {
		return errLine
	}
	event, err := gate.ReadEvent(l.Event)
	if err != nil {
		return err
	}
	s.logged, s.before = nil, s.latest
	d := perform(e.Session, event)
	hash := s.hashOf()
	if l.Verdict != "" && (l.Verdict != string(d.Verdict) || l.Log != hash) {
		return errOptions
	}
	if hash != "" {
		s.latest = hash
	}
	s.finish(l.Session)
	return nil
}

// compact writes the journal again: the guards in use, the state of each session and the hash of the log, which is "" for an
// empty one. The journal of a server that has never had a log does not name one.
func (s *Server) compact() error {
	name := s.options.Journal
	if s.journal != nil && !s.journal.inPlace() {
		return errMoved
	}
	temporary, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(temporary)
	encoder := json.NewEncoder(w)
	texts := map[string]*gate.Guard{s.guard.Hash: s.guard}
	for _, e := range s.sessions {
		texts[e.guard.Hash] = e.guard
	}
	for _, hash := range sorted(texts) {
		if err == nil {
			err = encoder.Encode(line{Op: "guard", Text: texts[hash].Text()})
		}
	}
	for _, id := range sorted(s.sessions) {
		e := s.sessions[id]
		if err == nil {
			err = encoder.Encode(line{Session: id, Op: "state", Guard: e.guard.Hash, Text: e.Save()})
		}
	}
	if names := s.ended.text(); err == nil && names != "" {
		err = encoder.Encode(line{Op: "ended", Text: names})
	}
	if err == nil && (s.options.Log != nil || s.latest != "") {
		err = encoder.Encode(line{Op: "log", Log: s.latest})
	}
	err = errors.Join(err, w.Flush(), temporary.Sync())
	info, fault := temporary.Stat()
	if err = errors.Join(err, fault); err == nil {
		err = os.Rename(temporary.Name(), name)
	}
	if err != nil {
		return errors.Join(err, temporary.Close(), os.Remove(temporary.Name()))
	}
	if s.journal != nil {
		_ = s.journal.file.Close() // its name belongs to the new file
	}
	s.journal = &journal{file: temporary, info: info, name: name, size: info.Size(), base: info.Size()}
	return nil
}
